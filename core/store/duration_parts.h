#pragma once

#include "core/store/duration_column.h"

#include <cstdint>
#include <vector>

namespace warpline {

/// The parts of a DurationColumn, for access to its cells.
struct DurationParts {
    std::vector<std::uint32_t> cells; ///< DurationColumn::escape: the length is below
    std::vector<std::uint64_t> rows; ///< of those that are long, in any order
    std::vector<Ns> lengths; ///< of each of `rows`
};

/// `column` is empty afterwards. Nothing is copied.
DurationParts takeDurations(DurationColumn& column);
/// Each cell that is `escape` has its length.
DurationColumn durationsOf(DurationParts parts);

} // namespace warpline
