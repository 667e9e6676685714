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

/// How many durations are copied side by side before they are looked at: they stay in the nearest cache.
inline constexpr std::size_t durationBlock = 1024;

/// Runs `each(events, durations)` for all of `events` of `table`, in order and in blocks, with the duration
/// of each: loops over a block know nothing of the column, and compilers make much of them. Throws Stopped.
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

/// Runs `each(state, events, durations)` for all events in such blocks, in order, with a state for each
/// thread, a copy of `fresh`, and returns the first state with the others joined to it: state.join(later).
/// Throws Stopped.
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
