#pragma once

#include "core/workspace/workspace.h"

namespace warpline {

/// The rows of several reports as one tree: a heading with the label of each report, its rows below it in
/// order. Sets `firstRow` of each report to the row that its root became; row `n` of its own tree became row
/// `firstRow + n`. Coverages and similar data are shared, not copied.
std::shared_ptr<const RowTree> joinRows(
    std::span<const OpenReport> reports, std::vector<std::uint32_t>& firstRow);

/// Adds the rows of `exchanges` to `rows`, above all others: a heading, a row per communicator, a lane per
/// rank. Returns the lane of each added row, nullptr: none.
std::vector<const ExchangeLane*> addExchangeRows(RowTree& rows, const ExchangeRows& exchanges);

} // namespace warpline
