#include "core/import/schema.h"

#include "core/import/known_tables.h"

#include <algorithm>
#include <limits>

namespace warpline {

namespace {

constexpr std::int64_t countExactlyBelow = 200'000;

Error foreignDatabase(const std::string& path, const std::vector<std::string>& names)
{
    if (names.empty())
        return {"file.no_tables",
            "{path} has no tables: nsys export was interrupted or is still running. Wait until it ends and open the file again, or export the report again: nsys export --type sqlite --force-overwrite=true.",
            {{"path", Name{path}}}};
    std::string found;
    for (std::size_t i = 0; i < std::min<std::size_t>(names.size(), 4); ++i)
        found += (i ? ", " : "") + names[i];
    if (names.size() > 4)
        found += ", ...";
    return {"file.other_database",
        "{path} is an SQLite database of another program, not an Nsight Systems export (its tables: {tables}). Open a file made with nsys export --type sqlite.",
        {{"path", Name{path}}, {"tables", Name{found}}}};
}

/// How many rows `table` has; 0 where it cannot be read, which the importer that reads it reports.
std::uint64_t countOf(sqlite::Database& report, std::string_view table)
{
    const auto rows = report.integer("SELECT count(*) FROM " + sqlite::quotedName(table));
    return rows.ok() ? static_cast<std::uint64_t>(rows.value().value_or(0)) : 0;
}

} // namespace

Result<Schema> Schema::probe(sqlite::Database& report, const std::string& path)
{
    auto names = report.tables();
    if (!names.ok())
        return names.error();
    if (std::ranges::none_of(names.value(), provesReport))
        return foreignDatabase(path, names.value());

    Schema schema;
    for (const std::string& name : names.value()) {
        auto columns = report.columns(name);
        if (!columns.ok())
            return columns.error();
        Table table;
        for (const auto& column : columns.value())
            table.columns.push_back(column.name);
        const std::string quotedName = sqlite::quotedName(name);
        // Views and tables without rowids fail here; unreadable tables report it when their rows are read.
        const auto first = report.integer("SELECT min(rowid) FROM " + quotedName);
        table.hasRowId = first.ok() && first.value().has_value();
        if (table.hasRowId) {
            table.firstRow = *first.value();
            const auto last = report.integer("SELECT max(rowid) FROM " + quotedName);
            table.lastRow = last.ok() ? last.value().value_or(table.firstRow) : table.firstRow;
            table.rows
                = static_cast<std::uint64_t>(table.lastRow) - static_cast<std::uint64_t>(table.firstRow);
            table.rows += table.rows < std::numeric_limits<std::uint64_t>::max() ? 1 : 0;
        }
        // Most rowids have no gaps, and counting reads the whole table, so large tables are counted while
        // they are read.
        table.counted = !table.hasRowId || table.rows < countExactlyBelow;
        if (table.counted)
            table.rows = countOf(report, name);
        schema.m_tables.emplace(name, std::move(table));
    }
    return schema;
}

const Schema::Table* Schema::find(std::string_view table) const
{
    const auto found = m_tables.find(table);
    return found != m_tables.end() ? &found->second : nullptr;
}

bool Schema::has(std::string_view table, std::string_view column) const
{
    const Table* const found = find(table);
    return found && std::ranges::find(found->columns, column) != found->columns.end();
}

void Schema::setRows(std::string_view table, std::uint64_t rows)
{
    if (const auto found = m_tables.find(table); found != m_tables.end()) {
        found->second.rows = rows;
        found->second.counted = true;
    }
}

void Schema::setLeftToSqlite(std::string_view table, std::string why)
{
    if (const auto found = m_tables.find(table); found != m_tables.end())
        found->second.leftToSqlite = std::move(why);
}

void Schema::countRest(sqlite::Database& report)
{
    for (auto& [name, table] : m_tables) {
        if (!table.counted)
            setRows(name, countOf(report, name));
    }
}

} // namespace warpline
