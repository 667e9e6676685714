#include "core/derive/gpu_counters.h"

#include "core/store/event_loops.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

namespace warpline {

namespace {

using StreamKey
    = std::tuple<GlobalId, std::int32_t, std::int32_t, std::int32_t>; // ..., device, context, stream
using GpuKey = std::pair<GlobalId, std::int32_t>;
using TracksByStream = std::map<StreamKey, std::vector<TrackRef>>;

constexpr std::size_t mostChanges = 500'000;

/// A value that holds from its time to the next one's. It is 0 from the session's start.
class Steps {
public:
    /// For a value that changes `changes` times: of too many, one sample stands for a stretch.
    Steps(TimeRange session, std::size_t changes)
        : m_stretch(changes > mostChanges ? session.duration() / static_cast<Ns>(mostChanges) + 1 : 0)
    {
        const std::size_t samples = std::min(changes + 1, 2 * mostChanges);
        m_times.reserve(samples);
        m_values.reserve(samples);
        push(session.start, 0);
    }

    /// `time` never goes back. Of several values at one time the last counts.
    void add(Ns time, double value)
    {
        const auto now = static_cast<float>(value);
        if (m_times.back() == time && m_stretch == 0) {
            m_values.back() = now;
            return;
        }
        if (m_stretch == 0) {
            push(time, now);
            return;
        }
        const Ns stretch = (time - m_times.front()) / m_stretch;
        if (stretch == m_inStretch) {
            m_values.back() = std::max(m_values.back(), now);
        } else {
            endStretch(stretch);
            push(time, std::max(now, m_last));
        }
        m_inStretch = stretch;
        m_last = now;
    }

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

    /// Where nothing changes for a while, the last value holds, and not the highest of what came before.
    void endStretch(Ns next)
    {
        if (next > m_inStretch + 1 && m_values.back() != m_last)
            push(m_times.front() + (m_inStretch + 1) * m_stretch, m_last);
    }

    Ns m_stretch; ///< its length; 0: every change is a sample
    Ns m_inStretch = 0;
    float m_last = 0;
    std::vector<Ns> m_times;
    std::vector<float> m_values;
};

void sortTimes(std::vector<Ns>& times)
{
    if (!std::ranges::is_sorted(times))
        std::ranges::sort(times);
}

/// How many of `begins` and not yet of `ends` came by each time; both ascend. What ends and begins at one
/// time leaves the number as it was.
CounterSeries countOpen(const std::vector<Ns>& begins, const std::vector<Ns>& ends, TimeRange session)
{
    Steps steps(session, begins.size() + ends.size());
    std::size_t begun = 0;
    std::size_t ended = 0;
    while (ended < ends.size()) {
        const bool begin = begun < begins.size() && begins[begun] <= ends[ended];
        const Ns time = begin ? begins[begun] : ends[ended];
        ++(begin ? begun : ended);
        steps.add(time, static_cast<double>(begun) - static_cast<double>(ended));
    }
    return steps.series();
}

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

/// Begin of each call that launched work on `tracks`, and the end of the work, each sorted by itself.
void collectLaunches(const Trace& trace, const std::vector<TrackRef>& tracks, std::vector<Ns>& begins,
    std::vector<Ns>& ends, const std::stop_token& stop)
{
    const EventTable& calls = trace.apiCalls();
    std::vector<std::pair<EventIndex, Ns>> ofGraphs; // the nodes of a graph share their call
    std::size_t events = 0;
    for (const TrackRef& ref : tracks)
        events += trace.track(ref).eventCount;
    begins.reserve(events);
    ends.reserve(events);
    for (const TrackRef& ref : tracks) {
        const EventTable& table = trace.table(ref.kind);
        const auto& apiOf = trace.links->apiOf[indexOf(ref.kind)];
        for (const EventIndex i : eventsOf(table.tracks[ref.track], stop)) {
            const EventIndex call = i < apiOf.size() ? apiOf[i] : noIndex;
            if (call == noIndex)
                continue;
            const bool node = (ref.kind == EventKind::Kernel && trace.kernels().launch(i).graphNodeId != 0)
                || (ref.kind == EventKind::Memcpy && trace.memcpys().copy(i).graphNodeId != 0);
            if (node) {
                ofGraphs.emplace_back(call, table.end(i));
                continue;
            }
            begins.push_back(calls.start[call]);
            ends.push_back(std::max(calls.start[call], table.end(i)));
        }
    }
    std::ranges::sort(ofGraphs);
    for (std::size_t i = 0; i < ofGraphs.size(); ++i) {
        if (i + 1 < ofGraphs.size() && ofGraphs[i + 1].first == ofGraphs[i].first)
            continue; // the last node to end
        begins.push_back(calls.start[ofGraphs[i].first]);
        ends.push_back(std::max(begins.back(), ofGraphs[i].second));
    }
    sortTimes(begins);
    sortTimes(ends);
}

void addQueueDepths(const Trace& trace, const TracksByStream& streams, StringPool& pool,
    std::vector<CounterSeries>& series, const std::stop_token& stop)
{
    const StringId name = pool.intern("Queue depth");
    for (const auto& [key, tracks] : streams) {
        std::vector<Ns> begins;
        std::vector<Ns> ends;
        collectLaunches(trace, tracks, begins, ends, stop);
        if (begins.size() < 2)
            continue;
        CounterSeries made = countOpen(begins, ends, trace.session);
        made.kind = CounterKind::QueueDepth;
        made.name = name;
        std::tie(made.owner, made.device, made.context, made.stream) = key;
        series.push_back(std::move(made));
    }
}

/// The time in which `tracks` of one stream run, sorted by start: neighbours that overlap are one.
std::vector<TimeRange> runningOf(
    const Trace& trace, const std::vector<TrackRef>& tracks, const std::stop_token& stop)
{
    std::vector<TimeRange> ranges;
    for (const TrackRef& ref : tracks) {
        const EventTable& table = trace.table(ref.kind);
        for (const EventIndex i : eventsOf(table.tracks[ref.track], stop)) {
            if (table.duration[i] > 0)
                ranges.push_back(table.range(i));
        }
    }
    const auto byStart = [](const TimeRange& range) { return range.start; };
    if (!std::ranges::is_sorted(ranges, {}, byStart))
        std::ranges::sort(ranges, {}, byStart);
    std::size_t kept = 0;
    for (const TimeRange& range : ranges) {
        if (kept > 0 && range.start <= ranges[kept - 1].end)
            ranges[kept - 1].end = std::max(ranges[kept - 1].end, range.end);
        else
            ranges[kept++] = range;
    }
    ranges.resize(kept);
    return ranges;
}

void addStreamsRunning(const Trace& trace, const TracksByStream& streams, StringPool& pool,
    std::vector<CounterSeries>& series, const std::stop_token& stop)
{
    std::map<GpuKey, std::size_t> count;
    for (const auto& [key, tracks] : streams)
        ++count[{std::get<0>(key), std::get<1>(key)}];
    for (const auto& [gpu, number] : count) {
        if (number < 2)
            continue;
        std::vector<Ns> begins;
        std::vector<Ns> ends;
        for (const auto& [key, tracks] : streams) {
            if (GpuKey{std::get<0>(key), std::get<1>(key)} != gpu)
                continue;
            for (const TimeRange& range : runningOf(trace, tracks, stop)) {
                begins.push_back(range.start);
                ends.push_back(range.end);
            }
        }
        if (begins.empty())
            continue;
        sortTimes(begins);
        sortTimes(ends);
        CounterSeries made = countOpen(begins, ends, trace.session);
        made.kind = CounterKind::StreamsRunning;
        made.name = pool.intern("Streams running");
        std::tie(made.owner, made.device) = gpu;
        series.push_back(std::move(made));
    }
}

void addCopyBandwidth(
    const Trace& trace, StringPool& pool, std::vector<CounterSeries>& series, const std::stop_token& stop)
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
    for (auto& [key, ofKind] : changes) {
        std::ranges::sort(ofKind, [](const Change& a, const Change& b) {
            return std::tie(a.time, a.rate) < std::tie(b.time, b.rate);
        });
        Steps steps(trace.session, ofKind.size());
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
        made.name = pool.intern("Copies " + std::string(labelOf(std::get<2>(key))));
        made.unit = pool.intern("B/s");
        series.push_back(std::move(made));
    }
}

} // namespace

std::vector<CounterSeries> gpuCounters(const Trace& trace, StringPool& pool, const std::stop_token& stop)
{
    std::vector<CounterSeries> series;
    if (!trace.links)
        return series;
    const TracksByStream streams = streamsOf(trace);
    addStreamsRunning(trace, streams, pool, series, stop);
    addCopyBandwidth(trace, pool, series, stop);
    addQueueDepths(trace, streams, pool, series, stop);
    return series;
}

} // namespace warpline
