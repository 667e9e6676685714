// Levels of a series of recordings, and histories: on random series with known changes.

#include "core/export/history_text.h"
#include "core/history/history.h"
#include "core/history/levels.h"
#include "core/render/render.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>
#include <random>

namespace tst_history {

using namespace warpline;

namespace {

constexpr Ns step = 10'000'000;

/// Medians of recordings: for each level its length and its value, with normal noise of `deviation` (a
/// share).
std::vector<Ns> series(
    const std::vector<std::pair<std::size_t, double>>& levels, double deviation, unsigned seed)
{
    std::mt19937 random(seed);
    std::normal_distribution<double> noise(1, deviation);
    std::vector<Ns> made;
    for (const auto& [count, factor] : levels) {
        for (std::size_t i = 0; i < count; ++i)
            made.push_back(std::llround(static_cast<double>(step) * factor * noise(random)));
    }
    return made;
}

std::vector<Recording> recordingsOf(const std::vector<Ns>& medians)
{
    std::vector<Recording> recordings;
    for (std::size_t i = 0; i < medians.size(); ++i) {
        Recording each;
        each.file = "night_" + std::to_string(i) + ".sqlite";
        each.started = static_cast<Ns>(i + 1) * 86'400'000'000'000;
        each.startedBy = RecordedBy::Report;
        each.program = "train.py";
        each.gpus = "1 x GPU";
        each.pattern = "step_#";
        each.steps = 20;
        each.median = each.mean = medians[i];
        each.parts = {{"compute_gemm", GpuApi::Cuda, BudgetGroup::Compute, medians[i] / 2},
            {"idle_launch", GpuApi::Cuda, BudgetGroup::Idle, medians[i] - medians[i] / 2}};
        recordings.push_back(std::move(each));
    }
    return recordings;
}

bool isNear(std::size_t a, std::size_t b)
{
    return std::max(a, b) - std::min(a, b) <= 2;
}

} // namespace

class HistoryTest : public QObject {
    Q_OBJECT

private slots:
    void noiseIsNoChange_data()
    {
        QTest::addColumn<int>("count");
        QTest::addColumn<double>("deviation");
        for (const int count : {6, 12, 40, 200, 500}) {
            for (const double deviation : {0.001, 0.01, 0.03, 0.1})
                QTest::addRow("%d recordings, %g", count, deviation) << count << deviation;
        }
    }

    /// Of 100 series without a change at most three are reported as having one.
    void noiseIsNoChange()
    {
        QFETCH(int, count);
        QFETCH(double, deviation);
        int found = 0;
        for (unsigned seed = 0; seed < 100; ++seed)
            found += levelsIn(series({{count, 1.0}}, deviation, seed), assumedRunNoise).empty() ? 0 : 1;
        QVERIFY2(found <= 3, qPrintable(QString::number(found)));
    }

    /// A change of four deviations is found where it is, and nothing else.
    void aChangeIsFound()
    {
        int right = 0;
        for (unsigned seed = 0; seed < 50; ++seed) {
            const auto found = levelsIn(series({{120, 1.0}, {80, 1.04}}, 0.01, seed), assumedRunNoise);
            right += found.size() == 1 && isNear(found.front(), 120) ? 1 : 0;
        }
        QVERIFY2(right >= 47, qPrintable(QString::number(right)));
    }

    void aChangeThatWasTakenBackIsFound()
    {
        for (unsigned seed = 0; seed < 20; ++seed) {
            const auto found
                = levelsIn(series({{70, 1.0}, {12, 1.1}, {118, 1.0}}, 0.01, seed), assumedRunNoise);
            QCOMPARE(found.size(), std::size_t{2});
            QVERIFY(isNear(found[0], 70) && isNear(found[1], 82));
        }
    }

    void outliersHideNothing()
    {
        for (unsigned seed = 0; seed < 20; ++seed) {
            std::vector<Ns> medians = series({{100, 1.0}, {100, 1.05}}, 0.01, seed);
            for (std::size_t i = 15; i < medians.size(); i += 31)
                medians[i] *= 3;
            const auto found = levelsIn(medians, assumedRunNoise);
            QCOMPARE(found.size(), std::size_t{1});
            QVERIFY2(isNear(found.front(), 100), qPrintable(QString("%1 %2").arg(seed).arg(found.front())));
        }
    }

    void changesHaveTheirPartsAndRecordings()
    {
        std::vector<Recording> recordings = recordingsOf(series({{20, 1.0}, {15, 1.2}}, 0.005, 1));
        std::ranges::reverse(recordings); // order is by time
        const History history = historyOf(std::move(recordings));
        QCOMPARE(history.recordings.front().file, std::string("night_0.sqlite"));
        QCOMPARE(history.changes.size(), std::size_t{1});
        QCOMPARE(history.levels.size(), std::size_t{2});
        const HistoryChange& change = history.changes.front();
        QCOMPARE(change.at, std::size_t{20});
        QCOMPARE(keyOf(change.verdict()), keyOf(CompareVerdict::Slower));
        QVERIFY(std::abs(change.share() - 0.2) < 0.01);
        QVERIFY(change.compared.a >= 15 && change.compared.a < 20);
        QVERIFY(change.compared.b >= 20 && change.compared.b < 25);
        Both<Ns> sums;
        for (const BudgetLine& line : change.budget) {
            QVERIFY(line.isBeyondNoise());
            sums.a += line.time.a;
            sums.b += line.time.b;
        }
        QVERIFY(std::abs(sums.b - sums.a - change.delta()) < step / 50);
        QVERIFY(history.isRegression(15));
        QVERIFY(!history.isRegression(25));
    }

    /// Three recordings make a level: one or two are seen as the newest.
    void theNewestRecordingIsSeen()
    {
        std::vector<Ns> medians = series({{30, 1.0}}, 0.005, 3);
        QVERIFY(!historyOf(recordingsOf(medians)).isRegression(0));
        medians.push_back(step * 12 / 10);
        const History one = historyOf(recordingsOf(medians));
        QCOMPARE(one.changes.size(), std::size_t{0});
        QCOMPARE(keyOf(one.newest.verdict), keyOf(CompareVerdict::Slower));
        QVERIFY(one.outliers.back());
        QVERIFY(one.isRegression(10) && !one.isRegression(30));
        medians.push_back(step * 12 / 10 + 1);
        QVERIFY(historyOf(recordingsOf(medians)).isRegression(10));
        medians.push_back(step);
        QVERIFY(!historyOf(recordingsOf(medians)).isRegression(1));
    }

    /// Stalls that the median does not show.
    void aChangeOfTheMeanAloneIsFound()
    {
        std::vector<Recording> recordings = recordingsOf(series({{40, 1.0}}, 0.005, 4));
        for (std::size_t i = 25; i < recordings.size(); ++i)
            recordings[i].mean = recordings[i].mean * 3 / 2;
        const History history = historyOf(std::move(recordings));
        QCOMPARE(history.changes.size(), std::size_t{1});
        QCOMPARE(history.changes.front().at, std::size_t{25});
        QCOMPARE(keyOf(history.changes.front().figure), keyOf(CompareFigure::Mean));
    }

    void fewRecordingsHaveNoVerdict()
    {
        QVERIFY(historyOf({}).changes.empty());
        const History one = historyOf(recordingsOf({step}));
        QCOMPARE(keyOf(one.newest.verdict), keyOf(CompareVerdict::Unknown));
        const History two = historyOf(recordingsOf({step, step * 102 / 100}));
        QCOMPARE(keyOf(two.newest.verdict), keyOf(CompareVerdict::NoDifference));
        const History twice = historyOf(recordingsOf({step, step * 2}));
        QCOMPARE(keyOf(twice.newest.verdict), keyOf(CompareVerdict::Slower));
    }

    /// The steps inside recordings show how far their medians and means are from each other by chance.
    void stepsThatVaryWidenTheNoiseOfTheNewest()
    {
        std::vector<Recording> recordings = recordingsOf({step, step * 13 / 10});
        for (Recording& each : recordings)
            each.parts.clear(); // no GPU idles for the host
        QCOMPARE(keyOf(historyOf(recordings).newest.verdict), keyOf(CompareVerdict::Slower));
        for (Recording& each : recordings) {
            each.spread = spreadOf(series({{10, static_cast<double>(each.median) / step}}, 0.3, 5));
            each.median = each.spread.median;
            each.mean = std::llround(each.spread.mean);
        }
        const std::vector<Ns> a{recordings[0].median};
        const std::vector<Ns> b{recordings[1].median};
        for (const double runNoise : {0.0, assumedRunNoise}) {
            const NewestRecording newest = historyOf(recordings, runNoise).newest;
            QCOMPARE(keyOf(newest.verdict), keyOf(CompareVerdict::NoDifference));
            QCOMPARE(newest.noise,
                medianNoiseOf(recordings[0].spread, recordings[1].spread,
                    recordingNoise(a, b, assumedNoise(runNoise, a.front(), 0))));
            QVERIFY(newest.noisePercent() > 30);
        }
    }

    void timeThatIdlesForTheHostDriftsMore()
    {
        std::vector<Recording> recordings = recordingsOf({step, step * 11 / 10});
        QCOMPARE(keyOf(historyOf(recordings).newest.verdict), keyOf(CompareVerdict::NoDifference));
        for (Recording& each : recordings)
            each.parts.clear();
        QCOMPARE(keyOf(historyOf(recordings).newest.verdict), keyOf(CompareVerdict::Slower));
    }

    /// A recording without NVTX has the same idle time as the others, and no ranges that name it.
    void idleTimeIsNotComparedByRangesThatOnlySomeHave()
    {
        std::vector<Recording> recordings = recordingsOf(std::vector<Ns>(12, step));
        for (std::size_t i = 0; i < recordings.size(); ++i) {
            Recording& each = recordings[i];
            if (i >= 6)
                each.median = each.mean = 2 * step;
            const Ns idle = each.mean - step / 2;
            each.parts = {{"compute_gemm", GpuApi::Cuda, BudgetGroup::Compute, step / 2}};
            each.hasRanges = i != 8;
            if (each.hasRanges) {
                each.parts.push_back({"idle_data_loading:load", GpuApi::Cuda, BudgetGroup::Idle, idle / 2,
                    IdleCause::DataLoading});
                each.parts.push_back({"idle_own_code:epoch", GpuApi::Cuda, BudgetGroup::Idle, idle - idle / 2,
                    IdleCause::OwnCode});
            } else {
                each.parts.push_back(
                    {"idle_own_code", GpuApi::Cuda, BudgetGroup::Idle, idle, IdleCause::OwnCode});
            }
        }
        const std::vector<HistoryChange> mixed = historyOf(recordings).changes;
        QCOMPARE(mixed.size(), std::size_t{1});
        QCOMPARE(mixed.front().budget.size(), std::size_t{2});
        QCOMPARE(mixed.front().budget.front().part, std::string("idle_own_code"));
        QCOMPARE(mixed.front().budget.front().delta(), step);
        recordings.erase(recordings.begin() + 8);
        QCOMPARE(historyOf(recordings).changes.front().budget.size(), std::size_t{3});
    }

    void strangersAndCopiesAreTaken_data()
    {
        QTest::addColumn<RecordedBy>("startedBy");
        QTest::newRow("dated") << RecordedBy::Report;
        QTest::newRow("one file twice") << RecordedBy::File;
    }

    void strangersAndCopiesAreTaken()
    {
        QFETCH(const RecordedBy, startedBy);
        std::vector<Recording> recordings
            = recordingsOf({step, step + 1, step + 2, step + 3, step + 4, step + 5});
        recordings[1].program = "decode.py";
        recordings[2].gpus = "2 x GPU";
        recordings[3].pattern = "batch_#";
        recordings.push_back(recordings[4]);
        recordings.back().file = "copy.sqlite";
        recordings.back().startedBy = recordings[4].startedBy = startedBy;
        std::vector<StrangeRecording> strangers = takeStrangers(recordings);
        QCOMPARE(strangers.size(), std::size_t{4});
        QCOMPARE(recordings.size(), std::size_t{3});
        QCOMPARE(std::ranges::count(strangers, true, &StrangeRecording::isCopy), 1);
        QCOMPARE(strangers.front().file, std::string("copy.sqlite"));
    }

    void partsLeaveBeforeTheirWhole()
    {
        std::vector<Recording> recordings = recordingsOf({step, step + 1, step + 2, step + 3});
        for (Recording& each : recordings)
            each.session = {0, 100 * step};
        recordings[0].isPart = true; // of the next
        recordings[0].started = recordings[1].started;
        recordings[2].isPart = true; // of a recording that is not here
        const std::string part = recordings[0].file;
        const std::vector<StrangeRecording> strangers = takeStrangers(recordings);
        QCOMPARE(recordings.size(), std::size_t{3});
        QCOMPARE(strangers.size(), std::size_t{1});
        QCOMPARE(strangers.front().file, part);
        QVERIFY(strangers.front().isCopy);
    }

    void partWithoutStepsDoesNotOutvoteItsWhole()
    {
        std::vector<Recording> recordings = recordingsOf({step, step});
        recordings[0].isPart = true; // too short for a step
        recordings[0].pattern.clear();
        recordings[0].started = recordings[1].started;
        const std::string whole = recordings[1].file;
        const std::vector<StrangeRecording> strangers = takeStrangers(recordings);
        QCOMPARE(recordings.size(), std::size_t{1});
        QCOMPARE(recordings.front().file, whole);
        QCOMPARE(strangers.size(), std::size_t{1});
        QVERIFY(strangers.front().isCopy);
    }

    void reasonsNameStepsThatAreThere()
    {
        for (const bool hasSteps : {false, true}) {
            std::vector<Recording> recordings = recordingsOf({step, step + 1, step + 2});
            for (std::size_t i = 0; i < 3; ++i) {
                if ((i == 0) != hasSteps)
                    recordings[i].pattern.clear();
            }
            const std::vector<StrangeRecording> strangers = takeStrangers(recordings);
            QCOMPARE(strangers.size(), std::size_t{1});
            QCOMPARE(plain(strangers.front().reason),
                std::string(hasSteps ? "Its steps are 'step_#', but the history has no steps."
                                     : "It has no steps, but those of the history are 'step_#'."));
        }
    }

    void namedStepsStayThoughMostHaveNone()
    {
        for (const bool areNamed : {false, true}) {
            std::vector<Recording> recordings = recordingsOf({step, step + 1, step + 2, step + 3});
            for (std::size_t i = 0; i < 3; ++i)
                recordings[i].pattern.clear();
            const std::size_t strangers = takeStrangers(recordings, areNamed).size();
            QCOMPARE(strangers, std::size_t{areNamed ? 3U : 1U});
            QCOMPARE(recordings.front().pattern.empty(), !areNamed);
        }
        std::vector<Recording> none = recordingsOf({step, step + 1});
        for (Recording& each : none)
            each.pattern.clear();
        QVERIFY(takeStrangers(none, true).empty());
    }

    void pagesAreNoCopies()
    {
        std::vector<Recording> recordings = recordingsOf({step});
        recordings[0].parts.push_back({"copy_to_gpu", GpuApi::Cuda, BudgetGroup::Copies, 30});
        recordings[0].parts.push_back({"wait_for_pages", GpuApi::Cuda, BudgetGroup::Copies, 400});
        const Cells cells = recordingCells(historyOf(std::move(recordings)));
        const auto valueOf = [&](const std::string& title) {
            const auto column = std::ranges::find(cells.columns, title, &Column::title);
            return std::get<std::int64_t>(
                cells.at(0, static_cast<std::size_t>(column - cells.columns.begin())));
        };
        QCOMPARE(valueOf("Copies (ns)"), std::int64_t{30});
        QCOMPARE(valueOf("Pages (ns)"), std::int64_t{400});
    }

    void oneTimeIsOrderedByName()
    {
        std::vector<Recording> recordings = recordingsOf({step, step, step});
        recordings[0].file = "night_10.sqlite";
        recordings[1].file = "night_9.sqlite";
        recordings[2].file = "night_100.sqlite";
        for (Recording& each : recordings)
            each.started = 0;
        const History history = historyOf(std::move(recordings));
        QCOMPARE(history.recordings[0].file, std::string("night_9.sqlite"));
        QCOMPARE(history.recordings[2].file, std::string("night_100.sqlite"));
    }
};

WARPLINE_TEST(HistoryTest)

} // namespace tst_history

#include "tst_history.moc"
