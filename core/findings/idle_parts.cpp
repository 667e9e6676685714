#include "core/findings/idle_parts.h"

#include "core/analysis/time_by_name.h"
#include "core/base/stop.h"
#include "core/base/utf8.h"
#include "core/derive/tracks_of.h"
#include "core/findings/host_story.h"
#include "core/findings/recording_advice.h"
#include "core/findings/rule.h"
#include "core/findings/sampled_functions.h"
#include "core/store/event_loops.h"
#include "core/store/largest_named.h"

#include <algorithm>
#include <set>

namespace warpline {

namespace {

constexpr std::array restless{IdleCause::OwnCode, IdleCause::OsCall, IdleCause::OffCpu};
constexpr std::size_t minRanges = 3;
using TimesByThread = std::map<GlobalId, Intervals>;

/// The time of the three causes together.
TimesByThread timesOf(const RuleContext& context, std::span<const IdleParts> causes)
{
    std::map<GlobalId, std::vector<TimeRange>> all;
    for (const IdleCause doing : restless) {
        for (const auto& [thread, parts] : causes[indexOf(doing)].parts)
            all[thread].insert(all[thread].end(), parts.begin(), parts.end());
    }
    TimesByThread times;
    for (auto& [thread, parts] : all)
        times[thread] = unionOf(std::move(parts), context.window, context.stop);
    return times;
}

/// The names of one pattern that hold most of `times`, where that is at least half; without a pattern: none.
NamedLength longestOf(const RuleContext& context, const std::string& step, const TimesByThread& times)
{
    TimeByName ranges;
    Ns all = 0;
    for (const auto& [thread, time] : times) {
        addOwnRanges(context.trace, thread, time, ranges, context.stop);
        all += totalTime(time);
    }
    std::erase_if(ranges, [&](const auto& each) {
        const std::string_view text = context.trace.text(each.first);
        return stepRankOf(text) == StepRank::OneTime || stepRankOf(text) == StepRank::Container
            || withoutNumbers(text) == step;
    });
    const std::vector<NamedLength> longest = longestNamed(context.trace, ranges, 1);
    return !longest.empty() && longest.front().time * 2 >= all ? longest.front() : NamedLength();
}

/// The time of the ranges of `thread` whose name matches.
template <typename Matches>
Intervals rangesWith(const RuleContext& context, GlobalId thread, OncePerName<Matches>& matches)
{
    const NvtxTable& nvtx = context.trace.nvtx();
    std::vector<TimeRange> ranges;
    for (const Track& track : TracksOf(context.trace, EventKind::Nvtx, thread)) {
        for (const EventIndex i : eventsOf(track, context.stop)) {
            if (nvtx.duration[i] > 0 && matches(nvtx.name[i]))
                ranges.push_back(nvtx.range(i));
        }
    }
    return unionOf(std::move(ranges), context.window, context.stop);
}

/// How many steady steps have some of `times`; without steps how many of the ranges.
std::size_t placesOf(const StepSeries& steps, const TimesByThread& times)
{
    std::set<std::size_t> hit;
    std::size_t pieces = 0;
    for (const auto& [thread, time] : times) {
        for (const TimeRange& range : time) {
            ++pieces;
            const std::size_t step = steps.empty() ? 0 : steps.at(range.start);
            if (!steps.empty() && step < steps.size() && step >= steps.firstSteady)
                hit.insert(step);
        }
    }
    return steps.empty() ? pieces : hit.size();
}

/// The time of `cause` in `inside` (or outside of it), by gap.
IdleParts partOf(
    const RuleContext& context, const IdleParts& cause, const TimesByThread& inside, bool outside)
{
    IdleParts part;
    TimesByThread kept;
    for (const auto& [thread, ranges] : cause.parts) {
        const Intervals all = unionOf(ranges, context.window, context.stop);
        const auto place = inside.find(thread);
        const Intervals other = place == inside.end() ? Intervals{} : place->second;
        kept[thread] = outside ? difference(all, other) : intersection(all, other);
        if (!kept[thread].empty())
            part.parts[thread] = kept[thread];
    }
    for (const PartOfGap& gap : stoppableItems(cause.gaps, context.stop)) {
        Ns time = 0;
        for (const auto& [thread, ranges] : kept)
            time += totalTime(ranges, gap.gap);
        if (time > 0)
            part.add(gap.gap, time);
    }
    part.whole = std::max(cause.whole, cause.total);
    part.leads = cause.leads && part.total * 2 >= part.whole;
    return part;
}

/// The call of the operating system that takes most of `parts`.
std::string longestOsCall(const RuleContext& context, const IdleParts& parts)
{
    const EventTable& calls = context.trace.table(EventKind::OsRuntime);
    std::map<StringId, Ns> sums;
    for (const Track& track : calls.tracks) {
        const auto ofThread = parts.parts.find(track.owner);
        if (ofThread == parts.parts.end())
            continue;
        const Intervals time = unionOf(ofThread->second, context.window, context.stop);
        for (const EventIndex i : eventsOf(track, context.stop))
            sums[calls.name[i]] += totalTime(time, calls.range(i));
    }
    const auto most = largestNamed(context.trace, sums, [](Ns time) { return time; });
    return most != sums.end() && most->second > 0 ? std::string(context.trace.text(most->first))
                                                  : std::string();
}

/// The operators that hold most of `parts`; empty: they hold less than half.
std::vector<Message> operatorsOf(const RuleContext& context, const IdleParts& parts)
{
    TimeByName sums;
    Ns all = 0;
    for (const auto& [thread, ranges] : parts.parts) {
        const Intervals time = unionOf(ranges, context.window, context.stop);
        for (const auto& [name, length] : operatorTimes(context.trace, thread, time, context.stop)) {
            sums[name] += length;
            all += length;
        }
    }
    return all * 2 >= parts.total && all > 0 ? longestTimes(context.trace, sums, 2) : std::vector<Message>();
}

/// Joins the gaps of `other` into `all`: the same gap may have parts of both.
void join(IdleParts& all, const IdleParts& other)
{
    std::map<Ns, PartOfGap> gaps; // by start
    for (const IdleParts* const each : std::array<const IdleParts*, 2>{&all, &other}) {
        for (const PartOfGap& gap : each->gaps) {
            PartOfGap& one = gaps[gap.gap.start];
            one.gap = gap.gap;
            one.part += gap.part;
        }
    }
    IdleParts joined;
    joined.parts = std::move(all.parts);
    for (const auto& [thread, ranges] : other.parts)
        joined.parts[thread].insert(joined.parts[thread].end(), ranges.begin(), ranges.end());
    for (const auto& [start, gap] : gaps)
        joined.add(gap.gap, gap.part);
    all = std::move(joined);
}

} // namespace

void IdleParts::add(TimeRange gap, Ns part)
{
    gaps.push_back({gap, part});
    total += part;
    ++count;
    for (Ns& most : longest) {
        if (part > most)
            std::swap(part, most);
    }
}

IdleRange takeIdleRange(
    const RuleContext& context, const GpuFacts& gpu, Ns least, std::span<IdleParts> causes)
{
    IdleRange found;
    const StepSeries& steps = context.facts.steps(gpu.process);
    TimesByThread times = timesOf(context, causes);
    const NamedLength longest = longestOf(context, steps.pattern, times);
    if (longest.pattern.empty())
        return found;
    OncePerName hasPattern(
        [&](StringId name) { return withoutNumbers(toUtf8(context.trace.text(name))) == longest.pattern; });
    Ns total = 0;
    for (auto& [thread, time] : times) {
        time = intersection(time, rangesWith(context, thread, hasPattern));
        total += totalTime(time);
    }
    found.steps = placesOf(steps, times);
    if (total < least || found.steps < minRanges || (!steps.empty() && found.steps * 2 < steps.steady()))
        return found;
    found.pattern = longest.pattern;
    found.name = longest.name;
    for (const auto& [doing, sum] : {std::pair(IdleCause::OwnCode, &IdleRange::ownCode),
             std::pair(IdleCause::OsCall, &IdleRange::osCalls),
             std::pair(IdleCause::OffCpu, &IdleRange::offCpu)}) {
        IdleParts& cause = causes[indexOf(doing)];
        const IdleParts inside = partOf(context, cause, times, false);
        found.*sum = inside.total;
        if (doing == IdleCause::OsCall)
            found.osCall = longestOsCall(context, inside);
        if (doing == IdleCause::OwnCode)
            found.operators = operatorsOf(context, inside);
        join(found.idle, inside);
        cause = partOf(context, cause, times, true);
    }
    found.idle.leads = true;
    return found;
}

Intervals timeOf(const RuleContext& context, const IdleParts& idle)
{
    std::vector<TimeRange> parts;
    for (const auto& [thread, each] : idle.parts)
        parts.insert(parts.end(), each.begin(), each.end());
    return unionOf(std::move(parts), context.window, context.stop);
}

void tellSamples(const RuleContext& context, const IdleParts& idle, Finding& finding)
{
    Message said;
    std::size_t most = 0;
    for (const auto& [thread, each] : idle.parts) {
        const SampleCounts counts
            = samplesIn(context.trace, thread, unionOf(each, context.window, context.stop), context.stop);
        if (counts.all <= most)
            continue;
        most = counts.all;
        said = sampleText(counts);
    }
    if (said.empty())
        return;
    finding.message += said;
    finding.remedy
        = Message("gpu_idle_cause.speed_up_functions",
              "Make these functions faster, move them to other threads or to the GPU, or run them one iteration ahead.")
        + Message("gpu_idle_cause.flame_graph", "The flame graph of this range shows who calls them.");
}

std::vector<Message> doingsIn(const IdleRange& range)
{
    std::vector<Message> doings;
    // Operators are PyTorch's, as the title shows.
    if (range.ownCode > 0)
        doings.push_back(Message("gpu_idle_cause.own_code",
            "{kind, select, operator {is inside the operator} operators {is inside operators (most in {operators})} other "
            "{runs the program's own code}} for {time}",
            {{"kind",
                 Name{isFrameworkOperator(range.pattern) ? "operator"
                         : range.operators.empty()       ? "own"
                                                         : "operators"}},
                {"operators", range.operators}, {"time", Duration{range.ownCode}}}));
    if (range.osCalls > 0)
        doings.push_back(Message("gpu_idle_cause.os_calls",
            "is in system calls{named, select, yes {, most in {call},} other {}} for {time}",
            {{"named", Name{range.osCall.empty() ? "no" : "yes"}}, {"call", Name{range.osCall}},
                {"time", Duration{range.osCalls}}}));
    if (range.offCpu > 0)
        doings.push_back(
            Message("gpu_idle_cause.off_cpu", "is on no CPU for {time}", {{"time", Duration{range.offCpu}}}));
    return doings;
}

Message idleRemedyFor(IdleCause doing, const ProgramKind& program, bool namesFunctions)
{
    const RecordingAdvice& advice = recordingAdvice(program.recorder);
    switch (doing) {
    case IdleCause::OtherRanks:
        return Message("idle_remedy.last_rank",
                   "See which rank comes last: it waits little itself, and its own finding says what it does in that time.")
            + Message("idle_remedy.balance",
                "Balance the work, and let kernels run while messages travel (MPI_Isend, MPI_Irecv and MPI_Iallreduce before "
                "the kernel, MPI_Wait after it).")
            + Message("idle_remedy.messages",
                "Send fewer and larger messages, and pass device pointers to a CUDA-aware MPI.");
    case IdleCause::DataLoading:
        return {"idle_remedy.load_ahead",
            "Load the next input while this one computes: in other threads, ahead, from pinned memory. Or keep the data on "
            "the GPU."};
    case IdleCause::CodeLoading:
        return Message("idle_remedy.load_before",
                   "Load modules before the measured part: run each kernel once as a warm-up, or set "
                   "CUDA_MODULE_LOADING=EAGER.")
            + Message("idle_remedy.architecture",
                "Ship code for this GPU's architecture, so that nothing is compiled.");
    case IdleCause::Allocation:
        return {"idle_remedy.allocate_before",
            "Allocate before the loop and reuse the memory, or allocate from a pool (cudaMallocAsync)."};
    case IdleCause::HostWait:
        return {"idle_remedy.no_waits",
            "Remove waits that only order GPU work (use cudaStreamWaitEvent), read results one step late, and let the host "
            "run ahead."};
    case IdleCause::CopyCall:
        return {"idle_remedy.copy_ahead",
            "Copy from pinned memory with cudaMemcpyAsync in a separate stream, one iteration ahead."};
    case IdleCause::Launch:
    case IdleCause::OtherCall:
        return Message("idle_remedy.api_row", "Look at the CUDA API row below the gaps.")
            + Message("idle_remedy.long_call",
                "A call that takes long there waits for a driver lock, for memory, or for room in the launch queue.");
    case IdleCause::OsCall:
        return Message("idle_remedy.os_row",
                   "Look at the OS runtime row below the gaps: locks, sleeps, file reads and waits for other processes.")
            + Message(
                "idle_remedy.move_os", "Move that work to other threads, or start it one step earlier.");
    case IdleCause::HostPages:
        return Message("idle_remedy.prefetch",
                   "Move the pages before the host needs them: call cudaMemPrefetchAsync(p, bytes, cudaCpuDeviceId, stream) and "
                   "wait before the loop that reads them.")
            + Message("idle_remedy.keep_pages",
                "Or compute in a kernel what the host reads, so that the memory stays on the GPU.");
    case IdleCause::Queued:
        return Message(
                   "idle_remedy.launched", "The host has done its part: look at the other rows of this GPU.")
            + Message("idle_remedy.launched_causes",
                "The work may wait for another stream, another process or the display, or the GPU raises its clocks after a "
                "rest.")
            + Message("idle_remedy.mps",
                "Processes that share a GPU, such as MPI ranks, take turns; with MPS (nvidia-cuda-mps-control -d) their "
                "kernels run side by side.");
    case IdleCause::OffCpu:
        return Message("idle_remedy.off_cpu",
                   "The thread computes nothing: it waits for another thread or process, a device, a file or a timer.")
            + Message(advice.osCalls)
            + Message("idle_remedy.paced",
                "Where something outside sets the pace (a camera, requests), there is nothing to fix.");
    default:
        break;
    }
    return (namesFunctions
                   ? Message(
                       "idle_remedy.see_functions", "See the functions of Python in the thread's rows there.")
                   : Message("idle_remedy.what", "Find what the thread computes there ({how}).",
                       {{"how", Message(program.python ? advice.hostCodeOfPython : advice.hostCode)}}))
        + (program.python
                ? Message("idle_remedy.move_step",
                    "Move it off the launching thread, or prepare it one step ahead.")
                : Message("idle_remedy.move_iteration",
                    "Move it off the launching thread or to the GPU, or prepare it one iteration ahead."));
}

std::string_view idleTopicFor(IdleCause doing)
{
    switch (doing) {
    case IdleCause::DataLoading:
        return "gpu_idle_cause.data";
    case IdleCause::Allocation:
        return "gpu_idle_cause.allocation";
    case IdleCause::HostWait:
        return "gpu_idle_cause.wait";
    case IdleCause::CopyCall:
        return "gpu_idle_cause.copy";
    default:
        return {};
    }
}

} // namespace warpline
