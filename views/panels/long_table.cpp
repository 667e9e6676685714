#include "views/panels/long_table.h"

#include "views/models/events_model.h"

#include <QKeyEvent>
#include <QScrollBar>
#include <QTableView>

#include <algorithm>

namespace warpline {

LongTable::LongTable(QTableView& table, EventsModel& model)
    : QObject(&table),
      m_table(table),
      m_model(model)
{
    table.installEventFilter(this);
    connect(table.verticalScrollBar(), &QScrollBar::valueChanged, this, &LongTable::onScrolled);
}

void LongTable::onScrolled(int value)
{
    const QScrollBar& bar = *m_table.verticalScrollBar();
    if (m_moving || bar.maximum() == bar.minimum())
        return;
    const auto rows = static_cast<std::size_t>(m_model.rowCount());
    const std::size_t first = m_model.firstRow();
    if (value == bar.maximum() && first + rows < m_model.list().size())
        moveTo(first + rows / 2);
    else if (value == bar.minimum() && first > 0)
        moveTo(first - std::min(first, rows / 2));
}

void LongTable::moveTo(std::size_t first)
{
    m_moving = true;
    const std::size_t seen = m_model.firstRow() + static_cast<std::size_t>(std::max(0, m_table.rowAt(0)));
    const EventId current = m_model.idAt(m_table.currentIndex().row());
    m_model.moveTo(first);
    if (const int row = m_model.rowOf(current); row >= 0)
        m_table.selectRow(row);
    if (seen >= m_model.firstRow())
        m_table.scrollTo(
            m_model.index(static_cast<int>(seen - m_model.firstRow()), 0), QAbstractItemView::PositionAtTop);
    m_moving = false;
}

bool LongTable::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::KeyPress) {
        const auto* const key = static_cast<QKeyEvent*>(event);
        if (key->matches(QKeySequence::MoveToStartOfDocument))
            m_model.moveTo(0);
        else if (key->matches(QKeySequence::MoveToEndOfDocument))
            m_model.moveTo(m_model.list().size());
    }
    return QObject::eventFilter(watched, event);
}

} // namespace warpline
