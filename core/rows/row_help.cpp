#include "core/rows/row_help.h"

#include "core/rows/row_tree.h"
#include "core/store/range_words.h"
#include "core/store/recorder.h"
#include "core/store/trace.h"
#include "core/store/unified_memory.h"

#include <fmt/format.h>

#include <algorithm>
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

/// What a row of the work of one stream is.
std::string_view helpOfStream(const Trace& trace, TrackRef ref)
{
    const Track& track = trace.track(ref);
    if (track.stream < 0)
        return "Activities of the whole context, not of one stream, such as host waits for all work on the GPU.";
    if (holdsOnlyPages(trace, ref))
        return "Migrations of unified memory between CPU and GPU. nsys records them under stream 0, which is not a stream of the program.";
    if (isDefaultStream(trace, track))
        return "The stream of kernels and copies for which the program names none. Its work waits for all other blocking streams, and they wait for it.";
    return "A queue of the GPU. Its kernels and copies run in order; other streams may run at the same time.";
}

/// The same of ranges in a trace that is not nsys', by their domain.
std::string helpOfAnnotations(std::string_view domain)
{
    return domain == "PyTorch" ? "PyTorch operators (cpu_op) that the program calls."
        : domain == "Python"   ? "Python functions, as recorded by torch.profiler (with_stack=True)."
        : domain.empty()       ? "Named ranges of the program (torch.profiler.record_function)."
                               : "Ranges of this category in the trace.";
}

std::string_view helpOfKind(EventKind kind)
{
    switch (kind) {
    case EventKind::ApiCall:
        return "CUDA calls of this thread. A launch returns at once; its kernel runs later, in the rows of the GPU.";
    case EventKind::Nvtx:
        return "Named ranges of the program (nvtxRangePush, torch.cuda.nvtx.range).";
    case EventKind::OsRuntime:
        return "Blocking system calls: files, locks, sleeping.";
    case EventKind::ThreadState:
        return "Whether the thread runs on a CPU or waits.";
    case EventKind::Sample:
        return "CPU samples of the thread, about a thousand per second. Click one for its call stack.";
    case EventKind::Overhead:
        return "Work of the profiler in the program. It does not exist without the profiler.";
    case EventKind::Library:
        return "Library calls.";
    case EventKind::GraphEvent:
        return "Creation of CUDA graphs on the CPU.";
    case EventKind::FileAccess:
        return "File access of the thread.";
    case EventKind::Memcpy:
        return "Copies between host and GPU, and within the GPU.";
    case EventKind::Memset:
        return "Memsets of GPU memory.";
    case EventKind::Kernel:
        return "Functions that run on the GPU.";
    case EventKind::GraphTrace:
        return "CUDA graphs, each recorded as a whole. Record with --cuda-graph-trace=node to see their kernels.";
    case EventKind::Synchronization:
        return "The host, or another stream, waits for this stream.";
    case EventKind::CudaEvent:
        return "Events recorded with cudaEventRecord.";
    case EventKind::GpuMemory:
        return "Allocations and releases of GPU memory.";
    case EventKind::PageFault:
        return "Accesses to pages of unified memory that were elsewhere, with the wait for the page.";
    case EventKind::CpuCore:
        return "Threads that run on this CPU core.";
    default:
        return {};
    }
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

std::string rowHelp(const Trace& trace, const Row& row)
{
    if (row.tracks.empty())
        return row.key.ends_with("/streams")
            ? "Streams of this GPU. Work in different streams may run concurrently."
            : std::string();
    const TrackRef first = row.tracks.front();
    if (row.key.ends_with("/kernels"))
        return "Kernels of all streams.";
    if (row.key.ends_with("/memory"))
        return "Copies and memsets of all streams.";
    const std::size_t last = row.key.find_last_of('/');
    if (row.key.compare(last == std::string::npos ? 0 : last + 1, 7, "stream:") == 0)
        return std::string(helpOfStream(trace, first));
    if (first.kind == EventKind::NvtxProjected)
        return fmt::format("{} of the program, at the time of their work on the GPU.", rangesWordOf(trace));
    if (first.kind == EventKind::Nvtx && recorderOf(trace.info) != Recorder::NsightSystems)
        return helpOfAnnotations(trace.text(trace.track(first).family));
    return std::string(helpOfKind(first.kind));
}

} // namespace warpline
