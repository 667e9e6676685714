#pragma once

#include "core/base/time.h"

#include <algorithm>
#include <cmath>

namespace warpline {

/// Which times of two runs stand one above the other: `a` of the one and `b` of the other, and `scale`
/// nanoseconds of b for each of a.
struct TimeMap {
    Ns a = 0;
    Ns b = 0;
    double scale = 1; ///< above 0

    Ns toB(Ns time) const { return b + bounded(static_cast<double>(time - a) * scale); }
    Ns toA(Ns time) const { return a + bounded(static_cast<double>(time - b) / scale); }
    TimeRange toB(TimeRange range) const { return {toB(range.start), toB(range.end)}; }
    TimeRange toA(TimeRange range) const { return {toA(range.start), toA(range.end)}; }
    friend bool operator==(const TimeMap&, const TimeMap&) = default;

private:
    /// Nothing is farther: a step may be as long as ten thousand of the other run. Clocks of reports are up
    /// to 1e18 ns apart.
    static Ns bounded(double distance)
    {
        constexpr double most = 2e18;
        return std::llround(std::clamp(distance, -most, most));
    }
};

} // namespace warpline
