#pragma once

#include "core/coverage/interval_times.h"
#include "core/coverage/intervals.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <memory>
#include <vector>

namespace warpline {

/// Intervals at half the memory, 8 bytes each where 64 neighbours lie within four seconds: what a GPU does in
/// a long report is millions of them. Fixed once made; a copy shares what it was copied from.
class PackedIntervals {
public:
    class Builder;
    class Iterator;

    PackedIntervals() = default; ///< none
    /// Implicit: the same list in another form. O(n).
    PackedIntervals(const Intervals& intervals); // NOLINT(google-explicit-constructor)

    std::size_t size() const { return m_data ? m_data->pieces.size() : 0; }
    bool empty() const { return size() == 0; }
    TimeRange operator[](std::size_t i) const { return m_data->at(i); }
    TimeRange front() const { return m_data->at(0); }
    TimeRange back() const { return m_data->at(size() - 1); }
    Iterator begin() const;
    Iterator end() const;

    /// Sum of the lengths. O(1).
    Ns total() const { return m_data ? m_data->total : 0; }
    /// How much lies inside `window`. O(log n).
    Ns timeIn(TimeRange window) const;

    friend bool operator==(const PackedIntervals& a, const PackedIntervals& b);

private:
    static constexpr std::size_t blockSize = 64;
    static constexpr std::size_t notWide = std::numeric_limits<std::size_t>::max();

    /// 64 neighbours.
    struct Block {
        Ns start = 0; ///< of the first
        Ns before = 0; ///< the time that all blocks before it cover
        std::size_t wide = notWide; ///< where its ranges begin in Data::wide, if 32 bits are too few for them
    };
    struct Piece {
        std::uint32_t offset = 0; ///< from the start of its block, ns
        std::uint32_t length = 0; ///< ns
    };
    struct Data {
        std::vector<Block> blocks;
        std::vector<Piece> pieces; ///< of all blocks; those of a wide one say nothing
        std::vector<TimeRange> wide;
        Ns total = 0;

        TimeRange at(std::size_t i) const
        {
            const Block& block = blocks[i / blockSize];
            if (block.wide != notWide)
                return wide[block.wide + i % blockSize];
            const Ns start = block.start + pieces[i].offset;
            return {start, start + pieces[i].length};
        }
        Ns timeBefore(Ns t) const;
        void append(TimeRange range);
        void widen(Block& block);
    };

    std::shared_ptr<const Data> m_data; ///< nullptr: none
};

/// Goes through them; what it gives is put together on the way, so it gives values.
class PackedIntervals::Iterator {
public:
    /// It gives values where the standard of old asks for references, as that of std::vector<bool> does.
    using iterator_category = std::random_access_iterator_tag;
    using iterator_concept = std::random_access_iterator_tag;
    using value_type = TimeRange;
    using difference_type = std::ptrdiff_t;
    using reference = TimeRange;
    /// What `->` goes through.
    class pointer {
    public:
        explicit pointer(TimeRange range)
            : m_range(range)
        {
        }
        const TimeRange* operator->() const { return &m_range; }

    private:
        TimeRange m_range;
    };

    Iterator() = default;
    Iterator(const Data* data, std::size_t at)
        : m_data(data),
          m_at(static_cast<difference_type>(at))
    {
    }

    TimeRange operator*() const { return m_data->at(static_cast<std::size_t>(m_at)); }
    pointer operator->() const { return pointer(**this); }
    TimeRange operator[](difference_type n) const { return *(*this + n); }
    Iterator& operator++() { return *this += 1; }
    Iterator& operator--() { return *this -= 1; }
    Iterator operator++(int)
    {
        const Iterator before = *this;
        ++*this;
        return before;
    }
    Iterator operator--(int)
    {
        const Iterator before = *this;
        --*this;
        return before;
    }
    Iterator& operator+=(difference_type n)
    {
        m_at += n;
        return *this;
    }
    Iterator& operator-=(difference_type n) { return *this += -n; }
    friend Iterator operator+(Iterator it, difference_type n) { return it += n; }
    friend Iterator operator+(difference_type n, Iterator it) { return it += n; }
    friend Iterator operator-(Iterator it, difference_type n) { return it -= n; }
    friend difference_type operator-(const Iterator& a, const Iterator& b) { return a.m_at - b.m_at; }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.m_at == b.m_at; }
    friend auto operator<=>(const Iterator& a, const Iterator& b) { return a.m_at <=> b.m_at; }

private:
    const Data* m_data = nullptr;
    difference_type m_at = 0;
};

inline PackedIntervals::Iterator PackedIntervals::begin() const
{
    return {m_data.get(), 0};
}

inline PackedIntervals::Iterator PackedIntervals::end() const
{
    return {m_data.get(), size()};
}

/// Makes a list, range by range.
class PackedIntervals::Builder {
public:
    /// Makes room for `intervals`; what is not used costs address space only.
    void reserve(std::size_t intervals) { m_data.pieces.reserve(intervals); }
    /// Adds `range`, which starts no earlier than any added before; what touches the last is one with it.
    /// Nothing when it is empty.
    void add(TimeRange range);
    bool empty() const { return m_last.empty(); }
    /// The last of the list as it is so far, which must not be empty.
    TimeRange back() const { return m_last; }
    /// What was added; the builder is empty then.
    PackedIntervals done();

private:
    Data m_data; ///< all but the last
    TimeRange m_last; ///< may still grow; empty: there is none
};

/// Sum of the lengths. O(1).
inline Ns totalTime(const PackedIntervals& covered)
{
    return covered.total();
}
/// How much of `covered` lies inside `window`. O(log n).
inline Ns totalTime(const PackedIntervals& covered, TimeRange window)
{
    return covered.timeIn(window);
}

/// The time covered by either, without a longer list on the way. O(n + m).
PackedIntervals united(const PackedIntervals& a, const PackedIntervals& b);

/// The time covered by `a` and not by `b`: difference(a, b), packed as it is found. O(n + m).
template <IntervalList A, IntervalList B> PackedIntervals packedDifference(const A& a, const B& b)
{
    PackedIntervals::Builder rest;
    rest.reserve(a.size());
    forEachDifference(a, b, [&](TimeRange range) { rest.add(range); });
    return rest.done();
}

} // namespace warpline
