// Activity of a GPU: computing, waiting for pages, communicating, copying; with equal values in range
// statistics and the rows' tooltips.

#include "core/coverage/gpu_times.h"
#include "core/coverage/migrations.h"
#include "core/load/load_report.h"
#include "core/query/range_stats.h"
#include "core/render/render.h"
#include "core/rows/row_kind.h"
#include "core/store/gpu_names.h"
#include "core/store/part_of_recording.h"
#include "core/store/trace.h"
#include "tests/core/findings/drawn_program.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTest>

#include <algorithm>
#include <random>

namespace tst_gpu_times {

using namespace warpline;
using namespace warpline::test;

namespace {

/// 10 ms: 4 ms of a kernel, with pages moving in for the middle 2 ms; 3 ms of NCCL, the first of which
/// overlap a kernel; a copy that overlaps the last and is 1 ms longer; 1 ms idle.
std::shared_ptr<const Trace> drawn()
{
    DrawnProgram program;
    program.kernel("work", -10 * us, {0, 4 * ms});
    program.copy({0, 5 * us}, {ms, 3 * ms}, {.kind = CopyKind::UnifiedHtoD, .stream = 0});
    program.kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 0, {4 * ms, 7 * ms}, {.stream = 20});
    program.kernel("work", 10 * us, {4 * ms, 5 * ms});
    program.copy({5 * ms, 5 * ms + us}, {6 * ms, 8 * ms}, {.stream = 9});
    program.kernel("work", 20 * us, {9 * ms, 10 * ms});
    return program.finish();
}

/// `count` pages of `length` that the GPU misses, the first at `first`, one each `every`.
void addPages(DrawnProgram& program, Ns first, Ns length, Ns every, int count)
{
    for (int i = 0; i < count; ++i) {
        const Ns start = first + i * every;
        program.migration(CopyKind::UnifiedHtoD, {start, start + length}, 4096, 0);
    }
}

Ns stalledOf(DrawnProgram& program)
{
    const auto trace = program.finish();
    return totalTime(gpuTimes(*trace, trace->session).begin()->second.stalled);
}

std::string hintOfGpu(const Trace& trace)
{
    const auto rows = buildRows(trace);
    for (const RowId row : rows->subtree(RowTree::root)) {
        if (plain(rows->row(row).label).starts_with("GPU "))
            return plain(rows->row(row).hint);
    }
    return {};
}

} // namespace

class GpuTimesTest : public QObject {
    Q_OBJECT

private slots:
    void theHostWaitsForWhatItTouched();
    void countsEachInstantOnce();
    void rangeStatisticsTellThemApart();
    void aPartHasTheGpusOfItsProcesses();
    void contextsShowTheUsedGpus();
    void tooltipsTellThemApart();
    void kernelsWaitBetweenPages();
    void betweenPagesOfDifferentKernelsTheyCompute();
    void firstPageIsTheFirstToMoveAfterTheStart();
    void faultWithoutAMoveEndsNoWait();
    void graphsWaitBetweenPages();
    void launchWithoutLengthIsNoMeasure();
    void sameKernelHasEqualBlocks();
    void prefetchedPagesDelayNothing();
    void namesGpusAsTheMachineDoes();
    void partsOfEveryReportAddUp_data();
    void partsOfEveryReportAddUp();
};

void GpuTimesTest::theHostWaitsForWhatItTouched()
{
    const auto waitsOf = [](std::int32_t cause, const std::vector<Ns>& faults) {
        DrawnProgram program;
        program.kernel("work", 0, {10 * us, 20 * us});
        for (const Ns fault : faults)
            program.hostFault(fault);
        // Two migrations that follow each other directly, and one for another fault.
        program.migration(CopyKind::UnifiedDtoH, {30 * ms, 30 * ms + 5 * us}, 4096, 0, cause);
        program.migration(CopyKind::UnifiedDtoH, {30 * ms + 6 * us, 30 * ms + 10 * us}, 61440, 4096, cause);
        program.migration(CopyKind::UnifiedDtoH, {31 * ms, 31 * ms + 10 * us}, 4096, 0, cause);
        const auto trace = program.finish();
        return totalTime(hostPageWaits(*trace, DrawnProgram::process, trace->session, {}));
    };
    const std::vector<Ns> both{30 * ms - 20 * us, 31 * ms - 30 * us};
    QCOMPARE(waitsOf(causeIsFault, both), 70 * us);
    QCOMPARE(waitsOf(0, both), 70 * us); // a report that does not know
    QCOMPARE(waitsOf(causeIsEviction, both), Ns{0});
    QCOMPARE(waitsOf(causeIsAccessCounters, both), Ns{0});
    QCOMPARE(waitsOf(causeIsFault, {both[0]}), 40 * us); // an answered fault is none of the second wait
    QCOMPARE(waitsOf(causeIsFault, {ms}), 20 * us); // a first touch long before
    QCOMPARE(waitsOf(causeIsFault, {40 * ms}), 20 * us);
    QCOMPARE(waitsOf(causeIsEviction, {}), Ns{0});
}

void GpuTimesTest::countsEachInstantOnce()
{
    const auto trace = drawn();
    const TimeRange window{0, 10 * ms};
    QCOMPARE(notComputing(*trace).size(), std::size_t{1});
    QVERIFY(gpuTimes(Trace(), window).empty());
    const auto times = gpuTimes(*trace, window);
    QCOMPARE(times.size(), std::size_t{1});
    const GpuSplit split = splitOf(times.begin()->second, window);
    QCOMPARE(split.computing, 4 * ms);
    QCOMPARE(split.stalled, 2 * ms);
    QCOMPARE(split.communicating, 2 * ms);
    QCOMPARE(split.copying, ms);
    QCOMPARE(split.idle, ms);
    QCOMPARE(split.total(), window.duration());
    // Computing of one process on a shared GPU is not a stall of the other.
    GpuTimes other;
    other.computing = Intervals{{ms, 2 * ms}};
    const GpuSplit both = splitOf(together(times.begin()->second, other), window);
    QCOMPARE(both.computing, 5 * ms);
    QCOMPARE(both.stalled, ms);
    QCOMPARE(both.total(), window.duration());
}

/// Where the recording has GPU work that the part lacks.
void GpuTimesTest::aPartHasTheGpusOfItsProcesses()
{
    DrawnProgram program;
    program.call("cudaFree_v3020", {ms, 2 * ms});
    const auto whole = program.finish();
    for (const TimeRange work : {TimeRange(), TimeRange{8 * ms, 9 * ms}}) {
        Trace part = *whole;
        part.processes = {{GlobalId{7} << 24U, 7, {}}};
        part.ordinals = {{7, 0, 0}};
        QVERIFY(setPart(part.info, {{0, 3 * ms}, {0, 10 * ms}, work}));
        const auto devices = deviceFigures(part, *buildRows(part), {0, 3 * ms});
        QCOMPARE(devices.empty(), work.empty());
        for (const DeviceFigures& device : devices)
            QCOMPARE(device.idle, 3 * ms);
        // Of several GPUs the one without a context was never used.
        part.ordinals = {{7, 0, 0}, {7, 1, 1, 1}};
        const auto used = deviceFigures(part, *buildRows(part), {0, 3 * ms});
        QCOMPARE(used.size(), work.empty() ? 0U : 1U);
        QVERIFY(used.empty() || used.front().device == 1);
    }
}

void GpuTimesTest::contextsShowTheUsedGpus()
{
    const auto trace = loadReport(WARPLINE_TEST_DATA "/reports/bert_fp32.sqlite");
    QVERIFY(trace.ok());
    QCOMPARE(trace.value()->ordinals.size(), 2U);
    for (const DeviceOrdinal& ordinal : trace.value()->ordinals)
        QCOMPARE(ordinal.contexts, ordinal.cuda == 0 ? 1U : 0U);
}

void GpuTimesTest::rangeStatisticsTellThemApart()
{
    const auto trace = drawn();
    const auto rows = buildRows(*trace);
    const auto devices = deviceFigures(*trace, *rows, {0, 10 * ms});
    QCOMPARE(devices.size(), std::size_t{1});
    const DeviceFigures& device = devices.front();
    QCOMPARE(device.compute, 4 * ms);
    QCOMPARE(device.stalled, 2 * ms);
    QCOMPARE(device.communication, 2 * ms);
    QCOMPARE(device.copyOnly, ms);
    QCOMPARE(device.copy, 4 * ms);
    QCOMPARE(device.busy, 9 * ms);
    QCOMPARE(device.idle, ms);
    // Without communication the values come from the rows, and are equal.
    const auto simple = deviceFigures(*trace, *rows, {8 * ms, 10 * ms});
    QCOMPARE(simple.front().compute, ms);
    QCOMPARE(simple.front().communication, Ns{0});
    QCOMPARE(simple.front().idle, ms);
}

void GpuTimesTest::tooltipsTellThemApart()
{
    const auto trace = drawn();
    const std::string hint = hintOfGpu(*trace);
    QVERIFY2(!trace->complete || hint.find("only communicating") != std::string::npos, hint.c_str());
    const std::string path = std::string(WARPLINE_SHARED_REPORTS) + "/h200-more/pipe_rank0/pipe_rank0.sqlite";
    if (!QFile::exists(QString::fromStdString(path)))
        QSKIP("needs ../shared/reports/h200-more, which is not there");
    const auto loaded = loadReport(path);
    QVERIFY(loaded.ok());
    const std::string told = hintOfGpu(*loaded.value());
    QVERIFY2(told.find("only communicating or waiting to") != std::string::npos, told.c_str());
}

/// Without recorded page faults: the driver handles the next one in the pause.
void GpuTimesTest::kernelsWaitBetweenPages()
{
    const auto stalled = [](bool hasQuickLaunch) {
        DrawnProgram program;
        program.kernel("saxpy", 9 * ms, {10 * ms, 14 * ms});
        for (int i = 0; i < 30; ++i) {
            const Ns start = 10 * ms + 100 * us * i;
            program.copy(
                {start, start + us}, {start, start + 60 * us}, {.kind = CopyKind::UnifiedHtoD, .stream = 0});
        }
        if (hasQuickLaunch)
            program.kernel("saxpy", 19 * ms, {20 * ms, 20 * ms + 70 * us});
        return stalledOf(program);
    };
    QCOMPARE(stalled(false), 29 * 100 * us + 60 * us);
    QCOMPARE(stalled(true), 4 * ms - 70 * us); // its pages take that long
}

/// Ten kernels of 80 us, 5 us apart: each waits 20 us for one page of 2 us, and computes 58 us.
void GpuTimesTest::betweenPagesOfDifferentKernelsTheyCompute()
{
    DrawnProgram program;
    for (int i = 0; i < 10; ++i)
        program.kernel("work", 85 * us * i - 10 * us, {85 * us * i, 85 * us * i + 80 * us});
    addPages(program, 20 * us, 2 * us, 85 * us, 10);
    QCOMPARE(stalledOf(program), 10 * 22 * us);
}

/// Pages move from 10 to 60 us without a pause. The second kernel starts among them at 31 us, and its page at
/// 931 us is another one.
void GpuTimesTest::firstPageIsTheFirstToMoveAfterTheStart()
{
    DrawnProgram program;
    program.kernel("first", -10 * us, {0, 30 * us});
    program.kernel("second", -5 * us, {31 * us, 2031 * us}, {.stream = 8});
    addPages(program, 10 * us, 5 * us, 5 * us, 10);
    addPages(program, 931 * us, 2 * us, us, 1);
    QCOMPARE(stalledOf(program), 30 * us + 29 * us + 2 * us);
}

/// A first touch: memory that no page moves for.
void GpuTimesTest::faultWithoutAMoveEndsNoWait()
{
    for (const bool moveLater : {false, true}) {
        DrawnProgram program;
        program.kernel("work", -10 * us, {0, 2 * ms});
        program.faults({900 * us, 910 * us}, 1, 0);
        if (moveLater)
            addPages(program, 3 * ms, 3 * us, us, 1);
        QCOMPARE(stalledOf(program), 10 * us);
    }
}

void GpuTimesTest::graphsWaitBetweenPages()
{
    DrawnProgram program;
    program.graph(-10 * us, {0, 520 * us});
    addPages(program, 3 * us, 2 * us, 52 * us, 10);
    QCOMPARE(stalledOf(program), 10 * 2 * us + 9 * 50 * us);
}

void GpuTimesTest::launchWithoutLengthIsNoMeasure()
{
    DrawnProgram program;
    program.kernel("work", -10 * us, {0, ms});
    addPages(program, 10 * us, 5 * us, 20 * us, 45);
    program.kernel("work", 5 * ms, {6 * ms, 6 * ms});
    QCOMPARE(stalledOf(program), 10 * us + 45 * 5 * us + 44 * 15 * us);
}

void GpuTimesTest::sameKernelHasEqualBlocks()
{
    const auto drawnWith = [](const KernelLook& quick) {
        DrawnProgram program;
        program.kernel("work", -10 * us, {0, ms});
        addPages(program, 5 * us, 5 * us, 10 * us, 55);
        program.kernel("work", 4 * ms, {5 * ms, 5 * ms + 5 * us}, quick);
        return program;
    };
    constexpr Ns paged = 5 * us + 55 * 5 * us + 54 * 5 * us;
    for (const KernelLook& other : {KernelLook{.blocks = 1}, KernelLook{.threads = 32}}) {
        DrawnProgram program = drawnWith(other);
        QCOMPARE(stalledOf(program), paged);
    }
    DrawnProgram program = drawnWith({});
    const auto trace = program.finish();
    const PageWaits waits = waitsBetweenPages(*trace, {DrawnProgram::process, 0});
    QCOMPARE(waits.resident.size(), std::size_t{1});
    QCOMPARE(waits.resident.begin()->second, 5 * us);
    QCOMPARE(totalTime(gpuTimes(*trace, trace->session).begin()->second.stalled), ms - 5 * us);
}

void GpuTimesTest::prefetchedPagesDelayNothing()
{
    const std::string path = std::string(WARPLINE_SHARED_REPORTS) + "/h200-more/um/um.sqlite";
    if (!QFile::exists(QString::fromStdString(path)))
        QSKIP("needs ../shared/reports/h200-more, which is not there");
    const auto loaded = loadReport(path);
    QVERIFY(loaded.ok());
    const auto times = gpuTimes(*loaded.value(), loaded.value()->session);
    QCOMPARE(times.size(), std::size_t{1}); // the migrations' context is not a GPU of its own
    // Three kernels of 12.88, 11.31 and 12.14 ms fault; the same after a prefetch takes 60 us and computes.
    QVERIFY(totalTime(times.begin()->second.stalled) > 36 * ms);
    QVERIFY(totalTime(times.begin()->second.computing) > 60 * us);
    QVERIFY(totalTime(times.begin()->second.computing) < ms);
}

void GpuTimesTest::namesGpusAsTheMachineDoes()
{
    Trace trace;
    trace.ordinals = {{523, 0, 1}, {523, 1, 0}};
    const GlobalId swapped = GlobalId{523} << 24U;
    const GlobalId other = GlobalId{524} << 24U;
    QCOMPARE(gpuNumber(trace, swapped, 0), 1);
    QCOMPARE(gpuNumber(trace, swapped, 1), 0);
    QCOMPARE(gpuNumber(trace, other, 0), 0);
    QCOMPARE(gpuName(trace, swapped, 0), std::string("GPU 1"));
    QCOMPARE(
        plain(gpuNameWithOrdinal(trace, swapped, 0)), std::string("GPU 1 (CUDA device 0 of its process)"));
    QCOMPARE(plain(gpuNameWithOrdinal(trace, other, 0)), std::string("GPU 0"));
}

void GpuTimesTest::partsOfEveryReportAddUp_data()
{
    QTest::addColumn<QString>("path");
    QTest::newRow("own") << QString(WARPLINE_TEST_DATA "/reports/ddp_overlap_rank0.sqlite");
    for (const std::string& path : sharedReports())
        QTest::newRow(path.substr(path.rfind('/') + 1).c_str()) << QString::fromStdString(path);
}

void GpuTimesTest::partsOfEveryReportAddUp()
{
    QFETCH(QString, path);
    const auto loaded = loadReport(path.toStdString());
    if (!loaded.ok())
        QSKIP("the report cannot be read");
    const Trace& trace = *loaded.value();
    const auto rows = buildRows(trace);
    for (const DeviceFigures& device : deviceFigures(trace, *rows, trace.session)) {
        const Ns sum = device.compute + device.stalled + device.communication + device.copyOnly + device.idle;
        QCOMPARE(sum, trace.session.duration());
        QVERIFY(device.compute >= 0 && device.stalled >= 0 && device.communication >= 0);
        QVERIFY(device.copyOnly >= 0 && device.idle >= 0);
        QCOMPARE(device.busy + device.idle, trace.session.duration());
    }
    // For any window the rows' indexes agree with a pass over all events in it.
    std::mt19937_64 random(11);
    for (int round = 0; round < 5; ++round) {
        std::uniform_int_distribution<Ns> at(trace.session.start, trace.session.end);
        const Ns a = at(random);
        const Ns b = at(random);
        const TimeRange window{std::min(a, b), std::max(a, b)};
        const auto times = gpuTimes(trace, window);
        for (const DeviceFigures& device : deviceFigures(trace, *rows, window)) {
            const auto found = times.find({device.process, device.device});
            if (found == times.end())
                continue;
            const GpuSplit split = splitOf(found->second, window);
            QCOMPARE(device.compute, split.computing);
            QCOMPARE(device.stalled, split.stalled);
            QCOMPARE(device.communication, split.communicating);
            QCOMPARE(device.copyOnly, split.copying);
            QCOMPARE(device.overlap, totalTime(intersection(found->second.computing, found->second.copying)));
        }
    }
}

WARPLINE_TEST(GpuTimesTest)

} // namespace tst_gpu_times

#include "tst_gpu_times.moc"
