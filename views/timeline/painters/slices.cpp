#include "views/timeline/painters/painters.h"

#include <algorithm>
#include <utility>

namespace warpline {

namespace {

constexpr double minStrength = 0.45; ///< an event too short for its pixel is still seen
constexpr int minNameWidth = 24;
constexpr int minNameHeight = 11;

/// The line of pixels that pieces are put on.
QImage emptyLine(const PaintContext& context, Over over)
{
    if (over == Over::Ground)
        return context.ground;
    QImage line
        = newImage(context.ground.width(), context.ground.height(), QImage::Format_ARGB32_Premultiplied);
    line.fill(Qt::transparent);
    return line;
}

/// Fills one line of pixels, `fill(line, slice, color, first, last)` for each piece, and stretches it over
/// `area`.
template <typename Fill>
void paintPieces(
    const PaintContext& context, const std::vector<Piece>& pieces, QRect area, Over over, Fill&& fill)
{
    if (pieces.empty())
        return;
    QImage line = emptyLine(context, over);
    const int pixels = line.width();
    auto* const out = reinterpret_cast<QRgb*>(line.bits());
    const std::vector<QRgb> colors = context.colorsOf(pieces);
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const auto [first, last] = pixelsOf(pieces[i].slice, pixels);
        fill(out, pieces[i].slice, colors[i], first, last);
    }
    fillWithLine(context.painter, area, std::move(line), context.ratio);
}

} // namespace

void paintLane(const PaintContext& context, const std::vector<Piece>& pieces, QRect area, Over over)
{
    const QRgb back = context.theme.background.rgb();
    paintPieces(context, pieces, area, over,
        [back](QRgb* out, const LodSlice& slice, QRgb color, int first, int last) {
            if (slice.share < 1) {
                const double strength = minStrength + (1 - minStrength) * static_cast<double>(slice.share);
                std::fill(out + first, out + last, blend(back, color, strength));
                return;
            }
            std::fill(out + first, out + last, color);
            // An edge in the background's colour parts neighbours of the same colour.
            if (last - first >= separatorFrom && slice.x0 >= 0)
                out[first] = blend(color, back, 0.6);
        });
}

void paintMarks(const PaintContext& context, const std::vector<Piece>& pieces, QRect area, Over over)
{
    const QRgb back = context.theme.background.rgb();
    paintPieces(context, pieces, area, over,
        [back](QRgb* out, const LodSlice& slice, QRgb color, int first, int last) {
            const double strength = std::min(1.0, 0.55 + 0.1 * slice.count);
            std::fill(out + first, out + last, blend(back, color, strength));
        });
}

void paintNames(const PaintContext& context, const std::vector<Piece>& pieces, QRect area)
{
    if (area.height() < minNameHeight)
        return;
    QPainter& painter = context.painter;
    painter.setFont(context.names.font());
    const double top = area.top() + context.names.topIn(area.height());
    for (const Piece& piece : pieces) {
        const double left = std::max(0.0, static_cast<double>(piece.slice.x0) / context.ratio);
        const double right
            = std::min<double>(area.width(), static_cast<double>(piece.slice.x1) / context.ratio);
        if (piece.slice.count != 1 || right - left < minNameWidth)
            continue;
        const EventRef event{piece.kind, piece.slice.first};
        const QStaticText* const name = context.names.nameFor(event, static_cast<int>(right - left) - 6);
        if (!name)
            continue;
        painter.setPen(Theme::textOn(QColor::fromRgb(context.colorOf(piece))));
        const double free = right - left - name->size().width();
        painter.drawStaticText(QPointF(area.left() + left + std::max(4.0, free / 2), top), *name);
    }
}

void paintHighlights(const PaintContext& context, const std::vector<Piece>& pieces, QRect area)
{
    constexpr double minWidth = 2;
    for (const Piece& piece : pieces) {
        if (!context.isHighlighted(piece))
            continue;
        const double left = std::max(0.0, static_cast<double>(piece.slice.x0) / context.ratio);
        const double right
            = std::min<double>(area.width(), static_cast<double>(piece.slice.x1) / context.ratio);
        const double width = std::max(minWidth, right - left);
        context.painter.fillRect(
            QRectF(area.left() + left, area.top() - 1.0, width, 2), context.theme.highlight);
        context.painter.fillRect(
            QRectF(area.left() + left, area.bottom(), width, 2), context.theme.highlight);
    }
}

} // namespace warpline
