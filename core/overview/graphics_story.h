#pragma once

#include "core/base/message.h"

#include <stop_token>
#include <vector>

namespace warpline {

class Trace;

/// Describes graphics and video work in `window`: calls by library, GPU work, and frames with the late ones.
/// One sentence each; empty: there is no such work. Throws Stopped.
std::vector<Message> graphicsSentences(
    const Trace& trace, TimeRange window, const std::stop_token& stop = {});

} // namespace warpline
