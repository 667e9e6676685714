// The rules on real reports of known programs: required findings, forbidden ones, and the order. The comments
// argue from the programs' behaviour. And on every report: no rule may crash, and every finding must be
// complete.

#include "core/base/format.h"
#include "core/base/rounded.h"
#include "core/findings/checklist.h"
#include "core/findings/finding_order.h"
#include "core/findings/rule.h"
#include "core/findings/savings.h"
#include "core/load/load_report.h"
#include "core/render/render.h"
#include "core/store/place_names.h"
#include "core/store/trace.h"
#include "tests/core/findings/flattened.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"
#include "tests/support/whole_analysis.h"

#include <QElapsedTimer>
#include <QFileInfo>
#include <QRegularExpression>
#include <QTest>

#include <array>
#include <cmath>
#include <optional>
#include <set>

namespace tst_rules_on_reports {

using namespace warpline;
using namespace warpline::test;

namespace {

using Ids = std::vector<std::string_view>;

/// Required and forbidden findings of one report.
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
        // 400 MB of NumPy memory to the GPU and back, with a kernel <<<1, 1>>> in between. Numba compiles
        // each of three kernels at its first launch, 1.54 of 1.63 s: it loads libNVVM and queries the driver
        // for the GPU's version.
        {"reduce_v1", "one_time_costs", {"pageable_copies", "tiny_grid"}, notInReduce},
        // The same from pinned memory. The host fills the array while the GPU, warmed up before, waits.
        {"reduce_v2", "host_outside", {"one_time_costs", "tiny_grid", "copies_not_overlapped"},
            {"pageable_copies", "cuda_memcpy_async", "cuda_memcpy_sync", "streams_serialized",
                "allocation_in_loop", "data_starvation", "launch_bound", "kernel_storm",
                "sync_per_iteration"}},
        // [cuda.stream()] * 4 is one stream. Compilation before the first rounds takes twelve times all other
        // savings.
        {"reduce_v3bug", "one_time_costs", {"streams_serialized", "tiny_grid"},
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
        {"launch_graph", "capture_quality", {}, notInGraphs},
        // No other large costs: 4 blocks on 132 multiprocessors, 12,000 times, are the program itself.
        {"launch_graph_node", "too_small", {}, notInGraphs},
        // FP32 with TF32 switched off: the matrix products take nearly all of the GPU's time.
        {"bert_fp32", "no_tensor_cores", {"no_tensor_cores"},
            {"launch_bound", "kernel_storm", "data_starvation", "sync_per_iteration", "pageable_copies",
                "nccl_exposed", "collective_wait", "gpu_gaps", "low_occupancy"}},
        // The same under autocast: the GPU is done long before the next launch.
        {"bert_amp", "launch_bound", {"launch_bound", "kernel_storm"},
            {"no_tensor_cores", "data_starvation", "sync_per_iteration", "pageable_copies", "nccl_exposed"}},
        {"bert_metrics", "launch_bound", {"launch_bound", "kernel_storm"},
            {"no_tensor_cores", "data_starvation", "sync_per_iteration", "pageable_copies", "nccl_exposed"}},
        // One token at a time, .item() after each; attention compiled for each length; the weights moved from
        // pageable memory.
        {"decode", "code_loaded_in_loop",
            {"code_loaded_in_loop", "launch_bound", "kernel_storm", "sync_per_iteration", "pageable_copies"},
            {"data_starvation", "no_tensor_cores", "nccl_exposed", "collective_wait"}},
        // DistributedDataParallel overlaps with backward; FP32 products; torch.randn of two million numbers
        // on
        // the launching thread in data_load.
        {"ddp_overlap_rank0", "data_starvation", {"no_tensor_cores", "data_starvation", "nccl_exposed"},
            {"collective_wait", "pageable_copies", "kernel_storm", "sync_per_iteration", "launch_bound"}},
        {"ddp_overlap_rank1", "no_tensor_cores", {"no_tensor_cores", "nccl_exposed"},
            {"pageable_copies", "kernel_storm", "sync_per_iteration", "launch_bound"}},
        // Rank 1 sleeps 20 ms in data_load: its GPU waits for data, rank 0's inside the all-reduce.
        {"ddp_straggler_rank0", "no_tensor_cores", {"nccl_exposed", "collective_wait", "no_tensor_cores"},
            {"data_starvation", "pageable_copies", "kernel_storm", "launch_bound"}},
        {"ddp_straggler_rank1", "data_starvation", {"data_starvation", "no_tensor_cores"},
            {"collective_wait", "pageable_copies", "kernel_storm", "launch_bound"}},
        // Both ranks and their start, at which the weights come from pageable memory.
        {"ddp_2gpu", "data_starvation",
            {"no_tensor_cores", "data_starvation", "collective_wait", "nccl_exposed", "pageable_copies"},
            {"kernel_storm", "launch_bound", "memory_growth"}},
    };
}

std::vector<Expectation> ofMore()
{
    return {
        // 64 images made on the launching thread and a sleep of 50 ms, in a range named load, in each
        // iteration.
        {"h200-more/vit", "data_starvation", {"data_starvation", "launch_bound", "pageable_copies"},
            {"nccl_exposed", "repeated_uploads", "data_region_in_loop", "copy_bound", "partial_warps"}},
        // The host writes and reads the kernel's data: the pages go to and fro.
        {"h200-more/um", "unified_memory_faults", {"unified_memory_faults"},
            {"launch_bound", "kernel_storm", "data_starvation", "pageable_copies"}},
        // Eight threads; the first eight iterations of a static loop, all of one thread, are four times as
        // long.
        {"h200-more/openmp", "openmp_imbalance", {"openmp_imbalance"}, {"gpu_idle_cause"}},
        // Small kernels of a fused optimizer and bfloat16 layers, launched one by one.
        {"h200-more/llama_bf16", "launch_bound", {"launch_bound"},
            {"no_tensor_cores", "data_starvation", "pageable_copies", "repeated_uploads"}},
        {"h200-more/fsdp_rank0", "launch_bound", {"launch_bound", "gpu_idle_cause"},
            {"pageable_copies", "repeated_uploads"}},
        // A slow loader; Python's lock is traced and no thread waits for it.
        {"h200-more/cnn_gil", "data_starvation", {"data_starvation", "gil"}, {"repeated_uploads"}},
        // Rank 0 sleeps 12 ms a step in checkpoint_io: rank 1 waits for it inside the next collective.
        {"h200-more/fsdp_rank1", "collective_wait", {"collective_wait", "nccl_exposed"},
            {"data_starvation", "pageable_copies", "repeated_uploads"}},
        // Like ddp_straggler, with payloads: rank 1 sleeps in data_load, rank 0 waits inside the all-reduce.
        {"h200-more/ddp_json_rank0", "no_tensor_cores",
            {"no_tensor_cores", "nccl_exposed", "collective_wait"},
            {"data_starvation", "pageable_copies", "kernel_storm", "launch_bound"}},
        {"h200-more/ddp_json_rank1", "data_starvation", {"data_starvation", "no_tensor_cores"},
            {"collective_wait", "pageable_copies", "kernel_storm", "launch_bound"}},
        // A graph and cudaDeviceSynchronize() for each token: the kernels of the graph are no launches.
        {"h200-more/graph_nvtx", "sync_per_iteration", {"sync_per_iteration"},
            {"launch_bound", "kernel_storm", "data_starvation"}},
        // 8 blocks on a GPU of 132 multiprocessors, in pairs that overlap.
        {"h200-more/pdl", "tiny_grid", {"tiny_grid"},
            {"launch_bound", "data_starvation", "streams_serialized", "pageable_copies"}},
    };
}

/// Exports that other people made public: see the reviews' evidence.
std::vector<Expectation> ofPublic()
{
    const char* const clover
        = "public/hpcgroup__pipit__pipit_tests_data_cloverleaf-nsys_perlmutter-cloverleaf-cuda";
    return {
        // Fan2 <<<(1024, 1024), (4, 4)>>> takes 97% of the time.
        // Blocks of 4x4 threads start at 0.98 a clock cycle: larger ones save more than full warps.
        {"public/kmcho2019__Rodinia_3.1_Gaussian__report2", "small_blocks",
            {"small_blocks", "partial_warps", "top_kernels"}, {"unified_memory_faults", "data_starvation"}},
        // Copies of pageable memory, 9.391 ms without a concurrent kernel and 10.868 ms of their calls in
        // which the GPU idles (by SQL); and cudaDeviceSynchronize after each of 1,312 kernels: 28 ms of gaps.
        {clover, "sync_per_iteration", {"pageable_copies", "sync_per_iteration", "launch_bound"},
            {"data_starvation"}},
        // 50 target regions, each with two arrays of 512 MB in and out.
        {"public/RajaATAli__SC23_Programming-Your-GPU-with-OpenMP_Tutorial__report3", "data_region_in_loop",
            {"data_region_in_loop", "pageable_copies"}, {"data_starvation"}},
        // A row is allocated, copied and filled, 1,948 times.
        {"public/PolPuigPuy__OpenACC_Project_PolPuig__report12", "data_region_in_loop",
            {"data_region_in_loop", "launch_bound", "kernel_storm", "tiny_copies", "allocation_in_loop"}, {}},
        // 25.5 GB to each GPU in a second, 2.3% of it kernels.
        {"public/GindaChen__nsys-ai__tests_fixtures_h100_2gpu_1s__3dc0af94", "copy_bound", {"copy_bound"},
            {}},
    };
}

std::vector<Expectation> expectations()
{
    std::vector<Expectation> all = ofKernelsAndCopies();
    for (const auto& more : {ofTraining(), ofMore(), ofPublic()})
        all.insert(all.end(), more.begin(), more.end());
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

/// The findings of the shared report `name`; nothing where it is missing.
std::vector<Finding> findingsIn(const std::string& name)
{
    const auto trace = load(sharedReport(name));
    return trace ? runRules(*trace, wholeOf(*trace)) : std::vector<Finding>();
}

/// The shared report whose path ends with `end`; empty when it is missing.
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
    if (plain(finding.title).find(" 0 ns") != std::string::npos)
        return "a cost of nothing: " + plain(finding.title);
    if (finding.saving < 0 || finding.saving > window.duration() || finding.saving > finding.measured)
        return "saves more than there is: " + plain(finding.title);
    if (finding.added < 0 || finding.added > finding.saving || finding.once < 0)
        return "its savings do not fit: " + plain(finding.title);
    if (!findRule(finding.rule))
        return "of no rule: " + plain(finding.title);
    if (finding.evidenceTotal > 0 && finding.evidence.empty())
        return "counts evidence that it does not show: " + plain(finding.title);
    if (!window.touches(finding.where.start, finding.where.end) && finding.evidenceTotal > 0)
        return "leads out of the window: " + plain(finding.title);
    for (const Evidence& proof : finding.evidence) {
        const bool outside = !window.touches(proof.range.start, proof.range.end);
        // Diagnostics are stamped by the profiler, also before the first event.
        if (outside && finding.rule != "capture_quality")
            return "evidence out of the window: " + plain(finding.title);
    }
    return {};
}

/// A finding that contradicts the checklist, or that lacks its process where several processes use GPUs.
std::string contradictionOf(
    const Trace& trace, const std::vector<Finding>& findings, const std::vector<ChecklistAnswer>& answers)
{
    std::set<std::uint32_t> pids;
    for (const Track& track : trace.kernels().tracks)
        pids.insert(pidOf(track.owner));
    for (const Finding& finding : flattened(findings)) {
        if (finding.rule == "gpu_time_util" && answers.front().answer == Answer::Yes)
            return "the checklist says yes: " + plain(finding.title);
        // The cost of waits has one definition: no rule exceeds the checklist, except for the edges.
        const ChecklistAnswer& waits = answers.at(3);
        const bool isWait = finding.rule == "sync_per_iteration" || finding.rule == "cuda_api_sync";
        // A bound from merged findings (copies of values, launches) is not only about waits.
        const bool isOfMerged = std::ranges::any_of(finding.merged,
            [&](const Finding& each) { return each.rule != finding.rule && each.saving == finding.saving; });
        if (isWait && !isOfMerged && isJudged(waits.answer)
            && static_cast<double>(finding.saving)
                > (waits.percent / 100 + 0.01) * static_cast<double>(finding.measured))
            return "waits cost more than the checklist says: " + plain(finding.title);
        if (pids.size() > 1 && finding.process != 0
            && plain(finding.title).find(plain(processLabel(trace, finding.process))) == std::string::npos)
            return "of whose process: " + plain(finding.title);
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
    void ranksOfMpiAreToldApart();
    void missingPagesTakeTheKernelsTime();
    void idleTimeIsNamedByTheProgramsRange();
    void theLockIsNotTheCause();
    void unevenLoopsCostTheirExcess();
    void repeatedUploadsOfKMeans();
    void startUpIsToldApart();
    void smallProblemsAreCalledSmall();
    void samplesNameTheFunctionInTheGaps();
    void blocksOfSixteenThreadsWasteHalf();
    void collectivesAreOfTheSteadySteps();
    void ncuFindsTheLongestLaunch();
    void longLaunchesAreTold();
    void threadsAreToldApart();
    void ranksOfOneReportAreOneFinding();
    void errorsOfCallsComeFirst();
    void copiesCountByTheirExposedTime();
    void graphsHideTheirKernels();
    void aProcessStartsOnce();
    void loadersThatItTakesAreCounted();
    void compilingIsCalledSo();
    void aCopyFarSlowerThanItsLikeIsTold();
    void theCallThatMakesTheContextIsToldOnce();
    void sleepingIsNoComputing();
    void loadingIsPaidOnce();
    void metricsAreOfWholeSamples();
    void pagesHaveNoStream();
    void lostWorkIsNotAbsent();
    void rowsOfAnArrayAreNoRegions();
    void allToAllIsNoPipeline();
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
        QSKIP("needs a report of ../shared/reports that is not there");
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
        QVERIFY2(!wrong, wrong ? (std::string(rule) + ": " + plain(wrong->title)).c_str() : "");
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
    // This rank alone gives a lower bound, a third of the value from both.
    QVERIFY(waits->severity >= Severity::Medium);
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
    QVERIFY(found->severity <= Severity::Medium); // the buffer that a copy reads is not recorded
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
                plain(finding.title).c_str());
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
    QVERIFY(plain(bubble->message).find("in receives") != std::string::npos);
    QVERIFY(!find(findings, "collective_wait"));
    QVERIFY(!find(findings, "nccl_exposed"));
    for (const Finding& finding : flattened(findings))
        QVERIFY2(plain(finding.remedy).find("shard") == std::string::npos, plain(finding.remedy).c_str());
    const auto other = find(runRules(*load(bounding), wholeOf(*load(bounding))), "pipeline_bubble");
    QVERIFY(other);
    QCOMPARE(other->severity, Severity::Info);
    QVERIFY(plain(other->title).find("bounds the pipeline") != std::string::npos);
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
    QVERIFY(fp64 && plain(fp64->title).find("FP64") != std::string::npos);
    const auto bf16 = find(runRules(*load(halves), wholeOf(*load(halves))), "tensor_core_share");
    QVERIFY(bf16 && plain(bf16->title).find("BF16") != std::string::npos);
}

void RulesOnReportsTest::ranksOfMpiAreToldApart()
{
    // MPI's part of the gaps inside the steady steps, in ms, computed from the tables in Python.
    constexpr std::array<double, 8> inMpi{134.7, 162.6, 154.5, 19.4, 163.8, 164.2, 164.7, 159.1};
    for (std::size_t rank = 0; rank < inMpi.size(); ++rank) {
        const std::string name = "h200-more/halo8/rank" + std::to_string(rank);
        if (sharedReport(name).empty())
            QSKIP("needs ../shared/reports/h200-more/halo8, which is not there");
        const auto findings = findingsIn(name);
        QVERIFY(!findings.empty());
        std::optional<Finding> mpi;
        for (const Finding& finding : flattened(findings)) {
            if (plain(finding.title).find("waits in MPI: ") != std::string::npos)
                mpi = finding;
        }
        QVERIFY(mpi);
        const double ms = static_cast<double>(mpi->saving) / 1e6;
        QVERIFY2(std::abs(ms - inMpi.at(rank)) < 0.03 * inMpi.at(rank) + 1,
            (name + ": " + std::to_string(ms)).c_str());
        // The late rank shows what it does; the others show that they wait.
        const std::string expected = rank == 3 ? " per step in assemble" : "waits in MPI: ";
        QVERIFY2(plain(findings.front().title).find(expected) != std::string::npos,
            plain(findings.front().title).c_str());
    }
}

void RulesOnReportsTest::missingPagesTakeTheKernelsTime()
{
    const std::string path = sharedReport("h200-more/um");
    if (path.empty())
        QSKIP("needs ../shared/reports/h200-more/um, which is not there");
    const auto found = find(findingsIn("h200-more/um"), "unified_memory_faults");
    QVERIFY(found);
    // The kernels that fault, by SQL: those that overlap a group of faults.
    const long long faulting = sqlInteger(path,
        "SELECT sum(k.end - k.start) FROM CUPTI_ACTIVITY_KIND_KERNEL k WHERE EXISTS (SELECT 1 FROM "
        "CUDA_UM_GPU_PAGE_FAULT_EVENTS f WHERE f.start < k.end AND f.end > k.start)");
    QVERIFY(faulting > 36'000'000);
    // And the host, which reads the result twice before the GPU's last work: from each CPU fault to the end
    // of the last migration before the next one, 14.53 ms over all three rounds, in Python.
    const Ns both = found->saving;
    QVERIFY2(
        both > faulting * 99 / 100 + 9'000'000 && both < faulting + 10'000'000, std::to_string(both).c_str());
    QVERIFY2(plain(found->message).find("12.9 ms") != std::string::npos, plain(found->message).c_str());
    QVERIFY2(plain(found->message).find("56.7 ") != std::string::npos, plain(found->message).c_str());
    QVERIFY2(plain(found->message).find("Thrashing") != std::string::npos, plain(found->message).c_str());
    for (const char* const word : {"cudaMemPrefetchAsync", "cudaMemAdvise", "acc enter data", "omp target"})
        QVERIFY(plain(found->remedy).find(word) != std::string::npos);
    std::optional<Finding> fetching;
    for (const Finding& finding : found->merged) {
        if (plain(finding.title).find("waits for pages of unified memory") != std::string::npos)
            fetching = finding;
    }
    QVERIFY(fetching);
    QVERIFY2(
        plain(fetching->title).find(": host read ") != std::string::npos, plain(fetching->title).c_str());
    QVERIFY2(fetching->saving > 9'000'000 && fetching->saving < 10'000'000,
        std::to_string(fetching->saving).c_str());
}

void RulesOnReportsTest::idleTimeIsNamedByTheProgramsRange()
{
    const auto findings = findingsIn("h200-more/fsdp_rank0");
    if (findings.empty())
        QSKIP("needs ../shared/reports/h200-more/fsdp_rank0, which is not there");
    const auto idle = find(findings, "gpu_idle_cause");
    QVERIFY(idle);
    // It sleeps 12 ms in each of eight steps.
    QVERIFY2(plain(idle->title).find(" per step in checkpoint_io") != std::string::npos,
        plain(idle->title).c_str());
}

void RulesOnReportsTest::theLockIsNotTheCause()
{
    const auto findings = findingsIn("h200-more/cnn_gil");
    if (findings.empty())
        QSKIP("needs ../shared/reports/h200-more/cnn_gil, which is not there");
    const auto lock = find(findings, "gil");
    QVERIFY(lock);
    QCOMPARE(lock->severity, Severity::Info);
    QCOMPARE(lock->saving, Ns{0});
    QVERIFY2(plain(lock->title).find("not the cause") != std::string::npos, plain(lock->title).c_str());
    // 1.2 ms in the steady steps, computed from the ranges in Python.
    QVERIFY2(plain(lock->title).find("waits 1.") != std::string::npos, plain(lock->title).c_str());
}

void RulesOnReportsTest::unevenLoopsCostTheirExcess()
{
    const std::string path = sharedReport("h200-more/openmp");
    if (path.empty())
        QSKIP("needs ../shared/reports/h200-more/openmp, which is not there");
    const auto found = find(findingsIn("h200-more/openmp"), "openmp_imbalance");
    QVERIFY(found);
    const long long excess = sqlInteger(path,
        "SELECT sum(most - mean) FROM (SELECT max(end - start) AS most, avg(end - start) AS mean FROM "
        "OPENMP_EVENT_KIND_WORKSHARE w JOIN StringIds s ON s.id = w.nameId WHERE s.value = 'Loop Region' "
        "GROUP BY parallelId HAVING most >= 1.5 * mean)");
    QVERIFY(excess > 0);
    QVERIFY2(std::abs(found->saving - excess) < excess / 50,
        (std::to_string(found->saving) + " " + std::to_string(excess)).c_str());
    QCOMPARE(found->evidenceTotal, std::uint64_t{20}); // rounds
}

/// 145 ms of loading and 7 ms of everything else: four workers would leave most of it.
void RulesOnReportsTest::loadersThatItTakesAreCounted()
{
    const auto findings = findingsIn("cnn_workers0");
    if (findings.empty())
        QSKIP("needs ../shared/reports/h200, which is not there");
    const auto found = find(findings, "data_starvation");
    QVERIFY(found);
    QVERIFY2(plain(found->message).find("about 22 loaders at once") != std::string::npos,
        plain(found->message).c_str());
    // Four bring a batch every quarter of the loading: the step is that long.
    QVERIFY2(plain(found->message).find("4 loaders make a step of 36.") != std::string::npos,
        plain(found->message).c_str());
    QVERIFY2(plain(found->message).find("half of it") == std::string::npos, plain(found->message).c_str());
}

/// Numba compiles each kernel at its first launch: this is reported, with the remedy.
void RulesOnReportsTest::compilingIsCalledSo()
{
    const auto findings = findingsIn("reduce_v1");
    if (findings.empty())
        QSKIP("needs ../shared/reports/h200, which is not there");
    const auto found = find(findings, "one_time_costs");
    QVERIFY(found);
    QVERIFY2(plain(found->title).ends_with("most of it probably compiling"), plain(found->title).c_str());
    QVERIFY2(plain(found->remedy).find("@cuda.jit(cache=True)") != std::string::npos,
        plain(found->remedy).c_str());
    QVERIFY(found->saving > 1'500'000'000); // of 1.546 s of idle time
}

/// The first copy back goes to untouched memory: ten times as long as the others.
void RulesOnReportsTest::aCopyFarSlowerThanItsLikeIsTold()
{
    const auto findings = findingsIn("streams");
    if (findings.empty())
        QSKIP("needs ../shared/reports/h200, which is not there");
    const auto found = find(findings, "pageable_copies");
    QVERIFY(found);
    QVERIFY2(plain(found->message).find("One copy takes 78.2 ms, 1") != std::string::npos,
        plain(found->message).c_str());
}

/// cudaHostAlloc makes the context and pins: one call, one name.
void RulesOnReportsTest::theCallThatMakesTheContextIsToldOnce()
{
    const auto findings = findingsIn("streams_sampled");
    if (findings.empty())
        QSKIP("needs ../shared/reports/h200, which is not there");
    const auto found = find(findings, "one_time_costs");
    QVERIFY(found);
    QVERIFY2(plain(found->message).find("creating contexts 159 ms (1 time)") != std::string::npos,
        plain(found->message).c_str());
    QVERIFY2(plain(found->message).find("pinning host memory 159") == std::string::npos,
        plain(found->message).c_str());
}

void RulesOnReportsTest::repeatedUploadsOfKMeans()
{
    const std::string name = "public/martisu1631998__kmeans-parallel__report2__f0278808";
    const auto findings = findingsIn(name);
    if (findings.empty())
        QSKIP("needs ../shared/reports/public, which is not there");
    const auto found = find(findings, "repeated_uploads");
    QVERIFY(found);
    QVERIFY2(
        plain(found->message).find("16.8 MB 51 times") != std::string::npos, plain(found->message).c_str());
    QVERIFY(plain(found->remedy).find("Copy once before the loop") != std::string::npos);
    QVERIFY(plain(found->remedy).find("#pragma acc data copyin")
        != std::string::npos); // its kernels are OpenACC's
}

void RulesOnReportsTest::startUpIsToldApart()
{
    const std::string name = "public/BrianLa0616__mandelbrot__profile_output";
    const auto findings = findingsIn(name);
    if (findings.empty())
        QSKIP("needs ../shared/reports/public, which is not there");
    const auto found = find(findings, "start_up");
    QVERIFY(found);
    QCOMPARE(found->saving, Ns{0});
    QVERIFY2(plain(found->message).find("cudaMalloc takes 284 ms") != std::string::npos,
        plain(found->message).c_str());
    QVERIFY2(plain(found->message).find("75.7") != std::string::npos, plain(found->message).c_str());
    QVERIFY2(
        plain(found->message).find("nvcc -arch=sm_") != std::string::npos, plain(found->message).c_str());
    // And that the quality of the kernel is unknown.
    const auto kernel = find(findings, "top_kernels");
    QVERIFY(kernel);
    QVERIFY2(plain(kernel->remedy).find("ncu --set full --kernel-name calculatePixels") != std::string::npos,
        plain(kernel->remedy).c_str());
}

void RulesOnReportsTest::smallProblemsAreCalledSmall()
{
    const auto findings = findingsIn("public/chase-compton__Game-of-Life-in-CUDA__report1");
    if (findings.empty())
        QSKIP("needs ../shared/reports/public, which is not there");
    const auto found = find(findings, "too_small");
    QVERIFY(found);
    QVERIFY2(plain(found->title).find("25 blocks for 108") != std::string::npos, plain(found->title).c_str());
}

void RulesOnReportsTest::samplesNameTheFunctionInTheGaps()
{
    const auto findings = findingsIn("public/mariamiiiiii__my_clue__report3");
    if (findings.empty())
        QSKIP("needs ../shared/reports/public, which is not there");
    const auto found = find(findings, "gap_functions");
    QVERIFY(found);
    QVERIFY2(plain(found->message).find("snprintf") != std::string::npos, plain(found->message).c_str());
    QVERIFY2(plain(found->message).find("CLUEAlgo") != std::string::npos, plain(found->message).c_str());
}

void RulesOnReportsTest::blocksOfSixteenThreadsWasteHalf()
{
    const std::string name = "public/kmcho2019__Rodinia_3.1_Gaussian__report2";
    const std::string path = sharedReport(name);
    if (path.empty())
        QSKIP("needs ../shared/reports/public, which is not there");
    const auto found = find(findingsIn(name), "partial_warps");
    QVERIFY(found);
    const long long half = sqlInteger(path,
        "SELECT sum(end - start) / 2 FROM CUPTI_ACTIVITY_KIND_KERNEL WHERE blockX * blockY * blockZ = 16 AND "
        "end - start >= 10000");
    QVERIFY2(std::abs(found->saving - half) < half / 100, std::to_string(found->saving).c_str());
}

void RulesOnReportsTest::collectivesAreOfTheSteadySteps()
{
    const auto findings = findingsIn("ddp_2gpu");
    if (findings.empty())
        QSKIP("needs ../shared/reports/h200/ddp_2gpu, which is not there");
    // Six steady steps of eight take 353.0 ms: of the kernels of NCCL in them, computed in Python.
    const auto exposed = find(findings, "nccl_exposed");
    QVERIFY(exposed);
    QVERIFY2(plain(exposed->title).find("28.7 ms (8.1% of the measured time)") != std::string::npos,
        plain(exposed->title).c_str());
    QVERIFY2(plain(exposed->message).find("150 ms, 42.4% of the measured time") != std::string::npos,
        plain(exposed->message).c_str());
    const auto waits = find(findings, "collective_wait");
    QVERIFY(waits);
    const std::string inTitle = "waits " + roundedDuration(waits->saving) + " inside collectives";
    QVERIFY2(plain(waits->title).find(inTitle) != std::string::npos, plain(waits->title).c_str());
    // Two of the steps contain nearly all of it: a mean over six would hide that.
    QVERIFY2(plain(waits->title).find(", most of it in 2 of 6 steps") != std::string::npos,
        plain(waits->title).c_str());
}

void RulesOnReportsTest::ncuFindsTheLongestLaunch()
{
    const std::string path = sharedReport("bert_fp32");
    if (path.empty())
        QSKIP("needs ../shared/reports/h200/bert_fp32, which is not there");
    const auto found = find(findingsIn("bert_fp32"), "top_kernels");
    QVERIFY(found);
    const QRegularExpressionMatch command = QRegularExpression(
        QStringLiteral("--kernel-name (\\S+) --nvtx --nvtx-include \\S+ --launch-skip \\d+ "))
                                                .match(QString::fromStdString(plain(found->remedy)));
    QVERIFY(command.hasMatch());
    const std::string ofName
        = "FROM CUPTI_ACTIVITY_KIND_KERNEL k JOIN StringIds s ON s.id = k.shortName JOIN "
          "CUPTI_ACTIVITY_KIND_RUNTIME r ON r.correlationId = k.correlationId WHERE "
          "s.value = '"
        + command.captured(1).toStdString() + "'";
    // Other tests check the launch to skip to: this one that it is the longest.
    QVERIFY(!found->evidence.empty());
    QCOMPARE(static_cast<long long>(found->evidence.front().range.duration()),
        sqlInteger(path, "SELECT max(k.end - k.start) " + ofName));
    const std::string launches
        = formatCount(static_cast<std::uint64_t>(sqlInteger(path, "SELECT count(*) " + ofName)))
        + " launches";
    QVERIFY2(plain(found->message).find(launches) != std::string::npos, plain(found->message).c_str());
    // A stage that waits for the others gets no advice to speed up its kernels.
    QVERIFY(!find(findingsIn("h200-more/pipe_rank0"), "top_kernels"));
}

void RulesOnReportsTest::longLaunchesAreTold()
{
    const std::string path = sharedReport("storm_80k");
    if (path.empty())
        QSKIP("needs ../shared/reports/h200/storm_80k, which is not there");
    const auto found = find(findingsIn("storm_80k"), "kernel_storm");
    QVERIFY(found);
    const long long waited = sqlInteger(path,
        "SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL k JOIN CUPTI_ACTIVITY_KIND_RUNTIME r ON "
        "r.correlationId = k.correlationId WHERE k.end - k.start < 10000 AND r.end - r.start > 20000");
    QVERIFY(waited > 0);
    const std::string words = "leaves out " + formatCount(static_cast<std::uint64_t>(waited)) + " launch";
    QVERIFY2(plain(found->message).find(words) != std::string::npos,
        (words + ": " + plain(found->message)).c_str());
}

void RulesOnReportsTest::threadsAreToldApart()
{
    const auto findings = findingsIn("h200-more/payload");
    if (findings.empty())
        QSKIP("needs ../shared/reports/h200-more/payload, which is not there");
    std::set<std::string> titles;
    for (const Finding& finding : flattened(findings))
        QVERIFY2(titles.insert(plain(finding.title)).second, plain(finding.title).c_str());
}

void RulesOnReportsTest::ranksOfOneReportAreOneFinding()
{
    const auto findings = findingsIn("h200-more/halo_one");
    if (findings.empty())
        QSKIP("needs ../shared/reports/h200-more/halo_one, which is not there");
    // Four ranks; rank 2 assembles 5 ms a step, the others 1 ms, and rank 0 pauses 20 ms in assemble of
    // step 10.
    std::size_t high = 0;
    std::optional<Finding> mpi;
    std::optional<Finding> slow;
    for (const Finding& finding : findings) {
        high += finding.severity == Severity::High ? 1U : 0U;
        if (plain(finding.title).find("waits in MPI") != std::string::npos)
            mpi = finding;
        if (finding.rule == "nvtx_outlier_steps" && finding.severity == Severity::High)
            slow = finding;
    }
    QCOMPARE(high, std::size_t{3}); // assemble, MPI, step_10
    // The others spend 1.003 ms there: the four of them are not the problem.
    QVERIFY2(plain(findings.front().title).find("MPI rank 2 by far most: ") != std::string::npos
            && plain(findings.front().title).find("waits 5 ms per step in assemble") != std::string::npos,
        plain(findings.front().title).c_str());
    QVERIFY(mpi);
    QVERIFY2(plain(mpi->title).find("They wait for MPI rank 2, which waits only") != std::string::npos
            && plain(mpi->title).find("assemble") != std::string::npos,
        plain(mpi->title).c_str());
    QCOMPARE(mpi->merged.size(), std::size_t{4});
    QVERIFY(slow);
    QVERIFY2(
        plain(slow->title).find("4 MPI ranks, MPI rank 0 first: step_10 takes 21.6 ms") != std::string::npos,
        plain(slow->title).c_str());
    QVERIFY2(plain(slow->title).find("assemble 20.1 ms") != std::string::npos, plain(slow->title).c_str());
    // Copies around MPI are the boundary's and the neighbour's data.
    const auto trips = find(findings, "copy_round_trips");
    QVERIFY(trips);
    QVERIFY2(plain(trips->remedy).find("CUDA-aware MPI") != std::string::npos, plain(trips->remedy).c_str());
    // compute waits for its own kernels, and messages of 64 KiB are not tiny.
    QVERIFY(!find(findings, "phase_holds_sync"));
    QVERIFY(!find(findings, "tiny_copies"));
}

void RulesOnReportsTest::errorsOfCallsComeFirst()
{
    // The one launch returns 222: PTX of a newer toolkit than the driver's.
    const auto unsupported = findingsIn("public/bjupfield__dwmRootWindowVisual__cudaPractice_report1");
    if (unsupported.empty())
        QSKIP("needs ../shared/reports/public, which is not there");
    QCOMPARE(unsupported.front().rule, std::string_view("failed_calls"));
    QVERIFY2(plain(unsupported.front().title).find("cudaErrorUnsupportedPtxVersion") != std::string::npos,
        plain(unsupported.front().title).c_str());
    QVERIFY(plain(unsupported.front().remedy).find("-arch") != std::string::npos);
    const auto resources = find(findingsIn("public/ZhangXin8069__qcu__test_report4"), "failed_calls");
    QVERIFY(resources);
    QVERIFY2(
        plain(resources->title).find("444 calls of cudaLaunchKernel fail with cudaErrorLaunchOutOfResources")
            != std::string::npos,
        plain(resources->title).c_str());
}

void RulesOnReportsTest::copiesCountByTheirExposedTime()
{
    const std::string name
        = "public/ntua-el20062__gemm_spmm_a100__gemm_pipeline_inference_like_nsys_reports_nsys_"
          "report_ia_10000_20_150";
    const std::string path = sharedReport(name);
    if (path.empty())
        QSKIP("needs ../shared/reports/public, which is not there");
    // Seven large copies lie under a kernel for a thousandth of their time: 5.736 s are exposed.
    const auto findings = findingsIn(name);
    const auto found = std::ranges::find(findings, std::string_view("copies_not_overlapped"), &Finding::rule);
    QVERIFY(found != findings.end()); // not below the finding about the pageable ones among them
    QVERIFY2(plain(found->title).find("5.74 s") != std::string::npos, plain(found->title).c_str());
}

void RulesOnReportsTest::graphsHideTheirKernels()
{
    const auto findings = findingsIn("public/zx3xyy__assignment2-systems__result_2_7B_compile_ro");
    if (findings.empty())
        QSKIP("needs ../shared/reports/public, which is not there");
    // Ten graphs take 7.811 of 7.812 s: the 78 us of other kernels are irrelevant.
    QVERIFY(!find(findings, "too_small"));
    QVERIFY(!find(findings, "top_kernels"));
    const auto missing = find(findings, "capture_quality");
    QVERIFY(missing && plain(missing->remedy).find("--cuda-graph-trace=node") != std::string::npos);
}

void RulesOnReportsTest::aProcessStartsOnce()
{
    const std::string path = sharedReport("h200-more/payload");
    if (path.empty())
        QSKIP("needs ../shared/reports/h200-more/payload, which is not there");
    // Two threads launch at the same time, and both wait for the one start.
    const auto findings = flattened(findingsIn("h200-more/payload"));
    QCOMPARE(std::ranges::count(findings, "start_up", &Finding::rule), std::ptrdiff_t{1});
}

void RulesOnReportsTest::sleepingIsNoComputing()
{
    // A camera at 24 frames a second: the launching thread is on a CPU for 6.231 of 26.8 s, and all launches
    // together take 0.186 s.
    const auto findings = findingsIn("public/SamuelAmsih__CUDA__report14");
    if (findings.empty())
        QSKIP("needs ../shared/reports/public, which is not there");
    for (const Finding& finding : flattened(findings)) {
        if (finding.rule != "gpu_idle_cause")
            continue;
        if (plain(finding.title).find("runs its own code") != std::string::npos)
            QVERIFY2(finding.saving < 6'300'000'000, plain(finding.title).c_str());
        if (plain(finding.title).find("inside a launch call") != std::string::npos)
            QVERIFY2(finding.saving < 200'000'000, plain(finding.title).c_str());
    }
}

void RulesOnReportsTest::loadingIsPaidOnce()
{
    // All large copies lie before the first kernel.
    const auto findings = findingsIn("public/zx3xyy__assignment2-systems__result_2_7B");
    if (findings.empty())
        QSKIP("needs ../shared/reports/public, which is not there");
    const auto copies = find(findings, "pageable_copies");
    QVERIFY(copies);
    QVERIFY(copies->severity <= Severity::Low);
    QCOMPARE(copies->saving, Ns{0});
    QVERIFY(copies->once > 1'000'000'000);
}

void RulesOnReportsTest::metricsAreOfWholeSamples()
{
    // Kernels of 15 us with 37 us between them, sampled each 100 us: the samples that lie wholly in kernels
    // have 95.5% of the multiprocessors active, all samples 22.1%.
    const auto findings = findingsIn("bert_metrics");
    if (findings.empty())
        QSKIP("needs ../shared/reports/h200/bert_metrics, which is not there");
    for (const Finding& finding : flattened(findings))
        QVERIFY2(plain(finding.title).find("multiprocessors are active") == std::string::npos,
            plain(finding.title).c_str());
}

void RulesOnReportsTest::pagesHaveNoStream()
{
    // Streams 13 and 14 live one after the other; stream 0 are 735 migrations.
    const auto findings = findingsIn("public/mariamiiiiii__my_clue__report3");
    if (findings.empty())
        QSKIP("needs ../shared/reports/public, which is not there");
    QVERIFY(!find(findings, "streams_serialized"));
    // Host activity after the last kernel is not a gap of the GPU.
    for (const char* const name :
        {"public/hsiaogary__CUDA-course__An_Even_Easier_Introduction_to_CUDA_report1",
            "public/maxpkatz__lanl_nvidia_training__cuda_report1"})
        QVERIFY2(!find(findingsIn(name), "gpu_time_util"), name);
}

void RulesOnReportsTest::lostWorkIsNotAbsent()
{
    const auto lost = load(sharedReport("public/ZhangXin8069__qcu__test_report4"));
    const auto one = load(sharedReport("public/Neel-Dandiwala__CUDA-Programs__prefetch"));
    if (!lost || !one)
        QSKIP("needs ../shared/reports/public, which is not there");
    // 14,542 launches, 444 of them failed, and no kernel: nsys did not know the driver.
    const auto answers = answerChecklist(*lost, wholeOf(*lost));
    QCOMPARE(answers.front().answer, Answer::NotRecorded);
    QVERIFY2(plain(answers.front().explanation).find("14,098 launches") != std::string::npos,
        plain(answers.front().explanation).c_str());
    // One kernel of 4.544 us in 1.49 s: from its start to its end the GPU always computes.
    QCOMPARE(answerChecklist(*one, wholeOf(*one)).front().answer, Answer::NotApplicable);
}

void RulesOnReportsTest::rowsOfAnArrayAreNoRegions()
{
    const auto found
        = find(findingsIn("public/PolPuigPuy__OpenACC_Project_PolPuig__report12"), "data_region_in_loop");
    if (!found)
        QSKIP("needs ../shared/reports/public, which is not there");
    QVERIFY2(
        plain(found->title).find("An array of 1,934 rows") != std::string::npos, plain(found->title).c_str());
    QVERIFY(plain(found->message).find("No kernel of the program itself ran") != std::string::npos);
}

void RulesOnReportsTest::allToAllIsNoPipeline()
{
    const auto findings = findingsIn("public/GindaChen__nsys-ai__tests_fixtures_mfu_2gpu_before");
    if (findings.empty())
        QSKIP("needs ../shared/reports/public, which is not there");
    for (const Finding& finding : flattened(findings))
        QVERIFY2(plain(finding.title).find("bounds the pipeline") == std::string::npos,
            plain(finding.title).c_str());
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
        QVERIFY(!ranksHigher(findings[i], findings[i - 1]));
    const Ns third = whole.duration() / 3;
    for (const TimeRange window : {whole, TimeRange{whole.start + third, whole.start + 2 * third}}) {
        const std::vector<Finding> all = window == whole ? findings : runRules(*trace, window);
        Ns largest = 0;
        for (const Finding& finding : all)
            largest = std::max(largest, finding.saving);
        const Ns together = savingTogether(all) + savingInDoubt(all);
        QVERIFY(all.empty() || together <= all.front().measured);
        QVERIFY2(together >= largest - 1000, "all together save less than one alone");
        for (const Finding& finding : flattened(all)) {
            const std::string fault = faultOf(finding, window);
            QVERIFY2(fault.empty(), (std::string(finding.rule) + ": " + fault).c_str());
        }
        const auto answers = answerChecklist(*trace, window);
        QCOMPARE(answers.size(), std::size_t{5});
        if (window == whole) {
            const std::string contradiction = contradictionOf(*trace, findings, answers);
            QVERIFY2(contradiction.empty(), contradiction.c_str());
        }
        for (const ChecklistAnswer& answer : answers) {
            QVERIFY(!answer.explanation.empty());
            QCOMPARE(answer.figure.empty(), !isJudged(answer.answer));
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

WARPLINE_TEST(RulesOnReportsTest)

} // namespace tst_rules_on_reports

#include "tst_rules_on_reports.moc"
