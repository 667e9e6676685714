#pragma once

#include "core/base/time.h"
#include "core/sqlite/database.h"

#include <string>
#include <string_view>
#include <vector>

namespace warpline {

/// A table of the report with the information for cutting.
struct CutTable {
    std::string name;
    std::vector<sqlite::Database::ColumnInfo> columns;
    std::vector<std::string> stringColumns; ///< that hold ids of StringIds
    std::string condition; ///< of the rows that stay, which it names t; empty: all stay
    /// Order of copying. 0: first; 1: stacks and records of events, by the events copied; 2: strings.
    int round = 0;

    bool has(std::string_view column) const;
};

/// The SQL function that the conditions of cutTables() use: pythonNamesOf().
inline constexpr std::string_view pythonNamesFunction = "python_names";

/// The tables `names` of the report, with the rows that stay for `window`, in order of copying.
Result<std::vector<CutTable>> cutTables(
    sqlite::Database& report, const std::vector<std::string>& names, TimeRange window);

/// When the events of a report and the work of its GPUs begin and end; empty: there are none. Of a part those
/// of the whole, as far as it remembers them. Scans the tables with events.
struct RecordedTimes {
    TimeRange session;
    TimeRange gpuWork;
    TimeRange kept; ///< the time of a part; empty: the report is whole
};
RecordedTimes recordedTimes(sqlite::Database& report, const std::vector<CutTable>& tables);

} // namespace warpline
