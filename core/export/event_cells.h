#pragma once

#include "core/query/event_list.h"
#include "core/table/cells.h"

#include <memory>
#include <span>
#include <vector>

namespace warpline {

/// Kind, name, start and duration in ns, process, thread (of GPU work the one that launched it), GPU, stream,
/// bytes, correlation id: what every table of events has, in the same words.
std::vector<Column> eventColumns();
/// The cells of `event` below them; what it has not is empty.
std::vector<Cell> eventRow(const Trace& trace, EventRef event);

/// The events of `list` as a table, a row each in their order, made as they are read: eventColumns().
/// `withPaths`: also the NVTX ranges around each, outermost first. Where
/// operators' work is known also FLOPs, TFLOP/s, TB/s, share of the roofline and bound of kernels. What an
/// event has not is empty. `most`: no more rows than this.
Cells eventCells(const std::shared_ptr<const Trace>& trace, std::shared_ptr<const EventList> list,
    std::size_t most, bool withPaths);

/// The NVTX ranges around `events`, each below the one around it and before what is inside it, those with the
/// longest total first: path, depth from 1 on, how many events are in it and their whole durations in ns, and
/// the same of those that no range inside it holds. Events of no range stand under an empty path, which is
/// shown as "(no NVTX range)". `most`: no more rows than this. `indented`: names with two spaces for each
/// range around, instead of whole paths.
Cells nestedCells(const Trace& trace, std::span<const EventRef> events, std::size_t most, bool indented);

} // namespace warpline
