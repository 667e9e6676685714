#pragma once

#include "core/base/message.h"

#include <stop_token>
#include <vector>

namespace warpline {

class Trace;

/// What a program that draws, or works on video, did in `window`: its calls by library, the work of GPUs for
/// them, and its frames with those that are late. A sentence each; none: it does neither. Throws Stopped.
std::vector<Message> graphicsSentences(
    const Trace& trace, TimeRange window, const std::stop_token& stop = {});

} // namespace warpline
