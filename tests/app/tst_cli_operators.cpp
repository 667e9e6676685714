// warpline-cli operators: its rows, formats, and errors.

#include "tests/app/cli_runner.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonObject>
#include <QTemporaryDir>

namespace tst_cli_operators {

using namespace warpline::test;

class CliOperatorsTest : public QObject {
    Q_OBJECT

private slots:
    void rowsHoldTheirKeys();
    void compareLeavesOutSkippedFlops();
    void groupingsAddUp();
    void mistakesAreNamed();
    void ownModelsGoFirst();
    void eventsAndNamesHaveTheirWork();

private:
    QJsonObject document(const QStringList& options) const
    {
        return runCli(QStringList{"operators", "--format", "json"} + options + QStringList{m_path}).report();
    }

    const QString m_path = QStringLiteral(WARPLINE_TEST_DATA "/operators/mix.json.gz");
};

void CliOperatorsTest::rowsHoldTheirKeys()
{
    bool found = false;
    for (const QJsonValue& value : document({})["operators"].toArray()) {
        const QJsonObject row = value.toObject();
        for (const char* const key : {"operator", "shapes", "types", "class", "calls", "gpu_ns", "flops",
                 "bytes", "tflops_per_s", "tb_per_s", "roofline_ns", "roofline_percent", "bound"})
            QVERIFY2(row.contains(key), key);
        if (row["operator"] != "aten::addmm")
            continue;
        found = true;
        const double ns = row["gpu_ns"].toDouble();
        QCOMPARE(row["calls"].toInteger(), 3);
        QCOMPARE(row["flops"].toInteger(), 3LL * 2 * 4096 * 4096 * 64);
        // The addend, both operands and the result, of two bytes each.
        QCOMPARE(row["bytes"].toInteger(), 3LL * 2 * (2 * 4096 * 4096 + 2 * 4096 * 64));
        QVERIFY(qAbs(row["tflops_per_s"].toDouble() - row["flops"].toDouble() / ns / 1e3) < 1e-9);
        QVERIFY(qAbs(row["tb_per_s"].toDouble() - row["bytes"].toDouble() / ns / 1e3) < 1e-9);
        QVERIFY(
            qAbs(row["roofline_percent"].toDouble() - 100 * row["roofline_ns"].toDouble() / ns) <= 50.1 / ns);
        // An H200 moves 4.8 TB a second.
        QVERIFY(qAbs(row["roofline_ns"].toDouble() - row["bytes"].toDouble() / 4.8e3) < 1);
        QCOMPARE(row["bound"].toString(), QString("memory"));
        QCOMPARE(row["shapes"].toArray()[1].toArray(), (QJsonArray{4096, 64}));
        QCOMPARE(row["types"].toArray()[0].toString(), QString("c10::BFloat16"));
    }
    QVERIFY(found);
}

/// Of a grouped convolution's gradient; see docs/operators.md.
void CliOperatorsTest::compareLeavesOutSkippedFlops()
{
    const QString path = QStringLiteral(WARPLINE_TEST_DATA "/operators/net.json.gz");
    const auto grouped = [](const QJsonArray& rows) {
        for (const QJsonValue& row : rows) {
            if (row["flops_skipped"].toInteger() > 0
                || row["a_name"].toString().startsWith(
                    "aten::convolution_backward [[32,128,32,32],[32,128,32,32],[128,4,3,3]"))
                return row.toObject();
        }
        return QJsonObject();
    };
    const QJsonObject whole
        = grouped(runCli({"operators", "--format", "json", path}).report()["operators"].toArray());
    const QJsonObject compared
        = grouped(runCli({"compare", "--report", "operators", "--format", "json", path, path})
                      .report()["operators"]
                      .toArray());
    const double ns = whole["gpu_ns"].toDouble();
    QCOMPARE(compared["a_ns"].toDouble(), ns);
    const double flops = whole["flops"].toDouble();
    QVERIFY(qAbs(whole["tflops_per_s"].toDouble() - flops / ns / 1e3) < 1e-9);
    const double kept = flops - whole["flops_skipped"].toDouble();
    QVERIFY(kept < flops);
    QVERIFY(qAbs(compared["a_tflops_per_s"].toDouble() - kept / ns / 1e3) < 1e-6);
}

void CliOperatorsTest::groupingsAddUp()
{
    const qint64 gpu = document({})["gpu_ns"].toInteger();
    QVERIFY(gpu > 0);
    for (const char* const by : {"operator", "module", "class"}) {
        const QJsonObject grouped = document({"--by", by});
        QCOMPARE(grouped["by"].toString(), QString(by));
        QCOMPARE(grouped["gpu_ns"].toInteger(), gpu);
    }
    QVERIFY(runCli({"operators", "--format", "csv", m_path})
                .output.startsWith("GPU Time (ns),Calls,FLOPs,Bytes"));
    QVERIFY(runCli({"operators", m_path}).output.contains("aten::addmm"));
}

void CliOperatorsTest::mistakesAreNamed()
{
    QCOMPARE(runCli({"operators", "--by", "nothing", m_path}).code, 2);
    QCOMPARE(runCli({"operators", "--range", "5", m_path}).code, 2);
    QCOMPARE(runCli({"operators", "--nvtx", "no such range", m_path}).code, 2);
    QCOMPARE(runCli({"operators", "/nowhere.sqlite"}).code, 3);
}

/// Those of --models, else those of the configuration folder; mistakes name file and line.
void CliOperatorsTest::ownModelsGoFirst()
{
    QTemporaryDir folder;
    QVERIFY(QDir(folder.path()).mkpath("warpline"));
    const auto write = [&](const QString& name, const QByteArray& text) {
        QFile file(folder.filePath(name));
        return file.open(QIODevice::WriteOnly) && file.write(text) == text.size() ? file.fileName()
                                                                                  : QString();
    };
    const auto flops = [&](const QStringList& options) {
        for (const QJsonValue& row :
            document(options + QStringList{"--by", "operator"})["operators"].toArray()) {
            if (row["operator"] == "aten::addmm")
                return row["flops"].toInteger(-1);
        }
        return qint64{-2};
    };
    const QString mine = write("mine.txt", "operator aten::addmm\nflops 7 * dim(1, 0)\n");
    QCOMPARE(flops({"--models", mine}), 3LL * 7 * 4096);
    const QString wrong = write("wrong.txt", "operator aten::addmm\nflops 7 * dims(1, 0)\n");
    const CliRun run = runCli({"operators", "--models", wrong, m_path});
    QCOMPARE(run.code, 2);
    QVERIFY2(
        run.errors.contains("wrong.txt, line 2: ") && run.errors.contains("'dims'"), run.errors.constData());
    QCOMPARE(runCli({"operators", "--models", folder.filePath("none.txt"), m_path}).code, 2);
    QCOMPARE(runCli({"operators", "--models", folder.path(), m_path}).code, 2);

    const QByteArray before = qgetenv("XDG_CONFIG_HOME");
    qputenv("XDG_CONFIG_HOME", folder.path().toUtf8());
    write("warpline/operator-models.txt", "operator aten::addmm\nflops 9\n");
    const qint64 byFolder = flops({});
    const qint64 byOption = flops({"--models", mine});
    write("warpline/operator-models.txt", "operator aten::addmm\nflops\n");
    const CliRun broken = runCli({"operators", m_path});
    before.isEmpty() ? qunsetenv("XDG_CONFIG_HOME") : qputenv("XDG_CONFIG_HOME", before);
    QCOMPARE(byFolder, 3LL * 9);
    QCOMPARE(byOption, 3LL * 7 * 4096);
    QCOMPARE(broken.code, 0);
    QVERIFY2(broken.errors.contains("operator-models.txt, line 2: "), broken.errors.constData());
}

/// Kernels sorted by their rates, and all kernels of a name; ordinary reports have no such columns.
void CliOperatorsTest::eventsAndNamesHaveTheirWork()
{
    const QJsonArray rows
        = runCli({"events", "--where", "kind=kernel", "--sort", "roofline", "--format", "json", m_path})
              .report()["rows"]
              .toArray();
    QVERIFY(rows.size() > 10);
    double last = 1e9;
    int known = 0;
    for (const QJsonValue& row : rows) {
        const QJsonValue share = row.toObject()["Roofline (%)"];
        QVERIFY(share.isNull() || share.toDouble() <= last * 1.000001);
        last = share.isNull() ? -1 : share.toDouble();
        known += share.isNull() ? 0 : 1;
    }
    QVERIFY(known > 10);
    const QString name = rows[0].toObject()["Name"].toString();
    const QJsonObject report = runCli({"name", "--format", "json", m_path, name}).report();
    QVERIFY(report["roofline_percent"].toDouble() > 0);
    QVERIFY(report["tflops_per_s"].isDouble() && report["tb_per_s"].isDouble());
    QVERIFY(QStringList({"compute", "memory", "launch"}).contains(report["bound"].toString()));
}

WARPLINE_TEST(CliOperatorsTest)

} // namespace tst_cli_operators

#include "tst_cli_operators.moc"
