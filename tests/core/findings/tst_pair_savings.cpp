// Recorded loops with one fault, and the step times that the same loop measured with the fault and without:
// what the finding of the fault could save must not be less than was saved.

#include "core/base/share.h"
#include "core/findings/rule.h"
#include "core/load/load_report.h"
#include "tests/support/report_fixture.h"

#include <QtTest>

#include <algorithm>

using namespace warpline;
using namespace warpline::test;

namespace {

/// The share of a recorded step of `pair` that the cure saved, by the times that the program printed; -1:
/// there are none.
double savedOf(const QString& pair)
{
    QFile file(QStringLiteral(WARPLINE_SHARED_REPORTS "/../pairs/steps.csv"));
    if (!file.open(QIODevice::ReadOnly))
        return -1;
    const QStringList lines = QString::fromUtf8(file.readAll()).split('\n', Qt::SkipEmptyParts);
    const QStringList heads = lines.front().trimmed().split(',');
    for (const QString& line : lines) {
        const QStringList cells = line.trimmed().split(',');
        const auto recorded = [&](const QString& side) {
            const double mean = cells.value(heads.indexOf(side + "_nsys_mean_ms")).toDouble();
            return mean > 0 ? mean : cells.value(heads.indexOf(side + "_nsys_median_ms")).toDouble();
        };
        if (cells.front() == pair)
            return 1 - recorded("after") / recorded("before");
    }
    return -1;
}

} // namespace

class PairSavingsTest : public QObject {
    Q_OBJECT

private slots:
    void savesWhatTheCureSaved_data()
    {
        QTest::addColumn<QString>("rule");
        QTest::addColumn<double>("most"); // share of the measured time
        // The GPU idles for 66% of the steps.
        QTest::newRow("alloc") << "allocation_in_loop" << 0.63;
        // Six of 23 steps wait for a disk.
        QTest::newRow("checkpoint") << "nvtx_outlier_steps" << 0.60;
        // It idles for 56%; without the profiler the cure saved 49%.
        QTest::newRow("debug_sync") << "sync_per_iteration" << 0.56;
    }

    void savesWhatTheCureSaved()
    {
        QFETCH(QString, rule);
        QFETCH(double, most);
        const QString pair = QTest::currentDataTag();
        const double saved = savedOf(pair);
        const std::string path = sharedReport("../pairs/" + pair.toStdString() + "_before");
        if (saved < 0 || path.empty())
            QSKIP("needs ../shared/pairs, which is not there");
        const auto trace = loadReport(path);
        QVERIFY(trace.ok());
        const auto findings = runRules(*trace.value(), trace.value()->session);
        const auto found = std::ranges::find(
            findings, rule.toStdString(), [](const Finding& each) { return std::string(each.rule); });
        QVERIFY(found != findings.end());
        const double bound = shareOf(found->saving, found->measured);
        QVERIFY2(
            bound >= saved && bound <= most, qPrintable(QString("up to %1, saved %2").arg(bound).arg(saved)));
    }
};

QTEST_APPLESS_MAIN(PairSavingsTest)
#include "tst_pair_savings.moc"
