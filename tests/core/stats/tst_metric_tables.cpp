// GPU metrics by kernel name and by NVTX range.

#include "core/load/load_report.h"
#include "core/stats/stats_table.h"
#include "tests/core/findings/drawn_program.h"
#include "tests/support/load_shared.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_metric_tables {

using namespace warpline;
using namespace warpline::test;

class MetricTablesTest : public QObject {
    Q_OBJECT

private slots:
    void samplesAreWeightedByTime()
    {
        DrawnProgram drawn;
        // A sample every 100 us holds 40 % until 1 ms; nothing is sampled afterwards.
        drawn.metric("SMs Active [Throughput %]", {0, ms}, 100 * us, 40);
        drawn.kernel("long", 0, {50 * us, 350 * us});
        drawn.kernel("late", 10 * us, {2 * ms, 3 * ms});
        drawn.kernel("brief", 20 * us, {410 * us, 420 * us}); // between two samples
        const auto trace = drawn.finish();
        const StatsTable* const table = findStatsTable("gpu_metrics_by_kernel");
        QVERIFY(table && table->applies(*trace));
        const Cells cells = table->fill(*trace, {});
        QCOMPARE(cells.rowCount(), std::size_t{3});
        QCOMPARE(std::get<std::string>(cells.at(0, 7)), std::string("late"));
        QCOMPARE(std::get<std::string>(cells.at(0, 2)), std::string("not sampled"));
        QVERIFY(std::holds_alternative<std::monostate>(cells.at(0, 4)));
        QCOMPARE(std::get<std::string>(cells.at(1, 7)), std::string("long"));
        QCOMPARE(std::get<std::string>(cells.at(1, 2)), std::string("SMs Active [Throughput %]"));
        QCOMPARE(std::get<double>(cells.at(1, 4)), 40.0);
        QCOMPARE(std::get<std::int64_t>(cells.at(1, 6)), std::int64_t{3}); // at 100, 200 and 300 us
        QCOMPARE(std::get<std::string>(cells.at(2, 2)), std::string("not sampled"));
    }

    void aReportsMeansAreThoseOfSqlite_data()
    {
        QTest::addColumn<QString>("name");
        QTest::newRow("bert_metrics") << QString("bert_metrics");
    }

    void aReportsMeansAreThoseOfSqlite()
    {
        QFETCH(QString, name);
        LOAD_SHARED_OR_SKIP(path, trace, name.toStdString());
        const Cells cells = findStatsTable("gpu_metrics_by_kernel")->fill(*trace.value(), {});
        const std::string metric = "SMs Active [Throughput %]";
        std::size_t checked = 0;
        for (std::size_t row = 0; row < cells.rowCount() && checked < 4; ++row) {
            if (std::get<std::string>(cells.at(row, 2)) != metric)
                continue;
            ++checked;
            std::string kernel = std::get<std::string>(cells.at(row, 7));
            for (std::size_t at = 0; (at = kernel.find('\'', at)) != std::string::npos; at += 2)
                kernel.insert(at, "'");
            // Each sample holds until the next one; kernels of one name do not overlap here.
            const auto rows = sqlRows(path,
                "WITH m AS MATERIALIZED (SELECT timestamp AS t, value, lead(timestamp) OVER (ORDER BY timestamp) "
                "AS until FROM GPU_METRICS g JOIN TARGET_INFO_GPU_METRICS i ON i.typeId = g.typeId AND "
                "i.metricId = g.metricId WHERE metricName = '"
                    + metric
                    + "'), k AS MATERIALIZED (SELECT start, end FROM CUPTI_ACTIVITY_KIND_KERNEL JOIN StringIds s ON "
                      "s.id = demangledName WHERE s.value = '"
                    + kernel
                    + "') SELECT sum(value * (min(end, until) - max(start, t))) * 1.0 / sum(min(end, until) - "
                      "max(start, t)), max(CASE WHEN t >= start THEN value END), sum(t >= start) FROM k JOIN m ON t "
                      "< end AND until > start");
            QVERIFY(rows && rows->size() == 1);
            const double mean = std::stod(rows->front()[0]);
            QVERIFY(std::abs(std::get<double>(cells.at(row, 4)) - mean) < 1e-6 * std::max(1.0, mean));
            QCOMPARE(std::get<double>(cells.at(row, 5)), std::stod(rows->front()[1]));
            QCOMPARE(std::get<std::int64_t>(cells.at(row, 6)), std::int64_t{std::stoll(rows->front()[2])});
        }
        QVERIFY(checked > 0);
        const StatsTable* const ranges = findStatsTable("gpu_metrics_by_nvtx");
        QVERIFY(ranges->applies(*trace.value()));
        QVERIFY(ranges->fill(*trace.value(), {}).rowCount() > 0);
    }
};

WARPLINE_TEST(MetricTablesTest)

} // namespace tst_metric_tables

#include "tst_metric_tables.moc"
