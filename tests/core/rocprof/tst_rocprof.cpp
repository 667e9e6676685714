// Recordings of AMD's profilers: one recording as a rocpd database of either schema and as JSON gives one
// trace.

#include "core/import/import_log.h"
#include "core/load/load_report.h"
#include "core/load/report_format.h"
#include "core/render/render.h"
#include "core/rocprof/rocm_events.h"
#include "core/stats/stats_table.h"
#include "core/store/machine_facts.h"
#include "core/store/nvtx_types.h"
#include "core/store/recorder.h"
#include "tests/core/rocprof/rocm_recording.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"

#include <QElapsedTimer>
#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace tst_rocprof {

using namespace warpline;
using namespace warpline::test;

namespace {

std::string written(const QTemporaryDir& folder, const QString& name, const std::string& text)
{
    QFile file(folder.filePath(name));
    return file.open(QIODevice::WriteOnly)
            && file.write(text.data(), static_cast<qint64>(text.size())) == static_cast<qint64>(text.size())
        ? file.fileName().toStdString()
        : std::string();
}

/// "name start-end" of each event of `kind`, by time, in us; with the call that started it.
QStringList eventsOf(const Trace& trace, EventKind kind)
{
    QStringList list;
    const EventTable& table = trace.table(kind);
    std::vector<EventIndex> order;
    for (EventIndex i = 0; i < table.size(); ++i)
        order.push_back(i);
    std::ranges::sort(order, {}, [&](EventIndex i) { return std::pair(table.start[i], table.end(i)); });
    for (const EventIndex i : order) {
        const auto text = [](std::string_view view) {
            return QString::fromUtf8(view.data(), static_cast<qsizetype>(view.size()));
        };
        QString line = QString("%1 %2-%3")
                           .arg(text(trace.name({kind, i})))
                           .arg(table.start[i] / 1000)
                           .arg(table.end(i) / 1000);
        const Track& track = trace.track(trace.trackOf({kind, i}));
        if (runsOnDevice(kind))
            line += QString(" GPU %1 stream %2").arg(track.device).arg(track.stream);
        if (const EventRef call = trace.apiCallOf({kind, i}); call.valid())
            line += " by " + text(trace.name(call));
        list += line;
    }
    return list;
}

/// A process in rocprof's JSON, with a call and a kernel of these correlation ids.
QString rocprofProcess(const QString& node, int pid, const QString& kernel, int call, int dispatch)
{
    return QString(
        R"({"metadata":{"pid":%1,"node":{"hostname":"%2"}},"agents":[{"id":{"handle":1},"type":2}],)"
        R"("kernel_symbols":[{"kernel_id":1,"kernel_name":"%3"}],)"
        R"("strings":{"buffer_records":[{"kind":"HIP_RUNTIME_API","operations":["launch_%3"]}]},)"
        R"("buffer_records":{"hip_api":[{"kind":0,"operation":0,"thread_id":9,)"
        R"("start_timestamp":1000,"end_timestamp":2000,"correlation_id":{"internal":%4}}],)"
        R"("kernel_dispatch":[{"thread_id":9,"start_timestamp":3000,"end_timestamp":4000,)"
        R"("correlation_id":{"internal":%5},"dispatch_info":{"agent_id":{"handle":1},)"
        R"("kernel_id":1,"queue_id":{"handle":1}}}]}})")
        .arg(pid)
        .arg(node, kernel)
        .arg(call)
        .arg(dispatch);
}

} // namespace

class RocprofTest : public QObject {
    Q_OBJECT

private slots:
    void allFilesSayTheSame_data();
    void allFilesSayTheSame();
    void whatIsNotReadIsNamed();
    void withoutStreamsQueuesCount();
    void viewsWithoutEndAreRefused();
    void tablesThatProfilersDoNotMake_data();
    void tablesThatProfilersDoNotMake();
    void viewsOfTheFirstDatabase();
    void oldJsonHasQueues();
    void cutJsonKeepsItsRecords();
    void firstRocprofHasNoCategories();
    void rocmProfileData();
    void anotherMonitorIsNotRead();
    void processesOfOneDatabase();
    void manySamplesOfCounters();
    void countersOfKernelsThatOverlapAddUp();
    void countersAloneBeginAtZero();
    void brokenDatabaseIsNamed();
    void exportsOfNsysAreNotTaken();
    void impossibleNumbersAreLeftOut();
    void processesOfNodesMayHaveOnePid();
    void manyNodesMayHaveOnePid();
    void workKeepsItsProcess();
    void manyCountersOfOneDispatchAreReadQuickly();
};

void RocprofTest::allFilesSayTheSame_data()
{
    QTest::addColumn<QString>("content");
    QTest::addColumn<QString>("version");
    QTest::newRow("rocpd 3") << QString::fromStdString(rocpdVersion3()) << "3.0.3";
    QTest::newRow("rocpd 4") << QString::fromStdString(rocpdVersion4()) << "4";
    QTest::newRow("json") << QString::fromStdString(rocprofJsonText()) << "";
}

void RocprofTest::allFilesSayTheSame()
{
    QFETCH(QString, content);
    QFETCH(QString, version);
    ReportFixture database;
    QTemporaryDir folder;
    std::string path = database.path();
    if (version.isEmpty())
        path = written(folder, "run.json", content.toStdString());
    else
        database.run(content.toStdString());
    const auto report = loadReport(path, {});
    QVERIFY2(report.ok(), report.ok() ? "" : plain(report.error().message).c_str());
    const Trace& trace = *report.value();

    QCOMPARE(eventsOf(trace, EventKind::Kernel),
        (QStringList{"vecAdd(float*, float*, int) 20-50 GPU 0 stream 0 by hipLaunchKernel",
            "vecAdd(float*, float*, int) 40-45 GPU 1 stream 3 by hipGraphLaunch",
            "Cijk_Ailk_Bljk_HHS_BH_MT128x128x32 50-60 GPU 0 stream 3 by hipGraphLaunch"}));
    QCOMPARE(eventsOf(trace, EventKind::Memcpy),
        (QStringList{"Memcpy Host-to-Device 8-18 GPU 0 stream 0 by hipMemcpyAsync",
            "Memcpy Peer-to-Peer 62-64 GPU 1 stream 0"}));
    QCOMPARE(eventsOf(trace, EventKind::ApiCall),
        (QStringList{"hipMemcpyAsync 5-10", "hsa_signal_wait_scacquire 6-9", "hipLaunchKernel 12-15",
            "hipGraphLaunch 16-18", "hipDeviceSynchronize 30-90"}));
    QCOMPARE(eventsOf(trace, EventKind::Nvtx), (QStringList{"step \"one\" 0-100", "here 50-50"}));
    QCOMPARE(eventsOf(trace, EventKind::Library), (QStringList{"ncclAllReduce 20-24"}));
    QCOMPARE(trace.text(trace.table(EventKind::Library).tracks.front().family), std::string_view("RCCL"));
    QCOMPARE(trace.nvtx().attributesOf(0).eventType, nvtxPushPop);
    QCOMPARE(trace.text(trace.nvtx().tracks.front().family), std::string_view("roctx"));
    QCOMPARE(trace.memcpys().bytes.front(), std::uint64_t{4096});

    const EventRef first{EventKind::Kernel, 0};
    const KernelLaunch& launch = trace.kernels().launch(first.index);
    QCOMPARE(launch.block, (Dim3{64, 1, 1}));
    QCOMPARE(launch.grid, (Dim3{16, 2, 1})); // 1000 work items
    QCOMPARE(launch.registersPerThread, 24);
    QCOMPARE(launch.dynamicSharedMemory, 512);
    QCOMPARE(trace.text(launch.shortName), std::string_view("vecAdd"));
    QCOMPARE(trace.text(launch.mangledName), std::string_view("_Z6vecAddPfS_i"));

    QCOMPARE(trace.devices.size(), std::size_t{2});
    const Device* const gpu = trace.device(trace.kernels().tracks.front().owner, 1);
    QVERIFY(gpu);
    QCOMPARE(gpu->name, std::string("AMD Instinct MI300X"));
    QCOMPARE(gpu->chip, std::string("gfx942"));
    QCOMPARE(gpu->multiprocessors, 304);
    QCOMPARE(gpu->memoryBytes, std::int64_t{206141652992});
    QCOMPARE(gpu->maxWarpsPerSm, 32);
    QCOMPARE(gpu->threadsPerWarp, 64);
    QCOMPARE(pidOf(trace.kernels().tracks.front().owner), 4711U);
    QCOMPARE(tidOf(trace.apiCalls().tracks.front().owner), 4712U);
    QCOMPARE(hostOf(trace.info), std::string("host7"));
    QCOMPARE(trace.text(trace.process(GlobalId{4711} << 24U)->name), std::string_view("train"));
    QCOMPARE(trace.info.schemaVersion, version.toStdString());
    QCOMPARE(static_cast<int>(recorderOf(trace.info)), static_cast<int>(Recorder::OtherTracer));

    const GpuMemoryTable& memory = trace.gpuMemory();
    QCOMPARE(memory.size(), std::size_t{2});
    QVERIFY(memory.operation(0).allocates && !memory.operation(1).allocates);
    QCOMPARE(memory.bytes[1], std::uint64_t{1024}); // this release does not record bytes
    QCOMPARE(memory.tracks.front().device, 0);

    const auto waves = std::ranges::find_if(trace.counters,
        [&](const CounterSeries& series) { return trace.text(series.name) == "SQ_WAVES (GPU 0)"; });
    QVERIFY(waves != trace.counters.end());
    QCOMPARE(waves->values.front(), 42.0F); // both instances
}

void RocprofTest::whatIsNotReadIsNamed()
{
    ReportFixture database;
    database.run(rocpdVersion3());
    const auto report = loadReport(database.path(), {});
    QVERIFY(report.ok());
    const auto& tables = report.value()->info.tables;
    const auto isUnread = [](const SourceTable& table) { return !table.known; };
    QCOMPARE(std::ranges::count_if(tables, isUnread), 1);
    QVERIFY(std::ranges::find_if(tables, isUnread)->name.starts_with("rocpd_gpu_pc_sample"));
}

/// ROCm Systems Profiler of some versions writes stream 0 in every row.
void RocprofTest::withoutStreamsQueuesCount()
{
    ReportFixture database;
    database.run(rocpdVersion3());
    const std::string table = "\"rocpd_kernel_dispatch_00000190_9e1b_7c52_a0a6_000000000001\"";
    database.run("DROP VIEW rocpd_kernel_dispatch; UPDATE " + table + " SET stream_id = 0; ALTER TABLE "
        + table + " ADD COLUMN queue_id; UPDATE " + table + " SET queue_id = id + 10;");
    const auto report = loadReport(database.path(), {});
    QVERIFY(report.ok());
    std::set<std::int32_t> streams;
    for (const Track& track : report.value()->kernels().tracks)
        streams.insert(track.stream);
    QCOMPARE(streams, (std::set<std::int32_t>{11, 12, 13}));
}

/// SQLite would keep their rows in temporary files until the disk is full.
void RocprofTest::viewsWithoutEndAreRefused()
{
    ReportFixture database;
    database.run(rocpdVersion3());
    const std::string table = "\"rocpd_event_00000190_9e1b_7c52_a0a6_000000000001\"";
    database.run("DROP VIEW rocpd_event; ALTER TABLE " + table + " RENAME TO kept; CREATE VIEW " + table
        + " AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT kept.* FROM n, kept;");
    const auto report = loadReport(database.path(), {});
    QVERIFY(!report.ok());
    QVERIFY(plain(report.error().message).find("rocpd_event_") != std::string::npos);
}

void RocprofTest::tablesThatProfilersDoNotMake_data()
{
    const std::string strings = "\"rocpd_string_00000190_9e1b_7c52_a0a6_000000000001\"";
    const std::string events = "\"ROCPD_event_00000190_9e1b_7c52_a0a6_000000000001\"";
    const std::string kernels = "\"rocpd_kernel_dispatch_00000190_9e1b_7c52_a0a6_000000000001\"";
    const std::string regions = "\"rocpd_region_00000190_9e1b_7c52_a0a6_000000000001\"";
    const std::string allocations = "\"rocpd_memory_allocate_00000190_9e1b_7c52_a0a6_000000000001\"";
    const auto again = [](const std::string& table, const std::string& made) {
        return "DROP VIEW rocpd_" + table.substr(7, table.find("_0000") - 7) + "; ALTER TABLE " + table
            + " RENAME TO kept; " + made;
    };
    QTest::addColumn<QString>("sql");
    QTest::addColumn<QString>("problem");
    const auto row = [](const char* name, const std::string& sql, const char* problem) {
        QTest::newRow(name) << QString::fromStdString(sql) << QString(problem);
    };
    const std::string thousands
        = "WITH RECURSIVE n(i) AS (SELECT 1000 UNION ALL SELECT i + 1 FROM n WHERE i < ";
    row("a view by another name",
        again(events,
            "CREATE VIEW " + events
                + " AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT kept.* FROM n, kept;"),
        "rocpd.not_plain");
    row("a computed column",
        again(strings,
            "CREATE TABLE " + strings
                + " (id INTEGER PRIMARY KEY, string TEXT AS (hex(zeroblob(100000000 + id)))); INSERT INTO "
                + strings + " (id) SELECT id FROM kept;"),
        "rocpd.not_plain");
    row("ids without a key, which are searched row by row",
        again(strings,
            "CREATE TABLE " + strings + " AS SELECT * FROM kept; " + thousands + "19000) INSERT INTO "
                + strings + " SELECT i, 'x' FROM n; " + thousands + "19000) INSERT INTO " + regions
                + " (id, name_id) SELECT i, i FROM n;"),
        "file.endless");
    // Each kernel once for each of the 1,000 events with its id.
    const std::string manyEvents = again(events,
        "CREATE TABLE " + events + " (id, other, category_id, stack_id, extdata, PRIMARY KEY (id, other)); "
            + thousands + "2000) INSERT INTO " + events + " (id, other) SELECT 1, i FROM n; ");
    row("more rows than the file has room for",
        manyEvents + "UPDATE " + kernels + " SET event_id = 1; " + thousands + "2000) INSERT INTO " + kernels
            + " (id, kernel_id, event_id) SELECT i, 1, 1 FROM n;",
        "rocpd.too_many_rows");
    row("as many rows to sort",
        manyEvents + "DELETE FROM " + kernels + "; " + thousands + "3000) INSERT INTO " + allocations
            + " (id, event_id) SELECT i, 1 FROM n;",
        "rocpd.too_many_rows");
    row("a healthy copy without keys", again(strings, "CREATE TABLE " + strings + " AS SELECT * FROM kept;"),
        "");
}

/// They take time and memory without end, or give rows that nobody recorded.
void RocprofTest::tablesThatProfilersDoNotMake()
{
    QFETCH(QString, sql);
    QFETCH(QString, problem);
    ReportFixture database;
    database.run(rocpdVersion3());
    database.run(sql.toStdString());
    const auto report = loadReport(database.path(), {});
    const std::string said = report.ok() ? std::string() : plain(report.error().message);
    QVERIFY2(report.ok() ? problem.isEmpty() : problem.toStdString() == report.error().message.key(),
        said.c_str());
    if (report.ok())
        QCOMPARE(report.value()->kernels().size(), std::size_t{3});
}

/// Views that are not read hinder nothing; those that are, in the first form of the database, too.
void RocprofTest::viewsOfTheFirstDatabase()
{
    const std::string tables = R"sql(CREATE TABLE rocpd_string (id INTEGER PRIMARY KEY, string TEXT);
        INSERT INTO rocpd_string VALUES (1, 'hipLaunchKernel'), (2, '');
        CREATE TABLE rocpd_api (id INTEGER PRIMARY KEY, pid, tid, start, "end", apiName_id, args_id);
        INSERT INTO rocpd_api VALUES (11, 50, 51, 1000, 2000, 1, 2);
        CREATE TABLE rocpd_op (id INTEGER PRIMARY KEY, gpuId, queueId, sequenceId, start, "end", description_id, opType_id);)sql";
    const std::string endless
        = " AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS id, i "
          "AS tag, i AS value FROM n;";
    ReportFixture healthy;
    healthy.run(tables + "CREATE VIEW top" + endless
        + "CREATE TABLE rocpd_string_z (id); CREATE VIEW rocpd_metadata_z" + endless);
    const auto report = loadReport(healthy.path(), {});
    QVERIFY2(report.ok(), report.ok() ? "" : plain(report.error().message).c_str());
    QCOMPARE(report.value()->apiCalls().size(), std::size_t{1});
    ReportFixture evil;
    evil.run(tables + "CREATE VIEW rocpd_UString" + endless);
    const auto refused = loadReport(evil.path(), {});
    QVERIFY(!refused.ok());
    QCOMPARE(refused.error().message.key(), std::string_view("rocpd.not_plain"));
}

void RocprofTest::oldJsonHasQueues()
{
    QTemporaryDir folder;
    QString text = QString::fromStdString(rocprofJsonText());
    text.replace("\"stream_id\"", "\"reserved\"");
    const auto report = loadReport(written(folder, "old.json", text.toStdString()), {});
    QVERIFY(report.ok());
    QCOMPARE(report.value()->kernels().size(), std::size_t{3});
    for (const Track& track : report.value()->kernels().tracks)
        QCOMPARE(track.stream, 1);
}

void RocprofTest::cutJsonKeepsItsRecords()
{
    QTemporaryDir folder;
    const std::string text = rocprofJsonText();
    for (std::size_t length = 1000; length < text.size(); length += 499) {
        const auto report = loadReport(written(folder, "cut.json", text.substr(0, length)), {});
        QVERIFY(report.ok());
        QVERIFY(report.value()->info.isCut);
    }
    const std::string most = text.substr(0, text.find("\"marker_api\":[{\"kind\""));
    QVERIFY(most.size() < text.size());
    const auto report = loadReport(written(folder, "cut.json", most), {});
    QCOMPARE(report.value()->kernels().size(), std::size_t{3});
}

/// The first rocprof writes Chrome's format without categories, all numbers in quotes.
void RocprofTest::firstRocprofHasNoCategories()
{
    const auto event = [](const char* name, int pid, int tid, int start, int length, const char* more) {
        return QString(R"(,{"ph":"X","name":"%1","pid":"%2","tid":"%3","ts":"%4","dur":"%5",)"
                       R"("args":{"BeginNs":"7","EndNs":"9"%6}})")
            .arg(name)
            .arg(pid)
            .arg(tid)
            .arg(start)
            .arg(length)
            .arg(more);
    };
    const QString text = R"({ "traceEvents":[{})" + event("hipLaunchKernel", 2, 900, 10, 5, "")
        + event("vecAdd(float*)", 7, 0, 20, 30, R"(,"dev-id":"1","queue-id":"0")")
        + event("CopyHostToDevice", 1, 0, 2, 6, R"(,"dev-id":"1")") + event("my range", 0, 900, 1, 60, "")
        + R"(,{"args":{"name":"CPU HIP API"},"ph":"M","pid":2,"name":"process_name","sort_index":1}]})";
    QTemporaryDir folder;
    const auto report = loadReport(written(folder, "results.json", text.toStdString()), {});
    QVERIFY(report.ok());
    const Trace& trace = *report.value();
    QCOMPARE(eventsOf(trace, EventKind::Kernel), (QStringList{"vecAdd(float*) 19-49 GPU 1 stream 0"}));
    QCOMPARE(eventsOf(trace, EventKind::Memcpy), (QStringList{"Memcpy Host-to-Device 1-7 GPU 1 stream 0"}));
    QCOMPARE(eventsOf(trace, EventKind::ApiCall), (QStringList{"hipLaunchKernel 9-14"}));
    QCOMPARE(eventsOf(trace, EventKind::Nvtx), (QStringList{"my range 0-60"}));
}

/// Databases of rpd_tracer: calls and work are joined by a table of their own.
void RocprofTest::rocmProfileData()
{
    ReportFixture database;
    database.run(R"sql(BEGIN;
        CREATE TABLE rocpd_string (id INTEGER PRIMARY KEY, string TEXT);
        INSERT INTO rocpd_string VALUES (1, 'hipExtModuleLaunchKernel'), (2, 'hipMemcpyAsync'), (3, 'UserMarker'),
            (4, 'KernelExecution'), (5, 'CopyDeviceToHost'), (6, 'vecAdd(float*)'), (7, ''), (8, 'step 1'), (9, 'Barrier');
        CREATE TABLE rocpd_api (id INTEGER PRIMARY KEY, pid, tid, start, "end", apiName_id, args_id);
        INSERT INTO rocpd_api VALUES (4294967307, 50, 51, 1000, 2000, 1, 7), (4294967308, 50, 51, 3000, 4000, 2, 7), (4294967309, 50, 51, 900, 9000, 3, 8);
        CREATE TABLE rocpd_op (id INTEGER PRIMARY KEY, gpuId, queueId, sequenceId, start, "end", description_id, opType_id);
        INSERT INTO rocpd_op VALUES (21, 1, 2, 0, 2500, 6500, 6, 4), (22, 1, 2, 0, 7000, 7900, 7, 5), (23, 1, 2, 0, 8000, 8100, 7, 9);
        CREATE TABLE rocpd_api_ops (id INTEGER PRIMARY KEY, api_id, op_id);
        INSERT INTO rocpd_api_ops VALUES (1, 77, 21), (2, 4294967309, 21), (3, 4294967307, 21), (4, 4294967308, 22), (5, 4294967309, 22);
        CREATE TABLE rocpd_kernelapi (api_ptr_id INTEGER PRIMARY KEY, gridX, gridY, gridZ, workgroupX, workgroupY, workgroupZ,
            groupSegmentSize);
        INSERT INTO rocpd_kernelapi VALUES (4294967307, 256, 2, 1, 64, 1, 1, 128);
        CREATE TABLE rocpd_copyapi (api_ptr_id INTEGER PRIMARY KEY, size);
        INSERT INTO rocpd_copyapi VALUES (4294967308, 512);
        CREATE TABLE rocpd_monitor (id INTEGER PRIMARY KEY, deviceType, deviceId, monitorType, start, "end", value);
        INSERT INTO rocpd_monitor VALUES (1, 'gpu', 1, 'sclk', 100, 800, '500'), (2, 'gpu', 1, 'sclk', 800, 4000, '800'),
            (3, 'gpu', 1, 'sclk', 4000, 9500, '1700'), (4, 'gpu', 1, 'sclk', 9500, 9900, '800');
        CREATE TABLE rocpd_else (id INTEGER PRIMARY KEY); INSERT INTO rocpd_else VALUES (1); COMMIT;)sql");
    const auto report = loadReport(database.path(), {});
    QVERIFY2(report.ok(), report.ok() ? "" : plain(report.error().message).c_str());
    const Trace& trace = *report.value();
    QCOMPARE(eventsOf(trace, EventKind::Kernel),
        (QStringList{"vecAdd(float*) 1-5 GPU 1 stream 2 by hipExtModuleLaunchKernel"}));
    QCOMPARE(eventsOf(trace, EventKind::Memcpy),
        (QStringList{"Memcpy Device-to-Host 6-7 GPU 1 stream 2 by hipMemcpyAsync"}));
    QCOMPARE(eventsOf(trace, EventKind::Nvtx), (QStringList{"step 1 0-8"}));
    QCOMPARE(trace.apiCalls().size(), std::size_t{2});
    QCOMPARE(trace.kernels().launch(0).block, (Dim3{64, 1, 1}));
    QCOMPARE(trace.kernels().launch(0).grid, (Dim3{4, 2, 1})); // the call was given 256 threads by 2
    QCOMPARE(trace.memcpys().bytes.front(), std::uint64_t{512});
    QVERIFY(trace.device(trace.kernels().tracks.front().owner, 1));
    QCOMPARE(std::ranges::count(trace.info.tables, false, &SourceTable::known), 1); // rocpd_else
    // Readings before the first event and after the last are omitted.
    const auto clock = std::ranges::find_if(trace.counters,
        [&](const CounterSeries& series) { return trace.text(series.name) == "sclk [MHz] (GPU 1)"; });
    QVERIFY(clock != trace.counters.end());
    QCOMPARE(*clock->times, (std::vector<Ns>{0, 3100}));
    QCOMPARE(clock->values, (std::vector<float>{800, 1700}));
}

/// The end of one kernel does not end the counter of another.
void RocprofTest::countersOfKernelsThatOverlapAddUp()
{
    const auto pool = std::make_shared<StringPool>();
    RocmEvents events(*pool);
    const auto add = [&](Ns start, Ns end, double value) {
        events.addKernel({7, 7, start, end, 0, 1}, {0, 0}, "k", {});
        events.addCounter({7, 7, start, end, 0, 1}, 0, "WAVES", value);
    };
    add(1100, 1200, 5); // later than the next in the file
    add(1000, 2000, 100);
    add(2000, 2500, 7);
    add(2600, 2700, std::numeric_limits<double>::quiet_NaN());
    TraceBuilder built(pool);
    ImportLog log;
    events.fill(built, log);
    const auto trace = built.snapshot();
    QCOMPARE(trace->counters.size(), std::size_t{1});
    QCOMPARE(*trace->counters.front().times, (std::vector<Ns>{0, 100, 200, 1000, 1500, 1600, 1700}));
    QCOMPARE(trace->counters.front().values, (std::vector<float>{100, 105, 100, 7, 0, 0, 0}));
}

/// A monitor's table of another form is counted, and hinders nothing.
void RocprofTest::anotherMonitorIsNotRead()
{
    ReportFixture database;
    database.run(R"sql(BEGIN; CREATE TABLE rocpd_string (id INTEGER PRIMARY KEY, string TEXT);
        INSERT INTO rocpd_string VALUES (1, 'hipLaunchKernel'), (2, '');
        CREATE TABLE rocpd_api (id INTEGER PRIMARY KEY, pid, tid, start, "end", apiName_id, args_id);
        INSERT INTO rocpd_api VALUES (11, 50, 51, 1000, 2000, 1, 2);
        CREATE TABLE rocpd_op (id INTEGER PRIMARY KEY, gpuId, queueId, sequenceId, start, "end", description_id, opType_id);
        CREATE TABLE rocpd_monitor (id INTEGER PRIMARY KEY, value); INSERT INTO rocpd_monitor VALUES (1, '7'); COMMIT;)sql");
    const auto report = loadReport(database.path(), {});
    QVERIFY2(report.ok(), report.ok() ? "" : plain(report.error().message).c_str());
    QCOMPARE(report.value()->apiCalls().size(), std::size_t{1});
    QCOMPARE(std::ranges::count(report.value()->info.tables, false, &SourceTable::known), 1);
}

/// rocpd joins databases: each process keeps tables of its own.
/// Samples of counters are no marks; looking for the counter of each in all takes hours.
void RocprofTest::manySamplesOfCounters()
{
    const auto marks = [](const std::string& more) {
        ReportFixture database;
        database.run(rocpdVersion3());
        database.run(more);
        const auto report = loadReport(database.path(), {});
        return report.ok() ? static_cast<std::int64_t>(report.value()->nvtx().size()) : -1;
    };
    const std::string suffix = "_00000190_9e1b_7c52_a0a6_000000000001\"";
    const std::string sample = "\"rocpd_sample" + suffix;
    const std::string event = "\"rocpd_event" + suffix;
    const std::string many
        = "WITH RECURSIVE c(x) AS (SELECT 1000001 UNION ALL SELECT x + 1 FROM c LIMIT 300000) ";
    const std::string sql = "INSERT INTO " + event + " " + many + "SELECT x, (SELECT category_id FROM "
        + event + " WHERE id = (SELECT event_id FROM " + sample + ")), 0, '{}' FROM c; INSERT INTO " + sample
        + " " + many + "SELECT x, track_id, timestamp + x, x FROM c, (SELECT track_id, timestamp FROM "
        + sample + " LIMIT 1); INSERT INTO \"rocpd_pmc_event" + suffix + " " + many
        + "SELECT x, x, 9, 1 FROM c WHERE x > 1000010;";
    QCOMPARE(marks(sql), marks({}) + 10);
}

void RocprofTest::processesOfOneDatabase()
{
    ReportFixture database;
    database.run(rocpdVersion3());
    QString second = QString::fromStdString(rocpdVersion3());
    second.replace("000000000001", "000000000002").replace("4711", "4811").replace("4712", "4812");
    second.remove(QRegularExpression("CREATE VIEW[^\n]*\n"));
    database.run(second.toStdString());
    const auto report = loadReport(database.path(), {});
    QVERIFY(report.ok());
    QCOMPARE(report.value()->kernels().size(), std::size_t{6});
    std::set<std::uint32_t> processes;
    for (const Track& track : report.value()->kernels().tracks) {
        processes.insert(pidOf(track.owner));
        QVERIFY(report.value()->device(track.owner, track.device));
    }
    QCOMPARE(processes, (std::set<std::uint32_t>{4711, 4811}));
}

/// The kernel has no times: only the counters tell when the recording was.
void RocprofTest::countersAloneBeginAtZero()
{
    const QString read = R"({"dispatch_data":{"start_timestamp":%1,"end_timestamp":%2,)"
                         R"("dispatch_info":{"kernel_id":1,"agent_id":{"handle":1}}},)"
                         R"("records":[{"counter_id":{"handle":1},"value":3}]})";
    const QString text
        = R"({"rocprofiler-sdk-tool":[{"metadata":{"pid":1},"agents":[{"id":{"handle":1},"type":2}],)"
          R"("counters":[{"id":{"handle":1},"name":"SQ"}],)"
          R"("buffer_records":{"kernel_dispatch":[{"thread_id":1}]},)"
          R"("callback_records":{"counter_collection":[)"
        + read.arg("1700000000000002000", "1700000000000005000") + ","
        + read.arg("1700000000000000000", "1700000000000001000") + "]}}]}";
    QTemporaryDir folder;
    const auto report = loadReport(written(folder, "results.json", text.toStdString()), {});
    QVERIFY(report.ok());
    QCOMPARE(report.value()->counters.size(), std::size_t{1});
    QCOMPARE(*report.value()->counters.front().times, (std::vector<Ns>{0, 1'000, 2'000, 5'000}));
    QCOMPARE(report.value()->session.start, Ns{0});
    QCOMPARE(report.value()->info.startedUtcNs, std::int64_t{1'700'000'000'000'000'000});
}

void RocprofTest::brokenDatabaseIsNamed()
{
    ReportFixture database;
    database.run("CREATE TABLE rocpd_string (id); CREATE TABLE rocpd_region (id, name_id);");
    const auto report = loadReport(database.path(), {});
    QVERIFY(!report.ok());
    QVERIFY(plain(report.error().message).starts_with(database.path()));
}

void RocprofTest::exportsOfNsysAreNotTaken()
{
    ReportFixture database;
    database.addSmallReport();
    QCOMPARE(formatOf(database.path()).id, std::string_view("nsys-sqlite"));
}

void RocprofTest::impossibleNumbersAreLeftOut()
{
    const QString most = "9223372036854775807";
    const auto launch = [](const QString& start, const QString& end, int call) {
        return QString(
            R"({"start_timestamp":%1,"end_timestamp":%2,"thread_id":5,"correlation_id":{"internal":%3},)"
            R"("dispatch_info":{"kernel_id":1,"agent_id":{"handle":1},"queue_id":{"handle":1}}})")
            .arg(start, end)
            .arg(call);
    };
    const QString agent = R"({"id":{"handle":%1},"type":2,"name":"g"%2})";
    const QString text = R"({"rocprofiler-sdk-tool":[{"metadata":{"pid":1},"agents":[)"
        + agent.arg(1)
              .arg(R"(,"logical_node_type_id":2147483647,"mem_banks":[{"size_in_bytes":%1,"heap_type":1},)"
                   R"({"size_in_bytes":%1,"heap_type":1}])")
              .arg(most)
        + "," + agent.arg(2).arg("") + R"(],"kernel_symbols":[{"kernel_id":1,"formatted_kernel_name":"k"}],)"
        + R"("counters":[{"id":{"handle":1},"name":"SQ"}],"buffer_records":{"kernel_dispatch":[)"
        + QStringList{launch("700000000000000000", "700000000000000001", 5), launch("1000", "2000", 1),
            launch("3000", "4000", 2), launch("9223372036854775797", most, 3), launch("5000", most, 4)}
              .join(',')
        + R"(]},"callback_records":{"counter_collection":[{"dispatch_data":)" + launch("5", most, 1)
        + R"(,"records":[{"counter_id":{"handle":1},"value":3}]}]}}]})";
    QTemporaryDir folder;
    const auto report = loadReport(written(folder, "results.json", text.toStdString()), {});
    QVERIFY(report.ok());
    QCOMPARE(report.value()->kernels().size(), std::size_t{2});
    QCOMPARE(report.value()->session.duration(), Ns{3000});
    std::map<std::string, std::uint64_t> impossible; // by list
    for (const Problem& problem : report.value()->info.problems) {
        if (problem.kind == ProblemKind::EventTimeImpossible)
            impossible[problem.table] = problem.count;
    }
    QCOMPARE(impossible,
        (std::map<std::string, std::uint64_t>{{"counter_collection", 1}, {"kernel_dispatch", 3}}));
}

void RocprofTest::processesOfNodesMayHaveOnePid()
{
    const QString text = R"({"rocprofiler-sdk-tool":[)"
        + QStringList{rocprofProcess("left", 5, "a", 1, 1), rocprofProcess("right", 5, "b", 1, 1)}.join(',')
        + "]}";
    QTemporaryDir folder;
    const auto report = loadReport(written(folder, "results.json", text.toStdString()), {});
    QVERIFY(report.ok());
    const Trace& trace = *report.value();
    QCOMPARE(trace.kernels().size(), std::size_t{2});
    std::set<GlobalId> processes;
    for (EventIndex i = 0; i < trace.kernels().size(); ++i) {
        const EventRef kernel{EventKind::Kernel, i};
        const EventRef call = trace.apiCallOf(kernel);
        QVERIFY(call.valid());
        QCOMPARE(std::string(trace.name(call)), "launch_" + std::string(trace.name(kernel)));
        processes.insert(processOf(trace.track(trace.trackOf(kernel)).owner));
    }
    QCOMPARE(processes.size(), std::size_t{2});
}

/// The next free number is found without a look at each taken one: this would take half an hour.
void RocprofTest::manyNodesMayHaveOnePid()
{
    StringPool pool;
    RocmEvents events(pool);
    constexpr std::uint32_t count = 200'000;
    for (std::uint32_t i = 0; i < count; ++i)
        QCOMPARE(events.processNumber("node" + std::to_string(i), 7), 7 + i);
    for (std::uint32_t i = 0; i < count; ++i)
        QCOMPARE(events.processNumber("other", 7 + i), 7 + count + i);
    QCOMPARE(events.processNumber("node3", 7), 10U);
    // Numbers have 24 bits, and go on from 0.
    QCOMPARE(events.processNumber("last", 0x1FFFFFFU), 0xFFFFFFU);
    QCOMPARE(events.processNumber("first", 0xFFFFFFU), 0U);
}

void RocprofTest::workKeepsItsProcess()
{
    // The call of the first kernel was lost; the other process has one of its number.
    const QString text = R"({"rocprofiler-sdk-tool":[)"
        + QStringList{rocprofProcess("node", 5, "a", 1, 2), rocprofProcess("node", 6, "b", 2, 2)}.join(',')
        + "]}";
    QTemporaryDir folder;
    const auto report = loadReport(written(folder, "results.json", text.toStdString()), {});
    QVERIFY(report.ok());
    const Trace& trace = *report.value();
    std::map<std::string, std::uint32_t> pids;
    for (EventIndex i = 0; i < trace.kernels().size(); ++i)
        pids.emplace(trace.name({EventKind::Kernel, i}), pidOf(trace.kernels().trackOf(i).owner));
    QCOMPARE(pids, (std::map<std::string, std::uint32_t>{{"a", 5}, {"b", 6}}));
}

void RocprofTest::manyCountersOfOneDispatchAreReadQuickly()
{
    constexpr int count = 20'000;
    QStringList fields{R"("internal":1)"};
    QStringList counters;
    QStringList records;
    for (int i = 0; i < count; ++i) {
        fields += QString(R"("x%1":1)").arg(i);
        counters += QString(R"({"id":{"handle":%1},"name":"C%1"})").arg(i);
        records += QString(R"({"counter_id":{"handle":%1},"value":1})").arg(i);
    }
    const QString text = R"({"rocprofiler-sdk-tool":[{"metadata":{"pid":1},"agents":[{"id":{"handle":1},)"
                         R"("type":2}],"counters":[)"
        + counters.join(',') + R"(],"callback_records":{"counter_collection":[{"dispatch_data":)"
        + R"({"start_timestamp":1000,"end_timestamp":2000,"dispatch_info":{"agent_id":{"handle":1}},)"
        + R"("correlation_id":{)" + fields.join(',') + R"(}},"records":[)" + records.join(',') + "]}]}}]}";
    QTemporaryDir folder;
    const std::string path = written(folder, "results.json", text.toStdString());
    QElapsedTimer timer;
    timer.start();
    const auto report = loadReport(path, {});
    QVERIFY2(timer.elapsed() < 5'000, qPrintable(QString::number(timer.elapsed())));
    QVERIFY(report.ok());
    QCOMPARE(report.value()->counters.size(), std::size_t{count});
}

WARPLINE_TEST(RocprofTest)

} // namespace tst_rocprof

#include "tst_rocprof.moc"
