// Two reports on one axis: painting, hits and jumps use the workspace's clock, queries on a trace its own.

#include "core/base/format.h"
#include "core/base/format_instant.h"
#include "core/rows/row_kind.h"
#include "tests/core/findings/drawn_program.h"
#include "tests/support/test_program.h"
#include "views/actions/action.h"
#include "views/models/events_model.h"
#include "views/panels/checklist_panel.h"
#include "views/panels/details_panel.h"
#include "views/panels/events_copy.h"
#include "views/panels/events_panel.h"
#include "views/panels/roofline_panel.h"
#include "views/panels/stacks_panel.h"
#include "views/panels/stats_panel.h"
#include "views/panels/steps_panel.h"
#include "views/session/report_scope.h"
#include "views/session/saved_view.h"
#include "views/style/color_choice.h"
#include "views/style/empty_note.h"
#include "views/style/event_colors.h"
#include "views/style/rich_text.h"
#include "views/timeline/color_legend.h"
#include "views/timeline/overview.h"
#include "views/timeline/result_band.h"
#include "views/timeline/timeline_pane.h"

#include <QAbstractItemModelTester>
#include <QHeaderView>
#include <QImage>
#include <QLabel>
#include <QSettings>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QTextBrowser>
#include <QToolButton>
#include <QTreeView>

#include <algorithm>
#include <string_view>

namespace tst_reports_together {

using namespace warpline;
using namespace warpline::test;

namespace {

constexpr ReportId first{0};
constexpr ReportId second{1};
constexpr EventRef kernel{EventKind::Kernel, 0};
constexpr Ns offset = 200 * us;

OpenReport reportOf(const char* label, const std::shared_ptr<const Trace>& trace, Ns ahead)
{
    OpenReport report;
    report.label = label;
    report.trace = trace;
    report.rows = buildRows(*trace);
    report.clock = {ahead, 0, ClockMethod::Manual, {}};
    return report;
}

const Action& actionOf(std::string_view id)
{
    return *std::ranges::find(
        eventActions(), id, [](const Action& each) { return std::string_view(each.id); });
}

/// Writes down what it is told.
class ToldPanel : public Panel {
public:
    using Panel::Panel;
    QStringList told;

protected:
    void showReport() override { told << "show"; }
    void clear() override { told << "clear"; }
};

} // namespace

class ReportsTogetherTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void eventsArePaintedOnTheSharedClock();
    void eventsAreHitOnTheSharedClock();
    void jumpsAndSelectionsAreOnTheSharedClock();
    void arrowKeysStayInTheReport();
    void eventsNestReportByReport();
    void theMarkOfASortedColumnGoesWithIt();
    void namesAreMarkedInAllReports();
    void namesAreMarkedWhateverTheFilterLoses();
    void marksOfAFilterGoWithIt();
    void panelsAskTheirReportOnItsOwnClock();
    void panelsLoseWhatIsOfTheReportBefore();
    void panelsTellThatTheyWorkOnTheirReport();
    void statisticsAreNotOfTheReportBefore();
    void detailsGoWithTheirReport();
    void filtersOfATrackEndWithItsReport();
    void viewsKeepTheFilterOfATrack();
    void rangesAreNamedAsOnTheAxis();
    void movingAClockMovesWhatIsPainted();
    void movingAClockFillsTheLegend();
    void movingAClockMeasuresAgain();
    void movingAClockMovesWhatIsSelected();
    void rowsKeepTheirStateApart();
    void rowsOfResultsFollowTheirReport();

private:
    QWidget& rows() { return *m_pane->view().viewport(); }
    int xOf(Ns time) { return static_cast<int>(m_pane->view().axis().xAt(time)); }
    /// The middle of the row that draws `event`, on the screen.
    int yOf(EventId event)
    {
        const PlacedRow* const row = m_pane->view().visibleRowOf(event);
        return row->y + row->height / 2 - m_pane->view().offset();
    }

    Workspace both() const
    {
        return Workspace({reportOf("rank 0", m_first, 0), reportOf("rank 1", m_second, offset)});
    }

    std::shared_ptr<const Trace> m_first;
    std::shared_ptr<const Trace> m_second;
    std::unique_ptr<Session> m_session;
    std::unique_ptr<TimelinePane> m_pane;
};

void ReportsTogetherTest::initTestCase()
{
    QCoreApplication::setOrganizationName("warpline-test");
    QCoreApplication::setApplicationName("tst_reports_together");
    DrawnProgram one;
    one.kernel("gemm", 5 * us, {10 * us, 40 * us});
    one.kernel("gemm", 50 * us, {60 * us, 90 * us});
    m_first = one.finish();
    DrawnProgram two;
    two.range("load", {us, 2 * us}); // names are numbered in another order
    two.kernel("gemm", 25 * us, {30 * us, 80 * us});
    two.kernel("relu", 85 * us, {90 * us, 99 * us});
    m_second = two.finish();
}

void ReportsTogetherTest::init()
{
    QSettings().clear();
    ColorChoice::shared().setBy(ColorBy::Kind);
    m_pane.reset();
    m_session = std::make_unique<Session>();
    m_session->setWorkspace(both());
    for (const RowId row : m_session->rows().subtree(RowTree::root))
        m_session->rowView().setExpanded(row, true);
    m_pane = std::make_unique<TimelinePane>(*m_session, Theme::light());
    m_pane->resize(1000, 1200);
    m_pane->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_pane.get()));
}

void ReportsTogetherTest::eventsArePaintedOnTheSharedClock()
{
    QCOMPARE(m_session->time().shown(), m_session->session());
    const QImage image = rows().grab().toImage();
    const struct {
        EventId event;
        Ns time; ///< late in the event, behind its name; on the shared clock
    } places[]{{{first, kernel}, 35 * us}, {{second, kernel}, 70 * us + offset}};
    for (const auto& place : places) {
        EventColors colors(place.event.report == first ? m_first : m_second, Theme::light());
        const int y = yOf(place.event) + 5; // below the name
        QCOMPARE(image.pixelColor(xOf(place.time), y).rgb(), colors(place.event.event));
        // Where the other's clock would put it there is nothing.
        const Ns elsewhere = place.event.report == first ? place.time + offset : place.time - offset;
        QVERIFY(image.pixelColor(xOf(elsewhere), y).rgb() != colors(place.event.event));
    }
    // Alike in both: the shade follows from the text.
    EventColors of(m_first, Theme::light());
    EventColors other(m_second, Theme::light());
    QVERIFY(m_first->kernels().name[0] != m_second->kernels().name[0]);
    QCOMPARE(of(kernel), other(kernel));
}

void ReportsTogetherTest::eventsAreHitOnTheSharedClock()
{
    const EventId event{second, kernel};
    QCOMPARE(m_pane->view().hitAt({xOf(55 * us + offset), yOf(event)}).event, event);
    QVERIFY(!m_pane->view().hitAt({xOf(55 * us), yOf(event)}).event.valid());
    const EventId own{first, kernel};
    QCOMPARE(m_pane->view().hitAt({xOf(25 * us), yOf(own)}).event, own);
}

void ReportsTogetherTest::jumpsAndSelectionsAreOnTheSharedClock()
{
    const EventId event{second, kernel};
    const TimeRange range{30 * us + offset, 80 * us + offset};
    m_session->selection().goTo(event);
    QVERIFY(m_session->time().shown().start <= range.start && range.end <= m_session->time().shown().end);
    QVERIFY(m_session->time().shown().start > 90 * us); // past all of the first report
    QCOMPARE(m_session->selection().currentEvent(), event);
    QCOMPARE(m_session->report().id, second); // panels follow the selection
    QCOMPARE(m_session->selection().ownCurrentEvent(), kernel);
    QSignalSpy chosen(m_session.get(), &Session::reportChosen);
    m_session->chooseReport(first); // until the user holds on to one
    QVERIFY(!m_session->selection().ownCurrentEvent().valid());
    m_session->selection().setCurrentEvent({second, {EventKind::Kernel, 1}});
    QCOMPARE(m_session->report().id, first);
    QCOMPARE(chosen.count(), 1);
    m_session->followSelection();
    QCOMPARE(m_session->report().id, second);
    m_session->selection().setCurrentEvent(event);
    QVERIFY(perform(actionOf("event.select"), {*m_session, m_pane.get(), event}));
    QCOMPARE(m_session->time().selectedRange(), range);
}

void ReportsTogetherTest::eventsNestReportByReport()
{
    m_session->scope().showAll();
    EventsPanel list(*m_session);
    const QAbstractItemModelTester tester(
        &list.nested(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    list.resize(900, 300);
    list.show();
    list.nestButton().setChecked(true);
    QTRY_VERIFY(!list.isBusy() && list.nested().rowCount() == 2);
    QCOMPARE(list.nested().index(1, 0).data().toString(), QString("rank 1"));
    const EventId event{second, kernel};
    const QModelIndex at = list.nested().indexOf(event);
    QVERIFY(at.isValid());
    QCOMPARE(list.nested().idAt(at), event);
    QModelIndex top = at;
    while (top.parent().isValid())
        top = top.parent();
    QCOMPARE(top.row(), 1);
    m_session->selection().setCurrentEvent(event);
    QCOMPARE(list.tree().currentIndex(), at);
}

/// The column of reports is there for several reports only.
void ReportsTogetherTest::theMarkOfASortedColumnGoesWithIt()
{
    constexpr int duration = static_cast<int>(EventColumn::Duration);
    m_session->scope().showAll();
    EventsPanel list(*m_session);
    list.resize(900, 300);
    list.show();
    QTRY_VERIFY(!list.isBusy() && list.model().isOfSeveral());
    const QHeaderView& head = *list.table().horizontalHeader();
    QCOMPARE(head.sortIndicatorSection(), duration);
    const int report = list.model().columnCount() - 1;
    list.table().sortByColumn(report, Qt::AscendingOrder);
    QTRY_VERIFY(!list.isBusy());
    QCOMPARE(head.sortIndicatorSection(), report);
    m_session->scope().showOne();
    QTRY_VERIFY(!list.isBusy() && !list.model().isOfSeveral());
    QCOMPARE(head.sortIndicatorSection(), duration);
    QCOMPARE(head.sortIndicatorOrder(), Qt::AscendingOrder);
    m_session->scope().showAll();
    QTRY_VERIFY(!list.isBusy() && list.model().isOfSeveral());
    QCOMPARE(head.sortIndicatorSection(), report); // it sorts again
}

void ReportsTogetherTest::arrowKeysStayInTheReport()
{
    m_session->selection().setCurrentEvent({second, kernel});
    QTest::keyClick(&m_pane->view(), Qt::Key_Right);
    QCOMPARE(m_session->selection().currentEvent(), (EventId{second, {EventKind::Kernel, 1}}));
    QTest::keyClick(&m_pane->view(), Qt::Key_Right); // the last of its stream
    QCOMPARE(m_session->selection().currentEvent(), (EventId{second, {EventKind::Kernel, 1}}));
}

void ReportsTogetherTest::namesAreMarkedInAllReports()
{
    m_session->selection().highlightName(EventKind::Kernel, "gemm");
    QTRY_COMPARE(m_session->selection().highlighted(first).size(), 2U);
    QCOMPARE(m_session->selection().highlighted(second), std::vector<EventRef>{kernel});
    QVERIFY(m_session->selection().isHighlighted({second, kernel}));
    QVERIFY(!m_session->selection().isHighlighted({second, {EventKind::Kernel, 1}}));
    m_session->selection().clearHighlights();
    QVERIFY(!m_session->selection().highlightsAny() && m_session->selection().highlighted(first).empty());
}

/// Also where the filter loses its process, because panels are about another report.
void ReportsTogetherTest::namesAreMarkedWhateverTheFilterLoses()
{
    m_session->chooseReport(second);
    EventFilter filter;
    filter.process = DrawnProgram::process;
    m_session->selection().setFilter(filter);
    m_session->selection().highlightName(EventKind::Kernel, "gemm");
    m_session->chooseReport(first);
    QVERIFY(m_session->selection().filter() == EventFilter());
    QTRY_COMPARE(m_session->selection().highlighted(first).size(), 2U);
}

/// Also where the flame graph marked others while the mouse was over it.
void ReportsTogetherTest::marksOfAFilterGoWithIt()
{
    Selection& selection = m_session->selection();
    m_session->chooseReport(second);
    EventFilter filter;
    filter.tracks = {{EventKind::Kernel, 0}};
    selection.setFilter(filter);
    QTRY_VERIFY(selection.highlightsAny());
    Selection::Highlighted before = selection.exchangeHighlights({});
    QVERIFY(!selection.marksFiltered());
    selection.exchangeHighlights(std::move(before));
    QVERIFY(selection.marksFiltered());
    m_session->chooseReport(first);
    QVERIFY(selection.filter() == EventFilter());
    QVERIFY(!selection.highlightsAny() && !selection.marksFiltered());
}

void ReportsTogetherTest::panelsAskTheirReportOnItsOwnClock()
{
    QCOMPARE(m_session->report().id, first);
    DetailsPanel details(*m_session, Theme::light());
    details.show();
    // A range after the first report contains none of it, although the second has work there.
    m_session->time().selectRange({offset + 20 * us, offset + 90 * us});
    EventsModel model(*m_session);
    QTRY_VERIFY(!model.isBusy());
    QCOMPARE(model.rowCount(), 0);
    StatsPanel stats(*m_session, Theme::light());
    stats.show();
    const QLabel& summary = *stats.findChild<QLabel*>("summary");
    QTRY_VERIFY(!summary.text().isEmpty());
    QTRY_VERIFY(!details.text().toPlainText().isEmpty());
    for (const QString& text : {summary.text(), details.text().toPlainText()})
        QVERIFY2(text.contains("rank 0") && !text.contains("0 ns"), qPrintable(text));
    m_session->time().selectRange({10 * us, 20 * us});
    QTRY_VERIFY(!model.isBusy() && model.rowCount() == 1);
    QCOMPARE(m_session->idOf(model.eventAt(0)), (EventId{first, kernel}));
    // Times are those of the ruler, for one report as for all.
    m_session->time().selectRange({});
    m_session->selection().setCurrentEvent({second, kernel});
    QTRY_VERIFY(!model.isBusy() && model.rowOf({second, kernel}) >= 0);
    const auto startAt = [&](int row) {
        return std::get<std::int64_t>(
            model.cells().at(static_cast<std::size_t>(row), static_cast<std::size_t>(EventColumn::Start)));
    };
    QCOMPARE(startAt(model.rowOf({second, kernel})), offset + 30 * us);
    QVERIFY(textOfRows(model.list(), {}, {{0, std::size_t(model.rowCount())}}, {})
                .contains(QString("\t%1\t").arg(offset + 30 * us)));
    m_session->scope().showAll();
    QTRY_VERIFY(!model.isBusy() && model.isOfSeveral());
    QCOMPARE(startAt(model.rowOf({second, kernel})), offset + 30 * us);
    m_session->scope().showOne();
    m_session->selection().setCurrentEvent({first, kernel});
    m_session->time().selectRange({10 * us, 20 * us});
    QTRY_COMPARE(stats.stats().window, (TimeRange{10 * us, 20 * us}));
    QCOMPARE(m_session->rows().row(m_session->sharedRow(RowId{1})).report, first);
}

void ReportsTogetherTest::panelsLoseWhatIsOfTheReportBefore()
{
    ToldPanel panel(*m_session);
    m_session->chooseReport(second);
    QCOMPARE(panel.told, (QStringList{"clear", "show"}));
    panel.told.clear();
    m_session->setWorkspace(both()); // their traces are the same
    QCOMPARE(panel.told, QStringList());
    m_session->chooseReport(first);
    QCOMPARE(panel.told, (QStringList{"clear", "show"}));
    panel.told.clear();
    m_session->setWorkspace(Workspace({reportOf("rank 0", m_first, 0)}));
    QCOMPARE(panel.told, QStringList{"show"}); // its answers still hold
    m_session->setTrace(std::make_shared<const Trace>(), std::make_shared<const RowTree>());
    QCOMPARE(panel.told, (QStringList{"show", "clear"}));
}

/// What they show of the report before goes at once: they must not be blank until there is something new.
void ReportsTogetherTest::panelsTellThatTheyWorkOnTheirReport()
{
    const auto tells = [this](Panel& panel, const char* told, const auto& shown) {
        panel.resize(900, 400);
        panel.show();
        m_session->chooseReport(first);
        QTRY_VERIFY(!panel.isBusy() && !shown().contains(told));
        m_session->chooseReport(second);
        QVERIFY2(panel.isBusy() && shown().contains(told), qPrintable(shown()));
        QTRY_VERIFY2(!panel.isBusy() && !shown().contains(told), qPrintable(shown()));
    };
    StatsPanel stats(*m_session, Theme::light());
    tells(stats, "Analyzing", [&] { return stats.findChild<QLabel*>("summary")->text(); });
    StepsPanel steps(*m_session, Theme::light());
    steps.showPart("host");
    tells(steps, "Analyzing", [&] { return steps.findChild<QLabel*>("noSteps")->text(); });
    StepsPanel budgets(*m_session, Theme::light());
    budgets.showPart("budget");
    tells(budgets, "Analyzing", [&] { return budgets.summaryLabel().text(); });
    RooflinePanel roofline(*m_session, Theme::light());
    tells(roofline, "Analyzing", [&] { return roofline.table().findChild<EmptyNote*>()->text(); });
    StacksPanel stacks(*m_session, Theme::light());
    tells(stacks, "Computing", [&] { return stacks.state(); });
    ChecklistPanel checklist(*m_session, Theme::light());
    tells(checklist, "Analyzing", [&] { return checklist.text().toPlainText(); });
}

/// A click on a line would go to an event, or to a row, that the report now chosen does not have.
void ReportsTogetherTest::statisticsAreNotOfTheReportBefore()
{
    StatsPanel stats(*m_session, Theme::light());
    stats.show();
    const auto lines = [&] {
        int all = 0;
        for (const QTableView* const table : stats.findChildren<QTableView*>())
            all += table->model()->rowCount();
        return all;
    };
    QTRY_VERIFY(lines() > 0);
    m_session->chooseReport(second);
    QCOMPARE(lines(), 0);
    QTRY_VERIFY(lines() > 0);
}

/// The event is of a report that goes; panels are about one that stays.
void ReportsTogetherTest::detailsGoWithTheirReport()
{
    DrawnProgram three;
    three.kernel("softmax", us, {2 * us, 9 * us});
    const auto trace = three.finish();
    const OpenReport third = reportOf("rank 2", trace, 0);
    m_session->setWorkspace(
        Workspace({reportOf("rank 0", m_first, 0), reportOf("rank 1", m_second, offset), third}));
    DetailsPanel details(*m_session, Theme::light());
    details.show();
    m_session->chooseReport(first);
    m_session->selection().setCurrentEvent({ReportId{2}, kernel});
    QVERIFY(details.text().toPlainText().contains("softmax"));
    m_session->setWorkspace(both());
    QVERIFY2(details.text().toPlainText().isEmpty(), qPrintable(details.text().toPlainText()));
    QVERIFY(!details.isBusy());
}

void ReportsTogetherTest::filtersOfATrackEndWithItsReport()
{
    EventsPanel list(*m_session);
    Selection& selection = m_session->selection();
    const Action& listThread = actionOf("event.listThread");
    const EventId range{second, {EventKind::Nvtx, 0}}; // the first report has none
    QVERIFY(perform(listThread, {*m_session, m_pane.get(), range}));
    QCOMPARE(m_session->report().id, second);
    EventFilter filter = selection.filter();
    QVERIFY(!filter.tracks.empty());
    filter.process = DrawnProgram::process;
    filter.minDuration = 5;
    selection.setFilter(filter);
    const QSignalSpy changed(&selection, &Selection::filterChanged);
    selection.setCurrentEvent({first, kernel});
    EventFilter left;
    left.minDuration = 5;
    QCOMPARE(selection.filter(), left);
    QCOMPARE(changed.count(), 1);
    // Where the user fixed another report, that of the event takes its place.
    m_session->chooseReport(first);
    QVERIFY(perform(listThread, {*m_session, m_pane.get(), range}));
    QCOMPARE(m_session->report().id, second);
    QVERIFY(!m_session->followsSelection() && !selection.filter().tracks.empty());
    // The report goes.
    m_session->setWorkspace(Workspace({reportOf("rank 0", m_first, 0)}));
    QCOMPARE(selection.filter(), EventFilter());
}

void ReportsTogetherTest::viewsKeepTheFilterOfATrack()
{
    m_session->selection().selectRows({m_session->workspace().rowOf({second, kernel})});
    EventFilter filter;
    filter.tracks = {{EventKind::Kernel, 0}};
    m_session->selection().setFilter(filter);
    Session other;
    other.setWorkspace(both());
    applyView(other, viewOf(*m_session));
    QCOMPARE(other.report().id, second);
    QCOMPARE(other.selection().filter(), filter);
    // Not where panels will be about another report.
    m_session->selection().selectRows({});
    QCOMPARE(m_session->report().id, second);
    filter.minDuration = 5;
    m_session->selection().setFilter(filter);
    QVERIFY(viewOf(*m_session).filter.tracks.empty());
    QCOMPARE(viewOf(*m_session).filter.minDuration, Ns{5});
    m_session->chooseReport(first);
    m_session->selection().setFilter(filter);
    QCOMPARE(viewOf(*m_session).filter, filter);
}

void ReportsTogetherTest::rangesAreNamedAsOnTheAxis()
{
    m_session->chooseReport(second);
    DetailsPanel details(*m_session, Theme::light());
    details.show();
    StatsPanel stats(*m_session, Theme::light());
    stats.show();
    const TimeRange selected{offset + 30 * us, offset + 80 * us};
    m_session->time().selectRange(selected);
    const QLabel& summary = *stats.findChild<QLabel*>("summary");
    QTRY_COMPARE(stats.stats().window, (TimeRange{30 * us, 80 * us}));
    QTRY_VERIFY(!details.text().toPlainText().isEmpty());
    for (const Ns time : {selected.start, selected.end}) {
        QVERIFY2(summary.text().contains(htmlOf(formatTime(time, 1))), qPrintable(summary.text()));
        QVERIFY2(details.text().toPlainText().contains(textOf(formatInstant(time, 1000))),
            qPrintable(details.text().toPlainText()));
    }
}

void ReportsTogetherTest::movingAClockMovesWhatIsPainted()
{
    m_session->setClocks(m_session->workspace().withClock(second, {2 * offset, 0, ClockMethod::Manual, {}}));
    QCOMPARE(m_session->time().shown(), m_session->session()); // all was shown, and all is
    QTest::qWait(20);
    const EventId event{second, kernel};
    QCOMPARE(m_pane->view().hitAt({xOf(55 * us + 2 * offset), yOf(event)}).event, event);
    QVERIFY(!m_pane->view().hitAt({xOf(55 * us + offset), yOf(event)}).event.valid());
}

/// The shown range stays, as in a window in another language that shows a part before its reports are
/// aligned.
void ReportsTogetherTest::movingAClockFillsTheLegend()
{
    m_session->chooseReport(second);
    m_session->time().show({offset + 20 * us, offset + 90 * us});
    const ColorLegend& legend = m_pane->legend();
    QTRY_VERIFY(legend.isReady() && !legend.entries().empty());
    const TimeRange shown = m_session->time().shown();
    for (const Ns moved : {2 * offset, offset}) { // away, and back
        m_session->setClocks(m_session->workspace().withClock(second, {moved, 0, ClockMethod::Manual, {}}));
        QCOMPARE(m_session->time().shown(), shown);
        QTRY_VERIFY(legend.isReady() && legend.entries().empty() == (moved != offset));
    }
}

void ReportsTogetherTest::movingAClockMeasuresAgain()
{
    m_session->selection().setCurrentEvent({first, kernel}); // up to 40 us
    m_pane->view().measureTo({second, kernel}); // from 30 us of its own clock on
    QCOMPARE(m_pane->view().measure()->gap, offset - 10 * us);
    m_session->setClocks(m_session->workspace().withClock(second, {2 * offset, 0, ClockMethod::Manual, {}}));
    QVERIFY(m_pane->view().measure().has_value());
    QCOMPARE(m_pane->view().measure()->gap, 2 * offset - 10 * us);
    QCOMPARE(m_session->time().selectedRange(), (TimeRange{40 * us, 2 * offset + 30 * us}));
}

/// The range stays where it is drawn: of the report it is another one.
void ReportsTogetherTest::movingAClockMovesWhatIsSelected()
{
    m_session->chooseReport(second);
    StatsPanel stats(*m_session, Theme::light());
    stats.show();
    const Ns start = offset + 30 * us;
    m_session->time().selectRange({start, start + 60 * us});
    QTRY_COMPARE(stats.stats().window, (TimeRange{30 * us, 90 * us}));
    const QSignalSpy judged(&m_session->time(), &TimeView::judgedChanged);
    m_session->setClocks(
        m_session->workspace().withClock(second, {offset - 5 * us, 0, ClockMethod::Manual, {}}));
    QCOMPARE(judged.count(), 1);
    QTRY_COMPARE(stats.stats().window, (TimeRange{35 * us, 95 * us}));
    m_session->setWorkspace(both()); // as when the offset is set by hand
    QCOMPARE(judged.count(), 2);
    QTRY_COMPARE(stats.stats().window, (TimeRange{30 * us, 90 * us}));
    m_session->setWorkspace(both());
    QCOMPARE(judged.count(), 2);
    // Without a selection it is the shown range.
    m_session->time().selectRange({});
    m_session->time().show({start, start + 60 * us});
    QTRY_COMPARE(stats.stats().window, (TimeRange{30 * us, 90 * us}));
    m_session->setClocks(
        m_session->workspace().withClock(second, {offset - 5 * us, 0, ClockMethod::Manual, {}}));
    QTRY_COMPARE(stats.stats().window, (TimeRange{35 * us, 95 * us}));
}

void ReportsTogetherTest::rowsKeepTheirStateApart()
{
    const RowId ofFirst = m_session->workspace().rowOf({first, kernel});
    const RowId ofSecond = m_session->workspace().rowOf({second, kernel});
    m_session->rowView().setHidden(ofFirst, true);
    QVERIFY(m_session->rowView().isHidden(ofFirst) && !m_session->rowView().isHidden(ofSecond));
    m_session->rowView().setPinned(ofSecond, true);
    QVERIFY(m_session->rowView().isPinned(ofSecond) && !m_session->rowView().isPinned(ofFirst));
}

void ReportsTogetherTest::rowsOfResultsFollowTheirReport()
{
    for (const ReportId report : {first, second}) {
        ResultRow row;
        row.title = report == first ? "first" : "second";
        row.report = report;
        row.slices.push_back({{30 * us, 80 * us}, "gemm", {}});
        row.longest = 50 * us;
        m_session->results().add(std::move(row));
    }
    const std::vector<ResultRow>& rows = m_session->results().all();
    // The first report is removed: the second has its place, and the row its time.
    m_session->setWorkspace(Workspace({m_session->workspace().report(second)}));
    QCOMPARE(rows.size(), std::size_t{1});
    QCOMPARE(rows[0].title, QString("second"));
    QCOMPARE(rows[0].report, first);
    QVERIFY(!m_pane->results().grab().isNull());
    QVERIFY(m_pane->results().sliceAt(0, m_pane->view().x() + xOf(55 * us + offset)));
    // Another one is added, and this one removed.
    OpenReport other;
    other.trace = m_first;
    other.rows = buildRows(*m_first);
    m_session->setWorkspace(Workspace({other, m_session->workspace().report(first)}));
    QCOMPARE(rows[0].report, second);
    m_session->setWorkspace(Workspace({m_session->workspace().report(first)}));
    QVERIFY(rows.empty());
}

WARPLINE_TEST(ReportsTogetherTest)

} // namespace tst_reports_together

#include "tst_reports_together.moc"
