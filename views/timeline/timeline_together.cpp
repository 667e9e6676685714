// Keeps a timeline in step with that of the run that it is compared with.

#include "views/session/run_pair.h"
#include "views/session/side_color.h"
#include "views/timeline/timeline_view.h"

#include <QPainter>
#include <QScrollBar>

#include <algorithm>

namespace warpline {

void TimelineView::showCursor(std::optional<Ns> time)
{
    m_cursorX = time ? std::optional(static_cast<int>(std::lround(axis().xAt(*time)))) : std::nullopt;
    repaintInTurn();
}

std::optional<TimelineView::TopRow> TimelineView::topRow() const
{
    const PlacedRow* const top = m_layout.rowAt(m_layout.pinnedHeight(), offset());
    if (!top || top->pinned)
        return std::nullopt;
    return TopRow{top->row, offset() - top->y};
}

void TimelineView::scrollTo(TopRow top)
{
    if (const PlacedRow* const placed = m_layout.find(top.row))
        verticalScrollBar()->setValue(placed->y + std::min(top.beyond, placed->height - 1));
}

void TimelineView::paintStep(QPainter& painter)
{
    RunPair& pair = m_session.pair();
    if (!pair.isOn() || !pair.step())
        return;
    const Side side = pair.sideOf(m_session);
    const TimeRange step = pair.steps(side)[*pair.step()];
    const TimeAxis timeAxis = axis();
    QPen pen(sideColor(*m_theme, side), 2);
    pen.setStyle(Qt::DashLine);
    painter.setPen(pen);
    for (const Ns edge : {step.start, step.end}) {
        const double x = std::round(timeAxis.xAt(edge));
        if (x >= -2 && x <= viewport()->width() + 2)
            painter.drawLine(QPointF(x, 0), QPointF(x, viewport()->height()));
    }
}

} // namespace warpline
