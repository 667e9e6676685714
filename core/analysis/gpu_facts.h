#pragma once

#include "core/base/stop.h"
#include "core/base/time.h"
#include "core/coverage/packed_intervals.h"
#include "core/store/links.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace warpline {

/// A stretch in which a GPU runs nothing of a process, between two pieces of its work.
struct IdleGap {
    TimeRange range;
    EventRef next; ///< the work that ends the gap, or the first work after it with a known call
};

/// The gaps of a GPU in order of time: a view of its GpuFacts, which must outlive it. Gaps are assembled on
/// access, because there may be as many as pieces of work.
class IdleGaps {
public:
    /// Gap i lies between busy[i] and busy[i + 1]; next[i] is Links::pack() of the work that ends it.
    IdleGaps(const PackedIntervals& busy, std::span<const std::uint32_t> next)
        : m_busy(&busy),
          m_next(next.data()),
          m_size(next.size())
    {
    }

    std::size_t size() const { return m_size; }
    bool empty() const { return m_size == 0; }
    IdleGap operator[](std::size_t i) const
    {
        return {{(*m_busy)[i].end, (*m_busy)[i + 1].start}, Links::unpack(m_next[i])};
    }

    class Iterator {
    public:
        Iterator(const IdleGaps& gaps, std::size_t at)
            : m_gaps(&gaps),
              m_at(at)
        {
        }
        IdleGap operator*() const { return (*m_gaps)[m_at]; }
        Iterator& operator++()
        {
            ++m_at;
            return *this;
        }
        friend bool operator!=(const Iterator& a, const Iterator& b) { return a.m_at != b.m_at; }

    private:
        const IdleGaps* m_gaps;
        std::size_t m_at;
    };
    Iterator begin() const { return {*this, 0}; }
    Iterator end() const { return {*this, m_size}; }

private:
    const PackedIntervals* m_busy;
    const std::uint32_t* m_next;
    std::size_t m_size;
};

/// A GPU as one process uses it. All contexts together. A part of it shares its lists.
struct GpuFacts {
    GlobalId process = 0;
    std::int32_t device = -1;
    std::span<const std::uint32_t> work; ///< Links::pack() of kernels, copies, memsets and graphs, by start
    PackedIntervals busy; ///< union of the time of all work
    PackedIntervals compute; ///< the time of kernels and graphs
    /// Links::pack() of the work that ends the gap after each range of `busy` but the last: see
    /// IdleGap::next.
    std::span<const std::uint32_t> next;

    struct Lists {
        std::vector<std::uint32_t> work;
        std::vector<std::uint32_t> next;
    };
    std::shared_ptr<const Lists> lists; ///< of the whole; `work` and `next` are parts of them

    /// Between the first and the last work.
    IdleGaps gaps() const { return {busy, next}; }
    TimeRange span() const
    {
        return busy.empty() ? TimeRange{} : TimeRange{busy.front().start, busy.back().end};
    }
};

/// Calls visit(EventRef) for the work of `gpu` of that kind, by start. Throws Stopped when `stop` is
/// requested.
template <typename Visit>
void forEachOfKind(const GpuFacts& gpu, EventKind kind, const std::stop_token& stop, Visit visit)
{
    for (const std::uint32_t packed : stoppableItems(gpu.work, stop)) {
        if (const EventRef event = Links::unpack(packed); event.kind == kind)
            visit(event);
    }
}

} // namespace warpline
