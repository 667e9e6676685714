// Command lines that show the view of a window again.

#include "app/main_window.h"
#include "app/panel_docks.h"
#include "app/view_command.h"
#include "app/window_actions.h"
#include "core/filter/filter_expression.h"
#include "core/query/event_list.h"
#include "core/store/trace.h"
#include "tests/app/open_settled.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"
#include "views/actions/window_action.h"
#include "views/panels/budget_view.h"
#include "views/panels/compare_panel.h"
#include "views/panels/events_panel.h"
#include "views/panels/findings_panel.h"
#include "views/panels/name_panel.h"
#include "views/panels/roofline_panel.h"
#include "views/panels/steps_panel.h"
#include "views/panels/tables_panel.h"
#include "views/panels/what_if_panel.h"
#include "views/session/report_scope.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QFile>
#include <QMenu>
#include <QProcess>
#include <QSettings>
#include <QSignalBlocker>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

namespace tst_view_command {

using namespace warpline;
using namespace warpline::test;

class ViewCommandTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QCoreApplication::setOrganizationName("warpline-test");
        QCoreApplication::setApplicationName("tst_view_command");
        QSettings().clear();
        m_fixture.addSmallReport();
    }

    void eachPanelHasItsCommand_data();
    void eachPanelHasItsCommand();
    void wordsAreQuoted();
    void chosenStepsAreNamed();
    void theWindowTellsWhatItShows();
    void rowsAreTerms();
    void annotationsOnTheGpuAreTheirOwnKind();
    void selectedRowsAreTermsOfTheirEvents();
    void eachListedReportHasItsLine();
    void theNameIsAFilter();
    void copiedNamesHaveNoWildcards();
    void rangesAreThoseOfThePanel();
    void thePanelInUseIsCopied();
    void chosenGpusAreLeftOut();
    void theColumnOfTheRangeIsLeftOut();
    void comparedRangesAreOptions();
    void sidesNameAllTheirReports();

private:
    ReportFixture m_fixture;
};

void ViewCommandTest::eachPanelHasItsCommand_data()
{
    QTest::addColumn<QString>("panel");
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<QString>("line");
    const auto add = [](const char* panel, const QStringList& words, const char* line) {
        QTest::newRow(panel) << panel << words << line;
    };
    add("overview", {}, "warpline-cli analyze --range 5:9 r.sqlite");
    add("findings", {}, "warpline-cli analyze --range 5:9 r.sqlite");
    add("events", {}, "warpline-cli events --where 'gemm dur>=5ns' --range 5:9 r.sqlite");
    add("statistics", {}, "warpline-cli range --range 5:9 r.sqlite");
    add("tables", {"--report", "nvtx_sum"}, "warpline-cli stats --report nvtx_sum --range 5:9 r.sqlite");
    add("name", {"f(int *)", "--kind", "kernel"},
        "warpline-cli name --range 5:9 r.sqlite 'f(int *)' --kind kernel");
    add("steps", {}, "warpline-cli steps r.sqlite");
    add("roofline", {}, "warpline-cli operators --range 5:9 r.sqlite");
    add("whatif", {"--graph"}, "warpline-cli whatif --graph r.sqlite");
    add("ranks", {}, "warpline-cli ranks r.sqlite q.sqlite");
    add("rankmap", {}, "warpline-cli ranks r.sqlite q.sqlite");
    add("stacks", {"--source", "nvtx"}, "warpline-cli samples --source nvtx --range 5:9 r.sqlite");
    add("sql", {"SELECT 1"}, "warpline-cli sql r.sqlite 'SELECT 1'");
    add("report", {}, "warpline-cli info r.sqlite");
    add("marks", {}, "warpline-cli report --range 5:9 r.sqlite");
}

void ViewCommandTest::eachPanelHasItsCommand()
{
    QFETCH(QString, panel);
    QFETCH(QStringList, words);
    QFETCH(QString, line);
    QVERIFY(findPanel(panel));
    ViewAsked asked{panel, {"r.sqlite", "q.sqlite"}, "r.sqlite", {}, "1:20", "5:9", "gemm dur>=5ns", words};
    const ViewCommands commands = commandsOf(asked);
    QCOMPARE(commands.terminal, line);
    QCOMPARE(commands.window,
        QString("warpline --panel %1 --range 1:20 --filter 'gemm dur>=5ns' r.sqlite q.sqlite").arg(panel));
    asked.words.clear(); // no event is chosen, or there is no database
    QCOMPARE(commandsOf(asked).terminal.isEmpty(), panel == "name" || panel == "sql");
    asked.leftOut = {.range = true, .gpu = true, .finding = true};
    asked.leavesOutSelection = true;
    QCOMPARE(commandsOf(asked).note.count("# "), 4);
}

void ViewCommandTest::wordsAreQuoted()
{
    ViewAsked asked;
    asked.file = "/a b/it's.sqlite";
    asked.files = {asked.file};
    QCOMPARE(commandsOf(asked).window, QString("warpline '/a b/it'\\''s.sqlite'"));
    asked.panel = "compare";
    asked.compared = asked.file;
    asked.other = "/b.sqlite";
    QCOMPARE(commandsOf(asked).window,
        QString("warpline --panel compare --compare '/a b/it'\\''s.sqlite' /b.sqlite"));
    QCOMPARE(commandsOf(asked).terminal, QString("warpline-cli compare '/a b/it'\\''s.sqlite' /b.sqlite"));
}

void ViewCommandTest::chosenStepsAreNamed()
{
    const auto line = [](const char* panel, const QString& other = {}) {
        ViewAsked asked;
        asked.panel = panel;
        asked.file = "r.sqlite";
        asked.files = {asked.file};
        asked.compared = other.isEmpty() ? QString() : asked.file;
        asked.other = other;
        asked.steps = "step_*";
        return commandsOf(asked);
    };
    QCOMPARE(line("findings").terminal, QString("warpline-cli analyze --steps 'step_*' r.sqlite"));
    QCOMPARE(line("steps").terminal, QString("warpline-cli steps --nvtx 'step_*' r.sqlite"));
    QCOMPARE(line("compare", "q.sqlite").terminal,
        QString("warpline-cli compare --nvtx 'step_*' r.sqlite q.sqlite"));
    QCOMPARE(line("verdict", "q.sqlite").terminal, line("compare", "q.sqlite").terminal);
    QCOMPARE(line("steps").window, QString("warpline --panel steps --steps 'step_*' r.sqlite"));
}

void ViewCommandTest::theWindowTellsWhatItShows()
{
    MainWindow window(Theme::light());
    window.resize(1200, 800);
    window.show();
    QVERIFY(opensAndSettles(window, QString::fromStdString(m_fixture.path())));
    QVERIFY(window.docks().showPanel("tables"));
    QTRY_VERIFY(window.docks().isPanelInFront("tables") && window.isSettled());
    Session& session = window.session();
    const TimeRange all = session.session();
    session.time().show({all.start + 100, all.end - 100});
    EventFilter filter;
    filter.text = "kernel";
    session.selection().setFilter(filter);
    session.judgement().setStepGlob("outer");
    window.actions().find("view.copyCommand")->trigger();
    const QStringList lines = QApplication::clipboard()->text().split('\n');
    QCOMPARE(lines.size(), 2);
    QCOMPARE(lines[0],
        QString("warpline --panel tables --range %1:%2 --filter kernel --steps outer %3")
            .arg(all.start + 100)
            .arg(all.end - 100)
            .arg(QString::fromStdString(m_fixture.path())));
    QVERIFY2(lines[1].startsWith("warpline-cli stats --report ") && lines[1].endsWith(".sqlite"),
        qPrintable(lines[1]));
    // The copied command works: it draws the window, without a display.
    QStringList words = lines[0].split(' ').mid(1);
    words << "--screenshot" << m_fixture.folder() + "/again.png";
    QProcess process;
    process.start(QCoreApplication::applicationDirPath() + "/warpline", words);
    QVERIFY(process.waitForFinished(60'000));
    QCOMPARE(process.exitCode(), 0);
}

/// Rows of a filter are terms that list the same events; where there are none, a comment says so.
void ViewCommandTest::rowsAreTerms()
{
    MainWindow window(Theme::light());
    QVERIFY(opensAndSettles(window, QString::fromStdString(m_fixture.path())));
    Session& session = window.session();
    const auto sharedTrace = session.sharedTrace();
    EventFilter gpu;
    EventFilter stream;
    EventFilter thread;
    for (const EventKind kind : allEventKinds()) {
        const std::vector<Track>& tracks = sharedTrace->table(kind).tracks;
        for (std::uint32_t i = 0; i < tracks.size() && !isDerived(kind); ++i) {
            if (isGpuWork(kind))
                gpu.tracks.push_back({kind, i});
            if (isGpuWork(kind) && tracks[i].stream == sharedTrace->kernels().tracks.front().stream)
                stream.tracks.push_back({kind, i});
            if (kind == EventKind::ApiCall && thread.tracks.empty())
                thread.tracks.push_back({kind, i});
        }
    }
    for (EventFilter filter : {gpu, stream, thread}) {
        filter.minDuration = 2;
        session.selection().setFilter(filter);
        window.actions().find("view.copyCommand")->trigger();
        const QStringList lines = QApplication::clipboard()->text().split('\n');
        QCOMPARE(lines.size(), 2);
        const QString quoted = lines[0].section('\'', 1, 1); // --filter '...'
        QVERIFY2(quoted.contains("kind="), qPrintable(lines[0]));
        const EventFilter again = filterOfCommand(quoted.toStdString(), *sharedTrace);
        const EventList before(sharedTrace, queryOf(filter, *sharedTrace));
        const EventList after(sharedTrace, queryOf(again, *sharedTrace));
        QVERIFY(before.size() > 0);
        QVERIFY(std::ranges::equal(before.events(), after.events()));
    }
    EventFilter derived;
    for (std::uint32_t i = 0; i < sharedTrace->table(EventKind::NvtxProjected).tracks.size(); ++i)
        derived.tracks.push_back({EventKind::NvtxProjected, i});
    QVERIFY(!derived.tracks.empty());
    session.selection().setFilter(derived);
    window.actions().find("view.copyCommand")->trigger();
    const QStringList lines = QApplication::clipboard()->text().split('\n');
    QCOMPARE(lines.size(), 3);
    QVERIFY(lines[2].startsWith("# "));
}

/// Not of all annotations, which threads have, too.
void ViewCommandTest::annotationsOnTheGpuAreTheirOwnKind()
{
    MainWindow window(Theme::light());
    QVERIFY(opensAndSettles(window, QStringLiteral(WARPLINE_TEST_DATA "/traces/bert_stack.json.gz")));
    const auto trace = window.session().sharedTrace();
    const std::vector<Track>& tracks = trace->nvtx().tracks;
    EventFilter filter;
    filter.minDuration = 2; // a second term, so that the terms are in quotes
    for (std::uint32_t i = 0; i < tracks.size(); ++i) {
        if (isRecordedOnGpu(EventKind::Nvtx, tracks[i]))
            filter.tracks.push_back({EventKind::Nvtx, i});
    }
    QVERIFY(!filter.tracks.empty());
    window.session().selection().setFilter(filter);
    window.actions().find("view.copyCommand")->trigger();
    const QString quoted = QApplication::clipboard()->text().section('\'', 1, 1);
    QVERIFY2(quoted.contains("kind=gpu_annotation"), qPrintable(quoted));
    const EventList before(trace, queryOf(filter, *trace));
    const EventList after(trace, queryOf(filterOfCommand(quoted.toStdString(), *trace), *trace));
    QVERIFY(before.size() > 0);
    QVERIFY(std::ranges::equal(before.events(), after.events()));
}

void ViewCommandTest::selectedRowsAreTermsOfTheirEvents()
{
    MainWindow window(Theme::light());
    window.resize(1200, 800);
    window.show();
    QVERIFY(opensAndSettles(window, QString::fromStdString(m_fixture.path())));
    Session& session = window.session();
    const RowTree& rows = *session.report().rows;
    RowId calls{};
    for (std::uint32_t i = 1; i < rows.size(); ++i) {
        const std::vector<TrackRef> tracks = rows.tracksBelow({RowId{i}});
        if (tracks.size() == 1 && tracks.front().kind == EventKind::ApiCall)
            calls = RowId{i};
    }
    QVERIFY(calls != RowId{});
    const auto linesIn = [&](const char* panel) {
        window.docks().showPanel(panel);
        if (!QTest::qWaitFor([&] { return window.docks().isPanelInFront(panel) && window.isSettled(); }))
            return QStringList();
        window.actions().find("view.copyCommand")->trigger();
        return QApplication::clipboard()->text().split('\n');
    };
    EventFilter filter;
    filter.minDuration = 2; // a second term, so that the terms are in quotes
    session.selection().setFilter(filter);
    session.selection().selectRows({calls});
    const QStringList events = linesIn("events");
    QCOMPARE(events.size(), 2);
    filter.tracks = rows.tracksBelow({calls});
    const auto trace = session.sharedTrace();
    const EventList selected(trace, queryOf(filter, *trace));
    QVERIFY(selected.size() > 0);
    for (const QString& line : events) {
        EventFilter copied;
        copied.text = line.section('\'', 1, 1).toStdString();
        QVERIFY2(!copied.text.empty(), qPrintable(line));
        QVERIFY(std::ranges::equal(EventList(trace, queryOf(copied, *trace)).events(), selected.events()));
    }
    const QStringList sums = linesIn("statistics"); // 'range' is about all rows
    QCOMPARE(sums.size(), 3);
    QVERIFY(sums[2].startsWith("# "));
    ViewAsked cut;
    cut.leavesOutRows = true;
    QVERIFY(sums[2] != commandsOf(cut).note); // which is about a filter
    const QStringList narrowed{
        "overview", "findings", "checklist", "statistics", "tables", "steps", "roofline", "whatif", "stacks"};
    const QList<Panel*>& panels = window.docks().panels();
    for (const Panel* const panel : panels) {
        const bool hasNoRows = narrowed.contains(panel->parentWidget()->objectName());
        QCOMPARE(commandsOf(window, panel).note, hasNoRows ? sums[2] : QString());
    }
    session.selection().selectRows({});
    for (const Panel* const panel : panels)
        QVERIFY(commandsOf(window, panel).note.isEmpty());
    QVERIFY(!linesIn("events").join('\n').contains("kind="));
}

/// Panels that list several reports have a command for each, with its own times and rows.
void ViewCommandTest::eachListedReportHasItsLine()
{
    const QString first = QString::fromStdString(m_fixture.path());
    const QString second = m_fixture.folder() + "/second.sqlite";
    QVERIFY(QFile::copy(first, second));
    MainWindow window(Theme::light());
    window.openAll({first, second});
    QTRY_VERIFY_WITH_TIMEOUT(
        window.isSettled() && window.session().workspace().reports().size() == 2, 30'000);
    Session& session = window.session();
    session.setClocks(session.workspace().withClock(ReportId{1}, {500, 0, ClockMethod::Manual, {}}));
    const TimeRange all = session.report().trace->session;
    session.time().selectRange({all.start + 1000, all.end - 100});
    const auto linesOf
        = [&](const QWidget& panel) { return commandsOf(window, &panel).terminal.split('\n'); };
    const auto& events = window.panel<EventsPanel>();
    const auto& tables = window.panel<TablesPanel>();
    QCOMPARE(linesOf(events).size(), 1);
    session.scope().showAll();
    const auto& reports = session.workspace().reports();
    for (const QWidget* const panel : std::initializer_list<const QWidget*>{&events, &tables}) {
        const QStringList lines = linesOf(*panel);
        QCOMPARE(lines.size(), 2);
        for (std::size_t i = 0; i < reports.size(); ++i) {
            const TimeRange own = session.ownTime(session.time().selectedRange(), reports[i]);
            const QString& line = lines[static_cast<qsizetype>(i)];
            QVERIFY2(line.contains(QString("--range %1:%2 ").arg(own.start).arg(own.end)), qPrintable(line));
            QVERIFY(line.endsWith(QString::fromStdString(reports[i].trace->info.path)));
        }
    }
    QCOMPARE(linesOf(window.panel<RooflinePanel>()).size(), 1);
    // Of the events, those of one report are left.
    const RowId row = session.workspace().rowOf({ReportId{1}, {EventKind::Kernel, 0}});
    session.selection().selectRows({row});
    QCOMPARE(linesOf(events).size(), 1);
    QVERIFY(linesOf(events).front().endsWith(second) && linesOf(events).front().contains("kind=kernel"));
    // What is left out of one report stands below its line.
    for (const std::size_t noted : {0U, 1U}) {
        const Workspace& opened = session.workspace();
        const RowId derived = opened.rowOf({reports[noted].id, {EventKind::NvtxProjected, 0}});
        QVERIFY(derived != RowTree::root);
        session.selection().selectRows(
            {opened.rowOf({reports[1 - noted].id, {EventKind::Kernel, 0}}), derived});
        const QStringList lines = linesOf(events);
        QCOMPARE(lines.size(), 3);
        for (qsizetype i = 0; i < lines.size(); ++i)
            QCOMPARE(lines[i].startsWith("# "), i == static_cast<qsizetype>(noted) + 1);
        QCOMPARE(commandsOf(window, &events).note.count('\n'), 0); // one, on the range
    }
    EventFilter filter;
    filter.tracks = {{EventKind::Kernel, 0}};
    session.selection().setFilter(filter);
    session.selection().selectRows({});
    QCOMPARE(linesOf(tables).size(), 2);
    QCOMPARE(linesOf(events).size(), 1);
}

/// The panel of a name has a command that leads to the name and the brushed durations.
void ViewCommandTest::theNameIsAFilter()
{
    MainWindow window(Theme::light());
    window.resize(1200, 800);
    window.show();
    QVERIFY(opensAndSettles(window, QString::fromStdString(m_fixture.path())));
    Session& session = window.session();
    QVERIFY(window.docks().showPanel("name"));
    session.selection().setCurrentEvent({ReportId{}, {EventKind::Kernel, 0}});
    auto& panel = window.panel<NamePanel>();
    QTRY_VERIFY(window.docks().isPanelInFront("name") && panel.answer() && window.isSettled());
    const EventFilter shown = panel.shownFilter();
    QVERIFY(shown != EventFilter());
    window.actions().find("view.copyCommand")->trigger();
    const QString filter = QApplication::clipboard()->text().section('\'', 1, 1);
    QCOMPARE(filterOfCommand(filter.toStdString(), session.trace()), shown);
    const QStringList words = panel.commandWords();
    QCOMPARE(words.value(0).toStdString(), *shown.name);
    QCOMPARE(words.mid(1, 2), (QStringList{"--kind", "kernel"}));
    QVERIFY(QApplication::clipboard()->text().section('\n', 1).startsWith("warpline-cli name "));
    // Other filters stay texts.
    for (const char* const text :
        {"kernel", "kind=kernel dur>5us", "name=a or kind=kernel", "name=a dur>=5"}) {
        EventFilter asText;
        asText.text = text;
        QCOMPARE(filterOfCommand(text, session.trace()), asText);
    }
    const EventFilter brushed
        = filterOfCommand("name=\"no such name\" kind=kernel dur>=5ns dur<=9us", session.trace());
    QCOMPARE(brushed.text, std::string("name=\"no such name\""));
    QVERIFY(brushed.kind == EventKind::Kernel);
    QCOMPARE(brushed.minDuration, Ns{5});
    QCOMPARE(brushed.maxDuration, Ns{9'000});
}

void ViewCommandTest::copiedNamesHaveNoWildcards()
{
    MainWindow window(Theme::light());
    QVERIFY(opensAndSettles(window, QString::fromStdString(m_fixture.path())));
    EventFilter filter;
    filter.name = "f(float *)";
    filter.minDuration = 5;
    window.session().selection().setFilter(filter);
    window.actions().find("view.copyCommand")->trigger();
    const QString copied = QApplication::clipboard()->text().section('\'', 1, 1);
    const FilterExpression read(copied.toStdString());
    QVERIFY(!read.mistake() && !read.nodes().empty());
    const FilterValue& value = read.nodes().front().term.values.front();
    QCOMPARE(value.text, *filter.name);
    QVERIFY(value.glob != value.text);
    const EventFilter again
        = filterOfCommand(copied.toStdString() + " kind=kernel", window.session().trace());
    QCOMPARE(FilterExpression(again.text).nodes().front().term.values.front().glob, value.glob);
}

/// Of several GPUs the panels show one.
void ViewCommandTest::chosenGpusAreLeftOut()
{
    MainWindow window(Theme::light());
    QVERIFY(opensAndSettles(window, QString::fromStdString(m_fixture.path())));
    auto& roofline = window.panel<RooflinePanel>();
    auto& whatIf = window.panel<WhatIfPanel>();
    auto& steps = window.panel<StepsPanel>();
    const auto notesOf = [&](const QWidget& panel) { return commandsOf(window, &panel).note.count("# "); };
    QCOMPARE(notesOf(roofline) + notesOf(whatIf) + notesOf(steps), 0);
    const QSignalBlocker quiet(whatIf.gpus()); // nothing is replayed
    roofline.gpus().addItems({"0", "1"});
    whatIf.gpus().addItems({"0", "1"});
    QCOMPARE(notesOf(roofline), 1);
    QCOMPARE(notesOf(whatIf), 1);
    const QSignalBlocker still(steps.gpuTime().gpus());
    steps.gpuTime().gpus().addItems({"0", "1"});
    QCOMPARE(notesOf(steps), &steps.shown() == &steps.gpuTime() ? 1 : 0);
}

/// Of the steps, the GPU time has a column of the range.
void ViewCommandTest::theColumnOfTheRangeIsLeftOut()
{
    MainWindow window(Theme::light());
    QVERIFY(opensAndSettles(window, QString::fromStdString(m_fixture.path())));
    auto& steps = window.panel<StepsPanel>();
    const TimeRange all = window.session().session();
    for (const bool isSelected : {true, false}) {
        window.session().time().selectRange(isSelected ? TimeRange{all.start, all.end - 200} : TimeRange());
        steps.showPart("budget");
        QCOMPARE(&steps.shown(), static_cast<StepsView*>(&steps.gpuTime()));
        QCOMPARE(steps.leftOut().range, isSelected);
        steps.showPart("host");
        QVERIFY(!steps.leftOut().range);
    }
}

void ViewCommandTest::comparedRangesAreOptions()
{
    ViewAsked asked;
    asked.panel = "verdict";
    asked.compared = "a.sqlite";
    asked.other = "b.sqlite";
    asked.shownSides = {"--b-range", "1:5"};
    asked.askedSides = {"--b-range", "2:6"};
    QCOMPARE(commandsOf(asked).window,
        QString("warpline --panel verdict --compare --b-range 1:5 a.sqlite b.sqlite"));
    QCOMPARE(commandsOf(asked).terminal, QString("warpline-cli compare --b-range 2:6 a.sqlite b.sqlite"));
    MainWindow window(Theme::light());
    const QString path = QString::fromStdString(m_fixture.path());
    QVERIFY(opensAndSettles(window, path));
    const TimeRange all = window.session().session();
    const Ns middle = all.start + all.duration() / 2;
    window.session().pair().compareWithin({all.start, middle}, {middle, all.end});
    QTRY_VERIFY(window.isSettled());
    const ViewCommands commands = commandsOf(window, &window.panel<ComparePanel>());
    const QString compared
        = QString(" --a-range %1:%2 --b-range %2:%3 %4").arg(all.start).arg(middle).arg(all.end).arg(path);
    QCOMPARE(commands.terminal, "warpline-cli compare" + compared);
    QVERIFY2(commands.window.endsWith(" --compare" + compared), qPrintable(commands.window));
}

/// Those that are shown: one is left out, and one cannot be read.
void ViewCommandTest::sidesNameAllTheirReports()
{
    const QTemporaryDir folder;
    QStringList paths;
    for (const char* const name : {"a.sqlite", "b.sqlite", "c.sqlite", "out.sqlite", "broken.sqlite"})
        paths << folder.filePath(name);
    for (const QString& path : paths.first(4))
        QVERIFY(QFile::copy(QString::fromStdString(m_fixture.path()), path));
    QFile broken(paths[4]);
    QVERIFY(broken.open(QIODevice::WriteOnly) && broken.write("none") == 4);
    broken.close();
    MainWindow window(Theme::light());
    window.show();
    window.openAll({paths[4], paths[3], paths[0], paths[1]});
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled() && !window.reports().isLoading(), 30'000);
    ReportChoices leftOut;
    leftOut.isIncluded = false;
    window.reports().change(1, leftOut);
    window.compareWith({paths[4], paths[1], paths[2]});
    QTRY_VERIFY_WITH_TIMEOUT(window.session().pair().isOn() && window.isSettled(), 30'000);
    const QString sides = QString(" %1,%2 %2,%3").arg(paths[0], paths[1], paths[2]);
    const ViewCommands commands = commandsOf(window, &window.panel<ComparePanel>());
    QCOMPARE(commands.terminal, "warpline-cli compare" + sides);
    QVERIFY2(commands.window.endsWith(" --compare" + sides), qPrintable(commands.window));
}

/// The window's command has the visible range, as its option shows one. That of the terminal has the
/// selected range; without one, panels about the whole report have none.
void ViewCommandTest::rangesAreThoseOfThePanel()
{
    MainWindow window(Theme::light());
    window.resize(1200, 800);
    window.show();
    QVERIFY(opensAndSettles(window, QString::fromStdString(m_fixture.path())));
    TimeView& time = window.session().time();
    const TimeRange all = window.session().session();
    const TimeRange shown{all.start + 100, all.end - 100};
    const TimeRange selected{all.start + 200, all.end - 200};
    const auto rangesIn = [&](const char* panel) {
        window.docks().showPanel(panel);
        if (!QTest::qWaitFor([&] { return window.docks().isPanelInFront(panel) && window.isSettled(); }))
            return QStringList();
        window.actions().find("view.copyCommand")->trigger();
        QStringList ranges;
        for (const QString& line : QApplication::clipboard()->text().split('\n'))
            ranges << line.section("--range ", 1).section(' ', 0, 0);
        return ranges;
    };
    const auto text = [](TimeRange range) { return QString("%1:%2").arg(range.start).arg(range.end); };
    time.show(shown);
    QCOMPARE(rangesIn("statistics"), (QStringList{text(shown), text(shown)}));
    QCOMPARE(rangesIn("events"), (QStringList{text(shown), QString()}));
    time.selectRange(selected);
    QCOMPARE(rangesIn("statistics"), (QStringList{text(shown), text(selected), QString()})); // and a note
    QCOMPARE(rangesIn("events"), (QStringList{text(shown), text(selected), QString()}));
}

/// A menu's entry is about the panel around it, whichever is in the drawer.
void ViewCommandTest::thePanelInUseIsCopied()
{
    MainWindow window(Theme::light());
    window.resize(1200, 800);
    window.show();
    QVERIFY(opensAndSettles(window, QString::fromStdString(m_fixture.path())));
    QVERIFY(window.docks().showPanel("findings"));
    QVERIFY(window.docks().showPanel("steps"));
    QTRY_VERIFY(window.docks().isPanelInFront("findings") && window.docks().isPanelInFront("steps"));
    QVERIFY(commandsOf(window, nullptr).terminal.startsWith("warpline-cli steps "));
    QMenu menu;
    addWhatIsThis(menu, {window.session(), &window.panel<FindingsPanel>(), EventId{}});
    const QList<QAction*> entries = menu.actions();
    const auto* const action = window.actions().find("view.copyCommand")->data().value<const Action*>();
    const auto entry = std::ranges::find(entries, menuText(*action), &QAction::text);
    QVERIFY(entry != entries.end());
    (*entry)->trigger();
    QVERIFY(QApplication::clipboard()->text().contains("\nwarpline-cli analyze "));
    // The focus was there, and is not yet back from another window.
    QWidget* field = nullptr;
    for (QWidget* const each : window.panel<FindingsPanel>().findChildren<QWidget*>())
        field = each->isVisible() && each->focusPolicy() == Qt::StrongFocus ? each : field;
    QVERIFY(field);
    field->setFocus();
    QWidget other;
    other.show();
    other.activateWindow();
    QTRY_VERIFY(!window.isActiveWindow() && !QApplication::focusWidget());
    QApplication::clipboard()->clear();
    window.actions().find("view.copyCommand")->trigger();
    QVERIFY(QApplication::clipboard()->text().contains("\nwarpline-cli analyze "));
}

WARPLINE_TEST(ViewCommandTest)

} // namespace tst_view_command

#include "tst_view_command.moc"
