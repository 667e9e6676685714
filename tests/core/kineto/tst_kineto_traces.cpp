// Traces of PyTorch's profiler: all of the file is in the trace, counted by Qt's JSON reader; small synthetic
// traces for cases that real ones lack.

#include "core/derive/nccl_calls.h"
#include "core/findings/lost_work.h"
#include "core/kineto/event_reader.h"
#include "core/kineto/event_splitter.h"
#include "core/kineto/json_value.h"
#include "core/query/event_text.h"
#include "core/render/render.h"
#include "core/stats/step_breakdown.h"
#include "core/steps/steps.h"
#include "core/store/counter_table.h"
#include "core/store/gpu_names.h"
#include "core/store/problem.h"
#include "core/store/range_words.h"
#include "core/store/recorder.h"
#include "tests/core/kineto/kineto_helpers.h"
#include "tests/support/no_threads.h"
#include "tests/support/test_program.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <cmath>
#include <map>
#include <set>

namespace tst_kineto_traces {

using namespace warpline;
using namespace warpline::test;

class KinetoTracesTest : public QObject {
    Q_OBJECT

private slots:
    void countsAndTimesAreThoseOfTheFile_data();
    void countsAndTimesAreThoseOfTheFile();
    void eventsSayWhatTheySay();
    /// The same whether one thread reads, several or none but the calling one, and however small the pieces
    /// are.
    void piecesMakeNoDifference();
    /// Events formatted as by Kineto stay unsplit: only broken ones are lost, and the result equals that of
    /// split events.
    void unpackingEndsWhereNoTraceGoes();
    void unseparatedEventsAreReadAlike();
    void firstRowsComeWhileItIsRead();
    void brokenEventsAreLostAlone_data();
    void brokenEventsAreLostAlone();
    /// PyTorch's copies of ranges on the GPU are not a second series of steps.
    void stepsOfTheGpuAreNoneOfTheirOwn();
    void workInTwoEventsIsAProblem();
    /// Bytes that are no UTF-8, and numbers beyond 64 bits, are no reason to lose an event.
    void oddTextsAndNumbersAreKept();
    void whatIsCutOffIsReadToThere();
    void whatIsNoTraceIsTold();
    /// Traces of others: a list without a root, ranges as two events, counters, marks, names, texts as ids.
    void otherWriters();
    void workIsOfTheProcessThatLaunchedIt();
    void allOfAGpuIsOfOneProcess();
    void workIsOfTheOnlyProcessWithCalls();
    void memoryOfAnotherProcessIsOfTheListedGpu();
    void openRangesEndWithTheirThread();
    void countersDifferById();
    void theLastNameAndValueOfTheFileCount();
    void categoriesHaveLimits();
    void fieldsRepeatNoLongName();
    void groupsMayHaveAnyName();
    void memoryOfTheAllocator();
    /// A trace without NVTX has no NVTX ranges in its Details.
    void rangesAreCalledAsTheProfilerDoes();
    void mangledNamesOfKernelsAreReadable();
    void noTraceKeepsMangledNames_data();
    void noTraceKeepsMangledNames();
};

namespace {

/// Number and time of a trace's events of one kind.
struct Sum {
    std::uint64_t count = 0;
    std::int64_t time = 0;
    bool operator==(const Sum&) const = default;
};

using Sums = std::map<std::string, Sum>;

constexpr std::array<std::string_view, 5> unseen{
    "ac2g", "fwdbwd", "async_cpu_to_gpu", "cpu_to_cuda", "Trace"};

/// The result of Qt's reader.
Sums sumsOfJson(const QJsonArray& events)
{
    Sums sums;
    for (const QJsonValue& value : events) {
        const QJsonObject event = value.toObject();
        const std::string category = event["cat"].toString().toStdString();
        if (event["ph"].toString() != "X" || std::ranges::find(unseen, category) != unseen.end())
            continue;
        Sum& sum = sums[category == "Kernel" ? "kernel"
                : category == "Memcpy"       ? "gpu_memcpy"
                : category == "Memset"       ? "gpu_memset"
                : category == "Runtime"      ? "cuda_runtime"
                                             : category];
        ++sum.count;
        if (category != "cuda_event")
            sum.time += std::llround(event["dur"].toDouble() * 1000);
    }
    return sums;
}

Sums sumsOfTrace(const Trace& trace)
{
    Sums sums;
    for (const EventKind kind : {EventKind::Kernel, EventKind::Memcpy, EventKind::Memset, EventKind::ApiCall,
             EventKind::Nvtx, EventKind::Overhead, EventKind::Synchronization, EventKind::CudaEvent}) {
        const EventTable& table = trace.table(kind);
        for (const Track& track : table.tracks) {
            const std::string source(trace.text(track.source));
            if (trace.text(track.family) == "NCCL" || source == "cuda_sync (records waited for)")
                continue; // repeated operators and waits
            for (EventIndex i = track.firstEvent; i < track.firstEvent + track.eventCount; ++i) {
                if (kind == EventKind::Nvtx && trace.nvtx().attributesOf(i).eventType == 34)
                    continue;
                ++sums[source].count;
                sums[source].time += table.duration[i];
            }
        }
    }
    return sums;
}

const QByteArray kernel
    = R"j({"ph": "X", "cat": "kernel", "name": "void ns::fill<4, float>(float*)", "pid": 0,
  "tid": 7, "ts": 100.500, "dur": 2.250, "args": {"device": 0, "context": 1, "stream": 7, "correlation": 41,
  "registers per thread": 32, "shared memory": 1024, "warps per SM": inf, "grid": [4, 2, 1], "block": [128, 1, 1]}})j";
const QByteArray call = R"({"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 9, "tid": 9,
  "ts": 90, "dur": 5, "args": {"External id": 3, "cbid": 211, "correlation": 41}})";
const QByteArray op = R"({"ph": "X", "cat": "cpu_op", "name": "aten::fill_", "pid": 9, "tid": 9, "ts": 88.001,
  "dur": 9, "args": {"External id": 3, "Input Dims": [
      [
        2,
        3
      ],
      []
    ], "Ev Idx": 0}})";

QByteArray traceOf(const QList<QByteArray>& events, const QByteArray& head = {}, const QByteArray& tail = {})
{
    return "{\n" + head + "\"traceEvents\": [\n  " + events.join(",\n  ") + "\n  ]" + tail + "\n}";
}

const QByteArray threeGpus = R"("deviceProperties": [{"id": 0}, {"id": 1}, {"id": 2}], )";

QByteArray launchOf(int pid, int correlation)
{
    return QString(R"({"name": "cudaLaunchKernel", "cat": "cuda_runtime", "ph": "X", "ts": %1, "dur": 1,
                       "pid": %2, "tid": %2, "args": {"correlation": %1}})")
        .arg(correlation)
        .arg(pid)
        .toUtf8();
}

QByteArray workOn(int device, const char* category, int correlation)
{
    return QString(R"({"name": "work", "cat": "%1", "ph": "X", "ts": %2, "dur": 1, "pid": %3, "tid": 7,
                       "args": {"device": %3, "stream": 7, "correlation": %4}})")
        .arg(category)
        .arg(100 + correlation)
        .arg(device)
        .arg(correlation)
        .toUtf8();
}

/// (GPU, pid).
using GpusOfPids = std::set<std::pair<std::int32_t, std::uint32_t>>;

GpusOfPids gpusOfPids(const Trace& trace, EventKind kind)
{
    GpusOfPids found;
    for (const Track& track : trace.table(kind).tracks)
        found.emplace(track.device, pidOf(track.owner));
    return found;
}

} // namespace

void KinetoTracesTest::mangledNamesOfKernelsAreReadable()
{
    QByteArray mangled = kernel;
    mangled.replace("void ns::fill<4, float>(float*)", "_ZN2ns4fillIDF16bEEvPT_");
    QByteArray unknown = kernel;
    unknown.replace("void ns::fill<4, float>(float*)", "_ZN2ns4fillIXplLi1ELi2EEEvv");
    const auto loaded = loadText(traceOf({call, mangled, unknown}));
    QVERIFY(loaded.ok());
    const Trace& trace = *loaded.value();
    QCOMPARE(trace.kernels().size(), std::size_t{2});
    std::map<std::string, std::string> names;
    for (EventIndex i = 0; i < 2; ++i)
        names[std::string(trace.name({EventKind::Kernel, i}))] = trace.displayName({EventKind::Kernel, i});
    QCOMPARE(names.at("void ns::fill<std::bfloat16_t>(std::bfloat16_t*)"), std::string("fill"));
    QVERIFY(names.contains("_ZN2ns4fillIXplLi1ELi2EEEvv")); // it stays
    for (EventIndex i = 0; i < 2; ++i) {
        if (trace.displayName({EventKind::Kernel, i}) == "fill")
            QCOMPARE(std::string(trace.text(trace.kernels().launch(i).mangledName)),
                std::string("_ZN2ns4fillIDF16bEEvPT_"));
    }
}

/// No kernel of the traces at hand keeps a mangled name.
void KinetoTracesTest::noTraceKeepsMangledNames()
{
    QFETCH(QString, path);
    const auto loaded = loadReport(path.toStdString());
    QVERIFY(loaded.ok());
    const Trace& trace = *loaded.value();
    for (EventIndex i = 0; i < trace.kernels().size(); ++i)
        QVERIFY2(!trace.name({EventKind::Kernel, i}).starts_with("_Z"),
            std::string(trace.name({EventKind::Kernel, i})).c_str());
}

void KinetoTracesTest::noTraceKeepsMangledNames_data()
{
    countsAndTimesAreThoseOfTheFile_data();
}

void KinetoTracesTest::rangesAreCalledAsTheProfilerDoes()
{
    const auto range = [](const char* category, const char* name) {
        return QByteArray(R"({"ph": "X", "cat": ")") + category + R"(", "name": ")" + name
            + R"(", "pid": 9, "tid": 9, "ts": 80, "dur": 30})";
    };
    const auto kindsOf = [](const Trace& trace) {
        std::set<std::string> kinds;
        for (EventIndex i = 0; i < trace.nvtx().size(); ++i)
            kinds.insert(plain(detailsOf(trace, {EventKind::Nvtx, i}).front().value));
        return kinds;
    };
    auto loaded = loadText(traceOf({kernel, call, op, range("user_annotation", "forward"),
        range("python_function", "model.py(3): f"), range("xpu_runtime", "zeInit")}));
    QVERIFY(loaded.ok());
    QCOMPARE(kindsOf(*loaded.value()),
        (std::set<std::string>{"Operator", "User annotation", "Python function", "Annotation"}));
    QCOMPARE(plain(titleOf(*loaded.value(), EventKind::Kernel)), std::string(titleOf(EventKind::Kernel)));
    // Events of other writers are only ranges.
    loaded = loadText(traceOf({range("game", "frame")}));
    QVERIFY(loaded.ok());
    QCOMPARE(kindsOf(*loaded.value()), (std::set<std::string>{"Range"}));
}

void KinetoTracesTest::countsAndTimesAreThoseOfTheFile_data()
{
    QTest::addColumn<QString>("path");
    for (const QString& path : allTraces())
        QTest::addRow("%s", qPrintable(QFileInfo(path).fileName())) << path;
}

void KinetoTracesTest::countsAndTimesAreThoseOfTheFile()
{
    QFETCH(QString, path);
    QJsonParseError error;
    const QJsonDocument document = QJsonDocument::fromJson(contentOfGzip(path), &error);
    if (document.isNull())
        QSKIP(qPrintable("Qt cannot read it: " + error.errorString()));
    const auto loaded = loadReport(path.toStdString());
    QVERIFY2(loaded.ok(), loaded.ok() ? "" : plain(loaded.error().message).c_str());
    const Trace& trace = *loaded.value();
    const Sums expected
        = sumsOfJson(document.isArray() ? document.array() : document.object()["traceEvents"].toArray());
    const Sums found = sumsOfTrace(trace);
    for (const auto& [category, sum] : expected) {
        const auto at = found.find(category);
        QVERIFY2(at != found.end(), category.c_str());
        QCOMPARE(at->second.count, sum.count);
        QCOMPARE(at->second.time, sum.time);
    }
    QCOMPARE(found.size(), expected.size());
    QCOMPARE(trace.session.start, Ns{0});
    for (const Problem& problem : trace.info.problems)
        qInfo("%s: %llu", std::string(keyOf(problem.kind)).c_str(),
            static_cast<unsigned long long>(problem.count));
}

void KinetoTracesTest::eventsSayWhatTheySay()
{
    const auto loaded = loadText(traceOf({kernel, call, op},
        R"("deviceProperties": [{"id": 0, "name": "GPU X password=hush-hush", "numSms": 132, "warpSize": 32,
        "maxThreadsPerMultiprocessor": 2048}], "record_shapes": 1, "baseTimeNanoseconds": 1700000000000000000,
        "metadata": {"env": {"MY_SECRET": "hush"}}, "api_key": "hush-hush", "note": "password=hush-hush",
        "trace_id": "AB",)",
        R"(, "distributedInfo": {"rank": "1", "world_size": 4}, "traceName": "a"b]c")"));
    QVERIFY2(loaded.ok(), loaded.ok() ? "" : plain(loaded.error().message).c_str());
    const Trace& trace = *loaded.value();
    QCOMPARE(trace.kernels().size(), std::size_t{1});
    QCOMPARE(trace.kernels().start[0], Ns{12'499}); // from the operator, which comes first
    QCOMPARE(trace.kernels().duration[0], Ns{2'250});
    QCOMPARE(trace.displayName({EventKind::Kernel, 0}), std::string_view("fill"));
    const KernelLaunch& launch = trace.kernels().launch(0);
    QCOMPARE(launch.grid, (Dim3{4, 2, 1}));
    QCOMPARE(launch.registersPerThread, 32);
    QCOMPARE(trace.apiCallOf({EventKind::Kernel, 0}), (EventRef{EventKind::ApiCall, 0}));
    QCOMPARE(pidOf(trace.track({EventKind::Kernel, 0}).owner), 9U); // the process of the calls
    QCOMPARE(
        trace.text(trace.nvtx().attributesOf(0).payload), std::string_view(R"({"Input Dims":[[2, 3], []]})"));
    QCOMPARE(trace.table(EventKind::NvtxProjected).size(), std::size_t{1});
    QCOMPARE(trace.devices.front().maxWarpsPerSm, 64);
    QCOMPARE(trace.devices.front().name, std::string("GPU X password=..."));
    QVERIFY(trace.device(trace.kernels().tracks[0].owner, 0) != nullptr);
    QCOMPARE(trace.info.startedUtcNs, std::int64_t{1'700'000'000'000'088'001});
    QCOMPARE(trace.info.startedUtc, std::string("2023-11-14 22:13:20"));
    QVERIFY(recorderOf(trace.info) == Recorder::PyTorchProfiler);
    QCOMPARE(rankOf(trace.info).rank, std::int64_t{1});
    QCOMPARE(rankOf(trace.info).ranks, std::int64_t{4});
    QCOMPARE(captureFact(trace.info, "record_shapes"), std::string_view("yes"));
    QCOMPARE(captureFact(trace.info, "with_stack"), std::string_view("no"));
    QCOMPARE(valueOfFact(trace.info.system, "api_key"), std::string_view("..."));
    for (const auto& [name, value] : trace.info.system)
        QVERIFY2(value.find("hush") == std::string::npos, name.c_str()); // of environments names alone
}

void KinetoTracesTest::piecesMakeNoDifference()
{
    QList<QByteArray> events;
    for (int i = 0; i < 5000; ++i)
        events << QByteArray(op)
                      .replace("88.001", QByteArray::number(1000 + i * 10))
                      .replace("fill_", "op" + QByteArray::number(i % 7));
    const QByteArray text = traceOf(events);
    const auto one = loadText(text, 1);
    const auto three = loadText(text, 3);
    QVERIFY(one.ok() && three.ok());
    QCOMPARE(one.value()->nvtx().size(), std::size_t{5000});
    QCOMPARE(three.value()->nvtx().start, one.value()->nvtx().start);
    QCOMPARE(three.value()->nvtx().sourceRow, one.value()->nvtx().sourceRow);
    {
        const NoThreads none;
        const auto alone = loadText(text, 3);
        QVERIFY(alone.ok());
        QCOMPARE(alone.value()->nvtx().start, one.value()->nvtx().start);
    }
    const QTemporaryDir folder;
    writeGzip(folder.filePath("t"), text);
    for (const std::size_t bytes : {std::size_t{1}, std::size_t{100}, std::size_t{4096}}) {
        auto source = TextSource::open(folder.filePath("t").toStdString());
        QVERIFY(source.ok());
        EventSplitter splitter(source.value(), bytes);
        EventBlock block;
        std::uint64_t count = 0;
        while (splitter.next(block)) {
            QCOMPARE(block.firstEvent, count);
            for (const auto& [first, last] : block.events) {
                QCOMPARE(block.text[first], '{');
                QCOMPARE(block.text[last - 1], '}');
            }
            count += block.events.size();
            if (bytes == 1 && count > 300)
                break;
        }
        QVERIFY(bytes == 1 || (count == 5000 && splitter.lost() == 0 && !splitter.cutOff()));
    }
}

/// A small file that unpacks to 1.25 GiB of blanks: a part of it is read, and it counts as damaged.
void KinetoTracesTest::unpackingEndsWhereNoTraceGoes()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath("t");
    writeGzip(path, QByteArray(64 << 20, ' '));
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadWrite));
    const QByteArray member = file.readAll();
    for (int i = 1; i < 20; ++i)
        file.write(member);
    file.close();
    auto source = TextSource::open(path.toStdString());
    QVERIFY(source.ok());
    std::vector<char> text(std::size_t{4} << 20U);
    std::uint64_t all = 0;
    while (const std::size_t read = source.value().read(text.data(), text.size()))
        all += read;
    QVERIFY(source.value().damaged());
    QVERIFY(all >= std::uint64_t{1} << 30U && all < std::uint64_t{1100} << 20U);
}

void KinetoTracesTest::unseparatedEventsAreReadAlike()
{
    const QByteArray broken = R"({
    "ph": "X", "cat": "cpu_op", "name": "a"b", "pid": 9, "tid": 9, "ts": 95, "dur": 1
  })";
    QList<QByteArray> events;
    for (int i = 0; i < 20'000; ++i) {
        QByteArray event = QByteArray(op)
                               .replace("88.001", QByteArray::number(1000 + i * 10))
                               .replace("fill_", "op" + QByteArray::number(i % 7))
                               .replace("{\"ph\"", "{\n    \"ph\"");
        events << (i % 997 == 500 ? broken : event);
    }
    const QByteArray indented = traceOf(events);
    const QByteArray otherwise = QByteArray(indented).replace("\n  {", "\n {");
    QVERIFY(indented.size() > 3 << 20);
    const auto whole = loadText(indented);
    const auto apart = loadText(otherwise);
    QVERIFY(whole.ok() && apart.ok());
    const NvtxTable& ranges = whole.value()->nvtx();
    QCOMPARE(ranges.size(), std::size_t{20'000 - 20});
    QCOMPARE(ranges.start, apart.value()->nvtx().start);
    QCOMPARE(ranges.name.size(), apart.value()->nvtx().name.size());
    QCOMPARE(problemCount(*whole.value(), ProblemKind::EventUnreadable), std::uint64_t{20});
    QCOMPARE(problemCount(*apart.value(), ProblemKind::EventUnreadable), std::uint64_t{20});
    // Where nothing is broken, events have the same numbers either way.
    events.removeIf([&](const QByteArray& event) { return event == broken; });
    const auto numbered = loadText(traceOf(events));
    const auto numberedApart = loadText(traceOf(events).replace("\n  {", "\n {"));
    QVERIFY(numbered.ok() && numberedApart.ok());
    QCOMPARE(numbered.value()->nvtx().sourceRow, numberedApart.value()->nvtx().sourceRow);
    QCOMPARE(numbered.value()->nvtx().sourceRow.back(), 20'000U - 20);
}

void KinetoTracesTest::firstRowsComeWhileItIsRead()
{
    QList<QByteArray> events{call, kernel};
    for (int i = 0; i < 20'000; ++i)
        events << QByteArray(op)
                      .replace("88.001", QByteArray::number(1000 + i * 10))
                      .replace("{\"ph\"", "{\n    \"ph\"");
    const QTemporaryDir folder;
    QFile file(folder.filePath("trace.json"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(traceOf(events, R"("deviceProperties": [{"id": 0, "name": "GPU X"}],)"));
    file.close();
    std::vector<std::shared_ptr<const Trace>> snapshots; // of one thread alone, then of the one that joins
    LoadOptions options;
    options.threads = 1;
    options.firstSnapshot = std::chrono::milliseconds(0);
    options.snapshotGrowth = 1;
    options.snapshot = [&](std::shared_ptr<const Trace> trace) { snapshots.push_back(std::move(trace)); };
    const auto loaded = loadReport(file.fileName().toStdString(), options);
    QVERIFY(loaded.ok());
    QVERIFY(snapshots.size() >= 3);
    std::uint64_t count = 0;
    for (const auto& snapshot : snapshots) {
        QVERIFY(!snapshot->complete && !snapshot->links);
        QVERIFY(snapshot->eventCount() > count || snapshot == snapshots.back());
        count = snapshot->eventCount();
        QVERIFY(std::ranges::is_sorted(snapshot->nvtx().start));
        QCOMPARE(snapshot->devices.size(), std::size_t{1});
        QVERIFY(snapshot->session.end
            >= snapshot->nvtx().end(static_cast<EventIndex>(snapshot->nvtx().size() - 1)));
    }
    QVERIFY(snapshots.front()->nvtx().size() < 20'000);
    QCOMPARE(count, std::uint64_t{20'002});
    QVERIFY(loaded.value()->complete);
}

void KinetoTracesTest::brokenEventsAreLostAlone_data()
{
    QTest::addColumn<QByteArray>("broken");
    QTest::addColumn<quint64>("lost");
    QTest::newRow("quote in a name") << QByteArray(R"({"ph": "X", "name": "a"b", "pid": 9,
"ts": 95, "dur": 1})") << quint64{1};
    QTest::newRow("two quotes") << QByteArray(R"({"ph": "X", "name": "a"b"c", "ts": 95, "dur": 1})")
                                << quint64{1};
    QTest::newRow("quote and no new line")
        << QByteArray(R"({"ph": "X", "name": "a"b", "ts": 95})") << quint64{1};
    QTest::newRow("no end") << QByteArray(R"({"ph": "X", "name": "a", "args": {"x": 1})") << quint64{1};
    QTest::newRow("end too many") << QByteArray(R"({"ph": "X", "name": "a", "ts": 95, "dur": 1}})")
                                  << quint64{1};
    QTest::newRow("no time") << QByteArray(R"({"ph": "X", "name": "a", "dur": 1})") << quint64{1};
    QTest::newRow("time is no number")
        << QByteArray(R"({"ph": "X", "name": "a", "ts": nan, "dur": 1})") << quint64{1};
    QTest::newRow("far time") << QByteArray(R"({"ph": "X", "name": "a", "ts": 9000000000000000, "dur": 1})")
                              << quint64{1};
    QTest::newRow("no value") << QByteArray(R"({"ph": "X", "name": , "ts": 95})") << quint64{1};
    QTest::newRow("other things") << QByteArray(R"(7, null, "text", [1, 2])") << quint64{1};
}

void KinetoTracesTest::brokenEventsAreLostAlone()
{
    QFETCH(QByteArray, broken);
    QFETCH(quint64, lost);
    for (const bool oneLine : {false, true}) {
        QByteArray text = traceOf({call, op, broken, kernel, kernel});
        if (oneLine)
            text.replace("\n", "");
        const auto loaded = loadText(text);
        QVERIFY2(loaded.ok(), loaded.ok() ? "" : plain(loaded.error().message).c_str());
        const Trace& trace = *loaded.value();
        QVERIFY(trace.apiCalls().size() == 1);
        std::uint64_t counted = 0;
        for (const Problem& problem : trace.info.problems)
            counted += problem.count;
        QVERIFY(counted >= lost);
        // On one line a quote too many turns all up to the next event round.
        QVERIFY(trace.kernels().size() + (counted - lost) >= 2);
        if (!oneLine)
            QCOMPARE(trace.kernels().size(), std::size_t{2});
    }
}

void KinetoTracesTest::oddTextsAndNumbersAreKept()
{
    const QByteArray odd = QByteArray(R"({"ph": "X", "cat": "cpu_op", "name": "bad)") + "\xFF\xC3(\x80"
        + R"(", "pid": 9, "tid": 9, "ts": 95.5, "dur": nan, "args": {"Comms Id": 18446744073709551615,
        "External id": 99999999999999999999999, "warps per SM": -nan, "occupancy": inf, "Input Dims": [[1]],}})";
    const QByteArray group = R"({"ph": "X", "cat": "cpu_op", "name": "record_param_comms", "pid": 9, "tid": 9,
        "ts": 96, "dur": 1, "args": {"Collective name": "allreduce", "In msg nelems": 1000000, "Group size": 2,
        "dtype": "Float", "Process Group Name": "0", "Process Group Ranks": "[0, 1]", "Rank": 1, "Seq": 7,
        "Comms Id": 15789234561237890123}})";
    const auto loaded = loadText(traceOf({call, op, odd, kernel, group}));
    QVERIFY2(loaded.ok(), loaded.ok() ? "" : plain(loaded.error().message).c_str());
    const Trace& trace = *loaded.value();
    QCOMPARE(trace.kernels().size(), std::size_t{1});
    std::map<std::string, EventIndex> found;
    for (EventIndex i = 0; i < trace.nvtx().size(); ++i)
        found[std::string(trace.name({EventKind::Nvtx, i}))] = i;
    QVERIFY(found.contains("bad\xFF\xC3(\x80"));
    QCOMPARE(trace.nvtx().duration[found["bad\xFF\xC3(\x80"]], Ns{0});
    QCOMPARE(problemCount(trace, ProblemKind::EventWithoutDuration), std::uint64_t{1});
    QCOMPARE(trace.nvtx().attributesOf(found["ncclAllReduce"]).payloadBytes, std::uint64_t{4'000'000});
    const std::string payload(trace.text(trace.nvtx().attributesOf(found["ncclAllReduce"]).payload));
    for (const char* const part : {"\"Sequence number\":7", "\"Data type\":\"Float\"", "\"No. of ranks\":2",
             "\"Rank\":1", "\"NCCL communicator ID\":\"0\""})
        QVERIFY2(payload.find(part) != std::string::npos, part);
}

void KinetoTracesTest::whatIsCutOffIsReadToThere()
{
    const QByteArray text = traceOf({call, op, kernel, kernel});
    for (qsizetype length = 0; length < text.size(); length += 3) {
        const auto loaded = loadText(text.left(length));
        if (length > text.indexOf("["))
            QVERIFY2(loaded.ok(), loaded.ok() ? "" : plain(loaded.error().message).c_str());
        else if (length > 0)
            QCOMPARE(loaded.error().message.key(), std::string_view("file.cut_at_start"));
    }
    const auto loaded = loadText(text.left(text.lastIndexOf("grid")));
    QCOMPARE(loaded.value()->kernels().size(), std::size_t{1});
    QCOMPARE(problemCount(*loaded.value(), ProblemKind::FileIncomplete), std::uint64_t{1});
    QCOMPARE(problemCount(*loaded.value(), ProblemKind::EventUnreadable), std::uint64_t{1});
    const QTemporaryDir folder;
    const QString path = folder.filePath("t.json.gz");
    QList<QByteArray> many(5000, kernel);
    writeGzip(path, traceOf(many));
    QVERIFY(QFile::resize(path, QFileInfo(path).size() / 2));
    const auto half = loadReport(path.toStdString());
    QVERIFY2(half.ok(), half.ok() ? "" : plain(half.error().message).c_str());
    QVERIFY(half.value()->kernels().size() > 1000 && half.value()->kernels().size() < 5000);
    QCOMPARE(problemCount(*half.value(), ProblemKind::PackedFileIncomplete), std::uint64_t{1});
}

void KinetoTracesTest::whatIsNoTraceIsTold()
{
    for (const char* const text : {"{}", "{\"a\": [1]}", "[", "{\"traceEvents\": 7}"}) {
        const auto loaded = loadText(text);
        if (QByteArray(text) != "[")
            QVERIFY2(
                !loaded.ok() && plain(loaded.error().message).find("traceEvents") != std::string::npos, text);
    }
    for (const char* const text : {R"({"warpline_reports": 1, "reports": []})", R"({"warpline_view": 1})"}) {
        const auto loaded = loadText(text);
        QVERIFY2(!loaded.ok() && loaded.error().message.key() == "file.of_window", text);
    }
}

void KinetoTracesTest::workIsOfTheProcessThatLaunchedIt()
{
    // 5 has most events on the host. Both launched number 9: nothing is known of GPU 2.
    const auto loaded = loadText(
        traceOf({launchOf(5, 1), launchOf(5, 2), launchOf(5, 3), launchOf(5, 9), launchOf(6, 4),
                    launchOf(6, 9), workOn(0, "kernel", 1), workOn(1, "kernel", 4), workOn(2, "kernel", 9)},
            threeGpus));
    QVERIFY(loaded.ok());
    const GpusOfPids expected{{0, 5}, {1, 6}, {2, 5}};
    QCOMPARE(gpusOfPids(*loaded.value(), EventKind::Kernel), expected);
    GpusOfPids numbered;
    for (const DeviceOrdinal& ordinal : loaded.value()->ordinals)
        numbered.emplace(ordinal.device, ordinal.pid);
    QCOMPARE(numbered, expected);
    QCOMPARE(loaded.value()->ordinals.size(), expected.size());
    for (const EventIndex call : loaded.value()->links->apiOf[indexOf(EventKind::Kernel)])
        QVERIFY(call != noIndex);
}

void KinetoTracesTest::allOfAGpuIsOfOneProcess()
{
    // 6 launched most work of GPU 1, but not its only copy. Two of three launches on GPU 2 may be of both.
    QList<QByteArray> events{workOn(1, "kernel", 20), workOn(1, "kernel", 21), workOn(1, "gpu_memcpy", 1),
        workOn(1, "gpu_memset", 22), workOn(1, "cuda_sync", 0), workOn(1, "gpu_user_annotation", 0),
        workOn(2, "kernel", 23), workOn(2, "kernel", 9), workOn(2, "kernel", 10),
        R"({"name": "[memory]", "ph": "i", "ts": 150, "pid": 0, "tid": 0, "args": {"Device Type": 1,
            "Device Id": 1, "Bytes": 8, "Addr": 16, "Total Allocated": 8}})"};
    for (int i = 1; i <= 10; ++i)
        events += launchOf(5, i);
    for (const int i : {9, 10, 20, 21, 22, 23})
        events += launchOf(6, i);
    const auto loaded = loadText(traceOf(events, threeGpus));
    QVERIFY(loaded.ok());
    const Trace& trace = *loaded.value();
    QCOMPARE(gpusOfPids(trace, EventKind::Kernel), (GpusOfPids{{1, 6}, {2, 5}}));
    for (const EventKind kind : {EventKind::Memcpy, EventKind::Memset, EventKind::Synchronization,
             EventKind::Nvtx, EventKind::GpuMemory})
        QCOMPARE(gpusOfPids(trace, kind), (GpusOfPids{{1, 6}}));
    const auto allocated = std::ranges::find_if(trace.counters,
        [&](const CounterSeries& series) { return trace.text(series.name) == "Memory in use by PyTorch"; });
    QVERIFY(allocated != trace.counters.end());
    QCOMPARE(pidOf(allocated->owner), 6U);
}

void KinetoTracesTest::workIsOfTheOnlyProcessWithCalls()
{
    QList<QByteArray> events{launchOf(6, 1), workOn(0, "kernel", 1), workOn(1, "kernel", 0)};
    for (int i = 0; i < 5; ++i) // 5 has most events on the host
        events += R"({"name": "read", "cat": "cpu_op", "ph": "X", "ts": 110, "dur": 2, "pid": 5, "tid": 5})";
    const auto loaded = loadText(traceOf(events, threeGpus));
    QVERIFY(loaded.ok());
    QCOMPARE(gpusOfPids(*loaded.value(), EventKind::Kernel), (GpusOfPids{{0, 6}, {1, 6}}));
}

/// ROCm counts its GPUs behind the host's processors: the only one is GPU 0 of the list for each process.
void KinetoTracesTest::memoryOfAnotherProcessIsOfTheListedGpu()
{
    const auto loaded = loadText(traceOf({launchOf(5, 1), workOn(3, "kernel", 1),
                                             R"({"name": "[memory]", "ph": "i", "ts": 150, "pid": 6, "tid": 6,
            "args": {"Device Type": 1, "Device Id": 3, "Bytes": 8, "Addr": 16, "Total Allocated": 8}})"},
        threeGpus));
    QVERIFY(loaded.ok());
    const Trace& trace = *loaded.value();
    QCOMPARE(gpusOfPids(trace, EventKind::GpuMemory), (GpusOfPids{{3, 6}}));
    for (const EventKind kind : {EventKind::Kernel, EventKind::GpuMemory}) {
        const Track& track = trace.table(kind).tracks.front();
        QCOMPARE(gpuNumber(trace, track.owner, track.device), 0);
    }
}

void KinetoTracesTest::otherWriters()
{
    const auto loaded = loadText(R"([
      {"name": "process_name", "ph": "M", "pid": 5, "args": {"name": "prog"}},
      {"name": "thread_name", "ph": "M", "pid": 5, "tid": "io", "args": {"name": "reader"}},
      {"name": "outer", "cat": "c", "ph": "B", "ts": 10, "pid": 5, "tid": "io"},
      {"name": "inner", "ph": "B", "ts": 12, "pid": 5, "tid": "io"},
      {"ph": "E", "ts": 15, "pid": 5, "tid": "io"},
      {"ph": "E", "ts": 20, "pid": 5, "tid": "io"},
      {"ph": "E", "ts": 21, "pid": 5, "tid": "io"},
      {"name": "never", "ph": "B", "ts": 22, "pid": 5, "tid": "io"},
      {"name": "load", "ph": "C", "ts": 11, "pid": 5, "args": {"a": 1, "b": 2.5}},
      {"name": "load", "ph": "C", "ts": 14, "pid": 5, "args": {"a": 3, "b": "x"}},
      {"name": "here", "ph": "i", "ts": 16, "pid": 5, "tid": "io", "s": "t"},
      {"name": "whole", "ph": "X", "ts": 17, "dur": 2, "pid": 5, "tid": "io"},
      {"name": "later", "ph": "b", "id": 1, "ts": 17, "pid": 5, "tid": 6}
    ])");
    QVERIFY2(loaded.ok(), loaded.ok() ? "" : plain(loaded.error().message).c_str());
    const Trace& trace = *loaded.value();
    QVERIFY(recorderOf(trace.info) == Recorder::OtherTracer);
    std::map<std::string_view, TimeRange> found;
    for (EventIndex i = 0; i < trace.nvtx().size(); ++i)
        found[trace.name({EventKind::Nvtx, i})] = trace.nvtx().range(i);
    QCOMPARE(found.size(), std::size_t{5});
    QCOMPARE(found.at("outer"), (TimeRange{0, 10'000}));
    QCOMPARE(found.at("inner"), (TimeRange{2'000, 5'000}));
    QCOMPARE(found.at("whole"), (TimeRange{7'000, 9'000}));
    QCOMPARE(found.at("here"), (TimeRange{6'000, 6'000}));
    QCOMPARE(trace.counters.size(), std::size_t{2});
    QVERIFY(isProgramCounter(trace.counters[0]));
    QCOMPARE(trace.counters[0].values, (std::vector<float>{1, 3}));
    QCOMPARE(trace.counters[1].values, (std::vector<float>{2.5}));
    QCOMPARE(problemCount(trace, ProblemKind::RangeEndWithoutStart), std::uint64_t{1});
    QCOMPARE(problemCount(trace, ProblemKind::RangeOpenInThread), std::uint64_t{1});
    QCOMPARE(problemCount(trace, ProblemKind::EventKindNotShown), std::uint64_t{1});
    QCOMPARE(problemCount(trace, ProblemKind::CounterWithoutNumber), std::uint64_t{1});
    QCOMPARE(trace.text(trace.threads.front().name), std::string_view("reader"));
}

void KinetoTracesTest::openRangesEndWithTheirThread()
{
    const auto loaded = loadText(R"([
      {"name": "early", "ph": "B", "ts": 10, "pid": 5, "tid": 20},
      {"name": "in", "ph": "B", "ts": 12, "pid": 5, "tid": 20},
      {"ph": "E", "ts": 15, "pid": 5, "tid": 20},
      {"name": "work", "ph": "X", "ts": 30, "dur": 10, "pid": 5, "tid": 20},
      {"name": "late", "ph": "B", "ts": 100, "pid": 5, "tid": 10},
      {"ph": "E", "ts": 900, "pid": 5, "tid": 10},
      {"name": "later", "ph": "B", "ts": 1000, "pid": 5, "tid": 30},
      {"ph": "E", "ts": 2000, "pid": 5, "tid": 30}
    ])");
    QVERIFY2(loaded.ok(), loaded.ok() ? "" : plain(loaded.error().message).c_str());
    const NvtxTable& nvtx = loaded.value()->nvtx();
    std::map<std::string_view, TimeRange> found;
    for (EventIndex i = 0; i < nvtx.size(); ++i)
        found[loaded.value()->name({EventKind::Nvtx, i})] = nvtx.range(i);
    QCOMPARE(found.at("early"), (TimeRange{0, 30'000}));
    QCOMPARE(found.at("late"), (TimeRange{90'000, 890'000}));
}

void KinetoTracesTest::countersDifferById()
{
    const auto loaded = loadText(R"([
      {"name": "queue", "ph": "C", "id": "a", "ts": 1, "pid": 5, "args": {"v": 1}},
      {"name": "queue", "ph": "C", "id": 2, "ts": 2, "pid": 5, "args": {"v": 1000, "queue": 7}},
      {"name": "queue", "ph": "C", "id": "a", "ts": 3, "pid": 5, "args": {"v": 3}},
      {"name": "queue", "ph": "C", "ts": 4, "pid": 5, "args": {"v": 5}}
    ])");
    QVERIFY2(loaded.ok(), loaded.ok() ? "" : plain(loaded.error().message).c_str());
    std::map<std::string_view, std::vector<float>> found;
    for (const CounterSeries& series : loaded.value()->counters)
        found[loaded.value()->text(series.name)] = series.values;
    const std::map<std::string_view, std::vector<float>> expected{
        {"queue", {5}}, {"queue[2]", {7}}, {"queue[2] v", {1000}}, {"queue[a]", {1, 3}}};
    QCOMPARE(found, expected);
}

void KinetoTracesTest::theLastNameAndValueOfTheFileCount()
{
    const auto block = [](std::uint64_t firstEvent, const std::string& number) {
        EventBlock made;
        made.text = R"({"ph": "M", "name": "process_name", "pid": 5, "args": {"name": "process)" + number
            + R"("}}, {"ph": "M", "name": "thread_name", "pid": 5, "tid": 6, "args": {"name": "thread)"
            + number + R"("}}, {"ph": "C", "name": "queue", "ts": 9, "pid": 5, "args": {"v": )" + number
            + "}}";
        made.run = {0, made.text.size()};
        made.firstEvent = firstEvent;
        return made;
    };
    const EventBlock early = block(0, "1");
    const EventBlock late = block(3, "2");
    for (const bool isLateFirst : {false, true}) {
        StringPool pool;
        EventReader one(pool, 0);
        EventReader other(pool, 0);
        one.read(isLateFirst ? late : early);
        other.read(isLateFirst ? early : late);
        one.append(std::move(other));
        QCOMPARE(pool[one.processNames.begin()->second.name], std::string_view("process2"));
        QCOMPARE(pool[one.threadNames.begin()->second.name], std::string_view("thread2"));
        const CounterValues& values = one.counters.begin()->second;
        const auto last = std::ranges::max_element(values, {}, &CounterValue::event);
        QCOMPARE(values.size(), std::size_t{2});
        QCOMPARE(last->value, 2.0);
    }
}

/// Of 500 categories, and one of a long name, those that stay are the same whichever thread reads them.
void KinetoTracesTest::categoriesHaveLimits()
{
    const auto block = [](int first) {
        EventBlock made;
        made.text = R"({"ph": "X", "cat": "kernel", "name": "k", "ts": 9, "dur": 1},{"ph": "?", "cat": ")"
            + std::string(mostTableLetters + 1, 'a') + R"("})";
        for (int i = first; i < 500; i += 2)
            made.text += R"(,{"ph": "?", "cat": "a)" + std::to_string(1000 + i) + R"("})";
        made.run = {0, made.text.size()};
        return made;
    };
    for (const int first : {0, 1}) {
        StringPool pool;
        EventReader one(pool, 0);
        EventReader other(pool, 0);
        one.read(block(first));
        other.read(block(1 - first));
        one.append(std::move(other));
        QCOMPARE(one.categories.size(), mostTables);
        QCOMPARE(one.categories.at("kernel").count, std::uint64_t{2});
        QCOMPARE(one.categories.at("a1197").count, std::uint64_t{1});
        QVERIFY(!one.categories.contains("a1198"));
        constexpr std::uint64_t others = 500 - 198 + 2;
        QCOMPARE(one.categories.at(std::string(otherTables)).count, others);
        const auto faultsOf = [&](std::string_view category) {
            return one.faults[{std::string(category), ProblemKind::EventKindNotShown}];
        };
        QCOMPARE(faultsOf("a1197"), std::uint64_t{1});
        QCOMPARE(faultsOf("a1198"), std::uint64_t{0});
        QCOMPARE(faultsOf(otherTables), others);
    }
}

void KinetoTracesTest::fieldsRepeatNoLongName()
{
    const QByteArray name(20'000, 'x');
    const QByteArray before = R"({"ph": "C", "name": ")" + name + R"(", "pid": 5, "ts": 1, "args": )";
    const auto loaded = loadText(traceOf({before + R"({"a": 1, "b": 2}})", before + R"({"a": 3}})"}));
    QVERIFY2(loaded.ok(), loaded.ok() ? "" : plain(loaded.error().message).c_str());
    const Trace& trace = *loaded.value();
    QCOMPARE(trace.counters.size(), std::size_t{3});
    std::size_t bytes = 0;
    for (const CounterSeries& series : trace.counters)
        bytes += trace.text(series.name).size();
    QVERIFY2(bytes < 23'000, std::to_string(bytes).c_str());
}

void KinetoTracesTest::groupsMayHaveAnyName()
{
    for (const QByteArray& name :
        {QByteArray("7"), QByteArray(R"(a\"b\\)"), QByteArray(R"(x\",\"No. of ranks\":64,\"y\":\"z)")}) {
        const QByteArray exchange = R"({"ph": "X", "cat": "cpu_op", "name": "record_param_comms", "pid": 9,
            "tid": 9, "ts": 96, "dur": 1, "args": {"Collective name": "allreduce", "Process Group Name": ")"
            + name + R"("}})";
        const auto loaded = loadText(traceOf({call, kernel, exchange},
            R"("distributedInfo": {"rank": 0, "world_size": 4, "pg_config": [{"pg_name": ")" + name
                + R"(", "pg_size": 4, "ranks": [0, 1, 2, 3]}]}, )"));
        QVERIFY2(loaded.ok(), loaded.ok() ? "" : plain(loaded.error().message).c_str());
        const NcclCalls calls(*loaded.value());
        QCOMPARE(calls.communicators().size(), std::size_t{1});
        const auto& [id, communicator] = *calls.communicators().begin();
        QCOMPARE(id, unescaped(std::string_view(name.data(), static_cast<std::size_t>(name.size()))));
        QCOMPARE(communicator.ranks, std::int64_t{4});
        QCOMPARE(communicator.rank, std::int64_t{0});
    }
}

void KinetoTracesTest::memoryOfTheAllocator()
{
    const QByteArray change
        = R"({"ph": "i", "cat": "cpu_instant_event", "s": "t", "name": "[memory]", "pid": 9,
      "tid": 9, "ts": %1, "args": {"Total Reserved": 4096, "Total Allocated": %2, "Bytes": %3, "Device Id": 0,
      "Device Type": 1, "Addr": 18446744073709551615}})";
    const auto at = [&](int time, int total, int bytes) {
        return QString::fromUtf8(change).arg(time).arg(total).arg(bytes).toUtf8();
    };
    const auto loaded = loadText(traceOf({call, at(91, 512, 512), at(95, 0, -512)}));
    QVERIFY2(loaded.ok(), loaded.ok() ? "" : plain(loaded.error().message).c_str());
    const Trace& trace = *loaded.value();
    const GpuMemoryTable& memory = trace.gpuMemory();
    QCOMPARE(memory.size(), std::size_t{2});
    QVERIFY(memory.operation(0).allocates && !memory.operation(1).allocates);
    QCOMPARE(memory.bytes[1], std::uint64_t{512});
    QCOMPARE(memory.address[0], std::numeric_limits<std::uint64_t>::max());
    QCOMPARE(trace.counters.size(), std::size_t{2});
    QCOMPARE(trace.counters[0].values, (std::vector<float>{512, 0}));
    QCOMPARE(trace.counters[0].device, 0);
}

void KinetoTracesTest::stepsOfTheGpuAreNoneOfTheirOwn()
{
    const auto trace = loadReport(WARPLINE_TEST_DATA "/traces/cnn_workers0.json.gz");
    QVERIFY(trace.ok());
    for (const char* const glob : {"", "step_*"}) {
        const auto series = findStepsOfThreads(*trace.value(), trace.value()->session, glob);
        QCOMPARE(series.size(), std::size_t{1});
        QCOMPARE(series.front().size(), std::size_t{8});
        QCOMPARE(breakDownSteps(*trace.value(), glob).steps.size(), std::size_t{8});
    }
}

void KinetoTracesTest::workInTwoEventsIsAProblem()
{
    const auto loaded = loadText(R"([
      {"name": "op", "cat": "cpu_op", "ph": "X", "ts": 5, "dur": 20, "pid": 5, "tid": 5},
      {"name": "gemm", "cat": "kernel", "ph": "B", "ts": 10, "pid": 0, "tid": 7},
      {"name": "gemm", "cat": "kernel", "ph": "E", "ts": 15, "pid": 0, "tid": 7},
      {"name": "part", "cat": "user_annotation", "ph": "B", "ts": 10, "pid": 5, "tid": 5},
      {"name": "part", "cat": "user_annotation", "ph": "E", "ts": 15, "pid": 5, "tid": 5}
    ])");
    QVERIFY2(loaded.ok(), loaded.ok() ? "" : plain(loaded.error().message).c_str());
    QCOMPARE(problemCount(*loaded.value(), ProblemKind::WorkInTwoEvents), std::uint64_t{1});
    QCOMPARE(explainNoGpuWork(*loaded.value()).what.key(), std::string_view("no_work.two_events"));
}

WARPLINE_TEST(KinetoTracesTest)

} // namespace tst_kineto_traces

#include "tst_kineto_traces.moc"
