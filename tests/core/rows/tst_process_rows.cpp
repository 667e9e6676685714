// The rows of processes: what belongs to a process and to none of its threads.

#include "core/base/format.h"
#include "core/load/load_report.h"
#include "core/query/event_text.h"
#include "core/query/range_stats.h"
#include "core/render/render.h"
#include "core/rows/row_builder.h"
#include "core/rows/row_kind.h"
#include "core/store/machine_facts.h"
#include "tests/core/findings/drawn_program.h"
#include "tests/core/kineto/kineto_helpers.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"

#include <QFileInfo>
#include <QTest>

#include <functional>
#include <map>
#include <set>

namespace tst_process_rows {

using namespace warpline;
using namespace warpline::test;

namespace {

/// The first row with `label`; the root when there is none.
RowId rowCalled(const RowTree& rows, std::string_view label)
{
    for (std::uint32_t i = 1; i < rows.size(); ++i) {
        if (plain(rows.row(RowId{i}).label) == label)
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
    void nothingIsSaidTwice_data();
    void nothingIsSaidTwice();
    void oneStreamHasNoRowOfItsOwn();
    void streamsWithoutWorkAreFolded();
    void annotationsOfContextsHaveRowsOfTheirOwn();
    void onlyThreadIsTheProcess();
    void sharesAreOfTheView();
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

void ProcessRowsTest::streamsWithoutWorkAreFolded()
{
    for (const std::int32_t idle : {3, 4}) {
        DrawnProgram program;
        program.kernel("work", 0, {us, ms});
        program.record(7, 2 * us, 1);
        for (std::int32_t stream = 20; stream < 20 + idle; ++stream)
            program.streamWait(stream, stream * us, 1);
        const auto rows = buildRows(*program.finish());
        const RowId group = rowCalled(*rows, "Streams without work");
        QCOMPARE(group != RowTree::root, idle > 3);
        if (group != RowTree::root) {
            QVERIFY(!rows->row(group).expanded);
            QCOMPARE(rows->subtree(group).size(), static_cast<std::size_t>(idle) + 1);
        }
    }
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
    QCOMPARE(plain(rows->row(gpu).figure),
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
        QVERIFY2(!idle || row.tracks.empty(), plain(row.label).c_str());
        idle |= row.tracks.empty();
        QCOMPARE(row.expanded, !row.tracks.empty());
    }
    // The second process works on the second GPU alone, so its waits concern only that GPU's context.
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
        labels.insert(plain(row.label));
        if (plain(row.label) != "Memory operations")
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
        const std::size_t at = plain(row.label).find(", MPI rank ");
        QVERIFY2(at != std::string::npos && at < 20, plain(row.label).c_str());
        ++ranks;
    }
    QVERIFY(ranks >= 4);
    const std::string command = commandOf(trace.value()->info);
    QVERIFY2(command.starts_with("mpirun -n 4 --oversubscribe"), command.c_str());
}

void ProcessRowsTest::nothingIsSaidTwice_data()
{
    QTest::addColumn<QString>("path");
    for (const std::string& path :
        reportsBelow({WARPLINE_SOURCE_DIR "/tests/data", WARPLINE_SOURCE_DIR "/../shared/reports/h200"}))
        QTest::newRow(QFileInfo(QString::fromStdString(path)).fileName().toUtf8())
            << QString::fromStdString(path);
}

/// As rows are first shown, no heading is empty, and no kernel is in more than two rows: that of the GPU and
/// that of its stream.
void ProcessRowsTest::nothingIsSaidTwice()
{
    QFETCH(const QString, path);
    const auto trace = loadReport(path.toStdString());
    QVERIFY(trace.ok());
    const auto rows = buildRows(*trace.value());
    std::map<TrackRef, int> shown;
    const std::function<void(RowId)> walk = [&](RowId id) {
        const Row& row = rows->row(id);
        if (row.drawing == Drawing::Header) {
            const auto below = rows->subtree(id);
            const auto isCounter = [&](RowId each) { return rows->row(each).counter != noIndex; };
            QVERIFY2(!rows->tracksBelow(id).empty() || std::ranges::any_of(below, isCounter),
                plain(row.label).c_str());
        }
        for (const TrackRef& ref : row.tracks)
            shown[ref] += isGpuWork(ref.kind) ? 1 : 0;
        for (const RowId child : row.children) {
            QVERIFY2(row.tracks.empty() || rows->row(child).tracks != row.tracks
                    || row.key.find('/') == std::string::npos,
                row.key.c_str());
            if (row.expanded)
                walk(child);
        }
    };
    for (const RowId id : rows->children(RowTree::root))
        walk(id);
    for (const auto& [ref, count] : shown) {
        if (ref.kind == EventKind::Kernel)
            QVERIFY2(count <= 2, qPrintable(QString::number(count)));
    }
    // Results about GPUs come from data that rows store, as if each row had one GPU.
    for (const DeviceFigures& gpu : deviceFigures(*trace.value(), *rows, trace.value()->session)) {
        std::vector<TrackRef> kernels;
        for (const EventKind kind : {EventKind::Kernel, EventKind::GraphTrace}) {
            for (const TrackRef& ref : tracksOf(*trace.value(), kind)) {
                const Track& track = trace.value()->track(ref);
                if (track.owner == gpu.process && track.device == gpu.device)
                    kernels.push_back(ref);
            }
        }
        QCOMPARE(gpu.compute + gpu.stalled + gpu.communication,
            coverageOf(*trace.value(), kernels).busy(trace.value()->session));
    }
}

void ProcessRowsTest::oneStreamHasNoRowOfItsOwn()
{
    DrawnProgram program;
    program.kernel("k", 0, {us, 2 * us});
    program.copy({3 * us, 4 * us}, {4 * us, 5 * us});
    const auto one = buildRows(*program.finish());
    const auto childrenOf = [](const RowTree& rows) {
        std::vector<std::string> labels;
        for (const RowId id : rows.children(rows.children(RowTree::root).front()))
            labels.push_back(plain(rows.row(id).label));
        return labels;
    };
    QCOMPARE(childrenOf(*one), (std::vector<std::string>{"Kernels", "Memcpy"}));
    QVERIFY(plain(one->row(one->children(one->children(RowTree::root).front()).front()).hint)
                .starts_with("Stream 7"));
    DrawnProgram other;
    other.kernel("k", 0, {us, 2 * us});
    other.kernel("k", 10 * us, {11 * us, 12 * us}, {.stream = 9});
    other.copy({3 * us, 4 * us}, {4 * us, 5 * us});
    const auto two = buildRows(*other.finish());
    QCOMPARE(childrenOf(*two), (std::vector<std::string>{"Memory", "Stream 7", "Stream 9"}));
    const RowId ninth = two->children(two->children(RowTree::root).front()).back();
    QVERIFY(two->row(ninth).children.empty()); // its kernels are the row
    QVERIFY(two->row(ninth).drawing == Drawing::Slices);
}

void ProcessRowsTest::annotationsOfContextsHaveRowsOfTheirOwn()
{
    QByteArrayList events;
    for (const char* const context : {"1", "2"}) {
        for (const char* const category : {"kernel", "gpu_user_annotation"})
            events << R"({"ph": "X", "cat": ")" + QByteArray(category)
                    + R"(", "name": "a", "pid": 0, "tid": 7, "ts": 10, "dur": 5, "args": )"
                    + R"({"device": 0, "stream": 7, "context": )" + context + "}}";
    }
    const auto trace = loadText("[" + events.join(",") + "]");
    QVERIFY(trace.ok());
    const auto rows = buildRows(*trace.value());
    std::set<std::string> keys;
    for (std::uint32_t i = 1; i < rows->size(); ++i)
        keys.insert(rows->row(RowId{i}).key);
    QCOMPARE(keys.size(), std::size_t{rows->size()} - 1);
}

void ProcessRowsTest::onlyThreadIsTheProcess()
{
    DrawnProgram program;
    program.range("step", {0, 3 * us});
    program.kernel("k", 0, {us, 2 * us});
    const auto alone = buildRows(*program.finish());
    const RowId process = alone->children(RowTree::root).back();
    for (const RowId id : alone->children(process))
        QVERIFY(alone->row(id).drawing != Drawing::Header);
    QCOMPARE(alone->children(process).size(), std::size_t{2});
    DrawnProgram two;
    two.range("step", {0, 3 * us});
    two.kernel("k", 0, {us, 2 * us});
    two.kernel("grad", 4 * us, {5 * us, 6 * us}, {.tid = 2}); // only launches: one row
    const auto both = buildRows(*two.finish());
    const auto threads = both->children(both->children(RowTree::root).back());
    QCOMPARE(threads.size(), std::size_t{2});
    QCOMPARE(both->row(threads[0]).children.size(), std::size_t{2});
    QVERIFY(both->row(threads[1]).children.empty());
    QCOMPARE(plain(both->row(threads[1]).label), std::string("Thread [2]: CUDA API"));
}

void ProcessRowsTest::sharesAreOfTheView()
{
    DrawnProgram program;
    program.kernel("k", 0, {us, 2 * us});
    const auto rows = buildRows(*program.finish());
    const Row& gpu = rows->row(rows->children(RowTree::root).front());
    QVERIFY(gpu.showsBusy && gpu.figure.empty() && gpu.tellsIdle);
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
        if (plain(rows->row(RowId{i}).label) == "MPI")
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

WARPLINE_TEST(ProcessRowsTest)

} // namespace tst_process_rows

#include "tst_process_rows.moc"
