// The window while a disk hangs: it answers, cancels, opens other reports, and says what it waits for. Needs
// the shim of tests/fuzz, which CTest preloads.

#include "app/desktop_session.h"
#include "app/file_watch.h"
#include "app/main_window.h"
#include "app/panel_docks.h"
#include "app/view_files.h"
#include "core/base/file_wait.h"
#include "core/base/job_runner.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"
#include "views/models/written_files.h"
#include "views/panels/sql_editor.h"
#include "views/panels/sql_panel.h"
#include "views/session/run_pair.h"
#include "views/timeline/timeline_pane.h"

#include <QLabel>
#include <QPushButton>
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
    void theOthersOfSeveralOpen();
    void aComparisonIsCancelled();
    void questionsAreStopped();
    void aWatchedFileHoldsNothing();
    void saysThatTheDiskIsSilent();
    void abandonedReadsAreSilent();
    void aSlowDiskIsWaitedFor();
    void whatIsAddedAndReplacedIsNamed();
    void watchesThatHangHoldNothing();

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
    for (const int after : {0, 1, 2, 5, 10, 20})
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
    EventFilter filter;
    filter.text = "kernel";
    m_window->session().selection().setFilter(filter);
    QVERIFY(m_window->views().saveAs(view) == ViewFiles::Outcome::Written);
    m_window->session().selection().setFilter({});
    hang("/elsewhere");
    QSignalSpy failed(&m_window->views(), &ViewFiles::failed);
    const Turns turns;
    m_window->views().want(view);
    m_window->open(away());
    QTRY_VERIFY(hanging() > 0);
    QTest::qWait(700); // longer than a moment
    QVERIFY(!m_window->isSettled());
    hang("");
    SETTLE(*m_window);
    QCOMPARE(failed.count(), 0);
    QCOMPARE(m_window->session().selection().filter().text, QString("kernel"));
    hang("/away/");
    m_window->open(away("other.sqlite"));
    QTRY_VERIFY(hanging() > 0);
    QTest::qWait(700);
    hang("");
    SETTLE(*m_window);
    QCOMPARE(m_window->windowTitle(), QString("other.sqlite \u2014 Warpline"));
    QVERIFY2(turns.longest() < turnMs, qPrintable(QString::number(turns.longest())));
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
    m_window->open(here());
    SETTLE(*m_window);
    const Turns turns;
    QVERIFY(!mayWrite(m_window->session(), away(), m_window.get())); // it is not known
    QVERIFY2(turns.longest() < turnMs, qPrintable(QString::number(turns.longest())));
    QVERIFY(mayWrite(m_window->session(), m_folder.filePath("new.html"), m_window.get()));
}

WARPLINE_TEST(HangingDiskTest)

} // namespace tst_hanging_disk

#include "tst_hanging_disk.moc"
