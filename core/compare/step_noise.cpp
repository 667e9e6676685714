#include "core/compare/step_noise.h"

#include "core/base/median.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace warpline {

namespace {

constexpr double clockError = 100; // ns: what the clock of a GPU does not tell
constexpr std::size_t fewSteps = 8; // below it the median deviation says too little
constexpr double normalOfMad = 1.4826;
constexpr double medianOfMean = 1.2533; // standard error of a median against that of a mean
constexpr double bracket = 1.96;

/// By how much neighbours being alike reduces what n steps tell: the sum of the autocorrelations, as far as
/// they are positive without a break. Of ranks, so that no single step decides.
double inflationOf(std::span<const Ns> lengths)
{
    const std::size_t n = lengths.size();
    if (n < fewSteps)
        return 1;
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return lengths[i]; });
    std::vector<double> rank(n);
    for (std::size_t first = 0; first < n;) {
        std::size_t last = first;
        while (last + 1 < n && lengths[order[last + 1]] == lengths[order[first]])
            ++last;
        const double middle = static_cast<double>(first + last) / 2 - static_cast<double>(n - 1) / 2;
        for (std::size_t i = first; i <= last; ++i)
            rank[order[i]] = middle;
        first = last + 1;
    }
    double variance = 0;
    for (const double r : rank)
        variance += r * r;
    double inflation = 1;
    for (std::size_t lag = 1; lag <= n / 4 && variance > 0; ++lag) {
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

double deviationOf(std::span<const Ns> lengths, double mean)
{
    double squares = 0;
    for (const Ns length : lengths)
        squares += (static_cast<double>(length) - mean) * (static_cast<double>(length) - mean);
    return std::sqrt(squares / static_cast<double>(lengths.size() - 1));
}

/// The value at `place` among `sorted`, between two of them interpolated.
double valueAt(const std::vector<Ns>& sorted, double place)
{
    const double inside = std::clamp(place, 0.0, static_cast<double>(sorted.size() - 1));
    const auto low = static_cast<std::size_t>(inside);
    const std::size_t high = std::min(low + 1, sorted.size() - 1);
    const auto below = static_cast<double>(sorted[low]);
    return below + (static_cast<double>(sorted[high]) - below) * (inside - static_cast<double>(low));
}

/// Half the distance of the order statistics around the median, as a standard error.
double errorByOrder(const std::vector<Ns>& sorted)
{
    const auto n = static_cast<double>(sorted.size());
    const double half = bracket * std::sqrt(n) / 2;
    const double middle = (n - 1) / 2;
    return (valueAt(sorted, middle + half) - valueAt(sorted, middle - half)) / (2 * bracket);
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

} // namespace

StepSpread spreadOf(std::span<const Ns> lengths)
{
    StepSpread spread;
    if (lengths.empty())
        return spread;
    std::vector<Ns> sorted(lengths.begin(), lengths.end());
    std::ranges::sort(sorted);
    spread.median = middleOf(sorted);
    double sum = 0;
    for (const Ns length : lengths)
        sum += static_cast<double>(length);
    const auto n = static_cast<double>(lengths.size());
    spread.mean = sum / n;
    std::vector<Ns> away;
    for (const Ns length : lengths)
        away.push_back(std::abs(length - spread.median));
    spread.deviation = middleOf(std::move(away));
    if (lengths.size() < 2)
        return spread;
    spread.single = lengths.size() < fewSteps ? deviationOf(lengths, spread.mean)
                                              : normalOfMad * static_cast<double>(spread.deviation);
    const double normal = medianOfMean * spread.single / std::sqrt(n);
    spread.error = std::max(normal, errorByOrder(sorted)) * std::sqrt(inflationOf(lengths));
    return spread;
}

Ns noiseOf(const StepSpread& a, std::size_t countA, const StepSpread& b, std::size_t countB)
{
    double errorA = a.error < 0 ? b.single : a.error;
    double errorB = b.error < 0 ? a.single : b.error;
    if (std::min(countA, countB) == 2) { // whose own deviation is a matter of luck: both sides' together
        const auto freeA = static_cast<double>(countA - 1);
        const auto freeB = static_cast<double>(countB - 1);
        const double both
            = std::sqrt((freeA * a.single * a.single + freeB * b.single * b.single) / (freeA + freeB));
        errorA = std::max(errorA, medianOfMean * both / std::sqrt(freeA + 1));
        errorB = std::max(errorB, medianOfMean * both / std::sqrt(freeB + 1));
    }
    return noiseOf(errorA, countA, errorB, countB);
}

Ns noiseOf(double errorA, std::size_t countA, double errorB, std::size_t countB)
{
    if (errorA < 0 && errorB < 0)
        return -1;
    const double a = errorA < 0 ? errorB : errorA;
    const double b = errorB < 0 ? errorA : errorB;
    const std::size_t freedom = (countA > 0 ? countA - 1 : 0) + (countB > 0 ? countB - 1 : 0);
    return static_cast<Ns>(std::ceil(clockError + studentOf(freedom) * std::hypot(a, b)));
}

} // namespace warpline
