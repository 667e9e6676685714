#pragma once

#include "core/base/time.h"

#include <QBasicTimer>
#include <QObject>

#include <cstdint>
#include <functional>

namespace warpline {

/// What moves the view, which decides how what is drawn gets to what is shown.
enum class Manner : std::uint8_t {
    AtOnce, ///< the hand itself: a drag, a touchpad
    Request, ///< a jump, which glides; a second one within Glide::impatienceMs does not
    Notch, ///< a notch of the wheel: glides anew, from what is drawn to what all notches come to
    Follow, ///< a key that is held: what is drawn closes in on the target, and glides out when it stops
    Led, ///< another glide, whose steps advance() repeats here
};

/// The range that the timeline draws, on its way to the one that is shown. Those who count and judge ask for
/// the shown range, which is where it ends, and are spared what lies between. Off at first: then both are
/// always the same.
class Glide : public QObject {
    Q_OBJECT
public:
    static constexpr int durationMs = 280;
    static constexpr int impatienceMs = 300;
    /// Nanoseconds since some moment; never goes back.
    using Clock = std::function<qint64()>;

    explicit Glide(QObject* parent = nullptr);

    TimeRange drawn() const { return m_drawn; }
    bool isOn() const { return m_on; }
    /// Off: it is there at once, always.
    void setOn(bool on);
    bool isMoving() const { return m_way != Way::None; }
    /// Sets out for `target`, from what is drawn now.
    void moveTo(TimeRange target, Manner manner);
    /// Draws `range` and stays there.
    void place(TimeRange range);
    /// To the target at once.
    void finish() { place(m_target); }
    /// Goes `part` of what is left of the way.
    void advance(double part);
    /// Goes as far as it should be by now; a timer calls it.
    void step();
    qint64 now() const { return m_clock(); }
    /// Takes the time from `clock`, and leaves it to the caller to step().
    void driveBy(Clock clock);

signals:
    void switched(bool on);
    /// Goes `part` of what was left, before moved().
    void stepped(double part);
    void moved(warpline::TimeRange drawn);

protected:
    void timerEvent(QTimerEvent* event) override;

private:
    enum class Way : std::uint8_t { None, Timed, Chase, Led };
    void setOut(Way way);
    void aim(TimeRange target);
    void goOn(double part);
    void draw(TimeRange range);

    bool m_on = false;
    bool m_driven = false; ///< by someone else's clock
    Clock m_clock;
    QBasicTimer m_timer;
    Way m_way = Way::None;
    TimeRange m_target;
    TimeRange m_drawn;
    double m_restOfStart = 0; ///< from the target to what is drawn, with the parts of nanoseconds
    double m_restOfEnd = 0;
    double m_ratio = 1; ///< of the target's length to the first one
    double m_gone = 0; ///< of the way, 0..1
    qint64 m_began = 0;
    qint64 m_before = 0; ///< when it stepped last
    qint64 m_lastRequest = 0;
    bool m_wasAsked = false; ///< m_lastRequest is one
};

/// The range `part` of the way from `from` to `to`, 0..1: ranges of one length slide, others grow by the same
/// factor in the same time, about the point that both show at one place.
TimeRange rangeBetween(TimeRange from, TimeRange to, double part);

/// `shown`, moved the least way that shows all of `wanted`, with a tenth of room at that side as far as there
/// is; as it is where it shows `wanted` already.
TimeRange leastMove(TimeRange shown, TimeRange wanted);

} // namespace warpline
