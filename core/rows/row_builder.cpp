#include "core/rows/row_builder.h"

#include "core/coverage/coverage_cache.h"
#include "core/store/counter_title.h"
#include "core/store/trace.h"

#include <algorithm>

namespace warpline {

namespace {

void setFigure(const Trace& trace, Row& row, Figure figure)
{
    if (figure == Figure::Count)
        row.figure = countText(row.events);
    row.showsBusy = figure == Figure::Busy && !trace.session.empty();
}

} // namespace

Row trackRow(const Trace& trace, CoverageCache& coverages, TrackRef ref, std::string key, Message label,
    Tint tint, Figure figure)
{
    Row row = headerRow(std::move(key), std::move(label));
    row.tint = tint;
    row.tracks = {ref};
    const EventTable& table = trace.table(ref.kind);
    const Track& track = table.tracks[ref.track];
    row.events = track.eventCount;
    row.lanes = track.laneCount;
    Ns durations = 0;
    for (const Lane& lane : table.lanesOf(track))
        durations += table.durationSum(lane.first, lane.first + lane.count);
    row.drawing = durations == 0 ? Drawing::Marks : Drawing::Slices;
    if (track.laneCount == 1) {
        row.busy = durations;
    } else {
        row.coverage = coverages.of(trace, row.tracks);
        row.busy = row.coverage->total();
    }
    setFigure(trace, row, durations == 0 ? Figure::Count : figure);
    return row;
}

Row summaryRow(const Trace& trace, CoverageCache& coverages, std::vector<TrackRef> tracks, std::string key,
    Message label, Tint tint, Figure figure)
{
    Row row = headerRow(std::move(key), std::move(label));
    row.tint = tint;
    row.drawing = Drawing::Summary;
    row.tracks = std::move(tracks);
    std::uint32_t lanes = 0;
    for (const TrackRef& ref : row.tracks) {
        row.events += trace.track(ref).eventCount;
        lanes += trace.track(ref).laneCount;
    }
    if (lanes == 1) {
        const EventTable& table = trace.table(row.tracks.front().kind);
        const Track& only = trace.track(row.tracks.front());
        row.busy = table.durationSum(only.firstEvent, only.firstEvent + only.eventCount);
    } else {
        row.coverage = coverages.of(trace, row.tracks);
        row.busy = row.coverage->total();
    }
    setFigure(trace, row, figure);
    return row;
}

Row headerRow(std::string key, Message label)
{
    Row row;
    row.key = std::move(key);
    row.label = std::move(label);
    return row;
}

Row counterRow(const Trace& trace, std::uint32_t counter, std::string key, Drawing drawing)
{
    const CounterSeries& series = trace.counters[counter];
    Row row = headerRow(std::move(key), counterTitle(trace, series));
    row.drawing = drawing;
    row.tint = Tint::Counter;
    row.counter = counter;
    row.hint = {"row.samples", "{samples} samples", {{"samples", Count{series.size()}}}};
    return row;
}

Message countText(std::uint64_t count)
{
    return {"row.count", "{count}", {{"count", Count{count}}}};
}

std::vector<TrackRef> tracksOf(const Trace& trace, EventKind kind)
{
    std::vector<TrackRef> refs;
    for (std::uint32_t i = 0; i < trace.table(kind).tracks.size(); ++i) {
        if (trace.table(kind).tracks[i].eventCount > 0)
            refs.push_back({kind, i});
    }
    return refs;
}

} // namespace warpline
