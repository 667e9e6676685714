#pragma once

#include "core/base/time.h"

#include <cstdint>
#include <span>

namespace warpline {

/// What a summary table says about a set of numbers: durations in ns, or sizes in bytes.
struct DurationSummary {
    std::uint64_t count = 0;
    std::int64_t total = 0;
    double mean = 0;
    double median = 0; ///< mean of the two middle values when the count is even
    std::int64_t min = 0;
    std::int64_t max = 0;
    /// Standard deviation of a sample: the sum of squares is divided by count - 1. 0 for a single value.
    double deviation = 0;
};

/// All zero for no values. Reorders `values`; O(n).
DurationSummary summarize(std::span<std::int64_t> values);

/// The value below which `share` (0..1) of the values lie, interpolated between the two nearest ranks
/// (rank share * (count - 1), as NumPy's default does). 0 for no values. Reorders `values`; O(n).
double percentile(std::span<std::int64_t> values, double share);

} // namespace warpline
