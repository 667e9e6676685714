// Which events are current, marked and passed by the filter, and how one gets to them.

#include "views/session/session.h"

#include "views/loading/dispose.h"
#include "views/session/report_scope.h"

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
            if (session.isHidden(row))
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
        if (other == usual || session.isPinned(id))
            other = id;
    }
    return other;
}

/// Whether the report has it: panels may still show events of one that was open before.
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

void Session::setCurrentEvent(EventId event)
{
    if (!holds(*m_workspace, event))
        event = {}; // none is of no report
    if (event == m_current)
        return;
    m_current = event;
    if (m_followsSelection && event.valid())
        setReport(event.report);
    emit currentEventChanged(event);
}

const std::vector<EventRef>& Session::highlighted(ReportId report) const
{
    static const std::vector<EventRef> none;
    const auto found = m_highlighted.find(report);
    return found == m_highlighted.end() ? none : found->second;
}

void Session::setHighlighted(ReportId report, std::vector<EventRef> events)
{
    Highlights marked;
    if (!events.empty())
        marked.emplace(report, std::move(events));
    setHighlights(std::move(marked));
}

void Session::setHighlights(Highlights events)
{
    for (auto& [report, ofReport] : events) {
        if (!std::ranges::is_sorted(ofReport)) // millions may come, and mostly in order
            std::ranges::sort(ofReport);
    }
    std::erase_if(events, [&](const auto& each) { return !holds(*m_workspace, each.first, each.second); });
    if (events != m_highlighted)
        takeHighlights(std::move(events));
}

void Session::takeHighlights(Highlights events)
{
    m_highlighted.swap(events);
    emit highlightedChanged();
    disposeElsewhere(std::move(events));
}

void Session::markRange(TimeRange range)
{
    if (range == m_marked)
        return;
    m_marked = range;
    emit highlightedChanged();
}

void Session::highlightName(EventKind kind, const std::string& name)
{
    m_sameName.start(
        [workspace = m_workspace, kind, name](const std::stop_token& stop) {
            Highlights same;
            for (const OpenReport& report : workspace->reports()) {
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
        [this](Highlights same) { takeHighlights(std::move(same)); });
}

bool Session::isHighlighted(EventId event) const
{
    return std::ranges::binary_search(highlighted(event.report), event.event);
}

void Session::goTo(EventId event)
{
    if (!holds(*m_workspace, event))
        return;
    const TimeRange range = m_workspace->range(event);
    constexpr Ns minRoom = 500;
    const Ns room = std::max(minRoom, range.duration());
    show({range.start - room, range.end + room});
    reveal(rowToReveal(*this, event));
    setCurrentEvent(event);
}

bool Session::fitsScale(TimeRange range) const
{
    const auto seen = static_cast<double>(m_shown.duration());
    const auto length = static_cast<double>(range.duration());
    return length <= seen && (range.empty() || length * m_pixels >= minPixels * seen);
}

void Session::goToAtScale(EventId event, bool remember)
{
    if (!holds(*m_workspace, event))
        return;
    const TimeRange range = m_workspace->range(event);
    if (!fitsScale(range)) {
        goTo(event);
        return;
    }
    show(leastMove(m_shown, range), remember, Manner::Request);
    reveal(rowToReveal(*this, event));
    setCurrentEvent(event);
}

void Session::goToAtScale(TimeRange range)
{
    if (fitsScale(range))
        show(leastMove(m_shown, range));
    else
        goTo(range);
}

void Session::setFilter(EventFilter filter)
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
    constexpr Ns always = Ns{1} << 61U; // what the profiler said before and after the session too
    query.window = {-always, always};
    query.text = filter.text.toStdString();
    query.minDuration = filter.minDuration;
    query.maxDuration = filter.maxDuration;
    if (filter.name) {
        StringId name{noIndex}; // nothing is called so
        trace.pool->find(*filter.name, name);
        query.name = name;
    }
    query.kind = filter.kind;
    query.tracks = filter.tracks;
    query.process = filter.process;
    return query;
}

void Session::highlightFiltered()
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
    for (const ReportId each : scope().reports()) {
        const bool isOfOne = !m_filter.tracks.empty() || m_filter.process != 0; // the panels' report
        if (!isOfOne || each == report().id)
            asked.push_back({each, m_workspace->report(each).trace, queryOf(m_filter, trace(each))});
    }
    m_sameName.start(
        [asked = std::move(asked)](const std::stop_token& stop) {
            Highlights passing;
            for (const Asked& each : asked) {
                const EventList list(each.trace, each.query, stop);
                if (list.size() == 0)
                    continue;
                std::vector<EventRef>& events = passing[each.report];
                events.assign(list.events().begin(), list.events().end());
                std::ranges::sort(events); // millions: here, where nobody waits
            }
            return passing;
        },
        [this](Highlights passing) { takeHighlights(std::move(passing)); });
}

} // namespace warpline
