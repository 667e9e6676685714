#pragma once

#include "core/base/message.h"
#include "core/store/trace.h"

#include <string_view>

namespace warpline {

// What ranges are called depends on who recorded them: nsys has NVTX ranges; torch.profiler has operators and
// what record_function() annotates, in a trace without any NVTX.

/// "NVTX range", "annotated range", "range": one of those in `trace`, within a sentence.
std::string_view rangeWordOf(const Trace& trace);
/// The same of several: "NVTX ranges".
std::string_view rangesWordOf(const Trace& trace);

/// The same as values of messages: "NVTX range", and "NVTX ranges" of several.
Message rangeTextOf(const Trace& trace);
Message rangesTextOf(const Trace& trace);

/// titleOf() in the words of who recorded `trace`: "NVTX", or "Annotation".
std::string_view titleOf(const Trace& trace, EventKind kind);
/// The same of one event, which may tell more: "Operator", "User annotation", "Python function".
std::string_view titleOf(const Trace& trace, EventRef event);

} // namespace warpline
