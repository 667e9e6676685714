// Kernels of a CUDA graph's replay belong to the NVTX ranges in which they were captured, too.

#include "core/load/load_report.h"
#include "core/query/event_text.h"
#include "core/query/graph_captures.h"
#include "core/render/render.h"
#include "core/stats/stats_table.h"
#include "tests/core/findings/drawn_program.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_graph_captures {

using namespace warpline;
using namespace warpline::test;

namespace {

constexpr std::uint64_t captured(std::uint32_t node)
{
    return std::uint64_t{1} << 32U | node;
}
constexpr std::uint64_t instantiated(std::uint32_t node)
{
    return std::uint64_t{2} << 32U | node;
}

/// Two blocks of a node each, captured in one range, instantiated, and replayed twice under token_0, token_1.
std::shared_ptr<const Trace> twoReplays()
{
    DrawnProgram drawn;
    drawn.range("capture", {0, 100 * us});
    drawn.range("block_0", {10 * us, 40 * us});
    drawn.range("block_1", {50 * us, 90 * us});
    drawn.graphNode(20 * us, captured(0));
    drawn.graphNode(60 * us, captured(1));
    for (std::uint32_t node = 0; node < 2; ++node) {
        drawn.graphNode(200 * us, instantiated(node));
        drawn.graphNode(201 * us, instantiated(node), captured(node));
    }
    for (int replay = 0; replay < 2; ++replay) {
        const Ns at = ms + replay * ms;
        drawn.range("token_" + std::to_string(replay), {at, at + 500 * us});
        drawn.kernel("norm", at + 10 * us, {at + 20 * us, at + 30 * us}, {.graphNode = instantiated(0)});
        drawn.kernel("gemm", at + 12 * us, {at + 30 * us, at + 60 * us}, {.graphNode = instantiated(1)});
    }
    drawn.kernel("alone", 4 * ms, {4 * ms + 10 * us, 4 * ms + 20 * us});
    return drawn.finish();
}

} // namespace

class GraphCapturesTest : public QObject {
    Q_OBJECT

private slots:
    void aCopyIsWhereItsOriginalWasMade()
    {
        const auto trace = twoReplays();
        GraphCaptures captures(*trace);
        QCOMPARE(captures.pathOf(*trace, DrawnProgram::process, instantiated(0)),
            std::string("capture / block_0"));
        QCOMPARE(
            captures.pathOf(*trace, DrawnProgram::process, captured(1)), std::string("capture / block_1"));
        QCOMPARE(captures.pathOf(*trace, DrawnProgram::process, 7), std::string());
        QCOMPARE(captures.madeAt(DrawnProgram::process + 1, captured(1)), noIndex);
    }

    void copiesInALoopEnd()
    {
        DrawnProgram drawn;
        drawn.graphNode(10, 1, 2);
        drawn.graphNode(20, 2, 1);
        drawn.kernel("k", 30, {40, 50}, {.graphNode = 1});
        const auto trace = drawn.finish();
        QVERIFY(GraphCaptures(*trace).madeAt(DrawnProgram::process, 1) != noIndex);
    }

    void tablesByNodeAndByRange()
    {
        const auto trace = twoReplays();
        const Cells nodes = findStatsTable("cuda_graph_node_sum")->fill(*trace, {});
        QCOMPARE(nodes.rowCount(), std::size_t{2});
        QCOMPARE(std::get<std::int64_t>(nodes.at(0, 1)), std::int64_t{2});
        QCOMPARE(std::get<std::int64_t>(nodes.at(0, 2)), std::int64_t{0});
        QCOMPARE(std::get<std::int64_t>(nodes.at(0, 3)), std::int64_t{2});
        QCOMPARE(std::get<std::int64_t>(nodes.at(0, 4)), std::int64_t{20 * us});
        QCOMPARE(std::get<std::string>(nodes.at(0, 9)), std::string("capture / block_0"));
        QCOMPARE(std::get<std::string>(nodes.at(1, 10)), std::string("gemm"));
        const Cells ranges = findStatsTable("cuda_graph_nvtx_sum")->fill(*trace, {});
        QCOMPARE(ranges.rowCount(), std::size_t{2}); // the tokens are one
        QCOMPARE(std::get<std::int64_t>(ranges.at(0, 1)), std::int64_t{60 * us});
        QCOMPARE(std::get<std::string>(ranges.at(0, 8)), std::string("capture / block_1"));
        QCOMPARE(std::get<std::string>(ranges.at(0, 9)), std::string("token_#"));
        prepareFacts(*trace);
        const auto facts = detailsOf(*trace, {EventKind::Kernel, 0});
        QVERIFY(std::ranges::any_of(facts, [](const TextRow& row) {
            return plain(row.label) == "Captured in" && plain(row.value) == "capture / block_0";
        }));
    }

    void noTablesWithoutGraphs()
    {
        DrawnProgram drawn;
        drawn.kernel("alone", 0, {10, 20});
        const auto trace = drawn.finish();
        QVERIFY(!findStatsTable("cuda_graph_node_sum")->applies(*trace));
        QVERIFY(!findStatsTable("cuda_graph_nvtx_sum")->applies(*trace));
    }

    void aReportsBlocksAreThoseOfSqlite()
    {
        const std::string path = sharedReport("h200-more/graph_nvtx");
        if (path.empty())
            QSKIP("../shared/reports is not here");
        const auto trace = loadReport(path);
        QVERIFY(trace.ok());
        const Cells cells = findStatsTable("cuda_graph_nvtx_sum")->fill(*trace.value(), {});
        std::map<std::string, std::pair<std::int64_t, std::int64_t>> found;
        for (std::size_t row = 0; row < cells.rowCount(); ++row) {
            QCOMPARE(std::get<std::string>(cells.at(row, 9)), std::string("token_#"));
            found[std::get<std::string>(cells.at(row, 8))]
                = {std::get<std::int64_t>(cells.at(row, 1)), std::get<std::int64_t>(cells.at(row, 2))};
        }
        const auto rows = sqlRows(path,
            "SELECT n.text, sum(k.end - k.start), count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL k"
            " JOIN CUDA_GRAPH_NODE_EVENTS c ON c.graphNodeId = k.graphNodeId AND c.originalGraphNodeId IS NOT NULL"
            " JOIN CUDA_GRAPH_NODE_EVENTS o ON o.graphNodeId = c.originalGraphNodeId"
            " JOIN NVTX_EVENTS n ON n.text LIKE 'block_%' AND n.start <= o.start AND n.end > o.start"
            " AND n.globalTid = o.globalTid GROUP BY n.text");
        QVERIFY(rows && rows->size() == 6);
        QCOMPARE(found.size(), rows->size());
        for (const auto& row : *rows) {
            const auto one = found.at("capture / " + row[0]);
            QCOMPARE(one.first, std::stoll(row[1]));
            QCOMPARE(one.second, std::stoll(row[2]));
        }
    }
};

WARPLINE_TEST(GraphCapturesTest)

} // namespace tst_graph_captures

#include "tst_graph_captures.moc"
