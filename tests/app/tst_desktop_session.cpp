// The window on the desktop: starts that find each other, restored reports, changed files.

#include "app/desktop_session.h"
#include "app/kept_settings.h"
#include "app/main_window.h"
#include "app/panel_docks.h"
#include "app/report_list.h"
#include "app/view_files.h"
#include "app/window_actions.h"
#include "core/store/trace.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"
#include "views/session/marks.h"
#include "views/session/result_rows.h"
#include "views/session/run_pair.h"
#include "views/style/theme.h"
#include "views/timeline/row_filter.h"
#include "views/timeline/timeline_pane.h"

#include <QAction>
#include <QDir>
#include <QDockWidget>
#include <QElapsedTimer>
#include <QFileOpenEvent>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <cmath>
#include <optional>
#include <thread>

namespace tst_desktop_session {

using namespace warpline;
using namespace warpline::test;

namespace {

void write(const QString& path, const QByteArray& content)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(content);
}

/// Changes the file, not the report: SQLite reads no further than its header says.
void append(const QString& path)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::Append));
    file.write(QByteArray(4096, '\0'));
}

/// The paths that windows have noted.
QList<QStringList> notes()
{
    QList<QStringList> all;
    QSettings settings;
    settings.beginGroup("windows");
    for (const QString& name : settings.childGroups())
        all << settings.value(name + "/paths").toStringList();
    return all;
}

QString nameOfOnlyNote()
{
    QSettings settings;
    settings.beginGroup("windows");
    return settings.childGroups().value(0);
}

/// A watched file, with its signals.
struct Watched {
    explicit Watched(const QString& path)
        : changed(&watch, &FileWatch::changed)
    {
        watch.watch({path});
    }

    FileWatch watch;
    QSignalSpy changed;
};

TimeRange middleOf(const Session& session)
{
    const TimeRange whole = session.session();
    return {whole.start + whole.duration() / 4, whole.start + whole.duration() / 2};
}

/// A window as the program makes one.
struct Desk {
    Desk()
        : window(Theme::light()),
          desktop(window),
          settled(&window, &MainWindow::settled)
    {
        window.setCacheUsed(false);
        window.show();
    }
    void open(const QStringList& paths)
    {
        settled.clear();
        window.openAll(paths);
        settle();
    }
    void settle() { QTRY_VERIFY_WITH_TIMEOUT(!settled.isEmpty() && window.isSettled(), 30'000); }
    /// Accepts the offer to reload.
    void openAnew()
    {
        QTRY_VERIFY_WITH_TIMEOUT(desktop.question(), 10'000);
        settled.clear();
        desktop.question()->buttons().front()->click();
        settle();
    }
    /// Swaps A and B; `a` is A then.
    void swap(const QString& a)
    {
        window.swapCompared();
        QTRY_COMPARE_WITH_TIMEOUT(session().trace().info.path, a.toStdString(), 30'000);
        QTRY_VERIFY_WITH_TIMEOUT(session().pair().isOn() && window.isSettled(), 30'000);
    }
    Session& session() { return window.session(); }

    MainWindow window;
    DesktopSession desktop;
    QSignalSpy settled;
};

/// The result of `question`, called from another thread, like another process, while this one answers.
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
    void opensAFileOfTheDesktop();
    void handedReportsWaitForADialog();
    void handsNothingOverWhenNoneRuns();
    void handsOverToAWindowWithoutAReport();
    void lastWindowLeavesItsView();
    void whatWasLeftBeforeIsOverWithTheLastWindow();
    void notesOfOtherMachinesAreTheirs();
    void aBusyWindowRuns();
    void whatABusyWindowMissedIsNotOpenedTwice();
    void notesOfMissingReportsStay();
    void whatEndedWhileItWasRestoredIsNotTriedAgain();
    void socketsOfCrashedWindowsAreRemoved();
    void closedWindowLeavesNothingToOthers();
    void watchTellsOfAnotherContent();
    void watchTellsOfAReplacedFile();
    void watchIsQuietAboutAFileThatGoesAway();
    void watchTellsOfAFolderThatIsMadeAnew();
    void watchTellsOfAFileInABusyFolder();
    void watchHoldsSeveralFilesApart();
    void sameContentIsNoChange();
    void watchLooksWhenAsked();
    void nextStartBeginsWhereTheLastEnded();
    void nextStartKeepsWhatIsShownBeforeItSettles();
    void nextStartKeepsWhatTheUserSaidOfReports();
    void nextStartKeepsWhatTheUserSaidOfBothRuns();
    void furtherWindowsWaitForStartsOfTheirOwn();
    void whatIsBeingOpenedIsTakenOver();
    void whatIsOpenedDuringASwapHasItsOwnView();
    void aSwapIsTakenOver();
    void theNamedViewOfBIsTakenOver();
    void reloadingKeepsWhatTheUserChangedOfTheViewOfB();
    void theEndBringsBackBothOpenReports();
    void nextStartWithoutBOpensBoth();
    void aSwapKeepsWatchingItsFiles();
    void theNamedViewIsTakenOver();
    void whatWasClosedIsNotOpenedBesideAnother();
    void missingReportOfSeveralIsSaidAndKept();
    void heightsAreAsTheyWereLeft();
    void rangeIsOfItsReportsAlone();
    void nextStartComparesAgain();
    void nextStartComparesRangesAgain();
    void changedReportIsOfferedAndKeepsTheView();
    void keptReportSaysSoAndIsReloadedFromTheMenu();
    void changedReportKeepsAllOfTheView();
    void reloadingShowsAllWhereTheRangeBecameIdle();
    void changedReportsKeepWhatTheUserSaidOfThem();
    void changedOtherRunIsOfferedAndComparedAgain();
    void changeWhileLoadingIsNoticed();
    void recordingIsWatchedAsItWasOpened();
    void aReloadThatFailsLeavesTheView();
    void activatedWindowLooks();
    void settingsThatCannotBeWrittenAreTold();
    void halfSettingsGiveWayToTheLastWholeOnes();

private:
    /// A program at `path` that exports the fixture, and a cache of its own.
    void useNsys(const QString& path)
    {
        write(path,
            QString("#!/bin/sh\nwhile [ $# -gt 0 ]; do [ \"$1\" = --output ] && out=\"$2\"; shift; done\n"
                    "[ -z \"$out\" ] || cp '%1' \"$out\"\n")
                .arg(QString::fromStdString(m_fixture.path()))
                .toUtf8());
        QVERIFY(QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
        QSettings().setValue("nsysProgram", path);
        qputenv("XDG_CACHE_HOME", m_folder.filePath("cache").toLocal8Bit());
    }

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
    window.note({{"/some/report.sqlite"}, {1, 2}, {}, {}, {}});
    QSignalSpy wanted(&window, &RunningWindows::openWanted);
    QVERIFY(fromAnotherProcess<bool>([] {
        return RunningWindows::handOver(
            {QString::fromUtf8("/a/b \u00e4.sqlite"), "/a/100%\n=.sqlite"}, "token of = the desktop");
    }));
    QTRY_COMPARE(wanted.size(), 1);
    QCOMPARE(wanted.front().front().toStringList(),
        QStringList({QString::fromUtf8("/a/b \u00e4.sqlite"), "/a/100%\n=.sqlite"}));
    QCOMPARE(wanted.front().back().toByteArray(), QByteArray("token of = the desktop"));
}

void DesktopSessionTest::handsNothingOverWhenNoneRuns()
{
    QVERIFY(!RunningWindows::handOver({"/a.sqlite"}));
    RunningWindows("gone").note({{"/some/report.sqlite"}, {}, {}, {}, {}});
    QVERIFY(!RunningWindows::handOver({"/a.sqlite"}));
}

void DesktopSessionTest::handsOverToAWindowWithoutAReport()
{
    Desk desk; // the start page
    const QString path = QString::fromStdString(m_fixture.path());
    QVERIFY(fromAnotherProcess<bool>([&] { return RunningWindows::handOver({path}); }));
    desk.settle();
    QCOMPARE(desk.session().trace().info.path, m_fixture.path());
    desk.window.closeReport();
    QVERIFY(fromAnotherProcess<bool>([] { return RunningWindows::handOver({}); }));
}

void DesktopSessionTest::opensAFileOfTheDesktop()
{
    Desk desk;
    QFileOpenEvent event(QString::fromStdString(m_fixture.path()));
    QVERIFY(QCoreApplication::sendEvent(qApp, &event));
    desk.settle();
    QCOMPARE(desk.session().trace().info.path, m_fixture.path());
}

/// A dialog is about the reports that were open when it opened.
void DesktopSessionTest::handedReportsWaitForADialog()
{
    Desk desk;
    QMessageBox dialog(&desk.window);
    dialog.open();
    QFileOpenEvent event(QString::fromStdString(m_fixture.path()));
    QVERIFY(QCoreApplication::sendEvent(qApp, &event));
    QTest::qWait(300);
    QVERIFY(desk.session().isEmpty() && !desk.window.reports().isLoading());
    QVERIFY(fromAnotherProcess<bool>([] { return RunningWindows::handOver({}); })); // brings it to the front
    dialog.close();
    QTRY_VERIFY(!desk.session().isEmpty());
    desk.settle();
    QCOMPARE(desk.session().trace().info.path, m_fixture.path());
}

void DesktopSessionTest::lastWindowLeavesItsView()
{
    const QString path = QString::fromStdString(m_fixture.path());
    const LastView shown{{path}, {10, 20}, {"/b.sqlite"}, {1, 2}, {3, 4}};
    {
        RunningWindows window("last");
        QVERIFY(window.listen());
        window.note(shown);
        window.leave();
    }
    RunningWindows next("next");
    QCOMPARE(next.takeLeft(), QList{shown});
    QVERIFY(next.takeLeft().isEmpty());
}

void DesktopSessionTest::closedWindowLeavesNothingToOthers()
{
    const QString path = QString::fromStdString(m_fixture.path());
    RunningWindows staying("staying");
    QVERIFY(staying.listen());
    staying.note({{path}, {}, {}, {}, {}});
    fromAnotherProcess<bool>([&] {
        RunningWindows closing("closing");
        closing.listen();
        closing.note({{path}, {}, {}, {}, {}});
        closing.leave();
        return true;
    });
    QCOMPARE(notes().size(), 1);
    const auto left = fromAnotherProcess<QList<LastView>>([] { return RunningWindows("next").takeLeft(); });
    QVERIFY(left.isEmpty());
}

void DesktopSessionTest::whatWasLeftBeforeIsOverWithTheLastWindow()
{
    RunningWindows("crashed").note({{"/crashed.sqlite"}, {}, {}, {}, {}});
    for (const char* const path : {"/a.sqlite", "/b.sqlite"}) {
        RunningWindows window(path + 1);
        QVERIFY(window.listen());
        window.note({{path}, {}, {}, {}, {}});
        window.leave();
    }
    QCOMPARE(notes(), QList<QStringList>{QStringList{"/b.sqlite"}});
    RunningWindows empty("empty"); // it shows the start page, and so does the next
    empty.note({});
    empty.leave();
    QVERIFY(notes().isEmpty());
}

void DesktopSessionTest::notesOfOtherMachinesAreTheirs()
{
    QSettings().setValue("windows/warpline-0123456789ab-7/paths", QString::fromStdString(m_fixture.path()));
    RunningWindows window("here");
    QVERIFY(window.takeLeft().isEmpty());
    window.leave();
    QCOMPARE(notes().size(), 1);
}

void DesktopSessionTest::aBusyWindowRuns()
{
    RunningWindows busy("busy");
    QVERIFY(busy.listen());
    busy.note({{QString::fromStdString(m_fixture.path())}, {}, {}, {}, {}});
    QElapsedTimer time;
    time.start();
    QVERIFY(RunningWindows("next").takeLeft().isEmpty()); // on the thread that would have to answer
    QVERIFY(time.elapsed() < 1000);
}

void DesktopSessionTest::whatABusyWindowMissedIsNotOpenedTwice()
{
    RunningWindows busy("busy");
    QVERIFY(busy.listen());
    busy.note({});
    QSignalSpy wanted(&busy, &RunningWindows::openWanted);
    QVERIFY(!RunningWindows::handOver({"/a.sqlite"})); // it opens a window of its own
    QTest::qWait(300);
    QVERIFY(wanted.isEmpty());
}

void DesktopSessionTest::notesOfMissingReportsStay()
{
    const QString path = m_folder.filePath("on-a-disk.sqlite");
    RunningWindows("crashed").note({{path}, {}, {}, {}, {}});
    RunningWindows next("next");
    QVERIFY(next.takeLeft().isEmpty());
    write(path, "here again");
    QCOMPARE(next.takeLeft().size(), 1);
    QVERIFY(notes().isEmpty());
}

void DesktopSessionTest::whatEndedWhileItWasRestoredIsNotTriedAgain()
{
    const QString path = QString::fromStdString(m_fixture.path());
    const LastView view{{path}, {1000, 2000}, {}, {}, {}};
    RunningWindows("last").note(view);
    const auto isOpening
        = [] { return QSettings().value("windows/" + nameOfOnlyNote() + "/opening").toBool(); };
    {
        Desk desk;
        desk.desktop.restore();
        QVERIFY(isOpening());
    }
    QVERIFY(!isOpening()); // it was closed, which is the user's doing
    QCOMPARE(RunningWindows("next").takeLeft(), QList<LastView>{view});
    LastView killed = view;
    killed.isOpening = true;
    RunningWindows("killed").note(killed);
    QVERIFY(RunningWindows("next").takeLeft().isEmpty());
    QVERIFY(notes().isEmpty());
    Desk desk;
    desk.open({path});
    QVERIFY(!isOpening());
}

void DesktopSessionTest::socketsOfCrashedWindowsAreRemoved()
{
    RunningWindows("crashed").note({});
    const QString socket
        = QDir(QStandardPaths::writableLocation(QStandardPaths::RuntimeLocation)).filePath(nameOfOnlyNote());
    write(socket, "");
    QVERIFY(RunningWindows("next").takeLeft().isEmpty());
    QVERIFY(!QFile::exists(socket));
    QVERIFY(notes().isEmpty());
}

void DesktopSessionTest::watchTellsOfAnotherContent()
{
    const QString path = m_folder.filePath("watched");
    write(path, "one");
    Watched watched(path);
    write(path, "another");
    QVERIFY(watched.changed.wait());
    QVERIFY(!watched.changed.wait(1500)); // once
    write(path, "and again");
    QVERIFY(watched.changed.wait());
}

void DesktopSessionTest::watchTellsOfAReplacedFile()
{
    const QString path = m_folder.filePath("replaced");
    write(path, "one");
    write(path + ".new", "another");
    Watched watched(path);
    QVERIFY(QFile::remove(path));
    QVERIFY(QFile::rename(path + ".new", path));
    QVERIFY(watched.changed.wait());
}

void DesktopSessionTest::watchIsQuietAboutAFileThatGoesAway()
{
    const QString path = m_folder.filePath("removed");
    write(path, "one");
    Watched watched(path);
    QVERIFY(QFile::remove(path));
    QVERIFY(!watched.changed.wait(1500));
}

void DesktopSessionTest::watchTellsOfAFolderThatIsMadeAnew()
{
    const QString folder = m_folder.filePath("out");
    QVERIFY(QDir().mkpath(folder));
    write(folder + "/r", "one");
    Watched watched(folder + "/r");
    QVERIFY(QDir(folder).removeRecursively());
    QVERIFY(!watched.changed.wait(2000)); // a recording takes its time
    QVERIFY(QDir().mkpath(folder));
    QVERIFY(!watched.changed.wait(1500));
    write(folder + "/r", "another");
    QVERIFY(watched.changed.wait());
}

void DesktopSessionTest::watchTellsOfAFileInABusyFolder()
{
    const QString path = m_folder.filePath("quiet");
    write(path, "one");
    Watched watched(path);
    write(path, "another");
    for (int i = 0; i < 40 && watched.changed.isEmpty(); ++i) {
        write(m_folder.filePath("busy%1").arg(i), "of another program");
        QTest::qWait(100);
    }
    QCOMPARE(watched.changed.size(), 1);
}

void DesktopSessionTest::watchHoldsSeveralFilesApart()
{
    FileWatch watch;
    QSignalSpy changed(&watch, &FileWatch::changed);
    const QString a = m_folder.filePath("rank0");
    const QString b = m_folder.filePath("rank1");
    for (const QString& path : {a, b}) {
        write(path, "one");
        watch.watch({path});
    }
    write(b, "another");
    QVERIFY(changed.wait());
    QCOMPARE(changed.front().front().toString(), b);
    watch.keep({a});
    write(b, "and again");
    QVERIFY(!changed.wait(2500));
    write(a, "another");
    QVERIFY(changed.wait());
    QCOMPARE(changed.back().front().toString(), a);
}

void DesktopSessionTest::sameContentIsNoChange()
{
    FileWatch watch;
    QSignalSpy changed(&watch, &FileWatch::changed);
    const QString path = m_folder.filePath("touched");
    write(path, "one");
    watch.watch({path});
    QTest::qWait(1500); // its content is read in the background
    {
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadWrite));
        QVERIFY(
            file.setFileTime(QDateTime::currentDateTime().addSecs(60), QFileDevice::FileModificationTime));
    }
    const QString copy = m_folder.filePath("copy");
    QVERIFY(QFile::copy(path, copy) && QFile::remove(path) && QFile::rename(copy, path));
    QVERIFY(!changed.wait(3000));
    write(path, "two"); // of the same size
    QVERIFY(changed.wait());
}

void DesktopSessionTest::watchLooksWhenAsked()
{
    // The system does not signal a changed link, nor changes by other machines.
    const QString link = m_folder.filePath("latest");
    for (const char* const name : {"run1", "run2"}) {
        QVERIFY(QDir().mkpath(m_folder.filePath(name)));
        write(m_folder.filePath(name) + "/r", name);
    }
    write(m_folder.filePath("run2/r"), "longer");
    QVERIFY(QFile::link(m_folder.filePath("run1"), link));
    Watched watched(link + "/r");
    QTest::qWait(1500); // its content is read in the background
    QVERIFY(QFile::remove(link));
    QVERIFY(QFile::link(m_folder.filePath("run2"), link));
    QVERIFY(!watched.changed.wait(2000));
    watched.watch.lookSoon();
    QVERIFY(watched.changed.wait());
}

void DesktopSessionTest::nextStartBeginsWhereTheLastEnded()
{
    const QString path = QString::fromStdString(m_fixture.path());
    TimeRange part;
    {
        Desk desk;
        desk.desktop.restore(); // nothing was left: the start page
        desk.open({path});
        part = middleOf(desk.session());
        desk.session().time().show(part);
        QVERIFY(desk.window.docks().showPanel("findings"));
        QSettings().setValue("window/geometry", desk.window.saveGeometry()); // as the end of the program does
        QSettings().setValue("window/state", desk.window.docks().state());
    }
    Desk desk;
    desk.desktop.restore();
    QCOMPARE(notes(), QList<QStringList>{QStringList{path}}); // already: it may be closed before all is there
    desk.settle();
    QCOMPARE(desk.session().trace().info.path, path.toStdString());
    QTRY_COMPARE(desk.session().time().shown(), part);
    QTRY_COMPARE(desk.window.docks().openPanel(PanelPlace::Beside), QString("findings"));
}

/// The report is there, and panels still work on it.
void DesktopSessionTest::nextStartKeepsWhatIsShownBeforeItSettles()
{
    const QString path = QString::fromStdString(m_fixture.path());
    TimeRange part;
    {
        Desk desk;
        desk.open({path});
        part = middleOf(desk.session());
        desk.session().time().show(part);
    }
    Desk desk;
    desk.desktop.restore();
    TimeRange shown;
    connect(
        &desk.window, &MainWindow::reportsReady, &desk.window,
        [&] {
            QCOMPARE(desk.session().time().shown(), part);
            desk.session().time().show({part.start, part.start + part.duration() / 2});
            shown = desk.session().time().shown();
        },
        Qt::SingleShotConnection);
    desk.settle();
    QVERIFY(shown != part);
    QCOMPARE(desk.session().time().shown(), shown);
}

/// In File > Reports.
void DesktopSessionTest::nextStartKeepsWhatTheUserSaidOfReports()
{
    const QStringList paths{m_folder.filePath("said0.sqlite"), m_folder.filePath("said1.sqlite")};
    for (const QString& path : paths)
        QVERIFY(QFile::copy(QString::fromStdString(m_fixture.path()), path));
    ReportChoices choices;
    choices.label = "abc";
    choices.rank = 7;
    choices.offset = 250;
    TimeRange part;
    {
        Desk desk;
        desk.open(paths);
        desk.window.reports().change(1, choices);
        desk.settle();
        part = middleOf(desk.session());
        desk.session().time().show(part);
    }
    Desk desk;
    desk.desktop.restore();
    desk.settle();
    QTRY_VERIFY(desk.window.reports().reports().back().choices == choices);
    QVERIFY(desk.window.reports().reports().front().choices == ReportChoices());
    QTRY_COMPARE(desk.session().workspace().reports().back().label, std::string("abc"));
    QCOMPARE(desk.session().workspace().reports().back().clock.offset, Ns{250});
    QTRY_COMPARE(desk.session().time().shown(), part);
}

void DesktopSessionTest::nextStartKeepsWhatTheUserSaidOfBothRuns()
{
    const QStringList paths{m_folder.filePath("both0.sqlite"), m_folder.filePath("both1.sqlite")};
    const QString other = m_folder.filePath("both-b.sqlite");
    for (const QString& path : paths + QStringList{other})
        QVERIFY(QFile::copy(QString::fromStdString(m_fixture.path()), path));
    ReportChoices leftOut;
    leftOut.isIncluded = false;
    const auto isAsItWas = [&](Desk& desk) {
        RunPair& pair = desk.session().pair();
        const ReportList& others = desk.window.otherReports();
        return pair.isOn() && desk.window.isSettled() && desk.window.reports().names() == QStringList{other}
        && others.names() == paths && others.reports().back().choices == leftOut
            && pair.b().workspace().reports().size() == 1;
    };
    {
        Desk desk;
        desk.open(paths);
        desk.window.reports().change(1, leftOut);
        desk.window.compareWith({other});
        QTRY_VERIFY_WITH_TIMEOUT(desk.session().pair().isOn() && desk.window.isSettled(), 30'000);
        desk.window.swapCompared();
        QTRY_VERIFY_WITH_TIMEOUT(isAsItWas(desk), 30'000);
        // Nor are they lost where a file has changed.
        append(other);
        desk.openAnew();
        QTRY_VERIFY_WITH_TIMEOUT(isAsItWas(desk), 30'000);
    }
    Desk desk;
    desk.desktop.restore();
    QTRY_VERIFY_WITH_TIMEOUT(isAsItWas(desk), 30'000);
}

/// As when another language is chosen while reports load.
void DesktopSessionTest::whatIsBeingOpenedIsTakenOver()
{
    const QStringList path{QString::fromStdString(m_fixture.path())};
    {
        Desk desk;
        desk.window.openAll(path);
        QVERIFY(desk.window.reports().isLoading() && desk.session().isEmpty());
        QCOMPARE(desk.desktop.view().paths, path);
    }
    {
        Desk desk; // over a comparison, which this ends
        desk.window.compare(path, {WARPLINE_TEST_DATA "/reports/um.sqlite"});
        QTRY_VERIFY_WITH_TIMEOUT(desk.session().pair().isOn() && desk.window.isSettled(), 30'000);
        const QStringList third{WARPLINE_TEST_DATA "/reports/streams.sqlite"};
        desk.window.openAll(third);
        QVERIFY(desk.window.reports().isLoading() && desk.session().pair().isOn());
        QVERIFY(desk.desktop.view() == (LastView{third, {}, {}, {}, {}}));
    }
    Desk desk;
    const LastView wanted{path, {1000, 3000}, {}, {1000, 2000}, {2000, 4000}};
    desk.desktop.show(wanted);
    QVERIFY(desk.window.reports().isLoading());
    QVERIFY(desk.desktop.view() == wanted);
    QTRY_VERIFY_WITH_TIMEOUT(desk.session().pair().isWithinOne() && desk.window.isSettled(), 30'000);
    QCOMPARE(desk.desktop.view().rangeB, wanted.rangeB);
}

/// Not the view of the run that would have become A.
void DesktopSessionTest::whatIsOpenedDuringASwapHasItsOwnView()
{
    const QString a = QString::fromStdString(m_fixture.path());
    const QString broken = m_folder.filePath("broken-during-a-swap.sqlite");
    write(broken, QByteArray("SQLite format 3\0", 16) + QByteArray(10'000, 'x'));
    Desk desk;
    desk.window.compare(QStringList{WARPLINE_TEST_DATA "/reports/um.sqlite", broken}, QStringList{a});
    QTRY_VERIFY_WITH_TIMEOUT(desk.session().pair().isOn() && desk.window.isSettled(), 30'000);
    const QString viewOfB = m_folder.filePath("during-a-swap.warpline");
    QVERIFY(desk.window.views().saveAs(viewOfB) == ViewFiles::Outcome::Written);
    desk.swap(a);
    desk.window.swapCompared();
    QVERIFY(desk.window.reports().isLoading());
    QCOMPARE(desk.desktop.view().viewFile, viewOfB);
    const QString other = WARPLINE_TEST_DATA "/reports/bert_fp32.sqlite";
    std::optional<LastView> whileRead;
    connect(&desk.window.reports(), &ReportList::reading, &desk.window,
        [&desk, &whileRead] { whileRead = desk.desktop.view(); });
    desk.window.openAll({other});
    QTRY_VERIFY(whileRead);
    QCOMPARE(whileRead->paths, QStringList{other});
    QCOMPARE(whileRead->viewFile, QString());
}

/// As when another language is chosen while a swap opens the new A: it reads again what failed.
void DesktopSessionTest::aSwapIsTakenOver()
{
    const QStringList a{QString::fromStdString(m_fixture.path())};
    const QStringList b{WARPLINE_TEST_DATA "/reports/um.sqlite", m_folder.filePath("broken.sqlite")};
    QFile broken(b.back());
    QVERIFY(broken.open(QIODevice::WriteOnly) && broken.write(QByteArray("SQLite format 3\0", 16)) > 0);
    broken.close();
    ReportChoices named;
    named.label = "the first";
    const QString viewOfA = m_folder.filePath("taken-over-a.warpline");
    const QString viewOfB = m_folder.filePath("taken-over-b.warpline");
    LastView swapped;
    {
        Desk desk;
        desk.window.compare(b, a);
        QTRY_VERIFY_WITH_TIMEOUT(desk.session().pair().isOn() && desk.window.isSettled(), 30'000);
        QVERIFY(desk.window.views().saveAs(viewOfB) == ViewFiles::Outcome::Written);
        desk.swap(a.front());
        QVERIFY(desk.window.views().saveAs(viewOfA) == ViewFiles::Outcome::Written);
        desk.window.reports().change(0, named);
        QTRY_VERIFY_WITH_TIMEOUT(desk.window.isSettled(), 30'000);
        desk.window.swapCompared();
        QVERIFY(desk.window.reports().isLoading());
        swapped = desk.desktop.view();
    }
    Desk desk;
    desk.desktop.show(swapped);
    QTRY_VERIFY_WITH_TIMEOUT(desk.session().pair().isOn() && desk.window.isSettled(), 30'000);
    QCOMPARE(desk.window.views().named(), viewOfB);
    QCOMPARE(desk.window.views().namedOfB(), viewOfA);
    QCOMPARE(desk.window.reports().names(), b);
    QCOMPARE(desk.window.otherReports().names(), a);
    QVERIFY(desk.window.otherReports().reports().front().choices == named);
}

/// By the next start and by another language.
void DesktopSessionTest::theNamedViewOfBIsTakenOver()
{
    const QString path = QString::fromStdString(m_fixture.path());
    const QString view = m_folder.filePath("view-of-b.warpline");
    LastView swapped;
    {
        Desk desk;
        desk.open({path});
        QVERIFY(desk.window.views().saveAs(view) == ViewFiles::Outcome::Written);
        desk.window.compareWith({WARPLINE_TEST_DATA "/reports/um.sqlite"});
        QTRY_VERIFY_WITH_TIMEOUT(desk.session().pair().isOn() && desk.window.isSettled(), 30'000);
        desk.swap(WARPLINE_TEST_DATA "/reports/um.sqlite");
        swapped = desk.desktop.view();
        desk.window.close();
    }
    for (const bool isStart : {true, false}) {
        Desk desk;
        if (isStart)
            desk.desktop.restore();
        else
            desk.desktop.show(swapped);
        QTRY_VERIFY_WITH_TIMEOUT(desk.session().pair().isOn() && desk.window.isSettled(), 30'000);
        desk.swap(path);
        QCOMPARE(desk.window.views().path(), view);
        QVERIFY(desk.window.views().save() == ViewFiles::Outcome::Written); // known: it was read
        desk.window.close();
    }
}

/// B was A before a swap. Its view file still has a row that the user removed.
void DesktopSessionTest::reloadingKeepsWhatTheUserChangedOfTheViewOfB()
{
    const QString path = QString::fromStdString(m_fixture.path());
    const QString other = WARPLINE_TEST_DATA "/reports/um.sqlite";
    const QString view = m_folder.filePath("changed-view-of-b.warpline");
    Desk desk;
    desk.open({path});
    desk.session().results().restore({{"removed", "SELECT 10 AS start, 20 AS end", {}, {}, 1}});
    QTRY_COMPARE(desk.session().results().all().size(), std::size_t{1}); // else it cannot be removed
    QTRY_VERIFY_WITH_TIMEOUT(desk.window.isSettled(), 30'000);
    QVERIFY(desk.window.views().saveAs(view) == ViewFiles::Outcome::Written);
    desk.session().results().remove(0);
    desk.window.compareWith({other});
    QTRY_VERIFY_WITH_TIMEOUT(desk.session().pair().isOn() && desk.window.isSettled(), 30'000);
    desk.swap(other);
    const auto old = desk.session().pair().b().sharedTrace();
    emit desk.window.reloadWanted();
    QTRY_VERIFY_WITH_TIMEOUT(desk.session().pair().isOn() && desk.session().pair().b().sharedTrace() != old
            && desk.window.isSettled(),
        30'000);
    desk.swap(path);
    QCOMPARE(desk.window.views().path(), view);
    QVERIFY(desk.session().results().asked().empty());
}

/// Compared before a restart, or in another language.
void DesktopSessionTest::theEndBringsBackBothOpenReports()
{
    const QStringList paths{
        QString::fromStdString(m_fixture.path()), WARPLINE_TEST_DATA "/reports/um.sqlite"};
    ReportChoices named;
    named.label = "the second";
    const QStringList set{m_folder.filePath("both.warpline")};
    const QString view = m_folder.filePath("view-of-both.warpline");
    {
        Desk desk;
        desk.open(paths);
        desk.window.reports().change(1, named);
        QTRY_VERIFY_WITH_TIMEOUT(desk.window.isSettled(), 30'000);
        desk.window.reports().save(set.front(), [](const QString&) {});
        QTRY_COMPARE(desk.window.reports().names(), set);
        QVERIFY(desk.window.views().saveAs(view) == ViewFiles::Outcome::Written);
        desk.window.compareOpenReports();
        QTRY_VERIFY_WITH_TIMEOUT(desk.session().pair().isOn() && desk.window.isSettled(), 30'000);
    }
    Desk desk;
    desk.desktop.restore();
    QTRY_VERIFY_WITH_TIMEOUT(desk.session().pair().isOn() && desk.window.isSettled(), 30'000);
    QCOMPARE(desk.window.reports().names(), paths.first(1));
    desk.session().results().restore({{"added", "SELECT 10 AS start, 20 AS end", {}, {}, 1}});
    QTRY_VERIFY_WITH_TIMEOUT(desk.window.isSettled(), 30'000);
    desk.window.endComparison();
    QTRY_VERIFY_WITH_TIMEOUT(!desk.session().pair().isOn() && desk.window.isSettled(), 30'000);
    QCOMPARE(desk.session().results().asked().size(), std::size_t{1});
    QCOMPARE(desk.window.reports().names(), set);
    QCOMPARE(desk.window.views().named(), view);
    const std::vector<ListedReport>& reports = desk.window.reports().reports();
    QCOMPARE(reports.size(), std::size_t{2});
    QVERIFY(reports.back().choices == named);
    QVERIFY(reports.front().colorIndex != reports.back().colorIndex);
}

/// Both are open again, as where B cannot be opened in the window that compared them.
void DesktopSessionTest::nextStartWithoutBOpensBoth()
{
    const QStringList paths{m_folder.filePath("stays.sqlite"), m_folder.filePath("goes.sqlite")};
    for (const QString& path : paths)
        QVERIFY(QFile::copy(QString::fromStdString(m_fixture.path()), path));
    {
        Desk desk;
        desk.open(paths);
        desk.window.compareOpenReports();
        QTRY_VERIFY_WITH_TIMEOUT(desk.session().pair().isOn() && desk.window.isSettled(), 30'000);
    }
    QVERIFY(QFile::remove(paths.back()));
    Desk desk;
    desk.desktop.restore();
    QTRY_VERIFY_WITH_TIMEOUT(!desk.session().isEmpty() && desk.window.isSettled(), 30'000);
    QVERIFY(!desk.session().pair().isOn());
    QCOMPARE(desk.window.reports().names(), paths);
    QVERIFY(desk.window.reports().reports().front().isThere());
}

/// It reads none again.
void DesktopSessionTest::aSwapKeepsWatchingItsFiles()
{
    const QString b = m_folder.filePath("watched-b.sqlite");
    QVERIFY(QFile::copy(QString::fromStdString(m_fixture.path()), b));
    Desk desk;
    desk.open({WARPLINE_TEST_DATA "/reports/um.sqlite"});
    desk.window.compareWith({b});
    QTRY_VERIFY_WITH_TIMEOUT(desk.session().pair().isOn() && desk.window.isSettled(), 30'000);
    desk.window.swapCompared();
    QTRY_VERIFY_WITH_TIMEOUT(desk.session().pair().isOn() && desk.window.isSettled(), 30'000);
    append(b);
    QTRY_VERIFY_WITH_TIMEOUT(desk.desktop.question(), 10'000);
}

/// By another language and by the next start.
void DesktopSessionTest::theNamedViewIsTakenOver()
{
    const QString path = QString::fromStdString(m_fixture.path());
    const QString chosen = m_folder.filePath("chosen.warpline");
    LastView left;
    {
        Desk desk;
        desk.open({path});
        desk.session().marks().setNotes("of the chosen one");
        QVERIFY(desk.window.views().saveAs(chosen) == ViewFiles::Outcome::Written);
        left = desk.desktop.view();
        QCOMPARE(left.viewFile, chosen);
        desk.window.close();
    }
    for (const bool isStart : {false, true}) {
        Desk desk;
        if (isStart)
            desk.desktop.restore();
        else
            desk.desktop.show(left);
        desk.settle();
        QTRY_COMPARE(desk.window.views().path(), chosen);
        QCOMPARE(desk.session().marks().notes(), QString("of the chosen one"));
        QVERIFY(desk.window.views().save() == ViewFiles::Outcome::Written); // known: it was read
        desk.window.close();
    }
    // It is not of the reports that are opened next, also where these fail.
    Desk desk;
    left.paths = {m_folder.filePath("chosen-broken.sqlite")};
    write(left.paths.front(), QByteArray("SQLite format 3\0", 16) + QByteArray(10'000, 'x'));
    QSignalSpy failed(&desk.window, &MainWindow::openFailed);
    desk.desktop.show(left);
    QTRY_VERIFY(!failed.isEmpty());
    desk.open({path});
    QVERIFY(desk.window.views().path() != chosen);
}

/// A start cannot be told all that a note has.
void DesktopSessionTest::furtherWindowsWaitForStartsOfTheirOwn()
{
    const QString path = QString::fromStdString(m_fixture.path());
    LastView compared{{path}, {10, 20}, {path}, {1, 2}, {3, 4}};
    compared.choices = "of A";
    compared.comparedChoices = "of B";
    compared.bothOpen = "of both";
    compared.bothOpenSet = "the set";
    compared.bothOpenView = "their view";
    const QList<LastView> views{compared, {{path}, {30, 40}, {}, {}, {}}};
    RunningWindows::leaveBehind(views);
    QCOMPARE(notes().size(), 2);
    QCOMPARE(RunningWindows("next").takeLeft(), views);
}

void DesktopSessionTest::whatWasClosedIsNotOpenedBesideAnother()
{
    const LastView view{{QString::fromStdString(m_fixture.path())}, {}, {}, {}, {}};
    RunningWindows closed("closed");
    closed.note(view);
    closed.leave();
    RunningWindows("crashed").note(view);
    RunningWindows open("open"); // by name, since then
    QVERIFY(open.listen());
    open.note(view);
    QCOMPARE(RunningWindows("next").takeLeft(), QList<LastView>{view}); // of the one that crashed
    QCOMPARE(notes(), QList<QStringList>{view.paths});
}

void DesktopSessionTest::missingReportOfSeveralIsSaidAndKept()
{
    const QStringList paths{QString::fromStdString(m_fixture.path()), m_folder.filePath("rank1.sqlite")};
    RunningWindows("last").note({paths, {}, {}, {}, {}});
    Desk desk;
    QSignalSpy failed(&desk.window, &MainWindow::openFailed);
    desk.desktop.restore();
    desk.settle();
    QTRY_VERIFY(!failed.isEmpty());
    QVERIFY2(failed.front().front().toString().contains("rank1.sqlite"),
        qPrintable(failed.front().front().toString()));
    QCOMPARE(desk.window.reports().title(), QFileInfo(paths.front()).fileName());
    QTRY_COMPARE(notes(), QList<QStringList>{paths});
}

void DesktopSessionTest::heightsAreAsTheyWereLeft()
{
    const QString path = QString::fromStdString(m_fixture.path());
    const auto heightOf = [](Desk& desk) { return desk.window.findChild<QDockWidget*>("events")->height(); };
    int left = 0;
    for (int day = 0; day < 3; ++day) {
        Desk desk;
        desk.open({path});
        if (day == 0)
            desk.window.docks().showPanel("events");
        QTest::qWait(50); // the layout has its sizes then
        if (day > 0)
            QVERIFY2(std::abs(heightOf(desk) - left) <= 2,
                qPrintable(QString("%1 %2 %3").arg(day).arg(heightOf(desk)).arg(left)));
        if (day == 1)
            desk.window.resizeDocks(
                {desk.window.findChild<QDockWidget*>("events")}, {heightOf(desk) - 60}, Qt::Vertical);
        QTest::qWait(50);
        left = heightOf(desk);
        desk.window.close();
    }
}

void DesktopSessionTest::rangeIsOfItsReportsAlone()
{
    const QString other = m_folder.filePath("other.sqlite");
    QVERIFY(QFile::copy(QString::fromStdString(m_fixture.path()), other));
    RunningWindows("last").note({{QString::fromStdString(m_fixture.path())}, {1000, 2000}, {}, {}, {}});
    Desk desk;
    desk.desktop.restore();
    desk.open({other}); // before the restored report is loaded
    QCOMPARE(desk.session().trace().info.path, other.toStdString());
    QTest::qWait(100);
    QVERIFY(desk.session().time().shown() != (TimeRange{1000, 2000}));
}

void DesktopSessionTest::nextStartComparesAgain()
{
    const QString path = QString::fromStdString(m_fixture.path());
    const QString other = m_folder.filePath("b.sqlite");
    QVERIFY(QFile::copy(path, other));
    {
        Desk desk;
        desk.open({path});
        desk.settled.clear();
        desk.window.compareWith({other});
        desk.settle();
        desk.session().pair().narrow(Side::B, {1000, 4000});
        desk.settle();
        desk.session().time().show({1500, 2500});
    }
    Desk desk;
    desk.desktop.restore();
    desk.settle();
    RunPair& pair = desk.session().pair();
    QTRY_VERIFY(pair.isOn() && desk.window.isSettled());
    QCOMPARE(desk.window.otherReports().names(), QStringList(other));
    QCOMPARE(pair.narrowed(Side::B), (TimeRange{1000, 4000}));
    QTRY_COMPARE(desk.session().time().shown(), (TimeRange{1500, 2500}));
}

void DesktopSessionTest::nextStartComparesRangesAgain()
{
    {
        Desk desk;
        desk.open({QString::fromStdString(m_fixture.path())});
        desk.session().pair().compareWithin({1000, 2000}, {2000, 4000});
        desk.settle();
    }
    Desk desk;
    desk.desktop.restore();
    desk.settle();
    QTRY_VERIFY(desk.session().pair().isWithinOne());
    QCOMPARE(desk.session().pair().narrowed(Side::A), (TimeRange{1000, 2000}));
    QCOMPARE(desk.session().pair().narrowed(Side::B), (TimeRange{2000, 4000}));
}

void DesktopSessionTest::changedReportIsOfferedAndKeepsTheView()
{
    const QString path = m_folder.filePath("changing.sqlite");
    QVERIFY(QFile::copy(QString::fromStdString(m_fixture.path()), path));
    Desk desk;
    desk.open({path});
    const TimeRange part = middleOf(desk.session());
    desk.session().time().show(part);
    append(path);
    QTRY_VERIFY(desk.desktop.question());
    QCOMPARE(desk.session().time().shown(), part); // nothing happens before the user confirms
    desk.openAnew();
    QTRY_COMPARE(desk.session().time().shown(), part);
    QVERIFY(!desk.desktop.question());
    append(path);
    QTRY_VERIFY(desk.desktop.question()); // and again
    desk.desktop.question()->buttons().back()->click();
    QTRY_VERIFY(!desk.desktop.question());
    QVERIFY(QFile::remove(path));
    QVERIFY(QFile::copy(QString::fromStdString(m_fixture.path()), path));
    QTRY_VERIFY(desk.desktop.question());
}

void DesktopSessionTest::keptReportSaysSoAndIsReloadedFromTheMenu()
{
    const QString path = m_folder.filePath("kept.sqlite");
    QVERIFY(QFile::copy(QString::fromStdString(m_fixture.path()), path));
    Desk desk;
    desk.open({path});
    const TimeRange part = middleOf(desk.session());
    desk.session().time().show(part);
    const auto before = desk.session().sharedTrace();
    append(path);
    QTRY_VERIFY_WITH_TIMEOUT(desk.desktop.question(), 10'000);
    desk.desktop.question()->buttons().back()->click();
    QTRY_VERIFY(!desk.desktop.question());
    const auto* const message = desk.window.findChild<QLabel*>("message");
    QVERIFY(message->isVisible());
    QVERIFY2(message->text().contains("kept.sqlite changed on disk"), qPrintable(message->text()));
    QVERIFY(desk.session().sharedTrace() == before);
    QAction* const reload = desk.window.actions().find("file.reload");
    QVERIFY(reload->shortcuts().contains(QKeySequence(Qt::Key_F5)));
    desk.settled.clear();
    reload->trigger();
    desk.settle();
    QVERIFY(desk.session().sharedTrace() != before);
    QTRY_COMPARE(desk.session().time().shown(), part);
    QVERIFY(!message->isVisible());
}

void DesktopSessionTest::changedReportKeepsAllOfTheView()
{
    ReportFixture fixture;
    fixture.addSmallReport();
    const QString path = QString::fromStdString(fixture.path());
    Desk desk;
    desk.open({path});
    QVERIFY(desk.window.views().save() == ViewFiles::Outcome::Written); // a view of another recording, soon
    Session& session = desk.session();
    const auto firstRow = [&session] { return session.rowView().visibleChildren(RowTree::root).front(); };
    session.rowView().setPinned(firstRow(), true);
    session.selection().selectRows({firstRow()});
    session.time().selectRange({1000, 9'000'000});
    const TimeRange selected = session.time().selectedRange();
    EventFilter filter;
    filter.text = "scale";
    session.selection().setFilter(filter);
    session.marks().add({{1000, 2000}, "look here"});
    session.marks().setNotes("not saved");
    desk.window.timeline().rowFilter().setText("CUDA");
    desk.window.docks().showPanel("events");
    QSignalSpy failed(&desk.window.views(), &ViewFiles::failed);
    // Recorded again: by another process, and it took longer.
    fixture.run("UPDATE PROCESSES SET globalPid = 3355443200, pid = 200;"
                "UPDATE ThreadNames SET globalTid = 3355443401;"
                "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET globalPid = 3355443200;"
                "UPDATE CUPTI_ACTIVITY_KIND_MEMCPY SET globalPid = 3355443200;"
                "UPDATE CUPTI_ACTIVITY_KIND_RUNTIME SET globalTid = 3355443401;"
                "UPDATE NVTX_EVENTS SET globalTid = 3355443401");
    fixture.run("INSERT INTO NVTX_EVENTS VALUES (90, 20000, 59, 0, 'longer', 3355443401, NULL, 0)");
    desk.openAnew();
    QCOMPARE(session.session().end, Ns{20000});
    QCOMPARE(session.time().shown(), session.session()); // all was shown, and is
    QVERIFY(session.rowView().isPinned(firstRow()));
    QCOMPARE(session.selection().selectedRows(), std::vector{firstRow()});
    QCOMPARE(session.time().selectedRange(), selected);
    QCOMPARE(session.selection().filter().text, std::string("scale"));
    QCOMPARE(session.marks().all().size(), std::size_t{1});
    QCOMPARE(session.marks().notes(), QString("not saved"));
    QVERIFY(session.marks().isChanged());
    QCOMPARE(desk.window.timeline().rowFilter().text(), QString("CUDA"));
    QVERIFY(desk.window.docks().isPanelInFront("events"));
    QVERIFY(failed.isEmpty());
}

/// Nor is what the user does while it loads undone.
void DesktopSessionTest::reloadingShowsAllWhereTheRangeBecameIdle()
{
    ReportFixture fixture;
    fixture.addSmallReport();
    Desk desk;
    desk.open({QString::fromStdString(fixture.path())});
    Session& session = desk.session();
    const auto reload = [&](TimeRange loading) {
        desk.settled.clear();
        emit desk.window.reloadWanted();
        QVERIFY(desk.window.reports().isLoading());
        session.time().show(loading);
        desk.settle();
    };
    const TimeRange before{4600, 5500}; // the last kernel
    session.time().show(before);
    reload({2000, 3000});
    QCOMPARE(session.time().shown(), (TimeRange{2000, 3000}));
    session.time().show(before);
    fixture.run("UPDATE NVTX_EVENTS SET end = end + 5000 WHERE text = 'step'; "
                "DELETE FROM CUPTI_ACTIVITY_KIND_KERNEL WHERE correlationId = 13");
    reload(before);
    QCOMPARE(session.time().shown(), session.session());
}

void DesktopSessionTest::changedReportsKeepWhatTheUserSaidOfThem()
{
    const QStringList paths{m_folder.filePath("rank0.sqlite"), m_folder.filePath("rank1.sqlite")};
    for (const QString& path : paths)
        QVERIFY(QFile::copy(QString::fromStdString(m_fixture.path()), path));
    Desk desk;
    desk.open(paths);
    ReportChoices choices;
    choices.label = "the slow one";
    choices.rank = 7;
    choices.offset = 250;
    desk.window.reports().change(1, choices);
    desk.settle();
    append(paths[0]);
    desk.openAnew();
    QVERIFY(desk.window.reports().reports()[1].choices == choices);
    QCOMPARE(desk.session().workspace().reports()[1].label, std::string("the slow one"));
    QCOMPARE(desk.session().workspace().reports()[1].clock.offset, Ns{250});
}

void DesktopSessionTest::changedOtherRunIsOfferedAndComparedAgain()
{
    const QString other = m_folder.filePath("after.sqlite");
    QVERIFY(QFile::copy(QString::fromStdString(m_fixture.path()), other));
    Desk desk;
    desk.open({QString::fromStdString(m_fixture.path())});
    desk.settled.clear();
    desk.window.compareWith({other});
    desk.settle();
    desk.session().pair().narrow(Side::A, {1000, 4000});
    desk.settle();
    const auto before = desk.session().pair().b().workspace().reports().front().trace;
    append(other);
    desk.openAnew();
    RunPair& pair = desk.session().pair();
    QTRY_VERIFY(pair.isOn() && desk.window.isSettled());
    QVERIFY(pair.b().workspace().reports().front().trace != before);
    QCOMPARE(pair.narrowed(Side::A), (TimeRange{1000, 4000}));
}

void DesktopSessionTest::changeWhileLoadingIsNoticed()
{
    const QString path = m_folder.filePath("being-written.sqlite");
    QVERIFY(QFile::copy(QString::fromStdString(m_fixture.path()), path));
    Desk desk;
    // Once it is read, which a change would end with an error, and before the window has settled on it.
    bool wasSettled = true;
    connect(&desk.window.reports(), &ReportList::finished, &desk.window, [&] {
        wasSettled = !desk.settled.isEmpty();
        append(path);
    });
    desk.window.open(path);
    desk.settle();
    QVERIFY(!wasSettled);
    QTRY_VERIFY(desk.desktop.question());
}

void DesktopSessionTest::recordingIsWatchedAsItWasOpened()
{
    const QString recording = m_folder.filePath("run.nsys-rep");
    const QString nsys = m_folder.filePath("nsys");
    write(recording, "recorded");
    useNsys(nsys);
    Desk desk;
    desk.open({recording});
    QVERIFY(desk.session().trace().info.path != recording.toStdString());
    append(recording);
    QTRY_VERIFY(desk.desktop.question());
    QVERIFY(desk.desktop.question()->text().contains("run.nsys-rep"));
}

/// At once, because nsys is gone.
void DesktopSessionTest::aReloadThatFailsLeavesTheView()
{
    const QString recording = m_folder.filePath("again.nsys-rep");
    const QString nsys = m_folder.filePath("nsys-that-goes");
    write(recording, "recorded");
    useNsys(nsys);
    Desk desk;
    desk.open({recording});
    append(recording);
    QTRY_VERIFY(desk.desktop.question());
    QVERIFY(QFile::remove(nsys));
    const QByteArray before = qgetenv("PATH");
    const QTemporaryDir none;
    qputenv("PATH", none.path().toLocal8Bit());
    QSignalSpy failed(&desk.window, &MainWindow::openFailed);
    desk.desktop.question()->buttons().front()->click();
    QTRY_COMPARE(failed.size(), 1);
    qputenv("PATH", before);
    const TimeRange part = middleOf(desk.session());
    desk.session().time().show(part);
    emit desk.window.settled(); // a panel has followed
    QVERIFY(desk.session().time().shown() == part);
}

void DesktopSessionTest::activatedWindowLooks()
{
    const QString link = m_folder.filePath("newest");
    for (const char* const name : {"first", "second"}) {
        QVERIFY(QDir().mkpath(m_folder.filePath(name)));
        QVERIFY(QFile::copy(QString::fromStdString(m_fixture.path()), m_folder.filePath(name) + "/r.sqlite"));
    }
    append(m_folder.filePath("second/r.sqlite"));
    QVERIFY(QFile::link(m_folder.filePath("first"), link));
    Desk desk;
    desk.open({link + "/r.sqlite"});
    QTest::qWait(1000); // the first result is obsolete
    QVERIFY(QFile::remove(link));
    QVERIFY(QFile::link(m_folder.filePath("second"), link));
    QTest::qWait(2000);
    QVERIFY(!desk.desktop.question()); // there was no signal
    QEvent activated(QEvent::WindowActivate);
    QCoreApplication::sendEvent(&desk.window, &activated);
    QTRY_VERIFY(desk.desktop.question());
}

void DesktopSessionTest::settingsThatCannotBeWrittenAreTold()
{
    const QString file = QSettings().fileName();
    QFile::remove(file);
    QVERIFY(QDir().mkpath(file)); // a folder in its place
    {
        Desk desk;
        desk.open({QString::fromStdString(m_fixture.path())});
        const auto* const message = desk.window.findChild<QLabel*>("message");
        QTRY_VERIFY(message->isVisible());
        QVERIFY(message->text().contains(file) && message->text().contains("permissions"));
    }
    QVERIFY(QDir().rmdir(file));
}

void DesktopSessionTest::halfSettingsGiveWayToTheLastWholeOnes()
{
    QSettings().setValue("kept", 7);
    const QString file = QSettings().fileName();
    const QString folder = QFileInfo(file).path();
    QSettings().sync();
    QVERIFY(QFile::setPermissions(folder, QFile::permissions(folder) | QFile::ReadOther | QFile::ExeOther));
    QVERIFY(keepSettings());
    QVERIFY(!(QFile::permissions(folder) & (QFile::ReadOther | QFile::ExeOther)));
    QVERIFY(QFile::remove(file)); // as Qt replaces it
    write(file, "[General]\nke");
    QVERIFY(!keepSettings());
    QCOMPARE(QSettings().value("kept").toInt(), 7);
    QVERIFY(keepSettings());
}

WARPLINE_TEST(DesktopSessionTest)

} // namespace tst_desktop_session

#include "tst_desktop_session.moc"
