#pragma once

#include "core/base/time.h"

#include <cstddef>
#include <cstdint>
#include <span>
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

/// The end of an exchange on a host: of the rank that came last there.
struct HostEnd {
    std::uint32_t exchange = 0; ///< which one: an index into the shortest parts
    Ns end = 0; ///< on the clock of the host's first report
    Ns duration = 0;
};

/// The clock of a host relative to the first one.
struct HostClock {
    bool known = false; ///< false: nothing ties it to the first
    Ns offset = 0; ///< at `middle`
    double drift = 0; ///< ns gained for each ns
    Ns middle = 0; ///< on the clock of the host's first report
    Ns uncertainty = 0;
    std::size_t matches = 0; ///< ends that it was found by
    std::size_t others = 0; ///< hosts that it was compared with
    Ns loop = 0; ///< how far comparisons with two hosts are from fitting that of these two; 0: just one way
};

/// Aligns the clocks of `hosts`, each given by its ends in the order of exchanges, of any ranks. Pairs of
/// hosts are compared by common ends; the offsets fit all pairs by least squares, weighted with 1 /
/// uncertainty squared. Residuals around loops of hosts add to the uncertainty. `shortest`: duration of the
/// shortest part of each exchange. With many hosts each is compared with the first and a few others.
/// O(hosts^3), and O(n log n) for each compared pair.
std::vector<HostClock> alignHosts(std::span<const std::vector<HostEnd>> hosts, std::span<const Ns> shortest);

} // namespace warpline
