// Interval algebra, coverage and level of detail against results computed one nanosecond at a time.

#include "core/base/sorted_search.h"
#include "core/coverage/coverage.h"
#include "core/coverage/coverage_cache.h"
#include "core/coverage/intervals.h"
#include "core/query/lod.h"
#include "tests/support/random_trace.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <random>

#include <cmath>

namespace tst_intervals {

using namespace warpline;
using namespace warpline::test;

namespace {

/// "..###.." -> {[2, 5)}.
Intervals drawn(std::string_view picture)
{
    Intervals ranges;
    for (std::size_t i = 0; i < picture.size(); ++i) {
        if (picture[i] != '#')
            continue;
        const auto t = static_cast<Ns>(i);
        if (!ranges.empty() && ranges.back().end == t)
            ++ranges.back().end;
        else
            ranges.push_back({t, t + 1});
    }
    return ranges;
}

std::vector<bool> pointsOf(const Intervals& ranges, Ns length)
{
    std::vector<bool> points(static_cast<std::size_t>(length), false);
    for (const TimeRange& range : ranges) {
        for (Ns t = std::max<Ns>(0, range.start); t < std::min(length, range.end); ++t)
            points[static_cast<std::size_t>(t)] = true;
    }
    return points;
}

} // namespace

class IntervalsTest : public QObject {
    Q_OBJECT

private slots:
    void drawnExamples();
    void algebraEqualsPointwise();
    void coverageEqualsPointwise();
    void coveragesAreSharedWhileTablesStay();
    void pausesEqualBruteForce();
    void searchesEqualLowerBound();
    void sharesEqualBusyOfEachColumn();
    void levelOfDetailIsExact();
    void levelOfDetailIsSmall();
    void marksNeverVanish();
    void counterColumnsEqualBruteForce();
    void counterColumnsOfRandomSamplesEqualBruteForce();
};

void IntervalsTest::drawnExamples()
{
    const TimeRange window{0, 12};
    QCOMPARE(gaps(drawn("..###...##.."), window), drawn("##...###..##"));
    QCOMPARE(intersection(drawn("####..####.."), drawn("..####..####")), drawn("..##....##.."));
    QCOMPARE(difference(drawn("####..####.."), drawn("..####..####")), drawn("##....##...."));
    // There may be millions of pieces: no room is taken that none needs.
    const Intervals left = difference(drawn("############"), drawn("..#.#.#.#..."));
    QCOMPARE(left.size(), std::size_t{5});
    QCOMPARE(left.capacity(), left.size());
    const Intervals both = intersection(drawn("############"), drawn("..#.#.#.#.#."));
    QCOMPARE(both.capacity(), both.size());
    QCOMPARE(clipped(drawn("####..####.."), {2, 8}), drawn("..##..##...."));
    QCOMPARE(totalTime(drawn("####..####..")), 8);
}

void IntervalsTest::algebraEqualsPointwise()
{
    std::mt19937 random(4);
    constexpr Ns length = 60;
    const auto some = [&] {
        std::vector<TimeRange> ranges;
        for (int i = 0; i < 8; ++i) {
            const Ns start = std::uniform_int_distribution<Ns>(-5, length)(random);
            ranges.push_back({start, start + std::uniform_int_distribution<Ns>(0, 12)(random)});
        }
        return ranges;
    };
    for (int round = 0; round < 300; ++round) {
        const TimeRange window{0, length};
        const std::vector<TimeRange> raw = some();
        const Intervals a = unionOf(raw, window);
        const Intervals b = unionOf(some(), window);
        QCOMPARE(pointsOf(a, length), pointsOf(raw, length));
        for (std::size_t i = 1; i < a.size(); ++i)
            QVERIFY(a[i].start > a[i - 1].end); // disjoint and not touching
        const auto pa = pointsOf(a, length);
        const auto pb = pointsOf(b, length);
        const auto both = pointsOf(intersection(a, b), length);
        const auto only = pointsOf(difference(a, b), length);
        const auto free = pointsOf(gaps(a, window), length);
        for (std::size_t t = 0; t < pa.size(); ++t) {
            QCOMPARE(both[t], pa[t] && pb[t]);
            QCOMPARE(only[t], pa[t] && !pb[t]);
            QCOMPARE(free[t], !pa[t]);
        }
    }
}

void IntervalsTest::coverageEqualsPointwise()
{
    std::mt19937 random(5);
    for (int round = 0; round < 60; ++round) {
        const auto trace = traceWith(randomTable(random, EventKind::Memset, 4, 80, round % 2 == 0));
        const EventTable& table = trace->table(EventKind::Memset);
        std::vector<TrackRef> tracks;
        std::vector<TimeRange> ranges;
        for (std::uint32_t t = 0; t < table.tracks.size(); ++t)
            tracks.push_back({EventKind::Memset, t});
        for (EventIndex i = 0; i < table.size(); ++i)
            ranges.push_back(table.range(i));
        const Coverage coverage = coverageOf(*trace, tracks);
        const Intervals expected = unionOf(ranges, {-1000, 100'000});
        QCOMPARE(coverage.size(), expected.size());
        QCOMPARE(coverage.total(), totalTime(expected));
        for (int i = 0; i < 40; ++i) {
            const Ns from = std::uniform_int_distribution<Ns>(-10, 250)(random);
            const TimeRange window{from, from + std::uniform_int_distribution<Ns>(0, 80)(random)};
            QCOMPARE(coverage.busy(window), totalTime(clipped(expected, window)));
        }
    }
}

void IntervalsTest::coveragesAreSharedWhileTablesStay()
{
    std::mt19937 random(18);
    const auto first = traceWith(randomTable(random, EventKind::Memset, 2, 20'000, true));
    const Trace later = *first; // a later snapshot of the same tables
    const auto other = traceWith(randomTable(random, EventKind::Memset, 2, 20'000, true));
    const std::vector<TrackRef> both{{EventKind::Memset, 0}, {EventKind::Memset, 1}};
    const std::vector<TrackRef> one{{EventKind::Memset, 0}};
    CoverageCache cache;
    auto coverage = cache.of(*first, both);
    QCOMPARE(cache.of(later, both), coverage);
    QVERIFY(cache.of(later, one) != coverage);
    QCOMPARE(cache.of(*other, both)->total(), coverageOf(*other, both).total());
    QVERIFY(cache.of(*other, both) != coverage);
    const std::weak_ptr<const Coverage> kept = coverage;
    coverage.reset();
    QVERIFY(kept.expired());
    QCOMPARE(cache.of(later, both)->total(), coverageOf(later, both).total());
}

void IntervalsTest::pausesEqualBruteForce()
{
    std::mt19937 random(15);
    const auto pausesBetween = [](const Intervals& busy) {
        Pauses pauses;
        for (std::size_t i = 1; i < busy.size(); ++i) {
            ++pauses.count;
            pauses.longest = std::max(pauses.longest, busy[i].start - busy[i - 1].end);
        }
        return pauses;
    };
    for (int round = 0; round < 30; ++round) {
        const auto trace = traceWith(randomTable(random, EventKind::Memset, 3, 3000, round % 2 == 0));
        const EventTable& table = trace->table(EventKind::Memset);
        std::vector<TrackRef> tracks;
        for (std::uint32_t t = 0; t < table.tracks.size(); ++t)
            tracks.push_back({EventKind::Memset, t});
        const Coverage coverage = coverageOf(*trace, tracks);
        Intervals covered;
        for (std::size_t i = 0; i < coverage.size(); ++i)
            covered.push_back(coverage.interval(i));
        for (int i = 0; i < 60; ++i) {
            const Ns from = std::uniform_int_distribution<Ns>(-10, trace->session.end)(random);
            const Ns length
                = std::uniform_int_distribution<Ns>(0, i % 2 == 0 ? 100 : trace->session.end)(random);
            const TimeRange window{from, from + length};
            const Pauses expected = pausesBetween(clipped(covered, window));
            const Pauses found = coverage.pausesWithin(window);
            QCOMPARE(found.count, expected.count);
            QCOMPARE(found.longest, expected.longest);
            for (const Lane& lane : table.lanes) {
                const auto [first, last] = table.touching(lane, window);
                std::vector<TimeRange> ranges;
                for (EventIndex event = first; event < last; ++event)
                    ranges.push_back(table.range(event));
                const Pauses ofLane = pausesBetween(unionOf(ranges, window));
                const Pauses indexed = table.pausesOf(first, last);
                QCOMPARE(indexed.count, ofLane.count);
                QCOMPARE(indexed.longest, ofLane.longest);
            }
        }
    }
}

void IntervalsTest::searchesEqualLowerBound()
{
    std::mt19937 random(16);
    const auto upTo
        = [&](std::size_t most) { return std::uniform_int_distribution<std::size_t>(0, most)(random); };
    for (int round = 0; round < 100; ++round) {
        // Marks and events that touch: many events of the same start. Lanes begin anywhere in the table.
        const auto table
            = randomTable(random, EventKind::Memset, 1 + round % 5, 100 + round * 60, round % 2 == 0);
        std::vector<Ns> times(1 + upTo(400));
        for (Ns& t : times)
            t = static_cast<Ns>(upTo(static_cast<std::size_t>(table->start.back()) + 40)) - 20;
        std::ranges::sort(times);
        std::vector<EventIndex> found(times.size());
        for (const Lane& lane : table->lanes) {
            const std::size_t begin = lane.first + upTo(lane.count);
            const std::size_t end = begin + upTo(lane.first + lane.count - begin);
            const auto at
                = [&](std::size_t i) { return table->start.begin() + static_cast<std::ptrdiff_t>(i); };
            table->firstStartingAt(
                static_cast<EventIndex>(begin), static_cast<EventIndex>(end), times, found);
            for (std::size_t i = 0; i < times.size(); ++i) {
                const auto expected = static_cast<std::size_t>(
                    std::lower_bound(at(begin), at(end), times[i]) - table->start.begin());
                QCOMPARE(std::size_t{found[i]}, expected);
                QCOMPARE(firstNotBefore(table->start, begin, end, times[i]), expected);
            }
        }
    }
}

void IntervalsTest::sharesEqualBusyOfEachColumn()
{
    std::mt19937 random(17);
    std::vector<float> ofLane;
    std::vector<float> ofCoverage;
    for (int round = 0; round < 60; ++round) {
        const auto trace = traceWith(randomTable(random, EventKind::Memset, 3, 3000, round % 2 == 0));
        const EventTable& table = trace->table(EventKind::Memset);
        const std::vector<TrackRef> tracks{{EventKind::Memset, 0}, {EventKind::Memset, 1}};
        const Coverage coverage = coverageOf(*trace, tracks);
        const Ns from = std::uniform_int_distribution<Ns>(-100, trace->session.end)(random);
        const Ns length = std::uniform_int_distribution<Ns>(1, trace->session.end)(random);
        const int pixels = std::uniform_int_distribution<int>(1, round % 3 == 0 ? 5000 : 100)(random);
        const TimeRange window{from, from + length};
        busyShare(coverage, window, pixels, ofCoverage);
        const auto edge = [&](Ns x) { return from + length / pixels * x + length % pixels * x / pixels; };
        const auto share = [](Ns busy, TimeRange column) {
            return static_cast<float>(static_cast<double>(busy) / static_cast<double>(column.duration()));
        };
        for (const Lane& lane : table.lanes) {
            busyShare(table, lane, window, pixels, ofLane);
            for (int x = 0; x < pixels; ++x) {
                const TimeRange column{edge(x), std::max(edge(x + 1), edge(x) + 1)};
                const auto at = static_cast<std::size_t>(x);
                QCOMPARE(ofLane[at], share(table.busy(lane, column), column));
                QCOMPARE(ofCoverage[at], share(coverage.busy(column), column));
            }
        }
    }
}

void IntervalsTest::levelOfDetailIsExact()
{
    std::mt19937 random(6);
    std::vector<LodSlice> slices;
    std::vector<float> ofSlices;
    std::vector<float> searched;
    for (int round = 0; round < 300; ++round) {
        const auto table = randomTable(random, EventKind::Memset, 1, 300, false);
        const Lane& lane = table->lanes.front();
        const Ns from = std::uniform_int_distribution<Ns>(0, 1000)(random);
        const TimeRange window{from, from + std::uniform_int_distribution<Ns>(50, 1500)(random)};
        // The number of pixels divides the window, so that columns are equally long and shares add up
        // exactly.
        const int pixels = static_cast<int>(std::uniform_int_distribution<Ns>(5, 50)(random));
        const TimeRange even{window.start, window.start + (window.duration() / pixels + 1) * pixels};
        levelOfDetail(*table, lane, even, pixels, slices);
        const double perPixel = static_cast<double>(even.duration()) / pixels;
        double covered = 0;
        EventIndex seen = 0;
        for (const LodSlice& slice : slices) {
            QVERIFY(slice.x0 < slice.x1);
            const double left = std::max(0.0, static_cast<double>(slice.x0));
            const double right = std::min<double>(pixels, slice.x1);
            covered += (right - left) * static_cast<double>(slice.share) * perPixel;
            seen = std::max(seen, slice.first + slice.count);
            QVERIFY(slice.longest >= slice.first && slice.longest < slice.first + slice.count);
        }
        busyShare(slices, pixels, ofSlices);
        busyShare(*table, lane, even, pixels, searched);
        QCOMPARE(ofSlices.size(), searched.size());
        for (std::size_t x = 0; x < searched.size(); ++x)
            QVERIFY2(std::abs(ofSlices[x] - searched[x]) < 1e-3F,
                qPrintable(QString("pixel %1: %2 against %3").arg(x).arg(ofSlices[x]).arg(searched[x])));
        const double expected = static_cast<double>(table->busy(lane, even));
        QVERIFY2(std::abs(covered - expected) < 0.01 * perPixel + 1e-3 * expected + 0.5,
            qPrintable(QString("%1 against %2").arg(covered).arg(expected)));
        const auto [first, last] = table->touching(lane, even);
        if (first != last) {
            QVERIFY(!slices.empty());
            QCOMPARE(slices.front().first, first);
            QCOMPARE(seen, last);
        }
    }
}

void IntervalsTest::levelOfDetailIsSmall()
{
    TableBuilder builder(EventKind::Memset);
    const std::uint32_t track = builder.track({});
    for (Ns i = 0; i < 200'000; ++i)
        builder.add(track, i * 10, i * 10 + 6, {}, 1);
    EventTable table;
    builder.finishInto(table);
    std::vector<LodSlice> slices;
    levelOfDetail(table, table.lanes.front(), {0, 2'000'000}, 500, slices);
    QVERIFY(slices.size() <= 1000);
    for (const LodSlice& slice : slices)
        QVERIFY(std::abs(slice.share - 0.6F) < 0.01F);
}

void IntervalsTest::marksNeverVanish()
{
    TableBuilder builder(EventKind::Diagnostic);
    builder.add(builder.track({}), 500'000, 500'000, {}, 1);
    EventTable table;
    builder.finishInto(table);
    std::vector<LodSlice> slices;
    levelOfDetail(table, table.lanes.front(), {0, 1'000'000}, 100, slices);
    QCOMPARE(slices.size(), 1U);
    QCOMPARE(slices.front().x0, 50.0F);
    QCOMPARE(slices.front().count, 1U);
    levelOfDetail(table, table.lanes.front(), {500'001, 1'000'000}, 100, slices);
    QVERIFY(slices.empty());
}

void IntervalsTest::counterColumnsEqualBruteForce()
{
    CounterSeries series;
    series.times = std::make_shared<const std::vector<Ns>>(std::vector<Ns>{10, 20, 21, 35});
    series.values = {1, 5, 2, 4};
    series.summarize();
    std::vector<CounterColumn> columns;
    counterColumns(series, {0, 40}, 4, columns); // pixels of 10 ns
    QVERIFY(!columns[0].valid);
    QCOMPARE(columns[1].high, 1.0F);
    QCOMPARE(columns[2].low, 2.0F); // the value that was held until the pixel began does not count
    QCOMPARE(columns[2].high, 5.0F);
    QCOMPARE(columns[2].last, 2.0F);
    QCOMPARE(columns[3].last, 4.0F);
    QVERIFY(!valueAt(series, 9));
    QVERIFY(valueAt(series, 34) == 2.0F);
}

void IntervalsTest::counterColumnsOfRandomSamplesEqualBruteForce()
{
    std::mt19937 random(7);
    for (int round = 0; round < 40; ++round) {
        CounterSeries series;
        std::vector<Ns> times;
        Ns at = static_cast<Ns>(random() % 500);
        for (int i = 0; i < 700; ++i) {
            times.push_back(at);
            series.values.push_back(static_cast<float>(random() % 1000));
            at += static_cast<Ns>(random() % 30); // several samples at one time, too
        }
        series.times = std::make_shared<const std::vector<Ns>>(times);
        series.summarize();
        QCOMPARE(series.highest, *std::ranges::max_element(series.values));
        QCOMPARE(series.lowest, *std::ranges::min_element(series.values));
        const int pixels = 1 + static_cast<int>(random() % 60);
        const Ns perPixel = 1 + static_cast<Ns>(random() % 400);
        const Ns start = static_cast<Ns>(random() % 4000);
        std::vector<CounterColumn> columns;
        counterColumns(series, {start, start + perPixel * pixels}, pixels, columns);
        for (int x = 0; x < pixels; ++x) {
            const TimeRange pixel{start + perPixel * x, start + perPixel * (x + 1)};
            float low = 1e9F;
            float high = -1;
            for (std::size_t i = 0; i < times.size(); ++i) {
                const Ns until = i + 1 < times.size() ? times[i + 1] : pixel.end + 1;
                const bool inside = pixel.contains(times[i]);
                if (!inside && !(times[i] < pixel.start && until > pixel.start))
                    continue;
                low = std::min(low, series.values[i]);
                high = std::max(high, series.values[i]);
            }
            const CounterColumn& column = columns[static_cast<std::size_t>(x)];
            QCOMPARE(column.valid, high >= 0);
            if (column.valid) {
                QCOMPARE(column.low, low);
                QCOMPARE(column.high, high);
            }
        }
    }
}

WARPLINE_TEST(IntervalsTest)

} // namespace tst_intervals

#include "tst_intervals.moc"
