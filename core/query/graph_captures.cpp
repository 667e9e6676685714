#include "core/query/graph_captures.h"

#include "core/base/both_ends.h"
#include "core/derive/kept_answers.h"
#include "core/store/library_domains.h"
#include "core/store/trace.h"

#include <algorithm>
#include <ranges>

namespace warpline {

GraphCaptures::GraphCaptures(const Trace& trace)
    : m_table(trace.tables[indexOf(EventKind::GraphEvent)])
{
    const GraphEventTable& events = trace.graphEvents();
    for (const Track& track : events.tracks) {
        auto& ofProcess = m_events[processOf(track.owner)];
        for (EventIndex i = track.firstEvent; i < track.firstEvent + track.eventCount; ++i) {
            const GraphNode& node = events.nodeOf(i);
            if (node.node == 0)
                continue;
            // A copy has two events: its creation, and its source.
            const auto [place, added] = ofProcess.try_emplace(node.node, i);
            if (!added && node.original != 0)
                place->second = i;
        }
    }
}

EventIndex GraphCaptures::madeAt(GlobalId process, std::uint64_t node) const
{
    constexpr int maxCopies = 64;
    const auto ofProcess = m_events.find(process);
    if (ofProcess == m_events.end())
        return noIndex;
    const auto& events = static_cast<const GraphEventTable&>(*m_table);
    EventIndex made = noIndex;
    for (int i = 0; i < maxCopies && node != 0; ++i) {
        const auto found = ofProcess->second.find(node);
        if (found == ofProcess->second.end())
            break;
        made = found->second;
        node = events.nodeOf(made).original;
    }
    return made;
}

std::string GraphCaptures::pathOf(const Trace& trace, GlobalId process, std::uint64_t node) const
{
    const EventIndex made = madeAt(process, node);
    if (made == noIndex)
        return {};
    return rangePath(trace, rangesAt(trace, m_table->trackOf(made).owner, m_table->start[made]));
}

namespace {

KeptAnswers<EventTable, GraphCaptures> keptCaptures;

} // namespace

std::shared_ptr<const GraphCaptures> graphCapturesOf(const Trace& trace)
{
    return keptCaptures.of(
        trace.tables[indexOf(EventKind::GraphEvent)], [&] { return GraphCaptures(trace); });
}

std::shared_ptr<const GraphCaptures> knownGraphCaptures(const Trace& trace)
{
    return keptCaptures.known(trace.tables[indexOf(EventKind::GraphEvent)]);
}

std::uint64_t graphNodeOf(const Trace& trace, EventRef work)
{
    if (work.kind == EventKind::Kernel)
        return trace.kernels().launch(work.index).graphNodeId;
    return work.kind == EventKind::Memcpy ? trace.memcpys().copy(work.index).graphNodeId : 0;
}

std::vector<EventIndex> rangesAt(const Trace& trace, GlobalId thread, Ns time)
{
    std::vector<EventIndex> ranges = rangesOfThreadAt(trace, thread, time);
    std::erase_if(ranges,
        [&](EventIndex range) { return isLibraryDomain(trace.text(trace.nvtx().trackOf(range).family)); });
    return ranges;
}

std::vector<EventIndex> rangesOfThreadAt(const Trace& trace, GlobalId thread, Ns time)
{
    std::vector<EventIndex> ranges;
    const NvtxTable& nvtx = trace.nvtx();
    for (const Track& track : nvtx.tracks) {
        if (track.owner != thread || track.device >= 0)
            continue;
        for (const Lane& lane : nvtx.lanesOf(track)) {
            const EventIndex i = nvtx.firstEndingAfter(lane, time);
            if (i < lane.first + lane.count && nvtx.start[i] <= time && nvtx.duration[i] > 0)
                ranges.push_back(i);
        }
    }
    std::ranges::stable_sort(ranges, [&](EventIndex a, EventIndex b) {
        return nvtx.start[a] != nvtx.start[b] ? nvtx.start[a] < nvtx.start[b] : nvtx.end(a) > nvtx.end(b);
    });
    return ranges;
}

std::string rangePath(const Trace& trace, const std::vector<EventIndex>& ranges)
{
    std::string path;
    for (const EventIndex range : std::views::reverse(ranges)) {
        if (!putBefore(path, trace.text(trace.nvtx().name[range]), " / "))
            break;
    }
    return path;
}

} // namespace warpline
