#pragma once

#include "core/compare/compare_runs.h"
#include "core/stats/stats_table.h"

#include <stop_token>
#include <string>

namespace warpline {

/// Joins a statistics table of both sides: rows by their texts (all columns of unit Text; equal ones by
/// order). Columns are joined by title and unit. Each that is no text appears three times: A, B, and the
/// difference. Missing values stay empty. Rows with the largest difference in the first time column (else
/// size, else count) come first. Covers the ranges of the sides; for several reports of a side, their mean.
/// O(n log n) in the rows. Throws Stopped when `stop` is requested.
Cells compareStatsTable(const CompareRequest& request, const StatsTable& table,
    const std::string& variant = {}, const std::stop_token& stop = {});

/// The same of two filled tables.
Cells joinSides(Cells a, Cells b);

} // namespace warpline
