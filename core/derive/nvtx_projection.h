#pragma once

#include "core/store/event_table.h"

#include <memory>
#include <stop_token>
#include <vector>

namespace warpline {

class Trace;

/// The GPU work of one NVTX range: launched on one device by API calls that start inside the range.
struct RangeProjection {
    EventIndex range = noIndex; ///< of the Nvtx table
    std::int32_t device = -1;
    TimeRange projected; ///< from the first start to the last end of that work
    std::uint64_t work = 0; ///< pieces of GPU work
};

/// Which threads' calls count for a range.
enum class ProjectedCalls : std::uint8_t {
    OwnThread, ///< as nsys has it
    Helpers, ///< also those of threads that work for its thread, see HelperThreads: autograd's for backward
};

/// Projects every NVTX range onto the devices that its calls launch work on; sorted by range, then device.
/// Marks have no projection. Only the first 128 devices of a thread count. O(n log n): sorts the calls of a
/// thread by time, and uses a sparse table for first start and last end. Throws Stopped when `stop` is
/// requested.
std::vector<RangeProjection> projectRanges(
    const Trace& trace, const std::stop_token& stop = {}, ProjectedCalls calls = ProjectedCalls::OwnThread);

/// The events of EventKind::NvtxProjected that show `range`, an event of the Nvtx table, one for each device
/// it put work on; by start. O(projections of its thread and domain).
std::vector<EventRef> projectionsOf(const Trace& trace, EventIndex range);

/// The projections as events, those of helpers with them: one track per (thread, domain, device), `attribute`
/// is the Nvtx event. Throws Stopped when `stop` is requested.
std::shared_ptr<const EventTable> projectNvtx(const Trace& trace, const std::stop_token& stop = {});

} // namespace warpline
