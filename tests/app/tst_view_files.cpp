// View files in the window: written next to the report, opened automatically, never overwritten without
// confirmation, and without traces of where they were made.

#include "app/main_window.h"
#include "app/report_list.h"
#include "app/start_page.h"
#include "app/view_files.h"
#include "app/window_actions.h"
#include "core/load/load_report.h"
#include "core/render/render.h"
#include "core/rows/row_kind.h"
#include "core/store/machine_facts.h"
#include "core/store/trace.h"
#include "tests/app/rows_with_result.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"
#include "views/session/marks.h"
#include "views/session/result_rows.h"
#include "views/session/rule_settings.h"
#include "views/session/run_pair.h"
#include "views/style/color_choice.h"
#include "views/style/counter_scale.h"
#include "views/style/drawing_settings.h"
#include "views/style/rich_text.h"
#include "views/timeline/row_filter.h"
#include "views/timeline/timeline_pane.h"

#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPointer>
#include <QProcess>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTest>
#include <QTimer>

#include <filesystem>

namespace tst_view_files {

using namespace warpline;
using namespace warpline::test;

namespace {

/// Reports and their views without a window.
struct PlainViews {
    Session session;
    ReportList reports;
    ReportList others;
    ViewFiles views{session, reports, others};

    void show(const std::shared_ptr<const Trace>& trace) { session.setTrace(trace, buildRows(*trace)); }
    /// As it is while the rest of `whole` is read.
    void showPartOf(const Trace& whole)
    {
        const auto part = std::make_shared<Trace>(whole);
        part->complete = false;
        show(part);
    }
};

} // namespace

class ViewFilesTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QCoreApplication::setOrganizationName("warpline-test");
        QCoreApplication::setApplicationName("tst_view_files");
    }
    void init()
    {
        QSettings().clear();
        RuleSettings::setOfView({});
        RowFilter::setMineOfView({});
        DrawingSettings::setOfView({});
        m_fixture = std::make_unique<ReportFixture>();
        m_fixture->addSmallReport();
        m_view = QFileInfo(QString::fromStdString(m_fixture->path())).path() + "/"
            + QFileInfo(QString::fromStdString(m_fixture->path())).completeBaseName() + ".warpline";
    }

    void aViewIsWrittenAndOpensByItself();
    void theBundledReportHasItsViewElsewhere();
    void aViewThatWasNamedIsOpened();
    void aViewIsNotOfReportsOpenedLater();
    void theFileItselfOpensItsReport();
    void theFileOfSeveralOpensAllOfThem();
    void theFileOfAReportOfTheSameNameIsNoError();
    void theirOwnFileIsNotKeptForMoreReports();
    void aSavedViewIsAppliedToItsOpenReport();
    void aSavedViewEndsNoComparison();
    void aComparisonSavesTheViewOfA();
    void theEndOfAComparisonKeepsTheViewFile();
    void aSavedViewIsNamedWithItsReport();
    void aSavedViewWithoutItsReportSaysWhatToDo();
    void marksThatWereNotSavedAreKept();
    void unsavedMarksJoinThoseOfAChangedFile();
    void marksSavedElsewhereStayWithUnsavedOnes();
    void badFilesAreToldAndLeftAlone_data();
    void badFilesAreToldAndLeftAlone();
    void aLinkIsNotFollowedUnasked();
    void aFileThatCannotBeWrittenIsTold();
    void aViewIsNotSavedWhileReportsOpen();
    void aViewIsNotSavedAsThatOfReportsToCome();
    void aViewOfAPartIsNotSaved();
    void aFileThatDoesNotOpenChangesNoView();
    void whatIsDoneWhileAnotherReportLoadsIsKept();
    void whatIsDoneWhileAReportIsReloadedIsKept();
    void marksOfAPartJoinThoseOfAnotherRecording_data();
    void marksOfAPartJoinThoseOfAnotherRecording();
    void theRangeFitsAnotherRecording();
    void marksStayWithTheirProgram();
    void reloadingKeepsWhatAnotherWindowChanged();
    void reloadingAPartKeepsTheNamedView();
    void marksOfAPartAreKept();
    void marksOfAWindowThatClosesWhileItLoadsAreKept();
    void reloadingKeepsTheViewBeforeAComparisonMovesIt();
    void whatIsKeptIsNotOfOtherReports();
    void hidingAllReportsKeepsTheirView();
    void hidingAReportKeepsItsSqlRows();
    void removingAllReportsLeavesTheirFile();
    void aViewIsLeftWithItsReports();
    void rowsStayWhereTheFirstReportGoes();
    void aViewOfOtherReportsIsNotReplacedUnasked();
    void reloadingMakesNoViewOfOthersTheirs();
    void oneThatCannotBeReadAgainStaysWithTheView();
    void rowsStayWhereAnotherReportCanBeReadAgain();
    void overwritingIsAskedFor();
    void aNameWithoutItsEndingReplacesNothingUnasked();
    void thresholdsAreTheViews();
    void nothingOfTheMachineIsInIt();
    void rowsAndColoursAreTheViews();
    void myRowsAndAnswersAreTheViews();
    void myRowsOfAViewGoWithIt();
    void rowsOfAViewBeforeAreTheUsers();
    void changesSinceTheFileWasReadStay_data();
    void changesSinceTheFileWasReadStay();
    void aRowThatFailsStaysInTheView();
    void thePictureProgramTakesAView();

private:
    void open(MainWindow& window) { open(window, QString::fromStdString(m_fixture->path())); }
    static void open(MainWindow& window, const QString& path, const QString& view = {})
    {
        window.resize(1200, 800);
        window.show();
        QSignalSpy settled(&window, &MainWindow::settled);
        window.openAll({path}, view);
        QTRY_VERIFY(settled.count() > 0);
        QTRY_VERIFY(window.session().workspace().isComplete() && !window.session().isEmpty());
    }
    /// Saves a view with a bookmark "named" away from the report, and forgets it. Returns where.
    QString savedElsewhere()
    {
        const QString path = m_fixture->folder() + "/other.warpline";
        {
            MainWindow window(Theme::light());
            open(window);
            window.session().marks().add({{10, 20}, "named"});
            window.views().saveAs(path);
        }
        QSettings().clear();
        return path;
    }
    /// Next to the report, where both have a view of one name. Returns where.
    QString addTraceOfTheSameName()
    {
        const QString path
            = QFileInfo(m_view).path() + '/' + QFileInfo(m_view).completeBaseName() + ".json.gz";
        if (!QFile::copy(WARPLINE_TEST_DATA "/loops/pageable.json.gz", path))
            qFatal("cannot copy to %s", qPrintable(path));
        return path;
    }
    static QByteArray contentOf(const QString& path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    static void put(const QString& path, const QByteArray& content)
    {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(content);
    }

    static const Rule* ruleWithThreshold()
    {
        const Rule* found = nullptr;
        for (const Rule* const each : allRules()) {
            if (!each->thresholds.empty())
                found = each;
        }
        return found;
    }
    /// As a view that has another first threshold of `rule`.
    static void judgeOtherwise(const Rule& rule)
    {
        const Threshold& threshold = rule.thresholds.front();
        RuleSettings::setOfView(
            {{std::string(rule.id) + "." + std::string(threshold.key), threshold.value * 3 + 1}});
    }

    std::unique_ptr<ReportFixture> m_fixture;
    QString m_view;
};

void ViewFilesTest::aViewIsWrittenAndOpensByItself()
{
    TimeRange shown;
    {
        MainWindow window(Theme::light());
        open(window);
        Session& session = window.session();
        const TimeRange all = session.session();
        session.time().show({all.start + all.duration() / 4, all.start + all.duration() / 2});
        shown = session.time().shown();
        session.marks().add({shown, "look here", "blue"});
        session.rowView().setPinned(session.rowView().visibleChildren(RowTree::root).front(), true);
        window.actions().find("file.saveView")->trigger();
        QVERIFY2(QFile::exists(m_view), qPrintable(m_view));
        QVERIFY(!session.marks().isChanged());
    }
    QSettings().clear(); // a colleague's machine
    MainWindow window(Theme::light());
    open(window);
    QCOMPARE(window.session().marks().all().size(), std::size_t{1});
    QCOMPARE(window.session().marks().all()[0].text, std::string("look here"));
    QVERIFY(window.session().time().shown() == shown);
    QVERIFY(window.session().rowView().isPinned(
        window.session().rowView().visibleChildren(RowTree::root).front()));
    QVERIFY(!window.session().marks().isChanged());
    window.closeReport();
    QVERIFY(window.session().marks().all().empty());
}

/// Its folder is the program's: nothing is written there.
void ViewFilesTest::theBundledReportHasItsViewElsewhere()
{
    QStandardPaths::setTestModeEnabled(true);
    const QString sample = StartPage::samplePath();
    QVERIFY(!sample.isEmpty());
    const QDir folder = QFileInfo(sample).dir();
    const QStringList before = folder.entryList();
    QString path;
    {
        MainWindow window(Theme::light());
        open(window, sample);
        window.session().marks().add({{10, 20}, "mine"});
        window.actions().find("file.saveView")->trigger();
        QVERIFY(!window.session().marks().isChanged());
        path = window.views().path();
    }
    QCOMPARE(folder.entryList(), before);
    QVERIFY2(QFileInfo(path).exists() && QFileInfo(path).dir() != folder, qPrintable(path));
    QSettings().clear();
    {
        MainWindow window(Theme::light());
        open(window, sample);
        QCOMPARE(window.session().marks().all().size(), std::size_t{1});
    }
    QVERIFY(QFile::remove(path));
    QStandardPaths::setTestModeEnabled(false);
}

void ViewFilesTest::aViewThatWasNamedIsOpened()
{
    const QString elsewhere = m_fixture->folder() + "/other.warpline";
    {
        MainWindow window(Theme::light());
        open(window);
        window.session().marks().add({{10, 20}, "named"});
        QVERIFY(window.views().saveAs(elsewhere) == ViewFiles::Outcome::Written);
        QVERIFY(!QFile::exists(m_view));
        QCOMPARE(window.views().path(), elsewhere);
    }
    QSettings().clear();
    MainWindow window(Theme::light());
    open(window, QString::fromStdString(m_fixture->path()), elsewhere);
    QCOMPARE(window.session().marks().all().size(), std::size_t{1});
    QCOMPARE(window.views().path(), elsewhere);
    // Another report has no part in it.
    ReportFixture other;
    other.addSmallReport();
    open(window, QString::fromStdString(other.path()));
    QVERIFY(window.session().marks().all().empty() || !window.session().marks().isChanged());
}

/// Where nothing is found that it was named for.
void ViewFilesTest::aViewIsNotOfReportsOpenedLater()
{
    const QString elsewhere = savedElsewhere();
    const QTemporaryDir none;
    MainWindow window(Theme::light());
    QSignalSpy failed(&window, &MainWindow::openFailed);
    window.openAll({none.path()}, elsewhere);
    QTRY_VERIFY(!failed.isEmpty());
    open(window);
    QVERIFY(window.session().marks().all().empty());
    QCOMPARE(window.views().path(), m_view);
}

void ViewFilesTest::theFileItselfOpensItsReport()
{
    {
        MainWindow window(Theme::light());
        open(window);
        window.session().marks().add({{10, 20}, "named"});
        QVERIFY(window.views().save() == ViewFiles::Outcome::Written);
    }
    // Also under another name, and where the report next to it has the name of its own.
    const QString report = QString::fromStdString(m_fixture->path());
    const QString named = m_fixture->folder() + "/mine.warpline";
    QVERIFY(QFile::copy(m_view, named));
    addTraceOfTheSameName();
    for (const QString& view : {m_view, named}) {
        QSettings().clear();
        MainWindow window(Theme::light());
        open(window, view);
        QTRY_COMPARE(window.session().marks().all().size(), std::size_t{1});
        QCOMPARE(window.reports().names(), QStringList{report});
        QCOMPARE(window.views().path(), view);
        QVERIFY(window.views().save() == ViewFiles::Outcome::Written); // known: it was read
    }
}

void ViewFilesTest::theFileOfSeveralOpensAllOfThem()
{
    const QString other = m_fixture->folder() + "/a.sqlite";
    QVERIFY(QFile::copy(WARPLINE_TEST_DATA "/reports/um.sqlite", other));
    const QStringList both{QString::fromStdString(m_fixture->path()), other};
    const auto areOpen = [](MainWindow& window) {
        return window.session().workspace().reports().size() == 2 && window.isSettled();
    };
    const QString named = m_fixture->folder() + "/mine.warpline";
    QString own;
    {
        MainWindow window(Theme::light());
        window.openAll(both);
        QTRY_VERIFY_WITH_TIMEOUT(areOpen(window), 30'000);
        window.session().marks().add({{10, 20}, "of both"});
        own = window.views().path();
        QVERIFY(window.views().save() == ViewFiles::Outcome::Written);
        QVERIFY(window.views().saveAs(named) == ViewFiles::Outcome::Written);
    }
    for (const QString& view : {own, named}) {
        QSettings().clear();
        MainWindow window(Theme::light());
        window.open(view);
        QTRY_VERIFY_WITH_TIMEOUT(areOpen(window), 30'000);
        QTRY_COMPARE(window.session().marks().all().size(), std::size_t{1});
        QCOMPARE(window.reports().names(), both); // in the order of the view
        QCOMPARE(window.views().path(), view);
    }
}

/// decode.warpline of decode.sqlite, where decode.json.gz is open.
void ViewFilesTest::theFileOfAReportOfTheSameNameIsNoError()
{
    const QString report = QString::fromStdString(m_fixture->path());
    const QString trace = addTraceOfTheSameName();
    const QByteArray content = R"({"warpline_view": 1, "reports": [{"bytes": )"
        + QByteArray::number(QFileInfo(report).size()) + R"(, "session_ns": [0, 3]}]})";
    put(m_view, content);
    for (const QString& path : {trace, report}) {
        MainWindow window(Theme::light());
        QSignalSpy failed(&window.views(), &ViewFiles::failed);
        open(window, path);
        QCOMPARE(window.views().path(), m_view);
        QCOMPARE(failed.count(), path == report ? 1 : 0); // it has other times
        QVERIFY(window.views().save() == ViewFiles::Outcome::Foreign);
        QVERIFY(!window.views().isOfThese());
    }
    QCOMPARE(contentOf(m_view), content);
}

/// Also where it was named.
void ViewFilesTest::theirOwnFileIsNotKeptForMoreReports()
{
    const QString report = QString::fromStdString(m_fixture->path());
    {
        MainWindow window(Theme::light());
        open(window);
        QVERIFY(window.views().save() == ViewFiles::Outcome::Written);
    }
    for (const bool isOpen : {false, true}) {
        MainWindow window(Theme::light());
        if (isOpen)
            open(window);
        QSignalSpy said(&window.views(), &ViewFiles::said);
        window.openAll(isOpen ? QStringList{m_view} : QStringList{report, m_view});
        QTRY_VERIFY_WITH_TIMEOUT(!said.isEmpty() && window.isSettled(), 30'000);
        QCOMPARE(window.views().path(), m_view);
        QVERIFY(window.views().save() == ViewFiles::Outcome::Written); // known: it was read
        window.add({WARPLINE_TEST_DATA "/reports/um.sqlite"});
        QTRY_VERIFY_WITH_TIMEOUT(
            window.session().workspace().reports().size() == 2 && window.isSettled(), 30'000);
        QVERIFY(window.views().path() != m_view);
        window.reports().remove(1);
        QCOMPARE(window.views().path(), m_view);
        QVERIFY(window.views().save() == ViewFiles::Outcome::Written);
    }
}

void ViewFilesTest::aSavedViewIsAppliedToItsOpenReport()
{
    const QString elsewhere = savedElsewhere();
    MainWindow window(Theme::light());
    open(window);
    const auto trace = window.session().sharedTrace();
    window.session().marks().add({{30, 40}, "not saved"});
    QSignalSpy failed(&window, &MainWindow::openFailed);
    window.open(elsewhere);
    QTRY_COMPARE(window.session().marks().all().size(), std::size_t{2});
    QTRY_VERIFY(window.isSettled());
    QCOMPARE(window.session().marks().all()[0].text, std::string("named"));
    QCOMPARE(window.session().marks().all()[1].text, std::string("not saved"));
    QVERIFY(window.session().sharedTrace() == trace);
    QCOMPARE(window.views().path(), elsewhere);
    QVERIFY(window.session().marks().isChanged());
    QVERIFY(window.views().save() == ViewFiles::Outcome::Written); // known: it was read
    QVERIFY(failed.isEmpty());
    // One of a newer Warpline says so, and changes nothing.
    QSignalSpy refused(&window.views(), &ViewFiles::failed);
    const QByteArray newer(R"({"warpline_view": 7})");
    put(elsewhere, newer);
    window.open(elsewhere);
    QTRY_COMPARE(refused.count(), 1);
    QVERIFY2(refused[0][0].toString().contains("newer Warpline"), qPrintable(refused[0][0].toString()));
    QCOMPARE(window.session().marks().all().size(), std::size_t{2});
    QCOMPARE(contentOf(elsewhere), newer);
}

/// B is still loading.
void ViewFilesTest::aSavedViewEndsNoComparison()
{
    const QString elsewhere = savedElsewhere();
    MainWindow window(Theme::light());
    open(window);
    window.compareWith({WARPLINE_TEST_DATA "/reports/um.sqlite"});
    QVERIFY(window.otherReports().isLoading());
    window.open(elsewhere);
    QTRY_COMPARE(window.session().marks().all().size(), std::size_t{1});
    QTRY_VERIFY_WITH_TIMEOUT(window.session().pair().isOn() && window.isSettled(), 30'000);
}

void ViewFilesTest::aComparisonSavesTheViewOfA()
{
    MainWindow window(Theme::light());
    open(window);
    QSignalSpy said(&window.views(), &ViewFiles::said);
    QVERIFY(window.views().save() == ViewFiles::Outcome::Written);
    QCOMPARE(said.last().first().toString(), "Saved the view to " + m_view);
    window.compareWith({WARPLINE_TEST_DATA "/reports/um.sqlite"});
    QTRY_VERIFY_WITH_TIMEOUT(window.session().pair().isOn() && window.isSettled(), 30'000);
    QVERIFY(window.views().save() == ViewFiles::Outcome::Written);
    QCOMPARE(said.last().first().toString(), "Saved the view of A to " + m_view);
}

void ViewFilesTest::theEndOfAComparisonKeepsTheViewFile()
{
    MainWindow window(Theme::light());
    open(window);
    window.add({WARPLINE_TEST_DATA "/reports/um.sqlite"});
    QTRY_VERIFY_WITH_TIMEOUT(
        window.session().workspace().reports().size() == 2 && window.isSettled(), 30'000);
    const QString elsewhere = m_fixture->folder() + "/other.warpline";
    QVERIFY(window.views().saveAs(elsewhere) == ViewFiles::Outcome::Written);
    window.compareOpenReports();
    QTRY_VERIFY_WITH_TIMEOUT(window.session().pair().isOn() && window.isSettled(), 30'000);
    window.endComparison();
    QTRY_VERIFY_WITH_TIMEOUT(
        window.session().workspace().reports().size() == 2 && window.isSettled(), 30'000);
    QCOMPARE(window.views().path(), elsewhere);
    QVERIFY(window.views().save() == ViewFiles::Outcome::Written); // known: it was read
}

void ViewFilesTest::aSavedViewIsNamedWithItsReport()
{
    const QString elsewhere = savedElsewhere();
    const QString report = QString::fromStdString(m_fixture->path());
    for (const QStringList& names : {QStringList{report, elsewhere}, QStringList{elsewhere, report}}) {
        QSettings().clear();
        MainWindow window(Theme::light());
        QSignalSpy failed(&window, &MainWindow::openFailed);
        window.openAll(names);
        QTRY_VERIFY(!window.session().isEmpty() && window.isSettled());
        QTRY_COMPARE(window.session().marks().all().size(), std::size_t{1});
        QCOMPARE(window.views().path(), elsewhere);
        QVERIFY(failed.isEmpty());
        QCOMPARE(window.reports().names(), QStringList{report});
        // It is not of the next one.
        window.open(WARPLINE_TEST_DATA "/reports/um.sqlite");
        QTRY_VERIFY_WITH_TIMEOUT(
            window.session().report().label == "um.sqlite" && window.isSettled(), 30'000);
        QVERIFY(window.session().marks().all().empty());
        QVERIFY(window.views().path() != elsewhere);
    }
}

void ViewFilesTest::aSavedViewWithoutItsReportSaysWhatToDo()
{
    const QTemporaryDir folder; // without the report
    const QString elsewhere = folder.filePath("other.warpline");
    QVERIFY(QFile::rename(savedElsewhere(), elsewhere));
    const auto read = loadReport(m_fixture->path());
    QVERIFY(read.ok());
    const QString length = durationText(read.value()->session.duration());
    MainWindow window(Theme::light());
    QSignalSpy failed(&window, &MainWindow::openFailed);
    const auto isTold = [&] {
        const QString text = failed.last().first().toString();
        return text.contains("a report that lasts " + length)
            && text.contains("Open that report alone, then this file.");
    };
    window.open(elsewhere);
    QTRY_COMPARE(failed.count(), 1);
    QVERIFY2(isTold(), qPrintable(failed.last().first().toString()));
    open(window, WARPLINE_TEST_DATA "/reports/um.sqlite");
    window.open(elsewhere); // it is of another report
    QTRY_COMPARE(failed.count(), 2);
    QVERIFY(isTold());
    QVERIFY(window.session().marks().all().empty());
    QVERIFY(window.views().path() != elsewhere);
    open(window); // as the message says
    window.open(elsewhere);
    QTRY_COMPARE(window.session().marks().all().size(), std::size_t{1});
    QCOMPARE(failed.count(), 2);
}

void ViewFilesTest::marksThatWereNotSavedAreKept()
{
    {
        MainWindow window(Theme::light());
        open(window);
        window.session().marks().add({{10, 20}, "saved"});
        window.session().marks().setNotes("first");
        QVERIFY(window.views().save() == ViewFiles::Outcome::Written);
        window.session().marks().add({{30, 40}, "not saved"});
        window.session().marks().setNotes("second");
        window.close();
    }
    {
        MainWindow window(Theme::light());
        open(window);
        QCOMPARE(window.session().marks().all().size(), std::size_t{2});
        QVERIFY(window.session().marks().isChanged());
        window.close();
    }
    // Another file from a colleague: its contents, and unsaved changes.
    QByteArray content = contentOf(m_view);
    content.replace("\"saved\"", "\"sent\"").replace("\"first\"", "\"third\"");
    put(m_view, content);
    MainWindow window(Theme::light());
    open(window);
    std::set<std::string> texts;
    for (const Mark& mark : window.session().marks().all())
        texts.insert(mark.text);
    QVERIFY(texts.contains("sent") && texts.contains("not saved"));
    QCOMPARE(window.session().marks().notes(), QString("second\n\nthird"));
    QCOMPARE(texts.size(), std::size_t{2}); // not "saved", which is "sent" there
}

/// However often the file is changed and read.
void ViewFilesTest::unsavedMarksJoinThoseOfAChangedFile()
{
    const auto markOf = [](int i, const std::string& text) { return Mark{{i * 20, i * 20 + 10}, text}; };
    {
        MainWindow window(Theme::light());
        open(window);
        for (const int i : {1, 2, 3})
            window.session().marks().add(markOf(i, "saved " + std::to_string(i)));
        window.session().marks().setNotes("of the file 0\n\nlast line");
        QVERIFY(window.views().save() == ViewFiles::Outcome::Written);
        window.session().marks().change(0, markOf(1, "changed"));
        window.session().marks().remove(1);
        window.session().marks().add(markOf(4, "added"));
        window.session().marks().setNotes("of the file 0\n\nlast line\n\nunsaved");
        window.close();
    }
    const QByteArray first = contentOf(m_view);
    std::unique_ptr<MainWindow> window;
    for (int i = 1; i < 5; ++i) {
        const QByteArray number = QByteArray::number(i);
        put(m_view,
            QByteArray(first).replace("saved 3", "by another " + number).replace("file 0", "file " + number));
        for (const bool isAgain : {false, true}) {
            if (window)
                window->close(); // what is unsaved is kept
            window = std::make_unique<MainWindow>(Theme::light());
            open(*window);
            QCOMPARE(window->session().marks().all(),
                (std::vector<Mark>{markOf(1, "changed"), markOf(3, "by another " + number.toStdString()),
                    markOf(4, "added")}));
            QCOMPARE(
                window->session().marks().notes(), QString("last line\n\nunsaved\n\nof the file %1").arg(i));
            if (isAgain)
                open(*window); // in the same window
            QCOMPARE(window->session().marks().all().size(), std::size_t{3});
        }
    }
    QVERIFY(window->views().save() == ViewFiles::Outcome::Written); // known: it was read
    QVERIFY(!window->session().marks().isChanged());
}

/// The file next to the report, which has fewer, is read when it opens again.
void ViewFilesTest::marksSavedElsewhereStayWithUnsavedOnes()
{
    const std::vector<Mark> all{{{10, 20}, "in both"}, {{30, 40}, "elsewhere"}, {{50, 60}, "unsaved"}};
    {
        MainWindow window(Theme::light());
        open(window);
        Marks& marks = window.session().marks();
        marks.add(all[0]);
        marks.setNotes("in both");
        QVERIFY(window.views().save() == ViewFiles::Outcome::Written);
        marks.add(all[1]);
        marks.setNotes("in both\n\nelsewhere");
        QVERIFY(
            window.views().saveAs(m_fixture->folder() + "/other.warpline") == ViewFiles::Outcome::Written);
        marks.add(all[2]);
        window.close();
    }
    for (int i = 0; i < 2; ++i) {
        MainWindow window(Theme::light());
        open(window);
        QCOMPARE(QFileInfo(window.views().path()).fileName(), QFileInfo(m_view).fileName());
        QCOMPARE(window.session().marks().all(), all);
        QCOMPARE(window.session().marks().notes(), QString("in both\n\nelsewhere"));
        QVERIFY(window.session().marks().isChanged());
        window.close();
    }
}

void ViewFilesTest::badFilesAreToldAndLeftAlone_data()
{
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("said");
    QTest::newRow("broken") << QByteArray("{\"warpline_view\": 1,") << "is not valid JSON";
    QTest::newRow("newer") << QByteArray(R"({"warpline_view": 7})") << "newer Warpline";
    QTest::newRow("other") << QByteArray(R"({"warpline_view": 1, "reports": [{"session_ns": [0, 3]}]})")
                           << "is a view of a report that lasts 3 ns";
    QTest::newRow("others") << QByteArray(R"({"warpline_view": 1, "reports": [{}, {}]})")
                            << "is a view of 2 reports. Open all of them together";
}

void ViewFilesTest::badFilesAreToldAndLeftAlone()
{
    QFETCH(QByteArray, content);
    QFETCH(QString, said);
    put(m_view, content);
    MainWindow window(Theme::light());
    QSignalSpy failed(&window.views(), &ViewFiles::failed);
    open(window);
    QCOMPARE(failed.count(), 1);
    QVERIFY2(failed[0][0].toString().contains(said), qPrintable(failed[0][0].toString()));
    window.session().marks().add({{10, 20}, "mine"});
    QVERIFY(window.views().save() == ViewFiles::Outcome::Foreign);
    window.close();
    QCOMPARE(contentOf(m_view), content);
}

/// A link beside a report would make the file that it names, anywhere.
void ViewFilesTest::aLinkIsNotFollowedUnasked()
{
    const QString target = m_fixture->folder() + "/elsewhere";
    QFile::remove(m_view);
    QVERIFY(QFile::link(target, m_view));
    MainWindow window(Theme::light());
    open(window);
    window.session().marks().add({{10, 20}, "mine"});
    QVERIFY(window.views().save() == ViewFiles::Outcome::Foreign);
    QVERIFY(!QFile::exists(target));
    QVERIFY(window.views().save(true) == ViewFiles::Outcome::Written);
    QVERIFY(QFile::exists(target));
}

void ViewFilesTest::aFileThatCannotBeWrittenIsTold()
{
    MainWindow window(Theme::light());
    open(window);
    QSignalSpy failed(&window.views(), &ViewFiles::failed);
    QVERIFY(window.views().saveAs(m_fixture->folder() + "/no/such/folder/x.warpline")
        == ViewFiles::Outcome::Failed);
    QCOMPARE(failed.count(), 1);
    QVERIFY(failed[0][0].toString().contains("Cannot write"));
    QVERIFY(failed[0][0].toString().endsWith(". Choose another folder.")); // one advice
    QCOMPARE(failed[0][0].toString().count(". "), 1);
    QCOMPARE(QFileInfo(window.views().path()).fileName(), QFileInfo(m_view).fileName());
    // Nor is what could not be read again.
    window.session().marks().setAll({}, QString("a line\n").repeated(1 << 18));
    QVERIFY(window.views().save() == ViewFiles::Outcome::Failed);
    QVERIFY(failed.last().first().toString().contains("too large"));
    QVERIFY(!QFile::exists(m_view));
}

void ViewFilesTest::aViewIsNotSavedWhileReportsOpen()
{
    MainWindow window(Theme::light());
    open(window);
    QSignalSpy failed(&window.views(), &ViewFiles::failed);
    window.open(WARPLINE_TEST_DATA "/reports/um.sqlite");
    QVERIFY(window.views().save() == ViewFiles::Outcome::Failed);
    QVERIFY(failed.last().first().toString().contains("Wait"));
}

/// The first of them is read, but not shown: it waits for the other, which nsys exports.
void ViewFilesTest::aViewIsNotSavedAsThatOfReportsToCome()
{
    const QTemporaryDir folder;
    const QString next = folder.filePath("next.sqlite");
    const QString recorded = folder.filePath("run.nsys-rep");
    const QString nsys = folder.filePath("nsys");
    QVERIFY(QFile::copy(WARPLINE_TEST_DATA "/reports/um.sqlite", next));
    put(recorded, "recorded");
    put(nsys, "#!/bin/sh\ncase \"$*\" in *--output*) exec sleep 60;; esac\n");
    QVERIFY(QFile::setPermissions(nsys, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    QSettings().setValue("nsysProgram", nsys);
    for (const bool isAdded : {false, true}) {
        MainWindow window(Theme::light());
        window.setCacheUsed(false);
        open(window);
        const QString own = window.views().path();
        const std::size_t place = isAdded ? 1 : 0;
        if (isAdded)
            window.add({next, recorded});
        else
            window.openAll({next, recorded});
        const auto& listed = window.reports().reports();
        QTRY_VERIFY_WITH_TIMEOUT(listed.size() > place && listed[place].isThere(), 30'000);
        QCOMPARE(window.session().workspace().reports().size(), std::size_t{1});
        QCOMPARE(window.views().path(), isAdded ? own : QString());
        QVERIFY(
            window.views().save() == (isAdded ? ViewFiles::Outcome::Written : ViewFiles::Outcome::Failed));
        QCOMPARE(QDir(folder.path()).entryList({"*.warpline"}), QStringList());
        window.reports().cancel();
        QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), 30'000);
    }
}

void ViewFilesTest::aViewOfAPartIsNotSaved()
{
    const auto read = loadReport(m_fixture->path());
    QVERIFY(read.ok());
    const QString path = m_fixture->folder() + "/of_a_part.warpline";
    PlainViews bare;
    auto& [session, reports, others, views] = bare;
    QSignalSpy failed(&views, &ViewFiles::failed);
    bare.showPartOf(*read.value());
    views.apply();
    QVERIFY(views.saveAs(path) == ViewFiles::Outcome::Failed);
    QCOMPARE(failed.count(), 1);
    QVERIFY(!QFile::exists(path));
    session.setTrace(read.value(), buildRows(*read.value()));
    views.apply();
    QVERIFY(views.saveAs(path) == ViewFiles::Outcome::Written);
}

void ViewFilesTest::aFileThatDoesNotOpenChangesNoView()
{
    MainWindow window(Theme::light());
    open(window);
    Session& session = window.session();
    const TimeRange all = session.session();
    session.time().show({all.start, all.start + all.duration() / 4});
    QVERIFY(window.views().save() == ViewFiles::Outcome::Written);
    const TimeRange since{all.start + all.duration() / 2, all.end};
    session.time().show(since);
    QSignalSpy failed(&window, &MainWindow::openFailed);
    QSignalSpy said(&window.views(), &ViewFiles::said);
    window.open("/nowhere/at/all.sqlite");
    QTRY_COMPARE(failed.count(), 1);
    QTRY_VERIFY(window.isSettled());
    QVERIFY(session.time().shown() == since);
    QCOMPARE(said.count(), 0);
    // Nor does one that is removed while it loads, and then the report is changed.
    window.open(WARPLINE_TEST_DATA "/reports/um.sqlite");
    window.reports().remove(0);
    QTRY_VERIFY(window.isSettled());
    window.reports().change(0, {"another name", {}, true, {}, {}});
    QVERIFY(session.time().shown() == since);
    QVERIFY(window.views().save() == ViewFiles::Outcome::Written); // known as its own
    session.time().show({all.start, all.start + all.duration() / 4});
    QVERIFY(window.views().save() == ViewFiles::Outcome::Written);
    open(window); // the same again: then the view of the file
    QTRY_VERIFY(session.time().shown() == (TimeRange{all.start, all.start + all.duration() / 4}));
}

void ViewFilesTest::whatIsDoneWhileAnotherReportLoadsIsKept()
{
    MainWindow window(Theme::light());
    open(window);
    Session& session = window.session();
    const auto firstRow = [&session] { return session.rowView().visibleChildren(RowTree::root).front(); };
    window.open(WARPLINE_TEST_DATA "/reports/um.sqlite");
    session.marks().add({{10, 20}, "meanwhile"});
    session.marks().setNotes("meanwhile");
    session.rowView().setPinned(firstRow(), true);
    QTRY_VERIFY_WITH_TIMEOUT(session.report().label == "um.sqlite" && window.isSettled(), 30'000);
    QVERIFY(session.marks().all().empty() && session.marks().notes().isEmpty());
    window.open(QString::fromStdString(m_fixture->path()));
    QTRY_VERIFY_WITH_TIMEOUT(session.report().label != "um.sqlite" && window.isSettled(), 30'000);
    QCOMPARE(session.marks().all().size(), std::size_t{1});
    QCOMPARE(session.marks().notes(), QString("meanwhile"));
    QVERIFY(session.rowView().isPinned(firstRow()));
    // While one is added, too.
    window.add({WARPLINE_TEST_DATA "/reports/um.sqlite"});
    session.marks().add({{30, 40}, "while one is added"});
    QTRY_VERIFY_WITH_TIMEOUT(session.workspace().reports().size() == 2 && window.isSettled(), 30'000);
    QCOMPARE(session.marks().all().size(), std::size_t{2});
    window.open(QString::fromStdString(m_fixture->path()));
    QTRY_VERIFY_WITH_TIMEOUT(session.workspace().reports().size() == 1 && window.isSettled(), 30'000);
    QCOMPARE(session.marks().all().size(), std::size_t{2});
}

void ViewFilesTest::whatIsDoneWhileAReportIsReloadedIsKept()
{
    MainWindow window(Theme::light());
    open(window);
    Session& session = window.session();
    session.marks().add({{10, 20}, "before"});
    const auto before = session.sharedTrace();
    for (const bool isOther : {false, true}) { // another recording has nothing in the settings
        const std::size_t marks = session.marks().all().size();
        if (isOther)
            m_fixture->run("CREATE TABLE later (x)");
        const auto old = session.sharedTrace();
        window.reopen();
        session.marks().add({{isOther ? 50 : 30, 60}, "meanwhile"});
        session.marks().setNotes(isOther ? "of the other" : "of the same");
        const TimeRange all = session.session();
        const TimeRange part{all.start + all.duration() / (isOther ? 4 : 2), all.end};
        session.time().show(part);
        QTRY_VERIFY_WITH_TIMEOUT(session.sharedTrace() != old && window.isSettled(), 30'000);
        QCOMPARE(session.marks().all().size(), marks + 1);
        QCOMPARE(session.marks().notes(), QString(isOther ? "of the other" : "of the same"));
        QCOMPARE(session.time().shown(), part);
    }
    QVERIFY(session.trace().info.fileBytes != before->info.fileBytes);
}

void ViewFilesTest::marksOfAPartJoinThoseOfAnotherRecording_data()
{
    QTest::addColumn<bool>("hasOwn");
    QTest::newRow("a new recording") << false;
    QTest::newRow("one with bookmarks of its own") << true;
}

/// A part of the recording is shown, and the settings keep what is made there, before all of it is there.
void ViewFilesTest::marksOfAPartJoinThoseOfAnotherRecording()
{
    QFETCH(const bool, hasOwn);
    const auto read = loadReport(m_fixture->path());
    QVERIFY(read.ok());
    const auto later = std::make_shared<Trace>(*read.value());
    later->session.end += 1000;
    Session other;
    other.setTrace(later, buildRows(*later));
    if (hasOwn)
        other.marks().add({{70, 80}, "own"});
    other.saveState();
    PlainViews bare;
    auto& [session, reports, others, views] = bare;
    bare.show(read.value());
    views.apply();
    session.marks().add({{10, 20}, "before"});
    QVERIFY(views.saveAs(m_view) == ViewFiles::Outcome::Written);
    const auto leaveView = views.reloaded();
    session.saveState();
    leaveView();
    bare.showPartOf(*later);
    session.marks().add({{30, 40}, "meanwhile"});
    session.saveState();
    bare.show(later);
    views.apply();
    const auto textsIn = [](const Session& of) {
        QStringList texts;
        for (const Mark& mark : of.marks().all())
            texts << QString::fromStdString(mark.text);
        return texts;
    };
    const QStringList all = hasOwn ? QStringList{"meanwhile", "own"} : QStringList{"before", "meanwhile"};
    QCOMPARE(textsIn(session), all);
    session.saveState();
    Session again;
    again.setTrace(later, buildRows(*later));
    QCOMPARE(textsIn(again), all);
    // Those that are left out stay in their file, unless the user wants it otherwise.
    QVERIFY(views.save() == (hasOwn ? ViewFiles::Outcome::Foreign : ViewFiles::Outcome::Written));
}

/// The shown range stays unless it has no GPU work any more, or lies outside.
void ViewFilesTest::theRangeFitsAnotherRecording()
{
    MainWindow window(Theme::light());
    open(window);
    Session& session = window.session();
    const auto reload = [&](const std::string& change) {
        const auto old = session.sharedTrace();
        m_fixture->run(change);
        window.reopen();
        QTRY_VERIFY_WITH_TIMEOUT(session.sharedTrace() != old && window.isSettled(), 30'000);
        QVERIFY(session.trace().session != old->session);
    };
    const std::string later = "UPDATE NVTX_EVENTS SET end = end + 5000 WHERE text = 'step'; ";
    session.time().show({4600, 5500}); // the last kernel
    const TimeRange before = session.time().shown();
    reload(later);
    QCOMPARE(session.time().shown(), before);
    reload(later + "DELETE FROM CUPTI_ACTIVITY_KIND_KERNEL WHERE correlationId = 13");
    QCOMPARE(session.time().shown(), session.session());
    session.time().show({8000, 9000}); // idle, as before
    const TimeRange idle = session.time().shown();
    reload(later);
    QCOMPARE(session.time().shown(), idle);
    reload("UPDATE NVTX_EVENTS SET end = 5700 WHERE text = 'step'");
    QCOMPARE(session.time().shown(), session.session());
}

/// Reloaded, the file has another recording: of the same program, then of another one.
void ViewFilesTest::marksStayWithTheirProgram()
{
    m_fixture->run("CREATE TABLE META_DATA_CAPTURE (name TEXT, value TEXT); "
                   "INSERT INTO META_DATA_CAPTURE VALUES ('PROCESS_0:COMMAND', '/bin/scale')");
    MainWindow window(Theme::light());
    open(window);
    Session& session = window.session();
    session.marks().add({{10, 20}, "of scale"});
    session.marks().setNotes("of scale");
    QVERIFY(window.views().save() == ViewFiles::Outcome::Written);
    const QByteArray written = contentOf(m_view);
    const auto* const message = window.findChild<QLabel*>("message");
    for (const bool isOther : {false, true}) {
        const auto old = session.sharedTrace();
        m_fixture->run("UPDATE NVTX_EVENTS SET end = end + 1000 WHERE text = 'step'");
        if (isOther)
            m_fixture->run("UPDATE META_DATA_CAPTURE SET value = '/bin/solve'");
        window.reopen();
        QTRY_VERIFY_WITH_TIMEOUT(session.sharedTrace() != old && window.isSettled(), 30'000);
        QVERIFY(session.trace().session != old->session);
        QCOMPARE(session.marks().all().size(), std::size_t{isOther ? 0U : 1U});
        QCOMPARE(session.marks().notes(), QString(isOther ? "" : "of scale"));
        QCOMPARE(message->isVisible(), isOther);
    }
    QVERIFY2(message->text().contains(m_view), qPrintable(message->text()));
    QVERIFY(window.views().save() == ViewFiles::Outcome::Foreign);
    QCOMPARE(contentOf(m_view), written);
}

void ViewFilesTest::reloadingKeepsWhatAnotherWindowChanged()
{
    MainWindow window(Theme::light());
    open(window);
    Session& session = window.session();
    session.marks().add({{10, 20}, "removed"});
    session.marks().setNotes("old");
    session.saveState();
    Session other;
    other.setTrace(session.sharedTrace(), session.report().rows);
    other.marks().remove(0);
    other.marks().setNotes("new");
    other.saveState();
    for (int i = 0; i < 2; ++i) {
        const auto old = session.sharedTrace();
        window.reopen();
        QTRY_VERIFY_WITH_TIMEOUT(session.sharedTrace() != old && window.isSettled(), 30'000);
        QVERIFY(session.marks().all().empty());
        QCOMPARE(session.marks().notes(), QString("new"));
    }
}

/// Cancelled while it was read: the view is still to be applied.
void ViewFilesTest::reloadingAPartKeepsTheNamedView()
{
    const QString elsewhere = savedElsewhere();
    const auto read = loadReport(m_fixture->path());
    QVERIFY(read.ok());
    PlainViews bare;
    auto& [session, reports, others, views] = bare;
    views.use(elsewhere);
    bare.showPartOf(*read.value());
    views.apply();
    views.reloaded()();
    bare.show(read.value());
    views.apply();
    QCOMPARE(views.path(), elsewhere);
    QTRY_COMPARE(session.marks().all().size(), std::size_t{1});
}

/// While another one loads, the first is removed.
void ViewFilesTest::marksOfAPartAreKept()
{
    MainWindow window(Theme::light());
    open(window);
    Session& session = window.session();
    const OpenReport report = session.report();
    emit window.reports().shown(Workspace({report}, true));
    session.marks().setNotes("typed");
    OpenReport next = report;
    auto trace = std::make_shared<Trace>(*report.trace);
    trace->session.end += 10;
    trace->info.path += "x";
    next.trace = trace;
    emit window.reports().shown(Workspace({next}, true));
    QVERIFY(session.marks().notes().isEmpty());
    Session again;
    again.setTrace(report.trace, report.rows);
    QCOMPARE(again.marks().notes(), QString("typed"));
}

void ViewFilesTest::marksOfAWindowThatClosesWhileItLoadsAreKept()
{
    {
        MainWindow window(Theme::light());
        open(window);
        OpenReport part = window.session().report();
        const auto trace = std::make_shared<Trace>(*part.trace);
        trace->complete = false;
        trace->info.fileBytes = 0;
        part.trace = trace;
        emit window.reports().shown(Workspace({part}));
        window.session().marks().add({{10, 20}, "typed"});
        window.session().marks().setNotes("typed");
        window.close();
    }
    for (int i = 0; i < 2; ++i) {
        MainWindow window(Theme::light());
        open(window);
        QCOMPARE(window.session().marks().all().size(), std::size_t{1});
        QCOMPARE(window.session().marks().notes(), QString("typed"));
        window.close();
    }
}

void ViewFilesTest::reloadingKeepsTheViewBeforeAComparisonMovesIt()
{
    const auto read = loadReport(m_fixture->path());
    QVERIFY(read.ok());
    PlainViews bare;
    auto& [session, reports, others, views] = bare;
    for (const bool isCompared : {true, false}) {
        const auto trace = std::make_shared<const Trace>(*read.value());
        bare.show(trace);
        const TimeRange all = trace->session;
        const Ns middle = all.start + all.duration() / 2;
        if (isCompared)
            session.pair().compareWithin({all.start, middle}, {middle, all.end});
        session.time().show({all.start, middle});
        const TimeRange before = session.time().shown();
        const auto leaveView = views.reloaded();
        session.time().show({middle, all.end});
        const TimeRange after = session.time().shown();
        leaveView();
        session.pair().end();
        bare.show(std::make_shared<const Trace>(*trace));
        views.apply();
        QCOMPARE(session.time().shown(), isCompared ? before : after);
    }
}

/// Reports that are removed before they are there again.
void ViewFilesTest::whatIsKeptIsNotOfOtherReports()
{
    const auto read = loadReport(m_fixture->path());
    QVERIFY(read.ok());
    PlainViews bare;
    auto& [session, reports, others, views] = bare;
    bare.show(read.value());
    session.marks().add({{10, 20}, "of the first"});
    views.reloaded()();
    reports.open({WARPLINE_TEST_DATA "/reports/um.sqlite"});
    QTRY_VERIFY(!reports.isEmpty());
    const auto other = loadReport(WARPLINE_TEST_DATA "/reports/um.sqlite");
    QVERIFY(other.ok());
    bare.show(other.value());
    views.apply();
    QVERIFY(session.marks().all().empty());
}

/// Next to one that does not open.
void ViewFilesTest::hidingAllReportsKeepsTheirView()
{
    const QTemporaryDir folder;
    const QString chosen = folder.filePath("mine.warpline");
    const QString broken = folder.filePath("broken.sqlite");
    put(broken, QByteArray("SQLite format 3\0", 16) + QByteArray(10'000, 'x'));
    MainWindow window(Theme::light());
    open(window);
    window.timeline().rowFilter().setText("kernels");
    const ResultRows& rows = window.session().results();
    window.session().results().restore({{"Kernels", "SELECT start FROM CUPTI_ACTIVITY_KIND_KERNEL", {}, {}}});
    QTRY_COMPARE(rowsWithResult(rows.all()), std::size_t{1});
    QVERIFY(window.views().saveAs(chosen) == ViewFiles::Outcome::Written);
    window.add({broken});
    QTRY_VERIFY_WITH_TIMEOUT(window.reports().reports().size() == 2 && window.isSettled(), 30'000);
    ReportChoices choices = window.reports().reports()[0].choices;
    choices.isIncluded = false;
    window.reports().change(0, choices);
    QVERIFY(window.session().isEmpty());
    choices.isIncluded = true;
    window.reports().change(0, choices);
    QVERIFY(!window.session().isEmpty());
    QCOMPARE(window.views().path(), chosen);
    QCOMPARE(window.timeline().rowFilter().text(), QString("kernels"));
    QTRY_COMPARE(rowsWithResult(rows.all()), std::size_t{1});
    QVERIFY(window.views().save() == ViewFiles::Outcome::Written); // known as its own
    QVERIFY(contentOf(chosen).contains("KIND_KERNEL"));
}

/// The view of both is still theirs, and is saved without a question.
void ViewFilesTest::hidingAReportKeepsItsSqlRows()
{
    const QTemporaryDir folder;
    const QString chosen = folder.filePath("mine.warpline");
    MainWindow window(Theme::light());
    open(window);
    window.add({WARPLINE_TEST_DATA "/reports/um.sqlite"});
    QTRY_VERIFY_WITH_TIMEOUT(
        window.session().workspace().reports().size() == 2 && window.isSettled(), 30'000);
    const ResultRows& rows = window.session().results();
    window.session().results().restore({{"Kernels", "SELECT start FROM CUPTI_ACTIVITY_KIND_KERNEL", {}, {}}});
    QTRY_COMPARE(rowsWithResult(rows.all()), std::size_t{1});
    QVERIFY(window.views().saveAs(chosen) == ViewFiles::Outcome::Written);
    window.reports().change(0, {{}, {}, false, {}, {}});
    QVERIFY(rows.asked().empty());
    window.reports().change(0, {});
    QTRY_COMPARE(rowsWithResult(rows.all()), std::size_t{1});
    QCOMPARE(rows.all().front().report, ReportId{0});
    QVERIFY(window.views().save() == ViewFiles::Outcome::Written);
    QVERIFY(contentOf(chosen).contains("KIND_KERNEL"));
    // One that is removed takes them along.
    window.reports().change(0, {{}, {}, false, {}, {}});
    window.reports().remove(0);
    window.add({QString::fromStdString(m_fixture->path())});
    QTRY_VERIFY_WITH_TIMEOUT(
        window.session().workspace().reports().size() == 2 && window.isSettled(), 30'000);
    QVERIFY(rows.asked().empty());
}

void ViewFilesTest::removingAllReportsLeavesTheirFile()
{
    const Rule* const rule = ruleWithThreshold();
    QVERIFY(rule);
    const Threshold& threshold = rule->thresholds.front();
    const QTemporaryDir folder;
    const QString chosen = folder.filePath("mine.warpline");
    MainWindow window(Theme::light());
    open(window);
    judgeOtherwise(*rule);
    QVERIFY(window.views().saveAs(chosen) == ViewFiles::Outcome::Written);
    window.reports().remove(0); // as the dialog of reports does, and adds another one
    QVERIFY(window.session().isEmpty());
    window.add({WARPLINE_TEST_DATA "/reports/um.sqlite"});
    QTRY_VERIFY(!window.session().isEmpty() && window.isSettled());
    QVERIFY(window.views().path() != chosen);
    QCOMPARE(RuleSettings::value(*rule, threshold), threshold.value);
}

void ViewFilesTest::aViewIsLeftWithItsReports()
{
    const Rule* const rule = ruleWithThreshold();
    QVERIFY(rule);
    const Threshold& threshold = rule->thresholds.front();
    const QTemporaryDir folder;
    const QString b = folder.filePath("b.sqlite");
    const QString chosen = folder.filePath("mine.warpline");
    QVERIFY(QFile::copy(WARPLINE_TEST_DATA "/reports/um.sqlite", b));
    {
        MainWindow other(Theme::light());
        open(other, b);
        other.session().marks().add({{10, 20}, "of b"});
        QVERIFY(other.views().save() == ViewFiles::Outcome::Written);
    }
    QSettings().clear();
    for (const bool isRemoved : {false, true}) {
        MainWindow window(Theme::light());
        open(window);
        judgeOtherwise(*rule);
        QVERIFY(window.views().saveAs(chosen) == ViewFiles::Outcome::Written);
        const QByteArray written = contentOf(chosen);
        window.add({b});
        QTRY_VERIFY_WITH_TIMEOUT(
            window.session().workspace().reports().size() == 2 && window.isSettled(), 30'000);
        QCOMPARE(window.views().path(), chosen); // one that it is of is still there
        if (isRemoved)
            window.reports().remove(0);
        else
            window.reports().change(0, {{}, {}, false, {}, {}}); // unchecked
        QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), 30'000);
        QVERIFY(window.views().path() != chosen);
        QCOMPARE(RuleSettings::value(*rule, threshold), threshold.value);
        QCOMPARE(window.session().marks().all().size(), std::size_t{1}); // of b's own view
        QVERIFY(window.views().save() == ViewFiles::Outcome::Written); // which is known
        QCOMPARE(contentOf(chosen), written);
    }
}

/// Those that the user added join those of the view of the report that stays.
void ViewFilesTest::rowsStayWhereTheFirstReportGoes()
{
    const QTemporaryDir folder;
    const QString b = folder.filePath("b.sqlite");
    QVERIFY(QFile::copy(QString::fromStdString(m_fixture->path()), b));
    const AskedRow own{"Calls", "SELECT start FROM CUPTI_ACTIVITY_KIND_RUNTIME", {}, ReportId{}};
    {
        MainWindow other(Theme::light());
        open(other, b);
        other.session().results().restore({own});
        QTRY_COMPARE(rowsWithResult(other.session().results().all()), std::size_t{1});
        QVERIFY(other.views().save() == ViewFiles::Outcome::Written);
    }
    QSettings().clear();
    for (const bool isRemoved : {false, true}) {
        MainWindow window(Theme::light());
        open(window);
        window.add({b});
        QTRY_VERIFY_WITH_TIMEOUT(
            window.session().workspace().reports().size() == 2 && window.isSettled(), 30'000);
        const AskedRow added{"Kernels", "SELECT start FROM CUPTI_ACTIVITY_KIND_KERNEL", {}, ReportId{1}};
        AskedRow ofA = added;
        ofA.title = "of A";
        ofA.report = ReportId{0};
        const ResultRows& rows = window.session().results();
        window.session().results().restore({ofA, added});
        QTRY_COMPARE(rowsWithResult(rows.all()), std::size_t{2});
        if (isRemoved)
            window.reports().remove(0);
        else
            window.reports().change(0, {{}, {}, false, {}, {}}); // unchecked
        QTRY_VERIFY_WITH_TIMEOUT(window.isSettled() && rowsWithResult(rows.all()) == 2, 30'000);
        QVERIFY(rows.all()[0].isAlike(own) && rows.all()[1].isAlike(added));
        QCOMPARE(rows.all()[1].report, ReportId{0});
    }
}

void ViewFilesTest::aViewOfOtherReportsIsNotReplacedUnasked()
{
    const QTemporaryDir folder;
    const QString chosen = folder.filePath("mine.warpline");
    MainWindow window(Theme::light());
    open(window);
    QVERIFY(window.views().saveAs(chosen) == ViewFiles::Outcome::Written);
    const QByteArray written = contentOf(chosen);
    window.add({WARPLINE_TEST_DATA "/reports/um.sqlite"});
    QTRY_VERIFY_WITH_TIMEOUT(
        window.session().workspace().reports().size() == 2 && window.isSettled(), 30'000);
    QVERIFY(window.views().save() == ViewFiles::Outcome::Foreign);
    QVERIFY(!window.views().isOfThese());
    QCOMPARE(contentOf(chosen), written);
    QVERIFY(window.views().save(true) == ViewFiles::Outcome::Written);
    QVERIFY(window.views().save() == ViewFiles::Outcome::Written); // it is theirs now
    window.reports().change(1, {{}, {}, false, {}, {}});
    QVERIFY(window.views().save() == ViewFiles::Outcome::Foreign);
    window.reports().change(1, {});
    QVERIFY(window.views().save() == ViewFiles::Outcome::Written);
}

void ViewFilesTest::reloadingMakesNoViewOfOthersTheirs()
{
    const QTemporaryDir folder;
    const QString chosen = folder.filePath("mine.warpline");
    for (const bool isAdded : {true, false}) {
        QFile::remove(chosen);
        MainWindow window(Theme::light());
        open(window);
        const auto add = [&window] {
            window.add({WARPLINE_TEST_DATA "/reports/um.sqlite"});
            QTRY_VERIFY_WITH_TIMEOUT(
                window.session().workspace().reports().size() == 2 && window.isSettled(), 30'000);
        };
        if (!isAdded)
            add();
        QVERIFY(window.views().saveAs(chosen) == ViewFiles::Outcome::Written);
        const QByteArray written = contentOf(chosen);
        if (isAdded)
            add();
        else
            window.reports().remove(1);
        QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), 30'000);
        for (int i = 0; i < 2; ++i) {
            const auto old = window.session().sharedTrace();
            window.reopen();
            QTRY_VERIFY_WITH_TIMEOUT(window.session().sharedTrace() != old && window.isSettled(), 30'000);
            QCOMPARE(window.views().path(), chosen);
            QVERIFY(!window.views().isOfThese());
            QVERIFY(window.views().save() == ViewFiles::Outcome::Foreign);
        }
        QCOMPARE(contentOf(chosen), written);
        QVERIFY(window.views().save(true) == ViewFiles::Outcome::Written); // it is theirs now
        QVERIFY(window.views().isOfThese());
    }
}

/// A program writes it at that moment.
void ViewFilesTest::oneThatCannotBeReadAgainStaysWithTheView()
{
    const QTemporaryDir folder;
    const QString other = folder.filePath("other.sqlite");
    const QString chosen = folder.filePath("mine.warpline");
    QVERIFY(QFile::copy(WARPLINE_TEST_DATA "/reports/um.sqlite", other));
    const QByteArray whole = contentOf(other);
    MainWindow window(Theme::light());
    open(window);
    window.add({other});
    QTRY_VERIFY_WITH_TIMEOUT(
        window.session().workspace().reports().size() == 2 && window.isSettled(), 30'000);
    window.session().results().restore(
        {{"Kernels", "SELECT start FROM CUPTI_ACTIVITY_KIND_KERNEL", {}, ReportId{1}}});
    QTRY_COMPARE(rowsWithResult(window.session().results().all()), std::size_t{1});
    QVERIFY(window.views().saveAs(chosen) == ViewFiles::Outcome::Written);
    QSignalSpy failed(&window, &MainWindow::openFailed);
    for (const bool isBroken : {true, false}) {
        put(other, isBroken ? QByteArray("SQLite format 3\0", 16) + QByteArray(10'000, 'x') : whole);
        const auto old = window.session().sharedTrace();
        window.reopen();
        QTRY_VERIFY_WITH_TIMEOUT(window.session().sharedTrace() != old && window.isSettled(), 30'000);
        QCOMPARE(failed.count(), 1);
        QCOMPARE(window.session().workspace().reports().size(), std::size_t{2});
        QVERIFY(window.reports().reports()[1].state == ListedReport::State::Open);
        QCOMPARE(window.session().results().asked().size(), std::size_t{1});
        QCOMPARE(window.session().results().asked().front().report, ReportId{1});
        QCOMPARE(window.views().path(), chosen);
        QVERIFY(window.views().save() == ViewFiles::Outcome::Written); // known as its own
    }
}

void ViewFilesTest::rowsStayWhereAnotherReportCanBeReadAgain()
{
    const QTemporaryDir folder;
    const QString other = folder.filePath("other.sqlite");
    put(other, QByteArray("SQLite format 3\0", 16) + QByteArray(10'000, 'x'));
    MainWindow window(Theme::light());
    open(window);
    window.add({other});
    QTRY_VERIFY(window.reports().reports().size() == 2 && window.isSettled());
    QCOMPARE(window.session().workspace().reports().size(), std::size_t{1});
    const ResultRows& rows = window.session().results();
    window.session().results().restore({{"Kernels", "SELECT start FROM CUPTI_ACTIVITY_KIND_KERNEL", {}, {}}});
    QTRY_COMPARE(rowsWithResult(rows.all()), std::size_t{1});
    window.session().marks().add({{10, 20}, "of the first"});
    m_fixture->run("CREATE TABLE later (x)"); // another recording has nothing in the settings
    put(other, contentOf(WARPLINE_TEST_DATA "/reports/um.sqlite"));
    window.reopen();
    QTRY_VERIFY_WITH_TIMEOUT(
        window.session().workspace().reports().size() == 2 && window.isSettled(), 30'000);
    QTRY_COMPARE(rowsWithResult(rows.all()), std::size_t{1});
    QCOMPARE(rows.all().front().report, ReportId{});
    QCOMPARE(window.session().marks().all().size(), std::size_t{1});
}

void ViewFilesTest::overwritingIsAskedFor()
{
    MainWindow window(Theme::light());
    open(window);
    put(m_view, "somebody else's");
    const auto answer = [](QMessageBox::StandardButton with) {
        QTimer::singleShot(0, qApp, [with] {
            auto* const box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            QVERIFY(box);
            QTest::mouseClick(box->button(with), Qt::LeftButton);
        });
    };
    answer(QMessageBox::Cancel);
    window.saveView();
    QCOMPARE(contentOf(m_view), QByteArray("somebody else's"));
    answer(QMessageBox::Save);
    window.saveView();
    QVERIFY(contentOf(m_view).startsWith("{"));
    window.session().marks().add({{10, 20}, "again"});
    window.saveView(); // saving to the own view file needs no confirmation
    QVERIFY(contentOf(m_view).contains("again"));
}

/// The file dialog asks about the name as it was typed.
void ViewFilesTest::aNameWithoutItsEndingReplacesNothingUnasked()
{
    QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    MainWindow window(Theme::light());
    open(window);
    const QString typed = m_fixture->folder() + "/mine";
    put(typed + ".warpline", "somebody else's");
    int asked = 0;
    const auto saveAs = [&](QMessageBox::StandardButton with) {
        QTimer answer;
        QPointer<QWidget> answered;
        connect(&answer, &QTimer::timeout, &window, [&] {
            QWidget* const shown = QApplication::activeModalWidget();
            if (!shown || shown == answered)
                return;
            answered = shown;
            if (auto* const file = qobject_cast<QFileDialog*>(shown)) {
                file->findChild<QLineEdit*>("fileNameEdit")->setText(typed);
                QMetaObject::invokeMethod(file, "accept", Qt::QueuedConnection);
            } else if (auto* const box = qobject_cast<QMessageBox*>(shown)) {
                ++asked;
                QMetaObject::invokeMethod(box->button(with), "click", Qt::QueuedConnection);
            }
        });
        answer.start(20);
        window.saveViewAs();
    };
    saveAs(QMessageBox::Cancel);
    QCOMPARE(asked, 1);
    QCOMPARE(contentOf(typed + ".warpline"), QByteArray("somebody else's"));
    saveAs(QMessageBox::Save);
    QCOMPARE(asked, 2);
    QVERIFY(contentOf(typed + ".warpline").startsWith("{"));
    QVERIFY(QFile::remove(typed + ".warpline"));
    saveAs(QMessageBox::Cancel);
    QCOMPARE(asked, 2);
    QVERIFY(QFile::exists(typed + ".warpline") && !QFile::exists(typed));
}

void ViewFilesTest::thresholdsAreTheViews()
{
    const Rule* const rule = ruleWithThreshold();
    QVERIFY(rule);
    const Threshold& threshold = rule->thresholds.front();
    const double other = threshold.value * 3 + 1;
    {
        MainWindow window(Theme::light());
        open(window);
        RuleSettings::setValue(*rule, threshold, other);
        QVERIFY(window.views().save() == ViewFiles::Outcome::Written);
    }
    QSettings().clear();
    MainWindow window(Theme::light());
    QSignalSpy changed(&window.views(), &ViewFiles::thresholdsChanged);
    open(window);
    QCOMPARE(changed.count(), 1);
    QCOMPARE(RuleSettings::value(*rule, threshold), other);
    QVERIFY(QSettings().value(QString("rules/%1.%2").arg(rule->id.data(), threshold.key.data())).isNull());
    window.closeReport();
    QCOMPARE(RuleSettings::value(*rule, threshold), threshold.value);
}

void ViewFilesTest::nothingOfTheMachineIsInIt()
{
    m_fixture->run(
        "CREATE TABLE IF NOT EXISTS TARGET_INFO_SYSTEM_ENV (name TEXT, nameEnum INTEGER, value TEXT); INSERT INTO TARGET_INFO_SYSTEM_ENV (name, nameEnum, value) VALUES ('Hostname', 1, 'secret-host-17')");
    MainWindow window(Theme::light());
    open(window);
    Session& session = window.session();
    for (const RowId row : session.rows().subtree(RowTree::root)) {
        if (row == RowTree::root)
            continue;
        session.rowView().setPinned(row, true);
        session.rowView().setExpanded(row, true);
        session.rowView().setRowScale(row, 2);
    }
    session.marks().add({{10, 20}, "text"});
    QVERIFY(window.views().save() == ViewFiles::Outcome::Written);
    const QByteArray bytes = contentOf(m_view);
    for (const QString& word :
        {m_fixture->folder(), QFileInfo(QString::fromStdString(m_fixture->path())).fileName(),
            QString("secret-host-17"), QString("/home"), QString(qgetenv("HOME")), QString(qgetenv("PATH")),
            QSysInfo::machineHostName(), QString::fromStdString(commandOf(session.trace().info)),
            QString("sqlite"), QString("USER")}) {
        if (word.size() > 2)
            QVERIFY2(!bytes.contains(word.toUtf8()), qPrintable(word));
    }
}

/// The filter of rows, lanes, colours and scales of counters come and go with the view.
void ViewFilesTest::rowsAndColoursAreTheViews()
{
    const auto deepRow = [](MainWindow& window) {
        return window.session().rowView().visibleChildren(RowTree::root).front();
    };
    {
        MainWindow window(Theme::light());
        open(window);
        RowFilter& filter = window.timeline().rowFilter();
        filter.setText("kernels, stream 7");
        filter.setSet(RowSet::Compute);
        filter.setShowsIdleGpus(true);
        window.session().rowView().setDepth(deepRow(window), 40);
        ColorChoice::shared().setBy(ColorBy::Duration);
        CounterChoice::shared().setBase(CounterBase::Log);
        CounterChoice::shared().setShared(true);
        QVERIFY(window.views().save() == ViewFiles::Outcome::Written);
    }
    QSettings().clear(); // a colleague's machine
    ColorChoice::shared().reload();
    CounterChoice::shared().reload();
    ColorChoice::shared().setBy(ColorBy::Kind);
    MainWindow window(Theme::light());
    open(window);
    RowFilter& filter = window.timeline().rowFilter();
    QCOMPARE(filter.text(), QString("kernels, stream 7"));
    QVERIFY(filter.set() == RowSet::Compute && filter.showsIdleGpus() && !filter.onlyInView());
    QCOMPARE(window.session().rowView().depth(deepRow(window)), 40);
    QVERIFY(ColorChoice::shared().by() == ColorBy::Duration);
    QVERIFY(CounterChoice::shared().base() == CounterBase::Log && CounterChoice::shared().isShared());
    // They are not the user's, however the window ends. What the user changes is.
    QCOMPARE(QSettings().value("colors/by").toString(), keyOf(ColorBy::Kind));
    QVERIFY(!QSettings().contains("counters/base") && !QSettings().contains("counters/shared"));
    CounterChoice::shared().setOfView(true);
    QVERIFY(QSettings().value("counters/ofView").toBool());
    window.closeReport();
    QVERIFY(CounterChoice::shared().isOfView());
    QVERIFY(filter.text().isEmpty() && filter.set() == RowSet::All);
    QVERIFY(ColorChoice::shared().by() == ColorBy::Kind);
    QVERIFY(CounterChoice::shared().base() == CounterBase::Zero && !CounterChoice::shared().isShared());
}

/// The rows in "mine", and the pinned queries: a colleague sees the same rows.
void ViewFilesTest::myRowsAndAnswersAreTheViews()
{
    QStringList mine;
    {
        MainWindow window(Theme::light());
        open(window);
        Session& session = window.session();
        RowId wanted = RowTree::root;
        for (const RowId row : session.rows().subtree(RowTree::root)) {
            if (session.rows().row(row).drawing != Drawing::Header)
                wanted = row;
        }
        const Row& row = session.rows().row(wanted);
        // Earlier versions stored labels in English.
        QSettings().setValue("rows/mine", QStringList{QString::fromStdString(plain(row.label))});
        QVERIFY(RowFilter::isMine(row));
        RowFilter::setMine(row, false);
        QVERIFY(RowFilter::mine().isEmpty());
        RowFilter::setMine(row, true);
        mine = RowFilter::mine();
        QCOMPARE(mine.size(), 1);
        QVERIFY2(mine.front().startsWith('['), qPrintable(mine.front())); // no text of a language
        QSettings().setValue("rows/mine", mine + QStringList{"no row of this report"});
        window.timeline().rowFilter().setSet(RowSet::Mine);
        session.results().restore(
            {{"Kernels", "SELECT start, \"end\", shortName FROM CUPTI_ACTIVITY_KIND_KERNEL", {},
                 session.report().id, 1.5},
                {"Calls", "SELECT start FROM CUPTI_ACTIVITY_KIND_RUNTIME", {}, session.report().id}});
        QTRY_COMPARE(rowsWithResult(session.results().all()), std::size_t{2});
        QVERIFY(window.views().save() == ViewFiles::Outcome::Written);
        QVERIFY(!contentOf(m_view).contains("no row of this report"));
    }
    QSettings().clear(); // a colleague's machine
    MainWindow window(Theme::light());
    QSignalSpy failed(&window.session().results(), &ResultRows::failed);
    open(window);
    QCOMPARE(RowFilter::mine(), mine);
    QVERIFY(window.timeline().rowFilter().set() == RowSet::Mine);
    bool any = false;
    for (const RowId row : window.session().rows().subtree(RowTree::root))
        any = any || (row != RowTree::root && window.timeline().rowFilter().passes(row));
    QVERIFY(any);
    const auto& rows = window.session().results().all();
    QTRY_COMPARE(rowsWithResult(rows), std::size_t{2});
    QCOMPARE(rows[0].title, QString("Kernels"));
    QCOMPARE(rows[0].scale, 1.5);
    QCOMPARE(rows[0].slices.size(), window.session().trace().kernels().size());
    QCOMPARE(rows[1].title, QString("Calls"));
    QCOMPARE(failed.count(), 0);
    // The user's own list is untouched, and there again when the report is closed.
    QVERIFY(!QSettings().contains("rows/mine"));
    RowFilter::setMine(window.session().rows().row(RowId{1}), true);
    QVERIFY(!QSettings().contains("rows/mine"));
    window.closeReport();
    QVERIFY(RowFilter::mine().isEmpty());
    QVERIFY(rows.empty());
}

void ViewFilesTest::myRowsOfAViewGoWithIt()
{
    const QTemporaryDir folder;
    const QString without = folder.filePath("without.warpline");
    const QString with = folder.filePath("with.warpline");
    MainWindow window(Theme::light());
    open(window);
    QVERIFY(window.views().saveAs(without) == ViewFiles::Outcome::Written);
    const RowId first = window.session().rowView().visibleChildren(RowTree::root).front();
    const Row row = window.session().rows().row(first);
    RowFilter::setMineOfView(QStringList());
    RowFilter::setMine(row, true);
    QVERIFY(window.views().saveAs(with) == ViewFiles::Outcome::Written);
    QSignalSpy said(&window.views(), &ViewFiles::said);
    for (const bool isWith : {true, false}) {
        said.clear();
        window.open(isWith ? with : without);
        QTRY_VERIFY_WITH_TIMEOUT(!said.isEmpty() && window.isSettled(), 30'000);
        QCOMPARE(RowFilter::isMine(row), isWith);
    }
    QVERIFY(window.views().save() == ViewFiles::Outcome::Written);
    const auto saved = parseView(contentOf(without).toStdString(), {});
    QVERIFY(saved.ok() && saved.value().rowFilter.mine.empty());
}

/// Another view of the same report takes its place, without its SQL row, which the user then adds.
void ViewFilesTest::rowsOfAViewBeforeAreTheUsers()
{
    const AskedRow row{"Kernels", "SELECT start FROM CUPTI_ACTIVITY_KIND_KERNEL", {}, {}};
    const QString with = m_fixture->folder() + "/with.warpline";
    const QString without = m_fixture->folder() + "/without.warpline";
    MainWindow window(Theme::light());
    open(window);
    ResultRows& rows = window.session().results();
    rows.restore({row});
    QVERIFY(window.views().saveAs(with) == ViewFiles::Outcome::Written);
    rows.restore({});
    QVERIFY(window.views().saveAs(without) == ViewFiles::Outcome::Written);
    const auto openView = [&window](const QString& path) {
        const auto read = ViewFiles::readAt(path, true);
        return read && window.views().open(path, *read);
    };
    QVERIFY(openView(with));
    QCOMPARE(rows.asked().size(), std::size_t{1});
    QVERIFY(window.views().rowsAdded(window.session(), window.reports()).empty());
    QVERIFY(openView(without));
    QVERIFY(rows.asked().empty());
    rows.restore({row});
    QCOMPARE(window.views().rowsAdded(window.session(), window.reports()).size(), std::size_t{1});
}

void ViewFilesTest::changesSinceTheFileWasReadStay_data()
{
    QTest::addColumn<bool>("isSwap");
    QTest::newRow("A and B are swapped, and again") << true;
    QTest::newRow("open reports are compared, and open again") << false;
}

void ViewFilesTest::changesSinceTheFileWasReadStay()
{
    QFETCH(const bool, isSwap);
    const Rule* const rule = ruleWithThreshold();
    QVERIFY(rule);
    const Threshold& threshold = rule->thresholds.front();
    const double chosen = threshold.value * 5 + 2;
    const QString other = WARPLINE_TEST_DATA "/reports/um.sqlite";
    MainWindow window(Theme::light());
    const auto isCompared = [&window] {
        return !window.session().isEmpty() && window.session().pair().isOn() && window.isSettled();
    };
    const auto areBothOpen
        = [&window] { return window.session().workspace().reports().size() == 2 && window.isSettled(); };
    open(window);
    if (!isSwap) {
        window.add({other});
        QTRY_VERIFY_WITH_TIMEOUT(areBothOpen(), 30'000);
    }
    judgeOtherwise(*rule);
    ColorChoice::shared().setBy(ColorBy::Kind);
    RowFilter::setMineOfView(QStringList());
    QVERIFY(window.views().saveAs(m_fixture->folder() + "/mine.warpline") == ViewFiles::Outcome::Written);
    if (isSwap) {
        window.compareWith({other});
        QTRY_VERIFY_WITH_TIMEOUT(isCompared(), 30'000);
    }
    RuleSettings::setValue(*rule, threshold, chosen);
    ColorChoice::shared().setBy(ColorBy::Duration);
    const Row mine = window.session().rows().row(window.session().rows().children(RowTree::root).front());
    RowFilter::setMine(mine, true);
    window.timeline().rowFilter().setText("kernels");
    if (isSwap) {
        for (int i = 0; i < 2; ++i) {
            const auto next = window.session().pair().b().workspace().reports().front().trace;
            window.swapCompared();
            QTRY_VERIFY_WITH_TIMEOUT(
                isCompared() && window.session().workspace().reports().front().trace == next, 30'000);
        }
    } else {
        window.compareOpenReports();
        QTRY_VERIFY_WITH_TIMEOUT(isCompared(), 30'000);
        QVERIFY(!RowFilter::isMine(mine)); // of the view of both
        window.endComparison();
        QTRY_VERIFY_WITH_TIMEOUT(areBothOpen(), 30'000);
    }
    QCOMPARE(RuleSettings::value(*rule, threshold), chosen);
    QVERIFY(ColorChoice::shared().by() == ColorBy::Duration);
    QVERIFY(RowFilter::isMine(mine));
    QCOMPARE(window.timeline().rowFilter().text(), QString("kernels"));
    QVERIFY(window.views().save() == ViewFiles::Outcome::Written); // it is still the same file
}

/// Another export may have its table.
void ViewFilesTest::aRowThatFailsStaysInTheView()
{
    const AskedRow missing{"Later", "SELECT start FROM LATER", {}, {}};
    {
        MainWindow window(Theme::light());
        open(window);
        ResultRows& rows = window.session().results();
        QSignalSpy failed(&rows, &ResultRows::failed);
        rows.restore({{"Kernels", "SELECT start FROM CUPTI_ACTIVITY_KIND_KERNEL", {}, {}}, missing});
        QTRY_COMPARE(failed.count(), 1);
        QCOMPARE(rows.all().size(), std::size_t{2});
        QVERIFY(rows.all()[0].problem.isEmpty() && !rows.all()[1].problem.isEmpty());
        QVERIFY(window.views().save() == ViewFiles::Outcome::Written);
    }
    m_fixture->run("CREATE TABLE LATER (start INTEGER); INSERT INTO LATER VALUES (1000)");
    QSettings().clear();
    MainWindow window(Theme::light());
    open(window);
    ResultRows& rows = window.session().results();
    QTRY_COMPARE(rowsWithResult(rows.all()), std::size_t{2});
    QCOMPARE(rows.all()[1].title, QString("Later"));
    // One that the user pins again is there once, and gone when it is removed.
    QSignalSpy failed(&rows, &ResultRows::failed);
    rows.restore({{"Later", "SELECT start FROM NEVER", {}, {}}});
    QTRY_COMPARE(failed.count(), 1);
    QCOMPARE(rows.asked().size(), std::size_t{1});
    ResultRow again;
    static_cast<AskedRow&>(again) = rows.asked().front();
    rows.add(again);
    QCOMPARE(rows.asked().size(), std::size_t{1});
    rows.remove(0);
    QVERIFY(rows.asked().empty());
}

void ViewFilesTest::thePictureProgramTakesAView()
{
    {
        MainWindow window(Theme::light());
        open(window);
        window.session().marks().add({window.session().session(), "all of it", "purple"});
        QVERIFY(window.views().saveAs(m_fixture->folder() + "/p.warpline") == ViewFiles::Outcome::Written);
    }
    const QString picture = m_fixture->folder() + "/p.png";
    QProcess process;
    process.start(QCoreApplication::applicationDirPath() + "/warpline",
        {"--screenshot", picture, "--theme", "light", "--view", m_fixture->folder() + "/p.warpline",
            QString::fromStdString(m_fixture->path())});
    QVERIFY(process.waitForFinished(60'000));
    QCOMPARE(process.exitCode(), 0);
    const QImage image(picture);
    bool purple = false;
    for (int y = 0; y < 300; ++y)
        purple |= image.pixel(image.width() * 5 / 8, y) == QColor::fromRgb(markColorOf("purple").light).rgb();
    QVERIFY(purple);
}

WARPLINE_TEST(ViewFilesTest)

} // namespace tst_view_files

#include "tst_view_files.moc"
