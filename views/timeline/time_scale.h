#pragma once

#include "core/base/time.h"

#include <QString>

#include <vector>

namespace warpline {

/// Ticks of a ruler: multiples of 1, 2 or 5 times a power of ten that stand at least `minPixels` apart, or a
/// quarter of a narrow ruler. One of them has at least 3/16 of the ruler on each side, for its label.
struct TimeScale {
    Ns step = 1; ///< between labelled ticks
    std::vector<Ns> ticks; ///< multiples of step inside the shown range
};

TimeScale timeScale(TimeRange shown, double width, double minPixels = 110);

/// The label of the tick at `t` for ticks `step` apart: "1.25 s", "730.4 ms"; deep inside a long report the
/// offset from `base` with a sign: "+300 ns".
QString tickLabel(Ns t, Ns step, Ns base);
/// The base of tick labels: 0 while labels stay short, else the shown range's start cut to a round time.
Ns tickBase(TimeRange shown, Ns step);

} // namespace warpline
