// Idle time and queues of streams, and sequences of kernels, worked out by hand on drawn programs.

#include "core/stats/stats_table.h"
#include "tests/core/findings/drawn_program.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_stream_tables {

using namespace warpline;
using namespace warpline::test;

namespace {

Cells tableOf(const Trace& trace, const char* id, const std::string& variant = {})
{
    StatsQuery query;
    query.variant = variant;
    return findStatsTable(id)->fill(trace, query);
}

std::int64_t number(const Cells& cells, std::size_t row, std::size_t column)
{
    return std::get<std::int64_t>(cells.at(row, column));
}

} // namespace

class StreamTablesTest : public QObject {
    Q_OBJECT

private slots:
    void idleTimeHasThreeReasons()
    {
        DrawnProgram program;
        program.kernel("a", 0, {10 * us, 20 * us});
        program.kernel(
            "b", 25 * us, {30 * us, 40 * us}); // launched while the stream idles: 10 us for the host
        program.kernel("c", 26 * us, {40 * us + 20, 50 * us}); // 20 ns: as between any two kernels
        program.kernel("d", 27 * us, {57 * us, 60 * us}); // launched long before: 7 us for something else
        const auto trace = program.finish();
        const Cells cells = tableOf(*trace, "stream_idle_sum");
        QCOMPARE(cells.rowCount(), std::size_t{1});
        QCOMPARE(number(cells, 0, 4), std::int64_t{4});
        QCOMPARE(number(cells, 0, 5), 33 * us - 20);
        QCOMPARE(number(cells, 0, 6), 17 * us + 20);
        QCOMPARE(number(cells, 0, 7), 10 * us);
        QCOMPARE(number(cells, 0, 8), Ns{20});
        QCOMPARE(number(cells, 0, 9), 7 * us);
        QCOMPARE(number(tableOf(*trace, "stream_idle_sum", "pause=10"), 0, 8), Ns{0});
    }

    void queuesHoldWhatHasNotBegun()
    {
        DrawnProgram program;
        for (int i = 0; i < 4; ++i) // launched at 0, 1, 2, 3 us; they begin at 10, 20, 30, 40
            program.kernel("k", i * us, {(10 + 10 * i) * us, (20 + 10 * i) * us});
        const auto trace = program.finish();
        const Cells cells = tableOf(*trace, "stream_idle_sum", "full=3");
        QCOMPARE(number(cells, 0, 11), std::int64_t{4});
        QCOMPARE(number(cells, 0, 12), 18 * us); // three or more from 2 us to 20 us
        QCOMPARE(std::get<double>(cells.at(0, 10)), (10 + 19 + 28 + 37) / 40.0);
        QCOMPARE(number(tableOf(*trace, "stream_idle_sum"), 0, 12), Ns{0});
    }

    void streamsOfContextsAreApart()
    {
        DrawnProgram program;
        for (int i = 0; i < 2; ++i) {
            const Ns at = i * 20 * us;
            program.kernel("a", at, {at + 5 * us, at + 10 * us}, {.context = 1});
            program.kernel("b", at + us, {at + 10 * us, at + 15 * us}, {.context = 2});
        }
        const auto trace = program.finish();
        const Cells cells = tableOf(*trace, "stream_idle_sum");
        QCOMPARE(cells.rowCount(), std::size_t{2});
        QCOMPARE(number(cells, 1, 2), std::int64_t{2});
        QCOMPARE(number(cells, 1, 5), 10 * us);
        QCOMPARE(tableOf(*trace, "kernel_sequences", "length=2").rowCount(), std::size_t{0}); // no a > b
    }

    void sequencesAreCountedWhereTheyBegin()
    {
        DrawnProgram program;
        Ns at = 0;
        for (const char* const name : {"a", "b", "c", "a", "b", "c", "a", "b", "d"}) {
            program.kernel(name, at, {at + 2 * us, at + 5 * us});
            at += 10 * us;
        }
        const auto trace = program.finish();
        const Cells pairs = tableOf(*trace, "kernel_sequences", "length=2");
        QCOMPARE(pairs.rowCount(), std::size_t{3});
        QCOMPARE(std::get<std::string>(pairs.at(0, 3)), std::string("a > b"));
        QCOMPARE(number(pairs, 0, 0), std::int64_t{3});
        QCOMPARE(number(pairs, 0, 1), 18 * us);
        QCOMPARE(number(pairs, 0, 2), 39 * us);
        QCOMPARE(tableOf(*trace, "kernel_sequences", "length=2:rows=1").rowCount(), std::size_t{1});
        QCOMPARE(number(tableOf(*trace, "kernel_sequences"), 0, 0), std::int64_t{2}); // a > b > c, b > c > a
    }
};

WARPLINE_TEST(StreamTablesTest)

} // namespace tst_stream_tables

#include "tst_stream_tables.moc"
