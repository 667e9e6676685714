#include "core/stats/duration_summary.h"

#include "core/base/saturate.h"

#include <algorithm>
#include <cmath>

namespace warpline {

double percentile(std::span<std::int64_t> values, double share)
{
    if (values.empty())
        return 0;
    const double rank = std::clamp(share, 0.0, 1.0) * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(rank);
    const auto place = values.begin() + static_cast<std::ptrdiff_t>(below);
    std::nth_element(values.begin(), place, values.end());
    const auto low = static_cast<double>(*place);
    const double fraction = rank - static_cast<double>(below);
    if (fraction <= 0)
        return low;
    // What follows an nth element is not smaller, so the least of it is the next in order.
    const auto high = static_cast<double>(*std::min_element(place + 1, values.end()));
    return low + (high - low) * fraction;
}

DurationSummary summarize(std::span<std::int64_t> values)
{
    DurationSummary summary;
    summary.count = values.size();
    if (values.empty())
        return summary;
    summary.min = values.front();
    summary.max = values.front();
    for (const std::int64_t value : values) {
        summary.total = saturatingAdd(summary.total, value);
        summary.min = std::min(summary.min, value);
        summary.max = std::max(summary.max, value);
    }
    summary.mean = static_cast<double>(summary.total) / static_cast<double>(summary.count);
    if (summary.min == summary.max) {
        summary.median = static_cast<double>(summary.min);
        return summary;
    }
    double squares = 0;
    for (const std::int64_t value : values) {
        const double away = static_cast<double>(value) - summary.mean;
        squares += away * away;
    }
    summary.deviation = std::sqrt(squares / static_cast<double>(summary.count - 1));
    summary.median = percentile(values, 0.5);
    return summary;
}

} // namespace warpline
