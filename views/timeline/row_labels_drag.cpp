// Mouse actions on the labels: select, move, resize, and set how many lanes a row shows in full.

#include "views/timeline/row_labels.h"

#include <QApplication>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace warpline {

namespace {

constexpr int labelEdgeReach = 3;
constexpr int handleWidth = 22;
constexpr int handleReach = 4;

} // namespace

QRect RowLabels::depthHandle(const PlacedRow& placed) const
{
    const Row& row = m_session.rows().row(placed.row);
    const RowLanes lanes = RowLanes::of(m_session, row);
    if (lanes.count() < 2)
        return {};
    const QRect area(0, m_layout.screenY(placed, m_offset), width(), placed.height);
    const QRect last = lanes.area(area, lanes.full - 1);
    // In a row without thin lanes it is above the edge that changes the height.
    const int y = lanes.thin > 0 ? last.bottom() + 1 : last.bottom() - 2 * labelEdgeReach;
    return {width() - handleWidth - 2, y - 1, handleWidth, 3};
}

const PlacedRow* RowLabels::depthHandleAt(QPoint position) const
{
    const PlacedRow* const placed = m_layout.rowAt(position.y(), m_offset);
    if (!placed || placed->pinned)
        return nullptr;
    const QRect handle = depthHandle(*placed);
    return handle.adjusted(-2, -handleReach, 2, handleReach).contains(position) && !handle.isEmpty()
        ? placed
        : nullptr;
}

void RowLabels::paintDepthHandle(QPainter& painter, const PlacedRow& placed) const
{
    const QRect handle = depthHandle(placed);
    const bool isSeen = !handle.isEmpty()
        && (RowLanes::of(m_session, m_session.rows().row(placed.row)).thin > 0 || m_pointed == placed.row);
    if (isSeen)
        painter.fillRect(handle, m_theme->dimText);
}

void RowLabels::dragDepth(int y)
{
    const PlacedRow* const placed = m_layout.find(m_dragRow);
    if (!placed)
        return;
    const Row& row = m_session.rows().row(m_dragRow);
    const double unit = RowLanes::of(m_session, row).heightsIn(placed->height).first;
    const int top = m_layout.screenY(*placed, m_offset);
    const int lanes = static_cast<int>((y - top + unit / 2) / unit);
    m_session.rowView().setDepth(m_dragRow, std::clamp(lanes, 1, static_cast<int>(row.lanes)));
}

const PlacedRow* RowLabels::edgeAt(int y) const
{
    const PlacedRow* const above = m_layout.rowAt(y - labelEdgeReach, m_offset);
    if (!above || above->pinned)
        return nullptr;
    const int edge = m_layout.screenY(*above, m_offset) + above->height;
    return std::abs(edge - y) <= labelEdgeReach ? above : nullptr;
}

void RowLabels::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return;
    const int y = event->pos().y();
    if (const PlacedRow* const deep = depthHandleAt(event->pos())) {
        m_drag = Drag::Depth;
        m_dragRow = deep->row;
        return;
    }
    if (const PlacedRow* const edge = edgeAt(y)) {
        m_drag = Drag::Height;
        m_dragRow = edge->row;
        m_dragFrom = y;
        m_dragScale = m_session.rowView().rowScale(edge->row);
        m_dragHeight = edge->height;
        return;
    }
    const PlacedRow* const placed = m_layout.rowAt(y, m_offset);
    if (!placed) {
        m_session.selection().selectRows({});
        return;
    }
    const EventId linked = linkedEventOf(placed->row);
    if (linked.valid() && linkMarkIn(lineOf(*placed)).contains(event->pos())) {
        emit linkWanted(linked);
        return;
    }
    const QRect arrow = arrowBox(*placed, m_layout.screenY(*placed, m_offset));
    if (placed->hasChildren && arrow.adjusted(-3, -3, 3, 3).contains(event->pos())) {
        m_session.rowView().setExpanded(placed->row, !placed->open);
        return;
    }
    m_drag = Drag::Press;
    m_dragRow = placed->row;
    m_dragFrom = y;
}

void RowLabels::selectClicked(Qt::KeyboardModifiers modifiers)
{
    if (!(modifiers & Qt::ControlModifier)) {
        m_session.selection().selectRows({m_dragRow});
        return;
    }
    auto rows = m_session.selection().selectedRows();
    if (const auto at = std::ranges::find(rows, m_dragRow); at != rows.end())
        rows.erase(at);
    else
        rows.push_back(m_dragRow);
    m_session.selection().selectRows(std::move(rows));
}

void RowLabels::mouseMoveEvent(QMouseEvent* event)
{
    const int y = event->pos().y();
    emit pointedAt(y);
    const PlacedRow* const under = m_layout.rowAt(y, m_offset);
    if (const RowId row = under ? under->row : RowTree::root; row != m_pointed) {
        m_pointed = row;
        update();
    }
    switch (m_drag) {
    case Drag::None:
        setCursor(depthHandleAt(event->pos()) ? Qt::SplitVCursor
                : edgeAt(y)                   ? Qt::SizeVerCursor
                                              : Qt::ArrowCursor);
        break;
    case Drag::Depth:
        dragDepth(y);
        break;
    case Drag::Press:
        if (std::abs(y - m_dragFrom) >= QApplication::startDragDistance())
            m_drag = Drag::Move;
        break;
    case Drag::Move:
        m_drop = dropAt(y);
        update();
        break;
    case Drag::Height:
        m_session.rowView().setRowScale(
            m_dragRow, m_dragScale * std::max(6, m_dragHeight + y - m_dragFrom) / std::max(1, m_dragHeight));
        break;
    }
}

void RowLabels::mouseReleaseEvent(QMouseEvent* event)
{
    // A row that was dragged is not selected: that would narrow the panels to it.
    if (m_drag == Drag::Press)
        selectClicked(event->modifiers());
    if (m_drag == Drag::Move) {
        if (const auto drop = dropAt(event->pos().y()))
            m_session.rowView().moveRow(m_dragRow, drop->before);
    }
    endDrag();
}

void RowLabels::endDrag()
{
    m_drag = Drag::None;
    m_drop.reset();
    update();
}

int RowLabels::bottomOf(RowId row) const
{
    // With everything that hangs below it.
    const std::vector<RowId> below = m_session.rows().subtree(row);
    int bottom = 0;
    for (const PlacedRow& placed : m_layout.rows()) {
        if (std::ranges::find(below, placed.row) != below.end())
            bottom = m_layout.screenY(placed, m_offset) + placed.height;
    }
    return bottom;
}

std::optional<RowLabels::Drop> RowLabels::dropAt(int y) const
{
    if (!m_layout.find(m_dragRow)) // only pinned: it has no place among its siblings
        return std::nullopt;
    // The sibling under the cursor, or the sibling that holds the row under it.
    const PlacedRow* const under = m_layout.rowAt(y, m_offset);
    const RowId parent = m_session.rows().row(m_dragRow).parent;
    const std::vector<RowId> siblings = m_session.rowView().visibleChildren(parent);
    if (!under)
        return Drop{RowTree::root, bottomOf(siblings.back())};
    RowId sibling = under->row;
    while (sibling != RowTree::root && m_session.rows().row(sibling).parent != parent)
        sibling = m_session.rows().row(sibling).parent;
    const PlacedRow* const placed = sibling == RowTree::root ? nullptr : m_layout.find(sibling);
    if (!placed || sibling == m_dragRow)
        return std::nullopt;
    const int top = m_layout.screenY(*placed, m_offset);
    const int bottom = bottomOf(sibling);
    if (y <= (top + bottom) / 2)
        return Drop{sibling, top};
    const auto at = std::ranges::find(siblings, sibling);
    const bool last = at == siblings.end() || std::next(at) == siblings.end();
    return Drop{last ? RowTree::root : *std::next(at), bottom};
}

} // namespace warpline
