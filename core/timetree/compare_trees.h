#pragma once

#include "core/timetree/time_tree.h"

#include <cstdint>
#include <vector>

namespace warpline {

/// A node of one tree with its totals in both trees.
struct ComparedNode {
    std::int64_t a = 0; ///< total of equal stacks in the first tree, over all threads
    std::int64_t b = 0; ///< and in the second
};

/// For each node of `a` the totals of its stack in both trees. Stacks are equal when their names are,
/// outermost first, regardless of threads, whose ids differ between runs. By node: the root has both sums.
/// O(n) in the nodes.
std::vector<ComparedNode> compareTrees(
    const Trace& traceA, const TimeTree& a, const Trace& traceB, const TimeTree& b);

/// The relative change of a stack's share: -1 only in the first run, 0 the same share, 1 only in the second.
/// `allA` and `allB` are the totals of both trees.
double changeOf(const ComparedNode& node, std::int64_t allA, std::int64_t allB);

} // namespace warpline
