#pragma once

#include "core/base/time.h"

#include <cstdint>
#include <span>

namespace warpline {

/// Statistics of numbers in a summary table: durations in ns, or sizes in bytes.
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

/// The `share` quantile (0..1), interpolated linearly between ranks (rank share * (count - 1), NumPy's
/// default). 0 without values. Reorders `values`; O(n).
double percentile(std::span<std::int64_t> values, double share);

} // namespace warpline
