#pragma once

#include "core/base/result.h"
#include "core/sqlite/database.h"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpline {

/// The tables and columns of a report. Probes them instead of using version numbers: all differences between
/// versions are handled here and in the importers' column lists.
class Schema {
public:
    struct Table {
        std::vector<std::string> columns;
        std::int64_t firstRow = 0; ///< smallest rowid
        std::int64_t lastRow = -1; ///< largest rowid
        std::uint64_t rows = 0; ///< lastRow - firstRow + 1 until it is `counted`
        bool counted = false; ///< small tables always; others once they were read, or by countRest()
        std::string
            leftToSqlite; ///< why its pages were not read directly, as the end of a sentence; or empty
        bool hasRowId = true; ///< false for WITHOUT ROWID tables and views
    };

    /// Reads the schema. Errors: the database cannot be read; it is another program's.
    static Result<Schema> probe(sqlite::Database& report, const std::string& path);

    const Table* find(std::string_view table) const;
    bool has(std::string_view table) const { return find(table) != nullptr; }
    bool has(std::string_view table, std::string_view column) const;
    const std::map<std::string, Table, std::less<>>& tables() const { return m_tables; }
    /// Records the true number of rows once a table was read.
    void setRows(std::string_view table, std::uint64_t rows);
    /// Records why `table` was read by SQLite: see Table::leftToSqlite.
    void setLeftToSqlite(std::string_view table, std::string why);
    /// Counts the rows of tables that no importer read. Reads all of them, so call it after the report is
    /// shown.
    void countRest(sqlite::Database& report);

private:
    std::map<std::string, Table, std::less<>> m_tables;
};

} // namespace warpline
