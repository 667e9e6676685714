#pragma once

#include "core/query/duration_histogram.h"
#include "core/query/name_groups.h"
#include "core/query/name_pace.h"

#include <memory>
#include <string>

namespace warpline {

/// What the panel shows of one name; made off the GUI thread.
struct NameAnswer {
    std::vector<EventIndex> events; ///< by start where the pace is by instance
    DurationFigures figures;
    DurationHistogram histogram;
    Pace pace;
    std::vector<NameGroup> groups;
    EventIndex middle = noIndex; ///< as long as the median, or nearly
    Ns totalOfKind = 0;
};

/// What a user chose of how an answer is made.
struct NameWishes {
    int axis = 0; ///< 0: as it fits, 1: time, 2: logarithm of time
    bool byInstance = false;
    std::optional<NameGrouping> grouping;
    std::string field;
};

/// Throws Stopped when `stop` is requested. O(n).
std::shared_ptr<const NameAnswer> nameAnswer(
    const Trace& trace, const NamedQuery& query, const NameWishes& wishes, const std::stop_token& stop);

} // namespace warpline
