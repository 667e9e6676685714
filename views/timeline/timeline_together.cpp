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
    if (!pair.isOn())
        return;
    const Side side = pair.sideOf(m_session);
    const bool isByStep = pair.stepCount() > 0;
    if (isByStep ? !pair.step().has_value() : pair.narrowed(side).empty())
        return;
    const TimeRange marked = isByStep ? pair.steps(side)[*pair.step()] : pair.narrowed(side);
    const TimeAxis timeAxis = axis();
    QPen pen(sideColor(*m_theme, side), 2);
    pen.setStyle(Qt::DashLine);
    painter.setPen(pen);
    for (const Ns edge : {marked.start, marked.end}) {
        const double x = std::round(timeAxis.xAt(edge));
        if (x >= -2 && x <= viewport()->width() + 2)
            painter.drawLine(QPointF(x, 0), QPointF(x, viewport()->height()));
    }
}

} // namespace warpline
