// What a thread does, piece by piece, against a look at all ranges that are open.

#include "core/analysis/trace_analysis.h"
#include "core/budget/host_pieces.h"
#include "tests/core/findings/drawn_program.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <random>

namespace tst_host_pieces {

using namespace warpline;
using namespace warpline::test;

namespace {

struct Names {
    std::string range;
    std::string operation;
    friend bool operator==(const Names&, const Names&) = default;
};

/// Of the ranges at `time` the innermost of the program, and the innermost operator that began in it.
Names namesAt(const Trace& trace, Ns time)
{
    const NvtxTable& nvtx = trace.nvtx();
    std::array<EventIndex, 2> inner{noIndex, noIndex};
    const auto take = [&](std::size_t which, Ns since) {
        for (EventIndex i = 0; i < nvtx.size(); ++i) {
            const bool ofFramework = trace.text(nvtx.trackOf(i).family) == "PyTorch";
            if (ofFramework == (which == 1) && nvtx.range(i).contains(time) && nvtx.start[i] >= since
                && (inner[which] == noIndex || nvtx.depthOf(i) > nvtx.depthOf(inner[which])))
                inner[which] = i;
        }
    };
    take(0, 0);
    take(1, inner[0] == noIndex ? 0 : nvtx.start[inner[0]]);
    const auto nameOf
        = [&](EventIndex i) { return i == noIndex ? std::string() : std::string(trace.text(nvtx.name[i])); };
    return {nameOf(inner[0]), nameOf(inner[1])};
}

} // namespace

class HostPiecesTest : public QObject {
    Q_OBJECT

private slots:
    void equalsALookAtAllRanges_data()
    {
        QTest::addColumn<unsigned>("seed");
        for (unsigned seed = 1; seed <= 12; ++seed)
            QTest::addRow("%u", seed) << seed;
    }
    void equalsALookAtAllRanges()
    {
        QFETCH(unsigned, seed);
        std::mt19937 random(seed);
        const auto below = [&](Ns limit) { return static_cast<Ns>(random() % static_cast<unsigned>(limit)); };
        constexpr Ns end = 3000;
        DrawnProgram drawn;
        drawn.kernel("first", 0, {1, 2});
        drawn.kernel("last", end, {end + 10, end + 11});
        for (int i = 0; i < 150; ++i) {
            const Ns start = 10 + below(end - 500);
            const TimeRange when{start, start + below(4) * below(120)}; // some are marks
            const bool ofFramework = below(2) == 0;
            drawn.range((ofFramework ? "aten::op" : "part ") + std::to_string(below(9)), when,
                ofFramework ? "PyTorch" : "");
        }
        const auto trace = drawn.finish();
        TraceAnalysis facts(*trace, trace->session, {});
        RangeWords words(*trace);
        HostPieces pieces(*trace, facts.host(DrawnProgram::threadOf(1)), words, DrawnProgram::threadOf(1));
        for (int round = 0; round < 3; ++round) {
            std::size_t named = 0;
            for (Ns from = 10 + below(200); from < end - 100; from += below(300)) {
                const TimeRange range{from, from + 1 + below(round == 0 ? 900 : 90)};
                std::vector<HostPiece> found;
                pieces.append(range, found);
                QCOMPARE(found.front().range.start, range.start);
                QCOMPARE(found.back().range.end, range.end);
                for (std::size_t i = 0; i < found.size(); ++i) {
                    QVERIFY(i == 0 || found[i].range.start == found[i - 1].range.end);
                    for (const Ns time : {found[i].range.start, found[i].range.end - 1}) {
                        if (found[i].doing != IdleCause::OwnCode || time >= end)
                            continue;
                        const Names is{std::string(trace->text(found[i].name)),
                            std::string(trace->text(found[i].operation))};
                        QCOMPARE(is.range, namesAt(*trace, time).range);
                        QCOMPARE(is.operation, namesAt(*trace, time).operation);
                        named += is.operation.empty() ? 0 : 1;
                    }
                }
                from = range.end;
            }
            QVERIFY(named > 5);
            pieces.restart();
        }
    }
};

WARPLINE_TEST(HostPiecesTest)

} // namespace tst_host_pieces

#include "tst_host_pieces.moc"
