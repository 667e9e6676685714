// HIP's calls are treated like CUDA's: the same trace with either names has the same findings, in the terms
// of each. And what others' traces show then.

#include "core/budget/gpu_budget.h"
#include "core/derive/call_kinds.h"
#include "core/findings/rule.h"
#include "core/overview/overview.h"
#include "core/render/render.h"
#include "tests/core/kineto/kineto_helpers.h"
#include "tests/support/test_program.h"
#include "tests/support/whole_analysis.h"

#include <QTest>

#include <fmt/format.h>

#include <cmath>
#include <map>

namespace tst_hip_calls {

using namespace warpline;
using namespace warpline::test;

class HipCallsTest : public QObject {
    Q_OBJECT

private slots:
    void kindsAreByName();
    void hipAndCudaSayTheSame();
    void allocationIsFirstOfATraceWithoutAPool();
    void codeLoadingIsACauseOfIdleTime();
    void aWaitForTheDeviceIsListed();
};

namespace {

/// The names of the calls of a program in one of the two APIs.
struct Names {
    std::string launch;
    std::string allocate;
    std::string release;
    std::string pin;
    std::string copy;
    std::string synchronize;
    int gridX = 800; ///< extended launches of HIP are given threads
};
const Names hip{"hipExtModuleLaunchKernel", "hipMalloc", "hipFree", "hipHostMalloc", "hipMemcpyWithStream",
    "hipDeviceSynchronize", 800 * 256};
const Names cuda{
    "cudaLaunchKernel", "cudaMalloc", "cudaFree", "cudaHostAlloc", "cudaMemcpy", "cudaDeviceSynchronize"};

/// Rounds of a millisecond that allocate, launch, copy back, wait, and free again while the GPU idles.
QByteArray roundsWith(const Names& names)
{
    std::string events;
    int correlation = 0;
    const auto call = [&](const std::string& name, double start, double duration) {
        events += fmt::format(
            R"({{"ph": "X", "cat": "cuda_runtime", "name": "{}", "pid": 9, "tid": 9, "ts": {:.3f},
 "dur": {:.3f}, "args": {{"correlation": {}}}}},)",
            name, start, duration, ++correlation);
    };
    const auto work = [&](const char* category, const char* name, double start, double duration) {
        events += fmt::format(
            R"({{"ph": "X", "cat": "{}", "name": "{}", "pid": 0, "tid": 0, "ts": {:.3f}, "dur": {:.3f},
 "args": {{"device": 0, "stream": 0, "correlation": {}, "bytes": 8, "grid": [{}, 1, 1], "block": [256, 1, 1]}}}},)",
            category, name, start, duration, correlation, names.gridX);
    };
    for (int i = 0; i < 20; ++i) {
        const double start = 1000.0 * i;
        call(names.allocate, start, 100);
        call(names.pin, start + 100, 50);
        call(names.launch, start + 150, 10);
        work("kernel", "work(float*)", start + 165, 200);
        call(names.copy, start + 170, 220);
        work("gpu_memcpy", "Memcpy DtoH (Device -> Pageable)", start + 370, 10);
        call(names.synchronize, start + 395, 5);
        call(names.release, start + 400, 500);
    }
    events.pop_back();
    return QByteArray::fromStdString(R"({"schemaVersion": 1, "traceEvents": [)" + events + "]}");
}

using Sums = std::map<std::string, Ns>;

/// The findings in the rounds, with their savings, and all their texts in `text`.
Sums findingsOf(const Names& names, std::string& text)
{
    const auto loaded = loadText(roundsWith(names));
    Sums sums;
    if (!loaded.ok())
        return sums;
    for (const Finding& finding : runRules(*loaded.value(), loaded.value()->session)) {
        sums[finding.rule.data()] += finding.saving;
        text += plain(finding.title) + "\n" + plain(finding.message) + "\n" + plain(finding.why) + "\n"
            + plain(finding.remedy) + "\n";
    }
    return sums;
}

/// A trace that another project gave, or an error where it is not there.
Result<std::shared_ptr<const Trace>> loadMade(const char* name)
{
    const std::string path = fmt::format("{}/../traces/rocm/{}.json.gz", WARPLINE_SHARED_REPORTS, name);
    return QFile::exists(QString::fromStdString(path)) ? loadReport(path) : Error{Message("is not there")};
}
#define MADE_OR_SKIP(loaded, name)      \
    const auto loaded = loadMade(name); \
    if (!loaded.ok())                   \
    QSKIP("needs ../shared/traces, which is not there")

double milliseconds(Ns time)
{
    return std::round(static_cast<double>(time) / 1e4) / 100;
}

} // namespace

void HipCallsTest::kindsAreByName()
{
    using enum CallKind;
    const std::map<std::string, CallKind> expected{{"hipLaunchKernel", Launch},
        {"hipExtModuleLaunchKernel", Launch}, {"hipExtLaunchKernel", Launch},
        {"hipModuleLaunchKernel", Launch}, {"hipLaunchCooperativeKernel", Launch}, {"hipGraphLaunch", Launch},
        {"hipLaunchKernel_spt", Launch}, {"hipLaunchHostFunc", Other}, {"hipMemcpyWithStream", Copy},
        {"hipMemcpyDtoHAsync", Copy}, {"hipDrvMemcpy3D", Copy}, {"hipMemsetD8Async", Set},
        {"hipDeviceSynchronize", DeviceSync}, {"hipStreamSynchronize", StreamSync},
        {"hipEventSynchronize", EventSync}, {"hipMalloc", Allocate}, {"hipExtMallocWithFlags", Allocate},
        {"hipMemCreate", Allocate}, {"hipMallocAsync", Other}, {"hipFree", Release}, {"hipFreeAsync", Other},
        {"hipHostMalloc", PinHost}, {"hipHostFree", PinHost}, {"hipHostRegister", PinHost},
        {"hipModuleLoadData", LoadModule}, {"hipModuleLoadDataEx", LoadModule}, {"hipInit", MakeContext},
        {"hipStreamCreateWithPriority", CreateStream}, {"hipStreamDestroy", Handle},
        {"hipEventRecord", Other}, {"hipGetDevicePropertiesR0600", Other}, {"hipblasCreate", Other},
        {"cudaMalloc", Allocate}, {"cuModuleLoadData", LoadModule}, {"custom", Other}};
    for (const auto& [name, kind] : expected)
        QVERIFY2(callKindOf(name) == kind, name.c_str());
}

void HipCallsTest::hipAndCudaSayTheSame()
{
    std::string hipText;
    std::string cudaText;
    const Sums ofHip = findingsOf(hip, hipText);
    const Sums ofCuda = findingsOf(cuda, cudaText);
    QVERIFY(ofCuda.contains("allocation_in_loop"));
    QCOMPARE(ofCuda.at("allocation_in_loop"), 19 * 650'000); // the first round is before the first launch
    QCOMPARE(ofHip, ofCuda);
    for (const Names& names : {hip, cuda})
        QCOMPARE(loadText(roundsWith(names)).value()->kernels().launch(0).grid, (Dim3{800, 1, 1}));
    QVERIFY(hipText.find("hipFree") != std::string::npos);
    for (const char* const foreign : {"cudaMalloc", "cudaFree", "CUDA call", "CUDA C++", "cudaMemcpy"}) {
        QVERIFY2(hipText.find(foreign) == std::string::npos, hipText.c_str());
    }
    for (const char* const foreign : {"hipMalloc", "hipFree", "HIP "})
        QVERIFY2(cudaText.find(foreign) == std::string::npos, cudaText.c_str());
}

void HipCallsTest::allocationIsFirstOfATraceWithoutAPool()
{
    MADE_OR_SKIP(loaded, "ddp_resnet18_no_pool");
    const std::vector<Finding> findings = runRules(*loaded.value(), loaded.value()->session);
    QVERIFY(!findings.empty());
    QCOMPARE(findings.front().rule, std::string_view("allocation_in_loop"));
    // The calls take 2627.87 ms between launches, and longer with those that come once: the GPU is idle in
    // most of that, which is merged.
    const auto& merged = findings.front().merged;
    const auto idle = std::ranges::find(merged, std::string_view("gpu_idle_cause"), &Finding::rule);
    QVERIFY(idle != merged.end());
    QCOMPARE(findings.front().saving, idle->saving);
    QVERIFY(milliseconds(idle->saving) > 2627.87);
}

void HipCallsTest::codeLoadingIsACauseOfIdleTime()
{
    MADE_OR_SKIP(loaded, "normalization_layer_test");
    const Trace& trace = *loaded.value();
    const GpuBudgets budgets(trace);
    QCOMPARE(budgets.gpus().size(), std::size_t{1});
    const Budget budget
        = budgets.gpus().front().within(overviewOf(trace, trace.session).life); // less the start
    QCOMPARE(milliseconds(budget[budgets.parts().idle(IdleCause::CodeLoading)]), 993.34);
    const Message& title = budgets.parts()[budgets.parts().idle(IdleCause::OtherCall)].title;
    QVERIFY(plain(title).find("HIP") != std::string::npos);
}

void HipCallsTest::aWaitForTheDeviceIsListed()
{
    MADE_OR_SKIP(loaded, "resnet_act_checkpoint");
    const Trace& trace = *loaded.value();
    const std::array rules{findRule("cuda_api_sync")};
    const std::vector<Finding> findings = runRules(trace, trace.session, rules);
    QCOMPARE(findings.size(), std::size_t{1});
    QCOMPARE(findings.front().evidence.size(), std::size_t{1});
    QCOMPARE(trace.range(findings.front().evidence.front().event).duration(), 37'854'131);
}

#undef MADE_OR_SKIP

WARPLINE_TEST(HipCallsTest)

} // namespace tst_hip_calls

#include "tst_hip_calls.moc"
