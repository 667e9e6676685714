// The window as one of the desktop: starts that find each other, what the next start begins with, files that
// change.

#include "app/desktop_session.h"
#include "app/main_window.h"
#include "tests/support/report_fixture.h"
#include "views/style/theme.h"

#include <QMessageBox>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <thread>

using namespace warpline;
using namespace warpline::test;

namespace {

void write(const QString& path, const QByteArray& content)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(content);
}

/// What `question` says, asked from another thread as another process would, while this one answers.
template <typename Answer> Answer fromAnotherProcess(const std::function<Answer()>& question)
{
    std::atomic<bool> done = false;
    Answer answer{};
    std::jthread other([&] {
        answer = question();
        done = true;
    });
    while (!done)
        QTest::qWait(5);
    return answer;
}

} // namespace

class DesktopSessionTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void handsReportsOver();
    void handsNothingOverWhenNoneRuns();
    void lastWindowLeavesItsView();
    void closedWindowLeavesNothingToOthers();
    void watchTellsOfAnotherContent();
    void watchTellsOfAReplacedFile();
    void watchIsQuietAboutAFileThatGoesAway();
    void nextStartBeginsWhereTheLastEnded();
    void changedReportIsOfferedAndKeepsTheView();

private:
    ReportFixture m_fixture;
    QTemporaryDir m_folder;
};

void DesktopSessionTest::initTestCase()
{
    QCoreApplication::setOrganizationName("warpline-test");
    QCoreApplication::setApplicationName("tst_desktop_session");
    m_fixture.addSmallReport();
}

void DesktopSessionTest::init()
{
    QSettings().clear();
}

void DesktopSessionTest::handsReportsOver()
{
    RunningWindows window("warpline-test-running");
    QVERIFY(window.listen());
    window.note(LastView{{"/some/report.sqlite"}, {1, 2}});
    QSignalSpy wanted(&window, &RunningWindows::openWanted);
    QVERIFY(fromAnotherProcess<bool>([] {
        return RunningWindows::handOver({QString::fromUtf8("/a/b \u00e4.sqlite"), "/a/100%\n.sqlite"});
    }));
    QTRY_COMPARE(wanted.size(), 1);
    QCOMPARE(wanted.front().front().toStringList(),
        QStringList({QString::fromUtf8("/a/b \u00e4.sqlite"), "/a/100%\n.sqlite"}));
}

void DesktopSessionTest::handsNothingOverWhenNoneRuns()
{
    QVERIFY(!RunningWindows::handOver({"/a.sqlite"}));
    RunningWindows("warpline-test-gone").note(LastView{{"/some/report.sqlite"}, {}});
    QVERIFY(!RunningWindows::handOver({"/a.sqlite"}));
}

void DesktopSessionTest::lastWindowLeavesItsView()
{
    {
        RunningWindows window("warpline-test-last");
        QVERIFY(window.listen());
        window.note(LastView{{"/some/report.sqlite"}, {10, 20}});
        window.leave();
    }
    const QList<LastView> left = RunningWindows::takeLeft();
    QCOMPARE(left.size(), 1);
    QCOMPARE(left.front().paths, QStringList{"/some/report.sqlite"});
    QCOMPARE(left.front().shown, (TimeRange{10, 20}));
    QVERIFY(RunningWindows::takeLeft().isEmpty());
}

void DesktopSessionTest::closedWindowLeavesNothingToOthers()
{
    RunningWindows staying("warpline-test-staying");
    QVERIFY(staying.listen());
    staying.note(LastView{{"/stays.sqlite"}, {}});
    fromAnotherProcess<bool>([] {
        RunningWindows closing("warpline-test-closing");
        closing.listen();
        closing.note(LastView{{"/closed.sqlite"}, {}});
        closing.leave();
        return true;
    });
    const auto left = fromAnotherProcess<QList<LastView>>([] { return RunningWindows::takeLeft(); });
    QVERIFY(left.isEmpty());
}

void DesktopSessionTest::watchTellsOfAnotherContent()
{
    const QString path = m_folder.filePath("watched");
    write(path, "one");
    FileWatch watch;
    watch.watch(path);
    QSignalSpy changed(&watch, &FileWatch::changed);
    write(path, "another");
    QVERIFY(changed.wait());
    QVERIFY(!changed.wait(1500)); // once
    write(path, "and again");
    QVERIFY(changed.wait());
}

void DesktopSessionTest::watchTellsOfAReplacedFile()
{
    const QString path = m_folder.filePath("replaced");
    write(path, "one");
    write(path + ".new", "another");
    FileWatch watch;
    watch.watch(path);
    QSignalSpy changed(&watch, &FileWatch::changed);
    QVERIFY(QFile::remove(path));
    QVERIFY(QFile::rename(path + ".new", path));
    QVERIFY(changed.wait());
}

void DesktopSessionTest::watchIsQuietAboutAFileThatGoesAway()
{
    const QString path = m_folder.filePath("removed");
    write(path, "one");
    FileWatch watch;
    watch.watch(path);
    QSignalSpy changed(&watch, &FileWatch::changed);
    QVERIFY(QFile::remove(path));
    QVERIFY(!changed.wait(1500));
}

void DesktopSessionTest::nextStartBeginsWhereTheLastEnded()
{
    const QString path = QString::fromStdString(m_fixture.path());
    TimeRange part;
    {
        MainWindow window(Theme::light());
        window.setCacheUsed(false);
        DesktopSession desktop(window);
        desktop.restore(); // nothing was left: the start page
        QSignalSpy settled(&window, &MainWindow::settled);
        window.show();
        window.open(path);
        QTRY_VERIFY(!settled.isEmpty());
        const TimeRange whole = window.session().trace().session;
        part = {whole.start + whole.duration() / 4, whole.start + whole.duration() / 2};
        window.session().show(part);
    }
    MainWindow window(Theme::light());
    window.setCacheUsed(false);
    DesktopSession desktop(window);
    window.show();
    desktop.restore();
    QTRY_COMPARE(window.session().trace().info.path, path.toStdString());
    QTRY_COMPARE(window.session().shown(), part);
}

void DesktopSessionTest::changedReportIsOfferedAndKeepsTheView()
{
    const QString path = m_folder.filePath("changing.sqlite");
    QVERIFY(QFile::copy(QString::fromStdString(m_fixture.path()), path));
    MainWindow window(Theme::light());
    window.setCacheUsed(false);
    DesktopSession desktop(window);
    QSignalSpy settled(&window, &MainWindow::settled);
    window.show();
    window.open(path);
    QTRY_VERIFY(!settled.isEmpty());
    const TimeRange whole = window.session().trace().session;
    const TimeRange part{whole.start + whole.duration() / 4, whole.start + whole.duration() / 2};
    window.session().show(part);
    QFile file(path);
    QVERIFY(file.open(QIODevice::Append));
    file.write(QByteArray(4096, '\0')); // SQLite reads no further than its header says
    file.close();
    QTRY_VERIFY(desktop.question());
    QCOMPARE(window.session().shown(), part); // nothing happens before the user says so
    settled.clear();
    desktop.question()->buttons().front()->click();
    QTRY_VERIFY(!settled.isEmpty());
    QTRY_COMPARE(window.session().shown(), part);
    QVERIFY(!desktop.question());
}

QTEST_MAIN(DesktopSessionTest)
#include "tst_desktop_session.moc"
