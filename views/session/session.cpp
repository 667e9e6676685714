#include "views/session/session.h"

#include "views/loading/dispose.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <utility>

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

/// Of no report: what a session begins with.
Workspace nothingOpen()
{
    OpenReport none;
    none.trace = std::make_shared<const Trace>();
    none.rows = std::make_shared<const RowTree>();
    return Workspace({none});
}

bool isSameReports(const Workspace& loading, const Workspace& next)
{
    const auto isNext = [](const OpenReport& before, const OpenReport& after) {
        return !after.trace->info.path.empty() && before.trace->info.path == after.trace->info.path;
    };
    return !loading.isComplete() && std::ranges::equal(loading.reports(), next.reports(), isNext);
}

} // namespace

Session::Session(QObject* parent)
    : QObject(parent),
      m_workspace(std::make_shared<const Workspace>(nothingOpen()))
{
    m_rowStates.reset(rows());
}

void Session::setTrace(std::shared_ptr<const Trace> trace, std::shared_ptr<const RowTree> rows)
{
    OpenReport only;
    only.label = std::filesystem::path(trace->info.path).filename().string();
    only.trace = std::move(trace);
    only.rows = std::move(rows);
    setWorkspace(Workspace({std::move(only)}));
}

void Session::setWorkspace(Workspace workspace)
{
    auto before = std::exchange(m_workspace,
        std::make_shared<const Workspace>(workspace.isEmpty() ? nothingOpen() : std::move(workspace)));
    const bool sameReports = isSameReports(*before, *m_workspace);
    const bool wasAll = before->session().empty() || m_shown == before->session();
    // Row ids and event numbers belong to the old snapshot.
    m_sameName.cancel();
    m_selectedRows.clear();
    m_current = {};
    clearHighlights();
    if (sameReports) {
        m_rowStates.moveTo(before->rows(), rows());
    } else {
        m_rowStates.reset(rows());
        forgetReport();
    }
    if (!sameReports || wasAll)
        m_shown = session();
    if (m_workspace->isComplete())
        restoreState();
    if (!sameReports)
        emit reportOpened();
    emit traceChanged();
    emit shownChanged(m_shown);
    if (m_filter != EventFilter())
        highlightFiltered(); // more of the report that loads
    disposeElsewhere(std::move(before));
}

void Session::setClock(ReportId report, ClockOffset clock)
{
    if (m_workspace->report(report).clock == clock)
        return;
    const bool wasAll = m_shown == session();
    m_workspace = std::make_shared<const Workspace>(m_workspace->withClock(report, std::move(clock)));
    emit clocksChanged();
    if (wasAll && m_shown != session()) {
        m_shown = session();
        emit shownChanged(m_shown);
    } else {
        show(m_shown, false); // within the session that there is now
    }
}

void Session::forgetReport()
{
    m_selected = {};
    m_marked = {};
    m_back.clear();
    m_forward.clear();
    m_filter = {};
    m_judgesSelection = false;
}

TimeRange Session::ownTime(TimeRange range) const
{
    TimeRange own = report().clock.toReport(range);
    if (m_workspace->reports().size() > 1)
        own = own.clippedTo(trace().session);
    return {own.start, std::max(own.start, own.end)}; // never inverted, where the report has nothing
}

std::vector<RowId> Session::ownSelectedRows() const
{
    std::vector<RowId> own;
    for (const RowId row : m_selectedRows) {
        if (rows().row(row).report == report().id)
            own.push_back(m_workspace->ownRow(row));
    }
    return own;
}

void Session::show(TimeRange range, bool remember)
{
    const TimeRange all = session();
    if (all.empty())
        return;
    const Ns length
        = std::clamp(range.end - range.start, std::min(shortestShown, all.duration()), all.duration());
    const Ns start = std::clamp(range.start, all.start, all.end - length);
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
    show(session());
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
    range = range.clippedTo(session());
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
    return m_judgesSelection && !m_selected.empty() ? m_selected : session();
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

void Session::goTo(TimeRange range)
{
    const Ns room = std::max<Ns>(100, range.duration() / 10);
    show({range.start - room, range.end + room});
}

void Session::setFoundRules(std::set<std::string> rules, std::vector<LeadingFinding> leading)
{
    if (rules == m_foundRules && leading == m_leadingFindings)
        return;
    m_foundRules = std::move(rules);
    m_leadingFindings = std::move(leading);
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
    clearHighlights();
    markRange({});
}

} // namespace warpline
