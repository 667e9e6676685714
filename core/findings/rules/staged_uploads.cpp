// Data that the launching thread puts into pinned memory right before copying it to the GPU, in every step:
// it allocates and fills a buffer, then copies, while the GPU waits.

#include "core/analysis/idle_gaps.h"
#include "core/derive/call_kinds.h"
#include "core/findings/cure_edits.h"
#include "core/findings/evidence.h"
#include "core/findings/host_calls.h"

#include <algorithm>
#include <array>

namespace warpline::staged_uploads {

namespace {

constexpr std::string_view id = "staged_uploads";
constexpr Threshold minSteps{"min_steps", "Minimum share of the steady steps", "%", 80};
constexpr Threshold minBytes{"min_bytes", "Minimum bytes of a copy", "B", 1e6};
constexpr Threshold minShare{"min_share", "Minimum share of the measured time", "%", 2};
constexpr std::array thresholds{minSteps, minBytes, minShare};
constexpr std::array<std::string_view, 6> absorbed{
    "gpu_idle_cause", "cuda_api_sync", "repeated_uploads", "gpu_time_util", "gpu_gaps", "sync_per_iteration"};
constexpr std::size_t minStepCount = 3;

/// A gap that ends with a copy whose pinned buffer was allocated and filled in it.
struct Staging {
    EventRef copy;
    TimeRange gap;
    Ns filling = 0; ///< time of the thread's own code between asking and copying
    TimeRange filled; ///< from asking to copying
};

/// The staging in `gap`; its copy is not valid() where there is none.
Staging stagingIn(const RuleContext& context, const IdleGap& gap)
{
    const Trace& trace = context.trace;
    TraceAnalysis& facts = context.facts;
    if (gap.next.kind != EventKind::Memcpy)
        return {};
    const CopyAttributes& copy = trace.memcpys().copy(gap.next.index);
    if (copy.kind != CopyKind::HtoD || copy.source != MemoryKind::Pinned
        || !context.reaches(id, minBytes, trace.memcpys().bytes[gap.next.index]))
        return {};
    const EventIndex call = facts.callOf(gap.next);
    if (call == noIndex)
        return {};
    const GlobalId thread = facts.threadOf(call);
    const TimeRange before{gap.range.start, std::min(gap.range.end, trace.apiCalls().start[call])};
    Ns asked = -1;
    if (before.empty())
        return {};
    const CallKinds& kinds = facts.callKinds();
    forEachOuterCall(context, thread, before, [&](EventIndex each) {
        const CallKind kind = kinds[each];
        if (kind == CallKind::Launch || kind == CallKind::Copy)
            asked = -1;
        else if (asked < 0 && each != call && asksForPinned(trace, each, kind))
            asked = trace.apiCalls().start[each];
    });
    if (asked < 0)
        return {};
    const TimeRange filled{std::max(asked, before.start), before.end};
    Staging staging{gap.next, gap.range, 0, filled};
    staging.filling = totalTime(facts.host(thread).within(IdleCause::OwnCode, filled))
        + totalTime(facts.host(thread).within(IdleCause::OsCall, filled));
    return staging.filling * 2 >= gap.range.duration() ? staging : Staging{};
}

void findStaging(const RuleContext& context, const GpuFacts& gpu, std::vector<Finding>& findings)
{
    TraceAnalysis& facts = context.facts;
    const Trace& trace = context.trace;
    const StepSeries& steps = facts.steps(gpu.process);
    if (steps.steady() < minStepCount)
        return;
    std::vector<Staging> stagings;
    std::vector<Ns> times;
    const auto gaps = gpu.gaps();
    for (const IdleGap& gap : stoppableItems(gaps, context.stop)) {
        if (gap.range.duration() < shortestCause)
            continue;
        const Staging staging = stagingIn(context, gap);
        if (!staging.copy.valid())
            continue;
        stagings.push_back(staging);
        times.push_back(trace.range(staging.copy).start);
    }
    const StepHits hits = hitsInSteadySteps(steps, times);
    std::vector<EventRef> copies;
    std::vector<TimeRange> idle;
    std::vector<TimeRange> filled;
    std::uint64_t bytes = 0;
    Ns filling = 0;
    for (const Staging& staging : stagings) {
        if (!isInSteadyStep(steps, trace.range(staging.copy).start))
            continue;
        copies.push_back(staging.copy);
        idle.push_back(staging.gap);
        filled.push_back(staging.filled);
        idle.push_back(trace.range(staging.copy)); // which could run ahead as well
        bytes += trace.memcpys().bytes[staging.copy.index];
        filling += staging.filling;
    }
    Finding finding
        = findingOn(context, gpu.process, gpu.device, unionOf(std::move(idle), facts.measuredRange()));
    if (hits.steps < minStepCount || !context.reachesShare(id, minSteps, hits.steps, steps.steady())
        || !context.reachesShare(id, minShare, finding.saving, facts.measured()))
        return;
    finding.title = Message("staged_uploads.title",
        "{gpu} waits {time} for data that the host pins and copies in {hits} of {steps, plural, one {# step} other {# "
        "steps}}",
        {{"gpu", Name{nameOf(trace, gpu)}}, {"time", Duration{finding.saving}}, {"hits", Count{hits.steps}},
            {"steps", Count{steps.steady()}}});
    finding.message = Message("staged_uploads.filling",
        "The thread asks for a pinned buffer, runs its own code for {filling} in all, and copies the buffer to the GPU.",
        {{"filling", Duration{filling}}});
    finding.message += Message("staged_uploads.copies",
        "It copies {bytes} in {copies, plural, one {# copy} other {# copies}} and launches nothing else in that time.",
        {{"bytes", Bytes{bytes}}, {"copies", Count{copies.size()}}});
    if (PackedIntervals host = unionOf(std::move(filled), facts.measuredRange()); !host.empty()) {
        finding.cure.edits.push_back(editOfAll(CureKind::ReadyInput));
        finding.cure.edits.back().times = std::move(host);
    }
    longestToFront(trace, copies);
    setSizedEvidence(finding, trace, copies, "staged_uploads.copy", "{bytes}, pinned just before");
    findings.push_back(std::move(finding));
}

} // namespace

extern constinit const Rule stagedUploads{
    .id = id,
    .title = "Data pinned in the loop",
    .why
    = "The host pins memory and copies data into a pinned buffer at the speed of its memory or less. In the loop, the GPU "
      "waits for that in every step.",
    .remedy
    = "Pin one buffer before the loop and fill it ahead: in another thread, or while the GPU computes the previous "
      "step.",
    .caveat = "A library may pin memory for the program. Then only its settings can change that.",
    .thresholds = thresholds,
    .applies = hasEvents<EventKind::Memcpy, EventKind::ApiCall>,
    .checkGpu = findStaging,
    .absorbs = absorbed,
};

} // namespace warpline::staged_uploads
