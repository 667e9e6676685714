#pragma once

#include "core/base/ids.h"
#include "core/base/time.h"
#include "core/coverage/intervals.h"

#include <stop_token>

namespace warpline {

class Trace;

/// A stretch that is probably the start of CUDA under a call that the recorder does not list, as
/// cudaSetDevice: the first call of its process needs no context, the first that needs one returns at once,
/// so that the context was made before it, and nothing that is recorded of the thread fills the time between
/// them.
struct SilentStart {
    TimeRange when; ///< up to the first call that needs a context; empty: there is none
    EventIndex before = noIndex; ///< that call
};

/// That of `thread`. None where the process makes a context in a call that is listed, where NVTX ranges of
/// the program or calls of MPI tell what the time went to, where calls of the operating system were recorded
/// and few of them are the driver's, and where it is too long for a start. O(calls before the first GPU
/// work). Throws Stopped when `stop` is requested.
SilentStart silentStartOf(const Trace& trace, GlobalId thread, const std::stop_token& stop = {});

/// Those of all threads that make calls, within `window`. As silentStartOf().
Intervals silentStarts(const Trace& trace, TimeRange window, const std::stop_token& stop = {});

} // namespace warpline
