// FLOPs and bytes of operators: equal to PyTorch's counts, from its trace and from an export with shapes in
// NVTX; to counting each product of small shapes one by one; and to others' references, except for the named
// definitions.

#include "core/operators/operator_rows.h"
#include "core/stats/stats_table.h"
#include "tests/core/kineto/kineto_helpers.h"
#include "tests/support/test_program.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <random>
#include <set>
#include <stop_token>

namespace tst_operators {

using namespace warpline;
using namespace warpline::test;

class OperatorsTest : public QObject {
    Q_OBJECT

private slots:
    void equalsPyTorch_data();
    void equalsPyTorch();
    void equalsReferences_data();
    void equalsReferences();
    void ratesEqualReferences_data() { equalsReferences_data(); }
    void ratesEqualReferences();
    void namedDifferencesExist();
    void randomProducts();
    void randomConvolutions();
    void randomAttention();
    void randomPooling();
    void randomLookUps();
    void sizesOfOtherOperators();
    void readsLengthsOfSequences();
    void typesOfListsFollowFromKernels();
    void restOfACompositeHasNoWork();
    void ownersEqualALookAtAllAround();
    void productsOfMoreRowsCount();
    void copiesOfTheHostHaveNoRoofline();
    void readsArguments();
    void brokenArgumentsSayNothing();
    void workBelongsToTheOperatorThatIsCounted();
    void modulesInDeepStacks();
    void modulesOfBackwardPasses();
    void rowsAddUp();
    void collectivesEqualTheirTable();
    void everyModelIsDocumented();

private:
    std::set<std::string> m_differed; ///< entries of the table of definitions that were needed
};

namespace {

const QString sharedOperators = QStringLiteral(WARPLINE_SHARED_REPORTS "/../operators/");
const QString sharedTraces = QStringLiteral(WARPLINE_SHARED_REPORTS "/../traces/");
const QString ownOperators = QStringLiteral(WARPLINE_TEST_DATA "/operators/");

/// A definition of the references that is not ours.
struct OtherDefinition {
    std::string_view operators; ///< prefixes of names
    bool flops;
    bool bytes;
    std::string_view why;
};
constexpr std::array<OtherDefinition, 13> otherDefinitions{
    {{"aten::copy_", true, false, "counts a copy as one FLOP per element; it computes nothing"},
        {"aten::addmm", true, false, "counts the addition of the bias; PyTorch does not"},
        {"vllm::rocm_unquantized_gemm", true, false, "counts the addition of the bias; PyTorch does not"},
        {"aten::convolution_backward", true, true,
            "reads the gradient of the result twice, and counts gradients that output_mask leaves out"},
        {"aten::convolution", false, true, "leaves out the bias"},
        {"aten::native_batch_norm_backward", false, true, "counts fewer of the statistics of channels"},
        {"aten::batch_norm", true, true,
            "is named by the operator that runs: native_, cudnn_ or miopen_batch_norm"},
        {"aten::layer_norm", true, true, "is named by the operator that runs: native_layer_norm"},
        {"aten::sum", false, true, "counts one element of result, whatever dimensions are kept"},
        {"aten::mean", false, true, "counts one element of result, whatever dimensions are kept"},
        {"aten::div", false, true, "counts what a stride of 0 repeats"},
        {"triton_", false, true, "counts arguments by other rules; here each tensor once"},
        {"pseudo_op::", true, true, "names kernels that no operator launched"}}};

const OtherDefinition* otherDefinitionOf(const std::string& name)
{
    const auto* const found = std::ranges::find_if(
        otherDefinitions, [&](const OtherDefinition& each) { return name.starts_with(each.operators); });
    return found == otherDefinitions.end() ? nullptr : found;
}

/// Whether references attribute other GPU work to the operator: the addition of a convolution's bias, which
/// is aten::add_ here, but no memsets of HIP; and other operators in a graph's replay.
bool otherTime(const std::string& name)
{
    return name.starts_with("aten::convolution") || name == "aten::cumsum" || name == "aten::copy_";
}

/// "sglang_profiler::attention_ragged" of "sglang_profiler::attention_ragged_100": references leave out which
/// layer it is.
std::string_view withoutLayer(std::string_view name)
{
    const std::size_t end = name.find_last_not_of("0123456789");
    return name.starts_with("sglang_profiler::") && end + 1 < name.size() && name[end] == '_'
        ? name.substr(0, end)
        : name;
}

/// Fields of the lines of a file of CSV, by the names in its first line.
std::vector<std::map<QString, QString>> rowsOfCsv(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    std::vector<QStringList> lines{{QString()}};
    bool quoted = false;
    for (const QChar c : QString::fromUtf8(file.readAll())) {
        if (c == '"')
            quoted = !quoted;
        else if (c == ',' && !quoted)
            lines.back() << QString();
        else if (c == '\n' && !quoted)
            lines.push_back({QString()});
        else if (c != '\r')
            lines.back().back() += c;
    }
    std::vector<std::map<QString, QString>> rows;
    for (std::size_t i = 1; i < lines.size(); ++i) {
        if (lines[i].size() != lines.front().size())
            continue;
        std::map<QString, QString>& row = rows.emplace_back();
        for (qsizetype k = 0; k < lines[i].size(); ++k)
            row[lines.front()[k]] = lines[i][k];
    }
    return rows;
}

/// Python's tuples as lists of JSON without blanks: "((2, 3), ())" as "[[2,3],[]]".
std::string listOf(QString tuples)
{
    tuples.replace(" ", "").replace(",)", ")").replace("(", "[").replace(")", "]");
    return tuples.toStdString();
}

Tensor tensorOf(Dims dims, ElementType type = ElementType::Fp32)
{
    return {std::move(dims), {}, type};
}

OperatorCall callOf(std::string name, const std::vector<Tensor>& tensors)
{
    OperatorCall call;
    call.name = std::move(name);
    call.hasTypes = true;
    for (const Tensor& each : tensors)
        call.arguments.push_back({{each}, false, {}});
    return call;
}

void addValues(OperatorCall& call, std::initializer_list<std::string> values)
{
    call.hasValues = true;
    for (const std::string& value : values)
        call.arguments.push_back({{}, false, value});
}

std::string listText(const Dims& numbers)
{
    std::string text = "[";
    for (const std::int64_t each : numbers)
        text += (text.size() > 1 ? ", " : "") + std::to_string(each);
    return text + "]";
}

Work workOf(const OperatorCall& call)
{
    const WorkModel* const model = workModelOf(call.name);
    if (model == nullptr)
        return {};
    return model->work(call).value_or(Work{});
}

/// A call at 20 us and the kernel that it launches: the end of a list of events.
std::string launchAndKernel(const std::string& kernel)
{
    return R"({"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 20, "dur": 5,
        "args": {"correlation": 1}},
        {"ph": "X", "cat": "kernel", "name": ")"
        + kernel + R"(", "pid": 0, "tid": 7, "ts": 30, "dur": 10,
        "args": {"device": 0, "stream": 7, "correlation": 1}}])";
}

std::shared_ptr<const Trace> traceOf(const std::string& events)
{
    auto loaded
        = loadText(QByteArray::fromStdString(R"({"schemaVersion": 1, "traceEvents": )" + events + "}"));
    return loaded.ok() ? loaded.take() : nullptr;
}

class Dice {
public:
    std::int64_t upTo(std::int64_t most, std::int64_t least = 1)
    {
        return std::uniform_int_distribution<std::int64_t>(least, most)(m_random);
    }

private:
    std::mt19937 m_random{42};
};

} // namespace

void OperatorsTest::equalsPyTorch_data()
{
    QTest::addColumn<QString>("trace");
    QTest::addColumn<QString>("counted");
    QTest::addColumn<std::int64_t>("steps"); // recorded, while one was counted
    // torch 2.11 on H100: a U-Net in FP16 with optimizer; convolutions in one to three dimensions, grouped,
    // dilated, transposed, with their backward passes; a recommendation model.
    for (const char* const name : {"unet", "convs", "recsys"})
        QTest::addRow("%s, in the tree", name)
            << ownOperators + name + ".json.gz" << ownOperators + name + ".flops.json" << std::int64_t{1};
    QTest::newRow("net, in the tree")
        << ownOperators + "net.json.gz" << ownOperators + "net.flops.json" << std::int64_t{3};
    QTest::newRow("mix, in the tree")
        << ownOperators + "mix.json.gz" << ownOperators + "mix.flops.json" << std::int64_t{3};
    for (const char* const name : {"gpt", "mix"}) {
        for (const char* const ending : {".json.gz", ".sqlite"})
            QTest::addRow("%s%s", name, ending) << sharedOperators + name + ending
                                                << sharedOperators + name + ".flops.json" << std::int64_t{3};
    }
}

void OperatorsTest::equalsPyTorch()
{
    QFETCH(const QString, trace);
    QFETCH(const QString, counted);
    QFETCH(const std::int64_t, steps);
    QFile file(counted);
    if (!file.open(QIODevice::ReadOnly))
        QSKIP("../shared/operators is not here");
    const QJsonObject document = QJsonDocument::fromJson(file.readAll()).object();
    const QJsonObject expected = document["by_module"].toObject()["Global"].toObject();
    const auto loaded = loadReport(trace.toStdString());
    QVERIFY(loaded.ok());
    const OperatorWorks works = findOperatorWorks(*loaded.value());
    std::map<QString, std::int64_t> flops;
    std::int64_t total = 0;
    for (const OperatorRun& run : works.runs) {
        const OperatorShape& shape = works.shapeOf(run);
        const WorkModel* const model = workModelOf(shape.operatorName);
        const QString name = QString::fromStdString(shape.operatorName).replace("::", ".");
        // The convolution of nn.functional.conv_tbc makes a product that no operator of PyTorch's counter is.
        if (model == nullptr || !model->multiplies || !shape.work.flops || name == "aten.addmm_")
            continue;
        flops[name] += *shape.work.flops;
        total += *shape.work.flops;
    }
    QCOMPARE(total, steps * document["total"].toInteger());
    QCOMPARE(static_cast<qsizetype>(flops.size()), expected.size());
    for (const auto& [name, sum] : flops)
        QVERIFY2(sum == steps * expected[name].toInteger(), qPrintable(name));
}

void OperatorsTest::equalsReferences_data()
{
    QTest::addColumn<QString>("reference");
    QTest::newRow("none") << QString();
    for (const char* const folder : {"operators", "rocm", "graphs"}) {
        const QDir dir(sharedTraces + folder);
        for (const QString& name : dir.entryList({"*.reference"}, QDir::Dirs, QDir::Name))
            QTest::newRow(qPrintable(name)) << dir.filePath(name);
    }
}

void OperatorsTest::equalsReferences()
{
    QFETCH(const QString, reference);
    if (reference.isEmpty()) {
        if (!QDir(sharedTraces).exists())
            QSKIP("../shared/traces is not here");
        return;
    }
    const auto loaded = loadReport(QString(reference).replace(".reference", ".json.gz").toStdString());
    QVERIFY(loaded.ok());
    const OperatorWorks works = findOperatorWorks(*loaded.value());
    for (const auto& row : rowsOfCsv(reference + "/unified_perf_summary.csv")) {
        const auto flopsText = row.find("GFLOPS");
        if (flopsText == row.end() || flopsText->second.isEmpty() || row.at("Data Moved (MB)").isEmpty())
            continue;
        const std::string name = row.at("name").toStdString();
        const std::string shapes = listOf(row.at("Input Dims"));
        const double flops = flopsText->second.toDouble() * 1e9;
        const double bytes = row.at("Data Moved (MB)").toDouble() * 1024 * 1024; // of 2^20 bytes
        bool sameFlops = false;
        bool sameBytes = false;
        QByteArray found;
        for (const OperatorShape& shape : works.shapes) {
            if (withoutLayer(shape.operatorName) != name || shape.shapes != shapes)
                continue;
            const auto ourFlops = static_cast<double>(shape.work.flops.value_or(0));
            const auto ourBytes = static_cast<double>(shape.work.bytes.value_or(0));
            const bool flopsFit = std::abs(ourFlops - flops) <= std::max(1.0, flops * 1e-9);
            const bool bytesFit = std::abs(ourBytes - bytes) <= std::max(1.0, bytes * 1e-9);
            // Calls that differ in strides and types are rows of their own, there and here.
            if (flopsFit >= sameFlops && bytesFit >= sameBytes) {
                sameFlops = flopsFit;
                sameBytes = bytesFit;
            }
            found += QByteArray::number(ourFlops, 'f', 0) + " FLOPs " + QByteArray::number(ourBytes, 'f', 0)
                + " bytes; ";
        }
        const OtherDefinition* const other = otherDefinitionOf(name);
        if (other != nullptr && (!sameFlops || !sameBytes))
            m_differed.emplace(other->operators);
        QVERIFY2(sameFlops || (other != nullptr && other->flops),
            (name + shapes + ": " + flopsText->second.toStdString() + " GFLOP, but " + found.toStdString())
                .c_str());
        QVERIFY2(sameBytes || (other != nullptr && other->bytes),
            (name + shapes + ": " + std::to_string(bytes) + " bytes, but " + found.toStdString()).c_str());
    }
}

/// GPU time, TFLOP/s, TB/s and time at the roofline of each operator and shape.
void OperatorsTest::ratesEqualReferences()
{
    QFETCH(const QString, reference);
    if (reference.isEmpty()) {
        if (!QDir(sharedTraces).exists())
            QSKIP("../shared/traces is not here");
        return;
    }
    const auto loaded = loadReport(QString(reference).replace(".reference", ".json.gz").toStdString());
    QVERIFY(loaded.ok());
    const Trace& trace = *loaded.value();
    const auto rows = operatorRows(trace, *operatorWorksOf(trace), {});
    struct Sums {
        double calls = 0;
        double time = 0; // ns
        double flops = 0;
        double bytes = 0;
        double roofline = 0; // ns
        bool computes = false;
    };
    std::map<std::pair<std::string, std::string>, Sums> sums;
    for (const auto& row : rowsOfCsv(reference + "/unified_perf_summary.csv")) {
        const auto numberOf = [&](const QString& key) {
            const auto found = row.find(key);
            return found != row.end() ? found->second.toDouble() : 0;
        };
        if (numberOf("TB/s_mean") <= 0)
            continue;
        Sums& sum = sums[{row.at("name").toStdString(), listOf(row.at("Input Dims"))}];
        const double calls = numberOf("operation_count");
        sum.calls += calls;
        sum.time += numberOf("Kernel Time (µs)_sum") * 1e3;
        sum.flops += calls * numberOf("GFLOPS") * 1e9;
        sum.bytes += calls * numberOf("Data Moved (MB)") * 1024 * 1024;
        sum.roofline += calls * numberOf("Roofline Time (µs)_first") * 1e3;
        const auto bound = row.find("Roofline Bound");
        sum.computes = bound != row.end() && bound->second == "COMPUTE_BOUND"
            && row.at("Compute Spec").startsWith("matrix");
    }
    const QString file = QFileInfo(reference).completeBaseName();
    for (const auto& [key, sum] : sums) {
        const auto isThis = [&](const OperatorRow& row) {
            return row.operatorName == key.first && row.shapes == key.second;
        };
        const auto count = std::ranges::count_if(rows, isThis);
        if (count != 1 || otherTime(key.first))
            continue; // named after another operator; or split by types and strides
        const OperatorRow& row = *std::ranges::find_if(rows, isThis);
        const std::string what = file.toStdString() + ": " + key.first + key.second;
        // References round each kernel to a quarter of a microsecond.
        const double rounding = 500 * sum.calls + 1e-3 * sum.time;
        QVERIFY2(std::abs(static_cast<double>(row.gpu) - sum.time) <= rounding, what.c_str());
        const double near = 2 * rounding / sum.time;
        const auto same = [near](double ours, double theirs) { return std::abs(ours / theirs - 1) <= near; };
        const bool sameFlops = row.flops && std::abs(static_cast<double>(*row.flops) / sum.flops - 1) < 1e-6;
        const bool sameBytes = row.bytes && std::abs(static_cast<double>(*row.bytes) / sum.bytes - 1) < 1e-6;
        if (sameFlops)
            QVERIFY2(same(*row.teraflops(), sum.flops / sum.time / 1e3), what.c_str());
        if (sameBytes)
            QVERIFY2(same(*row.terabytes(), sum.bytes / sum.time / 1e3), what.c_str());
        if (!sameFlops || !sameBytes || sum.roofline <= 0 || row.rooflineNs <= 0)
            continue; // several traces do not record their GPU
        // Peaks here are those of the data sheet, there what a product reached: 708 TFLOP/s in BF16.
        const double peaks = sum.computes ? 708.0 / 1307.4 : 1.0;
        QVERIFY2(std::abs(row.rooflineNs / (sum.roofline * peaks) - 1) < 1e-3, what.c_str());
        QVERIFY2(same(*row.rooflinePercent(), sum.roofline * peaks / sum.time * 100), what.c_str());
    }
}

/// A definition that makes no difference is not to be named.
void OperatorsTest::namedDifferencesExist()
{
    if (!QDir(sharedTraces).exists())
        QSKIP("../shared/traces is not here");
    for (const OtherDefinition& each : otherDefinitions)
        QVERIFY2(m_differed.contains(std::string(each.operators)), each.operators.data());
}

/// Each product of two elements is a multiplication and an addition: they are counted one by one.
void OperatorsTest::randomProducts()
{
    Dice dice;
    for (int round = 0; round < 4000; ++round) {
        const std::int64_t batch = dice.upTo(4);
        const std::int64_t m = dice.upTo(9);
        const std::int64_t n = dice.upTo(9);
        const std::int64_t k = dice.upTo(9);
        std::int64_t products = 0;
        std::set<std::tuple<int, std::int64_t, std::int64_t, std::int64_t>> touched; // elements of A, B, C
        for (std::int64_t b = 0; b < batch; ++b) {
            for (std::int64_t i = 0; i < m; ++i) {
                for (std::int64_t j = 0; j < n; ++j) {
                    for (std::int64_t l = 0; l < k; ++l) {
                        ++products;
                        touched.insert({0, b, i, l});
                        touched.insert({1, b, l, j});
                        touched.insert({2, b, i, j});
                    }
                }
            }
        }
        const auto bytes = 4 * static_cast<std::int64_t>(touched.size());
        const Work bmm = workOf(callOf("aten::bmm", {tensorOf({batch, m, k}), tensorOf({batch, k, n})}));
        QCOMPARE(bmm.flops.value_or(-1), 2 * products);
        QCOMPARE(bmm.bytes.value_or(-1), bytes);
        const Work added = workOf(callOf(
            "aten::baddbmm", {tensorOf({batch, m, n}), tensorOf({batch, m, k}), tensorOf({batch, k, n})}));
        QCOMPARE(added.flops.value_or(-1), 2 * products);
        QCOMPARE(added.bytes.value_or(-1), bytes + 4 * batch * m * n);
        const Work linear
            = workOf(callOf("aten::linear", {tensorOf({batch, m, k}), tensorOf({n, k}), tensorOf({n})}));
        QCOMPARE(linear.flops.value_or(-1), 2 * products);
        if (batch == 1) {
            const Work mm = workOf(callOf("aten::mm", {tensorOf({m, k}), tensorOf({k, n})}));
            QCOMPARE(mm.flops.value_or(-1), 2 * products);
            QCOMPARE(mm.bytes.value_or(-1), bytes);
        }
        const Work wrong
            = workOf(callOf("aten::bmm", {tensorOf({batch, m, k}), tensorOf({batch, k + 1, n})}));
        QVERIFY(!wrong.flops && !wrong.bytes);
    }
}

/// Moves a filter over a padded line, plane or space, and counts taps.
void OperatorsTest::randomConvolutions()
{
    Dice dice;
    for (int round = 0; round < 3000; ++round) {
        const auto rank = static_cast<std::size_t>(dice.upTo(3));
        const std::int64_t batch = dice.upTo(3);
        const std::int64_t groups = dice.upTo(3);
        const std::int64_t in = groups * dice.upTo(3); // channels
        const std::int64_t out = groups * dice.upTo(3);
        Dims input{batch, in};
        Dims weight{out, in / groups};
        Dims stride;
        Dims padding;
        Dims dilation;
        Dims result{batch, out};
        std::int64_t places = 1; // where the filter can stand
        std::int64_t taps = 1;
        for (std::size_t i = 0; i < rank; ++i) {
            const std::int64_t kernel = dice.upTo(3);
            stride.push_back(dice.upTo(3));
            padding.push_back(dice.upTo(2, 0));
            dilation.push_back(dice.upTo(2));
            const std::int64_t size = dice.upTo(6) + dilation.back() * (kernel - 1);
            std::int64_t along = 0;
            for (std::int64_t at = -padding.back();
                 at + dilation.back() * (kernel - 1) < size + padding.back(); at += stride.back())
                ++along;
            input.push_back(size);
            weight.push_back(kernel);
            result.push_back(along);
            places *= along;
            taps *= kernel;
        }
        const std::int64_t flops = 2 * batch * places * out * taps * (in / groups);
        OperatorCall call = callOf("aten::convolution", {tensorOf(input), tensorOf(weight), tensorOf({out})});
        addValues(call,
            {listText(stride), listText(padding), listText(dilation), "False", listText(Dims(rank, 0)),
                std::to_string(groups)});
        const Work forward = workOf(call);
        QCOMPARE(forward.flops.value_or(-1), flops);
        QCOMPARE(
            forward.bytes.value_or(-1), 4 * (volumeOf(input) + volumeOf(weight) + out + volumeOf(result)));
        QCOMPARE(forward.basis, WorkBasis::Shapes);

        OperatorCall backward
            = callOf("aten::convolution_backward", {tensorOf(result), tensorOf(input), tensorOf(weight)});
        addValues(backward,
            {"[0]", listText(stride), listText(padding), listText(dilation), "False", listText(Dims(rank, 0)),
                std::to_string(groups), "[True, False, False]"});
        QCOMPARE(workOf(backward).flops.value_or(-1), flops);
        backward.arguments.back().value = "[False, True, False]";
        // PyTorch counts the gradient of the weight as if all channels met all: the kernels do not.
        QCOMPARE(workOf(backward).flops.value_or(-1), flops * groups);
        QCOMPARE(*workOf(backward).flops - workOf(backward).skipped, flops);
        backward.arguments.back().value = "[True, True, True]";
        QCOMPARE(*workOf(backward).flops - workOf(backward).skipped, 2 * flops);

        // The transpose takes the result back to the input: the same taps the other way round.
        OperatorCall transposed
            = callOf("aten::convolution", {tensorOf(result), tensorOf(weight), tensorOf({in})});
        addValues(transposed,
            {listText(stride), listText(padding), listText(dilation), "True", listText(Dims(rank, 0)),
                std::to_string(groups)});
        QCOMPARE(workOf(transposed).flops.value_or(-1), flops);
    }
}

void OperatorsTest::randomAttention()
{
    Dice dice;
    for (int round = 0; round < 3000; ++round) {
        const std::int64_t batch = dice.upTo(3);
        const std::int64_t heads = dice.upTo(3);
        const std::int64_t queries = dice.upTo(12);
        const std::int64_t keys = dice.upTo(12);
        const std::int64_t dim = dice.upTo(5);
        const std::int64_t valueDim = dice.upTo(5);
        std::int64_t pairs = 0;
        std::int64_t seen = 0; // with a causal mask whose last query sees the last key, or first the first
        for (std::int64_t q = 0; q < queries; ++q) {
            for (std::int64_t k = 0; k < keys; ++k) {
                ++pairs;
                seen += k <= q + std::max<std::int64_t>(keys - queries, 0) ? 1 : 0;
            }
        }
        const std::int64_t each = 2 * batch * heads * (dim + valueDim);
        OperatorCall call = callOf("aten::_scaled_dot_product_flash_attention",
            {tensorOf({batch, heads, queries, dim}, ElementType::Bf16),
                tensorOf({batch, heads, keys, dim}, ElementType::Bf16),
                tensorOf({batch, heads, keys, valueDim}, ElementType::Bf16)});
        addValues(call, {"0.", "False", "False"});
        QCOMPARE(workOf(call).flops.value_or(-1), each * pairs);
        QCOMPARE(workOf(call).skipped, std::int64_t{0});
        QCOMPARE(workOf(call).bytes.value_or(-1),
            2 * batch * heads * (queries * dim + keys * dim + keys * valueDim + queries * valueDim));
        call.arguments[4].value = "True";
        QCOMPARE(workOf(call).flops.value_or(-1), each * pairs);
        QCOMPARE(*workOf(call).flops - workOf(call).skipped, each * seen);
        OperatorCall backward = callOf("aten::_scaled_dot_product_flash_attention_backward",
            {tensorOf({batch, heads, queries, valueDim}), tensorOf({batch, heads, queries, dim}),
                tensorOf({batch, heads, keys, dim}), tensorOf({batch, heads, keys, valueDim})});
        QCOMPARE(workOf(backward).flops.value_or(-1), 2 * batch * heads * pairs * (3 * dim + 2 * valueDim));
    }
}

/// Each window is walked: how many there are, and how many elements they hold.
void OperatorsTest::randomPooling()
{
    Dice dice;
    for (int round = 0; round < 1500; ++round) {
        const std::int64_t planes = dice.upTo(6);
        Dims input{1, planes};
        Dims kernel;
        Dims stride;
        Dims padding;
        const bool up = dice.upTo(2) == 1;
        std::int64_t places = planes;
        for (int i = 0; i < 2; ++i) {
            kernel.push_back(dice.upTo(4));
            stride.push_back(dice.upTo(4));
            padding.push_back(dice.upTo(kernel.back() / 2, 0));
            const std::int64_t size = dice.upTo(9) + kernel.back();
            input.push_back(size);
            std::int64_t along = 0;
            for (std::int64_t at = -padding.back();; at += stride.back()) {
                const bool fits = at + kernel.back() <= size + padding.back();
                // With ceil_mode a window may reach out, but begins in the input or the padding before it.
                const bool reaches
                    = up && at < size && at - stride.back() + kernel.back() < size + padding.back();
                if (!fits && !reaches)
                    break;
                ++along;
            }
            places *= along;
        }
        OperatorCall call = callOf("aten::max_pool2d_with_indices", {tensorOf(input)});
        addValues(
            call, {listText(kernel), listText(stride), listText(padding), "[1, 1]", up ? "True" : "False"});
        const Work work = workOf(call);
        QCOMPARE(work.flops.value_or(-1), places * volumeOf(kernel));
        QCOMPARE(work.bytes.value_or(-1), 4 * volumeOf(input) + (4 + 8) * places);
        OperatorCall average = callOf("aten::avg_pool2d", {tensorOf(input)});
        addValues(average, {listText(kernel), listText(stride), listText(padding), up ? "True" : "False"});
        QCOMPARE(workOf(average).bytes.value_or(-1), 4 * volumeOf(input) + 4 * places);
    }
}

/// Rows that are added one by one.
void OperatorsTest::randomLookUps()
{
    Dice dice;
    for (int round = 0; round < 1500; ++round) {
        const std::int64_t rows = dice.upTo(50);
        const std::int64_t width = dice.upTo(9);
        const std::int64_t bags = dice.upTo(6);
        const std::int64_t looked = dice.upTo(40);
        std::int64_t additions = 0;
        std::int64_t moved = 0;
        for (std::int64_t i = 0; i < looked; ++i) {
            moved += 8; // the index
            for (std::int64_t k = 0; k < width; ++k) {
                ++additions;
                moved += 2; // of the row
            }
        }
        moved += bags * (8 + 2 * width);
        const Work bag = workOf(callOf("aten::_embedding_bag",
            {tensorOf({rows, width}, ElementType::Bf16), tensorOf({looked}, ElementType::Int64),
                tensorOf({bags}, ElementType::Int64)}));
        QCOMPARE(bag.flops.value_or(-1), additions);
        QCOMPARE(bag.bytes.value_or(-1), moved);
        OperatorCall inner
            = callOf("aten::inner", {tensorOf({rows, width}), tensorOf({bags, looked, width})});
        QCOMPARE(workOf(inner).flops.value_or(-1), 2 * rows * bags * looked * width);
        OperatorCall scatter = callOf("aten::scatter_add", {tensorOf({rows, width})});
        addValues(scatter, {"0"});
        scatter.arguments.push_back({{tensorOf({bags, width}, ElementType::Int64)}, false, {}});
        scatter.arguments.push_back({{tensorOf({bags, width})}, false, {}});
        QCOMPARE(workOf(scatter).flops.value_or(-1), bags * width);
        QCOMPARE(workOf(scatter).bytes.value_or(-1), bags * width * (8 + 3 * 4));
    }
}

/// Sizes that follow from values, against ones that PyTorch gives.
void OperatorsTest::sizesOfOtherOperators()
{
    const auto bytesWith = [](const char* name, const std::vector<Tensor>& tensors,
                               std::initializer_list<std::string> values) {
        OperatorCall call = callOf(name, tensors);
        addValues(call, values);
        return workOf(call).bytes.value_or(-1);
    };
    constexpr std::int64_t plane = 4 * 4 * 16; // of four channels and samples, in FP32
    QCOMPARE(bytesWith("aten::upsample_nearest2d", {tensorOf({4, 16, 64, 64})}, {"[128, 128]", "", ""}),
        plane * (64 * 64 + 128 * 128));
    QCOMPARE(bytesWith("aten::_adaptive_avg_pool2d", {tensorOf({4, 16, 64, 64})}, {"[4, 4]"}),
        plane * (64 * 64 + 16));
    QCOMPARE(bytesWith("aten::reflection_pad1d", {tensorOf({1, 8, 100})}, {"[1, 2]"}), 4 * 8 * (100 + 103));
    QCOMPARE(bytesWith("aten::topk", {tensorOf({64, 1000})}, {"5", "-1", "True", "True"}),
        4 * 64000 + 64 * 5 * (4 + 8));
    QCOMPARE(bytesWith("aten::sort", {tensorOf({64, 1000})}, {"-1", "False"}), 64000 * (4 + 4 + 8));
    QCOMPARE(
        bytesWith("aten::_fft_r2c", {tensorOf({64, 1000})}, {"[1]", "0", "True"}), 64 * (4 * 1000 + 8 * 501));
    QCOMPARE(bytesWith("aten::_fft_c2r", {tensorOf({64, 501}, ElementType::Complex64)}, {"[1]", "2", "1000"}),
        64 * (4 * 1000 + 8 * 501));
    OperatorCall loss
        = callOf("aten::nll_loss_forward", {tensorOf({512, 1000}), tensorOf({512}, ElementType::Int64)});
    addValues(loss, {"", "1", "-100"});
    QCOMPARE(workOf(loss).bytes.value_or(-1), 512 * (4 + 8) + 4);
    OperatorCall lstm = callOf("aten::_cudnn_rnn", {tensorOf({20, 8, 64})});
    lstm.arguments.push_back({{tensorOf({512, 64}), tensorOf({512, 128}), tensorOf({512})}, true, {}});
    QCOMPARE(workOf(lstm).flops.value_or(-1), 2 * 20 * 8 * 512 * (64 + 128));
    OperatorCall marlin = callOf("_C::gptq_marlin_gemm",
        {tensorOf({32, 4096}, ElementType::Bf16), tensorOf({256, 2048}, ElementType::Int32)});
    addValues(marlin, {"7", "32", "1024", "4096", "True"});
    QCOMPARE(workOf(marlin).flops.value_or(-1), std::int64_t{2} * 32 * 1024 * 4096);
}

void OperatorsTest::readsLengthsOfSequences()
{
    const auto lengths
        = attentionLengthsIn("execute_10_context_2(sq8sk20sqsq34sqsk94)_generation_2(sq2sk300sqsq2sqsk300)");
    QVERIFY(lengths);
    QCOMPARE(lengths->queries, 10.0);
    QCOMPARE(lengths->keys, 320.0);
    QCOMPARE(lengths->pairs, 94 - 17 + 300.0);
    QVERIFY(!attentionLengthsIn("step[DECODE bs=32]"));
    QVERIFY(!attentionLengthsIn("execute_context_1(8)_generation_0(0)"));
    QVERIFY(!attentionLengthsIn("execute_context_1(sq8sk"));
    OperatorCall call = callOf("vllm::unified_attention_with_output",
        {tensorOf({10, 16, 64}, ElementType::Bf16), tensorOf({10, 2, 64}, ElementType::Bf16),
            tensorOf({10, 2, 64}, ElementType::Bf16)});
    QVERIFY(!workOf(call).flops && !workOf(call).bytes);
    call.lengths = lengths;
    QCOMPARE(workOf(call).flops.value_or(-1), std::int64_t{2} * 16 * 128 * 377);
    QCOMPARE(workOf(call).bytes.value_or(-1), std::int64_t{2} * 128 * (2 * 320 + 16 * 10));
}

void OperatorsTest::typesOfListsFollowFromKernels()
{
    const auto trace
        = traceOf(R"([{"ph": "X", "cat": "cpu_op", "name": "aten::_foreach_mul_", "pid": 1, "tid": 1,
        "ts": 0, "dur": 50, "args": {"External id": 1, "Input Dims": [[[100, 10], [10]], []],
        "Input type": ["TensorList", "Scalar"]}},)"
            + launchAndKernel("void at::native::multi_tensor_apply_kernel<A, "
                              "B<c10::BFloat16, 1, 1, 0>, std::multiplies<float>, float>"));
    const OperatorWorks works = findOperatorWorks(*trace);
    QCOMPARE(works.runs.size(), std::size_t{1});
    const OperatorShape& shape = works.shapeOf(works.runs[0]);
    QCOMPARE(shape.work.bytes.value_or(-1), std::int64_t{2 * 2 * 1010});
    QVERIFY(shape.typesFromKernels);
}

/// Its products are other operators' work: only a product of its own counts for it.
void OperatorsTest::restOfACompositeHasNoWork()
{
    const std::string linear = R"([{"ph": "X", "cat": "cpu_op", "name": "aten::linear", "pid": 1, "tid": 1,
        "ts": 0, "dur": 50, "args": {"External id": 1, "Input Dims": [[4, 8], [16, 8], [16]],
        "Input type": ["float", "float", "float"]}},)";
    for (const auto& [kernel, counts] :
        {std::pair("void at::native::vectorized_elementwise_kernel<4, F, std::array<char*, 1ul> >", false),
            std::pair("ampere_sgemm_32x32_sliced1x4_tn", true)}) {
        const auto trace = traceOf(linear + launchAndKernel(kernel));
        const OperatorWorks works = findOperatorWorks(*trace);
        QCOMPARE(works.runs.size(), std::size_t{1});
        QCOMPARE(works.shapeOf(works.runs[0]).operatorName, "aten::linear");
        QCOMPARE(works.shapeOf(works.runs[0]).work.flops.has_value(), counts);
    }
}

/// The operator that owns a kernel, of operators that nest and cross, by a look at all that are open.
void OperatorsTest::ownersEqualALookAtAllAround()
{
    Dice dice;
    constexpr std::array<const char*, 9> names{"aten::linear", "aten::addmm", "aten::mv", "aten::mm",
        "aten::conv2d", "aten::cudnn_convolution", "aten::bmm", "aten::addmm_", "own::op"};
    struct Drawn {
        std::string name;
        std::int64_t start;
        std::int64_t end;
    };
    constexpr Ns first = 9; // us: the first call, with which the session begins
    std::size_t outer = 0;
    for (int round = 0; round < 40; ++round) {
        std::vector<Drawn> drawn;
        std::string events = "[";
        for (std::int64_t i = 0; i < 40; ++i) {
            const std::int64_t start = 10 * dice.upTo(100); // distinct ends and starts: the order is clear
            const Drawn each{names[static_cast<std::size_t>(dice.upTo(9) - 1)], start + i % 5,
                start + 5 + 10 * dice.upTo(60, 0) + i % 5};
            if (std::ranges::any_of(drawn, [&](const Drawn& other) { return other.start == each.start; }))
                continue;
            drawn.push_back(each);
            events += fmt::format(R"({{"ph": "X", "cat": "cpu_op", "name": "{}", "pid": 1, "tid": 1,
                "ts": {}, "dur": {}, "args": {{"External id": {}}}}},)",
                each.name, each.start, each.end - each.start, i + 1);
        }
        std::ranges::sort(drawn, {}, &Drawn::start);
        for (std::int64_t i = 0; i < 60; ++i)
            events += fmt::format(R"({{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1,
                "tid": 1, "ts": {0}, "dur": 0.5, "args": {{"correlation": {1}}}}},
                {{"ph": "X", "cat": "kernel", "name": "k{1}", "pid": 0, "tid": 7, "ts": {2}, "dur": 1,
                "args": {{"device": 0, "stream": 7, "correlation": {1}}}}},)",
                20 * i + first, i + 1, 5000 + 2 * i);
        events.back() = ']';
        const auto trace = traceOf(events);
        QVERIFY(trace);
        const OperatorWorks works = findOperatorWorks(*trace);
        for (EventIndex kernel = 0; kernel < trace->kernels().size(); ++kernel) {
            const EventRef call = trace->apiCallOf({EventKind::Kernel, kernel});
            const Ns at = first + (trace->range(call).start - trace->session.start) / 1000;
            std::vector<const Drawn*> around;
            for (const Drawn& each : drawn) {
                if (each.start <= at && at <= each.end)
                    around.push_back(&each);
            }
            const OperatorRun* const run = works.runOf({EventKind::Kernel, kernel});
            QVERIFY(run);
            if (around.empty()) {
                QCOMPARE(run->event.kind, EventKind::Kernel);
                continue;
            }
            const auto modelOf = [](const Drawn* each) { return ownWorkModels().modelOf(each->name); };
            const auto known = std::ranges::find_if(
                around.rbegin(), around.rend(), [&](const Drawn* each) { return modelOf(each) != nullptr; });
            const Drawn* owner = known == around.rend() ? around.back() : *known;
            const WorkModel* const model = modelOf(owner);
            const Drawn* const inner = owner;
            for (const Drawn* const each : around) {
                const WorkModel* const other = modelOf(each);
                if (each == inner || model == nullptr || !model->multiplies)
                    break;
                const bool isBatched = model->kernelClass == "gemm" && model->operators.starts_with("aten::")
                    && other && other->operators.starts_with("aten::") && !inner->name.ends_with('_');
                if (other && !other->isComposite && other->kernelClass == model->kernelClass
                    && (other->multiplies || other->kernelClass == "convolution") && !isBatched) {
                    owner = each;
                    ++outer;
                    break;
                }
            }
            QCOMPARE(run->event.kind, EventKind::Nvtx);
            QCOMPARE(first + (trace->range(run->event).start - trace->session.start) / 1000, owner->start);
        }
    }
    QVERIFY(outer > 0);
}

/// The GPU's limits do not apply to the link to the host; call numbers are not part of an operator's name.
void OperatorsTest::copiesOfTheHostHaveNoRoofline()
{
    for (const bool fromHost : {true, false}) {
        const std::string kind
            = fromHost ? "Memcpy HtoD (Pageable -> Device)" : "Memcpy DtoD (Device -> Device)";
        const auto trace = traceOf(R"([{"ph": "X", "cat": "cpu_op", "name": "aten::copy_", "pid": 1, "tid": 1,
            "ts": 0, "dur": 50, "args": {"External id": 1, "Input Dims": [[64, 64], [64, 64], []],
            "Input type": ["float", "float", "Scalar"]}},
            {"ph": "X", "cat": "cuda_runtime", "name": "cudaMemcpyAsync", "pid": 1, "tid": 1, "ts": 20, "dur": 5,
            "args": {"correlation": 1}},
            {"ph": "X", "cat": "gpu_memcpy", "name": ")"
            + kind + R"(", "pid": 0, "tid": 7, "ts": 30, "dur": 10,
            "args": {"device": 0, "stream": 7, "correlation": 1, "bytes": 16384}}])");
        const OperatorWorks works = findOperatorWorks(*trace);
        QCOMPARE(works.runs.size(), std::size_t{1});
        const OperatorShape& shape = works.shapeOf(works.runs[0]);
        QCOMPARE(shape.work.bytes.value_or(-1), std::int64_t{2 * 4 * 64 * 64});
        QCOMPARE(shape.overHost, fromHost);
        QCOMPARE(amountOf(shape).bytes < 0, fromHost);
    }
}

/// torch.func runs the product of each row as one product of all rows.
void OperatorsTest::productsOfMoreRowsCount()
{
    const auto with = [](const std::string& inner, const std::string& dims) {
        return R"([{"ph": "X", "cat": "cpu_op", "name": "aten::mv", "pid": 1, "tid": 1, "ts": 0, "dur": 50,
            "args": {"External id": 1, "Input Dims": [[64, 32], [32]], "Input type": ["float", "float"]}},
            {"ph": "X", "cat": "cpu_op", "name": ")"
            + inner + R"(", "pid": 1, "tid": 1, "ts": 5, "dur": 40,
            "args": {"External id": 2, "Input Dims": )"
            + dims + R"(, "Input type": ["float", "float", "float"]}},)"
            + launchAndKernel("ampere_sgemm_32x32_sliced1x4_tn");
    };
    const auto batched = traceOf(with("aten::mm", "[[64, 32], [32, 16]]"));
    const OperatorWorks works = findOperatorWorks(*batched);
    QCOMPARE(works.shapeOf(works.runs[0]).operatorName, "aten::mm");
    QCOMPARE(works.shapeOf(works.runs[0]).work.flops.value_or(-1), std::int64_t{2 * 64 * 32 * 16});
    const auto part = traceOf(with("aten::addmv_", "[[64], [64, 32], [32]]"));
    const OperatorWorks parts = findOperatorWorks(*part);
    QCOMPARE(parts.shapeOf(parts.runs[0]).operatorName, "aten::mv");
}

void OperatorsTest::readsArguments()
{
    const OperatorCall call = callOfPayload("aten::cat",
        R"({"Input Dims":[[[4,1,768],[4,196,768]],[]],"Input type":["TensorList","Scalar"],"Concrete Inputs":["","1"]})");
    QCOMPARE(call.tensors().size(), std::size_t{2});
    QVERIFY(call.arguments[0].isList);
    QCOMPARE(call.numbers(1), Dims{1});
    QCOMPARE(shapesText(call), std::string("[[[4,1,768],[4,196,768]],[]]"));

    const OperatorCall expanded = callOfPayload("aten::add",
        R"({"Input Dims":[[8,16],[8,16],[]],"Input type":["c10::Half","c10::Half","Scalar"],"Input Strides":[[16,1],[0,1],[]],"Concrete Inputs":["","","1"]})");
    QCOMPARE(workOf(expanded).bytes.value_or(-1), 2 * (8 * 16 + 16 + 8 * 16));
    QCOMPARE(workOf(expanded).flops.value_or(-1), 8 * 16);

    const OperatorCall range = callOfRange(
        "aten::baddbmm, seq = 0, op_id = 7, sizes = [[2, 3, 4], [2, 3, 5], [2, 5, 4], [], []], input_op_ids = [(4,0), (0,-1), (0,-1), (0,-1), (0,-1)]");
    QCOMPARE(range.name, std::string("aten::baddbmm"));
    QCOMPARE(workOf(range).flops.value_or(-1), 2 * 2 * 3 * 4 * 5);
    QVERIFY(!workOf(range).bytes); // types are not recorded
    // Where a list ends is not in a range's name, so the work of lists is not known.
    const Work listed = workOf(callOfRange("aten::_foreach_mul_, op_id = 9, sizes = [[4], [8], []]"));
    QVERIFY(!listed.flops && !listed.bytes);
    const Work lists = workOf(callOfPayload(
        "aten::_foreach_mul_", R"({"Input Dims":[[[4],[8]],[]],"Input type":["TensorList","Scalar"]})"));
    QCOMPARE(lists.flops.value_or(-1), 12);
    // Some profilers write a number a line.
    const OperatorCall lines = callOfPayload(
        "aten::cat", "{\"Input Dims\": [\n[\n[\n4,\n1,\n768\n],\n[\n4,\n196,\n768\n]\n],\n[]\n]}");
    QCOMPARE(lines.tensors().size(), std::size_t{2});
    QCOMPARE(lines.tensors()[1]->dims, (Dims{4, 196, 768}));
    // Of a table the rows that indices look up, where the kernel has a result of as many.
    const Work compiled = workOf(callOf("triton_poi_fused_embedding_0",
        {tensorOf({32}, ElementType::Int64), tensorOf({50'000, 64}, ElementType::Bf16),
            tensorOf({32, 64}, ElementType::Bf16)}));
    QCOMPARE(compiled.bytes.value_or(-1), std::int64_t{32 * 8 + 2 * 32 * 64 * 2});
    QCOMPARE(operatorNumberOf("aten::mm, seq = 3, op_id = 71"), 71);
    QCOMPARE(inputNumbersOf("x, input_op_ids = [(12,0), (0,-1)]").size(), std::size_t{2});

    for (const auto& [name, bytes] :
        std::initializer_list<std::pair<const char*, std::int64_t>>{{"c10::BFloat16", 2}, {"BFloat16", 2},
            {"c10::Half", 2}, {"float", 4}, {"Float", 4}, {"double", 8}, {"long int", 8},
            {"c10::Float8_e4m3fn", 1}, {"Float8_e5m2fnuz", 1}, {"c10::complex<float>", 8}, {"bool", 1},
            {"unsigned char", 1}, {"c10::Float4_e2m1fn_x2", 1}, {"ScalarList", 0}, {"", 0}, {"Scalar", 0}})
        QCOMPARE(bytesOf(elementTypeOf(std::string_view(name))), bytes);

    // FP4 has two numbers in a byte, which a dimension counts.
    OperatorCall fp4 = callOf(
        "aten::_scaled_mm", {tensorOf({16, 32}, ElementType::Fp4x2), tensorOf({32, 8}, ElementType::Fp4x2)});
    QCOMPARE(workOf(fp4).flops.value_or(-1), 2 * 16 * 64 * 8);
}

void OperatorsTest::brokenArgumentsSayNothing()
{
    for (const char* const payload :
        {"", "{", R"({"Input Dims":[[)", R"({"Input Dims":"x"})", R"({"Input Dims":[[1,2],[3]]})",
            R"({"Input Dims":[[-5,7],[7,-3]],"Input type":["float","float"]})",
            R"({"Input Dims":[],"Input type":[]})", R"({"Input Dims":[[],[],[]],"Input type":["","",""]})",
            R"({"Input Dims":[[9223372036854775807,9223372036854775807],[9223372036854775807,9223372036854775807]],"Input type":["float","float"]})",
            R"({"Input Dims":[[99999999999999999999999,2],[2,2]]})"}) {
        for (const WorkModelFamily* const family : allWorkModels()) {
            for (const WorkModel& model : family->models) {
                const auto work = model.work(callOfPayload("aten::x", payload));
                QVERIFY(!work || !work->flops || *work->flops >= 0);
                QVERIFY(!work || !work->bytes || *work->bytes >= 0);
            }
        }
    }
    QVERIFY(workModelOf("") == nullptr);
    QVERIFY(workModelOf("my::operator") == nullptr);
    QVERIFY(callOfRange("aten::mm, op_id = , sizes = [[, input_op_ids = [(").arguments.size() <= 1);
}

/// A convolution's work belongs to aten::convolution and not to what it calls; that of aten::linear to the
/// product in it; a copy in a product is a copy.
void OperatorsTest::workBelongsToTheOperatorThatIsCounted()
{
    const auto loaded = loadText(R"json({"schemaVersion":1,"traceEvents":[
{"ph":"X","cat":"cpu_op","name":"aten::conv2d","pid":1,"tid":1,"ts":0,"dur":100,"args":{"Input Dims":[[1,2,4,4],[3,2,1,1],[],[],[],[],[]],"Input type":["float","float","","ScalarList","ScalarList","ScalarList","Scalar"],"Concrete Inputs":["","","","[1, 1]","[0, 0]","[1, 1]","1"]}},
{"ph":"X","cat":"cpu_op","name":"aten::convolution","pid":1,"tid":1,"ts":5,"dur":90,"args":{"Input Dims":[[1,2,4,4],[3,2,1,1],[],[],[],[],[],[],[]],"Input type":["float","float","","ScalarList","ScalarList","ScalarList","Scalar","ScalarList","Scalar"],"Concrete Inputs":["","","","[1, 1]","[0, 0]","[1, 1]","False","[0, 0]","1"]}},
{"ph":"X","cat":"cpu_op","name":"aten::cudnn_convolution","pid":1,"tid":1,"ts":10,"dur":80,"args":{"Input Dims":[[1,2,4,4],[3,2,1,1]],"Input type":["float","float"]}},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":20,"dur":5,"args":{"correlation":1}},
{"ph":"X","cat":"kernel","name":"conv","pid":0,"tid":7,"ts":30,"dur":10,"args":{"device":0,"stream":7,"correlation":1}},
{"ph":"X","cat":"cpu_op","name":"aten::linear","pid":1,"tid":1,"ts":200,"dur":100,"args":{"Input Dims":[[2,4],[8,4],[8]],"Input type":["float","float","float"]}},
{"ph":"X","cat":"cpu_op","name":"aten::addmm","pid":1,"tid":1,"ts":210,"dur":80,"args":{"Input Dims":[[8],[2,4],[4,8],[],[]],"Input type":["float","float","float","Scalar","Scalar"]}},
{"ph":"X","cat":"cpu_op","name":"aten::copy_","pid":1,"tid":1,"ts":215,"dur":10,"args":{"Input Dims":[[2,8],[2,8],[]],"Input type":["float","float","Scalar"]}},
{"ph":"X","cat":"cuda_runtime","name":"cudaMemcpyAsync","pid":1,"tid":1,"ts":218,"dur":3,"args":{"correlation":2}},
{"ph":"X","cat":"gpu_memcpy","name":"Memcpy DtoD (Device -> Device)","pid":0,"tid":7,"ts":230,"dur":4,"args":{
    "device" : 0, "stream" : 7, "correlation" : 2, "bytes" : 64}},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":240,"dur":5,"args":{"correlation":3}},
{"ph":"X","cat":"kernel","name":"sgemm","pid":0,"tid":7,"ts":250,"dur":20,"args":{"device":0,"stream":7,"correlation":3}},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":400,"dur":5,"args":{"correlation":4}},
{"ph":"X","cat":"kernel","name":"lonely","pid":0,"tid":7,"ts":410,"dur":6,"args":{"device":0,"stream":7,"correlation":4}}
]
})json");
    QVERIFY(loaded.ok());
    const OperatorWorks works = findOperatorWorks(*loaded.value());
    std::map<std::string, std::pair<Ns, std::int64_t>> found;
    for (const OperatorRun& run : works.runs)
        found[works.shapeOf(run).operatorName] = {run.gpu, works.shapeOf(run).work.flops.value_or(-1)};
    const std::map<std::string, std::pair<Ns, std::int64_t>> expected{
        {"aten::convolution", {10'000, 2 * 16 * 3 * 2}}, {"aten::addmm", {20'000, 2 * 2 * 4 * 8}},
        {"aten::copy_", {4'000, 0}}, {"lonely", {6'000, -1}}};
    QCOMPARE(found, expected);
    const OperatorRun* const lonely = works.runOf({EventKind::Kernel, 2});
    QVERIFY(lonely != nullptr && works.shapeOf(*lonely).isKernel);
}

/// Python's frames hide no module, and a path of any depth stays short.
void OperatorsTest::modulesInDeepStacks()
{
    for (const bool nested : {false, true}) {
        QByteArray events
            = R"({"ph":"X","cat":"python_function","name":"nn.Module: Model_0","pid":1,"tid":1,"ts":1,"dur":90000})";
        for (int depth = 0; depth < 900; ++depth)
            events += QString(
                R"(,{"ph":"X","cat":"python_function","name":"%1","pid":1,"tid":1,"ts":%2,"dur":%3})")
                          .arg(nested ? "nn.Module: Sequential_1" : "user.py(1): f")
                          .arg(2 + depth * 0.01)
                          .arg(89000 - depth * 0.02)
                          .toUtf8();
        const auto loaded = loadText(
            R"({"schemaVersion":1,"deviceProperties":[{"id":0,"name":"X","numSms":10}],"traceEvents":[)"
            + events + R"(,{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":1000,"dur":500,
"args":{"External id":1,"Input Dims":[[64,64],[64,64]],"Input type":["float","float"]}},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":1100,"dur":5,"args":{"correlation":1,"External id":1}},
{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":1200,"dur":9000,"args":{"correlation":1,"device":0,"stream":7,"External id":1}}]})");
        QVERIFY(loaded.ok());
        OperatorQuery query;
        query.by = OperatorGrouping::Module;
        const Trace& trace = *loaded.value();
        const OperatorWorks works = findOperatorWorks(trace);
        const auto rows = operatorRows(trace, works, query);
        QCOMPARE(rows.size(), std::size_t{1});
        const std::string& module = rows.front().module;
        QCOMPARE(moduleOf(trace, {EventKind::Kernel, 0}), module);
        QCOMPARE(moduleOf(trace, works.runs.front().event), module);
        QCOMPARE(moduleOf(trace, {EventKind::ApiCall, 0}), std::string());
        QCOMPARE(module.starts_with("Model"), !nested);
        QVERIFY(nested ? module.size() > 1000 && module.size() < 4200 : module == "Model");
    }
}

/// The module of a backward pass is that of its forward operator. What launched no kernel asks for no
/// analysis, so that nothing stops.
void OperatorsTest::modulesOfBackwardPasses()
{
    const auto loaded = loadText(R"json({"schemaVersion":1,"traceEvents":[
{"ph":"X","cat":"python_function","name":"nn.Module: Model_0","pid":1,"tid":1,"ts":1,"dur":50},
{"ph":"X","cat":"cpu_op","name":"aten::linear","pid":1,"tid":1,"ts":10,"dur":20},
{"ph":"X","cat":"cpu_op","name":"aten::addmm","pid":1,"tid":1,"ts":12,"dur":10,"args":{"Input Dims":[[8],[2,4],[4,8],[],[]],"Input type":["float","float","float","Scalar","Scalar"]}},
{"ph":"s","id":7,"pid":1,"tid":1,"ts":12,"cat":"fwdbwd","name":"fwdbwd"},
{"ph":"X","cat":"cpu_op","name":"AddmmBackward0","pid":1,"tid":2,"ts":100,"dur":60},
{"ph":"f","bp":"e","id":7,"pid":1,"tid":2,"ts":100,"cat":"fwdbwd","name":"fwdbwd"},
{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":2,"ts":102,"dur":50,"args":{"Input Dims":[[64,64],[64,64]],"Input type":["float","float"]}},
{"ph":"X","cat":"cuda_runtime","name":"cudaMemcpyAsync","pid":1,"tid":2,"ts":104,"dur":3,"args":{"correlation":1}},
{"ph":"X","cat":"gpu_memcpy","name":"Memcpy DtoD (Device -> Device)","pid":0,"tid":7,"ts":105,"dur":4,"args":{"device":0,"stream":7,"correlation":1,"bytes":64}},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":2,"ts":110,"dur":5,"args":{"correlation":2}},
{"ph":"X","cat":"kernel","name":"sgemm","pid":0,"tid":7,"ts":120,"dur":20,"args":{"device":0,"stream":7,"correlation":2}}
]})json");
    QVERIFY(loaded.ok());
    const Trace& trace = *loaded.value();
    std::stop_source stopped;
    stopped.request_stop();
    QCOMPARE(moduleOf(trace, {EventKind::Memcpy, 0}, stopped.get_token()), std::string());
    OperatorQuery query;
    query.by = OperatorGrouping::Module;
    const auto rows = operatorRows(trace, findOperatorWorks(trace), query);
    QCOMPARE(rows.size(), std::size_t{1});
    QCOMPARE(rows.front().module, std::string("Model"));
    QCOMPARE(moduleOf(trace, {EventKind::Kernel, 0}), std::string("Model"));
    std::map<std::string_view, std::string> modules;
    for (EventIndex i = 0; i < trace.nvtx().size(); ++i)
        modules[trace.name({EventKind::Nvtx, i})] = moduleOf(trace, {EventKind::Nvtx, i});
    for (const char* const name : {"aten::linear", "aten::addmm", "aten::mm"})
        QCOMPARE(modules[name], std::string("Model"));
    QCOMPARE(modules["nn.Module: Model_0"], std::string());
}

/// No time and no work is lost with any rows; a range contains its work.
void OperatorsTest::rowsAddUp()
{
    const auto loaded = loadReport((ownOperators + "mix.json.gz").toStdString());
    QVERIFY(loaded.ok());
    const Trace& trace = *loaded.value();
    const OperatorWorks works = findOperatorWorks(trace);
    Ns kernels = 0;
    for (std::size_t i = 0; i < trace.kernels().size(); ++i)
        kernels += trace.kernels().duration[i];
    std::set<std::pair<Ns, std::int64_t>> sums;
    for (const OperatorGrouping by : {OperatorGrouping::Shape, OperatorGrouping::Operator,
             OperatorGrouping::Module, OperatorGrouping::Class}) {
        OperatorQuery query;
        query.by = by;
        Ns gpu = 0;
        std::int64_t flops = 0;
        for (const OperatorRow& row : operatorRows(trace, works, query)) {
            gpu += row.gpu;
            flops += row.flops.value_or(0);
            QCOMPARE(static_cast<std::int64_t>(row.runs.size()), row.calls);
        }
        sums.emplace(gpu, flops);
    }
    QCOMPARE(sums.size(), std::size_t{1});
    QVERIFY(sums.begin()->first >= kernels); // copies and memsets as well
    const Cells table = findStatsTable("torch_ops")->fill(trace, {});
    std::int64_t ofTable = 0;
    for (std::size_t row = 0; row < table.rowCount(); ++row) {
        const Cell flops = table.at(row, 9);
        ofTable += std::holds_alternative<std::int64_t>(flops) ? std::get<std::int64_t>(flops) : 0;
    }
    QCOMPARE(ofTable, sums.begin()->second);
    OperatorQuery query;
    const TimeRange first = trace.kernels().range(0);
    query.window = {first.start, first.start + 1};
    QCOMPARE(operatorRows(trace, works, query).size(), std::size_t{1});
}

/// Sizes of collectives and their bus bytes, by operator and by the table of collectives.
void OperatorsTest::collectivesEqualTheirTable()
{
    const std::string path = WARPLINE_SHARED_REPORTS "/kineto/ddp_overlap_rank0.json.gz";
    if (!QFile::exists(QString::fromStdString(path)))
        QSKIP("../shared/reports is not here");
    const auto loaded = loadReport(path);
    QVERIFY(loaded.ok());
    const Trace& trace = *loaded.value();
    const Cells table = findStatsTable("nccl_sum")->fill(trace, {});
    std::int64_t expected = 0; // all are all-reduces of two ranks: the bus carries as many bytes
    Ns time = 0;
    for (std::size_t row = 0; row < table.rowCount(); ++row) {
        expected += std::get<std::int64_t>(table.at(row, 2)) * std::get<std::int64_t>(table.at(row, 5));
        time += std::get<std::int64_t>(table.at(row, 6));
    }
    QVERIFY(expected > 0);
    std::int64_t bytes = 0;
    double bus = 0;
    Ns taken = 0;
    for (const OperatorRow& row : operatorRows(trace, *operatorWorksOf(trace), {})) {
        bytes += row.collectiveBytes.value_or(0);
        bus += row.busBytes.value_or(0);
        taken += row.collectiveNs;
        if (row.collectiveBytes)
            QVERIFY(std::abs(*row.algorithmBandwidth() * static_cast<double>(row.collectiveNs)
                            / static_cast<double>(*row.collectiveBytes)
                        - 1)
                < 1e-9);
        else
            QVERIFY(!row.algorithmBandwidth() && !row.busBandwidth());
    }
    QCOMPARE(bytes, expected);
    QVERIFY(std::abs(bus / static_cast<double>(expected) - 1) < 1e-9);
    QCOMPARE(taken, time);
}

/// docs/operators.md has the table of models as the program has it.
void OperatorsTest::everyModelIsDocumented()
{
    QFile page(QStringLiteral(WARPLINE_SOURCE_DIR "/docs/operators.md"));
    QVERIFY(page.open(QIODevice::ReadOnly));
    const QString text = QString::fromUtf8(page.readAll());
    for (const WorkModelFamily* const family : allWorkModels()) {
        QVERIFY2(text.contains("### "
                     + QString::fromUtf8(family->title.data(), static_cast<qsizetype>(family->title.size()))),
            family->title.data());
        for (const WorkModel& model : family->models) {
            const auto cell = [](std::string_view words) {
                return QString::fromUtf8(words.data(), static_cast<qsizetype>(words.size()));
            };
            const QString line = "| `" + cell(model.operators).replace(" ", "` `") + "` | "
                + cell(model.flops) + " | " + cell(model.bytes) + " | " + cell(model.source) + " |";
            QVERIFY2(text.contains(line), qPrintable("docs/operators.md lacks the line\n" + line));
        }
    }
}

WARPLINE_TEST(OperatorsTest)

} // namespace tst_operators

#include "tst_operators.moc"
