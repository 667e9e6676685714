#pragma once

#include "core/base/message.h"
#include "core/store/event_table.h"

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace warpline {

class Trace;

/// The colour category of a row or event; views/style/theme maps it to light and dark palettes.
enum class EventTint : std::uint8_t {
    Kernel,
    Collective, ///< a kernel of NCCL: communication, and waiting for the other ranks
    CopyHtoD,
    CopyDtoH,
    CopyDtoD,
    CopyPtoP,
    CopyOther,
    Memset,
    Synchronization,
    Graph,
    ApiLaunch, ///< cudaLaunchKernel, cudaGraphLaunch ...
    ApiCopy, ///< cudaMemcpy*, cudaMemset*
    ApiSync, ///< *Synchronize, *WaitEvent
    ApiMemory, ///< cudaMalloc, cudaFree, cudaHostAlloc ...
    ApiOther,
    Nvtx, ///< default NVTX colour; NvtxAttributes::color when hasColor
    OsRuntime,
    Library,
    Running, ///< thread state
    Waiting,
    Sample,
    Overhead,
    Memory,
};

EventTint tintOf(const Trace& trace, EventRef event);

/// The category of an API call by its name (version suffix allowed): launch, copy, sync, memory, other.
EventTint apiFamilyOf(std::string_view apiName);

/// A label and its value.
struct TextRow {
    Message label;
    Message value;
    std::optional<Ns> instant{}; ///< where the value is a moment: that, on the report's clock
};

/// The facts of a tooltip: name, start, duration, and by kind: grid, block, registers, shared memory, stream,
/// theoretical waves; bytes, throughput, memory kinds; the correlated GPU work and its latency. The label of
/// the first row is the name.
std::vector<TextRow> tooltipOf(const Trace& trace, EventRef event);

/// All facts about an event for the details panel, in three parts.
struct EventDetails {
    std::vector<TextRow> where; ///< kind, duration, start, stream or thread
    std::vector<TextRow> facts; ///< of its kind: its launch, bytes, work and waits
    std::vector<TextRow> ids; ///< end, full names, process, device, numbers
};
EventDetails eventDetails(const Trace& trace, EventRef event);

/// All of eventDetails() in one list.
std::vector<TextRow> detailsOf(const Trace& trace, EventRef event);

/// Prepares facts for tooltipOf() and detailsOf() that need a pass over the whole report: the event on
/// another stream that an event waited for, and where its graph node was captured. Takes a second with
/// millions of events; cached. Throws Stopped.
void prepareFacts(const Trace& trace, const std::stop_token& stop = {});

/// What the thread of a host call does in it: for a system call what it waits for, for a synchronizing CUDA
/// call whether it spins or sleeps, by thread states. "waits for a lock, or to be woken by another thread; on
/// a CPU for 0.3% of it". Empty: nothing is known but the name. O(log n + states of the thread in the call).
Message meaningOfCall(const Trace& trace, EventRef call);

/// The name of an NVTX event's category, its number when it has no name; empty for none.
std::string categoryText(const Trace& trace, const NvtxAttributes& attributes);

} // namespace warpline
