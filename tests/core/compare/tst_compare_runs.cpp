// Two runs compared: what is measured, that parts add up, what is matched by what, and what is not
// comparable. On drawn programs; the real reports are in tst_compare_reports.

#include "core/compare/compare_runs.h"

#include "tests/core/findings/drawn_program.h"

#include <QtTest>

using namespace warpline;
using namespace warpline::test;

namespace {

/// A program of `steps` steps of four kernels, the third of which takes `third`, named `name`.
std::shared_ptr<const Trace> program(
    Ns third, std::string_view name = "gemm_f32", std::size_t steps = 12, Ns idle = 0, Ns communication = 0)
{
    DrawnProgram program;
    Ns time = 10 * ms;
    for (std::size_t i = 0; i < steps; ++i) {
        const Ns start = time;
        const Ns jitter = static_cast<Ns>(i % 3) * us;
        const Ns length = 400 * us + third + jitter + idle;
        program.range("step_" + std::to_string(i), {start, start + length});
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
        QVERIFY2(comparison.comparable, comparison.sentence.c_str());
        QCOMPARE(comparison.unit, CompareUnit::Step);
        QCOMPARE(keyOf(comparison.verdict), keyOf(CompareVerdict::Faster));
        QCOMPARE(comparison.delta, -400 * us);
        const Both<Ns> sums = budgetSums(comparison);
        QCOMPARE(sums.a, comparison.sides.a.median);
        QCOMPARE(sums.b, comparison.sides.b.median);
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

    void otherNamesAreMatchedByPathAndOrder()
    {
        const Comparison comparison = compareRuns(asked(program(900 * us, "ampere_sgemm_128x64_tn"),
            program(300 * us, "sm90_xmma_gemm_f16f16_f16f32_tn_n")));
        QVERIFY2(comparison.comparable, comparison.sentence.c_str());
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
        QVERIFY2(named.comparable, named.sentence.c_str());
        QCOMPARE(named.delta, found.delta);
        request.a.stepGlob = request.b.stepGlob = "step_#"; // as it is printed
        QCOMPARE(compareRuns(request).delta, found.delta);
        // The steps' own numbers are no part of a path: kernels have their partners in all steps.
        QCOMPARE(named.matched.all.a, 1.0);
        QCOMPARE(named.matched.all.b, 1.0);
        QCOMPARE(named.table("kernels")->rows.front().where, std::string("forward"));
    }

    void stepsThatNobodyHasAreSaid()
    {
        CompareRequest request = asked(program(900 * us), program(500 * us));
        request.a.stepGlob = "step_*";
        request.b.stepGlob = "nope";
        const Comparison comparison = compareRuns(request);
        QVERIFY(!comparison.comparable);
        QVERIFY2(comparison.sentence.find("B has no steady steps with GPU work that are called 'nope'")
                != std::string::npos,
            comparison.sentence.c_str());
    }

    void aFewLongStepsAreSaid()
    {
        // A median is blind to stalls; the mean is not.
        DrawnProgram stalling;
        Ns time = 10 * ms;
        for (int i = 0; i < 120; ++i) {
            const Ns length = i % 4 == 3 ? 9 * ms : ms;
            stalling.range("step_" + std::to_string(i), {time, time + length});
            stalling.kernel("gemm_f32", time + us, {time + 20 * us, time + 900 * us});
            time += length;
        }
        const auto even = program(900 * us);
        const Comparison comparison = compareRuns(asked(even, stalling.finish()));
        QVERIFY2(comparison.sentence.find("On average a step of B takes ") != std::string::npos,
            comparison.sentence.c_str());
        QVERIFY(comparison.sentence.find("On average a step of A") == std::string::npos);
        QVERIFY(comparison.meanNoise > 0);
        QVERIFY2(comparison.meanRelative() > 0.5, std::to_string(comparison.meanRelative()).c_str());
        QCOMPARE(compareRuns(asked(even, even)).meanRelative(), 0.0);
        QVERIFY(compareRuns(asked(even, even)).sentence.find("On average") == std::string::npos);
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
        QVERIFY2(fact->a.find("0.010000 s to 0.015000 s") != std::string::npos, fact->a.c_str());
        QVERIFY2(fact->b.find("0.015000 s to 0.020000 s") != std::string::npos, fact->b.c_str());
    }
};

/// Whatever is A and whatever is B: as many times as long one way as shorter the other, and kernels that wait
/// for other ranks say nothing of it.
void CompareRunsTest::equalKernelsAreComparedByTheirTime()
{
    const auto a = program(100 * us, "gemm_f32", 12, 0, 20 * us);
    const auto b = program(200 * us, "gemm_f32", 12, 0, 300 * us);
    const auto paceOf = [](const Comparison& comparison) {
        const auto fact = std::ranges::find(comparison.facts, "pace", &CompareFact::id);
        return fact != comparison.facts.end() ? fact->b : std::string();
    };
    // 100 + 100 + 100 + 180 us against 100 + 100 + 200 + 180 us a step.
    QCOMPARE(paceOf(compareRuns(asked(a, b))), std::string("1.208"));
    QCOMPARE(paceOf(compareRuns(asked(b, a))), std::string("0.828"));
}

QTEST_APPLESS_MAIN(CompareRunsTest)
#include "tst_compare_runs.moc"
