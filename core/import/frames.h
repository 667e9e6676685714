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

/// The frames of each drawing thread of `trace`: from the end of one presenting call (eglSwapBuffers,
/// vkQueuePresentKHR, IDXGISwapChain::Present ...) to the end of the next. A thread that does not present has
/// frames between submissions (vkQueueSubmit, ExecuteCommandLists), for OpenGL between glFinish. The first
/// frame is left out, because its start is unknown. Fewer than three do not count. O(library calls).
std::vector<Frame> framesOf(const Trace& trace, StringPool& pool);

} // namespace warpline
