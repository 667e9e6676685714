#include "core/findings/host_delays.h"

#include "core/base/stop.h"
#include "core/coverage/interval_times.h"
#include "core/derive/call_kinds.h"
#include "core/store/event_loops.h"
#include "core/store/trace.h"

#include <algorithm>

namespace warpline {

namespace {

/// The length of a GPU's launch queue: a host that is further ahead waits in its launch calls.
constexpr std::size_t queueLength = 1024;
/// Longer code around a call has a purpose of its own.
constexpr Ns maxAround = 50'000;

/// Follows a GPU through its work, and a thread through its calls.
class DelayReplay {
public:
    DelayReplay(const Trace& trace, const GpuFacts& gpu, std::span<const HostDelay> delays)
        : m_trace(trace),
          m_gpu(gpu),
          m_delays(delays)
    {
    }

    /// Removed work: no gap ends at it, and its time is not idle.
    void skip(TimeRange runs) { m_skipped.push_back(runs); }

    /// The piece of work `i` of the GPU, which stays.
    void run(std::size_t i)
    {
        const TimeRange runs = rangeOf(i);
        if (m_hasRun)
            passDelays(runs.start);
        if (i >= queueLength)
            m_ahead = std::min(m_ahead, std::max<Ns>(0, runs.start - rangeOf(i - queueLength).end));
        if (m_hasRun && runs.start > m_done && m_ahead > 0)
            fill({m_done, runs.start});
        if (!m_hasRun || runs.end > m_done)
            m_done = runs.end;
        m_hasRun = true;
        m_skipped.clear();
        m_inGap.clear();
    }

    Intervals take() { return std::move(m_idle); }

private:
    TimeRange rangeOf(std::size_t i) const { return m_trace.range(Links::unpack(m_gpu.work[i])); }

    /// The calls that are over by `time`.
    void passDelays(Ns time)
    {
        for (; m_next < m_delays.size() && m_delays[m_next].call.end <= time; ++m_next) {
            const HostDelay& delay = m_delays[m_next];
            const Ns room = std::max<Ns>(0, delay.call.start - m_done);
            // Of a removed wait only the few calls since the last one stay ahead.
            if (delay.waits && (delay.ahead == 0 || room == 0))
                m_ahead = std::min(m_ahead, delay.ahead == 0 ? room : maxAround);
            m_ahead += delay.ahead;
            const TimeRange inGap = delay.call.clippedTo({m_done, std::max(m_done, time)});
            if (delay.ahead > 0 && !inGap.empty())
                m_inGap.push_back(inGap);
        }
    }

    /// Uses the thread's lead to fill `gap`: first the time of the calls themselves, then the gap's end.
    void fill(TimeRange gap)
    {
        const Intervals idle = difference(Intervals{gap}, unionOf(std::move(m_skipped), gap));
        const Intervals inCalls = intersection(idle, unionOf(std::move(m_inGap), gap));
        Ns left = std::min(m_ahead, totalTime(idle));
        m_ahead -= left;
        std::vector<TimeRange> filled;
        const auto takeFrom = [&](const Intervals& pieces) {
            for (auto piece = pieces.rbegin(); piece != pieces.rend() && left > 0; ++piece) {
                const Ns length = std::min(left, piece->duration());
                filled.push_back({piece->end - length, piece->end});
                left -= length;
            }
        };
        takeFrom(inCalls);
        takeFrom(difference(idle, inCalls));
        for (const TimeRange& piece : unionOf(std::move(filled), gap)) {
            if (!m_idle.empty() && m_idle.back().end >= piece.start)
                m_idle.back().end = piece.end; // work without length lies between
            else
                m_idle.push_back(piece);
        }
    }

    const Trace& m_trace;
    const GpuFacts& m_gpu;
    std::span<const HostDelay> m_delays;
    std::size_t m_next = 0; ///< of m_delays
    Ns m_ahead = 0;
    Ns m_done = 0; ///< end of all work up to here
    bool m_hasRun = false;
    std::vector<TimeRange> m_skipped; ///< since the last piece that stays
    std::vector<TimeRange> m_inGap; ///< calls that go, in the gap
    Intervals m_idle;
};

/// Whether `call` is short and starts nothing: a wrapper asks before the call that it is about.
bool isQuery(const Trace& trace, EventIndex call)
{
    constexpr Ns longest = 3'000;
    return trace.apiCalls().duration[call] <= longest
        && startsNothing(callKindOf(trace.name({EventKind::ApiCall, call})));
}

} // namespace

HostDelay withCodeAround(const Trace& trace, EventIndex call, bool waits)
{
    const EventTable& calls = trace.apiCalls();
    Ns around = maxAround; // before the first call, and behind the last one
    for (const Lane& lane : calls.lanesOf(calls.trackOf(call))) {
        if (call <= lane.first || call + 1 >= lane.first + lane.count)
            continue;
        EventIndex before = call - 1;
        while (before > lane.first && isQuery(trace, before))
            --before;
        around = calls.start[call] - calls.end(before) + calls.start[call + 1] - calls.end(call);
    }
    const TimeRange range = calls.range(call);
    return {range, range.duration() + std::clamp<Ns>(around, 0, maxAround), waits};
}

Intervals idleBecauseOf(const Trace& trace, const GpuFacts& gpu, std::span<const HostDelay> delays,
    std::span<const std::uint32_t> gone, const std::stop_token& stop)
{
    DelayReplay replay(trace, gpu, delays);
    for (const std::size_t i : stoppable(std::size_t{0}, gpu.work.size(), stop)) {
        if (std::ranges::binary_search(gone, gpu.work[i]))
            replay.skip(trace.range(Links::unpack(gpu.work[i])));
        else
            replay.run(i);
    }
    return replay.take();
}

Intervals idleBecauseOf(const Trace& trace, const std::vector<const GpuFacts*>& gpus,
    std::span<const HostDelay> delays, const std::stop_token& stop, std::vector<std::uint32_t> gone)
{
    std::ranges::sort(gone);
    Intervals most;
    for (const GpuFacts* const gpu : gpus) {
        Intervals idle = idleBecauseOf(trace, *gpu, delays, gone, stop);
        if (totalTime(idle) > totalTime(most))
            most = std::move(idle);
    }
    return most;
}

} // namespace warpline
