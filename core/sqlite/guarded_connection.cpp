#include "core/sqlite/guarded_connection.h"

#include "core/base/utf8.h"
#include "core/sqlite/bounded_functions.h"
#include "core/sqlite/database.h"
#include "core/sqlite/statement.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace warpline::sqlite {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int stepsBetweenLooks = 50; // of SQLite's machine: each may be a call that takes milliseconds
constexpr int longestValue = 16 << 20; // bytes of one cell
constexpr int longestStatement = 1 << 20;

/// Functions that reach out of the database, where SQLite was built with them.
bool reachesOut(std::string_view function)
{
    static constexpr std::array<std::string_view, 6> names{
        "load_extension", "readfile", "writefile", "edit", "fts3_tokenizer", "sqlar_uncompress"};
    return std::ranges::find(names, function) != names.end();
}

/// PRAGMAs that only return facts of the database, whatever their argument.
bool tellsOnly(std::string_view pragma)
{
    static constexpr std::array<std::string_view, 10> names{"table_info", "table_xinfo", "table_list",
        "index_list", "index_info", "index_xinfo", "database_list", "function_list", "collation_list",
        "compile_options"};
    return std::ranges::any_of(names, [&](std::string_view name) {
        return sqlite3_strnicmp(
                   name.data(), pragma.data(), static_cast<int>(std::max(name.size(), pragma.size())))
            == 0;
    });
}

bool isReading(int action, const char* first, const char* second)
{
    switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE:
        return true;
    case SQLITE_FUNCTION:
        return !second || !reachesOut(second);
    case SQLITE_PRAGMA:
        return first && tellsOnly(first);
    default:
        return false;
    }
}

/// The offset of the next statement in `rest`, the text after a statement; nothing where only blanks,
/// comments and semicolons follow.
std::optional<std::size_t> nextStatement(std::string_view rest)
{
    for (std::size_t i = 0; i < rest.size(); ++i) {
        if (rest.substr(i, 2) == "--")
            i = std::min(rest.find('\n', i), rest.size());
        else if (rest.substr(i, 2) == "/*")
            i = std::min(rest.find("*/", i + 2), rest.size() - 1) + 1;
        else if (rest[i] != ';' && !std::isspace(static_cast<unsigned char>(rest[i])))
            return i;
    }
    return std::nullopt;
}

/// `sqlite3_errmsg` as a sentence.
std::string sentence(std::string message)
{
    if (!message.empty()) {
        message[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(message[0])));
        if (message.back() != '.')
            message += '.';
    }
    return message;
}

} // namespace

/// State for the callbacks of a connection, with a stable address.
struct GuardedConnection::Guard {
    bool active = false; ///< false while the views are made
    bool refused = false; ///< something other than reading was asked for
    bool late = false;
    Clock::time_point deadline;
    std::stop_token stop;

    static int authorize(
        void* self, int action, const char* first, const char* second, const char*, const char*)
    {
        auto& guard = *static_cast<Guard*>(self);
        if (!guard.active || isReading(action, first, second))
            return SQLITE_OK;
        guard.refused = true;
        return SQLITE_DENY;
    }

    static int look(void* self)
    {
        auto& guard = *static_cast<Guard*>(self);
        guard.late = guard.active && Clock::now() > guard.deadline;
        return guard.late || guard.stop.stop_requested() ? 1 : 0;
    }
};

void GuardedConnection::Closer::operator()(sqlite3* handle) const
{
    sqlite3_close_v2(handle);
}

GuardedConnection::GuardedConnection(std::unique_ptr<sqlite3, Closer> handle, std::unique_ptr<Guard> guard)
    : m_guard(std::move(guard)),
      m_handle(std::move(handle))
{
}

GuardedConnection::GuardedConnection(GuardedConnection&&) noexcept = default;
GuardedConnection& GuardedConnection::operator=(GuardedConnection&&) noexcept = default;
GuardedConnection::~GuardedConnection() = default;

Result<GuardedConnection> GuardedConnection::open(const ReportFile& file, std::span<const std::string> setUp)
{
    auto database = Database::open(file);
    if (!database.ok())
        return database.error();
    std::unique_ptr<sqlite3, Closer> handle(database.value().release());
    sqlite3* const db = handle.get();
    sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_limit(db, SQLITE_LIMIT_LENGTH, longestValue);
    sqlite3_limit(db, SQLITE_LIMIT_SQL_LENGTH, longestStatement);
    sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 0);
    // The file is open for reading alone; temporary views need the rest of the connection to take changes.
    sqlite3_exec(db, "PRAGMA query_only=0", nullptr, nullptr, nullptr);
    for (const std::string& statement : setUp)
        sqlite3_exec(db, statement.c_str(), nullptr, nullptr, nullptr);
    sqlite3_exec(db, "PRAGMA query_only=1", nullptr, nullptr, nullptr);
    auto guard = std::make_unique<Guard>();
    sqlite3_set_authorizer(db, &Guard::authorize, guard.get());
    addBoundedFunctions(db);
    sqlite3_progress_handler(db, stepsBetweenLooks, &Guard::look, guard.get());
    return GuardedConnection(std::move(handle), std::move(guard));
}

QueryOutcome GuardedConnection::failure(std::string_view sql) const
{
    if (m_guard->late)
        return {QueryEnd::TimeLimit, {}, {}};
    if (m_guard->stop.stop_requested())
        return {QueryEnd::Stopped, {}, {}};
    if (m_guard->refused)
        return {QueryEnd::Failed,
            Message("sql.refused",
                "Reports are read-only. Allowed: SELECT, WITH, VALUES, EXPLAIN, and the PRAGMAs that list tables and columns."),
            {}};
    const int at = sqlite3_error_offset(m_handle.get());
    const bool placed = at >= 0 && static_cast<std::size_t>(at) <= sql.size();
    return {QueryEnd::Failed, toUtf8(sentence(sqlite3_errmsg(m_handle.get()))),
        placed ? std::optional(static_cast<std::size_t>(at)) : std::nullopt};
}

QueryOutcome GuardedConnection::run(std::string_view sql, const QueryLimits& limits,
    const std::stop_token& stop, const Titles& titles, const Visit& visit)
{
    if (const std::size_t nul = sql.find('\0'); nul != std::string_view::npos)
        return {QueryEnd::Failed, Message("sql.nul", "The statement has a NUL byte in it."), nul};
    if (!nextStatement(sql))
        return {QueryEnd::Failed, Message("sql.empty", "The query is empty."), {}};
    *m_guard = {true, false, false, Clock::now() + limits.time, stop};
    sqlite3_stmt* prepared = nullptr;
    const char* rest = nullptr;
    const int code
        = sqlite3_prepare_v2(m_handle.get(), sql.data(), static_cast<int>(sql.size()), &prepared, &rest);
    if (code != SQLITE_OK)
        return failure(sql);
    Statement statement = Statement::owning(prepared);
    const auto end = static_cast<std::size_t>(rest - sql.data());
    if (const auto next = nextStatement(sql.substr(end)))
        return {QueryEnd::Failed,
            Message("sql.second", "Only one statement is allowed; this is a second one."), end + *next};
    if (!sqlite3_stmt_readonly(prepared))
        return {QueryEnd::Failed, Message("sql.read_only", "Reports are read-only."), {}};

    std::vector<std::string> columns;
    for (int column = 0; column < statement.columnCount(); ++column)
        columns.push_back(statement.columnName(column));
    Row row(columns.size());
    titles(std::move(columns));
    std::size_t rows = 0;
    std::size_t bytes = 0;
    Statement::Step step = Statement::Step::Row;
    while ((step = statement.step()) == Statement::Step::Row) {
        statement.copyTo(row);
        for (std::size_t i = 0; i < row.columnCount(); ++i)
            bytes += sizeof(Row::Cell) + row.cellAt(i).size;
        if (++rows > limits.rows || bytes > limits.bytes)
            return {QueryEnd::RowLimit, {}, {}};
        visit(row);
    }
    return step == Statement::Step::Done ? QueryOutcome{} : failure(sql);
}

} // namespace warpline::sqlite
