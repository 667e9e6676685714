// The saving of each rule on synthetic programs, to the nanosecond: computed from the program's definition,
// not from the rule. Also where the finding points.

#include "core/findings/rule.h"
#include "tests/core/findings/rule_cases.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <set>

namespace tst_rule_savings {

using namespace warpline;
using namespace warpline::test;

namespace {

/// The expected first finding of a rule for one of its cases.
struct Expected {
    std::string_view rule;
    std::string_view name; ///< of the case, see rule_cases_*.cpp
    Ns saving;
    TimeRange where;
    Ns once = 0;
};

constexpr TimeRange firstCopy{5 * us, 105 * us};
constexpr TimeRange firstKernel{0, ms};

const std::vector<Expected>& expectations()
{
    static const std::vector<Expected> list{
        // Copies. The call that starts the first work of the GPU is no part of the measured time.
        {"cuda_memcpy_async", "pageable memory", 3 * 100 * us, firstCopy},
        {"cuda_memcpy_sync", "blocking call", 3 * 100 * us + 2 * 5 * us, firstCopy},
        {"cuda_memset_sync", "memory of the host", ms, {0, ms}},
        // Calls and copies of 310 us, of which 6 MB at 52 bytes a ns are left.
        {"pageable_copies", "pageable memory", 310'000 - 115'384, firstCopy},
        // Nine gaps of 4 ms, and the copies behind them.
        {"staged_uploads", "pinned memory that each step asks for", 9 * 5 * ms, {13 * ms, 14 * ms}},
        {"tiny_copies", "150 copies of 256 bytes", 150 * us + 149 * 5 * us, {5 * us, 6 * us}},
        {"copies_below_link_rate", "one copy at a fifth of the rate", 4 * ms, {6 * ms, 11 * ms}},
        {"copy_round_trips", "as many bytes back", 6 * (995 * us + ms), {2 * ms, 3 * ms}},
        {"copies_not_overlapped", "kernels after copies", 8 * ms, {0, ms}},
        {"copies_not_overlapped", "a long load, then steps of short copies", 20 * 10 * us,
            {10 * us, 100 * ms}},
        {"streams_serialized", "rounds in one stream", 8 * ms, {0, 31 * ms}},
        // Each stream works for half of the time: the one could hide behind the other.
        {"streams_serialized", "two streams that take turns", 20 * 890 * us, {10 * us, 39'900 * us}},
        // 19 copies between the first kernel and the last; the host reads no NVTX.
        {"repeated_uploads", "the same size each round", 19 * 1990 * us, {10'010 * us, 12 * ms}},
        // From the first kernel to the last: a copy back of 2 ms, 18 rounds, a call and a copy in.
        {"data_region_in_loop", "OpenMP regions that map their arrays", 2 * ms + 18 * 3995 * us + 1995 * us,
            {3 * ms, 5 * ms}},
        // At the rate of the link: the eight kernels can hide copies.
        {"copy_bound", "copies for two thirds of the time", 8 * (10 * ms + 10 * us), {10 * us, 27'010 * us}},
        // Four kernels of 8.9 ms, with page migrations for 7 ms and a wait of 0.9 ms before; and three gaps,
        // in which the host waits 1 ms for pages.
        {"unified_memory_faults", "pages that a kernel misses", 4 * 7900 * us + 3 * ms, {1100 * us, 10 * ms}},
        // Behind the last step's calls nothing is launched.
        {"allocation_in_loop", "in each step", 9 * 300 * us, {130 * us, 330 * us}},
        {"memory_growth", "never released", 0, {14 * ms, 14 * ms}},

        // Reasons for an idle GPU.
        {"cuda_api_sync", "a wait for the device", 500 * us, {10 * us, 510 * us}},
        {"gpu_gaps", "gaps of 600 ms", 2 * 600 * ms, {ms, 601 * ms}},
        {"gpu_time_util", "one tenth in use", 59 * 9 * ms, {0, 591 * ms}},
        // Without the 5 us from each launch on.
        {"gpu_idle_cause", "the host launches late", 19 * 4995 * us, {5 * ms, 10 * ms}},
        {"data_starvation", "loading with an idle GPU", 9 * 6 * ms, {10 * ms, 16 * ms}},
        {"data_starvation", "silence that input ends, without NVTX", 11 * 7010 * us, {3 * ms, 10'010 * us}},
        {"launch_bound", "each launch finds an idle GPU", 599 * 16 * us, {0, 11'984 * us}},
        // From a kernel to the next round's, without the value's copy.
        {"sync_per_iteration", "a value read in each step", 9 * 309 * us, {30 * us, 710 * us}},
        // From the kernel's end to the end of loading; and from the launch to the kernel, except for the
        // first.
        {"code_loaded_in_loop", "in each step", 10 * 5200 * us + 9 * 3 * us,
            {10'007 * us, 16'100 * us}},
        // From the end of the first kernel on: own code before a load.
        {"one_time_costs", "a module of 20 ms", 29 * ms, {10 * ms, 30 * ms}},
        // From the previous launch, without its kernel, to the end of the load.
        {"one_time_costs", "compiled before it is loaded", 28'003 * us, {2002 * us, 20 * ms}},
        {"start_up", "a first call of 200 ms", 0, {0, 200 * ms}, 200 * ms},
        // To the kernel, without cudaMalloc and the launch.
        {"host_outside", "half a second of own code before a kernel", 0, {0, 500 * ms}, 504 * ms - 2002 * us},
        {"gap_functions", "one function in all gaps", 9 * 8 * ms, {1500 * us, 1500 * us}},
        {"gil", "waits for the lock in each round", 9 * 5 * ms, {3 * ms, 8 * ms}},

        // Kernels.
        {"short_kernels", "300 of 3 us", 299 * 7 * us, {-5 * us, 2'993'001}},
        {"kernel_storm", "600 of 3 us", 599 * 7 * us, {0, 5'993 * us}},
        // All but one lane of one of 32 blocks that fit on each of 132 multiprocessors.
        {"tiny_grid", "a single thread", 5 * ms - 5 * ms / (132 * 32 * 32), firstKernel},
        // 32 of 1024 threads.
        // 40 products of 2 x 4096^3 FLOPs at 989.4 TFLOP/s.
        {"below_roofline", "products at a seventh of the peak", 40 * ms - 5'556'456, {30 * us, 1030 * us}},
        {"small_blocks", "1,500,000 blocks of a warp in 1 ms", 5 * ms - 5 * ms / 32, firstKernel},
        // 32 of 64 warps.
        {"small_blocks", "blocks of a warp that run long", 5 * ms / 2, firstKernel},
        // Five of six.
        // 2 * 4096^3 FLOPs at the 989.4 TFLOP/s of the data sheet.
        {"below_roofline", "products at a seventh of the peak",
            static_cast<Ns>(40 * (1e6 - 2.0 * 4096 * 4096 * 4096 / 989.4e3)), {30 * us, 1030 * us}},
        {"elementwise_chains", "six behind each product", 10 * 500 * us, {1010 * us, 1110 * us}},
        // Four kernels of 100 us, less a tenth of two products.
        {"separate_attention", "a softmax between products", 10 * 380 * us, {210 * us, 310 * us}},
        {"layout_conversions", "around each product", 10 * 200 * us, {1010 * us, 1110 * us}},
        {"memory_fills", "two behind each product", 10 * 200 * us, {1010 * us, 1110 * us}},
        // 1100 blocks in two waves of 1056.
        {"tail_waves", "1.04 waves", 5 * ms - 5 * ms * 1100 / 2112, firstKernel},
        {"low_occupancy", "120 kB of shared memory a block", 0, firstKernel},
        // Tensor cores in 16 bits have 989.5 TFLOPS, the ordinary cores 66.9, of which products reach 60%.
        {"no_tensor_cores", "products in FP32", 5 * ms - 202'851, firstKernel},
        {"no_tensor_cores", "attention in FP32", 5 * ms - 169'042, firstKernel},
        {"tensor_core_share", "products on tensor cores", 0, {-5 * us, 9 * ms + 1}},
        // Half of the lanes of 100 kernels of 100 us.
        {"partial_warps", "16 threads a block", 100 * 50 * us, firstCopy},
        {"too_small", "25 blocks for 4 us", 0, {5 * us, 9 * us}},
        {"top_kernels", "one kernel keeps the GPU busy", 0, {5 * us, 905 * us}},
        // A fifth of 18 ms would do.
        {"gpu_metrics_limits", "few multiprocessors active", 20 * 900 * us * 4 / 5, {0, 19'900 * us}},
        {"gpu_metrics_limits", "memory at its peak", 0, {0, 900 * us}},

        // Several GPUs.
        {"nccl_exposed", "after the kernels", 10 * 4 * ms, {10 * ms, 14 * ms}},
        {"nccl_exposed", "a custom all-reduce after the kernels", 10 * 4 * ms, {10 * ms, 14 * ms}},
        {"collective_wait", "one takes 30 ms, the others 2", 26'500 * us, {210 * ms, 239 * ms}},
        {"collective_wait", "a custom all-reduce takes 30 ms, the others 2", 26'500 * us,
            {210 * ms, 239 * ms}},
        {"pipeline_bubble", "a stage that waits 1.5 ms for each piece", 15 * 1500 * us,
            {2010 * us, 3525 * us}},
        // Five kernels take twice their millisecond.
        {"collective_slows_compute", "twice the time beside a collective", 5 * ms, {22 * ms, 24 * ms}},

        // Steps and the host.
        {"token_times", "prefill and decode steps of a server", 0, {0, 395 * ms}},
        {"nvtx_outlier_steps", "one step ten times slower", 18 * ms, {20 * ms, 40 * ms}},
        // Four whole steps of 4 ms, alone of 2 ms.
        {"shared_gpu", "two processes in turns", 4 * 2 * ms, {11 * ms, 12'100 * us}},
        {"phase_holds_sync", "the optimizer waits", 0, {5 * ms, 10 * ms}},
        // The first lock comes before the first kernel.
        {"cpu_contention", "locks of 300 us", 19 * 300 * us, {ms, 1300 * us}},
        // Between kernels only the last 100 us of each ms are the other thread's.
        {"cpu_contention", "threads in turns", 19 * 100 * us, {110 * us, 19'900 * us}},
        {"cpu_contention", "off the CPU for nothing", 19 * 490 * us, {510 * us, ms}},
        // The longest loop takes 2.25 ms more than the mean of its four.
        {"openmp_imbalance", "one thread has four times the work", 10 * 2250 * us, {us, 4001 * us}},
        // 70 ms of one thread would take four threads 17.5.
        {"serial_phases", "one thread for 70 of 100 ms", 52'500 * us, {0, 70 * ms}},

        // The recording.
        {"failed_calls", "a launch for another GPU", 0, {ms, 2 * ms}},
        {"capture_quality", "kernels and ranges alone", 0, {0, 40 * ms + 1}},
        {"capture_quality", "overhead of the profiler", 0, {ms, 5 * ms}},
        {"credentials_in_report", "a token in the environment", 0, {0, 40 * ms + 1}},
    };
    return list;
}

std::vector<RuleCase> allCases()
{
    std::vector<RuleCase> all;
    for (const auto& cases :
        {copyCases(), idleCases(), kernelCases(), programCases(), memoryCases(), hostCases(), shapeCases()})
        all.insert(all.end(), cases.begin(), cases.end());
    return all;
}

} // namespace

class RuleSavingsTest : public QObject {
    Q_OBJECT

private slots:
    void everyRuleHasAFigure();
    void savesWhatTheDrawingSays_data();
    void savesWhatTheDrawingSays();
};

void RuleSavingsTest::everyRuleHasAFigure()
{
    std::set<std::string_view> rules;
    for (const Expected& expected : expectations())
        rules.insert(expected.rule);
    for (const Rule* const rule : allRules())
        QVERIFY2(rules.contains(rule->id), rule->id.data());
}

void RuleSavingsTest::savesWhatTheDrawingSays_data()
{
    QTest::addColumn<int>("row");
    for (std::size_t i = 0; i < expectations().size(); ++i) {
        const Expected& expected = expectations()[i];
        QTest::newRow((std::string(expected.rule) + ": " + std::string(expected.name)).c_str())
            << static_cast<int>(i);
    }
}

void RuleSavingsTest::savesWhatTheDrawingSays()
{
    QFETCH(int, row);
    const Expected& expected = expectations()[static_cast<std::size_t>(row)];
    const auto cases = allCases();
    const auto drawn = std::ranges::find_if(cases, [&](const RuleCase& each) {
        return each.found && each.rule == expected.rule && each.name == expected.name;
    });
    QVERIFY2(drawn != cases.end(), "no such case");
    DrawnProgram program;
    drawn->draw(program);
    const auto trace = program.finish();
    const std::vector<const Rule*> rule{findRule(expected.rule)};
    const std::vector<Finding> findings = runRules(*trace, trace->session, rule);
    QVERIFY(!findings.empty());
    const Finding& first = findings.front();
    // A rounded share may take the last digit.
    QVERIFY2(first.saving >= expected.saving - 1 && first.saving <= expected.saving + 1,
        qPrintable(QString("saves %1 ns, not %2").arg(first.saving).arg(expected.saving)));
    QVERIFY2(first.once >= expected.once - 1 && first.once <= expected.once + 1,
        qPrintable(QString("%1 ns once, not %2").arg(first.once).arg(expected.once)));
    QCOMPARE(first.where.start, expected.where.start);
    QCOMPARE(first.where.end, expected.where.end);
}

WARPLINE_TEST(RuleSavingsTest)

} // namespace tst_rule_savings

#include "tst_rule_savings.moc"
