// Queries over all events of a report end soon after a stop request.

#include "core/analysis/program_kind.h"
#include "core/analysis/time_by_name.h"
#include "core/analysis/trace_analysis.h"
#include "core/base/sorted_runs.h"
#include "core/base/stop.h"
#include "core/coverage/coverage_cache.h"
#include "core/coverage/gpu_times.h"
#include "core/coverage/intervals.h"
#include "core/derive/links.h"
#include "core/derive/nvtx_projection.h"
#include "core/findings/checklist.h"
#include "core/findings/rule.h"
#include "core/load/load_report.h"
#include "core/query/event_list.h"
#include "core/query/search.h"
#include "core/render/render.h"
#include "core/rows/row_kind.h"
#include "core/stats/stats_table.h"
#include "core/stats/step_breakdown.h"
#include "core/steps/steps.h"
#include "tests/support/test_program.h"
#include "tests/support/whole_analysis.h"

#include <QTest>

#include <functional>
#include <set>
#include <stop_token>

namespace tst_stopping {

using namespace warpline;

namespace {

std::stop_token requested()
{
    std::stop_source source;
    source.request_stop();
    return source.get_token();
}

/// Null when it cannot be read.
std::shared_ptr<const Trace> loadedReport(const QString& name)
{
    auto loaded = loadReport((WARPLINE_TEST_DATA "/reports/" + name + ".sqlite").toStdString(), {});
    return loaded.ok() ? loaded.take() : nullptr;
}

/// Whether `ask` leaves by Stopped.
template <typename Ask> bool stops(Ask ask)
{
    try {
        ask();
    } catch (const Stopped&) {
        return true;
    }
    return false;
}

} // namespace

class TestStopping : public QObject {
    Q_OBJECT
private slots:
    void init();
    void everyTableStops_data();
    void everyTableStops();
    void everyRuleStops_data();
    void everyRuleStops();
    void everyRuleThatAsksTheEventsWhetherItAppliesStops();
    void factsAndSearchesStop();
    void derivedEventsAndRowsStop();
    void sortsAndUnionsStop();
    void stoppedLoadsSaySo();

private:
    void reports();
    std::shared_ptr<const Trace> m_trace;
};

void TestStopping::reports()
{
    QTest::addColumn<QString>("name");
    for (const char* const name : {"streams", "ddp_overlap_rank0", "um", "graph_nvtx", "payload", "halo_one"})
        QTest::newRow(name) << QString(name);
}

void TestStopping::init()
{
    const char* const row = QTest::currentDataTag();
    m_trace = loadedReport(row ? row : "streams");
    QVERIFY(m_trace);
}

void TestStopping::everyTableStops_data()
{
    reports();
}

void TestStopping::everyTableStops()
{
    // A list of a few lines, not of events.
    const std::set<std::string_view> ofFewRows{"network_congestion"};
    StatsQuery query;
    query.stop = requested();
    query.wantEvents = true;
    for (const StatsTable* const table : allStatsTables()) {
        if (!table->applies(*m_trace) || ofFewRows.contains(table->id))
            continue;
        QVERIFY2(stops([&] { (void)table->fill(*m_trace, query); }), std::string(table->id).c_str());
    }
}

void TestStopping::everyRuleStops_data()
{
    reports();
}

void TestStopping::everyRuleStops()
{
    QVERIFY(runRules(*m_trace, m_trace->session, {}, {}, requested()).empty());
    QVERIFY(answerChecklist(*m_trace, m_trace->session, requested()).empty());
    for (const Rule* const rule : allRules()) {
        TraceAnalysis facts(*m_trace, m_trace->session, requested());
        const RuleContext context{*m_trace, m_trace->session, {}, requested(), facts};
        std::vector<Finding> found;
        const bool stopped = stops([&] { found = rule->find(context); });
        QVERIFY2(stopped || found.empty(), std::string(rule->id).c_str());
    }
}

void TestStopping::everyRuleThatAsksTheEventsWhetherItAppliesStops()
{
    for (const char* const id : {"nccl_exposed", "collective_wait", "collective_slows_compute",
             "pipeline_bubble", "data_region_in_loop", "unified_memory_faults"}) {
        const Rule* const rule = findRule(id);
        QVERIFY(rule);
        QVERIFY2(stops([&] { (void)rule->applies(*m_trace, requested()); }), id);
    }
}

void TestStopping::derivedEventsAndRowsStop()
{
    const Trace& trace = *m_trace;
    QVERIFY(stops([&] { (void)linkWork(trace, requested()); }));
    QVERIFY(stops([&] { (void)projectRanges(*loadedReport("graph_nvtx"), requested()); }));
    QVERIFY(stops([&] { (void)projectNvtx(*loadedReport("graph_nvtx"), requested()); }));
    QVERIFY(stops([&] { (void)notComputing(trace, requested()); }));
    CoverageCache coverages(requested());
    QVERIFY(stops([&] { (void)buildRows(trace, coverages); }));
    QVERIFY(stops([&] { (void)coverages.of(trace, {{EventKind::Kernel, 0}}); }));
    TimeByName sums;
    const Trace named = *loadedReport("graph_nvtx");
    const GlobalId thread = named.nvtx().tracks.front().owner;
    QVERIFY(stops([&] { addOwnRanges(named, thread, {named.session}, sums, requested()); }));
}

void TestStopping::sortsAndUnionsStop()
{
    std::vector<TimeRange> ranges;
    for (Ns i = 0; i < 100'000; ++i)
        ranges.push_back({(i * 7919) % 100'003, (i * 7919) % 100'003 + 1});
    QVERIFY(stops([&] { (void)unionOf(ranges, {0, 200'000}, requested()); }));
    std::vector<Ns> numbers{3, 1, 2};
    QVERIFY(stops([&] { sortRuns(numbers, std::less{}, requested()); }));
    std::stop_source still;
    sortRuns(numbers, std::less{}, still.get_token());
    QCOMPARE(numbers, (std::vector<Ns>{1, 2, 3}));
    QCOMPARE(unionOf(ranges, {0, 200'000}, still.get_token()), unionOf(ranges, {0, 200'000}));
}

void TestStopping::factsAndSearchesStop()
{
    const Trace& trace = *m_trace;
    const EventPredicate match(trace, FilterExpression("k"));
    const auto all = SampleSearch::WithSamples;
    QVERIFY(stops([&] { (void)findSteps(trace, trace.session, {}, requested()); }));
    QVERIFY(stops([&] { (void)breakDownSteps(trace, {}, {}, {}, requested()); }));
    QVERIFY(stops([&] { (void)gpuTimes(trace, trace.session, requested()); }));
    QVERIFY(stops([&] { (void)programKindOf(trace, requested()); }));
    QVERIFY(stops([&] { (void)TraceAnalysis(trace, trace.session, requested()).gpus(); }));
    QVERIFY(stops([&] { (void)countMatches(trace, match, all, requested()); }));
    QVERIFY(stops([&] { (void)findNext(trace, match, {}, 0, true, all, requested()); }));
    QVERIFY(stops([&] { (void)matchesAlong(trace, match, 100, all, requested()); }));
    EventQuery query;
    query.window = trace.session;
    QVERIFY(EventList(m_trace, query, requested()).size() < trace.eventCount());
}

void TestStopping::stoppedLoadsSaySo()
{
    LoadOptions options;
    options.stop = requested();
    const auto loaded = loadReport(WARPLINE_TEST_DATA "/reports/streams.sqlite", options);
    QVERIFY(!loaded.ok());
    QVERIFY(plain(loaded.error().message).ends_with("loading was cancelled."));
}

WARPLINE_TEST(TestStopping)

} // namespace tst_stopping

#include "tst_stopping.moc"
