#pragma once

#include "core/base/time.h"

#include <cstddef>
#include <vector>

namespace warpline {

// Compares two clocks by the ends of exchanges: no rank leaves an exchange before the last arrives, so all
// ranks leave at one instant.

/// The end of one exchange in two reports, each by its own clock.
struct EndPair {
    Ns time = 0; ///< on the clock of report b
    Ns difference = 0; ///< end in a minus end in b, as recorded
    int side = 0; ///< 1: a came last; -1: b came last; 0: both waited
};

/// The relation of the clocks of two reports, from the ends.
struct PairFit {
    Ns offset = 0; ///< from the clock of b to that of a, at `middle`
    double drift = 0;
    Ns middle = 0;
    Ns uncertainty = 0;
    Ns spread = 0; ///< 1.48 times the median deviation
    std::size_t matches = 0;
    /// Whether the pairs are enough, and consistent enough, to derive a clock.
    bool tells() const;
    /// Whether there are many pairs, and no offset makes them end together.
    bool contradicts() const;
};

/// Derives the clock of b from that of a, by the ends that both have. `mayDrift`: a clear difference in speed
/// is fitted, too. O(n log n).
PairFit fitOf(std::vector<EndPair> pairs, bool mayDrift = true);

/// Which of two ranks came last (EndPair::side), from the durations `onA` and `onB` of their parts of an
/// exchange, and `shortest`, the shortest part of any rank.
int sideOf(Ns onA, Ns onB, Ns shortest);

} // namespace warpline
