#include "core/rows/row_builder.h"

#include "core/base/format.h"
#include "core/base/utf8.h"
#include "core/coverage/coverage_cache.h"
#include "core/store/trace.h"

#include <algorithm>

namespace warpline {

namespace {

std::string figureOf(const Trace& trace, const Row& row, Figure figure)
{
    if (figure == Figure::Count)
        return formatCount(row.events);
    if (figure == Figure::Busy && !trace.session.empty())
        return formatShare(static_cast<double>(row.busy) / static_cast<double>(trace.session.duration()));
    return {};
}

std::string baseName(std::string_view path)
{
    const std::size_t slash = path.find_last_of("/\\");
    return toUtf8(slash == std::string_view::npos ? path : path.substr(slash + 1));
}

} // namespace

Row trackRow(const Trace& trace, CoverageCache& coverages, TrackRef ref, std::string key, std::string label,
    Tint tint, Figure figure)
{
    Row row;
    row.key = std::move(key);
    row.label = std::move(label);
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
    row.figure = figureOf(trace, row, durations == 0 ? Figure::Count : figure);
    return row;
}

Row summaryRow(const Trace& trace, CoverageCache& coverages, std::vector<TrackRef> tracks, std::string key,
    std::string label, Tint tint, Figure figure)
{
    Row row;
    row.key = std::move(key);
    row.label = std::move(label);
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
    row.figure = figureOf(trace, row, figure);
    return row;
}

Row headerRow(std::string key, std::string label)
{
    Row row;
    row.key = std::move(key);
    row.label = std::move(label);
    return row;
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

std::string processTitle(const Trace& trace, GlobalId process)
{
    const Process* const known = trace.process(process);
    const std::string name = known ? baseName(trace.text(known->name)) : std::string();
    const std::string pid = "[" + std::to_string(pidOf(process)) + "]";
    const auto rank = trace.mpiRanks.empty() ? std::nullopt : trace.mpiRank(process);
    return (name.empty() ? "Process " + pid : pid + " " + name)
        + (rank ? ", MPI rank " + std::to_string(*rank) : std::string());
}

std::string threadTitle(const Trace& trace, GlobalId thread)
{
    const Thread* const known = trace.thread(thread);
    const std::string name = known ? baseName(trace.text(known->name)) : std::string();
    const std::string tid = "[" + std::to_string(tidOf(thread)) + "]";
    return name.empty() ? "Thread " + tid : tid + " " + name;
}

std::string streamTitle(const Trace& trace, const Track& track)
{
    if (track.stream < 0)
        return "Whole context";
    std::string title = "Stream " + std::to_string(track.stream);
    for (const StreamInfo& info : trace.streams) {
        if (pidOf(info.process) != pidOf(track.owner) || info.stream != track.stream
            || (info.context >= 0 && info.context != track.context))
            continue;
        if (info.isDefault)
            title = "Default stream " + std::to_string(track.stream);
        if (info.name != StringId{})
            title += " (" + toUtf8(trace.text(info.name)) + ")";
    }
    return title;
}

} // namespace warpline
