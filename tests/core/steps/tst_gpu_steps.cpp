// Steps as the GPU sees them: from the first work of one to the first of the next.

#include "core/budget/step_budgets.h"
#include "core/findings/rule.h"
#include "core/load/load_report.h"
#include "core/render/render.h"
#include "core/stats/step_breakdown.h"
#include "core/steps/gpu_steps.h"
#include "core/steps/outlying_steps.h"
#include "tests/core/findings/drawn_program.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_gpu_steps {

using namespace warpline;
using namespace warpline::test;

namespace {

TimeRange wholeOf(const Trace& trace)
{
    return {trace.session.start, trace.session.end + 1};
}

/// Four steps of 10 ms on the host, which is two steps ahead of the GPU: each takes the GPU 20 ms, the second
/// half launched by a thread without ranges.
std::shared_ptr<const Trace> hostAhead()
{
    DrawnProgram drawn;
    for (int i = 0; i < 4; ++i) {
        const Ns host = 10 * ms * i;
        const Ns gpu = 1 * ms + 20 * ms * i;
        drawn.range("step_" + std::to_string(i), {host, host + 9 * ms});
        drawn.kernel("forward", host + 1 * ms, {gpu, gpu + 10 * ms});
        drawn.kernel("backward", host + 5 * ms, {gpu + 10 * ms, gpu + 19 * ms}, {.tid = 2});
        drawn.kernel("between", host + 9 * ms + 500 * us, {gpu + 19 * ms, gpu + 19 * ms + 1});
    }
    return drawn.finish();
}

} // namespace

class GpuStepsTest : public QObject {
    Q_OBJECT

private slots:
    /// An asynchronous loop launches in 50 us what runs for 15 ms: its ranges are steps nevertheless.
    void rangesThatOnlyLaunchAreSteps()
    {
        const auto drawn = [](std::string_view name, Ns covered) {
            DrawnProgram made;
            for (int i = 0; i < 12; ++i) {
                const Ns start = 10 * ms + 15 * ms * i;
                made.range(std::string(name) + std::to_string(i), {start, start + 50 * us});
                for (int k = 0; k < 5; ++k) {
                    const Ns runs = start + 100 * us + k * covered / 5;
                    made.kernel("MulFunctor" + std::to_string(k), start + (2 + 8 * k) * us,
                        {runs, runs + covered / 5});
                }
            }
            return made.finish();
        };
        const auto all = drawn("step_", 14 * ms);
        QCOMPARE(findSteps(*all, wholeOf(*all)).size(), std::size_t{1});
        const auto found = findGpuSteps(*all, wholeOf(*all));
        QCOMPARE(found.size(), std::size_t{1});
        QCOMPARE(keyOf(found.front().foundBy), keyOf(StepSource::Nvtx)); // no guess in addition to names
        QCOMPARE(found.front().median, 15 * ms);
        // Not named a step, but all of the GPU's work; not named and half of it; named, and all of it though
        // that is little.
        const auto unnamed = drawn("work_", 14 * ms);
        QCOMPARE(findSteps(*unnamed, wholeOf(*unnamed)).size(), std::size_t{1});
        const auto half = drawn("work_", 7 * ms);
        QVERIFY(findSteps(*half, wholeOf(*half)).empty());
        const auto little = drawn("step_", 500 * us);
        QCOMPARE(findSteps(*little, wholeOf(*little)).size(), std::size_t{1});
        QCOMPARE(findGpuSteps(*little, wholeOf(*little)).front().median, 15 * ms);
    }

    /// Short ranges that launch a tenth of the work are not steps, whatever their names.
    void namesAloneMakeNoSteps()
    {
        DrawnProgram made;
        for (int i = 0; i < 12; ++i) {
            const Ns start = 10 * ms + 15 * ms * i;
            made.range("step_" + std::to_string(i), {start, start + 50 * us});
            for (int k = 0; k < 10; ++k) {
                const Ns runs = start + (100 + 1000 * k) * us;
                made.kernel("kernel", k == 0 ? start + us : runs - 10 * us, {runs, runs + 100 * us});
            }
        }
        const auto trace = made.finish();
        QVERIFY(findSteps(*trace, wholeOf(*trace)).empty());
    }

    /// Two ranges that are named steps win over a sequence of kernels that repeats.
    void twoNamedStepsAreNoGuess()
    {
        const auto drawn = [](std::string_view name) {
            DrawnProgram made;
            for (int i = 0; i < 2; ++i) {
                const Ns start = 10 * ms + 30 * ms * i;
                made.range(std::string(name) + std::to_string(i), {start, start + 29 * ms});
                for (int k = 0; k < 100; ++k) {
                    const Ns time = start + (100 + 280 * k) * us;
                    made.kernel("kernel_" + std::to_string(k % 5), time, {time + 10 * us, time + 200 * us});
                }
            }
            return made.finish();
        };
        const auto steps = drawn("step_");
        const auto found = findGpuSteps(*steps, wholeOf(*steps));
        QCOMPARE(found.size(), std::size_t{1});
        QCOMPARE(found.front().host.pattern, std::string("step_#"));
        const auto requests = drawn("request_");
        const auto guessed = findGpuSteps(*requests, wholeOf(*requests));
        QCOMPARE(guessed.size(), std::size_t{1});
        QCOMPARE(keyOf(guessed.front().foundBy), keyOf(StepSource::KernelSequence));
    }

    /// A program that settles after eight steps is analyzed from there on.
    void stepsBeforeAProgramSettlesAreWarmUp()
    {
        DrawnProgram made;
        Ns start = 10 * ms;
        for (int i = 0; i < 24; ++i) {
            const Ns length = (i < 8 ? 14 : 10) * ms + (i * 37 % 11) * us;
            made.range("step_" + std::to_string(i), {start, start + length});
            made.kernel("kernel", start + 10 * us, {start + 20 * us, start + 9 * ms});
            start += length;
        }
        const auto trace = made.finish();
        const auto found = findGpuSteps(*trace, wholeOf(*trace));
        QCOMPARE(found.front().gpu.firstSteady, std::size_t{8});
        QVERIFY(std::abs(found.front().median - 10 * ms) < 20 * us);
    }

    void measuresWhatTheGpuDoes()
    {
        const auto trace = hostAhead();
        const auto all = findGpuSteps(*trace, wholeOf(*trace));
        QCOMPARE(all.size(), std::size_t{1});
        const GpuSteps& steps = all.front();
        QCOMPARE(steps.host.median, 9 * ms);
        QCOMPARE(steps.median, 20 * ms);
        QCOMPARE(steps.gpu.size(), std::size_t{3});
        QCOMPARE(steps.gpu.ranges[1], (TimeRange{21 * ms, 41 * ms}));
        QCOMPARE(steps.lastIndex, std::size_t{3});
        // To the end of the work that autograd's thread launched in it.
        QCOMPARE(steps.last, (TimeRange{61 * ms, 80 * ms}));
        QCOMPARE(steps.rangeOf(2), (TimeRange{41 * ms, 61 * ms}));
        QCOMPARE(steps.rangeOf(3), steps.last);
    }

    void countsThoseThatLieInTheWindow()
    {
        const auto trace = hostAhead();
        // The second on the host begins with it; on the GPU it runs from 21 to 41 ms. The first is cut on the
        // host, where its first work is launched before the window, and on the GPU.
        const auto all = findGpuSteps(*trace, {5 * ms, 50 * ms});
        QCOMPARE(all.size(), std::size_t{1});
        QCOMPARE(all.front().host.size(), std::size_t{4});
        QCOMPARE(all.front().gpu.ranges, (std::vector<TimeRange>{{21 * ms, 41 * ms}}));
        QCOMPARE(all.front().indexes, std::vector<std::size_t>{1});
        QCOMPARE(all.front().median, 20 * ms);
        QVERIFY(all.front().last.empty()); // it begins at 61 ms
        QVERIFY(findGpuSteps(*trace, {5 * ms, 35 * ms}).front().gpu.empty());
    }

    void aStepWithoutWorkIsNone()
    {
        DrawnProgram drawn;
        for (int i = 0; i < 4; ++i) {
            drawn.range("step_" + std::to_string(i), {10 * ms * i, 10 * ms * i + 9 * ms});
            if (i != 1)
                drawn.kernel("k", 10 * ms * i + 1 * ms, {10 * ms * i + 2 * ms, 10 * ms * i + 3 * ms});
        }
        const auto trace = drawn.finish();
        const auto all = findGpuSteps(*trace, wholeOf(*trace));
        QCOMPARE(all.size(), std::size_t{1});
        QCOMPARE(all.front().indexes, (std::vector<std::size_t>{0, 2}));
        QCOMPARE(all.front().gpu.ranges.front(), (TimeRange{2 * ms, 22 * ms}));
        QVERIFY(all.front().rangeOf(1).empty());
    }

    void stepsNeverRunBackwards()
    {
        DrawnProgram drawn;
        for (int i = 0; i < 4; ++i) {
            const Ns start = i == 1 ? 15 * ms : 10 * ms * i + 2 * ms;
            drawn.range("step_" + std::to_string(i), {10 * ms * i, 10 * ms * i + 9 * ms});
            // Step 2 copies ahead on a stream of its own, before step 1 gets to run.
            drawn.kernel("k", 10 * ms * i + 1 * ms, {i == 2 ? 14 * ms : start, start + 1 * ms},
                {.stream = i == 2 ? 9 : 7});
        }
        const auto trace = drawn.finish();
        const GpuSteps steps = findGpuSteps(*trace, wholeOf(*trace)).front();
        for (std::size_t i = 1; i < steps.gpu.size(); ++i)
            QCOMPARE(steps.gpu.ranges[i].start, steps.gpu.ranges[i - 1].end);
        QVERIFY(steps.last.start >= steps.gpu.ranges.back().start);
    }

    void oneForEachGpu()
    {
        DrawnProgram drawn;
        for (int i = 0; i < 4; ++i) {
            drawn.range("step_" + std::to_string(i), {10 * ms * i, 10 * ms * i + 9 * ms});
            for (int device = 0; device < 2; ++device)
                drawn.kernel("k", 10 * ms * i + 1 * ms, {10 * ms * i + 2 * ms, 10 * ms * i + 3 * ms},
                    {.device = device});
        }
        const auto trace = drawn.finish();
        const auto all = findGpuSteps(*trace, wholeOf(*trace));
        QCOMPARE(all.size(), std::size_t{2});
        QCOMPARE(all[0].device, 0);
        QCOMPARE(all[1].device, 1);
    }

    /// Twelve steps of 5 ms; step 6 loads for 100 ms before it launches: the GPU's step 5 waits all that
    /// time, but step 6 is the slow one. Step 9 is slow on the GPU only.
    void theSlowStepIsWhereTheTimeWent()
    {
        DrawnProgram drawn;
        Ns at = 0;
        for (int i = 0; i < 12; ++i) {
            const Ns load = i == 6 ? 100 * ms : 0;
            const Ns work = i == 9 ? 12 * ms : 3 * ms;
            drawn.range("step_" + std::to_string(i), {at, at + load + 5 * ms});
            drawn.kernel("k", at + load + 1 * ms, {at + load + 1 * ms + 3 * us, at + load + 1 * ms + work});
            at += load + (i == 9 ? 14 * ms : 5 * ms + 10 * us);
        }
        const auto trace = drawn.finish();
        const GpuSteps steps = findGpuSteps(*trace, wholeOf(*trace)).front();
        QVERIFY(steps.gpu.ranges[5].duration() > 100 * ms);
        const std::vector<OutlyingStep> slow = outlyingSteps(steps);
        QCOMPARE(slow.size(), std::size_t{2});
        QCOMPARE(slow[0].index, std::size_t{6});
        QVERIFY(!slow[0].onGpu);
        QCOMPARE(slow[0].length, 105 * ms);
        QCOMPARE(slow[0].usual, 5 * ms);
        QCOMPARE(slow[1].index, std::size_t{9});
        QVERIFY(slow[1].onGpu);
        // The table, the budget and the finding mark the same.
        const StepBreakdown table = breakDownSteps(*trace, {});
        const GpuBudgets budgets(*trace);
        const StepBudgets split = stepBudgets(*trace, budgets, {steps}).front();
        QCOMPARE(table.steps.size(), std::size_t{12});
        for (std::size_t i = 0; i < 12; ++i) {
            QCOMPARE(table.steps[i].outlier, i == 6 || i == 9);
            QCOMPARE(split.steps[i].outlier, i == 6 || i == 9);
        }
        const Rule* const rule = findRule("nvtx_outlier_steps");
        const auto findings = runRules(*trace, wholeOf(*trace), std::span(&rule, 1));
        QCOMPARE(findings.size(), std::size_t{1});
        QVERIFY2(plain(findings.front().title)
                     .starts_with("2 of 12 steps are far slower than the rest, above all step_6"),
            plain(findings.front().title).c_str());
    }

    /// Six steps whose work takes the GPU 74 ms each and the host 42 ms, until its queue is full: then a step
    /// takes the host as long as the GPU. The last one is not a slow step, unless it continues after all
    /// work.
    void aFullQueueMakesNoSlowStep()
    {
        for (const Ns behind : {Ns{0}, 150 * ms}) {
            DrawnProgram drawn;
            for (int i = 0; i < 6; ++i) {
                const Ns at = i * 42 * ms;
                const Ns throttled = i == 5 ? 30 * ms + (behind > 0 ? 172 * ms + behind : 0) : 0;
                drawn.range("step_" + std::to_string(i), {at, at + 42 * ms + throttled});
                drawn.kernel("k", at + ms, {2 * ms + i * 74 * ms, (i + 1) * 74 * ms});
            }
            const auto trace = drawn.finish();
            const GpuSteps steps = findGpuSteps(*trace, wholeOf(*trace)).front();
            QCOMPARE(steps.lastIndex, std::size_t{5});
            const std::vector<OutlyingStep> slow = outlyingSteps(steps);
            QCOMPARE(slow.size(), behind > 0 ? std::size_t{1} : std::size_t{0});
            QCOMPARE(isHiddenFromGpu(steps, 5, steps.host.ranges[5].duration() - 42 * ms), behind == 0);
            const Rule* const rule = findRule("nvtx_outlier_steps");
            const auto findings = runRules(*trace, wholeOf(*trace), std::span(&rule, 1));
            QCOMPARE(findings.size(), slow.size());
        }
    }

    /// torch.profiler records a single step on request (active=1).
    void oneStepOfTheProfilerIsAStep()
    {
        DrawnProgram drawn;
        drawn.kernel("before", 0, {0, 3 * ms}, {.isLaunchRecorded = false});
        drawn.range("ProfilerStep#6", {1 * ms, 9 * ms});
        drawn.range("aten::mm", {2 * ms, 3 * ms});
        drawn.kernel("a_gemm", 2 * ms, {4 * ms, 6 * ms});
        drawn.kernel("b_gemm", 3 * ms, {7 * ms, 8 * ms});
        const auto trace = drawn.finish();
        const auto all = findGpuSteps(*trace, wholeOf(*trace));
        QCOMPARE(all.size(), std::size_t{1});
        QCOMPARE(all.front().host.pattern, std::string("ProfilerStep#"));
        QVERIFY(all.front().gpu.empty());
        QCOMPARE(all.front().last, (TimeRange{4 * ms, 8 * ms}));
        const GpuBudgets budgets(*trace);
        const StepBudgets split = stepBudgets(*trace, budgets, all).front();
        QCOMPARE(split.steady, std::size_t{0});
        QCOMPARE(split.mean, split.steps.front().budget.whole());
        QCOMPARE(totalOf(budgets.parts(), split.mean, BudgetGroup::Compute), 3 * ms);
        // Where the program's own ranges show steps, these are the steps.
        DrawnProgram own;
        own.range("ProfilerStep#6", {1 * ms, 20 * ms});
        for (int i = 0; i < 4; ++i) {
            own.range("token_" + std::to_string(i), {(10 + i) * ms, (11 + i) * ms - us});
            own.kernel("c_gemm", (10 + i) * ms + us, {(10 + i) * ms + 10 * us, (10 + i) * ms + 500 * us});
        }
        const auto more = own.finish();
        QCOMPARE(findGpuSteps(*more, wholeOf(*more)).front().host.pattern, std::string("token_#"));
    }

    void guessesWithoutRanges()
    {
        DrawnProgram drawn;
        for (int i = 0; i < 9; ++i) {
            const Ns at = 10 * ms * i;
            drawn.kernel("first", at, {at + 1 * ms, at + 2 * ms});
            for (int layer = 0; layer < 3; ++layer)
                drawn.kernel(
                    "layer", at + (layer + 1) * 100 * us, {at + (2 + layer) * ms, at + (3 + layer) * ms});
            drawn.kernel("update", at + 500 * us, {at + 6 * ms, at + 7 * ms});
        }
        const auto trace = drawn.finish();
        const auto all = findGpuSteps(*trace, wholeOf(*trace));
        QCOMPARE(all.size(), std::size_t{1});
        QCOMPARE(all.front().foundBy, StepSource::KernelSequence);
        QCOMPARE(all.front().host.pattern, std::string("first + 4 kernels"));
        QCOMPARE(all.front().host.size(), std::size_t{9});
        QCOMPARE(all.front().median, 10 * ms);
        // Ranges that the user names are no guess, and none found is none.
        QVERIFY(findGpuSteps(*trace, wholeOf(*trace), "step*").empty());
    }

    /// Other orders of the same kernels after the loop do not belong to it.
    void endsWhereTheSequenceEnds()
    {
        DrawnProgram drawn;
        Ns at = 0;
        for (int i = 0; i < 20; ++i, at += 10 * ms) {
            int k = 0;
            for (const char* const name : {"norm", "norm", "gemm", "sort"})
                drawn.kernel(name, at + k * 100 * us, {at + (1 + k) * ms, at + (2 + k) * ms}), ++k;
        }
        const Ns end = at;
        for (int i = 0; i < 4; ++i, at += 30 * ms) {
            for (int k = 0; k < 2; ++k)
                drawn.kernel(
                    k == 0 ? "gemm" : "sort", at + k * 100 * us, {at + (1 + k) * ms, at + (20 + k) * ms});
        }
        const auto trace = drawn.finish();
        const auto all = findGpuSteps(*trace, wholeOf(*trace));
        QCOMPARE(all.size(), std::size_t{1});
        QCOMPARE(all.front().host.pattern, std::string("norm + 3 kernels"));
        QCOMPARE(all.front().host.size(), std::size_t{20});
        QVERIFY(all.front().host.ranges.back().end < end);
    }

    /// Sequences that hold attention once are layers of one step.
    void layersAreNoSteps()
    {
        DrawnProgram drawn;
        for (int i = 0; i < 24; ++i) {
            const Ns at = 10 * ms * i;
            int k = 0;
            for (const char* const name : {"norm", "flash_attention_fwd", "gemm"})
                drawn.kernel(name, at + k * 100 * us, {at + (1 + k) * ms, at + (2 + k) * ms}), ++k;
        }
        QVERIFY(findGpuSteps(*drawn.finish(), {0, 240 * ms}).empty());
    }

    void guessesFromGraphs()
    {
        DrawnProgram drawn;
        for (int i = 0; i < 12; ++i) {
            const Ns at = 1 * ms * i;
            drawn.kernel(i % 2 == 0 ? "even" : "odd", at, {at + 10 * us, at + 500 * us},
                {.graphNode = i % 2 == 0 ? 5U : 6U});
        }
        const auto trace = drawn.finish();
        const auto all = findGpuSteps(*trace, wholeOf(*trace));
        QCOMPARE(all.size(), std::size_t{1});
        QCOMPARE(all.front().foundBy, StepSource::GraphLaunches);
        QCOMPARE(all.front().host.pattern, std::string("2 x cudaLaunchKernel"));
        QCOMPARE(all.front().host.size(), std::size_t{6});
        QCOMPARE(all.front().median, 2 * ms);
    }

    void aStormIsNoStep()
    {
        DrawnProgram drawn;
        for (int i = 0; i < 100; ++i)
            drawn.kernel("tiny", i * 100 * us, {i * 100 * us + 5 * us, i * 100 * us + 8 * us});
        const auto trace = drawn.finish();
        QVERIFY(findGpuSteps(*trace, wholeOf(*trace)).empty());
    }

    void findsThePeriod()
    {
        using Symbols = std::vector<std::uint64_t>;
        QCOMPARE(periodOf({}), std::size_t{0});
        QCOMPARE(periodOf({1, 2, 3, 4, 5, 6}), std::size_t{0});
        Symbols repeated;
        for (int i = 0; i < 10; ++i)
            repeated.insert(repeated.end(), {1, 2, 2, 3});
        QCOMPARE(periodOf(repeated), std::size_t{4});
        repeated.insert(repeated.begin(), {9, 9, 8, 7, 6}); // start-up
        QCOMPARE(periodOf(repeated), std::size_t{4});
        QCOMPARE(periodOf(Symbols(50, 7)), std::size_t{1});
    }

    void equalsSql_data()
    {
        QTest::addColumn<double>("medianMs"); // measured independently; 0: only SQL decides
        QTest::newRow("bert_fp32") << 73.4;
        QTest::newRow("bert_amp") << 68.5;
        for (const char* const name : {"cnn_workers0", "cnn_workers8", "decode", "ddp_overlap_rank0",
                 "ddp_straggler_rank0", "ddp_straggler_rank1", "h200-more/vit", "h200-more/llama_bf16",
                 "h200-more/fsdp_rank0", "h200-more/pipe_rank0"})
            QTest::newRow(name) << 0.0;
    }

    void equalsSql()
    {
        QFETCH(double, medianMs);
        const std::string path = sharedReport(QTest::currentDataTag());
        if (path.empty())
            QSKIP("../shared/reports is not here");
        auto loaded = loadReport(path);
        QVERIFY(loaded.ok());
        const std::shared_ptr<const Trace> trace = loaded.take();
        const auto all = findGpuSteps(*trace, wholeOf(*trace));
        QCOMPARE(all.size(), std::size_t{1});
        const GpuSteps& steps = all.front();
        if (medianMs > 0)
            QVERIFY2(std::abs(static_cast<double>(steps.median) / 1e6 - medianMs) < 0.1,
                qPrintable(QString::number(steps.median)));

        std::string work;
        for (const std::string table : {"CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_MEMCPY",
                 "CUPTI_ACTIVITY_KIND_MEMSET", "CUPTI_ACTIVITY_KIND_GRAPH_TRACE"}) {
            if (sqlHasTable(path, table))
                work += (work.empty() ? "" : " union all ")
                    + ("select start, end, correlationId as c from " + table);
        }
        const std::size_t every = steps.host.size() / 10 + 1; // SQL takes its time
        for (std::size_t i = steps.lastIndex % every; i < steps.host.size(); i += every) {
            const TimeRange host = steps.host.ranges[i];
            const auto rows = sqlRows(path,
                "select min(w.start), max(w.end) from (" + work
                    + ") w join CUPTI_ACTIVITY_KIND_RUNTIME r on r.correlationId = w.c where r.start >= "
                    + std::to_string(host.start) + " and r.start < " + std::to_string(host.end));
            QVERIFY(rows && rows->size() == 1);
            const TimeRange gpu = steps.rangeOf(i);
            QCOMPARE(std::to_string(gpu.start), rows->front()[0]);
            if (i == steps.lastIndex)
                QCOMPARE(std::to_string(gpu.end), rows->front()[1]);
        }
        QCOMPARE(steps.gpu.ranges.back().end, steps.last.start);
    }
};

WARPLINE_TEST(GpuStepsTest)

} // namespace tst_gpu_steps

#include "tst_gpu_steps.moc"
