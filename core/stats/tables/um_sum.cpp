// Unified memory by virtual address: what moved between host and devices there, and how often it was missed.
// Copies are those that CUDA made by itself (kinds "Unified ..."). Throughput is computed as nsys does: all
// bytes of the address times how often their durations fit into a second, without the fraction. Highest
// throughput first, then by address; addresses from which nothing moved come last. Only the first ten rows
// are shown, as nsys does, unless the argument "rows" says otherwise; a negative number means all. What did
// not happen at an address is an empty cell.

#include "core/stats/applies.h"
#include "core/stats/grouping.h"
#include "core/stats/trace_rows.h"

#include <algorithm>
#include <array>
#include <functional>
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

constexpr std::int64_t defaultRows = 10;
constexpr Ns nsPerSecond = 1'000'000'000;

using Pages = std::map<std::uint64_t, Page>;

void addCopies(const Trace& trace, const StatsQuery& query, Pages& pages)
{
    const MemcpyTable& copies = trace.memcpys();
    forEachEvent(copies, query, [&](EventIndex i) {
        const CopyKind kind = copies.copy(i).kind;
        if (!isMigration(kind))
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

/// Bytes per second; 0 when nothing moved.
std::uint64_t throughputOf(const Page& page)
{
    return page.duration > 0 ? page.moved * static_cast<std::uint64_t>(nsPerSecond / page.duration) : 0;
}

Cell megabytesUnlessNone(std::uint64_t bytes)
{
    return bytes > 0 ? megabytesCell(bytes) : Cell{};
}

Cells fill(const Trace& trace, const StatsQuery& query)
{
    Pages pages;
    addCopies(trace, query, pages);
    addFaults(trace, query, pages);
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
        const Page& page = at->second;
        cells.addRow(
            {upperHex(at->first), megabytesUnlessNone(page.toDevice), megabytesUnlessNone(page.toHost),
                idCell(page.cpuFaults), idCell(page.gpuFaults), megabytesUnlessNone(throughputOf(page))},
            page.events);
    }
    return cells;
}

constexpr std::array arguments{TableArgument{"rows", "<limit>"}};

} // namespace

extern constinit const StatsTable umSum{.id = "um_sum",
    .title = "Unified Memory Analysis Summary",
    .description = "Unified memory by virtual address: migrations and page faults.",
    .arguments = arguments,
    .applies = hasUnifiedMemory,
    .fill = fill};

} // namespace warpline
