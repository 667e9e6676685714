// Related values must agree: idle time is not work elsewhere, a one-time cost is not a saving, and a count is
// the same alone and in the list, or mentions the difference.

#include "core/export/findings_text.h"
#include "core/findings/checklist.h"
#include "core/findings/expected_savings.h"
#include "core/findings/finding_order.h"
#include "core/findings/rule.h"
#include "core/findings/savings.h"
#include "core/overview/overview.h"
#include "core/render/render.h"
#include "tests/core/findings/drawn_program.h"
#include "tests/core/findings/told_text.h"
#include "tests/support/test_program.h"
#include "tests/support/whole_analysis.h"

#include <QTest>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <span>

namespace tst_figures_agree {

using namespace warpline;
using namespace warpline::test;

namespace {

/// Three rounds of a kernel of 10 ms that stalls 8 ms for pages, and of the host, which reads them back: from
/// one fault on for 6 ms, with pages moving for 2 ms.
std::shared_ptr<const Trace> sharedPages()
{
    DrawnProgram program;
    for (int i = 0; i < 3; ++i) {
        const Ns at = 40 * i * ms;
        program.kernel("touch", at, {at + ms, at + 11 * ms});
        program.faults({at + 2 * ms, at + 3 * ms}, 50, 0x10000000);
        program.migration(CopyKind::UnifiedHtoD, {at + 2 * ms, at + 10 * ms}, 2'000'000, 0x10000000);
        program.call("cudaDeviceSynchronize_v3020", {at + 10 * us, at + 11 * ms});
        program.hostFault(at + 12 * ms);
        program.migration(CopyKind::UnifiedDtoH, {at + 16 * ms, at + 18 * ms}, 2'000'000, 0x10000000);
    }
    program.event(EventKind::OsRuntime, "write", {120 * ms, 121 * ms});
    return program.finish();
}

} // namespace

class FiguresAgreeTest : public QObject {
    Q_OBJECT

private slots:
    /// Page migrations are work of a GPU in any direction: such time is not idle.
    void movingPagesAreNotIdle()
    {
        const auto trace = sharedPages();
        const auto causes = run(*trace, "gpu_idle_cause");
        const auto fetching = std::ranges::find_if(
            causes, [](const Finding& each) { return holds(each.title, "waits for pages"); });
        QVERIFY(fetching != causes.end());
        QVERIFY2(holds(fetching->title, "GPU 0 computes nothing for 12 ms"), plain(fetching->title).c_str());
        QVERIFY2(holds(fetching->message, "Pages of unified memory move for 4 ms of that"),
            plain(fetching->message).c_str());
        const auto faults = run(*trace, "unified_memory_faults");
        QCOMPARE(faults.size(), std::size_t{1});
        const Finding& finding = faults.front();
        // The title has the sum of the saving.
        QVERIFY2(
            holds(finding.title, "kernels wait 24 ms, and the host 12 ms,"), plain(finding.title).c_str());
        QCOMPARE(finding.saving, 36 * ms);
        QVERIFY2(holds(finding.message, "pages move for 4 ms of it"), plain(finding.message).c_str());
        QVERIFY2(
            holds(finding.message, "the host waits another 6 ms for pages"), plain(finding.message).c_str());
    }

    /// The last pages that come back are work of the GPU as those before them are.
    void thePagesOfTheLastRoundAreWork()
    {
        const auto trace = sharedPages();
        const RunOverview overview = overviewOf(*trace, trace->session);
        QCOMPARE(overview.timeOf(OverviewKind::Pages), 3 * 10 * ms);
        QVERIFY2(holds(textOf(overview), "The GPU works for 36 ms"), textOf(overview).c_str());
        QCOMPARE(overview.timeOf(OverviewKind::Exit), trace->session.end - 91 * ms - 2 * ms);
    }

    /// A first touch is a one-time cost, pinned or not: pinning does not save it.
    void firstTouchesArePaidOnce()
    {
        DrawnProgram program;
        Ns at = 0;
        program.kernel("work", at, {at + 100 * us, at + 200 * us});
        at += ms;
        for (int i = 0; i < 8; ++i) {
            const Ns takes = i == 1 ? 60 * ms : 4 * ms;
            program.copy({at, at + takes}, {at + us, at + takes},
                {.call = "cudaMemcpy_v3020",
                    .kind = CopyKind::DtoH,
                    .host = MemoryKind::Pageable,
                    .bytes = 20'000'000});
            at += takes + ms;
            program.kernel("work", at, {at + 100 * us, at + 200 * us});
            at += ms;
        }
        const auto trace = program.finish();
        const auto found = run(*trace, "pageable_copies");
        QCOMPARE(found.size(), std::size_t{1});
        QVERIFY2(holds(found.front().message, "The 56 ms above the usual are a one-time cost"),
            plain(found.front().message).c_str());
        // The typical copies, and the GPU's idle time around their calls: 200 us before and after each.
        const Ns most = 8 * (4 * ms + 2 * 200 * us);
        QVERIFY2(found.front().saving <= most, std::to_string(found.front().saving).c_str());
        QCOMPARE(found.front().once, 56 * ms);
    }

    /// Alone a rule counts all calls: both counts explain the difference.
    void aRuleAloneSaysWhatTheListLeavesOut()
    {
        DrawnProgram program;
        for (int i = 0; i < 4; ++i) {
            const Ns at = 10 * i * ms;
            program.kernel("work", at, {at + 10 * us, at + 5 * ms});
            program.call("cudaDeviceSynchronize_v3020", {at + 20 * us, at + 5 * ms + 20 * us});
        }
        const auto trace = program.finish();
        const auto alone = run(*trace, "cuda_api_sync");
        QCOMPARE(alone.size(), std::size_t{1});
        QVERIFY2(plain(alone.front().title).starts_with("4 blocking"), plain(alone.front().title).c_str());
        QVERIFY2(valueIn(alone.front().message, "cuda_api_sync.last_of_these", "calls") == 1,
            plain(alone.front().message).c_str());
        std::vector<Finding> all = runRules(*trace, wholeOf(*trace));
        for (std::size_t i = 0; i < all.size(); ++i) { // it may stand below another
            const std::vector<Finding> merged = all[i].merged;
            all.insert(all.end(), merged.begin(), merged.end());
        }
        const auto listed = std::ranges::find(all, "cuda_api_sync", &Finding::rule);
        QVERIFY(listed != all.end());
        QVERIFY2(plain(listed->title).starts_with("3 blocking"), plain(listed->title).c_str());
        QVERIFY2(
            valueIn(listed->message, "cuda_api_sync.last", "calls") == 1, plain(listed->message).c_str());
    }

    /// A GPU that computes all the time may use few of its multiprocessors: the yes mentions it.
    void smallGridsAreToldBesideTheYes()
    {
        for (const bool small : {false, true}) {
            DrawnProgram program;
            for (int i = 0; i < 20; ++i)
                program.kernel("work", i * ms, {i * ms + 10 * us, (i + 1) * ms},
                    {.blocks = small && i % 2 == 0 ? 8 : 8 * 132});
            const auto trace = program.finish();
            const auto answers = answerChecklist(*trace, wholeOf(*trace));
            QVERIFY(answers.front().answer == Answer::Yes);
            QCOMPARE(holds(answers.front().explanation,
                         "For 9.9 ms of that (50.0%), it only runs kernels with fewer"),
                small);
        }
    }

    /// Launched work that does not begin has a finding of its own, with hints at who may use the GPU.
    void workThatWaitsInTheQueueIsTold()
    {
        DrawnProgram program;
        for (int i = 0; i < 20; ++i) {
            const Ns at = 10 * i * ms;
            program.libraryCall("MPI", "MPI_Waitall", {at + ms, at + 6 * ms});
            program.kernel("work", at + 6500 * us, {at + 8 * ms, at + 10 * ms + ms / 2});
        }
        const auto trace = program.finish();
        const auto causes = run(*trace, "gpu_idle_cause");
        const auto queued = std::ranges::find_if(
            causes, [](const Finding& each) { return holds(each.title, "which the GPU has not started"); });
        QVERIFY(queued != causes.end());
        QVERIFY(holds(queued->remedy, "MPS"));
        QVERIFY2(holds(textOf(overviewOf(*trace, trace->session)),
                     "ranks that share a GPU take turns unless they run under MPS"),
            textOf(overviewOf(*trace, trace->session)).c_str());
    }

    /// One long pause does not make all rounds longer.
    void roundsAreToldByTheirMedian()
    {
        DrawnProgram program;
        Ns at = 0;
        for (int i = 0; i < 20; ++i) {
            const Ns begin = at;
            const Ns own = i == 12 ? 41 * ms : ms;
            program.range("assemble", {at, at + own});
            at += own;
            program.kernel("work", at, {at + 10 * us, at + ms});
            program.call("cudaDeviceSynchronize_v3020", {at + 5 * us, at + ms});
            at += ms + 10 * us;
            program.range("step_" + std::to_string(i), {begin, at});
        }
        const auto trace = program.finish();
        const auto causes = run(*trace, "gpu_idle_cause");
        const auto assemble = std::ranges::find_if(
            causes, [](const Finding& each) { return holds(each.title, "per step in assemble"); });
        QVERIFY(assemble != causes.end());
        QVERIFY2(holds(assemble->title, "waits 1 ms"), plain(assemble->title).c_str());
        QVERIFY2(holds(assemble->message, "is the median; the mean is "), plain(assemble->message).c_str());
    }

    /// The bar and the sentence agree: loading libraries, not the calls of which it consists.
    void theBarNamesLoadedLibraries()
    {
        DrawnProgram program;
        program.event(EventKind::OsRuntime, "read", {0, 10 * ms});
        program.event(EventKind::Overhead, "dlopen(libsolve.so)", {20 * ms, 80 * ms});
        program.event(EventKind::OsRuntime, "read", {30 * ms, 70 * ms});
        program.call("cudaMalloc_v3020", {100 * ms, 200 * ms});
        program.kernel("work", 201 * ms, {202 * ms, 210 * ms});
        const auto trace = program.finish();
        const RunOverview overview = overviewOf(*trace, trace->session);
        const auto before = std::ranges::find(overview.parts, OverviewKind::BeforeCuda, &OverviewPart::kind);
        QVERIFY(before != overview.parts.end());
        Ns loading = 0;
        for (const OverviewPhase& phase : before->phases)
            loading += plain(phase.name) == "loads libraries (dlopen)" ? phase.time : 0;
        QCOMPARE(loading, 60 * ms);
    }

    /// Waits of threads between parallel regions do not count inside; the first region creates the threads.
    void waitsInRegionsAreThoseInThem()
    {
        DrawnProgram program;
        for (int i = 0; i < 10; ++i) {
            const Ns at = i * 10 * ms;
            const Ns length = i == 0 ? 9 * ms : 3 * ms;
            program.libraryCall("OpenMP", "Parallel Region", {at, at + length});
            for (std::uint32_t thread = 1; thread <= 4; ++thread) {
                const Ns work = thread == 1 ? length - 100 * us : ms;
                program.libraryCall("OpenMP", "Loop Region", {at + us, at + us + work}, thread);
                if (thread > 1) // workers leave the barrier long after the region
                    program.libraryCall(
                        "OpenMP", "Implicit Barrier", {at + 2 * us + work, at + length + 500 * us}, thread);
            }
        }
        const auto trace = program.finish();
        const auto found = run(*trace, "openmp_imbalance");
        QCOMPARE(found.size(), std::size_t{1});
        const std::string message = plain(found.front().message);
        QVERIFY2(holds(message, "wait 77.9 ms at barriers"), message.c_str()); // 3 * (9 * 1.998 + 7.998)
        QVERIFY2(holds(message, "the longest of the others takes 3 ms"), message.c_str());
        QVERIFY2(holds(message, "The report does not name the loops"), message.c_str());
        // A next recording keeps the traces of this one, each once, because nsys takes the last --trace.
        const auto missing = run(*trace, "capture_quality");
        QVERIFY(!missing.empty());
        const std::string options = plain(missing.front().remedy);
        QVERIFY2(holds(options, "--trace=cuda,nvtx,osrt,openmp"), options.c_str());
        QCOMPARE(options.find("--trace="), options.rfind("--trace="));
    }

    /// The list is sorted by the shown values.
    void theOrderIsThatOfTheSavingsShown()
    {
        Finding less;
        less.saving = 617 * us;
        less.once = 4 * ms;
        Finding more;
        more.saving = 1106 * us;
        Finding once;
        once.once = 2 * ms;
        QVERIFY(ranksHigher(more, less));
        QVERIFY(!ranksHigher(less, more));
        QVERIFY(ranksHigher(once, more));
    }

    /// One rank of several alone shows its bound, wherever the finding appears.
    void oneRankOfSeveralShowsItsBoundEverywhere()
    {
        DrawnProgram program;
        program.kernel("work", 0, {ms, 2 * ms});
        const auto trace = program.finish();
        Finding finding;
        finding.rule = "no_tensor_cores";
        finding.saving = 40 * ms;
        finding.measured = 100 * ms;
        finding.expected = ExpectedTime{6 * ms, 7 * ms, 8 * ms};
        finding.plainShare = ExpectedShare{0.06, 0.07, 0.08};
        for (const bool isLone : {false, true}) {
            finding.ofLoneRank = isLone;
            QCOMPARE(weightOf(finding), isLone ? 40 * ms : 7 * ms);
            QCOMPARE(expectedText(finding).empty(), isLone);
            QCOMPARE(plain(expectedSavingText(finding)) == plain(savingText(finding)), isLone);
            QCOMPARE(holds(findingsTable(*trace, {&finding, 1}, {}, false), "7.000 ms"), !isLone);
            const auto json = findingsJson(*trace, AnalysisText{{&finding, 1}})["findings"][0];
            QCOMPARE(json["saving_ns"].get<Ns>(), 40 * ms);
            QCOMPARE(json["saving_expected_ns"].is_null(), isLone);
            QCOMPARE(json["saving_expected_range_ns"].is_null(), isLone);
            QCOMPARE(json["saving_without_profiler_percent"].is_null(), isLone);
        }
    }
};

WARPLINE_TEST(FiguresAgreeTest)

} // namespace tst_figures_agree

#include "tst_figures_agree.moc"
