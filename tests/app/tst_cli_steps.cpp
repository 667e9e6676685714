// warpline-cli steps: its JSON, parts that add up, the page for a report of a week, and messages for missing
// data.

#include "tests/app/cli_runner.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonObject>
#include <QTemporaryDir>

namespace tst_cli_steps {

using namespace warpline::test;

namespace {

const QString report = QStringLiteral(WARPLINE_TEST_DATA "/reports/graph_nvtx.sqlite");

qint64 lengthOf(const QJsonValue& range)
{
    return range["end"].toInteger() - range["start"].toInteger();
}

qint64 sumOf(const QJsonObject& budget)
{
    qint64 sum = 0;
    for (const QJsonValue& part : budget)
        sum += part.toInteger();
    return sum;
}

} // namespace

class CliStepsTest : public QObject {
    Q_OBJECT

private slots:
    void criticalPathsAddUp()
    {
        const CliRun run = runCli({"steps", "--critical-path", "--format", "json", report});
        QCOMPARE(run.code, 0);
        const QJsonObject json = run.report();
        const QJsonObject gpu = json["gpus"].toArray().at(0).toObject();
        QCOMPARE(gpu["pattern"].toString(), QString("token_#"));
        QCOMPARE(sumOf(gpu["critical_path"].toObject()), gpu["mean_ns"].toInteger());
        for (const QJsonValue& each : gpu["steps"].toArray()) {
            const QJsonObject step = each.toObject();
            QCOMPARE(sumOf(step["critical_path"].toObject()), lengthOf(step["gpu_range_ns"]));
            for (const QString& part : step["critical_path"].toObject().keys())
                QVERIFY(!json["parts"].toObject()[part].toObject()["title"].toString().isEmpty());
        }
        const CliRun text = runCli({"steps", "--critical-path", report});
        QVERIFY(text.output.contains("Largest part: ") && text.output.contains("Critical Path"));
        QCOMPARE(runCli({"steps", "--critical-path", "--summary", report}).code, 2);
        QVERIFY(runCli({"steps", "--critical-path", "--format", "csv", report})
                    .output.startsWith("Step,PID,TID,GPU"));
    }

    void stepsOfThreadsDiffer()
    {
        const QString threads = QStringLiteral(WARPLINE_TEST_DATA "/reports/payload.sqlite");
        const QJsonObject json = runCli({"steps", "--format", "json", threads}).report();
        QCOMPARE(json["pid"], json["others"][0]["pid"]);
        QVERIFY(json["tid"].toInt() > 0 && json["tid"] != json["others"][0]["tid"]);
        for (const QStringList& call : {QStringList{"steps"}, QStringList{"steps", "--critical-path"},
                 QStringList{"steps", "--summary"}}) {
            QStringList heads;
            const QString text = QString::fromUtf8(runCli(call + QStringList{threads}).output);
            for (const QString& line : text.split('\n')) {
                if (line.contains("solve") && line.contains(" of process ") && line.contains(", thread "))
                    heads << line;
            }
            QCOMPARE(heads.size(), 2);
            QVERIFY(heads[0].section(':', 0, 0) != heads[1].section(':', 0, 0));
        }
        QVERIFY(!runCli({"steps", report}).output.contains(", thread "));
    }

    void aBrokenFileOfClassesIsTold()
    {
        QTemporaryDir folder;
        QVERIFY(QDir(folder.path()).mkpath("warpline"));
        QFile file(folder.filePath("warpline/kernel-classes.txt"));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("nonsense my_kernel\n") > 0);
        file.close();
        const QByteArray before = qgetenv("XDG_CONFIG_HOME");
        qputenv("XDG_CONFIG_HOME", folder.path().toUtf8());
        const CliRun run = runCli({"steps", report});
        before.isEmpty() ? qunsetenv("XDG_CONFIG_HOME") : qputenv("XDG_CONFIG_HOME", before);
        QCOMPARE(run.code, 0); // the built-in rules do
        QVERIFY2(run.errors.contains("kernel-classes.txt")
                && run.errors.contains("Warpline's own rules are used."),
            run.errors.constData());
    }

    void budgetsAddUp()
    {
        const CliRun run = runCli({"steps", "--format", "json", report});
        QCOMPARE(run.code, 0);
        const QJsonObject json = run.report();
        QCOMPARE(json["pattern"].toString(), QString("token_#"));
        QCOMPARE(json["found_by"].toString(), QString("nvtx"));
        const QJsonArray steps = json["steps"].toArray();
        QCOMPARE(steps.size(), 50);
        qint64 before = 0;
        for (const QJsonValue& each : steps) {
            const QJsonObject step = each.toObject();
            QCOMPARE(sumOf(step["budget"].toObject()), lengthOf(step["gpu_range_ns"]));
            QVERIFY(lengthOf(step["host_range_ns"]) > 0);
            QVERIFY(step["warm_up"].isBool() && step["outlier"].isBool());
            if (before != 0)
                QCOMPARE(step["gpu_range_ns"]["start"].toInteger(), before); // one ends where the next begins
            before = step["gpu_range_ns"]["end"].toInteger();
        }
        QCOMPARE(steps.last().toObject()["whole"].toBool(), false);
        QVERIFY(json["median_gpu_ns"].toInteger() > 0 && json["median_host_ns"].toInteger() > 0);
        // 150 kernels a replay, a quarter each of products, norms and activations.
        QVERIFY(json["budget_mean"].toObject()["compute_gemm"].toInteger() > 0);
        for (const QString& part : json["budget_mean"].toObject().keys())
            QVERIFY2(
                !json["parts"].toObject()[part].toObject()["title"].toString().isEmpty(), qPrintable(part));
    }

    void printsTables()
    {
        const CliRun text = runCli({"steps", report});
        QCOMPARE(text.code, 0);
        QVERIFY(text.output.contains("Matrix products") && text.output.contains("token_49"));
        const CliRun csv = runCli({"steps", "--format", "csv", report});
        QCOMPARE(csv.output.count('\n'), 51);
        QVERIFY(csv.output.startsWith("Step,Note,PID,TID,GPU,"));
        // A part without time in a step is 0; blank means unknown, and does not count in means.
        for (const QStringList& call : {QStringList{"steps"}, QStringList{"steps", "--critical-path"}}) {
            const QString bert = QStringLiteral(WARPLINE_TEST_DATA "/reports/bert_fp32.sqlite");
            const QList<QByteArray> lines
                = runCli(call + QStringList{"--format", "csv", bert}).output.trimmed().split('\n');
            QVERIFY(lines.size() > 4);
            int zeros = 0;
            for (const QByteArray& line : lines) {
                const QList<QByteArray> fields = line.split(',');
                zeros += static_cast<int>(fields.count("0"));
                QVERIFY2(fields.indexOf("", 2) < 0, line); // the second is a note
            }
            QVERIFY(zeros > static_cast<int>(lines.size())); // in addition to the number of the GPU
        }
    }

    void takesTheRangesThatAreNamed()
    {
        const CliRun named = runCli({"steps", "--nvtx", "token_1?", "--format", "json", report});
        QCOMPARE(named.report()["steps"].toArray().size(), 10);
        const CliRun none = runCli({"steps", "--nvtx", "nothing", "--format", "json", report});
        QVERIFY(none.code == 2 && none.reports().isEmpty() && none.codes() == QStringList{"wrong_usage"});
        const CliRun near = runCli({"steps", "--nvtx", "tokn_*", report});
        QVERIFY2(near.code == 2 && near.errors.contains("did you mean token_*?"), near.errors);
    }

    void summarizes()
    {
        const CliRun page = runCli({"steps", "--summary", "--tokens", "1", report});
        QCOMPARE(page.code, 0);
        QVERIFY(page.output.startsWith("# Where the steps' time went"));
        QVERIFY(page.output.contains("p90") && page.output.contains("Tokens per second: "));
        const CliRun run = runCli(
            {"steps", "--summary", "--format", "json", "--flops", "1e9", "--peak-flops", "1e15", report});
        const QJsonObject json = run.report();
        const QJsonObject steps = json["steps"].toArray().at(0).toObject();
        const double median = steps["gpu"].toObject()["median_ns"].toDouble();
        QVERIFY(median > 0 && steps["gpu"].toObject()["p99_ns"].toDouble() >= median);
        QVERIFY(std::abs(steps["mfu"].toDouble() - 1e9 / (median / 1e9) / 1e15) < 1e-9);
        QVERIFY(steps["tokens_per_second"].isNull());
        const QJsonObject whole = runCli({"steps", "--format", "json", report}).report();
        QCOMPARE(
            json["steps"].toArray().at(0)["median_host_ns"].toDouble(), whole["median_host_ns"].toDouble());
        double shares = 0;
        for (const QJsonValue& share : steps["shares"].toObject())
            shares += share.toDouble();
        QVERIFY2(std::abs(shares - 1) < 1e-3, qPrintable(QString::number(shares)));
        QVERIFY(!json["machine"].toObject()["gpus"].toArray().isEmpty());
        QCOMPARE(runCli({"steps", "--summary", "--format", "csv", report}).code, 2);
    }

    void takesClassesOfTheUsers()
    {
        QTemporaryDir folder;
        QFile file(folder.filePath("classes.txt"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("\xEF\xBB\xBF" // a byte order mark
                   "class mine My kernels\nmine gelu\n");
        file.close();
        const CliRun run = runCli({"steps", "--classes", file.fileName(), "--format", "json", report});
        QVERIFY(run.report()["budget_mean"].toObject()["compute_mine"].toInteger() > 0);
        QCOMPARE(runCli({"steps", "--classes", folder.filePath("none.txt"), report}).code, 2);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("nosuch gelu\n");
        file.close();
        const CliRun wrong = runCli({"steps", "--classes", file.fileName(), report});
        QCOMPARE(wrong.code, 2);
        QVERIFY(wrong.errors.contains("line 1"));
        QCOMPARE(wrong.errorLines(), qsizetype{1});
    }
};

WARPLINE_TEST(CliStepsTest)

} // namespace tst_cli_steps

#include "tst_cli_steps.moc"
