#pragma once

#include "core/base/time.h"
#include "core/replay/replay_graph.h"

#include <algorithm>
#include <vector>

namespace warpline {

/// When pages of unified memory come to the host because it touched them, in the time of `graph`, sorted.
/// O(n log n) in the copies.
std::vector<Ns> pageFetches(const Trace& trace, const ReplayGraph& graph);

/// How many of `fetches` lie in the thread's own time before `call`.
Ns fetchesBefore(const ReplayGraph& graph, const ReplayCall& call, const std::vector<Ns>& fetches);

/// The part of `own`, a thread's time between two calls, in which it waits for `fetches` pages of `each`: the
/// host does more than that.
constexpr Ns waitForPages(Ns fetches, Ns each, Ns own)
{
    return std::min(fetches * each, own * 4 / 5);
}

} // namespace warpline
