#include "core/stats/duration_summary.h"

#include "core/base/saturate.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace warpline {

namespace {

constexpr std::size_t manyValues = 1U << 14U; ///< from here on counting beats moving
constexpr std::size_t buckets = 1U << 14U; ///< their counts stay in the processor's cache

/// The sorted values at `place` and `place + 1`: counts all by size, and examines only those of the two
/// sizes. `place + 1` must exist.
std::pair<std::int64_t, std::int64_t> neighboursAt(
    std::span<const std::int64_t> values, std::size_t place, std::int64_t least, std::int64_t most)
{
    const auto offset = [least](std::int64_t value) {
        return static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(least);
    };
    const unsigned bits = static_cast<unsigned>(std::bit_width(offset(most)));
    const unsigned kept = static_cast<unsigned>(std::bit_width(buckets - 1));
    const unsigned shift = bits > kept ? bits - kept : 0;
    std::vector<std::uint32_t> counts(buckets, 0);
    for (const std::int64_t value : values)
        ++counts[offset(value) >> shift];
    std::size_t before = 0;
    std::size_t first = 0;
    while (before + counts[first] <= place)
        before += counts[first++];
    std::size_t last = first;
    std::size_t until = before + counts[first];
    while (until <= place + 1)
        until += counts[++last];
    std::vector<std::int64_t> close;
    close.reserve(until - before);
    for (const std::int64_t value : values) {
        const std::uint64_t bucket = offset(value) >> shift;
        if (bucket >= first && bucket <= last)
            close.push_back(value);
    }
    const auto low = close.begin() + static_cast<std::ptrdiff_t>(place - before);
    std::nth_element(close.begin(), low, close.end());
    return {*low, *std::min_element(low + 1, close.end())};
}

/// The same as percentile(), for values that lie from `least` to `most`.
double percentileOf(std::span<std::int64_t> values, double share, std::int64_t least, std::int64_t most)
{
    if (values.empty())
        return 0;
    const double rank = std::clamp(share, 0.0, 1.0) * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(rank);
    if (values.size() >= manyValues && below + 1 < values.size()) {
        const auto [low, high] = neighboursAt(values, below, least, most);
        return static_cast<double>(low)
            + (static_cast<double>(high) - static_cast<double>(low)) * (rank - static_cast<double>(below));
    }
    const auto place = values.begin() + static_cast<std::ptrdiff_t>(below);
    std::nth_element(values.begin(), place, values.end());
    const auto low = static_cast<double>(*place);
    const double fraction = rank - static_cast<double>(below);
    if (fraction <= 0)
        return low;
    // The values after an nth element are not smaller, so their minimum is the next in order.
    const auto high = static_cast<double>(*std::min_element(place + 1, values.end()));
    return low + (high - low) * fraction;
}

} // namespace

double percentile(std::span<std::int64_t> values, double share)
{
    if (values.empty())
        return 0;
    const auto [least, most] = std::ranges::minmax(values);
    return percentileOf(values, share, least, most);
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
    summary.median = percentileOf(values, 0.5, summary.min, summary.max);
    return summary;
}

} // namespace warpline
