#pragma once

#include "core/base/time.h"

namespace warpline {

/// Maps time to x and back for a range shown on a width of pixels. Shared by the ruler, the rows, the
/// overlays and the tests, so that they agree.
struct TimeAxis {
    TimeRange shown;
    double width = 0;

    /// Not clamped: times outside the range land outside [0, width].
    constexpr double xAt(Ns t) const
    {
        return shown.empty()
            ? 0
            : static_cast<double>(t - shown.start) / static_cast<double>(shown.duration()) * width;
    }

    constexpr Ns timeAt(double x) const
    {
        return width <= 0 ? shown.start
                          : shown.start + static_cast<Ns>(x / width * static_cast<double>(shown.duration()));
    }

    /// Nanoseconds that a pixel shows.
    constexpr double nsPerPixel() const
    {
        return width <= 0 ? 1 : static_cast<double>(shown.duration()) / width;
    }
};

} // namespace warpline
