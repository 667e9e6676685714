// Kernels by class (products, attention, normalization ...) by the rules of resources/kernel_classes.txt and
// the user's own. nsys has no such table.

#include "core/kernels/kernel_classes.h"
#include "core/stats/applies.h"
#include "core/stats/summary_rows.h"

namespace warpline::gpu_class_sum {

namespace {

constexpr std::uint64_t wholeGraphs = std::uint64_t{1} << 32U;

Cells fill(const Trace& trace, const StatsQuery& query)
{
    const KernelClassRules& rules = kernelClassRules();
    const KernelTable& kernels = trace.kernels();
    constexpr std::uint32_t unknown = 0xFFFFFFFFU;
    std::vector<std::uint32_t> classes(trace.pool->size(), unknown); // by name
    Groups groups(query);
    forEachEvent(kernels, query, [&](EventIndex i) {
        std::uint32_t& known = classes[raw(kernels.name[i])];
        if (known == unknown)
            known = static_cast<std::uint32_t>(rules.classOf(trace.text(kernels.name[i])));
        groups.add(known, kernels.duration[i], {EventKind::Kernel, i});
    });
    const EventTable& graphs = trace.table(EventKind::GraphTrace);
    forEachEvent(graphs, query, [&](EventIndex i) {
        groups.add(wholeGraphs, graphs.duration[i], {EventKind::GraphTrace, i});
    });
    groups.finish();
    const SummaryLayout layout{"Instances", {"Class", "Title"}, {}};
    Cells cells = summaryTable(groups, layout, [&](std::uint64_t key) {
        const std::size_t index = key == wholeGraphs ? rules.indexOf("graph") : static_cast<std::size_t>(key);
        return Labels{rules.classes()[index].id, rules.classes()[index].title};
    });
    cells.columns.back().words = classText;
    return cells;
}

} // namespace

extern constinit const StatsTable gpuClassSum{.id = "gpu_class_sum",
    .title = "GPU Kernel Class Summary",
    .description
    = "What kind of work takes longest? Kernels by class: matrix products, attention, normalization, communication ...",
    .applies =
        [](const Trace& trace) {
            return !trace.kernels().empty() || !trace.table(EventKind::GraphTrace).empty();
        },
    .fill = fill,
    .origin = TableOrigin::Own,
    .group = TableGroup::Gpu};

} // namespace warpline::gpu_class_sum
