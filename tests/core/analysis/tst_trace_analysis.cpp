// Facts that are cut, shared or kept apart to be fast, against plain loops over random programs.

#include "core/analysis/scope.h"
#include "core/analysis/trace_analysis.h"
#include "tests/core/budget/random_program.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <random>

namespace tst_trace_analysis {

using namespace warpline;
using namespace warpline::test;

class TraceAnalysisTest : public QObject {
    Q_OBJECT

private slots:
    void partsOfTheWorkEqualALoopOverAll_data();
    void partsOfTheWorkEqualALoopOverAll();
    void eachMomentOfAThreadHasOneCause_data() { partsOfTheWorkEqualALoopOverAll_data(); }
    void eachMomentOfAThreadHasOneCause();
    void workIsQueuedBelowZeroToo();
};

void TraceAnalysisTest::partsOfTheWorkEqualALoopOverAll_data()
{
    QTest::addColumn<unsigned>("seed");
    for (unsigned seed = 1; seed <= 60; ++seed)
        QTest::newRow(qPrintable(QString::number(seed))) << seed;
}

/// A window shares the lists of the whole where its work is one run of them.
void TraceAnalysisTest::partsOfTheWorkEqualALoopOverAll()
{
    QFETCH(unsigned, seed);
    const RandomProgram program(seed);
    const Trace& trace = program.trace();
    TraceAnalysis whole(trace, {trace.session.start, trace.session.end + 1}, {});
    std::mt19937 random(seed);
    const std::vector<Ns> times = program.boundaries();
    std::uniform_int_distribution<std::size_t> some(0, times.size() - 1);
    for (int round = 0; round < 40; ++round) {
        const auto [start, end] = std::minmax({times[some(random)] + round % 3 - 1, times[some(random)]});
        const TimeRange window{start, end};
        if (window.empty())
            continue;
        TraceAnalysis part(whole, window);
        const std::vector<TimeRange> works = program.worksIn(window);
        QCOMPARE(part.gpus().size(), std::size_t{works.empty() ? 0U : 1U});
        if (works.empty())
            continue;
        const GpuFacts& gpu = part.gpus().front();
        std::vector<TimeRange> found;
        for (const std::uint32_t work : gpu.work)
            found.push_back(trace.range(Links::unpack(work)));
        QCOMPARE(found, works);
        // Idle is what no work covers, and the next to start ends it.
        std::size_t gap = 0;
        for (std::size_t i = 0; i + 1 < works.size(); ++i) {
            const auto isOver = [&](TimeRange work) { return work.end < works[i + 1].start; };
            if (!std::all_of(works.begin(), works.begin() + static_cast<std::ptrdiff_t>(i) + 1, isOver))
                continue;
            QVERIFY(gap < gpu.gaps().size());
            const IdleGap idle = gpu.gaps()[gap++];
            QCOMPARE(idle.range.end, works[i + 1].start);
            QCOMPARE(trace.range(idle.next), works[i + 1]);
        }
        QCOMPARE(gpu.gaps().size(), gap);
    }
}

void TraceAnalysisTest::eachMomentOfAThreadHasOneCause()
{
    QFETCH(unsigned, seed);
    const RandomProgram program(seed);
    const Trace& trace = program.trace();
    TraceAnalysis facts(trace, {trace.session.start, trace.session.end + 1}, {});
    const std::vector<Ns> times = program.boundaries();
    for (const std::uint32_t tid : {1U, 2U}) {
        const HostTimeline& host = facts.host(DrawnProgram::threadOf(tid));
        for (std::size_t i = 1; i < times.size(); ++i) {
            const TimeRange piece{times[i - 1], times[i]};
            CauseTimes expected{};
            expected[indexOf(program.causeAt(piece.start, tid))] = piece.duration();
            QCOMPARE(host.split(piece), expected);
        }
    }
}

void TraceAnalysisTest::workIsQueuedBelowZeroToo()
{
    DrawnProgram program;
    program.kernel("work", -20 * ms, {-5 * ms, -4 * ms});
    const auto trace = program.finish();
    QCOMPARE(queuedStart(*trace, lifeOfGpus(*trace)), (TimeRange{-20 * ms + 2 * us, -5 * ms}));
}

WARPLINE_TEST(TraceAnalysisTest)

} // namespace tst_trace_analysis

#include "tst_trace_analysis.moc"
