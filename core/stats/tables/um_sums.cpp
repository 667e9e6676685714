// Unified memory by virtual address (um_sum) and in one row (um_total_sum): migrations between host and
// devices, and faults. Copies are those that CUDA made automatically (kinds "Unified ...").
//
// Throughput is computed like nsys: all bytes of the address times how often their durations fit into a
// second, without the fraction. Highest throughput first, then by address; addresses without migrations come
// last. Shows the first ten rows, like nsys, unless the argument "rows" sets another number; a negative
// number means all. Events that an address does not have are an empty cell.

#include "core/stats/applies.h"
#include "core/stats/grouping.h"
#include "core/stats/trace_rows.h"
#include "core/store/attributes.h"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <map>

namespace warpline::um_sums {

namespace {

/// Events at one address of unified memory.
struct ManagedPage {
    std::uint64_t toDevice = 0; ///< bytes
    std::uint64_t toHost = 0; ///< bytes
    std::uint64_t moved = 0; ///< bytes, between devices too
    Ns duration = 0; ///< of all moves
    std::uint64_t moves = 0;
    std::int64_t cpuFaults = 0;
    std::int64_t gpuFaults = 0;
    std::vector<EventRef> events; ///< where StatsQuery::wantEvents asks for them
};

using Pages = std::map<std::uint64_t, ManagedPage>;

/// Automatic copies and faults of unified memory in the window of `query`, by virtual address; 0 where it is
/// unknown.
Pages managedPages(const Trace& trace, const StatsQuery& query)
{
    Pages pages;
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
        // Faults on a device have one; others are on the CPU.
        (faults.trackOf(i).device < 0 ? page.cpuFaults : page.gpuFaults) += faultsIn(trace, i);
        if (query.wantEvents)
            page.events.push_back({EventKind::PageFault, i});
    });
    return pages;
}

constexpr std::int64_t defaultRows = 10;
constexpr Ns nsPerSecond = 1'000'000'000;

/// Bytes per second; 0 when nothing moved.
std::uint64_t throughputOf(const ManagedPage& page)
{
    return page.duration > 0 ? page.moved * static_cast<std::uint64_t>(nsPerSecond / page.duration) : 0;
}

Cell megabytesUnlessNone(std::uint64_t bytes)
{
    return bytes > 0 ? megabytesCell(bytes) : Cell{};
}

Cells fillByAddress(const Trace& trace, const StatsQuery& query)
{
    const Pages pages = managedPages(trace, query);
    std::vector<Pages::const_iterator> order;
    for (auto page = pages.cbegin(); page != pages.cend(); ++page)
        order.push_back(page);
    std::ranges::stable_sort(
        order, std::greater{}, [](Pages::const_iterator page) { return throughputOf(page->second); });
    if (const std::int64_t limit = argumentOf(query.variant, "rows", defaultRows); limit >= 0)
        order.resize(std::min(order.size(), static_cast<std::size_t>(limit)));

    Cells cells;
    cells.columns = {{"Virtual Address", Unit::Text}, {"HtoD Migration size (MB)", Unit::Megabytes},
        {"DtoH Migration size (MB)", Unit::Megabytes}, {"CPU Page Faults", Unit::Count},
        {" GPU Page Faults", Unit::Count}, {"Migration Throughput (MB/s)", Unit::Megabytes}};
    for (const auto& at : order) {
        const ManagedPage& page = at->second;
        cells.addRow({upperHex(at->first), megabytesUnlessNone(page.toDevice),
                         megabytesUnlessNone(page.toHost), positiveCell(page.cpuFaults),
                         positiveCell(page.gpuFaults), megabytesUnlessNone(throughputOf(page))},
            page.events);
    }
    return cells;
}

constexpr std::array arguments{TableArgument{"rows", "<limit>"}};

Cells fillTotal(const Trace& trace, const StatsQuery& query)
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

extern constinit const StatsTable umSum{.id = "um_sum",
    .title = "Unified Memory Analysis Summary",
    .description
    = "Which addresses of unified memory move back and forth? Unified memory by virtual address: migrations and page faults.",
    .arguments = arguments,
    .applies = hasUnifiedMemory,
    .fill = fillByAddress,
    .group = TableGroup::UnifiedMemory};

extern constinit const StatsTable umTotalSum{.id = "um_total_sum",
    .title = "Unified Memory Totals Summary",
    .description = "How much unified memory moves in total? Totals of migrations, page faults and addresses.",
    .applies = hasUnifiedMemory,
    .fill = fillTotal,
    .group = TableGroup::UnifiedMemory};

} // namespace warpline::um_sums
