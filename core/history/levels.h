#pragma once

#include "core/base/time.h"

#include <cstddef>
#include <span>
#include <vector>

namespace warpline {

/// The least share of a level that a change is worth.
inline constexpr double minLevelChange = 0.01;

/// Where `series`, one figure of each recording in order of time, goes over to another level. levelChange()
/// finds one change of a series; it is asked about all of it and about shorter and shorter stretches, since
/// changes up and down hide one another. Of the places it names those stay that are beyond the noise of the
/// recordings between them. `assumed`: see recordingNoise(). Of a hundred series without a change, of up to
/// a thousand recordings, at most a few have one.
std::vector<std::size_t> levelsIn(std::span<const Ns> series, double runNoise);

/// Which figures are near the median of a level, and no outliers.
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
    /// outliers. Neighbours count as recordings of one level, wherever the levels change.
    Ns between(std::span<const Ns> before, std::span<const Ns> after) const;

private:
    double m_runNoise;
    std::vector<std::vector<Ns>> m_neighbours; ///< pairs
};

} // namespace warpline
