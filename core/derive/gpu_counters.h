#pragma once

#include "core/base/string_pool.h"
#include "core/store/counter_table.h"

#include <stop_token>
#include <vector>

namespace warpline {

class Trace;

/// As many launches wait in a stream at most; a further one blocks the thread that launches.
inline constexpr float fullQueue = 1024;

/// Values over time that follow from the GPU work of `trace`, which has its links:
/// - QueueDepth of each stream: calls that launched work there and have begun, less those whose work is done.
///   A launch of a graph is one, however many nodes it has. Streams with a single launch have none.
/// - CopyBandwidth of each direction on each GPU: the sum over the copies that run of their bytes per second.
/// - StreamsRunning of each GPU with several streams: how many run work.
/// Each begins with 0 at the session's start. Of a series that changes more often than half a million times
/// the highest value of each stretch of a half-millionth of the session stands for the stretch. O(n log n);
/// nearly O(n) where calls and work are in order. Throws Stopped when `stop` is requested.
std::vector<CounterSeries> gpuCounters(
    const Trace& trace, StringPool& pool, const std::stop_token& stop = {});

} // namespace warpline
