#include "core/coverage/coverage.h"

#include "core/base/sorted_search.h"
#include "core/base/stop.h"
#include "core/store/lane_merge.h"
#include "core/store/trace.h"

#include <algorithm>
#include <utility>

namespace warpline {

namespace {

constexpr std::size_t pauseBlock = 64;

/// The first of the sorted `starts` after `t`, or their number. O(log n), most of it in `samples` (every
/// 64th).
std::size_t firstAfter(std::span<const Ns> starts, std::span<const Ns> samples, Ns t)
{
    const auto blocks = static_cast<std::size_t>(std::ranges::upper_bound(samples, t) - samples.begin());
    if (blocks == 0)
        return 0;
    const std::size_t first = (blocks - 1) * sampleStep;
    const auto block = starts.subspan(first, std::min(sampleStep, starts.size() - first));
    return first + static_cast<std::size_t>(std::ranges::upper_bound(block, t) - block.begin());
}

/// The time covered before `t`, where intervals from `after` on start at `t` or later and those before
/// earlier.
Ns coveredBefore(Ns t, std::size_t after, std::span<const Ns> starts, std::span<const Ns> before)
{
    return after == 0 ? 0 : std::min(before[after - 1] + (t - starts[after - 1]), before[after]);
}

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

void Coverage::busyBefore(std::span<const Ns> times, std::vector<Ns>& covered) const
{
    std::vector<std::uint32_t> after(times.size());
    firstNotBefore(m_start, m_startSamples, 0, m_start.size(), times, after);
    covered.resize(times.size());
    for (std::size_t i = 0; i < times.size(); ++i)
        covered[i] = coveredBefore(times[i], after[i], m_start, m_busyBefore);
}

Ns Coverage::busy(TimeRange window) const
{
    if (empty() || window.empty())
        return 0;
    const std::size_t after = firstAfter(m_start, m_startSamples, window.start);
    // Most windows are short next to all that there is: the end is not far.
    const std::size_t behind = firstNotBefore(m_start, after, size(), window.end);
    return coveredBefore(window.end, behind, m_start, m_busyBefore)
        - coveredBefore(window.start, after, m_start, m_busyBefore);
}

Pauses Coverage::pausesWithin(TimeRange window) const
{
    Pauses pauses;
    if (empty() || window.empty())
        return pauses;
    const std::size_t after = firstAfter(m_start, m_startSamples, window.start);
    std::size_t first = after == 0 ? 0 : after - 1;
    if (interval(first).end <= window.start)
        ++first;
    const std::size_t last = firstNotBefore(m_start, after, size(), window.end);
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
    std::vector<LaneRun> runs;
    std::size_t events = 0;
    for (const TrackRef& ref : tracks) {
        const EventTable& table = trace.table(ref.kind);
        for (const Lane& lane : table.lanesOf(table.tracks[ref.track])) {
            runs.push_back({ref.kind, &table, lane.first, lane.first + lane.count});
            events += lane.count;
        }
    }
    Coverage covered;
    covered.reserve(events);
    StopCheck check(stop);
    forEachByStart(std::move(runs), [&](EventKind, const EventTable& table, EventIndex i) {
        check.step();
        covered.add(table.range(i));
    });
    covered.trim();
    return covered;
}

} // namespace warpline
