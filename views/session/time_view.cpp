#include "views/session/time_view.h"

#include <chrono>
#include <cmath>
#include <utility>

namespace warpline {

namespace {

constexpr Ns shortestShown = 10;
constexpr qint64 stepsOfOneJumpMs = 700;
constexpr std::size_t longestHistory = 200;

/// A monotonic clock.
qint64 millisecondsNow()
{
    using namespace std::chrono;
    return duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count();
}

} // namespace

TimeView::TimeView()
{
    connect(&m_glide, &Glide::moved, this, &TimeView::drawnChanged);
}

void TimeView::open(TimeRange session, bool isFurther)
{
    const TimeRange before = std::exchange(m_session, session);
    const bool wasAll = before.empty() || m_shown == before || m_shown == m_reach;
    if (!isFurther) {
        m_reach = {};
        m_selected = {};
        m_back.clear();
        m_forward.clear();
    }
    if (!isFurther || wasAll || m_shown.clippedTo(reach()) != m_shown)
        m_shown = session;
    m_glide.place(m_shown);
}

void TimeView::fit(bool all)
{
    if (all && m_shown != m_session) {
        m_shown = m_session;
        m_glide.place(m_shown);
        emit shownChanged(m_shown);
    } else {
        show(m_shown, false);
    }
}

TimeRange TimeView::withinReach(TimeRange range) const
{
    const TimeRange all = reach();
    if (all.empty())
        return m_shown;
    const Ns length
        = std::clamp(range.end - range.start, std::min(shortestShown, all.duration()), all.duration());
    const Ns start = std::clamp(range.start, all.start, all.end - length);
    return {start, start + length};
}

void TimeView::show(TimeRange range, bool remember, Manner manner)
{
    const TimeRange shown = withinReach(range);
    if (shown == m_shown)
        return;
    const qint64 now = millisecondsNow();
    if (remember || now - m_lastStep > stepsOfOneJumpMs) {
        m_back.push_back(m_shown);
        if (m_back.size() > longestHistory)
            m_back.erase(m_back.begin());
        m_forward.clear();
    }
    m_lastStep = remember ? 0 : now;
    m_shown = shown;
    m_glide.moveTo(m_shown, manner);
    emit shownChanged(m_shown);
}

void TimeView::holdStill()
{
    if (m_glide.isMoving())
        show(m_glide.drawn(), false, Manner::AtOnce);
}

void TimeView::zoomAt(Ns anchor, double factor, Manner manner)
{
    const double length = std::max<double>(shortestShown, static_cast<double>(m_shown.duration()) * factor);
    if (length >= static_cast<double>(reach().duration())) { // it may be more than 63 bits hold
        show(reach(), false, manner);
        return;
    }
    const double place = static_cast<double>(anchor - m_shown.start)
        / std::max<double>(1, static_cast<double>(m_shown.duration()));
    const Ns start = anchor - std::llround(length * place);
    show({start, start + std::llround(length)}, false, manner);
}

void TimeView::panBy(Ns distance, Manner manner)
{
    show({m_shown.start + distance, m_shown.end + distance}, false, manner);
}

void TimeView::goTo(TimeRange range)
{
    const Ns room = std::max<Ns>(100, range.duration() / 10);
    show({range.start - room, range.end + room});
}

void TimeView::goToAtScale(TimeRange range)
{
    if (fitsScale(range))
        show(leastMove(m_shown, range));
    else
        goTo(range);
}

bool TimeView::fitsScale(TimeRange range) const
{
    const auto seen = static_cast<double>(m_shown.duration());
    const auto length = static_cast<double>(range.duration());
    return length <= seen && (range.empty() || length * m_pixels >= minPixels * seen);
}

void TimeView::goAlong(std::vector<TimeRange>& from, std::vector<TimeRange>& to)
{
    while (!from.empty()) {
        // Reports may have gone since, or a comparison with a longer run.
        const TimeRange shown = withinReach(from.back());
        from.pop_back();
        if (shown == m_shown)
            continue;
        to.push_back(std::exchange(m_shown, shown));
        m_lastStep = 0;
        m_glide.moveTo(m_shown, Manner::Request);
        emit shownChanged(m_shown);
        return;
    }
}

void TimeView::selectRange(TimeRange range)
{
    if (range.start > range.end)
        std::swap(range.start, range.end);
    range = range.clippedTo(m_session);
    if (range.empty())
        range = {};
    if (range == m_selected)
        return;
    const TimeRange before = judged();
    m_selected = range;
    emit selectedRangeChanged(m_selected);
    if (judged() != before)
        emit judgedChanged(judged());
}

} // namespace warpline
