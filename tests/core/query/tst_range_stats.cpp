// Range statistics against SQL on the same file, on random ranges of real reports.

#include "core/coverage/coverage_cache.h"
#include "core/load/load_report.h"
#include "core/query/range_stats.h"
#include "core/render/render.h"
#include "core/rows/row_builder.h"
#include "core/rows/row_kind.h"
#include "core/store/trace.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <limits>

#include <cmath>
#include <random>
#include <ranges>

namespace tst_range_stats {

using namespace warpline;
using namespace warpline::test;

namespace {

/// SQL for the events of `table` that touch [a, b).
std::string touching(const std::string& table, TimeRange range)
{
    const std::string a = std::to_string(range.start);
    const std::string b = std::to_string(range.end);
    return " FROM " + table + " WHERE start < " + b + " AND (\"end\" > " + a
        + " OR (\"end\" = start AND start = " + a + "))";
}

std::string clippedSum(TimeRange range)
{
    return "SELECT coalesce(sum(max(0, min(\"end\", " + std::to_string(range.end) + ") - max(start, "
        + std::to_string(range.start) + "))), 0)";
}

/// Length of the union of the table's events in the range: gaps and islands with a window function.
std::string unionSql(const std::string& rows)
{
    return "WITH e AS (" + rows
        + "), m AS (SELECT s, t, max(t) OVER (ORDER BY s, t ROWS BETWEEN UNBOUNDED PRECEDING AND 1 "
          "PRECEDING) AS p FROM e) "
          "SELECT coalesce(sum(max(0, t - max(s, coalesce(p, s)))), 0) FROM m";
}

std::string clippedRows(const std::string& table, TimeRange range)
{
    return "SELECT max(start, " + std::to_string(range.start) + ") AS s, min(\"end\", "
        + std::to_string(range.end) + ") AS t" + touching(table, range);
}

} // namespace

class RangeStatsTest : public QObject {
    Q_OBJECT

private slots:
    void equalsSqlOnRandomRanges_data();
    void equalsSqlOnRandomRanges();
    void smallReportByHand();
    void durationsAreOfGpuWorkIfThereIsAny();
    void chosenTracksAreCounted();
    void annotationsOnTheGpuAreApart();
    void countersEqualSql();
    void countersByHand();
};

void RangeStatsTest::equalsSqlOnRandomRanges_data()
{
    QTest::addColumn<QString>("report");
    for (const char* const name : {"streams", "bert_fp32", "cnn_workers8", "storm_80k", "ddp_overlap_rank0"})
        QTest::newRow(name) << name;
}

void RangeStatsTest::equalsSqlOnRandomRanges()
{
    QFETCH(QString, report);
    const std::string path = sharedReport(report.toStdString());
    if (path.empty())
        QSKIP("needs ../shared/reports/h200, which is not there");
    const auto loaded = loadReport(path);
    QVERIFY(loaded.ok());
    const Trace& trace = *loaded.value();
    const auto rows = buildRows(trace);
    std::mt19937_64 random(7);
    const TimeRange span
        = trace.kernels().empty() ? trace.session : TimeRange{trace.kernels().start[0], trace.session.end};
    for (int round = 0; round < 20; ++round) {
        const Ns a = std::uniform_int_distribution<Ns>(span.start, span.end - 2)(random);
        const Ns length = std::uniform_int_distribution<Ns>(
            1, std::max<Ns>(2, span.duration() / (round % 4 == 0 ? 2 : 50)))(random);
        const TimeRange range{a, std::min(span.end, a + length)};
        const RangeStats stats = rangeStats(trace, *rows, {}, {}, range);
        struct Pair {
            EventKind kind;
            const char* table;
        };
        std::uint64_t bytes = 0;
        for (const Pair& pair : {Pair{EventKind::Kernel, "CUPTI_ACTIVITY_KIND_KERNEL"},
                 Pair{EventKind::Memcpy, "CUPTI_ACTIVITY_KIND_MEMCPY"},
                 Pair{EventKind::ApiCall, "CUPTI_ACTIVITY_KIND_RUNTIME"},
                 Pair{EventKind::OsRuntime, "OSRT_API"}}) {
            if (!sqlHasTable(path, pair.table))
                continue;
            std::uint64_t count = 0;
            Ns total = 0;
            std::size_t names = 0;
            Ns least = std::numeric_limits<Ns>::max();
            Ns most = 0;
            double whole = 0; // of all durations
            Ns wholeSum = 0;
            for (const NameFigures& name : stats.names) {
                if (name.kind != pair.kind)
                    continue;
                count += name.count;
                total += name.total;
                bytes += pair.kind == EventKind::Memcpy ? name.bytes : 0;
                ++names;
                QVERIFY(static_cast<double>(name.min) <= name.median
                    && name.median <= static_cast<double>(name.max));
                least = std::min(least, name.min);
                most = std::max(most, name.max);
                whole += name.mean * static_cast<double>(name.count);
                wholeSum += name.whole;
            }
            const std::string durations = "(\"end\" - start)" + touching(pair.table, range);
            if (count > 0) {
                QCOMPARE(static_cast<long long>(least), sqlInteger(path, "SELECT min" + durations));
                QCOMPARE(static_cast<long long>(most), sqlInteger(path, "SELECT max" + durations));
                QCOMPARE(std::llround(whole), sqlInteger(path, "SELECT sum" + durations));
                QCOMPARE(static_cast<long long>(wholeSum), std::llround(whole));
            }
            QCOMPARE(static_cast<long long>(count),
                sqlInteger(path, "SELECT count(*)" + touching(pair.table, range)));
            QCOMPARE(static_cast<long long>(total),
                sqlInteger(path, clippedSum(range) + touching(pair.table, range)));
            // Copies by direction have the sums of copies by name.
            Ns copied = 0;
            Ns wholeCopied = 0;
            for (const CopyFigures& copies : stats.copies) {
                copied += copies.total;
                wholeCopied += copies.whole;
            }
            if (pair.kind == EventKind::Memcpy) {
                QCOMPARE(copied, total);
                QCOMPARE(wholeCopied, wholeSum);
            }
            if (pair.kind == EventKind::Kernel)
                QCOMPARE(static_cast<long long>(names),
                    sqlInteger(path, "SELECT count(DISTINCT demangledName)" + touching(pair.table, range)));
        }
        QCOMPARE(static_cast<long long>(bytes),
            sqlHasTable(path, "CUPTI_ACTIVITY_KIND_MEMCPY") ? sqlInteger(
                path, "SELECT coalesce(sum(bytes), 0)" + touching("CUPTI_ACTIVITY_KIND_MEMCPY", range))
                                                            : 0);
        // Busy time of the device: union of all work, from the row and from the device's statistics.
        std::string work = clippedRows("CUPTI_ACTIVITY_KIND_KERNEL", range);
        for (const char* const table : {"CUPTI_ACTIVITY_KIND_MEMCPY", "CUPTI_ACTIVITY_KIND_MEMSET"}) {
            if (sqlHasTable(path, table))
                work += " UNION ALL " + clippedRows(table, range);
        }
        const long long busy = sqlInteger(path, unionSql(work));
        Ns devices = 0;
        Ns compute = 0;
        for (const DeviceFigures& device : stats.devices) {
            devices += device.busy;
            compute += device.compute;
            QCOMPARE(device.busy + device.idle, range.duration());
        }
        QCOMPARE(static_cast<long long>(devices), busy);
        // Kernels that only move data between GPUs, or wait for it, do not compute.
        QCOMPARE(static_cast<long long>(compute),
            sqlInteger(path,
                unionSql(clippedRows("CUPTI_ACTIVITY_KIND_KERNEL", range)
                    + " AND shortName NOT IN (SELECT id FROM StringIds WHERE value LIKE 'nccl%')")));
        Ns rowBusy = 0;
        for (const RowId top : rows->children(RowTree::root)) {
            if (rows->row(top).key.starts_with("cuda-hw"))
                rowBusy += rowFigures(trace, rows->row(top), range).busy;
        }
        QCOMPARE(static_cast<long long>(rowBusy), busy);
    }
}

void RangeStatsTest::smallReportByHand()
{
    ReportFixture fixture;
    fixture.addSmallReport();
    const auto loaded = loadReport(fixture.path());
    QVERIFY(loaded.ok());
    const Trace& trace = *loaded.value();
    const auto rows = buildRows(trace);
    // Kernels 1000-3000 and 2000-4000 on two streams, 5000-5500; copy 400-900.
    const RangeStats stats = rangeStats(trace, *rows, {}, {}, {500, 5200});
    QCOMPARE(stats.devices.size(), 1U);
    QCOMPARE(stats.devices[0].compute, 3000 + 200);
    QCOMPARE(stats.devices[0].copy, 400);
    QCOMPARE(stats.devices[0].overlap, 0);
    QCOMPARE(stats.devices[0].idle, 4700 - 3600);
    const auto kernel
        = std::ranges::find_if(stats.names, [](const auto& n) { return n.kind == EventKind::Kernel; });
    QCOMPARE(kernel->label, std::string("scale"));
    QCOMPARE(kernel->count, 3U);
    QCOMPARE(kernel->total, 4200);
    // The third kernel is cut: the total has its part inside, the others its whole duration.
    QCOMPARE(kernel->whole, 4500);
    QCOMPARE(kernel->mean, 1500.0);
    QCOMPARE(kernel->median, 2000.0);
    QCOMPARE(kernel->min, 500);
    QCOMPARE(kernel->max, 2000);
    QVERIFY(std::ranges::is_permutation(stats.durations, std::vector<Ns>{2000, 2000, 500, 500}));
    QCOMPARE(stats.copies.size(), 1U);
    QCOMPARE(stats.copies[0].pageable, 1U);
    QCOMPARE(stats.copies[0].bytes, 4096U);
    QCOMPARE(stats.copies[0].total, 400); // as of its name
    QCOMPARE(stats.copies[0].whole, 500);
    QCOMPARE(stats.copies[0].throughput(), 4096e9 / 500);
    CoverageCache coverages;
    const Row all = summaryRow(
        trace, coverages, tracksOf(trace, EventKind::Kernel), {}, {}, Tint::Kernel, Figure::None);
    const TrackFigures figures = rowFigures(trace, all, {0, 6000});
    QCOMPARE(figures.busy, 3500);
    QCOMPARE(figures.gaps, 1U);
    QCOMPARE(figures.longestGap, 1000);
}

void RangeStatsTest::durationsAreOfGpuWorkIfThereIsAny()
{
    ReportFixture fixture;
    fixture.addSmallReport();
    const auto loaded = loadReport(fixture.path());
    QVERIFY(loaded.ok());
    const Trace& trace = *loaded.value();
    const auto rows = buildRows(trace);
    const RangeStats all = rangeStats(trace, *rows, {}, {}, trace.session);
    QVERIFY(all.ofGpuWork);
    QCOMPARE(all.durations.size(), trace.kernels().size() + trace.memcpys().size());
    const TrackRef calls = trace.trackOf({EventKind::ApiCall, 0});
    const RangeStats ofCalls = rangeStats(trace, *rows, {}, std::span(&calls, 1), trace.session);
    QVERIFY(!ofCalls.ofGpuWork);
    QCOMPARE(ofCalls.durations.size(), 5U); // the calls of the one thread
    // Without GPU work, cores, which repeat the states of threads, are not events either.
    fixture.run(
        "DROP TABLE CUPTI_ACTIVITY_KIND_KERNEL; DROP TABLE CUPTI_ACTIVITY_KIND_MEMCPY;"
        "CREATE TABLE SCHED_EVENTS (start INTEGER, cpu INTEGER, isSchedIn INTEGER, globalTid INTEGER);"
        "INSERT INTO SCHED_EVENTS VALUES (100, 11, 1, 1677721701), (200, 11, 0, 1677721701)");
    const auto host = loadReport(fixture.path());
    QVERIFY(host.ok() && !host.value()->table(EventKind::CpuCore).empty());
    const TimeRange whole{host.value()->session.start, host.value()->session.end + 1};
    const RangeStats ofHost = rangeStats(*host.value(), *buildRows(*host.value()), {}, {}, whole);
    QVERIFY(!ofHost.ofGpuWork && ofHost.events > 0);
    QCOMPARE(ofHost.durations.size(), ofHost.events);
}

/// Projected ranges repeat others, and count where the user chose their row.
void RangeStatsTest::chosenTracksAreCounted()
{
    ReportFixture fixture;
    fixture.addSmallReport();
    const auto loaded = loadReport(fixture.path());
    QVERIFY(loaded.ok());
    const Trace& trace = *loaded.value();
    const auto rows = buildRows(trace);
    const TrackRef projected{EventKind::NvtxProjected, 0};
    const TimeRange whole{trace.session.start, trace.session.end + 1};
    const auto countedIn = [](const RangeStats& stats, bool withDerived) {
        std::uint64_t count = 0;
        for (const NameFigures& name : stats.names)
            count += withDerived || !isDerived(name.kind) ? name.count : 0;
        return count;
    };
    const RangeStats chosen = rangeStats(trace, *rows, {}, std::span(&projected, 1), whole);
    QVERIFY(chosen.events > 0);
    QCOMPARE(chosen.events, countedIn(chosen, true));
    const RangeStats all = rangeStats(trace, *rows, {}, {}, whole);
    QCOMPARE(all.events, countedIn(all, false));
}

/// The trace has one forward of 24,772,134 ns, and its annotation as the GPU saw it, of 24,818,605 ns.
void RangeStatsTest::annotationsOnTheGpuAreApart()
{
    const auto loaded = loadReport(WARPLINE_TEST_DATA "/traces/bert_stack.json.gz");
    QVERIFY(loaded.ok());
    const Trace& trace = *loaded.value();
    const TimeRange whole{trace.session.start, trace.session.end + 1};
    const RangeStats stats = rangeStats(trace, *buildRows(trace), {}, {}, whole);
    for (const auto& [onGpu, total] : {std::pair(false, Ns{24'772'134}), std::pair(true, Ns{24'818'605})}) {
        const auto isIt = [&](const NameFigures& name) {
            return name.kind == EventKind::Nvtx && name.recordedOnGpu == onGpu && name.label == "forward";
        };
        QCOMPARE(std::ranges::count_if(stats.names, isIt), 1);
        const NameFigures& forward = *std::ranges::find_if(stats.names, isIt);
        QCOMPARE(forward.count, 1U);
        QCOMPARE(forward.total, total);
        QCOMPARE(isRecordedOnGpu(EventKind::Nvtx, trace.nvtx().trackOf(forward.longest.index)), onGpu);
        double shares = 0;
        for (const NameFigures& name : stats.names)
            shares += name.kind == EventKind::Nvtx && name.recordedOnGpu == onGpu ? name.share : 0;
        QVERIFY(std::abs(shares - 1) < 1e-9);
    }
    std::uint64_t ranges = 0;
    for (const NameFigures& name : stats.names)
        ranges += name.kind == EventKind::Nvtx ? name.count : 0;
    QCOMPARE(ranges, trace.nvtx().size());
}

void RangeStatsTest::countersEqualSql()
{
    const std::string path = sharedReport("bert_metrics");
    if (path.empty())
        QSKIP("needs ../shared/reports/h200, which is not there");
    const auto loaded = loadReport(path);
    QVERIFY(loaded.ok());
    const Trace& trace = *loaded.value();
    std::vector<TimeRange> ranges{trace.session, {trace.session.start, trace.session.start + 1}};
    std::mt19937_64 random(11);
    for (int i = 0; i < 4; ++i) {
        const Ns a = std::uniform_int_distribution<Ns>(0, trace.session.end - 20'000'000)(random);
        ranges.push_back({a, a + std::uniform_int_distribution<Ns>(200'000, 20'000'000)(random)});
    }
    const auto& kernels = trace.kernels();
    const auto longest
        = std::ranges::max_element(std::views::iota(EventIndex{0}, static_cast<EventIndex>(kernels.size())),
            {}, [&](EventIndex i) { return kernels.range(i).duration(); });
    ranges.push_back(kernels.range(*longest));
    for (const TimeRange range : ranges) {
        for (const CounterFigures& figures : allCounterFigures(trace, range)) {
            const CounterSeries& series = trace.counters[figures.counter];
            if (series.kind != CounterKind::GpuMetric || figures.samples == 0)
                continue;
            const double scale = trace.text(series.unit) == "MHz" ? 1e6 : 1;
            const std::string where
                = " FROM GPU_METRICS g JOIN TARGET_INFO_GPU_METRICS m USING (typeId, metricId) "
                  "WHERE m.metricName = '"
                + std::string(trace.text(series.name)) + "' AND timestamp >= " + std::to_string(range.start)
                + " AND timestamp < " + std::to_string(range.end);
            QCOMPARE(static_cast<long long>(figures.samples), sqlInteger(path, "SELECT count(*)" + where));
            const auto sql = [&](const char* what) {
                return static_cast<double>(
                    sqlInteger(path, std::string("SELECT round(1000 * ") + what + "(value))" + where));
            };
            const auto same = [&](double ours, double theirs) {
                return std::abs(ours * scale * 1000 - theirs) <= 1 + 1e-6 * std::abs(theirs);
            };
            QVERIFY(same(figures.mean, sql("avg")));
            QVERIFY(same(static_cast<double>(figures.low), sql("min")));
            QVERIFY(same(static_cast<double>(figures.high), sql("max")));
        }
    }
    // The details of that kernel: "36.4% (31% to 39%, 8 samples)".
    const auto facts = metricsDuring(trace, {EventKind::Kernel, *longest});
    const auto tensor = std::ranges::find_if(
        facts, [](const auto& fact) { return plain(fact.label).starts_with("Tensor Active"); });
    QVERIFY(tensor != facts.end());
    QCOMPARE(plain(tensor->value), std::string("36.4% (31% to 39%, 8 samples)"));
}

void RangeStatsTest::countersByHand()
{
    Trace trace;
    auto pool = std::make_shared<StringPool>();
    CounterSeries metric;
    metric.name = pool->intern("SMs Active");
    metric.unit = pool->intern("%");
    metric.device = 0;
    metric.times = std::make_shared<const std::vector<Ns>>(std::vector<Ns>{100, 200, 300, 400});
    metric.values = {10, 20, 60, 0};
    metric.summarize();
    CounterSeries memory = metric;
    memory.kind = CounterKind::GpuMemoryUsage;
    trace.pool = pool;
    trace.counters = {metric, memory};
    const auto of = [&](std::uint32_t counter, Ns from, Ns to) {
        return counterFigures(trace, counter, {from, to});
    };
    // Samples at 200 and 300; the end is not included.
    QCOMPARE(of(0, 150, 400)->samples, 2U);
    QCOMPARE(of(0, 150, 400)->mean, 40.0);
    QCOMPARE(of(0, 150, 400)->low, 20.0F);
    QCOMPARE(of(0, 150, 400)->high, 60.0F);
    // Memory holds: 50 ns of 10, 100 of 20, 100 of 60.
    QCOMPARE(of(1, 150, 400)->mean, (50 * 10 + 100 * 20 + 100 * 60) / 250.0);
    QCOMPARE(of(1, 150, 400)->low, 10.0F);
    // Between two samples the earlier one is valid; there is no value before the first, nor after a metric's
    // last.
    QCOMPARE(of(0, 210, 220)->samples, 0U);
    QCOMPARE(of(0, 210, 220)->mean, 20.0);
    QVERIFY(!of(0, 10, 90) && !of(0, 500, 600) && !of(0, 300, 300));
    QCOMPARE(of(1, 500, 600)->mean, 0.0);
    QCOMPARE(of(1, 50, 150)->mean, 10.0); // known from 100 on
    // A file may hold any number.
    using Limits = std::numeric_limits<float>;
    metric.values = {10, Limits::quiet_NaN(), -Limits::infinity(), Limits::max()};
    metric.summarize();
    QCOMPARE(metric.lowest, -1e18F);
    QCOMPARE(metric.highest, 1e18F);
    QCOMPARE(metric.values[1], 0.0F);
}

WARPLINE_TEST(RangeStatsTest)

} // namespace tst_range_stats

#include "tst_range_stats.moc"
