#include "core/derive/launch_times.h"

#include "core/store/event_loops.h"
#include "core/store/trace.h"

#include <algorithm>

namespace warpline {

namespace {

/// Whether there may be nodes of graphs in `ref`: looks at its events or at all records, whichever are fewer,
/// since there may be as many streams as events.
bool hasNodes(const Trace& trace, TrackRef ref)
{
    const Track& track = trace.track(ref);
    const auto isIn = [&](const auto& records, const std::vector<std::uint32_t>& recordOf) {
        const auto isNode = [](const auto& record) { return record.graphNodeId != 0; };
        if (records.size() <= track.eventCount)
            return std::ranges::any_of(records, isNode);
        const auto ofTrack = std::span(recordOf).subspan(track.firstEvent, track.eventCount);
        return std::ranges::any_of(ofTrack, [&](std::uint32_t record) { return isNode(records[record]); });
    };
    if (ref.kind == EventKind::Kernel)
        return isIn(trace.kernels().launches, trace.kernels().attribute);
    return ref.kind == EventKind::Memcpy && isIn(trace.memcpys().copies, trace.memcpys().attribute);
}

bool isNode(const Trace& trace, EventKind kind, EventIndex i)
{
    return kind == EventKind::Kernel ? trace.kernels().launch(i).graphNodeId != 0
                                     : trace.memcpys().copy(i).graphNodeId != 0;
}

} // namespace

StreamLaunches::StreamLaunches(
    const Trace& from, std::span<const TrackRef> ofStream, std::size_t most, const std::stop_token& stop)
    : trace(&from),
      tracks(ofStream)
{
    std::vector<std::pair<EventIndex, Ns>> ofGraphs; // call, end of its nodes
    for (const TrackRef& ref : tracks) {
        const EventTable& table = from.table(ref.kind);
        const auto& apiOf = from.links->apiOf[indexOf(ref.kind)];
        const bool looksAtAll = hasNodes(from, ref);
        for (const EventIndex i : eventsOf(table.tracks[ref.track], stop)) {
            if (!looksAtAll && count > most)
                break;
            const EventIndex call = i < apiOf.size() ? apiOf[i] : noIndex;
            if (call == noIndex)
                continue;
            if (!looksAtAll || !isNode(from, ref.kind, i))
                ++count;
            else if (!ofGraphs.empty() && ofGraphs.back().first == call)
                ofGraphs.back().second = std::max(ofGraphs.back().second, table.end(i));
            else
                ofGraphs.emplace_back(call, table.end(i));
        }
    }
    std::ranges::sort(ofGraphs);
    const EventTable& calls = from.apiCalls();
    for (std::size_t i = 0; i < ofGraphs.size(); ++i) {
        const auto& [call, end] = ofGraphs[i];
        if (i + 1 < ofGraphs.size() && ofGraphs[i + 1].first == call)
            continue; // the last node to end
        graphBegins.push_back(calls.start[call]);
        graphEnds.push_back(std::max(calls.start[call], end));
    }
    count += graphBegins.size();
    std::ranges::sort(graphBegins);
    std::ranges::sort(graphEnds);
}

LaunchTimes::LaunchTimes(const StreamLaunches& launches, Of of, Order order, const std::stop_token& stop)
    : m_trace(*launches.trace),
      m_calls(m_trace.apiCalls()),
      m_of(of),
      m_stop(stop)
{
    addLanes(launches);
    add(listOf(of == Of::Begins ? launches.graphBegins : launches.graphEnds));
    if (order == Order::Sorted) {
        for (const Place& source : m_sources) {
            do
                m_sorted.insert(m_sorted.end(), source->times.data(), source->times.data() + source->count);
            while (fill(*source));
        }
        m_sources.clear();
        m_outOfOrder = false;
        std::ranges::sort(m_sorted);
        add(listOf(m_sorted));
    }
    findOthers();
}

void LaunchTimes::addLanes(const StreamLaunches& launches)
{
    const Trace& trace = *launches.trace;
    for (const TrackRef& ref : launches.tracks) {
        const EventTable& table = trace.table(ref.kind);
        const auto& apiOf = trace.links->apiOf[indexOf(ref.kind)];
        const bool nodes = hasNodes(trace, ref);
        for (const Lane& lane : table.lanesOf(table.tracks[ref.track])) {
            auto source = std::make_unique<Source>();
            source->work = &table;
            source->apiOf = &apiOf;
            source->hasNodes = nodes;
            source->next = lane.first;
            source->end = std::min(lane.first + lane.count, static_cast<EventIndex>(apiOf.size()));
            add(std::move(source));
        }
    }
}

LaunchTimes::Place LaunchTimes::listOf(std::span<const Ns> times)
{
    auto source = std::make_unique<Source>();
    source->list = times;
    return source;
}

void LaunchTimes::add(Place source)
{
    if (!fill(*source))
        return;
    m_sources.push_back(std::move(source));
    std::ranges::push_heap(m_sources, isLater);
}

bool LaunchTimes::fill(Source& source)
{
    Ns last = source.count > 0 ? source.times[source.count - 1] : std::numeric_limits<Ns>::min();
    source.at = 0;
    source.count = 0;
    if (!source.work) {
        const std::size_t part = std::min(source.list.size(), source.times.size());
        std::copy_n(source.list.begin(), part, source.times.begin());
        source.list = source.list.subspan(part);
        source.count = part;
        m_stop.step();
        return part > 0;
    }
    for (; source.next < source.end && source.count < source.times.size(); ++source.next) {
        m_stop.step();
        const EventIndex call = (*source.apiOf)[source.next];
        if (call == noIndex || (source.hasNodes && isNode(m_trace, source.work->kind, source.next)))
            continue;
        const Ns begin = m_calls.start[call];
        const Ns time = m_of == Of::Begins ? begin : std::max(begin, source.work->end(source.next));
        m_outOfOrder |= time < last;
        last = time;
        source.times[source.count++] = time;
    }
    return source.count > 0;
}

void LaunchTimes::moveOn()
{
    std::ranges::pop_heap(m_sources, isLater);
    Source& source = *m_sources.back();
    if (++source.at == source.count && !fill(source))
        m_sources.pop_back();
    else
        std::ranges::push_heap(m_sources, isLater);
    findOthers();
}

void LaunchTimes::findOthers()
{
    m_others = none;
    for (std::size_t i = 1; i < std::min<std::size_t>(3, m_sources.size()); ++i)
        m_others = std::min(m_others, m_sources[i]->times[m_sources[i]->at]);
}

} // namespace warpline
