// View files: a round trip is exact, and foreign input is validated.

#include "core/base/json_fields.h"
#include "core/handover/view_file.h"
#include "core/load/load_report.h"
#include "core/load/recording.h"
#include "core/store/trace.h"

#include "core/render/render.h"
#include "core/workspace/workspace.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <fstream>
#include <random>
#include <stop_token>

namespace tst_view_file {

using namespace warpline;

namespace {

SavedView fullView()
{
    SavedView view;
    view.reports = {{4096, {0, 1000}, std::nullopt}, {77, {-5, 900}, -3'700'000}};
    view.shown = {10, 900};
    view.selected = {20, 30};
    view.selectedRows = {"#0/cuda-hw:1:0"};
    view.rows = {{"#0/a"}, {"#1"}, {"#1/b"}, {"#0/c"}, {{"#0/a", 2.5}}, {{"#0/a", 40}}, {{"", {"#1", "#0"}}}};
    view.rowFilter = {"kernels, stream 7", "mine", true, true, {"Queue depth", "Stream 7"}};
    view.answers
        = {{"Long ones", "SELECT start FROM kernels", "gemm", 1, 1.5}, {"All", "SELECT 1", "", 0, 1}};
    view.drawing = {"duration", false, "log", true, true};
    view.filter
        = {"gemm", 5, 5000, "void gemm<float>(int)", EventKind::Kernel, {{EventKind::ApiCall, 3}}, 99};
    view.search = "/flash|attention/";
    view.steps = "step_*";
    view.thresholds = {{"launch_bound.min_idle", 0.25}};
    view.marks = {{{5, 5}, "here \"it\" begins\nreally \xc3\xbc", "red"}, {{20, 30}, "", "blue"}};
    view.notes = "line one\nline two";
    return view;
}

} // namespace

class ViewFileTest : public QObject {
    Q_OBJECT

private slots:
    void whatIsWrittenComesBack();
    void whatCouldNotBeReadIsNotWritten();
    void whatIsAsAtFirstIsNotWritten();
    void theNameIsThatOfTheReport_data();
    void theNameIsThatOfTheReport();
    void badViewsAreSaid_data();
    void badViewsAreSaid();
    void strangeValuesAreLeftAlone();
    void brokenBytesNeverCrash();
    void itBelongsToReportsOfTheSameLength();
    void itsReportsAreFoundNextToIt();
    void reportsOfEqualSizeAreFoundByTheirTimes();
    void aReportThatIsExportedAgainIsFoundByItsName();
    void aRecordingAndItsExportAreOneReport();
    void aFileThatIsNotThereIsSaid();
};

void ViewFileTest::whatIsWrittenComesBack()
{
    const SavedView view = fullView();
    const auto read = parseView(viewJson(view), "view");
    QVERIFY(read.ok());
    QVERIFY(read.value() == view);
}

void ViewFileTest::whatCouldNotBeReadIsNotWritten()
{
    SavedView view;
    view.notes = std::string(mostNoteBytes, 'n');
    for (std::size_t i = 0; i < mostMarks; ++i)
        view.marks.push_back({{static_cast<Ns>(i), static_cast<Ns>(i) + 1}, ""});
    const auto most = viewFileJson(view, "x.warpline");
    QVERIFY(most.ok() && parseView(most.value(), "x.warpline").value() == view);
    SavedView noted = view;
    noted.notes += 'n';
    SavedView marked = view;
    marked.marks.push_back({{7, 9}, ""});
    SavedView searched = view;
    searched.search = std::string(std::size_t{16} << 20U, 's');
    for (const SavedView& each : {noted, marked, searched}) {
        const auto json = viewFileJson(each, "x.warpline");
        QVERIFY(!json.ok());
        QCOMPARE(plain(json.error().message), std::string("x.warpline is too large for a view file."));
    }
}

void ViewFileTest::whatIsAsAtFirstIsNotWritten()
{
    SavedView plain;
    plain.reports = {{1, {0, 10}, {}}};
    plain.shown = {0, 10};
    const std::string text = viewJson(plain);
    for (const char* const key : {"marks", "notes", "filter", "rows", "drawing", "depths", "thresholds",
             "selected", "offset", "search", "steps"})
        QVERIFY2(text.find(key) == std::string::npos, key);
    QVERIFY(parseView(text, "view").value() == plain);
}

void ViewFileTest::theNameIsThatOfTheReport_data()
{
    QTest::addColumn<QStringList>("reports");
    QTest::addColumn<QString>("view");
    QTest::newRow("export") << QStringList{"/a/vit.sqlite"} << "/a/vit.warpline";
    QTest::newRow("recording") << QStringList{"/a/vit.nsys-rep"} << "/a/vit.warpline";
    QTest::newRow("trace") << QStringList{"/a/rank0.pt.trace.json.gz"} << "/a/rank0.warpline";
    QTest::newRow("dots") << QStringList{"/a/run.v2.sqlite"} << "/a/run.v2.warpline";
    QTest::newRow("several") << QStringList{"/a/rank0.sqlite", "/b/rank1.sqlite"} << "/a/rank0+1.warpline";
    QTest::newRow("nothing but an ending") << QStringList{"/a/.sqlite"} << "/a/.sqlite.warpline";
}

void ViewFileTest::theNameIsThatOfTheReport()
{
    QFETCH(QStringList, reports);
    QFETCH(QString, view);
    std::vector<std::string> paths;
    for (const QString& each : reports)
        paths.push_back(each.toStdString());
    QCOMPARE(QString::fromStdString(viewPathFor(paths)), view);
}

void ViewFileTest::badViewsAreSaid_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("problem");
    QTest::newRow("nothing") << QByteArray() << QByteArray("x.warpline is not valid JSON.");
    QTest::newRow("half") << QByteArray(R"({"warpline_view": 1, "marks": [)")
                          << QByteArray("x.warpline is not valid JSON.");
    QTest::newRow("deep") << QByteArray(R"({"warpline_view": 1, "rows": )") + QByteArray(1'000'000, '[')
            + QByteArray(1'000'000, ']')
            + '}' << QByteArray("x.warpline is not valid JSON.");
    QByteArray keys = R"({"warpline_view": 1, "thresholds": {"a": 1)";
    for (std::size_t i = 0; i < 10'000; ++i)
        keys += ", \"" + QByteArray::number(i) + R"(": {"a": 1})";
    QTest::newRow("keys") << keys + "}}" << QByteArray("x.warpline is not valid JSON.");
    QTest::newRow("list") << QByteArray("[1]") << QByteArray("x.warpline is not a Warpline view.");
    QTest::newRow("set") << QByteArray(R"({"warpline_reports": 1, "reports": []})")
                         << QByteArray("x.warpline is not a Warpline view.");
    QTest::newRow("text") << QByteArray(R"({"warpline_view": "1"})")
                          << QByteArray("x.warpline is not a Warpline view.");
    QTest::newRow("newer") << QByteArray(R"({"warpline_view": 2})")
                           << QByteArray("x.warpline was written by a newer Warpline.");
    QTest::newRow("much newer") << QByteArray(R"({"warpline_view": 99999999999999999999})")
                                << QByteArray("x.warpline is not a Warpline view.");
}

void ViewFileTest::badViewsAreSaid()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, problem);
    const auto read = parseView({text.data(), static_cast<std::size_t>(text.size())}, "x.warpline");
    QVERIFY(!read.ok());
    QCOMPARE(QByteArray::fromStdString(plain(read.error().message)), problem);
}

void ViewFileTest::strangeValuesAreLeftAlone()
{
    const auto read = parseView(R"({"warpline_view": 1, "unknown": {"a": [1]}, "shown_ns": [9, 3],
        "selected_ns": "all", "only_selected": 1, "selected_rows": [1, "a", null],
        "reports": [3, {"bytes": "many", "session_ns": [0], "offset_ns": 9000000000000000000}],
        "rows": {"open": "x", "pinned": ["p", 4], "scale": {"a": "b", "c": null, "d": 3}, "order": {"o": 5},
                 "depths": {"a": "b", "c": -7, "d": 9999999999}}, "row_filter": {"text": 5, "set": []}, "drawing": 4,
        "filter": {"kind": "no such", "tracks": [{"kind": "kernel", "track": -1}, {"kind": "kernel", "track": 2},
            {"kind": "kernel", "track": 2}]},
        "thresholds": {"a.b": "high", "c.d": 1}, "notes": ["no"],
        "marks": [7, {"text": "no time"}, {"range_ns": [5, 1]}, {"range_ns": [1, 2.5]},
                  {"range_ns": [1, 9000000000000000000], "color": "no such", "text": 4}]})",
        "x");
    QVERIFY2(read.ok(), read.ok() ? "" : plain(read.error().message).c_str());
    const SavedView& view = read.value();
    QVERIFY(view.shown.empty() && view.selected.empty() && view.notes.empty());
    QCOMPARE(view.selectedRows, std::vector<std::string>{"a"});
    QCOMPARE(view.reports.size(), std::size_t{1});
    QVERIFY(view.reports[0].offset == Ns{1'000'000'000'000'000'000});
    QCOMPARE(view.rows.pinned, std::vector<std::string>{"p"});
    QVERIFY(view.rows.depths == (std::map<std::string, int>{{"c", 1}, {"d", 10'000}}));
    QVERIFY(view.rowFilter == RowFilterOfView() && !view.drawing);
    QVERIFY(view.rows.open.empty() && view.rows.scale == (std::map<std::string, double>{{"d", 3}}));
    QVERIFY(!view.filter.kind && view.filter.tracks.size() == 1);
    QVERIFY(view.thresholds == (std::map<std::string, double>{{"c.d", 1}}));
    QCOMPARE(view.marks.size(), std::size_t{1});
    QVERIFY(view.marks[0] == (Mark{{1, 1'000'000'000'000'000'000}, "", "orange"}));
}

void ViewFileTest::brokenBytesNeverCrash()
{
    const std::string whole = viewJson(fullView());
    std::mt19937 random(7);
    for (int turn = 0; turn < 3000; ++turn) {
        std::string broken = whole;
        for (int i = 0; i < 4; ++i)
            broken[random() % broken.size()] = static_cast<char>(random());
        if (turn % 3 == 0)
            broken.resize(random() % broken.size());
        const auto read = parseView(broken, "x");
        if (read.ok()) // a parsed view can be written again
            QVERIFY(parseView(viewJson(read.value()), "x").ok());
    }
    QVERIFY(!parseView(std::string(200'000, '['), "x").ok());
}

void ViewFileTest::itBelongsToReportsOfTheSameLength()
{
    const auto reportOf = [](TimeRange session) {
        auto trace = std::make_shared<Trace>();
        trace->session = session;
        OpenReport report;
        report.trace = std::move(trace);
        report.rows = std::make_shared<const RowTree>();
        return report;
    };
    SavedView view;
    view.reports = {{1, {0, 10}, {}}};
    QVERIFY(isViewOf(view, Workspace({reportOf({0, 10})})));
    QVERIFY(!isViewOf(view, Workspace({reportOf({0, 11})})));
    QVERIFY(!isViewOf(view, Workspace({reportOf({0, 10}), reportOf({0, 10})})));
}

void ViewFileTest::itsReportsAreFoundNextToIt()
{
    const QTemporaryDir folder;
    const auto put = [&folder](const std::string& name, std::size_t bytes) {
        std::ofstream(folder.filePath(QString::fromStdString(name)).toStdString()) << std::string(bytes, 'x');
    };
    const auto find = [&folder](const std::string& name, const std::vector<std::uint64_t>& bytes) {
        SavedView view;
        for (const std::uint64_t each : bytes)
            view.reports.push_back({each, {}, {}});
        std::vector<std::string> names;
        for (const std::string& path :
            reportsOfView(folder.filePath(QString::fromStdString(name)).toStdString(), view))
            names.push_back(std::filesystem::path(path).filename().string());
        return names;
    };
    using Names = std::vector<std::string>;
    put("decode.json.gz", 30);
    put("decode.sqlite", 40);
    put("decode.txt", 50); // does not open
    put("rank10.sqlite", 20);
    put("rank2.sqlite", 20);
    put("rank1.sqlite", 10);
    put("empty.sqlite", 0);
    QCOMPARE(find("decode.warpline", {40}), Names{"decode.sqlite"});
    QCOMPARE(find("decode.warpline", {30}), Names{"decode.json.gz"});
    QCOMPARE(find("decode.warpline", {50}), Names{"decode.json.gz"}); // by its name
    QCOMPARE(find("decode.warpline", {}), Names{"decode.json.gz"}); // of a newer Warpline
    QCOMPARE(find("mine.warpline", {40}), Names{"decode.sqlite"});
    QCOMPARE(find("mine.warpline", {50}), Names());
    QCOMPARE(find("mine.warpline", {0}), Names());
    // Several, in the order of the view.
    QCOMPARE(find("mine.warpline", {20, 10, 20}), (Names{"rank2.sqlite", "rank1.sqlite", "rank10.sqlite"}));
    QCOMPARE(find("rank10+1.warpline", {20, 20}), (Names{"rank10.sqlite", "rank2.sqlite"}));
    QCOMPARE(find("rank1+1.warpline", {10, 11}), Names());
    QCOMPARE(find("mine.warpline", {20, 20, 20}), Names());
}

/// As ranks of one run are.
void ViewFileTest::reportsOfEqualSizeAreFoundByTheirTimes()
{
    const QTemporaryDir folder;
    test::ReportFixture report;
    report.addSmallReport();
    SavedView view; // of all, the last first
    std::vector<std::string> paths;
    for (const char* const name : {"rank0.sqlite", "rank1.sqlite", "rank2.sqlite"}) {
        report.run("UPDATE NVTX_EVENTS SET end = end + 1000 WHERE text = 'step'");
        const QString path = folder.filePath(name);
        QVERIFY(QFile::copy(QString::fromStdString(report.path()), path));
        const auto trace = loadReport(path.toStdString());
        QVERIFY(trace.ok());
        view.reports.insert(
            view.reports.begin(), {trace.value()->info.fileBytes, trace.value()->session, {}});
        paths.insert(paths.begin(), path.toStdString());
    }
    QCOMPARE(view.reports[0].bytes, view.reports[2].bytes);
    const std::string path = folder.filePath("mine.warpline").toStdString();
    QCOMPARE(reportsOfView(path, view), paths);
    std::stop_source stop;
    stop.request_stop(); // none is read any more
    QVERIFY(reportsOfView(path, view, stop.get_token()).empty());
    view.reports.pop_back(); // not of rank0
    paths.pop_back();
    QCOMPARE(reportsOfView(path, view), paths);
    view.reports.erase(view.reports.begin());
    QCOMPARE(reportsOfView(path, view), std::vector{paths.back()});
}

/// Its size is another one then, and that of another rank is as before.
void ViewFileTest::aReportThatIsExportedAgainIsFoundByItsName()
{
    const QTemporaryDir folder;
    test::ReportFixture report;
    report.addSmallReport();
    const QString rank0 = folder.filePath("rank0.sqlite");
    QVERIFY(QFile::copy(QString::fromStdString(report.path()), rank0));
    const auto trace = loadReport(rank0.toStdString());
    QVERIFY(trace.ok());
    SavedView view;
    view.reports = {{trace.value()->info.fileBytes, trace.value()->session, {}}};
    QVERIFY(QFile::resize(rank0, QFile(rank0).size() + 4096));
    report.run("UPDATE NVTX_EVENTS SET end = end + 1000 WHERE text = 'step'");
    for (const char* const name : {"rank1.sqlite", "rank2.sqlite"}) {
        QVERIFY(QFile::copy(QString::fromStdString(report.path()), folder.filePath(name)));
        QCOMPARE(reportsOfView(folder.filePath("rank0.warpline").toStdString(), view),
            std::vector{rank0.toStdString()});
        QVERIFY(reportsOfView(folder.filePath("mine.warpline").toStdString(), view).empty());
    }
}

/// To distinguish them the export would be read: here it cannot be.
void ViewFileTest::aRecordingAndItsExportAreOneReport()
{
    const QTemporaryDir folder;
    const auto pathOf
        = [&folder](const char* name) { return folder.filePath(QString::fromLatin1(name)).toStdString(); };
    const auto put
        = [](const std::string& path, std::size_t bytes) { std::ofstream(path) << std::string(bytes, 'x'); };
    const auto restore = qScopeGuard([before = qgetenv("XDG_CACHE_HOME")] {
        before.isEmpty() ? qunsetenv("XDG_CACHE_HOME") : qputenv("XDG_CACHE_HOME", before);
    });
    qputenv("XDG_CACHE_HOME", folder.filePath("cache").toUtf8());
    put(pathOf("run.nsys-rep"), 10);
    const std::filesystem::path cached = exportPathFor(pathOf("run.nsys-rep"));
    QVERIFY(!cached.empty());
    std::filesystem::create_directories(cached.parent_path());
    put(cached.string(), 40);
    put(pathOf("run.sqlite"), 40);
    put(pathOf("second.sqlite"), 50);
    SavedView view;
    view.reports = {{40, {1, 2}, {}}, {50, {}, {}}};
    QCOMPARE(reportsOfView(pathOf("run+1.warpline"), view),
        (std::vector{pathOf("run.sqlite"), pathOf("second.sqlite")}));
    // One that was exported otherwise is another file.
    put(cached.string(), 60);
    view.reports.front().bytes = 60;
    QCOMPARE(reportsOfView(pathOf("run+1.warpline"), view),
        (std::vector{pathOf("run.nsys-rep"), pathOf("second.sqlite")}));
}

void ViewFileTest::aFileThatIsNotThereIsSaid()
{
    QTemporaryDir folder;
    const auto none = readViewFile(folder.filePath("none.warpline").toStdString());
    QVERIFY(!none.ok());
    QVERIFY(plain(none.error().message).ends_with("does not exist or cannot be read."));
    QVERIFY(!readViewFile(folder.path().toStdString()).ok()
        || readViewFile(folder.path().toStdString()).value().empty());
}

WARPLINE_TEST(ViewFileTest)

} // namespace tst_view_file

#include "tst_view_file.moc"
