#pragma once

#include "core/query/event_list.h"
#include "core/table/cells.h"

#include <memory>

namespace warpline {

/// The events of `list` as a table, a row each in their order, made as they are read: kind, name, start and
/// duration in ns, process, thread (of GPU work the one that launched it), GPU, stream, bytes, correlation
/// id. `withPaths`: also the NVTX ranges around each, outermost first. What an event has not is empty.
/// `most`: no more rows than this.
Cells eventCells(const std::shared_ptr<const Trace>& trace, std::shared_ptr<const EventList> list,
    std::size_t most, bool withPaths);

} // namespace warpline
