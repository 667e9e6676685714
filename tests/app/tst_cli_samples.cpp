// warpline-cli samples: formats, ranges, threads and mistakes.

#include "tests/app/cli_runner.h"
#include "tests/support/test_program.h"

#include <QJsonArray>
#include <QJsonObject>

namespace tst_cli_samples {

using namespace warpline::test;

namespace {

const QString report = QStringLiteral(WARPLINE_TEST_DATA "/reports/bert_fp32.sqlite");

qint64 foldedSum(const QByteArray& text)
{
    qint64 sum = 0;
    for (const QByteArray& line : text.split('\n'))
        sum += line.mid(line.lastIndexOf(' ') + 1).toLongLong();
    return sum;
}

qint64 selfOf(const QJsonObject& node)
{
    qint64 sum = node["self"].toInteger();
    for (const QJsonValue& child : node["children"].toArray())
        sum += selfOf(child.toObject());
    return sum;
}

} // namespace

class CliSamplesTest : public QObject {
    Q_OBJECT

private slots:
    void formatsSayTheSame()
    {
        const CliRun folded = runCli({"samples", "--source", "nvtx", "--format", "folded", report});
        const CliRun json = runCli({"samples", "--source", "nvtx", "--format", "json", report});
        QCOMPARE(folded.code, 0);
        const QJsonObject document = json.report();
        QVERIFY(document["total"].toInteger() > 0);
        QCOMPARE(document["unit"].toString(), QString("ns"));
        QCOMPARE(selfOf(document["tree"].toObject()), document["total"].toInteger());
        QCOMPARE(foldedSum(folded.output), document["total"].toInteger());
        QVERIFY(runCli({"samples", "--source", "nvtx", report}).output.contains("Self (%)"));
        QVERIFY(folded.output.contains(";"));
    }

    /// For a range in which most threads do nothing.
    void threadsWithoutSamplesAreLeftOut()
    {
        const QString python = QStringLiteral(WARPLINE_TEST_DATA "/reports/python_samples.sqlite");
        QString range = ":";
        int threads = 0;
        for (int round = 0; round < 2; ++round) {
            const CliRun run
                = runCli({"samples", "--source", "python", "--range", range, "--format", "json", python});
            QVERIFY2(run.code == 0, run.errors.constData());
            const QJsonObject told = run.report();
            const QJsonArray children = told["tree"].toObject()["children"].toArray();
            for (const QJsonValue& thread : children)
                QVERIFY(thread.toObject()["total"].toInteger() > 0);
            threads += int(children.size());
            const qint64 start = told["range_ns"]["start"].toInteger();
            range = QString("%1:%2").arg(start).arg(start + 1000); // before the first sample
        }
        QVERIFY(threads > 0);
    }

    void mistakesAreTold()
    {
        QCOMPARE(runCli({"samples", "--source", "nothing", report}).code, 2);
        QCOMPARE(runCli({"samples", "--source", "nvtx", "--thread", "no such thread", report}).code, 2);
        QCOMPARE(runCli({"samples", "--range", "5", report}).code, 2);
        QCOMPARE(runCli({"samples", "/nowhere.sqlite"}).code, 3);
        const CliRun none = runCli({"samples", report});
        QVERIFY(none.code == 0 && none.errors.contains("has none of this: CPU samples"));
        QVERIFY(runCli({"samples", "--list", report}).output.contains("cpu (not recorded)"));
    }
};

WARPLINE_TEST(CliSamplesTest)

} // namespace tst_cli_samples

#include "tst_cli_samples.moc"
