// Corresponding rows of two runs, whatever the ids of processes, threads and streams.

#include "core/render/render.h"
#include "core/rows/row_kind.h"
#include "core/workspace/row_pairs.h"
#include "tests/core/findings/drawn_program.h"
#include "tests/core/workspace/drawn_exchanges.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_row_pairs {

using namespace warpline;
using namespace warpline::test;

namespace {

Workspace workspaceOf(const std::shared_ptr<const Trace>& trace)
{
    OpenReport report;
    report.label = "run";
    report.trace = trace;
    report.rows = buildRows(*trace);
    return Workspace({report});
}

/// Kernels of `name`, one each 10 us, on `stream`.
void draw(DrawnProgram& program, std::string_view name, std::int32_t stream, int count)
{
    KernelLook look;
    look.stream = stream;
    for (int i = 0; i < count; ++i)
        program.kernel(name, i * 10 * us, {i * 10 * us + 3 * us, i * 10 * us + 9 * us}, look);
}

std::string partner(const Workspace& a, const Workspace& b, const std::string& label)
{
    for (const RowPair& pair : pairRows(a, b)) {
        if (plain(a.rows().row(pair.a).label) == label)
            return plain(b.rows().row(pair.b).label);
    }
    return "none";
}

} // namespace

class RowPairsTest : public QObject {
    Q_OBJECT

private slots:
    void streamsArePairedByTheirKernels();
    void aRunIsPairedWithItselfRowByRow();
    void whatOneRunLacksIsLeftOut();
    void parentsComeFirstAndNoRowTwice();
    void exchangesAreNoReport();
    void keysOfAnotherRecordingAreFound();
};

void RowPairsTest::streamsArePairedByTheirKernels()
{
    DrawnProgram first;
    draw(first, "compute", 7, 20);
    draw(first, "reduce", 13, 5);
    DrawnProgram second; // the numbers have changed places
    draw(second, "reduce", 7, 5);
    draw(second, "compute", 22, 20);
    const Workspace a = workspaceOf(first.finish());
    const Workspace b = workspaceOf(second.finish());
    QCOMPARE(partner(a, b, "Stream 7"), std::string("Stream 22"));
    QCOMPARE(partner(a, b, "Stream 13"), std::string("Stream 7"));
}

void RowPairsTest::aRunIsPairedWithItselfRowByRow()
{
    DrawnProgram program;
    draw(program, "compute", 7, 20);
    draw(program, "compute", 13, 20); // the same on both: the place decides
    program.range("step", {0, 100 * us});
    const Workspace a = workspaceOf(program.finish());
    const std::vector<RowPair> pairs = pairRows(a, a);
    QCOMPARE(pairs.size(), a.rows().size() - 1);
    for (const RowPair& pair : pairs)
        QCOMPARE(pair.a, pair.b);
}

void RowPairsTest::whatOneRunLacksIsLeftOut()
{
    DrawnProgram first;
    draw(first, "compute", 7, 20);
    draw(first, "reduce", 13, 5);
    DrawnProgram second;
    draw(second, "compute", 22, 20);
    const Workspace a = workspaceOf(first.finish());
    const Workspace b = workspaceOf(second.finish());
    QCOMPARE(partner(b, a, "Kernels"), std::string("Stream 7")); // the rows of the only stream
    QCOMPARE(partner(a, b, "Stream 13"), std::string("none"));
    QVERIFY(pairRows(a, Workspace()).empty());
    QVERIFY(pairRows(Workspace(), Workspace()).empty());
}

void RowPairsTest::parentsComeFirstAndNoRowTwice()
{
    DrawnProgram first;
    draw(first, "compute", 7, 20);
    draw(first, "reduce", 13, 5);
    draw(first, "other", 14, 5);
    DrawnProgram second;
    draw(second, "compute", 7, 20);
    draw(second, "compute", 9, 20);
    const Workspace a = workspaceOf(first.finish());
    const Workspace b = workspaceOf(second.finish());
    std::set<RowId> seenA{RowTree::root};
    std::set<RowId> seenB{RowTree::root};
    for (const RowPair& pair : pairRows(a, b)) {
        QVERIFY(seenA.contains(a.rows().row(pair.a).parent));
        QVERIFY(seenB.contains(b.rows().row(pair.b).parent));
        QVERIFY(seenA.insert(pair.a).second);
        QVERIFY(seenB.insert(pair.b).second);
    }
}

/// They are known later than the reports, and of one run they may be known already.
void RowPairsTest::exchangesAreNoReport()
{
    DrawnProgram program;
    draw(program, "compute", 7, 20);
    const std::shared_ptr<const Trace> trace = program.finish();
    const auto runOf = [&](const std::string& name) {
        std::vector<OpenReport> reports(2);
        for (OpenReport& report : reports) {
            report.label = name + (&report == &reports.front() ? " first" : " second");
            report.trace = trace;
            report.rows = buildRows(*trace);
        }
        return Workspace(std::move(reports));
    };
    const Workspace a = runOf("before").withExchanges(drawnExchanges({0, 1}));
    const Workspace b = runOf("after");
    QCOMPARE(partner(a, b, "Communication"), std::string("none"));
    QCOMPARE(partner(a, b, "before first"), std::string("after first"));
    QCOMPARE(partner(a, b, "before second"), std::string("after second"));
    const Workspace known = b.withExchanges(drawnExchanges({0, 1}));
    QCOMPARE(partner(a, known, "Communication"), std::string("Communication"));
    QCOMPARE(partner(a, known, "rank 1"), std::string("rank 1"));
    QCOMPARE(partner(a, known, "before first"), std::string("after first"));
}

void RowPairsTest::keysOfAnotherRecordingAreFound()
{
    const auto row = [](const char* key, const char* label) {
        Row made;
        made.key = key;
        made.label = label;
        return made;
    };
    RowTree before;
    const RowId process = before.add(RowTree::root, row("process:100", "[100] train"));
    before.add(process, row("process:100/thread:100", "[100] main"));
    before.add(process, row("process:100/thread:101", "[101] loader"));
    before.add(process, row("process:100/thread:102", "[102] loader"));
    before.add(process, row("process:100/thread:103", "[103] worker"));
    before.add(RowTree::root, row("gpu:0", "GPU 0"));
    RowTree after;
    const RowId later = after.add(RowTree::root, row("process:2000", "[2000] train"));
    after.add(later, row("process:2000/thread:2001", "[2001] loader"));
    after.add(later, row("process:2000/thread:2002", "[2002] loader"));
    after.add(later, row("process:2000/thread:2000", "[2000] main"));
    after.add(later, row("process:2000/thread:2003", "[2003] worker"));
    after.add(later, row("process:2000/thread:2004", "[2004] worker"));
    after.add(RowTree::root, row("gpu:0", "GPU 0"));
    const std::map<std::string, std::string> found{{"process:100", "process:2000"},
        {"process:100/thread:100", "process:2000/thread:2000"},
        {"process:100/thread:101", "process:2000/thread:2001"},
        {"process:100/thread:102", "process:2000/thread:2002"}, {"gpu:0", "gpu:0"}};
    QCOMPARE(alikeKeys(before, after), found); // the corresponding worker is unknown
}

WARPLINE_TEST(RowPairsTest)

} // namespace tst_row_pairs

#include "tst_row_pairs.moc"
