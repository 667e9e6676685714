// Sorting events against sorting them the plain way.

#include "core/base/radix_sort.h"
#include "core/load/load_report.h"
#include "core/query/event_list.h"
#include "core/query/nested_events.h"
#include "core/query/search.h"
#include "tests/core/findings/drawn_program.h"
#include "tests/support/random_trace.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <random>

namespace tst_event_list {

using namespace warpline;
using namespace warpline::test;

class EventListTest : public QObject {
    Q_OBJECT

private slots:
    void radixSortIsStable();
    void sortsByEveryColumn();
    void sortsKernelsByTheShownName();
    void findsRows();
    void placesOfMatchesFollowTheSearch();
    void expressionsBetweenSlashes();
    void matchesAreFoundAlongTheSession();
    void eventsNestUnderTheRangesAround();
};

void EventListTest::radixSortIsStable()
{
    std::mt19937_64 random(1);
    for (const std::size_t count :
        {std::size_t{0}, std::size_t{1}, std::size_t{1000}, std::size_t{900'000}}) {
        for (const auto& [low, high] : {std::pair(0U, 64U), std::pair(20U, 33U), std::pair(7U, 7U)}) {
            std::vector<std::uint64_t> values(count);
            std::ranges::generate(values, std::ref(random));
            std::vector<std::uint64_t> expected = values;
            const std::uint64_t mask = high - low == 64 ? ~0ULL : (1ULL << (high - low)) - 1;
            std::ranges::stable_sort(
                expected, {}, [&, bit = low](std::uint64_t v) { return v >> bit & mask; });
            radixSort(values, low, high);
            QVERIFY(values == expected);
        }
    }
}

void EventListTest::sortsByEveryColumn()
{
    std::mt19937 random(2);
    const auto trace = traceWith(randomTable(random, EventKind::Memset, 5, 4000, true));
    const EventTable& table = trace->table(EventKind::Memset);
    for (const bool descending : {false, true}) {
        for (const EventColumn column :
            {EventColumn::Name, EventColumn::Start, EventColumn::Duration, EventColumn::Where,
                EventColumn::Process, EventColumn::Stream, EventColumn::Bytes, EventColumn::Kind}) {
            EventQuery query;
            query.window = trace->session;
            query.tracks = {{EventKind::Memset, 3}, {EventKind::Memset, 0}, {EventKind::Memset, 1}};
            query.column = column;
            query.descending = descending;
            const EventList list(trace, query);
            const auto keyOf = [&](EventRef event) -> std::int64_t {
                std::int64_t key = 0; // events of one process, one kind and no bytes
                if (column == EventColumn::Start)
                    key = table.start[event.index];
                else if (column == EventColumn::Duration)
                    key = table.duration[event.index];
                else if (column == EventColumn::Where || column == EventColumn::Stream)
                    key = column == EventColumn::Where ? table.trackIndexOf(event.index)
                                                       : table.trackOf(event.index).stream;
                return descending ? -key : key;
            };
            QVERIFY(list.size() > 0);
            for (std::size_t i = 1; i < list.size(); ++i) {
                const EventRef a = list[i - 1];
                const EventRef b = list[i];
                if (column == EventColumn::Name && trace->name(a) != trace->name(b)) {
                    QVERIFY((trace->name(a) < trace->name(b)) != descending);
                    continue;
                }
                QVERIFY(keyOf(a) <= keyOf(b));
                if (keyOf(a) == keyOf(b))
                    QVERIFY(a < b);
            }
        }
    }
}

void EventListTest::sortsKernelsByTheShownName()
{
    const auto loaded = loadReport(WARPLINE_TEST_DATA "/operators/mix.json.gz");
    QVERIFY(loaded.ok());
    const Trace& trace = *loaded.value();
    EventQuery query;
    query.window = {trace.session.start, trace.session.end + 1};
    query.kind = EventKind::Kernel;
    query.column = EventColumn::Name;
    for (const bool descending : {false, true}) {
        query.descending = descending;
        const EventList list(loaded.value(), query);
        QCOMPARE(list.size(), trace.kernels().size());
        for (std::size_t i = 1; i < list.size(); ++i) {
            const std::string_view before = trace.displayName(list[i - 1]);
            const std::string_view name = trace.displayName(list[i]);
            QVERIFY(before == name ? list[i - 1] < list[i] : (before < name) != descending);
            QCOMPARE(list.rowOf(list[i]), i);
        }
    }
}

void EventListTest::findsRows()
{
    std::mt19937 random(4);
    const auto trace = traceWith(randomTable(random, EventKind::Memset, 3, 500, true));
    EventQuery query;
    query.window = trace->session;
    const EventList list(trace, query);
    Ns total = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
        QCOMPARE(list.rowOf(list[i]), i);
        total += trace->range(list[i]).duration();
    }
    QCOMPARE(list.totalDuration(), total);
    std::stop_source stop;
    stop.request_stop();
    const EventList stopped(trace, query, stop.get_token());
    QVERIFY(stopped.size() <= list.size());
}

void EventListTest::placesOfMatchesFollowTheSearch()
{
    DrawnProgram program;
    for (int i = 0; i < 4; ++i) {
        const Ns at = (1 + i) * ms;
        program.range("forward", {at, at + ms / 2});
        program.event(EventKind::Sample, "std::forward_iterator_tag", {at + us, at + us});
    }
    const auto trace = program.finish();
    const EventPredicate match(*trace, FilterExpression("forward"));
    for (const auto& [scope, count] :
        {std::pair(SampleSearch::WithSamples, 8U), std::pair(SampleSearch::WithoutSamples, 4U)}) {
        QCOMPARE(countMatches(*trace, match, scope), count);
        EventRef found;
        for (std::uint64_t place = 1; place <= count; ++place) {
            found = findNext(*trace, match, found, trace->session.start, true, scope);
            QVERIFY(found.valid());
            QVERIFY(scope == SampleSearch::WithSamples || found.kind != EventKind::Sample);
            QCOMPARE(placeAmongMatches(*trace, match, found, scope), place);
        }
        QVERIFY(!findNext(*trace, match, found, trace->session.start, true, scope).valid());
    }
}

void EventListTest::expressionsBetweenSlashes()
{
    DrawnProgram program;
    int at = 0;
    for (const char* const name : {"sgemm_128x64_tn", "Sgemm_64x64_nn", "a/b", "softmax"}) {
        program.range(name, {at * ms, (at + 1) * ms});
        ++at;
    }
    program.range(std::string(100'000, 'a'), {4 * ms, 5 * ms});
    const auto trace = program.finish();
    const auto count = [&](const char* text) {
        return countMatches(*trace, EventPredicate(*trace, FilterExpression(text)));
    };
    QCOMPARE(count("/gemm.*_tn$/"), 1U);
    QCOMPARE(count("/^s(gemm|oft)/"), 3U); // letters without regard to case
    QCOMPARE(count("/"), 1U); // no expression: the letter
    QCOMPARE(count("a/b"), 1U);
    QCOMPARE(count("gemm.*"), 0U);
    QCOMPARE(count("/(a+)+$X/"), 0U); // ends, and soon
    QVERIFY(!FilterExpression("/gemm/").mistake());
    for (const char* const wrong : {"/(/", "/[/", "/*/"}) {
        QVERIFY(FilterExpression(wrong).mistake());
        QCOMPARE(count(wrong), 0U);
    }
    EventQuery query;
    query.window = trace->session;
    query.text = "/^s/";
    QCOMPARE(EventList(trace, query).size(), std::size_t{3});
}

void EventListTest::matchesAreFoundAlongTheSession()
{
    DrawnProgram program;
    for (int i = 0; i < 10; ++i)
        program.range(i % 5 == 2 ? "wanted" : "other", {i * ms, (i + 1) * ms});
    program.event(EventKind::Sample, "wanted_too", {5 * ms, 5 * ms});
    const auto trace = program.finish();
    const EventPredicate match(*trace, FilterExpression("wanted"));
    QCOMPARE(samplesToSearch(*trace, match), SampleSearch::WithoutSamples);
    QCOMPARE(samplesToSearch(*trace, EventPredicate(*trace, FilterExpression("wanted_too"))),
        SampleSearch::WithSamples);
    const auto found = matchesAlong(*trace, match, 10, SampleSearch::WithoutSamples);
    std::vector<std::uint8_t> expected(10, 0);
    for (const Ns at : {2 * ms, 7 * ms})
        expected[static_cast<std::size_t>((at - trace->session.start) * 10 / trace->session.duration())] = 1;
    QCOMPARE(found, expected);
    QCOMPARE(matchesAlong(Trace(), match, 4, SampleSearch::WithSamples), std::vector<std::uint8_t>(4, 0));
}

void EventListTest::eventsNestUnderTheRangesAround()
{
    DrawnProgram program;
    for (int step = 0; step < 3; ++step) {
        const Ns at = Ns{step} * 1'000'000;
        program.range("step", {at, at + 900'000});
        program.range("forward", {at + 10'000, at + 400'000});
        program.kernel("inner", at + 20'000, {at + 50'000, at + 60'000 + step});
        program.kernel("outer", at + 500'000, {at + 550'000, at + 555'000});
    }
    program.kernel("alone", 950'000, {960'000, 961'000});
    const auto trace = program.finish();
    const EnclosingRanges ranges(*trace);
    EventQuery query;
    query.window = {std::numeric_limits<Ns>::min(), std::numeric_limits<Ns>::max()};
    query.text = "kind=kernel,nvtx";
    const EventList list(trace, query);
    QCOMPARE(list.size(), std::size_t{7 + 6});
    const NestedEvents nested(*trace, ranges, list.events());
    const auto nodes = nested.nodes();
    QCOMPARE(nodes.size(), std::size_t{4}); // all, step, step/forward, and events outside of ranges
    QCOMPARE(nodes[0].count, std::uint64_t{13});
    QCOMPARE(nodes[0].total, list.totalDuration());
    QCOMPARE(nodes[0].ownCount, std::uint64_t{0});
    std::size_t seen = 0;
    for (std::uint32_t node = 0; node < nodes.size(); ++node) {
        std::uint64_t below = 0;
        for (std::uint32_t child = 0; child < nodes[node].children; ++child) {
            QCOMPARE(nodes[nodes[node].firstChild + child].parent, node);
            QCOMPARE(nodes[nodes[node].firstChild + child].place, child);
            below += nodes[nodes[node].firstChild + child].count;
        }
        QCOMPARE(nodes[node].count, below + nodes[node].ownCount);
        for (const EventRef event : nested.eventsOf(node)) {
            std::uint32_t path = ranges.pathOf(event);
            if (event.kind == EventKind::Nvtx)
                path = ranges.nodes()[path].parent;
            QCOMPARE(path, nodes[node].path);
            ++seen;
        }
    }
    QCOMPARE(seen, list.size());
    QCOMPARE(nested.inOrder().size(), nodes.size() - 1);
    QVERIFY(NestedEvents(*trace, ranges, {}).nodes().empty());
    // Many events use whole tables, with the same result.
    std::vector<EventRef> many;
    for (int i = 0; i < 2000; ++i)
        many.insert(many.end(), list.events().begin(), list.events().end());
    const NestedEvents more(*trace, ranges, many);
    QCOMPARE(more.nodes().size(), nodes.size());
    for (std::size_t node = 0; node < nodes.size(); ++node)
        QCOMPARE(more.nodes()[node].count, nodes[node].count * 2000);
}

WARPLINE_TEST(EventListTest)

} // namespace tst_event_list

#include "tst_event_list.moc"
