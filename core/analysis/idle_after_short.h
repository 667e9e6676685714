#pragma once

#include "core/coverage/packed_intervals.h"

#include <stop_token>
#include <vector>

namespace warpline {

class Trace;
struct GpuFacts;

/// Idle time after a short kernel, up to this long, is launch overhead (ns); longer idle time has another
/// cause.
inline constexpr Ns launchWorth = 20'000;

/// The time in which all of `gpus` idle after kernels shorter than `brief` that neither belong to a graph nor
/// communicate: up to the next kernel of the stream, and at most launchWorth after each. O(n log streams) in
/// the kernels of `window`. Throws Stopped when `stop` is requested.
PackedIntervals idleAfterShort(const Trace& trace, const std::vector<GpuFacts>& gpus, TimeRange window,
    Ns brief, const std::stop_token& stop);

} // namespace warpline
