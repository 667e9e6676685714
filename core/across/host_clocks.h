#pragma once

#include "core/base/time.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace warpline {

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
