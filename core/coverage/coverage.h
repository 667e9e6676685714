#pragma once

#include "core/base/time.h"
#include "core/coverage/intervals.h"
#include "core/store/event_table.h"

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace warpline {

class Trace;

/// The union of events' times as an index: the covered time of any window in O(log n). Marks cover nothing.
/// 16 bytes per interval; touching intervals are merged.
class Coverage {
public:
    Coverage() = default;
    explicit Coverage(const Intervals& intervals);

    /// Reserves room for `intervals`; unused room costs address space only, until trim().
    void reserve(std::size_t intervals);
    /// Adds the time of `range`, which starts no earlier than any added before. Nothing when it is empty.
    void add(TimeRange range);
    /// Gives back room that was not used.
    void trim();

    /// Time of `window` that is covered. O(log n).
    Ns busy(TimeRange window) const;
    /// The time covered before each of `times`, which ascend. `covered` is resized. Less work than one after
    /// another.
    void busyBefore(std::span<const Ns> times, std::vector<Ns>& covered) const;
    bool empty() const { return m_start.empty(); }
    std::size_t size() const { return m_start.size(); }
    TimeRange interval(std::size_t i) const;
    /// The number and the longest of the pauses between covered times inside `window`; the time before the
    /// first and after the last covered time in it does not count. One step for every 64 intervals.
    Pauses pausesWithin(TimeRange window) const;
    Ns total() const { return m_busyBefore.back(); }

private:
    /// The free time between intervals i and i + 1.
    Ns pauseAfter(std::size_t i) const { return m_start[i + 1] - interval(i).end; }

    std::vector<Ns> m_start;
    std::vector<Ns> m_startSamples; ///< of intervals 0, 64, 128, ...: a search looks here first
    std::vector<Ns> m_busyBefore{0}; ///< size() + 1 entries: covered time before interval i
    std::vector<Ns> m_longestPause; ///< after intervals [64 k, 64 (k + 1)); whole blocks only
};

/// The time covered by the events of `tracks`: a merge of their lanes. O(n log lanes). Throws Stopped when
/// `stop` is requested.
Coverage coverageOf(const Trace& trace, std::span<const TrackRef> tracks, const std::stop_token& stop = {});

} // namespace warpline
