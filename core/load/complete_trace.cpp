#include "core/load/complete_trace.h"

#include "core/base/parallel.h"
#include "core/base/secrets.h"
#include "core/base/stop.h"
#include "core/derive/core_occupancy.h"
#include "core/derive/gpu_counters.h"
#include "core/derive/links.h"
#include "core/derive/nvtx_projection.h"
#include "core/import/import_log.h"
#include "core/store/event_loops.h"
#include "core/store/part_of_recording.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>

namespace warpline {

namespace {

void addProcessesOfEvents(Trace& trace)
{
    for (const EventKind kind : allEventKinds()) {
        for (const Track& track : trace.table(kind).tracks) {
            const GlobalId id = processOf(track.owner);
            const auto place = std::ranges::lower_bound(trace.processes, id, {}, &Process::id);
            if (id != 0 && (place == trace.processes.end() || place->id != id))
                trace.processes.insert(place, {id, pidOf(id), {}});
        }
    }
}

/// For each device kind.
using WorkBeforeLaunch = std::array<std::uint64_t, deviceKindCount>;

std::string_view sourceOf(const Trace& trace, const EventTable& table)
{
    return table.tracks.empty() ? std::string_view{} : trace.text(table.tracks.front().source);
}

/// How many events of a kind that GPUs ran begin before the call that launched them.
std::uint64_t countBeforeLaunch(const Trace& trace, EventKind kind, const std::stop_token& stop)
{
    const std::vector<EventIndex>& apiOf = trace.links->apiOf[indexOf(kind)];
    const EventTable& table = trace.table(kind);
    const std::vector<Ns>& calls = trace.apiCalls().start;
    std::uint64_t count = 0;
    for (const EventIndex i : everyEvent(table, stop)) {
        if (apiOf[i] != noIndex && table.start[i] < calls[apiOf[i]])
            ++count;
    }
    return count;
}

/// Logs how many events did not fit into a table, had impossible durations, began before their launch or have
/// the correlation id of another launch.
void addLimits(Trace& trace, const WorkBeforeLaunch& beforeLaunch)
{
    ImportLog log;
    log.add(sourceOf(trace, trace.apiCalls()), ProblemKind::CorrelationIdShared, trace.links->sharedIds);
    for (std::size_t kind = 0; kind < deviceKindCount; ++kind)
        log.add(sourceOf(trace, trace.table(static_cast<EventKind>(kind))), ProblemKind::WorkBeforeLaunch,
            beforeLaunch[kind]);
    for (const EventKind kind : allEventKinds()) {
        if (isDerived(kind))
            continue;
        const EventTable& table = trace.table(kind);
        const std::string_view source = sourceOf(trace, table);
        log.add(source, ProblemKind::EventsTooMany, table.leftOut);
        log.add(source, ProblemKind::DurationsTooLong, table.shortened);
        log.add(source, ProblemKind::BytesTooMany, table.withoutBytes);
    }
    std::ranges::copy(log.problems(), std::back_inserter(trace.info.problems));
}

} // namespace

std::shared_ptr<const Trace> completeTrace(
    TraceBuilder& trace, const std::string& path, const std::stop_token& stop)
{
    throwIfStopped(stop);
    auto links = linkWork(*trace.snapshot(), stop);
    throwIfStopped(stop);
    trace.edit([&](Trace& made) { made.links = std::move(links); });
    // Counters begin with the part, not with its first event.
    const auto part = partOf(trace.snapshot()->info);
    if (part)
        trace.extendSession(part->kept);
    const std::shared_ptr<const Trace> linked = trace.snapshot();
    std::vector<CounterSeries> counters;
    std::shared_ptr<const EventTable> projected;
    WorkBeforeLaunch beforeLaunch{};
    handOut(threadsFor(linked->eventCount()), 2 + deviceKindCount, [&](std::size_t i) {
        if (i == 0)
            counters = gpuCounters(*linked, trace.pool(), stop);
        else if (i == 1)
            projected = projectNvtx(*linked, stop);
        else
            beforeLaunch[i - 2] = countBeforeLaunch(*linked, static_cast<EventKind>(i - 2), stop);
    });
    trace.edit([&](Trace& made) { std::ranges::move(counters, std::back_inserter(made.counters)); });
    trace.setTable(std::move(projected));
    trace.setTable(coreOccupancy(*trace.snapshot(), trace.pool(), stop));
    trace.edit([&](Trace& made) {
        made.info.path = path;
        for (Device& device : made.devices) {
            device.name = withoutCredentials(device.name).value_or(device.name);
            device.chip = withoutCredentials(device.chip).value_or(device.chip);
        }
        addLimits(made, beforeLaunch);
        addProcessesOfEvents(made);
        // Events that reach over the ends of a part are there whole, and make it no longer.
        if (part)
            made.session = part->kept;
        made.complete = true;
    });
    return trace.snapshot();
}

} // namespace warpline
