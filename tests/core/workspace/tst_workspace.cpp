// Two reports on one axis: rows, times and events of each stay its own; a single report stays as it is.

#include "core/rows/row_kind.h"
#include "core/workspace/workspace.h"
#include "tests/core/findings/drawn_program.h"

#include <QTest>

#include <set>

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
    std::set<std::string_view> words;
    for (const auto method :
        {ClockMethod::Own, ClockMethod::StartTime, ClockMethod::Matched, ClockMethod::Manual})
        QVERIFY(words.insert(wordsOf(method)).second && !wordsOf(method).empty());
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
    QCOMPARE(rows.row(headings[0]).label, std::string("rank 0"));
    QCOMPARE(rows.row(headings[1]).label, std::string("rank 1"));
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
            QCOMPARE(row.label, own.label);
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
    QCOMPARE(workspace.name(first), workspace.name(second));
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

QTEST_APPLESS_MAIN(WorkspaceTest)
#include "tst_workspace.moc"
