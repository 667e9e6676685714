// Ranks of the run without an analyzed report: waits for them look like transfers.

#include "core/across/across_rule.h"

namespace warpline::rank_missing {

namespace {

std::vector<AcrossFinding> check(const Judging& judging)
{
    const AcrossReport& out = judging.out;
    const std::size_t count = out.missingRanks.size();
    if (count == 0)
        return {};
    AcrossFinding finding;
    finding.severity = Severity::Medium;
    finding.title = {"rank_missing.title", "Reports missing: {missing} of {ranks} ranks",
        {{"missing", Count{count}}, {"ranks", Count{static_cast<std::uint64_t>(out.worldSize)}}}};
    finding.message = {"rank_missing.list", "Missing: {ranks}. Waits for these ranks count as transfer time.",
        {{"ranks", missingText(out)}}};
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
