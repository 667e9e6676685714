// Warpline's own tables of kernels: by class, and collectives by communicator, operation, type and size.

#include "core/derive/collective_bandwidth.h"
#include "core/kernels/kernel_classes.h"
#include "core/load/load_report.h"
#include "core/stats/stats_table.h"
#include "tests/core/findings/drawn_program.h"
#include "tests/support/load_shared.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_class_tables {

using namespace warpline;
using namespace warpline::test;

namespace {

/// The cells of a row by their columns' titles.
std::map<std::string, Cell> rowOf(const Cells& cells, std::size_t row)
{
    std::map<std::string, Cell> named;
    for (std::size_t column = 0; column < cells.columns.size(); ++column)
        named[cells.columns[column].title] = cells.at(row, column);
    return named;
}

} // namespace

class ClassTablesTest : public QObject {
    Q_OBJECT

private slots:
    void kernelsByClass()
    {
        DrawnProgram drawn;
        drawn.kernel("my_gemm", 0, {10, 110});
        drawn.kernel("other_gemm", 1, {200, 400});
        drawn.kernel("mystery", 2, {500, 550});
        const auto trace = drawn.finish();
        const Cells cells = findStatsTable("gpu_class_sum")->fill(*trace, {});
        QCOMPARE(cells.rowCount(), std::size_t{2});
        auto row = rowOf(cells, 0);
        QCOMPARE(std::get<std::string>(row["Class"]), std::string("gemm"));
        QCOMPARE(std::get<std::int64_t>(row["Total Time (ns)"]), std::int64_t{300});
        QCOMPARE(std::get<std::string>(rowOf(cells, 1)["Class"]), std::string("unclassified"));
    }

    void totalsAreThoseOfAllKernels_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* const name : {"bert_amp", "decode", "ddp_straggler_rank0", "h200-more/vit"})
            QTest::newRow(name) << QString(name);
    }

    void totalsAreThoseOfAllKernels()
    {
        QFETCH(QString, name);
        LOAD_SHARED_OR_SKIP(path, trace, name.toStdString());
        const Cells cells = findStatsTable("gpu_class_sum")->fill(*trace.value(), {});
        std::int64_t total = 0;
        for (std::size_t row = 0; row < cells.rowCount(); ++row)
            total += std::get<std::int64_t>(rowOf(cells, row)["Total Time (ns)"]);
        QCOMPARE(total, sqlInteger(path, "select sum(end - start) from CUPTI_ACTIVITY_KIND_KERNEL"));
    }

    /// Communicator and size from the payloads; counts, totals and least against SQL.
    void collectivesBySize()
    {
        const std::string path = sharedReport("h200-more/ddp_json_rank0");
        if (path.empty())
            QSKIP("../shared/reports is not here");
        const auto trace = loadReport(path);
        QVERIFY(trace.ok());
        const Cells cells = findStatsTable("nccl_sum")->fill(*trace.value(), {});
        const auto sql = sqlRows(path,
            "select json_extract(n.jsonText, '$.\"Message size [bytes]\"') as size, count(*), sum(k.end - "
            "k.start),"
            " min(k.end - k.start) from CUPTI_ACTIVITY_KIND_KERNEL k join StringIds s on s.id = k.shortName"
            " join CUPTI_ACTIVITY_KIND_RUNTIME r on r.correlationId = k.correlationId"
            " join NVTX_EVENTS n on n.globalTid = r.globalTid and n.start <= r.start and n.end > r.start"
            " and n.jsonText is not null where s.value like 'nccl%' group by size order by 3 desc");
        QVERIFY(sql && !sql->empty());
        QCOMPARE(cells.rowCount(), sql->size());
        for (std::size_t i = 0; i < sql->size(); ++i) {
            auto row = rowOf(cells, i);
            QCOMPARE(std::get<std::string>(row["Operation"]), std::string("all-reduce"));
            QCOMPARE(std::get<std::string>(row["Type"]), std::string("f32"));
            QCOMPARE(std::get<std::string>(row["Communicator"]), std::string("6727538562120142276"));
            QCOMPARE(std::to_string(std::get<std::int64_t>(row["Size (B)"])), (*sql)[i][0]);
            QCOMPARE(std::to_string(std::get<std::int64_t>(row["Count"])), (*sql)[i][1]);
            QCOMPARE(std::to_string(std::get<std::int64_t>(row["Total Time (ns)"])), (*sql)[i][2]);
            QCOMPARE(std::to_string(std::get<std::int64_t>(row["Min (ns)"])), (*sql)[i][3]);
            const double rate = std::stod((*sql)[i][0]) / std::stod((*sql)[i][3]);
            QVERIFY(std::abs(std::get<double>(row["Algorithm Bandwidth (GB/s)"]) - rate) < 1e-6);
        }
    }

    /// As nccl-tests counts: 1 MB of each rank in 10 us.
    void bandwidthsAreThoseOfNcclTests()
    {
        const auto rates = [](const char* operation, int ranks) {
            return collectiveBandwidth(operation, 1'000'000, ranks, 10'000);
        };
        QCOMPARE(rates("all-reduce", 4).algorithm, 100.0);
        QCOMPARE(rates("all-reduce", 4).bus, 150.0);
        QCOMPARE(rates("all-gather", 4).algorithm, 400.0);
        QCOMPARE(rates("all-gather", 4).bus, 300.0);
        QCOMPARE(rates("all-to-all", 4).bus, 75.0);
        QCOMPARE(rates("send and receive", 2).bus, 100.0);
        // Without the number of ranks: what is sure.
        QCOMPARE(rates("all-reduce", 0).algorithm, 100.0);
        QCOMPARE(rates("all-reduce", 0).bus, 0.0);
        QCOMPARE(rates("reduce-scatter", 0).algorithm, 0.0);
        QCOMPARE(rates("reduce-scatter", 0).busOfOne, 100.0);
        QCOMPARE(collectiveBandwidth("all-reduce", -1, 4, 10'000).algorithm, 0.0);
    }

    void sizesThatWereNotRecordedAreLeftOpen()
    {
        DrawnProgram drawn;
        for (int i = 0; i < 3; ++i)
            drawn.kernel("ncclDevKernel_AllGather_RING_LL(ncclDevKernelArgsStorage<4096>)", i * 1000,
                {i * 1000 + 100, i * 1000 + 200 + i * 100});
        const auto trace = drawn.finish();
        const Cells cells = findStatsTable("nccl_sum")->fill(*trace, {});
        QCOMPARE(cells.rowCount(), std::size_t{1});
        auto row = rowOf(cells, 0);
        QCOMPARE(std::get<std::string>(row["Operation"]), std::string("all-gather"));
        QVERIFY(std::holds_alternative<std::monostate>(row["Size (B)"]));
        QVERIFY(std::holds_alternative<std::monostate>(row["Bus Bandwidth (GB/s)"]));
        QCOMPARE(std::get<double>(row["Exposed (%)"]), 100.0);
        QCOMPARE(std::get<double>(row["Waiting (%)"]), 50.0); // 0, 100 and 200 of 600 ns
    }
};

WARPLINE_TEST(ClassTablesTest)

} // namespace tst_class_tables

#include "tst_class_tables.moc"
