#include "core/import/scan.h"

#include <fmt/format.h>

namespace warpline {

namespace {

constexpr std::uint64_t rowsWorthAThread = 50'000;
} // namespace

std::vector<RowShare> shareRows(const Schema::Table& table, unsigned threads)
{
    // Rowids may lie anywhere: their distances need the whole of 64 bits.
    const auto low = static_cast<std::uint64_t>(table.firstRow);
    const std::uint64_t distance
        = table.lastRow > table.firstRow ? static_cast<std::uint64_t>(table.lastRow) - low : 0;
    const auto shares = table.hasRowId
        ? std::clamp<std::uint64_t>(distance / rowsWorthAThread, 1, std::max(1U, threads))
        : 1;
    std::vector<RowShare> result;
    std::int64_t first = table.firstRow;
    for (std::uint64_t i = 1; i <= shares; ++i) {
        const std::int64_t last
            = i == shares ? table.lastRow : static_cast<std::int64_t>(low + distance / shares * i - 1);
        result.push_back({first, last});
        first = static_cast<std::int64_t>(static_cast<std::uint64_t>(last) + 1); // wraps behind the last
    }
    return result;
}

sqlite::TableSource sourceOf(const ImportJob& job, std::string_view table,
    std::span<const std::string_view> columns, std::string_view where)
{
    const Schema::Table& known = *job.schema.find(table);
    assert(isKnownTable(table)); // otherwise it would be listed as not read, and be missing from the progress
    return {job.pages, job.report, table, columns, known.columns, where, known.hasRowId};
}

std::size_t expectedRows(const RowShare& share, std::uint64_t fileBytes)
{
    constexpr std::uint64_t minBytesOfRow = 8;
    if (share.last < share.first)
        return 0;
    const std::uint64_t rowIds
        = static_cast<std::uint64_t>(share.last) - static_cast<std::uint64_t>(share.first);
    return std::min(rowIds, fileBytes / minBytesOfRow) + 1;
}

bool RowChecks::times(const sqlite::Row& row, int startColumn, int endColumn, Ns& start, Ns& end)
{
    start = row.integer(startColumn);
    if (start == 0 && row.isNull(startColumn)) {
        note(ProblemKind::RowWithoutStart, row);
        return false;
    }
    end = start;
    if (endColumn >= 0) {
        end = row.integer(endColumn);
        if (end == 0 && row.isNull(endColumn)) {
            note(ProblemKind::RowWithoutEnd, row);
            end = start;
        }
    }
    if (!isPossibleTime(start) || !isPossibleTime(end)) {
        note(ProblemKind::RowTimeImpossible, row);
        return false;
    }
    if (end < start) {
        note(ProblemKind::RowEndsBeforeStart, row);
        end = start;
    }
    return true;
}

StringId RowChecks::name(const StringTable& strings, const sqlite::Row& row, int column)
{
    const std::int64_t id = row.integer(column);
    if (id == 0 && row.isNull(column))
        return StringId{};
    bool missing = false;
    const StringId text = strings.at(id, missing);
    if (missing)
        note(ProblemKind::NameMissing, row);
    return text;
}

std::uint32_t RowChecks::correlation(const sqlite::Row& row, int column)
{
    const std::int64_t id = row.integer(column);
    if (id <= 0)
        return 0;
    if (id >= noIndex) {
        note(ProblemKind::CorrelationIdTooWide, row);
        return 0;
    }
    return static_cast<std::uint32_t>(id);
}

void RowChecks::note(ProblemKind kind, const sqlite::Row& row)
{
    Tally& tally = m_tallies[kind];
    if (++tally.count == 1)
        tally.rowId = row.integer(0);
}

void RowChecks::logTo(ImportLog& log, std::string_view table) const
{
    for (const auto& [kind, tally] : m_tallies)
        log.add(
            table, kind, tally.count, tally.rowId > 0 ? fmt::format("rowid {}", tally.rowId) : std::string());
}

void RowChecks::add(const RowChecks& other)
{
    for (const auto& [kind, tally] : other.m_tallies) {
        const auto [known, isNew] = m_tallies.try_emplace(kind, tally);
        known->second.count += isNew ? 0 : tally.count;
    }
}

std::uint32_t callchainOf(const sqlite::Row& row, int column)
{
    const std::int64_t id = row.integer(column, -1);
    return id >= 0 && id < noIndex - 1 ? static_cast<std::uint32_t>(id) + 1 : 0;
}

std::uint32_t recordingOf(const sqlite::Row& row, int column)
{
    const std::int64_t id = row.integer(column, 0);
    return id > 0 && id < noIndex ? static_cast<std::uint32_t>(id) : 0;
}

std::uint32_t sourceRowOf(const sqlite::Row& row)
{
    const std::int64_t id = row.integer(0);
    return id > 0 && id < noIndex ? static_cast<std::uint32_t>(id) : 0;
}

} // namespace warpline
