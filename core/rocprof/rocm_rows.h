#pragma once

#include "core/base/result.h"
#include "core/rocprof/rocm_events.h"
#include "core/sqlite/database.h"

#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

namespace warpline {

/// The error when one of `tables`, which may be missing, is a view or has computed columns: profilers write
/// plain tables, and these may have rows or values without end, which SQLite keeps in temporary files.
Result<void> checkRocmTables(sqlite::Database& report, std::span<const std::string> tables);

/// Calls `visit` for each row of `sql`, counts the rows as those of `table` in `events`, and calls `rowsRead`
/// with the number of new rows every few thousand. Throws Stopped when `stop` is requested. Error: more rows
/// than the file has room for, as from joined ids that occur often.
Result<void> visitRocmRows(sqlite::Database& report, std::string_view table, const std::string& sql,
    RocmEvents& events, const std::function<void(std::uint64_t)>& rowsRead, const std::stop_token& stop,
    const std::function<void(const sqlite::Statement&)>& visit);

} // namespace warpline
