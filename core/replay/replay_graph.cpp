#include "core/replay/replay_graph.h"

#include "core/base/median.h"
#include "core/replay/work_edges.h"
#include "core/store/attributes.h"
#include "core/store/event_loops.h"

#include <algorithm>
#include <map>
#include <queue>
#include <span>
#include <tuple>
#include <unordered_map>

namespace warpline {

namespace {

/// Work that begins within this time (ns) after the end of other work began because of it.
constexpr Ns soonAfter = 5'000;
/// The same of work that was held up a hundred times as long: kernels of collectives begin late.
constexpr Ns latestAfter = 15'000;
/// Work that is delayed longer than this (ns) while other work runs waits for that work.
constexpr Ns longHeld = 50'000;
/// The last part of a kernel, 1/tailPart of its length, may overlap the next one, because its last blocks
/// leave room.
constexpr Ns tailPart = 10;
/// Polls within this distance (ns) are one wait.
constexpr Ns pollGap = 100'000;
constexpr std::int32_t notReady = 600; ///< cudaErrorNotReady, CUDA_ERROR_NOT_READY
/// Copies from pageable memory up to this size go into the command buffer, and wait for nothing.
constexpr std::uint64_t stagedInCommands = 65'536;
/// A launch that takes this many times as long as others waited for room in the queue, if many are in it.
constexpr Ns blockedFactor = 4;
constexpr std::size_t minDepth = 200;
constexpr std::size_t usualDepth = 1'024;
/// So many works are awaited by all waits together. Then a wait for all awaits only the last that was done:
/// thousands of streams and waits would need memory for each with each.
constexpr std::size_t maxAwaited = 4'000'000;
constexpr std::size_t maxPlaces = 16; ///< of the queue, by which its depth may differ
/// Times of calls and gaps (ns) where the recording shows none.
constexpr Ns usualTail = 3'000;
constexpr Ns usualLatency = 4'000;
constexpr Ns usualGap = 1'000;
/// A thread that stands still this long while another one makes calls waits for it.
constexpr Ns turnLength = 200'000;

/// The value below which a tenth of `values` lie; `otherwise` of nothing.
Ns lowOf(std::vector<Ns> values, Ns otherwise)
{
    if (values.empty())
        return otherwise;
    const auto place = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 10);
    std::ranges::nth_element(values, place);
    return *place;
}

Ns middleOr(const std::vector<Ns>& values, Ns otherwise)
{
    return values.empty() ? otherwise : middleOf(values);
}

/// The median of `values`, without calls that a full queue blocked, which otherwise would be most.
Ns unblockedOf(std::vector<Ns> values, Ns otherwise)
{
    const Ns low = lowOf(values, otherwise);
    std::erase_if(values, [&](Ns value) { return value > blockedFactor * low + usualLatency; });
    return middleOr(values, otherwise);
}

class GraphMaker {
public:
    GraphMaker(const Trace& trace, const ReplayWindow& window, const std::stop_token& stop)
        : m_trace(trace),
          m_window(window),
          m_stop(stop),
          m_range{window.steps.front().start, window.steps.back().end},
          m_edges(trace, window.process, withTail(trace, m_range, window), stop)
    {
    }

    std::optional<ReplayGraph> make()
    {
        m_graph.begin = m_range.start;
        m_graph.isWhole = m_window.isWhole;
        m_graph.steps = m_window.isWhole ? 1 : m_window.steps.size() - 1;
        addCalls();
        addWorks();
        const auto isLaunched = [](const ReplayWork& work) { return work.call != noNode; };
        if (std::ranges::none_of(m_graph.works, isLaunched)) // nothing would follow from a change
            return std::nullopt;
        linkStreams();
        findUsualTimes();
        setWorkDelays();
        linkWaits();
        linkQueue();
        linkTurns();
        orderAll();
        return std::move(m_graph);
    }

private:
    /// The GPU may run behind the host: the work of the window's calls lies up to a good deal after it.
    static TimeRange withTail(const Trace& trace, TimeRange range, const ReplayWindow& window)
    {
        Ns end = range.end;
        for (const Track& track : trace.apiCalls().tracks) {
            if (processOf(track.owner) != window.process)
                continue;
            for (const Lane& lane : trace.apiCalls().lanesOf(track)) {
                auto [first, last] = trace.apiCalls().touching(lane, range);
                // Launches are in order: the last ones have the latest work.
                for (int looked = 0; last > first && looked < 64; ++looked)
                    trace.visitWork(
                        --last, [&](EventRef work) { end = std::max(end, trace.range(work).end); });
            }
        }
        return {range.start, end};
    }

    std::uint32_t stepAt(Ns time) const
    {
        const auto after = std::ranges::upper_bound(m_window.steps, time, {}, &TimeRange::start);
        return after == m_window.steps.begin()
            ? 0
            : static_cast<std::uint32_t>(after - m_window.steps.begin() - 1);
    }

    void addCalls()
    {
        const EventTable& table = m_trace.apiCalls();
        for (const Track& track : table.tracks) {
            if (processOf(track.owner) != m_window.process || track.laneCount == 0)
                continue;
            const auto [first, last] = table.touching(table.lanesOf(track).front(), m_range);
            for (const EventIndex i : stoppable(first, last, m_stop)) {
                if (table.start[i] < m_range.start)
                    continue;
                // Calls of the runtime and of the driver may be on tracks of their own.
                const auto [thread, added]
                    = m_threadOf.try_emplace(track.owner, static_cast<std::uint32_t>(m_graph.threads.size()));
                if (added)
                    m_graph.threads.push_back(track.owner);
                ReplayCall call{.call = i,
                    .made = table.range(i),
                    .kind = m_edges.callKinds()[i],
                    .thread = thread->second};
                call.step = stepAt(call.made.start);
                call.length = call.made.duration();
                m_graph.calls.push_back(call);
            }
        }
        std::ranges::stable_sort(m_graph.calls, {},
            [](const ReplayCall& call) { return std::pair(call.made.start, -call.made.end); });
        keepOutermost();
        joinPolls();
        m_callsOf.resize(m_graph.threads.size());
        for (std::uint32_t i = 0; i < m_graph.calls.size(); ++i) {
            ReplayCall& call = m_graph.calls[i];
            std::vector<std::uint32_t>& ofThread = m_callsOf[call.thread];
            call.previous = ofThread.empty() ? noNode : ofThread.back();
            call.gap = call.made.start
                - (ofThread.empty() ? m_graph.begin : m_graph.calls[ofThread.back()].made.end);
            ofThread.push_back(i);
        }
    }

    /// Removes calls inside another call of their thread, which precedes them.
    void keepOutermost()
    {
        std::vector<Ns> ends(m_graph.threads.size(), m_range.start);
        std::erase_if(m_graph.calls, [&](const ReplayCall& call) {
            Ns& end = ends[call.thread];
            const bool isHeld = call.made.start < end && call.made.end <= end;
            end = std::max(end, call.made.end);
            return isHeld;
        });
    }

    /// Whether `call` checks whether work is done, without waiting.
    bool isPoll(const ReplayCall& call) const
    {
        const std::string_view name = bareCallName(m_trace.name({EventKind::ApiCall, call.call}));
        return name == "cudaEventQuery" || name == "cudaStreamQuery" || name == "cuEventQuery"
            || name == "cuStreamQuery";
    }

    /// Polls until work is done are one call that waits for it.
    void joinPolls()
    {
        std::vector<std::uint32_t> firsts(m_graph.threads.size(), noNode); // of a row of polls in vain
        std::vector<Ns> ends(m_graph.threads.size(), 0);
        std::vector<bool> joined(m_graph.calls.size(), false);
        for (std::uint32_t i = 0; i < m_graph.calls.size(); ++i) {
            ReplayCall& call = m_graph.calls[i];
            std::uint32_t& first = firsts[call.thread];
            if (first != noNode && call.made.start - ends[call.thread] > pollGap)
                first = noNode;
            ends[call.thread] = call.made.end;
            if (!isPoll(call)) {
                first = noNode;
            } else if (returnedBy(m_trace, call.call) == notReady) {
                first = first == noNode ? i : first;
            } else if (first != noNode) {
                joinInto(first, i, joined);
                first = noNode;
            }
        }
        std::uint32_t place = 0;
        std::erase_if(m_graph.calls, [&](const ReplayCall&) { return joined[place++]; });
    }

    /// Makes the polls of a thread from `first` to `last` one call, which takes the place of `first`.
    void joinInto(std::uint32_t first, std::uint32_t last, std::vector<bool>& joined)
    {
        ReplayCall& wait = m_graph.calls[first];
        for (std::uint32_t i = first + 1; i <= last; ++i) {
            if (m_graph.calls[i].thread == wait.thread)
                joined[i] = true;
        }
        wait.made.end = m_graph.calls[last].made.end;
        wait.length = wait.made.duration();
        wait.kind = CallKind::EventSync;
    }

    /// The outermost call that holds `call`; none: it is not in the window.
    std::uint32_t outermost(EventIndex call) const
    {
        const EventTable& table = m_trace.apiCalls();
        const auto thread = m_threadOf.find(table.trackOf(call).owner);
        if (thread == m_threadOf.end())
            return noNode;
        const std::vector<std::uint32_t>& calls = m_callsOf[thread->second];
        const auto after = std::ranges::upper_bound(
            calls, table.start[call], {}, [&](std::uint32_t i) { return m_graph.calls[i].made.start; });
        if (after == calls.begin())
            return noNode;
        const std::uint32_t found = *std::prev(after);
        return m_graph.calls[found].made.end >= table.end(call) ? found : noNode;
    }

    void addWorks()
    {
        for (const auto& [key, items] : m_edges.streams()) {
            const std::uint32_t stream = m_streams++;
            m_deviceOf.push_back(std::get<0>(key));
            for (const StreamItem& item : stoppableItems(items, m_stop)) {
                ReplayWork work;
                work.event = item.work;
                work.ran = item.runs;
                work.length = item.runs.duration();
                work.stream = stream;
                work.isOfDevice = m_window.device < 0 || std::get<0>(key) == m_window.device;
                const EventRef call = m_trace.apiCallOf(item.work);
                if (call.valid()) {
                    work.call = outermost(call.index);
                    // Work launched after the window does not count; page migrations have no call, and are
                    // part of the work that waits for them.
                    if (work.call == noNode && m_trace.range(call).start >= m_range.start)
                        continue;
                } else if (item.work.kind == EventKind::Memcpy) {
                    continue;
                }
                if (work.call != noNode) {
                    m_graph.calls[work.call].launches = true;
                    work.step = m_graph.calls[work.call].step;
                }
                m_graph.works.push_back(work);
            }
        }
        std::ranges::stable_sort(m_graph.works, {}, [](const ReplayWork& work) { return work.ran.start; });
    }

    void linkStreams()
    {
        std::vector<std::uint32_t> last(m_streams, noNode);
        for (std::uint32_t i = 0; i < m_graph.works.size(); ++i) {
            ReplayWork& work = m_graph.works[i];
            work.previous = last[work.stream];
            work.beginsGraph = isOfGraph(work)
                && (work.previous == noNode || m_graph.works[work.previous].call != work.call);
            last[work.stream] = i;
            m_workOf.emplace(work.event, i);
        }
        m_onStream.resize(m_streams);
        for (std::uint32_t i = 0; i < m_graph.works.size(); ++i)
            m_onStream[m_graph.works[i].stream].push_back(i);
    }

    bool isOfGraph(const ReplayWork& work) const
    {
        if (work.event.kind == EventKind::Kernel)
            return m_trace.kernels().launch(work.event.index).graphNodeId != 0;
        return work.call != noNode && m_graph.calls[work.call].kind == CallKind::Launch;
    }

    Ns endOf(std::uint32_t work) const { return m_graph.works[work].ran.end; }

    void findUsualTimes()
    {
        std::vector<Ns> latencies; // of launches on an idle GPU
        std::vector<Ns> behindWork; // of the others, which may also have waited
        std::vector<Ns> gaps;
        std::vector<Ns> graphGaps;
        std::vector<Ns> nodeGaps;
        std::vector<Ns> launches;
        std::vector<Ns> kernels;
        std::vector<Ns> copies;
        std::uint32_t lastCall = noNode;
        for (const ReplayWork& work : m_graph.works) {
            if (work.call == noNode)
                continue;
            const ReplayCall& call = m_graph.calls[work.call];
            const bool idle = work.previous == noNode || endOf(work.previous) <= call.made.start;
            if (work.event.kind == EventKind::Kernel)
                (idle ? latencies : behindWork).push_back(work.ran.start - call.made.start);
            // Launched long before the one before it was done: it waited in the stream.
            if (work.previous != noNode && call.made.end + usualLatency < endOf(work.previous))
                (work.beginsGraph ? graphGaps : gaps).push_back(work.ran.start - endOf(work.previous));
            if (work.previous != noNode && m_graph.works[work.previous].call == work.call && isOfGraph(work))
                nodeGaps.push_back(work.ran.start - endOf(work.previous));
            // A graph has many pieces of work for one call.
            if (call.kind == CallKind::Launch && work.call != lastCall)
                launches.push_back(call.made.duration());
            lastCall = work.call;
            if (call.kind == CallKind::Launch && work.event.kind == EventKind::Kernel && !isOfGraph(work))
                kernels.push_back(call.made.duration());
            else if (call.kind == CallKind::Copy && call.made.end < work.ran.end)
                copies.push_back(call.made.duration());
        }
        constexpr std::size_t fewest = 8; // the first launches load code
        Ns latency = lowOf(latencies, usualLatency);
        if (latencies.size() < fewest)
            latency = std::min(latency, lowOf(behindWork, latency));
        m_graph.launchLatency = std::max<Ns>(latency, 0);
        m_graph.streamGap = std::max<Ns>(middleOr(gaps, usualGap), 0);
        m_graph.graphGap = std::max<Ns>(middleOr(graphGaps, m_graph.streamGap), 0);
        m_graph.nodeGap = std::max<Ns>(middleOr(nodeGaps, 0), 0);
        m_graph.launchLength = unblockedOf(launches, usualLatency);
        m_graph.kernelLaunch = unblockedOf(kernels, 0);
        m_graph.copyCallLength = unblockedOf(copies, 0);
    }

    /// Work on another stream of the device that ends at most `before` before `work` begins; none.
    std::uint32_t likelyProducer(const ReplayWork& work, Ns before) const
    {
        const auto& byEnd = m_edges.byEnd();
        auto after = std::ranges::upper_bound(
            byEnd, work.ran.start, {}, [](const StreamItem& item) { return item.runs.end; });
        while (after != byEnd.begin()) {
            --after;
            if (after->runs.end < work.ran.start - before)
                break;
            const auto found = m_workOf.find(after->work);
            if (found == m_workOf.end())
                continue;
            const ReplayWork& other = m_graph.works[found->second];
            if (other.stream != work.stream && m_deviceOf[other.stream] == m_deviceOf[work.stream]
                && other.ran.start < work.ran.start && other.length > 0)
                return found->second;
        }
        return noNode;
    }

    /// The work of other streams of the device that probably delayed `work`, which could have begun at
    /// `ready`: it ends when `work` begins, or, where another stream was busy most of the time, ends last. No
    /// recorded event explains the delay: a wait of its stream, or missing room on the GPU. None: no other
    /// work ran.
    std::uint32_t likelyHolder(const ReplayWork& work, Ns ready) const
    {
        const Ns start = work.ran.start;
        std::uint32_t latest = noNode;
        bool isBusy = false;
        for (std::uint32_t stream = 0; stream < m_streams; ++stream) {
            if (stream == work.stream || m_deviceOf[stream] != m_deviceOf[work.stream])
                continue;
            const std::vector<std::uint32_t>& works = m_onStream[stream];
            const auto after = std::ranges::lower_bound(
                works, start, {}, [&](std::uint32_t i) { return m_graph.works[i].ran.start; });
            if (after == works.begin())
                continue;
            const ReplayWork& before = m_graph.works[*std::prev(after)];
            if (before.ran.end > start && before.ran.end - start <= before.length / tailPart)
                return *std::prev(after);
            isBusy |= 2 * busyIn(works, {ready, start}) > start - ready;
            auto done = std::prev(after);
            while (done != works.begin() && endOf(*done) > start)
                --done;
            if (endOf(*done) <= start && (latest == noNode || endOf(*done) > endOf(latest)))
                latest = *done;
        }
        return isBusy ? latest : noNode;
    }

    /// The time in `range` of `works`, which are of one stream.
    Ns busyIn(const std::vector<std::uint32_t>& works, TimeRange range) const
    {
        Ns busy = 0;
        auto at = std::ranges::lower_bound(
            works, range.end, {}, [&](std::uint32_t i) { return m_graph.works[i].ran.start; });
        while (at != works.begin() && endOf(*std::prev(at)) > range.start) {
            --at;
            busy += m_graph.works[*at].ran.clippedTo(range).duration();
        }
        return busy;
    }

    void setWorkDelays()
    {
        for (ReplayWork& work : m_graph.works) {
            const Ns start = work.ran.start;
            const bool isFirst = work.previous == noNode;
            const Ns free = isFirst ? m_graph.begin : endOf(work.previous);
            if (work.call == noNode) {
                work.gap = std::min(start - free, m_graph.gapBefore(work));
                continue;
            }
            const Ns called = m_graph.calls[work.call].made.start;
            const Ns reachable = called + m_graph.launchLatency;
            work.latency = std::min(start - called, m_graph.launchLatency);
            work.gap = std::min(start - free, m_graph.gapBefore(work));
            const Ns ready = isFirst ? reachable : std::max(reachable, free);
            std::uint32_t producer = noNode;
            if (const EventRef known = m_edges.producerOf(work.event); known.valid()) {
                if (const auto found = m_workOf.find(known); found != m_workOf.end())
                    producer = found->second;
                work.isOrdered = producer != noNode;
            }
            if (producer == noNode && start - ready > soonAfter)
                producer = likelyProducer(work, std::clamp((start - ready) / 100, soonAfter, latestAfter));
            // A launch that is long itself, such as one that loads code, delays its work.
            const bool isLaunch = m_graph.calls[work.call].kind == CallKind::Launch;
            const Ns held = isLaunch ? std::max(ready, m_graph.calls[work.call].made.end) : ready;
            if (producer == noNode && start - held > longHeld)
                producer = likelyHolder(work, held);
            if (producer != noNode && endOf(producer) > ready
                && (endOf(producer) <= start || !work.isOrdered)) {
                work.producer = producer;
                work.producerGap = start - endOf(producer);
            } else if (isFirst || reachable >= free) {
                work.latency = start - called;
            } else {
                work.gap = start - free;
            }
        }
    }

    /// A call waits for the work of a stream that was launched last before it.
    void linkWaits()
    {
        std::vector<std::uint32_t> last(m_streams, noNode);
        std::vector<std::vector<std::uint32_t>> launched(m_graph.calls.size());
        for (std::uint32_t i = 0; i < m_graph.works.size(); ++i) {
            if (m_graph.works[i].call != noNode)
                launched[m_graph.works[i].call].push_back(i);
            else
                last[m_graph.works[i].stream] = i;
        }
        std::map<CallKind, std::vector<Ns>> tails;
        std::map<CallKind, std::vector<Ns>> lengths;
        for (std::uint32_t i = 0; i < m_graph.calls.size(); ++i) {
            ReplayCall& call = m_graph.calls[i];
            for (const std::uint32_t work : launched[i])
                last[m_graph.works[work].stream] = work;
            addAwaited(call, last, launched[i]);
            (call.waited ? tails : lengths)[call.kind].push_back(
                call.waited ? call.tail : call.made.duration());
        }
        for (ReplayCall& call : m_graph.calls) {
            if (call.awaitedCount == 0)
                continue;
            if (call.waited) {
                call.length = std::min(call.length, lowOf(lengths[call.kind], usualGap));
            } else {
                Ns done = m_graph.begin;
                for (std::uint32_t a = 0; a < call.awaitedCount; ++a)
                    done = std::max(done, endOf(m_graph.awaited[call.firstAwaited + a]));
                call.tail = std::min(middleOr(tails[call.kind], usualTail), call.made.end - done);
            }
        }
    }

    /// A copy from pageable memory waits for its stream, and returns when its last part is on the way.
    bool waitsForBegin(const ReplayWork& work, const ReplayCall& call) const
    {
        if (work.event.kind != EventKind::Memcpy || work.ran.start >= call.made.end
            || work.ran.start <= call.made.start)
            return false;
        const CopyAttributes& copy = m_trace.memcpys().copy(work.event.index);
        return copy.kind == CopyKind::HtoD && copy.source == MemoryKind::Pageable
            && m_trace.memcpys().bytes[work.event.index] > stagedInCommands;
    }

    void addAwaited(
        ReplayCall& call, const std::vector<std::uint32_t>& last, const std::vector<std::uint32_t>& own)
    {
        call.firstAwaited = static_cast<std::uint32_t>(m_graph.awaited.size());
        const bool copies = call.kind == CallKind::Copy || call.kind == CallKind::Set;
        const bool releases = call.kind == CallKind::Release || call.kind == CallKind::PinHost
            || call.kind == CallKind::Allocate;
        Ns done = m_graph.begin;
        const auto await = [&](std::uint32_t work) {
            m_graph.awaited.push_back(work);
            ++call.awaitedCount;
            done = std::max(done, endOf(work));
        };
        if (copies) {
            for (const std::uint32_t work : own) {
                if (endOf(work) <= call.made.end)
                    await(work);
                else if (waitsForBegin(m_graph.works[work], call))
                    call.room = work;
            }
        } else if (waits(call.kind) || releases) {
            const bool one = call.kind == CallKind::StreamSync || call.kind == CallKind::EventSync;
            std::uint32_t latest = noNode;
            bool allDone = true;
            for (const std::uint32_t work : last) {
                if (work == noNode)
                    continue;
                if (endOf(work) > call.made.end)
                    allDone = false;
                else if (latest == noNode || endOf(work) > endOf(latest))
                    latest = work;
            }
            // The stream or event is not recorded: assumes the one whose work was done last. A release waits
            // for the device where the recording shows that.
            const bool waitsForAll
                = !releases || (allDone && latest != noNode && endOf(latest) > call.made.start);
            if ((one || m_graph.awaited.size() > maxAwaited) && latest != noNode) {
                if (one || waitsForAll)
                    await(latest);
            } else if (!one && waitsForAll) {
                for (const std::uint32_t work : last) {
                    if (work != noNode && endOf(work) <= call.made.end)
                        await(work);
                }
            }
        }
        call.waited = call.awaitedCount > 0 && done > call.made.start;
        if (call.waited)
            call.tail = call.made.end - done;
        if (call.room != noNode) {
            call.tail = call.made.end - m_graph.works[call.room].ran.start;
            call.length = std::min(call.length, m_graph.launchLatency);
        }
    }

    bool isBlocked(const ReplayCall& call) const
    {
        return call.made.duration() > blockedFactor * usualLengthOf(call) + usualLatency;
    }

    /// Which of `works`, those that may fill the queue before `call`, the oldest first, makes room for it.
    /// Some works take several places: a call that was blocked waits for the next one that began during it.
    std::uint32_t roomFor(const ReplayCall& call, std::span<const std::uint32_t> works) const
    {
        const auto begin = [&](std::size_t i) { return m_graph.works[works[i]].ran.start; };
        std::size_t i = 0;
        const std::size_t most = std::min(works.size() - 1, maxPlaces);
        while (i < most && isBlocked(call) && begin(i) <= call.made.start && begin(i + 1) <= call.made.end)
            ++i;
        return works[i];
    }

    /// Calls that took long because much before them on their stream had not begun wait for that.
    void linkQueue()
    {
        std::vector<std::uint32_t> first(m_graph.calls.size(), noNode); // work of each call that starts some
        for (std::uint32_t i = 0; i < m_graph.works.size(); ++i) {
            const std::uint32_t call = m_graph.works[i].call;
            if (call != noNode && first[call] == noNode && m_graph.calls[call].awaitedCount == 0)
                first[call] = i;
        }
        struct Queue {
            std::vector<std::uint32_t> works; ///< in the order of their calls; one for each call
            std::size_t begun = 0;
        };
        std::vector<Queue> queues(m_streams);
        for (std::uint32_t i = 0; i < m_graph.works.size(); ++i) {
            if (m_graph.works[i].call == noNode) // launched before the window
                queues[m_graph.works[i].stream].works.push_back(i);
        }
        std::vector<std::size_t> place(m_graph.calls.size(), 0);
        std::size_t depth = 0;
        for (std::uint32_t i = 0; i < m_graph.calls.size(); ++i) {
            if (first[i] == noNode)
                continue;
            const ReplayCall& call = m_graph.calls[i];
            auto& [works, begun] = queues[m_graph.works[first[i]].stream];
            while (begun < works.size() && m_graph.works[works[begun]].ran.start <= call.made.start)
                ++begun;
            place[i] = works.size();
            if (isBlocked(call))
                depth = std::max(depth, works.size() - begun);
            works.push_back(first[i]);
        }
        if (depth < minDepth)
            depth = usualDepth;
        for (std::uint32_t i = 0; i < m_graph.calls.size(); ++i) {
            if (first[i] == noNode || place[i] < depth || m_graph.calls[i].room != noNode)
                continue;
            ReplayCall& call = m_graph.calls[i];
            const std::uint32_t room = roomFor(
                call, std::span(queues[m_graph.works[first[i]].stream].works).subspan(place[i] - depth));
            const Ns began = m_graph.works[room].ran.start;
            if (began > call.made.end)
                continue;
            call.room = room;
            if (began > call.made.start) {
                call.length = std::min(call.length, usualLengthOf(call));
                call.tail = call.made.end - began;
            } else {
                call.tail = std::min<Ns>(usualTail, call.made.end - began);
            }
        }
    }

    /// The host time of a call like `call` that does not wait.
    Ns usualLengthOf(const ReplayCall& call) const
    {
        if (call.kind == CallKind::Copy && m_graph.copyCallLength > 0)
            return m_graph.copyCallLength;
        return m_graph.launchLength;
    }

    /// Threads that take turns: one waits while another works that was idle before and after, such as
    /// autograd's thread and the thread that calls backward().
    void linkTurns()
    {
        if (m_graph.threads.size() < 2)
            return;
        for (std::size_t thread = 0; thread < m_callsOf.size(); ++thread) {
            for (const std::uint32_t i : m_callsOf[thread]) {
                ReplayCall& call = m_graph.calls[i];
                if (call.gap >= turnLength)
                    linkTurn(call);
            }
        }
    }

    void linkTurn(ReplayCall& call)
    {
        const bool isFirst = call.previous == noNode;
        const TimeRange before
            = isFirst ? TimeRange{m_graph.begin, m_graph.begin} : m_graph.calls[call.previous].made;
        for (std::size_t other = 0; other < m_callsOf.size(); ++other) {
            if (other == call.thread)
                continue;
            const std::vector<std::uint32_t>& calls = m_callsOf[other];
            const auto startOf = [&](std::uint32_t i) { return m_graph.calls[i].made.start; };
            const auto first = std::ranges::lower_bound(calls, before.start, {}, startOf);
            const auto last = std::ranges::lower_bound(calls, call.made.start, {}, startOf);
            if (first == last)
                continue;
            const bool beganInIt = startOf(*first) >= before.end || m_graph.calls[*first].gap >= turnLength;
            const ReplayCall& final = m_graph.calls[*std::prev(last)];
            const bool endedInIt = final.made.end <= call.made.start
                && (last == calls.end() || m_graph.calls[*last].gap >= turnLength);
            if (!beganInIt || !endedInIt)
                continue;
            if (call.turn == noNode || final.made.end > m_graph.calls[call.turn].made.end) {
                call.turn = *std::prev(last);
                call.turnGap = call.made.start - final.made.end;
            }
        }
    }

    /// Orders all events by dependency: by time, but times rounded to microseconds are often equal.
    void orderAll()
    {
        const std::size_t calls = m_graph.calls.size();
        const std::size_t works = m_graph.works.size();
        std::vector<ReplayEvent> events; // begins, works, returns
        events.reserve(2 * calls + works);
        for (std::uint32_t i = 0; i < calls; ++i)
            events.push_back({m_graph.calls[i].made.start, ReplayEvent::Kind::CallBegins, i});
        std::vector<Ns> latest(m_streams, m_graph.begin);
        for (std::uint32_t i = 0; i < works; ++i) {
            // Clocks of host and GPU may differ by a little: work comes after its call.
            const ReplayWork& work = m_graph.works[i];
            Ns& time = latest[work.stream];
            time = std::max(time, work.ran.start);
            if (work.call != noNode)
                time = std::max(time, m_graph.calls[work.call].made.start);
            events.push_back({time, ReplayEvent::Kind::WorkRuns, i});
        }
        for (std::uint32_t i = 0; i < calls; ++i)
            events.push_back({m_graph.calls[i].made.end, ReplayEvent::Kind::CallReturns, i});

        std::vector<std::pair<std::uint32_t, std::uint32_t>> edges; // from, to: indexes into `events`
        const auto follow = [&](std::size_t before, std::size_t after) {
            edges.emplace_back(static_cast<std::uint32_t>(before), static_cast<std::uint32_t>(after));
        };
        for (std::size_t i = 0; i < calls; ++i) {
            const ReplayCall& call = m_graph.calls[i];
            follow(i, calls + works + i);
            for (const std::uint32_t before : {call.previous, call.turn}) {
                if (before != noNode)
                    follow(calls + works + before, i);
            }
            for (std::uint32_t a = 0; a < call.awaitedCount; ++a)
                follow(calls + m_graph.awaited[call.firstAwaited + a], calls + works + i);
            if (call.room != noNode)
                follow(calls + call.room, calls + works + i);
        }
        for (std::size_t i = 0; i < works; ++i) {
            const ReplayWork& work = m_graph.works[i];
            if (work.call != noNode)
                follow(work.call, calls + i);
            for (const std::uint32_t before : {work.previous, work.producer}) {
                if (before != noNode)
                    follow(calls + before, calls + i);
            }
        }
        m_graph.order = inOrder(events, std::move(edges));
    }

    /// `events` by time, each after its predecessors in `edges`. Cyclic ones come last.
    static std::vector<ReplayEvent> inOrder(
        const std::vector<ReplayEvent>& events, std::vector<std::pair<std::uint32_t, std::uint32_t>> edges)
    {
        std::ranges::sort(edges);
        std::vector<std::uint32_t> open(events.size(), 0);
        for (const auto& [before, after] : edges)
            ++open[after];
        const auto isLater = [&](std::uint32_t a, std::uint32_t b) {
            return std::tuple(events[a].time, events[a].kind, a)
                > std::tuple(events[b].time, events[b].kind, b);
        };
        std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, decltype(isLater)> ready(isLater);
        for (std::uint32_t i = 0; i < events.size(); ++i) {
            if (open[i] == 0)
                ready.push(i);
        }
        std::vector<ReplayEvent> order;
        order.reserve(events.size());
        while (!ready.empty()) {
            const std::uint32_t next = ready.top();
            ready.pop();
            order.push_back(events[next]);
            const auto [first, last]
                = std::ranges::equal_range(edges, next, {}, [](const auto& edge) { return edge.first; });
            for (auto edge = first; edge != last; ++edge) {
                if (--open[edge->second] == 0)
                    ready.push(edge->second);
            }
        }
        for (std::uint32_t i = 0; i < events.size(); ++i) {
            if (open[i] > 0)
                order.push_back(events[i]);
        }
        return order;
    }

    const Trace& m_trace;
    const ReplayWindow& m_window;
    const std::stop_token& m_stop;
    TimeRange m_range;
    WorkEdges m_edges;
    ReplayGraph m_graph;
    std::uint32_t m_streams = 0;
    std::vector<std::int32_t> m_deviceOf; ///< by stream
    std::vector<std::vector<std::uint32_t>> m_callsOf; ///< by thread
    std::vector<std::vector<std::uint32_t>> m_onStream; ///< works of each stream, by begin
    std::unordered_map<GlobalId, std::uint32_t> m_threadOf;
    std::map<EventRef, std::uint32_t> m_workOf;
};

} // namespace

ReplayGraph withUsualTimes(ReplayGraph graph)
{
    std::map<EventKind, std::vector<Ns>> latencies;
    std::map<CallKind, std::vector<Ns>> tails;
    for (const ReplayWork& work : graph.works) {
        if (work.call != noNode && work.latency > graph.launchLatency)
            latencies[work.event.kind].push_back(work.latency);
    }
    for (const ReplayCall& call : graph.calls) {
        if (call.waited)
            tails[call.kind].push_back(call.tail);
    }
    std::map<EventKind, Ns> usualLatencies;
    for (const auto& [kind, values] : latencies)
        usualLatencies[kind] = middleOf(values);
    std::map<CallKind, Ns> usualTails;
    for (const auto& [kind, values] : tails)
        usualTails[kind] = middleOf(values);
    for (ReplayWork& work : graph.works) {
        if (work.call != noNode && work.latency > graph.launchLatency)
            work.latency = usualLatencies[work.event.kind];
        work.gap = std::min(work.gap, graph.gapBefore(work));
        work.producerGap = std::min(work.producerGap, graph.streamGap);
    }
    for (ReplayCall& call : graph.calls) {
        if (call.waited)
            call.tail = usualTails[call.kind];
    }
    return graph;
}

std::optional<ReplayGraph> replayGraphOf(
    const Trace& trace, const ReplayWindow& window, const std::stop_token& stop)
{
    if (window.steps.empty() || !trace.links)
        return std::nullopt;
    return GraphMaker(trace, window, stop).make();
}

} // namespace warpline
