// Steps from event to event of a row, compared with a loop over all events.

#include "core/query/row_walk.h"

#include "core/derive/nvtx_projection.h"
#include "core/query/link_chain.h"
#include "core/query/partners.h"
#include "tests/core/findings/drawn_program.h"
#include "tests/support/random_trace.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>

namespace tst_row_walk {

using namespace warpline;
using namespace warpline::test;

class RowWalkTest : public QObject {
    Q_OBJECT

private slots:
    void neighboursAreThoseByStart();
    void lanesOfNestedRangesAreKept();
    void acrossLanesIsParentAndChild();
    void entersWhereTheTimeIs();
    void nearestOutsideIsNearest();
    void rangesKnowWhatShowsThemOnTheGpu();
};

namespace {

Row rowOf(const Trace& trace, EventKind kind, Drawing drawing)
{
    Row row;
    row.drawing = drawing;
    for (std::uint32_t i = 0; i < trace.table(kind).tracks.size(); ++i)
        row.tracks.push_back({kind, i});
    return row;
}

std::vector<EventRef> byStart(const Trace& trace, EventKind kind)
{
    std::vector<EventRef> all;
    for (EventIndex i = 0; i < trace.table(kind).size(); ++i)
        all.push_back({kind, i});
    std::ranges::sort(all, [&](EventRef a, EventRef b) {
        return std::pair(trace.range(a).start, a) < std::pair(trace.range(b).start, b);
    });
    return all;
}

Ns distance(TimeRange range, Ns time)
{
    return time < range.start ? range.start - time : time >= range.end ? time - range.end + 1 : 0;
}

EventRef rangeNamed(const Trace& trace, std::string_view name)
{
    for (EventIndex i = 0; i < trace.nvtx().size(); ++i) {
        if (trace.name({EventKind::Nvtx, i}) == name)
            return {EventKind::Nvtx, i};
    }
    return {};
}

} // namespace

void RowWalkTest::neighboursAreThoseByStart()
{
    std::mt19937 random(7);
    for (int round = 0; round < 20; ++round) {
        const auto trace = traceWith(randomTable(random, EventKind::Memset, 3, 60, true));
        const Row row = rowOf(*trace, EventKind::Memset, Drawing::Summary);
        const std::vector<EventRef> all = byStart(*trace, EventKind::Memset);
        for (std::size_t i = 0; i < all.size(); ++i) {
            QCOMPARE(neighbourIn(*trace, row, all[i], true), i + 1 < all.size() ? all[i + 1] : EventRef());
            QCOMPARE(neighbourIn(*trace, row, all[i], false), i > 0 ? all[i - 1] : EventRef());
        }
    }
}

void RowWalkTest::lanesOfNestedRangesAreKept()
{
    DrawnProgram drawn;
    drawn.range("a", {0, 100});
    drawn.range("inner", {10, 20});
    drawn.range("b", {200, 300});
    const auto trace = drawn.finish();
    const Row row = rowOf(*trace, EventKind::Nvtx, Drawing::Slices);
    QCOMPARE(neighbourIn(*trace, row, rangeNamed(*trace, "a"), true), rangeNamed(*trace, "b"));
    QCOMPARE(neighbourIn(*trace, row, rangeNamed(*trace, "b"), false), rangeNamed(*trace, "a"));
    QVERIFY(!neighbourIn(*trace, row, rangeNamed(*trace, "inner"), true).valid());
    QVERIFY(!neighbourIn(*trace, row, rangeNamed(*trace, "inner"), false).valid());
}

void RowWalkTest::acrossLanesIsParentAndChild()
{
    DrawnProgram drawn;
    drawn.range("outer", {0, 1000});
    drawn.range("left", {100, 300});
    drawn.range("right", {500, 900});
    drawn.range("deep", {600, 700});
    drawn.range("alone", {2000, 2100});
    const auto trace = drawn.finish();
    const auto at = [&](std::string_view name, Ns time, bool deeper) {
        const EventRef found = acrossLanes(*trace, rangeNamed(*trace, name), time, deeper);
        return found.valid() ? trace->name(found) : std::string_view("-");
    };
    QCOMPARE(at("outer", 200, true), std::string_view("left"));
    QCOMPARE(at("outer", 610, true), std::string_view("right"));
    QCOMPARE(at("outer", 390, true), std::string_view("left")); // the nearer one
    QCOMPARE(at("outer", 410, true), std::string_view("right"));
    QCOMPARE(at("right", 610, true), std::string_view("deep"));
    QCOMPARE(at("left", 200, true), std::string_view("-"));
    QCOMPARE(at("deep", 610, false), std::string_view("right"));
    QCOMPARE(at("right", 610, false), std::string_view("outer"));
    QCOMPARE(at("outer", 610, false), std::string_view("-"));
    QCOMPARE(at("alone", 2000, true), std::string_view("-"));
}

void RowWalkTest::entersWhereTheTimeIs()
{
    DrawnProgram drawn;
    drawn.range("outer", {0, 1000});
    drawn.range("inner", {100, 300});
    const auto trace = drawn.finish();
    const Row row = rowOf(*trace, EventKind::Nvtx, Drawing::Slices);
    QCOMPARE(eventAt(*trace, row, 200, false), rangeNamed(*trace, "outer"));
    QCOMPARE(eventAt(*trace, row, 200, true), rangeNamed(*trace, "inner"));
    QCOMPARE(eventAt(*trace, row, 500, true), rangeNamed(*trace, "outer"));
    QCOMPARE(eventAt(*trace, row, 5000, true), rangeNamed(*trace, "outer"));
    QVERIFY(!eventAt(*trace, Row(), 0, true).valid());
    // In a row of one line the shortest event there, or the nearest.
    std::mt19937 random(11);
    for (int round = 0; round < 20; ++round) {
        const auto some = traceWith(randomTable(random, EventKind::Memset, 3, 40, true));
        const Row line = rowOf(*some, EventKind::Memset, Drawing::Summary);
        for (Ns time = -5; time < 130; time += 3) {
            Ns least = distance(some->range(eventAt(*some, line, time, false)), time);
            for (const EventRef each : byStart(*some, EventKind::Memset))
                QVERIFY(distance(some->range(each), time) >= least);
        }
    }
}

void RowWalkTest::nearestOutsideIsNearest()
{
    std::mt19937 random(13);
    for (int round = 0; round < 20; ++round) {
        const auto trace = traceWith(randomTable(random, EventKind::Memset, 2, 30, false));
        const Row row = rowOf(*trace, EventKind::Memset, Drawing::Summary);
        for (Ns start = -3; start < 80; start += 5) {
            const TimeRange window{start, start + 4};
            Ns latest = -1'000'000;
            Ns soonest = 1'000'000;
            for (const EventRef each : byStart(*trace, EventKind::Memset)) {
                const TimeRange range = trace->range(each);
                if (window.touches(range.start, range.end))
                    continue;
                if (range.start >= window.end)
                    soonest = std::min(soonest, range.start);
                else
                    latest = std::max(latest, range.end);
            }
            const EventRef before = nearestOutside(*trace, row, window, false);
            const EventRef after = nearestOutside(*trace, row, window, true);
            QCOMPARE(before.valid() ? trace->range(before).end : -1'000'000, latest);
            QCOMPARE(after.valid() ? trace->range(after).start : 1'000'000, soonest);
        }
    }
}

void RowWalkTest::rangesKnowWhatShowsThemOnTheGpu()
{
    DrawnProgram drawn;
    drawn.range("forward", {0, 50 * us});
    drawn.range("nothing", {60 * us, 70 * us});
    drawn.kernel("gemm", 10 * us, {100 * us, 130 * us});
    drawn.kernel("softmax", 20 * us, {140 * us, 150 * us}, {.device = 1});
    auto trace = std::make_shared<Trace>(*drawn.finish());
    trace->tables[indexOf(EventKind::NvtxProjected)] = projectNvtx(*trace);
    const EventRef forward = rangeNamed(*trace, "forward");
    const std::vector<EventRef> shown = projectionsOf(*trace, forward.index);
    QCOMPARE(shown.size(), std::size_t{2}); // one a GPU
    QCOMPARE(trace->range(shown[0]), (TimeRange{100 * us, 130 * us}));
    QCOMPARE(trace->range(shown[1]), (TimeRange{140 * us, 150 * us}));
    const std::vector<Partner> partners = partnersOf(*trace, forward);
    QCOMPARE(partners.size(), std::size_t{2});
    QVERIFY(partners[0].event == shown[0] && partners[0].after);
    QCOMPARE(nextInChain(*trace, forward), shown[0]);
    QCOMPARE(previousInChain(*trace, shown[1]), forward);
    QVERIFY(!nextInChain(*trace, rangeNamed(*trace, "nothing")).valid());
}

WARPLINE_TEST(RowWalkTest)

} // namespace tst_row_walk

#include "tst_row_walk.moc"
