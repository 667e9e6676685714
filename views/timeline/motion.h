#pragma once

#include <QHash>

#include <cstdint>

namespace warpline {

/// Ways to move that go on for as long as a key is held.
enum class Motion : std::uint8_t { ZoomIn, ZoomOut, Left, Right };

/// By how much the view is to move.
struct MotionStep {
    double zoom = 1; ///< factor of the shown length
    double pan = 0; ///< in shown lengths, to the right
};

/// The keys that are down, and how far they have moved the view. Speed is by time, never by the rate at which
/// someone asks, and grows while a key is held: a tap is a nudge, a second of it crosses the report.
class HeldKeys {
public:
    bool isEmpty() const { return m_keys.isEmpty(); }
    bool contains(int key) const { return m_keys.contains(key); }
    /// `key` went down at `now` (nanoseconds); returns the nudge that it begins with.
    MotionStep press(int key, Motion motion, qint64 now);
    void release(int key) { m_keys.remove(key); }
    void clear() { m_keys.clear(); }
    /// What all of them come to since they were asked last.
    MotionStep until(qint64 now);
    /// What a key begins with.
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
    /// How many whole ones `part` makes with what was left before.
    qint64 with(double part);

private:
    double m_rest = 0;
};

/// The same of factors by which a length grows.
class WholeLengths {
public:
    /// The whole length that `length` comes to by `factor` and by what was left before.
    qint64 with(qint64 length, double factor);

private:
    double m_rest = 1;
};

} // namespace warpline
