// Operators against the limits of their GPU: sums of ranges, shapes, limits, and texts.

#include "core/analysis/trace_analysis.h"
#include "core/findings/kernel_judgement.h"
#include "core/findings/roofline_metrics.h"
#include "core/load/load_report.h"
#include "core/operators/kernel_hints.h"
#include "core/operators/kernel_work.h"
#include "core/operators/operator_text.h"
#include "core/operators/range_work.h"
#include "core/query/event_list.h"
#include "core/query/kernel_occupancy.h"
#include "core/render/render.h"
#include "tests/core/findings/drawn_program.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"
#include "tests/support/whole_analysis.h"

#include <QTest>

#include <QFileInfo>

#include <cmath>
#include <random>

namespace tst_operator_rooflines {

using namespace warpline;
using namespace warpline::test;

namespace {

constexpr double flopsOfCube = 2.0 * 4096 * 4096 * 4096;
constexpr std::string_view bf16 = "nvjet_sm90_tst_128x256_64x4_2x1_v_bz_coopA_NTN";

/// `count` products of 4096 x 4096 matrices, one every 300 us, each in one kernel of `length`.
std::shared_ptr<const Trace> products(int count, Ns length)
{
    DrawnProgram program;
    for (int i = 0; i < count; ++i) {
        const Ns at = i * 300 * us;
        program.range("aten::mm, seq = 0, op_id = " + std::to_string(i)
                + ", sizes = [[4096, 4096], [4096, 4096]], input_op_ids = [(-1,-1), (-1,-1)]",
            {at, at + 20 * us});
        program.kernel(bf16, at + 5 * us, {at + 30 * us, at + 30 * us + length});
    }
    return program.finish();
}

} // namespace

class TestOperatorRooflines : public QObject {
    Q_OBJECT

private slots:
    void sumsOfRanges();
    void shapesOfAGpu();
    void saysItInWords();
    void namesTheLongestLaunch();
    void isEmptyWithoutShapes();
    void kernelsHaveTheirPartOfTheWork();
    void blocksHaveReservedSharedMemory();
    void namesThatHideTheirTypesSayNone();
    void workWithoutTrafficHasNoRoofline();
    void productsWithoutShapesAreBounded();
    void metricsEqualSql();
};

void TestOperatorRooflines::sumsOfRanges()
{
    const auto trace = products(200, 200 * us); // several blocks of stored sums
    const auto rooflines = operatorRooflinesOf(*trace);
    QCOMPARE(rooflines->gpus().size(), std::size_t{1});
    const OperatorGpu& gpu = rooflines->gpus().front();
    QVERIFY(gpu.peaks);
    const KernelTable& kernels = trace->kernels();
    std::mt19937 random(3);
    std::uniform_int_distribution<Ns> any(-100 * us, 61'000 * us);
    for (int i = 0; i < 300; ++i) {
        TimeRange range{any(random), any(random)};
        if (range.end < range.start)
            std::swap(range.start, range.end);
        double share = 0; // of kernels
        for (EventIndex k = 0; k < kernels.size(); ++k)
            share += static_cast<double>(kernels.range(k).clippedTo(range).duration()) / (200.0 * us);
        const WorkSums sums = rooflines->within(*trace, gpu, range);
        QVERIFY2(std::abs(sums.flops - share * flopsOfCube) < 1e-6 * flopsOfCube * 200,
            qPrintable(QString("%1 to %2").arg(range.start).arg(range.end)));
        QVERIFY(std::abs(sums.knownNs - share * 200 * us) < 1);
        QVERIFY(std::abs(sums.computeNs - share * flopsOfCube / 989.4e12 * 1e9) < 1);
    }
    // MFU of one period: a product in 300 us.
    const std::vector<RangeWork> work = rangeWork(*trace, {0, 300 * us});
    QCOMPARE(work.size(), std::size_t{1});
    QVERIFY(std::abs(work.front().utilization() - flopsOfCube / 989.4e12 / 300e-6) < 1e-9);
}

void TestOperatorRooflines::shapesOfAGpu()
{
    const auto trace = products(10, 200 * us);
    const auto rooflines = operatorRooflinesOf(*trace);
    const OperatorGpu& gpu = rooflines->gpus().front();
    const auto uses = rooflines->shapesOn(*trace, gpu, trace->session);
    QCOMPARE(uses.size(), std::size_t{1});
    QCOMPARE(uses[0].calls, std::uint64_t{10});
    QCOMPARE(uses[0].gpu, 2'000 * us);
    QCOMPARE(uses[0].flops, 10 * flopsOfCube);
    QCOMPARE(uses[0].bytes, 10 * 3.0 * 2 * 4096 * 4096);
    QCOMPARE(uses[0].bound, RooflineBound::Compute);
    QVERIFY(std::abs(uses[0].share() - flopsOfCube / 989.4e12 / 200e-6) < 1e-9);
    QCOMPARE(rooflines->kernelsOf(*trace, gpu, uses[0].shape, trace->session).size(), std::size_t{10});
    // Only those whose work begins in the range.
    QCOMPARE(rooflines->shapesOn(*trace, gpu, {300 * us, 900 * us})[0].calls, std::uint64_t{2});
}

void TestOperatorRooflines::saysItInWords()
{
    const auto trace = products(3, 200 * us);
    const auto rooflines = operatorRooflinesOf(*trace);
    const OperatorGpu& gpu = rooflines->gpus().front();
    const auto uses = rooflines->shapesOn(*trace, gpu, trace->session);
    QCOMPARE(QString::fromStdString(operatorLabel(rooflines->works().shapes[uses[0].shape])),
        "aten::mm [4096,4096] [4096,4096] BF16");
    const QString words = QString::fromStdString(plain(rooflineSentence(uses[0], *gpu.peaks)));
    QVERIFY2(words.contains("687 TFLOP/s") && words.contains("69.5%"), qPrintable(words));
    QCOMPARE(formatFlops(989.4e12), "989 TFLOP/s");
    QCOMPARE(formatFlops(2.25e15), "2.25 PFLOP/s");
    QCOMPARE(formatBandwidth(4.8e12), "4.80 TB/s");
    QCOMPARE(formatFlops(0), "-");
    OperatorShape many;
    many.operatorName = "aten::_foreach_add_";
    many.shapes = "[[[8,4],[4],[4]],[[8,4],[4]],[]]";
    QCOMPARE(shapesLabel(many), "[8,4] [4] [4] +2");
}

/// Next to the sums of all launches of a kernel, but not where one launch has been selected.
void TestOperatorRooflines::namesTheLongestLaunch()
{
    const auto subjectIn = [](const std::vector<KernelFact>& facts) {
        const auto roofline = std::ranges::find(
            facts, "operators.roofline", [](const KernelFact& fact) { return fact.text.key(); });
        if (roofline == facts.end())
            return std::string("no sentence");
        const auto subject = std::ranges::find(roofline->text.values(), "subject", &Argument::name);
        return subject == roofline->text.values().end() ? "no subject" : subject->value.name;
    };
    const auto several = products(3, 200 * us);
    QCOMPARE(subjectIn(overviewOf(*several, several->session).kernels.front().facts), "launch");
    TraceAnalysis analysis(*several, several->session, {});
    QCOMPARE(subjectIn(judgeKernel(analysis, 1)), "use");
    const auto one = products(1, 200 * us);
    QCOMPARE(subjectIn(overviewOf(*one, one->session).kernels.front().facts), "use");
}

void TestOperatorRooflines::isEmptyWithoutShapes()
{
    DrawnProgram program;
    program.kernel(bf16, 0, {10 * us, 200 * us});
    const auto trace = program.finish();
    QVERIFY(operatorRooflinesOf(*trace)->empty());
    QVERIFY(rangeWork(*trace, trace->session).empty());
}

/// Two kernels of one product share its FLOPs by their time; kernels are sorted by their rates.
void TestOperatorRooflines::kernelsHaveTheirPartOfTheWork()
{
    DrawnProgram program;
    const auto product = [&](int i, Ns at, std::initializer_list<Ns> lengths) {
        program.range("aten::mm, seq = 0, op_id = " + std::to_string(i)
                + ", sizes = [[4096, 4096], [4096, 4096]], input_op_ids = [(-1,-1), (-1,-1)]",
            {at, at + 20 * us});
        Ns start = at + 30 * us;
        for (const Ns length : lengths) {
            program.kernel(bf16, at + 5 * us, {start, start + length});
            start += length;
        }
    };
    product(0, 0, {300 * us, 100 * us});
    product(1, 1'000 * us, {200 * us});
    program.kernel("other", 2'000 * us, {2'010 * us, 2'020 * us});
    const auto trace = program.finish();
    const auto rooflines = operatorRooflinesOf(*trace);
    std::vector<EventIndex> kernels(trace->kernels().size());
    for (EventIndex i = 0; i < kernels.size(); ++i)
        kernels[i] = i;
    std::ranges::sort(kernels, {}, [&](EventIndex i) { return trace->kernels().start[i]; });
    const KernelWork first = workOfKernel(*trace, *rooflines, kernels[0]);
    QVERIFY(std::abs(first.flops / flopsOfCube - 0.75) < 1e-12);
    QVERIFY(std::abs(first.of(WorkColumn::FlopRate) - flopsOfCube / 400e-6) < 1e3);
    QVERIFY(std::abs(first.of(WorkColumn::ByteRate) - 3.0 * 2 * 4096 * 4096 / 400e-6) < 1e3);
    QVERIFY(std::abs(first.of(WorkColumn::Roofline) - flopsOfCube / 989.4e12 / 400e-6) < 1e-9);
    QCOMPARE(first.textOf(WorkColumn::Bound), "compute");
    const KernelWork none = workOfKernel(*trace, *rooflines, kernels[3]);
    for (const WorkColumn column : allWorkColumns) {
        QVERIFY(none.of(column) < 0);
        QVERIFY(none.textOf(column).empty());
    }
    GroupSums sums{};
    for (const EventIndex kernel : kernels)
        addWork(*trace, *rooflines, kernel, sums);
    const KernelWork all = workOfGroup(sums);
    QVERIFY(std::abs(all.flops / flopsOfCube - 2) < 1e-12);
    QVERIFY(std::abs(all.of(WorkColumn::FlopRate) - 2 * flopsOfCube / 600e-6) < 1e3);
    QVERIFY(std::abs(all.of(WorkColumn::Roofline) - 2 * flopsOfCube / 989.4e12 / 600e-6) < 1e-9);
    EventQuery query;
    query.window = trace->session;
    query.kind = EventKind::Kernel;
    query.column = EventColumn::Measure;
    query.measure = measureOf(rooflines, WorkColumn::FlopRate);
    const EventList fastest(trace, query);
    QCOMPARE(fastest.size(), std::size_t{4});
    QCOMPARE(fastest[0].index, kernels[2]); // the product in half of the time
    QCOMPARE(fastest[3].index, kernels[3]); // of which nothing is known
    for (std::size_t row = 0; row < fastest.size(); ++row)
        QCOMPARE(fastest.rowOf(fastest[row]), row);
}

/// From compute capability 8.0 on the system reserves 1 KiB of shared memory for each block.
void TestOperatorRooflines::blocksHaveReservedSharedMemory()
{
    DrawnProgram program;
    // 228 KiB: four blocks of 57 KiB would fit, but not with the reservation.
    program.kernel("a", 0, {10 * us, 20 * us}, {.sharedMemory = 57 * 1024});
    program.kernel("b", 30 * us, {40 * us, 50 * us}, {.sharedMemory = 56 * 1024});
    const auto trace = program.finish();
    QCOMPARE(residencyOf(*trace, 0).blocksAtOnce, 3);
    QCOMPARE(residencyOf(*trace, 0).limit, ResidencyLimit::SharedMemory);
    QCOMPARE(residencyOf(*trace, 1).blocksAtOnce, 4);
}

/// Details show the bound of a product's result, and how to record the rest; for other kernels neither.
void TestOperatorRooflines::productsWithoutShapesAreBounded()
{
    DrawnProgram program;
    program.kernel("ampere_sgemm_128x64_tn", 0, {10 * us, 20 * us}, {.blocks = 100});
    program.kernel("other", 30 * us, {40 * us, 50 * us});
    const auto trace = program.finish();
    const auto factOf = [&](EventIndex kernel) {
        TraceAnalysis analysis(*trace, trace->session, {});
        const auto facts = judgeKernel(analysis, kernel);
        const auto found
            = std::ranges::find(facts, "Product", [](const KernelFact& fact) { return plain(fact.label); });
        return found != facts.end() ? QString::fromStdString(plain(found->text)) : QString();
    };
    const bool first = trace->name({EventKind::Kernel, 0}) != "other";
    QVERIFY(factOf(first ? 0 : 1).contains("819,200")); // 128 * 64 * 100
    QVERIFY(factOf(first ? 0 : 1).contains("record_shapes=True"));
    QVERIFY(factOf(first ? 1 : 0).isEmpty());
}

/// What of a metric falls to samples that touch a kernel, by the time of the kernels.
void TestOperatorRooflines::metricsEqualSql()
{
    const std::string path = WARPLINE_SHARED_REPORTS "/../operators/gpt_metrics.sqlite";
    if (!QFileInfo::exists(QString::fromStdString(path)))
        QSKIP("../shared/operators is not here");
    const auto loaded = loadReport(path);
    QVERIFY(loaded.ok());
    const Trace& trace = *loaded.value();
    const auto rooflines = operatorRooflinesOf(trace);
    QCOMPARE(rooflines->gpus().size(), std::size_t{1});
    const RooflineMetrics metrics
        = rooflineMetrics(trace, *rooflines, rooflines->gpus().front(), trace.session);
    QVERIFY(metrics.tensorActive && metrics.dram && metrics.clockHz);
    const auto sql = [&](const std::string& name) {
        const std::string text
            = "WITH k AS (SELECT start s, end e, max(end) OVER (ORDER BY start ROWS BETWEEN UNBOUNDED "
              "PRECEDING AND 1 PRECEDING) before FROM CUPTI_ACTIVITY_KIND_KERNEL), "
              "g AS (SELECT value v, lag(timestamp) OVER w a, lead(timestamp) OVER w b FROM GPU_METRICS "
              "JOIN TARGET_INFO_GPU_METRICS USING (typeId, metricId) WHERE metricName LIKE '"
            + name
            + "%' WINDOW w AS (ORDER BY timestamp)) "
              "SELECT sum(v * (b - a) / 2.0) / (SELECT sum(max(0, e - max(s, coalesce(before, s)))) FROM k) "
              "FROM g WHERE EXISTS (SELECT 1 FROM k WHERE s < b AND e > a)";
        const auto rows = sqlRows(path, text);
        return rows && rows->size() == 1 ? std::stod(rows->front().front()) : -1.0;
    };
    QVERIFY2(std::abs(*metrics.tensorActive - sql("Tensor Active")) < 0.01,
        qPrintable(QString("%1 and %2").arg(*metrics.tensorActive).arg(sql("Tensor Active"))));
    QVERIFY(std::abs(*metrics.dram - sql("DRAM Read") - sql("DRAM Write")) < 0.01);
    QVERIFY(*metrics.clockHz > 1.9e9 && *metrics.clockHz < 2.0e9);
    // The model and the hardware agree within a few points.
    QVERIFY2(std::abs(*metrics.tensorActive - metrics.modelTensor) < 5, plain(metricsText(metrics)).c_str());
    // Optimizers have no work in names of NVTX ranges, and much traffic.
    QVERIFY2(
        metrics.modelDram > 10 && metrics.modelDram < *metrics.dram, plain(metricsText(metrics)).c_str());
    QVERIFY(metrics.modelTime > 50 && metrics.modelTime < 90);
    QVERIFY(plain(metricsText(metrics)).find("agree") != std::string::npos);
    QVERIFY(plain(metricsText(metrics)).find("move more than they must") == std::string::npos);
}

/// The name of a gather has the type of its indices, that of a cast one type of two.
void TestOperatorRooflines::namesThatHideTheirTypesSayNone()
{
    QCOMPARE(
        hintsOfKernel("void at::native::vectorized_gather_kernel<(int)16, long>(char *, char *)").element,
        ElementType::Unknown);
    QCOMPARE(
        hintsOfKernel("vectorized_elementwise_kernel<(int)8, at::native::bfloat16_copy_kernel_cuda(float)>")
            .element,
        ElementType::Unknown);
    QCOMPARE(hintsOfKernel("unrolled_elementwise_kernel<(float), LoadWithCast<(int)1>>").element,
        ElementType::Unknown);
    QCOMPARE(hintsOfKernel("elementwise_kernel<c10::BFloat16>").element, ElementType::Bf16);
}

void TestOperatorRooflines::workWithoutTrafficHasNoRoofline()
{
    GpuPeaks peaks;
    peaks.bytesPerSecond = 1e12;
    QVERIFY(!rooflineOf({.flops = 1e9, .bytes = -1, .type = MathType::Fp32, .unit = MathUnit::Simt}, peaks)
                 .isKnown());
    QVERIFY(rooflineOf({.flops = 0, .bytes = 1e6, .type = MathType::Fp32, .unit = MathUnit::Simt}, peaks)
                .isKnown());
}

WARPLINE_TEST(TestOperatorRooflines)

} // namespace tst_operator_rooflines

#include "tst_operator_rooflines.moc"
