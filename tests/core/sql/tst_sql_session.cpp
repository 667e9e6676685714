// The user's own queries: views against hand-written SQL, limits, places of errors. No statement changes the
// file or runs forever.

#include "core/render/render.h"
#include "core/sql/ready_questions.h"
#include "core/sql/sql_session.h"
#include "tests/support/hostile_sql.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"

#include <QCryptographicHash>
#include <QDir>
#include <QDirIterator>
#include <QRandomGenerator>
#include <QTemporaryDir>
#include <QTest>

#include <sqlite3.h>

#include <ctime>
#include <thread>

namespace tst_sql_session {

using namespace warpline;
using namespace warpline::test;

namespace {

const QString sample = QStringLiteral(WARPLINE_TEST_DATA "/reports/streams.sqlite");
constexpr sqlite::QueryLimits briefly{.time = std::chrono::milliseconds(150), .rows = 50};

/// All cells of a result, one line per row.
QStringList linesOf(const Cells& cells)
{
    QStringList lines;
    for (std::size_t row = 0; row < cells.rowCount(); ++row) {
        QStringList line;
        for (const Cell& cell : cells.row(row)) {
            if (const auto* const text = std::get_if<std::string>(&cell))
                line << QString::fromStdString(*text);
            else if (const auto* const whole = std::get_if<std::int64_t>(&cell))
                line << QString::number(*whole);
            else if (const auto* const real = std::get_if<double>(&cell))
                line << QString::number(*real, 'g', 17);
            else
                line << "NULL";
        }
        lines << line.join('|');
    }
    return lines;
}

/// The same from SQLite itself, without views or guard.
QStringList judged(const QString& path, const char* sql)
{
    sqlite3* db = nullptr;
    const QByteArray uri = "file:" + path.toUtf8() + "?mode=ro&immutable=1";
    sqlite3_open_v2(uri.constData(), &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nullptr);
    QStringList lines;
    const auto add = [](void* list, int count, char** values, char**) {
        QStringList line;
        for (int i = 0; i < count; ++i)
            line << (values[i] ? QString::fromUtf8(values[i]) : QString("NULL"));
        *static_cast<QStringList*>(list) << line.join('|');
        return 0;
    };
    char* problem = nullptr;
    if (sqlite3_exec(db, sql, add, &lines, &problem) != SQLITE_OK)
        lines << QString("problem: ") + problem;
    sqlite3_free(problem);
    sqlite3_close(db);
    return lines;
}

SqlSession opened(const QString& path)
{
    auto session = SqlSession::open(path.toStdString());
    if (!session.ok())
        qFatal("%s", plain(session.error().message).c_str());
    return session.take();
}

QByteArray hashOf(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    QCryptographicHash hash(QCryptographicHash::Sha256);
    hash.addData(&file);
    return hash.result();
}

} // namespace

class SqlSessionTest : public QObject {
    Q_OBJECT

private slots:
    /// A row of a view leads to its event by the rowid of the table that it is of.
    void viewsNumberTheRowsOfTheirTables()
    {
        SqlSession session = opened(sample);
        const std::pair<const char*, const char*> views[]{{"kernels", "CUPTI_ACTIVITY_KIND_KERNEL"},
            {"copies", "CUPTI_ACTIVITY_KIND_MEMCPY"}, {"api_calls", "CUPTI_ACTIVITY_KIND_RUNTIME"},
            {"launches", "CUPTI_ACTIVITY_KIND_KERNEL"}};
        for (const auto& [view, table] : views) {
            const auto known = std::ranges::find(session.tables(), view, &SqlTable::name);
            QVERIFY(known != session.tables().end());
            QCOMPARE(known->source, std::string(table));
            const SqlAnswer answer = session.ask(
                "SELECT rowid, start, correlation FROM " + std::string(view) + " ORDER BY rowid");
            QVERIFY2(answer.problem.empty(), plain(answer.problem).c_str());
            const QStringList all = judged(sample,
                QString("SELECT rowid, start, correlationId FROM %1 ORDER BY rowid").arg(table).toUtf8());
            const QStringList found = linesOf(answer.cells);
            QVERIFY(!found.isEmpty());
            if (QByteArray(view) == "launches") { // of kernels whose call is there
                for (const QString& line : found)
                    QVERIFY(all.contains(line));
            } else {
                QCOMPARE(found, all);
            }
        }
    }

    /// LIKE, GLOB and similar functions are our own, as SQLite's may take hours. On random texts their
    /// results equal SQLite's.
    void boundedFunctionsAreSqlites()
    {
        sqlite3* unguarded = nullptr;
        sqlite3_open(":memory:", &unguarded);
        SqlSession session = opened(sample);
        QRandomGenerator random(3);
        const QStringList letters{
            "a", "b", "A", "%", "_", "*", "?", "[", "]", "^", "-", "ä", "\U0001f600", "a", "b"};
        const auto word = [&](int most) {
            QString text;
            for (int left = random.bounded(most + 1); left > 0; --left)
                text += letters[random.bounded(letters.size())];
            return text.isEmpty() && random.bounded(9) == 0 ? QString("NULL") : "'" + text + "'";
        };
        int differs = 0; // from nothing found
        for (int i = 0; i < 4000; ++i) {
            const QString sql = QString(
                "SELECT %1 LIKE %2, %1 GLOB %2, %1 LIKE %2 ESCAPE 'b', instr(%1, %2), replace(%1, %2, %3), "
                "trim(%1, %2), ltrim(%1, %2), rtrim(%1, %2), trim(%1), instr(x'6162', x'62')")
                                    .arg(word(8), word(5), word(2));
            QStringList wanted;
            const auto add = [](void* list, int count, char** values, char**) {
                QStringList line;
                for (int at = 0; at < count; ++at)
                    line << (values[at] ? QString::fromUtf8(values[at]) : QString("NULL"));
                *static_cast<QStringList*>(list) << line.join('|');
                return 0;
            };
            sqlite3_exec(unguarded, sql.toUtf8().constData(), add, &wanted, nullptr);
            const SqlAnswer answer = session.ask(sql.toStdString());
            QVERIFY2(answer.problem.empty(), plain(answer.problem).c_str());
            QVERIFY2(linesOf(answer.cells) == wanted,
                qPrintable(sql + " gives " + linesOf(answer.cells).join(' ') + ", not " + wanted.join(' ')));
            differs += wanted.join(' ').startsWith("1|") ? 1 : 0;
        }
        QVERIFY(differs > 100);
        sqlite3_close(unguarded);
    }

    void longCallsEnd_data()
    {
        QTest::addColumn<QString>("sql");
        const QString many = "hex(zeroblob(4000000))";
        for (const QString& sql :
            {QString("SELECT %1 LIKE '%0%0%0%0%0%0%0%0%0%0%1'"),
                QString("SELECT %1 GLOB '*0*0*0*0*0*0*0*0*0*0*1'"),
                QString("SELECT instr(%1, substr(%1, 1, 4000000) || '1')"),
                QString("SELECT length(replace(%1, substr(%1, 1, 4000000) || '1', ''))"),
                QString("SELECT length(trim(%1, replace(%1, '0', '1') || '0'))"),
                QString(
                    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT sum(length(hex(zeroblob(7000000)))) FROM n"),
                QString(
                    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(printf('%*d', 9000000, i)) FROM n"),
                QString(
                    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT sum(length(replace(%1, '0', 'x'))) FROM n"),
                QString(
                    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 200000), a(j) AS (SELECT json_group_object('a' || i, i) FROM n), b(j) AS (SELECT json_group_object('b' || i, i) FROM n) SELECT length(json_patch(a.j, b.j)) FROM a, b")})
            QTest::newRow(qPrintable(sql.left(60))) << QString(sql).replace("%1", many);
    }

    /// Each of these takes hours if SQLite can stop only between its own steps.
    void longCallsEnd()
    {
        QFETCH(QString, sql);
        SqlSession session = opened(sample);
        const std::clock_t begin = std::clock();
        session.ask(sql.toStdString(), briefly);
        const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
        QVERIFY2(seconds < 20, qPrintable(QString::number(seconds)));
    }

    /// Functions that are bounded do what SQLite's do, also inside others.
    void shortCallsWork()
    {
        SqlSession session = opened(sample);
        const auto told = session.ask(
            "SELECT json_array(json_patch('{\"a\": 1}', '{\"b\": 2}')), replace('abc', 'b', 'x')");
        QCOMPARE(told.cells.rowCount(), std::size_t{1});
        const std::vector<Cell> row = told.cells.row(0);
        QCOMPARE(std::get<std::string>(row[0]), std::string(R"([{"a":1,"b":2}])"));
        QCOMPARE(std::get<std::string>(row[1]), std::string("axc"));
    }

    void wrongNamesOfferRightOnes()
    {
        SqlSession session = opened(sample);
        const auto problem = [&](std::string_view sql) { return plain(session.ask(sql).problem); };
        QCOMPARE(problem("SELECT shortname FROM kernels"),
            std::string("No such column: shortname. Did you mean short_name?"));
        QCOMPARE(problem("SELECT k.strem FROM kernels k"),
            std::string("No such column: k.strem. Did you mean stream?"));
        QCOMPARE(
            problem("SELECT gridX FROM kernels"), std::string("No such column: gridX. Did you mean grid_x?"));
        QCOMPARE(problem("SELECT grid_x FROM CUPTI_ACTIVITY_KIND_KERNEL"),
            std::string("No such column: grid_x. Did you mean gridX?"));
        QCOMPARE(problem("SELECT direction FROM kernels"),
            std::string("No such column: direction. It is a column of copies."));
        // Columns that the table of a view names differently have the view's names.
        QCOMPARE(problem("SELECT rowid, text FROM nvtx_ranges"),
            std::string("No such column: text. In nvtx_ranges, it is named name."));
        QCOMPARE(problem("SELECT streamId FROM copies"),
            std::string("No such column: streamId. In copies, it is named stream."));
        QVERIFY(problem("SELECT * FROM kernel").starts_with("No such table: kernel. Did you mean kernels"));
        QVERIFY(QString::fromStdString(problem("SELECT * FROM main.runtime"))
                    .contains("Did you mean CUPTI_ACTIVITY_KIND_RUNTIME?"));
        QCOMPARE(problem("SELECT lenght FROM kernels"), std::string("No such column: lenght."));
        QCOMPARE(problem("SELECT nofunction(1)"), std::string("No such function: nofunction."));
    }

    void viewsSayWhatTheTablesSay()
    {
        SqlSession session = opened(sample);
        const char* const pairs[][2] = {
            {"SELECT start, \"end\", duration, name, stream, grid_x, pid FROM kernels ORDER BY start, \"end\"",
                "SELECT k.start, k.end, k.end - k.start, s.value, k.streamId, k.gridX, (k.globalPid / 0x1000000) % "
                "0x1000000 FROM CUPTI_ACTIVITY_KIND_KERNEL k JOIN StringIds s ON s.id = k.demangledName "
                "ORDER BY k.start, k.end"},
            {"SELECT start, name, tid, correlation FROM api_calls ORDER BY start, correlation",
                "SELECT r.start, s.value, r.globalTid % 0x1000000, r.correlationId FROM CUPTI_ACTIVITY_KIND_RUNTIME "
                "r JOIN StringIds s ON s.id = r.nameId ORDER BY r.start, r.correlationId"},
            {"SELECT direction, count(*), sum(bytes) FROM copies GROUP BY 1 ORDER BY 1",
                "SELECT e.label, count(*), sum(m.bytes) FROM CUPTI_ACTIVITY_KIND_MEMCPY m JOIN "
                "ENUM_CUDA_MEMCPY_OPER e ON e.id = m.copyKind GROUP BY 1 ORDER BY 1"},
            {"SELECT count(*), sum(latency) FROM launches",
                "SELECT count(*), sum(k.start - r.start) FROM CUPTI_ACTIVITY_KIND_KERNEL k JOIN "
                "CUPTI_ACTIVITY_KIND_RUNTIME r ON r.correlationId = k.correlationId AND r.globalTid / 0x1000000 = "
                "k.globalPid / 0x1000000"},
            {"SELECT name, count(*) FROM nvtx_ranges GROUP BY 1 ORDER BY 1",
                "SELECT coalesce(n.text, s.value), count(*) FROM NVTX_EVENTS n LEFT JOIN StringIds s ON s.id = "
                "n.textId WHERE n.eventType IN (34, 59, 60, 70, 71) GROUP BY 1 ORDER BY 1"},
        };
        for (const auto& [own, oracle] : pairs) {
            const SqlAnswer answer = session.ask(own);
            QCOMPARE(plain(answer.problem), std::string());
            QVERIFY(answer.cells.rowCount() > 0);
            QCOMPARE(linesOf(answer.cells), judged(sample, oracle));
        }
    }

    void callsWithinCallsLaunchNothingAgain()
    {
        ReportFixture report;
        report.addSmallReport();
        const QString path = QString::fromStdString(report.path());
        const std::string launches
            = "SELECT start, call, call_start, call_end, tid, latency FROM launches ORDER BY rowid";
        const QStringList before = linesOf(opened(path).ask(launches).cells);
        QVERIFY(!before.isEmpty());
        report.run(
            "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME SELECT start + 1, end - 1, globalTid, correlationId, "
            "nameId + 1, returnValue FROM CUPTI_ACTIVITY_KIND_RUNTIME");
        report.run("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME SELECT start, end - 2, globalTid, correlationId, "
                   "nameId + 1, returnValue FROM CUPTI_ACTIVITY_KIND_RUNTIME");
        QCOMPARE(linesOf(opened(path).ask(launches).cells), before);
        // The first row does not wait for a sum over all calls.
        const QStringList plan
            = linesOf(opened(path).ask("EXPLAIN QUERY PLAN SELECT * FROM launches LIMIT 1").cells);
        QVERIFY(!plan.isEmpty() && plan.filter("GROUP BY").isEmpty());
    }

    void viewsHaveTheSameColumnsInEveryReport()
    {
        const auto columnsOfViews = [](const QString& path) {
            SqlSession session = opened(path);
            std::map<std::string, std::vector<std::string>> titles;
            for (const SqlTable& table : session.tables()) {
                if (!table.isReady)
                    continue;
                const SqlAnswer answer = session.ask("SELECT * FROM " + table.name);
                for (const Column& column : answer.cells.columns)
                    titles[table.name].push_back(column.title);
                if (!table.isRecorded && (!answer.problem.empty() || answer.cells.rowCount() != 0))
                    titles.clear();
            }
            return titles;
        };
        const auto expected = columnsOfViews(sample);
        QCOMPARE(expected.size(), std::size_t{9});
        QCOMPARE(columnsOfViews(QStringLiteral(WARPLINE_TEST_DATA "/reports/openmp.sqlite")), expected);
        QCOMPARE(columnsOfViews(QStringLiteral(WARPLINE_TEST_DATA "/reports/um.sqlite")), expected);
    }

    void everyReadyQuestionRunsOnEveryReport()
    {
        QStringList folders{QStringLiteral(WARPLINE_TEST_DATA "/reports")};
        if (QDir(QStringLiteral(WARPLINE_SHARED_REPORTS "/h200")).exists())
            folders << QStringLiteral(WARPLINE_SHARED_REPORTS);
        int asked = 0;
        for (const QString& folder : folders) {
            QDirIterator files(folder, {"*.sqlite"}, QDir::Files, QDirIterator::Subdirectories);
            while (files.hasNext()) {
                const QString path = files.next();
                if (QFileInfo(path).size() > 1'000'000)
                    continue; // long joins; for tests by hand
                auto session = SqlSession::open(path.toStdString());
                QVERIFY2(session.ok(), qPrintable(path));
                for (const ReadyQuestion& question : readyQuestions()) {
                    if (missingFor(question, session.value().tables()) == "META_DATA_CAPTURE")
                        continue;
                    const SqlAnswer answer = session.value().ask(question.sql);
                    QVERIFY2(answer.problem.empty(),
                        (path.toStdString() + " " + std::string(question.id) + ": " + plain(answer.problem))
                            .c_str());
                    ++asked;
                }
            }
        }
        QVERIFY(asked > 40);
    }

    void valuesComeAsTheyAreStored()
    {
        const Cells cells
            = opened(sample)
                  .ask("SELECT 7 AS a, 0.1 AS a, 'x' || char(228), x'00ff', NULL, 9e999, -9e999, "
                       "9223372036854775807")
                  .cells;
        QCOMPARE(linesOf(cells),
            QStringList{QString::fromUtf8(
                "7|0.10000000000000001|x\xc3\xa4|x'00ff'|NULL|Inf|-Inf|9223372036854775807")});
        QCOMPARE(cells.columns[0].title, std::string("a"));
        QCOMPARE(cells.columns[1].title, std::string("a:1"));
    }

    void mistakesAreShownAtTheirPlace()
    {
        SqlSession session = opened(sample);
        const std::string sql = "SELECT name\nFROM kernels WHERE lenght > 5";
        const SqlAnswer answer = session.ask(sql);
        QCOMPARE(answer.place, std::optional(sql.find("lenght")));
        QCOMPARE(QString::fromStdString(plain(problemText(sql, answer))),
            QString("No such column: lenght.\n  FROM kernels WHERE lenght > 5\n                     ^"));
        const std::string two = "SELECT 1; -- first\n SELECT 2";
        QCOMPARE(session.ask(two).place, std::optional(two.rfind("SELECT")));
        QVERIFY(session.ask("SELECT 1; -- only a comment follows").problem.empty());
    }

    void limitsAndStopping()
    {
        SqlSession session = opened(sample);
        const std::string endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) ";
        const SqlAnswer many = session.ask(endless + "SELECT x FROM c", briefly);
        QCOMPARE(many.cells.rowCount(), std::size_t{50});
        QVERIFY(QString::fromStdString(plain(many.note)).contains("first 50"));
        const SqlAnswer late = session.ask(endless + "SELECT count(*) FROM c", briefly);
        QVERIFY(QString::fromStdString(plain(late.note)).startsWith("Stopped after"));
        std::stop_source source;
        std::jthread stopper([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(30));
            source.request_stop();
        });
        const SqlAnswer stopped = session.ask(endless + "SELECT count(*) FROM c", {}, source.get_token());
        QCOMPARE(plain(stopped.note), std::string("Stopped."));
        QCOMPARE(linesOf(session.ask("SELECT 1").cells), QStringList{"1"}); // and goes on
    }

    void nothingThatIsTypedChangesAnything()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath("report.sqlite");
        QVERIFY(QFile::copy(sample, path));
        const QByteArray before = hashOf(path);
        const QString target = folder.filePath("written");
        SqlSession session = opened(path);
        const QStringList texts = hostileTexts(target);
        QVERIFY(texts.size() >= 200);
        for (const QString& text : texts) {
            const std::clock_t begun
                = std::clock(); // not by the wall: another program may have the processor
            const SqlAnswer answer = session.ask(text.toStdString(), briefly);
            QVERIFY2(std::clock() - begun < 60 * CLOCKS_PER_SEC, qPrintable(text.left(100)));
            const bool onlyExplains = text.startsWith("EXPLAIN");
            const bool endless = !answer.note.empty();
            QVERIFY2(!answer.problem.empty() || onlyExplains || endless || text.startsWith("SELECT"),
                qPrintable(text.left(100)));
        }
        QCOMPARE(hashOf(path), before);
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files), QStringList{"report.sqlite"});
        QCOMPARE(linesOf(session.ask("SELECT count(*) > 0 FROM StringIds").cells), QStringList{"1"});
    }

    void otherFilesAreRefusedWithWords()
    {
        const auto none = SqlSession::open(WARPLINE_TEST_DATA "/reports/none.sqlite");
        QVERIFY(!none.ok() && QString::fromStdString(plain(none.error().message)).contains("does not exist"));
        QTemporaryDir folder;
        QFile file(folder.filePath("x.sqlite"));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("not a database at all") > 0);
        file.close();
        const auto broken = SqlSession::open(file.fileName().toStdString());
        QVERIFY(!broken.ok()
            && QString::fromStdString(plain(broken.error().message)).contains("not an SQLite database"));
    }
};

WARPLINE_TEST(SqlSessionTest)

} // namespace tst_sql_session

#include "tst_sql_session.moc"
