// Which work bounds a step: chains through streams, events, launches and waits of the host.

#include "core/budget/critical_path.h"
#include "core/budget/step_budgets.h"
#include "core/export/critical_path_text.h"
#include "core/load/load_report.h"
#include "tests/core/budget/random_program.h"
#include "tests/support/load_shared.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <numeric>

namespace tst_critical_path {

using namespace warpline;
using namespace warpline::test;

namespace {

using Named = std::vector<std::pair<std::string, Ns>>;

Named named(const std::vector<PathPiece>& path)
{
    Named parts;
    for (const PathPiece& piece : path)
        parts.emplace_back(piece.id, piece.range.duration());
    return parts;
}

std::vector<PathPiece> pathOf(const Trace& trace, TimeRange step)
{
    return CriticalPaths(trace, DrawnProgram::process).through(step, 0);
}

/// The pieces meet, and are the whole of `step`.
bool covers(const std::vector<PathPiece>& path, TimeRange step)
{
    Ns at = step.start;
    for (const PathPiece& piece : path) {
        if (piece.range.start != at || piece.range.empty())
            return false;
        at = piece.range.end;
    }
    return at == step.end;
}

} // namespace

class CriticalPathTest : public QObject {
    Q_OBJECT

private slots:
    void aStreamIsAChain()
    {
        DrawnProgram drawn;
        drawn.kernel("a_gemm", 0, {10 * us, 50 * us});
        drawn.kernel("b_gemm", 3 * us, {50 * us, 90 * us});
        drawn.kernel("beside", 5 * us, {55 * us, 85 * us}, {.stream = 9}); // bounds nothing
        drawn.kernel("a_gemm", 8 * us, {92 * us, 100 * us});
        const auto trace = drawn.finish();
        QCOMPARE(named(pathOf(*trace, {10 * us, 92 * us})),
            (Named{{"compute_gemm", 40 * us}, {"compute_gemm", 40 * us}, {"queue", 2 * us}}));
    }

    void aStreamThatWaitsForAnotherFollowsThat()
    {
        DrawnProgram drawn;
        drawn.kernel("a_gemm", 0, {10 * us, 20 * us});
        drawn.kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 3 * us, {15 * us, 80 * us}, {.stream = 17});
        drawn.record(17, 6 * us, 1);
        drawn.streamWait(7, 7 * us, 1);
        drawn.kernel("b_gemm", 9 * us, {81 * us, 90 * us});
        const auto trace = drawn.finish();
        QCOMPARE(named(pathOf(*trace, {15 * us, 81 * us})),
            (Named{{"communication", 65 * us}, {"queue", 1 * us}}));
    }

    void aLateHostBoundsIt()
    {
        DrawnProgram drawn;
        drawn.kernel("a_gemm", 0, {10 * us, 20 * us});
        drawn.call("cudaStreamSynchronize_v3020", {12 * us, 21 * us});
        drawn.kernel("b_gemm", 60 * us, {65 * us, 90 * us}, {.callTime = 2 * us});
        const auto trace = drawn.finish();
        QCOMPARE(named(pathOf(*trace, {10 * us, 65 * us})),
            (Named{{"compute_gemm", 10 * us}, {"host_wait", 1 * us}, {"host", 41 * us}, {"launch", 3 * us}}));
    }

    /// A host that waits for other ranks is not slow itself.
    void callsOfMpiAreNoLaunchCode()
    {
        for (const Ns at : {Ns{0}, -1 * ms}) {
            DrawnProgram drawn;
            drawn.kernel("a_gemm", at, {at + 10 * us, at + 20 * us});
            drawn.call("cudaStreamSynchronize_v3020", {at + 12 * us, at + 21 * us});
            drawn.libraryCall("MPI", "MPI_Waitall", {at + 25 * us, at + 55 * us});
            drawn.kernel("b_gemm", at + 60 * us, {at + 65 * us, at + 90 * us});
            const auto trace = drawn.finish();
            QCOMPARE(named(pathOf(*trace, {at + 10 * us, at + 65 * us})),
                (Named{{"compute_gemm", 10 * us}, {"host_wait", 1 * us}, {"host", 4 * us},
                    {"host_ranks", 30 * us}, {"host", 7 * us}, {"launch", 3 * us}}));
        }
    }

    void theLastStepEndsWithItsWork()
    {
        DrawnProgram drawn;
        drawn.kernel("a_gemm", 0, {10 * us, 50 * us});
        const auto trace = drawn.finish();
        QCOMPARE(named(pathOf(*trace, {10 * us, 50 * us})), (Named{{"compute_gemm", 40 * us}}));
        QVERIFY(pathOf(*trace, {}).empty());
    }

    void randomProgramsAddUp()
    {
        for (unsigned seed = 0; seed < 60; ++seed) {
            const RandomProgram program(seed);
            const TimeRange session = program.trace().session;
            for (const TimeRange step : {session, TimeRange{session.start + 7, session.end / 2},
                     TimeRange{session.end / 3, session.end - 5}})
                QVERIFY(covers(pathOf(program.trace(), step), step));
        }
    }

    void pathsOfReportsAddUp_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* const name : {"bert_fp32", "bert_amp", "decode", "launch_eager", "cnn_workers0",
                 "ddp_overlap_rank0", "ddp_straggler_rank0", "h200-more/vit", "h200-more/graph_nvtx",
                 "h200-more/fsdp_rank1", "h200-more/pipe_rank0", "h200-more/llama_bf16"})
            QTest::newRow(name) << QString(name);
    }

    void pathsOfReportsAddUp()
    {
        QFETCH(QString, name);
        LOAD_SHARED_OR_SKIP(path, trace, name.toStdString());
        const TimeRange whole{trace.value()->session.start, trace.value()->session.end + 1};
        const std::vector<StepBudgets> all
            = stepBudgets(*trace.value(), GpuBudgets(*trace.value()), findGpuSteps(*trace.value(), whole));
        QVERIFY(!all.empty());
        const auto paths = stepPaths(*trace.value(), all, kernelClassRules());
        for (const StepPaths& each : paths) {
            for (std::size_t i = 0; i < each.each.size(); ++i) {
                Ns sum = 0;
                for (const auto& [id, time] : each.each[i])
                    sum += time;
                QCOMPARE(sum, each.steps->steps[i].gpu.duration());
            }
        }
        const auto share = [&](const char* id) {
            const PathSums& mean = paths.front().mean;
            const Ns total = std::accumulate(
                mean.begin(), mean.end(), Ns{0}, [](Ns sum, const auto& part) { return sum + part.second; });
            const auto part = mean.find(id);
            return part == mean.end() ? 0.0 : static_cast<double>(part->second) / static_cast<double>(total);
        };
        if (name == "bert_fp32") // the GPU never waits for the host
            QVERIFY(share("host") < 0.05 && share("compute_gemm") > 0.5);
        if (name == "launch_eager" || name == "h200-more/vit") // it always does
            QVERIFY(share("host") > 0.5);
        if (name == "ddp_straggler_rank0")
            QVERIFY(share("communication") > 0.2);
    }
};

WARPLINE_TEST(CriticalPathTest)

} // namespace tst_critical_path

#include "tst_critical_path.moc"
