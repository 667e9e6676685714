#pragma once

#include "core/base/message.h"
#include "core/store/event_kind.h"

namespace warpline {

class Trace;

/// What the thread of a host call does in it: for a system call what it waits for, for a synchronizing CUDA
/// call whether it spins or sleeps, by thread states. "waits for a lock, or to be woken by another thread; on
/// a CPU for 0.3% of it". Empty: nothing is known but the name. O(log n + states of the thread in the call).
Message meaningOfCall(const Trace& trace, EventRef call);

} // namespace warpline
