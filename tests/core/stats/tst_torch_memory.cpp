// PyTorch's memory by operator and by purpose, and recomputed work: a synthetic trace with values computed by
// hand, and shared traces compared with others' values and their own.

#include "core/derive/recomputed_work.h"
#include "core/overview/overview.h"
#include "core/stats/memory_categories.h"
#include "core/stats/stats_table.h"
#include "tests/core/kineto/kineto_helpers.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <fmt/format.h>

#include <cmath>
#include <map>

namespace tst_torch_memory {

using namespace warpline;
using namespace warpline::test;

namespace {

std::string shared(const char* name)
{
    const QString path = QString::fromUtf8(WARPLINE_SHARED_REPORTS) + "/" + name;
    return QFile::exists(path) ? path.toStdString() : std::string();
}

/// One step: a forward pass, a backward pass that recomputes, an optimizer step. Times in us.
class Drawing {
public:
    void range(const char* category, const std::string& name, int thread, int start, int end)
    {
        m_text += fmt::format(R"({{"ph":"X","cat":"{}","name":"{}","pid":5,"tid":{},"ts":{},"dur":{}}},)",
            category, name, thread, start, end - start);
    }
    void memory(int thread, int at, int address, int bytes)
    {
        m_total += bytes;
        m_text += fmt::format(
            R"({{"ph":"i","s":"t","cat":"cpu_instant_event","name":"[memory]","pid":5,"tid":{},"ts":{},"args":)"
            R"({{"Total Reserved":5000,"Total Allocated":{},"Bytes":{},"Device Id":0,"Device Type":1,"Addr":{}}}}},)",
            thread, at, m_total, bytes, address);
    }
    std::shared_ptr<const Trace> trace()
    {
        m_text.back() = ']';
        auto loaded
            = loadText(QByteArray::fromStdString(R"({"schemaVersion":1,"traceEvents":[)" + m_text + "}"));
        return loaded.ok() ? loaded.value() : nullptr;
    }

private:
    std::string m_text;
    int m_total = 1000; // parameters, from before
};

std::shared_ptr<const Trace> trainingStep()
{
    constexpr int main = 5;
    constexpr int autograd = 6;
    Drawing drawing;
    drawing.range("cpu_op", "aten::linear", main, 0, 100);
    drawing.range("cpu_op", "aten::addmm", main, 10, 90);
    drawing.memory(main, 20, 1, 100); // activation
    drawing.memory(main, 30, 2, 40); // of addmm alone
    drawing.memory(main, 40, 2, -40);
    drawing.memory(main, 95, 3, 7); // not released
    drawing.range("cpu_op", "autograd::engine::evaluate_function: ReluBackward0", autograd, 200, 300);
    drawing.range("cpu_op", "aten::linear", autograd, 210, 230);
    drawing.memory(autograd, 215, 4, 60); // recomputed
    drawing.range("cpu_op", "aten::threshold_backward", autograd, 240, 260);
    drawing.memory(autograd, 250, 5, 30); // gradient of an activation
    drawing.range("cpu_op", "autograd::engine::evaluate_function: AddmmBackward0", autograd, 310, 400);
    drawing.range("cpu_op", "aten::mm", autograd, 320, 340);
    drawing.memory(autograd, 330, 6, 50); // gradient of a parameter
    drawing.memory(autograd, 350, 4, -60);
    drawing.memory(autograd, 360, 5, -30);
    drawing.memory(autograd, 370, 1, -100);
    drawing.range("user_annotation", "Optimizer.step#Adam.step", main, 500, 600);
    drawing.range("cpu_op", "aten::mul", main, 510, 590);
    drawing.memory(main, 520, 7, 80); // state
    drawing.memory(main, 530, 8, 20);
    drawing.memory(main, 540, 8, -20);
    drawing.memory(main, 700, 6, -50);
    drawing.memory(main, 710, 99, -300); // a parameter is released
    return drawing.trace();
}

std::int64_t integerAt(const Cells& cells, std::size_t row, std::size_t column)
{
    return std::get<std::int64_t>(cells.at(row, column));
}

} // namespace

class TorchMemoryTest : public QObject {
    Q_OBJECT

private slots:
    void categoriesByHand();
    void operatorsByHand();
    void timelineEndsAsTheCurveDoes();
    void releasesWithoutAddressesJoinNothing();
    void pinnedMemoryIsNoneOfAGpu();
    void sharedTracesAddUp_data();
    void sharedTracesAddUp();
    void recomputedAsTheReferenceSays();
    void backwardPassesAloneRecomputeNothing();
};

void TorchMemoryTest::categoriesByHand()
{
    const auto trace = trainingStep();
    QVERIFY(trace);
    using Categories
        = std::map<std::string, std::array<std::int64_t, 4>>; // allocated, most, at peak, at the end
    const auto categoriesIn = [&](TimeRange window) {
        StatsQuery query;
        query.window = window;
        const Cells cells = findStatsTable("memory_categories")->fill(*trace, query);
        Categories found;
        for (std::size_t row = 0; row < cells.rowCount(); ++row)
            found[std::get<std::string>(cells.at(row, 1))] = {integerAt(cells, row, 3),
                integerAt(cells, row, 4), integerAt(cells, row, 5), integerAt(cells, row, 6)};
        return found;
    };
    // Most is in use at 330 us: 1000 + 7 + 100 + 60 + 30 + 50.
    const Categories expected{{"before the recording", {1000, 1000, 1000, 700}}, {"kept", {7, 7, 7, 7}},
        {"optimizer state", {80, 80, 0, 80}}, {"gradient", {50, 50, 50, 0}},
        {"activation", {160, 160, 160, 0}}, {"autograd detail", {30, 30, 30, 0}},
        {"temporary", {60, 40, 0, 0}}};
    QCOMPARE(categoriesIn({}), expected);
    // Of a range what is held when it begins counts, too.
    const Categories inBetween{{"before the recording", {0, 1000, 1000, 1000}}, {"kept", {0, 7, 7, 7}},
        {"gradient", {0, 50, 50, 50}}, {"activation", {0, 160, 160, 100}},
        {"autograd detail", {0, 30, 30, 0}}};
    QCOMPARE(categoriesIn({345'000, 365'000}), inBetween);
}

void TorchMemoryTest::operatorsByHand()
{
    const auto trace = trainingStep();
    QVERIFY(trace);
    const Cells cells = findStatsTable("torch_memory")->fill(*trace, {});
    std::map<std::string, std::array<std::int64_t, 5>> found;
    for (std::size_t row = 0; row < cells.rowCount(); ++row)
        found[std::get<std::string>(cells.at(row, 5))] = {integerAt(cells, row, 0), integerAt(cells, row, 1),
            integerAt(cells, row, 2), integerAt(cells, row, 3), integerAt(cells, row, 4)};
    QCOMPARE(found["aten::addmm"], (std::array<std::int64_t, 5>{1, 100, 100, 140, 40}));
    QCOMPARE(found["aten::linear"], (std::array<std::int64_t, 5>{2, 67, 167, 67, 0}));
    QCOMPARE(found["autograd::engine::evaluate_function: AddmmBackward0"],
        (std::array<std::int64_t, 5>{1, -190, -140, 0, 190}));
    QCOMPARE(found["Optimizer.step#Adam.step"], (std::array<std::int64_t, 5>{1, 0, 80, 0, 0}));
    QCOMPARE(found["[memory]"], (std::array<std::int64_t, 5>{2, -350, -350, 0, 350}));
}

void TorchMemoryTest::timelineEndsAsTheCurveDoes()
{
    const auto trace = trainingStep();
    QVERIFY(trace);
    StatsQuery query;
    query.variant = "parts=7";
    const Cells cells = findStatsTable("memory_timeline")->fill(*trace, query);
    QCOMPARE(cells.rowCount(), std::size_t{7});
    std::int64_t most = 0;
    for (std::size_t row = 0; row < cells.rowCount(); ++row) {
        std::int64_t sum = 0;
        for (std::size_t column = 3; column < cells.columns.size(); ++column)
            sum += integerAt(cells, row, column);
        QCOMPARE(integerAt(cells, row, 2), sum);
        most = std::max(most, sum);
    }
    QCOMPARE(most, std::int64_t{1247});
}

/// Traces of 2021 have no addresses: lifetimes of memory are unknown.
void TorchMemoryTest::releasesWithoutAddressesJoinNothing()
{
    Drawing drawing;
    drawing.range("cpu_op", "aten::mm", 5, 0, 100);
    drawing.memory(5, 10, 0, 100);
    drawing.memory(5, 20, 0, -100);
    const auto trace = drawing.trace();
    QVERIFY(trace);
    QVERIFY(!findStatsTable("memory_lifetimes")->applies(*trace));
    QVERIFY(!findStatsTable("memory_categories")->applies(*trace));
    QCOMPARE(findStatsTable("torch_memory")->fill(*trace, {}).rowCount(), std::size_t{1});
}

/// nsys lists memory that is pinned on the host beside that of the GPU: here one block of 64 MiB beside two.
void TorchMemoryTest::pinnedMemoryIsNoneOfAGpu()
{
    const auto report = loadReport(WARPLINE_TEST_DATA "/reports/streams.sqlite");
    QVERIFY(report.ok());
    const Cells cells = findStatsTable("memory_lifetimes")->fill(*report.value(), {});
    QCOMPARE(integerAt(cells, 0, 1), std::int64_t{67'108'864});
    QCOMPARE(integerAt(cells, 0, 2), std::int64_t{2});
}

void TorchMemoryTest::sharedTracesAddUp_data()
{
    QTest::addColumn<QString>("name");
    for (const char* const name :
        {"kineto/bert_amp.json.gz", "kineto/bert_stack.json.gz", "../operators/gpt.json.gz",
            "../traces/rocm/bert_small_mi300.json.gz", "../traces/rocm/ddp_resnet18_no_pool.json.gz"})
        QTest::newRow(name) << name;
}

/// Bytes of all operators equal those of all events, and the final use equals the end of PyTorch's own curve.
void TorchMemoryTest::sharedTracesAddUp()
{
    QFETCH(QString, name);
    const std::string path = shared(qPrintable(name));
    if (path.empty())
        QSKIP("the shared traces are not there");
    const auto report = loadReport(path, {});
    QVERIFY(report.ok());
    const Trace& trace = *report.value();
    const GpuMemoryTable& memory = trace.gpuMemory();
    std::int64_t all = 0;
    for (EventIndex i = 0; i < memory.size(); ++i)
        all += (memory.operation(i).allocates ? 1 : -1) * static_cast<std::int64_t>(memory.bytes[i]);
    const Cells operators = findStatsTable("torch_memory")->fill(trace, {});
    std::int64_t self = 0;
    for (std::size_t row = 0; row < operators.rowCount(); ++row)
        self += integerAt(operators, row, 1);
    QCOMPARE(self, all);

    const Cells categories = findStatsTable("memory_categories")->fill(trace, {});
    std::int64_t atEnd = 0;
    for (std::size_t row = 0; row < categories.rowCount(); ++row)
        atEnd += integerAt(categories, row, 6);
    double last = 0;
    for (const CounterSeries& series : trace.counters) {
        if (trace.text(series.name) == "Memory in use by PyTorch")
            last += series.values.back();
    }
    QVERIFY2(std::abs(static_cast<double>(atEnd) - last) <= 256 + last * 1e-6, // the curve is in 32 bits
        qPrintable(QString("%1 %2").arg(atEnd).arg(last, 0, 'f', 0)));
}

/// The reference drops memsets (of miopen_convolution: 87.7 us) and rounds each kernel to a quarter of a
/// microsecond; all else is equal.
void TorchMemoryTest::recomputedAsTheReferenceSays()
{
    const std::string path = shared("../traces/rocm/resnet_act_checkpoint.json.gz");
    if (path.empty())
        QSKIP("the shared traces are not there");
    const auto report = loadReport(path, {});
    QVERIFY(report.ok());
    const Trace& trace = *report.value();
    std::map<QString, std::pair<qlonglong, double>> expected;
    QFile file(QString::fromStdString(path).replace(".json.gz", ".reference/ops_summary.csv"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    for (QByteArray line = file.readLine(); !line.isEmpty(); line = file.readLine()) {
        const QList<QByteArray> cells = line.split(',');
        if (cells.at(1) == "True")
            expected[QString::fromUtf8(cells.at(0))]
                = {cells.at(6).toLongLong(), cells.at(2).toDouble() * 1000};
    }
    QCOMPARE(expected.size(), std::size_t{4});

    const auto stretches = recomputedStretches(trace);
    QCOMPARE(stretches.size(), std::size_t{12}); // four blocks in three steps
    Ns memsets = 0;
    const EventTable& sets = trace.table(EventKind::Memset);
    for (EventIndex i = 0; i < sets.size(); ++i) {
        const EventRef call = trace.apiCallOf({EventKind::Memset, i});
        if (call.valid()
            && isRecomputed(stretches, trace.track(trace.trackOf(call)).owner, trace.range(call).start))
            memsets += sets.range(i).duration();
    }
    const Cells cells = findStatsTable("torch_recompute")->fill(trace, {});
    Ns total = 0;
    std::size_t compared = 0;
    for (std::size_t row = 0; row < cells.rowCount(); ++row) {
        total += integerAt(cells, row, 3);
        const auto known = expected.find(QString::fromStdString(std::get<std::string>(cells.at(row, 5))));
        if (known == expected.end()) {
            QCOMPARE(integerAt(cells, row, 3), std::int64_t{0}); // launches nothing itself
            continue;
        }
        ++compared;
        QCOMPARE(integerAt(cells, row, 0), known->second.first);
        const double dropped = known->first == "aten::miopen_convolution" ? static_cast<double>(memsets) : 0;
        QVERIFY(std::abs(static_cast<double>(integerAt(cells, row, 3)) - dropped - known->second.second)
            <= 250.0 * static_cast<double>(known->second.first));
    }
    QCOMPARE(compared, expected.size());
    QCOMPARE(total, recomputedGpuTime(trace, stretches, {}));
}

void TorchMemoryTest::backwardPassesAloneRecomputeNothing()
{
    const std::string path = shared("kineto/bert_amp.json.gz");
    if (path.empty())
        QSKIP("the shared traces are not there");
    const auto report = loadReport(path, {});
    QVERIFY(report.ok());
    QVERIFY(recomputedStretches(*report.value()).empty());
    QVERIFY(!findStatsTable("torch_recompute")->applies(*report.value()));
}

WARPLINE_TEST(TorchMemoryTest)

} // namespace tst_torch_memory

#include "tst_torch_memory.moc"
