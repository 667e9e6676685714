#pragma once

#include "core/base/parallel.h"
#include "core/import/import_log.h"
#include "core/import/importer.h"
#include "core/import/known_tables.h"
#include "core/import/progress.h"
#include "core/import/snapshots.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpline {

/// A run of rowids, [first, last], that one thread reads.
struct RowShare {
    std::int64_t first = 0;
    std::int64_t last = -1;
};

/// Splits the rows of `table` among `threads`; one share when the table is small.
std::vector<RowShare> shareRows(const Schema::Table& table, unsigned threads);

/// How many rows `share` of a table in a file of `fileBytes` may have: rowids can have large holes, but a row
/// takes some bytes.
std::size_t expectedRows(const RowShare& share, std::uint64_t fileBytes);

/// Reads `share` of `table`, calling `read(statement)` for each row. Column 0 is the rowid, then `columns` in
/// order. `where` may be empty or "WHERE ..."-less condition. `pause()` is called now and then between rows.
/// Returns the number of rows read.
template <typename Read, typename Pause>
Result<std::uint64_t> scanShare(const ImportJob& job, sqlite::Database& report, std::string_view table,
    std::span<const std::string_view> columns, std::string_view where, const RowShare& share, Read&& read,
    Pause&& pause)
{
    const Schema::Table& known = *job.schema.find(table);
    assert(isKnownTable(table)); // else it is told as not read, and its rows are missing from the progress
    std::string sql = std::string("SELECT ") + (known.hasRowId ? "rowid, " : "0, ")
        + job.schema.selectList(table, columns) + " FROM " + sqlite::quoted(table);
    std::string condition;
    if (known.hasRowId)
        condition = "rowid BETWEEN " + std::to_string(share.first) + " AND " + std::to_string(share.last);
    if (!where.empty())
        condition += (condition.empty() ? "" : " AND ") + std::string("(") + std::string(where) + ")";
    if (!condition.empty())
        sql += " WHERE " + condition;
    auto query = report.prepare(sql);
    if (!query.ok())
        return query.error();
    sqlite::Statement& row = query.value();
    constexpr std::uint64_t rowsPerReport = 4096;
    std::uint64_t rows = 0;
    sqlite::Statement::Step step = sqlite::Statement::Step::Row;
    while ((step = row.step()) == sqlite::Statement::Step::Row) {
        read(row);
        if (++rows % rowsPerReport == 0) {
            job.progress.add(rowsPerReport);
            if (job.stop.stop_requested())
                return rows;
            pause();
        }
    }
    job.progress.add(rows % rowsPerReport);
    if (step == sqlite::Statement::Step::Failed)
        return row.error();
    return rows;
}

/// Does nothing between rows.
struct ReadOn {
    void operator()() const { }
};

/// Reads all rows of `table` on this thread.
template <typename Read, typename Pause = ReadOn>
Result<std::uint64_t> scanTable(const ImportJob& job, std::string_view table,
    std::span<const std::string_view> columns, std::string_view where, Read&& read, Pause pause = {})
{
    const Schema::Table* const known = job.schema.find(table);
    if (!known)
        return std::uint64_t{0};
    const RowShare all{known->firstRow, known->lastRow};
    auto rows = scanShare(job, job.report, table, columns, where, all, std::forward<Read>(read), pause);
    if (rows.ok() && where.empty() && !job.stop.stop_requested())
        job.schema.setRows(table, rows.value());
    return rows;
}

/// Publishes `table()`, a table of which `rows` rows were read so far, when it is time to show something.
/// Nothing when that is null.
template <typename Table> void publishWhenDue(const ImportJob& job, std::uint64_t rows, Table&& table)
{
    if (!job.snapshots.due(rows))
        return;
    if (auto part = table()) {
        job.trace.setTable(std::move(part));
        job.snapshots.publish();
    }
}

/// Reads `table` with several connections side by side. Each thread fills a Part of its own, made by
/// `make()`, by Part::read(const sqlite::Statement&); the parts come back in the order of their rows. While
/// that goes on, what the first thread has read is published now and then: `finish(Part)` makes a table of a
/// copy of its part, or null.
template <typename Part, typename Make, typename Finish>
Result<std::vector<std::unique_ptr<Part>>> scanInParts(ImportJob& job, std::string_view table,
    std::span<const std::string_view> columns, Make&& make, Finish&& finish)
{
    std::vector<std::unique_ptr<Part>> parts;
    const Schema::Table* const known = job.schema.find(table);
    if (!known)
        return parts;
    const std::vector<RowShare> shares = shareRows(*known, job.threads);
    std::vector<std::optional<Error>> errors(shares.size());
    std::atomic<std::uint64_t> rows{0};
    for (std::size_t i = 0; i < shares.size(); ++i) {
        // The others are appended to the first part: it gets room for all.
        const RowShare& expected = i == 0 ? RowShare{known->firstRow, known->lastRow} : shares[i];
        parts.push_back(make());
        parts.back()->builder.reserve(expectedRows(expected, job.file.bytes()));
    }
    const auto readShare = [&](std::size_t i, sqlite::Database& report) {
        Part& part = *parts[i];
        auto read = scanShare(
            job, report, table, columns, {}, shares[i],
            [&part](const sqlite::Statement& row) { part.read(row); },
            [&] {
                if (i == 0)
                    publishWhenDue(job, part.builder.size(), [&] { return finish(Part(part)); });
            });
        if (read.ok())
            rows += read.value();
        else
            errors[i] = read.error();
    };
    Helpers others;
    for (std::size_t i = 1; i < shares.size(); ++i) {
        others.start([&, i] {
            auto report = sqlite::Database::open(job.file);
            if (report.ok())
                readShare(i, report.value());
            else
                errors[i] = report.error();
        });
    }
    others.run([&] { readShare(0, job.report); });
    others.join();
    for (const auto& error : errors) {
        if (error)
            return *error;
    }
    if (!job.stop.stop_requested())
        job.schema.setRows(table, rows);
    return parts;
}

/// Counts what is wrong with rows of one table, and repairs it. One per thread.
class RowChecks {
public:
    /// False when the row has no usable start: it must be left out. An end before the start, or none, becomes
    /// the start. Columns `startColumn` and `endColumn` of `row`; endColumn < 0: an event without length.
    bool times(const sqlite::Statement& row, int startColumn, int endColumn, Ns& start, Ns& end);
    /// The string of column `column`: an id into StringIds.
    StringId name(const StringTable& strings, const sqlite::Statement& row, int column);
    /// A correlation id as 32 bits; 0 (none) for NULL, 0 and what does not fit.
    std::uint32_t correlation(const sqlite::Statement& row, int column);
    void logTo(ImportLog& log, std::string_view table) const;
    void add(const RowChecks& other);

private:
    std::uint64_t m_noStart = 0;
    std::uint64_t m_noEnd = 0;
    std::uint64_t m_endsBeforeStart = 0;
    std::uint64_t m_outOfRange = 0;
    std::uint64_t m_noName = 0;
    std::uint64_t m_wideCorrelation = 0;
};

/// The call stack's id of column `column` as stored in EventTable::callchain: one more than the report's; 0
/// for NULL and what does not fit.
std::uint32_t callchainOf(const sqlite::Statement& row, int column);

/// The rowid (column 0) as stored in EventTable::sourceRow; 0 when it does not fit.
std::uint32_t sourceRowOf(const sqlite::Statement& row);

} // namespace warpline
