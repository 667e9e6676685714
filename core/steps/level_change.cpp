#include "core/steps/level_change.h"

#include "core/base/median.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace warpline {

namespace {

constexpr std::size_t minSide = 3; ///< lengths on each side of a change
constexpr double minOrderedSettled = 0.95;
constexpr double minDrop = 0.1; ///< of the level before
constexpr std::size_t minSettled = 8;

/// The lengths, each at least as long as the twentieth part of them and no longer than the last twentieth.
std::vector<double> withoutExtremes(std::span<const Ns> lengths)
{
    std::vector<Ns> sorted(lengths.begin(), lengths.end());
    const auto cut = static_cast<std::ptrdiff_t>(sorted.size() / 20);
    std::ranges::nth_element(sorted, sorted.begin() + cut);
    const Ns least = sorted.begin()[cut];
    std::ranges::nth_element(sorted, sorted.end() - 1 - cut);
    const Ns most = sorted.end()[-1 - cut];
    std::vector<double> values;
    values.reserve(lengths.size());
    for (const Ns length : lengths)
        values.push_back(static_cast<double>(std::clamp(length, least, most)));
    return values;
}

} // namespace

std::vector<double> signedRanks(std::span<const Ns> lengths)
{
    const std::size_t n = lengths.size();
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t i) { return lengths[i]; });
    std::vector<double> ranks(n);
    for (std::size_t first = 0; first < n;) {
        std::size_t last = first;
        while (last + 1 < n && lengths[order[last + 1]] == lengths[order[first]])
            ++last;
        for (std::size_t i = first; i <= last; ++i)
            ranks[order[i]] = static_cast<double>(first) - static_cast<double>(n - 1 - last);
        first = last + 1;
    }
    return ranks;
}

LevelChange levelChange(std::span<const Ns> lengths, double minOrdered)
{
    const std::size_t n = lengths.size();
    if (n < 2 * minSide)
        return {};
    const std::vector<double> ranks = signedRanks(lengths);
    const std::vector<double> levels = withoutExtremes(lengths);
    const double mean = std::accumulate(levels.begin(), levels.end(), 0.0) / static_cast<double>(n);
    double across
        = 0; // ordered pairs across the split minus those in the other order: inside a part they cancel out
    double apart = 0; // of the part before the split from the mean
    double most = 0;
    std::size_t at = 0;
    for (std::size_t i = 0; i + minSide < n; ++i) {
        across += ranks[i];
        apart += levels[i] - mean;
        const double pairs = static_cast<double>(i + 1) * static_cast<double>(n - i - 1);
        const double between = apart * apart / pairs;
        if (i + 1 >= minSide && std::abs(across) >= (2 * minOrdered - 1) * pairs && between > most) {
            most = between;
            at = i + 1;
        }
    }
    if (at == 0)
        return {};
    return {at, middleOf(lengths.first(at)), middleOf(lengths.subspan(at))};
}

std::size_t settlesAt(std::span<const Ns> lengths)
{
    const auto drops = [](const LevelChange& change) {
        return change
            && static_cast<double>(change.before - change.after)
            >= minDrop * static_cast<double>(change.before);
    };
    const LevelChange change = levelChange(lengths, minOrderedSettled);
    const bool early = change.at * 2 <= lengths.size() && change.at + minSettled <= lengths.size();
    // Work that shrinks from step to step never settles.
    return early && drops(change) && !drops(levelChange(lengths.subspan(change.at))) ? change.at : 0;
}

} // namespace warpline
