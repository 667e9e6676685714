#pragma once

#include "core/base/time.h"

#include <cstddef>
#include <span>
#include <vector>

namespace warpline {

/// The least share of a level that a change is worth.
inline constexpr double minLevelChange = 0.01;

/// The places where `series`, one value per recording in order of time, changes its level. levelChange()
/// finds one change, so it is applied to the whole and to ever shorter parts, because changes up and down
/// hide each other. Places stay that exceed the noise of the recordings between them. `assumed`: see
/// recordingNoise(). False positives: at most a few of a hundred series without a change, with up to a
/// thousand recordings.
std::vector<std::size_t> levelsIn(std::span<const Ns> series, double runNoise);

/// The mean of `lengths`; 0 of nothing.
Ns meanLength(std::span<const Ns> lengths);

/// Whether values are near the median of a level.
class NormalFigures {
public:
    explicit NormalFigures(std::span<const Ns> level);
    bool has(Ns figure) const;

private:
    Ns m_median;
    double m_limit = 0;
};

/// How far levels of one series differ by chance.
class LevelNoise {
public:
    LevelNoise(std::span<const Ns> series, double runNoise);
    /// Up to which difference two levels, stretches of the series, are the same: recordingNoise() without
    /// outliers. Neighbours count as recordings of one level, wherever the levels change. `idleForHost` as in
    /// assumedNoise(), of single recordings.
    Ns between(std::span<const Ns> before, std::span<const Ns> after, Ns idleForHost = 0) const;

private:
    double m_runNoise;
    std::vector<std::vector<Ns>> m_neighbours; ///< pairs
};

} // namespace warpline
