#pragma once

#include "core/base/message.h"

#include <stop_token>
#include <vector>

namespace warpline {

class Trace;

/// What a program did that gave no work to a GPU: its threads, NVTX ranges by domain, CUDA calls, calls of
/// libraries, files, waits in the operating system, and the functions that CPU samples saw. A sentence each;
/// none: the report has nothing of the kind. Throws Stopped when `stop` is requested.
std::vector<Message> whatRanInstead(const Trace& trace, TimeRange window, const std::stop_token& stop = {});

} // namespace warpline
