#pragma once

#include "core/base/time.h"
#include "core/sqlite/database.h"

#include <string>
#include <string_view>
#include <vector>

namespace warpline {

/// A table of the report, as far as cutting asks.
struct CutTable {
    std::string name;
    std::vector<sqlite::Database::ColumnInfo> columns;
    std::vector<std::string> stringColumns; ///< that hold ids of StringIds
    std::string condition; ///< of the rows that stay, which it names t; empty: all stay
    /// 0: copied first; later ones look at what has been copied: 1 the stacks and records of events, 2 the
    /// strings.
    int round = 0;

    bool has(std::string_view column) const;
};

/// The SQL function that the conditions of cutTables() use: PythonNames::idsIn().
inline constexpr std::string_view pythonNamesFunction = "python_names";

/// All tables of the report with what stays of them in `window`, in the order to copy them.
Result<std::vector<CutTable>> cutTables(sqlite::Database& report, TimeRange window);

} // namespace warpline
