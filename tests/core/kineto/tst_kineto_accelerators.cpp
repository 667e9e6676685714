// Traces of other makers' accelerators: ROCm's, with PyTorch's CUDA names, and MTIA's, with its own. Each
// shows its data, and makes no claims about missing data.

#include "core/analysis/trace_analysis.h"
#include "core/coverage/gpu_times.h"
#include "core/findings/kernel_judgement.h"
#include "core/findings/rule.h"
#include "core/query/event_text.h"
#include "core/render/render.h"
#include "core/rows/row_kind.h"
#include "core/store/gpu_names.h"
#include "tests/core/kineto/kineto_helpers.h"
#include "tests/support/test_program.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <map>

namespace tst_kineto_accelerators {

using namespace warpline;
using namespace warpline::test;

class KinetoAcceleratorsTest : public QObject {
    Q_OBJECT

private slots:
    void rocmKernelsHaveTheirLaunchAndTheirGpu();
    void rowsOfItsGpuAreNotCudas();
    void olderRocmSaysSizesOtherwise();
    void whatWasAskedForIsNotAskedForAgain();
    void mtiaWorkIsInDomainsOfItsOwn();
    void xlaDetailsAreRead();
    void realTracesShowWhatTheyHave_data();
    void realTracesShowWhatTheyHave();
};

namespace {

/// As ROCm 6 writes it: the device is the agent's number, not that of the list; no registers, no occupancy.
const QByteArray rocm = R"json({"schemaVersion": 1, "roctracer_version": 4.1, "hip_runtime_version": 60443483,
"deviceProperties": [{"id": 0, "name": "AMD Instinct MI300X VF", "totalGlobalMem": 205571227648, "computeMajor": 9,
  "computeMinor": 4, "warpSize": 64, "numSms": 304, "maxSharedMemoryPerMultiProcessor": 65536}],
"traceEvents": [
{"ph": "X", "cat": "cpu_op", "name": "aten::add", "pid": 9, "tid": 9, "ts": 10.000, "dur": 20.000, "args": {"External id": 7}},
{"ph": "X", "cat": "cuda_runtime", "name": "hipLaunchKernel", "pid": 9, "tid": 9, "ts": 12.000, "dur": 3.000,
 "args": {"External id": 7, "cid": 1, "correlation": 2, "kernel": "add", "grid": [8, 1, 1], "block": [256, 1, 1], "stream": "0x0"}},
{"ph": "X", "cat": "kernel", "name": "void add<float>(float*)", "pid": 2, "tid": 0, "ts": 20.500, "dur": 6.239,
 "args": {"device": 2, "stream": 0, "correlation": 2, "kind": "Dispatch Kernel", "grid": [8, 2, 1], "block": [256, 1, 1]}},
{"ph": "X", "cat": "cuda_runtime", "name": "hipMemcpyWithStream", "pid": 9, "tid": 9, "ts": 40.000, "dur": 60.000,
 "args": {"External id": 8, "stream": "0x0", "cid": 153, "correlation": 3, "src": "0x55674ecd4180", "dst": "0x7fda0e810200", SIZE "kind": "1"}},
{"ph": "X", "cat": "gpu_memcpy", "name": "NAME", "pid": 2, "tid": 0, "ts": 50.000, "dur": 22.441,
 "args": {"device": 2, "stream": 0, "correlation": 3, "kind": "HtoD"COPIED}}
]})json";

QByteArray rocmWith(const QByteArray& name, const QByteArray& copied)
{
    return QByteArray(rocm)
        .replace("NAME", name)
        .replace("COPIED", copied)
        .replace("SIZE ", R"("size": "2560", )");
}

/// Whether `event` is work of an MTIA's processing elements.
bool isMtiaProgram(const QJsonObject& event)
{
    const QString name = event["name"].toString();
    return event["cat"].toString() == "mtia_ccp_events" && !name.startsWith("event_")
        && name != "dma_request";
}

/// The rules with findings in `trace`.
std::vector<std::string> rulesOf(const Trace& trace)
{
    std::vector<std::string> rules;
    for (const Finding& finding : runRules(trace, trace.session))
        rules.emplace_back(finding.rule);
    return rules;
}

} // namespace

void KinetoAcceleratorsTest::rocmKernelsHaveTheirLaunchAndTheirGpu()
{
    const auto loaded = loadText(rocmWith(
        "Memcpy HtoD (Host -> Device)", R"json(, "bytes": 2560, "memory bandwidth (GB/s)": 0.1)json"));
    QVERIFY2(loaded.ok(), loaded.ok() ? "" : plain(loaded.error().message).c_str());
    const Trace& trace = *loaded.value();
    QCOMPARE(trace.kernels().size(), std::size_t{1});
    const EventRef kernel{EventKind::Kernel, 0};
    QCOMPARE(trace.range(kernel).duration(), 6239);
    const KernelLaunch& launch = trace.kernels().launch(0);
    QCOMPARE(launch.grid.y, 2);
    QCOMPARE(launch.block.x, 256);
    QCOMPARE(launch.registersPerThread, 0);
    const EventRef call = trace.apiCallOf(kernel);
    QVERIFY(call.valid());
    QCOMPARE(trace.name(call), std::string_view("hipLaunchKernel"));
    QCOMPARE(trace.workOf(call).size(), std::size_t{1});
    // The agent has the number 2, the list the number 0.
    const Track& track = trace.kernels().trackOf(0);
    QCOMPARE(gpuNumber(trace, track.owner, track.device), 0);
    QCOMPARE(trace.devices.size(), std::size_t{1});
    QCOMPARE(trace.devices[0].name, std::string("AMD Instinct MI300X VF"));
    QCOMPARE(trace.devices[0].threadsPerWarp, 64);
    QCOMPARE(trace.devices[0].multiprocessors, 304);

    QCOMPARE(trace.memcpys().size(), std::size_t{1});
    QCOMPARE(trace.memcpys().copy(0).kind, CopyKind::HtoD);
    QCOMPARE(trace.memcpys().bytes[0], 2560U);
    QCOMPARE(trace.name(trace.apiCallOf({EventKind::Memcpy, 0})), std::string_view("hipMemcpyWithStream"));
    // Unknown data is not shown: no registers or occupancy of 0.
    for (const TextRow& row : detailsOf(trace, kernel)) {
        const std::string label = plain(row.label);
        QVERIFY2(label != "Registers" && label != "Occupancy", label.c_str());
    }
} // namespace

void KinetoAcceleratorsTest::rowsOfItsGpuAreNotCudas()
{
    const auto labelIn = [](const QByteArray& text) {
        const auto loaded = loadText(text);
        const auto rows = buildRows(*loaded.value());
        for (std::uint32_t i = 0; i < rows->size(); ++i) {
            if (plain(rows->row(RowId{i}).label).find("GPU 2") != std::string::npos)
                return QString::fromStdString(plain(rows->row(RowId{i}).label));
        }
        return QString();
    };
    const QByteArray named = rocmWith("Memcpy HtoD (Host -> Device)", "").replace("\"id\": 0", "\"id\": 2");
    QCOMPARE(labelIn(named), QString("GPU 2 (AMD Instinct MI300X VF)"));
    QCOMPARE(labelIn(QByteArray(named).replace("AMD Instinct MI300X VF", "")), QString("GPU 2"));
}

void KinetoAcceleratorsTest::olderRocmSaysSizesOtherwise()
{
    const auto loaded = loadText(rocmWith("CopyHostToDevice", R"(, "size": 4096)"));
    QVERIFY(loaded.ok());
    const Trace& trace = *loaded.value();
    QCOMPARE(trace.memcpys().size(), std::size_t{1});
    QCOMPARE(trace.memcpys().copy(0).kind, CopyKind::HtoD); // by its kind
    QCOMPARE(trace.memcpys().bytes[0], 4096U);
    const auto silent = loadText(rocmWith("Memcpy HtoD (Host -> Device)", ""));
    QVERIFY(silent.ok());
    QCOMPARE(silent.value()->memcpys().bytes[0], 0U); // unknown
}

void KinetoAcceleratorsTest::whatWasAskedForIsNotAskedForAgain()
{
    const auto adviceOf = [](const QByteArray& trace) {
        const auto loaded = loadText(trace);
        std::string advice;
        for (const Finding& finding : runRules(*loaded.value(), loaded.value()->session)) {
            if (finding.rule == "capture_quality")
                advice += plain(finding.remedy);
        }
        return QString::fromStdString(advice);
    };
    QByteArray trace = rocmWith("Memcpy HtoD (Host -> Device)", "");
    QVERIFY(adviceOf(trace).contains("profile_memory=True"));
    trace.replace(R"({"schemaVersion": 1,)", R"({"schemaVersion": 1, "profile_memory": 1, "with_stack": 1,)");
    QVERIFY(!adviceOf(trace).contains("profile_memory") && !adviceOf(trace).contains("with_stack"));
}

void KinetoAcceleratorsTest::mtiaWorkIsInDomainsOfItsOwn()
{
    const auto loaded = loadText(R"({"schemaVersion": 1,
"deviceProperties": [{"id": 17, "name": "ARTEMIS", "runtimeMajorVersion": 1, "maxGridHeight": 8, "maxGridWidth": 8}],
"traceEvents": [
{"ph": "X", "cat": "cpu_op", "name": "aten::narrow", "pid": 865, "tid": 1837, "ts": 1.000, "dur": 30.000, "args": {}},
{"ph": "X", "cat": "mtia_runtime", "name": "recordEvent", "pid": 865, "tid": 1837, "ts": 5.000, "dur": 6.440,
 "args": {"correlation": 21600000, "device": 17, "stream_id": "108", "cmd_name": "Event#4146851"}},
{"ph": "X", "cat": "mtia_ccp_events", "name": "event_wait", "pid": 17, "tid": 3774, "ts": 20.000, "dur": 15863.105,
 "args": {"stream": 108, "wait_on_stream": 104, "seq_num": 550218, "sqid": 11, "host_ctx": 1}},
{"ph": "X", "cat": "mtia_ccp_events", "name": "pe_exe", "pid": 17, "tid": 3910, "ts": 30.000, "dur": 6.000,
 "args": {"stream": 112, "column": "0", "row": "0"}},
{"ph": "X", "cat": "mtia_ccp_events", "name": "dma_request", "pid": 17, "tid": 3911, "ts": 34.000, "dur": 4.000,
 "args": {"stream": 113}},
{"ph": "X", "cat": "mtia_insight", "name": "queue", "pid": 17, "tid": 1, "ts": 40.000, "dur": 2.000, "args": {}}
]})");
    QVERIFY2(loaded.ok(), loaded.ok() ? "" : plain(loaded.error().message).c_str());
    const Trace& trace = *loaded.value();
    QCOMPARE(trace.devices.size(), std::size_t{1});
    QCOMPARE(trace.devices[0].name, std::string("ARTEMIS"));
    std::map<std::string, std::vector<std::string>> byDomain;
    const NvtxTable& nvtx = trace.nvtx();
    for (EventIndex i = 0; i < nvtx.size(); ++i)
        byDomain[std::string(trace.text(nvtx.trackOf(i).family))].emplace_back(trace.text(nvtx.name[i]));
    using Names = std::vector<std::string>;
    QCOMPARE(trace.apiCalls().size(), std::size_t{1});
    QCOMPARE(trace.name({EventKind::ApiCall, 0}), std::string_view("recordEvent"));
    QCOMPARE(byDomain["mtia_ccp_events"], Names{"event_wait"});
    QCOMPARE(byDomain["mtia_insight"], Names{"queue"});
    QCOMPARE(trace.kernels().size(), std::size_t{1});
    QCOMPARE(trace.memcpys().size(), std::size_t{1});
    const Track& stream = trace.kernels().trackOf(0);
    QCOMPARE(stream.device, 17);
    QCOMPARE(stream.stream, 112);
    QCOMPARE(gpuName(trace, stream.owner, 17), std::string("MTIA 17"));
    QCOMPARE(gpuApiName(trace), std::string_view("MTIA"));
    // Busy from the program's start to the end of the copy; waits for events are no work.
    const TimeRange whole{trace.session.start, trace.session.end + 1};
    const auto times = gpuTimes(trace, whole);
    QCOMPARE(times.size(), std::size_t{1});
    const GpuSplit split = splitOf(times.begin()->second, whole);
    QCOMPARE(split.computing, Ns{6'000});
    QCOMPARE(split.copying, Ns{2'000});
    QCOMPARE(trace.info.problems.size(), std::size_t{0});
    // No CUDA there: no finding claims missing launches.
    for (const std::string& rule : rulesOf(trace))
        QVERIFY2(
            rule == "capture_quality" || rule == "top_kernels" || rule.starts_with("host"), rule.c_str());
}

/// JAX and TensorFlow write no categories: a process represents a device, and arguments are the kind of an
/// event.
void KinetoAcceleratorsTest::xlaDetailsAreRead()
{
    const auto loaded
        = loadText(R"json({"displayTimeUnit":"ns","metadata":{"highres-ticks":true},"traceEvents":[
{"ph":"M","pid":1,"name":"process_name","args":{"name":"/device:GPU:0"}},
{"ph":"M","pid":1,"tid":13,"name":"thread_name","args":{"name":"Stream #13(Compute)"}},
{"ph":"M","pid":701,"name":"process_name","args":{"name":"/host:CPU"}},
{"ph":"X","pid":1,"tid":13,"ts":20.5,"dur":4,"name":"fusion_1","args":{"correlation_id":"77","hlo_op":"fusion.1",
 "kernel_details":"regs:32 static_shared:16 dynamic_shared:8 grid:4,2,1 block:64,1,1 occ_pct:50"}},
{"ph":"X","pid":1,"tid":14,"ts":12,"dur":3,"name":"MemcpyH2D","args":{"correlation_id":"76",
 "memcpy_details":"kind_src:pageable kind_dst:device size:4096 dest:0 async:1"}},
{"ph":"X","pid":1,"tid":99,"ts":20,"dur":5,"name":"jit_f","args":{"run_id":"1"}},
{"ph":"X","pid":1,"tid":98,"ts":20,"dur":5,"name":"fusion.1","args":{}},
{"ph":"X","pid":701,"tid":5,"ts":18,"dur":2,"name":"cuLaunchKernel","args":{"correlation_id":"77"}}
]})json");
    QVERIFY(loaded.ok());
    const Trace& trace = *loaded.value();
    QCOMPARE(trace.kernels().size(), std::size_t{1});
    QCOMPARE(trace.kernels().launch(0).grid, (Dim3{4, 2, 1}));
    QCOMPARE(trace.kernels().launch(0).block, (Dim3{64, 1, 1}));
    QCOMPARE(trace.kernels().launch(0).registersPerThread, 32);
    QCOMPARE(trace.kernels().launch(0).staticSharedMemory, 16);
    QCOMPARE(trace.kernels().tracks.front().stream, 13);
    QCOMPARE(trace.name(trace.apiCallOf({EventKind::Kernel, 0})), std::string_view("cuLaunchKernel"));
    QCOMPARE(trace.memcpys().copy(0).kind, CopyKind::HtoD);
    QCOMPARE(trace.memcpys().copy(0).source, MemoryKind::Pageable);
    QCOMPARE(trace.memcpys().bytes.front(), std::uint64_t{4096});
    QCOMPARE(trace.nvtx().size(), std::size_t{2});
    QCOMPARE(trace.device(trace.kernels().tracks.front().owner, 1)->name, std::string("/device:GPU:0"));
}

void KinetoAcceleratorsTest::realTracesShowWhatTheyHave_data()
{
    QTest::addColumn<QString>("path");
    for (const char* const name :
        {"hta_amd_mi250", "tl_mi210_gpu_only", "tl_mi300_qwen", "hta_mtia_inference"}) {
        const QString path = QString(WARPLINE_SHARED_REPORTS "/kineto/public/%1.json.gz").arg(name);
        if (QFile::exists(path))
            QTest::addRow("%s", name) << path;
    }
    if (!QFile::exists(WARPLINE_SHARED_REPORTS "/kineto/public/tl_mi300_qwen.json.gz"))
        QSKIP("needs ../shared/reports, which is not there");
}

void KinetoAcceleratorsTest::realTracesShowWhatTheyHave()
{
    QFETCH(QString, path);
    const auto loaded = loadReport(path.toStdString());
    QVERIFY(loaded.ok());
    const Trace& trace = *loaded.value();
    // Compared with Qt's reader.
    std::map<QString, std::size_t> events;
    std::map<int, std::size_t> kernelsOfCall;
    std::size_t linked = 0;
    const QJsonObject root = QJsonDocument::fromJson(contentOfGzip(path)).object();
    for (const QJsonValue& value : root["traceEvents"].toArray()) {
        const QJsonObject event = value.toObject();
        const QString category = event["cat"].toString();
        if (event["ph"].toString() != "X")
            continue;
        ++events[category];
        if (isMtiaProgram(event))
            ++events["kernel"];
        if (category == "cuda_runtime" || category == "mtia_runtime")
            kernelsOfCall[event["args"].toObject()["correlation"].toInt(-1)] = 0;
    }
    for (const QJsonValue& value : root["traceEvents"].toArray()) {
        const QJsonObject event = value.toObject();
        if (event["cat"].toString() == "kernel" || isMtiaProgram(event))
            linked += kernelsOfCall.contains(event["args"].toObject()["correlation"].toInt(-2)) ? 1 : 0;
    }
    QCOMPARE(trace.kernels().size(), events["kernel"]);
    std::size_t withCall = 0;
    for (EventIndex i = 0; i < trace.kernels().size(); ++i) {
        withCall += trace.apiCallOf({EventKind::Kernel, i}).valid() ? 1 : 0;
        const Track& track = trace.kernels().trackOf(i);
        const std::int32_t gpu = gpuNumber(trace, track.owner, track.device);
        QVERIFY(std::ranges::find(trace.devices, gpu, &Device::id) != trace.devices.end());
    }
    QCOMPARE(withCall, linked);
    for (const auto& [category, count] : events) {
        if (!category.startsWith("mtia"))
            continue;
        std::size_t found = 0;
        for (EventIndex i = 0; i < trace.nvtx().size(); ++i)
            found += trace.text(trace.nvtx().trackOf(i).family) == category.toStdString() ? 1 : 0;
        for (const EventKind kind : {EventKind::Kernel, EventKind::Memcpy, EventKind::ApiCall}) {
            for (const Track& track : trace.table(kind).tracks)
                found += trace.text(track.source) == category.toStdString() ? track.eventCount : 0;
        }
        QCOMPARE(found, count);
    }
    for (const Device& device : trace.devices)
        QVERIFY(!device.name.empty());
    QVERIFY(gpuMakerOf(trace) != GpuMaker::Nvidia);
    if (gpuMakerOf(trace) == GpuMaker::Amd && !trace.kernels().empty()) {
        TraceAnalysis analysis(trace, trace.session, {});
        const std::vector<KernelFact> facts = judgeKernel(analysis, 0);
        QVERIFY(plain(facts.back().text).find("rocprof-compute") != std::string::npos);
    }
    for (const Finding& finding : runRules(trace, trace.session)) {
        // No advice to use NVIDIA's tools for another maker's GPU.
        for (const char* const tool : {"nsys", "Nsight", "ncu "}) {
            for (const std::string& text : {plain(finding.remedy), plain(finding.message)})
                QVERIFY2(text.find(tool) == std::string::npos, (finding.rule.data() + (": " + text)).c_str());
        }
    }
}

WARPLINE_TEST(KinetoAcceleratorsTest)

} // namespace tst_kineto_accelerators

#include "tst_kineto_accelerators.moc"
