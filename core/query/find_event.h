#pragma once

#include "core/base/time.h"
#include "core/store/event_kind.h"

#include <cstdint>
#include <string_view>

namespace warpline {

class Trace;

/// The event with exactly the range `time`; prefers one named `name`, then GPU work over host events. Not
/// valid when there is none. O(lanes log n).
EventRef eventTaking(const Trace& trace, TimeRange time, std::string_view name = {});

/// The event that row `row` of `table` of the report became. Not valid when there is none. O(n) in the events
/// of that table.
EventRef eventOfRow(const Trace& trace, std::string_view table, std::uint32_t row);

} // namespace warpline
