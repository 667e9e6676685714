// Memory comes from a pool.

#include "core/replay/apply_cure.h"

#include <algorithm>
#include <array>

namespace warpline {

namespace {

std::size_t poolCalls(GraphEdit& edit)
{
    std::size_t changed = 0;
    for (ReplayCall& call : edit.graph.calls) {
        if (!allocates(call.kind) || call.removed || !edit.fits(call))
            continue;
        call.length = std::min(call.length, edit.pick(cost::pooledCall));
        stopWaiting(call);
        ++changed;
    }
    return changed;
}

constexpr std::array poolAllocationsSwitches{
    CureSwitch{.option = "--without",
        .value = "allocation",
        .title = "Allocations from a pool",
        .help = "cudaMalloc, cudaFree and similar calls become short and wait for nothing.",
        .nothing = "no call that allocates or frees memory",
        .edits = editsOfAll<CureKind::PoolAllocations>},
};

} // namespace

extern constinit const CureEntry poolAllocations{.kind = CureKind::PoolAllocations,
    .key = "pool_allocations",
    .apply = poolCalls,
    .switches = poolAllocationsSwitches};

} // namespace warpline
