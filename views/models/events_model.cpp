#include "views/models/events_model.h"

#include "core/base/format.h"
#include "core/base/utf8.h"
#include "core/query/event_text.h"
#include "core/store/payload_fields.h"
#include "core/store/place_names.h"

#include "views/loading/dispose.h"
#include "views/style/explained_terms.h"

#include <QFont>

#include <algorithm>
#include <array>
#include <limits>

namespace warpline {

namespace {

constexpr std::array<const char*, 9> titles{
    "Name", "Start", "Duration", "Where", "Process", "Stream", "Bytes", "Kind", "Category"};
constexpr std::size_t mostPayloadColumns = 16;
constexpr int refreshDelayMs = 60;

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
    const auto follow = [this] {
        if (m_trace == m_session.sharedTrace() && m_session.workspace().reports().size() > 1) {
            refreshSoon(); // others came or went; rows and clocks may be others
            return;
        }
        // Events of the old trace mean nothing in the new one.
        disposeElsewhere(std::exchange(m_kept, {}));
        if (m_column == EventColumn::Payload || m_column == EventColumn::Category) {
            m_column = EventColumn::Duration;
            m_field = {};
        }
        show(m_session.sharedTrace(), std::make_shared<const EventList>());
        refreshSoon();
    };
    connect(&m_session, &Session::traceChanged, this, follow);
    connect(&m_session, &Session::reportChosen, this, follow);
    connect(&m_session, &Session::clocksChanged, this, &EventsModel::refreshSoon);
    connect(&m_session, &Session::selectedRangeChanged, this, &EventsModel::refreshSoon);
    connect(&m_session, &Session::selectedRowsChanged, this, &EventsModel::refreshSoon);
    connect(&m_session, &Session::filterChanged, this, &EventsModel::refreshSoon);
    refreshSoon();
}

EventQuery EventsModel::query() const
{
    // All means all: marks at the very end, and what the profiler said before and after the session.
    EventQuery query = queryOf(m_session.filter(), m_session.trace());
    if (!m_session.selectedRange().empty())
        query.window = m_session.ownTime(m_session.selectedRange());
    if (query.tracks.empty()) {
        for (const RowId row : m_session.ownSelectedRows()) {
            const std::vector<TrackRef> below = m_session.report().rows->tracksBelow(row);
            query.tracks.insert(query.tracks.end(), below.begin(), below.end());
        }
        std::ranges::sort(query.tracks);
        const auto [first, last] = std::ranges::unique(query.tracks);
        query.tracks.erase(first, last);
    }
    query.column = m_column;
    query.field = m_field;
    query.descending = m_descending;
    return query;
}

void EventsModel::setActive(bool active)
{
    m_active = active;
    if (active && m_outdated)
        refresh();
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
    const auto trace = m_session.sharedTrace();
    if (!trace->complete) {
        // Sorting again and again what is not all there would only slow the loading down.
        m_job.cancel();
        show(trace, std::make_shared<const EventList>());
        return;
    }
    const EventQuery asked = query();
    const auto kept = std::ranges::find(m_kept, asked, &Kept::query);
    if (kept != m_kept.end()) {
        m_job.cancel();
        std::rotate(m_kept.begin(), kept, kept + 1);
        show(trace, m_kept.front().list);
        return;
    }
    m_job.start(
        [trace, asked](
            const std::stop_token& stop) { return std::make_shared<const EventList>(trace, asked, stop); },
        [this, asked, trace](std::shared_ptr<const EventList> list) {
            if (trace != m_session.sharedTrace())
                return; // its events are gone; the next refresh is on its way
            keep(asked, list);
            show(trace, std::move(list));
        });
    emit busyChanged();
}

void EventsModel::show(std::shared_ptr<const Trace> trace, std::shared_ptr<const EventList> list)
{
    beginResetModel();
    m_trace.swap(trace);
    m_list.swap(list);
    findColumns();
    endResetModel();
    disposeElsewhere(std::pair(std::move(trace), std::move(list)));
    emit busyChanged();
    emit updated();
}

void EventsModel::keep(const EventQuery& query, const std::shared_ptr<const EventList>& list)
{
    constexpr std::size_t mostEvents = 64'000'000; // of all lists: eight bytes each
    m_kept.insert(m_kept.begin(), {query, list});
    std::size_t events = 0;
    const auto tooMuch = std::ranges::find_if(m_kept, [&events, &list](const Kept& kept) {
        events += kept.list->size();
        return kept.list != list && events > mostEvents;
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

EventRef EventsModel::eventAt(int row) const
{
    return row >= 0 && static_cast<std::size_t>(row) < m_list->size()
        ? (*m_list)[static_cast<std::size_t>(row)]
        : EventRef();
}

int EventsModel::rowOf(EventRef event) const
{
    if (m_trace != m_session.sharedTrace())
        return -1;
    const std::size_t row = m_list->rowOf(event);
    return row < m_list->size() ? static_cast<int>(row) : -1;
}

void EventsModel::findColumns()
{
    m_columns.clear();
    for (std::size_t i = 0; i <= static_cast<std::size_t>(EventColumn::Kind); ++i)
        m_columns.push_back({static_cast<EventColumn>(i), {}});
    const NvtxTable& nvtx = m_trace->nvtx();
    if (std::ranges::any_of(nvtx.attributes, [](const NvtxAttributes& each) { return each.category != 0; }))
        m_columns.push_back({EventColumn::Category, {}});
    for (std::size_t i = 0; i < std::min(nvtx.payloadFields.size(), mostPayloadColumns); ++i)
        m_columns.push_back({EventColumn::Payload, nvtx.payloadFields[i]});
}

QString EventsModel::nvtxTextOf(EventRef event, EventColumn column, StringId field) const
{
    if (event.kind == EventKind::NvtxProjected)
        event = madeFrom(*m_trace, event);
    if (event.kind != EventKind::Nvtx)
        return {};
    const NvtxAttributes& attributes = m_trace->nvtx().attributesOf(event.index);
    if (column == EventColumn::Category)
        return QString::fromStdString(categoryText(*m_trace, attributes));
    const auto found = findPayloadField(m_trace->text(attributes.payload), m_trace->text(field));
    return found ? QString::fromStdString(toUtf8(found->value)) : QString();
}

QString EventsModel::textOf(EventRef event, EventColumn column, StringId field) const
{
    const EventTable& table = m_trace->table(event.kind);
    const Track& track = table.trackOf(event.index);
    switch (column) {
    case EventColumn::Name: {
        const std::string_view name = m_trace->displayName(event);
        return QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
    }
    case EventColumn::Start:
        return QString::fromStdString(formatTime(table.start[event.index]));
    case EventColumn::Duration:
        return QString::fromStdString(formatDuration(table.duration[event.index]));
    case EventColumn::Where:
        return QString::fromStdString(placeOf(*m_trace, m_trace->trackOf(event)));
    case EventColumn::Process:
        return track.owner ? QString::fromStdString(processLabel(*m_trace, track.owner)) : QString();
    case EventColumn::Stream:
        return track.stream >= 0 ? QString::number(track.stream) : QString();
    case EventColumn::Bytes:
        return table.bytes.empty() ? QString()
                                   : QString::fromStdString(formatBytes(table.bytes[event.index]));
    case EventColumn::Category:
    case EventColumn::Payload:
        return nvtxTextOf(event, column, field);
    case EventColumn::Kind:
        break;
    }
    const std::string_view title = titleOf(event.kind);
    return QString::fromUtf8(title.data(), static_cast<qsizetype>(title.size()));
}

QVariant EventsModel::data(const QModelIndex& index, int role) const
{
    const EventRef event = eventAt(index.row());
    if (!event.valid() || static_cast<std::size_t>(index.column()) >= m_columns.size())
        return {};
    const auto [column, field] = m_columns[static_cast<std::size_t>(index.column())];
    if (role == Qt::DisplayRole)
        return textOf(event, column, field);
    if (role == Qt::ToolTipRole && column == EventColumn::Name) {
        const std::string_view name = m_trace->name(event);
        return QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
    }
    if (role == Qt::TextAlignmentRole) {
        const bool number = column == EventColumn::Start || column == EventColumn::Duration
            || column == EventColumn::Bytes || column == EventColumn::Stream;
        return static_cast<int>((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    }
    if (role == Qt::FontRole && m_session.isHighlighted(m_session.idOf(event))) {
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
        return explanationIn(headerData(section, orientation, Qt::DisplayRole).toString());
    if (role != Qt::DisplayRole)
        return {};
    const auto [column, field] = m_columns[static_cast<std::size_t>(section)];
    return column == EventColumn::Payload ? QString::fromStdString(toUtf8(m_trace->text(field)))
                                          : tr(titles[static_cast<std::size_t>(column)]);
}

void EventsModel::sort(int column, Qt::SortOrder order)
{
    if (column < 0 || column >= columnCount())
        return;
    m_column = m_columns[static_cast<std::size_t>(column)].column;
    m_field = m_columns[static_cast<std::size_t>(column)].field;
    m_descending = order == Qt::DescendingOrder;
    refresh();
}

} // namespace warpline
