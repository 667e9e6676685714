#include "views/timeline/motion.h"

#include <algorithm>
#include <cmath>

namespace warpline {

namespace {

constexpr double nsPerSecond = 1e9;
constexpr double rampSeconds = 1.5; ///< in which a held key comes to its full speed
constexpr double panSpeed = 0.8; ///< shown lengths a second, at first
constexpr double panGrowth = 8;
constexpr double zoomSpeed = 2; ///< of the length's logarithm a second, at first
constexpr double zoomGrowth = 4;
constexpr double longestLength = 8e18; ///< ns: it fits 63 bits
constexpr double longestStep = 0.1; ///< seconds: a program that was held up does not jump

double speedAfter(double seconds, double growth)
{
    const double ramp = std::clamp(seconds / rampSeconds, 0.0, 1.0);
    return 1 + (growth - 1) * ramp * ramp;
}

} // namespace

MotionStep HeldKeys::nudge(Motion motion)
{
    constexpr double zoom = 0.85;
    constexpr double pan = 0.05;
    switch (motion) {
    case Motion::ZoomIn:
        return {zoom, 0};
    case Motion::ZoomOut:
        return {1 / zoom, 0};
    case Motion::Left:
        return {1, -pan};
    case Motion::Right:
        return {1, pan};
    }
    return {};
}

MotionStep HeldKeys::press(int key, Motion motion, qint64 now)
{
    m_keys.insert(key, {motion, now, now});
    return nudge(motion);
}

MotionStep HeldKeys::until(qint64 now)
{
    MotionStep all;
    for (Held& held : m_keys) {
        const double length = static_cast<double>(now - held.asked) / nsPerSecond;
        const double middle = static_cast<double>(held.asked - held.since) / nsPerSecond + length / 2;
        held.asked = now;
        const double seconds = std::clamp(length, 0.0, longestStep);
        const double zoom = zoomSpeed * speedAfter(middle, zoomGrowth) * seconds;
        const double pan = panSpeed * speedAfter(middle, panGrowth) * seconds;
        switch (held.motion) {
        case Motion::ZoomIn:
            all.zoom *= std::exp(-zoom);
            break;
        case Motion::ZoomOut:
            all.zoom *= std::exp(zoom);
            break;
        case Motion::Left:
            all.pan -= pan;
            break;
        case Motion::Right:
            all.pan += pan;
            break;
        }
    }
    return all;
}

qint64 WholeParts::with(double part)
{
    m_rest += part;
    const double whole = std::trunc(m_rest);
    m_rest -= whole;
    return static_cast<qint64>(whole);
}

qint64 WholeLengths::with(qint64 length, double factor)
{
    const double wanted = std::min(static_cast<double>(length) * m_rest * factor, longestLength);
    const qint64 whole = std::max<qint64>(1, std::llround(wanted));
    m_rest = std::clamp(wanted / static_cast<double>(whole), 0.5, 2.0); // only the rounding error
    return whole;
}

} // namespace warpline
