#include "views/timeline/painters/painters.h"

#include "core/store/trace.h"
#include "views/session/rank_judge.h"

#include <algorithm>
#include <cmath>

namespace warpline {

namespace {

constexpr double transferPaleness = 0.8; ///< of the shade above partly filled pixels
constexpr int hatchSpacing = 5; ///< logical pixels from line to line
constexpr float minVisible = 1e-6F;

/// The colours of one column.
struct Inks {
    QRgb transfer = 0;
    QRgb wait = 0;
    QRgb line = 0; ///< of the hatching
    QRgb pale = 0;
};

Inks inksOf(const PaintContext& context, QColor color, bool dimmed)
{
    const QRgb back = context.theme.background.rgb();
    const QRgb full = dimmed ? blend(color.rgb(), back, dimming) : color.rgb();
    return {full, blend(full, back, 0.68), blend(full, back, 0.15), blend(full, back, transferPaleness)};
}

/// Which columns show something that is marked.
std::vector<bool> markedColumns(const PaintContext& context, const RowContent& content)
{
    std::vector<bool> marked(content.share.size());
    for (const Piece& piece : content.lanes.front()) {
        if (!context.isHighlighted(piece))
            continue;
        const auto [first, last] = pixelsOf(piece.slice, static_cast<int>(marked.size()));
        std::fill(marked.begin() + first, marked.begin() + last, true);
    }
    return marked;
}

} // namespace

void paintExchanges(const PaintContext& context, const RowContent& content, QColor color, QRect area)
{
    const std::size_t width = content.share.size();
    const int height = std::max(1, static_cast<int>(std::lround(area.height() * context.ratio)));
    if (width == 0)
        return;
    const bool dims = context.dims();
    const Inks plain = inksOf(context, color, dims);
    const Inks strong = inksOf(context, color, false);
    const std::vector<bool> marked = dims ? markedColumns(context, content) : std::vector<bool>(width);
    const int spacing = std::max(3, static_cast<int>(std::lround(hatchSpacing * context.ratio)));
    const std::span<const QRgb> ground = context.groundColors();
    QImage image = newImage(static_cast<int>(width), height, QImage::Format_RGB32);
    for (int line = 0; line < height; ++line) { // from the bottom up
        auto* const out = reinterpret_cast<QRgb*>(image.scanLine(height - 1 - line));
        const float level = (static_cast<float>(line) + 0.5F) / static_cast<float>(height);
        for (std::size_t x = 0; x < width; ++x) {
            const float filled = content.share[x] + content.wait[x];
            if (filled < minVisible) {
                out[x] = ground[x];
                continue;
            }
            const Inks& inks = marked[x] ? strong : plain;
            const bool onLine = (static_cast<int>(x) + line) % spacing == 0;
            out[x] = level < content.share[x] ? inks.transfer
                : level >= filled             ? inks.pale
                : onLine                      ? inks.line
                                              : inks.wait;
        }
    }
    context.painter.drawImage(area, image);
    if (dims)
        paintHighlights(context, content.lanes.front(), area);
}

void paintWaits(const PaintContext& context, const std::vector<Piece>& pieces, QRect area)
{
    constexpr double minWidth = 4;
    const RankJudge& ranks = context.session.judgement().ranks();
    if (!ranks.across())
        return;
    const TimeRange shown = context.report.clock.toReport(context.session.time().drawn());
    const double scale = area.width() / static_cast<double>(std::max<Ns>(1, shown.duration()));
    const auto xOf = [&](Ns time) { return static_cast<double>(time - shown.start) * scale; };
    for (const Piece& piece : pieces) {
        if (piece.slice.count != 1 || (piece.slice.x1 - piece.slice.x0) / context.ratio < minWidth)
            continue;
        const EventId event{context.report.id, {piece.kind, piece.slice.first}};
        const MatchedExchange* const exchange = ranks.exchangeOf(event);
        if (!exchange)
            continue;
        // A piece may begin and end beyond the view, and be a part of its event where others lie upon it.
        const Ns start = context.report.trace->range(event.event).start;
        const Ns waits = RankJudge::memberOf(*exchange, event).wait;
        const double left = std::max({0.0, piece.slice.x0 / context.ratio, xOf(start)});
        const double right = std::min(
            {static_cast<double>(area.width()), piece.slice.x1 / context.ratio, xOf(start + waits)});
        if (right - left < 1)
            continue;
        const QRectF box(area.left() + left, area.top(), right - left, area.height());
        QColor lines = context.theme.background;
        lines.setAlphaF(0.7F);
        context.painter.fillRect(box, QBrush(lines, Qt::BDiagPattern));
        context.painter.fillRect(QRectF(box.right() - 1, box.top(), 1, box.height()), lines);
    }
}

} // namespace warpline
