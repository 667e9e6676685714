#pragma once

#include "core/store/event_table.h"

#include <cstdint>
#include <limits>
#include <map>
#include <stop_token>
#include <vector>

namespace warpline {

class Trace;

/// First start and last end of a step's work on one GPU.
struct Launched {
    Ns firstStart = std::numeric_limits<Ns>::max();
    Ns lastEnd = std::numeric_limits<Ns>::min();
    bool any() const { return firstStart <= lastEnd; }
    void add(TimeRange range)
    {
        firstStart = std::min(firstStart, range.start);
        lastEnd = std::max(lastEnd, range.end);
    }
    void add(const Launched& other) { add(TimeRange{other.firstStart, other.lastEnd}); }
};

/// By device (CUDA ordinal): the work that each range launched.
using LaunchedByDevice = std::map<std::int32_t, std::vector<Launched>>;

/// Adds the GPU work of the calls of `track` that start inside one of `ranges`, which are in order of time
/// and do not overlap. Uses several threads for many calls. O(calls). Throws Stopped.
void addLaunched(const Trace& trace, const Track& track, const std::vector<TimeRange>& ranges,
    LaunchedByDevice& devices, const std::stop_token& stop);

} // namespace warpline
