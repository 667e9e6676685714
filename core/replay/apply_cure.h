#pragma once

#include "core/replay/cure.h"
#include "core/replay/replay_graph.h"

#include <cstddef>
#include <cstdint>

namespace warpline {

/// Which end of what is uncertain in a cure is taken.
enum class Estimate : std::uint8_t {
    Optimistic,
    Expected,
    Pessimistic,
};

/// Changes `graph`, which is of `trace`, as `edit` says; the number of calls and pieces of work that change.
/// EvenSteps changes lengths of steps, not the graph: it counts nothing here. O(events log events).
std::size_t applyEdit(const Trace& trace, const CureEdit& edit, Estimate estimate, ReplayGraph& graph);

} // namespace warpline
