// Rows read from the pages of a file, against SQLite's.
#include "core/render/render.h"
#include "core/sqlite/table_rows.h"
#include "tests/support/random_database.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QtTest>

#include <sqlite3.h>

#include <filesystem>
#include <fstream>
#include <limits>

namespace tst_page_rows {

using namespace warpline;
using namespace warpline::test;

namespace {

constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();

void execute(const std::string& path, const char* sql)
{
    sqlite3* database = nullptr;
    sqlite3_open(path.c_str(), &database);
    char* problem = nullptr;
    sqlite3_exec(database, sql, nullptr, nullptr, &problem);
    if (problem)
        qFatal("%s", problem);
    sqlite3_close(database);
}

/// Table t of a file, ready to be read.
struct OpenedTable {
    OpenedTable(const std::string& path, const std::vector<std::string_view>& columns,
        const std::vector<std::string>& present, bool hasRowId = true)
        : file(sqlite::ReportFile::open(path)),
          report(sqlite::Database::open(file.value())),
          source(sqlite::PagedFile::open(file.value(), whyNot), report.value(), "t", columns, present, {},
              hasRowId)
    {
    }

    Result<sqlite::ReportFile> file;
    Result<sqlite::Database> report;
    std::string whyNot;
    sqlite::TableSource source;
};

} // namespace

class PageRowsTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    std::string path() const { return m_folder.filePath("random.sqlite").toStdString(); }

private slots:
    void randomDatabasesReadAlike();
    void mutatedDatabasesReadAlikeOrAreDeclined();
    void everyReportIsReadFromItsPages_data();
    void everyReportIsReadFromItsPages();
    void sharesMeetWithoutGapOrOverlap();
    void oddFilesAreLeftToSqlite_data();
    void oddFilesAreLeftToSqlite();
    void damagedPageIsHandedToSqlite_data();
    void damagedPageIsHandedToSqlite();
    void rootThatLostItsCellsIsLeftToSqlite();
    void changedFileIsAnError();
};

void PageRowsTest::randomDatabasesReadAlike()
{
    Comparison all;
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        Random random(seed);
        writeRandomDatabase(path(), random);
        const Comparison one = comparePagesWithSqlite(path());
        QVERIFY2(one.difference.empty(), (std::to_string(seed) + ": " + one.difference).c_str());
        all.rows += one.rows;
        all.tables += one.tables;
        all.declined += one.declined;
    }
    QVERIFY(all.rows > 10'000);
    QVERIFY(all.tables > all.declined * 2);
}

void PageRowsTest::mutatedDatabasesReadAlikeOrAreDeclined()
{
    std::uint64_t read = 0;
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
        Random random(seed * 7919);
        writeRandomDatabase(path(), random);
        const std::string mutated = m_folder.filePath("mutated.sqlite").toStdString();
        for (int i = 0; i < 8; ++i) {
            std::filesystem::remove(mutated); // overwriting fails with mingw's library
            std::filesystem::copy_file(path(), mutated);
            mutateFile(mutated, random);
            const Comparison one = comparePagesWithSqlite(mutated);
            QVERIFY2(one.difference.empty(), (std::to_string(seed) + ": " + one.difference).c_str());
            read += one.tables;
        }
    }
    QVERIFY(read > 100);
}

void PageRowsTest::everyReportIsReadFromItsPages_data()
{
    QTest::addColumn<QString>("report");
    for (const auto& entry : std::filesystem::recursive_directory_iterator(WARPLINE_TEST_DATA)) {
        if (entry.path().extension() == ".sqlite")
            QTest::newRow(entry.path().filename().string().c_str())
                << QString::fromStdString(entry.path().string());
    }
    const std::filesystem::path shared = WARPLINE_SHARED_REPORTS;
    if (!std::filesystem::exists(shared))
        return;
    constexpr std::uintmax_t quick = 8'000'000;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(shared)) {
        if (entry.path().extension() == ".sqlite" && entry.file_size() < quick)
            QTest::newRow(std::filesystem::relative(entry.path(), shared).string().c_str())
                << QString::fromStdString(entry.path().string());
    }
}

void PageRowsTest::everyReportIsReadFromItsPages()
{
    QFETCH(QString, report);
    const Comparison result = comparePagesWithSqlite(report.toStdString());
    QVERIFY2(result.difference.empty(), result.difference.c_str());
    QCOMPARE(result.declined, 0U);
    QVERIFY(result.tables > 0);
}

void PageRowsTest::sharesMeetWithoutGapOrOverlap()
{
    const std::string file = m_folder.filePath("shares.sqlite").toStdString();
    execute(file,
        "PRAGMA page_size=512; CREATE TABLE t (a INTEGER, b TEXT);"
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)"
        "INSERT INTO t SELECT i * 3, CASE WHEN i % 100 = 0 THEN hex(zeroblob(700)) ELSE 'x' END FROM n;"
        "DELETE FROM t WHERE rowid BETWEEN 1000 AND 1200 OR rowid % 7 = 0;");
    OpenedTable table(file, {"b", "missing", "a"}, {"a", "b"});
    QVERIFY(table.source.pages());
    Random random(5);
    for (int round = 0; round < 200; ++round) {
        std::vector<std::int64_t> bounds{least, most};
        for (int i = 0; i < 4; ++i)
            bounds.insert(bounds.end() - 1, static_cast<std::int64_t>(random() % 5200));
        std::sort(bounds.begin(), bounds.end());
        std::vector<std::int64_t> seen;
        for (std::size_t i = 0; i + 1 < bounds.size(); ++i) {
            const std::int64_t last = i + 2 == bounds.size() ? most : bounds[i + 1] - 1;
            if (last < bounds[i])
                continue;
            sqlite::TableRows rows(table.source, table.report.value(), bounds[i], last);
            while (rows.next() == sqlite::TableRows::Step::Row) {
                seen.push_back(rows.row().integer(0));
                QCOMPARE(rows.row().integer(3), rows.row().integer(0) * 3);
                QVERIFY(rows.row().isNull(2));
                QCOMPARE(rows.row().text(1).size(), rows.row().integer(0) % 100 == 0 ? 1400U : 1U);
            }
        }
        const auto expected = table.report.value().integer("SELECT count(*) FROM t").value().value();
        QCOMPARE(static_cast<std::int64_t>(seen.size()), expected);
        QVERIFY(std::is_sorted(seen.begin(), seen.end()));
    }
}

void PageRowsTest::oddFilesAreLeftToSqlite_data()
{
    QTest::addColumn<QByteArray>("sql");
    QTest::newRow("UTF-16") << QByteArray(
        "PRAGMA encoding='UTF-16'; CREATE TABLE t (a); INSERT INTO t VALUES (1)");
    QTest::newRow("auto-vacuum") << QByteArray(
        "PRAGMA auto_vacuum=1; CREATE TABLE t (a); INSERT INTO t VALUES (1)");
    QTest::newRow("no rowid") << QByteArray(
        "CREATE TABLE t (a PRIMARY KEY) WITHOUT ROWID; INSERT INTO t VALUES (1)");
    QTest::newRow("computed column") << QByteArray(
        "CREATE TABLE t (a, b AS (a + 1)); INSERT INTO t (a) VALUES (1)");
    QTest::newRow("view") << QByteArray(
        "CREATE TABLE u (a); INSERT INTO u VALUES (1); CREATE VIEW t AS SELECT * FROM u");
}

void PageRowsTest::oddFilesAreLeftToSqlite()
{
    QFETCH(QByteArray, sql);
    const std::string file = m_folder.filePath("odd.sqlite").toStdString();
    std::filesystem::remove(file);
    execute(file, sql.constData());
    const bool hasRowId = !sql.contains("WITHOUT") && !sql.contains("VIEW");
    OpenedTable table(file, {"a"}, {"a"}, hasRowId);
    QVERIFY(!table.source.pages());
    sqlite::TableRows rows(table.source, table.report.value(), least, most);
    QCOMPARE(rows.next(), sqlite::TableRows::Step::Row);
    QCOMPARE(rows.row().integer(1), 1);
    QCOMPARE(rows.next(), sqlite::TableRows::Step::Done);
}

void PageRowsTest::damagedPageIsHandedToSqlite_data()
{
    QTest::addColumn<int>("place");
    QTest::addColumn<int>("byte");
    QTest::newRow("of no kind") << 0 << 0x55;
    QTest::newRow("with more cells than fit") << 4 << 0xFF;
    QTest::newRow("without cells") << 4 << 0;
}

void PageRowsTest::damagedPageIsHandedToSqlite()
{
    QFETCH(int, place);
    QFETCH(int, byte);
    const std::string file = m_folder.filePath("damaged.sqlite").toStdString();
    std::filesystem::remove(file);
    execute(file,
        "PRAGMA page_size=1024; CREATE TABLE t (a INTEGER);"
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)"
        "INSERT INTO t SELECT i FROM n;");
    constexpr std::streamoff leaf = 5 * 1024; // some leaf in the middle
    std::fstream(file, std::ios::in | std::ios::out | std::ios::binary)
        .seekp(leaf + place)
        .put(static_cast<char>(byte));
    OpenedTable table(file, {"a"}, {"a"});
    QVERIFY(table.source.pages());
    sqlite::TableRows rows(table.source, table.report.value(), least, most);
    std::int64_t read = 0;
    sqlite::TableRows::Step step = sqlite::TableRows::Step::Row;
    while ((step = rows.next()) == sqlite::TableRows::Step::Row)
        QCOMPARE(rows.row().integer(1), ++read);
    QVERIFY(read > 100);
    QCOMPARE(step, sqlite::TableRows::Step::Failed);
    QVERIFY(QString::fromStdString(plain(rows.error().message)).contains("damaged"));
}

void PageRowsTest::rootThatLostItsCellsIsLeftToSqlite()
{
    const std::string file = m_folder.filePath("empty-root.sqlite").toStdString();
    std::filesystem::remove(file);
    execute(file,
        "PRAGMA page_size=1024; CREATE TABLE t (a INTEGER);"
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)"
        "INSERT INTO t SELECT i FROM n;");
    // Page 2, its root, keeps the child at its right: SQLite calls that damaged, and gives no row of it.
    constexpr std::streamoff cellsOfRoot = 1024 + 3;
    std::fstream(file, std::ios::in | std::ios::out | std::ios::binary).seekp(cellsOfRoot).write("\0\0", 2);
    OpenedTable table(file, {"a"}, {"a"});
    QVERIFY(!table.source.pages());
    sqlite::TableRows rows(table.source, table.report.value(), least, most);
    QCOMPARE(rows.next(), sqlite::TableRows::Step::Failed);
}

void PageRowsTest::changedFileIsAnError()
{
    const std::string file = m_folder.filePath("changing.sqlite").toStdString();
    execute(file,
        "CREATE TABLE t (a INTEGER);"
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)"
        "INSERT INTO t SELECT i FROM n;");
    OpenedTable table(file, {"a"}, {"a"});
    sqlite::TableRows rows(table.source, table.report.value(), least, most);
    QCOMPARE(rows.next(), sqlite::TableRows::Step::Row);
    // Cut off under the reader: no map, so nothing ends the program.
    std::filesystem::resize_file(file, 64 * 1024);
    sqlite::TableRows::Step step = sqlite::TableRows::Step::Row;
    std::int64_t read = 1;
    while ((step = rows.next()) == sqlite::TableRows::Step::Row)
        QCOMPARE(rows.row().integer(1), ++read);
    QCOMPARE(step, sqlite::TableRows::Step::Failed);
    QVERIFY(!rows.error().message.empty());
}

WARPLINE_TEST(PageRowsTest)

} // namespace tst_page_rows

#include "tst_page_rows.moc"
