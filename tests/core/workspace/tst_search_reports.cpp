// Search by name, and corresponding rows, in all reports of a workspace.

#include "core/base/stop.h"
#include "core/query/search.h"
#include "core/render/render.h"
#include "core/rows/row_kind.h"
#include "core/workspace/row_pairs.h"
#include "core/workspace/search_reports.h"
#include "tests/core/findings/drawn_program.h"
#include "tests/support/report_fixture.h"

#include "core/load/load_report.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <set>
#include <tuple>

namespace tst_search_reports {

using namespace warpline;
using namespace warpline::test;

namespace {

constexpr ReportId first{0};
constexpr ReportId second{1};

OpenReport reportOf(const std::string& label, const std::shared_ptr<const Trace>& trace, Ns offset)
{
    OpenReport report;
    report.label = label;
    report.trace = trace;
    report.rows = buildRows(*trace);
    report.clock.offset = offset;
    return report;
}

} // namespace

class SearchReportsTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void eventsFollowOneAnotherInTime();
    void aSingleReportIsSearchedAsBefore();
    void aSearchBeginsAtATime();
    void nothingIsSaidOfNothing();
    void startsAreThoseOfAllMatches();
    void samplesCountWhereNothingElseDoes();
    void sameRowsAreFoundInOtherReports();
    void sameRowsOfRanks();

private:
    /// All events that are found from the beginning on, until the first comes again.
    std::vector<EventId> walk(const Workspace& workspace, std::string_view text, bool forward)
    {
        std::vector<EventId> found;
        EventId at;
        const TimeRange all = workspace.session();
        for (int i = 0; i < 100; ++i) {
            const FoundEvent next = findAround(workspace, text, at, forward ? all.start : all.end, forward);
            if (!next.event.valid() || (!found.empty() && next.event == found.front()))
                break;
            found.push_back(next.event);
            at = next.event;
            [&] {
                QCOMPARE(next.matches, countMatches(workspace, text).count);
                QCOMPARE(next.place, forward ? found.size() : next.matches + 1 - found.size());
            }();
        }
        return found;
    }

    std::shared_ptr<const Trace> m_first;
    std::shared_ptr<const Trace> m_second;
    Workspace m_both;
};

void SearchReportsTest::initTestCase()
{
    DrawnProgram one;
    one.kernel("gemm", 5 * us, {10 * us, 40 * us});
    one.kernel("gemm", 50 * us, {60 * us, 90 * us});
    m_first = one.finish();
    DrawnProgram two;
    two.range("load", {us, 2 * us}); // names are numbered in another order
    two.kernel("gemm", 25 * us, {30 * us, 35 * us});
    two.kernel("relu", 36 * us, {40 * us, 45 * us});
    two.kernel("gemm", 46 * us, {55 * us, 58 * us});
    m_second = two.finish();
    // The second one's kernels begin at 35, 45 and 60 us: the last at once with one of the first report.
    m_both = Workspace({reportOf("rank 0", m_first, 0), reportOf("rank 1", m_second, 5 * us)});
}

void SearchReportsTest::eventsFollowOneAnotherInTime()
{
    const auto kernel = [](ReportId report, EventIndex index) {
        return EventId{report, {EventKind::Kernel, index}};
    };
    std::vector<EventId> expected{kernel(first, 0), kernel(second, 0), kernel(first, 1), kernel(second, 2)};
    QVERIFY(walk(m_both, "gemm", true) == expected);
    std::ranges::reverse(expected);
    QVERIFY(walk(m_both, "gemm", false) == expected);
    // Once around, in both directions.
    QCOMPARE(findAround(m_both, "gemm", kernel(second, 2), 0, true).event, kernel(first, 0));
    QCOMPARE(findAround(m_both, "gemm", kernel(first, 0), 0, false).event, kernel(second, 2));
    // No event is left out or repeated.
    std::set<EventId> all;
    for (const EventId event : walk(m_both, "", true))
        QVERIFY(all.insert(event).second);
    QCOMPARE(all.size(), countMatches(m_both, "").count);
}

void SearchReportsTest::aSingleReportIsSearchedAsBefore()
{
    const Workspace alone({reportOf("rank 0", m_first, 0)});
    const EventPredicate match(*m_first, FilterExpression("launch"));
    EventRef at;
    for (int i = 0; i < 2; ++i) {
        const FoundEvent found = findAround(alone, "launch", {first, at}, m_first->session.start, true);
        QCOMPARE(found.event.event, findNext(*m_first, match, at, m_first->session.start, true));
        at = found.event.event;
    }
    QCOMPARE(countMatches(alone, "launch").count, 2U);
}

void SearchReportsTest::aSearchBeginsAtATime()
{
    QCOMPARE(findAround(m_both, "gemm", {}, 36 * us, true).event, (EventId{first, {EventKind::Kernel, 1}}));
    QCOMPARE(findAround(m_both, "gemm", {}, 36 * us, false).event, (EventId{second, {EventKind::Kernel, 0}}));
    QCOMPARE(findAround(m_both, "relu", {first, {EventKind::Kernel, 1}}, 0, true).event,
        (EventId{second, {EventKind::Kernel, 1}})); // around
}

void SearchReportsTest::startsAreThoseOfAllMatches()
{
    ReportFixture fixture;
    fixture.addSmallReport();
    auto loaded = loadReport(fixture.path());
    QVERIFY(loaded.ok());
    const std::shared_ptr<const Trace> trace = loaded.take();
    const Workspace both({reportOf("a", trace, 0), reportOf("b", trace, 700)});
    for (const std::string_view text : {"scale", "cuda", "a", "/^main$/", "no such name"}) {
        // Against the way from one match to the next.
        std::set<Ns> expected;
        for (const EventId found : walk(both, text, true))
            expected.insert(both.range(found).start);
        const std::vector<Ns> starts = matchStarts(both, text);
        QVERIFY2(std::ranges::equal(starts, expected), std::string(text).c_str());
    }
    // A sample of many covers every part of the session.
    const std::vector<Ns> all = matchStarts(both, "a");
    const std::vector<Ns> few = matchStarts(both, "a", {}, 4);
    QVERIFY(all.size() > 8 && few.size() <= 6);
    const Ns part = both.session().duration() / 4;
    for (const Ns start : all)
        QVERIFY(std::ranges::any_of(few, [&](Ns each) { return std::abs(each - start) <= part; }));
}

void SearchReportsTest::nothingIsSaidOfNothing()
{
    QVERIFY(!findAround(m_both, "no such name", {}, 0, true).event.valid());
    QCOMPARE(countMatches(m_both, "no such name").count, 0U);
    QVERIFY(!countMatches(m_both, "/(/").isValid);
    QVERIFY(!findAround(m_both, "/(/", {}, 0, true).event.valid());
    QVERIFY(!findAround(Workspace(), "gemm", {}, 0, true).event.valid());
    std::stop_source stop;
    stop.request_stop();
    QVERIFY_THROWS_EXCEPTION(Stopped, findAround(m_both, "gemm", {}, 0, true, stop.get_token()));
}

void SearchReportsTest::samplesCountWhereNothingElseDoes()
{
    // Matches in one report decide for all, so that counts of two reports are comparable.
    const auto scope = [&](const char* text) {
        const EventPredicate match(*m_first, FilterExpression(text));
        return samplesToSearch(*m_first, match);
    };
    QVERIFY(scope("gemm") == SampleSearch::WithoutSamples);
    QVERIFY(scope("relu") == SampleSearch::WithSamples);
    QCOMPARE(countMatches(m_both, "relu").count, 1U);
}

void SearchReportsTest::sameRowsAreFoundInOtherReports()
{
    const RowTree& rows = m_both.rows();
    QVERIFY(sameRows(m_both, RowTree::root).empty());
    const RowId heading = m_both.rowOf(second, RowTree::root);
    QCOMPARE(sameRows(m_both, heading), (std::vector<RowId>{m_both.rowOf(first, RowTree::root), heading}));
    for (std::uint32_t i = 1; i < rows.size(); ++i) {
        const std::vector<RowId> same = sameRows(m_both, RowId{i});
        QVERIFY(std::ranges::find(same, RowId{i}) != same.end());
        QVERIFY(same.size() <= 2);
        for (const RowId row : same) {
            QCOMPARE(rows.row(row).drawing, rows.row(RowId{i}).drawing);
            QCOMPARE(plain(rows.row(row).label).substr(0, 3), plain(rows.row(RowId{i}).label).substr(0, 3));
        }
    }
    const RowId kernels = m_both.rowOf(EventId{first, {EventKind::Kernel, 0}});
    QCOMPARE(sameRows(m_both, kernels),
        (std::vector<RowId>{kernels, m_both.rowOf(EventId{second, {EventKind::Kernel, 0}})}));
    // Only the second has NVTX ranges.
    const RowId ranges = m_both.rowOf(EventId{second, {EventKind::Nvtx, 0}});
    QCOMPARE(sameRows(m_both, ranges), std::vector<RowId>{ranges});
}

void SearchReportsTest::sameRowsOfRanks()
{
    // Processes, threads and GPUs of ranks have other numbers.
    std::vector<OpenReport> reports;
    for (int rank = 0; rank < 8; ++rank) {
        const std::string path = sharedReport("h200-more/halo8/rank" + std::to_string(rank));
        if (path.empty())
            QSKIP("needs ../shared/reports, which is not there");
        const auto trace = loadReport(path);
        QVERIFY(trace.ok());
        reports.push_back(reportOf("rank " + std::to_string(rank), trace.value(), 0));
    }
    const Workspace workspace(std::move(reports));
    const RowTree& rows = workspace.rows();
    for (const char* const label : {"Kernels", "MPI", "CUDA API", "NVTX"}) {
        for (std::uint32_t i = 1; i < rows.size(); ++i) {
            if (plain(rows.row(RowId{i}).label) != label || rows.row(RowId{i}).report != first)
                continue;
            const std::vector<RowId> same = sameRows(workspace, RowId{i});
            QCOMPARE(same.size(), 8U);
            for (std::size_t rank = 0; rank < same.size(); ++rank) {
                QCOMPARE(plain(rows.row(same[rank]).label), std::string(label));
                QCOMPARE(static_cast<std::size_t>(raw(rows.row(same[rank]).report)), rank);
            }
        }
    }
}

WARPLINE_TEST(SearchReportsTest)

} // namespace tst_search_reports

#include "tst_search_reports.moc"
