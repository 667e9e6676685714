#include "views/timeline/column_width.h"

#include <QTimerEvent>
#include <QWidget>

namespace warpline {

ColumnWidth::ColumnWidth(QWidget& rows)
    : QObject(&rows),
      m_rows(rows)
{
}

void ColumnWidth::moved()
{
    const bool inMotion = m_since.isValid() && m_since.elapsed() < restMs;
    m_since.start();
    const bool isWide = m_rows.width() * m_rows.devicePixelRatioF() > widestExact;
    m_width = inMotion && isWide ? 2 : 1;
    if (m_width > 1)
        m_rest.start(restMs, this);
    else
        m_rest.stop();
}

void ColumnWidth::timerEvent(QTimerEvent* event)
{
    if (event->timerId() != m_rest.timerId())
        return;
    m_rest.stop();
    m_width = 1;
    m_rows.update();
}

} // namespace warpline
