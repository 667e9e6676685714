#include "views/timeline/row_link_marks.h"

#include <algorithm>

namespace warpline {

EventId RowLinkMarks::eventOf(RowId row) const
{
    const auto found = std::ranges::find(m_rows, row, &std::pair<RowId, EventId>::first);
    return found == m_rows.end() ? EventId() : found->second;
}

QRect RowLinkMarks::placeIn(QRect line)
{
    return {line.right() - width, line.top(), width, line.height()};
}

void RowLinkMarks::paint(
    QPainter& painter, const Session& session, RowId row, QRect line, const Theme& theme) const
{
    const EventId event = eventOf(row);
    if (!event.valid())
        return;
    constexpr double radius = 4;
    const QPointF middle = QRectF(placeIn(line)).center();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.accent, 1.5));
    painter.setBrush(session.workspace().rowOf(event) == row ? QBrush(theme.accent) : QBrush(Qt::NoBrush));
    painter.drawEllipse(middle, radius, radius);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

} // namespace warpline
