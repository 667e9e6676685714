// warpline-cli as a program: exit codes, one clear line for each mistake, complete output or an error, and a
// report that is never touched.

#include "tests/app/cli_runner.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonObject>
#include <QProcess>
#include <QProcessEnvironment>
#include <QStandardPaths>

#include <algorithm>
#include <array>
#include <vector>
#ifdef Q_OS_UNIX
#include <sys/stat.h>
#ifdef Q_OS_LINUX
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>
#endif
#endif

namespace tst_cli {

using namespace warpline::test;

namespace {

void writeFile(const QString& path, const QByteArray& content)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(content), content.size());
}

/// Runs `script` in a shell, with warpline-cli as $0 and `arguments` as $1 and so on. Temporary files go to
/// `folder`.
CliRun runShell(const QString& script, const QStringList& arguments, const QString& folder = QDir::tempPath())
{
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("TMPDIR", folder);
    process.setProcessEnvironment(environment);
    process.start("/bin/sh", QStringList{"-c", script, QStringLiteral(WARPLINE_CLI)} + arguments);
    CliRun run;
    if (process.waitForFinished() && process.exitStatus() == QProcess::NormalExit)
        run.code = process.exitCode();
    run.output = process.readAllStandardOutput();
    run.errors = process.readAllStandardError();
    return run;
}

#ifdef Q_OS_LINUX
/// What warpline-cli writes to a terminal.
QByteArray onTerminal(const QStringList& arguments)
{
    QList<QByteArray> words{QByteArray(WARPLINE_CLI)};
    for (const QString& each : arguments)
        words << each.toLocal8Bit();
    std::vector<char*> given;
    for (QByteArray& each : words)
        given.push_back(each.data());
    given.push_back(nullptr);
    int terminal = -1;
    const pid_t child = forkpty(&terminal, nullptr, nullptr, nullptr);
    if (child == 0) {
        execv(given.front(), given.data());
        _exit(127);
    }
    QByteArray output;
    std::array<char, 4096> part{};
    for (ssize_t read = 0; (read = ::read(terminal, part.data(), part.size())) > 0;) // fails at the end
        output.append(part.data(), read);
    ::close(terminal);
    ::waitpid(child, nullptr, 0);
    return output;
}
#endif

QByteArray readFile(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class CliTest : public QObject {
    Q_OBJECT

private slots:
    void namesOfAReportReachNoTerminal()
    {
        ReportFixture hostile;
        hostile.addSmallReport();
        const std::string escape
            = "char(27) || '[2J' || char(7) || char(155) || char(127) || char(13) || char(10) || 'FORGED: '";
        hostile.run("UPDATE StringIds SET value = value || " + escape
            + ";"
              "UPDATE NVTX_EVENTS SET text = text || "
            + escape
            + ";"
              "UPDATE PROCESSES SET name = name || "
            + escape + ";");
        const QString named = hostile.folder() + "/a\033[2Jb.sqlite";
        QVERIFY(QFile::copy(QString::fromStdString(hostile.path()), named));
        const QList<QStringList> calls{{"info"}, {"analyze"}, {"analyze", "--explain"},
            {"analyze", "--format", "markdown"}, {"analyze", "--format", "html"}, {"stats"},
            {"stats", "--format", "markdown"}, {"steps"}, {"events"}, {"events", "--format", "markdown"},
            {"range", "--from", "0"}, {"name", "scale*"}, {"samples", "--source", "nvtx"},
            {"samples", "--source", "nvtx", "--format", "folded"}, {"sql", "--format", "markdown"}, {"sql"},
            {"report"}, {"ranks"}, {"info", named}, {"compare", named}, {"cut"}};
        for (QStringList call : calls) {
            const QString command = call.front();
            call << named;
            if (command == "sql")
                call << "SELECT value FROM StringIds";
            if (command == "name")
                call.move(1, call.size() - 1);
            const CliRun run = runCli(call);
            for (const char c : run.output + run.errors) {
                const bool isControl
                    = (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') || c == 0x7f;
                QVERIFY2(!isControl, qPrintable(call.join(' ')));
            }
            QVERIFY2(!(run.output + run.errors).contains("\xC2\x9B"), qPrintable(call.join(' ')));
            if (command != "report" && !call.contains("html")) // pages have no lines
                QVERIFY2(!run.output.contains("\nFORGED"), qPrintable(call.join(' ')));
        }
        QVERIFY(runCli({"stats", "--report", "cuda_gpu_kern_sum", named}).output.contains("\\u001b[2J"));
        // Formats for programs hold names as they are, unless a terminal reads them.
        const QStringList csv{"stats", "--report", "cuda_gpu_kern_sum", "--format", "csv", named};
        QVERIFY(runCli(csv).output.contains("\033[2J"));
#ifdef Q_OS_LINUX
        QCOMPARE(onTerminal(csv).count('\033'), 0);
        QVERIFY(onTerminal(csv).contains("\\u001b[2J"));
#endif
        // JSON has it unchanged.
        const CliRun json = runCli({"sql", "--format", "json", named, "SELECT char(27, 155, 127, 10) AS a"});
        QCOMPARE(json.rows().at(0)["a"].toString(), QString(QChar(27)) + QChar(155) + QChar(127) + '\n');
    }

    void explainsItsWords()
    {
        const CliRun all = runCli({"words"});
        QCOMPARE(all.code, 0);
        QVERIFY(all.output.count('\n') >= 40);
        QVERIFY(runCli({"words", "SM"}).output.startsWith("multiprocessor: "));
        QVERIFY(runCli({"words", "page-locked"}).output.startsWith("pinned: "));
        QVERIFY(runCli({"words", "unified"}).output.contains("managed memory: ")); // a part of several
        QCOMPARE(runCli({"words", "no such word"}).code, 2);
    }

    /// The last line of an analysis suggests adding --explain, at any place.
    void optionsOfAnalyzeStandBeforeTheReport()
    {
        const QString path = WARPLINE_TEST_DATA "/reports/ddp_overlap_rank0.sqlite";
        const CliRun behind = runCli({path, "--explain"});
        const CliRun before = runCli({"--explain", path});
        QCOMPARE(before.code, 0);
        QCOMPARE(before.output, behind.output);
        QVERIFY(before.output.contains("What to do: "));
        QCOMPARE(runCli({"--no-such-option", path}).code, 2);
        QCOMPARE(runCli({"--explain"}).code, 2);
    }

    void initTestCase();
    void answersHelpAndVersion_data();
    void answersHelpAndVersion();
    void refusesWrongUsage_data();
    void refusesWrongUsage();
    void refusesWhatIsNoReport_data();
    void refusesWhatIsNoReport();
    void refusesATruncatedReport();
    void namesTheExportCommand_data();
    void namesTheExportCommand();
    void leavesTheReportAlone_data();
    void leavesTheReportAlone();
    void saysWhenTheDiskIsFull_data();
    void saysWhenTheDiskIsFull();
    void isQuietWhenTheReaderWentAway_data();
    void isQuietWhenTheReaderWentAway();
    void closedStandardFilesAreNotMistaken_data();
    void closedStandardFilesAreNotMistaken();
    void namesTheCommands();
    void aReportAloneIsAnalyzed();
    void takesSeveralReports();
    void tellsWhereFiguresComeFrom();
    void listsThresholdsByKey();
    void mistakesAreNamed();
    void streamsAndPackedReportsAreRead();
    void pipesAndCompressedFilesAreSaid();
    void askOnRunsForEveryFileName();
    void listsAreJson();
    void stepsThatNobodyNamedAreAMistake();
    void explainedTextKeepsItsColumns();
    void setsThresholds();
    void cutsRangesToTheReport();
    void saysThatThereIsNoGpuWork();
    void convertsRecordings();
    void describesASmallReport();
    void answersARange();
    void rangesAreHalfOpen();
    void acceptsUnitsAndNegativeTimes();
    void aRuleAloneSaysWhatItTells();
    void failsOnSeverity();
    void writesEveryFormatOfFindings_data();
    void writesEveryFormatOfFindings();
    void escapesNamesInHtml();
    void namesBytesThatAreNoText();

private:
    ReportFixture m_small;
    QString m_path;
};

void CliTest::initTestCase()
{
    m_small.addSmallReport();
    m_path = QString::fromStdString(m_small.path());
}

void CliTest::answersHelpAndVersion_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("expected");
    QTest::newRow("help") << QStringList{"--help"} << QByteArray("analyze");
    QTest::newRow("version") << QStringList{"--version"} << QByteArray("warpline-cli ");
    QTest::newRow("info") << QStringList{"info", "--help"} << QByteArray("--format");
    QTest::newRow("range") << QStringList{"range", "--help"} << QByteArray("--from");
    QTest::newRow("analyze") << QStringList{"analyze", "--help"} << QByteArray("--fail-on");
    QTest::newRow("stats") << QStringList{"stats", "--help"} << QByteArray("--report");
    QTest::newRow("rules") << QStringList{"analyze", "--list"} << QByteArray("gpu_gaps");
    QTest::newRow("tables") << QStringList{"stats", "--list"} << QByteArray("cuda_gpu_kern_sum");
}

void CliTest::answersHelpAndVersion()
{
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, expected);
    const CliRun run = runCli(arguments);
    QCOMPARE(run.code, 0);
    QVERIFY2(run.output.contains(expected), run.output);
    QVERIFY2(run.errors.isEmpty(), run.errors);
}

void CliTest::refusesWrongUsage_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::newRow("nothing") << QStringList{};
    QTest::newRow("no such command") << QStringList{"frobnicate"};
    QTest::newRow("no file") << QStringList{"info"};
    QTest::newRow("no such threshold") << QStringList{"analyze", "--threshold", "gpu_gaps.frob=1", m_path};
    QTest::newRow("threshold of no rule") << QStringList{"analyze", "--threshold", "frob.min=1", m_path};
    QTest::newRow("threshold of words")
        << QStringList{"analyze", "--threshold", "gpu_gaps.min_gap_ns=long", m_path};
    QTest::newRow("no such config") << QStringList{"analyze", "--config", "/nowhere/at/all", m_path};
    QTest::newRow("html of two") << QStringList{"analyze", "--format", "html", m_path, m_path};
    QTest::newRow("no such option") << QStringList{"info", "--frobnicate", m_path};
    QTest::newRow("no such format") << QStringList{"info", "--format", "xml", m_path};
    QTest::newRow("no range") << QStringList{"range", m_path};
    QTest::newRow("half a range") << QStringList{"range", "--from", "0", m_path};
    QTest::newRow("range of words") << QStringList{"range", "--from", "noon", "--to", "2", m_path};
    QTest::newRow("range backwards") << QStringList{"range", "--from", "9", "--to", "2", m_path};
    QTest::newRow("empty range") << QStringList{"range", "--from", "9", "--to", "9", m_path};
    QTest::newRow("no number left") << QStringList{"range", "--from", "", "--to", "ms", m_path};
    QTest::newRow("too large") << QStringList{"range", "--from", "0", "--to", "99999999999999999999", m_path};
    QTest::newRow("analyze nothing") << QStringList{"analyze"};
    QTest::newRow("no such rule") << QStringList{"analyze", "--rule", "gpu_gaps,frobnicate", m_path};
    QTest::newRow("range without colon") << QStringList{"analyze", "--range", "5", m_path};
    QTest::newRow("no such severity") << QStringList{"analyze", "--fail-on", "awful", m_path};
    QTest::newRow("stats of nothing") << QStringList{"stats"};
    QTest::newRow("no such table") << QStringList{"stats", "--report", "frobnicate", m_path};
    QTest::newRow("no such variant") << QStringList{
        "stats", "--report", "cuda_gpu_kern_sum:frobnicate", m_path};
}

void CliTest::refusesWrongUsage()
{
    QFETCH(QStringList, arguments);
    const CliRun run = runCli(arguments);
    QCOMPARE(run.code, 2);
    QVERIFY2(run.output.isEmpty(), run.output);
    QVERIFY2(run.errorLines() == 1 && run.errors.endsWith("--help'.\n"), run.errors);
}

void CliTest::refusesWhatIsNoReport_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("content");
    QTest::newRow("missing") << "missing.sqlite" << QByteArray();
    QTest::newRow("a folder") << "." << QByteArray();
    QTest::newRow("empty") << "empty.sqlite" << QByteArray("");
    QTest::newRow("text") << "text.sqlite" << QByteArray("time,name\n1,step\n");
    QTest::newRow("only the magic") << "magic.sqlite" << QByteArray("SQLite format 3\0", 16);
    QTest::newRow("odd characters") << "a b'\"%20;ü.sqlite" << QByteArray("no database");
}

void CliTest::refusesWhatIsNoReport()
{
    QFETCH(QString, name);
    QFETCH(QByteArray, content);
    const QTemporaryDir folder;
    const QString path = folder.filePath(name);
    if (!content.isNull())
        writeFile(path, content);
    for (const QString& command :
        {QStringLiteral("info"), QStringLiteral("analyze"), QStringLiteral("stats")}) {
        const CliRun run = runCli({command, path});
        QCOMPARE(run.code, 3);
        QVERIFY2(run.output.isEmpty(), run.output);
        QVERIFY2(run.errorLines() == 1 && run.errors.contains(path.toUtf8()), run.errors);
    }

    ReportFixture other;
    other.run("CREATE TABLE moz_places (id INTEGER PRIMARY KEY, url TEXT)");
    const CliRun run = runCli({"info", QString::fromStdString(other.path())});
    QCOMPARE(run.code, 3);
    QVERIFY2(run.errorLines() == 1 && run.errors.contains("another program"), run.errors);
}

void CliTest::refusesATruncatedReport()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath("cut.sqlite");
    const QByteArray whole = readFile(m_path);
    writeFile(path, whole.left(whole.size() / 2));
    const CliRun run = runCli({"info", path});
    QCOMPARE(run.code, 3);
    QVERIFY2(run.errorLines() == 1 && run.errors.contains(path.toUtf8()), run.errors);
}

void CliTest::namesTheExportCommand_data()
{
    QTest::addColumn<QString>("name");
    QTest::newRow("nsys-rep") << "run 1.nsys-rep";
    QTest::newRow("qdrep") << "run.qdrep";
}

void CliTest::namesTheExportCommand()
{
    QFETCH(QString, name);
    const QTemporaryDir folder;
    const QString path = folder.filePath(name);
    writeFile(path, QByteArray("a recording, in a format of its own"));
    const CliRun run = runCli({"info", path});
    QCOMPARE(run.code, 3);
    QCOMPARE(run.errorLines(), 1);
    const QByteArray word = name.contains(' ') ? "'" + path.toUtf8() + "'" : path.toUtf8();
    QVERIFY2(run.errors.contains("nsys export --type sqlite " + word + " and"), run.errors);
}

void CliTest::leavesTheReportAlone_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::newRow("info") << QStringList{"info"};
    QTest::newRow("range") << QStringList{"range", "--from", "0", "--to", "5000"};
    QTest::newRow("analyze") << QStringList{"analyze", "--no-cache"};
    QTest::newRow("stats") << QStringList{"stats"};
}

void CliTest::leavesTheReportAlone()
{
    QFETCH(QStringList, arguments);
    const QByteArray before = readFile(m_path);
    const QDateTime changed = QFileInfo(m_path).lastModified();
    QCOMPARE(runCli(arguments << m_path).code, 0);
    QCOMPARE(readFile(m_path), before);
    QCOMPARE(QFileInfo(m_path).lastModified(), changed);
    QCOMPARE(QDir(m_small.folder()).entryList(QDir::Files),
        QStringList{"report.sqlite"}); // no -wal, -shm, -journal
}

void CliTest::saysWhenTheDiskIsFull_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::newRow("info") << QStringList{"info", m_path};
    QTest::newRow("analyze") << QStringList{"analyze", "--fail-on", "info", m_path};
    QTest::newRow("stats") << QStringList{"stats", m_path};
    QTest::newRow("help") << QStringList{"--help"};
}

void CliTest::saysWhenTheDiskIsFull()
{
    QFETCH(QStringList, arguments);
    if (!QFileInfo::exists("/dev/full"))
        QSKIP("needs /dev/full, which is not there");
    QProcess process;
    process.setStandardOutputFile("/dev/full");
    process.start(QStringLiteral(WARPLINE_CLI), arguments);
    QVERIFY(process.waitForFinished());
    QCOMPARE(process.exitStatus(), QProcess::NormalExit);
    QCOMPARE(process.exitCode(), 4);
    const QByteArray errors = process.readAllStandardError();
    QVERIFY2(errors.count('\n') == 1 && errors.contains("standard output"), errors);
}

void CliTest::isQuietWhenTheReaderWentAway_data()
{
    QTest::addColumn<QString>("command");
    QTest::addColumn<int>("code");
    QTest::newRow("info") << "info --format json" << 0;
    QTest::newRow("a finding reaches --fail-on") << "analyze --fail-on info" << 1;
}

void CliTest::isQuietWhenTheReaderWentAway()
{
    // `true` ends at once: the program writes into a closed pipe, like with `head`.
    QFETCH(QString, command);
    QFETCH(int, code);
    QProcess shell;
    shell.start("bash",
        {"-c", "set -o pipefail; { sleep 0.2; \"$0\" " + command + " \"$1\"; } | true; exit ${PIPESTATUS[0]}",
            QStringLiteral(WARPLINE_CLI), m_path});
    QVERIFY(shell.waitForFinished());
    QCOMPARE(shell.exitCode(), code);
    QCOMPARE(shell.readAllStandardError(), QByteArray());
}

void CliTest::closedStandardFilesAreNotMistaken_data()
{
    QTest::addColumn<QString>("command");
    QTest::addColumn<int>("code");
    QTest::newRow("input") << "info - <&-" << 3;
    QTest::newRow("input, one of several reports") << "analyze --fail-on high - \"$1\" <&-" << 3;
    QTest::newRow("output") << "info \"$1\" >&-" << 4;
    QTest::newRow("all") << "info - <&- >&- 2>&-" << 3;
}

/// Files of the program's own would get their numbers, and reading from them would never end.
void CliTest::closedStandardFilesAreNotMistaken()
{
    QFETCH(QString, command);
    QFETCH(int, code);
    QProcess shell;
    shell.start("bash", {"-c", "\"$0\" " + command, QStringLiteral(WARPLINE_CLI), m_path});
    const bool ended = shell.waitForFinished(10'000);
    shell.kill();
    QVERIFY(ended);
    QCOMPARE(shell.exitCode(), code);
}

void CliTest::namesTheCommands()
{
    const CliRun run = runCli({"foo"});
    QCOMPARE(run.code, 2);
    QVERIFY2(run.errors.contains("Unknown command 'foo'; known: info, range, analyze, stats"), run.errors);
}

void CliTest::aReportAloneIsAnalyzed()
{
    const CliRun alone = runCli({m_path});
    QCOMPARE(alone.code, 0);
    QCOMPARE(alone.output, runCli({"analyze", m_path}).output);
    QVERIFY2(alone.output.endsWith("add --explain or --format markdown.\n"), alone.output);
    QCOMPARE(runCli({m_path, "--fail-on", "info"}).code, 1);
    const CliRun explained = runCli({"analyze", "--explain", m_path});
    QVERIFY2(explained.output.contains("What to do: "), explained.output);
    QCOMPARE(runCli({"missing.sqlite"}).code, 3);
}

void CliTest::takesSeveralReports()
{
    const QString own = QStringLiteral(WARPLINE_TEST_DATA "/reports/streams.sqlite");
    for (const QString& command : {QStringLiteral("analyze"), QStringLiteral("info")}) {
        const CliRun json = runCli({command, "--format", "json", m_path, own});
        QCOMPARE(json.code, 0);
        const QJsonArray list = json.reports();
        QCOMPARE(list.size(), 2);
        QCOMPARE(list[0].toObject()["file"].toString(), m_path);
        QCOMPARE(list[1].toObject()["file"].toString(), own);
        QCOMPARE(list[1].toObject(), runCli({command, "--format", "json", own}).report());
        const CliRun text = runCli({command, m_path, own});
        QCOMPARE(text.code, 0);
        QVERIFY2(text.output.startsWith("== " + m_path.toUtf8() + " ==\n"), text.output);
        QVERIFY(text.output.contains("\n== " + own.toUtf8() + " ==\n"));
        // One that cannot be read does not prevent the others' results.
        const CliRun one = runCli({command, "--format", "json", "missing.sqlite", own});
        QCOMPARE(one.code, 3);
        QCOMPARE(one.reports().size(), 1);
        QCOMPARE(one.codes(), QStringList{"unreadable_report"});
        const CliRun none = runCli({command, "--format", "json", "missing.sqlite", "missing.sqlite"});
        QCOMPARE(none.code, 3);
        QVERIFY2(none.document()["reports"].isArray() && none.reports().isEmpty(), none.output);
        QCOMPARE(none.codes(), (QStringList{"unreadable_report", "unreadable_report"}));
    }
}

void CliTest::tellsWhereFiguresComeFrom()
{
    const QString own = QStringLiteral(WARPLINE_TEST_DATA "/reports/bert_fp32.sqlite");
    const QJsonObject head = runCli({"analyze", "--format", "json", own}).report();
    QVERIFY(!head["file"].toString().isEmpty());
    QCOMPARE(head["file"].toString(), own);
    QVERIFY(head["machine"].toObject()["gpus"].toArray()[0].toObject()["name"].toString().contains("H200"));
    QVERIFY(head["measured"].toObject()["basis"].toString().contains("steady step"));
    QVERIFY(head["measured"].toObject()["duration_ns"].toInteger() > 0);
    QCOMPARE(head["steps"].toArray()[0].toObject()["count"].toInt(), 5);
    QCOMPARE(head["gpu_work"].toBool(), true);
    QVERIFY(head["thresholds"].toObject().isEmpty());
    for (const QJsonValue& answer : head["checklist"].toArray()) {
        const bool judged = !answer["figure"].toString().isEmpty();
        QCOMPARE(answer["value"].isDouble(), judged);
    }
    for (const QJsonValue& finding : head["findings"].toArray())
        QVERIFY(finding["saving_percent"].toDouble(-1) >= 0);
}

void CliTest::listsThresholdsByKey()
{
    const CliRun run = runCli({"analyze", "--list"});
    QCOMPARE(run.code, 0);
    for (const char* const line :
        {"launch_bound.min_idle", "gpu_gaps.min_gap_ns", "pageable_copies.min_bytes"})
        QVERIFY2(run.output.contains(line), line);
    // --threshold accepts the shown default.
    const QByteArray shown = run.output.mid(run.output.indexOf("gpu_gaps.min_gap_ns")).split('\n').front();
    QVERIFY2(shown.contains("500000000ns"), shown.constData());
    const QString own = QStringLiteral(WARPLINE_TEST_DATA "/reports/streams.sqlite");
    QCOMPARE(runCli({"analyze", "--threshold", "gpu_gaps.min_gap_ns=500000000ns", own}).code, 0);
}

void CliTest::mistakesAreNamed()
{
    const QList<std::pair<QStringList, QByteArray>> mistakes{
        {{"info", "-q", m_path}, "there is no option '-q'"},
        {{"compare", "--hlp"}, "'--hlp' (did you mean --help?)"},
        {{"analyze", "--fail_on=high", m_path}, "'--fail_on' (did you mean --fail-on?)"},
        {{"range", "--from", "-5", "--too", "9", m_path}, "'--too' (did you mean --to?)"},
        {{"compre", "a", "b"}, "(did you mean compare?)"},
        {{"analyze", "--rule", "gpu_gap", m_path}, "(did you mean gpu_gaps?)"},
        {{"stats", "--report", "cuda_gpu_kernsum", m_path}, "(did you mean cuda_gpu_kern_sum?)"},
        {{"sql", "--question", "top-kernel", m_path}, "(did you mean top-kernels?)"}};
    for (const auto& [arguments, words] : mistakes) {
        const CliRun run = runCli(arguments);
        QVERIFY2(run.code == 2 && run.errorLines() == 1 && run.errors.contains(words), run.errors);
    }
    QCOMPARE(runCli({"help", "compare"}).output, runCli({"compare", "--help"}).output);
    QCOMPARE(runCli({"help"}).output, runCli({"--help"}).output);
}

/// A report through a pipe, or packed, gives the same as the file, except for its name.
void CliTest::streamsAndPackedReportsAreRead()
{
#ifdef Q_OS_UNIX
    const QTemporaryDir folder;
    const QString trace = folder.filePath("trace.json");
    QCOMPARE(
        runShell("gzip -dc \"$1\" > \"$2\"", {WARPLINE_TEST_DATA "/traces/cnn_workers0.json.gz", trace}).code,
        0);
    const QString trained = WARPLINE_TEST_DATA "/reports/bert_fp32.sqlite";
    const auto without
        = [](QByteArray output, const QString& name) { return output.replace(name.toUtf8(), "NAME"); };
    for (const QString& report : {trained, trace}) {
        const QByteArray direct = without(runCli({"steps", "--format", "json", report}).output, report);
        QVERIFY(direct.size() > 200);
        const CliRun piped = runShell("cat \"$1\" | \"$0\" steps --format json -", {report});
        QVERIFY2(piped.code == 0, piped.errors);
        QCOMPARE(without(piped.output, "\"-\"").replace("NAME", "\"NAME\""), direct);
        const QString pipe = folder.filePath("pipe" + QFileInfo(report).suffix());
        QCOMPARE(::mkfifo(qPrintable(pipe), 0600), 0);
        const CliRun fromPipe
            = runShell("cat \"$2\" > \"$1\" & \"$0\" steps --format json \"$1\"", {pipe, report});
        QVERIFY2(fromPipe.code == 0, fromPipe.errors);
        QCOMPARE(without(fromPipe.output, pipe), direct);
        for (const char* const packer : {"gzip", "xz", "zstd"}) {
            if (QStandardPaths::findExecutable(packer).isEmpty()
                || !runCli({"help", "formats"}).output.contains(packer)) // built without
                continue;
            const QString packed = folder.filePath(QString("%1.%2").arg(QFileInfo(report).suffix(), packer));
            const CliRun made = runShell("$3 -c < \"$1\" > \"$2\"; \"$0\" steps --format json \"$2\"",
                {report, packed, packer}, folder.path());
            QVERIFY2(made.code == 0, made.errors);
            QCOMPARE(without(made.output, packed), direct);
            QCOMPARE(runShell("cat \"$1\" | \"$0\" info -", {packed}).code, 0);
            // Truncated in the middle: a one-line error that names the file, or a trace marked as truncated.
            const QString half = folder.filePath("half." + QFileInfo(packed).fileName());
            const CliRun cut = runShell(
                "head -c $(($(wc -c < \"$1\") / 2)) \"$1\" > \"$2\"; \"$0\" info \"$2\"", {packed, half});
            QVERIFY2(
                cut.code == 3 ? cut.errors.contains(half.toUtf8()) : cut.output.contains("is incomplete"),
                cut.errors + cut.output);
        }
    }
    QCOMPARE(runShell("WARPLINE_MEMORY=12Q \"$0\" info \"$1\"", {trained}).code, 2);
    // Memory is limited as for files, and a part is cut from the same stream.
    const QString limited = "cat \"$1\" | WARPLINE_MEMORY=10K \"$0\" ";
    QCOMPARE(runShell(limited + "info -", {trained}).code, 3);
    QCOMPARE(runShell(limited + "info -", {trace}).code, 3);
    QCOMPARE(
        runShell(limited + "cut --range :1s - \"$2\"", {trained, folder.filePath("part.sqlite")}).code, 0);
    const QString packed = folder.filePath("sql.gz");
    const CliRun sql = runShell(
        "gzip -c < \"$1\" > \"$2\"; \"$0\" sql --format csv \"$2\" 'SELECT count(*) AS n FROM StringIds'",
        {m_path, packed});
    QCOMPARE(
        sql.output, runCli({"sql", "--format", "csv", m_path, "SELECT count(*) AS n FROM StringIds"}).output);
    // The copies are gone; also of a program that was ended while it read.
    const QString ended = "{ head -c 300000 \"$1\"; sleep 3; } | \"$0\" info - & "
                          "tries=0; until test -e \"$TMPDIR\"/warpline-*/1; do "
                          "tries=$((tries + 1)); test $tries -lt 400 || exit 9; sleep 0.05; done; "
                          "kill $!; wait $!; exit 7";
    QCOMPARE(runShell(ended, {trained}, folder.path()).code, 7);
    const QStringList left = QDir(folder.path()).entryList({"warpline-*"});
    QVERIFY2(left.isEmpty(), qPrintable(left.join(' ')));
#endif
}

void CliTest::pipesAndCompressedFilesAreSaid()
{
    const QTemporaryDir folder;
    const QList<std::pair<QByteArray, QByteArray>> packed{{"\x1F\x8B\x08 gzip and so on", "gunzip"},
        {QByteArray("\xFD"
                    "7zXZ\0 and so on",
             14),
            "unxz"},
        {"\x28\xB5\x2F\xFD and so on", "unzstd"}};
    for (const auto& [content, unpacker] : packed) {
        const QString path = folder.filePath("run.sqlite.packed");
        writeFile(path, content);
        const CliRun run = runCli({"info", path});
        QVERIFY2(
            run.code == 3 && run.errors.contains("compressed") && run.errors.contains(unpacker), run.errors);
    }
#ifdef Q_OS_UNIX
    const QString pipe = folder.filePath("pipe.sqlite");
    QCOMPARE(::mkfifo(qPrintable(pipe), 0600), 0);
    const QString text = folder.filePath("text");
    writeFile(text, "no report at all");
    const CliRun run = runShell("cat \"$2\" > \"$1\" & \"$0\" info \"$1\"", {pipe, text});
    QVERIFY2(run.code == 3 && run.errors.contains("pipe.sqlite is not a report"), run.errors);
    QCOMPARE(runShell("\"$0\" info - < /dev/zero", {}).code, 3); // which never ends
#endif
}

void CliTest::askOnRunsForEveryFileName()
{
#ifdef Q_OS_UNIX
    QTemporaryDir folder;
    for (const char* const name : {"-dash.sqlite", "two\nlines.sqlite", "it's {a,b} %1.sqlite"}) {
        QVERIFY(
            QFile::copy(QStringLiteral(WARPLINE_TEST_DATA "/reports/streams.sqlite"), folder.filePath(name)));
        QProcess analyze;
        analyze.setWorkingDirectory(folder.path());
        analyze.start(WARPLINE_CLI, {"analyze", "--format", "json", "--", name});
        QVERIFY(analyze.waitForFinished() && analyze.exitCode() == 0);
        const QString askOn
            = QJsonDocument::fromJson(analyze.readAllStandardOutput())["reports"][0]["findings"][0]["ask_on"]
                  .toString();
        QVERIFY(askOn.startsWith("warpline-cli "));
        QProcess shell;
        shell.setWorkingDirectory(folder.path());
        shell.start("sh", {"-c", WARPLINE_CLI + askOn.mid(QString("warpline-cli").size())});
        QVERIFY(shell.waitForFinished());
        QVERIFY2(shell.exitCode() == 0, shell.readAllStandardError());
    }
#endif
}

void CliTest::listsAreJson()
{
    const QJsonArray rules = runCli({"analyze", "--list", "--format", "json"}).report()["rules"].toArray();
    const auto gaps = std::ranges::find_if(
        rules, [](const QJsonValue& rule) { return rule["rule"].toString() == "gpu_gaps"; });
    QVERIFY(gaps != rules.end());
    const QJsonArray thresholds = (*gaps).toObject()["thresholds"].toArray();
    const auto shortest = std::ranges::find_if(
        thresholds, [](const QJsonValue& each) { return each["key"].toString() == "min_gap_ns"; });
    QVERIFY(shortest != thresholds.end() && (*shortest).toObject()["default"].toInteger() == 500'000'000);
    QVERIFY(runCli({"stats", "--list", "--format", "json"}).report()["tables"][0]["table"].isString());
    QVERIFY(runCli({"sql", "--questions", "--format", "json"}).report()["questions"][0]["sql"].isString());
    const QJsonValue table = runCli({"sql", "--tables", "--format", "json", m_path}).report()["tables"][0];
    QVERIFY(table["columns"].toArray().at(0)["name"].isString());
    QVERIFY(runCli({"samples", "--list", "--format", "json", m_path})
                .report()["sources"][0]["recorded"]
                .isBool());
    const QList<QStringList> others{{"analyze", "--list", "--format", "html"},
        {"stats", "--list", "--format", "csv"}, {"sql", "--questions", "--format", "csv"},
        {"sql", "--tables", "--format", "markdown", m_path},
        {"samples", "--list", "--format", "folded", m_path}};
    for (const QStringList& call : others) {
        const CliRun run = runCli(call);
        QVERIFY2(run.code == 2 && run.output.isEmpty() && run.errorLines() == 1, run.errors);
    }
}

void CliTest::stepsThatNobodyNamedAreAMistake()
{
    QCOMPARE(runCli({"stats", "--report", "nvtx_pushpop_sum", "--nvtx", "nope*", m_path}).code, 2);
    for (const char* const command : {"analyze", "steps"}) {
        const CliRun near = runCli({command, "--nvtx", "stp*", "--format", "json", m_path});
        QVERIFY2(near.code == 2 && near.reports().isEmpty(), near.output);
        QVERIFY2(near.errorLines() == 1 && near.errors.contains("did you mean step?"), near.errors);
        const CliRun far = runCli({command, "--nvtx", "nope*", m_path});
        QVERIFY2(far.code == 2 && far.errors.contains("mark"), far.errors);
        QCOMPARE(runCli({command, "--nvtx", "st*", m_path}).code, 0);
    }
}

void CliTest::explainedTextKeepsItsColumns()
{
    const CliRun run
        = runCli({"analyze", "--explain", QStringLiteral(WARPLINE_TEST_DATA "/reports/streams.sqlite")});
    QCOMPARE(run.code, 0);
    const auto lines = run.output.split('\n');
    bool code = false;
    for (const QByteArray& line : lines) {
        // Titles of findings are one line each; all else keeps to the page.
        const bool title = line.startsWith("high") || line.startsWith("medium") || line.startsWith("low")
            || line.startsWith("info") || line.startsWith("Potential saving");
        QVERIFY2(title || QString::fromUtf8(line).size() <= 165, line.constData());
        code = code || line.startsWith("    cudaMallocHost(&host, bytes);");
    }
    QVERIFY2(code, "lines to paste stand further in than the text around them");
    // After a code block the text continues.
    for (qsizetype i = 1; i < lines.size(); ++i) {
        if (lines[i - 1].startsWith("    cudaFreeHost(host);"))
            QVERIFY2(lines[i].startsWith("  Pinning"), lines[i].constData());
    }
}

void CliTest::setsThresholds()
{
    const QString own = QStringLiteral(WARPLINE_TEST_DATA "/reports/streams.sqlite");
    const QStringList asked{"analyze", "--format", "json", "--rule", "gpu_gaps", own};
    QVERIFY(runCli(asked).report()["findings"].toArray().isEmpty());
    const CliRun set = runCli(QStringList(asked) << "--threshold"
                                                 << "gpu_gaps.min_gap_ns=1ms");
    QVERIFY2(!set.report()["findings"].toArray().isEmpty(), set.errors);
    QCOMPARE(set.report()["thresholds"].toObject()["gpu_gaps.min_gap_ns"].toDouble(), 1e6);

    const QTemporaryDir folder;
    const QString config = folder.filePath("warpline.conf");
    writeFile(config, "# of our CI\ngpu_gaps.min_gap_ns = 1ms  # short\n\nfail-on = info\nrule = gpu_gaps\n");
    const CliRun configured = runCli({"analyze", "--config", config, "--format", "json", own});
    QCOMPARE(configured.code, 1);
    QCOMPARE(configured.report()["findings"].toArray(), set.report()["findings"].toArray());
    // Editors on Windows write a byte order mark.
    writeFile(config,
        "\xEF\xBB\xBF"
        "fail-on = info\nrule = gpu_gaps\ngpu_gaps.min_gap_ns = 1ms\n");
    const CliRun marked = runCli({"analyze", "--config", config, own});
    QVERIFY2(marked.code == 1, marked.errors.constData());
    // The command line wins.
    const CliRun both = runCli(
        {"analyze", "--config", config, "--threshold", "gpu_gaps.min_gap_ns=500ms", "--format", "json", own});
    QCOMPARE(both.code, 0);
    for (const char* const wrong : {"gpu_gaps.min_gap_ns\n", "frobnicate = 1\n", "gpu_gaps.frob = 1\n"}) {
        writeFile(config, wrong);
        const CliRun refused = runCli({"analyze", "--config", config, own});
        QCOMPARE(refused.code, 2);
        QVERIFY2(refused.errorLines() == 1 && refused.errors.contains("warpline.conf"), refused.errors);
    }
}

void CliTest::cutsRangesToTheReport()
{
    // The report lies between 90 and 5700.
    const CliRun cut = runCli({"range", "--from", "0", "--to", "100s", "--format", "json", m_path});
    QCOMPARE(cut.code, 0);
    QCOMPARE(cut.report()["range_ns"].toObject(), (QJsonObject{{"start", 90}, {"end", 5701}}));
    QVERIFY2(cut.errorLines() == 1 && cut.errors.contains("The range is shortened"), cut.errors);
    const CliRun open = runCli({"analyze", "--range", "1000:", "--format", "json", m_path});
    QCOMPARE(open.report()["range_ns"].toObject(), (QJsonObject{{"start", 1000}, {"end", 5700}}));
    for (const QStringList& arguments : {QStringList{"range", "--from", "50s", "--to", "100s"},
             QStringList{"analyze", "--range", "50s:100s"}, QStringList{"stats", "--range", "50s:100s"}}) {
        const CliRun outside = runCli(QStringList(arguments) << m_path);
        QCOMPARE(outside.code, 2);
        QVERIFY2(outside.errorLines() == 1 && outside.errors.contains("is empty"), outside.errors);
    }
}

void CliTest::saysThatThereIsNoGpuWork()
{
    ReportFixture none;
    none.addSmallReport();
    none.run("DELETE FROM CUPTI_ACTIVITY_KIND_KERNEL; DELETE FROM CUPTI_ACTIVITY_KIND_MEMCPY");
    const QString path = QString::fromStdString(none.path());
    for (const char* const format : {"table", "markdown", "html"}) {
        const CliRun run = runCli({"analyze", "--format", format, path});
        QCOMPARE(run.code, 0);
        QVERIFY2(run.output.contains("No GPU work in this report") && !run.output.contains("Nothing found"),
            run.output);
    }
    QCOMPARE(runCli({"analyze", "--format", "json", path}).report()["gpu_work"].toBool(true), false);
}

void CliTest::convertsRecordings()
{
    // An nsys that copies the export that a recording names: its arguments are "export --type sqlite
    // --force-overwrite true --output TO ... FROM". It knows two of the options for payloads.
    const QTemporaryDir folder;
    writeFile(folder.filePath("nsys"),
        "#!/bin/sh\n"
        "[ \"$2\" = --help ] && { echo ' --include-json=<true|false> --include-blobs=<true|false>'; exit 0; "
        "}\n"
        "echo \"$@\" >\"$XDG_CACHE_HOME/arguments\"\n"
        "for from; do :; done\n"
        "cp \"$(cat \"$from\")\" \"$7\"\n");
    QVERIFY(QFile::setPermissions(
        folder.filePath("nsys"), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    const QString recording = folder.filePath("run.nsys-rep");
    writeFile(recording, m_path.toUtf8());
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("PATH", folder.path() + ":" + environment.value("PATH"));
    environment.insert("XDG_CACHE_HOME", folder.filePath("cache"));
    process.setProcessEnvironment(environment);
    for (const bool first : {true, false}) {
        process.start(QStringLiteral(WARPLINE_CLI), {"info", "--format", "json", recording});
        QVERIFY(process.waitForFinished());
        QCOMPARE(process.exitCode(), 0);
        const QJsonObject report
            = QJsonDocument::fromJson(process.readAllStandardOutput())["reports"][0].toObject();
        QCOMPARE(report["file"].toString(), recording); // and not the export of it
        QCOMPARE(report["file_bytes"].toInteger(), QFileInfo(recording).size());
        QCOMPARE(process.readAllStandardError().contains("converting"), first); // the second time it is there
    }
    const QDir exports(folder.filePath("cache/warpline/exports"));
    const QFileInfoList exported = exports.entryInfoList(QDir::Files);
    QCOMPARE(exported.size(), 1);
    for (const QString& each : {exports.path(), exported[0].filePath()})
        QVERIFY2(!(QFile::permissions(each) & (QFile::ReadGroup | QFile::ReadOther)), qPrintable(each));
    const QString traced = folder.filePath("traced.nsys-rep"); // with findings
    writeFile(traced, WARPLINE_TEST_DATA "/reports/streams.sqlite");
    process.start(QStringLiteral(WARPLINE_CLI), {"analyze", "--format", "json", traced});
    QVERIFY(process.waitForFinished());
    const QJsonArray findings
        = QJsonDocument::fromJson(process.readAllStandardOutput())["reports"][0]["findings"].toArray();
    QVERIFY(!findings.isEmpty());
    for (const auto& finding : findings)
        QVERIFY(finding.toObject()["ask_on"].toString().endsWith(" " + traced));
    QFile told(folder.filePath("cache/arguments"));
    QVERIFY(told.open(QIODevice::ReadOnly));
    const QByteArray arguments = told.readAll();
    QVERIFY2(arguments.contains("--include-json=true --include-blobs=true"), arguments);
    QVERIFY2(!arguments.contains("--dynamic-tables"), arguments); // unknown to this nsys: it would fail
    writeFile(folder.filePath("nsys"), "#!/bin/sh\necho No licence >&2\nexit 1\n");
    process.start(QStringLiteral(WARPLINE_CLI), {"info", "--no-cache", recording});
    QVERIFY(process.waitForFinished());
    QCOMPARE(process.exitCode(), 3);
    QVERIFY(process.readAllStandardError().contains("nsys could not export"));
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files, QDir::Name),
        (QStringList{"nsys", "run.nsys-rep", "traced.nsys-rep"}));
}

void CliTest::describesASmallReport()
{
    const CliRun run = runCli({"info", "--format", "json", m_path});
    QCOMPARE(run.code, 0);
    QVERIFY2(run.errors.isEmpty(), run.errors);
    const QJsonObject info = run.report();
    QCOMPARE(info["file"].toString(), m_path);
    QVERIFY(info["export_schema"].isNull()); // an old export has no version
    QCOMPARE(info["range_ns"].toObject(), (QJsonObject{{"start", 90}, {"end", 5700}}));
    const QJsonObject counts = info["counts"].toObject();
    QCOMPARE(counts["kernel"].toInt(), 3);
    QCOMPARE(counts["memcpy"].toInt(), 1);
    QCOMPARE(counts["cuda_api"].toInt(), 5);
    QCOMPARE(counts["nvtx"].toInt(), 3); // the row that names a domain is no event
    QCOMPARE(counts["osrt"].toInt(-1), 0); // there, and nothing
    QCOMPARE(counts["gpu_metric_samples"].toInt(-1), 0);
    QCOMPARE(info["processes"].toArray().size(), 1);
    QCOMPARE(info["processes"].toArray()[0].toObject()["pid"].toInt(), 100);
    QCOMPARE(info["processes"].toArray()[0].toObject()["name"].toString(), "/bin/scale");
    QCOMPARE(info["threads"].toArray()[0].toObject()["tid"].toInt(), 101);
    QCOMPARE(info["streams"].toArray().size(), 2);
    QVERIFY(info["devices"].isArray());
    QVERIFY(info["unknown_tables"].toArray().isEmpty());
    QVERIFY(info["problems"].toArray().isEmpty());

    ReportFixture odd;
    odd.addSmallReport();
    odd.run("CREATE TABLE COFFEE_EVENTS (cups INTEGER); INSERT INTO COFFEE_EVENTS VALUES (1), (2);"
            "CREATE TABLE UCP_WORKERS (globalTid INTEGER); INSERT INTO UCP_WORKERS VALUES (1677721701);"
            "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET end = 10 WHERE start = 5000");
    const QJsonObject told
        = runCli({"info", "--format", "json", QString::fromStdString(odd.path())}).report();
    QCOMPARE(told["unknown_tables"].toArray(),
        (QJsonArray{QJsonObject{{"name", "COFFEE_EVENTS"}, {"rows", 2}},
            QJsonObject{{"name", "UCP_WORKERS"}, {"rows", 1}}}));
    QCOMPARE(told["problems"].toArray().size(), 1);
    QCOMPARE(told["problems"].toArray()[0].toObject()["table"].toString(), "CUPTI_ACTIVITY_KIND_KERNEL");
    QCOMPARE(told["problems"].toArray()[0].toObject()["count"].toInt(), 1);
}

void CliTest::answersARange()
{
    // Kernels [1000, 3000) and [2000, 4000) on two streams: 2500 ns of work in [1500, 3500), 2000 ns of time.
    const CliRun run = runCli({"range", "--from", "1500", "--to", "3500", "--format", "json", m_path});
    QCOMPARE(run.code, 0);
    const QJsonObject range = run.report();
    QCOMPARE(range["range_ns"].toObject(), (QJsonObject{{"start", 1500}, {"end", 3500}}));
    QCOMPARE(range["duration_ns"].toInt(), 2000);
    const QJsonObject kernels = range["kinds"].toObject()["kernel"].toObject();
    QCOMPARE(kernels["count"].toInt(), 2);
    QCOMPARE(kernels["total_ns"].toInt(), 3000);
    QCOMPARE(kernels["busy_ns"].toInt(), 2000);
    const QJsonObject device = range["devices"].toArray()[0].toObject();
    QCOMPARE(device["compute_ns"].toInt(), 2000);
    QCOMPARE(device["idle_ns"].toInt(), 0);
    QVERIFY(range["copies"].toArray().isEmpty());
    bool named = false;
    for (const QJsonValue& name : range["names"].toArray())
        named |= name.toObject()["name"].toString() == "void scale<float>(float*)";
    QVERIFY(named);
    QVERIFY(!range["rows"].toArray().isEmpty());
    // The copy [400, 900) is cut: its total is that of its name, and what is whole says so.
    const QStringList ofCopy{"range", "--from", "650", "--to", "1000", m_path};
    const QJsonObject cut = runCli(ofCopy + QStringList{"--format", "json"}).report();
    const QJsonObject copy = cut["copies"].toArray()[0].toObject();
    QCOMPARE(copy["total_ns"].toInt(), 250);
    QCOMPARE(copy["whole_ns"].toInt(), 500);
    QCOMPARE(copy["bytes"].toInt(), 4096);
    const QByteArray text = runCli(ofCopy).output;
    QCOMPARE(text.count("total in range"), 2);
    QVERIFY2(text.contains("whole bytes  whole time"), text);
    const QByteArray one = runCli({"range", "--range", "1046019639:1046019640",
                                      QStringLiteral(WARPLINE_TEST_DATA "/reports/streams.sqlite")})
                               .output;
    QVERIFY2(one.startsWith("1.046019639 s to 1.046019640 s: 1 ns, 1 event\n"), one);
}

void CliTest::rangesAreHalfOpen()
{
    const auto kernelsIn = [&](const QString& from, const QString& to) {
        const CliRun run = runCli({"range", "--from", from, "--to", to, "--format", "json", m_path});
        return run.report()["kinds"].toObject()["kernel"].toObject()["count"].toInt(0);
    };
    QCOMPARE(kernelsIn("4000", "5000"), 0); // between the second and the third
    QCOMPARE(kernelsIn("3999", "5000"), 1);
    QCOMPARE(kernelsIn("4000", "5001"), 1);
}

void CliTest::acceptsUnitsAndNegativeTimes()
{
    const auto windowOf = [&](const QStringList& arguments) {
        const QJsonValue range
            = runCli(QStringList{"range", "--format", "json"} + arguments << m_path).report()["range_ns"];
        return QJsonArray{range["start"], range["end"]};
    };
    QCOMPARE(windowOf({"--from", "1.5us", "--to", "0.002ms"}), (QJsonArray{1500, 2000}));
    QCOMPARE(windowOf({"--from", "-20", "--to", "0.000001s"}), (QJsonArray{90, 1000})); // it begins at 90
    QCOMPARE(windowOf({"--from=-1us", "--to=500ns"}), (QJsonArray{90, 500}));
}

/// A rule alone may count findings that the full list merges: only its table mentions that.
void CliTest::aRuleAloneSaysWhatItTells()
{
    const QByteArray note = "findings with the same cause are\nmerged";
    QVERIFY(runCli({"analyze", "--rule", "gpu_gaps", m_path}).output.contains(note));
    QVERIFY(!runCli({"analyze", m_path}).output.contains(note));
}

void CliTest::failsOnSeverity()
{
    // The small report copies from pageable memory, so something is found.
    const CliRun found = runCli({"analyze", "--format", "json", m_path});
    QCOMPARE(found.code, 0);
    QVERIFY(!found.report()["findings"].toArray().isEmpty());
    QCOMPARE(runCli({"analyze", "--fail-on", "info", m_path}).code, 1);
    const CliRun none
        = runCli({"analyze", "--format", "json", "--fail-on", "info", "--rule", "cuda_memset_sync", m_path});
    QCOMPARE(none.code, 9); // the rule has nothing to look at: a gate must not pass
    QCOMPARE(none.codes(), QStringList{"nothing_judged"});
    QVERIFY(none.report()["findings"].isArray());
    QVERIFY(none.report()["findings"].toArray().isEmpty());
    // Nothing recorded is nothing found, which is no success.
    ReportFixture empty;
    empty.addSmallReport();
    empty.run("DELETE FROM CUPTI_ACTIVITY_KIND_KERNEL; DELETE FROM CUPTI_ACTIVITY_KIND_MEMCPY;"
              "DELETE FROM CUPTI_ACTIVITY_KIND_RUNTIME; DELETE FROM NVTX_EVENTS;");
    const QString nothing = QString::fromStdString(empty.path());
    QCOMPARE(runCli({"analyze", "--fail-on", "high", nothing}).code, 8);
    QCOMPARE(runCli({"analyze", nothing}).code, 0);
    const CliRun before
        = runCli({"analyze", "--format", "json", "--range", ":200", "--rule", "cuda_memcpy_async", m_path});
    QVERIFY(before.report()["findings"].toArray().isEmpty()); // the copy runs later
}

void CliTest::writesEveryFormatOfFindings_data()
{
    QTest::addColumn<QString>("format");
    QTest::addColumn<QByteArray>("begins");
    QTest::newRow("table") << "table" << QByteArray("scale: ");
    QTest::newRow("json") << "json" << QByteArray("{");
    QTest::newRow("markdown") << "markdown" << QByteArray("# Findings");
    QTest::newRow("html") << "html" << QByteArray("<!DOCTYPE html>");
}

void CliTest::writesEveryFormatOfFindings()
{
    QFETCH(QString, format);
    QFETCH(QByteArray, begins);
    const CliRun run = runCli({"analyze", "--format", format, m_path});
    QCOMPARE(run.code, 0);
    QVERIFY2(run.output.startsWith(begins), run.output);
    QVERIFY(run.output.endsWith('\n'));
}

void CliTest::escapesNamesInHtml()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath("<b>&.sqlite");
    QVERIFY(QFile::copy(m_path, path));
    const CliRun run = runCli({"analyze", "--format", "html", path});
    QVERIFY(run.output.contains("&lt;b&gt;&amp;.sqlite"));
    QVERIFY(!run.output.contains("<b>&."));
}

void CliTest::namesBytesThatAreNoText()
{
    ReportFixture odd;
    odd.addSmallReport();
    odd.run("UPDATE StringIds SET value = CAST(x'ff00fe' AS TEXT) WHERE id = 1");
    const QString path = QString::fromStdString(odd.path());
    for (const QStringList& arguments :
        {QStringList{"info"}, QStringList{"range", "--from", "0", "--to", "9000"}}) {
        const CliRun run = runCli(arguments + QStringList{"--format", "json", path});
        QCOMPARE(run.code, 0);
        QVERIFY2(!run.reports().isEmpty(), run.output);
    }
}

WARPLINE_TEST(CliTest)

} // namespace tst_cli

#include "tst_cli.moc"
