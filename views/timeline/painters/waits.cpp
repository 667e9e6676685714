#include "views/timeline/painters/waits.h"

#include "core/store/trace.h"
#include "views/session/rank_judge.h"

#include <algorithm>

namespace warpline {

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
