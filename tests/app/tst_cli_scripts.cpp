// Checks the page for scripts and agents: its keys are in the output, exit codes match, and the command of
// each finding works.

#include "core/export/wrapped_text.h"
#include "tests/app/cli_runner.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>

#include <algorithm>

namespace tst_cli_scripts {

using namespace warpline::test;

namespace {

const QString report = QStringLiteral(WARPLINE_TEST_DATA "/reports/streams.sqlite");
const QString trained = QStringLiteral(WARPLINE_TEST_DATA "/reports/bert_fp32.sqlite");
const QString graph = QStringLiteral(WARPLINE_TEST_DATA "/reports/graph_nvtx.sqlite");
const QString cpuOnly = QStringLiteral(WARPLINE_TEST_DATA "/reports/openmp.sqlite");

/// The contract, and the page with the table of questions that it points to.
QString page()
{
    QString text;
    for (const char* const path : {"/docs/cli/contract.md", "/docs/cli/README.md"}) {
        QFile file(QString(WARPLINE_SOURCE_DIR) + path);
        text += file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
    }
    return text;
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
    void errorsAreData();
    void filesAreWrittenWhole();
    void filesThatAreReadStay();
    void helpHasTopics();
    void tablesFitTheTerminal();
};

void CliScriptsTest::keysAreThere_data()
{
    QTest::addColumn<QStringList>("command");
    QTest::addColumn<QString>("inside"); // of this list's first entry; empty: of the document
    QTest::addColumn<QStringList>("keys");
    QTest::newRow("info") << QStringList{"info", "--format", "json", report} << QString()
                          << QStringList{"counts", "gpus", "processes", "problems", "diagnostics"};
    QTest::newRow("analyze") << QStringList{"analyze", "--format", "json", report} << QString()
                             << QStringList{"overview", "checklist", "findings", "rules", "savings"};
    QTest::newRow("finding") << QStringList{"analyze", "--format", "json", report} << QString("findings")
                             << QStringList{"id", "rule", "saving_ns", "saving_added_ns", "ask_on",
                                    "may_be_wrong", "confidence", "lowered_because", "remedy", "why",
                                    "events", "ranges"};
    QTest::newRow("rule") << QStringList{"analyze", "--format", "json", report} << QString("rules")
                          << QStringList{"state", "abstained_because"};
    QTest::newRow("question") << QStringList{"analyze", "--format", "json", report} << QString("checklist")
                              << QStringList{"answer", "explanation"};
    QTest::newRow("steps") << QStringList{"steps", "--format", "json", trained} << QString()
                           << QStringList{"steps", "budget_mean", "parts"};
    QTest::newRow("range") << QStringList{"range", "--range", "0:1s", "--format", "json", report} << QString()
                           << QStringList{"names", "devices", "kinds"};
    QTest::newRow("ranks") << QStringList{"ranks", "--format", "json", report} << QString()
                           << QStringList{"verdict", "late_rank", "cause", "notes"};
    QTest::newRow("compare") << QStringList{"compare", "--format", "json", trained, trained} << QString()
                             << QStringList{"verdict", "change_percent", "budget", "reasons", "hints"};
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
        words.removeOne("--explain");
        const QJsonArray again = runCli(words << "--format"
                                              << "json")
                                     .report()["findings"]
                                     .toArray();
        QVERIFY2(
            std::ranges::any_of(again, [&](const QJsonValue& each) { return each["id"] == finding["id"]; }),
            qPrintable(words.join(' ')));
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
    const QList<std::pair<QStringList, int>> runs{
        {{"info", report}, 0},
        {{"analyze", "--fail-on", "info", report}, 1},
        {{"analyze", "--rule", "no_such_rule", report}, 2},
        {{"analyze", "/nowhere.sqlite"}, 3},
        {{"info", report, "-o", "/nowhere/info.txt"}, 4},
        {{"compare", report, cpuOnly}, 5},
        {{"compare", "--a-steps", "5", "--b-steps", "25", graph}, 6},
        {{"sql", "--rows", "1", report, "SELECT 1 UNION SELECT 2"}, 7},
        {{"ranks", report, cpuOnly}, 9},
    };
    QFile file(WARPLINE_SOURCE_DIR "/docs/cli/exit-codes.md");
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QString codes = QString::fromUtf8(file.readAll());
    const CliRun help = runCli({"help", "exit-codes"});
    QVERIFY(!help.output.contains("gate_failed")); // it is never among the errors
    for (const auto& [command, code] : runs) {
        const CliRun run = runCli(command);
        QVERIFY2(run.code == code, qPrintable(QString("%1: %2").arg(command.join(' ')).arg(run.code)));
        const QStringList asked = QStringList(command) << "--format"
                                                       << "json";
        const CliRun told = runCli(asked);
        QCOMPARE(told.code, code);
        QVERIFY(codes.contains(QString("| %1 |").arg(code)));
        QVERIFY(help.output.contains('\n' + QByteArray::number(code).rightJustified(4) + "  "));
        if (code >= 2 && code != 4) { // the document of 4 cannot be written
            QCOMPARE(told.codes().size(), 1);
            QVERIFY2(codes.contains(QString("| %1 | `%2` |").arg(code).arg(told.codes().first())),
                qPrintable(told.codes().first()));
        }
        if (code >= 2 && code <= 4)
            QVERIFY2(
                run.errorLines() == 1 && run.errors.startsWith("warpline-cli: "), run.errors.constData());
    }
}

void CliScriptsTest::errorsAreData()
{
    const CliRun run = runCli({"info", "--format", "json", "/nowhere.sqlite", report, "/none.sqlite"});
    QCOMPARE(run.code, 3);
    const QJsonObject document = run.document();
    QCOMPARE(document["schema"].toString(), QString("urn:warpline:schema:info"));
    QCOMPARE(document["command"].toString(), QString("info"));
    QCOMPARE(run.reports().size(), 1);
    const QJsonArray errors = document["errors"].toArray();
    QCOMPARE(errors.size(), 2);
    QCOMPARE(errors[1]["file"].toString(), QString("/none.sqlite"));
    QVERIFY(run.errors.contains(errors[1]["message"].toString().toUtf8())); // the same as for people
    // One report has the shape of several.
    QCOMPARE(runCli({"info", "--format", "json", report}).report(), run.report());
    const CliRun wrong = runCli({"analyze", "--format", "json", "--rules", "x", report});
    QCOMPARE(wrong.codes(), QStringList{"wrong_usage"});
    QVERIFY(wrong.document()["errors"][0]["message"].toString().contains("--rule"));
    QVERIFY(wrong.document()["errors"][0]["hint"].toString().contains("--help"));
}

void CliScriptsTest::filesAreWrittenWhole()
{
    const QTemporaryDir folder;
    const QString file = folder.filePath("info.json");
    QCOMPARE(runCli({"info", "--format", "json", report, "-o", file}).code, 0);
    QFile written(file);
    QVERIFY(written.open(QIODevice::ReadOnly));
    QCOMPARE(written.readAll(), runCli({"info", "--format", "json", report, "-o", "-"}).output);
    const CliRun again = runCli({"words", "idle", "-o", file});
    QVERIFY(again.code == 4 && again.errors.contains("--force"));
    QCOMPARE(runCli({"words", "idle", "-o", file, "--force"}).code, 0);
    QCOMPARE(QFileInfo(file).size(), runCli({"words", "idle"}).output.size());
    // That it is there is said before the work: the report is not even looked for.
    const CliRun early = runCli({"info", folder.filePath("missing.sqlite"), "-o", file});
    QVERIFY2(early.code == 4 && early.errors.contains("--force") && early.errorLines() == 1,
        early.errors.constData());
    const CliRun intoFolder = runCli({"info", folder.filePath("missing.sqlite"), "-o", folder.path()});
    QVERIFY2(
        intoFolder.code == 4 && intoFolder.errors.contains("cannot write"), intoFolder.errors.constData());
    for (const QString& nowhere : {folder.filePath("none/info.json"), file + "/info.json"}) {
        const CliRun noFolder = runCli({"info", folder.filePath("missing.sqlite"), "-o", nowhere});
        QVERIFY2(noFolder.code == 4 && noFolder.errors.contains("cannot write") && noFolder.errorLines() == 1,
            noFolder.errors.constData());
    }
#ifdef Q_OS_UNIX
    // A link to a missing file is there, too.
    const QString link = folder.filePath("link");
    QVERIFY(QFile::link(folder.filePath("missing"), link));
    const CliRun linked = runCli({"words", "idle", "-o", link});
    QVERIFY2(linked.code == 4 && linked.errors.contains("--force"), linked.errors.constData());
    QVERIFY(QFileInfo(link).isSymLink());
    QCOMPARE(runCli({"words", "idle", "-o", link, "--force"}).code, 0);
    QVERIFY(QFile::remove(link));
#endif
    // A report is no output.
    const QString copy = folder.filePath("copy.sqlite");
    QVERIFY(QFile::copy(report, copy));
    QCOMPARE(runCli({"info", copy, "-o", copy, "--force"}).code, 4);
    QCOMPARE(QFileInfo(copy).size(), QFileInfo(report).size());
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files), (QStringList{"copy.sqlite", "info.json"}));
}

void CliScriptsTest::filesThatAreReadStay()
{
    const QTemporaryDir folder;
    const QString a = folder.filePath("a.sqlite");
    const QString b = folder.filePath("b.sqlite");
    QVERIFY(QFile::copy(WARPLINE_TEST_DATA "/pairs/grid_before.sqlite", a));
    QVERIFY(QFile::copy(WARPLINE_TEST_DATA "/pairs/grid_after.sqlite", b));
    const qint64 size = QFileInfo(a).size();
    QVERIFY(QDir(folder.path()).mkdir("sets"));
    const QString set = folder.filePath("sets/s.warpline");
    QFile saved(set);
    QVERIFY(saved.open(QIODevice::WriteOnly));
    saved.write(R"({"warpline_reports": 1, "reports": [{"file": "../a.sqlite"}]})");
    saved.close();
    const QString pattern = folder.filePath("a*.sqlite");
    const QString missing = folder.filePath("missing.sqlite");
    for (const QStringList& command :
        {QStringList{"compare", "--a", b, "--b", a}, {"compare", b + ',' + a, b},
            {"compare", folder.path(), b}, {"compare", pattern, b}, {"compare", set, b},
            {"compare", a + ',' + missing, b, "--format", "json"}, {"history", folder.path()},
            {"ranks", pattern}, {"analyze", b, "--baseline", a, "--fail-on", "high", "--format", "json"}}) {
        QCOMPARE(runCli(command + QStringList{"-o", a, "--force"}).code, 4);
        QVERIFY2(QFileInfo(a).size() == size, qPrintable(command.join(' ')));
    }
#ifdef Q_OS_UNIX
    QProcess process;
    process.setStandardInputFile(a);
    process.start(WARPLINE_CLI, {"info", "-", "-o", a, "--force"});
    QVERIFY(process.waitForFinished());
    QCOMPARE(process.exitCode(), 4);
    QCOMPARE(QFileInfo(a).size(), size);
#endif
    // The capture next to a trace is read with it.
    const auto write = [&](const QString& path) {
        QFile file(path);
        return file.open(QIODevice::WriteOnly) && file.write(R"({"traceEvents": []})") > 0;
    };
    const QString trace = folder.filePath("traces/decode.json");
    const QString capture = folder.filePath("traces/decode.capture.json");
    QVERIFY(QDir(folder.path()).mkdir("traces") && write(trace) && write(capture));
    QCOMPARE(runCli({"info", trace, "-o", capture, "--force"}).code, 4);
    QCOMPARE(QFileInfo(capture).size(), QFileInfo(trace).size());
    // An empty value does not take the next report as the output.
    for (const QStringList& command : {QStringList{"info"}, {"analyze", "--format", "json"}, {"cut"}}) {
        const CliRun empty = runCli(command + QStringList{"--force", "--output=", a, b});
        QVERIFY2(empty.code == 2 && empty.errors.contains("--output has an empty value"),
            qPrintable(command.join(' ') + ": " + empty.errors));
        QCOMPARE(QFileInfo(a).size(), size);
    }
    const CliRun range = runCli({"analyze", "--range=", a});
    QVERIFY2(
        range.code == 2 && range.errors.contains("--range has an empty value"), range.errors.constData());
    // A word that is no file may look like a pattern of the output.
    const QString other = folder.filePath("out.json");
    for (int i = 0; i < 2; ++i)
        QCOMPARE(runCli({"name", b, "*", "--format", "json", "-o", other, "--force"}).code, 0);
    QCOMPARE(runCli({"compare", folder.filePath("b*"), a, "-o", other, "--force"}).code, 0);
}

void CliScriptsTest::helpHasTopics()
{
    const QByteArray help = runCli({"--help"}).output;
    for (const char* topic : {"exit-codes", "environment", "formats", "files", "examples"})
        QVERIFY2(runCli({"help", topic}).output.count('\n') > 3 && help.contains(topic), topic);
    const QByteArray formats = runCli({"help", "formats"}).output;
    for (const char* format :
        {"json", "ndjson", "csv", "junit", "sarif", "brief", "html", "folded", "chrome"})
        QVERIFY2(formats.contains(format), format);
    QCOMPARE(runCli({"help", "compare"}).output, runCli({"compare", "--help"}).output);
    QVERIFY(!runCli({"info", "--help"}).output.contains("A report cannot be read")); // exit codes are a topic
    const CliRun wrong = runCli({"help", "formts"});
    QVERIFY(wrong.code == 2 && wrong.errors.contains("did you mean formats"));
}

void CliScriptsTest::tablesFitTheTerminal()
{
    const QString script = QStandardPaths::findExecutable("script");
    if (script.isEmpty())
        QSKIP("script (util-linux) makes the terminal");
    const auto widest = [](const QByteArray& text) {
        qsizetype most = 0;
        for (const QString& line : QString::fromUtf8(text).split('\n'))
            most = std::max(most, static_cast<qsizetype>(warpline::columnsOf(line.trimmed().toStdString())));
        return most;
    };
    const QStringList asked{"stats", "--report", "cuda_gpu_kern_sum", trained};
    QVERIFY(widest(runCli(asked).output) > 200); // in a pipe names are whole
    QProcess terminal;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("COLUMNS", "150");
    terminal.setProcessEnvironment(environment);
    terminal.start(script,
        {"-qec", '\'' + QStringList{WARPLINE_CLI, asked[0], asked[1], asked[2], asked[3]}.join("' '") + '\'',
            "/dev/null"});
    QVERIFY(terminal.waitForFinished());
    const QByteArray shown = terminal.readAll();
    QVERIFY2(widest(shown) <= 150 && widest(shown) > 100, shown);
    QCOMPARE(shown.count('\n'), runCli(asked).output.count('\n')); // each row is one line
    // Whatever is asked, no line is longer than a small terminal.
    environment.insert("COLUMNS", "80");
    const QList<QStringList> all{{"info", trained}, {"range", "--range", "0.1s:0.2s", trained},
        {"analyze", "--explain", trained}, {"analyze", "--list"}, {"stats", trained}, {"stats", "--list"},
        {"steps", trained}, {"steps", "--critical-path", trained}, {"operators", trained},
        {"whatif", "--without", "launches", trained}, {"ranks", trained}, {"compare", trained, cpuOnly},
        {"history", trained}, {"events", "--top", "9", trained},
        {"name", "--by", "thread", trained, "*Launch*"}, {"samples", "--source", "nvtx", trained},
        {"sql", "--tables", trained}, {"sql", "--question", "top-kernels", trained}, {"words"},
        {"--language", "zh_CN", "words"}, {"--language", "zh_CN", "steps", trained},
        {"--language", "zh_CN", "analyze", "--explain", trained}, {"--help"}, {"analyze", "--help"},
        {"help", "exit-codes"}, {"help", "environment"}, {"help", "formats"}, {"help", "files"},
        {"help", "examples"}, {"--language", "zh_CN", "help", "formats"}};
    for (const QStringList& command : all) {
        QProcess small;
        small.setProcessEnvironment(environment);
        small.start(
            script, {"-qec", '\'' + (QStringList{WARPLINE_CLI} + command).join("' '") + '\'', "/dev/null"});
        QVERIFY(small.waitForFinished());
        // Paths and names of kernels stay whole: they may be part of a command.
        static const QRegularExpression longWord("[!-~]{50,}");
        const QByteArray text = QString::fromUtf8(small.readAllStandardOutput()).remove(longWord).toUtf8();
        QVERIFY2(widest(text) <= 80 && text.count('\n') > 0,
            qPrintable(command.join(' ') + QString::number(widest(text))));
    }
}

WARPLINE_TEST(CliScriptsTest)

} // namespace tst_cli_scripts

#include "tst_cli_scripts.moc"
