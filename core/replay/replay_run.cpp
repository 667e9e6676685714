#include "core/replay/replay_run.h"

#include <algorithm>
#include <optional>

namespace warpline {

namespace {

/// Replayed times stay within this: a long time that many events get adds up, and differences have to fit.
constexpr Ns farthest = 8 * timeLimit;

/// `by` is a sum of recorded times, at most about maxTotalDuration: the sum fits.
Ns laterBy(Ns time, Ns by)
{
    return std::clamp(time + by, -farthest, farthest);
}

Ns beginOf(const ReplayGraph& graph, const ReplayTimes& times, const ReplayCall& call)
{
    if (call.turn != noNode) {
        const Ns own = call.previous != noNode ? times.calls[call.previous].end : graph.begin;
        return std::max(own, laterBy(times.calls[call.turn].end, call.turnGap));
    }
    return laterBy(call.previous != noNode ? times.calls[call.previous].end : graph.begin, call.gap);
}

Ns returnOf(const ReplayGraph& graph, const ReplayTimes& times, const ReplayCall& call, Ns begin)
{
    Ns end = laterBy(begin, call.length);
    if (call.removed)
        return end;
    for (std::uint32_t i = 0; i < call.awaitedCount; ++i)
        end = std::max(end, laterBy(times.works[graph.awaited[call.firstAwaited + i]].end, call.tail));
    if (call.room != noNode)
        end = std::max(end, laterBy(times.works[call.room].start, call.tail));
    return end;
}

TimeRange runOf(const ReplayGraph& graph, const ReplayTimes& times, const ReplayWork& work)
{
    const Ns free = work.previous != noNode ? times.works[work.previous].end : graph.begin;
    if (work.removed)
        return {free, free};
    Ns start = work.call != noNode ? laterBy(times.calls[work.call].start, work.latency) : work.ran.start;
    if (work.previous != noNode)
        start = std::max(start, laterBy(free, work.gap));
    if (work.producer != noNode)
        start = std::max(start, laterBy(times.works[work.producer].end, work.producerGap));
    return {start, laterBy(start, work.length)};
}

} // namespace

ReplayTimes recordedTimes(const ReplayGraph& graph)
{
    ReplayTimes times;
    for (const ReplayCall& call : graph.calls)
        times.calls.push_back(call.made);
    for (const ReplayWork& work : graph.works)
        times.works.push_back(work.ran);
    return times;
}

ReplayTimes runReplay(const ReplayGraph& graph)
{
    ReplayTimes times = recordedTimes(graph);
    for (const ReplayEvent& event : graph.order) {
        switch (event.kind) {
        case ReplayEvent::Kind::CallBegins:
            times.calls[event.node].start = beginOf(graph, times, graph.calls[event.node]);
            break;
        case ReplayEvent::Kind::WorkRuns:
            times.works[event.node] = runOf(graph, times, graph.works[event.node]);
            break;
        case ReplayEvent::Kind::CallReturns: {
            TimeRange& made = times.calls[event.node];
            made.end = returnOf(graph, times, graph.calls[event.node], made.start);
            break;
        }
        }
    }
    return times;
}

TimeRange timeOfWork(const ReplayGraph& graph)
{
    TimeRange all;
    for (const ReplayWork& work : graph.works) {
        if (work.call != noNode)
            all = all.empty() ? work.ran : all.unitedWith(work.ran);
    }
    if (!all.empty() && graph.fromStart)
        all.start = graph.begin;
    return all;
}

TimeRange wholeOf(const ReplayGraph& graph, const ReplayTimes& times)
{
    std::optional<TimeRange> whole;
    for (std::size_t i = 0; i < graph.works.size(); ++i) {
        if (graph.works[i].call == noNode || graph.works[i].removed)
            continue;
        // Work launched earlier begins earlier: host time before it does not count.
        whole = whole ? whole->unitedWith(times.works[i]) : times.works[i];
    }
    if (whole && graph.fromStart)
        whole->start = graph.begin;
    return whole.value_or(TimeRange{});
}

std::vector<Ns> stepLengths(const ReplayGraph& graph, const ReplayTimes& times)
{
    if (graph.isWhole)
        return {wholeOf(graph, times).duration()};
    std::vector<std::uint32_t> marks(graph.steps + 1, noNode); // works
    std::vector<std::uint32_t> calls(graph.steps + 1, noNode);
    for (std::uint32_t i = 0; i < graph.works.size(); ++i) {
        const ReplayWork& work = graph.works[i];
        const bool counts = work.call != noNode && !work.removed && !work.moved && work.step <= graph.steps
            && work.isOfDevice;
        if (counts && marks[work.step] == noNode)
            marks[work.step] = i;
    }
    bool hasAll = true;
    for (const std::uint32_t mark : marks)
        hasAll &= mark != noNode;
    for (std::uint32_t i = 0; i < graph.calls.size() && !hasAll; ++i) {
        if (graph.calls[i].step <= graph.steps && calls[graph.calls[i].step] == noNode)
            calls[graph.calls[i].step] = i;
    }
    std::vector<Ns> begins;
    for (std::size_t step = 0; step <= graph.steps; ++step) {
        // If a step has no work left on the GPU, all are measured on the host.
        if (hasAll)
            begins.push_back(times.works[marks[step]].start);
        else if (calls[step] != noNode)
            begins.push_back(times.calls[calls[step]].start);
    }
    std::vector<Ns> lengths;
    for (std::size_t i = 1; i < begins.size(); ++i)
        lengths.push_back(std::max<Ns>(begins[i] - begins[i - 1], 0));
    return lengths;
}

} // namespace warpline
