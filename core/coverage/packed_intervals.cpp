#include "core/coverage/packed_intervals.h"

#include <algorithm>
#include <utility>

namespace warpline {

PackedIntervals::PackedIntervals(const Intervals& intervals)
{
    Builder builder;
    builder.reserve(intervals.size());
    for (const TimeRange& range : intervals)
        builder.add(range);
    *this = builder.done();
}

Ns PackedIntervals::timeIn(TimeRange window) const
{
    const TimeRange inside = window.clippedTo(m_window);
    return empty() || inside.empty() ? 0 : m_data->timeBefore(inside.end) - m_data->timeBefore(inside.start);
}

PackedIntervals PackedIntervals::within(TimeRange window) const
{
    if (empty() || (window.start <= front().start && back().end <= window.end))
        return *this;
    PackedIntervals part;
    const auto found = touching(*this, window);
    if (window.empty() || found.empty())
        return part;
    part.m_data = m_data;
    part.m_first = m_first + static_cast<std::size_t>(found.begin() - begin());
    part.m_size = static_cast<std::size_t>(found.end() - found.begin());
    part.m_window = window.clippedTo(m_window);
    part.m_total = timeIn(window);
    return part;
}

bool operator==(const PackedIntervals& a, const PackedIntervals& b)
{
    return std::ranges::equal(a, b);
}

Ns PackedIntervals::Data::timeBefore(Ns t) const
{
    const std::size_t end = starts.until(t);
    if (end == 0)
        return 0;
    const std::size_t block = (end - 1) / PackedTimes::blockSize;
    Ns time = before[block];
    for (std::size_t i = block * PackedTimes::blockSize; i < end; ++i)
        time += std::min(ends[i], t) - starts[i];
    return time;
}

PackedIntervals PackedIntervals::Builder::done()
{
    PackedIntervals list;
    if (!m_last.empty()) {
        m_data.append(m_last);
        m_data.starts.trim(); // millions of ranges may be a few stretches
        m_data.ends.trim();
        list.m_size = m_data.starts.size();
        list.m_total = m_data.total;
        list.m_window = {m_data.at(0).start, m_last.end};
        list.m_data = std::make_shared<const Data>(std::move(m_data));
    }
    *this = {};
    return list;
}

PackedIntervals united(const PackedIntervals& a, const PackedIntervals& b)
{
    if (a.empty() || b.empty())
        return a.empty() ? b : a;
    PackedIntervals::Builder both;
    both.reserve(a.size() + b.size());
    forEachOfEither(a, b, [&](TimeRange range) { both.add(range); });
    return both.done();
}

PackedIntervals unitedAll(std::vector<PackedIntervals> lists)
{
    while (lists.size() > 1) { // two by two: each range is copied only a few times
        const std::size_t pairs = lists.size() / 2;
        for (std::size_t i = 0; i < pairs; ++i)
            lists[i] = united(lists[2 * i], lists[2 * i + 1]);
        if (lists.size() % 2 == 1)
            lists[pairs] = std::move(lists.back());
        lists.resize(lists.size() - pairs);
    }
    return lists.empty() ? PackedIntervals() : std::move(lists.front());
}

} // namespace warpline
