// Stacks: samples against SQL on every report that has them; times against unions and sums, and random ranges
// against a count of every nanosecond.

#include "core/base/stop.h"
#include "core/coverage/intervals.h"
#include "core/export/time_tree_text.h"
#include "core/load/load_report.h"
#include "core/store/trace.h"
#include "core/timetree/compare_trees.h"
#include "core/timetree/stack_events.h"
#include "core/timetree/thread_stretches.h"
#include "core/timetree/time_tree_source.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QDirIterator>
#include <QTest>

#include <sqlite3.h>

#include <map>
#include <random>

namespace tst_time_tree {

using namespace warpline;

namespace {

std::shared_ptr<const Trace> loaded(const QString& path)
{
    auto trace = loadReport(path.toStdString());
    return trace.ok() ? trace.value() : nullptr;
}

/// Rows of two numbers from SQLite itself.
std::map<std::int64_t, std::int64_t> judged(const QString& path, const QByteArray& sql)
{
    sqlite3* db = nullptr;
    const QByteArray uri = "file:" + path.toUtf8() + "?mode=ro&immutable=1";
    sqlite3_open_v2(uri.constData(), &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nullptr);
    std::map<std::int64_t, std::int64_t> rows;
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(db, sql.constData(), -1, &statement, nullptr) == SQLITE_OK) {
        while (sqlite3_step(statement) == SQLITE_ROW)
            rows[sqlite3_column_int64(statement, 0)] = sqlite3_column_int64(statement, 1);
    }
    sqlite3_finalize(statement);
    sqlite3_close(db);
    return rows;
}

std::map<std::int64_t, std::int64_t> totalsByThread(const TimeTree& tree)
{
    std::map<std::int64_t, std::int64_t> totals;
    for (const TimeNode& node : tree.nodes()) {
        if (node.frame.thread != 0 && node.total != 0)
            totals[static_cast<std::int64_t>(node.frame.thread)] = node.total;
    }
    return totals;
}

std::int64_t foldedSum(const std::string& folded)
{
    std::int64_t sum = 0;
    for (const QString& line : QString::fromStdString(folded).split('\n', Qt::SkipEmptyParts))
        sum += line.section(' ', -1).toLongLong();
    return sum;
}

QStringList reportsWithSamples()
{
    QStringList paths;
    for (const QString folder : {WARPLINE_TEST_DATA "/reports", WARPLINE_SHARED_REPORTS}) {
        QDirIterator files(folder, {"*.sqlite"}, QDir::Files, QDirIterator::Subdirectories);
        while (files.hasNext()) {
            const QString path = files.next();
            if (QFileInfo(path).size() < 40'000'000
                && !judged(path, "SELECT 1, count(*) FROM COMPOSITE_EVENTS").empty())
                paths << path;
        }
    }
    return paths;
}

/// A tree of one thread with the name of the innermost range at each moment: slow and plain.
std::map<std::string, std::int64_t> selfOfEveryMoment(std::vector<NamedStretch> stretches, TimeRange window)
{
    std::ranges::stable_sort(stretches, [](const NamedStretch& a, const NamedStretch& b) {
        return a.time.start != b.time.start ? a.time.start < b.time.start : a.time.end > b.time.end;
    });
    std::map<std::string, std::int64_t> self;
    for (Ns t = window.start; t < window.end; ++t) {
        const NamedStretch* innermost = nullptr;
        for (const NamedStretch& stretch : stretches) {
            if (stretch.time.contains(t))
                innermost = &stretch;
        }
        if (innermost)
            ++self[std::to_string(raw(innermost->name))];
    }
    return self;
}

} // namespace

class TimeTreeTest : public QObject {
    Q_OBJECT

private slots:
    void samplesAreThoseOfTheReport()
    {
        const QStringList paths = reportsWithSamples();
        if (paths.isEmpty())
            QSKIP("../shared/reports is missing: no report with CPU samples");
        const TimeTreeSource* const source = findTimeTreeSource("cpu");
        int looked = 0;
        for (const QString& path : paths) {
            const auto trace = loaded(path);
            QVERIFY2(trace, qPrintable(path));
            QCOMPARE(totalsByThread(source->fill(*trace, {})),
                judged(path, "SELECT globalTid, count(*) FROM COMPOSITE_EVENTS GROUP BY 1"));
            const TimeRange all = trace->session;
            const TimeRange part{all.start + all.duration() / 3, all.start + all.duration() / 2};
            TimeTreeQuery query;
            query.window = part;
            const TimeTree tree = source->fill(*trace, query);
            const QByteArray within = "SELECT globalTid, count(*) FROM COMPOSITE_EVENTS WHERE start >= "
                + QByteArray::number(qlonglong(part.start)) + " AND start < "
                + QByteArray::number(qlonglong(part.end)) + " GROUP BY 1";
            const auto expected = judged(path, within);
            QCOMPARE(totalsByThread(tree), expected);
            QCOMPARE(foldedSum(foldedStacks(*trace, *source, tree)), tree.total());
            QCOMPARE(callersFirst(tree).total(), tree.total());
            std::int64_t flat = 0;
            for (const FlatFrame& frame : flatFrames(tree))
                flat += frame.self;
            for (const TimeNode& node : tree.nodes())
                flat += node.frame.thread != 0 ? node.self : 0; // samples without a stack
            QCOMPARE(flat, tree.total());
            if (!expected.empty()) {
                query.threads = {static_cast<GlobalId>(expected.begin()->first)};
                QCOMPARE(source->fill(*trace, query).total(), expected.begin()->second);
            }
            ++looked;
        }
        qInfo("%d reports", looked);
    }

    void rangesCoverTheirThreads()
    {
        const auto trace = loaded(QStringLiteral(WARPLINE_TEST_DATA "/reports/bert_fp32.sqlite"));
        QVERIFY(trace);
        const TimeTreeSource* const source = findTimeTreeSource("nvtx");
        QVERIFY(source->applies(*trace));
        const TimeTree tree = source->fill(*trace, {});
        const NvtxTable& nvtx = trace->nvtx();
        std::map<std::int64_t, Intervals> covered;
        for (const Track& track : nvtx.tracks) {
            for (EventIndex i = track.firstEvent; i < track.firstEvent + track.eventCount; ++i) {
                const TimeRange range = nvtx.range(i);
                if (!range.empty() && !nvtx.attributesOf(i).open)
                    covered[static_cast<std::int64_t>(track.owner)].push_back(range);
            }
        }
        std::map<std::int64_t, std::int64_t> expected;
        for (auto& [thread, ranges] : covered) {
            std::ranges::sort(ranges, {}, &TimeRange::start);
            Ns until = ranges.front().start;
            for (const TimeRange& range : ranges) {
                expected[thread] += std::max<Ns>(0, range.end - std::max(until, range.start));
                until = std::max(until, range.end);
            }
        }
        QCOMPARE(totalsByThread(tree), expected);
    }

    /// PyTorch records the program's annotations a second time as seen by the GPU: no thread was in them.
    void annotationsOfTheGpuAreOnNoThread()
    {
        const auto trace = loaded(QStringLiteral(WARPLINE_TEST_DATA "/traces/bert_stack.json.gz"));
        QVERIFY(trace);
        QVERIFY(
            std::ranges::any_of(trace->nvtx().tracks, [](const Track& each) { return each.device >= 0; }));
        const TimeTree tree = findTimeTreeSource("nvtx")->fill(*trace, {});
        for (const auto& [thread, total] : totalsByThread(tree))
            QVERIFY2(tidOf(static_cast<GlobalId>(thread)) != 0, qPrintable(QString::number(total)));
        // All but the 30,794,741 ns that forward, Optimizer.step, backward and data_transfer cover on
        // stream 7.
        std::map<std::int64_t, std::int64_t> totals = totalsByThread(tree);
        std::int64_t all = 0;
        for (const auto& [thread, total] : totals)
            all += total;
        QCOMPARE(all, tree.total());
        QCOMPARE(totals.size(), std::size_t{2});
    }

    void workOfTheGpuIsAllThere()
    {
        const QString path = QStringLiteral(WARPLINE_TEST_DATA "/reports/streams.sqlite");
        const auto trace = loaded(path);
        QVERIFY(trace);
        const auto sum = judged(path,
            "SELECT 1, (SELECT sum(end - start) FROM CUPTI_ACTIVITY_KIND_KERNEL) + coalesce((SELECT sum(end - start) "
            "FROM CUPTI_ACTIVITY_KIND_MEMCPY), 0) + coalesce((SELECT sum(end - start) FROM "
            "CUPTI_ACTIVITY_KIND_MEMSET), 0)");
        QCOMPARE(findTimeTreeSource("gpu")->fill(*trace, {}).total(), sum.at(1));
        // Half of the report and the other half are the whole.
        const TimeRange all{trace->session.start, trace->session.end + 1};
        const Ns middle = all.start + all.duration() / 2;
        for (const TimeTreeSource* const source : allTimeTreeSources()) {
            TimeTreeQuery first;
            first.window = {all.start, middle};
            TimeTreeQuery second;
            second.window = {middle, all.end};
            QCOMPARE(source->fill(*trace, first).total() + source->fill(*trace, second).total(),
                source->fill(*trace, {}).total());
        }
    }

    void randomStretchesCountEveryMomentOnce()
    {
        std::mt19937 random(7);
        const auto number = [&](int most) { return static_cast<Ns>(random() % static_cast<unsigned>(most)); };
        for (int round = 0; round < 300; ++round) {
            std::vector<NamedStretch> stretches;
            for (Ns i = 0; i < 1 + number(12); ++i) {
                const Ns start = number(100);
                stretches.push_back({{start, start + number(40)}, static_cast<StringId>(i + 1)});
            }
            TimeTreeQuery query;
            if (round % 2 == 1)
                query.window = {number(60), 60 + number(60)};
            TimeTree tree;
            sweepThread(stretches, query, 0, tree);
            tree.finish();
            std::map<std::string, std::int64_t> self;
            for (const TimeNode& node : tree.nodes()) {
                if (node.self != 0)
                    self[std::to_string(raw(node.frame.name))] += node.self;
            }
            const TimeRange window = query.window.empty() ? TimeRange{0, 200} : query.window;
            QCOMPARE(self, selfOfEveryMoment(stretches, window));
        }
    }

    void theSamplesOfAStackAreItsTotal()
    {
        const QStringList paths = reportsWithSamples();
        if (paths.isEmpty())
            QSKIP("../shared/reports is missing: no report with CPU samples");
        const TimeTreeSource* const source = findTimeTreeSource("cpu");
        std::mt19937 random(5);
        for (const QString& path : paths) {
            const auto trace = loaded(path);
            QVERIFY2(trace, qPrintable(path));
            const TimeTree tree = source->fill(*trace, {});
            const TimeTree turned = callersFirst(tree);
            for (int turn = 0; turn < 4; ++turn) {
                for (const bool isTurned : {false, true}) {
                    const TimeTree& of = isTurned ? turned : tree;
                    const auto node = static_cast<std::uint32_t>(1 + random() % (of.nodes().size() - 1));
                    const auto events
                        = eventsInStack(*trace, *source, {}, of.path(node), isTurned, 10'000'000);
                    QCOMPARE(static_cast<std::int64_t>(events.size()), of.nodes()[node].total);
                    QVERIFY(std::ranges::is_sorted(events));
                }
            }
        }
    }

    void treesAreComparedByNames()
    {
        const auto traceOf = [](std::initializer_list<std::string_view> names, std::vector<StringId>& ids) {
            auto pool = std::make_shared<StringPool>();
            for (const std::string_view name : names)
                ids.push_back(pool->intern(name));
            Trace trace;
            trace.pool = std::move(pool);
            return trace;
        };
        std::vector<StringId> a;
        std::vector<StringId> b;
        const Trace traceA = traceOf({"main", "work", "gone"}, a);
        const Trace traceB = traceOf({"new", "work", "main"}, b); // numbered otherwise
        TimeTree treeA;
        const std::uint32_t mainA = treeA.child(treeA.child(0, {.thread = 7}), {.name = a[0]});
        treeA.addSelf(treeA.child(mainA, {.name = a[1]}), 60);
        const std::uint32_t gone = treeA.child(mainA, {.name = a[2]});
        treeA.addSelf(gone, 40);
        treeA.finish();
        TimeTree treeB;
        for (const GlobalId thread : {3, 4}) { // of two threads
            const std::uint32_t mainB = treeB.child(treeB.child(0, {.thread = thread}), {.name = b[2]});
            treeB.addSelf(treeB.child(mainB, {.name = b[1]}), 100);
        }
        treeB.finish();
        const std::vector<ComparedNode> both = compareTrees(traceA, treeA, traceB, treeB);
        QCOMPARE(both.size(), treeA.nodes().size());
        QVERIFY(both[0].a == 100 && both[0].b == 200);
        QVERIFY(both[mainA].a == 100 && both[mainA].b == 200);
        QVERIFY(both[mainA + 1].a == 60 && both[mainA + 1].b == 200);
        QVERIFY(both[gone].a == 40 && both[gone].b == 0);
        QCOMPARE(changeOf(both[gone], 100, 200), -1.0);
        QCOMPARE(changeOf(both[mainA], 100, 200), 0.0);
        QCOMPARE(changeOf(both[mainA + 1], 100, 200), 0.4);
        QCOMPARE(changeOf({}, 0, 0), 0.0);
        for (const ComparedNode& same : compareTrees(traceA, treeA, traceA, treeA))
            QCOMPARE(same.a, same.b);
    }

    /// A stack without end is cut: what is written of it grows with the square of its depth.
    void deepStacksEndInOneFrame()
    {
        TimeTree tree;
        constexpr std::uint32_t depth = 100'000;
        std::uint32_t node = 0;
        for (std::uint32_t i = 0; i < depth; ++i) {
            node = tree.child(node, {.name = static_cast<StringId>(i + 1)});
            tree.addSelf(node, 1);
        }
        tree.finish();
        QCOMPARE(tree.nodes().size(), std::size_t{deepestLevel + 2}); // with the root
        QCOMPARE(tree.total(), std::int64_t{depth});
        QVERIFY(tree.nodes().back().frame == deeperFrames);
        QCOMPARE(tree.nodes().back().self, std::int64_t{depth - deepestLevel});
        const TimeTree turned = callersFirst(tree);
        QCOMPARE(turned.total(), tree.total());
        QVERIFY(turned.nodes().size() <= tree.nodes().size() * (deepestLevel + 1));
        QVERIFY(textOf(Trace(), deeperFrames) != textOf(Trace(), {}));
        std::stop_source source;
        source.request_stop();
        QVERIFY_THROWS_EXCEPTION(Stopped, callersFirst(tree, source.get_token()));
    }

    /// With a look at all open stretches for each this takes hours.
    void aMillionNestedStretches()
    {
        constexpr Ns depth = 1'000'000;
        std::vector<NamedStretch> stretches;
        for (Ns i = 0; i < depth; ++i)
            stretches.push_back({{i, 2 * depth - i}, static_cast<StringId>(i + 1)});
        TimeTree tree;
        sweepThread(stretches, {}, 0, tree);
        tree.finish();
        QCOMPARE(tree.total(), 2 * depth);
        QCOMPARE(tree.nodes().size(), std::size_t{deepestLevel + 2});
        QCOMPARE(tree.nodes()[1].self, std::int64_t{2});
    }

    /// Of many deep stacks only the first callers are kept.
    void manyDeepStacksAreBounded()
    {
        TimeTree tree;
        std::uint32_t deepest = 0;
        for (std::uint32_t i = 1; i < deepestLevel; ++i)
            deepest = tree.child(deepest, {.name = static_cast<StringId>(i)});
        constexpr std::uint32_t many = 50'000;
        for (std::uint32_t i = 0; i < many; ++i)
            tree.addSelf(tree.child(deepest, {.name = static_cast<StringId>(deepestLevel + i)}), 1);
        tree.finish();
        const TimeTree turned = callersFirst(tree);
        QCOMPARE(turned.total(), std::int64_t{many});
        QVERIFY(turned.nodes().size() > many * 16 && turned.nodes().size() < many * 40);
    }

    void flatFramesAreThoseOfEachWayToTheRoot()
    {
        std::mt19937 random(11);
        for (int round = 0; round < 200; ++round) {
            TimeTree tree;
            for (std::uint32_t i = 0; i < 60; ++i) {
                const auto above = static_cast<std::uint32_t>(random() % tree.nodes().size());
                TimeFrame frame{.name = static_cast<StringId>(random() % 5)};
                if (above == 0)
                    frame = {.thread = 1 + random() % 2};
                tree.addSelf(tree.child(above, frame), static_cast<std::int64_t>(random() % 10));
            }
            tree.finish();
            std::map<std::uint32_t, std::pair<std::int64_t, std::int64_t>> expected;
            const auto nodes = tree.nodes();
            for (const TimeNode& node : nodes.subspan(1)) {
                if (node.frame.thread != 0)
                    continue;
                bool isInside = false;
                for (std::uint32_t above = node.parent; above != 0; above = nodes[above].parent)
                    isInside = isInside || nodes[above].frame == node.frame;
                expected[raw(node.frame.name)].first += node.self;
                expected[raw(node.frame.name)].second += isInside ? 0 : node.total;
            }
            const std::vector<FlatFrame> flat = flatFrames(tree);
            QCOMPARE(flat.size(), expected.size());
            for (const FlatFrame& each : flat)
                QCOMPARE(std::pair(each.self, each.total), expected[raw(each.frame.name)]);
        }
    }

    void whatCallsItselfCountsOnce()
    {
        TimeTree tree;
        const TimeFrame f{.name = static_cast<StringId>(1)};
        const TimeFrame g{.name = static_cast<StringId>(2)};
        const std::uint32_t outer = tree.child(0, f);
        const std::uint32_t inner = tree.child(tree.child(outer, g), f);
        tree.addSelf(outer, 1);
        tree.addSelf(inner, 4);
        tree.finish();
        const std::vector<FlatFrame> flat = flatFrames(tree);
        QCOMPARE(flat.size(), std::size_t{2});
        QVERIFY(flat[0].frame == f && flat[0].self == 5 && flat[0].total == 5);
        QVERIFY(flat[1].frame == g && flat[1].self == 0 && flat[1].total == 4);
        const TimeTree turned = callersFirst(tree);
        QCOMPARE(turned.nodes()[turned.children()[0][0]].total, std::int64_t{5});
        QCOMPARE(tree.path(inner).size(), std::size_t{3});
    }
};

WARPLINE_TEST(TimeTreeTest)

} // namespace tst_time_tree

#include "tst_time_tree.moc"
