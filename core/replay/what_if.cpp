#include "core/replay/what_if.h"

#include "core/base/near_names.h"
#include "core/base/share.h"
#include "core/base/stop.h"
#include "core/derive/tracks_of.h"
#include "core/replay/replay_run.h"
#include "core/store/trace.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

namespace warpline {

namespace {

/// From the first call that launched GPU work in `window` to the end of the last work, by process.
std::map<GlobalId, TimeRange> workingTimes(const Trace& trace, TimeRange window)
{
    std::map<GlobalId, TimeRange> times;
    for (const EventKind kind : gpuWorkKinds) {
        const EventTable& table = trace.table(kind);
        for (const Track& track : table.tracks) {
            for (const Lane& lane : table.lanesOf(track)) {
                const auto [first, last] = table.touching(lane, window);
                if (first == last)
                    continue;
                const EventRef call = trace.apiCallOf({kind, first});
                const Ns start = call.valid() ? trace.range(call).start : table.start[first];
                const TimeRange range{start, table.end(last - 1) + 1};
                const auto [place, added] = times.try_emplace(track.owner, range);
                if (!added)
                    place->second = place->second.unitedWith(range);
            }
        }
    }
    return times;
}

/// The share of a GPU's work in `window` that lies in its steps. O(n) in the work. Throws Stopped when `stop`
/// is requested.
double workShareOf(const Trace& trace, const GpuSteps& steps, TimeRange window, const std::stop_token& stop)
{
    const TimeRange span = steps.gpu.span();
    Ns all = 0;
    Ns inside = 0;
    for (const EventKind kind : gpuWorkKinds) {
        const EventTable& table = trace.table(kind);
        for (const Track& track : TracksOf(trace, kind, steps.process)) {
            if (track.device != steps.device)
                continue;
            for (const Lane& lane : table.lanesOf(track)) {
                const auto [first, last] = table.touching(lane, window);
                for (const EventIndex i : stoppable(first, last, stop)) {
                    all += table.duration[i];
                    inside += table.range(i).clippedTo(span).duration();
                }
            }
        }
    }
    return shareOf(inside, all);
}

} // namespace

bool mayReplay(const Trace& trace)
{
    constexpr EventIndex enough = 10'000;
    return std::ranges::any_of(gpuWorkKinds, [&](EventKind kind) {
        const EventIndex looked = std::min<EventIndex>(enough, trace.table(kind).size());
        for (EventIndex i = 0; i < looked; ++i) {
            if (trace.apiCallOf({kind, i}).valid())
                return true;
        }
        return false;
    });
}

std::vector<WhatIfTarget> whatIfTargets(const Trace& trace, const std::vector<GpuSteps>& steps,
    TimeRange window, const ReplayLimits& limits, const std::stop_token& stop)
{
    std::vector<WhatIfTarget> targets;
    std::set<GlobalId> withSteps;
    for (const GpuSteps& each : steps) {
        const bool isGuess = each.foundBy != StepSource::Nvtx && limits.minWorkShare > 0;
        if (each.gpu.steady() == 0
            || (isGuess && workShareOf(trace, each, window, stop) < limits.minWorkShare))
            continue;
        withSteps.insert(each.process);
        if (auto replay = Replay::ofSteps(trace, each, limits, stop)) {
            // The GPU work of the first steady step may be late: uses the distance of the others.
            const TimeRange first
                = each.host.ranges[std::min(each.host.firstSteady, each.indexes[each.gpu.firstSteady])];
            const TimeRange last = each.host.ranges[each.lastIndex];
            targets.push_back({std::move(*replay), each.host.pattern, each.foundBy, each.host.thread,
                each.gpu.steady(), {first.start, std::max(last.end, each.last.end)}});
        }
    }
    std::ranges::stable_sort(targets, std::greater{}, [](const WhatIfTarget& target) {
        return target.replay.graph().steps * target.replay.graph().works.size();
    });
    for (const auto& [process, range] : workingTimes(trace, window)) {
        if (withSteps.contains(process))
            continue;
        // Where its work was launched earlier, the GPU does not wait for its begin.
        const bool fromStart = limits.fromStart && window.start < range.start;
        const TimeRange replayed{fromStart ? window.start : range.start, range.end};
        if (auto replay = Replay::ofRange(trace, process, replayed, fromStart, limits, stop)) {
            const TimeRange work = timeOfWork(replay->graph());
            targets.push_back({std::move(*replay), {}, StepSource::Nvtx, 0, 0, work});
        }
    }
    return targets;
}

std::vector<WhatIfTarget> whatIfTargets(const Trace& trace, TimeRange window, const std::string& glob,
    const ReplayLimits& limits, const std::stop_token& stop)
{
    return whatIfTargets(trace, *keptGpuSteps(trace, window, glob, stop), window, limits, stop);
}

std::vector<std::string> kernelsNear(const Trace& trace, const ReplayGraph& graph, std::string_view glob)
{
    constexpr std::size_t maxOffered = 3;
    std::map<std::string, Ns> times; // by name as it is shown
    for (const ReplayWork& work : graph.works) {
        if (work.event.kind == EventKind::Kernel)
            times[std::string(trace.displayName(work.event))] += work.length;
    }
    std::vector<std::string> names;
    for (const auto& [name, time] : times)
        names.push_back(name);
    std::string letters(glob);
    std::erase_if(letters, [](char letter) { return letter == '*' || letter == '?'; });
    std::vector<std::string> near = nearNames(letters, names, maxOffered);
    if (near.empty()) {
        std::ranges::stable_sort(names, std::greater{}, [&](const std::string& name) { return times[name]; });
        names.resize(std::min(names.size(), maxOffered));
        near = std::move(names);
    }
    return near;
}

} // namespace warpline
