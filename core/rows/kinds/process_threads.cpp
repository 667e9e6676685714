// Processes and their threads. A thread that drives the GPU or has NVTX ranges comes first and is expanded;
// threads that only wait in the OS runtime, were sampled, or did nothing follow, collapsed. A thread without
// events has no row; the main thread has its process' heading.

#include "core/base/message_names.h"
#include "core/base/utf8.h"
#include "core/rows/row_builder.h"
#include "core/rows/row_kind.h"
#include "core/store/library_domains.h"
#include "core/store/mpi_tables.h"
#include "core/store/place_names.h"
#include "core/store/range_words.h"
#include "core/store/recorder.h"
#include "core/store/trace.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace warpline::process_threads {

namespace {

/// The kinds of rows below a thread, from top to bottom.
struct ThreadKind {
    EventKind kind;
    Literal key;
    Literal label;
    Tint tint;
    Figure figure;
};

constexpr std::array<ThreadKind, 9> threadKinds{{
    {EventKind::ThreadState, "row.thread_state", "Thread state", Tint::ThreadState, Figure::None},
    {EventKind::Nvtx, "row.nvtx", "NVTX", Tint::Nvtx, Figure::None},
    {EventKind::ApiCall, "row.cuda_api", "CUDA API", Tint::Api, Figure::Busy},
    {EventKind::GraphEvent, "row.graph_creation", "CUDA graph creation", Tint::Graph, Figure::None},
    {EventKind::Library, "row.library", "Library", Tint::Library, Figure::Busy},
    {EventKind::OsRuntime, "row.os_runtime", "OS runtime libraries", Tint::OsRuntime, Figure::None},
    {EventKind::FileAccess, "row.file_access", "File access", Tint::OsRuntime, Figure::Count},
    {EventKind::Sample, "row.cpu_samples", "CPU samples", Tint::Sample, Figure::Count},
    {EventKind::Overhead, "row.overhead", "Profiler overhead", Tint::Overhead, Figure::None},
}};

struct ThreadTracks {
    std::vector<TrackRef> tracks;
    std::uint64_t calls = 0; ///< CUDA and NVTX events: these threads come first
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

/// "CUDA API", or the API of its calls' names.
Message apiLabel(const Trace& trace, TrackRef ref)
{
    const Track& track = trace.track(ref);
    const std::string_view source = trace.text(track.source);
    const bool isDriver = source.ends_with("DRIVER") || source == "cuda_driver";
    const bool isHip = trace.text(trace.apiCalls().name[track.firstEvent]).starts_with("hip");
    return isHip   ? nameMessage("HIP API")
        : isDriver ? Message("row.driver_api", "CUDA driver API")
                   : Message("row.cuda_api", "CUDA API");
}

/// The contents of one of several tables of a library.
struct TablePart {
    std::string_view table;
    Literal key;
    Literal label;
};

/// "OpenMP barriers": OpenMP's events lie in a table of the report for each kind, and so in a row for each.
Message openmpLabel(std::string_view source)
{
    constexpr std::array known{TablePart{"PARALLEL", "openmp.parallel", "OpenMP parallel regions"},
        TablePart{"SYNC_REGION", "openmp.barriers", "OpenMP barriers"},
        TablePart{"WORKSHARE", "openmp.loops", "OpenMP loops and sections"},
        TablePart{"TASK", "openmp.tasks", "OpenMP tasks"},
        TablePart{"TASK_CREATE", "openmp.task_creation", "OpenMP task creation"},
        TablePart{"CRITICAL_SECTION", "openmp.critical", "OpenMP critical sections"},
        TablePart{"MUTEX_WAIT", "openmp.locks", "OpenMP waits for locks"},
        TablePart{"REDUCTION", "openmp.reductions", "OpenMP reductions"}};
    constexpr std::string_view prefix = "OPENMP_EVENT_KIND_";
    if (!source.starts_with(prefix))
        return nameMessage("OpenMP");
    source.remove_prefix(prefix.size());
    const auto* const found = std::ranges::find(known, source, &TablePart::table);
    if (found != known.end())
        return {found->key, found->label};
    std::string part(source);
    std::ranges::transform(part, part.begin(), [](char c) {
        return c == '_' ? ' ' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    });
    return nameMessage("OpenMP " + part);
}

Message trackLabel(const Trace& trace, TrackRef ref)
{
    const Track& track = trace.track(ref);
    const Message family = domainText(trace.text(track.family));
    switch (ref.kind) {
    case EventKind::Nvtx:
        if (recorderOf(trace.info) != Recorder::NsightSystems)
            return family.empty() ? Message("row.annotations", "Annotations") : family;
        if (trace.text(track.family) == frameDomain) // no NVTX: see framesOf()
            return family;
        return family.empty() ? nameMessage("NVTX") : nameMessage("NVTX " + toUtf8(trace.text(track.family)));
    case EventKind::Library:
        return trace.text(track.family) == "OpenMP" ? openmpLabel(trace.text(track.source)) : family;
    case EventKind::ApiCall:
        return apiLabel(trace, ref);
    default:
        return {wordsOf(ref.kind).key, wordsOf(ref.kind).label};
    }
}

/// The contents of the track's source table, for libraries whose calls are spread over several tables.
Message partLabel(std::string_view source)
{
    constexpr std::array parts{TablePart{mpi_table::collectives, "row.collectives", "Collectives"},
        TablePart{mpi_table::pointToPoint, "row.point_to_point", "Point to point"},
        TablePart{mpi_table::startWait, "row.start_wait", "Start and wait"},
        TablePart{mpi_table::other, "row.other_calls", "Other calls"},
        TablePart{"UCP_SUBMIT_EVENTS", "row.submission", "Submission"},
        TablePart{"UCP_PROGRESS_EVENTS", "row.progress", "Progress"},
        TablePart{"UCP_EVENTS", "row.other_calls", "Other calls"}};
    const auto* const found = std::ranges::find(parts, source, &TablePart::table);
    return found != parts.end() ? Message(found->key, found->label) : nameMessage(std::string(source));
}

/// The tracks of `thread` that share a row with `ref`: a thread is in one call of MPI or UCX at a time,
/// whatever table the call is in.
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
    const std::string family = toUtf8(trace.text(trace.track(parts.front()).family)); // MPI, UCX
    const std::string allKey = key + "/" + std::string(keyOf(EventKind::Library)) + ":" + family;
    const RowId all = rows.add(
        parent, summaryRow(trace, coverages, parts, allKey, nameMessage(family), words.tint, words.figure));
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
        row.label = {"row.of_thread", "{thread}: {row}",
            {{"thread", threadLabel(trace, id)}, {"row", std::move(row.label)}}};
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
                {"row.cpu_faults", "CPU page faults"}, Tint::Memory, Figure::Count));
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
        // A single thread's rows belong to the process. The main thread has the name of its process.
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

extern constinit const RowKind processThreads{.build = build};

} // namespace warpline::process_threads
