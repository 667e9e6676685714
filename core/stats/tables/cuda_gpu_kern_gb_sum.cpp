// Kernels by name, grid and block. Extents are printed four wide. Ties in total: fewer kernels first, then by
// name, grid and block, as text.

#include "core/base/format.h"
#include "core/stats/applies.h"
#include "core/stats/kernel_labels.h"
#include "core/stats/names.h"
#include "core/stats/nvtx_nesting.h"
#include "core/stats/summary_rows.h"

#include <map>
#include <tuple>

namespace warpline::cuda_gpu_kern_gb_sum {

namespace {

/// Launches of equal grid and block, numbered: by row of KernelTable::launches.
struct Shapes {
    explicit Shapes(const KernelTable& kernels)
    {
        using Key
            = std::tuple<std::int32_t, std::int32_t, std::int32_t, std::int32_t, std::int32_t, std::int32_t>;
        std::map<Key, std::uint32_t> numbers;
        for (const KernelLaunch& launch : kernels.launches) {
            const Key key{
                launch.grid.x, launch.grid.y, launch.grid.z, launch.block.x, launch.block.y, launch.block.z};
            const auto [place, added] = numbers.try_emplace(key, static_cast<std::uint32_t>(launchOf.size()));
            if (added)
                launchOf.push_back(&launch);
            numberOf.push_back(place->second);
        }
    }

    std::vector<std::uint32_t> numberOf;
    std::vector<const KernelLaunch*> launchOf; ///< one launch of each shape
};

Cells fill(const Trace& trace, const StatsQuery& query)
{
    const KernelTable& kernels = trace.kernels();
    KernelLabels kernelLabels(trace, query.variant);
    std::vector<EventIndex> innermost;
    if (kernelLabels.nameRanges())
        innermost = innermostRanges(trace, *callTwinsOf(trace, query.stop), query.stop);
    const Shapes shapes(kernels);
    Groups groups(query);
    forEachEvent(kernels, query, [&](EventIndex i) {
        const std::uint64_t shape = shapes.numberOf[kernels.attribute[i]];
        const std::uint32_t label = kernelLabels.numberOf(i, innermost.empty() ? noIndex : innermost[i]);
        groups.add(shape << 32U | label, kernels.duration[i], {EventKind::Kernel, i});
    });
    groups.finish();
    const SummaryLayout layout{"Instances", {"GridXYZ", "BlockXYZ", "Name"}, {2, 0, 1}, true};
    return summaryTable(groups, layout, [&](std::uint64_t key) {
        const KernelLaunch& launch = *shapes.launchOf[key >> 32U];
        return Labels{formatExtent(launch.grid.x, launch.grid.y, launch.grid.z),
            formatExtent(launch.block.x, launch.block.y, launch.block.z),
            kernelLabels.labelOf(static_cast<std::uint32_t>(key & 0xFFFFFFFFU))};
    });
}

} // namespace

extern constinit const StatsTable cudaGpuKernGbSum{.id = "cuda_gpu_kern_gb_sum",
    .title = "CUDA GPU Kernel/Grid/Block Summary",
    .description
    = "With which grids and blocks is each kernel launched? Kernels by name and by the shape they were launched with.",
    .arguments = nvtxKernelArguments,
    .applies = hasKernels,
    .fill = fill,
    .group = TableGroup::Gpu};

} // namespace warpline::cuda_gpu_kern_gb_sum
