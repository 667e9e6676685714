#pragma once

#include "core/store/event_kind.h"

namespace warpline {

class Trace;

/// The next link of the chain launch, GPU work, wait: of an API call that started work its first work, of
/// work what waits for it: work of another stream that it held, else the call on the thread that launched it
/// which waited until the work was done. Of a call that waits the next launch of
/// its thread; of an NVTX range what shows it on the GPU. Not valid() at the end, and of a call that neither
/// starts work nor waits. O(log n + calls until then + waits of streams), of ranges O(ranges of the thread).
EventRef nextInChain(const Trace& trace, EventRef event);

/// The other way: of a call that waited the work whose end it waited for, of work the work that held it, else
/// its launch, of a launch the wait before it on its thread, of an NVTX range on the GPU that on the host.
/// Not valid() at the end, and of a call that neither starts work nor waits.
EventRef previousInChain(const Trace& trace, EventRef event);

} // namespace warpline
