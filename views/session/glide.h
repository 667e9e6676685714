#pragma once

#include "core/base/time.h"

#include <QBasicTimer>
#include <QObject>

#include <cstdint>
#include <functional>

namespace warpline {

/// The source of a movement of the view, which decides its animation.
enum class Manner : std::uint8_t {
    AtOnce, ///< the hand itself: a drag, a touchpad
    Request, ///< a jump, which glides; a second one within Glide::impatienceMs does not
    Notch, ///< a wheel notch: animates again from the drawn range to the sum of all notches
    Follow, ///< a pressed key: the drawn range approaches the target, and slows down at the end
    Led, ///< another Glide, whose steps advance() repeats here
};

/// The range that the timeline draws, while it moves to the shown range. Computations use the shown range,
/// the target, and so skip the intermediate ones. Initially off: then both are equal.
class Glide : public QObject {
    Q_OBJECT
public:
    static constexpr int durationMs = 280;
    static constexpr int impatienceMs = 300;
    /// A monotonic clock in nanoseconds.
    using Clock = std::function<qint64()>;

    explicit Glide(QObject* parent = nullptr);

    TimeRange drawn() const { return m_drawn; }
    bool isOn() const { return m_on; }
    /// Off: it is there at once, always.
    void setOn(bool on);
    bool isMoving() const { return m_way != Way::None; }
    /// Starts to move to `target` from the drawn range.
    void moveTo(TimeRange target, Manner manner);
    /// Draws `range` and stays there.
    void place(TimeRange range);
    /// To the target at once.
    void finish() { place(m_target); }
    /// Moves by `part` of the remaining distance.
    void advance(double part);
    /// Moves to the position for the current time; called by a timer.
    void step();
    qint64 now() const { return m_clock(); }
    /// Takes the time from `clock`, and leaves it to the caller to step().
    void driveBy(Clock clock);

signals:
    void switched(bool on);
    /// Emitted before moved(): it went `part` of the remaining distance.
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
    double m_restOfStart = 0; ///< drawn range minus target, with fractions of nanoseconds
    double m_restOfEnd = 0;
    double m_ratio = 1; ///< of the target's length to the first one
    double m_gone = 0; ///< of the way, 0..1
    qint64 m_began = 0;
    qint64 m_before = 0; ///< when it stepped last
    qint64 m_lastRequest = 0;
    bool m_wasAsked = false; ///< m_lastRequest is one
};

/// The range at `part` (0..1) of the way between two ranges: ranges of equal length slide, others scale by a
/// constant factor per time, around the point that both show at one place.
TimeRange rangeBetween(TimeRange from, TimeRange to, double part);

/// `shown`, moved by the smallest distance that shows all of `wanted`, with a tenth of room at that side if
/// possible; unchanged when it shows `wanted` already.
TimeRange leastMove(TimeRange shown, TimeRange wanted);

} // namespace warpline
