#pragma once

#include <QBasicTimer>
#include <QObject>

class QScrollBar;

namespace warpline {

class Glide;

/// The rows on their way to where something scrolls them: a key, a link, a hit of the search. They glide by
/// the clock of the view's own motion, and only where that is on; a hand that scrolls is the motion itself.
class RowGlide : public QObject {
    Q_OBJECT
public:
    /// Moves `bar` for as long as both live; `motion` says whether, and what time it is.
    RowGlide(QScrollBar& bar, const Glide& motion, QObject* parent);

    /// Sets out for `value`, from where the bar is.
    void moveTo(int value);
    /// Where the bar is, or will be.
    int target() const;
    bool isMoving() const { return m_moving; }
    /// Stays where it is: a hand scrolls.
    void stop();
    /// To the target at once.
    void finish();
    /// Goes as far as it should be by now; a timer calls it.
    void step();

protected:
    void timerEvent(QTimerEvent* event) override;

private:
    QScrollBar& m_bar;
    const Glide& m_motion;
    QBasicTimer m_timer;
    bool m_moving = false;
    int m_from = 0;
    int m_to = 0;
    qint64 m_began = 0;
};

} // namespace warpline
