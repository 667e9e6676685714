#pragma once

#include "core/stats/stats_table.h"
#include "core/store/trace.h"

#include <span>
#include <vector>

namespace warpline {

/// The events of `kinds` that `query` asks for, by start; ties by the order of `kinds`, then as the report
/// has them. Cut short when a stop is requested.
std::vector<EventRef> eventsByStart(
    const Trace& trace, std::span<const EventKind> kinds, const StatsQuery& query);

/// "NVIDIA H200 (0)": the GPU behind CUDA ordinal `device` of process `owner`, as nsys names it.
std::string deviceLabel(const Trace& trace, GlobalId owner, std::int32_t device);

/// The events behind a row: `event` alone when they are wanted.
std::vector<EventRef> rowEvents(const StatsQuery& query, EventRef event);

/// Whole numbers and the empty cell as cells.
Cell integerCell(std::int64_t value);
Cell megabytesCell(std::uint64_t bytes);

} // namespace warpline
