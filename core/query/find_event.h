#pragma once

#include "core/store/trace.h"

#include <string_view>

namespace warpline {

/// The event that takes exactly `time`: one called `name` before others, work on a GPU before what hosts do.
/// Not valid when there is none. O(lanes log n).
EventRef eventTaking(const Trace& trace, TimeRange time, std::string_view name = {});

} // namespace warpline
