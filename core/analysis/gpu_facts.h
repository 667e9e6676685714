#pragma once

#include "core/base/stop.h"
#include "core/base/time.h"
#include "core/coverage/packed_intervals.h"
#include "core/store/links.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <ranges>
#include <span>
#include <vector>

namespace warpline {

/// A stretch in which a GPU runs nothing of a process, between two pieces of its work.
struct IdleGap {
    TimeRange range;
    EventRef next; ///< the work that ends the gap, or the first work after it with a known call
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

    /// Between the first and the last work, in order of time: a view of this, which must outlive it. Gaps are
    /// assembled on access, because there may be as many as pieces of work.
    auto gaps() const
    {
        return std::views::iota(0U, static_cast<std::uint32_t>(next.size()))
            | std::views::transform([this](std::uint32_t i) {
                  return IdleGap{{busy[i].end, busy[i + 1].start}, Links::unpack(next[i])};
              });
    }
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
