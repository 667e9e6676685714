#include "views/timeline/painters/ground.h"

#include "views/timeline/painters/paint_context.h"

#include <algorithm>
#include <cmath>

namespace warpline {

void paintGround(
    QPainter& painter, QRect area, const QImage& line, double ratio, std::span<const QRect> covered)
{
    // Where a logical pixel is no whole number of the screen's, pictures and fills may round to other lines.
    const double scale = painter.deviceTransform().m22(); // not `ratio` in an exported picture
    const bool isExact = scale == std::floor(scale);
    int from = area.top();
    const auto fillTo = [&](int end) {
        if (end > from)
            fillWithLine(painter, QRect(area.left(), from, area.width(), end - from), line, ratio);
    };
    for (const QRect& part : isExact ? covered : std::span<const QRect>()) {
        fillTo(part.top());
        from = std::max(from, part.bottom() + 1);
    }
    fillTo(area.bottom() + 1);
}

} // namespace warpline
