// Streams that wait for each other: producer, consumer, and how long only the wait held the consumer.

#include "core/derive/stream_waits.h"
#include "core/findings/rule.h"
#include "core/load/load_report.h"
#include "core/query/event_text.h"
#include "core/query/partners.h"
#include "core/render/render.h"
#include "core/stats/stats_table.h"
#include "tests/core/findings/drawn_program.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <sqlite3.h>

#include <algorithm>
#include <set>

namespace tst_stream_waits {

using namespace warpline;
using namespace warpline::test;

namespace {

/// The expected result from SQLite: wait and record by rowid, the producer's end, the consumer's begin and
/// launch, and the end of the consumer's predecessor on its stream. Work is in the order of its calls.
constexpr const char* oracle = R"(
WITH work AS MATERIALIZED (
  SELECT w.streamId AS stream, w.contextId AS context, w.start AS start, w.end AS end, r.start AS called,
         r.end AS launched
  FROM (SELECT streamId, contextId, start, end, correlationId FROM CUPTI_ACTIVITY_KIND_KERNEL
        UNION ALL SELECT streamId, contextId, start, end, correlationId FROM CUPTI_ACTIVITY_KIND_MEMCPY
        UNION ALL SELECT streamId, contextId, start, end, correlationId FROM CUPTI_ACTIVITY_KIND_MEMSET) w
  JOIN CUPTI_ACTIVITY_KIND_RUNTIME r ON r.correlationId = w.correlationId),
waits AS MATERIALIZED (
  SELECT s.rowid AS wait, e.rowid AS record, s.streamId AS waiting, s.contextId AS context,
         e.streamId AS recording, e.contextId AS recordingContext,
         (SELECT start FROM CUPTI_ACTIVITY_KIND_RUNTIME r WHERE r.correlationId = s.correlationId) AS waited,
         (SELECT start FROM CUPTI_ACTIVITY_KIND_RUNTIME r WHERE r.correlationId = e.correlationId) AS recorded
  FROM CUPTI_ACTIVITY_KIND_SYNCHRONIZATION s JOIN CUPTI_ACTIVITY_KIND_CUDA_EVENT e
    ON e.globalPid = s.globalPid AND e.eventSyncId = s.eventSyncId
  WHERE s.syncType = 2 AND s.eventSyncId <> 4294967295),
sides AS MATERIALIZED (
  SELECT wait, record, waiting, context,
    (SELECT end FROM work WHERE stream = recording AND work.context = recordingContext AND called <= recorded
     ORDER BY called DESC LIMIT 1) AS done,
    (SELECT called FROM work WHERE stream = waiting AND work.context = waits.context AND called > waited
     ORDER BY called LIMIT 1) AS next
  FROM waits)
SELECT wait, record, s.done, c.start, c.launched,
  (SELECT end FROM work p WHERE p.stream = s.waiting AND p.context = s.context AND p.called < s.next
   ORDER BY p.called DESC LIMIT 1), s.next
FROM sides s LEFT JOIN work c ON c.called = s.next)";

struct Expected {
    TimeRange held;
    std::string consumer;
};

/// By rowid of the wait; of several waits of one consumer the one whose producer ends last holds it.
std::map<long long, Expected> expectedHeld(const std::string& path)
{
    std::map<long long, Expected> expected;
    const auto rows = sqlRows(path, oracle);
    if (!rows)
        return expected;
    std::map<std::string, long long> last;
    for (const auto& row : *rows) {
        const long long wait = std::stoll(row[0]);
        expected[wait] = {{}, row[6]};
        if (row[2] == "NULL" || row[3] == "NULL")
            continue;
        const Ns done = std::stoll(row[2]);
        const Ns begins = std::stoll(row[3]);
        Ns free = std::min<Ns>(begins, std::stoll(row[4]));
        if (row[5] != "NULL")
            free = std::max<Ns>(free, std::stoll(row[5]));
        if (done <= free || done > begins)
            continue;
        const auto [place, added] = last.try_emplace(row[6], wait);
        if (!added) {
            Expected& other = expected[place->second];
            if (other.held.end >= done)
                continue;
            other.held = {};
            place->second = wait;
        }
        expected[wait].held = {free, done};
    }
    return expected;
}

} // namespace

class StreamWaitsTest : public QObject {
    Q_OBJECT

private slots:
    void aStreamIsHeldByTheProducer();
    void onlyTheLastProducerHolds();
    void waitsOfNoKnownRecordingAreNone();
    void aProducerThatEndsLaterIsNone();
    void theTableSumsWaits();
    void waitsOfTheSecondGpuAreItsOwn();
    void arrowsLeadFromTheProducer();
    void sameAsAskedOfSqlite_data();
    void sameAsAskedOfSqlite();
    void exposedCommunicationNamesTheWait();
};

void StreamWaitsTest::aStreamIsHeldByTheProducer()
{
    DrawnProgram drawn;
    drawn.kernel("before", 0, {5 * us, 20 * us});
    drawn.kernel("AllReduce", 10 * us, {15 * us, 100 * us}, {.stream = 17});
    drawn.record(17, 13 * us, 5);
    drawn.streamWait(7, 15 * us, 5);
    drawn.kernel("adam", 17 * us, {101 * us, 120 * us});
    const auto trace = drawn.finish();
    const StreamWaits waits = findStreamWaits(*trace);
    QCOMPARE(waits.size(), std::size_t{1});
    const StreamWait& wait = waits.front();
    QCOMPARE(trace->name(wait.producer), std::string_view("AllReduce"));
    QCOMPARE(trace->name(wait.consumer), std::string_view("adam"));
    // The stream was free at 20 us, after the launch had returned.
    QCOMPARE(wait.held, (TimeRange{20 * us, 100 * us}));
    QCOMPARE(waitBefore(waits, wait.consumer), &wait);
    QCOMPARE(waitBefore(waits, wait.producer), nullptr);
    // A tooltip does not wait for the computation.
    QVERIFY(!knownStreamWaits(*trace));
    auto facts = detailsOf(*trace, wait.consumer);
    const auto valueOf = [&facts](std::string_view label) {
        const auto found
            = std::ranges::find(facts, label, [](const TextRow& row) { return plain(row.label); });
        return found != facts.end() ? plain(found->value) : std::string();
    };
    QCOMPARE(valueOf("Waits for"), std::string());
    prepareFacts(*trace);
    facts = detailsOf(*trace, wait.consumer);
    QCOMPARE(valueOf("Waits for"), std::string("AllReduce on Stream 17"));
    QCOMPARE(valueOf("Delayed by it"), std::string("80.00 µs"));
}

void StreamWaitsTest::onlyTheLastProducerHolds()
{
    DrawnProgram drawn;
    drawn.kernel("first", 0, {5 * us, 50 * us}, {.stream = 17});
    drawn.record(17, 3 * us, 5);
    drawn.kernel("second", 10 * us, {15 * us, 90 * us}, {.stream = 18});
    drawn.record(18, 13 * us, 6);
    drawn.streamWait(7, 15 * us, 5);
    drawn.streamWait(7, 17 * us, 6);
    drawn.kernel("adam", 20 * us, {91 * us, 120 * us});
    const auto trace = drawn.finish();
    const StreamWaits waits = findStreamWaits(*trace);
    QCOMPARE(waits.size(), std::size_t{2});
    QVERIFY(waits[0].held.empty());
    QCOMPARE(waits[1].held, (TimeRange{22 * us, 90 * us}));
}

void StreamWaitsTest::waitsOfNoKnownRecordingAreNone()
{
    DrawnProgram drawn;
    drawn.kernel("first", 0, {5 * us, 50 * us}, {.stream = 17});
    drawn.record(17, 3 * us, 0);
    drawn.streamWait(7, 15 * us, 0); // inside the capture of a graph
    drawn.streamWait(7, 17 * us, 9); // its record was not recorded
    drawn.kernel("adam", 20 * us, {91 * us, 120 * us});
    QVERIFY(findStreamWaits(*drawn.finish()).empty());
}

void StreamWaitsTest::aProducerThatEndsLaterIsNone()
{
    DrawnProgram drawn;
    drawn.kernel("long", 0, {5 * us, 500 * us}, {.stream = 17});
    drawn.record(17, 3 * us, 5);
    drawn.streamWait(7, 15 * us, 5);
    drawn.kernel("adam", 20 * us, {91 * us, 120 * us});
    const auto trace = drawn.finish();
    QCOMPARE(findStreamWaits(*trace).size(), std::size_t{1});
    QVERIFY(findStreamWaits(*trace).front().held.empty());
}

void StreamWaitsTest::theTableSumsWaits()
{
    DrawnProgram drawn;
    for (int step = 0; step < 3; ++step) {
        const Ns at = step * ms;
        drawn.kernel("AllReduce", at, {at + 5 * us, at + 105 * us}, {.stream = 17});
        drawn.record(17, at + 3 * us, static_cast<std::uint64_t>(step) + 1);
        drawn.streamWait(7, at + 6 * us, static_cast<std::uint64_t>(step) + 1);
        drawn.kernel("adam", at + 8 * us, {at + 110 * us, at + 150 * us});
    }
    const auto trace = drawn.finish();
    const StatsTable* const table = findStatsTable("stream_wait_sum");
    QVERIFY(table && table->applies(*trace));
    StatsQuery query;
    query.wantEvents = true;
    const Cells all = table->fill(*trace, query);
    QCOMPARE(all.rowCount(), std::size_t{1});
    QCOMPARE(std::get<std::int64_t>(all.at(0, 0)), std::int64_t{3 * 95 * us});
    QCOMPARE(std::get<std::int64_t>(all.at(0, 1)), std::int64_t{3});
    QCOMPARE(std::get<std::int64_t>(all.at(0, 6)), std::int64_t{7});
    QCOMPARE(std::get<std::string>(all.at(0, 7)), std::string("adam"));
    QCOMPARE(std::get<std::int64_t>(all.at(0, 8)), std::int64_t{17});
    QCOMPARE(std::get<std::string>(all.at(0, 9)), std::string("AllReduce"));
    QCOMPARE(all.events(0).size(), std::size_t{3});
    query.window = {ms, 2 * ms};
    const Cells some = table->fill(*trace, query);
    QCOMPARE(std::get<std::int64_t>(some.at(0, 1)), std::int64_t{1});
}

void StreamWaitsTest::waitsOfTheSecondGpuAreItsOwn()
{
    // CUPTI writes device 0 into every synchronization, whichever GPU the context is on.
    const std::string first = WARPLINE_SOURCE_DIR "/tests/data/reports/streams.sqlite";
    const QTemporaryDir folder;
    const QString second = folder.filePath("second.sqlite");
    QVERIFY(QFile::copy(QString::fromStdString(first), second));
    QVERIFY(QFile::setPermissions(second, QFile::ReadOwner | QFile::WriteOwner));
    sqlite3* report = nullptr;
    QCOMPARE(sqlite3_open(second.toStdString().c_str(), &report), SQLITE_OK);
    const int changed = sqlite3_exec(report,
        "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET deviceId = 1; UPDATE CUPTI_ACTIVITY_KIND_MEMCPY SET deviceId = 1;"
        "UPDATE CUPTI_ACTIVITY_KIND_MEMSET SET deviceId = 1; UPDATE CUPTI_ACTIVITY_KIND_CUDA_EVENT SET deviceId = "
        "1;",
        nullptr, nullptr, nullptr);
    sqlite3_close(report);
    QCOMPARE(changed, SQLITE_OK);
    const auto onFirst = loadReport(first);
    const auto onSecond = loadReport(second.toStdString());
    QVERIFY(onFirst.ok() && onSecond.ok());
    const StreamWaits expected = findStreamWaits(*onFirst.value());
    const StreamWaits found = findStreamWaits(*onSecond.value());
    QCOMPARE(found.size(), expected.size());
    Ns held = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
        QCOMPARE(found[i].held, expected[i].held);
        QCOMPARE(found[i].consumer.valid(), expected[i].consumer.valid());
        held += found[i].held.duration();
    }
    QVERIFY(held > 0);
    for (const Track& track : onSecond.value()->table(EventKind::Synchronization).tracks)
        QCOMPARE(track.device, 1);
}

void StreamWaitsTest::arrowsLeadFromTheProducer()
{
    DrawnProgram drawn;
    drawn.kernel("AllReduce", 0, {5 * us, 105 * us}, {.stream = 17});
    drawn.record(17, 3 * us, 1);
    drawn.streamWait(7, 6 * us, 1);
    drawn.kernel("adam", 8 * us, {110 * us, 150 * us});
    const auto trace = drawn.finish();
    const StreamWait wait = findStreamWaits(*trace).front();
    const EventRef producer = wait.producer;
    const EventRef consumer = wait.consumer;
    const auto has = [&](EventRef of, EventRef other, bool after) {
        const std::vector<Partner> partners = partnersOf(*trace, of);
        return std::ranges::any_of(partners, [&](const Partner& partner) {
            return partner.event == other && partner.after == after && partner.holds;
        });
    };
    QVERIFY(has(consumer, producer, false));
    QVERIFY(has(producer, consumer, true));
    QVERIFY(has({EventKind::Synchronization, 0}, {EventKind::CudaEvent, 0}, false));
    QVERIFY(has({EventKind::CudaEvent, 0}, {EventKind::Synchronization, 0}, true));
    QCOMPARE(partnersOf(*trace, consumer).size(), std::size_t{2}); // its call, too
}

void StreamWaitsTest::sameAsAskedOfSqlite_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("waits");
    QTest::newRow("ddp_overlap_rank0") << "ddp_overlap_rank0" << 288;
    QTest::newRow("ddp_straggler_rank0") << "ddp_straggler_rank0" << 288;
    QTest::newRow("pipe_rank0") << "h200-more/pipe_rank0" << 256;
    QTest::newRow("streams") << "streams" << 50;
    QTest::newRow("fsdp_rank1, on the second GPU") << "h200-more/fsdp_rank1" << 1384;
    QTest::newRow("cnn_workers8") << "cnn_workers8" << 0;
}

void StreamWaitsTest::sameAsAskedOfSqlite()
{
    QFETCH(QString, name);
    QFETCH(int, waits);
    const std::string path = sharedReport(name.toStdString());
    if (path.empty())
        QSKIP("../shared/reports is not here");
    const auto trace = loadReport(path);
    QVERIFY(trace.ok());
    const Trace& made = *trace.value();
    const StreamWaits waitsFound = findStreamWaits(made);
    QCOMPARE(waitsFound.size(), static_cast<std::size_t>(waits));
    const auto expected = expectedHeld(path);
    QCOMPARE(expected.size(), static_cast<std::size_t>(waits));
    const EventTable& table = made.table(EventKind::Synchronization);
    Ns total = 0;
    for (const StreamWait& wait : waitsFound) {
        const Expected& right = expected.at(table.sourceRow[wait.wait]);
        QCOMPARE(wait.held.duration(), right.held.duration());
        if (!wait.held.empty())
            QCOMPARE(wait.held, right.held);
        total += wait.held.duration();
    }
    if (name == "ddp_straggler_rank0")
        QVERIFY(total > 10 * ms);
}

void StreamWaitsTest::exposedCommunicationNamesTheWait()
{
    const std::string path = sharedReport("ddp_straggler_rank0");
    if (path.empty())
        QSKIP("../shared/reports is not here");
    const auto trace = loadReport(path);
    QVERIFY(trace.ok());
    const Rule* const rule = findRule("nccl_exposed");
    const auto findings = runRules(*trace.value(), trace.value()->session, std::span(&rule, 1));
    QCOMPARE(findings.size(), std::size_t{1});
    const bool named = std::ranges::any_of(findings.front().evidence, [](const Evidence& evidence) {
        return plain(evidence.note).find("stream 7 waits ") != std::string::npos
            && plain(evidence.note).find("ncclDevKernel_AllReduce") != std::string::npos
            && plain(evidence.note).find(" on stream 17") != std::string::npos;
    });
    QVERIFY(named);
}

WARPLINE_TEST(StreamWaitsTest)

} // namespace tst_stream_waits

#include "tst_stream_waits.moc"
