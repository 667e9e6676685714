// Streams that wait for each other (cudaStreamWaitEvent): the work that they wait for, and how long only that
// wait held the next work. A wait is joined to the record of its event by CUPTI's id; exports before 2025.1
// have none. nsys has no such table.

#include "core/derive/stream_waits.h"
#include "core/kernels/kernel_label.h"
#include "core/stats/duration_summary.h"
#include "core/stats/grouping.h"
#include "core/stats/stats_table.h"
#include "core/store/gpu_names.h"
#include "core/store/trace.h"

#include <algorithm>
#include <map>

namespace warpline::stream_wait_sum {

namespace {

/// Waits that are one row.
struct Key {
    std::uint32_t waitingTrack = 0; ///< of the synchronizations
    std::uint32_t recordingTrack = 0; ///< of the event records
    std::string producer;
    std::string consumer;
    auto operator<=>(const Key&) const = default;
};

struct Row {
    std::vector<Ns> held; ///< of each wait; 0: it cost nothing
    std::uint64_t blocking = 0; ///< waits that cost time
    Ns total = 0;
    std::vector<EventRef> events;
};

std::string nameOf(const Trace& trace, EventRef work)
{
    if (!work.valid())
        return {};
    if (work.kind != EventKind::Kernel)
        return std::string(trace.displayName(work));
    return std::string(
        kernelLabel(trace.name(work), trace.text(trace.kernels().launch(work.index).shortName)));
}

Cells fill(const Trace& trace, const StatsQuery& query)
{
    const EventTable& waits = trace.table(EventKind::Synchronization);
    const EventTable& records = trace.table(EventKind::CudaEvent);
    const auto all = streamWaitsOf(trace, query.stop);
    std::map<Key, Row> rows;
    for (const StreamWait& wait : stoppableItems(*all, query.stop)) {
        if (!passes(query.covers, waits.trackOf(wait.wait)))
            continue;
        if (!query.window.empty()
            && !query.window.touches(waits.start[wait.wait], std::max(waits.end(wait.wait), wait.held.end)))
            continue;
        Row& row = rows[{waits.trackIndexOf(wait.wait), records.trackIndexOf(wait.record),
            nameOf(trace, wait.producer), nameOf(trace, wait.consumer)}];
        row.held.push_back(wait.held.duration());
        row.total += wait.held.duration();
        row.blocking += wait.held.empty() ? 0 : 1;
        if (query.wantEvents)
            row.events.push_back(
                wait.consumer.valid() ? wait.consumer : EventRef{EventKind::Synchronization, wait.wait});
    }
    Cells cells;
    cells.columns = {{"Total Wait (ns)", Unit::Nanoseconds}, {"Waits", Unit::Count},
        {"Blocking", Unit::Count}, {"Med (ns)", Unit::NanosecondsReal}, {"Max (ns)", Unit::Nanoseconds},
        {"GPU", Unit::Integer}, {"Stream", Unit::Integer}, {"Next Work", Unit::Text},
        {"Waits For Stream", Unit::Integer}, {"Waits For", Unit::Text}};
    for (auto* const each : largestFirst(rows, [](const auto& row) { return row.second.total; })) {
        auto& [key, row] = *each;
        const Track& waiting = waits.tracks[key.waitingTrack];
        const Track& recording = records.tracks[key.recordingTrack];
        const DurationSummary summary = summarize(row.held);
        cells.addRow(
            {summary.total, static_cast<std::int64_t>(summary.count), static_cast<std::int64_t>(row.blocking),
                summary.median, summary.max, std::int64_t{gpuNumber(trace, waiting.owner, waiting.device)},
                std::int64_t{waiting.stream}, key.consumer, std::int64_t{recording.stream}, key.producer},
            row.events);
    }
    return cells;
}

} // namespace

extern constinit const StatsTable streamWaitSum{.id = "stream_wait_sum",
    .title = "CUDA Stream Wait Summary",
    .description
    = "What do streams wait for? Waits for events of other streams: for which work, and how long it alone delays them.",
    .applies = hasStreamWaits,
    .fill = fill,
    .origin = TableOrigin::Own,
    .group = TableGroup::Gpu};

} // namespace warpline::stream_wait_sum
