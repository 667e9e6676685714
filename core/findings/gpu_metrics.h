#pragma once

#include "core/coverage/packed_intervals.h"
#include "core/store/counter_table.h"

#include <optional>
#include <string_view>

namespace warpline {

class Trace;

/// The percent metric of GPU `device` (the report's number) whose name begins with `name`; nullptr: not
/// sampled.
const CounterSeries* percentMetric(const Trace& trace, std::string_view name, std::int32_t device);

/// Mean over the samples inside `times`; nothing without such a series, or with too few samples.
std::optional<double> meanOfMetric(
    const Trace& trace, std::string_view name, std::int32_t device, const PackedIntervals& times);

/// The mean clock of the multiprocessors in Hz over the samples that lie in `times`; nothing as above.
std::optional<double> meanClock(const Trace& trace, std::int32_t device, const PackedIntervals& times);

/// The stretches in which `series` is at `level` or above, clipped to `times`.
Intervals timeAtLeast(const CounterSeries& series, float level, const PackedIntervals& times);

} // namespace warpline
