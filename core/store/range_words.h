#pragma once

#include "core/base/message.h"
#include "core/store/event_kind.h"

namespace warpline {

class Trace;

// What ranges are called depends on who recorded them: nsys has NVTX ranges; torch.profiler has operators and
// what record_function() annotates, in a trace without any NVTX.

/// "NVTX range", "annotated range", "range": one of those in `trace`, within a sentence.
Message rangeTextOf(const Trace& trace);
/// The same of several: "NVTX ranges".
Message rangesTextOf(const Trace& trace);

/// titleOf(EventKind) as a message.
Message kindText(EventKind kind);
/// The same in the words of who recorded `trace`: "NVTX", or "Annotation".
Message titleOf(const Trace& trace, EventKind kind);
/// The same of one event, which may tell more: "Operator", "User annotation", "Python function".
Message titleOf(const Trace& trace, EventRef event);

} // namespace warpline
