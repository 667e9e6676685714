#include "views/style/two_lines.h"

#include <QHeaderView>
#include <QStyle>
#include <QTreeView>

namespace warpline {

TwoLines::TwoLines(QTreeView& view, int column)
    : QStyledItemDelegate(&view),
      m_view(view)
{
    view.setItemDelegateForColumn(column, this);
    view.setWordWrap(true);
    view.setUniformRowHeights(false);
    connect(
        view.header(), &QHeaderView::sectionResized, this,
        [this, column](int section) {
            if (section == column)
                m_view.doItemsLayout();
        },
        Qt::QueuedConnection);
}

int TwoLines::roomForText(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    int indents = m_view.rootIsDecorated() ? 1 : 0;
    for (QModelIndex parent = index.parent(); parent.isValid(); parent = parent.parent())
        ++indents;
    const int margin = m_view.style()->pixelMetric(QStyle::PM_FocusFrameHMargin, &option, &m_view) + 1;
    const int icon = option.icon.isNull() ? 0 : option.decorationSize.width() + 2 * margin;
    return m_view.columnWidth(index.column()) - indents * m_view.indentation() - icon - 2 * margin;
}

QSize TwoLines::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QStyleOptionViewItem shown = option;
    initStyleOption(&shown, index);
    QSize size = QStyledItemDelegate::sizeHint(option, index);
    const int line = shown.fontMetrics.lineSpacing();
    const bool fits = shown.fontMetrics.horizontalAdvance(shown.text) <= roomForText(shown, index);
    const int padding = 6; // above and below together
    size.setHeight((fits ? line : 2 * line) + padding);
    return size;
}

} // namespace warpline
