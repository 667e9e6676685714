// Unified memory in one row: what moved, how often pages were missed, and between which addresses. Addresses
// are those of the copies.

#include "core/stats/applies.h"
#include "core/stats/grouping.h"
#include "core/stats/trace_rows.h"

#include <algorithm>
#include <limits>

namespace warpline {

namespace {

struct Totals {
    std::uint64_t toDevice = 0; ///< bytes
    std::uint64_t toHost = 0;
    std::int64_t cpuFaults = 0;
    std::int64_t gpuFaults = 0;
    std::uint64_t lowest = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t highest = 0;
    std::vector<EventRef> events;
};

void addCopies(const Trace& trace, const StatsQuery& query, Totals& totals)
{
    const MemcpyTable& copies = trace.memcpys();
    forEachEvent(copies, query, [&](EventIndex i) {
        const CopyKind kind = copies.copy(i).kind;
        if (!isMigration(kind))
            return;
        if (kind == CopyKind::UnifiedHtoD)
            totals.toDevice += copies.bytes[i];
        else if (kind == CopyKind::UnifiedDtoH)
            totals.toHost += copies.bytes[i];
        if (!copies.address.empty()) {
            totals.lowest = std::min(totals.lowest, copies.address[i]);
            totals.highest = std::max(totals.highest, copies.address[i]);
        }
        if (query.wantEvents)
            totals.events.push_back({EventKind::Memcpy, i});
    });
}

void addFaults(const Trace& trace, const StatsQuery& query, Totals& totals)
{
    const PageFaultTable& faults = trace.pageFaults();
    forEachEvent(faults, query, [&](EventIndex i) {
        // Only faults on a device say on which.
        (faults.trackOf(i).device < 0 ? totals.cpuFaults : totals.gpuFaults) += faults.attribute[i];
        if (query.wantEvents)
            totals.events.push_back({EventKind::PageFault, i});
    });
}

Cells fill(const Trace& trace, const StatsQuery& query)
{
    Cells cells;
    cells.columns = {{"Total HtoD Migration Size (MB)", Unit::Megabytes},
        {"Total DtoH Migration Size (MB)", Unit::Megabytes}, {"Total CPU Page Faults", Unit::Count},
        {"Total GPU PageFaults", Unit::Count}, {"Minimum Virtual Address", Unit::Text},
        {"Maximum Virtual Address", Unit::Text}};
    if (!hasUnifiedMemory(trace))
        return cells;
    Totals totals;
    addCopies(trace, query, totals);
    addFaults(trace, query, totals);
    const bool anywhere = totals.lowest <= totals.highest;
    cells.addRow({megabytesCell(totals.toDevice), megabytesCell(totals.toHost), totals.cpuFaults,
                     totals.gpuFaults, anywhere ? Cell{upperHex(totals.lowest)} : Cell{},
                     anywhere ? Cell{upperHex(totals.highest)} : Cell{}},
        totals.events);
    return cells;
}

} // namespace

extern constinit const StatsTable umTotalSum{.id = "um_total_sum",
    .title = "Unified Memory Totals Summary",
    .description = "Unified memory in all: migrations, page faults and addresses.",
    .arguments = {},
    .applies = hasUnifiedMemory,
    .fill = fill};

} // namespace warpline
