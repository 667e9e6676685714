// GPU projections of NVTX ranges: how equal projections nest.

#include "core/derive/nvtx_projection.h"
#include "tests/core/findings/drawn_program.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <limits>
#include <random>

namespace tst_nvtx_projection {

using namespace warpline;
using namespace warpline::test;

class NvtxProjectionTest : public QObject {
    Q_OBJECT

private slots:
    void equalProjectionsNestAsTheirRanges();
    void projectionsEqualBruteForce();
};

void NvtxProjectionTest::equalProjectionsNestAsTheirRanges()
{
    // Three ranges launch one kernel: all are as long on the GPU. Their names were read in another order than
    // they nest, as threads may read them.
    DrawnProgram program;
    for (const char* const name : {"inner", "middle", "outer"}) {
        program.range(name, {0, 10 * us});
        program.kernel("early", 2 * us, {3 * us, 9 * us});
    }
    program.range("outer", {ms, 2 * ms});
    program.range("middle", {ms + us, 2 * ms - us});
    program.range("inner", {ms + 2 * us, 2 * ms - 2 * us});
    program.kernel("work", ms + 3 * us, {ms + 10 * us, ms + 20 * us});
    const auto trace = program.finish();
    const auto table = projectNvtx(*trace, {});
    std::vector<std::string> names;
    for (EventIndex i = 0; i < table->size(); ++i) { // lane by lane
        if (table->start[i] == ms + 10 * us)
            names.emplace_back(trace->text(table->name[i]));
    }
    QCOMPARE(names, (std::vector<std::string>{"outer", "middle", "inner"}));
}

void NvtxProjectionTest::projectionsEqualBruteForce()
{
    std::mt19937 random(5);
    const auto pick = [&](Ns low, Ns high) { return std::uniform_int_distribution<Ns>(low, high)(random); };
    constexpr Ns calls = 6'000;
    DrawnProgram program;
    for (Ns i = 0; i < calls; ++i) {
        const Ns start = calls * 10 + i * 20 + pick(0, 200);
        program.kernel("k", i * 10, {start, start + pick(1, 40)},
            {.stream = static_cast<std::int32_t>(pick(1, 3)),
                .device = static_cast<std::int32_t>(pick(0, 1)),
                .callTime = 5});
    }
    for (int i = 0; i < 400; ++i) { // from no call to all of them
        const Ns start = pick(0, calls * 10);
        program.range("r", {start, start + pick(0, Ns{1} << pick(1, 16))});
    }
    const auto trace = program.finish();
    std::size_t found = 0;
    const std::vector<RangeProjection> projections = projectRanges(*trace);
    for (EventIndex range = 0; range < trace->nvtx().size(); ++range) {
        for (const std::int32_t device : {0, 1}) {
            RangeProjection expected{range, device, {std::numeric_limits<Ns>::max(), 0}, 0};
            for (EventIndex call = 0; call < trace->apiCalls().size(); ++call) {
                const Ns at = trace->apiCalls().start[call];
                if (at < trace->nvtx().start[range] || at > trace->nvtx().end(range))
                    continue;
                for (const EventRef work : trace->workOf({EventKind::ApiCall, call})) {
                    if (trace->track(trace->trackOf(work)).device != device)
                        continue;
                    const TimeRange runs = trace->range(work);
                    expected.projected = {std::min(expected.projected.start, runs.start),
                        std::max(expected.projected.end, runs.end)};
                    ++expected.work;
                }
            }
            if (expected.work == 0)
                continue;
            QVERIFY(found < projections.size());
            const RangeProjection& got = projections[found++];
            QCOMPARE(got.range, expected.range);
            QCOMPARE(got.device, expected.device);
            QCOMPARE(got.work, expected.work);
            QVERIFY(got.projected == expected.projected);
        }
    }
    QCOMPARE(found, projections.size());
    QVERIFY(found > 400);
}

WARPLINE_TEST(NvtxProjectionTest)

} // namespace tst_nvtx_projection

#include "tst_nvtx_projection.moc"
