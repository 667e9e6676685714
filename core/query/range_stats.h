#pragma once

#include "core/base/time.h"
#include "core/query/counter_stats.h"
#include "core/rows/row_tree.h"
#include "core/store/event_table.h"

#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace warpline {

class Trace;

/// The activity of a set of tracks in a window. Events that overlap the window count; times are clipped to
/// it.
struct TrackFigures {
    std::uint64_t count = 0; ///< events that touch the window
    Ns busy = 0; ///< union of their time in the window
    std::uint64_t gaps = 0; ///< maximal free stretches between events inside the window (not before the
                            ///< first, after the last)
    Ns longestGap = 0;
};

/// The events of one name (and kind) that touch a window, ranges that PyTorch repeats on the GPU apart.
/// Totals are clipped to it; all else is of whole events.
struct NameFigures {
    EventKind kind = EventKind::Kernel;
    StringId name{};
    bool recordedOnGpu = false; ///< see isRecordedOnGpu()
    std::string label; ///< for display: a kernel's short name, a copy's direction
    std::uint64_t count = 0;
    Ns total = 0; ///< sum of durations clipped to the window: concurrent work counts twice
    Ns whole = 0; ///< sum of whole durations; not `total` where the window cuts an event
    double share = 0; ///< of the total of its kind (and recordedOnGpu) in the window, 0..1
    double mean = 0; ///< ns: whole over count
    double median = 0; ///< ns
    Ns min = 0;
    Ns max = 0;
    std::uint64_t bytes = 0;
    EventRef longest; ///< where to jump
};

/// Copies of one direction in a window; as for names.
struct CopyFigures {
    CopyKind kind = CopyKind::Unknown;
    std::uint64_t count = 0;
    std::uint64_t bytes = 0; ///< of whole copies
    Ns total = 0; ///< sum of durations clipped to the window
    Ns whole = 0; ///< sum of whole durations
    std::uint64_t pageable = 0; ///< how many have pageable memory on one side
    /// Bytes per second: bytes over whole; 0 when that is 0.
    double throughput() const { return whole > 0 ? double(bytes) * 1e9 / double(whole) : 0; }
};

/// One GPU of one process in a window. Being busy is not computing: compute, stalled, communication, copyOnly
/// and idle add up to the window (see GpuSplit).
struct DeviceFigures {
    GlobalId process = 0;
    std::int32_t device = -1; ///< CUDA ordinal in the process
    std::int32_t number = -1; ///< the shown number: see gpuNumber()
    Ns compute = 0; ///< union of kernels that do not communicate, and graphs, less `stalled`
    Ns stalled = 0; ///< such kernels, while pages of unified memory are waited for
    Ns communication = 0; ///< kernels that communicate, or wait for others to, and nothing computes
    Ns copy = 0; ///< union of copies and sets
    Ns copyOnly = 0; ///< of that, while no kernel runs
    Ns overlap = 0; ///< compute and copy at once
    Ns busy = 0; ///< time with any activity
    Ns idle = 0; ///< window minus busy
};

struct RangeStats {
    TimeRange window;
    std::uint64_t events = 0; ///< of derived kinds only where tracks were asked for, as in EventList
    std::vector<TrackFigures> rows; ///< one per row asked for, in order
    std::vector<DeviceFigures> devices;
    std::vector<CopyFigures> copies; ///< by direction, most bytes first
    std::vector<NameFigures> names; ///< by total, longest first
    std::vector<CounterFigures> counters; ///< of the whole report, whatever the tracks: allCounterFigures()
    /// Whole durations, unsorted, for the histogram: of the GPU work inside, or of all `events` when the
    /// tracks have no GPU work.
    std::vector<Ns> durations;
    bool ofGpuWork = true; ///< whether `durations` is of GPU work
};

/// Count, busy time and gaps of `row` in `window`. From the indexes: O(lanes log n), plus one step for every
/// 64 events inside the window for the longest gap.
TrackFigures rowFigures(const Trace& trace, const Row& row, TimeRange window);

/// Time of `window` that the row's events cover; concurrent work counts once. O(lanes log n), whether or not
/// the row carries a coverage.
Ns busyOf(const Trace& trace, const Row& row, TimeRange window);

/// The share of each of `pixels` columns of `window` that the row's events cover, 0..1, exact. `out` is
/// resized.
void rowBusyShare(const Trace& trace, const Row& row, TimeRange window, int pixels, std::vector<float>& out);

/// The GPUs' activity per device and process: from the coverages of the GPUs' rows, or from the events where
/// kernels communicate or pages fault in the window.
std::vector<DeviceFigures> deviceFigures(const Trace& trace, const RowTree& rows, TimeRange window);

/// All statistics of `window` for the events of `tracks` (empty: all tracks). One pass over the events
/// inside; returns early with an incomplete result when `stop` is requested.
RangeStats rangeStats(const Trace& trace, const RowTree& rows, std::span<const RowId> rowsAsked,
    std::span<const TrackRef> tracks, TimeRange window, std::stop_token stop = {});

} // namespace warpline
