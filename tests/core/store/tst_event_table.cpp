// Tracks, lanes and the searches over them, against brute force on random events.

#include "core/base/release.h"
#include "core/store/event_table.h"
#include "core/store/lane_merge.h"
#include "tests/support/random_trace.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <set>
#include <tuple>

namespace tst_event_table {

using namespace warpline;
using namespace warpline::test;

class EventTableTest : public QObject {
    Q_OBJECT

private slots:
    void lanesDoNotOverlapAndKeepEveryEvent();
    void nestingDepthIsTheLane();
    void touchingEqualsBruteForce();
    void sumsEqualBruteForce();
    void longDurationsSurviveSorting();
    void eachLongDurationIsReadOnce();
    void appendKeepsEventsOfBothBuilders();
    void aTableIsTheSameHoweverItWasRead_data();
    void aTableIsTheSameHoweverItWasRead();
    void releasedMemoryIsGivenBack();
    void mergedLanesComeByStartThenKind();
};

void EventTableTest::lanesDoNotOverlapAndKeepEveryEvent()
{
    std::mt19937 random(1);
    for (int round = 0; round < 40; ++round) {
        const auto table = randomTable(random, EventKind::Memset, 3, 200, round % 2 == 0);
        std::set<std::uint32_t> rows(table->sourceRow.begin(), table->sourceRow.end());
        QCOMPARE(rows.size(), 200U);
        std::uint32_t counted = 0;
        for (const Lane& lane : table->lanes) {
            for (EventIndex i = lane.first + 1; i < lane.first + lane.count; ++i) {
                QVERIFY(table->start[i] >= table->end(i - 1));
                QVERIFY(table->start[i] >= table->start[i - 1]);
            }
            counted += lane.count;
        }
        QCOMPARE(counted, 200U);
        for (EventIndex i = 0; i < table->size(); ++i) {
            const Track& track = table->trackOf(i);
            QVERIFY(i >= track.firstEvent && i < track.firstEvent + track.eventCount);
            const Lane& lane = table->lanes[table->laneIndexOf(i)];
            QVERIFY(i >= lane.first && i < lane.first + lane.count);
        }
    }
}

void EventTableTest::nestingDepthIsTheLane()
{
    TableBuilder builder(EventKind::Nvtx);
    const std::uint32_t track = builder.track({});
    builder.add(track, 0, 100, {}, 1); // depth 0
    builder.add(track, 10, 60, {}, 2); // depth 1
    builder.add(track, 20, 30, {}, 3); // depth 2
    builder.add(track, 30, 40, {}, 4); // depth 2, touching its sibling
    builder.add(track, 60, 90, {}, 5); // depth 1
    builder.add(track, 100, 120, {}, 6); // depth 0
    EventTable table;
    builder.finishInto(table);
    const std::vector<std::uint32_t> depths{0, 1, 2, 2, 1, 0};
    for (EventIndex i = 0; i < table.size(); ++i)
        QCOMPARE(table.depthOf(i), depths[table.sourceRow[i] - 1]);
}

void EventTableTest::touchingEqualsBruteForce()
{
    std::mt19937 random(2);
    for (int round = 0; round < 200; ++round) {
        const auto table = randomTable(random, EventKind::Memset, 2, 60, round % 2 == 0);
        const Ns from = std::uniform_int_distribution<Ns>(-5, 200)(random);
        const TimeRange window{from, from + std::uniform_int_distribution<Ns>(0, 60)(random)};
        for (const Lane& lane : table->lanes) {
            const auto [first, last] = table->touching(lane, window);
            for (EventIndex i = lane.first; i < lane.first + lane.count; ++i) {
                const bool expected = !window.empty() && window.touches(table->start[i], table->end(i));
                QCOMPARE(i >= first && i < last, expected);
            }
        }
    }
}

void EventTableTest::sumsEqualBruteForce()
{
    std::mt19937 random(3);
    const auto table = randomTable(random, EventKind::Memset, 2, 900, false);
    for (int round = 0; round < 400; ++round) {
        const auto a = std::uniform_int_distribution<EventIndex>(0, 899)(random);
        const auto b = std::uniform_int_distribution<EventIndex>(a, 900)(random);
        Ns expected = 0;
        for (EventIndex i = a; i < b; ++i)
            expected += table->duration[i];
        QCOMPARE(table->durationSum(a, b), expected);
        const Ns from = std::uniform_int_distribution<Ns>(0, 2000)(random);
        const TimeRange window{from, from + std::uniform_int_distribution<Ns>(1, 500)(random)};
        for (const Lane& lane : table->lanes) {
            Ns busy = 0;
            for (EventIndex i = lane.first; i < lane.first + lane.count; ++i)
                busy += table->range(i).clippedTo(window).duration();
            QCOMPARE(table->busy(lane, window), busy);
        }
    }
}

void EventTableTest::longDurationsSurviveSorting()
{
    TableBuilder builder(EventKind::OsRuntime);
    const std::uint32_t track = builder.track({});
    constexpr Ns hour = 3'600'000'000'000;
    builder.add(track, hour, 2 * hour, {}, 1);
    builder.add(track, 0, 5'000'000'000, {}, 2);
    builder.add(track, 10'000'000'000, 10'000'000'000 + DurationColumn::escape, {}, 3);
    EventTable table;
    builder.finishInto(table);
    QCOMPARE(table.duration[0], Ns{5'000'000'000});
    QCOMPARE(table.duration[1], Ns{DurationColumn::escape});
    QCOMPARE(table.duration[2], hour);
    QCOMPARE(table.durationSum(0, 3), 5'000'000'000 + Ns{DurationColumn::escape} + hour);
}

/// A kept column that has one row's length twice, and another's not at all.
void EventTableTest::eachLongDurationIsReadOnce()
{
    struct Archive {
        std::vector<std::uint64_t> longRows;
        bool isOk = true;
        void operator()(std::vector<std::uint32_t>& cells)
        {
            cells = {DurationColumn::escape, 7, DurationColumn::escape};
        }
        void operator()(std::vector<std::uint64_t>& rows) const { rows = longRows; }
        void operator()(std::vector<Ns>& lengths) const { lengths = {5'000'000'000, 6'000'000'000}; }
        bool check(bool condition) { return isOk = isOk && condition; }
        bool ok() const { return isOk; }
    };
    const auto isRead = [](std::vector<std::uint64_t> rows) {
        Archive archive{std::move(rows)};
        DurationColumn column;
        column.describe(archive);
        return archive.isOk;
    };
    QVERIFY(isRead({2, 0}));
    QVERIFY(!isRead({2, 2}));
}

void EventTableTest::appendKeepsEventsOfBothBuilders()
{
    TableBuilder first(EventKind::OsRuntime);
    TableBuilder second(EventKind::OsRuntime);
    TrackKey a;
    a.owner = 1;
    TrackKey b;
    b.owner = 2;
    first.add(first.track(a), 10, 20, {}, 1);
    second.add(second.track(b), 5, 6, {}, 2);
    second.add(second.track(a), 0, 5'000'000'000, {}, 3);
    first.append(std::move(second));
    EventTable table;
    first.finishInto(table);
    QCOMPARE(table.size(), 3U);
    QCOMPARE(table.tracks.size(), 2U);
    QCOMPARE(table.tracks[0].owner, GlobalId{1});
    QCOMPARE(table.tracks[0].eventCount, 2U);
    QCOMPARE(table.duration[0], Ns{5'000'000'000});
    QCOMPARE(table.sourceRow[2], 2U);
}

void EventTableTest::aTableIsTheSameHoweverItWasRead_data()
{
    QTest::addColumn<int>("events");
    QTest::addColumn<int>("overlapping");
    QTest::newRow("one lane each") << 5'000 << 0;
    QTest::newRow("some nest") << 5'000 << 50;
    QTest::newRow("some nest, on all threads") << 900'000 << 50;
}

/// A table from one builder equals one from several builders in turn, and in parts of parts, column by
/// column.
void EventTableTest::aTableIsTheSameHoweverItWasRead()
{
    QFETCH(int, events);
    QFETCH(int, overlapping);
    std::mt19937 random(11);
    const auto pick = [&](Ns low, Ns high) { return std::uniform_int_distribution<Ns>(low, high)(random); };
    TableBuilder whole(EventKind::Memcpy);
    std::vector<TableBuilder> parts(5, TableBuilder(EventKind::Memcpy));
    constexpr Ns longest = 6'000'000'000;
    for (int i = 0; i < events; ++i) {
        TrackKey key;
        key.stream = static_cast<std::int32_t>(pick(0, 3));
        const Ns start
            = i * longest - (key.stream == 3 && pick(0, 99) < overlapping ? pick(0, 3 * longest) : 0);
        const Ns end = start + (pick(0, 99) == 0 ? longest : pick(0, 1'000));
        for (TableBuilder* const builder : {&whole, &parts[static_cast<std::size_t>(i) * 5 / events]}) {
            builder->add(builder->track(key), start, end, StringId{static_cast<std::uint32_t>(i % 7)}, i + 1);
            builder->addCorrelation(static_cast<std::uint32_t>(i + 100));
            builder->addBytes(static_cast<std::uint64_t>(i) * 3);
            builder->addAttribute(static_cast<std::uint32_t>(i % 3));
            builder->addAddress(static_cast<std::uint64_t>(i) * 5);
        }
    }
    parts[3].append(std::move(parts[4]));
    parts[2].append(std::move(parts[3]));
    parts[0].append(std::move(parts[1]));
    parts[0].append(std::move(parts[2]));
    QCOMPARE(parts[0].size(), static_cast<std::size_t>(events));
    EventTable expected;
    EventTable table;
    whole.finishInto(expected);
    parts[0].finishInto(table);
    QCOMPARE(table.start, expected.start);
    QCOMPARE(table.name, expected.name);
    QCOMPARE(table.sourceRow, expected.sourceRow);
    QCOMPARE(table.correlation, expected.correlation);
    QCOMPARE(table.bytes, expected.bytes);
    QCOMPARE(table.attribute, expected.attribute);
    QVERIFY(table.callchain.empty());
    QCOMPARE(parts[0].takeAddresses(), whole.takeAddresses());
    QCOMPARE(table.tracks.size(), std::size_t{4});
    QCOMPARE(table.lanes.size(), expected.lanes.size());
    QCOMPARE(table.lanes.size() > 4, overlapping > 0);
    for (std::size_t i = 0; i < table.size(); ++i) {
        const std::size_t row = table.sourceRow[i] - 1;
        QVERIFY(table.duration[i] == expected.duration[i] && table.correlation[i] == row + 100
            && table.bytes[i] == row * 3 && table.attribute[i] == row % 3);
    }
}

void EventTableTest::releasedMemoryIsGivenBack()
{
    std::vector<int> values(1'000, 1);
    release(values);
    QCOMPARE(values.capacity(), std::size_t{0});
}

void EventTableTest::mergedLanesComeByStartThenKind()
{
    std::mt19937 random(9);
    using Place = std::tuple<Ns, EventKind, EventIndex>;
    for (int round = 0; round < 60; ++round) {
        std::vector<std::shared_ptr<EventTable>> tables;
        std::vector<LaneRun> runs;
        std::vector<Place> expected;
        for (const EventKind kind : {EventKind::Memset, EventKind::GraphTrace}) {
            tables.push_back(randomTable(random, kind, 3, 150, round % 2 == 0));
            const EventTable& table = *tables.back();
            const TimeRange window{round, round + 20 * round};
            for (const Lane& lane : table.lanes) {
                const auto [first, last] = table.touching(lane, window); // nothing, too
                runs.push_back({kind, &table, first, last});
                for (EventIndex i = first; i < last; ++i)
                    expected.emplace_back(table.start[i], kind, i);
            }
        }
        std::ranges::sort(expected);
        std::vector<Place> merged;
        forEachByStart(runs, [&](EventKind kind, const EventTable& table, EventIndex i) {
            merged.emplace_back(table.start[i], kind, i);
        });
        QVERIFY(merged == expected);
    }
}

WARPLINE_TEST(EventTableTest)

} // namespace tst_event_table

#include "tst_event_table.moc"
