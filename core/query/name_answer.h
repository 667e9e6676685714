#pragma once

#include "core/query/duration_histogram.h"
#include "core/query/name_pace.h"
#include "core/query/named_events.h"

#include <memory>
#include <string>

namespace warpline {

/// The result for one name, without its groups, which groupsOf() makes of `events`.
struct NameAnswer {
    NamedQuery query; ///< the query: `events` are of its kind
    std::vector<EventIndex> events; ///< in the order of their table
    DurationFigures figures;
    DurationHistogram histogram;
    Pace pace;
    EventIndex middle = noIndex; ///< as long as the median, or nearly
    Ns totalOfKind = 0;
};

/// The user's settings for a result.
struct NameWishes {
    int axis = 0; ///< 0: as it fits, 1: time, 2: logarithm of time
    bool byInstance = false;
};

/// O(n), in a few passes on all processors: a fraction of a second for ten million events. Throws Stopped.
std::shared_ptr<const NameAnswer> nameAnswer(
    const Trace& trace, const NamedQuery& query, const NameWishes& wishes, const std::stop_token& stop);

} // namespace warpline
