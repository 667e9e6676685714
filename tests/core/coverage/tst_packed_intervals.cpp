// Packed intervals against the plain list from which they were built.

#include "core/coverage/packed_intervals.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <limits>
#include <random>

namespace tst_packed_intervals {

using namespace warpline;

namespace {

constexpr Ns second = 1'000'000'000;

/// Ranges with gaps and lengths of up to `longest`, some of them ten times as long.
Intervals randomList(std::mt19937_64& random, std::size_t size, Ns longest)
{
    std::uniform_int_distribution<Ns> length(1, longest);
    std::bernoulli_distribution isLong(0.05);
    const auto some = [&] { return length(random) * (isLong(random) ? 10 : 1); };
    Intervals list;
    Ns at = -3 * longest;
    for (std::size_t i = 0; i < size; ++i) {
        const Ns start = at + some();
        at = start + some();
        list.push_back({start, at});
    }
    return list;
}

Intervals plain(const PackedIntervals& packed)
{
    return {packed.begin(), packed.end()};
}

} // namespace

class PackedIntervalsTest : public QObject {
    Q_OBJECT

private slots:
    void holdsWhatItWasMadeOf_data();
    void holdsWhatItWasMadeOf();
    void timeInEqualsASumOverAll_data() { holdsWhatItWasMadeOf_data(); }
    void timeInEqualsASumOverAll();
    void algebraEqualsThatOfPlainLists();
    void builderJoinsWhatTouches();
    void unionTakesAnyOrder();
    void noneIsEmpty();
    void aCopySharesIt();
    void timesAtTheEdgesOfSixtyFourBits();
};

void PackedIntervalsTest::holdsWhatItWasMadeOf_data()
{
    QTest::addColumn<Ns>("longest");
    QTest::newRow("all near each other") << Ns{1000};
    QTest::newRow("some blocks too wide for 32 bits") << second / 8;
    QTest::newRow("all blocks too wide") << 3 * second;
}

void PackedIntervalsTest::holdsWhatItWasMadeOf()
{
    QFETCH(Ns, longest);
    std::mt19937_64 random(6);
    for (const std::size_t size : {1, 63, 64, 65, 128, 1000}) {
        const Intervals list = randomList(random, size, longest);
        const PackedIntervals packed = list;
        QCOMPARE(packed.size(), size);
        QCOMPARE(plain(packed), list);
        QCOMPARE(packed.front(), list.front());
        QCOMPARE(packed.back(), list.back());
        for (std::size_t i = 0; i < size; ++i)
            QCOMPARE(packed[i], list[i]);
        QCOMPARE(totalTime(packed), totalTime(list));
        QVERIFY(packed == PackedIntervals(list));
        Intervals other = list;
        ++other.back().end;
        QVERIFY(!(packed == PackedIntervals(other)));
    }
}

void PackedIntervalsTest::timeInEqualsASumOverAll()
{
    QFETCH(Ns, longest);
    std::mt19937_64 random(7);
    const Intervals list = randomList(random, 700, longest);
    const PackedIntervals packed = list;
    std::uniform_int_distribution<Ns> time(list.front().start - longest, list.back().end + longest);
    for (int round = 0; round < 2000; ++round) {
        TimeRange window{time(random), time(random)};
        if (round % 3 == 0) // edges of ranges
            window.start = list[static_cast<std::size_t>(round) % list.size()].start;
        if (round % 5 == 0)
            window.end = list[static_cast<std::size_t>(round) * 7 % list.size()].end;
        Ns sum = 0;
        for (const TimeRange& range : list)
            sum += range.clippedTo(window).duration();
        QCOMPARE(packed.timeIn(window), sum);
        QCOMPARE(totalTime(packed, window), sum);
        QCOMPARE(clipped(packed, window), clipped(list, window));
        const PackedIntervals part = packed.within(window);
        QCOMPARE(plain(part), clipped(list, window));
        QCOMPARE(totalTime(part), sum);
        // A part of a part.
        const TimeRange other{time(random), time(random)};
        QCOMPARE(plain(part.within(other)), clipped(list, window.clippedTo(other)));
        QCOMPARE(part.timeIn(other), packed.timeIn(window.clippedTo(other)));
    }
}

void PackedIntervalsTest::algebraEqualsThatOfPlainLists()
{
    std::mt19937_64 random(8);
    for (int round = 0; round < 50; ++round) {
        const Ns longest = round % 2 == 0 ? 100 : second / 4;
        const Intervals a = randomList(random, 200, longest);
        const Intervals b = randomList(random, 150, longest);
        const PackedIntervals packedA = a;
        const PackedIntervals packedB = b;
        QCOMPARE(intersection(packedA, packedB), intersection(a, b));
        QCOMPARE(difference(a, packedB), difference(a, b));
        QCOMPARE(difference(packedA, b), difference(a, b));
        QCOMPARE(commonTime(a, packedB), totalTime(intersection(a, b)));
        Intervals both = a;
        both.insert(both.end(), b.begin(), b.end());
        const TimeRange all{std::min(a.front().start, b.front().start), std::max(a.back().end, b.back().end)};
        QCOMPARE(plain(united(packedA, packedB)), unionOf(both, all));
        QCOMPARE(plain(packedDifference(packedA, packedB)), difference(packedA, packedB));
    }
}

void PackedIntervalsTest::unionTakesAnyOrder()
{
    std::mt19937_64 random(9);
    for (int round = 0; round < 50; ++round) {
        Intervals ranges = randomList(random, 100, 1000);
        const TimeRange all{ranges.front().start, ranges.back().end};
        if (round % 2 == 0)
            std::ranges::shuffle(ranges, random);
        else // as a lane behind another one
            std::ranges::rotate(ranges, ranges.begin() + 40);
        PackedUnion added;
        QVERIFY(added.empty());
        for (const TimeRange& range : ranges)
            added.add(range);
        QVERIFY(!added.empty());
        QCOMPARE(plain(added.done(all)), unionOf(ranges, all));
    }
    QVERIFY(PackedUnion().done({0, 1}).empty());
}

void PackedIntervalsTest::builderJoinsWhatTouches()
{
    PackedIntervals::Builder builder;
    QVERIFY(builder.empty());
    builder.add({5, 5}); // nothing
    QVERIFY(builder.empty());
    builder.add({0, 10});
    builder.add({4, 6}); // within
    builder.add({10, 12}); // touches
    QCOMPARE(builder.back(), (TimeRange{0, 12}));
    builder.add({13, 20});
    builder.add({15, 30}); // overlaps
    const PackedIntervals list = builder.done();
    QCOMPARE(plain(list), (Intervals{{0, 12}, {13, 30}}));
    QVERIFY(builder.empty());
    QVERIFY(builder.done().empty());
}

void PackedIntervalsTest::noneIsEmpty()
{
    const PackedIntervals none;
    QVERIFY(none.empty());
    QVERIFY(none.begin() == none.end());
    QCOMPARE(none.timeIn({0, 100}), Ns{0});
    QCOMPARE(totalTime(none), Ns{0});
    QVERIFY(PackedIntervals(Intervals{}).empty());
    QVERIFY(united(none, none).empty());
    QCOMPARE(plain(united(none, Intervals{{1, 2}})), (Intervals{{1, 2}}));
    QVERIFY(none == PackedIntervals(Intervals{}));
}

void PackedIntervalsTest::aCopySharesIt()
{
    std::mt19937_64 random(9);
    const Intervals list = randomList(random, 100, 1000);
    PackedIntervals first = list;
    const PackedIntervals second = first;
    first = {};
    QVERIFY(first.empty());
    QCOMPARE(plain(second), list);
}

void PackedIntervalsTest::timesAtTheEdgesOfSixtyFourBits()
{
    constexpr Ns most = std::numeric_limits<Ns>::max() / 4; // a session is no longer
    const Intervals list{{-most, -most + 1}, {-5, 5}, {most - 10, most}};
    const PackedIntervals packed = list;
    QCOMPARE(plain(packed), list);
    QCOMPARE(packed.timeIn({-most, 0}), Ns{6});
    QCOMPARE(packed.timeIn({0, most}), Ns{15});
    // A range longer than 32 bits starts a block of short ones.
    Intervals longFirst{{0, 5 * second}};
    for (Ns i = 1; i < 70; ++i)
        longFirst.push_back({5 * second + i * 10, 5 * second + i * 10 + 5});
    QCOMPARE(plain(PackedIntervals(longFirst)), longFirst);
    QCOMPARE(PackedIntervals(longFirst).timeIn({4 * second, 5 * second + 12}), second + 2);
}

WARPLINE_TEST(PackedIntervalsTest)

} // namespace tst_packed_intervals

#include "tst_packed_intervals.moc"
