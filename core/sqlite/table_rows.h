#pragma once

#include "core/base/result.h"
#include "core/sqlite/database.h"
#include "core/sqlite/page_table.h"
#include "core/sqlite/row.h"

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpline::sqlite {

/// The columns to read of a table, and the way: from the file's pages where the table is plain, else by
/// SQLite statements. Immutable; thread-safe.
class TableSource {
public:
    /// Rows have the rowid in column 0 (0 where the table has none), then `columns` in order; NULL for those
    /// that `present` lacks. `where`: an SQL condition for rows; empty: all. `pages` may be null.
    TableSource(std::shared_ptr<const PagedFile> pages, Database& report, std::string_view table,
        std::span<const std::string_view> columns, std::span<const std::string> present,
        std::string_view where, bool hasRowId);

    /// Null where SQLite must read.
    const PageTable* pages() const { return m_pages.get(); }
    /// Why SQLite read this table, or a part of it, as the end of a sentence; empty when it did not, or when
    /// a condition required it.
    std::string leftToSqlite() const { return m_damaged ? "its pages are damaged" : m_whyNot; }
    /// For readers: pages turned out not to be as they should be.
    void tellDamaged() const { m_damaged = true; }
    /// The statement that reads rows with rowids of [first, last].
    std::string sql(std::int64_t first, std::int64_t last) const;
    std::size_t columnCount() const { return m_columnCount; }

private:
    std::unique_ptr<const PageTable> m_pages;
    std::string m_whyNot;
    mutable std::atomic<bool> m_damaged = false;
    std::string m_select;
    std::string m_where;
    std::size_t m_columnCount;
    bool m_hasRowId;
};

/// The rows of a table with rowids of [first, last], one after another. Where pages turn out not to be as
/// they should be, SQLite reads on. For one thread.
class TableRows {
public:
    enum class Step : std::uint8_t { Row, Done, Failed };

    TableRows(const TableSource& source, Database& report, std::int64_t first, std::int64_t last);

    /// Moves to the next row. Failed: see error().
    Step next()
    {
        if (m_pages && m_pages->next() == PageRows::Step::Row)
            return Step::Row;
        return nextOtherwise();
    }
    /// The current row; texts stay until the next step.
    const Row& row() const { return m_pages ? m_pages->row() : m_row; }
    const Error& error() const { return m_error; }

private:
    Step nextOtherwise();
    Step startStatement(std::int64_t first);

    const TableSource& m_source;
    Database& m_report;
    std::int64_t m_first;
    std::int64_t m_last;
    std::optional<PageRows> m_pages;
    std::optional<Statement> m_statement;
    Row m_row;
    Error m_error;
};

} // namespace warpline::sqlite
