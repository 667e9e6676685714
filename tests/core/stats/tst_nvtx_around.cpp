// The ranges around a single range, against the nesting of all ranges that is found in one sweep.

#include "core/stats/nvtx_around.h"
#include "core/stats/nvtx_nesting.h"
#include "core/stats/stats_table.h"
#include "tests/core/stats/drawn_trace.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_nvtx_around {

using namespace warpline;
using namespace warpline::test;

namespace {

/// Ranges that nest, cross, repeat, have no length or no end, and marks, on three threads.
std::shared_ptr<const Trace> tangle()
{
    DrawnTrace drawn;
    std::uint32_t seed = 11;
    const auto below = [&seed](std::uint32_t limit) {
        seed = seed * 1664525U + 1013904223U;
        return (seed >> 16U) % limit;
    };
    for (int i = 0; i < 4000; ++i) {
        const Ns start = below(900);
        const Ns length = below(3) == 0 ? 0 : below(60);
        const std::uint8_t type = below(8) == 0 ? 34 : below(3) == 0 ? 60 : 59;
        drawn.range("r", start, type == 34 ? start : start + length, 1 + below(3), type, below(20) == 0);
    }
    return drawn.finish();
}

} // namespace

class NvtxAroundTest : public QObject {
    Q_OBJECT

private slots:
    void saysWhatTheSweepSays()
    {
        const auto trace = tangle();
        const NvtxTable& nvtx = trace->nvtx();
        const NvtxNesting nesting = nestNvtx(*trace);
        const NvtxAround around(nvtx);
        std::uint32_t deepest = 0;
        for (EventIndex i = 0; i < nvtx.size(); ++i) {
            const std::vector<EventIndex> outer = around.of(i);
            QCOMPARE(outer.size(), std::size_t{nesting.level[i]});
            QCOMPARE(outer.empty() ? noIndex : outer.back(), nesting.parent[i]);
            std::string stack;
            for (EventIndex at = i; at != noIndex; at = nesting.parent[at])
                stack.insert(0, ":" + std::to_string(nvtx.sourceRow[at]));
            QCOMPARE(rangeStack(nvtx, outer, i), stack);
            deepest = std::max(deepest, nesting.level[i]);
        }
        QVERIFY(deepest > 5);
    }

    /// Far more ranges inside each other than a thread's stack has room for calls: a row for each.
    void rangesInsideEachOther()
    {
        constexpr Ns depth = 30'000;
        DrawnTrace drawn;
        for (Ns i = 0; i < depth; ++i)
            drawn.range(std::string(1, static_cast<char>('a' + i % 26)), i, 2 * depth + 20 - i);
        drawn.call("cudaLaunchKernel_v7000", depth, depth + 1, 1);
        drawn.kernel("k", depth + 2, depth + 3, 1);
        const auto trace = drawn.finish();
        const Cells cells = findStatsTable("nvtx_tree_sum")->fill(*trace, {});
        QCOMPARE(cells.rowCount(), std::size_t{depth});
        for (const Ns row : {Ns{0}, Ns{1}, depth - 1})
            QCOMPARE(std::get<std::int64_t>(cells.at(static_cast<std::size_t>(row), 1)), row);
        QVERIFY(std::get<std::string>(cells.at(depth - 1, 0)).size() < 1000);
    }

    /// Counts that do not fit into a row are stored beside the rows.
    void manyChildrenAreCounted()
    {
        constexpr std::uint32_t children = 70'000;
        DrawnTrace drawn;
        drawn.range("outer", 0, 10 * children);
        for (std::uint32_t i = 0; i < children; ++i) {
            const Ns start = 10 * Ns{i};
            drawn.range("inner", start + 1, start + 9);
            drawn.call("cudaLaunchKernel_v7000", start + 2, start + 4, i + 1);
            drawn.kernel("k", start + 5, start + 8, i + 1);
        }
        const auto trace = drawn.finish();
        for (const char* const table : {"nvtx_gpu_proj_trace", "nvtx_pushpop_trace"}) {
            const Cells cells = findStatsTable(table)->fill(*trace, {});
            QCOMPARE(cells.rowCount(), std::size_t{children + 1});
            for (std::size_t column = 0; column < cells.columns.size(); ++column) {
                const std::string& title = cells.columns[column].title;
                if (title == "NumGPUOps" || title == "NumChild")
                    QCOMPARE(std::get<std::int64_t>(cells.at(0, column)), std::int64_t{children});
                if (title == "DurChild (ns)")
                    QCOMPARE(std::get<std::int64_t>(cells.at(0, column)), std::int64_t{8} * children);
                if (title == "Projected Start (ns)")
                    QCOMPARE(std::get<std::int64_t>(cells.at(0, column)), std::int64_t{5});
                if (title == "Projected Duration (ns)")
                    QCOMPARE(std::get<std::int64_t>(cells.at(0, column)), std::int64_t{10} * children - 7);
            }
        }
    }
};

WARPLINE_TEST(NvtxAroundTest)

} // namespace tst_nvtx_around

#include "tst_nvtx_around.moc"
