#pragma once

#include "core/timetree/time_tree.h"

#include <cstdint>
#include <vector>

namespace warpline {

/// What a node of one tree is in another tree.
struct ComparedNode {
    std::int64_t a = 0; ///< what stacks like this one have in the first tree, of all threads
    std::int64_t b = 0; ///< and in the second
};

/// For each node of `a` the totals of its stack in both trees. Stacks are alike when their names are,
/// outermost first; threads are left out, since another run numbers them otherwise. Node by node: the root
/// has both sums. O(n) in the nodes.
std::vector<ComparedNode> compareTrees(
    const Trace& traceA, const TimeTree& a, const Trace& traceB, const TimeTree& b);

/// How much more of its run a stack takes in the second: -1 all of it is gone, 0 the same share, 1 it is new.
/// `allA` and `allB` are the totals of both trees.
double changeOf(const ComparedNode& node, std::int64_t allA, std::int64_t allB);

} // namespace warpline
