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
    const auto next = std::ranges::upper_bound(blocks, t, {}, &Block::start);
    if (next == blocks.begin())
        return 0;
    const auto block = static_cast<std::size_t>(next - blocks.begin()) - 1;
    const std::size_t first = block * blockSize;
    const std::size_t end = std::min(first + blockSize, pieces.size());
    Ns time = blocks[block].before;
    if (blocks[block].wide != notWide || distance(blocks[block].start, t) > most) {
        for (std::size_t i = first; i < end && at(i).start < t; ++i)
            time += std::min(at(i).end, t) - at(i).start;
        return time;
    }
    const auto until = static_cast<std::uint32_t>(t - blocks[block].start);
    for (std::size_t i = first; i < end && pieces[i].offset < until; ++i)
        time += std::min(pieces[i].length, until - pieces[i].offset);
    return time;
}

void PackedIntervals::Data::appendWide(TimeRange range)
{
    if (blocks.back().wide == notWide) {
        const std::size_t begin = wide.size();
        for (std::size_t i = (blocks.size() - 1) * blockSize; i < pieces.size(); ++i)
            wide.push_back(at(i));
        blocks.back().wide = begin;
    }
    pieces.push_back({});
    wide.push_back(range);
}

PackedIntervals PackedIntervals::Builder::done()
{
    PackedIntervals list;
    if (!m_last.empty()) {
        m_data.append(m_last);
        if (m_data.pieces.capacity() / 2 > m_data.pieces.size()) // millions of ranges may be a few stretches
            m_data.pieces.shrink_to_fit();
        list.m_size = m_data.pieces.size();
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

} // namespace warpline
