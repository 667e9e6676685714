#include "core/across/clock_fit.h"

#include "core/base/median.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace warpline {

namespace {

constexpr Ns oneSidedError = 15'000; // where the same rank always came last
constexpr Ns bothSidesError = 5'000;
constexpr double fastestDrift = 1e-3; // clocks that are corrected gain or lose 500 ppm at most
constexpr Ns widestSpread = 2'000'000; // ends that lie farther apart are of other collectives
constexpr std::size_t minMatches = 10;
constexpr std::size_t minForDrift = 30;
constexpr std::size_t maxSlopePairs = 400; // pairs grow with the square

std::vector<Ns> differences(const std::vector<EndPair>& pairs, int side)
{
    std::vector<Ns> values;
    for (const EndPair& pair : pairs) {
        if (pair.side == side)
            values.push_back(pair.difference);
    }
    return values;
}

/// The difference of the clocks without the bias of the last rank, and the error that remains.
std::pair<Ns, Ns> unbiased(const std::vector<EndPair>& pairs)
{
    const std::vector<Ns> both = differences(pairs, 0);
    const std::vector<Ns> first = differences(pairs, 1);
    const std::vector<Ns> second = differences(pairs, -1);
    if (both.size() >= minMatches)
        return {middleOf(both), bothSidesError};
    if (first.size() >= minMatches && second.size() >= minMatches)
        return {(middleOf(first) + middleOf(second)) / 2, bothSidesError};
    std::vector<Ns> all;
    for (const EndPair& pair : pairs)
        all.push_back(pair.difference);
    return {middleOf(std::move(all)), oneSidedError};
}

/// 1.48 times the median distance from the middle of their side.
Ns spreadOf(const std::vector<EndPair>& pairs)
{
    std::map<int, Ns> middles;
    for (const int side : {-1, 0, 1})
        middles[side] = middleOf(differences(pairs, side));
    std::vector<Ns> distances;
    for (const EndPair& pair : pairs)
        distances.push_back(std::abs(pair.difference - middles[pair.side]));
    return middleOf(std::move(distances)) * 148 / 100;
}

/// Theil and Sen: the median of the slopes between pairs of one side.
double slopeOf(const std::vector<EndPair>& pairs)
{
    const std::size_t stride = pairs.size() / maxSlopePairs + 1;
    std::vector<double> slopes;
    for (std::size_t i = 0; i < pairs.size(); i += stride) {
        for (std::size_t j = i + stride; j < pairs.size(); j += stride) {
            if (pairs[i].side == pairs[j].side && pairs[i].time != pairs[j].time)
                slopes.push_back(static_cast<double>(pairs[j].difference - pairs[i].difference)
                    / static_cast<double>(pairs[j].time - pairs[i].time));
        }
    }
    return upperMedian(std::move(slopes));
}

} // namespace

PairFit fitOf(std::vector<EndPair> pairs, bool mayDrift)
{
    PairFit fit;
    fit.matches = pairs.size();
    if (pairs.empty())
        return fit;
    const auto [first, last] = std::ranges::minmax(pairs, {}, &EndPair::time);
    fit.middle = first.time + (last.time - first.time) / 2;
    const Ns half = (last.time - first.time) / 2;
    fit.spread = spreadOf(pairs);
    if (mayDrift && pairs.size() >= minForDrift) {
        const double slope = slopeOf(pairs);
        std::vector<EndPair> straight = pairs;
        for (EndPair& pair : straight)
            pair.difference -= std::llround(slope * static_cast<double>(pair.time - fit.middle));
        const Ns spread = spreadOf(straight);
        if (std::abs(slope) <= fastestDrift && spread * 10 < fit.spread * 7) {
            fit.drift = slope;
            fit.spread = spread;
            pairs = std::move(straight);
        }
    }
    const auto [offset, bias] = unbiased(pairs);
    fit.offset = offset;
    fit.uncertainty = bias
        + static_cast<Ns>(static_cast<double>(fit.spread) / std::sqrt(static_cast<double>(pairs.size())))
        + static_cast<Ns>(std::abs(fit.drift) * static_cast<double>(half));
    return fit;
}

bool PairFit::tells() const
{
    return matches >= minMatches && spread < widestSpread;
}

bool PairFit::contradicts() const
{
    return matches >= minMatches && !tells();
}

int sideOf(Ns onA, Ns onB, Ns shortest)
{
    // A part that takes more than 1.5 times the shortest includes waiting.
    const auto waited = [shortest](Ns duration) { return duration * 2 > shortest * 3; };
    return waited(onA) && waited(onB) ? 0 : onA <= onB ? 1 : -1;
}

} // namespace warpline
