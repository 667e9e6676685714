// NVTX start/end ranges by name. See nvtxSummary() for what counts.

#include "core/stats/applies.h"
#include "core/stats/names.h"
#include "core/stats/nvtx_groups.h"
#include "core/store/nvtx_types.h"

namespace warpline {

extern constinit const StatsTable nvtxStartendSum{.id = "nvtx_startend_sum",
    .title = "NVTX Start/End Range Summary",
    .description = "Which ranges that may end on another thread take longest? NVTX start/end ranges by name.",
    .arguments = {},
    .applies = [](const Trace& trace) { return hasNvtxRanges(trace, nvtxStartEnd); },
    .fill = [](const Trace& trace,
                const StatsQuery& query) { return nvtxSummary(trace, query, nvtxStartEnd, false); },
    .group = TableGroup::Nvtx};

} // namespace warpline
