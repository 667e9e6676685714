// Recorded loops before and after one change, against the step times that the programs measured themselves.

#include "core/compare/compare_runs.h"
#include "core/load/load_report.h"
#include "core/render/render.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <map>

namespace tst_compare_pairs {

using namespace warpline;

namespace {

const QString sharedPairs = QStringLiteral(WARPLINE_SHARED_REPORTS "/../pairs/");

/// Step times in ms of one side: without the profiler and while it recorded.
struct StepTimes {
    double plain = 0;
    double recorded = 0;
    double recordedMean = 0; ///< 0: the program did not print it
};

/// By pair: before and after the change. Means where the programs print them.
std::map<QString, Both<StepTimes>> readTruth()
{
    std::map<QString, Both<StepTimes>> pairs;
    QFile file(sharedPairs + "steps.csv");
    if (!file.open(QIODevice::ReadOnly))
        return pairs;
    const QStringList lines = QString::fromUtf8(file.readAll()).split('\n', Qt::SkipEmptyParts);
    const QStringList heads = lines.front().trimmed().split(',');
    for (const QString& line : lines.mid(1)) {
        const QStringList cells = line.trimmed().split(',');
        const auto value = [&](const char* side, const char* figure) {
            return cells.value(heads.indexOf(QString("%1_%2_ms").arg(side, figure))).toDouble();
        };
        const auto times = [&](const char* side) {
            const double mean = value(side, "plain_mean");
            return StepTimes{mean > 0 ? mean : value(side, "plain_median"), value(side, "nsys_median"),
                value(side, "nsys_mean")};
        };
        pairs[cells.front()] = {times("before"), times("after")};
    }
    return pairs;
}

std::shared_ptr<const Trace> loaded(const QString& path)
{
    auto trace = loadReport(path.toStdString(), {});
    return trace.ok() ? trace.take() : nullptr;
}

CompareRequest requested(const QString& a, const QString& b)
{
    CompareRequest request;
    request.a.reports.push_back({loaded(a), a.toStdString()});
    request.b.reports.push_back({loaded(b), b.toStdString()});
    return request;
}

Comparison compared(const QString& a, const QString& b)
{
    return compareRuns(requested(a, b));
}

double ms(Ns time)
{
    return static_cast<double>(time) / 1e6;
}

} // namespace

class ComparePairsTest : public QObject {
    Q_OBJECT

private slots:
    void aPairThatIsAlwaysHere()
    {
        const QString folder = QStringLiteral(WARPLINE_TEST_DATA "/pairs/");
        const Comparison faster = compared(folder + "grid_before.sqlite", folder + "grid_after.sqlite");
        QCOMPARE(keyOf(faster.verdict), keyOf(CompareVerdict::Faster));
        QCOMPARE(faster.sides.a.pattern, std::string("step_#")); // 50 us on the host, 15 ms on the GPU
        QVERIFY(std::abs(ms(faster.sides.a.median) - 15.05) < 0.05);
        QVERIFY(std::abs(ms(faster.sides.b.median) - 0.518) < 0.005);
        QVERIFY(std::abs(faster.change() + 0.966) < 0.005);
        const Comparison slower = compared(folder + "grid_after.sqlite", folder + "grid_before.sqlite");
        QCOMPARE(keyOf(slower.verdict), keyOf(CompareVerdict::Slower));
        QVERIFY(slower.isRegression(2));
    }

    void theFindingThatIsGoneOrNewIsNamed()
    {
        const QString folder = QStringLiteral(WARPLINE_TEST_DATA "/pairs/");
        for (const bool forward : {true, false}) {
            CompareRequest request
                = requested(folder + (forward ? "grid_before.sqlite" : "grid_after.sqlite"),
                    folder + (forward ? "grid_after.sqlite" : "grid_before.sqlite"));
            Comparison comparison = compareRuns(request);
            const auto named = [&] {
                return std::ranges::count(comparison.sentence.next(), "compare.finding", &Message::key);
            };
            QCOMPARE(named(), 0); // not known yet
            compareFindings(request, comparison);
            QCOMPARE(named(), 1);
            const auto told = std::ranges::find(comparison.sentence.next(), "compare.finding", &Message::key);
            const FindingState state = forward ? FindingState::Gone : FindingState::New;
            const auto most = std::ranges::find(comparison.findings, state, &FindingChange::state);
            const Message& title = forward ? most->title.a : most->title.b;
            QVERIFY(std::ranges::any_of(told->values(), [&](const Argument& argument) {
                return argument.name == "finding" && argument.value == Value(title);
            }));
        }
    }

    void directionAndSizeAreThoseOfTheProgram_data()
    {
        QTest::addColumn<QString>("pair");
        for (const auto& [pair, times] : readTruth())
            QTest::newRow(qPrintable(pair)) << pair;
    }

    void directionAndSizeAreThoseOfTheProgram()
    {
        const auto truth = readTruth();
        if (truth.empty())
            QSKIP("../shared/pairs is not there");
        QFETCH(const QString, pair);
        const Both<StepTimes>& times = truth.at(pair);
        const QString before = sharedPairs + pair + "_before.sqlite";
        const QString after = sharedPairs + pair + "_after.sqlite";
        for (const bool forward : {true, false}) {
            const Comparison comparison = forward ? compared(before, after) : compared(after, before);
            const StepTimes& a = forward ? times.a : times.b;
            const StepTimes& b = forward ? times.b : times.a;
            QVERIFY2(comparison.comparable, plain(comparison.sentence).c_str());
            QCOMPARE(keyOf(comparison.unit), keyOf(CompareUnit::Step));
            QCOMPARE(comparison.sides.a.pattern, std::string("step_#"));
            QCOMPARE(keyOf(comparison.verdict),
                keyOf(b.plain < a.plain ? CompareVerdict::Faster : CompareVerdict::Slower));
            QCOMPARE(comparison.isRegression(2), b.plain > a.plain);
            // The program's last 16 steps while it was recorded, against all steady ones of the recording.
            const double apart = ms(comparison.delta) - (b.recorded - a.recorded);
            QVERIFY2(std::abs(apart) <= ms(comparison.noise), plain(comparison.sentence).c_str());
            if (a.recordedMean > 0 && b.recordedMean > 0) {
                const double mean = comparison.meanDelta() / 1e6 - (b.recordedMean - a.recordedMean);
                QVERIFY2(std::abs(mean) <= ms(comparison.meanNoise), plain(comparison.sentence).c_str());
            }
            QVERIFY2(comparison.matched.all.a > 0.75 && comparison.matched.all.b > 0.75,
                plain(comparison.sentence).c_str());
        }
    }

    /// Where recording slows one side more, the estimate without it contains the program's own times.
    void profilerIsToldWhereItCosts()
    {
        const auto truth = readTruth();
        if (truth.empty())
            QSKIP("../shared/pairs is not there");
        QStringList told;
        for (const auto& [pair, times] : truth) {
            const Comparison comparison
                = compared(sharedPairs + pair + "_before.sqlite", sharedPairs + pair + "_after.sqlite");
            QCOMPARE(comparison.has(CompareCaveat::Profiler), comparison.plain.has_value());
            if (!comparison.plain)
                continue;
            told << pair;
            const ExpectedShare& change = comparison.plain->change;
            const double plain = times.b.plain / times.a.plain - 1;
            QVERIFY2(change.low <= plain && plain <= change.high, qPrintable(pair));
            QVERIFY2(std::abs(change.expected - plain) < std::abs(comparison.change() - plain),
                qPrintable(pair)); // nearer than the recorded one
        }
        QCOMPARE(told, (QStringList{"debug_sync", "launch", "um"}));
    }

    void productsInAnotherPrecisionArePartners()
    {
        if (!QFileInfo::exists(sharedPairs))
            QSKIP("../shared/pairs is not there");
        const Comparison tf32
            = compared(sharedPairs + "tf32_before.sqlite", sharedPairs + "tf32_after.sqlite");
        const CompareRow& most = tf32.table("kernels")->rows.front();
        QCOMPARE(keyOf(most.matchedBy), keyOf(MatchedBy::StepOrder));
        QCOMPARE(most.a.countPerStep, 8.0);
        QCOMPARE(most.b.countPerStep, 8.0);
        const Comparison fuse
            = compared(sharedPairs + "fuse_before.sqlite", sharedPairs + "fuse_after.sqlite");
        QCOMPARE(keyOf(fuse.table("kernels")->rows.front().matchedBy), keyOf(MatchedBy::Fused));
        const Comparison launch
            = compared(sharedPairs + "launch_before.sqlite", sharedPairs + "launch_after.sqlite");
        QCOMPARE(keyOf(launch.table("kernels")->rows.front().matchedBy), keyOf(MatchedBy::Graph));
    }

    /// The same model on the GPUs of two vendors: its operators are the same, its kernels are not.
    void operatorsArePartnersAcrossVendors()
    {
        const QString folder = QStringLiteral(WARPLINE_SHARED_REPORTS "/../traces/rocm/");
        if (!QFileInfo::exists(folder))
            QSKIP("../shared/traces is not there");
        for (const char* const model : {"bert_small", "falcon"}) {
            const Comparison comparison = compared(
                folder + model + QString("_mi300.json.gz"), folder + model + QString("_h100.json.gz"));
            QVERIFY2(comparison.comparable, plain(comparison.sentence).c_str());
            QCOMPARE(keyOf(comparison.unit), keyOf(CompareUnit::Step)); // one ProfilerStep# each
            QCOMPARE(keyOf(comparison.verdict), keyOf(CompareVerdict::Unknown));
            QVERIFY(comparison.matched.all.a > 0.95 && comparison.matched.all.b > 0.95);
            const auto byOperator = static_cast<std::size_t>(MatchedBy::Operator);
            QVERIFY(comparison.matched.by[byOperator].a > 0.5);
            for (const CompareRow& row : comparison.table("kernels")->rows) {
                if (row.matchedBy == MatchedBy::Operator)
                    QVERIFY2(row.where.starts_with("aten::"), row.where.c_str());
            }
        }
    }

    /// Two steps by their NVTX ranges: one writes a checkpoint after its last kernel. Times by SQL.
    void aStepThatIsARangeKeepsItsTimeOnTheHost()
    {
        const QString path = sharedPairs + "checkpoint_before.sqlite";
        if (!QFileInfo::exists(path))
            QSKIP("../shared/pairs is not there");
        CompareRequest request = requested(path, path);
        request.a.range = {7'439'017'834, 7'539'802'886}; // step_12
        request.b.range = {6'896'971'033, 7'438'840'871}; // step_11
        const Comparison comparison = compareRuns(request);
        QVERIFY2(comparison.comparable, plain(comparison.sentence).c_str());
        QCOMPARE(comparison.sides.a.median, Ns{100'785'052});
        QCOMPARE(comparison.sides.b.median, Ns{541'869'838});
        Both<Ns> busy;
        Both<Ns> idle;
        for (const BudgetLine& line : comparison.budget) {
            Both<Ns>& sum = line.group == BudgetGroup::Idle ? idle : busy;
            sum.a += line.time.a;
            sum.b += line.time.b;
        }
        QVERIFY((busy == Both<Ns>{99'795'499, 107'177'330}));
        QVERIFY((idle == Both<Ns>{989'553, 434'692'508}));
        QVERIFY((comparison.table("kernels")->perStep == Both<double>{99'795'499, 99'814'123}));
    }

    /// The same program before and after nothing: halves of one recording.
    void halvesDoNotDiffer()
    {
        const auto truth = readTruth();
        if (truth.empty())
            QSKIP("../shared/pairs is not there");
        std::size_t regressions = 0;
        for (const auto& [pair, times] : truth) {
            for (const char* const side : {"_before.sqlite", "_after.sqlite"}) {
                const QString path = sharedPairs + pair + side;
                CompareRequest request;
                request.a.reports.push_back({loaded(path), path.toStdString()});
                request.b.reports = request.a.reports;
                request.a.steps = {2, 12};
                request.b.steps = {12, 22};
                regressions += compareRuns(request).isRegression(2) ? 1 : 0;
                std::swap(request.a.steps, request.b.steps);
                regressions += compareRuns(request).isRegression(2) ? 1 : 0;
            }
        }
        QVERIFY2(regressions <= 1, std::to_string(regressions).c_str());
    }
};

WARPLINE_TEST(ComparePairsTest)

} // namespace tst_compare_pairs

#include "tst_compare_pairs.moc"
