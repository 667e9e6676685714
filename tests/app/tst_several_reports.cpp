// The window with several reports: opened together, listed, renamed, left out, shifted, saved as a set and
// opened again.

#include "app/inspector_history.h"
#include "app/main_window.h"
#include "app/panel_docks.h"
#include "app/recent_files.h"
#include "app/report_chooser.h"
#include "app/reports_dialog.h"
#include "app/search_bar.h"
#include "app/start_page.h"
#include "core/export/envelope.h"
#include "core/export/ranks_text.h"
#include "core/findings/finding_order.h"
#include "core/render/render.h"
#include "core/store/trace.h"
#include "core/workspace/search_reports.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"
#include "views/models/events_model.h"
#include "views/models/stats_model.h"
#include "views/models/table_text.h"
#include "views/panels/events_panel.h"
#include "views/panels/findings_panel.h"
#include "views/panels/overview_panel.h"
#include "views/panels/rank_map_panel.h"
#include "views/panels/ranks_panel.h"
#include "views/panels/tables_panel.h"
#include "views/session/fleet_summary.h"
#include "views/session/rank_judge.h"
#include "views/session/report_color.h"
#include "views/session/run_pair.h"
#include "views/timeline/row_labels.h"
#include "views/timeline/timeline_pane.h"

#include <nlohmann/json.hpp>

#include <QColorDialog>
#include <QComboBox>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QProcess>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBrowser>
#include <QTreeWidget>

#include <algorithm>
#include <map>
#include <set>

namespace tst_several_reports {

using namespace warpline;
using namespace warpline::test;

namespace {

/// Waits until nothing changes by itself.
#define SETTLE(window) QTRY_VERIFY_WITH_TIMEOUT((window).isSettled(), 30'000)

QStringList labelsOf(const MainWindow& window)
{
    QStringList labels;
    for (const OpenReport& report : const_cast<MainWindow&>(window).session().workspace().reports())
        labels << QString::fromStdString(report.label);
    return labels;
}

void drop(MainWindow& window, const QStringList& paths, Qt::KeyboardModifiers modifiers = {})
{
    QMimeData data;
    QList<QUrl> urls;
    for (const QString& path : paths)
        urls << QUrl::fromLocalFile(path);
    data.setUrls(urls);
    QDragEnterEvent enter(QPoint(50, 50), Qt::CopyAction, &data, Qt::LeftButton, modifiers);
    QApplication::sendEvent(&window, &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent event(QPointF(50, 50), Qt::CopyAction, &data, Qt::LeftButton, modifiers);
    QApplication::sendEvent(&window, &event);
}

} // namespace

class SeveralReportsTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void aFolderOpensSideBySide();
    void aLongNameDoesNotWidenTheWindow();
    void oneThatFailsSaysSoAndTheOthersStay();
    void noneThatOpensKeepsWhatIsOpen();
    void theDialogListsWhatIsOpenWhileSomethingIsTyped();
    void removingAllThatFailKeepsWhatIsOpen();
    void whatIsLeftOutReplacesNothing();
    void theTwoThatAreShownAreCompared();
    void filesAreDroppedAndAdded();
    void aPyTorchTraceOpensAsAReportDoes();
    void whatTheUserDidSurvivesAnAddedReport();
    void recentReportsOpenTogetherAgain();
    void panelsFollowTheSelectedReport();
    void tablesAreOfAllReports();
    void findingsAndEventsAreOfSeveralReports();
    void matchesAreListedOfAllReports();
    void theMapOfRanksIsLeftWithThem();
    void theMapOfRanksComesBackBehindDetails();
    void aClockThatMovesKeepsThePanel();
    void aFleetsSummaryIsShownWithLinks();
    void sameRowsArePinnedTogether();
    void theDialogRenamesLeavesOutAndRemoves();
    void theDeleteKeyRemovesAReport();
    void colorsStayWhenOthersGo();
    void theInspectorGoesBackToEventsOfOpenReports();
    void offsetsAreSetByHand();
    void startsOfOtherYearsAreNotAligned_data();
    void startsOfOtherYearsAreNotAligned();
    void dialogsAreOfTheReportsThatWereOpen();
    void setsAreSavedAndOpened();
    void aSetThatIsChangedIsNotItsFile();
    void picturesShowAllReports();
    void sharedRanksOpen();

private:
    QString path(const char* name) const { return m_folder.filePath(name); }
    QTreeWidgetItem* line(ReportsDialog& dialog, int place) { return dialog.list().topLevelItem(place); }
    /// Types `text` into a field of the dialog's list, as a double-click lets.
    void type(ReportsDialog& dialog, int place, ReportsDialog::Column column, const QString& text)
    {
        QTreeWidget& list = dialog.list();
        const QRect field = list.visualRect(list.model()->index(place, column));
        QTest::mouseClick(list.viewport(), Qt::LeftButton, {}, field.center());
        QTest::mouseDClick(list.viewport(), Qt::LeftButton, {}, field.center());
        auto* const edit = list.viewport()->findChild<QLineEdit*>();
        QVERIFY(edit);
        edit->selectAll();
        QTest::keyClicks(edit, text);
        if (text.isEmpty())
            QTest::keyClick(edit, Qt::Key_Delete);
        QTest::keyClick(edit, Qt::Key_Return);
        QTRY_VERIFY(!list.viewport()->findChild<QLineEdit*>()); // the editor commits the text, then closes
        QTest::qWait(50);
    }

    QTemporaryDir m_folder;
    std::unique_ptr<MainWindow> m_window;
};

void SeveralReportsTest::initTestCase()
{
    QCoreApplication::setOrganizationName("warpline-test");
    QCoreApplication::setApplicationName("tst_several_reports");
    ReportFixture fixture;
    fixture.addSmallReport();
    for (const char* const name : {"rank0.sqlite", "rank1.sqlite", "rank10.sqlite"})
        QVERIFY(QFile::copy(QString::fromStdString(fixture.path()), path(name)));
    QDir(m_folder.path()).mkdir("mixed");
    QVERIFY(QFile::copy(QString::fromStdString(fixture.path()), path("mixed/good.sqlite")));
    QVERIFY(QFile::copy(WARPLINE_SOURCE_DIR "/resources/sample.sqlite", path("mixed/sample.sqlite")));
    QFile broken(path("mixed/broken.sqlite"));
    QVERIFY(broken.open(QIODevice::WriteOnly));
    broken.write("SQLite format 3");
    broken.write(QByteArray(3000, '\0'));
}

void SeveralReportsTest::init()
{
    QSettings().clear();
    m_window = std::make_unique<MainWindow>(Theme::light());
    m_window->resize(1300, 900);
    m_window->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
}

void SeveralReportsTest::aFolderOpensSideBySide()
{
    QSignalSpy settled(m_window.get(), &MainWindow::settled);
    m_window->open(m_folder.path());
    QTRY_VERIFY(settled.count() > 0);
    SETTLE(*m_window);
    QCOMPARE(labelsOf(*m_window), QStringList({"rank0.sqlite", "rank1.sqlite", "rank10.sqlite"}));
    QCOMPARE(m_window->windowTitle(), QString("rank0.sqlite and 2 more \u2014 Warpline"));
    const RowTree& rows = m_window->session().rows();
    QCOMPARE(rows.children(RowTree::root).size(), 3U);
    QCOMPARE(m_window->session().workspace().eventCount(), 3 * m_window->session().trace().eventCount());
    m_window->closeReport();
    QVERIFY(m_window->session().isEmpty() && m_window->reports().isEmpty());
}

void SeveralReportsTest::aLongNameDoesNotWidenTheWindow()
{
    QSignalSpy settled(m_window.get(), &MainWindow::settled);
    m_window->open(m_folder.path());
    QTRY_VERIFY(settled.count() > 0);
    SETTLE(*m_window);
    const int before = m_window->minimumSizeHint().width();
    ReportChoices choices = m_window->reports().reports().front().choices;
    choices.label = std::string(3000, 'W');
    m_window->reports().change(0, choices);
    SETTLE(*m_window);
    QVERIFY2(m_window->minimumSizeHint().width() < before + 1000,
        qPrintable(QString::number(m_window->minimumSizeHint().width())));
}

void SeveralReportsTest::oneThatFailsSaysSoAndTheOthersStay()
{
    QSignalSpy failed(m_window.get(), &MainWindow::openFailed);
    m_window->openAll({path("mixed/good.sqlite"), path("mixed/broken.sqlite"), path("nowhere.sqlite"),
        path("mixed/sample.sqlite")});
    QTRY_COMPARE(failed.count(), 1);
    const QStringList lines = failed.first().first().toString().split('\n');
    QCOMPARE(lines.size(), 2);
    QVERIFY(lines.join(' ').contains("broken.sqlite") && lines.join(' ').contains("nowhere.sqlite"));
    SETTLE(*m_window);
    QCOMPARE(labelsOf(*m_window), QStringList({"good.sqlite", "sample.sqlite"}));
    QCOMPARE(m_window->reports().reports().size(), 4U); // the list keeps them, with the reason
    QTRY_COMPARE(recentFiles().size(), 1);
    QCOMPARE(
        recentFiles().front().paths, QStringList({path("mixed/good.sqlite"), path("mixed/sample.sqlite")}));
    ReportsDialog dialog(m_window->reports(), m_window->session());
    dialog.show();
    QVERIFY(line(dialog, 1)->text(ReportsDialog::FoundBy).startsWith("Not open: "));
    QVERIFY(line(dialog, 0)->text(ReportsDialog::Events).toInt() > 0);
    // Only those that opened can be the last one that is visible.
    const auto samples
        = dialog.list().findItems(path("mixed/sample.sqlite"), Qt::MatchExactly, ReportsDialog::File);
    QCOMPARE(samples.size(), 1);
    samples.front()->setCheckState(ReportsDialog::Name, Qt::Unchecked);
    QTRY_COMPARE(labelsOf(*m_window), QStringList({"good.sqlite"}));
    QVERIFY(dialog.problem().text().isEmpty());
    line(dialog, 0)->setCheckState(ReportsDialog::Name, Qt::Unchecked);
    QTRY_VERIFY(dialog.problem().text().contains("At least one report"));
    QCOMPARE(labelsOf(*m_window), QStringList({"good.sqlite"}));
}

void SeveralReportsTest::noneThatOpensKeepsWhatIsOpen()
{
    m_window->open(path("rank0.sqlite"));
    SETTLE(*m_window);
    QSignalSpy failed(m_window.get(), &MainWindow::openFailed);
    m_window->openAll({path("mixed/broken.sqlite"), "/nowhere.sqlite"});
    QTRY_COMPARE(failed.count(), 1);
    SETTLE(*m_window);
    QCOMPARE(labelsOf(*m_window), QStringList({"rank0.sqlite"}));
    QVERIFY(m_window->windowTitle().startsWith("rank0.sqlite"));
    m_window->open(m_folder.path() + "/gpu*.sqlite");
    QCOMPARE(failed.count(), 2);
    QVERIFY(failed.last().first().toString().startsWith("No file matches"));
    QCOMPARE(labelsOf(*m_window), QStringList({"rank0.sqlite"}));
}

void SeveralReportsTest::theDialogListsWhatIsOpenWhileSomethingIsTyped()
{
    m_window->open(path("rank0.sqlite"));
    SETTLE(*m_window);
    QSignalSpy shown(&m_window->reports(), &ReportList::shown);
    m_window->openAll({path("mixed/broken.sqlite"), "/nowhere.sqlite"});
    ReportsDialog dialog(m_window->reports(), m_window->session());
    dialog.show();
    dialog.list().setCurrentItem(line(dialog, 1));
    dialog.list().editItem(line(dialog, 1), ReportsDialog::Name);
    dialog.list().viewport()->findChild<QLineEdit*>()->setText("of one that fails");
    SETTLE(*m_window);
    QCOMPARE(m_window->reports().reports().size(), 1U);
    QCOMPARE(dialog.list().topLevelItemCount(), 1);
    QCOMPARE(labelsOf(*m_window), QStringList({"rank0.sqlite"}));
    QCOMPARE(shown.count(), 0); // what is open was not replaced for a while
    const bool isChosen = dialog.list().currentItem() != nullptr;
    dialog.removeButton().click();
    QCOMPARE(m_window->reports().reports().size(), isChosen ? 0U : 1U);
}

void SeveralReportsTest::removingAllThatFailKeepsWhatIsOpen()
{
    m_window->open(path("rank0.sqlite"));
    SETTLE(*m_window);
    QSignalSpy shown(&m_window->reports(), &ReportList::shown);
    m_window->openAll({path("mixed/broken.sqlite"), path("mixed/good.sqlite")});
    while (m_window->reports().reports().front().path != path("rank0.sqlite"))
        m_window->reports().remove(0);
    SETTLE(*m_window);
    QCOMPARE(shown.count(), 0);
    QCOMPARE(labelsOf(*m_window), QStringList({"rank0.sqlite"}));
    QVERIFY(m_window->windowTitle().startsWith("rank0.sqlite"));
    // A folder without reports changes nothing either, even while others load.
    QSignalSpy finished(&m_window->reports(), &ReportList::finished);
    m_window->openAll({path("mixed/good.sqlite"), path("mixed/sample.sqlite")});
    m_window->open(m_folder.path() + "/gpu*.sqlite");
    SETTLE(*m_window);
    QVERIFY(finished.count() > 0);
    QCOMPARE(labelsOf(*m_window), QStringList({"good.sqlite", "sample.sqlite"}));
}

/// A program writes the shown report again while the hidden one is read.
void SeveralReportsTest::whatIsLeftOutReplacesNothing()
{
    const QTemporaryDir folder;
    const QStringList paths{folder.filePath("hidden.sqlite"), folder.filePath("shown.sqlite")};
    for (const QString& each : paths)
        QVERIFY(QFile::copy(path("mixed/good.sqlite"), each));
    m_window->openAll(paths);
    SETTLE(*m_window);
    ReportList& reports = m_window->reports();
    const auto include = [&reports](std::size_t place, bool isIncluded) {
        ReportChoices choices = reports.reports()[place].choices;
        choices.isIncluded = isIncluded;
        reports.change(place, choices);
    };
    include(0, false);
    SETTLE(*m_window);
    QCOMPARE(labelsOf(*m_window), QStringList({"shown.sqlite"}));
    QVERIFY(QFile::remove(paths[1]));
    QVERIFY(QFile::copy(path("mixed/broken.sqlite"), paths[1]));
    QSignalSpy failed(m_window.get(), &MainWindow::openFailed);
    m_window->reopen();
    QTRY_COMPARE(failed.count(), 1);
    SETTLE(*m_window);
    QCOMPARE(labelsOf(*m_window), QStringList({"shown.sqlite"}));
    QCOMPARE(reports.reports().size(), 2U);
    QVERIFY(reports.placeOf(ReportId{0}) == std::size_t{1});
    include(0, true);
    QCOMPARE(labelsOf(*m_window), QStringList({"hidden.sqlite", "shown.sqlite"}));
}

/// As the action for two open reports is enabled by what is shown.
void SeveralReportsTest::theTwoThatAreShownAreCompared()
{
    m_window->openAll(
        {path("rank0.sqlite"), path("rank1.sqlite"), path("rank10.sqlite"), path("mixed/broken.sqlite")});
    SETTLE(*m_window);
    ReportChoices leftOut;
    leftOut.isIncluded = false;
    m_window->reports().change(1, leftOut);
    SETTLE(*m_window);
    m_window->compareOpenReports();
    RunPair& pair = m_window->session().pair();
    QTRY_VERIFY_WITH_TIMEOUT(pair.isOn() && pair.b().workspace().isComplete(), 30'000);
    SETTLE(*m_window);
    QCOMPARE(labelsOf(*m_window), QStringList({"rank0.sqlite"}));
    QCOMPARE(pair.b().workspace().reports().front().label, std::string("rank10.sqlite"));
}

void SeveralReportsTest::filesAreDroppedAndAdded()
{
    drop(*m_window, {path("rank0.sqlite"), path("rank1.sqlite")});
    SETTLE(*m_window);
    QCOMPARE(labelsOf(*m_window), QStringList({"rank0.sqlite", "rank1.sqlite"}));
    drop(*m_window, {path("mixed/good.sqlite")}, Qt::ControlModifier);
    QTRY_COMPARE(labelsOf(*m_window).size(), 3);
    SETTLE(*m_window);
    // An open report is not opened again, with a message.
    QSignalSpy failed(m_window.get(), &MainWindow::openFailed);
    m_window->add({path("rank1.sqlite")});
    QTRY_COMPARE(failed.count(), 1);
    QVERIFY(failed.first().first().toString().contains("rank1.sqlite is open already"));
    QCOMPARE(labelsOf(*m_window).size(), 3);
    drop(*m_window, {path("rank10.sqlite")}); // instead
    QTRY_COMPARE(labelsOf(*m_window), QStringList({"rank10.sqlite"}));
}

void SeveralReportsTest::aPyTorchTraceOpensAsAReportDoes()
{
    const QString trace = QString(WARPLINE_TEST_DATA "/traces/cnn_workers0.json.gz");
    drop(*m_window, {trace});
    QTRY_COMPARE(labelsOf(*m_window), QStringList({"cnn_workers0.json.gz"}));
    SETTLE(*m_window);
    QCOMPARE(m_window->session().trace().kernels().size(), std::size_t{740});
    QTRY_VERIFY(QSettings().value("recent").toStringList().contains(trace));
    m_window->closeReport();
    emit m_window->findChild<StartPage*>()->recent().anchorClicked(QUrl("recent:0"));
    QTRY_COMPARE(labelsOf(*m_window), QStringList({"cnn_workers0.json.gz"}));
    SETTLE(*m_window);
    // In addition to an nsys report, too.
    drop(*m_window, {path("rank0.sqlite")}, Qt::ControlModifier);
    QTRY_COMPARE(labelsOf(*m_window), QStringList({"cnn_workers0.json.gz", "rank0.sqlite"}));
}

void SeveralReportsTest::whatTheUserDidSurvivesAnAddedReport()
{
    m_window->openAll({path("rank0.sqlite"), path("rank1.sqlite")});
    SETTLE(*m_window);
    Session& session = m_window->session();
    const TimeRange all = session.session();
    const TimeRange part{all.start + all.duration() / 4, all.start + all.duration() / 2};
    session.time().show(part);
    session.time().selectRange({part.start + 10, part.end - 10});
    m_window->add({path("rank10.sqlite")});
    QTRY_COMPARE(labelsOf(*m_window).size(), 3);
    QCOMPARE(session.time().shown(), part);
    QCOMPARE(session.time().selectedRange(), (TimeRange{part.start + 10, part.end - 10}));
    m_window->reports().remove(1);
    QCOMPARE(labelsOf(*m_window), QStringList({"rank0.sqlite", "rank10.sqlite"}));
    QCOMPARE(session.time().shown(), part);
}

void SeveralReportsTest::recentReportsOpenTogetherAgain()
{
    m_window->openAll({path("rank0.sqlite"), path("rank1.sqlite")});
    SETTLE(*m_window);
    const QString both = path("rank0.sqlite") + '\n' + path("rank1.sqlite");
    QTRY_VERIFY(QSettings().value("recent").toStringList().contains(both));
    m_window->closeReport();
    auto* const page = m_window->findChild<StartPage*>();
    QVERIFY(page->recent().toPlainText().contains("rank0.sqlite to rank1.sqlite (2 reports)"));
    emit page->recent().anchorClicked(QUrl("recent:0"));
    SETTLE(*m_window);
    QCOMPARE(labelsOf(*m_window), QStringList({"rank0.sqlite", "rank1.sqlite"}));
}

void SeveralReportsTest::panelsFollowTheSelectedReport()
{
    m_window->openAll({path("mixed/good.sqlite"), path("mixed/sample.sqlite")});
    SETTLE(*m_window);
    Session& session = m_window->session();
    const ReportId second{1};
    QCOMPARE(session.report().id, ReportId{});
    QVERIFY(m_window->docks().showPanel("events"));
    ReportChooser* chooser = nullptr;
    for (auto* const each : m_window->findChildren<ReportChooser*>())
        chooser = each->isVisible() ? each : chooser;
    QVERIFY(chooser);
    // A click into a row of the other report.
    const RowId heading = session.workspace().rowOf(second, RowTree::root);
    RowLabels& labels = m_window->timeline().labels();
    m_window->timeline().view().ensureVisible(heading);
    const auto yOf = [&](RowId row) {
        for (int y = 0; y < labels.height(); ++y) {
            if (m_window->timeline().view().hitAt({5, y}).row == row)
                return y + 3;
        }
        return -1;
    };
    QVERIFY(yOf(heading) > 0);
    QTest::mouseClick(&labels, Qt::LeftButton, {}, {150, yOf(heading)});
    QCOMPARE(session.report().id, second);
    QVERIFY(chooser->list().currentText().startsWith("sample.sqlite"));
    SETTLE(*m_window);
    const auto listed = [&] { return m_window->panel<EventsPanel>().model().rowCount(); };
    QTRY_VERIFY(listed() >= static_cast<int>(session.trace(second).eventCount()));
    QVERIFY(static_cast<int>(session.trace(ReportId{}).eventCount()) < listed());
    // The user may hold on to one.
    chooser->list().setCurrentIndex(1);
    emit chooser->list().activated(1);
    QCOMPARE(session.report().id, ReportId{});
    session.selection().setCurrentEvent({second, {EventKind::Kernel, 0}});
    QCOMPARE(session.report().id, ReportId{});
    emit chooser->list().activated(0);
    QCOMPARE(session.report().id, second);
    // A single report needs no choice.
    m_window->open(path("rank0.sqlite"));
    QTRY_COMPARE(labelsOf(*m_window), QStringList({"rank0.sqlite"}));
    SETTLE(*m_window);
    QVERIFY(!chooser->list().isVisible());
    QCOMPARE(chooser->height(), 0);
}

void SeveralReportsTest::tablesAreOfAllReports()
{
    m_window->openAll({path("rank0.sqlite"), path("mixed/sample.sqlite")});
    SETTLE(*m_window);
    QVERIFY(m_window->docks().showPanel("tables"));
    auto& tables = m_window->panel<TablesPanel>();
    tables.choose("cuda_gpu_kern_sum");
    SETTLE(*m_window);
    const int ofFirst = tables.model().rowCount();
    const int columns = tables.model().columnCount();
    QVERIFY(ofFirst > 0);
    m_window->session().chooseReport(ReportId{1});
    SETTLE(*m_window);
    const int ofSecond = tables.model().rowCount();
    ReportChooser* chooser = nullptr;
    for (auto* const each : m_window->findChildren<ReportChooser*>())
        chooser = each->isVisible() ? each : chooser;
    QVERIFY(chooser && chooser->list().itemText(3) == "All reports");
    emit chooser->list().activated(3);
    QCOMPARE(chooser->list().currentIndex(), 3);
    SETTLE(*m_window);
    QTRY_COMPARE(tables.model().rowCount(), ofFirst + ofSecond);
    QCOMPARE(tables.model().columnCount(), columns + 1);
    QVERIFY(tableText(*tables.model().cells(), tables.model().order(), "csv").startsWith("Report,"));
    // A click on a line marks its events in its report.
    std::set<QString> labels;
    for (int line = 0; line < tables.model().rowCount(); ++line) {
        const QString label = tables.model().index(line, 0).data().toString();
        labels.insert(label);
        m_window->session().selection().clearHighlights();
        tables.table().scrollTo(tables.model().index(line, 0));
        QTest::mouseClick(tables.table().viewport(), Qt::LeftButton, {},
            tables.table().visualRect(tables.model().index(line, 0)).center());
        const ReportId report{static_cast<std::uint16_t>(label == "sample.sqlite" ? 1 : 0)};
        QTRY_VERIFY(!m_window->session().selection().highlighted(report).empty());
    }
    QCOMPARE(labels, (std::set<QString>{"rank0.sqlite", "sample.sqlite"}));
    m_window->open(path("rank0.sqlite"));
    QTRY_COMPARE(labelsOf(*m_window).size(), 1);
    SETTLE(*m_window);
    QVERIFY(m_window->docks().showPanel("tables")); // the overview of the opened report came in front
    QTRY_COMPARE(tables.model().rowCount(), ofFirst);
    QCOMPARE(tables.model().columnCount(), columns);
}

void SeveralReportsTest::findingsAndEventsAreOfSeveralReports()
{
    m_window->openAll({path("rank0.sqlite"), path("rank1.sqlite"), path("mixed/sample.sqlite")});
    SETTLE(*m_window);
    Session& session = m_window->session();
    ReportScope& scope = session.scope();
    auto& findings = m_window->panel<FindingsPanel>();
    QVERIFY(m_window->docks().showPanel("findings"));
    const auto countOf = [&](std::uint16_t report) {
        session.chooseReport(ReportId{report});
        QTest::qWait(1);
        [&] { QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), 20'000); }();
        return findings.findings().size();
    };
    const std::size_t ofFirst = countOf(0);
    const std::size_t ofThird = countOf(2);
    QVERIFY(ofThird > 0);
    QCOMPARE(findings.list().columnCount(), 2);
    scope.choose({ReportId{0}, ReportId{2}});
    SETTLE(*m_window);
    QTRY_COMPARE(findings.findings().size(), ofFirst + ofThird);
    QCOMPARE(findings.list().columnCount(), 3);
    QVERIFY(std::ranges::is_sorted(findings.findings(), ranksHigher));
    // A click goes to the report of the finding, and the list stays.
    QTreeWidgetItem* ofSample = nullptr;
    for (int i = 0; i < findings.list().topLevelItemCount(); ++i) {
        if (findings.list().topLevelItem(i)->text(2) == "sample.sqlite" && !ofSample)
            ofSample = findings.list().topLevelItem(i);
    }
    QVERIFY(ofSample);
    session.followSelection();
    emit findings.list().itemClicked(ofSample, 0);
    QVERIFY(findings.text().toPlainText().startsWith("sample.sqlite"));
    SETTLE(*m_window);
    QCOMPARE(findings.findings().size(), ofFirst + ofThird);
    // Events of the same two, on one clock.
    QVERIFY(m_window->docks().showPanel("events"));
    SETTLE(*m_window);
    EventsModel& model = m_window->panel<EventsPanel>().model();
    const std::size_t events
        = session.trace(ReportId{0}).eventCount() + session.trace(ReportId{2}).eventCount();
    QTRY_COMPARE(static_cast<std::size_t>(model.rowCount()), events);
    const int report = model.columnCount() - 1;
    QCOMPARE(model.headerData(report, Qt::Horizontal, Qt::DisplayRole).toString(), QString("Report"));
    std::set<QString> labels;
    for (int row = 0; row < model.rowCount(); ++row) {
        labels.insert(model.index(row, report).data().toString());
        QCOMPARE(model.rowOf(model.idAt(row)), row);
        const auto length = [&](int at) { return session.workspace().range(model.idAt(at)).duration(); };
        QVERIFY(row == 0 || length(row - 1) >= length(row));
    }
    QCOMPARE(labels, (std::set<QString>{"rank0.sqlite", "sample.sqlite"}));
    model.sort(1, Qt::AscendingOrder);
    SETTLE(*m_window);
    for (int row = 1; row < model.rowCount(); ++row) {
        const auto start = [&](int at) { return session.workspace().range(model.idAt(at)).start; };
        QVERIFY(start(row - 1) <= start(row));
    }
    model.sort(report, Qt::AscendingOrder); // one report after the other
    SETTLE(*m_window);
    QCOMPARE(model.idAt(0).report, ReportId{0});
    QCOMPARE(model.idAt(model.rowCount() - 1).report, ReportId{2});
    // The filter's events are marked in both, and exported with the report's name.
    const QString file = path("events.csv");
    m_window->panel<EventsPanel>().exportCsv(file);
    QTRY_VERIFY(QFile::exists(file));
    QFile written(file);
    QVERIFY(written.open(QIODevice::ReadOnly));
    QVERIFY(written.readLine().startsWith("Report,Name,"));
    // Closing a report removes its events and findings.
    m_window->reports().remove(2);
    SETTLE(*m_window);
    QTRY_COMPARE(static_cast<std::size_t>(model.rowCount()), session.trace().eventCount());
    QTRY_COMPARE(findings.list().columnCount(), 2);
}

/// As many as the search bar counts.
void SeveralReportsTest::matchesAreListedOfAllReports()
{
    m_window->openAll({path("rank0.sqlite"), path("rank1.sqlite")});
    SETTLE(*m_window);
    Session& session = m_window->session();
    QVERIFY(!session.scope().isSeveral());
    m_window->search().edit().setText("cuda");
    m_window->search().list();
    const std::uint64_t matches = countMatches(session.workspace(), "cuda", {}).count;
    QVERIFY(matches > 1);
    EventsModel& model = m_window->panel<EventsPanel>().model();
    QTRY_COMPARE(static_cast<std::uint64_t>(model.list().size()), matches);
}

/// A single report has its summary in front, whatever the ranks before it had.
void SeveralReportsTest::theMapOfRanksIsLeftWithThem()
{
    const QString first = allPanels().front()->id;
    m_window->openAll({path("rank0.sqlite"), path("rank1.sqlite")});
    SETTLE(*m_window);
    PanelDocks& docks = m_window->docks();
    QTRY_VERIFY(docks.areShown());
    docks.showPanel("rankmap");
    m_window->openAll({path("rank1.sqlite"), path("rank0.sqlite")});
    SETTLE(*m_window);
    QCOMPARE(docks.openPanel(PanelPlace::Beside), QString("rankmap")); // others have ranks as well
    m_window->open(path("mixed/good.sqlite"));
    SETTLE(*m_window);
    QCOMPARE(docks.openPanel(PanelPlace::Beside), first);
    QCOMPARE(m_window->mode(), MainWindow::Mode::Timeline);
    Session& session = m_window->session();
    session.selection().setCurrentEvent(session.idOf({EventKind::Kernel, 0}));
    QCOMPARE(docks.openPanel(PanelPlace::Beside), QString("details"));
    session.selection().clear();
    QCOMPARE(docks.openPanel(PanelPlace::Beside), first);
    docks.showPanel("rankmap"); // where it tells what is missing
    QCOMPARE(docks.openPanel(PanelPlace::Beside), QString("rankmap"));
}

void SeveralReportsTest::theMapOfRanksComesBackBehindDetails()
{
    const QStringList ranks{path("rank0.sqlite"), path("rank1.sqlite")};
    m_window->openAll(ranks);
    SETTLE(*m_window);
    PanelDocks& docks = m_window->docks();
    QTRY_VERIFY(docks.areShown());
    docks.showPanel("rankmap");
    Session& session = m_window->session();
    const auto select = [&] { session.selection().setCurrentEvent(session.idOf({EventKind::Kernel, 0})); };
    select();
    QCOMPARE(docks.openPanel(PanelPlace::Beside), QString("details"));
    m_window->open(path("mixed/good.sqlite"));
    SETTLE(*m_window);
    select();
    QCOMPARE(docks.openPanel(PanelPlace::Beside), QString("details"));
    session.selection().clear();
    QCOMPARE(docks.openPanel(PanelPlace::Beside), QString(allPanels().front()->id));
    m_window->openAll(ranks);
    SETTLE(*m_window);
    QCOMPARE(docks.openPanel(PanelPlace::Beside), QString("rankmap"));
}

/// The measured range follows it, as when the reports are aligned late.
void SeveralReportsTest::aClockThatMovesKeepsThePanel()
{
    m_window->openAll({path("rank0.sqlite"), path("rank1.sqlite")});
    SETTLE(*m_window);
    PanelDocks& docks = m_window->docks();
    QTRY_VERIFY(docks.areShown());
    Session& session = m_window->session();
    const EventRef kernel{EventKind::Kernel, 0};
    session.selection().setCurrentEvent({ReportId{0}, kernel});
    m_window->timeline().view().measureTo({ReportId{1}, kernel});
    QVERIFY(m_window->timeline().view().measure().has_value());
    const TimeRange before = session.time().selectedRange();
    QCOMPARE(docks.openPanel(PanelPlace::Beside), QString("details"));
    docks.showPanel("rankmap");
    const Ns offset = session.workspace().report(ReportId{1}).clock.offset + 1'000'000;
    session.setClocks(session.workspace().withClock(ReportId{1}, {offset, 0, ClockMethod::Manual, {}}));
    QVERIFY(!session.time().selectedRange().empty() && session.time().selectedRange() != before);
    QCOMPARE(docks.openPanel(PanelPlace::Beside), QString("rankmap"));
    session.time().selectRange({before.start, before.start + 1000}); // the user's
    QCOMPARE(docks.openPanel(PanelPlace::Beside), QString("details"));
}

void SeveralReportsTest::aFleetsSummaryIsShownWithLinks()
{
    AcrossReport across;
    across.judged = true;
    across.verdict.sentence = "Rank 1 comes late.";
    for (std::uint16_t i : {0, 1}) {
        ReportAcross report;
        report.report = ReportId{i};
        report.file = "somewhere/else/rank" + std::to_string(i) + (i == 0 ? ".sqlite" : ".nowhere");
        report.judged = true;
        across.reports.push_back(report);
        AcrossRank rank;
        rank.report = ReportId{i};
        rank.rank = i;
        rank.label = "rank " + std::to_string(i);
        across.ranks.push_back(rank);
        StepCell cell;
        cell.known = true;
        cell.time = {1'000, 90'000};
        cell.host = {500, 60'000};
        across.cells.push_back(cell);
    }
    across.steps.push_back({"step_0", false, 1});
    const QString summary = path("fleet.json");
    QFile file(summary);
    QVERIFY(file.open(QIODevice::WriteOnly)
        && file.write(QByteArray::fromStdString(documentOf("ranks", ranksJson(across)))) > 0);
    file.close();
    QVERIFY(FleetSummary::isSummary(summary) && !FleetSummary::isSummary(path("rank0.sqlite")));
    m_window->open(summary);
    SETTLE(*m_window);
    RanksPanel* page = nullptr;
    for (auto* const each : m_window->findChildren<RanksPanel*>())
        page = each->isVisible() ? each : page;
    QVERIFY(page);
    QCOMPARE(page->map()->verdict().text(), QString("Rank 1 comes late."));
    QCOMPARE(page->rankTable().model()->rowCount(), 2);
    QCOMPARE(page->rankTable().model()->index(0, 1).data().toString(), QString("rank0.sqlite"));
    QCOMPARE(m_window->windowTitle().section(' ', 0, 0), QString("fleet.json"));
    // A missing one is reported; the other is found next to the summary, and its step is shown.
    QSignalSpy missing(&m_window->session().fleet(), &FleetSummary::reportMissing);
    page->map()->goToStep(1, 0);
    QCOMPARE(missing.count(), 1);
    page->map()->goToStep(0, 0);
    SETTLE(*m_window);
    QCOMPARE(labelsOf(*m_window), QStringList({"rank0.sqlite"}));
    const Session& session = m_window->session();
    const TimeRange step = TimeRange{500, 90'000}.clippedTo(session.session());
    QVERIFY2(session.time().shown().start <= step.start && session.time().shown().end >= step.end,
        qPrintable(QString("%1 %2").arg(session.time().shown().start).arg(session.time().shown().end)));
    // The Ranks panel keeps showing it until the summary is closed.
    QVERIFY(m_window->docks().showPanel("ranks"));
    QVERIFY(m_window->docks().isPanelInFront("rankmap")); // comes along
    const auto* const inspector = m_window->findChild<QDockWidget*>("rankmap")->findChild<RankMapPanel*>();
    QCOMPARE(inspector->verdict().text(), QString("Rank 1 comes late."));
    m_window->closeReport();
    QVERIFY(page->isVisible());
    m_window->session().fleet().close();
    QVERIFY(!page->isVisible());
    file.open(QIODevice::WriteOnly);
    file.write("{\n  \"schema\": \"urn:warpline:schema:ranks\",\n  \"schema_version\": ");
    file.close();
    QSignalSpy failed(m_window.get(), &MainWindow::openFailed);
    m_window->open(summary);
    QCOMPARE(failed.count(), 1);
}

void SeveralReportsTest::sameRowsArePinnedTogether()
{
    m_window->openAll({path("rank0.sqlite"), path("rank1.sqlite"), path("rank10.sqlite")});
    SETTLE(*m_window);
    Session& session = m_window->session();
    const RowId row = session.workspace().rowOf(EventId{ReportId{1}, {EventKind::Kernel, 0}});
    QVERIFY(row != RowTree::root);
    QMenu menu;
    m_window->timeline().fillMenu(menu, {row, {}});
    const auto actions = menu.actions();
    const auto same = std::ranges::find_if(
        actions, [](const QAction* action) { return action->text().contains("same row of all reports"); });
    QVERIFY(same != actions.end());
    (*same)->trigger();
    for (std::uint16_t report = 0; report < 3; ++report)
        QVERIFY(session.rowView().isPinned(
            session.workspace().rowOf(EventId{ReportId{report}, {EventKind::Kernel, 0}})));
    RowLayout layout;
    layout.rebuild(session);
    QCOMPARE(layout.pinned().size(), 3U);
    // Pinned rows stay pinned when a report is closed.
    m_window->reports().remove(0);
    layout.rebuild(session);
    QCOMPARE(layout.pinned().size(), 2U);
    // A single report has no others.
    m_window->open(path("rank0.sqlite"));
    QTRY_COMPARE(labelsOf(*m_window).size(), 1);
    QMenu alone;
    m_window->timeline().fillMenu(
        alone, {session.workspace().rowOf(EventId{{}, {EventKind::Kernel, 0}}), {}});
    for (const QAction* const action : alone.actions())
        QVERIFY(!action->text().contains("same row of all reports"));
}

void SeveralReportsTest::theDialogRenamesLeavesOutAndRemoves()
{
    m_window->openAll({path("rank0.sqlite"), path("rank1.sqlite"), path("rank10.sqlite")});
    SETTLE(*m_window);
    ReportsDialog dialog(m_window->reports(), m_window->session());
    dialog.show();
    QVERIFY(QTest::qWaitForWindowExposed(&dialog));
    QCOMPARE(dialog.list().topLevelItemCount(), 3);
    type(dialog, 1, ReportsDialog::Name, "the late one");
    QCOMPARE(labelsOf(*m_window), QStringList({"rank0.sqlite", "the late one", "rank10.sqlite"}));
    // The check mark leaves it out; it stays in the list.
    const QRect first = dialog.list().visualItemRect(line(dialog, 0));
    QTest::mouseClick(dialog.list().viewport(), Qt::LeftButton, {}, {first.left() + 10, first.center().y()});
    QTRY_COMPARE(labelsOf(*m_window), QStringList({"the late one", "rank10.sqlite"}));
    QCOMPARE(dialog.list().topLevelItemCount(), 3);
    dialog.list().setCurrentItem(line(dialog, 2));
    QTest::mouseClick(&dialog.removeButton(), Qt::LeftButton);
    QTRY_COMPARE(labelsOf(*m_window), QStringList({"the late one"}));
    QCOMPARE(dialog.list().topLevelItemCount(), 2);
    // The last one that is shown cannot be left out.
    line(dialog, 1)->setCheckState(ReportsDialog::Name, Qt::Unchecked);
    QTRY_VERIFY(dialog.problem().text().contains("At least one report"));
    QCOMPARE(labelsOf(*m_window), QStringList({"the late one"}));
    QTRY_COMPARE(line(dialog, 1)->checkState(ReportsDialog::Name), Qt::Checked);
    // Nor be removed.
    type(dialog, 1, ReportsDialog::Rank, "11");
    QVERIFY(dialog.problem().text().isEmpty());
    dialog.list().setCurrentItem(line(dialog, 1));
    QTest::mouseClick(&dialog.removeButton(), Qt::LeftButton);
    QVERIFY(dialog.problem().text().contains("At least one report"));
    QCOMPARE(labelsOf(*m_window), QStringList({"the late one"}));
    type(dialog, 1, ReportsDialog::Rank, "x");
    QVERIFY(dialog.problem().text().contains("x is not a rank"));
    type(dialog, 1, ReportsDialog::Rank, "12");
    QCOMPARE(line(dialog, 1)->text(ReportsDialog::Rank), QString("12"));
    QVERIFY(dialog.problem().text().isEmpty());
}

void SeveralReportsTest::theDeleteKeyRemovesAReport()
{
    m_window->openAll({path("rank0.sqlite"), path("rank1.sqlite"), path("rank10.sqlite")});
    SETTLE(*m_window);
    ReportsDialog dialog(m_window->reports(), m_window->session());
    dialog.show();
    dialog.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&dialog));
    dialog.list().setCurrentItem(line(dialog, 1));
    dialog.list().setFocus();
    QTest::keyClick(&dialog.list(), Qt::Key_Delete);
    QTRY_COMPARE(labelsOf(*m_window), QStringList({"rank0.sqlite", "rank10.sqlite"}));
    // Held down it removes no more.
    QTest::simulateEvent(&dialog.list(), true, Qt::Key_Delete, Qt::NoModifier, {}, true);
    QCOMPARE(m_window->reports().reports().size(), 2U);
    // In a field it is the key of the text.
    type(dialog, 1, ReportsDialog::Offset, {});
    QCOMPARE(m_window->reports().reports().size(), 2U);
}

void SeveralReportsTest::colorsStayWhenOthersGo()
{
    const QStringList names{path("rank0.sqlite"), path("rank1.sqlite"), path("rank10.sqlite")};
    m_window->openAll(names);
    SETTLE(*m_window);
    const auto colors = [this] {
        std::map<std::string, QRgb> all;
        for (const OpenReport& report : m_window->session().workspace().reports())
            all[report.label] = reportColor(report).rgb();
        return all;
    };
    const auto before = colors();
    QCOMPARE(before.size(), std::size_t{3});
    const auto last = before.at("rank10.sqlite");
    QVERIFY(before.at("rank1.sqlite") != last);
    ReportChoices leftOut;
    leftOut.isIncluded = false;
    m_window->reports().change(1, leftOut);
    QTRY_COMPARE(labelsOf(*m_window), QStringList({"rank0.sqlite", "rank10.sqlite"}));
    QCOMPARE(colors().at("rank10.sqlite"), last);
    m_window->reports().remove(0);
    QTRY_COMPARE(labelsOf(*m_window), QStringList({"rank10.sqlite"}));
    QCOMPARE(colors().at("rank10.sqlite"), last);
    m_window->reports().change(0, {}); // the free color is that of the added one
    m_window->add({names.front()});
    QTRY_COMPARE(labelsOf(*m_window), QStringList({"rank1.sqlite", "rank10.sqlite", "rank0.sqlite"}));
    QVERIFY(colors() == before);
    SETTLE(*m_window);
    const auto old = m_window->session().sharedTrace();
    m_window->reopen();
    QTRY_VERIFY_WITH_TIMEOUT(m_window->session().sharedTrace() != old && m_window->isSettled(), 30'000);
    QVERIFY(colors() == before);
}

void SeveralReportsTest::theInspectorGoesBackToEventsOfOpenReports()
{
    m_window->openAll({path("rank0.sqlite"), path("rank1.sqlite"), path("rank10.sqlite")});
    SETTLE(*m_window);
    Selection& selection = m_window->session().selection();
    for (const std::uint16_t place : {0, 1, 2}) {
        selection.setCurrentEvent({ReportId{place}, {EventKind::Kernel, place}});
        m_window->docks().showPanel("details");
        QTest::qWait(20);
    }
    m_window->reports().remove(0);
    SETTLE(*m_window);
    QTest::qWait(20);
    InspectorHistory& history = m_window->docks().inspected();
    std::vector<EventId> shown;
    while (history.canGoBack()) {
        history.goBack();
        QTest::qWait(20);
        if (selection.currentEvent().valid())
            shown.push_back(selection.currentEvent());
    }
    const EventId second{ReportId{0}, {EventKind::Kernel, 1}};
    const EventId third{ReportId{1}, {EventKind::Kernel, 2}};
    QVERIFY(std::ranges::find(shown, second) != shown.end());
    QVERIFY(std::ranges::all_of(shown, [&](EventId each) { return each == second || each == third; }));
}

void SeveralReportsTest::offsetsAreSetByHand()
{
    m_window->openAll({path("rank0.sqlite"), path("rank1.sqlite")});
    SETTLE(*m_window);
    Session& session = m_window->session();
    const Ns before = session.session().duration();
    ReportsDialog dialog(m_window->reports(), session);
    dialog.show();
    QVERIFY(QTest::qWaitForWindowExposed(&dialog));
    type(dialog, 1, ReportsDialog::Offset, "3.7 ms");
    QCOMPARE(session.workspace().report(ReportId{1}).clock.offset, Ns{3'700'000});
    QCOMPARE(session.workspace().report(ReportId{1}).clock.method, ClockMethod::Manual);
    QCOMPARE(session.session().duration(), before + 3'700'000);
    QVERIFY(line(dialog, 1)->text(ReportsDialog::Method).startsWith("set by hand"));
    // One below the other, to the nanosecond.
    QCOMPARE(line(dialog, 0)->text(ReportsDialog::Offset), QString("0.000000 ms"));
    QVERIFY(line(dialog, 1)->text(ReportsDialog::Offset).startsWith("3.700000 ms"));
    QVERIFY(line(dialog, 1)->textAlignment(ReportsDialog::Offset) & Qt::AlignRight);
    // No text is cut off: columns grow with the results.
    for (int column = 0; column < ReportsDialog::File; ++column) {
        const QString said = line(dialog, 1)->text(column);
        QVERIFY2(std::min(420, dialog.list().fontMetrics().horizontalAdvance(said))
                <= dialog.list().columnWidth(column),
            qPrintable(said));
    }
    type(dialog, 1, ReportsDialog::Offset, "soon");
    QVERIFY(dialog.problem().text().contains("soon is not a time"));
    QCOMPARE(session.workspace().report(ReportId{1}).clock.offset, Ns{3'700'000});
    for (const char* const offset : {"-9223372036854775808", "9223372036854775807", "-1000000000000000001"}) {
        type(dialog, 1, ReportsDialog::Offset, offset);
        QVERIFY(dialog.problem().text().contains("is not a time"));
        QCOMPARE(session.workspace().report(ReportId{1}).clock.offset, Ns{3'700'000});
    }
    type(dialog, 1, ReportsDialog::Offset, "");
    QCOMPARE(session.workspace().report(ReportId{1}).clock.offset, Ns{0});
}

void SeveralReportsTest::startsOfOtherYearsAreNotAligned_data()
{
    QTest::addColumn<qint64>("early");
    QTest::addColumn<qint64>("late");
    QTest::newRow("centuries") << qint64{1} << qint64{latestUtcNs};
    constexpr qint64 year2023 = 1'700'000'000'000'000'000;
    QTest::newRow("years") << year2023 << qint64{year2023 + 2 * timeLimit}; // two years and a quarter
}

void SeveralReportsTest::startsOfOtherYearsAreNotAligned()
{
    QFETCH(qint64, early);
    QFETCH(qint64, late);
    const QTemporaryDir folder;
    const QStringList paths{folder.filePath("early.sqlite"), folder.filePath("late.sqlite")};
    for (const QString& path : paths) {
        ReportFixture fixture;
        fixture.addSmallReport();
        fixture.run("CREATE TABLE TARGET_INFO_SESSION_START_TIME (utcEpochNs INTEGER, utcTime TEXT); "
                    "INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES ("
            + std::to_string(path == paths[0] ? early : late) + ", '')");
        QVERIFY(QFile::copy(QString::fromStdString(fixture.path()), path));
    }
    std::size_t most = 0;
    const QObject here;
    connect(&m_window->reports(), &ReportList::shown, &here, [&](const Workspace& workspace) {
        most = std::max(most, workspace.reports().size());
        for (const OpenReport& report : workspace.reports())
            QCOMPARE(report.clock, ClockOffset());
    });
    m_window->openAll(paths);
    SETTLE(*m_window);
    QCOMPARE(most, 2U);
}

/// Another program opens others while the user chooses a colour or a file.
void SeveralReportsTest::dialogsAreOfTheReportsThatWereOpen()
{
    const bool wereOwn = QCoreApplication::testAttribute(Qt::AA_DontUseNativeDialogs);
    QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    const auto restore
        = qScopeGuard([wereOwn] { QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs, wereOwn); });
    m_window->openAll({path("rank0.sqlite"), path("rank1.sqlite"), path("rank10.sqlite")});
    SETTLE(*m_window);
    ReportsDialog dialog(m_window->reports(), m_window->session());
    dialog.show();
    QVERIFY(QTest::qWaitForWindowExposed(&dialog));
    const QString set = path("rewritten.warpline");
    QVERIFY(dialog.saveSet(set));
    // Presses a button. While its dialog asks, opens the same set with other reports, then does `answer`.
    const auto asks = [this, &dialog, &set](const char* text, const char* content, const auto& answer) {
        bool isAsked = false;
        QTimer::singleShot(0, &dialog, [&] {
            auto* const modal = qobject_cast<QDialog*>(QApplication::activeModalWidget());
            QFile file(set);
            if (file.open(QIODevice::WriteOnly))
                file.write(content);
            file.close();
            m_window->open(set);
            isAsked = QTest::qWaitFor([this] { return m_window->isSettled(); }) && modal && answer(*modal);
            if (modal) // whatever failed: else the test waits for it
                QMetaObject::invokeMethod(modal, isAsked ? "accept" : "reject");
        });
        for (QPushButton* const button : dialog.findChildren<QPushButton*>()) {
            if (button->text().startsWith(text))
                QTest::mouseClick(button, Qt::LeftButton);
        }
        return isAsked;
    };
    dialog.list().setCurrentItem(line(dialog, 2));
    QVERIFY(asks(
        "&Color", R"({"warpline_reports": 1, "reports": [{"file": "rank0.sqlite"}]})", [](QDialog& modal) {
            auto* const colors = qobject_cast<QColorDialog*>(&modal);
            if (colors)
                colors->setCurrentColor(Qt::red);
            return colors != nullptr;
        }));
    QCOMPARE(m_window->reports().reports().size(), 1U);
    QVERIFY(!m_window->reports().reports().front().choices.color);
    const QString other = path("other.warpline");
    QVERIFY(asks("&Save set", R"({"warpline_reports": 1, "reports": [{"file": "rank10.sqlite"}]})",
        [&other](QDialog& modal) {
            auto* const name = modal.findChild<QLineEdit*>("fileNameEdit");
            if (name)
                name->setText(other);
            return name != nullptr;
        }));
    QVERIFY(dialog.problem().text().contains("Nothing was written"));
    QVERIFY(!QFile::exists(other));
}

void SeveralReportsTest::setsAreSavedAndOpened()
{
    m_window->openAll({path("rank0.sqlite"), path("rank1.sqlite"), path("rank10.sqlite")});
    SETTLE(*m_window);
    m_window->reports().change(0, {"first", 0x112233, true, 4, std::nullopt});
    m_window->reports().change(1, {"", std::nullopt, false, std::nullopt, -5'000});
    ReportsDialog dialog(m_window->reports(), m_window->session());
    QVERIFY(!dialog.saveSet("/nowhere/at/all.warpline"));
    QVERIFY(!dialog.problem().text().isEmpty());
    QVERIFY(dialog.saveSet(path("run.warpline")));
    m_window->closeReport();
    m_window->open(path("run.warpline"));
    SETTLE(*m_window);
    QCOMPARE(labelsOf(*m_window), QStringList({"first", "rank10.sqlite"}));
    QCOMPARE(m_window->windowTitle(), QString("run.warpline \u2014 Warpline"));
    QCOMPARE(m_window->reports().reports()[1].choices.offset, std::optional<Ns>(-5'000));
    QCOMPARE(
        m_window->session().workspace().report(ReportId{}).color, std::optional<std::uint32_t>(0x112233));
    QTRY_VERIFY(QSettings().value("recent").toStringList().contains(path("run.warpline")));
    QFile bad(path("bad.warpline"));
    QVERIFY(bad.open(QIODevice::WriteOnly));
    bad.write("{}");
    bad.close();
    QSignalSpy failed(m_window.get(), &MainWindow::openFailed);
    m_window->open(path("bad.warpline"));
    QCOMPARE(failed.count(), 1);
    QVERIFY(failed.first().first().toString().contains("lists no reports"));
    QCOMPARE(labelsOf(*m_window), QStringList({"first", "rank10.sqlite"}));
}

/// The next start, and the menu of recent reports, open what names() says.
void SeveralReportsTest::aSetThatIsChangedIsNotItsFile()
{
    const QTemporaryDir folder;
    const QStringList set{folder.filePath("set.warpline")};
    ReportList& reports = m_window->reports();
    m_window->openAll({path("rank0.sqlite"), path("rank1.sqlite")});
    SETTLE(*m_window);
    reports.change(1, {"second", {}, true, {}, {}});
    reports.save(set.front(), [](const QString&) {});
    QTRY_COMPARE(reports.names(), set);
    m_window->add({path("rank1.sqlite")}); // which it has
    SETTLE(*m_window);
    QCOMPARE(reports.names(), set);
    for (const bool isAdded : {false, true}) {
        m_window->openAll(set);
        SETTLE(*m_window);
        QCOMPARE(reports.names(), set);
        QStringList now{path("rank0.sqlite"), path("rank1.sqlite"), path("rank10.sqlite")};
        if (isAdded) {
            m_window->add({now.back()});
        } else {
            reports.remove(0);
            now = {path("rank1.sqlite")};
        }
        SETTLE(*m_window);
        QCOMPARE(reports.names(), now);
        QVERIFY(reports.listed().choices().contains("second")); // goes along
        QVERIFY(!m_window->windowTitle().contains("set.warpline"));
    }
}

void SeveralReportsTest::picturesShowAllReports()
{
    QProcess process;
    const QString picture = path("picture.png");
    process.start(QCoreApplication::applicationDirPath() + "/warpline",
        {"--screenshot", picture, "--size", "1000x700", m_folder.path() + "/rank*.sqlite",
            "/nowhere.sqlite"});
    QVERIFY(process.waitForFinished(60'000));
    QCOMPARE(process.exitCode(), 0);
    QVERIFY(process.readAllStandardError().contains("warpline: /nowhere.sqlite does not exist"));
    QCOMPARE(QImage(picture).size(), QSize(1000, 700));
}

void SeveralReportsTest::sharedRanksOpen()
{
    const std::string rank = sharedReport("h200-more/halo8/rank0");
    if (rank.empty())
        QSKIP("needs ../shared/reports, which is not there");
    m_window->open(QFileInfo(QString::fromStdString(rank)).path());
    SETTLE(*m_window);
    QCOMPARE(labelsOf(*m_window).size(), 8);
    // All of one host: the offsets are those of the sessions' starts.
    for (const OpenReport& report : m_window->session().workspace().reports()) {
        const std::string sql = "SELECT utcEpochNs FROM TARGET_INFO_SESSION_START_TIME";
        const auto started
            = [&](ReportId id) { return sqlInteger(m_window->session().trace(id).info.path, sql); };
        QVERIFY(std::abs(report.clock.offset - (started(report.id) - started(ReportId{}))) <= 2'000);
    }
    QVERIFY(!m_window->grab().isNull());
    // With ranks the late rank comes first: the overview begins with it, and links to the panel of ranks.
    auto* const overview = m_window->findChild<OverviewPanel*>();
    QVERIFY(overview);
    const AcrossReport* const across = m_window->session().judgement().ranks().across();
    QVERIFY(across && across->judged);
    QTRY_VERIFY(
        overview->text().toPlainText().contains(QString::fromStdString(plain(across->verdict.details))));
    if (across->verdict.pattern == LatePattern::Persistent)
        QVERIFY(
            overview->headline().text().contains(QString::fromStdString(plain(across->verdict.headline))));
    overview->follow(QUrl("panel:ranks"));
    auto* const ranks = m_window->findChild<QDockWidget*>("ranks");
    QTRY_VERIFY(ranks && !ranks->visibleRegion().isEmpty());
}

#undef SETTLE

WARPLINE_TEST(SeveralReportsTest)

} // namespace tst_several_reports

#include "tst_several_reports.moc"
