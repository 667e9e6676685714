// warpline-cli stats: tables byte for byte as nsys prints them, alone and together, to standard output and to
// files.

#include "tests/app/cli_runner.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonObject>

namespace tst_cli_stats {

using namespace warpline::test;

namespace {

QByteArray readFile(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class CliStatsTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void equalsNsysByteForByte_data();
    void equalsNsysByteForByte();
    void writesSeveralTables();
    void tellsTablesApartInJson();
    void oneTableIsBareJson();
    void printsSummariesByDefault();
    void saysWhatHasNoData();
    void writesFiles();
    void refusesToOverwriteItsOwnFiles();
    void goesOnAfterABadReport();
    void limitsToARange();
    void takesVariants();

private:
    ReportFixture m_small;
    QString m_path;
};

void CliStatsTest::initTestCase()
{
    m_small.addSmallReport();
    m_path = QString::fromStdString(m_small.path());
}

void CliStatsTest::equalsNsysByteForByte_data()
{
    QTest::addColumn<QString>("report");
    QTest::addColumn<QString>("golden");
    const QDir data(QStringLiteral(WARPLINE_TEST_DATA));
    for (const QString& name : QDir(data.filePath("golden")).entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
        const QDir tables(data.filePath("golden/" + name));
        for (const QString& table : tables.entryList({"*.csv"}, QDir::Files))
            QTest::newRow(qPrintable(name + "/" + table))
                << data.filePath("reports/" + name + ".sqlite") << tables.filePath(table);
    }
}

void CliStatsTest::equalsNsysByteForByte()
{
    QFETCH(QString, report);
    QFETCH(QString, golden);
    const QString table = QFileInfo(golden).completeBaseName().replace('+', ':'); // NAME+ARG.csv is NAME:ARG
    const CliRun run = runCli({"stats", "--report", table, "--format", "csv", report});
    QCOMPARE(run.code, 0);
    QVERIFY2(run.errors.isEmpty(), run.errors);
    QCOMPARE(run.output, readFile(golden));
}

void CliStatsTest::writesSeveralTables()
{
    const CliRun run
        = runCli({"stats", "--report", "cuda_gpu_kern_sum, cuda_api_sum", "--format", "csv", m_path});
    QCOMPARE(run.code, 0);
    const QByteArrayList lines = run.output.split('\n');
    QCOMPARE(lines[0], "# cuda_gpu_kern_sum (" + m_path.toUtf8() + ")");
    QVERIFY(lines[1].startsWith("Time (%),Total Time (ns),"));
    const qsizetype second = lines.indexOf("# cuda_api_sum (" + m_path.toUtf8() + ")");
    QVERIFY(second > 2);
    QVERIFY(lines[second - 1].isEmpty()); // an empty line between tables
    const CliRun twice = runCli(
        {"stats", "--report", "cuda_gpu_kern_sum", "--report", "cuda_api_sum", "--format", "csv", m_path});
    QCOMPARE(twice.output, run.output);
}

void CliStatsTest::tellsTablesApartInJson()
{
    const CliRun run
        = runCli({"stats", "--report", "cuda_gpu_kern_sum,cuda_api_sum", "--format", "json", m_path});
    QCOMPARE(run.code, 0);
    const QJsonArray tables = run.reports();
    QCOMPARE(tables.size(), 2);
    QCOMPARE(tables[0].toObject()["table"].toString(), "cuda_gpu_kern_sum");
    QCOMPARE(tables[1].toObject()["table"].toString(), "cuda_api_sum");
    QCOMPARE(tables[1].toObject()["file"].toString(), m_path);
    QCOMPARE(tables[1].toObject()["rows"].toArray().size(), 3); // launch, copy, synchronize
}

void CliStatsTest::oneTableIsBareJson()
{
    const CliRun run = runCli({"stats", "--report", "cuda_gpu_kern_sum", "--format", "json", m_path});
    const QJsonArray rows = run.rows();
    QCOMPARE(rows.size(), 1);
    QCOMPARE(rows[0].toObject()["Instances"].toInt(), 3);
    QCOMPARE(rows[0].toObject()["Total Time (ns)"].toInt(), 4500);
}

void CliStatsTest::printsSummariesByDefault()
{
    const CliRun run = runCli({"stats", m_path});
    QCOMPARE(run.code, 0);
    QVERIFY2(run.errors.isEmpty(), run.errors); // tables without data are left out silently
    QVERIFY(run.output.contains("(cuda_gpu_kern_sum)"));
    QVERIFY(run.output.contains("(nvtx_sum)"));
    QVERIFY(!run.output.contains("(osrt_sum)"));
    QVERIFY(!run.output.contains("_trace)"));
}

void CliStatsTest::saysWhatHasNoData()
{
    const CliRun run = runCli({"stats", "--report", "osrt_sum", "--format", "json", m_path});
    QCOMPARE(run.code, 0);
    QVERIFY2(run.errorLines() == 1 && run.errors.contains("osrt_sum"), run.errors);
    QVERIFY(run.report()["rows"].isArray());
    QVERIFY(run.rows().isEmpty());
    // Of a report without events no summary is printed: one line for the whole report.
    ReportFixture none;
    none.addSmallReport();
    none.run("DELETE FROM CUPTI_ACTIVITY_KIND_KERNEL; DELETE FROM CUPTI_ACTIVITY_KIND_MEMCPY;"
             "DELETE FROM CUPTI_ACTIVITY_KIND_RUNTIME; DELETE FROM NVTX_EVENTS;");
    const CliRun empty = runCli({"stats", QString::fromStdString(none.path())});
    QCOMPARE(empty.code, 0);
    QVERIFY2(empty.output.isEmpty() && empty.errorLines() == 1 && empty.errors.contains("has no data"),
        empty.errors.constData());
}

void CliStatsTest::writesFiles()
{
    const QTemporaryDir folder;
    const QString prefix = folder.filePath("out");
    CliRun run = runCli({"stats", "--report", "cuda_gpu_kern_sum:base,cuda_api_sum", "--format", "csv",
        "--output", prefix, m_path});
    QCOMPARE(run.code, 0);
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files),
        (QStringList{"out_cuda_api_sum.csv", "out_cuda_gpu_kern_sum_base.csv"}));
    QVERIFY(readFile(prefix + "_cuda_gpu_kern_sum_base.csv").endsWith(",scale\n"));

    run = runCli({"stats", "--report", "cuda_api_sum", "--format", "markdown", "--output",
        folder.path() + "/new/", m_path});
    QCOMPARE(run.code, 0);
    QVERIFY(readFile(folder.filePath("new/report_cuda_api_sum.md")).contains("| Time"));

    run = runCli({"stats", "--report", "cuda_api_sum", "--output", "/proc/no/where", m_path});
    QCOMPARE(run.code, 4);
    QCOMPARE(run.errorLines(), 1);
}

void CliStatsTest::refusesToOverwriteItsOwnFiles()
{
    const QTemporaryDir folder;
    QCOMPARE(runCli({"stats", "--output", folder.filePath("out"), m_path, m_path + "x"}).code, 2);
    QCOMPARE(runCli({"stats", "--output", folder.path(), m_path, m_path}).code, 2);
    QVERIFY(QDir(folder.path()).isEmpty());
    // Nor a report that is being read, under any name.
    const QString name = folder.filePath("out_cuda_gpu_kern_sum.csv");
    QVERIFY(QFile::link(m_path, name));
    const QByteArray before = readFile(m_path);
    const CliRun run = runCli({"stats", "--report", "cuda_gpu_kern_sum", "--format", "csv", "--output",
        folder.filePath("out"), m_path});
    QCOMPARE(run.code, 4);
    QVERIFY2(run.errors.contains("is read"), run.errors.constData());
    QCOMPARE(readFile(m_path), before);
}

void CliStatsTest::goesOnAfterABadReport()
{
    const CliRun run
        = runCli({"stats", "--report", "cuda_gpu_kern_sum", "--format", "json", m_path + ".missing", m_path});
    QCOMPARE(run.code, 3);
    QCOMPARE(run.errorLines(), 1);
    QCOMPARE(run.rows().size(), 1);
}

void CliStatsTest::limitsToARange()
{
    const CliRun run = runCli(
        {"stats", "--report", "cuda_gpu_kern_sum", "--format", "json", "--range", "4500:9000", m_path});
    QCOMPARE(run.code, 0);
    QCOMPARE(run.rows()[0].toObject()["Instances"].toInt(), 1);
}

void CliStatsTest::takesVariants()
{
    const auto nameOf = [&](const QString& table) {
        const CliRun run = runCli({"stats", "--report", table, "--format", "json", m_path});
        return run.rows()[0].toObject()["Name"].toString();
    };
    QCOMPARE(nameOf("cuda_gpu_kern_sum"), "void scale<float>(float*)");
    QCOMPARE(nameOf("cuda_gpu_kern_sum:base"), "scale");
    QCOMPARE(nameOf("cuda_gpu_kern_sum:mangled"), "_Z5scaleIfEvPT_");
}

WARPLINE_TEST(CliStatsTest)

} // namespace tst_cli_stats

#include "tst_cli_stats.moc"
