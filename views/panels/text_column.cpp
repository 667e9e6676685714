#include "views/panels/text_column.h"

#include <QHeaderView>
#include <QScrollBar>
#include <QTableView>

namespace warpline {

void giveRestToText(QTableView& table, const Cells& cells)
{
    int widest = -1;
    for (int column = 0; column < static_cast<int>(cells.columns.size()); ++column) {
        const bool isText = cells.columns[static_cast<std::size_t>(column)].unit == Unit::Text;
        if (isText && (widest < 0 || table.columnWidth(column) >= table.columnWidth(widest)))
            widest = column;
    }
    // The vertical bar comes only with the lines' layout, which is later.
    const qint64 lines = qint64{table.model()->rowCount()} * table.verticalHeader()->defaultSectionSize();
    const QSize room = table.maximumViewportSize();
    const bool scrolls = lines > room.height() - table.horizontalHeader()->height();
    const int bar = scrolls ? table.verticalScrollBar()->sizeHint().width() : 0;
    const int left = room.width() - bar - table.horizontalHeader()->length();
    if (widest >= 0 && left > 0)
        table.setColumnWidth(widest, table.columnWidth(widest) + left);
    // nsys has names last, where a histogram would push them out of sight. Copies keep nsys' order.
    QHeaderView& header = *table.horizontalHeader();
    for (int column = 0; column < header.count(); ++column)
        header.moveSection(header.visualIndex(column), column);
    if (widest > 0)
        header.moveSection(widest, 0);
}

} // namespace warpline
