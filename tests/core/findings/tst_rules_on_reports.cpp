// The rules against real reports whose programs are known: what must be found, what must not, and what comes
// first. The comments argue from what each program does. And over every report there is: no rule may crash,
// and every finding must be whole.

#include "core/findings/checklist.h"
#include "core/findings/rule.h"
#include "core/load/load_report.h"
#include "tests/support/report_fixture.h"

#include <QElapsedTimer>
#include <QFileInfo>
#include <QTest>

#include <optional>
#include <set>

using namespace warpline;
using namespace warpline::test;

namespace {

using Ids = std::vector<std::string_view>;

/// What the findings of one report must and must not hold.
struct Expectation {
    const char* report;
    std::string_view first;
    Ids must;
    Ids mustNot;
};

const Ids copyRules{"pageable_copies", "cuda_memcpy_async", "cuda_memcpy_sync", "copy_round_trips",
    "tiny_copies", "copies_not_overlapped", "allocation_in_loop", "sync_per_iteration", "cuda_api_sync"};
// The four streams of its third phase do overlap; it has no steps, no matrix products, one GPU, and sets only
// device memory, which does not block.
const Ids notInCopies{"streams_serialized", "data_starvation", "launch_bound", "kernel_storm",
    "short_kernels", "no_tensor_cores", "nccl_exposed", "collective_wait", "nvtx_outlier_steps",
    "code_loaded_in_loop", "cuda_memset_sync", "phase_holds_sync"};
const Ids notInReduce{"data_starvation", "launch_bound", "kernel_storm", "short_kernels", "no_tensor_cores",
    "nccl_exposed", "collective_wait", "sync_per_iteration", "allocation_in_loop", "copy_round_trips",
    "tiny_copies", "nvtx_outlier_steps", "code_loaded_in_loop"};
const Ids notInGraphs{"launch_bound", "kernel_storm", "short_kernels", "data_starvation",
    "sync_per_iteration", "pageable_copies", "allocation_in_loop", "no_tensor_cores", "nccl_exposed",
    "collective_wait"};

std::vector<Expectation> ofKernelsAndCopies()
{
    return {
        // Copies of 64 MiB from malloc'ed memory, blocking and not; the same buffer to and fro; 500 copies of
        // 256 B; cudaMalloc, cudaMemset and cudaFree in a loop; 50 event waits.
        {"streams", "pageable_copies", copyRules, notInCopies},
        {"streams_metrics", "pageable_copies", copyRules, notInCopies},
        {"streams_sampled", "pageable_copies", copyRules, notInCopies},
        // 400 MB of NumPy memory to the GPU and back; between them a kernel <<<1, 1>>>.
        {"reduce_v1", "pageable_copies", {"pageable_copies", "tiny_grid", "one_time_costs"}, notInReduce},
        // The same from pinned memory. The host fills the array while the GPU, warmed up before, waits.
        {"reduce_v2", "gpu_idle_cause", {"tiny_grid", "copies_not_overlapped"},
            {"pageable_copies", "cuda_memcpy_async", "cuda_memcpy_sync", "streams_serialized",
                "allocation_in_loop", "data_starvation", "launch_bound", "kernel_storm",
                "sync_per_iteration"}},
        // [cuda.stream()] * 4 is one stream.
        {"reduce_v3bug", "streams_serialized", {"streams_serialized", "tiny_grid"},
            {"pageable_copies", "data_starvation", "launch_bound", "kernel_storm", "sync_per_iteration"}},
        // 80,000 kernels of a microsecond from four threads.
        {"storm_80k", "kernel_storm", {"kernel_storm"},
            {"data_starvation", "pageable_copies", "allocation_in_loop", "no_tensor_cores",
                "streams_serialized", "sync_per_iteration"}},
    };
}

std::vector<Expectation> ofTraining()
{
    return {
        // 128 samples of 1 ms each on the launching thread, from memory that is not pinned.
        {"cnn_workers0", "data_starvation", {"data_starvation", "pageable_copies", "kernel_storm"},
            {"streams_serialized", "nccl_exposed", "collective_wait", "copy_round_trips",
                "code_loaded_in_loop"}},
        // Eight workers and pinned memory: the wait shrinks, and a small model's launches show.
        {"cnn_workers8", "data_starvation", {"data_starvation", "launch_bound", "kernel_storm"},
            {"pageable_copies", "nccl_exposed", "collective_wait", "code_loaded_in_loop"}},
        {"cnn_sampled", "data_starvation", {"data_starvation", "launch_bound"},
            {"pageable_copies", "nccl_exposed", "collective_wait", "code_loaded_in_loop"}},
        // 300 rounds of 40 kernels on 4096 numbers, launched one by one ...
        {"launch_eager", "launch_bound", {"launch_bound", "kernel_storm"},
            {"data_starvation", "sync_per_iteration", "pageable_copies", "allocation_in_loop",
                "no_tensor_cores", "nvtx_outlier_steps"}},
        // ... and as one graph a round.
        {"launch_graph", "gpu_idle_cause", {}, notInGraphs},
        {"launch_graph_node", "one_time_costs", {}, notInGraphs},
        // FP32 with TF32 switched off: the matrix products take nearly all of the GPU's time.
        {"bert_fp32", "no_tensor_cores", {"no_tensor_cores"},
            {"launch_bound", "kernel_storm", "data_starvation", "sync_per_iteration", "pageable_copies",
                "nccl_exposed", "collective_wait", "gpu_gaps", "low_occupancy"}},
        // The same under autocast: the GPU is done long before the next launch.
        {"bert_amp", "launch_bound", {"launch_bound", "kernel_storm"},
            {"no_tensor_cores", "data_starvation", "sync_per_iteration", "pageable_copies", "nccl_exposed"}},
        {"bert_metrics", "launch_bound", {"launch_bound", "kernel_storm", "gpu_metrics_limits"},
            {"no_tensor_cores", "data_starvation", "sync_per_iteration", "pageable_copies", "nccl_exposed"}},
        // One token at a time, .item() after each; attention compiled for each length; the weights moved from
        // pageable memory.
        {"decode", "code_loaded_in_loop",
            {"code_loaded_in_loop", "launch_bound", "kernel_storm", "sync_per_iteration", "pageable_copies"},
            {"data_starvation", "no_tensor_cores", "nccl_exposed", "collective_wait"}},
        // DistributedDataParallel overlaps with backward; FP32 products; torch.randn of two million numbers
        // on
        // the launching thread in data_load.
        {"ddp_overlap_rank0", "no_tensor_cores", {"no_tensor_cores", "data_starvation", "nccl_exposed"},
            {"collective_wait", "pageable_copies", "kernel_storm", "sync_per_iteration", "launch_bound"}},
        {"ddp_overlap_rank1", "no_tensor_cores", {"no_tensor_cores", "nccl_exposed"},
            {"pageable_copies", "kernel_storm", "sync_per_iteration", "launch_bound"}},
        // Rank 1 sleeps 20 ms in data_load: its GPU waits for data, rank 0's inside the all-reduce.
        {"ddp_straggler_rank0", "no_tensor_cores", {"nccl_exposed", "collective_wait", "no_tensor_cores"},
            {"data_starvation", "pageable_copies", "kernel_storm", "launch_bound"}},
        {"ddp_straggler_rank1", "no_tensor_cores", {"data_starvation", "no_tensor_cores"},
            {"collective_wait", "pageable_copies", "kernel_storm", "launch_bound"}},
        // Both ranks and their start, at which the weights come from pageable memory.
        {"ddp_2gpu", "no_tensor_cores",
            {"no_tensor_cores", "data_starvation", "collective_wait", "nccl_exposed", "pageable_copies"},
            {"kernel_storm", "launch_bound", "memory_growth"}},
    };
}

std::vector<Expectation> expectations()
{
    std::vector<Expectation> all = ofKernelsAndCopies();
    const std::vector<Expectation> training = ofTraining();
    all.insert(all.end(), training.begin(), training.end());
    return all;
}

std::shared_ptr<const Trace> load(const std::string& path)
{
    auto trace = loadReport(path);
    return trace.ok() ? trace.take() : nullptr;
}

TimeRange wholeOf(const Trace& trace)
{
    return {trace.session.start, trace.session.end + 1};
}

/// The findings with those that were merged into them.
std::vector<Finding> flattened(const std::vector<Finding>& findings)
{
    std::vector<Finding> all;
    for (const Finding& finding : findings) {
        all.push_back(finding);
        for (const Finding& inner : flattened(finding.merged))
            all.push_back(inner);
    }
    return all;
}

std::optional<Finding> find(const std::vector<Finding>& findings, std::string_view rule)
{
    for (const Finding& finding : flattened(findings)) {
        if (finding.rule == rule)
            return finding;
    }
    return std::nullopt;
}

/// What the rules find in the shared report `name`; nothing where that report is not there.
std::vector<Finding> findingsIn(const std::string& name)
{
    const auto trace = load(sharedReport(name));
    return trace ? runRules(*trace, wholeOf(*trace)) : std::vector<Finding>();
}

/// The shared report whose path ends with `end`; empty when it is not there.
std::string sharedReportAt(const std::string& end)
{
    for (const std::string& path : sharedReports()) {
        if (path.ends_with(end))
            return path;
    }
    return {};
}

/// Why `finding` is not whole; empty: it is.
std::string faultOf(const Finding& finding, TimeRange window)
{
    if (finding.title.empty() || finding.message.empty() || finding.why.empty() || finding.remedy.empty())
        return "a text is missing";
    if (finding.title.find(" 0 ns") != std::string::npos)
        return "a cost of nothing: " + finding.title;
    if (finding.saving < 0 || finding.saving > window.duration())
        return "saves more than there is: " + finding.title;
    if (!findRule(finding.rule))
        return "of no rule: " + finding.title;
    if (finding.evidenceTotal > 0 && finding.evidence.empty())
        return "counts evidence that it does not show: " + finding.title;
    if (!window.touches(finding.where.start, finding.where.end) && finding.evidenceTotal > 0)
        return "leads out of the window: " + finding.title;
    for (const Evidence& proof : finding.evidence) {
        const bool outside = !window.touches(proof.range.start, proof.range.end);
        // Diagnostics are stamped by the profiler, also before the first event.
        if (outside && finding.rule != "capture_quality")
            return "evidence out of the window: " + finding.title;
    }
    return {};
}

} // namespace

class RulesOnReportsTest : public QObject {
    Q_OBJECT

private slots:
    void findsWhatThePrograms_data();
    void findsWhatThePrograms();
    void workersShortenTheWaitForData();
    void overlapLeavesLittleExposed();
    void stragglerMakesTheOtherRankWait();
    void countsTheRoundTripsOfTheSource();
    void graphReplaysAreNoOutliers();
    void pipelineStagesAreNoCollectives();
    void tensorCoresAreNamedByType();
    void findingsAreWhole_data();
    void findingsAreWhole();
    void stopsWhenAsked();
};

void RulesOnReportsTest::findsWhatThePrograms_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<int>("row");
    const auto all = expectations();
    for (std::size_t i = 0; i < all.size(); ++i) {
        const std::string own = std::string(WARPLINE_TEST_DATA "/reports/") + all[i].report + ".sqlite";
        if (QFileInfo::exists(QString::fromStdString(own)))
            QTest::newRow(("own " + std::string(all[i].report)).c_str())
                << QString::fromStdString(own) << static_cast<int>(i);
        QTest::newRow(all[i].report) << QString::fromStdString(sharedReport(all[i].report))
                                     << static_cast<int>(i);
    }
}

void RulesOnReportsTest::findsWhatThePrograms()
{
    QFETCH(QString, path);
    QFETCH(int, row);
    if (path.isEmpty())
        QSKIP("needs ../shared/reports/h200, which is not there");
    const Expectation expected = expectations()[static_cast<std::size_t>(row)];
    const auto trace = load(path.toStdString());
    QVERIFY(trace);
    const std::vector<Finding> findings = runRules(*trace, wholeOf(*trace));
    QVERIFY(!findings.empty());
    QCOMPARE(findings.front().rule, expected.first);
    for (const std::string_view rule : expected.must)
        QVERIFY2(find(findings, rule), ("missing: " + std::string(rule)).c_str());
    for (const std::string_view rule : expected.mustNot) {
        const auto wrong = find(findings, rule);
        QVERIFY2(!wrong, wrong ? (std::string(rule) + ": " + wrong->title).c_str() : "");
    }
}

void RulesOnReportsTest::workersShortenTheWaitForData()
{
    const auto alone = find(findingsIn("cnn_workers0"), "data_starvation");
    const auto helped = find(findingsIn("cnn_workers8"), "data_starvation");
    if (!alone && sharedReport("cnn_workers0").empty())
        QSKIP("needs ../shared/reports/h200, which is not there");
    QVERIFY(alone && helped);
    // 30 and 60 steps. 128 samples of 1.06 ms sleep and transform each: some 145 ms a step.
    const Ns each = alone->saving / 30;
    QVERIFY2(each > 135'000'000 && each < 155'000'000, std::to_string(each).c_str());
    const double ratio = static_cast<double>(each) / (static_cast<double>(helped->saving) / 60);
    QVERIFY2(ratio > 7 && ratio < 16, std::to_string(ratio).c_str());
}

void RulesOnReportsTest::overlapLeavesLittleExposed()
{
    const auto found = find(findingsIn("ddp_overlap_rank0"), "nccl_exposed");
    if (!found && sharedReport("ddp_overlap_rank0").empty())
        QSKIP("needs ../shared/reports/h200, which is not there");
    QVERIFY(found);
    QVERIFY(found->severity <= Severity::Low);
    QVERIFY(found->saving < 5'000'000); // of the 55 ms that NCCL runs
}

void RulesOnReportsTest::stragglerMakesTheOtherRankWait()
{
    const auto waits = find(findingsIn("ddp_straggler_rank0"), "collective_wait");
    const auto starves = find(findingsIn("ddp_straggler_rank1"), "data_starvation");
    if (!waits && sharedReport("ddp_straggler_rank0").empty())
        QSKIP("needs ../shared/reports/h200, which is not there");
    QVERIFY(waits && starves);
    QCOMPARE(waits->severity, Severity::High);
    QVERIFY(starves->saving / 6 > 20'000'000); // it sleeps 20 ms in each of six steps
}

void RulesOnReportsTest::countsTheRoundTripsOfTheSource()
{
    // Seven between eight rounds, twice; one from the first phase to the second; and seven between eight
    // rounds in each of four streams.
    const auto trace = load(WARPLINE_TEST_DATA "/reports/streams.sqlite");
    QVERIFY(trace);
    const auto found = find(runRules(*trace, wholeOf(*trace)), "copy_round_trips");
    QVERIFY(found);
    QCOMPARE(found->evidenceTotal, std::uint64_t{7 + 1 + 7 + 4 * 7});
    QVERIFY(found->severity <= Severity::Medium); // the report does not say which buffer a copy reads
}

void RulesOnReportsTest::graphReplaysAreNoOutliers()
{
    for (const char* const name : {"launch_graph", "launch_graph_node"}) {
        const auto findings = findingsIn(name);
        if (findings.empty() && sharedReport(name).empty())
            QSKIP("needs ../shared/reports/h200, which is not there");
        // The first launch of a graph uploads it. Replays of 20 us vary by more than half.
        for (const Finding& finding : flattened(findings))
            QVERIFY2(finding.rule != "nvtx_outlier_steps" || finding.severity == Severity::Info,
                finding.title.c_str());
    }
}

void RulesOnReportsTest::pipelineStagesAreNoCollectives()
{
    const std::string waiting = sharedReportAt("/pipe_rank0.sqlite");
    const std::string bounding = sharedReportAt("/pipe_rank1.sqlite");
    if (waiting.empty() || bounding.empty())
        QSKIP("needs ../shared/reports/h200-more, which is not there");
    // Stage 1 has three times the layers: stage 0 spends 500.1 ms in 64 sends and receives, of which the
    // fastest take 14.4 us.
    const auto findings = runRules(*load(waiting), wholeOf(*load(waiting)));
    const auto bubble = find(findings, "pipeline_bubble");
    QVERIFY(bubble);
    QCOMPARE(bubble->severity, Severity::High);
    QVERIFY(bubble->saving > 490'000'000 && bubble->saving < 500'090'240);
    QVERIFY(bubble->message.find("in receives") != std::string::npos);
    QVERIFY(!find(findings, "collective_wait"));
    QVERIFY(!find(findings, "nccl_exposed"));
    for (const Finding& finding : flattened(findings))
        QVERIFY2(finding.remedy.find("shard") == std::string::npos, finding.remedy.c_str());
    const auto other = find(runRules(*load(bounding), wholeOf(*load(bounding))), "pipeline_bubble");
    QVERIFY(other);
    QCOMPARE(other->severity, Severity::Info);
    QVERIFY(other->title.find("bounds the pipeline") != std::string::npos);
}

void RulesOnReportsTest::tensorCoresAreNamedByType()
{
    const std::string doubles = sharedReportAt("/libraries.sqlite");
    const std::string halves = sharedReportAt("/llama_bf16.sqlite");
    if (doubles.empty() || halves.empty())
        QSKIP("needs ../shared/reports/h200-more, which is not there");
    const auto inDouble = runRules(*load(doubles), wholeOf(*load(doubles)));
    QVERIFY(!find(inDouble, "no_tensor_cores"));
    const auto fp64 = find(inDouble, "tensor_core_share");
    QVERIFY(fp64 && fp64->title.find("FP64") != std::string::npos);
    const auto bf16 = find(runRules(*load(halves), wholeOf(*load(halves))), "tensor_core_share");
    QVERIFY(bf16 && bf16->title.find("BF16") != std::string::npos);
}

void RulesOnReportsTest::findingsAreWhole_data()
{
    QTest::addColumn<QString>("path");
    for (const char* const name : {"bert_fp32", "ddp_overlap_rank0", "streams"})
        QTest::newRow((std::string("own ") + name).c_str())
            << QString(WARPLINE_TEST_DATA "/reports/") + name + ".sqlite";
    for (const std::string& path : sharedReports())
        QTest::newRow(QFileInfo(QString::fromStdString(path)).fileName().toUtf8().constData())
            << QString::fromStdString(path);
}

void RulesOnReportsTest::findingsAreWhole()
{
    QFETCH(QString, path);
    const auto trace = load(path.toStdString());
    if (!trace)
        QSKIP("the report cannot be read");
    const TimeRange whole = wholeOf(*trace);
    QElapsedTimer timer;
    timer.start();
    const std::vector<Finding> findings = runRules(*trace, whole);
    qInfo("%lld ms for %zu findings in %llu events", static_cast<long long>(timer.elapsed()), findings.size(),
        static_cast<unsigned long long>(trace->eventCount()));
    for (std::size_t i = 1; i < findings.size(); ++i)
        QVERIFY(findings[i - 1].severity >= findings[i].severity);
    const Ns third = whole.duration() / 3;
    for (const TimeRange window : {whole, TimeRange{whole.start + third, whole.start + 2 * third}}) {
        for (const Finding& finding : flattened(window == whole ? findings : runRules(*trace, window))) {
            const std::string fault = faultOf(finding, window);
            QVERIFY2(fault.empty(), (std::string(finding.rule) + ": " + fault).c_str());
        }
        const auto answers = answerChecklist(*trace, window);
        QCOMPARE(answers.size(), std::size_t{5});
        for (const ChecklistAnswer& answer : answers) {
            QVERIFY(!answer.explanation.empty());
            QCOMPARE(answer.figure.empty(), answer.answer == Answer::NotRecorded);
            QVERIFY(
                answer.over.empty() || (answer.over.start >= window.start && answer.over.end <= window.end));
        }
    }
}

void RulesOnReportsTest::stopsWhenAsked()
{
    const auto trace = load(WARPLINE_TEST_DATA "/reports/streams.sqlite");
    QVERIFY(trace);
    std::stop_source source;
    source.request_stop();
    QVERIFY(runRules(*trace, wholeOf(*trace), {}, {}, source.get_token()).empty());
}

QTEST_APPLESS_MAIN(RulesOnReportsTest)
#include "tst_rules_on_reports.moc"
