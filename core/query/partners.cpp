#include "core/query/partners.h"

#include "core/derive/backward_passes.h"
#include "core/derive/memory_lifetimes.h"
#include "core/derive/nvtx_projection.h"
#include "core/derive/stream_waits.h"
#include "core/store/trace.h"

namespace warpline {

namespace {

void addWaits(const Trace& trace, EventRef event, std::vector<Partner>& partners)
{
    if (!trace.links || !runsOnDevice(event.kind))
        return;
    const EventRef wait{EventKind::Synchronization, event.index};
    const EventRef record{EventKind::CudaEvent, event.index};
    const auto waits = streamWaitsOf(trace);
    for (const StreamWait& each : *waits) {
        if (event == wait && each.wait == event.index)
            partners.push_back({{EventKind::CudaEvent, each.record}, false, true});
        if (event == record && each.record == event.index)
            partners.push_back({{EventKind::Synchronization, each.wait}, true, true});
        if (each.held.empty() || !isGpuWork(event.kind))
            continue;
        if (each.consumer == event)
            partners.push_back({each.producer, false, true});
        if (each.producer == event)
            partners.push_back({each.consumer, true, true});
    }
}

/// An operator and its backward pass.
void addPasses(const Trace& trace, EventIndex range, std::vector<Partner>& partners)
{
    const BackwardPass pass = backwardPassOf(trace, range);
    if (pass.forward == noIndex)
        return;
    if (pass.forward != range) {
        partners.push_back({{EventKind::Nvtx, pass.forward}});
        return;
    }
    for (const EventIndex backward : pass.backward)
        partners.push_back({{EventKind::Nvtx, backward}, true});
}

/// The release of memory that `event` allocates, or its allocation.
void addLifetime(const Trace& trace, EventIndex event, std::vector<Partner>& partners)
{
    const MemoryLifetime lifetime = lifetimeOf(trace, event);
    if (lifetime.allocation == event && lifetime.release != noIndex)
        partners.push_back({{EventKind::GpuMemory, lifetime.release}, true});
    else if (lifetime.release == event)
        partners.push_back({{EventKind::GpuMemory, lifetime.allocation}});
}

} // namespace

std::vector<Partner> partnersOf(const Trace& trace, EventRef event)
{
    std::vector<Partner> partners;
    if (const EventRef call = trace.apiCallOf(event); call.valid())
        partners.push_back({call});
    for (const EventRef work : trace.workOf(event))
        partners.push_back({work, true});
    if (isDerived(event.kind))
        partners.push_back({madeFrom(trace, event)});
    addWaits(trace, event, partners);
    if (event.kind == EventKind::Nvtx) {
        for (const EventRef shown : projectionsOf(trace, event.index))
            partners.push_back({shown, true});
        addPasses(trace, event.index, partners);
    }
    if (event.kind == EventKind::GpuMemory)
        addLifetime(trace, event.index, partners);
    return partners;
}

} // namespace warpline
