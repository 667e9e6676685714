// Relates findings of single reports to the late rank that all others wait for.

#include "core/across/late_findings.h"

#include "core/across/judging.h"
#include "core/base/message_names.h"
#include "core/base/share.h"
#include "core/findings/expected_savings.h"
#include "core/findings/finding_order.h"
#include "core/store/gpu_names.h"

#include <algorithm>
#include <map>

namespace warpline {

namespace {

/// Found on the waiting rank: only the late rank can save this time.
bool isAboutWaiting(const Finding& finding)
{
    return finding.heldUp || finding.rule == "collective_wait" || finding.rule == "pipeline_bubble";
}

/// The savings of all findings of `rule`, including those folded into others.
Ns savingBy(std::string_view rule, std::span<const Finding> findings)
{
    Ns saving = 0;
    for (const Finding& finding : findings)
        saving += (finding.rule == rule ? finding.saving : 0) + savingBy(rule, finding.merged);
    return saving;
}

void bound(Finding& finding, Ns most)
{
    setSaving(finding, most);
    finding.severity
        = std::min(finding.severity, std::max(Severity::Low, severityFor(most, finding.measured)));
}

} // namespace

std::uint32_t ExposedWaits::mostFor() const
{
    const auto most = std::ranges::max_element(forRank);
    return most != forRank.end() && *most * 2 > all ? static_cast<std::uint32_t>(most - forRank.begin())
                                                    : noIndex;
}

ExposedWaits exposedWaits(const AcrossReport& across, std::uint32_t rank, bool inKernels)
{
    ExposedWaits waits{0, std::vector<Ns>(across.ranks.size())};
    for (const MatchedExchange& exchange : across.exchanges) {
        if (exchange.step != noIndex && across.steps[exchange.step].warmUp)
            continue;
        for (const ExchangeMember& member : exchange.members) {
            if (member.rank != rank || (inKernels && member.event.event.kind != EventKind::Kernel))
                continue;
            waits.all += member.exposedWait;
            if (exchange.blamed != noIndex)
                waits.forRank[exchange.blamed] += member.exposedWait;
        }
    }
    return waits;
}

void setSaving(Finding& finding, Ns saving)
{
    const auto kept = [&](Ns part) {
        return finding.saving > 0
            ? static_cast<Ns>(static_cast<double>(part) * shareOf(saving, finding.saving))
            : Ns{0};
    };
    finding.added = kept(finding.added);
    finding.perStep = kept(finding.perStep);
    finding.saving = saving;
    boundExpected(finding);
}

std::uint32_t rankOfFinding(
    const AcrossReport& across, const Trace& trace, ReportId report, const Finding& finding)
{
    std::uint32_t found = noIndex;
    for (std::uint32_t r = 0; r < across.ranks.size(); ++r) {
        const AcrossRank& rank = across.ranks[r];
        const bool device = rank.device < 0 || finding.device < 0
            || gpuNumber(trace, rank.process, rank.device) == finding.device;
        if (rank.report != report || (finding.process != 0 && rank.process != finding.process) || !device)
            continue;
        if (found != noIndex)
            return noIndex;
        found = r;
    }
    return found;
}

bool hasLateRank(const AcrossReport& across)
{
    const LateVerdict& verdict = across.verdict;
    return across.judged && verdict.pattern == LatePattern::Persistent && verdict.rank != noIndex
        && verdict.stepsJudged > 0;
}

void boundByLateRank(std::vector<Finding>& findings, const Trace& trace, TimeRange window, ReportId report,
    const AcrossReport& across, std::span<const Finding> ofLate)
{
    if (!hasLateRank(across))
        return;
    std::map<std::uint32_t, Ns> waitsOf; // by rank: the exchanges are many, the findings of a rank several
    for (Finding& finding : findings) {
        if (finding.saving <= 0 || isAboutWaiting(finding))
            continue;
        const std::uint32_t rank = rankOfFinding(across, trace, report, finding);
        if (rank == noIndex || rank == across.verdict.rank)
            continue;
        const auto [known, isNew] = waitsOf.try_emplace(rank);
        if (isNew)
            known->second = exposedWaits(across, rank, false).forRank[across.verdict.rank];
        const Ns waits = known->second;
        const Ns most = savingBy(finding.rule, ofLate);
        if (waits <= 0 || most >= finding.saving)
            continue;
        finding.message += {"across.is_early",
            "Rank {rank} is early, however: it waits {waits} for rank {late} while nothing computes. Of the {saving} that this takes, the run gains "
            "{any, select, yes {{most} at most} other {nothing}} until rank {late} is fixed. The rest would become waiting time.",
            {{"rank", numberOf(across, rank)}, {"waits", Duration{waits}},
                {"late", numberOf(across, across.verdict.rank)}, {"saving", Duration{finding.saving}},
                {"any", yesOrNo(most > 0)}, {"most", Duration{most}}}};
        bound(finding, most);
    }
    rankFindings(findings, window);
}

bool hasCauseOfVerdict(
    const Finding& finding, const Trace& trace, ReportId report, const AcrossReport& across)
{
    if (!hasLateRank(across))
        return false;
    const LateVerdict& verdict = across.verdict;
    const std::uint32_t rank = rankOfFinding(across, trace, report, finding);
    if (rank == noIndex) // several ranks of one report: each has its own findings
        return std::ranges::any_of(finding.merged, [&](const Finding& each) {
            return each.rule == finding.rule && each.process != 0
                && hasCauseOfVerdict(each, trace, report, across);
        });
    if (rank == verdict.rank)
        return verdict.cause.found() && verdict.cause.kind == PartKind::Range
            && finding.subject == Subject{Subject::Kind::Range, verdict.cause.part};
    // A single step may have been held up by another one.
    return isAboutWaiting(finding) && finding.rule != "nvtx_outlier_steps"
        && exposedWaits(across, rank, false).mostFor() == verdict.rank;
}

} // namespace warpline
