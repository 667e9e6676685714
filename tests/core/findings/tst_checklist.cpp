// The five questions, on synthetic programs with the answers yes, no or none, and on real reports of known
// programs.

#include "core/base/format.h"
#include "core/base/rounded.h"
#include "core/export/findings_html.h"
#include "core/export/findings_text.h"
#include "core/findings/checklist.h"
#include "core/findings/checklist_questions.h"
#include "core/findings/rule.h"
#include "core/load/load_report.h"
#include "core/query/event_text.h"
#include "core/render/render.h"
#include "core/rows/row_kind.h"
#include "tests/core/findings/drawn_program.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"
#include "tests/support/whole_analysis.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <tuple>

namespace tst_checklist {

using namespace warpline;
using namespace warpline::test;

namespace {

constexpr std::size_t busy = 0;
constexpr std::size_t transfers = 1;
constexpr std::size_t collectives = 2;
constexpr std::size_t waits = 3;
constexpr std::size_t fragments = 4;

std::vector<ChecklistAnswer> ask(const Trace& trace)
{
    return answerChecklist(trace, trace.session);
}

/// Ten kernels of 1 ms, one every `every`, launched well ahead.
void kernels(DrawnProgram& program, Ns every)
{
    for (int i = 0; i < 10; ++i)
        program.kernel("work", i * every - 100 * us, {i * every, i * every + ms});
}

std::string answersIn(const std::string& path)
{
    const auto trace = loadReport(path);
    if (!trace.ok())
        return {};
    std::string words;
    for (const ChecklistAnswer& answer : ask(*trace.value()))
        words += (words.empty() ? "" : ", ") + std::string(keyOf(answer.answer));
    return words;
}

} // namespace

class ChecklistTest : public QObject {
    Q_OBJECT

private slots:
    void asksFiveQuestions();
    void busyIsOverFourFifths();
    void busyLeavesTheStartOut();
    void busyFollowsTheRange();
    void eachGpuIsAskedAloneWhereWanted();
    void waitingIsNotComputing();
    void aPipelineStageThatWaitsDoesNotCompute();
    void oneGpuHasOneName();
    void migrationsStallKernels();
    void transfersHideBehindKernels();
    void collectivesHideBehindKernels();
    void waitsInALoopAreNeedless();
    void waitsForTheSameWorkCostTogether();
    void aWaitThatNoReplayLeavesOutKeepsItsBound();
    void shortKernelsAreFragments();
    void processesOfAGpuFillItsGaps();
    void kernelsAreJudgedAsByTheirFinding();
    void smallSharesAreNoBounds();
    void answersReports_data();
    void answersReports();
    void waitsCostWhatTheirFindingsSay_data();
    void waitsCostWhatTheirFindingsSay();
    void isExported();
};

void ChecklistTest::asksFiveQuestions()
{
    // Also where there is nothing at all.
    for (const auto& answers : {ask(Trace()), ask(*DrawnProgram().finish())}) {
        QCOMPARE(answers.size(), std::size_t{5});
        for (const ChecklistAnswer& answer : answers) {
            QCOMPARE(answer.answer, Answer::NotRecorded);
            QVERIFY(!answer.id.empty() && !answer.question.empty() && !answer.explanation.empty());
            QVERIFY(answer.figure.empty() && !answer.rules.empty());
            for (const std::string_view rule : answer.rules)
                QVERIFY2(findRule(rule), rule.data());
        }
    }
    std::stop_source stop;
    stop.request_stop();
    QVERIFY(answerChecklist(Trace(), {0, 1}, stop.get_token()).empty());
}

void ChecklistTest::busyIsOverFourFifths()
{
    DrawnProgram dense;
    kernels(dense, 1100 * us);
    const ChecklistAnswer yes = ask(*dense.finish())[busy];
    QCOMPARE(yes.answer, Answer::Yes);
    QCOMPARE(plain(yes.figure), std::string("91.7% computing")); // 10 of 9 * 1.1 + 1 ms
    DrawnProgram sparse;
    kernels(sparse, 2 * ms);
    const ChecklistAnswer no = ask(*sparse.finish())[busy];
    QCOMPARE(no.answer, Answer::No);
    QCOMPARE(plain(no.figure), std::string("52.6% computing")); // 10 of 19 ms

    // Of two GPUs the idle one decides.
    DrawnProgram two;
    kernels(two, 1100 * us);
    two.kernel("work", 0, {0, 3 * ms}, {.device = 1});
    const ChecklistAnswer least = ask(*two.finish())[busy];
    QCOMPARE(least.answer, Answer::No);
    QVERIFY(plain(least.explanation).find("GPU 1") != std::string::npos);
}

void ChecklistTest::busyLeavesTheStartOut()
{
    // Half a second of silence after the first kernel, then steps without a gap.
    DrawnProgram program;
    program.kernel("warm", -500 * ms, {-500 * ms + 5 * us, -499 * ms});
    for (int i = 0; i < 10; ++i) {
        program.range("step_" + std::to_string(i), {i * ms, (i + 1) * ms});
        program.kernel("work", i * ms, {i * ms + 5 * us, (i + 1) * ms});
    }
    const auto trace = program.finish();
    const ChecklistAnswer answer = ask(*trace)[busy];
    QCOMPARE(answer.answer, Answer::Yes);
    QCOMPARE(answer.over, (TimeRange{0, 10 * ms}));
    QVERIFY(plain(answer.explanation).find("10 steady steps (step_#)") != std::string::npos);
}

void ChecklistTest::busyFollowsTheRange()
{
    DrawnProgram program;
    kernels(program, 10 * ms);
    const auto trace = program.finish();
    QCOMPARE(plain(answerChecklist(*trace, {0, ms})[busy].figure), std::string("100% computing"));
    QCOMPARE(plain(answerChecklist(*trace, {0, 4 * ms})[busy].figure), std::string("25.0% computing"));
    // Between two kernels the GPU idles, and before the first no less.
    for (const TimeRange idle : {TimeRange{4 * ms, 6 * ms}, TimeRange{-60 * ms, -50 * ms}}) {
        const ChecklistAnswer answer = answerChecklist(*trace, idle)[busy];
        QCOMPARE(answer.answer, Answer::No);
        QCOMPARE(plain(answer.figure), std::string("0.0% computing"));
        QCOMPARE(answer.over, idle);
        QVERIFY2(plain(answer.explanation).find("computes for nothing of") != std::string::npos,
            plain(answer.explanation).c_str());
    }
}

void ChecklistTest::transfersHideBehindKernels()
{
    DrawnProgram beside;
    DrawnProgram after;
    DrawnProgram alone;
    for (int i = 0; i < 10; ++i) {
        const Ns at = i * 2 * ms;
        beside.kernel("work", at - 10 * us, {at, at + ms});
        beside.copy({at, at + 5 * us}, {at + 200 * us, at + 700 * us}, {.stream = 9});
        after.kernel("work", at - 10 * us, {at, at + ms});
        after.copy({at, at + 5 * us}, {at + ms, at + 1500 * us});
        alone.copy({at, at + 5 * us}, {at + ms, at + 1500 * us});
    }
    QCOMPARE(ask(*beside.finish())[transfers].answer, Answer::Yes);
    const ChecklistAnswer no = ask(*after.finish())[transfers];
    QCOMPARE(no.answer, Answer::No);
    QCOMPARE(plain(no.figure), std::string("33.3% exposed")); // 0.5 of each 1.5 ms of work
    const ChecklistAnswer none = ask(*alone.finish())[transfers];
    QCOMPARE(none.answer, Answer::NotApplicable);
    QVERIFY(plain(none.explanation).starts_with("Does not apply"));

    // Nothing of 60 us hides, but that is negligible compared with 20 ms of kernels.
    DrawnProgram small;
    for (int i = 0; i < 20; ++i)
        small.kernel("work", i * ms - 10 * us, {i * ms, i * ms + 900 * us});
    for (int i = 0; i < 2; ++i)
        small.copy({i * ms, i * ms + 5 * us}, {i * ms + 930 * us, i * ms + 960 * us});
    const ChecklistAnswer negligible = ask(*small.finish())[transfers];
    QCOMPARE(negligible.answer, Answer::Negligible);
    QCOMPARE(std::string(keyOf(negligible.answer)), std::string("negligible"));
    QVERIFY(plain(negligible.explanation).find("too little to matter") != std::string::npos);
}

void ChecklistTest::migrationsStallKernels()
{
    // A kernel waits 4 ms of 10 ms for pages; prefetches before it delay nothing.
    DrawnProgram program;
    program.kernel("touch", 0, {10 * us, 10 * ms + 10 * us});
    program.copy({0, 5 * us}, {2 * ms, 6 * ms}, {.kind = CopyKind::UnifiedHtoD, .stream = 0});
    const auto trace = program.finish();
    const auto answers = ask(*trace);
    QCOMPARE(answers[busy].answer, Answer::No);
    QCOMPARE(plain(answers[busy].figure), std::string("60.0% computing"));
    QVERIFY2(
        plain(answers[busy].explanation).find("4 ms in kernels that wait for pages") != std::string::npos,
        plain(answers[busy].explanation).c_str());
    QCOMPARE(answers[transfers].answer, Answer::No);
    QCOMPARE(plain(answers[transfers].figure), std::string("40.0% exposed"));
    QVERIFY2(
        plain(answers[transfers].explanation)
                .find(
                    "(1 migration to the GPU without a prefetch). That is 40.0% of the time in which kernels run.")
            != std::string::npos,
        plain(answers[transfers].explanation).c_str());
    // And the time of the migrations is no GPU that is hardly in use.
    for (const Finding& finding : runRules(*trace, trace->session))
        QVERIFY2(finding.rule != "gpu_time_util", plain(finding.title).c_str());
}

void ChecklistTest::eachGpuIsAskedAloneWhereWanted()
{
    DrawnProgram program;
    for (int i = 0; i < 10; ++i) {
        program.kernel("long", i * ms - 100 * us, {i * ms, i * ms + 950 * us});
        program.kernel("short", i * ms - 90 * us, {i * ms, i * ms + 100 * us}, {.device = 1});
    }
    const auto trace = program.finish();
    const auto busyOf = [&](const TrackFilter& covers) {
        return answerChecklist(*trace, trace->session, {}, {}, {}, covers)[busy];
    };
    QCOMPARE(busyOf({}).answer, Answer::No); // the one that computes least
    const auto isOn = [](std::int32_t device) {
        return [device](const Track& track) { return track.device < 0 || track.device == device; };
    };
    QCOMPARE(busyOf(isOn(0)).answer, Answer::Yes);
    QCOMPARE(busyOf(isOn(1)).answer, Answer::No);
    QVERIFY(std::abs(busyOf(isOn(1)).percent - busyOf({}).percent) < 1e-9);
    QCOMPARE(busyOf([](const Track&) { return false; }).answer, Answer::NotApplicable);
}

void ChecklistTest::waitingIsNotComputing()
{
    // Ten rounds of 10 ms: 1 ms of work, then an all-reduce that takes 1 ms once and waits 8 ms else.
    DrawnProgram program;
    for (int i = 0; i < 10; ++i) {
        const Ns at = i * 10 * ms;
        program.kernel("work", at - 10 * us, {at, at + ms});
        program.kernel("ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)", at - 5 * us,
            {at + ms, at + (i == 0 ? 2 * ms : 10 * ms)}, {.stream = 20});
    }
    const auto trace = program.finish();
    const ChecklistAnswer answer = ask(*trace)[busy];
    QCOMPARE(answer.answer, Answer::No);
    QCOMPARE(plain(answer.figure), std::string("10.0% computing"));
    std::map<std::string_view, Ns> parts;
    for (const ChecklistPart& part : answer.parts)
        parts[part.key] = part.time;
    QCOMPARE(parts["computing"], 10 * ms);
    QCOMPARE(parts["communicating"], 82 * ms);
    QCOMPARE(parts["waiting"], 72 * ms);
    QCOMPARE(parts["idle"], 8 * ms);
    QCOMPARE(
        parts["computing"] + parts["communicating"] + parts["stalled"] + parts["copying"] + parts["idle"],
        answer.over.duration());
    QVERIFY2(plain(answer.explanation).find("at least about 72 ms of it waiting") != std::string::npos,
        plain(answer.explanation).c_str());
    // The reports of the other ranks give the exact wait: 3 ms each time, one of them before its kernel.
    WaitsByGpu known;
    for (int i = 0; i < 10; ++i)
        known[{trace->kernels().tracks.front().owner, 0}].push_back(
            {i * 10 * ms + (i == 0 ? 0 : ms), i * 10 * ms + 4 * ms});
    const auto exact = answerChecklist(*trace, trace->session, {}, {}, known);
    QVERIFY2(plain(exact[busy].explanation).find("communicating, 28 ms of it waiting") != std::string::npos,
        plain(exact[busy].explanation).c_str());
}

void ChecklistTest::aPipelineStageThatWaitsDoesNotCompute()
{
    const std::string path = WARPLINE_SHARED_REPORTS "/h200-more/pipe_rank0/pipe_rank0.sqlite";
    if (!QFile::exists(QString::fromStdString(path)))
        QSKIP("needs ../shared/reports/h200-more, which is not there");
    const auto trace = loadReport(path);
    QVERIFY(trace.ok());
    const ChecklistAnswer answer = ask(*trace.value())[busy];
    QCOMPARE(answer.answer, Answer::No);
    // All kernels but those of NCCL run on one stream, so their durations add up.
    const std::string range = std::to_string(answer.over.start) + " AND " + std::to_string(answer.over.end);
    const long long computing = sqlInteger(path,
        "SELECT sum(k.end - k.start) FROM CUPTI_ACTIVITY_KIND_KERNEL k JOIN StringIds s ON s.id = "
        "k.demangledName "
        "WHERE s.value NOT LIKE '%nccl%' AND k.start BETWEEN "
            + range);
    QCOMPARE(answer.parts.front().key, std::string_view("computing"));
    QCOMPARE(answer.parts.front().time, static_cast<Ns>(computing));
    QVERIFY(answer.percent < 5);
}

void ChecklistTest::oneGpuHasOneName()
{
    const std::string path = WARPLINE_SHARED_REPORTS "/h200-more/um/um.sqlite";
    if (!QFile::exists(QString::fromStdString(path)))
        QSKIP("needs ../shared/reports/h200-more, which is not there");
    const auto trace = loadReport(path); // CUDA device 0 of the process is GPU 1 of the machine
    QVERIFY(trace.ok());
    QVERIFY(plain(ask(*trace.value())[busy].explanation).starts_with("GPU 1 "));
    for (const Finding& finding : runRules(*trace.value(), trace.value()->session)) {
        QVERIFY2(plain(finding.title).find("GPU 0") == std::string::npos, plain(finding.title).c_str());
        QVERIFY(finding.device == -1 || finding.device == 1);
    }
    const auto rows = buildRows(*trace.value());
    std::string labels;
    for (const RowId row : rows->subtree(RowTree::root))
        labels += plain(rows->row(row).label) + "\n";
    QVERIFY(labels.find("\nGPU 1") != std::string::npos);
    QVERIFY(labels.find("\nGPU 0") == std::string::npos);
    const auto details = detailsOf(*trace.value(), {EventKind::Kernel, 0});
    const auto device
        = std::ranges::find(details, "Device", [](const TextRow& row) { return plain(row.label); });
    QVERIFY(device != details.end());
    const std::string gpu = plain(device->value);
    QVERIFY2(gpu.starts_with("GPU 1 (CUDA device 0 of its process)"), gpu.c_str());
}

void ChecklistTest::collectivesHideBehindKernels()
{
    DrawnProgram beside;
    DrawnProgram after;
    for (int i = 0; i < 10; ++i) {
        const Ns at = i * 2 * ms;
        for (DrawnProgram* const program : {&beside, &after}) {
            const Ns from = program == &beside ? at + 100 * us : at + ms;
            program->kernel("work", at - 10 * us, {at, at + ms});
            program->kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL", at - 5 * us, {from, from + 500 * us},
                {.stream = 20});
        }
    }
    QCOMPARE(ask(*beside.finish())[collectives].answer, Answer::Yes);
    const ChecklistAnswer no = ask(*after.finish())[collectives];
    QCOMPARE(no.answer, Answer::No);
    QCOMPARE(plain(no.figure), std::string("25.6% exposed")); // 5 of 19.5 ms
    DrawnProgram none;
    kernels(none, ms);
    QCOMPARE(ask(*none.finish())[collectives].answer, Answer::NotApplicable);
}

void ChecklistTest::waitsInALoopAreNeedless()
{
    DrawnProgram ahead;
    kernels(ahead, ms);
    QCOMPARE(ask(*ahead.finish())[waits].answer, Answer::Yes);

    DrawnProgram reads;
    for (int i = 0; i < 10; ++i) {
        const Ns at = i * ms;
        reads.range("step_" + std::to_string(i), {at, at + ms});
        reads.kernel("work", at, {at + 10 * us, at + 700 * us});
        reads.copy({at + 20 * us, at + 25 * us}, {at + 700 * us, at + 701 * us},
            {.kind = CopyKind::DtoH, .bytes = 4});
        reads.call("cudaStreamSynchronize_v3020", {at + 30 * us, at + 705 * us});
    }
    const ChecklistAnswer no = ask(*reads.finish())[waits];
    QCOMPARE(no.answer, Answer::No);
    QVERIFY2(plain(no.explanation).find("once per step") != std::string::npos, plain(no.explanation).c_str());
}

/// Without one of two waits for the same kernel the other one still waits: together they cost the pause.
void ChecklistTest::waitsForTheSameWorkCostTogether()
{
    constexpr Ns step = 5'168 * us;
    DrawnProgram program;
    for (int i = 0; i < 20; ++i) {
        const Ns at = i * step;
        program.range("step_" + std::to_string(i), {at, at + step});
        program.kernel("work", at + us, {at + 5 * us, at + 155 * us});
        program.call("cudaStreamSynchronize_v3020", {at + 10 * us, at + 157 * us});
        program.call("cudaDeviceSynchronize_v3020", {at + 158 * us, at + 159 * us});
        program.call("cudaDeviceSynchronize_v3020", {at + 250 * us, at + 254 * us});
        for (Ns launched = at + 258 * us; launched < at + 5'158 * us; launched += 100 * us)
            program.kernel("work", launched, {launched + 5 * us, launched + 35 * us});
    }
    const auto trace = program.finish();
    const Rule* const rule = findRule("sync_per_iteration");
    const auto found = runRules(*trace, trace->session, std::span(&rule, 1));
    QCOMPARE(found.size(), std::size_t{2});
    Ns alone = 0;
    for (const Finding& finding : found) {
        QVERIFY(finding.expected);
        alone += finding.expected->high;
    }
    QVERIFY(alone < 20 * step / 100);
    QCOMPARE(keyOf(ask(*trace)[waits].answer), keyOf(Answer::No));
}

/// The host reads pages of unified memory after one of two waits, so a replay keeps that wait. That the other
/// one saves little says nothing about it.
void ChecklistTest::aWaitThatNoReplayLeavesOutKeepsItsBound()
{
    DrawnProgram program;
    for (int i = 0; i < 20; ++i) {
        const Ns at = i * 5 * ms;
        program.range("step_" + std::to_string(i), {at, at + 5 * ms});
        program.kernel("work", at + us, {at + 5 * us, at + 2'005 * us});
        program.call("cudaStreamSynchronize_v3020", {at + 10 * us, at + 2'007 * us});
        program.migration(CopyKind::UnifiedDtoH, {at + 2'050 * us, at + 2'060 * us}, 65'536, 1 << 16);
        program.kernel("work", at + 2'200 * us, {at + 2'205 * us, at + 4'205 * us});
        program.call("cudaDeviceSynchronize_v3020", {at + 2'210 * us, at + 4'207 * us});
        program.kernel("work", at + 4'208 * us, {at + 4'213 * us, at + 4'990 * us});
    }
    const ChecklistAnswer answer = ask(*program.finish())[waits];
    QCOMPARE(keyOf(answer.answer), keyOf(Answer::No));
    QCOMPARE(plain(answer.figure), std::string("up to 4.4% lost"));
}

void ChecklistTest::shortKernelsAreFragments()
{
    DrawnProgram storm;
    DrawnProgram graph;
    DrawnProgram dense;
    Ns end = 0;
    for (int i = 0; i < 1000; ++i) {
        const Ns at = i * 10 * us;
        storm.kernel("tiny", at - 5 * us, {at, at + 3 * us});
        graph.kernel("tiny", at - 5 * us, {at, at + 3 * us}, {.graphNode = 5});
        // Many are short, but the GPU is never without work and long ones take the time.
        const Ns length = i % 10 < 7 ? 3 * us : 100 * us;
        dense.kernel("mixed", end - 50 * us, {end, end + length});
        end += length;
    }
    const ChecklistAnswer no = ask(*storm.finish())[fragments];
    QCOMPARE(no.answer, Answer::No);
    QCOMPARE(plain(no.figure), std::string("100% short"));
    QCOMPARE(ask(*graph.finish())[fragments].answer, Answer::Yes);
    // Next to a yes the value says why it is one.
    DrawnProgram mostlyLong;
    DrawnProgram fewShort;
    for (auto& [program, every] : {std::pair(&mostlyLong, 2), std::pair(&fewShort, 4)}) {
        Ns at = 0;
        for (int i = 0; i < 40; ++i) {
            const Ns length = (every == 2) == (i % every == 0) ? 3 * us : 100 * us;
            program->kernel("mixed", at - 50 * us, {at, at + length});
            at += length;
        }
    }
    const ChecklistAnswer within = ask(*mostlyLong.finish())[fragments];
    QCOMPARE(within.answer, Answer::Yes);
    QCOMPARE(plain(within.figure), std::string("50.0% short, limit 60.0%"));
    const ChecklistAnswer few = ask(*fewShort.finish())[fragments];
    QCOMPARE(few.answer, Answer::Yes);
    QCOMPARE(plain(few.figure), std::string("only 30 short"));
    const ChecklistAnswer harmless = ask(*dense.finish())[fragments];
    QVERIFY2(harmless.answer == Answer::Negligible, plain(harmless.explanation).c_str());
    // Kernel time is that of the overview: without kernels that communicate, which wait for others.
    const std::string path = WARPLINE_TEST_DATA "/reports/ddp_overlap_rank0.sqlite";
    const auto ranks = loadReport(path);
    QVERIFY(ranks.ok());
    const std::string computing
        = " FROM CUPTI_ACTIVITY_KIND_KERNEL k JOIN StringIds s ON s.id = k.demangledName "
          "WHERE s.value NOT LIKE '%nccl%'";
    const long long all = sqlInteger(path, "SELECT COUNT(*)" + computing);
    const long long brief = sqlInteger(path, "SELECT COUNT(*)" + computing + " AND end - start < 10000");
    const auto time = static_cast<double>(sqlInteger(path, "SELECT SUM(end - start)" + computing));
    const auto briefTime = static_cast<double>(
        sqlInteger(path, "SELECT SUM(end - start)" + computing + " AND end - start < 10000"));
    const std::string expected = formatCount(static_cast<std::uint64_t>(brief)) + " of "
        + formatCount(static_cast<std::uint64_t>(all))
        + " kernels run for less than 10 \u00b5s: " + formatShare(briefTime / time) + " of kernel time.";
    const std::string explanation = plain(ask(*ranks.value())[fragments].explanation);
    QVERIFY2(explanation.starts_with(expected), (explanation + "\n" + expected).c_str());
}

void ChecklistTest::processesOfAGpuFillItsGaps()
{
    const auto mapped = [](DrawnProgram& program) { // the numbers of both processes are those of the machine
        auto trace = std::make_shared<Trace>(*program.finish());
        trace->ordinals = {{100, 0, 0}, {101, 0, 0}, {101, 1, 1}};
        return trace;
    };
    // What another process does on the same GPU, or on another one.
    for (const std::int32_t device : {0, 1}) {
        const KernelLook other{.device = device, .tid = 1U << 24U | 1U};
        DrawnProgram brief;
        for (int i = 0; i < 600; ++i) {
            const Ns at = i * 20 * us;
            brief.kernel("work", at, {at + 4 * us, at + 8 * us});
            brief.kernel("other", at, {at + 8 * us, at + 16 * us}, other);
            brief.kernel("other", at + 2 * us, {at + 16 * us, at + 24 * us}, other);
        }
        const auto shorts = mapped(brief);
        QCOMPARE(ask(*shorts)[fragments].answer, device == 0 ? Answer::Negligible : Answer::No);
        const Rule* const paced = findRule("launch_bound");
        QCOMPARE(runRules(*shorts, shorts->session, std::span(&paced, 1)).empty(), device == 0);

        DrawnProgram copying;
        for (int i = 0; i < 10; ++i) {
            const Ns at = i * ms;
            copying.kernel("other", at, {at + 50 * us, at + 550 * us}, other);
            copying.copy({at, at + 10 * us}, {at + 100 * us, at + 500 * us});
            copying.kernel("work", at + 20 * us, {at + 600 * us, at + 900 * us});
        }
        QCOMPARE(ask(*mapped(copying))[transfers].answer, device == 0 ? Answer::Yes : Answer::No);
    }
}

/// The idle time right after short kernels is little; what the finding expects to save may be much.
void ChecklistTest::kernelsAreJudgedAsByTheirFinding()
{
    int covered = 0;
    for (const auto& [name, expected] : {std::pair("kineto/cnn_workers0.json.gz", Answer::No),
             std::pair("public/GindaChen__nsys-ai__tests_fixtures_h100_2gpu_1s__3dc0af94.sqlite",
                 Answer::Negligible)}) {
        const std::string path = WARPLINE_SHARED_REPORTS "/" + std::string(name);
        if (!QFile::exists(QString::fromStdString(path)))
            continue;
        ++covered;
        const auto trace = loadReport(path);
        QVERIFY2(trace.ok(), name);
        const ChecklistAnswer answer = ask(*trace.value())[fragments];
        const Rule* const storm = findRule("kernel_storm");
        const auto found = runRules(*trace.value(), trace.value()->session, std::span(&storm, 1));
        QCOMPARE(found.size(), std::size_t{1});
        QCOMPARE(answer.answer, expected);
        QVERIFY(found.front().expected);
        QCOMPARE(found.front().expected->expected * 100 >= answer.over.duration(), expected == Answer::No);
    }
    if (covered == 0)
        QSKIP("needs ../shared/reports, which is not there");
}

/// A share that is shown as "<0.1%" follows no "up to".
void ChecklistTest::smallSharesAreNoBounds()
{
    for (const auto& [share, of, expected] : {std::tuple(0.0004, "bound", "small"),
             std::tuple(0.0004, "expected", "small"), std::tuple(0.0006, "bound", "bound"),
             std::tuple(0.0, "expected", "expected"), std::tuple(0.0004, "exposed", "exposed")}) {
        ChecklistAnswer answer;
        setFigure(answer, share, of);
        const auto named = std::ranges::find(answer.figure.values(), "of", &Argument::name);
        QVERIFY(named != answer.figure.values().end());
        QCOMPARE(named->value.name, std::string(expected));
        QCOMPARE(answer.percent, 100 * share);
    }
}

void ChecklistTest::answersReports_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("answers");
    const auto own = [](const char* name, const char* answers) {
        QTest::newRow((std::string("own ") + name).c_str())
            << QString(WARPLINE_TEST_DATA "/reports/") + name + ".sqlite" << QString(answers);
    };
    const auto shared = [](const char* name, const char* answers) {
        QTest::newRow(name) << QString::fromStdString(sharedReport(name)) << QString(answers);
    };
    // In the order: busy, transfers, collectives, waits, fragments.
    own("bert_fp32", "yes, negligible, not_applicable, yes, yes");
    own("ddp_overlap_rank0", "no, negligible, yes, yes, yes");
    own("evict", "no, no, not_applicable, negligible, yes"); // a replay without the waits saves nothing
    own("streams", "no, no, not_applicable, negligible, yes"); // its copies overlap one another, not kernels
    shared("bert_amp", "no, negligible, not_applicable, yes, no");
    // Little idle time right after short kernels, but a replay with graphs saves 3%: as the finding says.
    shared("cnn_workers0", "no, negligible, not_applicable, yes, no");
    shared(
        "decode", "no, negligible, not_applicable, negligible, no"); // .item() after each token, at no cost
    shared("launch_eager", "no, not_applicable, not_applicable, yes, no");
    shared("launch_graph", "yes, not_applicable, not_applicable, yes, not_applicable");
    shared("reduce_v2", "no, no, not_applicable, yes, yes");
    shared("ddp_straggler_rank0", "no, negligible, no, yes, yes"); // it waits inside the all-reduce
    shared("storm_80k", "no, not_applicable, not_applicable, yes, no");
}

void ChecklistTest::answersReports()
{
    QFETCH(QString, path);
    QFETCH(QString, answers);
    if (path.isEmpty())
        QSKIP("needs ../shared/reports/h200, which is not there");
    QCOMPARE(QString::fromStdString(answersIn(path.toStdString())), answers);
}

void ChecklistTest::waitsCostWhatTheirFindingsSay_data()
{
    QTest::addColumn<QString>("rule");
    QTest::addColumn<QString>("text");
    QTest::newRow("decode") << "sync_per_iteration"
                            << "once per step. The GPU is idle for up to %1 around all waits";
    QTest::newRow("launch_eager") << "cuda_api_sync"
                                  << "waits in 1 call, and the GPU is idle for up to %1 around it";
    QTest::newRow("h200-more/um") << "cuda_api_sync"
                                  << "waits in 5 calls, and the GPU is idle for up to %1 around them";
    QTest::newRow("h200-more/fsdp_rank1")
        << "sync_per_iteration"
        << "in [2046] pt_autograd_1 (2.05 ms). The host waits for an event 8.0 times per step, in [1888] "
           "python3 (1.7 ms). The GPU is idle for up to 2.79 ms around all waits"; // some of it both
}

/// One value: the answer is the sum of the findings below it, up to the last wait of the range.
void ChecklistTest::waitsCostWhatTheirFindingsSay()
{
    const auto loaded = loadReport(sharedReport(QTest::currentDataTag()));
    if (!loaded.ok())
        QSKIP("needs ../shared/reports, which is not there");
    QFETCH(QString, rule);
    QFETCH(QString, text);
    const Trace& trace = *loaded.value();
    const TimeRange whole{trace.session.start, trace.session.end + 1};
    const std::string id = rule.toStdString();
    const Rule* const found = findRule(id);
    Ns cost = 0;
    for (const Finding& finding : runRules(trace, whole, std::span(&found, 1)))
        cost += finding.saving;
    const QString told = QString::fromStdString(plain(answerChecklist(trace, whole)[waits].explanation));
    const QString expected = text.arg(QString::fromStdString(roundedDuration(cost)));
    QVERIFY2(told.contains(expected), qPrintable(told + " / " + expected));
}

void ChecklistTest::isExported()
{
    DrawnProgram program;
    kernels(program, 2 * ms);
    const auto trace = program.finish();
    const auto answers = ask(*trace);
    const QJsonObject json = QJsonDocument::fromJson(
        QByteArray::fromStdString(findingsJson(*trace, AnalysisText{{}, answers}).dump()))
                                 .object();
    QCOMPARE(json.keys(),
        (QStringList{"capture_command", "checklist", "events", "failed_by", "file", "findings", "gpu_work",
            "machine", "measured", "nsys_version", "overview", "part_of_range_ns", "profiler", "range_ns",
            "rules", "savings", "started_utc", "steps", "thresholds"}));
    const QJsonArray list = json["checklist"].toArray();
    QCOMPARE(list.size(), 5);
    QCOMPARE(list[0]["answer"].toString(), QString("no"));
    QCOMPARE(list[1]["answer"].toString(), QString("not_applicable"));
    QCOMPARE(list[0]["figure"].toString(), QString("52.6% computing"));
    QVERIFY(std::abs(list[0]["value"].toDouble() - 1000.0 / 19) < 1e-9);
    QCOMPARE(list[0]["unit"].toString(), QString("%"));
    QCOMPARE(list[0]["budget"]["computing"].toInt(), 10'000'000);
    QVERIFY(list[1]["value"].isNull());
    for (const QJsonValue& value : list) {
        QCOMPARE(value.toObject().keys(),
            (QStringList{"answer", "budget", "explanation", "figure", "id", "question", "range_ns", "rules",
                "unit", "value"}));
    }
    for (const std::string& text : {findingsTable(*trace, {}, answers),
             findingsMarkdown(*trace, {{}, answers}), findingsHtml(*trace, {}, answers)}) {
        for (const ChecklistAnswer& answer : answers)
            QVERIFY(text.find(plain(answer.question)) != std::string::npos
                && text.find(plain(answer.figure)) != std::string::npos);
    }
}

WARPLINE_TEST(ChecklistTest)

} // namespace tst_checklist

#include "tst_checklist.moc"
