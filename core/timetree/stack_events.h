#pragma once

#include "core/store/event_kind.h"
#include "core/timetree/time_tree_source.h"

#include <span>
#include <vector>

namespace warpline {

/// The events of a stack of a time tree: `path` is its frames, outermost first (TimeTree::path()), of a tree
/// that `source` filled for `query`, inverted by callersFirst() when `isTurned`. For samples and blocked
/// calls those whose stacks contain the path; for stacks of ranges the ranges, or calls, with the innermost
/// name on the same thread. At most `most`. Throws Stopped. O(n) in the events of those kinds.
std::vector<EventRef> eventsInStack(const Trace& trace, const TimeTreeSource& source,
    const TimeTreeQuery& query, std::span<const TimeFrame> path, bool isTurned, std::size_t most);

} // namespace warpline
