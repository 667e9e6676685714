#pragma once

#include "core/base/ids.h"
#include "core/base/message.h"

#include <string>
#include <vector>

namespace warpline {

class Trace;

/// A wait of one stream of a GPU for work on another, as text.
struct DependencyWait {
    TimeRange held;
    Message text;
};

/// The costly waits of the streams of GPU `device` of `process` inside `window`, by their begin. Names a
/// producer on another GPU. O(waits log waits).
std::vector<DependencyWait> dependencyWaits(
    const Trace& trace, GlobalId process, std::int32_t device, TimeRange window);

/// The entry of `waits` that covers most of `range`, and at least half of it; nullptr: none does.
const DependencyWait* waitIn(const std::vector<DependencyWait>& waits, TimeRange range);

} // namespace warpline
