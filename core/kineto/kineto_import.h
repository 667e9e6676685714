#pragma once

#include "core/import/import_log.h"
#include "core/kineto/event_reader.h"
#include "core/kineto/trace_head.h"
#include "core/store/trace_builder.h"

namespace warpline {

/// Makes tables and facts of `trace` of all that was read of a trace: times count from its first event, GPU
/// work belongs to the process whose calls are there, ranges that were written as two events become one.
/// `middle` is what the times in `events` count from. `log` takes what was mended. Leaves `events` empty.
void fillTrace(EventReader& events, const TraceHead& head, Ns middle, TraceBuilder& trace, ImportLog& log);

} // namespace warpline
