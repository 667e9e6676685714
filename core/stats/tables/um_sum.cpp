// Unified memory by virtual address: what moved between host and devices there, and how often it was missed.
// Copies are those that CUDA made by itself (kinds "Unified ..."). Throughput is computed as nsys does: all
// bytes of the address times how often their durations fit into a second, without the fraction. Highest
// throughput first, then by address; addresses from which nothing moved come last. Only the first ten rows
// are shown, as nsys does, unless the argument "rows" says otherwise; a negative number means all. What did
// not happen at an address is an empty cell.

#include "core/stats/applies.h"
#include "core/stats/grouping.h"
#include "core/stats/managed_pages.h"
#include "core/stats/trace_rows.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>

namespace warpline {

namespace {

constexpr std::int64_t defaultRows = 10;
constexpr Ns nsPerSecond = 1'000'000'000;

using Pages = std::map<std::uint64_t, ManagedPage>;

/// Bytes per second; 0 when nothing moved.
std::uint64_t throughputOf(const ManagedPage& page)
{
    return page.duration > 0 ? page.moved * static_cast<std::uint64_t>(nsPerSecond / page.duration) : 0;
}

Cell megabytesUnlessNone(std::uint64_t bytes)
{
    return bytes > 0 ? megabytesCell(bytes) : Cell{};
}

Cells fill(const Trace& trace, const StatsQuery& query)
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
    .description
    = "Which addresses of unified memory move back and forth? Unified memory by virtual address: migrations and page faults.",
    .arguments = arguments,
    .applies = hasUnifiedMemory,
    .fill = fill,
    .group = TableGroup::UnifiedMemory};

} // namespace warpline
