// Traces of 2021 have one category, "Operator", for operators and for annotations: steps, data loading and
// optimizers are found in them all the same.

#include "core/budget/gpu_budget.h"
#include "core/stats/torch_tree.h"
#include "core/steps/gpu_steps.h"
#include "core/steps/steps.h"
#include "tests/core/kineto/kineto_helpers.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <fmt/format.h>

namespace tst_old_annotations {

using namespace warpline;
using namespace warpline::test;

class OldAnnotationsTest : public QObject {
    Q_OBJECT

private slots:
    void annotationsAreNoOperators();
    void anotherCategoryMeansWhatItSays();
    void stepsAndLoadingOfARealTrace();
    void oneAnnotatedStepIsNoGuess();
};

namespace {

QByteArray traceWith(const char* category)
{
    std::string events;
    const auto add = [&](const std::string& name, int start, int duration) {
        events += fmt::format(
            R"({}{{"ph": "X", "cat": "{}", "name": "{}", "pid": 9, "tid": "9", "ts": {}, "dur": {},
 "args": {{"External id": 4}}}})",
            events.empty() ? "" : ",", category, name, start, duration);
    };
    for (int i = 0; i < 4; ++i) {
        const int start = 1000 * i;
        add(fmt::format("ProfilerStep#{}", i), start, 990);
        add("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", start + 10, 300);
        add("aten::mm", start + 400, 50);
        add("AddmmBackward", start + 500, 50);
        add("Optimizer.step#SGD.step", start + 600, 100);
    }
    return QByteArray::fromStdString(R"({"schemaVersion": 1, "traceEvents": [)" + events + "]}");
}

/// How many ranges are operators.
std::size_t operatorsIn(const Trace& trace)
{
    std::size_t count = 0;
    for (EventIndex i = 0; i < trace.nvtx().size(); ++i)
        count += isOperatorTrack(trace, trace.nvtx().trackOf(i)) ? 1 : 0;
    return count;
}

} // namespace

void OldAnnotationsTest::annotationsAreNoOperators()
{
    const auto loaded = loadText(traceWith("Operator"));
    QVERIFY(loaded.ok());
    const Trace& trace = *loaded.value();
    QCOMPARE(trace.nvtx().size(), std::size_t{20});
    QCOMPARE(operatorsIn(trace), std::size_t{8}); // aten::mm and its backward pass
    const auto series = findSteps(trace, trace.session);
    QCOMPARE(series.size(), std::size_t{1});
    QCOMPARE(series.begin()->second.pattern, std::string("ProfilerStep#"));
    QCOMPARE(series.begin()->second.size(), std::size_t{4});
}

void OldAnnotationsTest::anotherCategoryMeansWhatItSays()
{
    const auto loaded = loadText(traceWith("cpu_op"));
    QVERIFY(loaded.ok());
    QCOMPARE(operatorsIn(*loaded.value()), std::size_t{20});
}

void OldAnnotationsTest::stepsAndLoadingOfARealTrace()
{
    const QString path = WARPLINE_SHARED_REPORTS "/../traces/old/resnet50_workers0.json.gz";
    if (!QFile::exists(path))
        QSKIP("needs ../shared/traces, which is not there");
    const auto loaded = loadReport(path.toStdString());
    QVERIFY(loaded.ok());
    const Trace& trace = *loaded.value();
    const auto series = findSteps(trace, trace.session);
    QCOMPARE(series.size(), std::size_t{1});
    const StepSeries& steps = series.begin()->second;
    QCOMPARE(steps.size(), std::size_t{6});
    QCOMPARE(trace.name(steps.events.front()), std::string_view("ProfilerStep#5"));
    QCOMPARE(trace.name(steps.events.back()), std::string_view("ProfilerStep#10"));
    // For the steps on the host. The profiler's own viewer of that time counts 59.3 ms each: all of the
    // loader's time without GPU work. Warpline leaves out the 0.5 ms between kernels that are queued already.
    const GpuBudgets budgets(trace);
    Ns loading = 0;
    for (const TimeRange& step : steps.ranges) {
        const Budget budget = budgets.gpus().front().within(step);
        for (std::size_t part = 0; part < budget.size(); ++part)
            loading += budgets.parts()[part].cause == IdleCause::DataLoading ? budget[part] : 0;
    }
    QCOMPARE(loading / 6 / 1000, Ns{58'733});
}

/// Layers that repeat inside the only annotated step are no steps.
void OldAnnotationsTest::oneAnnotatedStepIsNoGuess()
{
    std::string events
        = R"({"ph":"X","cat":"user_annotation","name":"ProfilerStep#6","pid":9,"tid":9,"ts":0,"dur":1000})";
    for (int i = 0; i < 13; ++i)
        events += fmt::format(
            R"(,{{"ph":"X","cat":"cuda_runtime","name":"hipLaunchKernel","pid":9,"tid":9,"ts":{},"dur":5,)"
            R"("args":{{"correlation":{}}}}},{{"ph":"X","cat":"kernel","name":"layer","pid":0,"tid":0,"ts":{},)"
            R"("dur":40,"args":{{"correlation":{},"device":0,"stream":0}}}})",
            i * 70 + 10, i + 1, i * 70 + 20, i + 1);
    const auto loaded
        = loadText(QByteArray::fromStdString(R"({"schemaVersion": 1, "traceEvents": [)" + events + "]}"));
    QVERIFY(loaded.ok());
    const auto steps = findGpuSteps(*loaded.value(), loaded.value()->session);
    QCOMPARE(steps.size(), std::size_t{1});
    QCOMPARE(keyOf(steps.front().foundBy), keyOf(StepSource::Nvtx));
    QCOMPARE(steps.front().host.size(), std::size_t{1});
}

WARPLINE_TEST(OldAnnotationsTest)

} // namespace tst_old_annotations

#include "tst_old_annotations.moc"
