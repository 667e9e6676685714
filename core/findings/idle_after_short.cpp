#include "core/findings/idle_after_short.h"

#include "core/base/stop.h"
#include "core/coverage/united.h"
#include "core/derive/communication.h"
#include "core/findings/run_facts.h"
#include "core/store/trace.h"

#include <algorithm>

namespace warpline {

namespace {

/// Takes from pieces, which come in order of time, what is busy. Looks onward from the last of them, ever
/// wider: of the streams of a GPU each skips what the others do.
class Unless {
public:
    explicit Unless(const Intervals& busy)
        : m_busy(busy)
    {
    }

    /// Appends what of `piece` is not busy to `left`.
    void append(TimeRange piece, std::vector<TimeRange>& left)
    {
        goTo(piece.start);
        Ns from = piece.start;
        for (std::size_t i = m_at; i < m_busy.size() && m_busy[i].start < piece.end; ++i) {
            if (m_busy[i].start > from)
                left.push_back({from, m_busy[i].start});
            from = std::max(from, m_busy[i].end);
        }
        if (from < piece.end)
            left.push_back({from, piece.end});
    }

private:
    /// To the first that ends after `time`.
    void goTo(Ns time)
    {
        std::size_t low = m_at;
        std::size_t step = 1;
        while (low + step <= m_busy.size() && m_busy[low + step - 1].end <= time) {
            low += step;
            step *= 2;
        }
        const auto at = [&](std::size_t i) { return m_busy.begin() + static_cast<std::ptrdiff_t>(i); };
        const std::size_t high = std::min(low + step - 1, m_busy.size());
        m_at = static_cast<std::size_t>(
            std::ranges::upper_bound(at(low), at(high), time, {}, &TimeRange::end) - m_busy.begin());
    }

    const Intervals& m_busy;
    std::size_t m_at = 0;
};

/// What any of the GPUs does; `room` is where it is put together.
const Intervals& busyOf(const std::vector<GpuFacts>& gpus, Intervals& room)
{
    if (gpus.size() == 1)
        return gpus.front().busy;
    for (const GpuFacts& gpu : gpus)
        room = room.empty() ? gpu.busy : united(room, gpu.busy);
    return room;
}

} // namespace

Intervals idleAfterShort(const Trace& trace, const std::vector<GpuFacts>& gpus, TimeRange window, Ns brief,
    const std::stop_token& stop)
{
    const KernelTable& kernels = trace.kernels();
    const CommunicationKernels communicates(trace);
    Intervals room;
    const Intervals& busy = busyOf(gpus, room);
    std::vector<TimeRange> idle;
    for (const Lane& lane : kernels.lanes) {
        const auto [first, last] = kernels.touching(lane, window);
        Unless unless(busy);
        if (first == last)
            continue;
        for (const EventIndex i : stoppable(first, last - 1, stop)) {
            const Ns end = kernels.end(i);
            if (kernels.start[i + 1] > end && kernels.duration[i] < brief
                && kernels.launch(i).graphNodeId == 0 && !communicates[i])
                unless.append({end, std::min(end + launchWorth, kernels.start[i + 1])}, idle);
        }
    }
    return unionOf(std::move(idle), window, stop);
}

} // namespace warpline
