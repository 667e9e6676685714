// Recorded loops with one fault, and the measured step times with and without it: the finding of the fault is
// first or second, and its bound is at least the measured saving.

#include "core/base/share.h"
#include "core/findings/rule.h"
#include "core/load/load_report.h"
#include "core/replay/what_if.h"
#include "core/store/trace.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"

#include <QRegularExpression>
#include <QtTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <vector>

namespace tst_pair_savings {

using namespace warpline;
using namespace warpline::test;

namespace {

/// A pair of recordings, and the rule that names its fault.
struct Pair {
    const char* name;
    const char* rule;
    double most; ///< maximum cost of the fault as share of the measured time: idle time, or the removed work
};

constexpr std::array<Pair, 12> pairs{{
    {"alloc", "allocation_in_loop", 0.66}, // the GPU idles for 66% of the steps
    {"bf16_attention", "no_tensor_cores", 0.97}, // attention takes 97%
    {"checkpoint", "nvtx_outlier_steps", 0.60}, // six of 23 steps wait for a disk
    {"debug_sync", "sync_per_iteration", 0.56}, // the GPU idles for 56%
    {"fuse", "elementwise_chains", 0.98}, // one kernel of 50 is left
    {"grid", "tiny_grid", 0.985}, // 16 of 132 multiprocessors, each with 8 of 64 warps
    {"launch", "launch_bound", 0.94}, // the GPU idles for 94%
    {"memsets", "memory_fills", 0.20}, // the kernels that fill take 19.5%
    {"pinned_in_loop", "staged_uploads", 0.37}, // the GPU waits for 28%, and copies for 8%
    {"registers", "small_blocks", 0.97}, // 1,024 threads for 32
    {"tf32", "no_tensor_cores", 0.94}, // products take 97%, and keep at least 4% of it
    {"um", "unified_memory_faults", 0.63}, // kernels 24%, the host stopped at pages 37%
}};

/// A loop's own measurements, in ms.
struct StepTimes {
    double before = 0;
    double after = 0;

    bool areKnown() const { return before > 0 && after > 0; }
    double saved() const { return 1 - after / before; }
};

/// The times of `pair` in the columns `kind` ("nsys_mean", "plain_median"); not known where the file has
/// none.
StepTimes timesOf(const QString& pair, const QString& kind)
{
    QFile file(QStringLiteral(WARPLINE_SHARED_REPORTS "/../pairs/steps.csv"));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const QStringList lines = QString::fromUtf8(file.readAll()).split('\n', Qt::SkipEmptyParts);
    const QStringList heads = lines.front().trimmed().split(',');
    for (const QString& line : lines) {
        const QStringList cells = line.trimmed().split(',');
        if (cells.front() == pair)
            return {cells.value(heads.indexOf("before_" + kind + "_ms")).toDouble(),
                cells.value(heads.indexOf("after_" + kind + "_ms")).toDouble()};
    }
    return {};
}

/// The fault's finding in the analysis of a pair's first recording.
struct Said {
    std::size_t rank = 0; ///< from 1; 0: it is not named
    double bound = 0; ///< share of the measured time
    double expected = -1; ///< the same; negative: nothing is expected
    std::optional<ExpectedShare> plain; ///< of a step without the profiler
    std::optional<PlainExpectation> steps; ///< the same steps as times
};

std::optional<PlainExpectation> stepsOf(const Trace& trace, const Cure& cure)
{
    const auto targets = whatIfTargets(trace, {trace.session.start, trace.session.end + 1}, {}, limitsOfMany);
    return targets.empty() ? std::nullopt : targets.front().replay.expect(cure, {}, true).plain;
}

std::optional<Said> saidOf(const Pair& pair)
{
    const std::string path = sharedReport(std::string("../pairs/") + pair.name + "_before");
    if (path.empty())
        return {};
    const auto trace = loadReport(path);
    if (!trace.ok())
        return {};
    const auto findings = runRules(*trace.value(), trace.value()->session);
    Said said;
    for (std::size_t i = 0; i < findings.size() && said.rank == 0; ++i) {
        if (findings[i].rule == pair.rule)
            said = {i + 1, shareOf(findings[i].saving, findings[i].measured),
                findings[i].expected ? shareOf(findings[i].expected->expected, findings[i].measured) : -1,
                findings[i].plainShare, stepsOf(*trace.value(), findings[i].cure)};
    }
    return said;
}

/// The recorded times of a pair: of the mean step where the program printed it, else of the median.
StepTimes recordedTimesOf(const QString& pair)
{
    const StepTimes mean = timesOf(pair, "nsys_mean");
    return mean.areKnown() ? mean : timesOf(pair, "nsys_median");
}

/// The relative error of the estimated step time after the cure.
double errorOf(const Said& said, const StepTimes& times)
{
    return times.before * (1 - said.expected) / times.after - 1;
}

QString percent(double share)
{
    return QString::number(std::lround(share * 100)) + "%";
}

/// The text of the rule's card: "up to 58%, expected 57%; saved 58%, without the profiler 63%".
QString measuredOf(const Pair& pair, const Said& said)
{
    const StepTimes mean = timesOf(pair.name, "plain_mean");
    const StepTimes plain = mean.areKnown() ? mean : timesOf(pair.name, "plain_median");
    return QString("up to %1%2; saved %3, without the profiler %4")
        .arg(percent(said.bound), said.expected < 0 ? QString() : ", expected " + percent(said.expected),
            percent(recordedTimesOf(pair.name).saved()), percent(plain.saved()));
}

/// The percentages in `text`, in order.
std::vector<int> figuresIn(const QString& text)
{
    std::vector<int> figures;
    auto match = QRegularExpression(QStringLiteral("(\\d+)%")).globalMatch(text);
    while (match.hasNext())
        figures.push_back(match.next().captured(1).toInt());
    return figures;
}

bool isNear(const std::vector<int>& a, const std::vector<int>& b)
{
    return std::ranges::equal(a, b, [](int x, int y) { return std::abs(x - y) <= 2; });
}

} // namespace

class PairSavingsTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        for (const Pair& pair : pairs) {
            if (const auto said = saidOf(pair))
                m_said.emplace(pair.name, *said);
        }
        if (m_said.empty())
            QSKIP("needs ../shared/pairs, which is not there");
        qInfo("%-16s %4s %7s %9s %10s %12s %11s %13s %9s", "pair", "rank", "bound", "expected", "nsys mean",
            "nsys median", "plain mean", "plain median", "error");
        for (const auto& [name, said] : m_said) {
            QString line = QString("%1 %2 %3%")
                               .arg(name.c_str(), -16)
                               .arg(said.rank, 4)
                               .arg(said.bound * 100, 6, 'f', 1);
            line += said.expected < 0 ? QString(" %1 ").arg("-", 8)
                                      : QString(" %1%").arg(said.expected * 100, 8, 'f', 1);
            for (const char* const kind : {"nsys_mean", "nsys_median", "plain_mean", "plain_median"}) {
                const StepTimes times = timesOf(name.c_str(), kind);
                line += times.areKnown() ? QString(" %1%").arg(times.saved() * 100, 10, 'f', 1)
                                         : QString(" %1 ").arg("-", 10);
            }
            if (said.expected >= 0)
                line += QString(" %1%").arg(errorOf(said, recordedTimesOf(name.c_str())) * 100, 9, 'f', 1);
            qInfo("%s", qPrintable(line));
        }
    }

    void namesTheFaultAndItsCost_data()
    {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < pairs.size(); ++i)
            QTest::newRow(pairs[i].name) << static_cast<int>(i);
    }

    void namesTheFaultAndItsCost()
    {
        QFETCH(int, index);
        const Pair& pair = pairs.at(static_cast<std::size_t>(index));
        const auto said = m_said.find(pair.name);
        if (said == m_said.end())
            QSKIP("needs ../shared/pairs, which is not there");
        const auto& [rank, bound, expected, plainShare, steps] = said->second;
        QVERIFY2(expected <= bound, qPrintable(QString("expected %1, up to %2").arg(expected).arg(bound)));
        QVERIFY2(rank == 1 || rank == 2, qPrintable(QString("the fault is number %1").arg(rank)));
        QVERIFY2(bound <= pair.most, qPrintable(QString("up to %1").arg(bound)));
        for (const char* const kind : {"nsys_mean", "nsys_median"}) {
            const StepTimes times = timesOf(pair.name, kind);
            QVERIFY2(!times.areKnown() || bound >= times.saved(),
                qPrintable(QString("up to %1, saved %2 (%3)").arg(bound).arg(times.saved()).arg(kind)));
        }
        // Without the profiler steps and their parts have other times: the tolerance covers only that.
        const StepTimes plain = timesOf(pair.name, "plain_median");
        QVERIFY2(!plain.areKnown() || bound >= plain.saved() - 0.05,
            qPrintable(QString("up to %1, saved %2 without the profiler").arg(bound).arg(plain.saved())));
    }

    void namesMostFirst()
    {
        if (m_said.size() < pairs.size())
            QSKIP("needs ../shared/pairs, which is not there");
        const auto first
            = std::ranges::count_if(m_said, [](const auto& said) { return said.second.rank == 1; });
        QVERIFY2(first >= 10, qPrintable(QString("%1 of them").arg(first)));
    }

    /// Estimated step times are within 15% of the recorded ones for at least ten loops, and within 8% for
    /// half.
    void expectsWhatWasMeasured()
    {
        if (m_said.size() < pairs.size())
            QSKIP("needs ../shared/pairs, which is not there");
        std::vector<double> errors;
        for (const auto& [name, said] : m_said)
            errors.push_back(said.expected < 0 ? 1 : std::abs(errorOf(said, recordedTimesOf(name.c_str()))));
        std::ranges::sort(errors);
        QVERIFY2(errors.at(9) <= 0.15, qPrintable(QString("the tenth is off by %1").arg(errors.at(9))));
        const double median = (errors.at(5) + errors.at(6)) / 2;
        QVERIFY2(median < 0.08, qPrintable(QString("the median is off by %1").arg(median)));
    }

    /// Steps without the profiler took the estimated time, within its uncertainty: before the cure, after it,
    /// and the gain.
    void expectsWhatTakesPlaceWithoutTheProfiler()
    {
        if (m_said.size() < pairs.size())
            QSKIP("needs ../shared/pairs, which is not there");
        const auto holds = [](const ExpectedTime& range, double measured) {
            return static_cast<double>(range.low) <= measured * 1e6
                && measured * 1e6 <= static_cast<double>(range.high);
        };
        int before = 0;
        int after = 0;
        int gains = 0;
        int narrow = 0;
        qInfo("%-16s %28s %10s %28s %10s %22s %8s", "without nsys", "before, ms", "measured", "after, ms",
            "measured", "gain", "measured");
        for (const auto& [name, said] : m_said) {
            const StepTimes mean = timesOf(name.c_str(), "plain_mean");
            const StepTimes plain = mean.areKnown() ? mean : timesOf(name.c_str(), "plain_median");
            QVERIFY(said.steps && said.plain);
            const ExpectedTime& asIs = said.steps->asIs;
            const ExpectedTime& cured = said.steps->cured;
            const auto inMs = [](Ns time) { return static_cast<double>(time) / 1e6; };
            qInfo(
                "%-16s %8.3f (%7.3f to %7.3f) %10.3f %8.3f (%7.3f to %7.3f) %10.3f %5.1f%% (%4.1f to %4.1f) %7.1f%%",
                name.c_str(), inMs(asIs.expected), inMs(asIs.low), inMs(asIs.high), plain.before,
                inMs(cured.expected), inMs(cured.low), inMs(cured.high), plain.after,
                100 * said.plain->expected, 100 * said.plain->low, 100 * said.plain->high,
                100 * plain.saved());
            before += holds(asIs, plain.before) ? 1 : 0;
            after += holds(cured, plain.after) ? 1 : 0;
            gains += said.plain->low <= plain.saved() && plain.saved() <= said.plain->high ? 1 : 0;
            narrow += asIs.high - asIs.low < asIs.expected / 10 ? 1 : 0;
        }
        QVERIFY2(before >= 10 && after >= 10 && gains >= 10,
            qPrintable(QString("%1 before, %2 after, %3 gains").arg(before).arg(after).arg(gains)));
        // The profiler makes three of the loops slower by more than it is sure of.
        QVERIFY2(narrow >= 8, qPrintable(QString("%1 are narrow").arg(narrow)));
    }

    /// The card of each rule with a pair has the pair's measurements, to two percent of the step.
    void cardsSayWhatWasMeasured()
    {
        if (m_said.size() < pairs.size())
            QSKIP("needs ../shared/pairs, which is not there");
        QFile file(QStringLiteral(WARPLINE_SOURCE_DIR "/core/findings/rules/README.md"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QString page = QString::fromUtf8(file.readAll());
        for (const Pair& pair : pairs) {
            const QString card = page.section(QString(" (`%1`)\n").arg(pair.rule), 1).section("\n### ", 0, 0);
            const QString words = measuredOf(pair, m_said.at(pair.name));
            const QString said = card.section("- Measured: ", 1).section('\n', 0, 0);
            const QString ofPair = said.section(QString("`%1`: ").arg(pair.name), 1).section(". `", 0, 0);
            QVERIFY2(isNear(figuresIn(ofPair), figuresIn(words)),
                qPrintable(QString("%1 should say `%2`: %3").arg(pair.rule, pair.name, words)));
        }
    }

private:
    std::map<std::string, Said> m_said;
};

WARPLINE_TEST(PairSavingsTest)

} // namespace tst_pair_savings

#include "tst_pair_savings.moc"
