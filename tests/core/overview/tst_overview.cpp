// The overview of a run: parts that add up to the nanosecond, compared with SQL and with the GPU's budget;
// and sentences that name the known behaviour of the programs.

#include "core/analysis/scope.h"
#include "core/analysis/trace_analysis.h"
#include "core/budget/gpu_budget.h"
#include "core/export/findings_text.h"
#include "core/export/overview_text.h"
#include "core/findings/finding_order.h"
#include "core/findings/kernel_totals.h"
#include "core/findings/sampled_functions.h"
#include "core/kernels/kernel_names.h"
#include "core/load/load_report.h"
#include "core/overview/host_names.h"
#include "core/overview/overview.h"
#include "core/overview/program_name.h"
#include "core/render/render.h"
#include "tests/core/findings/drawn_program.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"
#include "tests/support/whole_analysis.h"

#include <nlohmann/json.hpp>

#include <QElapsedTimer>
#include <QFileInfo>
#include <QTest>

#include <algorithm>
#include <map>
#include <set>

namespace tst_overview {

using namespace warpline;
using namespace warpline::test;

namespace {

std::string labelOfFact(const KernelFact& fact)
{
    return plain(fact.label);
}

Ns sumOf(const std::vector<OverviewPart>& parts)
{
    Ns sum = 0;
    for (const OverviewPart& part : parts)
        sum += part.time;
    return sum;
}

std::map<std::string, Ns> named(const RunOverview& overview)
{
    std::map<std::string, Ns> parts;
    for (const OverviewPart& part : overview.parts)
        parts[std::string(keyOf(part.kind))] = part.time;
    return parts;
}

std::string textOf(const RunOverview& overview)
{
    std::string text;
    for (const OverviewSentence& sentence : overview.sentences)
        text += plain(sentence.text) + "\n";
    return text;
}

std::shared_ptr<const Trace> load(const std::string& path)
{
    auto trace = loadReport(path);
    return trace.ok() ? trace.take() : nullptr;
}

/// A start-up of 100 ms, two copies, four kernels with waits between, and some time after.
std::shared_ptr<const Trace> smallProgram()
{
    DrawnProgram drawn;
    drawn.event(EventKind::OsRuntime, "read", {0, 10 * ms});
    drawn.call("cudaMalloc_v3020", {20 * ms, 120 * ms});
    drawn.copy({130 * ms, 132 * ms}, {131 * ms, 132 * ms});
    for (int i = 0; i < 4; ++i) {
        const Ns at = (140 + 10 * i) * ms;
        drawn.kernel("step_kernel", at, {at + ms, at + 5 * ms}, {.blocks = 2});
        drawn.call("cudaDeviceSynchronize_v3020", {at + 10 * us, at + 5 * ms + 10 * us});
    }
    drawn.copy({180 * ms, 183 * ms}, {181 * ms, 183 * ms}, {.kind = CopyKind::DtoH});
    drawn.event(EventKind::OsRuntime, "write", {190 * ms, 200 * ms});
    return drawn.finish();
}

/// The kinds of GPU time of a report without communication and unified memory, computed slowly: for every
/// instant between two boundaries of work.
std::map<std::string, Ns> workBySql(const std::string& path)
{
    struct Work {
        Ns start, end;
        int rank;
    };
    std::vector<Work> works;
    const auto add = [&](const std::string& table, const std::string& rank) {
        if (!sqlHasTable(path, table))
            return;
        const auto rows = sqlRows(path, "SELECT start, end, " + rank + " FROM " + table);
        for (const auto& row : rows.value_or(std::vector<std::vector<std::string>>{})) {
            if (std::stoll(row[1]) > std::stoll(row[0]))
                works.push_back({std::stoll(row[0]), std::stoll(row[1]), std::stoi(row[2])});
        }
    };
    add("CUPTI_ACTIVITY_KIND_KERNEL", "0");
    add("CUPTI_ACTIVITY_KIND_GRAPH_TRACE", "0");
    add("CUPTI_ACTIVITY_KIND_MEMCPY",
        "CASE copyKind WHEN 1 THEN 1 WHEN 3 THEN 1 WHEN 2 THEN 2 WHEN 4 THEN 2 ELSE 3 END");
    add("CUPTI_ACTIVITY_KIND_MEMSET", "3");
    std::vector<std::tuple<Ns, int, int>> changes; // time, rank, +1 or -1
    for (const Work& work : works) {
        changes.emplace_back(work.start, work.rank, 1);
        changes.emplace_back(work.end, work.rank, -1);
    }
    std::ranges::sort(changes);
    static constexpr std::array<const char*, 4> names{"kernels", "copies_in", "copies_out", "other_copies"};
    std::array<int, 4> open{};
    std::map<std::string, Ns> sums;
    Ns last = 0;
    for (const auto& [time, rank, change] : changes) {
        for (std::size_t i = 0; i < open.size(); ++i) {
            if (open[i] > 0) {
                if (time > last)
                    sums[names[i]] += time - last;
                break;
            }
        }
        open[static_cast<std::size_t>(rank)] += change;
        last = time;
    }
    return sums;
}

} // namespace

class OverviewTest : public QObject {
    Q_OBJECT

private slots:
    void dividesASmallRun()
    {
        const auto trace = smallProgram();
        const RunOverview overview = overviewOf(*trace, trace->session);
        QCOMPARE(sumOf(overview.parts), trace->session.duration());
        const std::map<std::string, Ns> parts = named(overview);
        QCOMPARE(parts.at("before_cuda"), 20 * ms);
        QCOMPARE(parts.at("cuda_start"), 101 * ms); // cudaMalloc, and the copy's call before its copy
        QCOMPARE(parts.at("host_before"), 10 * ms);
        QCOMPARE(parts.at("copies_in"), 1 * ms);
        QCOMPARE(parts.at("kernels"), 16 * ms);
        QCOMPARE(parts.at("copies_out"), 2 * ms);
        QCOMPARE(parts.at("idle"), 183 * ms - 131 * ms - 19 * ms);
        QCOMPARE(parts.at("exit"), trace->session.end - 183 * ms);
        const std::string text = textOf(overview);
        QVERIFY2(
            text.find(
                "The longest call, cudaMalloc, takes 100 ms. It is the first CUDA call that needs the GPU")
                != std::string::npos,
            text.c_str());
        QVERIFY2(text.find("16 ms in kernels (4 launches)") != std::string::npos, text.c_str());
        QVERIFY2(text.find("Between the first and the last kernel or copy the GPU is idle for 33 ms")
                != std::string::npos,
            text.c_str());
        // Every part leads to a place that lies in the run.
        for (const OverviewPart& part : overview.parts) {
            QVERIFY(!part.where.empty());
            QVERIFY(part.where.start >= overview.window.start && part.where.end <= overview.window.end);
        }
    }

    /// A recording that begins while the GPU finishes earlier work, as recordings of PyTorch's profiler do.
    void saysWhatWasLaunchedBefore()
    {
        DrawnProgram drawn;
        for (Ns at : {0, 5})
            drawn.kernel("before", 0, {at * ms, (at + 4) * ms}, {.isLaunchRecorded = false});
        drawn.call("cudaDeviceSynchronize_v3020", {ms, 9 * ms});
        for (Ns at = 10; at < 30; at += 2)
            drawn.kernel("work", at * ms, {(at + 1) * ms, (at + 2) * ms});
        const auto trace = drawn.finish();
        const std::string text = textOf(overviewOf(*trace, trace->session));
        QVERIFY2(
            text.find(
                "At the start, the GPU works for 8 ms, until 9 ms, on work launched before the recording (2 pieces of work)")
                != std::string::npos,
            text.c_str());
        // Work in the middle without a launch was lost, not launched before.
        DrawnProgram losing;
        losing.kernel("work", 0, {ms, 2 * ms});
        losing.kernel("lost", 0, {3 * ms, 9 * ms}, {.isLaunchRecorded = false});
        const auto whole = losing.finish();
        QVERIFY(textOf(overviewOf(*whole, whole->session)).find("launched before") == std::string::npos);
    }

    void judgesTheLongestKernel()
    {
        const auto trace = smallProgram();
        const RunOverview overview = overviewOf(*trace, trace->session);
        QCOMPARE(overview.kernels.size(), std::size_t{1});
        const OverviewKernel& kernel = overview.kernels.front();
        QCOMPARE(kernel.launches, 4U);
        QVERIFY(kernel.facts.front().warns); // two blocks
        QCOMPARE(plain(kernel.facts.front().text),
            "2 blocks for 132 multiprocessors: 98.5% of them are idle. Use several times as many blocks as there are multiprocessors.");
        const auto occupancy = std::ranges::find(kernel.facts, "Occupancy", labelOfFact);
        QVERIFY(occupancy != kernel.facts.end() && !occupancy->warns); // the blocks do
        QVERIFY2(plain(occupancy->text)
                     .find(
                         "100% of its warps. That would fit, but only 2 of 132 multiprocessors have a block.")
                != std::string::npos,
            plain(occupancy->text).c_str());
        QVERIFY(plain(kernel.facts.back().text).find("ncu --set full --kernel-name step_kernel")
            != std::string::npos);
    }

    /// Shares are of the kernel time of one GPU, which the text has to name where there are several.
    void topKernelsNameTheirGpu()
    {
        for (const int gpus : {1, 2}) {
            DrawnProgram drawn;
            drawn.kernel("work", 0, {ms, 4 * ms});
            if (gpus > 1)
                drawn.kernel("work", ms, {2 * ms, 9 * ms}, {.device = 1, .context = 2});
            const auto trace = drawn.finish();
            const RunOverview overview = overviewOf(*trace, trace->session);
            QCOMPARE(overview.kernels.size(), std::size_t{1});
            QCOMPARE(overview.kernels.front().launches, 1U);
            QCOMPARE(overview.kernels.front().gpu, gpus > 1 ? std::string("GPU 1") : std::string());
            QCOMPARE(overviewTable(overview).find("work on GPU 1: ") != std::string::npos, gpus > 1);
        }
    }

    /// Like the sentences and parts above it. Of a copy the bytes inside are not known.
    void aRangeCutsTopKernelsToo()
    {
        DrawnProgram drawn;
        drawn.kernel("longer", 0, {ms, 11 * ms});
        drawn.kernel("inside", 2 * ms, {11 * ms, 14 * ms});
        drawn.copy({14 * ms, 24 * ms}, {14 * ms, 24 * ms}, {.bytes = 400'000'000});
        const auto trace = drawn.finish();
        const RunOverview overview = overviewOf(*trace, {10 * ms, 16 * ms});
        QCOMPARE(overview.kernels.size(), std::size_t{2});
        QCOMPARE(overview.kernels[0].name, std::string("inside"));
        QCOMPARE(overview.kernels[0].time, 3 * ms);
        QCOMPARE(overview.kernels[0].share, 0.75);
        QCOMPARE(overview.kernels[1].time, ms);
        const std::string text = textOf(overview);
        QVERIFY2(text.find("(1 copy, 400 MB in whole copies)") != std::string::npos, text.c_str());
        const std::string whole = textOf(overviewOf(*trace, trace->session));
        QVERIFY2(whole.find("(1 copy, 400 MB)") != std::string::npos, whole.c_str());
    }

    /// The grid of a library's matrix product is not the user's choice.
    void doesNotBlameLibrariesGrids()
    {
        DrawnProgram drawn;
        drawn.kernel("nvjet_sm90_hsh_64x8_64x16_4x1_v_bz_TNT", 0, {ms, 2 * ms}, {.blocks = 88});
        drawn.kernel("my_product", 3 * ms, {4 * ms, 5 * ms}, {.blocks = 88});
        const auto trace = drawn.finish();
        TraceAnalysis analysis(*trace, trace->session, {});
        const std::vector<KernelFact> facts = judgeKernel(analysis, 0);
        QCOMPARE(plain(facts.front().label), "Blocks");
        QVERIFY(!facts.front().warns);
        QVERIFY2(plain(facts.front().text).find("A library chose the grid") != std::string::npos,
            plain(facts.front().text).c_str());
        QVERIFY(std::ranges::none_of(facts, &KernelFact::warns));
        QVERIFY(isLibraryKernel("sm80_xmma_gemm_f32f32") && isLibraryKernel("ampere_sgemm_128x64_nt")
            && isSolverKernel("gesvdbj_batch_32x16") && isSolverKernel("svd_column_rotate_batch")
            && !isLibraryKernel("my_gemm"));
    }

    void saysWhereHalfAWarpIsEmpty()
    {
        DrawnProgram drawn;
        drawn.kernel("narrow", 0, {ms, 2 * ms}, {.threads = 16});
        drawn.kernel("wide", 3 * ms, {4 * ms, 5 * ms}, {.blocks = 132 * 8 * 20});
        const auto trace = drawn.finish();
        const RunOverview overview = overviewOf(*trace, trace->session);
        for (const OverviewKernel& kernel : overview.kernels) {
            const bool narrow = kernel.name == "narrow";
            const auto threads = std::ranges::find(kernel.facts, "Threads", labelOfFact);
            QCOMPARE(threads->warns, narrow);
            if (narrow)
                QVERIFY(plain(threads->text).find("50.0% of their lanes are idle") != std::string::npos);
            else
                QVERIFY(std::ranges::none_of(kernel.facts, &KernelFact::warns));
        }
    }

    void tellsStepsAndWhatBoundsThem()
    {
        DrawnProgram drawn;
        for (int i = 0; i < 8; ++i) {
            const Ns at = 10 * ms * i;
            drawn.range("step_" + std::to_string(i), {at, at + 10 * ms});
            drawn.range("load", {at, at + 6 * ms});
            drawn.kernel("my_gemm", at + 6 * ms, {at + 6 * ms + 2 * us, at + 10 * ms});
        }
        const auto trace = drawn.finish();
        const RunOverview overview = overviewOf(*trace, trace->session);
        QVERIFY(overview.steps);
        QCOMPARE(overview.steps->count, std::size_t{8});
        QCOMPARE(overview.steps->median, 10 * ms);
        // Equal to the findings' count. The end of the last step is unknown.
        QCOMPARE(overview.steps->steady, std::size_t{7} + (overview.steps->whole == 7 ? 1 : 0));
        QVERIFY(overview.steps->whole <= overview.steps->steady);
        QCOMPARE(plain(overview.steps->bound),
            std::string("idle time while the host loads data in the range load"));
        QVERIFY(std::abs(overview.steps->boundShare - 0.6) < 0.01);
        QCOMPARE(sumOf(overview.parts), trace->session.duration());
    }

    /// Steps of 10 ms: a kernel runs for 5 ms, of which it waits 4 ms for pages, and a copy for 1 ms.
    void pagesOfStepsAreNoCopies()
    {
        DrawnProgram drawn;
        for (int i = 0; i < 8; ++i) {
            const Ns at = 10 * ms * i;
            drawn.range("step_" + std::to_string(i), {at, at + 10 * ms});
            drawn.kernel("touch", at, {at + 2 * us, at + 5 * ms + 2 * us});
            drawn.faults({at + ms, at + 2 * ms}, 50, 0x10000000);
            drawn.migration(CopyKind::UnifiedHtoD, {at + ms, at + 4 * ms}, 2'000'000, 0x10000000);
            drawn.copy({at + 6 * ms - 5 * us, at + 6 * ms}, {at + 6 * ms, at + 7 * ms});
        }
        const auto trace = drawn.finish();
        const std::string text = textOf(overviewOf(*trace, trace->session));
        for (const char* const share : {"waits for pages or moves them for 40.0%", "copies for 10.0%"})
            QVERIFY2(text.find(share) != std::string::npos, text.c_str());
    }

    /// A paragraph of its own, whose link goes to that step.
    void leadsToALastStepUnlikeOthers()
    {
        DrawnProgram drawn;
        for (int i = 0; i < 8; ++i) {
            const Ns at = 10 * ms * i;
            const Ns length = i == 7 ? 6 * ms : 10 * ms;
            drawn.range("step_" + std::to_string(i), {at, at + length});
            drawn.kernel("my_gemm", at + 2 * ms, {at + 2 * ms + 5 * us, at + length});
        }
        const auto trace = drawn.finish();
        const auto sentences = overviewOf(*trace, trace->session).sentences;
        const auto told = std::ranges::find_if(sentences, [](const OverviewSentence& sentence) {
            return plain(sentence.text)
                .starts_with("The last step (step_7) is shorter than all others: 6 ms");
        });
        QVERIFY(told != sentences.end());
        QCOMPARE(told->where.start, 72 * ms + 5 * us);
        QCOMPARE(told->where.end, 76 * ms);
    }

    void tellsElementwiseKernels()
    {
        DrawnProgram drawn;
        for (int i = 0; i < 120; ++i)
            drawn.kernel(
                "void at::native::elementwise_kernel<128, 4, at::native::AddFunctor<float>>(int, T2)",
                20 * us * i, {20 * us * i + 5 * us, 20 * us * i + 15 * us});
        const auto trace = drawn.finish();
        const std::string text = textOf(overviewOf(*trace, trace->session));
        for (const char* const figure : {"1.2 ms in 120 launches", "119 of them", "1.19 ms of GPU time"})
            QVERIFY2(text.find(figure) != std::string::npos, text.c_str());
    }

    void namesShortRangesOfSteps()
    {
        DrawnProgram drawn;
        for (int i = 0; i < 8; ++i) {
            const Ns at = 10 * ms * i;
            drawn.range("step_" + std::to_string(i), {at, at + 10 * ms});
            drawn.range("load", {at, at + 6 * ms});
            drawn.range("solve", {at + 6 * ms, at + 9 * ms});
            drawn.range("fft", {at + 9 * ms, at + 9 * ms + 60 * us});
            drawn.range("gemm", {at + 9 * ms + 100 * us, at + 9 * ms + 150 * us});
            drawn.kernel("my_gemm", at + 6 * ms, {at + 6 * ms + 2 * us, at + 10 * ms});
        }
        const auto trace = drawn.finish();
        std::string all;
        for (const OverviewSentence& sentence : overviewOf(*trace, trace->session).sentences)
            all += plain(sentence.text) + "\n";
        QVERIFY2(
            all.find("(self time): load 6 ms, solve 3 ms; shorter ones: fft 60 \u00b5s, gemm 50 \u00b5s.")
                != std::string::npos,
            all.c_str());
    }

    void saysWhatRanWithoutAGpu()
    {
        DrawnProgram drawn;
        drawn.range("parse input", {0, 60 * ms});
        drawn.range("solve", {60 * ms, 90 * ms});
        const auto trace = drawn.finish();
        const RunOverview overview = overviewOf(*trace, trace->session);
        QCOMPARE(named(overview), (std::map<std::string, Ns>{{"host_only", trace->session.duration()}}));
        const std::string text = textOf(overview);
        QVERIFY2(text.find("No GPU work in this report") != std::string::npos, text.c_str());
        QVERIFY2(text.find("Longest NVTX ranges: parse input 60 ms, solve 30 ms") != std::string::npos,
            text.c_str());
        // The table mentions it once.
        const std::string table = findingsTable(*trace, {}, {}, false, &overview);
        QCOMPARE(table.find("No GPU work"), table.rfind("No GPU work"));
    }

    /// Waits for the team, ranges of a library's domain and files are mentioned where there are any.
    void saysWhatThreadsDidWithoutAGpu()
    {
        DrawnProgram drawn;
        drawn.range("for_each", {0, 40 * ms}, "STDPAR");
        drawn.event(EventKind::OsRuntime, "pwrite64", {50 * ms, 70 * ms});
        drawn.event(EventKind::OsRuntime, "futex", {0, 90 * ms}, 2);
        drawn.event(EventKind::ThreadState, "Running", {0, 100 * ms});
        drawn.event(EventKind::ThreadState, "Running", {0, 50 * ms}, 2);
        const auto trace = drawn.finish();
        const std::string text = textOf(overviewOf(*trace, {0, 100 * ms}));
        for (const char* const said :
            {"NVTX ranges of the domain STDPAR: for_each 40 ms", "Reading and writing files: pwrite64 20 ms",
                "Other system calls: futex 90 ms (1 time: waits for a lock, or to be woken by another thread)",
                "2 threads run for 150 ms in all, 1.5 at once on average."})
            QVERIFY2(text.find(said) != std::string::npos, text.c_str());
        // Possibly missing data comes last: the program may not use a GPU.
        QVERIFY(text.find("If a GPU should have worked") > text.find("futex"));
    }

    /// The bar runs from left to right.
    void profilerStandsWhereItRan()
    {
        DrawnProgram drawn;
        drawn.event(EventKind::OsRuntime, "read", {0, 10 * ms});
        drawn.event(EventKind::Overhead, "injection", {10 * ms, 60 * ms});
        drawn.call("cudaMalloc_v3020", {70 * ms, 90 * ms});
        drawn.kernel("work", 91 * ms, {92 * ms, 100 * ms});
        const auto trace = drawn.finish();
        std::vector<std::string> order;
        for (const OverviewPart& part : overviewOf(*trace, trace->session).parts)
            order.emplace_back(keyOf(part.kind));
        const auto place = [&](const char* key) { return std::ranges::find(order, key) - order.begin(); };
        QVERIFY(place("profiler") < place("cuda_start"));
        QVERIFY(place("profiler") < place("kernels"));
        QCOMPARE(sumOf(overviewOf(*trace, trace->session).parts), trace->session.duration());
    }

    /// Host activity in the parts without GPU work has names: the program's first, then files, then waits.
    /// Nothing counts twice.
    void namesPhasesOfTheHost()
    {
        DrawnProgram drawn;
        drawn.range("main", {0, 1000 * ms}); // covers all: no phase
        drawn.range("parse", {100 * ms, 300 * ms});
        drawn.event(EventKind::OsRuntime, "pread64", {150 * ms, 200 * ms}); // inside parse
        drawn.event(EventKind::OsRuntime, "pread64", {300 * ms, 400 * ms});
        drawn.event(EventKind::OsRuntime, "futex", {500 * ms, 700 * ms});
        drawn.event(EventKind::OsRuntime, "pwrite64", {900 * ms, 1000 * ms});
        const auto trace = drawn.finish();
        const RunOverview overview = overviewOf(*trace, trace->session);
        QCOMPARE(overview.parts.size(), std::size_t{1});
        std::map<std::string, Ns> phases;
        Ns sum = 0;
        for (const OverviewPhase& phase : overview.parts.front().phases) {
            phases[plain(phase.name)] = phase.time;
            sum += phase.time;
        }
        QCOMPARE(phases["parse"], 200 * ms);
        QCOMPARE(phases["reads files"], 100 * ms);
        QCOMPARE(phases["waits for other threads"], 200 * ms);
        QCOMPARE(phases["writes files"], 100 * ms);
        QCOMPARE(phases["main"], 400 * ms); // the rest of it
        QCOMPARE(sum, 1000 * ms);
        const std::string text = textOf(overview);
        QVERIFY2(
            text.find(
                "Main thread, in order of time: main 400 ms (all along); parse 200 ms (between 100 ms and 300 ms); reads files 100 ms")
                != std::string::npos,
            text.c_str());
        QVERIFY2(text.find("woken by another thread") != std::string::npos,
            text.c_str()); // the explanation of a futex
        const std::string table = overviewTable(overview);
        QVERIFY2(table.find("waits for other threads") != std::string::npos, table.c_str());
    }

    /// Tens of thousands of names cost no more than one, and naming can be stopped.
    void manyNamesAreNamedQuickly()
    {
        constexpr int count = 60'000;
        DrawnProgram drawn;
        for (int i = 0; i < count; ++i) {
            // Without numbers, which would make one name of them.
            std::string name;
            for (int rest = i + 1; rest > 0; rest /= 26)
                name += static_cast<char>('a' + rest % 26);
            drawn.range(name, {i * 10 * us, i * 10 * us + (i == 7 ? 5 : 4) * us});
        }
        const auto trace = drawn.finish();
        const Intervals all{trace->session};
        NamedTime time(all, {});
        QElapsedTimer timer;
        timer.start();
        nameByHost(*trace, DrawnProgram::threadOf(1), time, {});
        QVERIFY2(timer.elapsed() < 5'000, qPrintable(QString::number(timer.elapsed())));
        const auto named = time.named(*trace);
        QCOMPARE(named.size(), std::size_t{count});
        Ns sum = 0;
        for (const NamedTime::Named& each : named)
            sum += each.time;
        QCOMPARE(sum, Ns{count} * 4 * us + us);
        QCOMPARE(totalTime(time.left()) + sum, time.all());
        std::stop_source stop;
        stop.request_stop();
        bool stopped = false;
        try {
            NamedTime other(all, stop.get_token());
            other.give(NamedTime::Claims{{all.front(), other.number({HostNameKind::Range, "all"})}});
        } catch (const Stopped&) {
            stopped = true;
        }
        QVERIFY(stopped);
    }

    /// A name that gets no time does not hide the number of the one that gets all.
    void aLoneNumberOfARangeIsShown()
    {
        DrawnProgram drawn;
        drawn.range("own code 2", {0, 5 * ms});
        drawn.range("own code 3", {5 * ms, 7 * ms});
        drawn.range("own code 2", {7 * ms, 9 * ms});
        const auto trace = drawn.finish();
        const auto named = [&](const Intervals& parts) {
            NamedTime time(parts, {});
            nameByRanges(*trace, DrawnProgram::threadOf(1), time, {});
            return time.named(*trace);
        };
        for (const auto& [parts, shown] :
            {std::pair(Intervals{{0, 5 * ms}, {7 * ms, 9 * ms}}, std::string("own code 2")),
                std::pair(Intervals{{0, 9 * ms}}, std::string("own code #"))}) {
            const auto found = named(parts);
            QCOMPARE(found.size(), std::size_t{1});
            QCOMPARE(found.front().shown, shown);
            QCOMPARE(found.front().name.name, std::string("own code #"));
        }
    }

    /// The calls before the first GPU work have names, and the one that creates the context is marked.
    void namesPhasesOfTheStart()
    {
        DrawnProgram drawn;
        drawn.call("cudaMalloc_v3020", {0, 200 * ms});
        drawn.call("cuModuleLoadData", {200 * ms, 250 * ms});
        drawn.call("cudaMalloc_v3020", {250 * ms, 260 * ms});
        drawn.call("cudaHostAlloc_v3020", {260 * ms, 300 * ms});
        drawn.kernel("work", 300 * ms, {301 * ms, 400 * ms});
        const auto trace = drawn.finish();
        const RunOverview overview = overviewOf(*trace, trace->session);
        const auto start = std::ranges::find(overview.parts, OverviewKind::CudaStart, &OverviewPart::kind);
        QVERIFY(start != overview.parts.end());
        std::map<std::string, Ns> phases;
        for (const OverviewPhase& phase : start->phases)
            phases[plain(phase.name)] = phase.time;
        QCOMPARE(phases["cudaMalloc (creates the context)"], 200 * ms);
        QCOMPARE(phases["cuModuleLoadData (loads code)"], 50 * ms);
        QCOMPARE(plain(labelOf(HostName{HostNameKind::CallMakesContext, "cudaMalloc"})),
            std::string("cudaMalloc"));
        QCOMPARE(phases["cudaMalloc"], 10 * ms);
        QCOMPARE(phases["cudaHostAlloc (pins memory)"], 40 * ms);
        QVERIFY(overviewTable(overview).find("cudaMalloc (creates the context)") != std::string::npos);
    }

    /// A context without a creating call was created in the silent time before the first call that needs one:
    /// that is the start of CUDA, not work of the host, unless a recorded event explains that time.
    void countsTheSilentStartOfCuda_data()
    {
        QTest::addColumn<int>("what");
        QTest::addColumn<bool>("isStart");
        QTest::newRow("nothing else is recorded") << 0 << true;
        QTest::newRow("the driver is asked") << 1 << true;
        QTest::newRow("files are read") << 2 << false;
        QTest::newRow("a range of the program") << 3 << false;
        QTest::newRow("MPI") << 4 << false;
        QTest::newRow("a call makes the context") << 5 << false;
        QTest::newRow("too long") << 6 << false;
        QTest::newRow("the recording begins later") << 7 << false;
    }
    void countsTheSilentStartOfCuda()
    {
        QFETCH(int, what);
        QFETCH(bool, isStart);
        DrawnProgram drawn;
        drawn.event(EventKind::OsRuntime, "open", {0, ms});
        if (what != 0 && what != 2)
            drawn.event(EventKind::OsRuntime, "ioctl", {200 * ms, 500 * ms});
        if (what == 2)
            drawn.event(EventKind::OsRuntime, "read", {200 * ms, 500 * ms});
        if (what == 3)
            drawn.range("read_mesh", {150 * ms, 590 * ms});
        if (what == 4)
            drawn.libraryCall("MPI", "MPI_Init", {150 * ms, 590 * ms});
        drawn.call(what == 7 ? "cudaEventRecord_v3020" : "cuModuleGetLoadingMode", {100 * ms, 100 * ms + us});
        const Ns first = what == 6 ? 5000 * ms : 600 * ms;
        drawn.call("cudaMalloc_v3020", {first, first + (what == 5 ? 90 * ms : 200 * us)});
        drawn.kernel("work", first + 100 * ms, {first + 101 * ms, first + 110 * ms});
        if (what == 0) { // without calls of the operating system
            DrawnProgram plain;
            plain.call("cuModuleGetLoadingMode", {100 * ms, 100 * ms + us});
            plain.call("cudaMalloc_v3020", {600 * ms, 600 * ms + 200 * us});
            plain.kernel("work", 601 * ms, {602 * ms, 610 * ms});
            drawn = std::move(plain);
        }
        const auto trace = drawn.finish();
        const RunOverview overview = overviewOf(*trace, trace->session);
        QCOMPARE(sumOf(overview.parts), trace->session.duration());
        QCOMPARE(overview.timeOf(OverviewKind::CudaStart) > 490 * ms, isStart);
        QCOMPARE(textOf(overview).find("in a call that nsys does not list") != std::string::npos, isStart);
        bool isTold = false;
        for (const Finding& finding : runRules(*trace, trace->session)) {
            isTold = isTold
                || plain(finding.title).find("probably the start of CUDA, 500 ms") != std::string::npos;
            for (const TimeRange& claimed : finding.claims)
                QVERIFY2(!isStart || finding.rule != "host_outside" || !claimed.contains(300 * ms),
                    plain(finding.title).c_str());
        }
        QCOMPARE(isTold, isStart);
    }

    /// Time without ranges and calls is named by samples: leading functions, each sample until the next; a
    /// thread that is not on a CPU is not sampled.
    void namesPhasesBySamples()
    {
        DrawnProgram drawn;
        drawn.event(EventKind::OsRuntime, "read", {0, 10 * ms});
        for (int i = 0; i < 100; ++i)
            drawn.sample(i < 60 ? "parse(char const*)" : "solve", "main", (10 + i) * ms);
        drawn.event(EventKind::OsRuntime, "write", {190 * ms, 200 * ms});
        const auto trace = drawn.finish();
        const RunOverview overview = overviewOf(*trace, trace->session);
        std::map<std::string, Ns> phases;
        for (const OverviewPhase& phase : overview.parts.front().phases)
            phases[plain(phase.name)] = phase.time;
        QCOMPARE(phases["reads files"], 10 * ms);
        QCOMPARE(phases["runs parse"], 60 * ms);
        QCOMPARE(phases["runs solve"], 41 * ms); // the last reaches two periods
    }

    /// Each of several GPUs has its own reason for idling: the phases are their mean.
    void phasesOfSeveralGpusAreTheirMean()
    {
        DrawnProgram drawn;
        for (int device = 0; device < 2; ++device) {
            const auto tid = static_cast<std::uint32_t>(device + 1);
            drawn.kernel("first", ms, {2 * ms, 10 * ms}, {.device = device, .tid = tid});
            drawn.kernel("second", 109 * ms, {110 * ms, 120 * ms}, {.device = device, .tid = tid});
        }
        drawn.call("cudaMalloc_v3020", {20 * ms, 100 * ms}); // on the thread of the first
        const auto trace = drawn.finish();
        const RunOverview overview = overviewOf(*trace, trace->session);
        const auto idle = std::ranges::find(overview.parts, OverviewKind::Idle, &OverviewPart::kind);
        QVERIFY(idle != overview.parts.end());
        QCOMPARE(idle->time, 100 * ms);
        QCOMPARE(plain(idle->meanOf), std::string("2 GPUs"));
        std::map<std::string, Ns> phases;
        for (const OverviewPhase& phase : idle->phases)
            phases[plain(phase.name)] = phase.time;
        QCOMPARE(phases["the host allocates or frees memory"], 40 * ms); // of 80 on one of two
        QVERIFY2(phases["the host runs its own code"] > 50 * ms,
            std::to_string(phases["the host runs its own code"]).c_str());
        QVERIFY(overviewTable(overview).find("the host allocates or frees memory (mean of 2 GPUs)")
            != std::string::npos);
        QCOMPARE(overviewJson(overview)["parts"].back()["phases_mean_of"].is_null(), true);
        for (const OverviewPhase& phase : idle->phases)
            QVERIFY(!phase.label.empty() && plain(phase.label).find("the ") != 0);
        // With several GPUs only the time of any GPU is described.
        std::vector<std::string> titles;
        for (const OverviewGpuColumn& column : columnsOf(overview.gpus))
            titles.push_back(plain(column.title));
        QCOMPARE(titles, (std::vector<std::string>{"computes", "idle"}));
        QVERIFY(overviewTable(overview).find("waits for pages") == std::string::npos);
        QVERIFY(overviewMarkdown(overview).find("| GPU | computes | idle |") != std::string::npos);
    }

    /// A damaged report may have migrations of pages without a length behind its last work.
    void migrationsWithoutALengthAreNoTime()
    {
        DrawnProgram drawn;
        drawn.kernel("kernel", 1 * ms, {2 * ms, 5 * ms});
        for (int i = 0; i < 3; ++i)
            drawn.migration(CopyKind::UnifiedDtoH, {6 * ms + i * us, 6 * ms + i * us}, 4096, 0x1000);
        drawn.call("cudaDeviceSynchronize_v3020", {5 * ms, 8 * ms});
        const auto trace = drawn.finish();
        const RunOverview overview = overviewOf(*trace, trace->session);
        QVERIFY(!overview.sentences.empty());
        for (const auto& sentence : overview.sentences)
            QVERIFY2(
                plain(sentence.text).find("migration") == std::string::npos, plain(sentence.text).c_str());
    }

    /// Names are the report's own: nothing in them is read as Markdown.
    void markdownKeepsNames()
    {
        DrawnProgram drawn;
        drawn.range("a|b `c`", {0, 50 * ms});
        drawn.range("f<int>", {50 * ms, 100 * ms});
        const auto trace = drawn.finish();
        const std::string text = overviewMarkdown(overviewOf(*trace, trace->session));
        QVERIFY2(text.find("| &nbsp;&nbsp;a\\|b \\`c\\` | 50.00 ms |") != std::string::npos, text.c_str());
        QVERIFY2(text.find("&nbsp;f\\<int\\> |") != std::string::npos, text.c_str());
    }

    /// Phases are disjoint and never more than their part, and idle time has the reasons of the budget.
    void phasesFitTheirParts()
    {
        const auto reports = sharedReports();
        if (reports.empty())
            QSKIP("the shared reports are not there");
        std::size_t named = 0;
        for (const std::string& path : reports) {
            const auto trace = load(path);
            if (!trace)
                continue;
            const RunOverview overview = overviewOf(*trace, trace->session);
            for (const OverviewPart& part : overview.parts) {
                Ns sum = 0;
                for (const OverviewPhase& phase : part.phases) {
                    QVERIFY2(phase.time > 0 && !phase.name.empty(), path.c_str());
                    QVERIFY2(
                        phase.where.empty() || phase.where.duration() >= phase.time * 9 / 10, path.c_str());
                    sum += phase.time;
                }
                QVERIFY2(sum <= part.time,
                    qPrintable(QString("%1: %2: %3 > %4")
                                   .arg(path.c_str(), QString::fromStdString(plain(titleOf(part))))
                                   .arg(sum)
                                   .arg(part.time)));
                named += part.phases.size();
            }
        }
        QVERIFY(named > 100);
    }

    /// A saving that is tiny compared with the run does not lead: where the time went does.
    void saysThatNothingLargeWasFound()
    {
        DrawnProgram drawn;
        drawn.event(EventKind::OsRuntime, "read", {0, ms});
        drawn.kernel("work", 900 * ms, {901 * ms, 902 * ms}, {.blocks = 2});
        const auto trace = drawn.finish();
        const RunOverview overview = overviewOf(*trace, trace->session);
        const std::vector<Finding> findings = runRules(*trace, trace->session);
        QVERIFY(isNothingLarge(findings, trace->session));
        QCOMPARE(findings.front().rule, "host_outside");
        std::string text = findingsTable(*trace, findings, {}, false, &overview);
        for (std::size_t at = 0; (at = text.find("\n  ")) != std::string::npos;)
            text.replace(at, 3, " "); // lines that were broken
        // One denominator: where the run's time went, and of which part the findings are; no "nothing" above
        // findings.
        for (const char* const said : {"Most of the 902 ms recorded went to: Before the first CUDA call",
                 "Savings refer to the 1 ms in which GPUs have work. Top finding: The host"})
            QVERIFY2(text.find(said) != std::string::npos, text.c_str());
        QVERIFY2(text.find("Nothing") == std::string::npos, text.c_str());
    }

    void knowsTheProgramBehindALauncher_data()
    {
        QTest::addColumn<QString>("command");
        QTest::addColumn<QString>("program");
        QTest::newRow("mpirun") << "mpirun -n 4 --oversubscribe --bind-to none ./halo 20 2 cpu"
                                << "./halo 20 2 cpu";
        QTest::newRow("path") << "/opt/mpi/bin/mpiexec -np 2 --mca btl self python train.py -n 3"
                              << "python train.py -n 3";
        QTest::newRow("slurm") << "srun --ntasks=8 -c 4 ./app"
                               << "./app";
        QTest::newRow("none") << "./mpirun_like -n 4 ./a"
                              << "";
        QTest::newRow("nothing behind") << "mpirun -n 4"
                                        << "";
        QTest::newRow("empty") << ""
                               << "";
    }
    void knowsTheProgramBehindALauncher()
    {
        QFETCH(QString, command);
        QFETCH(QString, program);
        const std::string text = command.toStdString();
        const std::size_t at = launchedProgram(text);
        QCOMPARE(QString::fromStdString(at > 0 ? text.substr(at) : ""), program);
    }

    void namesTheProgramThatUsesTheGpu()
    {
        QCOMPARE(programOf("/home/me/hw5 100", "/home/me/hw5"), "hw5");
        QCOMPARE(programOf("timeout 40 python3 cnn.py 4 20 pin", "/usr/bin/python3"), "cnn.py (python3)");
        QCOMPARE(programOf("env A=1 ./solve", "/home/me/solve"), "solve");
        QCOMPARE(programOf("bash run.sh", "/usr/bin/train"), "train");
        QCOMPARE(programOf("python3 -m bench --fast", ""), "bench (python3)");
        QCOMPARE(programOf("python3 -c pass", ""), "python3");
        QCOMPARE(programOf("", "C:\\work\\a.exe"), "a.exe");
        QCOMPARE(programOf("", ""), "The program");
        DrawnProgram drawn; // neither a command nor a process with a name
        drawn.info().capture.emplace_back("PROCESS_0:COMMAND", "");
        const auto blanked = drawn.finish();
        TraceAnalysis facts(*blanked, blanked->session, {});
        QCOMPARE(plain(programName(*blanked, facts)), "A program whose name was blanked");
    }

    /// The host has launched all, the GPU is late: no time in which the host works alone.
    void workThatIsQueuedIsNoWorkOfTheHost()
    {
        DrawnProgram drawn;
        for (int i = 0; i < 5; ++i)
            drawn.kernel("work" + std::to_string(i), i * ms, {(200 + i) * ms, (201 + i) * ms});
        const auto trace = drawn.finish();
        const RunOverview overview = overviewOf(*trace, trace->session);
        QVERIFY(overview.timeOf(OverviewKind::Queued) > 190 * ms);
        QVERIFY(overview.timeOf(OverviewKind::HostBefore) < ms);
        QCOMPARE(sumOf(overview.parts), trace->session.duration());
        QVERIFY2(textOf(overview).find("The GPU was busy") != std::string::npos, textOf(overview).c_str());
        for (const Finding& finding : runRules(*trace, trace->session))
            QVERIFY2(finding.rule != "host_outside", plain(finding.title).c_str());
    }

    /// A thread's activity before the first GPU work: by thread states and libraries, else marked as unknown.
    void saysWhatTheHostDoesAlone()
    {
        DrawnProgram drawn;
        drawn.event(EventKind::ThreadState, "Running", {0, 300 * ms});
        drawn.event(EventKind::Overhead, "dlopen(libfirst.so.1)", {100 * ms, 300 * ms});
        drawn.event(EventKind::Overhead, "dlopen(libsecond.so)", {300 * ms, 350 * ms});
        drawn.kernel("work", 500 * ms, {501 * ms, 502 * ms});
        auto trace = drawn.finish();
        std::string text = textOf(overviewOf(*trace, trace->session));
        for (const char* const said :
            {"It is on a CPU for 300 ms of that.",
                "Loading shared libraries (dlopen) takes 250 ms in 2 calls, 200 ms of it for libfirst.so.1."})
            QVERIFY2(text.find(said) != std::string::npos, text.c_str());
        DrawnProgram bare;
        bare.event(EventKind::OsRuntime, "read", {0, ms});
        bare.kernel("work", 500 * ms, {501 * ms, 502 * ms});
        trace = bare.finish();
        text = textOf(overviewOf(*trace, trace->session));
        QVERIFY2(text.find("The report does not show what it does (CPU samples: nsys profile") != text.npos,
            text.c_str());
    }

    /// One step of a model of 24 layers, launched while the GPU was busy with the previous step.
    void layersAreNoSteps()
    {
        const std::string path
            = std::string(WARPLINE_SHARED_REPORTS) + "/kineto/public/tl_vllm_graph.json.gz";
        if (!QFileInfo::exists(QString::fromStdString(path)))
            QSKIP("the shared reports are not there");
        const auto trace = load(path);
        QVERIFY(trace);
        const RunOverview overview = overviewOf(*trace, trace->session);
        QVERIFY(!overview.steps);
        const std::string text = textOf(overview);
        QVERIFY2(
            text.find("The first GPU work is launched after 2.23 ms") != std::string::npos, text.c_str());
        QVERIFY2(text.find("Before the first GPU work, the host runs") == std::string::npos, text.c_str());
    }

    void leadsWithWhatMatters()
    {
        const auto finding = [](const char* rule, Severity severity, Ns saving, Ns once) {
            Finding made;
            made.rule = rule;
            made.severity = severity;
            made.saving = saving;
            made.once = once;
            return made;
        };
        std::vector<Finding> findings{finding("big", Severity::High, 500 * us, 0),
            finding("tiny", Severity::Low, 8 * us, 0), finding("once", Severity::Low, 0, 100 * ms),
            finding("too_small", Severity::Low, 0, 0)};
        rankFindings(findings, {0, 500 * ms});
        const auto rules = [&] {
            std::vector<std::string> names;
            for (const Finding& each : findings)
                names.emplace_back(each.rule);
            return names;
        };
        // Not after eight microseconds: the list has the order of the leading findings.
        QCOMPARE(rules(), (std::vector<std::string>{"too_small", "big", "once", "tiny"}));
        const auto leading = leadingFindings(findings, 3);
        QCOMPARE(leading.size(), std::size_t{3});
        for (std::size_t i = 0; i < leading.size(); ++i)
            QCOMPARE(leading[i], &findings[i]);
        // An uncertain saving far above all certain ones leads; a finding without a cost never does.
        findings = {finding("sure", Severity::Medium, 60 * ms, 0), finding("free", Severity::Info, 0, 0),
            finding("doubt", Severity::Low, 900 * ms, 0)};
        findings.back().lowered = "it may not come back";
        rankFindings(findings, {0, 2'000 * ms});
        QCOMPARE(rules(), (std::vector<std::string>{"doubt", "sure", "free"}));
        QVERIFY(!reasonOf(findings.front()).empty());
        QVERIFY(reasonOf(findings[1]).empty());
        QCOMPARE(leadingFindings(findings, 3).size(), std::size_t{2});
        // Without a more severe finding after it, it does not mention that.
        findings = {finding("doubt", Severity::Low, 900 * ms, 0), finding("sure", Severity::Low, 3 * ms, 0)};
        findings.front().lowered = "it may not come back";
        rankFindings(findings, {0, 2'000 * ms});
        QCOMPARE(rules(), (std::vector<std::string>{"doubt", "sure"}));
        QVERIFY(reasonOf(findings.front()).empty());
        // A finding that is only possible yields to severe ones.
        findings = {finding("too_small", Severity::Low, 0, 0), finding("big", Severity::High, 500 * ms, 0)};
        findings.front().confidence = Confidence::Possible;
        rankFindings(findings, {0, 2'000 * ms});
        QCOMPARE(findings.front().rule, "big");
        // A credential is reported, but does not lead.
        findings = {finding("credentials_in_report", Severity::Medium, 0, 0),
            finding("free", Severity::Info, 0, 0), finding("low", Severity::Low, 3 * ms, 0)};
        rankFindings(findings, {0, 2'000 * ms});
        QCOMPARE(rules(), (std::vector<std::string>{"low", "credentials_in_report", "free"}));
        findings.erase(findings.begin());
        QVERIFY(leadingFindings(findings, 3).empty());
    }

    /// The first finding in text or window is the first line of the list, and the order is the same: over all
    /// reports.
    void leadsWithTheFirstOfTheList()
    {
        const auto reports = sharedReports();
        if (reports.empty())
            QSKIP("the shared reports are not there");
        for (const std::string& path : reports) {
            const auto trace = load(path);
            if (!trace)
                continue;
            const RunOverview overview = overviewOf(*trace, trace->session);
            const std::vector<Finding> findings = runRules(*trace, trace->session);
            QVERIFY2(std::ranges::is_sorted(findings, ranksHigher), path.c_str());
            const auto leading = leadingFindings(findings, 3);
            std::string text = findingsTable(*trace, findings, {}, false, &overview);
            for (std::size_t at = 0; (at = text.find("\n  ")) != std::string::npos;)
                text.replace(at, 3, " ");
            QCOMPARE(text.find("Top finding: ") != std::string::npos, !leading.empty());
            if (leading.empty())
                continue;
            QCOMPARE(leading.front(), &findings.front());
            QVERIFY(std::ranges::is_sorted(leading)); // a part of the list, in its order
            const std::string line = "Top finding: " + plain(findings.front().title);
            QVERIFY2(text.find(line) != std::string::npos, path.c_str());
        }
    }

    void namesFunctionsWithoutArguments()
    {
        QCOMPARE(bareFunction(
                     "graupel(unsigned long&, std::vector<double>&)::{lambda(unsigned long)#2}::operator()("
                     "unsigned long) const"),
            "graupel::{lambda#2}::operator()");
        QCOMPARE(bareFunction("operator new(unsigned long)"), "operator new");
        QCOMPARE(bareFunction("std::ostream& std::operator<< <char>(std::ostream&)"),
            "std::ostream& std::operator<<");
        QCOMPARE(bareFunction("main"), "main");
        QCOMPARE(bareFunction("(anonymous namespace)::work(int)"), "work");
        QCOMPARE(bareFunction("<lambda>"), "<lambda>");
    }

    void saysWhatToTypeOfAnEmptyReport()
    {
        const Trace trace;
        const RunOverview overview = overviewOf(trace, trace.session);
        const std::string text = textOf(overview);
        QVERIFY2(text.find("This report holds no events") != std::string::npos, text.c_str());
        QVERIFY(text.find("nsys profile") != std::string::npos);
    }

    void isOfTheRangeAsked()
    {
        const auto trace = smallProgram();
        const TimeRange window{145 * ms, 165 * ms};
        const RunOverview overview = overviewOf(*trace, window);
        QCOMPARE(sumOf(overview.parts), window.duration());
        QVERIFY(!named(overview).contains("before_cuda"));
        const RunOverview before = overviewOf(*trace, {0, 100 * ms});
        QCOMPARE(sumOf(before.parts), 100 * ms);
        QCOMPARE(overviewOf(*trace, {5, 5}).parts.size(), std::size_t{0});
    }

    void countsStepsThatLieInTheRange_data()
    {
        QTest::addColumn<qint64>("from");
        QTest::addColumn<qint64>("to");
        QTest::addColumn<QString>("says");
        // From the first kernel of a step to the first of the next, by correlation ids in SQL: step_3 95.94
        // to 169.39 ms, step_4 to 242.70 ms, step_5 to 316.12 ms.
        QTest::newRow("none")
            << qint64{100} << qint64{200}
            << "This range overlaps 3 steps (step_#), but none runs entirely inside it on the GPU";
        QTest::newRow("one") << qint64{96} << qint64{243} << "73.3 ms on the GPU for the one complete step.";
        QTest::newRow("two") << qint64{95} << qint64{243} << "on the GPU over 2 complete steps";
    }
    void countsStepsThatLieInTheRange()
    {
        const std::string path = sharedReport("h200/bert_fp32");
        if (path.empty())
            QSKIP("needs a report of ../shared/reports that is not there");
        const auto trace = loadReport(path);
        QVERIFY(trace.ok());
        QFETCH(qint64, from);
        QFETCH(qint64, to);
        QFETCH(QString, says);
        QString said;
        for (const OverviewSentence& sentence : overviewOf(*trace.value(), {from * ms, to * ms}).sentences)
            said += QString::fromStdString(plain(sentence.text)) + "\n";
        QVERIFY2(said.contains(says), qPrintable(said));
    }

    void stopsWhenAsked()
    {
        std::stop_source stop;
        stop.request_stop();
        const auto trace = smallProgram();
        QVERIFY(overviewOf(*trace, trace->session, stop.get_token()).parts.empty());
    }

    void isJson()
    {
        const auto trace = smallProgram();
        const RunOverview overview = overviewOf(*trace, trace->session);
        const Json json = overviewJson(overview);
        Ns sum = 0;
        for (const Json& part : json["parts"])
            sum += part["time_ns"].get<Ns>();
        QCOMPARE(sum, trace->session.duration());
        QCOMPARE(json["sentences"].size(), overview.sentences.size());
        QCOMPARE(json["kernels"][0]["facts"][0]["warns"].get<bool>(), true);
        QVERIFY(json["steps"].is_null());
    }

    /// The facts about a kernel are below it, before the next one.
    void factsStandBelowTheirKernel()
    {
        const auto fact = [](const char* text, bool warns) {
            return KernelFact{.label = "Fact", .text = text, .warns = warns};
        };
        RunOverview overview;
        overview.window = {0, 10 * ms};
        overview.kernels.resize(2);
        overview.kernels[0].name = "first_kernel";
        overview.kernels[0].facts = {fact("of the first", true), fact("ncu for the first", false)};
        overview.kernels[1].name = "second_kernel";
        overview.kernels[1].facts = {fact("of the second", true), fact("ncu for the second", false)};
        const auto text = QString::fromStdString(overviewTable(overview));
        const QStringList inOrder{
            "first_kernel", "of the first", "ncu for the first", "second_kernel", "of the second"};
        qsizetype last = -1;
        for (const QString& said : inOrder) {
            const qsizetype place = text.indexOf(said);
            QVERIFY2(place > last, qPrintable(said + ": " + text));
            last = place;
        }
        QVERIFY(!text.contains("ncu for the second"));
    }

    void addsUpOnEveryReport_data()
    {
        QTest::addColumn<QString>("path");
        for (const std::string& path : sharedReports())
            QTest::newRow(QFileInfo(QString::fromStdString(path)).fileName().toUtf8())
                << QString::fromStdString(path);
        if (sharedReports().empty())
            QTest::newRow("none") << QString();
    }

    void addsUpOnEveryReport()
    {
        QFETCH(const QString, path);
        if (path.isEmpty())
            QSKIP("the shared reports are not there");
        const auto trace = load(path.toStdString());
        if (!trace)
            return; // not a report: others test that
        const RunOverview overview = overviewOf(*trace, trace->session);
        QCOMPARE(sumOf(overview.parts), trace->session.duration());
        QVERIFY(!overview.sentences.empty());
        // The budget of the only GPU splits the same time in another way.
        const GpuBudgets budgets(*trace);
        if (budgets.gpus().size() != 1)
            return;
        const Budget budget = budgets.gpus().front().within(trace->session);
        const BudgetParts& parts = budgets.parts();
        QCOMPARE(overview.timeOf(OverviewKind::Kernels), totalOf(parts, budget, BudgetGroup::Compute));
        QCOMPARE(
            overview.timeOf(OverviewKind::Communication), totalOf(parts, budget, BudgetGroup::Communication));
        QCOMPARE(overview.timeOf(OverviewKind::CopiesIn), budget[parts.copyToGpu()]);
        QCOMPARE(overview.timeOf(OverviewKind::CopiesOut), budget[parts.copyToHost()]);
        QCOMPARE(overview.timeOf(OverviewKind::OtherCopies), budget[parts.copyOther()] + budget[parts.set()]);
        // Also those that the host fetches after the last kernel or copy.
        QCOMPARE(overview.timeOf(OverviewKind::Pages), budget[parts.pages()]);
    }

    void agreesWithSql_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* const name :
            {"streams", "bert_fp32", "cnn_workers0", "decode", "reduce_v2", "launch_graph", "storm_80k"})
            QTest::newRow(name) << QString(name);
    }

    void agreesWithSql()
    {
        QFETCH(const QString, name);
        const std::string path = sharedReport(name.toStdString());
        if (path.empty())
            QSKIP("the shared reports are not there");
        const auto trace = load(path);
        QVERIFY(trace);
        const RunOverview overview = overviewOf(*trace, trace->session);
        const std::map<std::string, Ns> parts = named(overview);
        for (const auto& [kind, time] : workBySql(path))
            QCOMPARE(parts.contains(kind) ? parts.at(kind) : 0, time);
    }

    void saysWhatKnownProgramsDo_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("says");
        // Two arrays of 67 M random numbers are made on the host before anything else.
        QTest::newRow("random numbers") << "public/OlivierKessler01__cuda-thinkering__output"
                                        << "Its 2,063 CPU samples: ";
        QTest::newRow("context") << "public/chase-compton__Game-of-Life-in-CUDA__report1"
                                 << "The longest call, cudaMalloc, takes 235 ms, or 239 ms with";
        QTest::newRow("input") << "h200-more/vit"
                               << "Over all steps (mean 145 ms), the GPU computes for 4.9%";
        QTest::newRow("no CUDA") << "public/YoonKyonghwan__EfficientCenterFormer__poolformer"
                                 << "3D_backbone";
        QTest::newRow("lost work") << "public/ZhangXin8069__qcu__test_report4"
                                   << "cuEventSynchronize";
        QTest::newRow("barriers") << "public/NTHU-SC__ISC25-ICON-C__nsys_reports_cpu"
                                  << "Of the 2,195 CPU samples on all threads, 30.3% are in OpenMP's waits";
        QTest::newRow("ranges of a library") << "public/NTHU-SC__ISC25-ICON-C__nsys_reports_cpu"
                                             << "STDPAR: for_each 80.8 ms (3 times)";
        QTest::newRow("asleep")
            << "public/Sh1mwww__llama3-inference__real_inference_simulation"
            << "while the host is in the range ensure_layer_#_weights for 565 ms (559 ms of "
               "it: the host sleeps or waits, on no CPU)";
        QTest::newRow("one count") << "public/Sh1mwww__llama3-inference__real_inference_simulation"
                                   << "64 steps (token_#_processing), 63 of them steady";
        QTest::newRow("the start of MPI") << "h200-more/halo_one"
                                          << "MPI_Init 275 ms";
        QTest::newRow("the end of MPI") << "h200-more/halo_one"
                                        << "MPI_Finalize 50.";
        QTest::newRow("behind a launcher") << "h200-more/halo_one"
                                           << "halo: 2.13 s from the first";
        QTest::newRow("idle of several GPUs") << "h200-more/halo_one"
                                              << "On average over 4 processes each is idle for ";
        QTest::newRow("whose steps") << "h200-more/halo_one"
                                     << "Process [2441] halo, MPI rank 2: 20 steps";
        QTest::newRow("the program's own phases")
            << "streams"
            << "NVTX ranges on the host, in order, from the first to the last GPU work: sync pageable 224 ms, async pageable 46.7 ms";
        QTest::newRow("rounds of phases") << "h200-more/um"
                                          << "host write 28";
        QTest::newRow("kernels that run at once") << "streams"
                                                  << "23.1 ms in kernels (192 launches, 35 ms in sum";
        QTest::newRow("kernels that communicate") << "h200-more/fsdp_rank1"
                                                  << "in kernels (3,512 launches";
        QTest::newRow("tokens") << "decode"
                                << "69.2 ms per token at the median";
        QTest::newRow("times of the ruler")
            << "reduce_v1"
            << "at 4.9 s in the timeline, 4.87 s after the first event recorded (65.2%";
        QTest::newRow("numbers of GPUs") << "h200-more/um"
                                         << "GPU 1 is CUDA device 0 of the program";

        QTest::newRow("launching as one")
            << "bert_amp"
            << "idle time while the host launches work or prepares the next launch";
        // 5.994 ms by the profiler, of which pages move for 2.830 ms, 503.8 us pass before the first, and the
        // rest of 3.5 ms between pages that follow each other within 100 us.
        QTest::newRow("waits for pages")
            << "public/hsiaogary__CUDA-course__An_Even_Easier_Introduction_to_CUDA_report1"
            << "2.5 ms in kernels (1 launch, 5.99 ms including waits for pages)";
        QTest::newRow("pages that only move")
            << "public/hsiaogary__CUDA-course__An_Even_Easier_Introduction_to_CUDA_report1"
            << "4.78 ms on pages of unified memory (kernels wait for 3.5 ms of it)";
        QTest::newRow("pages that come back")
            << "public/hsiaogary__CUDA-course__An_Even_Easier_Introduction_to_CUDA_report1"
            << "24 migrations of pages take 1.28 ms";
        QTest::newRow("what steps cover") << "public/enleeyee__kNN-Benchmark__profile_report"
                                          << "100 steps (compute_squared_norm + 5 kernels)";
        QTest::newRow("wrapper") << "cnn_sampled"
                                 << "cnn.py (python3): 10.7 s";
        QTest::newRow("imports") << "reduce_v1"
                                 << "Loading shared libraries (dlopen)";
        QTest::newRow("driver") << "streams"
                                << "ioctl is the driver, which starts the GPU";
        QTest::newRow("added up") << "streams"
                                  << "1.88 GB, 164 ms in sum; the rest overlaps with kernels or other copies";
        QTest::newRow("hardly steps")
            << "streams"
            << "repeat 50 times, median 268 µs on the GPU over 49 complete steps. They may be steps";
        QTest::newRow("MPI alone") << "h200-more/halo8/rank0"
                                   << "while the host is in calls of MPI for 135 ms";
        QTest::newRow("pages, not ncu")
            << "h200-more/um"
            << "are waits for pages of unified memory. Prefetch them before the launch";
        QTest::newRow("what was traced stays")
            << "h200-more/openmp"
            << "nsys profile --trace=cuda,nvtx,osrt,openmp -o report ./program";
        QTest::newRow("ranges of steps") << "h200-more/libraries"
                                         << "(self time): svd 10.5 ms, solve 7.09 ms";
        QTest::newRow("the bar's figure") << "h200-more/libraries"
                                          << "compiles GPU code for 597 ms";
        QTest::newRow("unnamed rest") << "h200-more/libraries"
                                      << "The report does not show what it does in the rest";
        QTest::newRow("ranks") << "h200-more/halo_one"
                               << "4 processes share 2 GPUs and compute equally long";
    }

    /// A function with a few of all samples explains nothing.
    void spreadSamplesAreNotTold()
    {
        const std::string path
            = std::string(WARPLINE_SHARED_REPORTS) + "/public/NTHU-SC__ISC25-ICON-C__nsys_reports_gpu.sqlite";
        if (!QFileInfo::exists(QString::fromStdString(path)))
            QSKIP("the shared reports are not there");
        const auto trace = load(path);
        QVERIFY(trace);
        const auto text = QString::fromStdString(textOf(overviewOf(*trace, trace->session)));
        QVERIFY2(!text.contains("H5_hash_string"), qPrintable(text)); // two of fifteen
        QVERIFY2(text.contains("pwrite64"), qPrintable(text)); // the reason why the output waits
    }

    /// Their name is a word of this language, not NVTX.
    void annotatedRangesBeginASentence()
    {
        const auto trace = loadReport(WARPLINE_SHARED_REPORTS "/kineto/decode.json.gz");
        if (!trace.ok())
            QSKIP("the shared reports are not there");
        int found = 0;
        for (const OverviewSentence& sentence :
            overviewOf(*trace.value(), trace.value()->session).sentences) {
            if (sentence.text.key() != "overview.own_ranges")
                continue;
            ++found;
            const auto name = std::ranges::find(sentence.text.values(), "ranges", &Argument::name);
            QVERIFY(name != sentence.text.values().end());
            QCOMPARE(std::string(name->value.messages.front().key()), std::string("ranges.title"));
        }
        QCOMPARE(found, 1);
    }

    void saysWhatKnownProgramsDo()
    {
        QFETCH(const QString, name);
        QFETCH(const QString, says);
        const std::string path = sharedReport(name.toStdString());
        if (path.empty())
            QSKIP("the shared reports are not there");
        const auto trace = load(path);
        QVERIFY(trace);
        const RunOverview overview = overviewOf(*trace, trace->session);
        std::string text = textOf(overview) + plain(overview.machine);
        for (const OverviewKernel& kernel : overview.kernels) {
            for (const KernelFact& fact : kernel.facts)
                text += plain(fact.text);
        }
        QVERIFY2(QString::fromStdString(text).contains(says), text.c_str());
    }
};

WARPLINE_TEST(OverviewTest)

} // namespace tst_overview

#include "tst_overview.moc"
