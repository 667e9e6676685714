#include "core/base/sorted_search.h"

#include <algorithm>
#include <array>

namespace warpline {

namespace {

/// Searches that advance together: enough to keep the memory system busy.
constexpr std::size_t groupSize = 32;

/// `step` when `go`, else 0, branch-free with every compiler.
std::uint32_t stepIf(bool go, std::uint32_t step)
{
    return step & (0U - static_cast<std::uint32_t>(go));
}

/// Halves [low, high) for all of `times` at once, branch-free: a misprediction would discard the reads of the
/// following searches.
void searchTogether(std::span<const Ns> sorted, std::size_t low, std::size_t high, std::span<const Ns> times,
    std::span<std::uint32_t> found)
{
    std::ranges::fill(found, static_cast<std::uint32_t>(low));
    for (std::size_t count = high - low; count > 0; count /= 2) {
        const auto half = static_cast<std::uint32_t>(count - count / 2);
        for (std::size_t i = 0; i < times.size(); ++i)
            found[i] += stepIf(sorted[found[i] + half - 1] < times[i], half);
    }
}

/// Searches within the blocks that end at samples blockEnd[i], each of which begins before times[i].
void searchBlocks(std::span<const Ns> sorted, std::span<const Ns> times,
    std::span<const std::uint32_t> blockEnd, std::span<std::uint32_t> found)
{
    for (std::size_t i = 0; i < times.size(); ++i)
        found[i] = static_cast<std::uint32_t>((blockEnd[i] - 1) * sampleStep);
    for (std::uint32_t half = sampleStep / 2; half > 0; half /= 2) {
        for (std::size_t i = 0; i < times.size(); ++i)
            found[i] += stepIf(sorted[found[i] + half] < times[i], half);
    }
    for (std::uint32_t& index : found)
        ++index;
}

} // namespace

std::size_t firstNotBefore(std::span<const Ns> sorted, std::size_t first, std::size_t last, Ns t)
{
    std::size_t low = first;
    std::size_t step = 1;
    while (low + step <= last && sorted[low + step - 1] < t) {
        low += step;
        step *= 2;
    }
    const auto at = [&](std::size_t i) { return sorted.begin() + static_cast<std::ptrdiff_t>(i); };
    const std::size_t high = std::min(low + step - 1, last);
    return static_cast<std::size_t>(std::lower_bound(at(low), at(high), t) - sorted.begin());
}

void firstNotBefore(std::span<const Ns> sorted, std::span<const Ns> samples, std::size_t first,
    std::size_t last, std::span<const Ns> times, std::span<std::uint32_t> out)
{
    // The samples inside [first, last).
    const std::size_t firstSample = (first + sampleStep - 1) / sampleStep;
    const std::size_t lastSample = std::max(firstSample, (last + sampleStep - 1) / sampleStep);
    std::array<std::uint32_t, groupSize> blockEnds{};
    std::size_t low = firstSample;
    for (std::size_t done = 0; done < times.size(); done += groupSize) {
        const auto group = times.subspan(done, std::min(groupSize, times.size() - done));
        const auto found = out.subspan(done, group.size());
        const auto ends = std::span(blockEnds).first(group.size());
        const std::size_t high = firstNotBefore(samples, low, lastSample, group.back());
        searchTogether(samples, low, high, group, ends);
        low = high;
        if (ends.front() > firstSample && ends.back() < lastSample) {
            searchBlocks(sorted, group, ends, found);
            continue;
        }
        // The blocks at either end hold fewer.
        for (std::size_t i = 0; i < group.size(); ++i) {
            const std::size_t from = ends[i] == firstSample ? first : (ends[i] - 1) * sampleStep;
            const std::size_t to = ends[i] == lastSample ? last : ends[i] * sampleStep;
            found[i] = static_cast<std::uint32_t>(firstNotBefore(sorted, from, to, group[i]));
        }
    }
}

} // namespace warpline
