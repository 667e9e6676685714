#pragma once

#include "core/query/named_events.h"

#include <span>
#include <stop_token>
#include <utility>
#include <vector>

namespace warpline {

/// How many durations fall where, and how much time that is.
struct DurationHistogram {
    std::vector<Ns> edges; ///< ascending, one more than bins; bin i is [edges[i], edges[i + 1])
    std::vector<std::uint64_t> counts; ///< the first and the last bin include values beyond
    std::vector<Ns> totals;
    bool isLogarithmic = false;

    std::size_t bins() const { return counts.size(); }
    /// The durations that bins [first, last] hold, both ends included.
    std::pair<Ns, Ns> durations(std::size_t first, std::size_t last) const;
    /// The bin that `duration` is in. There is one at least.
    std::size_t binOf(Ns duration) const;
};

/// Edges for at most `bins` bins over the durations of `figures`: equidistant, with a separate last bin for
/// few outliers, or logarithmic. No bin is narrower than 1 ns.
std::vector<Ns> histogramEdges(const DurationFigures& figures, std::size_t bins, bool logarithmic);
/// The same of events that were counted: O(longest duration). All must be: see DurationCounts::areAll.
DurationHistogram durationHistogram(const DurationCounts& counts, std::vector<Ns> edges, bool logarithmic);
/// O(n), on all processors.
DurationHistogram durationHistogram(const EventTable& table, std::span<const EventIndex> events,
    std::vector<Ns> edges, bool logarithmic, const std::stop_token& stop = {});

} // namespace warpline
