#include "core/coverage/coverage.h"

#include "core/base/sorted_search.h"
#include "core/base/stop.h"
#include "core/store/trace.h"

#include <algorithm>
#include <limits>
#include <queue>

namespace warpline {

namespace {

constexpr std::size_t pauseBlock = 64;

} // namespace

Coverage::Coverage(const Intervals& intervals)
{
    reserve(intervals.size());
    for (const TimeRange& interval : intervals)
        add(interval);
}

void Coverage::reserve(std::size_t intervals)
{
    m_start.reserve(intervals);
    m_busyBefore.reserve(intervals + 1);
}

void Coverage::add(TimeRange range)
{
    if (range.empty())
        return;
    if (!m_start.empty()) {
        const Ns lastEnd = interval(m_start.size() - 1).end;
        if (range.start <= lastEnd) {
            m_busyBefore.back() += std::max<Ns>(0, range.end - lastEnd);
            return;
        }
    }
    if (m_start.size() % sampleStep == 0)
        m_startSamples.push_back(range.start);
    m_start.push_back(range.start);
    if ((m_start.size() - 1) % pauseBlock == 0 && m_start.size() > 1) {
        // The last pause of a block ends where the next block begins.
        Ns longest = 0;
        for (std::size_t i = m_start.size() - 1 - pauseBlock; i + 1 < m_start.size(); ++i)
            longest = std::max(longest, pauseAfter(i));
        m_longestPause.push_back(longest);
    }
    m_busyBefore.push_back(m_busyBefore.back() + range.duration());
}

void Coverage::trim()
{
    if (m_start.capacity() <= m_start.size() + m_start.size() / 8)
        return;
    m_start.shrink_to_fit();
    m_busyBefore.shrink_to_fit();
}

TimeRange Coverage::interval(std::size_t i) const
{
    return {m_start[i], m_start[i] + m_busyBefore[i + 1] - m_busyBefore[i]};
}

Ns Coverage::busyBefore(Ns t) const
{
    const auto after = std::ranges::upper_bound(m_start, t);
    if (after == m_start.begin())
        return 0;
    const auto i = static_cast<std::size_t>(after - m_start.begin()) - 1;
    return std::min(m_busyBefore[i] + (t - m_start[i]), m_busyBefore[i + 1]);
}

void Coverage::busyBefore(std::span<const Ns> times, std::vector<Ns>& covered) const
{
    std::vector<std::uint32_t> after(times.size());
    firstNotBefore(m_start, m_startSamples, 0, m_start.size(), times, after);
    covered.resize(times.size());
    for (std::size_t i = 0; i < times.size(); ++i) {
        const std::size_t next = after[i];
        covered[i] = next == 0
            ? 0
            : std::min(m_busyBefore[next - 1] + (times[i] - m_start[next - 1]), m_busyBefore[next]);
    }
}

Ns Coverage::busy(TimeRange window) const
{
    return empty() || window.empty() ? 0 : busyBefore(window.end) - busyBefore(window.start);
}

Intervals Coverage::within(TimeRange window) const
{
    Intervals inside;
    if (empty() || window.empty())
        return inside;
    const auto after = std::ranges::upper_bound(m_start, window.start);
    std::size_t i = after == m_start.begin() ? 0 : static_cast<std::size_t>(after - m_start.begin()) - 1;
    const auto last = std::lower_bound(after, m_start.end(), window.end);
    inside.reserve(static_cast<std::size_t>(last - m_start.begin()) - i);
    for (; i < size() && m_start[i] < window.end; ++i) {
        const TimeRange part = interval(i).clippedTo(window);
        if (!part.empty())
            inside.push_back(part);
    }
    return inside;
}

Pauses Coverage::pausesWithin(TimeRange window) const
{
    Pauses pauses;
    if (empty() || window.empty())
        return pauses;
    const auto after = std::ranges::upper_bound(m_start, window.start);
    std::size_t first = after == m_start.begin() ? 0 : static_cast<std::size_t>(after - m_start.begin()) - 1;
    if (interval(first).end <= window.start)
        ++first;
    const auto last
        = static_cast<std::size_t>(std::ranges::lower_bound(m_start, window.end) - m_start.begin());
    if (last <= first + 1)
        return pauses;
    pauses.count = last - first - 1;
    std::size_t i = first;
    while (i + 1 < last) {
        if (i % pauseBlock == 0 && i + pauseBlock < last) {
            pauses.longest = std::max(pauses.longest, m_longestPause[i / pauseBlock]);
            i += pauseBlock;
        } else {
            pauses.longest = std::max(pauses.longest, pauseAfter(i++));
        }
    }
    return pauses;
}

Coverage coverageOf(const Trace& trace, std::span<const TrackRef> tracks, const std::stop_token& stop)
{
    // One cursor a lane; the earliest next event first. Lanes are sorted, so this is a merge.
    struct Cursor {
        Ns start;
        const EventTable* table;
        EventIndex next;
        EventIndex end;
    };
    const auto later = [](const Cursor& a, const Cursor& b) { return a.start > b.start; };
    std::priority_queue<Cursor, std::vector<Cursor>, decltype(later)> cursors(later);
    std::size_t events = 0;
    for (const TrackRef& ref : tracks) {
        const EventTable& table = trace.table(ref.kind);
        for (const Lane& lane : table.lanesOf(table.tracks[ref.track])) {
            if (lane.count > 0)
                cursors.push({table.start[lane.first], &table, lane.first, lane.first + lane.count});
            events += lane.count;
        }
    }
    Coverage covered;
    covered.reserve(events);
    StopCheck check(stop);
    while (!cursors.empty()) {
        Cursor cursor = cursors.top();
        cursors.pop();
        // Take events of this lane as long as no other lane has an earlier one: one lane is a plain loop.
        const Ns until = cursors.empty() ? std::numeric_limits<Ns>::max() : cursors.top().start;
        while (cursor.next < cursor.end && cursor.start <= until) {
            check.step();
            covered.add({cursor.start, cursor.start + cursor.table->duration[cursor.next]});
            if (++cursor.next < cursor.end)
                cursor.start = cursor.table->start[cursor.next];
        }
        if (cursor.next < cursor.end)
            cursors.push(cursor);
    }
    covered.trim();
    return covered;
}

} // namespace warpline
