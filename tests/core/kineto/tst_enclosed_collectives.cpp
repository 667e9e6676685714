// Collectives that NCCL runs as sends and receives: the operator or range around the launch shows the
// operation. Others stay sends and receives.

#include "core/across/judge_ranks.h"
#include "core/analysis/collectives.h"
#include "core/analysis/trace_analysis.h"
#include "core/derive/nccl_calls.h"
#include "core/kernels/kernel_names.h"
#include "tests/core/kineto/kineto_helpers.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <fmt/format.h>

#include <map>

namespace tst_enclosed_collectives {

using namespace warpline;
using namespace warpline::test;

class EnclosedCollectivesTest : public QObject {
    Q_OBJECT

private slots:
    void rangesNameCollectives();
    void theRangeAroundTheLaunchTells_data();
    void theRangeAroundTheLaunchTells();
    void oneTraceHasAllKinds();
    void ranksOfAnAllToAllAreMatched();
    void aGroupMayLaunchManyKernels();
};

namespace {

const QString folder = WARPLINE_SHARED_REPORTS "/../traces/alltoall/";

QByteArray traceWith(const char* category, const char* range)
{
    return QByteArray::fromStdString(fmt::format(R"json({{"schemaVersion": 1, "traceEvents": [
{{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#1", "pid": 9, "tid": 9, "ts": 1, "dur": 90, "args": {{}}}},
{{"ph": "X", "cat": "{}", "name": "{}", "pid": 9, "tid": 9, "ts": 10, "dur": 20, "args": {{}}}},
{{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernelExC", "pid": 9, "tid": 9, "ts": 12, "dur": 3, "args": {{"correlation": 2}}}},
{{"ph": "X", "cat": "kernel", "name": "ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)", "pid": 0, "tid": 7, "ts": 40, "dur": 6,
 "args": {{"device": 0, "stream": 7, "correlation": 2}}}}
]}})json",
        category, range));
}

} // namespace

void EnclosedCollectivesTest::rangesNameCollectives()
{
    const std::map<std::string, std::string> expected{{"nccl:all_to_all", "all-to-all"},
        {"c10d::alltoall_base_", "all-to-all"}, {"ncclAllToAll", "all-to-all"},
        {"ncclAlltoAll", "all-to-all"}, {"nccl:_reduce_scatter_base", "reduce-scatter"},
        {"c10d::_allgather_base_", "all-gather"}, {"nccl:all_reduce", "all-reduce"}, {"nccl:send 0->1", ""},
        {"c10d::recv_", ""}, {"ncclSend", ""}, {"ncclGroupEnd", ""}, {"nccl:coalesced", ""},
        {"my all_to_all", ""}};
    for (const auto& [name, operation] : expected)
        QVERIFY2(collectiveOfRange(name).operation == operation, name.c_str());
}

void EnclosedCollectivesTest::theRangeAroundTheLaunchTells_data()
{
    QTest::addColumn<QByteArray>("trace");
    QTest::addColumn<QString>("operation");
    QTest::newRow("range") << traceWith("user_annotation", "nccl:all_to_all") << "all-to-all";
    QTest::newRow("operator") << traceWith("cpu_op", "c10d::alltoall_base_") << "all-to-all";
    QTest::newRow("send") << traceWith("user_annotation", "nccl:send 0->1") << "send and receive";
    QTest::newRow("own") << traceWith("user_annotation", "all_to_all") << "send and receive";
}

void EnclosedCollectivesTest::theRangeAroundTheLaunchTells()
{
    QFETCH(QByteArray, trace);
    QFETCH(QString, operation);
    const auto loaded = loadText(trace);
    QVERIFY(loaded.ok());
    const KernelCommunication found = NcclCalls(*loaded.value()).communicationOf(0);
    QCOMPARE(QString::fromUtf8(found.operation.data()), operation);
    TraceAnalysis facts(*loaded.value(), loaded.value()->session, {});
    const CommunicationWork& work = facts.communication(facts.window());
    const bool collective = operation == "all-to-all";
    QCOMPARE(work.collectives.size(), collective ? std::size_t{1} : std::size_t{0});
    QCOMPARE(work.pointToPoint.size(), collective ? std::size_t{0} : std::size_t{1});
}

void EnclosedCollectivesTest::oneTraceHasAllKinds()
{
    const QString path = folder + "hta_negative_queue.json.gz";
    if (!QFile::exists(path))
        QSKIP("needs ../shared/traces, which is not there");
    const auto loaded = loadReport(path.toStdString());
    QVERIFY(loaded.ok());
    const NcclCalls calls(*loaded.value());
    std::map<std::string, int> counts;
    for (EventIndex i = 0; i < loaded.value()->kernels().size(); ++i)
        ++counts[std::string(calls.communicationOf(i).operation)];
    counts.erase("");
    // Five were launched before the trace begins.
    QCOMPARE(counts,
        (std::map<std::string, int>{{"all-to-all", 45}, {"all-reduce", 10}, {"all-gather", 10},
            {"reduce-scatter", 10}, {"send and receive", 5}}));
}

void EnclosedCollectivesTest::ranksOfAnAllToAllAreMatched()
{
    std::vector<ReportSummary> summaries;
    for (int rank = 0; rank < 8; ++rank) {
        const QString path = folder + QString("dlrm_rank%1.json.gz").arg(rank);
        if (!QFile::exists(path))
            QSKIP("needs ../shared/traces, which is not there");
        const auto loaded = loadReport(path.toStdString());
        QVERIFY(loaded.ok());
        summaries.push_back(summarize(*loaded.value(), path.toStdString()));
    }
    const AcrossReport across = judgeSummaries(summaries);
    QVERIFY(across.judged);
    QCOMPARE(across.ranks.size(), std::size_t{8});
    Ns waited = 0;
    for (const AcrossRank& rank : across.ranks) {
        QCOMPARE(rank.exchanges, std::size_t{8});
        waited += rank.wait;
    }
    const AcrossRank& last = across.ranks[7];
    QCOMPARE(last.rank, 7);
    QCOMPARE(last.lastCount, std::size_t{5});
    QCOMPARE(last.blame / 100'000, Ns{355});
    QCOMPARE(waited / 100'000, Ns{468});
}

/// Kernels times members is the square of what is recorded.
void EnclosedCollectivesTest::aGroupMayLaunchManyKernels()
{
    constexpr std::size_t sends = 20'000; // of which the last 16,384 count
    constexpr std::size_t kernels = 40;
    std::string events;
    const auto add = [&](std::string_view category, std::string_view name, std::size_t at, double length,
                         std::string_view arguments) {
        events += fmt::format(
            R"json({}{{"ph": "X", "cat": "{}", "name": "{}", "pid": 9, "tid": 9, "ts": {}, "dur": {}, "args": {{{}}}}})json",
            events.empty() ? "" : ",\n", category, name, at, length, arguments);
    };
    for (std::size_t i = 0; i < sends; ++i)
        add("nvtx", "ncclSend", 10 + i, 0.5, R"("domain": "NCCL")");
    add("nvtx", "ncclGroupEnd", 100'000, 2 * kernels, R"("domain": "NCCL")");
    for (std::size_t i = 0; i < kernels; ++i) {
        add("cuda_runtime", "cudaLaunchKernel", 100'001 + i, 0.5, fmt::format(R"("correlation": {})", i + 1));
        add("kernel", "ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)", 200'000 + i, 0.5,
            fmt::format(R"("device": 0, "stream": 7, "correlation": {})", i + 1));
    }
    const auto loaded
        = loadText(QByteArray::fromStdString(R"({"schemaVersion": 1, "traceEvents": [)" + events + "]}"));
    QVERIFY(loaded.ok());
    const NcclCalls calls(*loaded.value());
    QCOMPARE(calls.of(0).size(), std::size_t{16'384});
    const NcclCalls::Operation* const first = calls.of(0).data();
    QCOMPARE(calls.of(kernels - 1).data(), first); // not read again
    const ReportSummary summary = summarize(*loaded.value(), "group.json");
    QCOMPARE(summary.participants.size(), std::size_t{1});
    QCOMPARE(summary.participants.front().exchanges.size(), kernels);
    QCOMPARE(summary.participants.front().peers.size(), std::size_t{16'384});
    for (const Exchange& each : summary.participants.front().exchanges)
        QCOMPARE(each.peers, std::uint32_t{16'384});
}

WARPLINE_TEST(EnclosedCollectivesTest)

} // namespace tst_enclosed_collectives

#include "tst_enclosed_collectives.moc"
