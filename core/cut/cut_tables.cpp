#include "core/cut/cut_tables.h"

#include "core/store/nvtx_types.h"
#include "core/store/part_of_recording.h"
#include "core/store/unified_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace warpline {

namespace {

using sqlite::Database;
using sqlite::quotedName;

/// Columns with string ids in exports whose declarations do not mark them.
bool isKnownStringColumn(std::string_view column)
{
    static constexpr std::array<std::string_view, 14> names{"nameId", "demangledName", "shortName",
        "mangledName", "textId", "jsonTextId", "symbol", "module", "filenameId", "contentId", "srcFile",
        "funcName", "sourceFile", "CpuInstruction"};
    return std::ranges::find(names, column) != names.end();
}

/// Whether the table's declaration marks `column` as a reference to StringIds, by nsys' comment on the
/// column.
bool saysReference(std::string_view declaration, const std::string& column)
{
    for (std::size_t at = 0; at < declaration.size();) {
        const std::size_t end = std::min(declaration.find('\n', at), declaration.size());
        const std::string_view line = declaration.substr(at, end - at);
        const std::size_t word = line.find_first_not_of(" \t");
        if (word != std::string_view::npos && line.substr(word).starts_with(column + " ")
            && line.find("REFERENCES StringIds") != std::string_view::npos)
            return true;
        at = end + 1;
    }
    return false;
}

/// Rows of NVTX_EVENTS that name domains and categories, and belong to all times.
constexpr std::string_view nvtxNames = "t.eventType IN (33, 75)";

/// The first of `names` that the table has; nullptr when it has none.
const char* firstColumn(const CutTable& table, std::initializer_list<const char*> names)
{
    for (const char* const name : names) {
        if (table.has(name))
            return name;
    }
    return nullptr;
}

/// A table whose row holds until the next one with the same keys: it is needed in a part that begins later.
struct LastingRows {
    std::string_view table;
    std::array<std::string_view, 3> keys; ///< empty: fewer
    std::string_view release; ///< the column that is not 0 where the row ends what held; empty: none
    bool endsByNext; ///< the first row after the part is needed, too: it ends what the part has
};
constexpr std::array lastingRows{
    LastingRows{"SCHED_EVENTS", {"globalTid"}, {}, true},
    LastingRows{
        "CUDA_GPU_MEMORY_USAGE_EVENTS", {"globalPid", "deviceId", "address"}, "memoryOperationType", false},
    LastingRows{"CUDA_GPU_MEMORY_POOL_EVENTS", {"globalPid", "deviceId", "address"}, {}, false},
};

/// Selects the rows that hold when `window` begins, see LastingRows; empty: the table has none.
std::string holding(const CutTable& table, std::string_view start, TimeRange window)
{
    const auto lasting = std::ranges::find(lastingRows, table.name, &LastingRows::table);
    if (lasting == lastingRows.end())
        return {};
    std::string keys;
    for (const std::string_view key : lasting->keys) {
        if (!key.empty() && !table.has(key))
            return {};
        if (!key.empty())
            keys += fmt::format("{}coalesce({}, 0)", keys.empty() ? "" : ", ", key); // NULL is IN nothing
    }
    if (!lasting->release.empty() && !table.has(lasting->release))
        return {};
    const auto rows = [&](std::string_view which, std::string_view side, Ns edge) {
        return fmt::format(
            "({0}, {1}) IN (SELECT {0}, {2}({1}) FROM report.{3} WHERE {1} {4} {5} GROUP BY {0})", keys,
            start, which, table.name, side, edge);
    };
    const std::string before = rows("max", "<", window.start)
        + (lasting->release.empty() ? std::string() : fmt::format(" AND t.{} = 0", lasting->release));
    if (!lasting->endsByNext)
        return fmt::format(" OR ({})", before);
    // What begins after the part is not its.
    return fmt::format(" OR ({}) OR ({} AND ({}) IN (SELECT {} FROM report.{} WHERE {} < {}))", before,
        rows("min", ">=", window.end), keys, keys, table.name, start, window.end);
}

/// TimeRange::touches() in SQL; an event without an end reaches to the end of the session.
std::string touching(const CutTable& table, TimeRange window)
{
    const char* const start = firstColumn(table, {"start", "startedAt", "timestamp", "rawTimestamp"});
    if (!start)
        return {};
    const char* const end = firstColumn(table, {"end", "endedAt"});
    std::string sql = end
        ? fmt::format("t.{0} < {2} AND (t.{1} IS NULL OR t.{1} > {3} OR (t.{0} = t.{1} AND t.{0} = {3}))",
            quotedName(start), quotedName(end), window.end, window.start)
        : fmt::format("t.{0} >= {2} AND t.{0} < {1}", quotedName(start), window.end, window.start);
    sql += holding(table, start, window);
    // A mark has no end either, but it is a moment.
    if (table.name == "NVTX_EVENTS" && table.has("eventType"))
        sql = fmt::format("({}) AND (t.eventType <> {} OR t.{} >= {}) OR {}", sql, nvtxMark,
            quotedName(start), window.start, nvtxNames);
    return sql;
}

bool isFact(std::string_view name)
{
    return name.starts_with("TARGET_INFO") || name.starts_with("META_DATA") || name.starts_with("ENUM_")
        || name.starts_with("ANALYSIS") || name.starts_with("EXPORT_META") || name == "PROCESSES"
        || name == "ThreadNames" || name == "StringIds" || name == "DIAGNOSTIC_EVENT";
}

constexpr std::string_view cudaCalls = "CUPTI_ACTIVITY_KIND_RUNTIME";
/// Records of CUDA events use the time of their call; their own times are another clock's, or 0.
constexpr std::string_view eventRecords = "CUPTI_ACTIVITY_KIND_CUDA_EVENT";

/// Selects rows of a table without times by the events that were copied before.
void followEvents(CutTable& table, const std::vector<CutTable>& all)
{
    const auto refer = [&](std::string_view events, std::string_view column) {
        const auto found = std::ranges::find(all, events, &CutTable::name);
        return found != all.end() && found->has(column)
            ? fmt::format("t.id IN (SELECT {} FROM main.{})", quotedName(column), quotedName(events))
            : std::string();
    };
    if (table.name == "SAMPLING_CALLCHAINS")
        table.condition = refer("COMPOSITE_EVENTS", "id");
    else if (table.name == "OSRT_CALLCHAINS")
        table.condition = refer("OSRT_API", "callchainId");
    else if (table.name == "CUDA_CALLCHAINS")
        table.condition = refer(cudaCalls, "callchainId");
    else if (table.name == eventRecords)
        table.condition = std::ranges::find(all, cudaCalls, &CutTable::name) == all.end()
            ? std::string()
            : fmt::format("(t.correlationId, t.globalPid / 0x1000000) IN (SELECT correlationId, globalTid / "
                          "0x1000000 FROM main.{})",
                cudaCalls);
    else
        return;
    table.round = 1;
}

/// The strings that frames of samples of Python name inside their payloads, wherever the export keeps those,
/// by the function pythonNamesFunction.
std::string pythonNames(const CutTable& nvtx)
{
    std::string payloads; // as the importer takes them: the first that is there
    const auto add = [&](const char* column, std::string_view payload) {
        if (nvtx.has(column))
            payloads += fmt::format("{}{}", payloads.empty() ? "" : ", ", payload);
    };
    add("jsonText", "e.jsonText");
    add("jsonTextId", "(SELECT s.value FROM report.StringIds s WHERE s.id = e.jsonTextId)");
    if (nvtx.has("domainId"))
        add("binaryData", "e.domainId || ':' || e.binaryData");
    if (payloads.empty())
        return {};
    return fmt::format(
        " UNION SELECT named.value FROM main.NVTX_EVENTS e, json_each({}(coalesce({}, ''))) named{}",
        pythonNamesFunction, payloads,
        nvtx.has("eventType") ? fmt::format(" WHERE e.eventType = {}", nvtxMark) : std::string());
}

/// The strings that the remaining rows refer to; all where the export does not mark the columns.
std::string referredStrings(const std::vector<CutTable>& all)
{
    std::string ids;
    for (const CutTable& table : all) {
        for (const std::string& column : table.stringColumns)
            ids += fmt::format("{}SELECT {} FROM main.{}", ids.empty() ? "" : " UNION ", quotedName(column),
                quotedName(table.name));
    }
    const auto nvtx = std::ranges::find(all, "NVTX_EVENTS", &CutTable::name);
    if (!ids.empty() && nvtx != all.end())
        ids += pythonNames(*nvtx);
    return ids.empty() ? std::string() : "t.id IN (" + ids + ")";
}

Result<std::string> declarationOf(Database& report, std::string_view table)
{
    auto statement = report.prepare("SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?1");
    if (!statement.ok())
        return statement.error();
    statement.value().bind(1, table);
    return statement.value().step() == sqlite::Statement::Step::Row ? std::string(statement.value().text(0))
                                                                    : std::string();
}

} // namespace

bool CutTable::has(std::string_view column) const
{
    return std::ranges::any_of(columns, [&](const auto& each) { return each.name == column; });
}

Result<std::vector<CutTable>> cutTables(
    Database& report, const std::vector<std::string>& names, TimeRange window)
{
    std::vector<CutTable> tables;
    for (const std::string& name : names) {
        auto columns = report.columns(name);
        auto declaration = declarationOf(report, name);
        if (!columns.ok() || !declaration.ok())
            return columns.ok() ? declaration.error() : columns.error();
        CutTable table{name, columns.take(), {}, {}, 0};
        // Payloads that nsys wrote as tables of their own name functions and files so.
        const bool ofPayloads = name.starts_with("DYNAMIC_NVTXPAYLOAD_DATATYPE_");
        for (const auto& column : table.columns) {
            if (ofPayloads && (column.name == "Function" || column.name == "File"))
                table.stringColumns.push_back(column.name);
            if (saysReference(declaration.value(), column.name) || isKnownStringColumn(column.name))
                table.stringColumns.push_back(column.name);
        }
        if (!isFact(name))
            table.condition = touching(table, window);
        tables.push_back(std::move(table));
    }
    for (CutTable& table : tables)
        followEvents(table, tables);
    if (const auto strings = std::ranges::find(tables, "StringIds", &CutTable::name);
        strings != tables.end()) {
        strings->condition = referredStrings(tables);
        strings->round = 2;
    }
    std::ranges::stable_sort(tables, {}, &CutTable::round);
    return tables;
}

RecordedTimes recordedTimes(Database& report, const std::vector<CutTable>& tables)
{
    const auto rangeOf = [&](const std::string& columns, const std::string& rows) {
        auto statement = report.prepare(fmt::format("SELECT {} FROM {}", columns, rows));
        if (!statement.ok() || statement.value().step() != sqlite::Statement::Step::Row
            || statement.value().isNull(0))
            return TimeRange{};
        return TimeRange{statement.value().integer(0), statement.value().integer(1)};
    };
    const auto unite = [](TimeRange& all, TimeRange range) {
        all = all.empty() ? range : range.empty() ? all : all.unitedWith(range);
    };
    static constexpr std::array<std::string_view, 4> ofGpu{"CUPTI_ACTIVITY_KIND_KERNEL",
        "CUPTI_ACTIVITY_KIND_MEMCPY", "CUPTI_ACTIVITY_KIND_MEMSET", "CUPTI_ACTIVITY_KIND_GRAPH_TRACE"};
    const std::string possible = fmt::format("BETWEEN {} AND {}", 1 - timeLimit, timeLimit - 1);
    RecordedTimes times;
    for (const CutTable& table : tables) {
        const char* const start = table.has("start") ? "start"
            : table.name == "GPU_METRICS"            ? "timestamp"
                                                     : nullptr; // those of other tables may be other clocks'
        if (isFact(table.name) || table.round != 0 || table.name == eventRecords || !start)
            continue;
        const std::string end = table.has("end") ? "coalesce(\"end\", start)" : start;
        const std::string columns = fmt::format("min({}), max({})", start, end);
        std::string rows = fmt::format(
            "{0} t WHERE {1} {2} AND {3} {2}", sqlite::quotedName(table.name), start, possible, end);
        if (table.name == "NVTX_EVENTS" && table.has("eventType"))
            rows += fmt::format(" AND NOT ({})", nvtxNames);
        unite(times.session, rangeOf(columns, rows));
        if (std::ranges::find(ofGpu, table.name) == ofGpu.end())
            continue;
        if (table.has("copyKind")) // pages that the host touches are no work of the GPU's
            rows += fmt::format(" AND NOT (copyKind BETWEEN {} AND {}{})",
                static_cast<int>(CopyKind::UnifiedHtoD), static_cast<int>(CopyKind::UnifiedDtoD),
                table.has("migrationCause") ? fmt::format(" AND migrationCause <> {}", causeIsUser) : "");
        unite(times.gpuWork, rangeOf(columns, rows));
    }
    const std::string part(partTable);
    if (const TimeRange whole = rangeOf("wholeFrom, wholeTo", part); !whole.empty())
        times.session = whole;
    times.kept = rangeOf("keptFrom, keptTo", part);
    if (const TimeRange work = rangeOf("gpuFrom, gpuTo", part); !work.empty())
        times.gpuWork = work;
    return times;
}

} // namespace warpline
