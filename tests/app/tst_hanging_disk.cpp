// The window while a disk hangs: it answers, cancels, opens other reports, and says what it waits for. Needs
// the shim of tests/fuzz, which CTest preloads.

#include "app/desktop_session.h"
#include "app/file_watch.h"
#include "app/main_window.h"
#include "app/panel_docks.h"
#include "app/part_export.h"
#include "app/preferences_dialog.h"
#include "app/view_files.h"
#include "app/window_actions.h"
#include "core/base/file_wait.h"
#include "core/base/job_runner.h"
#include "core/base/parallel.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"
#include "views/panels/events_panel.h"
#include "views/panels/findings_panel.h"
#include "views/panels/handover_dialog.h"
#include "views/panels/marks_panel.h"
#include "views/panels/sql_editor.h"
#include "views/panels/sql_panel.h"
#include "views/panels/table_export.h"
#include "views/panels/tables_panel.h"
#include "views/session/marks.h"
#include "views/session/run_pair.h"
#include "views/timeline/timeline_pane.h"

#include <QAction>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QScopeGuard>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QTreeWidget>

#ifdef Q_OS_LINUX
#include <dlfcn.h>
#endif

namespace tst_hanging_disk {

using namespace warpline;
using namespace warpline::test;

namespace {

/// Of the shim; null without it.
template <typename Function> Function shim([[maybe_unused]] const char* name)
{
#ifdef Q_OS_LINUX
    return reinterpret_cast<Function>(::dlsym(RTLD_DEFAULT, name));
#else
    return nullptr;
#endif
}

void hang(const QString& path, long after = 0)
{
    shim<void (*)(const char*, long)>("shimHang")(path.toUtf8().constData(), after);
}

int hanging()
{
    return shim<int (*)()>("shimHanging")();
}

/// The longest time in which the thread of the window did nothing else.
class Turns {
public:
    Turns()
    {
        m_last.start();
        QObject::connect(
            &m_timer, &QTimer::timeout, [this] { m_longest = std::max(m_longest, m_last.restart()); });
        m_timer.start(5);
    }
    qint64 longest() const { return std::max(m_longest, m_last.elapsed()); }

private:
    QTimer m_timer;
    QElapsedTimer m_last;
    qint64 m_longest = 0;
};

/// Writes the file of this path, without its ending.
using Writing = std::function<void(MainWindow& window, const QString& path)>;

constexpr qint64 turnMs = 3000; ///< what hangs has no limit; a busy machine takes its time

#define SETTLE(window) QTRY_VERIFY_WITH_TIMEOUT((window).isSettled(), 30'000)

} // namespace

class HangingDiskTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void cleanup();
    void cancelGivesTheWindowBack_data();
    void cancelGivesTheWindowBack();
    void manyThatHangKeepNoOtherFromOpening();
    void anotherOpensBesideThoseThatHang();
    void aCacheThatHangsIsDoneWithout();
    void theOthersOfSeveralOpen();
    void aComparisonIsCancelled();
    void aSlowDiskEndsNoComparison();
    void anotherPairLeavesTheOneBefore();
    void bWaitsForAnAThatIsLookedFor();
    void questionsAreStopped();
    void aWatchedFileHoldsNothing();
    void saysThatTheDiskIsSilent();
    void abandonedReadsAreSilent();
    void aSlowDiskIsWaitedFor();
    void aRefusedViewLeavesTheirOwn();
    void runsSwapAfterASummaryWasLookedFor();
    void aReloadReadsTheViewThatWasBeingRead();
    void whatIsAddedAndReplacedIsNamed();
    void watchesThatHangHoldNothing();
    void whatIsWrittenHoldsNothing_data();
    void whatIsWrittenHoldsNothing();
    void aSilentWriteIsNamedAndCancelled();
    void aSlowWriteIsWaitedFor();

private:
    QString away(const char* name = "away.sqlite") const
    {
        return m_folder.filePath(QString("away/") + name);
    }
    QString here() const { return m_folder.filePath("here.sqlite"); }
    QPushButton& cancelButton() const
    {
        for (QPushButton* const button : m_window->findChildren<QPushButton*>()) {
            if (button->text() == "Cancel" && button->isVisible())
                return *button;
        }
        return *m_none;
    }
    QString status() const { return m_window->findChild<QLabel*>("status")->text(); }
    /// A view at `path` that has a filter, which the window has no longer.
    void saveFilteredView(const QString& path)
    {
        EventFilter filter;
        filter.text = "kernel";
        m_window->session().selection().setFilter(filter);
        QVERIFY(m_window->views().saveAs(path) == ViewFiles::Outcome::Written);
        m_window->session().selection().setFilter({});
    }

    QTemporaryDir m_folder;
    std::unique_ptr<MainWindow> m_window;
    std::unique_ptr<QPushButton> m_none;
};

void HangingDiskTest::initTestCase()
{
    if (!shim<int (*)()>("shimHanging"))
        QSKIP("the shim is not preloaded");
    QCoreApplication::setOrganizationName("warpline-test");
    QCoreApplication::setApplicationName("tst_hanging_disk");
    m_none = std::make_unique<QPushButton>("none");
    ReportFixture fixture;
    fixture.addSmallReport();
    QDir(m_folder.path()).mkdir("away");
    for (const QString& path :
        {here(), m_folder.filePath("near.sqlite"), away(), away("other.sqlite"), away("third.sqlite")})
        QVERIFY(QFile::copy(QString::fromStdString(fixture.path()), path));
}

void HangingDiskTest::init()
{
    QSettings().clear();
    m_window = std::make_unique<MainWindow>(Theme::light());
    m_window->setCacheUsed(false);
    m_window->resize(1300, 900);
    m_window->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
}

void HangingDiskTest::cleanup()
{
    if (!shim<int (*)()>("shimHanging"))
        return;
    hang("");
    m_window.reset();
    QTRY_COMPARE(hanging(), 0);
}

void HangingDiskTest::cancelGivesTheWindowBack_data()
{
    QTest::addColumn<int>("after");
    for (const int after : {0, 1, 2, 3, 4, 5, 10, 20}) // locks are among the first
        QTest::addRow("from read %d on", after) << after;
}

void HangingDiskTest::cancelGivesTheWindowBack()
{
    QFETCH(const int, after);
    const DesktopSession desktop(*m_window); // it watches the file
    hang("/away/", after);
    QSignalSpy failed(m_window.get(), &MainWindow::openFailed);
    const Turns turns;
    m_window->open(away());
    QTRY_VERIFY(hanging() > 0 || m_window->isSettled());
    if (m_window->isSettled()) {
        QVERIFY(after > 5);
        QSKIP("the report is read by then");
    }
    QTest::qWait(100);
    QVERIFY(m_window->reports().isLoading());
    QVERIFY(cancelButton().isVisible());
    cancelButton().click();
    QTRY_COMPARE(failed.count(), 1);
    QVERIFY2(failed.first().first().toString().contains("loading was cancelled"),
        qPrintable(failed.first().first().toString()));
    QVERIFY(!m_window->reports().isLoading());
    QVERIFY(m_window->session().isEmpty());
    m_window->open(here()); // and another one opens
    SETTLE(*m_window);
    QCOMPARE(m_window->session().workspace().reports().size(), 1U);
    QVERIFY(hanging() > 0);
    QVERIFY2(turns.longest() < turnMs, qPrintable(QString::number(turns.longest())));
    hang("");
    QTRY_COMPARE(hanging(), 0);
    QTest::qWait(200); // what comes late changes nothing
    QCOMPARE(m_window->windowTitle(), QString("here.sqlite \u2014 Warpline"));
}

void HangingDiskTest::manyThatHangKeepNoOtherFromOpening()
{
    hang("/away/", 3);
    for (int i = 0; i < 6; ++i) {
        m_window->openAll({away(), away("other.sqlite"), away("third.sqlite")});
        QTRY_VERIFY(hanging() > i);
    }
    m_window->open(here());
    SETTLE(*m_window);
    QCOMPARE(m_window->windowTitle(), QString("here.sqlite \u2014 Warpline"));
    m_window->closeReport();
    QVERIFY(hanging() > 5);
}

/// As many as are read side by side, and nobody cancels them.
void HangingDiskTest::anotherOpensBesideThoseThatHang()
{
    m_window->open(here());
    SETTLE(*m_window);
    const int most = std::max(2, static_cast<int>(processors()));
    QStringList names;
    for (int i = 0; i < most; ++i) {
        names << away("many%1.sqlite").arg(i);
        QVERIFY(QFile::copy(here(), names.back()));
    }
    connect(
        &m_window->reports(), &ReportList::reading, this, [] { hang("/away/"); }); // they are found by then
    m_window->add(names);
    QTRY_COMPARE(hanging(), most);
    m_window->add({m_folder.filePath("near.sqlite")});
    QTRY_COMPARE_WITH_TIMEOUT(m_window->session().workspace().reports().size(), 2U, 30'000);
    QVERIFY(m_window->reports().isLoading());
    cancelButton().click();
    SETTLE(*m_window);
}

/// The cache only makes it faster.
void HangingDiskTest::aCacheThatHangsIsDoneWithout()
{
    const QByteArray before = qgetenv("XDG_CACHE_HOME");
    qputenv("XDG_CACHE_HOME", m_folder.filePath("cached").toUtf8());
    QVERIFY(QDir(m_folder.path()).mkpath("cached/warpline/traces"));
    m_window->setCacheUsed(true);
    hang("/cached/");
    const Turns turns;
    m_window->open(here());
    QTRY_VERIFY(hanging() > 0);
    SETTLE(*m_window);
    QCOMPARE(m_window->session().workspace().reports().size(), 1U);
    const PreferencesDialog dialog; // shows the size of the cache
    QVERIFY2(turns.longest() < turnMs, qPrintable(QString::number(turns.longest())));
    before.isNull() ? qunsetenv("XDG_CACHE_HOME") : qputenv("XDG_CACHE_HOME", before);
}

void HangingDiskTest::theOthersOfSeveralOpen()
{
    hang("/away/", 3);
    const Turns turns;
    m_window->openAll({here(), away()});
    QTRY_VERIFY(hanging() > 0);
    QTRY_COMPARE(m_window->session().workspace().reports().size(), 1U); // the one that is there is shown
    QTRY_VERIFY(m_window->session().workspace().isComplete()); // else Cancel ends its reading, too
    cancelButton().click();
    QTRY_VERIFY(!m_window->reports().isLoading());
    SETTLE(*m_window);
    QCOMPARE(m_window->session().workspace().reports().front().label, std::string("here.sqlite"));
    QVERIFY2(turns.longest() < turnMs, qPrintable(QString::number(turns.longest())));
}

void HangingDiskTest::aComparisonIsCancelled()
{
    m_window->open(here());
    SETTLE(*m_window);
    for (const int after : {0, 3}) {
        hang("/away/", after);
        const Turns turns;
        m_window->compareWith({away()});
        QTRY_VERIFY(hanging() > 0);
        QTest::qWait(100);
        QVERIFY(cancelButton().isVisible());
        cancelButton().click();
        QTRY_VERIFY(!m_window->otherReports().isLoading());
        QTRY_VERIFY(!cancelButton().isVisible());
        SETTLE(*m_window);
        QVERIFY(!m_window->session().pair().isOn());
        QVERIFY2(turns.longest() < turnMs, qPrintable(QString::number(turns.longest())));
        hang("");
        QTRY_COMPARE(hanging(), 0);
    }
    m_window->compareWith({away()}); // the disk is back
    SETTLE(*m_window);
    QVERIFY(m_window->session().pair().isOn());
}

/// B is there before A is found. So a window comes back that compared.
void HangingDiskTest::aSlowDiskEndsNoComparison()
{
    hang("/away/");
    m_window->compare(QStringList{away()}, QStringList{here()});
    QTRY_VERIFY(hanging() > 0);
    QTRY_VERIFY(m_window->session().pair().isOn());
    QVERIFY(m_window->session().isEmpty());
    hang("");
    QTRY_VERIFY(!m_window->session().isEmpty());
    SETTLE(*m_window);
    QVERIFY(m_window->session().pair().isOn());
    QCOMPARE(m_window->windowTitle(), QString("away.sqlite against here.sqlite \u2014 Warpline"));
    // One that is opened alone ends it, as always.
    hang("/away/");
    m_window->open(away("other.sqlite"));
    QTRY_VERIFY(hanging() > 0);
    QVERIFY(m_window->session().pair().isOn());
    hang("");
    QTRY_VERIFY(!m_window->session().pair().isOn());
    SETTLE(*m_window);
    QCOMPARE(m_window->windowTitle(), QString("other.sqlite \u2014 Warpline"));
}

/// Its A is found late, and its B never: A is not compared with the B before.
void HangingDiskTest::anotherPairLeavesTheOneBefore()
{
    m_window->compare(QStringList{here()}, QStringList{m_folder.filePath("near.sqlite")});
    SETTLE(*m_window);
    QVERIFY(m_window->session().pair().isOn());
    hang("/away/");
    m_window->compare(QStringList{away()}, QStringList{m_folder.filePath("none.sqlite")});
    QTRY_VERIFY(hanging() > 0);
    QTRY_VERIFY(!m_window->otherReports().isLoading());
    hang("");
    SETTLE(*m_window);
    QVERIFY(!m_window->session().pair().isOn());
    QCOMPARE(m_window->windowTitle(), QString("away.sqlite \u2014 Warpline"));
}

/// It is not compared with what is open.
void HangingDiskTest::bWaitsForAnAThatIsLookedFor()
{
    m_window->open(here());
    SETTLE(*m_window);
    const QString near = m_folder.filePath("near.sqlite");
    const RunPair& pair = m_window->session().pair();
    {
        const DesktopSession desktop(*m_window);
        hang("/away/");
        m_window->compare(away(), near);
        QTRY_VERIFY(hanging() > 0);
        QTRY_VERIFY(!m_window->otherReports().isLoading());
        QVERIFY(m_window->reports().isLoading() && !pair.isOn());
        QVERIFY(desktop.view().compared.isEmpty());
        cancelButton().click();
        SETTLE(*m_window);
        QVERIFY(!pair.isOn() && m_window->otherReports().isEmpty());
        QCOMPARE(m_window->windowTitle(), QString("here.sqlite \u2014 Warpline"));
        hang("");
        QTRY_COMPARE(hanging(), 0);
    }
    // A view of the open report means that report.
    const QString view = away("pair.warpline");
    saveFilteredView(view);
    hang("/away/");
    m_window->compare(view, near);
    QTRY_VERIFY(hanging() > 0);
    QTRY_VERIFY(!m_window->otherReports().isLoading());
    QVERIFY(!pair.isOn());
    hang("");
    SETTLE(*m_window);
    QVERIFY(pair.isOn());
    QCOMPARE(m_window->windowTitle(), QString("here.sqlite against near.sqlite \u2014 Warpline"));
}

void HangingDiskTest::questionsAreStopped()
{
    m_window->open(away());
    SETTLE(*m_window);
    m_window->docks().showPanel("sql");
    auto& sql = m_window->panel<SqlPanel>();
    QTRY_VERIFY(sql.names().topLevelItemCount() > 0);
    SETTLE(*m_window);
    hang("/away/");
    const Turns turns;
    for (int i = 0; i < 6; ++i) { // more than there are threads
        sql.editor().setPlainText("SELECT 1");
        sql.ask();
        QTRY_VERIFY(hanging() > i);
        sql.stop();
        QCOMPARE(sql.state(), QString("Stopped."));
    }
    m_window->docks().showPanel("events"); // what needs no disk goes on
    m_window->timeline().view().setFocus();
    SETTLE(*m_window);
    m_window->open(here());
    SETTLE(*m_window);
    sql.editor().setPlainText("SELECT 2");
    m_window->docks().showPanel("sql");
    QTRY_VERIFY(sql.names().topLevelItemCount() > 0);
    sql.ask();
    QTRY_COMPARE(sql.state(), QString("1 row"));
    QVERIFY2(turns.longest() < turnMs, qPrintable(QString::number(turns.longest())));
}

void HangingDiskTest::aWatchedFileHoldsNothing()
{
    FileWatch watch;
    QSignalSpy changed(&watch, &FileWatch::changed);
    hang("/away/");
    const Turns turns;
    watch.watch({away()});
    watch.lookSoon();
    QTest::qWait(1200);
    QVERIFY(hanging() > 0);
    QVERIFY2(turns.longest() < turnMs, qPrintable(QString::number(turns.longest())));
    hang("");
    QTest::qWait(2500);
    QCOMPARE(changed.count(), 0); // what it holds when the disk answers is known
    QFile file(away());
    QVERIFY(file.open(QIODevice::Append));
    file.write("more");
    file.close();
    watch.lookSoon();
    QTRY_COMPARE(changed.count(), 1);
}

void HangingDiskTest::saysThatTheDiskIsSilent()
{
    hang("/away/", 3);
    m_window->open(away("other.sqlite"));
    QTRY_VERIFY(hanging() > 0);
    QTRY_VERIFY_WITH_TIMEOUT(status().startsWith("The disk has not answered for 1"), 20'000);
    QVERIFY2(status().endsWith("s: other.sqlite. Cancel, or wait."), qPrintable(status()));
    hang(""); // it answers: the report opens after all
    SETTLE(*m_window);
    QTRY_VERIFY(!status().contains("has not answered"));
    QVERIFY(!slowestFile().isSilent());
}

void HangingDiskTest::abandonedReadsAreSilent()
{
    hang("/away/", 3);
    m_window->open(away("other.sqlite"));
    QTRY_VERIFY(hanging() > 0);
    QTRY_VERIFY_WITH_TIMEOUT(status().startsWith("The disk has not answered for 1"), 20'000);
    cancelButton().click();
    QTRY_VERIFY(status().isEmpty());
    m_window->open(here());
    SETTLE(*m_window);
    m_window->findChild<QLabel*>("status")->setText("another text");
    QTest::qWait(2500);
    QCOMPARE(status(), QString("another text"));
    QVERIFY(slowestFile().isSilent());
}

void HangingDiskTest::aSlowDiskIsWaitedFor()
{
    const QString view = away("elsewhere.warpline");
    m_window->open(away());
    SETTLE(*m_window);
    saveFilteredView(view);
    hang("/elsewhere");
    QSignalSpy failed(&m_window->views(), &ViewFiles::failed);
    const Turns turns;
    m_window->openAll({away()}, view);
    QTRY_VERIFY(hanging() > 0);
    QTest::qWait(700); // longer than a moment
    QVERIFY(!m_window->isSettled());
    hang("");
    SETTLE(*m_window);
    QCOMPARE(failed.count(), 0);
    QCOMPARE(m_window->session().selection().filter().text, std::string("kernel"));
    hang("/away/");
    m_window->open(away("other.sqlite"));
    QTRY_VERIFY(hanging() > 0);
    QTest::qWait(700);
    hang("");
    SETTLE(*m_window);
    QCOMPARE(m_window->windowTitle(), QString("other.sqlite \u2014 Warpline"));
    QVERIFY2(turns.longest() < turnMs, qPrintable(QString::number(turns.longest())));
}

/// One of a newer Warpline, opened while the view of the report is read.
void HangingDiskTest::aRefusedViewLeavesTheirOwn()
{
    const QString view = away("elsewhere.warpline");
    const QTemporaryDir folder;
    QFile newer(folder.filePath("newer.warpline"));
    QVERIFY(newer.open(QIODevice::WriteOnly) && newer.write(R"({"warpline_view": 7})") > 0);
    newer.close();
    m_window->open(away());
    SETTLE(*m_window);
    saveFilteredView(view);
    hang("/elsewhere");
    QSignalSpy failed(&m_window->views(), &ViewFiles::failed);
    m_window->openAll({away()}, view);
    QTRY_VERIFY(m_window->views().isBusy() && hanging() > 0);
    m_window->open(newer.fileName());
    QTRY_COMPARE(failed.count(), 1);
    QVERIFY(m_window->views().isBusy());
    hang("");
    SETTLE(*m_window);
    QCOMPARE(failed.count(), 1);
    QCOMPARE(m_window->session().selection().filter().text, std::string("kernel"));
    QVERIFY(m_window->views().save() == ViewFiles::Outcome::Written); // known: it was read
}

/// It opens no report.
void HangingDiskTest::runsSwapAfterASummaryWasLookedFor()
{
    QFile summary(away("fleet.json"));
    QVERIFY(summary.open(QIODevice::WriteOnly)
        && summary.write(R"({"$schema": "urn:warpline:schema:ranks"})") > 0);
    summary.close();
    m_window->compare(here(), m_folder.filePath("near.sqlite"));
    QTRY_VERIFY(m_window->session().pair().isOn());
    SETTLE(*m_window);
    const QAction& swap = *m_window->actions().find("file.swap");
    QTRY_VERIFY(swap.isEnabled());
    hang("/away/");
    QSignalSpy failed(m_window.get(), &MainWindow::openFailed); // it has no ranks
    m_window->open(summary.fileName());
    QTRY_VERIFY(hanging() > 0);
    QTRY_VERIFY(!swap.isEnabled());
    hang("");
    QTRY_COMPARE(failed.count(), 1);
    QTRY_VERIFY(swap.isEnabled());
}

void HangingDiskTest::aReloadReadsTheViewThatWasBeingRead()
{
    const QString view = away("away.warpline");
    const auto isGone = qScopeGuard([&view] { QFile::remove(view); });
    m_window->open(away());
    SETTLE(*m_window);
    saveFilteredView(view);
    hang("/away.warpline");
    m_window->open(away());
    QTRY_VERIFY(m_window->views().isBusy() && hanging() > 0);
    const auto old = m_window->session().sharedTrace();
    m_window->reopen();
    QTRY_VERIFY(m_window->session().sharedTrace() != old && m_window->views().isBusy());
    hang("");
    SETTLE(*m_window);
    QCOMPARE(m_window->session().selection().filter().text, std::string("kernel"));
    QVERIFY(m_window->views().save() == ViewFiles::Outcome::Written); // known: it was read
}

void HangingDiskTest::whatIsAddedAndReplacedIsNamed()
{
    m_window->open(here());
    SETTLE(*m_window);
    QSignalSpy failed(m_window.get(), &MainWindow::openFailed);
    hang("/away/");
    m_window->add({away()});
    QTRY_VERIFY(hanging() > 0);
    m_window->add({m_folder.filePath("near.sqlite")});
    SETTLE(*m_window);
    QCOMPARE(m_window->session().workspace().reports().size(), 2U);
    QCOMPARE(failed.count(), 1);
    QVERIFY2(failed.first().first().toString().contains("away.sqlite: loading was cancelled"),
        qPrintable(failed.first().first().toString()));
    m_window->add({away()});
    QVERIFY(m_window->reports().isLoading());
    m_window->reopen(); // what still waits does not come later
    SETTLE(*m_window);
    QCOMPARE(failed.count(), 2);
    hang("");
    QTRY_COMPARE(hanging(), 0);
    QTest::qWait(200);
    SETTLE(*m_window);
    QCOMPARE(m_window->session().workspace().reports().size(), 2U);
}

void HangingDiskTest::watchesThatHangHoldNothing()
{
    std::vector<std::unique_ptr<FileWatch>> watches;
    hang("/away/");
    for (int i = 0; i < 8; ++i) {
        watches.push_back(std::make_unique<FileWatch>());
        watches.back()->watch({away()});
    }
    QTRY_VERIFY(hanging() >= 16); // the first look and the next
    const QString near = m_folder.filePath("near.sqlite");
    FileWatch& last = *watches.back();
    QSignalSpy changed(&last, &FileWatch::changed);
    last.watch({near});
    last.keep({near});
    QFile file(near);
    QVERIFY(file.open(QIODevice::Append));
    file.write("more");
    file.close();
    QTRY_COMPARE(changed.count(), 1);
}

void HangingDiskTest::whatIsWrittenHoldsNothing_data()
{
    QTest::addColumn<int>("after");
    QTest::addColumn<QString>("panel");
    QTest::addColumn<Writing>("write");
    const std::vector<std::pair<const char*, Writing>> all{
        {"view", [](MainWindow& window, const QString& path) { window.views().saveAs(path + ".warpline"); }},
        {"set",
            [](MainWindow& window, const QString& path) {
                window.reports().save(path + ".warpline", [](const QString&) {});
            }},
        {"picture", [](MainWindow& window, const QString& path) { window.writePicture(path + ".png"); }},
        {"events",
            [](MainWindow& window, const QString& path) {
                window.panel<EventsPanel>().exportCsv(path + ".csv");
            }},
        {"findings",
            [](MainWindow& window, const QString& path) {
                window.panel<FindingsPanel>().exportTo(path + ".md");
            }},
        {"tables",
            [](MainWindow& window, const QString& path) {
                window.panel<TablesPanel>().exporting().write(path + ".csv");
            }},
        {"marks",
            [](MainWindow& window, const QString& path) {
                window.panel<MarksPanel>().exportReport({}, path + ".html");
            }},
        {"trace",
            [](MainWindow& window, const QString& path) {
                window.findChild<PartExport*>()->writeTrace({}, path + ".json");
            }},
        {"part", [](MainWindow& window, const QString& path) {
             window.findChild<PartExport*>()->writeCut({}, path + ".sqlite");
         }}};
    for (const auto& [name, write] : all) {
        for (const int after : {0, 2}) // as it is made, or before it gets its name
            QTest::addRow("%s, from call %d on", name, after) << after << QString(name) << write;
    }
}

void HangingDiskTest::whatIsWrittenHoldsNothing()
{
    QFETCH(const int, after);
    QFETCH(const QString, panel);
    QFETCH(const Writing, write);
    m_window->open(here());
    SETTLE(*m_window);
    if (findPanel(panel))
        m_window->docks().showPanel(panel);
    SETTLE(*m_window);
    QDir folder(m_folder.filePath("out"));
    QVERIFY(folder.mkpath("."));
    const auto files = [&] {
        folder.refresh();
        return folder.entryList(QDir::Files).filter(QRegularExpression("^file\\.[a-z]+$"));
    };
    hang("/out/", after);
    const Turns turns;
    write(*m_window, folder.filePath("file"));
    QTRY_VERIFY(hanging() > 0);
    m_window->docks().showPanel("sql"); // what needs no such disk goes on
    m_window->open(m_folder.filePath("near.sqlite"));
    SETTLE(*m_window);
    QVERIFY(!m_window->close()); // nothing is lost unasked
    QVERIFY(m_window->close()); // but nothing keeps the window
    QVERIFY2(turns.longest() < turnMs, qPrintable(QString::number(turns.longest())));
    m_window.reset();
    QVERIFY(files().isEmpty());
    hang("");
    QTRY_COMPARE(hanging(), 0);
    QTest::qWait(200);
    if (after == 0) // else it was whole, and its renaming was under way
        QVERIFY2(files().isEmpty(), qPrintable(files().join(' ')));
    QVERIFY(folder.removeRecursively());
}

void HangingDiskTest::aSilentWriteIsNamedAndCancelled()
{
    m_window->open(here());
    SETTLE(*m_window);
    QVERIFY(QDir(m_folder.path()).mkpath("silent"));
    const QString path = m_folder.filePath("silent/a.warpline");
    hang("/silent/");
    QVERIFY(m_window->views().saveAs(path) == ViewFiles::Outcome::Later);
    m_window->findChild<PartExport*>()->writeTrace({}, m_folder.filePath("silent/b.json"));
    QTRY_COMPARE(hanging(), 2);
    QTRY_VERIFY_WITH_TIMEOUT(status().startsWith("The disk has not answered for 1"), 20'000);
    QVERIFY2(status().endsWith("s: a.warpline. Cancel, or wait."), qPrintable(status()));
    QVERIFY(cancelButton().isVisible());
    cancelButton().click();
    QTRY_VERIFY(!cancelButton().isVisible());
    QVERIFY(!m_window->findChild<PartExport*>()->isBusy());
    QVERIFY(m_window->views().path() != path);
    hang("");
    QTRY_COMPARE(hanging(), 0);
    QTest::qWait(200);
    QVERIFY(QDir(m_folder.filePath("silent")).isEmpty());
}

void HangingDiskTest::aSlowWriteIsWaitedFor()
{
    m_window->open(here());
    SETTLE(*m_window);
    m_window->session().marks().add({{10, 20}, "mine"});
    const QString view = m_folder.filePath("late/view.warpline");
    QVERIFY(QDir(m_folder.path()).mkpath("late"));
    hang("/late/");
    QVERIFY(m_window->views().saveAs(view) == ViewFiles::Outcome::Later);
    QVERIFY(m_window->session().marks().isChanged());
    QVERIFY(!m_window->close());
    QVERIFY(m_window->isVisible());
    hang("");
    QTRY_VERIFY(!m_window->isVisible()); // closed as wanted
    QVERIFY(QFile::exists(view));
    QVERIFY(!m_window->session().marks().isChanged());
    m_window->show();
    hang("/late/");
    m_window->session().marks().add({{30, 40}, "second"});
    QVERIFY(m_window->views().save() == ViewFiles::Outcome::Later);
    m_window->session().marks().add({{50, 60}, "while it is written"});
    hang("");
    QSignalSpy said(&m_window->views(), &ViewFiles::said);
    QTRY_COMPARE(said.count(), 1);
    QVERIFY(m_window->session().marks().isChanged()); // the third is in no file
    // A save while another one waits follows it: the file is not taken for that of someone else.
    hang("/late/");
    QSignalSpy foreign(&m_window->views(), &ViewFiles::foreignLate);
    QVERIFY(m_window->views().save() == ViewFiles::Outcome::Later);
    m_window->session().marks().add({{70, 80}, "fourth"});
    QVERIFY(m_window->views().save() == ViewFiles::Outcome::Later);
    hang("");
    QTRY_COMPARE(said.count(), 3);
    QCOMPARE(foreign.count(), 0);
    QVERIFY(!m_window->session().marks().isChanged());
    // A file that is not written closes nothing.
    hang("/late/");
    QVERIFY(m_window->views().save() == ViewFiles::Outcome::Later);
    QTimer::singleShot(0, m_window.get(), [this] {
        for (FileWriter* const writer : m_window->findChildren<FileWriter*>())
            writer->cancel();
    });
    QVERIFY(!m_window->closeAndWait());
    QVERIFY(m_window->isVisible());
    hang("");
    QTRY_COMPARE(hanging(), 0);
    // What is written is waited for.
    hang("/late/");
    QVERIFY(m_window->views().save() == ViewFiles::Outcome::Later);
    bool wasShown = false;
    QTimer::singleShot(0, m_window.get(), [this, &wasShown] {
        wasShown = m_window->isVisible();
        hang("");
    });
    QVERIFY(m_window->closeAndWait());
    QVERIFY(wasShown);
    QVERIFY(!m_window->isVisible());
}

WARPLINE_TEST(HangingDiskTest)

} // namespace tst_hanging_disk

#include "tst_hanging_disk.moc"
