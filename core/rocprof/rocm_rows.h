#pragma once

#include "core/base/result.h"
#include "core/rocprof/rocm_events.h"
#include "core/sqlite/database.h"

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>

namespace warpline {

/// How the tables of a database are made. Profilers write plain tables, in which an id is a key. A view or a
/// computed column may have rows or values without end, which SQLite keeps in temporary files; ids that are
/// looked up without a key take quadratic time.
class RocmSchema {
public:
    static Result<RocmSchema> of(sqlite::Database& report);
    /// The error when `table`, which may be missing, is made in another way. `hasKey`: it is looked up by id.
    Result<void> check(const std::string& table, bool hasKey) const;

private:
    std::string m_file; ///< as the user named it
    std::map<std::string, std::string, std::less<>> m_odd; ///< why, by name in lower case
    std::set<std::string, std::less<>> m_keyless; ///< names in lower case
};

/// Calls `visit` for each row of `sql`, counts the rows as those of `table` in `events`, and calls `rowsRead`
/// with the number of new rows every few thousand. Throws Stopped when `stop` is requested. Error: more rows than the file has room for, because
/// ids that are joined occur often.
Result<void> visitRocmRows(sqlite::Database& report, std::string_view table, const std::string& sql,
    RocmEvents& events, const std::function<void(std::uint64_t)>& rowsRead, const std::stop_token& stop,
    const std::function<void(const sqlite::Statement&)>& visit);

} // namespace warpline
