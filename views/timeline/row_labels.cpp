#include "views/timeline/row_labels.h"

#include "views/session/rank_judge.h"
#include "views/session/report_color.h"
#include "views/style/rich_text.h"
#include "views/style/text_scale.h"

#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>

#include <algorithm>

namespace warpline {

namespace {

constexpr int indent = 13;
constexpr int arrowSize = 16;
constexpr int restMs = 100;
constexpr int linkMarkWidth = 16;

} // namespace

RowLabels::RowLabels(Session& session, const RowLayout& layout, const Theme& theme, QWidget* parent)
    : PaintedChart(theme, parent),
      m_session(session),
      m_layout(layout),
      m_texts(session, *this)
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Rows"));
    const auto repaint = [this] { update(); };
    const auto layOutAnew = [this] {
        m_texts.clear();
        update();
    };
    connect(&m_session, &Session::traceChanged, this, layOutAnew);
    // The dragged row has another number, or is gone.
    connect(&m_session, &Session::traceChanged, this, &RowLabels::endDrag);
    connect(&m_session, &Session::exchangesReplaced, this, [this] {
        if (m_session.workspace().isOfAll(m_dragRow))
            endDrag();
    });
    connect(&m_session.rowView(), &RowView::rowLayoutChanged, this,
        layOutAnew); // rows of all reports come and go
    connect(&m_session.selection(), &Selection::selectedRowsChanged, this, repaint);
    connect(&m_session.judgement().ranks(), &RankJudge::changed, this, layOutAnew);
    m_rest.setSingleShot(true);
    m_rest.setInterval(restMs);
    connect(&m_rest, &QTimer::timeout, this, repaint);
    connect(&m_session.time(), &TimeView::shownChanged, this, [this] {
        if (!m_rest.isActive()) // shares of the view: some times a second while it moves
            m_rest.start();
    });
}

void RowLabels::setTheme(const Theme& theme)
{
    m_texts.clear(); // the size of texts may be another, too
    PaintedChart::setTheme(theme);
}

void RowLabels::setOffset(int offset)
{
    m_offset = offset;
    update();
}

void RowLabels::setLinked(std::vector<std::pair<RowId, EventId>> rows)
{
    m_linked = std::move(rows);
    update();
}

QRect RowLabels::lineOf(const PlacedRow& placed) const
{
    return {0, m_layout.screenY(placed, m_offset), width() - 6,
        std::min(placed.height, inTextSize(RowLayout::headerHeight) + 6)};
}

QRect RowLabels::arrowBox(const PlacedRow& placed, int y)
{
    return {2 + placed.depth * indent,
        y + (std::min(placed.height, inTextSize(RowLayout::headerHeight)) - arrowSize) / 2, arrowSize,
        arrowSize};
}

void RowLabels::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_theme->panel);
    const int pinned = m_layout.pinnedHeight();
    for (const PlacedRow* const row : m_layout.between(0, height(), m_offset)) {
        if (row->pinned)
            painter.setClipping(false);
        else
            painter.setClipRect(0, pinned, width(), height() - pinned);
        paintRow(painter, *row);
    }
    painter.setClipping(false);
    if (pinned > 0)
        painter.fillRect(0, pinned - 1, width(), 2, m_theme->dimText);
    // A filter or a key may take the dragged row away.
    if (const PlacedRow* const dragged = m_drop ? m_layout.find(m_dragRow) : nullptr) {
        const int left = 4 + dragged->depth * indent;
        painter.fillRect(left, m_drop->edge - 1, width() - left, 3, m_theme->accent);
    }
    if (m_focusMark) {
        painter.setPen(QPen(m_theme->accent, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(1, 1, -1, -1));
    }
}

void RowLabels::paintArrow(QPainter& painter, QRect box, bool expanded)
{
    const QPointF c = QRectF(box).center();
    QPainterPath path;
    if (expanded) {
        path.moveTo(c + QPointF(-4, -2));
        path.lineTo(c + QPointF(4, -2));
        path.lineTo(c + QPointF(0, 3));
    } else {
        path.moveTo(c + QPointF(-2, -4));
        path.lineTo(c + QPointF(3, 0));
        path.lineTo(c + QPointF(-2, 4));
    }
    path.closeSubpath();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillPath(path, m_theme->dimText);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void RowLabels::paintRow(QPainter& painter, const PlacedRow& placed)
{
    const Row& row = m_session.rows().row(placed.row);
    const int y = m_layout.screenY(placed, m_offset);
    const QRect area(0, y, width(), placed.height);
    const auto& selected = m_session.selection().selectedRows();
    if (std::ranges::find(selected, placed.row) != selected.end())
        painter.fillRect(area, m_theme->selection);
    painter.fillRect(QRect(0, area.bottom(), width(), 1), m_theme->grid);
    for (int depth = 0; depth < placed.depth && !placed.pinned; ++depth)
        painter.fillRect(QRect(2 + depth * indent + arrowSize / 2, y, 1, placed.height), m_theme->grid);
    if (placed.hasChildren)
        paintArrow(painter, arrowBox(placed, y), placed.open);
    const QRect swatch(4 + placed.depth * indent + arrowSize, y + 4, 3,
        std::min(placed.height, inTextSize(RowLayout::headerHeight)) - 8);
    if (row.tint != Tint::Neutral)
        painter.fillRect(swatch, m_theme->rowColor(row.tint));
    else if (isHeadingOfReport(m_session.workspace(), row))
        painter.fillRect(swatch, reportColor(m_session.workspace().report(row.report)));

    const int markWidth = linkedEventOf(placed.row).valid() ? linkMarkWidth : 0;
    constexpr int rightMargin = 6;
    const int left = swatch.right() + 5;
    const RowLabelTexts::Text& text
        = m_texts.of(placed, std::max(0, width() - left - markWidth - rightMargin));
    painter.setFont(m_texts.fontOf(placed));
    painter.setPen(m_theme->text);
    const QRect line = lineOf(placed);
    // In a high row it is at the top, next to value and mark.
    const auto topIn = [y](int height, const QStaticText& laid) {
        return y + std::max(0.0, (height - laid.size().height()) / 2);
    };
    painter.drawStaticText(
        QPointF(left,
            topIn(
                text.isWrapped ? std::min(placed.height, inTextSize(RowLayout::curveHeight)) : line.height(),
                text.label)),
        text.label);
    if (text.figureWidth > 0) {
        painter.setFont(font());
        painter.setPen(m_theme->dimText);
        const double right = line.right() + 1 - markWidth;
        painter.drawStaticText(
            QPointF(right - text.figure.size().width(), topIn(line.height(), text.figure)), text.figure);
    }
    paintDepthHandle(painter, placed);
    paintLinkMark(painter, placed.row, line);
}

EventId RowLabels::linkedEventOf(RowId row) const
{
    const auto found = std::ranges::find(m_linked, row, &std::pair<RowId, EventId>::first);
    return found == m_linked.end() ? EventId() : found->second;
}

QRect RowLabels::linkMarkIn(QRect line)
{
    return {line.right() - linkMarkWidth, line.top(), linkMarkWidth, line.height()};
}

void RowLabels::paintLinkMark(QPainter& painter, RowId row, QRect line) const
{
    const EventId event = linkedEventOf(row);
    if (!event.valid())
        return;
    constexpr double radius = 4;
    const QPointF middle = QRectF(linkMarkIn(line)).center();
    const bool isShown = m_session.workspace().rowOf(event) == row;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(m_theme->accent, 1.5));
    painter.setBrush(isShown ? QBrush(m_theme->accent) : QBrush(Qt::NoBrush));
    painter.drawEllipse(middle, radius, radius);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

bool RowLabels::event(QEvent* event)
{
    if (event->type() == QEvent::Leave) {
        m_pointed = {};
        emit pointedAt(std::nullopt);
        update();
    }
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        m_texts.clear();
    if (event->type() == QEvent::WindowBlocked)
        endDrag(); // the dialog gets the release of the button
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* const help = static_cast<QHelpEvent*>(event);
    if (const PlacedRow* const placed = m_layout.rowAt(help->pos().y(), m_offset)) {
        const Row& row = m_session.rows().row(placed->row);
        QString text = plainTextOf(row.label);
        if (const QString figure = m_texts.figureOf(row); !figure.isEmpty())
            text += " \u2014 " + (row.showsBusy ? tr("busy for %1 of the view").arg(figure) : figure);
        if (!row.hint.empty())
            text += "\n" + plainTextOf(row.hint);
        if (depthHandleAt(help->pos()))
            text = tr(
                "Lanes below this line are thin. Drag the line down to see more of them in full. Drag the row's lower edge to make thin lanes higher.");
        if (linkedEventOf(placed->row).valid())
            text += "\n" + tr("The dot marks an event linked to the selected one. Click to go there.");
        QToolTip::showText(help->globalPos(), plainTip(text), this);
    }
    return true;
}

void RowLabels::mouseDoubleClickEvent(QMouseEvent* event)
{
    const PlacedRow* const placed = m_layout.rowAt(event->pos().y(), m_offset);
    if (placed && placed->hasChildren)
        m_session.rowView().setExpanded(placed->row, !placed->open);
    m_drag = Drag::None;
}

void RowLabels::contextMenuEvent(QContextMenuEvent* event)
{
    if (const PlacedRow* const placed = m_layout.rowAt(event->pos().y(), m_offset))
        emit contextMenuWanted(placed->row, event->globalPos());
}

void RowLabels::wheelEvent(QWheelEvent* event)
{
    emit wheelTurned(event);
}

void RowLabels::keyPressEvent(QKeyEvent* event)
{
    const auto& selected = m_session.selection().selectedRows();
    const bool isDown = event->key() == Qt::Key_Down;
    if (selected.empty() && (isDown || event->key() == Qt::Key_Up)) {
        if (const PlacedRow* const first = m_layout.rowAt(0, m_offset))
            selectByKey(first->row);
        return;
    }
    if (selected.size() == 1 && (event->key() == Qt::Key_Left || event->key() == Qt::Key_Right)) {
        m_session.rowView().setExpanded(selected.front(), event->key() == Qt::Key_Right);
        return;
    }
    if (!selected.empty() && (event->key() == Qt::Key_Up || event->key() == Qt::Key_Down)) {
        stepRow(event->key() == Qt::Key_Down);
        return;
    }
    QWidget::keyPressEvent(event);
}

void RowLabels::stepRow(bool down)
{
    const auto& rows = m_layout.rows();
    const auto at = std::ranges::find(rows, m_session.selection().selectedRows().front(), &PlacedRow::row);
    if (at == rows.end() || (down ? std::next(at) == rows.end() : at == rows.begin()))
        return;
    const RowId next = (down ? std::next(at) : std::prev(at))->row;
    selectByKey(next);
}

void RowLabels::selectByKey(RowId row)
{
    m_session.selection().selectRows({row});
    emit rowWanted(row);
    tellCurrentItem(*this);
}

void RowLabels::focusInEvent(QFocusEvent* event)
{
    m_focusMark = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason
        || event->reason() == Qt::ShortcutFocusReason;
    QWidget::focusInEvent(event);
}

void RowLabels::focusOutEvent(QFocusEvent* event)
{
    m_focusMark = false;
    QWidget::focusOutEvent(event);
}

} // namespace warpline
