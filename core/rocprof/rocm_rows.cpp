#include "core/rocprof/rocm_rows.h"

#include "core/base/ascii_case.h"
#include "core/base/message_names.h"
#include "core/base/stop.h"

#include <set>

namespace warpline {

namespace {

Error notPlain(const std::string& file, const std::string& table, bool isView)
{
    return {"rocpd.not_plain",
        "{file}: {table} is a {view, select, yes {view} other {table with computed columns}}, where the profiler writes a plain table.",
        {{"file", Name{file}}, {"table", Name{table}}, {"view", yesOrNo(isView)}}};
}

/// No table in a file of `report` has more rows: each takes five bytes at least.
Result<std::uint64_t> mostRows(sqlite::Database& report)
{
    constexpr std::int64_t leastBytes = 5;
    const auto bytes
        = report.integer("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size");
    if (!bytes.ok())
        return bytes.error();
    return static_cast<std::uint64_t>(bytes.value().value_or(0) / leastBytes);
}

} // namespace

Result<void> RocmRows::checkTables(std::span<const std::string> tables) const
{
    std::set<std::string> views; // SQLite's names do not distinguish case
    auto statement = report.prepare("SELECT name FROM sqlite_master WHERE type = 'view'");
    while (statement.ok() && statement.value().step() == sqlite::Statement::Step::Row)
        views.insert(lowered(statement.value().text(0)));
    for (const std::string& table : tables) {
        if (views.contains(lowered(table)))
            return notPlain(report.path(), table, true);
        const auto computed = report.integer(
            "SELECT count(*) FROM pragma_table_xinfo('" + sqlite::escaped(table) + "') WHERE hidden > 1");
        if (!computed.ok())
            return computed.error();
        if (computed.value().value_or(0) > 0)
            return notPlain(report.path(), table, false);
    }
    return {};
}

Result<void> RocmRows::visit(std::string_view table, const std::string& sql,
    const std::function<void(const sqlite::Statement&)>& visitRow) const
{
    constexpr std::uint64_t progressRows = 4096;
    auto rows = report.prepare(sql);
    if (!rows.ok())
        return rows.error();
    const auto most = mostRows(report);
    if (!most.ok())
        return most.error();
    events.setTable(table);
    std::uint64_t count = 0;
    sqlite::Statement::Step step = sqlite::Statement::Step::Row;
    while ((step = rows.value().step()) == sqlite::Statement::Step::Row) {
        if (count == most.value())
            return Error{"rocpd.too_many_rows",
                "{file}: {table} gives more rows than the file has room for. Ids that are joined probably occur often.",
                {{"file", Name{report.path()}}, {"table", Name{std::string(table)}}}};
        visitRow(rows.value());
        if (++count % progressRows == 0) {
            rowsRead(progressRows);
            throwIfStopped(stop);
        }
    }
    throwIfStopped(stop);
    rowsRead(count % progressRows);
    events.countRows(table, count, true);
    return step == sqlite::Statement::Step::Failed ? Result<void>(rows.value().error()) : Result<void>();
}

void RocmRows::countUnread(std::span<const std::string> tables, std::span<const std::string> read) const
{
    const std::set<std::string_view> known(read.begin(), read.end());
    for (const std::string& table : tables) {
        if (!table.starts_with("rocpd_") || known.contains(table))
            continue;
        if (const auto rows = report.integer("SELECT count(*) FROM " + sqlite::quotedName(table)); rows.ok())
            events.countRows(table, static_cast<std::uint64_t>(rows.value().value_or(0)), false);
    }
}

} // namespace warpline
