// Threads without ranges work for the thread that has them: paths, nesting, sums, and nsys' view of it.

#include "core/derive/helper_threads.h"
#include "core/derive/nvtx_projection.h"
#include "core/load/load_report.h"
#include "core/query/event_list.h"
#include "core/query/nested_events.h"
#include "tests/core/findings/drawn_program.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <tuple>

namespace tst_helper_threads {

using namespace warpline;
using namespace warpline::test;

namespace {

/// Steps whose backward pass is launched by thread 2, like autograd's, and a thread 3 that is in no range.
std::shared_ptr<const Trace> trained()
{
    DrawnProgram program;
    for (int step = 0; step < 3; ++step) {
        const Ns at = Ns{step} * 10 * ms;
        program.range("step", {at, at + 9 * ms});
        program.range("forward", {at + 100 * us, at + 2 * ms});
        program.kernel("gemm", at + 200 * us, {at + 300 * us, at + 900 * us});
        program.range("backward", {at + 3 * ms, at + 8 * ms});
        program.kernel("small", at + 3100 * us, {at + 3200 * us, at + 3201 * us});
        program.kernel("grad", at + 4 * ms, {at + 4100 * us, at + 6100 * us}, {.tid = 2});
        program.kernel("grad", at + 5 * ms, {at + 6200 * us, at + 9400 * us}, {.tid = 2});
        program.kernel("between", at + 9500 * us, {at + 9600 * us, at + 9700 * us}, {.tid = 2});
    }
    program.event(EventKind::OsRuntime, "poll", {3 * ms, 4 * ms}, 2);
    return program.finish();
}

EventIndex rangeCalled(const Trace& trace, std::string_view name)
{
    for (EventIndex i = 0; i < trace.nvtx().size(); ++i) {
        if (trace.name({EventKind::Nvtx, i}) == name)
            return i;
    }
    return noIndex;
}

} // namespace

class HelperThreadsTest : public QObject {
    Q_OBJECT

private slots:
    void aThreadWithoutRangesWorksForTheOneThatHasThem()
    {
        const auto trace = trained();
        const HelperThreads helpers(*trace);
        QVERIFY(helpers.any());
        QCOMPARE(helpers.worksFor(DrawnProgram::threadOf(2)).value_or(0), DrawnProgram::threadOf(1));
        QVERIFY(!helpers.worksFor(DrawnProgram::threadOf(1)));
        QVERIFY(!helpers.worksFor(DrawnProgram::threadOf(9)));
        DrawnProgram without;
        without.kernel("k", 0, {10 * us, 20 * us}, {.tid = 2});
        without.range("ncclAllReduce", {0, 30 * us}, "NCCL"); // a library's is none of the program's own
        QVERIFY(!HelperThreads(*without.finish()).any());
    }

    void whatARangeLaunchedIsToldByThread()
    {
        const auto trace = trained();
        const EventIndex backward = rangeCalled(*trace, "backward");
        const LaunchedWork own = workOfItsThread(*trace, backward);
        QCOMPARE(own.count, std::uint64_t{1});
        QCOMPARE(own.total, 1 * us);
        const LaunchedWork helpers = workOfHelpers(*trace, backward);
        QCOMPARE(helpers.count, std::uint64_t{2});
        QCOMPARE(helpers.total, 5200 * us);
        QCOMPARE(trace->name(helpers.first), std::string_view("grad"));
        QCOMPARE(trace->range(helpers.first).start, 4100 * us);
        QCOMPARE(workOfHelpers(*trace, rangeCalled(*trace, "forward")).count, std::uint64_t{0});
        // nsys' projection knows its own thread, and stays so.
        const auto all = projectRanges(*trace);
        const auto projected = std::ranges::find(all, backward, &RangeProjection::range);
        QVERIFY(projected != all.end());
        QCOMPARE(projected->work, std::uint64_t{1});
        QCOMPARE(projected->projected, (TimeRange{3200 * us, 3201 * us}));
        // The rows of the timeline include launches by any thread.
        const auto rows = projectNvtx(*trace);
        const auto shown = std::ranges::find(rows->attribute, backward);
        QVERIFY(shown != rows->attribute.end());
        QCOMPARE(rows->range(static_cast<EventIndex>(shown - rows->attribute.begin())),
            (TimeRange{3200 * us, 9400 * us}));
        const EventIndex forward = rangeCalled(*trace, "forward");
        const auto first = std::ranges::find(rows->attribute, forward);
        QCOMPARE(rows->range(static_cast<EventIndex>(first - rows->attribute.begin())),
            (TimeRange{300 * us, 900 * us}));
    }

    void theyNestBelowTheRangeThatIsOpenMeanwhile()
    {
        const auto trace = trained();
        const EnclosingRanges ranges(*trace);
        EventQuery query;
        query.window = {std::numeric_limits<Ns>::min(), std::numeric_limits<Ns>::max()};
        query.text = "kind=kernel";
        const EventList list(trace, query);
        const NestedEvents nested(*trace, ranges, list.events());
        const auto nodes = nested.nodes();
        Ns meanwhile = 0;
        Ns nowhere = 0;
        for (const NestedEvents::Node& node : nodes) {
            if (node.byHelpers) {
                QCOMPARE(ranges.textOf(node.path), std::string("step/backward"));
                QCOMPARE(nodes[node.parent].path, node.path);
                QVERIFY(!nodes[node.parent].byHelpers);
                QCOMPARE(node.children, std::uint32_t{0});
                meanwhile += node.total;
            } else if (node.depth > 0 && node.path == 0) {
                nowhere += node.total;
            }
        }
        QCOMPARE(meanwhile, 3 * 5200 * us);
        QCOMPARE(nowhere, 3 * 100 * us);
        QCOMPARE(nodes[0].total, list.totalDuration());
        for (const EventRef event : list.events())
            QCOMPARE(ranges.placeOf(event).byHelper, trace->name(event) == "grad");
        const auto places = ranges.placesOf(EventKind::Kernel);
        for (const EventRef event : list.events())
            QVERIFY(places[event.index] == ranges.placeOf(event));
        // Calls go the same way; other events of such a thread are in no range.
        QCOMPARE(ranges.pathsOf(EventKind::ApiCall).size(), trace->apiCalls().size());
        QCOMPARE(ranges.pathOf({EventKind::OsRuntime, 0}), std::uint32_t{0});
        const EventRef call = trace->apiCallOf(workOfHelpers(*trace, rangeCalled(*trace, "backward")).first);
        QCOMPARE(ranges.textOf(ranges.pathsOf(EventKind::ApiCall)[call.index]), std::string("step/backward"));
        // A filter by path finds them.
        query.text = "kind=kernel path=step/backward";
        QCOMPARE(EventList(trace, query).size(), std::size_t{9});
    }

    /// Ranges of CUB on autograd's thread nest in those open on the thread that it works for.
    void rangesOfLibrariesLieInsideThoseOfTheProgram()
    {
        auto loaded = loadReport(WARPLINE_TEST_DATA "/reports/bert_fp32.sqlite");
        QVERIFY(loaded.ok());
        const auto trace = loaded.take();
        const NvtxTable& nvtx = trace->nvtx();
        const EnclosingRanges ranges(*trace);
        const HelperThreads helpers(*trace);
        const auto openOn = [&](GlobalId thread, Ns time) { // one by one, without the tested class
            std::vector<EventIndex> open;
            for (EventIndex i = 0; i < nvtx.size(); ++i) {
                if (nvtx.trackOf(i).owner == thread && nvtx.duration[i] > 0 && nvtx.range(i).contains(time))
                    open.push_back(i);
            }
            std::ranges::sort(open, {}, [&](EventIndex i) {
                return std::tuple(nvtx.start[i], -nvtx.duration[i], nvtx.sourceRow[i]);
            });
            std::string text;
            for (const EventIndex i : open)
                text += (text.empty() ? "" : "/") + std::string(trace->name({EventKind::Nvtx, i}));
            return text;
        };
        std::vector<EventRef> launched;
        std::size_t inLibrary = 0;
        for (EventIndex i = 0; i < trace->kernels().size(); ++i) {
            const EventRef kernel{EventKind::Kernel, i};
            const EventRef call = trace->apiCallOf(kernel);
            const GlobalId thread = trace->apiCalls().trackOf(call.index).owner;
            const auto leader = helpers.worksFor(thread);
            if (!leader)
                continue;
            const Ns time = trace->apiCalls().start[call.index];
            const std::string around = openOn(*leader, time);
            const std::string own = openOn(thread, time);
            const std::string both = around + (around.empty() || own.empty() ? "" : "/") + own;
            QCOMPARE(ranges.textOf(ranges.pathOf(kernel)), both);
            QCOMPARE(ranges.placeOf(kernel).byHelper, !around.empty());
            launched.push_back(kernel);
            inLibrary += own.starts_with("cub::") && around.ends_with("backward") ? 1 : 0;
        }
        QVERIFY(inLibrary > 0);
        // All launches during the range are below it, those of other threads below one node.
        const NestedEvents nested(*trace, ranges, launched);
        std::size_t libraryNodes = 0;
        for (const NestedEvents::Node& node : nested.nodes()) {
            if (node.path == 0 || !ranges.nodes()[node.path].byHelper)
                continue;
            const NestedEvents::Node& above = nested.nodes()[node.parent];
            QVERIFY(above.byHelpers || ranges.nodes()[above.path].byHelper);
            QCOMPARE(ranges.textOf(node.path).rfind("step", 0), std::size_t{0});
            ++libraryNodes;
        }
        QVERIFY(libraryNodes > 0);
        for (const EventRef kernel : launched) {
            const auto events = nested.eventsOf(nested.nodeOf(ranges, kernel));
            QVERIFY(std::ranges::find(events, kernel) != events.end());
        }
        // The library's ranges themselves are marked in the same way.
        for (EventIndex i = 0; i < nvtx.size(); ++i) {
            if (trace->text(nvtx.trackOf(i).family) == "CCCL")
                QVERIFY(ranges.textOf(ranges.pathOf({EventKind::Nvtx, i})).find("backward/cub::")
                    != std::string::npos);
        }
        EventQuery query;
        query.window = {std::numeric_limits<Ns>::min(), std::numeric_limits<Ns>::max()};
        query.text = "kind=kernel path=backward/cub*";
        QCOMPARE(EventList(trace, query).size(), inLibrary);
    }

    /// Work outside of ranges is placed by its time, not last.
    void whatIsInNoRangeStandsByItsTime()
    {
        DrawnProgram program;
        program.range("step", {0, 1 * ms});
        program.kernel("inside", 100 * us, {200 * us, 300 * us});
        program.kernel("outside", 2 * ms, {3 * ms, 5 * ms});
        const auto trace = program.finish();
        const EnclosingRanges ranges(*trace);
        EventQuery query;
        query.window = {std::numeric_limits<Ns>::min(), std::numeric_limits<Ns>::max()};
        query.text = "kind=kernel";
        const EventList list(trace, query);
        const NestedEvents nested(*trace, ranges, list.events());
        QCOMPARE(nested.nodes().size(), std::size_t{3});
        QCOMPARE(nested.nodes()[1].path, std::uint32_t{0});
        QCOMPARE(nested.nodes()[1].total, 2 * ms);
        QVERIFY(nested.nodes()[2].path != 0);
    }
};

WARPLINE_TEST(HelperThreadsTest)

} // namespace tst_helper_threads

#include "tst_helper_threads.moc"
