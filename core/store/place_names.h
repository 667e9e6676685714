#pragma once

#include "core/base/ids.h"
#include "core/base/message.h"
#include "core/store/event_kind.h"

namespace warpline {

class Trace;
struct Track;

/// "[523] streams": pid and program of a process, without folders; with its MPI rank where it has one.
Message processLabel(const Trace& trace, GlobalId process);
/// "GPU 0 of [523] streams".
Message gpuOfProcess(const Trace& trace, GlobalId process, std::int32_t cuda);
/// "[524] cuda-worker": tid and name of a thread.
Message threadLabel(const Trace& trace, GlobalId thread);
/// "Stream 13", "Default stream 7".
Message streamText(std::int32_t stream, bool isDefault = false);
/// A stream's name: "Default stream 7", "Stream 13", with NVTX's name in brackets where it has one.
Message streamLabel(const Trace& trace, const Track& track);
/// The place of the events of `track`: "GPU 0, Stream 13", "[524] cuda-worker, cuBLAS"; "Report" for tracks
/// without a place.
Message placeOf(const Trace& trace, TrackRef track);
/// "{place}, {part}": a part of a place, such as a stream of a GPU; `place` without a part.
Message placeWithin(Message place, Message part);

} // namespace warpline
