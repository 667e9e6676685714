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
        return "What concerns the whole context, not one stream: waits of the host for everything on the GPU.";
    if (holdsOnlyPages(trace, ref))
        return "Pages of unified memory that move between CPU and GPU. nsys files them under stream 0; it is no "
               "stream of the program.";
    if (isDefaultStream(trace, track))
        return "Where kernels and copies go when the program names no stream. Work here waits for all other "
               "streams, and they for it.";
    return "A queue of the GPU: its kernels and copies run one after the other; other streams may run at the "
           "same time.";
}

/// The same of ranges in a trace that is not nsys', by their domain.
std::string helpOfAnnotations(std::string_view domain)
{
    return domain == "PyTorch" ? "PyTorch's operators (cpu_op): what each line of the program called."
        : domain == "Python"   ? "Functions of Python, as torch.profiler saw them (with_stack=True)."
        : domain.empty()
        ? "Names that the program gave to stretches of its time (torch.profiler.record_function)."
        : "Ranges that the trace files under this name.";
}

std::string_view helpOfKind(EventKind kind)
{
    switch (kind) {
    case EventKind::ApiCall:
        return "Functions of CUDA that this thread called. A launch returns at once; its kernel runs later, in the "
               "rows of the GPU.";
    case EventKind::Nvtx:
        return "Names that the program gave to stretches of its time (nvtxRangePush, torch.cuda.nvtx.range).";
    case EventKind::OsRuntime:
        return "Calls of the operating system that can block: files, locks, sleeping.";
    case EventKind::ThreadState:
        return "Whether the thread ran on a CPU or waited.";
    case EventKind::Sample:
        return "Where the thread was at moments some thousand times a second; click one for its call stack.";
    case EventKind::Overhead:
        return "nsys' own work inside the program. It is not there without the profiler.";
    case EventKind::Library:
        return "Calls of a library.";
    case EventKind::GraphEvent:
        return "CUDA graphs being made on the CPU.";
    case EventKind::FileAccess:
        return "Files that the thread read and wrote.";
    case EventKind::Memcpy:
        return "Copies between host and GPU, and within it.";
    case EventKind::Memset:
        return "Memory of the GPU that is set to a value.";
    case EventKind::Kernel:
        return "Functions that run on the GPU.";
    case EventKind::GraphTrace:
        return "CUDA graphs, each recorded as a whole: their kernels are not in the report "
               "(--cuda-graph-trace=node records them).";
    case EventKind::Synchronization:
        return "The host, or another stream, waits for this one.";
    case EventKind::CudaEvent:
        return "Moments that the program marked with cudaEventRecord.";
    case EventKind::GpuMemory:
        return "Memory of the GPU that was allocated and released.";
    case EventKind::PageFault:
        return "Somebody touched a page of unified memory that was elsewhere, and waited for it.";
    case EventKind::CpuCore:
        return "Which thread ran on this CPU core.";
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
            ? "The queues of this GPU; work in different ones may run at once."
            : std::string();
    const TrackRef first = row.tracks.front();
    if (row.key.ends_with("/kernels"))
        return "Kernels of all streams: the functions that run on the GPU.";
    if (row.key.ends_with("/memory"))
        return "Copies and memsets of all streams.";
    const std::size_t last = row.key.find_last_of('/');
    if (row.key.compare(last == std::string::npos ? 0 : last + 1, 7, "stream:") == 0)
        return std::string(helpOfStream(trace, first));
    if (first.kind == EventKind::NvtxProjected)
        return fmt::format("The program's {}, where the GPU did the work that was launched inside them.",
            rangesWordOf(trace));
    if (first.kind == EventKind::Nvtx && recorderOf(trace.info) != Recorder::NsightSystems)
        return helpOfAnnotations(trace.text(trace.track(first).family));
    return std::string(helpOfKind(first.kind));
}

} // namespace warpline
