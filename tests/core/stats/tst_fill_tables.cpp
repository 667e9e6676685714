// Several tables at once: in their order, each as it is made alone, whichever thread made it.

#include "core/export/tables_text.h"
#include "core/load/load_report.h"
#include "core/stats/call_twins.h"
#include "core/stats/fill_tables.h"
#include "tests/core/findings/drawn_program.h"
#include "tests/support/no_threads.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <stdexcept>

namespace tst_fill_tables {

using namespace warpline;
using namespace warpline::test;

namespace {

std::string csvOf(const Cells& cells)
{
    return toCsv(cells);
}

/// So many kernels that helpers are worth it, in ranges of two names.
std::shared_ptr<const Trace> manyKernels()
{
    DrawnProgram drawn;
    constexpr int steps = 2'000;
    constexpr int each = 120;
    for (int step = 0; step < steps; ++step) {
        const Ns at = step * Ns{1} * ms;
        drawn.range(step % 2 == 0 ? "even" : "odd", {at, at + 900 * us});
        for (int i = 0; i < each; ++i) {
            const Ns launched = at + i * 7 * us;
            drawn.kernel(i % 3 == 0 ? "gemm" : "add", launched,
                {launched + 3 * us, launched + (4 + i % 2) * us}, {.callTime = 1 * us});
        }
    }
    return drawn.finish();
}

std::vector<TableRequest> summariesOf(const Trace& trace)
{
    std::vector<TableRequest> asked;
    for (const StatsTable* const table : allStatsTables()) {
        if (table->shape == TableShape::Summary && table->applies(trace))
            asked.push_back({table, {}});
    }
    return asked;
}

struct NumberedCall {
    std::uint32_t id;
    unsigned works; ///< pieces
};

/// One thread that makes `calls`.
std::shared_ptr<const Trace> traceOf(const std::vector<NumberedCall>& calls)
{
    auto trace = std::make_shared<Trace>();
    auto api = std::make_shared<EventTable>();
    auto links = std::make_shared<Links>();
    const auto count = static_cast<EventIndex>(calls.size());
    api->kind = EventKind::ApiCall;
    api->tracks.push_back({.owner = DrawnProgram::threadOf(1), .laneCount = 1, .eventCount = count});
    api->lanes.push_back({0, count});
    for (const NumberedCall& call : calls) {
        api->start.push_back(static_cast<Ns>(api->start.size()));
        api->correlation.push_back(call.id);
        links->firstWork.push_back(call.works > 0 ? 0 : noIndex);
        for (unsigned work = 1; work < call.works; ++work)
            links->moreWork.emplace_back(static_cast<EventIndex>(links->firstWork.size() - 1), work);
    }
    trace->tables[indexOf(EventKind::ApiCall)] = api;
    trace->links = links;
    return trace;
}

Cells failing(const Trace&, const StatsQuery&)
{
    throw std::runtime_error("no memory");
}

} // namespace

class FillTablesTest : public QObject {
    Q_OBJECT

private slots:
    void tablesComeInTheirOrderAndAreThoseMadeAlone()
    {
        const auto trace = manyKernels();
        const std::vector<TableRequest> asked = summariesOf(*trace);
        QVERIFY(asked.size() > 8);
        for (int round = 0; round < 5; ++round) {
            std::size_t next = 0;
            fillTables(*trace, asked, [&](std::size_t i, const Cells& cells) {
                const bool inOrder = i == next++;
                const bool alike = csvOf(cells) == csvOf(asked[i].table->fill(*trace, {}));
                return inOrder && alike;
            });
            QCOMPARE(next, asked.size());
        }
    }

    void noHelperIsNeeded()
    {
        if (!NoThreads::works)
            QSKIP("threads cannot be refused here");
        const auto trace = manyKernels();
        const std::vector<TableRequest> asked = summariesOf(*trace);
        const NoThreads none;
        std::size_t used = 0;
        fillTables(*trace, asked, [&](std::size_t, const Cells&) { return ++used > 0; });
        QCOMPARE(used, asked.size());
    }

    void nobodyWantsMore()
    {
        const auto trace = manyKernels();
        std::size_t used = 0;
        fillTables(*trace, summariesOf(*trace), [&](std::size_t, const Cells&) { return ++used < 3; });
        QCOMPARE(used, std::size_t{3});
        fillTables(*trace, {}, [&](std::size_t, const Cells&) { return ++used > 0; });
        QCOMPARE(used, std::size_t{3});
    }

    void whatATableThrowsComesInItsTurn()
    {
        const auto trace = manyKernels();
        StatsTable broken = *findStatsTable("cuda_gpu_kern_sum");
        broken.fill = failing;
        std::vector<TableRequest> asked = summariesOf(*trace);
        asked.insert(asked.begin() + 2, {&broken, {}});
        std::size_t used = 0;
        bool thrown = false;
        try {
            fillTables(*trace, asked, [&](std::size_t, const Cells&) { return ++used > 0; });
        } catch (const std::runtime_error&) {
            thrown = true;
        }
        QVERIFY(thrown);
        QCOMPARE(used, std::size_t{2});
    }

    void twinsAreFoundWhateverTheirIdsAre_data()
    {
        QTest::addColumn<quint32>("stride");
        QTest::newRow("dense") << 1U;
        QTest::newRow("in runs") << 5'000U;
        QTest::newRow("scattered") << 1'300'007U;
    }

    void twinsAreFoundWhateverTheirIdsAre()
    {
        QFETCH(quint32, stride);
        constexpr EventIndex calls = 3'000; // every second starts work; every fourth shares its id
        std::vector<NumberedCall> drawn;
        std::vector<std::pair<EventIndex, EventIndex>> expected;
        for (EventIndex i = 0; i < calls; ++i) {
            const bool twin = i % 4 == 3;
            drawn.push_back({(twin ? i - 1 : i) * stride + 1, i % 2 == 0 ? 1U : 0U});
            if (twin)
                expected.emplace_back(i - 1, i);
        }
        const auto trace = traceOf(drawn);
        QVERIFY(CallTwins(*trace).all() == expected);
        QVERIFY(callTwinsOf(*trace)->all() == expected);
    }

    /// Each pair of a kernel and a call is a row: thousands of both with one id would take gigabytes.
    void anIdOfManyCallsAndKernelsHasNoTwins_data()
    {
        QTest::addColumn<quint32>("works");
        QTest::addColumn<quint32>("further");
        QTest::addColumn<quint32>("twins");
        QTest::newRow("one kernel") << 1U << 100U << 100U;
        QTest::newRow("few kernels") << 16U << 17U << 17U;
        QTest::newRow("few calls") << 17U << 16U << 16U;
        QTest::newRow("many of both") << 17U << 17U << 0U;
    }

    void anIdOfManyCallsAndKernelsHasNoTwins()
    {
        QFETCH(quint32, works);
        QFETCH(quint32, further);
        QFETCH(quint32, twins);
        std::vector<NumberedCall> calls{{7, 1}, {7, 0}, {8, works}};
        calls.resize(3 + further, {8, 0});
        std::vector<std::pair<EventIndex, EventIndex>> expected{{0, 1}};
        for (EventIndex i = 0; i < twins; ++i)
            expected.emplace_back(2, 3 + i);
        QVERIFY(CallTwins(*traceOf(calls)).all() == expected);
    }

    void aReportsTablesAreThoseMadeAlone()
    {
        const std::string path = sharedReport("storm_80k");
        if (path.empty())
            QSKIP("../shared/reports is not here");
        const auto trace = loadReport(path);
        QVERIFY(trace.ok());
        const std::vector<TableRequest> asked = summariesOf(*trace.value());
        std::size_t alike = 0;
        fillTables(*trace.value(), asked, [&](std::size_t i, const Cells& cells) {
            alike += csvOf(cells) == csvOf(asked[i].table->fill(*trace.value(), {})) ? 1 : 0;
            return true;
        });
        QCOMPARE(alike, asked.size());
    }
};

WARPLINE_TEST(FillTablesTest)

} // namespace tst_fill_tables

#include "tst_fill_tables.moc"
