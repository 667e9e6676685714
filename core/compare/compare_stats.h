#pragma once

#include "core/compare/compare_runs.h"
#include "core/stats/stats_table.h"

#include <stop_token>
#include <string>

namespace warpline {

/// A statistics table of both sides as one: the rows are joined by their texts (all columns of unit Text
/// together; of equal ones by order), and each other column is there three times: of A, of B, and the
/// difference. What a side lacks stays empty. Those whose first time (else size, else count) differs most
/// come first. The table is asked about the ranges of the sides; of several reports of a side it is the mean.
/// O(n log n) in the rows. Throws Stopped when `stop` is requested.
Cells compareStatsTable(const CompareRequest& request, const StatsTable& table,
    const std::string& variant = {}, const std::stop_token& stop = {});

/// The same of two filled tables.
Cells joinSides(const Cells& a, const Cells& b);

} // namespace warpline
