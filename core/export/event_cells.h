#pragma once

#include "core/operators/kernel_work.h"
#include "core/query/event_list.h"
#include "core/table/cells.h"

#include <memory>
#include <span>
#include <vector>

namespace warpline {

/// Kind, name, start and duration in ns, process, thread (for GPU work the launching one), GPU, stream,
/// bytes, correlation id: the common columns of all tables of events.
std::vector<Column> eventColumns();
/// The cells of `event` for these columns; missing values are empty.
std::vector<Cell> eventRow(const Trace& trace, EventRef event);

/// The events of `list` as a table in the same order, with eventColumns(); rows are made on access.
/// `withPaths`: also the NVTX ranges around each, outermost first. Where operators' work is known, kernels
/// also have FLOPs, TFLOP/s, TB/s, share of the roofline and bound. Missing values are empty. `most`: maximum
/// number of rows.
Cells eventCells(const std::shared_ptr<const Trace>& trace, std::shared_ptr<const EventList> list,
    std::size_t most, bool withPaths);

/// The NVTX ranges around `events` as a tree in rows, each after the one around it, the longest total first:
/// path, depth from 1, number and total duration (ns) of the events inside, and the same for events that no
/// inner range contains. Events outside of ranges have an empty path, shown as "(no NVTX range)". `most`:
/// maximum number of rows. `indented`: names with two spaces per outer range instead of whole paths.
Cells nestedCells(const Trace& trace, std::span<const EventRef> events, std::size_t most, bool indented);

/// The columns of allWorkColumns(), for tables of kernels.
std::vector<Column> workColumns();
/// A cell for each of them; empty where it is not known.
void appendWork(std::vector<Cell>& row, const KernelWork& work);

} // namespace warpline
