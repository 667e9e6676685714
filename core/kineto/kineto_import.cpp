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
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace warpline {

namespace {

constexpr std::string_view title = "traceEvents";
constexpr Ns year2001 = 1'000'000'000'000'000'000; // earlier times count from a start of the machine

/// XLA's names of processes that represent devices: "/device:GPU:0".
constexpr std::string_view deviceProcess = "/device:";

/// The process of GPU work of which no call shows the process: the one with most events on the host.
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
        std::uint64_t unopened = 0;
        for (std::size_t i = 0; i < ends.size(); ++i) {
            if (i > 0 && ends[i - 1].thread != ends[i].thread)
                leaveOpen(open, ends[i - 1].time);
            if (ends[i].begins) {
                open.push_back(ends[i]);
            } else if (open.empty()) {
                ++unopened;
            } else {
                addRange(open.back(), ends[i].time, false);
                open.pop_back();
            }
        }
        if (!ends.empty())
            leaveOpen(open, ends.back().time);
        closeAll();
        m_log.add(title, ProblemKind::RangeEndWithoutStart, unopened);
        m_log.add(title, ProblemKind::RangeOpenInThread, m_open.size());
        ends = {};
    }

private:
    struct OpenRange {
        RangeEnd begin;
        Ns last; ///< of the beginnings and ends of its thread
    };

    void leaveOpen(std::vector<RangeEnd>& open, Ns last)
    {
        for (const RangeEnd& each : open)
            m_open.push_back({each, last});
        open.clear();
    }

    /// Ranges without an end last as long as their thread has events.
    void closeAll()
    {
        if (m_open.empty())
            return;
        std::map<GlobalId, Ns> lastOf = m_events.ranges.lastEnds();
        for (const TableBuilder* const table : {&m_events.calls, &m_events.osCalls}) {
            for (const auto& [thread, end] : table->lastEnds()) {
                Ns& last = lastOf.try_emplace(thread, end).first->second;
                last = std::max(last, end);
            }
        }
        for (const OpenRange& each : m_open) {
            const auto last = lastOf.find(each.begin.thread);
            addRange(each.begin, last == lastOf.end() ? each.last : std::max(each.last, last->second), true);
        }
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
    std::vector<OpenRange> m_open;
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

/// Makes a table of `builder`: its times count from `zero`, and tracks without a process belong to `process`.
template <typename Table> std::shared_ptr<Table> tableOf(TableBuilder& builder, GlobalId process, Ns zero)
{
    auto table = std::make_shared<Table>();
    table->kind = builder.kind();
    builder.countSourceRows(builder.size());
    builder.finishInto(*table);
    for (Ns& start : table->start)
        start -= zero;
    table->indexBlocks();
    for (Track& track : table->tracks) {
        if (pidOf(track.owner) == 0)
            track.owner |= process;
    }
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

/// The processes whose calls launched GPU work, where calls of several have correlation ids.
class LaunchingProcesses {
public:
    explicit LaunchingProcesses(const EventTable& calls)
    {
        std::set<GlobalId> processes;
        for (const Track& track : calls.tracks)
            processes.insert(processOf(track.owner));
        if (processes.size() < 2)
            return;
        for (EventIndex i = 0; i < calls.correlation.size(); ++i) {
            const GlobalId process = processOf(calls.tracks[calls.trackIndexOf(i)].owner);
            GlobalId& known = m_ofLaunch.try_emplace(calls.correlation[i], process).first->second;
            known = known == process ? process : ofSeveral;
        }
    }

    /// Gives each track of `work` to the process that launched most of it.
    void own(EventTable& work) const
    {
        std::vector<std::map<GlobalId, std::size_t>> launches(work.tracks.size());
        for (EventIndex i = 0; !m_ofLaunch.empty() && i < work.correlation.size(); ++i) {
            const auto launch = m_ofLaunch.find(work.correlation[i]);
            if (work.correlation[i] != 0 && launch != m_ofLaunch.end() && launch->second != ofSeveral)
                ++launches[work.trackIndexOf(i)][launch->second];
        }
        for (std::size_t i = 0; i < launches.size(); ++i) {
            if (!launches[i].empty())
                work.tracks[i].owner = std::ranges::max_element(launches[i], {}, [](const auto& each) {
                    return each.second;
                })->first;
        }
    }

private:
    static constexpr GlobalId ofSeveral = 0;
    std::unordered_map<std::uint32_t, GlobalId> m_ofLaunch; ///< by correlation id
};

std::shared_ptr<const GraphEventTable> finishedNodes(EventReader& events, GlobalId process, Ns zero)
{
    auto nodes = tableOf<GraphEventTable>(events.graphNodes, process, zero);
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

void setTables(EventReader& events, TraceBuilder& trace, GlobalId process, Ns zero, bool isOwn)
{
    const auto kernels = tableOf<KernelTable>(events.kernels, process, zero);
    correlateByExternalIds(*kernels, events);
    kernels->launches = std::move(events.launches.records);
    trace.setTable(kernels);
    const auto copies = tableOf<MemcpyTable>(events.memcpys, process, zero);
    correlateByExternalIds(*copies, events);
    copies->copies = std::move(events.copies.records);
    trace.setTable(copies);
    const auto sets = tableOf<EventTable>(events.memsets, process, zero);
    correlateByExternalIds(*sets, events);
    trace.setTable(sets);
    auto calls = tableOf<EventTable>(events.calls, process, zero);
    correlateByExternalIds(*calls, events);
    std::vector<std::shared_ptr<EventTable>> ofGpu{kernels, copies, sets};
    for (TableBuilder* const builder : {&events.graphs, &events.synchronizations, &events.cudaEvents}) {
        ofGpu.push_back(tableOf<EventTable>(*builder, process, zero));
        trace.setTable(ofGpu.back());
    }
    const LaunchingProcesses launching(*calls);
    for (const std::shared_ptr<EventTable>& table : ofGpu) {
        if (!isOwn) // it names the process of each event
            launching.own(*table);
    }
    if (events.extendedGridsAreThreads)
        countGridsInBlocks(*kernels, *calls, trace.pool());
    const std::array<const EventTable*, 3> launched{kernels.get(), copies.get(), sets.get()};
    addCapturedNodes(*calls, launched, events, zero, trace.pool());
    trace.setTable(finishedNodes(events, process, zero));
    placeOverheads(events.loose.overheads, *calls, zero, trace.pool());
    for (const ProfilerWork& work : events.loose.overheads)
        events.addOverhead(work);
    trace.setTable(std::move(calls));
    trace.setTable(tableOf<EventTable>(events.overheads, process, zero));
    trace.setTable(tableOf<EventTable>(events.osCalls, process, zero));
    auto memory = tableOf<GpuMemoryTable>(events.allocations, process, zero);
    memory->address = events.allocations.takeAddresses();
    memory->operations = std::move(events.operations.records);
    trace.setTable(std::move(memory));
    auto ranges = tableOf<NvtxTable>(events.ranges, process, zero);
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
void setCounters(EventReader& events, Trace& trace, StringPool& pool, GlobalId process, Ns zero)
{
    for (auto& [key, values] : events.counters) {
        const auto& [owner, device, name] = key;
        std::ranges::stable_sort(
            values, {}, [](const CounterValue& value) { return std::pair(value.time, value.event); });
        const bool memory = name == "Total Allocated" || name == "Total Reserved";
        CounterSeries series;
        series.kind = CounterKind::GpuMemoryUsage;
        series.owner = pidOf(owner) != 0 ? owner : process;
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
void setDevices(const EventReader& events, const TraceHead& head, Trace& trace, GlobalId process)
{
    trace.devices = head.devices;
    if (trace.devices.empty())
        trace.devices = namedDevices(events, *trace.pool);
    std::ranges::stable_sort(trace.devices, {}, &Device::id);
    std::set<std::int32_t> used;
    std::set<GlobalId> owners{process};
    for (const EventKind kind :
        {EventKind::Kernel, EventKind::Memcpy, EventKind::Memset, EventKind::GraphTrace}) {
        for (const Track& track : trace.table(kind).tracks) {
            used.insert(track.device);
            owners.insert(processOf(track.owner));
        }
    }
    std::set<std::int32_t> listed;
    for (const Device& device : head.devices)
        listed.insert(device.id);
    const bool byNumber = std::ranges::includes(listed, used);
    std::size_t place = 0;
    for (const std::int32_t device : used) {
        if (!byNumber && place >= head.devices.size())
            continue;
        const std::int32_t number = byNumber ? device : head.devices[place++].id;
        for (const GlobalId owner : owners)
            trace.ordinals.push_back({pidOf(owner), device, number});
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
    const GlobalId process = mainProcess(events, trace.pool());
    PairedRanges(events, log).add();
    addCommunicators(events, head, process, zero, trace.pool());
    addEventRecords(events, trace.pool());
    events.extendedGridsAreThreads = events.extendedGridsAreThreads && !isOwnTrace(head);
    setTables(events, trace, process, zero, isOwnTrace(head));
    for (const auto& [fault, count] : events.faults)
        log.add(fault.first.empty() ? title : std::string_view(fault.first), fault.second, count);
    TimeRange sampled;
    trace.edit([&](Trace& made) {
        setCounters(events, made, trace.pool(), process, zero);
        for (const CounterSeries& series : made.counters)
            sampled = sampled.empty() ? TimeRange{series.times->front(), series.times->back() + 1}
                                      : sampled.unitedWith({series.times->front(), series.times->back() + 1});
        setPlaces(events, made);
        setDevices(events, head, made, process);
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
        for (const auto& [category, count] : events.categories)
            info.tables.push_back({category, count, true});
    });
    if (!sampled.empty())
        trace.extendSession(sampled);
}

} // namespace warpline
