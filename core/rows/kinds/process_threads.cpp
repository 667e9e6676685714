// Processes and their threads. A thread that drives the GPU or carries NVTX ranges comes first and is open;
// threads that only wait in the OS runtime, were sampled, or did nothing follow, collapsed. A thread without
// events has no row; the main thread has no heading but that of its process.

#include "core/base/utf8.h"
#include "core/import/frames.h"
#include "core/rows/row_builder.h"
#include "core/rows/row_kind.h"
#include "core/store/mpi_tables.h"
#include "core/store/place_names.h"
#include "core/store/recorder.h"
#include "core/store/trace.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace warpline {

namespace {

/// The kinds of rows below a thread, from top to bottom.
struct ThreadKind {
    EventKind kind;
    std::string_view label;
    Tint tint;
    Figure figure;
};

constexpr std::array<ThreadKind, 9> threadKinds{{
    {EventKind::ThreadState, "Thread state", Tint::ThreadState, Figure::None},
    {EventKind::Nvtx, "NVTX", Tint::Nvtx, Figure::None},
    {EventKind::ApiCall, "CUDA API", Tint::Api, Figure::Busy},
    {EventKind::GraphEvent, "CUDA graph creation", Tint::Graph, Figure::None},
    {EventKind::Library, "Library", Tint::Library, Figure::Busy},
    {EventKind::OsRuntime, "OS runtime libraries", Tint::OsRuntime, Figure::None},
    {EventKind::FileAccess, "File access", Tint::OsRuntime, Figure::Count},
    {EventKind::Sample, "CPU samples", Tint::Sample, Figure::Count},
    {EventKind::Overhead, "Profiler overhead", Tint::Overhead, Figure::None},
}};

struct ThreadTracks {
    std::vector<TrackRef> tracks;
    std::uint64_t calls = 0; ///< CUDA and NVTX: what makes a thread worth seeing first
    std::uint64_t events = 0;
};

using Processes = std::map<GlobalId, std::map<GlobalId, ThreadTracks>>;

Processes collect(const Trace& trace)
{
    Processes processes;
    for (const ThreadKind& kind : threadKinds) {
        for (const TrackRef& ref : tracksOf(trace, kind.kind)) {
            const Track& track = trace.track(ref);
            if (track.device >= 0)
                continue; // work on a GPU: below CUDA HW
            ThreadTracks& thread = processes[processOf(track.owner)][track.owner];
            thread.tracks.push_back(ref);
            thread.events += track.eventCount;
            if (kind.kind == EventKind::ApiCall || kind.kind == EventKind::Nvtx
                || kind.kind == EventKind::Library)
                thread.calls += track.eventCount;
        }
    }
    return processes;
}

const ThreadKind& wordsOf(EventKind kind)
{
    return *std::ranges::find(threadKinds, kind, &ThreadKind::kind);
}

/// "CUDA API", or what its calls' names say.
std::string apiLabel(const Trace& trace, TrackRef ref)
{
    const Track& track = trace.track(ref);
    const std::string_view source = trace.text(track.source);
    const bool hip = trace.text(trace.apiCalls().name[track.firstEvent]).starts_with("hip");
    return hip                                                  ? "HIP API"
        : source.ends_with("DRIVER") || source == "cuda_driver" ? "CUDA driver API"
                                                                : "CUDA API";
}

/// "OpenMP barriers": OpenMP's events lie in a table of the report for each kind, and so in a row for each.
std::string openmpLabel(std::string_view source)
{
    constexpr std::array<std::pair<std::string_view, std::string_view>, 8> known{
        {{"PARALLEL", "parallel regions"}, {"SYNC_REGION", "barriers"}, {"WORKSHARE", "loops and sections"},
            {"TASK", "tasks"}, {"TASK_CREATE", "task creation"}, {"CRITICAL_SECTION", "critical sections"},
            {"MUTEX_WAIT", "waits for locks"}, {"REDUCTION", "reductions"}}};
    constexpr std::string_view prefix = "OPENMP_EVENT_KIND_";
    if (!source.starts_with(prefix))
        return "OpenMP";
    source.remove_prefix(prefix.size());
    const auto* const found = std::ranges::find(known, source, [](const auto& part) { return part.first; });
    std::string part(found != known.end() ? found->second : source);
    std::ranges::transform(part, part.begin(), [](char c) {
        return c == '_' ? ' ' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    });
    return "OpenMP " + part;
}

std::string trackLabel(const Trace& trace, TrackRef ref)
{
    const Track& track = trace.track(ref);
    const std::string family = toUtf8(trace.text(track.family));
    switch (ref.kind) {
    case EventKind::Nvtx:
        if (recorderOf(trace.info) != Recorder::NsightSystems)
            return family.empty() ? "Annotations" : family;
        if (trace.text(track.family) == frameDomain) // no NVTX: see framesOf()
            return family;
        return family.empty() ? "NVTX" : "NVTX " + family;
    case EventKind::Library:
        return family == "OpenMP" ? openmpLabel(trace.text(track.source)) : family;
    case EventKind::ApiCall:
        return apiLabel(trace, ref);
    default:
        return std::string(wordsOf(ref.kind).label);
    }
}

/// What the table that a track was read from holds, for libraries whose calls are spread over several.
std::string partLabel(std::string_view source)
{
    constexpr std::array<std::pair<std::string_view, std::string_view>, 7> parts{
        {{mpi_table::collectives, "Collectives"}, {mpi_table::pointToPoint, "Point to point"},
            {mpi_table::startWait, "Start and wait"}, {mpi_table::other, "Other calls"},
            {"UCP_SUBMIT_EVENTS", "Submission"}, {"UCP_PROGRESS_EVENTS", "Progress"},
            {"UCP_EVENTS", "Other calls"}}};
    const auto* const found = std::ranges::find(parts, source, [](const auto& part) { return part.first; });
    return std::string(found != parts.end() ? found->second : source);
}

/// The tracks of `thread` that one row sums up with `ref`: a thread is in one call of MPI or UCX at a time,
/// whichever of the report's tables it is in.
std::vector<TrackRef> partsOf(const Trace& trace, const ThreadTracks& thread, TrackRef ref)
{
    const std::string_view family = trace.text(trace.track(ref).family);
    if (ref.kind != EventKind::Library || (family != "MPI" && family != "UCX"))
        return {ref};
    std::vector<TrackRef> parts;
    std::ranges::copy_if(thread.tracks, std::back_inserter(parts), [&](TrackRef other) {
        return other.kind == ref.kind && trace.track(other).family == trace.track(ref).family;
    });
    return parts;
}

/// One row for calls that lie in several tables, and below it, folded, a row of each.
void addParts(const Trace& trace, CoverageCache& coverages, RowTree& rows, RowId parent,
    const std::string& key, const std::vector<TrackRef>& parts)
{
    const ThreadKind& words = wordsOf(EventKind::Library);
    const std::string label = trackLabel(trace, parts.front());
    const std::string allKey = key + "/" + std::string(keyOf(EventKind::Library)) + ":" + label;
    const RowId all
        = rows.add(parent, summaryRow(trace, coverages, parts, allKey, label, words.tint, words.figure));
    for (const TrackRef& ref : parts) {
        const std::string source(trace.text(trace.track(ref).source));
        rows.add(all,
            trackRow(
                trace, coverages, ref, allKey + ":" + source, partLabel(source), words.tint, words.figure));
    }
}

std::string threadKey(GlobalId id)
{
    return "process:" + std::to_string(pidOf(id)) + "/thread:" + std::to_string(tidOf(id)) + ":"
        + std::to_string(id);
}

/// The row of `ref`, a track of thread `id`.
Row rowOf(const Trace& trace, CoverageCache& coverages, GlobalId id, TrackRef ref)
{
    const ThreadKind& words = wordsOf(ref.kind);
    const Track& track = trace.track(ref);
    const std::string key = threadKey(id) + "/" + std::string(keyOf(ref.kind)) + ":"
        + std::string(trace.text(track.family)) + ":" + std::string(trace.text(track.source));
    return trackRow(trace, coverages, ref, key, trackLabel(trace, ref), words.tint, words.figure);
}

void addTracks(const Trace& trace, CoverageCache& coverages, RowTree& rows, RowId parent, GlobalId id,
    const ThreadTracks& thread)
{
    for (const TrackRef& ref : thread.tracks) {
        const std::vector<TrackRef> parts = partsOf(trace, thread, ref);
        if (parts.size() == 1)
            rows.add(parent, rowOf(trace, coverages, id, ref));
        else if (parts.front() == ref)
            addParts(trace, coverages, rows, parent, threadKey(id), parts);
    }
}

void addThread(const Trace& trace, CoverageCache& coverages, RowTree& rows, RowId parent, GlobalId id,
    const ThreadTracks& thread)
{
    // Nothing is folded where there is one row: thread and calls have one label.
    if (thread.calls > 0 && thread.tracks.size() == 1) {
        Row row = rowOf(trace, coverages, id, thread.tracks.front());
        row.label = threadLabel(trace, id) + ": " + row.label;
        rows.add(parent, std::move(row));
        return;
    }
    const RowId row = rows.add(parent, headerRow(threadKey(id), threadLabel(trace, id)));
    rows.row(row).expanded = thread.calls > 0;
    addTracks(trace, coverages, rows, row, id, thread);
}

/// Page faults of unified memory on the CPU: nsys names their process, not the thread.
void addFaults(const Trace& trace, CoverageCache& coverages, RowTree& rows, RowId parent, GlobalId process)
{
    for (const TrackRef& ref : tracksOf(trace, EventKind::PageFault)) {
        const Track& track = trace.track(ref);
        if (track.device >= 0 || processOf(track.owner) != process)
            continue;
        rows.add(parent,
            trackRow(trace, coverages, ref,
                "process:" + std::to_string(process) + "/cpu-faults:" + std::to_string(ref.track),
                "CPU page faults", Tint::Memory, Figure::Count));
    }
}

void build(const Trace& trace, CoverageCache& coverages, RowTree& rows)
{
    Processes processes = collect(trace);
    for (const Track& track : trace.table(EventKind::PageFault).tracks) {
        if (track.device < 0)
            processes[processOf(track.owner)];
    }
    struct Ranked {
        GlobalId id;
        std::uint64_t calls;
        std::uint64_t events;
    };
    const auto busier = [](const Ranked& a, const Ranked& b) {
        return (a.calls > 0) != (b.calls > 0) ? a.calls > 0 : a.calls > 0 ? false : a.events > b.events;
    };
    std::vector<Ranked> order;
    for (const auto& [process, threads] : processes) {
        Ranked ranked{process, 0, 0};
        for (const auto& [thread, tracks] : threads) {
            ranked.calls += tracks.calls;
            ranked.events += tracks.events;
        }
        order.push_back(ranked);
    }
    std::ranges::stable_sort(order, busier);
    for (const Ranked& process : order) {
        const RowId top = rows.add(RowTree::root,
            headerRow("process:" + std::to_string(process.id), processLabel(trace, process.id)));
        rows.row(top).expanded = process.calls > 0 || order.size() == 1;
        addFaults(trace, coverages, rows, top, process.id);
        const auto& threads = processes.at(process.id);
        std::vector<Ranked> inOrder;
        for (const auto& [thread, tracks] : threads)
            inOrder.push_back({thread, tracks.calls, tracks.events});
        std::ranges::stable_sort(inOrder, busier);
        // What the only thread does is what the process does. The main thread has the name of its process.
        const GlobalId first = inOrder.empty() ? GlobalId{} : inOrder.front().id;
        const bool isOne = inOrder.size() == 1 || (!inOrder.empty() && tidOf(first) == pidOf(process.id));
        for (const Ranked& thread : inOrder) {
            if (isOne && thread.id == first)
                addTracks(trace, coverages, rows, top, first, threads.at(first));
            else
                addThread(trace, coverages, rows, top, thread.id, threads.at(thread.id));
        }
    }
}

} // namespace

extern constinit const RowKind processThreads{.id = "processes", .title = "Processes", .build = build};

} // namespace warpline
