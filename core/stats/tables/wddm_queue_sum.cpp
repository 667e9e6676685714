// How full the queues of Windows' display driver model are, by process, queue, GPU, context and engine.

#include "core/coverage/intervals.h"
#include "core/import/wddm_packets.h"
#include "core/stats/duration_summary.h"
#include "core/stats/grouping.h"
#include "core/stats/stats_table.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace warpline::wddm_queue_sum {

namespace {

using Key = std::tuple<std::uint32_t, WddmQueue, std::int32_t, std::int64_t, std::int64_t, std::int64_t,
    std::string>;

struct Queue {
    std::vector<TimeRange> packets;
    std::vector<EventRef> events;
};

/// nsys leaves paging out.
constexpr std::array<WddmQueue, 2> counted{WddmQueue::Queue, WddmQueue::Dma};

std::map<Key, Queue> queuesOf(const Trace& trace, const StatsQuery& query)
{
    std::map<Key, Queue> queues;
    const LibraryCallTable& calls = trace.libraryCalls();
    for (const Track& track : calls.tracks) {
        const auto kind = std::ranges::find(counted, trace.text(track.source), sourceOf);
        if (kind == counted.end())
            continue;
        for (const EventIndex i : eventsOf(track, query.stop)) {
            const MessageFacts* const facts = calls.message(i);
            if (facts == nullptr || !isAsked(calls, i, query))
                continue;
            Queue& queue = queues[{pidOf(track.owner), *kind, track.device, facts->communicator, facts->root,
                facts->tag, std::string(trace.text(calls.name[i]))}];
            queue.packets.push_back(calls.range(i));
            if (query.wantEvents)
                queue.events.push_back({EventKind::Library, i});
        }
    }
    return queues;
}

Cells fill(const Trace& trace, const StatsQuery& query)
{
    Cells cells;
    cells.columns = {{"Utilization (%)", Unit::Percent}, {"Instances", Unit::Count},
        {"Avg (ns)", Unit::NanosecondsReal}, {"Med (ns)", Unit::NanosecondsReal},
        {"Min (ns)", Unit::Nanoseconds}, {"Max (ns)", Unit::Nanoseconds},
        {"StdDev (ns)", Unit::NanosecondsReal}, {"Name", Unit::Text}, {"Q Type", Unit::Integer},
        {"Q Name", Unit::Text}, {"PID", Unit::Integer}, {"GPU ID", Unit::Integer}, {"Context", Unit::Integer},
        {"Engine", Unit::Integer}, {"Node Ord", Unit::Integer}};
    const std::map<Key, Queue> queues = queuesOf(trace, query);
    std::map<std::uint32_t, TimeRange> spans;
    for (const auto& [key, queue] : queues) {
        TimeRange& span = spans[std::get<0>(key)];
        for (const TimeRange& packet : queue.packets)
            span = span.start == 0 && span.end == 0 ? packet : span.unitedWith(packet);
    }
    std::vector<std::pair<std::vector<Cell>, const Queue*>> rows;
    for (const auto& [key, queue] : queues) {
        const auto& [pid, kind, gpu, context, engine, node, name] = key;
        std::vector<std::int64_t> lengths;
        for (const TimeRange& packet : queue.packets)
            lengths.push_back(packet.duration());
        const DurationSummary sum = summarize(lengths);
        const TimeRange span = spans.at(pid);
        const Ns busy = totalTime(unionOf(queue.packets, {span.start, span.end + 1}));
        const double share = span.duration() > 0
            ? 100.0 * static_cast<double>(busy) / static_cast<double>(span.duration())
            : 0.0;
        rows.emplace_back(
            std::vector<Cell>{share, static_cast<std::int64_t>(sum.count), sum.mean, sum.median, sum.min,
                sum.max, sum.deviation, name, static_cast<std::int64_t>(kind), std::string(labelOf(kind)),
                std::int64_t{pid}, std::int64_t{gpu}, context, engine, node},
            &queue);
    }
    std::ranges::stable_sort(
        rows, std::greater{}, [](const auto& row) { return std::get<double>(row.first.front()); });
    for (auto& [row, queue] : rows)
        cells.addRow(std::move(row), queue->events);
    return cells;
}

bool hasPackets(const Trace& trace)
{
    return std::ranges::any_of(trace.libraryCalls().tracks, [&](const Track& track) {
        return std::ranges::find(counted, trace.text(track.source), sourceOf) != counted.end();
    });
}

} // namespace

extern constinit const StatsTable wddmQueueSum{.id = "wddm_queue_sum",
    .title = "WDDM Queue Utilization Summary",
    .description
    = "Which queue of Windows' display driver is full? Queues by process, GPU and context: how long they hold "
      "packets.",
    .applies = hasPackets,
    .fill = fill,
    .origin = TableOrigin::Documented,
    .group = TableGroup::Other};

} // namespace warpline::wddm_queue_sum
