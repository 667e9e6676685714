#pragma once

#include "core/base/message.h"
#include "core/store/event_kind.h"
#include "core/store/recorder.h"

namespace warpline {

class Trace;

// Names of ranges by recorder: nsys has NVTX ranges; torch.profiler has operators and annotations by
// record_function(), without any NVTX.

/// For a choice of a message: {recorder, select, nsys {NVTX ranges} torch {annotated ranges} other {ranges}}.
Name recorderName(Recorder recorder);

/// The name for the ranges of `trace`, within a sentence: "NVTX range", "annotated range", "range".
Message rangeTextOf(const Trace& trace);
/// The same of several: "NVTX ranges".
Message rangesTextOf(const Trace& trace);
/// At the start of a sentence: "NVTX ranges", "Annotated ranges", "Ranges".
Message rangesTitleOf(const Trace& trace);

/// The title of a domain of ranges or of a library family: its name, except for those that an importer made
/// up.
Message domainText(std::string_view domain);

/// titleOf(EventKind) as a message.
Message kindText(EventKind kind);
/// The same in the recorder's terms of `trace`: "NVTX", or "Annotation". For isRecordedOnGpu(): "GPU
/// annotation".
Message titleOf(const Trace& trace, EventKind kind, bool recordedOnGpu = false);
/// The same for one event, which may be more specific: "Operator", "User annotation", "Python function".
Message titleOf(const Trace& trace, EventRef event);

} // namespace warpline
