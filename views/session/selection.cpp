#include "views/session/selection.h"

#include "core/store/trace.h"
#include "views/loading/dispose.h"
#include "views/session/report_scope.h"
#include "views/session/session.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace warpline {

namespace {

/// The row that shows `event`; of several one that the user does not hide, a pinned one first.
RowId rowToReveal(const Session& session, EventId event)
{
    const RowId usual = session.workspace().rowOf(event);
    const auto isHidden = [&](RowId row) {
        for (; row != RowTree::root; row = session.rows().row(row).parent) {
            if (session.rowView().isHidden(row))
                return true;
        }
        return false;
    };
    if (usual == RowTree::root || !isHidden(usual))
        return usual;
    const TrackRef track = session.trace(event.report).trackOf(event.event);
    RowId other = usual;
    for (const RowId id : session.rows().subtree(RowTree::root)) {
        const Row& row = session.rows().row(id);
        if (row.report != event.report || row.drawing == Drawing::Header
            || std::ranges::find(row.tracks, track) == row.tracks.end() || isHidden(id))
            continue;
        if (other == usual || session.rowView().isPinned(id))
            other = id;
    }
    return other;
}

/// Whether the report has the event: panels may still show events of the previous report.
bool holds(const Workspace& workspace, EventId event)
{
    return event.valid() && raw(event.report) < workspace.reports().size()
        && event.event.index < workspace.trace(event.report).table(event.event.kind).size();
}

/// The same of all of `sorted`.
bool holds(const Workspace& workspace, ReportId report, const std::vector<EventRef>& sorted)
{
    for (auto first = sorted.begin(); first != sorted.end();) {
        const auto next = std::ranges::upper_bound(first, sorted.end(), EventRef{first->kind, noIndex});
        if (!holds(workspace, {report, *std::prev(next)}))
            return false;
        first = next;
    }
    return true;
}

} // namespace

Selection::Selection(Session& session)
    : m_session(session)
{
}

void Selection::dropEvents()
{
    m_sameName.cancel();
    m_selectedRows.clear();
    m_current = {};
    clearHighlights();
}

void Selection::forget()
{
    m_marked = {};
    m_filter = {};
}

bool Selection::dropPlaces(bool keepsProcess)
{
    const EventFilter before = m_filter;
    m_filter.tracks.clear();
    m_filter.process = keepsProcess ? m_filter.process : 0;
    return m_filter != before;
}

void Selection::tellDropped()
{
    emit filterChanged();
    if (m_highlighted.passFilter)
        highlightFiltered();
}

void Selection::selectRows(std::vector<RowId> rows)
{
    if (rows == m_selectedRows)
        return;
    m_selectedRows = std::move(rows);
    if (!m_selectedRows.empty())
        m_session.followSelected(m_session.rows().row(m_selectedRows.front()).report);
    emit selectedRowsChanged();
}

std::vector<RowId> Selection::ownSelectedRows() const
{
    return ownSelectedRows(m_session.report().id);
}

std::vector<RowId> Selection::ownSelectedRows(ReportId report) const
{
    std::vector<RowId> own;
    for (const RowId row : m_selectedRows) {
        if (m_session.rows().row(row).report == report && !m_session.workspace().isOfAll(row))
            own.push_back(m_session.workspace().ownRow(row));
    }
    return own;
}

EventRef Selection::ownCurrentEvent() const
{
    return m_current.report == m_session.report().id ? m_current.event : EventRef();
}

void Selection::setCurrentEvent(EventId event)
{
    if (!holds(m_session.workspace(), event))
        event = {}; // an invalid event belongs to no report
    if (event == m_current)
        return;
    m_current = event;
    if (event.valid())
        m_session.followSelected(event.report);
    emit currentEventChanged(event);
}

const std::vector<EventRef>& Selection::highlighted(ReportId report) const
{
    static const std::vector<EventRef> none;
    const auto found = m_highlighted.events.find(report);
    return found == m_highlighted.events.end() ? none : found->second;
}

void Selection::setHighlighted(ReportId report, std::vector<EventRef> events)
{
    Highlights marked;
    if (!events.empty())
        marked.emplace(report, std::move(events));
    setHighlights(std::move(marked));
}

void Selection::setHighlights(Highlights events, std::optional<NameOfKind> name)
{
    Highlighted before = exchangeHighlights({std::move(events), std::move(name)});
    if (!before.events.empty())
        disposeElsewhere(std::move(before));
}

Selection::Highlighted Selection::exchangeHighlights(Highlighted next)
{
    for (auto& [report, ofReport] : next.events) {
        if (!std::ranges::is_sorted(ofReport)) // millions may come, and mostly in order
            std::ranges::sort(ofReport);
    }
    std::erase_if(next.events,
        [&](const auto& each) { return !holds(m_session.workspace(), each.first, each.second); });
    if (next.events.empty())
        next.name.reset();
    if (m_highlighted.passFilter && m_sameName.isBusy())
        next.passFilter = true; // what it finds comes instead
    if (next == m_highlighted)
        return next;
    std::swap(m_highlighted, next);
    emit highlightedChanged();
    return next;
}

void Selection::restoreHighlights(Highlighted marks)
{
    if (!marks.passFilter)
        m_sameName.cancel(); // its result would replace them
    exchangeHighlights(std::move(marks));
}

void Selection::takeHighlights(Highlights events, std::optional<NameOfKind> name)
{
    m_highlighted.events.swap(events);
    m_highlighted.passFilter = !name;
    m_highlighted.name = highlightsAny() ? std::move(name) : std::nullopt;
    emit highlightedChanged();
    disposeElsewhere(std::move(events));
}

void Selection::markRange(TimeRange range)
{
    if (range == m_marked)
        return;
    m_marked = range;
    emit highlightedChanged();
}

void Selection::highlightName(EventKind kind, const std::string& name)
{
    m_highlighted.passFilter = false;
    const auto reports = m_session.workspace().reports();
    m_sameName.start(
        [reports = std::vector(reports.begin(), reports.end()), kind, name](const std::stop_token& stop) {
            Highlights same;
            for (const OpenReport& report : reports) {
                StringId id{};
                if (!report.trace->pool->find(name, id))
                    continue;
                std::vector<EventRef> events;
                const EventTable& table = report.trace->table(kind);
                for (EventIndex i = 0; i < table.size() && !stop.stop_requested(); ++i) {
                    if (table.name[i] == id)
                        events.push_back({kind, i});
                }
                if (!events.empty())
                    same.emplace(report.id, std::move(events));
            }
            return same;
        },
        [this, kind, name](Highlights same) {
            takeHighlights(std::move(same), NameOfKind{kind, name});
        });
}

bool Selection::isHighlighted(EventId event) const
{
    return std::ranges::binary_search(highlighted(event.report), event.event);
}

void Selection::goTo(EventId event)
{
    if (!holds(m_session.workspace(), event))
        return;
    const TimeRange range = m_session.workspace().range(event);
    constexpr Ns minRoom = 500;
    const Ns room = std::max(minRoom, range.duration());
    m_session.time().show({range.start - room, range.end + room});
    m_session.rowView().reveal(rowToReveal(m_session, event));
    setCurrentEvent(event);
}

void Selection::goToAtScale(EventId event, bool remember)
{
    if (!holds(m_session.workspace(), event))
        return;
    const TimeRange range = m_session.workspace().range(event);
    if (!m_session.time().fitsScale(range)) {
        goTo(event);
        return;
    }
    m_session.time().show(leastMove(m_session.time().shown(), range), remember, Manner::Request);
    m_session.rowView().reveal(rowToReveal(m_session, event));
    setCurrentEvent(event);
}

void Selection::setFilter(EventFilter filter)
{
    if (filter == m_filter)
        return;
    m_filter = std::move(filter);
    emit filterChanged();
    highlightFiltered();
}

EventQuery queryOf(const EventFilter& filter, const Trace& trace)
{
    EventQuery query;
    constexpr Ns always = Ns{1} << 61U; // includes messages of the profiler outside of the session
    query.window = {-always, always};
    query.text = filter.text;
    query.minDuration = filter.minDuration;
    query.maxDuration = filter.maxDuration;
    if (filter.name) {
        StringId name{noIndex}; // no event has this name
        trace.pool->find(*filter.name, name);
        query.name = name;
    }
    query.kind = filter.kind;
    query.tracks = filter.tracks;
    query.process = filter.process;
    return query;
}

void Selection::highlightFiltered()
{
    if (m_filter == EventFilter()) {
        m_sameName.cancel();
        clearHighlights();
        return;
    }
    struct Asked {
        ReportId report{};
        std::shared_ptr<const Trace> trace;
        EventQuery query;
    };
    std::vector<Asked> asked;
    for (const ReportId each : m_session.scope().reports()) {
        const bool isOfOne = !m_filter.tracks.empty() || m_filter.process != 0; // the panels' report
        if (!isOfOne || each == m_session.report().id)
            asked.push_back(
                {each, m_session.workspace().report(each).trace, queryOf(m_filter, m_session.trace(each))});
    }
    m_highlighted.passFilter = true;
    m_sameName.start(
        [asked = std::move(asked)](const std::stop_token& stop) {
            Highlights passing;
            for (const Asked& each : asked) {
                const EventList list(each.trace, each.query, stop);
                if (list.size() == 0)
                    continue;
                std::vector<EventRef>& events = passing[each.report];
                events.assign(list.events().begin(), list.events().end());
                std::ranges::sort(events); // millions: sorted off the GUI thread
            }
            return passing;
        },
        [this](Highlights passing) { takeHighlights(std::move(passing)); });
}

void Selection::zoomToSelection()
{
    TimeView& time = m_session.time();
    if (!time.selectedRange().empty())
        time.show(time.selectedRange());
    else if (!m_marked.empty())
        time.goTo(m_marked);
    else if (m_current.valid())
        goTo(m_current);
}

void Selection::setSearchText(const QString& text)
{
    if (text == m_searchText)
        return;
    m_searchText = text;
    emit searchTextChanged();
}

void Selection::clear()
{
    m_session.time().selectRange({});
    selectRows({});
    setCurrentEvent({});
    clearHighlights();
    markRange({});
}

} // namespace warpline
