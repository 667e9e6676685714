// API calls, kernels and memory operations in one table. Unlike in cuda_api_sum, calls whose names differ
// only in the version suffix are one row here.

#include "core/stats/applies.h"
#include "core/stats/work_groups.h"

namespace warpline {

namespace {

Cells fill(const Trace& trace, const StatsQuery& query)
{
    WorkGroups groups(trace, query);
    groups.addApiCalls();
    groups.addKernels();
    groups.addMemoryOperations();
    return groups.byCategory();
}

} // namespace

extern constinit const StatsTable cudaApiGpuSum{.id = "cuda_api_gpu_sum",
    .title = "CUDA Summary (API/Kernels/MemOps)",
    .description
    = "Where did the time go, on the CPU and on the GPU? API calls, kernels and memory operations by name.",
    .arguments = nvtxKernelArguments,
    .applies = [](const Trace& trace) { return hasGpuWork(trace) || hasApiCalls(trace); },
    .fill = fill,
    .group = TableGroup::CudaApi};

} // namespace warpline
