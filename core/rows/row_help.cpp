#include "core/rows/row_help.h"

#include "core/rows/row_tree.h"
#include "core/store/range_words.h"
#include "core/store/recorder.h"
#include "core/store/trace.h"
#include "core/store/unified_memory.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace warpline {

namespace {

bool isDefaultStream(const Trace& trace, const Track& track)
{
    return std::ranges::any_of(trace.streams, [&](const StreamInfo& info) {
        return info.isDefault && pidOf(info.process) == pidOf(track.owner) && info.stream == track.stream
            && (info.context < 0 || info.context == track.context);
    });
}

/// Explains a row of one stream's work.
Message helpOfStream(const Trace& trace, TrackRef ref)
{
    const Track& track = trace.track(ref);
    if (track.stream < 0)
        return {"row_help.whole_context",
            "Activities of the whole context, not of one stream, such as host waits for all work on the GPU."};
    if (holdsOnlyPages(trace, ref))
        return {"row_help.pages",
            "Migrations of unified memory between CPU and GPU. nsys records them under stream 0, which is not a stream of the program."};
    if (isDefaultStream(trace, track))
        return {"row_help.default_stream",
            "The stream of kernels and copies for which the program names none. Its work waits for all other blocking streams, and they wait for it."};
    return {"row_help.stream",
        "A queue of the GPU. Its kernels and copies run in order; other streams may run at the same time."};
}

/// The same of ranges in a trace that is not nsys', by their domain.
Message helpOfAnnotations(std::string_view domain)
{
    if (domain == "PyTorch")
        return {"row_help.operators", "PyTorch operators (cpu_op) that the program calls."};
    if (domain == "Python")
        return {"row_help.python", "Python functions, as recorded by torch.profiler (with_stack=True)."};
    if (domain.empty())
        return {"row_help.annotations", "Named ranges of the program (torch.profiler.record_function)."};
    return {"row_help.category", "Ranges of this category in the trace."};
}

struct KindHelp {
    EventKind kind;
    Literal key;
    Literal text;
};

constexpr std::array<KindHelp, 18> kindHelps{{
    {EventKind::ApiCall, "row_help.cuda_calls",
        "CUDA calls of this thread. A launch returns at once; its kernel runs later, in the rows of the GPU."},
    {EventKind::Nvtx, "row_help.nvtx", "Named ranges of the program (nvtxRangePush, torch.cuda.nvtx.range)."},
    {EventKind::OsRuntime, "row_help.os_runtime", "Blocking system calls: files, locks, sleeping."},
    {EventKind::ThreadState, "row_help.thread_state", "Whether the thread runs on a CPU or waits."},
    {EventKind::Sample, "row_help.cpu_samples",
        "CPU samples of the thread, about a thousand per second. Click one for its call stack."},
    {EventKind::Overhead, "row_help.overhead",
        "Work of the profiler in the program. It does not exist without the profiler."},
    {EventKind::Library, "row_help.library", "Library calls."},
    {EventKind::GraphEvent, "row_help.graph_creation", "Creation of CUDA graphs on the CPU."},
    {EventKind::FileAccess, "row_help.file_access", "File access of the thread."},
    {EventKind::Memcpy, "row_help.copies", "Copies between host and GPU, and within the GPU."},
    {EventKind::Memset, "row_help.memsets", "Memsets of GPU memory."},
    {EventKind::Kernel, "row_help.kernels", "Functions that run on the GPU."},
    {EventKind::GraphTrace, "row_help.graphs",
        "CUDA graphs, each recorded as a whole. Record with --cuda-graph-trace=node to see their kernels."},
    {EventKind::Synchronization, "row_help.synchronization",
        "The host, or another stream, waits for this stream."},
    {EventKind::CudaEvent, "row_help.cuda_events", "Events recorded with cudaEventRecord."},
    {EventKind::GpuMemory, "row_help.allocations", "Allocations and releases of GPU memory."},
    {EventKind::PageFault, "row_help.page_faults",
        "Accesses to pages of unified memory that were elsewhere, with the wait for the page."},
    {EventKind::CpuCore, "row_help.cpu_core", "Threads that run on this CPU core."},
}};

Message helpOfKind(EventKind kind)
{
    const auto* const found = std::ranges::find(kindHelps, kind, &KindHelp::kind);
    return found == kindHelps.end() ? Message() : Message(found->key, found->text);
}

} // namespace

bool holdsOnlyPages(const Trace& trace, TrackRef ref)
{
    const Track& track = trace.track(ref);
    if (ref.kind != EventKind::Memcpy || track.stream != 0 || track.eventCount == 0)
        return false;
    const MemcpyTable& copies = trace.memcpys();
    return isMigration(copies.copy(track.firstEvent).kind)
        && isMigration(copies.copy(track.firstEvent + track.eventCount - 1).kind);
}

Message rowHelp(const Trace& trace, const Row& row)
{
    if (row.tracks.empty())
        return row.key.ends_with("/streams") ? Message(
                   "row_help.streams", "Streams of this GPU. Work in different streams may run concurrently.")
                                             : Message();
    const TrackRef first = row.tracks.front();
    if (row.key.ends_with("/kernels"))
        return {"row_help.all_kernels", "Kernels of all streams."};
    if (row.key.ends_with("/memory"))
        return {"row_help.all_copies", "Copies and memsets of all streams."};
    const std::size_t last = row.key.find_last_of('/');
    if (row.key.compare(last == std::string::npos ? 0 : last + 1, 7, "stream:") == 0)
        return helpOfStream(trace, first);
    if (first.kind == EventKind::NvtxProjected)
        return {"row_help.projected", "{ranges} of the program, at the time of their work on the GPU.",
            {{"ranges", rangesTitleOf(trace)}}};
    if (first.kind == EventKind::Nvtx && recorderOf(trace.info) != Recorder::NsightSystems)
        return helpOfAnnotations(trace.text(trace.track(first).family));
    return helpOfKind(first.kind);
}

} // namespace warpline
