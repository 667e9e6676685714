// Blocks and warps per multiprocessor and occupancy by kernel, beside what PyTorch's profiler wrote at each
// launch.

#include "core/kernels/kernel_label.h"
#include "core/stats/stats_table.h"
#include "tests/core/kineto/kineto_helpers.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <cmath>

using namespace warpline;
using namespace warpline::test;

class OccupancyEstimatesTest : public QObject {
    Q_OBJECT

private slots:
    void areThoseOfTheProfiler_data()
    {
        QTest::addColumn<QString>("path");
        for (const QString& path : allTraces()) {
            if (QFileInfo(path).size() < 1'000'000)
                QTest::newRow(qPrintable(path.section('/', -1))) << path;
        }
    }
    void areThoseOfTheProfiler()
    {
        QFETCH(QString, path);
        const auto loaded = loadReport(path.toStdString());
        QVERIFY(loaded.ok());
        const StatsTable& table = *findStatsTable("kernel_occupancy_sum");
        double time = 0;
        double blocks = 0;
        double warps = 0;
        double occupancy = 0;
        bool largeShared = false; // more than a block gets unasked: the profiler writes an occupancy of 0
        const QByteArray content = contentOfGzip(path);
        for (const QJsonValue& value : QJsonDocument::fromJson(content).object()["traceEvents"].toArray()) {
            const QJsonObject event = value.toObject();
            const QJsonObject arguments = event["args"].toObject();
            if (event["cat"].toString() != "kernel" || !arguments.contains("blocks per SM"))
                continue;
            const double length = event["dur"].toDouble();
            time += length;
            blocks += length * arguments["blocks per SM"].toDouble();
            warps += length * arguments["warps per SM"].toDouble();
            occupancy += length * arguments["est. achieved occupancy %"].toDouble();
            largeShared = largeShared || arguments["shared memory"].toInt() > 48 * 1024
                || !arguments.contains("est. achieved occupancy %");
        }
        if (time == 0 || !table.applies(*loaded.value()))
            QSKIP("the profiler wrote no estimates");
        const Cells cells = table.fill(*loaded.value(), {});
        double ours = 0;
        std::array<double, 3> sums{};
        bool hasOccupancy = true;
        for (std::size_t row = 0; row < cells.rowCount(); ++row) {
            const auto length = static_cast<double>(std::get<std::int64_t>(cells.at(row, 0)));
            ours += length;
            sums[0] += length * std::get<double>(cells.at(row, 2));
            sums[1] += length * std::get<double>(cells.at(row, 3));
            hasOccupancy = hasOccupancy && std::holds_alternative<double>(cells.at(row, 5));
            if (hasOccupancy)
                sums[2] += length * std::get<double>(cells.at(row, 5));
        }
        const auto near = [](double a, double b, double slack) { return std::abs(a - b) <= slack; };
        QVERIFY2(near(ours / 1000, time, 0.002 * time), qPrintable(QString::number(ours / 1000)));
        QVERIFY2(near(sums[0] / ours, blocks / time, 0.005 * blocks / time),
            qPrintable(QString("%1 %2").arg(sums[0] / ours).arg(blocks / time)));
        QVERIFY2(near(sums[1] / ours, warps / time, 0.005 * warps / time),
            qPrintable(QString("%1 %2").arg(sums[1] / ours).arg(warps / time)));
        if (hasOccupancy && !largeShared) { // cut to whole percents at each launch there
            const double more = sums[2] / ours - occupancy / time;
            QVERIFY2(more > -0.1 && more < 1.1,
                qPrintable(QString("%1 %2").arg(sums[2] / ours).arg(occupancy / time)));
        }
    }
};

QTEST_APPLESS_MAIN(OccupancyEstimatesTest)
#include "tst_occupancy_estimates.moc"
