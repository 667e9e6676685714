#include "views/panels/long_table.h"

#include <QAbstractButton>
#include <QHeaderView>
#include <QPaintEvent>
#include <QPainter>
#include <QScrollBar>
#include <QStringListModel>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <utility>

namespace warpline {

namespace {

/// Within this many pixels of the first visible line, positions are computed exactly. Beyond it each line
/// counts as one pixel, because the positions of a hundred million lines would overflow; QTableView's base
/// class asks for the position of the line where a selection began, however far away.
constexpr std::int64_t farAway = 1 << 28;
constexpr std::int64_t farthest = std::numeric_limits<int>::max() - 1000;

} // namespace

LongTable::LongTable(QWidget* parent)
    : QTableView(parent),
      m_noLines(new QStringListModel(this))
{
    setSelectionBehavior(SelectRows);
    setShowGrid(false);
    setHorizontalScrollMode(ScrollPerItem); // its bar counts columns
    verticalHeader()->hide();
    if (auto* const corner = findChild<QAbstractButton*>({}, Qt::FindDirectChildrenOnly))
        corner->hide(); // between the headers: QTableView places it
}

void LongTable::setModel(QAbstractItemModel* model)
{
    QTableView::setModel(model);
    verticalHeader()->setModel(m_noLines);
    if (!model)
        return;
    // Headers do not show the selection: otherwise the header would query every selected line.
    horizontalHeader()->setSelectionModel(new QItemSelectionModel(model, horizontalHeader()));
    const auto place = [this] {
        updateGeometries();
        viewport()->update();
    };
    connect(model, &QAbstractItemModel::rowsInserted, this, place);
    connect(model, &QAbstractItemModel::rowsRemoved, this, place);
}

int LongTable::lines() const
{
    return model() ? model()->rowCount() : 0;
}

int LongTable::lineHeight() const
{
    return std::max(1, verticalHeader()->defaultSectionSize());
}

int LongTable::wholeLines() const
{
    return std::max(1, viewport()->height() / lineHeight());
}

int LongTable::first() const
{
    return verticalScrollBar()->value();
}

int LongTable::topOf(std::int64_t line) const
{
    const std::int64_t lines = std::abs(line - first());
    const std::int64_t near = farAway / lineHeight();
    const std::int64_t pixels
        = lines <= near ? lines * lineHeight() : std::min(farAway + lines - near, farthest);
    return static_cast<int>(line < first() ? -pixels : pixels);
}

std::int64_t LongTable::lineAt(int y) const
{
    const int height = lineHeight();
    if (std::abs(std::int64_t{y}) > farAway) {
        const std::int64_t lines = farAway / height + std::abs(std::int64_t{y}) - farAway;
        return y < 0 ? first() - lines : first() + lines;
    }
    return first() + (y >= 0 ? y / height : -1 - (-1 - y) / height);
}

int LongTable::verticalOffset() const
{
    return static_cast<int>(std::min(std::int64_t{first()} * lineHeight(), farAway));
}

void LongTable::reset()
{
    QTableView::reset();
    updateGeometries(); // the next scroll needs the bar of the new lines
}

void LongTable::updateGeometries()
{
    if (std::exchange(m_isPlacing, true))
        return;
    QHeaderView& head = *horizontalHeader();
    const int height = head.isHidden()
        ? 0
        : std::min(std::max(head.sizeHint().height(), head.minimumHeight()), head.maximumHeight());
    setViewportMargins(0, height, 0, 0);
    const QRect below = viewport()->geometry();
    head.setGeometry(below.left(), below.top() - height, below.width(), height);
    setBars();
    m_isPlacing = false;
    QAbstractItemView::updateGeometries();
}

void LongTable::setBars()
{
    QHeaderView& head = *horizontalHeader();
    const QSize largest = maximumViewportSize();
    const bool fits = largest.width() >= head.length()
        && std::int64_t{largest.height()} >= std::int64_t{lines()} * lineHeight();
    const QSize size = fits ? largest : viewport()->size(); // where all fits there are no bars
    const int whole = std::max(1, size.height() / lineHeight());
    verticalScrollBar()->setSingleStep(1);
    verticalScrollBar()->setPageStep(whole);
    verticalScrollBar()->setRange(0, std::max(0, lines() - whole));

    QScrollBar& bar = *horizontalScrollBar();
    int fitting = 0;
    for (int place = head.count() - 1, width = 0; place >= 0; --place) {
        const int section = head.logicalIndex(place);
        if (head.isSectionHidden(section))
            continue;
        width += head.sectionSize(section);
        if (width > size.width())
            break;
        ++fitting;
    }
    fitting = std::max(1, fitting);
    const int columns = head.count() - head.hiddenSectionCount();
    bar.setSingleStep(1);
    bar.setPageStep(fitting);
    bar.setRange(0, std::max(0, columns - fitting));
    if (bar.maximum() == 0)
        head.setOffset(0);
    else if (bar.value() == bar.maximum())
        head.setOffsetToLastSection();
    else
        head.setOffsetToSectionPosition(bar.value());
}

QRect LongTable::visualRect(const QModelIndex& index) const
{
    if (!index.isValid() || index.model() != model() || isColumnHidden(index.column()))
        return {};
    const int top = topOf(index.row());
    return {columnViewportPosition(index.column()), top, columnWidth(index.column()),
        std::abs(std::int64_t{top}) > farAway ? 1 : lineHeight()};
}

QModelIndex LongTable::indexAt(const QPoint& position) const
{
    const std::int64_t line = lineAt(position.y());
    const int column = columnAt(position.x());
    return line >= 0 && line < lines() && column >= 0 ? model()->index(static_cast<int>(line), column)
                                                      : QModelIndex();
}

bool LongTable::isIndexHidden(const QModelIndex& index) const
{
    return isColumnHidden(index.column());
}

void LongTable::scrollTo(const QModelIndex& index, ScrollHint hint)
{
    if (!index.isValid() || index.model() != model())
        return;
    scrollToColumn(index.column(), hint == PositionAtCenter);
    const int line = index.row();
    const int whole = wholeLines();
    if (hint == EnsureVisible)
        hint = line < first() ? PositionAtTop : line - first() >= whole ? PositionAtBottom : EnsureVisible;
    if (hint == EnsureVisible)
        return; // it is
    const int above = hint == PositionAtTop ? 0 : hint == PositionAtBottom ? whole - 1 : (whole - 1) / 2;
    verticalScrollBar()->setValue(line - above);
}

void LongTable::scrollToColumn(int column, bool centered)
{
    const int left = columnViewportPosition(column);
    const int width = columnWidth(column);
    const int room = viewport()->width();
    if (left >= 0 && left + width <= room && !centered)
        return;
    // The first column from which on `column` is visible, or centred.
    const QHeaderView& head = *horizontalHeader();
    int place = head.visualIndex(column);
    if (centered || left >= 0) {
        const int least = centered ? room / 2 : room;
        for (int used = width; place > 0; --place) {
            used += head.sectionSize(head.logicalIndex(place - 1)); // a hidden one takes nothing
            if (used > least)
                break;
        }
    }
    int hidden = 0;
    for (int before = 0; before < place; ++before)
        hidden += head.isSectionHidden(head.logicalIndex(before)) ? 1 : 0;
    horizontalScrollBar()->setValue(place - hidden);
}

void LongTable::scrollContentsBy(int dx, int dy)
{
    QTableView::scrollContentsBy(dx, 0); // the columns; also prevents later scrolling to the clicked one
    if (dy == 0)
        return;
    if (std::abs(dy) < wholeLines())
        viewport()->scroll(0, dy * lineHeight());
    else
        viewport()->update();
}

int LongTable::columnBeside(int column, int steps) const
{
    const QHeaderView& head = *horizontalHeader();
    for (int place = head.visualIndex(column) + steps; place >= 0 && place < head.count(); place += steps) {
        if (!head.isSectionHidden(head.logicalIndex(place)))
            return head.logicalIndex(place);
    }
    return column;
}

QModelIndex LongTable::moveCursor(CursorAction action, Qt::KeyboardModifiers modifiers)
{
    const QHeaderView& head = *horizontalHeader();
    const int count = lines();
    if (count == 0 || head.count() == head.hiddenSectionCount())
        return {};
    int leftmost = head.logicalIndex(0);
    if (head.isSectionHidden(leftmost))
        leftmost = columnBeside(leftmost, 1);
    int rightmost = head.logicalIndex(head.count() - 1);
    if (head.isSectionHidden(rightmost))
        rightmost = columnBeside(rightmost, -1);
    const QModelIndex current = currentIndex();
    if (!current.isValid())
        return model()->index(0, leftmost);
    const bool toEnd = modifiers.testFlag(Qt::ControlModifier);
    std::int64_t line = current.row();
    int column = current.column();
    const int next = isRightToLeft() ? -1 : 1;
    switch (action) {
    case MoveUp:
        line = toEnd ? 0 : line - 1;
        break;
    case MoveDown:
        line = toEnd ? count - 1 : line + 1;
        break;
    case MovePageUp:
        line -= wholeLines();
        break;
    case MovePageDown:
        line += wholeLines();
        break;
    case MoveLeft:
        column = columnBeside(column, -next);
        break;
    case MoveRight:
        column = columnBeside(column, next);
        break;
    case MoveHome:
        line = toEnd ? 0 : line;
        column = leftmost;
        break;
    case MoveEnd:
        line = toEnd ? count - 1 : line;
        column = rightmost;
        break;
    case MoveNext:
    case MovePrevious:
        break; // for Tab, which leaves the table
    }
    return model()->index(static_cast<int>(std::clamp<std::int64_t>(line, 0, count - 1)), column);
}

void LongTable::setSelection(const QRect& rect, QItemSelectionModel::SelectionFlags command)
{
    const std::int64_t last = std::int64_t{lines()} - 1;
    const auto [top, bottom] = std::minmax({lineAt(rect.top()), lineAt(rect.bottom())});
    if (!selectionModel() || bottom < 0 || top > last)
        return;
    const QModelIndex from = model()->index(static_cast<int>(std::max<std::int64_t>(top, 0)), 0);
    const QModelIndex to
        = model()->index(static_cast<int>(std::min(bottom, last)), model()->columnCount() - 1);
    selectionModel()->select(QItemSelection(from, to), command);
}

QRegion LongTable::visualRegionForSelection(const QItemSelection& selection) const
{
    QRegion region;
    const QRect all = viewport()->rect();
    for (const QItemSelectionRange& range : selection) {
        const int top = std::max(all.top(), topOf(range.top()));
        const int bottom = std::min<int>(all.bottom(), topOf(range.bottom() + std::int64_t{1}) - 1);
        if (top <= bottom)
            region += QRect(QPoint(all.left(), top), QPoint(all.right(), bottom));
    }
    return region;
}

int LongTable::sizeHintForColumn(int column) const
{
    QStyleOptionViewItem option;
    initViewItemOption(&option);
    int width = 0;
    const std::int64_t end = std::min<std::int64_t>(lines(), std::int64_t{first()} + wholeLines() + 1);
    for (int line = first(); line < end; ++line) {
        const QModelIndex index = model()->index(line, column);
        width = std::max(width, itemDelegateForIndex(index)->sizeHint(option, index).width());
    }
    return width;
}

void LongTable::keyboardSearch(const QString& typed)
{
    constexpr int maxScanned = 20'000; // some milliseconds
    if (lines() <= maxScanned)
        QTableView::keyboardSearch(typed);
}

void LongTable::drawLine(QPainter& painter, int line, const QRect& dirty, const QStyleOptionViewItem& common)
{
    const bool hasFocus = this->hasFocus() || viewport()->hasFocus();
    const bool isSelected = selectionModel() && selectionModel()->isSelected(model()->index(line, 0));
    for (int column = 0; column < model()->columnCount(); ++column) {
        const QModelIndex index = model()->index(line, column);
        QStyleOptionViewItem cell = common;
        cell.rect = visualRect(index);
        if (!cell.rect.intersects(dirty))
            continue;
        cell.features.setFlag(QStyleOptionViewItem::Alternate, alternatingRowColors() && line % 2 == 1);
        cell.state.setFlag(QStyle::State_Selected, isSelected);
        cell.state.setFlag(QStyle::State_HasFocus, hasFocus && index == currentIndex());
        if (cell.state.testFlag(QStyle::State_Enabled)) {
            const bool isEnabled = model()->flags(index).testFlag(Qt::ItemIsEnabled);
            cell.state.setFlag(QStyle::State_Enabled, isEnabled);
            cell.palette.setCurrentColorGroup(isEnabled ? QPalette::Normal : QPalette::Disabled);
        }
        style()->drawPrimitive(QStyle::PE_PanelItemViewRow, &cell, &painter, this);
        itemDelegateForIndex(index)->paint(&painter, cell, index);
    }
}

void LongTable::paintEvent(QPaintEvent* event)
{
    if (!model())
        return;
    QPainter painter(viewport());
    QStyleOptionViewItem common;
    initViewItemOption(&common);
    const QRect dirty = event->rect();
    const std::int64_t end = std::min<std::int64_t>(lines(), lineAt(dirty.bottom()) + 1);
    for (std::int64_t line = std::max<std::int64_t>(0, lineAt(dirty.top())); line < end; ++line)
        drawLine(painter, static_cast<int>(line), dirty, common);
}

} // namespace warpline
