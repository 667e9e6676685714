// Kernels by name. Of equal totals those of fewer kernels come first, then they are in the order of the
// names, byte by byte.

#include "core/stats/applies.h"
#include "core/stats/work_groups.h"

namespace warpline {

namespace {

Cells fill(const Trace& trace, const StatsQuery& query)
{
    WorkGroups groups(trace, query);
    groups.addKernels();
    return groups.byOperation("Instances", "Name");
}

} // namespace

extern constinit const StatsTable cudaGpuKernSum{.id = "cuda_gpu_kern_sum",
    .title = "CUDA GPU Kernel Summary",
    .description = "Which kernel takes longest? Kernels by name: how often they ran and how long.",
    .arguments = nvtxKernelArguments,
    .applies = hasKernels,
    .fill = fill,
    .group = TableGroup::Gpu};

} // namespace warpline
