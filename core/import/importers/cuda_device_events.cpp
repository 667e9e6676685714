// CUPTI's other records of a device: memsets, synchronizations, graphs traced as a whole, host functions that
// a stream waits for, decompression of memory.

#include "core/base/saturate.h"
#include "core/import/event_parts.h"

#include <optional>

namespace warpline::cuda_device_events {

namespace {

/// How rows of such a table become events: `detail` goes to EventTable::attribute. A table has either bytes
/// or event records.
struct DeviceTable {
    EventKind kind;
    std::string_view table;
    std::string_view detail;
    std::string_view bytes; ///< column with the bytes moved; empty: none
    std::string_view recording; ///< column with the number of an event's recording; empty: none
    StringId (*name)(StringPool& pool, std::int64_t detail);
};

StringId memsetName(StringPool& pool, std::int64_t)
{
    return pool.intern("Memset");
}

StringId graphName(StringPool& pool, std::int64_t graphExec)
{
    return pool.intern("CUDA graph " + std::to_string(graphExec));
}

StringId hostFunctionName(StringPool& pool, std::int64_t)
{
    return pool.intern("Host function");
}

StringId decompressionName(StringPool& pool, std::int64_t)
{
    return pool.intern("Memory decompression");
}

StringId synchronizationName(StringPool& pool, std::int64_t type)
{
    // ENUM_CUPTI_SYNC_TYPE, the same in every version that has it.
    static constexpr std::array<std::string_view, 5> labels{
        "Unknown sync", "Event sync", "Stream wait sync", "Stream sync", "Context sync"};
    return pool.intern(type >= 0 && type < 5 ? labels[static_cast<std::size_t>(type)] : labels[0]);
}

class DetailPart : public DevicePart {
public:
    DetailPart(const DeviceTable& table, ImportJob& job, GlobalId owner)
        : DevicePart(table.kind, job.strings, job.trace.pool().intern(table.table), owner),
          m_table(table),
          m_pool(job.trace.pool())
    {
    }

    void read(const sqlite::Row& row)
    {
        const std::int64_t detail = row.integer(afterDeviceColumns, 0);
        if (!m_named || detail != m_lastDetail) {
            m_name = m_table.name(m_pool, detail);
            m_lastDetail = detail;
            m_named = true;
        }
        if (!addEvent(row, m_name))
            return;
        builder.addAttribute(static_cast<std::uint32_t>(detail));
        // The column for a call stack is free: work on a device has none.
        if (!m_table.recording.empty())
            builder.addCallchain(recordingOf(row, afterDeviceColumns + 1));
        if (!m_table.bytes.empty())
            builder.addBytes(naturalOf(row.integer(afterDeviceColumns + 1)));
    }

private:
    const DeviceTable& m_table;
    StringPool& m_pool;
    StringId m_name{};
    std::int64_t m_lastDetail = 0;
    bool m_named = false;
};

Result<void> importDeviceTable(ImportJob& job, const DeviceTable& table)
{
    const GlobalId owner = ownerOfDeviceRows(job, table.table);
    const std::string_view more = table.bytes.empty() ? table.recording : table.bytes;
    const std::array<std::string_view, 2> own{table.detail, more};
    std::optional<ContextDevices> devices;
    if (table.kind == EventKind::Synchronization)
        devices.emplace(*job.trace.snapshot());
    const auto columns = concat(deviceColumns, std::span(own).first(more.empty() ? 1 : 2));
    auto parts = scanInParts<DetailPart>(
        job, table.table, columns,
        [&] {
            auto part = std::make_unique<DetailPart>(table, job, owner);
            part->devices = devices ? &*devices : nullptr;
            return part;
        },
        [](DetailPart part) { return finish(part.builder); });
    if (!parts.ok())
        return parts.error();
    job.trace.setTable(finish(joinParts(job, table.table, parts.value())));
    return {};
}

constexpr DeviceTable memsets{
    EventKind::Memset, "CUPTI_ACTIVITY_KIND_MEMSET", "memKind", "bytes", {}, memsetName};
constexpr DeviceTable synchronizations{EventKind::Synchronization, "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
    "syncType", {}, "eventSyncId", synchronizationName};
constexpr DeviceTable graphs{
    EventKind::GraphTrace, "CUPTI_ACTIVITY_KIND_GRAPH_TRACE", "graphExecId", {}, {}, graphName};
constexpr DeviceTable hostFunctions{EventKind::HostFunction,
    "CUPTI_ACTIVITY_KIND_GRAPH_HOST_NODE_AND_HOST_LAUNCH", "graphId", {}, {}, hostFunctionName};
constexpr DeviceTable decompressions{EventKind::Decompression, "CUPTI_ACTIVITY_KIND_MEM_DECOMPRESS",
    "ChannelID", "sourceBytes", {}, decompressionName};

constexpr std::array<std::string_view, 1> memsetTables{memsets.table};
constexpr std::array<std::string_view, 1> synchronizationTables{synchronizations.table};
constexpr std::array<std::string_view, 1> graphTables{graphs.table};
constexpr std::array<std::string_view, 1> hostFunctionTables{hostFunctions.table};
constexpr std::array<std::string_view, 1> decompressionTables{decompressions.table};

} // namespace

extern constinit const Importer cudaMemsets{.id = "cuda-memsets",
    .progressText = "Reading memsets",
    .needs = memsetTables,
    .run = [](ImportJob& job) { return importDeviceTable(job, memsets); }};

extern constinit const Importer cudaSynchronizations{.id = "cuda-synchronizations",
    .progressText = "Reading synchronizations",
    .needs = synchronizationTables,
    .run = [](ImportJob& job) { return importDeviceTable(job, synchronizations); }};

extern constinit const Importer cudaGraphs{.id = "cuda-graphs",
    .progressText = "Reading CUDA graphs",
    .needs = graphTables,
    .run = [](ImportJob& job) { return importDeviceTable(job, graphs); }};

extern constinit const Importer cudaHostFunctions{.id = "cuda-host-functions",
    .progressText = "Reading host functions",
    .needs = hostFunctionTables,
    .run = [](ImportJob& job) { return importDeviceTable(job, hostFunctions); }};

extern constinit const Importer cudaDecompressions{.id = "cuda-decompressions",
    .progressText = "Reading memory decompressions",
    .needs = decompressionTables,
    .run = [](ImportJob& job) { return importDeviceTable(job, decompressions); }};

} // namespace warpline::cuda_device_events
