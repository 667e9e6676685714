// Unified memory by virtual address: what moved between host and devices there, and how often it was missed.
// Copies are those that CUDA made by itself (kinds "Unified ..."); throughput is their bytes over their
// durations. Rows are in the order of the addresses.

#include "core/base/format.h"
#include "core/stats/grouping.h"
#include "core/stats/stats_table.h"
#include "core/store/trace.h"

#include <algorithm>
#include <map>

namespace warpline {

namespace {

struct Page {
    std::uint64_t toDevice = 0; ///< bytes
    std::uint64_t toHost = 0;
    std::int64_t cpuFaults = 0;
    std::int64_t gpuFaults = 0;
    std::uint64_t moved = 0; ///< bytes, between devices too
    Ns duration = 0;
    std::vector<EventRef> events;
};

using Pages = std::map<std::uint64_t, Page>;

bool isUnified(CopyKind kind)
{
    return kind == CopyKind::UnifiedHtoD || kind == CopyKind::UnifiedDtoH || kind == CopyKind::UnifiedDtoD;
}

void addCopies(const Trace& trace, const StatsQuery& query, Pages& pages)
{
    const MemcpyTable& copies = trace.memcpys();
    forEachEvent(copies, query, [&](EventIndex i) {
        const CopyKind kind = copies.copy(i).kind;
        if (!isUnified(kind))
            return;
        Page& page = pages[copies.address.empty() ? 0 : copies.address[i]];
        if (kind == CopyKind::UnifiedHtoD)
            page.toDevice += copies.bytes[i];
        else if (kind == CopyKind::UnifiedDtoH)
            page.toHost += copies.bytes[i];
        page.moved += copies.bytes[i];
        page.duration += copies.duration[i];
        if (query.wantEvents)
            page.events.push_back({EventKind::Memcpy, i});
    });
}

void addFaults(const Trace& trace, const StatsQuery& query, Pages& pages)
{
    const PageFaultTable& faults = trace.pageFaults();
    forEachEvent(faults, query, [&](EventIndex i) {
        Page& page = pages[faults.address[i]];
        // Only faults on a device say on which.
        (faults.trackOf(i).device < 0 ? page.cpuFaults : page.gpuFaults) += faults.attribute[i];
        if (query.wantEvents)
            page.events.push_back({EventKind::PageFault, i});
    });
}

Cells fill(const Trace& trace, const StatsQuery& query)
{
    Pages pages;
    addCopies(trace, query, pages);
    addFaults(trace, query, pages);
    Cells cells;
    cells.columns = {{"Virtual Address", Unit::Text}, {"HtoD Migration Size (MB)", Unit::Megabytes},
        {"DtoH Migration Size (MB)", Unit::Megabytes}, {"CPU Page Faults", Unit::Count},
        {"GPU PageFaults", Unit::Count}, {"Migration Throughput (MBps)", Unit::Megabytes}};
    for (auto& [address, page] : pages) {
        Cell throughput;
        if (page.duration > 0)
            throughput = static_cast<double>(page.moved) * 1e3 / static_cast<double>(page.duration);
        cells.addRow({formatAddress(address), static_cast<double>(page.toDevice) / 1e6,
                         static_cast<double>(page.toHost) / 1e6, page.cpuFaults, page.gpuFaults, throughput},
            std::move(page.events));
    }
    return cells;
}

bool applies(const Trace& trace)
{
    return !trace.pageFaults().empty()
        || std::ranges::any_of(
            trace.memcpys().copies, [](const CopyAttributes& copy) { return isUnified(copy.kind); });
}

} // namespace

extern constinit const StatsTable umSum{.id = "um_sum",
    .title = "Unified Memory Analysis Summary",
    .description = "Unified memory by virtual address: migrations and page faults.",
    .variants = {},
    .applies = applies,
    .fill = fill};

} // namespace warpline
