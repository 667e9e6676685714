#include "views/session.h"

#include "core/query/event_list.h"
#include "views/loading/dispose.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace warpline {

namespace {

constexpr Ns shortestShown = 10;
constexpr qint64 stepsOfOneJumpMs = 700;
constexpr std::size_t longestHistory = 200;

/// Never goes back, whatever happens to the clock on the wall.
qint64 millisecondsNow()
{
    using namespace std::chrono;
    return duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count();
}

} // namespace

Session::Session(QObject* parent)
    : QObject(parent),
      m_trace(std::make_shared<const Trace>()),
      m_rows(std::make_shared<const RowTree>())
{
}

void Session::setTrace(std::shared_ptr<const Trace> trace, std::shared_ptr<const RowTree> rows)
{
    const bool sameReport
        = !m_trace->complete && !trace->info.path.empty() && trace->info.path == m_trace->info.path;
    const bool wasAll = m_trace->session.empty() || m_shown == m_trace->session;
    m_trace.swap(trace);
    m_rows.swap(rows);
    // Row ids and event numbers belong to the old snapshot.
    m_sameName.cancel();
    m_selectedRows.clear();
    m_current = {};
    setHighlighted({});
    if (!sameReport) {
        m_selected = {};
        m_back.clear();
        m_forward.clear();
        m_filter = {};
        m_judgesSelection = false;
        m_expanded.clear();
        m_hidden.clear();
        m_pinned.clear();
        m_scale.clear();
        m_order.clear();
    }
    if (!sameReport || wasAll)
        m_shown = m_trace->session;
    if (m_trace->complete)
        restoreState();
    if (!sameReport)
        emit reportOpened();
    emit traceChanged();
    emit shownChanged(m_shown);
    if (m_filter != EventFilter())
        highlightFiltered(); // more of the report that loads
    disposeElsewhere(std::pair(std::move(trace), std::move(rows))); // the ones from before
}

void Session::show(TimeRange range, bool remember)
{
    const TimeRange session = m_trace->session;
    if (session.empty())
        return;
    const Ns length = std::clamp(
        range.end - range.start, std::min(shortestShown, session.duration()), session.duration());
    const Ns start = std::clamp(range.start, session.start, session.end - length);
    const TimeRange shown{start, start + length};
    if (shown == m_shown)
        return;
    const qint64 now = millisecondsNow();
    if (remember || now - m_lastStep > stepsOfOneJumpMs) {
        m_back.push_back(m_shown);
        if (m_back.size() > longestHistory)
            m_back.erase(m_back.begin());
        m_forward.clear();
    }
    m_lastStep = remember ? 0 : now;
    m_shown = shown;
    emit shownChanged(m_shown);
}

void Session::zoomAt(Ns anchor, double factor)
{
    const double length = std::max<double>(shortestShown, static_cast<double>(m_shown.duration()) * factor);
    const double place = static_cast<double>(anchor - m_shown.start)
        / std::max<double>(1, static_cast<double>(m_shown.duration()));
    const Ns start = anchor - std::llround(length * place);
    show({start, start + std::llround(length)}, false);
}

void Session::panBy(Ns distance)
{
    show({m_shown.start + distance, m_shown.end + distance}, false);
}

void Session::showAll()
{
    show(m_trace->session);
}

void Session::goBack()
{
    if (m_back.empty())
        return;
    m_forward.push_back(m_shown);
    m_shown = m_back.back();
    m_back.pop_back();
    m_lastStep = 0;
    emit shownChanged(m_shown);
}

void Session::goForward()
{
    if (m_forward.empty())
        return;
    m_back.push_back(m_shown);
    m_shown = m_forward.back();
    m_forward.pop_back();
    m_lastStep = 0;
    emit shownChanged(m_shown);
}

void Session::selectRange(TimeRange range)
{
    if (range.start > range.end)
        std::swap(range.start, range.end);
    range = range.clippedTo(m_trace->session);
    if (range.empty())
        range = {};
    if (range == m_selected)
        return;
    const TimeRange before = judged();
    m_selected = range;
    emit selectedRangeChanged(m_selected);
    if (judged() != before)
        emit judgedChanged(judged());
}

void Session::setJudgesSelection(bool only)
{
    if (only == m_judgesSelection)
        return;
    const TimeRange before = judged();
    m_judgesSelection = only;
    emit judgesSelectionChanged(only);
    if (judged() != before)
        emit judgedChanged(judged());
}

TimeRange Session::judged() const
{
    return m_judgesSelection && !m_selected.empty() ? m_selected : m_trace->session;
}

void Session::zoomToSelection()
{
    if (!m_selected.empty())
        show(m_selected);
    else if (m_current.valid())
        goTo(m_current);
}

void Session::selectRows(std::vector<RowId> rows)
{
    if (rows == m_selectedRows)
        return;
    m_selectedRows = std::move(rows);
    emit selectedRowsChanged();
}

void Session::setCurrentEvent(EventRef event)
{
    if (event == m_current)
        return;
    m_current = event;
    emit currentEventChanged(event);
}

void Session::setHighlighted(std::vector<EventRef> events)
{
    if (!std::ranges::is_sorted(events)) // millions may come, and mostly in order
        std::ranges::sort(events);
    if (events == m_highlighted)
        return;
    m_highlighted.swap(events);
    emit highlightedChanged();
    disposeElsewhere(std::move(events));
}

void Session::highlightName(EventKind kind, StringId name)
{
    m_sameName.start(
        [trace = m_trace, kind, name](const std::stop_token& stop) {
            std::vector<EventRef> same;
            const EventTable& table = trace->table(kind);
            for (EventIndex i = 0; i < table.size() && !stop.stop_requested(); ++i) {
                if (table.name[i] == name)
                    same.push_back({kind, i});
            }
            return same;
        },
        [this](std::vector<EventRef> same) { setHighlighted(std::move(same)); });
}

bool Session::isHighlighted(EventRef event) const
{
    return std::ranges::binary_search(m_highlighted, event);
}

void Session::goTo(EventRef event)
{
    if (!event.valid())
        return;
    const TimeRange range = m_trace->range(event);
    constexpr Ns leastRoom = 500;
    const Ns room = std::max(leastRoom, range.duration());
    show({range.start - room, range.end + room});
    reveal(m_rows->rowOf(m_trace->trackOf(event)));
    setCurrentEvent(event);
}

void Session::goToAtScale(EventRef event)
{
    constexpr Ns leastPart = 400;
    constexpr Ns mostPart = 2;
    if (!event.valid())
        return;
    const TimeRange range = m_trace->range(event);
    const Ns length = m_shown.duration();
    if (range.duration() < length / leastPart || range.duration() > length / mostPart) {
        goTo(event);
        return;
    }
    if (range.start < m_shown.start || range.end > m_shown.end) {
        const Ns start = range.start + range.duration() / 2 - length / 2;
        show({start, start + length});
    }
    reveal(m_rows->rowOf(m_trace->trackOf(event)));
    setCurrentEvent(event);
}

void Session::goTo(TimeRange range)
{
    const Ns room = std::max<Ns>(100, range.duration() / 10);
    show({range.start - room, range.end + room});
}

void Session::setFilter(EventFilter filter)
{
    if (filter == m_filter)
        return;
    m_filter = std::move(filter);
    emit filterChanged();
    highlightFiltered();
}

void Session::highlightFiltered()
{
    if (m_filter == EventFilter()) {
        m_sameName.cancel();
        setHighlighted({});
        return;
    }
    EventQuery query;
    constexpr Ns always = Ns{1} << 61U; // what the profiler said before and after the session too
    query.window = {-always, always};
    query.text = m_filter.text.toStdString();
    query.minDuration = m_filter.minDuration;
    query.maxDuration = m_filter.maxDuration;
    query.name = m_filter.name;
    query.kind = m_filter.kind;
    query.tracks = m_filter.tracks;
    query.process = m_filter.process;
    m_sameName.start(
        [trace = m_trace, query](const std::stop_token& stop) {
            const EventList list(trace, query, stop);
            std::vector<EventRef> passing(list.events().begin(), list.events().end());
            std::ranges::sort(passing);
            return passing;
        },
        [this](std::vector<EventRef> passing) { setHighlighted(std::move(passing)); });
}

void Session::setFoundRules(std::set<std::string> rules)
{
    if (rules == m_foundRules)
        return;
    m_foundRules = std::move(rules);
    emit foundRulesChanged();
}

void Session::setSearchText(const QString& text)
{
    if (text == m_searchText)
        return;
    m_searchText = text;
    emit searchTextChanged();
}

void Session::clearSelection()
{
    selectRange({});
    selectRows({});
    setCurrentEvent({});
    setHighlighted({});
}

} // namespace warpline
