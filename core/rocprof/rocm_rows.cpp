#include "core/rocprof/rocm_rows.h"

#include "core/base/ascii_case.h"
#include "core/base/stop.h"

namespace warpline {

namespace {

Error notPlain(const std::string& file, const std::string& table, std::string_view what)
{
    return {"rocpd.not_plain",
        "{file}: {table} is {what, select, view {a view} computed {a table with computed columns} "
        "other {a table without the key `id`}}, where the profiler writes a plain table.",
        {{"file", Name{file}}, {"table", Name{table}}, {"what", Name{std::string(what)}}}};
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

Result<RocmSchema> RocmSchema::of(sqlite::Database& report)
{
    auto tables = report.prepare(
        "SELECT name, 1, 0, 1 FROM sqlite_master WHERE type = 'view' UNION ALL "
        "SELECT m.name, 0, max(c.hidden > 1), max(c.pk = 1 AND lower(c.name) = 'id') "
        "FROM sqlite_master m, pragma_table_xinfo(m.name) c WHERE m.type = 'table' GROUP BY m.name");
    if (!tables.ok())
        return tables.error();
    enum At : int { AtName, AtView, AtComputed, AtKey };
    RocmSchema schema;
    schema.m_file = report.path();
    sqlite::Statement::Step step = sqlite::Statement::Step::Row;
    while ((step = tables.value().step()) == sqlite::Statement::Step::Row) {
        const std::string name = lowered(tables.value().text(AtName));
        if (tables.value().integer(AtView) != 0 || tables.value().integer(AtComputed) != 0)
            schema.m_odd[name] = tables.value().integer(AtView) != 0 ? "view" : "computed";
        if (tables.value().integer(AtKey) == 0)
            schema.m_keyless.insert(name);
    }
    if (step == sqlite::Statement::Step::Failed)
        return tables.value().error();
    return schema;
}

Result<void> RocmSchema::check(const std::string& table, bool hasKey) const
{
    const std::string name = lowered(table);
    if (const auto odd = m_odd.find(name); odd != m_odd.end())
        return notPlain(m_file, table, odd->second);
    if (hasKey && m_keyless.contains(name))
        return notPlain(m_file, table, "keyless");
    return {};
}

Result<void> visitRocmRows(sqlite::Database& report, std::string_view table, const std::string& sql,
    RocmEvents& events, const std::function<void(std::uint64_t)>& rowsRead, const std::stop_token& stop,
    const std::function<void(const sqlite::Statement&)>& visit)
{
    constexpr std::uint64_t progressRows = 4096;
    auto rows = report.prepare(sql);
    if (!rows.ok())
        return rows.error();
    const auto most = mostRows(report);
    if (!most.ok())
        return most.error();
    std::uint64_t count = 0;
    sqlite::Statement::Step step = sqlite::Statement::Step::Row;
    while ((step = rows.value().step()) == sqlite::Statement::Step::Row) {
        if (count == most.value())
            return Error{"rocpd.too_many_rows",
                "{file}: {table} gives more rows than the file has room for, because ids that should be unique occur often.",
                {{"file", Name{report.path()}}, {"table", Name{std::string(table)}}}};
        visit(rows.value());
        if (++count % progressRows == 0) {
            rowsRead(progressRows);
            throwIfStopped(stop);
        }
    }
    rowsRead(count % progressRows);
    events.countRows(table, count, true);
    return step == sqlite::Statement::Step::Failed ? Result<void>(rows.value().error()) : Result<void>();
}

} // namespace warpline
