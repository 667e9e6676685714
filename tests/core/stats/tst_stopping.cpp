// Questions over all events of a report end soon when nobody waits for the answer any more.

#include "core/base/stop.h"
#include "core/coverage/gpu_times.h"
#include "core/findings/checklist.h"
#include "core/findings/program_kind.h"
#include "core/findings/rule.h"
#include "core/findings/run_facts.h"
#include "core/load/load_report.h"
#include "core/query/event_list.h"
#include "core/query/search.h"
#include "core/stats/stats_table.h"
#include "core/stats/step_breakdown.h"
#include "core/steps/steps.h"

#include <QTest>

#include <set>
#include <stop_token>

using namespace warpline;

namespace {

std::stop_token requested()
{
    std::stop_source source;
    source.request_stop();
    return source.get_token();
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
    void factsAndSearchesStop();
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
    QString name = "streams";
    if (const char* const row = QTest::currentDataTag())
        name = row;
    auto loaded = loadReport((WARPLINE_TEST_DATA "/reports/" + name + ".sqlite").toStdString(), {});
    QVERIFY(loaded.ok());
    m_trace = loaded.take();
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
        const RuleContext context{*m_trace, m_trace->session, {}, requested(),
            std::make_shared<RunFacts>(*m_trace, m_trace->session, requested()), false};
        std::vector<Finding> found;
        const bool stopped = stops([&] { found = rule->check(context); });
        QVERIFY2(stopped || found.empty(), std::string(rule->id).c_str());
    }
}

void TestStopping::factsAndSearchesStop()
{
    const Trace& trace = *m_trace;
    const NameMatch match(trace, "k");
    const auto all = SampleSearch::WithSamples;
    QVERIFY(stops([&] { (void)findSteps(trace, trace.session, {}, requested()); }));
    QVERIFY(stops([&] { (void)breakDownSteps(trace, {}, {}, {}, requested()); }));
    QVERIFY(stops([&] { (void)gpuTimes(trace, trace.session, requested()); }));
    QVERIFY(stops([&] { (void)programKindOf(trace, requested()); }));
    QVERIFY(stops([&] { (void)RunFacts(trace, trace.session, requested()).gpus(); }));
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
    QVERIFY(loaded.error().message.ends_with("loading was cancelled."));
}

QTEST_APPLESS_MAIN(TestStopping)
#include "tst_stopping.moc"
