#include "core/store/counter_table.h"

#include <algorithm>
#include <cmath>

namespace warpline {

void CounterSeries::setSamples(std::span<const std::pair<Ns, double>> samples)
{
    std::vector<Ns> when;
    values.clear();
    for (const auto& [time, value] : samples) {
        when.push_back(time);
        values.push_back(static_cast<float>(value));
    }
    times = std::make_shared<const std::vector<Ns>>(std::move(when));
    summarize();
}

void CounterSeries::summarize()
{
    blockLow.clear();
    blockHigh.clear();
    lowest = 0;
    highest = 0;
    for (float& value : values) // a file may hold any number
        value = std::isnan(value) ? 0 : std::clamp(value, -1e18F, 1e18F);
    for (std::size_t first = 0; first < values.size(); first += blockSize) {
        const auto from = values.begin() + static_cast<std::ptrdiff_t>(first);
        const auto to
            = values.begin() + static_cast<std::ptrdiff_t>(std::min(values.size(), first + blockSize));
        const auto [low, high] = std::minmax_element(from, to);
        blockLow.push_back(*low);
        blockHigh.push_back(*high);
    }
    if (!values.empty()) {
        lowest = *std::ranges::min_element(blockLow);
        highest = *std::ranges::max_element(blockHigh);
    }
}

std::pair<float, float> CounterSeries::extremes(std::size_t first, std::size_t last) const
{
    float low = values[first];
    float high = low;
    std::size_t i = first;
    while (i < last) {
        const std::size_t block = i / blockSize;
        const bool whole = i % blockSize == 0 && i + blockSize <= last && block < blockLow.size();
        low = std::min(low, whole ? blockLow[block] : values[i]);
        high = std::max(high, whole ? blockHigh[block] : values[i]);
        i += whole ? blockSize : 1;
    }
    return {low, high};
}

} // namespace warpline
