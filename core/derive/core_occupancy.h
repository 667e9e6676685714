#pragma once

#include "core/base/string_pool.h"
#include "core/store/event_table.h"

#include <memory>
#include <stop_token>

namespace warpline {

class Trace;

/// Which thread ran on which CPU core, from the running slices of the threads: one track per core (family
/// "CPU 3"). An event has the name of its thread, and the index of its ThreadState event as attribute. Names
/// go to `pool`, which is `trace`'s. Throws Stopped when `stop` is requested.
std::shared_ptr<const EventTable> coreOccupancy(
    const Trace& trace, StringPool& pool, const std::stop_token& stop = {});

} // namespace warpline
