#include "views/session/session.h"

#include "core/base/path_names.h"
#include "core/store/trace.h"
#include "views/loading/dispose.h"
#include "views/session/fleet_summary.h"
#include "views/session/idle_books.h"
#include "views/session/marks.h"
#include "views/session/name_books.h"
#include "views/session/report_scope.h"
#include "views/session/result_rows.h"
#include "views/session/run_pair.h"

#include <algorithm>
#include <utility>

namespace warpline {

namespace {

/// The workspace of a new session, without reports.
Workspace nothingOpen()
{
    OpenReport none;
    none.trace = std::make_shared<const Trace>();
    none.rows = std::make_shared<const RowTree>();
    return Workspace({none});
}

/// Whether `next` has some reports of `before`: it was extended, or one was removed or got another name.
bool isSetChanged(const Workspace& before, const Workspace& next)
{
    return std::ranges::any_of(
        before.reports(), [&](const OpenReport& report) { return next.find(report.trace) != nullptr; });
}

/// The rows of the reports that stay, as `before` and as `next` number them.
std::vector<std::pair<RowId, RowId>> sameRows(const Workspace& before, const Workspace& next)
{
    std::vector<std::pair<RowId, RowId>> same;
    for (const OpenReport& report : before.reports()) {
        const OpenReport* const stays = next.find(report.trace);
        if (!stays || stays->rows->size() != report.rows->size())
            continue;
        for (std::uint32_t row = 0; row < report.rows->size(); ++row)
            same.emplace_back(before.rowOf(report.id, RowId{row}), next.rowOf(stays->id, RowId{row}));
    }
    return same;
}

/// Whether each row of `before` has its number in `next`, too.
bool keepsNumbers(const RowTree& before, const RowTree& next)
{
    if (next.size() < before.size())
        return false;
    for (std::uint32_t row = 0; row < before.size(); ++row) {
        if (before.row(RowId{row}).key != next.row(RowId{row}).key)
            return false;
    }
    return true;
}

/// Whether `next` is the report `before`, or a later snapshot of it.
bool isSameOrLater(const OpenReport& before, const OpenReport& next)
{
    const std::string& path = before.trace->info.path;
    return next.trace == before.trace
        || (!before.trace->complete && !path.empty() && next.trace->info.path == path);
}

/// Which of `workspace` the report `before`, of another workspace, is; the first when it is none.
ReportId placeIn(const Workspace& workspace, const OpenReport& before)
{
    for (const OpenReport& report : workspace.reports()) {
        if (isSameOrLater(before, report))
            return report.id;
    }
    return {};
}

/// Whether a report that stays has another clock.
bool isAnyMoved(const Workspace& before, const Workspace& next)
{
    return std::ranges::any_of(before.reports(), [&](const OpenReport& report) {
        const OpenReport* const stays = next.find(report.trace);
        return stays && stays->clock.offset != report.clock.offset;
    });
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
      m_rowView(*this),
      m_selection(*this),
      m_marks(std::make_unique<Marks>()),
      m_scope(std::make_unique<ReportScope>(*this)),
      m_fleet(std::make_unique<FleetSummary>()),
      m_results(std::make_unique<ResultRows>(*this)),
      m_judgement(*this),
      m_pair(std::make_unique<RunPair>(*this))
{
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
        workspace = workspace.withExchanges(m_workspace->exchanges()); // until they are analyzed again
    const std::string stepGlob = m_judgement.stepGlob();
    auto before = std::exchange(m_workspace,
        std::make_shared<const Workspace>(workspace.isEmpty() ? nothingOpen() : std::move(workspace)));
    const bool sameReports = isSameReports(*before, *m_workspace);
    const OpenReport& about = before->report(m_about);
    m_about = placeIn(*m_workspace, about);
    const bool isOtherFilter
        = sharedTrace() != about.trace && m_selection.dropPlaces(isSameOrLater(about, report()));
    m_selection.dropEvents();
    if (isSetChanged(*before, *m_workspace)) {
        const auto same = sameRows(*before, *m_workspace);
        m_rowView.m_states.moveTo(rows().size(), same);
        m_rowView.moveDepths(before->rows(), same);
        m_results->moveTo(*before, *m_workspace);
    } else if (sameReports) {
        m_rowView.m_states.moveTo(before->rows(), rows());
    } else {
        m_rowView.m_states.reset(rows());
        m_selection.forget();
        m_judgement.m_stepGlob.clear();
        m_followsSelection = true;
    }
    const OpenReport& firstBefore = before->reports().front();
    const OpenReport& first = m_workspace->reports().front();
    const bool staysFirst = isSameOrLater(firstBefore, first);
    if (!staysFirst) {
        m_restored.clear();
        m_marks->leave();
    }
    m_time.open(session(), sameReports);
    if (!staysFirst || first.trace->complete != firstBefore.trace->complete)
        restoreMarks();
    if (m_workspace->isComplete())
        restoreState();
    if (!sameReports)
        emit reportOpened();
    if (m_judgement.stepGlob() != stepGlob)
        emit m_judgement.stepGlobChanged();
    emit traceChanged();
    if (isOtherFilter)
        emit m_selection.filterChanged();
    emit m_time.shownChanged(m_time.shown());
    if (isAnyMoved(*before, *m_workspace))
        tellJudged();
    if (m_selection.filter() != EventFilter())
        m_selection.highlightFiltered(); // more of the report that loads
    disposeElsewhere(std::move(before));
}

void Session::setClocks(Workspace workspace)
{
    if (std::ranges::equal(
            workspace.reports(), m_workspace->reports(), {}, &OpenReport::clock, &OpenReport::clock))
        return;
    const bool wasAll = m_time.shown() == session();
    m_workspace = std::make_shared<const Workspace>(std::move(workspace));
    m_time.m_session = session();
    m_movesClocks = true;
    emit clocksChanged();
    m_time.fit(wasAll);
    tellJudged();
    m_movesClocks = false;
}

/// The selected range is the same on the workspace's clock, and another one on a report's.
void Session::tellJudged()
{
    if (!m_time.selectedRange().empty())
        emit m_time.judgedChanged(m_time.judged());
}

void Session::setExchanges(std::shared_ptr<const ExchangeRows> exchanges)
{
    if (exchanges == m_workspace->exchanges())
        return;
    std::vector<RowId> selected = m_selection.selectedRows(); // rows of reports keep their ids
    std::erase_if(selected, [this](RowId row) { return m_workspace->isOfAll(row); });
    m_selection.selectRows(std::move(selected)); // while the others are there
    const auto before = m_workspace;
    m_workspace = std::make_shared<const Workspace>(before->withExchanges(std::move(exchanges)));
    const RowStates states = m_rowView.m_states;
    m_rowView.m_states.reset(rows());
    restoreState(); // of rows that come
    m_rowView.m_states.take(states, before->rows(), rows());
    if (!keepsNumbers(before->rows(), rows()))
        emit exchangesReplaced();
    emit m_rowView.rowLayoutChanged();
}

void Session::setReport(ReportId report)
{
    if (report == m_about)
        return;
    m_about = report;
    const bool isOtherFilter = m_selection.dropPlaces(); // before a view shows them as those of this report
    emit reportChosen();
    if (isOtherFilter)
        m_selection.tellDropped();
}

void Session::chooseReport(ReportId report)
{
    m_followsSelection = false;
    setReport(report);
}

void Session::followSelection()
{
    m_followsSelection = true;
    if (m_selection.currentEvent().valid())
        setReport(m_selection.currentEvent().report);
    else if (!m_selection.selectedRows().empty())
        setReport(rows().row(m_selection.selectedRows().front()).report);
}

void Session::followSelected(ReportId report)
{
    if (m_followsSelection)
        setReport(report);
}

TimeRange Session::ownTime(TimeRange range, const OpenReport& report) const
{
    TimeRange own = report.clock.toReport(range);
    if (m_workspace->reports().size() > 1)
        own = own.clippedTo(report.trace->session);
    return {own.start, std::max(own.start, own.end)}; // never inverted, where the report has nothing
}

} // namespace warpline
