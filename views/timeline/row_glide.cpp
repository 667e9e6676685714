#include "views/timeline/row_glide.h"

#include "views/session/glide.h"

#include <QScrollBar>
#include <QTimerEvent>

#include <algorithm>
#include <cmath>

namespace warpline {

namespace {

constexpr int frameMs = 8;
constexpr double nsPerMs = 1e6;

} // namespace

RowGlide::RowGlide(QScrollBar& bar, const Glide& motion, QObject* parent)
    : QObject(parent),
      m_bar(bar),
      m_motion(motion)
{
    connect(&bar, &QScrollBar::actionTriggered, this, &RowGlide::stop);
}

int RowGlide::target() const
{
    return m_moving ? m_to : m_bar.value();
}

void RowGlide::moveTo(int value)
{
    value = std::clamp(value, m_bar.minimum(), m_bar.maximum());
    if (!m_motion.isOn() || !m_bar.isVisible()) {
        stop();
        m_bar.setValue(value);
        return;
    }
    if (value == target())
        return;
    m_from = m_bar.value();
    m_to = value;
    m_began = m_motion.now();
    m_moving = m_from != m_to;
    if (m_moving)
        m_timer.start(frameMs, Qt::PreciseTimer, this);
    else
        m_timer.stop();
}

void RowGlide::stop()
{
    m_timer.stop();
    m_moving = false;
}

void RowGlide::finish()
{
    if (!m_moving)
        return;
    stop();
    m_bar.setValue(m_to);
}

void RowGlide::step()
{
    if (!m_moving)
        return;
    const double gone = static_cast<double>(m_motion.now() - m_began) / nsPerMs / Glide::durationMs;
    if (gone >= 1) {
        finish();
        return;
    }
    const double left = 1 - std::max(0.0, gone);
    m_bar.setValue(m_from + static_cast<int>(std::lround((m_to - m_from) * (1 - left * left * left))));
}

void RowGlide::timerEvent(QTimerEvent* event)
{
    if (event->timerId() == m_timer.timerId())
        step();
    else
        QObject::timerEvent(event);
}

} // namespace warpline
