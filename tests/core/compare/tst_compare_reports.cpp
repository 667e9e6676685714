// Comparisons of real reports: the known change of each pair is reported; equal runs do not differ; values
// agree with SQL.

#include "core/budget/step_budgets.h"
#include "core/compare/compare_runs.h"
#include "core/compare/step_noise.h"
#include "core/load/load_report.h"
#include "core/render/render.h"
#include "core/store/trace.h"

#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <cmath>
#include <random>

namespace tst_compare_reports {

using namespace warpline;
using namespace warpline::test;

namespace {

std::shared_ptr<const Trace> loaded(const std::string& path)
{
    auto trace = loadReport(path, {});
    return trace.ok() ? trace.take() : nullptr;
}

CompareRequest asked(const std::vector<std::string>& a, const std::vector<std::string>& b)
{
    CompareRequest request;
    for (const std::string& name : a)
        request.a.reports.push_back({loaded(sharedReport(name)), name});
    for (const std::string& name : b)
        request.b.reports.push_back({loaded(sharedReport(name)), name});
    return request;
}

Comparison compared(const std::vector<std::string>& a, const std::vector<std::string>& b)
{
    return compareRuns(asked(a, b));
}

Ns deltaOf(const Comparison& comparison, std::string_view part)
{
    for (const BudgetLine& line : comparison.budget) {
        if (line.part == part)
            return line.delta();
    }
    return 0;
}

/// The sum of `what` over the events of `table` that touch `range`; `inside` is their time in it.
double sumInside(const std::string& path, TimeRange range, const std::string& what, const std::string& table)
{
    return static_cast<double>(sqlInteger(path,
        "SELECT SUM(" + what + ") FROM (SELECT *, MIN(end, " + std::to_string(range.end) + ") - MAX(start, "
            + std::to_string(range.start) + ") AS inside FROM " + table + ") WHERE inside > 0"));
}

bool addsUp(const Comparison& comparison)
{
    Both<Ns> sums;
    for (const BudgetLine& line : comparison.budget) {
        sums.a += line.time.a;
        sums.b += line.time.b;
    }
    return sums.a == std::llround(comparison.sides.a.mean) && sums.b == std::llround(comparison.sides.b.mean);
}

std::vector<Ns> lengthsOf(const ComparedSide& side)
{
    std::vector<Ns> lengths;
    for (std::size_t i = 0; i < side.gpus.front().steps.size(); ++i) {
        Ns sum = 0;
        for (const ComparedGpu& gpu : side.gpus)
            sum += gpu.steps[i].judged ? gpu.steps[i].gpu.duration() : 0;
        if (sum > 0)
            lengths.push_back(sum / static_cast<Ns>(side.gpus.size()));
    }
    return lengths;
}

/// Whether random halves of `lengths` are found to be equal.
bool halvesAreAlike(const std::vector<Ns>& lengths, std::mt19937& random)
{
    std::vector<std::size_t> order(lengths.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::shuffle(order, random);
    std::vector<bool> first(lengths.size(), false);
    for (std::size_t i = 0; i < lengths.size() / 2; ++i)
        first[order[i]] = true;
    std::vector<Ns> a;
    std::vector<Ns> b;
    for (std::size_t i = 0; i < lengths.size(); ++i)
        (first[i] ? a : b).push_back(lengths[i]);
    const StepSpread spreadA = spreadOf(a);
    const StepSpread spreadB = spreadOf(b);
    return std::abs(spreadA.median - spreadB.median) <= noiseOf(spreadA, spreadB);
}

bool isMissing(const std::string& name)
{
    return sharedReport(name).empty();
}

} // namespace

class CompareReportsTest : public QObject {
    Q_OBJECT

private slots:
    /// Two threads have steps on one GPU: the compared series is the one that `steps` lists.
    void theMainSeriesIsCompared()
    {
        const auto trace = loaded(WARPLINE_TEST_DATA "/reports/payload.sqlite");
        QVERIFY(trace);
        const std::vector<StepBudgets> all = stepBudgets(
            *trace, GpuBudgets(*trace), findGpuSteps(*trace, {trace->session.start, trace->session.end + 1}));
        QCOMPARE(all.size(), std::size_t{2});
        const StepBudgets* const main = mainOf(all);
        CompareRequest request;
        for (SideRequest* const side : {&request.a, &request.b})
            side->reports.push_back({trace, "payload.sqlite"});
        const Comparison comparison = compareRuns(request);
        QCOMPARE(comparison.sides.a.gpus.size(), std::size_t{1});
        const std::vector<ComparedStep>& taken = comparison.sides.a.gpus.front().steps;
        QCOMPARE(taken.size(), main->steps.size());
        for (std::size_t i = 0; i < taken.size(); ++i)
            QVERIFY(taken[i].gpu == main->steps[i].gpu);
    }

    void anotherPrecisionIsTold()
    {
        if (isMissing("bert_amp"))
            QSKIP("../shared/reports is not there");
        const Comparison bert = compared({"bert_fp32"}, {"bert_amp"});
        QVERIFY2(bert.comparable, plain(bert.sentence).c_str());
        QCOMPARE(keyOf(bert.verdict), keyOf(CompareVerdict::Faster));
        QCOMPARE(bert.sides.a.median, Ns{73'432'865});
        QCOMPARE(bert.sides.b.median, Ns{68'420'795});
        QVERIFY(bert.sides.a.hostMedian < bert.sides.b.hostMedian); // opposite to the GPU's
        QVERIFY(addsUp(bert));
        QCOMPARE(bert.matched.nvtxPath.a, 1.0);
        QCOMPARE(bert.matched.nvtxPath.b, 1.0);
        QVERIFY(bert.matched.name.a < 0.2 && bert.matched.all.a > 0.75 && bert.matched.all.b > 0.85);
        QVERIFY(deltaOf(bert, "compute_gemm") < -50'000'000);
        QVERIFY(deltaOf(bert, "idle_launch") + deltaOf(bert, "idle_between_launches") > 40'000'000);
        const CompareRow& most = bert.table("kernels")->rows.front();
        QCOMPARE(keyOf(most.matchedBy), keyOf(MatchedBy::NvtxPath));
        QVERIFY(most.a.name.find("gemm_f32f32") != std::string::npos);
        QVERIFY(most.b.name.find("nvjet") != std::string::npos);
    }

    void aGraphInsteadOfLaunchesIsTold()
    {
        if (isMissing("launch_eager"))
            QSKIP("../shared/reports is not there");
        const Comparison launch = compared({"launch_eager"}, {"launch_graph_node"});
        QCOMPARE(keyOf(launch.verdict), keyOf(CompareVerdict::Faster));
        QCOMPARE(keyOf(launch.unit), keyOf(CompareUnit::Step)); // of other names, doing the same
        QCOMPARE(launch.matched.name.a, 1.0);
        QCOMPARE(launch.matched.name.b, 1.0);
        QCOMPARE(launch.sides.b.median, Ns{55'808});
        QVERIFY(addsUp(launch));
        QCOMPARE(launch.budget.front().part, std::string("idle_launch"));
        QVERIFY(std::ranges::any_of(launch.story, [](const Message& line) {
            return plain(line) == "cudaLaunchKernel is called 40 → 0 times per step.";
        }));
    }

    void loadingDataBesideIsTold()
    {
        if (isMissing("cnn_workers0"))
            QSKIP("../shared/reports is not there");
        const Comparison cnn = compared({"cnn_workers0"}, {"cnn_workers8"});
        QCOMPARE(keyOf(cnn.verdict), keyOf(CompareVerdict::Faster));
        QVERIFY(plain(cnn.budget.front().title) == "Idle: data loading in data_load"
            && cnn.budget.front().delta() < -130'000'000);
        QCOMPARE(cnn.matched.all.a, 1.0);
        QCOMPARE(cnn.matched.nvtxPath.b, 1.0);
        QVERIFY(addsUp(cnn));
    }

    void pinnedMemoryIsTold()
    {
        if (isMissing("reduce_v1"))
            QSKIP("../shared/reports is not there");
        const Comparison pinned = compared({"reduce_v1"}, {"reduce_v2"});
        QVERIFY2(pinned.comparable, plain(pinned.sentence).c_str()); // equal bytes, in other pieces
        QCOMPARE(keyOf(pinned.verdict), keyOf(CompareVerdict::Unknown)); // one measurement of each
        const CompareRow& copy = pinned.table("copies")->rows.front();
        QCOMPARE(copy.a.name, std::string("Host-to-Device: Pageable to Device"));
        QCOMPARE(copy.b.name, std::string("Host-to-Device: Pinned to Device"));
        QCOMPARE(keyOf(copy.change), keyOf(RowChange::Faster));
        QVERIFY(addsUp(pinned));
        const Comparison streams = compared({"reduce_v2"}, {"reduce_v3bug"});
        QVERIFY2(streams.comparable, plain(streams.sentence).c_str());
        const CompareRow& most = streams.table("kernels")->rows.front();
        QCOMPARE(keyOf(most.change), keyOf(RowChange::MoreCalls));
        QCOMPARE(most.b.count, std::uint64_t{201});
    }

    void setsOfRanksAreCompared()
    {
        if (isMissing("ddp_overlap_rank0"))
            QSKIP("../shared/reports is not there");
        const std::vector<std::string> overlap{"ddp_overlap_rank0", "ddp_overlap_rank1"};
        const std::vector<std::string> straggler{"ddp_straggler_rank0", "ddp_straggler_rank1"};
        const Comparison ranks = compared(overlap, straggler);
        QVERIFY2(ranks.comparable, plain(ranks.sentence).c_str());
        QCOMPARE(keyOf(ranks.verdict), keyOf(CompareVerdict::Slower));
        QCOMPARE(ranks.sides.a.gpus.size(), std::size_t{2});
        QVERIFY(deltaOf(ranks, "idle_data_loading:data_load") > 5'000'000);
        QVERIFY(addsUp(ranks));
        // The file is that of the time, whichever side has it.
        std::string story;
        for (const Message& sentence : compared(straggler, overlap).story)
            story += plain(sentence);
        QVERIFY2(story.find("data_load: mostly on ddp_straggler_rank1") != std::string::npos, story.c_str());
        const Comparison lacking = compared(overlap, {"ddp_straggler_rank0"});
        QVERIFY(!lacking.comparable);
        QVERIFY2(plain(lacking.sentence).find("B lacks rank 1") != std::string::npos,
            plain(lacking.sentence).c_str());
    }

    void otherProgramsAreNotComparable()
    {
        if (isMissing("cnn_workers8"))
            QSKIP("../shared/reports is not there");
        for (const auto& [a, b] : {std::pair("cnn_workers8", "bert_amp"), std::pair("launch_eager", "decode"),
                 std::pair("bert_fp32", "storm_80k"), std::pair("cnn_workers0", "ddp_2gpu")}) {
            const Comparison comparison = compared({a}, {b});
            QVERIFY2(!comparison.comparable, a);
            QCOMPARE(keyOf(comparison.verdict), keyOf(CompareVerdict::Unknown));
            QVERIFY2(plain(comparison.sentence).starts_with("Not comparable. "),
                plain(comparison.sentence).c_str());
        }
    }

    void figuresAreThoseOfSql()
    {
        const std::string path = sharedReport("cnn_workers8");
        if (path.empty())
            QSKIP("../shared/reports is not there");
        const Comparison comparison = compared({"cnn_workers8"}, {"cnn_workers0"});
        const ComparedGpu& gpu = comparison.sides.a.gpus.front();
        TimeRange judged{0, 0};
        for (const ComparedStep& step : gpu.steps) {
            if (step.judged)
                judged = judged.empty() ? step.gpu : judged.unitedWith(step.gpu);
        }
        const std::string in = " WHERE start >= " + std::to_string(judged.start) + " AND start < "
            + std::to_string(judged.end);
        Ns total = 0;
        std::uint64_t count = 0;
        for (const CompareRow& row : comparison.table("kernels")->rows) {
            total += row.a.total;
            count += row.a.count;
        }
        QCOMPARE(total, Ns{sqlInteger(path, "SELECT SUM(end - start) FROM CUPTI_ACTIVITY_KIND_KERNEL" + in)});
        QCOMPARE(static_cast<long long>(count),
            sqlInteger(path, "SELECT COUNT(*) FROM CUPTI_ACTIVITY_KIND_KERNEL" + in));
        const CompareRow& most = comparison.table("kernels")->rows.front();
        QCOMPARE(most.a.total,
            Ns{sqlInteger(path,
                "SELECT SUM(k.end - k.start) FROM CUPTI_ACTIVITY_KIND_KERNEL k JOIN StringIds s ON s.id = k.demangledName"
                    + in + " AND s.value = '" + most.a.name
                    + "' AND '<<<' || k.gridX || CASE WHEN k.gridY <> 1 OR k.gridZ <> 1 THEN 'x' || k.gridY ELSE '' END"
                      " || CASE WHEN k.gridZ <> 1 THEN 'x' || k.gridZ ELSE '' END LIKE '"
                    + most.a.shape.substr(0, most.a.shape.find(',')) + "'")});
        Ns copies = 0;
        for (const CompareRow& row : comparison.table("copied")->rows)
            copies += row.a.total;
        QCOMPARE(copies,
            Ns{sqlInteger(path,
                "SELECT SUM(bytes) FROM (SELECT bytes, start FROM CUPTI_ACTIVITY_KIND_MEMCPY "
                "UNION ALL SELECT bytes, start FROM CUPTI_ACTIVITY_KIND_MEMSET)"
                    + in)});
    }

    /// Without steps tables have the time inside the range, like the budget; averages and bytes are whole.
    void aRangeCutsEventsInTablesToo()
    {
        const std::string path = WARPLINE_TEST_DATA "/reports/streams.sqlite";
        CompareRequest request;
        request.a.reports.push_back({loaded(path), path});
        request.b = request.a;
        request.a.range = {828'600'000, 850'000'000};
        request.b.range = {863'420'000, 950'000'000};
        const Comparison comparison = compareRuns(request);
        QCOMPARE(comparison.unit, CompareUnit::Whole);
        for (const Side side : {Side::A, Side::B}) {
            const auto sum = [&](const std::string& what, const std::string& table) {
                return sumInside(path, request[side].range, what, table);
            };
            const std::string kernels = "CUPTI_ACTIVITY_KIND_KERNEL";
            const std::string copies = "CUPTI_ACTIVITY_KIND_MEMCPY";
            const RowFigures& work = comparison.table("kernels")->rows.front()[side];
            QCOMPARE(work.perStep, sum("inside", kernels));
            QCOMPARE(static_cast<double>(work.count), sum("1", kernels));
            QCOMPARE(work.average, sum("end - start", kernels) / static_cast<double>(work.count));
            QCOMPARE(comparison.table("copies")->perStep[side], sum("inside", copies));
            QCOMPARE(comparison.table("copied")->perStep[side], sum("bytes", copies));
            QCOMPARE(comparison.table("api")->perStep[side], sum("inside", "CUPTI_ACTIVITY_KIND_RUNTIME"));
            const auto line = std::ranges::find(comparison.budget, "compute_unclassified", &BudgetLine::part);
            QVERIFY(line != comparison.budget.end());
            QCOMPARE(work.perStep, static_cast<double>(line->time[side]));
        }
        const CompareTable& nvtx = *comparison.table("nvtx");
        const auto sync
            = std::ranges::find(nvtx.rows, "sync pageable", [](const CompareRow& row) { return row.a.name; });
        QVERIFY(sync != nvtx.rows.end());
        QCOMPARE(sync->a.perStep, static_cast<double>(request.a.range.duration()));
        // A part of the difference is neither due to count nor to duration; bytes have no such part.
        QVERIFY(!comparison.table("kernels")->rows.front().byCount() && !sync->byCount());
        QCOMPARE(keyOf(sync->change), keyOf(RowChange::Cut)); // the same range of the program on both sides
        QVERIFY(std::ranges::any_of(comparison.story, [](const Message& line) {
            return plain(line).starts_with("NVTX range sync pageable on the host: ");
        }));
        for (const CompareTable& table : comparison.tables) {
            for (const CompareRow& row : table.rows) {
                const bool isMore = row.change == RowChange::Slower || row.change == RowChange::MoreCalls;
                const bool isLess = row.change == RowChange::Faster || row.change == RowChange::FewerCalls;
                QVERIFY2(!(isMore && row.delta() <= 0) && !(isLess && row.delta() >= 0), row.a.name.c_str());
                QVERIFY2(row.change != RowChange::Same
                        || std::abs(row.delta()) <= 0.02 * std::max(row.a.perStep, row.b.perStep),
                    row.a.name.c_str());
            }
        }
        QVERIFY(comparison.table("copied")->rows.front().byCount());
        request.b.range = request.a.range = {828'500'000, 850'000'000}; // cuts no kernel
        QVERIFY(compareRuns(request).table("kernels")->rows.front().byCount());
    }

    /// A range that lies inside one step cuts events as well.
    void aRangeInsideAStepCutsEventsInTablesToo()
    {
        const std::string path = WARPLINE_TEST_DATA "/reports/bert_fp32.sqlite";
        CompareRequest request;
        request.a.reports.push_back({loaded(path), path});
        request.b = request.a;
        request.a.range = {118'000'000, 121'000'000}; // cuts a product of 3.8 ms
        request.b.range = {116'500'000, 121'000'000};
        const Comparison comparison = compareRuns(request);
        QCOMPARE(comparison.unit, CompareUnit::Whole);
        for (const Side side : {Side::A, Side::B}) {
            const TimeRange range = request[side].range;
            QCOMPARE(comparison.sides[side].median, range.duration());
            QCOMPARE(comparison.table("kernels")->perStep[side],
                sumInside(path, range, "inside", "CUPTI_ACTIVITY_KIND_KERNEL"));
            QCOMPARE(comparison.table("api")->perStep[side],
                sumInside(path, range, "inside", "CUPTI_ACTIVITY_KIND_RUNTIME"));
        }
    }

    /// Two steps by their times on the GPU: their layers repeat in a quarter of them.
    void aRangeIsNotComparedByItsLayers()
    {
        const std::string path = sharedReport("decode");
        if (path.empty())
            QSKIP("../shared/reports is not there");
        CompareRequest request = asked({"decode"}, {"decode"});
        request.a.range = {28'340'403'317, 28'428'334'086};
        request.b.range = {28'428'334'086, 28'507'594'871};
        const Comparison comparison = compareRuns(request);
        QCOMPARE(keyOf(comparison.unit), keyOf(CompareUnit::Whole));
        for (const Side side : {Side::A, Side::B}) {
            const CompareTable& kernels = *comparison.table("kernels");
            double count = 0;
            for (const CompareRow& row : kernels.rows)
                count += row[side].countPerStep;
            const std::string table = "CUPTI_ACTIVITY_KIND_KERNEL";
            QCOMPARE(count, sumInside(path, request[side].range, "1", table));
            QCOMPARE(kernels.perStep[side], sumInside(path, request[side].range, "inside", table));
        }
    }

    void runsThatDoNotDifferAreNoDifferent()
    {
        const std::vector<std::string> all = sharedReports();
        if (all.empty())
            QSKIP("../shared/reports is not there");
        std::mt19937 random(20261122);
        std::size_t halves = 0;
        std::size_t alike = 0;
        for (const std::string& path : all) {
            if (path.find("/public/") != std::string::npos)
                continue;
            CompareRequest request;
            const auto trace = loaded(path);
            request.a.reports.push_back({trace, path});
            request.b.reports.push_back({trace, path});
            const Comparison itself = compareRuns(request);
            QVERIFY2(itself.comparable && itself.verdict == CompareVerdict::NoDifference,
                (path + ": " + plain(itself.sentence)).c_str());
            QVERIFY2(addsUp(itself), path.c_str());
            if (itself.unit != CompareUnit::Step || itself.sides.a.judged < 4)
                continue;
            const std::vector<Ns> lengths = lengthsOf(itself.sides.a);
            std::size_t same = 0;
            for (int i = 0; i < 1000; ++i)
                same += halvesAreAlike(lengths, random) ? 1 : 0;
            // Of five steps the smaller half has two, which in a tenth of all cases are similar by chance.
            const std::size_t least = lengths.size() > 5 ? 950 : 900;
            QVERIFY2(same >= least, (path + ": " + std::to_string(same)).c_str());
            const std::vector<ComparedStep>& steps = itself.sides.a.gpus.front().steps;
            std::size_t first = 0;
            while (!steps[first].judged)
                ++first;
            const std::size_t middle = first + lengths.size() / 2;
            request.a.steps = {first, middle};
            request.b.steps = {middle, first + lengths.size()};
            ++halves;
            const CompareVerdict verdict = compareRuns(request).verdict;
            alike += verdict != CompareVerdict::Faster && verdict != CompareVerdict::Slower ? 1 : 0;
        }
        QVERIFY2(static_cast<double>(alike) >= 0.95 * static_cast<double>(halves),
            (std::to_string(alike) + " of " + std::to_string(halves)).c_str());
    }
};

WARPLINE_TEST(CompareReportsTest)

} // namespace tst_compare_reports

#include "tst_compare_reports.moc"
