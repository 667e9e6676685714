#include "views/timeline/painters/painters.h"

#include "core/store/trace.h"

#include <algorithm>
#include <cmath>

namespace warpline {

void paintLight(const PaintContext& context, const std::vector<Piece>& pieces, QRect area)
{
    if (!context.litName || pieces.empty())
        return;
    constexpr int edge = 2;
    constexpr int minWidthForSides = 6;
    const auto& [kind, name] = *context.litName;
    const EventTable& table = context.report.trace->table(kind);
    const int pixels = static_cast<int>(std::lround(area.width() * context.ratio));
    // One line of pixels, drawn twice: a name that is everywhere has thousands of pieces.
    QImage line;
    QRgb* out = nullptr;
    const QRgb color = context.theme.text.rgb();
    for (const Piece& piece : pieces) {
        if (piece.kind != kind || table.name[piece.slice.longest] != name)
            continue;
        if (!out) {
            line = newImage(pixels, 1, QImage::Format_ARGB32_Premultiplied);
            line.fill(Qt::transparent);
            out = reinterpret_cast<QRgb*>(line.bits());
        }
        const auto [first, last] = pixelsOf(piece.slice, pixels);
        std::fill(out + first, out + last, color);
        if (last - first < minWidthForSides)
            continue;
        const double left = area.left() + first / context.ratio;
        const double right = area.left() + last / context.ratio;
        context.painter.fillRect(QRectF(left, area.top(), 1, area.height()), context.theme.text);
        context.painter.fillRect(QRectF(right - 1, area.top(), 1, area.height()), context.theme.text);
    }
    if (!out)
        return;
    fillWithLine(context.painter, QRect(area.left(), area.top(), area.width(), edge), line, context.ratio);
    fillWithLine(context.painter, QRect(area.left(), area.bottom() + 1 - edge, area.width(), edge), line,
        context.ratio);
}

} // namespace warpline
