#include "core/sqlite/table_rows.h"

#include <algorithm>
#include <limits>

namespace warpline::sqlite {

namespace {

std::string selectOf(std::string_view table, std::span<const std::string_view> columns,
    std::span<const std::string> present, bool hasRowId)
{
    std::string sql = hasRowId ? "SELECT rowid" : "SELECT 0";
    for (const std::string_view column : columns)
        sql += std::ranges::find(present, column) != present.end() ? ", " + quotedName(column) : ", NULL";
    return sql + " FROM " + quotedName(table);
}

} // namespace

TableSource::TableSource(std::shared_ptr<const PagedFile> pages, Database& report, std::string_view table,
    std::span<const std::string_view> columns, std::span<const std::string> present, std::string_view where,
    bool hasRowId)
    : m_select(selectOf(table, columns, present, hasRowId)),
      m_where(where),
      m_columnCount(columns.size() + 1),
      m_hasRowId(hasRowId)
{
    if (!hasRowId)
        m_whyNot = "it is not a plain table";
    else if (pages && where.empty())
        m_pages = PageTable::open(std::move(pages), report, table, columns, m_whyNot);
}

std::string TableSource::sql(std::int64_t first, std::int64_t last) const
{
    std::string condition;
    if (m_hasRowId)
        condition = "rowid BETWEEN " + std::to_string(first) + " AND " + std::to_string(last);
    if (!m_where.empty())
        condition += (condition.empty() ? "" : " AND ") + std::string("(") + m_where + ")";
    return condition.empty() ? m_select : m_select + " WHERE " + condition;
}

TableRows::TableRows(const TableSource& source, Database& report, std::int64_t first, std::int64_t last)
    : m_source(source),
      m_report(report),
      m_first(first),
      m_last(last),
      m_row(source.columnCount())
{
    if (source.pages())
        m_pages.emplace(*source.pages(), first, last);
}

TableRows::Step TableRows::nextOtherwise()
{
    if (m_pages) {
        if (!m_pages->isDeclined()) {
            if (m_source.pages()->file().isUnchanged())
                return Step::Done;
            m_error = {"file.changed",
                "{path}: the file changed while Warpline read it. Wait until the program that writes it has ended, and open it again.",
                {{"path", Name{m_report.path()}}}};
            return Step::Failed;
        }
        m_source.tellDamaged();
        const auto last = m_pages->lastRow();
        m_pages.reset();
        if (last && *last == std::numeric_limits<std::int64_t>::max())
            return Step::Done;
        return startStatement(last ? std::max(m_first, *last + 1) : m_first);
    }
    if (!m_statement)
        return startStatement(m_first);
    const Statement::Step step = m_statement->step();
    if (step == Statement::Step::Row) {
        m_statement->copyTo(m_row);
        return Step::Row;
    }
    if (step == Statement::Step::Done)
        return Step::Done;
    m_error = m_statement->error();
    return Step::Failed;
}

TableRows::Step TableRows::startStatement(std::int64_t first)
{
    auto query = m_report.prepare(m_source.sql(first, m_last));
    if (!query.ok()) {
        m_error = query.error();
        return Step::Failed;
    }
    m_statement.emplace(query.take());
    return nextOtherwise();
}

} // namespace warpline::sqlite
