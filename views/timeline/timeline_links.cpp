// What the current event belongs to: arrows to it, tags at the edges for what is out of sight, and the keys
// that go along the chain.

#include "core/query/link_chain.h"
#include "views/session/rank_judge.h"
#include "views/timeline/event_links.h"
#include "views/timeline/timeline_view.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace warpline {

namespace {

constexpr std::size_t mostArrows = 64;
constexpr int tagHeight = 17;
constexpr int tagPadding = 6;
constexpr int longestTag = 260;

} // namespace

void TimelineView::onCurrentChanged(EventId id)
{
    m_links.clear();
    m_together.clear();
    m_light.work.reset();
    m_linkJob.cancel();
    if (const MatchedExchange* const exchange = m_session.ranks().exchangeOf(id)) {
        for (const ExchangeMember& member : exchange->members) {
            if (member.event != id)
                m_together.push_back(member.event);
        }
    }
    if (id.valid()) {
        const Trace& trace = m_session.trace(id.report);
        m_links = nearLinks(trace, id);
        const EventRef range = isDerived(id.event.kind) ? madeFrom(trace, id.event) : id.event;
        if (range.valid() && range.kind == EventKind::Nvtx)
            m_light.work = workInside(trace, id.report, range.index);
        findAllLinks(id);
    }
    m_painter.setLight(m_light);
    viewport()->update();
    emit linksChanged();
}

void TimelineView::findAllLinks(EventId id)
{
    // What streams wait for, and which pass belongs to which operator, takes a look at the whole report at
    // first.
    const std::shared_ptr<const Trace> trace = m_session.workspace().report(id.report).trace;
    m_linkJob.start([trace, id](const std::stop_token& stop) { return allLinks(*trace, id, stop); },
        [this, id](std::vector<EventLink> links) {
            if (id != m_session.currentEvent())
                return;
            m_links = std::move(links);
            viewport()->update();
            emit linksChanged();
        });
}

void TimelineView::paintArrow(QPainter& painter, const EventLink& link)
{
    const EventId current = m_session.currentEvent();
    const EventId& from = link.after ? current : link.event;
    const EventId& to = link.after ? link.event : current;
    auto begin = placeOf(from);
    const auto end = placeOf(to);
    if (!begin || !end)
        return;
    if (link.holds) // what is waited for is its end
        begin->setX(
            std::clamp(axis().xAt(m_session.workspace().range(from).end), -50.0, viewport()->width() + 50.0));
    painter.setPen(QPen(m_theme->accent, 1.4, link.holds ? Qt::DashLine : Qt::SolidLine));
    painter.setBrush(Qt::NoBrush);
    QPainterPath path(*begin);
    const double bend = std::max(24.0, std::abs(end->x() - begin->x()) / 2);
    path.cubicTo(*begin + QPointF(bend, 0), *end - QPointF(bend, 0), *end);
    painter.drawPath(path);
    QPainterPath head(*end);
    head.lineTo(*end + QPointF(-7, -4));
    head.lineTo(*end + QPointF(-7, 4));
    head.closeSubpath();
    painter.fillPath(head, m_theme->accent);
    if (!link.text.isEmpty())
        paintTag(painter, tagAt(path.pointAtPercent(0.5).toPoint(), link.text), link.text);
}

void TimelineView::paintArrows(QPainter& painter)
{
    if (!m_session.currentEvent().valid() || m_links.empty())
        return;
    painter.setRenderHint(QPainter::Antialiasing);
    for (std::size_t i = 0; i < std::min(m_links.size(), mostArrows); ++i)
        paintArrow(painter, m_links[i]);
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (const LinkHint& hint : linkHints())
        paintTag(painter, hint.place, hint.text);
}

QRect TimelineView::tagAt(QPoint middle, const QString& text) const
{
    const int width = std::min(longestTag * 2, fontMetrics().horizontalAdvance(text) + 2 * tagPadding);
    QRect tag(middle.x() - width / 2, middle.y() - tagHeight / 2, width, tagHeight);
    const QRect room = viewport()->rect();
    tag.moveLeft(std::clamp(tag.left(), room.left(), std::max(room.left(), room.right() - tag.width())));
    tag.moveTop(std::clamp(tag.top(), room.top(), std::max(room.top(), room.bottom() - tag.height())));
    return tag;
}

void TimelineView::paintTag(QPainter& painter, const QRect& place, const QString& text) const
{
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(m_theme->accent, 1));
    painter.setBrush(m_theme->panel);
    painter.drawRoundedRect(QRectF(place).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    painter.setPen(m_theme->text);
    painter.drawText(
        place, Qt::AlignCenter, fontMetrics().elidedText(text, Qt::ElideMiddle, place.width() - tagPadding));
    painter.setRenderHint(QPainter::Antialiasing, false);
}

std::vector<LinkHint> TimelineView::linkHints() const
{
    std::vector<LinkHint> hints;
    if (!m_session.currentEvent().valid())
        return hints;
    const TimeRange shown = axis().shown;
    const int height = viewport()->height();
    // One tag for all that lie in the same direction and row.
    const auto add = [&](QPoint at, const QString& arrow, EventId target, const QString& rest) {
        for (LinkHint& known : hints) {
            if (known.text.startsWith(arrow) && std::abs(known.place.center().y() - at.y()) < tagHeight) {
                ++known.count;
                known.text = tr("%1 %2 linked events").arg(arrow).arg(known.count);
                known.place = tagAt(at, known.text);
                return;
            }
        }
        const QString text = arrow + ' ' + rest;
        hints.push_back({tagAt(at, text), text, target, 1});
    };
    for (std::size_t i = 0; i < std::min(m_links.size(), mostArrows); ++i) {
        const EventId event = m_links[i].event;
        const PlacedRow* const row = visibleRowOf(event);
        const TimeRange range = m_session.workspace().range(event);
        const Trace& trace = m_session.trace(event.report);
        const QString name
            = fontMetrics().elidedText(QString::fromUtf8(trace.displayName(event.event).data(),
                                           static_cast<qsizetype>(trace.displayName(event.event).size())),
                Qt::ElideRight, longestTag);
        const int y = row ? m_layout.screenY(*row, offset()) + row->height / 2 : height;
        const bool above = row && !row->pinned && y < m_layout.pinnedHeight();
        const bool below = !row || y > height;
        const int clampedY = above ? m_layout.pinnedHeight() + tagHeight / 2
            : below                ? height - tagHeight / 2 - 1
                                   : y;
        if (range.end <= shown.start)
            add({0, clampedY}, QStringLiteral("\u25c0"), event, name);
        else if (range.start >= shown.end)
            add({viewport()->width(), clampedY}, QStringLiteral("\u25b6"), event, name);
        else if (above || below) {
            const auto x = static_cast<int>(axis().xAt(std::max(range.start, shown.start)));
            add({x, clampedY}, above ? QStringLiteral("\u25b2") : QStringLiteral("\u25bc"), event, name);
        }
    }
    return hints;
}

std::optional<LinkHint> TimelineView::hintAt(QPoint position) const
{
    for (const LinkHint& hint : linkHints()) {
        if (hint.place.contains(position))
            return hint;
    }
    return std::nullopt;
}

void TimelineView::goToLink(EventId event)
{
    m_session.goToAtScale(event);
}

std::vector<std::pair<RowId, EventId>> TimelineView::linkedRows() const
{
    // Each row once, with the first of its events.
    std::vector<std::pair<RowId, EventId>> rows;
    if (!m_session.currentEvent().valid()) // nor is what it belonged to, when another report is open
        return rows;
    for (std::size_t i = 0; i < std::min(m_links.size(), mostArrows); ++i) {
        const PlacedRow* const row = visibleRowOf(m_links[i].event);
        if (row && std::ranges::find(rows, row->row, &std::pair<RowId, EventId>::first) == rows.end())
            rows.emplace_back(row->row, m_links[i].event);
    }
    return rows;
}

void TimelineView::hopLink(bool forward)
{
    const EventId current = m_session.currentEvent();
    if (!current.valid())
        return;
    const std::shared_ptr<const Trace> trace = m_session.workspace().report(current.report).trace;
    // Who waits for whom takes a look at the whole report at first.
    m_hopJob.start(
        [trace, event = current.event, forward](const std::stop_token&) {
            return forward ? nextInChain(*trace, event) : previousInChain(*trace, event);
        },
        [this, current](EventRef next) {
            if (next.valid() && current == m_session.currentEvent())
                m_session.goToAtScale({current.report, next});
        });
}

} // namespace warpline
