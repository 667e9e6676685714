#pragma once

#include "core/base/string_pool.h"
#include "core/store/event_table.h"

#include <memory>
#include <stop_token>

namespace warpline {

class Trace;

/// Which thread ran on which CPU core, from the running slices of the threads: a track a core (its family is
/// "CPU 3"); each event is named after its thread, and its attribute is
/// the ThreadState event it is. Names go to `pool`, which is `trace`'s. Throws Stopped when `stop` is
/// requested.
std::shared_ptr<const EventTable> coreOccupancy(
    const Trace& trace, StringPool& pool, const std::stop_token& stop = {});

} // namespace warpline
