#include "core/import/string_table.h"

#include "core/sqlite/table_rows.h"

#include <array>
#include <utility>

namespace warpline {

namespace {

constexpr std::int64_t denseLimit = 1 << 22; // 16 MB of ids at most
constexpr StringId absent{noIndex};

} // namespace

Result<StringTable> StringTable::read(const std::shared_ptr<const sqlite::PagedFile>& pages,
    sqlite::Database& report, Schema& schema, StringPool& pool)
{
    constexpr std::string_view name = "StringIds";
    constexpr std::array<std::string_view, 2> columns{"id", "value"};
    StringTable table;
    table.m_missingText = pool.intern(missingName);
    const Schema::Table* const known = schema.find(name);
    if (!known)
        return table;
    const sqlite::TableSource source(pages, report, name, columns, known->columns, {}, known->hasRowId);
    sqlite::TableRows rows(source, report, known->firstRow, known->lastRow);
    sqlite::TableRows::Step step = sqlite::TableRows::Step::Row;
    while ((step = rows.next()) == sqlite::TableRows::Step::Row) {
        const std::int64_t id = rows.row().integer(1);
        const StringId text = pool.intern(rows.row().text(2));
        ++table.m_rows;
        if (id < 0 || id >= denseLimit) {
            StringId& place = table.m_sparse.try_emplace(id, text).first->second;
            table.m_redefined += place != text ? 1 : 0;
            place = text;
            continue;
        }
        const auto place = static_cast<std::size_t>(id);
        if (place >= table.m_dense.size())
            table.m_dense.resize(place + 1, absent);
        const StringId before = std::exchange(table.m_dense[place], text);
        table.m_redefined += before != absent && before != text ? 1 : 0;
    }
    if (step == sqlite::TableRows::Step::Failed)
        return rows.error();
    schema.setLeftToSqlite(name, source.leftToSqlite());
    schema.setRows(name, table.m_rows);
    return table;
}

StringId StringTable::at(std::int64_t id, bool& missing) const
{
    if (id >= 0 && static_cast<std::size_t>(id) < m_dense.size()) {
        const StringId text = m_dense[static_cast<std::size_t>(id)];
        if (text != absent)
            return text;
    } else if (const auto found = m_sparse.find(id); found != m_sparse.end()) {
        return found->second;
    }
    missing = true;
    return m_missingText;
}

} // namespace warpline
