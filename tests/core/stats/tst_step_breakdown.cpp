// Steps, their parts and the GPU's activity in them.

#include "core/base/glob.h"
#include "core/findings/rule.h"
#include "core/stats/stats_table.h"
#include "core/stats/step_breakdown.h"
#include "core/steps/steps.h"
#include "tests/core/findings/drawn_program.h"
#include "tests/core/stats/drawn_trace.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_step_breakdown {

using namespace warpline;
using namespace warpline::test;

namespace {

/// Six steps of 1000 ns with two parts each; the first takes 9000, the fifth 3000.
std::shared_ptr<const Trace> sixSteps()
{
    DrawnTrace drawn;
    Ns start = 1000;
    for (int i = 0; i < 6; ++i) {
        const Ns length = i == 0 ? 9000 : i == 4 ? 3000 : 1000 + i;
        drawn.range("step_" + std::to_string(i), start, start + length);
        drawn.range("forward", start, start + 200);
        drawn.range("layer_0", start + 10, start + 20);
        drawn.range("layer_1", start + 20, start + 40);
        drawn.range("backward", start + 200, start + 700);
        drawn.kernel("compute", start + 100, start + 400, 0);
        drawn.kernel("ncclDevKernel_AllReduce", start + 300, start + 500, 0, 9);
        drawn.copy(CopyKind::HtoD, start - 50, start + 100, 8, 0);
        start += length + 10;
    }
    return drawn.finish();
}

} // namespace

class StepBreakdownTest : public QObject {
    Q_OBJECT

private slots:
    void findsTheStep()
    {
        QCOMPARE(breakDownSteps(*sixSteps(), {}).pattern, std::string("step_*"));
        QCOMPARE(breakDownSteps(Trace(), {}).pattern, std::string());
        QCOMPARE(withoutNumbers("a12b3", '*'), std::string("a*b*"));
    }

    void measuresSteps()
    {
        const auto trace = sixSteps();
        const StepBreakdown breakdown = breakDownSteps(*trace, "step_*");
        QCOMPARE(breakdown.parts, (std::vector<std::string>{"forward", "backward"})); // not the layers inside
        QCOMPARE(breakdown.steps.size(), std::size_t{6});
        const Step& step = breakdown.steps[1];
        QCOMPARE(trace->name({EventKind::Nvtx, step.range}), std::string_view("step_1"));
        QCOMPARE(step.parts, (std::vector<Ns>{200, 500}));
        QCOMPARE(step.other, Ns{301});
        // 0-100 copy, 100-500 kernels, and 50 ns of the next step's copy less the gap of 10 between steps.
        QCOMPARE(step.busy, Ns{540});
        QCOMPARE(step.copy, Ns{140});
        QCOMPARE(step.communication, Ns{200});
        QCOMPARE(step.exposedCommunication, Ns{100}); // 300-400 runs during a kernel
    }

    /// As asynchronous requests are: a part is never more than its step.
    void rangesAtTheSameTimeCountOnce()
    {
        DrawnTrace drawn;
        for (Ns i = 0; i < 6; ++i) {
            const Ns start = 1000 * i;
            drawn.range("step_" + std::to_string(i), start, start + 1000);
            drawn.range("request", start + 100, start + 400, 1, 60);
            drawn.range("request", start + 200, start + 600, 1, 60);
            drawn.range("answer", start + 500, start + 700, 1, 60);
            drawn.range("request", start + 800, start + 900, 1, 60);
        }
        const auto trace = drawn.finish();
        const StepBreakdown breakdown = breakDownSteps(*trace, "step_*");
        QCOMPARE(breakdown.parts, (std::vector<std::string>{"request", "answer"}));
        for (const Step& step : breakdown.steps) {
            QCOMPARE(step.parts, (std::vector<Ns>{600, 200}));
            QCOMPARE(step.other, Ns{300});
        }
    }

    void manyNamesAreInOther()
    {
        DrawnTrace drawn;
        for (Ns i = 0; i < 300; ++i) {
            const Ns start = 1000 * i;
            drawn.range("step_" + std::to_string(i), start, start + 1000);
            drawn.range("all", start, start + 300);
            std::string id;
            for (Ns left = i; id.size() < 3; left /= 26)
                id += static_cast<char>('a' + left % 26);
            drawn.range("request " + id, start + 300, start + 400 + i);
        }
        const auto trace = drawn.finish();
        const StepBreakdown breakdown = breakDownSteps(*trace, "step_*");
        QCOMPARE(breakdown.parts.size(), std::size_t{200});
        QCOMPARE(breakdown.parts.front(), std::string("all"));
        for (std::size_t i = 0; i < breakdown.steps.size(); ++i) {
            const Step& step = breakdown.steps[i];
            QCOMPARE(step.parts.size(), std::size_t{200});
            const Ns shown = i >= 101 ? 100 + static_cast<Ns>(i) : 0; // the longest
            QCOMPARE(step.other, 700 - shown);
        }
    }

    void setsWarmUpAndOutliersApart()
    {
        const StepBreakdown breakdown = breakDownSteps(*sixSteps(), ":step_*", {}, {.longerBy = 1000});
        std::vector<int> warm;
        std::vector<int> odd;
        for (int i = 0; i < 6; ++i) {
            if (breakdown.steps[static_cast<std::size_t>(i)].warmUp)
                warm.push_back(i);
            if (breakdown.steps[static_cast<std::size_t>(i)].outlier)
                odd.push_back(i);
        }
        QCOMPARE(warm, std::vector<int>{0});
        QCOMPARE(odd, std::vector<int>{4});
        QCOMPARE(breakdown.steady.count, std::uint64_t{5});
        QCOMPARE(breakdown.steady.max, std::int64_t{3000});
    }

    void classifiesWithoutParts()
    {
        const SlowStepLimits slow{.longerBy = 1000};
        const StepBreakdown all = breakDownSteps(*sixSteps(), {}, {}, slow);
        const StepBreakdown some = classifySteps(*sixSteps(), {}, {}, slow);
        QCOMPARE(some.pattern, all.pattern);
        QCOMPARE(some.steady.median, all.steady.median);
        QCOMPARE(some.steadyGpu.total, all.steadyGpu.total);
        QCOMPARE(some.steps.size(), all.steps.size());
        for (std::size_t i = 0; i < all.steps.size(); ++i) {
            QCOMPARE(some.steps[i].range, all.steps[i].range);
            QCOMPARE(some.steps[i].warmUp, all.steps[i].warmUp);
            QCOMPARE(some.steps[i].outlier, all.steps[i].outlier);
            QCOMPARE(some.steps[i].gpu, all.steps[i].gpu);
            QVERIFY(some.steps[i].parts.empty());
        }
    }

    void outliersAreThoseOfTheRule()
    {
        // Twenty steps, one far slower, one a quarter slower, one far shorter.
        DrawnProgram program;
        Ns start = 0;
        for (int i = 0; i < 20; ++i) {
            const Ns length = i == 0 ? 90 * ms
                : i == 7             ? 30 * ms
                : i == 9             ? 13 * ms
                : i == 12            ? 3 * ms
                                     : 10 * ms;
            program.range("step_" + std::to_string(i), {start, start + length});
            program.kernel("compute", start, {start + us, start + length - us});
            start += length;
        }
        const auto trace = program.finish();
        for (const double factor : {1.2, 1.5, 5.0}) {
            const StepBreakdown breakdown = breakDownSteps(*trace, "step_*", {}, {.factor = factor});
            std::vector<EventIndex> odd;
            for (const Step& step : breakdown.steps) {
                if (step.outlier)
                    odd.push_back(step.range);
            }
            const Rule* const rule = findRule("nvtx_outlier_steps");
            const Threshold override{"nvtx_outlier_steps.factor", "", "", factor};
            std::vector<EventIndex> found;
            for (const Finding& finding :
                runRules(*trace, trace->session, std::span(&rule, 1), std::span(&override, 1))) {
                if (finding.severity == Severity::Info)
                    continue; // the warm-up
                for (const Evidence& proof : finding.evidence)
                    found.push_back(proof.event.index);
            }
            std::ranges::sort(found);
            QCOMPARE(odd, found);
            QCOMPARE(odd.size(), factor < 1.3 ? 2U : factor < 3 ? 1U : 0U);
        }
        QCOMPARE(slowSteps(std::vector<Ns>{1, 5, 5, 1, 1}, std::vector<Ns>(5, 1), 0, {1.5, 0}).size(),
            0U); // usual
    }

    void theGpuJudgesSteps()
    {
        // The host enqueues unevenly, the GPU takes 20 ms for each: no step is an outlier.
        DrawnProgram program;
        Ns host = 0;
        for (int i = 0; i < 12; ++i) {
            const Ns length = i % 4 == 3 ? 30 * ms : 10 * ms;
            program.range("step_" + std::to_string(i), {host, host + length});
            program.kernel("compute", host + us, {20 * ms * i + 1 * ms, 20 * ms * i + 20 * ms});
            host += length;
        }
        const auto trace = program.finish();
        const StepBreakdown breakdown = breakDownSteps(*trace, "step_*");
        QCOMPARE(std::ranges::count_if(breakdown.steps, &Step::outlier), std::ptrdiff_t{0});
        QCOMPARE(breakdown.steps[3].gpu, (TimeRange{61 * ms, 81 * ms}));
        QVERIFY(breakdown.steps[3].gpuWhole);
        QVERIFY(!breakdown.steps[11].gpuWhole);
        QCOMPARE(breakdown.steadyGpu.median, 20.0 * ms);
        StatsQuery query;
        query.nvtxName = "step_*";
        const Cells cells = findStatsTable("nvtx_step_breakdown")->fill(*trace, query);
        QCOMPARE(std::get<double>(cells.at(3, 6)), 20.0 * ms);
        QCOMPARE(std::get<double>(cells.at(13, 6)), 20.0 * ms); // the median
        QCOMPARE(cells.row(13).size(), cells.columns.size());
    }

    void tableHasARowForEachStepAndASummary()
    {
        const auto trace = sixSteps();
        StatsQuery query;
        query.nvtxName = "step_[";
        QCOMPARE(findStatsTable("nvtx_step_breakdown")->fill(*trace, query).rowCount(), std::size_t{0});
        query.nvtxName = "step_?";
        const Cells cells = findStatsTable("nvtx_step_breakdown")->fill(*trace, query);
        QCOMPARE(cells.rowCount(), std::size_t{6 + 5});
        QCOMPARE(std::get<std::string>(cells.at(0, 1)), std::string("warm-up"));
        QCOMPARE(std::get<std::string>(cells.at(7, 0)), std::string("(median)"));
        QCOMPARE(
            std::get<double>(cells.at(7, 5)), 1003.0); // of 1001, 1002, 1003, 1005, 3000: without the warm-up
        query.window = {1000, 1001};
        QCOMPARE(findStatsTable("nvtx_step_breakdown")->fill(*trace, query).rowCount(), std::size_t{1 + 5});
    }

    void treeFoldsNumberedNames()
    {
        const Cells cells = findStatsTable("nvtx_tree_sum")->fill(*sixSteps(), {});
        QStringList names;
        for (std::size_t row = 0; row < cells.rowCount(); ++row)
            names << QString::fromStdString(std::get<std::string>(cells.at(row, 0)));
        QCOMPARE(names, (QStringList{":step_*", "--:backward", "--:forward", "----:layer_*"}));
        QCOMPARE(std::get<std::int64_t>(cells.at(3, 4)), std::int64_t{12});
        QCOMPARE(std::get<double>(cells.at(3, 2)), 15.0); // 30 of each 200 ns
    }

    void globs_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("pattern");
        QTest::addColumn<bool>("matches");
        QTest::newRow("equal") << "step"
                               << "step" << true;
        QTest::newRow("prefix is not enough") << "step_1"
                                              << "step" << false;
        QTest::newRow("star") << "step_12"
                              << "step_*" << true;
        QTest::newRow("star takes nothing") << "step_"
                                            << "step_*" << true;
        QTest::newRow("star goes back") << "aXbXc"
                                        << "a*Xc" << true;
        QTest::newRow("two stars") << "abcde"
                                   << "*b*e" << true;
        QTest::newRow("question mark") << "step_1"
                                       << "step_?" << true;
        QTest::newRow("question mark takes one") << "step_"
                                                 << "step_?" << false;
        QTest::newRow("empty pattern") << "a"
                                       << "" << false;
        QTest::newRow("both empty") << ""
                                    << "" << true;
        QTest::newRow("only star") << ""
                                   << "*" << true;
    }
    void globs()
    {
        QFETCH(QString, text);
        QFETCH(QString, pattern);
        QFETCH(bool, matches);
        QCOMPARE(matchesGlob(text.toStdString(), pattern.toStdString()), matches);
    }
};

WARPLINE_TEST(StepBreakdownTest)

} // namespace tst_step_breakdown

#include "tst_step_breakdown.moc"
