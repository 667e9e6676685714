// The first and the last step where they differ from all others: reported with the difference, and only where
// it is clear.

#include "core/base/format.h"
#include "core/base/rounded.h"
#include "core/budget/edge_budgets.h"
#include "core/load/load_report.h"
#include "core/render/render.h"
#include "core/steps/edge_steps.h"
#include "tests/core/findings/drawn_program.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_edge_budgets {

using namespace warpline;
using namespace warpline::test;

namespace {

/// Steps of the given lengths in ms: each launches three kernels of 1 ms at its begin and then leaves the GPU
/// idle.
std::shared_ptr<const Trace> stepsOf(const std::vector<double>& lengths, int kernelsInLast = 3)
{
    DrawnProgram drawn;
    Ns at = 0;
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        const Ns end = at + static_cast<Ns>(lengths[i] * ms);
        drawn.range("step_" + std::to_string(i), {at, end});
        const int kernels = i + 1 == lengths.size() ? kernelsInLast : 3;
        for (int k = 0; k < kernels; ++k) {
            const Ns begin = k + 1 == kernels ? end - 1 * ms : at + 10 * us + k * ms;
            drawn.kernel("my_gemm", begin - 5 * us, {begin, begin + 1 * ms});
        }
        at = end;
    }
    return drawn.finish();
}

std::string told(const Trace& trace)
{
    const GpuBudgets budgets(trace);
    const auto all
        = stepBudgets(trace, budgets, findGpuSteps(trace, {trace.session.start, trace.session.end + 1}));
    const StepBudgets* const main = mainOf(all);
    return main ? plain(edgeSentences(trace, budgets.parts(), *main)) : "no steps";
}

bool holds(const std::string& text, std::string_view part)
{
    return text.find(part) != std::string::npos;
}

} // namespace

class EdgeBudgetsTest : public QObject {
    Q_OBJECT

private slots:
    void aShortLastStepIsTold()
    {
        const std::string text = told(*stepsOf({10, 10.1, 9.9, 10, 10, 6}));
        QVERIFY2(
            text.starts_with(
                "The last step (step_5) is shorter than all others: 6 ms on the host, 0.60 x the usual, "),
            text.c_str());
        QVERIFY2(holds(text, "to the end of its work. Its work equals that of the others (3 kernels, 3 ms"),
            text.c_str());
        QVERIFY2(holds(text, "The part that is less: mainly idle: "), text.c_str());
        QVERIFY2(holds(text, "It is not part of the statistics of GPU steps"), text.c_str());
    }

    void lessWorkIsTold()
    {
        const std::string text = told(*stepsOf({10, 10.1, 9.9, 10, 10, 6}, 1));
        QVERIFY2(
            holds(text,
                "It runs 1 kernel instead of 3 on average, and its GPU work takes 1 ms instead of 3 ms."),
            text.c_str());
    }

    void aShortFirstStepIsTold()
    {
        const std::string text = told(*stepsOf({4, 10.1, 9.9, 10, 10, 10}));
        QVERIFY2(text.starts_with("The first step (step_0) is shorter than all others: 4 ms"), text.c_str());
        QVERIFY2(holds(text, "counts among the steady steps"), text.c_str());
    }

    void whatIsNoOddOneOutIsNotTold_data()
    {
        QTest::addColumn<std::vector<double>>("lengths");
        QTest::newRow("even") << std::vector<double>{10, 10, 10, 10, 10, 10};
        QTest::newRow("a little shorter") << std::vector<double>{10, 10, 10, 10, 10, 8.5};
        QTest::newRow("one of two such") << std::vector<double>{10, 10, 6.2, 10, 10, 6};
        QTest::newRow("steps that vary") << std::vector<double>{10, 14, 7, 12, 8.5, 6.1};
        QTest::newRow("too few to tell") << std::vector<double>{10, 10, 6};
        QTest::newRow("an outlier") << std::vector<double>{10, 10, 10, 10, 10, 30};
    }

    void whatIsNoOddOneOutIsNotTold()
    {
        QFETCH(const std::vector<double>, lengths);
        QCOMPARE(told(*stepsOf(lengths)), std::string());
    }

    /// A range cut by the timeline is not a short step.
    void aStepThatIsCutIsNotTold()
    {
        const auto trace = stepsOf({10, 10, 10, 10, 10, 10});
        const GpuBudgets budgets(*trace);
        for (const StepBudgets& steps : stepBudgets(*trace, budgets, findGpuSteps(*trace, {0, 56 * ms})))
            QVERIFY(edgeSentences(*trace, budgets.parts(), steps).empty());
    }

    /// Recomputed in SQL: all steps launch 1,024 kernels, and the last range is 25.7 ms long.
    void aRealLastStep()
    {
        const std::string path = sharedReport("h200-more/llama_bf16");
        if (path.empty())
            QSKIP("the shared reports are not there: ../shared/reports");
        const auto trace = loadReport(path);
        QVERIFY(trace.ok());
        const std::string text = told(*trace.value());
        const std::string range
            = "FROM NVTX_EVENTS n LEFT JOIN StringIds s ON s.id = n.textId WHERE coalesce(n.text, s.value) = "
              "'step_8'";
        const long long length = sqlInteger(path, "SELECT n.end - n.start " + range);
        const long long kernels = sqlInteger(path,
            "SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL k JOIN CUPTI_ACTIVITY_KIND_RUNTIME r ON "
            "r.correlationId = k.correlationId WHERE r.start BETWEEN (SELECT n.start "
                + range + ") AND (SELECT n.end " + range + ")");
        QVERIFY2(
            holds(text,
                "(step_8) is shorter than all others: " + roundedDuration(length) + " on the host, 0.72 x"),
            text.c_str());
        QVERIFY2(
            holds(text, "(" + formatCount(static_cast<std::uint64_t>(kernels)) + " kernels"), text.c_str());
        QVERIFY2(holds(text, "idle: the host prepares the next launch"), text.c_str());
    }
};

WARPLINE_TEST(EdgeBudgetsTest)

} // namespace tst_edge_budgets

#include "tst_edge_budgets.moc"
