#pragma once

#include "core/base/ids.h"
#include "core/base/parallel.h"
#include "core/base/stop.h"

#include <span>
#include <stop_token>
#include <utility>
#include <vector>

namespace warpline {

/// Runs `each(state, event)` for all events, in order, with a state for each thread, a copy of `fresh`, and
/// returns the first state with the others joined to it: state.join(later). Throws Stopped when `stop` is
/// requested.
template <typename State, typename Each>
State overEvents(
    std::span<const EventIndex> events, const State& fresh, const std::stop_token& stop, Each&& each)
{
    const std::size_t threads = threadsFor(events.size());
    std::vector<State> states(threads, fresh);
    inParallel(threads, events.size(), [&](std::size_t thread, std::size_t first, std::size_t last) {
        State& state = states[thread];
        for (const std::size_t i : stoppable(first, last, stop))
            each(state, events[i]);
    });
    for (std::size_t t = 1; t < threads; ++t)
        states.front().join(states[t]);
    return std::move(states.front());
}

} // namespace warpline
