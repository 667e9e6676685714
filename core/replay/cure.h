#pragma once

#include "core/coverage/packed_intervals.h"
#include "core/store/event_kind.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpline {

/// The factor for the time of changed work: 1 keeps it. Its uncertainty comes from its source (peak rates,
/// occupancy); a user's factor has none.
struct FactorRange {
    double low = 1; ///< the most optimistic
    double expected = 1;
    double high = 1; ///< the most pessimistic

    static constexpr FactorRange exactly(double factor) { return {factor, factor, factor}; }
    friend constexpr bool operator==(const FactorRange&, const FactorRange&) = default;
};

/// A length of time and how sure it is.
struct ExpectedTime {
    Ns low = 0;
    Ns expected = 0;
    Ns high = 0;
};

/// A share and how sure it is.
struct ExpectedShare {
    double low = 0;
    double expected = 0;
    double high = 0;
};

/// Recording overhead: of a call that starts work, and of the mean replayed step.
struct ProfiledStep {
    ExpectedTime call;
    Ns step = 0;
    ExpectedTime plain;
};

/// One change of a program.
enum class CureKind : std::uint8_t {
    RemoveSync, ///< removes synchronizing calls with the code around them. Without a given name or event, the
                ///< last one of several in a step stays: the loop still has to know that it is done
    PoolAllocations, ///< allocations and releases come from a pool of the stream: short, and wait for nothing
    RemoveCalls, ///< removes calls with their GPU work
    RemoveWork, ///< kernels, copies, memsets go, with the calls that launch them
    OverlapCopies, ///< copies run on streams of their own, ahead of the work that needs them; none blocks
    OverlapCommunication, ///< the same for kernels of collectives
    AsyncCopies, ///< copies stay in their stream, but the host waits for none; times `factor`
    MergeCopies, ///< the copies of a step become one for each direction, of all their bytes
    OwnStreams, ///< work of the legacy default stream and of other streams no longer wait for each other;
                ///< order by events stays
    ScaleWork, ///< GPU work takes `factor` of its time
    FuseKernels, ///< runs of neighbouring kernels become one each, of `factor` of their time together
    LaunchGraph, ///< the launches between two waits become one launch of a CUDA graph
    ReadyInput, ///< removes the host's own time in NVTX ranges named `name`, or in `times`
    PrefetchPages, ///< pages of unified memory are where they are needed: kernels take the time that they
                   ///< take without faults, the pages move at the rate of the link
    EvenSteps, ///< steps that take far longer than their like take as long as those
};
/// "remove_sync" ...: in JSON.
std::string_view keyOf(CureKind kind);

/// A change and its target. Events must match all given properties; none given means everything that the kind
/// can change.
struct CureEdit {
    CureKind kind = CureKind::RemoveSync;
    std::string name = {}; ///< glob of the kernel, call or NVTX range
    std::optional<EventKind> work = {}; ///< GPU work of this kind; calls are of none
    std::vector<EventRef> events = {}; ///< these calls or pieces of work, sorted
    PackedIntervals times = {}; ///< those that begin in it
    FactorRange factor = {};
};

/// The fix of a finding: the changes for a replay, see Replay::expect().
struct Cure {
    std::vector<CureEdit> edits = {}; ///< applied in this order

    bool empty() const { return edits.empty(); }
};

} // namespace warpline
