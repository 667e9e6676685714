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

/// A database of AMD's profilers, and who gets its rows.
struct RocmRows {
    sqlite::Database& report;
    RocmEvents& events;
    std::function<void(std::uint64_t)> rowsRead; ///< called with the number of new rows every few thousand
    std::stop_token stop;

    /// The error when one of `tables`, which may be missing, is a view or has computed columns: profilers
    /// write plain tables, and these may have rows or values without end, which SQLite keeps in temporary
    /// files.
    Result<void> checkTables(std::span<const std::string> tables) const;
    /// Calls `visitRow` for each row of `sql`, and counts the rows as those of `table`. Throws Stopped when
    /// `stop` is requested. Error: more rows than the file has room for, as from joined ids that occur often.
    Result<void> visit(std::string_view table, const std::string& sql,
        const std::function<void(const sqlite::Statement&)>& visitRow) const;
    /// Counts the rows of those of `tables` that the profiler wrote and that are not among `read`.
    void countUnread(std::span<const std::string> tables, std::span<const std::string> read) const;
};

} // namespace warpline
