#pragma once

#include "core/coverage/packed_intervals.h"

#include <stop_token>
#include <vector>

namespace warpline {

class Trace;
struct GpuFacts;

/// An idle stretch behind a short kernel is launching it up to this long; what is longer has another cause.
inline constexpr Ns launchWorth = 20'000;

/// The time in which no GPU of `gpus` does anything, behind kernels of under `brief` that no graph launched
/// and that do not communicate: up to the next kernel of their stream, and no more than launchWorth behind
/// each. O(n log streams) in the kernels of `window`. Throws Stopped when `stop` is requested.
PackedIntervals idleAfterShort(const Trace& trace, const std::vector<GpuFacts>& gpus, TimeRange window,
    Ns brief, const std::stop_token& stop);

} // namespace warpline
