// The timeline for screen readers: its rows, and the events that are individually visible.

#include "core/base/format_instant.h"
#include "core/base/utf8.h"
#include "core/store/trace.h"
#include "views/style/rich_text.h"
#include "views/timeline/overview.h"
#include "views/timeline/row_labels.h"
#include "views/timeline/step_strip.h"
#include "views/timeline/time_axis.h"
#include "views/timeline/timeline_view.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <utility>

namespace warpline {

namespace {

constexpr std::size_t maxEvents = 500;
constexpr double minEventWidth = 2; ///< pixels; narrower events are not individually visible

QString timesOf(TimeRange range)
{
    return QCoreApplication::translate("PaintedItems", "%1 to %2")
        .arg(textOf(formatInstant(range.start)), textOf(formatInstant(range.end)));
}

} // namespace

std::vector<PaintedItem> RowLabels::paintedItems()
{
    std::vector<PaintedItem> items;
    if (!m_layout.isOf(m_session))
        return items;
    const RowTree& rows = m_session.rows();
    const auto& selected = m_session.selection().selectedRows();
    for (const std::vector<PlacedRow>* const part : {&m_layout.pinned(), &m_layout.rows()}) {
        for (const PlacedRow& placed : *part) {
            const Row& row = rows.row(placed.row);
            PaintedItem item;
            item.role = QAccessible::TreeItem;
            item.name = plainTextOf(row.label);
            const QString figure = m_texts.figureOf(row);
            item.description = row.showsBusy ? tr("busy for %1 of the view").arg(figure) : figure;
            if (row.parent != RowTree::root)
                item.description += (item.description.isEmpty() ? "" : ", ")
                    + tr("in %1").arg(plainTextOf(rows.row(row.parent).label));
            item.rect = QRect(0, m_layout.screenY(placed, m_offset), width(), placed.height);
            item.isCurrent = std::ranges::find(selected, placed.row) != selected.end();
            item.press = [this, id = placed.row] {
                m_session.selection().selectRows({id});
                emit rowWanted(id);
            };
            if (placed.hasChildren) {
                item.isExpanded = placed.open;
                item.toggle = [this, id = placed.row, open = placed.open] {
                    m_session.rowView().setExpanded(id, !open);
                };
            }
            items.push_back(std::move(item));
        }
    }
    return items;
}

PaintedItem TimelineView::itemOf(EventId event, QRect place, const Row& row)
{
    const Trace& trace = m_session.trace(event.report);
    const TimeRange range = m_session.workspace().range(event);
    PaintedItem item;
    item.name = textOf(toUtf8(trace.displayName(event.event)));
    item.description = tr("%1, at %2, in %3")
                           .arg(durationText(range.duration()), textOf(formatInstant(range.start)),
                               plainTextOf(row.label));
    item.rect = place;
    item.isCurrent = event == m_session.selection().currentEvent();
    item.press = [this, event] { m_session.selection().setCurrentEvent(event); };
    return item;
}

std::vector<PaintedItem> TimelineView::paintedItems()
{
    std::vector<PaintedItem> items;
    const bool hasRoom = viewport()->width() > 0; // panels next to it may take all of the window
    if (m_session.isEmpty() || !m_layout.isOf(m_session) || !hasRoom)
        return items;
    const double ratio = devicePixelRatioF();
    const int pixels = static_cast<int>(std::lround(viewport()->width() * ratio));
    for (const PlacedRow* const placed : m_layout.between(0, viewport()->height(), offset())) {
        const Row& row = m_session.rows().row(placed->row);
        // Rows below a heading or a summary show its events, when they are on the screen.
        const bool isSum = row.drawing == Drawing::Summary || row.drawing == Drawing::Header;
        if ((isSum && placed->open) || row.drawing == Drawing::Header)
            continue;
        const QRect area(0, m_layout.screenY(*placed, offset()), viewport()->width(), placed->height);
        const RowLanes lanes = RowLanes::of(m_session, row);
        const RowContent& content = m_painter.contentOf(row, pixels);
        for (std::size_t i = 0; i < content.lanes.size(); ++i) {
            const QRect lane = lanes.area(area, row.drawing == Drawing::Slices ? static_cast<int>(i) : 0);
            for (const Piece& piece : content.lanes[i]) {
                const double left = std::max(0.0, piece.slice.x0 / ratio);
                const double right = std::min<double>(viewport()->width(), piece.slice.x1 / ratio);
                if (piece.slice.count != 1 || right - left < minEventWidth)
                    continue;
                if (items.size() == maxEvents)
                    return items;
                items.push_back(itemOf({row.report, {piece.kind, piece.slice.first}},
                    QRectF(left, lane.top(), right - left, lane.height()).toAlignedRect(), row));
            }
        }
    }
    return items;
}

QString TimelineView::paintedValue() const
{
    return m_session.isEmpty()
        ? QString()
        : tr("%1, of %2")
              .arg(timesOf(m_session.time().shown()), durationText(m_session.session().duration()));
}

std::vector<PaintedItem> Overview::paintedItems()
{
    std::vector<PaintedItem> items;
    if (m_session.isEmpty())
        return items;
    const TimeAxis axis{m_session.session(), static_cast<double>(width())};
    const auto add = [&](const QString& name, TimeRange range, std::function<void()> press) {
        const QRectF place(
            axis.xAt(range.start), 0, std::max(1.0, axis.xAt(range.end) - axis.xAt(range.start)), height());
        items.push_back({name, timesOf(range), place.toAlignedRect()});
        items.back().press = std::move(press);
    };
    add(tr("The whole report"), m_session.session(), [this] { m_session.time().showAll(); });
    add(tr("Shown"), m_session.time().shown(), {});
    items.back().isCurrent = true;
    if (const TimeRange selected = m_session.time().selectedRange(); !selected.empty())
        add(tr("Selected"), selected, [this] { m_session.selection().zoomToSelection(); });
    if (const TimeRange marked = m_session.selection().markedRange(); !marked.empty())
        add(tr("Evidence"), marked, [this, marked] { m_session.time().goTo(marked); });
    return items;
}

QString Overview::paintedValue() const
{
    return m_session.isEmpty() ? QString() : timesOf(m_session.time().shown());
}

std::vector<PaintedItem> StepStrip::paintedItems()
{
    std::vector<PaintedItem> items;
    const TimeAxis axis{m_session.session(), static_cast<double>(width())};
    for (std::size_t i = 0; i < m_steps.size() && items.size() < maxEvents; ++i) {
        const TimeRange range = rangeOf(i);
        if (!range.touches(m_session.time().drawn().start, m_session.time().drawn().end))
            continue;
        const double left = axis.xAt(range.start);
        const QRect place
            = QRectF(left, 0, std::max(1.0, axis.xAt(range.end) - left), height()).toAlignedRect();
        PaintedItem item{textOf(toUtf8(m_session.trace().name(m_steps.events[i]))), {}, place};
        item.description
            = tr("%1, at %2").arg(durationText(range.duration()), textOf(formatInstant(range.start)));
        item.press = [this, i] {
            if (i < m_steps.size())
                showSteps(i, i);
        };
        items.push_back(std::move(item));
    }
    return items;
}

} // namespace warpline
