// The summary of a set of numbers, against slow computations by definition.

#include "core/base/format.h"
#include "core/base/median.h"
#include "core/stats/duration_summary.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace tst_duration_summary {

using namespace warpline;

class DurationSummaryTest : public QObject {
    Q_OBJECT

private slots:
    void nothing()
    {
        std::vector<std::int64_t> none;
        const DurationSummary summary = summarize(none);
        QCOMPARE(summary.count, std::uint64_t{0});
        QCOMPARE(summary.total, std::int64_t{0});
        QCOMPARE(percentile(none, 0.5), 0.0);
    }

    void evenAndOdd()
    {
        std::vector<std::int64_t> even{7, 1, 4, 2};
        QCOMPARE(summarize(even).median, 3.0);
        std::vector<std::int64_t> odd{9, 1, 4};
        QCOMPARE(summarize(odd).median, 4.0);
        std::vector<std::int64_t> one{5};
        QCOMPARE(summarize(one).deviation, 0.0);
        QCOMPARE(summarize(one).median, 5.0);
        std::vector<std::int64_t> two{1, 3}; // a sample's deviation, not a population's
        QCOMPARE(summarize(two).deviation, std::sqrt(2.0));
    }

    /// A median is one number wherever it is worked out, also between two whole ones.
    void mediansAreRoundedAlike()
    {
        std::vector<std::int64_t> even{75'904, 75'905};
        QCOMPARE(wholeNs(summarize(even).median), middleOf(even));
        QCOMPARE(middleOf(even), std::int64_t{75'905});
    }

    void againstDefinition_data()
    {
        QTest::addColumn<int>("size");
        QTest::addColumn<std::int64_t>("largest");
        for (const int size : {1, 2, 3, 10, 101, 1000, 20001}) {
            for (const std::int64_t largest :
                {std::int64_t{3}, std::int64_t{1000}, std::int64_t{90'000'000'000}})
                QTest::addRow("%d of %lld", size, static_cast<long long>(largest)) << size << largest;
        }
    }

    void againstDefinition()
    {
        QFETCH(int, size);
        QFETCH(std::int64_t, largest);
        std::mt19937_64 random(static_cast<std::uint64_t>(size) * 31U + static_cast<std::uint64_t>(largest));
        std::uniform_int_distribution<std::int64_t> pick(0, largest);
        std::vector<std::int64_t> values;
        for (int i = 0; i < size; ++i)
            values.push_back(pick(random));
        std::vector<std::int64_t> sorted = values;
        std::ranges::sort(sorted);
        long double total = 0;
        for (const std::int64_t value : sorted)
            total += static_cast<long double>(value);
        const long double mean = total / size;
        long double squares = 0;
        for (const std::int64_t value : sorted)
            squares += (static_cast<long double>(value) - mean) * (static_cast<long double>(value) - mean);
        const auto n = static_cast<std::size_t>(size);

        const DurationSummary summary = summarize(values);
        QCOMPARE(summary.count, n);
        QCOMPARE(summary.total, static_cast<std::int64_t>(total));
        QCOMPARE(summary.min, sorted.front());
        QCOMPARE(summary.max, sorted.back());
        QCOMPARE(summary.median, static_cast<double>(sorted[(n - 1) / 2] + sorted[n / 2]) / 2);
        const double deviation = size > 1 ? static_cast<double>(std::sqrt(squares / (size - 1))) : 0;
        QVERIFY(std::abs(summary.deviation - deviation) <= 1e-9 * (1 + deviation));
        for (const double share : {0.0, 0.05, 0.25, 0.95, 0.99, 1.0}) {
            const double rank = share * static_cast<double>(n - 1);
            const auto below = static_cast<std::size_t>(rank);
            const std::size_t above = std::min(n - 1, below + 1);
            const double expected = static_cast<double>(sorted[below])
                + (rank - static_cast<double>(below)) * static_cast<double>(sorted[above] - sorted[below]);
            QVERIFY(std::abs(percentile(values, share) - expected) <= 1e-9 * (1 + expected));
        }
        std::ranges::sort(values);
        QCOMPARE(values, sorted); // moved about, but none lost
    }
};

WARPLINE_TEST(DurationSummaryTest)

} // namespace tst_duration_summary

#include "tst_duration_summary.moc"
