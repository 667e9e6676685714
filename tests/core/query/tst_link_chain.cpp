// Along the chain launch, GPU work, wait, and back.

#include "core/query/link_chain.h"
#include "tests/core/findings/drawn_program.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_link_chain {

using namespace warpline;
using namespace warpline::test;

class LinkChainTest : public QObject {
    Q_OBJECT

private slots:
    void goesFromLaunchToWait();
    void goesBack();
    void followsWaitsOfStreams();
    void endsWhereNothingFollows();
    void callsWithoutWorkLeadNowhere();
};

namespace {

/// A launch at 0, its kernel until 50, a wait from 10 to 52; a second launch at 60.
std::shared_ptr<const Trace> program()
{
    DrawnProgram drawn;
    drawn.kernel("gemm", 0, {20 * us, 50 * us});
    drawn.call("cudaStreamSynchronize_v3020", {10 * us, 52 * us});
    drawn.kernel("softmax", 60 * us, {70 * us, 80 * us});
    return drawn.finish();
}

std::string_view nameOf(const Trace& trace, EventRef event)
{
    return event.valid() ? trace.displayName(event) : std::string_view();
}

EventRef kernelNamed(const Trace& trace, std::string_view name)
{
    for (EventIndex i = 0; i < trace.kernels().size(); ++i) {
        if (trace.displayName({EventKind::Kernel, i}) == name)
            return {EventKind::Kernel, i};
    }
    return {};
}

} // namespace

void LinkChainTest::goesFromLaunchToWait()
{
    const auto trace = program();
    const EventRef gemm = kernelNamed(*trace, "gemm");
    const EventRef launch = trace->apiCallOf(gemm);
    QCOMPARE(nextInChain(*trace, launch), gemm);
    const EventRef wait = nextInChain(*trace, gemm);
    QVERIFY(nameOf(*trace, wait).starts_with("cudaStreamSynchronize"));
    // From a wait the next launch of the thread.
    const EventRef second = nextInChain(*trace, wait);
    QCOMPARE(nextInChain(*trace, second), kernelNamed(*trace, "softmax"));
}

void LinkChainTest::goesBack()
{
    const auto trace = program();
    const EventRef gemm = kernelNamed(*trace, "gemm");
    const EventRef wait = nextInChain(*trace, gemm);
    QCOMPARE(previousInChain(*trace, wait), gemm);
    QCOMPARE(previousInChain(*trace, gemm), trace->apiCallOf(gemm));
    QCOMPARE(previousInChain(*trace, trace->apiCallOf(kernelNamed(*trace, "softmax"))), wait);
    QVERIFY(!previousInChain(*trace, trace->apiCallOf(gemm)).valid());
}

void LinkChainTest::followsWaitsOfStreams()
{
    DrawnProgram drawn;
    drawn.kernel("producer", 0, {5 * us, 50 * us}, {.stream = 7});
    drawn.record(7, 6 * us, 9);
    drawn.streamWait(13, 8 * us, 9);
    drawn.kernel("consumer", 10 * us, {51 * us, 60 * us}, {.stream = 13});
    const auto trace = drawn.finish();
    const EventRef producer = kernelNamed(*trace, "producer");
    const EventRef consumer = kernelNamed(*trace, "consumer");
    QCOMPARE(nextInChain(*trace, producer), consumer);
    QCOMPARE(previousInChain(*trace, consumer), producer);
}

void LinkChainTest::endsWhereNothingFollows()
{
    const auto trace = program();
    QVERIFY(!nextInChain(*trace, kernelNamed(*trace, "softmax")).valid()); // nothing waits for it
    QVERIFY(!nextInChain(*trace, {EventKind::Nvtx, 0}).valid());
    QVERIFY(!previousInChain(*trace, {EventKind::OsRuntime, 0}).valid());
}

void LinkChainTest::callsWithoutWorkLeadNowhere()
{
    DrawnProgram drawn;
    drawn.call("cudaStreamSynchronize_v3020", {0, 5 * us});
    drawn.call("cuInit", {10 * us, 20 * us});
    drawn.kernel("gemm", 400 * us, {420 * us, 450 * us});
    const auto trace = drawn.finish();
    for (EventIndex i = 0; i < trace->apiCalls().size(); ++i) {
        const EventRef call{EventKind::ApiCall, i};
        if (trace->name(call) != "cuInit")
            continue;
        QVERIFY(!nextInChain(*trace, call).valid());
        QVERIFY(!previousInChain(*trace, call).valid());
    }
}

WARPLINE_TEST(LinkChainTest)

} // namespace tst_link_chain

#include "tst_link_chain.moc"
