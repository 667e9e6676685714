#pragma once

#include "core/base/ids.h"
#include "core/base/message.h"

#include <string>

namespace warpline {

class Trace;

/// The resource that limits the blocks of `kernel` on a multiprocessor, with its numbers.
Message limitText(const Trace& trace, EventIndex kernel);

/// How one more block fits, as a line to paste: __launch_bounds__ with the registers that it leaves a thread.
/// Empty where registers are not the limit.
Message remedyForLimit(const Trace& trace, EventIndex kernel);

} // namespace warpline
