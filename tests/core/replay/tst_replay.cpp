// Synthetic programs whose step times after a change are known.

#include "core/export/whatif_text.h"
#include "core/load/load_report.h"
#include "core/replay/cure_factors.h"
#include "core/replay/data_loading.h"
#include "core/replay/replay_run.h"
#include "core/replay/what_if.h"
#include "tests/core/findings/drawn_program.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <algorithm>
#include <functional>
#include <limits>
#include <random>
#include <string>

namespace tst_replay {

using namespace warpline;
using namespace warpline::test;

namespace {

constexpr int steps = 8;

/// A program of `steps` ranges step_0, step_1 ... and one more, each of `period`, that `draw` fills.
std::shared_ptr<const Trace> stepsOf(
    Ns period, const std::function<void(DrawnProgram&, Ns begin, int step)>& draw)
{
    DrawnProgram program;
    for (int i = 0; i <= steps; ++i) {
        const Ns begin = ms + i * period;
        program.range("step_" + std::to_string(i), {begin, begin + period - 1});
        draw(program, begin, i);
    }
    return program.finish();
}

std::vector<WhatIfTarget> targetsOf(const Trace& trace)
{
    return whatIfTargets(trace, {trace.session.start, trace.session.end + 1});
}

Expectation expectedOf(const Trace& trace, const CureEdit& edit)
{
    const std::vector<WhatIfTarget> targets = targetsOf(trace);
    return targets.empty() ? Expectation{} : targets.front().replay.expect(Cure{{edit}});
}

/// A launch at `at`, its kernel on an idle GPU, and a call that waits for it; the next operator may begin
/// 60 us after `at`.
void launchAndWait(DrawnProgram& program, Ns at)
{
    program.kernel("work", at, {at + 5 * us, at + 55 * us});
    program.call("cudaDeviceSynchronize_v3020", {at + 3 * us, at + 58 * us});
}

} // namespace

class ReplayTest : public QObject {
    Q_OBJECT

private slots:
    void withoutSyncsTheStreamStaysFull()
    {
        const auto trace = stepsOf(240 * us, [](DrawnProgram& program, Ns begin, int) {
            for (int op = 0; op < 4; ++op)
                launchAndWait(program, begin + op * 60 * us);
        });
        const Expectation all = expectedOf(*trace, {.kind = CureKind::RemoveSync});
        QCOMPARE(all.measured, 240 * us);
        QCOMPARE(all.replayed, 240 * us);
        // Four kernels of 50 us with gaps of 1 us, from 5 us after the first launch; the last wait stays: it
        // returns 3 us later, and the next step begins 2 us after that.
        QCOMPARE(all.cured.expected, (5 + 4 * 50 + 3 + 3 + 2) * us);
        QVERIFY(all.cured.low <= all.cured.expected && all.cured.expected <= all.cured.high);
        QCOMPARE(all.changed, std::size_t{(steps + 1) * 3});
    }

    /// Sums of many lengths stay within 64 bits, and the answer says so.
    void workIsNotScaledBeyondHours()
    {
        constexpr Ns second = 1000 * ms;
        const auto trace = stepsOf(20 * second, [](DrawnProgram& program, Ns begin, int) {
            program.kernel("long", begin, {begin + 5 * us, begin + 11 * second});
            program.kernel("short", begin + 3 * us, {begin + 11 * second, begin + 12 * second});
        });
        const auto timesThousand = [&](const char* name) {
            return expectedOf(
                *trace, {.kind = CureKind::ScaleWork, .name = name, .factor = FactorRange::exactly(1000)});
        };
        const Expectation capped = timesThousand("long");
        QVERIFY(capped.isCapped && capped.cured.expected > longestScaled);
        QVERIFY(capped.cured.expected < 11'000 * second);
        QCOMPARE(notesOf(capped, 1).size(), notesOf(timesThousand("short"), 1).size() + 1);
    }

    /// A long time that is usual, of every call, adds up to more than 64 bits hold.
    void replayedTimesStayFinite()
    {
        constexpr std::uint32_t count = 300;
        ReplayGraph graph;
        graph.steps = 1;
        for (std::uint32_t i = 0; i < count; ++i) {
            ReplayCall& call = graph.calls.emplace_back();
            call.step = std::min(i, 1U);
            call.previous = i > 0 ? i - 1 : noNode;
            call.length = call.tail = timeLimit;
            call.firstAwaited = i;
            call.awaitedCount = 1;
            ReplayWork& work = graph.works.emplace_back();
            work.step = call.step;
            work.call = i;
            work.previous = call.previous;
            work.latency = work.gap = timeLimit;
            graph.awaited.push_back(i);
            graph.order.push_back({0, ReplayEvent::Kind::CallBegins, i});
            graph.order.push_back({0, ReplayEvent::Kind::WorkRuns, i});
            graph.order.push_back({0, ReplayEvent::Kind::CallReturns, i});
        }
        const ReplayTimes times = runReplay(graph);
        Ns last = 0;
        for (const TimeRange& made : times.calls) {
            QVERIFY(last <= made.start && made.start <= made.end);
            last = made.end;
        }
        QVERIFY(last > 4 * timeLimit);
        QVERIFY(last < std::numeric_limits<Ns>::max() / 2);
        QCOMPARE(stepLengths(graph, times), std::vector<Ns>{2 * timeLimit});
    }

    void workWithoutCallsIsNoReplay()
    {
        for (const bool recorded : {true, false}) {
            DrawnProgram program;
            for (int i = 0; i < 100; ++i)
                program.kernel(
                    "work", i * ms, {i * ms + 5 * us, i * ms + 900 * us}, {.isLaunchRecorded = recorded});
            QCOMPARE(targetsOf(*program.finish()).empty(), !recorded);
        }
    }

    void theOnlySyncOfAStepGoes()
    {
        const auto trace
            = stepsOf(60 * us, [](DrawnProgram& program, Ns begin, int) { launchAndWait(program, begin); });
        const Expectation one = expectedOf(*trace, {.kind = CureKind::RemoveSync});
        QCOMPARE(one.cured.expected, 51 * us); // the kernel and the gap of a full stream
    }

    void pooledAllocationsWaitForNothing()
    {
        const auto trace = stepsOf(300 * us, [](DrawnProgram& program, Ns begin, int) {
            program.call("cudaMalloc_v3020", {begin, begin + 40 * us});
            program.kernel("work", begin + 41 * us, {begin + 46 * us, begin + 146 * us});
            program.call("cudaFree_v3020", {begin + 44 * us, begin + 200 * us});
            program.call("cudaDeviceSynchronize_v3020", {begin + 290 * us, begin + 291 * us});
        });
        const Expectation pooled = expectedOf(*trace, {.kind = CureKind::PoolAllocations});
        // 2 us per call; 90 us of the host's own time, 9 us at the end of the step, 1 us between the others;
        // the synchronization, which now waits for the kernel, returns with it: its typical tail is unknown.
        QVERIFY(pooled.cured.expected < 125 * us);
        QVERIFY(pooled.cured.expected >= 100 * us); // the kernel stays
    }

    void removedCopiesGoWithTheirCalls()
    {
        const auto trace = stepsOf(200 * us, [](DrawnProgram& program, Ns begin, int) {
            program.copy({begin, begin + 105 * us}, {begin + 5 * us, begin + 100 * us},
                {.call = "cudaMemcpy_v3020", .bytes = 1'900'000});
            program.kernel("work", begin + 106 * us, {begin + 111 * us, begin + 190 * us});
            program.call("cudaDeviceSynchronize_v3020", {begin + 109 * us, begin + 193 * us});
        });
        const Expectation gone
            = expectedOf(*trace, {.kind = CureKind::RemoveWork, .name = "*", .work = EventKind::Memcpy});
        // The copy's call takes 105 us; of the 7 us before it and the 1 us behind it the longer stays.
        QCOMPARE(gone.cured.expected, (200 - 105 - 1) * us);
    }

    void copiesBesideKernelsHideThem()
    {
        const auto trace = stepsOf(200 * us, [](DrawnProgram& program, Ns begin, int) {
            program.copy({begin, begin + 3 * us}, {begin + 5 * us, begin + 85 * us}, {.bytes = 1'600'000});
            program.kernel("work", begin + 4 * us, {begin + 86 * us, begin + 186 * us});
            program.call("cudaDeviceSynchronize_v3020", {begin + 8 * us, begin + 189 * us});
        });
        const Expectation hidden = expectedOf(*trace, {.kind = CureKind::OverlapCopies});
        QVERIFY(hidden.cured.expected >= 100 * us && hidden.cured.expected <= 125 * us);
    }

    void copiesThatTakeLongestBoundTheStep()
    {
        const auto trace = stepsOf(400 * us, [](DrawnProgram& program, Ns begin, int) {
            program.copy({begin, begin + 3 * us}, {begin + 5 * us, begin + 305 * us}, {.bytes = 6'000'000});
            program.kernel("work", begin + 4 * us, {begin + 306 * us, begin + 386 * us});
            program.call("cudaDeviceSynchronize_v3020", {begin + 8 * us, begin + 389 * us});
        });
        const Expectation hidden = expectedOf(*trace, {.kind = CureKind::OverlapCopies});
        QCOMPARE(hidden.cured.expected, 300 * us);
    }

    void kernelsScaleAndFuse()
    {
        const auto trace = stepsOf(420 * us, [](DrawnProgram& program, Ns begin, int) {
            for (int i = 0; i < 4; ++i)
                program.kernel(i == 3 ? "gemm" : "add", begin + i * 3 * us,
                    {begin + 5 * us + i * 101 * us, begin + 105 * us + i * 101 * us});
            program.call("cudaDeviceSynchronize_v3020", {begin + 20 * us, begin + 411 * us});
        });
        const Expectation half = expectedOf(
            *trace, {.kind = CureKind::ScaleWork, .name = "add", .factor = FactorRange::exactly(0.5)});
        QCOMPARE(half.cured.expected, (420 - 3 * 50) * us);
        const Expectation range
            = expectedOf(*trace, {.kind = CureKind::ScaleWork, .name = "add", .factor = {0.25, 0.5, 1}});
        QCOMPARE(range.cured.expected, half.cured.expected);
        // The interval holds both ends of the factor, and a twentieth of the saving beyond.
        QVERIFY(range.cured.low <= (420 - 3 * 75) * us && range.cured.low >= (420 - 3 * 75 - 8) * us);
        QVERIFY(range.cured.high >= 420 * us && range.cured.high <= 428 * us);
        // Three kernels become one of a third of their time; two gaps of 1 us are removed with them.
        const Expectation fused = expectedOf(
            *trace, {.kind = CureKind::FuseKernels, .name = "add", .factor = FactorRange::exactly(1.0 / 3)});
        QVERIFY(qAbs(fused.cured.expected - (420 - 200 - 2) * us) <= 2);
        const Expectation none = expectedOf(*trace, {.kind = CureKind::ScaleWork, .name = "nothing*"});
        QCOMPARE(none.changed, std::size_t{0});
        QCOMPARE(none.cured.expected, 420 * us);
    }

    /// Times in whole microseconds: a call begins at the very time at which the one before it returns.
    void waitsInCopiesShrinkWithTheGpu()
    {
        const auto trace = stepsOf(400 * us, [](DrawnProgram& program, Ns begin, int) {
            program.kernel("work", begin, {begin + 5 * us, begin + 305 * us});
            program.copy({begin + 4 * us, begin + 310 * us}, {begin + 306 * us, begin + 308 * us},
                {.kind = CopyKind::DtoH, .host = MemoryKind::Pageable, .bytes = 4'000});
            program.call("cudaStreamSynchronize_v3020", {begin + 310 * us, begin + 311 * us});
            program.kernel("work", begin + 311 * us, {begin + 316 * us, begin + 376 * us});
            program.call("cudaDeviceSynchronize_v3020", {begin + 315 * us, begin + 379 * us});
        });
        const Expectation half
            = expectedOf(*trace, {.kind = CureKind::ScaleWork, .factor = FactorRange::exactly(0.5)});
        QCOMPARE(half.replayed, 400 * us);
        QVERIFY2(qAbs(half.cured.expected - (400 - 150 - 1 - 30) * us) <= us,
            qPrintable(QString::number(half.cured.expected)));
    }

    /// An upload from pageable memory waits for its stream, and returns before its last part has arrived.
    void uploadsFromPageableMemoryWaitForTheirStream()
    {
        const auto trace = stepsOf(400 * us, [](DrawnProgram& program, Ns begin, int) {
            program.kernel("work", begin, {begin + 5 * us, begin + 305 * us});
            program.copy({begin + 4 * us, begin + 350 * us}, {begin + 306 * us, begin + 352 * us},
                {.host = MemoryKind::Pageable, .bytes = 1'000'000});
            program.call("cudaDeviceSynchronize_v3020", {begin + 360 * us, begin + 361 * us});
        });
        const Expectation half = expectedOf(
            *trace, {.kind = CureKind::ScaleWork, .name = "work", .factor = FactorRange::exactly(0.5)});
        QVERIFY2(
            qAbs(half.cured.expected - 250 * us) <= us, qPrintable(QString::number(half.cured.expected)));
    }

    void releasesThatWaitShrinkWithTheGpu()
    {
        const auto trace = stepsOf(400 * us, [](DrawnProgram& program, Ns begin, int) {
            program.kernel("work", begin, {begin + 5 * us, begin + 305 * us});
            program.call("cudaFree_v3020", {begin + 4 * us, begin + 320 * us});
        });
        const Expectation half = expectedOf(
            *trace, {.kind = CureKind::ScaleWork, .name = "work", .factor = FactorRange::exactly(0.5)});
        QVERIFY2(
            qAbs(half.cured.expected - 250 * us) <= us, qPrintable(QString::number(half.cured.expected)));
    }

    /// 1,024 launches wait in the queue: those behind them, and copies, return as it empties.
    void callsThatWaitForRoomShrinkWithTheGpu()
    {
        DrawnProgram program;
        constexpr int each = 300; // pieces of work of a step, 20 us each; a call takes 2 us
        std::vector<Ns> began;
        Ns host = ms;
        Ns gpu = ms;
        for (int i = 0; i <= 2 * steps; ++i) {
            const Ns begin = host;
            for (int k = 0; k < each; ++k) {
                Ns returns = host + 2 * us;
                if (began.size() >= 1024)
                    returns = std::max(returns, began[began.size() - 1024] + 1 * us);
                const Ns start = std::max(host + 5 * us, gpu + us);
                gpu = start + 20 * us;
                if (k % 10 == 9)
                    program.copy({host, returns}, {start, gpu}, {.kind = CopyKind::DtoD, .bytes = 1'000});
                else
                    program.kernel("work", host, {start, gpu}, {.callTime = returns - host});
                began.push_back(start);
                host = returns + us;
            }
            program.range("step_" + std::to_string(i), {begin, host - 1});
        }
        const auto trace = program.finish();
        const Expectation half
            = expectedOf(*trace, {.kind = CureKind::ScaleWork, .factor = FactorRange::exactly(0.5)});
        // 300 pieces of 21 us become 300 of 11 us.
        QVERIFY2(half.share() > 0.4 && half.share() < 0.5, qPrintable(QString::number(half.share())));
    }

    /// No event records it, but the kernel began when only the last blocks of another stream's were left.
    void workHeldUpByAnotherStreamFollowsIt()
    {
        const auto trace = stepsOf(600 * us, [](DrawnProgram& program, Ns begin, int) {
            program.kernel("large", begin, {begin + 5 * us, begin + 505 * us});
            program.kernel("small", begin + 4 * us, {begin + 500 * us, begin + 510 * us}, {.stream = 14});
            program.call("cudaStreamSynchronize_v3020", {begin + 8 * us, begin + 515 * us});
        });
        const Expectation half = expectedOf(
            *trace, {.kind = CureKind::ScaleWork, .name = "large", .factor = FactorRange::exactly(0.5)});
        QVERIFY2(
            qAbs(half.cured.expected - 350 * us) <= us, qPrintable(QString::number(half.cured.expected)));
    }

    void pollsAreAWait()
    {
        constexpr std::uint32_t notReady = 600;
        const auto trace = stepsOf(300 * us, [](DrawnProgram& program, Ns begin, int) {
            program.kernel("work", begin, {begin + 5 * us, begin + 195 * us});
            for (int i = 0; i < 20; ++i)
                program.call("cudaEventQuery_v3020", {begin + (8 + i * 10) * us, begin + (9 + i * 10) * us},
                    1, i < 19 ? notReady : 0);
            program.call("cudaDeviceSynchronize_v3020", {begin + 215 * us, begin + 216 * us});
        });
        const Expectation half = expectedOf(
            *trace, {.kind = CureKind::ScaleWork, .name = "work", .factor = FactorRange::exactly(0.5)});
        QVERIFY2(
            qAbs(half.cured.expected - 205 * us) <= us, qPrintable(QString::number(half.cured.expected)));
    }

    /// A kernel that waits for pages each time it runs does not show how long it takes without: that is no
    /// saving of nothing.
    void kernelsThatAlwaysWaitForPagesTellNothing()
    {
        const auto trace = stepsOf(600 * us, [](DrawnProgram& program, Ns begin, int) {
            program.kernel("touch", begin, {begin + 5 * us, begin + 505 * us});
            program.migration(
                CopyKind::UnifiedHtoD, {begin + 10 * us, begin + 100 * us}, 1'000'000, 0x7000'0000'0000);
            program.call("cudaDeviceSynchronize_v3020", {begin + 4 * us, begin + 510 * us});
        });
        QCOMPARE(expectedOf(*trace, {.kind = CureKind::PrefetchPages}).changed, std::size_t{0});
    }

    void theDefaultStreamIsNoBarrierAnyMore()
    {
        // Two streams of 200 us; a kernel of the default stream begins behind both, and they behind it.
        const auto trace = stepsOf(320 * us, [](DrawnProgram& program, Ns begin, int) {
            program.kernel("a", begin, {begin + 5 * us, begin + 105 * us}, {.stream = 20});
            program.kernel("sum", begin + 3 * us, {begin + 106 * us, begin + 206 * us}, {.stream = 7});
            program.kernel("b", begin + 6 * us, {begin + 207 * us, begin + 307 * us}, {.stream = 21});
            program.call("cudaDeviceSynchronize_v3020", {begin + 9 * us, begin + 310 * us});
        });
        const Expectation free = expectedOf(*trace, {.kind = CureKind::OwnStreams});
        QVERIFY(free.changed >= 2);
        // The longest stream is left: the last kernel begins 5 us after its launch.
        QVERIFY2(qAbs(free.cured.expected - (320 - 307 + 111) * us) <= us,
            qPrintable(QString::number(free.cured.expected)));
    }

    /// An unexplained program has no basis for a range.
    void aProgramThatIsNotExplainedHasNoRange()
    {
        const auto trace = stepsOf(3 * ms, [](DrawnProgram& program, Ns begin, int step) {
            // The GPU is free, and the kernel begins a good deal later all the same in three of eight steps.
            const Ns late = (step % 3 == 1 ? 2'500 : 20 + step) * us;
            program.kernel("work", begin, {begin + late, begin + late + 20 * us});
            program.call("cudaDeviceSynchronize_v3020", {begin + 4 * us, begin + late + 25 * us});
        });
        const std::vector<WhatIfTarget> targets = targetsOf(*trace);
        QVERIFY(!targets.empty());
        const Expectation expected = targets.front().replay.expect({});
        QVERIFY2(!expected.isTold(), qPrintable(QString::number(expected.modelError)));
    }

    void aGraphTakesTheHostAway()
    {
        // 20 launches, 20 us apart, of kernels of 2 us.
        const auto trace = stepsOf(420 * us, [](DrawnProgram& program, Ns begin, int) {
            for (int i = 0; i < 20; ++i) {
                const Ns at = begin + i * 20 * us;
                program.kernel("tiny", at, {at + 5 * us, at + 7 * us});
            }
            program.call("cudaDeviceSynchronize_v3020", {begin + 405 * us, begin + 410 * us});
        });
        const Expectation graph = expectedOf(*trace, {.kind = CureKind::LaunchGraph});
        QCOMPARE(graph.replayed, 420 * us);
        // The kernels take 40 us, the rest of the step on the host 18 us.
        QVERIFY(graph.cured.expected >= 40 * us && graph.cured.expected <= 80 * us);
        const Expectation free
            = expectedOf(*trace, {.kind = CureKind::LaunchGraph, .factor = FactorRange::exactly(0)});
        QVERIFY(free.cured.expected < graph.cured.expected);
    }

    void aLaunchThatLoadsCodeStays()
    {
        DrawnProgram program;
        program.kernel("warm", 0, {5 * us, 10 * us});
        program.kernel("loads", ms, {6 * ms, 6 * ms + 10 * us}, {.callTime = 5 * ms});
        for (int i = 0; i < 20; ++i) {
            const Ns at = 6 * ms + (i + 1) * 20 * us;
            program.kernel("tiny" + std::to_string(i), at, {at + 5 * us, at + 7 * us});
        }
        const Expectation free = expectedOf(
            *program.finish(), {.kind = CureKind::LaunchGraph, .factor = FactorRange::exactly(0)});
        QVERIFY(free.changed > 0);
        QVERIFY2(free.cured.expected >= 5 * ms, qPrintable(QString::number(free.cured.expected)));
    }

    /// The first copies begin earlier, and all behind them waits for a launch that loads code.
    void anEarlierBeginningMakesNothingLonger()
    {
        DrawnProgram program;
        program.copy({0, 10 * us}, {15 * ms, 20 * ms});
        program.copy({20 * us, 30 * us}, {20 * ms, 25 * ms});
        program.kernel("load", 40 * us, {41 * ms, 42 * ms}, {.callTime = 40 * ms});
        for (int i = 0; i < 12; ++i)
            program.kernel("work" + std::to_string(i), 41 * ms + i * 10 * us,
                {42 * ms + i * ms, 43 * ms + i * ms}, {.threads = 32 + 32 * i});
        const auto trace = program.finish();
        const std::vector<WhatIfTarget> targets = targetsOf(*trace);
        QVERIFY(!targets.empty() && targets.front().replay.graph().isWhole);
        const Expectation launched = targets.front().replay.expect(Cure{{{.kind = CureKind::LaunchGraph}}});
        QVERIFY(launched.changed > 0);
        QVERIFY2(launched.cured.expected <= launched.replayed,
            qPrintable(QString("%1 of %2").arg(launched.cured.expected).arg(launched.replayed)));
    }

    /// One kernel finds the GPU idle, and its launch loads code. All others are launched behind a copy.
    void fewIdleLaunchesDoNotTellTheLatency()
    {
        DrawnProgram program;
        program.kernel("load", 0, {5 * ms, 5 * ms + 10 * us}, {.callTime = 5 * ms});
        for (int i = 0; i < 40; ++i) {
            const Ns at = 6 * ms + i * 50 * us;
            program.copy({at, at + 2 * us}, {at + 6 * us, at + 12 * us});
            program.kernel("work" + std::to_string(i % 7), at + 3 * us, {at + 12 * us, at + 20 * us});
            program.call("cudaDeviceSynchronize_v3020", {at + 6 * us, at + 22 * us});
        }
        const Expectation graph = expectedOf(
            *program.finish(), {.kind = CureKind::LaunchGraph, .factor = FactorRange::exactly(0)});
        QVERIFY(graph.changed > 0);
        QVERIFY2(graph.cured.expected <= graph.measured, qPrintable(QString::number(graph.cured.expected)));
    }

    /// Without steps the time is the GPU's: host time before the first work does not count, and an earlier
    /// launch does not shorten the work of a full stream.
    void earlierLaunchesDoNotShortenAFullStream()
    {
        DrawnProgram program; // the first kernel begins 8 ms after its launch, the others follow it at once
        for (int i = 0; i < 10; ++i) {
            const Ns at = ms + i * 20 * us;
            program.kernel(
                "work" + std::to_string(i), at, {9 * ms + i * 100 * us, 9 * ms + (i + 1) * 100 * us});
        }
        const Expectation graph = expectedOf(*program.finish(), {.kind = CureKind::LaunchGraph});
        QCOMPARE(graph.measured, ms);
        QVERIFY(graph.changed > 0);
        QVERIFY2(graph.cured.low >= ms - 10 * us, qPrintable(QString::number(graph.cured.low)));
    }

    void graphsBegunInABusyStreamHaveAGapOfTheirOwn()
    {
        // The host is far ahead. A kernel begins 1 us after the work before it, a graph 9 us.
        const auto trace = stepsOf(100 * us, [](DrawnProgram& program, Ns begin, int) {
            const Ns runs = begin + 250 * us;
            for (int i = 0; i < 3; ++i)
                program.kernel(
                    "work", begin + i * 3 * us, {runs + i * 21 * us, runs + i * 21 * us + 20 * us});
            program.graph(begin + 9 * us, {runs + 71 * us, runs + 99 * us});
        });
        const Expectation same = expectedOf(*trace, {.kind = CureKind::RemoveCalls, .name = "none"});
        QCOMPARE(same.replayed, 100 * us);
        QCOMPARE(same.explained, 100 * us);
    }

    void collectivesBeginLateBehindWhatTheyWaitFor()
    {
        // The collective was launched long before, and begins 12 us after the end of the kernel that it waits
        // for, while the next one runs; no event records it. The kernel's length varies.
        const auto trace = stepsOf(10 * ms, [](DrawnProgram& program, Ns begin, int step) {
            const Ns done = begin + (step % 3 + 3) * ms;
            program.kernel("backward", begin, {begin + 5 * us, done});
            program.kernel("optimizer", begin + 3 * us, {done + us, done + ms});
            program.kernel(
                "ncclDevKernel_AllReduce", begin + 6 * us, {done + 12 * us, begin + 9 * ms}, {.stream = 20});
            program.call("cudaDeviceSynchronize_v3020", {begin + 10 * us, begin + 9 * ms + 3 * us});
        });
        const std::vector<WhatIfTarget> targets = targetsOf(*trace);
        QVERIFY(!targets.empty());
        const ReplayGraph& graph = targets.front().replay.graph();
        std::size_t waiting = 0;
        for (const ReplayWork& work : graph.works) {
            if (work.producer == noNode)
                continue;
            ++waiting;
            QCOMPARE(trace->name(graph.works[work.producer].event), std::string_view("backward"));
            QCOMPARE(work.producerGap, 12 * us);
        }
        QCOMPARE(waiting, std::size_t{steps + 1});
    }

    /// PyTorch's profiler has calls of the runtime and of the driver on tracks of their own.
    void launchesByTheDriverCount()
    {
        QString events;
        const auto add
            = [&](const char* category, const char* name, int thread, int time, int length, int launch) {
                  events += QString(
                      R"(%1{"ph": "X", "cat": "%2", "name": "%3", "pid": %4, "tid": %5, "ts": %6, "dur": %7,
                "args": {"correlation": %8, "device": 0, "stream": 7}})")
                                .arg(events.isEmpty() ? "" : ",", category, name)
                                .arg(QString(category) == "kernel" ? 0 : 100)
                                .arg(thread)
                                .arg(time)
                                .arg(length)
                                .arg(launch);
              };
        for (int i = 0; i <= steps; ++i) {
            const int at = 1'000 + i * 200;
            add("user_annotation", qPrintable("ProfilerStep#" + QString::number(i)), 100, at, 199, 0);
            add("cuda_runtime", "cudaLaunchKernel", 100, at + 5, 4, 2 * i + 1);
            add("cuda_driver", "cuLaunchKernel", 100, at + 12, 4, 2 * i + 2);
            add("kernel", "first", 7, at + 20, 60, 2 * i + 1);
            add("kernel", "triton", 7, at + 81, 70, 2 * i + 2);
            add("cuda_runtime", "cudaDeviceSynchronize", 100, at + 20, 140, 0);
        }
        const QTemporaryDir folder;
        QFile file(folder.filePath("driver.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QString(R"({"schemaVersion": 1, "traceEvents": [%1]})").arg(events).toUtf8());
        file.close();
        const auto trace = loadReport(file.fileName().toStdString());
        QVERIFY(trace.ok());
        const Expectation half = expectedOf(*trace.value(),
            {.kind = CureKind::ScaleWork, .name = "triton", .factor = FactorRange::exactly(0.5)});
        QCOMPARE(half.changed, std::size_t{steps + 1});
        QCOMPARE(half.measured, 200 * us);
        QCOMPARE(half.cured.expected, 165 * us);
    }

    void readyInputTakesItsOwnTimeAlone()
    {
        const auto trace = stepsOf(500 * us, [](DrawnProgram& program, Ns begin, int) {
            program.range("load", {begin + 1 * us, begin + 301 * us});
            program.kernel("work", begin + 310 * us, {begin + 315 * us, begin + 415 * us});
            program.call("cudaDeviceSynchronize_v3020", {begin + 313 * us, begin + 418 * us});
        });
        const Expectation ready = expectedOf(*trace, {.kind = CureKind::ReadyInput, .name = "load"});
        QCOMPARE(ready.cured.expected, 200 * us);
        QCOMPARE(expectedOf(*trace, {.kind = CureKind::ReadyInput, .name = "lo"}).changed, std::size_t{0});
    }

    void dataIsLoadedBelowZeroToo()
    {
        DrawnProgram program;
        program.range("load_data", {-3 * ms, -2 * ms});
        program.range("load_data", {2 * ms, 3 * ms});
        const auto trace = program.finish();
        QCOMPARE(dataLoadingTimes(*trace, DrawnProgram::threadOf(1)).timeIn(allTime), 2 * ms);
    }

    void stepsThatStallAreEvenedOut()
    {
        Ns begin = ms;
        DrawnProgram program;
        for (int i = 0; i <= 12; ++i) {
            const Ns length = i % 4 == 3 ? 400 * us : 100 * us;
            program.range("step_" + std::to_string(i), {begin, begin + length - 1});
            program.kernel("work", begin + 1 * us, {begin + 6 * us, begin + 80 * us});
            begin += length;
        }
        const auto trace = program.finish();
        const Expectation even = expectedOf(*trace, {.kind = CureKind::EvenSteps});
        QCOMPARE(even.cured.expected, 100 * us);
        QVERIFY(even.measured > 150 * us);
    }

    void threadsTakeTurns()
    {
        // Thread 1 launches, then thread 2 as autograd does, with a wait after each of its kernels.
        const auto trace = stepsOf(2'000 * us, [](DrawnProgram& program, Ns begin, int) {
            program.kernel("forward", begin + 10 * us, {begin + 15 * us, begin + 100 * us});
            for (int i = 0; i < 10; ++i) {
                const Ns at = begin + 300 * us + i * 100 * us;
                program.kernel("backward", at, {at + 5 * us, at + 55 * us}, {.tid = 2});
                program.call("cudaStreamSynchronize_v3020", {at + 3 * us, at + 58 * us}, 2);
            }
            program.call("cudaDeviceSynchronize_v3020", {begin + 1'700 * us, begin + 1'705 * us});
        });
        const Expectation gone
            = expectedOf(*trace, {.kind = CureKind::RemoveCalls, .name = "cudaStreamSynchronize*"});
        QCOMPARE(gone.replayed, 2'000 * us);
        // The first thread goes on as soon as the second is done: each wait took 55 us of the host, and the
        // shorter of its gaps.
        QVERIFY2(gone.cured.expected < 1'600 * us, qPrintable(QString::number(gone.cured.expected)));
        QVERIFY(gone.cured.expected > 1'200 * us);
    }

    /// Random programs: an unchanged replay equals the recording, and less work never takes longer.
    void randomProgramsReplayAsRecorded()
    {
        std::mt19937 random(7); // NOLINT(cert-msc32-c,cert-msc51-cpp): the same programs each time
        const auto upTo = [&](Ns most) { return static_cast<Ns>(random() % static_cast<unsigned>(most)); };
        for (int round = 0; round < 40; ++round) {
            DrawnProgram program;
            Ns host = ms;
            Ns gpu[2]{0, 0};
            for (int i = 0; i <= 6; ++i) {
                const Ns begin = host;
                for (int op = 0; op < 12; ++op) {
                    host += us + upTo(20 * us);
                    const int stream = static_cast<int>(random() % 2);
                    const Ns start = std::max(host + 4 * us, gpu[stream] + us);
                    gpu[stream] = start + us + upTo(40 * us);
                    program.kernel(
                        "k" + std::to_string(op % 3), host, {start, gpu[stream]}, {.stream = 7 + stream});
                    host += 2 * us;
                    if (op % 5 == 4) {
                        const Ns done = std::max({host + us, gpu[0] + 2 * us, gpu[1] + 2 * us});
                        program.call("cudaDeviceSynchronize_v3020", {host + 500, done});
                        host = done;
                    }
                }
                program.range("step_" + std::to_string(i), {begin, host});
                host += us;
            }
            const auto trace = program.finish();
            const std::vector<WhatIfTarget> targets = targetsOf(*trace);
            QVERIFY(!targets.empty());
            const Replay& replay = targets.front().replay;
            const Expectation same = replay.expect({});
            QCOMPARE(same.replayed, same.measured);
            Ns before = same.measured;
            for (const double factor : {0.8, 0.5, 0.1}) {
                const Expectation scaled = replay.expect(Cure{
                    {{.kind = CureKind::ScaleWork, .name = "k*", .factor = FactorRange::exactly(factor)}}});
                QVERIFY(scaled.cured.expected <= before);
                before = scaled.cured.expected;
            }
            const Expectation free = replay.expect(Cure{{{.kind = CureKind::RemoveSync}}});
            QVERIFY(free.cured.expected <= same.measured);
            QVERIFY(free.leastShare() <= free.share() && free.share() <= free.mostShare());
        }
    }

    void factorsFollowTheGpu()
    {
        Device h100;
        h100.name = "NVIDIA H100 80GB HBM3";
        h100.multiprocessors = 132;
        h100.maxWarpsPerSm = 64;
        h100.computeMajor = 9;
        const auto tf32 = precisionFactor(h100, MathWork::Matrix, MathType::Fp32, MathType::Tf32);
        QVERIFY(tf32);
        QVERIFY2(tf32->expected > 1 / 8.0 && tf32->expected < 1 / 7.0, "495 against 67 TFLOP/s");
        QVERIFY(!precisionFactor(h100, MathWork::Matrix, MathType::Fp64, MathType::Fp64)
            || precisionFactor(h100, MathWork::Matrix, MathType::Fp64, MathType::Fp64)->expected >= 0.5);
        // 16 blocks of 8 warps are 1.5% of the GPU's capacity.
        const FactorRange grid = parallelismFactor(h100, 16, 256);
        QVERIFY(qAbs(grid.low - 128.0 / 8448) < 1e-9 && qAbs(grid.expected - 2 * grid.low) < 1e-9);
        QCOMPARE(parallelismFactor(h100, 100'000, 256), FactorRange{});
        QCOMPARE(parallelismFactor(Device{}, 16, 256), FactorRange{});
        // Measured on an H200 with a product of two arrays: 41.5 to 7.0 us, 160 to 62 us, 82 to 62 us.
        const auto isNear = [](const FactorRange& factor, double measured) {
            return std::abs(factor.expected - measured) < 0.05 && factor.low < measured
                && measured < factor.high;
        };
        QVERIFY(isNear(blockSizeFactor(h100, 32, 1 << 21, 41'470), 0.17));
        QVERIFY(isNear(blockSizeFactor(h100, 64, 1 << 24, 160'500), 0.39));
        QVERIFY(isNear(blockSizeFactor(h100, 128, 1 << 24, 82'350), 0.76));
        QCOMPARE(blockSizeFactor(h100, 512, 1, 1), FactorRange{});
        // Ten plain operators of 100 us each become one pass over the memory.
        const std::vector<FusedPart> chain{{"add<array<char*, 2ul>>", 1 * ms, 10}};
        const auto fused = fusionFactor(h100, chain);
        QVERIFY(fused && qAbs(fused->expected - 0.1) < 0.01);
    }
};

WARPLINE_TEST(ReplayTest)

} // namespace tst_replay

#include "tst_replay.moc"
