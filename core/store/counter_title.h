#pragma once

#include "core/base/message.h"
#include "core/store/counter_table.h"

namespace warpline {

class Trace;

/// The name of a counter: that of the recorder as it is, one that Warpline gave as a text.
Message counterTitle(const Trace& trace, const CounterSeries& series);
/// "GPU 0", "GPU 0 [523]", "GPU 0, Stream 7 [523]": the place of the counter; memory, queues and copies are
/// per process. The number is gpuNumber(). Empty when it is unknown.
Message counterPlace(const Trace& trace, const CounterSeries& series);

} // namespace warpline
