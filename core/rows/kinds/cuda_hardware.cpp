// GPU work by GPU and process: all of it in one row, below it the NVTX ranges projected onto the GPU, copies,
// streams, and memory usage over time. Leaves out rows that would repeat another one.

#include "core/base/format.h"
#include "core/base/message_names.h"
#include "core/base/utf8.h"
#include "core/coverage/coverage_cache.h"
#include "core/coverage/gpu_times.h"
#include "core/rows/row_builder.h"
#include "core/rows/row_help.h"
#include "core/rows/row_kind.h"
#include "core/store/attributes.h"
#include "core/store/gpu_names.h"
#include "core/store/place_names.h"
#include "core/store/range_words.h"
#include "core/store/recorder.h"
#include "core/store/trace.h"

#include <algorithm>
#include <array>
#include <limits>

namespace warpline::cuda_hardware {

namespace {

/// One GPU as one process sees it.
struct GpuKey {
    GlobalId process;
    std::int32_t device;
    auto operator<=>(const GpuKey&) const = default;
};

struct StreamKey {
    std::int32_t context;
    std::int32_t stream;
    auto operator<=>(const StreamKey&) const = default;
};

struct Gpu {
    std::vector<TrackRef> compute;
    std::vector<TrackRef> memory;
    std::map<StreamKey, std::vector<TrackRef>> streams;
    std::vector<TrackRef> projected;
    std::vector<TrackRef> allocations;
    std::vector<TrackRef> pools;
    std::vector<TrackRef> faults;
    std::vector<TrackRef> workloads;
    std::vector<std::uint32_t> usage; ///< counters of memory
};

/// A kind of rows below a stream.
struct StreamKind {
    EventKind kind;
    Literal key;
    Literal title;
    Tint tint;
};

constexpr std::array<StreamKind, 8> streamKinds{{
    {EventKind::Kernel, "row.kernels", "Kernels", Tint::Kernel},
    {EventKind::GraphTrace, "row.graphs", "CUDA graphs", Tint::Graph},
    {EventKind::Memcpy, "row.memcpy", "Memcpy", Tint::Memory},
    {EventKind::Memset, "row.memset", "Memset", Tint::Memory},
    {EventKind::Synchronization, "row.synchronization", "Synchronization", Tint::Neutral},
    {EventKind::CudaEvent, "row.event_records", "CUDA event records", Tint::Neutral},
    {EventKind::HostFunction, "row.host_functions", "Host functions", Tint::Neutral},
    {EventKind::Decompression, "row.decompression", "Memory decompression", Tint::Neutral},
}};

/// That of `kind`, one of them.
const StreamKind& wordsOf(EventKind kind)
{
    return *std::ranges::find(streamKinds, kind, &StreamKind::kind);
}

/// Waits sometimes have device 0 instead of their context's device. A GPU without work of its process does
/// not exist, and its streams belong to the GPU of the context.
void joinContexts(std::map<GpuKey, Gpu>& gpus)
{
    const auto worksIn = [](const Gpu& gpu) { return !gpu.compute.empty() || !gpu.memory.empty(); };
    for (auto at = gpus.begin(); at != gpus.end();) {
        const auto takes = [&](const auto& other) {
            return other.first != at->first && worksIn(other.second)
                && std::ranges::all_of(at->second.streams, [&](const auto& mine) {
                       return std::ranges::any_of(other.second.streams,
                           [&](const auto& its) { return its.first.context == mine.first.context; });
                   });
        };
        const bool idle = !worksIn(at->second) && !at->second.streams.empty() && at->second.projected.empty()
            && at->second.allocations.empty() && at->second.pools.empty() && at->second.faults.empty()
            && at->second.workloads.empty();
        const GlobalId process = at->first.process;
        auto owner = gpus.lower_bound({process, std::numeric_limits<std::int32_t>::min()});
        while (idle && owner != gpus.end() && owner->first.process == process && !takes(*owner))
            ++owner;
        if (!idle || owner == gpus.end() || owner->first.process != process) {
            ++at;
            continue;
        }
        for (auto& [stream, tracks] : at->second.streams) {
            std::vector<TrackRef>& all = owner->second.streams[stream];
            all.insert(all.end(), tracks.begin(), tracks.end());
        }
        at = gpus.erase(at);
    }
}

std::map<GpuKey, Gpu> collect(const Trace& trace)
{
    std::map<GpuKey, Gpu> gpus;
    for (const StreamKind& words : streamKinds) {
        const EventKind kind = words.kind;
        for (const TrackRef& ref : tracksOf(trace, kind)) {
            const Track& track = trace.track(ref);
            Gpu& gpu = gpus[{track.owner, track.device}];
            gpu.streams[{track.context, track.stream}].push_back(ref);
            if (kind == EventKind::Kernel || kind == EventKind::GraphTrace)
                gpu.compute.push_back(ref);
            else if (kind == EventKind::Memcpy || kind == EventKind::Memset)
                gpu.memory.push_back(ref);
        }
    }
    for (const auto& [kind, place] : {std::pair{EventKind::NvtxProjected, &Gpu::projected},
             std::pair{EventKind::Nvtx, &Gpu::projected}, // annotations that were recorded on the GPU
             std::pair{EventKind::GpuMemory, &Gpu::allocations},
             std::pair{EventKind::GpuMemoryPool, &Gpu::pools}, std::pair{EventKind::PageFault, &Gpu::faults},
             std::pair{EventKind::Library, &Gpu::workloads}}) {
        for (const TrackRef& ref : tracksOf(trace, kind)) {
            const Track& track = trace.track(ref);
            if (track.device >= 0)
                (gpus[{processOf(track.owner), track.device}].*place).push_back(ref);
        }
    }
    joinContexts(gpus);
    for (std::uint32_t i = 0; i < trace.counters.size(); ++i) {
        const CounterSeries& series = trace.counters[i];
        if (series.kind != CounterKind::GpuMemoryUsage && series.kind != CounterKind::MemoryPool)
            continue;
        if (const auto gpu = gpus.find({series.owner, series.device}); gpu != gpus.end())
            gpu->second.usage.push_back(i);
    }
    return gpus;
}

Message gpuTitle(const Trace& trace, const GpuKey& key, bool nameProcess)
{
    Message title = nameMessage(gpuName(trace, key.process, key.device));
    if (nameProcess) {
        // Labels are elided at the end: the distinct rank comes before the common name.
        const auto rank = trace.mpiRanks.empty() ? std::nullopt : trace.mpiRank(key.process);
        return rank
            ? Message("row.gpu_of_rank", "{gpu}, MPI rank {rank} [{pid}]",
                {{"gpu", std::move(title)}, {"rank", Ordinal{*rank}}, {"pid", Ordinal{pidOf(key.process)}}})
            : Message("row.gpu_of_process", "{gpu} {process}",
                {{"gpu", std::move(title)}, {"process", processLabel(trace, key.process)}});
    }
    const Device* const device = trace.device(key.process, key.device);
    return device && !device->name.empty() ? Message(
               "row.gpu", "{gpu} ({name})", {{"gpu", std::move(title)}, {"name", Name{toUtf8(device->name)}}})
                                           : title;
}

/// "4.3% computing, 92.5% only communicating, 3.2% idle": busy is not computing.
std::vector<Message> partsOf(const GpuSplit& split)
{
    std::vector<Message> parts;
    const double whole = static_cast<double>(std::max<Ns>(1, split.total()));
    for (const auto& [time, part] : {std::pair{split.computing, "computing"},
             std::pair{split.communicating, "communicating"}, std::pair{split.stalled, "stalled"},
             std::pair{split.copying, "copying"}, std::pair{split.idle, "idle"}}) {
        if (time > 0)
            parts.push_back({"row.gpu_part",
                "{share} {part, select, computing {computing} communicating {only communicating or waiting to} stalled {in kernels that wait for pages} copying {only copying} other {idle}}",
                {{"share", Name{formatShare(static_cast<double>(time) / whole)}}, {"part", Name{part}}}});
    }
    return parts;
}

/// The full name, for the label's tooltip.
Message gpuHint(const Trace& trace, const GpuKey& key)
{
    Message hint("row.gpu_work", "Work of {gpu} for {process}",
        {{"gpu", gpuNameWithOrdinal(trace, key.process, key.device)},
            {"process", processLabel(trace, key.process)}});
    if (const Device* const device = trace.device(key.process, key.device))
        hint
            = linesOf(std::move(hint), nameMessage(toUtf8(device->name) + " " + toUtf8(device->busLocation)));
    return hint;
}

Message kindTitle(EventKind kind)
{
    return {wordsOf(kind).key, wordsOf(kind).title};
}

bool keepsGpuBusy(TrackRef ref)
{
    return isGpuWork(ref.kind);
}

std::vector<TrackRef> workIn(const std::vector<TrackRef>& tracks)
{
    std::vector<TrackRef> work;
    std::ranges::copy_if(tracks, std::back_inserter(work), keepsGpuBusy);
    return work;
}

std::string streamKey(const std::string& parentKey, const Track& any)
{
    return parentKey + "/stream:" + std::to_string(any.context) + ":" + std::to_string(any.stream);
}

/// A row for each kind of `tracks`, all of one stream; `isOnly`: nothing else names the stream.
void addKinds(const Trace& trace, CoverageCache& coverages, RowTree& rows, RowId parent,
    const std::string& parentKey, const std::vector<TrackRef>& tracks, bool isOnly)
{
    for (const TrackRef& ref : tracks) {
        Row row = trackRow(trace, coverages, ref,
            streamKey(parentKey, trace.track(ref)) + "/" + std::string(keyOf(ref.kind)), kindTitle(ref.kind),
            wordsOf(ref.kind).tint, Figure::Busy);
        if (isOnly)
            row.hint = linesOf(streamLabel(trace, trace.track(ref)), rowHelp(trace, row));
        rows.add(parent, std::move(row));
    }
}

/// One row where a stream holds work of one kind, or else nothing but one kind; otherwise one that sums up
/// its work.
void addStream(const Trace& trace, CoverageCache& coverages, RowTree& rows, RowId parent,
    const std::string& parentKey, const std::vector<TrackRef>& tracks)
{
    const Message label = streamLabel(trace, trace.track(tracks.front()));
    const std::string key = streamKey(parentKey, trace.track(tracks.front()));
    const std::vector<TrackRef> work = workIn(tracks);
    if (work.size() > 1) {
        const RowId id
            = rows.add(parent, summaryRow(trace, coverages, work, key, label, Tint::Kernel, Figure::Busy));
        addKinds(trace, coverages, rows, id, parentKey, tracks, false);
        return;
    }
    const TrackRef main = work.empty() ? tracks.front() : work.front();
    const bool isWhole = trace.track(main).stream < 0;
    const Message title = work.empty() ? placeWithin(kindTitle(main.kind), isWhole ? Message() : label)
        : holdsOnlyPages(trace, main)
        ? Message("row.migrations", "{stream}: migrations of unified memory", {{"stream", label}})
        : label;
    const RowId id = rows.add(
        parent, trackRow(trace, coverages, main, key, title, wordsOf(main.kind).tint, Figure::Busy));
    std::vector<TrackRef> others;
    std::ranges::copy_if(tracks, std::back_inserter(others), [&](TrackRef ref) { return ref != main; });
    addKinds(trace, coverages, rows, id, parentKey, others, false);
}

/// A single stream is shown in the GPU's row, several have a row each. Very many are grouped, and so are more
/// than a few without work, which only have waits and event records.
void addStreams(const Trace& trace, CoverageCache& coverages, RowTree& rows, RowId parent,
    const std::string& parentKey, const std::map<StreamKey, std::vector<TrackRef>>& streams)
{
    constexpr std::ptrdiff_t fewStreams = 8;
    constexpr std::ptrdiff_t fewIdle = 3;
    const auto works = [](const auto& stream) { return std::ranges::any_of(stream.second, keepsGpuBusy); };
    const std::ptrdiff_t working = std::ranges::count_if(streams, works);
    RowId all = parent;
    if (working > fewStreams) {
        all = rows.add(parent, headerRow(parentKey + "/streams", {"row.streams", "Streams"}));
        rows.row(all).figure = countText(streams.size());
    }
    const std::ptrdiff_t idle = std::ssize(streams) - working;
    const bool folds = all == parent && idle > fewIdle;
    for (const auto& stream : streams) {
        if (folds && !works(stream))
            continue;
        if (working == 1 && works(stream))
            addKinds(trace, coverages, rows, parent, parentKey, stream.second, true);
        else
            addStream(trace, coverages, rows, all, parentKey, stream.second);
    }
    if (!folds)
        return;
    const RowId group = rows.add(
        parent, headerRow(parentKey + "/idle-streams", {"row.idle_streams", "Streams without work"}));
    rows.row(group).figure = countText(static_cast<std::uint64_t>(idle));
    for (const auto& stream : streams) {
        if (!works(stream))
            addStream(trace, coverages, rows, group, parentKey, stream.second);
    }
}

void addProjected(const Trace& trace, CoverageCache& coverages, RowTree& rows, RowId parent,
    const std::string& parentKey, const std::vector<TrackRef>& tracks)
{
    for (const TrackRef& ref : tracks) {
        const Track& track = trace.track(ref);
        const std::string domain = toUtf8(trace.text(track.family));
        const bool isNsys = recorderOf(trace.info) == Recorder::NsightSystems;
        Message label = domain.empty() ? titleOf(trace, EventKind::Nvtx)
            : isNsys                   ? nameMessage("NVTX " + domain)
                                       : domainText(domain);
        std::string key = parentKey + "/nvtx/" + std::to_string(track.owner) + ":" + domain;
        if (track.stream >= 0) {
            label = placeWithin(std::move(label), streamLabel(trace, track));
            key += ":" + std::to_string(track.context) + ":" + std::to_string(track.stream);
        } else if (tracks.size() > 1) {
            label = {"row.ranges_of_thread", "{ranges} {thread}",
                {{"ranges", std::move(label)}, {"thread", threadLabel(trace, track.owner)}}};
        }
        rows.add(parent, trackRow(trace, coverages, ref, key, label, Tint::Nvtx, Figure::Busy));
    }
}

/// Allocations and releases as marks in one row, including allocations without a context, which need no
/// second row of the same name.
void addAllocations(const Trace& trace, CoverageCache& coverages, RowTree& rows, RowId parent,
    const std::string& parentKey, const std::vector<TrackRef>& tracks)
{
    if (tracks.empty())
        return;
    Row row = trackRow(trace, coverages, tracks.front(), parentKey + "/allocations",
        {"row.memory_operations", "Memory operations"}, Tint::Memory, Figure::Count);
    row.tracks = tracks;
    row.events = 0;
    for (const TrackRef& ref : tracks)
        row.events += trace.track(ref).eventCount;
    row.drawing = Drawing::Marks;
    row.figure = countText(row.events);
    rows.add(parent, std::move(row));
}

/// "192 groups, 717 faults": the GPU reports its faults in groups.
Message faultsText(const Trace& trace, TrackRef ref)
{
    const PageFaultTable& table = trace.pageFaults();
    std::uint64_t faults = 0;
    for (const Lane& lane : table.lanesOf(table.tracks[ref.track])) {
        for (EventIndex i = lane.first; i < lane.first + lane.count; ++i)
            faults += faultsIn(trace, i);
    }
    const std::uint64_t groups = trace.track(ref).eventCount;
    return faults == groups ? countText(groups)
                            : Message("row.faults", "{groups} groups, {faults} faults",
                                {{"groups", Count{groups}}, {"faults", Count{faults}}});
}

void addMemory(const Trace& trace, CoverageCache& coverages, RowTree& rows, RowId parent,
    const std::string& parentKey, const Gpu& gpu)
{
    for (const std::uint32_t i : gpu.usage) {
        Row row
            = counterRow(trace, i, parentKey + "/usage:" + std::string(trace.text(trace.counters[i].name)));
        row.hint = {};
        rows.add(parent, std::move(row));
    }
    addAllocations(trace, coverages, rows, parent, parentKey, gpu.allocations);
    for (const TrackRef& ref : gpu.pools)
        rows.add(parent,
            trackRow(trace, coverages, ref, parentKey + "/pools:" + std::to_string(ref.track),
                {"row.memory_pools", "Memory pools"}, Tint::Memory, Figure::Count));
    for (const TrackRef& ref : gpu.faults) {
        Row row = trackRow(trace, coverages, ref, parentKey + "/faults:" + std::to_string(ref.track),
            {"row.page_faults", "Page faults"}, Tint::Memory, Figure::Count);
        row.figure = faultsText(trace, ref);
        rows.add(parent, std::move(row));
    }
    for (const TrackRef& ref : gpu.workloads)
        rows.add(parent,
            trackRow(trace, coverages, ref, parentKey + "/workload:" + std::to_string(ref.track),
                domainText(trace.text(trace.track(ref).family)), Tint::Library, Figure::Busy));
}

/// Whether a row of all copies adds anything: for several streams, or for one with kernels.
bool hasMemoryRow(const Trace& trace, const Gpu& gpu)
{
    if (gpu.memory.empty() || gpu.compute.empty())
        return false;
    const auto streamOf = [&](TrackRef ref) {
        return StreamKey{trace.track(ref).context, trace.track(ref).stream};
    };
    const StreamKey first = streamOf(gpu.memory.front());
    const auto isElsewhere = [&](TrackRef ref) { return streamOf(ref) != first; };
    const bool hasOne = std::ranges::none_of(gpu.memory, isElsewhere);
    const bool isAlone = std::ranges::all_of(gpu.compute, isElsewhere); // a stream of copies
    return hasOne ? !isAlone && std::ranges::any_of(gpu.compute, isElsewhere) : true;
}

GpuSplit splitOf(const Trace& trace, CoverageCache& coverages, const RowTree& rows, const GpuKey& key,
    const Gpu& gpu, RowId id)
{
    const Ns busy = rows.row(id).busy;
    const Ns running = gpu.compute.empty()
        ? 0
        : summaryRow(trace, coverages, gpu.compute, {}, {}, Tint::Kernel, Figure::None).busy;
    GpuSplit split{running, 0, 0, busy - running, trace.session.duration() - busy};
    if (const NotComputing* const times = rows.notComputing({key.process, key.device})) {
        split.stalled = times->stalled.total();
        split.communicating = times->communicating.total();
        split.computing -= split.stalled + split.communicating;
    }
    return split;
}

void addGpu(const Trace& trace, CoverageCache& coverages, RowTree& rows, const GpuKey& key, const Gpu& gpu,
    bool nameProcess)
{
    const std::string base
        = "cuda-hw:" + std::to_string(pidOf(key.process)) + ":" + std::to_string(key.device);
    std::vector<TrackRef> work = gpu.compute;
    work.insert(work.end(), gpu.memory.begin(), gpu.memory.end());
    Row top = work.empty() ? headerRow(base, gpuTitle(trace, key, nameProcess))
                           : summaryRow(trace, coverages, work, base, gpuTitle(trace, key, nameProcess),
                               Tint::Kernel, Figure::Busy);
    top.hint = gpuHint(trace, key);
    top.tellsIdle = !work.empty();
    top.expanded = !work.empty() || !gpu.workloads.empty();
    const RowId id = rows.add(RowTree::root, std::move(top));
    // Time that is asked for, see deviceFigures(), also where no row shows it.
    for (const std::vector<TrackRef>* const tracks : {&gpu.compute, &gpu.memory}) {
        if (tracks->size() > 1 && !(*tracks == work))
            rows.keep(*tracks, coverages.of(trace, *tracks));
    }
    addProjected(trace, coverages, rows, id, base, gpu.projected);
    if (hasMemoryRow(trace, gpu))
        rows.add(id,
            summaryRow(trace, coverages, gpu.memory, base + "/memory", {"row.memory", "Memory"}, Tint::Memory,
                Figure::Busy));
    addStreams(trace, coverages, rows, id, base, gpu.streams);
    if (trace.complete && !work.empty())
        rows.row(id).hint = linesOf(std::move(rows.row(id).hint),
            {"row.gpu_parts", "Of the session: {parts}",
                {{"parts", partsOf(splitOf(trace, coverages, rows, key, gpu, id))}}});
    addMemory(trace, coverages, rows, id, base, gpu);
}

void build(const Trace& trace, CoverageCache& coverages, RowTree& rows)
{
    const auto gpus = collect(trace);
    // Processes that only opened a context come last, because they are empty.
    std::vector<const std::pair<const GpuKey, Gpu>*> inOrder;
    for (const auto& each : gpus)
        inOrder.push_back(&each);
    std::ranges::stable_partition(inOrder,
        [](const auto* each) { return !each->second.compute.empty() || !each->second.memory.empty(); });
    if (trace.complete)
        rows.setNotComputing(notComputing(trace, coverages.stop()));
    for (const auto* const each : inOrder) {
        const auto& [key, gpu] = *each;
        addGpu(trace, coverages, rows, key, gpu, gpus.size() > 1);
    }
}

} // namespace

extern constinit const RowKind cudaHardware{.build = build};

} // namespace warpline::cuda_hardware
