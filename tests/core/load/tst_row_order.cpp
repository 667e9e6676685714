// Rows of a report have no order since 2025.6, and there may be tables without rows: neither changes any
// result.

#include "core/export/findings_text.h"
#include "core/export/info_json.h"
#include "core/findings/checklist.h"
#include "core/findings/rule.h"
#include "core/load/load_report.h"
#include "core/render/render.h"
#include "core/stats/stats_table.h"
#include "core/store/trace.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"
#include "tests/support/whole_analysis.h"

#include <QTest>

#include <nlohmann/json.hpp>
#include <sqlite3.h>

#include <filesystem>
#include <set>
#include <sstream>

namespace tst_row_order {

using namespace warpline;
using namespace warpline::test;
namespace fs = std::filesystem;

namespace {

using Answers = std::vector<std::pair<std::string, std::string>>;

/// `cells` as text, without the columns that identify a range by its row in the file, like nsys.
std::string textOf(const Cells& cells)
{
    std::string text;
    for (std::size_t row = 0; row < cells.rowCount(); ++row) {
        for (std::size_t column = 0; column < cells.columns.size(); ++column) {
            const std::string& title = cells.columns[column].title;
            if (title == "RangeId" || title == "ParentId" || title == "RangeStack" || title == "ParentID"
                || title == "RangeID")
                continue;
            const Cell cell = cells.at(row, column);
            if (const auto* const whole = std::get_if<std::int64_t>(&cell))
                text += std::to_string(*whole);
            else if (const auto* const real = std::get_if<double>(&cell))
                text += std::to_string(*real);
            else if (const auto* const words = std::get_if<std::string>(&cell))
                text += *words;
            text += ',';
        }
        text += '\n';
    }
    return text;
}

/// All results about the report at `path`, without its path, by their source.
Answers answersOf(const std::string& path)
{
    auto loaded = loadReport(path);
    if (!loaded.ok())
        return {{"error", plain(loaded.error().message)}};
    auto named = std::make_shared<Trace>(*loaded.value());
    named->info.path = "report.sqlite";
    named->info.fileBytes = 0;
    const Trace& trace = *named;
    Answers answers{{"info", infoJson(trace).dump(2)}};
    for (const StatsTable* const table : allStatsTables()) {
        if (table->applies(trace))
            answers.emplace_back(table->id, textOf(table->fill(trace, {})));
    }
    const std::vector<Finding> findings = runRules(trace, trace.session);
    std::istringstream lines(
        findingsJson(trace, AnalysisText{findings, answerChecklist(trace, trace.session)}).dump(2));
    std::string said;
    for (std::string line; std::getline(lines, line);) {
        if (line.find("\"row\": ") == std::string::npos) // its row in the file
            said += line + '\n';
    }
    answers.emplace_back("findings", said);
    return answers;
}

std::vector<std::string> listOf(const std::string& path, const char* sql)
{
    sqlite3* handle = nullptr;
    sqlite3_open_v2(path.c_str(), &handle, SQLITE_OPEN_READONLY, nullptr);
    std::vector<std::string> list;
    sqlite3_stmt* query = nullptr;
    sqlite3_prepare_v2(handle, sql, -1, &query, nullptr);
    while (sqlite3_step(query) == SQLITE_ROW)
        list.emplace_back(reinterpret_cast<const char*>(sqlite3_column_text(query, 0)));
    sqlite3_finalize(query);
    sqlite3_close(handle);
    return list;
}

void copyInto(const ReportFixture& fixture, const std::string& path)
{
    fs::copy_file(path, fixture.path());
    fs::permissions(fixture.path(), fs::perms::owner_write, fs::perm_options::add);
}

/// The first line in which `a` and `b` differ, for the message.
QByteArray difference(const std::string& what, const std::string& a, const std::string& b)
{
    std::size_t at = 0;
    while (at < std::min(a.size(), b.size()) && a[at] == b[at])
        ++at;
    const std::size_t from = at == 0 ? 0 : a.rfind('\n', at - 1) + 1;
    return QByteArray::fromStdString(
        what + "\n  " + a.substr(from, 400) + "\n  " + b.substr(std::min(from, b.size()), 400));
}

} // namespace

class RowOrderTest : public QObject {
    Q_OBJECT

private slots:
    void shuffledRowsSayTheSame_data();
    void shuffledRowsSayTheSame();
    void namesInAnotherOrderSayTheSame_data();
    void namesInAnotherOrderSayTheSame();
    void emptyTablesSayNothing_data();
    void emptyTablesSayNothing();

private:
    static void addReports();
    static void compare(const std::string& path, const ReportFixture& changed);
};

void RowOrderTest::addReports()
{
    QTest::addColumn<QString>("path");
    const fs::path reports(WARPLINE_SHARED_REPORTS);
    for (const char* const name :
        {"h200/streams", "h200/reduce_v2", "h200/reduce_v3bug", "h200/bert_amp", "h200/launch_graph_node",
            "h200/streams_sampled", "h200-more/um", "h200-more/pdl", "h200-more/payload",
            "h200-more/graph_nvtx", "h200-more/ddp_json_rank0", "h200-more/halo_one", "h200-more/openmp"}) {
        const fs::path path = reports / name / (fs::path(name).filename().string() + ".sqlite");
        QTest::newRow(name) << QString::fromStdString(fs::exists(path) ? path.string() : std::string());
    }
}

void RowOrderTest::compare(const std::string& path, const ReportFixture& changed)
{
    const Answers before = answersOf(path);
    const Answers after = answersOf(changed.path());
    QVERIFY(before.size() > 2);
    QCOMPARE(after.size(), before.size());
    QByteArray differences;
    for (std::size_t i = 0; i < before.size(); ++i) {
        QCOMPARE(after[i].first, before[i].first);
        if (after[i].second != before[i].second)
            differences += difference(before[i].first, before[i].second, after[i].second) + '\n';
    }
    QVERIFY2(differences.isEmpty(), differences);
}

void RowOrderTest::shuffledRowsSayTheSame_data()
{
    addReports();
}

void RowOrderTest::shuffledRowsSayTheSame()
{
    QFETCH(QString, path);
    if (path.isEmpty())
        QSKIP("The shared report is not there.");
    ReportFixture fixture;
    copyInto(fixture, path.toStdString());
    for (const std::string& table :
        listOf(fixture.path(), "SELECT name FROM sqlite_master WHERE type = 'table'")) {
        // The same shuffle every time; tables with their own key keep its order.
        fixture.run("CREATE TEMP TABLE shuffled AS SELECT * FROM \"" + table
            + "\" ORDER BY (rowid * 2654435761) % 1000003; DELETE FROM \"" + table + "\"; INSERT INTO \""
            + table + "\" SELECT * FROM shuffled; DROP TABLE shuffled;");
    }
    compare(path.toStdString(), fixture);
}

void RowOrderTest::namesInAnotherOrderSayTheSame_data()
{
    addReports();
}

/// The thread that reads a name first decides its id: no result may depend on it. Names that are read before
/// all others, in reverse alphabetical order, get other ids.
void RowOrderTest::namesInAnotherOrderSayTheSame()
{
    QFETCH(QString, path);
    if (path.isEmpty())
        QSKIP("The shared report is not there.");
    ReportFixture fixture;
    copyInto(fixture, path.toStdString());
    const bool hasTexts = sqlHasTable(fixture.path(), "NVTX_EVENTS");
    fixture.run("CREATE TEMP TABLE reversed AS SELECT value FROM StringIds "
        + std::string(hasTexts ? "UNION SELECT text FROM NVTX_EVENTS WHERE text IS NOT NULL " : "")
        + "ORDER BY value DESC; INSERT INTO StringIds (id, value) SELECT rowid - 100000000, value FROM reversed;");
    compare(path.toStdString(), fixture);
}

void RowOrderTest::emptyTablesSayNothing_data()
{
    addReports();
}

void RowOrderTest::emptyTablesSayNothing()
{
    QFETCH(QString, path);
    if (path.isEmpty())
        QSKIP("The shared report is not there.");
    // Every table that any report here has, and of later exports those that none has.
    std::set<std::string> made;
    ReportFixture fixture;
    copyInto(fixture, path.toStdString());
    for (const std::string& name :
        listOf(fixture.path(), "SELECT name FROM sqlite_master WHERE type = 'table'"))
        made.insert(name);
    for (const std::string& other : sharedReports()) {
        for (const std::string& sql : listOf(other,
                 "SELECT sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' "
                 "AND name NOT LIKE 'ENUM_%' AND name NOT LIKE 'EXPORT_META_DATA'")) {
            const std::size_t from = sql.find_first_not_of(" \"", std::string("CREATE TABLE").size());
            const std::string name = sql.substr(from, sql.find_first_of(" \"(", from) - from);
            if (made.insert(name).second)
                fixture.run(sql);
        }
    }
    fixture.run(R"sql(
        CREATE TABLE SYSCALL (start INTEGER, end INTEGER, globalTid INTEGER, nameId INTEGER, callchainId INTEGER);
        CREATE TABLE UCP_EVENTS (start INTEGER, end INTEGER, globalTid INTEGER, textId INTEGER);
        CREATE TABLE CUPTI_ACTIVITY_KIND_JIT (start INTEGER, end INTEGER, globalTid INTEGER, nameId INTEGER);
        CREATE TABLE CUPTI_ACTIVITY_KIND_MEM_DECOMPRESS (start INTEGER, end INTEGER, deviceId INTEGER);
        CREATE TABLE CUDA_HOST_CALLBACK (start INTEGER, end INTEGER, globalTid INTEGER, nameId INTEGER);
        CREATE TABLE CUDA_GPU_MEMORY_POOL_EVENTS (start INTEGER, globalPid INTEGER, deviceId INTEGER);
        CREATE TABLE NET_NIC_METRIC (start INTEGER, end INTEGER, globalId INTEGER, value INTEGER);
    )sql");
    QVERIFY(made.size() > 80);
    compare(path.toStdString(), fixture);
}

WARPLINE_TEST(RowOrderTest)

} // namespace tst_row_order

#include "tst_row_order.moc"
