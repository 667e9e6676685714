#pragma once

#include "core/base/ids.h"

#include <stop_token>
#include <string_view>
#include <vector>

namespace warpline {

class Trace;

/// Whether `name`, of an event of EventKind::Overhead, is a call of dlopen: "dlopen(libcublas.so.13)".
bool loadsLibrary(std::string_view name);

/// The library of such a name: "libcublas.so.13".
std::string_view libraryIn(std::string_view name);

/// The calls of dlopen that nsys saw, as events of EventKind::Overhead, by thread and start. A library loads
/// others: what a thread loads within another load is a part of that, and not told again; nor is what the
/// profiler loads within work of its own. Throws Stopped when `stop` is requested.
std::vector<EventIndex> libraryLoads(const Trace& trace, const std::stop_token& stop = {});

} // namespace warpline
