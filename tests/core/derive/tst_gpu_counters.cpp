// Queues of streams, rates of copies and streams that run, over time.

#include "core/derive/gpu_counters.h"
#include "core/load/load_report.h"
#include "core/query/counter_stats.h"
#include "core/render/render.h"
#include "core/rows/row_kind.h"
#include "tests/core/findings/drawn_program.h"
#include "tests/support/load_shared.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <map>

namespace tst_gpu_counters {

using namespace warpline;
using namespace warpline::test;

namespace {

std::vector<std::pair<Ns, float>> stepsOf(const CounterSeries& series)
{
    std::vector<std::pair<Ns, float>> steps;
    for (std::size_t i = 0; i < series.size(); ++i)
        steps.emplace_back((*series.times)[i], series.values[i]);
    return steps;
}

std::vector<CounterSeries> countersOf(const Trace& trace, CounterKind kind)
{
    StringPool pool;
    std::vector<CounterSeries> found = gpuCounters(trace, pool);
    std::erase_if(found, [kind](const CounterSeries& series) { return series.kind != kind; });
    return found;
}

/// The time under the curve.
double areaOf(const CounterSeries& series)
{
    double area = 0;
    for (std::size_t i = 0; i + 1 < series.size(); ++i)
        area += static_cast<double>(series.values[i])
            * static_cast<double>((*series.times)[i + 1] - (*series.times)[i]);
    return area;
}

} // namespace

class GpuCountersTest : public QObject {
    Q_OBJECT

private slots:
    void aQueueFillsAndEmpties()
    {
        DrawnProgram drawn;
        drawn.kernel("a", 0, {100, 110}, {.callTime = 5});
        drawn.kernel("b", 10, {110, 120}, {.callTime = 5});
        drawn.kernel("c", 110, {120, 130}, {.callTime = 5}); // launched as the first ends
        drawn.kernel("alone", 0, {100, 110}, {.stream = 9, .tid = 2});
        const auto all = countersOf(*drawn.finish(), CounterKind::QueueDepth);
        QCOMPARE(all.size(), std::size_t{1}); // a stream with one launch has none
        QCOMPARE(all.front().stream, 7);
        QCOMPARE(all.front().context, 1);
        QCOMPARE(stepsOf(all.front()),
            (std::vector<std::pair<Ns, float>>{{0, 1.F}, {10, 2.F}, {110, 2.F}, {120, 1.F}, {130, 0.F}}));
    }

    void theLaunchOfAGraphIsOne()
    {
        DrawnProgram drawn;
        drawn.kernel("before", 0, {10, 20}, {.callTime = 5});
        drawn.kernel("after", 50, {70, 90}, {.callTime = 5});
        const auto trace = drawn.finish();
        const auto all = countersOf(*trace, CounterKind::QueueDepth);
        QCOMPARE(all.front().highest, 1.F);
        const std::string path = sharedReport("launch_graph_node");
        if (path.empty())
            QSKIP("../shared/reports is not here");
        const auto report = loadReport(path);
        QVERIFY(report.ok());
        float highest = 0;
        for (const CounterSeries& series : report.value()->counters)
            highest = series.kind == CounterKind::QueueDepth ? std::max(highest, series.highest) : highest;
        QVERIFY2(highest <= 300, "there are 300 launches of 40 nodes each");
    }

    void launchesInAnyOrderAreCountedAtTheirTimes_data()
    {
        QTest::addColumn<bool>("twoThreads");
        QTest::newRow("as they run") << false;
        QTest::newRow("one overtakes the other") << true;
    }

    void launchesInAnyOrderAreCountedAtTheirTimes()
    {
        // Overlapping kernels of one stream, so that it has several lanes; or two threads that launch into
        // it, one of which began first and came second.
        QFETCH(bool, twoThreads);
        DrawnProgram drawn;
        std::map<Ns, int> changes;
        constexpr int kernels = 2'000;
        for (int i = 0; i < kernels; ++i) {
            const bool early = twoThreads && i % 2 == 1;
            const Ns call = i * Ns{100} - (early ? 150 : 0) + 1'000;
            const TimeRange runs{i * Ns{100} + 1'500, i * Ns{100} + 1'500 + 30 * (i % 7)};
            drawn.kernel("k", call, runs, {.tid = early ? 2U : 1U, .callTime = 5});
            ++changes[call];
            --changes[runs.end];
        }
        std::vector<std::pair<Ns, float>> expected;
        const auto trace = drawn.finish();
        if (changes.begin()->first > trace->session.start)
            expected.emplace_back(trace->session.start, 0.F);
        int open = 0;
        for (const auto& [time, change] : changes)
            expected.emplace_back(time, static_cast<float>(open += change));
        const auto all = countersOf(*trace, CounterKind::QueueDepth);
        QCOMPARE(all.size(), std::size_t{1});
        QCOMPARE(stepsOf(all.front()), expected);
    }

    void copiesThatRunTogetherAddUp()
    {
        DrawnProgram drawn;
        drawn.copy({0, 5}, {100, 200}, {.bytes = 1000});
        drawn.copy({6, 8}, {150, 250}, {.bytes = 2000, .stream = 8});
        const auto all = countersOf(*drawn.finish(), CounterKind::CopyBandwidth);
        QCOMPARE(all.size(), std::size_t{1});
        QCOMPARE(stepsOf(all.front()),
            (std::vector<std::pair<Ns, float>>{
                {0, 0.F}, {100, 1e10F}, {150, 3e10F}, {200, 2e10F}, {250, 0.F}}));
    }

    void streamsThatRunAreCountedOnce()
    {
        DrawnProgram drawn;
        drawn.kernel("a", 0, {100, 150});
        drawn.kernel("b", 1, {140, 200}); // overlaps in its stream
        drawn.kernel("c", 2, {120, 160}, {.stream = 8});
        const auto all = countersOf(*drawn.finish(), CounterKind::StreamsRunning);
        QCOMPARE(all.size(), std::size_t{1});
        QCOMPARE(stepsOf(all.front()),
            (std::vector<std::pair<Ns, float>>{{0, 0.F}, {100, 1.F}, {120, 2.F}, {160, 1.F}, {200, 0.F}}));
        DrawnProgram single;
        single.kernel("a", 0, {100, 150});
        QVERIFY(countersOf(*single.finish(), CounterKind::StreamsRunning).empty());
    }

    void ofVeryManyChangesTheHighestStand()
    {
        // Bursts of three launches each, and a long silence in the middle that must not keep a burst's
        // height.
        DrawnProgram drawn;
        constexpr int bursts = 120'000;
        constexpr Ns silence = 1'000 * ms;
        for (int burst = 0; burst < bursts; ++burst) {
            const Ns at = burst * Ns{100} + (burst >= bursts / 2 ? silence : 0);
            for (int i = 0; i < 3; ++i)
                drawn.kernel("k", at + i, {at + 30 + 10 * i, at + 40 + 10 * i}, {.callTime = 1});
        }
        const auto all = countersOf(*drawn.finish(), CounterKind::QueueDepth);
        QCOMPARE(all.size(), std::size_t{1});
        QVERIFY(all.front().size() < 3 * bursts);
        QCOMPARE(all.front().highest, 3.F);
        QCOMPARE(all.front().values.back(), 0.F);
        const auto& times = *all.front().times;
        QVERIFY(std::ranges::is_sorted(times, std::ranges::less_equal{}));
        const Ns middle = bursts / 2 * Ns{100} + silence / 2;
        const auto after = std::ranges::upper_bound(times, middle) - times.begin();
        QCOMPARE(all.front().values[static_cast<std::size_t>(after) - 1], 0.F);
    }

    void aReportsQueuesAreThoseOfSqlite_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* const name : {"launch_eager", "bert_fp32", "storm_80k", "streams"})
            QTest::newRow(name) << QString(name);
    }

    void aReportsQueuesAreThoseOfSqlite()
    {
        QFETCH(QString, name);
        LOAD_SHARED_OR_SKIP(path, trace, name.toStdString());
        std::string work;
        for (const char* const table : {"KERNEL", "MEMCPY", "MEMSET"}) {
            const std::string full = std::string("CUPTI_ACTIVITY_KIND_") + table;
            if (sqlHasTable(path, full))
                work += std::string(work.empty() ? "" : " UNION ALL ")
                    + "SELECT streamId, contextId, correlationId, end FROM " + full;
        }
        std::size_t checked = 0;
        for (const CounterSeries& series : trace.value()->counters) {
            if (series.kind != CounterKind::QueueDepth)
                continue;
            ++checked;
            const std::string one = "(SELECT r.start AS start, w.end AS end FROM (" + work
                + ") w JOIN CUPTI_ACTIVITY_KIND_RUNTIME r ON r.correlationId = w.correlationId WHERE w.streamId = "
                + std::to_string(series.stream) + " AND w.contextId = " + std::to_string(series.context)
                + ")";
            const double area = static_cast<double>(sqlInteger(path, "SELECT sum(end - start) FROM " + one));
            QVERIFY2(std::abs(areaOf(series) - area) <= area * 1e-6, "time launched and not done");
            const long long highest = sqlInteger(path,
                "SELECT max(depth) FROM (SELECT sum(change) OVER (ORDER BY time) AS depth FROM (SELECT start AS "
                "time, 1 AS change FROM "
                    + one + " UNION ALL SELECT end, -1 FROM " + one + "))");
            QCOMPARE(static_cast<long long>(series.highest), highest);
        }
        QVERIFY(checked > 0);
    }

    void rowsStandBelowTheirStreams()
    {
        const std::string path = sharedReport("streams");
        if (path.empty())
            QSKIP("../shared/reports is not here");
        const auto trace = loadReport(path);
        QVERIFY(trace.ok());
        const auto rows = buildRows(*trace.value());
        std::size_t queues = 0;
        for (std::uint32_t i = 1; i < rows->size(); ++i) {
            const Row& row = rows->row(RowId{i});
            if (!row.key.ends_with("/queue"))
                continue;
            ++queues;
            QVERIFY(plain(rows->row(row.parent).label).find("tream ") != std::string::npos);
            QCOMPARE(trace.value()->counters[row.counter].kind, CounterKind::QueueDepth);
        }
        QVERIFY(queues > 1);
        const std::string rate = counterValueText(*trace.value(),
            *std::ranges::find(trace.value()->counters, CounterKind::CopyBandwidth, &CounterSeries::kind),
            1e9);
        QCOMPARE(rate, std::string("1.000 GB/s"));
    }
};

WARPLINE_TEST(GpuCountersTest)

} // namespace tst_gpu_counters

#include "tst_gpu_counters.moc"
