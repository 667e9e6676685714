// Host activity before the first and after the last GPU work: not part of the measured time, but often most
// of a short run, such as reading or generating input and writing results.

#include "core/analysis/scope.h"
#include "core/base/share.h"
#include "core/coverage/packed_intervals.h"
#include "core/findings/evidence.h"
#include "core/findings/host_calls.h"
#include "core/findings/host_story.h"
#include "core/findings/silent_start.h"
#include "core/store/gpu_names.h"

#include <algorithm>
#include <array>

namespace warpline::host_outside {

namespace {

constexpr std::string_view id = "host_outside";
constexpr Threshold minShare{"min_share", "Minimum share of the recording", "%", 10};
constexpr std::array thresholds{minShare};

/// The thread that launches the first work of the report, or, `last`, the last; 0: not known.
GlobalId launchingThread(const RuleContext& context, bool last)
{
    GlobalId thread = 0;
    Ns best = 0;
    for (const GpuFacts& gpu : context.facts.gpus()) {
        if (gpu.work.empty())
            continue;
        const std::uint32_t work = last ? gpu.work.back() : gpu.work.front();
        const EventIndex call = context.facts.callOf(work);
        const Ns start = context.trace.range(Links::unpack(work)).start;
        if (call == noIndex || (thread != 0 && (last ? start < best : start > best)))
            continue;
        thread = context.facts.threadOf(call);
        best = start;
    }
    if (const auto threads = callingThreads(context.trace); thread == 0 && !threads.empty())
        thread = threads.front();
    return thread;
}

bool hasSteps(TraceAnalysis& facts)
{
    return std::ranges::any_of(
        facts.gpus(), [&](const GpuFacts& gpu) { return !facts.steps(gpu.process).empty(); });
}

/// The time on one side of the GPU work in which the host works alone.
struct Side {
    Intervals alone;
    bool before = false;
    bool toMeasured = false; ///< up to the time that is measured: copies before it are loading
};

/// Title, message and, where specific, the remedy for the time before the first GPU work.
void describeBefore(const RuleContext& context, const Side& side, GlobalId thread, Finding& finding)
{
    const Ns time = totalTime(side.alone);
    const Share share{shareOf(time, context.window.duration())};
    const Name kind{side.toMeasured ? "measured" : "gpu"};
    const Message begin
        = side.toMeasured ? scopeOf(context.trace, context.window, context.facts).begin : Message();
    finding.message = Message("host_outside.before_message",
        "Before {kind, select, gpu {the first GPU work} other {{begin}}}, no GPU works and the program is in no {api} "
        "call for {time}.",
        {{"kind", kind}, {"begin", begin}, {"api", Name{std::string(gpuApiName(context.trace))}},
            {"time", Duration{time}}});
    const Ns waits = totalTime(waitsOfProcess(context.trace, thread, side.alone, context.stop));
    if (waits * 2 <= time) {
        finding.title = Message("host_outside.before",
            "The host works alone for {time} ({share} of the recording) before {kind, select, gpu {the first GPU work} "
            "other {{begin}}}",
            {{"time", Duration{time}}, {"share", share}, {"kind", kind}, {"begin", begin}});
        return;
    }
    finding.title = Message("host_outside.before_waiting",
        "The host waits and no GPU works for {time} ({share} of the recording) before {kind, select, gpu {the first GPU "
        "work} other {{begin}}}",
        {{"time", Duration{time}}, {"share", share}, {"kind", kind}, {"begin", begin}});
    finding.message += Message("host_outside.no_thread",
        "No thread of the program is on a CPU for {time} of that: it waits.", {{"time", Duration{waits}}});
    finding.remedy
        = Message("host_outside.see_waits",
              "See the rows of thread states and system calls for what it waits for: files on a slow disk, "
              "other programs, sleeps.")
        + Message("host_outside.no_threads", "More threads do not help.")
        + Message("host_outside.leave_out", "If it is one-time setup, exclude it from your timing.");
}

/// The same of the time after the last GPU work.
void describeAfter(const RuleContext& context, const Side& side, GlobalId thread, Finding& finding)
{
    const Ns time = totalTime(side.alone);
    const Share share{shareOf(time, context.window.duration())};
    const Ending end = ending(context.trace, thread, side.alone, context.stop);
    const bool isEnd = end.time * 4 > time * 3;
    finding.title = !isEnd
        ? Message("host_outside.after",
            "The host works alone for {time} ({share} of the recording) after the last GPU work",
            {{"time", Duration{time}}, {"share", share}})
        : Message("host_outside.end",
            "The process takes {time} ({share} of the recording) to end after the last GPU work",
            {{"time", Duration{time}}, {"share", share}});
    finding.message = Message("host_outside.after_message",
        "The program runs for {time} after the last GPU work.", {{"time", Duration{time}}});
    finding.message += end.text;
    if (isEnd)
        finding.remedy = Message("host_outside.done",
                             "The program's work is done by then: exclude that time from your timing.")
            + Message("host_outside.release", "A process with less memory, in fewer pieces, ends sooner.");
}

/// Whether host-only time is mostly MPI calls, by the names in its story.
bool isInMpi(const RuleContext& context, GlobalId thread, const Intervals& alone)
{
    TimeByName calls;
    addCommunication(context.trace, thread, alone, calls, context.stop);
    return shareOf(sumOf(calls), totalTime(alone)) >= minHostShare
        && std::ranges::any_of(
            calls, [&](const auto& call) { return context.trace.text(call.first).starts_with("MPI_"); });
}

void addSide(const RuleContext& context, const Side& side, std::vector<Finding>& findings)
{
    const Ns time = totalTime(side.alone);
    if (time <= 0 || shareOf(time, context.window.duration()) * 100 < context.threshold(id, minShare))
        return;
    Finding finding;
    finding.once = time;
    // Where there are steps it is the start of a long run; an interpreter begins with imports.
    const bool steps = hasSteps(context.facts);
    finding.severity = steps ? Severity::Info : Severity::Low;
    finding.confidence = steps || (side.before && context.facts.program().python) ? Confidence::Possible
                                                                                  : Confidence::Likely;
    finding.subject = {Subject::Kind::Part, side.before ? "before" : "after"};
    finding.claims = side.alone;
    const GlobalId thread = launchingThread(context, !side.before);
    (side.before ? describeBefore : describeAfter)(context, side, thread, finding);
    if (const Message story = hostStory(context.trace, thread, side.alone, context.stop).text;
        !story.empty()) {
        finding.message += story;
        if (isInMpi(context, thread, side.alone))
            finding.remedy
                = Message("host_outside.mpi",
                      "MPI_Init and MPI_Finalize are a one-time cost: exclude them from your timing.")
                + Message("host_outside.mpi_calls",
                    "For other MPI calls, see which rank is last and what it does.");
    }
    setStretches(finding, side.alone, "host_outside.alone", "the host alone for {time}");
    findings.push_back(std::move(finding));
}

std::vector<Finding> findOutside(const RuleContext& context)
{
    std::vector<Finding> findings;
    const TimeRange window = context.window;
    const TimeRange life = lifeOfGpus(context.trace).clippedTo(window);
    if (life.empty())
        return findings;
    const Intervals profiler = ofCallingThreads(context.trace, EventKind::Overhead, window, context.stop);
    const TimeRange measured = context.facts.measuredRange();
    const bool toMeasured = !hasSteps(context.facts) && measured.start > life.start;
    const TimeRange before{window.start, toMeasured ? measured.start : life.start};
    if (!before.empty()) {
        Intervals other
            = united(profiler, ofCallingThreads(context.trace, EventKind::ApiCall, before, context.stop));
        for (const GpuFacts& gpu : context.facts.gpus())
            other = united(other, clipped(gpu.busy, before)); // the whole may be millions of ranges
        other = united(other, silentStarts(context.trace, before, context.stop)); // see start_up
        if (const TimeRange queued = queuedStart(context.trace, life); !queued.empty())
            other = united(other, {queued}); // the GPU is late, not the host
        addSide(context, {gaps(clipped(other, before), before), true, toMeasured}, findings);
    }
    const TimeRange after{life.end, window.end};
    if (!after.empty())
        addSide(context, {gaps(clipped(profiler, after), after), false, false}, findings);
    return findings;
}

} // namespace

extern constinit const Rule hostOutside{
    .id = id,
    .title = "The host works alone before and after the GPU work",
    .why
    = "A GPU speeds up only its own work. Reading, generating and writing data on the host often takes most of a "
      "short run, however fast the kernels are.",
    .remedy
    = "If it is one-time setup, exclude it from your timing. Otherwise, speed it up: move it to the GPU "
      "(random numbers: cuRAND; sums and sorts: CUB, Thrust), use more host threads, read and write binary "
      "data in large pieces, or prepare the next piece while the GPU computes.",
    .caveat = "A recording that ends early, or has few steps, makes setup look long.",
    .thresholds = thresholds,
    .applies = [](const Trace& trace, const std::stop_token&) { return !lifeOfGpus(trace).empty(); },
    .check = findOutside,
};

} // namespace warpline::host_outside
