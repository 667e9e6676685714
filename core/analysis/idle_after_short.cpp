#include "core/analysis/idle_after_short.h"

#include "core/analysis/trace_analysis.h"
#include "core/base/stop.h"
#include "core/derive/communication.h"
#include "core/store/trace.h"

#include <algorithm>
#include <limits>

namespace warpline {

namespace {

/// How long launches explain the idle time behind each stretch of work. Asked about kernels in order of time
/// it looks onward from the last of them, ever wider: of the streams of a GPU each skips what the others do.
class ExplainedGaps {
public:
    explicit ExplainedGaps(const PackedIntervals& busy)
        : m_busy(busy),
          m_until(busy.size(), nothing)
    {
    }

    /// To be called before the kernels of another stream.
    void beginAnew() { m_at = 0; }

    /// A kernel ended at piece.start, and its launch explains what is idle until piece.end.
    void explain(TimeRange piece)
    {
        goTo(piece.start);
        // Kernels are busy time, so they end with it or within it; only one that takes no time can end in a
        // gap.
        if (m_at == m_busy.size() || m_busy[m_at].start > piece.start)
            m_inGaps.push_back(
                {piece.start, m_at == m_busy.size() ? piece.end : std::min(piece.end, m_busy[m_at].start)});
        for (std::size_t i = m_at; i < m_busy.size() && m_busy[i].end < piece.end; ++i)
            m_until[i] = std::max(m_until[i], piece.end);
    }

    /// What is idle and explained.
    PackedIntervals within(TimeRange window, const std::stop_token& stop)
    {
        const auto known = std::ranges::count_if(m_until, [](Ns until) { return until != nothing; });
        PackedIntervals::Builder explained;
        explained.reserve(static_cast<std::size_t>(known)); // there may be millions
        for (const std::size_t i : stoppable(std::size_t{0}, m_busy.size(), stop)) {
            if (m_until[i] == nothing)
                continue;
            const bool isLast = i + 1 == m_busy.size();
            const Ns until = isLast ? m_until[i] : std::min(m_until[i], m_busy[i + 1].start);
            explained.add(TimeRange{m_busy[i].end, until}.clippedTo(window));
        }
        return united(explained.done(), unionOf(std::move(m_inGaps), window, stop));
    }

private:
    static constexpr Ns nothing = std::numeric_limits<Ns>::min();

    /// To the first stretch that ends at `time` or after it.
    void goTo(Ns time)
    {
        constexpr int near = 3; // mostly it is one of the next
        for (int i = 0; i < near; ++i, ++m_at) {
            if (m_at == m_busy.size() || m_busy[m_at].end >= time)
                return;
        }
        std::size_t low = m_at;
        std::size_t step = 1;
        while (low + step <= m_busy.size() && m_busy[low + step - 1].end < time) {
            low += step;
            step *= 2;
        }
        const auto at = [&](std::size_t i) { return m_busy.begin() + static_cast<std::ptrdiff_t>(i); };
        const std::size_t high = std::min(low + step - 1, m_busy.size());
        m_at = static_cast<std::size_t>(
            std::ranges::lower_bound(at(low), at(high), time, {}, &TimeRange::end) - m_busy.begin());
    }

    const PackedIntervals& m_busy;
    std::vector<Ns> m_until; ///< of each stretch, that is of the gap behind it
    Intervals m_inGaps;
    std::size_t m_at = 0;
};

/// What any of the GPUs does.
PackedIntervals busyOf(const std::vector<GpuFacts>& gpus)
{
    PackedIntervals busy;
    for (const GpuFacts& gpu : gpus)
        busy = united(busy, gpu.busy);
    return busy;
}

} // namespace

PackedIntervals idleAfterShort(const Trace& trace, const std::vector<GpuFacts>& gpus, TimeRange window,
    Ns brief, const std::stop_token& stop)
{
    const KernelTable& kernels = trace.kernels();
    const CommunicationKernels communicates(trace);
    const PackedIntervals busy = busyOf(gpus);
    ExplainedGaps gaps(busy);
    for (const Lane& lane : kernels.lanes) {
        const auto [first, last] = kernels.touching(lane, window);
        if (first == last)
            continue;
        gaps.beginAnew();
        for (const EventIndex i : stoppable(first, last - 1, stop)) {
            const Ns end = kernels.end(i);
            if (kernels.start[i + 1] > end && kernels.duration[i] < brief
                && kernels.launch(i).graphNodeId == 0 && !communicates[i])
                gaps.explain({end, std::min(end + launchWorth, kernels.start[i + 1])});
        }
    }
    return gaps.within(window, stop);
}

} // namespace warpline
