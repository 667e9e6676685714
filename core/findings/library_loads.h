#pragma once

#include "core/base/ids.h"

#include <stop_token>
#include <string_view>
#include <vector>

namespace warpline {

class Trace;

/// The library in the name of a call of dlopen, "dlopen(libcublas.so.13)": "libcublas.so.13".
std::string_view libraryIn(std::string_view name);

/// The dlopen calls in the report, as events of EventKind::Overhead, by thread and start. Only outermost
/// loads, because a library loads others, and no loads inside the profiler's own work. Throws Stopped when
/// `stop` is requested.
std::vector<EventIndex> libraryLoads(const Trace& trace, const std::stop_token& stop = {});

} // namespace warpline
