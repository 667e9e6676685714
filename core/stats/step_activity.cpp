#include "core/stats/step_activity.h"

#include "core/coverage/packed_intervals.h"
#include "core/derive/communication.h"
#include "core/store/event_loops.h"
#include "core/store/trace.h"

#include <algorithm>

namespace warpline {

namespace {

void addRanges(const Trace& trace, EventKind kind, const std::stop_token& stop,
    std::map<ProcessGpu, std::vector<TimeRange>>& ranges)
{
    const EventTable& table = trace.table(kind);
    for (const Track& track : table.tracks) {
        auto& ofDevice = ranges[{pidOf(track.owner), track.device}];
        for (const EventIndex i : eventsOf(track, stop))
            ofDevice.push_back(table.range(i));
    }
}

} // namespace

std::map<ProcessGpu, StepActivity> stepActivities(const Trace& trace, const std::stop_token& stop)
{
    std::map<ProcessGpu, std::vector<TimeRange>> copies;
    std::map<ProcessGpu, std::vector<TimeRange>> graphs;
    addRanges(trace, EventKind::Memcpy, stop, copies);
    addRanges(trace, EventKind::Memset, stop, copies);
    addRanges(trace, EventKind::GraphTrace, stop, graphs);
    std::map<ProcessGpu, std::vector<TimeRange>> communication;
    std::map<ProcessGpu, std::vector<TimeRange>> compute = std::move(graphs);
    const KernelTable& kernels = trace.kernels();
    const CommunicationKernels communicates(trace);
    for (const Track& track : kernels.tracks) {
        const ProcessGpu key{pidOf(track.owner), track.device};
        std::vector<TimeRange>& computing = compute[key];
        std::vector<TimeRange>& communicating = communication[key];
        for (const EventIndex i : eventsOf(track, stop))
            (communicates[i] ? communicating : computing).push_back(kernels.range(i));
    }
    std::map<ProcessGpu, StepActivity> activity;
    for (const auto* const part : {&copies, &compute, &communication}) {
        for (const auto& [key, ranges] : *part)
            activity.try_emplace(key);
    }
    for (auto& [key, of] : activity) {
        const Intervals computing = unionOf(std::move(compute[key]), trace.session, stop);
        const Intervals communicating = unionOf(std::move(communication[key]), trace.session, stop);
        const Intervals copying = unionOf(std::move(copies[key]), trace.session, stop);
        of.busy = Coverage(united(united(computing, communicating), copying));
        of.copy = Coverage(copying);
        of.communication = Coverage(communicating);
        of.exposed = Coverage(difference(communicating, computing));
    }
    return activity;
}

std::vector<Ns> timesIn(const Coverage& covered, const std::vector<TimeRange>& windows)
{
    std::vector<Ns> times(windows.size(), 0);
    if (covered.empty())
        return times;
    std::vector<Ns> bounds;
    bounds.reserve(windows.size() * 2);
    for (const TimeRange& window : windows) {
        bounds.push_back(window.start);
        bounds.push_back(window.end);
    }
    // Steps of one thread are mostly consecutive: then all are looked up in one pass.
    if (!std::ranges::is_sorted(bounds)) {
        for (std::size_t i = 0; i < windows.size(); ++i)
            times[i] = covered.busy(windows[i]);
        return times;
    }
    std::vector<Ns> before;
    covered.busyBefore(bounds, before);
    for (std::size_t i = 0; i < windows.size(); ++i)
        times[i] = before[2 * i + 1] - before[2 * i];
    return times;
}

} // namespace warpline
