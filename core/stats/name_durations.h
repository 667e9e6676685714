#pragma once

#include "core/stats/duration_summary.h"
#include "core/store/event_kind.h"

#include <memory>
#include <stop_token>
#include <vector>

namespace warpline {

class Trace;

/// Statistics of all events of one name.
struct NameDurations {
    StringId name{};
    DurationSummary durations;
};

/// The durations of all events of `kind` by name, in the order in which names first appear in the table.
/// Shared by several tables: computed once and kept as long as the event table. O(events). Thread-safe.
/// Throws Stopped when `stop` is requested.
std::shared_ptr<const std::vector<NameDurations>> durationsByName(
    const Trace& trace, EventKind kind, const std::stop_token& stop = {});

} // namespace warpline
