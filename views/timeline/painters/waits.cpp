#include "views/timeline/painters/waits.h"

#include "views/session/rank_judge.h"

#include <algorithm>

namespace warpline {

void paintWaits(const PaintContext& context, const std::vector<Piece>& pieces, QRect area)
{
    constexpr double leastWidth = 4;
    const RankJudge& ranks = context.session.ranks();
    if (!ranks.across())
        return;
    for (const Piece& piece : pieces) {
        if (piece.slice.count != 1 || (piece.slice.x1 - piece.slice.x0) / context.ratio < leastWidth)
            continue;
        const EventId event{context.report.id, {piece.kind, piece.slice.first}};
        const MatchedExchange* const exchange = ranks.exchangeOf(event);
        if (!exchange)
            continue;
        const ExchangeMember& member = RankJudge::memberOf(*exchange, event);
        const double whole = (piece.slice.x1 - piece.slice.x0) / context.ratio;
        const double wait = whole * static_cast<double>(member.wait)
            / static_cast<double>(std::max<Ns>(1, member.range.duration()));
        // The slice may begin and end beyond the view.
        const double left = std::max(0.0, piece.slice.x0 / context.ratio);
        const double right = std::min<double>(area.width(), piece.slice.x0 / context.ratio + wait);
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
