#pragma once

#include "core/base/time.h"
#include "core/table/cells.h"

#include <span>
#include <stop_token>
#include <string>
#include <string_view>

namespace warpline {

class Trace;

/// How a table is asked for.
struct StatsQuery {
    TimeRange window; ///< empty: the whole report, as nsys does it
    /// What follows the colon in nsys' names: "base", "mangled", "nvtx-name"; may be empty.
    std::string variant;
    std::string nvtxName; ///< glob of the NVTX range that step tables are about; may be empty
    bool wantEvents = false; ///< fill Cells::events (costs memory)
    std::stop_token stop;
};

/// A statistics table. Its id is the name users know from nsys where there is one ("cuda_gpu_kern_sum"), so
/// the command line and the dock speak alike.
struct StatsTable {
    std::string_view id;
    std::string_view title;
    std::string_view description;
    /// Allowed values of StatsQuery::variant beside the empty one.
    std::span<const std::string_view> variants;
    bool (*applies)(const Trace&); ///< false: the report has no rows for it; nsys prints "SKIPPED"
    Cells (*fill)(const Trace&, const StatsQuery&);
};

/// All tables, in the order they are listed. The list is in stats_tables.cpp and nowhere else.
std::span<const StatsTable* const> allStatsTables();
/// nullptr when there is no such table.
const StatsTable* findStatsTable(std::string_view id);

} // namespace warpline
