#pragma once

#include "core/base/ids.h"
#include "core/base/message.h"
#include "core/derive/call_kinds.h"
#include "core/overview/named_time.h"

#include <span>
#include <stop_token>

namespace warpline {

class Trace;

/// Names parts of `time` by what `thread` does: calls of MPI and similar libraries, the program's own NVTX
/// ranges (the outermost, or inner ones where one covers nearly all), parallel algorithms and OpenMP regions,
/// files, waits, and samples. O(events + names log names). Throws Stopped when `stop` is requested.
void nameByHost(const Trace& trace, GlobalId thread, NamedTime& time, const std::stop_token& stop);

/// The same with the program's own NVTX ranges only.
void nameByRanges(const Trace& trace, GlobalId thread, NamedTime& time, const std::stop_token& stop);

/// Names the time of `time` by the CUDA calls that `threads` are in, the first of them first: "cudaMalloc
/// (makes the context)". Throws Stopped when `stop` is requested.
void nameByCalls(const Trace& trace, const CallKinds& kinds, std::span<const GlobalId> threads,
    NamedTime& time, const std::stop_token& stop);

/// Names parts of `time` by the samples of `thread`, each valid until the next: by leading functions, else by
/// their library. Nothing where samples are few. Throws Stopped when `stop` is requested.
void nameBySamples(const Trace& trace, GlobalId thread, NamedTime& time, const std::stop_token& stop);

Message textOf(const HostName& name); ///< "in calls of MPI", "cudaMalloc (creates the context)"
/// A shorter name for narrow places: "MPI"; the same where the name is short.
Message labelOf(const HostName& name);

} // namespace warpline
