// Steps from event to event with the arrow keys, and back to the selection.

#include "core/base/format_instant.h"
#include "core/query/row_walk.h"
#include "core/store/trace.h"
#include "views/style/rich_text.h"
#include "views/timeline/timeline_view.h"

#include <QAccessible>
#include <QFocusEvent>

#include <algorithm>
#include <cmath>

namespace warpline {

namespace {

constexpr double walkScale = 0.8; ///< as a notch of the wheel

bool showsTrack(const Row& row, const Trace& trace, EventRef event)
{
    return std::ranges::find(row.tracks, trace.trackOf(event)) != row.tracks.end();
}

/// The part of `range` nearest to `shown`, at most half as long.
TimeRange nearEnd(TimeRange range, TimeRange shown)
{
    const Ns length = std::min(range.duration(), shown.duration() / 2);
    return range.start >= shown.end ? TimeRange{range.start, range.start + length}
                                    : TimeRange{range.end - length, range.end};
}

} // namespace

void TimelineView::focusCurrent()
{
    if (m_session.selection().currentEvent().valid())
        m_session.selection().goTo(m_session.selection().currentEvent());
    else if (!m_session.time().selectedRange().empty())
        m_session.selection().zoomToSelection();
    else if (!m_session.selection().markedRange().empty()) // evidence that is no event
        m_session.time().goTo(m_session.selection().markedRange());
    else
        m_session.time().showAll();
}

const PlacedRow* TimelineView::walkedRow(EventId event) const
{
    if (m_walk.event == event) {
        if (const auto pinned = std::ranges::find(m_layout.pinned(), m_walk.row, &PlacedRow::row);
            m_walk.pinned && pinned != m_layout.pinned().end())
            return &*pinned;
        if (const PlacedRow* const placed = m_layout.find(m_walk.row))
            return placed;
    }
    return visibleRowOf(event);
}

Ns TimelineView::walkedTime(EventId event) const
{
    const TimeRange shown = m_session.time().shown();
    if (m_walk.event == event && m_walk.time && shown.contains(*m_walk.time))
        return *m_walk.time;
    const TimeRange range = m_session.workspace().range(event);
    const TimeRange seen = range.clippedTo(shown);
    if (m_cursorX) {
        const Ns pointed = targetAxis().timeAt(*m_cursorX);
        if (seen.contains(pointed))
            return pointed;
    }
    return seen.empty() ? range.start : seen.start + seen.duration() / 2;
}

void TimelineView::walkTo(EventId event, const PlacedRow& row, std::optional<Ns> time)
{
    const PlacedRow placed = row; // rows may be laid out again
    m_walk = {event, placed.row, placed.pinned, time};
    m_session.selection().setCurrentEvent(event);
    ensureLaneVisible(event, placed);
}

void TimelineView::stepEvent(bool forward, int heldKey)
{
    const EventId current = m_session.selection().currentEvent();
    if (!current.valid()) {
        move(forward ? Motion::Right : Motion::Left, heldKey);
        return;
    }
    const Trace& trace = m_session.trace(current.report);
    const PlacedRow* const placed = walkedRow(current);
    const Row* row = placed ? &m_session.rows().row(placed->row) : nullptr;
    Row own;
    const bool isFolded = !row || !showsTrack(*row, trace, current.event);
    if (isFolded) { // the row that shows it is opened
        own.drawing = Drawing::Slices;
        own.tracks = {trace.trackOf(current.event)};
        row = &own;
    }
    const EventId next{current.report, neighbourIn(trace, *row, current.event, forward)};
    if (!next.event.valid())
        return;
    // At the current scale. Where the event would be too large or too small, one step of the scale: keeps the
    // surroundings visible.
    const TimeRange range = m_session.workspace().range(next);
    TimeRange shown = m_session.time().shown();
    const double pixels = static_cast<double>(range.duration()) / std::max(1.0, targetAxis().nsPerPixel());
    const bool isLong = range.duration() > shown.duration();
    if (isLong || (!range.empty() && pixels < double{TimeView::minPixels})) {
        const Ns length
            = std::llround(static_cast<double>(shown.duration()) * (isLong ? 1 / walkScale : walkScale));
        const Ns middle = shown.start + shown.duration() / 2;
        shown = {middle - length / 2, middle - length / 2 + length};
    }
    TimeRange seen = range;
    if (const Ns most = shown.duration() / 2;
        seen.duration() > shown.duration()) // of a long one the near end
        seen = forward ? TimeRange{seen.start, seen.start + most} : TimeRange{seen.end - most, seen.end};
    m_session.time().show(leastMove(shown, seen), false, Manner::Request);
    if (isFolded)
        m_session.rowView().reveal(m_session.workspace().rowOf(next));
    if (const PlacedRow* const at = isFolded ? visibleRowOf(next) : placed)
        walkTo(next, *at, std::nullopt);
}

void TimelineView::stepRow(bool down)
{
    const EventId current = m_session.selection().currentEvent();
    const PlacedRow* const at = current.valid() ? walkedRow(current) : nullptr;
    if (!at)
        return;
    const Workspace& workspace = m_session.workspace();
    const Ns time = walkedTime(current);
    const auto take = [&](EventId event, const PlacedRow& row) {
        const TimeRange range = workspace.range(event);
        const TimeRange shown = m_session.time().shown();
        if (!shown.touches(range.start, range.end))
            m_session.time().show(leastMove(shown, nearEnd(range, shown)), false, Manner::Request);
        walkTo(event, row, time);
    };
    if (m_session.rows().row(at->row).drawing == Drawing::Slices) {
        const OpenReport& report = workspace.report(current.report);
        const EventRef across = acrossLanes(*report.trace, current.event, report.clock.toReport(time), down);
        if (across.valid()) {
            take({current.report, across}, *at);
            return;
        }
    }
    std::vector<const PlacedRow*> rows;
    for (const std::vector<PlacedRow>* const part : {&m_layout.pinned(), &m_layout.rows()}) {
        for (const PlacedRow& each : *part)
            rows.push_back(&each);
    }
    if (!down)
        std::ranges::reverse(rows);
    for (auto next = std::ranges::find(rows, at); next != rows.end(); ++next) {
        const Row& row = m_session.rows().row((*next)->row);
        const bool isToldBelow = row.drawing == Drawing::Summary && (*next)->open;
        if (*next == at || row.tracks.empty() || isToldBelow || workspace.isOfAll(row.id))
            continue;
        const OpenReport& report = workspace.report(row.report);
        const EventId found{row.report, eventAt(*report.trace, row, report.clock.toReport(time), !down)};
        if (!found.event.valid() || found == current)
            continue;
        take(found, **next);
        return;
    }
}

void TimelineView::focusInEvent(QFocusEvent* event)
{
    // Shows the focus after keyboard navigation; a click needs no mark.
    m_focusMark = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason
        || event->reason() == Qt::ShortcutFocusReason;
    repaintInTurn();
    QAbstractScrollArea::focusInEvent(event);
}

void TimelineView::focusOutEvent(QFocusEvent* event)
{
    m_focusMark = false;
    repaintInTurn();
    QAbstractScrollArea::focusOutEvent(event);
}

void TimelineView::describeCurrent()
{
    const EventId current = m_session.selection().currentEvent();
    QString told;
    if (current.valid()) {
        const Trace& trace = m_session.trace(current.report);
        const TimeRange range = m_session.workspace().range(current);
        const PlacedRow* const row = visibleRowOf(current);
        told = tr("%1, %2, at %3, in %4")
                   .arg(textOf(trace.displayName(current.event)), durationText(range.duration()),
                       QString::fromStdString(formatInstant(range.start)),
                       row ? plainTextOf(m_session.rows().row(row->row).label) : tr("no row"));
    }
    if (told == accessibleDescription())
        return;
    setAccessibleDescription(told);
    QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&changed);
    if (hasFocus())
        tellCurrentItem(*this);
}

} // namespace warpline
