// warpline-cli sql: answers, formats, lists, and exit codes of mistakes.

#include "tests/app/cli_runner.h"

#include <QJsonArray>
#include <QJsonObject>

using namespace warpline::test;

namespace {

const QString report = QStringLiteral(WARPLINE_TEST_DATA "/reports/streams.sqlite");

} // namespace

class CliSqlTest : public QObject {
    Q_OBJECT

private slots:
    void answersInEveryFormat()
    {
        const QString sql = "SELECT count(*) AS kernels, 0.5 AS half, NULL AS none FROM kernels";
        const CliRun json = runCli({"sql", report, sql, "--format", "json"});
        QCOMPARE(json.code, 0);
        const QJsonObject row = json.json().array().at(0).toObject();
        QVERIFY(row["kernels"].toInteger() > 0);
        QCOMPARE(row["half"].toDouble(), 0.5);
        QVERIFY(row["none"].isNull());
        const QByteArray count = QByteArray::number(row["kernels"].toInteger());
        QCOMPARE(runCli({"sql", report, sql, "--format", "csv"}).output,
            "kernels,half,none\n" + count + ",0.5,\n");
        QVERIFY(runCli({"sql", report, sql}).output.contains(count));
        QVERIFY(runCli({"sql", report, sql, "--format", "markdown"}).output.startsWith("| kernels |"));
    }

    void readyQuestionsAreListedAndAsked()
    {
        const CliRun list = runCli({"sql", "--questions"});
        QVERIFY(list.code == 0 && list.output.contains("top-kernels"));
        const CliRun asked = runCli({"sql", "--question", "top-kernels", "--format", "json", report});
        QVERIFY(asked.code == 0 && !asked.json().array().isEmpty());
        QVERIFY(asked.json().array().at(0).toObject().contains("total_ns"));
        const CliRun absent = runCli({"sql", "--question", "hot-functions", report});
        QVERIFY(absent.code == 0 && absent.errors.contains("has no samples"));
        QVERIFY(runCli({"sql", "--tables", report}).output.contains("kernels"));
    }

    void mistakesHaveTheirExitCode()
    {
        const CliRun typo = runCli({"sql", report, "SELECT x FROM kernels"});
        QVERIFY(typo.code == 2 && typo.errors.contains("No such column: x") && typo.errors.contains("^"));
        QCOMPARE(runCli({"sql", report, "DROP TABLE StringIds"}).code, 2);
        QCOMPARE(runCli({"sql", report}).code, 2);
        QCOMPARE(runCli({"sql", "--question", "nothing", report}).code, 2);
        QCOMPARE(runCli({"sql", "/nowhere.sqlite", "SELECT 1"}).code, 3);
        const CliRun cut
            = runCli({"sql", report, "SELECT * FROM StringIds", "--rows", "2", "--format", "csv"});
        QVERIFY(cut.code == 0 && cut.output.count('\n') == 3 && cut.errors.contains("There are more rows"));
    }
};

QTEST_GUILESS_MAIN(CliSqlTest)
#include "tst_cli_sql.moc"
