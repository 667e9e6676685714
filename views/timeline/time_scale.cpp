#include "views/timeline/time_scale.h"

#include "core/base/format.h"

#include <cmath>
#include <cstdlib>

namespace warpline {

namespace {

/// More digits than this between the step and the time, and labels become unreadable.
constexpr Ns longestRatio = 1'000'000;

QString inUnit(Ns t, Ns step)
{
    struct Unit {
        Ns size;
        const char* name;
    };
    const Unit unit = std::abs(t) >= 1'000'000'000 || step >= 100'000'000 ? Unit{1'000'000'000, "s"}
        : std::abs(t) >= 1'000'000 || step >= 100'000                     ? Unit{1'000'000, "ms"}
        : std::abs(t) >= 1'000 || step >= 100                             ? Unit{1'000, "\u00b5s"}
                                                                          : Unit{1, "ns"};
    int decimals = 0;
    for (Ns part = unit.size; part > step && decimals < 9; part /= 10)
        ++decimals;
    return QString::fromStdString(
        formatReal(static_cast<double>(t) / static_cast<double>(unit.size), decimals) + " " + unit.name);
}

} // namespace

TimeScale timeScale(TimeRange shown, double width, double leastPixels)
{
    TimeScale scale;
    if (shown.empty() || width <= 0)
        return scale;
    const double least = static_cast<double>(shown.duration()) / width * leastPixels;
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
        return inUnit(t, step);
    return "+" + inUnit(t - base, step);
}

} // namespace warpline
