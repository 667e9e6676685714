#include "views/panels/table_columns.h"

#include <QEvent>
#include <QHeaderView>
#include <QTableView>

#include <algorithm>

namespace warpline {

namespace {

/// Widens one column of a table to what its viewport has left.
class Stretcher : public QObject {
public:
    Stretcher(QTableView& table, int column)
        : QObject(&table),
          m_table(table),
          m_column(column),
          m_least(table.columnWidth(column))
    {
        table.viewport()->installEventFilter(this);
        connect(table.horizontalHeader(), &QHeaderView::sectionResized, this,
            [this](int section, int, int width) {
                if (m_stretching)
                    return;
                if (section == m_column)
                    m_least = width; // the user's
                stretch();
            });
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (event->type() == QEvent::Resize)
            stretch();
        return QObject::eventFilter(watched, event);
    }

private:
    void stretch()
    {
        const int others = m_table.horizontalHeader()->length() - m_table.columnWidth(m_column);
        m_stretching = true;
        m_table.setColumnWidth(m_column, std::max(m_least, m_table.viewport()->width() - others));
        m_stretching = false;
    }

    QTableView& m_table;
    int m_column;
    int m_least;
    bool m_stretching = false;
};

} // namespace

void styleTable(QTableView& table)
{
    table.setSelectionBehavior(QAbstractItemView::SelectRows);
    table.setShowGrid(false);
    table.setAlternatingRowColors(true);
    table.setWordWrap(false);
    table.setTextElideMode(Qt::ElideMiddle); // the ends of template kernels tell them apart
    table.setFrameShape(QFrame::NoFrame);
    table.verticalHeader()->hide();
    table.verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    constexpr int margins = 5; // above and below the text
    table.verticalHeader()->setDefaultSectionSize(table.fontMetrics().height() + margins);
    table.horizontalHeader()->setHighlightSections(false);
    table.horizontalHeader()->setSortIndicator(-1, Qt::DescendingOrder);
    table.setSortingEnabled(true);
}

void stretchColumn(QTableView& table, int column)
{
    new Stretcher(table, column); // the table's
}

void fitColumns(QTableView& table, int widest, bool shrink)
{
    constexpr int linesLookedAt = 40;
    constexpr int titleRoom = 30; // the sort mark stands there too
    constexpr int room = 12;
    const QFontMetrics metrics = table.fontMetrics();
    const QAbstractItemModel& model = *table.model();
    for (int column = 0; column < model.columnCount(); ++column) {
        int width
            = metrics.horizontalAdvance(model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString())
            + titleRoom;
        for (int row = 0; row < std::min(linesLookedAt, model.rowCount()); ++row)
            width = std::max(
                width, metrics.horizontalAdvance(model.index(row, column).data().toString()) + room);
        width = std::min(width, widest);
        if (shrink || width > table.columnWidth(column))
            table.setColumnWidth(column, width);
    }
}

} // namespace warpline
