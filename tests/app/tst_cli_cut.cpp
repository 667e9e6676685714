// warpline-cli export and cut: files that can be opened again, exit codes of mistakes.

#include "tests/app/cli_runner.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonObject>
#include <QTemporaryDir>

using namespace warpline::test;

namespace {

const QString report = QStringLiteral(WARPLINE_TEST_DATA "/reports/streams.sqlite");

qint64 kernelsIn(const QString& file)
{
    return runCli({"info", "--format", "json", file})
        .json()
        .object()["counts"]
        .toObject()["kernel"]
        .toInteger();
}

} // namespace

class CliCutTest : public QObject {
    Q_OBJECT

private slots:
    void exportsAreOpenedAgain()
    {
        QTemporaryDir folder;
        const QString file = folder.filePath("trace.json");
        QCOMPARE(runCli({"export", report, "-o", file}).code, 0);
        QVERIFY(kernelsIn(report) > 0);
        QCOMPARE(kernelsIn(file), kernelsIn(report));
        const CliRun csv = runCli({"export", "--format", "csv", "--kinds", "kernel", report});
        QCOMPARE(csv.output.count("\nkernel,"), kernelsIn(report));
        QCOMPARE(runCli({"export", "--kinds", "nothing", report}).code, 2);
        QCOMPARE(runCli({"export", report, "-o", "/nowhere/x.json"}).code, 4);
        QCOMPARE(runCli({"export", "/nowhere.sqlite"}).code, 3);
    }

    void partsAreOpenedAgain()
    {
        QTemporaryDir folder;
        const QString file = folder.filePath("cut.sqlite");
        QCOMPARE(runCli({"cut", report, file}).code, 0);
        QCOMPARE(kernelsIn(file), kernelsIn(report));
        const CliRun again = runCli({"cut", report, file});
        QVERIFY(again.code == 4 && again.errors.contains("exists"));
        const QString half = folder.filePath("half.sqlite");
        const qint64 end = runCli({"info", "--format", "json", report})
                               .json()
                               .object()["span_ns"]
                               .toArray()
                               .at(1)
                               .toInteger();
        QCOMPARE(runCli({"cut", "--to", QString::number(end / 2), "--redact", report, half}).code, 0);
        QVERIFY(kernelsIn(half) < kernelsIn(report));
        QCOMPARE(runCli({"cut", "--from", "5", "--to", "5", report, folder.filePath("none")}).code, 2);
        QCOMPARE(runCli({"cut", "/nowhere.sqlite", folder.filePath("none")}).code, 3);
    }
};

QTEST_GUILESS_MAIN(CliCutTest)
#include "tst_cli_cut.moc"
