// warpline-cli name: statistics of one name, filtered and grouped; errors for missing names.

#include "tests/app/cli_runner.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonObject>

#include <algorithm>

namespace tst_cli_name {

using namespace warpline::test;

namespace {

const QString report = QStringLiteral(WARPLINE_TEST_DATA "/reports/bert_fp32.sqlite");
const QString kernel = "vectorized_elementwise_kernel";

} // namespace

class CliNameTest : public QObject {
    Q_OBJECT

private slots:
    void figuresAreThoseOfTheEvents()
    {
        const CliRun run
            = runCli({"name", report, kernel, "--where", "grid>100", "--by", "grid", "--format", "json"});
        QCOMPARE(run.code, 0);
        const QJsonObject json = run.report();
        const QJsonArray events = runCli(
            {"events", "--where", "kind=kernel name~" + kernel + " grid>100", "--format", "json", report})
                                      .rows();
        std::vector<qint64> durations;
        qint64 total = 0;
        for (const QJsonValue& event : events) {
            durations.push_back(event.toObject()["Duration (ns)"].toInteger());
            total += durations.back();
        }
        QVERIFY(durations.size() > 10);
        std::ranges::sort(durations);
        QCOMPARE(json["count"].toInteger(), qint64(durations.size()));
        QCOMPARE(json["total_ns"].toInteger(), total);
        QCOMPARE(json["min_ns"].toInteger(), durations.front());
        QCOMPARE(json["max_ns"].toInteger(), durations.back());
        const std::size_t half = durations.size() / 2;
        const double median = durations.size() % 2 == 1 ? double(durations[half])
                                                        : double(durations[half - 1] + durations[half]) / 2;
        QCOMPARE(json["median_ns"].toDouble(), median);
        qint64 counted = 0;
        for (const QJsonValue& bin : json["histogram"].toArray())
            counted += bin.toObject()["count"].toInteger();
        QCOMPARE(counted, qint64(durations.size()));
        qint64 grouped = 0;
        for (const QJsonValue& group : json["groups"].toArray())
            grouped += group.toObject()["total_ns"].toInteger();
        QCOMPARE(grouped, total);
    }

    void formatsAndRanges()
    {
        const CliRun text = runCli({"name", report, kernel, "--by", "parent"});
        QCOMPARE(text.code, 0);
        QVERIFY(text.output.contains("p99.9") && text.output.contains("NVTX range around"));
        const CliRun csv = runCli({"name", report, kernel, "--by", "parent", "--format", "csv"});
        QVERIFY(csv.output.startsWith("NVTX range around,Time (%),Instances"));
        const auto count = [](const CliRun& run) { return run.report()["count"].toInteger(); };
        const qint64 all = count(runCli({"name", report, kernel, "--format", "json"}));
        const qint64 part
            = count(runCli({"name", report, kernel, "--range", "100ms:200ms", "--format", "json"}));
        QVERIFY(part > 0 && part < all);
        QVERIFY(runCli({"name", report, "cudaLaunch*", "--format", "csv"}).output.contains("cuda_api")
            == false); // the pattern is the name; the kind is only in JSON
        QCOMPARE(runCli({"name", report, "cudaLaunch*", "--format", "json"}).report()["kind"].toString(),
            QString("cuda_api"));
    }

    /// A range has less time than the events that it cuts.
    void wholeDurationsOfARangeAreNamed()
    {
        const QStringList asked{"name", report, "step_2", "--kind", "nvtx"};
        const CliRun cut = runCli(asked + QStringList{"--range", "30ms:40ms"});
        QVERIFY2(cut.output.contains("NVTX, whole: 52.96 ms in 1 event,"), qPrintable(cut.output));
        const CliRun all = runCli(asked);
        QVERIFY2(all.output.contains("NVTX, 52.96 ms in 1 event,"), qPrintable(all.output));
    }

    void mistakesAreTold()
    {
        const CliRun none = runCli({"name", report, "elementwise_k"});
        QCOMPARE(none.code, 2);
        QVERIFY(none.errors.contains("names that contain it") && none.errors.contains("elementwise_kernel"));
        QCOMPARE(runCli({"name", report, kernel, "--by", "color"}).code, 2);
        QCOMPARE(runCli({"name", report, kernel, "--where", "dur>"}).code, 2);
        QCOMPARE(runCli({"name", report, kernel, "--range", "5"}).code, 2);
        QCOMPARE(runCli({"name", report, kernel, "--kind", "nvtx"}).code, 2);
        QCOMPARE(runCli({"name", "/nowhere.sqlite", kernel}).code, 3);
        QVERIFY(
            runCli({"name", report, kernel, "--by", "payload"}).errors.contains("do not differ by payload"));
    }
};

WARPLINE_TEST(CliNameTest)

} // namespace tst_cli_name

#include "tst_cli_name.moc"
