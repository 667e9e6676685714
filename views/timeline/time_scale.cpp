#include "views/timeline/time_scale.h"

#include "core/base/format_instant.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace warpline {

namespace {

/// More digits than this between the step and the time, and labels become unreadable.
constexpr Ns longestRatio = 1'000'000;

} // namespace

TimeScale timeScale(TimeRange shown, double width, double minPixels)
{
    TimeScale scale;
    if (shown.empty() || width <= 0)
        return scale;
    constexpr double parts = 4; // steps are up to 2.5 of them: a tick has room for its label on both sides
    const double least = static_cast<double>(shown.duration()) / width * std::min(minPixels, width / parts);
    while (static_cast<double>(scale.step) < least) {
        // 1 -> 2 -> 5 -> 10
        const Ns leading = scale.step
            / static_cast<Ns>(std::pow(10, std::floor(std::log10(static_cast<double>(scale.step)) + 1e-9)));
        scale.step = leading == 2 ? scale.step / 2 * 5 : scale.step * 2;
    }
    Ns first = shown.start / scale.step * scale.step;
    if (first < shown.start)
        first += scale.step;
    for (Ns t = first; t < shown.end; t += scale.step)
        scale.ticks.push_back(t);
    return scale;
}

Ns tickBase(TimeRange shown, Ns step)
{
    if (std::abs(shown.start) / step < longestRatio)
        return 0;
    const Ns round = step * 1000;
    return shown.start / round * round;
}

QString tickLabel(Ns t, Ns step, Ns base)
{
    if (base == 0)
        return QString::fromStdString(formatInstant(t, step));
    return "+" + QString::fromStdString(formatInstant(t - base, step));
}

} // namespace warpline
