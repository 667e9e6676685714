#pragma once

#include "core/stats/call_twins.h"

#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace warpline {

class Trace;

// All that take a stop token throw Stopped when it is requested.

/// How the NVTX ranges of each thread lie in one another, all domains together, as nsys' tables see them.
/// Marks and ranges without an end take no part. Rows are those of the Nvtx table.
struct NvtxNesting {
    std::vector<EventIndex> parent; ///< the innermost range that holds this one whole; noIndex: none
    std::vector<std::uint32_t> level; ///< number of ranges that hold this one whole
};

/// O(n log n) in the ranges, times their depth.
NvtxNesting nestNvtx(const Trace& trace, const std::stop_token& stop = {});

/// Whether `a` comes before `b` where ranges are in order of start and of two that start together the longer
/// one comes first; equal ones as the report has them.
bool startsOutside(const NvtxTable& nvtx, EventIndex a, EventIndex b);

/// Whether `range` of the Nvtx table has a beginning and an end.
bool isClosedRange(const NvtxTable& nvtx, EventIndex range);

/// An API call that started GPU work, and the NVTX ranges of its thread that hold the whole call.
struct CallInRanges {
    EventIndex call = noIndex;
    /// The call that Links gives the work to: `call` itself, or the one that `call` is a twin of.
    EventIndex linked = noIndex;
    std::span<const EventIndex> ranges; ///< outermost first; empty: none
};

/// Calls visit(CallInRanges) for every API call that Links or `twins` ties to GPU work, thread by thread, in
/// order of time. O((calls + ranges) log n), times the depth of the ranges.
void forEachCallInRanges(const Trace& trace, const CallTwins& twins, const std::stop_token& stop,
    const std::function<void(const CallInRanges&)>& visit);

/// What one NVTX range put on the GPU.
struct NvtxProjection {
    TimeRange projected; ///< from the first start to the last end of the work; empty: no work
    EventIndex firstCall = noIndex; ///< CallInRanges::linked of the call whose work starts first
    EventIndex lastCall = noIndex; ///< the same of the one whose work ends last
    std::uint32_t operations = 0; ///< API calls with work: the nodes of a graph launch count once
};

/// The time of the work that Links ties to `call`, as far as projections count it: from its first start to
/// its last end.
std::optional<TimeRange> projectedWork(const Trace& trace, EventIndex call);

/// The projection of every range of the Nvtx table, over all devices. Kernels, copies and sets count; graphs
/// traced as a whole do not, as in nsys' tables.
std::vector<NvtxProjection> projectForTables(
    const Trace& trace, const CallTwins& twins, const std::stop_token& stop = {});

/// For each range the number of ranges directly inside it that put work on the GPU.
std::vector<std::uint32_t> projectedChildren(
    const std::vector<NvtxProjection>& projections, const NvtxNesting& nesting);

/// For each kernel the innermost range of its API call; noIndex: none.
std::vector<EventIndex> innermostRanges(
    const Trace& trace, const CallTwins& twins, const std::stop_token& stop = {});
/// For each API call with GPU work the innermost range around it; noIndex: none.
std::vector<EventIndex> innermostRangesOfCalls(
    const Trace& trace, const CallTwins& twins, const std::stop_token& stop = {});

} // namespace warpline
