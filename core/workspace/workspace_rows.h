#pragma once

#include "core/workspace/workspace.h"

namespace warpline {

/// The rows of several reports as one tree: a heading with the report's label for each, its rows below it in
/// their order. `firstRow` is told for each report which row its root became; row `n` of its own tree became
/// row `firstRow + n`. Coverages and the like are shared, not copied.
std::shared_ptr<const RowTree> joinRows(
    std::span<const OpenReport> reports, std::vector<std::uint32_t>& firstRow);

/// Adds the rows of `exchanges` to `rows`, above all others: a heading, a row for each communicator, a lane
/// for each rank. Of each row that came the lane that it shows, nullptr: none.
std::vector<const ExchangeLane*> addExchangeRows(RowTree& rows, const ExchangeRows& exchanges);

} // namespace warpline
