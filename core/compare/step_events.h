#pragma once

#include "core/base/stop.h"
#include "core/compare/side_measure.h"
#include "core/store/trace.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <stop_token>
#include <utility>
#include <vector>

namespace warpline {

/// The host range of step `step` of `gpu`: up to the beginning of the next one, so that code between ranges
/// counts for the step before.
inline TimeRange hostSpan(const ComparedGpu& gpu, std::size_t step)
{
    const TimeRange own = gpu.steps[step].host;
    return step + 1 < gpu.steps.size()
        ? TimeRange{own.start, std::max(own.start, gpu.steps[step + 1].host.start)}
        : own;
}

/// The compared steps of `gpu` in order of time: their ranges, and their indexes in ComparedGpu::steps.
inline std::vector<std::pair<TimeRange, std::uint32_t>> judgedSpans(const ComparedGpu& gpu, bool onHost)
{
    std::vector<std::pair<TimeRange, std::uint32_t>> spans;
    for (std::uint32_t step = 0; step < gpu.steps.size(); ++step) {
        if (gpu.steps[step].judged)
            spans.emplace_back(onHost ? hostSpan(gpu, step) : gpu.steps[step].gpu, step);
    }
    return spans;
}

/// Calls visit(event, step, time) for the events of `lane` in `spans`, which are in order: steps have those
/// that start in one, with their whole time. Of the unit Whole, which a range may cut, those that touch a
/// span count with their time inside, like the budget.
template <typename Visit>
void forEachInSpans(const EventTable& table, const Lane& lane, CompareUnit unit,
    const std::vector<std::pair<TimeRange, std::uint32_t>>& spans, const std::stop_token& stop, Visit&& visit)
{
    if (spans.empty())
        return;
    if (unit == CompareUnit::Whole) {
        for (const auto& [span, step] : spans) {
            const auto [first, last] = table.touching(lane, span);
            for (const EventIndex i : stoppable(first, last, stop))
                visit(i, step, table.range(i).clippedTo(span).duration());
        }
        return;
    }
    std::size_t at = 0;
    const EventIndex last = lane.first + lane.count;
    for (const EventIndex i : stoppable(table.firstStartingAt(lane, spans.front().first.start), last, stop)) {
        while (at < spans.size() && spans[at].first.end <= table.start[i])
            ++at;
        if (at == spans.size())
            break;
        if (table.start[i] >= spans[at].first.start)
            visit(i, spans[at].second, table.duration[i]);
    }
}

/// Calls visit(EventIndex, step, time) for the events of `kind` in `spans`, on the tracks of the process of
/// `gpu` that `isAsked(track)` selects. See forEachInSpans().
template <typename IsAsked, typename Visit>
void forEachOfProcess(const SideMeasure& measure, const ComparedGpu& gpu, EventKind kind,
    const std::vector<std::pair<TimeRange, std::uint32_t>>& spans, const std::stop_token& stop,
    IsAsked&& isAsked, Visit&& visit)
{
    const EventTable& table = measure.reports[gpu.report].trace->table(kind);
    for (const Track& track : table.tracks) {
        if (processOf(track.owner) != processOf(gpu.process) || !isAsked(track))
            continue;
        for (const Lane& lane : table.lanesOf(track))
            forEachInSpans(table, lane, measure.unit, spans, stop, visit);
    }
}

/// Calls visit(EventIndex, step, time) for the work of `kind` on `gpu` in its compared steps.
template <typename Visit>
void forEachOnGpu(const SideMeasure& measure, const ComparedGpu& gpu, EventKind kind,
    const std::stop_token& stop, Visit&& visit)
{
    const auto isOnGpu = [&](const Track& track) { return track.device == gpu.device; };
    forEachOfProcess(measure, gpu, kind, judgedSpans(gpu, false), stop, isOnGpu, visit);
}

/// The first GPU of each process of a side: represents the process on the host.
inline std::vector<const ComparedGpu*> hostsOf(const SideMeasure& measure)
{
    std::vector<const ComparedGpu*> hosts;
    std::set<std::pair<std::uint32_t, GlobalId>> seen;
    for (const ComparedGpu& gpu : measure.side.gpus) {
        if (seen.emplace(gpu.report, gpu.process).second)
            hosts.push_back(&gpu);
    }
    return hosts;
}

/// Calls visit(EventIndex, step, time) for the events of `kind` on the threads of the process of `gpu` during
/// its compared steps on the host.
template <typename Visit>
void forEachOnHost(const SideMeasure& measure, const ComparedGpu& gpu, EventKind kind,
    const std::stop_token& stop, Visit&& visit)
{
    const auto isAny = [](const Track&) { return true; };
    forEachOfProcess(measure, gpu, kind, judgedSpans(gpu, true), stop, isAny, visit);
}

} // namespace warpline
