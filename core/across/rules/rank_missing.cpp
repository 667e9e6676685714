// Ranks of the run whose reports are not among those that are judged: waits for them look like transfers.

#include "core/across/across_rule.h"
#include "core/base/format.h"
#include "core/findings/evidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace warpline {

namespace {

constexpr std::size_t mostListed = 16;

std::vector<AcrossFinding> check(const Judging& judging)
{
    std::int64_t size = 0;
    std::set<std::int64_t> there;
    for (const JudgedRank& rank : judging.ranks) {
        const bool sure = rank.foundBy != RankSource::Order;
        size = std::max({size, rank.facts->worldSize, sure ? rank.rank + 1 : 0});
        there.insert(rank.rank);
    }
    std::string missing;
    std::size_t count = 0;
    for (std::int64_t rank = 0; rank < size && count <= static_cast<std::size_t>(size); ++rank) {
        if (there.contains(rank))
            continue;
        if (++count <= mostListed)
            missing += fmt::format("{}{}", missing.empty() ? "" : ", ", rank);
    }
    if (count == 0)
        return {};
    AcrossFinding finding;
    finding.severity = Severity::Medium;
    finding.title = fmt::format("{} of {} ranks {} not among the reports", formatCount(count),
        formatCount(static_cast<std::uint64_t>(size)), count == 1 ? "is" : "are");
    finding.message = fmt::format("Not there: {}{}. What the others wait for them is taken for transfer.",
        missing,
        count > mostListed ? fmt::format(" and {} more", formatCount(count - mostListed)) : std::string());
    return {finding};
}

} // namespace

extern constinit const AcrossRule rankMissing{
    .id = "rank_missing",
    .title = "Ranks whose reports are missing",
    .remedy
    = "Open the reports of all ranks of the run together. A report that cannot be read is listed with the reason.",
    .check = check,
};

} // namespace warpline
