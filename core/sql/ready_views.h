#pragma once

#include "core/sql/sql_session.h"

#include <span>
#include <string>
#include <vector>

namespace warpline {

/// A view with names instead of ids, for questions that need no joins of their own.
struct ReadyView {
    SqlTable table;
    std::string sql; ///< the SELECT
};

/// The views of an export with `tables`: kernels, copies, sets, api_calls, launches, nvtx_ranges, os_calls,
/// threads, samples. Every export has all of them with the same columns: missing columns are NULL, and views
/// of missing tables are empty. "rowid" refers to the source table. Times and durations are nanoseconds,
/// sizes bytes.
std::vector<ReadyView> readyViews(std::span<const SqlTable> tables);

} // namespace warpline
