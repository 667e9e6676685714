// The page for scripts and agents is true: keys that it names are in the output, exit codes are what it says,
// and each finding's command asks on.

#include "tests/app/cli_runner.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>

using namespace warpline::test;

namespace {

const QString report = QStringLiteral(WARPLINE_TEST_DATA "/reports/streams.sqlite");
const QString trained = QStringLiteral(WARPLINE_TEST_DATA "/reports/bert_fp32.sqlite");
const QString cpuOnly = QStringLiteral(WARPLINE_TEST_DATA "/reports/openmp.sqlite");

QString page()
{
    QFile file(WARPLINE_SOURCE_DIR "/docs/cli/contract.md");
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

} // namespace

class CliScriptsTest : public QObject {
    Q_OBJECT

private slots:
    void keysAreThere_data();
    void keysAreThere();
    void findingsAskOn();
    void silenceIsExplained();
    void theSameReportGivesTheSameBytes();
    void exitCodesAreThose();
};

void CliScriptsTest::keysAreThere_data()
{
    QTest::addColumn<QStringList>("command");
    QTest::addColumn<QString>("inside"); // of this list's first entry; empty: of the document
    QTest::addColumn<QStringList>("keys");
    QTest::newRow("info") << QStringList{"info", "--format", "json", report} << QString()
                          << QStringList{"counts", "gpus", "processes", "problems", "diagnostics"};
    QTest::newRow("analyze") << QStringList{"analyze", "--format", "json", report} << QString()
                             << QStringList{"schema_version", "warpline", "overview", "checklist", "findings",
                                    "rules", "savings"};
    QTest::newRow("finding") << QStringList{"analyze", "--format", "json", report} << QString("findings")
                             << QStringList{"id", "rule", "saving_ns", "saving_added_ns", "ask_on",
                                    "may_be_wrong", "confidence", "lowered_because", "remedy", "why",
                                    "events", "ranges"};
    QTest::newRow("rule") << QStringList{"analyze", "--format", "json", report} << QString("rules")
                          << QStringList{"state", "abstained_because"};
    QTest::newRow("question") << QStringList{"analyze", "--format", "json", report} << QString("checklist")
                              << QStringList{"answer", "explanation"};
    QTest::newRow("steps") << QStringList{"steps", "--format", "json", trained} << QString()
                           << QStringList{"schema_version", "steps", "budget_mean", "parts"};
    QTest::newRow("range") << QStringList{"range", "--from", "0", "--to", "1s", "--format", "json", report}
                           << QString() << QStringList{"names", "devices", "kinds"};
    QTest::newRow("ranks") << QStringList{"ranks", "--format", "json", report} << QString()
                           << QStringList{"verdict", "late_rank", "cause", "notes"};
    QTest::newRow("compare") << QStringList{"compare", "--format", "json", trained, trained} << QString()
                             << QStringList{
                                    "schema_version", "verdict", "change_percent", "budget", "reasons"};
}

void CliScriptsTest::keysAreThere()
{
    QFETCH(QStringList, command);
    QFETCH(QString, inside);
    QFETCH(QStringList, keys);
    const CliRun run = runCli(command);
    QJsonObject document = run.report();
    QVERIFY2(!document.isEmpty(), run.errors.constData());
    if (!inside.isEmpty())
        document = document[inside].toArray().first().toObject();
    const QString text = page();
    QVERIFY(!text.isEmpty());
    for (const QString& key : keys) {
        QVERIFY2(document.contains(key), qPrintable(key));
        QVERIFY2(text.contains('`' + key + '`'), qPrintable(key));
    }
}

void CliScriptsTest::findingsAskOn()
{
    const QJsonArray findings
        = runCli({"analyze", "--format", "json", report}).report()["findings"].toArray();
    QVERIFY(!findings.isEmpty());
    for (const QJsonValue& finding : findings) {
        QStringList words = QProcess::splitCommand(finding["ask_on"].toString());
        QCOMPARE(words.takeFirst(), QString("warpline-cli"));
        const CliRun run = runCli(words);
        QVERIFY2(run.code == 0, qPrintable(words.join(' ')));
        QVERIFY2(!run.output.isEmpty(), qPrintable(words.join(' ')));
        // Its events are rows of the export.
        const QJsonArray events = finding["events"].toArray();
        if (events.isEmpty())
            continue;
        const QString sql = QString("SELECT count(*) AS n FROM %1 WHERE rowid = %2")
                                .arg(events.first().toObject()["table"].toString())
                                .arg(events.first().toObject()["row"].toInteger());
        const CliRun row = runCli({"sql", "--format", "json", report, sql});
        QCOMPARE(row.rows().first().toObject()["n"].toInteger(), 1);
    }
}

void CliScriptsTest::silenceIsExplained()
{
    QVERIFY(runCli({"steps", "--format", "json", cpuOnly})
                .report()["abstained_because"]
                .toString()
                .startsWith("No steps were found"));
    QVERIFY(runCli({"steps", "--format", "json", trained}).report()["abstained_because"].isNull());
    QSet<QString> states;
    for (const QString& file : {report, cpuOnly}) {
        const QJsonObject document = runCli({"analyze", "--format", "json", file}).report();
        QSet<QString> found;
        for (const QJsonValue& finding : document["findings"].toArray())
            found << finding["rule"].toString();
        for (const QJsonValue& rule : document["rules"].toArray()) {
            const QString state = rule["state"].toString();
            states << state;
            QCOMPARE(rule["abstained_because"].isNull(), state != "not_recorded");
            if (found.contains(rule["id"].toString()))
                QCOMPARE(state, QString("found"));
        }
    }
    QCOMPARE(states, (QSet<QString>{"found", "nothing", "not_recorded"}));
    const QJsonArray one
        = runCli({"analyze", "--format", "json", "--rule", "gpu_gaps", report}).report()["rules"].toArray();
    QCOMPARE(one.size(), 1);
    for (const QString& state : states)
        QVERIFY(page().contains('`' + state + '`'));
}

void CliScriptsTest::theSameReportGivesTheSameBytes()
{
    for (const QStringList& command : {QStringList{"analyze", "--format", "json", report},
             {"steps", "--format", "json", trained}, {"report", report}})
        QCOMPARE(runCli(command).output, runCli(command).output);
}

void CliScriptsTest::exitCodesAreThose()
{
    QTemporaryDir folder;
    const QList<std::pair<QStringList, int>> runs{
        {{"info", report}, 0},
        {{"analyze", "--fail-on", "info", report}, 1},
        {{"analyze", "--rule", "no_such_rule", report}, 2},
        {{"analyze", "/nowhere.sqlite"}, 3},
        {{"report", report, "-o", "/nowhere/page.html"}, 4},
        {{"compare", report, cpuOnly}, 5},
    };
    for (const auto& [command, code] : runs) {
        const CliRun run = runCli(command);
        QVERIFY2(run.code == code, qPrintable(QString("%1: %2").arg(command.join(' ')).arg(run.code)));
        QVERIFY(page().contains(QString("| %1 |").arg(code)));
        if (code >= 2 && code <= 4)
            QVERIFY2(
                run.errorLines() == 1 && run.errors.startsWith("warpline-cli: "), run.errors.constData());
    }
}

QTEST_GUILESS_MAIN(CliScriptsTest)
#include "tst_cli_scripts.moc"
