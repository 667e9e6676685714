#pragma once

#include "core/base/ids.h"
#include "core/base/message.h"

#include <string>
#include <vector>

namespace warpline {

class Trace;

/// Where one stream of a GPU was held up by work on another, in words.
struct DependencyWait {
    TimeRange held;
    Message text;
};

/// The waits of the streams of GPU `device` of `process` that cost time inside `window`, by their begin. A
/// producer on another GPU is told with it. O(waits log waits).
std::vector<DependencyWait> dependencyWaits(
    const Trace& trace, GlobalId process, std::int32_t device, TimeRange window);

/// The one of `waits` that covers most of `range`; nullptr: none does, or for less than half of it.
const DependencyWait* waitIn(const std::vector<DependencyWait>& waits, TimeRange range);

} // namespace warpline
