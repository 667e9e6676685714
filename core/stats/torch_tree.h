#pragma once

#include "core/store/event_table.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace warpline {

class Trace;

/// An event on the host as in torch.profiler's key_averages(): operators, annotations, CUDA calls and the
/// profiler's own work of one thread, each inside the innermost event that contains it completely.
struct TorchNode {
    EventRef event; ///< Nvtx, ApiCall or Overhead
    Ns selfCpu = 0; ///< its time without that of the events directly in it
    Ns selfGpu = 0; ///< time of the kernels, copies and sets that it launched itself
    Ns gpu = 0; ///< the same with the work launched by events inside
};

/// All events on the host, by time within a thread. GPU work belongs to the innermost operator or annotation
/// around its launch. Like PyTorch:
///   - an event with the name of its parent, which contains nothing else, is merged with it;
///   - calls outside of all operators, and the profiler's work, belong to the main thread;
///   - ranges of collectives ("nccl:...") end when the exchange does, on any thread: they contain nothing,
///     and have no time of their own.
/// Where operators and calls have the same number, PyTorch's own table counts an operator's GPU work again
/// for the call (or the profiler's overhead) with that number; here it counts once. O(n log n); throws
/// Stopped when `stop` is requested.
std::vector<TorchNode> torchTree(const Trace& trace, TimeRange window, const std::stop_token& stop);

/// An operator or annotation around a capture, of which replays of CUDA graphs ran work.
struct ReplayedNode {
    const Trace* trace = nullptr; ///< in which it was captured: see graphOriginsOf()
    EventRef event; ///< of kind Nvtx in that trace
    std::int64_t replays = 0; ///< number of replays of its work
    Ns selfGpu = 0; ///< time of the work that it launched itself into the graph
    Ns gpu = 0; ///< the same with the work launched by operators inside
    std::vector<EventRef> works; ///< its own, in the trace that replays
};

/// The replayed work of graphs, by the operators that captured it; torchTree() counts this time in `gpu` of
/// the events around the graphs' launches only. O(n log n); throws Stopped.
std::vector<ReplayedNode> replayedOperators(
    const Trace& trace, TimeRange window, const std::stop_token& stop);

/// Whether the trace has operators of PyTorch.
bool hasTorchOperators(const Trace& trace);

/// Whether `track` of the Nvtx table holds operators of PyTorch, or annotations in the program's code.
bool isOperatorTrack(const Trace& trace, const Track& track);
bool isAnnotationTrack(const Trace& trace, const Track& track);

} // namespace warpline
