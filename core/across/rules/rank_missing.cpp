// Ranks of the run whose reports are not among those that are judged: waits for them look like transfers.

#include "core/across/across_rule.h"
#include "core/base/format.h"
#include "core/findings/evidence.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace warpline {

namespace {

constexpr std::size_t maxListed = 16;

std::vector<AcrossFinding> check(const Judging& judging)
{
    const AcrossReport& out = judging.out;
    const std::size_t count = out.missingRanks.size();
    if (count == 0)
        return {};
    const auto named = static_cast<std::ptrdiff_t>(std::min(count, maxListed));
    const std::string missing
        = fmt::format("{}", fmt::join(out.missingRanks.begin(), out.missingRanks.begin() + named, ", "));
    AcrossFinding finding;
    finding.severity = Severity::Medium;
    finding.title = fmt::format("Reports missing: {} of {} ranks", formatCount(count),
        formatCount(static_cast<std::uint64_t>(out.worldSize)));
    finding.message = fmt::format("Missing: {}{}. Waits for these ranks count as transfer time.", missing,
        count > maxListed ? fmt::format(" and {} more", formatCount(count - maxListed)) : std::string());
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
