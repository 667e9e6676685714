#pragma once

#include "core/store/event_table.h"

#include <memory>
#include <stop_token>
#include <vector>

namespace warpline {

class Trace;

/// The GPU work of one NVTX range: what API calls that start inside it started on one device.
struct RangeProjection {
    EventIndex range = noIndex; ///< of the Nvtx table
    std::int32_t device = -1;
    TimeRange projected; ///< from the first start to the last end of that work
    std::uint64_t work = 0; ///< pieces of GPU work
};

/// Whose calls count for a range.
enum class ProjectedCalls : std::uint8_t {
    OwnThread, ///< as nsys has it
    Helpers, ///< also those of threads that work for its thread, see HelperThreads: autograd's for backward
};

/// Projects every NVTX range onto the devices it put work on; sorted by range, then device. Marks project to
/// nothing. O(n log n): the calls of a thread in order of time, with the first start and last end over any
/// run of them from a sparse table. Throws Stopped when `stop` is requested.
std::vector<RangeProjection> projectRanges(
    const Trace& trace, const std::stop_token& stop = {}, ProjectedCalls calls = ProjectedCalls::OwnThread);

/// The events of EventKind::NvtxProjected that show `range`, an event of the Nvtx table, one for each device
/// it put work on; by start. O(projections of its thread and domain).
std::vector<EventRef> projectionsOf(const Trace& trace, EventIndex range);

/// The projections as events, those of helpers with them: one track per (thread, domain, device), `attribute`
/// is the Nvtx event. Throws Stopped when `stop` is requested.
std::shared_ptr<const EventTable> projectNvtx(const Trace& trace, const std::stop_token& stop = {});

} // namespace warpline
