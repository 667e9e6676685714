#include "views/models/events_model.h"

#include "core/base/format.h"
#include "core/base/format_instant.h"
#include "core/export/event_cells.h"
#include "core/query/event_text.h"
#include "core/store/payload_fields.h"
#include "core/store/place_names.h"
#include "core/store/range_words.h"
#include "core/store/trace.h"
#include "views/loading/dispose.h"
#include "views/session/report_scope.h"
#include "views/style/column_heads.h"
#include "views/style/rich_text.h"

#include <QFont>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <string>

namespace warpline {

namespace {

constexpr std::array<const char*, 9> columnTitles{QT_TRANSLATE_NOOP("Column", "Name"),
    QT_TRANSLATE_NOOP("Column", "Start"), QT_TRANSLATE_NOOP("Column", "Duration"),
    QT_TRANSLATE_NOOP("Column", "Where"), QT_TRANSLATE_NOOP("Column", "Process"),
    QT_TRANSLATE_NOOP("Column", "Stream"), QT_TRANSLATE_NOOP("Column", "Bytes"),
    QT_TRANSLATE_NOOP("Column", "Kind"), QT_TRANSLATE_NOOP("Column", "Category")};
constexpr std::size_t maxPayloadColumns = 16;
constexpr int refreshDelayMs = 60;

/// For a column's cells and its title.
int alignmentOf(EventColumn column, bool isMeasured)
{
    const bool number = column == EventColumn::Start || column == EventColumn::Duration
        || column == EventColumn::Bytes || column == EventColumn::Stream || isMeasured;
    return static_cast<int>((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
}

} // namespace

EventsModel::EventsModel(Session& session, QObject* parent)
    : QAbstractTableModel(parent),
      m_session(session),
      m_trace(session.sharedTrace())
{
    m_delay.setSingleShot(true);
    m_delay.setInterval(refreshDelayMs);
    findColumns();
    connect(&m_delay, &QTimer::timeout, this, &EventsModel::refresh);
    connect(&m_session, &Session::traceChanged, this, &EventsModel::follow);
    connect(&m_session, &Session::reportChosen, this, &EventsModel::follow);
    connect(&m_session.scope(), &ReportScope::changed, this, &EventsModel::refreshSoon);
    connect(&m_session, &Session::clocksChanged, this, &EventsModel::refreshSoon);
    connect(&m_session.time(), &TimeView::selectedRangeChanged, this, &EventsModel::refreshSoon);
    connect(&m_session.selection(), &Selection::selectedRowsChanged, this, &EventsModel::refreshSoon);
    connect(&m_session.selection(), &Selection::filterChanged, this, &EventsModel::refreshSoon);
    m_job.onFailure([this] { show(std::make_shared<const EventsOfReports>()); });
    refreshSoon();
}

bool EventsModel::isListOpen() const
{
    const std::vector<ReportId> wanted = m_session.scope().reports();
    return m_list->parts().empty() ? m_trace == m_session.sharedTrace()
                                   : std::ranges::all_of(m_list->parts(), [&](const EventsPart& part) {
                                         return m_session.workspace().holds(part.report, part.trace)
                                             && std::ranges::find(wanted, part.report) != wanted.end();
                                     });
}

void EventsModel::follow()
{
    if (isListOpen() && m_session.workspace().reports().size() > 1) {
        refreshSoon(); // others came or went; rows and clocks may be others
        return;
    }
    // Events of the old trace mean nothing in the new one.
    disposeElsewhere(std::exchange(m_kept, {}));
    dropOwnColumn();
    show(std::make_shared<const EventsOfReports>());
    refreshSoon();
}

void EventsModel::dropOwnColumn()
{
    if (m_column != EventColumn::Payload && m_column != EventColumn::Category
        && m_column != EventColumn::Measure)
        return;
    m_column = EventColumn::Duration;
    m_field = {};
    m_measure.reset();
}

EventQuery EventsModel::queryOfReport(ReportId id) const
{
    // All events, including marks at the very end, and the profiler's messages outside of the session.
    const OpenReport& report = m_session.workspace().report(id);
    EventQuery query = queryOf(m_session.selection().filter(), *report.trace);
    if (!m_session.time().selectedRange().empty())
        query.window = m_session.ownTime(m_session.time().selectedRange(), report);
    if (query.tracks.empty())
        query.tracks = report.rows->tracksBelow(m_session.selection().ownSelectedRows(id));
    query.column = m_column;
    query.field = m_field;
    query.measure = m_measure;
    query.descending = m_descending;
    return query;
}

bool EventsModel::leavesOut(ReportId report) const
{
    const EventFilter& filter = m_session.selection().filter();
    if (!filter.tracks.empty() || filter.process != 0) // they are of the session's report
        return report != m_session.report().id;
    bool isAny = false;
    for (const RowId row : m_session.selection().selectedRows()) {
        if (m_session.workspace().isOfAll(row))
            continue;
        isAny = true;
        if (m_session.rows().row(row).report == report)
            return false;
    }
    return isAny;
}

EventsModel::Asked EventsModel::asked()
{
    Asked asked;
    const std::vector<ReportId> reports = m_session.scope().reports();
    for (const ReportId id : reports) {
        if (reports.size() > 1 && leavesOut(id))
            continue;
        const OpenReport& report = m_session.workspace().report(id);
        asked.parts.push_back({id, report.trace, report.clock, {}});
    }
    if (asked.parts.size() != 1 || asked.parts.front().trace != m_trace)
        dropOwnColumn(); // it is of m_trace, whose columns were offered
    for (AskedOfReport& part : asked.parts)
        part.query = queryOfReport(part.report);
    asked.byReport = m_byReport && asked.parts.size() > 1;
    return asked;
}

std::shared_ptr<const EventsOfReports> EventsModel::listOf(const Asked& asked, const std::stop_token& stop)
{
    std::vector<EventsPart> parts;
    for (const AskedOfReport& part : asked.parts)
        parts.push_back({part.report, part.trace, part.clock,
            std::make_shared<const EventList>(part.trace, part.query, stop)});
    const EventQuery order = asked.parts.empty() ? EventQuery() : asked.parts.front().query;
    // A column that does not differ between reports: one report after another.
    return std::make_shared<const EventsOfReports>(
        std::move(parts), asked.byReport ? EventColumn::Where : order.column, order.descending, stop);
}

EventsModel::MakeList EventsModel::makeList()
{
    return [wanted = asked()](const std::stop_token& stop) { return listOf(wanted, stop); };
}

void EventsModel::setActive(bool active)
{
    m_active = active;
    if (active && m_outdated)
        refresh();
    if (active)
        findWork();
}

void EventsModel::refreshSoon()
{
    if (!m_active) {
        m_job.cancel();
        m_delay.stop();
        m_outdated = true;
        return;
    }
    // The first request of a burst sets the time: a drag would put it off for ever.
    if (!m_delay.isActive())
        m_delay.start();
    emit busyChanged();
}

void EventsModel::refresh()
{
    m_delay.stop();
    m_outdated = !m_active;
    if (!m_active)
        return;
    if (!m_session.trace().complete) {
        // Sorting incomplete data repeatedly would only delay loading.
        m_job.cancel();
        show(std::make_shared<const EventsOfReports>());
        return;
    }
    const Asked wanted = asked();
    const auto kept = std::ranges::find(m_kept, wanted, &Kept::asked);
    if (kept != m_kept.end()) {
        m_job.cancel();
        std::rotate(m_kept.begin(), kept, kept + 1);
        show(m_kept.front().list);
        return;
    }
    m_job.start([wanted](const std::stop_token& stop) { return listOf(wanted, stop); },
        [this, wanted](std::shared_ptr<const EventsOfReports> list) {
            const bool areOpen = std::ranges::all_of(wanted.parts, [&](const AskedOfReport& part) {
                return m_session.workspace().holds(part.report, part.trace);
            });
            if (!areOpen)
                return; // its events are gone; the next refresh is on its way
            keep(wanted, list);
            show(std::move(list));
        });
    emit busyChanged();
}

void EventsModel::show(std::shared_ptr<const EventsOfReports> list)
{
    beginResetModel();
    std::shared_ptr<const Trace> trace
        = list->parts().size() == 1 ? list->parts().front().trace : m_session.sharedTrace();
    m_trace.swap(trace);
    m_list.swap(list);
    if (trace != m_trace)
        m_rooflines.reset();
    findColumns();
    endResetModel();
    findWork();
    disposeElsewhere(std::pair(std::move(trace), std::move(list)));
    emit busyChanged();
    emit updated();
}

void EventsModel::keep(const Asked& asked, const std::shared_ptr<const EventsOfReports>& list)
{
    constexpr std::size_t maxEvents = 64'000'000; // of all lists: eight bytes each
    m_kept.insert(m_kept.begin(), {asked, list});
    std::size_t events = 0;
    const auto tooMuch = std::ranges::find_if(m_kept, [&events, &list](const Kept& kept) {
        events += kept.list->size();
        return kept.list != list && events > maxEvents;
    });
    disposeElsewhere(std::vector(tooMuch, m_kept.end()));
    m_kept.erase(tooMuch, m_kept.end());
}

int EventsModel::rowCount(const QModelIndex& parent) const
{
    constexpr std::size_t most = std::numeric_limits<int>::max();
    return parent.isValid() ? 0 : static_cast<int>(std::min(m_list->size(), most));
}

int EventsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_columns.size());
}

EventId EventsModel::idAt(int row) const
{
    return row >= 0 && static_cast<std::size_t>(row) < m_list->size()
        ? (*m_list)[static_cast<std::size_t>(row)]
        : EventId();
}

int EventsModel::rowOf(EventId event) const
{
    if (!event.valid() || !isListOpen())
        return -1;
    const std::size_t row = m_list->rowOf(event);
    return row < m_list->size() ? static_cast<int>(row) : -1;
}

void EventsModel::findColumns()
{
    m_columns.clear();
    for (std::size_t i = 0; i <= static_cast<std::size_t>(EventColumn::Kind); ++i)
        m_columns.push_back({static_cast<EventColumn>(i), {}});
    if (isOfSeveral()) { // payload fields differ between reports
        m_columns.push_back({EventColumn::Where, {}, true});
        return;
    }
    const NvtxTable& nvtx = m_trace->nvtx();
    if (std::ranges::any_of(nvtx.attributes, [](const NvtxAttributes& each) { return each.category != 0; }))
        m_columns.push_back({EventColumn::Category, {}});
    for (std::size_t i = 0; i < std::min(nvtx.payloadFields.size(), maxPayloadColumns); ++i)
        m_columns.push_back({EventColumn::Payload, nvtx.payloadFields[i]});
    if (!m_rooflines)
        return;
    for (const WorkColumn column : allWorkColumns)
        m_columns.push_back({EventColumn::Measure, {}, false, column});
}

void EventsModel::findWork()
{
    if (m_rooflines || isOfSeveral() || !m_trace->complete || !m_active)
        return;
    m_workJob.start(
        [trace = m_trace](const std::stop_token& stop) { return operatorRooflinesOf(*trace, stop); },
        [this, trace = m_trace](std::shared_ptr<const OperatorRooflines> rooflines) {
            if (trace == m_trace)
                showWork(std::move(rooflines));
        });
}

void EventsModel::showWork(std::shared_ptr<const OperatorRooflines> rooflines)
{
    if (!rooflines || rooflines->empty() || m_rooflines || isOfSeveral())
        return;
    const int first = columnCount();
    beginInsertColumns({}, first, first + static_cast<int>(allWorkColumns.size()) - 1);
    m_rooflines = std::move(rooflines);
    for (const WorkColumn column : allWorkColumns)
        m_measures[static_cast<std::size_t>(column)] = measureOf(m_rooflines, column);
    findColumns();
    endInsertColumns();
    emit updated();
}

QString EventsModel::labelOf(ReportId report) const
{
    return raw(report) < m_session.workspace().reports().size()
        ? warpline::textOf(m_session.workspace().report(report).label)
        : QString();
}

const EventsPart& EventsModel::partOf(const EventsOfReports& list, EventId event)
{
    return *std::ranges::find(list.parts(), event.report, &EventsPart::report);
}

QString EventsModel::nvtxTextOf(const Trace& trace, EventRef event, const Shown& shown)
{
    if (event.kind == EventKind::NvtxProjected)
        event = madeFrom(trace, event);
    if (event.kind != EventKind::Nvtx)
        return {};
    const NvtxAttributes& attributes = trace.nvtx().attributesOf(event.index);
    if (shown.column == EventColumn::Category)
        return warpline::textOf(categoryText(trace, attributes));
    const auto found = findPayloadField(trace.text(attributes.payload), trace.text(shown.field));
    return found ? warpline::textOf(found->value) : QString();
}

QString EventsModel::textOf(
    const EventsPart& part, EventRef event, const Shown& shown, const OperatorRooflines* rooflines)
{
    const Trace& trace = *part.trace;
    const EventTable& table = trace.table(event.kind);
    const Track& track = table.trackOf(event.index);
    switch (shown.column) {
    case EventColumn::Name:
        return warpline::textOf(trace.displayName(event));
    case EventColumn::Start: // as the ruler counts
        return QString::fromStdString(formatInstant(part.clock.toWorkspace(table.start[event.index])));
    case EventColumn::Duration:
        return durationText(table.duration[event.index]);
    case EventColumn::Where:
        return plainTextOf(placeOf(trace, trace.trackOf(event)));
    case EventColumn::Process:
        return track.owner ? plainTextOf(processLabel(trace, track.owner)) : QString();
    case EventColumn::Stream:
        return track.stream >= 0 ? QString::number(track.stream) : QString();
    case EventColumn::Bytes:
        return table.bytes.empty() ? QString()
                                   : QString::fromStdString(formatBytes(table.bytes[event.index]));
    case EventColumn::Category:
    case EventColumn::Payload:
        return nvtxTextOf(trace, event, shown);
    case EventColumn::Measure:
        return rooflines && shown.work && event.kind == EventKind::Kernel
            ? warpline::textOf(workOfKernel(trace, *rooflines, event.index).textOf(*shown.work))
            : QString();
    case EventColumn::Kind:
        break;
    }
    return plainTextOf(titleOf(trace, event));
}

Unit EventsModel::unitOf(const Shown& shown)
{
    if (shown.isReport)
        return Unit::Text;
    switch (shown.column) {
    case EventColumn::Start:
    case EventColumn::Duration:
        return Unit::Nanoseconds;
    case EventColumn::Stream:
        return Unit::Integer;
    case EventColumn::Bytes:
        return Unit::Bytes;
    case EventColumn::Measure:
        return workColumns()[static_cast<std::size_t>(*shown.work)].unit;
    default:
        return Unit::Text;
    }
}

Cell EventsModel::cellOf(
    const EventsPart& part, EventRef event, const Shown& shown, const OperatorRooflines* rooflines)
{
    const EventTable& table = part.trace->table(event.kind);
    const EventIndex i = event.index;
    const auto text = [&] { return Cell(textOf(part, event, shown, rooflines).toStdString()); };
    switch (shown.column) {
    case EventColumn::Start:
        return part.clock.toWorkspace(table.start[i]);
    case EventColumn::Duration:
        return table.duration[i];
    case EventColumn::Stream:
        return table.trackOf(i).stream >= 0 ? Cell(std::int64_t{table.trackOf(i).stream}) : Cell();
    case EventColumn::Bytes:
        return table.bytes.empty() ? Cell() : Cell(static_cast<std::int64_t>(table.bytes[i]));
    case EventColumn::Measure: {
        if (!rooflines || event.kind != EventKind::Kernel)
            return {};
        if (unitOf(shown) == Unit::Text)
            return text();
        std::vector<Cell> cells;
        appendWork(cells, workOfKernel(*part.trace, *rooflines, i));
        return cells[static_cast<std::size_t>(*shown.work)];
    }
    default:
        return text();
    }
}

Cells EventsModel::cells() const
{
    Cells cells;
    for (int column = 0; column < columnCount(); ++column)
        cells.columns.push_back({headerData(column, Qt::Horizontal, Qt::DisplayRole).toString().toStdString(),
            unitOf(m_columns[static_cast<std::size_t>(column)])});
    std::map<ReportId, std::string> labels;
    for (const EventsPart& part : m_list->parts())
        labels[part.report] = labelOf(part.report).toStdString();
    RowSource source;
    source.count = static_cast<std::size_t>(rowCount());
    source.cells = [list = m_list, columns = m_columns, rooflines = m_rooflines, labels = std::move(labels)](
                       std::size_t row) {
        const EventId event = (*list)[row];
        const EventsPart& part = partOf(*list, event);
        std::vector<Cell> line;
        for (const Shown& shown : columns)
            line.push_back(shown.isReport ? Cell(labels.at(event.report))
                                          : cellOf(part, event.event, shown, rooflines.get()));
        return line;
    };
    source.event = [list = m_list](std::size_t row) { return (*list)[row].event; };
    cells.setSource(std::move(source));
    return cells;
}

QVariant EventsModel::data(const QModelIndex& index, int role) const
{
    const EventId event = idAt(index.row());
    if (!event.valid() || static_cast<std::size_t>(index.column()) >= m_columns.size())
        return {};
    const Shown& shown = m_columns[static_cast<std::size_t>(index.column())];
    const EventColumn column = shown.column;
    if (role == Qt::DisplayRole)
        return shown.isReport ? labelOf(event.report)
                              : textOf(partOf(*m_list, event), event.event, shown, m_rooflines.get());
    if (role == Qt::ToolTipRole && column == EventColumn::Name)
        return plainTip(warpline::textOf(partOf(*m_list, event).trace->name(event.event)));
    if (role == Qt::TextAlignmentRole)
        return alignmentOf(column, shown.work && shown.work != WorkColumn::Bound);
    const Selection& selection = m_session.selection();
    if (role == Qt::FontRole && selection.isHighlighted(event)
        && !selection.marksFiltered()) { // else all of the list are marked
        QFont font;
        font.setBold(true);
        return font;
    }
    return {};
}

QVariant EventsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    if (role == Qt::ToolTipRole)
        return columnTip(headerData(section, orientation, Qt::DisplayRole).toString());
    const Shown& shown = m_columns[static_cast<std::size_t>(section)];
    const bool isMeasured = shown.work && shown.work != WorkColumn::Bound;
    if (role == Qt::TextAlignmentRole)
        return alignmentOf(shown.column, isMeasured); // aligned like its cells
    if (role == Qt::InitialSortOrderRole) // of the first click: the largest first
        return isMeasured || shown.column == EventColumn::Duration || shown.column == EventColumn::Bytes
            ? Qt::DescendingOrder
            : Qt::AscendingOrder;
    if (role != Qt::DisplayRole)
        return {};
    if (shown.work)
        return tr(titleOf(*shown.work).data());
    return shown.isReport                      ? tr("Report")
        : shown.column == EventColumn::Payload ? warpline::textOf(m_trace->text(shown.field))
                                               : tr(columnTitles[static_cast<std::size_t>(shown.column)]);
}

int EventsModel::sortedColumn() const
{
    const auto sorts = [&](const Shown& shown) {
        if (m_byReport && isOfSeveral())
            return shown.isReport;
        return !shown.isReport && shown.column == m_column && shown.field == m_field
            && (!shown.work || m_measures[static_cast<std::size_t>(*shown.work)] == m_measure);
    };
    const auto found = std::ranges::find_if(m_columns, sorts);
    return found == m_columns.end() ? -1 : static_cast<int>(found - m_columns.begin());
}

void EventsModel::sort(int column, Qt::SortOrder order)
{
    if (column < 0 || column >= columnCount())
        return;
    const Shown& shown = m_columns[static_cast<std::size_t>(column)];
    m_byReport = shown.isReport;
    m_column = shown.isReport ? EventColumn::Duration : shown.column;
    m_field = shown.field;
    m_measure = shown.work ? m_measures[static_cast<std::size_t>(*shown.work)] : nullptr;
    m_descending = order == Qt::DescendingOrder;
    refresh();
}

} // namespace warpline
