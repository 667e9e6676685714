// Ranks on synthetic runs: the late rank and the cause, clocks, unrelated reports, lost events.

#include "core/across/judging.h"
#include "core/across/step_facts.h"
#include "core/base/path_names.h"
#include "core/base/stop.h"
#include "core/base/utf8.h"
#include "core/export/ranks_text.h"
#include "core/render/render.h"
#include "tests/core/across/drawn_run.h"
#include "tests/core/findings/drawn_program.h"
#include "tests/support/test_program.h"

#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>
#include <set>
#include <span>

namespace tst_across {

using namespace warpline;
using namespace warpline::test;

class AcrossTest : public QObject {
    Q_OBJECT

private slots:
    void theLateRankIsNamedWithItsCause();
    void aCauseAddsUpWhatWasMeasured();
    void aLateRankLeadsToAJudgedStep();
    void ranksThatTakeTurnsAreNotBlamed();
    void theRankWithMostBlameIsNamed();
    void blameThatDoesNotFitStaysWithItsRank();
    void ofBlameThatDoesNotFitNoRankHasTooMuch();
    void unevenWorkIsAShareOfAllBlame();
    void slowTransfersOfManyRanksAreSaid();
    void unevenWorkIsSaid();
    void nobodyIsLateWhereNobodyWaits();
    void aSingleStepIsAnothersFault();
    void clocksOfOtherHostsAreFoundByEnds();
    void clocksOfManyHostsFitAroundLoops();
    void hostsThatMeetNotTheFirstAreAligned();
    void hostsWhoseCollectivesTellNoClockAreListed();
    void startTimesYearsApartTellNoClock();
    void aShiftBeyondAllTimesLeavesNoStart_data();
    void aShiftBeyondAllTimesLeavesNoStart();
    void aClockSetByHandStays();
    void impossibleClocksAreNotTaken();
    void aClockSetByHandAgainstTheMatchesIsSaid();
    void aRankGivenByHandWins();
    void sumsSayWhatTheVerdictLeavesOut();
    void whatAStepCouldGainIsSaid();
    void ofTwoRanksTheOtherIsNamed();
    void evidenceIsOfJudgedSteps();
    void namesAreShort();
    void partsOfStepsAreUtf8();
    void stepsInAnotherOrderAreJoined();
    void lostEventsCostOnlyTheirOwn();
    void aLongCollectiveThatOthersLackHidesNoShorterOnes_data();
    void aLongCollectiveThatOthersLackHidesNoShorterOnes();
    void recordingsThatBeginElsewhereAreMatchedBySteps();
    void numbersOfCollectivesMatchThem();
    void aReportTwiceIsSaid();
    void reportsOfDifferentRunsAreSaid();
    void communicationThatNeverOverlapsIsNotOneRun();
    void twoThatClaimOneRankAreSaid();
    void aMissingRankIsSaid();
    void noRankIsBlamedForAMissingOne();
    void aReportOfAnotherRunMayBeAMissingRank();
    void anAllToAllIsNoPipeline();
    void otherCollectivesAreSaid();
    void aSlowGpuIsSaid();
    void slowTransfersAreSaid();
    void blameIsPassedOn();
    void waitsForOneRankArePassedOnWhole();
    void waitsBeforeCollectivesThatOverlapAreBlamedOnce();
    void kernelsAloneTellThePace();
    void aReportThatIsLeftOutFreesItsRanks();
    void nothingAtAllIsSaid();
    void ranksOnOneGpuAreSaid();
    void stoppingThrows();
};

static Ns thirdIsLate(std::size_t rank, std::size_t)
{
    return rank == 2 ? 3'000'000 : 0;
}

/// The second of two, by 2 to 6.5 ms; in one step the first is, by 1 ms.
static Ns secondIsLateUnevenly(std::size_t rank, std::size_t step)
{
    if (step == 4)
        return rank == 0 ? 1'000'000 : 0;
    return rank == 1 ? 2'000'000 + static_cast<Ns>(step) * 500'000 : 0;
}

static const AcrossFinding* findingOf(const AcrossReport& across, std::string_view rule)
{
    const auto found = std::ranges::find(across.findings, rule, &AcrossFinding::rule);
    return found != across.findings.end() ? &*found : nullptr;
}

void AcrossTest::theLateRankIsNamedWithItsCause()
{
    DrawnRun run;
    run.extra = thirdIsLate;
    const AcrossReport across = judgeSummaries(run.reports());
    QVERIFY(across.judged);
    QCOMPARE(across.matched, 10U);
    QCOMPARE(across.unmatched, 0U);
    QCOMPARE(across.verdict.pattern, LatePattern::Persistent);
    QCOMPARE(across.verdict.rank, 2U);
    QCOMPARE(across.verdict.cause.part, std::string("load"));
    QCOMPARE(across.verdict.cause.perStep, 3'000'000);
    QCOMPARE(across.verdict.cause.inAll, 30'000'000);
    QCOMPARE(across.verdict.cause.stepsLonger, 10U);
    QCOMPARE(across.verdict.perStep, 3'000'000);
    QCOMPARE(across.verdict.stepsLate, 10U);
    QCOMPARE(across.ranks[0].wait, 30'000'000);
    QCOMPARE(across.ranks[0].exposedWait, 30'000'000);
    QCOMPARE(across.ranks[0].transfer, 1'000'000);
    QCOMPARE(across.ranks[2].wait, 0);
    QCOMPARE(across.ranks[2].blame, 90'000'000);
    QCOMPARE(across.ranks[2].lastCount, 10U);
    QCOMPARE(across.cell(2, 4).blame, 9'000'000);
    QCOMPARE(across.cell(1, 4).wait, 3'000'000);
    QCOMPARE(across.kinds.size(), 1U);
    QCOMPARE(across.kinds[0].transferMedian, 100'000);
    QCOMPARE(across.kinds[0].algorithmBandwidth, 10.0); // 1 MB in 0.1 ms
    QCOMPARE(across.kinds[0].busBandwidth, 15.0); // x 2 * 3 / 4
    QVERIFY(findingOf(across, "late_rank"));
    QCOMPARE(findingOf(across, "late_rank")->saving, 30'000'000);
}

/// Ranks begin a warm-up step at different times: its wait is the longest, but irrelevant for the verdict.
/// The potential saving is the sum of the steps' differences where the rank is longer: neither a median times
/// their number, nor less because of a step in which another one is longer.
void AcrossTest::aCauseAddsUpWhatWasMeasured()
{
    DrawnRun run;
    run.ranks = 2;
    run.extra = secondIsLateUnevenly;
    const AcrossReport across = judgeSummaries(run.reports());
    QCOMPARE(across.verdict.pattern, LatePattern::Persistent);
    QCOMPARE(across.verdict.rank, 1U);
    const Ns sum = 9 * 2'000'000 + (45 - 4) * 500'000;
    QCOMPARE(across.verdict.cause.inAll, sum);
    QCOMPARE(across.verdict.cause.stepsLonger, 9U);
    QVERIFY(across.verdict.cause.perStep * 10 != sum);
    QCOMPARE(gainOfCause(across.verdict).value_or(0), sum);
    QVERIFY2(plain(across.verdict.sentence).find(", 38.5 ms over 9 of 10 steps; ") != std::string::npos,
        plain(across.verdict.sentence).c_str());
}

void AcrossTest::aLateRankLeadsToAJudgedStep()
{
    DrawnRun run;
    run.extra = [](std::size_t rank, std::size_t step) -> Ns {
        return rank != 2 ? 0 : step == 0 ? 200'000'000 : step == 7 ? 4'000'000 : 3'000'000;
    };
    auto reports = run.reports();
    for (ReportSummary& report : reports)
        report.participants.front().steps.front().warmUp = true;
    const AcrossReport across = judgeSummaries(reports);
    const AcrossFinding* const late = findingOf(across, "late_rank");
    QVERIFY(late);
    QCOMPARE(late->step, 7U);
    QCOMPARE(late->event.event.index, 7U); // of the drawn run the kernel of the step
    QVERIFY(raw(late->event.report) != 2);
    QVERIFY2(plain(across.verdict.sentence).starts_with("Rank 2 is late in 9 of 9 steps after warm-up: load"),
        plain(across.verdict.sentence).c_str());
}

void AcrossTest::ranksThatTakeTurnsAreNotBlamed()
{
    DrawnRun run;
    run.steps = 12;
    run.extra = [](std::size_t rank, std::size_t step) -> Ns { return rank == step % 4 ? 3'000'000 : 0; };
    const AcrossReport across = judgeSummaries(run.reports());
    QCOMPARE(across.verdict.pattern, LatePattern::Rotating);
    QCOMPARE(across.verdict.rank, noIndex);
    QVERIFY(!across.verdict.cause.found());
    for (std::uint32_t step = 0; step < 12; ++step)
        QCOMPARE(across.steps[step].late, step % 4);
}

void AcrossTest::theRankWithMostBlameIsNamed()
{
    // Rank 3 is late in half of the steps only, but for long; the others take turns.
    DrawnRun run;
    run.steps = 12;
    run.extra = [](std::size_t rank, std::size_t step) -> Ns {
        return step % 2 == 0 ? (rank == 3 ? 6'000'000 : 0) : (rank == step / 2 % 3 ? 1'000'000 : 0);
    };
    const AcrossReport across = judgeSummaries(run.reports());
    QCOMPARE(across.verdict.pattern, LatePattern::Rotating);
    const MainBlame main = mainBlame(across);
    QCOMPARE(main.rank, 3U);
    QVERIFY2(std::abs(main.share - 36.0 / 42) < 0.01, qPrintable(QString::number(main.share)));
    run.extra = [](std::size_t rank, std::size_t step) -> Ns { return rank == step % 4 ? 3'000'000 : 0; };
    QCOMPARE(mainBlame(judgeSummaries(run.reports())).rank, noIndex);
}

/// Hundreds of ranks that wait for months: their waits add up to more than 64 bits hold.
void AcrossTest::blameThatDoesNotFitStaysWithItsRank()
{
    DrawnRun run;
    run.ranks = 600;
    run.steps = 2;
    run.extra = [](std::size_t rank, std::size_t) -> Ns { return rank == 2 ? timeLimit / 2 : 0; };
    const AcrossReport across = judgeSummaries(run.reports());
    QCOMPARE(across.ranks[2].blame, std::numeric_limits<Ns>::max());
    QCOMPARE(across.verdict.pattern, LatePattern::Persistent);
    QCOMPARE(across.verdict.rank, 2U);
    QCOMPARE(across.verdict.stepsLate, 2U);
    QVERIFY(across.verdict.perStep > 0);
    QCOMPARE(across.verdict.exposedPerStep, across.verdict.perStep); // they computed nothing
    QVERIFY(findingOf(across, "late_rank"));
    const QString page = QString::fromStdString(ranksMarkdown(across));
    const QString ofSteps = page.mid(page.indexOf("## Steps"));
    QVERIFY(ofSteps.contains(QRegularExpression("\\| *[0-9]")));
    QVERIFY(!ofSteps.contains(QRegularExpression("\\| *-[0-9]"))); // a sum below 0
}

void AcrossTest::ofBlameThatDoesNotFitNoRankHasTooMuch()
{
    DrawnRun run;
    run.ranks = 600;
    run.extra = [](std::size_t rank, std::size_t step) -> Ns {
        const std::size_t late = step < 2 ? 2 : step + 1;
        return rank != late ? 0 : step < 2 ? timeLimit / 5 : timeLimit / 8;
    };
    run.steps = 3; // rank 2 in two of them, then rank 3
    const MainBlame main = mainBlame(judgeSummaries(run.reports()));
    QCOMPARE(main.rank, 2U);
    QVERIFY2(std::abs(main.share - 0.4 / 0.525) < 0.01, qPrintable(QString::number(main.share)));

    run.steps = 6; // then ranks 4 to 6: rank 2 has less than half
    auto reports = run.reports();
    QCOMPARE(mainBlame(judgeSummaries(reports)).rank, noIndex);
    for (ReportSummary& report : reports) { // all in one step
        ParticipantSummary& own = report.participants.front();
        own.steps.resize(1);
        own.steps.front().host = own.steps.front().time = report.session;
        for (Exchange& exchange : own.exchanges)
            exchange.step = 0;
    }
    QCOMPARE(judgeSummaries(reports).verdict.pattern, LatePattern::Rotating);
}

/// Rank 1 is late in three of five steps, by a sixth of all blame: of what 64 bits hold it were a third.
void AcrossTest::unevenWorkIsAShareOfAllBlame()
{
    DrawnRun run;
    run.ranks = 600;
    run.steps = 5;
    run.extra = [](std::size_t rank, std::size_t step) -> Ns {
        return rank != (step < 3 ? 1 : step - 1) ? 0 : timeLimit / 21;
    };
    const AcrossReport alike = judgeSummaries(run.reports());
    const AcrossFinding* const uneven = findingOf(alike, "uneven_work");
    QVERIFY(uneven);
    QCOMPARE(uneven->rank, 1U);
    run.extra = [](std::size_t rank, std::size_t step) -> Ns {
        return rank != (step < 3 ? 1 : step - 1) ? 0 : step < 3 ? timeLimit / 21 : timeLimit / 8 * 3;
    };
    QVERIFY(!findingOf(judgeSummaries(run.reports()), "uneven_work"));
}

void AcrossTest::slowTransfersOfManyRanksAreSaid()
{
    DrawnRun run;
    run.ranks = 600;
    run.steps = 20;
    run.transfer = timeLimit / 32;
    auto reports = run.reports();
    for (ReportSummary& report : reports) {
        for (Exchange& exchange : std::span(report.participants.front().exchanges).first(4))
            exchange.range.end -= run.transfer - 100'000;
    }
    const AcrossReport across = judgeSummaries(reports);
    const AcrossFinding* const slow = findingOf(across, "slow_transfer");
    QVERIFY(slow);
    QCOMPARE(slow->saving, 16 * (run.transfer - 100'000));
}

void AcrossTest::unevenWorkIsSaid()
{
    // Rank 2 always has 1 ms more, and the others pause longer in turn: no rank is persistently late.
    DrawnRun run;
    run.steps = 12;
    run.extra = [](std::size_t rank, std::size_t step) -> Ns {
        return rank == 2 ? 1'000'000 : rank == 0 && step % 2 == 0 ? 1'500'000 : 0;
    };
    const AcrossReport across = judgeSummaries(run.reports());
    QCOMPARE(across.verdict.pattern, LatePattern::Rotating);
    const AcrossFinding* const uneven = findingOf(across, "uneven_work");
    QVERIFY(uneven);
    QCOMPARE(uneven->rank, 2U);
    QCOMPARE(plain(uneven->title), std::string("Uneven work in load: rank 2 takes longer"));
    QCOMPARE(uneven->saving, 12 * 1'000'000);
    // The verdict's cause is not reported twice.
    run.extra = thirdIsLate;
    QVERIFY(!findingOf(judgeSummaries(run.reports()), "uneven_work"));
}

void AcrossTest::nobodyIsLateWhereNobodyWaits()
{
    const AcrossReport across = judgeSummaries(DrawnRun().reports());
    QVERIFY(across.judged);
    QCOMPARE(across.verdict.pattern, LatePattern::None);
    QCOMPARE(plain(across.verdict.sentence), std::string("The ranks do not wait long for each other."));
    QVERIFY(across.findings.empty());
}

void AcrossTest::aSingleStepIsAnothersFault()
{
    DrawnRun run;
    run.extra = [](std::size_t rank, std::size_t step) -> Ns {
        return rank == 2 ? 3'000'000 : rank == 0 && step == 5 ? 20'000'000 : 0;
    };
    const AcrossReport across = judgeSummaries(run.reports());
    QCOMPARE(across.verdict.pattern, LatePattern::Persistent);
    QCOMPARE(across.verdict.rank, 2U);
    QCOMPARE(across.verdict.stepsLate, 9U);
    QCOMPARE(across.verdict.exceptions.size(), 1U);
    QCOMPARE(across.verdict.exceptions[0].step, 5U);
    QCOMPARE(across.verdict.exceptions[0].rank, 0U);
    QCOMPARE(across.verdict.exceptions[0].cause.perStep, 20'000'000);
}

void AcrossTest::clocksOfOtherHostsAreFoundByEnds()
{
    DrawnRun run;
    run.steps = 60;
    run.hosts = 2;
    run.extra = [](std::size_t rank, std::size_t step) -> Ns { return rank == step % 4 ? 3'000'000 : 0; };
    run.clock = [](std::size_t rank, Ns) -> Ns { return rank % 2 == 1 ? 7'654'321 : 0; };
    const AcrossReport across = judgeSummaries(run.reports());
    for (const ReportAcross& report : across.reports) {
        const bool other = raw(report.report) % 2 == 1;
        QCOMPARE(report.clock.method,
            report.host == "node1" && raw(report.report) == 1 ? ClockMethod::Matched
                : other                                       ? report.clock.method
                                                              : ClockMethod::StartTime);
        QVERIFY(std::abs(report.clock.offset - (other ? -7'654'321 : 0)) <= report.clock.uncertainty + 1);
        QVERIFY(report.clock.uncertainty <= 15'000);
    }
}

void AcrossTest::startTimesYearsApartTellNoClock()
{
    DrawnRun run;
    run.hosts = 2;
    run.steps = 40;
    run.extra = [](std::size_t rank, std::size_t step) -> Ns { return rank == 2 + step % 2 ? 3'000'000 : 0; };
    auto reports = run.reports();
    reports[0].utcOfZero = reports[3].utcOfZero = latestUtcNs;
    reports[1].utcOfZero = reports[2].utcOfZero = 1;
    for (ReportSummary& report : reports)
        report.participants.front().types.front().group = "nccl:100000000001";
    const AcrossReport across = judgeSummaries(reports);
    QCOMPARE(across.matched, 40U);
    for (const ReportAcross& report : across.reports) {
        QVERIFY(report.judged);
        QCOMPARE(report.clock.offset, 0);
    }
}

void AcrossTest::aShiftBeyondAllTimesLeavesNoStart_data()
{
    QTest::addColumn<QString>("shift");
    QTest::addColumn<qint64>("utc");
    QTest::newRow("none") << "" << qint64{1'700'000'000'000'000'000};
    QTest::newRow("a second") << "1000000000" << qint64{1'699'999'999'000'000'000};
    QTest::newRow("to later") << "-2000000000000000000" << qint64{3'700'000'000'000'000'000};
    QTest::newRow("before UTC") << "2000000000000000000" << qint64{0};
    QTest::newRow("too late") << "-7000000000000000000" << qint64{0};
    QTest::newRow("the least") << "-9223372036854775808" << qint64{0};
    QTest::newRow("the most") << "9223372036854775807" << qint64{0};
}

void AcrossTest::aShiftBeyondAllTimesLeavesNoStart()
{
    QFETCH(QString, shift);
    QFETCH(qint64, utc);
    DrawnProgram program;
    program.kernel("work", 0, {10 * us, 1 * ms});
    program.info().startedUtcNs = 1'700'000'000'000'000'000;
    program.info().exported.emplace_back("EXPORT_PARAM_TIME_SHIFT", shift.toStdString());
    QCOMPARE(summarize(*program.finish(), "rank0.sqlite").utcOfZero, std::int64_t{utc});
}

void AcrossTest::aClockSetByHandStays()
{
    DrawnRun run;
    run.extra = thirdIsLate;
    std::vector<RankChoice> choices(4);
    choices[1].hasClock = true;
    choices[1].clock = {12'345, 5, ClockMethod::Manual, {}};
    const auto reports = run.reports();
    const AcrossReport across = judgeSummaries(reports, {}, choices);
    QCOMPARE(across.reports[1].clock, choices[1].clock);
    QCOMPARE(across.reports[3].clock.method, ClockMethod::StartTime);
}

void AcrossTest::impossibleClocksAreNotTaken()
{
    DrawnProgram program;
    program.kernel("work", ms, {2 * ms, 3 * ms});
    OpenReport report;
    report.trace = program.finish();
    report.rows = std::make_shared<const RowTree>();
    const Workspace workspace({report, report});
    AcrossReport across;
    across.reports.resize(2);
    across.reports[1].report = ReportId{1};
    for (const Ns offset : {maxOffset, maxOffset + 1, latestUtcNs, -latestUtcNs}) {
        across.reports[1].clock = {offset, 0, ClockMethod::StartTime, {}};
        const Workspace aligned = withClocks(workspace, across);
        QCOMPARE(aligned.report(ReportId{1}).clock.offset, offset == maxOffset ? offset : 0);
    }
}

/// Sees the end of an exchange some microseconds early or late, another one each time.
static Ns jitter(std::size_t rank, Ns time)
{
    const auto mixed = (static_cast<std::uint64_t>(time) + rank * 7'919) * 0x9E3779B97F4A7C15ULL;
    return static_cast<Ns>(mixed >> 52U) * 4 - 8'192; // +- 8 us
}

void AcrossTest::clocksOfManyHostsFitAroundLoops()
{
    DrawnRun run;
    run.ranks = 10;
    run.steps = 200;
    run.hosts = 5;
    run.extra = [](std::size_t rank, std::size_t step) -> Ns { return rank == step % 10 ? 3'000'000 : 0; };
    // Each host is ahead by some milliseconds and gains; the first is right.
    run.clock = [](std::size_t rank, Ns time) -> Ns {
        const auto host = static_cast<Ns>(rank % 5);
        return host * 3'333'333 + (host > 0 ? (time - 1'000'000'000) / 1'000'000 * (80 * host - 200) : 0)
            + jitter(rank % 5, time / 1'000'000);
    };
    const std::vector<ReportSummary> reports = run.reports();
    const AcrossReport across = judgeSummaries(reports);
    QCOMPARE(across.matched, 200U);
    for (std::size_t i = 0; i < across.reports.size(); ++i) {
        const ReportAcross& report = across.reports[i];
        const auto host = static_cast<Ns>(i % 5);
        if (i > 0 && i < 5) {
            QCOMPARE(report.clock.method, ClockMethod::Matched);
            QVERIFY2(
                plain(report.clock.note).find("with 4 other hosts. Loops over hosts") != std::string::npos,
                plain(report.clock.note).c_str());
            QCOMPARE(report.matches, 4 * 199U);
        }
        // Its offset is right where it applies, and within the stated uncertainty everywhere.
        const Ns truth = -host * 3'333'333
            - (report.clockMiddle - 1'000'000'000 - host * 3'333'333) / 1'000'000
                * (host > 0 ? 80 * host - 200 : 0);
        const Ns error = std::abs(report.clock.offset - truth);
        QVERIFY2(error < 15'000, qPrintable(QString::number(error)));
        QVERIFY2(
            error <= report.clock.uncertainty + 8'192, qPrintable(QString::number(report.clock.uncertainty)));
    }
}

void AcrossTest::hostsThatMeetNotTheFirstAreAligned()
{
    // Hosts 0 and 1 exchange, and 1 and 2; 0 and 2 never do.
    DrawnRun run;
    run.ranks = 3;
    run.hosts = 3;
    run.steps = 120;
    run.extra = [](std::size_t rank, std::size_t step) -> Ns { return rank == step % 3 ? 2'000'000 : 0; };
    run.clock = [](std::size_t rank, Ns) -> Ns { return static_cast<Ns>(rank * rank) * 5'000'000; };
    auto reports = run.reports();
    for (std::size_t r = 0; r < 3; ++r) {
        ParticipantSummary& own = reports[r].participants.front();
        own.types = {{ExchangeKind::Synchronizing, false, "all-reduce", "f32", "nccl:100000000001", 0},
            {ExchangeKind::Synchronizing, false, "all-reduce", "f32", "nccl:100000000002", 0}};
        std::vector<Exchange> kept;
        for (std::size_t i = 0; i < own.exchanges.size(); ++i) {
            const bool isSecond = i % 2 == 1;
            if (isSecond ? r == 0 : r == 2)
                continue;
            kept.push_back(own.exchanges[i]);
            kept.back().type = isSecond ? 1 : 0;
        }
        own.exchanges = kept;
    }
    const AcrossReport across = judgeSummaries(reports);
    QVERIFY(across.judged);
    QCOMPARE(across.reports[2].clock.method, ClockMethod::Matched);
    QVERIFY(std::abs(across.reports[1].clock.offset + 5'000'000) <= 5'000);
    QVERIFY(std::abs(across.reports[2].clock.offset + 20'000'000) <= 10'000);
    // Its uncertainty is at least that of its source.
    QVERIFY(across.reports[2].clock.uncertainty >= across.reports[1].clock.uncertainty);
}

void AcrossTest::hostsWhoseCollectivesTellNoClockAreListed()
{
    // The first collective of a communicator takes as long as it likes, and there is no other.
    DrawnRun run;
    run.ranks = 2;
    run.hosts = 2;
    run.steps = 1;
    const AcrossReport across = judgeSummaries(run.reports());
    QCOMPARE(across.reports.size(), 2U);
    QVERIFY(across.reports[1].clock.method != ClockMethod::Matched);
}

void AcrossTest::aClockSetByHandAgainstTheMatchesIsSaid()
{
    DrawnRun run;
    run.steps = 30;
    run.extra = thirdIsLate;
    std::vector<RankChoice> choices(4);
    choices[1].hasClock = true;
    choices[1].clock = {12'000'000, 0, ClockMethod::Manual, {}};
    const auto reports = run.reports();
    const AcrossReport across = judgeSummaries(reports, {}, choices);
    QVERIFY(across.judged && across.reports[1].judged);
    QCOMPARE(across.reports[1].matches, 29U);
    QVERIFY2(plain(across.reports[1].note).find("set by hand to 12 ms, but 29 matched collectives show 0")
            != std::string::npos,
        plain(across.reports[1].note).c_str());
    QCOMPARE(across.notes.size(), std::size_t{1});
    QCOMPARE(plain(across.notes.front()), "rank1.sqlite: " + plain(across.reports[1].note));
    choices[1].clock.offset = 20'000; // within their uncertainty
    QVERIFY(judgeSummaries(reports, {}, choices).notes.empty());
}

void AcrossTest::aRankGivenByHandWins()
{
    DrawnRun run;
    run.extra = thirdIsLate;
    std::vector<RankChoice> choices(4);
    choices[3].rank = 0; // rank 0 is certain of the same rank
    const AcrossReport across = judgeSummaries(run.reports(), {}, choices);
    QVERIFY(across.judged);
    QCOMPARE(across.ranks.size(), 4U);
    QCOMPARE(raw(across.ranks[0].report), 3);
    QCOMPARE(across.ranks[0].foundBy, RankSource::Manual);
    QCOMPARE(raw(across.ranks[3].report), 0); // the number that is left
    QCOMPARE(across.ranks[3].foundBy, RankSource::Order);
    QCOMPARE(plain(across.reports[0].note),
        std::string("It is rank 0, but that rank was set for rank3.sqlite by hand."));
    choices[2].rank = 0;
    const AcrossReport twice = judgeSummaries(run.reports(), {}, choices);
    QCOMPARE(twice.ranks.size(), 3U);
    QCOMPARE(plain(twice.reports[3].note), std::string("Its rank 0 was set by hand, as for rank2.sqlite."));
}

void AcrossTest::sumsSayWhatTheVerdictLeavesOut()
{
    DrawnRun run;
    run.extra = thirdIsLate;
    auto reports = run.reports();
    QCOMPARE(plain(sumsSentences(judgeSummaries(reports))),
        std::string("All 10 exchanges are matched across ranks."));
    for (ReportSummary& report : reports) {
        report.participants.front().steps[0].warmUp = true;
        report.participants.front().exchanges[9].step = noIndex;
    }
    // Steps 1 to 9 are analyzed; the last exchange is in none. All values of the finding are of these.
    const AcrossReport parts = judgeSummaries(reports);
    const AcrossFinding* const late = findingOf(parts, "late_rank");
    QVERIFY(late);
    QVERIFY2(
        plain(late->message)
            .starts_with(
                "In 9 steps the other ranks wait 72 ms for it in total; the longest exposed wait of one rank is 24 ms. It arrives last at these 8 exchanges."),
        plain(late->message).c_str());
    QCOMPARE(plain(sumsSentences(judgeSummaries(reports))),
        std::string(
            "All 10 exchanges are matched across ranks. The sums per rank cover the whole recording. Of 90 ms of waits, the verdict leaves out 9 ms in 1 warm-up step and 9 ms outside the steps."));
}

void AcrossTest::whatAStepCouldGainIsSaid()
{
    DrawnRun run;
    run.extra = thirdIsLate;
    auto reports = run.reports();
    QVERIFY(
        plain(judgeSummaries(reports).verdict.sentence)
            .ends_with(
                "each other rank waits 3 ms per step for it on average and computes nothing during that time."));
    for (std::size_t r = 0; r < 4; ++r) {
        ParticipantSummary& own = reports[r].participants.front();
        for (const Exchange& exchange : own.exchanges)
            own.computing.push_back({exchange.range.start, exchange.range.start + 2'000'000});
    }
    const AcrossReport across = judgeSummaries(reports);
    QCOMPARE(across.verdict.perStep, 3'000'000);
    QCOMPARE(across.verdict.exposedPerStep, 1'000'000);
    QVERIFY2(
        plain(across.verdict.sentence)
            .ends_with(
                "each other rank waits 3 ms per step for it on average, of which 1 ms is exposed. That is the potential saving."),
        plain(across.verdict.sentence).c_str());
}

void AcrossTest::ofTwoRanksTheOtherIsNamed()
{
    DrawnRun run;
    run.ranks = 2;
    run.extra = [](std::size_t rank, std::size_t) -> Ns { return rank == 1 ? 3'000'000 : 0; };
    const AcrossReport across = judgeSummaries(run.reports());
    QCOMPARE(plain(across.verdict.sentence),
        std::string(
            "Rank 1 is late in 10 of 10 steps: load takes 3 ms longer than on rank 0 in the median step, 30 ms over the 10 steps; rank 0 waits 3 ms per step for it on average and computes nothing during that time."));
    const AcrossFinding* const late = findingOf(across, "late_rank");
    QVERIFY(late);
    QCOMPARE(plain(late->title), std::string("Rank 0 waits for rank 1: load"));
    QVERIFY(plain(late->message).find("others") == std::string::npos);
    // If no part of its steps explains it, the reason of its GPU's idle time is the cause.
    auto reports = run.reports();
    for (ReportSummary& report : reports) {
        ParticipantSummary& own = report.participants.front();
        own.parts = {{PartKind::Idle, "idle_between_launches"}, {PartKind::Idle, "idle_own_code:save"}};
        for (StepFacts& step : own.steps) {
            step.parts = {step.time.duration() / 4, step.time.duration() / 5};
            step.busy = step.time.duration() / 2;
        }
    }
    const std::string sentence = plain(judgeSummaries(reports).verdict.sentence);
    QVERIFY2(
        sentence.ends_with(
            " The GPU of rank 1 is idle for 50.0% of its step time. Largest part: 25.0% (the host prepares the next launch)."),
        sentence.c_str());
}

/// A click goes to an analyzed wait: in a warm-up step ranks wait because they do not start together.
void AcrossTest::evidenceIsOfJudgedSteps()
{
    DrawnRun run;
    run.extra = [](std::size_t rank, std::size_t step) -> Ns {
        return rank != 1 ? 0 : step == 0 ? 200'000'000 : 3'000'000;
    };
    auto reports = run.reports();
    for (ReportSummary& report : reports)
        report.participants.front().steps.front().warmUp = true;
    const AcrossReport across = judgeSummaries(reports);
    QVERIFY(across.steps.front().warmUp);
    const AcrossFinding* const late = findingOf(across, "late_rank");
    QVERIFY(late);
    const auto shown = std::ranges::find_if(across.exchanges, [&](const MatchedExchange& exchange) {
        return std::ranges::find(exchange.members, late->event, &ExchangeMember::event)
            != exchange.members.end();
    });
    QVERIFY(shown != across.exchanges.end());
    QVERIFY(!across.steps[shown->step].warmUp);
}

void AcrossTest::namesAreShort()
{
    const std::vector<std::string> paths{"/a/run/rank0/report.sqlite", "/a/run/rank1/report.sqlite",
        "/a/run/other.sqlite", "report.sqlite", "/b/run/rank1/report.sqlite", "C:\\x\\y.sqlite", "same",
        "same"};
    const std::vector<std::string> expected{"rank0/report.sqlite", "a/run/rank1/report.sqlite",
        "other.sqlite", "report.sqlite", "b/run/rank1/report.sqlite", "y.sqlite", "same", "same"};
    QCOMPARE(shortNames(paths), expected);
    // No two paths have one name, and no name could be shorter.
    std::mt19937 random(11);
    for (int round = 0; round < 200; ++round) {
        std::set<std::string> made;
        for (int i = 0; i < 12; ++i) {
            std::string path = round % 2 == 0 ? "/" : "";
            for (auto parts = 1 + random() % 5; parts > 0; --parts)
                path += std::string(1, static_cast<char>('a' + random() % 3)) + (parts > 1 ? "/" : "");
            made.insert(path);
        }
        const std::vector<std::string> all(made.begin(), made.end());
        const std::vector<std::string> names = shortNames(all);
        QCOMPARE(std::set(names.begin(), names.end()).size(), all.size());
        for (std::size_t i = 0; i < all.size(); ++i) {
            QVERIFY(all[i].ends_with(names[i]));
            const std::size_t slash = names[i].find('/', names[i].starts_with('/') ? 1 : 0);
            if (slash == std::string::npos)
                continue;
            const std::string shorter = names[i].substr(slash + 1);
            QVERIFY(std::ranges::any_of(all, [&](const std::string& other) {
                return other != all[i] && (other == shorter || other.ends_with("/" + shorter));
            }));
        }
    }
}

/// As subjects of findings are, which a late rank's cause is compared with.
void AcrossTest::partsOfStepsAreUtf8()
{
    constexpr Ns ms = 1'000'000;
    const std::string latin = "load \xe9";
    DrawnProgram drawn;
    for (int i = 0; i < 10; ++i) {
        const Ns at = i * 20 * ms;
        drawn.range("step_" + std::to_string(i), {at, at + 20 * ms});
        drawn.range(latin, {at, at + 12 * ms});
        drawn.kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL", at + 12 * ms, {at + 13 * ms, at + 19 * ms});
    }
    const ReportSummary summary = summarize(*drawn.finish(), "rank0.sqlite");
    QCOMPARE(summary.participants.size(), std::size_t{1});
    const std::vector<StepPart>& parts = summary.participants.front().parts;
    QVERIFY(std::ranges::find(parts, StepPart{PartKind::Range, toUtf8(latin)}) != parts.end());
}

void AcrossTest::stepsInAnotherOrderAreJoined()
{
    std::mt19937 random(5);
    for (int round = 0; round < 300; ++round) {
        std::vector<ParticipantSummary> facts(3);
        Judging judging;
        for (ParticipantSummary& each : facts) {
            std::vector<int> numbers(12);
            std::iota(numbers.begin(), numbers.end(), 0);
            std::ranges::shuffle(numbers, random);
            for (std::size_t i = 0; i < 1 + random() % 11; ++i)
                each.steps.emplace_back().name = "step " + std::to_string(numbers[i]);
            judging.ranks.emplace_back().facts = &each;
        }
        joinSteps(judging);
        std::set<std::string> names;
        for (const AcrossStep& step : judging.out.steps)
            QVERIFY(names.insert(step.name).second);
        for (const JudgedRank& rank : judging.ranks) {
            for (std::size_t i = 0; i < rank.stepOf.size(); ++i)
                QCOMPARE(judging.out.steps[rank.stepOf[i]].name, rank.facts->steps[i].name);
        }
    }
}

void AcrossTest::lostEventsCostOnlyTheirOwn()
{
    DrawnRun run;
    run.extra = thirdIsLate;
    auto reports = run.reports();
    auto& lost = reports[1].participants.front().exchanges;
    lost.erase(lost.begin() + 4);
    lost.erase(lost.begin() + 7);
    const AcrossReport across = judgeSummaries(reports);
    QCOMPARE(across.matched, 10U);
    QCOMPARE(across.unmatched, 0U);
    QCOMPARE(across.exchanges[4].members.size(), 3U);
    QCOMPARE(across.exchanges[5].members.size(), 4U);
    QCOMPARE(across.ranks[1].wait, 24'000'000);
    QCOMPARE(across.verdict.rank, 2U);
}

void AcrossTest::aLongCollectiveThatOthersLackHidesNoShorterOnes_data()
{
    QTest::addColumn<bool>("oneHasIt");
    QTest::newRow("one has it") << true;
    QTest::newRow("one lacks it") << false;
}

void AcrossTest::aLongCollectiveThatOthersLackHidesNoShorterOnes()
{
    QFETCH(const bool, oneHasIt);
    auto reports = DrawnRun().reports();
    const Ns end = reports[0].session.end;
    constexpr Ns ms = 1'000'000;
    for (std::size_t r = 0; r < 4; ++r) {
        const auto add = [&](Ns from, Ns to) {
            Exchange exchange;
            exchange.range = {end + from, end + to};
            exchange.step = 9;
            reports[r].participants.front().exchanges.push_back(exchange);
        };
        if ((r == 1) == oneHasIt)
            add(0, 100 * ms);
        add(10 * ms, 20 * ms);
        if ((r == 1) != oneHasIt)
            add(30 * ms, 90 * ms);
        reports[r].session.end += 100 * ms;
    }
    const AcrossReport across = judgeSummaries(reports);
    const auto isShort = [](const MatchedExchange& each) { return each.transfer == 10 * ms; };
    const auto found = std::ranges::find_if(across.exchanges, isShort);
    QVERIFY(found != across.exchanges.end());
    QCOMPARE(found->members.size(), 4U);
}

void AcrossTest::recordingsThatBeginElsewhereAreMatchedBySteps()
{
    DrawnRun run;
    run.extra = thirdIsLate;
    auto reports = run.reports();
    for (std::size_t r = 0; r < 4; ++r) {
        ParticipantSummary& own = reports[r].participants.front();
        own.steps.erase(own.steps.begin(), own.steps.begin() + static_cast<std::ptrdiff_t>(r));
        own.exchanges.erase(own.exchanges.begin(), own.exchanges.begin() + static_cast<std::ptrdiff_t>(r));
        for (Exchange& exchange : own.exchanges)
            exchange.step -= static_cast<std::uint32_t>(r);
    }
    const AcrossReport across = judgeSummaries(reports);
    QCOMPARE(across.steps.size(), 10U);
    QCOMPARE(across.steps[0].name, std::string("step_0"));
    QCOMPARE(across.matched, 9U);
    QCOMPARE(across.unmatched, 1U); // step_0 is in one recording only
    QVERIFY(!across.cell(3, 2).known && across.cell(3, 3).known);
    QCOMPARE(across.verdict.rank, 2U);
    QCOMPARE(across.verdict.cause.perStep, 3'000'000);
}

void AcrossTest::numbersOfCollectivesMatchThem()
{
    DrawnRun run;
    run.extra = thirdIsLate;
    auto reports = run.reports();
    for (std::size_t r = 0; r < 4; ++r) {
        ParticipantSummary& own = reports[r].participants.front();
        own.steps.clear(); // only the numbers identify them
        for (std::size_t i = 0; i < own.exchanges.size(); ++i) {
            own.exchanges[i].step = noIndex;
            own.exchanges[i].sequence = static_cast<std::int64_t>(100 + i);
        }
        own.exchanges.erase(own.exchanges.begin(), own.exchanges.begin() + static_cast<std::ptrdiff_t>(r));
    }
    const AcrossReport across = judgeSummaries(reports);
    QCOMPARE(across.matched, 9U);
    QCOMPARE(across.unmatched, 1U);
    QCOMPARE(across.verdict.rank, 2U);
    QCOMPARE(across.ranks[2].wait, 0);
}

void AcrossTest::aReportTwiceIsSaid()
{
    DrawnRun run;
    run.ranks = 2;
    auto reports = run.reports();
    reports.push_back(reports[0]);
    reports[2].file = "copy.sqlite";
    const AcrossReport across = judgeSummaries(reports);
    QVERIFY(across.judged);
    QCOMPARE(across.ranks.size(), 2U);
    QVERIFY(!across.reports[2].judged);
    QCOMPARE(plain(across.reports[2].note), std::string("It is the same report as rank0.sqlite."));
    const AcrossReport alone = judgeSummaries(std::vector{reports[0], reports[2]});
    QVERIFY(!alone.judged);
    QVERIFY(alone.exchanges.empty() && alone.ranks.empty());
    QCOMPARE(alone.notes.size(), 2U);
}

void AcrossTest::reportsOfDifferentRunsAreSaid()
{
    DrawnRun run;
    auto reports = run.reports();
    reports[3].utcOfZero += 60'000'000'000;
    reports[3].participants.front().types.front().group = "nccl:78";
    const AcrossReport across = judgeSummaries(reports);
    QVERIFY(across.judged);
    QCOMPARE(across.ranks.size(), 3U);
    QVERIFY(plain(across.reports[3].note)
                .starts_with("It is of a different run than rank0.sqlite: it was recorded"));
    const AcrossReport two = judgeSummaries(std::vector{reports[0], reports[3]});
    QVERIFY(!two.judged);
    QVERIFY(!two.reports[0].judged && !two.reports[1].judged);
    QVERIFY(plain(two.verdict.sentence).find("there is no verdict") != std::string::npos);
}

void AcrossTest::communicationThatNeverOverlapsIsNotOneRun()
{
    // The same program twice at one time, without communicators in the reports: it looks like one run.
    DrawnRun run;
    run.ranks = 3;
    run.steps = 20;
    run.extra = [](std::size_t rank, std::size_t step) -> Ns { return rank == 2 ? Ns(step) * 400'000 : 0; };
    auto reports = run.reports();
    for (ReportSummary& report : reports)
        report.participants.front().types.front().group = "stream:0";
    DrawnRun other;
    other.ranks = 3;
    other.steps = 20;
    ReportSummary stranger = other.reports()[2];
    stranger.participants.front().types.front().group = "stream:0";
    reports[2] = stranger;
    reports[2].participants.front().exchanges.front().range.start += 1;
    const AcrossReport across = judgeSummaries(reports);
    QVERIFY(!across.reports[2].judged);
    QVERIFY(plain(across.reports[2].note).find("different times") != std::string::npos);
    QVERIFY(across.judged);
    QCOMPARE(across.ranks.size(), 2U);
}

void AcrossTest::twoThatClaimOneRankAreSaid()
{
    auto reports = DrawnRun().reports();
    reports[3].participants.front().rank = 0;
    const AcrossReport across = judgeSummaries(reports);
    QCOMPARE(across.ranks.size(), 3U);
    QCOMPARE(plain(across.reports[3].note), std::string("It is rank 0, like rank0.sqlite."));
    // A guess gives way.
    reports[3].participants.front().foundBy = RankSource::FileName;
    const AcrossReport guessed = judgeSummaries(reports);
    QCOMPARE(guessed.ranks.size(), 4U);
    QCOMPARE(guessed.ranks[3].rank, 3);
    QCOMPARE(guessed.ranks[3].foundBy, RankSource::Order);
}

void AcrossTest::aMissingRankIsSaid()
{
    auto reports = DrawnRun().reports();
    reports.erase(reports.begin() + 1);
    const AcrossReport across = judgeSummaries(reports);
    const AcrossFinding* const missing = findingOf(across, "rank_missing");
    QVERIFY(missing);
    QCOMPARE(plain(missing->title), std::string("Reports missing: 1 of 4 ranks"));
    QVERIFY(plain(missing->message).starts_with("Missing: 1."));
    QCOMPARE(
        plain(sumsSentences(across)).find("ranks are missing"), std::string::npos); // all the same matched

    ParticipantSummary& odd = reports.back().participants.front();
    odd.types.push_back({ExchangeKind::Synchronizing, false, "all-gather", "", "nccl:77", 0});
    odd.exchanges[6].type = 1;
    const std::string said = plain(sumsSentences(judgeSummaries(reports)));
    QVERIFY2(said.find("without a counterpart (reports of ranks are missing), which do not count: 1.")
            != std::string::npos,
        said.c_str());
}

void AcrossTest::noRankIsBlamedForAMissingOne()
{
    // Rank 1 is missing. Rank 2 comes late, as rank 3 of a ring would while waiting for it: without a cause
    // of its own.
    DrawnRun run;
    run.extra = thirdIsLate;
    auto reports = run.reports();
    for (StepFacts& step : reports[2].participants.front().steps)
        step.parts = {1'000'000, run.work - 1'000'000};
    QCOMPARE(judgeSummaries(reports).verdict.rank, 2U);
    reports.erase(reports.begin() + 1);
    const AcrossReport across = judgeSummaries(reports);
    QCOMPARE(across.missingRanks, std::vector<std::int64_t>{1});
    QVERIFY(plain(across.notes.front()).ends_with(" 1."));
    QCOMPARE(across.verdict.pattern, LatePattern::Unknown);
    QCOMPARE(across.verdict.rank, noIndex);
    QVERIFY(!findingOf(across, "late_rank"));
    for (const AcrossStep& step : across.steps)
        QCOMPARE(step.late, noIndex);

    // With a cause of its own that explains the waits it is named, among the available ranks.
    auto own = run.reports();
    own.erase(own.begin() + 1);
    const AcrossReport named = judgeSummaries(own);
    QCOMPARE(named.verdict.pattern, LatePattern::Persistent);
    QCOMPARE(named.ranks[named.verdict.rank].rank, 2);
    QVERIFY(plain(named.verdict.sentence).starts_with("Of the present ranks: "));
}

void AcrossTest::aReportOfAnotherRunMayBeAMissingRank()
{
    DrawnRun run;
    run.extra = thirdIsLate;
    auto reports = run.reports();
    for (ReportSummary& report : reports) {
        ParticipantSummary& own = report.participants.front();
        own.worldSize = 0;
        for (StepFacts& step : own.steps)
            step.parts = {1'000'000, run.work - 1'000'000};
    }
    QCOMPARE(judgeSummaries(reports).verdict.pattern, LatePattern::Persistent);
    reports[3].participants.front().types.front().group = "nccl:6727538562120142276";
    reports[3].utcOfZero += 3'600'000'000'000;
    const AcrossReport across = judgeSummaries(reports);
    QCOMPARE(across.ranks.size(), 3U);
    QVERIFY(across.missingRanks.empty() && across.lacksRanks);
    QCOMPARE(across.verdict.pattern, LatePattern::Unknown);
    // Its number is that of a rank that is there.
    reports[3].participants.front().rank = 0;
    const AcrossReport complete = judgeSummaries(reports);
    QCOMPARE(complete.ranks.size(), 3U);
    QVERIFY(!complete.lacksRanks);
    QCOMPARE(complete.verdict.pattern, LatePattern::Persistent);
}

void AcrossTest::otherCollectivesAreSaid()
{
    auto reports = DrawnRun().reports();
    ParticipantSummary& odd = reports[2].participants.front();
    odd.types.push_back({ExchangeKind::Synchronizing, false, "all-gather", "", "nccl:77", 0});
    odd.exchanges[6].type = 1;
    const AcrossReport across = judgeSummaries(reports);
    const AcrossFinding* const differs = findingOf(across, "sequences_differ");
    QVERIFY(differs);
    QCOMPARE(differs->rank, 2U);
    QCOMPARE(differs->step, 6U);
    QCOMPARE(across.matched, 10U);
    QCOMPARE(across.unmatched, 1U);
}

void AcrossTest::aSlowGpuIsSaid()
{
    auto reports = DrawnRun().reports();
    for (std::size_t r = 0; r < reports.size(); ++r) {
        for (const char* name : {"a", "b", "c", "d"})
            reports[r].participants.front().kernels.push_back({name, 10, r == 1 ? 1'100 : 1'000});
        reports[r].participants.front().computeAlone = 44'000'000;
    }
    const AcrossReport across = judgeSummaries(reports);
    const AcrossFinding* const slow = findingOf(across, "slow_gpu");
    QVERIFY(slow);
    QCOMPARE(slow->rank, 1U);
    QVERIFY(std::abs(slow->saving - 4'000'000) < 10);
    QCOMPARE(std::ranges::count(across.findings, "slow_gpu", &AcrossFinding::rule), 1);
}

void AcrossTest::slowTransfersAreSaid()
{
    DrawnRun run;
    run.steps = 20;
    auto reports = run.reports();
    for (ReportSummary& report : reports) {
        auto& exchanges = report.participants.front().exchanges;
        for (std::size_t i = 4; i < exchanges.size(); ++i)
            exchanges[i].range.end += 400'000;
    }
    const AcrossReport across = judgeSummaries(reports);
    const AcrossFinding* const slow = findingOf(across, "slow_transfer");
    QVERIFY(slow);
    QCOMPARE(slow->saving, 16 * 400'000);
    // Its subject has the ranks: keys of communicators, and so their order, change from run to run.
    const std::string name = slow->subject.name;
    QVERIFY2(name.ends_with(", ranks 0 1 2 3"), name.c_str());
    auto halves = reports;
    for (ReportSummary& report : halves) {
        ParticipantSummary& own = report.participants.front();
        own.types.push_back(own.types.front());
        own.types.back().group = "nccl:0";
        for (std::size_t i = 0; i < own.exchanges.size(); ++i)
            own.exchanges[i].type = i % 2 == 0 ? 0 : static_cast<std::uint32_t>(own.types.size() - 1);
    }
    std::set<std::string> names;
    for (const AcrossFinding& finding : judgeSummaries(halves).findings) {
        if (finding.rule == "slow_transfer")
            names.insert(finding.subject.name);
    }
    QCOMPARE(names, (std::set{name, name + ", group 2"}));

    // A missing rank may be the one that they wait for: unless all of the communicator are there.
    reports.erase(reports.begin());
    QVERIFY(!findingOf(judgeSummaries(reports), "slow_transfer"));
    for (ReportSummary& report : reports)
        report.participants.front().types.front().groupSize = 3;
    QVERIFY(findingOf(judgeSummaries(reports), "slow_transfer"));
}

void AcrossTest::blameIsPassedOn()
{
    // Ranks 0 and 1 meet first, then 1 and 2: rank 2 waits for 1, which had waited for 0.
    DrawnRun run;
    run.ranks = 3;
    run.steps = 10;
    auto reports = run.reports();
    Ns now = 1'000'000'000;
    for (ReportSummary& report : reports) {
        ParticipantSummary& own = report.participants.front();
        own.exchanges.clear();
        own.types = {{ExchangeKind::Synchronizing, false, "all-reduce", "f32", "nccl:1", 0},
            {ExchangeKind::Synchronizing, false, "all-reduce", "f32", "nccl:2", 0}};
    }
    for (std::uint32_t s = 0; s < 10; ++s, now += 6'000'000) {
        const auto add = [&](std::size_t rank, std::uint32_t type, Ns from, Ns to) {
            Exchange exchange;
            exchange.range = {now + from, now + to};
            exchange.type = type;
            exchange.step = s;
            reports[rank].participants.front().exchanges.push_back(exchange);
        };
        add(0, 0, 4'000'000, 4'100'000); // late
        add(1, 0, 1'000'000, 4'100'000);
        add(1, 1, 4'200'000, 4'300'000);
        add(2, 1, 1'000'000, 4'300'000);
    }
    const AcrossReport across = judgeSummaries(reports);
    QVERIFY(across.judged);
    QCOMPARE(across.groups.size(), 2U);
    QCOMPARE(across.ranks[0].lastCount, 10U);
    QCOMPARE(across.ranks[1].lastCount, 10U);
    // Of 3.2 ms that rank 2 waits in each step rank 1 had waited 3 ms.
    QVERIFY(std::abs(across.ranks[0].blame - 60'000'000) < 100);
    QVERIFY(std::abs(across.ranks[1].blame - 2'000'000) < 100);
    QCOMPARE(across.verdict.rank, 0U);
}

void AcrossTest::waitsForOneRankArePassedOnWhole()
{
    // Ranks 0 and 1 wait for rank 2 three times. Then rank 0 waits for rank 1, in a communicator of their
    // own.
    DrawnRun run;
    run.ranks = 3;
    auto reports = run.reports();
    for (std::size_t rank = 0; rank < 3; ++rank) {
        ParticipantSummary& own = reports[rank].participants.front();
        own.exchanges.clear();
        own.types = {{ExchangeKind::Synchronizing, false, "all-reduce", "f32", "nccl:1", 0},
            {ExchangeKind::Synchronizing, false, "all-reduce", "f32", "nccl:2", 0}};
        Ns now = 1'000'000'000;
        const auto add = [&](std::uint32_t type, bool isLate) {
            Exchange exchange;
            exchange.range = {now + (isLate ? 1'000'000 : 0), now + 1'100'000};
            exchange.type = type;
            exchange.step = 0;
            own.exchanges.push_back(exchange);
            now += 2'000'000;
        };
        for (int i = 0; i < 3; ++i)
            add(0, rank == 2);
        if (rank < 2)
            add(1, rank == 1);
    }
    const AcrossReport across = judgeSummaries(reports);
    QCOMPARE(across.matched, 4U);
    QCOMPARE(across.ranks[1].blame, 0);
    QCOMPARE(across.ranks[2].blame, 7'000'000);
}

void AcrossTest::waitsBeforeCollectivesThatOverlapAreBlamedOnce()
{
    // Rank 2 is late. Later rank 0 is, for two collectives of one communicator, one after the other or at the
    // same time.
    const auto blameOf = [](Ns apart) {
        DrawnRun run;
        run.ranks = 3;
        run.steps = 10;
        auto reports = run.reports();
        for (std::size_t rank = 0; rank < 3; ++rank) {
            std::vector<Exchange>& exchanges = reports[rank].participants.front().exchanges;
            exchanges.clear();
            const auto add = [&](std::uint32_t step, Ns from, bool isLate, Ns to) {
                Exchange exchange;
                exchange.range = {from + (isLate ? 1'000'000 : 0), to};
                exchange.step = step;
                exchanges.push_back(exchange);
            };
            Ns now = 1'000'000'000;
            for (std::uint32_t step = 0; step < 10; ++step, now += 6'000'000) {
                add(step, now, rank == 2, now + 1'100'000);
                add(step, now + 2'000'000, rank == 0, now + 3'500'000);
                add(step, now + 2'000'000 + apart, rank == 0, now + 3'500'000 + apart);
            }
        }
        const AcrossReport across = judgeSummaries(reports);
        return std::vector{across.ranks[0].blame, across.ranks[1].blame, across.ranks[2].blame};
    };
    QCOMPARE(blameOf(200'000), blameOf(1'600'000));
    QCOMPARE(blameOf(200'000), (std::vector<Ns>{40'000'000, 0, 20'000'000}));
}

void AcrossTest::kernelsAloneTellThePace()
{
    DrawnProgram program;
    for (const TimeRange runs : {TimeRange{1, 5}, {12, 15}, {20, 28}, {45, 55}, {70, 80}})
        program.kernel("gemm", 0, {runs.start * us, runs.end * us});
    const Intervals communicating{{10 * us, 20 * us}, {30 * us, 40 * us}, {50 * us, 60 * us}};
    ParticipantSummary rank;
    rank.process = DrawnProgram::process;
    addKernelPaces(*program.finish(), communicating, rank, {});
    std::vector<Ns> medians;
    for (const KernelPace& pace : rank.kernels)
        medians.push_back(pace.median);
    QCOMPARE(medians, (std::vector<Ns>{10 * us, 8 * us, 4 * us}));
}

void AcrossTest::aReportThatIsLeftOutFreesItsRanks()
{
    auto reports = DrawnRun().reports();
    std::vector<ParticipantSummary>& two = reports[1].participants; // of ranks 1 and 0
    two.push_back(two.front());
    two.back().rank = 0;
    two.back().process += 1U << 24U;
    reports[2].participants.front().rank = 1;
    const AcrossReport across = judgeSummaries(reports);
    QVERIFY(across.reports[0].judged && !across.reports[1].judged);
    QVERIFY(across.reports[2].judged && across.reports[3].judged);
    QCOMPARE(across.ranks.size(), 3U);
    QCOMPARE(across.ranks[1].rank, 1);
}

void AcrossTest::nothingAtAllIsSaid()
{
    const AcrossReport none = judgeSummaries({});
    QVERIFY(!none.judged && !none.notes.empty() && !none.verdict.sentence.empty());
    ReportSummary silent;
    silent.file = "silent.sqlite";
    silent.graphsAsWhole = true;
    const AcrossReport across = judgeSummaries(std::vector{silent});
    QVERIFY(!across.judged);
    QVERIFY(plain(across.notes.front()).find("cuda-graph-trace=node") != std::string::npos);
}

void AcrossTest::ranksOnOneGpuAreSaid()
{
    auto reports = DrawnRun().reports();
    QVERIFY(judgeSummaries(reports).notes.empty());
    for (std::size_t r = 0; r < reports.size(); ++r) {
        reports[r].host = "node0";
        reports[r].participants.front().gpuPlace = r % 2 == 0 ? "0000:00:06.0 GPU-a" : "0000:00:07.0 GPU-b";
    }
    const AcrossReport across = judgeSummaries(reports);
    QCOMPARE(across.notes.size(), std::size_t{1});
    QVERIFY2(
        plain(across.notes.front())
            .starts_with("4 ranks share 2 GPUs (rank 0, rank 2 the one at 0000:00:06.0). They take turns"),
        plain(across.notes.front()).c_str());
    // The same slot of another host is another GPU.
    for (std::size_t r = 0; r < reports.size(); ++r)
        reports[r].host = r < 2 ? "node0" : "node1";
    QVERIFY(judgeSummaries(reports).notes.empty());
}

void AcrossTest::stoppingThrows()
{
    std::stop_source source;
    source.request_stop();
    const auto reports = DrawnRun().reports();
    QVERIFY_EXCEPTION_THROWN((void)judgeSummaries(reports, source.get_token()), Stopped);
}

/// Messages that go both ways at once have no stages; where rank 0 sends and rank 1 receives, they have.
void AcrossTest::anAllToAllIsNoPipeline()
{
    for (const bool isPipeline : {true, false}) {
        DrawnRun run{.ranks = 2,
            .extra = [](std::size_t rank, std::size_t) { return rank == 1 ? Ns{3'000'000} : Ns{0}; }};
        std::vector<ReportSummary> reports = run.reports();
        for (std::size_t r = 0; r < 2; ++r) {
            ParticipantSummary& own = reports[r].participants.front();
            own.types.front().kind = ExchangeKind::PointToPoint;
            const auto other = static_cast<std::int64_t>(1 - r);
            own.peers = {{other, r == 0}, {other, r != 0}};
            for (Exchange& exchange : own.exchanges)
                exchange.peers = isPipeline ? 1 : 2;
        }
        const AcrossReport out = judgeSummaries(reports);
        QVERIFY(out.matched > 0);
        QCOMPARE(
            std::ranges::count(out.findings, "pipeline_bubble", &AcrossFinding::rule), isPipeline ? 1 : 0);
    }
}

WARPLINE_TEST(AcrossTest)

} // namespace tst_across

#include "tst_across.moc"
