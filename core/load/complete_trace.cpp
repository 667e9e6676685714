#include "core/load/complete_trace.h"

#include "core/derive/core_occupancy.h"
#include "core/derive/links.h"
#include "core/derive/nvtx_projection.h"

#include <algorithm>

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

} // namespace

std::shared_ptr<const Trace> completeTrace(TraceBuilder& trace, const std::string& path)
{
    auto links = linkWork(*trace.snapshot());
    trace.edit([&](Trace& made) { made.links = std::move(links); });
    trace.setTable(projectNvtx(*trace.snapshot()));
    trace.setTable(coreOccupancy(*trace.snapshot(), trace.pool()));
    trace.edit([&](Trace& made) {
        made.info.path = path;
        addProcessesOfEvents(made);
        made.complete = true;
    });
    return trace.snapshot();
}

} // namespace warpline
