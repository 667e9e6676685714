#pragma once

#include <QHash>

#include <cstdint>

namespace warpline {

/// Ways to move that continue while a key is held.
enum class Motion : std::uint8_t { ZoomIn, ZoomOut, Left, Right };

/// By how much the view is to move.
struct MotionStep {
    double zoom = 1; ///< factor of the shown length
    double pan = 0; ///< in shown lengths, to the right
};

/// The pressed keys, and the resulting movement. Speed depends on time, not on the rate of calls, and grows
/// while a key is pressed: a tap nudges, a second crosses the report.
class HeldKeys {
public:
    bool isEmpty() const { return m_keys.isEmpty(); }
    bool contains(int key) const { return m_keys.contains(key); }
    /// `key` went down at `now` (nanoseconds); returns the nudge that it begins with.
    MotionStep press(int key, Motion motion, qint64 now);
    void release(int key) { m_keys.remove(key); }
    void clear() { m_keys.clear(); }
    /// The sum of all keys' movement since the last call.
    MotionStep until(qint64 now);
    /// The first movement of a key.
    static MotionStep nudge(Motion motion);

private:
    struct Held {
        Motion motion = Motion::Left;
        qint64 since = 0;
        qint64 asked = 0;
    };
    QHash<int, Held> m_keys;
};

/// Joins parts of pixels or nanoseconds, as touchpads, fine wheels and held keys make them, so that none is
/// lost.
class WholeParts {
public:
    /// The whole part of `part` plus the previous remainder.
    qint64 with(double part);

private:
    double m_rest = 0;
};

/// The same of factors by which a length grows.
class WholeLengths {
public:
    /// The whole length of `length` times `factor`, with the previous remainder.
    qint64 with(qint64 length, double factor);

private:
    double m_rest = 1;
};

} // namespace warpline
