#include "views/timeline/painters/paint_context.h"

#include <QPixmap>

#include <algorithm>
#include <cmath>
#include <utility>

namespace warpline {

QRgb blend(QRgb a, QRgb b, double share)
{
    // Parts of 256, two channels at a time: this is done for each of a frame's pixels.
    constexpr QRgb redAndBlue = 0x00FF00FF;
    constexpr QRgb half = 0x00800080;
    const auto ofB = static_cast<QRgb>(share * 256 + 0.5);
    const auto mix = [ofB](QRgb x, QRgb y) {
        return (((x & redAndBlue) * (256 - ofB) + (y & redAndBlue) * ofB + half) >> 8) & redAndBlue;
    };
    return 0xFF000000 | mix(a, b) | mix(a >> 8, b >> 8) << 8;
}

bool PaintContext::isHighlighted(const Piece& piece) const
{
    const auto& events = session.selection().highlighted(report.id);
    const auto at = std::ranges::lower_bound(events, EventRef{piece.kind, piece.slice.first});
    return at != events.end() && at->kind == piece.kind && at->index < piece.slice.first + piece.slice.count;
}

bool PaintContext::isDimmed(const Piece& piece) const
{
    if (dims())
        return !isHighlighted(piece);
    return litWork && litWork->dims(*report.trace, {piece.kind, piece.slice.longest});
}

QRgb PaintContext::colorOf(const Piece& piece) const
{
    const QRgb color = colors({piece.kind, piece.slice.longest});
    return isDimmed(piece) ? blend(color, theme.background.rgb(), dimming) : color;
}

std::vector<QRgb> PaintContext::colorsOf(const std::vector<Piece>& pieces) const
{
    constexpr std::size_t ahead = 16; // pieces: about as long as memory takes to answer
    std::vector<QRgb> all(pieces.size());
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        if (i + ahead < pieces.size())
            colors.prefetch({pieces[i + ahead].kind, pieces[i + ahead].slice.longest});
        all[i] = colorOf(pieces[i]);
    }
    return all;
}

std::span<const QRgb> PaintContext::groundColors() const
{
    return {reinterpret_cast<const QRgb*>(ground.constScanLine(0)), static_cast<std::size_t>(ground.width())};
}

QImage newImage(int width, int height, QImage::Format format)
{
    QImage image(width, height, format);
    if (image.isNull() && width > 0 && height > 0)
        qBadAlloc();
    return image;
}

void fillWithLine(QPainter& painter, QRect area, QImage line, double ratio)
{
    QPixmap tile = QPixmap::fromImage(std::move(line));
    tile.setDevicePixelRatio(ratio);
    painter.drawTiledPixmap(area, tile);
}

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
