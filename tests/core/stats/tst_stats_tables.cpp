// Counts of tables, on traces small enough to check by hand.

#include "core/export/cells_text.h"
#include "core/load/load_report.h"
#include "core/stats/names.h"
#include "core/stats/nvtx_nesting.h"
#include "core/stats/stats_table.h"
#include "tests/core/stats/drawn_trace.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QSet>
#include <QTest>

#include <limits>
#include <tuple>

namespace tst_stats_tables {

using namespace warpline;
using namespace warpline::test;

namespace {

/// The table, which keeps the trace that its rows may be made from.
Cells fill(const std::shared_ptr<const Trace>& trace, std::string_view id, const StatsQuery& query = {})
{
    Cells cells = findStatsTable(id)->fill(*trace, query);
    cells.keep(trace);
    return cells;
}

std::int64_t whole(const Cells& cells, std::size_t row, std::size_t column)
{
    return std::get<std::int64_t>(cells.at(row, column));
}

QString text(const Cells& cells, std::size_t row, std::size_t column)
{
    return QString::fromStdString(std::get<std::string>(cells.at(row, column)));
}

std::size_t columnOf(const Cells& cells, std::string_view title)
{
    for (std::size_t c = 0; c < cells.columns.size(); ++c) {
        if (cells.columns[c].title == title)
            return c;
    }
    return cells.columns.size();
}

/// Two launches inside "outer", one of them inside "inner" too, and one outside of both.
std::shared_ptr<const Trace> nestedLaunches()
{
    DrawnTrace drawn;
    drawn.range("outer", 0, 100);
    drawn.range("inner", 10, 50);
    drawn.call("cudaLaunchKernel_v7000", 20, 30, 1);
    drawn.call("cudaLaunchKernel_v7000", 60, 70, 2);
    drawn.call("cudaLaunchKernel_v7000", 200, 210, 3);
    drawn.kernel("k", 40, 140, 1);
    drawn.kernel("k", 140, 340, 2);
    drawn.kernel("k", 340, 350, 3);
    return drawn.finish();
}

} // namespace

class StatsTables : public QObject {
    Q_OBJECT

private slots:
    /// A table's properties are in its record: its name is nsys', and does not imply them.
    void tablesSayWhatTheyAre()
    {
        for (const StatsTable* const table : allStatsTables()) {
            QVERIFY2((table->shape == TableShape::Trace) == table->id.ends_with("_trace"), table->id.data());
            QVERIFY2((table->shape == TableShape::Summary) == table->id.ends_with("_sum"), table->id.data());
        }
        QCOMPARE(findStatsTable("cuda_gpu_trace")->group, TableGroup::Gpu);
        QCOMPARE(findStatsTable("syscall_sum")->group, TableGroup::OperatingSystem);
        QCOMPARE(findStatsTable("cuda_kern_exec_sum")->group, TableGroup::CudaLaunches);
        QVERIFY(findStatsTable("nvtx_step_series")->asksForRange);
        QVERIFY(!findStatsTable("nvtx_sum")->asksForRange);
    }

    void namesAreUniqueAndComplete()
    {
        QSet<QString> ids;
        for (const StatsTable* const table : allStatsTables()) {
            ids.insert(QString::fromUtf8(table->id.data(), static_cast<qsizetype>(table->id.size())));
            QVERIFY(!table->title.empty());
            // The description begins with the question that the table answers.
            const std::size_t question = table->description.find("? ");
            QVERIFY(question != std::string_view::npos && question + 2 < table->description.size());
            QCOMPARE(findStatsTable(table->id), table);
        }
        QCOMPARE(ids.size(), static_cast<qsizetype>(allStatsTables().size()));
        QCOMPARE(findStatsTable("no_such_table"), nullptr);
    }

    /// The page of the tables counts them, and names each.
    void readmeTellsTheTruth()
    {
        QFile file(WARPLINE_SOURCE_DIR "/core/stats/README.md");
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QString readme = QString::fromUtf8(file.readAll());
        int ofNsys = 0;
        int compared = 0;
        for (const StatsTable* const table : allStatsTables()) {
            ofNsys += table->origin != TableOrigin::Own ? 1 : 0;
            compared += table->origin == TableOrigin::Compared ? 1 : 0;
            QVERIFY2(readme.contains(QString("`%1`").arg(QString::fromStdString(std::string(table->id)))),
                table->id.data());
        }
        QVERIFY2(readme.contains(QString("%1 of nsys' 40 reports").arg(ofNsys)),
            qPrintable(QString::number(ofNsys)));
        QVERIFY2(readme.contains(QString("%1 are compared with").arg(compared)),
            qPrintable(QString::number(compared)));
    }

    void emptyTraceFillsNothing()
    {
        const Trace trace;
        for (const StatsTable* const table : allStatsTables()) {
            QVERIFY2(!table->applies(trace), table->id.data());
            const Cells cells = table->fill(trace, {});
            QCOMPARE(cells.rowCount(), std::size_t{0});
            QVERIFY2(!cells.columns.empty(), table->id.data());
        }
    }

    void windowTakesWholeEventsThatTouchIt()
    {
        const auto trace = nestedLaunches();
        StatsQuery query;
        query.window = {139, 141}; // the last of one kernel, the first of the next
        const Cells cells = fill(trace, "cuda_gpu_kern_sum", query);
        QCOMPARE(cells.rowCount(), std::size_t{1});
        QCOMPARE(whole(cells, 0, 1), std::int64_t{300});
        query.window = {140, 141}; // half-open: the first kernel has ended
        QCOMPARE(whole(fill(trace, "cuda_gpu_kern_sum", query), 0, 1), std::int64_t{200});
        query.window = {500, 600};
        QCOMPARE(fill(trace, "cuda_gpu_kern_sum", query).rowCount(), std::size_t{0});
    }

    void rowsKnowTheirEvents()
    {
        const auto trace = nestedLaunches();
        StatsQuery query;
        QVERIFY(fill(trace, "cuda_gpu_kern_sum", query).events(0).empty());
        query.wantEvents = true;
        for (const StatsTable* const table : allStatsTables()) {
            if (!table->applies(*trace))
                continue;
            const Cells cells = table->fill(*trace, query);
            for (std::size_t row = 0; row < cells.rowCount(); ++row) {
                QVERIFY2(!cells.events(row).empty(), table->id.data());
                for (const EventRef event : cells.events(row))
                    QVERIFY2(
                        event.valid() && event.index < trace->table(event.kind).size(), table->id.data());
            }
        }
        const Cells cells = fill(trace, "cuda_gpu_kern_sum", query);
        QCOMPARE(cells.events(0).size(), std::size_t{3});
        QCOMPARE(cells.events(0)[1], (EventRef{EventKind::Kernel, 1}));
    }

    void variantsChooseTheName()
    {
        const auto trace = nestedLaunches();
        StatsQuery query;
        const auto nameOf = [&](const char* variant, std::size_t row) {
            query.variant = variant;
            const Cells cells = fill(trace, "cuda_gpu_kern_sum", query);
            return text(cells, row, cells.columns.size() - 1);
        };
        QCOMPARE(nameOf("", 0), QString("k"));
        QCOMPARE(nameOf("base", 0), QString("k short"));
        QCOMPARE(nameOf("mangled", 0), QString("_Zk"));
        QCOMPARE(nameOf("nvtx-name", 0), QString("outer/k")); // 200 ns
        QCOMPARE(nameOf("nvtx-name:base", 1), QString("inner/k short")); // the innermost range
        QCOMPARE(nameOf("nvtx-name", 2), QString("k")); // no range
    }

    void argumentsGoTogetherInAnyOrder()
    {
        const StatsTable& kernels = *findStatsTable("cuda_gpu_kern_sum");
        for (const char* const good :
            {"", "base", "mangled", "nvtx-name", "nvtx-name:base", "base:nvtx-name", "mangled:nvtx-name"})
            QVERIFY2(takesVariant(kernels, good), good);
        for (const char* const bad :
            {"base:mangled", "base:base", "rows=3", "bas", "base:", ":base", "base=1"})
            QVERIFY2(!takesVariant(kernels, bad), bad);
        QVERIFY(!takesVariant(*findStatsTable("nvtx_kern_sum"), "nvtx-name"));
        const StatsTable& memory = *findStatsTable("um_sum");
        for (const char* const good : {"", "rows=5", "rows=-1"})
            QVERIFY2(takesVariant(memory, good), good);
        for (const char* const bad : {"rows", "rows=", "rows=five", "rows=5x", "rows=1:rows=2"})
            QVERIFY2(!takesVariant(memory, bad), bad);
        QCOMPARE(argumentOf("base:rows=7", "rows", 1), std::int64_t{7});
        QCOMPARE(argumentOf("base", "rows", 1), std::int64_t{1});
        // Listed variants are accepted; in either order it is the same table.
        const auto trace = nestedLaunches();
        for (const StatsTable* const table : allStatsTables()) {
            for (const std::string& variant : listedVariants(*table))
                QVERIFY2(takesVariant(*table, variant), variant.c_str());
        }
        for (const char* const table : {"cuda_gpu_kern_sum", "cuda_gpu_kern_gb_sum", "cuda_gpu_sum",
                 "cuda_gpu_trace", "cuda_api_gpu_sum", "cuda_kern_exec_sum", "cuda_kern_exec_trace"}) {
            StatsQuery query;
            query.variant = "nvtx-name:base";
            const std::string one = toCsv(fill(trace, table, query));
            query.variant = "base:nvtx-name";
            QCOMPARE(toCsv(fill(trace, table, query)), one);
            QVERIFY2(one.find("outer/k short") != std::string::npos, table);
        }
    }

    /// Rows of a trace table are in order of time, from ordered lanes; ties by kind and the report's rows.
    /// They take eight bytes each, not cells.
    void traceRowsAreInOrderOfTime()
    {
        DrawnTrace drawn;
        std::uint32_t seed = 7;
        const auto next = [&seed] { return seed = seed * 1664525U + 1013904223U; };
        for (int i = 0; i < 3000; ++i) {
            const Ns start = next() >> 22U; // many at the same time, on overlapping lanes
            const auto stream = static_cast<std::int32_t>(next() >> 30U);
            if ((next() >> 31U) == 0)
                drawn.kernel("k", start, start + (next() >> 26U), 0, stream);
            else
                drawn.copy(CopyKind::HtoD, start, start + (next() >> 26U), 64, 0);
        }
        const auto trace = drawn.finish();
        for (const TimeRange window : {TimeRange{}, TimeRange{200, 230}}) {
            StatsQuery query;
            query.window = window;
            const Cells cells = fill(trace, "cuda_gpu_trace", query);
            std::size_t expected = 0;
            for (const EventKind kind : {EventKind::Kernel, EventKind::Memcpy}) {
                const EventTable& table = trace->table(kind);
                for (EventIndex i = 0; i < table.size(); ++i)
                    expected += window.empty() || window.touches(table.start[i], table.end(i)) ? 1 : 0;
            }
            QCOMPARE(cells.rowCount(), expected);
            using Place = std::tuple<Ns, EventKind, std::uint32_t>;
            Place before{std::numeric_limits<Ns>::min(), EventKind::Kernel, 0};
            for (std::size_t row = 0; row < cells.rowCount(); ++row) {
                const EventRef event = cells.events(row).front();
                const EventTable& table = trace->table(event.kind);
                const Place place{table.start[event.index], event.kind, table.sourceRow[event.index]};
                QVERIFY(before < place);
                QCOMPARE(whole(cells, row, 0), table.start[event.index]);
                before = place;
            }
        }
    }

    void kernelsCountForEveryRangeAroundTheirCall()
    {
        const Cells cells = fill(nestedLaunches(), "nvtx_kern_sum");
        QCOMPARE(cells.rowCount(), std::size_t{3});
        QCOMPARE(text(cells, 0, 0), QString()); // launched outside of all ranges: first
        QCOMPARE(whole(cells, 0, columnOf(cells, "NVTX Inst")), std::int64_t{0});
        QCOMPARE(text(cells, 1, 0), QString(":inner"));
        QCOMPARE(whole(cells, 1, columnOf(cells, "Kern Inst")), std::int64_t{1});
        QCOMPARE(text(cells, 2, 0), QString(":outer"));
        QCOMPARE(whole(cells, 2, columnOf(cells, "Kern Inst")), std::int64_t{2});
        QCOMPARE(whole(cells, 2, columnOf(cells, "Total Time (ns)")), std::int64_t{300});
    }

    /// Like nsys for a recursive function: times for each range, ranges and kernels once.
    void rangesOfOneNameThatNestCountAKernelOnce()
    {
        DrawnTrace drawn;
        drawn.range("f", 0, 100);
        drawn.range("f", 20, 60);
        for (const Ns at : {10, 30, 70}) { // in the outer, in both, in the outer again
            drawn.call("cudaLaunchKernel", at, at + 5, static_cast<std::uint32_t>(at));
            drawn.kernel("k", 100 + at, 110 + at, static_cast<std::uint32_t>(at));
        }
        const Cells cells = fill(drawn.finish(), "nvtx_kern_sum");
        QCOMPARE(cells.rowCount(), std::size_t{1});
        QCOMPARE(whole(cells, 0, columnOf(cells, "NVTX Inst")), std::int64_t{2});
        QCOMPARE(whole(cells, 0, columnOf(cells, "Kern Inst")), std::int64_t{3});
        QCOMPARE(whole(cells, 0, columnOf(cells, "Total Time (ns)")), std::int64_t{40});
    }

    void projectionSpansTheWork()
    {
        const Cells cells = fill(nestedLaunches(), "nvtx_gpu_proj_trace");
        QCOMPARE(cells.rowCount(), std::size_t{2});
        QCOMPARE(
            text(cells, 0, 0), QString(":outer")); // both start with the first kernel: the outer one leads
        QCOMPARE(whole(cells, 0, 1), std::int64_t{40});
        QCOMPARE(whole(cells, 0, 2), std::int64_t{300});
        QCOMPARE(whole(cells, 1, 2), std::int64_t{100});
        QCOMPARE(whole(cells, 0, columnOf(cells, "NumGPUOps")), std::int64_t{2});
        QCOMPARE(whole(cells, 0, columnOf(cells, "NumChild")), std::int64_t{1});
        QCOMPARE(whole(cells, 1, columnOf(cells, "Lvl")), std::int64_t{1});
        QCOMPARE(text(cells, 1, columnOf(cells, "RangeStack")), QString(":1:2"));
    }

    void rangesWithoutEndAndMarksAreNotSummed()
    {
        DrawnTrace drawn;
        drawn.range("a", 0, 10);
        drawn.range("a", 20, 1000, 1, 59, true);
        drawn.range("a", 30, 30, 1, 34);
        drawn.range("a", 40, 45, 1, 60);
        const auto trace = drawn.finish();
        const Cells cells = fill(trace, "nvtx_sum");
        QCOMPARE(cells.rowCount(), std::size_t{2}); // one a style
        QCOMPARE(whole(cells, 0, 1), std::int64_t{10});
        QCOMPARE(text(cells, 1, 8), QString("StartEnd"));
        QCOMPARE(fill(trace, "nvtx_pushpop_sum").rowCount(), std::size_t{1});
        QCOMPARE(whole(fill(trace, "nvtx_startend_sum"), 0, 1), std::int64_t{5});
    }

    /// PyTorch repeats annotations on the GPU: of the trace's 18,642 ranges, 40.
    void annotationsOnTheGpuAreNoRangesOfThreads()
    {
        const auto loaded = loadReport(WARPLINE_TEST_DATA "/traces/bert_stack.json.gz");
        QVERIFY(loaded.ok());
        const Cells sums = fill(loaded.value(), "nvtx_pushpop_sum");
        std::int64_t instances = 0;
        for (std::size_t row = 0; row < sums.rowCount(); ++row)
            instances += whole(sums, row, columnOf(sums, "Instances"));
        QCOMPARE(instances, std::int64_t{18'602});
        const Cells ranges = fill(loaded.value(), "nvtx_pushpop_trace");
        QCOMPARE(ranges.rowCount(), std::size_t{18'602});
    }

    void queueTimeNeedsAnEndedCall()
    {
        DrawnTrace drawn;
        drawn.call("cudaLaunchKernel_v7000", 0, 10, 1);
        drawn.call("cudaLaunchKernel_v7000", 20, 50, 2);
        drawn.kernel("k", 10, 30, 1); // starts as the call ends: queued for nothing
        drawn.kernel("k", 40, 45, 2); // starts and ends before the call does
        drawn.kernel("unlinked", 60, 90, 9);
        const Cells cells = fill(drawn.finish(), "cuda_kern_exec_sum");
        QCOMPARE(cells.rowCount(), std::size_t{1});
        QCOMPARE(whole(cells, 0, columnOf(cells, "Count")), std::int64_t{2});
        QCOMPARE(whole(cells, 0, columnOf(cells, "QCount")), std::int64_t{1});
        QCOMPARE(whole(cells, 0, columnOf(cells, "QMax (ns)")), std::int64_t{0});
        QCOMPARE(whole(cells, 0, columnOf(cells, "TMax (ns)")), std::int64_t{30}); // to the end of both
        QCOMPARE(text(cells, 0, columnOf(cells, "API Name")), QString("cudaLaunchKernel"));
    }

    void callsOfOneIdCountTwice()
    {
        DrawnTrace drawn;
        drawn.range("r", 0, 100);
        drawn.call("cudaLaunchKernel", 10, 40, 1);
        drawn.call("cudaLaunchKernel_v7000", 15, 35, 1);
        drawn.kernel("k", 50, 60, 1);
        const auto trace = drawn.finish();
        const Cells exec = fill(trace, "cuda_kern_exec_sum");
        QCOMPARE(whole(exec, 0, columnOf(exec, "Count")), std::int64_t{2});
        QCOMPARE(fill(trace, "cuda_api_sum").rowCount(), std::size_t{2});
        QCOMPARE(fill(trace, "cuda_api_gpu_sum").rowCount(), std::size_t{2}); // one call, one kernel
        const Cells ranges = fill(trace, "nvtx_kern_sum");
        QCOMPARE(whole(ranges, 0, columnOf(ranges, "Kern Inst")), std::int64_t{1});
        QCOMPARE(whole(ranges, 0, columnOf(ranges, "Total Time (ns)")), std::int64_t{20});
        QCOMPARE(whole(fill(trace, "nvtx_gpu_proj_sum"), 0, 10), std::int64_t{1});
    }

    void ofEqualTotalsFewerKernelsComeFirst()
    {
        DrawnTrace drawn;
        drawn.kernel("a", 0, 5, 0);
        drawn.kernel("a", 10, 15, 0);
        drawn.kernel("b", 20, 30, 0);
        const auto trace = drawn.finish();
        QCOMPARE(text(fill(trace, "cuda_gpu_kern_sum"), 0, 8), QString("b"));
        QCOMPARE(text(fill(trace, "cuda_gpu_kern_gb_sum"), 0, 10), QString("b"));
        QCOMPARE(text(fill(trace, "cuda_gpu_sum"), 0, 9), QString("a")); // by name alone, as nsys has it
    }

    void equalTotalsAreInOrderOfName()
    {
        DrawnTrace drawn;
        for (const char* const name : {"b", "a_", "a:", "c"})
            drawn.kernel(name, 0, 10, 0);
        const Cells cells = fill(drawn.finish(), "cuda_gpu_kern_sum");
        QStringList names;
        for (std::size_t row = 0; row < cells.rowCount(); ++row)
            names << text(cells, row, 8);
        QCOMPARE(names, (QStringList{"a:", "a_", "b", "c"}));
    }

    void equalTotalsOfKernelsAndCopiesAreInOrderOfName()
    {
        DrawnTrace drawn;
        drawn.kernel("k", 0, 10, 0);
        drawn.copy(CopyKind::HtoD, 20, 30, 64, 0);
        const auto trace = drawn.finish();
        for (const char* const table : {"cuda_gpu_sum", "cuda_api_gpu_sum"})
            QCOMPARE(text(fill(trace, table), 0, 8), QString("MEMORY_OPER")); // '[' is before 'k'
    }

    void sizesAreMegabytes()
    {
        DrawnTrace drawn;
        drawn.copy(CopyKind::HtoD, 0, 1000, 4'000'000, 0);
        drawn.copy(CopyKind::HtoD, 2000, 3000, 1'000'000, 0);
        const auto trace = drawn.finish();
        QCOMPARE(QString::fromStdString(toCsv(fill(trace, "cuda_gpu_mem_size_sum"))).split('\n')[1],
            QString("5.000,2,2.500,2.500,1.000,4.000,2.121,[CUDA memcpy Host-to-Device]"));
        const Cells cells = fill(trace, "cuda_gpu_trace");
        QCOMPARE(std::get<double>(cells.at(0, columnOf(cells, "Throughput (MB/s)"))), 4e6); // 4 MB in 1 us
        // The duration fits 333333 times into a second, and a third of a time that does not count.
        DrawnTrace odd;
        odd.copy(CopyKind::HtoD, 0, 3000, 3'000'000, 0);
        const auto oddTrace = odd.finish();
        QCOMPARE(
            std::get<double>(fill(oddTrace, "cuda_gpu_trace").at(0, columnOf(cells, "Throughput (MB/s)"))),
            999999.0);
    }

    void apiVersions_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("expected");
        QTest::newRow("four digits") << "cudaMalloc_v3020"
                                     << "cudaMalloc";
        QTest::newRow("five digits") << "cudaGraphLaunch_v10000"
                                     << "cudaGraphLaunch_v10000";
        QTest::newRow("driver") << "cuMemcpyHtoD_v2"
                                << "cuMemcpyHtoD_v2";
        QTest::newRow("none") << "cudaMalloc"
                              << "cudaMalloc";
        QTest::newRow("letters") << "cuda_vabcd"
                                 << "cuda_vabcd";
        QTest::newRow("nothing left") << "_v3020"
                                      << "_v3020";
    }
    void apiVersions()
    {
        QFETCH(QString, name);
        QFETCH(QString, expected);
        const std::string full = name.toStdString();
        QCOMPARE(QString::fromStdString(std::string(withoutVersion(full))), expected);
    }
};

WARPLINE_TEST(StatsTables)

} // namespace tst_stats_tables

#include "tst_stats_tables.moc"
