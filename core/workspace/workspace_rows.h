#pragma once

#include "core/workspace/workspace.h"

namespace warpline {

/// The rows of several reports as one tree: a heading with the report's label for each, its rows below it in
/// their order. `firstRow` is told for each report which row its root became; row `n` of its own tree became
/// row `firstRow + n`. Coverages and the like are shared, not copied.
std::shared_ptr<const RowTree> joinRows(
    std::span<const OpenReport> reports, std::vector<std::uint32_t>& firstRow);

} // namespace warpline
