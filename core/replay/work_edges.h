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

/// What the GPU work of a process waits for: the order of its streams, the events that streams wait for, and
/// the calls in which its threads wait for work. Critical paths go back along it, replays forward.
class WorkEdges {
public:
    using StreamKey = std::tuple<std::int32_t, std::int32_t, std::int32_t>; // device, context, stream

    /// Of the work of `process`, on all its GPUs, that touches `window`. O(n log n). Throws Stopped.
    WorkEdges(const Trace& trace, GlobalId process, TimeRange window, const std::stop_token& stop = {});

    /// What ran before `item` on its stream; nullptr: nothing.
    const StreamItem* before(const StreamItem& item) const;
    const StreamItem* find(EventRef work) const;
    /// The work that is done last by `time`; nullptr: none is.
    const StreamItem* doneBy(Ns time) const;
    /// The work whose end `work` waited for by an event; not valid(): it was not held up.
    EventRef producerOf(EventRef work) const;
    /// Whether call `call` returned after work that it had to wait for: calls that synchronize, and copies
    /// and memsets that are done inside their call.
    bool isWait(EventIndex call) const;

    const CallKinds& callKinds() const { return m_calls; }
    /// By begin.
    const std::map<StreamKey, std::vector<StreamItem>>& streams() const { return m_streams; }
    /// All of it, by end.
    const std::vector<StreamItem>& byEnd() const { return m_byEnd; }

private:
    const Trace& m_trace;
    CallKinds m_calls;
    std::map<StreamKey, std::vector<StreamItem>> m_streams;
    std::vector<StreamItem> m_byEnd;
    std::map<EventRef, EventRef> m_heldBy; ///< producer of each consumer that was held up
};

/// Whether the stream `key` of `process` is the default stream. Where the report does not say, CUPTI's number
/// of it does.
bool isDefaultStream(const Trace& trace, GlobalId process, const WorkEdges::StreamKey& key);

} // namespace warpline
