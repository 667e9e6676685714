#pragma once

#include "core/base/time.h"
#include "core/derive/call_kinds.h"
#include "core/derive/stream_waits.h"
#include "core/store/event_kind.h"

#include <map>
#include <memory>
#include <stop_token>
#include <tuple>
#include <vector>

namespace warpline {

class Trace;

/// A piece of GPU work on its stream.
struct StreamItem {
    TimeRange runs;
    EventRef work;
};

/// The dependencies of a process' GPU work: the order of streams, events that streams wait for, and calls in
/// which threads wait for work. Critical paths follow them backward, replays forward.
class WorkEdges {
public:
    using StreamKey = std::tuple<std::int32_t, std::int32_t, std::int32_t>; // device, context, stream

    /// For the work of `process`, on all its GPUs, that overlaps `window`. O(n log n). Throws Stopped.
    WorkEdges(const Trace& trace, GlobalId process, TimeRange window, const std::stop_token& stop = {});

    /// The predecessor of `item` on its stream; nullptr: none.
    const StreamItem* before(const StreamItem& item) const;
    const StreamItem* find(EventRef work) const;
    /// The work that is done last by `time`; nullptr: none is.
    const StreamItem* doneBy(Ns time) const;
    /// The work whose end `work` waited for by an event; not valid(): it was not delayed.
    EventRef producerOf(EventRef work) const;
    /// Whether call `call` returned after work that it had to wait for: synchronizing calls, and copies and
    /// memsets that finish inside their call.
    bool isWait(EventIndex call) const;

    const CallKinds& callKinds() const { return m_calls; }
    /// By begin.
    const std::map<StreamKey, std::vector<StreamItem>>& streams() const { return m_streams; }
    /// All work, by end.
    const std::vector<StreamItem>& byEnd() const { return m_byEnd; }

private:
    const Trace& m_trace;
    CallKinds m_calls;
    std::map<StreamKey, std::vector<StreamItem>> m_streams;
    std::vector<StreamItem> m_byEnd;
    std::map<EventRef, EventRef> m_heldBy; ///< producer of each consumer that was held up
};

/// Whether the stream `key` of `process` is the default stream. Without that information, CUPTI's stream
/// number decides.
bool isDefaultStream(const Trace& trace, GlobalId process, const WorkEdges::StreamKey& key);

} // namespace warpline
