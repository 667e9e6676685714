#pragma once

#include "core/stats/duration_summary.h"
#include "core/store/event_kind.h"

#include <memory>
#include <stop_token>
#include <vector>

namespace warpline {

class Trace;

/// What a summary says of all events of one name, whatever else tells them apart.
struct NameDurations {
    StringId name{};
    DurationSummary durations;
};

/// The durations of all events of `kind`, of the kernels or the API calls say, in the order in which their
/// names first come in the table. Several tables ask for the same: found when first asked for, and kept as
/// long as the table is. O(events). Safe to call from several
/// threads. Throws Stopped when `stop` is requested.
std::shared_ptr<const std::vector<NameDurations>> durationsByName(
    const Trace& trace, EventKind kind, const std::stop_token& stop = {});

} // namespace warpline
