#pragma once

#include "core/base/result.h"
#include "core/rocprof/rocm_events.h"
#include "core/sqlite/database.h"

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>

namespace warpline {

/// Calls `visit` for each row of `sql`, counts the rows as those of `table` in `events`, and calls `rowsRead`
/// with the number of new rows every few thousand. Throws Stopped when `stop` is requested.
Result<void> visitRocmRows(sqlite::Database& report, std::string_view table, const std::string& sql,
    RocmEvents& events, const std::function<void(std::uint64_t)>& rowsRead, const std::stop_token& stop,
    const std::function<void(const sqlite::Statement&)>& visit);

} // namespace warpline
