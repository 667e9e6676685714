#pragma once

#include "core/base/result.h"
#include "core/sqlite/database.h"
#include "core/sqlite/guarded_connection.h"
#include "core/table/cells.h"

#include <cstddef>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warpline {

struct ReportInfo;

/// Result of a statement of the user.
struct SqlAnswer {
    Cells cells; ///< columns of Unit::AsStored; blobs as SQL writes them, x'0a1b'; no two columns of one name
    bool isComplete = true; ///< false: rows are missing, see `note`
    Message note; ///< why not all rows are there, as a sentence; empty: they are
    Message problem; ///< an error as a sentence; empty: it ran
    /// The byte of the statement that `problem` is about.
    std::optional<std::size_t> place;
};

/// A table or view that can be asked, and its columns.
struct SqlTable {
    std::string name;
    std::vector<sqlite::Database::ColumnInfo> columns;
    bool isReady = false; ///< one of readyViews(), with names instead of ids
    bool isRecorded = true; ///< false: a view without rows, as the file has no table of this
    /// The table that the column "rowid" refers to: itself, or a view's source; empty: none.
    std::string source;
    /// SQLite's name of the column "rowid" in a result: the primary key of a table with its own row numbers,
    /// "id".
    std::string rowidColumn = "rowid";
    /// For a view: renamed columns of its table, "text" and "name".
    std::vector<std::pair<std::string, std::string>> renamed;
};

/// The user's own questions to one export, in SQL. Nothing that is asked changes the file, and every question
/// ends. For one thread at a time.
class SqlSession {
public:
    /// Errors: the file is no database, or cannot be read.
    static Result<SqlSession> open(const std::string& path);
    /// On the file that this report was read from. Errors: it is another file by now, too.
    static Result<SqlSession> open(const ReportInfo& info);

    /// The views first, then the tables of the file, in the file's order.
    const std::vector<SqlTable>& tables() const { return m_tables; }
    SqlAnswer ask(std::string_view sql, const sqlite::QueryLimits& limits = {}, std::stop_token stop = {});

private:
    SqlSession(sqlite::GuardedConnection connection, std::vector<SqlTable> tables);

    sqlite::GuardedConnection m_connection;
    std::vector<SqlTable> m_tables;
};

/// A suggestion from `tables` for the statement `sql` with SQLite's error `problem`: "Did you mean
/// short_name?", or "It is a column of samples."; empty where nothing is similar.
Message nameSuggestion(std::string_view sql, std::string_view problem, std::span<const SqlTable> tables);

/// `problem` of `answer` with the line of `sql` that it is about and a mark below the place.
Message problemText(std::string_view sql, const SqlAnswer& answer);

} // namespace warpline
