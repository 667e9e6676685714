#pragma once

#include "core/stats/stats_table.h"

#include <cstddef>
#include <functional>
#include <span>

namespace warpline {

/// A table with its query.
struct TableRequest {
    const StatsTable* table = nullptr;
    StatsQuery query;
};

/// Computes the tables of `asked`, including those that do not apply to `trace`, and passes them to
/// use(number, cells) in order on the calling thread, until it returns false. For large reports the next
/// tables are computed ahead on all processors. Rethrows a table's exception, such as Stopped, at its turn.
void fillTables(const Trace& trace, std::span<const TableRequest> asked,
    const std::function<bool(std::size_t, Cells)>& use);

} // namespace warpline
