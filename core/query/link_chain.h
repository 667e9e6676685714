#pragma once

#include "core/store/event_kind.h"

namespace warpline {

class Trace;

/// The next link of the chain launch, GPU work, wait. From an API call: its first GPU work. From work: the
/// work of another stream that it held, else the call of its launching thread that waited for it. From a
/// waiting call: the next launch of its thread. From an NVTX range: its GPU projection. Not valid() at the
/// end, and for a call that neither launches nor waits. O(log n + calls until then + waits of streams), for
/// ranges O(ranges of the thread).
EventRef nextInChain(const Trace& trace, EventRef event);

/// The previous link. From a waiting call: the work that it waited for. From work: the work that held it,
/// else its launch. From a launch: the wait before it on its thread. From a GPU projection: its NVTX range on
/// the host. Not valid() at the end, and for a call that neither launches nor waits.
EventRef previousInChain(const Trace& trace, EventRef event);

} // namespace warpline
