#pragma once

#include "core/store/trace.h"

namespace warpline {

/// The next link of the chain launch, GPU work, wait: of an API call that started work its first work, of
/// work what waits for it: work of another stream that it held, else the call on the thread that launched it
/// which waited until the work was done. Not valid() at the end. Of a call that waits the next launch of its
/// thread. O(log n + calls until then + waits of streams).
EventRef nextInChain(const Trace& trace, EventRef event);

/// The other way: of a call that waited the work whose end it waited for, of work the work that held it, else
/// its launch, of a launch the wait before it on its thread.
EventRef previousInChain(const Trace& trace, EventRef event);

} // namespace warpline
