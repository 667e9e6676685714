// Kernels, memory operations and API calls by name, separately and together. Copies are separate by
// direction. Ties in total: fewer events first, then by name, byte by byte.

#include "core/stats/applies.h"
#include "core/stats/work_groups.h"

namespace warpline::cuda_work_sums {

extern constinit const StatsTable cudaGpuKernSum{.id = "cuda_gpu_kern_sum",
    .title = "CUDA GPU Kernel Summary",
    .description = "Which kernel takes longest? Kernels by name: how often they ran and how long.",
    .arguments = nvtxKernelArguments,
    .applies = hasKernels,
    .fill =
        [](const Trace& trace, const StatsQuery& query) {
            WorkGroups groups(trace, query);
            groups.addKernels();
            return groups.byOperation("Instances", "Name");
        },
    .group = TableGroup::Gpu};

extern constinit const StatsTable cudaGpuMemTimeSum{.id = "cuda_gpu_mem_time_sum",
    .title = "CUDA GPU MemOps Summary (by Time)",
    .description
    = "How long do copies take, in which direction? Copies by direction, and memsets, with their time.",
    .applies = hasMemoryOperations,
    .fill =
        [](const Trace& trace, const StatsQuery& query) {
            WorkGroups groups(trace, query);
            groups.addMemoryOperations();
            return groups.byOperation("Count", "Operation");
        },
    .group = TableGroup::Gpu};

/// Graphs that were traced as a whole are not counted, as nsys does not count them.
extern constinit const StatsTable cudaGpuSum{.id = "cuda_gpu_sum",
    .title = "CUDA GPU Summary (Kernels/MemOps)",
    .description
    = "What takes longest on the GPU, kernels and copies together? Kernels by name and memory operations by kind.",
    .arguments = nvtxKernelArguments,
    .applies = hasGpuWork,
    .fill =
        [](const Trace& trace, const StatsQuery& query) {
            WorkGroups groups(trace, query);
            groups.addKernels();
            groups.addMemoryOperations();
            return groups.byCategory();
        },
    .group = TableGroup::Gpu};

/// Unlike in cuda_api_sum, calls whose names differ only in the version suffix are one row.
extern constinit const StatsTable cudaApiGpuSum{.id = "cuda_api_gpu_sum",
    .title = "CUDA Summary (API/Kernels/MemOps)",
    .description
    = "Where did the time go, on the CPU and on the GPU? API calls, kernels and memory operations by name.",
    .arguments = nvtxKernelArguments,
    .applies = [](const Trace& trace) { return hasGpuWork(trace) || hasApiCalls(trace); },
    .fill =
        [](const Trace& trace, const StatsQuery& query) {
            WorkGroups groups(trace, query);
            groups.addApiCalls();
            groups.addKernels();
            groups.addMemoryOperations();
            return groups.byCategory();
        },
    .group = TableGroup::CudaApi};

} // namespace warpline::cuda_work_sums
