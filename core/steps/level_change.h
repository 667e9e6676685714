#pragma once

#include "core/base/time.h"

#include <cstddef>
#include <span>
#include <vector>

namespace warpline {

/// A change of a series of lengths from one level to another: a clock that drops, an allocator that has
/// grown, compiled code that takes over.
struct LevelChange {
    std::size_t at = 0; ///< the first length of the new level; 0: there is no change
    Ns before = 0; ///< median of the lengths before
    Ns after = 0; ///< and from there on
    explicit operator bool() const { return at > 0; }
};

/// For each length how many others are shorter, minus how many are longer: twice its rank, from the middle
/// one. O(n log n).
std::vector<double> signedRanks(std::span<const Ns> lengths);

/// The strongest change in `lengths`, which are in order of time. Splits need at least three lengths on each
/// side, and nine of ten pairs across in one order (`minOrdered`); the one with the largest variance between
/// its parts wins. Ordering pairs makes single outliers irrelevant. O(n log n).
LevelChange levelChange(std::span<const Ns> lengths, double minOrdered = 0.9);

/// The number of leading lengths that are warm-up because the series settles at a lower level: those before a
/// drop by at least a tenth in its first half, followed by at least eight lengths without another such drop.
/// 0: none.
std::size_t settlesAt(std::span<const Ns> lengths);

} // namespace warpline
