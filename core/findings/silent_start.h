#pragma once

#include "core/base/ids.h"
#include "core/base/time.h"
#include "core/coverage/intervals.h"

#include <stop_token>

namespace warpline {

class Trace;

/// Time that is probably the start of CUDA in a call that the recorder does not list, such as cudaSetDevice.
/// The first listed call needs no context, and the first that needs one returns at once, so the context was
/// created before it; no recorded event of the thread fills the time between them.
struct SilentStart {
    TimeRange when; ///< up to the first call that needs a context; empty: there is none
    EventIndex before = noIndex; ///< that call
};

/// The silent start of `thread`. None where a listed call creates the context, where NVTX ranges or MPI calls
/// explain the time, where system calls were recorded and few are the driver's, and where it is too long for
/// a start. O(calls before the first GPU work). Throws Stopped when `stop` is requested.
SilentStart silentStartOf(const Trace& trace, GlobalId thread, const std::stop_token& stop = {});

/// The silent starts of all calling threads, within `window`. See silentStartOf().
Intervals silentStarts(const Trace& trace, TimeRange window, const std::stop_token& stop = {});

} // namespace warpline
