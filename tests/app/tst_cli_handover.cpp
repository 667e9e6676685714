// warpline-cli report: a self-contained, well-formed page without traces of where it was made.

#include "core/handover/view_file.h"
#include "core/load/load_report.h"
#include "core/store/machine_facts.h"
#include "tests/app/cli_runner.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QXmlStreamReader>

namespace tst_cli_handover {

using namespace warpline;
using namespace warpline::test;

namespace {

const QString report = QStringLiteral(WARPLINE_TEST_DATA "/reports/streams.sqlite");

/// Why `page` is not well-formed, except for the few tags that HTML leaves open; empty: it is.
QString faultOf(QByteArray page)
{
    page.replace("<!DOCTYPE html>", "")
        .replace("<meta charset=\"utf-8\">", "")
        .replace("<meta name=\"viewport\" content=\"width=device-width\">", "");
    page.replace("<br>", "<br/>");
    QXmlStreamReader xml(page);
    while (!xml.atEnd())
        xml.readNext();
    return xml.hasError() ? QString("%1 in line %2").arg(xml.errorString()).arg(xml.lineNumber()) : QString();
}

/// Nothing is loaded and nothing is run.
bool isSelfContained(const QByteArray& page)
{
    return !page.contains("<script") && !page.contains("http://") && !page.contains("https://")
        && !page.contains("@import") && !page.contains("<img") && !page.contains("<link")
        && !page.contains("url(");
}

} // namespace

class CliHandoverTest : public QObject {
    Q_OBJECT

private slots:
    void aPageOfTheWholeReport();
    void rangesHavePictures();
    void theViewBesideTheReportIsTaken();
    void theStepsOfTheViewAreThoseOfThePage();
    void nothingOfTheMachineIsInIt();
    void theRecorderOfATraceStaysKnown();
    void hostileNamesAreText();
    void mistakesAreSaid();
    void everySharedReport();
};

void CliHandoverTest::aPageOfTheWholeReport()
{
    const CliRun run = runCli({"report", report});
    QCOMPARE(run.code, 0);
    QVERIFY2(faultOf(run.output).isEmpty(), qPrintable(faultOf(run.output)));
    QVERIFY(isSelfContained(run.output));
    for (const char* const part :
        {"prefers-color-scheme: dark", "The whole report", "<svg class=\"timeline\"", "<h2>Findings</h2>",
            "cuda_gpu_kern_sum", "<h2>Overview</h2>", "Top names", "Total in range"})
        QVERIFY2(run.output.contains(part), part);
}

void CliHandoverTest::rangesHavePictures()
{
    QTemporaryDir folder;
    const QString file = folder.filePath("page.html");
    const CliRun run = runCli({"report", "--range", "60ms:70ms", "--range", "70ms:200ms", "--no-findings",
        "--tables", "none", "--notes", "what <we> saw", report, "-o", file});
    QCOMPARE(run.code, 0);
    QVERIFY(run.output.isEmpty());
    QFile written(file);
    QVERIFY(written.open(QIODevice::ReadOnly));
    const QByteArray page = written.readAll();
    QCOMPARE(page.count("<svg class=\"timeline\""), 2);
    QVERIFY(page.contains("what &lt;we&gt; saw"));
    QVERIFY(!page.contains("<h2>Findings</h2>") && !page.contains("cuda_gpu_kern_sum"));
    QVERIFY2(faultOf(page).isEmpty(), qPrintable(faultOf(page)));
}

void CliHandoverTest::theViewBesideTheReportIsTaken()
{
    QTemporaryDir folder;
    const QString copy = folder.filePath("r.sqlite");
    QVERIFY(QFile::copy(report, copy));
    const auto trace = loadReport(copy.toStdString());
    QVERIFY(trace.ok());
    SavedView view;
    view.reports = {{0, trace.value()->session, {}}};
    const TimeRange all = trace.value()->session;
    view.marks = {{{all.start, all.start + all.duration() / 2}, "first half & more", "red"},
        {{all.end - 1, all.end - 1}, "near the end", "blue"}};
    view.notes = "notes of the view";
    QFile file(folder.filePath("r.warpline"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray::fromStdString(viewJson(view)));
    file.close();
    const CliRun run = runCli({"report", "--no-findings", copy});
    QCOMPARE(run.code, 0);
    QCOMPARE(run.output.count("<svg class=\"timeline\""), 1);
    for (const char* const part :
        {"<h2>first half &amp; more</h2>", "near the end", "notes of the view", "class=\"mark red\""})
        QVERIFY2(run.output.contains(part), part);
    // A broken one is reported, and the page is made without it; a named one must exist.
    QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
    file.write("{");
    file.close();
    const CliRun without = runCli({"report", "--no-findings", copy});
    QVERIFY(without.code == 0 && without.errors.contains("not valid JSON")
        && without.output.contains("The whole report"));
    QCOMPARE(runCli({"report", "--view", file.fileName(), copy}).code, 3);
    QCOMPARE(runCli({"report", "--view", "/nowhere.warpline", copy}).code, 3);
}

void CliHandoverTest::theStepsOfTheViewAreThoseOfThePage()
{
    QTemporaryDir folder;
    const QString copy = folder.filePath("r.sqlite");
    QVERIFY(QFile::copy(QStringLiteral(WARPLINE_TEST_DATA "/reports/bert_fp32.sqlite"), copy));
    QVERIFY(runCli({"report", copy}).output.contains("(step_#)"));
    SavedView view;
    view.reports = {{0, loadReport(copy.toStdString()).value()->session, {}}};
    view.steps = "forward";
    QFile file(folder.filePath("r.warpline"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray::fromStdString(viewJson(view)));
    file.close();
    const QByteArray page = runCli({"report", copy}).output;
    QVERIFY(page.contains("(forward)") && !page.contains("(step_#)"));
}

void CliHandoverTest::nothingOfTheMachineIsInIt()
{
    ReportFixture fixture;
    fixture.addSmallReport();
    fixture.run(
        "CREATE TABLE IF NOT EXISTS TARGET_INFO_SYSTEM_ENV (name TEXT, nameEnum INTEGER, value TEXT); INSERT INTO TARGET_INFO_SYSTEM_ENV (name, nameEnum, value) VALUES ('Hostname', 1, 'secret-host-17')");
    const QString path = QString::fromStdString(fixture.path());
    const auto trace = loadReport(fixture.path());
    QVERIFY(trace.ok());
    const CliRun run = runCli({"report", path});
    QCOMPARE(run.code, 0);
    for (const QString& word : {fixture.folder(), QString("secret-host-17"), QString("/home/"),
             QString::fromStdString(commandOf(trace.value()->info))}) {
        if (!word.isEmpty())
            QVERIFY2(!run.output.contains(word.toUtf8()), qPrintable(word));
    }
    // A host may have the name of its replacement.
    fixture.run("UPDATE TARGET_INFO_SYSTEM_ENV SET value = 'host' WHERE value = 'secret-host-17'");
    QVERIFY(!runCli({"report", "--no-findings", path}).output.contains("[host]"));
    QVERIFY(runCli({"report", "--machine", path}).output.contains(fixture.folder().toUtf8()));
    // Of what nsys recorded about the program, switches alone stay, and only where they name nothing.
    fixture.run(
        "CREATE TABLE IF NOT EXISTS META_DATA_CAPTURE (name TEXT, value TEXT); INSERT INTO META_DATA_CAPTURE (name, value) VALUES ('PROCESS_0:ENVIRONMENT_VARIABLE', 'HF_TOKEN=hidden-value-1'), ('PROCESS_0:ARGUMENT_0', '--data=hidden-value-2'), ('Recorded by', 'hidden-value-3'), ('Rank found by', 'hidden-value-4'), ('Rank', '3'), ('Other', 'hidden-value-5')");
    const CliRun again = runCli({"report", path});
    QVERIFY(again.code == 0 && !again.output.contains("hidden-value") && !again.output.contains("HF_TOKEN"));
}

/// The advice and the names of ranges are those for torch.profiler, and its options count as recorded.
void CliHandoverTest::theRecorderOfATraceStaysKnown()
{
    const QString trace = QStringLiteral(WARPLINE_TEST_DATA "/traces/bert_stack.json.gz");
    const CliRun run = runCli({"report", trace});
    QCOMPARE(run.code, 0);
    QVERIFY(run.output.contains("torch.profiler") && run.output.contains("<td>Annotation</td>"));
    for (const char* const part : {"of nsys", "nsys profile --", "--nvtx-include", "<td>NVTX</td>"})
        QVERIFY2(!run.output.contains(part), part);
    const auto findingsOf = [](const QByteArray& page) {
        const qsizetype from = page.indexOf("<h2>Findings</h2>");
        return page.sliced(from, page.indexOf("<h2>", from + 1) - from);
    };
    const QString other = QStringLiteral(WARPLINE_TEST_DATA "/traces/cnn_workers0.json.gz");
    QVERIFY(runCli({"report", "--no-findings", other}).output.contains("<td>GPU annotation</td>"));
    QCOMPARE(findingsOf(run.output), findingsOf(runCli({"report", "--machine", trace}).output));
}

void CliHandoverTest::hostileNamesAreText()
{
    ReportFixture fixture;
    fixture.addSmallReport();
    fixture.run("UPDATE StringIds SET value = '<script>alert(\"' || id || '\")</script>&' || value");
    const CliRun run = runCli({"report", QString::fromStdString(fixture.path())});
    QCOMPARE(run.code, 0);
    QVERIFY(isSelfContained(run.output));
    QVERIFY2(faultOf(run.output).isEmpty(), qPrintable(faultOf(run.output)));
    QVERIFY(run.output.contains("&lt;script&gt;"));
}

void CliHandoverTest::mistakesAreSaid()
{
    QCOMPARE(runCli({"report", "--range", "5", report}).code, 2);
    QCOMPARE(runCli({"report", "--tables", "no_such_table", report}).code, 2);
    QCOMPARE(runCli({"report", "/nowhere.sqlite"}).code, 3);
    QCOMPARE(runCli({"report", report, "-o", "/nowhere/x.html"}).code, 4);
}

void CliHandoverTest::everySharedReport()
{
    const std::vector<std::string> reports = sharedReports();
    if (reports.empty())
        QSKIP("needs ../shared/reports, which is not there");
    for (const std::string& path : reports) {
        if (QFile(QString::fromStdString(path)).size() > 20'000'000)
            continue; // the same code, and minutes
        const CliRun run = runCli({"report", "--no-findings", QString::fromStdString(path)});
        QVERIFY2(run.code == 0, path.c_str());
        QVERIFY2(isSelfContained(run.output), path.c_str());
        QVERIFY2(faultOf(run.output).isEmpty(),
            qPrintable(QString::fromStdString(path) + ": " + faultOf(run.output)));
        QVERIFY2(run.output.size() < 3'000'000, path.c_str());
    }
}

WARPLINE_TEST(CliHandoverTest)

} // namespace tst_cli_handover

#include "tst_cli_handover.moc"
