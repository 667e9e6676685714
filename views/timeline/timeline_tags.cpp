// Tags at the edges of the rows: for related events that are out of view, for the current event itself, and
// without any visible event for the nearest.

#include "core/query/row_walk.h"
#include "core/store/trace.h"
#include "views/style/rich_text.h"
#include "views/style/text_scale.h"
#include "views/timeline/event_links.h"
#include "views/timeline/timeline_view.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace warpline {

namespace {

constexpr std::size_t maxTagged = 64;
constexpr int tagPadding = 6;
constexpr int longestTag = 260;
constexpr QChar toLeft(0x25c0);
constexpr QChar toRight(0x25b6);
constexpr QChar toTop(0x25b2);
constexpr QChar toBottom(0x25bc);

int tagHeight()
{
    return inTextSize(17);
}

QString nameOf(const Session& session, EventId event)
{
    return textOf(session.trace(event.report).displayName(event.event));
}

} // namespace

QRect TimelineView::tagAt(QPoint middle, const QString& text) const
{
    const int width = std::min(longestTag * 2, fontMetrics().horizontalAdvance(text) + 2 * tagPadding);
    QRect tag(middle.x() - width / 2, middle.y() - tagHeight() / 2, width, tagHeight());
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

void TimelineView::paintHint(QPainter& painter, const LinkHint& hint) const
{
    // Full of the colour of arrows and selection, and round: no event looks like that.
    const double round = hint.place.height() / 2.0;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(m_theme->background, 1));
    painter.setBrush(m_theme->accent);
    painter.drawRoundedRect(QRectF(hint.place).adjusted(0.5, 0.5, -0.5, -0.5), round, round);
    painter.setPen(Theme::textOn(m_theme->accent));
    painter.drawText(hint.place, Qt::AlignCenter, hint.mark);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void TimelineView::addHint(
    std::vector<LinkHint>& hints, EventId event, const QString& text, bool isCurrent) const
{
    const TimeRange shown = axis().shown;
    const int height = viewport()->height();
    const PlacedRow* const row = walkedRow(event);
    const TimeRange range = m_session.workspace().range(event);
    const int y = row ? laneOf(event, *row).center().y() : height;
    const bool above = row && !row->pinned && y < m_layout.pinnedHeight();
    const bool below = !row || y > height;
    const bool before = range.end <= shown.start;
    const bool after = !before && range.start >= shown.end;
    if (!before && !after && !above && !below)
        return;
    const int clampedY = above ? m_layout.pinnedHeight() + tagHeight() / 2
        : below                ? height - tagHeight() / 2 - 1
                               : y;
    const int x = before ? 0
        : after          ? viewport()->width()
                         : static_cast<int>(axis().xAt(std::max(range.start, shown.start)));
    const QChar arrow = before ? toLeft : after ? toRight : above ? toTop : toBottom;
    // One tag for all that lie in the same direction and row.
    const auto liesThere = [&](const LinkHint& known) {
        const bool isNear = before || after || std::abs(known.place.center().x() - x) < tagHeight();
        return isNear && known.mark.startsWith(arrow)
            && std::abs(known.place.center().y() - clampedY) < tagHeight();
    };
    QRect place = tagAt({x, clampedY}, arrow);
    for (LinkHint& known : hints) {
        if (!liesThere(known))
            continue;
        if (known.isCurrent || isCurrent) { // next to it: another topic
            place.moveLeft(after ? known.place.left() - place.width() - 1 : known.place.right() + 2);
            continue;
        }
        ++known.count;
        known.mark = QString("%1%2").arg(arrow).arg(known.count);
        known.text = tr("%1 %2 linked events").arg(arrow).arg(known.count);
        const int left = known.place.left();
        const int right = known.place.right();
        known.place = tagAt(known.place.center(), known.mark);
        if (after)
            known.place.moveRight(right);
        else if (before)
            known.place.moveLeft(left);
        return;
    }
    hints.push_back({place, arrow, QString("%1 %2").arg(arrow).arg(text), event, 1, isCurrent});
}

std::vector<LinkHint> TimelineView::linkHints() const
{
    std::vector<LinkHint> hints;
    if (const EventId current = m_session.selection().currentEvent(); current.valid()) {
        addHint(hints, current, tr("the selected event, %1").arg(nameOf(m_session, current)), true);
        for (std::size_t i = 0; i < std::min(links().size(), maxTagged); ++i)
            addHint(hints, links()[i].event, nameOf(m_session, links()[i].event), false);
    }
    if (emptyText().isEmpty() || !m_nearest.isEmpty)
        return hints;
    // Below the text in the middle.
    const QPoint middle = viewport()->rect().center() + QPoint(0, 2 * tagHeight());
    const TimeRange shown = axis().shown;
    for (const bool after : {false, true}) {
        const EventId event = after ? m_nearest.after : m_nearest.before;
        if (!event.valid())
            continue;
        const TimeRange range = m_session.workspace().range(event);
        const Ns away = after ? range.start - shown.end : shown.start - range.end;
        const QString far = durationText(std::max<Ns>(0, away));
        const QString mark = after ? tr("%1 later %2").arg(far, QString(toRight))
                                   : tr("%1 %2 earlier").arg(QString(toLeft), far);
        QRect place = tagAt(middle, mark);
        place.translate((after ? 1 : -1) * (place.width() / 2 + tagPadding), 0);
        hints.push_back(
            {place, mark, tr("%1: click to go there").arg(nameOf(m_session, event)), event, 1, false});
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

void TimelineView::findNearest()
{
    const TimeRange shown = m_session.time().shown();
    if (m_nearest.of == shown)
        return;
    m_nearest = {shown, false, {}, {}};
    const Workspace& workspace = m_session.workspace();
    const std::vector<PlacedRow>& rows = m_layout.rows();
    bool hasRows = false;
    for (const PlacedRow& placed : rows) {
        const Row& row = m_session.rows().row(placed.row);
        if (row.counter != noIndex || workspace.isOfAll(row.id)) // a curve is something to see
            return;
        const OpenReport& report = workspace.report(row.report);
        const TimeRange window = report.clock.toReport(shown);
        for (const TrackRef& ref : row.tracks) {
            hasRows = true;
            const EventTable& table = report.trace->table(ref.kind);
            for (const Lane& lane : table.lanesOf(table.tracks[ref.track])) {
                if (const auto [first, last] = table.touching(lane, window); first < last)
                    return;
            }
        }
    }
    m_nearest.isEmpty = hasRows;
    for (const PlacedRow& placed : rows) {
        const Row& row = m_session.rows().row(placed.row);
        const OpenReport& report = workspace.report(row.report);
        const TimeRange window = report.clock.toReport(shown);
        for (const bool after : {false, true}) {
            const EventId found{row.report, nearestOutside(*report.trace, row, window, after)};
            if (!found.event.valid())
                continue;
            EventId& best = after ? m_nearest.after : m_nearest.before;
            const bool isNearer = !best.valid()
                || (after ? workspace.range(found).start < workspace.range(best).start
                          : workspace.range(found).end > workspace.range(best).end);
            best = isNearer ? found : best;
        }
    }
}

QString TimelineView::emptyText() const
{
    if (m_session.isEmpty())
        return {};
    if (m_layout.rows().empty() && m_layout.pinned().empty()) {
        const QString wanted = m_layout.filterText();
        return wanted.isEmpty() ? tr("All rows are filtered out.")
                                : tr("No row matches \u201c%1\u201d.").arg(wanted);
    }
    const bool isThere
        = m_nearest.of == m_session.time().shown() && m_session.time().drawn() == m_session.time().shown();
    return isThere && m_nearest.isEmpty ? tr("No events in this range.") : QString();
}

} // namespace warpline
