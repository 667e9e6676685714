// Where the time of a run went: every instant belongs to one part. GPU work goes before host activity. Of
// simultaneous GPU work, computing goes first, then page waits, communication and copies.

#include "core/analysis/scope.h"
#include "core/coverage/gpu_times.h"
#include "core/coverage/interval_times.h"
#include "core/coverage/packed_intervals.h"
#include "core/findings/host_calls.h"
#include "core/findings/silent_start.h"
#include "core/overview/host_phases.h"
#include "core/overview/overview.h"
#include "core/store/event_loops.h"
#include "core/store/part_of_recording.h"
#include "core/store/recorder.h"
#include "core/store/unified_memory.h"

#include <algorithm>
#include <array>
#include <utility>

namespace warpline {

namespace {

constexpr std::size_t maxGaps = 100'000; ///< kept of idle time; more are not examined one by one

/// Copies, sets and pages by where they count.
struct Moves {
    std::vector<TimeRange> in;
    std::vector<TimeRange> out;
    std::vector<TimeRange> other;
    std::vector<TimeRange> pages;
};

Moves movesIn(const Trace& trace, TimeRange window, const std::stop_token& stop)
{
    Moves moves;
    const MemcpyTable& copies = trace.memcpys();
    for (const EventIndex i : eventsIn(copies, window, stop)) {
        const CopyAttributes& copy = copies.copy(i);
        std::vector<TimeRange>* list = &moves.other;
        if (isFaultMigration(copy))
            list = &moves.pages;
        else if (comesToGpu(copy.kind))
            list = &moves.in;
        else if (leavesGpu(copy.kind))
            list = &moves.out;
        list->push_back(copies.range(i));
    }
    const EventTable& sets = trace.table(EventKind::Memset);
    for (const EventIndex i : eventsIn(sets, window, stop))
        moves.other.push_back(sets.range(i));
    return moves;
}

/// Divides the time of a window: each instant goes to the first part that claims it.
class Division {
public:
    explicit Division(TimeRange window)
        : m_window(window)
    {
        if (!window.empty())
            m_left = Intervals{window};
    }

    void give(OverviewKind kind, const PackedIntervals& wanted)
    {
        PackedIntervals mine;
        if (wanted.size() == 1) { // millions of ranges inside a single one need no copy
            const TimeRange all = wanted.front();
            mine = m_left.within(all);
            m_left
                = united(m_left.within({m_window.start, all.start}), m_left.within({all.end, m_window.end}));
        } else {
            mine = m_left.size() == 1 ? wanted.within(m_left.front()) : intersection(m_left, wanted);
            if (mine.empty())
                return;
            m_left = packedDifference(m_left, mine);
        }
        PackedIntervals& part = m_parts[static_cast<std::size_t>(kind)];
        part = united(part, mine);
    }
    /// The same of a part of the window, all that is left of which the GPUs idle.
    Division within(TimeRange range) const
    {
        Division inner(range);
        for (std::size_t i = 0; i < overviewKinds; ++i)
            inner.m_parts[i] = m_parts[i].within(range);
        inner.m_parts[static_cast<std::size_t>(OverviewKind::Idle)] = m_left.within(range);
        return inner;
    }

    /// `life` is that of the GPUs; empty: none works.
    std::vector<OverviewPart> parts(TimeRange life) const
    {
        std::vector<OverviewPart> parts;
        for (std::size_t i = 0; i < overviewKinds; ++i) {
            const PackedIntervals& time = m_parts[i];
            if (time.empty())
                continue;
            const auto kind = static_cast<OverviewKind>(i);
            const TimeRange span{time.front().start, time.back().end};
            TimeRange longest;
            for (const TimeRange range : time)
                longest = range.duration() > longest.duration() ? range : longest;
            const bool alone = kind == OverviewKind::BeforeCuda || kind == OverviewKind::CudaStart
                || kind == OverviewKind::HostBefore || kind == OverviewKind::Exit
                || kind == OverviewKind::HostOnly || (kind == OverviewKind::Idle && time.size() <= maxGaps);
            parts.push_back({kind, totalTime(time), time.size(), isPhase(kind) ? span : longest,
                alone ? Intervals(time.begin(), time.end()) : Intervals()});
        }
        if (!life.empty())
            moveProfiler(life, parts);
        return parts;
    }

private:
    /// The bar runs from left to right: the profiler's part goes before the GPU work, next to its gaps or
    /// after it.
    void moveProfiler(TimeRange life, std::vector<OverviewPart>& parts) const
    {
        const auto own = std::ranges::find(parts, OverviewKind::Profiler, &OverviewPart::kind);
        if (own == parts.end())
            return;
        const OverviewPart profiler = *own;
        parts.erase(own);
        const PackedIntervals& time = m_parts[static_cast<std::size_t>(OverviewKind::Profiler)];
        const Ns before = totalTime(time, {m_window.start, life.start});
        const Ns within = totalTime(time, life);
        const bool early = before >= within && before * 2 >= profiler.time;
        auto place = parts.end();
        if (early)
            place = std::ranges::find_if(parts, [&](const OverviewPart& part) {
                return part.kind >= OverviewKind::CopiesIn || part.where.start > profiler.where.start;
            });
        else if (within * 2 >= profiler.time)
            place = std::ranges::find_if(
                parts, [](const OverviewPart& part) { return part.kind > OverviewKind::Idle; });
        parts.insert(place, profiler);
    }

    /// Time that is one phase of the run, however many stretches it has.
    static bool isPhase(OverviewKind kind)
    {
        return kind == OverviewKind::BeforeCuda || kind == OverviewKind::CudaStart
            || kind == OverviewKind::HostBefore || kind == OverviewKind::Queued
            || kind == OverviewKind::Kernels || kind == OverviewKind::Exit || kind == OverviewKind::HostOnly;
    }

    TimeRange m_window;
    PackedIntervals m_left; ///< time without a part
    std::array<PackedIntervals, overviewKinds> m_parts;
};

/// Where the profiler holds a thread that makes CUDA calls; of a program without any its main thread.
Intervals ofProfiler(const Trace& trace, TimeRange window, const std::stop_token& stop)
{
    const auto part = partOf(trace.info); // a cut may have removed all its calls
    if (!trace.apiCalls().empty() || (part && !part->gpuWork.empty()))
        return ofCallingThreads(trace, EventKind::Overhead, window, stop);
    const EventTable& overhead = trace.table(EventKind::Overhead);
    const GlobalId thread = mainThread(trace);
    std::vector<TimeRange> ranges;
    for (const Track& track : overhead.tracks) {
        if (thread == 0 || track.owner != thread || track.device >= 0)
            continue;
        for (const EventIndex i : eventsIn(overhead, track, window, stop)) {
            if (isProfilersOwn(trace.text(overhead.name[i])))
                ranges.push_back(overhead.range(i));
        }
    }
    return unionOf(std::move(ranges), window, stop);
}

/// Gives the time of GPU work to its parts; all GPUs together.
void giveGpuTime(TraceAnalysis& facts, TimeRange window, Division& division)
{
    const Trace& trace = facts.trace();
    const std::stop_token& stop = facts.stop();
    std::vector<PackedIntervals> computing;
    std::vector<PackedIntervals> stalled;
    std::vector<PackedIntervals> communicating;
    const auto ofGpus = facts.gpuTimes(window);
    for (const auto& [gpu, times] : *ofGpus) {
        computing.push_back(times.computing);
        stalled.push_back(times.stalled);
        communicating.push_back(times.communicating);
    }
    Moves moves = movesIn(trace, window, stop);
    division.give(OverviewKind::Kernels, unitedAll(std::move(computing)));
    division.give(OverviewKind::Pages, unitedAll(std::move(stalled)));
    division.give(OverviewKind::Communication, unitedAll(std::move(communicating)));
    division.give(OverviewKind::CopiesIn, unionOf(std::move(moves.in), window, stop));
    division.give(OverviewKind::CopiesOut, unionOf(std::move(moves.out), window, stop));
    division.give(OverviewKind::OtherCopies, unionOf(std::move(moves.other), window, stop));
    // Something waits for pages that move while nothing else happens: they form one part with the stalls.
    division.give(OverviewKind::Pages, unionOf(std::move(moves.pages), window, stop));
}

} // namespace

OverviewParts overviewParts(TraceAnalysis& facts, TimeRange window, TimeRange life, TimeRange measured)
{
    const Trace& trace = facts.trace();
    const std::stop_token& stop = facts.stop();
    const auto part = [](TimeRange range) { return range.empty() ? Intervals() : Intervals{range}; };
    Division division(window);
    const bool works = !life.empty();
    giveGpuTime(facts, window, division);
    division.give(OverviewKind::Profiler, ofProfiler(trace, window, stop));
    OverviewParts parts;
    if (!measured.empty())
        parts.ofMeasured = division.within(measured).parts(measured);
    const TimeRange before{window.start, works ? life.start : window.end};
    const Intervals calls = ofCallingThreads(trace, EventKind::ApiCall, before, stop);
    if (works) {
        division.give(OverviewKind::Idle, part(life));
        division.give(OverviewKind::Exit, part({life.end, window.end}));
    }
    if (const TimeRange queued = queuedStart(trace, life); works && !queued.empty())
        division.give(OverviewKind::Queued, part(queued));
    division.give(OverviewKind::CudaStart, calls);
    if (works)
        division.give(OverviewKind::CudaStart, silentStarts(trace, before, stop));
    if (works && !calls.empty())
        division.give(OverviewKind::BeforeCuda, part({window.start, calls.front().start}));
    division.give(works ? OverviewKind::HostBefore : OverviewKind::HostOnly, part(window));
    parts.all = division.parts(life);
    for (std::vector<OverviewPart>* const list : {&parts.all, &parts.ofMeasured}) {
        for (OverviewPart& each : *list)
            each.api = gpuApiOf(trace);
    }
    return parts;
}

} // namespace warpline
