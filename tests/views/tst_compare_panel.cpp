// The Compare panel: verdict, waterfall and tables of two runs, and the marks of a click in both.

#include "core/base/format.h"
#include "core/load/load_report.h"
#include "core/rows/row_kind.h"
#include "tests/core/findings/drawn_program.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"
#include "tests/views/view_test.h"
#include "views/compare/compare_bar.h"
#include "views/compare/compare_lines.h"
#include "views/compare/compare_rows_model.h"
#include "views/compare/compare_waterfall.h"
#include "views/models/stats_model.h"
#include "views/panels/compare_panel.h"
#include "views/panels/compare_statistics.h"
#include "views/panels/compare_step_plot.h"
#include "views/panels/empty_state.h"
#include "views/panels/step_choice.h"
#include "views/panels/table_export.h"
#include "views/panels/verdict_panel.h"
#include "views/session/side_color.h"
#include "views/style/rich_text.h"
#include "views/style/text_scale.h"
#include "views/timeline/timeline_pane.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QFile>
#include <QHeaderView>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTabBar>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include <algorithm>
#include <limits>
#include <numeric>

namespace tst_compare_panel {

using namespace warpline;
using namespace warpline::test;

namespace {

/// The columns of every table but facts and findings.
enum class CompareColumn : std::uint8_t {
    Change,
    Name,
    Difference,
    Share,
    TimeA,
    TimeB,
    CountA,
    CountB,
    AverageA,
    AverageB,
    MatchedBy,
    Count
};

Workspace workspaceOf(const std::string& label, const std::shared_ptr<const Trace>& trace)
{
    OpenReport report;
    report.label = label;
    report.trace = trace;
    report.rows = buildRows(*trace);
    return Workspace({report});
}

/// Twelve steps of two kernels each: `compute` takes `computing`, `other` 1 ms. In one step `other` is named
/// `second`.
std::shared_ptr<const Trace> drawn(Ns computing, std::string_view second, Ns pause = 0)
{
    DrawnProgram program;
    Ns at = ms;
    for (int step = 0; step < 12; ++step) {
        const Ns jitter = (step % 3) * 10 * us;
        const Ns end = at + computing + jitter + ms + 200 * us + pause;
        program.range("step_" + std::to_string(step), {at, end});
        program.kernel("compute", at + 10 * us, {at + 50 * us, at + 50 * us + computing + jitter});
        program.kernel(second, at + 30 * us, {end - ms - 50 * us, end - 50 * us});
        at = end;
    }
    return program.finish();
}

Ns nsOf(const QTableView& table, const CompareRowsModel& model, const char* name, Side side)
{
    for (int row = 0; row < model.rowCount(); ++row) {
        const auto& line = model.line(row);
        if (line.cells[1].text.contains(name))
            return static_cast<Ns>(model.table().rows[line.id][side].perStep);
    }
    Q_UNUSED(table);
    return -1;
}

} // namespace

class ComparePanelTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void withoutAnotherRunItSaysHow();
    void theTabThatExplainsMostComesFirst();
    void theVerdictComesFirst();
    void theHeadlineSaysThatKernelsDiffer();
    void theWaterfallAddsUp();
    void theWaterfallFollowsTheTextSize();
    void whatHasNoLineOfItsOwnIsOneLine();
    void bytesAreLargerAndSmaller();
    void rowsSayWhatBecameOfThem();
    void aClickMarksTheEventsOfBoth();
    void aChoiceEndsWithItsTable();
    void aChoiceEndsWithItsReports();
    void aRowOfOneSideLeadsThere();
    void namesTakeTheRoom();
    void findingsComeBehindAndLeaveTheChoice();
    void theChosenTabStays();
    void linesStayUntilTheNextOnesAreThere();
    void statisticsWaitForTheSwap();
    void otherJobsMayFail();
    void aFailureStandsInThePlaceOfTheLines();
    void anotherRequestForgetsTheComparison();
    void anotherRequestKeepsRows();
    void twoRangesAreOfTheReportsThatAreOpen();
    void theSelectedFindingStays();
    void anotherThemeKeepsTheOrder();
    void shortTabsStayWhole();
    void tabsFilledWhileHiddenHaveTheirHeight();
    void statisticsOfBothStandSideBySide();
    void longNamesKeepTheArrow();
    void itIsSavedAsTheCommandLineWritesIt();
    void stepsOfBothAreDrawn();
    void aClickInThePlotSelectsTheStepOfThatSide();
    void slowStepsAreMarkedAndDoNotFlattenTheOthers();
    void manyStepsAreAllReached();
    void stepsOfSeveralGpusAreTheirMean();
    void namesThatNoSideHasLeadBackToDetection();
    void histogramsShareTheirBins();
    void aReportWithItselfIsNoDifference();
    void sharedPairsSayWhatChanged();

private:
    void compare(const std::shared_ptr<const Trace>& a, const std::shared_ptr<const Trace>& b)
    {
        m_session->setWorkspace(workspaceOf("before.sqlite", a));
        m_session->pair().compareWith(workspaceOf("after.sqlite", b));
        QTRY_VERIFY_WITH_TIMEOUT(m_session->pair().comparison() && !m_panel->isBusy(), 60'000);
    }
    CompareRowsModel& model() { return *static_cast<CompareRowsModel*>(m_panel->table().model()); }
    /// The index of the line whose name contains `name`; -1: none.
    int rowOf(const char* name)
    {
        for (int row = 0; row < model().rowCount(); ++row) {
            if (model().line(row).cells[1].text.contains(name))
                return row;
        }
        return -1;
    }
    void click(int row)
    {
        QTableView& table = m_panel->table();
        const QRect place = table.visualRect(table.model()->index(row, 0));
        QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, place.center());
        QTRY_VERIFY(!m_panel->isBusy());
    }

    std::unique_ptr<Session> m_session;
    std::unique_ptr<ComparePanel> m_panel;
    std::unique_ptr<VerdictPanel> m_verdict;
};

void ComparePanelTest::initTestCase()
{
    QCoreApplication::setOrganizationName("warpline-test");
    QCoreApplication::setApplicationName("tst_compare_panel");
    QSettings().clear();
}

void ComparePanelTest::init()
{
    m_panel.reset();
    m_verdict.reset();
    m_session = std::make_unique<Session>();
    m_panel = std::make_unique<ComparePanel>(*m_session, Theme::light());
    m_panel->resize(1300, 320);
    m_panel->show();
    m_verdict = std::make_unique<VerdictPanel>(*m_session, Theme::light());
    m_verdict->resize(360, 700);
    m_verdict->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_panel.get()));
}

void ComparePanelTest::withoutAnotherRunItSaysHow()
{
    auto* const empty = m_panel->findChild<EmptyState*>();
    QVERIFY(empty->isVisible());
    auto* const emptyVerdict = m_verdict->findChild<EmptyState*>();
    QVERIFY(emptyVerdict->isVisible() && emptyVerdict->findChild<QPushButton*>("file.compare"));
    QVERIFY(!m_panel->isBusy());
    compare(drawn(4 * ms, "other"), drawn(3 * ms, "other"));
    QVERIFY(!empty->isVisible() && m_panel->table().isVisible());
    QVERIFY(!emptyVerdict->isVisible() && m_verdict->verdict().isVisible());
    m_session->pair().end();
    QVERIFY(empty->isVisible() && !m_panel->table().isVisible());
    QVERIFY(!m_verdict->waterfall().isVisible() && !m_verdict->facts().isVisible());
}

/// Kernels where they hold the largest part of the change, else where the time went.
void ComparePanelTest::theTabThatExplainsMostComesFirst()
{
    const auto opened = [this] { return m_panel->tabs().tabData(m_panel->tabs().currentIndex()).toString(); };
    const auto reopened = [&](const std::shared_ptr<const Trace>& a, const std::shared_ptr<const Trace>& b) {
        init();
        compare(a, b);
    };
    reopened(drawn(4 * ms, "other"), drawn(2 * ms, "other"));
    QCOMPARE(opened(), QString("kernels"));
    reopened(drawn(2 * ms, "other", 6 * ms), drawn(2 * ms, "other"));
    QCOMPARE(opened(), QString("budget"));
    reopened(drawn(3 * ms, "other", 6 * ms), drawn(2 * ms, "other")); // kernels, too, but less
    QCOMPARE(opened(), QString("budget"));
}

void ComparePanelTest::theVerdictComesFirst()
{
    compare(drawn(4 * ms, "other"), drawn(3 * ms, "other"));
    const auto comparison = m_session->pair().comparison();
    QVERIFY(comparison->comparable);
    QCOMPARE(comparison->verdict, CompareVerdict::Faster);
    QVERIFY(m_verdict->verdict().text().contains(Theme::light().good.name()));
    // A share of time: 25% faster would be 20% less of it.
    for (const QString& text : {m_verdict->verdict().text(), plainTextOf(comparison->sentence)})
        QVERIFY2(text.contains("less time"), qPrintable(text));
    QVERIFY(m_verdict->verdict().geometry().bottom()
        < m_verdict->waterfall().mapTo(m_verdict.get(), QPoint()).y());
    compare(drawn(3 * ms, "other"), drawn(4 * ms, "other"));
    QCOMPARE(m_session->pair().comparison()->verdict, CompareVerdict::Slower);
    QVERIFY(m_verdict->verdict().text().contains("more time"));
    QVERIFY(m_verdict->verdict().text().contains(Theme::light().bad.name()));
    m_verdict->setTheme(Theme::dark());
    QVERIFY(m_verdict->verdict().text().contains(Theme::dark().bad.name()));
}

/// Steps of one name are compared although most of their kernels have no partner.
void ComparePanelTest::theHeadlineSaysThatKernelsDiffer()
{
    for (const CompareVerdict verdict : {CompareVerdict::Faster, CompareVerdict::Slower}) {
        Comparison comparison;
        comparison.comparable = true;
        comparison.verdict = verdict;
        const QString alike = compareHeadline(comparison);
        QVERIFY2(!alike.contains("on average"), qPrintable(alike));
        comparison.decidedBy = CompareFigure::Mean;
        QVERIFY2(compareHeadline(comparison).startsWith(alike + " on average"), qPrintable(alike));
        comparison.caveats = {CompareCaveat::Kernels};
        QVERIFY2(compareHeadline(comparison).startsWith(alike + " on average, with other kernels"),
            qPrintable(alike));
        comparison.decidedBy = CompareFigure::Median;
        comparison.caveats = {CompareCaveat::SingleRecordings};
        QCOMPARE(compareHeadline(comparison), alike);
        comparison.caveats.push_back(CompareCaveat::Kernels);
        QVERIFY2(compareHeadline(comparison).contains("other kernels"), qPrintable(alike));
    }
}

void ComparePanelTest::theWaterfallAddsUp()
{
    compare(drawn(4 * ms, "other"), drawn(3 * ms, "other"));
    const auto comparison = m_session->pair().comparison();
    const std::vector<WaterfallLine>& lines = m_verdict->waterfall().lines();
    QVERIFY(lines.size() >= 3);
    QCOMPARE(lines.front().kind, WaterfallLine::Kind::SideA);
    QCOMPARE(lines.front().to, Ns{std::llround(comparison->sides.a.mean)});
    QCOMPARE(lines.back().kind, WaterfallLine::Kind::SideB);
    QCOMPARE(lines.back().to, Ns{std::llround(comparison->sides.b.mean)});
    for (std::size_t i = 1; i + 1 < lines.size(); ++i)
        QCOMPARE(lines[i].from, lines[i - 1].to);
    QCOMPARE(lines[lines.size() - 2].to, lines.back().to);
    QTRY_VERIFY(!m_verdict->waterfall().grab().isNull()); // once it is laid out
}

/// A time that lost its first digit was another time.
void ComparePanelTest::theWaterfallFollowsTheTextSize()
{
    compare(drawn(14 * ms, "other"), drawn(13 * ms, "other"));
    for (const int points : {10, 14, 18}) {
        const TextSize size(points);
        CompareWaterfall chart(Theme::light());
        chart.resize(400, CompareWaterfall::heightOf(8)); // titles stand above the bars
        chart.setComparison(m_session->pair().comparison());
        const QRect first = chart.paintedItems().front().rect;
        QCOMPARE(first.height(), inTextSize(30));
        QVERIFY(chart.lines().size() <= 8);
        QFont bold = chart.font();
        bold.setBold(true);
        const QFontMetrics metrics(bold);
        QVERIFY(first.height() > metrics.height());
        const QImage image = chart.grab().toImage();
        const QRgb ground = image.pixel(1, 1);
        const auto hasInk = [&](int x) {
            for (int y = first.top(); y < first.top() + inTextSize(18); ++y) {
                if (image.pixel(x, y) != ground)
                    return true;
            }
            return false;
        };
        // From the right to the gap between the time and its title.
        int right = image.width() - 1;
        while (right > 0 && !hasInk(right))
            --right;
        int left = right;
        for (int x = right; x > 0 && left - x < metrics.height() / 2; --x)
            left = hasInk(x) ? x : left;
        const int whole = metrics.tightBoundingRect(durationText(chart.lines().front().to)).width();
        QVERIFY2(right - left + 1 >= whole - 2,
            qPrintable(QString("%1 points: %2 of %3").arg(points).arg(right - left + 1).arg(whole)));
    }
}

void ComparePanelTest::whatHasNoLineOfItsOwnIsOneLine()
{
    Comparison comparison;
    Ns sumA = 0;
    Ns sumB = 0;
    for (int part = 0; part < 20; ++part) {
        BudgetLine line;
        line.title = "part " + std::to_string(part);
        line.time = {
            100 * (part + 1), part == 7 ? 100 * (part + 1) : 100 * (part + 1) + (part % 2 ? 9 : -4) * part};
        sumA += line.time.a;
        sumB += line.time.b;
        comparison.budget.push_back(line);
    }
    for (const std::size_t most : {4U, 6U, 12U, 40U}) {
        const std::vector<WaterfallLine> lines = waterfallOf(comparison, most);
        QVERIFY(lines.size() <= most);
        QCOMPARE(lines.front().to, sumA);
        QCOMPARE(lines.back().to, sumB);
        QCOMPARE(lines[lines.size() - 2].to, sumB);
        std::size_t parts = 0;
        for (std::size_t i = 1; i + 1 < lines.size(); ++i) {
            QCOMPARE(lines[i].from, lines[i - 1].to);
            parts += lines[i].parts;
        }
        QCOMPARE(parts, 18U); // part 0 and part 7 did not change
    }
    QVERIFY(waterfallOf(Comparison(), 10).empty());
    // Parts too small for a bar are one line, wherever there is room: after the largest three.
    for (std::size_t part = 0; part < comparison.budget.size(); ++part)
        comparison.budget[part].time = {ms, part < 5 ? ms / 2 : ms + 10};
    const std::vector<WaterfallLine> lines = waterfallOf(comparison, 40);
    QCOMPARE(lines.size(), 2U + 5U + 1U);
    QCOMPARE(lines[6].kind, WaterfallLine::Kind::Rest);
    QCOMPARE(lines[6].parts, 15U);
    for (BudgetLine& part : comparison.budget)
        part.time = {ms, ms + 10};
    QCOMPARE(waterfallOf(comparison, 40).size(), 2U + 3U + 1U);
}

void ComparePanelTest::bytesAreLargerAndSmaller()
{
    Comparison comparison;
    for (const bool bytes : {true, false}) {
        CompareTable table;
        table.id = bytes ? "copied" : "copies";
        table.bytes = bytes;
        for (const RowChange change : {RowChange::Slower, RowChange::Faster, RowChange::Cut}) {
            table.rows.emplace_back().change = change;
            table.rows.back().a.name = table.rows.back().b.name = "Host-to-Device";
        }
        comparison.tables.push_back(table);
    }
    QStringList words;
    for (const CompareLines::Table& table : compareLines(comparison).tables) {
        for (const CellsModel::Line& line : table.lines)
            words << line.cells[static_cast<std::size_t>(CompareColumn::Change)].text;
    }
    QCOMPARE(words, (QStringList{"larger", "smaller", "cut", "slower", "faster", "cut"}));
}

void ComparePanelTest::rowsSayWhatBecameOfThem()
{
    compare(drawn(4 * ms, "softmax_forward"), drawn(3 * ms, "layer_norm"));
    QVERIFY(m_panel->showTable("kernels"));
    const QAbstractItemModelTester tester(&model());
    const int compute = rowOf("compute");
    QVERIFY(compute >= 0);
    const auto change = static_cast<int>(CompareColumn::Change);
    QCOMPARE(model().line(compute).cells[change].text, QString("faster"));
    QCOMPARE(model().data(model().index(compute, change), Qt::ForegroundRole).value<QColor>(),
        Theme::light().good);
    QVERIFY(std::abs(nsOf(m_panel->table(), model(), "compute", Side::A) - 4'010 * us) < 20 * us);
    QVERIFY(std::abs(nsOf(m_panel->table(), model(), "compute", Side::B) - 3'010 * us) < 20 * us);
    QCOMPARE(model().line(compute).cells[static_cast<int>(CompareColumn::CountA)].text, QString("1"));
    QVERIFY(model().data(model().index(compute, 1), Qt::ToolTipRole).toString().contains("Due to count"));
    // The largest changes come first, and the shares are of the whole.
    double shares = 0;
    double before = std::numeric_limits<double>::max();
    for (int row = 0; row < model().rowCount(); ++row) {
        const auto& cells = model().line(row).cells;
        shares += cells[static_cast<int>(CompareColumn::Share)].key.toDouble();
        const double delta = std::abs(cells[static_cast<int>(CompareColumn::Difference)].key.toDouble());
        QVERIFY(delta <= before);
        before = delta;
    }
    QVERIFY(std::abs(shares - 100) < 1e-7);
    // Files have plain numbers, and the unit in the head.
    const Cells written = *shownTable(model()).cells;
    const CompareRow& faster = model().table().rows[model().line(compute).id];
    const auto at = [&](CompareColumn column) {
        return std::get<double>(
            written.at(static_cast<std::size_t>(compute), static_cast<std::size_t>(column)));
    };
    QCOMPARE(at(CompareColumn::Difference), faster.delta());
    QCOMPARE(at(CompareColumn::TimeB), faster.b.perStep);
    QCOMPARE(at(CompareColumn::CountA), faster.a.countPerStep);
    for (const CompareColumn column :
        {CompareColumn::Difference, CompareColumn::TimeA, CompareColumn::AverageB})
        QVERIFY(written.columns[static_cast<std::size_t>(column)].title.ends_with(" (ns)"));
    // A click on a title sorts.
    QHeaderView& header = *m_panel->table().horizontalHeader();
    const int column = static_cast<int>(CompareColumn::TimeB);
    QTest::mouseClick(header.viewport(), Qt::LeftButton, {},
        {header.sectionViewportPosition(column) + 5, header.height() / 2});
    for (int row = 1; row < model().rowCount(); ++row)
        QVERIFY(model().line(row - 1).cells[column].key.toDouble()
            >= model().line(row).cells[column].key.toDouble());
}

void ComparePanelTest::aClickMarksTheEventsOfBoth()
{
    compare(drawn(4 * ms, "other"), drawn(3 * ms, "other"));
    QVERIFY(m_panel->showTable("kernels"));
    click(rowOf("compute"));
    RunPair& pair = m_session->pair();
    const CompareRow& row = model().table().rows[model().line(rowOf("compute")).id];
    for (const Side side : {Side::A, Side::B}) {
        Session& session = pair.session(side);
        const auto& marked = session.selection().highlighted(ReportId{0});
        QCOMPARE(marked.size(), row[side].events.size());
        QVERIFY(marked.size() >= 8);
        Ns longest = 0;
        for (const EventRef event : marked) {
            QCOMPARE(session.trace().name(event), std::string_view("compute"));
            longest = std::max(longest, session.trace().range(event).duration());
        }
        // The slowest of each is shown and selected.
        QVERIFY(session.selection().currentEvent().valid());
        const TimeRange current = session.workspace().range(session.selection().currentEvent());
        QCOMPARE(current.duration(), longest);
        QVERIFY(session.time().shown().clippedTo(current) == current);
        QCOMPARE(m_panel->histogram().histograms().events[side], marked.size());
    }
    QCOMPARE(pair.map().toB(m_session->workspace().range(m_session->selection().currentEvent()).start),
        pair.b().workspace().range(pair.b().selection().currentEvent()).start);
    QVERIFY(m_panel->histogram().isVisible());
    QVERIFY(m_panel->histogram().histograms().median.a > m_panel->histogram().histograms().median.b);
    // The keyboard does the same.
    const EventId before = m_session->selection().currentEvent();
    QTest::keyClick(&m_panel->table(), rowOf("compute") == 0 ? Qt::Key_Down : Qt::Key_Up);
    QTRY_VERIFY(m_session->selection().currentEvent() != before);
}

void ComparePanelTest::aChoiceEndsWithItsTable()
{
    compare(drawn(4 * ms, "other"), drawn(3 * ms, "other"));
    QVERIFY(m_panel->showTable("kernels"));
    emit m_panel->table().clicked(model().index(rowOf("compute"), 0)); // its events are on their way
    QVERIFY(m_panel->isBusy());
    const QSignalSpy updated(m_panel.get(), &Panel::updated);
    QVERIFY(m_panel->showTable("budget"));
    QVERIFY(!m_panel->isBusy());
    QCOMPARE(updated.count(), 1);
    QVERIFY(!m_panel->histogram().isVisible());
    QVERIFY(!m_session->selection().highlightsAny());
}

void ComparePanelTest::aChoiceEndsWithItsReports()
{
    compare(drawn(4 * ms, "other"), drawn(3 * ms, "other"));
    QVERIFY(m_panel->showTable("kernels"));
    emit m_panel->table().clicked(model().index(rowOf("compute"), 0));
    m_session->setWorkspace({}); // without another signal of the pair
    QTRY_VERIFY(!m_panel->isBusy());
    QVERIFY(!m_session->selection().highlightsAny());
    QVERIFY(!m_session->pair().b().selection().highlightsAny());
}

void ComparePanelTest::aRowOfOneSideLeadsThere()
{
    compare(drawn(4 * ms, "softmax_forward"), drawn(4 * ms, "memory_bound_thing"));
    QVERIFY(m_panel->showTable("kernels"));
    int alone = -1;
    for (int row = 0; row < model().rowCount(); ++row) {
        const CompareRow& each = model().table().rows[model().line(row).id];
        if (each.a.name.empty())
            alone = row;
    }
    if (alone < 0)
        QSKIP("both are matched by their place in the step");
    click(alone);
    QVERIFY(!m_session->selection().highlightsAny());
    QVERIFY(m_session->pair().b().selection().highlightsAny());
    QVERIFY(m_session->pair().b().selection().currentEvent().valid());
    QCOMPARE(m_panel->histogram().histograms().events.a, 0U);
}

/// Whatever the width at which the panel was filled.
void ComparePanelTest::namesTakeTheRoom()
{
    compare(drawn(4 * ms, "other"), drawn(3 * ms, "other"));
    m_panel->resize(300, 300);
    for (const auto& [id, column] : {std::pair("kernels", 1), std::pair("budget", 0)}) {
        QVERIFY(m_panel->showTable(id));
        m_panel->resize(1900, 300);
        QTRY_COMPARE(m_panel->table().horizontalHeader()->length(), m_panel->table().viewport()->width());
        for (int other = 2; other < model().columnCount(); ++other)
            QVERIFY(m_panel->table().columnWidth(column) > m_panel->table().columnWidth(other));
        m_panel->resize(300, 300);
    }
}

void ComparePanelTest::findingsComeBehindAndLeaveTheChoice()
{
    m_session->setWorkspace(workspaceOf("before.sqlite", drawn(4 * ms, "other")));
    QSignalSpy matched(&m_session->pair(), &RunPair::matched);
    m_session->pair().compareWith(workspaceOf("after.sqlite", drawn(3 * ms, "other")));
    QTRY_VERIFY(matched.count() == 1);
    QTRY_VERIFY_WITH_TIMEOUT(!m_panel->isBusy(), 30'000);
    QVERIFY(m_panel->showTable("findings"));
    QCOMPARE(static_cast<std::size_t>(model().rowCount()), m_session->pair().comparison()->findings.size());
    if (model().rowCount() > 0)
        click(0);
    QVERIFY(m_panel->showTable("facts"));
    QCOMPARE(static_cast<std::size_t>(model().rowCount()), m_session->pair().comparison()->facts.size());
    click(0); // leads nowhere
    QVERIFY(m_panel->showTable("budget"));
    const int last = model().rowCount() - 1;
    QCOMPARE(model().line(last).cells[0].text, QString("Together"));
    double sum = 0;
    for (int row = 0; row < last; ++row)
        sum += model().line(row).cells[1].key.toDouble();
    QCOMPARE(sum, model().line(last).cells[1].key.toDouble());
    const ShownTable written = shownTable(model());
    QCOMPARE(std::get<std::int64_t>(written.cells->at(static_cast<std::size_t>(last), 1)),
        static_cast<std::int64_t>(sum));
    for (const Column& column : written.cells->columns)
        QVERIFY2(!column.title.ends_with("(ns) (ns)"), column.title.c_str());
    QCOMPARE(static_cast<Ns>(sum), m_session->pair().comparison()->delta);
}

/// In the next comparison, too: when the sides are swapped it is another one.
void ComparePanelTest::theChosenTabStays()
{
    const auto opened = [this] { return m_panel->tabs().tabData(m_panel->tabs().currentIndex()).toString(); };
    QVERIFY(!m_panel->showTable("facts")); // as a window in another language does: it comes
    compare(drawn(4 * ms, "other"), drawn(2 * ms, "other"));
    QCOMPARE(opened(), QString("facts"));
    for (int tab = 0; tab < m_panel->tabs().count(); ++tab) {
        if (m_panel->tabs().tabData(tab).toString() == "findings")
            m_panel->tabs().setCurrentIndex(tab); // as a click does
    }
    m_session->pair().end();
    compare(drawn(2 * ms, "other"), drawn(4 * ms, "other"));
    QCOMPARE(opened(), QString("findings"));
    QCOMPARE(m_panel->chosenTable(), QString("findings"));
}

/// A swap ends the comparison for the time that it takes to read the reports.
void ComparePanelTest::linesStayUntilTheNextOnesAreThere()
{
    const auto slow = drawn(4 * ms, "other");
    const auto fast = drawn(2 * ms, "other", 100 * us);
    RunPair& pair = m_session->pair();
    for (const char* const tab : {"budget", "kernels"}) {
        compare(slow, fast);
        QVERIFY(m_panel->showTable(tab));
        const std::size_t name = tab == QString("budget") ? 0 : 1;
        const int rows = model().rowCount();
        QVERIFY(rows > 1);
        m_panel->table().selectRow(1);
        QTRY_VERIFY(!m_panel->isBusy());
        const QString chosen = model().line(1).cells[name].text;
        pair.setReturning(true);
        pair.end();
        QVERIFY(m_panel->table().isVisible() && m_panel->table().model());
        QVERIFY(!m_verdict->facts().isHidden());
        QCOMPARE(model().rowCount(), rows);
        click(0); // leads nowhere: the reports are closed
        click(1);
        compare(fast, slow);
        pair.setReturning(false);
        const QModelIndexList selected = m_panel->table().selectionModel()->selectedRows();
        QCOMPARE(selected.size(), 1);
        QCOMPARE(model().line(selected.front().row()).cells[name].text, chosen);
        QCOMPARE(m_panel->tabs().tabData(m_panel->tabs().currentIndex()).toString(), QString(tab));
    }
    pair.setReturning(true);
    pair.end();
    QVERIFY(m_panel->table().isVisible());
    pair.setReturning(false); // it could not be opened
    QVERIFY(!m_panel->table().isVisible() && m_panel->findChild<EmptyState*>()->isVisible());
    QVERIFY(m_verdict->facts().isHidden() && !m_verdict->findChild<EmptyState*>()->isHidden());
}

/// Until the sides are swapped there are no runs to ask for tables.
void ComparePanelTest::statisticsWaitForTheSwap()
{
    const auto slow = drawn(4 * ms, "other");
    const auto fast = drawn(2 * ms, "other");
    RunPair& pair = m_session->pair();
    compare(slow, fast);
    pair.setReturning(true);
    pair.end();
    QVERIFY(m_panel->showTable("statistics"));
    QVERIFY(!m_panel->statistics().isBusy());
    compare(fast, slow);
    pair.setReturning(false);
    QTRY_VERIFY(!m_panel->isBusy() && m_panel->statistics().tables().count() > 1);
}

/// A panel asks again when the pair changes: what fails elsewhere must not change it.
void ComparePanelTest::otherJobsMayFail()
{
    RunPair& pair = m_session->pair();
    compare(drawn(4 * ms, "other"), drawn(2 * ms, "other"));
    QSignalSpy changed(&pair, &RunPair::changed);
    const auto fails = [&] {
        changed.clear();
        JobFailures::shared().tell("Not enough memory.");
        return pair.hasFailed() || changed.count() > 0;
    };
    QVERIFY(!fails());
    const RunSteps steps = pair.steps(Side::B);
    pair.narrow(Side::B, {steps[1].start, steps[4].end});
    QVERIFY(pair.isComing() && !fails());
    bool ofOthers = true;
    const QMetaObject::Connection behind
        = connect(&pair, &RunPair::matched, this, [&] { ofOthers = pair.isJudging() && !fails(); });
    QTRY_VERIFY(!m_panel->isBusy() && pair.comparison());
    disconnect(behind);
    QVERIFY(ofOthers && !fails()); // neither while findings are on their way nor behind them
    m_session->setWorkspace({}); // as while a run is read
    QVERIFY(pair.isOn() && !pair.comparison() && !pair.isComing());
    QVERIFY(!fails());
}

void ComparePanelTest::aFailureStandsInThePlaceOfTheLines()
{
    const auto worksAgain = qScopeGuard([] { JobQueue::failsInTests = false; });
    m_panel.reset();
    m_verdict.reset();
    m_session = std::make_unique<Session>();
    RunPair& pair = m_session->pair();
    // Before the panel makes its lines.
    const QMetaObject::Connection fails
        = connect(&pair, &RunPair::matched, this, [] { JobQueue::failsInTests = true; });
    m_panel = std::make_unique<ComparePanel>(*m_session, Theme::light());
    m_panel->show();
    m_session->setWorkspace(workspaceOf("before.sqlite", drawn(4 * ms, "other")));
    pair.compareWith(workspaceOf("after.sqlite", drawn(2 * ms, "other")));
    const auto isFailed = [&] {
        return std::ranges::any_of(m_panel->findChildren<EmptyState*>(), [](EmptyState* state) {
            return state->isVisible() && state->text().text() == VerdictPanel::failureText();
        });
    };
    QTRY_VERIFY(pair.comparison() && !m_panel->isBusy() && isFailed());
    QVERIFY(!m_panel->table().isVisible());
    disconnect(fails);
    JobQueue::failsInTests = false;
    const RunSteps steps = pair.steps(Side::B);
    pair.narrow(Side::B, {steps[1].start, steps[4].end});
    QTRY_VERIFY(!m_panel->isBusy() && m_panel->table().isVisible() && !isFailed());
    JobQueue::failsInTests = true; // also of the comparison itself
    pair.narrow(Side::B, {steps[2].start, steps[4].end});
    QTRY_VERIFY(pair.hasFailed() && !pair.isBusy() && isFailed());
}

/// If the next comparison fails, the lines of another range or of other steps are not left.
void ComparePanelTest::anotherRequestForgetsTheComparison()
{
    RunPair& pair = m_session->pair();
    compare(drawn(4 * ms, "other"), drawn(2 * ms, "other"));
    CompareBar bar(pair, Theme::light());
    bar.resize(3000, 30);
    const RunSteps steps = pair.steps(Side::B);
    const QString before = m_verdict->verdict().text();
    const QString inBar = bar.verdict().text();
    pair.narrow(Side::B, {steps[1].start, steps[4].end});
    QVERIFY(!pair.comparison() && pair.isComing());
    // Until the next result is there.
    QVERIFY(m_panel->table().isVisible());
    QVERIFY(m_verdict->verdict().text().startsWith(before) && !m_verdict->facts().isHidden());
    QVERIFY(!bar.verdict().isHidden() && !inBar.isEmpty());
    QCOMPARE(bar.verdict().text(), inBar);
    QTRY_VERIFY(!m_panel->isBusy() && pair.comparison());
    m_session->judgement().setStepGlob("step_1*");
    QVERIFY(!pair.comparison() && pair.isComing());
    QTRY_VERIFY(!m_panel->isBusy() && pair.comparison() && m_panel->table().isVisible());
}

/// Rows correspond in any range: what the user does while the next one is compared is for both, and stays.
void ComparePanelTest::anotherRequestKeepsRows()
{
    RunPair& pair = m_session->pair();
    compare(drawn(4 * ms, "other"), drawn(2 * ms, "other"));
    const RunSteps steps = pair.steps(Side::B);
    const std::size_t rows = pair.rowPairs().size();
    QVERIFY(rows > 0);
    const RowPair top = pair.rowPairs().front();
    const bool wasOpen = pair.b().rowView().isExpanded(top.b);
    pair.narrow(Side::B, {steps[1].start, steps[4].end});
    QCOMPARE(pair.rowPairs().size(), rows);
    QCOMPARE(pair.partnerOf(Side::A, top.a), top.b);
    pair.b().rowView().setExpanded(top.b, !wasOpen);
    QTRY_VERIFY(!m_panel->isBusy() && pair.comparison());
    QCOMPARE(pair.a().rowView().isExpanded(top.a), !wasOpen);
    QCOMPARE(pair.b().rowView().isExpanded(top.b), !wasOpen);
    // Other ranges of one run, too.
    pair.compareWithin(steps[1], steps[2]);
    QTRY_VERIFY(!m_panel->isBusy() && pair.comparison());
    QVERIFY(!pair.rowPairs().empty());
    pair.compareWithin(steps[1], steps[3]);
    QVERIFY(pair.isComing() && !pair.rowPairs().empty());
    QTRY_VERIFY(!m_panel->isBusy() && pair.comparison());
}

/// Ranges that are compared while the report loads, and another report that comes.
void ComparePanelTest::twoRangesAreOfTheReportsThatAreOpen()
{
    RunPair& pair = m_session->pair();
    const auto whole = drawn(4 * ms, "other");
    auto part = std::make_shared<Trace>(*whole);
    part->info.path = "loading.sqlite";
    auto done = std::make_shared<Trace>(*part);
    part->complete = false;
    m_session->setWorkspace(workspaceOf("loading", part));
    const TimeRange all = m_session->session();
    const Ns middle = all.start + all.duration() / 2;
    pair.compareWithin({all.start, middle}, {middle, all.end});
    QVERIFY(pair.isOn() && !pair.isBusy());
    m_session->setWorkspace(workspaceOf("loading", done));
    QCOMPARE(pair.b().sharedTrace(), m_session->sharedTrace());
    QTRY_VERIFY(!m_panel->isBusy() && pair.comparison());
    QCOMPARE(pair.narrowed(Side::B), (TimeRange{middle, all.end}));
    std::vector<OpenReport> reports(2);
    for (OpenReport& report : reports) {
        report.trace = &report == &reports.front() ? m_session->sharedTrace() : drawn(2 * ms, "other");
        report.rows = buildRows(*report.trace);
    }
    m_session->setWorkspace(Workspace(reports));
    QCOMPARE(pair.b().workspace().reports().size(), 2U);
    reports.back().label = "another name";
    m_session->setWorkspace(Workspace(reports));
    QCOMPARE(pair.b().workspace().reports().back().label, reports.back().label);
    QTRY_VERIFY(!m_panel->isBusy() && pair.comparison());
    QVERIFY(pair.isWithinOne());
}

/// Findings come after the other lines.
void ComparePanelTest::theSelectedFindingStays()
{
    const auto a = loadReport(WARPLINE_TEST_DATA "/reports/bert_fp32.sqlite").take();
    const auto b = loadReport(WARPLINE_TEST_DATA "/reports/ddp_overlap_rank0.sqlite").take();
    RunPair& pair = m_session->pair();
    compare(a, b);
    QVERIFY(m_panel->showTable("findings"));
    const auto isOfOne = [&](int row) { // the titles of both may differ
        const FindingChange& finding = pair.comparison()->findings[model().line(row).id];
        return finding.title.a.empty() != finding.title.b.empty();
    };
    int last = model().rowCount() - 1;
    while (last > 0 && !isOfOne(last))
        --last;
    QVERIFY(last > 0);
    m_panel->table().selectRow(last);
    QTRY_VERIFY(!m_panel->isBusy());
    const QString chosen = model().line(last).cells[1].text;
    pair.setReturning(true);
    pair.end();
    compare(b, a);
    pair.setReturning(false);
    QTRY_VERIFY(!m_panel->isBusy());
    const QModelIndexList selected = m_panel->table().selectionModel()->selectedRows();
    QCOMPARE(selected.size(), 1);
    QCOMPARE(model().line(selected.front().row()).cells[1].text, chosen);
}

void ComparePanelTest::anotherThemeKeepsTheOrder()
{
    compare(drawn(4 * ms, "other"), drawn(2 * ms, "other"));
    QVERIFY(m_panel->showTable("kernels"));
    const int name = static_cast<int>(CompareColumn::Name);
    for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
        m_panel->table().sortByColumn(name, order);
        const QString first = model().line(0).cells[1].text;
        m_panel->setTheme(order == Qt::AscendingOrder ? Theme::dark() : Theme::light());
        QCOMPARE(model().line(0).cells[1].text, first);
        QCOMPARE(m_panel->table().horizontalHeader()->sortIndicatorSection(), name);
    }
    const QModelIndex better = model().index(rowOf("compute"), static_cast<int>(CompareColumn::Difference));
    for (const Theme* const theme : {&Theme::dark(), &Theme::light()}) {
        m_panel->setTheme(*theme);
        QCOMPARE(better.data(Qt::ForegroundRole).value<QColor>(), theme->good);
    }
}

void ComparePanelTest::shortTabsStayWhole()
{
    compare(drawn(4 * ms, "softmax_forward"), drawn(3 * ms, "softmax_forward"));
    QTabBar& tabs = m_panel->tabs();
    const int last = tabs.addTab("A title that is longer than all others");
    int whole = 0; // as wide as all tabs need
    for (int tab = 0; tab <= last; ++tab)
        whole += tabs.tabRect(tab).width();
    QVERIFY(whole < m_panel->width());
    const int steps = [&] {
        for (int tab = 0; tab <= last; ++tab) {
            if (tabs.tabText(tab) == "Steps")
                return tab;
        }
        return -1;
    }();
    QVERIFY(steps >= 0);
    const int wide = tabs.tabRect(steps).width();
    m_panel->resize(whole - 60, 320);
    QCoreApplication::sendPostedEvents();
    QCOMPARE(tabs.tabRect(steps).width(), wide);
    QVERIFY(tabs.tabRect(last).right() < tabs.width());
    m_panel->resize(whole / 2, 320); // then they scroll, and the current one is in sight
    QCoreApplication::sendPostedEvents();
    QCOMPARE(tabs.tabRect(steps).width(), wide);
    QVERIFY(std::ranges::any_of(
        tabs.findChildren<QToolButton*>(), [](const QToolButton* arrow) { return arrow->isVisible(); }));
    for (const int tab : {last, steps}) {
        tabs.setCurrentIndex(tab);
        QVERIFY(tabs.tabRect(tab).left() >= 0 && tabs.tabRect(tab).right() < tabs.width());
    }
}

/// The drawer may come into sight after the comparison is there.
void ComparePanelTest::tabsFilledWhileHiddenHaveTheirHeight()
{
    m_panel->hide();
    compare(drawn(4 * ms, "other"), drawn(3 * ms, "other"));
    const QTabBar& tabs = m_panel->tabs();
    QVERIFY(tabs.count() > 1);
    m_panel->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_panel.get()));
    const auto isWhole = [&] {
        return tabs.height() >= tabs.tabRect(0).height() && tabs.tabRect(0).height() > 0
            && m_panel->table().y() >= tabs.geometry().bottom();
    };
    QTRY_VERIFY(isWhole());
    // Titles differ where they are cut.
    const auto cut = [&](const char* title) {
        constexpr int letters = 12;
        return tabs.fontMetrics().elidedText(
            title, tabs.elideMode(), letters * tabs.fontMetrics().averageCharWidth());
    };
    QVERIFY(cut("NVTX paths on the host") != cut("NVTX paths on the GPU"));
    m_session->pair().end();
    m_panel->hide();
    compare(drawn(3 * ms, "other"), drawn(4 * ms, "other")); // another pair in the same session
    m_panel->show();
    QTRY_VERIFY(tabs.count() > 1 && isWhole());
}

void ComparePanelTest::statisticsOfBothStandSideBySide()
{
    compare(drawn(4 * ms, "softmax_forward"), drawn(3 * ms, "softmax_forward"));
    QTabBar& tabs = m_panel->tabs();
    int tab = -1;
    for (int i = 0; i < tabs.count(); ++i) {
        if (tabs.tabData(i).toString() == "statistics")
            tab = i;
    }
    QVERIFY(tab >= 0);
    QTest::mouseClick(&tabs, Qt::LeftButton, {}, tabs.tabRect(tab).center());
    CompareStatistics& statistics = m_panel->statistics();
    QTRY_VERIFY(!m_panel->isBusy() && statistics.tables().count() > 1);
    QVERIFY(statistics.isVisible() && !m_panel->table().isVisible());
    QCOMPARE(statistics.tables().findData("cuda_gpu_trace"), -1); // a table with a row per event is not
                                                                  // offered
    statistics.tables().setCurrentIndex(statistics.tables().findData("cuda_gpu_kern_sum"));
    QTRY_VERIFY(!m_panel->isBusy() && statistics.model().rowCount() == 2);

    const QAbstractItemModel& model = *statistics.table().model();
    const auto columnOf = [&](const QString& title) {
        for (int column = 0; column < model.columnCount(); ++column) {
            if (model.headerData(column, Qt::Horizontal).toString().startsWith(title))
                return column;
        }
        return -1;
    };
    const int name = columnOf("Name");
    const int difference = columnOf("Difference: Total");
    QVERIFY(name >= 0 && difference >= 0 && columnOf("A: Total") >= 0 && columnOf("B: Total") >= 0);
    // The largest difference comes first. The jitter of the twelve steps is 120 us on both sides.
    QCOMPARE(model.index(0, name).data().toString(), QString("compute"));
    const auto& cells = *statistics.model().cells();
    const auto ns = [&](int column) {
        return std::get<std::int64_t>(
            cells.at(statistics.model().rowOf(0), static_cast<std::size_t>(column)));
    };
    QCOMPARE(ns(columnOf("A: Total")), 12 * 4 * ms + 120 * us);
    QCOMPARE(ns(columnOf("B: Total")), 12 * 3 * ms + 120 * us);
    QCOMPARE(ns(difference), -12 * ms);

    QTest::keyClicks(&statistics.search(), "softmax");
    QTRY_VERIFY(!m_panel->isBusy() && statistics.model().rowCount() == 1);
    statistics.search().clear();
    QTRY_COMPARE(statistics.model().rowCount(), 2);
    // A click on a title sorts.
    statistics.table().sortByColumn(difference, Qt::DescendingOrder);
    QTRY_VERIFY(!m_panel->isBusy() && model.index(1, name).data().toString() == "compute");

    m_session->pair().end(); // lets go of the reports
    QVERIFY(!statistics.isVisible());
    QCOMPARE(statistics.tables().count(), 0);
}

void ComparePanelTest::longNamesKeepTheArrow()
{
    CompareRow row;
    row.a.name.assign(150, 'a').append("_nn");
    row.b.name.assign(150, 'b').append("_tn");
    const QString name = compareName(row);
    QVERIFY(name.size() < 110);
    QVERIFY(name.contains(QString::fromUtf8("_nn \u2192 b")) && name.endsWith("_tn"));
    row.b.name.clear();
    QCOMPARE(compareName(row).size(), 153);
}

void ComparePanelTest::itIsSavedAsTheCommandLineWritesIt()
{
    compare(drawn(4 * ms, "other"), drawn(3 * ms, "other"));
    QTemporaryDir folder;
    QSignalSpy told(m_panel.get(), &Panel::messages);
    const auto written = [&](const char* name) {
        const QString path = folder.filePath(name);
        const int before = static_cast<int>(told.count());
        m_panel->saveAs(path);
        [&] { QTRY_VERIFY(told.count() > before); }();
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    const QJsonObject json = QJsonDocument::fromJson(written("c.json"))["reports"].toArray().at(0).toObject();
    QCOMPARE(json["verdict"].toString(), QString("faster"));
    QVERIFY(json["comparable"].toBool());
    QVERIFY(written("c.md").contains("|"));
    const QByteArray page = written("c.html");
    QVERIFY(page.contains("<html") && page.contains("<svg"));
    m_panel->saveAs("/nowhere/at/all.html");
    QTRY_VERIFY(told.back().front().toString().contains("Cannot write"));
}

namespace {

using Place = CompareStepPlot::Place;

/// A comparison of steps of these lengths, all of which count, on one GPU each.
std::shared_ptr<Comparison> ofLengths(const std::vector<Ns>& a, const std::vector<Ns>& b)
{
    auto made = std::make_shared<Comparison>();
    made->unit = CompareUnit::Step;
    for (const Side side : {Side::A, Side::B}) {
        ComparedSide& compared = made->sides[side];
        ComparedGpu& gpu = compared.gpus.emplace_back();
        Ns at = 0;
        for (const Ns length : side == Side::A ? a : b) {
            const TimeRange range{at, at + length};
            gpu.steps.push_back({"step_" + std::to_string(gpu.steps.size()), {}, range, range, true});
            at += length;
        }
        std::vector<Ns> sorted = side == Side::A ? a : b;
        std::ranges::sort(sorted);
        compared.median = sorted[sorted.size() / 2];
        compared.mean = static_cast<double>(at) / static_cast<double>(sorted.size());
    }
    return made;
}

} // namespace

void ComparePanelTest::stepsOfBothAreDrawn()
{
    compare(drawn(4 * ms, "other"), drawn(3 * ms, "other"));
    CompareStepPlot& plot = m_verdict->steps();
    QTRY_VERIFY(plot.isVisible() && plot.width() >= plot.minimumSizeHint().width());
    QVERIFY(!plot.accessibleName().isEmpty());
    const auto comparison = m_session->pair().comparison();
    for (const Side side : {Side::A, Side::B}) {
        QCOMPARE(plot.lengths(side).lengths.size(), comparison->sides[side].judged);
        QCOMPARE(plot.lengths(side).lengths.size(), m_session->pair().steps(side).size());
        // Every step is hit where it is drawn.
        for (std::size_t step = 0; step < plot.lengths(side).lengths.size(); ++step)
            QCOMPARE(plot.stepAt(plot.pointOf({side, step})), (Place{side, step}));
    }
    QVERIFY(plot.pointOf({Side::B, 2}).y() > plot.pointOf({Side::A, 2}).y()); // shorter is lower
    QVERIFY(!plot.stepAt(QPointF(2, 2)));
    // Name, length and difference to the median of the own side.
    const ComparedLengths& a = plot.lengths(Side::A);
    const QString tip = plot.tipOf({Side::A, 3});
    QVERIFY2(tip.startsWith("A"), qPrintable(tip));
    QVERIFY(tip.contains(QString::fromStdString(comparison->sides.a.gpus[0].steps[a.steps[3]].name)));
    QVERIFY(tip.contains(QString::fromStdString(formatDuration(a.lengths[3]))));
    QVERIFY(tip.contains(differenceText(static_cast<double>(a.lengths[3] - comparison->sides.a.median))));
    for (const Theme* const theme : {&Theme::light(), &Theme::dark()}) {
        m_verdict->setTheme(*theme);
        const QImage image = plot.grab().toImage();
        for (const Side side : {Side::A, Side::B}) {
            const QPointF at = plot.pointOf({side, 4}) * image.devicePixelRatio();
            QCOMPARE(image.pixelColor(at.toPoint()), sideColor(*theme, side));
        }
    }
    m_session->pair().end();
    QVERIFY(!plot.isVisible());
}

void ComparePanelTest::aClickInThePlotSelectsTheStepOfThatSide()
{
    compare(drawn(4 * ms, "other"), drawn(3 * ms, "other"));
    RunPair& pair = m_session->pair();
    CompareStepPlot& plot = m_verdict->steps();
    QTRY_VERIFY(plot.isVisible());
    for (const Side side : {Side::B, Side::A}) {
        Session& session = pair.session(side);
        const Session& other = pair.session(side == Side::A ? Side::B : Side::A);
        const Place place{side, side == Side::A ? 5U : 7U};
        QTest::mouseClick(&plot, Qt::LeftButton, {}, plot.pointOf(place).toPoint());
        QCOMPARE(plot.chosen(), place);
        const ComparedStep& step
            = pair.comparison()->sides[side].gpus[0].steps[plot.lengths(side).steps[place.step]];
        QCOMPARE(session.selection().currentEvent().event, step.event);
        QCOMPARE(session.time().selectedRange(), step.gpu);
        QVERIFY(session.selection().isHighlighted(session.selection().currentEvent()));
        QVERIFY(!other.selection().highlightsAny());
        QCOMPARE(pair.step(), std::optional(place.step)); // above the matching step
        QVERIFY(session.time().shown().clippedTo(step.gpu) == step.gpu);
        QVERIFY(session.time().shown().duration() < 2 * step.gpu.duration());
    }
}

void ComparePanelTest::slowStepsAreMarkedAndDoNotFlattenTheOthers()
{
    std::vector<Ns> a(20, 5 * ms);
    a[3] = 5 * ms + 400 * us;
    a[7] = 90 * ms;
    const auto comparison = ofLengths(a, std::vector<Ns>(20, 4 * ms));
    CompareStepPlot plot(Theme::light());
    plot.resize(400, 220);
    plot.setComparison(comparison, {});
    QCOMPARE(plot.lengths(Side::A).slow, (std::vector<std::size_t>{7}));
    QVERIFY(plot.tipOf({Side::A, 7}).contains("outlier"));
    QVERIFY(!plot.tipOf({Side::A, 3}).contains("outlier"));
    // The slow one is at the upper edge; the others stay distinct.
    QVERIFY(plot.pointOf({Side::A, 7}).y() < plot.pointOf({Side::A, 3}).y());
    QVERIFY(plot.pointOf({Side::A, 4}).y() - plot.pointOf({Side::A, 3}).y() > 8);
    QCOMPARE(plot.stepAt(plot.pointOf({Side::A, 7})), (Place{Side::A, 7}));
    // The mean that it lifts is on the axis: a dashed line, higher than all other steps.
    const QImage image = plot.grab().toImage();
    int dashes = 0;
    const int between = static_cast<int>(plot.pointOf({Side::A, 12}).x()) - 4;
    for (int y = 40; y < static_cast<int>(plot.pointOf({Side::A, 3}).y()) - 4; ++y) {
        for (int x = between; x < between + 60; ++x)
            dashes += image.pixelColor(x, y) != Theme::light().background
                && image.pixelColor(x, y) != Theme::light().grid;
    }
    QVERIFY(dashes > 10);
    // B's first two steps have no partner: those of A follow.
    const auto later = std::make_shared<Comparison>(*comparison);
    later->sides.b.ahead = 2;
    plot.setComparison(later, {});
    QCOMPARE(plot.pointOf({Side::A, 0}).x(), plot.pointOf({Side::B, 2}).x());
    QVERIFY(plot.pointOf({Side::A, 19}).x() < 400);
    for (const Place place : {Place{Side::A, 0}, Place{Side::A, 19}, Place{Side::B, 0}, Place{Side::B, 19}})
        QCOMPARE(plot.stepAt(plot.pointOf(place)), place);
    plot.setComparison(comparison, {30, 1}); // the user's limits
    QVERIFY(plot.lengths(Side::A).slow.empty());
    plot.setComparison(ofLengths(std::vector<Ns>(20, 20 * ms), std::vector<Ns>(20, ms)), {});
    QCOMPARE(plot.ticks().front().second, QString("0")); // without a unit, as in other charts
    plot.setComparison(nullptr, {});
    QVERIFY(!plot.isNeeded());
}

void ComparePanelTest::manyStepsAreAllReached()
{
    std::vector<Ns> a(100'000, 5 * ms);
    a[77'777] = 6 * ms;
    CompareStepPlot plot(Theme::dark());
    plot.resize(400, 220);
    plot.setComparison(ofLengths(a, std::vector<Ns>(50'000, 4 * ms)), {});
    const QPointF at = plot.pointOf({Side::A, 77'777});
    const auto hit = plot.stepAt(at + QPointF(0.5, 0));
    QVERIFY(hit);
    QCOMPARE(*hit, (Place{Side::A, 77'777})); // higher than its neighbours in the pixel
    const QImage image = plot.grab().toImage();
    int colored = 0; // of the bar from its neighbours up to it
    for (int y = static_cast<int>(at.y()); y < static_cast<int>(plot.pointOf({Side::A, 1}).y()); ++y)
        colored += image.pixelColor(static_cast<int>(at.x()), y) == sideColor(Theme::dark(), Side::A);
    QVERIFY(colored > 10);
}

void ComparePanelTest::stepsOfSeveralGpusAreTheirMean()
{
    const auto comparison = ofLengths({4 * ms, 6 * ms, 5 * ms}, {ms, ms, ms});
    ComparedGpu second = comparison->sides.a.gpus.front();
    for (ComparedStep& step : second.steps)
        step.gpu.end += 2 * ms;
    second.steps[2].judged = false;
    comparison->sides.a.gpus.front().steps[2].judged = false;
    comparison->sides.a.gpus.push_back(second);
    const ComparedLengths lengths = comparedLengths(*comparison, Side::A);
    QCOMPARE(lengths.lengths, (std::vector<Ns>{5 * ms, 7 * ms}));
    comparison->unit = CompareUnit::Whole;
    QVERIFY(comparedLengths(*comparison, Side::A).lengths.empty());
}

void ComparePanelTest::namesThatNoSideHasLeadBackToDetection()
{
    m_session->judgement().setStepGlob("nothing_*");
    compare(drawn(4 * ms, "other"), drawn(3 * ms, "other"));
    QCOMPARE(m_session->judgement().stepGlob(), std::string()); // opened after the choice: another report
    m_session->judgement().setStepGlob("nothing_*");
    QTRY_VERIFY(!m_panel->isBusy());
    QVERIFY2(m_verdict->verdict().text().contains("nothing_*"), qPrintable(m_verdict->verdict().text()));
    QVERIFY(!m_verdict->steps().isVisible());
    QVERIFY(m_verdict->verdict().text().contains(stepsAutoLink));
    emit const_cast<QLabel&>(m_verdict->verdict()).linkActivated(stepsAutoLink);
    QTRY_VERIFY(!m_panel->isBusy());
    QCOMPARE(m_session->pair().comparison()->unit, CompareUnit::Step);
    QVERIFY(!m_verdict->verdict().text().contains(stepsAutoLink));
}

void ComparePanelTest::histogramsShareTheirBins()
{
    const TwoHistograms made = histogramsOf({10, 14, 11, 10'000}, {5, 6, 7});
    QCOMPARE(made.counts.a.size(), made.bins.counts.size());
    QCOMPARE(std::accumulate(made.counts.a.begin(), made.counts.a.end(), 0U), 4U);
    QCOMPARE(std::accumulate(made.counts.b.begin(), made.counts.b.end(), 0U), 3U);
    for (std::size_t bin = 0; bin < made.bins.counts.size(); ++bin)
        QCOMPARE(made.counts.a[bin] + made.counts.b[bin], made.bins.counts[bin]);
    QCOMPARE(made.median.a, 13); // between 11 and 14, rounded up
    QCOMPARE(made.median.b, 6);
    QVERIFY(histogramsOf({}, {}).empty());
    CompareHistogram chart(Theme::dark());
    chart.resize(250, 200);
    chart.show("one", histogramsOf({5}, {}));
    QVERIFY(!chart.grab().isNull());
}

void ComparePanelTest::aReportWithItselfIsNoDifference()
{
    const auto trace = drawn(4 * ms, "other");
    compare(trace, trace);
    QCOMPARE(m_session->pair().comparison()->delta, 0);
    QVERIFY(m_session->pair().comparison()->verdict != CompareVerdict::Faster);
    QVERIFY(m_session->pair().comparison()->verdict != CompareVerdict::Slower);
    QVERIFY(!m_panel->grab().isNull());
}

void ComparePanelTest::sharedPairsSayWhatChanged()
{
    const std::string before = sharedReport("bert_fp32");
    const std::string after = sharedReport("bert_amp");
    if (before.empty() || after.empty())
        QSKIP("needs ../shared/reports");
    compare(loadReport(before).take(), loadReport(after).take());
    const auto comparison = m_session->pair().comparison();
    QCOMPARE(comparison->verdict, CompareVerdict::Faster);
    QVERIFY(std::abs(comparison->sides.a.median - 73'430 * us) < 100 * us);
    QVERIFY(std::abs(comparison->sides.b.median - 68'450 * us) < 150 * us);
    QCOMPARE(comparison->budget[m_verdict->waterfall().lines()[1].place].part, std::string("compute_gemm"));
}

WARPLINE_TEST(ComparePanelTest)

} // namespace tst_compare_panel

#include "tst_compare_panel.moc"
