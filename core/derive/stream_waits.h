#pragma once

#include "core/base/time.h"
#include "core/store/event_kind.h"

#include <memory>
#include <stop_token>
#include <vector>

namespace warpline {

class Trace;

/// A stream that waits for an event that was recorded on another one (cudaStreamWaitEvent).
struct StreamWait {
    EventIndex wait = noIndex; ///< of kind Synchronization
    EventIndex record = noIndex; ///< of kind CudaEvent: the record that it waits for
    EventRef producer; ///< the last work launched on the recording stream before; not valid(): none
    EventRef consumer; ///< the first work launched on the waiting stream after; not valid(): none
    /// The time in which only the producer held the consumer: from when the stream was free and the consumer
    /// launched, to the producer's end. Empty: it did not.
    TimeRange held;
};
using StreamWaits = std::vector<StreamWait>; ///< in the order of the waits

/// CUPTI's id of the event record that `event`, a Synchronization or a CudaEvent, refers to (eventSyncId).
/// Unique in a process, unlike event ids, which are reused. 0: unknown.
std::uint32_t recordingIn(const Trace& trace, EventRef event);

/// Joins each stream wait to the record of its event, by (process, record id), and to the work on both sides:
/// the last work launched on the recording stream before the record, and the first launched on the waiting
/// stream after the wait. Of several waits of one consumer only the one whose producer ends last holds it.
/// Waits inside graph capture have no id and are excluded. O(n log n) in the work of the streams concerned.
/// Throws Stopped when `stop` is requested.
StreamWaits findStreamWaits(const Trace& trace, const std::stop_token& stop = {});

/// The waits of `trace`, computed once and kept as long as its links. Thread-safe. Throws Stopped.
std::shared_ptr<const StreamWaits> streamWaitsOf(const Trace& trace, const std::stop_token& stop = {});

/// The same if already computed; nullptr: not yet. Does not wait.
std::shared_ptr<const StreamWaits> knownStreamWaits(const Trace& trace);

/// Whether any wait of `trace` knows its recording. O(waits).
bool hasStreamWaits(const Trace& trace);

/// The wait with consumer `work`, of several the longest; nullptr: there is none.
const StreamWait* waitBefore(const StreamWaits& waits, EventRef work);

} // namespace warpline
