// How well kernels fill the GPU, estimated from their launch like PyTorch's profiler, by name: blocks and
// warps per multiprocessor; SM efficiency, the share of multiprocessors with a block; and achieved occupancy,
// the concurrent warps of a multiprocessor over its maximum. Means are weighted by time. These are estimates:
// they assume that all blocks of a launch begin at once, and ignore stalls.

#include "core/kernels/kernel_label.h"
#include "core/query/kernel_occupancy.h"
#include "core/stats/grouping.h"
#include "core/stats/stats_table.h"
#include "core/store/trace.h"

#include <algorithm>
#include <map>

namespace warpline::kernel_occupancy_sum {

namespace {

struct Fill {
    std::int64_t launches = 0;
    Ns time = 0;
    double blocks = 0; ///< per multiprocessor, times ns; like the others
    double warps = 0;
    double efficiency = 0;
    double occupancy = 0;
    bool hasOccupancy = true; ///< the capacity of a multiprocessor is known for each launch
    StringId shortName{};
    std::vector<EventRef> events;
};

Cells fill(const Trace& trace, const StatsQuery& query)
{
    const KernelTable& kernels = trace.kernels();
    std::map<StringId, Fill> fills;
    forEachEvent(kernels, query, [&](EventIndex i) {
        if (!isShapeKnown(kernels.launch(i)))
            return;
        const Residency residency = residencyOf(trace, i);
        if (residency.multiprocessors <= 0)
            return;
        const auto time = static_cast<double>(kernels.duration[i]);
        const double blocks
            = static_cast<double>(residency.blocks) / static_cast<double>(residency.multiprocessors);
        Fill& of = fills[kernels.name[i]];
        ++of.launches;
        of.time += kernels.duration[i];
        of.blocks += blocks * time;
        of.warps += blocks * static_cast<double>(residency.warps) * time;
        of.efficiency += std::min(1.0, blocks) * time;
        of.shortName = kernels.launch(i).shortName;
        of.hasOccupancy = of.hasOccupancy && residency.blocksAtOnce > 0;
        if (residency.blocksAtOnce > 0)
            of.occupancy += residency.occupancy
                * std::min(1.0, blocks / static_cast<double>(residency.blocksAtOnce)) * time;
        if (query.wantEvents)
            of.events.push_back({EventKind::Kernel, i});
    });
    std::vector<std::pair<const StringId, Fill>*> order;
    for (auto& each : fills)
        order.push_back(&each);
    std::ranges::sort(order, [&](const auto* a, const auto* b) {
        return a->second.time != b->second.time ? a->second.time > b->second.time
                                                : trace.text(a->first) < trace.text(b->first);
    });
    Cells cells;
    cells.columns
        = {{"Total Time (ns)", Unit::Nanoseconds}, {"Instances", Unit::Count}, {"Blocks per SM", Unit::Real},
            {"Warps per SM", Unit::Real}, {"Est. SM Efficiency (%)", Unit::Percent},
            {"Est. Achieved Occupancy (%)", Unit::Percent}, {"Name", Unit::Text}};
    for (const auto* const each : order) {
        const Fill& of = each->second;
        const auto mean = [&](double sum) { return of.time > 0 ? sum / static_cast<double>(of.time) : 0; };
        cells.addRow({of.time, of.launches, mean(of.blocks), mean(of.warps), mean(of.efficiency) * 100,
                         of.hasOccupancy ? Cell{mean(of.occupancy) * 100} : Cell{},
                         std::string(kernelLabel(trace.text(each->first), trace.text(of.shortName)))},
            of.events);
    }
    return cells;
}

} // namespace

extern constinit const StatsTable kernelOccupancySum{.id = "kernel_occupancy_sum",
    .title = "Kernel Occupancy Estimates",
    .description
    = "How full do kernels make the GPU? SM efficiency and achieved occupancy by name, as PyTorch's "
      "profiler estimates them from the launch.",
    .applies = [](const Trace& trace) { return !trace.kernels().empty() && !trace.devices.empty(); },
    .fill = fill,
    .origin = TableOrigin::Own,
    .group = TableGroup::Gpu};

} // namespace warpline::kernel_occupancy_sum
