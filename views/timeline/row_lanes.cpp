#include "views/timeline/row_lanes.h"

#include "views/session/session.h"
#include "views/style/text_scale.h"

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
    const int lanes = session.rowView().lanes(row);
    const int full = std::clamp(session.rowView().depth(row.id), 1, lanes);
    return {full, std::min(lanes - full, maxThinLines), inTextSize(laneHeight)};
}

int RowLanes::height() const
{
    return full * high + thin * thinHeight + rowTop + rowBottom;
}

std::pair<double, double> RowLanes::heightsIn(int rowHeight) const
{
    const double room = rowHeight - rowTop - rowBottom;
    const double usual = full * high + thin * thinHeight;
    const double all = static_cast<double>(high) * count();
    if (thin > 0 && room > usual && room < all)
        return {high, thinHeight + (room - usual) / thin};
    const double unit = room / (room >= all ? all : usual);
    return {high * unit, (room >= all ? high : thinHeight) * unit};
}

QRect RowLanes::area(QRect row, int depth) const
{
    constexpr double minHeightForGap = 6; // thin lines need all their pixels
    const auto [fullHeight, lineHeight] = heightsIn(row.height());
    const auto edgeOf = [&, fullHeight = fullHeight, lineHeight = lineHeight](int lane) {
        const double above
            = std::min(lane, full) * fullHeight + std::clamp(lane - full, 0, thin) * lineHeight;
        return row.top() + rowTop + static_cast<int>(std::lround(above));
    };
    const int lane = std::clamp(depth, 0, count() - 1);
    const int top = edgeOf(lane);
    const int gap = lane < full || lineHeight >= minHeightForGap ? 1 : 0;
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
