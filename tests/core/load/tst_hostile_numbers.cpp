// Reports with numbers that no profiler writes: limits hold, nothing is folded onto something else, and the
// sanitizers see no overflow.

#include "core/findings/checklist.h"
#include "core/findings/rule.h"
#include "core/load/load_report.h"
#include "core/query/event_list.h"
#include "core/query/event_text.h"
#include "core/query/kernel_occupancy.h"
#include "core/query/range_stats.h"
#include "core/render/render.h"
#include "core/rows/row_kind.h"
#include "core/stats/stats_table.h"
#include "core/stats/step_breakdown.h"
#include "core/store/problem.h"
#include "core/store/table_builder.h"
#include "core/store/trace.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"
#include "tests/support/whole_analysis.h"

#include <QElapsedTimer>
#include <QFile>
#include <QTest>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace tst_hostile_numbers {

using namespace warpline;
using test::ReportFixture;

namespace {

constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();

/// Runs all queries on the report at `path`; returns its number of events.
std::uint64_t askEverything(const std::string& path)
{
    auto loaded = loadReport(path, {});
    if (!loaded.ok())
        return 0; // with a sentence: no fault
    const std::shared_ptr<const Trace> trace = loaded.take();
    const auto rows = buildRows(*trace);
    const TimeRange half{trace->session.start, trace->session.start / 2 + trace->session.end / 2};
    for (const TimeRange window : {trace->session, half}) {
        (void)runRules(*trace, window);
        (void)answerChecklist(*trace, window);
        for (const StatsTable* const table : allStatsTables()) {
            StatsQuery query;
            query.window = window == half ? window : TimeRange{};
            query.wantEvents = true;
            if (table->applies(*trace))
                (void)table->fill(*trace, query);
        }
        (void)breakDownSteps(*trace, {});
    }
    prepareFacts(*trace);
    for (const EventKind kind : allEventKinds()) {
        const EventTable& table = trace->table(kind);
        for (EventIndex i = 0; i < table.size(); i += 1 + static_cast<EventIndex>(table.size()) / 40) {
            (void)detailsOf(*trace, {kind, i});
            (void)tooltipOf(*trace, {kind, i});
            if (kind == EventKind::Kernel) {
                (void)residencyOf(*trace, i).waves();
                (void)residencyOf(*trace, i).occupancy;
            }
        }
    }
    return trace->eventCount();
}

/// The numeric columns of the report at `path`: table and column.
std::vector<std::pair<std::string, std::string>> numericColumns(const std::string& path)
{
    const auto rows = test::sqlRows(path,
        "SELECT t.name, c.name FROM sqlite_master t, pragma_table_info(t.name) c WHERE t.type = 'table' AND "
        "(c.type LIKE '%INT%' OR c.type LIKE '%REAL%') AND t.name NOT LIKE 'ENUM_%' ORDER BY 1, 2");
    std::vector<std::pair<std::string, std::string>> columns;
    for (const auto& row : rows.value_or(std::vector<std::vector<std::string>>{}))
        columns.emplace_back(row[0], row[1]);
    return columns;
}

/// Runs all queries on copies of the report at `path`, each with one column in which every other row has
/// impossible values.
void askWithEachColumnMutated(const std::string& path)
{
    const auto columns = numericColumns(path);
    QVERIFY2(columns.size() > 100, path.c_str());
    for (const auto& [table, column] : columns) {
        ReportFixture report;
        QVERIFY(QFile::copy(QString::fromStdString(path), QString::fromStdString(report.path())));
        // Columns that must be unique refuse some of the values; these rows keep theirs.
        report.run("UPDATE OR IGNORE \"" + table + "\" SET \"" + column
            + "\" = CASE abs(rowid) % 12 WHEN 0 THEN 9223372036854775807 WHEN 2 THEN -9223372036854775807 - "
              "1 "
              "WHEN 4 THEN 36028797018963967 WHEN 6 THEN -36028797018963967 WHEN 8 THEN 4294967296 "
              "WHEN 10 THEN -1 ELSE \""
            + column + "\" END");
        QElapsedTimer timer;
        timer.start();
        askEverything(report.path());
        QVERIFY2(timer.elapsed() < 60'000, (table + "." + column + " takes long").c_str());
    }
}

} // namespace

class TestHostileNumbers : public QObject {
    Q_OBJECT
private slots:
    void rowidsAtTheEnds();
    void sumsOfLongestDurations();
    void sumsOfBytesStayWithinLimits();
    void packetsAndOwners();
    void outputOfAnyLength();
    void indexLimitsAreChecked();
    void launchesOfAnySize();
    void deviceIdsAreNotFolded();
    void everyColumn();
    void eventsWithoutLength();
    void everyColumnOfRealReports_data();
    void everyColumnOfRealReports();
};

void TestHostileNumbers::rowidsAtTheEnds()
{
    for (const char* const first : {"-9223372036854775807 - 1", "-9223372036854775807", "-3", "0"}) {
        ReportFixture report;
        report.addSmallReport();
        for (const char* const table : {"CUPTI_ACTIVITY_KIND_KERNEL", "NVTX_EVENTS"}) {
            report.run(std::string("UPDATE ") + table + " SET rowid = " + first + " WHERE rowid = 1");
            report.run(std::string("UPDATE ") + table + " SET rowid = 9223372036854775807 WHERE rowid = 2");
        }
        auto loaded = loadReport(report.path(), {});
        QVERIFY2(loaded.ok(), loaded.ok() ? "" : plain(loaded.error().message).c_str());
        QCOMPARE(loaded.value()->kernels().size(), 3U);
        askEverything(report.path());
    }
}

void TestHostileNumbers::sumsOfLongestDurations()
{
    // Many events, each as long as the report allows: their durations add up to more than 64 bits.
    ReportFixture report;
    report.addSmallReport();
    report.run(R"sql(
        WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 4000)
        INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end, deviceId, contextId, streamId, correlationId, globalPid,
            demangledName, shortName, gridX, gridY, gridZ, blockX, blockY, blockZ)
        SELECT -36028797018963967, 36028797018963967, 0, 1, i, 100 + i, 1677721600, 1, 2, 1, 1, 1, 1, 1, 1 FROM n)sql");
    auto loaded = loadReport(report.path(), {});
    QVERIFY(loaded.ok());
    const KernelTable& kernels = loaded.value()->kernels();
    QCOMPARE(kernels.size(), 4004U);
    QVERIFY(kernels.shortened > 0);
    QVERIFY(kernels.durationSum(0, static_cast<EventIndex>(kernels.size())) <= maxTotalDuration);
    const auto& problems = loaded.value()->info.problems;
    QVERIFY(std::ranges::any_of(problems, [&](const Problem& problem) {
        return problem.count == kernels.shortened && problem.kind == ProblemKind::DurationsTooLong;
    }));
    askEverything(report.path());
}

void TestHostileNumbers::sumsOfBytesStayWithinLimits()
{
    ReportFixture report;
    report.addSmallReport();
    report.run(
        "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 99) INSERT INTO "
        "CUPTI_ACTIVITY_KIND_MEMCPY SELECT 2000 + i * 10, 2005 + i * 10, 0, 1, 7, 500 + i, 1677721600, "
        "1 << 58, 1, 0, 2 FROM n");
    auto loaded = loadReport(report.path(), {});
    QVERIFY(loaded.ok());
    const EventTable& copies = loaded.value()->memcpys();
    QCOMPARE(copies.size(), 101U);
    QCOMPARE(copies.withoutBytes, 97U); // four would make the limit, but for the 4096 bytes before them
    std::uint64_t sum = 0;
    for (const std::uint64_t bytes : copies.bytes)
        sum += bytes;
    QVERIFY(sum <= maxTotalBytes);
    const auto& problems = loaded.value()->info.problems;
    QVERIFY(std::ranges::any_of(problems, [&](const Problem& problem) {
        return problem.count == copies.withoutBytes && problem.kind == ProblemKind::BytesTooMany;
    }));
}

/// Ends and owners that are checked nowhere else.
void TestHostileNumbers::packetsAndOwners()
{
    ReportFixture report;
    report.addSmallReport();
    report.run(
        "CREATE TABLE WDDM_QUEUE_PACKET_START_EVENTS (start INTEGER, globalTid INTEGER, context INTEGER, "
        "submitSequence INTEGER, gpu INTEGER, engineType INTEGER);"
        "CREATE TABLE WDDM_QUEUE_PACKET_STOP_EVENTS (start INTEGER, context INTEGER, submitSequence INTEGER);"
        "INSERT INTO WDDM_QUEUE_PACKET_START_EVENTS VALUES (-1000, 5, 5, 1, 0, 1);"
        "INSERT INTO WDDM_QUEUE_PACKET_STOP_EVENTS VALUES (9223372036854775807, 5, 1);"
        "CREATE TABLE CUPTI_ACTIVITY_KIND_CUDA_EVENT (deviceId INTEGER, contextId INTEGER, streamId INTEGER, "
        "correlationId INTEGER, globalPid INTEGER, eventId INTEGER, timestamp INTEGER, cudaEventSyncId INTEGER);"
        "INSERT INTO CUPTI_ACTIVITY_KIND_CUDA_EVENT VALUES (0, 1, 7, 9, 0, 1, 9223372036854775807, 1), "
        "(0, 1, 7, 10, 0, 2, -9223372036854775807 - 1, 2);"
        "CREATE TABLE WARPLINE_PART (keptFrom INTEGER, keptTo INTEGER, wholeFrom INTEGER, wholeTo INTEGER, "
        "gpuFrom INTEGER, gpuTo INTEGER);"
        "INSERT INTO WARPLINE_PART VALUES (-9223372036854775807, 9223372036854775807, 0, 1, 0, 1);"
        "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET globalPid = -9223372036854775807 - 1 WHERE rowid = 1");
    auto loaded = loadReport(report.path(), {});
    QVERIFY(loaded.ok());
    QVERIFY(std::ranges::any_of(loaded.value()->info.problems,
        [](const Problem& problem) { return problem.kind == ProblemKind::PacketWithoutEnd; }));
    QVERIFY(loaded.value()->session.duration() < maxTotalDuration);
    QVERIFY(loaded.value()->table(EventKind::CudaEvent).empty());
    EventQuery query;
    query.window = loaded.value()->session;
    query.column = EventColumn::Process;
    query.descending = false;
    const EventList ascending(loaded.value(), query);
    query.descending = true;
    const EventList descending(loaded.value(), query);
    QCOMPARE(descending.size(), ascending.size());
    QVERIFY(ascending.size() > 2);
    const auto ownerOf = [&](const EventRef& event) {
        return static_cast<std::int64_t>(loaded.value()->table(event.kind).trackOf(event.index).owner);
    };
    for (std::size_t i = 1; i < ascending.size(); ++i) {
        QVERIFY(ownerOf(ascending[i - 1]) <= ownerOf(ascending[i]));
        QVERIFY(ownerOf(descending[i - 1]) >= ownerOf(descending[i]));
    }
    askEverything(report.path());
}

/// Any number of rows may name one text.
void TestHostileNumbers::outputOfAnyLength()
{
    ReportFixture report;
    report.addSmallReport();
    report.run("CREATE TABLE ProcessStreams (globalPid INTEGER, filenameId INTEGER, contentId INTEGER);"
               "INSERT INTO StringIds VALUES (900001, 'stdout'), (900002, printf('%.*c', 2000000, 'x'));"
               "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100) INSERT INTO "
               "ProcessStreams SELECT 1677721600 + i, 900001, 900002 FROM n");
    auto loaded = loadReport(report.path(), {});
    QVERIFY(loaded.ok());
    std::size_t bytes = 0;
    for (const ProgramOutput& each : loaded.value()->info.output)
        bytes += each.text.size();
    QVERIFY(bytes > 1'000'000 && bytes <= 64U << 20U);
    const auto problem
        = std::ranges::find(loaded.value()->info.problems, ProblemKind::OutputTooLong, &Problem::kind);
    QVERIFY(problem != loaded.value()->info.problems.end());
    QCOMPARE(problem->count + loaded.value()->info.output.size(), 100U);
}

void TestHostileNumbers::indexLimitsAreChecked()
{
    QCOMPARE(maxEventsOf(EventKind::Kernel), (std::size_t{1} << 29U) - 1);
    QCOMPARE(maxEventsOf(EventKind::ApiCall), std::size_t{noIndex});
    for (const EventKind kind : allEventKinds()) {
        if (!runsOnDevice(kind))
            continue;
        const EventRef last{kind, static_cast<EventIndex>(maxEventsOf(kind) - 1)};
        QCOMPARE(Links::unpack(Links::pack(last)), last);
    }
    const auto filled = [](EventIndex first, EventIndex count, TableBuilder& builder) {
        TrackKey key;
        key.stream = 1;
        for (EventIndex i = first; i < first + count; ++i) {
            builder.add(builder.track(key), i * 10, i * 10 + 5, StringId{}, i + 1);
            builder.addCorrelation(i);
        }
    };
    TableBuilder builder(EventKind::Memset, 10);
    TableBuilder other(EventKind::Memset, 10);
    filled(0, 7, builder);
    filled(7, 12, other);
    builder.append(std::move(other));
    EventTable table;
    builder.finishInto(table);
    QCOMPARE(table.size(), 10U);
    QCOMPARE(table.correlation.size(), 10U);
    QCOMPARE(table.duration.size(), 10U);
    QCOMPARE(table.leftOut, 9U); // two by the other, seven by joining
    for (EventIndex i = 0; i < 10; ++i)
        QCOMPARE(table.correlation[i], i);
}

void TestHostileNumbers::launchesOfAnySize()
{
    constexpr std::int32_t side = std::numeric_limits<std::int32_t>::max();
    QCOMPARE((Dim3{side, side, side}.volume()), std::int64_t{1} << 52U);
    QCOMPARE((Dim3{side, 2, 1}.volume()), 2 * std::int64_t{side});
    QCOMPARE((Dim3{-side, -side, side}.volume()), 0);
    QCOMPARE((Dim3{0, side, side}.volume()), 0);
    QCOMPARE(saturatingWhole(4e19), most); // an exabyte at a slow rate
    QCOMPARE(saturatingWhole(-1e300), -most - 1);
    QCOMPARE(saturatingWhole(std::numeric_limits<double>::quiet_NaN()), 0);
    QCOMPARE(saturatingWhole(-2.9), -2);
}

void TestHostileNumbers::deviceIdsAreNotFolded()
{
    ReportFixture report;
    report.addSmallReport();
    report.run("UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET deviceId = 4294967296 WHERE rowid = 2");
    auto loaded = loadReport(report.path(), {});
    QVERIFY(loaded.ok());
    std::vector<std::int32_t> devices;
    for (const Track& track : loaded.value()->kernels().tracks)
        devices.push_back(track.device);
    QCOMPARE(devices, (std::vector<std::int32_t>{0, -1})); // not device 0 twice
}

void TestHostileNumbers::everyColumn()
{
    ReportFixture original;
    original.addSmallReport();
    const auto columns = numericColumns(original.path());
    QVERIFY(columns.size() > 30);
    for (const auto& [table, column] : columns) {
        for (const char* const value : {"9223372036854775807", "-9223372036854775807 - 1",
                 "36028797018963967", "-36028797018963967", "4294967296", "-1"}) {
            ReportFixture report;
            QVERIFY(
                QFile::copy(QString::fromStdString(original.path()), QString::fromStdString(report.path())));
            // All rows, or where they must differ the first.
            report.run("UPDATE OR IGNORE \"" + table + "\" SET \"" + column + "\" = " + value);
            askEverything(report.path());
        }
    }
}

/// Rules and tables find events, but no time in which they ran.
void TestHostileNumbers::eventsWithoutLength()
{
    std::vector<std::string> reports{test::sharedReport("h200-more/pipe_rank0")};
    for (const std::string name : {"reports/um", "reports/payload", "reports/streams", "pairs/grid_before"})
        reports.push_back(WARPLINE_TEST_DATA "/" + name + ".sqlite");
    std::erase(reports, std::string());
    for (const std::string& path : reports) {
        for (const char* const change : {"\"end\" = start", "start = 5000, \"end\" = 5000"}) {
            ReportFixture report;
            QVERIFY(QFile::copy(QString::fromStdString(path), QString::fromStdString(report.path())));
            QFile::setPermissions(
                QString::fromStdString(report.path()), QFile::ReadOwner | QFile::WriteOwner);
            const auto tables = test::sqlRows(path, "SELECT name FROM sqlite_master WHERE type = 'table'");
            QVERIFY(tables);
            for (const auto& row : *tables) {
                if (test::sqlHasColumn(path, row[0], "start") && test::sqlHasColumn(path, row[0], "end"))
                    report.run("UPDATE OR IGNORE \"" + row[0] + "\" SET " + change);
            }
            QVERIFY2(askEverything(report.path()) > 0, path.c_str());
        }
    }
}

void TestHostileNumbers::everyColumnOfRealReports_data()
{
    QTest::addColumn<QString>("name");
    for (const char* const name : {"um", "payload"})
        QTest::newRow(name) << QString(name);
}

void TestHostileNumbers::everyColumnOfRealReports()
{
    QFETCH(QString, name);
    askWithEachColumnMutated((WARPLINE_TEST_DATA "/reports/" + name + ".sqlite").toStdString());
}

WARPLINE_TEST(TestHostileNumbers)

} // namespace tst_hostile_numbers

#include "tst_hostile_numbers.moc"
