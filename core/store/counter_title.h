#pragma once

#include "core/base/message.h"
#include "core/store/counter_table.h"
#include "core/store/event_table.h"

#include <string>

namespace warpline {

class Trace;

/// The name of a counter: that of the recorder as it is, one that Warpline gave as a text.
Message counterTitle(const Trace& trace, const CounterSeries& series);
/// "GPU 0", "GPU 0 [523]", "GPU 0, Stream 7 [523]": the place of the counter; memory, queues and copies are
/// per process. The number is gpuNumber(). Empty when it is unknown.
Message counterPlace(const Trace& trace, const CounterSeries& series);

/// The name of the counter of memory of `kind` on a GPU: "Static device memory usage", a readable form of the
/// enumeration's name.
std::string memoryUsageName(MemoryKind kind);

} // namespace warpline
