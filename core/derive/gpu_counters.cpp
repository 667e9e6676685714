#include "core/derive/gpu_counters.h"

#include "core/base/parallel.h"
#include "core/derive/launch_times.h"
#include "core/store/event_loops.h"
#include "core/store/lane_merge.h"
#include "core/store/trace.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace warpline {

namespace {

using StreamKey
    = std::tuple<GlobalId, std::int32_t, std::int32_t, std::int32_t>; // ..., device, context, stream
using GpuKey = std::pair<GlobalId, std::int32_t>;
using TracksByStream = std::map<StreamKey, std::vector<TrackRef>>;

/// A value that holds from its time to the next one's. It is 0 from the session's start.
class CounterSteps {
public:
    /// Above this number of changes, only the maximum of each interval is kept.
    static constexpr std::size_t maxChanges = 500'000;

    /// For a value that changes `changes` times; of more than maxChanges it does not matter how many.
    CounterSteps(TimeRange session, std::size_t changes)
        : m_stretch(changes > maxChanges ? session.duration() / static_cast<Ns>(maxChanges) + 1 : 0),
          m_stretchEnd(session.start + m_stretch)
    {
        const std::size_t samples = std::min(changes + 1, 2 * maxChanges);
        m_times.reserve(samples);
        m_values.reserve(samples);
        push(session.start, 0);
    }

    /// Times ascend. Of several values at one time the last counts.
    void add(Ns time, double value)
    {
        const auto now = static_cast<float>(value);
        if (m_stretch == 0) {
            if (m_times.back() == time)
                m_values.back() = now;
            else
                push(time, now);
            return;
        }
        if (time < m_stretchEnd)
            m_values.back() = m_values.back() < now ? now : m_values.back();
        else
            beginStretch(time, now);
        m_last = now;
    }

    /// Returns the summarized samples and empties this; the caller names the series.
    CounterSeries series()
    {
        if (m_stretch > 0)
            endStretch(m_inStretch + 2);
        m_times.shrink_to_fit();
        m_values.shrink_to_fit();
        CounterSeries made;
        made.values = std::move(m_values);
        made.summarize();
        made.times = std::make_shared<const std::vector<Ns>>(std::move(m_times));
        return made;
    }

private:
    void push(Ns time, float value)
    {
        m_times.push_back(time);
        m_values.push_back(value);
    }
    void beginStretch(Ns time, float value)
    {
        const Ns stretch = (time - m_times.front()) / m_stretch;
        endStretch(stretch);
        push(time, std::max(value, m_last));
        m_inStretch = stretch;
        m_stretchEnd = m_times.front() + (stretch + 1) * m_stretch;
    }

    void endStretch(Ns next)
    {
        // Where the value did not change in between, the last value holds, not the maximum.
        if (next > m_inStretch + 1 && m_values.back() != m_last)
            push(m_times.front() + (m_inStretch + 1) * m_stretch, m_last);
    }

    Ns m_stretch; ///< its length; 0: every change is a sample
    Ns m_inStretch = 0;
    Ns m_stretchEnd; ///< the end of the stretch with the last value
    float m_last = 0;
    std::vector<Ns> m_times;
    std::vector<float> m_values;
};

TracksByStream streamsOf(const Trace& trace)
{
    TracksByStream streams;
    for (const EventKind kind :
        {EventKind::Kernel, EventKind::GraphTrace, EventKind::Memcpy, EventKind::Memset}) {
        const EventTable& table = trace.table(kind);
        for (std::uint32_t i = 0; i < table.tracks.size(); ++i) {
            const Track& track = table.tracks[i];
            if (track.eventCount > 0)
                streams[{track.owner, track.device, track.context, track.stream}].push_back({kind, i});
        }
    }
    return streams;
}

/// The number of launches whose work is not done, over time. An end and a begin at the same time cancel.
/// Nothing when the times are not in order.
std::optional<CounterSeries> countOpen(
    const StreamLaunches& launches, TimeRange session, LaunchTimes::Order order, const std::stop_token& stop)
{
    LaunchTimes begins(launches, LaunchTimes::Of::Begins, order, stop);
    LaunchTimes ends(launches, LaunchTimes::Of::Ends, order, stop);
    CounterSteps steps(session, 2 * launches.count);
    std::int64_t open = 0;
    Ns begin = begins.next();
    Ns end = ends.next();
    while (end != LaunchTimes::none) {
        if (begins.isOutOfOrder() || ends.isOutOfOrder())
            return {};
        if (begin <= end) {
            steps.add(begin, static_cast<double>(++open));
            begin = begins.next();
        } else {
            steps.add(end, static_cast<double>(--open));
            end = ends.next();
        }
    }
    return steps.series();
}

/// Nothing for a stream with less than two launches.
std::optional<CounterSeries> queueDepth(const Trace& trace, const StreamKey& stream,
    std::span<const TrackRef> tracks, const std::stop_token& stop)
{
    const StreamLaunches launches(trace, tracks, CounterSteps::maxChanges, stop);
    if (launches.count < 2)
        return {};
    auto made = countOpen(launches, trace.session, LaunchTimes::Order::AsLanes, stop);
    if (!made)
        made = countOpen(launches, trace.session, LaunchTimes::Order::Sorted, stop);
    made->kind = CounterKind::QueueDepth;
    std::tie(made->owner, made->device, made->context, made->stream) = stream;
    return made;
}

/// The time in which one stream runs: ranges by start, those that overlap or touch as one.
class RunningTime {
public:
    RunningTime(const Trace& trace, std::span<const TrackRef> tracks)
    {
        for (const TrackRef& ref : tracks) {
            const EventTable& table = trace.table(ref.kind);
            for (const Lane& lane : table.lanesOf(table.tracks[ref.track])) {
                LaneRun run{ref.kind, &table, lane.first, lane.first + lane.count};
                if (toWork(run))
                    m_runs.push_back(run);
            }
        }
        std::ranges::make_heap(m_runs, startsLater);
        moveOn();
    }

    /// The stream runs in `range()`; not once it isDone().
    const TimeRange& range() const { return m_range; }
    bool isDone() const { return m_isDone; }
    /// To the next range.
    void moveOn()
    {
        m_isDone = m_runs.empty();
        if (m_isDone)
            return;
        m_range = takeFirst();
        while (!m_runs.empty() && m_runs.front().start() <= m_range.end)
            m_range.end = std::max(m_range.end, takeFirst().end);
    }

private:
    static bool startsLater(const LaneRun& a, const LaneRun& b) { return a.start() > b.start(); }
    /// Passes over events that take no time; false at the end.
    static bool toWork(LaneRun& run)
    {
        while (run.next < run.end && run.table->duration[run.next] == 0)
            ++run.next;
        return run.next < run.end;
    }
    TimeRange takeFirst()
    {
        if (m_runs.size() > 1)
            std::ranges::pop_heap(m_runs, startsLater);
        LaneRun& run = m_runs.back();
        const TimeRange range = run.table->range(run.next++);
        if (!toWork(run))
            m_runs.pop_back();
        else if (m_runs.size() > 1)
            std::ranges::push_heap(m_runs, startsLater);
        return range;
    }

    std::vector<LaneRun> m_runs; ///< a heap: the one with the least start first
    TimeRange m_range;
    bool m_isDone = false;
};

using StreamTracks = std::span<const std::span<const TrackRef>>;

/// How often the number of `streams` that run changes, up to CounterSteps::maxChanges or a little beyond.
std::size_t changesOf(const Trace& trace, StreamTracks streams, const std::stop_token& stop)
{
    std::size_t changes = 0;
    StopCheck check(stop);
    for (const std::span<const TrackRef> tracks : streams) {
        for (RunningTime time(trace, tracks); !time.isDone() && changes <= CounterSteps::maxChanges;
             time.moveOn()) {
            check.step();
            changes += 2;
        }
    }
    return changes;
}

/// Nothing when none of `streams` ever runs.
std::optional<CounterSeries> streamsRunning(
    const Trace& trace, const GpuKey& gpu, StreamTracks streams, const std::stop_token& stop)
{
    /// The next time at which a stream begins or ends to run.
    struct Change {
        Ns time;
        bool ends;
        RunningTime* stream;
    };
    const auto isLater = [](const Change& a, const Change& b) {
        return a.time != b.time ? a.time > b.time : a.ends && !b.ends;
    };
    const std::size_t changes = changesOf(trace, streams, stop);
    if (changes == 0)
        return {};
    std::vector<RunningTime> times;
    times.reserve(streams.size());
    std::vector<Change> next;
    for (const std::span<const TrackRef> tracks : streams) {
        RunningTime& time = times.emplace_back(trace, tracks);
        if (!time.isDone())
            next.push_back({time.range().start, false, &time});
    }
    std::ranges::make_heap(next, isLater);
    CounterSteps steps(trace.session, changes);
    StopCheck check(stop);
    std::int64_t running = 0;
    while (!next.empty()) {
        check.step();
        std::ranges::pop_heap(next, isLater);
        Change& change = next.back();
        running += change.ends ? -1 : 1;
        steps.add(change.time, static_cast<double>(running));
        if (change.ends)
            change.stream->moveOn();
        change.ends = !change.ends;
        if (!change.ends && change.stream->isDone()) {
            next.pop_back();
            continue;
        }
        change.time = change.ends ? change.stream->range().end : change.stream->range().start;
        std::ranges::push_heap(next, isLater);
    }
    CounterSeries made = steps.series();
    made.kind = CounterKind::StreamsRunning;
    std::tie(made.owner, made.device) = gpu;
    return made;
}

/// One for each direction on each GPU.
std::vector<std::pair<CopyKind, CounterSeries>> copyBandwidths(
    const Trace& trace, const std::stop_token& stop)
{
    struct Change {
        Ns time;
        double rate; ///< bytes per second
    };
    const MemcpyTable& copies = trace.memcpys();
    std::map<std::tuple<GlobalId, std::int32_t, CopyKind>, std::vector<Change>> changes;
    for (const Track& track : copies.tracks) {
        for (const EventIndex i : eventsOf(track, stop)) {
            if (copies.duration[i] <= 0 || copies.bytes[i] == 0)
                continue;
            const double rate
                = static_cast<double>(copies.bytes[i]) * 1e9 / static_cast<double>(copies.duration[i]);
            auto& ofKind = changes[{track.owner, track.device, copies.copy(i).kind}];
            ofKind.push_back({copies.start[i], rate});
            ofKind.push_back({copies.end(i), -rate});
        }
    }
    std::vector<std::pair<CopyKind, CounterSeries>> bandwidths;
    for (auto& [key, ofKind] : changes) {
        std::ranges::sort(ofKind, [](const Change& a, const Change& b) {
            return std::tie(a.time, a.rate) < std::tie(b.time, b.rate);
        });
        CounterSteps steps(trace.session, ofKind.size());
        double sum = 0;
        std::size_t running = 0;
        for (const Change& change : ofKind) {
            running = change.rate > 0 ? running + 1 : running - 1;
            sum = running == 0 ? 0 : sum + change.rate; // no crumbs of rounding while nothing runs
            steps.add(change.time, std::max(0.0, sum));
        }
        CounterSeries made = steps.series();
        made.kind = CounterKind::CopyBandwidth;
        std::tie(made.owner, made.device) = std::pair(std::get<0>(key), std::get<1>(key));
        bandwidths.emplace_back(std::get<2>(key), std::move(made));
    }
    return bandwidths;
}

} // namespace

std::vector<CounterSeries> gpuCounters(const Trace& trace, StringPool& pool, const std::stop_token& stop)
{
    std::vector<CounterSeries> series;
    if (!trace.links)
        return series;
    const TracksByStream streams = streamsOf(trace);
    std::map<GpuKey, std::vector<std::span<const TrackRef>>> gpus;
    for (const auto& [key, tracks] : streams)
        gpus[{std::get<0>(key), std::get<1>(key)}].emplace_back(tracks);
    std::erase_if(gpus, [](const auto& gpu) { return gpu.second.size() < 2; });

    std::vector<std::optional<CounterSeries>> running(gpus.size());
    std::vector<std::optional<CounterSeries>> queues(streams.size());
    std::vector<std::pair<CopyKind, CounterSeries>> copies;
    std::vector<std::function<void()>> work;
    for (std::size_t i = 0; const auto& [gpu, ofGpu] : gpus)
        work.emplace_back([&, &made = running[i++]] { made = streamsRunning(trace, gpu, ofGpu, stop); });
    for (std::size_t i = 0; const auto& [stream, tracks] : streams)
        work.emplace_back([&, &made = queues[i++]] { made = queueDepth(trace, stream, tracks, stop); });
    work.emplace_back([&] { copies = copyBandwidths(trace, stop); });
    handOut(threadsFor(trace.kernels().size() + trace.memcpys().size()), work.size(),
        [&](std::size_t i) { work[i](); });

    const auto take = [&series](std::optional<CounterSeries>& made, StringId name) {
        if (!made)
            return;
        made->name = name;
        series.push_back(std::move(*made));
    };
    for (auto& made : running)
        take(made, pool.intern("Streams running"));
    for (auto& [kind, made] : copies) {
        made.name = pool.intern("Copies " + std::string(labelOf(kind)));
        made.unit = pool.intern("B/s");
        series.push_back(std::move(made));
    }
    const StringId queueName = pool.intern("Queue depth");
    for (auto& made : queues)
        take(made, queueName);
    return series;
}

} // namespace warpline
