#include "core/sql/sql_session.h"

#include "core/base/message_names.h"
#include "core/base/utf8.h"
#include "core/cache/report_key.h"
#include "core/sql/ready_views.h"
#include "core/store/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

namespace warpline {

namespace {

using sqlite::QueryEnd;

std::string blobText(std::string_view bytes)
{
    std::string text = "x'";
    for (const char byte : bytes)
        text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
    return text + "'";
}

Cell cellOf(const sqlite::Row& row, int column)
{
    if (row.isNull(column))
        return {};
    if (row.isBlob(column))
        return blobText(row.text(column));
    if (row.isText(column))
        return std::string(row.text(column));
    if (!row.isReal(column))
        return row.integer(column);
    const double real = row.real(column);
    return std::isinf(real) ? Cell(std::string(real < 0 ? "-Inf" : "Inf")) : Cell(real);
}

/// Columns with titles that are all different: "name", "name:1", as sqlite3 has them.
std::vector<Column> columnsOf(std::vector<std::string> titles)
{
    std::set<std::string> taken;
    std::vector<Column> columns;
    for (std::string& title : titles) {
        std::string unique = title;
        for (int number = 1; !taken.insert(unique).second; ++number)
            unique = fmt::format("{}:{}", title, number);
        columns.push_back({unique, Unit::AsStored});
    }
    return columns;
}

Message noteOf(QueryEnd end, const sqlite::QueryLimits& limits, std::size_t rows)
{
    switch (end) {
    case QueryEnd::RowLimit:
        return {"sql.first_rows", "Showing the first {rows} rows.",
            {{"rows", Ordinal{static_cast<std::int64_t>(rows)}}}};
    case QueryEnd::TimeLimit:
        return {"sql.time_limit", "Stopped after {seconds} s, with {rows} rows found so far.",
            {{"seconds", Name{fmt::format("{:g}", std::chrono::duration<double>(limits.time).count())}},
                {"rows", Ordinal{static_cast<std::int64_t>(rows)}}}};
    case QueryEnd::Stopped:
        return {"sql.stopped", "Stopped."};
    case QueryEnd::Done:
    case QueryEnd::Failed:
        break;
    }
    return {};
}

} // namespace

SqlSession::SqlSession(sqlite::GuardedConnection connection, std::vector<SqlTable> tables)
    : m_connection(std::move(connection)),
      m_tables(std::move(tables))
{
}

Result<SqlSession> SqlSession::open(const ReportInfo& info)
{
    const auto same = unchangedOnDisk(info);
    return same.ok() ? open(info.path) : same.error();
}

Result<SqlSession> SqlSession::open(const std::string& path)
{
    auto file = sqlite::ReportFile::open(path);
    if (!file.ok())
        return file.error();
    auto database = sqlite::Database::open(file.value());
    if (!database.ok())
        return database.error();
    auto names = database.value().tables();
    if (!names.ok())
        return names.error();
    std::vector<SqlTable> stored;
    for (const std::string& name : names.value()) {
        auto columns = database.value().columns(name);
        if (!columns.ok())
            continue;
        // Tables WITHOUT ROWID have none.
        SqlTable table{name, columns.take(), false, true, {}, "rowid", {}};
        if (auto rowid = database.value().prepare("SELECT rowid FROM " + sqlite::quotedName(name));
            rowid.ok()) {
            table.source = name;
            table.rowidColumn = rowid.value().columnName(0);
        }
        stored.push_back(std::move(table));
    }
    std::vector<std::string> statements;
    std::vector<SqlTable> tables;
    for (ReadyView& view : readyViews(stored)) {
        statements.push_back(
            fmt::format("CREATE TEMP VIEW {} AS {}", sqlite::quotedName(view.table.name), view.sql));
        tables.push_back(std::move(view.table));
    }
    tables.insert(tables.end(), stored.begin(), stored.end());
    auto connection = sqlite::GuardedConnection::open(file.value(), statements);
    if (!connection.ok())
        return connection.error();
    return SqlSession(connection.take(), std::move(tables));
}

SqlAnswer SqlSession::ask(std::string_view sql, const sqlite::QueryLimits& limits, std::stop_token stop)
{
    SqlAnswer answer;
    const auto titles
        = [&](std::vector<std::string> columns) { answer.cells.columns = columnsOf(std::move(columns)); };
    const auto visit = [&](const sqlite::Row& row) {
        std::vector<Cell> cells;
        cells.reserve(row.columnCount());
        for (std::size_t column = 0; column < row.columnCount(); ++column)
            cells.push_back(cellOf(row, static_cast<int>(column)));
        answer.cells.addRow(std::move(cells));
    };
    sqlite::QueryOutcome outcome = m_connection.run(sql, limits, stop, titles, visit);
    answer.problem = outcome.problem + nameSuggestion(sql, outcome.problem.english(), m_tables);
    answer.place = outcome.place;
    answer.isComplete = outcome.end == QueryEnd::Done;
    answer.note = noteOf(outcome.end, limits, answer.cells.rowCount());
    return answer;
}

Message problemText(std::string_view sql, const SqlAnswer& answer)
{
    if (!answer.place)
        return answer.problem;
    const std::size_t place = std::min(*answer.place, sql.size());
    const std::size_t before = place == 0 ? std::string_view::npos : sql.rfind('\n', place - 1);
    const std::size_t first = before == std::string_view::npos ? 0 : before + 1;
    const std::string line = toUtf8(sql.substr(first, std::min(sql.find('\n', place), sql.size()) - first));
    const std::string lead = toUtf8(sql.substr(first, place - first));
    const auto column = std::ranges::count_if(lead, std::not_fn(isWithinLetter));
    return linesOf(answer.problem, fmt::format("  {}\n  {:>{}}", line, '^', column + 1));
}

} // namespace warpline
