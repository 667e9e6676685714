// CI gates: --fail-on with a baseline and without rules, and the formats of CI servers.

#include "tests/app/cli_runner.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QSet>
#include <QTemporaryDir>
#include <QXmlStreamReader>

#include <memory>

namespace tst_cli_gates {

using namespace warpline::test;

namespace {

const QString report = QStringLiteral(WARPLINE_TEST_DATA "/reports/bert_fp32.sqlite");
const QString other = QStringLiteral(WARPLINE_TEST_DATA "/reports/streams.sqlite");

QStringList idsOf(const QJsonArray& findings)
{
    QStringList ids;
    for (const QJsonValue& finding : findings)
        ids << finding["id"].toString();
    return ids;
}

} // namespace

class CliGatesTest : public QObject {
    Q_OBJECT

private slots:
    void onlyWhatIsNewOrGrownFails();
    void rulesAreLeftOut();
    void rulesAcrossRanksAreKnown();
    void aLineIsWrittenForEachReport();
    void junitHasWhatFails();
    void savingsOfNothingAreNotShown();
    void filesThatWereCutOffDoNotPass();
    void rowsOfWorkThatCannotBeReadDoNotPass();
    void sarifHasAllFindings();
    void jobsChangeNoByte();
    void optionsThatSayNothingAreRefused();
    void examplesRun_data();
    void examplesRun();

private:
    /// Saves the baseline of `report` with all savings times `factor`, without the finding `leftOut`.
    QString savedBaseline(double factor, const QString& leftOut = {});

    QTemporaryDir m_folder;
};

QString CliGatesTest::savedBaseline(double factor, const QString& leftOut)
{
    QJsonObject document = runCli({"analyze", "--format", "json", report}).document();
    QJsonObject entry = document["reports"][0].toObject();
    QJsonArray kept;
    for (const QJsonValue& each : entry["findings"].toArray()) {
        QJsonObject finding = each.toObject();
        finding["saving_ns"] = static_cast<qint64>(finding["saving_ns"].toDouble() * factor);
        if (finding["id"].toString() != leftOut)
            kept << finding;
    }
    entry["findings"] = kept;
    document["reports"] = QJsonArray{entry};
    const QString path = m_folder.filePath("baseline.json");
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(QJsonDocument(document).toJson()) > 0 ? path
                                                                                               : QString();
}

void CliGatesTest::onlyWhatIsNewOrGrownFails()
{
    const CliRun bare = runCli({"analyze", "--fail-on", "info", "--format", "json", report});
    QCOMPARE(bare.code, 1);
    const QJsonArray findings = bare.report()["findings"].toArray();
    QCOMPARE(bare.report()["failed_by"].toArray().size(), findings.size());
    QVERIFY(findings.size() > 1);
    QVERIFY(findings[0]["since_baseline"].isNull());

    QStringList gate{"analyze", "--fail-on", "info", "--format", "json", report, "--baseline"};
    const CliRun same = runCli(QStringList(gate) << savedBaseline(1));
    QVERIFY2(same.code == 0, same.errors.constData());
    QVERIFY(same.report()["failed_by"].toArray().isEmpty());
    for (const QJsonValue& finding : same.report()["findings"].toArray())
        QCOMPARE(finding["since_baseline"].toString(), QString("known"));

    // A finding that the baseline lacks fails, alone.
    const QString missing = findings[1]["id"].toString();
    const CliRun one = runCli(QStringList(gate) << savedBaseline(1, missing));
    QCOMPARE(one.code, 1);
    QCOMPARE(one.report()["failed_by"].toArray(), QJsonArray{missing});
    // So does one that saves twice as much as before.
    const CliRun grown = runCli(QStringList(gate) << savedBaseline(0.5));
    QCOMPARE(grown.code, 1);
    for (const QJsonValue& finding : grown.report()["findings"].toArray()) {
        const bool isLarge = finding["saving_percent"].toDouble() > 4;
        const bool isSmall = finding["saving_percent"].toDouble() < 1;
        if (isLarge || isSmall)
            QCOMPARE(finding["since_baseline"].toString(), QString(isLarge ? "grown" : "known"));
    }
    // A document that is not an analysis is not a baseline.
    const QString other = m_folder.filePath("other.json");
    QFile file(other);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(R"({"schema": 5, "reports": []})") > 0);
    file.close();
    const auto refused = runCli({"analyze", "--format", "json", "--baseline", other, report});
    QVERIFY(refused.code != 0 && refused.errors.contains("other.json"));
    QFile wide(m_folder.filePath("wide.json"));
    QVERIFY(wide.open(QIODevice::WriteOnly) && wide.write("\xFF\xFE{") > 0);
    wide.close();
    const CliRun utf16 = runCli(QStringList(gate) << wide.fileName());
    QVERIFY2(utf16.code == 2 && utf16.errors.contains("UTF-16"), utf16.errors.constData());
    QCOMPARE(runCli(QStringList(gate) << report).code, 2);
    QCOMPARE(runCli(QStringList(gate) << "/nowhere.json").code, 2);
    // Without a gate it only shows what is new.
    QCOMPARE(runCli({"analyze", "--format", "json", "--baseline", savedBaseline(1), report}).code, 0);
}

void CliGatesTest::rulesAreLeftOut()
{
    const QJsonObject all = runCli({"analyze", "--format", "json", report}).report();
    const QString rule = all["findings"][0]["rule"].toString();
    const QJsonObject left = runCli({"analyze", "--format", "json", "--exclude", rule, report}).report();
    for (const QJsonValue& finding : left["findings"].toArray())
        QVERIFY(finding["rule"].toString() != rule);
    // The others stay, and merged ones become findings of their own.
    for (const QJsonValue& finding : all["findings"].toArray()) {
        if (finding["rule"].toString() != rule)
            QVERIFY(idsOf(left["findings"].toArray()).contains(finding["id"].toString()));
    }
    for (const QJsonValue& each : left["rules"].toArray())
        QCOMPARE(each["state"].toString() == "excluded", each["id"].toString() == rule);
    QVERIFY(!left["overview"].isNull());
    const CliRun wrong = runCli({"analyze", "--exclude", "gpu_gap", report});
    QVERIFY(wrong.code == 2 && wrong.errors.contains("gpu_gaps"));
}

void CliGatesTest::rulesAcrossRanksAreKnown()
{
    const QString several = QStringLiteral(WARPLINE_TEST_DATA "/reports/halo_one.sqlite"); // four ranks
    const QStringList gate{"analyze", "--fail-on", "high", several};
    const QJsonObject all = runCli(gate + QStringList{"--format", "json"}).report();
    QStringList ids = idsOf(all["findings"].toArray());
    QStringList late = ids.filter("late_rank/");
    QVERIFY(late.size() > 1);
    QCOMPARE(ids.removeDuplicates(), 0);
    QStringList found;
    for (const QJsonValue& rule : all["rules"].toArray()) {
        if (rule["state"].toString() == "found")
            found << rule["id"].toString();
    }
    QVERIFY(found.contains("late_rank"));
    const qsizetype failed = all["failed_by"].toArray().size();
    QVERIFY(failed > 0);
    QCOMPARE(runCli(gate + QStringList{"--format", "junit"}).output.count("<failure "), failed);
    // The rule can be named, and left out.
    const QJsonObject named
        = runCli({"analyze", "--format", "json", "--rule", "late_rank", several}).report();
    QStringList again = idsOf(named["findings"].toArray());
    again.sort();
    late.sort();
    QCOMPARE(again, late);
    const QJsonObject left
        = runCli({"analyze", "--format", "json", "--exclude", "late_rank", several}).report();
    QVERIFY(!left["findings"].toArray().isEmpty());
    QVERIFY(idsOf(left["findings"].toArray()).filter("late_rank/").isEmpty());
    // In a report of one rank it has nothing to look at.
    const QJsonArray one
        = runCli({"analyze", "--format", "json", "--rule", "late_rank", report}).report()["rules"].toArray();
    QCOMPARE(one.size(), 1);
    QCOMPARE(one[0]["state"].toString(), QString("not_recorded"));
    const QJsonObject sarif
        = QJsonDocument::fromJson(runCli({"analyze", "--format", "sarif", several}).output).object();
    const QJsonObject run = sarif["runs"].toArray()[0].toObject();
    QSet<QString> described;
    for (const QJsonValue& rule : run["tool"]["driver"]["rules"].toArray())
        described << rule["id"].toString();
    for (const QJsonValue& result : run["results"].toArray())
        QVERIFY2(described.contains(result["ruleId"].toString()), qPrintable(result["ruleId"].toString()));
}

void CliGatesTest::aLineIsWrittenForEachReport()
{
    const CliRun csv = runCli({"analyze", "--format", "csv", report, other});
    QCOMPARE(csv.code, 0);
    const QList<QByteArray> lines = csv.output.trimmed().split('\n');
    QCOMPARE(lines.size(), 3);
    QCOMPARE(lines[0].split(',').size(), lines[1].split(',').size());
    const QJsonObject first = runCli({"analyze", "--format", "json", report}).report();
    QVERIFY(lines[1].startsWith(report.toUtf8() + ','));
    QVERIFY(lines[1].contains(first["findings"][0]["rule"].toString().toUtf8()));
    QVERIFY(lines[1].contains(QByteArray::number(first["savings"]["together_ns"].toInteger())));
    const CliRun brief = runCli({"analyze", "--brief", report, other, "/nowhere.sqlite"});
    QCOMPARE(brief.code, 3);
    QCOMPARE(brief.output.count('\n'), 2);
    QVERIFY(brief.output.contains(first["findings"][0]["title"].toString().toUtf8()));
    const auto briefOf = [&](const char* name, const QByteArray& events) {
        const QString path = m_folder.filePath(name);
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(R"({"traceEvents":[)" + events + "]}") < 0)
            return QByteArray();
        file.close();
        return runCli({"analyze", "--brief", path}).output.replace(path.toUtf8() + ": ", "");
    };
    QCOMPARE(briefOf("nothing.json", {}), QByteArray("no events\n"));
    const QByteArray instant
        = R"({"ph":"i","cat":"user_annotation","name":"hello","pid":3,"tid":3,"ts":90,"s":"t"})";
    QCOMPARE(briefOf("instant.json", instant), QByteArray("nothing found\n"));
}

void CliGatesTest::junitHasWhatFails()
{
    const CliRun run
        = runCli({"analyze", "--format", "junit", "--fail-on", "medium", report, other, "/nowhere.sqlite"});
    QCOMPARE(run.code, 3);
    QXmlStreamReader xml(run.output);
    QStringList failed;
    QString testCase;
    qsizetype suites = 0;
    qsizetype errors = 0;
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement)
            continue;
        suites += xml.name() == QLatin1String("testsuite") ? 1 : 0;
        errors += xml.name() == QLatin1String("error") ? 1 : 0;
        if (xml.name() == QLatin1String("testcase"))
            testCase = xml.attributes().value("classname").toString() + "/"
                + xml.attributes().value("name").toString();
        if (xml.name() == QLatin1String("failure"))
            failed << testCase;
    }
    QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
    QCOMPARE(suites, 3); // two reports, and unreadable ones
    QCOMPARE(errors, 1);
    QStringList expected;
    for (const QString& file : {report, other}) {
        for (const QJsonValue& finding :
            runCli({"analyze", "--format", "json", file}).report()["findings"].toArray()) {
            if (finding["severity"].toString() == "medium" || finding["severity"].toString() == "high")
                expected << file + '/' + finding["rule"].toString();
        }
    }
    failed.sort();
    expected.sort();
    QVERIFY(!expected.isEmpty());
    QCOMPARE(failed, expected);
}

void CliGatesTest::savingsOfNothingAreNotShown()
{
    for (const QString& file : {report, other}) {
        qsizetype saving = 0;
        qsizetype any = 0;
        qsizetype all = 0;
        for (const QJsonValue& finding :
            runCli({"analyze", "--format", "json", file}).report()["findings"].toArray()) {
            saving += finding["saving_ns"].toInteger() > 0 ? 1 : 0;
            any += finding["saving_ns"].toInteger() > 0 || finding["once_ns"].toInteger() > 0 ? 1 : 0;
            ++all;
        }
        QVERIFY(any < all);
        QCOMPARE(
            runCli({"analyze", "--format", "markdown", file}).output.count("\n- Potential saving: "), any);
        QCOMPARE(runCli({"analyze", "--format", "junit", file}).output.count("Potential saving: "), saving);
    }
}

void CliGatesTest::filesThatWereCutOffDoNotPass()
{
    const QString half = m_folder.filePath("half.json.gz");
    QVERIFY(QFile::copy(WARPLINE_TEST_DATA "/loops/item.json.gz", half));
    QVERIFY(QFile::resize(half, QFileInfo(half).size() / 2));
    const QStringList gate{"analyze", "--fail-on", "high", "--rule", "small_blocks", half};
    QCOMPARE(runCli({"analyze", half}).code, 0);
    const CliRun json = runCli(gate + QStringList{"--format", "json"});
    QCOMPARE(json.code, 6);
    QCOMPARE(json.codes(), (QStringList{"note", "no_verdict"}));
    const CliRun junit = runCli(gate + QStringList{"--format", "junit"});
    QCOMPARE(junit.code, 6);
    QCOMPARE(junit.output.count("<error "), 1);
    QCOMPARE(runCli({"analyze", "--fail-on", "info", half}).code, 1); // it has findings
    const CliRun both = runCli({"compare", "--fail-on-regression", "99", "--report", "budget", "--format",
        "json", WARPLINE_TEST_DATA "/loops/item.json.gz", half});
    QCOMPARE(both.code, 6);
    QVERIFY(both.report()["regression"].isNull());
}

void CliGatesTest::rowsOfWorkThatCannotBeReadDoNotPass()
{
    const auto reportWith = [](const std::string& change) {
        auto made = std::make_unique<ReportFixture>();
        made->addSmallReport();
        made->run(change);
        return made;
    };
    const auto whole = reportWith("SELECT 1");
    const auto lossy
        = reportWith("UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET end = 9223372036854775807 WHERE start = 2000");
    const auto odd = reportWith("UPDATE NVTX_EVENTS SET end = 9223372036854775807");
    const auto gateOf = [](const std::unique_ptr<ReportFixture>& made, const QString& format) {
        return runCli({"analyze", "--fail-on", "high", "--rule", "gpu_gaps", "--format", format,
            QString::fromStdString(made->path())});
    };
    const CliRun json = gateOf(lossy, "json");
    QCOMPARE(json.code, 6);
    QCOMPARE(json.codes(), (QStringList{"note", "no_verdict"}));
    QCOMPARE(gateOf(lossy, "junit").output.count("<error "), 1);
    QCOMPARE(gateOf(whole, "json").code, 0);
    const CliRun ranges = gateOf(odd, "json");
    QCOMPARE(ranges.code, 0);
    QCOMPARE(ranges.codes(), QStringList{"note"});
}

void CliGatesTest::sarifHasAllFindings()
{
    const QString empty = QStringLiteral(WARPLINE_TEST_DATA "/reports/openmp.sqlite");
    const CliRun run
        = runCli({"analyze", "--format", "sarif", "--baseline", savedBaseline(1), empty, report, other});
    QCOMPARE(run.code, 0);
    const QJsonObject document = run.document();
    QCOMPARE(document["version"].toString(), QString("2.1.0"));
    const QJsonObject only = document["runs"][0].toObject();
    QSet<QString> rules;
    for (const QJsonValue& rule : only["tool"]["driver"]["rules"].toArray())
        rules << rule["id"].toString();
    QStringList ids;
    for (const QJsonValue& result : only["results"].toArray()) {
        QVERIFY(rules.contains(result["ruleId"].toString()));
        QVERIFY((QStringList{"error", "warning", "note"}).contains(result["level"].toString()));
        QVERIFY(!result["message"]["text"].toString().isEmpty());
        QVERIFY(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].toString().endsWith(
            ".sqlite"));
        ids << result["partialFingerprints"]["findingId/v1"].toString();
        if (ids.size() == 1)
            QVERIFY(!result["baselineState"].isNull());
    }
    QStringList expected;
    for (const QString& file : {empty, report, other})
        expected += idsOf(runCli({"analyze", "--format", "json", file}).report()["findings"].toArray());
    QCOMPARE(ids, expected);
    QCOMPARE(only["invocations"][0]["executionSuccessful"].toBool(), true);
    const QJsonObject failed = runCli({"analyze", "--format", "sarif", "/nowhere.sqlite"}).document();
    QCOMPARE(failed["runs"][0]["invocations"][0]["executionSuccessful"].toBool(true), false);
}

void CliGatesTest::jobsChangeNoByte()
{
    const QStringList files{report, "/nowhere.sqlite", other, report};
    for (const QString format : {"json", "ndjson", "table", "csv", "sarif"}) {
        const QStringList asked = QStringList{"analyze", "--format", format} + files;
        const CliRun one = runCli(asked);
        const CliRun three = runCli(asked + QStringList{"--jobs", "3"});
        QCOMPARE(three.code, 3);
        QCOMPARE(three.output, one.output);
        QCOMPARE(three.errors, one.errors);
    }
    for (const QStringList& command : {QStringList{"stats", "--format", "json"},
             QStringList{"stats", "--report", "cuda_gpu_kern_sum", "--format", "csv"}, QStringList{"info"},
             QStringList{"ranks", "--format", "json"}, QStringList{"history", "--format", "json"}}) {
        const CliRun one = runCli(command + files);
        const CliRun three = runCli(command + files + QStringList{"--jobs", "3"});
        QVERIFY2(three.code == one.code && three.output == one.output && three.errors == one.errors,
            qPrintable(command.join(' ')));
    }
    const CliRun lines = runCli(QStringList{"analyze", "--format", "ndjson"} + files);
    QCOMPARE(lines.output.count('\n'), 4); // three reports and an error
}

void CliGatesTest::optionsThatSayNothingAreRefused()
{
    const QList<QStringList> asked{{"analyze", "--list", report}, {"analyze", "--list", "--explain"},
        {"analyze", "--explain", "--format", "json", report}, {"stats", "--list", "--range", "0:1"},
        {"sql", "--questions", report}, {"sql", "--tables", report, "--rows", "3"},
        {"steps", "--tokens", "3", report}, {"compare", "--rows", "3", "--format", "json", report, report},
        {"analyze", "--brief", "--format", "json", report}, {"samples", "--list", "--callers", report},
        {"range", "--range", "0:1s", "--from", "0", report}, {"info", "--force", report},
        {"analyze", "--baseline", savedBaseline(1), report}, {"steps", "--summary", "--flops", "1e9", report},
        {"stats", "--report", "cuda_gpu_kern_sum", "--nvtx", "step_*", report},
        {"history", "--format", "csv", "--rows", "3", report}, {"history", "--nvtx", "no such step", report},
        {"compare", "--nvtx", "no such step", report, other},
        {"compare", "--a-nvtx", "no such step", report, other}, {"analyze", "--list", "--format", "brief"},
        {"analyze", "--list", "--format", "sarif"},
        {"analyze", "--rule", "gpu_gaps", "--exclude", "gpu_gaps", report}, {"analyze", "--rule", "", report},
        {"analyze", "--range", "", report}, {"stats", "--report", "", report},
        {"events", "--top", "-1", report}, {"events", "--top", "99999999999999999999", report}};
    for (const QStringList& command : asked) {
        const CliRun run = runCli(command);
        QVERIFY2(run.code == 2 && run.errorLines() == 1, qPrintable(command.join(' ') + ": " + run.errors));
    }
    const CliRun twice = runCli({"info", "--format", "json", "--format", "json", report});
    QVERIFY2(twice.code == 2 && twice.errors.contains("--format takes at most 1 value, and 2 are given"),
        twice.errors.constData());
}

void CliGatesTest::examplesRun_data()
{
    QTest::addColumn<QString>("example");
    QTest::addColumn<QString>("after"); // the report of the change; empty: `report`, recorded a day later
    QTest::addColumn<bool>("passes");
    for (const char* const example : {"github.yml", "gitlab.yml"}) {
        QTest::addRow("%s, no change", example) << example << QString() << true;
        QTest::addRow("%s, another program", example) << example << other << false;
    }
}

void CliGatesTest::examplesRun()
{
    QFETCH(QString, example);
    QFETCH(QString, after);
    QFETCH(bool, passes);
    ReportFixture later;
    if (after.isEmpty()) {
        after = QString::fromStdString(later.path());
        QVERIFY(QFile::copy(report, after));
        later.run("UPDATE TARGET_INFO_SESSION_START_TIME SET utcEpochNs = utcEpochNs + 86400000000000");
    }
    QFile file(WARPLINE_SOURCE_DIR "/docs/cli/examples/" + example);
    QVERIFY(file.open(QIODevice::ReadOnly));
    // The commands of a job: "- command", or the lines of a block below "run: |".
    QStringList commands;
    for (const QString& line : QString::fromUtf8(file.readAll()).split('\n')) {
        const QString words = line.trimmed();
        const QString command = words.startsWith("- ") ? words.mid(2) : words;
        if (command.startsWith("nsys ") || command.startsWith("warpline-cli "))
            commands << command;
    }
    QVERIFY(commands.size() >= 4);
    const QTemporaryDir folder;
    const auto program = [&](const QString& name, const QString& text) {
        QFile script(folder.filePath(name));
        return script.open(QIODevice::WriteOnly) && script.write(("#!/bin/sh\n" + text + "\n").toUtf8()) > 0
            && script.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    };
    QVERIFY(program("nsys", "[ \"$1\" = export ] && cp '" + after + "' after.sqlite; exit 0"));
    QVERIFY(program("warpline-cli", "exec '" WARPLINE_CLI "' \"$@\""));
    QVERIFY(QFile::copy(report, folder.filePath("baseline.sqlite")));
    QFile baseline(folder.filePath("baseline.json"));
    QVERIFY(baseline.open(QIODevice::WriteOnly)
        && baseline.write(runCli({"analyze", "--format", "json", report}).output) > 0);
    baseline.close();
    QProcess shell;
    shell.setWorkingDirectory(folder.path());
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("PATH", folder.path() + ':' + environment.value("PATH"));
    shell.setProcessEnvironment(environment);
    shell.start("sh", {"-ec", commands.join('\n')});
    QVERIFY(shell.waitForFinished(120'000));
    QVERIFY2((shell.exitCode() == 0) == passes, shell.readAllStandardError() + shell.readAllStandardOutput());
    const bool isGitHub = example == "github.yml";
    QVERIFY(QFileInfo(folder.filePath(isGitHub ? "findings.sarif" : "findings.xml")).size() > 0);
    if (passes || !isGitHub) // the speed is not compared once findings have failed
        QVERIFY(QFileInfo(folder.filePath("comparison.md")).size() > 0);
}

WARPLINE_TEST(CliGatesTest)

} // namespace tst_cli_gates

#include "tst_cli_gates.moc"
