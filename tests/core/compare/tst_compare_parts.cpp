// The parts that comparisons are made of: names in common, orders in common, noise, budgets scaled, tables
// joined.

#include "core/compare/compare_stats.h"
#include "core/compare/compare_tables.h"
#include "core/compare/kernel_match.h"
#include "core/compare/nvtx_paths.h"
#include "core/compare/side_measure.h"
#include "core/compare/step_noise.h"
#include "core/store/trace.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <limits>
#include <numeric>
#include <random>

namespace tst_compare_parts {

using namespace warpline;

class ComparePartsTest : public QObject {
    Q_OBJECT

private slots:
    void namesLoseSizesAndKeepTypes()
    {
        QCOMPARE(plainKernelName("ampere_sgemm_128x64_tn"), std::string("ampere_sgemm_#_tn"));
        QCOMPARE(plainKernelName("sm80_xmma_gemm_f32f32_tilesize64x64x8_stage3"),
            std::string("sm#_xmma_gemm_f32f32_tilesize#_stage#"));
        QVERIFY(plainKernelName("gemm_f16") != plainKernelName("gemm_f32"));
        QCOMPARE(plainKernelName(""), std::string());
    }

    void recordersSpellNamesAlike()
    {
        QCOMPARE(commonKernelName("void f<(int)4, (bool)0>(T1 *, long)"),
            commonKernelName("void f<4, false>(T1*, long)"));
        QCOMPARE(
            commonKernelName("a::<unnamed>::g(int)"), commonKernelName("a::(anonymous namespace)::g(int)"));
        QVERIFY(commonKernelName("f<(int)4>") != commonKernelName("f<(int)8>"));
        QCOMPARE(commonKernelName("f(int)"), std::string("f(int)"));
    }

    /// Else each range of a program that nests without end would have a text as long as all around it.
    void pathsHaveALimitOfLevelsAndLetters()
    {
        PathNames names;
        std::uint32_t path = names.child(0, "outermost");
        for (int i = 0; i < 100'000; ++i)
            path = names.child(path, "level" + std::to_string(i) + std::string(500, 'x'));
        const std::string text = names.textOf(path);
        QVERIFY(text.size() <= 4096 && text.starts_with("\u2026/level19"));
        QCOMPARE(names.child(path, "deeper"), path);
        QCOMPARE(names.folded(names.child(names.child(0, "a1"), "b")),
            names.folded(names.child(names.child(0, "a2"), "b")));
        QVERIFY(names.textOf(names.child(names.child(0, "a1"), "b")) == "a1/b");
    }

    /// The kernels of either name take longer than 64 bits hold.
    void aRowIsNamedByTheKernelThatTakesMost()
    {
        PathNames names;
        const std::uint32_t paths[]{names.child(0, "early"), names.child(0, "late")};
        SideKernels kernels;
        for (const char* const name : {"short", "long"}) {
            KernelGroup& group = kernels.groups.emplace_back();
            group.name = group.label = name;
        }
        for (const std::uint32_t group : {0U, 0U, 0U, 1U, 1U, 1U, 1U}) {
            KernelUse& use = kernels.uses.emplace_back();
            use.group = group;
            use.path = paths[group];
            use.duration = Ns{1} << 62;
        }
        KernelMatch match;
        match.rows = {MatchedBy::NvtxPath};
        match.rowOfUse = {std::vector<std::uint32_t>(7), std::vector<std::uint32_t>(7)};
        const SideMeasure measure;
        const TableSources sources{
            {&measure, &measure}, {&kernels, &kernels}, KernelClassRules::builtIn(), names, false, {}};
        const CompareTable table = kernelTable(sources, match);
        QCOMPARE(table.rows.size(), std::size_t{1});
        QCOMPARE(table.rows.front().a.name, std::string("long"));
        QCOMPARE(table.rows.front().b.name, std::string("long"));
        QCOMPARE(table.rows.front().where, std::string("late"));
    }

    void namesThatBecomeOneAddUp()
    {
        constexpr Ns most = std::numeric_limits<Ns>::max();
        Both<Tallies> tallies{Tallies(false), Tallies(false)};
        for (const char* const name : {"work1", "work2"})
            tallies.a.add(tallies.a.of(name), most, most, {});
        const auto plainName = [](std::string_view) { return std::string("work#"); };
        const auto rows = joinTallies(tallies, {1, 1}, plainName);
        QCOMPARE(rows.size(), std::size_t{1});
        QCOMPARE(rows.front().a.total, most);
    }

    void theLongestOrderInCommonIsFound()
    {
        using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;
        const std::vector<std::uint32_t> a{1, 2, 3, 1, 4};
        const std::vector<std::uint32_t> b{1, 9, 2, 1, 4};
        QCOMPARE(commonOrder(a, b), (Pairs{{0, 0}, {1, 2}, {3, 3}, {4, 4}}));
        QVERIFY(commonOrder({}, b).empty());
        QCOMPARE(commonOrder(a, a).size(), a.size());
        // Too long for a table: still pairs of equal symbols, ascending.
        std::vector<std::uint32_t> longA(3000);
        std::vector<std::uint32_t> longB(3000);
        std::mt19937 random(1);
        for (std::size_t i = 0; i < longA.size(); ++i) {
            longA[i] = static_cast<std::uint32_t>(random() % 4);
            longB[i] = static_cast<std::uint32_t>(random() % 4);
        }
        std::pair<std::size_t, std::size_t> before{0, 0};
        for (const auto& [i, j] : commonOrder(longA, longB, 10'000)) {
            QCOMPARE(longA[i], longB[j]);
            QVERIFY(i >= before.first && j >= before.second);
            before = {i, j};
        }
    }

    void noiseGrowsWithSpreadAndShrinksWithCount()
    {
        QCOMPARE(spreadOf({}).error, -1.0);
        const std::vector<Ns> one{100};
        QCOMPARE(noiseOf(spreadOf(one), spreadOf(one)), Ns{-1}); // unknown
        std::mt19937 random(2);
        std::normal_distribution<double> normal(1e6, 1e4);
        std::vector<Ns> few;
        std::vector<Ns> many;
        for (int i = 0; i < 400; ++i)
            many.push_back(static_cast<Ns>(normal(random)));
        few.assign(many.begin(), many.begin() + 10);
        const Ns noiseFew = noiseOf(spreadOf(few), spreadOf(few));
        const Ns noiseMany = noiseOf(spreadOf(many), spreadOf(many));
        QVERIFY(noiseMany < noiseFew / 3);
        QVERIFY(noiseMany > 1'000 && noiseMany < 5'000); // 2.66 x 1.2533 x 10,000 / 20 x sqrt(2): 2,360
        // A run that gets slower all the time has fewer independent steps than steps.
        std::vector<Ns> drifting = many;
        std::ranges::sort(drifting);
        QVERIFY(noiseOf(spreadOf(drifting), spreadOf(drifting)) > 3 * noiseMany);
        // Steps of two speeds: the median may be either.
        std::vector<Ns> two;
        for (int i = 0; i < 41; ++i)
            two.push_back(i % 2 == 0 ? 1'000'000 : 2'000'000);
        QVERIFY(spreadOf(two).error > 100'000);
    }

    void stallsThatComeBackAreOnePeriod()
    {
        std::mt19937 random(7);
        std::normal_distribution<double> normal(1e6, 1e4);
        std::vector<Ns> plain;
        std::vector<Ns> every4th;
        std::vector<Ns> anywhere;
        for (int i = 0; i < 40; ++i) {
            plain.push_back(static_cast<Ns>(normal(random)));
            every4th.push_back(plain.back() + (i % 4 == 2 ? 5'000'000 : 0));
            anywhere.push_back(plain.back() + (i == 3 || i == 5 || i == 19 || i == 37 ? 5'000'000 : 0));
        }
        QVERIFY(!periodOfStalls(plain));
        QVERIFY(!periodOfStalls(anywhere));
        const StepPeriod period = periodOfStalls(every4th);
        QCOMPARE(period.steps, std::size_t{4});
        QCOMPARE(period.phase, std::size_t{2});
        QVERIFY(std::abs(period.stall - 5'000'000) < 50'000);
        // Each period is alike, so that the mean is known far better than of stalls that come by chance.
        const StepSpread spread = spreadOf(every4th);
        QCOMPARE(spread.meanCount, std::size_t{10});
        QVERIFY(spread.meanError < 10'000);
        QVERIFY(spreadOf(anywhere).meanError > 200'000);
        QVERIFY(spreadOf(every4th).error < 10'000);
    }

    /// Steps that take longer together than 64 bits hold.
    void stepsOfMonthsHaveAMean()
    {
        std::vector<Ns> lengths(300, timeLimit);
        QCOMPARE(spreadOf(lengths).mean, static_cast<double>(timeLimit));
        lengths.resize(256);
        lengths.resize(512, timeLimit - 1'000);
        QCOMPARE(meanErrorOf(lengths, 256), 500.0);
        lengths.assign(512, timeLimit);
        lengths.resize(1024, timeLimit - 1'000); // both periods
        QCOMPARE(meanErrorOf(lengths, 512), 500.0);
        std::vector<Ns> stalled(900, 1'000);
        for (std::size_t i = 0; i < stalled.size(); i += 3)
            stalled[i] = timeLimit;
        QCOMPARE(periodOfStalls(stalled).steps, std::size_t{3});
        QVERIFY(std::abs(periodOfStalls(stalled).stall - timeLimit) < 10'000);
        QCOMPARE(noiseOf(1e18, 2, 1e18, 2), std::numeric_limits<Ns>::max());
    }

    /// A third of the steps stalls: the median may be far longer, and hardly shorter.
    void stallsBlurOneSideOfTheMedian()
    {
        std::vector<Ns> stalled;
        std::vector<Ns> steady;
        for (int i = 0; i < 23; ++i) {
            const Ns jitter = 200'000 * (i * 7 % 23);
            stalled.push_back(38'000'000 + jitter + (i * 5 % 23 < 8 ? 140'000'000 : 0));
            steady.push_back(16'000'000 + jitter);
        }
        const StepSpread a = spreadOf(stalled);
        const StepSpread b = spreadOf(steady);
        QVERIFY(isTooNoisy(noiseOf(a, b), a.median, b.median));
        QVERIFY(a.median - b.median > noiseBetween(a, b));
        // For equal steps, stalls make up the noise: a run without stalls is not slower.
        QVERIFY(noiseBetween(b, a) > 3 * noiseBetween(a, b));
        QCOMPARE(noiseBetween(b, b), noiseOf(b, b));
    }

    void twoLevelsAreTwoObservations()
    {
        std::mt19937 random(8);
        std::normal_distribution<double> normal(0, 1e4);
        std::vector<Ns> one;
        std::vector<Ns> two;
        for (int i = 0; i < 40; ++i) {
            const auto noise = static_cast<Ns>(normal(random));
            one.push_back(1'000'000 + noise);
            two.push_back((i < 16 ? 1'000'000 : 1'100'000) + noise);
        }
        QVERIFY(spreadOf(one).error < 5'000);
        const StepSpread spread = spreadOf(two);
        QCOMPARE(spread.change.at, std::size_t{16});
        // 100 us apart, of which 0.4 and 0.6 of the steps: sqrt(0.24) x 100 us.
        QVERIFY(std::abs(spread.meanError - 49'000) < 4'000);
        QVERIFY(spread.error > 45'000);
    }

    /// One in a hundred pairs of equal sides exceeds the noise.
    void recordingsThatDoNotDifferStayInTheirNoise()
    {
        std::mt19937 random(9);
        for (const double deviation : {0.002, 0.0077, 0.03}) { // of recordings; 0.0077 is the assumed one
            std::normal_distribution<double> normal(1e6, deviation * 1e6);
            const auto drawn = [&](std::size_t count) {
                std::vector<Ns> runs;
                for (std::size_t i = 0; i < count; ++i)
                    runs.push_back(static_cast<Ns>(normal(random)));
                return runs;
            };
            const auto mean = [](const std::vector<Ns>& runs) {
                return std::accumulate(runs.begin(), runs.end(), Ns{0}) / static_cast<Ns>(runs.size());
            };
            for (const auto& [countA, countB] : {std::pair(5, 5), std::pair(8, 8), std::pair(8, 2)}) {
                std::size_t apart = 0;
                for (int round = 0; round < 2000; ++round) {
                    const auto a = drawn(static_cast<std::size_t>(countA));
                    const auto b = drawn(static_cast<std::size_t>(countB));
                    apart += std::abs(mean(a) - mean(b)) > recordingNoise(a, b, 50'000) ? 1 : 0;
                }
                QVERIFY2(apart < 100,
                    std::to_string(apart).c_str()); // 5 %: of many levels that vary more than assumed
            }
        }
        // Single recordings use the assumed noise, several similar ones have less.
        const std::vector<Ns> one{1'000'000};
        const std::vector<Ns> three{1'000'000, 1'001'000, 1'002'000};
        QVERIFY(std::abs(recordingNoise(one, one, 50'000) - 50'000) < 2);
        QVERIFY(recordingNoise(three, one, 50'000) < 45'000);
        QVERIFY(recordingNoise(three, three, 50'000) < 20'000);
        QCOMPARE(recordingNoise(one, one, 0), Ns{0});
        const std::vector<Ns> wild{1'000'000, 1'300'000, 1'600'000};
        QVERIFY(recordingNoise(wild, three, 50'000) > 300'000);
    }

    /// A side of one or two steps varies as the other side's steps do, in the mean as in the median.
    void fewStepsAreNoSurerThanTheirLike()
    {
        std::mt19937 random(10);
        std::normal_distribution<double> normal(1e6, 1e5);
        for (const std::size_t few : {std::size_t{1}, std::size_t{2}}) {
            std::size_t apart = 0;
            for (int round = 0; round < 1000; ++round) {
                std::vector<Ns> a;
                std::vector<Ns> b;
                for (std::size_t i = 0; i < 20; ++i)
                    (i < few ? a : b).push_back(static_cast<Ns>(normal(random)));
                const StepSpread spreadA = spreadOf(a);
                const StepSpread spreadB = spreadOf(b);
                apart += std::abs(spreadA.mean - spreadB.mean)
                    > static_cast<double>(meanNoiseOf(spreadA, spreadB));
            }
            QVERIFY2(apart < 50, std::to_string(apart).c_str());
        }
    }

    void partsAreScaledToTheNanosecond()
    {
        std::mt19937 random(3);
        for (int i = 0; i < 1000; ++i) {
            std::vector<Ns> parts(1 + random() % 20);
            for (Ns& part : parts)
                part = static_cast<Ns>(random() % 1'000'000'000);
            const Ns sum = static_cast<Ns>(random() % 10'000'000'000U);
            scaleTo(parts, sum);
            QCOMPARE(std::accumulate(parts.begin(), parts.end(), Ns{0}), sum);
            QVERIFY(std::ranges::min(parts) >= 0);
        }
        std::vector<Ns> none{0, 0};
        scaleTo(none, 7);
        QCOMPARE(none, (std::vector<Ns>{7, 0}));
    }

    void tablesAreJoinedByTheirTexts()
    {
        Cells a;
        a.columns
            = {{"Total Time (ns)", Unit::Nanoseconds}, {"Instances", Unit::Count}, {"Name", Unit::Text}};
        a.addRow({std::int64_t{100}, std::int64_t{1}, std::string("gone")});
        a.addRow({std::int64_t{500}, std::int64_t{2}, std::string("both")});
        Cells b;
        b.columns = a.columns;
        b.addRow({std::int64_t{50}, std::int64_t{3}, std::string("both")});
        b.addRow({std::int64_t{70}, std::int64_t{1}, std::string("new")});
        const Cells joined = joinSides(a, b);
        QCOMPARE(joined.columns.size(), std::size_t{7});
        QCOMPARE(joined.columns[0].title, std::string("Name"));
        QCOMPARE(joined.rowCount(), std::size_t{3});
        QCOMPARE(joined.at(0, 0), Cell(std::string("both")));
        QCOMPARE(joined.at(0, 3), Cell(std::int64_t{-450}));
        QCOMPARE(joined.at(0, 6), Cell(std::int64_t{1}));
        QCOMPARE(joined.at(1, 0), Cell(std::string("gone")));
        QCOMPARE(joined.at(1, 2), Cell());
        QCOMPARE(joinSides(Cells(), b).rowCount(), std::size_t{2});
        QCOMPARE(joinSides(Cells(), Cells()).rowCount(), std::size_t{0});
    }

    void columnsAreJoinedByTheirTitles()
    {
        Cells a;
        a.columns = {{"Name", Unit::Text}, {"forward (%)", Unit::Percent}, {"Other (%)", Unit::Percent}};
        a.addRow({std::string("step"), 70.0, 30.0});
        Cells b;
        b.columns = {{"Name", Unit::Text}, {"Other (%)", Unit::Percent}, {"forward (%)", Unit::Percent},
            {"loss (%)", Unit::Percent}};
        b.addRow({std::string("step"), 20.0, 70.0, 10.0});
        const Cells joined = joinSides(a, b);
        QCOMPARE(joined.columns.size(), std::size_t{10});
        QCOMPARE(joined.columns[7].title, std::string("A: loss (%)"));
        QCOMPARE(joined.rowCount(), std::size_t{1});
        QCOMPARE(joined.row(0),
            (std::vector<Cell>{std::string("step"), 70.0, 70.0, 0.0, 30.0, 20.0, -10.0, Cell(), 10.0, 10.0}));
    }

    void reportsOfASideMayHaveOtherColumns()
    {
        // The second report has a column more, before the others.
        const auto fill = [](const Trace& trace, const StatsQuery&) {
            const bool isLong = trace.session.end > 100;
            Cells cells;
            cells.columns = {{"Name", Unit::Text}, {"Time (ns)", Unit::Nanoseconds}};
            std::vector<Cell> row{std::string("step"), std::int64_t{10}};
            if (isLong) {
                cells.columns.insert(cells.columns.begin(), {"Copy (ns)", Unit::Nanoseconds});
                row.insert(row.begin(), std::int64_t{8});
            }
            cells.addRow(row);
            return cells;
        };
        const StatsTable table{.id = "two_shapes",
            .title = "",
            .description = "",
            .arguments = {},
            .applies = [](const Trace&) { return true; },
            .fill = fill,
            .group = TableGroup::Nvtx};
        const auto report = [](Ns end) {
            auto trace = std::make_shared<Trace>();
            trace->session = {0, end};
            return SideReport{trace, "report"};
        };
        CompareRequest request;
        request.a.reports = {report(100), report(200)};
        request.b.reports = {report(100)};
        const Cells joined = compareStatsTable(request, table);
        QCOMPARE(joined.rowCount(), std::size_t{1});
        QCOMPARE(joined.row(0),
            (std::vector<Cell>{std::string("step"), std::int64_t{10}, std::int64_t{10}, std::int64_t{0},
                std::int64_t{4}, Cell(), std::int64_t{-4}}));
    }
};

WARPLINE_TEST(ComparePartsTest)

} // namespace tst_compare_parts

#include "tst_compare_parts.moc"
