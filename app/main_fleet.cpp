// How the window shows a fleet's result: alone as a page, or in the Ranks panel next to open reports; and how
// its links open single reports.

#include "app/main_window.h"
#include "app/panel_docks.h"
#include "app/recent_files.h"
#include "core/store/trace.h"
#include "views/panels/ranks_panel.h"
#include "views/panels/table_export.h"
#include "views/session/fleet_summary.h"
#include "views/session/run_pair.h"

#include <QFileInfo>
#include <QStackedWidget>

#include <algorithm>
#include <utility>

namespace warpline {

void MainWindow::connectFleet()
{
    m_fleetPage = new RanksPanel(m_session, *m_theme, this);
    m_center->addWidget(m_fleetPage);
    for (TableExport* const table : offerTables(*m_fleetPage, m_session, "ranks"))
        connect(table, &TableExport::messages, this, &MainWindow::say);
    FleetSummary& fleet = m_session.fleet();
    connect(&fleet, &FleetSummary::reportWanted, this, &MainWindow::openOfFleet);
    connect(&fleet, &FleetSummary::reportMissing, this,
        [this](const QString& message) { showMessage(message, true); });
    connect(&fleet, &FleetSummary::changed, this, [this] {
        if (m_reports.isEmpty())
            showStart(); // the summary, or none any more
    });
}

void MainWindow::openFleet(const QString& path)
{
    if (opensComparison())
        leaveComparison();
    m_opensAnew = false; // the open reports stay
    m_asksAlone = false;
    if (!m_reports.isLoading() && !m_others.isLoading()) {
        hideProgress();
        m_status->clear();
    }
    m_session.fleet().open(path, [this](const QString& problem) {
        if (!problem.isEmpty()) {
            showMessage(problem, true);
            emit openFailed(problem);
            checkSettled();
            return;
        }
        rememberRecent({{m_session.fleet().path()}, {}});
        m_docks->showPanel("ranks"); // now, or when a report is opened as well
        checkSettled();
    });
}

bool MainWindow::showFleet()
{
    const FleetSummary& fleet = m_session.fleet();
    if (!fleet.across())
        return false;
    m_center->setCurrentWidget(m_fleetPage);
    setWindowTitle(QFileInfo(fleet.path()).fileName() + " \u2014 Warpline");
    return true;
}

void MainWindow::openOfFleet(const QString& path, TimeRange own)
{
    m_wanted = {path, own};
    const auto isListed = [&](const ListedReport& listed) { return listed.path == path; };
    if (std::ranges::any_of(m_reports.reports(), isListed))
        showWanted();
    else if (m_reports.isEmpty())
        openAll({path});
    else
        add({path});
}

void MainWindow::showWanted()
{
    for (const OpenReport& report : m_session.workspace().reports()) {
        if (m_wanted.path.isEmpty() || !report.trace->complete
            || QFileInfo(QString::fromStdString(report.trace->info.path)) != QFileInfo(m_wanted.path))
            continue;
        m_session.chooseReport(report.id);
        m_session.followSelection();
        const TimeRange own = std::exchange(m_wanted, {}).own;
        const RowId heading = m_session.workspace().rowOf(report.id, RowTree::root);
        if (heading != RowTree::root) {
            m_session.rowView().reveal(heading);
            m_session.selection().selectRows({heading});
        }
        if (!own.empty())
            m_session.time().goTo(report.clock.toWorkspace(own));
        return;
    }
}

} // namespace warpline
