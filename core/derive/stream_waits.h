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
    EventIndex record = noIndex; ///< of kind CudaEvent: what it waits for
    EventRef producer; ///< the last work launched on the recording stream before; not valid(): none
    EventRef consumer; ///< the first work launched on the waiting stream after; not valid(): none
    /// The time in which the producer alone kept the consumer from starting: from when the stream was free
    /// and the consumer launched to the producer's end. Empty: it did not.
    TimeRange held;
};
using StreamWaits = std::vector<StreamWait>; ///< in the order of the waits

/// CUPTI's number of the recording that `event`, a Synchronization or a CudaEvent, is about (eventSyncId);
/// unique in a process, unlike the ids of events, which are used again. 0: not known.
std::uint32_t recordingIn(const Trace& trace, EventRef event);

/// Joins each wait of a stream to the record of the event that it waits for, by (process, recording), and to
/// the work on both sides: the last that was launched on the recording stream before the record, and the
/// first that is launched on the waiting stream after the wait. Of several waits of one consumer only the one
/// whose producer ends last holds it. Waits inside the capture of a graph have no number and are not in the
/// result. O(n log n) in the work of the streams concerned, nothing where there are no waits. Throws Stopped
/// when `stop` is requested.
StreamWaits findStreamWaits(const Trace& trace, const std::stop_token& stop = {});

/// Those of `trace`, found when first asked for and kept as long as its links are. Safe to call from several
/// threads. Throws Stopped.
std::shared_ptr<const StreamWaits> streamWaitsOf(const Trace& trace, const std::stop_token& stop = {});

/// The same where they have been found already; nullptr: not yet. Does not wait for anybody.
std::shared_ptr<const StreamWaits> knownStreamWaits(const Trace& trace);

/// Whether any wait of `trace` knows its recording. O(waits).
bool hasStreamWaits(const Trace& trace);

/// The wait whose consumer is `work`, of several the one that held it longest; nullptr: it waits for nothing.
/// O(waits).
const StreamWait* waitBefore(const StreamWaits& waits, EventRef work);

} // namespace warpline
