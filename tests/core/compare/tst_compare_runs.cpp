// Comparison of two runs: measures, parts that add up, matching, and incomparable runs. On synthetic
// programs; the real reports are in tst_compare_reports.

#include "core/analysis/idle_cause.h"
#include "core/compare/compare_runs.h"
#include "core/compare/compare_tables.h"
#include "core/export/compare_text.h"
#include "core/findings/finding_words.h"
#include "core/findings/rule.h"
#include "core/render/render.h"
#include "core/steps/gpu_steps.h"
#include "core/store/part_of_recording.h"

#include "tests/core/findings/drawn_program.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <random>
#include <set>
#include <utility>

namespace tst_compare_runs {

using namespace warpline;
using namespace warpline::test;

namespace {

/// A program of `steps` steps of four kernels, the third of which takes `third`, named `name`.
std::shared_ptr<const Trace> program(Ns third, std::string_view name = "gemm_f32", std::size_t steps = 12,
    Ns idle = 0, Ns communication = 0, std::size_t firstNumber = 0)
{
    DrawnProgram program;
    Ns time = 10 * ms;
    for (std::size_t i = 0; i < steps; ++i) {
        const Ns start = time;
        const Ns jitter = static_cast<Ns>(i % 3) * us;
        const Ns length = 400 * us + third + jitter + idle;
        program.range("step_" + std::to_string(firstNumber + i), {start, start + length});
        program.range("forward", {start + us, start + length - us});
        program.kernel("load", start + 2 * us, {start + 20 * us, start + 120 * us});
        program.kernel("norm<float>", start + 4 * us, {start + 120 * us, start + 220 * us});
        program.kernel(name, start + 6 * us, {start + 220 * us, start + 220 * us + third});
        program.kernel(
            "store", start + 8 * us, {start + 220 * us + third + jitter, start + 400 * us + third + jitter});
        if (communication > 0)
            program.kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL", start + 10 * us,
                {start + 30 * us, start + 30 * us + communication}, {.stream = 17});
        time += length;
    }
    return program.finish();
}

/// A step of three kernels in one millisecond, without a name.
void drawLayers(DrawnProgram& program, Ns start)
{
    for (int layer = 0; layer < 3; ++layer)
        program.kernel("layer_" + std::to_string(layer), start + 10 * layer * us,
            {start + (50 + 300 * layer) * us, start + (340 + 300 * layer) * us});
}

constexpr double flopsOfProduct = 2.0 * 4096 * 4096 * 4096;
constexpr std::string_view bf16Kernel = "nvjet_sm90_tst_128x256_64x4_2x1_v_bz_coopA_NTN";
constexpr std::string_view fp32Kernel = "cutlass_80_simt_sgemm_128x128_8x4_nn_align1";

/// Twelve steps of two products of 4096 x 4096 matrices, each in one kernel of `length`.
std::shared_ptr<const Trace> shapedProgram(Ns length, std::string_view kernel)
{
    DrawnProgram program;
    Ns time = 10 * ms;
    int number = 0;
    for (int i = 0; i < 12; ++i) {
        const Ns start = time;
        time += 2 * length + 200 * us;
        program.range("step_" + std::to_string(i), {start, time});
        for (const Ns at : {start + 10 * us, start + length + 60 * us}) {
            program.range("aten::mm, seq = 0, op_id = " + std::to_string(number++)
                    + ", sizes = [[4096, 4096], [4096, 4096]], input_op_ids = [(-1,-1), (-1,-1)]",
                {at, at + 20 * us});
            program.kernel(kernel, at + 5 * us, {at + 30 * us, at + 30 * us + length}, {.blocks = 4096});
        }
    }
    return program.finish();
}

CompareRequest asked(const std::shared_ptr<const Trace>& a, const std::shared_ptr<const Trace>& b)
{
    CompareRequest request;
    request.a.reports.push_back({a, "a.sqlite"});
    request.b.reports.push_back({b, "b.sqlite"});
    return request;
}

Both<Ns> budgetSums(const Comparison& comparison)
{
    Both<Ns> sums;
    for (const BudgetLine& line : comparison.budget) {
        sums.a += line.time.a;
        sums.b += line.time.b;
    }
    return sums;
}

} // namespace

class CompareRunsTest : public QObject {
    Q_OBJECT

private slots:
    void equalKernelsAreComparedByTheirTime();
    void aFasterKernelMakesAFasterRun()
    {
        const Comparison comparison = compareRuns(asked(program(900 * us), program(500 * us)));
        QVERIFY2(comparison.comparable, plain(comparison.sentence).c_str());
        QCOMPARE(comparison.unit, CompareUnit::Step);
        QCOMPARE(keyOf(comparison.verdict), keyOf(CompareVerdict::Faster));
        QCOMPARE(comparison.delta, -400 * us);
        const Both<Ns> sums = budgetSums(comparison);
        QCOMPARE(sums.a, Ns{std::llround(comparison.sides.a.mean)});
        QCOMPARE(sums.b, Ns{std::llround(comparison.sides.b.mean)});
        const CompareRow& most = comparison.table("kernels")->rows.front();
        QCOMPARE(most.a.name, std::string("gemm_f32"));
        QCOMPARE(keyOf(most.matchedBy), keyOf(MatchedBy::NameAndShape));
        QCOMPARE(keyOf(most.change), keyOf(RowChange::Faster));
        QCOMPARE(most.delta(), -400.0 * us);
    }

    void aRunWithItselfIsNoDifference()
    {
        const auto trace = program(900 * us);
        const Comparison comparison = compareRuns(asked(trace, trace));
        QVERIFY(comparison.comparable);
        QCOMPARE(keyOf(comparison.verdict), keyOf(CompareVerdict::NoDifference));
        QCOMPARE(comparison.delta, Ns{0});
        for (const CompareRow& row : comparison.table("kernels")->rows)
            QCOMPARE(keyOf(row.change), keyOf(RowChange::Same));
    }

    void operatorsAreComparedByShape()
    {
        const auto slow = shapedProgram(400 * us, bf16Kernel);
        const Comparison comparison = compareRuns(asked(slow, shapedProgram(200 * us, bf16Kernel)));
        const CompareTable* const table = comparison.table("operators");
        QVERIFY(table && table->isWork);
        QCOMPARE(table->rows.size(), std::size_t{1});
        const CompareRow& row = table->rows.front();
        QCOMPARE(keyOf(row.matchedBy), keyOf(MatchedBy::Name));
        QCOMPARE(keyOf(row.change), keyOf(RowChange::Faster));
        QCOMPARE(row.a.label, std::string("aten::mm [4096,4096] [4096,4096] BF16"));
        QCOMPARE(row.a.countPerStep, 2.0);
        for (const auto& [figures, length] : {std::pair(&row.a, 400e-6), std::pair(&row.b, 200e-6)}) {
            QCOMPARE(figures->average, length * 1e9);
            QCOMPARE(figures->flopsPerSecond(), flopsOfProduct / length);
            QCOMPARE(figures->bytesPerSecond(), 3 * 2 * 4096.0 * 4096 / length);
            QVERIFY(std::abs(figures->rooflineShare() - flopsOfProduct / 989.4e12 / length) < 1e-3);
        }
        // In another arithmetic it is the same operator.
        const Comparison types = compareRuns(asked(shapedProgram(4 * ms, fp32Kernel), slow));
        const CompareRow& both = types.table("operators")->rows.front();
        QCOMPARE(types.table("operators")->rows.size(), std::size_t{1});
        QCOMPARE(keyOf(both.matchedBy), keyOf(MatchedBy::NameWithoutArguments));
        QVERIFY(both.a.label.ends_with("FP32") && both.b.label.ends_with("BF16"));
        // Against the peak of the type: FP32 at 66.9 TFLOP/s.
        QVERIFY(std::abs(both.a.rooflineShare() - flopsOfProduct / 66.9e12 / 4e-3) < 1e-2);
        QVERIFY(!compareRuns(asked(program(900 * us), program(500 * us))).table("operators"));
    }

    void otherNamesAreMatchedByPathAndOrder()
    {
        const Comparison comparison = compareRuns(asked(program(900 * us, "ampere_sgemm_128x64_tn"),
            program(300 * us, "sm90_xmma_gemm_f16f16_f16f32_tn_n")));
        QVERIFY2(comparison.comparable, plain(comparison.sentence).c_str());
        const CompareRow& most = comparison.table("kernels")->rows.front();
        QCOMPARE(keyOf(most.matchedBy), keyOf(MatchedBy::NvtxPath));
        QCOMPARE(most.a.name, std::string("ampere_sgemm_128x64_tn"));
        QCOMPARE(most.b.name, std::string("sm90_xmma_gemm_f16f16_f16f32_tn_n"));
        QCOMPARE(most.where, std::string("forward"));
        QCOMPARE(comparison.matched.all.a, 1.0);
        QCOMPARE(comparison.matched.nvtxPath.b, 1.0);
    }

    void stepsByTheirNameAreThoseThatAreFound()
    {
        CompareRequest request = asked(program(900 * us, "ampere_sgemm_128x64_tn"),
            program(300 * us, "sm90_xmma_gemm_f16f16_f16f32_tn_n"));
        const Comparison found = compareRuns(request);
        request.a.stepGlob = request.b.stepGlob = "step_*";
        const Comparison named = compareRuns(request);
        QVERIFY2(named.comparable, plain(named.sentence).c_str());
        QCOMPARE(named.delta, found.delta);
        request.a.stepGlob = request.b.stepGlob = "step_#"; // as it is printed
        QCOMPARE(compareRuns(request).delta, found.delta);
        // The steps' own numbers are no part of a path: kernels have their partners in all steps.
        QCOMPARE(named.matched.all.a, 1.0);
        QCOMPARE(named.matched.all.b, 1.0);
        QCOMPARE(named.table("kernels")->rows.front().where, std::string("forward"));
    }

    void stepsThatAreNamedAlikeArePaired()
    {
        const auto from = [](std::size_t number) { return program(900 * us, "gemm_f32", 12, 0, 0, number); };
        const Comparison ahead = compareRuns(asked(from(0), from(1)));
        QCOMPARE(ahead.sides.a.ahead, std::size_t{1});
        QCOMPARE(ahead.sides.b.ahead, std::size_t{0});
        const std::vector<CompareRow>& rows = ahead.table("steps")->rows;
        const std::size_t count = ahead.sides.a.judged;
        QCOMPARE(rows.size(), count + 1);
        for (std::size_t i = 1; i < count; ++i)
            QCOMPARE(rows[i].a.name, rows[i].b.name);
        QVERIFY(rows[0].b.name.empty() && rows[count].a.name.empty());
        // Six of twelve: the numbers do not count steps from the same start.
        const Comparison apart = compareRuns(asked(from(6), from(0)));
        QCOMPARE(apart.sides.b.ahead, std::size_t{0});
        QCOMPARE(apart.table("steps")->rows.size(), count);
    }

    void stepsThatNobodyHasAreSaid()
    {
        CompareRequest request = asked(program(900 * us), program(500 * us));
        request.a.stepGlob = "step_*";
        request.b.stepGlob = "nope";
        const Comparison comparison = compareRuns(request);
        QVERIFY(!comparison.comparable);
        QVERIFY2(plain(comparison.sentence).find("B has no steady steps with GPU work named 'nope'")
                != std::string::npos,
            plain(comparison.sentence).c_str());
    }

    void stallsThatTheMedianDoesNotShowDecide()
    {
        DrawnProgram stalling;
        Ns time = 10 * ms;
        for (int i = 0; i < 120; ++i) {
            const Ns length = i % 4 == 3 ? 9 * ms : 1300 * us;
            stalling.range("step_" + std::to_string(i), {time, time + length});
            stalling.kernel("gemm_f32", time + us, {time + 20 * us, time + 900 * us});
            time += length;
        }
        const auto even = program(900 * us); // 1.301 ms
        const Comparison comparison = compareRuns(asked(even, stalling.finish()));
        QCOMPARE(keyOf(comparison.verdict), keyOf(CompareVerdict::Slower));
        QCOMPARE(keyOf(comparison.decidedBy), keyOf(CompareFigure::Mean));
        QVERIFY(!comparison.isBeyondNoise(CompareFigure::Median));
        QVERIFY2(
            comparison.change() > 1 && comparison.change() < 2, std::to_string(comparison.change()).c_str());
        QCOMPARE(comparison.sides.b.period.steps, std::size_t{4});
        QVERIFY(!comparison.sides.a.period);
        QVERIFY(comparison.isRegression(100));
        QVERIFY(!comparison.isRegression(200));
        QCOMPARE(compareRuns(asked(even, even)).meanRelative(), 0.0);
    }

    /// One recording of each side needs an assumption about noise; several show it.
    void recordingsThatAreRepeatedTellTheNoise()
    {
        const auto slower = [](Ns by) { return program(900 * us + by); };
        const Comparison one = compareRuns(asked(slower(0), slower(40 * us)));
        QCOMPARE(keyOf(one.verdict), keyOf(CompareVerdict::NoDifference)); // 3 %
        QVERIFY(one.has(CompareCaveat::SingleRecordings));
        const double ofSteps = assumedRunNoise * static_cast<double>(one.sides.a.median);
        Both<Ns> idle{0, 0}; // the host's time drifts four times as much
        for (const BudgetLine& line : one.budget) {
            if (line.group != BudgetGroup::Idle || line.part == keyOf(IdleCause::Queued))
                continue;
            idle.a += line.time.a;
            idle.b += line.time.b;
        }
        const double ofHost = 4 * assumedRunNoise * static_cast<double>(std::min(idle.a, idle.b));
        QCOMPARE(one.assumedNoise, Ns{std::llround(std::hypot(ofSteps, ofHost))});

        CompareRequest request = asked(slower(0), slower(40 * us));
        request.runNoise = 0;
        QCOMPARE(keyOf(compareRuns(request).verdict), keyOf(CompareVerdict::Slower));

        request = asked(slower(0), slower(40 * us));
        request.a.repeats = {{{slower(2 * us), "a2"}}, {{slower(1 * us), "a3"}}};
        request.b.repeats = {{{slower(41 * us), "b2"}}, {{slower(42 * us), "b3"}}};
        const Comparison alike = compareRuns(request);
        QCOMPARE(keyOf(alike.verdict), keyOf(CompareVerdict::Slower));
        QCOMPARE(alike.assumedNoise, Ns{0});
        QCOMPARE(alike.sides.a.runs.size(), std::size_t{3});
        QCOMPARE(alike.sides.a.judged, 3 * one.sides.a.judged);
        QCOMPARE(alike.delta, 40 * us);
        const Both<Ns> sums = budgetSums(alike);
        QCOMPARE(sums.a, Ns{std::llround(alike.sides.a.mean)});
        const CompareRow& most = alike.table("kernels")->rows.front();
        QCOMPARE(most.a.countPerStep, 1.0);
        QCOMPARE(most.delta(), 40.0 * us);

        request.a.repeats = {{{slower(60 * us), "a2"}}, {{slower(-50 * us), "a3"}}};
        QCOMPARE(keyOf(compareRuns(request).verdict), keyOf(CompareVerdict::NoDifference));
    }

    /// Kernels need no partners where one program runs the same steps.
    void stepsOfOneProgramAreComparedWhateverTheirKernels()
    {
        const auto drawn = [](std::string_view name, std::string_view command, Ns length) {
            DrawnProgram made;
            for (int i = 0; i < 12; ++i) {
                const Ns start = 10 * ms + 2 * ms * i;
                made.range("step_" + std::to_string(i), {start, start + 50 * us});
                made.kernel(name, start + us, {start + 20 * us, start + 20 * us + length});
            }
            made.info().commandLine = command;
            return made.finish();
        };
        const auto a = drawn("mine<1>", "python3 train.py --fast", 1800 * us);
        const auto same = drawn("yours", "python3 train.py", 900 * us);
        const auto other = drawn("ncclDevKernel_AllReduce_Sum_f32_RING_LL", "./solver", 900 * us);
        QVERIFY2(compareRuns(asked(a, same)).comparable, plain(compareRuns(asked(a, same)).sentence).c_str());
        QVERIFY(!compareRuns(asked(a, other)).comparable);
    }

    /// With other arguments kernels may have no common name: ranges inside the steps have, or the user
    /// declares it.
    void stepsWithEqualRangesAreCompared()
    {
        const auto drawn = [](bool fused, std::string_view inner, std::string_view step = "step_") {
            DrawnProgram made;
            for (int i = 0; i < 12; ++i) {
                const Ns start = 10 * ms + 2 * ms * i;
                made.range(std::string(step) + std::to_string(i), {start, start + 60 * us});
                if (!inner.empty())
                    made.range(inner, {start + us, start + 50 * us});
                for (int k = 0; k < (fused ? 1 : 3); ++k)
                    made.kernel(fused ? "ncclDevKernel_AllReduce_Sum_f32_RING_LL"
                            : k == 0  ? "gemm_f32"
                            : k == 1  ? "softmax"
                                      : "copy_kernel",
                        start + (2 + k) * us, {start + (20 + 400 * k) * us, start + (410 + 400 * k) * us});
            }
            made.info().commandLine = fused ? "./loop fused" : "./loop";
            return made.finish();
        };
        const Comparison named = compareRuns(asked(drawn(false, "attention 1"), drawn(true, "attention 2")));
        QVERIFY2(named.comparable, plain(named.sentence).c_str());
        QVERIFY(named.has(CompareCaveat::Kernels));
        CompareRequest request = asked(drawn(false, ""), drawn(true, ""));
        QVERIFY(!compareRuns(request).comparable);
        request.a.stepGlob = request.b.stepGlob = "step_*";
        const Comparison declared = compareRuns(request);
        QVERIFY2(declared.comparable, plain(declared.sentence).c_str());
        QVERIFY(declared.has(CompareCaveat::Kernels));
    }

    /// Processes that share a GPU do not count as several GPUs, and do not match one process.
    void processesThatShareAGpuAreTold()
    {
        const auto drawn = [](std::int32_t users) {
            DrawnProgram made;
            for (int i = 0; i < 12; ++i) {
                const Ns start = 10 * ms + 2 * ms * i;
                made.range("step_" + std::to_string(i), {start, start + 2 * ms});
                for (std::int32_t user = 0; user < users; ++user)
                    made.kernel("work", start + us, {start + 20 * us, start + 900 * us}, {.device = user});
            }
            auto trace = std::make_shared<Trace>(*made.finish());
            for (std::int32_t user = 0; user < users; ++user) // all of them use GPU 0
                trace->ordinals.push_back({pidOf(DrawnProgram::process), user, 0});
            return std::shared_ptr<const Trace>(trace);
        };
        const auto gpus = [](const Comparison& comparison) {
            const auto fact = std::ranges::find(comparison.facts, "gpu_count", &CompareFact::id);
            return std::pair(plain(fact->a), plain(fact->b));
        };
        const Comparison comparison = compareRuns(asked(drawn(2), drawn(1)));
        QVERIFY(!comparison.comparable);
        QCOMPARE(comparison.sides.a.gpuCount(), std::size_t{2});
        QVERIFY(gpus(comparison).first.starts_with("1 ("));
        QCOMPARE(gpus(comparison).second, std::string("1"));
        const Comparison both = compareRuns(asked(drawn(2), drawn(2)));
        QVERIFY(both.comparable);
        QVERIFY(std::ranges::find(both.facts, "process_steps", &CompareFact::id) != both.facts.end());
        const Comparison alone = compareRuns(asked(drawn(1), drawn(1)));
        QVERIFY(std::ranges::find(alone.facts, "process_steps", &CompareFact::id) == alone.facts.end());
    }

    /// Time that the host paces drifts more between recordings than kernels do.
    void timeOfTheHostDriftsMore()
    {
        const auto drawn = [](Ns step) {
            DrawnProgram made;
            for (int i = 0; i < 12; ++i) {
                const Ns start = 10 * ms + step * i;
                made.range("step_" + std::to_string(i), {start, start + step});
                made.kernel("work", start + us, {start + 20 * us, start + 200 * us});
            }
            return made.finish();
        };
        const Comparison comparison = compareRuns(asked(drawn(2 * ms), drawn(2350 * us)));
        QCOMPARE(comparison.verdict, CompareVerdict::NoDifference);
        QCOMPARE(compareRuns(asked(drawn(2 * ms), drawn(3 * ms))).verdict, CompareVerdict::Slower);
    }

    /// Calls of all kinds that take longer are a slower host, and no change of the program.
    void aSlowerHostIsACaveat()
    {
        const auto drawn = [](Ns launch, Ns other, Ns kernel, Ns own = 10 * us) {
            DrawnProgram made;
            Ns time = 10 * ms;
            for (int i = 0; i < 12; ++i) {
                const Ns start = time;
                made.call("cudaPeekAtLastError", {time, time + 6 * us}); // too little time to count
                time += 6 * us;
                for (int k = 0; k < 20; ++k) {
                    made.kernel("small", time, {time + launch, time + launch + kernel}, {.callTime = launch});
                    made.call("cudaGetLastError", {time + launch, time + launch + other});
                    time += launch + other + own;
                }
                made.range("step_" + std::to_string(i), {start, time});
            }
            return made.finish();
        };
        const auto usual = drawn(20 * us, 2 * us, 5 * us);
        const auto caveats = [&](const std::shared_ptr<const Trace>& b) {
            return compareRuns(asked(usual, b)).has(CompareCaveat::Host);
        };
        const auto slower = drawn(40 * us, 4 * us, 5 * us);
        QVERIFY(caveats(slower));
        const Comparison unsure = compareRuns(asked(usual, slower)); // one recording of each
        QCOMPARE(unsure.verdict, CompareVerdict::Unknown);
        QVERIFY(unsure.noise < unsure.delta);
        QVERIFY(!caveats(drawn(40 * us, 2 * us, 5 * us))); // one kind of call alone
        QVERIFY(!caveats(drawn(40 * us, 4 * us, 30 * us))); // the GPU, too
        QVERIFY(!caveats(drawn(30 * us, 3 * us, 5 * us, 200 * us))); // most of it differs
        QVERIFY(!caveats(usual));
    }

    /// A range that only launches, and kernels of which one was fused from ten.
    void aFusedKernelStandsForThoseThatItFused()
    {
        const auto drawn = [](bool fused) {
            DrawnProgram made;
            for (int i = 0; i < 12; ++i) {
                const Ns start = 10 * ms + 2 * ms * i;
                made.range("step_" + std::to_string(i), {start, start + 50 * us});
                for (int k = 0; k < (fused ? 1 : 10); ++k)
                    made.kernel(fused    ? "triton_poi_fused_add_mul_0"
                            : k % 2 == 0 ? "at::native::vectorized_elementwise_kernel<4, MulFunctor>"
                                         : "at::native::vectorized_elementwise_kernel<4, AddFunctor>",
                        start + (2 + 4 * k) * us,
                        {start + (20 + 100 * k) * us, start + (119 + 100 * k) * us});
                made.kernel("gemm_f32", start + 45 * us, {start + 1100 * us, start + 1900 * us});
            }
            made.info().commandLine = "./loop";
            return made.finish();
        };
        const Comparison comparison = compareRuns(asked(drawn(false), drawn(true)));
        QVERIFY2(comparison.comparable, plain(comparison.sentence).c_str());
        QCOMPARE(comparison.unit, CompareUnit::Step);
        const CompareRow& most = comparison.table("kernels")->rows.front();
        QCOMPARE(keyOf(most.matchedBy), keyOf(MatchedBy::Fused));
        QCOMPARE(most.a.countPerStep, 10.0);
        QCOMPARE(most.b.countPerStep, 1.0);
        QCOMPARE(most.byCount(), std::optional(most.delta())); // none of them has a partner
        QCOMPARE(comparison.matched.all.a, 1.0);
        QCOMPARE(comparison.matched.all.b, 1.0);
    }

    void aWholeGraphStandsForItsKernels()
    {
        const auto drawn = [](bool graph) {
            DrawnProgram made;
            for (int i = 0; i < 12; ++i) {
                const Ns start = 10 * ms + 2 * ms * i;
                made.range("step_" + std::to_string(i), {start, start + 50 * us});
                if (graph)
                    made.graph(start + 2 * us, {start + 20 * us, start + 500 * us});
                for (int k = 0; !graph && k < 5; ++k)
                    made.kernel("own_" + std::to_string(k), start + (2 + 4 * k) * us,
                        {start + (20 + 300 * k) * us, start + (100 + 300 * k) * us});
            }
            made.info().commandLine = "./loop";
            return made.finish();
        };
        const Comparison comparison = compareRuns(asked(drawn(false), drawn(true)));
        QVERIFY2(comparison.comparable, plain(comparison.sentence).c_str());
        const CompareTable& kernels = *comparison.table("kernels");
        QCOMPARE(kernels.rows.size(), std::size_t{1});
        QCOMPARE(keyOf(kernels.rows.front().matchedBy), keyOf(MatchedBy::Graph));
        QCOMPARE(kernels.rows.front().a.countPerStep, 5.0);
        QCOMPARE(kernels.rows.front().b.countPerStep, 1.0);
        const auto fact = std::ranges::find(comparison.facts, "kernels", &CompareFact::id);
        QCOMPARE(plain(fact->a), std::string("5.0"));
        QCOMPARE(plain(fact->b), std::string("not known (in a CUDA graph)")); // 1.0 is the graph
        QCOMPARE(keyOf(fact->state), keyOf(CompareFact::State::NotKnown));
        const Comparison graphs = compareRuns(asked(drawn(true), drawn(true)));
        const auto unknown = std::ranges::find(graphs.facts, "kernels", &CompareFact::id);
        QCOMPARE(keyOf(unknown->state), keyOf(CompareFact::State::NotKnown));
    }

    /// Whole runs with their compilation are not comparable with steps.
    void stepsOfOneSideAloneGiveNoVerdict()
    {
        const auto without = [](bool hasCalls) {
            DrawnProgram made;
            for (int i = 0; i < 12; ++i) {
                const Ns start = 10 * ms + (2 + i % 5) * ms * i;
                made.range("chunk", {start, start + 50 * us});
                made.kernel("gemm_f32", start + us, {start + 20 * us, start + 400 * us},
                    {.isLaunchRecorded = hasCalls});
            }
            return made.finish();
        };
        const Comparison comparison = compareRuns(asked(program(900 * us), without(true)));
        QCOMPARE(keyOf(comparison.unit), keyOf(CompareUnit::Whole));
        QCOMPARE(keyOf(comparison.verdict), keyOf(CompareVerdict::Unknown));
        QCOMPARE(comparison.hints.size(), std::size_t{1});
        QVERIFY2(plain(comparison.hints.front()).find("--b-nvtx 'chunk'") != std::string::npos,
            plain(comparison.hints.front()).c_str());
        QVERIFY(!comparison.isRegression(0));
        const Comparison callless = compareRuns(asked(program(900 * us), without(false)));
        QCOMPARE(callless.hints.size(), std::size_t{1}); // ranges have no GPU work: naming them is of no use
        QVERIFY(callless.hints.front().key() == "compare.choose_range");
    }

    /// Idle time that one side names after a range is compared with that of the other, which has no ranges.
    void idleTimeHasNoRangesWhereASideHasNone()
    {
        const auto drawn = [](bool hasRanges) {
            DrawnProgram made;
            for (int i = 0; i < 12; ++i) {
                const Ns start = 10 * ms + 10 * ms * i;
                if (hasRanges) {
                    made.range("prepare", {start + us, start + 3 * ms});
                    made.range("enumerate(DataLoader)", {start + 3 * ms, start + 5 * ms});
                }
                made.kernel("first", start, {start + 20 * us, start + 400 * us});
                made.kernel("gemm_f32", start + 6 * ms, {start + 6 * ms + 20 * us, start + 10 * ms});
            }
            return made.finish();
        };
        const auto partsOf = [](const Comparison& comparison) {
            std::set<std::string> parts;
            for (const BudgetLine& line : comparison.budget)
                parts.insert(line.part);
            return parts;
        };
        const std::string own(keyOf(IdleCause::OwnCode));
        const std::set<std::string> named = partsOf(compareRuns(asked(drawn(true), drawn(true))));
        QVERIFY(named.contains(own + ":prepare"));
        QVERIFY(std::ranges::any_of(
            named, [](const std::string& part) { return part.starts_with(keyOf(IdleCause::DataLoading)); }));
        const Comparison mixed = compareRuns(asked(drawn(true), drawn(false)));
        QVERIFY(!partsOf(mixed).contains(own + ":prepare"));
        for (const BudgetLine& line : mixed.budget)
            QCOMPARE(line.delta(), Ns{0});
        QCOMPARE(budgetSums(mixed).a, Ns{std::llround(mixed.sides.a.mean)});
    }

    /// Recordings of other lengths: values of a step are of its own recording.
    void recordingsMayHaveOtherNumbersOfSteps()
    {
        CompareRequest request = asked(program(900 * us, "gemm_f32", 8), program(900 * us, "gemm_f32", 12));
        request.a.repeats = {{{program(910 * us, "gemm_f32", 60), "a2"}}};
        request.b.repeats = {{{program(905 * us, "gemm_f32", 20), "b2"}}};
        const Comparison comparison = compareRuns(request);
        const ComparedSide& a = comparison.sides.a;
        QCOMPARE(a.runs.size(), std::size_t{2});
        QCOMPARE(a.judged, a.runs[0].judged + a.runs[1].judged);
        QCOMPARE(comparison.table("steps")->rows.size(), a.judged);
        for (const CompareRow& row : comparison.table("api")->rows)
            QVERIFY(std::abs(row.a.countPerStep - row.b.countPerStep) < 0.1);
        QCOMPARE(comparison.table("kernels")->rows.front().a.countPerStep, 1.0);
        const auto streams = std::ranges::find(comparison.facts, "streams", &CompareFact::id);
        QCOMPARE(plain(streams->a), std::string("1"));
    }

    /// Steps without a GPU common to all ranks do not count as steps of zero length.
    void noStepsAreNotEqual()
    {
        const auto drawn = [](Ns length) {
            DrawnProgram made;
            for (int i = 0; i < 2; ++i) {
                const Ns start = 10 * ms + 60 * ms * i;
                made.range("step_" + std::to_string(i), {start, start + 50 * ms});
                made.kernel("kernel", start + us, {start + 20 * us, start + 20 * us + length}, {.device = i});
            }
            return made.finish();
        };
        const Comparison comparison = compareRuns(asked(drawn(ms), drawn(40 * ms)));
        QVERIFY2(comparison.verdict == CompareVerdict::Unknown, plain(comparison.sentence).c_str());
        QVERIFY(comparison.sides.a.judged > 0);
    }

    void oneStepIsComparedWithMany()
    {
        const auto one = program(1800 * us, "gemm_f32", 1);
        const Comparison slower = compareRuns(asked(program(900 * us), one));
        QCOMPARE(keyOf(slower.unit), keyOf(CompareUnit::Step));
        QCOMPARE(slower.sides.b.judged, std::size_t{1});
        QCOMPARE(keyOf(slower.verdict), keyOf(CompareVerdict::Slower));
        QCOMPARE(keyOf(compareRuns(asked(one, one)).verdict), keyOf(CompareVerdict::NoDifference));
        QCOMPARE(keyOf(compareRuns(asked(one, program(100 * us, "gemm_f32", 1))).verdict),
            keyOf(CompareVerdict::Unknown));
    }

    /// Steps that the user names on each side are compared, whatever their names and content.
    void stepsThatAreNamedOnBothSidesAreCompared()
    {
        DrawnProgram other;
        Ns time = 10 * ms;
        for (int i = 0; i < 12; ++i) {
            other.range("iter_" + std::to_string(i), {time, time + 800 * us});
            for (int k = 0; k < 3; ++k)
                other.kernel(
                    "gemm_f32", time + k * us, {time + (20 + 250 * k) * us, time + (220 + 250 * k) * us});
            time += 800 * us;
        }
        CompareRequest request = asked(program(900 * us), other.finish());
        const Comparison unnamed = compareRuns(request);
        QVERIFY(unnamed.lacksSteps);
        QCOMPARE(unnamed.hints.size(), std::size_t{1});
        QVERIFY2(plain(unnamed.hints.front()).find("--b-nvtx 'iter_*'") != std::string::npos,
            plain(unnamed.hints.front()).c_str());
        request.a.stepGlob = "step_*";
        request.b.stepGlob = "iter_*";
        const Comparison named = compareRuns(request);
        QVERIFY2(named.comparable, plain(named.sentence).c_str());
        QCOMPARE(keyOf(named.verdict), keyOf(CompareVerdict::Faster));
    }

    /// Launches that take long because they are traced: without that the other side wins.
    void recordingMayTurnTheVerdict()
    {
        const auto launching = [](Ns call, Ns every) {
            DrawnProgram drawn;
            Ns time = 10 * ms;
            for (int step = 0; step < 12; ++step) {
                const Ns end = time + 100 * every;
                drawn.range("step_" + std::to_string(step), {time, end});
                for (; time < end; time += every)
                    drawn.kernel("tiny", time, {time + call + us, time + call + 2 * us}, {.callTime = call});
            }
            return drawn.finish();
        };
        const auto slow = launching(6 * us, 10 * us);
        const auto fast = launching(2 * us, 5 * us);
        const Comparison comparison = compareRuns(asked(slow, fast));
        QCOMPARE(keyOf(comparison.verdict), keyOf(CompareVerdict::Faster));
        QVERIFY(comparison.has(CompareCaveat::Profiler));
        QCOMPARE(nameOf(comparison.plain->costlier), nameOf(Side::A));
        QVERIFY(comparison.plain->change.expected > 0.5);
        QVERIFY2(plain(comparison.sentence)
                     .find("Recording costs A more: without the profiler, B is expected to take ")
                != std::string::npos,
            plain(comparison.sentence).c_str());
        QVERIFY(!compareRuns(asked(slow, slow)).has(CompareCaveat::Profiler));
        QVERIFY(!compareRuns(asked(program(900 * us), program(800 * us))).has(CompareCaveat::Profiler));
    }

    void caveatsAreOfWhatWasRecorded()
    {
        DrawnProgram sampled;
        for (int i = 0; i < 12; ++i) {
            const Ns start = 10 * ms + 2 * ms * i;
            sampled.range("step_" + std::to_string(i), {start, start + 2 * ms});
            sampled.kernel("gemm_f32", start + us, {start + 20 * us, start + 900 * us});
            sampled.sample("work", "main", start + us);
        }
        const auto trace = sampled.finish();
        QVERIFY(compareRuns(asked(program(900 * us), trace)).has(CompareCaveat::Options));
        QVERIFY(!compareRuns(asked(program(900 * us), program(800 * us))).has(CompareCaveat::Options));
        const Comparison itself = compareRuns(asked(trace, trace));
        QVERIFY(itself.has(CompareCaveat::SameRecording) && !itself.has(CompareCaveat::SingleRecordings));
    }

    void whatOneSideDidNotRecordIsNotCompared()
    {
        DrawnProgram bare;
        for (int i = 0; i < 12; ++i) {
            const Ns start = 10 * ms + 2 * ms * i;
            bare.kernel("gemm_f32", start, {start + 20 * us, start + 900 * us});
        }
        const Comparison comparison = compareRuns(asked(program(900 * us), bare.finish()));
        QVERIFY(comparison.table("api"));
        QVERIFY(!comparison.table("nvtx") && !comparison.table("nvtx_gpu"));
        QVERIFY(comparison.matched.nvtxPath.a < 0 && comparison.matched.nvtxPath.b < 0);
        const Json json = compareJson({.comparison = comparison});
        QVERIFY(
            json["nvtx"].is_null() && json["nvtx_gpu"].is_null() && json["matched"]["nvtx_path"].is_null());
        QVERIFY(json["api"].is_array() && json["collectives"].is_array());
        const auto ofRanges
            = [](const Message& line) { return plain(line).find("NVTX") != std::string::npos; };
        QCOMPARE(std::ranges::count_if(comparison.story, ofRanges), 1);
        const auto fact = std::ranges::find(comparison.facts, "recorded", &CompareFact::id);
        QVERIFY(!fact->story.empty());
    }

    void partsOfRecordingsAreNamed()
    {
        const auto partFrom = [](const std::shared_ptr<const Trace>& trace, Ns utc) {
            const auto part = std::make_shared<Trace>(*trace);
            part->info.startedUtcNs = utc;
            const TimeRange kept{trace->session.start, trace->session.end - ms};
            setPart(part->info, {kept, trace->session, {}});
            part->session = kept;
            return part;
        };
        const auto whole = std::make_shared<Trace>(*program(900 * us));
        whole->info.startedUtcNs = 5;
        const Comparison ofOther = compareRuns(asked(whole, partFrom(program(500 * us), 5)));
        QVERIFY(!ofOther.sides.a.isPart && ofOther.sides.b.isPart);
        // The drawn programs end at different times: they are two recordings.
        QVERIFY(ofOther.has(CompareCaveat::Part) && !ofOther.has(CompareCaveat::SameRecording));
        QVERIFY(compareRuns(asked(whole, partFrom(whole, 5))).has(CompareCaveat::SameRecording));
        QVERIFY(!compareRuns(asked(whole, partFrom(whole, 6))).has(CompareCaveat::SameRecording));
        QVERIFY(!compareRuns(asked(whole, program(500 * us))).has(CompareCaveat::Part));
    }

    /// The rest of a step takes less time than the step.
    void aPartOfAStepIsNoStep()
    {
        const auto steps = program(900 * us);
        const auto single = program(500 * us, "gemm_f32", 1);
        const TimeRange session = single->session;
        const auto comparedPart = [&](TimeRange kept, TimeRange gpuWork) {
            const auto part = std::make_shared<Trace>(*single);
            return setPart(part->info, {kept, session.unitedWith(gpuWork), gpuWork})
                ? compareRuns(asked(steps, part))
                : Comparison();
        };
        const Comparison complete = comparedPart(session, session);
        QVERIFY(complete.has(CompareCaveat::Part));
        QCOMPARE(keyOf(complete.unit), keyOf(CompareUnit::Step));
        QCOMPARE(complete.sides.b.judged, std::size_t{1});
        QVERIFY(!complete.lacksSteps);
        const std::array cut{comparedPart(session, {session.start, session.end + 5 * ms}),
            comparedPart({10 * ms + 50 * us, session.end}, session)};
        for (const Comparison& comparison : cut) {
            QVERIFY(comparison.has(CompareCaveat::Part));
            QVERIFY(comparison.lacksSteps);
            QCOMPARE(keyOf(comparison.unit), keyOf(CompareUnit::Whole));
            QCOMPARE(keyOf(comparison.verdict), keyOf(CompareVerdict::Unknown));
            QVERIFY(!comparison.isRegression(2));
        }
    }

    void otherPartsOfOneRecordingAreTwoSides()
    {
        const auto whole = program(900 * us);
        const Ns middle = whole->session.start + whole->session.duration() / 2;
        const auto part = [&](TimeRange kept) {
            const auto made = std::make_shared<Trace>(*whole);
            made->info.startedUtcNs = 5;
            setPart(made->info, {kept, whole->session, {}});
            return made;
        };
        const auto first = part({whole->session.start, middle});
        const auto second = part({middle, whole->session.end});
        QVERIFY(compareRuns(asked(first, part({whole->session.start, middle})))
                    .has(CompareCaveat::SameRecording));
        const Comparison comparison = compareRuns(asked(first, second));
        QVERIFY(comparison.has(CompareCaveat::Part) && !comparison.has(CompareCaveat::SameRecording));
    }

    /// A further recording, or steps of another name, make another side.
    void oneRecordingIsAllRecordingsOfBothSides()
    {
        const auto one = program(900 * us);
        const auto other = program(500 * us);
        CompareRequest request = asked(one, one);
        const auto isOne = [&] { return compareRuns(request).has(CompareCaveat::SameRecording); };
        QVERIFY(isOne());
        request.b.repeats = {{{other, "b2.sqlite"}}};
        QVERIFY(!isOne());
        request.a.range = request.b.range = {10 * ms + 100 * us, 10 * ms + 400 * us};
        const Comparison ranges = compareRuns(request);
        QCOMPARE(ranges.unitKey(), std::string_view("range"));
        QCOMPARE(keyOf(ranges.verdict), keyOf(CompareVerdict::Unknown));
        request.a.range = request.b.range = {};
        request.a.repeats = {{{other, "a2.sqlite"}}};
        QVERIFY(isOne());
        std::swap(request.b.reports, request.b.repeats.front());
        QVERIFY(isOne());
        request.a.stepGlob = "forward";
        QVERIFY(!isOne());
        request.b.stepGlob = "forward";
        QVERIFY(isOne());
        request.a.stepGlob = "step_*"; // those that are found without a name
        request.b.stepGlob.clear();
        QVERIFY(isOne());
    }

    void ranksArePairedWhateverTheirOrder()
    {
        const auto rank = [](int number, Ns third) {
            return SideReport{
                program(third, "gemm_f32", 12, 0, 30 * us), "run_rank" + std::to_string(number) + ".sqlite"};
        };
        CompareRequest request;
        request.a.reports = {rank(0, 300 * us), rank(1, 400 * us)};
        request.b.reports = {rank(1, 800 * us), rank(0, 300 * us)};
        const Comparison comparison = compareRuns(request);
        const auto line = std::ranges::find(comparison.budget, "compute_gemm", &BudgetLine::part);
        QVERIFY(line != comparison.budget.end());
        QCOMPARE(line->mostGpu, 1);
        for (const Side side : {Side::A, Side::B}) {
            const ComparedGpu& gpu = comparison.sides[side].gpus[1];
            QCOMPARE(gpu.rank, std::int64_t{1});
            QVERIFY(comparison.sides[side].files[gpu.report].starts_with("run_rank1"));
        }
        QVERIFY(std::abs(line->ofMostGpu.a - 400 * us) < 10 * us);
        QVERIFY(!comparison.has(CompareCaveat::SameRecording));
        std::ranges::reverse(request.a.reports);
        request.b.reports = {request.a.reports.back(), request.a.reports.front()};
        QVERIFY(compareRuns(request).has(CompareCaveat::SameRecording));
    }

    /// Values of several GPUs are their mean, and say so: in text, facts, and the panel.
    void meansOverGpusAreNamed()
    {
        const auto titlesOf = [](const Comparison& comparison) {
            const auto fact = std::ranges::find(comparison.facts, "kernels", &CompareFact::id);
            return plain(fact->title) + "; " + plain(comparison.sideTitle(Side::A, "kernels")) + "; "
                + plain(comparison.sideTitle(Side::B, "api")) + "; "
                + plain(comparison.sideTitle(Side::B, "budget"));
        };
        const auto one = program(300 * us);
        QCOMPARE(titlesOf(compareRuns(asked(one, one))),
            std::string("Kernels per step; A per step; B per step; B per step"));
        CompareRequest request = asked(one, one);
        for (SideRequest* const side : {&request.a, &request.b})
            side->reports.push_back({program(300 * us), "rank1.sqlite"});
        const Comparison ranks = compareRuns(request);
        QCOMPARE(titlesOf(ranks),
            std::string(
                "Kernels per step and GPU; A per step and GPU; B per step and process; B per step and GPU"));
        const std::string text = compareTable({ranks});
        QVERIFY2(text.find("\nKernels, per step and GPU\n") != std::string::npos, text.c_str());
        QVERIFY2(text.find("\nCUDA API, per step and process\n") != std::string::npos, text.c_str());

        DrawnProgram two; // one process
        for (int i = 0; i < 2; ++i)
            two.kernel("work", ms, {2 * ms, (5 + i) * ms}, {.device = i});
        const auto whole = two.finish();
        QCOMPARE(titlesOf(compareRuns(asked(whole, whole))),
            std::string("Kernels per GPU; A per GPU; B in all; B per GPU"));
    }

    /// Kernels of a side that take longer together than 64 bits hold.
    void kernelsOfManyYearsAddUp()
    {
        const auto drawn = [](std::string_view longOnes, std::string_view shortOne) {
            constexpr Ns start = 1 - timeLimit;
            DrawnProgram made;
            made.range("part", {start, start + ms});
            for (int i = 0; i < 3; ++i)
                made.kernel(
                    longOnes, start + (1 + i) * 10 * us, {start + ms, timeLimit - 1}, {.stream = 7 + i});
            made.kernel(shortOne, start + 50 * us, {start + ms, start + 2 * ms}, {.stream = 10});
            return made.finish();
        };
        const SideReport a{drawn("work_128", "work_64"), "a.sqlite"};
        const SideReport b{drawn("work_32", "work_16"), "b.sqlite"};
        CompareRequest request;
        request.a.reports.assign(50, a);
        request.b.reports.assign(50, b);
        const Comparison comparison = compareRuns(request);
        const CompareTable* const kernels = comparison.table("kernels");
        QVERIFY(kernels);
        QCOMPARE(kernels->rows.size(), std::size_t{1});
        QCOMPARE(kernels->rows.front().a.name, std::string("work_128"));
        QCOMPARE(kernels->rows.front().b.name, std::string("work_32"));
        QCOMPARE(comparison.matched.nvtxPath.a, 1.0);
    }

    /// Steps of two lengths: their median is not their mean, by which findings tell their savings.
    void savingsAreThoseThatFindingsTell()
    {
        const auto drawn = [](Ns least) {
            DrawnProgram made;
            Ns at = 0;
            for (int i = 0; i < 12; ++i) {
                const Ns own = i < 5 ? least : least + 2 * ms;
                made.range("step_" + std::to_string(i), {at, at + own + 8 * ms});
                made.range("assemble", {at, at + own});
                made.kernel("work", at + own, {at + own + 10 * us, at + own + 7 * ms});
                at += own + 8 * ms;
            }
            return made.finish();
        };
        const auto a = drawn(10 * ms);
        const CompareRequest request = asked(a, drawn(ms));
        Comparison comparison = compareRuns(request);
        compareFindings(request, comparison);
        const std::vector<Finding> findings = runRules(*a, {a->session.start, a->session.end + 1});
        const auto found
            = std::ranges::find_if(findings, [](const Finding& each) { return each.perStep > 0; });
        QVERIFY(found != findings.end());
        const auto change = std::ranges::find(comparison.findings, stableId(*a, *found), &FindingChange::id);
        QVERIFY(change != comparison.findings.end());
        QCOMPARE(static_cast<Ns>(change->saving.a), found->perStep);
    }

    /// Slow steps are other ones in each run: they are less in B, and not gone.
    void slowStepsOfBothSidesAreOneFinding()
    {
        const auto drawn = [](int phase, Ns stall) {
            DrawnProgram made;
            Ns at = 0;
            for (int i = 0; i < 24; ++i) {
                const Ns own = i % 6 == phase ? stall : 0;
                made.range("step_" + std::to_string(i), {at, at + own + 10 * ms});
                made.range("save", {at + 9 * ms, at + own + 9 * ms + us});
                made.kernel("work", at, {at + 10 * us, at + 9 * ms});
                at += own + 10 * ms;
            }
            return made.finish();
        };
        const CompareRequest request = asked(drawn(2, 400 * ms), drawn(4, 60 * ms));
        Comparison comparison = compareRuns(request);
        compareFindings(request, comparison);
        std::vector<FindingChange> slow;
        std::ranges::copy_if(comparison.findings, std::back_inserter(slow), [](const FindingChange& change) {
            return change.rule == "nvtx_outlier_steps" && change.id.find("/steps:") != std::string::npos;
        });
        QCOMPARE(slow.size(), std::size_t{1});
        QCOMPARE(keyOf(slow.front().state), keyOf(FindingState::Shrunk));
        QVERIFY(slow.front().saving.a > slow.front().saving.b && slow.front().saving.b > 0);
        for (const Message& sentence : comparison.sentence.next()) {
            if (sentence.key() == "compare.finding")
                QVERIFY(sentence.values()[0].value.name != "gone");
        }
    }

    /// Waterfall and table of kernels are of one statistic.
    void kernelsAndBudgetSayTheSame()
    {
        std::mt19937 random(11);
        for (int round = 0; round < 20; ++round) {
            const auto drawn = [&](Ns length) {
                DrawnProgram made;
                Ns start = 10 * ms;
                for (int i = 0; i < 15; ++i) {
                    const Ns kernel = length + static_cast<Ns>(random() % 200) * us;
                    made.range("step_" + std::to_string(i), {start, start + 50 * us});
                    made.kernel("gemm_f32", start + us, {start + 20 * us, start + 20 * us + kernel});
                    start += kernel + static_cast<Ns>(random() % 300) * us + 30 * us;
                }
                return made.finish();
            };
            const Comparison comparison = compareRuns(asked(drawn(500 * us), drawn(510 * us)));
            const auto line = std::ranges::find(comparison.budget, "compute_gemm", &BudgetLine::part);
            QVERIFY(line != comparison.budget.end());
            const double table = comparison.table("kernels")->rows.front().delta();
            QVERIFY2(std::abs(static_cast<double>(line->delta()) - table) < 1000,
                (std::to_string(line->delta()) + " " + std::to_string(table)).c_str());
        }
    }

    /// Three events of 100 ns before, two of 300 ns after: slower. A range that has 250 ns of them cuts them.
    void theClassOfCutEventsDoesNotContradictTheirTime()
    {
        Both<Tally> tallies;
        for (const Side side : {Side::A, Side::B})
            tallies[side].name = "work";
        for (int i = 0; i < 3; ++i)
            tallies.a.add(100, 100);
        for (const Ns inside : {50, 200})
            tallies.b.add(inside, 300);
        const CompareRow row = rowOf(&tallies.a, &tallies.b, MatchedBy::Name, {1, 1});
        QCOMPARE(row.delta(), -50.0);
        QCOMPARE(keyOf(row.change), keyOf(RowChange::Cut));
        QVERIFY(!row.byCount());
        const auto changeOf
            = [](const std::vector<std::pair<Ns, Ns>>& a, const std::vector<std::pair<Ns, Ns>>& b) {
                  Both<Tally> cut;
                  for (const Side side : {Side::A, Side::B}) {
                      for (const auto& [inside, whole] : side == Side::A ? a : b)
                          cut[side].add(inside, whole);
                  }
                  return std::string(keyOf(rowOf(&cut.a, &cut.b, MatchedBy::Name, {1, 1}).change));
              };
        QCOMPARE(changeOf({{100, 100}}, {{40, 100}}), std::string("cut")); // whole ones are the same
        QCOMPARE(changeOf({{40, 100}}, {{100, 100}}), std::string("cut"));
        QCOMPARE(changeOf({{80, 100}}, {{81, 100}}), std::string("same")); // 1%
        QCOMPARE(changeOf({{90, 100}}, {{250, 300}}), std::string("slower"));
        QCOMPARE(changeOf({{250, 300}}, {{90, 100}}), std::string("faster"));
        QCOMPARE(changeOf({{100, 100}}, {{10, 100}, {20, 100}}), std::string("cut")); // more, in less time
        QCOMPARE(changeOf({{100, 100}}, {{90, 100}, {20, 100}}), std::string("more_calls"));
        QCOMPARE(changeOf({{100, 100}}, {{300, 300}}), std::string("slower"));
        QCOMPARE(rowOf(&tallies.a, &tallies.a, MatchedBy::Name, {1, 1}).byCount(), std::optional(0.0));
    }

    void bytesAreLargerAndSmaller()
    {
        Both<Tally> tallies;
        tallies.a.add(1000, 1000);
        tallies.b.add(2000, 2000);
        const auto wordOf = [](const Tally& a, const Tally& b, bool bytes) {
            const CompareRow row = rowOf(&a, &b, MatchedBy::Name, {1, 1});
            const Cells cells = rowCells(tableOf("copied", "Bytes copied and set", {row}, bytes), 1);
            return std::string(keyOf(row.change)) + ": " + std::get<std::string>(cells.at(0, 0));
        };
        QCOMPARE(wordOf(tallies.a, tallies.b, true), std::string("slower: larger")); // in JSON: in text
        QCOMPARE(wordOf(tallies.b, tallies.a, true), std::string("faster: smaller"));
        QCOMPARE(wordOf(tallies.a, tallies.b, false), std::string("slower: slower"));
        QCOMPARE(wordOf(tallies.b, tallies.a, false), std::string("faster: faster"));
        QCOMPARE(wordOf(tallies.a, tallies.a, true), std::string("same: same"));
    }

    /// Kernels that repeat in less than half of a range do not stand for it: guessed steps would leave the
    /// rest out.
    void guessedStepsStandForARangeThatTheyFill()
    {
        DrawnProgram made;
        Both<TimeRange> loads;
        Both<TimeRange> loops;
        Ns start = 10 * ms;
        for (const Side side : {Side::A, Side::B}) {
            const Ns load = side == Side::A ? 10 * ms : 8 * ms;
            loads[side].start = start;
            for (int i = 0; i < 6; ++i, start += load + 2 * ms)
                made.kernel("load_" + std::to_string(i), start, {start + 20 * us, start + 20 * us + load});
            loops[side].start = start;
            for (int i = 0; i < 20; ++i, start += ms)
                drawLayers(made, start);
            loops[side].end = loads[side].end = start;
        }
        const auto trace = made.finish();
        CompareRequest request = asked(trace, trace);
        for (const Side side : {Side::A, Side::B}) {
            const auto guessed = findGpuSteps(*trace, loads[side]);
            QCOMPARE(guessed.size(), std::size_t{1});
            QCOMPARE(keyOf(guessed.front().foundBy), keyOf(StepSource::KernelSequence));
        }
        request.a.range = loads.a;
        request.b.range = loads.b;
        const Comparison wholes = compareRuns(request);
        QCOMPARE(keyOf(wholes.unit), keyOf(CompareUnit::Whole));
        QVERIFY2(wholes.comparable, plain(wholes.sentence).c_str());
        // The ranges as they are; all 66 kernels.
        QCOMPARE(wholes.sides.a.median, 6 * 12 * ms + 20 * ms);
        QCOMPARE(
            wholes.sides.b.median, trace->session.end + 1 - loads.b.start); // it reaches beyond the recording
        const CompareTable& kernels = *wholes.table("kernels");
        QCOMPARE(kernels.perStep.a, static_cast<double>(6 * 10 * ms + 60 * 290 * us));
        QCOMPARE(kernels.perStep.b, static_cast<double>(6 * 8 * ms + 60 * 290 * us));
        Both<std::uint64_t> counts;
        for (const CompareRow& row : kernels.rows) {
            counts.a += row.a.count;
            counts.b += row.b.count;
        }
        QCOMPARE(counts.a, std::uint64_t{66});
        QCOMPARE(counts.b, std::uint64_t{66});
        // One range that its steps fill: both are compared as wholes still.
        request.b.range = loops.b;
        const Comparison mixed = compareRuns(request);
        QCOMPARE(keyOf(mixed.unit), keyOf(CompareUnit::Whole));
        QVERIFY(!mixed.lacksSteps);
        request.a.range = loops.a;
        QCOMPARE(keyOf(compareRuns(request).unit), keyOf(CompareUnit::Step));
    }

    /// Of the time from the first to the last GPU work, and not of the start-up before it.
    void guessedStepsFillTheTimeOfTheGpu()
    {
        DrawnProgram made;
        made.call("cudaFree", {us, 90 * ms});
        for (int i = 0; i < 20; ++i)
            drawLayers(made, (100 + i) * ms);
        const auto trace = made.finish();
        CompareRequest request = asked(trace, trace);
        request.a.range = {0, 200 * ms};
        const Comparison comparison = compareRuns(request);
        QCOMPARE(keyOf(comparison.unit), keyOf(CompareUnit::Step));
        QVERIFY(!comparison.lacksSteps);
        QCOMPARE(comparison.sides.a.judged, comparison.sides.b.judged);
    }

    /// Six slow steps, four fifths of the time: the range has steps from end to end.
    void warmUpStepsFillTheTimeOfTheGpu()
    {
        DrawnProgram made;
        Ns start = 10 * ms;
        for (int i = 0; i < 20; ++i) {
            drawLayers(made, start);
            start += i < 6 ? 10 * ms : ms;
        }
        const auto trace = made.finish();
        CompareRequest request = asked(trace, trace);
        request.a.range = {0, 200 * ms};
        const Comparison comparison = compareRuns(request);
        QCOMPARE(keyOf(comparison.unit), keyOf(CompareUnit::Step));
        QVERIFY(!comparison.lacksSteps);
        QCOMPARE(comparison.sides.a.judged, comparison.sides.b.judged);
        QVERIFY(comparison.sides.a.judged > 5 && comparison.sides.a.judged < 15);
    }

    /// Steps of 10 ms with a kernel of 4 ms; step 5 writes a file for 20 ms after that.
    void aChosenRangeIsComparedAsItIs()
    {
        DrawnProgram made;
        std::vector<TimeRange> steps;
        Ns start = 10 * ms;
        for (int i = 0; i < 12; ++i) {
            const Ns length = i == 5 ? 30 * ms : 10 * ms;
            made.range("step_" + std::to_string(i), {start, start + length});
            made.kernel("gemm_f32", start + 10 * us, {start + 20 * us, start + 20 * us + 4 * ms});
            if (i == 5)
                made.range("write", {start + 5 * ms, start + 25 * ms});
            steps.push_back({start, start + length});
            start += length;
        }
        const auto trace = made.finish();
        CompareRequest request = asked(trace, trace);
        const auto isOfRanges = [&] {
            const Comparison comparison = compareRuns(request);
            Both<Ns> sum;
            for (const BudgetLine& line : comparison.budget) {
                sum.a += line.time.a;
                sum.b += line.time.b;
            }
            bool isAll = comparison.unitKey() == "range" && comparison.comparable && !comparison.lacksSteps;
            for (const Side side : {Side::A, Side::B}) {
                const Ns length = request[side].range.duration();
                isAll = isAll && comparison.sides[side].median == length && sum[side] == length
                    && comparison.sides[side].pattern.empty()
                    && comparison.sides[side].gpus.front().steps.front().gpu == request[side].range;
            }
            return isAll;
        };
        request.a.range = steps[6];
        request.b.range = steps[5];
        QVERIFY(isOfRanges());
        const Comparison single = compareRuns(request);
        QVERIFY((single.table("kernels")->perStep == Both<double>{4e6, 4e6}));
        const auto& paths = single.table("nvtx")->rows;
        const auto write = std::ranges::find_if(
            paths, [](const CompareRow& row) { return row.b.name.find("write") != std::string::npos; });
        QVERIFY(write != paths.end());
        QCOMPARE(write->b.perStep, 2e7);
        QVERIFY(plain(single.sentence).find("in the compared ranges") != std::string::npos);
        // Named steps that are not whole in their range; a fifth of a step, and twice as much.
        request.a.stepGlob = request.b.stepGlob = "step_*";
        QVERIFY(isOfRanges());
        request.a.stepGlob.clear();
        request.b.stepGlob.clear();
        request.a.range = {steps[6].start + ms, steps[6].start + 3 * ms};
        request.b.range = {steps[7].start + ms, steps[7].start + 5 * ms};
        QVERIFY(isOfRanges());
        QVERIFY((compareRuns(request).table("kernels")->perStep == Both<double>{2e6, 3e6 + 2e4}));
        request.a.range = {steps[0].start, steps[4].end}; // has steps
        QVERIFY(isOfRanges());
        request.a.range = {};
        const Comparison alone = compareRuns(request);
        QVERIFY(alone.lacksSteps);
        QCOMPARE(alone.hints.size(), std::size_t{1});
        QVERIFY(alone.hints.front().key() == "compare.choose_other_range");
    }

    /// Both ranges have whole steps, of which those of A are named: so have to be those of B.
    void rangesWithStepsOfOtherNamesAreAskedForTheNames()
    {
        DrawnProgram made;
        for (int i = 0; i < 12; ++i) {
            const Ns start = 10 * ms * (i + 1);
            made.range("step_" + std::to_string(i), {start, start + 10 * ms});
            for (int part = 0; part < 4; ++part) {
                const Ns begin = start + (1 + 2 * part) * ms;
                made.range("part_" + std::to_string(4 * i + part), {begin, begin + 2 * ms});
                made.kernel("gemm_f32", begin + us, {begin + 20 * us, begin + ms});
            }
        }
        const auto trace = made.finish();
        CompareRequest request = asked(trace, trace);
        request.a.stepGlob = "part_*";
        request.a.range = {10 * ms, 90 * ms};
        request.b.range = {10 * ms, 120 * ms};
        const Comparison comparison = compareRuns(request);
        QVERIFY2(comparison.comparable, plain(comparison.sentence).c_str());
        QCOMPARE(comparison.unitKey(), std::string_view("range"));
        QCOMPARE(keyOf(comparison.verdict), keyOf(CompareVerdict::Unknown));
        QVERIFY(comparison.lacksSteps);
        QCOMPARE(comparison.hints.size(), std::size_t{1});
        QVERIFY(comparison.hints.front().key() == "compare.name_both");
        QVERIFY2(
            plain(comparison.hints.front()).find("--a-nvtx 'part_*' --b-nvtx 'step_*'") != std::string::npos,
            plain(comparison.hints.front()).c_str());
        request.b.stepGlob = "step_*";
        const Comparison named = compareRuns(request);
        QCOMPARE(keyOf(named.unit), keyOf(CompareUnit::Step));
        QVERIFY(!named.lacksSteps);
    }

    /// Two phases of one recording. The hint names the steps in each range, not those with most time.
    void rangesOfTwoPhasesAreAskedForTheirNames()
    {
        DrawnProgram made;
        Both<TimeRange> phases;
        Ns start = 10 * ms;
        for (const Side side : {Side::A, Side::B}) {
            const bool isTraining = side == Side::A;
            phases[side].start = start;
            for (int i = 0; i < 12; ++i, start += isTraining ? 10 * ms : 4 * ms) {
                made.range((isTraining ? "train_" : "eval_") + std::to_string(i),
                    {start, start + (isTraining ? 10 * ms : 4 * ms)});
                made.kernel(isTraining ? "gemm_f32" : "sum_f32", start + 10 * us,
                    {start + 20 * us, start + (isTraining ? 8 * ms : 2 * ms)});
            }
            phases[side].end = start;
        }
        const auto trace = made.finish();
        CompareRequest request = asked(trace, trace);
        request.a.range = phases.a;
        request.b.range = phases.b;
        const Comparison comparison = compareRuns(request);
        QVERIFY(comparison.lacksSteps);
        QCOMPARE(comparison.hints.size(), std::size_t{1});
        QVERIFY2(
            plain(comparison.hints.front()).find("--a-nvtx 'train_*' --b-nvtx 'eval_*'") != std::string::npos,
            plain(comparison.hints.front()).c_str());
    }

    /// A range before the first step, as with steps that are not named.
    void aRangeNeedsNoneOfTheNamedSteps()
    {
        DrawnProgram made;
        made.kernel("load", ms, {2 * ms, 5 * ms});
        for (int i = 0; i < 12; ++i) {
            const Ns start = 10 * ms * (i + 1);
            made.range("step_" + std::to_string(i), {start, start + 10 * ms});
            made.kernel("gemm_f32", start + 10 * us, {start + 20 * us, start + 4 * ms});
        }
        const auto trace = made.finish();
        CompareRequest request = asked(trace, trace);
        request.a.stepGlob = request.b.stepGlob = "step_*";
        request.a.range = {ms, 6 * ms};
        request.b.range = {ms, 7 * ms};
        const Comparison comparison = compareRuns(request);
        QVERIFY2(comparison.comparable, plain(comparison.sentence).c_str());
        QCOMPARE(comparison.unitKey(), std::string_view("range"));
        QVERIFY((comparison.table("kernels")->perStep == Both<double>{3e6, 3e6}));
        request.b.range = {};
        const Comparison alone = compareRuns(request);
        QVERIFY(alone.lacksSteps);
        QVERIFY(std::ranges::none_of(
            alone.reasons, [](const Message& reason) { return reason.key() == "compare.no_such_steps"; }));
        QCOMPARE(alone.hints.size(), std::size_t{1});
        QVERIFY(alone.hints.front().key() == "compare.choose_other_range");
    }

    /// B is faster, and its range may have any length, in one recording or in several.
    void theLengthOfARangeGivesNoVerdict()
    {
        CompareRequest request = asked(program(900 * us), program(500 * us));
        const auto hasNone = [&](Ns ofA, Ns ofB) {
            const Ns start = 10 * ms + 100 * us;
            request.a.range = {start, start + ofA};
            request.b.range = {start, start + ofB};
            const Comparison comparison = compareRuns(request);
            return comparison.unitKey() == "range" && comparison.comparable && !comparison.lacksSteps
                && comparison.verdict == CompareVerdict::Unknown && comparison.noise < 0
                && comparison.meanNoise < 0 && !comparison.isRegression(0) && comparison.hints.size() == 1
                && comparison.hints.front().key() == "compare.choose_steps"
                && plain(comparison.sentence).find("The length of a range is chosen") != std::string::npos;
        };
        QVERIFY(hasNone(300 * us, 300 * us));
        QVERIFY(hasNone(300 * us, 330 * us));
        request.a.repeats = {{{program(901 * us), "a2.sqlite"}}};
        request.b.repeats = {{{program(501 * us), "b2.sqlite"}}};
        QVERIFY(hasNone(300 * us, 300 * us));
        QVERIFY(hasNone(300 * us, 330 * us));
        const auto trace = program(900 * us);
        CompareRequest same = asked(trace, trace);
        same.a.range = same.b.range = request.a.range;
        QCOMPARE(keyOf(compareRuns(same).verdict), keyOf(CompareVerdict::NoDifference));
    }

    /// Without steps the range of one side has the host's time around the work, the whole other side has not.
    void aRangeAndAWholeRecordingHaveNoVerdict()
    {
        DrawnProgram made;
        made.call("cudaFree", {ms, 2 * ms});
        made.kernel("load", 10 * ms, {10 * ms + 20 * us, 11 * ms});
        made.kernel("gemm_f32", 12 * ms, {14 * ms, 15 * ms});
        made.kernel("store", 18 * ms, {19 * ms, 21 * ms});
        const auto trace = made.finish();
        for (const Side side : {Side::A, Side::B}) {
            CompareRequest request = asked(trace, trace);
            QCOMPARE(keyOf(compareRuns(request).verdict), keyOf(CompareVerdict::NoDifference));
            (side == Side::A ? request.a : request.b).range = {0, 30 * ms};
            const Comparison comparison = compareRuns(request);
            QCOMPARE(keyOf(comparison.verdict), keyOf(CompareVerdict::Unknown));
            QVERIFY(comparison.lacksSteps);
            QCOMPARE(comparison.hints.size(), std::size_t{1});
            QVERIFY(comparison.hints.front().key() == "compare.choose_other_range");
            const std::string option = side == Side::A ? "--b-range" : "--a-range";
            QVERIFY(plain(comparison.hints.front()).find(option) != std::string::npos);
        }
    }

    void rangesAreNamed()
    {
        const auto trace = program(900 * us);
        CompareRequest request = asked(trace, trace);
        request.a.range = {10 * ms, 15 * ms};
        request.b.range = {15 * ms, 20 * ms};
        const Comparison comparison = compareRuns(request);
        const auto fact = std::ranges::find(comparison.facts, "steps", &CompareFact::id);
        QVERIFY(fact != comparison.facts.end());
        QVERIFY2(
            plain(fact->a).find("0.010000 s to 0.015000 s") != std::string::npos, plain(fact->a).c_str());
        QVERIFY2(
            plain(fact->b).find("0.015000 s to 0.020000 s") != std::string::npos, plain(fact->b).c_str());
    }

    /// In parts of steps, a range and a recording, or two ranges, are not the same.
    void otherRangesAreDifferent()
    {
        const auto trace = program(900 * us);
        const auto factOf = [&](TimeRange a, TimeRange b) {
            CompareRequest request = asked(trace, trace);
            request.a.range = a;
            request.b.range = b;
            const Comparison comparison = compareRuns(request);
            const auto fact = std::ranges::find(comparison.facts, "steps", &CompareFact::id);
            return std::pair(std::string(keyOf(fact->state)), plain(fact->b));
        };
        const TimeRange part{10 * ms + 100 * us, 10 * ms + 400 * us};
        const TimeRange other{10 * ms + 300 * us, 10 * ms + 600 * us};
        QCOMPARE(factOf(part, part).first, std::string("same"));
        QCOMPARE(factOf(part, other).first, std::string("different"));
        QCOMPARE(factOf(part, {}).first, std::string("different"));
        QCOMPARE(factOf(part, {}).second, std::string("whole recording")); // which has steps
        // Before any GPU work there is nothing that could be the same.
        const TimeRange before{9 * ms, 10 * ms + 5 * us};
        QCOMPARE(factOf(before, before).first, std::string("not_known"));
        QCOMPARE(factOf(part, before).first, std::string("not_known"));
    }
};

/// Symmetric for A and B: the ratio is inverse, and kernels that wait for other ranks do not count.
void CompareRunsTest::equalKernelsAreComparedByTheirTime()
{
    const auto a = program(100 * us, "gemm_f32", 12, 0, 20 * us);
    const auto b = program(200 * us, "gemm_f32", 12, 0, 300 * us);
    const auto paceOf = [](const Comparison& comparison) {
        const auto fact = std::ranges::find(comparison.facts, "pace", &CompareFact::id);
        return fact != comparison.facts.end() ? plain(fact->b) : std::string();
    };
    // 100 + 100 + 100 + 180 us against 100 + 100 + 200 + 180 us a step.
    QCOMPARE(paceOf(compareRuns(asked(a, b))), std::string("1.208×"));
    QCOMPARE(paceOf(compareRuns(asked(b, a))), std::string("0.828×"));
}

WARPLINE_TEST(CompareRunsTest)

} // namespace tst_compare_runs

#include "tst_compare_runs.moc"
