// Statistics of one name: compared with a slow computation on random tables, and with SQL on random names and
// ranges of every report.

#include "core/base/stop.h"
#include "core/load/load_report.h"
#include "core/query/duration_classes.h"
#include "core/query/duration_histogram.h"
#include "core/query/find_names.h"
#include "core/query/name_book.h"
#include "core/query/name_groups.h"
#include "core/query/name_pace.h"
#include "core/query/search.h"
#include "core/render/render.h"
#include "tests/core/findings/drawn_program.h"
#include "tests/support/random_trace.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QDirIterator>
#include <QTest>

#include <sqlite3.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>

namespace tst_named_events {

using namespace warpline;
using namespace warpline::test;

namespace {

std::shared_ptr<const Trace> loaded(const QString& path)
{
    auto trace = loadReport(path.toStdString());
    return trace.ok() ? trace.value() : nullptr;
}

double slowPercentile(const std::vector<Ns>& sorted, double share)
{
    const double rank = share * double(sorted.size() - 1);
    const auto below = std::size_t(rank);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return double(sorted[below]) + double(sorted[above] - sorted[below]) * (rank - double(below));
}

bool isNear(double a, double b)
{
    return std::abs(a - b) <= 1e-9 * std::max({1.0, std::abs(a), std::abs(b)});
}

/// The error of `figures` for `durations`; empty: none.
QString wrong(const DurationFigures& figures, std::vector<Ns> durations)
{
    std::ranges::sort(durations);
    const auto n = durations.size();
    if (figures.count != n)
        return QString("count %1, expected %2").arg(figures.count).arg(n);
    if (n == 0)
        return {};
    const Ns total = std::accumulate(durations.begin(), durations.end(), Ns{0});
    if (figures.total != total || figures.least != durations.front() || figures.most != durations.back())
        return "total, least or most";
    long double squares = 0;
    for (const Ns each : durations) {
        const long double distance = static_cast<long double>(each) - static_cast<long double>(total) / n;
        squares += distance * distance;
    }
    if (!isNear(figures.mean, double(total) / double(n)))
        return "mean";
    const double deviation = n > 1 ? std::sqrt(double(squares) / double(n - 1)) : 0;
    if (std::abs(figures.deviation - deviation) > 1e-6 * std::max(1.0, deviation))
        return QString("deviation %1, expected %2").arg(figures.deviation).arg(deviation);
    const std::vector<std::pair<double, double>> percentiles{{figures.p25, 0.25}, {figures.median, 0.5},
        {figures.p75, 0.75}, {figures.p90, 0.9}, {figures.p95, 0.95}, {figures.p99, 0.99},
        {figures.p999, 0.999}};
    for (const auto& [value, share] : percentiles) {
        if (!isNear(value, slowPercentile(durations, share)))
            return QString("p%1: %2, expected %3")
                .arg(share)
                .arg(value, 0, 'f')
                .arg(slowPercentile(durations, share), 0, 'f');
    }
    return {};
}

std::vector<Ns> durationsOf(const EventTable& table, std::span<const EventIndex> events)
{
    std::vector<Ns> durations;
    for (const EventIndex i : events)
        durations.push_back(table.duration[i]);
    return durations;
}

/// Durations of SQLite itself.
std::vector<Ns> judged(const QString& path, const QByteArray& sql)
{
    sqlite3* db = nullptr;
    const QByteArray uri = "file:" + path.toUtf8() + "?mode=ro&immutable=1";
    sqlite3_open_v2(uri.constData(), &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nullptr);
    sqlite3_stmt* statement = nullptr;
    std::vector<Ns> rows;
    if (sqlite3_prepare_v2(db, sql.constData(), -1, &statement, nullptr) == SQLITE_OK) {
        while (sqlite3_step(statement) == SQLITE_ROW)
            rows.push_back(sqlite3_column_int64(statement, 0));
    }
    sqlite3_finalize(statement);
    sqlite3_close(db);
    return rows;
}

QStringList allReports()
{
    QStringList paths;
    for (const QString folder : {WARPLINE_TEST_DATA "/reports", WARPLINE_SHARED_REPORTS}) {
        QDirIterator files(folder, {"*.sqlite"}, QDir::Files, QDirIterator::Subdirectories);
        while (files.hasNext())
            paths << files.next();
    }
    return paths;
}

/// Compares `pace` with putting each instance of `inOrder` into the column `columnOf`.
template <typename ColumnOf>
void checkColumns(const EventTable& table, const std::vector<EventIndex>& inOrder, const Pace& pace,
    double fence, ColumnOf&& columnOf)
{
    std::vector<std::vector<EventIndex>> expected(pace.columns.size());
    for (std::size_t at = 0; at < inOrder.size(); ++at)
        expected[columnOf(at)].push_back(inOrder[at]);
    std::uint64_t outliers = 0;
    for (std::size_t c = 0; c < expected.size(); ++c) {
        const PaceColumn& column = pace.columns[c];
        QCOMPARE(column.count, std::uint64_t(expected[c].size()));
        if (expected[c].empty())
            continue;
        const std::vector<Ns> durations = durationsOf(table, expected[c]);
        QCOMPARE(column.least, std::ranges::min(durations));
        QCOMPARE(column.most, std::ranges::max(durations));
        QCOMPARE(table.duration[column.longest], column.most);
        QVERIFY(std::ranges::find(expected[c], column.longest) != expected[c].end());
        QVERIFY(isNear(column.mean,
            double(std::accumulate(durations.begin(), durations.end(), Ns{0})) / double(durations.size())));
        const auto isOutlier = [&](Ns each) { return double(each) > fence; };
        QCOMPARE(column.outliers, std::uint64_t(std::ranges::count_if(durations, isOutlier)));
        outliers += column.outliers;
    }
    QCOMPARE(pace.outliers, outliers);
}

} // namespace

class NamedEventsTest : public QObject {
    Q_OBJECT

private slots:
    /// The trace has one forward of 24,772,134 ns, and its annotation as the GPU saw it, of 24,818,605 ns.
    void aRangeAndItsAnnotationOnTheGpuAreOneInstance()
    {
        const auto trace = loaded(QStringLiteral(WARPLINE_TEST_DATA "/traces/bert_stack.json.gz"));
        QVERIFY(trace);
        const std::vector<FoundName> found = findNames(*trace, "forward", {}, {});
        QVERIFY(!found.empty());
        QVERIFY(found.front().query.kind == EventKind::Nvtx && !found.front().query.recordedOnGpu);
        QCOMPARE(found.front().count, 1U);
        QCOMPARE(found.front().total, Ns{24'772'134});
        const auto onGpu
            = std::ranges::find_if(found, [](const FoundName& each) { return each.query.recordedOnGpu; });
        QVERIFY(onGpu != found.end());
        QCOMPARE(onGpu->count, 1U);
        QCOMPARE(onGpu->total, Ns{24'818'605});
        for (const TimeRange window : {TimeRange{}, trace->session}) {
            NamedQuery host = found.front().query;
            host.window = window;
            const std::vector<EventIndex> events = eventsOf(*trace, host);
            QCOMPARE(events.size(), std::size_t{1});
            QVERIFY(namedAs(*trace, {EventKind::Nvtx, events.front()}) == found.front().query);
            NamedQuery gpu = onGpu->query;
            gpu.window = window;
            QCOMPARE(eventsOf(*trace, gpu).size(), std::size_t{1});
            QVERIFY(namedAs(*trace, {EventKind::Nvtx, eventsOf(*trace, gpu).front()}) == onGpu->query);
            // The denominator: all ranges of threads, or all annotations on the GPU.
            Ns all = 0;
            for (EventIndex i = 0; i < trace->nvtx().size(); ++i)
                all += trace->nvtx().duration[i];
            QCOMPARE(totalDuration(*trace, host) + totalDuration(*trace, gpu), all);
        }
        const std::vector<FoundName> asked = findNames(*trace, "forward", {}, "device>=0");
        QVERIFY(!asked.empty() && asked.front().query.recordedOnGpu);
        QCOMPARE(asked.front().total, Ns{24'818'605});
        const NameBook book = NameBook::of(*trace);
        const NameSummary* const summary = book.find(EventKind::Nvtx, *found.front().query.name);
        QVERIFY(summary);
        QCOMPARE(summary->count, 1U);
        QCOMPARE(summary->median, Ns{24'772'134});
    }

    /// Find counts as Events, Name and the file do: aten::linear is there 148 times, and each put work on the
    /// GPU.
    void findCountsARangeOnce()
    {
        const auto trace = loaded(QStringLiteral(WARPLINE_TEST_DATA "/traces/bert_stack.json.gz"));
        QVERIFY(trace);
        const EventPredicate match(*trace, FilterExpression("aten::linear"));
        const SampleSearch samples = samplesToSearch(*trace, match);
        const auto inFile = std::uint64_t{148};
        QCOMPARE(findNames(*trace, "aten::linear", {}, {}).front().count, inFile);
        QCOMPARE(countMatches(*trace, match, samples), inFile);
        EventRef found;
        for (std::uint64_t i = 0; i < inFile; ++i) {
            found = findNext(*trace, match, found, trace->session.start, true, samples);
            QVERIFY(found.kind == EventKind::Nvtx);
        }
        QVERIFY(!findNext(*trace, match, found, trace->session.start, true, samples).valid());
    }

    void classesCoverAllDurations()
    {
        std::size_t before = 0;
        for (const Ns low : {Ns{0}, Ns{1}, Ns{2047}, Ns{2048}, Ns{2049}, Ns{2050}, Ns{1} << 20,
                 (Ns{1} << 40) + 12345, std::numeric_limits<Ns>::max()}) {
            const std::size_t index = classOf(low);
            QVERIFY(index < durationClasses && index >= before);
            const auto [first, width] = extentOf(index);
            QVERIFY(first <= low && std::uint64_t(low - first) < width);
            before = index;
        }
        for (std::size_t i = 1; i < durationClasses; ++i)
            QCOMPARE(std::uint64_t(extentOf(i).first),
                std::uint64_t(extentOf(i - 1).first) + extentOf(i - 1).second);
    }

    void figuresOfRandomDurations()
    {
        std::mt19937_64 random(1);
        for (int round = 0; round < 200; ++round) {
            // Few and many, short and endless, spread and all alike.
            const std::size_t count = round % 10 == 9 ? 500'000 : 1 + random() % (round % 3 == 0 ? 5 : 3000);
            const Ns low = Ns(random() % (1ULL << (random() % 40)));
            const std::uint64_t spread = 1ULL << (random() % 36);
            EventTable table;
            std::vector<EventIndex> events;
            for (std::size_t i = 0; i < count; ++i) {
                table.start.push_back(Ns(i));
                table.duration.push_back(low + Ns(random() % spread));
                if (random() % 4 != 0)
                    events.push_back(EventIndex(i));
            }
            const std::vector<Ns> durations = durationsOf(table, events);
            const DurationFigures figures = durationFigures(table, events);
            QVERIFY2(wrong(figures, durations).isEmpty(), qPrintable(wrong(figures, durations)));
            std::vector<Ns> copy = durations;
            QVERIFY2(wrong(durationFigures(copy), durations).isEmpty(), "of lengths");
            if (events.empty())
                continue;
            QCOMPARE(table.duration[figures.longest], figures.most);
            QCOMPARE(table.duration[figures.shortest], figures.least);
            const EventIndex middle = nearestTo(table, events, figures.median);
            for (const Ns each : durations)
                QVERIFY(std::abs(double(table.duration[middle]) - figures.median)
                    <= std::abs(double(each) - figures.median));
            const Ns some = durations[random() % durations.size()];
            QCOMPARE(shorterThan(table, events, some),
                std::uint64_t(std::ranges::count_if(durations, [&](Ns each) { return each < some; })));
            checkHistograms(table, events, figures);
        }
    }

    void groupsAddUp()
    {
        DrawnProgram program;
        for (int i = 0; i < 50; ++i) {
            const Ns at = Ns{i} * 1'000'000;
            program.range(i % 2 == 0 ? "even" : "odd", {at, at + 900'000});
            program.kernel("k", at + 10'000, {at + 50'000, at + 60'000 + i * 100},
                {.stream = 7 + i % 3, .blocks = 100 + i % 5, .tid = 1});
            program.copy({at + 100'000, at + 105'000}, {at + 110'000, at + 120'000},
                {.bytes = std::uint64_t(i % 4) * 100});
        }
        const auto trace = program.finish();
        const auto found = findNames(*trace, "k");
        QCOMPARE(found.size(), std::size_t{1});
        const auto events = eventsOf(*trace, found.front().query);
        QCOMPARE(events.size(), std::size_t{50});
        const std::map<NameGrouping, std::size_t> expected{{NameGrouping::Stream, 3},
            {NameGrouping::Device, 1}, {NameGrouping::Process, 1}, {NameGrouping::Thread, 1},
            {NameGrouping::Parent, 2}, {NameGrouping::Path, 2}, {NameGrouping::Grid, 5}};
        for (const auto& [grouping, count] : expected) {
            const auto groups
                = groupsOf(*trace, EventKind::Kernel, events, {.grouping = grouping, .field = {}});
            QCOMPARE(groups.size(), count);
            std::uint64_t sum = 0;
            double share = 0;
            for (const NameGroup& group : groups) {
                QVERIFY(!group.label.empty());
                sum += group.figures.count;
                share += group.share;
            }
            QCOMPARE(sum, std::uint64_t{50});
            QVERIFY(isNear(share, 1));
        }
        const auto parents
            = groupsOf(*trace, EventKind::Kernel, events, {.grouping = NameGrouping::Parent, .field = {}});
        QCOMPARE(plain(parents[0].label), std::string("odd")); // the last one is odd, and they grow
        std::vector<Ns> odd;
        for (int i = 1; i < 50; i += 2)
            odd.push_back(10'000 + i * 100);
        QVERIFY2(wrong(parents[0].figures, odd).isEmpty(), qPrintable(wrong(parents[0].figures, odd)));
        const auto few = groupsOf(
            *trace, EventKind::Kernel, events, {.grouping = NameGrouping::Grid, .field = {}, .most = 2});
        QCOMPARE(few.size(), std::size_t{3});
        QCOMPARE(few.back().others, std::uint64_t{3});
        const auto copies = eventsOf(
            *trace, {.kind = EventKind::Memcpy, .name = {}, .label = {}, .window = {}, .filter = {}});
        QCOMPARE(groupsOf(*trace, EventKind::Memcpy, copies, {.grouping = NameGrouping::Bytes, .field = {}})
                     .size(),
            std::size_t{4});
        QVERIFY(groupsOf(*trace, EventKind::Memcpy, copies, {.grouping = NameGrouping::Grid, .field = {}})
                    .empty());
    }

    void streamsOfContextsAreApart()
    {
        DrawnProgram program;
        for (int i = 0; i < 6; ++i) {
            const Ns at = Ns{i} * 100'000;
            program.kernel("k", at, {at + 10'000, at + 20'000}, {.context = 1 + i % 2});
        }
        const auto trace = program.finish();
        const auto events = eventsOf(*trace, findNames(*trace, "k").front().query);
        const auto groups
            = groupsOf(*trace, EventKind::Kernel, events, {.grouping = NameGrouping::Stream, .field = {}});
        QCOMPARE(groups.size(), std::size_t{2});
        QVERIFY(plain(groups[0].label) != plain(groups[1].label));
        QCOMPARE(groups[0].figures.count, std::uint64_t{3});
    }

    void paceHoldsEveryEvent()
    {
        std::mt19937 random(4);
        const auto trace = traceWith(randomTable(random, EventKind::Memset, 6, 5000, true));
        const EventTable& table = trace->table(EventKind::Memset);
        const auto events = eventsOf(
            *trace, {.kind = EventKind::Memset, .name = {}, .label = {}, .window = {}, .filter = {}});
        QCOMPARE(events.size(), table.size());
        const DurationFigures figures = durationFigures(table, events);
        const auto inOrder = startsInOrder(table, events);
        QVERIFY(std::ranges::is_sorted(inOrder, {}, [&](EventIndex i) { return table.start[i]; }));
        std::uint64_t outliers = 0;
        for (const EventIndex i : events)
            outliers += double(table.duration[i]) > figures.outlierFence() ? 1 : 0;
        for (const Pace& pace : {paceOverTime(table, events, trace->session, 300, figures.outlierFence()),
                 paceOverInstances(table, events, 300, figures.outlierFence())}) {
            QCOMPARE(pace.columns.size(), std::size_t{300});
            std::uint64_t count = 0;
            double total = 0;
            for (const PaceColumn& column : pace.columns) {
                count += column.count;
                total += column.mean * double(column.count);
                QVERIFY(column.count == 0
                    || (double(column.least) <= column.mean && column.mean <= double(column.most)
                        && table.duration[column.longest] == column.most));
            }
            QCOMPARE(count, figures.count);
            QVERIFY(isNear(total, double(figures.total)));
            QCOMPARE(pace.outliers, outliers);
        }
    }

    /// Column by column against a plain loop over all events, in order of start.
    void paceIsThatOfEachEvent()
    {
        std::mt19937 random(5);
        for (const std::uint32_t tracks : {1U, 3U, 200U}) {
            const auto trace = traceWith(randomTable(random, EventKind::Memset, tracks, 3000, tracks != 3));
            const EventTable& table = trace->table(EventKind::Memset);
            auto events = eventsOf(
                *trace, {.kind = EventKind::Memset, .name = {}, .label = {}, .window = {}, .filter = {}});
            std::erase_if(events, [&](EventIndex) { return random() % 3 == 0; });
            const auto inOrder = startsInOrder(table, events);
            for (const std::size_t columns : {std::size_t{1}, std::size_t{7}, std::size_t{300}}) {
                const double fence = durationFigures(table, events).median;
                const Pace byInstance = paceOverInstances(table, events, columns, fence);
                checkColumns(table, inOrder, byInstance, fence,
                    [&](std::size_t at) { return at * byInstance.columns.size() / inOrder.size(); });
                const TimeRange window{trace->session.start, trace->session.end / 2 + 1};
                const Pace overTime = paceOverTime(table, events, window, columns, fence);
                checkColumns(table, inOrder, overTime, fence, [&](std::size_t at) {
                    const double place = (double(table.start[inOrder[at]]) - double(window.start))
                        * (double(columns) / double(window.duration()));
                    return std::size_t(std::clamp(place, 0.0, double(columns - 1)));
                });
            }
            for (std::size_t at = 0; at < inOrder.size(); at += 11)
                QCOMPARE(instanceOf(table, events, inOrder[at]), std::uint64_t(at));
        }
    }

    /// One counting pass gives the same as two passes, and as sorting: short, long, and some of each.
    void longAndShortDurations()
    {
        std::mt19937_64 random(6);
        for (const auto& [count, oneIn] :
            {std::pair(5000, 1), std::pair(5000, 7), std::pair(300'000, 2), std::pair(300'000, 5000)}) {
            EventTable table;
            std::vector<EventIndex> events;
            for (int i = 0; i < count; ++i) {
                const bool isLong = random() % std::uint64_t(oneIn) == 0;
                table.start.push_back(i);
                table.duration.push_back(
                    isLong ? Ns(100'000 + random() % 7'000'000'000) : Ns(random() % 3000));
                events.push_back(EventIndex(i));
            }
            DurationCounts counts;
            const DurationFigures figures = durationFigures(table, events, counts, {});
            const auto durations = durationsOf(table, events);
            QVERIFY2(wrong(figures, durations).isEmpty(), qPrintable(wrong(figures, durations)));
            QCOMPARE(counts.areAll, oneIn != 2); // too many are long
            checkHistograms(table, events, figures);
            for (const bool logarithmic : {false, true}) {
                if (!counts.areAll)
                    break;
                const auto edges = histogramEdges(figures, 80, logarithmic);
                const auto counted = durationHistogram(counts, edges, logarithmic);
                const auto passed = durationHistogram(table, events, edges, logarithmic);
                QCOMPARE(counted.counts, passed.counts);
                QCOMPARE(counted.totals, passed.totals);
            }
        }
    }

    /// Groups of whole tracks, adjacent or not, equal those by each event's own track.
    void groupsOfTracksAreThoseOfEvents()
    {
        std::mt19937 random(8);
        auto table = randomTable(random, EventKind::Memset, 12, 700, true);
        for (std::size_t t = 0; t < table->tracks.size(); ++t) {
            table->tracks[t].owner = GlobalId{(t % 3 + 1) << 24U};
            table->tracks[t].device = std::int32_t(t % 2);
            table->tracks[t].stream = std::int32_t(t / 4);
        }
        const auto trace = traceWith(std::move(table));
        const EventTable& sets = trace->table(EventKind::Memset);
        const auto events = eventsOf(
            *trace, {.kind = EventKind::Memset, .name = {}, .label = {}, .window = {}, .filter = {}});
        std::map<GlobalId, std::vector<Ns>> expected;
        for (const EventIndex i : events)
            expected[sets.trackOf(i).owner].push_back(sets.duration[i]);
        const auto groups
            = groupsOf(*trace, EventKind::Memset, events, {.grouping = NameGrouping::Process, .field = {}});
        QCOMPARE(groups.size(), expected.size());
        for (const NameGroup& group : groups) {
            QVERIFY(std::ranges::any_of(
                expected, [&](const auto& each) { return wrong(group.figures, each.second).isEmpty(); }));
        }
    }

    /// Kernels, API calls and NVTX ranges by SQL: random names, random ranges, on every report.
    void figuresAreThoseOfTheReport()
    {
        const QStringList paths = allReports();
        std::mt19937_64 random(9);
        int looked = 0;
        for (const QString& path : paths) {
            if (QFileInfo(path).size() > 60'000'000)
                continue;
            const auto trace = loaded(path);
            if (!trace)
                continue;
            for (int round = 0; round < 9; ++round) {
                const EventKind kind = std::array{
                    EventKind::Kernel, EventKind::ApiCall, EventKind::OsRuntime}[std::size_t(round) % 3];
                const EventTable& table = trace->table(kind);
                if (table.empty() || judged(path, "SELECT count(*) FROM StringIds").empty())
                    continue;
                const auto some = EventIndex(random() % table.size());
                NamedQuery query = namedAs(*trace, {kind, some});
                if (round >= 3) {
                    const Ns length = Ns(random() % std::uint64_t(trace->session.duration() + 1)) + 1;
                    const Ns start
                        = trace->session.start + Ns(random() % std::uint64_t(trace->session.duration() + 1));
                    query.window = {start, start + length};
                }
                const std::vector<EventIndex> events = eventsOf(*trace, query);
                const auto expected = judged(path, sqlOf(*trace, query));
                const QString problem = wrong(durationFigures(table, events), expected);
                QVERIFY2(problem.isEmpty(),
                    qPrintable(path + ": " + problem + "\n" + QString::fromUtf8(sqlOf(*trace, query))));
                looked += expected.empty() ? 0 : 1;
            }
        }
        QVERIFY(looked > 10);
    }

    void narrowedQueries()
    {
        const auto trace = loaded(WARPLINE_TEST_DATA "/reports/bert_fp32.sqlite");
        QVERIFY(trace);
        const EventTable& kernels = trace->kernels();
        const NamedQuery all{.kind = EventKind::Kernel, .name = {}, .label = {}, .window = {}, .filter = {}};
        NamedQuery some = all;
        some.least = 10'000;
        some.most = 50'000;
        some.filter = "grid>100";
        std::vector<EventIndex> expected;
        for (EventIndex i = 0; i < kernels.size(); ++i) {
            if (kernels.duration[i] >= 10'000 && kernels.duration[i] <= 50'000
                && trace->kernels().launch(i).grid.volume() > 100)
                expected.push_back(i);
        }
        QVERIFY(!expected.empty());
        QVERIFY(eventsOf(*trace, some) == expected);
        const std::string shortName(trace->text(trace->kernels().launch(0).shortName));
        const auto found = findNames(*trace, shortName);
        QVERIFY(!found.empty() && found.front().query.form == NameForm::Short);
        for (const EventIndex i : eventsOf(*trace, found.front().query))
            QCOMPARE(std::string(trace->text(trace->kernels().launch(i).shortName)), shortName);
        const EventRef shown{EventKind::Kernel, 0};
        const auto alike = eventsOf(*trace, namedAs(*trace, shown, NameForm::Label));
        EventIndex count = 0;
        for (EventIndex i = 0; i < kernels.size(); ++i)
            count += trace->displayName({EventKind::Kernel, i}) == trace->displayName(shown) ? 1 : 0;
        QCOMPARE(alike.size(), std::size_t{count});
        QVERIFY(count > 0 && !findNames(*trace, trace->displayName(shown)).empty());
        QVERIFY(findNames(*trace, "no such name").empty());
        QVERIFY(!findNames(*trace, "cudaLaunch*").empty());
        QCOMPARE(findNames(*trace, "cudaLaunch*", {}, "dur<0").size(), std::size_t{0});
        QVERIFY(!namesLike(*trace, "launch", 5).empty());
        std::stop_source stop;
        stop.request_stop();
        bool stopped = false;
        try {
            (void)eventsOf(*trace, all, stop.get_token());
        } catch (const Stopped&) {
            stopped = true;
        }
        QVERIFY(stopped);
    }

private:
    void checkHistograms(
        const EventTable& table, const std::vector<EventIndex>& events, const DurationFigures& figures)
    {
        for (const bool logarithmic : {false, true}) {
            const DurationHistogram histogram
                = durationHistogram(table, events, histogramEdges(figures, 50, logarithmic), logarithmic);
            QVERIFY(histogram.bins() >= 1 && histogram.bins() <= 50);
            QVERIFY(std::ranges::is_sorted(histogram.edges, std::ranges::less_equal{}));
            std::vector<std::uint64_t> counts(histogram.bins());
            std::vector<Ns> totals(histogram.bins());
            for (const EventIndex i : events) {
                const std::size_t bin = histogram.binOf(table.duration[i]);
                ++counts[bin];
                totals[bin] += table.duration[i];
            }
            QVERIFY(counts == histogram.counts);
            QVERIFY(totals == histogram.totals);
            const auto [least, most] = histogram.durations(0, histogram.bins() - 1);
            QVERIFY(least <= figures.least && most >= figures.most);
        }
    }

    static QByteArray sqlOf(const Trace& trace, const NamedQuery& query)
    {
        const QByteArray name
            = QByteArray(trace.text(*query.name).data(), qsizetype(trace.text(*query.name).size()));
        const auto numbers = [&](const QByteArray& where) {
            QByteArray sql = where;
            if (!query.window.empty()) {
                const QByteArray from = QByteArray::number(qint64(query.window.start));
                const QByteArray to = QByteArray::number(qint64(query.window.end));
                sql += " AND k.start < " + to + " AND (k.end > " + from
                    + " OR (k.start = k.end AND k.start = " + from + "))";
            }
            return sql;
        };
        const QByteArray text = " AND s.value = CAST(x'" + name.toHex() + "' AS TEXT)";
        switch (query.kind) {
        case EventKind::Kernel:
            return numbers(
                "SELECT max(0, k.end - k.start) FROM CUPTI_ACTIVITY_KIND_KERNEL k JOIN StringIds s ON s.id = "
                "k.demangledName WHERE 1"
                + text);
        case EventKind::ApiCall:
            return numbers(
                "SELECT max(0, k.end - k.start) FROM CUPTI_ACTIVITY_KIND_RUNTIME k JOIN StringIds s ON s.id = "
                "k.nameId WHERE 1"
                + text);
        default:
            return numbers(
                "SELECT max(0, k.end - k.start) FROM OSRT_API k JOIN StringIds s ON s.id = k.nameId WHERE 1"
                + text);
        }
    }
};

WARPLINE_TEST(NamedEventsTest)

} // namespace tst_named_events

#include "tst_named_events.moc"
