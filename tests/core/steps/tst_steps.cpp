// Which ranges are steps, by the conventions of servers, trainers and frameworks, and on real reports.

#include "core/load/load_report.h"
#include "core/stats/step_breakdown.h"
#include "core/steps/step_judge.h"
#include "core/steps/steps.h"
#include "core/store/library_domains.h"
#include "tests/core/stats/drawn_trace.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_steps {

using namespace warpline;
using namespace warpline::test;

namespace {

constexpr Ns ms = 1'000'000;

TimeRange wholeOf(const Trace& trace)
{
    return {trace.session.start, trace.session.end + 1};
}

/// The only series of a drawn trace; an empty one when there is none.
StepSeries seriesOf(const std::shared_ptr<const Trace>& trace, const std::string& glob = {})
{
    const auto steps = findSteps(*trace, {0, 100'000 * ms}, glob);
    return steps.empty() ? StepSeries() : steps.begin()->second;
}

/// `count` ranges of `name` with their number for %, one every `every`.
void repeat(DrawnTrace& drawn, const std::string& name, int count, Ns from, Ns every, Ns length)
{
    for (int i = 0; i < count; ++i) {
        std::string numbered = name;
        if (const std::size_t place = numbered.find('%'); place != std::string::npos)
            numbered.replace(place, 1, std::to_string(i));
        drawn.range(numbered, from + i * every, from + i * every + length);
    }
}

/// The report `path` below ../shared/reports; null when it is not there.
std::shared_ptr<const Trace> shared(const std::string& path)
{
    for (const std::string& each : sharedReports()) {
        if (each.find(path) != std::string::npos) {
            auto trace = loadReport(each);
            return trace.ok() ? trace.take() : nullptr;
        }
    }
    return nullptr;
}

} // namespace

class StepsTest : public QObject {
    Q_OBJECT

private slots:
    void ranks_data();
    void ranks();
    void works_data();
    void works();
    void takesTheOutermostStep();
    void leavesWarmUpOut();
    void stepsThatAWindowCutsAreNotJudged();
    void partsAreNoSteps();
    void knowsServers_data();
    void knowsServers();
    void prefillsAreNoOutliers();
    void libraryDomainsHoldNoSteps();
    void takesWhatIsAskedFor();
    void choosesOnReports_data();
    void choosesOnReports();
    void benchmarkIsNotItsWarmUp();
};

void StepsTest::ranks_data()
{
    QTest::addColumn<int>("rank");
    const auto add = [](const char* name, StepRank rank) { QTest::newRow(name) << static_cast<int>(rank); };
    for (const char* const name : {"step_3", "iteration #4", "ProfilerStep#12", "train_step", "timestep 7",
             "[Executor] _forward_step 3: 1 ctx reqs, 7 gen reqs", "execute_context_1(5)_generation_0(0)",
             "step[DECODE bs=8]", "Solver::timeStep"})
        add(name, StepRank::Step);
    for (const char* const name : {"batch_3", "token_3", "decode_12", "replay", "scheduler.run_batch",
             "[pl][profile]run_training_batch"})
        add(name, StepRank::Named);
    for (const char* const name : {"epoch 3", "request 12", "generate"})
        add(name, StepRank::Container);
    for (const char* const name : {"Warm-up Step #3", "warmup_iteration", "_capture_cudagraphs", "init_model",
             "torch_compile", "load_weights", "profile_run", "dummy_run", "Compilation"})
        add(name, StepRank::OneTime);
    for (const char* const name :
        {"layer_3", "block_2", "layer_#_token_#", "attn_3", "micro_0",
            "megatron.core.transformer.transformer_layer.forward.self_attention", "aten::mm, op_id = 3",
            "Optimizer.step#AdamW.step", "FSDP::pre_forward (blocks.3)", "## Call CompiledFxGraph f ##",
            "Torch-Compiled Region: 1/3", "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__",
            "{'Module': 'model.layers.0'}", "data_load", "scaled dot product attention", "Index::getIndex",
            "[pl][profile][_TrainingEpochLoop].train_dataloader_next", "autograd::engine::evaluate_function"})
        add(name, StepRank::Never);
    for (const char* const name : {"forward", "gpu_model_runner: forward", "solve", "_prepare_inputs",
             "finite", "scheduler.process_batch_result"})
        add(name, StepRank::Any);
}

void StepsTest::ranks()
{
    QFETCH(int, rank);
    QCOMPARE(static_cast<int>(stepRankOf(QTest::currentDataTag())), rank);
}

void StepsTest::works_data()
{
    QTest::addColumn<QString>("kind");
    QTest::addColumn<qlonglong>("requests");
    const auto add = [](const char* name, const char* kind, qlonglong requests) {
        QTest::newRow(name) << QString(kind) << requests;
    };
    add("execute_context_0(0)_generation_8(8)", "decode", 8);
    add("execute_context_2(2048)_generation_0(0)", "prefill", 2);
    add("execute_context_1(2048)_generation_7(7)", "mixed", 8);
    add("[Executor] _forward_step 12: 0 ctx reqs, 7 gen reqs", "decode", 7);
    add("[Executor] _forward_step 12: 1 ctx reqs, 512 ctx tokens, 7 gen reqs", "mixed", 8);
    add("step[EXTEND bs=1 toks=16128]", "prefill", 1);
    add("step[DECODE bs=16]", "decode", 16);
    add("decode_12", "decode", -1);
    add("prefill", "prefill", -1);
    add("step_3", "", -1);
    add("execute_context_x_generation_", "", -1);
    add("step[]", "", -1);
}

void StepsTest::works()
{
    QFETCH(QString, kind);
    QFETCH(qlonglong, requests);
    const StepWork work = stepWorkOf(QTest::currentDataTag());
    QCOMPARE(QString::fromUtf8(labelOf(work.kind).data(), static_cast<qsizetype>(labelOf(work.kind).size())),
        kind);
    QCOMPARE(static_cast<qlonglong>(work.requests), requests);
}

void StepsTest::takesTheOutermostStep()
{
    // An iteration contains two inner solver steps; an epoch contains all; both have names of steps.
    DrawnTrace drawn;
    repeat(drawn, "epoch_%", 3, 0, 100 * ms, 99 * ms);
    repeat(drawn, "iteration_%", 30, 0, 10 * ms, 9 * ms);
    repeat(drawn, "solver step %", 60, 0, 5 * ms, 4 * ms);
    repeat(drawn, "forward", 30, 0, 10 * ms, 5 * ms);
    const StepSeries steps = seriesOf(drawn.finish());
    QCOMPARE(steps.pattern, std::string("iteration_#"));
    QCOMPARE(steps.glob, std::string("iteration_*"));
    QCOMPARE(steps.size(), std::size_t{30});
    QCOMPARE(steps.median, 9 * ms);
}

void StepsTest::leavesWarmUpOut()
{
    DrawnTrace drawn;
    drawn.range("warm-up phase", 0, 100 * ms);
    repeat(drawn, "step_%", 5, 0, 20 * ms, 19 * ms);
    repeat(drawn, "step_%", 4, 200 * ms, 20 * ms, 19 * ms);
    repeat(drawn, "Warm-up Step %", 5, 0, 20 * ms, 19 * ms);
    const StepSeries steps = seriesOf(drawn.finish());
    QCOMPARE(steps.pattern, std::string("step_#"));
    QCOMPARE(steps.size(), std::size_t{9});
    QCOMPARE(steps.firstSteady, std::size_t{5}); // as long as the others, but named warm-up by the program
}

void StepsTest::stepsThatAWindowCutsAreNotJudged()
{
    DrawnTrace drawn;
    repeat(drawn, "step_%", 5, 0, 50 * ms, 44 * ms);
    const auto trace = drawn.finish();
    const auto within = [&](TimeRange window) { return findSteps(*trace, window, {}).begin()->second; };
    // Of the second 14 ms are left, of the fourth 5 ms.
    const StepSeries cut = within({80 * ms, 155 * ms});
    QCOMPARE(cut.size(), std::size_t{3});
    QCOMPARE(cut.ranges.front(), (TimeRange{80 * ms, 94 * ms}));
    QCOMPARE(wholeSteadySteps(cut, cutSteps(*trace, cut)), std::size_t{1});
    QCOMPARE(cut.median, 44 * ms);
    QCOMPARE(cut.typical, (std::vector<Ns>{0, 44 * ms, 0}));
    QCOMPARE(cut.groups.front().steps, std::vector<std::size_t>{1});
    QCOMPARE(cut.firstSteady, std::size_t{0}); // 44 ms are not warm-up compared with cut steps
    const StepSeries between = within({45 * ms, 195 * ms});
    QCOMPARE(wholeSteadySteps(between, cutSteps(*trace, between)), std::size_t{3});
}

void StepsTest::partsAreNoSteps()
{
    DrawnTrace drawn;
    repeat(drawn, "layer_%", 100, 0, 10 * ms, 9 * ms);
    repeat(drawn, "scaled dot product attention", 100, 0, 10 * ms, 9 * ms);
    QVERIFY(seriesOf(drawn.finish()).empty());
}

void StepsTest::knowsServers_data()
{
    QTest::addColumn<QString>("prefill");
    QTest::addColumn<QString>("decode");
    QTest::addColumn<QString>("glob");
    QTest::newRow("vLLM") << "execute_context_1(512)_generation_0(0)"
                          << "execute_context_0(0)_generation_8(8)"
                          << "execute_context_*(*)_generation_*(*)";
    QTest::newRow("TensorRT-LLM") << "[Executor] _forward_step %: 1 ctx reqs, 0 gen reqs"
                                  << "[Executor] _forward_step %: 0 ctx reqs, 8 gen reqs"
                                  << "[Executor] _forward_step *: * ctx reqs, * gen reqs";
    QTest::newRow("SGLang") << "step[EXTEND bs=1 toks=512]"
                            << "step[DECODE bs=8]"
                            << "step[*]";
}

void StepsTest::knowsServers()
{
    QFETCH(QString, prefill);
    QFETCH(QString, decode);
    QFETCH(QString, glob);
    DrawnTrace drawn;
    repeat(drawn, prefill.toStdString(), 4, 0, 100 * ms, 50 * ms);
    for (int i = 0; i < 4; ++i) {
        repeat(drawn, decode.toStdString(), 4, i * 100 * ms + 52 * ms, 10 * ms, 9 * ms);
        repeat(drawn, "layer_%", 10, i * 100 * ms, 5 * ms, 4 * ms);
    }
    const StepSeries steps = seriesOf(drawn.finish());
    QCOMPARE(QString::fromStdString(steps.glob), glob);
    QCOMPARE(steps.size(), std::size_t{20});
    QCOMPARE(steps.groups.size(), std::size_t{2});
    QVERIFY(steps.groups[0].work.kind == StepKind::Prefill);
    QCOMPARE(steps.groups[0].median, 50 * ms);
    QCOMPARE(steps.groups[0].work.requests, std::int64_t{1});
    QVERIFY(steps.groups[1].work.kind == StepKind::Decode);
    QCOMPARE(steps.groups[1].work.requests, std::int64_t{8});
    QCOMPARE(steps.groups[1].median, 9 * ms);
    QCOMPARE(steps.median, 9 * ms); // of the most frequent kind
}

void StepsTest::prefillsAreNoOutliers()
{
    DrawnTrace drawn;
    for (int i = 0; i < 60; ++i) {
        const bool prefill = i % 15 == 7;
        const Ns length = prefill ? 14'000 : i == 30 ? 8'000 : 5'000 + i;
        drawn.range(
            prefill ? "execute_context_1(2048)_generation_7(7)" : "execute_context_0(0)_generation_8(8)",
            i * 15'000, i * 15'000 + length);
    }
    const StepBreakdown breakdown = breakDownSteps(*drawn.finish(), {}, {}, {.longerBy = 1000});
    std::vector<std::size_t> outliers;
    for (std::size_t i = 0; i < breakdown.steps.size(); ++i) {
        if (breakdown.steps[i].outlier)
            outliers.push_back(i);
    }
    QCOMPARE(outliers, std::vector<std::size_t>{30});
}

void StepsTest::libraryDomainsHoldNoSteps()
{
    QVERIFY(isLibraryDomain("NCCL"));
    QVERIFY(isLibraryDomain("GIL Trace"));
    QVERIFY(isLibraryDomain("TensorRT"));
    QVERIFY(isLibraryDomain("CCCL"));
    QVERIFY(isLibraryDomain("cuBLASLt"));
    QVERIFY(isLibraryDomain("CUDA Core Compute Libraries"));
    QVERIFY(isLibraryDomain("OpenSHMEM"));
    QVERIFY(!isLibraryDomain("TensorRT-LLM"));
    QVERIFY(!isLibraryDomain("fluid"));
    QVERIFY(!isLibraryDomain(""));
}

void StepsTest::takesWhatIsAskedFor()
{
    DrawnTrace drawn;
    repeat(drawn, "step_%", 10, 0, 10 * ms, 9 * ms);
    repeat(drawn, "layer_%", 2, 0, 5 * ms, 4 * ms);
    const auto trace = drawn.finish();
    QCOMPARE(seriesOf(trace).pattern, std::string("step_#"));
    QCOMPARE(seriesOf(trace, "layer_?").size(), std::size_t{2});
    QCOMPARE(seriesOf(trace, ":layer_*").size(), std::size_t{2}); // with the name of the default domain
    QVERIFY(seriesOf(trace, "nothing").empty());
}

void StepsTest::choosesOnReports_data()
{
    QTest::addColumn<QString>("glob");
    const auto add = [](const char* report, const char* glob) { QTest::newRow(report) << QString(glob); };
    add("/bert_fp32.sqlite", "step_*");
    add("/decode.sqlite", "decode_*");
    add("/launch_eager.sqlite", "iter_*");
    add("/launch_graph.sqlite", "replay");
    add("/storm_80k.sqlite", "iter");
    add("/cnn_gil.sqlite", "step_*");
    add("/graph_nvtx.sqlite", "token_*");
    add("/vit.sqlite", "iteration *");
    add("/pipe_rank0.sqlite", "step_*"); // not its micro-batches
    add("/libraries.sqlite", "iteration_*");
    add("/payload.sqlite", "solve"); // in domains of the program's own
    add("/reduce_v1.sqlite", "");
    add("/Sh1mwww__llama3-inference__real_inference_simulation", "token_*_processing");
    add("/jsun-012__assignment2-systems__result", "Forward");
    add("/NVIDIA__Fuser__report1.sqlite", "");
    add("/NVIDIA__Fuser__report1__da819b5f", "");
    add("/GindaChen__nsys-ai__tests_fixtures_mfu_2gpu_before", "");
    add("/zx3xyy__assignment2-systems__result_2_7B_nvtx", "");
    add("/brycelelbach__nsightful__tests_power_iteration__baseline", "Step * to *");
}

void StepsTest::choosesOnReports()
{
    QFETCH(QString, glob);
    const auto trace = shared(QTest::currentDataTag());
    if (!trace)
        QSKIP("needs ../shared/reports, which is not there");
    const auto steps = findSteps(*trace, wholeOf(*trace));
    QCOMPARE(QString::fromStdString(mainStepGlob(steps)), glob);
    // Tables and views ask the same.
    QCOMPARE(QString::fromStdString(breakDownSteps(*trace, {}).pattern), glob);
}

void StepsTest::benchmarkIsNotItsWarmUp()
{
    const auto trace = shared("/jsun-012__assignment2-systems__result");
    if (!trace)
        QSKIP("needs ../shared/reports, which is not there");
    const auto steps = findSteps(*trace, wholeOf(*trace));
    QCOMPARE(steps.size(), std::size_t{1});
    const StepSeries& series = steps.begin()->second;
    QCOMPARE(series.size(), std::size_t{15});
    QVERIFY(series.firstSteady >= 5); // five lie in "Warm-up"
}

WARPLINE_TEST(StepsTest)

} // namespace tst_steps

#include "tst_steps.moc"
