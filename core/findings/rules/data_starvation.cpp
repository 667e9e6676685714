// A GPU that waits for input in every step: gaps inside NVTX ranges that load data, step after step. Without
// such ranges the end of the gaps decides: repeated copies to the device are probably the next batch.

#include "core/analysis/idle_gaps.h"
#include "core/base/median.h"
#include "core/base/share.h"
#include "core/base/stop.h"
#include "core/base/utf8.h"
#include "core/derive/tracks_of.h"
#include "core/findings/cure_edits.h"
#include "core/findings/evidence.h"
#include "core/findings/host_story.h"
#include "core/findings/sampled_functions.h"
#include "core/replay/data_loading.h"
#include "core/store/gpu_names.h"
#include "core/store/largest_named.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace warpline::data_starvation {

namespace {

constexpr std::string_view id = "data_starvation";
constexpr Threshold minShare{"min_share", "Minimum share of the steps' time", "%", 1};
constexpr Threshold minSteps{"min_steps", "Minimum share of the steps that wait", "%", 10};
constexpr Threshold unmarkedGap{"unmarked_gap_ns", "Minimum gap without NVTX", "ns", 2e6};
constexpr Threshold unmarkedShare{"unmarked_share", "Minimum share of the time without NVTX", "%", 10};
constexpr std::array thresholds{minShare, minSteps, unmarkedGap, unmarkedShare};
// The wait before loading has the cost of loading.
constexpr std::array<std::string_view, 6> absorbed{
    "gpu_idle_cause", "gpu_gaps", "gpu_time_util", "nvtx_outlier_steps", "gap_functions", "cuda_api_sync"};
constexpr std::size_t minStepCount = 3;
constexpr std::size_t minUnmarked = 8;

struct Starvation {
    std::vector<TimeRange> waits;
    std::vector<Ns> perStep;
    std::map<StringId, Ns> inRange; ///< by the name of the loading NVTX range
    Ns total = 0;
};

/// The outermost NVTX range of `thread` around `time` whose name marks loading of data; empty: none.
StringId loadingRangeAt(const Trace& trace, GlobalId thread, Ns time)
{
    const NvtxTable& nvtx = trace.nvtx();
    for (const Track& track : TracksOf(trace, EventKind::Nvtx, thread)) {
        for (const Lane& lane : nvtx.lanesOf(track)) {
            const EventIndex i = nvtx.firstEndingAfter(lane, time);
            if (i < lane.first + lane.count && nvtx.start[i] <= time
                && isDataLoading(trace.text(nvtx.name[i])))
                return nvtx.name[i];
        }
    }
    return {};
}

/// The time in gaps that the launching thread spent loading data, by steady step.
Starvation measure(const RuleContext& context, const GpuFacts& gpu, const StepSeries& steps)
{
    TraceAnalysis& facts = context.facts;
    Starvation found;
    found.perStep.assign(steps.steady(), 0);
    const auto gaps = gpu.gaps();
    for (const IdleGap& gap : stoppableItems(gaps, context.stop)) {
        if (gap.range.duration() < shortestCause)
            continue;
        const EventIndex call = facts.callOf(gap.next);
        if (call == noIndex)
            continue;
        const TimeRange host = causeOf(context.trace, facts, gap).host;
        const GlobalId thread = facts.threadOf(call);
        for (const TimeRange& wait : facts.host(thread).within(IdleCause::DataLoading, host)) {
            // Warm-up loads, too, but once.
            const std::size_t step = steps.at(wait.start);
            if (step == steps.size() || step < steps.firstSteady)
                continue;
            found.perStep[step - steps.firstSteady] += wait.duration();
            found.total += wait.duration();
            found.waits.push_back(wait);
            found.inRange[loadingRangeAt(context.trace, thread, wait.start)] += wait.duration();
        }
    }
    return found;
}

/// The range in which most of the waiting lies; empty: it has no name.
std::string mostlyIn(const Trace& trace, const Starvation& found)
{
    const auto most = largestNamed(trace, found.inRange, [](Ns time) { return time; });
    return most == found.inRange.end() ? std::string() : toUtf8(trace.text(most->first));
}

/// The processes of PyTorch's loader, and how much of the time the busiest thread of each was on a CPU.
struct Workers {
    std::set<GlobalId> processes;
    Ns running = 0; ///< of all processes together
    Ns known = 0; ///< time covered by thread states
};

Workers workersIn(const RuleContext& context, TimeRange range)
{
    const Trace& trace = context.trace;
    Workers workers;
    std::set<GlobalId> threads;
    for (const Thread& thread : trace.threads) {
        if (!trace.text(thread.name).starts_with("pt_data_worker"))
            continue;
        workers.processes.insert(processOf(thread.id));
        threads.insert(thread.id);
    }
    const EventTable& states = trace.table(EventKind::ThreadState);
    std::map<GlobalId, std::pair<Ns, Ns>> busiest; // running, known
    for (const Track& track : states.tracks) {
        if (!threads.contains(track.owner) || track.laneCount == 0)
            continue;
        std::pair<Ns, Ns> times;
        const auto [first, last] = states.touching(states.lanes[track.firstLane], range);
        for (const EventIndex i : stoppable(first, last, context.stop)) {
            const Ns time = states.range(i).clippedTo(range).duration();
            times.first += trace.text(states.name[i]) == "Running" ? time : 0;
            times.second += time;
        }
        std::pair<Ns, Ns>& most = busiest[processOf(track.owner)];
        most = std::max(most, times);
    }
    for (const auto& [process, times] : busiest) {
        workers.running += times.first;
        workers.known += times.second;
    }
    return workers;
}

/// How many loaders are enough. A batch takes `loading` of work; k concurrent loaders bring one every loading
/// / k, and a step with `other` work takes max(other, loading / k): loading / other loaders hide all of it.
void tellLoaders(Ns loading, Ns other, Finding& finding)
{
    const Ns loaders = (loading + other - 1) / other;
    if (loaders <= 1)
        return;
    finding.message += Message("data_starvation.loaders",
        "Loading takes {loading} and the rest of a step {other}: about {loaders} loaders at once (threads or processes) hide "
        "all loading.",
        {{"loading", Duration{loading}}, {"other", Duration{other}},
            {"loaders", Count{static_cast<std::uint64_t>(loaders)}}});
    std::vector<Message> fewer;
    for (const Ns some : {4, 8}) {
        if (some < loaders)
            fewer.push_back(Message("data_starvation.fewer", "{loaders} loaders make a step of {time}",
                {{"loaders", Count{static_cast<std::uint64_t>(some)}},
                    {"time", Duration{std::max(other, loading / some)}}}));
    }
    if (!fewer.empty())
        finding.message += Message("data_starvation.fewer_loaders",
            "Fewer loaders help, too, if the host has the cores: {steps}, instead of {now}.",
            {{"steps", std::move(fewer)}, {"now", Duration{loading + other}}});
}

/// Where workers already load, more of them is no remedy: reports how far they are behind, and whether they
/// compute or wait.
void tellWorkers(
    const RuleContext& context, TimeRange steady, Ns waiting, std::size_t steps, Finding& finding)
{
    constexpr double computes
        = 0.3; ///< of the time: a worker that is on a CPU for less waits most of the time
    const Workers workers = workersIn(context, steady);
    if (steps == 0)
        return;
    if (workers.processes.empty()) {
        tellLoaders(waiting / static_cast<Ns>(steps),
            std::max<Ns>(1, (steady.duration() - waiting) / static_cast<Ns>(steps)), finding);
        return;
    }
    const Ns time = steady.duration();
    finding.message += Message("data_starvation.workers",
        "{workers, plural, one {# worker process loads} other {# worker processes load}} already: a batch comes every "
        "{batch}, but a step needs one every {needed}.",
        {{"workers", Count{workers.processes.size()}}, {"batch", Duration{time / static_cast<Ns>(steps)}},
            {"needed", Duration{std::max<Ns>(0, time - waiting) / static_cast<Ns>(steps)}}});
    finding.topic = "data_starvation.workers";
    if (workers.known > 0 && shareOf(workers.running, workers.known) < computes) {
        finding.message += Message("data_starvation.workers_wait",
            "They are on a CPU for {share} of that time: they wait and do not compute.",
            {{"share", Share{shareOf(workers.running, workers.known)}}});
        finding.remedy
            = Message("data_starvation.what_for",
                  "Find what the workers wait for: storage, a network, a lock, a sleep (system calls and call stacks of "
                  "their threads).")
            + Message("data_starvation.more_workers",
                "More workers and more prefetching (num_workers, prefetch_factor) let their waits overlap; more CPU cores do "
                "not help.")
            + Message("data_starvation.local", "Data on a local disk or in memory needs no waits.");
        return;
    }
    finding.remedy = Message("data_starvation.more_cores",
                         "Give the workers more CPU cores, or use more workers where cores are free.")
        + Message("data_starvation.cheaper_batch",
            "Or make a batch cheaper: transform on the GPU (NVIDIA DALI, torchvision v2 on CUDA tensors), or store the data "
            "ready to use.");
}

void findMarked(const RuleContext& context, const GpuFacts& gpu, std::vector<Finding>& findings)
{
    const StepSeries& steps = context.facts.steps(gpu.process);
    if (steps.steady() < minStepCount)
        return;
    Starvation found = measure(context, gpu, steps);
    const TimeRange steady{steps.ranges[steps.firstSteady].start, steps.span().end};
    const Ns notable = std::max<Ns>(steps.median / 10, shortestCause);
    const auto waiting = static_cast<std::size_t>(
        std::ranges::count_if(found.perStep, [&](Ns wait) { return wait >= notable; }));
    const double share = static_cast<double>(found.total) / static_cast<double>(steady.duration());
    if (waiting < minStepCount || share * 100 < context.threshold(id, minShare)
        || !context.reachesShare(id, minSteps, waiting, steps.steady()))
        return;
    Finding finding = findingOn(context, gpu.process, gpu.device, found.total);
    finding.confidence = Confidence::Certain;
    const Ns each = found.total / static_cast<Ns>(steps.steady());
    const std::string range = mostlyIn(context.trace, found);
    if (!range.empty())
        finding.subject = {Subject::Kind::Range, withoutNumbers(range)};
    finding.title = Message("data_starvation.title",
        "{gpu} waits for input{place, select, none {} other { in {range}}} in {waiting} of {steps, plural, one {# step} "
        "other {# steps}}: {time} in all (up to {longest})",
        {{"gpu", Name{nameOf(context.trace, gpu)}}, {"place", Name{range.empty() ? "none" : "range"}},
            {"range", Name{range}}, {"waiting", Count{waiting}}, {"steps", Count{steps.steady()}},
            {"time", Duration{found.total}},
            {"longest", Duration{*std::ranges::max_element(found.perStep)}}});
    finding.message = Message("data_starvation.steps",
        "In {waiting} of {steps} steady steps ({pattern}), the GPU is idle while the launching thread loads data.",
        {{"waiting", Count{waiting}}, {"steps", Count{steps.steady()}}, {"pattern", Name{steps.pattern}}});
    finding.message += Message("data_starvation.time",
        "That takes {time}, {share} of the steps (median {step} on the host): {each} per step on average, {median} at the median.",
        {{"time", Duration{found.total}}, {"share", Share{share}}, {"each", Duration{each}},
            {"median", Duration{middleOf(found.perStep)}}, {"step", Duration{steps.median}}});
    // Where few steps wait for long, the loader delivers several batches at once.
    if (waiting * 3 < steps.steady() * 2 && waiting > 0)
        finding.message += Message("data_starvation.one_in", "About one step in {steps} waits.",
            {{"steps", Count{(steps.steady() + waiting / 2) / waiting}}});
    tellWorkers(context, steady, found.total, steps.steady(), finding);
    const Intervals waits = unionOf(found.waits, context.window, context.stop);
    finding.claims = waits;
    finding.cure.edits.push_back(editOfAll(CureKind::ReadyInput));
    finding.message += osCallsText(context.trace, steps.thread, waits);
    // Samples of the CPU are of the time on one alone, which may be little of a wait.
    const SampleCounts sampled = samplesIn(context.trace, steps.thread, waits, context.stop);
    if (sampled.ofPython)
        finding.message += sampleText(sampled);
    std::erase_if(found.waits, [&](TimeRange wait) { return wait.duration() < notable; });
    setStretches(finding, found.waits, [&](TimeRange wait) {
        const std::size_t step = steps.at(wait.start);
        return Message("data_starvation.wait", "{step}: the GPU waits {time} for data",
            {{"step", Name{std::string(context.trace.name(steps.events[step]))}},
                {"time", Duration{wait.duration()}}});
    });
    findings.push_back(std::move(finding));
}

/// From the shortest to the longest.
std::vector<Ns> lengthsOf(const std::vector<TimeRange>& waits)
{
    std::vector<Ns> lengths;
    for (const TimeRange& wait : waits)
        lengths.push_back(wait.duration());
    std::ranges::sort(lengths);
    return lengths;
}

/// True when the middle half of `waits` differ by more than twice: no rounds of a loop, which do the same.
bool areUneven(const std::vector<TimeRange>& waits)
{
    const std::vector<Ns> lengths = lengthsOf(waits);
    return lengths[lengths.size() * 3 / 4] > 2 * lengths[lengths.size() / 4];
}

/// Why it costs time that the host works alone.
Message hostAloneText()
{
    return Message("data_starvation.host_alone", "While the host works alone, the GPU is idle.")
        + Message("data_starvation.faster_gpu", "A faster GPU would change nothing.");
}

/// How many gaps the host leaves while it makes no calls.
Message gapsText(const RuleContext& context, std::size_t gaps, Ns total)
{
    return Message("data_starvation.gaps",
               "{gaps} gaps of {shortest} or longer, {time} in all, end with a copy to the device.",
               {{"gaps", Count{gaps}},
                   {"shortest", Duration{static_cast<Ns>(context.threshold(id, unmarkedGap))}},
                   {"time", Duration{total}}})
        + Message("data_starvation.no_calls", "In most of them the launching thread makes no {api} call.",
            {{"api", Name{std::string(gpuApiName(context.trace))}}});
}

/// Words for waits that are no rounds of one loop.
void describeUneven(
    const RuleContext& context, const GpuFacts& gpu, Finding& finding, const std::vector<TimeRange>& waits)
{
    std::vector<Ns> lengths = lengthsOf(waits);
    const Ns longest = lengths.back();
    finding.title = Message("data_starvation.uneven_title",
        "{gpu} waits {times, plural, one {# time} other {# times}} for the host before a copy to it: {time} in all, up to "
        "{longest}",
        {{"gpu", Name{nameOf(context.trace, gpu)}}, {"times", Count{waits.size()}},
            {"time", Duration{finding.saving}}, {"longest", Duration{longest}}});
    finding.message = gapsText(context, waits.size(), finding.saving);
    finding.message += Message("data_starvation.uneven",
        "Their lengths differ (median {median}, longest {longest}), so this is not a loop that repeats the same work.",
        {{"median", Duration{middleOf(std::move(lengths))}}, {"longest", Duration{longest}}});
    finding.why = hostAloneText();
    finding.remedy
        = Message("data_starvation.one_ahead",
              "If the host computes what it copies next, run that one piece ahead, in another thread, or on the GPU.")
        + Message("data_starvation.other_processes",
            "If it waits for other processes (messages, files), add NVTX ranges, CPU samples or --trace=mpi to see it.");
    finding.topic = "data_starvation.host";
}

/// The texts for `count` gaps of `finding.saving` in all that copies to the device end.
void describeUnmarked(const RuleContext& context, const GpuFacts& gpu, Finding& finding, std::size_t count)
{
    const Ns total = finding.saving;
    const Ns each = total / static_cast<Ns>(count);
    // Without a known loader the host's activity is unknown: it may compute from the last results.
    if (context.facts.program().loader) {
        finding.title = Message("data_starvation.repeated_title", "{gpu} repeatedly waits for input: {time}",
            {{"gpu", Name{nameOf(context.trace, gpu)}}, {"time", Duration{total}}});
        finding.message = gapsText(context, count, total);
        finding.message += Message("data_starvation.probably_prepares",
            "It probably prepares the next input: NVTX ranges around the steps and the loading would prove it.");
    } else {
        finding.title = Message("data_starvation.rounds_title",
            "{gpu} waits for the host between iterations: {each} each time, {time} in all",
            {{"gpu", Name{nameOf(context.trace, gpu)}}, {"each", Duration{each}}, {"time", Duration{total}}});
        finding.message = gapsText(context, count, total);
        finding.message += Message("data_starvation.works_alone",
            "Between the iterations it works alone, {each} each time.", {{"each", Duration{each}}});
        finding.why = hostAloneText();
        finding.remedy
            = Message("data_starvation.compute_on_gpu",
                  "If the host computes from the results, do that on the GPU (another kernel), and copy back only what you "
                  "print or store.")
            + Message("data_starvation.next_input",
                "If it prepares the next input, do so in another thread, one iteration ahead.")
            + Message("data_starvation.which", "NVTX ranges or CPU samples show which of the two it is.");
        finding.topic = "data_starvation.host";
    }
}

/// Without NVTX ranges: long gaps that end with a copy to the device, in numbers that a loop would have.
void findUnmarked(const RuleContext& context, const GpuFacts& gpu, std::vector<Finding>& findings)
{
    TraceAnalysis& facts = context.facts;
    const Ns shortest = static_cast<Ns>(context.threshold(id, unmarkedGap));
    std::vector<TimeRange> waits;
    Ns total = 0;
    std::size_t others = 0;
    const auto gaps = gpu.gaps();
    for (const IdleGap& gap : stoppableItems(gaps, context.stop)) {
        if (gap.range.duration() < shortest)
            continue;
        const bool input = gap.next.kind == EventKind::Memcpy
            && context.trace.memcpys().copy(gap.next.index).kind == CopyKind::HtoD;
        const GapCause cause = causeOf(context.trace, facts, gap);
        if (!input || !cause.known
            || (cause.main != IdleCause::OwnCode && cause.main != IdleCause::OsCall
                && cause.main != IdleCause::OffCpu)) {
            ++others;
            continue;
        }
        // Uploads with no kernel since the last one are a program that loads, not its rounds.
        if (!waits.empty() && clipped(gpu.compute, {waits.back().end, gap.range.start}).empty()) {
            ++others;
            continue;
        }
        waits.push_back(gap.range);
        total += gap.range.duration();
    }
    const double share = shareOf(total, facts.measured());
    if (waits.size() < minUnmarked || waits.size() < 3 * others
        || share * 100 < context.threshold(id, unmarkedShare))
        return;
    Finding finding = findingOn(context, gpu.process, gpu.device, total);
    finding.confidence = Confidence::Possible;
    if (!facts.program().loader && areUneven(waits))
        describeUneven(context, gpu, finding, waits);
    else
        describeUnmarked(context, gpu, finding, waits.size());
    finding.claims = unionOf(waits, context.window, context.stop);
    finding.cure.edits.push_back(editOfAll(CureKind::ReadyInput));
    finding.cure.edits.back().times = finding.claims;
    setStretches(finding, waits, "data_starvation.idle", "idle for {time}");
    findings.push_back(std::move(finding));
}

void findStarvation(const RuleContext& context, const GpuFacts& gpu, std::vector<Finding>& findings)
{
    TraceAnalysis& facts = context.facts;
    const std::size_t before = findings.size();
    findMarked(context, gpu, findings);
    if (findings.size() == before && facts.steps(gpu.process).empty())
        findUnmarked(context, gpu, findings);
}

} // namespace

extern constinit const Rule dataStarvation{
    .id = id,
    .title = "The GPU waits for data",
    .why
    = "The launching thread prepares input, or a loader is too slow. The steps that wait for it leave the GPU idle, "
      "and a faster GPU would change nothing.",
    .remedy
    = "Load in the background and ahead: more workers, prefetching, pinned memory with asynchronous copies. Or use "
      "a cheaper transform, a transform on the GPU, or data that is prepared once and stored.",
    .caveat
    = "Based on range names, or else on copies that end the gaps. Such a range may do more than load data.",
    .thresholds = thresholds,
    .applies
    = [](const Trace& trace,
          const std::stop_token&) { return trace.kernels().size() > 1 && !trace.apiCalls().empty(); },
    .checkGpu = findStarvation,
    .absorbs = absorbed,
};

} // namespace warpline::data_starvation
