#pragma once

#include "core/store/event_kind.h"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace warpline {

class Trace;

/// Where a piece of work that the replay of a CUDA graph ran was captured: `node`, an event of kind
/// GraphEvent in `trace`, on the thread that captured it.
struct CapturedAt {
    const Trace* trace = nullptr; ///< the trace itself or one of captureTracesOf() it; nullptr: unknown
    EventIndex node = noIndex;
    bool known() const { return trace != nullptr; }
};

/// Finds the captures of CUDA graph replays, for traces without node ids (PyTorch's profiler). A capture is
/// the work of a stream between StreamBeginCapture and StreamEndCapture; it matches a replay with the same
/// kernels, copies and memsets in equal numbers. Among several captures the smallest into which the step fits
/// is chosen ("capture_32_FULL" for a step of 30 requests), and among those the one after the thread's
/// previous replay, because a model's layers are captured and replayed in one order. Work is paired by name,
/// in order. Without an exact match, a capture with at most 1% more nodes matches when the rest ran in its
/// order, because profilers lose parts of long replays.
class GraphOrigins {
public:
    /// `captures`: further traces in which graphs of `trace` were captured. O(n log n) in the nodes and the
    /// replayed work.
    GraphOrigins(const Trace& trace, std::vector<std::shared_ptr<const Trace>> captures);

    bool empty() const { return m_paired == 0; }
    /// Where `work`, a kernel, copy or memset of `trace`, was captured. O(1).
    CapturedAt of(const Trace& trace, EventRef work) const;
    /// How many kernels, copies and memsets were paired.
    std::uint64_t paired() const { return m_paired; }
    /// Calls visit(EventRef work, CapturedAt) for each paired piece of work.
    template <typename Visit> void forEach(const Trace& trace, Visit visit) const
    {
        for (std::size_t kind = 0; kind < m_origin.size(); ++kind) {
            for (std::size_t i = 0; i < m_origin[kind].size(); ++i) {
                if (m_origin[kind][i] != 0) {
                    const EventRef work{static_cast<EventKind>(kind), static_cast<EventIndex>(i)};
                    visit(work, of(trace, work));
                }
            }
        }
    }

private:
    std::vector<std::shared_ptr<const Trace>> m_captures;
    /// For each kind and event 0, or the source (1: the trace itself) in the upper half and the node.
    std::array<std::vector<std::uint64_t>, deviceKindCount> m_origin;
    std::uint64_t m_paired = 0;
};

/// The origins of `trace`, computed once and kept while it is open. Thread-safe.
std::shared_ptr<const GraphOrigins> graphOriginsOf(const Trace& trace);
/// The same where they are known; nullptr: not yet. Does not wait for anybody.
std::shared_ptr<const GraphOrigins> knownGraphOrigins(const Trace& trace);
/// Whether replays of `trace` can have origins: it, or a trace next to it, captures graphs. O(tracks).
bool mayHaveGraphOrigins(const Trace& trace);

/// The operator, annotated range and modules around a captured node, outermost first, with " / " between:
/// "nn.Module: Qwen3MLP_0 / aten::mm". Other functions of Python are left out.
std::string capturedPath(const CapturedAt& captured);
/// The same with ranges that differ in numbers, and modules of one class, as one: "Qwen3MLP / aten::mm".
std::string capturedPlace(const CapturedAt& captured);
/// What names of modules' ranges begin with.
inline constexpr std::string_view modulePrefix = "nn.Module: ";
/// "RMSNorm" of "RMSNorm_7": PyTorch numbers the modules of each class.
std::string classOfModule(std::string_view module);

/// The shapes of the inputs of the innermost operator around it, as the trace has them: "[[32, 4096]]".
/// Empty: not recorded.
std::string capturedShapes(const CapturedAt& captured);
/// The ranges on the thread of the node that hold it, outermost first: operators, annotations, functions of
/// Python. O(lanes log n).
std::vector<EventIndex> rangesAroundNode(const CapturedAt& captured);

} // namespace warpline
