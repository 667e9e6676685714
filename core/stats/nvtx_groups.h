#pragma once

#include "core/stats/stats_table.h"

#include <cstdint>

namespace warpline {

/// NVTX ranges of `eventType` (0: of either type) by name, as nvtx_sum and its kin show them: named
/// "domain:name"; with a column "Style" when `withStyle`. Marks are not ranges. A range whose end the report
/// lacks has no duration, so it is left out.
Cells nvtxSummary(const Trace& trace, const StatsQuery& query, std::uint8_t eventType, bool withStyle);

} // namespace warpline
