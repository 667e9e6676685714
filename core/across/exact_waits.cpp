#include "core/across/exact_waits.h"

#include "core/base/format.h"
#include "core/base/share.h"
#include "core/findings/finding_order.h"
#include "core/findings/gpu_activity.h"
#include "core/store/gpu_names.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpline {

namespace {

/// The rank of `report` that `finding` is about; noIndex: none, or several.
std::uint32_t rankOf(const AcrossReport& across, const Trace& trace, ReportId report, const Finding& finding)
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

/// What rank `rank` waits in kernels while nothing computes, over the steps that are no warm-up.
Ns exposedWait(const AcrossReport& across, std::uint32_t rank)
{
    Ns wait = 0;
    for (const MatchedExchange& exchange : across.exchanges) {
        if (exchange.step != noIndex && across.steps[exchange.step].warmUp)
            continue;
        for (const ExchangeMember& member : exchange.members)
            wait += member.rank == rank && member.event.event.kind == EventKind::Kernel ? member.exposedWait
                                                                                        : 0;
    }
    return wait;
}

void setSaving(Finding& finding, Ns saving)
{
    finding.saving = saving;
    finding.severity = severityFor(saving, {0, finding.measured});
    finding.confidence = Confidence::Certain;
}

/// The GPU as the finding's other lines call it: findings of runRules() have the machine's number.
std::string gpuOf(const Finding& finding, const Trace& trace, const AcrossRank& rank)
{
    return finding.device >= 0 ? fmt::format("GPU {}", finding.device)
                               : gpuName(trace, rank.process, std::max(0, rank.device));
}

/// " With that 96.80 ms of it would go, the rest has other causes.": of what a rank waits while it computes
/// nothing; empty where the cause explains all of it, or is not known.
std::string explainedText(const LateVerdict& verdict, Ns exact)
{
    const Ns explained = verdict.cause.perStep * static_cast<Ns>(verdict.stepsJudged);
    return verdict.cause.found() && explained > 0 && explained * 50 < exact * 49
        ? fmt::format(" With that {} of it would go; the rest has other causes.", formatDuration(explained))
        : std::string();
}

std::string lateText(const AcrossReport& across, Ns exact)
{
    const LateVerdict& verdict = across.verdict;
    if (verdict.pattern != LatePattern::Persistent)
        return " The ranks come late in turn.";
    return (verdict.cause.found() && verdict.cause.kind == PartKind::Range
                   ? fmt::format(
                       " It waits for {}: {}.", across.ranks[verdict.rank].label, verdict.cause.part)
                   : fmt::format(" It waits for {}.", across.ranks[verdict.rank].label))
        + explainedText(verdict, exact);
}

/// Lowers what else rank `rank` could save while it waits for one that is late in most steps: a rank that is
/// early only waits longer for it.
void lowerOfEarlyRank(const AcrossReport& across, std::uint32_t rank, const Trace& trace, ReportId report,
    Ns waits, std::vector<Finding>& findings)
{
    constexpr Ns much = 20; // of the measured time: one part of so many
    const LateVerdict& verdict = across.verdict;
    if (verdict.pattern != LatePattern::Persistent || verdict.rank == rank)
        return;
    for (Finding& finding : findings) {
        const bool isOfWaiting = finding.rule == "collective_wait" || finding.rule == "nccl_exposed";
        if (isOfWaiting || finding.saving <= 0 || waits * much < finding.measured
            || finding.severity <= Severity::Low || rankOf(across, trace, report, finding) != rank)
            continue;
        finding.severity = Severity::Low;
        finding.lowered
            = fmt::format("this rank waits for {}: until that comes in time, it would only wait longer",
                across.ranks[verdict.rank].label);
        finding.message += fmt::format(" Ranked low because {}.", finding.lowered);
    }
}

} // namespace

std::vector<Finding> withExactWaits(std::vector<Finding> findings, const Trace& trace, TimeRange window,
    const AcrossReport& across, ReportId report)
{
    for (Finding& finding : findings) {
        if (finding.rule != "collective_wait")
            continue;
        const std::uint32_t rank = rankOf(across, trace, report, finding);
        if (rank == noIndex)
            continue;
        const Ns estimate = finding.saving;
        const Ns exact = exposedWait(across, rank);
        for (Finding& exposed : findings) {
            if (exposed.rule != "nccl_exposed" || exposed.process != finding.process
                || exposed.device != finding.device)
                continue;
            const Ns all = exposed.saving + estimate;
            setSaving(exposed, std::max<Ns>(0, all - exact));
            exposed.claims.clear();
            exposed.message
                += fmt::format(" By the reports of the other ranks {} of it is waiting and {} communication.",
                    formatDuration(exact), formatDuration(std::max<Ns>(0, all - exact)));
        }
        setSaving(finding, exact);
        finding.title = fmt::format("{} waits {} inside collectives for other ranks",
            gpuOf(finding, trace, across.ranks[rank]), formatDuration(exact));
        finding.message = fmt::format(
            "Compared with the other ranks, which are open too: {} of waiting in all, {} of it while nothing computes.{}",
            formatDuration(across.ranks[rank].wait), formatDuration(exact), lateText(across, exact));
        lowerOfEarlyRank(across, rank, trace, report, exact, findings);
    }
    rankFindings(findings, window);
    return findings;
}

KnownWaits exactWaitRanges(const Trace& trace, const AcrossReport& across, ReportId report)
{
    KnownWaits waits;
    for (const MatchedExchange& exchange : across.exchanges) {
        for (const ExchangeMember& member : exchange.members) {
            const EventRef event = member.event.event;
            if (member.event.report != report || event.kind != EventKind::Kernel)
                continue;
            const Track& track = trace.kernels().trackOf(event.index);
            std::vector<TimeRange>& ofGpu = waits[{track.owner, track.device}];
            if (member.wait > 0)
                ofGpu.push_back({member.range.start, member.range.start + member.wait});
        }
    }
    return waits;
}

} // namespace warpline
