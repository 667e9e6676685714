// Classes of kernels on AMD's GPUs: hardly any is unknown, and products take the time that another tool
// counts.

#include "core/stats/stats_table.h"
#include "tests/core/kineto/kineto_helpers.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>
#include <map>

namespace tst_rocm_classes {

using namespace warpline;
using namespace warpline::test;

class RocmClassesTest : public QObject {
    Q_OBJECT

private slots:
    void hardlyAnyKernelIsUnknown_data();
    void hardlyAnyKernelIsUnknown();
    void productsTakeWhatTheReferenceSays_data();
    void productsTakeWhatTheReferenceSays();
};

namespace {

/// Times by class, in ns.
std::map<std::string, std::int64_t> timesByClass(const QString& path)
{
    std::map<std::string, std::int64_t> times;
    const auto loaded = loadReport(path.toStdString());
    if (!loaded.ok())
        return times;
    const Cells cells = findStatsTable("gpu_class_sum")->fill(*loaded.value(), {});
    for (std::size_t row = 0; row < cells.rowCount(); ++row)
        times[std::get<std::string>(cells.at(row, 8))] = std::get<std::int64_t>(cells.at(row, 1));
    return times;
}

/// In a reference's CSV the sum of "total_direct_kernel_time_ms" over the rows of products.
double productsOf(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    const qsizetype column = file.readLine().split(',').indexOf("total_direct_kernel_time_ms");
    double sum = 0;
    while (!file.atEnd()) {
        QByteArray line = file.readLine();
        // A field in quotes holds commas, and no row has two.
        if (const qsizetype quote = line.indexOf('"'); quote >= 0)
            line.remove(quote, line.lastIndexOf('"') - quote + 1);
        if (line.startsWith("GEMM,"))
            sum += line.split(',').at(column).toDouble();
    }
    return sum;
}

const QString shared = WARPLINE_SHARED_REPORTS "/..";

void addRows(const QStringList& names)
{
    QTest::addColumn<QString>("path");
    for (const QString& name : names) {
        if (QFile::exists(shared + "/" + name + ".json.gz"))
            QTest::newRow(qPrintable(name)) << shared + "/" + name;
    }
    if (!QFile::exists(shared + "/traces/rocm/bert_small_mi300.json.gz"))
        QSKIP("needs ../shared/traces, which is not there");
}

} // namespace

void RocmClassesTest::hardlyAnyKernelIsUnknown_data()
{
    addRows({"traces/rocm/bert_small_mi300", "traces/rocm/falcon_mi300", "traces/rocm/ddp_resnet18_no_pool",
        "traces/rocm/normalization_layer_test", "traces/rocm/resnet_act_checkpoint",
        "reports/kineto/public/tl_mi300_qwen", "reports/kineto/public/hta_amd_mi250",
        "reports/kineto/public/tl_mi210_gpu_only", "reports/kineto/public/tl_sglang_decode",
        "reports/kineto/public/tl_vllm_graph", "traces/graphs/vllm_decode"});
}

void RocmClassesTest::hardlyAnyKernelIsUnknown()
{
    QFETCH(QString, path);
    const auto times = timesByClass(path + ".json.gz");
    std::int64_t all = 0;
    for (const auto& [name, time] : times)
        all += time;
    QVERIFY(all > 0);
    const std::int64_t unknown = times.contains("unclassified") ? times.at("unclassified") : 0;
    QVERIFY2(unknown * 100 < 3 * all, qPrintable(QString::number(unknown)));
}

void RocmClassesTest::productsTakeWhatTheReferenceSays_data()
{
    // The reference counts by operators. It omits products that a convolution runs or whose operator is not
    // in the trace (resnet_act_checkpoint: 0.061 of our 0.246 ms). It also omits those of unknown operators
    // (vllm_decode: 1.231 of our 8.265 ms; the rest is _matmul_ogs of vLLM's experts).
    addRows({"traces/rocm/bert_small_mi300", "traces/rocm/falcon_mi300", "traces/rocm/bert_small_h100",
        "traces/rocm/falcon_h100", "traces/graphs/sglang_decode"});
}

void RocmClassesTest::productsTakeWhatTheReferenceSays()
{
    QFETCH(QString, path);
    const double expected = productsOf(path + ".reference/ops_summary_by_category.csv");
    QVERIFY(expected > 0);
    const double actual = static_cast<double>(timesByClass(path + ".json.gz")["gemm"]) / 1e6;
    // It rounds starts and ends to a quarter of a microsecond.
    QVERIFY2(std::abs(actual - expected) < 0.002, qPrintable(QString("%1 %2").arg(actual).arg(expected)));
}

WARPLINE_TEST(RocmClassesTest)

} // namespace tst_rocm_classes

#include "tst_rocm_classes.moc"
