#pragma once

#include "core/base/ids.h"
#include "core/base/parallel.h"
#include "core/base/stop.h"
#include "core/store/event_table.h"

#include <algorithm>
#include <array>
#include <span>
#include <stop_token>
#include <utility>
#include <vector>

namespace warpline {

/// Durations copied together before they are processed: they stay in the L1 cache.
inline constexpr std::size_t durationBlock = 1024;

/// Calls `each(events, durations)` for all of `events` of `table`, in order and in blocks. Loops over a block
/// do not depend on the column, so compilers vectorize them. Throws Stopped.
template <typename Each>
void inDurationBlocks(
    const EventTable& table, std::span<const EventIndex> events, const std::stop_token& stop, Each&& each)
{
    std::array<Ns, durationBlock> durations;
    for (std::size_t at = 0; at < events.size(); at += durationBlock) {
        throwIfStopped(stop);
        const auto block = events.subspan(at, std::min(durationBlock, events.size() - at));
        for (std::size_t i = 0; i < block.size(); ++i)
            durations[i] = table.duration[block[i]];
        each(block, std::span<const Ns>(durations).first(block.size()));
    }
}

/// Calls `each(state, events, durations)` for all events in such blocks, in order, with a state per thread, a
/// copy of `fresh`. Returns the first state after state.join(later) with the others. Throws Stopped.
template <typename State, typename Each>
State overDurations(const EventTable& table, std::span<const EventIndex> events, const State& fresh,
    const std::stop_token& stop, Each&& each)
{
    const std::size_t threads = threadsFor(events.size());
    std::vector<State> states(threads, fresh);
    inParallel(threads, events.size(), [&](std::size_t thread, std::size_t first, std::size_t last) {
        inDurationBlocks(table, events.subspan(first, last - first), stop,
            [&](std::span<const EventIndex> block, std::span<const Ns> durations) {
                each(states[thread], block, durations);
            });
    });
    for (std::size_t t = 1; t < threads; ++t)
        states.front().join(states[t]);
    return std::move(states.front());
}

} // namespace warpline
