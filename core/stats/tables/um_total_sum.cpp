// Unified memory in one row: what moved, how often pages were missed, and between which addresses. Addresses
// are those of the copies.

#include "core/stats/applies.h"
#include "core/stats/grouping.h"
#include "core/stats/managed_pages.h"
#include "core/stats/trace_rows.h"

#include <algorithm>
#include <limits>

namespace warpline {

namespace {

Cells fill(const Trace& trace, const StatsQuery& query)
{
    Cells cells;
    cells.columns = {{"Total HtoD Migration Size (MB)", Unit::Megabytes},
        {"Total DtoH Migration Size (MB)", Unit::Megabytes}, {"Total CPU Page Faults", Unit::Count},
        {"Total GPU PageFaults", Unit::Count}, {"Minimum Virtual Address", Unit::Text},
        {"Maximum Virtual Address", Unit::Text}};
    if (!hasUnifiedMemory(trace))
        return cells;
    ManagedPage total;
    std::uint64_t lowest = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t highest = 0;
    for (const auto& [address, page] : managedPages(trace, query)) {
        total.toDevice += page.toDevice;
        total.toHost += page.toHost;
        total.cpuFaults += page.cpuFaults;
        total.gpuFaults += page.gpuFaults;
        total.events.insert(total.events.end(), page.events.begin(), page.events.end());
        if (page.moves > 0 && !trace.memcpys().address.empty()) {
            lowest = std::min(lowest, address);
            highest = std::max(highest, address);
        }
    }
    std::ranges::sort(total.events);
    const bool anywhere = lowest <= highest;
    cells.addRow(
        {megabytesCell(total.toDevice), megabytesCell(total.toHost), total.cpuFaults, total.gpuFaults,
            anywhere ? Cell{upperHex(lowest)} : Cell{}, anywhere ? Cell{upperHex(highest)} : Cell{}},
        total.events);
    return cells;
}

} // namespace

extern constinit const StatsTable umTotalSum{.id = "um_total_sum",
    .title = "Unified Memory Totals Summary",
    .description = "How much unified memory moves in total? Totals of migrations, page faults and addresses.",
    .arguments = {},
    .applies = hasUnifiedMemory,
    .fill = fill,
    .group = TableGroup::UnifiedMemory};

} // namespace warpline
