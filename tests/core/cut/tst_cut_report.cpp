// Parts of exports: tables of the part equal those of that range of the whole, private data is removed on
// request, and errors leave no file.

#include "core/analysis/scope.h"
#include "core/cut/cut_report.h"
#include "core/export/cells_text.h"
#include "core/export/time_tree_text.h"
#include "core/findings/kernel_totals.h"
#include "core/findings/rule.h"
#include "core/load/load_report.h"
#include "core/overview/overview.h"
#include "core/query/counter_stats.h"
#include "core/render/render.h"
#include "core/sqlite/database.h"
#include "core/sqlite/table_copier.h"
#include "core/stats/stats_table.h"
#include "core/store/part_of_recording.h"
#include "core/store/trace.h"
#include "core/timetree/time_tree_source.h"
#include "tests/support/test_program.h"
#include "tests/support/whole_analysis.h"

#include <QDir>
#include <QDirIterator>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <sqlite3.h>

#include <cerrno>
#include <cstring>
#include <set>

namespace tst_cut_report {

using namespace warpline;

namespace {

std::shared_ptr<const Trace> loaded(const QString& path)
{
    auto trace = loadReport(path.toStdString());
    if (!trace.ok())
        qWarning("%s", plain(trace.error().message).c_str());
    return trace.ok() ? trace.value() : nullptr;
}

/// Copies all of the report at `path` to `cut`; the problem, or nothing.
QString cutAll(const QString& path, const QString& cut, bool redact)
{
    const auto whole = loaded(path);
    if (!whole)
        return "not loaded";
    const TimeRange all{whole->session.start, whole->session.end + 1};
    const auto done = cutReport(path.toStdString(), cut.toStdString(), {all, redact});
    return done.ok() ? QString() : QString::fromStdString(plain(done.error().message));
}

QStringList answers(const QString& path, const char* sql)
{
    sqlite3* db = nullptr;
    sqlite3_open_v2(path.toUtf8().constData(), &db, SQLITE_OPEN_READONLY, nullptr);
    QStringList rows;
    const auto add = [](void* list, int count, char** values, char**) {
        QStringList row;
        for (int i = 0; i < count; ++i)
            row << QString::fromUtf8(values[i]);
        *static_cast<QStringList*>(list) << row.join('|');
        return 0;
    };
    sqlite3_exec(db, sql, add, &rows, nullptr);
    sqlite3_close(db);
    return rows;
}

/// Copies the test report `name` to `path`, changed by `sql`; returns the error, empty: none.
QString changeCopy(const QString& path, const char* name, const QByteArray& sql)
{
    if (!QFile::copy(QStringLiteral(WARPLINE_TEST_DATA "/reports/") + name, path))
        return "no copy could be made";
    QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner);
    sqlite3* db = nullptr;
    sqlite3_open(path.toUtf8().constData(), &db);
    char* problem = nullptr;
    const bool done = sqlite3_exec(db, sql.constData(), nullptr, nullptr, &problem) == SQLITE_OK;
    const QString message = done ? QString() : QString::fromUtf8(problem);
    sqlite3_free(problem);
    sqlite3_close(db);
    return message;
}

/// Tables that join events inside the range with events outside it, such as a launch with its kernel: nsys
/// computes them over all, and a part has not all.
bool joinsWhatIsOutside(const StatsTable& table)
{
    static const std::set<std::string_view> ids{"cuda_kern_exec_sum", "nvtx_gpu_proj_sum", "nvtx_kern_sum"};
    return ids.contains(table.id) || table.origin == TableOrigin::Own;
}

/// Whether a table is empty: no row below its header, or only zeros and blanks.
bool saysNothing(const QStringList& lines)
{
    static const QRegularExpression somewhat("[1-9]");
    const QStringList rows = QStringList(lines).filter(QRegularExpression("^[0-9.,]+$"));
    return lines.filter(QRegularExpression(".")).size() <= 1
        || (rows.size() == 1 && lines.filter(QRegularExpression(".")).size() == 2
            && !rows[0].contains(somewhat));
}

/// The rows of a table, in an order of their own: ties may come in another.
QStringList rowsOf(const StatsTable& table, const Trace& trace, TimeRange window)
{
    StatsQuery query;
    query.window = window;
    QStringList lines = QString::fromStdString(toCsv(table.fill(trace, query))).split('\n');
    lines.sort();
    return lines;
}

QByteArray bytesOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class CutReportTest : public QObject {
    Q_OBJECT

private slots:
    void marksAreMoments()
    {
        // Python samples are marks, whose frames refer to strings inside a payload.
        const QString path = WARPLINE_TEST_DATA "/reports/python_samples.sqlite";
        const auto whole = loaded(path);
        QVERIFY(whole);
        const TimeRange window{whole->session.start + 50'000'000, whole->session.start + 150'000'000};
        QTemporaryDir folder;
        const QString part = folder.filePath("part.sqlite");
        const auto done = cutReport(path.toStdString(), part.toStdString(), {window, false});
        QVERIFY2(done.ok(), done.ok() ? "" : plain(done.error().message).c_str());
        const QString marks = "SELECT count(*) FROM NVTX_EVENTS WHERE eventType = 34";
        QCOMPARE(answers(part, marks.toUtf8()),
            answers(path,
                (marks + QString(" AND start >= %1 AND start < %2").arg(window.start).arg(window.end))
                    .toUtf8()));
        QVERIFY(answers(part, "SELECT count(*) FROM StringIds").front().toInt()
            < answers(path, "SELECT count(*) FROM StringIds").front().toInt());
        const auto kept = loaded(part);
        QVERIFY(kept);
        TimeTreeQuery inside;
        inside.window = window;
        const TimeTreeSource& python = *findTimeTreeSource("python");
        QCOMPARE(foldedStacks(*kept, python, python.fill(*kept, {})),
            foldedStacks(*whole, python, python.fill(*whole, inside)));
    }

    /// Names of functions that only bytes, or a string of their own, refer to.
    void pythonKeepsItsNames_data()
    {
        QTest::addColumn<QString>("change");
        QTest::newRow("bytes") << "UPDATE NVTX_EVENTS SET jsonText = NULL";
        QTest::newRow("a string of its own")
            << "INSERT INTO StringIds SELECT 5000000 + rowid, jsonText FROM NVTX_EVENTS WHERE jsonText IS NOT "
               "NULL; UPDATE NVTX_EVENTS SET jsonTextId = 5000000 + rowid, jsonText = NULL, binaryData = NULL "
               "WHERE jsonText IS NOT NULL";
    }
    void pythonKeepsItsNames()
    {
        QFETCH(QString, change);
        QTemporaryDir folder;
        const QString path = folder.filePath("report.sqlite");
        QCOMPARE(changeCopy(path, "python_samples.sqlite", change.toUtf8() + "; DROP TABLE WARPLINE_PART"),
            QString());
        const auto whole = loaded(path);
        QVERIFY(whole && whole->pythonChains);
        const TimeRange window{whole->session.start, whole->session.start + whole->session.duration() / 2};
        const QString part = folder.filePath("part.sqlite");
        const auto done = cutReport(path.toStdString(), part.toStdString(), {window, false});
        QVERIFY2(done.ok(), done.ok() ? "" : plain(done.error().message).c_str());
        QVERIFY(answers(part, "SELECT count(*) FROM StringIds").front().toInt()
            < answers(path, "SELECT count(*) FROM StringIds").front().toInt());
        const auto kept = loaded(part);
        QVERIFY(kept);
        TimeTreeQuery inside;
        inside.window = window;
        const TimeTreeSource& python = *findTimeTreeSource("python");
        const std::string stacks = foldedStacks(*kept, python, python.fill(*kept, {}));
        QVERIFY(!stacks.empty());
        QCOMPARE(stacks, foldedStacks(*whole, python, python.fill(*whole, inside)));
    }

    /// Memory in use, and states of threads, begin before the part.
    void whatHoldsAtTheBeginIsThere()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath("report.sqlite");
        QByteArray sql = "CREATE TABLE SCHED_EVENTS (start INTEGER, cpu INTEGER, isSchedIn INTEGER, "
                         "globalTid INTEGER, threadState INTEGER, threadBlock INTEGER)";
        for (int i = 0; i < 8; ++i) { // in at 1.000 s and each 10 ms, out 4 ms later; another thread once
            const qint64 in = 1'000'000'000 + i * 10'000'000;
            for (const qint64 time : {in, in + 4'000'000})
                sql += QString("; INSERT INTO SCHED_EVENTS VALUES (%1, 3, %2, 281483751195147, 0, 0)")
                           .arg(time)
                           .arg(time == in)
                           .toUtf8();
        }
        sql += "; INSERT INTO SCHED_EVENTS VALUES (900000000, 1, 1, 281483751195148, 0, 0)"
               "; INSERT INTO SCHED_EVENTS VALUES (1090000000, 1, 0, 281483751195148, 0, 0)";
        QCOMPARE(changeCopy(path, "streams.sqlite", sql), QString());
        const auto whole = loaded(path);
        QVERIFY(whole);
        const TimeRange window{1'021'900'000, 1'035'000'000}; // a thread runs, and 144 MiB are in use
        const QString part = folder.filePath("part.sqlite");
        const auto done = cutReport(path.toStdString(), part.toStdString(), {window, false});
        QVERIFY2(done.ok(), done.ok() ? "" : plain(done.error().message).c_str());
        const auto kept = loaded(part);
        QVERIFY(kept);
        const auto memoryOf = [&](const Trace& trace) {
            std::map<std::string, std::tuple<float, float, double>> memory;
            for (std::uint32_t i = 0; i < trace.counters.size(); ++i) {
                if (trace.counters[i].kind != CounterKind::GpuMemoryUsage)
                    continue;
                if (const auto figures = counterFigures(trace, i, window))
                    memory[std::string(trace.text(trace.counters[i].name))]
                        = {figures->low, figures->high, figures->mean};
            }
            return memory;
        };
        QCOMPARE(memoryOf(*whole).size(), std::size_t{2}); // of the device, pinned
        QVERIFY(memoryOf(*whole) == memoryOf(*kept));
        const auto statesOf = [&](const Trace& trace) {
            const EventTable& states = trace.table(EventKind::ThreadState);
            std::map<std::pair<GlobalId, std::string>, Ns> times;
            for (const Track& track : states.tracks) {
                for (EventIndex i = track.firstEvent; i < track.firstEvent + track.eventCount; ++i)
                    times[{track.owner, std::string(trace.text(states.name[i]))}]
                        += states.range(i).clippedTo(window).duration();
            }
            std::erase_if(times, [](const auto& each) { return each.second == 0; });
            return times;
        };
        QCOMPARE(statesOf(*whole).size(), std::size_t{3});
        QVERIFY(statesOf(*whole) == statesOf(*kept));
    }

    /// A counter is 0 before the first event of a part.
    void countersBeginWithThePart()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath("report.sqlite");
        QByteArray sql;
        for (const QString& table :
            answers(QStringLiteral(WARPLINE_TEST_DATA "/reports/streams.sqlite"),
                "SELECT m.name FROM sqlite_schema m WHERE type = 'table' AND EXISTS (SELECT 1 FROM "
                "pragma_table_info(m.name) WHERE name IN ('start', 'timestamp')) AND name NOT LIKE '%MEMCPY'"))
            sql += "DELETE FROM " + table.toUtf8() + ";";
        QCOMPARE(changeCopy(path, "streams.sqlite", sql), QString());
        const auto whole = loaded(path);
        QVERIFY(whole);
        const TimeRange window{815'000'000, 830'000'000}; // its first copy begins after 2 ms
        const QString file = folder.filePath("part.sqlite");
        QVERIFY(cutReport(path.toStdString(), file.toStdString(), {.window = window}).ok());
        const auto part = loaded(file);
        QVERIFY(part);
        const auto meansOf = [&](const Trace& trace) {
            std::map<std::string, qint64> means;
            for (std::uint32_t i = 0; i < trace.counters.size(); ++i) {
                const auto figures = counterFigures(trace, i, window);
                if (trace.counters[i].kind == CounterKind::CopyBandwidth && figures && figures->mean > 0)
                    means[std::string(trace.text(trace.counters[i].name))] = qRound64(figures->mean);
            }
            return means;
        };
        QVERIFY(!meansOf(*whole).empty());
        QVERIFY(meansOf(*whole) == meansOf(*part));
    }

    /// Columns refer to strings, and not all declarations mention it.
    void filesOfPageFaultsKeepTheirNames()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath("report.sqlite");
        QCOMPARE(changeCopy(path, "um.sqlite",
                     "INSERT INTO StringIds VALUES (7000001, '/src/um.cu'); UPDATE "
                     "CUDA_UM_CPU_PAGE_FAULT_EVENTS SET sourceFile = 7000001"),
            QString());
        const auto whole = loaded(path);
        QVERIFY(whole);
        const QString cut = folder.filePath("cut.sqlite");
        const TimeRange all{whole->session.start, whole->session.end + 1};
        QVERIFY(cutReport(path.toStdString(), cut.toStdString(), {all, false}).ok());
        const auto part = loaded(cut);
        QVERIFY(part);
        const StatsTable& faults = *findStatsTable("um_cpu_page_faults_sum");
        const QStringList rows = rowsOf(faults, *part, {});
        QVERIFY2(rows.join('\n').contains("/src/um.cu"), qPrintable(rows.join('\n')));
        QCOMPARE(rows, rowsOf(faults, *whole, {}));
    }

    void tablesAreThoseOfTheRange_data()
    {
        QTest::addColumn<QString>("path");
        QStringList folders{QStringLiteral(WARPLINE_TEST_DATA "/reports")};
        if (QDir(QStringLiteral(WARPLINE_SHARED_REPORTS)).exists())
            folders << QStringLiteral(WARPLINE_SHARED_REPORTS);
        for (const QString& folder : folders) {
            QDirIterator files(folder, {"*.sqlite"}, QDir::Files, QDirIterator::Subdirectories);
            while (files.hasNext()) {
                const QString path = files.next();
                if (QFileInfo(path).size() < 2'500'000)
                    QTest::newRow(qPrintable(QFileInfo(path).completeBaseName())) << path;
            }
        }
    }
    void tablesAreThoseOfTheRange()
    {
        QFETCH(QString, path);
        const QByteArray before = bytesOf(path);
        const auto whole = loaded(path);
        if (!whole || whole->session.duration() < 10)
            QSKIP("nothing to cut");
        const TimeRange all = whole->session;
        const TimeRange window{all.start + all.duration() / 3, all.start + all.duration() / 3 * 2};
        QTemporaryDir folder;
        const QString cut = folder.filePath("cut.sqlite");
        const auto done = cutReport(path.toStdString(), cut.toStdString(), {window, false});
        QVERIFY2(done.ok(), done.ok() ? "" : plain(done.error().message).c_str());
        QCOMPARE(bytesOf(path), before);
        const auto part = loaded(cut);
        QVERIFY(part);
        for (const StatsTable* const table : allStatsTables()) {
            const bool isTrace = table->shape != TableShape::Summary && table->id != "cuda_gpu_trace";
            if (isTrace || joinsWhatIsOutside(*table) || !table->applies(*whole))
                continue;
            const QStringList expected = rowsOf(*table, *whole, window);
            const QStringList found = table->applies(*part) ? rowsOf(*table, *part, {}) : QStringList();
            if (table->applies(*part))
                QVERIFY2(found == expected,
                    (std::string(table->id) + "\n" + found.join("\n").toStdString() + "\n---\n"
                        + expected.join("\n").toStdString())
                        .c_str());
            else
                QVERIFY2(saysNothing(expected),
                    (std::string(table->id) + "\n" + expected.join("\n").toStdString()).c_str());
        }
    }

    /// For unmodified reports: no host, user, home folder, command or variable is anywhere in the file. A
    /// part is marked as one, and analyzed like that range of the whole: cut-off time is not idle.
    void aPartIsJudgedAsTheRange_data()
    {
        QTest::addColumn<qint64>("from");
        QTest::addColumn<qint64>("to");
        QTest::addColumn<qint64>("median"); // of the steps on the GPU
        QTest::newRow("in the middle of steps") << qint64{100'000'000} << qint64{200'000'000} << qint64{0};
        QTest::newRow("around a step") << qint64{96'000'000} << qint64{243'000'000} << qint64{73'318'129};
        // The first begins on the host at 73.8 ms: its launches before 95 ms are not in the part.
        QTest::newRow("around two") << qint64{95'000'000} << qint64{243'000'000} << qint64{73'318'129};
    }
    void aPartIsJudgedAsTheRange()
    {
        const QString path = QStringLiteral(WARPLINE_TEST_DATA "/reports/bert_fp32.sqlite");
        const auto whole = loaded(path);
        QVERIFY(whole);
        QFETCH(qint64, from);
        QFETCH(qint64, to);
        const TimeRange window{from, to};
        QTemporaryDir folder;
        const QString file = folder.filePath("part.sqlite");
        const CutOptions options{window, false, whole->session, lifeOfGpus(*whole)};
        QVERIFY(cutReport(path.toStdString(), file.toStdString(), options).ok());
        const auto part = loaded(file);
        QVERIFY(part);
        QVERIFY(part->session == window);
        QVERIFY(lifeOfGpus(*part) == lifeOfGpus(*whole));
        QVERIFY(partOf(part->info) == std::optional(RecordingPart{window, whole->session, options.gpuWork}));
        QVERIFY(!partOf(whole->info));
        QVERIFY(!partNote(part->info).empty());
        ReportInfo all;
        QVERIFY(setPart(all, {whole->session, whole->session, {}}) && partNote(all).empty());
        for (const SourceTable& table : part->info.tables)
            QVERIFY2(table.known, table.name.c_str());

        const RunOverview ofPart = overviewOf(*part, part->session);
        const RunOverview ofRange = overviewOf(*whole, window);
        QVERIFY(plain(ofPart.sentences.front().text).find("a part of a recording") != std::string::npos);
        for (const OverviewPart& each : ofRange.parts)
            QCOMPARE(ofPart.timeOf(each.kind), each.time);
        QCOMPARE(ofPart.parts.size(), ofRange.parts.size());
        QCOMPARE(ofPart.steps.has_value(), ofRange.steps.has_value());
        QFETCH(qint64, median);
        QCOMPARE(ofPart.steps ? ofPart.steps->median : 0, median);
        for (const char* const id : {"gpu_time_util", "nvtx_outlier_steps", "start_up", "host_outside"}) {
            const Rule* const rule = findRule(id);
            QVERIFY2(rule, id);
            QCOMPARE(runRules(*part, part->session, std::span(&rule, 1)).size(),
                runRules(*whole, window, std::span(&rule, 1)).size());
        }
        QVERIFY(!ncuSkipNote(*part, 0).empty());
        QVERIFY(ncuSkipNote(*whole, 0).empty());

        // A part of a part equals a part of the whole.
        const QString smaller = folder.filePath("smaller.sqlite");
        const TimeRange inside{from + 10'000'000, to - 10'000'000};
        QVERIFY(cutReport(
            file.toStdString(), smaller.toStdString(), {inside, false, whole->session, lifeOfGpus(*part)})
                    .ok());
        const auto again = loaded(smaller);
        QVERIFY(again && partOf(again->info));
        QVERIFY(partOf(again->info)->kept == inside && partOf(again->info)->whole == whole->session);
    }

    /// The profiler holds a thread that calls CUDA only later: the calls are cut off, its time is not.
    void aPartBeforeAllCallsKnowsTheProfiler()
    {
        const QString path = QStringLiteral(WARPLINE_TEST_DATA "/reports/um.sqlite");
        const auto whole = loaded(path);
        QVERIFY(whole);
        const TimeRange window{150'000'000, 300'000'000};
        QTemporaryDir folder;
        const QString file = folder.filePath("part.sqlite");
        const CutOptions options{window, false, whole->session, lifeOfGpus(*whole)};
        QVERIFY(cutReport(path.toStdString(), file.toStdString(), options).ok());
        const auto part = loaded(file);
        QVERIFY(part && part->apiCalls().empty());
        const Ns expected = overviewOf(*whole, window).timeOf(OverviewKind::Profiler);
        QCOMPARE(expected, window.duration());
        QCOMPARE(overviewOf(*part, part->session).timeOf(OverviewKind::Profiler), expected);
    }

#ifdef Q_OS_LINUX
    /// SQLite tries twice, and knows the reason of the second try only.
    void whyNoFileCanBeMadeIsSaid()
    {
        const auto done = cutReport(WARPLINE_TEST_DATA "/reports/um.sqlite", "/sys/part.sqlite", {});
        QVERIFY(!done.ok());
        QCOMPARE(done.error().message.key(), std::string_view("file.not_written"));
        const QString told = QString::fromStdString(plain(done.error().message));
        QVERIFY2(!told.contains(std::strerror(ENOENT)), qPrintable(told));
        QVERIFY2(told.endsWith(". Choose another folder."), qPrintable(told));
    }
#endif

    void nothingPrivateIsLeftOfReports()
    {
        if (!QDir(QStringLiteral(WARPLINE_SHARED_REPORTS)).exists())
            QSKIP("needs ../shared/reports, which is not there");
        QDirIterator files(
            QStringLiteral(WARPLINE_SHARED_REPORTS), {"*.sqlite"}, QDir::Files, QDirIterator::Subdirectories);
        int looked = 0;
        while (files.hasNext()) {
            const QString path = files.next();
            if (QFileInfo(path).size() > 2'500'000)
                continue;
            const auto whole = loaded(path);
            if (!whole || whole->session.duration() < 10)
                continue;
            QTemporaryDir folder;
            const QString cut = folder.filePath("cut.sqlite");
            const TimeRange all{whole->session.start, whole->session.end + 1};
            if (!cutReport(path.toStdString(), cut.toStdString(), {all, true}).ok())
                continue;
            const QByteArray bytes = bytesOf(cut);
            QStringList secrets = answers(path,
                "SELECT value FROM TARGET_INFO_SYSTEM_ENV WHERE name IN ('Hostname', 'UserName', 'FQDN', 'IpAddress')");
            secrets << answers(path,
                "SELECT value FROM META_DATA_CAPTURE WHERE name LIKE '%ENVIRONMENT_VARIABLE%' OR name LIKE "
                "'%USER_NAME%' OR name LIKE '%HOST_NAME%'");
            for (const QString& secret : secrets) {
                if (secret.size() > 5 && secret != "localhost")
                    QVERIFY2(!bytes.contains(secret.toUtf8()), qPrintable(path + ": " + secret));
            }
            static const QRegularExpression home("/home/(?!redacted)[a-z][-a-z0-9_]+/");
            const auto found = home.match(QString::fromLatin1(bytes));
            QVERIFY2(!found.hasMatch(), qPrintable(path + ": " + found.captured()));
            ++looked;
        }
        QVERIFY(looked > 0);
    }

    /// A report that is too large to be read is cut without knowing its times.
    void aPartFindsTheTimesOfTheWhole_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* const name : {"streams", "bert_fp32", "um"})
            QTest::newRow(name) << name;
    }
    void aPartFindsTheTimesOfTheWhole()
    {
        QFETCH(const QString, name);
        const QString path = QStringLiteral(WARPLINE_TEST_DATA "/reports/") + name + ".sqlite";
        const auto whole = loaded(path);
        QVERIFY(whole);
        QTemporaryDir folder;
        const TimeRange middle{whole->session.start + whole->session.duration() / 3,
            whole->session.start + whole->session.duration() / 2};
        const QString file = folder.filePath("part.sqlite");
        QVERIFY(cutReport(path.toStdString(), file.toStdString(), {.window = middle}).ok());
        const auto part = loaded(file);
        QVERIFY(part);
        QVERIFY(
            partOf(part->info) == std::optional(RecordingPart{middle, whole->session, lifeOfGpus(*whole)}));
        // Of a part those of the whole.
        const QString smaller = folder.filePath("smaller.sqlite");
        const TimeRange inside{middle.start + 1, middle.end - 1};
        QVERIFY(cutReport(file.toStdString(), smaller.toStdString(), {.window = inside}).ok());
        const auto again = loaded(smaller);
        QVERIFY(again && partOf(again->info));
        QVERIFY(partOf(again->info)->kept == inside && partOf(again->info)->whole == whole->session);
        QVERIFY(partOf(again->info)->gpuWork == lifeOfGpus(*whole));
        // What a part lacks, a part of it lacks, too.
        const QString later = folder.filePath("later.sqlite");
        QVERIFY(cutReport(
            file.toStdString(), later.toStdString(), {.window = {middle.start + 1, whole->session.end}})
                    .ok());
        const auto last = loaded(later);
        QVERIFY(last && partOf(last->info));
        QVERIFY(partOf(last->info)->kept == (TimeRange{middle.start + 1, middle.end}));
    }

    void theWholeIsTheWhole()
    {
        const QString path = QStringLiteral(WARPLINE_TEST_DATA "/reports/streams.sqlite");
        const auto whole = loaded(path);
        QTemporaryDir folder;
        const QString cut = folder.filePath("cut.sqlite");
        const TimeRange all{whole->session.start, whole->session.end + 1};
        QVERIFY(cutReport(path.toStdString(), cut.toStdString(), {all, false}).ok());
        const auto part = loaded(cut);
        QVERIFY(part);
        QCOMPARE(part->session, whole->session);
        QVERIFY(!partOf(part->info));
        for (const EventKind kind : allEventKinds())
            QCOMPARE(part->table(kind).size(), whole->table(kind).size());
        QVERIFY(QFileInfo(cut).size() <= QFileInfo(path).size());
    }

    void onlyTheDeclarationOfATableRuns()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath("more.sqlite");
        QCOMPARE(
            changeCopy(path, "streams.sqlite",
                "PRAGMA writable_schema = 1; UPDATE sqlite_schema SET sql = sql || '; CREATE TABLE planted (x)' "
                "WHERE name = 'PROCESSES'"),
            QString());
        const QString cut = folder.filePath("cut.sqlite");
        QCOMPARE(cutAll(path, cut, false), QString());
        QCOMPARE(answers(cut, "SELECT count(*) FROM sqlite_schema WHERE name = 'planted'"), QStringList{"0"});
    }

    /// An expression that fails, or takes hours, in a CHECK constraint or an index of a stranger's table.
    void expressionsOfTheReportAreNotEvaluated()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath("more.sqlite");
        QCOMPARE(changeCopy(path, "streams.sqlite",
                     "CREATE TABLE more (x INTEGER CHECK (abs(-9223372036854775807 - x) > 0)); "
                     "PRAGMA ignore_check_constraints = 1; INSERT INTO more VALUES (1); "
                     "CREATE INDEX plain ON more (x); CREATE INDEX computed ON more (x, abs(x)); "
                     "CREATE INDEX partial ON more (x) WHERE abs(x) > 0"),
            QString());
        for (const bool redact : {false, true}) {
            const QString cut = folder.filePath(redact ? "redacted.sqlite" : "cut.sqlite");
            QCOMPARE(cutAll(path, cut, redact), QString());
            QCOMPARE(answers(cut, "SELECT x FROM more"), redact ? QStringList() : QStringList{"1"});
            QCOMPARE(
                answers(cut, "SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'more'"),
                redact ? QStringList() : QStringList{"plain"});
        }
        const QString computed = folder.filePath("computed.sqlite");
        QCOMPARE(changeCopy(computed, "streams.sqlite",
                     "CREATE TABLE more (x, y AS (x + 1)); INSERT INTO more VALUES (1)"),
            QString());
        const QString cut = folder.filePath("none.sqlite");
        const QString told = cutAll(computed, cut, false);
        QVERIFY2(told.contains("could not be written"), qPrintable(told));
        QVERIFY2(!told.contains("Choose"), qPrintable(told)); // no folder helps
        QVERIFY(!QFile::exists(cut));
    }

    void aFullDiskIsSaid()
    {
        const auto file = sqlite::ReportFile::open(WARPLINE_TEST_DATA "/reports/streams.sqlite");
        QVERIFY(file.ok());
        QTemporaryDir folder;
        auto copy
            = sqlite::TableCopier::create(file.value(), folder.filePath("copy.sqlite").toStdString(), {});
        QVERIFY(copy.ok());
        QVERIFY(copy.value().run("PRAGMA main.max_page_count = 4").ok()); // as on a full disk
        const auto done = copy.value().run("CREATE TABLE main.large AS SELECT zeroblob(1000000)");
        QVERIFY(!done.ok());
        const QString told = QString::fromStdString(plain(done.error().message));
        QVERIFY2(told.endsWith(". Free disk space, or choose another folder."), qPrintable(told));
    }

    void eachStatementCanBeStopped()
    {
        const auto file = sqlite::ReportFile::open(WARPLINE_TEST_DATA "/reports/streams.sqlite");
        QVERIFY(file.ok());
        QTemporaryDir folder;
        std::stop_source source;
        auto copy = sqlite::TableCopier::create(
            file.value(), folder.filePath("copy.sqlite").toStdString(), source.get_token());
        QVERIFY(copy.ok());
        const std::string many
            = "CREATE TABLE main.many AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT "
              "x + 1 FROM c LIMIT 100000) SELECT x FROM c";
        QVERIFY(copy.value().run(many).ok());
        source.request_stop();
        QVERIFY(!copy.value().run("UPDATE main.many SET x = x + 1").ok());
        QVERIFY(!copy.value().finish().ok());
    }

    /// In quadratic time this takes hours.
    void aTextOfNamesIsRedacted()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath("names.sqlite");
        QCOMPARE(changeCopy(path, "streams.sqlite",
                     "INSERT INTO META_DATA_CAPTURE VALUES ('PROCESS_0:USER_NAME', 'annasecret'); "
                     "CREATE TABLE SystemInfo (x TEXT); "
                     "INSERT INTO SystemInfo VALUES (replace(hex(zeroblob(2000000)), '00', 'annasecret'))"
                     ", (replace(hex(zeroblob(2000000)), '00', '/home/anna '))"),
            QString());
        const QString cut = folder.filePath("cut.sqlite");
        QCOMPARE(cutAll(path, cut, true), QString());
        QCOMPARE(answers(cut, "SELECT length(x), substr(x, -15) FROM SystemInfo"),
            (QStringList{"16000000|edactedredacted", "30000000|/home/redacted "}));
    }

    /// Tables of others are left out, and what is to be checked is counted.
    void whatIsRedactedIsKnown()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath("notes.sqlite");
        QCOMPARE(changeCopy(path, "streams.sqlite",
                     "CREATE TABLE notes (textId INTEGER); INSERT INTO notes VALUES (1); "
                     "UPDATE NVTX_EVENTS SET text = iif(rowid % 2, 'here', '/home/anna'); "
                     "INSERT INTO META_DATA_CAPTURE VALUES ('PROCESS_0:USER_NAME', 'annasecret')"),
            QString());
        const TimeRange all{0, timeLimit};
        const auto factsOf = [&](const char* name, bool redact) {
            return cutReport(path.toStdString(), folder.filePath(name).toStdString(),
                {.window = all, .redact = redact, .isWhole = true});
        };
        const auto plainCopy = factsOf("plain.sqlite", false);
        QVERIFY(plainCopy.ok());
        QVERIFY(plainCopy.value().leftOut.empty() && plainCopy.value().names == 0);
        QCOMPARE(answers(folder.filePath("plain.sqlite"), "SELECT count(*) FROM notes"), QStringList{"1"});
        const auto redacted = factsOf("redacted.sqlite", true);
        QVERIFY(redacted.ok());
        QCOMPARE(redacted.value().leftOut, std::vector<std::string>{"notes"});
        const QString cut = folder.filePath("redacted.sqlite");
        QVERIFY(!bytesOf(cut).contains("notes"));
        const QStringList names = answers(
            cut, "SELECT count(*) FROM (SELECT value FROM StringIds UNION SELECT text FROM NVTX_EVENTS)");
        QCOMPARE(QString::number(redacted.value().names), names.front());
        const QStringList changed
            = answers(cut, "SELECT count(*) FROM NVTX_EVENTS WHERE text LIKE '%redacted'");
        QVERIFY(redacted.value().changed >= changed.front().toULongLong());
        QVERIFY(changed.front() != "0");
    }

    void nothingPrivateIsLeft()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath("private.sqlite");
        const char* const secrets
            = "INSERT INTO TARGET_INFO_SYSTEM_ENV (globalVid, devStateName, name, nameEnum, value) VALUES "
              "(1, 'x', 'Hostname', 619, 'gpu-secretnode'), (1, 'x', 'AnythingNew', 9999, 'hunter2'); "
              "INSERT INTO META_DATA_CAPTURE VALUES ('PROCESS_0:ENVIRONMENT_VARIABLE', 'USER=annasecret'), "
              "('PROCESS_0:ENVIRONMENT_VARIABLE', 'API_TOKEN=hunter2'), "
              "('PROCESS_0:ENVIRONMENT_VARIABLE', 'GIT_CREDENTIAL_HELPER=manager'), "
              "('PROCESS_0:ENVIRONMENT_VARIABLE', 'SOME_TOKENS=131072'), ('PROCESS_0:WORKING_DIR', '/data/nightingale'), "
              "('PROCESS_0:ENVIRONMENT_VARIABLE', 'HOSTNAME=gpu-secretnode.example.com'), ('PROCESS_0:ARGUMENT_0', '--password=hunter2'); "
              "INSERT INTO StringIds VALUES (999999, 'a line that was printed: hunter2'), "
              "(999998, '/home/annasecret/lib/x.so on gpu-secretnode'), "
              "(999997, 'manager 131072 hunter2 in /data/nightingale/core, C:\\USERS\\annasecret\\x, /home//annasecret/x'); "
              "UPDATE ThreadNames SET nameId = 999997 WHERE rowid = 2; "
              "INSERT INTO PROCESSES (globalPid, pid, name) VALUES (1 << 40, 7, '/data/otherclient/train'), "
              "(NULL, 8, '/data/otherclient/eval'); UPDATE DIAGNOSTIC_EVENT SET globalPid = NULL WHERE rowid = 1; "
              "UPDATE ThreadNames SET nameId = 999998 WHERE rowid = 1; "
              "ALTER TABLE NVTX_EVENTS ADD COLUMN bytes; ALTER TABLE NVTX_EVENTS ADD COLUMN said VARCHAR(80); "
              "UPDATE NVTX_EVENTS SET said = 'token=hunter2', bytes = CASE rowid % 3 WHEN 0 THEN CAST('hunter2' AS BLOB) "
              "WHEN 1 THEN x'680075006e0074006500720032000000' ELSE x'0100000000000000ff7f' END; "
              "INSERT INTO ProcessStreams (globalPid, filenameId, contentId) VALUES (1, 999999, 999999);";
        QCOMPARE(changeCopy(path, "streams.sqlite", secrets), QString());
        const auto whole = loaded(path);
        QVERIFY(whole);
        const QString cut = folder.filePath("cut.sqlite");
        QCOMPARE(cutAll(path, cut, true), QString());
        const QByteArray bytes = bytesOf(cut);
        for (const char* const secret :
            {"hunter2", "annasecret", "gpu-secretnode", "nightingale", "otherclient"})
            QVERIFY2(!bytes.contains(secret), secret);
        QVERIFY(!bytes.contains(QByteArray("h\0u\0n\0t\0e\0r\0", 12)));
        QVERIFY(bytes.contains("/home/redacted/lib/x.so on redacted"));
        QVERIFY(bytes.contains("manager 131072 redacted in redacted"));
        // Bytes without text stay.
        QCOMPARE(answers(cut, "SELECT count(*) FROM NVTX_EVENTS WHERE length(bytes) > 0"),
            answers(path, "SELECT count(*) FROM NVTX_EVENTS WHERE rowid % 3 = 2"));
        QCOMPARE(answers(cut, "SELECT count(*) FROM ProcessStreams"), QStringList{"0"});
        const auto part = loaded(cut);
        QVERIFY(part && part->kernels().size() == whole->kernels().size());
        QCOMPARE(part->name({EventKind::Kernel, 0}), whole->name({EventKind::Kernel, 0}));
        // A program without a name is not named by its quotes.
        QCOMPARE(part->info.commandLine, std::string());
        for (const OverviewSentence& sentence : overviewOf(*part, part->session).sentences)
            QVERIFY2(plain(sentence.text).find("''") == std::string::npos, plain(sentence.text).c_str());
    }

    /// Values that findings count as secrets, whatever fact holds them, are not in names either.
    void credentialsOfAllFactsAreRedacted()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath("credentials.sqlite");
        QCOMPARE(
            changeCopy(path, "streams.sqlite",
                "UPDATE TARGET_INFO_SYSTEM_ENV SET value = 'SHELL=/bin/sh' || char(10) || 'MY_TOKEN=zqv1token' "
                "|| char(10) || 'USER=zqv2user' WHERE name = 'DeviceEnvironment'; "
                "INSERT INTO META_DATA_CAPTURE VALUES ('PROCESS_0:ARGUMENT_0', '--api-key=zqv3key'), "
                "('PROCESS_0:ARGUMENT_1', '--password'), ('PROCESS_0:ARGUMENT_2', 'zqv4password'), "
                "('PROCESS_0:ENVIRONMENT_VARIABLE', 'DATABASE_URL=postgres://bob:zqv5address@host/x'), "
                "('PROCESS_0:ENVIRONMENT_VARIABLE', 'MYSQL_PWD=zqv6mysql'); "
                "UPDATE NVTX_EVENTS SET text = 'zqv1token zqv2user zqv3key zqv4password zqv5address zqv6mysql'"),
            QString());
        const QString cut = folder.filePath("cut.sqlite");
        QCOMPARE(cutAll(path, cut, true), QString());
        QVERIFY(!bytesOf(cut).contains("zqv"));
        QCOMPARE(answers(cut, "SELECT DISTINCT text FROM NVTX_EVENTS"),
            QStringList{"redacted redacted redacted redacted redacted redacted"});
    }

    void mistakesLeaveNoFile()
    {
        QTemporaryDir folder;
        const QString target = folder.filePath("cut.sqlite");
        const auto none = cutReport("/nowhere.sqlite", target.toStdString(), {{0, 1}, false});
        QVERIFY(!none.ok() && !QFile::exists(target));
        const std::string path = WARPLINE_TEST_DATA "/reports/streams.sqlite";
        const auto itself = cutReport(path, path, {{0, 1}, false});
        QVERIFY(!itself.ok() && QString::fromStdString(plain(itself.error().message)).contains("exists"));
        QVERIFY(!cutReport(path, "/nowhere/cut.sqlite", {{0, 1}, false}).ok());
        std::stop_source source;
        source.request_stop();
        QVERIFY(
            !cutReport(path, target.toStdString(), {{0, std::int64_t{1} << 60U}, false}, source.get_token())
                 .ok());
        QVERIFY(!QFile::exists(target));
    }
};

WARPLINE_TEST(CutReportTest)

} // namespace tst_cut_report

#include "tst_cut_report.moc"
