// The rows of processes: what belongs to a process and to none of its threads.

#include "core/load/load_report.h"
#include "core/rows/row_kind.h"
#include "tests/core/findings/drawn_program.h"
#include "tests/support/report_fixture.h"

#include <QTest>

using namespace warpline;
using namespace warpline::test;

namespace {

/// The first row called `label`; the root when there is none.
RowId rowCalled(const RowTree& rows, std::string_view label)
{
    for (std::uint32_t i = 1; i < rows.size(); ++i) {
        if (rows.row(RowId{i}).label == label)
            return RowId{i};
    }
    return RowTree::root;
}

} // namespace

class ProcessRowsTest : public QObject {
    Q_OBJECT

private slots:
    void pageFaultsOfTheCpuHaveARow();
    void pageFaultsOfAReportHaveARow();
};

void ProcessRowsTest::pageFaultsOfTheCpuHaveARow()
{
    DrawnProgram program;
    program.kernel("touch", 0, {us, ms});
    for (int i = 0; i < 3; ++i)
        program.event(EventKind::PageFault, "CPU page fault", {2 * ms + i * us, 2 * ms + i * us});
    const auto trace = program.finish();
    const auto rows = buildRows(*trace);
    const RowId faults = rowCalled(*rows, "CPU page faults");
    QVERIFY(faults != RowTree::root);
    QCOMPARE(rows->row(faults).events, std::uint64_t{3});
    // Below the process, beside its threads.
    const Row& process = rows->row(rows->row(faults).parent);
    QVERIFY(process.parent == RowTree::root);
    QVERIFY(process.key.starts_with("process:"));
}

void ProcessRowsTest::pageFaultsOfAReportHaveARow()
{
    const std::string path = sharedReport("h200-more/um");
    if (path.empty())
        QSKIP("needs ../shared/reports/h200-more/um, which is not there");
    auto trace = loadReport(path);
    QVERIFY(trace.ok());
    const auto rows = buildRows(*trace.value());
    const RowId cpu = rowCalled(*rows, "CPU page faults");
    const RowId gpu = rowCalled(*rows, "Page faults");
    QVERIFY(cpu != RowTree::root && gpu != RowTree::root);
    QCOMPARE(static_cast<long long>(rows->row(cpu).events),
        sqlInteger(path, "SELECT count(*) FROM CUDA_UM_CPU_PAGE_FAULT_EVENTS"));
    QCOMPARE(static_cast<long long>(rows->row(gpu).events),
        sqlInteger(path, "SELECT count(*) FROM CUDA_UM_GPU_PAGE_FAULT_EVENTS"));
}

QTEST_APPLESS_MAIN(ProcessRowsTest)
#include "tst_process_rows.moc"
