// The rows of processes: what belongs to a process and to none of its threads.

#include "core/base/format.h"
#include "core/load/load_report.h"
#include "core/query/event_text.h"
#include "core/rows/row_kind.h"
#include "tests/core/findings/drawn_program.h"
#include "tests/support/report_fixture.h"

#include <QTest>

#include <set>

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
    void mpiHasOneRow();
    void gpusThatWorkComeFirst();
    void allocationsHaveOneRow();
    void labelsOfRanksAreNotCutOff();
    void callsThatWaitHaveATint_data();
    void callsThatWaitHaveATint();
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
    const auto faults = static_cast<std::uint64_t>(
        sqlInteger(path, "SELECT sum(numberOfPageFaults) FROM CUDA_UM_GPU_PAGE_FAULT_EVENTS"));
    QCOMPARE(rows->row(gpu).figure,
        formatCount(rows->row(gpu).events) + " groups, " + formatCount(faults) + " faults");
}

void ProcessRowsTest::gpusThatWorkComeFirst()
{
    const std::string path = sharedReport("ddp_2gpu");
    if (path.empty())
        QSKIP("needs ../shared/reports/h200/ddp_2gpu, which is not there");
    auto trace = loadReport(path);
    QVERIFY(trace.ok());
    const auto rows = buildRows(*trace.value());
    bool idle = false;
    int hardware = 0;
    for (const RowId id : rows->children(RowTree::root)) {
        const Row& row = rows->row(id);
        if (!row.key.starts_with("cuda-hw:"))
            continue;
        ++hardware;
        QVERIFY2(!idle || row.tracks.empty(), row.label.c_str());
        idle |= row.tracks.empty();
        QCOMPARE(row.expanded, !row.tracks.empty());
    }
    // The second process works on the second GPU alone: what its waits say of the first is of that context.
    QCOMPARE(hardware, 2);
    QVERIFY(!idle);
}

void ProcessRowsTest::allocationsHaveOneRow()
{
    const std::string path = sharedReport("h200-more/vit");
    if (path.empty())
        QSKIP("needs ../shared/reports/h200-more/vit, which is not there");
    auto trace = loadReport(path);
    QVERIFY(trace.ok());
    const auto rows = buildRows(*trace.value());
    int found = 0;
    std::set<std::string> labels;
    for (std::uint32_t i = 1; i < rows->size(); ++i) {
        const Row& row = rows->row(RowId{i});
        labels.insert(row.label);
        if (row.label != "Memory operations")
            continue;
        ++found;
        QCOMPARE(static_cast<long long>(row.events),
            sqlInteger(path, "SELECT count(*) FROM CUDA_GPU_MEMORY_USAGE_EVENTS"));
        for (const TrackRef& ref : row.tracks)
            QCOMPARE(rows->rowOf(ref), row.id); // a click on an event leads here
    }
    QCOMPARE(found, 1);
    QVERIFY(labels.contains("Static device memory usage") && !labels.contains("Device Static memory usage"));
}

void ProcessRowsTest::labelsOfRanksAreNotCutOff()
{
    auto trace = loadReport(WARPLINE_SOURCE_DIR "/tests/data/reports/halo_one.sqlite");
    QVERIFY(trace.ok());
    const auto rows = buildRows(*trace.value());
    int ranks = 0;
    for (const RowId id : rows->children(RowTree::root)) {
        const Row& row = rows->row(id);
        if (!row.key.starts_with("cuda-hw:"))
            continue;
        const std::size_t at = row.label.find(", MPI rank ");
        QVERIFY2(at != std::string::npos && at < 20, row.label.c_str());
        ++ranks;
    }
    QVERIFY(ranks >= 4);
    QVERIFY2(trace.value()->info.commandLine.starts_with("mpirun -n 4 --oversubscribe"),
        trace.value()->info.commandLine.c_str());
}

void ProcessRowsTest::mpiHasOneRow()
{
    const std::string path = sharedReport("h200-more/halo8/rank0");
    if (path.empty())
        QSKIP("needs ../shared/reports/h200-more/halo8, which is not there");
    auto trace = loadReport(path);
    QVERIFY(trace.ok());
    const auto rows = buildRows(*trace.value());
    std::vector<RowId> named;
    for (std::uint32_t i = 1; i < rows->size(); ++i) {
        if (rows->row(RowId{i}).label == "MPI")
            named.push_back(RowId{i});
    }
    QCOMPARE(named.size(), std::size_t{1});
    const Row& mpi = rows->row(named.front());
    QVERIFY(!mpi.expanded);
    QCOMPARE(mpi.children.size(), std::size_t{4});
    // A wait for four requests has four rows of one time: the time counts once. By SQL, as no two calls of
    // the one thread overlap otherwise.
    QCOMPARE(static_cast<long long>(mpi.busy),
        sqlInteger(path,
            "SELECT sum(end - start) FROM (SELECT start, end FROM MPI_COLLECTIVES_EVENTS UNION SELECT start, "
            "end "
            "FROM MPI_P2P_EVENTS UNION SELECT start, end FROM MPI_START_WAIT_EVENTS UNION SELECT start, end "
            "FROM "
            "MPI_OTHER_EVENTS)"));
    for (const RowId part : mpi.children)
        QVERIFY(rows->rowOf(rows->row(part).tracks.front()) == part); // where an event is gone to
}

void ProcessRowsTest::callsThatWaitHaveATint_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("waits");
    for (const char* const name : {"MPI_Waitall", "MPI_Wait", "MPI_Barrier", "MPI_Allreduce", "MPI_Recv",
             "PMPI_Bcast", "MPI_Sendrecv", "Implicit Barrier", "Waiting to enter Critical Region"})
        QTest::newRow(name) << name << true;
    for (const char* const name : {"MPI_Isend", "MPI_Irecv", "MPI_Iallreduce", "MPI_Init", "MPI_Test",
             "MPI_Send_init", "MPI_Comm_rank", "Loop Region", "cublasSgemm_v2"})
        QTest::newRow(name) << name << false;
}

void ProcessRowsTest::callsThatWaitHaveATint()
{
    QFETCH(QString, name);
    QFETCH(bool, waits);
    DrawnProgram program;
    program.libraryCall("MPI", name.toStdString(), {0, ms});
    const auto trace = program.finish();
    QCOMPARE(tintOf(*trace, {EventKind::Library, 0}) == EventTint::ApiSync, waits);
}

QTEST_APPLESS_MAIN(ProcessRowsTest)
#include "tst_process_rows.moc"
