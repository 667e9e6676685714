// Phases in which the host mostly waits for the GPU: a hidden synchronization, often in the optimizer.

#include "core/analysis/idle_gaps.h"
#include "core/base/share.h"
#include "core/findings/evidence.h"
#include "core/findings/host_calls.h"
#include "core/store/event_loops.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

namespace warpline::waiting_phases {

namespace {

constexpr std::string_view phaseId = "phase_holds_sync";
constexpr Threshold minShare{"min_share", "Minimum share of the steps' time that a phase takes", "%", 5};
constexpr Threshold minWait{"min_wait", "Minimum share of the phase that is spent in waits", "%", 30};
constexpr std::array phaseThresholds{minShare, minWait};
constexpr std::array<std::string_view, 2> phaseAbsorbs{"sync_per_iteration", "cuda_api_sync"};

struct Phase {
    std::vector<EventRef> ranges;
    Ns total = 0;
    Ns waiting = 0;
    std::size_t inherited = 0; ///< ranges that begin while a GPU works on earlier launches
};

/// By name, in the order of the alphabet: that of the findings.
using Phases = std::map<std::string_view, Phase>;

/// The ranges inside steady steps by name, with the time their thread spent in waits.
Phases phasesOf(const RuleContext& context, const StepSeries& steps)
{
    const NvtxTable& nvtx = context.trace.nvtx();
    const HostTimeline& host = context.facts.host(steps.thread);
    const std::vector<const GpuFacts*> gpus = context.facts.gpusOf(steps.thread);
    const auto isBusy = [&](Ns time) {
        return std::ranges::any_of(gpus, [&](const GpuFacts* gpu) {
            const auto next = std::ranges::upper_bound(gpu->busy, time, {}, &TimeRange::end);
            return next != gpu->busy.end() && next->start <= time;
        });
    };
    Phases phases;
    for (const Track& track : nvtx.tracks) {
        if (track.owner != steps.thread || !context.trace.text(track.family).empty())
            continue;
        for (const EventIndex i : eventsOf(track, context.stop)) {
            const std::size_t step = steps.at(nvtx.start[i]);
            const bool inside = step < steps.size() && step >= steps.firstSteady
                && steps.events[step].index != i && nvtx.end(i) <= steps.ranges[step].end;
            if (!inside || nvtx.duration[i] <= 0)
                continue;
            Phase& phase = phases[context.trace.text(nvtx.name[i])];
            phase.ranges.push_back({EventKind::Nvtx, i});
            phase.total += nvtx.duration[i];
            phase.waiting += host.split(nvtx.range(i))[indexOf(IdleCause::HostWait)];
            phase.inherited += isBusy(nvtx.start[i]) ? 1 : 0;
        }
    }
    return phases;
}

/// Leaves the phases that hold waits, for work that was launched before them.
void keepWaiting(const RuleContext& context, const StepSeries& steps, Phases& phases)
{
    std::erase_if(phases, [&](const auto& each) {
        const Phase& phase = each.second;
        // A phase that waits for its own kernels is as long as they are.
        return phase.ranges.size() * 2 < steps.steady() || phase.inherited * 2 < phase.ranges.size()
            || !context.reachesShare(phaseId, minShare, phase.total, steps.span().duration())
            || !context.reachesShare(phaseId, minWait, phase.waiting, phase.total);
    });
}

/// Whether all of `inner` lies in `outer`, range by range, with nearly all of its waiting: both are in order
/// of time.
bool holdsSameWaits(const RuleContext& context, const Phase& outer, const Phase& inner)
{
    const auto contains = [&](EventRef around, EventRef range) {
        const TimeRange a = context.trace.range(around);
        const TimeRange b = context.trace.range(range);
        return a.start <= b.start && b.end <= a.end;
    };
    constexpr double nearlyAll = 0.9;
    return outer.total > inner.total
        && static_cast<double>(inner.waiting) >= nearlyAll * static_cast<double>(outer.waiting)
        && std::ranges::equal(outer.ranges, inner.ranges, contains);
}

/// "So does forward around it.": phases that only hold the waits of this one, of `phases`.
Message aroundText(const RuleContext& context, const Phases& phases, const Phase& inner)
{
    Message text;
    for (const auto& [name, phase] : phases) {
        if (holdsSameWaits(context, phase, inner))
            text += Message("phase_holds_sync.around", "So does {phase} around it.",
                {{"phase", Name{std::string(name)}}});
    }
    return text;
}

std::vector<Finding> findWaitingPhases(const RuleContext& context)
{
    std::vector<Finding> findings;
    for (const auto& [pid, steps] : context.facts.allSteps()) {
        Phases phases = phasesOf(context, steps);
        keepWaiting(context, steps, phases);
        const Phases all = phases;
        std::erase_if(phases, [&](const auto& each) { // the innermost one speaks of the waits
            return std::ranges::any_of(
                all, [&](const auto& inner) { return holdsSameWaits(context, each.second, inner.second); });
        });
        for (auto& [name, phase] : phases) {
            // The GPU may be busy during it.
            Finding finding = findingWith(Severity::Low, Confidence::Possible, processOf(steps.thread));
            finding.subject = {Subject::Kind::Range, withoutNumbers(name)};
            finding.title = Message("phase_holds_sync.title",
                "Phase {phase} spends {share} of its time waiting for the GPU",
                {{"phase", Name{std::string(name)}}, {"share", Share{shareOf(phase.waiting, phase.total)}}});
            finding.message = Message("phase_holds_sync.ranges",
                "{ranges, plural, one {# range} other {# ranges}} take {time}, {share} of the steps' time, and hold "
                "{waiting} of synchronizing calls.",
                {{"ranges", Count{phase.ranges.size()}}, {"time", Duration{phase.total}},
                    {"share", Share{shareOf(phase.total, steps.span().duration())}},
                    {"waiting", Duration{phase.waiting}}});
            finding.message += Message("phase_holds_sync.why",
                "The phase looks long because it waits for work that was launched before it.");
            finding.message += aroundText(context, all, phase);
            sortLongestFirst(context.trace, phase.ranges);
            setEvidence(finding, context.trace, phase.ranges, {"phase_holds_sync.wait", "holds a wait"});
            findings.push_back(std::move(finding));
        }
    }
    return findings;
}

} // namespace

extern constinit const Rule phaseHoldsSync{
    .id = phaseId,
    .title = "A phase that hides a synchronization",
    .why = "A phase that waits is charged for the work of the phases before it: what looks like a slow "
           "phase is often a hidden wait.",
    .remedy
    = "Look at the CUDA API row inside the range for calls that wait. Compare phases by their row on the GPU, not by their length on the CPU.",
    .caveat = "A phase that waits for its own kernels is as long as they are.",
    .thresholds = phaseThresholds,
    .applies = hasEvents<EventKind::Nvtx>,
    .check = findWaitingPhases,
    .absorbs = phaseAbsorbs,
};

} // namespace warpline::waiting_phases
