#pragma once

#include "core/base/message.h"
#include "core/store/event_kind.h"

namespace warpline {

class Trace;

/// What the thread of a call of the host does in it, in plain words: of a call of the operating system what
/// that waits for, of a synchronizing call of CUDA whether it spins or sleeps, as thread states tell. "waits
/// for a lock, or to be woken by another thread; on a CPU for 0.3% of it". Empty: nothing more is known than
/// its name. O(log n + states of the thread in the call).
Message meaningOfCall(const Trace& trace, EventRef call);

} // namespace warpline
