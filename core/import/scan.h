#pragma once

#include "core/base/parallel.h"
#include "core/import/import_log.h"
#include "core/import/importer.h"
#include "core/import/known_tables.h"
#include "core/import/progress.h"
#include "core/import/snapshots.h"
#include "core/sqlite/table_rows.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <concepts>
#include <cstdint>
#include <map>
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

/// `columns` of `table`, ready to be read; see sqlite::TableSource.
sqlite::TableSource sourceOf(const ImportJob& job, std::string_view table,
    std::span<const std::string_view> columns, std::string_view where = {});

/// Reads `share` of a table and calls `read(row)` for each row. Column 0 is the rowid, then the columns of
/// `source` in order. Calls `pause()` regularly between rows. Returns the number of rows read.
template <typename Read, typename Pause>
Result<std::uint64_t> scanShare(const ImportJob& job, sqlite::Database& report,
    const sqlite::TableSource& source, const RowShare& share, Read&& read, Pause&& pause)
{
    sqlite::TableRows rows(source, report, share.first, share.last);
    constexpr std::uint64_t rowsPerReport = 4096;
    std::uint64_t count = 0;
    sqlite::TableRows::Step step = sqlite::TableRows::Step::Row;
    while ((step = rows.next()) == sqlite::TableRows::Step::Row) {
        read(rows.row());
        if (++count % rowsPerReport == 0) {
            job.progress.add(rowsPerReport);
            if (job.stop.stop_requested())
                return count;
            pause();
        }
    }
    job.progress.add(count % rowsPerReport);
    if (step == sqlite::TableRows::Step::Failed)
        return rows.error();
    return count;
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
    const sqlite::TableSource source = sourceOf(job, table, columns, where);
    auto rows = scanShare(job, job.report, source, all, std::forward<Read>(read), pause);
    if (where.empty())
        job.schema.setLeftToSqlite(table, source.leftToSqlite());
    if (rows.ok() && where.empty() && !job.stop.stop_requested())
        job.schema.setRows(table, rows.value());
    return rows;
}

/// Publishes `table()`, of which `rows` rows were read, when a snapshot is due. Nothing when it returns null.
template <typename Table> void publishWhenDue(const ImportJob& job, std::uint64_t rows, Table&& table)
{
    if (!job.snapshots.due(rows))
        return;
    if (auto part = table()) {
        job.trace.setTable(std::move(part));
        job.snapshots.publish();
    }
}

/// Reads `table` with several connections in parallel. Each thread fills its own Part from `make()` by
/// Part::read(const sqlite::Row&); the parts are returned in the order of their rows. Meanwhile snapshots of
/// the first thread's part are published: `finish(Part)` makes a table of a copy of it, or null.
template <typename Part, typename Make, typename Finish>
Result<std::vector<std::unique_ptr<Part>>> scanInParts(ImportJob& job, std::string_view table,
    std::span<const std::string_view> columns, Make&& make, Finish&& finish)
{
    std::vector<std::unique_ptr<Part>> parts;
    const Schema::Table* const known = job.schema.find(table);
    if (!known)
        return parts;
    const std::vector<RowShare> shares = shareRows(*known, job.threads);
    const sqlite::TableSource source = sourceOf(job, table, columns);
    std::vector<std::optional<Error>> errors(shares.size());
    std::atomic<std::uint64_t> rows{0};
    for (std::size_t i = 0; i < shares.size(); ++i) {
        parts.push_back(make());
        parts.back()->builder.reserve(expectedRows(shares[i], job.file.bytes()));
    }
    const auto readShare = [&](std::size_t i, sqlite::Database& report) {
        Part& part = *parts[i];
        auto read = scanShare(
            job, report, source, shares[i], [&part](const sqlite::Row& row) { part.read(row); },
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
    job.schema.setLeftToSqlite(table, source.leftToSqlite());
    for (const auto& error : errors) {
        if (error)
            return *error;
    }
    if (!job.stop.stop_requested())
        job.schema.setRows(table, rows);
    return parts;
}

/// Checks and repairs rows of one table, and counts the problems. One per thread.
class RowChecks {
public:
    /// False when the row has no usable start and must be left out. A missing end, or one before the start,
    /// becomes the start. Columns `startColumn` and `endColumn` of `row`; endColumn < 0: an event without
    /// length.
    bool times(const sqlite::Row& row, int startColumn, int endColumn, Ns& start, Ns& end);
    /// The string of column `column`: an id into StringIds.
    StringId name(const StringTable& strings, const sqlite::Row& row, int column);
    /// A correlation id as 32 bits; 0 (none) for NULL, 0 and numbers out of range.
    std::uint32_t correlation(const sqlite::Row& row, int column);
    void logTo(ImportLog& log, std::string_view table) const;
    void add(const RowChecks& other);

private:
    struct Tally {
        std::uint64_t count = 0;
        std::int64_t rowId = 0; ///< an example; 0: none
    };
    void note(ProblemKind kind, const sqlite::Row& row);

    std::map<ProblemKind, Tally> m_tallies;
};

/// The columns of a row that hold its times; `end` < 0: an event without length.
struct TimeColumns {
    int start;
    int end = -1;
};

/// scanTable() for events: calls `read(row, times, checks)` for each row with a usable start. Logs the
/// problems of rows.
template <typename Read, typename Pause = ReadOn>
Result<std::uint64_t> scanEvents(const ImportJob& job, std::string_view table,
    std::span<const std::string_view> columns, TimeColumns times, Read read, Pause pause = {})
{
    RowChecks checks;
    const auto readRow = [&](const sqlite::Row& row) {
        TimeRange time;
        if (checks.times(row, times.start, times.end, time.start, time.end))
            read(row, time, checks);
    };
    auto rows = scanTable(job, table, columns, {}, readRow, pause);
    if (rows.ok())
        checks.logTo(job.log, table);
    return rows;
}

/// The id of the call stack in column `column`, as in EventTable::callchain: the report's plus 1; 0 for NULL
/// and numbers out of range.
std::uint32_t callchainOf(const sqlite::Row& row, int column);

/// Column `column`, eventSyncId, as in recordingIn(): 0 for NULL, for numbers out of range, and for 2^32 - 1,
/// which CUPTI writes for waits without a known record.
std::uint32_t recordingOf(const sqlite::Row& row, int column);

/// The rowid (column 0) as stored in EventTable::sourceRow; 0 when it does not fit.
std::uint32_t sourceRowOf(const sqlite::Row& row);

} // namespace warpline
