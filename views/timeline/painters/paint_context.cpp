#include "views/timeline/painters/paint_context.h"

#include <algorithm>
#include <cmath>

namespace warpline {

namespace {

constexpr double dimming = 0.62; ///< how far what is not marked steps back towards the background

} // namespace

QRgb blend(QRgb a, QRgb b, double share)
{
    const auto mix = [share](int x, int y) { return static_cast<int>(std::lround(x + (y - x) * share)); };
    return qRgb(mix(qRed(a), qRed(b)), mix(qGreen(a), qGreen(b)), mix(qBlue(a), qBlue(b)));
}

bool PaintContext::isHighlighted(const Piece& piece) const
{
    const auto& events = session.highlighted();
    const auto at = std::ranges::lower_bound(events, EventRef{piece.kind, piece.slice.first});
    return at != events.end() && at->kind == piece.kind && at->index < piece.slice.first + piece.slice.count;
}

QRgb PaintContext::colorOf(const Piece& piece) const
{
    const QRgb color = colors({piece.kind, piece.slice.longest});
    return dims() && !isHighlighted(piece) ? blend(color, theme.background.rgb(), dimming) : color;
}

} // namespace warpline
