// The statistics panel and the steps chart: equal to the core's tables, with rows that link to their events.

#include "core/load/load_report.h"
#include "core/render/render.h"
#include "core/rows/row_kind.h"
#include "core/store/trace.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"
#include "views/models/cells_model.h"
#include "views/models/events_model.h"
#include "views/models/table_text.h"
#include "views/models/written_files.h"
#include "views/panels/duration_chart.h"
#include "views/panels/events_filter_bar.h"
#include "views/panels/events_panel.h"
#include "views/panels/host_steps.h"
#include "views/panels/steps_chart.h"
#include "views/panels/steps_panel.h"
#include "views/panels/table_columns.h"
#include "views/panels/table_export.h"
#include "views/panels/tables_panel.h"
#include "views/style/chart_style.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QFileDialog>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <csignal>
#include <limits>
#include <numeric>
#ifdef Q_OS_LINUX
#include <sys/resource.h>
#endif

namespace tst_tables {

using namespace warpline;
using namespace warpline::test;

class TablesTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void showsTheTablesThatApply();
    void rowsLeadToTheirEvents();
    void aBarIsOfTheLineThatIsCharted();
    void rangeLimitsTheTable();
    void searchAndSortChangeOnlyTheOrder();
    void traceRowsAreMadeAsSeen();
    void writesWhatIsShown();
    void filesHaveTheNameOfTheirTable();
    void fullDiskLeavesTheFileThatWasThere();
    void copiesAsCsvAndMarkdown();
    void stepsAreDrawnAndClicked();
    void histogramsSpreadWhatTheyShow();
    void namesTakeTheRoomThatIsLeft();
    void aClickOnNumbersShowsTheLargestFirst();
    void anotherTableIsBlankUntilItIsThere();
    void cutNamesThatDifferLookDifferent();

private:
    void choose(TablesPanel& panel, const char* id);

    std::shared_ptr<const Trace> m_trace;
    std::shared_ptr<const RowTree> m_rows;
    std::unique_ptr<Session> m_session;
};

void TablesTest::initTestCase()
{
    QCoreApplication::setOrganizationName("warpline-test");
    QCoreApplication::setApplicationName("tst_tables");
    ReportFixture fixture;
    fixture.addSmallReport();
    fixture.run("INSERT INTO NVTX_EVENTS VALUES (6000, 7000, 59, NULL, 'batch_0', 1677721702, NULL, 0),"
                "(6100, 6500, 59, NULL, 'load', 1677721702, NULL, 0), (7000, 9000, 59, NULL, 'batch_1', "
                "1677721702, NULL, 0),"
                "(7100, 8500, 59, NULL, 'load', 1677721702, NULL, 0), (9000, 9900, 59, NULL, 'batch_2', "
                "1677721702, NULL, 0),"
                "(9100, 9200, 59, NULL, 'load', 1677721702, NULL, 0)");
    auto trace = loadReport(fixture.path());
    QVERIFY(trace.ok());
    m_trace = trace.take();
    m_rows = buildRows(*m_trace);
}

void TablesTest::init()
{
    QSettings().clear();
    m_session = std::make_unique<Session>();
    m_session->setTrace(m_trace, m_rows);
}

void TablesTest::choose(TablesPanel& panel, const char* id)
{
    panel.show(); // hidden panels do not work
    QTRY_VERIFY(!panel.isBusy());
    for (int i = 0; i < panel.list().count(); ++i) {
        if (panel.list().item(i)->data(Qt::UserRole).toString() == id)
            panel.list().setCurrentRow(i);
    }
    QTRY_VERIFY(!panel.isBusy() && panel.model().rowCount() > 0);
}

void TablesTest::showsTheTablesThatApply()
{
    TablesPanel panel(*m_session, Theme::light());
    QStringList ids;
    QTRY_VERIFY(panel.list().count() > 0);
    for (int i = 0; i < panel.list().count(); ++i)
        ids << panel.list().item(i)->data(Qt::UserRole).toString();
    QVERIFY(ids.contains("cuda_gpu_kern_sum"));
    QVERIFY(!ids.contains("osrt_sum")); // the report has no such calls
    const QAbstractItemModelTester tester(&panel.model());
    choose(panel, "cuda_gpu_kern_sum");
    QCOMPARE(panel.model().rowCount(), 1);
    QCOMPARE(panel.commandWords(), (QStringList{"--report", "cuda_gpu_kern_sum"}));
    const Cells expected = findStatsTable("cuda_gpu_kern_sum")->fill(*m_trace, {});
    QCOMPARE(static_cast<std::size_t>(panel.model().columnCount()), expected.columns.size());
    QCOMPARE(
        panel.model().headerData(1, Qt::Horizontal, Qt::DisplayRole).toString(), QString("Total Time (ms)"));
    QCOMPARE(panel.model().index(0, 1).data().toString(), QString("0.004500"));
    QCOMPARE(panel.model().index(0, 1).data(Qt::ToolTipRole).toString(), QString("4,500 ns"));
    const QList<QLabel*> labels = panel.findChildren<QLabel*>();
    QVERIFY(std::ranges::any_of(
        labels, [](const QLabel* label) { return label->text().startsWith("Which kernel takes longest?"); }));
}

void TablesTest::rowsLeadToTheirEvents()
{
    TablesPanel panel(*m_session, Theme::light());
    panel.resize(1000, 300);
    panel.show();
    choose(panel, "cuda_gpu_kern_sum");
    const QPoint at = panel.table().visualRect(panel.model().index(0, 1)).center();
    QTest::mouseClick(panel.table().viewport(), Qt::LeftButton, {}, at);
    QTRY_COMPARE(m_session->selection().highlighted(ReportId{}).size(), 3U);
    QVERIFY(panel.histogram().isVisible());
    // 500 ns and twice 2 us: the ends of the axis.
    const DurationBins& bins = panel.histogram().bins();
    QCOMPARE(bins.counts.size(), 40U);
    QCOMPARE(bins.counts.front(), 1U);
    QCOMPARE(bins.counts.back(), 2U);
    QCOMPARE(panel.histogram().tipAt(panel.histogram().footOf(0)), QString("500 ns to 518 ns: 1 event"));
    QTest::mouseClick(&panel.histogram(), Qt::LeftButton, {}, panel.histogram().footOf(39));
    QTRY_COMPARE(m_session->selection().highlighted(ReportId{}).size(), 2U);
    QTest::mouseDClick(panel.table().viewport(), Qt::LeftButton, {}, at);
    const EventRef first = m_session->selection().ownCurrentEvent();
    QCOMPARE(first.kind, EventKind::Kernel);
    QTest::mouseClick(panel.table().viewport(), Qt::LeftButton, {}, at);
    QTest::mouseDClick(panel.table().viewport(), Qt::LeftButton, {}, at);
    QVERIFY(m_session->selection().ownCurrentEvent() != first); // the next one
}

/// Keys make another line the current one, and sorting none.
void TablesTest::aBarIsOfTheLineThatIsCharted()
{
    TablesPanel panel(*m_session, Theme::light());
    panel.resize(1000, 300);
    choose(panel, "cuda_api_sum");
    int line = 0;
    while (panel.model().cells()->events(panel.model().rowOf(line)).size() != 3)
        ++line;
    const auto at = [&] { return panel.table().visualRect(panel.model().index(line, 1)).center(); };
    QTest::mouseClick(panel.table().viewport(), Qt::LeftButton, {}, at());
    QTRY_COMPARE(m_session->selection().highlighted(ReportId{}).size(), 3U);
    const std::vector<EventRef> launches = m_session->selection().highlighted(ReportId{});
    const auto& counts = panel.histogram().bins().counts;
    const auto bar = std::ranges::find_if(counts, [](auto count) { return count > 0; });
    QVERIFY(bar != counts.end());
    QSignalSpy said(&panel, &TablesPanel::messages);
    const auto clickBar = [&] {
        QTest::mouseClick(&panel.histogram(), Qt::LeftButton, {},
            panel.histogram().footOf(static_cast<std::size_t>(bar - counts.begin())));
    };
    const auto marksBar = [&] {
        const std::vector<EventRef>& marked = m_session->selection().highlighted(ReportId{});
        return marked.size() == *bar && std::ranges::includes(launches, marked);
    };
    QTest::keyClick(&panel.table(), line == 0 ? Qt::Key_Down : Qt::Key_Up);
    QVERIFY(panel.table().currentIndex().row() != line);
    clickBar();
    QTRY_COMPARE(said.size(), 1);
    QVERIFY(marksBar());
    QSignalSpy ordered(&panel.model(), &StatsModel::ordered);
    panel.model().sort(0, Qt::AscendingOrder);
    QTRY_COMPARE(ordered.size(), 1);
    m_session->selection().setHighlighted(ReportId{}, {});
    clickBar();
    QTRY_COMPARE(said.size(), 2);
    QVERIFY(marksBar());
}

void TablesTest::rangeLimitsTheTable()
{
    TablesPanel panel(*m_session, Theme::light());
    choose(panel, "cuda_gpu_kern_sum");
    m_session->time().selectRange({4500, 5700});
    QTRY_COMPARE(panel.model().index(0, 2).data().toString(), QString("1"));
    m_session->time().selectRange({});
    QTRY_COMPARE(panel.model().index(0, 2).data().toString(), QString("3"));
}

void TablesTest::searchAndSortChangeOnlyTheOrder()
{
    TablesPanel panel(*m_session, Theme::light());
    choose(panel, "cuda_api_sum");
    QCOMPARE(panel.model().rowCount(), 3);
    panel.search().setText("MEMCPY");
    QTRY_COMPARE(panel.model().rowCount(), 1);
    panel.search().clear();
    QTRY_COMPARE(panel.model().rowCount(), 3);
    const Cells& cells = *panel.model().cells();
    for (const bool descending : {false, true}) {
        const auto order = orderedRows(cells, 1, descending, {});
        QCOMPARE(order.size(), 3U);
        for (std::size_t i = 1; i < order.size(); ++i) {
            const auto a = std::get<std::int64_t>(cells.at(order[i - 1], 1));
            const auto b = std::get<std::int64_t>(cells.at(order[i], 1));
            QVERIFY(descending ? a >= b : a <= b);
        }
    }
}

/// A table with a row for each event holds no cells; it is shown, sorted and searched as others are, also
/// when the session has gone on to another report.
void TablesTest::traceRowsAreMadeAsSeen()
{
    TablesPanel panel(*m_session, Theme::light());
    const QAbstractItemModelTester tester(&panel.model());
    choose(panel, "cuda_api_trace");
    const auto names = [&panel] {
        QStringList shown;
        for (int row = 0; row < panel.model().rowCount(); ++row)
            shown << panel.model().index(row, 2).data().toString();
        return shown;
    };
    const QStringList inTime{"cudaMemcpyAsync", "cudaLaunchKernel", "cudaLaunchKernel", "cudaLaunchKernel",
        "cudaDeviceSynchronize"};
    QCOMPARE(names(), inTime);
    QCOMPARE(panel.model().index(1, 0).data().toString(), QString("0.000500"));
    panel.model().sort(2, Qt::AscendingOrder);
    QStringList sorted = inTime;
    sorted.sort();
    QTRY_COMPARE(names(), sorted);
    panel.model().sort(0, Qt::DescendingOrder);
    QTRY_COMPARE(names(), QStringList(inTime.rbegin(), inTime.rend()));
    panel.search().setText("launch");
    QTRY_COMPARE(panel.model().rowCount(), 3);
    QCOMPARE(panel.model().index(0, 0).data().toString(), QString("0.001100"));

    // The cells keep their trace: they may still be written while another report opens.
    std::weak_ptr<const Trace> gone;
    std::shared_ptr<const Cells> kept;
    {
        auto cells = std::make_shared<Cells>();
        ReportFixture fixture;
        fixture.addSmallReport();
        auto trace = loadReport(fixture.path()).take();
        *cells = findStatsTable("cuda_api_trace")->fill(*trace, {});
        cells->keep(trace);
        gone = trace;
        kept = std::move(cells);
    }
    QVERIFY(!gone.expired());
    QVERIFY(kept->at(4, 2) == Cell{std::string("cudaDeviceSynchronize")});
    kept.reset();
    QVERIFY(gone.expired());
}

void TablesTest::writesWhatIsShown()
{
    const QTemporaryDir folder;
    const Cells cells = findStatsTable("cuda_api_trace")->fill(*m_trace, {});
    const std::vector<std::uint32_t> order = orderedRows(cells, 0, true, "launch");
    const QString path = folder.filePath("calls.csv");
    QVERIFY(writeTable(path, cells, order, {}).ok());
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArrayList lines = file.readAll().split('\n');
    QCOMPARE(lines.size(), 5); // titles, three calls, the end
    QVERIFY(lines[1].startsWith("1100,100,cudaLaunchKernel,0,13,100,"));
    const QString nowhere = folder.filePath("no/such/folder.csv");
    const auto refused = writeTable(nowhere, cells, order, {});
    QVERIFY(!refused.ok()
        && QString::fromStdString(plain(refused.error().message)).startsWith("Cannot write " + nowhere));
    std::stop_source stop;
    stop.request_stop();
    QVERIFY(!writeTable(folder.filePath("stopped.csv"), cells, order, stop.get_token()).ok());
    QVERIFY(!QFile::exists(folder.filePath("stopped.csv")));
}

/// Also before the table is shown: the menu writes it from behind another panel.
void TablesTest::filesHaveTheNameOfTheirTable()
{
    TablesPanel panel(*m_session, Theme::light());
    QTRY_VERIFY(panel.list().count() > 0);
    panel.choose("cuda_gpu_kern_sum");
    QCOMPARE(panel.commandWords(), (QStringList{"--report", "cuda_gpu_kern_sum"}));
    QString offered;
    QTimer answerer;
    connect(&answerer, &QTimer::timeout, this, [&] {
        auto* const dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
        if (!dialog)
            return;
        offered = dialog->findChild<QLineEdit*>("fileNameEdit")->text();
        dialog->close();
    });
    answerer.start(20);
    QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    panel.exporting().askForFile();
    QVERIFY2(offered.endsWith("_cuda_gpu_kern_sum.csv"), qPrintable(offered));
}

/// A limit of file sizes simulates a full disk: only a part can be written.
void TablesTest::fullDiskLeavesTheFileThatWasThere()
{
#ifdef Q_OS_LINUX
    const QTemporaryDir folder;
    const QString path = folder.filePath("calls.csv");
    QVERIFY(writeFile(path, "what was there").ok());
    const auto before = std::signal(SIGXFSZ, SIG_IGN);
    rlimit usual{};
    ::getrlimit(RLIMIT_FSIZE, &usual);
    const rlimit small{1000, usual.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &small);
    const auto written = writeFile(path, QByteArray(3000, 'x'));
    ::setrlimit(RLIMIT_FSIZE, &usual);
    std::signal(SIGXFSZ, before);
    QVERIFY(!written.ok());
    const QString message = QString::fromStdString(plain(written.error().message));
    QVERIFY2(message.contains(path) && message.contains("too large"), qPrintable(message));
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), "what was there");
#endif
}

void TablesTest::copiesAsCsvAndMarkdown()
{
    TablesPanel panel(*m_session, Theme::light());
    choose(panel, "cuda_gpu_kern_sum");
    QVERIFY(tableText(*panel.model().cells(), panel.model().order(), "csv")
                .startsWith("Time (%),Total Time (ns),Instances,"));
    QVERIFY(tableText(*panel.model().cells(), panel.model().order(), "markdown").startsWith("|"));
    QCOMPARE(tableText(*panel.model().cells(), panel.model().order(), "tsv").count('\n'), 1);
}

void TablesTest::stepsAreDrawnAndClicked()
{
    StepsPanel panel(*m_session, Theme::dark());
    panel.resize(800, 300);
    panel.show();
    QTRY_COMPARE(panel.host().breakdown().steps.size(), 3U);
    QCOMPARE(panel.host().breakdown().parts.size(), 1U);
    QCOMPARE(panel.host().breakdown().parts[0], std::string("load"));
    QCOMPARE(panel.host().breakdown().steps[1].parts[0], 1400);
    panel.host().goToStep(1);
    QCOMPARE(m_session->time().selectedRange(), (TimeRange{7000, 9000}));
    QCOMPARE(m_trace->name(m_session->selection().ownCurrentEvent()), "batch_1");
}

void TablesTest::histogramsSpreadWhatTheyShow()
{
    // A million kernels of nearly one duration, and a few far away, which must not squeeze the others
    // together.
    std::vector<Ns> durations;
    for (Ns i = 0; i < 100'000; ++i)
        durations.push_back(2'100 + i % 500);
    durations.push_back(1);
    durations.push_back(900'000'000);
    const DurationBins bins = binDurations(durations);
    QVERIFY(!bins.logarithmic);
    QVERIFY(bins.counts.size() >= 30);
    for (const std::uint32_t count : bins.counts)
        QVERIFY(count > 0);
    QCOMPARE(std::accumulate(bins.counts.begin(), bins.counts.end(), std::uint64_t{0}), durations.size());
    // A bar's filter finds its events; the end bars include everything beyond.
    QCOMPARE(bins.durations(0, 0).first, 0);
    QCOMPARE(bins.durations(0, bins.counts.size() - 1).second, std::numeric_limits<Ns>::max());
    for (const std::size_t bin : {std::size_t{0}, std::size_t{7}, bins.counts.size() - 1}) {
        const auto [least, most] = bins.durations(bin, bin);
        const auto inside = std::ranges::count_if(
            durations, [&](Ns duration) { return duration >= least && duration <= most; });
        QCOMPARE(static_cast<std::uint32_t>(inside), bins.counts[bin]);
    }
    std::vector<Ns> same(7, 250);
    QCOMPARE(binDurations(same).counts, std::vector<std::uint32_t>{7});
    std::vector<Ns> marks(3, 0);
    QCOMPARE(binDurations(marks).counts, std::vector<std::uint32_t>{3});
    QVERIFY(binDurations({}).counts.empty());
    std::vector<Ns> years(3, (Ns{1} << 55U) - 1); // one more is the same number
    QCOMPARE(binDurations(years).counts, std::vector<std::uint32_t>{3});
    // Marks of an axis, also where a step is less than numbers of that size differ by, or none.
    QCOMPARE(marksWithin(1.5, 7, 2), (std::vector<double>{2, 4, 6}));
    QVERIFY(marksWithin(3.6e16, 3.6e16 + 8, 2).size() <= 5);
    QVERIFY(marksWithin(3.6e16, 3.6e16 + 8, 0.5).size() <= 17);
    QVERIFY(marksWithin(5, 5, niceStep(0)).empty());
    // Labels that would touch are left out.
    LabelRoom room;
    QVERIFY(room.take(0, 20) && !room.take(20, 20) && room.take(40, 20) && !room.take(64, 20));
    LabelRoom lines(0);
    QVERIFY(lines.take(0, 20) && !lines.take(19, 20) && lines.take(20, 20));
    DurationChart chart(Theme::light(), "Durations");
    chart.showBins(binDurations(durations));
    chart.resize(320, 300);
    QVERIFY(chart.countLabels().size() > 2);
    chart.resize(320, 2 * QFontMetrics(chart.font()).height() + 24); // a plot of 12 pixels
    QCOMPARE(chart.countLabels().size(), 1U); // not the one of 0, on which it would lie
    QVERIFY(chart.countLabels().front().text != "0");
    // Labels of time are whole, also of a single event, whose ticks have one text.
    std::vector<Ns> single(1, 8'438'123);
    chart.showBins(binDurations(single));
    QCOMPARE(chart.timeLabels().size(), 1U);
    for (const int width : {120, 160, 320}) {
        chart.resize(width, 100);
        for (const auto& values : {single, durations}) {
            std::vector<Ns> some = values;
            chart.showBins(binDurations(some));
            QVERIFY(!chart.timeLabels().empty());
            for (const PaintedLabel& label : chart.timeLabels())
                QVERIFY2(label.place.left() >= 0 && label.place.right() <= width, qPrintable(label.text));
        }
    }
    QCOMPARE(tickText(2'000), QString("2 \u00b5s"));
    QCOMPARE(tickText(250), QString("250 ns"));
    QCOMPARE(tickText(1.5e9), QString("1.5 s"));
    Ns least = 0;
    Ns most = 0;
    QVERIFY(parseDurationFilter(durationFilterText(2'100, 2'112), least, most));
    QCOMPARE(std::pair(least, most), (std::pair<Ns, Ns>(2'100, 2'112)));
    QVERIFY(parseDurationFilter(durationFilterText(2'100, std::numeric_limits<Ns>::max()), least, most));
    QCOMPARE(std::pair(least, most), (std::pair<Ns, Ns>(2'100, std::numeric_limits<Ns>::max())));
}

void TablesTest::namesTakeTheRoomThatIsLeft()
{
    TablesPanel panel(*m_session, Theme::light());
    panel.resize(1800, 300);
    panel.show();
    choose(panel, "cuda_gpu_kern_sum");
    QVERIFY(panel.table().horizontalHeader()->length() >= panel.table().viewport()->width());
    QVERIFY(panel.table().horizontalHeader()->isSortIndicatorShown());
    for (int column = 0; column < panel.model().columnCount(); ++column) {
        const QString text = panel.model().index(0, column).data().toString();
        QVERIFY(panel.table().columnWidth(column) >= panel.table().fontMetrics().horizontalAdvance(text));
    }
    // Names come first, where no histogram hides them; copies keep nsys' order.
    const QHeaderView& header = *panel.table().horizontalHeader();
    QCOMPARE(panel.model().headerData(header.logicalIndex(0), Qt::Horizontal, Qt::DisplayRole).toString(),
        QString("Name"));
    QCOMPARE(panel.model().headerData(0, Qt::Horizontal, Qt::DisplayRole).toString(), QString("Time (%)"));
}

void TablesTest::aClickOnNumbersShowsTheLargestFirst()
{
    TablesPanel panel(*m_session, Theme::light());
    panel.resize(1800, 300);
    panel.show();
    choose(panel, "cuda_gpu_kern_sum");
    QHeaderView& header = *panel.table().horizontalHeader();
    for (int column = 0; column < panel.model().columnCount(); ++column) {
        const QString title = panel.model().headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        if (title != "Name" && !title.startsWith("Total Time"))
            continue;
        constexpr int beside = 12; // of the edge, which resizes
        QTest::mouseClick(header.viewport(), Qt::LeftButton, {},
            QPoint(header.sectionViewportPosition(column) + beside, header.height() / 2));
        QCOMPARE(header.sortIndicatorSection(), column);
        QCOMPARE(header.sortIndicatorOrder(), title == "Name" ? Qt::AscendingOrder : Qt::DescendingOrder);
    }
    const EventsModel events(*m_session);
    const auto firstOrder = [](const QAbstractItemModel& model, int column) {
        return model.headerData(column, Qt::Horizontal, Qt::InitialSortOrderRole).value<Qt::SortOrder>();
    };
    QCOMPARE(firstOrder(events, static_cast<int>(EventColumn::Duration)), Qt::DescendingOrder);
    QCOMPARE(firstOrder(events, static_cast<int>(EventColumn::Start)), Qt::AscendingOrder);
    CellsModel cells({"Name", "Count"});
    cells.setFirstNumberColumn(1);
    QCOMPARE(firstOrder(cells, 0), Qt::AscendingOrder);
    QCOMPARE(firstOrder(cells, 1), Qt::DescendingOrder);
}

void TablesTest::anotherTableIsBlankUntilItIsThere()
{
    TablesPanel panel(*m_session, Theme::light());
    panel.resize(1000, 300);
    panel.show();
    choose(panel, "cuda_gpu_kern_sum");
    QVERIFY(panel.model().rowCount() > 0);
    QSignalSpy updated(&panel, &TablesPanel::updated);
    std::vector<int> rows; // each time that other lines are shown
    connect(&panel.model(), &QAbstractItemModel::modelReset, this,
        [&] { rows.push_back(panel.model().rowCount()); });
    panel.choose("cuda_api_sum");
    QTRY_VERIFY(updated.count() > 0 && panel.model().rowCount() > 0);
    // Requested, but without a result: the previous table must not appear under the new heading.
    QVERIFY(rows.size() >= 2);
    QCOMPARE(rows.front(), 0);
    m_session->time().selectRange({m_trace->session.end - 1, m_trace->session.end});
    QTRY_VERIFY(std::ranges::any_of(panel.findChildren<QLabel*>(),
        [](const QLabel* label) { return label->text() == "No rows in this scope"; }));
}

/// Kernels of one template, whose arguments differ in the middle of the name.
void TablesTest::cutNamesThatDifferLookDifferent()
{
    QStringList names;
    for (const char* const functor : {"BinaryFunctor", "GeluCUDAKernelImpl", "CUDAFunctorOnSelf_add"})
        names << QString("void at::native::vectorized_elementwise_kernel<(int)4, at::native::%1<float>, "
                         "std::array<char *, (unsigned long)3>>(int, T2, T3)")
                     .arg(functor);
    for (const char* const part :
        {"tn_n_tilesize64x64x8_stage3_warpsize1x4x1", "nn_n_tilesize128x128x8_stage3_warpsize2x2x1",
            "tn_n_tilesize128x128x8_stage3_warpsize2x2x1", "nn_n_tilesize64x64x8_stage3_warpsize1x4x1"})
        names << QString("sm80_xmma_gemm_f32f32_f32f32_f32_%1_ffma_aligna4_alignc4_execute_kernel__5x_cublas")
                     .arg(part);
    for (const char* const part : {"256x128_8x4_nt", "128x256_8x4_nt", "256x128_8x4_nn"})
        names << QString("cutlass_80_simt_sgemm_%1_align1").arg(part)
              << QString("void cutlass::Kernel2<cutlass_80_simt_sgemm_%1_align1>(T1::Params)").arg(part);
    QStandardItemModel model;
    for (const QString& name : std::as_const(names))
        model.appendRow(new QStandardItem(name));
    QTableView table;
    styleTable(table);
    table.setAlternatingRowColors(false);
    table.setFocusPolicy(Qt::NoFocus); // the current line has a frame
    table.setModel(&model);
    table.resize(400, 500);
    table.show();
    QVERIFY(QTest::qWaitForWindowExposed(&table));
    const auto imageOf
        = [&](int row) { return table.viewport()->grab(table.visualRect(model.index(row, 0))).toImage(); };
    for (const int width : {180, 210, 240, 300}) {
        table.setColumnWidth(0, width);
        QVERIFY(!imageOf(0).isNull());
        for (int row = 0; row < model.rowCount(); ++row) {
            for (int other = 0; other < row; ++other)
                QVERIFY2(imageOf(row) != imageOf(other),
                    qPrintable(QString("%1: %2 and %3").arg(width).arg(names[row], names[other])));
        }
    }
    model.item(1)->setText(model.item(0)->text()); // one name is one picture
    QVERIFY(imageOf(0) == imageOf(1));
    // The same name in the same width, with other lines around it.
    const QImage amongAlike = imageOf(0);
    model.removeRows(1, model.rowCount() - 1);
    QVERIFY(imageOf(0) != amongAlike);
}

WARPLINE_TEST(TablesTest)

} // namespace tst_tables

#include "tst_tables.moc"
