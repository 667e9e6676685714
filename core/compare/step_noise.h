#pragma once

#include "core/base/time.h"

#include <span>

namespace warpline {

/// How the steps of a run vary.
struct StepSpread {
    Ns median = 0;
    double mean = 0;
    Ns deviation = 0; ///< median absolute deviation from the median
    /// Standard error of the median in ns: the larger of what a normal distribution of that deviation says
    /// and of what the steps in the middle say (the distance of the order statistics that bracket the median
    /// with 95 % confidence), which holds for steps of two speeds, too. Larger where neighbours are alike: a
    /// run that gets slower has fewer independent steps than steps. Negative: fewer than two steps.
    double error = -1;
    double single = -1; ///< standard deviation of a single step; negative: fewer than two
};

/// `lengths` in order of time. O(n log n).
StepSpread spreadOf(std::span<const Ns> lengths);

/// Up to which difference two medians count as the same, in ns: 99 % of all pairs of runs that do not differ
/// stay below. A side with one step is taken to vary as the other. At least a tenth of a microsecond, which
/// the clock of a GPU does not tell. -1: each side has one step, and nothing tells.
Ns noiseOf(const StepSpread& a, std::size_t countA, const StepSpread& b, std::size_t countB);
/// The same from two standard errors; a negative one is not known, and is taken to be as large as the other.
Ns noiseOf(double errorA, std::size_t countA, double errorB, std::size_t countB);

} // namespace warpline
