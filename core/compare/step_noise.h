#pragma once

#include "core/base/time.h"
#include "core/steps/level_change.h"

#include <cstddef>
#include <span>
#include <vector>

namespace warpline {

/// Steps that stall at regular distances, as a checkpoint every fourth step makes them.
struct StepPeriod {
    std::size_t steps = 0; ///< from one stalled step to the next; 0: there is no period
    std::size_t phase = 0; ///< the first stalled step
    Ns stall = 0; ///< by how much a stalled step is longer than the median, on average
    explicit operator bool() const { return steps > 0; }
};

/// The period of stalls in `lengths`, which are in order of time: the shortest period at which four of five
/// steps are outliers and which explains three quarters of all outliers. Needs at least three stalls. O(n log
/// n).
StepPeriod periodOfStalls(std::span<const Ns> lengths);

/// How the steps of a run vary, as a series: stalls that come back, changes of level, neighbours that are
/// alike.
struct StepSpread {
    std::size_t count = 0;
    Ns median = 0;
    double mean = 0;
    Ns deviation = 0; ///< median absolute deviation from the median
    /// Standard error of the median in ns; negative: fewer than two steps. The maximum of the normal estimate
    /// from the deviation and of the distance of the order statistics that bracket the median with 95 %
    /// confidence. Larger where neighbours correlate or the level changes: a run of two levels is two
    /// observations, however many steps it has.
    double error = -1;
    /// The same towards shorter and longer steps: where a third of the steps stalls, the median may be a
    /// stalled one, but hardly shorter.
    double lower = -1;
    double upper = -1;
    /// Standard error of the mean in ns; negative: fewer than two steps. Stalls of one period are taken
    /// together, so that each period is one observation.
    double meanError = -1;
    std::size_t meanCount = 0; ///< observations of the mean: steps, or periods
    double single = -1; ///< standard deviation of a single step; negative: fewer than two
    StepPeriod period;
    LevelChange change;
};

/// `lengths` in order of time. O(n log n).
StepSpread spreadOf(std::span<const Ns> lengths);

/// The combined spread of steps of several recordings, at least one; the difference between recordings is
/// separate.
StepSpread spreadOfRuns(std::span<const StepSpread> runs);

/// Standard error of the mean of `lengths`; of whole periods of `period` of them where that is not 0.
/// Negative: there are fewer than two. O(n).
double meanErrorOf(std::span<const Ns> lengths, std::size_t period = 0);

/// The chance difference of two recordings of one program, in ns, where `a` and `b` are the medians (means)
/// of the recordings of each side: 99 % of all equal pairs of sides stay below. The spread of few recordings
/// is unreliable, so it is moderated by `assumed`, the difference of two single recordings, with four degrees
/// of freedom (Smyth, Statistical Applications in Genetics and Molecular Biology 3, 2004). `alike`: further
/// recordings of the program with the same variation, one list per level.
Ns recordingNoise(
    std::span<const Ns> a, std::span<const Ns> b, Ns assumed, std::span<const std::vector<Ns>> alike = {});

/// How far the host's part of a step drifts between recordings, against GPU work: recordings of one program
/// on one kind of machine have shown 11% to 33%. Above 20% the pace of all their calls tells the host.
inline constexpr double hostDrift = 4;
/// The assumed difference of two single recordings of one program, in ns: `runNoise` of the step, and
/// hostDrift times as much of the time in which its GPUs idle for the host.
Ns assumedNoise(double runNoise, Ns step, Ns idleForHost);

/// The largest difference of two medians that counts as noise, in ns: 99 % of all equal pairs of runs stay
/// below. A side with one step uses the other side's variation. At least 100 ns, the resolution of a GPU's
/// clock. -1: each side has one step, so that the noise is unknown.
Ns noiseOf(const StepSpread& a, const StepSpread& b);
/// The same of two means, together with `recordings`, see recordingNoise().
Ns meanNoiseOf(const StepSpread& a, const StepSpread& b, Ns recordings = 0);
/// The same from two standard errors; a negative one is not known, and is taken to be as large as the other.
Ns noiseOf(double errorA, std::size_t countA, double errorB, std::size_t countB);
/// noiseOf() from the errors between the runs: of the slower median towards shorter steps, and of the faster
/// one towards longer steps.
Ns noiseBetween(const StepSpread& slower, const StepSpread& faster);
/// noiseOf() together with `recordings`, see recordingNoise(). Where that hides the difference of the medians
/// and is too noisy, but noiseBetween() does not hide it: the latter.
Ns medianNoiseOf(const StepSpread& a, const StepSpread& b, Ns recordings);
/// Whether a noise leaves "no difference" without a meaning, since only a multiple of a step would be seen.
bool isTooNoisy(Ns noise, Ns medianA, Ns medianB);

} // namespace warpline
