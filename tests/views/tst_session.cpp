// The one owner of range and selections: clamping, zooming at an anchor, going back, rows that remember.

#include "core/load/load_report.h"
#include "core/rows/row_kind.h"
#include "core/store/trace.h"
#include "tests/core/workspace/drawn_exchanges.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"
#include "tests/views/view_test.h"
#include "views/session/run_pair.h"
#include "views/session/session.h"

#include <QSettings>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>

namespace tst_session {

using namespace warpline;
using namespace warpline::test;

class SessionTest : public ViewTest {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void filterHighlightsWhatPasses();
    void judgedIsTheSelection();
    void showIsClamped();
    void zoomKeepsTheAnchor();
    void zoomingOutOfManyYearsShowsAll();
    void goBackUndoesJumpsAndJoinsSteps();
    void goBackStaysWithinTheReports();
    void selectionIsOrderedAndClipped();
    void signalsComeOnceAndOnlyForChanges();
    void goToShowsAndRevealsTheEvent();
    void goToLeavesHiddenRowsHidden();
    void rowsExpandHidePinAndMove();
    void layoutSurvivesReopening();
    void stepsAreChosenForAReport();
    void orderAndPinsFollowTheKeys();
    void snapshotKeepsTheView();
    void whatWasChangedWhileLoadingStays();
    void expandingAllBelowIsOneChange();
    void eventsOfAReportThatWentAreNone();
    void lanesOfARowStayItsOwn();
    void exchangesAreReplaced();
    void exchangesBringBackNoHiddenRow();
    void replacedRowsHaveNoPartners();
    void comparedRunsReachWhereTheirClocksLead();
};

void SessionTest::initTestCase()
{
    openSmallReport("tst_session");
}

void SessionTest::init()
{
    startSession();
}

void SessionTest::showIsClamped()
{
    QCOMPARE(m_session->time().shown(), (TimeRange{90, 5700}));
    m_session->time().show({-1000, 1000});
    QCOMPARE(m_session->time().shown().start, 90);
    QCOMPARE(m_session->time().shown().duration(), 2000);
    m_session->time().show({5690, 99'999});
    QCOMPARE(m_session->time().shown().end, 5700);
    m_session->time().show({100, 101}); // at least the drawable minimum
    QCOMPARE(m_session->time().shown().duration(), 10);
}

void SessionTest::zoomKeepsTheAnchor()
{
    m_session->time().show({1000, 3000});
    const auto share = [&](Ns t) {
        return static_cast<double>(t - m_session->time().shown().start)
            / static_cast<double>(m_session->time().shown().duration());
    };
    const double before = share(1500);
    m_session->time().zoomAt(1500, 0.5);
    QCOMPARE(m_session->time().shown().duration(), 1000);
    QVERIFY(std::abs(share(1500) - before) < 0.002);
    m_session->time().zoomAt(1500, 2);
    QCOMPARE(m_session->time().shown(), (TimeRange{1000, 3000}));
}

void SessionTest::zoomingOutOfManyYearsShowsAll()
{
    OpenReport report;
    report.trace = m_trace;
    report.rows = m_rows;
    std::vector<OpenReport> reports{report, report};
    reports[0].clock.offset = -maxOffset;
    reports[1].clock.offset = maxOffset;
    m_session->setWorkspace(Workspace(std::move(reports)));
    const TimeRange all = m_session->session();
    QCOMPARE(m_session->time().shown(), all);
    m_session->time().zoomAt(0, 8); // more than 64 bits hold
    QCOMPARE(m_session->time().shown(), all);
}

void SessionTest::goBackUndoesJumpsAndJoinsSteps()
{
    const TimeRange all = m_session->time().shown();
    m_session->time().show({1000, 2000});
    m_session->time().zoomAt(1500, 0.9); // wheel steps: one jump together
    m_session->time().zoomAt(1500, 0.9);
    m_session->time().panBy(10);
    m_session->time().goBack();
    QCOMPARE(m_session->time().shown(), (TimeRange{1000, 2000}));
    m_session->time().goBack();
    QCOMPARE(m_session->time().shown(), all);
    m_session->time().goForward();
    QCOMPARE(m_session->time().shown(), (TimeRange{1000, 2000}));
    m_session->time().goBack();
    m_session->time().goBack(); // nothing left: stays
    QCOMPARE(m_session->time().shown(), all);
}

void SessionTest::goBackStaysWithinTheReports()
{
    const OpenReport only = m_session->report();
    OpenReport later = only;
    const Ns length = m_session->session().duration();
    later.clock = {10 * length, 0, ClockMethod::Manual, {}};
    m_session->setWorkspace(Workspace({only, later}));
    m_session->time().show({9 * length, 10 * length});
    m_session->time().show({0, 100});
    m_session->setWorkspace(Workspace({only})); // the user closes the later one
    QCOMPARE(m_session->session().duration(), length);
    m_session->time().goBack();
    QCOMPARE(m_session->time().shown().clippedTo(m_session->session()), m_session->time().shown());
}

void SessionTest::selectionIsOrderedAndClipped()
{
    m_session->time().selectRange({3000, 1000});
    QCOMPARE(m_session->time().selectedRange(), (TimeRange{1000, 3000}));
    QCOMPARE(m_session->time().window(), (TimeRange{1000, 3000}));
    m_session->time().selectRange({-5, 200});
    QCOMPARE(m_session->time().selectedRange(), (TimeRange{90, 200}));
    m_session->time().selectRange({});
    QVERIFY(m_session->time().selectedRange().empty());
    QCOMPARE(m_session->time().window(), m_session->time().shown());
}

void SessionTest::signalsComeOnceAndOnlyForChanges()
{
    const QSignalSpy shown(&m_session->time(), &TimeView::shownChanged);
    const QSignalSpy current(&m_session->selection(), &Selection::currentEventChanged);
    m_session->time().show({1000, 2000});
    m_session->time().show({1000, 2000});
    QCOMPARE(shown.count(), 1);
    m_session->selection().setCurrentEvent({ReportId{}, {EventKind::Kernel, 1}});
    m_session->selection().setCurrentEvent({ReportId{}, {EventKind::Kernel, 1}});
    QCOMPARE(current.count(), 1);
}

void SessionTest::goToShowsAndRevealsTheEvent()
{
    const EventRef kernel{EventKind::Kernel, 2};
    const QSignalSpy revealed(&m_session->rowView(), &RowView::revealed);
    m_session->selection().goTo({ReportId{}, kernel});
    QCOMPARE(m_session->selection().ownCurrentEvent(), kernel);
    const TimeRange range = m_trace->range(kernel);
    QVERIFY(m_session->time().shown().start <= range.start && m_session->time().shown().end >= range.end);
    QCOMPARE(revealed.count(), 1);
    for (RowId row = m_rows->row(m_rows->rowOf(m_trace->trackOf(kernel))).parent; row != RowTree::root;
         row = m_rows->row(row).parent)
        QVERIFY(m_session->rowView().isExpanded(row));
}

/// Rows hidden by the user stay hidden when another row shows the event as well.
void SessionTest::goToLeavesHiddenRowsHidden()
{
    const EventRef kernel{EventKind::Kernel, 2};
    const RowId usual = m_rows->rowOf(m_trace->trackOf(kernel));
    m_session->rowView().setHidden(usual, true);
    const QSignalSpy revealed(&m_session->rowView(), &RowView::revealed);
    m_session->selection().goTo({ReportId{}, kernel});
    QCOMPARE(revealed.count(), 1);
    const RowId shown = revealed[0][0].value<RowId>();
    QVERIFY(shown != usual);
    QVERIFY(std::ranges::count(m_rows->row(shown).tracks, m_trace->trackOf(kernel)) == 1);
    QVERIFY(m_session->rowView().isHidden(usual));
    // Nothing else shows it: then it is there again.
    for (const RowId row : m_rows->subtree(RowTree::root)) {
        if (row != RowTree::root)
            m_session->rowView().setHidden(row, true);
    }
    m_session->selection().goTo({ReportId{}, kernel});
    QVERIFY(!m_session->rowView().isHidden(usual));
}

void SessionTest::rowsExpandHidePinAndMove()
{
    const QSignalSpy layout(&m_session->rowView(), &RowView::rowLayoutChanged);
    const auto tops = m_session->rowView().visibleChildren(RowTree::root);
    QVERIFY(tops.size() >= 2);
    m_session->rowView().setExpanded(tops[0], !m_session->rowView().isExpanded(tops[0]));
    m_session->rowView().setPinned(tops[1], true);
    m_session->rowView().moveRow(tops[1], tops[0]);
    QCOMPARE(m_session->rowView().visibleChildren(RowTree::root)[0], tops[1]);
    m_session->rowView().moveRow(tops[1], RowTree::root);
    QCOMPARE(m_session->rowView().visibleChildren(RowTree::root).back(), tops[1]);
    m_session->rowView().setHidden(tops[0], true);
    QCOMPARE(m_session->rowView().visibleChildren(RowTree::root).size(), tops.size() - 1);
    m_session->rowView().showAllRows();
    QCOMPARE(m_session->rowView().visibleChildren(RowTree::root).size(), tops.size());
    QCOMPARE(layout.count(), 6);
}

void SessionTest::layoutSurvivesReopening()
{
    const auto tops = m_session->rowView().visibleChildren(RowTree::root);
    const bool expanded = m_session->rowView().isExpanded(tops[0]);
    m_session->rowView().setExpanded(tops[0], !expanded);
    m_session->rowView().setHidden(tops[1], true);
    m_session->rowView().setRowScale(tops[0], 2);
    m_session->saveState();
    Session again;
    again.setTrace(m_trace, buildRows(*m_trace));
    QCOMPARE(again.rowView().isExpanded(tops[0]), !expanded);
    QVERIFY(again.rowView().isHidden(tops[1]));
    QCOMPARE(again.rowView().rowScale(tops[0]), 2.0);
}

void SessionTest::stepsAreChosenForAReport()
{
    QSignalSpy chosen(&m_session->judgement(), &Judgement::stepGlobChanged);
    m_session->judgement().setStepGlob("micro_*");
    m_session->judgement().setStepGlob("micro_*");
    QCOMPARE(chosen.count(), 1);
    m_session->saveState();
    auto other = std::make_shared<Trace>(*m_trace);
    other->session.end += 10; // another report
    m_session->setTrace(other, m_rows);
    QCOMPARE(m_session->judgement().stepGlob(), std::string());
    QCOMPARE(chosen.count(), 2);
    m_session->setTrace(m_trace, m_rows);
    QCOMPARE(m_session->judgement().stepGlob(), std::string("micro_*"));
    QCOMPARE(chosen.count(), 3);
    // A choice during loading is newer than the stored one.
    auto partial = std::make_shared<Trace>(*m_trace);
    partial->complete = false;
    Session loading;
    loading.setTrace(partial, m_rows);
    loading.judgement().setStepGlob("late_*");
    loading.setTrace(m_trace, m_rows);
    QCOMPARE(loading.judgement().stepGlob(), std::string("late_*"));
}

void SessionTest::orderAndPinsFollowTheKeys()
{
    const auto tops = m_session->rowView().visibleChildren(RowTree::root);
    m_session->rowView().moveRow(tops.back(), tops.front());
    const RowId inner = m_rows->children(tops[0]).front();
    m_session->rowView().setPinned(tops[0], true);
    m_session->rowView().setHidden(inner, true);
    m_session->saveState();
    // A tree with one more row before all others: row ids differ, keys do not.
    auto later = std::make_shared<RowTree>();
    Row added;
    added.key = "added";
    later->add(RowTree::root, added);
    for (std::uint32_t i = 1; i < m_rows->size(); ++i) {
        Row copy = m_rows->row(RowId{i});
        const RowId parent = copy.parent == RowTree::root ? RowTree::root : RowId{raw(copy.parent) + 1};
        copy.children.clear();
        later->add(parent, copy);
    }
    const auto in = [](RowId row) { return RowId{raw(row) + 1}; };
    Session again;
    again.setTrace(m_trace, later);
    const auto shown = again.rowView().visibleChildren(RowTree::root);
    QCOMPARE(shown.front(), in(tops.back()));
    QCOMPARE(shown.back(), RowId{1}); // was not there when rows were moved
    QVERIFY(again.rowView().isPinned(in(tops[0])));
    QVERIFY(again.rowView().isHidden(in(inner)) && !again.rowView().isHidden(RowId{1}));
    QCOMPARE(again.rowView().hiddenRows(), std::size_t{1});
    auto partial = std::make_shared<Trace>(*m_trace);
    partial->complete = false;
    Session loading;
    loading.setTrace(partial, m_rows);
    loading.rowView().setHidden(tops[0], true);
    loading.setTrace(std::make_shared<Trace>(*partial), later); // a further snapshot
    QVERIFY(loading.rowView().isHidden(in(tops[0])));
    QCOMPARE(loading.rowView().hiddenRows(), std::size_t{1});
}

void SessionTest::snapshotKeepsTheView()
{
    auto partial = std::make_shared<Trace>(*m_trace);
    partial->complete = false;
    Session session;
    session.setTrace(partial, m_rows);
    session.time().show({1000, 2000});
    EventFilter filter;
    filter.process = 7;
    filter.tracks = {{EventKind::Kernel, 0}}; // which a later snapshot numbers otherwise
    session.selection().setFilter(filter);
    session.setTrace(m_trace, m_rows); // the rest of the same report
    QCOMPARE(session.time().shown(), (TimeRange{1000, 2000}));
    filter.tracks.clear();
    QCOMPARE(session.selection().filter(), filter);
    session.setTrace(std::make_shared<Trace>(*m_trace), m_rows); // reloaded
    QCOMPARE(session.selection().filter(), EventFilter());
    QCOMPARE(session.time().shown(), m_trace->session);
}

void SessionTest::whatWasChangedWhileLoadingStays()
{
    const auto tops = m_session->rowView().visibleChildren(RowTree::root);
    m_session->rowView().setExpanded(tops[0], false);
    m_session->rowView().setRowScale(tops[0], 2);
    m_session->saveState();
    auto partial = std::make_shared<Trace>(*m_trace);
    partial->complete = false;
    Session again;
    again.setTrace(partial, m_rows);
    again.rowView().setExpanded(tops[0], false);
    again.rowView().setExpanded(tops[0], true); // the user's change is newer than the stored state
    again.rowView().setRowScale(tops[0], 3);
    again.setTrace(m_trace, m_rows);
    QVERIFY(again.rowView().isExpanded(tops[0]));
    QCOMPARE(again.rowView().rowScale(tops[0]), 3.0);
}

void SessionTest::expandingAllBelowIsOneChange()
{
    QSignalSpy changes(&m_session->rowView(), &RowView::rowLayoutChanged);
    m_session->rowView().setExpandedBelow(RowTree::root, false);
    QCOMPARE(changes.count(), 1);
    m_session->rowView().setExpandedBelow(RowTree::root, true);
    QCOMPARE(changes.count(), 2);
    for (const RowId row : m_rows->subtree(RowTree::root))
        QVERIFY(m_session->rowView().isExpanded(row));
    m_session->rowView().setExpandedBelow(RowTree::root, true);
    QCOMPARE(changes.count(), 2);
}

void SessionTest::filterHighlightsWhatPasses()
{
    EventFilter filter;
    filter.kind = EventKind::Kernel;
    m_session->selection().setFilter(filter);
    const std::size_t kernels = m_trace->kernels().size();
    QVERIFY(kernels > 0);
    QTRY_COMPARE(m_session->selection().highlighted(ReportId{}).size(),
        kernels); // the rest steps back in the timeline
    QVERIFY(std::ranges::all_of(m_session->selection().highlighted(ReportId{}),
        [](EventRef event) { return event.kind == EventKind::Kernel; }));
    filter.text = "nothing is called so";
    m_session->selection().setFilter(filter);
    QTRY_VERIFY(m_session->selection().highlighted(ReportId{}).empty());
    filter.text.clear();
    m_session->selection().setFilter(filter);
    QTRY_COMPARE(m_session->selection().highlighted(ReportId{}).size(), kernels);
    m_session->selection().setFilter({});
    QVERIFY(m_session->selection().highlighted(ReportId{}).empty());
}

void SessionTest::judgedIsTheSelection()
{
    QSignalSpy judged(&m_session->time(), &TimeView::judgedChanged);
    const TimeRange all = m_trace->session;
    const TimeRange part{all.start + 10, all.start + 20};
    m_session->time().selectRange(part);
    QCOMPARE(m_session->time().judged(), part);
    QCOMPARE(judged.count(), 1);
    m_session->time().selectRange({});
    QCOMPARE(m_session->time().judged(), all);
    QCOMPARE(judged.count(), 2);
    m_session->time().selectRange(part);
    m_session->setTrace(std::make_shared<Trace>(*m_trace), buildRows(*m_trace)); // another report: all of it
    QCOMPARE(m_session->time().judged(), all);
}

/// A panel that still shows another report may ask for an event that this one lacks.
void SessionTest::eventsOfAReportThatWentAreNone()
{
    const auto count = static_cast<EventIndex>(m_trace->kernels().size());
    QVERIFY(count > 0);
    const EventId last{m_session->report().id, {EventKind::Kernel, count - 1}};
    const EventId gone{m_session->report().id, {EventKind::Kernel, count}};
    const EventId elsewhere{static_cast<ReportId>(raw(last.report) + 1), last.event};
    m_session->selection().setCurrentEvent(last);
    QCOMPARE(m_session->selection().currentEvent(), last);
    const TimeRange shown = m_session->time().shown();
    for (const EventId& event : {gone, elsewhere}) {
        m_session->selection().goTo(event);
        m_session->selection().goToAtScale(event);
        QCOMPARE(m_session->time().shown(), shown);
        m_session->selection().setCurrentEvent(event);
        QVERIFY(!m_session->selection().currentEvent().valid());
        m_session->selection().setHighlighted(event.report, {{EventKind::Kernel, 0}, event.event});
        QVERIFY(m_session->selection().highlighted(gone.report).empty()
            && m_session->selection().highlighted(event.report).empty());
    }
    m_session->selection().setHighlighted(last.report, {last.event});
    QCOMPARE(m_session->selection().highlighted(last.report).size(), std::size_t{1});
}

/// The keys of its rows have the label of a report where there are several.
void SessionTest::lanesOfARowStayItsOwn()
{
    constexpr int few = 3;
    const auto depthIn = [this](std::uint16_t report) {
        const EventId kernel{ReportId{report}, {EventKind::Kernel, 0}};
        return m_session->rowView().depth(m_session->workspace().rowOf(kernel));
    };
    m_session->rowView().setDepth(m_session->workspace().rowOf({ReportId{}, {EventKind::Kernel, 0}}), few);
    const OpenReport only = m_session->report();
    OpenReport other = only;
    other.trace = std::make_shared<const Trace>(*only.trace);
    m_session->setWorkspace(Workspace({other, only}));
    QCOMPARE(depthIn(1), few);
    QVERIFY(depthIn(0) != few);
    m_session->setWorkspace(Workspace({other}));
    QVERIFY(depthIn(0) != few);
}

/// As when the rank of a report is chosen by hand. Rows of reports keep their numbers.
void SessionTest::exchangesAreReplaced()
{
    const QSignalSpy replaced(m_session.get(), &Session::exchangesReplaced);
    const auto own = static_cast<std::uint32_t>(m_session->rows().size());
    m_session->setExchanges(drawnExchanges({0, 1}));
    QCOMPARE(m_session->rows().size(), own + 4U);
    m_session->setExchanges(drawnExchanges({0, 1})); // analyzed again
    QCOMPARE(replaced.count(), 0);
    const std::vector<RowId> kept{m_session->rowView().visibleChildren(RowTree::root).back()};
    QVERIFY(raw(kept.front()) < own);
    m_session->selection().selectRows({kept.front(), RowId{own + 3}});
    std::vector<RowId> selected; // as those see it who hear of the change
    const auto hears = connect(&m_session->rowView(), &RowView::rowLayoutChanged, this,
        [&] { selected = m_session->selection().selectedRows(); });
    m_session->setExchanges(drawnExchanges({1}));
    disconnect(hears);
    QCOMPARE(replaced.count(), 1);
    QCOMPARE(selected, kept);
    QCOMPARE(m_session->selection().selectedRows(), kept);
    m_session->setExchanges(drawnExchanges({2})); // as many
    QCOMPARE(replaced.count(), 2);
    m_session->setExchanges(nullptr);
    QCOMPARE(replaced.count(), 3);
}

/// They come late: what the user has changed by then is newer than what is stored.
void SessionTest::exchangesBringBackNoHiddenRow()
{
    const RowId row = m_session->rowView().visibleChildren(RowTree::root)[1];
    const auto topOf = [](const Session& session) { return session.rows().find("exchanges"); };
    m_session->setExchanges(drawnExchanges({0}));
    m_session->rowView().setExpanded(topOf(*m_session), false);
    m_session->rowView().setHidden(row, true);
    m_session->rowView().setPinned(row, true);
    m_session->saveState();
    Session again;
    again.setTrace(m_trace, buildRows(*m_trace));
    QVERIFY(again.rowView().isHidden(row) && again.rowView().isPinned(row));
    again.rowView().showAllRows();
    again.rowView().setPinned(row, false);
    again.setExchanges(drawnExchanges({0}));
    QVERIFY(!again.rowView().isHidden(row) && !again.rowView().isPinned(row));
    QCOMPARE(again.rowView().hiddenRows(), 0U);
    QVERIFY(!again.rowView().isExpanded(topOf(again))); // that is new here, and as it was stored
}

void SessionTest::comparedRunsReachWhereTheirClocksLead()
{
    RunPair& pair = m_session->pair();
    OpenReport report = m_session->report();
    report.clock.method = ClockMethod::Manual;
    pair.compareWith(Workspace({report, report}));
    const Ns length = m_session->session().duration();
    pair.b().setClocks(
        pair.b().workspace().withClock(ReportId{1}, {10 * length, 0, ClockMethod::Manual, {}}));
    const TimeRange reach = pair.b().time().reach();
    QCOMPARE(reach.unitedWith(pair.b().session()), reach);
    QCOMPARE(m_session->time().reach(), pair.map().toA(reach));
}

/// Corresponding rows of two runs are rows that are there.
void SessionTest::replacedRowsHaveNoPartners()
{
    constexpr int timeout = 60'000;
    RunPair& pair = m_session->pair();
    OpenReport other;
    other.label = "other";
    other.trace = m_trace;
    other.rows = m_rows;
    pair.compareWith(Workspace({other}));
    m_session->setExchanges(drawnExchanges({0, 1}));
    pair.b().setExchanges(drawnExchanges({0, 1}));
    pair.narrow(Side::A, m_session->session()); // compares once more
    QTRY_VERIFY_WITH_TIMEOUT(pair.comparison() && !pair.isBusy(), timeout);
    const RowId last{static_cast<std::uint32_t>(m_session->rows().size() - 1)};
    QCOMPARE(pair.partnerOf(Side::A, last), last);
    const auto comparison = pair.comparison();
    const quint64 number = pair.number();
    const auto isPaired = [&](RowId row) { return pair.partnerOf(Side::A, row) != RowTree::root; };
    m_session->setExchanges(drawnExchanges({0}));
    const RowId top{raw(last) - 3}; // of the exchanges
    QVERIFY(!isPaired(top) && !isPaired(last));
    // Rows of reports have the same numbers: what is folded now, is folded in both.
    const RowId first = pair.rowPairs().front().b;
    const bool wasOpen = pair.b().rowView().isExpanded(first);
    pair.b().rowView().setExpanded(first, !wasOpen);
    QTRY_VERIFY_WITH_TIMEOUT(isPaired(top), timeout);
    QCOMPARE(pair.b().rowView().isExpanded(first), !wasOpen);
    for (const RowPair& each : pair.rowPairs())
        QVERIFY(raw(each.a) < m_session->rows().size() && raw(each.b) < pair.b().rows().size());
    // The runs are the same, and so is all that is known of them.
    QVERIFY(!pair.isBusy());
    QCOMPARE(pair.comparison(), comparison);
    QCOMPARE(pair.number(), number);
    pair.b().setExchanges(nullptr);
    QVERIFY(!isPaired(top) && !pair.rowPairs().empty());
}

WARPLINE_TEST(SessionTest)

} // namespace tst_session

#include "tst_session.moc"
