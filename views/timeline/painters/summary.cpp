#include "views/timeline/painters/painters.h"

#include "core/store/trace.h"
#include "views/style/idle_look.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace warpline {

namespace {

constexpr double paleness = 0.7; ///< how far the shade above the busy part steps back towards the background
constexpr double quietness = 0.45;

/// The colour of each pixel; 0 where nothing happens.
std::vector<QRgb> pixelColors(const PaintContext& context, const RowContent& content, QColor color)
{
    std::vector<QRgb> colors(content.share.size(), 0);
    const auto pixels = static_cast<int>(colors.size());
    if (content.lanes.empty()) {
        for (std::size_t x = 0; x < colors.size(); ++x)
            colors[x] = content.share[x] > 0 ? color.rgb() : 0;
        return colors;
    }
    const QRgb back = context.theme.background.rgb();
    const std::vector<Piece>& pieces = content.lanes.front();
    const std::vector<QRgb> ofPieces = context.colorsOf(pieces);
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const Piece& piece = pieces[i];
        const QRgb of = ofPieces[i];
        const auto [first, last] = pixelsOf(piece.slice, pixels);
        std::fill(colors.begin() + first, colors.begin() + last, of);
        if (last - first >= separatorFrom && piece.slice.x0 > 0)
            colors[static_cast<std::size_t>(first)] = blend(of, back, 0.6);
    }
    return colors;
}

/// The content of each pixel column from the bottom up: solid lines, then a blended one for the exact height,
/// then pale ones.
struct Columns {
    std::vector<QRgb> solid;
    std::vector<QRgb> edge;
    std::vector<QRgb> pale;
    std::vector<int> solidLines;
};

Columns columnsOf(const PaintContext& context, const RowContent& content, QColor color, int height)
{
    const QRgb back = context.theme.background.rgb();
    const std::span<const QRgb> ground = context.groundColors();
    Columns columns{pixelColors(context, content, color), {}, {}, {}};
    const std::size_t width = columns.solid.size();
    columns.edge.resize(width);
    columns.pale.resize(width);
    columns.solidLines.resize(width);
    QRgb before = 0; // the colour that `pale` was mixed from: neighbours are often equal, and mixing is most
                     // of the cost
    QRgb pale = 0;
    for (std::size_t x = 0; x < width; ++x) {
        const QRgb solid = columns.solid[x];
        if (solid == 0) {
            columns.solid[x] = columns.edge[x] = columns.pale[x] = ground[x];
            continue;
        }
        if (solid != before)
            pale = blend(before = solid, back, paleness);
        const float busy = content.share[x] * static_cast<float>(height);
        const int lines = static_cast<int>(busy);
        columns.pale[x] = pale;
        columns.solidLines[x] = lines;
        columns.edge[x] = blend(pale, solid, static_cast<double>(busy) - lines);
    }
    return columns;
}

/// Slanted lines over idle time.
struct Hatch {
    std::vector<QRgb> lines; ///< of each pixel; 0: none
    std::vector<bool> falls;
    unsigned period = 8; ///< device pixels; a power of two
    unsigned width = 1;

    bool isOnLine(std::size_t x, int line) const
    {
        const auto along = static_cast<unsigned>(x);
        const auto up = static_cast<unsigned>(line);
        return ((falls[x] ? along + up : along - up) & (period - 1)) < width;
    }
};

Hatch hatchOf(const PaintContext& context, const RowContent& content, Columns& columns, const IdleTimes& idle)
{
    constexpr double quietUnderLines = 0.5;
    Hatch hatch;
    if (context.ratio >= 1.5) {
        hatch.period *= 2;
        hatch.width *= 2;
    }
    hatch.lines.resize(content.idle.size(), 0);
    hatch.falls.resize(content.idle.size(), false);
    std::map<std::uint16_t, IdleLook> looks; // a few, in turns; each takes time to work out
    for (std::size_t x = 0; x < hatch.lines.size(); ++x) {
        const std::uint16_t number = content.idle[x];
        if (number == 0 || content.share[x] >= 1)
            continue;
        const auto [known, isNew] = looks.try_emplace(number);
        if (isNew)
            known->second = idleLook(idle.partOf(number).cause, context.theme);
        columns.pale[x] = blend(columns.pale[x], context.theme.background.rgb(), quietUnderLines);
        hatch.lines[x] = known->second.color.rgb();
        hatch.falls[x] = known->second.falls;
    }
    return hatch;
}

} // namespace

void paintSummary(
    const PaintContext& context, const RowContent& content, QColor color, QRect area, const IdleTimes* idle)
{
    const int height = std::max(1, static_cast<int>(std::lround(area.height() * context.ratio)));
    Columns columns = columnsOf(context, content, color, height);
    const std::size_t width = columns.solid.size();
    const Hatch hatch = idle ? hatchOf(context, content, columns, *idle) : Hatch();
    QImage image = newImage(static_cast<int>(width), height, QImage::Format_RGB32);
    for (int line = 0; line < height; ++line) { // from the bottom up
        auto* const out = reinterpret_cast<QRgb*>(image.scanLine(height - 1 - line));
        for (std::size_t x = 0; x < width; ++x)
            out[x] = line < columns.solidLines[x] ? columns.solid[x]
                : line == columns.solidLines[x]   ? columns.edge[x]
                                                  : columns.pale[x];
        for (std::size_t x = 0; x < hatch.lines.size(); ++x) {
            if (hatch.lines[x] != 0 && line > columns.solidLines[x] && hatch.isOnLine(x, line))
                out[x] = hatch.lines[x];
        }
    }
    context.painter.drawImage(area, image);
    if (content.lanes.empty())
        return;
    paintWaits(context, content.lanes.front(), area);
    paintNames(context, content.lanes.front(), area);
}

void paintHighlightTicks(const PaintContext& context, std::span<const TrackRef> tracks, QRect area)
{
    const TimeRange shown = context.report.clock.toReport(context.session.time().drawn());
    const auto& events = context.session.selection().highlighted(context.report.id);
    const double scale = area.width() / static_cast<double>(shown.duration());
    constexpr double minWidth = 2;
    for (const TrackRef& ref : tracks) {
        const EventTable& table = context.report.trace->table(ref.kind);
        for (const Lane& lane : table.lanesOf(table.tracks[ref.track])) {
            const auto [first, last] = table.touching(lane, shown);
            auto at = std::ranges::lower_bound(events, EventRef{ref.kind, first});
            while (at != events.end() && at->kind == ref.kind && at->index < last) {
                const double left
                    = std::max(0.0, static_cast<double>(table.start[at->index] - shown.start) * scale);
                const double right = std::min<double>(
                    area.width(), static_cast<double>(table.end(at->index) - shown.start) * scale);
                const double width = std::max(minWidth, right - left);
                context.painter.fillRect(
                    QRectF(area.left() + left, area.top(), width, 2), context.theme.highlight);
                context.painter.fillRect(
                    QRectF(area.left() + left, area.bottom() - 1, width, 2), context.theme.highlight);
                // Continue after the part just painted.
                const Ns behind = shown.start + static_cast<Ns>((left + width) / scale);
                const EventIndex next = std::max(at->index + 1, table.firstStartingAt(lane, behind));
                at = std::lower_bound(at, events.end(), EventRef{ref.kind, next});
            }
        }
    }
}

void paintHeading(const PaintContext& context, const RowContent& content, QRect area)
{
    if (content.lanes.empty() || content.lanes.front().empty())
        return;
    const int height = std::max(3, area.height() / 3);
    const QRect middle(area.left(), area.center().y() - height / 2, area.width(), height);
    context.painter.setOpacity(quietness);
    paintLane(context, content.lanes.front(), middle, Over::Ground);
    context.painter.setOpacity(1);
}

} // namespace warpline
