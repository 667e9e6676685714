#include "core/load/complete_trace.h"

#include "core/base/parallel.h"
#include "core/base/stop.h"
#include "core/derive/core_occupancy.h"
#include "core/derive/gpu_counters.h"
#include "core/derive/links.h"
#include "core/derive/nvtx_projection.h"
#include "core/import/import_log.h"
#include "core/store/part_of_recording.h"

#include <algorithm>
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

/// Logs how many events did not fit into a table, and how many had impossible durations.
void addLimits(Trace& trace)
{
    ImportLog log;
    for (const EventKind kind : allEventKinds()) {
        if (isDerived(kind))
            continue;
        const EventTable& table = trace.table(kind);
        const std::string_view source
            = table.tracks.empty() ? std::string_view{} : trace.text(table.tracks.front().source);
        log.add(source, ProblemKind::EventsTooMany, table.leftOut);
        log.add(source, ProblemKind::DurationsTooLong, table.shortened);
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
    const std::shared_ptr<const Trace> linked = trace.snapshot();
    std::vector<CounterSeries> counters;
    std::shared_ptr<const EventTable> projected;
    handOut(threadsFor(linked->eventCount()), 2, [&](std::size_t i) {
        if (i == 0)
            counters = gpuCounters(*linked, trace.pool(), stop);
        else
            projected = projectNvtx(*linked, stop);
    });
    trace.edit([&](Trace& made) { std::ranges::move(counters, std::back_inserter(made.counters)); });
    trace.setTable(std::move(projected));
    trace.setTable(coreOccupancy(*trace.snapshot(), trace.pool(), stop));
    trace.edit([&](Trace& made) {
        made.info.path = path;
        addLimits(made);
        addProcessesOfEvents(made);
        // Events that reach over the ends of a part are there whole, and make it no longer.
        if (const auto part = partOf(made.info))
            made.session = part->kept;
        made.complete = true;
    });
    return trace.snapshot();
}

} // namespace warpline
