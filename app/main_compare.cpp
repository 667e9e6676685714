// How the window opens a run to compare with the open one.

#include "app/main_window.h"

#include "app/panel_docks.h"
#include "app/view_files.h"
#include "app/window_actions.h"
#include "core/load/report_files.h"
#include "core/workspace/report_set.h"
#include "views/compare/compare_bar.h"
#include "views/compare/compared_timelines.h"
#include "views/session/run_pair.h"

#include <QAction>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

namespace warpline {

namespace {

/// Whether a report is among `all`, which must outlive this.
auto isIn(const std::vector<ListedReport>& all)
{
    return [&all](const ListedReport& report) {
        return std::ranges::find(all, report.path, &ListedReport::path) != all.end();
    };
}

bool isCompared(const ListedReport& report)
{
    return report.choices.isIncluded && report.state != ListedReport::State::Failed;
}

} // namespace

void MainWindow::connectComparing()
{
    RunPair& pair = m_session.pair();
    connect(&m_others, &ReportList::progressed, this, &MainWindow::onProgress);
    connect(&m_others, &ReportList::shown, this, [this, &pair](const Workspace& workspace) {
        if (m_reports.isReplacing() && m_session.hasReport() && !pair.isOn())
            return; // see compareWaiting()
        m_views->keepMarksOfB();
        pair.compareWith(workspace);
        if (!pair.isOn())
            m_others.close(); // all of it is left out
        showTitle();
    });
    connect(&m_others, &ReportList::failed, this, &MainWindow::onFailed);
    connect(&m_others, &ReportList::finished, this, [this, &pair] {
        const bool isPart = pair.isOn() && !pair.b().workspace().isComplete(); // it was cancelled
        if (!pair.isWithinOne() && (m_others.isEmpty() || isPart))
            dropB(); // there is nothing to compare with
        if (!m_reports.isLoading())
            onFinished();
    });
    connect(&pair, &RunPair::changed, this, [this, &pair] {
        if (pair.isOn()) {
            connect(&pair.b().selection(), &Selection::currentEventChanged, m_docks,
                &PanelDocks::inspectSelection, Qt::UniqueConnection);
            connect(&pair.b().time(), &TimeView::selectedRangeChanged, m_docks, &PanelDocks::inspectSelection,
                Qt::UniqueConnection);
        }
        m_docks->followComparison();
        m_actions->updateSoon();
        m_actions->updateChecksSoon();
        showTitle();
    });
    CompareBar& bar = m_timelines->bar();
    bar.setWhole(false); // as the action is
    connect(m_actions->find("file.swap"), &QAction::enabledChanged, &bar, &CompareBar::setWhole);
    connect(&bar, &CompareBar::panelWanted, this, [this] { m_docks->showPanel("verdict"); });
    connect(&bar, &CompareBar::swapWanted, this, &MainWindow::swapCompared);
    connect(&bar, &CompareBar::endWanted, this, &MainWindow::endComparison);
    connect(m_compareThem, &QPushButton::clicked, this, [this] {
        const QStringList two = std::exchange(m_dropped, {});
        if (two.isEmpty())
            compareOpenReports();
        else
            compare(QStringList{two[0]}, QStringList{two[1]});
    });
    connect(m_openBoth, &QPushButton::clicked, this, [this] { openAll(std::exchange(m_dropped, {})); });
}

void MainWindow::compare(const QString& a, const QString& b, const QString& view)
{
    const auto namesOf = [](const QString& side) {
        QStringList names;
        for (const std::string& name : namesOfSide(side.toStdString()))
            names << QString::fromStdString(name);
        return names;
    };
    compare(namesOf(a), namesOf(b), view);
}

void MainWindow::compare(const QStringList& a, const QStringList& b, const QString& view)
{
    openAll(a, view);
    if (!m_reports.isEmpty() || m_reports.isLoading()) // else there is nothing to compare with
        openOther(b); // a message on A stays
}

void MainWindow::compareWith(const QStringList& names)
{
    hideMessage();
    openOther(names);
}

void MainWindow::openOther(const QStringList& names)
{
    RunPair& pair = m_session.pair();
    if (m_asksAlone || m_opensAlone || (pair.isOn() && !pair.b().workspace().isComplete()))
        leaveComparison(); // another A as well, or a B of which a part is there
    m_others.open(names); // the B before stays until this one is there
    m_opensAnew = false; // the comparison comes first, not the story of A
}

bool MainWindow::opensComparison()
{
    return !m_session.pair().isOn() && (m_others.isLoading() || !m_others.isEmpty());
}

void MainWindow::compareWaiting()
{
    if (!m_session.pair().isOn() && std::ranges::any_of(m_others.reports(), &ListedReport::isShown))
        m_others.show();
}

bool MainWindow::canCompareOpen() const
{
    return m_session.workspace().reports().size() == 2 && !m_reports.isLoading();
}

void MainWindow::askWhatToCompare()
{
    if (canCompareOpen() && !m_session.pair().isOn() && comparesOpenAsAsked())
        return;
    if (m_session.hasReport()) {
        const QStringList others = askFor(tr("Compare the open report (A) with B"), askedFolder());
        if (!others.isEmpty())
            compareWith(others);
        return;
    }
    const QStringList first
        = askFor(tr("Compare: choose A, the run before the change, or A and B"), askedFolder());
    if (first.size() == 2) {
        compare(QStringList{first[0]}, QStringList{first[1]});
        return;
    }
    if (first.isEmpty())
        return;
    const QStringList second
        = askFor(tr("Compare: choose B, the run after the change"), QFileInfo(first.front()).path());
    if (!second.isEmpty())
        compare(first, second);
}

bool MainWindow::comparesOpenAsAsked()
{
    const auto labels = [this] {
        QStringList all;
        for (const OpenReport& report : m_session.workspace().reports())
            all << QString::fromStdString(report.label);
        return all;
    };
    const QStringList two = labels();
    QMessageBox box(QMessageBox::Question, tr("Compare"),
        tr("Compare %1 (A, before the change) with %2 (B, after the change), or both with another file?")
            .arg(two[0], two[1]),
        QMessageBox::Cancel, this);
    box.setTextFormat(Qt::PlainText);
    QPushButton* const both = box.addButton(tr("Compare"), QMessageBox::AcceptRole);
    const QAbstractButton* const file = box.addButton(tr("Choose a file\u2026"), QMessageBox::ActionRole);
    box.setDefaultButton(both);
    box.exec();
    if (box.clickedButton() == both && labels() == two) // else others were opened in between
        compareOpenReports();
    return box.clickedButton() != file;
}

void MainWindow::compareOpenReports()
{
    BothOpen both{m_reports.listed(), m_views->returning(), // opening forgets them
        m_reports.isLoading() ? QString() : m_views->named()};
    std::vector<ReportList::Listed> sides;
    for (ListedReport& each : both.listed.reports) {
        if (isCompared(each)) {
            sides.push_back({{each}, {}});
            sides.back().reports.front().choices.offset.reset(); // each is on its own clock
        }
        each.report = {}; // the sides have it, until another B takes its place; others are read again
    }
    if (sides.size() != 2)
        return;
    hideMessage();
    m_session.saveState();
    leaveComparison();
    m_bothOpen = std::move(both);
    m_nextB = std::move(sides[1]);
    m_leavesView = [this] {
        m_views->forget();
        m_session.setWorkspace({}); // nothing of both stays in A
    };
    m_opensAnew = false; // the comparison comes first, not the story of A
    m_reports.openListed(std::move(sides[0]));
}

QByteArray MainWindow::bothOpen() const
{
    const std::vector<ReportOfSet> set = m_bothOpen.listed.set();
    return set.empty() ? QByteArray() : QByteArray::fromStdString(reportSetJson(set, {}));
}

void MainWindow::setBothOpen(const QByteArray& stored, const QString& setPath, const QString& view)
{
    const auto set = parseReportSet(stored.toStdString(), "//", {}); // they may be on another machine
    if (!set.ok())
        return;
    m_bothOpen = {};
    m_bothOpen.listed.setPath = setPath;
    for (const ReportOfSet& report : set.value()) {
        ListedReport& listed = m_bothOpen.listed.reports.emplace_back();
        listed.path = QString::fromStdString(report.path);
        listed.choices = report.choices;
    }
    m_bothOpen.restoresView = [this] { m_views->forget(); };
    m_bothOpen.view = view;
    if (m_others.isEmpty() && !m_others.isLoading())
        dropB(); // it could not be opened
}

void MainWindow::offerToCompare()
{
    showMessage(tr("Both reports open side by side, as ranks of one run."), false);
    m_compareThem->setText(tr("Compare instead"));
    m_compareThem->show();
}

void MainWindow::askWhatToDoWith(const QStringList& two)
{
    showMessage(
        tr("Compare %1 (A, before the change) with %2 (B, after the change), or open both side by side?")
            .arg(QFileInfo(two[0]).fileName(), QFileInfo(two[1]).fileName()),
        false);
    m_dropped = two;
    m_compareThem->setText(tr("Compare"));
    m_compareThem->show();
    m_openBoth->show();
    m_compareThem->setFocus();
}

bool MainWindow::canEndComparison()
{
    return m_session.pair().isOn() && !m_reports.isLoading() && !m_others.isLoading();
}

void MainWindow::swapCompared()
{
    RunPair& pair = m_session.pair();
    if (!canEndComparison())
        return;
    if (pair.isWithinOne())
        pair.compareWithin(pair.narrowed(Side::B), pair.narrowed(Side::A));
    else
        swapRuns();
}

void MainWindow::swapRuns()
{
    ReportList::Listed b = listedB();
    if (b.reports.empty())
        return;
    hideMessage();
    m_docks->keepPanels(true);
    m_leavesView = m_views->swapped(); // before the end of the comparison changes it
    m_session.saveState();
    auto bothOpen = std::move(m_bothOpen);
    const QString viewOfB = m_views->namedOfB();
    leaveComparison();
    m_bothOpen = std::move(bothOpen);
    m_views->useForB(m_views->named()); // for another window, until the new A is there
    m_viewOfNextA = viewOfB;
    if (std::ranges::any_of(m_reports.reports(), &ListedReport::canShow)) // else A was removed
        m_nextB = m_reports.listed();
    m_opensAnew = false;
    m_reports.openListed(std::move(b)); // not openAll(), which forgets the view
}

void MainWindow::endComparison()
{
    if (canEndComparison())
        dropB();
}

void MainWindow::dropB()
{
    BothOpen both = std::exchange(m_bothOpen, {});
    std::vector<ListedReport>& reports = both.listed.reports;
    std::vector<ListedReport> compared = m_reports.reports();
    const std::vector<ListedReport> b = m_others.reports(); // none: it could not be opened
    const bool isAllThere = std::ranges::all_of(reports, isIn(compared));
    std::ranges::copy_if(b, std::back_inserter(compared), isIn(reports)); // another B goes
    const bool givesWay = m_asksAlone || m_opensAlone || std::ranges::none_of(compared, isIn(reports));
    if (givesWay || isAllThere) {
        leaveComparison();
        return;
    }
    for (ListedReport& report : compared) {
        const auto known = std::ranges::find(reports, report.path, &ListedReport::path);
        if (known == reports.end()) {
            report.colorIndex.reset(); // another of them may have it
            both.listed.setPath.clear(); // the file has another set
            both.view.clear();
            reports.push_back(std::move(report)); // it was added to A
            continue;
        }
        report.choices.isIncluded = known->choices.isIncluded;
        report.choices.offset = known->choices.offset;
        report.colorIndex = known->colorIndex;
        *known = std::move(report);
    }
    std::vector<RowOfReport> later = m_views->rowsAdded(m_session, m_reports);
    if (m_session.pair().isOn())
        std::ranges::move(m_views->rowsAdded(m_session.pair().b(), m_others), std::back_inserter(later));
    leaveComparison();
    if (!b.empty())
        hideMessage(); // else it says why B is not there
    m_session.saveState();
    m_leavesView = [this, restoresView = std::move(both.restoresView), view = both.view, later] {
        restoresView();
        m_views->use(view);
        m_views->addLater(later);
        m_session.setWorkspace({});
    };
    m_reports.openListed(std::move(both.listed));
}

void MainWindow::leaveComparison()
{
    m_bothOpen = {};
    m_nextB = {};
    m_viewOfNextA.clear();
    m_asksAlone = false;
    m_opensAlone = false;
    m_others.close();
    m_views->useForB({});
    m_session.pair().end();
}

void MainWindow::showTitle()
{
    if (!m_session.hasReport())
        return;
    RunPair& pair = m_session.pair();
    const QString other = pair.isWithinOne() ? tr("another range") : m_others.title();
    const QString what = pair.isOn() ? tr("%1 against %2").arg(m_reports.title(), other) : m_reports.title();
    setWindowTitle(what + " \u2014 Warpline");
}

} // namespace warpline
