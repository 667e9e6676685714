#pragma once

#include "core/rows/row_tree.h"

#include <memory>
#include <span>

namespace warpline {

class CoverageCache;
class Trace;

/// Adds the rows of one kind under the root or under earlier rows. Adds nothing when the trace has no such
/// events: there are no empty rows.
struct RowKind {
    void (*build)(const Trace&, CoverageCache&, RowTree&);
};

/// All row kinds, top row first. The list is in row_kinds.cpp and nowhere else.
std::span<const RowKind* const> allRowKinds();

/// The rows of `trace`, from all row kinds, with events, busy share and coverage filled in.
/// Seconds for tens of millions of events: call it off the GUI thread.
std::shared_ptr<const RowTree> buildRows(const Trace& trace);
/// The same, with coverages taken over from rows that were made with `coverages` before and are still alive.
/// Throws Stopped when coverages.stop() is requested.
std::shared_ptr<const RowTree> buildRows(const Trace& trace, CoverageCache& coverages);

} // namespace warpline
