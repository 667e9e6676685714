#include "views/timeline/column_width.h"

#include <QTimerEvent>
#include <QWidget>

#include <algorithm>
#include <cmath>

namespace warpline {

ColumnWidth::ColumnWidth(QWidget& rows)
    : QObject(&rows),
      m_rows(rows)
{
}

void ColumnWidth::moved()
{
    m_moves = m_since.isValid() && m_since.elapsed() < restMs;
    m_since.start();
    if (m_moves)
        m_rest.start(restMs, this);
    else
        m_rest.stop();
}

int ColumnWidth::now(std::size_t rows)
{
    const double columns = m_rows.width() * m_rows.devicePixelRatioF() * static_cast<double>(rows);
    const int width = m_moves ? std::clamp(static_cast<int>(std::ceil(columns / maxExact)), 1, coarsest) : 1;
    m_isCoarse = width > 1;
    return width;
}

void ColumnWidth::timerEvent(QTimerEvent* event)
{
    if (event->timerId() != m_rest.timerId())
        return;
    m_rest.stop();
    m_moves = false;
    if (m_isCoarse)
        m_rows.update();
}

} // namespace warpline
