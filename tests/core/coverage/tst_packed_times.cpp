// Packed times against the plain list that they were made of.

#include "core/coverage/packed_times.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <limits>
#include <random>

namespace tst_packed_times {

using namespace warpline;

class PackedTimesTest : public QObject {
    Q_OBJECT

private slots:
    /// Times some nanoseconds apart, some of them up to ten seconds: blocks of 32 bits and wide ones.
    void holdsWhatItWasMadeOf()
    {
        std::mt19937_64 random(1);
        std::uniform_int_distribution<Ns> brief(0, 1000);
        std::uniform_int_distribution<Ns> far(0, 10'000'000'000);
        std::bernoulli_distribution isFar(0.01);
        PackedTimes packed;
        std::vector<Ns> times;
        Ns at = -20'000'000'000;
        for (int i = 0; i < 1000; ++i) {
            at += isFar(random) ? far(random) : brief(random);
            packed.push_back(at);
            times.push_back(at);
            QCOMPARE(packed.size(), times.size());
            QCOMPARE(packed.back(), at);
        }
        for (std::size_t i = 0; i < times.size(); ++i) {
            QCOMPARE(packed[i], times[i]);
            for (const Ns time : {times[i] - 1, times[i], times[i] + 1}) {
                const auto after = std::ranges::upper_bound(times, time);
                QCOMPARE(packed.until(time), static_cast<std::size_t>(after - times.begin()));
            }
        }
    }

    void timesAtTheEdgesOfSixtyFourBits()
    {
        constexpr Ns first = std::numeric_limits<Ns>::min();
        constexpr Ns last = std::numeric_limits<Ns>::max();
        PackedTimes packed;
        QCOMPARE(packed.until(0), std::size_t{0});
        for (const Ns time : {first, Ns{0}, last})
            packed.push_back(time);
        QCOMPARE(packed.front(), first);
        QCOMPARE(packed[1], Ns{0});
        QCOMPARE(packed.back(), last);
        QCOMPARE(packed.until(first), std::size_t{1});
        QCOMPARE(packed.until(last), std::size_t{3});
    }
};

WARPLINE_TEST(PackedTimesTest)

} // namespace tst_packed_times

#include "tst_packed_times.moc"
