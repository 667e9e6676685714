#include "views/timeline/row_painter.h"

#include "core/query/lod.h"
#include "core/store/trace.h"
#include "views/timeline/painters/painters.h"

#include <algorithm>
#include <cmath>

namespace warpline {

namespace {

QRect curveArea(QRect row)
{
    return row.adjusted(0, 3, 0, -1);
}

} // namespace

RowPainter::RowPainter(const Session& session, const Theme& theme)
    : m_session(session),
      m_theme(&theme),
      m_contents(session)
{
    reset();
}

void RowPainter::setTheme(const Theme& theme)
{
    m_theme = &theme;
    mixColors();
}

void RowPainter::mixColors()
{
    const auto reports = m_session.workspace().reports();
    const ColorChoice& choice = ColorChoice::shared();
    for (std::size_t i = 0; i < std::min(m_inks.size(), reports.size()); ++i)
        m_inks[i].colors = std::make_unique<EventColors>(
            reports[i].trace, *m_theme, choice.by(), choice.usesOwnNvtxColors());
}

void RowPainter::reset()
{
    m_contents.clear();
    m_inks.clear();
    for (const OpenReport& report : m_session.workspace().reports())
        m_inks.push_back(
            {nullptr, std::make_unique<SliceNames>(report.trace), {}, std::make_unique<CounterScales>()});
    mixColors();
    findLitName();
}

void RowPainter::setIdle(const IdleBooks* idle)
{
    m_idle = idle;
    m_contents.setIdle(idle);
    m_contents.clear();
}

void RowPainter::forgetScales()
{
    for (const Ink& ink : m_inks)
        ink.scales->clear();
}

void RowPainter::setLight(const EventLight& light)
{
    m_light = light;
    findLitName();
}

void RowPainter::findLitName()
{
    for (const OpenReport& report : m_session.workspace().reports()) {
        if (raw(report.id) >= m_inks.size()) // it came just now: reset() follows
            break;
        StringId name{};
        auto& lit = m_inks[raw(report.id)].litName;
        lit.reset();
        if (m_light.name && report.trace->pool->find(m_light.name->name, name))
            lit = {m_light.name->kind, name};
    }
}

void RowPainter::prepare(std::span<const PlacedRow* const> rows, int pixels, int columnWidth)
{
    std::vector<const Row*> wanted;
    for (const PlacedRow* const placed : rows)
        wanted.push_back(&m_session.rows().row(placed->row));
    m_contents.setColumnWidth(columnWidth);
    m_contents.prepare(wanted, pixels);
}

void RowPainter::paint(QPainter& painter, const PlacedRow& placed, QRect area, const QImage& ground,
    const std::vector<Outlined>& outlined)
{
    const Row& row = m_session.rows().row(placed.row);
    const bool isHeading = row.drawing == Drawing::Header;
    const double ratio = painter.device()->devicePixelRatioF();
    const OpenReport& report = m_session.workspace().report(row.report);
    const QRect edge(area.left(), area.bottom(), area.width(), 1);
    if (raw(report.id) >= m_inks.size()) {
        paintGround(painter, area, ground, ratio);
        painter.fillRect(edge, m_theme->grid);
        return;
    }
    const Ink& ink = m_inks[raw(report.id)];
    const RowLanes lanes = RowLanes::of(m_session, row);
    const QRect line = lanes.area(area, 0);
    const PaintContext context{painter, m_session, report, *m_theme, *ink.colors, *ink.names, ground, ratio,
        ink.litName, m_light.work && m_light.work->report == report.id ? &*m_light.work : nullptr};
    const RowContent& content = m_contents.of(row, static_cast<int>(std::lround(area.width() * ratio)));
    paintGround(painter, area, ground, ratio, covered(row, content, area));
    painter.fillRect(edge, m_theme->grid);
    if (m_session.workspace().isOfAll(row.id)) {
        paintExchanges(context, content, exchangeColor(row.id), line);
    } else if (isHeading) {
        paintHeading(context, content, area);
        if (context.dims())
            paintHighlightTicks(context, m_session.rows().tracksBelow(row.id), line);
    } else if (row.counter != noIndex) {
        paintCurve(context, report.trace->counters[row.counter], content, m_theme->rowColor(row.tint),
            curveArea(area), ink.scales->of(*report.trace, row.counter, report.clock.toReport(content.shown)),
            m_selection ? m_selection->of(report.id, row.counter) : nullptr);
    } else if (row.drawing == Drawing::Summary) {
        const auto idle = m_idle && !content.idle.empty() ? m_idle->find(row.report) : nullptr;
        paintSummary(context, content, m_theme->rowColor(row.tint), line, idle.get());
        if (!content.lanes.empty())
            paintLight(context, content.lanes.front(), line);
        if (context.dims())
            paintHighlightTicks(context, row.tracks, line);
    } else {
        paintLanes(context, row, content, area);
    }
    paintOutlines(context, row, area, outlined);
}

std::optional<QPointF> RowPainter::curvePointAt(const Row& row, QRect area, double x, Ns time) const
{
    if (row.counter == noIndex || raw(row.report) >= m_inks.size())
        return std::nullopt;
    const OpenReport& report = m_session.workspace().report(row.report);
    const std::optional<float> value
        = valueAt(report.trace->counters[row.counter], report.clock.toReport(time));
    if (!value)
        return std::nullopt;
    const CounterScale& scale = m_inks[raw(report.id)].scales->of(
        *report.trace, row.counter, report.clock.toReport(m_session.time().drawn()));
    const QRectF curve = curveArea(area);
    const double share = scale.shareOf(static_cast<double>(*value));
    return QPointF(x, curve.top() + (1 - share) * (curve.height() - 1));
}

QColor RowPainter::exchangeColor(RowId row) const
{
    // Kernels have the colour of their stream's row; calls of MPI have one each, and here they are one thing.
    for (const RowId each : m_session.rows().subtree(row)) {
        const ExchangeLane* const lane = m_session.workspace().exchangeLane(each);
        if (lane && raw(lane->report) < m_inks.size() && !lane->slices().empty()
            && lane->slices().front().event.kind == EventKind::Kernel)
            return QColor::fromRgb((*m_inks[raw(lane->report)].colors)(lane->slices().front().event));
    }
    return m_theme->rowColor(Tint::Library);
}

std::vector<QRect> RowPainter::covered(const Row& row, const RowContent& content, QRect area) const
{
    const RowLanes lanes = RowLanes::of(m_session, row);
    const bool isOfAll = m_session.workspace().isOfAll(row.id);
    if (row.drawing == Drawing::Header && !isOfAll)
        return {}; // it is quiet: the ground shines through
    if (isOfAll || row.drawing == Drawing::Summary)
        return {lanes.area(area, 0)};
    if (row.counter != noIndex)
        return {curveArea(area)};
    std::vector<QRect> parts;
    for (std::size_t i = 0; i < content.lanes.size(); ++i) {
        if (!content.lanes[i].empty())
            parts.push_back(lanes.area(area, row.drawing == Drawing::Marks ? 0 : static_cast<int>(i)));
    }
    return parts;
}

void RowPainter::paintLanes(
    const PaintContext& context, const Row& row, const RowContent& content, QRect area)
{
    const RowLanes lanes = RowLanes::of(m_session, row);
    const bool marks = row.drawing == Drawing::Marks;
    QRect painted; // deeper lanes share the place of the last one
    for (std::size_t i = 0; i < content.lanes.size(); ++i) {
        // Marks share one line, however many tracks they come from.
        const QRect lane = lanes.area(area, marks ? 0 : static_cast<int>(i));
        const Over over = lane == painted ? Over::Lane : Over::Ground;
        if (!content.lanes[i].empty())
            painted = lane;
        if (marks) {
            paintMarks(context, content.lanes[i], lane, over);
        } else {
            paintLane(context, content.lanes[i], lane, over);
            paintWaits(context, content.lanes[i], lane);
            paintNames(context, content.lanes[i], lane);
        }
        paintLight(context, content.lanes[i], lane);
        if (context.dims())
            paintHighlights(context, content.lanes[i], lane);
    }
}

void RowPainter::paintOnTop(const PaintContext& context, EventRef event, QRectF box, QRect lane)
{
    // A row of several lanes shows one event at each place: the outline must not stand around another's name.
    constexpr double minWidth = 3;
    constexpr int nameMargin = 4;
    if (box.width() < minWidth)
        return;
    const QColor color = QColor::fromRgb(context.colors(event));
    context.painter.fillRect(box, color);
    const double left = std::max(0.0, box.left());
    const auto room = static_cast<int>(box.right() - left) - 2 * nameMargin;
    const auto pixel = [&](double x) { return static_cast<float>(x * context.ratio); };
    const LodSlice whole{pixel(box.left()), pixel(box.right()), event.index, 1, 1, event.index};
    paintWaits(context, {{whole, event.kind}}, lane);
    const QStaticText* const name = room > 0 ? context.names.nameFor(event, room) : nullptr;
    if (!name)
        return;
    context.painter.setFont(context.names.font());
    context.painter.setPen(Theme::textOn(color));
    context.painter.drawStaticText(
        QPointF(left + std::max<double>(nameMargin, (box.right() - left - name->size().width()) / 2),
            box.top() + context.names.topIn(box.height())),
        *name);
}

void RowPainter::paintOutlines(
    const PaintContext& context, const Row& row, QRect area, const std::vector<Outlined>& outlined)
{
    const Trace& trace = *context.report.trace;
    const TimeRange shown = m_session.time().drawn();
    const double scale = area.width() / static_cast<double>(shown.duration());
    const auto xOf = [&](Ns t) {
        return std::clamp(static_cast<double>(t - shown.start) * scale, -3.0, area.width() + 3.0);
    };
    for (const Outlined& each : outlined) {
        if (each.event.report != row.report)
            continue;
        const EventRef event = each.event.event;
        const TimeRange range = context.report.clock.toWorkspace(trace.range(event));
        const ExchangeLane* const exchanges = m_session.workspace().exchangeLane(row.id);
        const bool isHere = exchanges
            ? exchanges->holds(event, trace.range(event).start)
            : std::ranges::find(row.tracks, trace.trackOf(event)) != row.tracks.end();
        if (!isHere || range.end < shown.start || range.start > shown.end)
            continue;
        const bool nested = row.drawing == Drawing::Slices && !exchanges;
        const auto depth = nested ? static_cast<int>(trace.table(event.kind).depthOf(event.index)) : 0;
        const QRect lane = RowLanes::of(m_session, row).area(area, depth);
        const double left = xOf(range.start);
        const double width = std::max(2.0, xOf(range.end) - left);
        const QRectF box(left, lane.top() - 0.5, width, lane.height());
        if (row.drawing == Drawing::Summary)
            paintOnTop(context, event, box, lane);
        context.painter.setBrush(Qt::NoBrush);
        context.painter.setPen(each.hovered ? QPen(m_theme->text, 1) : QPen(m_theme->accent, 2));
        context.painter.drawRect(box);
    }
}

} // namespace warpline
