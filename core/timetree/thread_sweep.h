#pragma once

#include "core/timetree/time_tree_source.h"

#include <vector>

namespace warpline {

/// A stretch of a thread's time with a name.
struct NamedStretch {
    TimeRange time;
    StringId name{};
};

/// Adds the time of one thread's `stretches` below `thread`: every moment counts once, in the innermost
/// stretch, which began last; its parents are those that contain it completely. Time outside of stretches
/// does not count. O(n log n); where stretches overlap, times those open at once.
void sweepThread(
    std::vector<NamedStretch> stretches, const TimeTreeQuery& query, std::uint32_t thread, TimeTree& tree);

} // namespace warpline
