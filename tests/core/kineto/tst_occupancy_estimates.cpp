// Blocks and warps per multiprocessor and occupancy by kernel, compared with PyTorch's values at each launch.

#include "core/kernels/kernel_label.h"
#include "core/stats/stats_table.h"
#include "tests/core/kineto/kineto_helpers.h"
#include "tests/support/test_program.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <array>
#include <cmath>
#include <map>
#include <string>

namespace tst_occupancy_estimates {

using namespace warpline;
using namespace warpline::test;

namespace {

/// Shared memory per block without opting in to more. The profiler's occupancy calculator uses this limit, so
/// it estimates 0% for launches with more. Warpline allows what a multiprocessor has, because the kernel ran.
constexpr int sharedUnasked = 48 * 1024;

/// Occupancy of the launches of one name.
struct Estimate {
    double time = 0;
    double occupancy = 0; ///< percent times time
    bool isComparable = true;
};

} // namespace

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
        std::map<std::string, Estimate> occupancies; // by name
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
            Estimate& estimate = occupancies[event["name"].toString().toStdString()];
            estimate.time += length;
            estimate.occupancy += length * arguments["est. achieved occupancy %"].toDouble();
            if (!arguments.contains("est. achieved occupancy %")) {
                estimate.isComparable = false;
            } else if (arguments["shared memory"].toInt() > sharedUnasked) {
                QCOMPARE(arguments["est. achieved occupancy %"].toInt(), 0);
                estimate.isComparable = false;
            }
        }
        if (time == 0 || !table.applies(*loaded.value()))
            QSKIP("the profiler wrote no estimates");
        const Cells cells = table.fill(*loaded.value(), {});
        double ours = 0;
        std::array<double, 2> sums{};
        std::map<std::string, Estimate> own;
        for (std::size_t row = 0; row < cells.rowCount(); ++row) {
            const auto length = static_cast<double>(std::get<std::int64_t>(cells.at(row, 0)));
            ours += length;
            sums[0] += length * std::get<double>(cells.at(row, 2));
            sums[1] += length * std::get<double>(cells.at(row, 3));
            Estimate& estimate = own[std::get<std::string>(cells.at(row, 6))];
            estimate.time += length;
            estimate.isComparable = estimate.isComparable && std::holds_alternative<double>(cells.at(row, 5));
            if (estimate.isComparable)
                estimate.occupancy += length * std::get<double>(cells.at(row, 5));
        }
        const auto near = [](double a, double b, double slack) { return std::abs(a - b) <= slack; };
        QVERIFY2(near(ours / 1000, time, 0.002 * time), qPrintable(QString::number(ours / 1000)));
        QVERIFY2(near(sums[0] / ours, blocks / time, 0.005 * blocks / time),
            qPrintable(QString("%1 %2").arg(sums[0] / ours).arg(blocks / time)));
        QVERIFY2(near(sums[1] / ours, warps / time, 0.005 * warps / time),
            qPrintable(QString("%1 %2").arg(sums[1] / ours).arg(warps / time)));
        for (const auto& [name, estimate] : occupancies) { // of whole percents at each launch there
            const auto found = own.find(name);
            if (!estimate.isComparable || estimate.time <= 0 || found == own.end()
                || !found->second.isComparable)
                continue;
            const double of = found->second.occupancy / found->second.time;
            const double expected = estimate.occupancy / estimate.time;
            QVERIFY2(of - expected > -0.6 && of - expected < 1.1,
                qPrintable(QString("%1: %2 %3").arg(QString::fromStdString(name)).arg(of).arg(expected)));
        }
    }
};

WARPLINE_TEST(OccupancyEstimatesTest)

} // namespace tst_occupancy_estimates

#include "tst_occupancy_estimates.moc"
