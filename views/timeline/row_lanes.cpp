#include "views/timeline/row_lanes.h"

#include "views/session/row_depths.h"

#include <algorithm>
#include <cmath>

namespace warpline {

namespace {

constexpr int rowTop = 2; ///< free pixels above the first lane
constexpr int rowBottom = 1;

} // namespace

RowLanes RowLanes::of(const Session& session, const Row& row)
{
    if (row.drawing != Drawing::Slices)
        return {};
    const int lanes = std::max(1, static_cast<int>(std::min<std::uint32_t>(row.lanes, 1U << 20U)));
    const int full = std::clamp(RowDepths::depthIn(session, row.id), 1, lanes);
    return {full, std::min(lanes - full, mostThin)};
}

int RowLanes::height() const
{
    return full * laneHeight + thin * thinHeight + rowTop + rowBottom;
}

QRect RowLanes::area(QRect row, int depth) const
{
    const int whole = full * laneHeight + thin * thinHeight;
    const double unit = (row.height() - rowTop - rowBottom) / static_cast<double>(whole);
    const auto edgeOf = [&](int lane) {
        const int above = std::min(lane, full) * laneHeight + std::clamp(lane - full, 0, thin) * thinHeight;
        return row.top() + rowTop + static_cast<int>(std::lround(above * unit));
    };
    const int lane = std::clamp(depth, 0, count() - 1);
    const int top = edgeOf(lane);
    const int gap = lane < full ? 1 : 0; // thin lines need all their pixels
    return {row.left(), top, row.width(), std::max(1, edgeOf(lane + 1) - top - gap)};
}

int RowLanes::depthAt(QRect row, int y) const
{
    int depth = 0;
    while (depth + 1 < count() && y >= area(row, depth + 1).top())
        ++depth;
    return depth;
}

} // namespace warpline
