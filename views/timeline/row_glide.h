#pragma once

#include <QBasicTimer>
#include <QObject>

class QScrollBar;

namespace warpline {

class Glide;

/// Animates scrolling of the rows to a target: by a key, a link, a search hit. Uses the clock of the view's
/// own animation, and only when that is on; scrolling by hand is not animated.
class RowGlide : public QObject {
    Q_OBJECT
public:
    /// Moves `bar` while both live; `motion` decides whether, and has the clock.
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
    /// Moves to the position for the current time; called by a timer.
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
