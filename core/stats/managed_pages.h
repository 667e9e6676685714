#pragma once

#include "core/stats/stats_table.h"
#include "core/store/event_kind.h"

#include <cstdint>
#include <map>
#include <vector>

namespace warpline {

/// What happened at one address of unified memory.
struct ManagedPage {
    std::uint64_t toDevice = 0; ///< bytes
    std::uint64_t toHost = 0; ///< bytes
    std::uint64_t moved = 0; ///< bytes, between devices too
    Ns duration = 0; ///< of all moves
    std::uint64_t moves = 0;
    std::int64_t cpuFaults = 0;
    std::int64_t gpuFaults = 0;
    std::vector<EventRef> events; ///< where StatsQuery::wantEvents asks for them
};

/// Moves (copies that CUDA made by itself) and faults of unified memory in the window of `query`, by virtual
/// address; 0 where the report says none.
std::map<std::uint64_t, ManagedPage> managedPages(const Trace& trace, const StatsQuery& query);

} // namespace warpline
