// Ranks of the run without an analyzed report: waits for them look like transfers.

#include "core/across/across_rule.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace warpline::rank_missing {

namespace {

constexpr std::size_t maxListed = 16;

std::vector<AcrossFinding> check(const Judging& judging)
{
    const AcrossReport& out = judging.out;
    const std::size_t count = out.missingRanks.size();
    if (count == 0)
        return {};
    const auto named = static_cast<std::ptrdiff_t>(std::min(count, maxListed));
    AcrossFinding finding;
    finding.severity = Severity::Medium;
    finding.title = {"rank_missing.title", "Reports missing: {missing} of {ranks} ranks",
        {{"missing", Count{count}}, {"ranks", Count{static_cast<std::uint64_t>(out.worldSize)}}}};
    finding.message = {"rank_missing.list",
        "Missing: {list}{more, plural, =0 {} other { and # more}}. Waits for these ranks count as transfer time.",
        {{"list",
             Name{fmt::format(
                 "{}", fmt::join(out.missingRanks.begin(), out.missingRanks.begin() + named, ", "))}},
            {"more", Count{count - static_cast<std::size_t>(named)}}}};
    return {finding};
}

} // namespace

extern constinit const Rule rankMissing{
    .id = "rank_missing",
    .title = "Reports of ranks are missing",
    .why
    = "The cause of a wait is on the rank that comes last. Without its report, only the wait is visible.",
    .remedy
    = "Open the reports of all ranks of the run together. A report that cannot be read is listed with the reason.",
    .caveat = "A report of another run would make the number of ranks wrong.",
    .checkRanks = check,
};

} // namespace warpline::rank_missing
