#pragma once

#include "core/store/event_table.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace warpline {

class Trace;

/// An event on the host as torch.profiler's key_averages() sees it: operators, annotations, calls of CUDA and
/// the profiler's own work on one thread, each inside the innermost of the others that holds it whole.
struct TorchNode {
    EventRef event; ///< Nvtx, ApiCall or Overhead
    Ns selfCpu = 0; ///< its time without that of the events directly in it
    Ns selfGpu = 0; ///< time of the kernels, copies and sets that it launched itself
    Ns gpu = 0; ///< the same with what the events in it launched
};

/// Everything that ran on the host, in order of time within a thread. Work on a GPU belongs to the innermost
/// operator or annotation around the call that launched it. As PyTorch has it:
///   - of an event with the same name as the one around it, which holds nothing else, one is left;
///   - calls outside of all operators, and what the profiler did, count as done by the main thread;
///   - ranges of collectives ("nccl:...") end when the exchange does, on whichever thread: they hold nothing,
///     and have no time of their own.
/// Where operators and calls have the same number, PyTorch's own table counts the GPU work of an operator
/// once more for the call (or the profiler's overhead) with that number; here it counts once. O(n log n);
/// throws Stopped when `stop` is requested.
std::vector<TorchNode> torchTree(const Trace& trace, TimeRange window, const std::stop_token& stop);

/// An operator or annotation around a capture, of which replays of CUDA graphs ran work.
struct ReplayedNode {
    const Trace* trace = nullptr; ///< in which it was captured: see graphOriginsOf()
    EventRef event; ///< of kind Nvtx in that trace
    std::int64_t replays = 0; ///< how often replays ran work of it
    Ns selfGpu = 0; ///< time of the work that it launched itself into the graph
    Ns gpu = 0; ///< the same with what the operators in it launched
    std::vector<EventRef> works; ///< its own, in the trace that replays
};

/// What replays of graphs ran, by the operators that captured it; torchTree() counts this time for what holds
/// the launches of the graphs in `gpu` alone. O(n log n); throws Stopped.
std::vector<ReplayedNode> replayedOperators(
    const Trace& trace, TimeRange window, const std::stop_token& stop);

/// Whether PyTorch's table leaves events of this name out.
bool isHiddenOperator(std::string_view name);

/// Whether the trace has operators of PyTorch.
bool hasTorchOperators(const Trace& trace);

/// Whether `track` of the Nvtx table holds operators of PyTorch, or annotations in the program's code.
bool isOperatorTrack(const Trace& trace, const Track& track);
bool isAnnotationTrack(const Trace& trace, const Track& track);

} // namespace warpline
