#pragma once

#include "core/base/ids.h"
#include "core/coverage/coverage.h"
#include "core/coverage/migrations.h"
#include "core/coverage/packed_intervals.h"
#include "core/derive/communication.h"
#include "core/store/lane_merge.h"

#include <cstdint>
#include <functional>
#include <map>
#include <stop_token>
#include <vector>

namespace warpline {

class Trace;

/// A GPU's activity in a window: busy is not the same as computing. All are unions, so concurrent work counts
/// once; they may overlap one another.
struct GpuTimes {
    PackedIntervals
        computing; ///< kernels that do not communicate, and graphs traced as a whole; less `stalled`
    PackedIntervals stalled; ///< such kernels, while they wait for pages of unified memory
    PackedIntervals communicating; ///< kernels that communicate, waiting for others included
    PackedIntervals copying; ///< copies, memsets and migrations
};

/// The lengths of the same with each instant counted once, by the order of the members.
struct GpuSplit {
    Ns computing = 0;
    Ns stalled = 0;
    Ns communicating = 0;
    Ns copying = 0;
    Ns idle = 0;
    Ns total() const { return computing + stalled + communicating + copying + idle; }
};

/// The lanes of GPU work in the window, by GPU.
std::map<GpuOfProcess, std::vector<LaneRun>> lanesOfGpus(const Trace& trace, TimeRange window);

/// The times of every GPU and process with work in `window`, over all its contexts, because migrations of
/// unified memory have a context of their own. A kernel stalls during GPU page faults, migrations to the GPU
/// other than by cudaMemPrefetchAsync, and waitsBetweenPages(), which reads the kernels of the whole report;
/// in exports without causes all migrations count. O(n log n) in the events. Throws Stopped when `stop` is
/// requested.
std::map<GpuOfProcess, GpuTimes> gpuTimes(
    const Trace& trace, TimeRange window, const std::stop_token& stop = {});
/// The same from what is known: `pageWaits(gpu)` returns waitsBetweenPages(), and `kernels` is the time of
/// all kernels and graphs of the window, of GPUs for which that is known.
std::map<GpuOfProcess, GpuTimes> gpuTimes(const Trace& trace, TimeRange window,
    const std::function<const PageWaits&(const GpuOfProcess&)>& pageWaits,
    const std::map<GpuOfProcess, PackedIntervals>& kernels, const std::stop_token& stop);

/// Merges the times of two processes on one GPU: computing of one is not a stall of the other.
GpuTimes together(const GpuTimes& a, const GpuTimes& b);

/// Splits `times`, which lie in `window`.
GpuSplit splitOf(const GpuTimes& times, TimeRange window);

/// The time in which a GPU was busy without computing, as indexes that split any window in O(log n). Members
/// are named as in GpuSplit.
struct NotComputing {
    Coverage stalled;
    Coverage communicating; ///< while no other kernel runs
    Coverage copiesBeside; ///< copies and memsets that run during either of the two
};

/// notComputing() of every GPU and process with such time, which most lack. Examines each kernel name once,
/// and otherwise only work that overlaps communication and faults. Throws Stopped when `stop` is requested.
std::map<GpuOfProcess, NotComputing> notComputing(const Trace& trace, const std::stop_token& stop = {});

} // namespace warpline
