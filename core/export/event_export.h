#pragma once

#include "core/export/cells_text.h"
#include "core/filter/event_predicate.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

namespace warpline {

class Trace;

/// Which events to write.
struct EventExport {
    /// Events that touch it, each as a whole; empty: the session, so that what lies far from all events, as
    /// diagnostics do, makes no trace of its own length.
    TimeRange window;
    std::vector<EventKind> kinds; ///< empty: all but derived ones
    std::shared_ptr<const EventPredicate> filter = nullptr; ///< what else events must pass; nullptr: nothing
    std::shared_ptr<const std::vector<EventRef>> only = nullptr; ///< sorted: no others; nullptr: all
    /// Counts what of eventsToLookAt() has been looked at, for whoever watches; nullptr: nobody does.
    std::shared_ptr<std::atomic<std::uint64_t>> lookedAt = nullptr;
};

/// How many events and values of counters `asked` goes through, whether they are written or not.
std::uint64_t eventsToLookAt(const Trace& trace, const EventExport& asked);

/// Every event that `asked` is about as a Chrome trace, which Perfetto and others open
/// (https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU): ranges as "X", marks as
/// "i", launches and their work joined by flows, counters as "C". Times are microseconds with three decimals,
/// so no nanosecond is lost. A track of events that do not nest becomes several, since the format has no
/// overlap. "cat" is keyOf() of the kind; "args" hold process, device and stream, or the thread, which lines
/// of that format do not tell, so that Warpline reads its own trace as what it was. Written piece by piece.
/// False when `sink` wanted no more.
bool writeChromeTrace(const Trace& trace, const EventExport& asked, const TextSink& sink);

/// The same events as comma-separated values, a line each: kind, name, start_ns, duration_ns, pid, tid,
/// device, stream, correlation, bytes. What an event has not is empty.
bool writeEventsCsv(const Trace& trace, const EventExport& asked, const TextSink& sink);

} // namespace warpline
