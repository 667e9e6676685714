// GPU memory: every allocation and release as a mark, and the bytes in use as a step graph per process,
// device and kind of memory. On Windows also the driver's own accounting of video memory.

#include "core/base/saturate.h"
#include "core/import/event_parts.h"
#include "core/store/counter_title.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <ranges>
#include <tuple>

namespace warpline::gpu_memory {

namespace {

constexpr std::string_view table = "CUDA_GPU_MEMORY_USAGE_EVENTS";
constexpr std::array<std::string_view, 1> tables{table};
constexpr std::array<std::string_view, 9> columns{"start", "globalPid", "deviceId", "contextId", "address",
    "bytes", "memKind", "memoryOperationType", "correlationId"};
namespace memory_column {
enum At : int { start = 1, process, device, context, address, bytes, kind, operation, correlation };
}

using Samples = std::vector<std::pair<Ns, double>>;

/// Adds a counter of bytes.
void addBytesCounter(ImportJob& job, CounterKind kind, GlobalId owner, std::int32_t device,
    std::string_view name, const Samples& samples)
{
    CounterSeries series;
    series.kind = kind;
    series.owner = owner;
    series.device = device;
    series.name = job.trace.pool().intern(name);
    series.unit = job.trace.pool().intern("B");
    series.setSamples(samples);
    job.trace.edit([&](Trace& trace) { trace.counters.push_back(std::move(series)); });
}

/// Bytes in use over time, for each process, device and kind of memory.
void addUsage(ImportJob& job, const GpuMemoryTable& memory)
{
    std::map<std::tuple<GlobalId, std::int32_t, MemoryKind>, Samples> changes;
    for (const Track& track : memory.tracks) {
        for (EventIndex i = track.firstEvent; i < track.firstEvent + track.eventCount; ++i) {
            const GpuMemoryOperation& operation = memory.operation(i);
            const double bytes = static_cast<double>(memory.bytes[i]);
            changes[{track.owner, operation.device, operation.memory}].emplace_back(
                memory.start[i], operation.allocates ? bytes : -bytes);
        }
    }
    for (auto& [key, steps] : changes) {
        std::ranges::sort(steps); // at one time releases come first, whatever the order of the rows
        double inUse = 0;
        for (double& bytes : steps | std::views::values)
            bytes = inUse = std::max(0.0, inUse + bytes); // releases of memory allocated before the recording
        const auto& [owner, device, kind] = key;
        addBytesCounter(job, CounterKind::GpuMemoryUsage, owner, device, memoryUsageName(kind), steps);
    }
}

Result<void> importMemory(ImportJob& job)
{
    StringPool& pool = job.trace.pool();
    const StringId source = pool.intern(table);
    const StringId allocation = pool.intern("Allocation");
    const StringId release = pool.intern("Deallocation");
    TableBuilder all(EventKind::GpuMemory);
    RecordPool<GpuMemoryOperation> operations;
    const auto rows = scanEvents(job, table, columns, {memory_column::start},
        [&](const sqlite::Row& row, TimeRange time, RowChecks& checks) {
            GpuMemoryOperation operation;
            operation.memory = memoryKindOf(row.integer(memory_column::kind, -1));
            operation.allocates = row.integer(memory_column::operation) == 0;
            operation.device = row.integer32(memory_column::device, -1);
            TrackKey key{.owner = static_cast<GlobalId>(row.integer(memory_column::process)),
                .device = operation.device,
                .context = row.integer32(memory_column::context, -1),
                .source = source};
            all.add(all.track(key), time.start, time.end, operation.allocates ? allocation : release,
                sourceRowOf(row));
            all.addBytes(naturalOf(row.integer(memory_column::bytes)));
            all.addAddress(static_cast<std::uint64_t>(row.integer(memory_column::address)));
            all.addCorrelation(checks.correlation(row, memory_column::correlation));
            all.addAttribute(operations.intern(operation));
        });
    if (!rows.ok())
        return rows.error();
    all.countSourceRows(rows.value());
    auto memory = std::make_shared<GpuMemoryTable>();
    all.finishInto(*memory);
    memory->address = all.takeAddresses();
    memory->operations = std::move(operations.records);
    addUsage(job, *memory);
    job.trace.setTable(std::move(memory));
    return {};
}

constexpr std::string_view poolTable = "CUDA_GPU_MEMORY_POOL_EVENTS";
constexpr std::array<std::string_view, 1> poolTables{poolTable};
namespace pool_column {
enum At : int { start = 1, process, device, address, operation, kind, correlation, size, inUse };
}

std::string poolEventName(std::int64_t operation, std::int64_t type)
{
    // ENUM_CUDA_MEMPOOL_OPER and ENUM_CUDA_MEMPOOL_TYPE, the same in every version that has them.
    static constexpr std::array<std::string_view, 4> operations{
        "unknown operation", "created", "destroyed", "trimmed"};
    const std::string_view what
        = operations[operation > 0 && operation < 4 ? static_cast<std::size_t>(operation) : 0];
    return std::string(type == 2 ? "Imported memory pool " : "Memory pool ") + std::string(what);
}

/// Pools as marks on the GPU, and their size and used bytes as counters.
Result<void> importPools(ImportJob& job)
{
    StringPool& pool = job.trace.pool();
    using Key = std::tuple<GlobalId, std::int32_t, std::uint64_t, bool>; // ..., address, in use
    std::map<Key, Samples> series;
    TableBuilder all(EventKind::GpuMemoryPool);
    constexpr std::array<std::string_view, 9> poolColumns{"start", "globalPid", "deviceId", "address",
        "operationType", "poolType", "correlationId", "localMemoryPoolSize", "localMemoryPoolUtilizedSize"};
    const StringId source = pool.intern(poolTable);
    const auto rows = scanEvents(job, poolTable, poolColumns, {pool_column::start},
        [&](const sqlite::Row& row, TimeRange time, RowChecks& checks) {
            TrackKey key{.owner = static_cast<GlobalId>(row.integer(pool_column::process)),
                .device = static_cast<std::int32_t>(row.integer(pool_column::device, -1)),
                .source = source};
            all.add(all.track(key), time.start, time.end,
                pool.intern(
                    poolEventName(row.integer(pool_column::operation), row.integer(pool_column::kind))),
                sourceRowOf(row));
            all.addCorrelation(checks.correlation(row, pool_column::correlation));
            all.addBytes(naturalOf(row.integer(pool_column::size)));
            const auto address = static_cast<std::uint64_t>(row.integer(pool_column::address));
            for (const bool inUse : {false, true}) {
                if (!row.isNull(inUse ? pool_column::inUse : pool_column::size))
                    series[{key.owner, key.device, address, inUse}].emplace_back(
                        time.start, row.real(inUse ? pool_column::inUse : pool_column::size));
            }
        });
    for (auto& [key, samples] : series) {
        const auto& [owner, device, address, inUse] = key;
        std::ranges::stable_sort(samples);
        addBytesCounter(job, CounterKind::MemoryPool, owner, device,
            fmt::format("Memory pool 0x{:x} {}", address, inUse ? "in use" : "size"), samples);
    }
    return setTable(job, rows, all);
}

struct VideoMemoryTable {
    std::string_view table;
    std::string_view value;
    std::string_view label;
};

constexpr std::array<VideoMemoryTable, 3> videoTables{{
    {"GPU_MEMORY_USAGE_EVENTS", "newUsage", "Video memory usage"},
    {"GPU_MEMORY_BUDGET_EVENTS", "newBudget", "Video memory budget"},
    {"TOTAL_BYTES_RESIDENT_IN_SEGMENT_EVENTS", "totalBytesResident", "Video memory resident"},
}};
constexpr std::array<std::string_view, 3> videoTableNames{
    videoTables[0].table, videoTables[1].table, videoTables[2].table};

Result<void> importVideoMemory(ImportJob& job)
{
    for (const VideoMemoryTable& video : videoTables) {
        const std::array<std::string_view, 5> videoColumns{
            "timestamp", "globalTid", "gpu", "segmentGroup", video.value};
        enum At : int { AtTime = 1, AtThread, AtGpu, AtSegment, AtValue };
        std::map<std::tuple<GlobalId, std::int64_t, std::int64_t>, Samples> series;
        const auto rows = scanEvents(job, video.table, videoColumns, {AtTime},
            [&](const sqlite::Row& row, TimeRange time, RowChecks&) {
                series[{processOf(static_cast<GlobalId>(row.integer(AtThread))), row.integer(AtGpu),
                           row.integer(AtSegment)}]
                    .emplace_back(time.start, row.real(AtValue));
            });
        if (!rows.ok())
            return rows.error();
        for (auto& [key, samples] : series) {
            const auto& [owner, gpu, segment] = key;
            std::ranges::stable_sort(samples, {}, &Samples::value_type::first);
            addBytesCounter(job, CounterKind::VideoMemory, owner, static_cast<std::int32_t>(gpu & 0xFF),
                std::string(video.label) + (segment == 0 ? " (local)" : " (non-local)"), samples);
        }
    }
    return {};
}

} // namespace

extern constinit const Importer gpuMemory{.id = "gpu-memory",
    .progressText = "Reading GPU memory operations",
    .needs = tables,
    .run = importMemory};

extern constinit const Importer gpuMemoryPools{.id = "gpu-memory-pools",
    .progressText = "Reading GPU memory pools",
    .needs = poolTables,
    .run = importPools};

extern constinit const Importer videoMemory{.id = "video-memory",
    .progressText = "Reading video memory",
    .needs = videoTableNames,
    .run = importVideoMemory};

} // namespace warpline::gpu_memory
