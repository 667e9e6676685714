#pragma once

#include "core/base/ids.h"
#include "core/store/event_kind.h"

#include <string>

namespace warpline {

class Trace;
struct Track;

/// "[523] streams": pid and program of a process, without folders; with its MPI rank where it has one.
std::string processLabel(const Trace& trace, GlobalId process);
/// "[524] cuda-worker": tid and name of a thread.
std::string threadLabel(const Trace& trace, GlobalId thread);
/// A stream's name: "Default stream 7", "Stream 13", with NVTX's name in brackets where it has one.
std::string streamLabel(const Trace& trace, const Track& track);
/// Where the events of `track` ran: "GPU 0, Stream 13", "[524] cuda-worker, cuBLAS"; "Report" for what has no
/// place.
std::string placeOf(const Trace& trace, TrackRef track);

} // namespace warpline
