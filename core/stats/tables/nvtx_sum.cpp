// NVTX ranges of both styles by style and name. See nvtxSummary() for what counts.

#include "core/stats/applies.h"
#include "core/stats/names.h"
#include "core/stats/nvtx_groups.h"

namespace warpline {

extern constinit const StatsTable nvtxSum{.id = "nvtx_sum",
    .title = "NVTX Range Summary",
    .description = "Which of the program's own ranges take longest? NVTX ranges of both styles by name.",
    .arguments = {},
    .applies = [](const Trace& trace) { return hasNvtxRanges(trace); },
    .fill = [](const Trace& trace, const StatsQuery& query) { return nvtxSummary(trace, query, 0, true); },
    .group = TableGroup::Nvtx};

} // namespace warpline
