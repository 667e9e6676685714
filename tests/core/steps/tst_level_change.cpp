// Changes of the level of a series, and where a program settles.

#include "core/steps/level_change.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <random>

namespace tst_level_change {

using namespace warpline;

namespace {

/// `count` lengths around `level`.
std::vector<Ns> around(double level, std::size_t count, std::mt19937& random, double deviation = 0.01)
{
    std::normal_distribution<double> normal(level, deviation * level);
    std::vector<Ns> lengths;
    for (std::size_t i = 0; i < count; ++i)
        lengths.push_back(static_cast<Ns>(normal(random)));
    return lengths;
}

std::vector<Ns> joined(std::vector<Ns> first, const std::vector<Ns>& second)
{
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

} // namespace

class LevelChangeTest : public QObject {
    Q_OBJECT

private slots:
    void aChangeIsFoundWhereItIs()
    {
        std::mt19937 random(1);
        for (int round = 0; round < 200; ++round) {
            const std::size_t before = 3 + random() % 30;
            const std::size_t after = 3 + random() % 30;
            const double up = random() % 2 == 0 ? 1.2 : 0.8;
            auto lengths = joined(around(1e6, before, random), around(1e6 * up, after, random));
            const LevelChange change = levelChange(lengths);
            QCOMPARE(change.at, before);
            QVERIFY(
                std::abs(static_cast<double>(change.after) / static_cast<double>(change.before) - up) < 0.05);
            if (before > 10 && after > 10) { // a single stall moves nothing
                lengths[random() % lengths.size()] *= 20;
                QVERIFY(std::abs(static_cast<double>(levelChange(lengths).at) - static_cast<double>(before))
                    <= 2);
            }
        }
    }

    void whatDoesNotChangeHasNone()
    {
        std::mt19937 random(2);
        std::size_t found = 0;
        for (int round = 0; round < 500; ++round)
            found += levelChange(around(1e6, 30, random)) ? 1 : 0;
        QVERIFY2(found < 50, std::to_string(found).c_str());
        QVERIFY(!levelChange({}));
        QVERIFY(!levelChange(std::vector<Ns>{5, 5, 5, 1, 1}));
        QVERIFY(!levelChange(std::vector<Ns>(100, 7)));
    }

    void aProgramSettlesOnceAndDownward()
    {
        std::mt19937 random(3);
        const auto slow = around(1.4e6, 8, random);
        const auto fast = around(1e6, 14, random);
        QCOMPARE(settlesAt(joined(slow, fast)), std::size_t{8});
        QCOMPARE(settlesAt(joined(fast, slow)), std::size_t{0}); // slower: no warm-up
        QCOMPARE(
            settlesAt(joined(around(1.4e6, 15, random), fast)), std::size_t{0}); // most steps are no warm-up
        QCOMPARE(settlesAt(joined(around(1.05e6, 8, random, 0.001), around(1e6, 14, random, 0.001))),
            std::size_t{0}); // a clock
        QCOMPARE(
            settlesAt(joined(around(1.4e6, 5, random), around(1e6, 6, random))), std::size_t{0}); // too few
        std::vector<Ns> shrinking; // work that gets less all the time
        for (int i = 0; i < 100; ++i)
            shrinking.push_back(10'000'000 - 90'000 * i);
        QCOMPARE(settlesAt(shrinking), std::size_t{0});
    }
};

WARPLINE_TEST(LevelChangeTest)

} // namespace tst_level_change

#include "tst_level_change.moc"
