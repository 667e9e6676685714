#include "core/import/schema.h"

#include "core/import/library_tables.h"

#include <algorithm>
#include <array>
#include <limits>

namespace warpline {

namespace {

constexpr std::int64_t countExactlyBelow = 200'000;

/// Tables that only Nsight Systems writes; one of them makes a database a report.
constexpr std::array<std::string_view, 25> eventTables{"CUPTI_ACTIVITY_KIND_KERNEL",
    "CUPTI_ACTIVITY_KIND_MEMCPY", "CUPTI_ACTIVITY_KIND_MEMSET", "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
    "CUPTI_ACTIVITY_KIND_RUNTIME", "CUPTI_ACTIVITY_KIND_DRIVER", "CUPTI_ACTIVITY_KIND_GRAPH_TRACE",
    "CUPTI_ACTIVITY_KIND_CUDA_EVENT", "CUPTI_ACTIVITY_KIND_OVERHEAD", "CUDA_GRAPH_EVENTS",
    "CUDA_GRAPH_NODE_EVENTS", "CUDA_GPU_MEMORY_USAGE_EVENTS", "NVTX_EVENTS", "OSRT_API", "SCHED_EVENTS",
    "COMPOSITE_EVENTS", "GPU_METRICS", "PROFILER_OVERHEAD", "DIAGNOSTIC_EVENT", "OSRT_FILE_ACCESS_EVENTS",
    "CUPTI_ACTIVITY_KIND_GRAPH_HOST_NODE_AND_HOST_LAUNCH", "CUPTI_ACTIVITY_KIND_MEM_DECOMPRESS",
    "CUDA_GPU_MEMORY_POOL_EVENTS", "NET_NIC_METRIC", "NET_IB_SWITCH_METRIC"};

/// Tables of facts that Warpline reads, or whose content it has from elsewhere (statistics that old nsys left
/// behind).
constexpr std::array<std::string_view, 61> factTables{"StringIds", "PROCESSES", "ThreadNames",
    "ProcessStreams", "META_DATA_CAPTURE", "META_DATA_EXPORT", "EXPORT_META_DATA", "ANALYSIS_DETAILS",
    "ANALYSIS_FILE", "TARGET_INFO_GPU", "TARGET_INFO_CUDA_GPU", "TARGET_INFO_CUDA_DEVICE",
    "TARGET_INFO_CUDA_CONTEXT_INFO", "TARGET_INFO_CUDA_STREAM", "TARGET_INFO_CUDA_NULL_STREAM",
    "TARGET_INFO_NVTX_CUDA_STREAM", "TARGET_INFO_NVTX_CUDA_CONTEXT", "TARGET_INFO_NVTX_CUDA_DEVICE",
    "TARGET_INFO_GPU_METRICS", "TARGET_INFO_SYSTEM_ENV", "TARGET_INFO_SESSION_START_TIME",
    "TARGET_INFO_NIC_INFO", "TARGET_INFO_PROCESS", "GENERIC_EVENT_SOURCES", "GENERIC_EVENT_TYPES",
    "GENERIC_EVENT_TYPE_FIELDS", "SAMPLING_CALLCHAINS", "CUDA_CALLCHAINS", "OSRT_CALLCHAINS",
    "NVTX_PAYLOAD_SCHEMAS", "NVTX_PAYLOAD_SCHEMA_ENTRIES", "NVTX_PAYLOAD_ENUMS", "NVTX_PAYLOAD_ENUM_ENTRIES",
    "NVTX_EVENTS_PAYLOAD_SCHEMAS", "NVTX_PAYLOAD_SCHEMA_RELATIONS", "MPI_RANKS", "MPI_COMMUNICATORS",
    "TARGET_INFO_NETWORK_METRICS", "NET_IB_DEVICE_INFO", "NIC_ID_MAP", "OSRT_FILE_ACCESS_DESCRIPTORS",
    "GPU_MEMORY_USAGE_EVENTS", "GPU_MEMORY_BUDGET_EVENTS", "TOTAL_BYTES_RESIDENT_IN_SEGMENT_EVENTS",
    "DEMOTED_BYTES_EVENTS", "CUDA_UM_CPU_PAGE_FAULT_EVENTS", "CUDA_UM_GPU_PAGE_FAULT_EVENTS",
    "UnwindMethodType", "DomainStrings", "MemcpyOperationStrings", "NvtxPushPopRanges",
    "nvtxPushPopRangeStats", "cudaAPIStats", "cudaKernelStats", "cudaMemoryOperationByteStats",
    "cudaMemoryOperationTimeStats", "osrtAPIStats", "estEnd", "me", "ms", "SystemInfo"};

/// Names too plain to prove that Nsight Systems wrote them.
constexpr std::array<std::string_view, 6> plainNames{
    "PROCESSES", "me", "ms", "estEnd", "SystemInfo", "DomainStrings"};

template <std::size_t N> bool contains(const std::array<std::string_view, N>& names, std::string_view name)
{
    return std::ranges::find(names, name) != names.end();
}

Error foreignDatabase(const std::string& path, const std::vector<std::string>& names)
{
    if (names.empty())
        return {path
            + " holds no tables: it is an export that was interrupted or has not ended yet. Wait until nsys "
              "export has ended and open it again, or export the report again: nsys export --type sqlite "
              "--force-overwrite=true."};
    std::string found;
    for (std::size_t i = 0; i < std::min<std::size_t>(names.size(), 4); ++i)
        found += (i ? ", " : "") + names[i];
    if (names.size() > 4)
        found += ", ...";
    return {path + " is an SQLite database of another program, not an Nsight Systems export ("
        + "its tables: " + found + "). Open a file made with nsys export --type sqlite."};
}

} // namespace

Result<Schema> Schema::probe(sqlite::Database& report, const std::string& path)
{
    auto names = report.tables();
    if (!names.ok())
        return names.error();
    const bool ours = std::ranges::any_of(names.value(),
        [](const std::string& name) { return isKnownTable(name) && !contains(plainNames, name); });
    if (!ours)
        return foreignDatabase(path, names.value());

    Schema schema;
    for (const std::string& name : names.value()) {
        auto columns = report.columns(name);
        if (!columns.ok())
            return columns.error();
        Table table;
        for (const auto& column : columns.value())
            table.columns.push_back(column.name);
        const std::string quotedName = sqlite::quoted(name);
        constexpr std::int64_t none = std::numeric_limits<std::int64_t>::min();
        table.firstRow = report.integer("SELECT min(rowid) FROM " + quotedName, none);
        table.hasRowId = table.firstRow != none;
        if (table.hasRowId) {
            table.lastRow = report.integer("SELECT max(rowid) FROM " + quotedName, table.firstRow);
            table.rows = static_cast<std::uint64_t>(table.lastRow - table.firstRow) + 1;
        } else {
            table.firstRow = 0;
        }
        // Rowids of most tables have no holes; counting a table reads all of it, so large ones are counted as
        // they are read.
        table.counted = !table.hasRowId || table.rows < countExactlyBelow;
        if (table.counted)
            table.rows = static_cast<std::uint64_t>(report.integer("SELECT count(*) FROM " + quotedName));
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

std::string Schema::selectList(std::string_view table, std::span<const std::string_view> columns) const
{
    std::string list;
    for (const std::string_view column : columns) {
        if (!list.empty())
            list += ", ";
        list += has(table, column) ? sqlite::quoted(column) : "NULL AS " + sqlite::quoted(column);
    }
    return list;
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
            setRows(name,
                static_cast<std::uint64_t>(report.integer("SELECT count(*) FROM " + sqlite::quoted(name))));
    }
}

bool isKnownTable(std::string_view table)
{
    return contains(eventTables, table) || contains(factTables, table) || table.starts_with("ENUM_")
        || table.starts_with("DYNAMIC_NVTXPAYLOAD_") || findLibraryTable(table) != nullptr;
}

} // namespace warpline
