// The user's bookmarks across the rows: faint, so that events stay readable.

#include "views/session/marks.h"
#include "views/style/mark_color.h"
#include "views/timeline/timeline_view.h"

#include <QPainter>

#include <algorithm>

namespace warpline {

std::optional<Ns> TimelineView::cursorTime() const
{
    return m_cursorX ? std::optional(axis().timeAt(*m_cursorX)) : std::nullopt;
}

void TimelineView::paintMarks(QPainter& painter)
{
    const std::vector<Mark>& marks = m_session.marks().all();
    const TimeAxis timeAxis = axis();
    const double width = viewport()->width();
    constexpr int mostFilled = 100; // more would hide the events
    int filled = 0;
    double last = -100;
    for (std::size_t i = 0; i < marks.size(); ++i) {
        const double left = timeAxis.xAt(marks[i].range.start);
        const double right = timeAxis.xAt(marks[i].range.end);
        if (right < 0 || left > width)
            continue;
        const bool isCurrent = static_cast<int>(i) == m_session.marks().current();
        QColor color = markColor(*m_theme, marks[i]);
        QColor fill = color;
        fill.setAlpha(isCurrent ? 30 : 16);
        const double from = std::max(left, -4.0);
        const double to = std::min(right, width + 4);
        if (isCurrent || filled++ < mostFilled)
            painter.fillRect(QRectF(from, 0, to - from, viewport()->height()), fill);
        color.setAlpha(isCurrent ? 220 : 120);
        painter.setPen(QPen(color, 1));
        if (!isCurrent && to - last < 1) // the pixel has a line
            continue;
        painter.drawLine(QPointF(from, 0), QPointF(from, viewport()->height()));
        if (to > from)
            painter.drawLine(QPointF(to, 0), QPointF(to, viewport()->height()));
        last = from;
    }
}

} // namespace warpline
