// The recorded GPUs, processes, threads and streams, and how the report was made. Runs first. Old exports
// spread a GPU over TARGET_INFO_GPU and TARGET_INFO_CUDA_GPU, have no PROCESSES, and no metadata.

#include "core/base/secrets.h"
#include "core/base/shell_words.h"
#include "core/import/scan.h"
#include "core/store/machine_facts.h"
#include "core/store/part_of_recording.h"
#include "core/store/recorder.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <tuple>
#include <unordered_map>

namespace warpline::targets {

namespace {

constexpr std::array<std::string_view, 15> tables{"ThreadNames", "PROCESSES", "TARGET_INFO_GPU",
    "TARGET_INFO_CUDA_GPU", "TARGET_INFO_CUDA_DEVICE", "TARGET_INFO_CUDA_STREAM",
    "TARGET_INFO_CUDA_NULL_STREAM", "TARGET_INFO_NVTX_CUDA_STREAM", "TARGET_INFO_CUDA_CONTEXT_INFO",
    "TARGET_INFO_SYSTEM_ENV", "TARGET_INFO_SESSION_START_TIME", "META_DATA_CAPTURE", "META_DATA_EXPORT",
    "EXPORT_META_DATA", partTable};
constexpr std::size_t longestFact = 4096; // bytes; some cells hold whole CPU descriptions or environments

using Pairs = std::vector<std::pair<std::string, std::string>>;

/// Reads (name, value) rows. A failed read keeps the rows before it, because partial facts are useful.
Pairs readPairs(ImportJob& job, std::string_view table)
{
    Pairs pairs;
    constexpr std::array<std::string_view, 2> columns{"name", "value"};
    enum At : int { AtName = 1, AtValue };
    const auto rows = scanTable(job, table, columns, {}, [&](const sqlite::Row& row) {
        const std::string_view value = row.text(AtValue);
        if (value.size() <= longestFact && value.find('\0') == std::string_view::npos)
            pairs.emplace_back(row.text(AtName), value);
    });
    if (!rows.ok())
        job.log.add(table, ProblemKind::TableUnreadable);
    return pairs;
}

/// Whether `table` has rows.
bool hasRows(const ImportJob& job, std::string_view table)
{
    const Schema::Table* const known = job.schema.find(table);
    return known && known->rows > 0;
}

/// The first program that was started, with its arguments quoted for a shell; empty: unknown, or blanked
/// before sharing. `byName` is sorted.
std::string commandLineOf(const Pairs& byName)
{
    const auto command
        = std::ranges::find_if(byName, [](const auto& each) { return each.first.ends_with(":COMMAND"); });
    if (command == byName.end())
        return {};
    const std::string_view name = command->first;
    const std::string prefix
        = std::string(name.substr(0, name.size() - std::string_view("COMMAND").size())) + "ARGUMENT_";
    std::map<std::uint32_t, std::string_view> arguments; // ARGUMENT_10 comes after ARGUMENT_9
    for (const auto& [each, value] : byName) {
        std::uint32_t number = 0;
        if (each.starts_with(prefix)
            && std::from_chars(each.data() + prefix.size(), each.data() + each.size(), number).ec
                == std::errc())
            arguments[number] = value;
    }
    if (command->second.empty()
        && std::ranges::all_of(arguments, [](const auto& argument) { return argument.second.empty(); }))
        return {};
    std::string line = command->second.empty() ? std::string() : commandWord(command->second);
    for (const auto& [number, value] : arguments)
        line += " " + commandWord(value);
    return line;
}

void readMetadata(ImportJob& job, ReportInfo& info)
{
    info.exported
        = readPairs(job, hasRows(job, "META_DATA_EXPORT") ? "META_DATA_EXPORT" : "EXPORT_META_DATA");
    info.capture = readPairs(job, "META_DATA_CAPTURE");
    info.system = readPairs(job, "TARGET_INFO_SYSTEM_ENV");
    for (Pairs* const facts : {&info.exported, &info.capture, &info.system})
        hideSecrets(*facts); // before they are cached and shown
    info.schemaVersion = valueOfFact(info.exported, "EXPORT_SCHEMA_VERSION");
    info.exporterVersion = valueOfFact(info.exported, "EXPORT_PRODUCT_VERSION");
    info.hostName = valueOfFact(info.system, "Hostname");
    info.operatingSystem = valueOfFact(info.system, "OsDescription");
    Pairs byName = info.capture; // rows have no order: of several the first name counts
    std::ranges::sort(byName);
    info.commandLine = commandLineOf(byName);
    hideMachine(info);
    for (const auto& [name, value] : byName) {
        if (name.ends_with("PRODUCT_VERSION") && info.captureVersion.empty())
            info.captureVersion = value;
    }
    constexpr std::array<std::string_view, 6> times{
        "keptFrom", "keptTo", "wholeFrom", "wholeTo", "gpuFrom", "gpuTo"};
    bool isRead = true;
    const auto parts = scanTable(job, partTable, times, {}, [&](const sqlite::Row& row) {
        enum Part : int { KeptFrom = 1, KeptTo, WholeFrom, WholeTo, GpuFrom, GpuTo };
        isRead = isRead
            && setPart(info,
                {{row.integer(KeptFrom), row.integer(KeptTo)}, {row.integer(WholeFrom), row.integer(WholeTo)},
                    {row.integer(GpuFrom), row.integer(GpuTo)}});
    });
    if (!parts.ok() || !isRead)
        job.log.add(partTable, ProblemKind::PartUnreadable);
    constexpr std::array<std::string_view, 2> columns{"utcEpochNs", "utcTime"};
    enum At : int { AtEpoch = 1, AtText };
    std::uint64_t rowsRead = 0;
    std::uint64_t again = 0;
    bool isPossible = true;
    const auto rows
        = scanTable(job, "TARGET_INFO_SESSION_START_TIME", columns, {}, [&](const sqlite::Row& row) {
              again += rowsRead++ > 0 && info.startedUtcNs != row.integer(AtEpoch) ? 1 : 0;
              info.startedUtcNs = row.integer(AtEpoch);
              isPossible = isPossible && info.startedUtcNs >= 0 && info.startedUtcNs <= latestUtcNs;
              info.startedUtc = row.text(AtText);
          });
    if (!isPossible)
        info.startedUtcNs = 0;
    if (!rows.ok() || !isPossible)
        job.log.add("TARGET_INFO_SESSION_START_TIME", ProblemKind::SessionStartUnreadable);
    job.log.add("TARGET_INFO_SESSION_START_TIME", ProblemKind::RowDefinesAgain, again);
}

Device deviceOf(const sqlite::Row& row)
{
    int column = 1;
    const auto number = [&] { return row.integer(column++); };
    const auto number32 = [&] { return row.integer32(column++); };
    const auto words = [&] {
        const std::string_view text = row.text(column++);
        return withoutCredentials(text).value_or(std::string(text));
    };
    Device device{.id = number32(),
        .name = words(),
        .chip = words(),
        .busLocation = words(),
        .uuid = words(),
        .memoryBytes = number(),
        .memoryBandwidth = number(),
        .clockRate = number(),
        .l2CacheBytes = number(),
        .multiprocessors = number32(),
        .maxWarpsPerSm = number32(),
        .maxBlocksPerSm = number32(),
        .maxRegistersPerSm = number32(),
        .maxSharedPerSm = number32(),
        .threadsPerWarp = std::max(1, row.integer32(column, 32))};
    ++column;
    device.computeMajor = number32();
    device.computeMinor = number32();
    return device;
}

Result<std::vector<Device>> readDevices(ImportJob& job)
{
    // In the order of deviceOf(). TARGET_INFO_CUDA_GPU has other names for the same facts, once per process.
    constexpr std::array<std::string_view, 17> now{"id", "name", "chipName", "busLocation", "uuid",
        "totalMemory", "memoryBandwidth", "clockRate", "l2CacheSize", "smCount", "maxWarpsPerSm",
        "maxBlocksPerSm", "maxRegistersPerSm", "maxShmemPerSm", "threadsPerWarp", "computeMajor",
        "computeMinor"};
    constexpr std::array<std::string_view, 17> before{"deviceId", "name", "chipName", "pciBusId", "uuid",
        "globalMemorySize", "globalMemoryBandwidth", "coreClockRate", "l2CacheSize", "numMultiprocessors",
        "maxWarpsPerMultiprocessor", "maxBlocksPerMultiprocessor", "maxRegistersPerMultiprocessor",
        "maxSharedMemoryPerMultiprocessor", "numThreadsPerWarp", "computeCapabilityMajor",
        "computeCapabilityMinor"};
    std::map<std::int32_t, Device> devices;
    std::uint64_t redefined = 0;
    const auto keep = [&](const sqlite::Row& row) {
        Device device = deviceOf(row);
        if (device.id < 0)
            device.id = static_cast<std::int32_t>(devices.size());
        if (const auto known = devices.find(device.id); known != devices.end() && known->second != device)
            ++redefined;
        devices.insert_or_assign(device.id, std::move(device));
    };
    const bool merged = job.schema.has("TARGET_INFO_GPU", "smCount");
    const auto rows = merged || !hasRows(job, "TARGET_INFO_CUDA_GPU")
        ? scanTable(job, "TARGET_INFO_GPU", now, {}, keep)
        : scanTable(job, "TARGET_INFO_CUDA_GPU", before, {}, keep);
    if (!rows.ok())
        return rows.error();
    job.log.add(merged ? "TARGET_INFO_GPU" : "TARGET_INFO_CUDA_GPU", ProblemKind::RowDefinesAgain, redefined);
    std::vector<Device> list;
    for (auto& [id, device] : devices)
        list.push_back(std::move(device));
    return list;
}

/// The process of which a row holds the machine and the number.
GlobalId processIn(const sqlite::Row& row, int machine, int process)
{
    return static_cast<GlobalId>(row.integer(machine)) << 48U
        | static_cast<GlobalId>(row.integer(process)) << 24U;
}

Result<void> readStreams(ImportJob& job, Trace& trace)
{
    constexpr std::array<std::string_view, 6> columns{
        "streamId", "processId", "contextId", "flag", "name", "vmId"};
    enum At : int { AtStream = 1, AtProcess, AtContext, AtFlag, AtName, AtMachine };
    const auto read = [&](std::string_view table, auto&& keep) -> Result<void> {
        const auto rows = scanTable(job, table, columns, {}, [&](const sqlite::Row& row) {
            StreamInfo stream;
            stream.stream = row.integer32(AtStream, -1);
            stream.process = processIn(row, AtMachine, AtProcess);
            stream.context = row.integer32(AtContext, -1);
            stream.flag = row.integer32(AtFlag);
            stream.name = job.trace.pool().intern(row.text(AtName));
            keep(stream);
        });
        return rows.ok() ? Result<void>() : Result<void>(rows.error());
    };
    std::map<std::tuple<std::uint32_t, std::int32_t, std::int32_t>, std::size_t>
        places; // of the first of each
    const auto placeOf = [&](const StreamInfo& stream) {
        return places.try_emplace(
            {pidOf(stream.process), stream.context, stream.stream}, trace.streams.size());
    };
    const auto mark = [&](const StreamInfo& stream, auto&& change) {
        const auto [place, added] = placeOf(stream);
        if (added)
            trace.streams.push_back(stream);
        change(trace.streams[place->second]);
    };
    if (auto done = read("TARGET_INFO_CUDA_STREAM",
            [&](const StreamInfo& s) {
                placeOf(s);
                trace.streams.push_back(s);
            });
        !done.ok())
        return done;
    if (auto done = read("TARGET_INFO_CUDA_NULL_STREAM",
            [&](const StreamInfo& s) { mark(s, [](StreamInfo& known) { known.isDefault = true; }); });
        !done.ok())
        return done;
    if (auto done = read("TARGET_INFO_NVTX_CUDA_STREAM",
            [&](const StreamInfo& s) { mark(s, [&](StreamInfo& known) { known.name = s.name; }); });
        !done.ok())
        return done;
    constexpr std::array<std::string_view, 4> contexts{"nullStreamId", "processId", "contextId", "vmId"};
    enum AtOfContext : int { AtNullStream = 1, AtOwner, AtContextId, AtOwnerMachine };
    const auto rows
        = scanTable(job, "TARGET_INFO_CUDA_CONTEXT_INFO", contexts, {}, [&](const sqlite::Row& row) {
              StreamInfo stream;
              stream.stream = row.integer32(AtNullStream, -1);
              stream.process = processIn(row, AtOwnerMachine, AtOwner);
              stream.context = row.integer32(AtContextId, -1);
              mark(stream, [](StreamInfo& known) { known.isDefault = true; });
          });
    return rows.ok() ? Result<void>() : Result<void>(rows.error());
}

Result<std::vector<Thread>> readThreads(ImportJob& job)
{
    // A thread may have several names (its program's, its own): the one with the highest priority counts.
    std::unordered_map<GlobalId, std::pair<std::int64_t, StringId>> names;
    constexpr std::array<std::string_view, 3> columns{"nameId", "priority", "globalTid"};
    enum At : int { AtName = 1, AtPriority, AtThread };
    RowChecks checks;
    const auto rows = scanTable(job, "ThreadNames", columns, {}, [&](const sqlite::Row& row) {
        const auto id = static_cast<GlobalId>(row.integer(AtThread));
        const std::int64_t priority = row.integer(AtPriority, noPriority);
        const auto [place, added] = names.try_emplace(id, priority, StringId{});
        // For equal priorities the larger name decides, because names are numbered as they come and rows have
        // no order.
        const std::pair<std::int64_t, StringId> named{priority, checks.name(job.strings, row, AtName)};
        if (added || named > place->second)
            place->second = named;
    });
    if (!rows.ok())
        return rows.error();
    checks.logTo(job.log, "ThreadNames");
    std::vector<Thread> threads;
    threads.reserve(names.size());
    for (const auto& [id, name] : names)
        threads.push_back({id, name.second, static_cast<std::int32_t>(name.first)});
    std::ranges::sort(threads, {}, &Thread::id);
    return threads;
}

Result<std::vector<Process>> readProcesses(ImportJob& job, const std::vector<Thread>& threads)
{
    std::map<GlobalId, Process> processes;
    constexpr std::array<std::string_view, 3> columns{"globalPid", "pid", "name"};
    enum At : int { AtId = 1, AtNumber, AtName };
    const auto rows = scanTable(job, "PROCESSES", columns, {}, [&](const sqlite::Row& row) {
        const GlobalId id = processOf(static_cast<GlobalId>(row.integer(AtId)));
        processes[id] = {
            id, static_cast<std::uint32_t>(row.integer(AtNumber)), job.trace.pool().intern(row.text(AtName))};
    });
    if (!rows.ok())
        return rows.error();
    // Exports from before 2021.5 name no processes: the main thread's name is the next best.
    for (const Thread& thread : threads) {
        const GlobalId id = processOf(thread.id);
        if (tidOf(thread.id) == pidOf(id) && !processes.contains(id))
            processes[id] = {id, pidOf(id), thread.name};
    }
    std::vector<Process> list;
    for (const auto& [id, process] : processes)
        list.push_back(process);
    return list;
}

/// `ordinals`, by key, has all GPUs that a process can see; a context shows those that it used.
Result<void> countContexts(ImportJob& job, std::vector<DeviceOrdinal>& ordinals)
{
    constexpr std::array<std::string_view, 2> columns{"processId", "deviceId"};
    enum At : int { AtProcess = 1, AtOrdinal };
    const auto rows
        = scanTable(job, "TARGET_INFO_CUDA_CONTEXT_INFO", columns, {}, [&](const sqlite::Row& row) {
              const std::pair key(
                  static_cast<std::uint32_t>(row.integer(AtProcess)), row.integer32(AtOrdinal, -1));
              for (DeviceOrdinal& ordinal : std::ranges::equal_range(ordinals, key, {}, &DeviceOrdinal::key))
                  ++ordinal.contexts;
          });
    return rows.ok() ? Result<void>() : Result<void>(rows.error());
}

Result<void> importTargets(ImportJob& job)
{
    auto threads = readThreads(job);
    if (!threads.ok())
        return threads.error();
    auto processes = readProcesses(job, threads.value());
    if (!processes.ok())
        return processes.error();
    auto devices = readDevices(job);
    if (!devices.ok())
        return devices.error();
    Trace facts;
    if (auto streams = readStreams(job, facts); !streams.ok())
        return streams;
    constexpr std::array<std::string_view, 3> ordinalColumns{"pid", "cudaId", "gpuId"};
    enum At : int { AtProcess = 1, AtOrdinal, AtGpu };
    const auto ordinals
        = scanTable(job, "TARGET_INFO_CUDA_DEVICE", ordinalColumns, {}, [&](const sqlite::Row& row) {
              facts.ordinals.push_back({static_cast<std::uint32_t>(row.integer(AtProcess)),
                  row.integer32(AtOrdinal), static_cast<std::int32_t>(row.integer(AtGpu))});
          });
    if (!ordinals.ok())
        return ordinals.error();
    std::ranges::stable_sort(facts.ordinals, {}, &DeviceOrdinal::key);
    if (auto contexts = countContexts(job, facts.ordinals); !contexts.ok())
        return contexts;
    readMetadata(job, facts.info);
    job.trace.edit([&](Trace& trace) {
        trace.threads = threads.take();
        trace.processes = processes.take();
        trace.devices = devices.take();
        trace.streams = std::move(facts.streams);
        trace.ordinals = std::move(facts.ordinals);
        trace.info = std::move(facts.info);
    });
    return {};
}

} // namespace

extern constinit const Importer targets{.id = "targets",
    .progressText = "Reading processes and devices",
    .needs = {},
    .alsoReads = tables,
    .run = importTargets};

} // namespace warpline::targets
