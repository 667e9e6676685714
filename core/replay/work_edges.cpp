#include "core/replay/work_edges.h"

#include "core/derive/tracks_of.h"
#include "core/store/event_loops.h"
#include "core/store/trace.h"

#include <algorithm>

namespace warpline {

namespace {

bool beginsBefore(const StreamItem& a, const StreamItem& b)
{
    return std::tie(a.runs.start, a.runs.end, a.work) < std::tie(b.runs.start, b.runs.end, b.work);
}

WorkEdges::StreamKey streamOf(const Track& track)
{
    return {track.device, track.context, track.stream};
}

} // namespace

WorkEdges::WorkEdges(const Trace& trace, GlobalId process, TimeRange window, const std::stop_token& stop)
    : m_trace(trace),
      m_calls(trace)
{
    for (const EventKind kind : gpuWorkKinds) {
        const EventTable& table = trace.table(kind);
        for (const Track& track : TracksOf(trace, kind, process)) {
            std::vector<StreamItem>& items = m_streams[streamOf(track)];
            for (const EventIndex i : eventsIn(table, track, window, stop)) {
                items.push_back({table.range(i), {kind, i}});
                m_byEnd.push_back(items.back());
            }
        }
    }
    for (auto& [key, items] : m_streams)
        std::sort(items.begin(), items.end(), beginsBefore);
    std::ranges::stable_sort(m_byEnd, {}, [](const StreamItem& item) { return item.runs.end; });
    for (const StreamWait& wait : *streamWaitsOf(trace, stop)) {
        if (!wait.held.empty())
            m_heldBy.emplace(wait.consumer, wait.producer);
    }
}

const StreamItem* WorkEdges::find(EventRef work) const
{
    const auto stream = m_streams.find(streamOf(m_trace.track(m_trace.trackOf(work))));
    if (stream == m_streams.end())
        return nullptr;
    const StreamItem wanted{m_trace.range(work), work};
    const auto found = std::lower_bound(stream->second.begin(), stream->second.end(), wanted, beginsBefore);
    return found != stream->second.end() && found->work == work ? &*found : nullptr;
}

const StreamItem* WorkEdges::before(const StreamItem& item) const
{
    const auto& items = m_streams.at(streamOf(m_trace.track(m_trace.trackOf(item.work))));
    auto place = std::lower_bound(items.begin(), items.end(), item, beginsBefore);
    // If work overlaps on its stream, the latest that was done before counts.
    while (place != items.begin()) {
        --place;
        if (place->runs.end <= item.runs.start)
            return &*place;
    }
    return nullptr;
}

const StreamItem* WorkEdges::doneBy(Ns time) const
{
    const auto after
        = std::ranges::upper_bound(m_byEnd, time, {}, [](const StreamItem& item) { return item.runs.end; });
    return after != m_byEnd.begin() ? &*std::prev(after) : nullptr;
}

EventRef WorkEdges::producerOf(EventRef work) const
{
    const auto held = m_heldBy.find(work);
    return held != m_heldBy.end() ? held->second : EventRef{};
}

bool isDefaultStream(const Trace& trace, GlobalId process, const WorkEdges::StreamKey& key)
{
    const auto [device, context, stream] = key;
    for (const StreamInfo& info : trace.streams) {
        if (pidOf(info.process) == pidOf(process) && info.context == context && info.stream == stream)
            return info.isDefault;
    }
    return stream == 0 || stream == 7; // CUPTI's numbers of the null stream
}

bool WorkEdges::isWait(EventIndex call) const
{
    const CallKind kind = m_calls[call];
    bool waited = waits(kind);
    if (kind == CallKind::Copy || kind == CallKind::Set) {
        const Ns returned = m_trace.apiCalls().end(call);
        m_trace.visitWork(call, [&](EventRef work) { waited |= m_trace.range(work).end <= returned; });
    }
    return waited;
}

} // namespace warpline
