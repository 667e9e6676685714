#pragma once

#include "core/stats/call_twins.h"
#include "core/store/track_filter.h"

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace warpline {

class Trace;

// All that take a stop token throw Stopped when it is requested.

/// Nesting of the NVTX ranges of each thread over all domains, as in nsys' tables. Excludes marks and ranges
/// without an end. Rows are those of the Nvtx table.
struct NvtxNesting {
    std::vector<EventIndex> parent; ///< the innermost range that holds this one whole; noIndex: none
    std::vector<std::uint32_t> level; ///< number of ranges that hold this one whole
};

/// O(n log n) in the ranges, as far as they do not overlap without nesting.
NvtxNesting nestNvtx(const Trace& trace, const std::stop_token& stop = {});

/// Whether `a` comes before `b` where ranges are in order of start and of two that start together the longer
/// one comes first; equal ones as the report has them.
bool startsOutside(const NvtxTable& nvtx, EventIndex a, EventIndex b);

/// Whether `range` of the Nvtx table has a beginning and an end.
bool isClosedRange(const NvtxTable& nvtx, EventIndex range);

/// The closed ranges of each thread that has any, on the tracks that `covers` selects: see startsOutside()
/// for their order. O(n log n).
std::map<GlobalId, std::vector<EventIndex>> rangesByThread(
    const NvtxTable& nvtx, const std::stop_token& stop, const TrackFilter& covers = {});

/// An API call that started GPU work, and the NVTX ranges of its thread that hold the whole call.
struct CallInRanges {
    EventIndex call = noIndex;
    /// The call that Links gives the work to: `call` itself, or the one that `call` is a twin of.
    EventIndex linked = noIndex;
    std::span<const EventIndex> ranges; ///< outermost first; empty: none
};

/// Calls visit(CallInRanges) for every API call that Links or `twins` joins with GPU work, by thread and
/// time. O((calls + ranges) log n), times the depth of the ranges.
void forEachCallInRanges(const Trace& trace, const CallTwins& twins, const std::stop_token& stop,
    const std::function<void(const CallInRanges&)>& visit);

/// The GPU work of one NVTX range.
struct NvtxProjection {
    TimeRange projected; ///< from the first start to the last end of the work; empty: no work
    EventIndex firstCall = noIndex; ///< CallInRanges::linked of the call with the first start
    EventIndex lastCall = noIndex; ///< the same with the last end
    std::uint32_t operations = 0; ///< API calls with work: the nodes of a graph launch count once
};

/// The time of the GPU work of `call` for projections: from its first start to its last end.
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
