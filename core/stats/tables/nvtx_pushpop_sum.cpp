// NVTX push/pop ranges by name. See nvtxSummary() for what counts.

#include "core/stats/applies.h"
#include "core/stats/names.h"
#include "core/stats/nvtx_groups.h"
#include "core/store/nvtx_types.h"

namespace warpline {

extern constinit const StatsTable nvtxPushpopSum{.id = "nvtx_pushpop_sum",
    .title = "NVTX Push/Pop Range Summary",
    .description = "Which of the program's own ranges take longest? NVTX push/pop ranges by name.",
    .arguments = {},
    .applies = [](const Trace& trace) { return hasNvtxRanges(trace, nvtxPushPop); },
    .fill = [](const Trace& trace,
                const StatsQuery& query) { return nvtxSummary(trace, query, nvtxPushPop, false); },
    .group = TableGroup::Nvtx};

} // namespace warpline
