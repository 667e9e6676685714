#pragma once

#include "core/base/message.h"

#include <stop_token>
#include <vector>

namespace warpline {

class Trace;

/// What a program without GPU work did: its threads, NVTX ranges by domain, CUDA calls, library calls, files,
/// waits in the operating system, and functions in CPU samples. One sentence each; empty: the report has none
/// of these. Throws Stopped when `stop` is requested.
std::vector<Message> whatRanInstead(const Trace& trace, TimeRange window, const std::stop_token& stop = {});

} // namespace warpline
