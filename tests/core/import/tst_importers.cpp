// Tables of newer exports: system calls, UCX, MPI ranks, host functions, pools, networks, the program's
// output, CPU cores. And kernels of one stream that overlap.

#include "core/query/event_list.h"
#include "core/render/render.h"
#include "core/rows/row_kind.h"
#include "core/rows/row_tree.h"
#include "core/stats/stats_table.h"
#include "core/store/place_names.h"
#include "core/store/trace.h"
#include "tests/core/import/import_helpers.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <map>
#include <set>

namespace tst_importers {

using namespace warpline;
using namespace warpline::test;

namespace {

const Track* trackFrom(const Trace& trace, EventKind kind, std::string_view source)
{
    for (const Track& track : trace.table(kind).tracks) {
        if (trace.text(track.source) == source)
            return &track;
    }
    return nullptr;
}

const CounterSeries* counterNamed(const Trace& trace, std::string_view name)
{
    for (const CounterSeries& series : trace.counters) {
        if (trace.text(series.name) == name)
            return &series;
    }
    return nullptr;
}

} // namespace

class ImportersTest : public QObject {
    Q_OBJECT

private slots:
    void readsCallsOfNewerTables();
    void readsMessagesOfMpiAndUcx();
    void requestsOfOneCallAreOneCall();
    void waitsOfRealReports();
    void ranksOfRealReports();
    void readsHostFunctionsAndDecompressions();
    void readsMemoryPools();
    void readsNetworkMetrics();
    void keepsTheProgramsOutput();
    void showsWhoHadWhichCore();
    void coresOfARealReport();
    void pythonSamplesHaveNames();
    void dependentLaunchesCountOnce();
};

void ImportersTest::readsCallsOfNewerTables()
{
    ReportFixture fixture;
    fixture.addSmallReport();
    fixture.run(R"sql(
        INSERT INTO StringIds VALUES (20, 'futex'), (21, 'nvjpegDecode'), (22, 'ucp_worker_create');
        CREATE TABLE SYSCALL (start INTEGER, end INTEGER, eventClass INTEGER, globalTid INTEGER, nameId INTEGER,
            callchainId INTEGER);
        INSERT INTO SYSCALL VALUES (100, 400, 1, 1677721701, 20, 0), (500, 900, 1, 1677721701, 20, 0);
        CREATE TABLE NVVIDEO_JPEG_API (start INTEGER, end INTEGER, eventClass INTEGER, globalTid INTEGER,
            nameId INTEGER);
        INSERT INTO NVVIDEO_JPEG_API VALUES (1000, 1500, 1, 1677721701, 21);
        CREATE TABLE CUDA_HOST_CALLBACK (start INTEGER, end INTEGER, eventClass INTEGER, globalTid INTEGER,
            correlationId INTEGER, nameId INTEGER);
        INSERT INTO CUDA_HOST_CALLBACK VALUES (1600, 1700, 1, 1677721702, 13, NULL);
        CREATE TABLE CUPTI_ACTIVITY_KIND_JIT (start INTEGER, end INTEGER, eventClass INTEGER, globalTid INTEGER,
            correlationId INTEGER, nameId INTEGER, overheadType INTEGER, jitEntryType INTEGER,
            jitOperationType INTEGER);
        INSERT INTO CUPTI_ACTIVITY_KIND_JIT VALUES (1800, 1900, 1, 1677721701, 14, NULL, 0, 1, 2);
        CREATE TABLE UCP_EVENTS (start INTEGER, end INTEGER, globalTid INTEGER, textId INTEGER);
        INSERT INTO UCP_EVENTS VALUES (2000, 2100, 1677721701, 22);
    )sql");
    const auto trace = load(fixture.path());
    QVERIFY(trace);
    QCOMPARE(trace->libraryCalls().size(), 6U);
    const std::map<std::string, std::pair<std::string, std::string>> expected{
        {"SYSCALL", {"System calls", "futex"}}, {"NVVIDEO_JPEG_API", {"Video JPEG", "nvjpegDecode"}},
        {"CUDA_HOST_CALLBACK", {"CUDA host functions", "CUDA host functions"}},
        {"CUPTI_ACTIVITY_KIND_JIT", {"CUDA JIT compiler", "CUDA JIT compiler"}},
        {"UCP_EVENTS", {"UCX", "ucp_worker_create"}}};
    for (const auto& [table, words] : expected) {
        const Track* const track = trackFrom(*trace, EventKind::Library, table);
        QVERIFY2(track, table.c_str());
        QCOMPARE(std::string(trace->text(track->family)), words.first);
        QCOMPARE(std::string(trace->name({EventKind::Library, track->firstEvent})), words.second);
        QVERIFY(!trace->libraryCalls().message(track->firstEvent));
    }
    for (const SourceTable& table : trace->info.tables)
        QVERIFY2(table.known, table.name.c_str());
}

void ImportersTest::readsMessagesOfMpiAndUcx()
{
    ReportFixture fixture;
    fixture.addSmallReport();
    fixture.run(R"sql(
        INSERT INTO StringIds VALUES (20, 'MPI_Allreduce'), (21, 'MPI_Recv'), (22, 'ucp_tag_send');
        CREATE TABLE MPI_COLLECTIVES_EVENTS (start INTEGER, end INTEGER, globalTid INTEGER, textId INTEGER,
            commHandle INTEGER, rootRank INTEGER, size INTEGER, recvSize INTEGER, requestHandle INTEGER);
        INSERT INTO MPI_COLLECTIVES_EVENTS VALUES (100, 400, 1677721701, 20, 255, NULL, 32, 64, NULL);
        CREATE TABLE MPI_P2P_EVENTS (start INTEGER, end INTEGER, globalTid INTEGER, textId INTEGER,
            commHandle INTEGER, tag INTEGER, remoteRank INTEGER, size INTEGER, requestHandle INTEGER);
        INSERT INTO MPI_P2P_EVENTS VALUES (500, 600, 1677721701, 21, 255, -1, -2, 4096, NULL);
        CREATE TABLE UCP_SUBMIT_EVENTS (start INTEGER, end INTEGER, globalTid INTEGER, textId INTEGER,
            bufferAddr INTEGER, packedSize INTEGER, peerWorkerUid INTEGER, tag INTEGER);
        INSERT INTO UCP_SUBMIT_EVENTS VALUES (700, 800, 1677721701, 22, 1, 1000, 77, 5);
        CREATE TABLE UCP_EVENTS (start INTEGER, end INTEGER, globalTid INTEGER, textId INTEGER);
        INSERT INTO UCP_EVENTS VALUES (900, 950, 1677721701, 22);
        CREATE TABLE CUBLAS_EVENTS (start INTEGER, end INTEGER, globalTid INTEGER, nameId INTEGER);
        INSERT INTO CUBLAS_EVENTS VALUES (960, 970, 1677721701, 22);
        CREATE TABLE MPI_RANKS (globalTid INTEGER, rank INTEGER);
        INSERT INTO MPI_RANKS VALUES (1677721701, 3), (NULL, 4);
        CREATE TABLE MPI_COMMUNICATORS (rank INTEGER, timestamp INTEGER, commHandle INTEGER, parentHandle INTEGER,
            localRank INTEGER, size INTEGER, groupRoot INTEGER, groupRootUid INTEGER, members TEXT);
        INSERT INTO MPI_COMMUNICATORS VALUES (2, 1, 255, 0, 2, 9, NULL, NULL, NULL),
            (3, 1, 255, 0, 1, 8, NULL, NULL, NULL);
    )sql");
    const auto trace = load(fixture.path());
    QVERIFY(trace);
    QCOMPARE(trace->mpiRank(smallProcess).value_or(-1), 3);
    QVERIFY(plain(processLabel(*trace, smallProcess)).ends_with(", MPI rank 3"));
    const auto callOf = [&](const char* table) {
        const Track* const track = trackFrom(*trace, EventKind::Library, table);
        return EventRef{EventKind::Library, track ? track->firstEvent : 0};
    };
    const EventRef collective = callOf("MPI_COLLECTIVES_EVENTS");
    QCOMPARE(factOf(*trace, collective, "Message size"), std::string("32 B"));
    QCOMPARE(factOf(*trace, collective, "Received"), std::string("64 B"));
    QCOMPARE(factOf(*trace, collective, "Communicator"), std::string("8 ranks, local rank 1 (0xff)"));
    QCOMPARE(factOf(*trace, collective, "Tag"), std::string());
    const EventRef received = callOf("MPI_P2P_EVENTS");
    QCOMPARE(factOf(*trace, received, "Other end"), std::string("-2"));
    QCOMPARE(factOf(*trace, received, "Tag"), std::string("-1"));
    const MessageFacts* const sent = trace->libraryCalls().message(callOf("UCP_SUBMIT_EVENTS").index);
    QVERIFY(sent);
    QCOMPARE(sent->bytes, 1000);
    QCOMPARE(sent->peer, 77);
    QCOMPARE(sent->communicator, notSaid);
    for (const char* const table : {"UCP_EVENTS", "CUBLAS_EVENTS"}) {
        QVERIFY(trackFrom(*trace, EventKind::Library, table));
        QVERIFY(!trace->libraryCalls().message(callOf(table).index)); // that of another table is not its own
    }
}

void ImportersTest::requestsOfOneCallAreOneCall()
{
    ReportFixture fixture;
    fixture.addSmallReport();
    // Two calls with three and two requests, a wait for one, and a call of another thread at the same time.
    fixture.run(R"sql(
        INSERT INTO StringIds VALUES (20, 'MPI_Waitall'), (21, 'MPI_Wait');
        CREATE TABLE MPI_START_WAIT_EVENTS (start INTEGER, end INTEGER, globalTid INTEGER, textId INTEGER,
            requestHandle INTEGER);
        INSERT INTO MPI_START_WAIT_EVENTS VALUES (100, 400, 1677721701, 20, 1), (500, 600, 1677721701, 20, 4),
            (100, 400, 1677721701, 20, 2), (700, 800, 1677721701, 21, 6), (100, 400, 1677721702, 20, 7),
            (500, 600, 1677721701, 20, 5), (100, 400, 1677721701, 20, 3);
    )sql");
    const auto trace = load(fixture.path());
    QVERIFY(trace);
    const LibraryCallTable& calls = trace->libraryCalls();
    QCOMPARE(calls.size(), std::size_t{4});
    QCOMPARE(calls.sourceRows, std::uint64_t{7});
    std::multiset<std::uint64_t> rows;
    for (EventIndex i = 0; i < calls.size(); ++i) {
        rows.insert(calls.rowsOf(i));
        QVERIFY(!calls.message(i));
    }
    QCOMPARE(rows, (std::multiset<std::uint64_t>{1, 1, 2, 3}));
    for (const Track& track : calls.tracks)
        QCOMPARE(track.laneCount, 1U);
    QCOMPARE(
        factOf(*trace, {EventKind::Library, 0}, "Requests"), std::string("3 (one row of the report each)"));
    // nsys counts the rows, and so do its tables.
    const Cells sum = findStatsTable("mpi_event_sum")->fill(*trace, {});
    QCOMPARE(sum.rowCount(), std::size_t{2});
    const Cells each = findStatsTable("mpi_event_trace")->fill(*trace, {});
    QCOMPARE(each.rowCount(), std::size_t{7});
}

void ImportersTest::waitsOfRealReports()
{
    const std::string path = moreReport("halo_one");
    if (path.empty())
        QSKIP("The shared report halo_one is not there.");
    const auto trace = load(path);
    QVERIFY(trace);
    const LibraryCallTable& calls = trace->libraryCalls();
    long long waits = 0;
    long long waited = 0;
    for (EventIndex i = 0; i < calls.size(); ++i) {
        if (trace->text(calls.name[i]) != "MPI_Waitall")
            continue;
        ++waits;
        waited += calls.duration[i];
    }
    const char* const each = "(SELECT DISTINCT start, end, globalTid FROM MPI_START_WAIT_EVENTS)";
    QVERIFY(waits > 0);
    QCOMPARE(waits, sqlInteger(path, "SELECT count(*) FROM " + std::string(each)));
    QCOMPARE(waited, sqlInteger(path, "SELECT sum(end - start) FROM " + std::string(each)));
}

void ImportersTest::ranksOfRealReports()
{
    const std::string path = moreReport("halo_one");
    if (path.empty())
        QSKIP("The shared report halo_one is not there.");
    const auto trace = load(path);
    QVERIFY(trace);
    QCOMPARE(
        static_cast<long long>(trace->mpiRanks.size()), sqlInteger(path, "SELECT count(*) FROM MPI_RANKS"));
    for (const MpiRank& rank : trace->mpiRanks)
        QCOMPARE(trace->mpiRank(rank.thread).value_or(-1), rank.rank);
    // Every message and their sum, as SQL has them.
    long long messages = 0;
    long long bytes = 0;
    const LibraryCallTable& calls = trace->libraryCalls();
    for (EventIndex i = 0; i < calls.size(); ++i) {
        if (const MessageFacts* const message = calls.message(i); message && message->bytes != notSaid) {
            ++messages;
            bytes += message->bytes;
        }
    }
    QCOMPARE(messages,
        sqlInteger(path,
            "SELECT (SELECT count(size) FROM MPI_P2P_EVENTS) "
            "+ (SELECT count(size) FROM MPI_COLLECTIVES_EVENTS)"));
    QCOMPARE(bytes,
        sqlInteger(path,
            "SELECT (SELECT sum(size) FROM MPI_P2P_EVENTS) + (SELECT sum(size) FROM "
            "MPI_COLLECTIVES_EVENTS)"));
}

void ImportersTest::readsHostFunctionsAndDecompressions()
{
    ReportFixture fixture;
    fixture.addSmallReport();
    fixture.run(R"sql(
        CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_HOST_NODE_AND_HOST_LAUNCH (start INTEGER, end INTEGER,
            deviceId INTEGER, contextId INTEGER, greenContextId INTEGER, streamId INTEGER, correlationId INTEGER,
            globalPid INTEGER, graphNodeId INTEGER, graphId INTEGER);
        INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_HOST_NODE_AND_HOST_LAUNCH VALUES
            (4000, 4900, 0, 1, NULL, 7, 14, 1677721600, NULL, NULL);
        CREATE TABLE CUPTI_ACTIVITY_KIND_MEM_DECOMPRESS (start INTEGER, end INTEGER, eventClass INTEGER,
            deviceId INTEGER, contextId INTEGER, streamId INTEGER, correlationId INTEGER, globalPid INTEGER,
            ChannelID INTEGER, sourceBytes INTEGER);
        INSERT INTO CUPTI_ACTIVITY_KIND_MEM_DECOMPRESS VALUES (5500, 5600, 1, 0, 1, 7, 0, 1677721600, 3, 4096);
    )sql");
    const auto trace = load(fixture.path());
    QVERIFY(trace);
    const EventRef waited{EventKind::HostFunction, 0};
    QCOMPARE(trace->table(EventKind::HostFunction).size(), 1U);
    QCOMPARE(trace->range(waited), (TimeRange{4000, 4900}));
    QVERIFY(trace->apiCallOf(waited).valid());
    QCOMPARE(std::string(trace->name(trace->apiCallOf(waited))), std::string("cudaDeviceSynchronize_v3020"));
    QCOMPARE(factOf(*trace, {EventKind::Decompression, 0}, "Size"), std::string("4.096 kB"));
    // Both stand below their stream and are no GPU work.
    const auto rows = buildRows(*trace);
    QVERIFY(rows->rowOf({EventKind::HostFunction, 0}) != RowTree::root);
    QVERIFY(rows->rowOf({EventKind::Decompression, 0}) != RowTree::root);
    QVERIFY(!isGpuWork(EventKind::HostFunction));
}

void ImportersTest::readsMemoryPools()
{
    ReportFixture fixture;
    fixture.addSmallReport();
    fixture.run(R"sql(
        CREATE TABLE CUDA_GPU_MEMORY_POOL_EVENTS (start INTEGER, globalPid INTEGER, deviceId INTEGER,
            address INTEGER, operationType INTEGER, poolType INTEGER, correlationId INTEGER,
            minBytesToKeep INTEGER, localMemoryPoolReleaseThreshold INTEGER, localMemoryPoolSize INTEGER,
            localMemoryPoolUtilizedSize INTEGER);
        INSERT INTO CUDA_GPU_MEMORY_POOL_EVENTS VALUES (3000, 1677721600, 0, 256, 3, 1, 12, 0, 0, 2048, 1024),
            (2000, 1677721600, 0, 256, 1, 1, 11, 0, 0, 4096, 0),
            (NULL, 1677721600, 0, 256, 1, 1, 11, 0, 0, 1, 1);
    )sql");
    const auto trace = load(fixture.path());
    QVERIFY(trace);
    QCOMPARE(trace->table(EventKind::GpuMemoryPool).size(), 2U);
    QCOMPARE(std::string(trace->name({EventKind::GpuMemoryPool, 0})), std::string("Memory pool created"));
    QCOMPARE(std::string(trace->name({EventKind::GpuMemoryPool, 1})), std::string("Memory pool trimmed"));
    const CounterSeries* const size = counterNamed(*trace, "Memory pool 0x100 size");
    QVERIFY(size);
    QCOMPARE(size->values, (std::vector<float>{4096, 2048}));
    QCOMPARE(*size->times, (std::vector<Ns>{2000, 3000}));
    QVERIFY(counterNamed(*trace, "Memory pool 0x100 in use"));
}

void ImportersTest::readsNetworkMetrics()
{
    ReportFixture fixture;
    fixture.addSmallReport();
    fixture.run(R"sql(
        CREATE TABLE TARGET_INFO_NETWORK_METRICS (metricsListId INTEGER, metricsIdx INTEGER, name TEXT,
            description TEXT, unit TEXT);
        INSERT INTO TARGET_INFO_NETWORK_METRICS VALUES (1, 0, 'Bytes sent', '', 'B'), (1, 1, 'Packets', '', '');
        CREATE TABLE TARGET_INFO_NIC_INFO (GUID INTEGER, stateName TEXT, nicId INTEGER, name TEXT);
        INSERT INTO TARGET_INFO_NIC_INFO VALUES (42, '', 0, 'mlx5_0');
        INSERT INTO TARGET_INFO_NIC_INFO VALUES (12345, '', 8, 'mlx5_8');
        CREATE TABLE NIC_ID_MAP (nicId INTEGER, globalId INTEGER);
        INSERT INTO NIC_ID_MAP VALUES (8, 44), (9, 45);
        CREATE TABLE NET_NIC_METRIC (start INTEGER, end INTEGER, globalId INTEGER, portId INTEGER,
            metricsListId INTEGER, metricsIdx INTEGER, value INTEGER);
        INSERT INTO NET_NIC_METRIC VALUES (2000, 3000, 42, 1, 1, 0, 500), (1000, 2000, 42, 1, 1, 0, 100),
            (5000, 6000, 42, 1, 1, 0, 200), (1000, 2000, 43, 2, 9, 7, 1), (1000, 2000, 44, 1, 1, 1, 9);
    )sql");
    const auto trace = load(fixture.path());
    QVERIFY(trace);
    const CounterSeries* const sent = counterNamed(*trace, "mlx5_0, port 1: Bytes sent");
    QVERIFY(sent);
    QCOMPARE(*sent->times, (std::vector<Ns>{1000, 2000, 3000, 5000, 6000}));
    QCOMPARE(sent->values, (std::vector<float>{100, 500, 0, 200, 0}));
    QCOMPARE(std::string(trace->text(sent->unit)), std::string("B"));
    QVERIFY(counterNamed(*trace, "NIC 2b, port 2: Metric 7"));
    QVERIFY(counterNamed(*trace, "mlx5_8, port 1: Packets"));
    QVERIFY(buildRows(*trace)->find("network") != RowTree::root);
    QCOMPARE(trace->session.end, 6000);
}

void ImportersTest::keepsTheProgramsOutput()
{
    ReportFixture fixture;
    fixture.addSmallReport();
    fixture.run("INSERT INTO StringIds VALUES (20, '/tmp/pid_100_stdout.log'), (21, 'loss 0.5\nloss "
                "0.25\n'), (22, '');"
                "CREATE TABLE ProcessStreams (globalPid INTEGER, filenameId INTEGER, contentId INTEGER);"
                "INSERT INTO ProcessStreams VALUES (1677721600, 20, 21), (1677721600, 20, 22), (1677721600, "
                "20, 999);");
    const auto trace = load(fixture.path());
    QVERIFY(trace);
    QCOMPARE(trace->info.output.size(), 1U); // empty output is left out
    QCOMPARE(trace->info.output[0].process, smallProcess);
    QCOMPARE(trace->info.output[0].text, std::string("loss 0.5\nloss 0.25\n"));
}

void ImportersTest::showsWhoHadWhichCore()
{
    ReportFixture fixture;
    fixture.addSmallReport();
    fixture.run(
        "CREATE TABLE SCHED_EVENTS (start INTEGER, cpu INTEGER, isSchedIn INTEGER, globalTid INTEGER);"
        "INSERT INTO SCHED_EVENTS VALUES (100, 11, 1, 1677721701), (200, 11, 0, 1677721701),"
        "(200, 11, 1, 1677721702), (300, 11, 0, 1677721702),"
        "(400, 2, 1, 1677721701), (500, 2, 0, 1677721701);");
    const auto trace = load(fixture.path());
    QVERIFY(trace);
    QCOMPARE(trace->table(EventKind::CpuCore).size(), 3U);
    const auto rows = buildRows(*trace);
    const RowId group = rows->find("cpu-cores");
    QVERIFY(group != RowTree::root);
    QCOMPARE(rows->children(group).size(), 2U);
    QCOMPARE(
        plain(rows->row(rows->children(group)[0]).label), std::string("CPU 2")); // by number, not by time
    const Track& eleven = trace->track(rows->row(rows->children(group)[1]).tracks.front());
    QCOMPARE(eleven.eventCount, 2U);
    const EventRef first{EventKind::CpuCore, eleven.firstEvent};
    QCOMPARE(std::string(trace->name(first)), std::string("[101] main"));
    QCOMPARE(trace->range(first), (TimeRange{100, 200}));
    const EventRef state = madeFrom(*trace, first);
    QCOMPARE(trace->table(state.kind).trackOf(state.index).owner, smallThread);
    QCOMPARE(factOf(*trace, first, "Where"), std::string("CPU 11"));
    // Duplicates count once.
    EventQuery query;
    query.window = {0, 10'000};
    const EventList all(trace, query);
    QVERIFY(all.size() > 0);
    for (const EventRef& event : all.events())
        QVERIFY(event.kind != EventKind::CpuCore);
}

void ImportersTest::coresOfARealReport()
{
    const std::string path = sharedReport("cnn_sampled");
    if (path.empty())
        QSKIP("The shared report cnn_sampled is not there.");
    const auto trace = load(path);
    QVERIFY(trace);
    Ns running = 0;
    const EventTable& states = trace->table(EventKind::ThreadState);
    for (EventIndex i = 0; i < states.size(); ++i) {
        if (trace->name({EventKind::ThreadState, i}) == "Running")
            running += states.duration[i];
    }
    const EventTable& cores = trace->table(EventKind::CpuCore);
    QVERIFY(running > 0);
    QCOMPARE(cores.durationSum(0, static_cast<EventIndex>(cores.size())), running);
    QCOMPARE(static_cast<long long>(cores.tracks.size()),
        sqlInteger(path, "SELECT count(DISTINCT cpu) FROM SCHED_EVENTS WHERE isSchedIn"));
}

void ImportersTest::pythonSamplesHaveNames()
{
    const std::string path = moreReport("cnn_gil");
    if (path.empty())
        QSKIP("The shared report cnn_gil is not there.");
    const auto trace = load(path);
    QVERIFY(trace);
    std::map<std::string_view, int> counts;
    for (EventIndex i = 0; i < trace->nvtx().size(); ++i)
        ++counts[trace->name({EventKind::Nvtx, i})];
    QCOMPARE(counts["Holding GIL"], 57930);
    QCOMPARE(counts["Waiting for GIL"], 3629);
    QCOMPARE(counts["Python Periodic Sampling"], 6506);
}

void ImportersTest::dependentLaunchesCountOnce()
{
    const std::string path = moreReport("pdl");
    if (path.empty())
        QSKIP("The shared report pdl is not there.");
    const auto trace = load(path);
    QVERIFY(trace);
    const KernelTable& kernels = trace->kernels();
    QCOMPARE(static_cast<long long>(kernels.size()),
        sqlInteger(path, "SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL"));
    // The covered time, by SQL: each kernel from where those before it ended.
    const long long covered = sqlInteger(path,
        "SELECT sum(max(0, \"end\" - max(start, before))) FROM (SELECT start, \"end\", coalesce(max(\"end\") "
        "OVER "
        "(ORDER BY start, \"end\" ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before "
        "FROM CUPTI_ACTIVITY_KIND_KERNEL)");
    const auto rows = buildRows(*trace);
    std::size_t drawn = 0;
    std::uint32_t mostLanes = 0;
    for (std::uint32_t t = 0; t < kernels.tracks.size(); ++t) {
        drawn += kernels.tracks[t].eventCount;
        mostLanes = std::max(mostLanes, kernels.tracks[t].laneCount);
        QVERIFY(rows->rowOf({EventKind::Kernel, t}) != RowTree::root);
        for (const Lane& lane : kernels.lanesOf(kernels.tracks[t])) {
            for (EventIndex i = lane.first + 1; i < lane.first + lane.count; ++i)
                QVERIFY(kernels.start[i] >= kernels.end(i - 1));
        }
    }
    QCOMPARE(drawn, kernels.size());
    QVERIFY(mostLanes > 1); // they do overlap
    RowId all = RowTree::root;
    for (std::uint32_t id = 1; id < rows->size(); ++id) {
        if (plain(rows->row(RowId{id}).label) == "Kernels") // of the only stream
            all = RowId{id};
    }
    QVERIFY(all != RowTree::root);
    QCOMPARE(static_cast<long long>(rows->row(all).busy), covered);
    QCOMPARE(rows->row(all).events, kernels.size());
    QVERIFY(covered < kernels.durationSum(0, static_cast<EventIndex>(kernels.size())));
}

WARPLINE_TEST(ImportersTest)

} // namespace tst_importers

#include "tst_importers.moc"
