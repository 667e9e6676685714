// Sets of reports as files: a round trip is exact, and foreign input is validated.

#include "core/render/render.h"
#include "core/workspace/report_set.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

namespace tst_report_set {

using namespace warpline;

class ReportSetTest : public QObject {
    Q_OBJECT

private slots:
    void whatIsWrittenComesBack();
    void filesAreToldFromTheFolderOfTheSet();
    void whatTheUserDidNotSayIsNotWritten();
    void badSetsAreSaid_data();
    void badSetsAreSaid();
    void strangeValuesAreLeftAlone();
    void aSetThatIsNotThereIsSaid();
    void aFileOfASetCountsOnce();
};

void ReportSetTest::whatIsWrittenComesBack()
{
    const std::vector<ReportOfSet> set{
        {"/runs/a/rank0.sqlite", {}},
        {"/runs/a/sub/rank1.sqlite", {"slow \"one\"", 0x1F77B4, false, 7, -3'700'000}},
        {"/elsewhere/\xc3\xbc.sqlite", {"", std::nullopt, true, std::nullopt, 12}},
    };
    const auto read = parseReportSet(reportSetJson(set, "/runs/a"), "/runs/a", "set");
    QVERIFY(read.ok());
    QVERIFY(read.value() == set);
}

void ReportSetTest::filesAreToldFromTheFolderOfTheSet()
{
    const std::string text
        = reportSetJson({{"/runs/a/rank0.sqlite", {}}, {"/runs/b/r.sqlite", {}}}, "/runs/a");
    QVERIFY(text.find("\"rank0.sqlite\"") != std::string::npos);
    // Moved with its files the set finds them again.
    const auto read = parseReportSet(text, "/moved/a", "set");
    QVERIFY(read.ok());
    QCOMPARE(read.value()[0].path, std::string("/moved/a/rank0.sqlite"));
    QCOMPARE(read.value()[1].path, std::string("/moved/b/r.sqlite"));
    const auto whole = parseReportSet(
        R"({"warpline_reports": 1, "reports": [{"file": "/there/x.sqlite"}]})", "/moved", "set");
    QVERIFY(whole.ok());
    QCOMPARE(whole.value()[0].path, std::string("/there/x.sqlite"));
    for (const char* const file : {"../a", "../a/", "."}) { // the folder itself has one name
        const auto itself = parseReportSet(
            std::string(R"({"warpline_reports": 1, "reports": [{"file": ")") + file + "\"}]}", "/moved/a",
            "set");
        QVERIFY(itself.ok());
        QCOMPARE(itself.value()[0].path, std::string("/moved/a"));
    }
}

void ReportSetTest::whatTheUserDidNotSayIsNotWritten()
{
    const std::string text = reportSetJson({{"/a/x.sqlite", {}}}, "/a");
    for (const char* const key : {"label", "color", "included", "rank", "offset"})
        QVERIFY2(text.find(key) == std::string::npos, key);
}

void ReportSetTest::badSetsAreSaid_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("problem");
    QTest::newRow("nothing") << QByteArray("") << QByteArray("not valid JSON");
    QTest::newRow("not valid JSON") << QByteArray("{\"warpline_reports\": 1,")
                                    << QByteArray("not valid JSON");
    QTest::newRow("a list") << QByteArray("[1, 2]") << QByteArray("lists no reports");
    QTest::newRow("another document") << QByteArray("{\"reports\": []}") << QByteArray("lists no reports");
    QTest::newRow("a view") << QByteArray("{\"warpline_view\": 1, \"reports\": []}")
                            << QByteArray("is a saved view, not a report. Open its report");
    QTest::newRow("empty") << QByteArray("{\"warpline_reports\": 1, \"reports\": []}")
                           << QByteArray("lists no reports");
    QTest::newRow("newer") << QByteArray("{\"warpline_reports\": 2, \"reports\": [{\"file\": \"x\"}]}")
                           << QByteArray("newer");
    QTest::newRow("no file") << QByteArray("{\"warpline_reports\": 1, \"reports\": [{\"rank\": 1}]}")
                             << QByteArray("without a file");
    QTest::newRow("no object") << QByteArray("{\"warpline_reports\": 1, \"reports\": [3]}")
                               << QByteArray("without a file");
    QTest::newRow("another machine") << QByteArray(
        R"({"warpline_reports": 1, "reports": [{"file": "\\\\host\\share\\x.sqlite"}]})")
                                     << QByteArray("another machine");
    QTest::newRow("another machine, as Windows names it")
        << QByteArray(R"({"warpline_reports": 1, "reports": [{"file": "\\??\\UNC\\host\\share\\x.sqlite"}]})")
        << QByteArray("another machine");
    QTest::newRow("deep") << QByteArray(100'000, '[') << QByteArray("not valid JSON");
}

void ReportSetTest::badSetsAreSaid()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, problem);
    const auto read = parseReportSet(text.toStdString(), "/a", "my.warpline");
    QVERIFY(!read.ok());
    const QByteArray said = QByteArray::fromStdString(plain(read.error().message));
    QVERIFY2(said.startsWith("my.warpline ") && said.contains(problem), said.constData());
}

void ReportSetTest::strangeValuesAreLeftAlone()
{
    const auto read = parseReportSet(R"({"warpline_reports": 1, "further": {}, "reports": [{"file": "x",
        "label": 5, "color": "red", "included": "no", "rank": 1.5, "offset_ns": 9223372036854775807}]})",
        "/a", "set");
    QVERIFY(read.ok());
    const ReportChoices& choices = read.value()[0].choices;
    QVERIFY(choices.label.empty() && !choices.color && choices.isIncluded && !choices.rank);
    // Added to any time of a report it is still a number.
    QCOMPARE(*choices.offset, Ns{1'000'000'000'000'000'000});
}

void ReportSetTest::aSetThatIsNotThereIsSaid()
{
    QVERIFY(isReportSet("a/b.warpline") && !isReportSet("a.sqlite") && !isReportSet("warpline"));
    const auto read = readReportSet("/nowhere/x.warpline");
    QVERIFY(!read.ok() && plain(read.error().message).starts_with("/nowhere/x.warpline does not exist"));
}

void ReportSetTest::aFileOfASetCountsOnce()
{
    const QTemporaryDir folder;
    QFile file(folder.filePath("s.warpline"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"({"warpline_reports": 1, "reports": [{"file": "a", "rank": 3}, {"file": "./a"},
        {"file": "x/../b"}, {"file": "b"}, {"file": "c", "included": false}]})");
    file.close();
    const std::string path = file.fileName().toStdString();
    const auto set = readReportSet(path);
    QVERIFY(set.ok());
    QCOMPARE(set.value().size(), std::size_t{3});
    QVERIFY(set.value()[0].choices.rank == 3);
    const std::string within = folder.path().toStdString();
    const ReportFiles side = reportsOfSide(path);
    QVERIFY(side.problems.empty());
    QVERIFY((side.paths == std::vector<std::string>{within + "/a", within + "/b"}));
    QVERIFY(reportsOfSide(within + "/none.warpline").problems.size() == 1);
    // A set that includes none of its reports, and a list of commas.
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"({"warpline_reports": 1, "reports": [{"file": "a", "included": false}]})");
    file.close();
    for (const std::string& operand : {path, std::string(",")}) {
        const ReportFiles none = reportsOfSide(operand);
        QVERIFY(none.paths.empty());
        QCOMPARE(none.problems.size(), std::size_t{1});
    }
}

WARPLINE_TEST(ReportSetTest)

} // namespace tst_report_set

#include "tst_report_set.moc"
