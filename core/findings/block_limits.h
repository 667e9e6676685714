#pragma once

#include "core/store/trace.h"

#include <string>

namespace warpline {

/// What keeps blocks of `kernel` off a multiprocessor, with the figures: "Registers limit the longest,
/// fit_lines: 188 for each of 192 threads, so that 1 block fits on a multiprocessor, whose 65,536 registers
/// they share."
std::string limitText(const Trace& trace, EventIndex kernel);

/// How one more block fits, as a line to paste: __launch_bounds__ with the registers that it leaves a thread.
/// Empty where registers are not the limit.
std::string remedyForLimit(const Trace& trace, EventIndex kernel);

} // namespace warpline
