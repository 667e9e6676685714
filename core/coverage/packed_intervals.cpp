#include "core/coverage/packed_intervals.h"

#include <algorithm>
#include <utility>

namespace warpline {

namespace {

constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max(); ///< what a piece can say, ns

/// From `from` to `to`, which is no earlier; any two times have a distance in 64 bits without a sign.
std::uint64_t distance(Ns from, Ns to)
{
    return static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from);
}

} // namespace

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
    return empty() || window.empty() ? 0 : m_data->timeBefore(window.end) - m_data->timeBefore(window.start);
}

bool operator==(const PackedIntervals& a, const PackedIntervals& b)
{
    return a.m_data == b.m_data || std::ranges::equal(a, b);
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

void PackedIntervals::Data::widen(Block& block)
{
    const auto first = static_cast<std::size_t>(&block - blocks.data()) * blockSize;
    const std::size_t begin = wide.size();
    for (std::size_t i = first; i < pieces.size(); ++i)
        wide.push_back(at(i));
    block.wide = begin;
}

void PackedIntervals::Data::append(TimeRange range)
{
    if (pieces.size() % blockSize == 0)
        blocks.push_back({range.start, total});
    Block& block = blocks.back();
    if (block.wide == notWide
        && (distance(block.start, range.start) > most || distance(range.start, range.end) > most))
        widen(block);
    if (block.wide == notWide) {
        pieces.push_back({static_cast<std::uint32_t>(range.start - block.start),
            static_cast<std::uint32_t>(range.duration())});
    } else {
        pieces.push_back({});
        wide.push_back(range);
    }
    total += range.duration();
}

void PackedIntervals::Builder::add(TimeRange range)
{
    if (range.empty())
        return;
    if (m_last.empty()) {
        m_last = range;
    } else if (range.start <= m_last.end) {
        m_last.end = std::max(m_last.end, range.end);
    } else {
        m_data.append(m_last);
        m_last = range;
    }
}

PackedIntervals PackedIntervals::Builder::done()
{
    PackedIntervals list;
    if (!m_last.empty()) {
        m_data.append(m_last);
        if (m_data.pieces.capacity() / 2 > m_data.pieces.size()) // millions of ranges may be a few stretches
            m_data.pieces.shrink_to_fit();
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
