#include "core/compare/step_noise.h"

#include "core/base/median.h"
#include "core/base/saturate.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

namespace warpline {

namespace {

constexpr double clockError = 100; // ns: resolution of a GPU's clock
constexpr std::size_t fewSteps = 8; // with fewer the median deviation is unreliable
constexpr std::size_t maxLag = 100; // neighbours that are looked at
constexpr double normalOfMad = 1.4826;
constexpr double medianOfMean = 1.2533; // standard error of a median against that of a mean
constexpr double bracket = 1.96;

/// The factor by which autocorrelation reduces the effective number of steps: the sum of the autocorrelations
/// up to the first that is not positive. Uses ranks of values, so that no single step decides.
double inflationOf(std::span<const Ns> lengths)
{
    const std::size_t n = lengths.size();
    if (n < fewSteps)
        return 1;
    const std::vector<double> rank = signedRanks(lengths);
    double variance = 0;
    for (const double r : rank)
        variance += r * r;
    double inflation = 1;
    for (std::size_t lag = 1; lag <= std::min(n / 4, maxLag) && variance > 0; ++lag) {
        double sum = 0;
        for (std::size_t i = lag; i < n; ++i)
            sum += rank[i] * rank[i - lag];
        const double correlation = sum / variance;
        if (correlation <= 0)
            break;
        inflation += 2 * correlation;
    }
    return inflation;
}

double meanOf(const auto& lengths)
{
    return std::accumulate(lengths.begin(), lengths.end(), 0.0) / static_cast<double>(lengths.size());
}

double deviationOf(const auto& lengths)
{
    const double mean = meanOf(lengths);
    double squares = 0;
    for (const auto length : lengths)
        squares += (static_cast<double>(length) - mean) * (static_cast<double>(length) - mean);
    return std::sqrt(squares / static_cast<double>(lengths.size() - 1));
}

/// The value at `place` among `sorted`, interpolated.
double valueAt(const std::vector<Ns>& sorted, double place)
{
    const double inside = std::clamp(place, 0.0, static_cast<double>(sorted.size() - 1));
    const auto low = static_cast<std::size_t>(inside);
    const std::size_t high = std::min(low + 1, sorted.size() - 1);
    const auto below = static_cast<double>(sorted[low]);
    return below + (static_cast<double>(sorted[high]) - below) * (inside - static_cast<double>(low));
}

/// The distances of the order statistics around the median from it, as standard errors.
struct OrderErrors {
    double lower = 0;
    double upper = 0;
};

OrderErrors errorsByOrder(const std::vector<Ns>& sorted)
{
    const auto n = static_cast<double>(sorted.size());
    const double half = bracket * std::sqrt(n) / 2;
    const double middle = (n - 1) / 2;
    const double median = valueAt(sorted, middle);
    return {(median - valueAt(sorted, middle - half)) / bracket,
        (valueAt(sorted, middle + half) - median) / bracket};
}

/// The quantile of Student's distribution that 99 % lie within, both sides. Between the tabled degrees of
/// freedom by the next lower one.
double studentOf(std::size_t freedom)
{
    static constexpr double table[]{
        63.66, 63.66, 9.925, 5.841, 4.604, 4.032, 3.707, 3.499, 3.355, 3.250, 3.169};
    if (freedom < std::size(table))
        return table[freedom];
    return freedom < 15 ? 3.106 : freedom < 20 ? 2.947 : freedom < 30 ? 2.845 : freedom < 60 ? 2.750 : 2.660;
}

/// The part of the standard error of a mean or a median due to a change of level: the deviation of the
/// levels, since two levels are two observations.
double levelError(const LevelChange& change, std::size_t count)
{
    if (!change)
        return 0;
    const double share = static_cast<double>(change.at) / static_cast<double>(count);
    return static_cast<double>(std::abs(change.after - change.before)) * std::sqrt(share * (1 - share));
}

/// Standard error of the mean of whole periods, the last ones; sets how many there are.
double errorOfPeriods(std::span<const Ns> lengths, std::size_t period, std::size_t& periods)
{
    periods = lengths.size() / period;
    const std::span<const Ns> whole = lengths.last(periods * period);
    std::vector<double> sums(periods, 0); // without what all have in common: exact also of long steps
    for (std::size_t i = 0; i < whole.size(); ++i)
        sums[i / period] += static_cast<double>(whole[i] - whole[0]);
    return deviationOf(sums) / static_cast<double>(period) / std::sqrt(static_cast<double>(periods));
}

Ns deviationFrom(std::span<const Ns> lengths, Ns median)
{
    std::vector<Ns> away;
    for (const Ns length : lengths)
        away.push_back(std::abs(length - median));
    return middleOf(std::move(away));
}

/// The places of the lengths that are out of proportion: by a twentieth of the median, and by five
/// deviations.
std::vector<std::size_t> stalledSteps(std::span<const Ns> lengths, Ns median)
{
    const auto usual = static_cast<double>(median);
    const auto deviation = static_cast<double>(deviationFrom(lengths, median));
    const double limit = usual + std::max(0.05 * usual, 5 * normalOfMad * deviation);
    std::vector<std::size_t> stalled;
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        if (static_cast<double>(lengths[i]) > limit)
            stalled.push_back(i);
    }
    return stalled;
}

} // namespace

StepPeriod periodOfStalls(std::span<const Ns> lengths)
{
    constexpr std::size_t minStalls = 3;
    constexpr std::size_t minPeriod = 3; // every second step is a kind of step, and no stall
    constexpr std::size_t maxPeriod = 1000;
    const Ns median = middleOf(lengths);
    const std::vector<std::size_t> stalled = stalledSteps(lengths, median);
    const std::size_t end
        = stalled.size() < minStalls ? 0 : std::min(maxPeriod, lengths.size() / minStalls) + 1;
    for (std::size_t period = minPeriod; period < end; ++period) {
        std::vector<std::size_t> ofPhase(period, 0);
        for (const std::size_t i : stalled)
            ++ofPhase[i % period];
        const auto phase = static_cast<std::size_t>(std::ranges::max_element(ofPhase) - ofPhase.begin());
        const std::size_t places = (lengths.size() - phase + period - 1) / period;
        const std::size_t met = ofPhase[phase];
        if (met < minStalls || met * 5 < places * 4 || met * 4 < stalled.size() * 3)
            continue;
        double longer = 0;
        for (std::size_t i = phase; i < lengths.size(); i += period)
            longer += static_cast<double>(lengths[i] - median);
        return {period, phase, static_cast<Ns>(longer / static_cast<double>(places))};
    }
    return {};
}

double meanErrorOf(std::span<const Ns> lengths, std::size_t period)
{
    if (lengths.size() < 2)
        return -1;
    std::size_t periods = 0;
    if (period > 0 && lengths.size() >= 2 * period)
        return errorOfPeriods(lengths, period, periods);
    return deviationOf(lengths) / std::sqrt(static_cast<double>(lengths.size()));
}

StepSpread spreadOf(std::span<const Ns> lengths)
{
    StepSpread spread;
    spread.count = spread.meanCount = lengths.size();
    if (lengths.empty())
        return spread;
    const auto n = static_cast<double>(lengths.size());
    spread.median = middleOf(lengths);
    spread.mean = meanOf(lengths);
    spread.deviation = deviationFrom(lengths, spread.median);
    if (lengths.size() < 2)
        return spread;
    spread.single = lengths.size() < fewSteps ? deviationOf(lengths)
                                              : normalOfMad * static_cast<double>(spread.deviation);
    spread.period = periodOfStalls(lengths);
    std::vector<Ns> sorted; // without stalls that come back, which are none of the usual steps
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        if (!spread.period || i % spread.period.steps != spread.period.phase)
            sorted.push_back(lengths[i]);
    }
    std::ranges::sort(sorted);
    spread.change = levelChange(lengths);
    const double alike = std::sqrt(inflationOf(lengths));
    const double levels = levelError(spread.change, lengths.size());
    const auto errorOf = [&](double byOrder) {
        const double error = std::max(medianOfMean * spread.single / std::sqrt(n), byOrder);
        return std::max(error * alike, std::hypot(error, levels));
    };
    const OrderErrors order = errorsByOrder(sorted);
    spread.error = errorOf((order.lower + order.upper) / 2);
    spread.lower = errorOf(order.lower);
    spread.upper = errorOf(order.upper);
    const double ofMean = spread.period ? errorOfPeriods(lengths, spread.period.steps, spread.meanCount)
                                        : meanErrorOf(lengths);
    spread.meanError = std::max(spread.period ? ofMean : ofMean * alike, std::hypot(ofMean, levels));
    return spread;
}

StepSpread spreadOfRuns(std::span<const StepSpread> runs)
{
    if (runs.size() == 1)
        return runs.front();
    StepSpread all = runs.front();
    double medians = 0;
    double means = 0;
    all.count = all.meanCount = 0;
    for (const StepSpread& run : runs) {
        medians += static_cast<double>(run.median);
        means += run.mean;
        all.count += run.count;
        all.meanCount += run.meanCount;
    }
    const auto count = static_cast<double>(runs.size());
    all.median = std::llround(medians / count);
    all.mean = means / count;
    for (double StepSpread::*const error :
        {&StepSpread::error, &StepSpread::lower, &StepSpread::upper, &StepSpread::meanError}) {
        double squares = 0;
        for (const StepSpread& run : runs)
            squares += run.*error > 0 ? run.*error * run.*error : 0;
        all.*error = std::sqrt(squares) / count;
    }
    return all;
}

Ns assumedNoise(double runNoise, Ns step, Ns idleForHost)
{
    return std::llround(
        runNoise * std::hypot(static_cast<double>(step), hostDrift * static_cast<double>(idleForHost)));
}

Ns recordingNoise(
    std::span<const Ns> a, std::span<const Ns> b, Ns assumed, std::span<const std::vector<Ns>> alike)
{
    constexpr std::size_t priorFreedom = 4;
    const double prior = static_cast<double>(assumed) / (studentOf(priorFreedom) * std::numbers::sqrt2);
    double squares = assumed > 0 ? static_cast<double>(priorFreedom) * prior * prior : 0;
    std::size_t freedom = assumed > 0 ? priorFreedom : 0;
    const auto add = [&](std::span<const Ns> level) {
        if (level.size() < 2)
            return;
        const double deviation = deviationOf(level);
        squares += static_cast<double>(level.size() - 1) * deviation * deviation;
        freedom += level.size() - 1;
    };
    add(a);
    add(b);
    for (const std::vector<Ns>& level : alike)
        add(level);
    if (freedom == 0)
        return 0;
    const double single = std::sqrt(squares / static_cast<double>(freedom));
    const double each = 1 / static_cast<double>(a.size()) + 1 / static_cast<double>(b.size());
    return saturatingWhole(std::ceil(studentOf(freedom) * single * std::sqrt(each)));
}

namespace {

/// `own` is the standard error of a median or a mean of `side`. One step uses the other side's deviation; two
/// steps use the pooled deviation of both sides, because that of two steps is mostly chance. `factor` is that
/// of the error of a median.
double errorOfFew(double own, const StepSpread& side, const StepSpread& other, double factor)
{
    if (own < 0)
        return other.single;
    if (std::min(side.count, other.count) != 2)
        return own;
    const auto free = static_cast<double>(side.count - 1);
    const auto otherFree = static_cast<double>(other.count - 1);
    const double both = std::sqrt(
        (free * side.single * side.single + otherFree * other.single * other.single) / (free + otherFree));
    return std::max(own, factor * both / std::sqrt(free + 1));
}

/// The noise of steps and that of recordings in one; the former may be unknown.
Ns bothNoises(Ns steps, Ns recordings)
{
    return steps < 0 ? steps : saturatingWhole(std::ceil(std::hypot(steps, recordings)));
}

} // namespace

Ns noiseOf(const StepSpread& a, const StepSpread& b)
{
    return noiseOf(
        errorOfFew(a.error, a, b, medianOfMean), a.count, errorOfFew(b.error, b, a, medianOfMean), b.count);
}

Ns noiseBetween(const StepSpread& slower, const StepSpread& faster)
{
    return noiseOf(errorOfFew(slower.lower, slower, faster, medianOfMean), slower.count,
        errorOfFew(faster.upper, faster, slower, medianOfMean), faster.count);
}

bool isTooNoisy(Ns noise, Ns medianA, Ns medianB)
{
    return noise > std::min(medianA, medianB);
}

Ns medianNoiseOf(const StepSpread& a, const StepSpread& b, Ns recordings)
{
    const Ns noise = bothNoises(noiseOf(a, b), recordings);
    const Ns apart = std::abs(b.median - a.median);
    if (apart > noise || !isTooNoisy(noise, a.median, b.median))
        return noise;
    const bool isSlower = b.median > a.median; // stalls on the far side do not blur a difference
    const Ns between = bothNoises(noiseBetween(isSlower ? b : a, isSlower ? a : b), recordings);
    return apart > between ? between : noise;
}

Ns meanNoiseOf(const StepSpread& a, const StepSpread& b, Ns recordings)
{
    const Ns steps = noiseOf(
        errorOfFew(a.meanError, a, b, 1), a.meanCount, errorOfFew(b.meanError, b, a, 1), b.meanCount);
    return bothNoises(steps, recordings);
}

Ns noiseOf(double errorA, std::size_t countA, double errorB, std::size_t countB)
{
    if (errorA < 0 && errorB < 0)
        return -1;
    const double a = errorA < 0 ? errorB : errorA;
    const double b = errorB < 0 ? errorA : errorB;
    const std::size_t freedom = (countA > 0 ? countA - 1 : 0) + (countB > 0 ? countB - 1 : 0);
    return saturatingWhole(std::ceil(clockError + studentOf(freedom) * std::hypot(a, b)));
}

} // namespace warpline
