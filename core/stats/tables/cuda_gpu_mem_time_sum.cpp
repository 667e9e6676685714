// Copies by direction, and sets, by the time they took.

#include "core/stats/applies.h"
#include "core/stats/work_groups.h"

namespace warpline {

namespace {

Cells fill(const Trace& trace, const StatsQuery& query)
{
    WorkGroups groups(trace, query);
    groups.addMemoryOperations();
    return groups.byOperation("Count", "Operation");
}

} // namespace

extern constinit const StatsTable cudaGpuMemTimeSum{.id = "cuda_gpu_mem_time_sum",
    .title = "CUDA GPU MemOps Summary (by Time)",
    .description
    = "How long do copies take, in which direction? Copies by direction, and memsets, with their time.",
    .arguments = {},
    .applies = hasMemoryOperations,
    .fill = fill,
    .group = TableGroup::Gpu};

} // namespace warpline
