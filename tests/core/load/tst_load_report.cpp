// Loading: a small report event by event, all reports of the shared collection by count, and everything that
// can be wrong with a file.

#include "core/load/load_report.h"
#include "core/render/render.h"
#include "core/store/nvtx_types.h"
#include "core/store/problem.h"
#include "core/store/trace.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTest>
#include <QtEndian>

#include <sqlite3.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <tuple>

namespace tst_load_report {

using namespace warpline;
using namespace warpline::test;
namespace fs = std::filesystem;

namespace {

std::shared_ptr<const Trace> load(const std::string& path)
{
    auto trace = loadReport(path);
    if (!trace.ok())
        qWarning("%s", plain(trace.error().message).c_str());
    return trace.ok() ? trace.take() : nullptr;
}

std::string errorOf(const std::string& path)
{
    const auto trace = loadReport(path);
    return trace.ok() ? std::string() : plain(trace.error().message);
}

std::uint64_t problemsAbout(const Trace& trace, ProblemKind kind)
{
    std::uint64_t count = 0;
    for (const Problem& problem : trace.info.problems) {
        if (problem.kind == kind)
            count += problem.count;
    }
    return count;
}

QByteArray contentOf(const std::string& path)
{
    QFile file(QString::fromStdString(path));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

constexpr GlobalId process = 100ULL << 24U;

} // namespace

class LoadReportTest : public QObject {
    Q_OBJECT

private slots:
    void readsASmallReport();
    void linksWorkToItsCall();
    void namesNvtxFromTextOrTextId();
    void openRangesEndWithTheSession();
    void repairsBadRows();
    void startsThatNoClockShowsAreTold();
    void tellsWorkBeforeItsLaunch();
    void countsCallsThatShareAnId();
    void listsUnknownTables();
    void loadsWithoutAnyOneTable();
    void refusesWhatIsNoReport_data();
    void refusesWhatIsNoReport();
    void tellsACutOffFile();
    void tellsAnUnfinishedExport();
    void tellsALockedFile();
    void tellsLittleMemory();
    void respectsAWriteAheadLog();
    void respectsAHotJournal();
    void aJournalRemovesNoOtherFile();
    void leavesTheFileAlone();
    void stopsWhenAsked();
    void publishesSnapshots();
    void publishesTablesInParts();
    void stopsAnywhere();
    void partitionedReadingChangesNothing();
    void countsEqualSqlOnSharedReports();
};

void LoadReportTest::readsASmallReport()
{
    ReportFixture fixture;
    fixture.addSmallReport();
    const auto trace = load(fixture.path());
    QVERIFY(trace);
    QCOMPARE(trace->session, (TimeRange{90, 5700}));
    QVERIFY(trace->complete);

    const KernelTable& kernels = trace->kernels();
    QCOMPARE(kernels.size(), 3U);
    QCOMPARE(kernels.tracks.size(), 2U); // one per stream
    QCOMPARE(kernels.tracks[0].stream, 7);
    QCOMPARE(kernels.tracks[0].owner, process);
    QCOMPARE(kernels.tracks[0].eventCount, 2U);
    QCOMPARE(kernels.range(0), (TimeRange{1000, 3000}));
    QCOMPARE(kernels.range(1), (TimeRange{5000, 5500}));
    QCOMPARE(kernels.range(2), (TimeRange{2000, 4000}));
    QCOMPARE(trace->name({EventKind::Kernel, 0}), "void scale<float>(float*)");
    QCOMPARE(trace->displayName({EventKind::Kernel, 0}), "scale");
    QCOMPARE(kernels.launch(0).grid.x, 64);
    QCOMPARE(kernels.launch(0).dynamicSharedMemory, 1024);
    QCOMPARE(kernels.launch(1).block.volume(), 1);
    QCOMPARE(trace->text(kernels.launch(0).mangledName), "_Z5scaleIfEvPT_");
    QCOMPARE(kernels.sourceRow[1], 3U);

    const MemcpyTable& copies = trace->memcpys();
    QCOMPARE(copies.size(), 1U);
    QCOMPARE(copies.bytes[0], 4096U);
    QCOMPARE(copies.copy(0).kind, CopyKind::HtoD);
    QCOMPARE(copies.copy(0).source, MemoryKind::Pageable);
    QCOMPARE(copies.copy(0).destination, MemoryKind::Device);

    QCOMPARE(trace->processes.size(), 1U);
    QCOMPARE(trace->text(trace->processes[0].name), "/bin/scale");
    QVERIFY(trace->thread(1677721701));
    QCOMPARE(trace->text(trace->thread(1677721701)->name), "main");
}

void LoadReportTest::linksWorkToItsCall()
{
    ReportFixture fixture;
    fixture.addSmallReport();
    // Another process uses the same correlation id: it must not be mixed up.
    fixture.run("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (510, 520, 3355443201, 11, 3, 0);"
                "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES "
                "(6000, 6100, 0, 1, 7, 11, 3355443200, 1, 2, 7, 32, 1, 1, 1, 1, 1, 1, 0, 0),"
                "(6200, 6300, 0, 1, 7, 99, 3355443200, 1, 2, 7, 32, 1, 1, 1, 1, 1, 1, 0, 0);");
    const auto trace = load(fixture.path());
    QVERIFY(trace);
    const EventRef first{EventKind::Kernel, 0};
    const EventRef call = trace->apiCallOf(first);
    QVERIFY(call.valid());
    QCOMPARE(trace->range(call), (TimeRange{500, 700}));
    QCOMPARE(trace->workOf(call), std::vector<EventRef>{first});
    const EventRef copyCall = trace->apiCallOf({EventKind::Memcpy, 0});
    QCOMPARE(trace->range(copyCall), (TimeRange{100, 350}));
    for (EventIndex i = 0; i < trace->kernels().size(); ++i) {
        if (trace->kernels().start[i] == 6000)
            QCOMPARE(trace->range(trace->apiCallOf({EventKind::Kernel, i})), (TimeRange{510, 520}));
        if (trace->kernels().start[i] == 6200)
            QVERIFY(!trace->apiCallOf({EventKind::Kernel, i}).valid()); // its id points nowhere
    }
}

void LoadReportTest::namesNvtxFromTextOrTextId()
{
    ReportFixture fixture;
    fixture.addSmallReport();
    const auto trace = load(fixture.path());
    QVERIFY(trace);
    const NvtxTable& nvtx = trace->nvtx();
    QCOMPARE(nvtx.size(), 3U); // the domain's row is no event
    QCOMPARE(nvtx.sourceRows, 3U);
    QCOMPARE(nvtx.tracks.size(), 2U); // default domain and NCCL
    QCOMPARE(trace->name({EventKind::Nvtx, 0}), "step");
    QCOMPARE(trace->name({EventKind::Nvtx, 1}), "main");
    QCOMPARE(nvtx.depthOf(0), 0U);
    QCOMPARE(nvtx.depthOf(1), 1U); // nested in "step"
    QVERIFY(nvtx.attributesOf(0).hasColor);
    QCOMPARE(nvtx.attributesOf(0).color, 0xFF00FF00U);
    QCOMPARE(trace->text(nvtx.tracks[1].family), "NCCL");
    QCOMPARE(nvtx.duration[2], 0);
    QCOMPARE(int(nvtx.attributesOf(2).eventType), 34);
}

void LoadReportTest::openRangesEndWithTheSession()
{
    ReportFixture fixture;
    fixture.addSmallReport();
    fixture.run("INSERT INTO NVTX_EVENTS VALUES (5000, NULL, 60, NULL, 'open', 1677721701, NULL, 0)");
    const auto trace = load(fixture.path());
    QVERIFY(trace);
    QCOMPARE(problemsAbout(*trace, ProblemKind::RangeOpenInSession), 1U);
    bool found = false;
    for (EventIndex i = 0; i < trace->nvtx().size(); ++i) {
        if (trace->name({EventKind::Nvtx, i}) != "open")
            continue;
        found = true;
        QCOMPARE(trace->nvtx().range(i), (TimeRange{5000, 5700}));
        QVERIFY(trace->nvtx().attributesOf(i).open);
    }
    QVERIFY(found);
}

void LoadReportTest::repairsBadRows()
{
    ReportFixture fixture;
    fixture.addSmallReport();
    fixture.run(
        "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES "
        "(7000, 6900, 0, 1, 7, 0, 1677721600, 1, 2, 7, 0, 1, 1, 1, 1, 1, 1, 0, 0)," // ends before it starts
        "(NULL, 6900, 0, 1, 7, 0, 1677721600, 1, 2, 7, 0, 1, 1, 1, 1, 1, 1, 0, 0)," // no start
        "(-500, -400, 0, 1, 7, 0, 1677721600, 1, 2, 7, 0, 1, 1, 1, 1, 1, 1, 0, 0)," // before the session
        "(9223372036854775807, 9223372036854775807, 0, 1, 7, 0, 1677721600, 1, 2, 7, 0, 1, 1, 1, 1, 1, 1, 0, "
        "0),"
        "(8000, 8100, 0, 1, 7, 8589934592, 1677721600, 777, 2, 7, 0, 1, 1, 1, 1, 1, 1, 0, 0);" // ids to
                                                                                               // nowhere
        "INSERT INTO StringIds VALUES (50, x'ff00fe'); UPDATE CUPTI_ACTIVITY_KIND_RUNTIME SET nameId=50 "
        "WHERE "
        "correlationId=10;"
        "ALTER TABLE StringIds RENAME TO Keyed; CREATE TABLE StringIds (id INTEGER, value TEXT);"
        "INSERT INTO StringIds SELECT * FROM Keyed; DROP TABLE Keyed;"
        "INSERT INTO StringIds VALUES (60, 'first'), (60, 'second'), (5000000, 'a'), (5000000, 'b'), (5000000, 'b');"
        "CREATE TABLE TARGET_INFO_GPU (id INTEGER, name TEXT, smCount INTEGER);"
        "INSERT INTO TARGET_INFO_GPU VALUES (0, 'A', 132), (0, 'A', 132), (0, 'A', 1);");
    const auto trace = load(fixture.path());
    QVERIFY(trace);
    QCOMPARE(trace->kernels().size(), 6U);
    QCOMPARE(trace->kernels().sourceRows, 8U);
    QCOMPARE(trace->session.start, -500);
    QCOMPARE(problemsAbout(*trace, ProblemKind::RowEndsBeforeStart), 1U);
    QCOMPARE(problemsAbout(*trace, ProblemKind::RowWithoutStart), 1U);
    QCOMPARE(problemsAbout(*trace, ProblemKind::RowTimeImpossible), 1U);
    QCOMPARE(problemsAbout(*trace, ProblemKind::NameMissing), 1U);
    QCOMPARE(problemsAbout(*trace, ProblemKind::RowDefinesAgain), 3U);
    QCOMPARE(problemsAbout(*trace, ProblemKind::CorrelationIdTooWide), 1U);
    // Bytes that are no UTF-8 come through as they are.
    QCOMPARE(trace->name({EventKind::ApiCall, 0}), std::string_view("\xff\x00\xfe", 3));
}

void LoadReportTest::startsThatNoClockShowsAreTold()
{
    for (const char* const start : {"9223372036854775807", "-9223372036854775808", "-1"}) {
        ReportFixture fixture;
        fixture.addSmallReport();
        fixture.run(std::string("DROP TABLE IF EXISTS TARGET_INFO_SESSION_START_TIME; CREATE TABLE "
                                "TARGET_INFO_SESSION_START_TIME (utcEpochNs INTEGER, utcTime TEXT); "
                                "INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES (")
            + start + ", '');");
        const auto trace = load(fixture.path());
        QVERIFY(trace);
        QCOMPARE(trace->info.startedUtcNs, 0);
        QCOMPARE(problemsAbout(*trace, ProblemKind::SessionStartUnreadable), 1U);
    }
}

void LoadReportTest::tellsWorkBeforeItsLaunch()
{
    ReportFixture fixture;
    fixture.addSmallReport();
    const auto before = load(fixture.path());
    QVERIFY(before);
    QCOMPARE(problemsAbout(*before, ProblemKind::WorkBeforeLaunch), 0U);
    fixture.run("UPDATE CUPTI_ACTIVITY_KIND_MEMCPY SET start = 50 WHERE correlationId = 10;");
    const auto after = load(fixture.path());
    QVERIFY(after);
    QCOMPARE(problemsAbout(*after, ProblemKind::WorkBeforeLaunch), 1U);
}

/// Calls of the driver share the id of the call that they are in: that is no problem.
void LoadReportTest::countsCallsThatShareAnId()
{
    for (const int distance : {1, 1'000'000}) { // of ids: a direct table or a sorted list
        ReportFixture fixture;
        fixture.addSmallReport();
        fixture.run(
            "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME SELECT start + 1, end - 1, globalTid, correlationId, "
            "nameId, returnValue FROM CUPTI_ACTIVITY_KIND_RUNTIME WHERE correlationId = 10;"
            "UPDATE CUPTI_ACTIVITY_KIND_RUNTIME SET correlationId = correlationId + "
            + std::to_string(distance) + " WHERE correlationId <> 10;");
        const auto nested = load(fixture.path());
        QVERIFY(nested);
        QCOMPARE(problemsAbout(*nested, ProblemKind::CorrelationIdShared), 0U);
        fixture.run(
            "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME SELECT end + 1, end + 2, globalTid, correlationId, "
            "nameId, returnValue FROM CUPTI_ACTIVITY_KIND_RUNTIME WHERE correlationId = 10;");
        const auto shared = load(fixture.path());
        QVERIFY(shared);
        QCOMPARE(problemsAbout(*shared, ProblemKind::CorrelationIdShared), 2U);
    }
}

void LoadReportTest::listsUnknownTables()
{
    ReportFixture fixture;
    fixture.addSmallReport();
    fixture.run("CREATE TABLE FLUX_EVENTS (start INTEGER); INSERT INTO FLUX_EVENTS VALUES (1), (2);"
                "CREATE TABLE EMPTY_EVENTS (start INTEGER)");
    const auto trace = load(fixture.path());
    QVERIFY(trace);
    int unknown = 0;
    for (const SourceTable& table : trace->info.tables) {
        QVERIFY(table.name != "EMPTY_EVENTS");
        if (table.known)
            continue;
        ++unknown;
        QCOMPARE(table.name, std::string("FLUX_EVENTS"));
        QCOMPARE(table.rows, 2U);
    }
    QCOMPARE(unknown, 1);
}

void LoadReportTest::loadsWithoutAnyOneTable()
{
    for (const char* table : {"StringIds", "ThreadNames", "PROCESSES", "CUPTI_ACTIVITY_KIND_KERNEL",
             "CUPTI_ACTIVITY_KIND_MEMCPY", "CUPTI_ACTIVITY_KIND_RUNTIME", "NVTX_EVENTS"}) {
        ReportFixture fixture;
        fixture.addSmallReport();
        fixture.run(std::string("DROP TABLE ") + table);
        const auto trace = load(fixture.path());
        QVERIFY2(trace, table);
        const bool lacksNames = std::string_view(table) == "StringIds";
        QCOMPARE(problemsAbout(*trace, ProblemKind::StringsMissing), lacksNames ? 1U : 0U);
        QCOMPARE(trace->kernels().size(), std::string_view(table) == "CUPTI_ACTIVITY_KIND_KERNEL" ? 0U : 3U);
    }
}

void LoadReportTest::refusesWhatIsNoReport_data()
{
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("expected");
    QTest::newRow("empty") << QByteArray() << "a.sqlite"
                           << "is empty";
    QTest::newRow("text") << QByteArray("hello\n") << "a.sqlite"
                          << "not an SQLite database";
    QTest::newRow("lfs") << QByteArray("version https://git-lfs.github.com/spec/v1\n") << "a.sqlite"
                         << "Git LFS pointer";
    QTest::newRow("recorded") << QByteArray("\x01\x02NSYS") << "a.nsys-rep"
                              << "nsys export --type sqlite";
    QTest::newRow("unfinished") << QByteArray(8192, '\0') + "rows"
                                << "a.sqlite"
                                << "unfinished export";
    QTest::newRow("header only") << QByteArray("SQLite format 3\0", 16) << "a.sqlite"
                                 << "incomplete";
}

void LoadReportTest::refusesWhatIsNoReport()
{
    QFETCH(QByteArray, content);
    QFETCH(QString, name);
    QFETCH(QString, expected);
    const QTemporaryDir folder;
    const QString path = folder.filePath(name);
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(content);
    file.close();
    const QString error = QString::fromStdString(errorOf(path.toStdString()));
    QVERIFY2(error.contains(expected), qPrintable(error));
    QVERIFY2(error.startsWith(path), qPrintable(error));
    QVERIFY(!error.contains('\n'));

    QVERIFY(
        errorOf(folder.filePath("none.sqlite").toStdString()).find("does not exist") != std::string::npos);
    QVERIFY(errorOf(folder.path().toStdString()).find("is a folder") != std::string::npos);
#ifdef Q_OS_UNIX
    // As in a folder that may not be entered, whether it exists is not known.
    const std::string loop = folder.filePath("loop.sqlite").toStdString();
    fs::create_symlink("loop.sqlite", loop);
    const auto unknown = loadReport(loop);
    QVERIFY(!unknown.ok());
    QCOMPARE(unknown.error().message.key(), std::string_view("file.unreadable"));
#endif
    ReportFixture foreign;
    foreign.run("CREATE TABLE songs (id INTEGER); CREATE TABLE PROCESSES (id INTEGER)");
    const std::string foreignError = errorOf(foreign.path());
    QVERIFY2(foreignError.find("another program") != std::string::npos, foreignError.c_str());
    QVERIFY(foreignError.find("songs") != std::string::npos);
}

void LoadReportTest::tellsACutOffFile()
{
    ReportFixture fixture;
    fixture.addSmallReport();
    fs::resize_file(fixture.path(), fs::file_size(fixture.path()) / 2);
    QVERIFY(errorOf(fixture.path()).find("incomplete") != std::string::npos);
    // Damage inside: garbage over a page in the middle.
    ReportFixture damaged;
    damaged.addSmallReport();
    std::fstream file(damaged.path(), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(4096);
    file << std::string(4096 * 8, '\xAA');
    file.close();
    const auto trace = loadReport(damaged.path());
    if (!trace.ok())
        QVERIFY2(plain(trace.error().message).find("damaged") != std::string::npos,
            plain(trace.error().message).c_str());
    else
        QVERIFY(!trace.value()->info.problems.empty());
}

void LoadReportTest::tellsAnUnfinishedExport()
{
    const auto says = [](const std::string& error, std::string_view part) {
        return error.find(part) != std::string::npos;
    };
    // The header comes last: while it is empty the export runs, or was interrupted.
    ReportFixture fixture;
    fixture.addSmallReport();
    std::fstream file(fixture.path(), std::ios::in | std::ios::out | std::ios::binary);
    file << std::string(100, '\0');
    file.close();
    QVERIFY(says(errorOf(fixture.path()), "unfinished export"));
    QVERIFY(says(errorOf(fixture.path()), "still running, wait"));
    fs::last_write_time(fixture.path(), fs::file_time_type::clock::now() - std::chrono::hours(1));
    QVERIFY(says(errorOf(fixture.path()), "unfinished export"));
    QVERIFY(!says(errorOf(fixture.path()), "still running, wait"));
    QVERIFY(says(errorOf(fixture.path()), "Export the report again"));
    // Nothing was written but the beginning.
    ReportFixture begun;
    begun.run("PRAGMA user_version = 1");
    QVERIFY2(says(errorOf(begun.path()), "has no tables"), errorOf(begun.path()).c_str());
}

void LoadReportTest::tellsALockedFile()
{
    ReportFixture fixture;
    fixture.addSmallReport();
    sqlite3* writer = nullptr;
    sqlite3_open(fixture.path().c_str(), &writer);
    sqlite3_exec(writer, "BEGIN EXCLUSIVE", nullptr, nullptr, nullptr);
    const std::string error = errorOf(fixture.path());
    sqlite3_exec(writer, "ROLLBACK; BEGIN; SELECT * FROM StringIds", nullptr, nullptr, nullptr);
    const auto readBeside = load(fixture.path()); // another reader is no obstacle
    sqlite3_close(writer);
    QVERIFY2(error.find("locked") != std::string::npos, error.c_str());
    QVERIFY(readBeside);
}

void LoadReportTest::tellsLittleMemory()
{
    ReportFixture small;
    small.addSmallReport();
    QVERIFY(load(small.path()));
    sqlite3_hard_heap_limit64(1);
    const auto refused = loadReport(small.path());
    sqlite3_hard_heap_limit64(0);
    QVERIFY(!refused.ok());
    QCOMPARE(refused.error().message.key(), std::string_view("file.no_memory"));
    QVERIFY(load(small.path()));
}

void LoadReportTest::respectsAWriteAheadLog()
{
    ReportFixture fixture;
    fixture.addSmallReport();
    fixture.run("PRAGMA journal_mode=WAL");
    sqlite3* writer = nullptr;
    sqlite3_open(fixture.path().c_str(), &writer);
    sqlite3_exec(writer,
        "PRAGMA wal_autocheckpoint=0; INSERT INTO NVTX_EVENTS VALUES (95, 99, 59, NULL, 'logged', "
        "1677721701, NULL, 0)",
        nullptr, nullptr, nullptr);
    const auto trace = load(fixture.path());
    QVERIFY(trace);
    QCOMPARE(trace->nvtx().size(), 4U); // the row that is only in the log counts
    sqlite3_close(writer);
    // Write-ahead mode without a log: no file may be created next to it.
    QVERIFY(load(fixture.path()));
    QVERIFY(!fs::exists(fixture.path() + "-shm"));
}

void LoadReportTest::respectsAHotJournal()
{
    // A writer that died in the middle: its journal holds the pages as they were.
    ReportFixture fixture;
    fixture.addSmallReport();
    const QTemporaryDir folder;
    const std::string crashed = folder.filePath("crashed.sqlite").toStdString();
    sqlite3* writer = nullptr;
    sqlite3_open(fixture.path().c_str(), &writer);
    sqlite3_exec(writer,
        "PRAGMA cache_size=1; PRAGMA cache_spill=1; BEGIN; DELETE FROM NVTX_EVENTS; CREATE TABLE t (x); "
        "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 20000) INSERT INTO t "
        "SELECT i FROM c",
        nullptr, nullptr, nullptr);
    fs::copy_file(fixture.path(), crashed);
    fs::copy_file(fixture.path() + "-journal", crashed + "-journal");
    sqlite3_close(writer);
    const QByteArray before = contentOf(crashed);
    const auto trace = load(crashed);
    QVERIFY(trace);
    QCOMPARE(trace->nvtx().size(), 3U);
    QCOMPARE(contentOf(crashed), before); // recovered in a copy, not in place
    QVERIFY(fs::exists(crashed + "-journal"));
}

void LoadReportTest::aJournalRemovesNoOtherFile()
{
    // A journal may name a file that several databases share: SQLite removes it, whatever it is.
    ReportFixture fixture;
    fixture.addSmallReport();
    const std::string victim = fixture.folder().toStdString() + "/victim.txt";
    std::ofstream(victim) << "of the user";
    std::uint32_t sum = 0;
    for (const char c : victim)
        sum += static_cast<unsigned char>(c);
    const auto number = [](std::uint32_t value) {
        QByteArray bytes(4, '\0');
        qToBigEndian(value, bytes.data());
        return bytes;
    };
    const QByteArray magic("\xd9\xd5\x05\xf9\x20\xa1\x63\xd7", 8);
    const auto pageSize = static_cast<std::uint32_t>(sqlInteger(fixture.path(), "PRAGMA page_size"));
    const auto pages = static_cast<std::uint32_t>(sqlInteger(fixture.path(), "PRAGMA page_count"));
    QByteArray journal = magic + number(0) + number(7) + number(pages) + number(512) + number(pageSize);
    journal = journal.leftJustified(512, '\0') + number(0x40000000 / pageSize + 1)
        + QByteArray::fromStdString(victim) + number(static_cast<std::uint32_t>(victim.size())) + number(sum)
        + magic;
    for (const QByteArray& end : {QByteArray(), magic, magic + magic}) {
        const QByteArray whole = journal + end;
        std::ofstream(fixture.path() + "-journal", std::ios::binary).write(whole.data(), whole.size());
        QVERIFY(load(fixture.path()));
        QVERIFY(fs::exists(victim));
    }
}

void LoadReportTest::leavesTheFileAlone()
{
    ReportFixture fixture;
    fixture.addSmallReport();
    const QByteArray before = contentOf(fixture.path());
    const auto time = fs::last_write_time(fixture.path());
    QVERIFY(load(fixture.path()));
    QCOMPARE(contentOf(fixture.path()), before);
    QVERIFY(fs::last_write_time(fixture.path()) == time);
    QCOMPARE(
        std::distance(fs::directory_iterator(fixture.folder().toStdString()), fs::directory_iterator()), 1);
}

void LoadReportTest::stopsWhenAsked()
{
    ReportFixture fixture;
    fixture.addSmallReport();
    std::stop_source stop;
    stop.request_stop();
    LoadOptions options;
    options.stop = stop.get_token();
    const auto trace = loadReport(fixture.path(), options);
    QVERIFY(!trace.ok());
    QVERIFY(plain(trace.error().message).find("cancelled") != std::string::npos);
}

void LoadReportTest::publishesSnapshots()
{
    ReportFixture fixture;
    fixture.addSmallReport();
    std::vector<std::shared_ptr<const Trace>> snapshots;
    LoadProgress last;
    LoadOptions options;
    options.snapshot = [&](std::shared_ptr<const Trace> trace) { snapshots.push_back(std::move(trace)); };
    options.progress = [&](const LoadProgress& progress) { last = progress; };
    const auto trace = loadReport(fixture.path(), options);
    QVERIFY(trace.ok());
    QVERIFY(snapshots.size() >= 4);
    std::uint64_t events = 0;
    for (const auto& snapshot : snapshots) {
        QVERIFY(!snapshot->complete);
        QVERIFY(snapshot->eventCount() >= events); // events only ever come
        events = snapshot->eventCount();
    }
    QCOMPARE(events, trace.value()->eventCount());
    QVERIFY(last.rowsTotal > 0);
    QVERIFY(last.rowsRead <= last.rowsTotal);
}

namespace {

/// Everything about an event that does not depend on where its table put it.
std::map<std::pair<StringId, std::uint32_t>, std::tuple<TimeRange, StringId, GlobalId>> eventsByRow(
    const EventTable& table)
{
    std::map<std::pair<StringId, std::uint32_t>, std::tuple<TimeRange, StringId, GlobalId>> events;
    for (EventIndex i = 0; i < table.size(); ++i) {
        const Track& track = table.trackOf(i);
        events[{track.source, table.sourceRow[i]}] = {table.range(i), table.name[i], track.owner};
    }
    return events;
}

bool isInOrder(const EventTable& table)
{
    for (const Lane& lane : table.lanes) {
        for (EventIndex i = lane.first + 1; i < lane.first + lane.count; ++i) {
            if (table.start[i] < table.end(i - 1))
                return false;
        }
    }
    return true;
}

} // namespace

void LoadReportTest::publishesTablesInParts()
{
    const std::string path = sharedReport("ddp_2gpu");
    if (path.empty())
        QSKIP("needs ../shared/reports/h200/ddp_2gpu, which is not there");
    std::vector<std::shared_ptr<const Trace>> snapshots;
    LoadOptions options;
    options.firstSnapshot = std::chrono::milliseconds(0);
    options.snapshotGrowth = 1; // as often as it can be: reading is quick
    options.threads = 2;
    options.snapshot = [&](std::shared_ptr<const Trace> trace) { snapshots.push_back(std::move(trace)); };
    const auto whole = loadReport(path, options);
    const auto direct = loadReport(path);
    QVERIFY(whole.ok() && direct.ok());
    std::size_t partial = 0;
    for (const EventKind kind : allEventKinds()) {
        const EventTable& table = whole.value()->table(kind);
        QVERIFY(table.start == direct.value()->table(kind).start);
        QVERIFY(table.sourceRow == direct.value()->table(kind).sourceRow);
        QVERIFY(table.callchain == direct.value()->table(kind).callchain);
        if (kind == EventKind::ThreadState)
            continue; // the last state of a part ends where reading stopped
        const auto all = eventsByRow(table);
        const EventTable* last = nullptr;
        for (const auto& snapshot : snapshots) {
            const EventTable& part = snapshot->table(kind);
            if (&part == last || part.empty() || part.size() == table.size())
                continue;
            last = &part;
            ++partial;
            QVERIFY(!snapshot->complete);
            QVERIFY(!snapshot->links);
            QVERIFY(isInOrder(part));
            for (const auto& [row, event] : eventsByRow(part)) {
                const auto found = all.find(row);
                QVERIFY(found != all.end());
                QVERIFY(found->second == event);
            }
        }
    }
    QVERIFY(partial > 0);
}

void LoadReportTest::stopsAnywhere()
{
    const std::string path = sharedReport("ddp_2gpu");
    if (path.empty())
        QSKIP("needs ../shared/reports/h200/ddp_2gpu, which is not there");
    std::mt19937 random(3);
    int stopped = 0;
    for (int round = 0; round < 12; ++round) {
        std::stop_source stop;
        const auto calls = std::uniform_int_distribution<int>(0, 40)(random);
        std::atomic<int> seen = 0;
        LoadOptions options;
        options.stop = stop.get_token();
        options.firstSnapshot = std::chrono::milliseconds(round % 3 * 10);
        options.progress = [&](const LoadProgress&) {
            if (seen++ == calls)
                stop.request_stop();
        };
        options.snapshot = [&](const std::shared_ptr<const Trace>& trace) { QVERIFY(!trace->complete); };
        const auto trace = loadReport(path, options);
        if (trace.ok()) {
            QVERIFY(trace.value()->complete);
            continue;
        }
        ++stopped;
        QVERIFY(stop.stop_requested());
        QVERIFY(plain(trace.error().message).find("cancelled") != std::string::npos);
    }
    QVERIFY(stopped > 0);
}

void LoadReportTest::partitionedReadingChangesNothing()
{
    const std::string path = sharedReport("ddp_2gpu");
    if (path.empty())
        QSKIP("needs ../shared/reports/h200/ddp_2gpu, which is not there");
    LoadOptions one;
    one.threads = 1;
    LoadOptions four;
    four.threads = 4;
    const auto a = loadReport(path, one);
    const auto b = loadReport(path, four);
    QVERIFY(a.ok() && b.ok());
    for (const EventKind kind : allEventKinds()) {
        const EventTable& left = a.value()->table(kind);
        const EventTable& right = b.value()->table(kind);
        QCOMPARE(left.size(), right.size());
        QCOMPARE(left.lanes.size(), right.lanes.size());
        QVERIFY(left.start == right.start);
        QVERIFY(left.sourceRow == right.sourceRow);
        QVERIFY(left.correlation == right.correlation);
        for (EventIndex i = 0; i < left.size(); ++i) {
            QCOMPARE(left.duration[i], right.duration[i]);
            QCOMPARE(a.value()->name({kind, i}), b.value()->name({kind, i}));
        }
    }
    QVERIFY(a.value()->links->firstWork == b.value()->links->firstWork);
}

void LoadReportTest::countsEqualSqlOnSharedReports()
{
    const auto reports = sharedReports();
    if (reports.empty())
        QSKIP("needs ../shared/reports, which is not there");
    struct Count {
        EventKind kind;
        const char* tables;
        const char* where;
    };
    static constexpr std::array<Count, 14> counts{{
        {EventKind::Kernel, "CUPTI_ACTIVITY_KIND_KERNEL", ""},
        {EventKind::Memcpy, "CUPTI_ACTIVITY_KIND_MEMCPY", ""},
        {EventKind::Memset, "CUPTI_ACTIVITY_KIND_MEMSET", ""},
        {EventKind::Synchronization, "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", ""},
        {EventKind::GraphTrace, "CUPTI_ACTIVITY_KIND_GRAPH_TRACE", ""},
        {EventKind::CudaEvent, "CUPTI_ACTIVITY_KIND_CUDA_EVENT", ""},
        {EventKind::ApiCall, "CUPTI_ACTIVITY_KIND_RUNTIME", ""},
        {EventKind::Nvtx, "NVTX_EVENTS", " WHERE eventType IN (34, 59, 60)"},
        {EventKind::OsRuntime, "OSRT_API", ""},
        {EventKind::ThreadState, "SCHED_EVENTS", ""},
        {EventKind::Sample, "COMPOSITE_EVENTS", ""},
        {EventKind::GpuMemory, "CUDA_GPU_MEMORY_USAGE_EVENTS", ""},
        {EventKind::FileAccess, "OSRT_FILE_ACCESS_EVENTS", ""},
        {EventKind::Diagnostic, "DIAGNOSTIC_EVENT", ""},
    }};
    for (const std::string& path : reports) {
        const auto trace = load(path);
        QVERIFY2(trace, path.c_str());
        for (const Count& count : counts) {
            const long long expected = sqlHasTable(path, count.tables)
                ? sqlInteger(path, std::string("SELECT count(*) FROM ") + count.tables + count.where)
                : 0;
            QVERIFY2(static_cast<long long>(trace->table(count.kind).sourceRows) == expected,
                (path + ": " + count.tables).c_str());
            // Kinds with one event a row lose none of them; event records may lack a time. Frames are made.
            const auto isFrame
                = [&](EventIndex i) { return trace->nvtx().attributesOf(i).eventType == graphicsFrame; };
            long long frames = 0;
            for (EventIndex i = 0; count.kind == EventKind::Nvtx && i < trace->nvtx().size(); ++i)
                frames += isFrame(i) ? 1 : 0;
            if (count.kind != EventKind::ThreadState && count.kind != EventKind::CudaEvent)
                QCOMPARE(static_cast<long long>(trace->table(count.kind).size()), expected + frames);
        }
        for (const SourceTable& table : trace->info.tables)
            QCOMPARE(static_cast<long long>(table.rows),
                sqlInteger(path, "SELECT count(*) FROM \"" + table.name + "\""));
    }
}

WARPLINE_TEST(LoadReportTest)

} // namespace tst_load_report

#include "tst_load_report.moc"
