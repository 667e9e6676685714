#pragma once

#include "core/stats/call_twins.h"
#include "core/store/trace.h"

#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace warpline {

// All that take a stop token throw Stopped when it is requested.

/// How the NVTX ranges of each thread lie in one another, all domains together, as nsys' tables see them.
/// Marks and ranges without an end take no part. Rows are those of the Nvtx table.
struct NvtxNesting {
    std::vector<EventIndex> parent; ///< the innermost range that holds this one whole; noIndex: none
    std::vector<std::uint32_t> level; ///< number of ranges that hold this one whole
};

/// O(n log n) in the ranges, times their depth.
NvtxNesting nestNvtx(const Trace& trace, const std::stop_token& stop = {});

/// ":3:17:20": the report's row numbers of the ranges around `range`, outermost first, and its own.
std::string rangeStack(const NvtxTable& nvtx, const NvtxNesting& nesting, EventIndex range);

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
    std::uint32_t operations = 0; ///< API calls with work: the nodes of a graph launch count once
};

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

} // namespace warpline
