// Savings of findings on every available report: at most the GPU's idle time, or its work.

#include "core/analysis/trace_analysis.h"
#include "core/coverage/interval_times.h"
#include "core/findings/rule.h"
#include "core/findings/savings.h"
#include "core/load/load_report.h"
#include "core/render/render.h"
#include "core/store/gpu_names.h"
#include "core/store/trace.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <algorithm>
#include <array>

namespace tst_bounds_hold {

using namespace warpline;
using namespace warpline::test;

namespace {

/// Rules whose saving is only idle time of a GPU.
constexpr std::array<std::string_view, 11> ofIdle{"allocation_in_loop", "launch_bound", "gpu_idle_cause",
    "data_starvation", "gpu_gaps", "gap_functions", "gil", "cpu_contention", "kernel_storm", "short_kernels",
    "cuda_api_sync"};
/// Rules whose saving is work of a GPU.
constexpr std::array<std::string_view, 8> ofWork{"no_tensor_cores", "tiny_grid", "small_blocks",
    "elementwise_chains", "memory_fills", "tail_waves", "partial_warps", "gpu_metrics_limits"};

template <std::size_t count>
bool isOneOf(std::string_view rule, const std::array<std::string_view, count>& rules)
{
    return std::ranges::find(rules, rule) != rules.end();
}

/// Time in which a GPU has work, and in which it has none.
struct Busy {
    Ns busy = 0;
    Ns idle = 0;
};

/// For the GPU of `finding`; without one the maximum of any GPU.
Busy busyFor(const std::vector<std::pair<std::int32_t, Busy>>& gpus, const Finding& finding)
{
    Busy most;
    for (const auto& [number, each] : gpus) {
        if (finding.device < 0 || finding.device == number) {
            most.busy = std::max(most.busy, each.busy);
            most.idle = std::max(most.idle, each.idle);
        }
    }
    return most;
}

QString textOf(const Finding& finding, const Busy& gpu)
{
    return QString("%1: %2 of %3 measured, busy %4, idle %5: %6")
        .arg(QString::fromUtf8(finding.rule.data(), static_cast<qsizetype>(finding.rule.size())))
        .arg(finding.saving)
        .arg(finding.measured)
        .arg(gpu.busy)
        .arg(gpu.idle)
        .arg(plain(finding.title).c_str());
}

} // namespace

class BoundsHoldTest : public QObject {
    Q_OBJECT

private slots:
    void ofEveryReport_data()
    {
        QTest::addColumn<QString>("path");
        const auto paths = reportsBelow(
            {QStringLiteral(WARPLINE_SHARED_REPORTS), QStringLiteral(WARPLINE_SHARED_REPORTS "/../pairs"),
                QStringLiteral(WARPLINE_SOURCE_DIR "/tests/data")});
        for (const std::string& path : paths)
            QTest::newRow(path.c_str()) << QString::fromStdString(path);
        if (paths.empty())
            QTest::newRow("none") << QString();
    }

    void ofEveryReport()
    {
        QFETCH(QString, path);
        if (path.isEmpty())
            QSKIP("no report is there");
        const auto report = loadReport(path.toStdString());
        if (!report.ok())
            QSKIP("cannot be read, as it is meant to be");
        const Trace& trace = *report.value();
        const auto findings = runRules(trace, trace.session);
        TraceAnalysis facts(trace, trace.session, {});
        const TimeRange measured = facts.measuredRange();
        std::vector<std::pair<std::int32_t, Busy>> gpus;
        for (const auto& [key, device] : busyByDevice(trace, facts, measured)) {
            const Ns busy = totalTime(device.busy, measured);
            gpus.emplace_back(key.first, Busy{busy, measured.duration() - busy});
        }
        Ns sum = 0;
        for (const Finding& finding : findings) {
            const Busy gpu = busyFor(gpus, finding);
            QVERIFY2(finding.saving <= measured.duration(), qPrintable(textOf(finding, gpu)));
            QVERIFY2(finding.added <= finding.saving, qPrintable(textOf(finding, gpu)));
            if (isOneOf(finding.rule, ofIdle) && finding.merged.empty())
                QVERIFY2(finding.saving <= gpu.idle, qPrintable(textOf(finding, gpu)));
            if (isOneOf(finding.rule, ofWork) && finding.merged.empty())
                QVERIFY2(finding.saving <= gpu.busy, qPrintable(textOf(finding, gpu)));
            sum += finding.added;
        }
        // A finding placed before more severe ones requires that there are some.
        for (auto finding = findings.begin(); finding != findings.end(); ++finding) {
            if (reasonOf(*finding).empty() || finding->place == FindingPlace::TooSmall)
                continue;
            QVERIFY2(std::any_of(finding, findings.end(),
                         [&](const Finding& later) { return later.severity > finding->severity; }),
                qPrintable(textOf(*finding, busyFor(gpus, *finding))));
        }
        QVERIFY(sum <= measured.duration());
    }
};

WARPLINE_TEST(BoundsHoldTest)

} // namespace tst_bounds_hold

#include "tst_bounds_hold.moc"
