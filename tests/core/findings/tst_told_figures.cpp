// Values in findings and the overview must be right: a wait is not work, a kernel without its first page
// computes nothing, an upper bound holds, and only nsys' own messages are attributed to nsys.

#include "core/analysis/trace_analysis.h"
#include "core/base/format.h"
#include "core/base/rounded.h"
#include "core/budget/gpu_budget.h"
#include "core/findings/checklist.h"
#include "core/findings/host_calls.h"
#include "core/findings/kernel_waste.h"
#include "core/findings/lost_work.h"
#include "core/findings/rule.h"
#include "core/overview/overview.h"
#include "core/render/render.h"
#include "core/store/part_of_recording.h"
#include "tests/core/findings/drawn_program.h"
#include "tests/core/findings/told_text.h"
#include "tests/support/test_program.h"
#include "tests/support/whole_analysis.h"

#include <QTest>

#include <algorithm>
#include <limits>
#include <optional>

namespace tst_told_figures {

using namespace warpline;
using namespace warpline::test;

namespace {

void state(DrawnProgram& program, std::string_view name, TimeRange when, std::uint32_t tid = 1)
{
    program.event(EventKind::ThreadState, name, when, tid);
}

/// Half a second before the first CUDA call, in which thread 1 is on a CPU for 50 ms; with `helped` thread 2
/// for all of it. Twenty samples, half of them in strcmp.
std::shared_ptr<const Trace> slowStart(bool helped)
{
    DrawnProgram program;
    state(program, "Running", {0, 50 * ms});
    state(program, "Waiting", {50 * ms, 500 * ms});
    if (helped)
        state(program, "Running", {0, 500 * ms}, 2);
    for (int i = 0; i < 20; ++i)
        program.sample(i % 2 == 0 ? "strcmp" : "other" + std::to_string(i), "main", (1 + 2 * i) * ms);
    program.call("cudaMalloc_v3020", {500 * ms, 600 * ms});
    program.kernel("work", 601 * ms, {602 * ms, 650 * ms});
    return program.finish();
}

/// A kernel of 500 us with 16 blocks whose first page comes at `page`, 2 us long.
std::shared_ptr<const Trace> firstPage(Ns page)
{
    DrawnProgram program;
    program.kernel("work", 0, {10 * us, 10 * us + 5 * ms}, {.blocks = 16});
    program.migration(CopyKind::UnifiedHtoD, {10 * us + page, 12 * us + page}, 65536, 0x10000);
    return program.finish();
}

/// Rounds of a launch, a graph and a copy each; the work of `lost` ("kernels", "graphs", "copies") is not
/// there.
DrawnProgram roundsWithout(std::string_view lost, int rounds)
{
    DrawnProgram program;
    for (int i = 0; i < rounds; ++i) {
        const Ns at = i * ms;
        if (lost == "kernels")
            program.call("cudaLaunchKernel_v7000", {at, at + 2 * us});
        else
            program.kernel("work", at, {at + 10 * us, at + 20 * us});
        if (lost == "graphs")
            program.call("cudaGraphLaunch_v10000", {at + 20 * us, at + 22 * us});
        else if (lost.empty())
            program.graph(at + 20 * us, {at + 30 * us, at + 40 * us});
        if (lost == "copies")
            program.call("cudaMemcpyAsync_v3020", {at + 50 * us, at + 52 * us});
        else
            program.copy({at + 50 * us, at + 52 * us}, {at + 60 * us, at + 70 * us});
    }
    return program;
}

Ns timeOf(const RunOverview& overview, OverviewKind kind)
{
    return overview.timeOf(kind);
}

} // namespace

class ToldFiguresTest : public QObject {
    Q_OBJECT

private slots:
    void aWaitIsNoWork();
    void theEndOfAProcessIsNoWork();
    void reusedAddressesAreNoRecordedReleases();
    void aKernelWaitsForItsFirstPage();
    void emptyLanesCountInTheBound();
    void sharedMemoryOfBothKindsAddsUp();
    void negativeRegistersAreNoLimit();
    void copiesToArraysArePageable();
    void driverCallsMakeNoContext();
    void loadsOfLibrariesAreCountedOnce();
    void compilingIsItsOwnProof();
    void launchesOfXlaHaveAnotherRemedy();
    void smallGridsAreAllCounted();
    void pagesAndPrefetchesAreCalledSo();
    void nestedRangesSayWhatTheyCount();
    void regionsTellWhatThereIs();
    void rowsCountTheRuntime();
    void warningsSayWhatTheyAre();
    void tracedCudaIsNotMissing();
    void emptyReportsAreRecordedAgainWithTheirRecorder();
    void tablesThatTheExportLeftOut();
    void lostKindsOfWorkAreNotIdleTime();
    void fewCallsAndPartsProveNoLoss();
    void onlyNsysLosesWorkByItsDriver();
    void oneTimeCostsStayWithoutKernels();
    void exportsAreNoRecordings();
    void theBeginIsNamed();
};

void ToldFiguresTest::aWaitIsNoWork()
{
    for (const bool helped : {false, true}) {
        const auto trace = slowStart(helped);
        const auto found = run(*trace, "host_outside");
        QCOMPARE(found.size(), std::size_t{1});
        const Finding& finding = found.front();
        QVERIFY2(holds(finding.title, helped ? "The host works alone" : "The host waits"),
            plain(finding.title).c_str());
        QCOMPARE(valueIn(finding.message, "host_outside.no_thread", "time"), helped ? -1 : 450 * ms);
        QCOMPARE(holds(finding.remedy, "cuRAND"), helped);
        const std::string said = textOf(overviewOf(*trace, wholeOf(*trace)));
        QVERIFY2(holds(said, "It is on a CPU for 50 ms of that. Its 20 CPU samples: 50.0% in strcmp"),
            said.c_str());
    }
}

void ToldFiguresTest::theEndOfAProcessIsNoWork()
{
    for (const bool goesOn : {false, true}) {
        DrawnProgram program;
        for (int i = 0; i < 20; ++i)
            program.sample("work", "main", i * 5 * ms);
        program.kernel("work", 10 * ms, {20 * ms, 100 * ms});
        program.event(EventKind::OsRuntime, "write", {101 * ms, 105 * ms});
        if (goesOn)
            program.sample("print", "main", 280 * ms);
        state(program, "Running", {0, 300 * ms});
        const auto trace = program.finish();
        const auto found = run(*trace, "host_outside");
        QCOMPARE(found.size(), std::size_t{1});
        QCOMPARE(holds(found.front().title, "The process takes 200 ms"), !goesOn);
        QCOMPARE(valueIn(found.front().message, "host.ends", "time"), goesOn ? -1 : 195 * ms + 2);
        QCOMPARE(holds(found.front().remedy, "cuRAND"), goesOn);
    }
}

void ToldFiguresTest::aKernelWaitsForItsFirstPage()
{
    // 900 us after its start the kernel still waits; a page after 2 ms may be missed late.
    for (const auto& [page, waits] : {std::pair<Ns, Ns>{900 * us, 902 * us}, {2 * ms, 2 * us}}) {
        const auto trace = firstPage(page);
        const RunOverview overview = overviewOf(*trace, wholeOf(*trace));
        QCOMPARE(timeOf(overview, OverviewKind::Pages), waits);
        QCOMPARE(timeOf(overview, OverviewKind::Kernels), 5 * ms - waits);
        // The GPU's budget agrees.
        const GpuBudgets budgets(*trace);
        QCOMPARE(budgets.gpus().size(), std::size_t{1});
        const Budget budget = budgets.gpus().front().within(trace->session);
        QCOMPARE(budget[budgets.parts().pages()], waits);
        const auto tiny = run(*trace, "tiny_grid");
        QCOMPARE(tiny.size(), std::size_t{1});
        QVERIFY(std::abs(tiny.front().saving - (5 * ms - waits) * (8 * 132 - 16) / (8 * 132)) < us);
        const auto pages = run(*trace, "unified_memory_faults");
        QCOMPARE(pages.size(), waits > 5 * ms / 20 ? std::size_t{1} : std::size_t{0});
        if (!pages.empty())
            QCOMPARE(pages.front().saving, waits);
    }
}

void ToldFiguresTest::emptyLanesCountInTheBound()
{
    DrawnProgram program;
    program.kernel("work", 0, {10 * us, 132 * ms + 10 * us}, {.blocks = 1, .threads = 1});
    const auto trace = program.finish();
    const auto found = runRules(*trace, wholeOf(*trace));
    const auto tiny = std::ranges::find(found, std::string_view("tiny_grid"), &Finding::rule);
    QVERIFY(tiny != found.end());
    // One lane of 32 in one of 32 blocks on one multiprocessor of 132: 132 ms - 977 ns.
    QVERIFY(std::abs(tiny->saving - (132 * ms - 977)) < 10);
    QVERIFY2(holds(tiny->message, "one of the 32 lanes"), plain(tiny->message).c_str());
    // How many blocks would fit is no matter of a kernel that has one.
    QVERIFY(std::ranges::find(found, std::string_view("low_occupancy"), &Finding::rule) == found.end());
    const RunOverview overview = overviewOf(*trace, wholeOf(*trace));
    QCOMPARE(overview.kernels.size(), std::size_t{1});
    QVERIFY2(!holds(overview.kernels.front().shape, "theoretical occupancy"),
        plain(overview.kernels.front().shape).c_str());
}

void ToldFiguresTest::sharedMemoryOfBothKindsAddsUp()
{
    DrawnProgram program;
    program.kernel("work", 0, {10 * us, 10 * ms});
    Trace trace = *program.finish();
    for (Device& device : trace.devices)
        device.maxSharedPerSm = 0; // unknown
    auto kernels = std::make_shared<KernelTable>(trace.kernels());
    KernelLaunch& launch = kernels->launches.front();
    launch.registersPerThread = 255;
    launch.staticSharedMemory = launch.dynamicSharedMemory = 2'000'000'000;
    trace.tables[indexOf(EventKind::Kernel)] = kernels;
    const auto found = run(trace, "low_occupancy");
    QCOMPARE(found.size(), std::size_t{1});
    const Message& note = found.front().evidence.front().note;
    QCOMPARE(valueIn(note, "low_occupancy.kernel", "memory"), std::int64_t{4'000'000'000});
}

/// Of so many threads they would wrap to a number that a multiprocessor has.
void ToldFiguresTest::negativeRegistersAreNoLimit()
{
    DrawnProgram program;
    program.kernel("work", 0, {10 * us, 10 * ms});
    Trace trace = *program.finish();
    for (Device& device : trace.devices)
        device.maxRegistersPerSm = 65'536;
    auto kernels = std::make_shared<KernelTable>(trace.kernels());
    KernelLaunch& launch = kernels->launches.front();
    launch.registersPerThread = std::numeric_limits<std::int32_t>::min();
    launch.staticSharedMemory = launch.dynamicSharedMemory = 0;
    launch.block = {(1 << 28) + 1, 2048, 1};
    trace.tables[indexOf(EventKind::Kernel)] = kernels;
    const Message text = limitText(trace, 0);
    QVERIFY2(!holds(text, "Registers limit"), plain(text).c_str());
}

void ToldFiguresTest::copiesToArraysArePageable()
{
    DrawnProgram program;
    for (int i = 0; i < 10; ++i) {
        const Ns at = i * 10 * ms;
        const CopyKind kind = i % 2 == 0 ? CopyKind::HtoD : CopyKind::HtoA;
        program.copy({at, at + 3 * ms}, {at + ms, at + 2 * ms},
            {.call = "cudaMemcpy2DToArray_v3020", .kind = kind, .host = MemoryKind::Pageable});
        program.kernel("work", at + 4 * ms, {at + 4 * ms + 5 * us, at + 6 * ms});
    }
    const auto trace = program.finish();
    const auto found = run(*trace, "pageable_copies");
    QCOMPARE(found.size(), std::size_t{1});
    QVERIFY2(plain(found.front().title).starts_with("10 copies from or to pageable memory: 10 MB take 10 ms"),
        plain(found.front().title).c_str());
    // The host launches earlier by the calls' time, 3 ms each, plus at most 50 us of its code around them.
    QVERIFY(found.front().saving > 10 * 3 * ms);
    QVERIFY(found.front().saving <= 10 * (3 * ms + 50 * us));
    // More than the copies take, and the text explains it.
    const auto found2 = runRules(*trace, wholeOf(*trace));
    for (const Finding& finding : found2) {
        if (finding.rule == "pageable_copies" && finding.saving > 10 * ms)
            QVERIFY2(holds(finding.message, "the driver's own copying in their calls, at 10 GB/s"),
                plain(finding.message).c_str());
    }
}

void ToldFiguresTest::driverCallsMakeNoContext()
{
    for (const bool driver : {true, false}) {
        DrawnProgram program;
        program.call(driver ? "cuMemAlloc_v2" : "cudaSetDevice_v3020", {0, 100 * us});
        program.call(driver ? "cuMemHostAlloc" : "cudaMallocHost_v3020", {ms, 26 * ms});
        for (int i = 0; i < 10; ++i)
            program.kernel("work", (30 + i) * ms, {(30 + i) * ms + 5 * us, (31 + i) * ms});
        const auto trace = program.finish();
        const auto found = run(*trace, "one_time_costs");
        QCOMPARE(found.size(), std::size_t{1});
        QVERIFY2(
            holds(found.front().message, driver ? "pinning host memory 25 ms" : "creating contexts 25 ms"),
            plain(found.front().message).c_str());
        const std::string said = textOf(overviewOf(*trace, wholeOf(*trace)));
        QCOMPARE(holds(said, "pin memory page by page"), driver);
        QCOMPARE(holds(said, "creates a context"), !driver);
    }
}

/// A library loads another, and a call overlaps: one load, wherever it appears.
void ToldFiguresTest::loadsOfLibrariesAreCountedOnce()
{
    DrawnProgram program;
    program.event(EventKind::Overhead, "dlopen(libouter.so.1)", {10 * ms, 110 * ms});
    program.event(EventKind::Overhead, "dlopen(libinner.so.2)", {20 * ms, 60 * ms});
    program.event(EventKind::Overhead, "dlopen(libshort.so)", {120 * ms, 120 * ms + 20 * us});
    program.event(EventKind::Overhead, "CUDA profiling initialization", {130 * ms, 140 * ms});
    program.event(EventKind::Overhead, "dlopen(libToolsInjection64.so)", {131 * ms, 139 * ms});
    program.call("cuInit", {50 * ms, 51 * ms});
    for (int i = 0; i < 10; ++i)
        program.kernel("work", (200 + i) * ms, {(200 + i) * ms + 5 * us, (201 + i) * ms});
    const auto trace = program.finish();
    const auto once = run(*trace, "one_time_costs");
    QCOMPARE(once.size(), std::size_t{1});
    QVERIFY2(holds(once.front().message, "In the whole recording: loading shared libraries 100 ms (2 times)"),
        plain(once.front().message).c_str());
    const auto outside = run(*trace, "host_outside");
    QVERIFY(!outside.empty());
    QVERIFY2(holds(outside.front().message, "Loading shared libraries (dlopen) takes 99 ms in 2 calls"),
        plain(outside.front().message).c_str());
}

/// Most of the one-time cost is a gap without an event: the evidence begins with it, overlaps count once, and
/// it is marked as a guess everywhere.
void ToldFiguresTest::compilingIsItsOwnProof()
{
    DrawnProgram program;
    program.copy({0, 10 * ms}, {0, 10 * ms});
    program.event(EventKind::Overhead, "dlopen(libnvvm.so.4)", {110 * ms, 210 * ms}); // while it compiles
    program.call("cuModuleLoadData", {410 * ms, 411 * ms});
    for (int i = 0; i < 10; ++i)
        program.kernel("work", (420 + i) * ms, {(420 + i) * ms + 5 * us, (421 + i) * ms});
    const auto trace = program.finish();
    const auto found = run(*trace, "one_time_costs");
    QCOMPARE(found.size(), std::size_t{1});
    const Finding& finding = found.front();
    QCOMPARE(finding.evidenceTotal, std::uint64_t{3});
    QCOMPARE(finding.evidence.size(), std::size_t{3});
    QCOMPARE(finding.evidence[0].range, (TimeRange{10 * ms, 410 * ms}));
    QVERIFY(!finding.evidence[0].event.valid());
    QCOMPARE(finding.evidence[1].range, (TimeRange{110 * ms, 210 * ms}));
    QCOMPARE(finding.evidence[2].range, (TimeRange{410 * ms, 411 * ms}));
    QCOMPARE(finding.where, finding.evidence[0].range);
    QCOMPARE(plain(finding.title), std::string("One-time costs of 401 ms, most of it probably compiling"));
    QVERIFY(finding.confidence == Confidence::Likely);
    QVERIFY2(holds(finding.message, "100 ms of that overlaps with other costs and counts once"),
        plain(finding.message).c_str());
    // The time between the first GPU work and the first kernel is described by the GPU's activity, and as the
    // rest.
    const std::string said = textOf(overviewOf(*trace, wholeOf(*trace)));
    QVERIFY2(
        holds(said,
            "The first kernel starts 420 ms after the first GPU work (97.7%). Until then, the GPU copies or sets memory for 10 ms and is idle for 410 ms, while the host loads or compiles GPU code for 401 ms"),
        said.c_str());
    QVERIFY2(!holds(said, "works on the host"), said.c_str());
}

/// Where XLA runs modules, the remedy against launches is JAX's, too.
void ToldFiguresTest::launchesOfXlaHaveAnotherRemedy()
{
    for (const bool isJax : {true, false}) {
        DrawnProgram program;
        program.range(isJax ? "XlaModule:#hlo_module=jit_add#" : "module", {0, 12 * ms});
        for (int i = 0; i < 600; ++i)
            program.kernel("work", i * 20 * us - 5 * us, {i * 20 * us, i * 20 * us + 4 * us});
        const auto found = run(*program.finish(), "launch_bound");
        QCOMPARE(found.size(), std::size_t{1});
        QCOMPARE(sentenceOf(found.front().remedy, "launch_bound.jax") != nullptr, isJax);
    }
}

/// The checklist counts small grids with kernels of any length; the finding only its own.
void ToldFiguresTest::smallGridsAreAllCounted()
{
    DrawnProgram program;
    for (int i = 0; i < 10; ++i) {
        program.kernel("large", i * ms, {i * ms + 5 * us, i * ms + 505 * us}, {.blocks = 10'000});
        program.kernel("small", i * ms, {i * ms + 505 * us, i * ms + 805 * us}, {.blocks = 8});
        for (int j = 0; j < 20; ++j) {
            const Ns at = i * ms + 805 * us + j * 10 * us;
            program.kernel("short", at, {at, at + 9 * us}, {.blocks = 8});
        }
    }
    const auto trace = program.finish();
    const auto found = run(*trace, "tiny_grid");
    QCOMPARE(found.size(), std::size_t{1});
    QVERIFY2(holds(found.front().title, "10 kernels of 10 \u00b5s or longer have fewer blocks"),
        plain(found.front().title).c_str());
    QVERIFY2(plain(found.front().message)
                 .starts_with("In the whole recording, 10 kernels of 10 \u00b5s or longer"),
        plain(found.front().message).c_str());
    const std::vector<ChecklistAnswer> answers = answerChecklist(*trace, wholeOf(*trace));
    const std::string told = plain(answers.front().explanation);
    QVERIFY2(holds(told, "For 4.8 ms of that (49.0%), it only runs kernels with fewer blocks"), told.c_str());
    QVERIFY2(holds(told, "(finding tiny_grid: 3 ms of it in the longer ones)"), told.c_str());
}

/// Neither page migrations nor prefetches are named copies alone.
void ToldFiguresTest::pagesAndPrefetchesAreCalledSo()
{
    for (const bool asked : {true, false}) {
        DrawnProgram program;
        program.kernel("work", 0, {10 * us, 2 * ms});
        program.migration(
            CopyKind::UnifiedHtoD, {4 * ms, 6 * ms}, 4 << 20U, 0x10000, asked ? causeIsUser : causeIsFault);
        program.kernel("work", 6 * ms, {6 * ms + 10 * us, 9 * ms});
        const auto trace = program.finish();
        const std::string said = textOf(overviewOf(*trace, wholeOf(*trace)));
        QCOMPARE(holds(said, "2 ms copying to the GPU (1 prefetch of unified memory)"), asked);
        const std::vector<ChecklistAnswer> answers = answerChecklist(*trace, wholeOf(*trace));
        const std::string told = plain(answers.front().explanation);
        QVERIFY2(
            holds(told, asked ? "ms only copying;" : "ms only copying or moving pages of unified memory;"),
            told.c_str());
    }
}

/// A range with inner ranges is counted in two ways, and the text shows which.
void ToldFiguresTest::nestedRangesSayWhatTheyCount()
{
    for (const Ns inner : {60 * ms, 2 * ms, Ns{0}}) { // the last two hardly or not at all
        DrawnProgram program;
        program.range("set_up", {0, 100 * ms});
        if (inner > 0)
            program.range("read_files", {10 * ms, 10 * ms + inner});
        for (int i = 0; i < 10; ++i)
            program.kernel("work", (120 + i) * ms, {(120 + i) * ms + 5 * us, (121 + i) * ms});
        const auto trace = program.finish();
        const auto found = run(*trace, "host_outside");
        QVERIFY(!found.empty());
        const char* const said = inner == 60 * ms
            ? "in that time, each without the ranges inside it: read_files 60 ms, set_up 40 ms."
            : inner > 0 ? "Its NVTX ranges in that time: set_up 98 ms."
                        : "Its NVTX ranges in that time: set_up 100 ms.";
        QVERIFY2(holds(found.front().message, said), plain(found.front().message).c_str());
    }
}

void ToldFiguresTest::regionsTellWhatThereIs()
{
    // Five allocations before the first of twenty rounds, and nothing is freed.
    DrawnProgram program;
    for (int i = 0; i < 5; ++i)
        program.call("cuMemAlloc_v2", {i * 10 * us, i * 10 * us + 5 * us});
    for (int i = 0; i < 20; ++i) {
        const Ns at = ms + i * 4 * ms;
        program.copy({at, at + ms}, {at + 10 * us, at + ms}, {.call = "cuMemcpyHtoDAsync_v2"});
        program.kernel("nvkernel_main_F1L12_2", at + ms + 10 * us, {at + ms + 20 * us, at + 2 * ms});
        program.copy({at + 2 * ms, at + 3 * ms}, {at + 2 * ms + 10 * us, at + 3 * ms},
            {.call = "cuMemcpyDtoHAsync_v2", .kind = CopyKind::DtoH});
    }
    const auto trace = program.finish();
    const auto found = run(*trace, "data_region_in_loop");
    QCOMPARE(found.size(), std::size_t{1});
    const std::string message = plain(found.front().message);
    QVERIFY2(holds(message,
                 "20 copies go to the GPU and 20 back, 40 MB in all. The runtime also makes 5 allocations. "),
        message.c_str());
    // The first copy in and the last one out lie outside.
    QVERIFY2(
        holds(message, roundedDuration(found.front().saving) + " in which no kernel runs"), message.c_str());
    QVERIFY(found.front().saving <= 38 * ms + 19 * 20 * us);
}

void ToldFiguresTest::rowsCountTheRuntime()
{
    // A thousand rows: 10 us in calls and 5 us between them, each.
    DrawnProgram program;
    for (int i = 0; i < 1000; ++i) {
        const Ns at = i * 30 * us;
        program.call("cuMemAlloc_v2", {at, at + 10 * us});
        program.copy({at + 15 * us, at + 20 * us}, {at + 16 * us, at + 17 * us},
            {.call = "cuMemcpyHtoDAsync_v2", .bytes = 1000});
        program.kernel("__pgi_uacc_cuda_fill_ptrs", at + 21 * us, {at + 24 * us, at + 26 * us});
    }
    const auto trace = program.finish();
    const auto found = run(*trace, "data_region_in_loop");
    QCOMPARE(found.size(), std::size_t{1});
    QVERIFY2(holds(found.front().title, "1,000 rows"), plain(found.front().title).c_str());
    QVERIFY2(found.front().saving > 29'900 * us, formatDuration(found.front().saving).c_str());
}

void ToldFiguresTest::warningsSayWhatTheyAre()
{
    const auto titles = [](std::string_view line, bool cuda) {
        DrawnProgram program;
        program.event(EventKind::OsRuntime, "read", {0, ms});
        if (cuda)
            program.kernel("work", 0, {10 * us, ms});
        program.info().diagnostics.push_back({ms, 2, std::string(line)});
        const auto trace = program.finish();
        std::string all;
        for (const Finding& finding : run(*trace, "capture_quality"))
            all += plain(finding.title) + "\n";
        return all;
    };
    const std::string driver = titles(
        "Installed CUDA driver version (12.0) is not supported by this build of Nsight Systems.", true);
    QVERIFY2(holds(driver, "nsys is older than the CUDA driver"), driver.c_str());
    QVERIFY2(!holds(driver, "events may be missing"), driver.c_str());
    QVERIFY(holds(titles("5 events were lost.", true), "events may be missing"));
    constexpr std::string_view start = "CUDA profiling might have not been started correctly.";
    QVERIFY(holds(titles(start, true), "may not have started correctly"));
    const std::string unused = titles(start, false);
    QVERIFY2(!holds(unused, "warns"), unused.c_str());
}

void ToldFiguresTest::tracedCudaIsNotMissing()
{
    for (const std::string_view asked : {"true", "false", ""}) {
        DrawnProgram program;
        program.event(EventKind::OsRuntime, "read", {0, ms});
        if (!asked.empty())
            program.info().capture.emplace_back("PROCESS_0:COLLECT_CUDA_TRACE", asked);
        const auto trace = program.finish();
        const NoGpuWork why = explainNoGpuWork(*trace);
        QCOMPARE(holds(why.causes, "CUDA was traced, but the program made no CUDA call"), asked == "true");
        QCOMPARE(holds(why.causes, "--trace=cuda"), asked != "true");
        QCOMPARE(holds(why.causes, "may be missing"), asked.empty());
        const auto found = run(*trace, "capture_quality");
        QVERIFY(!found.empty());
        QCOMPARE(holds(found.front().title, "CUDA API calls"), asked != "true");
        for (const ChecklistAnswer& answer : answerChecklist(*trace, wholeOf(*trace)))
            QVERIFY2((answer.answer == Answer::NotApplicable) == (asked == "true"),
                plain(answer.explanation).c_str());
    }
}

void ToldFiguresTest::emptyReportsAreRecordedAgainWithTheirRecorder()
{
    for (const Recorder recorder :
        {Recorder::NsightSystems, Recorder::PyTorchProfiler, Recorder::OtherTracer}) {
        DrawnProgram program;
        setRecorder(program.info(), recorder);
        const NoGpuWork why = explainNoGpuWork(*program.finish());
        QCOMPARE(holds(why.what, "nsys profile"), recorder == Recorder::NsightSystems);
        QCOMPARE(holds(why.what, "torch.profiler"), recorder == Recorder::PyTorchProfiler);
    }
}

void ToldFiguresTest::tablesThatTheExportLeftOut()
{
    struct Case {
        const char* tables;
        bool isLeft; ///< the kernels
        bool isNoted;
    };
    for (const auto& [tables, isLeft, isNoted] :
        {Case{"NVTX_EVENTS,OSRT_API", true, true}, Case{"", false, false}, Case{"*", false, false},
            Case{"OSRT_API,CUPTI_ACTIVITY_*", false, true}, Case{"CUPTI_ACTIVITY_KIND_KERNEL", false, true},
            Case{"OSRT_API, CUPTI_ACTIVITY_KIND_KERNEL", false, true}, Case{"*_KERNEL", false, true},
            Case{"*_API", true, true}, Case{".*", false, false}, Case{"OSRT_API|NVTX_EVENTS", false, false},
            Case{"[M]*", false, false}}) {
        DrawnProgram program;
        program.event(EventKind::OsRuntime, "read", {0, ms});
        program.info().capture.emplace_back("PROCESS_0:COLLECT_CUDA_TRACE", "true");
        program.info().exported.emplace_back("EXPORT_PARAM_TABLES_TO_EXPORT", tables);
        const auto trace = program.finish();
        const NoGpuWork why = explainNoGpuWork(*trace);
        QVERIFY2((why.what.key() == "no_work.tables") == isLeft, tables);
        QCOMPARE(why.causes.empty(), isLeft);
        for (const ChecklistAnswer& answer : answerChecklist(*trace, wholeOf(*trace)))
            QCOMPARE(answer.answer == Answer::NotRecorded, isLeft);
        const auto found = run(*trace, "capture_quality");
        const auto of = [&](std::string_view subject) {
            return std::ranges::find_if(
                found, [&](const Finding& finding) { return finding.subject.name == subject; });
        };
        QVERIFY2((of("left_out_tables") != found.end()) == isNoted, tables);
        // What the export left out need not be recorded again, and the file is whole.
        if (const auto list = of("not_recorded"); list != found.end()) {
            QVERIFY2(list->title.values()[0].value.name == "no", tables);
            for (const Message& name : list->title.values()[1].value.messages)
                QVERIFY2(!isNoted || name.key() != "capture_quality.what_metrics", tables);
        }
    }
}

void ToldFiguresTest::lostKindsOfWorkAreNotIdleTime()
{
    // Of 20 rounds of a launch, a graph and a copy, one kind is lost.
    for (const std::string_view lost : {"", "kernels", "graphs", "copies"}) {
        const auto trace = roundsWithout(lost, 20).finish();
        TraceAnalysis facts(*trace, wholeOf(*trace), {});
        const bool isUnknown = lost == "kernels" || lost == "graphs";
        QCOMPARE(lostGpuWork(facts).what.empty(), !isUnknown);
        QCOMPARE(lostCopies(facts).what.empty(), lost != "copies");
        for (const ChecklistAnswer& answer : answerChecklist(*trace, wholeOf(*trace))) {
            // None speaks of idle time that another calls unknown.
            if (isUnknown || (lost == "copies" && answer.id == "transfers_overlapped"))
                QVERIFY2(answer.answer == Answer::NotRecorded, answer.id.data());
            if (!isUnknown && answer.id == "gpu_busy")
                QVERIFY(isJudged(answer.answer));
        }
        const std::vector<Finding> findings = runRules(*trace, trace->session);
        QCOMPARE(
            std::ranges::any_of(findings,
                [](const Finding& finding) { return finding.title.key() == "capture_quality.lost_work"; }),
            !lost.empty());
        QCOMPARE(std::ranges::any_of(findings, [](const Finding& finding) { return finding.saving > 0; }),
            !isUnknown);
    }
}

void ToldFiguresTest::fewCallsAndPartsProveNoLoss()
{
    for (const std::string_view lost : {"kernels", "graphs", "copies"}) {
        for (const bool isPart : {true, false}) {
            DrawnProgram program = roundsWithout(lost, isPart ? 20 : 19);
            if (isPart)
                QVERIFY(setPart(program.info(), {{0, 20 * ms}, {0, ms * 1000}, {0, ms * 1000}}));
            const auto trace = program.finish();
            TraceAnalysis facts(*trace, wholeOf(*trace), {});
            QVERIFY(lostGpuWork(facts).what.empty());
            QVERIFY(lostCopies(facts).what.empty());
        }
    }
    // Of 1000 launches, 20 of graphs whose work is not there are few.
    DrawnProgram program = roundsWithout("graphs", 20);
    for (int i = 20; i < 1000; ++i)
        program.kernel("work", i * ms, {i * ms + 10 * us, i * ms + 20 * us});
    const auto trace = program.finish();
    TraceAnalysis facts(*trace, wholeOf(*trace), {});
    QVERIFY(lostGpuWork(facts).what.empty());
}

void ToldFiguresTest::onlyNsysLosesWorkByItsDriver()
{
    for (const Recorder recorder :
        {Recorder::NsightSystems, Recorder::PyTorchProfiler, Recorder::OtherTracer}) {
        for (const std::string_view lost : {"kernels", "copies"}) {
            DrawnProgram program = roundsWithout(lost, 20);
            setRecorder(program.info(), recorder);
            const auto trace = program.finish();
            TraceAnalysis facts(*trace, wholeOf(*trace), {});
            const LostWork work = lost == "copies" ? lostCopies(facts) : lostGpuWork(facts);
            QVERIFY(!work.what.empty());
            QCOMPARE(work.remedy.key() == "no_work.newer", recorder == Recorder::NsightSystems);
        }
    }
}

void ToldFiguresTest::oneTimeCostsStayWithoutKernels()
{
    for (const bool isLost : {true, false}) {
        DrawnProgram program;
        program.copy({0, 2 * us}, {10 * us, 900 * us});
        program.call("cuLibraryLoadData", {ms, 500 * ms}); // before the steps, which are measured
        for (int i = 0; i < 20; ++i) {
            const Ns at = 500 * ms + i * 2 * ms;
            program.range("step_" + std::to_string(i), {at, at + 1990 * us});
            program.copy({at, at + 2 * us}, {at + 10 * us, at + 900 * us});
            if (isLost)
                program.call("cudaLaunchKernel_v7000", {at + 5 * us, at + 7 * us});
            else
                program.kernel("work", at + 5 * us, {at + 10 * us, at + 900 * us});
        }
        const auto findings = run(*program.finish(), "one_time_costs");
        QCOMPARE(findings.size(), std::size_t{1});
        QVERIFY(findings.front().once > 0);
    }
}

void ToldFiguresTest::exportsAreNoRecordings()
{
    const auto machineOf
        = [](std::string_view recorded, std::string_view exported, std::string_view started) {
              DrawnProgram program;
              program.kernel("work", 0, {10 * us, ms});
              program.info().captureVersion = recorded;
              program.info().exporterVersion = exported;
              program.info().startedUtc = started;
              const auto trace = program.finish();
              return plain(overviewOf(*trace, wholeOf(*trace)).machine);
          };
    const std::string known = machineOf("2025.1", "2025.5", "2025-11-20");
    QVERIFY2(
        holds(known, ". Recorded with nsys 2025.1 on 2025-11-20 UTC. It holds 2 events."), known.c_str());
    const std::string dated = machineOf("", "2024.5.1", "2023-10-04");
    QVERIFY2(holds(dated, ". Recorded on 2023-10-04 UTC, exported by nsys 2024.5.1. It"), dated.c_str());
    const std::string bare = machineOf("", "2024.5.1", "");
    QVERIFY2(holds(bare, ". Exported by nsys 2024.5.1. It"), bare.c_str());
    const std::string none = machineOf("", "", "");
    QVERIFY2(!holds(none, "ecorded") && holds(none, ". It holds 2 events."), none.c_str());
}

void ToldFiguresTest::reusedAddressesAreNoRecordedReleases()
{
    // Of 28 allocations in the last two thirds, one takes the address of another.
    DrawnProgram program;
    for (int i = 0; i < 40; ++i) {
        program.kernel("work", i * ms + 5 * us, {i * ms + 10 * us, i * ms + 500 * us});
        program.allocation(i * ms + 20 * us, 1'000'000);
        if (i == 20 || i == 21)
            program.allocation(i * ms + 30 * us, 1'000'000, true, 4096);
    }
    const auto trace = program.finish();
    const auto found = run(*trace, "memory_growth");
    QCOMPARE(found.size(), std::size_t{1});
    const Message& message = found.front().message;
    QCOMPARE(valueIn(message, "memory_growth.sums", "allocations"), std::int64_t{28});
    QCOMPARE(valueIn(message, "memory_growth.sums", "releases"), std::int64_t{0});
    QCOMPARE(valueIn(message, "memory_growth.sums", "bytes"), std::int64_t{27'000'000});
}

void ToldFiguresTest::theBeginIsNamed()
{
    // A copy, then half a second, then sixty kernels: the measured time begins with the first of them.
    DrawnProgram program;
    program.copy({0, 10 * us}, {5 * us, 10 * us});
    for (int i = 0; i < 60; ++i)
        program.kernel("work", (500 + i) * ms, {(500 + i) * ms + 5 * us, (501 + i) * ms});
    const auto trace = program.finish();
    const auto found = run(*trace, "host_outside");
    QCOMPARE(found.size(), std::size_t{1});
    QVERIFY2(
        plain(found.front().title).ends_with("before the first kernel"), plain(found.front().title).c_str());
    QVERIFY2(plain(found.front().message).starts_with("Before the first kernel, no GPU works"),
        plain(found.front().message).c_str());
}

WARPLINE_TEST(ToldFiguresTest)

} // namespace tst_told_figures

#include "tst_told_figures.moc"
