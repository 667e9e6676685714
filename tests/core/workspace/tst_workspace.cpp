// Two reports on one axis: rows, times and events of each stay its own; a single report stays as it is.

#include "core/render/render.h"
#include "core/rows/row_kind.h"
#include "core/workspace/workspace.h"
#include "tests/core/findings/drawn_program.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <set>

namespace tst_workspace {

using namespace warpline;
using namespace warpline::test;

class WorkspaceTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void rangesAreShifted();
    void aSingleReportStaysAsItIs();
    void rowsStandBelowTheirReport();
    void rowsAreFoundBothWays();
    void theSessionHoldsAll();
    void eventsAreTheirReports();
    void aClockMovesAlone();
    void labelsAreUnique();
    void nothingIsOpenAtFirst();
    void lanesTellWaitingAndTransfer();
    void exchangesStandAboveTheReports();

private:
    OpenReport reportOf(
        const std::string& label, const std::shared_ptr<const Trace>& trace, Ns offset = 0) const;

    std::shared_ptr<const Trace> m_first;
    std::shared_ptr<const Trace> m_second;
};

void WorkspaceTest::initTestCase()
{
    DrawnProgram first;
    first.kernel("gemm", 10 * us, {20 * us, 60 * us});
    first.kernel("gemm", 70 * us, {80 * us, 90 * us}, {.stream = 13});
    first.range("step", {5 * us, 100 * us});
    m_first = first.finish();
    DrawnProgram second; // names in another order: their ids differ
    second.copy({2 * us, 4 * us}, {6 * us, 30 * us});
    second.range("load", {us, 40 * us});
    second.kernel("gemm", 50 * us, {55 * us, 300 * us});
    m_second = second.finish();
}

OpenReport WorkspaceTest::reportOf(
    const std::string& label, const std::shared_ptr<const Trace>& trace, Ns offset) const
{
    OpenReport report;
    report.label = label;
    report.trace = trace;
    report.rows = buildRows(*trace);
    report.clock.offset = offset;
    return report;
}

void WorkspaceTest::rangesAreShifted()
{
    const TimeRange range{10, 30};
    QCOMPARE(shifted(range, 5), (TimeRange{15, 35}));
    QCOMPARE(shifted(range, -20), (TimeRange{-10, 10}));
    const ClockOffset clock{7, 1, ClockMethod::Manual, {}};
    QCOMPARE(clock.toReport(clock.toWorkspace(range)), range);
    QCOMPARE(clock.toWorkspace(Ns{3}), 10);
    QCOMPARE(clock.toReport(Ns{3}), -4);
    std::set<std::string> words;
    for (const auto method :
        {ClockMethod::Own, ClockMethod::StartTime, ClockMethod::Matched, ClockMethod::Manual})
        QVERIFY(words.insert(warpline::plain(wordsOf(method))).second && !wordsOf(method).empty());
}

void WorkspaceTest::aSingleReportStaysAsItIs()
{
    const OpenReport report = reportOf("one", m_first);
    const Workspace workspace({report});
    QCOMPARE(workspace.sharedRows(), report.rows); // shared, with the keys that were saved before
    QCOMPARE(workspace.session(), m_first->session);
    QCOMPARE(workspace.eventCount(), m_first->eventCount());
    for (std::uint32_t i = 0; i < report.rows->size(); ++i) {
        QCOMPARE(workspace.rowOf(ReportId{}, RowId{i}), RowId{i});
        QCOMPARE(workspace.ownRow(RowId{i}), RowId{i});
        QCOMPARE(workspace.rows().row(RowId{i}).report, ReportId{});
    }
}

void WorkspaceTest::rowsStandBelowTheirReport()
{
    const Workspace workspace({reportOf("rank 0", m_first), reportOf("rank 1", m_second, ms)});
    const RowTree& rows = workspace.rows();
    const auto headings = rows.children(RowTree::root);
    QCOMPARE(headings.size(), 2U);
    QCOMPARE(plain(rows.row(headings[0]).label), std::string("rank 0"));
    QCOMPARE(plain(rows.row(headings[1]).label), std::string("rank 1"));
    QCOMPARE(rows.row(headings[1]).events, m_second->eventCount());
    std::set<std::string> keys;
    std::size_t count = 1;
    for (const OpenReport& report : workspace.reports()) {
        count += report.rows->size();
        QCOMPARE(rows.row(headings[raw(report.id)]).report, report.id);
        for (std::uint32_t i = 1; i < report.rows->size(); ++i) {
            const Row& own = report.rows->row(RowId{i});
            const Row& row = rows.row(workspace.rowOf(report.id, RowId{i}));
            QCOMPARE(row.report, report.id);
            QCOMPARE(plain(row.label), plain(own.label));
            QCOMPARE(row.key, "report:" + report.label + "/" + own.key);
            QVERIFY(keys.insert(row.key).second);
            QCOMPARE(row.tracks, own.tracks);
            QCOMPARE(row.coverage, own.coverage); // shared, not copied
            QCOMPARE(row.parent, workspace.rowOf(report.id, own.parent));
            QCOMPARE(row.children.size(), own.children.size());
            for (std::size_t c = 0; c < own.children.size(); ++c)
                QCOMPARE(row.children[c], workspace.rowOf(report.id, own.children[c]));
        }
    }
    QCOMPARE(rows.size(), count);
}

void WorkspaceTest::rowsAreFoundBothWays()
{
    const Workspace workspace({reportOf("a", m_first), reportOf("b", m_second)});
    QCOMPARE(workspace.ownRow(RowTree::root), RowTree::root);
    for (const OpenReport& report : workspace.reports()) {
        for (std::uint32_t i = 0; i < report.rows->size(); ++i)
            QCOMPARE(workspace.ownRow(workspace.rowOf(report.id, RowId{i})), RowId{i});
    }
}

void WorkspaceTest::theSessionHoldsAll()
{
    const Workspace workspace({reportOf("a", m_first), reportOf("b", m_second, 10 * ms)});
    QCOMPARE(workspace.session().start, m_first->session.start);
    QCOMPARE(workspace.session().end, m_second->session.end + 10 * ms);
    // A report without events has no session to hold.
    const auto empty = std::make_shared<const Trace>();
    const Workspace other({reportOf("none", empty, -ms), reportOf("b", m_second, 10 * ms)});
    QCOMPARE(other.session(), shifted(m_second->session, 10 * ms));
    QVERIFY(!other.isComplete());
}

void WorkspaceTest::eventsAreTheirReports()
{
    const Workspace workspace({reportOf("a", m_first), reportOf("b", m_second, ms)});
    const EventRef kernel{EventKind::Kernel, 0};
    const EventId first{ReportId{0}, kernel};
    const EventId second{ReportId{1}, kernel};
    QVERIFY(first != second && first < second && first.valid() && !EventId{}.valid());
    QCOMPARE(workspace.range(first), m_first->range(kernel));
    QCOMPARE(workspace.range(second), shifted(m_second->range(kernel), ms));
    // Alike by their text, not by their number.
    QCOMPARE(
        workspace.trace(first.report).name(first.event), workspace.trace(second.report).name(second.event));
    QVERIFY(m_first->kernels().name[0] != m_second->kernels().name[0]);
    for (const EventId event : {first, second}) {
        const Row& row = workspace.rows().row(workspace.rowOf(event));
        QCOMPARE(row.report, event.report);
        QVERIFY(row.tracks.front() == workspace.trace(event.report).trackOf(event.event));
    }
}

void WorkspaceTest::aClockMovesAlone()
{
    const Workspace before({reportOf("a", m_first), reportOf("b", m_second)});
    const Workspace after
        = before.withClock(ReportId{1}, {5 * ms, 20 * us, ClockMethod::Matched, "12 collectives matched"});
    QCOMPARE(after.sharedRows(), before.sharedRows());
    QCOMPARE(after.report(ReportId{1}).trace, before.report(ReportId{1}).trace);
    QCOMPARE(after.report(ReportId{0}).clock, ClockOffset());
    QCOMPARE(after.report(ReportId{1}).clock.uncertainty, 20 * us);
    QCOMPARE(after.session().end, m_second->session.end + 5 * ms);
    QCOMPARE(before.session(), m_first->session.unitedWith(m_second->session));
}

void WorkspaceTest::labelsAreUnique()
{
    const Workspace workspace(
        {reportOf("run", m_first), reportOf("run", m_second), reportOf("run", m_first)});
    QCOMPARE(workspace.report(ReportId{0}).label, std::string("run"));
    QCOMPARE(workspace.report(ReportId{1}).label, std::string("run (2)"));
    QCOMPARE(workspace.report(ReportId{2}).label, std::string("run (3)"));
}

void WorkspaceTest::nothingIsOpenAtFirst()
{
    const Workspace workspace;
    QVERIFY(workspace.isEmpty() && !workspace.isComplete() && workspace.session().empty());
    QCOMPARE(workspace.rows().size(), 1U);
    QCOMPARE(workspace.eventCount(), 0U);
    QCOMPARE(workspace.ownRow(RowTree::root), RowTree::root);
}

static EventRef kernel(EventIndex index)
{
    return {EventKind::Kernel, index};
}

void WorkspaceTest::lanesTellWaitingAndTransfer()
{
    // 10..30 waits 15, 40..44 waits none; the same event for another message; one that overlaps.
    const ExchangeLane lane({{{40, 44}, 0, kernel(2)}, {{10, 30}, 15, kernel(1)}, {{10, 30}, 4, kernel(1)},
        {{25, 35}, 2, kernel(3)}});
    QCOMPARE(lane.slices().size(), 3U);
    QCOMPARE(lane.wait(), 15); // of 25..35 only 30..35 is left, after its wait
    QCOMPARE(lane.transfer(), 5 + 5 + 4);
    std::vector<float> wait(5);
    std::vector<float> transfer(5);
    lane.addShares({0, 50}, wait, transfer);
    QCOMPARE(wait, (std::vector<float>{0, 1, 0.5, 0, 0}));
    QCOMPARE(transfer, (std::vector<float>{0, 0, 0.5, 0.5, 0.4F}));
    // However wide the columns are, their sums are the same.
    for (const std::size_t columns : {1U, 7U, 50U, 333U}) {
        std::vector<float> waits(columns);
        std::vector<float> transfers(columns);
        lane.addShares({0, 50}, waits, transfers, 2);
        double sum = 0;
        for (const float share : waits)
            sum += static_cast<double>(share) * 50 / static_cast<double>(columns) / 2;
        QVERIFY2(std::abs(sum - 15) < 1e-3, std::to_string(sum).c_str());
    }
    std::vector<std::size_t> found;
    lane.findLong({0, 50}, 5, found);
    QCOMPARE(found, (std::vector<std::size_t>{0, 1}));
    lane.findLong({0, 50}, 1, found);
    QCOMPARE(found.size(), 3U);
    lane.findLong({32, 43}, 4, found);
    QCOMPARE(found, (std::vector<std::size_t>{1, 2}));
    QCOMPARE(lane.nearest(12, 0), 0U);
    QCOMPARE(lane.nearest(38, 3), 2U);
    QCOMPARE(lane.nearest(37, 1), lane.slices().size());
    QVERIFY(lane.holds(kernel(1), 10) && !lane.holds(kernel(1), 40) && !lane.holds(kernel(9), 10));
    const ExchangeLane none{std::vector<ExchangeSlice>()};
    none.addShares({0, 50}, wait, transfer);
    QCOMPARE(none.wait() + none.transfer(), 0);
    QCOMPARE(none.nearest(5, 5), 0U);
}

void WorkspaceTest::exchangesStandAboveTheReports()
{
    const Workspace plain({reportOf("rank 0", m_first), reportOf("rank 1", m_second, ms)});
    auto rows = std::make_shared<ExchangeRows>(1);
    rows->front().key = "nccl:1";
    rows->front().label = "NCCL communicator 1";
    for (std::uint16_t rank : {0, 1}) {
        auto lane = std::make_shared<ExchangeLane>(
            std::vector<ExchangeSlice>{{{20 * us, 60 * us}, 10 * us, kernel(0)}});
        lane->report = ReportId{rank};
        lane->rank = rank;
        lane->label = "rank " + std::to_string(rank);
        rows->front().lanes.push_back(lane);
    }
    const Workspace workspace = plain.withExchanges(rows);
    const auto top = workspace.rows().children(RowTree::root);
    QCOMPARE(top.size(), 3U);
    QCOMPARE(warpline::plain(workspace.rows().row(top[0]).label), std::string("Communication"));
    QVERIFY(workspace.isOfAll(top[0]) && !workspace.isOfAll(top[1]));
    QCOMPARE(workspace.ownRow(top[0]), RowTree::root);
    for (std::uint32_t i = 1; i < plain.rows().size(); ++i) { // ids stay
        QCOMPARE(workspace.rows().row(RowId{i}).key, plain.rows().row(RowId{i}).key);
        QCOMPARE(workspace.ownRow(RowId{i}), plain.ownRow(RowId{i}));
        QVERIFY(!workspace.exchangeLane(RowId{i}));
    }
    const RowId communicator = workspace.rows().children(top[0])[0];
    const RowId second = workspace.rows().children(communicator)[1];
    QCOMPARE(workspace.exchangeLane(second), rows->front().lanes[1].get());
    QCOMPARE(workspace.rows().row(second).report, ReportId{1});
    QCOMPARE(
        workspace.exchangeRowOf(0, {ReportId{0}, kernel(0)}), workspace.rows().children(communicator)[0]);
    QCOMPARE(workspace.exchangeRowOf(1, {ReportId{1}, kernel(0)}), RowTree::root); // it begins elsewhere
    QCOMPARE(workspace.withExchanges(nullptr).rows().size(), plain.rows().size());
    QCOMPARE(workspace.withClock(ReportId{1}, {5, 0, ClockMethod::Manual, {}}).sharedRows(),
        workspace.sharedRows());
    // A single report that holds several ranks has them, too.
    const Workspace single = Workspace({reportOf("one", m_first)}).withExchanges(rows);
    QCOMPARE(single.rows().size(), single.report(ReportId{}).rows->size() + 4);
    QCOMPARE(single.ownRow(RowId{3}), RowId{3});
}

WARPLINE_TEST(WorkspaceTest)

} // namespace tst_workspace

#include "tst_workspace.moc"
