#include "views/timeline/row_content.h"

#include "core/base/parallel.h"
#include "core/query/range_stats.h"
#include "core/store/trace.h"

#include <algorithm>

namespace warpline {

namespace {

/// With more lanes than this a summary shows how busy they were, not which event it was.
constexpr std::size_t maxSummedLanes = 48;
/// A heading shows where something happened below it, from the first so many lanes.
constexpr std::size_t maxLanesBelow = 32;

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

constexpr std::size_t minPerThread = 4; ///< lanes or rows

int columnsOf(int pixels, int columnWidth)
{
    return (pixels + columnWidth - 1) / columnWidth;
}

/// From places in columns to places in pixels.
void stretch(std::vector<LodSlice>& slices, int columns, int pixels)
{
    if (columns == pixels)
        return;
    const float width = static_cast<float>(pixels) / static_cast<float>(columns);
    for (LodSlice& slice : slices) {
        slice.x0 *= width;
        slice.x1 *= width;
    }
}

/// From an entry for each column to one for each pixel.
template <typename Column> void stretch(std::vector<Column>& columns, int pixels)
{
    const auto wanted = static_cast<std::size_t>(pixels);
    if (columns.size() == wanted)
        return;
    std::vector<Column> all(wanted);
    for (std::size_t x = 0; x < wanted; ++x)
        all[x] = columns[x * columns.size() / wanted];
    columns = std::move(all);
}

} // namespace

std::pair<int, int> pixelsOf(const LodSlice& slice, int pixels)
{
    // Rounds like lround(), without a call per slice; negative values become 0 anyway.
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

void RowContents::prepare(std::span<const Row* const> wanted, int pixels)
{
    std::vector<Part> parts;
    for (const Row* const row : wanted) {
        RowContent& content = m_rows[raw(row->id)];
        if (content.pixels == pixels && content.columnWidth == m_columnWidth
            && content.shown == m_session.time().drawn())
            continue;
        content = {m_session.time().drawn(), pixels, m_columnWidth, {}, {}, {}, {}, {}};
        parts.push_back({row, &content, lanesOf(*row)});
    }
    fillLanesOf(parts, pixels);
    handOutAtOnce(
        threadsFor(parts.size(), minPerThread), parts.size(), [&](std::size_t i) { fill(parts[i]); });
}

const RowContent& RowContents::of(const Row& wanted, int pixels)
{
    const Row* const row = &wanted;
    prepare({&row, 1}, pixels);
    return m_rows.at(raw(wanted.id));
}

std::vector<RowContents::LaneRef> RowContents::lanesOf(const Row& row) const
{
    std::vector<LaneRef> lanes;
    if (m_session.workspace().isOfAll(row.id) || row.counter != noIndex)
        return lanes;
    const Trace& trace = *m_session.workspace().report(row.report).trace;
    const auto add = [&](const TrackRef& ref, std::uint32_t count) {
        for (std::uint32_t i = 0; i < count; ++i)
            lanes.push_back({ref.kind, trace.track(ref).firstLane + i});
    };
    if (row.drawing != Drawing::Header) {
        if (row.drawing != Drawing::Summary || laneCount(trace, row) <= maxSummedLanes)
            std::ranges::for_each(
                row.tracks, [&](const TrackRef& ref) { add(ref, trace.track(ref).laneCount); });
    } else {
        std::size_t taken = 0;
        for (const TrackRef& ref : m_session.rows().tracksBelow(row.id)) { // all of one report
            // Nested events lie within the first lane; GPU work in further lanes is concurrent.
            if (tellsActivity(ref.kind) && ++taken <= maxLanesBelow)
                add(ref, isGpuWork(ref.kind) ? trace.track(ref).laneCount : 1);
        }
    }
    return lanes;
}

const RowContents::LaneContent& RowContents::lane(ReportId report, LaneRef lane) const
{
    return m_lanes.at(laneKey(report, lane.kind, lane.index));
}

void RowContents::fillLanesOf(std::span<const Part> parts, int pixels)
{
    struct Stale {
        const OpenReport* report;
        LaneRef lane;
        LaneContent* content;
    };
    std::vector<Stale> stale;
    for (const Part& part : parts) {
        for (const LaneRef& lane : part.lanes) {
            LaneContent& content = m_lanes[laneKey(part.row->report, lane.kind, lane.index)];
            if (content.pixels == pixels && content.columnWidth == m_columnWidth
                && content.shown == m_session.time().drawn())
                continue;
            content.pixels = pixels;
            content.columnWidth = m_columnWidth;
            content.shown = m_session.time().drawn();
            stale.push_back({&m_session.workspace().report(part.row->report), lane, &content});
        }
    }
    // The long ones first: a thread that is done early finds short ones left.
    std::ranges::sort(stale, std::ranges::greater(), [](const Stale& each) {
        return each.report->trace->table(each.lane.kind).lanes[each.lane.index].count;
    });
    handOutAtOnce(threadsFor(stale.size(), minPerThread), stale.size(), [&](std::size_t i) {
        const EventTable& table = stale[i].report->trace->table(stale[i].lane.kind);
        levelOfDetail(table, table.lanes[stale[i].lane.index],
            stale[i].report->clock.toReport(m_session.time().drawn()), columnsOf(pixels, m_columnWidth),
            stale[i].content->slices);
        stretch(stale[i].content->slices, columnsOf(pixels, m_columnWidth), pixels);
    });
}

void RowContents::fill(const Part& part) const
{
    const Row& row = *part.row;
    RowContent& content = *part.content;
    if (m_session.workspace().isOfAll(row.id)) {
        fillExchanges(content, row);
        return;
    }
    const OpenReport& report = m_session.workspace().report(row.report);
    const TimeRange window = report.clock.toReport(content.shown);
    if (row.counter != noIndex) {
        counterColumns(report.trace->counters[row.counter], window,
            columnsOf(content.pixels, content.columnWidth), content.columns);
        stretch(content.columns, content.pixels);
    } else if (row.drawing == Drawing::Summary) {
        fillShare(part, window);
        fillIdle(part, window);
        if (laneCount(*report.trace, row) <= maxSummedLanes)
            content.lanes.push_back(flattened(piecesOf(part), content.pixels));
    } else if (row.drawing != Drawing::Header) {
        fillLanes(part);
    } else {
        content.lanes.push_back(flattened(piecesOf(part), content.pixels));
    }
}

void RowContents::fillShare(const Part& part, TimeRange window) const
{
    RowContent& content = *part.content;
    const OpenReport& report = m_session.workspace().report(part.row->report);
    if (part.lanes.size() == 1 && window.duration() >= content.pixels) {
        busyShare(lane(report.id, part.lanes.front()).slices, content.pixels, content.share);
        return;
    }
    rowBusyShare(
        *report.trace, *part.row, window, columnsOf(content.pixels, content.columnWidth), content.share);
    stretch(content.share, content.pixels);
}

void RowContents::fillIdle(const Part& part, TimeRange window) const
{
    const auto times = m_idle && part.row->tellsIdle ? m_idle->find(part.row->report) : nullptr;
    if (!times)
        return;
    RowContent& content = *part.content;
    times->along(gpuOf(m_session.trace(part.row->report), *part.row), window,
        columnsOf(content.pixels, content.columnWidth), content.idle);
    stretch(content.idle, content.pixels);
}

void RowContents::fillLanes(const Part& part) const
{
    for (const LaneRef& each : part.lanes) {
        std::vector<Piece>& pieces = part.content->lanes.emplace_back();
        const std::vector<LodSlice>& slices = lane(part.row->report, each).slices;
        pieces.reserve(slices.size());
        for (const LodSlice& slice : slices)
            pieces.push_back({slice, each.kind});
    }
}

std::vector<Piece> RowContents::piecesOf(const Part& part) const
{
    std::vector<Piece> pieces;
    for (const LaneRef& each : part.lanes) {
        for (const LodSlice& slice : lane(part.row->report, each).slices)
            pieces.push_back({slice, each.kind});
    }
    return pieces;
}

void RowContents::fillExchanges(RowContent& content, const Row& row) const
{
    constexpr double minWidth = 2;
    const Workspace& workspace = m_session.workspace();
    std::vector<const ExchangeLane*> lanes;
    for (const RowId each : m_session.rows().subtree(row.id)) {
        if (const ExchangeLane* const lane = workspace.exchangeLane(each))
            lanes.push_back(lane);
    }
    content.share.assign(static_cast<std::size_t>(std::max(0, content.pixels)), 0);
    content.wait = content.share;
    std::vector<Piece>& pieces = content.lanes.emplace_back();
    for (const ExchangeLane* const lane : lanes)
        lane->addShares(workspace.report(lane->report).clock.toReport(content.shown), content.wait,
            content.share, 1.0F / static_cast<float>(lanes.size()));
    if (row.drawing == Drawing::Header)
        return;
    const ExchangeLane& lane = *lanes.front();
    const TimeRange window = workspace.report(lane.report).clock.toReport(content.shown);
    const double scale = content.pixels / static_cast<double>(std::max<Ns>(1, window.duration()));
    std::vector<std::size_t> found;
    lane.findLong(window, static_cast<Ns>(minWidth / scale), found);
    for (const std::size_t i : found) {
        const ExchangeSlice& slice = lane.slices()[i];
        const auto xOf
            = [&](Ns time) { return static_cast<float>(static_cast<double>(time - window.start) * scale); };
        pieces.push_back(
            {{xOf(slice.range.start), xOf(slice.range.end), slice.event.index, 1, 1, slice.event.index},
                slice.event.kind});
    }
}

} // namespace warpline
