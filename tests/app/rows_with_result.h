#pragma once

#include "views/session/result_rows.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace warpline {

/// How many of `rows` have a result: their queries ran. Those that failed are rows as well.
inline std::size_t rowsWithResult(const std::vector<ResultRow>& rows)
{
    return static_cast<std::size_t>(
        std::ranges::count_if(rows, [](const ResultRow& row) { return row.problem.isEmpty(); }));
}

} // namespace warpline
