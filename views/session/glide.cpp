#include "views/session/glide.h"

#include <QGuiApplication>
#include <QScreen>
#include <QTimerEvent>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

namespace warpline {

namespace {

constexpr qint64 nsPerMs = 1'000'000;
constexpr double chaseMs = 45; ///< time in which the remaining distance shrinks to a third

qint64 steadyNow()
{
    using namespace std::chrono;
    return duration_cast<nanoseconds>(steady_clock::now().time_since_epoch()).count();
}

/// Quick at first and soft at the end.
double easedOut(double time)
{
    const double left = 1 - std::clamp(time, 0.0, 1.0);
    return 1 - left * left * left;
}

/// How far the ends have come when `part` of a way is gone on which the length grows by `ratio`.
double wayOfEnds(double ratio, double part)
{
    constexpr double alike = 1e-6;
    return std::abs(ratio - 1) < alike ? part : (std::pow(ratio, part) - 1) / (ratio - 1);
}

double ratioOf(TimeRange from, TimeRange to)
{
    return static_cast<double>(std::max<Ns>(1, to.duration()))
        / static_cast<double>(std::max<Ns>(1, from.duration()));
}

TimeRange mixed(TimeRange from, TimeRange to, double way)
{
    return {from.start + std::llround(static_cast<double>(to.start - from.start) * way),
        from.end + std::llround(static_cast<double>(to.end - from.end) * way)};
}

int frameMs()
{
    constexpr int slowest = 16;
    constexpr int fastest = 4;
    const QScreen* const screen = QGuiApplication::primaryScreen();
    const double rate = screen ? screen->refreshRate() : 0;
    return rate <= 0 ? slowest : std::clamp(static_cast<int>(1000 / rate), fastest, slowest);
}

} // namespace

TimeRange rangeBetween(TimeRange from, TimeRange to, double part)
{
    return mixed(from, to, wayOfEnds(ratioOf(from, to), part));
}

TimeRange leastMove(TimeRange shown, TimeRange wanted)
{
    if (wanted.start >= shown.start && wanted.end <= shown.end)
        return shown;
    const Ns room = std::max<Ns>(0, shown.duration() - std::max<Ns>(0, wanted.end - wanted.start));
    const Ns margin = std::min(shown.duration() / 10, room / 2);
    const Ns by
        = wanted.start < shown.start ? wanted.start - margin - shown.start : wanted.end + margin - shown.end;
    return {shown.start + by, shown.end + by};
}

Glide::Glide(QObject* parent)
    : QObject(parent),
      m_clock(steadyNow)
{
}

void Glide::setOn(bool on)
{
    if (on == m_on)
        return;
    m_on = on;
    if (!on && isMoving() && m_way != Way::Led)
        finish();
    emit switched(on);
}

void Glide::driveBy(Clock clock)
{
    m_clock = std::move(clock);
    m_driven = true;
    m_timer.stop();
}

void Glide::draw(TimeRange range)
{
    if (range == m_drawn)
        return;
    m_drawn = range;
    emit moved(m_drawn);
}

void Glide::place(TimeRange range)
{
    m_timer.stop();
    const bool leads = m_way == Way::Timed || m_way == Way::Chase;
    m_way = Way::None;
    m_target = range;
    if (leads)
        emit stepped(1);
    draw(range);
}

void Glide::setOut(Way way)
{
    m_way = way;
    m_ratio = ratioOf(m_drawn, m_target);
    m_gone = 0;
    m_began = now();
    m_before = m_began;
    if (!m_driven && !m_timer.isActive())
        m_timer.start(frameMs(), Qt::PreciseTimer, this);
}

void Glide::aim(TimeRange target)
{
    if (isMoving()) { // parts of nanoseconds stay
        m_restOfStart += static_cast<double>(m_target.start - target.start);
        m_restOfEnd += static_cast<double>(m_target.end - target.end);
    } else {
        m_restOfStart = static_cast<double>(m_drawn.start - target.start);
        m_restOfEnd = static_cast<double>(m_drawn.end - target.end);
    }
    m_target = target;
}

void Glide::moveTo(TimeRange target, Manner manner)
{
    if (manner == Manner::Led) {
        m_timer.stop();
        aim(target);
        m_way = target == m_drawn ? Way::None : Way::Led;
        return;
    }
    const qint64 time = now();
    const bool isHasty
        = manner == Manner::Request && m_wasAsked && time - m_lastRequest < impatienceMs * nsPerMs;
    if (manner == Manner::Request) {
        m_lastRequest = time;
        m_wasAsked = true;
    }
    if (!m_on || manner == Manner::AtOnce || isHasty || m_drawn.empty()) {
        place(target);
        return;
    }
    const bool goesOn = m_way == Way::Chase && manner == Manner::Follow; // keeps its pace
    aim(target);
    if (!goesOn)
        setOut(manner == Manner::Follow ? Way::Chase : Way::Timed);
}

void Glide::goOn(double part)
{
    m_restOfStart *= 1 - part;
    m_restOfEnd *= 1 - part;
    draw({m_target.start + std::llround(m_restOfStart), m_target.end + std::llround(m_restOfEnd)});
}

void Glide::advance(double part)
{
    if (m_way != Way::Led)
        return;
    if (part >= 1)
        finish();
    else
        goOn(part);
}

void Glide::step()
{
    if (m_way != Way::Timed && m_way != Way::Chase)
        return;
    const qint64 time = now();
    double part = 1; // of the remaining distance
    if (m_way == Way::Timed) {
        const double at = static_cast<double>(time - m_began) / nsPerMs / durationMs;
        const double gone = wayOfEnds(m_ratio, easedOut(at));
        if (at < 1 && m_gone < 1)
            part = std::clamp((gone - m_gone) / (1 - m_gone), 0.0, 1.0);
        m_gone = gone;
    } else {
        constexpr double unseen = 8000; // parts of the width: less than a pixel anywhere
        const double sinceMs = static_cast<double>(time - m_before) / nsPerMs;
        part = wayOfEnds(ratioOf(m_drawn, m_target), 1 - std::exp(-sinceMs / chaseMs));
        const double left = (1 - part) * std::max(std::abs(m_restOfStart), std::abs(m_restOfEnd));
        if (left <= std::max(0.5, static_cast<double>(m_target.duration()) / unseen))
            part = 1;
    }
    m_before = time;
    if (part >= 1) {
        finish(); // and so do those who are led
        return;
    }
    emit stepped(part);
    goOn(part);
}

void Glide::timerEvent(QTimerEvent* event)
{
    if (event->timerId() == m_timer.timerId())
        step();
    else
        QObject::timerEvent(event);
}

} // namespace warpline
