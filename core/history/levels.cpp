#include "core/history/levels.h"

#include "core/base/median.h"
#include "core/compare/comparison.h"
#include "core/compare/step_noise.h"
#include "core/steps/level_change.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <set>

namespace warpline {

namespace {

constexpr std::size_t minStretch = 6; // levelChange() needs this many
constexpr std::size_t minLevel = 3; // recordings: fewer are outliers
constexpr double shorter = 1.5; // from one length of stretches to the next
/// Share of pairs of recordings around a place that must be ordered for a candidate; the noise decides
/// afterwards. Two levels one deviation apart have three quarters of pairs in order.
constexpr double minOrderedPairs = 0.75;

/// Places that levelChange() names in the whole series and in stretches that overlap by half.
std::set<std::size_t> candidatesIn(std::span<const Ns> series)
{
    std::set<std::size_t> places;
    const std::size_t n = series.size();
    for (std::size_t length = n; length >= minStretch;
         length = static_cast<std::size_t>(static_cast<double>(length) / shorter)) {
        const std::size_t step = std::max<std::size_t>(1, length / 2);
        for (std::size_t first = 0;; first += step) {
            const std::size_t begin = std::min(first, n - length);
            if (const LevelChange change = levelChange(series.subspan(begin, length), minOrderedPairs))
                places.insert(begin + change.at);
            if (begin == n - length)
                break;
        }
    }
    return places;
}

/// A recording on a busy machine is not representative of the noise.
std::vector<Ns> withoutOutliers(std::span<const Ns> level)
{
    const NormalFigures normal(level);
    std::vector<Ns> kept;
    for (const Ns figure : level) {
        if (level.size() < minStretch || normal.has(figure))
            kept.push_back(figure);
    }
    return kept;
}

/// The stretch from one place to the next.
std::span<const Ns> stretch(std::span<const Ns> series, const std::vector<std::size_t>& places, std::size_t i)
{
    const std::size_t first = i == 0 ? 0 : places[i - 1];
    const std::size_t end = i < places.size() ? places[i] : series.size();
    return series.subspan(first, end - first);
}

/// Whether each recording of a level that is too short to have outliers is on its side of the middle.
bool isOnItsSide(std::span<const Ns> level, Ns middle, bool above)
{
    return level.size() >= minStretch
        || std::ranges::all_of(level, [&](Ns figure) { return above ? figure > middle : figure < middle; });
}

/// The change at `places[i]` divided by the required change: above 1 it stays.
double strengthOf(std::span<const Ns> series, const LevelNoise& noise, const std::vector<std::size_t>& places,
    std::size_t i)
{
    const auto before = stretch(series, places, i);
    const auto after = stretch(series, places, i + 1);
    if (std::min(before.size(), after.size()) < minLevel)
        return 0;
    const Both<Ns> levels{meanLength(withoutOutliers(before)), meanLength(withoutOutliers(after))};
    const Ns middle = std::midpoint(levels.a, levels.b);
    const bool rises = levels.b > levels.a;
    if (!isOnItsSide(before, middle, !rises) || !isOnItsSide(after, middle, rises))
        return 0;
    // recordingNoise() covers 99 % of pairs at a fixed place. For 99 % of all series with n places, the
    // quantile of 1 % / n is needed, which grows faster where few recordings define the noise.
    const auto n = static_cast<double>(series.size());
    const double chosen = std::sqrt(std::log(100 * n) / std::log(100.0)) * (1 + 4 / n);
    const double least = std::max(chosen * static_cast<double>(noise.between(before, after)),
        minLevelChange * static_cast<double>(levels.a));
    return static_cast<double>(std::abs(levels.b - levels.a)) / std::max(1.0, least);
}

/// Drops the weakest change until all that are left are beyond the noise.
void dropWeak(std::span<const Ns> series, const LevelNoise& noise, std::vector<std::size_t>& places)
{
    std::vector<double> strengths;
    for (std::size_t i = 0; i < places.size(); ++i)
        strengths.push_back(strengthOf(series, noise, places, i));
    while (!places.empty()) {
        const auto weakest = std::ranges::min_element(strengths);
        if (*weakest > 1)
            return;
        const std::ptrdiff_t at = weakest - strengths.begin();
        places.erase(places.begin() + at);
        strengths.erase(weakest);
        for (std::ptrdiff_t i = std::max<std::ptrdiff_t>(0, at - 1);
             i <= at && i < static_cast<std::ptrdiff_t>(places.size()); ++i)
            strengths[static_cast<std::size_t>(i)]
                = strengthOf(series, noise, places, static_cast<std::size_t>(i));
    }
}

} // namespace

Ns meanLength(std::span<const Ns> lengths)
{
    double sum = 0;
    for (const Ns length : lengths)
        sum += static_cast<double>(length);
    return lengths.empty() ? 0 : std::llround(sum / static_cast<double>(lengths.size()));
}

NormalFigures::NormalFigures(std::span<const Ns> level)
    : m_median(middleOf(level))
{
    constexpr double far = 5 * 1.4826; // times the median deviation: five deviations of a normal distribution
    constexpr double least = 0.05; // of the level
    std::vector<Ns> apart;
    for (const Ns each : level)
        apart.push_back(std::abs(each - m_median));
    m_limit = std::max(
        far * static_cast<double>(middleOf(std::move(apart))), least * static_cast<double>(m_median));
}

bool NormalFigures::has(Ns figure) const
{
    return static_cast<double>(std::abs(figure - m_median)) <= m_limit;
}

LevelNoise::LevelNoise(std::span<const Ns> series, double runNoise)
    : m_runNoise(runNoise)
{
    std::vector<Ns> apart;
    for (std::size_t i = 0; i + 1 < series.size(); i += 2)
        apart.push_back(series[i + 1] - series[i]);
    // Pairs across a change, or with an outlier, are none of one level.
    const NormalFigures normal(apart);
    for (std::size_t i = 0; i + 1 < series.size(); i += 2) {
        if (normal.has(series[i + 1] - series[i]))
            m_neighbours.push_back({series[i], series[i + 1]});
    }
}

Ns LevelNoise::between(std::span<const Ns> before, std::span<const Ns> after, Ns idleForHost) const
{
    const Ns assumed = assumedNoise(m_runNoise, std::min(middleOf(before), middleOf(after)), idleForHost);
    return recordingNoise(withoutOutliers(before), withoutOutliers(after), assumed, m_neighbours);
}

std::vector<std::size_t> levelsIn(std::span<const Ns> series, double runNoise)
{
    if (series.size() < minStretch)
        return {};
    const LevelNoise noise(series, runNoise);
    const std::set<std::size_t> candidates = candidatesIn(series);
    std::vector<std::size_t> places(candidates.begin(), candidates.end());
    dropWeak(series, noise, places);
    for (std::size_t i = 0; i < places.size(); ++i) { // now that it is alone between its neighbours
        const std::size_t first = i == 0 ? 0 : places[i - 1];
        const std::size_t end = i + 1 < places.size() ? places[i + 1] : series.size();
        if (const LevelChange change = levelChange(series.subspan(first, end - first), minOrderedPairs))
            places[i] = first + change.at;
    }
    dropWeak(series, noise, places);
    return places;
}

} // namespace warpline
