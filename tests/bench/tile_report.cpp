// Each table of events is repeated with one INSERT ... SELECT over (repetitions x rows of the source), so
// SQLite moves the rows without handing them to this program. The target starts as a copy of the source and
// is the first repetition.

#include "tests/bench/tile_report.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace fs = std::filesystem;

namespace warpline::bench {

namespace {

constexpr std::array<std::string_view, 6> timeColumns{
    "start", "end", "timestamp", "rawTimestamp", "startedAt", "endedAt"};
constexpr std::array<std::string_view, 2> beginColumns{"start", "timestamp"};
/// Tables with times about the whole recording, which are not repeated.
constexpr std::array<std::string_view, 3> notRepeated{"DIAGNOSTIC_EVENT", "ANALYSIS_DETAILS", "FECS_EVENTS"};
/// Tables without times whose rows belong to repeated rows.
constexpr std::array<std::string_view, 2> belongingRows{
    "SAMPLING_CALLCHAINS", "CUPTI_ACTIVITY_KIND_CUDA_EVENT"};
constexpr std::int64_t threadStep
    = 100'000; // far above the thread ids of a machine, and 24 bits have room for 160
constexpr std::int64_t streamStep = 1'000;

class Target {
public:
    static Result<Target> create(const TileOptions& options)
    {
        std::error_code error;
        fs::remove(options.target, error);
        fs::copy_file(options.source, options.target, error);
        if (error)
            return Error{
                Message("cannot copy " + options.source + " to " + options.target + ": " + error.message())};
        fs::permissions(options.target, fs::perms::owner_write, fs::perm_options::add, error);
        sqlite3* handle = nullptr;
        const int code = sqlite3_open_v2(
            options.target.c_str(), &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_URI, nullptr);
        Target target(handle);
        if (code != SQLITE_OK)
            return Error{Message(options.target + ": " + sqlite3_errmsg(handle))};
        // On failure the file is created again: no journal, no waiting for the disk.
        auto ready
            = target.run("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE;"
                         "PRAGMA cache_size=-65536");
        if (!ready.ok())
            return ready.error();
        ready = target.run("ATTACH "
            + quotedText("file:" + fs::absolute(options.source).string() + "?mode=ro&immutable=1")
            + " AS source");
        if (!ready.ok())
            return ready.error();
        return target;
    }

    Result<void> run(const std::string& sql)
    {
        char* message = nullptr;
        if (sqlite3_exec(m_handle.get(), sql.c_str(), nullptr, nullptr, &message) == SQLITE_OK)
            return {};
        const std::string reason = message ? message : "unknown";
        sqlite3_free(message);
        return Error{Message(reason + " in: " + sql)};
    }

    std::uint64_t changes() const
    {
        return static_cast<std::uint64_t>(sqlite3_total_changes64(m_handle.get()));
    }

    /// All rows of `sql` as text; NULL is empty.
    std::vector<std::vector<std::string>> rows(const std::string& sql)
    {
        std::vector<std::vector<std::string>> found;
        sqlite3_stmt* statement = nullptr;
        sqlite3_prepare_v2(m_handle.get(), sql.c_str(), -1, &statement, nullptr);
        while (statement && sqlite3_step(statement) == SQLITE_ROW) {
            std::vector<std::string> row;
            for (int i = 0; i < sqlite3_column_count(statement); ++i) {
                const auto* const text = reinterpret_cast<const char*>(sqlite3_column_text(statement, i));
                row.emplace_back(text ? text : "");
            }
            found.push_back(std::move(row));
        }
        sqlite3_finalize(statement);
        return found;
    }

    std::optional<std::int64_t> integer(const std::string& sql)
    {
        const auto found = rows(sql);
        if (found.empty() || found[0][0].empty())
            return std::nullopt;
        return std::stoll(found[0][0]);
    }

    static std::string quotedText(const std::string& text)
    {
        std::string sql = "'";
        for (const char c : text)
            sql += c == '\'' ? std::string("''") : std::string(1, c);
        return sql + "'";
    }

private:
    explicit Target(sqlite3* handle)
        : m_handle(handle, sqlite3_close)
    {
    }

    std::unique_ptr<sqlite3, int (*)(sqlite3*)> m_handle;
};

/// A table to repeat.
struct Table {
    std::string name;
    std::vector<std::string> columns;

    bool has(std::string_view column) const { return std::ranges::find(columns, column) != columns.end(); }
    std::string begin() const
    {
        for (const std::string_view column : beginColumns) {
            if (has(column))
                return std::string(column);
        }
        return {};
    }
};

std::string sqlName(const std::string& name)
{
    return '"' + name + '"';
}

std::vector<Table> tablesToRepeat(Target& target)
{
    std::vector<Table> tables;
    for (const auto& row : target.rows("SELECT name FROM source.sqlite_master WHERE type = 'table'")) {
        Table table{row[0], {}};
        for (const auto& column : target.rows("PRAGMA source.table_info(" + sqlName(table.name) + ")"))
            table.columns.push_back(column[1]);
        const bool timed
            = !table.begin().empty() || std::ranges::find(belongingRows, table.name) != belongingRows.end();
        if (timed && std::ranges::find(notRepeated, table.name) == notRepeated.end())
            tables.push_back(std::move(table));
    }
    return tables;
}

/// The differences of a repetition from the source.
struct Shift {
    std::int64_t span = 0; ///< ns from one repetition to the next
    std::int64_t correlations = 0; ///< ids from one repetition to the next
    std::int64_t samples = 0; ///< ids of COMPOSITE_EVENTS
    std::int64_t groups = 1; ///< repetitions at the same time, on streams and threads of their own
};

Shift measure(Target& target, const std::vector<Table>& tables, std::uint32_t streams)
{
    std::int64_t first = 0;
    std::int64_t last = 0;
    bool any = false;
    Shift shift;
    for (const Table& table : tables) {
        const std::string from = " FROM source." + sqlName(table.name);
        if (table.has("correlationId"))
            shift.correlations = std::max(
                shift.correlations, target.integer("SELECT max(correlationId)" + from).value_or(0) + 1);
        const std::string begin = table.begin();
        const auto lowest = begin.empty() ? std::nullopt : target.integer("SELECT min(" + begin + ")" + from);
        if (!lowest)
            continue;
        const std::string end = table.has("end") ? "ifnull(\"end\", start)" : begin;
        const std::int64_t highest = target.integer("SELECT max(" + end + ")" + from).value_or(*lowest);
        first = any ? std::min(first, *lowest) : *lowest;
        last = any ? std::max(last, highest) : highest;
        any = true;
    }
    shift.span = last - first + 1'000; // a breath of 1 us between repetitions
    shift.samples = target.integer("SELECT max(id) FROM source.COMPOSITE_EVENTS").value_or(0) + 1;
    const auto has = target.integer("SELECT count(DISTINCT streamId) FROM source.CUPTI_ACTIVITY_KIND_KERNEL");
    if (streams > 0 && has && *has > 0)
        shift.groups = std::max<std::int64_t>(1, (streams + *has - 1) / *has);
    return shift;
}

/// The value of `column` in repetition `tile.n`.
std::string shifted(const Table& table, const std::string& column, const Shift& shift)
{
    const std::string name = "e." + sqlName(column);
    const std::string groups = std::to_string(shift.groups);
    if (std::ranges::find(timeColumns, column) != timeColumns.end())
        return name + " + tile.n / " + groups + " * " + std::to_string(shift.span);
    if (column == "correlationId")
        return "CASE WHEN " + name + " > 0 THEN " + name + " + tile.n * " + std::to_string(shift.correlations)
            + " ELSE " + name + " END";
    if (column == "id" && (table.name == "COMPOSITE_EVENTS" || table.name == "SAMPLING_CALLCHAINS"))
        return name + " + tile.n * " + std::to_string(shift.samples);
    if (shift.groups > 1 && column == "streamId")
        return name + " + tile.n % " + groups + " * " + std::to_string(streamStep);
    if (shift.groups > 1 && (column == "globalTid" || column == "endGlobalTid"))
        return name + " + tile.n % " + groups + " * " + std::to_string(threadStep);
    return name;
}

/// Rows that belong in every repetition: NVTX rows that name things, and ranges left open, belong in the
/// first only.
std::string conditionOf(const Table& table)
{
    if (table.name != "NVTX_EVENTS" || !table.has("eventType"))
        return {};
    return " WHERE e.eventType = 34 OR (e.eventType IN (59, 60) AND e.\"end\" IS NOT NULL)";
}

std::string insertOf(const Table& table, const Shift& shift, std::uint64_t tiles)
{
    std::string names;
    std::string values;
    for (const std::string& column : table.columns) {
        names += (names.empty() ? "" : ", ") + sqlName(column);
        values += (values.empty() ? "" : ", ") + shifted(table, column, shift);
    }
    // CROSS JOIN keeps this order: all rows of one repetition, then the next, so rowids grow with time.
    return "INSERT INTO main." + sqlName(table.name) + " (" + names
        + ") WITH RECURSIVE tile(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM tile WHERE n < "
        + std::to_string(tiles - 1) + ") SELECT " + values + " FROM tile CROSS JOIN source."
        + sqlName(table.name) + " e" + conditionOf(table);
}

} // namespace

Result<TileResult> tileReport(const TileOptions& options)
{
    auto created = Target::create(options);
    if (!created.ok())
        return created.error();
    Target target = created.take();
    const auto rowsOf = [&](const std::string& table) {
        return static_cast<std::uint64_t>(target.integer("SELECT count(*) FROM source." + table).value_or(0));
    };
    const std::uint64_t kernels = rowsOf("CUPTI_ACTIVITY_KIND_KERNEL");
    const std::uint64_t unit = kernels > 0 ? kernels : rowsOf("CUPTI_ACTIVITY_KIND_RUNTIME");
    if (unit == 0)
        return Error{Message(options.source + " has neither kernels nor API calls to repeat")};
    TileResult result;
    result.tiles = std::max<std::uint64_t>(1, (options.kernels + unit - 1) / unit);
    result.kernels = result.tiles * kernels;
    const std::vector<Table> tables = tablesToRepeat(target);
    const Shift shift = measure(target, tables, options.streams);
    constexpr std::int64_t maxIds = 0xFFFFFFFF; // ids are 32 bits wide
    if (shift.correlations * static_cast<std::int64_t>(result.tiles) > maxIds)
        return Error{Message(
            "so many repetitions need more correlation ids than there are; choose a smaller source or size")};
    if (auto begun = target.run("BEGIN"); !begun.ok())
        return begun.error();
    const std::uint64_t before = target.changes();
    for (const Table& table : tables) {
        if (result.tiles == 1)
            break;
        if (auto inserted = target.run(insertOf(table, shift, result.tiles)); !inserted.ok())
            return inserted.error();
    }
    result.rows = target.changes() - before;
    if (auto done = target.run("COMMIT"); !done.ok())
        return done.error();
    return result;
}

} // namespace warpline::bench
