#pragma once

#include "core/stats/stats_table.h"

#include <cstddef>
#include <functional>
#include <span>

namespace warpline {

/// A table and what is asked of it.
struct TableRequest {
    const StatsTable* table = nullptr;
    StatsQuery query;
};

/// Fills the tables of `asked`, those that do not apply to `trace` as well, and hands them to use(number,
/// cells) one after another, in their order and on the calling thread, until that returns false. Of a long
/// report the next tables are made meanwhile, on as many threads as the machine has. Throws what a table
/// throws, Stopped among it, when its turn has come.
void fillTables(const Trace& trace, std::span<const TableRequest> asked,
    const std::function<bool(std::size_t, Cells)>& use);

} // namespace warpline
