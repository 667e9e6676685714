// What the current event belongs to: arrows to it, and the keys that go along the chain.

#include "core/query/link_chain.h"
#include "views/session/rank_judge.h"
#include "views/style/rich_text.h"
#include "views/timeline/event_links.h"
#include "views/timeline/note_label.h"
#include "views/timeline/timeline_view.h"

#include <QCoreApplication>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace warpline {

namespace {

constexpr std::size_t maxArrows = 64;

/// Why there is nowhere to go from `event`.
QString endOfChain(const Trace& trace, EventRef event, bool forward)
{
    const QString name = textOf(trace.displayName(event));
    const auto words = [](const char* text) { return QCoreApplication::translate("Timeline", text); };
    if (event.kind == EventKind::ApiCall && trace.workOf(event).empty())
        return words("%1 starts no GPU work and waits for none.").arg(name);
    if (event.kind == EventKind::Nvtx && forward)
        return words("No GPU work was launched inside %1.").arg(name);
    if (isGpuWork(event.kind))
        return forward ? words("Nothing in the report waits for %1.").arg(name)
                       : words("The launch of %1 is not recorded.").arg(name);
    return forward ? words("Nothing is linked after %1.").arg(name)
                   : words("Nothing is linked before %1.").arg(name);
}

} // namespace

void TimelineView::onCurrentChanged(EventId id)
{
    m_links.clear();
    m_together.clear();
    m_light.work.reset();
    m_linkJob.cancel();
    if (const MatchedExchange* const exchange = m_session.judgement().ranks().exchangeOf(id)) {
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
    m_note->hide();
    if (const PlacedRow* const row = id.valid() ? visibleRowOf(id) : nullptr; row && row->row == m_revealed)
        ensureLaneVisible(id, *row);
    m_revealed = {};
    describeCurrent();
    repaintInTurn();
    emit linksChanged();
}

void TimelineView::findAllLinks(EventId id)
{
    // What streams wait for, and which pass belongs to which operator, takes a look at the whole report at
    // first.
    const std::shared_ptr<const Trace> trace = m_session.workspace().report(id.report).trace;
    m_linkJob.start([trace, id](const std::stop_token& stop) { return allLinks(*trace, id, stop); },
        [this, id](std::vector<EventLink> links) {
            if (id != m_session.selection().currentEvent())
                return;
            m_links = std::move(links);
            repaintInTurn();
            emit linksChanged();
        });
}

void TimelineView::paintArrow(QPainter& painter, const EventLink& link)
{
    const EventId current = m_session.selection().currentEvent();
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
    painter.setRenderHint(QPainter::Antialiasing);
    const std::size_t arrows
        = m_session.selection().currentEvent().valid() ? std::min(m_links.size(), maxArrows) : 0;
    for (std::size_t i = 0; i < arrows; ++i)
        paintArrow(painter, m_links[i]);
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (const LinkHint& hint : linkHints())
        paintHint(painter, hint);
}

void TimelineView::goToLink(EventId event)
{
    m_session.selection().goToAtScale(event);
}

std::vector<std::pair<RowId, EventId>> TimelineView::linkedRows() const
{
    // Each row once, with the first of its events.
    std::vector<std::pair<RowId, EventId>> rows;
    if (!m_session.selection()
             .currentEvent()
             .valid()) // nor is what it belonged to, when another report is open
        return rows;
    for (std::size_t i = 0; i < std::min(m_links.size(), maxArrows); ++i) {
        const PlacedRow* const row = visibleRowOf(m_links[i].event);
        if (row && std::ranges::find(rows, row->row, &std::pair<RowId, EventId>::first) == rows.end())
            rows.emplace_back(row->row, m_links[i].event);
    }
    return rows;
}

void TimelineView::hopLink(bool forward)
{
    const EventId current = m_session.selection().currentEvent();
    if (!current.valid())
        return;
    const std::shared_ptr<const Trace> trace = m_session.workspace().report(current.report).trace;
    // Who waits for whom takes a look at the whole report at first.
    m_hopJob.start(
        [trace, event = current.event, forward](const std::stop_token&) {
            return forward ? nextInChain(*trace, event) : previousInChain(*trace, event);
        },
        [this, current, forward](EventRef next) {
            if (current != m_session.selection().currentEvent())
                return;
            if (next.valid())
                m_session.selection().goToAtScale({current.report, next});
            else
                m_note->tell(endOfChain(m_session.trace(current.report), current.event, forward));
        });
}

} // namespace warpline
