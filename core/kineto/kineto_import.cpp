#include "core/kineto/kineto_import.h"

#include "core/base/format_instant.h"
#include "core/base/saturate.h"
#include "core/base/utf8.h"
#include "core/kineto/captured_nodes.h"
#include "core/kineto/event_words.h"
#include "core/store/counter_table.h"
#include "core/store/library_domains.h"
#include "core/store/machine_facts.h"
#include "core/store/nvtx_types.h"
#include "core/store/recorder.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>
#include <map>
#include <ranges>
#include <set>
#include <span>
#include <unordered_map>
#include <unordered_set>

namespace warpline {

namespace {

constexpr std::string_view title = "traceEvents";
constexpr Ns year2001 = 1'000'000'000'000'000'000; // earlier times count from a start of the machine

/// XLA's names of processes that represent devices: "/device:GPU:0".
constexpr std::string_view deviceProcess = "/device:";

/// The process of all that names none: the one with most events on the host.
GlobalId mainProcess(const EventReader& events, const StringPool& pool)
{
    std::pair<std::uint64_t, std::uint32_t> most{0, 0};
    for (const auto& [pid, count] : events.processes) {
        const auto name = events.processNames.find(GlobalId{pid} << 24U);
        const bool isDevice
            = name != events.processNames.end() && pool[name->second.name].starts_with(deviceProcess);
        if (pid != 0 && !isDevice)
            most = std::max(most, std::pair{count, pid});
    }
    return GlobalId{most.second != 0 ? most.second : 1} << 24U;
}

/// Ranges that were written as a beginning and an end, in the order of time as their writers have them.
class PairedRanges {
public:
    PairedRanges(EventReader& events, ImportLog& log)
        : m_events(events),
          m_log(log)
    {
    }

    void add()
    {
        auto& ends = m_events.ends;
        std::ranges::sort(
            ends, {}, [](const RangeEnd& end) { return std::tuple(end.thread, end.time, end.event); });
        std::vector<RangeEnd> open;
        std::size_t ofOthers = 0; // of `open`: those that earlier threads left open
        std::uint64_t unopened = 0;
        for (std::size_t i = 0; i < ends.size(); ++i) {
            if (i > 0 && ends[i - 1].thread != ends[i].thread)
                ofOthers = open.size();
            if (ends[i].begins) {
                open.push_back(ends[i]);
            } else if (open.size() == ofOthers) {
                ++unopened;
            } else {
                addRange(open.back(), ends[i].time, false);
                open.pop_back();
            }
        }
        addOpen(open);
        m_log.add(title, ProblemKind::RangeEndWithoutStart, unopened);
        m_log.add(title, ProblemKind::RangeOpenInThread, open.size());
        ends = {};
    }

private:
    /// Ranges without an end last as long as their thread has events.
    void addOpen(const std::vector<RangeEnd>& begins)
    {
        if (begins.empty())
            return;
        std::map<GlobalId, Ns> lastOf;
        for (const RangeEnd& end : m_events.ends)
            lastOf[end.thread] = end.time; // they are in the order of time
        for (const TableBuilder* const table : {&m_events.ranges, &m_events.calls, &m_events.osCalls})
            table->addLastEnds(lastOf);
        for (const RangeEnd& begin : begins)
            addRange(begin, lastOf[begin.thread], true);
    }

    void addRange(const RangeEnd& begin, Ns end, bool open)
    {
        TrackKey key{.owner = begin.thread, .source = m_source};
        NvtxAttributes attributes{.categoryName = begin.category, .open = open};
        m_events.ranges.add(m_events.ranges.track(key), begin.time, std::max(begin.time, end), begin.name,
            static_cast<std::uint32_t>(std::min<std::uint64_t>(begin.event, noIndex - 1)));
        m_events.ranges.addAttribute(m_events.attributes.intern(attributes));
    }

    EventReader& m_events;
    ImportLog& m_log;
    StringId m_source{};
};

/// `text` as a JSON string.
std::string quotedText(std::string_view text)
{
    return nlohmann::json(toUtf8(text)).dump();
}

/// A mark for each process group, as NCCL makes one when a communicator is made: with the number of its
/// ranks.
void addCommunicators(EventReader& events, const TraceHead& head, GlobalId process, Ns zero, StringPool& pool)
{
    std::vector<ProcessGroup> groups = head.groups;
    std::set<std::string_view> named;
    for (const ProcessGroup& group : head.groups)
        named.insert(group.name);
    for (const auto& [name, ranks] : events.communicators) {
        if (ranks > 0 && !named.contains(name))
            groups.push_back({name, {}, {}, ranks});
    }
    for (const ProcessGroup& group : groups) {
        if (group.size <= 0 || events.communicators.empty())
            continue;
        std::string payload = fmt::format(
            "{{\"NCCL communicator ID\":{},\"No. of ranks\":{}", quotedText(group.name), group.size);
        const auto own = std::ranges::find(group.members, head.rank.rank);
        if (own != group.members.end())
            payload += fmt::format(",\"Rank\":{}", own - group.members.begin());
        else if (group.size == head.rank.ranks && head.rank.rank >= 0)
            payload += fmt::format(",\"Rank\":{}", head.rank.rank);
        payload += '}';
        NvtxAttributes mark{.eventType = nvtxMark, .payload = pool.intern(payload)};
        TrackKey key{.owner = process | pidOf(process),
            .family = pool.intern("NCCL"),
            .source = pool.intern("distributedInfo")};
        events.ranges.add(events.ranges.track(key), zero, zero,
            pool.intern(
                "ncclComm of process group " + (group.description.empty() ? group.name : group.description)),
            0);
        events.ranges.addAttribute(events.attributes.intern(mark));
    }
}

/// The processes of tracks that name none.
struct TrackOwners {
    GlobalId main = 0;
    std::map<std::int32_t, GlobalId> ofGpu; ///< by device; all others belong to `main`

    GlobalId of(std::int32_t device) const
    {
        const auto known = ofGpu.find(device);
        return known != ofGpu.end() ? known->second : main;
    }

    void fillIn(EventTable& table) const
    {
        for (Track& track : table.tracks) {
            if (pidOf(track.owner) == 0)
                track.owner |= of(track.device);
        }
    }
};

template <typename Table>
std::shared_ptr<Table> tableOf(TableBuilder& builder, const TrackOwners& owners, Ns zero)
{
    auto table = unownedTableOf<Table>(builder, zero);
    owners.fillIn(*table);
    return table;
}

/// Adds records of CUDA events that streams wait for, where the trace lacks them (most do): at the begin of
/// the recording call, as in older exports of nsys.
void addEventRecords(EventReader& events, StringPool& pool)
{
    const StringId name = pool.intern("CUDA event record");
    const StringId source = pool.intern("cuda_sync (records waited for)");
    for (const auto& [correlation, awaited] : events.loose.awaited) {
        const auto call = events.loose.recordCalls.find(correlation);
        if (events.loose.recorded.contains(correlation) || call == events.loose.recordCalls.end())
            continue;
        TrackKey key = awaited.stream;
        key.source = source;
        events.cudaEvents.add(events.cudaEvents.track(key), call->second, call->second, name, 0);
        events.cudaEvents.addCorrelation(correlation);
        events.cudaEvents.addAttribute(awaited.event);
        events.cudaEvents.addCallchain(correlation);
    }
}

std::vector<StringId> fieldNames(const EventReader& events, StringPool& pool)
{
    std::vector<StringId> names;
    if (!events.communicators.empty()) { // operators' arguments differ in shape: they are no columns
        for (const std::string_view name : {"Data type", "Message size [bytes]", "NCCL communicator ID",
                 "No. of ranks", "Peer rank", "Process group", "Rank", "Sequence number"})
            names.push_back(pool.intern(name));
    }
    return names;
}

/// Calls and their work are linked by external ids where no event of the trace has a correlation id.
void correlateByExternalIds(EventTable& table, const EventReader& events)
{
    if (events.correlates || events.externalIds.empty())
        return;
    for (std::size_t i = 0; i < table.correlation.size(); ++i) {
        const auto id = events.externalIds.find(table.sourceRow[i]);
        table.correlation[i] = id != events.externalIds.end() ? id->second : 0;
    }
}

constexpr GlobalId ofSeveral = 0;

/// The process of each correlation id in `calls`, or ofSeveral.
std::unordered_map<std::uint32_t, GlobalId> launchingProcesses(const EventTable& calls)
{
    std::unordered_map<std::uint32_t, GlobalId> processes;
    for (const Track& track : calls.tracks) {
        const GlobalId process = processOf(track.owner);
        for (EventIndex i = track.firstEvent; i < track.firstEvent + track.eventCount; ++i) {
            GlobalId& known = processes.try_emplace(calls.correlation[i], process).first->second;
            known = known == process ? process : ofSeveral;
        }
    }
    processes.erase(0); // calls without an id
    return processes;
}

/// For each GPU without a process in `work`: the only process with `calls`, or the one that launched more
/// than half of the work with a launch there. Ids of several processes count as launches of none.
std::map<std::int32_t, GlobalId> processesOfGpus(const EventTable& calls, std::span<EventTable* const> work)
{
    std::vector<std::pair<const EventTable*, const Track*>> unowned;
    for (const EventTable* const table : work) {
        for (const Track& track : table->tracks) {
            if (track.device >= 0 && pidOf(track.owner) == 0)
                unowned.emplace_back(table, &track);
        }
    }
    const auto processOfTrack = [](const Track& track) { return processOf(track.owner); };
    std::map<std::int32_t, GlobalId> found;
    if (unowned.empty() || calls.tracks.empty())
        return found;
    if (std::ranges::adjacent_find(calls.tracks, std::not_equal_to(), processOfTrack) == calls.tracks.end()) {
        for (const auto& [table, track] : unowned)
            found[track->device] = processOfTrack(calls.tracks.front());
        return found;
    }
    const auto processes = launchingProcesses(calls);
    std::map<std::int32_t, std::map<GlobalId, std::size_t>> launches; // by device
    for (const auto& [table, track] : unowned) {
        auto& byProcess = launches[track->device];
        for (EventIndex i = track->firstEvent; i < track->firstEvent + track->eventCount; ++i) {
            if (const auto launch = processes.find(table->correlation[i]); launch != processes.end())
                ++byProcess[launch->second];
        }
    }
    for (const auto& [device, byProcess] : launches) {
        std::size_t all = 0;
        for (const auto& [process, count] : byProcess)
            all += count;
        for (const auto& [process, count] : byProcess) {
            if (process != ofSeveral && count > all / 2)
                found[device] = process;
        }
    }
    return found;
}

std::shared_ptr<const GraphEventTable> finishedNodes(EventReader& events, const TrackOwners& owners, Ns zero)
{
    auto nodes = tableOf<GraphEventTable>(events.graphNodes, owners, zero);
    nodes->nodes.resize(1); // none has a node
    return nodes;
}

/// HIP's extended launches are given their grid in threads: it becomes one in blocks, as that of all others.
void countGridsInBlocks(KernelTable& kernels, const EventTable& calls, const StringPool& pool)
{
    std::unordered_set<std::uint32_t> extended;
    for (EventIndex i = 0; i < calls.size(); ++i) {
        const std::string_view name = pool[calls.name[i]];
        if (name == "hipExtModuleLaunchKernel" || name == "hipHccModuleLaunchKernel")
            extended.insert(calls.correlation[i]);
    }
    if (extended.empty())
        return;
    std::unordered_map<std::uint32_t, std::uint32_t> inBlocks; // by the launch in threads
    for (EventIndex i = 0; i < kernels.size(); ++i) {
        if (!extended.contains(kernels.correlation[i]))
            continue;
        const auto [known, isNew]
            = inBlocks.try_emplace(kernels.attribute[i], static_cast<std::uint32_t>(kernels.launches.size()));
        if (isNew) {
            KernelLaunch launch = kernels.launch(i);
            launch.grid = gridInBlocks(launch.grid, launch.block);
            kernels.launches.push_back(launch);
        }
        kernels.attribute[i] = known->second;
    }
}

/// Sets the tables, and finds the processes of GPUs by them.
void setTables(EventReader& events, TraceBuilder& trace, TrackOwners& owners, Ns zero, bool isOwn)
{
    auto calls = tableOf<EventTable>(events.calls, owners, zero);
    const auto kernels = unownedTableOf<KernelTable>(events.kernels, zero);
    kernels->launches = std::move(events.launches.records);
    const auto copies = unownedTableOf<MemcpyTable>(events.memcpys, zero);
    copies->copies = std::move(events.copies.records);
    const auto sets = unownedTableOf<EventTable>(events.memsets, zero);
    const std::array<EventTable*, 3> work{kernels.get(), copies.get(), sets.get()};
    correlateByExternalIds(*calls, events);
    for (EventTable* const table : work)
        correlateByExternalIds(*table, events);
    owners.ofGpu = processesOfGpus(*calls, work);
    for (EventTable* const table : work)
        owners.fillIn(*table);
    trace.setTable(kernels);
    trace.setTable(copies);
    trace.setTable(sets);
    for (TableBuilder* const builder : {&events.graphs, &events.synchronizations, &events.cudaEvents})
        trace.setTable(tableOf<EventTable>(*builder, owners, zero));
    if (events.extendedGridsAreThreads)
        countGridsInBlocks(*kernels, *calls, trace.pool());
    addCapturedNodes(*calls, work, events, zero, trace.pool());
    trace.setTable(finishedNodes(events, owners, zero));
    placeOverheads(events.loose.overheads, *calls, zero, trace.pool());
    for (const ProfilerWork& overhead : events.loose.overheads)
        events.addOverhead(overhead);
    trace.setTable(std::move(calls));
    trace.setTable(tableOf<EventTable>(events.overheads, owners, zero));
    trace.setTable(tableOf<EventTable>(events.osCalls, owners, zero));
    auto memory = tableOf<GpuMemoryTable>(events.allocations, owners, zero);
    memory->address = events.allocations.takeAddresses();
    memory->operations = std::move(events.operations.records);
    trace.setTable(std::move(memory));
    auto ranges = tableOf<NvtxTable>(events.ranges, owners, zero);
    ranges->attributes = std::move(events.attributes.records);
    ranges->payloadFields = fieldNames(events, trace.pool());
    joinPasses(events.loose.passes, *ranges, zero);
    // Other kinds of events are not the program's ranges.
    for (Track& track : ranges->tracks) {
        const std::string_view category = trace.pool()[track.source];
        if (isOwn && track.family == track.source && EventReader::isOtherKind(category))
            track.family = trace.pool().intern(std::string(category) + std::string(exportedEnding));
    }
    trace.setTable(std::move(ranges));
}

/// Sets the counters. Those of PyTorch's allocator belong to their GPU.
void setCounters(EventReader& events, Trace& trace, StringPool& pool, const TrackOwners& owners, Ns zero)
{
    for (auto& [key, values] : events.counters) {
        const auto& [owner, device, name] = key;
        std::ranges::stable_sort(
            values, {}, [](const CounterValue& value) { return std::pair(value.time, value.event); });
        const bool memory = name == "Total Allocated" || name == "Total Reserved";
        CounterSeries series;
        series.kind = CounterKind::GpuMemoryUsage;
        series.owner = pidOf(owner) != 0 ? owner : owners.of(device);
        series.device = device;
        if (device < 0)
            makeProgramCounter(series);
        series.name = pool.intern(!memory   ? name
                : device < 0                ? "Memory that PyTorch allocated on the host"
                : name == "Total Allocated" ? "Memory in use by PyTorch"
                                            : "Memory held by PyTorch");
        series.unit = memory ? pool.intern("B") : StringId{};
        std::vector<std::pair<Ns, double>> samples;
        for (const CounterValue& value : values)
            samples.emplace_back(value.time - zero, value.value);
        series.setSamples(samples);
        trace.counters.push_back(std::move(series));
    }
}

/// Sets names of processes and threads with events; GPUs are listed among them, as processes by number.
void setPlaces(const EventReader& events, Trace& trace)
{
    const auto isHost = [&](GlobalId id) { return events.processes.contains(pidOf(id)); };
    for (const auto& [id, given] : events.processNames) {
        if (isHost(id))
            trace.processes.push_back({id, pidOf(id), given.name});
    }
    for (const auto& [id, given] : events.threadNames) {
        if (isHost(id))
            trace.threads.push_back({id, given.name});
    }
}

/// Devices that are represented by processes, by their numbers.
std::vector<Device> namedDevices(const EventReader& events, const StringPool& pool)
{
    std::vector<Device> devices;
    for (const auto& [id, given] : events.processNames) {
        if (!pool[given.name].starts_with(deviceProcess))
            continue;
        Device& device = devices.emplace_back();
        device.id = static_cast<std::int32_t>(pidOf(id));
        device.name = pool[given.name];
    }
    return devices;
}

/// Sets the GPUs of the trace, and maps their numbers. ROCm also counts the host's processors, so its numbers
/// differ from the list's: they correspond by order.
void setDevices(const EventReader& events, const TraceHead& head, Trace& trace)
{
    trace.devices = head.devices;
    if (trace.devices.empty())
        trace.devices = namedDevices(events, *trace.pool);
    std::ranges::stable_sort(trace.devices, {}, &Device::id);
    std::map<std::int32_t, std::set<std::uint32_t>> used; // pids by device
    for (const EventKind kind : gpuWorkKinds) {
        for (const Track& track : trace.table(kind).tracks)
            used[track.device].insert(pidOf(track.owner));
    }
    const auto addPid = [&](std::int32_t device, GlobalId owner) {
        if (const auto pids = used.find(device); device >= 0 && pids != used.end())
            pids->second.insert(pidOf(owner));
    };
    for (const Track& track : trace.table(EventKind::GpuMemory).tracks)
        addPid(track.device, track.owner);
    for (const CounterSeries& series : trace.counters)
        addPid(series.device, series.owner);
    std::set<std::int32_t> listed;
    for (const Device& device : head.devices)
        listed.insert(device.id);
    const bool byNumber = std::ranges::includes(listed, used | std::views::keys);
    std::size_t place = 0;
    for (const auto& [device, pids] : used) {
        if (!byNumber && place >= head.devices.size())
            break;
        const std::int32_t number = byNumber ? device : head.devices[place++].id;
        for (const std::uint32_t pid : pids)
            trace.ordinals.push_back({pid, device, number});
    }
    std::ranges::stable_sort(trace.ordinals, {}, &DeviceOrdinal::key);
}

/// Whether Warpline wrote the trace: see writeChromeTrace(). It names kernels like PyTorch.
bool isOwnTrace(const TraceHead& head)
{
    return std::ranges::any_of(head.facts,
        [](const auto& fact) { return fact.first == "writer" && fact.second.starts_with("Warpline"); });
}

} // namespace

void fillTrace(EventReader& events, const TraceHead& head, Ns middle, TraceBuilder& trace, ImportLog& log)
{
    const Ns zero = events.earliest == std::numeric_limits<Ns>::max() ? 0 : events.earliest;
    TrackOwners owners{mainProcess(events, trace.pool()), {}};
    PairedRanges(events, log).add();
    addCommunicators(events, head, owners.main, zero, trace.pool());
    addEventRecords(events, trace.pool());
    events.extendedGridsAreThreads = events.extendedGridsAreThreads && !isOwnTrace(head);
    setTables(events, trace, owners, zero, isOwnTrace(head));
    for (const auto& [fault, count] : events.faults)
        log.add(fault.first.empty() ? title : std::string_view(fault.first), fault.second, count);
    TimeRange sampled;
    trace.edit([&](Trace& made) {
        setCounters(events, made, trace.pool(), owners, zero);
        for (const CounterSeries& series : made.counters)
            sampled = sampled.empty() ? TimeRange{series.times->front(), series.times->back() + 1}
                                      : sampled.unitedWith({series.times->front(), series.times->back() + 1});
        setPlaces(events, made);
        setDevices(events, head, made);
        ReportInfo& info = made.info;
        info.schemaVersion = head.schemaVersion;
        info.hostName = head.hostName;
        const Ns started = saturatingAdd(saturatingAdd(head.baseNs, middle), zero);
        info.startedUtcNs = started > year2001 && started <= latestUtcNs ? started : 0;
        info.startedUtc = formatUtc(info.startedUtcNs);
        const bool isKineto = events.isKineto && !isOwnTrace(head);
        setRecorder(info, isKineto ? Recorder::PyTorchProfiler : Recorder::OtherTracer);
        setRank(info, head.rank);
        if (isKineto)
            info.capture.insert(info.capture.end(), head.options.begin(), head.options.end());
        info.system = head.facts;
        hideMachine(info);
        for (const auto& [category, counted] : events.categories)
            info.tables.push_back({category, counted.count, true});
    });
    if (!sampled.empty())
        trace.extendSession(sampled);
}

} // namespace warpline
