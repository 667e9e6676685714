// warpline-cli events and export --where: formats, order, mistakes.

#include "tests/app/cli_runner.h"

#include <QJsonArray>
#include <QJsonObject>

using namespace warpline::test;

namespace {

const QString report = QStringLiteral(WARPLINE_TEST_DATA "/reports/bert_fp32.sqlite");

} // namespace

class CliEventsTest : public QObject {
    Q_OBJECT

private slots:
    void formatsSayTheSame()
    {
        const QStringList asked{"events", "--where", "kind=kernel dur>100us", "--sort", "dur", "--top", "20"};
        const CliRun json = runCli(asked + QStringList{"--format", "json", report});
        QCOMPARE(json.code, 0);
        const QJsonArray rows = json.json().array();
        QCOMPARE(rows.size(), 20);
        qint64 before = std::numeric_limits<qint64>::max();
        for (const QJsonValue& row : rows) {
            const qint64 duration = row.toObject()["Duration (ns)"].toInteger();
            QVERIFY(duration > 100'000 && duration <= before);
            QCOMPARE(row.toObject()["Kind"].toString(), QString("kernel"));
            before = duration;
        }
        const CliRun csv = runCli(asked + QStringList{"--format", "csv", report});
        QCOMPARE(csv.output.count('\n'), 21);
        QVERIFY(runCli(asked + QStringList{report}).output.contains("Duration (ns)"));
        const CliRun shortest = runCli(asked + QStringList{"--reverse", "--format", "json", report});
        QVERIFY(shortest.json().array()[0].toObject()["Duration (ns)"].toInteger() <= before);
    }

    void pathsAreTold()
    {
        const CliRun run = runCli(
            {"events", "--where", "kind=kernel path=*", "--paths", "--top", "3", "--format", "json", report});
        QCOMPARE(run.code, 0);
        for (const QJsonValue& row : run.json().array())
            QVERIFY(!row.toObject()["NVTX Path"].toString().isEmpty());
    }

    void exportTakesTheSameFilter()
    {
        const CliRun list = runCli({"events", "--where", "gemm dur>50us", "--format", "csv", report});
        const CliRun file = runCli({"export", "--where", "gemm dur>50us", "--format", "csv", report});
        QVERIFY(list.output.count('\n') > 1);
        QCOMPARE(file.output.count('\n'), list.output.count('\n'));
        const CliRun chrome = runCli({"export", "--where", "gemm dur>50us", report});
        QVERIFY(!chrome.json().isNull());
    }

    void mistakesAreShownAtTheirPlace()
    {
        const CliRun run = runCli({"events", "--where", "gemm durr>50us", report});
        QCOMPARE(run.code, 2);
        QVERIFY(run.errors.contains("did you mean dur?"));
        QVERIFY2(run.errors.contains("gemm durr>50us\n     ^^^^\n"), run.errors.constData());
        QCOMPARE(runCli({"export", "--where", "dur>", report}).code, 2);
        QCOMPARE(runCli({"events", "--sort", "nothing", report}).code, 2);
        QCOMPARE(runCli({"events", "/nowhere.sqlite"}).code, 3);
        QCOMPARE(runCli({"events", "--range", "5", report}).code, 2);
    }
};

QTEST_GUILESS_MAIN(CliEventsTest)
#include "tst_cli_events.moc"
