#pragma once

#include "core/replay/replay_graph.h"

#include <cstdint>
#include <vector>

namespace warpline {

/// When everything happens in a replay.
struct ReplayTimes {
    std::vector<TimeRange> calls; ///< by ReplayGraph::calls
    std::vector<TimeRange> works; ///< by ReplayGraph::works
};

/// Runs `graph`. O(events).
ReplayTimes runReplay(const ReplayGraph& graph);
/// The recorded times, in the same form.
ReplayTimes recordedTimes(const ReplayGraph& graph);

/// From the first recorded work of `graph`, or from its begin (ReplayGraph::fromStart), to the end of the
/// last.
TimeRange timeOfWork(const ReplayGraph& graph);
/// The same in `times`, without removed work and such that was launched
/// before; empty if nothing is left.
TimeRange wholeOf(const ReplayGraph& graph, const ReplayTimes& times);

/// The lengths of the steps of `graph` in `times`: from the first work of a step on `device` to that of the
/// next, without removed or moved work; for a step without such work on the host.
std::vector<Ns> stepLengths(const ReplayGraph& graph, const ReplayTimes& times);

} // namespace warpline
