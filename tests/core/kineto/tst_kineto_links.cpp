// Links in a trace of PyTorch's profiler: streams that wait for events, operators and their backward passes,
// allocations and releases, the profiler's own work and the delayed thread, modules and their launches.
// Synthetic traces, and real ones compared with Qt's JSON reader.

#include "core/derive/backward_passes.h"
#include "core/derive/memory_lifetimes.h"
#include "core/derive/stream_waits.h"
#include "core/query/event_text.h"
#include "core/query/partners.h"
#include "core/render/render.h"
#include "core/stats/stats_table.h"
#include "core/store/gpu_names.h"
#include "tests/core/kineto/kineto_helpers.h"
#include "tests/support/test_program.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <cmath>
#include <map>
#include <set>

namespace tst_kineto_links {

using namespace warpline;
using namespace warpline::test;

class KinetoLinksTest : public QObject {
    Q_OBJECT

private slots:
    void streamsWaitForTheirProducers();
    void recordsInTheTraceAreUsed();
    void waitsOfRealTraces_data();
    void waitsOfRealTraces();
    void operatorsKnowTheirBackwardPass();
    void flowsStayInTheirProcess();
    void allFlowsAreJoined_data();
    void allFlowsAreJoined();
    void memoryIsHeldFromAllocationToRelease();
    void lifetimesAreThoseOfTheFile_data();
    void lifetimesAreThoseOfTheFile();
    void theProfilersWorkIsOnTheThreadThatItHeldUp();
    void buffersAreAskedForByTheThreadsThatLaunch();
    void modulesAreATree();
    void modulesNestDeeplyWithoutHarm();
};

namespace {

struct Drawn {
    const char* category;
    const char* name;
    int pid;
    int tid;
    double start;
    double duration;
    QByteArray arguments{};
};

QByteArray eventOf(const Drawn& event)
{
    return QByteArray(R"({"ph": "X", "cat": ")") + event.category + R"(", "name": ")" + event.name
        + R"(", "pid": )" + QByteArray::number(event.pid) + R"(, "tid": )" + QByteArray::number(event.tid)
        + R"(, "ts": )" + QByteArray::number(event.start, 'f', 3) + R"(, "dur": )"
        + QByteArray::number(event.duration, 'f', 3) + R"(, "args": {)" + event.arguments + "}}";
}

QByteArray listOf(const QList<QByteArray>& events)
{
    return "{\"traceEvents\": [\n" + events.join(",\n") + "\n]}";
}

QByteArray launch(double at, int correlation)
{
    return eventOf({"cuda_runtime", "cudaLaunchKernel", 9, 9, at, 2,
        "\"correlation\": " + QByteArray::number(correlation)});
}

QByteArray kernel(const char* name, int stream, double start, double duration, int correlation)
{
    return eventOf({"kernel", name, 0, stream, start, duration,
        "\"device\": 0, \"context\": 1, \"stream\": " + QByteArray::number(stream)
            + ", \"correlation\": " + QByteArray::number(correlation)});
}

/// Stream 20 computes for 100 us; stream 7's next kernel waits for it.
QList<QByteArray> waitingStreams()
{
    return {launch(0, 1), kernel("produce()", 20, 3, 100, 1),
        eventOf({"cuda_runtime", "cudaEventRecord", 9, 9, 4, 1, "\"correlation\": 2"}),
        eventOf({"cuda_runtime", "cudaStreamWaitEvent", 9, 9, 6, 1, "\"correlation\": 3"}),
        eventOf({"cuda_sync", "Stream Wait Event", 0, 1000007, 6.5, 1,
            R"("cuda_sync_kind": "Stream Wait Event", "wait_on_stream": 20,
               "wait_on_cuda_event_record_corr_id": 2, "wait_on_cuda_event_id": 5, "stream": 7,
               "correlation": 3, "device": 0, "context": 1)"}),
        launch(8, 4), kernel("consume()", 7, 105, 10, 4)};
}

Result<std::shared_ptr<const Trace>> loadEvents(const QList<QByteArray>& events)
{
    return loadText(listOf(events));
}

QJsonArray eventsIn(const QString& path)
{
    const QJsonDocument document = QJsonDocument::fromJson(contentOfGzip(path));
    return document.isArray() ? document.array() : document.object()["traceEvents"].toArray();
}

void addTraces()
{
    QTest::addColumn<QString>("path");
    for (const QString& path : allTraces())
        QTest::addRow("%s", qPrintable(QFileInfo(path).fileName())) << path;
}

} // namespace

void KinetoLinksTest::streamsWaitForTheirProducers()
{
    const auto loaded = loadEvents(waitingStreams());
    QVERIFY2(loaded.ok(), loaded.ok() ? "" : plain(loaded.error().message).c_str());
    const Trace& trace = *loaded.value();
    const StreamWaits waits = findStreamWaits(trace);
    QCOMPARE(waits.size(), std::size_t{1});
    QCOMPARE(trace.name(waits[0].producer), std::string_view("produce()"));
    QCOMPARE(trace.name(waits[0].consumer), std::string_view("consume()"));
    // The consumer is launched at 10, its stream is free; the producer ends at 103.
    QCOMPARE(waits[0].held, (TimeRange{10'000, 103'000}));
    const EventTable& records = trace.table(EventKind::CudaEvent);
    QCOMPARE(records.start[waits[0].record], Ns{4'000});
    QCOMPARE(records.tracks[0].stream, 20);
    const StatsTable* const table = findStatsTable("stream_wait_sum");
    QVERIFY(table->applies(trace));
    QCOMPARE(std::get<std::int64_t>(table->fill(trace, {}).at(0, 0)), std::int64_t{93'000});
}

void KinetoLinksTest::recordsInTheTraceAreUsed()
{
    QList<QByteArray> events = waitingStreams();
    events << eventOf({"cuda_event", "cuda_event", 0, 20, 5, 0.001,
        R"("event_id": 5, "correlation": 2, "device": 0, "context": 1, "stream": 20)"});
    const auto loaded = loadEvents(events);
    QVERIFY(loaded.ok());
    QCOMPARE(loaded.value()->table(EventKind::CudaEvent).size(), std::size_t{1});
    QCOMPARE(loaded.value()->table(EventKind::CudaEvent).start[0], Ns{5'000});
    QCOMPARE(findStreamWaits(*loaded.value()).size(), std::size_t{1});
    // Without the recording call, the time of the record is unknown: the wait has no partner.
    QList<QByteArray> without = waitingStreams();
    without.removeAt(2);
    const auto alone = loadEvents(without);
    QVERIFY(alone.ok());
    QCOMPARE(alone.value()->table(EventKind::Synchronization).size(), std::size_t{1});
    QVERIFY(findStreamWaits(*alone.value()).empty());
}

void KinetoLinksTest::waitsOfRealTraces_data()
{
    addTraces();
}

void KinetoLinksTest::waitsOfRealTraces()
{
    QFETCH(QString, path);
    std::set<int> recordCalls;
    std::vector<std::pair<int, int>> expected; // stream that waits, stream that is waited for
    const QJsonArray events = eventsIn(path);
    for (const QJsonValue& value : events) {
        const QJsonObject event = value.toObject();
        if (event["name"].toString().contains("EventRecord"))
            recordCalls.insert(event["args"].toObject()["correlation"].toInt());
    }
    for (const QJsonValue& value : events) {
        const QJsonObject arguments = value.toObject()["args"].toObject();
        if (arguments["cuda_sync_kind"].toString() == "Stream Wait Event"
            && recordCalls.contains(arguments["wait_on_cuda_event_record_corr_id"].toInt(-1)))
            expected.emplace_back(arguments["stream"].toInt(), arguments["wait_on_stream"].toInt());
    }
    if (expected.empty())
        QSKIP("no stream waits for an event in it");
    const auto loaded = loadReport(path.toStdString());
    QVERIFY(loaded.ok());
    const Trace& trace = *loaded.value();
    std::vector<std::pair<int, int>> found;
    for (const StreamWait& wait : findStreamWaits(trace))
        found.emplace_back(trace.table(EventKind::Synchronization).trackOf(wait.wait).stream,
            trace.table(EventKind::CudaEvent).trackOf(wait.record).stream);
    std::ranges::sort(expected);
    std::ranges::sort(found);
    QVERIFY(found == expected);
}

void KinetoLinksTest::operatorsKnowTheirBackwardPass()
{
    const auto flow = [](const char* phase, int tid, double at) {
        return QByteArray(R"({"ph": ")") + phase + R"(", "id": 700, "pid": 9, "tid": )"
            + QByteArray::number(tid) + R"(, "ts": )" + QByteArray::number(at, 'f', 3)
            + R"(, "cat": "fwdbwd", "name": "fwdbwd"})";
    };
    const auto loaded = loadEvents(
        {eventOf({"cpu_op", "aten::linear", 9, 9, 10, 20}), eventOf({"cpu_op", "aten::addmm", 9, 9, 12, 10}),
            eventOf({"cpu_op", "AddmmBackward0", 9, 11, 50, 30}),
            eventOf({"cpu_op", "aten::mm", 9, 11, 52, 10}), flow("f", 11, 50), flow("s", 9, 12)});
    QVERIFY(loaded.ok());
    const Trace& trace = *loaded.value();
    std::map<std::string_view, EventIndex> at;
    for (EventIndex i = 0; i < trace.nvtx().size(); ++i)
        at[trace.name({EventKind::Nvtx, i})] = i;
    const BackwardPass pass = backwardPassOf(trace, at["aten::addmm"]);
    QCOMPARE(pass.forward, at["aten::addmm"]);
    QCOMPARE(pass.backward, std::vector<EventIndex>{at["AddmmBackward0"]});
    QCOMPARE(backwardPassOf(trace, at["AddmmBackward0"]).forward, at["aten::addmm"]);
    QCOMPARE(backwardPassOf(trace, at["aten::linear"]).forward, noIndex);
    const std::vector<Partner> partners = partnersOf(trace, {EventKind::Nvtx, at["AddmmBackward0"]});
    QCOMPARE(partners.size(), std::size_t{1});
    QCOMPARE(partners[0].event, (EventRef{EventKind::Nvtx, at["aten::addmm"]}));
    const auto rows = detailsOf(trace, {EventKind::Nvtx, at["AddmmBackward0"]});
    QVERIFY(std::ranges::any_of(
        rows, [](const TextRow& row) { return plain(row.value) == "aten::addmm, 38.00 µs before"; }));
    QVERIFY(
        std::ranges::none_of(rows, [](const TextRow& row) { return plain(row.label) == "Correlation id"; }));
}

void KinetoLinksTest::flowsStayInTheirProcess()
{
    QByteArrayList events;
    for (const int process : {8, 9}) {
        const QByteArray number = QByteArray::number(process);
        const auto flow = [&](const char* phase, const char* at) {
            return R"({"ph": ")" + QByteArray(phase) + R"(", "id": 1, "pid": )" + number + R"(, "tid": )"
                + number + R"(, "ts": )" + at + R"(, "cat": "fwdbwd", "name": "fwdbwd"})";
        };
        events << eventOf({"cpu_op", "forward" + number, process, process, 10, 5})
               << eventOf({"cpu_op", "backward" + number, process, process, 50, 5}) << flow("s", "10")
               << flow("f", "50");
    }
    const auto loaded = loadEvents(events);
    QVERIFY(loaded.ok());
    const Trace& trace = *loaded.value();
    std::map<std::string_view, std::string_view> found;
    for (EventIndex i = 0; i < trace.nvtx().size(); ++i) {
        const BackwardPass pass = backwardPassOf(trace, i);
        for (const EventIndex backward : pass.backward)
            found[trace.name({EventKind::Nvtx, pass.forward})] = trace.name({EventKind::Nvtx, backward});
    }
    QCOMPARE(found,
        (std::map<std::string_view, std::string_view>{{"forward8", "backward8"}, {"forward9", "backward9"}}));
}

void KinetoLinksTest::allFlowsAreJoined_data()
{
    addTraces();
}

void KinetoLinksTest::allFlowsAreJoined()
{
    QFETCH(QString, path);
    std::map<int, std::pair<int, int>> flows;
    for (const QJsonValue& value : eventsIn(path)) {
        const QJsonObject event = value.toObject();
        if (event["cat"].toString() == "fwdbwd")
            ++(event["ph"].toString() == "s" ? flows[event["id"].toInt()].first
                                             : flows[event["id"].toInt()].second);
    }
    const auto whole
        = std::ranges::count_if(flows, [](const auto& flow) { return flow.second == std::pair(1, 1); });
    if (whole == 0)
        QSKIP("no operator is joined with its backward pass in it");
    const auto loaded = loadReport(path.toStdString());
    QVERIFY(loaded.ok());
    const std::vector<EventIndex> forward = forwardOperators(*loaded.value());
    QCOMPARE(std::ranges::count_if(forward, [](EventIndex i) { return i != noIndex; }), whole);
    for (EventIndex i = 0; i < forward.size(); ++i) {
        if (forward[i] != noIndex)
            QVERIFY(loaded.value()->nvtx().start[forward[i]] < loaded.value()->nvtx().start[i]);
    }
}

namespace {

QByteArray memoryChange(double at, std::int64_t bytes, std::uint64_t address)
{
    return QByteArray(R"({"ph": "i", "cat": "cpu_instant_event", "s": "t", "name": "[memory]", "pid": 9,
      "tid": 9, "ts": )")
        + QByteArray::number(at, 'f', 3)
        + R"(, "args": {"Total Reserved": 4096, "Total Allocated": 512, "Bytes": )"
        + QByteArray::number(static_cast<qlonglong>(bytes))
        + R"(, "Device Id": 0, "Device Type": 1, "Addr": )"
        + QByteArray::number(static_cast<qulonglong>(address)) + "}}";
}

} // namespace

void KinetoLinksTest::memoryIsHeldFromAllocationToRelease()
{
    // 100 is released twice: the second belongs to nothing. 200 is allocated again unseen. 300 stays.
    const auto loaded
        = loadEvents({eventOf({"cpu_op", "aten::empty", 9, 9, 0, 100}), memoryChange(10, 512, 100),
            memoryChange(20, 512, 200), memoryChange(30, -512, 100), memoryChange(35, -512, 100),
            memoryChange(40, 1024, 200), memoryChange(50, 1024, 300), memoryChange(60, -1024, 200)});
    QVERIFY(loaded.ok());
    const Trace& trace = *loaded.value();
    const auto lifetimes = memoryLifetimes(trace, {});
    QCOMPARE(lifetimes.size(), std::size_t{4});
    QCOMPARE(lifetimes[0].held, (TimeRange{10'000, 30'000}));
    QCOMPARE(lifetimes[1].held, (TimeRange{20'000, 40'000}));
    QCOMPARE(lifetimes[1].release, noIndex);
    QCOMPARE(lifetimes[2].held, (TimeRange{40'000, 60'000}));
    QCOMPARE(lifetimes[3].held, (TimeRange{50'000, trace.session.end}));
    QCOMPARE(lifetimeOf(trace, lifetimes[2].release).allocation, lifetimes[2].allocation);
    QCOMPARE(lifetimeOf(trace, 3).allocation, noIndex); // the second release
    const std::vector<Partner> partners = partnersOf(trace, {EventKind::GpuMemory, lifetimes[0].allocation});
    QCOMPARE(partners.size(), std::size_t{1});
    QCOMPARE(partners[0].event, (EventRef{EventKind::GpuMemory, lifetimes[0].release}));
    const auto rows = detailsOf(trace, {EventKind::GpuMemory, lifetimes[0].release});
    QVERIFY(std::ranges::any_of(rows, [](const TextRow& row) { return plain(row.value) == "20.00 µs"; }));
    const StatsTable* const table = findStatsTable("memory_lifetimes");
    QVERIFY(table->applies(trace));
    const Cells cells = table->fill(trace, {});
    QCOMPARE(cells.rowCount(), std::size_t{2});
    // Most is in use from 50 on: both blocks of 1024.
    QCOMPARE(std::get<std::int64_t>(cells.at(0, 1)), std::int64_t{1024});
    QCOMPARE(std::get<std::int64_t>(cells.at(0, 7)), std::int64_t{2});
    QCOMPARE(std::get<std::int64_t>(cells.at(1, 2)), std::int64_t{2});
    QCOMPARE(std::get<std::int64_t>(cells.at(1, 8)), std::int64_t{0});
}

void KinetoLinksTest::lifetimesAreThoseOfTheFile_data()
{
    addTraces();
}

void KinetoLinksTest::lifetimesAreThoseOfTheFile()
{
    QFETCH(QString, path);
    struct Open {
        std::int64_t ns;
        double bytes;
    };
    // Doubles are exact up to 2^53: these addresses are smaller.
    std::map<std::pair<int, double>, Open> open;
    std::multiset<std::pair<double, std::int64_t>> expected; // bytes, time held
    std::vector<QJsonObject> changes;
    for (const QJsonValue& value : eventsIn(path)) {
        const QJsonObject event = value.toObject();
        if (event["name"].toString() == "[memory]" && event["args"].toObject()["Device Type"].toInt() != 0)
            changes.push_back(event);
    }
    if (changes.empty())
        QSKIP("no memory of a GPU in it");
    const auto nsOf = [](const QJsonObject& event) {
        return static_cast<std::int64_t>(std::llround(event["ts"].toDouble() * 1000));
    };
    std::ranges::stable_sort(changes, {}, nsOf);
    for (const QJsonObject& event : changes) {
        const QJsonObject arguments = event["args"].toObject();
        const std::pair key(arguments["Device Id"].toInt(), arguments["Addr"].toDouble());
        const double bytes = arguments["Bytes"].toDouble();
        const auto known = open.find(key);
        if (bytes > 0) {
            open[key] = {nsOf(event), bytes};
        } else if (known != open.end()) {
            expected.emplace(known->second.bytes, nsOf(event) - known->second.ns);
            open.erase(known);
        }
    }
    const auto loaded = loadReport(path.toStdString());
    QVERIFY(loaded.ok());
    const Trace& trace = *loaded.value();
    std::multiset<std::pair<double, std::int64_t>> found;
    std::size_t stay = 0;
    for (const MemoryLifetime& lifetime : memoryLifetimes(trace, {})) {
        if (lifetime.release == noIndex) {
            ++stay;
            continue;
        }
        found.emplace(
            static_cast<double>(trace.gpuMemory().bytes[lifetime.allocation]), lifetime.held.duration());
    }
    QCOMPARE(found.size(), expected.size());
    QVERIFY(stay >= open.size());
    // A double of microseconds since a quarter of a year ago is a nanosecond off at times.
    auto at = expected.begin();
    for (const auto& [bytes, held] : found) {
        QCOMPARE(bytes, at->first);
        QVERIFY(std::llabs(held - at->second) <= 2000);
        ++at;
    }
}

void KinetoLinksTest::theProfilersWorkIsOnTheThreadThatItHeldUp()
{
    const auto overhead = [](const char* name, double start, double duration) {
        return eventOf({"overhead", name, -1, 0, start, duration});
    };
    const auto call = [](int tid, double start, double duration) {
        return eventOf({"cuda_runtime", "cudaMalloc", 9, tid, start, duration, "\"correlation\": 1"});
    };
    const auto loaded = loadEvents({call(21, 0, 5), call(21, 40, 20), call(22, 30, 5), call(22, 72, 5),
        call(21, 71, 2), overhead("Activity Buffer Request", 10, 19), // before the call of 22
        overhead("Instrumentation", 45, 10), // in a call of 21
        overhead("Activity Buffer Request", 55, 16), // 21 calls during it: before the call of 22
        overhead("Lazy Function Loading", 41, 2), // the driver's
        overhead("Activity Buffer Request", 90, 1)}); // before nothing
    QVERIFY(loaded.ok());
    const Trace& trace = *loaded.value();
    const EventTable& table = trace.table(EventKind::Overhead);
    std::map<std::pair<std::string_view, Ns>, std::uint32_t> threads;
    for (EventIndex i = 0; i < table.size(); ++i)
        threads[{trace.name({EventKind::Overhead, i}), table.start[i]}] = tidOf(table.trackOf(i).owner);
    QCOMPARE(threads.size(), std::size_t{5});
    QCOMPARE((threads[{"Activity Buffer Request", 10'000}]), 22U);
    QCOMPARE((threads[{"Instrumentation", 45'000}]), 21U);
    QCOMPARE((threads[{"Activity Buffer Request", 55'000}]), 22U);
    QCOMPARE((threads[{"Lazy Function Loading", 41'000}]), 0U);
    QCOMPARE((threads[{"Activity Buffer Request", 90'000}]), 0U);
}

void KinetoLinksTest::buffersAreAskedForByTheThreadsThatLaunch()
{
    const QString path = QString(WARPLINE_SHARED_REPORTS "/kineto/bert_amp.json.gz");
    if (!QFile::exists(path))
        QSKIP("the shared reports are not here");
    const auto loaded = loadReport(path.toStdString());
    QVERIFY(loaded.ok());
    const EventTable& table = loaded.value()->table(EventKind::Overhead);
    std::set<std::uint32_t> threads;
    for (EventIndex i = 0; i < table.size(); ++i)
        threads.insert(tidOf(table.trackOf(i).owner));
    // The main thread before its first call, and autograd's before its own.
    QCOMPARE(threads, (std::set<std::uint32_t>{713, 1262}));
}

void KinetoLinksTest::modulesAreATree()
{
    const auto module = [](const char* name, double start, double duration) {
        return eventOf({"python_function", name, 9, 9, start, duration});
    };
    const QByteArray flow
        = R"({"ph": "s", "id": 1, "pid": 9, "tid": 9, "ts": 12, "cat": "fwdbwd", "name": "fwdbwd"})";
    const auto loaded = loadEvents({module("nn.Module: Qwen2Model_0", 0, 90),
        module("model.py(3): forward", 1, 88), module("nn.Module: Linear_0", 10, 20),
        eventOf({"cpu_op", "aten::addmm", 9, 9, 12, 10}), launch(13, 1), kernel("gemm()", 7, 20, 30, 1),
        module("nn.Module: Linear_1", 40, 20), launch(42, 2), kernel("gemm()", 7, 60, 20, 2),
        eventOf({"cpu_op", "AddmmBackward0", 9, 11, 100, 30}),
        eventOf({"cuda_runtime", "cudaLaunchKernel", 9, 11, 105, 2, "\"correlation\": 3"}),
        kernel("gemm()", 7, 110, 15, 3), flow,
        QByteArray(flow)
            .replace("\"s\"", "\"f\"")
            .replace("\"tid\": 9", "\"tid\": 11")
            .replace("12,", "100,")});
    QVERIFY(loaded.ok());
    const StatsTable* const table = findStatsTable("torch_modules");
    QVERIFY(table->applies(*loaded.value()));
    const Cells cells = table->fill(*loaded.value(), {});
    QCOMPARE(cells.rowCount(), std::size_t{2});
    const auto number
        = [&](std::size_t row, std::size_t column) { return std::get<std::int64_t>(cells.at(row, column)); };
    QCOMPARE(std::get<std::string>(cells.at(0, 0)), std::string("Qwen2Model_*"));
    QCOMPARE(std::get<std::string>(cells.at(1, 0)), std::string("--Linear_*"));
    QCOMPARE(number(1, 1), std::int64_t{1});
    QCOMPARE(number(1, 2), std::int64_t{2});
    QCOMPARE(number(1, 3), std::int64_t{40'000});
    QCOMPARE(number(1, 5), std::int64_t{50'000});
    QCOMPARE(number(1, 7), std::int64_t{15'000}); // of the backward pass
    QCOMPARE(number(0, 5), std::int64_t{50'000});
    QCOMPARE(number(0, 7), std::int64_t{15'000});
}

void KinetoLinksTest::modulesNestDeeplyWithoutHarm()
{
    QList<QByteArray> events;
    constexpr int depth = 3000;
    for (int i = 0; i < depth; ++i)
        events << eventOf({"python_function", "nn.Module: Block_0", 9, 9, i * 1.0, 2.0 * depth - 2 * i});
    const auto loaded = loadEvents(events);
    QVERIFY(loaded.ok());
    const Cells cells = findStatsTable("torch_modules")->fill(*loaded.value(), {});
    QVERIFY(cells.rowCount() > 100 && cells.rowCount() < 1000);
}

WARPLINE_TEST(KinetoLinksTest)

} // namespace tst_kineto_links

#include "tst_kineto_links.moc"
