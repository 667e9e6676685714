#pragma once

#include "core/export/cells_text.h"
#include "core/filter/event_predicate.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace warpline {

class Trace;

/// Which events to write.
struct EventExport {
    /// Exports whole events that overlap it; empty: all. In a Chrome trace those of the session, so that
    /// far-off events, such as diagnostics, do not stretch it.
    TimeRange window;
    std::vector<EventKind> kinds; ///< empty: all but derived ones
    std::shared_ptr<const EventPredicate> filter = nullptr; ///< further filter; nullptr: none
    std::shared_ptr<const std::vector<EventRef>> only = nullptr; ///< sorted: no others; nullptr: all
    /// Counts the examined part of eventsToLookAt(), for progress; nullptr: not counted.
    std::shared_ptr<std::atomic<std::uint64_t>> lookedAt = nullptr;
};

/// The number of events and counter values that `asked` examines, written or not.
std::uint64_t eventsToLookAt(const Trace& trace, const EventExport& asked);

/// Writes the events of `asked` as a Chrome trace for Perfetto and other viewers
/// (https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU): ranges as "X", marks as
/// "i", launches and their work joined by flows, counters as "C". Times are microseconds with three decimals,
/// so no nanosecond is lost. A track whose events overlap without nesting becomes several, because the format
/// has no overlap. "cat" is keyOf() of the kind; "args" hold process, device and stream, or the thread, so
/// that Warpline can read its own trace without loss. Written in pieces. False when `sink` refused more.
bool writeChromeTrace(const Trace& trace, const EventExport& asked, const TextSink& sink);

/// The same events as CSV, one per line: kind, name, start_ns, duration_ns, pid, tid, device, stream,
/// correlation, bytes. Missing values are empty.
bool writeEventsCsv(const Trace& trace, const EventExport& asked, const TextSink& sink);

/// Whether `asked` exports counters: they have no kind, and no filter of events is true of them.
bool hasCounters(const EventExport& asked);

/// The event kinds that `asked` exports.
std::vector<EventKind> kindsOf(const EventExport& asked);

/// Calls visit(event) for each event of `track` that touches the window of `asked` (empty: each), in the
/// table's order, until it returns false; then so does this.
bool visitTrack(const Trace& trace, TrackRef track, const EventExport& asked,
    const std::function<bool(EventIndex)>& visit);

} // namespace warpline
