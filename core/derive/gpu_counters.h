#pragma once

#include "core/base/string_pool.h"
#include "core/store/counter_table.h"

#include <stop_token>
#include <vector>

namespace warpline {

class Trace;

/// The limit of launches that wait in a stream; another one blocks the launching thread.
inline constexpr float fullQueue = 1024;

/// Counters derived from the GPU work of `trace`, which has its links:
/// - QueueDepth of each stream: launch calls that have begun, minus those whose work is done. A graph launch
/// counts once, however many nodes it has. Streams with a single launch have none.
/// - CopyBandwidth of each direction on each GPU: the sum of bytes per second of the copies that run.
/// - StreamsRunning of each GPU with several streams: how many run work.
/// Each begins with 0 at the session's start. A series with more than half a million changes is reduced to
/// the maximum of each interval, a half-millionth of the session. O(n log n); nearly O(n) where calls and
/// work are in order. Throws Stopped when `stop` is requested.
std::vector<CounterSeries> gpuCounters(
    const Trace& trace, StringPool& pool, const std::stop_token& stop = {});

} // namespace warpline
