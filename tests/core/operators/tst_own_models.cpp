// Models in a user's own file: formulas, precedence, and errors with file and line.

#include "core/operators/operator_works.h"
#include "core/operators/own_models.h"
#include "core/render/render.h"
#include "tests/core/kineto/kineto_helpers.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <random>

namespace tst_own_models {

using namespace warpline;
using namespace warpline::test;

class OwnModelsTest : public QObject {
    Q_OBJECT

private slots:
    void formulas_data();
    void formulas();
    void mistakesInFormulas_data();
    void mistakesInFormulas();
    void hugeResultsSaturate();
    void ownProductsEqualBuiltInOnes();
    void ownOnesGoFirst();
    void mistakesHaveTheirLine_data();
    void mistakesHaveTheirLine();
    void kernelsFollowThem();
};

namespace {

/// An operator of two matrices, a missing bias, a list of two tensors and a list of numbers.
OperatorCall exampleCall()
{
    return callOfPayload("my::op",
        R"({"Input Dims":[[6,4],[4,10],[],[[3],[5]],[]],"Input type":["c10::BFloat16","float","","TensorList",)"
        R"("ScalarList"],"Concrete Inputs":["","","","","[7, 9]"]})");
}

} // namespace

void OwnModelsTest::formulas_data()
{
    QTest::addColumn<qint64>("expected"); // -1: not known
    const std::pair<const char*, qint64> all[]{{"2 + 3 * 4", 14}, {"(2 + 3) * 4", 20}, {"20 - 5 - 3", 12},
        {"48 / 4 / 2", 6}, {"7 / 2 * 2", 7}, {"-(1 - 3)", 2}, {"--4", 4}, {"2*-3 + 10", 4}, {"1e3", 1000},
        {"0.5 * 5", 3}, {"min(3, 2 + 2)", 3}, {"max(min(9, 4), 2)", 4}, {"1 - 3", -1}, {"1 / 0", -1},
        {"0 / 0", -1}, {"dim(0, 0)", 6}, {"dim(0,-1)", 4}, {"dim(1, -2) * dim(1, 1)", 40}, {"dim(0, 2)", -1},
        {"dim(0, -3)", -1}, {"dim(4, 0)", -1}, {"dim(9, 0)", -1}, {"elements(1)", 40}, {"elements(3)", 8},
        {"elements(0) / dim(0, -1)", 6}, {"bytes(0)", 48}, {"bytes(1)", 160}, {"bytes(0) + bytes(2)", 48},
        {"bytes(9)", -1}, {"size(0)", 2}, {"size(1)", 4}, {"number(4, 0)", 7}, {"number(4, -1)", 9},
        {"number(4, 2)", -1}, {"number(0, 0)", -1}, {"elements(all)", 24 + 40 + 8},
        {"2 * dim(0,0) * dim(0,1) * dim(1,1)", 480}};
    for (const auto& [formula, expected] : all)
        QTest::newRow(formula) << expected;
}

void OwnModelsTest::formulas()
{
    QFETCH(qint64, expected);
    const auto formula = WorkFormula::read(QTest::currentDataTag());
    QVERIFY2(formula.ok(), formula.ok() ? "" : plain(formula.error().message).c_str());
    QCOMPARE(qint64{formula.value().of(exampleCall()).value_or(-1)}, expected);
}

void OwnModelsTest::mistakesInFormulas_data()
{
    QTest::addColumn<int>("letter"); // where the mistake is
    const std::pair<const char*, int> all[]{{"2 +", 4}, {"(2", 3}, {"2)", 2}, {"2 3", 3}, {"dims(0, 1)", 1},
        {"dim 0", 5}, {"dim(0)", 6}, {"dim(-1, 0)", 5}, {"dim(x, 0)", 5}, {"dim(0.5, 0)", 6}, {"bytes()", 7},
        {"min(1)", 6}, {"dim(all, 0)", 5}, {"2 $ 3", 3}, {"1e99999", 1}, {"nan", 1}};
    for (const auto& [formula, letter] : all)
        QTest::newRow(formula) << letter;
    QTest::newRow("") << 1;
}

void OwnModelsTest::mistakesInFormulas()
{
    QFETCH(int, letter);
    const auto formula = WorkFormula::read(QTest::currentDataTag());
    QVERIFY(!formula.ok());
    const std::string place = "at letter " + std::to_string(letter) + " of";
    QVERIFY2(plain(formula.error().message).find(place) != std::string::npos,
        plain(formula.error().message).c_str());
}

void OwnModelsTest::hugeResultsSaturate()
{
    const auto value = [](const std::string& formula) {
        const auto read = WorkFormula::read(formula);
        return read.ok() ? read.value().of({}) : std::nullopt;
    };
    QCOMPARE(value("9000000000000000001"), std::optional<std::int64_t>(9'000'000'000'000'000'001));
    QCOMPARE(value("1e300 * 1e30"), std::optional(std::numeric_limits<std::int64_t>::max()));
    QVERIFY(!WorkFormula::read(std::string(100'000, '(')).ok());
    QVERIFY(!WorkFormula::read(std::string(100'000, '-')).ok());
}

/// The formulas of a matrix product agree with the built-in model, for random shapes.
void OwnModelsTest::ownProductsEqualBuiltInOnes()
{
    const auto models = OwnWorkModels::read("operator my::mm\n"
                                            "class gemm\n"
                                            "flops 2 * dim(0, 0) * dim(0, 1) * dim(1, 1)\n"
                                            "bytes bytes(0) + bytes(1) + dim(0, 0) * dim(1, 1) * size(0)\n",
        "mine.txt");
    QVERIFY(models.ok());
    const WorkModel* const mine = models.value().modelOf("my::mm");
    const WorkModel* const builtIn = models.value().modelOf("aten::mm");
    QVERIFY(mine != nullptr && builtIn == workModelOf("aten::mm") && mine->multiplies);
    QCOMPARE(mine->kernelClass, std::string_view("gemm"));
    std::mt19937 random(42);
    std::uniform_int_distribution<int> sizes(1, 20'000);
    for (int i = 0; i < 1'000; ++i) {
        const std::string m = std::to_string(sizes(random));
        const std::string k = std::to_string(sizes(random));
        const std::string n = std::to_string(sizes(random));
        const OperatorCall call = callOfPayload("my::mm",
            "{\"Input Dims\":[[" + m + "," + k + "],[" + k + "," + n
                + R"(]],"Input type":["c10::Half","c10::Half"]})");
        const auto own = models.value().workOf(*mine, call);
        const auto known = models.value().workOf(*builtIn, call);
        QVERIFY(own && known && known->flops && known->bytes);
        QCOMPARE(own->flops, known->flops);
        QCOMPARE(own->bytes, known->bytes);
    }
}

void OwnModelsTest::ownOnesGoFirst()
{
    const auto models = OwnWorkModels::read("# mine\n\noperator aten::mm my::*\nflops 5\nskipped 2\n"
                                            "operator my::special\n  bytes 3\r\n",
        "mine.txt");
    QVERIFY(models.ok());
    const WorkModel* const product = models.value().modelOf("aten::mm");
    QVERIFY(product != nullptr && product != workModelOf("aten::mm"));
    const auto work = models.value().workOf(*product, exampleCall());
    QVERIFY(work && work->flops == 5 && work->skipped == 2 && !work->bytes);
    QCOMPARE(models.value().modelOf("my::special"), product); // the first that fits
    QVERIFY(models.value().modelOf("aten::mm2") == nullptr);
    QVERIFY(models.value().modelOf("aten::bmm") == workModelOf("aten::bmm"));
}

void OwnModelsTest::mistakesHaveTheirLine_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("line");
    QTest::newRow("word") << QByteArray("operator a\nflop 1\n") << 2;
    QTest::newRow("no operator") << QByteArray("# x\n\nflops 1\n") << 3;
    QTest::newRow("no name") << QByteArray("operator\nflops 1\n") << 1;
    QTest::newRow("class") << QByteArray("operator a\nclass gem\nflops 1\n") << 2;
    QTest::newRow("formula") << QByteArray("operator a\nflops 1\nbytes 1 +\n") << 3;
    QTest::newRow("twice") << QByteArray("operator a\nflops 1\nflops 1\n") << 3;
    QTest::newRow("same name") << QByteArray("operator a b\nflops 1\noperator c b\nflops 1\n") << 3;
    QTest::newRow("no formula") << QByteArray("operator a\nflops 1\noperator b\nclass gemm\n") << 3;
}

void OwnModelsTest::mistakesHaveTheirLine()
{
    QFETCH(QByteArray, text);
    QFETCH(int, line);
    const auto models = OwnWorkModels::read(text.toStdString(), "mine.txt");
    QVERIFY(!models.ok());
    const std::string place = "mine.txt, line " + std::to_string(line) + ": ";
    QVERIFY2(plain(models.error().message).starts_with(place), plain(models.error().message).c_str());
}

/// A kernel belongs to the operator that has an own model, and not to the one in it that has none.
void OwnModelsTest::kernelsFollowThem()
{
    const auto loaded = loadText(R"json({"schemaVersion":1,"traceEvents":[
{"ph":"X","cat":"cpu_op","name":"my::fused","pid":1,"tid":1,"ts":0,"dur":100,"args":{"Input Dims":[[8,4]],"Input type":["float"]}},
{"ph":"X","cat":"cpu_op","name":"my::inner","pid":1,"tid":1,"ts":5,"dur":90,"args":{"Input Dims":[[8,4]],"Input type":["float"]}},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":20,"dur":5,"args":{"correlation":1}},
{"ph":"X","cat":"kernel","name":"fused","pid":0,"tid":7,"ts":30,"dur":10,"args":{"device":0,"stream":7,"correlation":1}}
]
})json");
    QVERIFY(loaded.ok());
    const auto models
        = OwnWorkModels::read("operator my::fused\nclass softmax\nflops 3 * elements(0)\n", "mine.txt");
    QVERIFY(models.ok());
    const OperatorWorks works = findOperatorWorks(*loaded.value(), models.value());
    QCOMPARE(works.runs.size(), std::size_t{1});
    const OperatorShape& shape = works.shapeOf(works.runs.front());
    QCOMPARE(shape.operatorName, std::string("my::fused"));
    QCOMPARE(shape.kernelClass, std::string("softmax"));
    QCOMPARE(shape.work.flops, std::optional<std::int64_t>(96));
    const OperatorWorks without = findOperatorWorks(*loaded.value(), OwnWorkModels());
    QCOMPARE(without.shapeOf(without.runs.front()).operatorName, std::string("my::inner"));
    QVERIFY(!without.shapeOf(without.runs.front()).work.flops);
}

WARPLINE_TEST(OwnModelsTest)

} // namespace tst_own_models

#include "tst_own_models.moc"
