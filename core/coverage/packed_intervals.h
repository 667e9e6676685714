#pragma once

#include "core/coverage/interval_times.h"
#include "core/coverage/intervals.h"
#include "core/coverage/packed_times.h"

#include <compare>
#include <cstddef>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

namespace warpline {

/// Intervals at half the memory: 8 bytes each where 64 neighbours lie within four seconds. A GPU of a long
/// report has millions. Immutable; copies and parts share their data.
class PackedIntervals {
public:
    class Builder;
    class Iterator;

    PackedIntervals() = default; ///< none
    /// Implicit: the same list in another form. O(n).
    PackedIntervals(const Intervals& intervals); // NOLINT(google-explicit-constructor)

    std::size_t size() const { return m_size; }
    bool empty() const { return m_size == 0; }
    TimeRange operator[](std::size_t i) const { return m_data->at(m_first + i).clippedTo(m_window); }
    TimeRange front() const { return (*this)[0]; }
    TimeRange back() const { return (*this)[m_size - 1]; }
    Iterator begin() const;
    Iterator end() const;

    /// Sum of the lengths. O(1).
    Ns total() const { return m_total; }
    /// How much lies inside `window`. O(log n).
    Ns timeIn(TimeRange window) const;
    /// The part inside `window`. O(log n), and it takes no memory.
    PackedIntervals within(TimeRange window) const;

    friend bool operator==(const PackedIntervals& a, const PackedIntervals& b);

private:
    struct Data {
        PackedTimes starts;
        PackedTimes ends;
        std::vector<Ns> before; ///< the time covered before intervals 0, 64, 128 ...
        Ns total = 0;

        TimeRange at(std::size_t i) const { return {starts[i], ends[i]}; }
        Ns timeBefore(Ns t) const;
        void append(TimeRange range)
        {
            if (starts.size() % PackedTimes::blockSize == 0)
                before.push_back(total);
            starts.push_back(range.start);
            ends.push_back(range.end);
            total += range.duration();
        }
    };

    std::shared_ptr<const Data> m_data; ///< nullptr: none
    std::size_t m_first = 0; ///< of those in m_data
    std::size_t m_size = 0;
    TimeRange m_window; ///< the ranges are clipped to it
    Ns m_total = 0;
};

/// Iterator that returns values, because the ranges are unpacked on access.
class PackedIntervals::Iterator {
public:
    /// operator* returns values where the older iterator concept requires references, as in
    /// std::vector<bool>.
    using iterator_category = std::random_access_iterator_tag;
    using iterator_concept = std::random_access_iterator_tag;
    using value_type = TimeRange;
    using difference_type = std::ptrdiff_t;
    using reference = TimeRange;
    /// Result of `->`.
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
    Iterator(const Data* data, std::size_t at, TimeRange window)
        : m_data(data),
          m_at(static_cast<difference_type>(at)),
          m_window(window)
    {
    }

    TimeRange operator*() const { return m_data->at(static_cast<std::size_t>(m_at)).clippedTo(m_window); }
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
    TimeRange m_window;
};

inline PackedIntervals::Iterator PackedIntervals::begin() const
{
    return {m_data.get(), m_first, m_window};
}

inline PackedIntervals::Iterator PackedIntervals::end() const
{
    return {m_data.get(), m_first + m_size, m_window};
}

/// Makes a list, range by range.
class PackedIntervals::Builder {
public:
    /// Reserves room for `intervals`; unused room costs address space only.
    void reserve(std::size_t intervals)
    {
        m_data.starts.reserve(intervals);
        m_data.ends.reserve(intervals);
    }
    /// Adds `range`, which starts no earlier than the previous ones; merges it with the last one when they
    /// touch. Ignores an empty range.
    void add(TimeRange range)
    {
        if (range.empty())
            return;
        if (!m_last.empty() && range.start <= m_last.end) {
            m_last.end = std::max(m_last.end, range.end);
            return;
        }
        if (!m_last.empty())
            m_data.append(m_last);
        m_last = range;
    }
    bool empty() const { return m_last.empty(); }
    /// The last range so far; the list must not be empty.
    TimeRange back() const { return m_last; }
    /// Returns the list and empties the builder.
    PackedIntervals done();

private:
    Data m_data; ///< all but the last
    TimeRange m_last; ///< may still grow; empty: there is none
};

/// The time covered by either, without a longer list on the way. O(n + m).
PackedIntervals united(const PackedIntervals& a, const PackedIntervals& b);
/// The time covered by any of `lists`. O(n log lists).
PackedIntervals unitedAll(std::vector<PackedIntervals> lists);

/// Builds the union of ranges in any order; ranges that come in order of time need no extra room.
class PackedUnion {
public:
    void add(TimeRange range)
    {
        if (m_inOrder.empty() || range.start >= m_inOrder.back().start)
            m_inOrder.add(range);
        else
            m_late.push_back(range);
    }
    /// Reserves room for `ranges` in order; unused room costs address space only.
    void reserve(std::size_t ranges) { m_inOrder.reserve(ranges); }
    bool empty() const { return m_inOrder.empty(); }
    /// The time that they cover, all of which lie in `window`. Throws Stopped when `stop` is requested.
    PackedIntervals done(TimeRange window, const std::stop_token& stop = {})
    {
        return united(m_inOrder.done(), unionOf(std::move(m_late), window, stop));
    }

private:
    PackedIntervals::Builder m_inOrder;
    std::vector<TimeRange> m_late;
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

/// The time covered by `a` and not by `b`: difference(a, b), packed as it is found. O(n + m).
template <IntervalList A, IntervalList B> PackedIntervals packedDifference(const A& a, const B& b)
{
    if constexpr (std::same_as<A, PackedIntervals>) { // few ranges mostly cut nothing off millions
        if (b.size() <= a.size() / 16
            && std::ranges::all_of(b, [&](TimeRange cut) { return touching(a, cut).empty(); }))
            return a;
    }
    PackedIntervals::Builder rest;
    std::size_t most = a.size() + std::min(b.size(), a.size() / 16); // few cuts divide few of millions
    if (a.size() < 64) { // few ranges: count their pieces
        for (const TimeRange range : a)
            most += static_cast<std::size_t>(std::ranges::distance(touching(b, range)));
    }
    rest.reserve(most);
    forEachDifference(a, b, [&](TimeRange range) { rest.add(range); });
    return rest.done();
}

} // namespace warpline
