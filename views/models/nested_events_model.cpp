#include "views/models/nested_events_model.h"

#include "core/base/format_instant.h"
#include "core/store/place_names.h"
#include "core/store/trace.h"
#include "views/loading/dispose.h"
#include "views/style/rich_text.h"

#include <algorithm>

namespace warpline {

namespace {

const NestedEvents::Node& nodeOf(const NestedPart& part, std::uint32_t node)
{
    return part.events.nodes()[node];
}

} // namespace

NestedParts nestedParts(const EventsOfReports& list, const NestedParts& known, const std::stop_token& stop)
{
    NestedParts parts;
    for (const EventsPart& of : list.parts()) {
        auto part = std::make_shared<NestedPart>();
        part->report = of.report;
        part->trace = of.trace;
        const auto same
            = std::ranges::find_if(known, [&](const auto& each) { return each->trace == of.trace; });
        part->ranges = same != known.end() ? (*same)->ranges
                                           : std::make_shared<const EnclosingRanges>(*of.trace, stop);
        part->events = NestedEvents(*of.trace, *part->ranges, of.list->events(), stop);
        parts.push_back(std::move(part));
    }
    return parts;
}

NestedEventsModel::NestedEventsModel(Session& session, QObject* parent)
    : QAbstractItemModel(parent),
      m_session(session)
{
}

void NestedEventsModel::show(std::shared_ptr<const EventsOfReports> list, NestedParts parts)
{
    if (!list && !m_list)
        return;
    beginResetModel();
    m_list.swap(list);
    m_parts.swap(parts);
    endResetModel();
    disposeElsewhere(std::pair(std::move(list), std::move(parts)));
}

// An id names the node that a line shows, or below which its event stands.
quintptr NestedEventsModel::idOf(const Place& place)
{
    return (quintptr{place.part} << 33U) | (quintptr{place.node} << 1U) | (place.isEvent ? 1U : 0U);
}

NestedEventsModel::Place NestedEventsModel::lineAt(const QModelIndex& index)
{
    if (!index.isValid())
        return {};
    const quintptr id = index.internalId();
    return {static_cast<std::uint32_t>(id >> 33U), static_cast<std::uint32_t>(id >> 1U), (id & 1U) != 0,
        index.row()};
}

int NestedEventsModel::linesBelow(const Place& place) const
{
    const NestedPart& part = *m_parts[place.part];
    if (place.isEvent || part.events.nodes().empty())
        return 0;
    const NestedEvents::Node& node = nodeOf(part, place.node);
    return static_cast<int>(node.children + std::min(node.ownCount, maxEvents + 1));
}

bool NestedEventsModel::isRest(const Place& place) const
{
    const NestedEvents::Node& node = nodeOf(*m_parts[place.part], place.node);
    return place.isEvent && static_cast<std::uint64_t>(place.row) - node.children >= maxEvents;
}

EventRef NestedEventsModel::eventAt(const Place& place) const
{
    const NestedPart& part = *m_parts[place.part];
    const std::size_t at = static_cast<std::size_t>(place.row) - nodeOf(part, place.node).children;
    return part.events.eventsOf(place.node)[at];
}

EventId NestedEventsModel::idAt(const QModelIndex& index) const
{
    const Place place = lineAt(index);
    if (!index.isValid() || !place.isEvent || isRest(place))
        return {};
    return {m_parts[place.part]->report, eventAt(place)};
}

QModelIndex NestedEventsModel::indexOf(EventId event) const
{
    const auto found
        = std::ranges::find_if(m_parts, [&](const auto& part) { return part->report == event.report; });
    if (!event.valid() || found == m_parts.end())
        return {};
    const NestedPart& part = **found;
    const std::uint32_t node = part.events.nodeOf(*part.ranges, event.event);
    if (node == 0)
        return {};
    const NestedEvents::Node& of = nodeOf(part, node);
    const auto events = part.events.eventsOf(node).first(std::min(maxEvents, of.ownCount));
    const auto at = std::ranges::find(events, event.event);
    if (at == events.end())
        return {};
    const int row = static_cast<int>(of.children) + static_cast<int>(at - events.begin());
    return createIndex(row, 0, idOf({static_cast<std::uint32_t>(found - m_parts.begin()), node, true, row}));
}

QModelIndex NestedEventsModel::index(int row, int column, const QModelIndex& parent) const
{
    if (row < 0 || column < 0 || column >= Columns || row >= rowCount(parent))
        return {};
    if (!parent.isValid() && m_parts.size() > 1)
        return createIndex(row, column, idOf({static_cast<std::uint32_t>(row), 0, false, row}));
    Place place = lineAt(parent);
    const NestedEvents::Node& above = nodeOf(*m_parts[place.part], place.node);
    if (static_cast<std::uint32_t>(row) < above.children)
        place.node = above.firstChild + static_cast<std::uint32_t>(row);
    else
        place.isEvent = true;
    return createIndex(row, column, idOf(place));
}

QModelIndex NestedEventsModel::parent(const QModelIndex& index) const
{
    Place place = lineAt(index);
    if (!index.isValid() || (!place.isEvent && place.node == 0))
        return {};
    if (!place.isEvent)
        place.node = nodeOf(*m_parts[place.part], place.node).parent;
    place.isEvent = false;
    if (place.node == 0)
        return m_parts.size() > 1 ? createIndex(static_cast<int>(place.part), 0, idOf(place)) : QModelIndex();
    return createIndex(static_cast<int>(nodeOf(*m_parts[place.part], place.node).place), 0, idOf(place));
}

int NestedEventsModel::rowCount(const QModelIndex& parent) const
{
    if (m_parts.empty() || parent.column() > 0)
        return 0;
    if (!parent.isValid() && m_parts.size() > 1)
        return static_cast<int>(m_parts.size());
    return linesBelow(lineAt(parent));
}

int NestedEventsModel::columnCount(const QModelIndex&) const
{
    return Columns;
}

QString NestedEventsModel::nodeText(const Place& place, int column) const
{
    const NestedPart& part = *m_parts[place.part];
    if (place.node == 0 && column == Name)
        return textOf(m_session.workspace().report(part.report).label);
    if (part.events.nodes().empty())
        return {};
    const NestedEvents::Node& node = nodeOf(part, place.node);
    switch (column) {
    case Name:
        return node.path == 0 ? tr("Outside NVTX ranges")
            : node.byHelpers  ? tr("From other threads")
                              : textOf(part.trace->text(part.ranges->nodes()[node.path].name));
    case Count:
        return numberText(node.count);
    case Time:
        return durationText(node.total);
    default:
        return {};
    }
}

QString NestedEventsModel::eventText(const Place& place, int column) const
{
    const NestedPart& part = *m_parts[place.part];
    if (isRest(place)) {
        const std::uint64_t more = nodeOf(part, place.node).ownCount - maxEvents;
        return column == Name ? tr("and %1 more: filter or sort to see them").arg(numberText(more))
                              : QString();
    }
    const EventRef event = eventAt(place);
    const EventTable& table = part.trace->table(event.kind);
    switch (column) {
    case Name:
        return textOf(part.trace->displayName(event));
    case Time:
        return durationText(table.duration[event.index]);
    case Start:
        for (const EventsPart& of : m_list->parts()) {
            if (of.report == part.report)
                return textOf(formatInstant(of.clock.toWorkspace(table.start[event.index])));
        }
        return {};
    case Where:
        return plainTextOf(placeOf(*part.trace, part.trace->trackOf(event)));
    default:
        return {};
    }
}

QVariant NestedEventsModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    if (role == Qt::TextAlignmentRole && index.column() >= Count && index.column() <= Start)
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
        return {};
    const Place place = lineAt(index);
    const QString text = place.isEvent ? eventText(place, index.column()) : nodeText(place, index.column());
    return role == Qt::ToolTipRole ? plainTip(text) : text;
}

QVariant NestedEventsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole && section >= Count && section <= Start)
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Name:
        return tr("NVTX range or event");
    case Count:
        return tr("Events");
    case Time:
        return tr("Duration");
    case Start:
        return tr("Start");
    case Where:
        return tr("Where");
    default:
        return {};
    }
}

} // namespace warpline
