#include "views/session/session.h"

#include "core/base/path_names.h"
#include "views/loading/dispose.h"
#include "views/session/checklist_judge.h"
#include "views/session/chosen_cure.h"
#include "views/session/findings_judge.h"
#include "views/session/fleet_summary.h"
#include "views/session/idle_books.h"
#include "views/session/marks.h"
#include "views/session/name_books.h"
#include "views/session/rank_judge.h"
#include "views/session/report_scope.h"
#include "views/session/result_rows.h"
#include "views/session/row_depths.h"
#include "views/session/run_pair.h"
#include "views/session/step_match.h"

#include <algorithm>
#include <chrono>
#include <cmath>
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

/// Whether `next` is `before` with other reports beside some that stay.
bool isSetChanged(const Workspace& before, const Workspace& next)
{
    const auto isIn = [](const Workspace& workspace, const OpenReport& report) {
        return std::ranges::find(workspace.reports(), report.trace, &OpenReport::trace)
            != workspace.reports().end();
    };
    return (before.reports().size() > 1 || next.reports().size() > 1)
        && std::ranges::any_of(
            before.reports(), [&](const OpenReport& report) { return isIn(next, report); });
}

/// The rows of the reports that stay, as `before` and as `next` number them.
std::vector<std::pair<RowId, RowId>> sameRows(const Workspace& before, const Workspace& next)
{
    std::vector<std::pair<RowId, RowId>> same;
    for (const OpenReport& report : before.reports()) {
        const auto stays = std::ranges::find(next.reports(), report.trace, &OpenReport::trace);
        if (stays == next.reports().end() || stays->rows->size() != report.rows->size())
            continue;
        for (std::uint32_t row = 0; row < report.rows->size(); ++row)
            same.emplace_back(before.rowOf(report.id, RowId{row}), next.rowOf(stays->id, RowId{row}));
    }
    return same;
}

/// Which of `workspace` the report `before`, of another workspace, is; the first when it is none.
ReportId placeIn(const Workspace& workspace, const OpenReport& before)
{
    for (const OpenReport& report : workspace.reports()) {
        if (report.trace == before.trace)
            return report.id;
    }
    return {};
}

bool isSameReports(const Workspace& loading, const Workspace& next)
{
    if (isSetChanged(loading, next))
        return true;
    const auto isNext = [](const OpenReport& before, const OpenReport& after) {
        return !after.trace->info.path.empty() && before.trace->info.path == after.trace->info.path;
    };
    return !loading.isComplete() && std::ranges::equal(loading.reports(), next.reports(), isNext);
}

} // namespace

Session::Session(QObject* parent)
    : QObject(parent),
      m_workspace(std::make_shared<const Workspace>(nothingOpen())),
      m_marks(std::make_unique<Marks>()),
      m_scope(std::make_unique<ReportScope>(*this)),
      m_fleet(std::make_unique<FleetSummary>()),
      m_results(std::make_unique<ResultRows>(*this)),
      m_depths(std::make_unique<RowDepths>(*this)),
      m_ranks(std::make_unique<RankJudge>(*this)),
      m_findings(std::make_unique<FindingsJudge>(*this)),
      m_checklist(std::make_unique<ChecklistJudge>(*this)),
      m_cure(std::make_unique<ChosenCure>(*this)),
      m_stepMatch(std::make_unique<StepMatch>(*this)),
      m_pair(std::make_unique<RunPair>(*this))
{
    m_rowStates.reset(rows());
    connect(&m_glide, &Glide::moved, this, &Session::drawnChanged);
}

Session::~Session() = default;

NameBooks& Session::names()
{
    if (!m_names)
        m_names = std::make_unique<NameBooks>(*this);
    return *m_names;
}

IdleBooks& Session::idle()
{
    if (!m_idle)
        m_idle = std::make_unique<IdleBooks>(*this);
    return *m_idle;
}

void Session::setTrace(std::shared_ptr<const Trace> trace, std::shared_ptr<const RowTree> rows)
{
    OpenReport only;
    only.label = baseName(trace->info.path);
    only.trace = std::move(trace);
    only.rows = std::move(rows);
    setWorkspace(Workspace({std::move(only)}));
}

void Session::setWorkspace(Workspace workspace)
{
    if (std::ranges::equal(
            workspace.reports(), m_workspace->reports(), {}, &OpenReport::trace, &OpenReport::trace))
        workspace = workspace.withExchanges(m_workspace->exchanges()); // until they are judged anew
    const std::string stepGlob = m_stepGlob;
    auto before = std::exchange(m_workspace,
        std::make_shared<const Workspace>(workspace.isEmpty() ? nothingOpen() : std::move(workspace)));
    const bool sameReports = isSameReports(*before, *m_workspace);
    const bool wasAll = before->session().empty() || m_shown == before->session() || m_shown == m_reach;
    m_about = placeIn(*m_workspace, before->report(m_about));
    // Row ids and event numbers belong to the old snapshot.
    m_sameName.cancel();
    m_selectedRows.clear();
    m_current = {};
    clearHighlights();
    if (isSetChanged(*before, *m_workspace)) {
        m_rowStates.moveTo(rows().size(), sameRows(*before, *m_workspace));
    } else if (sameReports) {
        m_rowStates.moveTo(before->rows(), rows());
    } else {
        m_rowStates.reset(rows());
        m_reach = {};
        forgetReport();
    }
    if (!sameReports || wasAll || m_shown.clippedTo(reach()) != m_shown)
        m_shown = session();
    m_glide.place(m_shown);
    if (m_workspace->isComplete())
        restoreState();
    if (!sameReports)
        emit reportOpened();
    if (m_stepGlob != stepGlob)
        emit stepGlobChanged();
    emit traceChanged();
    emit shownChanged(m_shown);
    if (m_filter != EventFilter())
        highlightFiltered(); // more of the report that loads
    disposeElsewhere(std::move(before));
}

void Session::setClock(ReportId report, ClockOffset clock)
{
    if (m_workspace->report(report).clock != clock)
        setClocks(m_workspace->withClock(report, std::move(clock)));
}

void Session::setClocks(Workspace workspace)
{
    if (std::ranges::equal(
            workspace.reports(), m_workspace->reports(), {}, &OpenReport::clock, &OpenReport::clock))
        return;
    const bool wasAll = m_shown == session();
    m_workspace = std::make_shared<const Workspace>(std::move(workspace));
    emit clocksChanged();
    if (wasAll && m_shown != session()) {
        m_shown = session();
        m_glide.place(m_shown);
        emit shownChanged(m_shown);
    } else {
        show(m_shown, false); // within the session that there is now
    }
}

void Session::setExchanges(std::shared_ptr<const ExchangeRows> exchanges)
{
    if (exchanges == m_workspace->exchanges())
        return;
    const auto before = m_workspace;
    m_workspace = std::make_shared<const Workspace>(before->withExchanges(std::move(exchanges)));
    m_rowStates.moveTo(before->rows(), rows());
    restoreState();
    std::vector<RowId> selected = m_selectedRows; // rows of reports keep their ids
    std::erase_if(selected, [&](RowId row) { return before->isOfAll(row); });
    emit rowLayoutChanged();
    selectRows(std::move(selected));
}

void Session::setReport(ReportId report)
{
    if (report == m_about)
        return;
    m_about = report;
    emit reportChosen();
}

void Session::chooseReport(ReportId report)
{
    m_followsSelection = false;
    setReport(report);
}

void Session::followSelection()
{
    m_followsSelection = true;
    if (m_current.valid())
        setReport(m_current.report);
    else if (!m_selectedRows.empty())
        setReport(rows().row(m_selectedRows.front()).report);
}

void Session::forgetReport()
{
    m_selected = {};
    m_marked = {};
    m_back.clear();
    m_forward.clear();
    m_filter = {};
    m_stepGlob.clear();
    m_followsSelection = true;
    m_isRestored = false;
    m_marks->clear();
}

TimeRange Session::ownTime(TimeRange range) const
{
    TimeRange own = report().clock.toReport(range);
    if (m_workspace->reports().size() > 1)
        own = own.clippedTo(trace().session);
    return {own.start, std::max(own.start, own.end)}; // never inverted, where the report has nothing
}

std::vector<RowId> Session::ownSelectedRows(ReportId report) const
{
    std::vector<RowId> own;
    for (const RowId row : m_selectedRows) {
        if (rows().row(row).report == report && !m_workspace->isOfAll(row))
            own.push_back(m_workspace->ownRow(row));
    }
    return own;
}

void Session::show(TimeRange range, bool remember, Manner manner)
{
    const TimeRange all = reach();
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
    m_glide.moveTo(m_shown, manner);
    emit shownChanged(m_shown);
}

void Session::holdStill()
{
    if (m_glide.isMoving())
        show(m_glide.drawn(), false, Manner::AtOnce);
}

void Session::zoomAt(Ns anchor, double factor, Manner manner)
{
    const double length = std::max<double>(shortestShown, static_cast<double>(m_shown.duration()) * factor);
    const double place = static_cast<double>(anchor - m_shown.start)
        / std::max<double>(1, static_cast<double>(m_shown.duration()));
    const Ns start = anchor - std::llround(length * place);
    show({start, start + std::llround(length)}, false, manner);
}

void Session::panBy(Ns distance, Manner manner)
{
    show({m_shown.start + distance, m_shown.end + distance}, false, manner);
}

void Session::showAll()
{
    show(reach());
}

void Session::goBack()
{
    if (m_back.empty())
        return;
    m_forward.push_back(m_shown);
    m_shown = m_back.back();
    m_back.pop_back();
    m_lastStep = 0;
    m_glide.moveTo(m_shown, Manner::Request);
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
    m_glide.moveTo(m_shown, Manner::Request);
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

void Session::zoomToSelection()
{
    if (!m_selected.empty())
        show(m_selected);
    else if (!m_marked.empty())
        goTo(m_marked);
    else if (m_current.valid())
        goTo(m_current);
}

void Session::selectRows(std::vector<RowId> rows)
{
    if (rows == m_selectedRows)
        return;
    m_selectedRows = std::move(rows);
    if (m_followsSelection && !m_selectedRows.empty())
        setReport(this->rows().row(m_selectedRows.front()).report);
    emit selectedRowsChanged();
}

void Session::goTo(TimeRange range)
{
    const Ns room = std::max<Ns>(100, range.duration() / 10);
    show({range.start - room, range.end + room});
}

void Session::setSearchText(const QString& text)
{
    if (text == m_searchText)
        return;
    m_searchText = text;
    emit searchTextChanged();
}

void Session::setStepGlob(std::string glob)
{
    if (glob == m_stepGlob)
        return;
    m_stepGlob = std::move(glob);
    emit stepGlobChanged();
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
