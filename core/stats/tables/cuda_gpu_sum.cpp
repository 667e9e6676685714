// Kernels by name and memory operations by direction, in one table. Graphs that were traced as a whole are
// not counted, as nsys does not count them.

#include "core/stats/applies.h"
#include "core/stats/work_groups.h"

namespace warpline {

namespace {

Cells fill(const Trace& trace, const StatsQuery& query)
{
    WorkGroups groups(trace, query);
    groups.addKernels();
    groups.addMemoryOperations();
    return groups.byCategory();
}

} // namespace

extern constinit const StatsTable cudaGpuSum{.id = "cuda_gpu_sum",
    .title = "CUDA GPU Summary (Kernels/MemOps)",
    .description
    = "What takes longest on the GPU, kernels and copies together? Kernels by name and memory operations by kind.",
    .arguments = nvtxKernelArguments,
    .applies = hasGpuWork,
    .fill = fill,
    .group = TableGroup::Gpu};

} // namespace warpline
