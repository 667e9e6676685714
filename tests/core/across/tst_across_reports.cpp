// Ranks of the shared reports, compared with knowledge of the programs, and with independent measurements
// (SQL and Python over the same files).

#include "core/across/exact_waits.h"
#include "core/across/judge_ranks.h"
#include "core/across/late_findings.h"
#include "core/base/format.h"
#include "core/base/rounded.h"
#include "core/findings/finding_order.h"
#include "core/findings/finding_words.h"
#include "core/findings/savings.h"
#include "core/load/load_report.h"
#include "core/render/render.h"
#include "core/store/trace.h"
#include "tests/core/across/drawn_run.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFileInfo>
#include <QTest>

#include <algorithm>
#include <cmath>

namespace tst_across_reports {

using namespace warpline;
using namespace warpline::test;

namespace {

/// Summaries of the shared reports `names`; none when one is not there.
std::vector<ReportSummary> summariesOf(const std::vector<std::string>& names)
{
    std::vector<ReportSummary> summaries;
    for (const std::string& name : names) {
        const std::string path = sharedReport(name);
        if (path.empty())
            return {};
        const auto trace = loadReport(path);
        if (!trace.ok())
            return {};
        summaries.push_back(summarize(*trace.value(), path));
    }
    return summaries;
}

bool isNear(double value, double expected, double share)
{
    return std::abs(value - expected) <= std::abs(expected) * share;
}

double ms(Ns time)
{
    return static_cast<double>(time) / 1e6;
}

} // namespace

#define SKIP_WITHOUT(summaries) \
    if ((summaries).empty())    \
    QSKIP("the shared reports are not there: ../shared/reports")

class AcrossReportsTest : public QObject {
    Q_OBJECT

private slots:
    void straggler();
    void overlap();
    void payloads();
    void sharded();
    void pipeline();
    void profilerTraces();
    void lateForNoPartThatIsSeen();
    void haloOfEight();
    void haloWithoutItsLateRank();
    void haloInOneReport();
    void shiftedClock_data();
    void shiftedClock();
    void strangers_data();
    void strangers();
    void openReports();
    void singleReportsSayAtLeast();
    void exactWaitsPromiseWhatTheirCauseExplains();
    void boundsAreBelowTheExactFigures();
};

void AcrossReportsTest::straggler()
{
    const auto summaries = summariesOf({"ddp_straggler_rank0", "ddp_straggler_rank1"});
    SKIP_WITHOUT(summaries);
    const AcrossReport across = judgeSummaries(summaries);
    QVERIFY(across.judged);
    QCOMPARE(across.matched, 72U);
    QCOMPARE(across.unmatched, 0U);
    QCOMPARE(across.verdict.pattern, LatePattern::Persistent);
    QCOMPARE(across.ranks[across.verdict.rank].rank, 1);
    QCOMPARE(across.verdict.cause.part, std::string("data_load"));
    QVERIFY(std::abs(ms(across.verdict.cause.perStep) - 23.4) < 1);
    QCOMPARE(across.ranks[0].gpu, std::string("NVIDIA H200 (GPU 0)")); // one model: distinguished by number
    QCOMPARE(across.ranks[1].gpu, std::string("NVIDIA H200 (GPU 1)"));
    QVERIFY(isNear(ms(across.ranks[0].wait), 340.53, 0.001));
    QVERIFY(isNear(ms(across.ranks[0].exposedWait), 146.4, 0.002));
    QCOMPARE(across.ranks[1].wait, 0);
    QCOMPARE(across.ranks[1].lastCount, 72U);
    QVERIFY(std::abs(across.reports[1].clock.offset - 18'663'300) <= 2'000);
    QCOMPARE(across.reports[1].clock.method, ClockMethod::StartTime);
    const AcrossFinding& late = across.findings.front();
    QVERIFY(plain(late.title).find("data_load") != std::string::npos);
    // The saving is the measured sum: the differences of the steps, not six times their median.
    const std::string input
        = "SELECT sum(n.end - n.start) FROM NVTX_EVENTS n LEFT JOIN StringIds s ON s.id = "
          "n.textId WHERE coalesce(n.text, s.value) = 'data_load'";
    const Ns sum = sqlInteger(sharedReport("ddp_straggler_rank1"), input)
        - sqlInteger(sharedReport("ddp_straggler_rank0"), input);
    QVERIFY2(isNear(ms(across.verdict.cause.inAll), ms(sum), 0.001), std::to_string(sum).c_str());
    QCOMPARE(across.verdict.cause.stepsLonger, 6U);
    QCOMPARE(late.saving, across.verdict.cause.inAll);
    const std::string told = ", " + roundedDuration(sum) + " over the 6 steps";
    QVERIFY2(
        plain(late.message).find(told + ". Fixing that could save " + roundedDuration(sum) + "; the rest")
            != std::string::npos,
        plain(late.message).c_str());
    QVERIFY2(plain(across.verdict.sentence).find(told + "; rank 0 waits") != std::string::npos,
        plain(across.verdict.sentence).c_str());
    // 2.5 of 24.4 ms are left; that data_load keeps the GPU idle is no other cause than data_load.
    QVERIFY2(plain(across.verdict.sentence).ends_with("has other causes."),
        plain(across.verdict.sentence).c_str());
}

void AcrossReportsTest::overlap()
{
    const auto summaries = summariesOf({"ddp_overlap_rank0", "ddp_overlap_rank1"});
    SKIP_WITHOUT(summaries);
    const AcrossReport across = judgeSummaries(summaries);
    QCOMPARE(across.verdict.pattern, LatePattern::Rotating);
    QVERIFY(isNear(ms(across.ranks[0].wait), 43.46, 0.002));
    QVERIFY(isNear(ms(across.ranks[1].wait), 143.02, 0.002));
    QVERIFY(isNear(ms(across.ranks[1].exposedWait), 25.24, 0.002));
    QVERIFY(std::abs(across.reports[1].clock.offset - 8'144'600) <= 2'000);
}

void AcrossReportsTest::payloads()
{
    const auto summaries = summariesOf({"h200-more/ddp_json_rank0", "h200-more/ddp_json_rank1"});
    SKIP_WITHOUT(summaries);
    const AcrossReport across = judgeSummaries(summaries);
    QCOMPARE(across.groups.size(), 1U);
    QCOMPARE(across.groups[0].key, std::string("nccl:6727538562120142276"));
    std::vector<std::int64_t> sizes;
    for (const AcrossKind& kind : across.kinds) {
        QCOMPARE(kind.count, 24U);
        sizes.push_back(kind.bytes);
        QCOMPARE(kind.busBandwidth, kind.algorithmBandwidth); // two ranks: 2 * 1 / 2
        QVERIFY(isNear(kind.algorithmBandwidth,
            static_cast<double>(kind.bytes) / static_cast<double>(kind.transferMedian), 1e-9));
        QVERIFY(kind.busBandwidth > 150 && kind.busBandwidth < 450); // NVLink of an H200
    }
    std::ranges::sort(sizes);
    QCOMPARE(sizes, (std::vector<std::int64_t>{33'583'104, 33'591'296, 33'595'392}));
    QCOMPARE(across.ranks[across.verdict.rank].rank, 1);
    QCOMPARE(across.verdict.cause.part, std::string("data_load"));
}

void AcrossReportsTest::sharded()
{
    const auto summaries = summariesOf({"h200-more/fsdp_rank0", "h200-more/fsdp_rank1"});
    SKIP_WITHOUT(summaries);
    const AcrossReport across = judgeSummaries(summaries);
    QCOMPARE(across.verdict.pattern, LatePattern::Persistent);
    QCOMPARE(across.ranks[across.verdict.rank].rank, 0);
    QCOMPARE(across.verdict.cause.part, std::string("checkpoint_io"));
    QVERIFY(std::abs(ms(across.verdict.cause.perStep) - 12) < 0.5);
    // One value per fix: 12.10 ms per step, not all of the wait; and what the rest is.
    const auto late = std::ranges::find(across.findings, "late_rank", &AcrossFinding::rule);
    QVERIFY(late != across.findings.end());
    QCOMPARE(late->saving, across.verdict.cause.inAll);
    QVERIFY2(
        plain(late->message).find("248 ms of it exposed") != std::string::npos, plain(late->message).c_str());
    QVERIFY2(plain(across.verdict.sentence).find("The GPU of rank 0 is idle for 78.2% of its step time")
            != std::string::npos,
        plain(across.verdict.sentence).c_str());
    QCOMPARE(across.matched, 192U);
    QCOMPARE(across.kinds.size(), 2U);
    const auto gather = std::ranges::find(across.kinds, "all-gather", &AcrossKind::operation);
    QVERIFY(gather != across.kinds.end());
    QCOMPARE(gather->element, std::string("bytes")); // NCCL computes nothing with them
    // The rate in a finding is the table's, under its name.
    const auto loaded = loadReport(sharedReport("h200-more/fsdp_rank0"));
    QVERIFY(loaded.ok());
    const Trace& trace = *loaded.value();
    auto findings = runRules(trace, {trace.session.start, trace.session.end + 1});
    const auto exposed = [&] { return *std::ranges::find(findings, "nccl_exposed", &Finding::rule); };
    constexpr std::string_view alone
        = "Its rate for the part of each rank is 110 GB/s on average, including waits, and 180 GB/s at best";
    QVERIFY2(plain(exposed().message).find(alone) != std::string::npos, plain(exposed().message).c_str());
    findings = withExactWaits(std::move(findings), trace, trace.session, across, ReportId{0});
    const std::string told = "Median bus bandwidth without waits: "
        + roundedThroughput(across.kinds.front().busBandwidth * 1e9) + " (" + across.kinds.front().operation;
    QVERIFY2(plain(exposed().message).find(told) != std::string::npos, plain(exposed().message).c_str());
}

void AcrossReportsTest::pipeline()
{
    const auto summaries = summariesOf({"h200-more/pipe_rank0", "h200-more/pipe_rank1"});
    SKIP_WITHOUT(summaries);
    const AcrossReport across = judgeSummaries(summaries);
    QCOMPARE(across.matched, 64U);
    QCOMPARE(across.unmatched, 0U);
    const auto bubble = std::ranges::find(across.findings, "pipeline_bubble", &AcrossFinding::rule);
    QVERIFY(bubble != across.findings.end());
    QCOMPARE(across.ranks[bubble->rank].rank, 1); // it bounds the pipeline
    // In its 525.8 ms of steps it idles for 450.6 ms, 328.7 ms of that between launches.
    QVERIFY2(
        plain(bubble->message)
                .find(
                    "The GPU of rank 1 is idle for 85.7% of its step time. Largest part: 62.5% (the host prepares the next launch).")
            != std::string::npos,
        plain(bubble->message).c_str());
    // To a stage that is paced by its launches smaller pieces are no help.
    QVERIFY(plain(bubble->remedy).find("fewer and larger micro-batches") != std::string::npos);
    QVERIFY(isNear(ms(across.ranks[0].wait), 499.2, 0.01));
    QVERIFY(ms(across.ranks[1].wait) < 1);
    // Its 75.25 ms of own work stay, however few launches it has.
    QVERIFY2(isNear(ms(bubble->saving), 450.6, 0.001), std::to_string(bubble->saving).c_str());
    const LateVerdict& verdict = across.verdict;
    QCOMPARE(verdict.cause.kind, PartKind::Idle);
    QVERIFY(isNear(ms(verdict.cause.perStep), 55.13, 0.001));
    QVERIFY2(plain(verdict.sentence)
                 .find("It is host-bound: it runs 3.1 times as many kernels as rank 0 (11,424 and 3,696 ")
            != std::string::npos,
        plain(verdict.sentence).c_str());
    QVERIFY2(plain(verdict.sentence).ends_with("of its step time."), plain(verdict.sentence).c_str());
    // The report of the waiting stage gives the same advice in the same order, and not a larger saving.
    const auto loaded = loadReport(sharedReport("h200-more/pipe_rank0"));
    QVERIFY(loaded.ok());
    const Trace& trace = *loaded.value();
    const TimeRange window{trace.session.start, trace.session.end + 1};
    const auto findings = withExactWaits(runRules(trace, window), trace, window, across, ReportId{0});
    const auto own = std::ranges::find(findings, "pipeline_bubble", &Finding::rule);
    QVERIFY(own != findings.end());
    QCOMPARE(plain(own->remedy), plain(bubble->remedy));
    QCOMPARE(own->saving, bubble->saving);
    QCOMPARE(own->confidence, Confidence::Certain);
    QVERIFY(plain(caveatOf(*own)).find("One report") == std::string_view::npos);
    QVERIFY2(plain(messageOf(*own)).find("look at its report") == std::string::npos,
        plain(messageOf(*own)).c_str());
    for (const Finding& each : findings)
        QVERIFY2(plain(messageOf(each)).find("one rank alone") == std::string::npos,
            plain(messageOf(each)).c_str());
    QVERIFY(std::ranges::all_of(
        across.exchanges, [](const MatchedExchange& each) { return each.members.size() == 2; }));
}

/// The same program under PyTorch's profiler.
void AcrossReportsTest::profilerTraces()
{
    const QFileInfo report(QString::fromStdString(sharedReport("ddp_straggler_rank0")));
    const QDir kineto(report.path() + "/../../kineto");
    if (!kineto.exists("ddp_straggler_rank0.json.gz"))
        QSKIP("the shared traces are not there: ../shared/reports/kineto");
    std::vector<ReportSummary> summaries;
    for (const char* name : {"ddp_straggler_rank1.json.gz", "ddp_straggler_rank0.json.gz"}) {
        const std::string path = kineto.filePath(name).toStdString();
        const auto trace = loadReport(path);
        QVERIFY(trace.ok());
        summaries.push_back(summarize(*trace.value(), path));
    }
    const AcrossReport across = judgeSummaries(summaries);
    QVERIFY(across.judged);
    QCOMPARE(across.ranks[0].foundBy, RankSource::Distributed);
    QCOMPARE(across.ranks[0].rank, 0);
    QCOMPARE(across.ranks[0].report, ReportId{1});
    QCOMPARE(across.unmatched, 0U);
    QVERIFY(across.kinds.front().bytes > 33'000'000 && across.kinds.front().busBandwidth > 100);
    QCOMPARE(across.verdict.pattern, LatePattern::Persistent);
    QCOMPARE(across.ranks[across.verdict.rank].rank, 1);
    QCOMPARE(across.verdict.cause.part, std::string("data_load"));
    QVERIFY(ms(across.verdict.cause.perStep) > 15 && ms(across.verdict.cause.perStep) < 30);
}

/// A rank is late, and no part of its steps explains it: this is reported.
void AcrossReportsTest::lateForNoPartThatIsSeen()
{
    const QFileInfo report(QString::fromStdString(sharedReport("ddp_straggler_rank0")));
    const QDir kineto(report.path() + "/../../kineto");
    if (!kineto.exists("ddp_overlap_rank0.json.gz"))
        QSKIP("the shared traces are not there: ../shared/reports/kineto");
    std::vector<ReportSummary> summaries;
    for (const char* name : {"ddp_overlap_rank0.json.gz", "ddp_overlap_rank1.json.gz"}) {
        const std::string path = kineto.filePath(name).toStdString();
        const auto trace = loadReport(path);
        QVERIFY(trace.ok());
        summaries.push_back(summarize(*trace.value(), path));
    }
    const AcrossReport across = judgeSummaries(summaries);
    QCOMPARE(across.verdict.pattern, LatePattern::Persistent);
    QVERIFY(!across.verdict.cause.found());
    const std::string& sentence = plain(across.verdict.sentence);
    QVERIFY2(sentence.find("No range, kernel, copy or idle time explains the delay") != std::string::npos,
        sentence.c_str());
    QVERIFY2(sentence.ends_with("inside aten::copy_)."), sentence.c_str());
}

void AcrossReportsTest::haloOfEight()
{
    std::vector<std::string> names;
    for (int rank = 0; rank < 8; ++rank)
        names.push_back("h200-more/halo8/rank" + std::to_string(rank));
    const auto summaries = summariesOf(names);
    SKIP_WITHOUT(summaries);
    const AcrossReport across = judgeSummaries(summaries);
    QCOMPARE(across.ranks.size(), 8U);
    QCOMPARE(across.ranks[5].foundBy, RankSource::MpiRanks);
    QCOMPARE(across.verdict.pattern, LatePattern::Persistent);
    QCOMPARE(across.verdict.rank, 3U);
    QCOMPARE(across.verdict.cause.part, std::string("assemble"));
    QVERIFY(std::abs(ms(across.verdict.cause.perStep) - 4) < 0.1);
    QCOMPARE(across.verdict.exceptions.size(), 1U);
    QCOMPARE(across.steps[across.verdict.exceptions[0].step].name, std::string("step_20"));
    QCOMPARE(across.verdict.exceptions[0].rank, 0U);
    QVERIFY(std::abs(ms(across.verdict.exceptions[0].cause.perStep) - 20) < 1);
    // An MPI_Waitall is one wait, however many requests it has: rank 2 cannot wait longer than its calls.
    const std::string rank2 = sharedReport("h200-more/halo8/rank2");
    const long long inCalls = sqlInteger(rank2,
        "SELECT sum(e - s) FROM (SELECT DISTINCT start s, end e FROM MPI_START_WAIT_EVENTS UNION ALL "
        "SELECT start, end FROM MPI_COLLECTIVES_EVENTS)");
    QVERIFY(across.ranks[2].wait <= inCalls);
    QVERIFY(across.ranks[2].wait > inCalls / 2);
    QCOMPARE(across.matched, 8U * 40 + 40);
    // Each exchange has a last rank, or is together. On a ring all ranks take part equally: 40 calls of
    // MPI_Allreduce, 40 of MPI_Waitall, and those of both neighbours.
    std::size_t last = 0;
    for (const AcrossRank& rank : across.ranks) {
        last += rank.lastCount;
        QCOMPARE(rank.exchanges, std::size_t{160});
    }
    QCOMPARE(last
            + static_cast<std::size_t>(
                std::ranges::count(across.exchanges, true, &MatchedExchange::isTogether)),
        across.exchanges.size());
    // A rank waits for both neighbours in one call.
    const auto waits = std::ranges::find(across.kinds, "MPI_Waitall", &AcrossKind::operation);
    QVERIFY(waits != across.kinds.end());
    QCOMPARE(waits->ranks, std::int64_t{3});
    // The finding speaks of the steps that the verdict is about.
    const auto late = std::ranges::find(across.findings, "late_rank", &AcrossFinding::rule);
    QVERIFY(late != across.findings.end());
    Ns blame = 0;
    for (std::uint32_t step = 0; step < across.steps.size(); ++step)
        blame += across.steps[step].warmUp ? 0 : across.cell(3, step).blame;
    QCOMPARE(formatDuration(blame), std::string("930.0 ms"));
    QVERIFY2(plain(late->message).starts_with("In 39 steps the other ranks wait 930 ms for it in total"),
        plain(late->message).c_str());
    // It links to an analyzed exchange: rank 4 waits longest in step_0, which it begins 197 ms before rank 3.
    QVERIFY(late->step != noIndex && !across.steps[late->step].warmUp);
    QCOMPARE(across.steps[late->step].late, 3U);
    QVERIFY(late->event.valid() && late->event.report != across.ranks[3].report);
    for (const MatchedExchange& exchange : across.exchanges) {
        for (const ExchangeMember& member : exchange.members)
            QVERIFY(member.event != late->event || exchange.step == late->step);
    }
}

void AcrossReportsTest::haloWithoutItsLateRank()
{
    std::vector<std::string> names;
    for (int rank = 0; rank < 8; ++rank) {
        if (rank != 3)
            names.push_back("h200-more/halo8/rank" + std::to_string(rank));
    }
    const auto summaries = summariesOf(names);
    SKIP_WITHOUT(summaries);
    const AcrossReport across = judgeSummaries(summaries);
    QCOMPARE(across.missingRanks, std::vector<std::int64_t>{3});
    QCOMPARE(across.verdict.pattern, LatePattern::Unknown);
    QCOMPARE(across.verdict.rank, noIndex);
    for (const AcrossFinding& finding : across.findings) {
        QVERIFY2(finding.rule != "slow_transfer", plain(finding.title).c_str());
        QVERIFY2(
            finding.rank == noIndex || across.ranks[finding.rank].rank != 4, plain(finding.title).c_str());
    }
    // Rank 0's single slow step is an exception.
    QCOMPARE(across.verdict.exceptions.size(), std::size_t{1});
    QCOMPARE(across.ranks[across.verdict.exceptions.front().rank].rank, 0);
}

void AcrossReportsTest::haloInOneReport()
{
    const auto summaries = summariesOf({"h200-more/halo_one"});
    SKIP_WITHOUT(summaries);
    const AcrossReport across = judgeSummaries(summaries);
    QVERIFY(across.judged);
    QCOMPARE(across.ranks.size(), 4U);
    QCOMPARE(across.verdict.rank, 2U);
    QCOMPARE(across.verdict.cause.part, std::string("assemble"));
    QCOMPARE(across.steps[across.verdict.exceptions.at(0).step].name, std::string("step_10"));
}

void AcrossReportsTest::shiftedClock_data()
{
    QTest::addColumn<double>("shift");
    QTest::addColumn<double>("drift");
    QTest::newRow("3.7 ms") << 3.7e6 << 0.0;
    QTest::newRow("1 s back") << -1e9 << 0.0;
    QTest::newRow("200 ppm fast") << 0.0 << 200e-6;
    QTest::newRow("200 ppm slow") << 0.0 << -200e-6;
    QTest::newRow("all of it") << 3.7e6 << 200e-6;
}

/// Two processes of one report share its clock: one with a clock of its own must get it back.
void AcrossReportsTest::shiftedClock()
{
    auto summaries = summariesOf({"ddp_2gpu"});
    SKIP_WITHOUT(summaries);
    QFETCH(double, shift);
    QFETCH(double, drift);
    QCOMPARE(summaries[0].participants.size(), 2U);
    summaries.push_back(summaries[0]);
    summaries[0].participants.pop_back();
    summaries[1].participants.erase(summaries[1].participants.begin());
    summaries[1].identity += 1;
    summaries[1].host = "another";
    const auto clock
        = [&](Ns time) { return time + std::llround(shift + drift * static_cast<double>(time)); };
    retime(summaries[1], clock);
    const AcrossReport across = judgeSummaries(summaries);
    QVERIFY(across.judged);
    QCOMPARE(across.matched, 80U);
    const ReportAcross& report = across.reports[1];
    QCOMPARE(report.clock.method, ClockMethod::Matched);
    QVERIFY(std::abs(report.driftPpm + drift * 1e6) < 40);
    // At every collective of the steps: with drift the constant offset is right within its uncertainty.
    for (const MatchedExchange& exchange : across.exchanges) {
        if (exchange.step == noIndex || across.steps[exchange.step].warmUp)
            continue;
        const Ns shown = exchange.members[1].range.end;
        const Ns own = std::llround((static_cast<double>(shown) - shift) / (1 + drift));
        const Ns corrected = shown + report.clock.offset
            + std::llround(report.driftPpm * 1e-6 * static_cast<double>(shown - report.clockMiddle));
        QVERIFY2(std::abs(corrected - own) <= 15'000, qPrintable(QString::number(corrected - own)));
        QVERIFY2(std::abs(shown + report.clock.offset - own) <= report.clock.uncertainty,
            qPrintable(QString::number(shown + report.clock.offset - own)));
    }
}

void AcrossReportsTest::strangers_data()
{
    QTest::addColumn<QStringList>("names");
    QTest::newRow("two runs of one program") << QStringList{"ddp_straggler_rank0", "ddp_overlap_rank1"};
    QTest::newRow("captures of two days") << QStringList{"ddp_straggler_rank0", "h200-more/ddp_json_rank1"};
    QTest::newRow("two programs") << QStringList{"h200-more/fsdp_rank0", "h200-more/pipe_rank1"};
    QTest::newRow("MPI and NCCL") << QStringList{"h200-more/halo8/rank0", "h200-more/fsdp_rank1"};
    QTest::newRow("one rank alone") << QStringList{"h200-more/halo8/rank0"};
    QTest::newRow("no communication") << QStringList{"bert_amp", "cnn_workers0"};
    QTest::newRow("one report twice") << QStringList{"ddp_straggler_rank0", "ddp_straggler_rank0"};
}

void AcrossReportsTest::strangers()
{
    QFETCH(QStringList, names);
    std::vector<std::string> list;
    for (const QString& name : names)
        list.push_back(name.toStdString());
    const auto summaries = summariesOf(list);
    SKIP_WITHOUT(summaries);
    const AcrossReport across = judgeSummaries(summaries);
    QVERIFY(!across.judged);
    QVERIFY(across.ranks.empty() && across.exchanges.empty() && across.findings.empty());
    QVERIFY(!across.notes.empty());
    for (const ReportAcross& report : across.reports)
        QVERIFY(!report.judged && !report.note.empty());
}

void AcrossReportsTest::openReports()
{
    std::vector<OpenReport> open;
    for (const char* name : {"ddp_straggler_rank0", "ddp_straggler_rank1"}) {
        const std::string path = sharedReport(name);
        if (path.empty())
            QSKIP("the shared reports are not there: ../shared/reports");
        auto trace = loadReport(path);
        QVERIFY(trace.ok());
        OpenReport report;
        report.label = name;
        report.trace = trace.take();
        report.rows = std::make_shared<const RowTree>();
        open.push_back(std::move(report));
    }
    const auto judged = [](const Workspace& workspace) {
        std::vector<ReportSummary> summaries;
        std::vector<RankChoice> choices;
        for (const OpenReport& report : workspace.reports()) {
            summaries.push_back(summarize(*report.trace, report.trace->info.path));
            choices.push_back(choiceOf(report));
        }
        return judgeSummaries(summaries, {}, choices);
    };
    const Workspace workspace(open);
    const AcrossReport across = judged(workspace);
    const Workspace aligned = withClocks(workspace, across);
    QCOMPARE(aligned.report(ReportId{0}).clock.offset, 0);
    QVERIFY(std::abs(aligned.report(ReportId{1}).clock.offset - 18'663'300) <= 2'000);
    // The ends of one collective are one moment there.
    const MatchedExchange& exchange = across.exchanges.at(30);
    QVERIFY(
        std::abs(aligned.range(exchange.members[0].event).end - aligned.range(exchange.members[1].event).end)
        < 30'000);
    open[1].clock = {5, 0, ClockMethod::Manual, {}};
    open[1].participants = {{0, -1, 7}};
    const Workspace manual(open);
    const AcrossReport again = judged(manual);
    QCOMPARE(again.reports[1].clock.offset, 5);
    QCOMPARE(again.ranks[1].rank, 7);
    QCOMPARE(again.ranks[1].foundBy, RankSource::Manual);
}

void AcrossReportsTest::singleReportsSayAtLeast()
{
    const auto summaries = summariesOf({"ddp_straggler_rank0", "ddp_straggler_rank1"});
    SKIP_WITHOUT(summaries);
    const auto loaded = loadReport(sharedReport("ddp_straggler_rank0"));
    QVERIFY(loaded.ok());
    const Trace& trace = *loaded.value();
    auto findings = runRules(trace, {trace.session.start, trace.session.end + 1});
    const auto of = [&](std::string_view rule) { return std::ranges::find(findings, rule, &Finding::rule); };
    QVERIFY(of("collective_wait") != findings.end() && of("nccl_exposed") != findings.end());
    const std::string bound = roundedDuration(of("collective_wait")->saving);
    QVERIFY2(plain(of("collective_wait")->title).find("waits at least about " + bound + " inside")
            != std::string::npos,
        plain(of("collective_wait")->title).c_str());
    QVERIFY(of("collective_wait")->saving < 48'950'000); // a slower transfer is no wait
    const Ns all = of("collective_wait")->saving + of("nccl_exposed")->saving;
    findings
        = withExactWaits(std::move(findings), trace, trace.session, judgeSummaries(summaries), ReportId{0});
    QVERIFY(plain(of("collective_wait")->title).find("waits 146 ms inside") != std::string::npos);
    QVERIFY(plain(of("collective_wait")->message).find("rank 1: data_load") != std::string::npos);
    // The excess of data_load there in the 6 steps, of the 146.4 ms.
    QVERIFY(isNear(ms(of("collective_wait")->saving), 131.4, 0.001));
    QVERIFY2(
        plain(of("collective_wait")->message).find("Fixing that saves up to 131 ms") != std::string::npos,
        plain(of("collective_wait")->message).c_str());
    QVERIFY(isNear(ms(of("nccl_exposed")->saving + 146'400'000), ms(all), 0.001));
    QVERIFY(isNear(ms(of("nccl_exposed")->saving), 10.7, 0.02));
    QVERIFY(plain(of("nccl_exposed")->title).find("bottleneck") == std::string::npos); // 10.7 ms of 157.1 ms
    // Savings of an early rank only lengthen its wait: the wait leads, with the late rank as cause.
    const auto late = loadReport(sharedReport("ddp_straggler_rank1"));
    QVERIFY(late.ok());
    const TimeRange ofLate{late.value()->session.start, late.value()->session.end + 1};
    boundByLateRank(findings, trace, trace.session, ReportId{0}, judgeSummaries(summaries),
        runRules(*late.value(), ofLate));
    QCOMPARE(findings.front().rule, std::string_view("collective_wait"));
    QCOMPARE(formatDuration(of("no_tensor_cores")->saving), std::string("15.40 ms")); // of rank 1
    QVERIFY2(plain(of("no_tensor_cores")->message).find("waits 146 ms for rank 1") != std::string::npos,
        plain(of("no_tensor_cores")->message).c_str());
    QVERIFY(savingTogether(findings) >= of("collective_wait")->saving * 9 / 10);
    // Budgets split waiting and transfer in the same way.
    const AcrossReport across = judgeSummaries(summaries);
    const auto waitIn = [&](const KnownWaits& waits) {
        const GpuBudgets budgets(trace, kernelClassRules(), {}, waits);
        const Budget budget = budgets.gpus().front().within({trace.session.start, trace.session.end + 1});
        return budget[budgets.parts().wait()];
    };
    QVERIFY(isNear(ms(waitIn(exactWaitRanges(trace, across, ReportId{0}))), 146.4, 0.002));
    QVERIFY(ms(waitIn({})) < 60);
    QVERIFY(exactWaitRanges(trace, AcrossReport(), ReportId{0}).empty());
    // The order follows the new values.
    QVERIFY(std::ranges::is_sorted(findings, ranksHigher));
    // Findings outside of the analysis stay.
    const auto before = findings;
    findings = withExactWaits(std::move(findings), trace, trace.session, AcrossReport(), ReportId{0});
    QCOMPARE(
        of("collective_wait")->title, std::ranges::find(before, "collective_wait", &Finding::rule)->title);
}

/// Waits that the named cause does not explain are not saved by fixing it, GPUs have the machine's numbers,
/// and values made exact by other ranks are not called guesses.
void AcrossReportsTest::exactWaitsPromiseWhatTheirCauseExplains()
{
    const auto summaries = summariesOf({"h200-more/fsdp_rank0", "h200-more/fsdp_rank1"});
    SKIP_WITHOUT(summaries);
    const AcrossReport across = judgeSummaries(summaries);
    QCOMPARE(across.verdict.cause.part, std::string("checkpoint_io"));
    const Ns gain = gainOfCause(across.verdict).value_or(0);
    QVERIFY(isNear(ms(gain), 96.8, 0.001)); // some 12.10 ms in each of 8 steps
    for (const int place : {0, 1}) {
        const auto loaded
            = loadReport(sharedReport(place == 0 ? "h200-more/fsdp_rank0" : "h200-more/fsdp_rank1"));
        QVERIFY(loaded.ok());
        const Trace& trace = *loaded.value();
        const TimeRange window{trace.session.start, trace.session.end + 1};
        const auto findings = withExactWaits(
            runRules(trace, window), trace, window, across, ReportId{static_cast<std::uint16_t>(place)});
        const auto wait = std::ranges::find(findings, "collective_wait", &Finding::rule);
        QVERIFY(wait != findings.end());
        QCOMPARE(plain(wait->title),
            std::string(place == 0 ? "GPU 0 waits 24.3 ms inside collectives for other ranks"
                                   : "GPU 1 waits 248 ms inside collectives for other ranks"));
        QCOMPARE(wait->saving, place == 0 ? Ns{24'310'811} : gain);
        const bool names
            = plain(wait->message).find("It waits for rank 0: checkpoint_io.") != std::string::npos;
        QCOMPARE(names, place == 1);
        QVERIFY(place == 1 || plain(wait->message).find("It waits for rank 1.") != std::string::npos);
        const bool tellsSum = plain(wait->message).find("the extra time on rank 0: 96.8 ms over the 8 steps")
            != std::string::npos;
        QCOMPARE(tellsSum, place == 1);
        QVERIFY(plain(caveatOf(*wait)).find("One report sees") == std::string_view::npos);
        QVERIFY(!caveatOf(*wait).empty());
        Ns sum = 0;
        for (const Finding& finding : findings)
            sum += finding.saving;
        QVERIFY(savingTogether(findings) <= sum && savingTogether(findings) <= findings.front().measured);
    }
}

/// The same without a cause of the late rank: nothing limits the saving.
static AcrossReport withoutCause(AcrossReport across)
{
    across.verdict.cause = {};
    return across;
}

/// "At least" holds: a rank's own estimate of its wait never exceeds the exact value from all reports. Both
/// are over the same steps where none is warm-up.
void AcrossReportsTest::boundsAreBelowTheExactFigures()
{
    int compared = 0;
    const std::vector<std::vector<std::string>> runs{{"ddp_straggler_rank0", "ddp_straggler_rank1"},
        {"ddp_overlap_rank0", "ddp_overlap_rank1"}, {"h200-more/ddp_json_rank0", "h200-more/ddp_json_rank1"},
        {"h200-more/fsdp_rank0", "h200-more/fsdp_rank1"}, {"h200-more/pipe_rank0", "h200-more/pipe_rank1"}};
    for (const std::vector<std::string>& run : runs) {
        const auto summaries = summariesOf(run);
        SKIP_WITHOUT(summaries);
        const AcrossReport across = judgeSummaries(summaries);
        for (std::size_t i = 0; i < run.size(); ++i) {
            const auto loaded = loadReport(sharedReport(run[i]));
            QVERIFY(loaded.ok());
            const Trace& trace = *loaded.value();
            const Rule* const rule = findRule("collective_wait");
            const TimeRange window{trace.session.start, trace.session.end + 1};
            const auto alone = runRules(trace, window, std::span(&rule, 1));
            if (alone.empty())
                continue;
            const auto exact
                = withExactWaits(alone, trace, window, across, ReportId{static_cast<std::uint16_t>(i)});
            QVERIFY(plain(exact.front().title).find("at least") == std::string::npos);
            // Of the wait, not of the saving by fixing its cause.
            const std::string waits
                = plain(exact.front().title).substr(0, plain(exact.front().title).find(" inside"));
            const auto all = withExactWaits(
                alone, trace, window, withoutCause(across), ReportId{static_cast<std::uint16_t>(i)});
            QVERIFY(plain(all.front().title).starts_with(waits));
            QVERIFY2(alone.front().saving <= all.front().saving,
                qPrintable(QString("%1: %2 > %3")
                               .arg(run[i].c_str())
                               .arg(alone.front().saving)
                               .arg(all.front().saving)));
            ++compared;
        }
    }
    QVERIFY(compared >= 5);
}

#undef SKIP_WITHOUT

WARPLINE_TEST(AcrossReportsTest)

} // namespace tst_across_reports

#include "tst_across_reports.moc"
