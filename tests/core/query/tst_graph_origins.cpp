// Replays of CUDA graphs in traces of PyTorch's profiler belong to the operators that captured them, in the
// same trace or in one next to it. Small traces, and others' traces with their makers' time per operator.

#include "core/cache/report_key.h"
#include "core/cache/trace_cache.h"
#include "core/derive/capture_traces.h"
#include "core/operators/operator_works.h"
#include "core/query/event_text.h"
#include "core/query/graph_origins.h"
#include "core/render/render.h"
#include "core/stats/stats_table.h"
#include "tests/core/kineto/kineto_helpers.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>
#include <map>

namespace tst_graph_origins {

using namespace warpline;
using namespace warpline::test;

namespace {

QByteArray hostEvent(const char* category, const QByteArray& name, int thread, double start, double length,
    const QByteArray& arguments = {})
{
    return QByteArray(R"({"ph": "X", "cat": ")") + category + R"(", "name": ")" + name
        + R"(", "pid": 9, "tid": )" + QByteArray::number(thread) + R"(, "ts": )"
        + QByteArray::number(start, 'f', 3) + R"(, "dur": )" + QByteArray::number(length, 'f', 3)
        + R"(, "args": {)" + arguments + "}},\n";
}

QByteArray onGpu(const char* category, const QByteArray& name, double start, double length, int correlation)
{
    return hostEvent(category, name, 7, start, length,
        R"("device": 0, "stream": 7, "correlation": )" + QByteArray::number(correlation));
}

/// Captures two layers of an operator each at `at`, for `size` requests; layers launch "gemm" twice, the
/// second one copies as well. With `named`, the calls have kernel names.
QByteArray capture(double at, int size, bool named)
{
    const QByteArray kernel = named ? R"("kernel": "gemm")" : "";
    const char* const launch = named ? "hipLaunchKernel" : "cudaLaunchKernel";
    QByteArray text
        = hostEvent("user_annotation", "capture_" + QByteArray::number(size) + "_FULL", 9, at, 100);
    text += hostEvent("cuda_runtime", "cudaStreamBeginCapture", 9, at + 1, 1);
    text += hostEvent("python_function", "nn.Module: Layer_0", 9, at + 4, 20);
    text += hostEvent(
        "cpu_op", "aten::first", 9, at + 5, 15, R"("Input Dims": [[)" + QByteArray::number(size) + ", 8]]");
    text += hostEvent("cuda_runtime", launch, 9, at + 8, 2, kernel);
    text += hostEvent("cuda_runtime", launch, 9, at + 12, 2, kernel);
    text += hostEvent("python_function", "nn.Module: Layer_1", 9, at + 30, 40);
    text += hostEvent(
        "cpu_op", "aten::second", 9, at + 31, 35, R"("Input Dims": [[)" + QByteArray::number(size) + ", 8]]");
    text += hostEvent("cuda_runtime", launch, 9, at + 34, 2, kernel);
    text += hostEvent("cuda_runtime", "cudaMemcpyAsync", 9, at + 38, 2);
    text += hostEvent("cuda_runtime", launch, 9, at + 42, 2, kernel);
    text += hostEvent("cuda_runtime", "cudaStreamEndCapture", 9, at + 80, 1);
    return text;
}

/// A step of `requests` that replays: kernels of 1, 2, 4 and 8 us and a copy of 16.
QByteArray replay(double at, int requests, int correlation)
{
    QByteArray text
        = hostEvent("user_annotation", "step[DECODE bs=" + QByteArray::number(requests) + "]", 9, at, 100);
    text += hostEvent("cuda_runtime", "cudaGraphLaunch", 9, at + 2, 5,
        R"("correlation": )" + QByteArray::number(correlation));
    text += onGpu("kernel", "gemm", at + 10, 1, correlation)
        + onGpu("kernel", "gemm", at + 20, 2, correlation) + onGpu("kernel", "gemm", at + 30, 4, correlation)
        + onGpu("gpu_memcpy", "Memcpy DtoD (Device -> Device)", at + 40, 16, correlation)
        + onGpu("kernel", "gemm", at + 60, 8, correlation);
    return text;
}

QByteArray traceOf(QByteArray events)
{
    events.chop(2);
    return R"({"schemaVersion": 1, "traceEvents": [)" + events + "]}";
}

/// Name, with module or shapes, to (calls, self GPU, GPU).
using Operators = std::map<QString, std::array<std::int64_t, 3>>;

Operators operatorsOf(const Trace& trace, const std::string& variant = {})
{
    Operators operators;
    StatsQuery query;
    query.variant = variant;
    const Cells cells = findStatsTable("torch_ops")->fill(trace, query);
    for (std::size_t row = 0; row < cells.rowCount(); ++row) {
        if (std::get<std::string>(cells.at(row, 0)) != "CPU")
            continue;
        QString key = QString::fromStdString(std::get<std::string>(cells.at(row, 8)));
        if (!variant.empty())
            key += " in " + QString::fromStdString(std::get<std::string>(cells.at(row, 9)));
        operators[key] = {std::get<std::int64_t>(cells.at(row, 1)), std::get<std::int64_t>(cells.at(row, 5)),
            std::get<std::int64_t>(cells.at(row, 6))};
    }
    return operators;
}

using Figures = std::array<std::int64_t, 3>;

} // namespace

class GraphOriginsTest : public QObject {
    Q_OBJECT

private slots:
    void aReplayIsOfTheOperatorsThatCapturedIt_data()
    {
        QTest::addColumn<bool>("named");
        QTest::newRow("calls say their kernels") << true;
        QTest::newRow("calls do not") << false;
    }
    void aReplayIsOfTheOperatorsThatCapturedIt()
    {
        QFETCH(bool, named);
        const auto loaded = loadText(traceOf(capture(0, 2, named) + replay(1000, 2, 5) + replay(2000, 1, 6)));
        QVERIFY(loaded.ok());
        const Trace& trace = *loaded.value();
        QCOMPARE(graphOriginsOf(trace)->paired(), 10U);
        Operators operators = operatorsOf(trace);
        // The operators ran once to capture, without work, and are called by each replay.
        QCOMPARE(operators["aten::first"], (Figures{3, 6'000, 6'000}));
        QCOMPARE(operators["aten::second"], (Figures{3, 56'000, 56'000}));
        QCOMPARE(operators["step[DECODE bs=2]"], (Figures{1, 0, 31'000}));
        operators = operatorsOf(trace, "modules");
        QCOMPARE(operators["aten::second in Layer"], (Figures{3, 56'000, 56'000}));

        prepareFacts(trace);
        QString said;
        for (const TextRow& row : detailsOf(trace, {EventKind::Kernel, 3}))
            said += QString::fromStdString(plain(row.label) + "=" + plain(row.value) + "\n");
        QVERIFY2(said.contains("nn.Module: Layer_1 / aten::second\n"), qPrintable(said));
        QVERIFY2(said.contains("[[2, 8]]\n"), qPrintable(said));
    }

    /// torch.compile's operators around the launch of a graph only start it.
    void operatorsAroundTheLaunchOwnNothingOfTheGraph()
    {
        const auto loaded = loadText(traceOf(capture(0, 2, true) + replay(1000, 2, 5)
            + hostEvent("cpu_op", "Torch-Compiled Region: 0/0", 9, 1001, 8)));
        QVERIFY(loaded.ok());
        const OperatorWorks works = findOperatorWorks(*loaded.value());
        std::map<std::string_view, Ns> gpu;
        for (const OperatorRun& run : works.runs)
            gpu[works.shapeOf(run).operatorName] += run.gpu;
        QCOMPARE(gpu, (std::map<std::string_view, Ns>{{"aten::first", 3'000}, {"aten::second", 28'000}}));
    }

    void theSmallestCaptureThatAStepFitsIntoIsTaken()
    {
        const auto loaded
            = loadText(traceOf(capture(0, 8, true) + capture(200, 4, true) + capture(400, 2, true)
                + replay(1000, 3, 5) + replay(2000, 8, 6) + replay(3000, 1, 7) + replay(4000, 9, 8)));
        QVERIFY(loaded.ok());
        Operators operators = operatorsOf(*loaded.value(), "shapes");
        QCOMPARE(operators["aten::first in [[2, 8]]"], (Figures{2, 3'000, 3'000}));
        QCOMPARE(operators["aten::first in [[4, 8]]"], (Figures{2, 3'000, 3'000}));
        QCOMPARE(operators["aten::first in [[8, 8]]"], (Figures{3, 6'000, 6'000})); // 9 fits into none
    }

    /// Captures of all lengths and names: each replay has its own, whatever their order, or none.
    void eachOfManyCapturesHasItsReplay()
    {
        constexpr int count = 400;
        constexpr int lengths = 20;
        QByteArray events;
        const auto at = [](int i) { return i * 1000; };
        const auto nameOf = [](int i, int node) {
            return "kernel_" + QByteArray::number(i) + '_' + QByteArray::number(node % 3);
        };
        quint64 nodes = 0;
        for (int i = 0; i < count; ++i) {
            const int length = 1 + i % lengths;
            const bool isRun = i % 7 != 0;
            const int replayed = at(2 * count - i);
            events += hostEvent("cuda_runtime", "hipStreamBeginCapture", 9, at(i), 1);
            if (isRun)
                events += hostEvent("cuda_runtime", "hipGraphLaunch", 9, replayed, 1,
                    R"("correlation": )" + QByteArray::number(i + 1));
            for (int node = 0; node < length; ++node) {
                events += hostEvent("cuda_runtime", "hipLaunchKernel", 9, at(i) + 2 + 3 * node, 1,
                    "\"kernel\": \"" + nameOf(i, node) + '"');
                if (isRun)
                    events += onGpu("kernel", nameOf(i, node), replayed + 5 + 2 * node, 1, i + 1);
            }
            events += hostEvent("cuda_runtime", "hipStreamEndCapture", 9, at(i) + 100, 1);
            nodes += isRun ? static_cast<quint64>(length) : 0;
        }
        // As long as some captures, with a kernel that none of them has.
        events += hostEvent("cuda_runtime", "hipGraphLaunch", 9, at(3 * count), 1, R"("correlation": 9999)")
            + onGpu("kernel", "other", at(3 * count) + 5, 1, 9999);
        const auto loaded = loadText(traceOf(events));
        QVERIFY(loaded.ok());
        const auto origins = graphOriginsOf(*loaded.value());
        QCOMPARE(quint64{origins->paired()}, nodes);
        const Trace& trace = *loaded.value();
        for (EventIndex i = 0; i < trace.kernels().size(); ++i) {
            const CapturedAt from = origins->of(trace, {EventKind::Kernel, i});
            const std::string_view name = trace.text(trace.kernels().name[i]);
            QCOMPARE(from.known(), name != "other");
            if (from.known())
                QCOMPARE(trace.text(trace.graphEvents().name[from.node]), name);
        }
    }

    void whatACaptureDoesNotHoldIsNotItsReplay()
    {
        const QByteArray other = replay(1000, 2, 5).replace("\"gemm\"", "\"sort\"");
        const auto renamed = loadText(traceOf(capture(0, 2, true) + other));
        QVERIFY(renamed.ok());
        QVERIFY(graphOriginsOf(*renamed.value())->empty());
        QCOMPARE(operatorsOf(*renamed.value())["step[DECODE bs=2]"], (Figures{1, 31'000, 31'000}));
        const auto more = loadText(
            traceOf(capture(0, 2, true) + replay(1000, 2, 5) + onGpu("kernel", "gemm", 1080, 1, 5)));
        QVERIFY(more.ok());
        QVERIFY(graphOriginsOf(*more.value())->empty());
    }

    void aReplayMayHaveLostItsLastPieces_data()
    {
        QTest::addColumn<int>("lost"); // of 200, at the end
        QTest::addColumn<bool>("turned"); // the first two are the other way round
        QTest::addColumn<bool>("isPaired");
        QTest::newRow("none") << 0 << false << true;
        QTest::newRow("one") << 1 << false << true;
        QTest::newRow("two") << 2 << false << true;
        QTest::newRow("more than 1%") << 3 << false << false;
        QTest::newRow("another order") << 1 << true << false;
    }

    void aReplayMayHaveLostItsLastPieces()
    {
        QFETCH(const int, lost);
        QFETCH(const bool, turned);
        QFETCH(const bool, isPaired);
        constexpr int nodes = 200;
        const auto nameOf = [](int i) { return "kernel_" + QByteArray::number(i % 7); };
        QByteArray text = hostEvent("cuda_runtime", "hipStreamBeginCapture", 9, 0, 1);
        for (int i = 0; i < nodes; ++i) {
            text += hostEvent("cpu_op", "aten::op_" + QByteArray::number(i), 9, 10 + 10 * i, 8)
                + hostEvent("cuda_runtime", "hipLaunchKernel", 9, 12 + 10 * i, 2,
                    R"("kernel": ")" + nameOf(i) + R"(")");
        }
        text += hostEvent("cuda_runtime", "hipStreamEndCapture", 9, 10 + 10 * nodes, 1)
            + hostEvent("cuda_runtime", "hipGraphLaunch", 9, 3000, 5, R"("correlation": 5)");
        for (int i = 0; i < nodes - lost; ++i) {
            const int place = turned && i < 2 ? 1 - i : i;
            text += onGpu("kernel", nameOf(i), 4000 + 10 * place, 1, 5);
        }
        const auto operators = operatorsOf(*loadText(traceOf(text)).value());
        for (int i = 0; i < nodes; ++i) {
            const Figures figures = operators.at("aten::op_" + QString::number(i));
            QCOMPARE(figures[2], isPaired && i < nodes - lost ? 1000 : 0);
        }
    }

    void callsThatRunMeanwhileAreNoNodes()
    {
        // Launched to another stream while one captures: its kernel runs at once.
        const auto loaded = loadText(traceOf(capture(0, 2, true)
            + hostEvent("cuda_runtime", "hipLaunchKernel", 9, 70, 2, R"("kernel": "gemm", "correlation": 3)")
            + onGpu("kernel", "gemm", 75, 1, 3) + replay(1000, 2, 5)));
        QVERIFY(loaded.ok());
        QCOMPARE(loaded.value()->graphEvents().size(), std::size_t{5});
        QCOMPARE(graphOriginsOf(*loaded.value())->paired(), 5U);
    }

    void theCaptureMayLieBesideTheTrace()
    {
        const QTemporaryDir folder;
        const auto write = [&](const char* name, const QByteArray& content) {
            QFile file(folder.filePath(name));
            return file.open(QIODevice::WriteOnly) && file.write(content) == content.size();
        };
        QVERIFY(write("decode.json", traceOf(replay(1000, 2, 5))));
        QVERIFY(write("decode.capture_bs2.json", traceOf(capture(9'000'000, 2, true))));
        QVERIFY(write("decode2.capture.json", "no trace of this one"));
        const auto loaded = loadReport(folder.filePath("decode.json").toStdString());
        QVERIFY(loaded.ok());
        const Trace& trace = *loaded.value();
        QCOMPARE(captureTracesOf(trace).size(), std::size_t{1});
        QVERIFY(trace.info.problems.empty());
        QCOMPARE(operatorsOf(trace)["aten::second"], (Figures{1, 28'000, 28'000}));
        QVERIFY(trace.session.duration() < 200'000); // the time of the capture is not of this run
        const Cells modules = findStatsTable("torch_modules")->fill(trace, {});
        QCOMPARE(modules.rowCount(), std::size_t{1});
        QCOMPARE(std::get<std::int64_t>(modules.at(0, 5)), std::int64_t{31'000});
        QCOMPARE(std::get<std::int64_t>(modules.at(0, 2)), std::int64_t{2}); // both layers, once each
        const Cells places = findStatsTable("cuda_graph_nvtx_sum")->fill(trace, {});
        QCOMPARE(places.rowCount(), std::size_t{2});

        // Kept with its captures, it is joined with those that are there when it is opened again.
        LoadOptions options;
        options.cacheFolder = folder.filePath("kept").toStdString();
        const std::string path = folder.filePath("decode.json").toStdString();
        QVERIFY(keepTrace(options.cacheFolder, *keyOf(path), trace, {0, 1ULL << 30U}));
        const auto factsOf = [&] {
            return loadReport(path, options).value()->info.capture.size() - trace.info.capture.size() + 1;
        };
        QCOMPARE(factsOf(), std::size_t{1});
        QVERIFY(QFile::rename(folder.filePath("decode.capture_bs2.json"), folder.filePath("gone.json")));
        QCOMPARE(factsOf(), std::size_t{0});
        QVERIFY(QFile::rename(folder.filePath("gone.json"), folder.filePath("decode.capture_bs2.json")));

        QVERIFY(write("decode.capture_bs4.json", "{ broken"));
        const auto warned = loadReport(folder.filePath("decode.json").toStdString());
        QVERIFY(warned.ok());
        QCOMPARE(problemCount(*warned.value(), ProblemKind::CaptureUnreadable), 1U);
    }

    void operatorsTakeWhatTheReferenceSays_data()
    {
        QTest::addColumn<QString>("name");
        const QDir folder(WARPLINE_SHARED_REPORTS "/../traces/graphs");
        for (const QString& name : folder.entryList({"*.json.gz"}, QDir::Files, QDir::Name)) {
            if (!name.contains("capture"))
                QTest::newRow(qPrintable(name)) << folder.filePath(name);
        }
        if (!folder.exists())
            QSKIP("needs ../shared/traces, which is not there");
    }
    void operatorsTakeWhatTheReferenceSays()
    {
        QFETCH(QString, name);
        const auto loaded = loadReport(name.toStdString());
        QVERIFY(loaded.ok());
        Operators operators;
        for (const auto& [key, figures] : operatorsOf(*loaded.value(), "modules")) {
            // The reference takes the layer's number off this operator's name.
            QString plain = key;
            plain.replace("paged_attention_ragged_100 in", "paged_attention_ragged in");
            operators[plain] = figures;
        }
        QFile file(name.chopped(8) + ".reference/ops_summary.csv");
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(file.readLine().startsWith("name,parent_module,total_direct_kernel_time_sum,total_subtree_"));
        int compared = 0;
        while (!file.atEnd()) {
            const QList<QByteArray> fields = file.readLine().split(',');
            const QString module
                = fields[1] == "NA" ? QString() : QString::fromUtf8(fields[1]).remove("nn.Module: ");
            // Launches outside of operators are rows of the call there; here their time is the kernels'
            // alone.
            if (fields[0].startsWith("hip"))
                continue;
            const auto& [calls, own, subtree] = operators[QString::fromUtf8(fields[0]) + " in " + module];
            // Eager operators of which some call launched nothing: the reference counts those that did.
            if (module.isEmpty())
                QVERIFY2(calls >= fields[6].toLongLong(), fields[0]);
            else
                QCOMPARE(calls, fields[6].toLongLong());
            // Microseconds, which the reference rounds by event to a quarter.
            const double tolerance = 0.01 + 0.004 * static_cast<double>(fields[6].toLongLong());
            QVERIFY2(std::abs(static_cast<double>(own) / 1000 - fields[2].toDouble()) < tolerance, fields[0]);
            if (!module.isEmpty())
                QVERIFY2(std::abs(static_cast<double>(subtree) / 1000 - fields[3].toDouble()) < tolerance,
                    fields[0]);
            ++compared;
        }
        QVERIFY(compared >= 15);
    }
};

WARPLINE_TEST(GraphOriginsTest)

} // namespace tst_graph_origins

#include "tst_graph_origins.moc"
