// warpline-cli whatif: its JSON and table, and messages for changes without effect.

#include "core/replay/apply_cure.h"
#include "tests/app/cli_runner.h"
#include "tests/support/test_program.h"

#include <QJsonArray>
#include <QJsonObject>

namespace tst_cli_whatif {

using namespace warpline;
using namespace warpline::test;

namespace {

const QString report = QStringLiteral(WARPLINE_TEST_DATA "/reports/graph_nvtx.sqlite");

} // namespace

class CliWhatIfTest : public QObject {
    Q_OBJECT

private slots:
    void scaledKernelsSaveTime()
    {
        const CliRun run = runCli({"whatif", "--scale", "kernel=*:0.5", "--format", "json", report});
        QCOMPARE(run.code, 0);
        const QJsonObject gpu = run.report()["gpus"].toArray().at(0).toObject();
        QCOMPARE(gpu["pattern"].toString(), QString("token_#"));
        QVERIFY(gpu["changed"].toInt() > 0);
        QCOMPARE(gpu["measured_ns"].toInteger(), gpu["replayed_ns"].toInteger());
        QVERIFY(gpu["expected_ns"].toInteger() < gpu["replayed_ns"].toInteger());
        const QJsonObject range = gpu["expected_range_ns"].toObject();
        QVERIFY(range["low"].toInteger() <= gpu["expected_ns"].toInteger()
            && gpu["expected_ns"].toInteger() <= range["high"].toInteger());
        const CliRun none = runCli({"whatif", "--scale", "kernel=*:1", "--format", "json", report});
        const QJsonObject same = none.report()["gpus"].toArray().at(0).toObject();
        QCOMPARE(same["expected_ns"].toInteger(), same["measured_ns"].toInteger());
        QCOMPARE(same["edits"][0]["factor"]["expected"].toDouble(), 1.0);
        // Longer kernels cost time, and are no saving of nothing.
        const CliRun slower = runCli({"whatif", "--scale", "kernel=*:3", "--format", "json", report});
        QVERIFY(slower.report()["gpus"].toArray().at(0).toObject()["saving_percent"].toDouble() < 0);
        QVERIFY(runCli({"whatif", report}).output.contains("Replayed unchanged"));
    }

    /// The first column names what is replayed.
    void aRunWithoutTwoStepsIsNoStep()
    {
        const auto headIn = [](const QString& file) {
            const QList<QByteArray> lines = runCli({"whatif", file}).output.split('\n');
            return lines.value(2).trimmed().split(' ').front();
        };
        QVERIFY(headIn(report) != headIn(WARPLINE_TEST_DATA "/traces/bert_stack.json.gz"));
    }

    /// An option's value does not consume the report.
    void aReportMayFollowAValue()
    {
        for (const QStringList& options :
            {QStringList{"--without", "kernel=*"}, {"--scale", "kernel=*:0.5"}}) {
            const CliRun run
                = runCli(QStringList{"whatif"} + options + QStringList{report, "--format", "json"});
            QVERIFY2(run.code == 0, run.errors.constData());
            QCOMPARE(run.report()["gpus"].toArray().size(), 1);
        }
        const CliRun two = runCli({"whatif", "--scale", "kernel=*:0.5", "--without", "kernel=*", report});
        QVERIFY2(two.code == 0, two.errors.constData());
    }

    void everyCureIsAnOption()
    {
        const QByteArray help = runCli({"whatif", "--help"}).output;
        for (const CureSwitch* const cure : allSwitches()) {
            QVERIFY(help.contains(std::string(cure->option).c_str()));
            const QString value = QString::fromStdString(std::string(cure->value));
            QStringList words{"whatif", QString::fromStdString(std::string(cure->option))};
            if (!value.isEmpty())
                words << value;
            const CliRun run = runCli(words + QStringList{report});
            // It has an effect, or the message names what is missing: it is never unknown.
            QVERIFY2(run.code == 0 || run.errors.contains("the replayed time has"), run.errors.constData());
        }
    }

    void whatFitsNothingIsNamed()
    {
        const QStringList wrong[]{{"--without", "kernel=nothing*"}, {"--without", "allocation"},
            {"--overlap", "communication"}, {"--ready-input", "--graph"}};
        for (const QStringList& options : wrong) {
            const CliRun run = runCli(QStringList{"whatif"} + options + QStringList{report});
            QCOMPARE(run.code, 2);
            QVERIFY2(run.errors.contains(options.front().toUtf8()), run.errors.constData());
        }
        QVERIFY(runCli({"whatif", "--without", "kernel=nothing*", report}).errors.contains("nothing*"));
        for (const QStringList& options : {QStringList{"--without", "time"}, {"--scale", "kernel=a"},
                 {"--scale", "kernel=a:x"}, {"--scale", "kernel=a:nan"}, {"--scale", "copy=a:1"},
                 {"--scale", "kernel=a:-1"}, {"--overlap", "all"}, {"--steps", "nosuchstep"}})
            QCOMPARE(runCli(QStringList{"whatif"} + options + QStringList{report}).code, 2);
    }
};

WARPLINE_TEST(CliWhatIfTest)

} // namespace tst_cli_whatif

#include "tst_cli_whatif.moc"
