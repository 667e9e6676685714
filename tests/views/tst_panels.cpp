// The panels on a small report: the events view sorts, filters and follows; statistics follow the selection;
// findings jump.

#include "core/base/format.h"
#include "core/base/stop.h"
#include "core/cache/report_key.h"
#include "core/cache/trace_cache.h"
#include "core/load/load_report.h"
#include "core/query/event_list.h"
#include "core/render/render.h"
#include "core/rows/row_kind.h"
#include "core/store/trace.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"
#include "tests/views/cut_parts.h"
#include "tests/views/view_test.h"
#include "views/actions/action.h"
#include "views/loading/trace_loader.h"
#include "views/models/table_text.h"
#include "views/panels/details_panel.h"
#include "views/panels/duration_chart.h"
#include "views/panels/events_filter_bar.h"
#include "views/panels/events_panel.h"
#include "views/panels/findings_panel.h"
#include "views/panels/layouts.h"
#include "views/panels/long_table.h"
#include "views/panels/range_text.h"
#include "views/panels/report_panel.h"
#include "views/panels/stats_charts.h"
#include "views/panels/stats_lines.h"
#include "views/panels/stats_panel.h"
#include "views/panels/table_columns.h"
#include "views/panels/table_export.h"
#include "views/panels/tables_panel.h"
#include "views/style/rich_text.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QFile>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QScrollArea>
#include <QScrollBar>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBrowser>
#include <QTextCursor>
#include <QTimer>
#include <QToolButton>
#include <QTreeWidget>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <set>
#include <thread>

namespace tst_panels {

using namespace warpline;
using namespace warpline::test;

class PanelsTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void eventsComeLongestFirst();
    void eventsSortByAnyColumn();
    void eventsHaveColumnsForPayloads();
    void titlesOfPayloadsAreWhole();
    void unitsAreWholeInLargeText();
    void reportSaysWhatTheProgramWrote();
    void theReportPageNeedsNoWidth();
    void titlesOfEventsStandAboveThem();
    void whereEventsAreIsWholeWhereThereIsRoom();
    void aListOfMarkedEventsIsNotBold();
    void figuresComeBeforeLongNames();
    void tabLeavesTables();
    void tablesWithoutAModelAreNotExported();
    void filesOfTablesHavePlainNumbers();
    void eventsBecomeTextOutsideOfTheWindow();
    void meansAndLabelsAgree();
    void eventsFilterByTextAndDuration();
    void eventsFollowRangeAndRows();
    void eventsOfARangeAreSummedWhole();
    void eventsFollowTheTimelineAndLeadIt();
    void eventsAreWalkedThroughToTheLast();
    void selectedEventsAreCopied();
    void longCopiesAreCut();
    void filterFieldsStayReadable();
    void theListDoesNotOfferItself();
    void eventListPlacesEveryEvent();
    void eventsExportAsCsv();
    void noPartOfAReportIsExported();
    void durationFilterIsParsed();
    void aMistakenDurationIsTold();
    void aFilteredListBeginsAtItsTop();
    void statisticsFollowTheSelection();
    void barsOfTheHistogramListWhatTheyCount();
    void chartsDrawWhatTheyCount();
    void allEventsAreAll();
    void filterWordsAreSaidOnce();
    void countersHaveATable();
    void detailsShowTheRawRowAndLinks();
    void detailsOfTracesInJsonHaveNoRow();
    void detailsOfARangeTellEqualNamesApart();
    void detailsOfARangeNameWhatIsWhole();
    void findingsJumpToTheirEvidence();
    void reportPageListsWhatTheFileHolds();
    void reportPageIsOfTheReportShown();
    void gpuWorkStandsBeforeWaits();
    void aMillionNamesAreNotAllListed();
    void wholeCopiesAreCalledSo();
    void legendOfTheGpuChartIsWhole();
    void lowChartsKeepTheirNames();
    void lowSelectionKeepsItsCharts();
    void textWithHighLettersIsNotCut();
    void chartOfManyGpusScrolls();
    void cellsModelSortsNumbersAsNumbers();
    void loaderLoadsCancelsAndFails();
    void everyPanelOfTheListShowsReportsAndNone();
    void panelsFindAgainWhatWasChosen();

private:
    /// Shows `panel` with `range` of the bundled report.
    void selectInSample(DetailsPanel& panel, TimeRange range)
    {
        const auto trace = loadReport(WARPLINE_SOURCE_DIR "/resources/sample.sqlite");
        QVERIFY(trace.ok());
        m_session->setTrace(trace.value(), buildRows(*trace.value()));
        panel.show();
        m_session->time().selectRange(range);
    }

    ReportFixture m_fixture;
    std::shared_ptr<const Trace> m_trace;
    std::shared_ptr<const RowTree> m_rows;
    std::unique_ptr<Session> m_session;
};

void PanelsTest::initTestCase()
{
    QCoreApplication::setOrganizationName("warpline-test");
    QCoreApplication::setApplicationName("tst_panels");
    m_fixture.addSmallReport();
    auto trace = loadReport(m_fixture.path());
    QVERIFY(trace.ok());
    m_trace = trace.take();
    m_rows = buildRows(*m_trace);
}

void PanelsTest::init()
{
    QSettings().clear();
    m_session = std::make_unique<Session>();
    m_session->setTrace(m_trace, m_rows);
}

void PanelsTest::eventsComeLongestFirst()
{
    EventsModel model(*m_session);
    const QAbstractItemModelTester tester(&model);
    QTRY_COMPARE(model.rowCount(), static_cast<int>(m_trace->eventCount()));
    for (int row = 1; row < model.rowCount(); ++row)
        QVERIFY(m_trace->range(model.eventAt(row - 1)).duration()
            >= m_trace->range(model.eventAt(row)).duration());
    QCOMPARE(model.index(0, 0).data().toString(), QString("step"));
}

void PanelsTest::eventsSortByAnyColumn()
{
    EventsModel model(*m_session);
    QTRY_VERIFY(model.rowCount() > 0);
    for (int column = 0; column < model.columnCount(); ++column) {
        QSignalSpy updated(&model, &EventsModel::updated);
        model.sort(column, Qt::AscendingOrder);
        QVERIFY(updated.wait());
        QVERIFY(!model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString().isEmpty());
        for (int row = 1; row < model.rowCount(); ++row) {
            const EventRef a = model.eventAt(row - 1);
            const EventRef b = model.eventAt(row);
            if (column == static_cast<int>(EventColumn::Start))
                QVERIFY(m_trace->range(a).start <= m_trace->range(b).start);
            if (column == static_cast<int>(EventColumn::Name))
                QVERIFY(m_trace->displayName(a) <= m_trace->displayName(b));
            if (column == static_cast<int>(EventColumn::Kind))
                QVERIFY(a.kind <= b.kind);
        }
    }
}

void PanelsTest::eventsHaveColumnsForPayloads()
{
    ReportFixture fixture;
    fixture.addSmallReport();
    fixture.run(
        "ALTER TABLE NVTX_EVENTS ADD COLUMN category INTEGER; ALTER TABLE NVTX_EVENTS ADD COLUMN jsonText "
        "TEXT;"
        "INSERT INTO NVTX_EVENTS VALUES (1, NULL, 33, NULL, 'comm', 1677721701, NULL, 0, 4, NULL);"
        "UPDATE NVTX_EVENTS SET category = 4, jsonText = '{\"bytes\":16,\"op\":\"Sum\"}' WHERE text = 'step';"
        "UPDATE NVTX_EVENTS SET jsonText = '{\"bytes\":9}' WHERE textId = 5");
    auto trace = loadReport(fixture.path());
    QVERIFY(trace.ok());
    EventsModel model(*m_session);
    const QAbstractItemModelTester tester(&model);
    const int usual = model.columnCount();
    m_session->setTrace(trace.value(), buildRows(*trace.value()));
    QTRY_COMPARE(model.rowCount(), static_cast<int>(trace.value()->eventCount()));
    QCOMPARE(model.columnCount(), usual + 3);
    QCOMPARE(model.headerData(usual, Qt::Horizontal, Qt::DisplayRole).toString(), QString("Category"));
    QCOMPARE(model.headerData(usual + 1, Qt::Horizontal, Qt::DisplayRole).toString(), QString("bytes"));
    QCOMPARE(model.headerData(usual + 2, Qt::Horizontal, Qt::DisplayRole).toString(), QString("op"));
    QSignalSpy updated(&model, &EventsModel::updated);
    model.sort(usual + 1, Qt::DescendingOrder);
    QVERIFY(updated.wait());
    QCOMPARE(model.index(0, 0).data().toString(), QString("step")); // 16 before 9
    QCOMPARE(model.index(0, usual).data().toString(), QString("comm"));
    QCOMPARE(model.index(0, usual + 1).data().toString(), QString("16"));
    QCOMPARE(model.index(0, usual + 2).data().toString(), QString("Sum"));
    QCOMPARE(model.index(1, usual + 1).data().toString(), QString("9"));
    QCOMPARE(model.index(2, usual + 1).data().toString(), QString());
    // The columns go with the report.
    m_session->setTrace(m_trace, m_rows);
    QTRY_COMPARE(model.rowCount(), static_cast<int>(m_trace->eventCount()));
    QCOMPARE(model.columnCount(), usual);
}

/// Titles of payload fields are the program's words: of any length, and shown in full.
void PanelsTest::titlesOfPayloadsAreWhole()
{
    ReportFixture fixture;
    fixture.addSmallReport();
    fixture.run("ALTER TABLE NVTX_EVENTS ADD COLUMN jsonText TEXT;"
                "UPDATE NVTX_EVENTS SET jsonText = '{\"Message size of the collective [bytes]\":16}' "
                "WHERE text = 'step'");
    auto trace = loadReport(fixture.path());
    QVERIFY(trace.ok());
    EventsPanel panel(*m_session);
    panel.resize(900, 300);
    panel.show();
    m_session->setTrace(trace.value(), buildRows(*trace.value()));
    auto* const table = panel.findChild<QTableView*>("events-table");
    QVERIFY(table);
    const QAbstractItemModel& model = *table->model();
    const auto titleOfLast = [&] {
        return model.headerData(model.columnCount() - 1, Qt::Horizontal, Qt::DisplayRole).toString();
    };
    QTRY_COMPARE(titleOfLast(), QString("Message size of the collective [bytes]"));
    QTRY_VERIFY(table->columnWidth(model.columnCount() - 1)
        > table->horizontalHeader()->fontMetrics().horizontalAdvance(titleOfLast()));
    // So are times in a larger font.
    QFont large = panel.font();
    large.setPointSize(14);
    panel.setFont(large);
    QVERIFY(table->columnWidth(static_cast<int>(EventColumn::Start))
        > table->fontMetrics().horizontalAdvance("241.000016 ms"));
}

/// A duration that is cut before its unit says nothing.
void PanelsTest::unitsAreWholeInLargeText()
{
    const TextSize large(16);
    EventsPanel panel(*m_session);
    constexpr int margins = 8;
    for (const auto& [column, text] : {std::pair(EventColumn::Duration, "115.103 ms"),
             {EventColumn::Bytes, "201.3 MB"}, {EventColumn::Kind, "CUDA API call"}}) {
        const int width = panel.table().columnWidth(static_cast<int>(column));
        const int needed = panel.table().fontMetrics().horizontalAdvance(text) + margins;
        QVERIFY2(width >= needed, qPrintable(QString("%1: %2, %3").arg(text).arg(width).arg(needed)));
    }
}

void PanelsTest::reportSaysWhatTheProgramWrote()
{
    ReportFixture fixture;
    fixture.addSmallReport();
    fixture.run("INSERT INTO StringIds VALUES (20, '/tmp/streams/pid_100_stdout.log'), (21, 'loss <0.5>');"
                "CREATE TABLE ProcessStreams (globalPid INTEGER, filenameId INTEGER, contentId INTEGER);"
                "INSERT INTO ProcessStreams VALUES (1677721600, 20, 21);");
    auto trace = loadReport(fixture.path());
    QVERIFY(trace.ok());
    ReportPanel panel(*m_session);
    panel.show();
    m_session->setTrace(trace.value(), buildRows(*trace.value()));
    QTRY_VERIFY(!panel.isBusy());
    QVERIFY(!panel.text().toPlainText().contains("loss")); // until requested
    emit panel.text().anchorClicked(QUrl("machine"));
    const QString text = panel.text().toPlainText();
    QVERIFY2(text.contains("Program output") && text.contains("loss <0.5>")
            && text.contains("pid_100_stdout.log") && !text.contains("/tmp/streams"),
        qPrintable(text));
}

void PanelsTest::theReportPageNeedsNoWidth()
{
    auto told = std::make_shared<Trace>(*m_trace);
    told->info.startedUtc = "2026-11-21T14:13:33";
    told->info.output.push_back({0, "stdout.log", "begin"});
    for (int i = 0; i < 200; ++i)
        told->info.output.back().text += " loss";
    ReportPanel panel(*m_session);
    panel.resize(900, 300);
    panel.show();
    m_session->setTrace(told, m_rows);
    QTRY_VERIFY(!panel.isBusy());
    const auto* const page = panel.findChild<QTextBrowser*>();
    QVERIFY(page->toPlainText().contains("2026-11-21 14:13:33")); // as elsewhere
    emit panel.text().anchorClicked(QUrl("machine"));
    QVERIFY(page->toPlainText().contains("loss loss"));
    QCOMPARE(page->horizontalScrollBar()->maximum(), 0); // long lines of the program's output are wrapped
}

void PanelsTest::titlesOfEventsStandAboveThem()
{
    EventsModel model(*m_session);
    QTRY_VERIFY(model.rowCount() > 0);
    for (int column = 0; column < model.columnCount(); ++column)
        QCOMPARE(model.headerData(column, Qt::Horizontal, Qt::TextAlignmentRole).toInt(),
            model.index(0, column).data(Qt::TextAlignmentRole).toInt());
}

void PanelsTest::whereEventsAreIsWholeWhereThereIsRoom()
{
    const QString where = "[1535] a program with a long name, its thread";
    for (const int width : {1400, 420}) {
        CellsModel model({"Name", "Where"});
        model.setLines({{{{"read", {}}, {where, {}}}, 0}});
        QTableView table;
        styleTable(table);
        table.setModel(&model);
        table.setColumnWidth(0, 300);
        table.setColumnWidth(1, 80);
        widenColumns(table, {1}, 0, 600);
        stretchColumn(table, 0);
        table.resize(width, 200);
        table.show();
        const int needed = table.fontMetrics().horizontalAdvance(where);
        if (width > 1000)
            QTRY_VERIFY(table.columnWidth(1) > needed);
        QTest::qWait(1); // the request is done
        QVERIFY(table.columnWidth(0) >= 300); // names come first
        QVERIFY(table.columnWidth(1) >= 80);
        if (width < 1000)
            QVERIFY(table.columnWidth(1) < needed);
    }
}

void PanelsTest::aListOfMarkedEventsIsNotBold()
{
    EventsModel model(*m_session);
    QTRY_VERIFY(model.rowCount() > 0);
    const auto boldLines = [&] {
        int bold = 0;
        for (int row = 0; row < model.rowCount(); ++row)
            bold += model.index(row, 0).data(Qt::FontRole).isValid() ? 1 : 0;
        return bold;
    };
    m_session->selection().setHighlighted(ReportId{}, {{EventKind::Kernel, 1}});
    QCOMPARE(boldLines(), 1);
    EventFilter filter;
    filter.text = "LAUNCH";
    m_session->selection().setFilter(filter); // marks them in the timeline
    QTRY_COMPARE(model.rowCount(), 3);
    QTRY_COMPARE(m_session->selection().highlighted(ReportId{}).size(), 3U);
    QCOMPARE(boldLines(), 0);
    const TimeRange first = m_trace->range(model.eventAt(0));
    m_session->time().selectRange(first); // lists a part of them
    QTRY_VERIFY(model.rowCount() > 0 && model.rowCount() < 3);
    QCOMPARE(boldLines(), 0);
    m_session->time().selectRange({});
    QTRY_COMPARE(model.rowCount(), 3);
    m_session->selection().setHighlighted(
        ReportId{}, {m_session->selection().highlighted(ReportId{}).front()});
    QCOMPARE(boldLines(), 1);
}

void PanelsTest::figuresComeBeforeLongNames()
{
    CellsModel model({"Name", "Count"});
    QTableView table;
    styleTable(table);
    table.setModel(&model);
    table.horizontalHeader()->setDefaultSectionSize(60);
    stretchColumn(table, 0);
    table.resize(240, 200);
    table.show();
    model.setLines({{{{QString(80, 'n'), {}}, {"9", 9.0}}, 0}});
    fitColumns(table, 280, false, 120);
    QCOMPARE(table.horizontalScrollBar()->maximum(), 0);
    table.resize(600, 200);
    QTRY_VERIFY(table.columnWidth(0) > 400); // where there is room the name has it
    // All values of names are visible in a small window.
    StatsPanel panel(*m_session, Theme::light());
    panel.resize(1280, 330);
    panel.show();
    QTRY_COMPARE(panel.stats().window, m_trace->session);
    for (const QTableView* const each : panel.findChildren<QTableView*>())
        QVERIFY(!each->isVisible() || each->horizontalScrollBar()->maximum() == 0);
}

void PanelsTest::tabLeavesTables()
{
    CellsModel model({"Name", "Count"});
    model.setLines({{{{"read", {}}, {"9", 9.0}}, 0}, {{{"write", {}}, {"7", 7.0}}, 1}});
    for (QTableView* const table : {new QTableView, static_cast<QTableView*>(new LongTable)}) {
        QWidget window;
        table->setParent(&window);
        QLineEdit next(&window); // after the table
        styleTable(*table);
        table->setModel(&model);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        table->setFocus();
        table->setCurrentIndex(model.index(0, 0));
        QTest::keyClick(table, Qt::Key_Tab);
        QCOMPARE(QApplication::focusWidget(), &next);
        QTest::keyClick(&next, Qt::Key_Tab, Qt::ShiftModifier);
        QCOMPARE(QApplication::focusWidget(), table);
        QCOMPARE(table->currentIndex(), model.index(0, 0));
    }
}

/// A menu may be open while the panel takes the model away.
void PanelsTest::tablesWithoutAModelAreNotExported()
{
    QWidget panel;
    auto* const view = new QTableView(&panel);
    QStandardItemModel model(1, 1);
    view->setModel(&model);
    const std::vector<TableExport*> offered = offerTables(panel, *m_session, "table");
    QCOMPARE(offered.size(), std::size_t{1});
    view->setModel(nullptr);
    const QSignalSpy said(offered.front(), &TableExport::messages);
    offered.front()->copyAs("csv");
    QCOMPARE(said.count(), 1);
    QVERIFY(!offered.front()->isBusy());
}

/// Files have plain numbers, the unit in the head, and the range.
void PanelsTest::filesOfTablesHavePlainNumbers()
{
    StatsPanel panel(*m_session, Theme::light());
    panel.resize(1280, 330);
    panel.show();
    const TimeRange range{m_trace->session.start, m_trace->session.end - 1};
    m_session->time().selectRange(range);
    QTRY_COMPARE(panel.stats().window, range);
    const ShownTable names = shownTable(*panel.nameTable().model());
    QStringList heads;
    for (const Column& column : names.cells->columns)
        heads << QString::fromStdString(column.title);
    QCOMPARE(heads,
        (QStringList{"Name", "Kind", "Count", "In range (ns)", "Share (%)", "Mean (ns)", "Median (ns)",
            "Min (ns)", "Max (ns)", "Bytes (B)", "Range start (ns)", "Range end (ns)"}));
    const ShownTable cut = shownTable(*panel.nameTable().model(), 1); // only what a copy keeps is made
    QCOMPARE(cut.cells->rowCount(), std::size_t{1});
    QCOMPARE(cut.order.size() + cut.leftOut, names.order.size());
    const QTemporaryDir folder;
    const auto written = [&](const QString& ending) {
        TableExport exporting(
            *m_session, "selection", [&](std::size_t) { return shownTable(*panel.nameTable().model()); },
            &panel);
        QSignalSpy said(&exporting, &TableExport::messages);
        const QString path = folder.filePath("names." + ending);
        exporting.write(path);
        [&] { QTRY_COMPARE(said.count(), 1); }();
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
    };
    const auto* const model = static_cast<const CellsModel*>(panel.nameTable().model());
    const QStringList lines = written("tsv").split('\n', Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), model->rowCount() + 1);
    for (int i = 0; i < model->rowCount(); ++i) {
        const NameFigures& name = panel.stats().names[model->line(i).id];
        const QStringList fields = lines[i + 1].split('\t');
        QCOMPARE(fields.size(), heads.size());
        QCOMPARE(fields[2].toULongLong(), name.count);
        QCOMPARE(fields[3].toLongLong(), name.total);
        QVERIFY(std::abs(fields[4].toDouble() - name.share * 100) <= 0.0501);
        QVERIFY(std::abs(fields[5].toDouble() - name.mean) <= 0.0501);
        QCOMPARE(fields[8].toLongLong(), name.max);
        QCOMPARE(fields[9], name.bytes ? QString::number(name.bytes) : QString());
        QCOMPARE(fields[10].toLongLong(), range.start);
        QCOMPARE(fields[11].toLongLong(), range.end);
    }
    QVERIFY(written("csv").startsWith(heads.join(',') + '\n'));
    const QJsonArray json = QJsonDocument::fromJson(written("json").toUtf8()).array();
    QCOMPARE(json.size(), model->rowCount());
    QCOMPARE(json[0]["In range (ns)"].toInteger(), panel.stats().names[model->line(0).id].total);
    EventsModel events(*m_session);
    QTRY_VERIFY(events.rowCount() > 0);
    const ShownTable shown = shownTable(events);
    QCOMPARE(shown.cells->columns[1].title, std::string("Start (ns)"));
    for (int row = 0; row < events.rowCount(); ++row) {
        const TimeRange own = m_trace->range(events.eventAt(row));
        QCOMPARE(std::get<std::int64_t>(shown.cells->at(static_cast<std::size_t>(row), 1)), own.start);
        QCOMPARE(std::get<std::int64_t>(shown.cells->at(static_cast<std::size_t>(row), 2)), own.duration());
    }
}

/// A million events would hold up the window: their rows are made where they are written.
void PanelsTest::eventsBecomeTextOutsideOfTheWindow()
{
    EventsModel events(*m_session);
    QTRY_VERIFY(events.rowCount() > 0 && !events.isBusy());
    const ShownTable shown = shownTable(events);
    QCOMPARE(shown.order.size(), static_cast<std::size_t>(events.rowCount()));
    std::vector<EventRef> listed;
    for (int row = 0; row < events.rowCount(); ++row)
        listed.push_back(events.eventAt(row));
    events.sort(static_cast<int>(EventColumn::Start), Qt::AscendingOrder);
    QTRY_VERIFY(!events.isBusy());
    for (std::size_t row = 0; row < listed.size(); ++row)
        QVERIFY(shown.cells->events(row) == std::vector{listed[row]}); // of the order that was shown
    QString text;
    std::jthread([&] { text = tableText(*shown.cells, shown.order, "tsv"); }).join();
    QCOMPARE(text.split('\n').size(), events.rowCount() + 1);
    std::stop_source stop;
    stop.request_stop();
    QVERIFY_THROWS_EXCEPTION(Stopped, tableText(*shown.cells, shown.order, "tsv", stop.get_token()));
}

/// Selection and Details show the mean of SQL, rounded, and no two kernels under one label.
void PanelsTest::meansAndLabelsAgree()
{
    const std::string path = WARPLINE_TEST_DATA "/reports/bert_fp32.sqlite";
    const auto loaded = loadReport(path);
    QVERIFY(loaded.ok());
    const Trace& trace = *loaded.value();
    const TimeRange whole{trace.session.start, trace.session.end + 1};
    const RangeStats stats = rangeStats(trace, *buildRows(trace), {}, {}, whole);
    const auto causes
        = causesOfIdle(trace, *buildRows(trace), IdleTimes::of(trace).get(), stats.devices, whole);
    QCOMPARE(causes.size(), stats.devices.size());
    for (std::size_t i = 0; i < causes.size(); ++i) {
        Ns idle = 0;
        for (const auto& [cause, time] : causes[i])
            idle += time;
        QVERIFY(idle > stats.devices[i].idle / 2 && idle <= stats.devices[i].idle); // small ones are left out
    }
    const QString details = rangeHtml(trace, stats, causes, Theme::light(), {});
    for (const auto& [cause, time] : causes.front())
        QVERIFY(details.contains(htmlOf(plain(cause)) + "&nbsp;" + durationHtml(time)));
    std::set<QString> labels;
    int inDetails = 0;
    int distinguished = 0;
    for (const CellsModel::Line& line : nameLines(trace, stats)) {
        const NameFigures& name = stats.names[line.id];
        if (name.kind != EventKind::Kernel)
            continue;
        const Ns mean = sqlInteger(path,
            "SELECT cast(round(avg(end - start)) AS INTEGER) FROM CUPTI_ACTIVITY_KIND_KERNEL WHERE demangledName "
            "= (SELECT id FROM StringIds WHERE value = '"
                + std::string(trace.text(name.name)) + "')");
        QCOMPARE(line.cells[5].text, durationText(mean));
        QVERIFY2(labels.insert(line.cells[0].text).second, qPrintable(line.cells[0].text));
        distinguished += name.label != trace.displayName(name.longest) ? 1 : 0;
        const QString link = QString("<a href='name:%1'>").arg(line.id);
        if (const qsizetype at = details.indexOf(link); at >= 0) {
            QVERIFY(details.mid(at, details.indexOf("<a href='name", at + 1) - at)
                        .contains("mean " + durationHtml(mean)));
            ++inDetails;
        }
    }
    RangeStats one;
    one.window = {0, 1000};
    one.events = 1;
    QVERIFY(rangeHtml(trace, one, {}, Theme::light(), {}).contains(", 1 event<"));
    QVERIFY(inDetails > 3);
    QVERIFY(distinguished > 1);
}

void PanelsTest::eventsFilterByTextAndDuration()
{
    EventsModel model(*m_session);
    EventFilter filter;
    filter.text = "LAUNCH";
    m_session->selection().setFilter(filter);
    QTRY_COMPARE(model.rowCount(), 3);
    filter.text = "sca"; // kernels match by name
    filter.minDuration = 1000;
    m_session->selection().setFilter(filter);
    QTRY_COMPARE(model.rowCount(), 2);
    filter = {};
    filter.kind = EventKind::Memcpy;
    m_session->selection().setFilter(filter);
    QTRY_COMPARE(model.rowCount(), 1);
    QCOMPARE(model.index(0, static_cast<int>(EventColumn::Bytes)).data().toString(), QString("4.096 kB"));
}

void PanelsTest::eventsFollowRangeAndRows()
{
    EventsModel model(*m_session);
    m_session->time().selectRange({4500, 5200});
    m_session->selection().selectRows({m_rows->rowOf(m_trace->trackOf({EventKind::Kernel, 0}))});
    QTRY_COMPARE(model.rowCount(), 1);
    QCOMPARE(m_trace->range(model.eventAt(0)).start, 5000);
    m_session->selection().clear();
    QTRY_COMPARE(model.rowCount(), static_cast<int>(m_trace->eventCount()));
}

/// A kernel of 500 ns, 200 of them in the range.
void PanelsTest::eventsOfARangeAreSummedWhole()
{
    EventsPanel panel(*m_session);
    panel.show();
    m_session->time().selectRange({4500, 5200});
    m_session->selection().selectRows({m_rows->rowOf(m_trace->trackOf({EventKind::Kernel, 0}))});
    QTRY_VERIFY(!panel.model().isBusy() && panel.model().rowCount() == 1);
    const auto labels = panel.findChildren<QLabel*>();
    QTRY_VERIFY(
        std::ranges::count(labels, QString("1 event in the selection, sum of whole durations: 500 ns"),
            &QLabel::accessibleName)
        == 1);
}

void PanelsTest::eventsFollowTheTimelineAndLeadIt()
{
    EventsPanel panel(*m_session);
    panel.resize(900, 300);
    panel.show();
    QTRY_VERIFY(panel.model().rowCount() > 0 && !panel.model().isBusy());
    const EventRef kernel{EventKind::Kernel, 1};
    m_session->selection().setCurrentEvent({ReportId{}, kernel});
    QCOMPARE(panel.table().currentIndex().row(), panel.model().rowOf(kernel));
    // A click leads the timeline.
    const QModelIndex first = panel.model().index(0, 0);
    panel.table().scrollTo(first);
    QTest::mouseClick(panel.table().viewport(), Qt::LeftButton, {}, panel.table().visualRect(first).center());
    QCOMPARE(m_session->selection().ownCurrentEvent(), panel.model().eventAt(0));
    const QModelIndex last = panel.model().index(panel.model().rowOf(kernel), 0);
    panel.table().scrollTo(last);
    const QPoint at = panel.table().visualRect(last).center();
    QTest::mouseClick(panel.table().viewport(), Qt::LeftButton, {}, at);
    QTest::mouseDClick(panel.table().viewport(), Qt::LeftButton, {}, at); // a double-click is a click first
    QVERIFY(m_session->time().shown().duration() < m_trace->session.duration());
}

void PanelsTest::eventsAreWalkedThroughToTheLast()
{
    EventsPanel panel(*m_session);
    panel.resize(900, 130); // some three lines
    panel.show();
    EventsModel& model = panel.model();
    QTRY_VERIFY(model.rowCount() > 0 && !model.isBusy());
    const int all = model.rowCount();
    QVERIFY(all > 2 * panel.table().verticalScrollBar()->pageStep());
    QTableView& table = panel.table();
    const auto isSeen = [&](int row) {
        const int y = table.visualRect(model.index(row, 0)).center().y();
        return y >= 0 && y < table.viewport()->height();
    };
    table.setFocus();
    table.setCurrentIndex(model.index(0, 0));
    for (int row = 0; row < all; ++row) {
        QCOMPARE(m_session->selection().currentEvent(), model.idAt(row));
        QVERIFY(isSeen(row));
        QTest::keyClick(&table, Qt::Key_Down);
    }
    QTest::keyClick(&table, Qt::Key_Home, Qt::ControlModifier);
    QCOMPARE(m_session->selection().currentEvent(), model.idAt(0));
    QTest::keyClick(&table, Qt::Key_End, Qt::ControlModifier);
    QCOMPARE(m_session->selection().currentEvent(), model.idAt(all - 1));
    QVERIFY(isSeen(all - 1));
    // Sorted otherwise, the event stays the selected one, and is scrolled to.
    const EventId last = model.idAt(all - 1);
    QSignalSpy updated(&model, &EventsModel::updated);
    table.sortByColumn(static_cast<int>(EventColumn::Duration), Qt::AscendingOrder);
    QVERIFY(updated.wait());
    QVERIFY(model.rowOf(last) != all - 1);
    QCOMPARE(m_session->selection().currentEvent(), last);
    QCOMPARE(table.currentIndex().row(), model.rowOf(last));
    QVERIFY(isSeen(model.rowOf(last)));
}

void PanelsTest::selectedEventsAreCopied()
{
    EventsPanel panel(*m_session);
    panel.show();
    EventsModel& model = panel.model();
    QTRY_VERIFY(model.rowCount() > 0 && !model.isBusy());
    QItemSelectionModel& selection = *panel.table().selectionModel();
    for (const int row : {5, 1, 2}) // in the order of the table
        selection.select(model.index(row, 0), QItemSelectionModel::Select | QItemSelectionModel::Rows);
    QSignalSpy messages(&panel, &EventsPanel::messages);
    panel.copySelection();
    QTRY_COMPARE(messages.count(), 1);
    const QStringList lines = QApplication::clipboard()->text().trimmed().split('\n');
    QCOMPARE(lines.size(), 4);
    const auto name = [&](int row) { return textOf(m_trace->name(model.eventAt(row))); };
    QVERIFY(lines[1].startsWith(name(1)) && lines[2].startsWith(name(2)) && lines[3].startsWith(name(5)));
    panel.table().selectAll();
    panel.copySelection();
    QTRY_COMPARE(messages.count(), 2);
    QCOMPARE(QApplication::clipboard()->text().trimmed().split('\n').size(), model.rowCount() + 1);
}

/// The count gives way, not the fields.
void PanelsTest::filterFieldsStayReadable()
{
    EventsPanel panel(*m_session);
    panel.resize(panel.minimumSizeHint().width(), 300);
    panel.show();
    QTRY_VERIFY(panel.model().rowCount() > 0 && !panel.model().isBusy());
    for (const QLineEdit* const field : panel.findChildren<QLineEdit*>()) {
        if (field->isVisible() && field->objectName() != "events-filter")
            QTRY_VERIFY(field->width() > field->fontMetrics().horizontalAdvance("1ms..5ms"));
    }
}

/// A copy that is cut says how many lines there are.
void PanelsTest::longCopiesAreCut()
{
    EventsPanel panel(*m_session);
    panel.show();
    EventsModel& model = panel.model();
    QTRY_VERIFY(model.rowCount() > 2 && !model.isBusy());
    TableExport exporting(
        *m_session, "events", [&](std::size_t) { return shownTable(model); }, &panel);
    QStringList told;
    const auto tell = [&told](const QString& text) { told << text; };
    connect(&panel, &EventsPanel::messages, this, tell);
    connect(&exporting, &TableExport::messages, this, tell);
    const auto lines
        = [] { return QApplication::clipboard()->text().split('\n', Qt::SkipEmptyParts).size(); };
    const QString all = numberText(static_cast<std::uint64_t>(model.rowCount()));
    panel.table().selectAll();
    panel.copySelection(2);
    QTRY_COMPARE(told.size(), 1);
    QCOMPARE(lines(), 3);
    QVERIFY2(told.last().contains(all), qPrintable(told.last()));
    QApplication::clipboard()->clear();
    exporting.copyAs("tsv", 2);
    QTRY_COMPARE(told.size(), 3); // it begins, it is done
    QCOMPARE(lines(), 3);
    QVERIFY2(told.last().contains(all), qPrintable(told.last()));
    exporting.copyAs("tsv");
    QTRY_COMPARE(told.size(), 5);
    QCOMPARE(lines(), model.rowCount() + 1);
    QVERIFY(!told.last().contains(all));
}

/// The menu of an event leads to Events from everywhere but there.
void PanelsTest::theListDoesNotOfferItself()
{
    const auto entriesOf = [](const QMenu& menu) {
        std::set<QString> ids;
        for (const QAction* const entry : menu.findChildren<QAction*>())
            ids.insert(entry->text());
        return ids;
    };
    EventsPanel panel(*m_session);
    panel.resize(900, 300);
    panel.show();
    QTRY_VERIFY(panel.model().rowCount() > 0 && !panel.model().isBusy());
    QTableView& table = panel.table();
    std::set<QString> offered;
    QTimer::singleShot(0, &panel, [&] {
        if (auto* const menu = qobject_cast<QMenu*>(QApplication::activePopupWidget())) {
            offered = entriesOf(*menu);
            menu->close();
        }
    });
    emit table.customContextMenuRequested(table.visualRect(panel.model().index(0, 0)).center());
    QVERIFY(offered.size() > 3);
    const ActionContext elsewhere{*m_session, nullptr, panel.model().idAt(0), RowTree::root};
    QMenu menu;
    addContextActions(menu, eventActions(), ContextMenu::Event, elsewhere);
    std::set<QString> others = entriesOf(menu);
    const auto show = std::ranges::find(eventActions(), QString("event.show"), &Action::id);
    QCOMPARE(others.count(menuText(*show)), 1U);
    QCOMPARE(offered.count(menuText(*show)), 0U);
    others.erase(menuText(*show));
    QVERIFY(std::ranges::includes(offered, others)); // all else is there, too
}

void PanelsTest::eventListPlacesEveryEvent()
{
    for (int column = 0; column <= static_cast<int>(EventColumn::Kind); ++column) {
        for (const bool descending : {false, true}) {
            EventQuery query;
            query.window = {-1, 10'000};
            query.column = static_cast<EventColumn>(column);
            query.descending = descending;
            const EventList list(m_trace, query);
            QCOMPARE(list.size(), static_cast<std::size_t>(m_trace->eventCount()));
            for (std::size_t row = 0; row < list.size(); ++row)
                QCOMPARE(list.rowOf(list[row]), row);
            QCOMPARE(list.rowOf({EventKind::Nvtx, 999'999}), list.size());
        }
    }
}

void PanelsTest::eventsExportAsCsv()
{
    EventsPanel panel(*m_session);
    panel.show(); // hidden panels do not work
    QTRY_VERIFY(panel.model().rowCount() > 0 && !panel.model().isBusy());
    const QTemporaryDir folder;
    QSignalSpy messages(&panel, &EventsPanel::messages);
    panel.exportCsv(folder.filePath("events.csv"));
    QTRY_COMPARE(messages.count(), 2);
    QFile file(folder.filePath("events.csv"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QList<QByteArray> lines = file.readAll().trimmed().split('\n');
    QCOMPARE(lines.size(), static_cast<qsizetype>(m_trace->eventCount()) + 1);
    QVERIFY(lines[0].startsWith("Name,Start (ns)"));
    panel.exportCsv("/nowhere/events.csv");
    QTRY_COMPARE(messages.count(), 4);
    QVERIFY(messages.last().first().toString().contains("Cannot write"));
}

/// Neither by the menu of the window nor by that of the panel.
void PanelsTest::noPartOfAReportIsExported()
{
    EventsPanel panel(*m_session);
    const auto part = std::make_shared<Trace>(*m_trace);
    part->complete = false;
    m_session->setTrace(part, m_rows);
    QSignalSpy messages(&panel, &EventsPanel::messages);
    QTimer::singleShot(0, &panel, [] { // no dialog asks for a path
        if (QWidget* const dialog = QApplication::activeModalWidget())
            dialog->close();
    });
    panel.findChild<TableExport*>()->menu()->actions().constLast()->trigger(); // all as CSV
    QCOMPARE(messages.count(), 1);
}

void PanelsTest::durationFilterIsParsed()
{
    Ns least = 0;
    Ns most = 0;
    QVERIFY(parseDurationFilter("> 10us", least, most));
    QCOMPARE(least, 10'000);
    QVERIFY(parseDurationFilter("<1.5ms", least, most));
    QCOMPARE(most, 1'500'000);
    QCOMPARE(least, 0);
    QVERIFY(parseDurationFilter("5 ms - 20 ms", least, most));
    QCOMPARE(least, 5'000'000);
    QCOMPARE(most, 20'000'000);
    QVERIFY(parseDurationFilter("10us..1.5ms", least, most)); // as in filters
    QCOMPARE(least, 10'000);
    QCOMPARE(most, 1'500'000);
    QVERIFY(!parseDurationFilter("10us..", least, most));
    QVERIFY(!parseDurationFilter("5ms..1ms", least, most) && least > most);
    QVERIFY(!parseDurationFilter("5ms - 1ms", least, most));
    QVERIFY(parseDurationFilter("", least, most));
    QVERIFY(!parseDurationFilter("fast", least, most));
}

void PanelsTest::aMistakenDurationIsTold()
{
    EventsFilterBar bar(*m_session);
    bar.show();
    auto* const note = bar.findChild<FilterNote*>();
    QLineEdit* field = nullptr;
    for (QLineEdit* const each : bar.findChildren<QLineEdit*>())
        field = each == &bar.text() ? field : each;
    QVERIFY(note && field && note->isHidden());
    field->setText("2us..3us");
    QCOMPARE(m_session->selection().filter().minDuration, 2'000);
    QCOMPARE(m_session->selection().filter().maxDuration, 3'000);
    field->setText("2us..x");
    QVERIFY(note->isHidden()); // the user may be typing
    QTRY_VERIFY(!note->isHidden());
    QVERIFY(note->text().contains("2us..3us")); // which still holds
    QCOMPARE(m_session->selection().filter().minDuration, 2'000);
    field->setText("4us");
    QVERIFY(note->isHidden());
    QCOMPARE(m_session->selection().filter().minDuration, 4'000);
    // At once with the return key; another filter replaces it.
    field->setText("abc");
    QTest::keyClick(field, Qt::Key_Return);
    QVERIFY(!note->isHidden());
    m_session->selection().setFilter({});
    QVERIFY(note->isHidden() && field->text().isEmpty());
    // Ends in the wrong order have words of their own.
    field->setText("x");
    QTest::keyClick(field, Qt::Key_Return);
    const QString noTime = note->text();
    field->setText("5ms..1ms");
    QTest::keyClick(field, Qt::Key_Return);
    QVERIFY(!note->isHidden() && note->text() != noTime);
    // In the theme's colour, which is readable on its ground.
    bar.setPalette(Theme::dark().palette());
    field->setText("5ms..1us");
    QCOMPARE(field->palette().color(QPalette::Text), Theme::dark().bad);
    bar.setPalette(Theme::light().palette());
    QCOMPARE(field->palette().color(QPalette::Text), Theme::light().bad);
    QCOMPARE(field->palette().color(QPalette::Base), bar.palette().color(QPalette::Base));
    QTest::keyClick(field, Qt::Key_Return);
    // The mistake of one field stays when the other is corrected.
    const QString wrongOrder = note->text();
    bar.text().setText("durr>5");
    QTest::keyClick(&bar.text(), Qt::Key_Return);
    QVERIFY(!note->isHidden() && note->text() != wrongOrder);
    bar.text().clear();
    QCOMPARE(note->text(), wrongOrder);
    QVERIFY(!note->isHidden());
    field->clear();
    QVERIFY(note->isHidden());
}

/// Where the selected event is not among the events of a filter.
void PanelsTest::aFilteredListBeginsAtItsTop()
{
    EventsPanel panel(*m_session);
    panel.resize(900, 150);
    panel.show();
    EventsModel& model = panel.model();
    QTRY_VERIFY(model.rowCount() > 0 && !model.isBusy());
    m_session->selection().setCurrentEvent(model.idAt(model.rowCount() - 1)); // the shortest
    QScrollBar& bar = *panel.table().verticalScrollBar();
    QTRY_VERIFY(bar.maximum() > 0 && bar.value() == bar.maximum());
    const int all = model.rowCount();
    EventFilter filter;
    filter.minDuration = m_trace->range(model.eventAt(all - 1)).duration() + 1;
    m_session->selection().setFilter(filter);
    QTRY_VERIFY(!model.isBusy() && model.rowCount() > 1 && model.rowCount() < all);
    QVERIFY(bar.maximum() > 0);
    QCOMPARE(bar.value(), 0);
}

void PanelsTest::statisticsFollowTheSelection()
{
    StatsPanel panel(*m_session, Theme::dark());
    panel.show();
    QTRY_COMPARE(panel.stats().window, m_trace->session);
    m_session->time().selectRange({1000, 3500});
    QTRY_COMPARE(panel.stats().window, (TimeRange{1000, 3500}));
    QCOMPARE(panel.stats().devices[0].compute, 2500);
    m_session->time().selectRange({});
    m_session->time().show({4500, 5700});
    QTRY_COMPARE(panel.stats().window, (TimeRange{4500, 5700}));
}

void PanelsTest::barsOfTheHistogramListWhatTheyCount()
{
    StatsPanel panel(*m_session, Theme::dark());
    panel.show();
    QTRY_COMPARE(panel.stats().window, m_trace->session);
    auto* const chart = panel.findChild<DurationChart*>();
    QVERIFY(chart);
    emit chart->chosen(0, std::numeric_limits<Ns>::max());
    std::size_t work = 0;
    for (const EventKind kind :
        {EventKind::Kernel, EventKind::Memcpy, EventKind::Memset, EventKind::GraphTrace})
        work += m_trace->table(kind).size();
    const EventFilter& filter = m_session->selection().filter();
    QVERIFY(!filter.tracks.empty());
    EventQuery query;
    query.window = m_trace->session;
    query.tracks = filter.tracks;
    QCOMPARE(EventList(m_trace, query).size(), work); // no API call, however long it takes
    QVERIFY(m_session->time().selectedRange().empty());
    // Of a part of the report that cuts a kernel.
    const TimeRange part{950, 5200};
    m_session->time().show(part);
    QTRY_COMPARE(panel.stats().window, part);
    const DurationBins bins = chart->bins();
    EventsModel events(*m_session);
    std::size_t listed = 0;
    for (std::size_t bin = 0; bin < bins.counts.size(); ++bin) {
        const auto [least, most] = bins.durations(bin, bin);
        emit chart->chosen(least, most);
        const std::size_t count = events.makeList()({})->size();
        QCOMPARE(count, std::size_t{bins.counts[bin]});
        listed += count;
    }
    QCOMPARE(listed, std::size_t{3});
    QCOMPARE(m_session->time().selectedRange(), part);
}

void PanelsTest::chartsDrawWhatTheyCount()
{
    StatsPanel panel(*m_session, Theme::dark());
    panel.resize(900, 600);
    panel.show();
    QTRY_COMPARE(panel.stats().window, m_trace->session);
    for (const Theme* const theme : {&Theme::dark(), &Theme::light()}) {
        panel.setTheme(*theme);
        auto* const durations = panel.findChild<DurationChart*>();
        const QImage bars = durations->grab().toImage();
        const auto& counts = durations->bins().counts;
        QVERIFY(std::ranges::count(counts, 0U) < static_cast<std::ptrdiff_t>(counts.size()));
        for (std::size_t bin = 0; bin < counts.size(); ++bin) {
            const bool drawn = bars.pixelColor(durations->footOf(bin)) == theme->color(EventTint::Kernel);
            QCOMPARE(drawn, counts[bin] > 0);
        }
        const QImage shares = panel.findChild<DeviceChart*>()->grab().toImage();
        int computing = 0; // pixels of the middle line
        int idle = 0;
        for (int x = 0; x < shares.width(); ++x) {
            const QColor color
                = shares.pixelColor(x, 4 + (shares.height() - 14 - panel.fontMetrics().height()) / 2);
            computing += color == theme->color(DeviceChart::partTints()[0]) ? 1 : 0;
            idle += color == theme->rest ? 1 : 0;
        }
        const DeviceFigures& device = panel.stats().devices[0];
        QVERIFY(computing > 0 && idle > 0);
        const double measured = static_cast<double>(computing) / idle;
        const double expected
            = static_cast<double>(device.compute - device.overlap) / static_cast<double>(device.idle);
        QVERIFY2(std::abs(measured / expected - 1) < 0.1, qPrintable(QString::number(measured / expected)));
    }
}

void PanelsTest::allEventsAreAll()
{
    // Marks at the end and the profiler's messages outside of the session are counted, so they are listed.
    ReportFixture fixture;
    fixture.addSmallReport();
    fixture.run(
        "CREATE TABLE DIAGNOSTIC_EVENT (timestamp INTEGER, timestampType INTEGER, source INTEGER, "
        "severity INTEGER, text TEXT, globalPid INTEGER);"
        "INSERT INTO DIAGNOSTIC_EVENT VALUES (10, 0, 1, 1, 'before', 0), (90000, 0, 1, 1, 'after', 0)");
    const auto trace = loadReport(fixture.path());
    QVERIFY(trace.ok());
    QCOMPARE(trace.value()->table(EventKind::Diagnostic).size(), 2U);
    Session session;
    session.setTrace(trace.value(), buildRows(*trace.value()));
    EventsModel model(session);
    QTRY_COMPARE(model.rowCount(), static_cast<int>(trace.value()->eventCount()));
}

void PanelsTest::filterWordsAreSaidOnce()
{
    EventsPanel panel(*m_session);
    panel.resize(900, 300);
    panel.show();
    const EventRef kernel{EventKind::Kernel, 0};
    EventFilter filter;
    const TrackRef stream = m_trace->trackOf(kernel);
    filter.tracks = {stream, m_trace->trackOf({EventKind::Memcpy, 0})}; // both of stream 7
    m_session->selection().selectRows({m_rows->find("cuda-hw:100:0")});
    m_session->selection().setFilter(filter);
    const auto texts = [&] {
        QStringList all;
        for (const QToolButton* const button : panel.findChildren<QToolButton*>())
            all << button->text();
        for (const QLabel* const label : panel.findChildren<QLabel*>())
            all << label->text();
        return all.join('|');
    };
    QTRY_VERIFY(!panel.model().isBusy() && texts().contains("Stream 7"));
    QCOMPARE(texts().count("Stream 7"), 1);
    QVERIFY(!texts().contains("in the selected row")); // the stream counts, not the row
}

void PanelsTest::countersHaveATable()
{
    auto trace = std::make_shared<Trace>(*m_trace);
    auto pool = std::make_shared<StringPool>();
    for (std::uint32_t i = 1; i < trace->pool->size(); ++i)
        pool->intern(trace->text(StringId{i}));
    CounterSeries series;
    series.name = pool->intern("SMs Active [Throughput %]");
    series.unit = pool->intern("%");
    series.device = 0;
    series.times = std::make_shared<const std::vector<Ns>>(std::vector<Ns>{1000, 2000, 3000, 4000});
    series.values = {10, 20, 60, 80};
    series.summarize();
    trace->pool = pool;
    trace->counters = {series};
    m_session->setTrace(trace, buildRows(*trace));
    StatsPanel panel(*m_session, Theme::light());
    panel.resize(1200, 300);
    panel.show();
    m_session->time().selectRange({1500, 4000});
    QTRY_COMPARE(panel.stats().window, (TimeRange{1500, 4000}));
    const QAbstractItemModel& model = *panel.counterTable().model();
    QCOMPARE(model.rowCount(), 1);
    QStringList cells;
    for (int column = 0; column < model.columnCount(); ++column)
        cells << model.index(0, column).data().toString();
    QCOMPARE(cells, (QStringList{"SMs Active [Throughput %]", "GPU 0", "40.0%", "20%", "60%", "2"}));
    // The kernel from 2000 to 4000 ran while two samples were taken.
    for (EventIndex i = 0; i < trace->kernels().size(); ++i) {
        if (trace->kernels().start[i] == 2000)
            QVERIFY(eventHtml(*trace, {EventKind::Kernel, i}).contains("40.0% (20% to 60%, 2 samples)"));
    }
    m_session->setTrace(m_trace, m_rows);
}

void PanelsTest::detailsShowTheRawRowAndLinks()
{
    DetailsPanel panel(*m_session, Theme::light());
    panel.show();
    EventRef kernel{EventKind::Kernel, 0};
    m_session->selection().setCurrentEvent({ReportId{}, kernel});
    QVERIFY(panel.text().toPlainText().contains("64 x 1 x 1"));
    QVERIFY(panel.text().toHtml().contains("event:"));
    // Ids and the row of the file are folded until the user opens them.
    QTRY_VERIFY(!panel.isBusy());
    QVERIFY(!panel.text().toPlainText().contains("Correlation id"));
    const auto clickMore = [&] {
        QTextCursor more = panel.text().document()->find("More:");
        QVERIFY(!more.isNull());
        more.setPosition(more.selectionStart() + 1);
        panel.text().setTextCursor(more);
        panel.text().ensureCursorVisible();
        QTest::mouseClick(
            panel.text().viewport(), Qt::LeftButton, {}, panel.text().cursorRect(more).center());
    };
    clickMore();
    QVERIFY(panel.text().toPlainText().contains("Correlation id"));
    // The row arrives later: a column that the trace does not keep.
    QTRY_VERIFY(panel.text().toPlainText().contains("globalPid"));
    QVERIFY(panel.text().toPlainText().contains("CUPTI_ACTIVITY_KIND_KERNEL, row 1"));
    clickMore();
    QVERIFY(!panel.text().toPlainText().contains("Correlation id"));
    QTRY_VERIFY(!panel.isBusy());
    const EventRef call = m_trace->apiCallOf(kernel);
    emit panel.text().anchorClicked(QUrl(QString("event:%1:%2").arg(indexOf(call.kind)).arg(call.index)));
    QCOMPARE(m_session->selection().ownCurrentEvent(), call);
    m_session->selection().setCurrentEvent({});
    QVERIFY(panel.text().toPlainText().isEmpty());
}

/// A host range and its GPU projection.
void PanelsTest::detailsOfARangeTellEqualNamesApart()
{
    DetailsPanel panel(*m_session, Theme::light());
    selectInSample(panel, {813'450'000, 896'511'000});
    QTRY_COMPARE(panel.text().toPlainText().count("sync pageable ("), 2);
    QVERIFY(!panel.text().toPlainText().contains("Memcpy Host-to-Device (")); // stands once
}

/// The range cuts the first and the last copy to the device, and none to the host.
void PanelsTest::detailsOfARangeNameWhatIsWhole()
{
    DetailsPanel panel(*m_session, Theme::light());
    selectInSample(panel, {886'810'000, 926'016'000});
    for (const char* const line : {"25.92 ms in range, whole: 31.46 ms in 3, mean 10.49 ms",
             "Host-to-Device: 25.92 ms in range, whole: 201.3 MB, 31.46 ms, 6.398 GB/s",
             "\n12.31 ms in 2, mean 6.154 ms", "\nDevice-to-Host: 134.2 MB, 12.31 ms, 10.91 GB/s"})
        QTRY_VERIFY2(panel.text().toPlainText().contains(line), line);
}

/// A trace of PyTorch's profiler is read in full, and has no rows of a file.
void PanelsTest::detailsOfTracesInJsonHaveNoRow()
{
    const auto trace = loadReport(WARPLINE_SOURCE_DIR "/tests/data/traces/cnn_workers0.json.gz");
    QVERIFY(trace.ok());
    Session session;
    DetailsPanel panel(session, Theme::light());
    panel.show();
    session.setTrace(trace.value(), std::make_shared<const RowTree>());
    QSignalSpy updated(&panel, &DetailsPanel::updated);
    session.selection().setCurrentEvent(session.idOf({EventKind::Kernel, 0}));
    QTRY_VERIFY(updated.count() > 0);
    QVERIFY(panel.text().toPlainText().contains("Grid"));
    QVERIFY2(!panel.text().toPlainText().contains("SQLite"), qPrintable(panel.text().toPlainText()));
    session.selection().setCurrentEvent(session.idOf({EventKind::ApiCall, 0}));
    QTest::qWait(50);
    QVERIFY2(!panel.text().toPlainText().contains("SQLite"), qPrintable(panel.text().toPlainText()));
}

void PanelsTest::findingsJumpToTheirEvidence()
{
    FindingsPanel panel(*m_session, Theme::light());
    panel.show();
    QSignalSpy updated(&panel, &FindingsPanel::updated);
    m_session->setTrace(m_trace, m_rows);
    QVERIFY(updated.wait());
    const auto pageable = std::ranges::find(panel.findings(), "cuda_memcpy_async", &Finding::rule);
    QVERIFY(pageable != panel.findings().end());
    QTreeWidgetItem* const item
        = panel.list().topLevelItem(static_cast<int>(pageable - panel.findings().begin()));
    QTest::mouseClick(
        panel.list().viewport(), Qt::LeftButton, {}, panel.list().visualItemRect(item).center());
    QCOMPARE(m_session->selection().ownCurrentEvent(), (EventRef{EventKind::Memcpy, 0}));
    QCOMPARE(m_session->selection().highlighted(ReportId{}),
        std::vector<EventRef>{m_session->selection().ownCurrentEvent()});
    QCOMPARE(m_session->time().shown(), m_trace->session); // it is seen well at this scale
    m_session->selection().setCurrentEvent({});
    m_session->time().setShownPixels(20); // and here it is not
    QTest::mouseClick(
        panel.list().viewport(), Qt::LeftButton, {}, panel.list().visualItemRect(item).center());
    QVERIFY(m_session->time().shown().duration() < m_trace->session.duration());
}

void PanelsTest::reportPageListsWhatTheFileHolds()
{
    ReportPanel panel(*m_session);
    m_session->setTrace(m_trace, m_rows);
    QCOMPARE(panel.text().toPlainText(), QString()); // in a turn of its own
    QVERIFY(panel.isBusy());
    QTRY_VERIFY(!panel.text().toPlainText().isEmpty());
    const QString text = panel.text().toPlainText();
    QVERIFY(text.contains("CUPTI_ACTIVITY_KIND_KERNEL"));
    QVERIFY(text.contains("[100] scale"));
}

void PanelsTest::reportPageIsOfTheReportShown()
{
    ReportPanel panel(*m_session);
    panel.show();
    m_session->setTrace(m_trace, m_rows);
    QTRY_VERIFY(panel.text().toPlainText().contains("[100] scale"));
    // Another report begins to load: the previous content is gone until it is complete.
    auto loading = std::make_shared<Trace>();
    loading->info.path = "other.sqlite";
    loading->session = {0, 1000};
    m_session->setTrace(loading, std::make_shared<const RowTree>());
    QCOMPARE(panel.text().toPlainText(), QString());
    auto other = std::make_shared<Trace>();
    other->info.path = "other.sqlite";
    other->session = {0, 1000};
    other->complete = true;
    other->info.commandLine = "torchrun --nproc_per_node=2 'a <b>.py'";
    m_session->setTrace(other, std::make_shared<const RowTree>());
    QTRY_VERIFY(!panel.text().toPlainText().isEmpty());
    const QString text = panel.text().toPlainText();
    QVERIFY(text.contains("other.sqlite") && !text.contains("[100] scale"));
    QVERIFY(text.contains("torchrun --nproc_per_node=2 'a <b>.py'"));
}

void PanelsTest::gpuWorkStandsBeforeWaits()
{
    StatsPanel panel(*m_session, Theme::light());
    panel.show();
    QTRY_VERIFY(!panel.stats().names.empty());
    const auto tables = panel.findChildren<QTableView*>();
    const auto table = std::ranges::find_if(tables, [](const QTableView* each) {
        return each->model()->headerData(1, Qt::Horizontal).toString() == "Kind";
    });
    QVERIFY(table != tables.end());
    const QAbstractItemModel* const names = (*table)->model();
    QTRY_COMPARE(names->rowCount(), static_cast<int>(panel.stats().names.size()));
    const auto rank = [&](int row) {
        const QString kind = names->index(row, 1).data().toString();
        return kind == "Kernel" || kind.startsWith("Mem")                                        ? 0
            : kind == "OS runtime call" || kind == "Thread state" || kind == "Profiler overhead" ? 2
                                                                                                 : 1;
    };
    for (int row = 1; row < names->rowCount(); ++row)
        QVERIFY2(rank(row - 1) <= rank(row), qPrintable(names->index(row, 0).data().toString()));
    QCOMPARE(rank(0), 0);
}

void PanelsTest::aMillionNamesAreNotAllListed()
{
    RangeStats stats;
    stats.names.resize(maxNameLines + 5);
    stats.names.emplace_back().kind = EventKind::ApiCall;
    const StatsLines lines = nameLines(*m_trace, stats);
    QCOMPARE(lines.size(), maxNameLines + 1);
    QCOMPARE(lines.back().id, maxNameLines + 5); // calls have their own share
}

void PanelsTest::wholeCopiesAreCalledSo()
{
    // A copy of 500 ns, half of it in the range: names and copies count that part, and name what is whole.
    StatsPanel panel(*m_session, Theme::light());
    panel.show();
    m_session->time().selectRange({650, 1000});
    QTRY_COMPARE(panel.stats().window, (TimeRange{650, 1000}));
    QCOMPARE(panel.stats().copies.size(), std::size_t{1});
    QCOMPARE(panel.stats().copies[0].total, 250);
    const auto name = std::ranges::find(panel.stats().names, EventKind::Memcpy, &NameFigures::kind);
    QVERIFY(name != panel.stats().names.end());
    QCOMPARE(name->total, 250);
    const QTableView* const copies = panel.findChild<QTableView*>("copies");
    QVERIFY(copies);
    const auto cell = [&](const QString& head) {
        for (int column = 0; column < copies->model()->columnCount(); ++column) {
            if (copies->model()->headerData(column, Qt::Horizontal).toString() == head)
                return copies->model()->index(0, column).data().toString();
        }
        return QString();
    };
    QCOMPARE(cell("In range"), QString("250 ns"));
    QCOMPARE(cell("Whole time"), QString("500 ns"));
    QCOMPARE(cell("Whole bytes"), QString::fromStdString(formatBytes(4096)));
}

void PanelsTest::legendOfTheGpuChartIsWhole()
{
    StatsPanel panel(*m_session, Theme::light());
    panel.show();
    QTRY_COMPARE(panel.stats().window, m_trace->session);
    const QString light = panel.legend().text();
    for (const char* const part : {"Compute&nbsp;only", "Copy&nbsp;only", "Idle"})
        QVERIFY2(light.contains(part), qPrintable(light));
    QVERIFY(!light.contains("Communication")); // there is none
    panel.setTheme(Theme::dark());
    QVERIFY(panel.legend().text() != light);
    // A low panel cuts its end, so that the largest part comes first.
    DeviceFigures mostlyIdle;
    mostlyIdle.compute = 5;
    mostlyIdle.copyOnly = 10;
    mostlyIdle.idle = 85;
    DeviceChart chart(Theme::light());
    chart.showDevices({mostlyIdle}, {0, 100});
    const QString legend = chart.legend();
    QVERIFY(legend.indexOf("Idle") < legend.indexOf("Copy&nbsp;only"));
    QVERIFY(legend.indexOf("Copy&nbsp;only") < legend.indexOf("Compute&nbsp;only"));
    // No two parts have one colour.
    for (const Theme* const theme : {&Theme::light(), &Theme::dark()}) {
        std::set<QRgb> colors{theme->rest.rgb()};
        for (const EventTint tint : DeviceChart::partTints())
            QVERIFY(colors.insert(theme->color(tint).rgb()).second);
    }
}

/// The drawer is low: the legend gives its lines to the chart.
void PanelsTest::lowChartsKeepTheirNames()
{
    StatsPanel panel(*m_session, Theme::light());
    panel.resize(560, 180);
    panel.show();
    QTRY_COMPARE(panel.stats().window, m_trace->session);
    const auto* const chart = panel.findChild<DeviceChart*>();
    const int line = chart->fontMetrics().height();
    QTRY_VERIFY2(chart->height() >= line + 4, qPrintable(QString::number(chart->height())));
    QVERIFY(chart->geometry().bottom() < chart->parentWidget()->height());
    QVERIFY(panel.legend().height() >= line);
    QVERIFY(panel.legend().mapTo(&panel, panel.legend().rect().bottomLeft()).y()
        < chart->mapTo(&panel, QPoint()).y());
}

/// At its least height the panel's summary gives its lines to tables and charts.
void PanelsTest::lowSelectionKeepsItsCharts()
{
    StatsPanel panel(*m_session, Theme::light());
    panel.resize(480, 400);
    panel.show();
    QTRY_COMPARE(panel.stats().window, m_trace->session);
    const QLabel& summary = *panel.findChild<QLabel*>("summary");
    QTRY_VERIFY(!summary.findChild<QLabel*>("more")->isVisible());
    QVERIFY2(panel.minimumSizeHint().height() <= 180,
        qPrintable(QString::number(panel.minimumSizeHint().height())));
    panel.resize(480, panel.minimumSizeHint().height());
    QTRY_VERIFY(summary.height() < summary.heightForWidth(summary.width()));
    QTRY_VERIFY(summary.findChild<QLabel*>("more")->isVisible());
    const auto* const durations = panel.findChild<DurationChart*>();
    QTRY_VERIFY(durations->height() >= durations->minimumSizeHint().height());
    const auto* const devices = panel.findChild<DeviceChart*>();
    QTRY_VERIFY(devices->parentWidget()->height() >= devices->minimumSizeHint().height()); // of one GPU
    QTRY_COMPARE(cutParts(panel), QStringList());
}

/// As Chinese letters in a font that has none.
void PanelsTest::textWithHighLettersIsNotCut()
{
    auto* const text = new QLabel("<span style='font-size:30pt'>high</span>");
    auto* const content = new QWidget;
    constexpr int least = 50;
    content->setMinimumHeight(least);
    const std::unique_ptr<QWidget> column(makeTextColumn(nullptr, text, content));
    column->resize(400, least);
    column->show();
    QVERIFY(text->heightForWidth(400) > text->fontMetrics().height());
    QTRY_COMPARE(text->height(), text->heightForWidth(text->width()));
    QVERIFY(!text->findChild<QLabel*>("more")->isVisible());
}

/// Each GPU has a line for its name.
void PanelsTest::chartOfManyGpusScrolls()
{
    QScrollArea area;
    auto* const chart = new DeviceChart(Theme::light());
    area.setWidget(chart);
    area.setWidgetResizable(true);
    area.resize(200, 100);
    area.show();
    std::vector<DeviceFigures> devices(16);
    for (std::size_t i = 0; i < devices.size(); ++i)
        devices[i].number = static_cast<std::int32_t>(i);
    chart->showDevices(devices, {0, 100});
    QTRY_VERIFY(chart->height() > 16 * chart->fontMetrics().height());
    QVERIFY(area.verticalScrollBar()->maximum() > 0);
}

void PanelsTest::cellsModelSortsNumbersAsNumbers()
{
    CellsModel model({"Name", "Count"});
    const QAbstractItemModelTester tester(&model);
    model.setLines(
        {{{{"b", {}}, {"9", 9.0}}, 0}, {{{"a", {}}, {"10", 10.0}}, 1}, {{{"c", {}}, {"1,000", 1000.0}}, 2}});
    model.sort(1, Qt::DescendingOrder);
    QCOMPARE(model.index(0, 0).data().toString(), QString("c"));
    QCOMPARE(model.index(2, 0).data().toString(), QString("b"));
    model.sort(0, Qt::AscendingOrder);
    QCOMPARE(model.line(0).id, 1U);
}

void PanelsTest::loaderLoadsCancelsAndFails()
{
    qRegisterMetaType<std::shared_ptr<const Trace>>();
    TraceLoader loader;
    std::shared_ptr<const Trace> loaded;
    connect(&loader, &TraceLoader::loaded, this, [&](const OpenReport& report) { loaded = report.trace; });
    QSignalSpy failed(&loader, &TraceLoader::failed);
    loader.open(QString::fromStdString(m_fixture.path()));
    QTRY_VERIFY(loaded && loaded->complete);
    QVERIFY(!loader.isLoading());
    loader.open("/nowhere.sqlite");
    QTRY_COMPARE(failed.count(), 1);
    QVERIFY(failed.first().first().toString().contains("does not exist"));
    // A cached trace is read instead of the report, so that there is no progress.
    const QTemporaryDir cache;
    QVERIFY(keepTrace(cache.path().toStdString(), *keyOf(m_fixture.path()), *loaded, {0, 1ULL << 30U}));
    loaded.reset();
    QSignalSpy progressed(&loader, &TraceLoader::progressed);
    loader.setCacheFolder(cache.path());
    loader.open(QString::fromStdString(m_fixture.path()));
    QTRY_VERIFY(loaded && loaded->complete);
    QCOMPARE(progressed.count(), 0);
    QCOMPARE(loaded->kernels().size(), 3U);
    loader.setCacheFolder({});
    loader.open(QString::fromStdString(m_fixture.path()));
    QTRY_VERIFY(progressed.count() > 0 && !loader.isLoading());
    // A second open drops the first one's result.
    loaded.reset();
    loader.open("/nowhere.sqlite");
    loader.open(QString::fromStdString(m_fixture.path()));
    QTRY_VERIFY(loaded && loaded->complete);
    QCOMPARE(failed.count(), 1);
}

void PanelsTest::everyPanelOfTheListShowsReportsAndNone()
{
    std::set<std::string> ids;
    for (const PanelKind* const kind : allPanels()) {
        QVERIFY2(ids.insert(kind->id).second, kind->id);
        QVERIFY2(*kind->title && std::string_view(kind->help).size() > 20, kind->id);
        const std::unique_ptr<Panel> panel(kind->make(*m_session, Theme::dark(), nullptr));
        panel->resize(900, 300);
        panel->show();
        panel->setTheme(Theme::light());
        m_session->setTrace(m_trace, m_rows);
        QTRY_VERIFY2(!panel->isBusy(), kind->id);
        panel->preferencesChanged();
        QTRY_VERIFY2(!panel->isBusy(), kind->id);
        m_session->setTrace(std::make_shared<const Trace>(), std::make_shared<const RowTree>());
        QTRY_VERIFY2(!panel->isBusy(), kind->id);
        panel->preferencesChanged(); // without a report there is nothing to ask
        QVERIFY2(!panel->grab().isNull(), kind->id);
    }
}

void PanelsTest::panelsFindAgainWhatWasChosen()
{
    const auto* const kind = *std::ranges::find(allPanels(), std::string_view("tables"), &PanelKind::id);
    QSettings settings;
    {
        const std::unique_ptr<Panel> panel(kind->make(*m_session, Theme::dark(), nullptr));
        static_cast<TablesPanel&>(*panel).choose("cuda_api_sum");
        panel->saveState(settings);
    }
    const std::unique_ptr<Panel> again(kind->make(*m_session, Theme::dark(), nullptr));
    again->restoreState(settings);
    m_session->setTrace(m_trace, m_rows);
    const auto& list = static_cast<TablesPanel&>(*again).list();
    QTRY_VERIFY(list.currentItem());
    QCOMPARE(list.currentItem()->data(Qt::UserRole).toString(), QString("cuda_api_sum"));
}

WARPLINE_TEST(PanelsTest)

} // namespace tst_panels

#include "tst_panels.moc"
