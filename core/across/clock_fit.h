#pragma once

#include "core/base/time.h"

#include <cstddef>
#include <vector>

namespace warpline {

// What the ends of exchanges say of two clocks: nobody leaves one before the last has come, so they end at one
// instant.

/// The end of one exchange on two reports: how much later it is by the clock of `b`.
struct EndPair {
    Ns time = 0; ///< on the clock of report b
    Ns difference = 0; ///< end of a less end of b, both as the reports say
    int side = 0; ///< 1: a came last; -1: b came last; 0: both waited
};

/// What the ends say of the clocks of two reports.
struct PairFit {
    Ns offset = 0; ///< from the clock of b to that of a, at `middle`
    double drift = 0;
    Ns middle = 0;
    Ns uncertainty = 0;
    Ns spread = 0; ///< 1.48 times the median deviation
    std::size_t matches = 0;
    /// Whether they are as many, and agree as well, as it takes to tell a clock by them.
    bool tells() const;
    /// Whether they are many, and no clock makes them end together.
    bool contradicts() const;
};

/// The clock of b from that of a, by the ends that both have. With `mayDrift` one may run faster than the
/// other, if that is plain to see. O(n log n).
PairFit fitOf(std::vector<EndPair> pairs, bool mayDrift = true);

/// Which of the two ranks whose parts of an exchange took `onA` and `onB` came last: EndPair::side. The
/// shortest part of any rank took `shortest`.
int sideOf(Ns onA, Ns onB, Ns shortest);

} // namespace warpline
