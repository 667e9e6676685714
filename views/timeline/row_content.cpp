#include "views/timeline/row_content.h"

#include "core/query/range_stats.h"

#include <algorithm>

namespace warpline {

namespace {

/// With more lanes than this a summary shows how busy they were, not which event it was.
constexpr std::size_t mostSummedLanes = 48;
/// A collapsed heading shows where something happened below it, from the first so many lanes.
constexpr std::size_t mostCollapsedLanes = 32;

quint64 laneKey(ReportId report, EventKind kind, std::uint32_t lane)
{
    return static_cast<quint64>(raw(report)) << 40U | static_cast<quint64>(indexOf(kind)) << 32U | lane;
}

bool tellsActivity(EventKind kind)
{
    return kind != EventKind::ThreadState && kind != EventKind::Overhead && kind != EventKind::Diagnostic
        && kind != EventKind::Synchronization && kind != EventKind::HostFunction && !isDerived(kind);
}

std::size_t laneCount(const Trace& trace, const Row& row)
{
    std::size_t lanes = 0;
    for (const TrackRef& ref : row.tracks)
        lanes += trace.track(ref).laneCount;
    return lanes;
}

} // namespace

std::pair<int, int> pixelsOf(const LodSlice& slice, int pixels)
{
    // Rounds like lround(), which is a call for each of a frame's slices; what is negative becomes 0 anyway.
    const auto rounded
        = [](float x) { return static_cast<int>(std::max(0.0, static_cast<double>(x)) + 0.5); };
    const int first = std::clamp(rounded(slice.x0), 0, pixels - 1);
    return {first, std::clamp(rounded(slice.x1), first + 1, pixels)};
}

std::vector<Piece> flattened(const std::vector<Piece>& pieces, int pixels)
{
    const auto length = [](const Piece& piece) { return piece.slice.x1 - piece.slice.x0; };
    const auto liesBelow = [&](const Piece& a, const Piece& b) {
        const bool partA = a.slice.share < 1;
        const bool partB = b.slice.share < 1;
        return partA != partB ? partA : partA ? a.slice.share < b.slice.share : length(a) > length(b);
    };
    constexpr std::uint32_t none = 0xFFFFFFFF;
    std::vector<std::uint32_t> owner(static_cast<std::size_t>(std::max(0, pixels)), none);
    for (std::uint32_t i = 0; i < pieces.size(); ++i) {
        const auto [first, last] = pixelsOf(pieces[i].slice, pixels);
        for (int x = first; x < last; ++x) {
            std::uint32_t& top = owner[static_cast<std::size_t>(x)];
            if (top == none || !liesBelow(pieces[i], pieces[top]))
                top = i;
        }
    }
    std::vector<Piece> out;
    for (std::size_t x = 0; x < owner.size();) {
        std::size_t end = x + 1;
        while (end < owner.size() && owner[end] == owner[x])
            ++end;
        if (owner[x] != none) {
            Piece piece = pieces[owner[x]];
            piece.slice.x0 = static_cast<float>(x);
            piece.slice.x1 = static_cast<float>(end);
            out.push_back(piece);
        }
        x = end;
    }
    return out;
}

void RowContents::clear()
{
    m_rows.clear();
    m_lanes.clear();
}

const std::vector<LodSlice>& RowContents::lane(
    const OpenReport& report, EventKind kind, std::uint32_t index, int pixels)
{
    LaneContent& content = m_lanes[laneKey(report.id, kind, index)];
    if (content.pixels != pixels || content.shown != m_session.drawn()) {
        content.pixels = pixels;
        content.shown = m_session.drawn();
        const EventTable& table = report.trace->table(kind);
        levelOfDetail(
            table, table.lanes[index], report.clock.toReport(content.shown), pixels, content.slices);
    }
    return content.slices;
}

const RowContent& RowContents::of(const Row& row, int pixels, bool collapsed)
{
    RowContent& content = m_rows[raw(row.id)];
    if (content.pixels == pixels && content.shown == m_session.drawn() && content.collapsed == collapsed)
        return content;
    content = {m_session.drawn(), pixels, collapsed, {}, {}, {}, {}};
    const OpenReport& report = m_session.workspace().report(row.report);
    if (m_session.workspace().isOfAll(row.id))
        fillExchanges(content, row);
    else if (row.counter != noIndex)
        counterColumns(report.trace->counters[row.counter], report.clock.toReport(content.shown), pixels,
            content.columns);
    else if (row.drawing == Drawing::Summary)
        fillSummary(content, row);
    else if (row.drawing != Drawing::Header)
        fillLanes(content, row);
    else if (collapsed)
        fillCollapsed(content, row);
    return content;
}

void RowContents::fillLanes(RowContent& content, const Row& row)
{
    const OpenReport& report = m_session.workspace().report(row.report);
    for (const TrackRef& ref : row.tracks) {
        const Track& track = report.trace->track(ref);
        for (std::uint32_t i = 0; i < track.laneCount; ++i) {
            std::vector<Piece>& pieces = content.lanes.emplace_back();
            for (const LodSlice& slice : lane(report, ref.kind, track.firstLane + i, content.pixels))
                pieces.push_back({slice, ref.kind});
        }
    }
}

void RowContents::fillSummary(RowContent& content, const Row& row)
{
    const OpenReport& report = m_session.workspace().report(row.report);
    const Trace& trace = *report.trace;
    rowBusyShare(trace, row, report.clock.toReport(content.shown), content.pixels, content.share);
    if (laneCount(trace, row) > mostSummedLanes)
        return;
    std::vector<Piece> pieces;
    for (const TrackRef& ref : row.tracks) {
        const Track& track = trace.track(ref);
        for (std::uint32_t i = 0; i < track.laneCount; ++i) {
            for (const LodSlice& slice : lane(report, ref.kind, track.firstLane + i, content.pixels))
                pieces.push_back({slice, ref.kind});
        }
    }
    content.lanes.push_back(flattened(pieces, content.pixels));
}

void RowContents::fillExchanges(RowContent& content, const Row& row)
{
    constexpr double leastWidth = 2;
    const Workspace& workspace = m_session.workspace();
    std::vector<const ExchangeLane*> lanes;
    for (const RowId each : m_session.rows().subtree(row.id)) {
        if (const ExchangeLane* const lane = workspace.exchangeLane(each))
            lanes.push_back(lane);
    }
    content.share.assign(static_cast<std::size_t>(std::max(0, content.pixels)), 0);
    content.wait = content.share;
    std::vector<Piece>& pieces = content.lanes.emplace_back();
    if (row.drawing == Drawing::Header && !content.collapsed)
        return;
    for (const ExchangeLane* const lane : lanes)
        lane->addShares(workspace.report(lane->report).clock.toReport(content.shown), content.wait,
            content.share, 1.0F / static_cast<float>(lanes.size()));
    if (row.drawing == Drawing::Header)
        return;
    const ExchangeLane& lane = *lanes.front();
    const TimeRange window = workspace.report(lane.report).clock.toReport(content.shown);
    const double scale = content.pixels / static_cast<double>(std::max<Ns>(1, window.duration()));
    std::vector<std::size_t> found;
    lane.findLong(window, static_cast<Ns>(leastWidth / scale), found);
    for (const std::size_t i : found) {
        const ExchangeSlice& slice = lane.slices()[i];
        const auto xOf
            = [&](Ns time) { return static_cast<float>(static_cast<double>(time - window.start) * scale); };
        pieces.push_back(
            {{xOf(slice.range.start), xOf(slice.range.end), slice.event.index, 1, 1, slice.event.index},
                slice.event.kind});
    }
}

void RowContents::fillCollapsed(RowContent& content, const Row& row)
{
    const OpenReport& report = m_session.workspace().report(row.report);
    const Trace& trace = *report.trace;
    std::vector<Piece> pieces;
    std::size_t lanes = 0;
    for (const TrackRef& ref : m_session.rows().tracksBelow(row.id)) { // all of one report
        if (!tellsActivity(ref.kind) || ++lanes > mostCollapsedLanes)
            continue;
        // What is nested lies within the first lane; work of the GPU in further lanes runs beside it.
        const Track& track = trace.track(ref);
        const std::uint32_t shown = isGpuWork(ref.kind) ? track.laneCount : 1;
        for (std::uint32_t i = 0; i < shown; ++i) {
            for (const LodSlice& slice : lane(report, ref.kind, track.firstLane + i, content.pixels))
                pieces.push_back({slice, ref.kind});
        }
    }
    content.lanes.push_back(flattened(pieces, content.pixels));
}

} // namespace warpline
