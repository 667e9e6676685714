#include "views/timeline/row_painter.h"

#include "core/base/format.h"
#include "core/query/range_stats.h"

#include <QGuiApplication>

#include <algorithm>
#include <cmath>

namespace warpline {

namespace {

constexpr double leastStrength = 0.34; ///< an event too short for its pixel is still seen
constexpr int leastNameWidth = 26;
constexpr std::uint64_t sliceBudget = 3000; ///< a summary with fewer events in view shows them one by one

QRgb blend(QRgb a, QRgb b, double share)
{
    const auto mix = [share](int x, int y) { return static_cast<int>(std::lround(x + (y - x) * share)); };
    return qRgb(mix(qRed(a), qRed(b)), mix(qGreen(a), qGreen(b)), mix(qBlue(a), qBlue(b)));
}

QFont rowFont()
{
    QFont font = QGuiApplication::font();
    font.setPointSizeF(std::max(7.5, font.pointSizeF() - 1.5));
    return font;
}

} // namespace

RowPainter::RowPainter(const Session& session, const Theme& theme)
    : m_session(session)
    , m_theme(&theme)
    , m_metrics(rowFont())
{
    reset();
}

void RowPainter::setTheme(const Theme& theme)
{
    m_theme = &theme;
    m_colors = std::make_unique<EventColors>(m_session.sharedTrace(), theme);
}

void RowPainter::reset()
{
    m_cache.clear();
    m_names.clear();
    m_colors = std::make_unique<EventColors>(m_session.sharedTrace(), *m_theme);
}

std::vector<RowPainter::LaneRef> RowPainter::lanesOf(const Row& row) const
{
    std::vector<LaneRef> lanes;
    for (const TrackRef& ref : row.tracks) {
        const EventTable& table = m_session.trace().table(ref.kind);
        for (const Lane& lane : table.lanesOf(table.tracks[ref.track]))
            lanes.push_back({ref.kind, &lane});
    }
    return lanes;
}

const RowPainter::Cached& RowPainter::contentOf(const Row& row, int pixels)
{
    Cached& cached = m_cache[raw(row.id)];
    const TimeRange shown = m_session.shown();
    if (cached.pixels == pixels && cached.shown == shown)
        return cached;
    cached = {shown, pixels, {}, {}, {}};
    const Trace& trace = m_session.trace();
    if (row.counter != noIndex) {
        counterColumns(trace.counters[row.counter], shown, pixels, cached.columns);
        return cached;
    }
    const std::vector<LaneRef> lanes = lanesOf(row);
    if (row.drawing == Drawing::Summary) {
        std::uint64_t inView = 0;
        for (const LaneRef& lane : lanes) {
            const auto [first, last] = trace.table(lane.kind).touching(*lane.lane, shown);
            inView += last - first;
        }
        if (inView > sliceBudget) {
            rowBusyShare(trace, row, shown, pixels, cached.share);
            return cached;
        }
    }
    for (const LaneRef& lane : lanes)
        levelOfDetail(trace.table(lane.kind), *lane.lane, shown, pixels, cached.lanes.emplace_back());
    return cached;
}

void RowPainter::paint(QPainter& painter, const PlacedRow& placed, QRect area, const std::vector<EventRef>& emphasis)
{
    const Row& row = m_session.rows().row(placed.row);
    if (row.drawing == Drawing::Header)
        return;
    const double ratio = painter.device()->devicePixelRatioF();
    const int pixels = static_cast<int>(std::lround(area.width() * ratio));
    const Cached& content = contentOf(row, pixels);
    if (row.counter != noIndex) {
        paintCounter(painter, row, content.columns, area);
        return;
    }
    if (!content.share.empty()) {
        const bool dims = !m_session.highlighted().empty();
        const QRgb color = m_theme->rowColor(row.tint).rgb();
        paintShare(painter, content.share,
            QColor::fromRgb(dims ? blend(color, m_theme->background.rgb(), 0.62) : color), area.adjusted(0, 2, 0, -1));
        if (dims) {
            for (const LaneRef& lane : lanesOf(row))
                paintHighlightTicks(painter, lane, area);
        }
        return;
    }
    const std::vector<LaneRef> lanes = lanesOf(row);
    const bool nested = row.drawing == Drawing::Slices;
    const int shown = nested ? std::clamp(static_cast<int>(row.lanes), 1, RowLayout::mostLanes) : 1;
    const double laneHeight = (area.height() - 3.0) / shown;
    painter.setFont(rowFont());
    for (std::size_t i = 0; i < lanes.size() && i < content.lanes.size(); ++i) {
        const int depth = nested ? static_cast<int>(i) : 0;
        if (depth >= shown)
            break;
        const int top = area.top() + 2 + static_cast<int>(std::lround(depth * laneHeight));
        const int bottom = area.top() + 2 + static_cast<int>(std::lround((depth + 1) * laneHeight));
        const QRect lane(area.left(), top, area.width(), bottom - top - 1);
        paintLane(painter, content.lanes[i], lanes[i].kind, lane, row.drawing == Drawing::Marks);
        if (row.drawing != Drawing::Marks)
            paintNames(painter, content.lanes[i], lanes[i].kind, lane);
        if (!m_session.highlighted().empty())
            paintHighlights(painter, content.lanes[i], lanes[i].kind, lane);
    }
    paintEmphasis(painter, row, area, emphasis);
}

void RowPainter::paintLane(
    QPainter& painter, const std::vector<LodSlice>& slices, EventKind kind, QRect area, bool marks)
{
    if (slices.empty())
        return;
    const int pixels = static_cast<int>(std::lround(area.width() * painter.device()->devicePixelRatioF()));
    QImage line(pixels, 1, QImage::Format_ARGB32_Premultiplied);
    line.fill(Qt::transparent);
    auto* const out = reinterpret_cast<QRgb*>(line.bits());
    const QRgb back = m_theme->background.rgb();
    const bool dims = !m_session.highlighted().empty();
    for (const LodSlice& slice : slices) {
        QRgb color = (*m_colors)({kind, slice.longest});
        if (dims && !anyHighlighted(kind, slice))
            color = blend(color, back, 0.62);
        const int first = std::clamp(static_cast<int>(std::lround(slice.x0)), 0, pixels - 1);
        const int last = std::clamp(static_cast<int>(std::lround(slice.x1)), first + 1, pixels);
        if (slice.x1 - slice.x0 <= 1.001F && slice.share < 1) {
            const double strength = marks ? std::min(1.0, 0.5 + 0.1 * slice.count)
                                          : leastStrength + (1 - leastStrength) * static_cast<double>(slice.share);
            out[first] = blend(back, color, strength);
            continue;
        }
        std::fill(out + first, out + last, color);
        // A darker edge parts neighbours of the same colour.
        if (last - first >= 3 && slice.x0 >= 0)
            out[first] = blend(color, m_theme->isDark() ? qRgb(0, 0, 0) : qRgb(255, 255, 255), 0.55);
    }
    painter.drawImage(area, line);
}

bool RowPainter::anyHighlighted(EventKind kind, const LodSlice& slice) const
{
    const auto& events = m_session.highlighted();
    const auto at = std::ranges::lower_bound(events, EventRef{kind, slice.first});
    return at != events.end() && at->kind == kind && at->index < slice.first + slice.count;
}

void RowPainter::paintHighlights(
    QPainter& painter, const std::vector<LodSlice>& slices, EventKind kind, QRect area)
{
    const double ratio = painter.device()->devicePixelRatioF();
    for (const LodSlice& slice : slices) {
        if (!anyHighlighted(kind, slice))
            continue;
        // Wide enough to be seen even where the event is less than a pixel.
        const double left = std::max(0.0, slice.x0 / ratio);
        const double width = std::max(2.0, std::min<double>(area.width(), slice.x1 / ratio) - left);
        painter.fillRect(QRectF(left, area.top() - 1.0, width, 2), m_theme->highlight);
        painter.fillRect(QRectF(left, area.bottom(), width, 2), m_theme->highlight);
    }
}

void RowPainter::paintHighlightTicks(QPainter& painter, const LaneRef& lane, QRect area)
{
    const EventTable& table = m_session.trace().table(lane.kind);
    const TimeRange shown = m_session.shown();
    const auto [first, last] = table.touching(*lane.lane, shown);
    const double scale = area.width() / static_cast<double>(shown.duration());
    const auto& events = m_session.highlighted();
    auto at = std::ranges::lower_bound(events, EventRef{lane.kind, first});
    while (at != events.end() && at->kind == lane.kind && at->index < last) {
        const double left = std::max(0.0, static_cast<double>(table.start[at->index] - shown.start) * scale);
        const double right = static_cast<double>(table.end(at->index) - shown.start) * scale;
        const double width = std::clamp(right - left, 2.0, area.width() - left + 2);
        painter.fillRect(QRectF(left, area.top() + 2.0, width, area.height() - 4), m_theme->highlight);
        // One tick a place: go on behind what was just painted.
        const Ns behind = shown.start + static_cast<Ns>((left + width) / scale);
        const EventIndex next = std::max(at->index + 1, table.firstStartingAt(*lane.lane, behind));
        at = std::lower_bound(at, events.end(), EventRef{lane.kind, next});
    }
}

QString RowPainter::nameFor(EventRef event, int width)
{
    const Trace& trace = m_session.trace();
    const std::uint32_t name = event.kind == EventKind::Kernel
        ? raw(trace.kernels().launch(event.index).shortName)
        : raw(trace.table(event.kind).name[event.index]);
    constexpr int step = 4; // widths in steps, so that the cache is hit while zooming
    const quint64 key = quint64{name} << 20U | static_cast<quint64>(indexOf(event.kind)) << 14U
        | static_cast<quint64>(std::min(width / step, 16383));
    if (const QString* const known = m_names.object(key))
        return *known;
    const std::string_view text = trace.displayName(event);
    const QString elided = m_metrics.elidedText(
        QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())), Qt::ElideRight, width / step * step);
    // An ellipsis alone says nothing.
    const QString shown = elided.size() <= 2 && elided.size() < static_cast<qsizetype>(text.size()) ? QString() : elided;
    m_names.insert(key, new QString(shown)); // NOLINT(cppcoreguidelines-owning-memory): the cache owns it
    return shown;
}

void RowPainter::paintNames(QPainter& painter, const std::vector<LodSlice>& slices, EventKind kind, QRect area)
{
    if (area.height() < 11)
        return;
    const double ratio = painter.device()->devicePixelRatioF();
    const bool dims = !m_session.highlighted().empty();
    for (const LodSlice& slice : slices) {
        const double left = std::max(0.0, slice.x0 / ratio);
        const double right = std::min<double>(area.width(), slice.x1 / ratio);
        if (slice.count != 1 || right - left < leastNameWidth)
            continue;
        const int width = static_cast<int>(right - left) - 7;
        const QString text = nameFor({kind, slice.first}, width);
        if (text.isEmpty())
            continue;
        QRgb color = (*m_colors)({kind, slice.first});
        if (dims && !anyHighlighted(kind, slice))
            color = blend(color, m_theme->background.rgb(), 0.62);
        painter.setPen(Theme::textOn(QColor::fromRgb(color)));
        const double baseline = area.top() + (area.height() + m_metrics.ascent() - m_metrics.descent()) / 2.0;
        painter.drawText(QPointF(left + 4, baseline), text);
    }
}

void RowPainter::paintShare(QPainter& painter, const std::vector<float>& share, QColor color, QRect area)
{
    // Height is the busy share of the pixel's time; the top pixel is blended so that the height is exact.
    const double ratio = painter.device()->devicePixelRatioF();
    const int width = static_cast<int>(share.size());
    const int height = std::max(1, static_cast<int>(std::lround(area.height() * ratio)));
    QImage image(width, height, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    const QRgb full = color.rgb();
    const QRgb back = m_theme->background.rgb();
    std::vector<QRgb*> lines(static_cast<std::size_t>(height));
    for (int y = 0; y < height; ++y)
        lines[static_cast<std::size_t>(y)] = reinterpret_cast<QRgb*>(image.scanLine(height - 1 - y));
    for (int x = 0; x < width; ++x) {
        const float value = share[static_cast<std::size_t>(x)];
        if (value <= 0)
            continue;
        const double filled = std::max(1.0, static_cast<double>(value) * height);
        const int whole = static_cast<int>(filled);
        for (int y = 0; y < whole && y < height; ++y)
            lines[static_cast<std::size_t>(y)][x] = full;
        if (whole < height)
            lines[static_cast<std::size_t>(whole)][x] = blend(back, full, filled - whole);
    }
    painter.drawImage(area, image);
}

void RowPainter::paintCounter(
    QPainter& painter, const Row& row, const std::vector<CounterColumn>& columns, QRect area)
{
    const CounterSeries& series = m_session.trace().counters[row.counter];
    const bool percent = m_session.trace().text(series.unit) == "%";
    const double top = percent ? 100 : std::max<double>(1e-9, series.highest);
    const double ratio = painter.device()->devicePixelRatioF();
    const QRect plot = area.adjusted(0, 3, 0, -1);
    const int height = static_cast<int>(std::lround(plot.height() * ratio));
    QImage image(static_cast<int>(columns.size()), height, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    const QRgb line = m_theme->rowColor(row.tint).rgb();
    const QRgb fill = blend(m_theme->background.rgb(), line, 0.42);
    const auto yOf = [&](float value) {
        return height - 1 - std::clamp(static_cast<int>(static_cast<double>(value) / top * (height - 1)), 0, height - 1);
    };
    for (int x = 0; x < image.width(); ++x) {
        const CounterColumn& column = columns[static_cast<std::size_t>(x)];
        if (!column.valid || column.high <= 0)
            continue;
        const int high = yOf(column.high);
        const int low = yOf(column.low);
        for (int y = high; y < height; ++y)
            reinterpret_cast<QRgb*>(image.scanLine(y))[x] = y <= std::max(low, high + 1) ? line : fill;
    }
    painter.drawImage(plot, image);
    painter.setFont(rowFont());
    painter.setPen(m_theme->dimText);
    const std::string unit(m_session.trace().text(series.unit));
    const std::string peak = unit == "B" ? formatBytes(static_cast<std::uint64_t>(series.highest))
        : percent                        ? formatReal(series.highest, 0) + "%"
                                         : formatReal(series.highest, series.highest < 100 ? 1 : 0) + " " + unit;
    painter.drawText(plot.adjusted(4, 0, -4, 0), Qt::AlignRight | Qt::AlignTop, QString::fromStdString("max " + peak));
}

void RowPainter::paintEmphasis(QPainter& painter, const Row& row, QRect area, const std::vector<EventRef>& emphasis)
{
    const Trace& trace = m_session.trace();
    const TimeRange shown = m_session.shown();
    for (const EventRef& event : emphasis) {
        const TrackRef track = trace.trackOf(event);
        const TimeRange range = trace.range(event);
        if (std::ranges::find(row.tracks, track) == row.tracks.end() || range.end < shown.start || range.start > shown.end)
            continue;
        const double scale = area.width() / static_cast<double>(shown.duration());
        const double left = std::clamp(static_cast<double>(range.start - shown.start) * scale, -2.0, area.width() + 2.0);
        const double right = std::clamp(static_cast<double>(range.end - shown.start) * scale, -2.0, area.width() + 2.0);
        const bool nested = row.drawing == Drawing::Slices;
        const int lanes = nested ? std::clamp(static_cast<int>(row.lanes), 1, RowLayout::mostLanes) : 1;
        const double height = (area.height() - 3.0) / lanes;
        const double depth = nested ? std::min<double>(trace.table(event.kind).depthOf(event.index), lanes - 1) : 0;
        painter.setPen(QPen(m_theme->accent, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(left, area.top() + 2 + depth * height, std::max(2.0, right - left), height - 2));
    }
}

} // namespace warpline
