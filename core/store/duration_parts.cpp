// Moves the parts of a column, in the form of a cached trace.

#include "core/store/duration_parts.h"

#include <utility>

namespace warpline {

namespace {

/// Collects the long durations.
struct LongRows {
    DurationParts& parts;

    void operator()(const std::vector<std::uint32_t>&) { }
    void operator()(std::vector<std::uint64_t>& rows) { parts.rows = std::move(rows); }
    void operator()(std::vector<Ns>& lengths) { parts.lengths = std::move(lengths); }
};

/// Swaps its parts with the column's.
struct Exchange {
    DurationParts& parts;
    bool fits = true;

    template <typename T> void operator()(std::vector<T>& values)
    {
        if constexpr (std::is_same_v<T, std::uint32_t>)
            std::swap(values, parts.cells);
        else if constexpr (std::is_same_v<T, std::uint64_t>)
            std::swap(values, parts.rows);
        else
            std::swap(values, parts.lengths);
    }
    bool check(bool holds)
    {
        fits = fits && holds;
        return holds;
    }
    bool ok() const { return fits; }
};

} // namespace

DurationParts takeDurations(DurationColumn& column)
{
    DurationParts parts;
    LongRows longRows{parts};
    std::as_const(column).describe(longRows);
    DurationParts cells;
    Exchange exchange{cells};
    column.describe(exchange);
    parts.cells = std::move(cells.cells);
    column = {};
    return parts;
}

DurationColumn durationsOf(DurationParts parts)
{
    DurationColumn column;
    Exchange exchange{parts};
    column.describe(exchange);
    return column;
}

} // namespace warpline
