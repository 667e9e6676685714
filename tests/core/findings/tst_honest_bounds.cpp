// Bounds must also hold for unusual programs: blocks that share a multiprocessor, waits that are not rounds,
// a GPU that draws, buffers that are copied once, work before the steps.

#include "core/analysis/idle_gaps.h"
#include "core/analysis/trace_analysis.h"
#include "core/findings/kernel_judgement.h"
#include "core/findings/lost_work.h"
#include "core/findings/merge_findings.h"
#include "core/findings/rule.h"
#include "core/load/load_report.h"
#include "core/render/render.h"
#include "tests/core/findings/drawn_program.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <string>

namespace tst_honest_bounds {

using namespace warpline;
using namespace warpline::test;

namespace {

std::vector<Finding> run(const Trace& trace, std::string_view rule)
{
    const Rule* const found = findRule(rule);
    return runRules(trace, trace.session, std::span(&found, 1));
}

bool holds(const Message& text, std::string_view part)
{
    return plain(text).find(part) != std::string::npos;
}

/// Twelve rounds: a copy, a kernel of 5 ms, and own code for `pause(round)`.
template <typename Pause> std::shared_ptr<const Trace> roundsOf(Pause pause)
{
    DrawnProgram program;
    Ns at = 0;
    for (int i = 0; i < 12; ++i) {
        program.copy({at, at + 10 * us}, {at + 5 * us, at + 105 * us});
        program.kernel("compute", at + 20 * us, {at + 110 * us, at + 5 * ms});
        at += 5 * ms + pause(i);
    }
    return program.finish();
}

/// Ten steps of 1 ms, each a kernel of 390 us and a wait for it; another process computes in the rest but 20
/// us, on the same GPU or another one. Then `alone` steps of 200 us without it.
std::shared_ptr<const Trace> besideAnother(bool onOneGpu, int alone)
{
    constexpr std::uint32_t otherThread = 1U << 24U | 1U; // of process 101
    DrawnProgram program;
    Ns at = 0;
    for (int i = 0; i < 10 + alone; ++i) {
        const Ns length = i < 10 ? ms : 200 * us;
        const Ns done = at + (i < 10 ? 400 : 190) * us;
        program.range("step_" + std::to_string(i), {at, at + length});
        program.kernel("work", at, {at + 10 * us, done});
        program.call("cudaDeviceSynchronize_v3020", {at + 5 * us, done});
        if (i < 10)
            program.kernel("other", at + 390 * us, {at + 400 * us, at + 990 * us},
                {.device = onOneGpu ? 0 : 1, .tid = otherThread});
        at += length;
    }
    return program.finish();
}

/// A finding of the first `saving` of 100 ms.
Finding drawn(std::string_view rule, Ns saving)
{
    Finding finding;
    finding.rule = rule;
    finding.group = rule;
    finding.saving = saving;
    finding.measured = 100 * ms;
    finding.severity = Severity::Medium;
    finding.claims = Intervals{{0, saving}};
    return finding;
}

const Finding* ofProcess(const std::vector<Finding>& findings, std::uint32_t pid)
{
    const auto found
        = std::ranges::find(findings, pid, [](const Finding& each) { return pidOf(each.process); });
    return found == findings.end() ? nullptr : &*found;
}

} // namespace

class HonestBoundsTest : public QObject {
    Q_OBJECT

private slots:
    void headHasTheBoundOfItsCause();
    void headHasNotTheBoundOfASymptom();
    void aRangeStaysWithoutItsSaving();
    void idleTimeBehindTheLastWorkCounts();
    void otherProcessesKeepTheGpuBusy();
    void stepsBesideOthersAreNoWarmUp();
    void lastWavesOfBlocksThatShare()
    {
        // 1,100 blocks on 132 multiprocessors, eight at once: two waves, with at most 9 blocks where 8.33 are
        // the mean. 140 blocks, one at once: two waves in any case.
        for (const bool share : {true, false}) {
            DrawnProgram program;
            for (int i = 0; i < 5; ++i)
                program.kernel("work", i * 2 * ms, {i * 2 * ms + 10 * us, i * 2 * ms + 2 * ms},
                    {.blocks = share ? 1100 : 140, .sharedMemory = share ? 0 : 200'000});
            const auto found = run(*program.finish(), "tail_waves");
            QCOMPARE(found.size(), std::size_t{1});
            QCOMPARE(found[0].severity, share ? Severity::Medium : Severity::High);
            QCOMPARE(found[0].lowered.empty(), !share);
            QCOMPARE(holds(found[0].message, "Ranked medium instead of high"), share);
        }
    }

    void lastWavesThatRegistersMake()
    {
        const std::string path = sharedReport("public/blbadger__threebody__report1");
        const auto trace = loadReport(path);
        if (path.empty() || !trace.ok())
            QSKIP("needs a report of ../shared/reports that is not there");
        // 192 registers for each of 256 threads: one block on each of 28 multiprocessors; two with 128.
        const auto found = run(*trace.value(), "tail_waves");
        QCOMPARE(found.size(), std::size_t{1});
        QVERIFY2(holds(found[0].message, "40 blocks, of which 28 fit at once: 28, then 12"),
            plain(found[0].message).c_str());
        QVERIFY2(holds(found[0].remedy, "__launch_bounds__(256, 2)")
                && holds(found[0].remedy, "all 40 blocks run at once"),
            plain(found[0].remedy).c_str());
        QCOMPARE(found[0].severity, Severity::High);
    }

    void waitsThatAreNoRounds()
    {
        for (const bool even : {true, false}) {
            const auto trace = roundsOf([&](int i) { return even ? 20 * ms : (3 + i * i) * ms; });
            const auto found = run(*trace, "data_starvation");
            QCOMPARE(found.size(), std::size_t{1});
            QVERIFY2(holds(found[0].title, "between iterations") == even, plain(found[0].title).c_str());
            QVERIFY2(holds(found[0].title, "up to 103 ms") != even, plain(found[0].title).c_str());
        }
    }

    /// The replayed steps, those in the middle, load more than the others. Without it no step is shorter by
    /// more than its input took, however long the GPU waits for launches.
    void inputSavesNoMoreThanItTakes()
    {
        DrawnProgram program;
        Ns input = 0;
        Ns at = 0;
        for (int i = 0; i < 60; ++i) {
            const Ns load = i % 10 == 5 || (i >= 20 && i < 40 && i % 3 == 0) ? 8 * ms : 100 * us;
            program.range("step_" + std::to_string(i), {at, at + load + 2 * ms - 1});
            program.range("data_load", {at, at + load});
            at += load;
            program.kernel("work", at, {at + 10 * us, at + ms});
            program.call("cudaDeviceSynchronize_v3020", {at + 5 * us, at + ms + 2 * us});
            at += 2 * ms;
            input += load;
        }
        const auto found = run(*program.finish(), "data_starvation");
        QCOMPARE(found.size(), std::size_t{1});
        QVERIFY(found[0].expected);
        QVERIFY2(found[0].saving <= input && found[0].expected->high <= input,
            qPrintable(
                QString("%1 and %2 ns of %3").arg(found[0].saving).arg(found[0].expected->high).arg(input)));
        QVERIFY2(
            holds(found[0].message, "because the input takes no longer"), plain(found[0].message).c_str());
    }

    void aGpuThatDraws()
    {
        for (const bool draws : {true, false}) {
            DrawnProgram program;
            for (int i = 0; i < 30; ++i) {
                const Ns at = i * 20 * ms;
                if (draws)
                    program.call("cudaGraphicsMapResources_v3000", {at, at + 5 * us});
                program.kernel("work", at + 10 * us, {at + 12 * ms, at + 19 * ms});
            }
            const auto found = run(*program.finish(), "gpu_idle_cause");
            const auto launched = std::ranges::find_if(found,
                [](const Finding& each) { return holds(each.title, "has already launched the next work"); });
            QVERIFY(launched != found.end());
            QCOMPARE(launched->severity, draws ? Severity::Low : Severity::High);
            QCOMPARE(holds(launched->message, "busy drawing"), draws);
        }
    }

    void allocationsBesideKernels()
    {
        // Ten steps of a millisecond: 700 us of calls during a kernel of 890 us, and own code until the next
        // launch. With a wait for the kernel the calls cost nothing; without it the host would be ahead.
        for (const bool waits : {true, false}) {
            DrawnProgram program;
            for (int i = 0; i < 10; ++i) {
                const Ns at = i * ms;
                program.range("step_" + std::to_string(i), {at, at + ms});
                program.kernel("work", at + 5 * us, {at + 10 * us, at + 900 * us});
                program.call("cudaMalloc_v3020", {at + 20 * us, at + 120 * us});
                program.call("cudaFree_v3020", {at + 120 * us, at + 720 * us});
                if (waits)
                    program.call("cudaStreamSynchronize_v3020", {at + 720 * us, at + 905 * us});
            }
            const auto found = run(*program.finish(), "allocation_in_loop");
            QCOMPARE(found.size(), std::size_t{1});
            QCOMPARE(found[0].saving, waits ? Ns{0} : 9 * 110 * us);
        }
    }

    void waitsBehindEachOperator()
    {
        // A kernel of 12 us is done before the wait of 2 us begins; the host's code around the call delays
        // the launch as well. The host's pace is not a cause then.
        for (const bool waits : {true, false}) {
            DrawnProgram program;
            for (int i = 0; i < 300; ++i) {
                const Ns at = i * 40 * us;
                program.kernel("work", at, {at + 3 * us, at + 15 * us});
                if (waits)
                    program.call("cudaDeviceSynchronize_v3020", {at + 25 * us, at + 27 * us});
            }
            const auto trace = program.finish();
            const auto found = runRules(*trace, trace->session);
            QVERIFY(!found.empty());
            QCOMPARE(found[0].rule, std::string_view(waits ? "sync_per_iteration" : "launch_bound"));
            QCOMPARE(found[0].saving, 299 * 28 * us);
            QVERIFY(std::ranges::none_of(found,
                [&](const Finding& each) { return waits && each.rule == "launch_bound" && each.added > 0; }));
        }
    }

    void longCodeBehindAWaitIsNoPartOfIt()
    {
        // The host waits for 700 us and then computes for 5 ms: launching ahead would make it 700 us earlier,
        // plus its framework's code around the call.
        DrawnProgram program;
        for (int i = 0; i < 30; ++i) {
            const Ns at = i * 6 * ms;
            program.kernel("work", at, {at + 10 * us, at + 710 * us});
            program.call("cudaDeviceSynchronize_v3020", {at + 10 * us, at + 710 * us});
        }
        const auto found = run(*program.finish(), "sync_per_iteration");
        QCOMPARE(found.size(), std::size_t{1});
        QCOMPARE(found[0].saving, 29 * 750 * us);
    }

    void waitsBeforeTheStepsAreNoneOfThem()
    {
        DrawnProgram program;
        for (int i = 0; i < 7; ++i)
            program.call("cudaDeviceSynchronize_v3020", {-(i + 1) * 20 * ms, -(i + 1) * 20 * ms + 10 * ms});
        for (int i = 0; i < 10; ++i) {
            const Ns at = i * ms;
            program.range("step_" + std::to_string(i), {at, at + ms});
            for (const Ns part : {at, at + 500 * us}) {
                program.kernel("work", part + 5 * us, {part + 10 * us, part + 300 * us});
                program.call("cudaDeviceSynchronize_v3020", {part + 100 * us, part + 300 * us});
            }
        }
        const auto found = run(*program.finish(), "sync_per_iteration");
        QCOMPARE(found.size(), std::size_t{1});
        QVERIFY2(holds(found[0].message, "20 waits in 10 of 10 steady steps (step_#): 4 ms in all"),
            plain(found[0].message).c_str());
        QCOMPARE(found[0].evidenceTotal, std::uint64_t{20});
        QVERIFY(found[0].where.start >= 0);
    }

    void tinyCopiesKeepTheHostFromLaunching()
    {
        // Ten copies of a microsecond, each 30 us after the previous one: without them kernels are
        // consecutive.
        DrawnProgram program;
        for (int i = 0; i < 20; ++i) {
            Ns at = i * 400 * us;
            program.kernel("work", at, {at + 3 * us, at + 100 * us});
            for (int part = 0; part < 10; ++part) {
                at += 30 * us;
                program.copy({at, at + 6 * us},
                    {std::max(at + 4 * us, i * 400 * us + 101 * us + part * us),
                        std::max(at + 5 * us, i * 400 * us + 102 * us + part * us)},
                    {.bytes = 256});
            }
        }
        const auto found = run(*program.finish(), "tiny_copies");
        QCOMPARE(found.size(), std::size_t{1});
        // From a kernel's end to the next one.
        QVERIFY2(found[0].saving > 19 * 290 * us && found[0].saving <= 20 * 303 * us,
            qPrintable(QString::number(found[0].saving)));
    }

    void anAllToAllIsNoPipeline()
    {
        // Each group has a send and a receive; in a pipeline the first one is single.
        for (const bool isPipeline : {true, false}) {
            DrawnProgram program;
            for (int i = 0; i < 16; ++i) {
                const Ns at = i * 2 * ms;
                program.range("ncclGroupStart", {at, at + us}, "NCCL");
                program.range("ncclSend", {at + 2 * us, at + 3 * us}, "NCCL");
                if (!isPipeline || i > 0)
                    program.range("ncclRecv", {at + 4 * us, at + 5 * us}, "NCCL");
                program.range("ncclGroupEnd", {at + 6 * us, at + 12 * us}, "NCCL");
                const Ns takes = i == 0 ? 15 * us : 1515 * us;
                program.kernel("ncclDevKernel_SendRecv(P)", at + 8 * us, {at + 20 * us, at + 20 * us + takes},
                    {.stream = 20});
                program.kernel("work", at + 14 * us, {at + 30 * us + takes, at + 130 * us + takes});
            }
            const auto trace = program.finish();
            QCOMPARE(run(*trace, "pipeline_bubble").empty(), !isPipeline);
            QCOMPARE(run(*trace, "nccl_exposed").empty(), isPipeline);
        }
    }

    void smallKernelsThatRunTogether()
    {
        // Four streams with kernels of 24 blocks: at the same time they have 96 blocks for 132
        // multiprocessors.
        DrawnProgram program;
        for (int i = 0; i < 10; ++i) {
            const Ns at = i * ms;
            for (std::int32_t stream = 7; stream < 11; ++stream)
                program.kernel("work", at, {at + 10 * us, at + 910 * us}, {.stream = stream, .blocks = 24});
        }
        const auto trace = program.finish();
        const auto found = run(*trace, "tiny_grid");
        QCOMPARE(found.size(), std::size_t{1});
        // Eight such blocks fit on each.
        const Ns expected = 10 * 900 * us * (8 * 132 - 96) / (8 * 132);
        QVERIFY2(std::abs(found[0].saving - expected) < us, qPrintable(QString::number(found[0].saving)));
        QVERIFY2(holds(found[0].message, "leave 27.3% of the GPU idle, counting concurrent kernels"),
            plain(found[0].message).c_str());
        TraceAnalysis analysis(*trace, trace->session, {});
        const auto facts = judgeKernel(analysis, 0);
        QVERIFY2(holds(facts.front().text, "96.0 with the kernels that run at the same time: 27.3% of them"),
            plain(facts.front().text).c_str());
    }

    void ofAFileThatIsCutOffNothingIsKnown()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath("cut.json");
        const QByteArray whole = R"({"schemaVersion": 1, "traceEvents": [
            {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 100, "dur": 50},
            {"ph": "X", "cat": "cpu_op", "name": "aten::add", "pid": 1, "tid": 1, "ts": 200, "dur": 50}]})";
        for (const bool isCut : {true, false}) {
            QFile file(path);
            QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
            file.write(isCut ? whole.chopped(30) : whole);
            file.close();
            const auto trace = loadReport(path.toStdString());
            QVERIFY(trace.ok());
            QCOMPARE(trace.value()->info.isCut, isCut);
            QCOMPARE(holds(noGpuWork(*trace.value()), "saw no kernel"), !isCut);
            QCOMPARE(holds(noGpuWork(*trace.value()), "the file is incomplete"), isCut);
        }
    }

    void whatIsLeftOutIsNoted()
    {
        const auto noteOf = [](const std::string& condition) {
            ReportFixture report;
            report.addSmallReport();
            report.run("UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET end = 9223372036854775807 WHERE " + condition);
            const auto trace = loadReport(report.path());
            return trace.ok() ? unreadNote(*trace.value()) : Message("not read");
        };
        QVERIFY(noteOf("0").empty());
        QVERIFY(noteOf("start = 2000").key() == "file.unread_parts");
    }

    void fewRowsAndOtherFilesAreNoLoss()
    {
        const auto isNoted = [](ProblemKind kind, std::uint64_t count) {
            DrawnProgram program;
            program.kernel("work", 0, {10 * us, ms});
            program.info().tables.push_back({.name = "NVTX_EVENTS", .rows = 1000});
            program.info().problems.push_back(
                {.table = kind == ProblemKind::CaptureUnreadable ? "" : "NVTX_EVENTS",
                    .kind = kind,
                    .count = count});
            return !unreadNote(*program.finish()).empty();
        };
        QVERIFY(!isNoted(ProblemKind::RowTimeImpossible, 10));
        QVERIFY(isNoted(ProblemKind::RowTimeImpossible, 11));
        QVERIFY(!isNoted(ProblemKind::EventRecordNotPlaced, 1000));
        QVERIFY(!isNoted(ProblemKind::CaptureUnreadable, 1));
    }

    void onlyManyRowsOfWorkAreWorkThatLacks()
    {
        const auto lacks = [](const char* table, ProblemKind kind, std::uint64_t count) {
            DrawnProgram program;
            program.kernel("work", 0, {10 * us, ms});
            for (const char* const each : {"NVTX_EVENTS", "CUPTI_ACTIVITY_KIND_RUNTIME", "kernel",
                     "rocpd_kernel_dispatch_0a1b", "cpu_op"})
                program.info().tables.push_back({.name = each, .rows = 1000});
            program.info().problems.push_back({.table = table, .kind = kind, .count = count});
            return lacksWork(*program.finish());
        };
        QVERIFY(lacks("CUPTI_ACTIVITY_KIND_RUNTIME", ProblemKind::RowTimeImpossible, 11));
        QVERIFY(!lacks("CUPTI_ACTIVITY_KIND_RUNTIME", ProblemKind::RowTimeImpossible, 10));
        QVERIFY(!lacks("CUPTI_ACTIVITY_KIND_RUNTIME", ProblemKind::RowEndsBeforeStart, 1000));
        QVERIFY(!lacks("NVTX_EVENTS", ProblemKind::RowTimeImpossible, 1000));
        for (const char* const table : {"kernel", "rocpd_kernel_dispatch_0a1b"}) {
            QVERIFY(lacks(table, ProblemKind::EventWithoutTime, 11));
            QVERIFY(!lacks(table, ProblemKind::EventWithoutTime, 10));
        }
        QVERIFY(!lacks("cpu_op", ProblemKind::EventWithoutTime, 1000));
        QVERIFY(lacks("traceEvents", ProblemKind::EventMalformed, 51)); // of 5,000 in all categories
        QVERIFY(!lacks("traceEvents", ProblemKind::EventMalformed, 50));
        QVERIFY(!lacks("traceEvents", ProblemKind::RangeEndWithoutStart, 1000));
        QVERIFY(lacks(otherTables.data(), ProblemKind::EventWithoutTime, 51)); // nobody knows of how many
        QVERIFY(!lacks(otherTables.data(), ProblemKind::EventWithoutTime, 50));
    }

    void problemsOfATableAddUp()
    {
        const auto lacks = [](ProblemKind other) {
            DrawnProgram program;
            program.kernel("work", 0, {10 * us, ms});
            program.info().tables.push_back({.name = "kernel", .rows = 1000});
            program.info().problems.push_back(
                {.table = "kernel", .kind = ProblemKind::EventTimeImpossible, .count = 6});
            program.info().problems.push_back({.table = "kernel", .kind = other, .count = 6});
            return lacksWork(*program.finish());
        };
        QVERIFY(lacks(ProblemKind::EventWithoutTime));
        QVERIFY(!lacks(ProblemKind::EventWithoutDuration)); // nothing is left out
    }

    void lostEventsCountInTheirCategory()
    {
        // 2,000 operators and 20 kernels: one kernel is much, twenty operators are little.
        const auto lossesOf = [](const char* category, int lost) {
            QByteArray text = R"({"schemaVersion": 1, "traceEvents": [{})";
            const auto add = [&](const char* of, int count) {
                for (int i = 0; i < count; ++i) {
                    const bool isLost = std::string_view(of) == category && i < lost;
                    text += QString(R"(,{"ph":"X","cat":"%1","name":"n","pid":1,"tid":1,"dur":1,"%2":%3})")
                                .arg(of, isLost ? "no" : "ts")
                                .arg(100 + i)
                                .toUtf8();
                }
            };
            add("kernel", 20);
            add("cpu_op", 2000);
            const QTemporaryDir folder;
            QFile file(folder.filePath("lost.json"));
            const bool isWritten = file.open(QIODevice::WriteOnly) && file.write(text + "]}") > 0;
            file.close();
            const auto trace = loadReport(file.fileName().toStdString());
            return isWritten && trace.ok()
                ? std::pair(lacksWork(*trace.value()), unreadNote(*trace.value()).empty())
                : std::pair(false, false);
        };
        QCOMPARE(lossesOf("kernel", 0), std::pair(false, true));
        QCOMPARE(lossesOf("kernel", 1), std::pair(true, false));
        QCOMPARE(lossesOf("cpu_op", 20), std::pair(false, true));
        QCOMPARE(lossesOf("cpu_op", 21), std::pair(false, false));
    }

    void ownCodeThatStopsAtPages()
    {
        // In `fill` the host computes for 8 ms, and every 100 us a page comes from the GPU.
        for (const bool moves : {true, false}) {
            DrawnProgram program;
            for (int i = 0; i < 10; ++i) {
                const Ns at = i * 10 * ms;
                program.range("step_" + std::to_string(i), {at, at + 10 * ms});
                program.kernel("work", at, {at + 10 * us, at + ms});
                program.range("fill", {at + ms, at + 9900 * us});
                for (int page = 0; moves && page < 80; ++page)
                    program.migration(CopyKind::UnifiedDtoH,
                        {at + ms + (page + 1) * 100 * us, at + ms + (page + 1) * 100 * us + 5 * us}, 65536,
                        0x10000 + page * 65536ULL);
            }
            const auto found = run(*program.finish(), "gpu_idle_cause");
            const auto fill = std::ranges::find_if(found, [](const Finding& each) {
                return each.subject == Subject{Subject::Kind::Range, "fill"};
            });
            QVERIFY(fill != found.end());
            QCOMPARE(holds(fill->message, "pages of unified memory come to the host"), moves);
        }
    }

    void buffersThatAreCopiedOnce()
    {
        // 1 GB there at 10 GB/s, 0.8 GB back at 2: of memory that is touched for the first time.
        DrawnProgram program;
        const CopyLook there{"cudaMemcpy_v3020", CopyKind::HtoD, MemoryKind::Pageable, 1'000'000'000};
        const CopyLook back{"cudaMemcpy_v3020", CopyKind::DtoH, MemoryKind::Pageable, 800'000'000};
        program.copy({0, 100 * ms}, {10 * us, 100 * ms}, there);
        for (int i = 0; i < 4; ++i)
            program.kernel("work", 100 * ms + i * 10 * ms, {101 * ms + i * 10 * ms, 110 * ms + i * 10 * ms});
        program.copy({140 * ms, 540 * ms}, {140 * ms + 10 * us, 540 * ms}, back);
        const auto found = run(*program.finish(), "pageable_copies");
        QCOMPARE(found.size(), std::size_t{1});
        QCOMPARE(found[0].severity, Severity::Medium);
        QVERIFY2(holds(found[0].message, "Ranked medium instead of high"), plain(found[0].message).c_str());
        QVERIFY2(holds(found[0].message, "for the first time"), plain(found[0].message).c_str());
    }

    void productsBeforeTheSteps()
    {
        // 50 ms of products in the warm-up, 10 of 5 ms in the steps: the title is about the measured time.
        DrawnProgram program;
        program.range("warm-up", {0, 60 * ms});
        program.kernel("cutlass_simt_sgemm_128x128", 0, {5 * us, 50 * ms});
        for (int i = 0; i < 10; ++i) {
            const Ns at = (60 + i * 10) * ms;
            program.range("step_" + std::to_string(i), {at, at + 10 * ms});
            program.kernel("cutlass_simt_sgemm_128x128", at + 10 * us, {at + 100 * us, at + 5100 * us});
        }
        const auto found = run(*program.finish(), "no_tensor_cores");
        QCOMPARE(found.size(), std::size_t{1});
        QVERIFY2(holds(found[0].title, "50 ms of matrix work"), plain(found[0].title).c_str());
        QCOMPARE(found[0].once, Ns{0});
    }

    void idleTimeBehindShortKernels()
    {
        // Two streams in turns, kernels of 3 us with gaps of 4 us: both have the same gaps, which count once,
        // and at most 20 us of any.
        DrawnProgram program;
        constexpr int count = 1000;
        for (int i = 0; i < count; ++i) {
            const Ns at = i * 7 * us + (i >= count / 2 ? ms : 0);
            program.kernel("tiny", at - 3 * us, {at, at + 3 * us}, {.stream = 7 + i % 2});
        }
        const auto trace = program.finish();
        TraceAnalysis facts(*trace, trace->session, {});
        const PackedIntervals idle = idleAfterShort(*trace, facts.gpus(), trace->session, 10 * us, {});
        // Between all neighbours 4 us; in the long pause 20 us behind the last kernel of each stream, which
        // end 7 us apart; the very last has no neighbour.
        QCOMPARE(totalTime(idle), (count - 2) * 4 * us + 20 * us);
        QVERIFY(idleAfterShort(*trace, facts.gpus(), trace->session, 2 * us, {}).empty());
    }

    void ofEquallyFrequentKernelsTheNameDecides()
    {
        // Ids of names depend on the order of reading, which varies with threads.
        for (const bool swapped : {false, true}) {
            DrawnProgram program;
            for (int i = 0; i < 300; ++i) {
                const Ns at = i * 10 * us;
                program.kernel((i % 2 == 0) != swapped ? "fill" : "scale", at - 3 * us, {at, at + 3 * us});
            }
            const auto found = run(*program.finish(), "short_kernels");
            QCOMPARE(found.size(), std::size_t{1});
            QVERIFY2(holds(found[0].message, "The most frequent is fill, with 150 launches"),
                plain(found[0].message).c_str());
        }
    }

    void idleTimeBehindShortKernelsIsThatOfEach()
    {
        std::mt19937 random(7);
        const auto upTo
            = [&random](int most) { return static_cast<Ns>(random() % static_cast<unsigned>(most)); };
        for (int round = 0; round < 200; ++round) {
            // Concurrent streams: short and long kernels, some of zero length, some that touch.
            DrawnProgram program;
            for (std::int32_t stream = 7; stream < 7 + 1 + round % 4; ++stream) {
                Ns at = upTo(30) * us;
                for (int i = 0; i < 40; ++i) {
                    const Ns takes = upTo(4) == 0 ? 0 : upTo(20) * us;
                    program.kernel("k", at, {at, at + takes}, {.stream = stream});
                    at += takes + (upTo(3) == 0 ? 0 : upTo(50) * us);
                }
            }
            const auto trace = program.finish();
            const Ns cut = upTo(200) * us;
            const TimeRange window{trace->session.start + cut, trace->session.end - cut / 2};
            TraceAnalysis facts(*trace, window, {});
            const auto& gpus = facts.gpus();
            if (gpus.empty())
                continue;
            const KernelTable& kernels = trace->kernels();
            std::vector<TimeRange> pieces;
            for (const Lane& lane : kernels.lanes) {
                const auto [first, last] = kernels.touching(lane, window);
                for (EventIndex i = first; i + 1 < last; ++i) {
                    const TimeRange piece{
                        kernels.end(i), std::min(kernels.end(i) + launchWorth, kernels.start[i + 1])};
                    if (kernels.duration[i] >= 10 * us || piece.empty())
                        continue;
                    for (const TimeRange& idle : difference(Intervals{piece}, gpus.front().busy))
                        pieces.push_back(idle);
                }
            }
            QVERIFY(idleAfterShort(*trace, gpus, window, 10 * us, {}) == unionOf(pieces, window));
        }
    }
};

void HonestBoundsTest::headHasTheBoundOfItsCause()
{
    auto merged = mergeByCause({drawn("sync_per_iteration", 40 * ms), drawn("tiny_copies", 46 * ms)});
    raiseBounds(merged);
    QCOMPARE(merged.size(), std::size_t{1});
    QCOMPARE(merged.front().rule, std::string_view("sync_per_iteration"));
    QCOMPARE(merged.front().saving, 46 * ms);
    QCOMPARE(totalTime(merged.front().claims), 46 * ms);
    QCOMPARE(merged.front().severity, Severity::High);
}

/// Another finding takes a range of the program for the time that it saves, not for what it claims.
void HonestBoundsTest::aRangeStaysWithoutItsSaving()
{
    const auto leftOf
        = [](std::vector<Finding> findings) { return mergeByCause(std::move(findings)).size(); };
    Finding range = drawn("gpu_idle_cause", 20 * ms);
    range.subject = {Subject::Kind::Range, "load"};
    Finding functions = drawn("gap_functions", 20 * ms);
    QCOMPARE(leftOf({range, functions}), std::size_t{1});
    functions.saving = 11 * ms; // of its samples
    QCOMPARE(leftOf({range, functions}), std::size_t{2});
    Finding half = drawn("sync_per_iteration", 10 * ms);
    QCOMPARE(leftOf({range, half}), std::size_t{2});
    Finding rest = drawn("launch_bound", 9 * ms);
    rest.claims = Intervals{{10 * ms, 19 * ms}};
    const auto merged = mergeByCause({range, half, rest});
    QCOMPARE(merged.size(), std::size_t{2});
    QCOMPARE(merged.front().rule, std::string_view("sync_per_iteration"));
    QCOMPARE(merged.front().merged.size(), std::size_t{1});
    rest.claims = Intervals{{10 * ms, 14 * ms}}; // 14 of 20 ms together
    rest.saving = 4 * ms;
    QCOMPARE(leftOf({range, half, rest}), std::size_t{3});
}

void HonestBoundsTest::headHasNotTheBoundOfASymptom()
{
    // The GPU also idles for other causes.
    auto util = mergeByCause({drawn("launch_bound", 40 * ms), drawn("gpu_time_util", 46 * ms)});
    raiseBounds(util);
    QCOMPARE(util.size(), std::size_t{1});
    QCOMPARE(util.front().saving, 40 * ms);
    // A third of it is unrelated to the waits.
    auto idle = mergeByCause({drawn("sync_per_iteration", 40 * ms), drawn("gpu_idle_cause", 60 * ms)});
    raiseBounds(idle);
    QCOMPARE(idle.size(), std::size_t{1});
    QCOMPARE(idle.front().saving, 40 * ms);
}

void HonestBoundsTest::idleTimeBehindTheLastWorkCounts()
{
    // Ten steps, each ends with 5 ms of own code: behind the last one there is no work.
    DrawnProgram program;
    for (int i = 0; i < 10; ++i) {
        program.range("step_" + std::to_string(i), {i * 10 * ms, (i + 1) * 10 * ms});
        program.kernel("work", i * 10 * ms, {i * 10 * ms + 10 * us, i * 10 * ms + 5 * ms});
    }
    const auto findings = run(*program.finish(), "gpu_idle_cause");
    QCOMPARE(findings.size(), std::size_t{1});
    QCOMPARE(findings.front().saving, 10 * 5 * ms);
    QCOMPARE(findings.front().perStep, 5 * ms);
}

void HonestBoundsTest::otherProcessesKeepTheGpuBusy()
{
    // With a GPU for itself each of nine waits leaves it idle for 610 us, of which it could fill 395 or more.
    const auto apart = run(*besideAnother(false, 0), "sync_per_iteration");
    QVERIFY(ofProcess(apart, 100));
    QVERIFY(ofProcess(apart, 100)->saving >= 9 * 395 * us);
    const auto together = run(*besideAnother(true, 0), "sync_per_iteration");
    QVERIFY(ofProcess(together, 100));
    QCOMPARE(ofProcess(together, 100)->saving, 9 * 20 * us);
    const auto waits = run(*besideAnother(true, 0), "cuda_api_sync");
    QVERIFY(!waits.empty() && waits.front().saving <= 9 * 20 * us);
}

void HonestBoundsTest::stepsBesideOthersAreNoWarmUp()
{
    const auto warmsUp = [](const Finding& each) { return each.subject.name == "warm_up"; };
    const auto apart = run(*besideAnother(false, 10), "nvtx_outlier_steps");
    QVERIFY(std::ranges::any_of(apart, warmsUp));
    const auto together = run(*besideAnother(true, 10), "nvtx_outlier_steps");
    QVERIFY(std::ranges::none_of(together, warmsUp));
}

WARPLINE_TEST(HonestBoundsTest)

} // namespace tst_honest_bounds

#include "tst_honest_bounds.moc"
