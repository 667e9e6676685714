// False findings: a one-time cost is not a loop, missing data is not absence, an unreachable gain is not a
// saving. Each on a synthetic program, and on the report that showed the fault.

#include "core/analysis/first_launches.h"
#include "core/analysis/scope.h"
#include "core/analysis/trace_analysis.h"
#include "core/base/format.h"
#include "core/findings/checklist.h"
#include "core/findings/evidence.h"
#include "core/findings/kernel_totals.h"
#include "core/findings/rule.h"
#include "core/gpus/gpu_peaks.h"
#include "core/load/load_report.h"
#include "core/render/render.h"
#include "core/store/recorder.h"
#include "tests/core/findings/drawn_program.h"
#include "tests/core/findings/flattened.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"
#include "tests/support/whole_analysis.h"

#include <QTest>

#include <algorithm>
#include <optional>

namespace tst_fair_findings {

using namespace warpline;
using namespace warpline::test;

namespace {

std::vector<Finding> run(const Trace& trace, std::string_view rule)
{
    const Rule* const found = findRule(rule);
    return runRules(trace, trace.session, std::span(&found, 1));
}

std::shared_ptr<const Trace> shared(const std::string& name)
{
    const std::string path = sharedReport(name);
    auto trace = loadReport(path);
    return !path.empty() && trace.ok() ? trace.take() : nullptr;
}

TimeRange wholeOf(const Trace& trace)
{
    return {trace.session.start, trace.session.end + 1};
}

Scope measuredOf(const Trace& trace)
{
    TraceAnalysis facts(trace, wholeOf(trace), {});
    return scopeOf(trace, wholeOf(trace), facts);
}

ChecklistAnswer answerOf(const Trace& trace, std::string_view id)
{
    for (ChecklistAnswer& answer : answerChecklist(trace, wholeOf(trace))) {
        if (answer.id == id)
            return answer;
    }
    return {};
}

bool holds(const Message& text, std::string_view part)
{
    return plain(text).find(part) != std::string::npos;
}

} // namespace

#define NEEDS(trace) \
    if (!(trace))    \
    QSKIP("needs a report of ../shared/reports that is not there")

class FairFindingsTest : public QObject {
    Q_OBJECT

private slots:
    void firstLaunchesLoadCode();
    void graphsAreLoadedBeforeTheirLaunch();
    void firstLaunchesInReports();
    void uploadsBeforeManyKernelsAreOnce();
    void namedRangesAreMeasured();
    void measuredTimeInReports();
    void wholeGraphsAreTold();
    void wholeGraphsInReports();
    void managedMemoryThatWasNotTraced();
    void interpretersAreNoCause();
    void sleepersRunNothing();
    void innermostFunctionsTellMost();
    void recursionCountsOnce();
    void callsOfPythonAreFunctions();
    void callsBetweenLaunchesAreNamed();
    void copiesAtTheLinksRate();
    void copiesHideBehindKernelsAndEachOther();
    void hostPacesAfterTheTensorCores();
    void otherFindingsAreNamedByTheirTitles();
    void typesOfTheGpu();
    void launchesCountByTheirTime();
    void oneWaitIsOnePhase();
    void allToAllIsNoPipeline();
    void loadersThatAreThere();
    void loadersThatWait();
    void messagesBetweenRoundsHaveAFinding();
    void contextsAreMadeByTheFirstCall();
    void checkpointsAreTold();
    void coldPromptsAreToldSo();
    void templatesGoByWhatTheyRun();
    void lowOccupancySaysWhatLimits();
    void valuesReadBackAreOneCause();
    void attentionIsOfSixteenBits();
    void slowStepsThatDoNotLoad();
    void slowFramesNameTheirCall();
    void earlierWorkIsNotIdle();
    void copiesWaitBehindNewEvents();
    void rangesThatCompile();
    void stepsThatARangeCutsAreNotJudged();
    void kernelsThatARangeCuts();
    void slowOperatorsComeBehindTheirCause();
    void theReasonWhyAPartCounts();
    void launchesThatWereNotRecorded();
    void missingNamesNameNothing();
    void gpusOfProcessesMayDiffer();
    void copiesHideBehindKernelsOfTheirGpu();
    void pageFaultsThatWereNotRecorded();
    void stepsBelowZeroAreMeasured();
    void defaultStreamStopsOnlyStreamsThatWork();
    void defaultStreamsOfContextsAreApart();
};

void FairFindingsTest::firstLaunchesLoadCode()
{
    // Ten kernels whose first launch takes 5 ms, then 100 rounds of them. Or the same call lengths in later
    // launches, which load nothing.
    for (const bool first : {true, false}) {
        DrawnProgram program;
        Ns at = 0;
        for (int round = 0; round < 100; ++round) {
            for (int i = 0; i < 10; ++i) {
                const bool slow = first ? round == 0 : round == 5;
                const Ns call = slow ? 5 * ms : 2 * us;
                program.kernel("kernel_" + std::to_string(i), at, {at + call + us, at + call + 100 * us},
                    {.callTime = call});
                at += call + 100 * us;
            }
        }
        const auto trace = program.finish();
        QCOMPARE(firstLaunches(*trace, CallKinds(*trace)).size(), first ? std::size_t{10} : std::size_t{0});
        const auto found = run(*trace, "gpu_idle_cause");
        QCOMPARE(found.size(), std::size_t{1});
        QCOMPARE(found[0].severity, first ? Severity::Low : Severity::High);
        QCOMPARE(holds(found[0].message, "launched for the first time"), first);
        QCOMPARE(holds(found[0].title, "inside a launch call"), !first);
    }
}

void FairFindingsTest::graphsAreLoadedBeforeTheirLaunch()
{
    for (const std::uint64_t node : {std::uint64_t{0}, std::uint64_t{7}}) {
        DrawnProgram program;
        program.kernel("once", 0, {5 * ms + us, 5 * ms + 100 * us}, {.graphNode = node, .callTime = 5 * ms});
        const auto trace = program.finish();
        QCOMPARE(
            firstLaunches(*trace, CallKinds(*trace)).size(), node == 0 ? std::size_t{1} : std::size_t{0});
    }
}

void FairFindingsTest::firstLaunchesInReports()
{
    const auto trace = shared("public/Athrun0109__CS336_assignment2__result");
    NEEDS(trace);
    // By SQL: all 17 launches of half a millisecond and more are the first of their kernel, 208.06 ms.
    const std::vector<EventIndex> launches = firstLaunches(*trace, CallKinds(*trace));
    QCOMPARE(launches.size(), std::size_t{17});
    Ns time = 0;
    for (const EventIndex call : launches)
        time += trace->apiCalls().duration[call];
    QVERIFY2(time > 208'000'000 && time < 208'200'000, std::to_string(time).c_str());
    for (const Finding& finding : flattened(runRules(*trace, wholeOf(*trace))))
        QVERIFY2(!holds(finding.title, "inside a launch call"), plain(finding.title).c_str());
}

void FairFindingsTest::uploadsBeforeManyKernelsAreOnce()
{
    // 1 GB of weights, then 60 kernels; or then 10, for which the data is needed.
    for (const int count : {60, 10}) {
        DrawnProgram program;
        for (int i = 0; i < 20; ++i) {
            const Ns at = i * 10 * ms;
            program.copy({at, at + 10 * ms}, {at + 10 * us, at + 10 * ms},
                {.call = "cudaMemcpy_v3020", .host = MemoryKind::Pageable, .bytes = 50'000'000});
        }
        for (int i = 0; i < count; ++i)
            program.kernel(
                "work", 200 * ms + i * ms, {200 * ms + i * ms + 5 * us, 200 * ms + i * ms + 900 * us});
        const auto trace = program.finish();
        const Scope scope = measuredOf(*trace);
        QCOMPARE(scope.range.start, count == 60 ? 200 * ms + 5 * us : 10 * us);
        const auto copies = find(runRules(*trace, wholeOf(*trace)), "pageable_copies");
        QVERIFY(copies);
        QCOMPARE(copies->saving == 0, count == 60);
        QVERIFY(copies->once > 0 || count == 10);
        QCOMPARE(copies->severity > Severity::Low, count == 10);
    }
}

void FairFindingsTest::namedRangesAreMeasured()
{
    const auto draw = [](DrawnProgram& program) {
        for (int i = 0; i < 30; ++i)
            program.kernel("work", i * ms, {i * ms + 5 * us, i * ms + 900 * us});
    };
    DrawnProgram benchmark;
    draw(benchmark);
    benchmark.range("warmup", {0, 10 * ms});
    benchmark.range("benchmark_loop", {10 * ms, 20 * ms});
    const auto measured = benchmark.finish();
    QCOMPARE(measuredOf(*measured).range, (TimeRange{10 * ms, 20 * ms}));
    QCOMPARE(plain(measuredOf(*measured).basis), std::string("in the range benchmark_loop"));
    DrawnProgram compiled;
    draw(compiled);
    compiled.range("Compilation", {0, 10 * ms});
    compiled.range("Kernels", {10 * ms, 30 * ms});
    const auto after = compiled.finish();
    QCOMPARE(measuredOf(*after).range.start, 10 * ms);
    // A later range of that name is none that the program begins with.
    DrawnProgram late;
    draw(late);
    late.range("Kernels", {0, 10 * ms});
    late.range("Compilation", {10 * ms, 20 * ms});
    const auto whole = late.finish();
    QCOMPARE(measuredOf(*whole).range.start, 5 * us);
}

void FairFindingsTest::measuredTimeInReports()
{
    const auto nvtx = shared("public/zx3xyy__assignment2-systems__result_2_7B_nvtx");
    const auto plain = shared("public/zx3xyy__assignment2-systems__result_2_7B");
    const auto reduce = shared("reduce_v2");
    NEEDS(nvtx && plain && reduce);
    QVERIFY(holds(measuredOf(*nvtx).basis, "in the range benchmark_loop"));
    QCOMPARE(answerOf(*nvtx, "gpu_busy").answer, Answer::Yes);
    for (const auto& trace : {nvtx, plain}) {
        const auto findings = runRules(*trace, wholeOf(*trace));
        QCOMPARE(findings.front().rule, std::string_view("no_tensor_cores"));
    }
    QVERIFY2(holds(measuredOf(*reduce).basis, "after the range Compilation"),
        warpline::plain(measuredOf(*reduce).basis).c_str());
}

void FairFindingsTest::wholeGraphsAreTold()
{
    for (const bool graphs : {true, false}) {
        DrawnProgram program;
        for (int i = 0; i < 20; ++i) {
            const Ns at = i * ms;
            if (graphs)
                program.graph(at, {at + 10 * us, at + 900 * us});
            program.kernel("sgemm_simt", at + 900 * us, {at + 910 * us, at + 950 * us}, {.blocks = 1});
        }
        const auto trace = program.finish();
        const auto found = run(*trace, "capture_quality");
        const bool told = std::ranges::any_of(found, [](const Finding& finding) {
            return holds(finding.title, "--cuda-graph-trace=node") && finding.severity == Severity::Medium;
        });
        QCOMPARE(told, graphs);
        QCOMPARE(run(*trace, "no_tensor_cores").empty(), graphs);
        QCOMPARE(run(*trace, "top_kernels").empty(), graphs);
    }
}

void FairFindingsTest::wholeGraphsInReports()
{
    const auto trace = shared("public/zx3xyy__assignment2-systems__result_2_7B_compile_ro");
    NEEDS(trace);
    // Ten graphs take 7.811 of 7.812 s.
    const auto findings = runRules(*trace, wholeOf(*trace));
    QVERIFY2(holds(findings.front().title, "--cuda-graph-trace=node"), plain(findings.front().title).c_str());
    QVERIFY(holds(findings.front().message, "10 graph launches take 7.81 s"));
    QVERIFY(!find(findings, "tensor_core_share"));
}

void FairFindingsTest::managedMemoryThatWasNotTraced()
{
    for (const bool traced : {false, true}) {
        DrawnProgram program;
        program.call("cudaMallocManaged_v6000", {0, 10 * us});
        if (traced)
            program.migration(CopyKind::UnifiedHtoD, {25 * us, 30 * us}, 4096, 0x1000);
        program.kernel("work", 15 * us, {20 * us, ms});
        program.kernel("work", 2 * ms, {2 * ms + 5 * us, 3 * ms});
        const auto trace = program.finish();
        QCOMPARE(answerOf(*trace, "transfers_overlapped").answer == Answer::NotRecorded, !traced);
        const auto found = run(*trace, "capture_quality");
        QVERIFY(!found.empty());
        QCOMPARE(holds(found[0].title, "unified memory migrations"), !traced);
    }
    // On Windows, and with a driver that does not trace it.
    for (const char* const name :
        {"public/tunguz__cuda13__nsys_easy", "public/Neel-Dandiwala__CUDA-Programs__prefetch"}) {
        const auto report = shared(name);
        NEEDS(report);
        const ChecklistAnswer answer = answerOf(*report, "transfers_overlapped");
        QVERIFY2(answer.answer == Answer::NotRecorded, plain(answer.explanation).c_str());
    }
}

namespace {

/// Twenty rounds of 20 ms with a kernel of 1 ms; between them samples of `function`, `distance` apart.
std::shared_ptr<const Trace> sampledRounds(std::string_view function, Ns distance, int count)
{
    DrawnProgram program;
    for (int i = 0; i < 20; ++i) {
        const Ns at = i * 20 * ms;
        program.kernel("work", at, {at + 5 * us, at + ms});
        for (int k = 0; k < count; ++k)
            program.sample(function, "main", at + 2 * ms + k * distance);
    }
    return program.finish();
}

} // namespace

void FairFindingsTest::interpretersAreNoCause()
{
    QVERIFY(!run(*sampledRounds("assemble", ms, 17), "gap_functions").empty());
    for (const std::string_view frame :
        {"cfunction_call", "_PyObject_MakeTpCall", "_PyEval_EvalFrameDefault", "method_vectorcall_NOARGS"})
        QVERIFY(run(*sampledRounds(frame, ms, 17), "gap_functions").empty());
}

void FairFindingsTest::sleepersRunNothing()
{
    // Samples are a millisecond apart while the thread runs. Two in a gap of 19 ms: it sleeps for the rest.
    QVERIFY(run(*sampledRounds("assemble", ms, 2), "gap_functions").empty());
    const auto report = shared("public/Sh1mwww__llama3-inference__real_inference_simulation");
    NEEDS(report);
    const auto findings = runRules(*report, wholeOf(*report));
    const auto functions = find(findings, "gap_functions"); // of the 41 ms in which it does run
    QVERIFY(
        !functions || (functions->severity <= Severity::Low && !holds(functions->title, "cfunction_call")));
    QVERIFY2(holds(findings.front().title, "ensure_layer_"), plain(findings.front().title).c_str());
    QVERIFY2(holds(findings.front().title, "sleeps or waits"), plain(findings.front().title).c_str());
}

void FairFindingsTest::innermostFunctionsTellMost()
{
    DrawnProgram program;
    for (int i = 0; i < 20; ++i) {
        const Ns at = i * 20 * ms;
        program.kernel("work", at, {at + 5 * us, at + ms});
        for (int k = 0; k < 17; ++k)
            program.sample("z_called", "a_caller", at + 2 * ms + k * ms);
    }
    const auto found = run(*program.finish(), "gap_functions");
    QCOMPARE(found.size(), std::size_t{1});
    QCOMPARE(found[0].subject.name, std::string("z_called"));
}

/// Calls inside others of the same name count once, those that end a little after the outer one, too.
void FairFindingsTest::recursionCountsOnce()
{
    for (const Ns later : {-2 * us, 2 * us}) {
        DrawnProgram program;
        for (int i = 0; i < 10; ++i) {
            const Ns at = i * 10 * ms;
            program.kernel("work", at, {at + 5 * us, at + ms});
            for (int depth = 0; depth < 6; ++depth)
                program.range(
                    "user.py(10): solve", {at + 10 * us + depth * us, at + 9 * ms + depth * later}, "Python");
        }
        const auto trace = program.finish();
        const auto found = run(*trace, "gap_functions");
        QCOMPARE(found.size(), std::size_t{1});
        QVERIFY(found[0].saving <= 9 * 9 * ms);
        const std::string said = plain(found[0].message);
        QVERIFY2(said.find("sum") == std::string::npos && found[0].saving > 60 * ms, said.c_str());
    }
}

void FairFindingsTest::callsOfPythonAreFunctions()
{
    // Gaps of 9 ms, nearly all of them in a function that a step calls; or of 0.5 ms: the pace of launching.
    for (const Ns gap : {9 * ms, 500 * us}) {
        DrawnProgram program;
        program.range("train.py(9): <module>", {0, 10 * (ms + gap)}, "Python");
        for (int i = 0; i < 10; ++i) {
            const Ns at = i * (ms + gap);
            program.kernel("work", at, {at + 5 * us, at + ms});
            program.range("train.py(2): step", {at + 10 * us, at + ms + gap - 10 * us}, "Python");
            program.range(
                "<built-in function collect>", {at + ms + 20 * us, at + ms + gap - 20 * us}, "Python");
        }
        const auto trace = program.finish();
        const auto found = run(*trace, "gap_functions");
        QCOMPARE(found.empty(), gap < ms);
        if (found.empty())
            continue;
        QCOMPARE(found[0].subject.name, std::string("<built-in function collect>"));
        QVERIFY(qAbs(found[0].saving - 9 * (gap - 40 * us)) < us);
        const auto idle = run(*trace, "gpu_idle_cause");
        QCOMPARE(idle.size(), std::size_t{1});
        QVERIFY2(!holds(idle[0].remedy, "--sample"), plain(idle[0].remedy).c_str());
    }
}

void FairFindingsTest::callsBetweenLaunchesAreNamed()
{
    // 600 calls of 4 us by the thread that launches, or by one that launches nothing.
    for (const std::uint32_t thread : {1U, 2U}) {
        DrawnProgram program;
        for (int i = 0; i < 600; ++i) {
            const Ns at = i * 20 * us;
            program.kernel("work", at, {at + 5 * us, at + 9 * us});
            program.call("cudaMemGetInfo", {at + 10 * us, at + 14 * us}, thread);
        }
        const auto found = run(*program.finish(), "launch_bound");
        QCOMPARE(found.size(), std::size_t{1});
        QCOMPARE(holds(found[0].message, "cudaMemGetInfo 2.4 ms"), thread == 1);
        QCOMPARE(holds(found[0].message, "cudaMemGetInfo"), thread == 1);
    }
}

void FairFindingsTest::copiesAtTheLinksRate()
{
    // Pinned copies of 20 MB, all at 20 GB/s, or half of them at a quarter of that.
    for (const bool even : {true, false}) {
        DrawnProgram program;
        Ns at = 0;
        for (int i = 0; i < 10; ++i) {
            const Ns length = even || i % 2 == 0 ? ms : 4 * ms;
            program.copy({at, at + 2 * us}, {at + 10 * us, at + 10 * us + length}, {.bytes = 20'000'000});
            program.kernel("work", at + length + 10 * us, {at + length + 20 * us, at + length + 120 * us});
            at += length + 130 * us;
        }
        const auto found = run(*program.finish(), "copy_bound");
        QCOMPARE(found.size(), std::size_t{1});
        QCOMPARE(found[0].severity, even ? Severity::Medium : Severity::High);
        // The ten kernels of 100 us can hide copies.
        QCOMPARE(found[0].saving, (even ? Ns{0} : 15 * ms) + ms);
    }
}

void FairFindingsTest::copiesHideBehindKernelsAndEachOther()
{
    // Ten rounds in one stream: 2 ms in, 1.5 ms of a kernel, 2 ms out. With more streams, each direction
    // takes 20 ms, and all else overlaps. Copies to the device alone take as long, and the kernels hide 15 ms
    // of them.
    for (const bool back : {true, false}) {
        DrawnProgram program;
        for (int i = 0; i < 10; ++i) {
            const Ns at = i * 6 * ms;
            program.copy(
                {at, at + 2 * us}, {at + 10 * us, at + 2010 * us}, {.bytes = 20'000'000, .stream = 13});
            program.kernel("work", at + 5 * us, {at + 2020 * us, at + 3520 * us}, {.stream = 13});
            if (back)
                program.copy({at + 12 * us, at + 14 * us}, {at + 3530 * us, at + 5530 * us},
                    {.kind = CopyKind::DtoH, .bytes = 20'000'000, .stream = 13});
        }
        const auto trace = program.finish();
        for (const std::string_view rule : {"copy_bound", "copies_not_overlapped", "streams_serialized"}) {
            const auto found = run(*trace, rule);
            if (rule == "copy_bound" && !back)
                continue; // copies do not take half of the time
            QCOMPARE(found.size(), std::size_t{1});
            QCOMPARE(found[0].saving, back ? 35 * ms : 15 * ms);
        }
    }
}

/// A list of findings shows titles, not ids.
void FairFindingsTest::otherFindingsAreNamedByTheirTitles()
{
    for (const Ns ordinary : {8 * ms, Ns{0}}) {
        DrawnProgram program;
        for (int i = 0; i < 10; ++i) {
            const Ns at = i * 10 * ms;
            if (ordinary > 0)
                program.kernel("cutlass_simt_sgemm_128x128", at, {at + 5 * us, at + ordinary});
            program.kernel("cutlass_80_tensorop_s16816gemm_f16_128x128", at + ordinary + 10 * us,
                {at + ordinary + 20 * us, at + ordinary + ms});
        }
        const auto trace = program.finish();
        const auto found = run(*trace, "tensor_core_share");
        const auto first = run(*trace, "no_tensor_cores");
        QCOMPARE(found.size(), std::size_t{1});
        QCOMPARE(first.size(), std::size_t{ordinary > 0 ? 1U : 0U});
        const std::string remedy = plain(found.front().remedy);
        QVERIFY2(remedy.find("no_tensor_cores") == std::string::npos, remedy.c_str());
        QCOMPARE(holds(found.front().remedy, "First fix"), !first.empty());
        QVERIFY2(first.empty() || holds(found.front().remedy, '"' + plain(first.front().title) + '"'),
            remedy.c_str());
    }
    DrawnProgram sends;
    for (int i = 0; i < 16; ++i) {
        const Ns at = i * 2 * ms;
        sends.kernel("ncclDevKernel_SendRecv(P)", at, {at + 10 * us, at + ms}, {.stream = 20});
        sends.kernel("work", at, {at + ms + 20 * us, at + ms + 120 * us});
    }
    const ChecklistAnswer answer = answerOf(*sends.finish(), "collectives_overlapped");
    const std::string text = plain(answer.explanation);
    QVERIFY2(text.find("\"Pipeline stages that wait for each other\"") != std::string::npos, text.c_str());
    QVERIFY2(text.find("pipeline_bubble") == std::string::npos, text.c_str());
}

void FairFindingsTest::hostPacesAfterTheTensorCores()
{
    // Ten products of 10 ms in FP32, at 60% of the peak at least: could take a twenty-fifth, but the host
    // waits for 3 ms of each only.
    for (const Ns waits : {3 * ms, 9800 * us}) {
        DrawnProgram program;
        for (int i = 0; i < 10; ++i) {
            const Ns at = i * 10 * ms;
            program.kernel("cutlass_simt_sgemm_128x128", at, {at + 5 * us, at + 10 * ms});
            program.call("cudaStreamSynchronize_v3020", {at + 10 * ms - waits, at + 10 * ms});
        }
        const auto trace = program.finish();
        const auto found = run(*trace, "no_tensor_cores");
        QCOMPARE(found.size(), std::size_t{1});
        QCOMPARE(holds(found[0].message, "its launches set the pace"), waits == 3 * ms);
        const GpuPeaks peaks = *peaksOf(trace->devices.front());
        const auto faster = static_cast<Ns>(
            static_cast<double>(100 * ms - 50 * us) * (1 - 0.6 * peaks.vector.fp32 / peaks.tensor.bf16));
        const Ns most = waits == 3 * ms ? 30 * ms : faster;
        QVERIFY2(std::abs(found[0].saving - most) < 10, std::to_string(found[0].saving).c_str());
    }
    const auto trace = shared("bert_fp32");
    NEEDS(trace);
    // The host needs some 255 of 368.8 ms for its launches; with tensor cores the program took 343 ms.
    const auto found = find(runRules(*trace, wholeOf(*trace)), "no_tensor_cores");
    QVERIFY(found);
    QVERIFY2(
        found->saving > 50'000'000 && found->saving < 160'000'000, std::to_string(found->saving).c_str());
}

void FairFindingsTest::typesOfTheGpu()
{
    for (const std::string& path : sharedReports()) {
        const bool turing = path.find("MohanadOdema") != std::string::npos;
        const bool ampere = path.find("jsun-012") != std::string::npos;
        if (!turing && !ampere)
            continue;
        const auto report = loadReport(path);
        QVERIFY(report.ok());
        const auto found = find(runRules(*report.value(), wholeOf(*report.value())), "no_tensor_cores");
        if (!found)
            continue;
        // An RTX 2070 knows FP16 alone; on an RTX 3070 TF32 is no faster than FP32, and 16 bits twice as
        // fast.
        QVERIFY2(!holds(found->remedy, "allow_tf32"), plain(found->remedy).c_str());
        QVERIFY2(!turing || (holds(found->remedy, "float16") && !holds(found->remedy, "bfloat16")),
            plain(found->remedy).c_str());
    }
}

void FairFindingsTest::launchesCountByTheirTime()
{
    // Every third launch finds the GPU idle for 30 us, the others come in time: 40 us of each 100 are lost.
    DrawnProgram program;
    for (int i = 0; i < 40; ++i) {
        const Ns at = i * 100 * us;
        program.kernel("a", at, {at + 5 * us, at + 25 * us});
        program.kernel("b", at + 6 * us, {at + 25 * us, at + 45 * us});
        program.kernel("c", at + 10 * us, {at + 45 * us, at + 62 * us});
    }
    const auto found = run(*program.finish(), "launch_bound");
    QCOMPARE(found.size(), std::size_t{1});
    QCOMPARE(found[0].saving, 39 * 43 * us);
    const auto trace = shared("h200-more/llama_bf16");
    NEEDS(trace);
    // Steps in which 49% of the launches come too late, and the GPU waits for half of the time.
    const Rule* const rule = findRule("launch_bound");
    const auto part = runRules(*trace, {133'300'000, 200'000'000}, std::span(&rule, 1));
    QCOMPARE(part.size(), std::size_t{1});
    QCOMPARE(part[0].severity, Severity::High);
    QVERIFY2(
        part[0].saving > 23'000'000 && part[0].saving < 27'000'000, std::to_string(part[0].saving).c_str());
}

/// Nested ranges contain the same waits: the innermost reports them.
void FairFindingsTest::oneWaitIsOnePhase()
{
    DrawnProgram program;
    for (int i = 0; i < 10; ++i) {
        const Ns at = i * 10 * ms;
        program.range("step_" + std::to_string(i), {at, at + 10 * ms});
        program.range("forward", {at + 4 * ms, at + 10 * ms});
        program.range("wrapped.forward", {at + 5 * ms, at + 10 * ms});
        program.kernel("work", at + 5 * us, {at + 10 * us, at + 9 * ms});
        program.call("cudaStreamSynchronize_v3020", {at + 5 * ms, at + 9 * ms});
    }
    const auto trace = program.finish();
    const Rule* const rule = findRule("phase_holds_sync");
    const auto findings = runRules(*trace, wholeOf(*trace), std::span(&rule, 1));
    QCOMPARE(findings.size(), 1U);
    QVERIFY2(plain(findings.front().title).starts_with("Phase wrapped.forward spends"),
        plain(findings.front().title).c_str());
    QVERIFY2(holds(findings.front().message, " So does forward around it."),
        plain(findings.front().message).c_str());
}

void FairFindingsTest::allToAllIsNoPipeline()
{
    const auto trace = shared("public/GindaChen__nsys-ai__tests_fixtures_mfu_2gpu_before");
    NEEDS(trace);
    // 33 groups of two sends and two receives on each of two GPUs: c10d::alltoall_base_.
    const auto findings = runRules(*trace, wholeOf(*trace));
    QVERIFY(!find(findings, "pipeline_bubble"));
    QVERIFY(find(findings, "nccl_exposed"));
    QVERIFY(isJudged(answerOf(*trace, "collectives_overlapped").answer));
}

void FairFindingsTest::loadersThatAreThere()
{
    const auto eight = shared("cnn_workers8");
    const auto none = shared("cnn_workers0");
    NEEDS(eight && none);
    const auto helped = find(runRules(*eight, wholeOf(*eight)), "data_starvation");
    QVERIFY(helped);
    QVERIFY2(holds(helped->message, "8 worker processes load already"), plain(helped->message).c_str());
    QVERIFY(!holds(helped->remedy, "DataLoader(num_workers="));
    const auto alone = find(runRules(*none, wholeOf(*none)), "data_starvation");
    QVERIFY(alone && holds(alone->remedy, "DataLoader(num_workers="));
}

/// More CPU cores do not help sleeping workers: by thread states they are on a CPU for 2% of the time.
void FairFindingsTest::loadersThatWait()
{
    const auto sampled = shared("cnn_sampled");
    const auto asleep = shared("h200-more/vit");
    NEEDS(sampled && asleep);
    const auto waits = find(runRules(*sampled, wholeOf(*sampled)), "data_starvation");
    QVERIFY(waits);
    QVERIFY2(holds(waits->message, "They are on a CPU for 2.9%"), plain(waits->message).c_str());
    QVERIFY2(holds(waits->remedy, "more CPU cores do not help"), plain(waits->remedy).c_str());
    const auto load = find(runRules(*asleep, wholeOf(*asleep)), "data_starvation");
    QVERIFY(load);
    QVERIFY2(holds(load->message, "clock_nanosleep"), plain(load->message).c_str());
}

/// MPI as NVTX ranges, next to more time in the program's own code.
void FairFindingsTest::messagesBetweenRoundsHaveAFinding()
{
    const auto trace = shared("public/hpcgroup__pipit__pipit_tests_data_saxpy-mpi-cuda_nsys_perlmutter0");
    NEEDS(trace);
    bool messages = false;
    bool own = false;
    for (const Finding& finding : runRules(*trace, wholeOf(*trace))) {
        if (finding.rule == "host_outside")
            QVERIFY2(!holds(finding.remedy, "cuRAND"), plain(finding.remedy).c_str()); // it is in MPI_Init
        if (finding.rule != "gpu_idle_cause")
            continue;
        if (holds(finding.title, "waits in MPI")) {
            messages = true;
            QVERIFY2(finding.saving > 160 * ms && finding.saving < 180 * ms,
                std::to_string(finding.saving).c_str());
        } else if (holds(finding.title, "own code")) {
            own = true; // the report has samples: no advice to record them
            QVERIFY2(holds(finding.message, " CPU samples: "), plain(finding.message).c_str());
            QVERIFY2(!holds(finding.remedy, "--sample"), plain(finding.remedy).c_str());
        }
    }
    QVERIFY(messages && own);
}

/// The first call that takes long makes the context: cudaHostRegister pinned nothing for 305 ms.
void FairFindingsTest::contextsAreMadeByTheFirstCall()
{
    const auto trace = shared("public/hpcgroup__pipit__pipit_tests_data_saxpy-mpi-cuda_nsys_perlmutter0");
    NEEDS(trace);
    const auto once = find(runRules(*trace, wholeOf(*trace)), "one_time_costs");
    QVERIFY(once);
    QVERIFY2(holds(once->title, "most of it creating contexts"), plain(once->title).c_str());
    QVERIFY2(holds(once->message, "creating contexts 305 ms (1 time)"), plain(once->message).c_str());
}

/// Iterations 4, 9, 14 and 19 write a checkpoint; 9 takes 1.4 times the usual time and is one of them.
void FairFindingsTest::checkpointsAreTold()
{
    const auto trace = shared("h200-more/vit");
    NEEDS(trace);
    const Rule* const rule = findRule("nvtx_outlier_steps");
    for (const Finding& finding : runRules(*trace, wholeOf(*trace), std::span(&rule, 1))) {
        if (finding.severity == Severity::Info)
            continue; // warm-up
        QVERIFY2(
            holds(finding.title, "4 of 19 steps are far slower") && holds(finding.title, "one every 5 steps"),
            plain(finding.title).c_str());
        QVERIFY2(!holds(finding.title, "copy 435"), plain(finding.title).c_str()); // of 79 ms
        QVERIFY2(holds(finding.message, "as a checkpoint does"), plain(finding.message).c_str());
        return;
    }
    QFAIL("no slow steps found");
}

void FairFindingsTest::coldPromptsAreToldSo()
{
    const auto trace = shared("decode");
    NEEDS(trace);
    // The GPU works for 3.468 of the 878.2 ms of the only prefill.
    const auto found = find(runRules(*trace, wholeOf(*trace)), "token_times");
    QVERIFY(found);
    QVERIFY2(holds(found->title, ", cold"), plain(found->title).c_str());
    QVERIFY2(holds(found->message, "the GPU works for 3.47 ms"), plain(found->message).c_str());
}

void FairFindingsTest::templatesGoByWhatTheyRun()
{
    const auto trace = shared("launch_eager");
    const auto amp = shared("bert_amp");
    NEEDS(trace && amp);
    // Half of the kernels multiply, half add; both are vectorized_elementwise_kernel.
    const auto found = find(runRules(*trace, wholeOf(*trace)), "top_kernels");
    if (found) {
        QVERIFY2(!holds(found->title, "vectorized_elementwise_kernel"), plain(found->title).c_str());
        QVERIFY2(holds(found->remedy, "--kernel-name-base demangled --kernel-name regex:"),
            plain(found->remedy).c_str());
    }
    for (const Finding& finding : run(*amp, "top_kernels")) {
        QVERIFY2(!holds(finding.message, " Kernel2 "), plain(finding.message).c_str());
        // It was recorded from cudaProfilerStart on.
        QVERIFY2(holds(finding.remedy, "--profile-from-start off"), plain(finding.remedy).c_str());
    }
}

void FairFindingsTest::lowOccupancySaysWhatLimits()
{
    const auto report = shared("public/Baardrw__SIGMA__report2");
    NEEDS(report);
    const auto found = find(runRules(*report, wholeOf(*report)), "low_occupancy");
    QVERIFY(found);
    // 188 registers x 192 threads: one block of 65,536 registers; with 168 there is room for a second.
    QVERIFY2(
        holds(found->message, "Each of its 192 threads per block takes 188"), plain(found->message).c_str());
    QVERIFY2(holds(found->remedy, "__launch_bounds__(192, 2)"), plain(found->remedy).c_str());
    QVERIFY2(holds(found->remedy, "fits with 168 registers"), plain(found->remedy).c_str());
}

void FairFindingsTest::valuesReadBackAreOneCause()
{
    // 200 rounds that read 4 bytes with a blocking call.
    DrawnProgram program;
    for (int i = 0; i < 200; ++i) {
        const Ns at = i * 100 * us;
        program.kernel("work", at, {at + 5 * us, at + 50 * us});
        program.copy({at + 6 * us, at + 60 * us}, {at + 52 * us, at + 54 * us},
            {.call = "cudaMemcpyFromSymbol_v3020",
                .kind = CopyKind::DtoH,
                .host = MemoryKind::Pageable,
                .bytes = 4});
    }
    const auto trace = program.finish();
    const auto findings = runRules(*trace, trace->session);
    const auto tiny = find(findings, "tiny_copies");
    QVERIFY(tiny);
    QVERIFY2(holds(tiny->message, "cudaMemcpyFromSymbol"), plain(tiny->message).c_str());
    QVERIFY(!holds(tiny->remedy, "Parameters{"));
    for (const Finding& finding : findings)
        QVERIFY2(finding.rule != "tiny_copies" && finding.rule != "cuda_memcpy_sync",
            plain(finding.title).c_str());
}

void FairFindingsTest::attentionIsOfSixteenBits()
{
    const auto trace = shared("h200-more/llama_bf16");
    NEEDS(trace);
    const auto found = find(runRules(*trace, wholeOf(*trace)), "tensor_core_share");
    QVERIFY(found);
    QVERIFY2(
        !holds(found->title, "FP16") && holds(found->title, "16-bit types"), plain(found->title).c_str());
}

void FairFindingsTest::slowStepsThatDoNotLoad()
{
    const auto trace = shared("h200-more/vit");
    NEEDS(trace);
    // Each fifth step saves a checkpoint, and loads no longer than the others.
    const auto findings = runRules(*trace, wholeOf(*trace));
    const bool told = std::ranges::any_of(findings, [](const Finding& finding) {
        return finding.rule == "nvtx_outlier_steps" && finding.severity >= Severity::Medium;
    });
    QVERIFY(told);
}

void FairFindingsTest::slowFramesNameTheirCall()
{
    // Twenty frames of 1 ms, 0.2 ms of them in a fence; one waits there for 3.2 ms. Labels repeat calls.
    // Or all wait as long, and one reads a file.
    for (const bool waits : {true, false}) {
        DrawnProgram program;
        Ns at = 0;
        for (int frame = 0; frame < 20; ++frame) {
            const Ns longer = frame == 12 ? 3 * ms : 0;
            const Ns fence = at + 300 * us + (waits ? longer : 0);
            program.range("frame " + std::to_string(frame), {at, at + ms + longer});
            program.libraryCall("Vulkan", "vkWaitForFences", {at + 100 * us, fence});
            program.libraryCall("Vulkan labels", "shadows", {at, at + 950 * us + longer});
            if (!waits)
                program.event(EventKind::OsRuntime, "read", {fence, fence + 100 * us + longer});
            at += ms + longer;
        }
        const auto found = run(*program.finish(), "nvtx_outlier_steps");
        QCOMPARE(found.size(), std::size_t{1});
        QVERIFY2(holds(found[0].title, waits ? "vkWaitForFences 3 ms" : "read 3 ms"),
            plain(found[0].title).c_str());
        QCOMPARE(holds(found[0].message, "waits for the GPU"), waits);
    }
}

void FairFindingsTest::copiesWaitBehindNewEvents()
{
    // The wait for an event behind a pageable copy goes with it, whether the event is new or not.
    const auto saving = [](bool creates) {
        DrawnProgram program;
        for (int i = 0; i < 40; ++i) {
            const Ns at = i * ms;
            program.kernel("work", at, {at + 10 * us, at + 200 * us});
            program.copy({at + 200 * us, at + 220 * us}, {at + 210 * us, at + 400 * us},
                {.kind = CopyKind::DtoH, .host = MemoryKind::Pageable});
            if (creates)
                program.call("cudaEventCreateWithFlags", {at + 220 * us, at + 221 * us});
            program.call("cudaEventRecord", {at + 221 * us, at + 222 * us});
            program.call("cudaEventSynchronize", {at + 222 * us, at + 410 * us});
            program.kernel("more", at + 420 * us, {at + 430 * us, at + 950 * us});
        }
        const auto found = run(*program.finish(), "pageable_copies");
        return found.empty() ? Ns{0} : found[0].saving;
    };
    QVERIFY(saving(false) > 0);
    QCOMPARE(saving(true), saving(false));
}

void FairFindingsTest::rangesThatCompile()
{
    for (const char* const name : {"compile model", "XlaCompile:#module=f#", "recompile", "JIT compilation"})
        QVERIFY2(isCompiling(name), name);
    for (const char* const name : {"eager no compile, iteration 7", "canScheduleCompileTime", "step 3"})
        QVERIFY2(!isCompiling(name), name);
}

void FairFindingsTest::earlierWorkIsNotIdle()
{
    // One step whose kernels were launched 150 ms before they run: the GPU had other work until then.
    DrawnProgram program;
    program.range("step_1", {0, 20 * ms});
    for (int i = 0; i < 100; ++i) {
        const Ns start = 160 * ms + i * ms;
        program.kernel("work", ms + i * 100 * us, {start, start + 990 * us});
    }
    const auto trace = program.finish();
    QCOMPARE(measuredOf(*trace).range.start, 160 * ms);
    QVERIFY(run(*trace, "gpu_time_util").empty());
}

void FairFindingsTest::kernelsThatARangeCuts()
{
    DrawnProgram program;
    program.kernel("longer", 0, {ms, 11 * ms});
    program.kernel("inside", 2 * ms, {11 * ms, 14 * ms});
    const auto trace = program.finish();
    const Rule* const rule = findRule("top_kernels");
    const auto findings = runRules(*trace, {10 * ms, 16 * ms}, std::span(&rule, 1));
    QCOMPARE(findings.size(), std::size_t{1});
    QVERIFY2(holds(findings.front().title, "inside takes 75"), plain(findings.front().title).c_str());
    QVERIFY2(holds(findings.front().message, "longer 25"), plain(findings.front().message).c_str());
}

void FairFindingsTest::stepsThatARangeCutsAreNotJudged()
{
    const auto trace = shared("h200/bert_fp32");
    NEEDS(trace);
    const Rule* const rule = findRule("nvtx_outlier_steps");
    // The longest step takes 1.4 times the median, for any part of the run; pieces are far shorter.
    for (const Ns from : {50 * ms, 96 * ms, 100 * ms, 150 * ms, 200 * ms}) {
        for (const Ns length : {60 * ms, 100 * ms, 110 * ms, 147 * ms}) {
            const TimeRange window{from, std::min(from + length, trace->session.end)};
            const std::vector<Finding> findings = runRules(*trace, window, std::span(&rule, 1));
            QVERIFY2(findings.empty(), findings.empty() ? "" : plain(findings.front().title).c_str());
        }
    }
}

void FairFindingsTest::slowOperatorsComeBehindTheirCause()
{
    // Where another rule knows why operators are slow, it comes first.
    for (const char* const name : {"ddp_overlap_rank0", "ddp_overlap_rank1"}) {
        auto loaded = loadReport(WARPLINE_SHARED_REPORTS "/kineto/" + std::string(name) + ".json.gz");
        const auto trace = loaded.ok() ? loaded.take() : nullptr;
        NEEDS(trace);
        const std::vector<Finding> findings = runRules(*trace, wholeOf(*trace));
        const auto cause = std::ranges::find(findings, "no_tensor_cores", &Finding::rule);
        const auto slow = std::ranges::find(findings, "below_roofline", &Finding::rule);
        QVERIFY(cause != findings.end());
        QVERIFY2(slow == findings.end() || cause < slow, name);
        for (const Finding& finding : findings)
            QVERIFY(!finding.expected
                || (finding.expected->low <= finding.expected->expected
                    && finding.expected->expected <= finding.saving));
    }
}

/// The replay saves 125 ms, the input takes 123 ms, and 91 ms count: because of the other rank. In the other
/// trace it saves 109 ms of the launches, for which the GPU waits 90.7 ms.
void FairFindingsTest::theReasonWhyAPartCounts()
{
    auto loaded = loadReport(WARPLINE_SHARED_REPORTS "/kineto/ddp_straggler_rank1.json.gz");
    const auto trace = loaded.ok() ? loaded.take() : nullptr;
    NEEDS(trace);
    const auto found = find(runRules(*trace, wholeOf(*trace)), "data_starvation");
    QVERIFY(found && found->expected);
    QVERIFY(found->expected->expected < 100 * ms);
    QVERIFY2(holds(found->message, "because other ranks set the pace"), plain(found->message).c_str());
    loaded = loadReport(WARPLINE_SHARED_REPORTS "/kineto/bert_amp.json.gz");
    const auto alone = loaded.ok() ? loaded.take() : nullptr;
    NEEDS(alone);
    const auto launches = find(runRules(*alone, wholeOf(*alone)), "launch_bound");
    QVERIFY(launches && launches->expected);
    QVERIFY2(holds(launches->message, "because the GPU loses only 90.7 ms to it"),
        plain(launches->message).c_str());
}

#undef NEEDS

void FairFindingsTest::launchesThatWereNotRecorded()
{
    // Of 600 short kernels, all launches were recorded, half of them, or none.
    for (const int recorded : {600, 300, 0}) {
        DrawnProgram program;
        program.info().capture.emplace_back("PROCESS_0:COLLECT_CUDA_TRACE", "true");
        for (int i = 0; i < 600; ++i)
            program.kernel("work", i * 10 * us, {i * 10 * us + 5 * us, i * 10 * us + 8 * us},
                {.isLaunchRecorded = i < recorded});
        const auto trace = program.finish();
        const auto storm = run(*trace, "kernel_storm");
        QCOMPARE(storm.size(), std::size_t{1});
        QCOMPARE(holds(storm[0].title, "launching takes"), recorded > 0);
        QCOMPARE(holds(storm[0].message, std::to_string(600 - recorded) + " of them was not recorded"),
            recorded < 600);
        const auto quality = run(*trace, "capture_quality");
        QVERIFY(!quality.empty());
        QCOMPARE(holds(quality[0].title, "CUDA API calls"), recorded == 0);
    }
}

void FairFindingsTest::missingNamesNameNothing()
{
    DrawnProgram program;
    program.kernel(missingName, 0, {10 * us, ms});
    program.event(EventKind::Overhead, missingName, {ms, 5 * ms});
    program.kernel("gemm_f32", 2 * ms, {2 * ms + 10 * us, 3 * ms});
    program.kernel(missingName, 5 * ms, {5 * ms + 10 * us, 6 * ms});
    const auto trace = program.finish();
    QVERIFY(!isProfilersOwn(missingName));
    QVERIFY(ncuCommandOf(*trace, 0, {}).find("--kernel-name") == std::string::npos);
    QVERIFY(ncuCommandOf(*trace, 2, {}).find("--launch-skip 2 ") != std::string::npos); // all that ncu counts
    for (const Finding& finding : run(*trace, "capture_quality"))
        QVERIFY(finding.subject.name != "overhead");
}

void FairFindingsTest::gpusOfProcessesMayDiffer()
{
    // Two processes use their GPU 0 at once: the only GPU, or one of two.
    for (const std::size_t gpus : {std::size_t{1}, std::size_t{2}}) {
        DrawnProgram program;
        for (int i = 0; i < 10; ++i) {
            const Ns at = i * ms;
            program.kernel("work", at, {at + 10 * us, at + 900 * us});
            program.kernel("other", at, {at + 20 * us, at + 800 * us}, {.tid = 1U << 24U | 1U});
        }
        Trace trace = *program.finish();
        trace.devices.resize(gpus);
        const std::vector<Finding> found = run(trace, "shared_gpu");
        QVERIFY(!found.empty());
        QCOMPARE(found[0].confidence == Confidence::Possible, gpus > 1);
    }
}

void FairFindingsTest::copiesHideBehindKernelsOfTheirGpu()
{
    // A process copies while another computes, both on their GPU 0: the only GPU, or one of two.
    for (const std::size_t gpus : {std::size_t{1}, std::size_t{2}}) {
        DrawnProgram program;
        for (int i = 0; i < 10; ++i) {
            const Ns at = i * ms;
            program.copy({at, at + 5 * us}, {at + 20 * us, at + 700 * us});
            program.kernel("work", at + 5 * us, {at + 800 * us, at + 900 * us});
            program.kernel("other", at, {at + 10 * us, at + 750 * us}, {.tid = 1U << 24U | 1U});
        }
        Trace trace = *program.finish();
        trace.devices.resize(gpus);
        QCOMPARE(answerOf(trace, "transfers_overlapped").answer, gpus == 1 ? Answer::Yes : Answer::No);
        QCOMPARE(answerOf(trace, "gpu_busy").answer, gpus == 1 ? Answer::Yes : Answer::No);
        TraceAnalysis facts(trace, wholeOf(trace), {});
        QCOMPARE(busyByDevice(trace, facts, wholeOf(trace)).size(), gpus);
    }
}

void FairFindingsTest::pageFaultsThatWereNotRecorded()
{
    for (const bool recorded : {true, false}) {
        DrawnProgram program;
        program.kernel("work", 0, {10 * us, ms});
        program.migration(CopyKind::UnifiedHtoD, {20 * us, 30 * us}, 65'536, 4096);
        if (recorded)
            program.faults({15 * us, 20 * us}, 1, 4096);
        const auto found = run(*program.finish(), "capture_quality");
        QVERIFY(!found.empty());
        QCOMPARE(holds(found[0].title, "unified memory page faults"), !recorded);
    }
}

void FairFindingsTest::stepsBelowZeroAreMeasured()
{
    // The same steps, from 1 s on or up to 0.
    for (const Ns begin : {1000 * ms, -200 * ms}) {
        DrawnProgram program;
        for (int i = 0; i < 20; ++i) {
            const Ns at = begin + i * 10 * ms;
            program.range("step_" + std::to_string(i), {at, at + 9 * ms});
            program.kernel("work", at + ms, {at + ms + 10 * us, at + 8 * ms});
        }
        const TimeRange measured = measuredOf(*program.finish()).range;
        QVERIFY(measured.start < begin + 100 * ms);
        QVERIFY(measured.end > begin + 190 * ms);
    }
}

void FairFindingsTest::defaultStreamStopsOnlyStreamsThatWork()
{
    // Two streams that work before each kernel of the default stream; or once, before all of them. Kernels
    // without length are kernels, too.
    for (const bool always : {true, false}) {
        for (const Ns length : {500 * us, Ns{0}}) {
            DrawnProgram program;
            program.call("cudaStreamCreate_v3020", {-100 * us, -90 * us});
            for (int i = 0; i < 40; ++i) {
                const Ns at = i * ms;
                for (const std::int32_t stream : {13, 14}) {
                    if (always || i == 0)
                        program.kernel("own", at, {at + 10 * us, at + 300 * us}, {.stream = stream});
                }
                program.kernel("work", at + 400 * us, {at + 410 * us, at + 410 * us + length});
            }
            const auto trace = program.finish();
            const bool stops
                = std::ranges::any_of(run(*trace, "streams_serialized"), [](const Finding& finding) {
                      return finding.title.key() == "streams_serialized.default_title";
                  });
            QCOMPARE(stops, always);
        }
    }
}

void FairFindingsTest::defaultStreamsOfContextsAreApart()
{
    // Two streams in turns: both of context 1, one of which is its default stream; or both are the default
    // streams of their contexts.
    for (const bool apart : {false, true}) {
        DrawnProgram program;
        for (int i = 0; i < 40; ++i) {
            const Ns at = i * 50 * us;
            const bool odd = i % 2 == 1;
            program.kernel("work", at, {at + 10 * us, at + 20 * us},
                {.stream = odd && !apart ? 13 : 7, .context = odd && apart ? 2 : 1});
        }
        const auto trace = program.finish();
        const std::vector<Finding> found = run(*trace, "streams_serialized");
        QCOMPARE(found.size(), std::size_t{1});
        QCOMPARE(found[0].cure.edits.empty(), apart);
        // What overlaps at best, and with a default stream at most as much of the idle time between turns.
        QCOMPARE(found[0].saving, (apart ? 1 : 2) * 20 * 10 * us);
    }
}

WARPLINE_TEST(FairFindingsTest)

} // namespace tst_fair_findings

#include "tst_fair_findings.moc"
