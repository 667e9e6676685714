#include "core/stats/managed_pages.h"

#include "core/stats/applies.h"
#include "core/stats/grouping.h"
#include "core/store/attributes.h"
#include "core/store/trace.h"

namespace warpline {

std::map<std::uint64_t, ManagedPage> managedPages(const Trace& trace, const StatsQuery& query)
{
    std::map<std::uint64_t, ManagedPage> pages;
    const MemcpyTable& copies = trace.memcpys();
    forEachEvent(copies, query, [&](EventIndex i) {
        const CopyKind kind = copies.copy(i).kind;
        if (!isMigration(kind))
            return;
        ManagedPage& page = pages[copies.address.empty() ? 0 : copies.address[i]];
        if (kind == CopyKind::UnifiedHtoD)
            page.toDevice += copies.bytes[i];
        else if (kind == CopyKind::UnifiedDtoH)
            page.toHost += copies.bytes[i];
        page.moved += copies.bytes[i];
        page.duration += copies.duration[i];
        ++page.moves;
        if (query.wantEvents)
            page.events.push_back({EventKind::Memcpy, i});
    });
    const PageFaultTable& faults = trace.pageFaults();
    forEachEvent(faults, query, [&](EventIndex i) {
        ManagedPage& page = pages[faults.address[i]];
        // Only faults on a device say on which.
        (faults.trackOf(i).device < 0 ? page.cpuFaults : page.gpuFaults) += faultsIn(trace, i);
        if (query.wantEvents)
            page.events.push_back({EventKind::PageFault, i});
    });
    return pages;
}

} // namespace warpline
