// Loops that were not used for tuning thresholds, recorded by PyTorch's profiler: the fault is the first or
// second finding, its bound covers the measured saving, and most estimates are right.

#include "core/base/share.h"
#include "core/findings/rule.h"
#include "core/load/load_report.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <map>

namespace tst_held_loops {

using namespace warpline;

namespace {

const std::map<QString, std::string_view> rules{{"conv", "no_tensor_cores"},
    {"cudamalloc", "allocation_in_loop"}, {"dtype", "no_tensor_cores"}, {"fuse", "elementwise_chains"},
    {"item", "sync_per_iteration"}, {"legacy", "streams_serialized"}, {"loader", "data_starvation"},
    {"pageable", "pageable_copies"}, {"roundtrip", "copy_round_trips"}, {"tiny_copies", "tiny_copies"},
    {"zero", "memory_fills"}};

const QString folder = QStringLiteral(WARPLINE_SOURCE_DIR "/tests/data/loops/");

} // namespace

class HeldLoopsTest : public QObject {
    Q_OBJECT

private slots:
    void faultsAndTheirCost()
    {
        QFile file(folder + "steps.csv");
        QVERIFY(file.open(QIODevice::ReadOnly));
        QStringList lines = QString::fromUtf8(file.readAll()).split('\n', Qt::SkipEmptyParts);
        lines.removeFirst();
        QCOMPARE(lines.size(), static_cast<qsizetype>(rules.size()));
        int near = 0;
        int plainHolds = 0;
        qInfo("%-12s %4s %6s %9s %9s %22s %8s", "loop", "rank", "bound", "expected", "recorded",
            "without the profiler", "measured");
        for (const QString& line : lines) {
            const QStringList cells = line.split(',');
            const QString& name = cells.front();
            const double plain = 1 - cells[2].toDouble() / cells[1].toDouble();
            const double recorded = 1 - cells[4].toDouble() / cells[3].toDouble();
            const auto trace = loadReport((folder + name + ".json.gz").toStdString());
            QVERIFY2(trace.ok(), qPrintable(name));
            const std::vector<Finding> findings = runRules(*trace.value(), trace.value()->session);
            const auto found = std::ranges::find(findings, rules.at(name), &Finding::rule);
            QVERIFY2(found - findings.begin() < 2, qPrintable(name));
            QVERIFY2(found->expected && found->plainShare, qPrintable(name));
            const double bound = shareOf(found->saving, found->measured);
            const double expected = shareOf(found->expected->expected, found->measured);
            const ExpectedShare& share = *found->plainShare;
            qInfo("%-12s %4d %5.1f%% %8.1f%% %8.1f%% %5.1f%% (%4.1f to %4.1f%%) %7.1f%%", qPrintable(name),
                static_cast<int>(found - findings.begin()) + 1, 100 * bound, 100 * expected, 100 * recorded,
                100 * share.expected, 100 * share.low, 100 * share.high, 100 * plain);
            // The measured time begins before the first step, and ends within the last.
            QVERIFY2(bound + 0.01 >= recorded, qPrintable(name));
            near += std::abs((1 - expected) / (1 - recorded) - 1) <= 0.15 ? 1 : 0;
            plainHolds += share.low <= plain && plain <= share.high ? 1 : 0;
        }
        // 16-bit types, and copies that run ahead, save more than estimated.
        QVERIFY2(near >= 8, qPrintable(QString::number(near)));
        QVERIFY2(plainHolds >= 7, qPrintable(QString::number(plainHolds)));
    }
};

WARPLINE_TEST(HeldLoopsTest)

} // namespace tst_held_loops

#include "tst_held_loops.moc"
