#pragma once

#include "core/base/string_pool.h"
#include "core/store/table_builder.h"

#include <string>
#include <vector>

namespace warpline {

class Trace;

/// One frame of a program that draws.
struct Frame {
    TrackKey track; ///< of its range: family frameDomain, on the thread that ends frames
    TimeRange time;
    std::string name; ///< "frame 12", counted on its thread from 1
};

/// The domain of frames among the ranges: they are no NVTX.
inline constexpr std::string_view frameDomain = "Frames";

/// The frames of each thread of `trace` that draws: from the end of one call that presents a picture
/// (eglSwapBuffers, vkQueuePresentKHR, IDXGISwapChain::Present ...) to the end of the next. Where a thread
/// presents none, from one submission (vkQueueSubmit, ExecuteCommandLists) to the next; of OpenGL glFinish.
/// Nobody knows when the first one began: it is none. Fewer than three are none. O(library calls).
std::vector<Frame> framesOf(const Trace& trace, StringPool& pool);

} // namespace warpline
