// warpline-cli sql: answers, formats, lists, and exit codes of mistakes.

#include "tests/app/cli_runner.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"

#include <QElapsedTimer>
#include <QFile>
#include <QJsonArray>
#include <QJsonObject>
#include <QTemporaryDir>

namespace tst_cli_sql {

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
        const QJsonObject row = json.rows().at(0).toObject();
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
        QVERIFY(asked.code == 0 && !asked.rows().isEmpty());
        QVERIFY(asked.rows().at(0).toObject().contains("total_ns"));
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
    }

    void anAnswerThatIsCutIsNoSuccess()
    {
        const CliRun cut
            = runCli({"sql", report, "SELECT * FROM StringIds", "--rows", "2", "--format", "csv"});
        QCOMPARE(cut.code, 7);
        QVERIFY(cut.output.count('\n') == 3 && cut.errorLines() == 1);
        QCOMPARE(runCli({"sql", report, "SELECT 1 UNION SELECT 2", "--rows", "2"}).code, 0);
        const CliRun slow = runCli({"sql", "--seconds", "0.2", "--format", "json", report,
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"});
        QCOMPARE(slow.code, 7);
        QVERIFY(slow.report()["rows"].isArray() && slow.errors.contains("0.2 s"));
    }

    void aViewWithoutEndDoesNotDelayTheAnswer()
    {
        ReportFixture made;
        made.addSmallReport();
        made.run(
            "CREATE VIEW WARPLINE_PART AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
            "SELECT max(i) AS keptFrom, 0 AS keptTo, 0 AS wholeFrom, 0 AS wholeTo, 0 AS gpuFrom, 0 AS gpuTo "
            "FROM n");
        QElapsedTimer timer;
        timer.start();
        QCOMPARE(runCli({"sql", QString::fromStdString(made.path()), "SELECT 1"}).code, 0);
        QVERIFY(timer.elapsed() < 15'000); // and not the 30 s of a statement
    }

    void tracesAreNoDatabases()
    {
        const QTemporaryDir folder;
        QFile file(folder.filePath("trace.json"));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(R"({"traceEvents": []})") > 0);
        file.close();
        const CliRun trace = runCli({"sql", file.fileName(), "SELECT 1"});
        QVERIFY2(trace.code == 3 && trace.errors.contains("takes SQLite exports"), trace.errors.constData());
        QProcess piped;
        piped.setStandardInputFile(file.fileName());
        piped.start(QStringLiteral(WARPLINE_CLI), {"sql", "-", "SELECT 1"});
        QVERIFY(piped.waitForFinished());
        QCOMPARE(piped.exitCode(), 3);
        QVERIFY(piped.readAllStandardError().contains("takes SQLite exports"));
        const CliRun missing = runCli({"sql", folder.filePath("missing.json"), "SELECT 1"});
        QVERIFY2(missing.code == 3 && missing.errors.contains("does not exist"), missing.errors.constData());
    }

    void whatWasNotRecordedIsAnEmptyAnswer()
    {
        const QString noGpu = QStringLiteral(WARPLINE_TEST_DATA "/reports/openmp.sqlite");
        const CliRun none = runCli({"sql", "--format", "csv", noGpu, "SELECT start, stream FROM kernels"});
        QCOMPARE(none.code, 0);
        QCOMPARE(none.output, QByteArray("start,stream\n"));
        const CliRun asked = runCli({"sql", "--question", "gpu-gaps", "--format", "json", noGpu});
        QCOMPARE(asked.code, 0);
        QVERIFY(asked.report()["rows"].isArray() && asked.rows().isEmpty());
        QVERIFY(asked.errors.contains("has no kernels"));
    }
};

WARPLINE_TEST(CliSqlTest)

} // namespace tst_cli_sql

#include "tst_cli_sql.moc"
