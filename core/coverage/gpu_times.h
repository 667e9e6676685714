#pragma once

#include "core/base/ids.h"
#include "core/coverage/coverage.h"
#include "core/coverage/packed_intervals.h"
#include "core/derive/communication.h"
#include "core/store/lane_merge.h"

#include <cstdint>
#include <map>
#include <stop_token>
#include <utility>
#include <vector>

namespace warpline {

class Trace;

/// Being busy is not working: what a GPU did in a window, told apart. All are unions, so concurrent work
/// counts once; they may overlap one another.
struct GpuTimes {
    PackedIntervals
        computing; ///< kernels that do not communicate, and graphs traced as a whole; less `stalled`
    PackedIntervals
        stalled; ///< such kernels, while page faults of unified memory are served or pages brought in
    PackedIntervals communicating; ///< kernels that communicate, waiting for others included
    PackedIntervals copying; ///< copies, sets and migrations
};

/// The lengths of the same, each instant counted once: by what comes first in the order of the members.
struct GpuSplit {
    Ns computing = 0;
    Ns stalled = 0;
    Ns communicating = 0;
    Ns copying = 0;
    Ns idle = 0;
    Ns total() const { return computing + stalled + communicating + copying + idle; }
};

/// (process, CUDA ordinal)
using GpuOfProcess = std::pair<GlobalId, std::int32_t>;

/// The lanes of GPU work in the window, by GPU.
std::map<GpuOfProcess, std::vector<LaneRun>> lanesOfGpus(const Trace& trace, TimeRange window);

/// What every GPU did for every process in `window`; those without work in it are left out. All contexts
/// together: migrations of unified memory come with a context of their own and are none. A kernel stalls in
/// the time of GPU page faults and of pages that are brought to the GPU unasked for (other than by
/// cudaMemPrefetchAsync); the migrations of exports without causes count too. O(n log n) in its events.
/// `kernels` is the time of all kernels and graphs of the window, of the GPUs where that is known. Throws
/// Stopped when `stop` is requested.
std::map<GpuOfProcess, GpuTimes> gpuTimes(const Trace& trace, TimeRange window,
    const std::stop_token& stop = {}, const std::map<GpuOfProcess, PackedIntervals>& kernels = {});

/// The times of several processes on one GPU as those of one: what one computes is no stall of another.
GpuTimes together(const GpuTimes& a, const GpuTimes& b);

/// What `times`, which lie in `window`, are of it.
GpuSplit splitOf(const GpuTimes& times, TimeRange window);

/// The time in which a GPU was busy and did not compute, as indexes: with them any window is told apart in
/// O(log n). Each is what GpuSplit has under that name.
struct NotComputing {
    Coverage stalled;
    Coverage communicating; ///< while no other kernel runs
    Coverage copiesBeside; ///< copies and sets that run in either of the two
};

/// notComputing() of every GPU of every process of the report that has such time; of most there is none.
/// Looks at each kernel's name once, and else only at what runs beside communication and faults. Throws
/// Stopped when `stop` is requested.
std::map<GpuOfProcess, NotComputing> notComputing(const Trace& trace, const std::stop_token& stop = {});

} // namespace warpline
