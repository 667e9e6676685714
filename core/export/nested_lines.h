#pragma once

#include "core/base/max_tree.h"
#include "core/base/time.h"

#include <cstddef>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

namespace warpline {

/// Puts events on as few lines as need be, so that those of a line lie in each other or apart. O(log n) each.
class NestedLines {
public:
    /// The line, from 0, for the event at `time`: the first with room. Events come by start, the longer of
    /// two first. A new line has the number count() had.
    std::size_t lineFor(TimeRange time);
    std::size_t count() const { return m_open.size(); }

private:
    std::vector<std::vector<Ns>> m_open; ///< by line: ends of the events in each other, outermost first
    MaxTree m_room; ///< by line: when its innermost open event ends
    using End = std::pair<Ns, std::size_t>; ///< of an open event, and its line
    std::priority_queue<End, std::vector<End>, std::greater<>> m_ends;
};

} // namespace warpline
