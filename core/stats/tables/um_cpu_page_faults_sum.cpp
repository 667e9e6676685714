// CPU page faults of unified memory by the instruction that caused them: by its name in the report, a
// function or an address, and its source line where known. Most faults first.

#include "core/stats/applies.h"
#include "core/stats/grouping.h"
#include "core/stats/trace_rows.h"
#include "core/store/attributes.h"

#include <algorithm>
#include <numeric>

namespace warpline::um_cpu_page_faults_sum {

namespace {

bool hasCpuFaults(const Trace& trace)
{
    return std::ranges::any_of(
        trace.pageFaults().tracks, [](const Track& track) { return track.device < 0; });
}

Cells fill(const Trace& trace, const StatsQuery& query)
{
    const PageFaultTable& faults = trace.pageFaults();
    Groups groups(query);
    forEachEvent(faults, query, [&](EventIndex i) {
        if (faults.trackOf(i).device < 0)
            groups.add(faults.site[i], faultsIn(trace, i), {EventKind::PageFault, i});
    });
    groups.finish();
    std::vector<std::int64_t> counts;
    for (std::size_t g = 0; g < groups.size(); ++g)
        counts.push_back(std::reduce(groups.values(g).begin(), groups.values(g).end()));
    std::vector<std::uint32_t> order(groups.size());
    std::iota(order.begin(), order.end(), 0U);
    const auto nameOf = [&](std::uint32_t g) { return trace.text(faults.sites[groups.key(g)].instruction); };
    std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
        return counts[a] != counts[b] ? counts[a] > counts[b] : nameOf(a) < nameOf(b);
    });

    Cells cells;
    cells.columns = {{"CPU Page Faults", Unit::Count}, {"CPU Instruction Address", Unit::Text},
        {"Source File", Unit::Text}, {"Source Line", Unit::Integer}};
    for (const std::uint32_t g : order) {
        const FaultSite& site = faults.sites[groups.key(g)];
        cells.addRow({counts[g], std::string(nameOf(g)), std::string(trace.text(site.file)),
                         site.line >= 0 ? integerCell(site.line) : Cell{}},
            groups.events(g));
    }
    return cells;
}

} // namespace

extern constinit const StatsTable umCpuPageFaultsSum{.id = "um_cpu_page_faults_sum",
    .title = "Unified Memory CPU Page Faults Summary",
    .description
    = "Which instructions wait for pages of unified memory? Page faults on the CPU by the instruction that caused them.",
    .applies = hasCpuFaults,
    .fill = fill,
    .group = TableGroup::UnifiedMemory};

} // namespace warpline::um_cpu_page_faults_sum
