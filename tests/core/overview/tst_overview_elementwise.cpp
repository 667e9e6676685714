// The overview of PyTorch's elementwise kernels: their time, the potential saving of fusing neighbours, and
// when it is omitted.

#include "core/analysis/trace_analysis.h"
#include "core/base/format.h"
#include "core/base/rounded.h"
#include "core/load/load_report.h"
#include "core/overview/overview_work.h"
#include "core/render/render.h"
#include "tests/core/findings/drawn_program.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_overview_elementwise {

using namespace warpline;
using namespace warpline::test;

namespace {

constexpr std::string_view add
    = "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>>(int, T2, T3)";
constexpr std::string_view lookUp
    = "void at::native::index_elementwise_kernel<128, 4, at::native::gpu_index_kernel<float>>(long, T3)";
constexpr std::string_view fused = "triton_poi_fused_add_mul_0";

/// `rounds` times a product of `product` ns, then consecutive kernels named `name` of 4, 6 and 5 us.
std::shared_ptr<const Trace> program(std::string_view name, int rounds, Ns product)
{
    DrawnProgram drawn;
    Ns at = 0;
    const auto run = [&](std::string_view kernel, Ns length) {
        drawn.kernel(kernel, at, {at + 5 * us, at + 5 * us + length});
        at += 5 * us + length;
    };
    for (int i = 0; i < rounds; ++i) {
        run("my_gemm", product);
        for (const Ns length : {4 * us, 6 * us, 5 * us})
            run(name, length);
    }
    return drawn.finish();
}

std::string told(const Trace& trace)
{
    const TimeRange whole{trace.session.start, trace.session.end + 1};
    TraceAnalysis facts(trace, whole, {});
    return plain(textOfElementwise(trace, facts, whole, {}));
}

bool holds(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

} // namespace

class OverviewElementwiseTest : public QObject {
    Q_OBJECT

private slots:
    void tellsShareAndWhatFusingSaves()
    {
        const std::string text = told(*program(add, 50, 15 * us));
        QVERIFY2(
            holds(text, "take 50.0% of kernel time: 750 µs in 150 launches, 5 µs on average"), text.c_str());
        // Of each row of 4, 6 and 5 us the shortest stays: 11 us are saved, 50 times.
        QVERIFY2(holds(text, "100 of them directly follow another one on their stream"), text.c_str());
        QVERIFY2(holds(text, "could save up to 550 µs of GPU time, and as many launches"), text.c_str());
    }

    void tellsWhatBoundsThem()
    {
        const auto of = [](Ns length) {
            DrawnProgram drawn;
            for (int i = 0; i < 120; ++i) {
                const Ns at = 40 * us * i;
                drawn.kernel(add, at, {at + 5 * us, at + 5 * us + length});
            }
            return told(*drawn.finish());
        };
        QVERIFY(holds(of(2 * us), "2 µs on average, so short that launch overhead dominates"));
        QVERIFY(holds(of(10 * us), "The long ones are memory-bound, the short ones launch-bound."));
        QVERIFY(holds(of(30 * us), "on average. They are memory-bound."));
    }

    void isSilentWhereItIsNoMatter_data()
    {
        QTest::addColumn<std::string>("name");
        QTest::addColumn<int>("rounds");
        QTest::addColumn<Ns>("product");
        QTest::newRow("fused already") << std::string(fused) << 50 << 15 * us;
        QTest::newRow("looks up an index") << std::string(lookUp) << 50 << 15 * us;
        QTest::newRow("another program's") << std::string("elementwise_kernel") << 50 << 15 * us;
        QTest::newRow("a handful") << std::string(add) << 20 << 15 * us;
        QTest::newRow("a small share") << std::string(add) << 50 << 75 * us;
    }

    void isSilentWhereItIsNoMatter()
    {
        QFETCH(const std::string, name);
        QFETCH(const int, rounds);
        QFETCH(const Ns, product);
        QCOMPARE(told(*program(name, rounds, product)), std::string());
    }

    /// A product parts a row, and nothing is saved of kernels that stand
    /// alone.
    void productsPartRows()
    {
        DrawnProgram drawn;
        for (int i = 0; i < 120; ++i) {
            const Ns at = 20 * us * i;
            drawn.kernel(add, at, {at + 5 * us, at + 10 * us});
            drawn.kernel("my_gemm", at + 6 * us, {at + 12 * us, at + 17 * us});
        }
        const std::string text = told(*drawn.finish());
        QVERIFY2(holds(text, "in 120 launches"), text.c_str());
        QVERIFY2(!holds(text, "follow another one"), text.c_str());
    }

    /// Kernels of different steps cannot be fused.
    void stepsPartRows()
    {
        DrawnProgram drawn;
        for (int step = 0; step < 40; ++step) {
            const Ns begin = 60 * us * step;
            drawn.range("step_" + std::to_string(step), {begin, begin + 60 * us});
            for (int i = 0; i < 4; ++i) {
                const Ns at = begin + 10 * us * i;
                drawn.kernel(add, at, {at + 5 * us, at + 10 * us});
            }
        }
        const std::string text = told(*drawn.finish());
        QVERIFY2(holds(text, "in 160 launches"), text.c_str());
        QVERIFY2(holds(text, "120 of them directly follow another one"), text.c_str());
        QVERIFY2(holds(text, "could save up to 600 µs"), text.c_str());
    }

    void ofARealRun()
    {
        const std::string path = sharedReport("h200-more/llama_bf16");
        if (path.empty())
            QSKIP("the shared reports are not there: ../shared/reports");
        const auto trace = loadReport(path);
        QVERIFY(trace.ok());
        const std::string text = told(*trace.value());
        const std::string from
            = " FROM CUPTI_ACTIVITY_KIND_KERNEL k JOIN StringIds s ON s.id = k.demangledName "
              "WHERE s.value LIKE 'void at::native::%elementwise_kernel<%' AND s.value NOT "
              "LIKE 'void at::native::index_%'";
        const long long time = sqlInteger(path, "SELECT sum(k.end - k.start)" + from);
        const long long launches = sqlInteger(path, "SELECT count(*)" + from);
        const std::string figures = roundedDuration(time) + " in "
            + formatCount(static_cast<std::uint64_t>(launches)) + " launches";
        QVERIFY2(holds(text, figures), text.c_str());
        // Rows counted in SQL: a launch follows when the previous kernel on its stream is one of these as
        // well.
        const long long following = sqlInteger(path,
            "SELECT sum(one AND before) FROM (SELECT one, lag(one) OVER (PARTITION BY streamId ORDER BY start) "
            "before FROM (SELECT k.start, k.streamId, s.value LIKE 'void at::native::%elementwise_kernel<%' AND "
            "s.value NOT LIKE 'void at::native::index_%' one FROM CUPTI_ACTIVITY_KIND_KERNEL k JOIN StringIds s "
            "ON s.id = k.demangledName))");
        QVERIFY2(
            holds(text,
                formatCount(static_cast<std::uint64_t>(following)) + " of them directly follow another one"),
            text.c_str());
    }
};

WARPLINE_TEST(OverviewElementwiseTest)

} // namespace tst_overview_elementwise

#include "tst_overview_elementwise.moc"
