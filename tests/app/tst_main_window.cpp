// The window as a whole: it opens reports, explains errors of files, finds names, and draws itself without a
// display.

#include "app/main_window.h"
#include "app/panel_docks.h"
#include "app/report_converter.h"
#include "app/report_list.h"
#include "app/search_bar.h"
#include "app/start_page.h"
#include "app/theme_choice.h"
#include "app/window_actions.h"
#include "core/base/format.h"
#include "core/store/trace.h"
#include "tests/app/open_settled.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"
#include "views/panels/budget_view.h"
#include "views/panels/checklist_panel.h"
#include "views/panels/details_panel.h"
#include "views/panels/events_panel.h"
#include "views/panels/findings_panel.h"
#include "views/panels/marks_panel.h"
#include "views/panels/overview_panel.h"
#include "views/panels/panel.h"
#include "views/panels/sql_editor.h"
#include "views/panels/sql_panel.h"
#include "views/panels/steps_panel.h"
#include "views/panels/table_export.h"
#include "views/panels/tables_panel.h"
#include "views/session/findings_judge.h"
#include "views/session/marks.h"
#include "views/style/empty_note.h"
#include "views/timeline/overview.h"
#include "views/timeline/ruler.h"
#include "views/timeline/timeline_pane.h"

#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QFile>
#include <QImage>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QProcess>
#include <QScreen>
#include <QSettings>
#include <QSignalSpy>
#include <QStatusBar>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTimer>
#include <QToolBar>
#include <QToolButton>
#include <QTreeView>
#include <QTreeWidget>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <set>
#include <vector>
#ifdef Q_OS_LINUX
#include <sys/resource.h>
#endif

namespace tst_main_window {

using namespace warpline;
using namespace warpline::test;

namespace {

struct Run {
    int code = -1;
    QByteArray errors;
};

Run runProgram(const QStringList& arguments, const std::function<void(QProcess&)>& prepare = {})
{
    QProcess process;
    if (prepare)
        prepare(process);
    process.start(QCoreApplication::applicationDirPath() + "/warpline", arguments);
    process.waitForFinished(60'000);
    QByteArray errors;
    // The offscreen platform has its own remarks.
    for (const QByteArray& line : process.readAllStandardError().split('\n')) {
        if (line.startsWith("warpline:"))
            errors += line + '\n';
    }
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1, errors};
}

} // namespace

class MainWindowTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void opensAReportAndSettles();
    void aReportWithoutEventsIsOpenToo();
    void whatWasAskedForStaysInFront();
    void whatABackgroundTabHoldsIsLaidOutWhenItIsSeen();
    void theOverviewFollowsWhatIsJudged();
    void picturesOfTheReadingPageAreOfTheTheme();
    void saysWhatIsWrongWithAFile();
    void findsEventsByName();
    void saysHowToConvertARecordedReport();
    void manyRecordedReportsFailInTurn();
    void convertsWithTheUsersNsys();
    void screenshotIsDrawnWithoutADisplay();
    void screenshotsAreSilent();
    void screenshotsNeedNoFonts();
    void screenshotFailsClearly();
    void endsClearlyWithoutMemory();
    void opensEverySharedReport();
    void cornerIsOfTheReportThatIsOpen();
    void keysAreTheWindows();
    void typedTextIsNoCommand();
    void searchTellsWhichOfHowMany();
    void searchIsSeenInASmallWindow();
    void messagesAreOverAfterAWhile();
    void everyTableCanBeHandedOn();
    void withoutAReportThereIsNothingToExport();
    void aNewReportBeginsOnTheOverview();
    void everyPanelOfTheListHasItsPlace();
    void startPageSaysWhatIsGoneWhenItIsSeen();
    void recentPathsHaveNoMnemonics();
    void helpNeedsNoDisplay_data();
    void helpNeedsNoDisplay();
    void runningTakesReportsAlone_data();
    void runningTakesReportsAlone();
    void firstWindowFitsTheScreenAndIsRemembered();
    void aLayoutOfALargeWindowLeavesRoomForRows();
    void theThemeOfThisRunIsTicked();

private:
    ReportFixture m_fixture;
};

void MainWindowTest::initTestCase()
{
    QCoreApplication::setOrganizationName("warpline-test");
    QCoreApplication::setApplicationName("tst_main_window");
    QSettings().clear();
    m_fixture.addSmallReport();
}

void MainWindowTest::opensAReportAndSettles()
{
    MainWindow window(Theme::dark());
    window.resize(1200, 800);
    window.show();
    QVERIFY(opensAndSettles(window, QString::fromStdString(m_fixture.path())));
    QVERIFY(window.windowTitle().startsWith("report.sqlite"));
    QCOMPARE(window.session().trace().kernels().size(), 3U);
    QVERIFY(QSettings().value("recent").toStringList().contains(QString::fromStdString(m_fixture.path())));
    window.setTheme(Theme::light());
    // The checklist leads to the findings, and a report that is closed leaves nothing behind.
    QVERIFY(window.docks().showPanel("checklist"));
    QTRY_COMPARE(window.panel<ChecklistPanel>().answers().size(), 5U);
    emit window.session().judgement().findingRequested("cuda_memcpy_async");
    QVERIFY(window.panel<FindingsPanel>().isVisible());
    QCOMPARE(window.session().selection().ownCurrentEvent(), (EventRef{EventKind::Memcpy, 0}));
    window.closeReport();
    QVERIFY(window.session().isEmpty());
    QVERIFY(window.panel<FindingsPanel>().findings().empty());
}

void MainWindowTest::aReportWithoutEventsIsOpenToo()
{
    const QTemporaryDir folder;
    QFile file(folder.filePath("nothing.json"));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(R"({"traceEvents": []})") > 0);
    file.close();
    MainWindow window(Theme::light());
    window.resize(1200, 800);
    window.show();
    QVERIFY(opensAndSettles(window, QString::fromStdString(m_fixture.path())));
    QVERIFY(opensAndSettles(window, file.fileName()));
    Session& session = window.session();
    QVERIFY(session.isEmpty() && session.hasReport());
    QCOMPARE(window.windowTitle(), QString("nothing.json \u2014 Warpline"));
    QVERIFY(window.findChild<QToolBar*>("drawer-bar")->isVisible());
    for (const char* const id : {"file.close", "file.reload", "file.saveView", "file.picture", "panel.sql"})
        QVERIFY2(window.actions().find(id)->isEnabled(), id);
    for (const char* const id : {"go.all", "export.trace"})
        QVERIFY2(!window.actions().find(id)->isEnabled(), id);
    // The summary says why it is empty.
    auto& summary = window.panel<OverviewPanel>();
    QTRY_VERIFY(!summary.headline().text().isEmpty());
    QTRY_VERIFY(summary.findChild<QTextBrowser*>()->toPlainText().contains("This report holds no events"));
    for (const PanelKind* const kind : allPanels()) {
        QVERIFY2(window.docks().showPanel(kind->id), kind->id);
        QTRY_VERIFY2(window.isSettled(), kind->id);
    }
    // So do its lists and actions.
    for (const QAbstractItemView* const list : std::initializer_list<QAbstractItemView*>{
             window.findChild<QTableView*>("events-table"), window.findChild<QTreeView*>("events-tree"),
             window.panel<TablesPanel>().findChild<QTableView*>(), &window.panel<MarksPanel>().table()}) {
        const auto* const note = list->findChild<EmptyNote*>();
        QTRY_COMPARE(note->text(), QString("This report contains no events."));
    }
    const QAction* const exporting = window.actions().find("export.trace");
    QVERIFY2(exporting->statusTip().contains("no events"), qPrintable(exporting->statusTip()));
    session.marks().setNotes("why is it empty?");
    window.actions().find("file.saveView")->trigger();
    QTRY_VERIFY(QFile::exists(folder.filePath("nothing.warpline")));
    window.actions().find("file.close")->trigger();
    QVERIFY(!session.hasReport() && session.marks().notes().isEmpty());
    QCOMPARE(window.windowTitle(), QString("Warpline"));
    QVERIFY(!window.findChild<QToolBar*>("drawer-bar")->isVisible());
    QVERIFY(opensAndSettles(window, file.fileName()));
    QCOMPARE(session.marks().notes(), QString("why is it empty?"));
}

void MainWindowTest::whatWasAskedForStaysInFront()
{
    MainWindow window(Theme::dark());
    window.resize(1200, 800);
    window.show();
    QVERIFY(window.docks().showPanel("tables"));
    window.open(QString::fromStdString(m_fixture.path()));
    QTRY_VERIFY(window.isSettled() && window.docks().isPanelInFront("tables"));
    ReportFixture other;
    other.addSmallReport();
    window.add({QString::fromStdString(other.path())});
    QTRY_COMPARE(window.session().workspace().reports().size(), std::size_t{2});
    QTRY_VERIFY(window.isSettled());
    QVERIFY(window.docks().isPanelInFront("tables"));
}

void MainWindowTest::whatABackgroundTabHoldsIsLaidOutWhenItIsSeen()
{
    MainWindow window(Theme::dark());
    window.resize(1200, 800);
    window.show();
    window.open(QString::fromStdString(m_fixture.path()));
    QTRY_VERIFY(window.isSettled());
    int inFront = 0;
    for (const PanelKind* const kind : allPanels()) {
        const auto* const dock = window.findChild<QDockWidget*>(kind->id);
        QVERIFY(dock);
        QCOMPARE(dock->widget()->isVisible(), window.docks().isPanelInFront(kind->id));
        inFront += window.docks().isPanelInFront(kind->id);
    }
    QCOMPARE(inFront, 1); // in the inspector; the drawer of a small window is closed
    QVERIFY(!window.panel<EventsPanel>().isVisible());
    QVERIFY(window.docks().showPanel("steps"));
    QTRY_VERIFY(window.docks().isPanelInFront("steps"));
    const int height = window.findChild<QDockWidget*>("steps")->height();
    QVERIFY(window.docks().showPanel("events"));
    QVERIFY(window.panel<EventsPanel>().isVisible()); // in the same turn: nothing flickers
    QTRY_COMPARE(window.findChild<QDockWidget*>("events")->height(), height);
}

void MainWindowTest::theOverviewFollowsWhatIsJudged()
{
    MainWindow window(Theme::dark());
    window.resize(1200, 800);
    window.show();
    window.open(WARPLINE_SOURCE_DIR "/resources/sample.sqlite");
    QTRY_VERIFY(window.isSettled());
    QVERIFY(window.docks().isPanelInFront("overview"));
    Session& session = window.session();
    const std::vector<LeadingFinding> ofAll = session.judgement().findings().leading();
    QVERIFY(!ofAll.empty());
    const TimeRange all = session.session();
    // A range shows its details. Hidden findings wait, and follow when they are visible again.
    session.time().selectRange({all.end - all.duration() / 20, all.end});
    QTRY_VERIFY(window.docks().isPanelInFront("details") && window.isSettled());
    QVERIFY(window.panel<DetailsPanel>().text().toPlainText().contains("GPU 0 busy"));
    QVERIFY(session.judgement().findings().leading() == ofAll);
    QVERIFY(window.docks().showPanel("overview"));
    QTRY_VERIFY(session.judgement().findings().leading() != ofAll);
    QVERIFY(window.docks().showPanel("details"));
    session.selection().clear();
    QTRY_VERIFY(window.docks().isPanelInFront("overview"));
    QTRY_VERIFY(session.judgement().findings().leading() == ofAll);
}

void MainWindowTest::picturesOfTheReadingPageAreOfTheTheme()
{
    for (const Theme* const theme : {&Theme::light(), &Theme::dark()}) {
        MainWindow window(*theme);
        window.show();
        QStringList pictures;
        QTimer::singleShot(0, &window, [&pictures] {
            QWidget* const sheet = QApplication::activeModalWidget();
            const auto* const page = sheet->findChild<QTextBrowser*>("reading");
            for (QTextBlock block = page->document()->begin(); block.isValid(); block = block.next()) {
                for (auto part = block.begin(); !part.atEnd(); ++part) {
                    const QTextImageFormat picture = part.fragment().charFormat().toImageFormat();
                    if (picture.isValid() && page->document()->size().height() > 0)
                        pictures << picture.name();
                }
            }
            sheet->close();
        });
        window.actions().find("help.reading")->trigger();
        QCOMPARE(pictures.size(), 4);
        for (const QString& name : pictures) {
            QCOMPARE(name.contains("-dark"), theme->isDark());
            const QImage once(":/reading/" + name);
            const QImage twice(":/reading/" + QString(name).replace(".png", "@2x.png"));
            QVERIFY2(!once.isNull(), qPrintable(name));
            QCOMPARE(twice.size(), once.size() * 2); // where the screen has two pixels for one
        }
    }
}

void MainWindowTest::saysWhatIsWrongWithAFile()
{
    MainWindow window(Theme::light());
    window.show();
    QSignalSpy failed(&window, &MainWindow::openFailed);
    window.open("/nowhere/report.sqlite");
    QTRY_COMPARE(failed.count(), 1);
    const QString message = failed.first().first().toString();
    bool shown = false;
    for (const QLabel* const label : window.findChildren<QLabel*>())
        shown |= label->isVisible() && label->text() == message;
    QVERIFY(shown);
}

void MainWindowTest::findsEventsByName()
{
    MainWindow window(Theme::light());
    window.resize(1200, 800);
    window.show();
    QVERIFY(opensAndSettles(window, QString::fromStdString(m_fixture.path())));
    auto* search = static_cast<QLineEdit*>(nullptr);
    for (QLineEdit* const edit : window.findChildren<QLineEdit*>()) {
        if (edit->placeholderText().contains("Ctrl+F"))
            search = edit;
    }
    QVERIFY(search);
    search->setText("launch");
    std::set<EventRef> found;
    for (int i = 0; i < 4; ++i) {
        const EventRef before = window.session().selection().ownCurrentEvent();
        QTest::keyClick(search, Qt::Key_Return);
        QTRY_VERIFY(window.session().selection().ownCurrentEvent() != before);
        const EventRef event = window.session().selection().ownCurrentEvent();
        QVERIFY(event.valid());
        QVERIFY(window.session().trace().name(event).find("Launch") != std::string_view::npos);
        found.insert(event);
    }
    QCOMPARE(found.size(), 3U); // three calls, then around again
}

void MainWindowTest::saysHowToConvertARecordedReport()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath("run.nsys-rep");
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("x") == 1);
    file.close();
    const QByteArray before = qgetenv("PATH");
    qputenv("PATH", folder.path().toUtf8());
    ReportConverter converter;
    QSignalSpy failed(&converter, &ReportConverter::failed);
    converter.convert(path);
    qputenv("PATH", before);
    QCOMPARE(failed.count(), 1);
    const QString message = failed.first().first().toString();
    QVERIFY(message.contains("nsys export --type sqlite") && message.contains(path));
}

/// Each fails at once, and the next one is tried: not one inside the other, which would take all of the
/// stack.
void MainWindowTest::manyRecordedReportsFailInTurn()
{
    const QTemporaryDir folder;
    constexpr int count = 5000;
    constexpr int most = 4096;
    QJsonArray reports;
    for (int i = 0; i < count; ++i)
        reports << QJsonObject{{"file", QString("run%1.nsys-rep").arg(i)}};
    QFile file(folder.filePath("all.warpline"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QJsonDocument(QJsonObject{{"warpline_reports", 1}, {"reports", reports}}).toJson());
    file.close();
    ReportList list;
    QSignalSpy failed(&list, &ReportList::failed);
    QSignalSpy finished(&list, &ReportList::finished);
    list.open({file.fileName()});
    QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, 60'000);
    QCOMPARE(failed.count(), 1);
    // That they are too many, and three of them, are told in full.
    QVERIFY(failed.first().first().toString().contains(QString::number(most)));
    QVERIFY(failed.first().first().toString().contains(QString::number(most - 3)));
    QVERIFY(!list.isLoading() && list.reports().empty());
}

void MainWindowTest::convertsWithTheUsersNsys()
{
    // A fake nsys that copies the report to the requested path.
    const QTemporaryDir folder;
    const QString program = folder.filePath("nsys");
    QFile script(program);
    QVERIFY(script.open(QIODevice::WriteOnly));
    script.write("#!/bin/sh\necho 'Processing [50%]'\nwhile [ \"$1\" != --output ]; do shift; done\ncp "
                 "\"$3\" \"$2\"\n");
    script.close();
    script.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    const QString recorded = folder.filePath("run.nsys-rep");
    QVERIFY(QFile::copy(QString::fromStdString(m_fixture.path()), recorded));
    QSettings().setValue("nsysProgram", program);
    qputenv("XDG_CACHE_HOME", folder.path().toUtf8());
    ReportConverter converter;
    QSignalSpy converted(&converter, &ReportConverter::converted);
    QSignalSpy progressed(&converter, &ReportConverter::progressed);
    converter.convert(recorded);
    QTRY_COMPARE(converted.count(), 1);
    const QString made = converted.first().first().toString();
    QVERIFY(made.startsWith(folder.path()) && QFile::exists(made));
    QVERIFY(progressed.count() >= 1);
    script.remove();
    QSettings().remove("nsysProgram");
    MainWindow window(Theme::light());
    QSignalSpy settled(&window, &MainWindow::settled);
    window.open(made);
    QTRY_VERIFY(settled.count() > 0);
}

void MainWindowTest::screenshotIsDrawnWithoutADisplay()
{
    const QTemporaryDir folder;
    const QString picture = folder.filePath("picture.png");
    for (const char* const theme : {"dark", "light"}) {
        const Run run = runProgram({"--screenshot", picture, "--size", "1000x700", "--theme", theme,
            "--range", "1000:4000", QString::fromStdString(m_fixture.path())});
        QCOMPARE(run.code, 0);
        const QImage image(picture);
        QCOMPARE(image.size(), QSize(1000, 700));
        QCOMPARE(image.pixelColor(500, 300).lightness() < 128, std::string_view(theme) == "dark");
    }
}

/// Also where Qt finds no folder for sockets.
void MainWindowTest::screenshotsAreSilent()
{
    const QTemporaryDir folder;
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.remove("XDG_RUNTIME_DIR");
    process.setProcessEnvironment(environment);
    process.start(QCoreApplication::applicationDirPath() + "/warpline",
        {"--screenshot", folder.filePath("a.png"), QString::fromStdString(m_fixture.path())});
    QVERIFY(process.waitForFinished(60'000));
    QCOMPARE(process.exitCode(), 0);
    QVERIFY(!process.readAllStandardError().contains("QStandardPaths"));
}

void MainWindowTest::screenshotsNeedNoFonts()
{
    const QTemporaryDir folder;
    QFile fonts(folder.filePath("fonts.conf"));
    QVERIFY(fonts.open(QIODevice::WriteOnly));
    fonts.write("<?xml version=\"1.0\"?><fontconfig></fontconfig>\n");
    fonts.close();
    const QString picture = folder.filePath("a.png");
    const Run run = runProgram(
        {"--screenshot", picture, "--size", "1400x800", QString::fromStdString(m_fixture.path())},
        [&](QProcess& process) {
            QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
            environment.insert("FONTCONFIG_FILE", fonts.fileName());
            process.setProcessEnvironment(environment);
        });
    QCOMPARE(run.code, 0);
    QCOMPARE(QImage(picture).size(), QSize(1400, 800));
}

void MainWindowTest::screenshotFailsClearly()
{
    const QTemporaryDir folder;
    const Run missing = runProgram({"--screenshot", folder.filePath("a.png"), "/nowhere.sqlite"});
    QCOMPARE(missing.code, 3);
    QCOMPARE(missing.errors.count('\n'), 1);
    QVERIFY(missing.errors.contains("/nowhere.sqlite does not exist"));
    const Run usage = runProgram({"--screenshot", folder.filePath("a.png"), "--size", "big", "x.sqlite"});
    QCOMPARE(usage.code, 2);
    QVERIFY(usage.errors.contains("--size"));
    QCOMPARE(runProgram({"--nonsense"}).code, 2);
#ifdef Q_OS_LINUX
    QProcess blind;
    QProcessEnvironment none = QProcessEnvironment::systemEnvironment();
    for (const char* const name : {"QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY", "XDG_SESSION_TYPE"})
        none.remove(name);
    blind.setProcessEnvironment(none);
    blind.start(
        QCoreApplication::applicationDirPath() + "/warpline", {QString::fromStdString(m_fixture.path())});
    QVERIFY(blind.waitForFinished(60'000) && blind.exitStatus() == QProcess::NormalExit);
    QCOMPARE(blind.exitCode(), 2);
    QVERIFY(blind.readAllStandardError().contains("no display"));
#endif
    // A picture that cannot be written leaves the one that is there.
    const QString report = QString::fromStdString(m_fixture.path());
    const QString picture = folder.filePath("old.xyz");
    QFile old(picture);
    QVERIFY(old.open(QIODevice::WriteOnly) && old.write("old") == 3);
    old.close();
    const Run unknown = runProgram({"--screenshot", picture, report});
    QVERIFY2(unknown.code == 3 && unknown.errors.contains("old.xyz"), unknown.errors.constData());
    QVERIFY(old.open(QIODevice::ReadOnly));
    QCOMPARE(old.readAll(), QByteArray("old"));
    QCOMPARE(runProgram({"--screenshot", folder.filePath("no/such/a.png"), report}).code, 3);
    QCOMPARE(runProgram({"--screenshot", folder.filePath("a.png"), report}).code, 0);
    QVERIFY(!QImage(folder.filePath("a.png")).isNull());
#ifdef Q_OS_LINUX
    // One over the limit of file sizes leaves nothing.
    const Run large = runProgram({"--screenshot", folder.filePath("b.png"), report}, [](QProcess& process) {
        process.setChildProcessModifier([] {
            rlimit limit{};
            ::getrlimit(RLIMIT_FSIZE, &limit);
            limit.rlim_cur = 512;
            ::setrlimit(RLIMIT_FSIZE, &limit);
        });
    });
    QCOMPARE(large.code, 3);
#endif
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files), (QStringList{"a.png", "old.xyz"}));
}

void MainWindowTest::endsClearlyWithoutMemory()
{
#ifdef Q_OS_LINUX
    const auto limited = [](auto what, rlim_t most) {
        return [what, most](QProcess& process) {
            process.setChildProcessModifier([what, most] {
                rlimit limit{};
                ::getrlimit(what, &limit);
                limit.rlim_cur = std::min(most, limit.rlim_max);
                ::setrlimit(what, &limit);
            });
        };
    };
    constexpr rlim_t gibi = 1ULL << 30;
    if (runProgram({"--version"}, limited(RLIMIT_AS, 4 * gibi)).code != 0)
        QSKIP("sanitizers need more");
    QCOMPARE(runProgram({"--version"}, limited(RLIMIT_AS, gibi)).code, 0); // draws nothing
    const QTemporaryDir folder;
    const QStringList picture{
        "--screenshot", folder.filePath("a.png"), QString::fromStdString(m_fixture.path())};
    QCOMPARE(runProgram(picture, limited(RLIMIT_AS, 4 * gibi)).code, 0);
    QVERIFY(QFile::remove(folder.filePath("a.png")));
    std::vector limits{limited(RLIMIT_AS, gibi / 2)};
    rlimit stack{};
    if (::getrlimit(RLIMIT_STACK, &stack) == 0 && stack.rlim_max == RLIM_INFINITY)
        limits.push_back(limited(RLIMIT_STACK, gibi << 20)); // no thread fits
    for (const auto& limit : limits) {
        const Run run = runProgram(picture, limit);
        QCOMPARE(run.code, 3);
        QCOMPARE(run.errors.count('\n'), 1);
    }
    QVERIFY(QDir(folder.path()).isEmpty());
#endif
}

void MainWindowTest::opensEverySharedReport()
{
    const auto reports = sharedReports();
    if (reports.empty())
        QSKIP("needs ../shared/reports, which is not there");
    MainWindow window(Theme::dark());
    window.resize(1400, 900);
    window.show();
    QSignalSpy failed(&window, &MainWindow::openFailed);
    for (const std::string& path : reports) {
        QSignalSpy settled(&window, &MainWindow::settled);
        window.open(QString::fromStdString(path));
        QTRY_VERIFY2_WITH_TIMEOUT(settled.count() > 0, path.c_str(), 60'000);
        QVERIFY(std::filesystem::equivalent(window.session().trace().info.path, path));
        QVERIFY(!window.grab().isNull());
    }
    QCOMPARE(failed.count(), 0);
}

void MainWindowTest::cornerIsOfTheReportThatIsOpen()
{
    MainWindow window(Theme::light());
    window.resize(1200, 800);
    window.show();
    const auto* const corner = window.findChild<QLabel*>("report-size");
    QVERIFY(corner);
    const auto expected = [&] {
        const Trace& trace = window.session().trace();
        return QString("%1, %2 events")
            .arg(QString::fromStdString(formatDuration(trace.session.duration())),
                QString::fromStdString(formatCount(trace.eventCount())));
    };
    QStringList seen;
    for (const QString& path :
        {QString::fromStdString(m_fixture.path()), QString(WARPLINE_SOURCE_DIR "/resources/sample.sqlite")}) {
        QSignalSpy settled(&window, &MainWindow::settled);
        window.open(path);
        QTRY_VERIFY(settled.count() > 0);
        QCOMPARE(corner->text(), expected());
        seen << corner->text();
    }
    QVERIFY(seen[0] != seen[1]);
    window.closeReport();
    QVERIFY(corner->text().isEmpty());
}

void MainWindowTest::keysAreTheWindows()
{
    MainWindow window(Theme::light());
    window.resize(1200, 800);
    window.show();
    QSignalSpy settled(&window, &MainWindow::settled);
    window.open(WARPLINE_SOURCE_DIR "/resources/sample.sqlite");
    QTRY_VERIFY(settled.count() > 0);
    window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    QVERIFY(window.docks().showPanel("findings"));
    QTreeWidget& list = window.panel<FindingsPanel>().list();
    Session& session = window.session();
    QTest::mouseClick(
        list.viewport(), Qt::LeftButton, {}, list.visualItemRect(list.topLevelItem(1)).center());
    QCOMPARE(QApplication::focusWidget(), &list);
    for (const auto& [key, place] :
        {std::pair{Qt::Key_J, PanelPlace::Below}, std::pair{Qt::Key_I, PanelPlace::Beside}}) {
        QWidget& timeline = window.timeline().view();
        for (QWidget* const focused : {static_cast<QWidget*>(&list), &timeline}) {
            const bool was = window.docks().isPlaceOpen(place);
            QTest::keyClick(focused, key);
            QCOMPARE(window.docks().isPlaceOpen(place), !was);
            QTest::keyClick(&timeline, key);
            QCOMPARE(window.docks().isPlaceOpen(place), was);
        }
    }
    list.setFocus();
    QTest::keyClick(&list, Qt::Key_Home);
    QCOMPARE(session.time().shown(), session.trace().session);
    QCOMPARE(list.currentItem(), list.topLevelItem(1)); // Home is the timeline's, not the list's
    QTest::keyClick(&list, Qt::Key_W);
    const TimeRange closer = session.time().shown();
    QVERIFY(closer.duration() < session.trace().session.duration());
    QTest::keyClick(&list, Qt::Key_D);
    QVERIFY(session.time().shown().start > closer.start);
    QTest::keyClick(&list, Qt::Key_A);
    QTest::keyClick(&list, Qt::Key_S);
    QVERIFY(session.time().shown().duration() > closer.duration());
    const TimeRange part{session.trace().session.start, session.trace().session.start + 1'000'000};
    session.time().selectRange(part);
    QTest::keyClick(&list, Qt::Key_Z, Qt::ShiftModifier);
    QCOMPARE(session.time().shown(), part);
    QTest::keyClick(&list, Qt::Key_Escape);
    QVERIFY(session.time().selectedRange().empty() && session.selection().highlighted(ReportId{}).empty());
    QTest::keyClick(&list, Qt::Key_F); // nothing is selected: all
    QCOMPARE(session.time().shown(), session.trace().session);
    // Letters look for no line; arrows and Return stay the list's.
    const QString third = list.topLevelItem(2)->text(0);
    QTest::keyClick(&list, third.front().toLower().toLatin1());
    QCOMPARE(list.currentItem(), list.topLevelItem(1));
    QTest::keyClick(&list, Qt::Key_Down);
    QVERIFY(list.currentItem() != list.topLevelItem(1));
    // Not every finding has a place.
    for (int i = 0; i < list.topLevelItemCount() && session.time().shown() == session.trace().session; ++i) {
        QTest::keyClick(&list, Qt::Key_Return);
        QTest::keyClick(&list, Qt::Key_Down);
    }
    QVERIFY(session.time().shown() != session.trace().session);
    // The text next to it as well, which is for reading.
    window.panel<FindingsPanel>().text().setFocus();
    QTest::keyClick(&window.panel<FindingsPanel>().text(), Qt::Key_Home);
    QCOMPARE(session.time().shown(), session.trace().session);
}

void MainWindowTest::typedTextIsNoCommand()
{
    MainWindow window(Theme::light());
    window.resize(1200, 800);
    window.show();
    QSignalSpy settled(&window, &MainWindow::settled);
    window.open(WARPLINE_SOURCE_DIR "/resources/sample.sqlite");
    QTRY_VERIFY(settled.count() > 0);
    window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    const TimeRange shown = window.session().time().shown();
    QLineEdit& filter = window.panel<FindingsPanel>().nvtxFilter();
    filter.setFocus();
    QTest::keyClicks(&filter, "wasdfZ");
    QTest::keyClick(&filter, Qt::Key_Home);
    QTest::keyClicks(&filter, "n");
    QCOMPARE(filter.text(), QString("nwasdfZ"));
    QCOMPARE(window.session().time().shown(), shown);
    QTest::keyClick(&filter, Qt::Key_Escape); // back to the timeline
    QVERIFY(window.timeline().view().hasFocus());
    QCOMPARE(filter.text(), QString("nwasdfZ"));
    // Longer texts are not left by a key that closes lists.
    window.docks().showPanel("sql");
    SqlEditor& editor = window.panel<SqlPanel>().editor();
    editor.setFocus();
    QTest::keyClicks(&editor, "SELECT 1 wa");
    QTest::keyClick(&editor, Qt::Key_Escape);
    QTest::keyClick(&editor, Qt::Key_Escape);
    QVERIFY(editor.hasFocus());
    QCOMPARE(window.session().time().shown(), shown);
}

void MainWindowTest::firstWindowFitsTheScreenAndIsRemembered()
{
    for (const QRect available :
        {QRect(0, 0, 1366, 728), QRect(0, 25, 1920, 1055), QRect(1920, 0, 3840, 2160)}) {
        const QRect place = MainWindow::firstPlace(available);
        QVERIFY(available.contains(place.adjusted(-8, -30, 8, 8))); // with a frame around it
        QCOMPARE(
            place.width(), qRound(available.width() * (MainWindow::isSmall(available.size()) ? 0.9 : 0.85)));
    }
    QSettings().clear();
    QSize left;
    {
        MainWindow window(Theme::light());
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        const QRect available = window.screen()->availableGeometry();
        QVERIFY(available.contains(window.geometry()));
        const QRect bar = window.statusBar()->rect();
        QVERIFY(available.contains(window.statusBar()->mapToGlobal(bar.bottomRight())));
        QVERIFY(window.height() >= available.height() * 8 / 10);
        window.resize(window.width(), window.height() - 50);
        left = window.size();
        window.close();
    }
    MainWindow again(Theme::light());
    again.show();
    QCOMPARE(again.height(), left.height()); // the width is at its least on so small a screen
}

/// Panels that were dragged high in a large window must not cover the rows of a small one.
void MainWindowTest::aLayoutOfALargeWindowLeavesRoomForRows()
{
    QSettings().clear();
    const QString path = QString::fromStdString(m_fixture.path());
    const auto open = [&](MainWindow& window, QSize size) {
        window.resize(size);
        window.show();
        QSignalSpy settled(&window, &MainWindow::settled);
        window.open(path);
        QTRY_VERIFY(settled.count() > 0);
    };
    {
        MainWindow large(Theme::light());
        open(large, {780, 760}); // the screen is no larger
        auto* const dock = large.findChild<QDockWidget*>("events");
        large.docks().showPanel("events");
        large.resizeDocks({dock}, {420}, Qt::Vertical);
        QTest::qWait(20);
        QVERIFY2(dock->height() > 380, qPrintable(QString::number(dock->height())));
        large.close();
    }
    MainWindow small(Theme::light());
    open(small, {780, 620});
    QTest::qWait(20);
    QVERIFY2(small.centralWidget()->height() >= 250,
        qPrintable(QString("%1 of %2").arg(small.centralWidget()->height()).arg(small.height())));
    QSettings().clear();
}

void MainWindowTest::theThemeOfThisRunIsTicked()
{
    QSettings().clear();
    chooseThemeForThisRun("dark"); // as --theme does
    MainWindow window(themeNamed(chosenThemeName()));
    window.show();
    const auto isTicked = [&](const char* id) {
        window.actions().updateChecks();
        return window.actions().find(id)->isChecked();
    };
    QVERIFY(isTicked("theme.dark") && !isTicked("theme.system"));
    QVERIFY(!QSettings().contains("theme")); // for this run alone
    window.chooseTheme("light");
    QVERIFY(isTicked("theme.light") && !isTicked("theme.dark"));
    chooseThemeForThisRun({});
    QSettings().clear();
}

void MainWindowTest::searchIsSeenInASmallWindow()
{
    MainWindow window(Theme::light());
    window.show();
    QVERIFY(opensAndSettles(window, QString::fromStdString(m_fixture.path())));
    QVERIFY(QTest::qWaitForWindowActive(&window));
    QLineEdit& edit = window.search().edit();
    for (const int width : {1600, 960, 780}) {
        window.resize(width, 540);
        QTest::keyClick(&window.timeline(), Qt::Key_F, Qt::ControlModifier);
        QTRY_VERIFY2(edit.isVisible() && edit.hasFocus(), qPrintable(QString::number(width)));
        QVERIFY(width < 960 || window.search().geometry().right() < window.width());
        window.timeline().setFocus();
    }
}

void MainWindowTest::searchTellsWhichOfHowMany()
{
    MainWindow window(Theme::light());
    window.resize(1200, 800);
    window.show();
    QVERIFY(opensAndSettles(window, QString::fromStdString(m_fixture.path())));
    QLineEdit& edit = window.search().edit();
    const QLabel& count = window.search().count();
    const Overview& overview = window.timeline().overview();
    QVERIFY(overview.found().empty());
    edit.setText("/^cudaL.*KERNEL/"); // a regular expression, letters without regard to case
    QTRY_COMPARE(count.text(), QString("3 matches"));
    edit.setText("/(/");
    QTRY_VERIFY(count.text().startsWith("Invalid"));
    edit.setText("launch");
    QTRY_COMPARE(count.text(), QString("3 matches"));
    // Where they are is marked above the timeline.
    QTRY_VERIFY(!overview.found().empty());
    const TimeRange session = window.session().trace().session;
    const auto isMarked = [&](Ns start) {
        const auto pixels = static_cast<Ns>(overview.found().size());
        return overview
                   .found()[static_cast<std::size_t>((start - session.start) * pixels / session.duration())]
            != 0;
    };
    const auto& calls = window.session().trace().apiCalls();
    for (EventIndex i = 0; i < calls.size(); ++i) {
        if (window.session().trace().name({EventKind::ApiCall, i}).find("Launch") != std::string_view::npos)
            QVERIFY(isMarked(calls.start[i]));
    }
    QVERIFY(std::ranges::count(overview.found(), 1) <= 3);
    QTest::keyClick(&edit, Qt::Key_Return);
    QTRY_COMPARE(count.text(), QString("1 of 3"));
    QTest::keyClick(&edit, Qt::Key_Return);
    QTRY_COMPARE(count.text(), QString("2 of 3"));
    const Ns scale = window.session().time().shown().duration();
    window.session().selection().setCurrentEvent({}); // another choice of the user
    QCOMPARE(count.text(), QString("3 matches"));
    edit.setText("no such name");
    QTRY_COMPARE(count.text(), QString("No match"));
    edit.setText("Synchronize"); // seen well at this scale, or too long for it
    QTest::keyClick(&edit, Qt::Key_Return);
    QTRY_VERIFY(window.session().selection().ownCurrentEvent().valid());
    Q_UNUSED(scale);
    // Only of one kind: "main" is the name of a thread and of a range.
    edit.setText("c");
    QTRY_VERIFY(count.text().endsWith("matches"));
    const QString ofAll = count.text();
    emit window.search().kinds().menu()->aboutToShow();
    for (QAction* const kind : window.search().kinds().menu()->actions()) {
        if (kind->text() == QString::fromStdString(std::string(titleOf(EventKind::ApiCall))))
            kind->trigger();
    }
    QCOMPARE(window.search().asked(),
        QString("kind=%1 (c)").arg(QString::fromStdString(std::string(keyOf(EventKind::ApiCall)))));
    QTRY_VERIFY(count.text() == "5 matches" && ofAll != "5 matches");
    window.search().kinds().menu()->actions().front()->trigger();
    // All that is found is listed.
    edit.setText("launch");
    window.session().time().selectRange({5000, 5500}); // no match inside
    QTest::keyClick(&edit, Qt::Key_Return, Qt::ControlModifier);
    QCOMPARE(window.session().selection().filter().text, std::string("launch"));
    QTRY_COMPARE(window.panel<EventsPanel>().model().rowCount(), 3);
    QVERIFY(window.docks().isPanelOpen("events"));
    QTRY_COMPARE(window.session().selection().searchText(), QString("launch"));
    // With an incomplete filter the previous results stay marked and listed; only the count shows that it is
    // invalid.
    edit.setText("launch dur>");
    QTRY_VERIFY(count.text().startsWith("Invalid"));
    QCOMPARE(window.session().selection().searchText(), QString("launch"));
    QTRY_VERIFY(std::ranges::count(overview.found(), 1) > 0);
    QTest::keyClick(&edit, Qt::Key_Return, Qt::ControlModifier);
    QCOMPARE(window.session().selection().filter().text, std::string("launch"));
    edit.setText("launch");
    QTRY_VERIFY(!count.text().startsWith("Invalid"));
    // Each has its tick above the rows, at the very pixel, at every scale.
    Ruler& ruler = window.timeline().ruler();
    for (const TimeRange range : {session, TimeRange{480, 980}}) {
        window.session().time().show(range);
        QTRY_VERIFY(ruler.isReady());
        std::vector<int> expected;
        const TimeAxis axis{window.session().time().shown(), static_cast<double>(ruler.width())};
        for (const Ns start : {500, 800, 1100}) {
            if (window.session().time().shown().contains(start))
                expected.push_back(static_cast<int>(axis.xAt(start)));
        }
        QVERIFY(!expected.empty());
        QCOMPARE(ruler.ticks(), expected);
    }
    // Another report asks other questions.
    window.open(WARPLINE_SOURCE_DIR "/resources/sample.sqlite");
    QTRY_VERIFY(edit.text().isEmpty());
    QVERIFY(count.text().isEmpty());
}

void MainWindowTest::messagesAreOverAfterAWhile()
{
    MainWindow window(Theme::light());
    window.resize(1200, 800);
    window.show();
    QVERIFY(opensAndSettles(window, QString::fromStdString(m_fixture.path())));
    const auto* const status = window.findChild<QLabel*>("status");
    QVERIFY(status);
    const QString before = status->text();
    emit window.panel<FindingsPanel>().messages("Event 2 of 30");
    QCOMPARE(status->text(), QString("Event 2 of 30"));
    QTest::qWait(300);
    window.session().selection().setCurrentEvent(
        {ReportId{}, {EventKind::Kernel, 1}}); // the next thing the user does
    QCOMPARE(status->text(), before);
    QVERIFY(before.isEmpty()); // the timeline says how many events there are
    // With the marks goes what it says about them.
    window.session().selection().setCurrentEvent({});
    window.session().selection().markRange({1000, 2000});
    emit window.panel<FindingsPanel>().messages("Event 2 of 30");
    QTest::qWait(300);
    window.session().selection().markRange({1000, 3000});
    QVERIFY(!status->text().isEmpty());
    window.session().selection().clear();
    QVERIFY(status->text().isEmpty());
}

void MainWindowTest::everyTableCanBeHandedOn()
{
    MainWindow window(Theme::light());
    const QList<QTableView*> tables = window.findChildren<QTableView*>();
    QVERIFY(tables.size() > 10);
    for (const QTableView* const table : tables) {
        QStringList within;
        for (const QWidget* around = table->parentWidget(); around; around = around->parentWidget())
            within << around->metaObject()->className();
        QVERIFY2(table->contextMenuPolicy() == Qt::CustomContextMenu,
            qPrintable(QString("%1 in %2").arg(table->objectName(), within.join(" in "))));
    }
    for (const TableExport* const each : window.findChildren<TableExport*>()) {
        QStringList entries;
        for (const QAction* const action : each->menu()->actions())
            entries << action->text();
        QCOMPARE(entries.mid(0, 4), (QStringList{"Copy", "Copy as CSV", "Copy as Markdown", "Copy as JSON"}));
    }
}

void MainWindowTest::withoutAReportThereIsNothingToExport()
{
    MainWindow window(Theme::light());
    window.resize(1200, 800);
    window.show();
    const auto exports = [&] {
        for (const QMenu* const menu : window.findChildren<QMenu*>()) {
            if (menu->title() == "&Export")
                return menu->menuAction()->isEnabled();
        }
        return true;
    };
    QVERIFY(!exports());
    QVERIFY(opensAndSettles(window, QString::fromStdString(m_fixture.path())));
    QVERIFY(exports());
    window.closeReport();
    QVERIFY(!exports());
}

/// A new report begins with its overview, whatever was shown last; a request of the user wins.
void MainWindowTest::aNewReportBeginsOnTheOverview()
{
    const QString path = QString::fromStdString(m_fixture.path());
    const auto inFront = [](const MainWindow& window, const char* id) {
        const auto* const dock = window.findChild<QDockWidget*>(id);
        return dock && dock->isVisible() && !dock->visibleRegion().isEmpty();
    };
    MainWindow window(Theme::light());
    window.resize(1200, 800);
    window.show();
    QSignalSpy settled(&window, &MainWindow::settled);
    window.open(path);
    QTRY_VERIFY(settled.count() > 0);
    QTRY_VERIFY(inFront(window, "overview"));
    for (const char* const before : {"events", "details", "findings"}) {
        window.docks().showPanel(before);
        QTRY_VERIFY2(inFront(window, before), before);
        settled.clear();
        window.open(path);
        QTRY_VERIFY2(settled.count() > 0, before);
        QTRY_VERIFY2(inFront(window, "overview"), before);
    }
    window.docks().togglePlace(PanelPlace::Beside);
    settled.clear();
    window.open(path);
    QTRY_VERIFY(settled.count() > 0);
    QVERIFY(!window.docks().isPlaceOpen(PanelPlace::Beside)); // the user has closed it

    MainWindow asked(Theme::light());
    asked.resize(1200, 800);
    asked.docks().showPanel("budget"); // before there is a report, as --panel does
    asked.show();
    QSignalSpy shown(&asked, &MainWindow::settled);
    asked.open(path);
    QTRY_VERIFY(shown.count() > 0);
    QTRY_VERIFY(inFront(asked, "steps"));
    StepsPanel& steps = asked.panel<StepsPanel>();
    QCOMPARE(&steps.shown(), static_cast<StepsView*>(&steps.gpuTime()));
}

void MainWindowTest::everyPanelOfTheListHasItsPlace()
{
    QFile page(WARPLINE_SOURCE_DIR "/docs/manual/panels.md");
    QVERIFY(page.open(QIODevice::ReadOnly));
    const QString manual = page.readAll();
    MainWindow window(Theme::light());
    window.resize(1200, 800);
    window.show();
    QVERIFY(opensAndSettles(window, QString::fromStdString(m_fixture.path())));
    for (const PanelKind* const kind : allPanels()) {
        QVERIFY2(window.docks().showPanel(kind->id), kind->id);
        auto* const dock = window.findChild<QDockWidget*>(kind->id);
        QVERIFY2(dock && dock->isVisible(), kind->id);
        QVERIFY2(qobject_cast<Panel*>(dock->widget()), kind->id);
        QVERIFY2(manual.contains(QString("- **%1**: ").arg(kind->title)), kind->id);
        const QAction* const shows = window.actions().find(QString("panel.") + kind->id);
        QVERIFY2(shows && shows->isCheckable(), kind->id);
        QCOMPARE(shows->text(), QString(kind->title));
        QVERIFY2(shows->toolTip().startsWith(kind->help), kind->id);
    }
    QVERIFY(!window.docks().showPanel("nothing"));
    emit window.session().panelRequested("steps"); // as views ask for it
    QVERIFY(window.findChild<QDockWidget*>("steps")->isVisible());
}

void MainWindowTest::startPageSaysWhatIsGoneWhenItIsSeen()
{
    const QString path = QString::fromStdString(m_fixture.path());
    QSettings().setValue("recent", QStringList{path, "/nowhere/gone.sqlite"});
    StartPage page;
    QVERIFY(page.recent().toPlainText().isEmpty()); // a start with a report need not look for others
    page.show();
    QVERIFY(page.recent().toHtml().contains("recent:1")); // a dead server is not waited for
    QTRY_VERIFY(page.recent().toPlainText().contains("File not found"));
    QVERIFY(page.recent().toHtml().contains("recent:0"));
    QVERIFY(!page.recent().toHtml().contains("recent:1"));
    QVERIFY(page.recent().toPlainText().contains("gone.sqlite"));
}

void MainWindowTest::recentPathsHaveNoMnemonics()
{
    QSettings().setValue("recent", QStringList{"/R&D/run.sqlite", "/R&D/a.sqlite\n/R&D/b.sqlite"});
    MainWindow window(Theme::light());
    QStringList texts;
    for (QMenu* const menu : window.findChildren<QMenu*>()) {
        if (menu->title() != "Open recen&t")
            continue;
        emit menu->aboutToShow();
        for (const QAction* const action : menu->actions())
            texts << action->text();
    }
    QVERIFY2(texts.contains("/R&&D/run.sqlite"), qPrintable(texts.join('\n')));
    QVERIFY(texts.contains("/R&&D: a.sqlite to b.sqlite (2 reports)"));
}

void MainWindowTest::helpNeedsNoDisplay_data()
{
    QTest::addColumn<QString>("option");
    for (const char* const option : {"-h", "--help", "-v", "--version"})
        QTest::newRow(option) << option;
}

void MainWindowTest::helpNeedsNoDisplay()
{
    QFETCH(QString, option);
    QProcessEnvironment bare = QProcessEnvironment::systemEnvironment();
    for (const char* const name : {"QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"})
        bare.remove(name);
    QProcess process;
    process.setProcessEnvironment(bare);
    process.start(QCoreApplication::applicationDirPath() + "/warpline", {option});
    QVERIFY(process.waitForFinished(60'000));
    QCOMPARE(process.exitStatus(), QProcess::NormalExit);
    QCOMPARE(process.exitCode(), 0);
    QVERIFY(process.readAllStandardOutput().contains("warpline"));
}

void MainWindowTest::runningTakesReportsAlone_data()
{
    QTest::addColumn<QStringList>("option");
    QTest::newRow("range") << QStringList{"--range", "1us:2us"};
    QTest::newRow("filter") << QStringList{"--filter", "scale"};
    QTest::newRow("steps") << QStringList{"--steps", "step_*"};
    QTest::newRow("view") << QStringList{"--view", "a.warpline"};
    QTest::newRow("panel") << QStringList{"--panel", "events"};
    QTest::newRow("panel by its title") << QStringList{"--panel", "Same name"};
    QTest::newRow("screenshot") << QStringList{"--screenshot", "a.png"};
    QTest::newRow("compare") << QStringList{"--compare", QString::fromStdString(m_fixture.path())};
}

void MainWindowTest::runningTakesReportsAlone()
{
    QFETCH(QStringList, option);
    const Run run = runProgram(
        QStringList{"--running"} + option + QStringList{QString::fromStdString(m_fixture.path())});
    QCOMPARE(run.code, 2);
    QVERIFY2(run.errors.contains("takes no " + option.front().toUtf8()), run.errors);
}

WARPLINE_TEST(MainWindowTest)

} // namespace tst_main_window

#include "tst_main_window.moc"
