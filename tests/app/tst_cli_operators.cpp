// warpline-cli operators: what its rows hold, in which formats, and mistakes.

#include "tests/app/cli_runner.h"

#include <QJsonArray>
#include <QJsonObject>

using namespace warpline::test;

class CliOperatorsTest : public QObject {
    Q_OBJECT

private slots:
    void rowsHoldTheirKeys();
    void groupingsAddUp();
    void mistakesAreNamed();

private:
    QJsonObject document(const QStringList& options) const
    {
        return runCli(QStringList{"operators", "--format", "json"} + options + QStringList{m_path})
            .json()
            .object();
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
        QVERIFY(qAbs(row["roofline_percent"].toDouble() - 100 * row["roofline_ns"].toDouble() / ns) < 1e-9);
        // An H200 moves 4.8 TB a second.
        QVERIFY(qAbs(row["roofline_ns"].toDouble() - row["bytes"].toDouble() / 4.8e3) < 1);
        QCOMPARE(row["bound"].toString(), QString("memory"));
        QCOMPARE(row["shapes"].toArray()[1].toArray(), (QJsonArray{4096, 64}));
        QCOMPARE(row["types"].toArray()[0].toString(), QString("c10::BFloat16"));
    }
    QVERIFY(found);
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

QTEST_GUILESS_MAIN(CliOperatorsTest)
#include "tst_cli_operators.moc"
