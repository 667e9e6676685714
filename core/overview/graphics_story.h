#pragma once

#include "core/base/message.h"

#include <stop_token>
#include <vector>

namespace warpline {

class Trace;

struct GraphicsStory {
    Message headline; ///< "199 frames, median 939 us, 8 late"; empty: no frames are marked
    /// Calls by library, GPU work, and frames with the late ones; one sentence each.
    std::vector<Message> sentences;
};

/// Describes graphics and video work in `window`; empty: there is none. Throws Stopped.
GraphicsStory graphicsStory(const Trace& trace, TimeRange window, const std::stop_token& stop = {});

} // namespace warpline
