// Where a GPU's time went: disjoint parts that add up, compared with a second computation for each moment.

#include "core/analysis/scope.h"
#include "core/analysis/trace_analysis.h"
#include "core/budget/step_budgets.h"
#include "core/coverage/gpu_times.h"
#include "core/load/load_report.h"
#include "core/render/render.h"
#include "core/store/part_of_recording.h"
#include "tests/core/budget/random_program.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <numeric>

namespace tst_gpu_budget {

using namespace warpline;
using namespace warpline::test;

namespace {

TimeRange wholeOf(const Trace& trace)
{
    return {trace.session.start, trace.session.end + 1};
}

Ns sumOf(const Budget& budget)
{
    return std::accumulate(budget.begin(), budget.end(), Ns{0});
}

/// The parts of `budget` that have time, by id.
std::map<std::string, Ns> named(const GpuBudgets& budgets, const Budget& budget)
{
    std::map<std::string, Ns> parts;
    for (std::size_t part = 0; part < budget.size(); ++part) {
        if (budget[part] != 0)
            parts[budgets.parts()[part].id] = budget[part];
    }
    return parts;
}

using Named = std::map<std::string, Ns>;

/// The reports of deep learning and of loops that have steps.
void addReportsWithSteps()
{
    QTest::addColumn<QString>("name");
    for (const char* const name :
        {"bert_fp32", "bert_amp", "bert_metrics", "cnn_workers0", "cnn_workers8", "cnn_sampled", "decode",
            "ddp_2gpu", "ddp_overlap_rank0", "ddp_overlap_rank1", "ddp_straggler_rank0",
            "ddp_straggler_rank1", "launch_eager", "h200-more/vit", "h200-more/cnn_gil",
            "h200-more/ddp_json_rank0", "h200-more/ddp_json_rank1", "h200-more/llama_bf16",
            "h200-more/fsdp_rank0", "h200-more/fsdp_rank1", "h200-more/pipe_rank0", "h200-more/pipe_rank1",
            "h200-more/graph_nvtx", "h200-more/halo8/rank0", "h200-more/halo8/rank3", "h200-more/halo_one"})
        QTest::newRow(name) << QString(name);
}

std::shared_ptr<const Trace> load(const std::string& path)
{
    auto trace = loadReport(path);
    return trace.ok() ? trace.take() : nullptr;
}

} // namespace

class GpuBudgetTest : public QObject {
    Q_OBJECT

private slots:
    /// Host time of a framework's operator is not the program's code; many short ones are one part.
    void anOperatorIsNoOwnCode()
    {
        DrawnProgram drawn;
        drawn.kernel("first", 0, {10 * us, 20 * us});
        drawn.range("decode_3", {0, 40 * ms});
        drawn.range("aten::linear", {2 * ms, 30 * ms}, "PyTorch");
        drawn.range("aten::_cudnn_attention_forward", {10 * ms, 30 * ms}, "PyTorch");
        drawn.range("aten::empty", {30 * ms, 30 * ms + 100 * us}, "PyTorch");
        drawn.range("autograd::engine::evaluate_function: Backward", {31 * ms, 33 * ms}, "PyTorch");
        drawn.kernel("my_gemm", 40 * ms, {40 * ms + 5 * us, 41 * ms});
        const auto trace = drawn.finish();
        const GpuBudgets budgets(*trace);
        auto parts = named(budgets, budgets.gpus()[0].within({20 * us, 40 * ms}));
        QCOMPARE(parts,
            (Named{{"idle_operator:aten::_cudnn_attention_forward", 20 * ms},
                {"idle_operator:aten::linear", 8 * ms}, {"idle_operator", 100 * us},
                {"idle_own_code:decode_#", 12 * ms - 120 * us}}));
    }

    void tellsWhatTheGpuDoes()
    {
        DrawnProgram drawn;
        drawn.kernel("my_gemm", 0, {10 * us, 30 * us});
        drawn.kernel("flash_fwd_kernel", 1 * us, {20 * us, 40 * us}, {.stream = 8}); // hides the product
        drawn.copy({50 * us, 52 * us}, {35 * us, 60 * us}); // 20 us of it during attention
        const auto trace = drawn.finish();
        const GpuBudgets budgets(*trace);
        QCOMPARE(budgets.gpus().size(), std::size_t{1});
        const Budget budget = budgets.gpus()[0].within({0, 60 * us});
        QCOMPARE(named(budgets, budget),
            (Named{{"compute_gemm", 10 * us}, {"compute_attention", 20 * us}, {"copy_to_gpu", 20 * us},
                {"idle_launch", 10 * us}}));
        QCOMPARE(
            named(budgets, budgets.gpus()[0].within({40 * us, 60 * us})), (Named{{"copy_to_gpu", 20 * us}}));
    }

    void namesTheRangeOfIdleTime()
    {
        DrawnProgram drawn;
        for (int i = 0; i < 4; ++i) {
            const Ns at = 100 * ms * i;
            drawn.range("step_" + std::to_string(i), {at, at + 100 * ms});
            // Sleeps and computes: one cause, in one range.
            drawn.range("load", {at + 5 * ms, at + 65 * ms});
            drawn.event(EventKind::OsRuntime, "nanosleep", {at + 10 * ms, at + 40 * ms});
            drawn.range("augment_" + std::to_string(i), {at + 70 * ms, at + 75 * ms});
            drawn.event(EventKind::OsRuntime, "read", {at + 71 * ms, at + 72 * ms});
            drawn.kernel("my_gemm", at + 75 * ms, {at + 75 * ms + 2 * us, at + 105 * ms});
        }
        const auto trace = drawn.finish();
        const GpuBudgets budgets(*trace);
        const auto steps = stepBudgets(*trace, budgets, findGpuSteps(*trace, wholeOf(*trace)));
        QCOMPARE(steps.size(), std::size_t{1});
        const Named parts = named(budgets, steps[0].steps[1].budget.whole());
        // From 105 ms after the step before to 75 ms: 5 ms into the step on.
        QCOMPARE(parts.at("idle_data_loading:load"), 60 * ms);
        QCOMPARE(parts.at("idle_own_code:augment_#"), 4 * ms);
        QCOMPARE(parts.at("idle_os_call:augment_#"), 1 * ms);
        QCOMPARE(parts.at("idle_own_code:step_#"), 5 * ms);
        QCOMPARE(sumOf(steps[0].steps[1].budget.whole()), 100 * ms);
    }

    /// Numbers are folded where names differ in them; all causes of a pattern show one name.
    void aLoneNumberIsShown()
    {
        BudgetParts parts(kernelClassRules());
        const std::size_t own = parts.idleIn(IdleCause::OwnCode, "own code 2");
        const std::size_t calls = parts.idleIn(IdleCause::OsCall, "own code 2");
        QCOMPARE(parts[own].id, std::string("idle_own_code:own code #"));
        for (const std::size_t part : {own, calls}) {
            QCOMPARE(parts[part].range, std::string("own code 2"));
            QVERIFY(plain(parts[part].title).find("own code 2") != std::string::npos);
        }
        QCOMPARE(parts.idleIn(IdleCause::OsCall, "own code 3"), calls);
        QCOMPARE(parts.idleIn(IdleCause::OwnCode, "own code 2"), own);
        for (const std::size_t part : {own, calls}) {
            QCOMPARE(parts[part].range, std::string("own code #"));
            QVERIFY(plain(parts[part].title).find("own code #") != std::string::npos);
        }
        QCOMPARE(parts[own].id, std::string("idle_own_code:own code #"));
    }

    /// A cause that gets no part of its own still folds the number.
    void allCausesHaveOneNameAtTheLimit()
    {
        BudgetParts parts(kernelClassRules());
        const std::size_t own = parts.idleIn(IdleCause::OwnCode, "own code 2");
        std::string range;
        while (parts.idleIn(IdleCause::OwnCode, range += 'x') != parts.idle(IdleCause::OwnCode))
            QVERIFY(range.size() < 1000);
        QCOMPARE(parts.idleIn(IdleCause::OsCall, "own code 3"), parts.idle(IdleCause::OsCall));
        QCOMPARE(parts[own].range, std::string("own code #"));
        QCOMPARE(parts.idleIn(IdleCause::OwnCode, "own code 2"), own);
    }

    void queuedWorkIsNotLaunching()
    {
        DrawnProgram drawn;
        drawn.kernel("a_gemm", 0, {10 * us, 20 * us});
        drawn.kernel("b_gemm", 5 * us, {50 * us, 60 * us}); // launched long before: it waited for something
        drawn.kernel("c_gemm", 70 * us, {75 * us, 80 * us}); // launched when the GPU was done
        const auto trace = drawn.finish();
        const GpuBudgets budgets(*trace);
        QCOMPARE(named(budgets, budgets.gpus()[0].within({10 * us, 80 * us})),
            (Named{{"compute_gemm", 25 * us}, {"idle_queued", 30 * us}, {"idle_launch", 5 * us},
                {"idle_between_launches", 10 * us}}));
    }

    /// At the end of a part of a recording work follows that is not in the file: the wait for it has a cause.
    void waitsAtTheEndOfAPartHaveACause()
    {
        const auto loads = [](Ns end, bool isPart, bool launches) {
            DrawnProgram drawn;
            drawn.kernel("a_gemm", 0, {10 * us, 1 * ms});
            drawn.range("data_load", {2 * ms, 20 * ms});
            if (launches) // its launch is cut off
                drawn.call("cudaLaunchKernel_v7000", {15 * ms, 15 * ms + 5 * us});
            if (isPart)
                setPart(drawn.info(), {{0, 20 * ms}, {0, 40 * ms}, {10 * us, end}});
            const auto trace = drawn.finish();
            const GpuBudgets budgets(*trace);
            return named(budgets, budgets.gpus()[0].within({1 * ms, 20 * ms}));
        };
        QCOMPARE(loads(40 * ms, false, false), (Named{{"idle_no_work", 19 * ms}}));
        QCOMPARE(loads(1 * ms, true, false), (Named{{"idle_no_work", 19 * ms}})); // none follows
        QCOMPARE(loads(40 * ms, true, false),
            (Named{{"idle_data_loading:data_load", 18 * ms}, {"idle_own_code", 1 * ms}}));
        const Named queued = loads(40 * ms, true, true);
        QCOMPARE(queued.at("idle_queued"), 5 * ms - 5 * us);
        QVERIFY(queued.at("idle_data_loading:data_load") >= 13 * ms);
    }

    /// Behind the last work the launching thread counts until the steady steps end, as in gpu_idle_cause;
    /// also before pages that the host fetches.
    void theLastStepHasCausesToItsEnd()
    {
        DrawnProgram drawn;
        for (int i = 0; i < 4; ++i) {
            const Ns at = i * 40 * ms;
            drawn.range("step_" + std::to_string(i), {at, at + 40 * ms});
            drawn.range("own", {at + 10 * ms, at + 30 * ms});
            drawn.kernel("a_gemm", at, {at + 10 * us, at + 10 * ms});
        }
        drawn.migration(CopyKind::UnifiedDtoH, {155 * ms, 156 * ms}, 4096, 0x1000);
        drawn.migration(CopyKind::UnifiedDtoH, {170 * ms, 171 * ms}, 4096, 0x1000);
        drawn.event(EventKind::OsRuntime, "write", {179 * ms, 180 * ms});
        const auto trace = drawn.finish();
        const GpuBudgets budgets(*trace);
        const Named parts = named(budgets, budgets.gpus()[0].within({130 * ms, 180 * ms}));
        QCOMPARE(parts.at("idle_own_code:own"), 20 * ms);
        QCOMPARE(parts.at("idle_no_work"), 19 * ms); // behind the steps, without the pages
        QVERIFY(!parts.contains("idle_unknown"));
    }

    /// The last step ends where the steps do that the user names, in any window.
    void theLastStepIsOfTheNamedSteps()
    {
        DrawnProgram drawn;
        for (int i = 0; i < 4; ++i) {
            const Ns at = i * 40 * ms;
            drawn.range("step_" + std::to_string(i), {at, at + 40 * ms});
            drawn.range("part_" + std::to_string(i), {at, at + 25 * ms});
            drawn.kernel("a_gemm", at, {at + 10 * us, at + 10 * ms});
        }
        const auto trace = drawn.finish();
        const TimeRange last{130 * ms, 160 * ms};
        const auto noWork = [&](const GpuBudgets& budgets) {
            return named(budgets, budgets.gpus()[0].within(last))["idle_no_work"];
        };
        QCOMPARE(noWork(GpuBudgets(*trace)), Ns{0});
        QCOMPARE(noWork(GpuBudgets(*trace, kernelClassRules(), {}, {}, "part_*")), 15 * ms);
        for (const TimeRange window : {trace->session, wholeOf(*trace), TimeRange{ms, 160 * ms}}) {
            TraceAnalysis found(*trace, window, {});
            TraceAnalysis asked(*trace, window, {}, "part_*");
            QCOMPARE(noWork(GpuBudgets(found)), Ns{0});
            QCOMPARE(noWork(GpuBudgets(asked)), 15 * ms);
        }
    }

    /// What was launched before a part of a recording was queued; pages that the host fetches were not.
    void onlyLaunchedWorkWasQueuedBeforeAPart()
    {
        DrawnProgram drawn;
        drawn.range("part", {1 * ms, 20 * ms});
        drawn.kernel("a_gemm", 0, {2 * ms, 3 * ms}, {.isLaunchRecorded = false});
        drawn.migration(CopyKind::UnifiedDtoH, {6 * ms, 7 * ms}, 4096, 0x1000);
        QVERIFY(setPart(drawn.info(), {{1 * ms, 20 * ms}, {0, 40 * ms}, {10 * us, 7 * ms}}));
        const auto trace = drawn.finish();
        const GpuBudgets budgets(*trace);
        const GpuBudget& gpu = budgets.gpus()[0];
        QCOMPARE(named(budgets, gpu.within({1 * ms, 2 * ms})), (Named{{"idle_queued", 1 * ms}}));
        QCOMPARE(named(budgets, gpu.within({3 * ms, 6 * ms})), (Named{{"idle_unknown", 3 * ms}}));
    }

    /// Long gaps are not the pace of launching: each activity counts for itself.
    void longGapsAreSplit()
    {
        DrawnProgram drawn;
        drawn.kernel("a_gemm", 0, {10 * us, 20 * us});
        drawn.range("prepare", {1 * ms, 6 * ms});
        drawn.event(EventKind::ThreadState, "Running", {0, 2 * ms});
        drawn.event(EventKind::ThreadState, "Blocked", {2 * ms, 4 * ms}); // sleeps inside of its range
        drawn.event(EventKind::OsRuntime, "read", {3 * ms, 4 * ms}); // a call that is known, on no CPU
        drawn.event(EventKind::ThreadState, "Running", {4 * ms, 20 * ms});
        drawn.call("cudaEventQuery", {7 * ms, 8 * ms});
        drawn.kernel("b_gemm", 9 * ms, {15 * ms, 16 * ms}); // begins long after its launch
        const auto trace = drawn.finish();
        const GpuBudgets budgets(*trace);
        const Named parts = named(budgets, budgets.gpus()[0].within({20 * us, 15 * ms}));
        QCOMPARE(parts.at("idle_off_cpu:prepare"), 1 * ms);
        QCOMPARE(parts.at("idle_os_call:prepare"), 1 * ms);
        QCOMPARE(parts.at("idle_own_code:prepare"), 3 * ms);
        QCOMPARE(parts.at("idle_other_call"), 1 * ms);
        QCOMPARE(parts.at("idle_own_code"), 2980 * us);
        QCOMPARE(parts.at("idle_launch") + parts.at("idle_queued"), 6 * ms);
        QVERIFY(parts.at("idle_launch") < 100 * us); // the call alone
    }

    /// The first launch of a kernel may load its code, which is no launching; the second is.
    void firstLaunchesLoadCode()
    {
        DrawnProgram drawn;
        drawn.kernel("warm_gemm", 0, {10 * us, 20 * us});
        drawn.kernel("new_gemm", 1 * ms, {6 * ms, 7 * ms}, {.callTime = 5 * ms});
        drawn.kernel("new_gemm", 8 * ms, {13 * ms, 14 * ms}, {.callTime = 5 * ms});
        const auto trace = drawn.finish();
        const GpuBudgets budgets(*trace);
        const GpuBudget& gpu = budgets.gpus()[0];
        QCOMPARE(named(budgets, gpu.within({1 * ms, 6 * ms})), (Named{{"idle_code_loading", 5 * ms}}));
        QCOMPARE(named(budgets, gpu.within({8 * ms, 13 * ms})), (Named{{"idle_launch", 5 * ms}}));
        // Nothing is compiled before a launch: that time is the program's own.
        QCOMPARE(named(budgets, gpu.within({20 * us, 1 * ms})), (Named{{"idle_own_code", 980 * us}}));
    }

    /// Time before a compiler belongs to it, if its code is loaded right after: Numba compiles at the first
    /// launch of a kernel. Libraries alone are not a compiler.
    void compilersAreToldByWhatTheyBeginWith()
    {
        for (const bool isCompiler : {true, false}) {
            DrawnProgram drawn;
            drawn.kernel("a_gemm", 0, {10 * us, 1 * ms});
            drawn.event(EventKind::Overhead, isCompiler ? "dlopen(libnvvm.so.4)" : "dlopen(libmkl.so)",
                {3 * ms, 4 * ms});
            drawn.call(isCompiler ? "cuInit" : "cudaEventQuery", {5 * ms, 5 * ms + 5 * us});
            drawn.call("cuLibraryLoadData", {7 * ms, 8 * ms});
            drawn.kernel("b_gemm", 9 * ms, {9 * ms + 10 * us, 11 * ms});
            const auto trace = drawn.finish();
            const GpuBudgets budgets(*trace);
            const Named parts = named(budgets, budgets.gpus()[0].within({1 * ms, 8 * ms}));
            if (isCompiler)
                QCOMPARE(parts, (Named{{"idle_code_loading", 7 * ms}}));
            else // behind the library
                QCOMPARE(parts,
                    (Named{{"idle_own_code", 2 * ms}, {"idle_other_call", 5 * us},
                        {"idle_code_loading", 5 * ms - 5 * us}}));
        }
    }

    /// Rules and budgets take compiling from one timeline: ranges that say so, and own code before a load
    /// since the last range of the program, launch, copy, wait or allocation, and since the GPU began.
    void compilingIsTheSameForAll()
    {
        DrawnProgram drawn;
        drawn.call("cuModuleLoadData", {-2 * ms, -1 * ms});
        drawn.kernel("a_gemm", 0, {10 * us, 1 * ms});
        drawn.range("XlaCompile:#module=jit_step#", {2 * ms, 4 * ms});
        drawn.call("cuCtxSetCurrent", {5 * ms, 5 * ms + us});
        drawn.call("cuModuleLoadData", {7 * ms, 8 * ms});
        drawn.call("cudaMalloc", {10 * ms, 11 * ms});
        drawn.call("cuLibraryLoadData", {12 * ms, 13 * ms});
        drawn.range("compiled step", {14 * ms, 15 * ms});
        drawn.kernel("b_gemm", 16 * ms, {16 * ms + 10 * us, 17 * ms});
        const auto trace = drawn.finish();
        const GpuBudgets budgets(*trace);
        const Named parts = named(budgets, budgets.gpus()[0].within({1 * ms, 16 * ms}));
        QCOMPARE(parts.at("idle_code_loading"), 2 * ms + 4 * ms - us + 2 * ms);
        QCOMPARE(parts.at("idle_other_call"), us);
        QCOMPARE(parts.at("idle_allocation"), ms);
        TraceAnalysis facts(*trace, wholeOf(*trace), {});
        const HostTimeline& host = facts.host(DrawnProgram::threadOf(1));
        const CauseTimes times = host.split({1 * ms, 16 * ms});
        QCOMPARE(times[indexOf(IdleCause::CodeLoading)], parts.at("idle_code_loading"));
        QCOMPARE(totalTime(host.within(IdleCause::CodeLoading, {-10 * ms, 0})), ms);
    }

    /// Several ranges at once equal the sum of each.
    void stretchesAddUp()
    {
        DrawnProgram drawn;
        for (int i = 0; i < 300; ++i)
            drawn.kernel("a_gemm", i * ms, {i * ms + 10 * us, i * ms + 700 * us});
        const auto trace = drawn.finish();
        const GpuBudgets budgets(*trace);
        const GpuBudget& gpu = budgets.gpus()[0];
        std::vector<TimeRange> ranges{{-5 * ms, -4 * ms}};
        for (int i = 0; i < 299; i += 2)
            ranges.push_back({i * ms + 300 * us, i * ms + (i % 3) * ms + 800 * us});
        for (std::size_t i = 1; i < ranges.size(); ++i)
            ranges[i].start = std::max(ranges[i].start, ranges[i - 1].end); // disjoint
        ranges.push_back({400 * ms, 500 * ms});
        Budget sum(budgets.parts().size(), 0);
        for (const TimeRange& range : ranges) {
            const Budget one = gpu.within(range);
            for (std::size_t i = 0; i < one.size(); ++i)
                sum[i] += one[i];
        }
        QCOMPARE(gpu.within(ranges, {}), sum);
    }

    /// A copy that the host began before the GPU became idle is a copy call, not a launch; MPI's start does
    /// not wait for results.
    void callsAreNamed()
    {
        DrawnProgram drawn;
        drawn.kernel("a_gemm", 0, {10 * us, 1 * ms});
        drawn.copy({500 * us, 5 * ms}, {4 * ms, 5 * ms});
        drawn.libraryCall("MPI", "MPI_Init_thread", {6 * ms, 8 * ms});
        drawn.libraryCall("MPI", "MPI_Barrier", {8 * ms, 9 * ms});
        drawn.kernel("b_gemm", 10 * ms, {10 * ms + 10 * us, 11 * ms});
        const auto trace = drawn.finish();
        const GpuBudgets budgets(*trace);
        const GpuBudget& gpu = budgets.gpus()[0];
        QCOMPARE(named(budgets, gpu.within({1 * ms, 4 * ms})), (Named{{"idle_copy_call", 3 * ms}}));
        QCOMPARE(named(budgets, gpu.within({6 * ms, 9 * ms})),
            (Named{{"idle_rank_start", 2 * ms}, {"idle_other_ranks", 1 * ms}}));
    }

    /// Pages that the host waits for are separate from the code that touches them.
    void hostWaitsForPages()
    {
        DrawnProgram drawn;
        drawn.kernel("a_gemm", 0, {10 * us, 1 * ms});
        drawn.migration(CopyKind::UnifiedDtoH, {2 * ms, 4 * ms}, 4096, 0x1000);
        drawn.kernel("b_gemm", 9 * ms, {9 * ms + 10 * us, 11 * ms});
        const auto trace = drawn.finish();
        const GpuBudgets budgets(*trace);
        const GpuBudget& gpu = budgets.gpus()[0];
        Ns pages = 0;
        for (const auto& [id, time] : named(budgets, gpu.within({1 * ms, 9 * ms})))
            pages += id == "idle_host_pages" || id == "wait_for_pages" ? time : 0;
        QCOMPARE(pages, 2 * ms);
    }

    /// A page that comes back soon ends the gap, but no launch does: the host is in its own code.
    void pagesAreNoPaceOfLaunching()
    {
        DrawnProgram drawn;
        drawn.kernel("a_gemm", 0, {10 * us, 1 * ms});
        drawn.migration(CopyKind::UnifiedDtoH, {1500 * us, 1600 * us}, 4096, 0x1000);
        drawn.kernel("b_gemm", 9 * ms, {9 * ms + 10 * us, 11 * ms});
        const auto trace = drawn.finish();
        const GpuBudgets budgets(*trace);
        QCOMPARE(named(budgets, budgets.gpus()[0].within({1 * ms, 1500 * us})),
            (Named{{"idle_own_code", 500 * us}}));
    }

    /// The findings' values: launching, sleeping, loading code, over the life of the GPU. The expected
    /// lengths come from the report's tables by SQL and an independent sweep.
    void idleOnReports_data()
    {
        QTest::addColumn<QString>("report");
        QTest::addColumn<QString>("part");
        QTest::addColumn<qlonglong>("micros");
        QTest::newRow("asleep") << "SamuelAmsih__CUDA__report11"
                                << "idle_off_cpu" << 6392654LL;
        QTest::newRow("queued") << "SamuelAmsih__CUDA__report11"
                                << "idle_queued" << 2717440LL;
        QTest::newRow("code") << "IkerCanut__fire_spread__report1"
                              << "idle_code_loading" << 15881LL;
        QTest::newRow("copies") << "PolPuigPuy__OpenACC_Project_PolPuig__report12"
                                << "idle_copy_call" << 16098LL;
        QTest::newRow("memory") << "PolPuigPuy__OpenACC_Project_PolPuig__report12"
                                << "idle_allocation" << 13582LL;
    }
    void idleOnReports()
    {
        QFETCH(QString, report);
        QFETCH(QString, part);
        QFETCH(qlonglong, micros);
        const std::string path = sharedReport("public/" + report.toStdString());
        if (path.empty())
            QSKIP("../shared/reports/public is not here");
        const auto trace = load(path);
        QVERIFY(trace);
        const GpuBudgets budgets(*trace);
        QCOMPARE(budgets.gpus().size(), std::size_t{1});
        Ns time = 0;
        for (const auto& [id, length] : named(budgets, budgets.gpus()[0].within(lifeOfGpus(*trace))))
            time += QString::fromStdString(id).section(':', 0, 0) == part ? length : 0;
        QVERIFY2(std::abs(time / 1000 - micros) <= 1 + micros / 500, qPrintable(QString::number(time)));
    }

    void waitingForOthersIsApart()
    {
        DrawnProgram drawn;
        for (int i = 0; i < 4; ++i) {
            const Ns at = 10 * ms * i;
            drawn.kernel("my_gemm", at, {at + 1 * ms, at + 2 * ms});
            // The fastest takes 1 ms, and a quarter more is an ordinary transfer: more is waiting.
            drawn.kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096>)", at + 1,
                {at + 2 * ms, at + 3 * ms + i * ms}, {.stream = 9});
        }
        const auto trace = drawn.finish();
        // A single rank whose messages have no size: even the fastest may have waited.
        const GpuBudgets alone(*trace);
        const Named unsplit = named(alone, alone.gpus()[0].within({0, 40 * ms}));
        QCOMPARE(unsplit.at("communication_unsplit"), 10 * ms);
        QVERIFY(!unsplit.contains("communication_transfer") && !unsplit.contains("communication_wait"));
        // With the other ranks' reports the waits are known.
        KnownWaits waits;
        waits[{DrawnProgram::process, 0}] = {{3 * ms, 3 * ms + 1}, {12 * ms, 13 * ms}};
        const GpuBudgets budgets(*trace, kernelClassRules(), {}, waits);
        const Named parts = named(budgets, budgets.gpus()[0].within({0, 40 * ms}));
        QCOMPARE(parts.at("communication_transfer"), 9 * ms);
        QCOMPARE(parts.at("communication_wait"), 1 * ms);
        QCOMPARE(parts.at("compute_gemm"), 4 * ms);
    }

    /// The rule names the outermost range that loads; the budget has the same name for it.
    void loadingHasOneName()
    {
        DrawnProgram drawn;
        drawn.kernel("first", 0, {10 * us, 20 * us});
        drawn.range("data_load", {1 * ms, 30 * ms});
        drawn.range("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", {2 * ms, 29 * ms});
        drawn.kernel("my_gemm", 40 * ms, {40 * ms + 5 * us, 41 * ms});
        const auto trace = drawn.finish();
        const GpuBudgets budgets(*trace);
        const Named parts = named(budgets, budgets.gpus()[0].within({20 * us, 40 * ms}));
        QCOMPARE(parts.at("idle_data_loading:data_load"), 29 * ms);
    }

    void outsideOfTheSessionIsIdle()
    {
        DrawnProgram drawn;
        drawn.kernel("my_gemm", 0, {10, 20});
        const auto trace = drawn.finish();
        const GpuBudgets budgets(*trace);
        const Budget budget = budgets.gpus()[0].within({-100, 100});
        QCOMPARE(sumOf(budget), Ns{200});
        QCOMPARE(named(budgets, budget).at("compute_gemm"), Ns{10});
        QCOMPARE(sumOf(budgets.gpus()[0].within({50, 40})), Ns{0});
        QVERIFY(GpuBudgets(Trace()).gpus().empty());
    }

    void equalsBruteForce_data()
    {
        QTest::addColumn<unsigned>("seed");
        for (unsigned seed = 1; seed <= 60; ++seed)
            QTest::newRow(qPrintable(QString::number(seed))) << seed;
    }

    void equalsBruteForce()
    {
        QFETCH(unsigned, seed);
        const RandomProgram program(seed);
        const GpuBudgets budgets(program.trace());
        QCOMPARE(budgets.gpus().size(), std::size_t{1});
        const GpuBudget& gpu = budgets.gpus()[0];
        std::vector<Ns> times = program.boundaries();
        times.push_back(times.back() + 100); // no work follows
        Named whole;
        for (std::size_t i = 1; i < times.size(); ++i) {
            const TimeRange piece{times[i - 1], times[i]};
            if (piece.start < program.trace().session.start)
                continue;
            const std::string expected = program.partAt(piece.start);
            const Named told = named(budgets, gpu.within(piece));
            QVERIFY2(told == (Named{{expected, piece.duration()}}),
                qPrintable(QString("at %1: expected %2, told %3")
                               .arg(piece.start)
                               .arg(QString::fromStdString(expected),
                                   QString::fromStdString(told.empty() ? "nothing" : told.begin()->first))));
            whole[expected] += piece.duration();
        }
        QCOMPARE(named(budgets, gpu.within({program.trace().session.start, times.back()})), whole);
    }

    void stepsAddUpOnReports_data() { addReportsWithSteps(); }
    void stepsAddUpOnReports()
    {
        QFETCH(QString, name);
        const std::string path = sharedReport(name.toStdString());
        if (path.empty())
            QSKIP("../shared/reports is not here");
        const auto trace = load(path);
        QVERIFY(trace);
        const GpuBudgets budgets(*trace);
        const auto all = stepBudgets(*trace, budgets, findGpuSteps(*trace, wholeOf(*trace)));
        QVERIFY(!all.empty());
        std::size_t checked = 0;
        for (const StepBudgets& steps : all) {
            QVERIFY(steps.steady > 0);
            Ns meanSum = sumOf(steps.mean);
            Ns total = 0;
            for (const StepBudget& step : steps.steps) {
                QCOMPARE(sumOf(step.budget.whole()), step.gpu.duration());
                total += step.whole && !step.warmUp ? step.gpu.duration() : 0;
                if (step.gpu.empty() || ++checked > 200)
                    continue;
                // The same split by the algebra of intervals.
                const auto times = gpuTimes(*trace, step.gpu);
                const auto of = times.find({steps.found.process, steps.found.device});
                QVERIFY(of != times.end());
                const GpuSplit split = splitOf(of->second, step.gpu);
                const auto group
                    = [&](BudgetGroup each) { return totalOf(budgets.parts(), step.budget.whole(), each); };
                QCOMPARE(group(BudgetGroup::Compute), split.computing);
                QCOMPARE(group(BudgetGroup::Communication), split.communicating);
                QCOMPARE(group(BudgetGroup::Copies), split.copying + split.stalled);
                QCOMPARE(group(BudgetGroup::Idle), split.idle);
            }
            QCOMPARE(meanSum, total / static_cast<Ns>(steps.steady));
        }
    }
};

WARPLINE_TEST(GpuBudgetTest)

} // namespace tst_gpu_budget

#include "tst_gpu_budget.moc"
