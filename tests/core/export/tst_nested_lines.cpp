// Events that overlap get lines of their own.

#include "core/export/nested_lines.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <random>

namespace tst_nested_lines {

using namespace warpline;

namespace {

/// The same by a look at all lines.
class EachLine {
public:
    std::size_t lineFor(TimeRange time)
    {
        for (std::size_t i = 0;; ++i) {
            if (i == m_open.size())
                m_open.emplace_back();
            std::vector<Ns>& open = m_open[i];
            while (!open.empty() && open.back() <= time.start)
                open.pop_back();
            if (open.empty() || time.end <= open.back()) {
                open.push_back(time.end);
                return i;
            }
        }
    }

private:
    std::vector<std::vector<Ns>> m_open;
};

} // namespace

class NestedLinesTest : public QObject {
    Q_OBJECT

private slots:
    void takesTheFirstLineWithRoom()
    {
        std::mt19937 random(3);
        for (int round = 0; round < 500; ++round) {
            std::vector<TimeRange> times(random() % 200);
            for (TimeRange& time : times) {
                time.start = static_cast<Ns>(random() % 300);
                time.end = time.start + static_cast<Ns>(random() % (round % 2 == 0 ? 20 : 200));
            }
            std::ranges::sort(times, [](TimeRange a, TimeRange b) {
                return a.start != b.start ? a.start < b.start : a.end > b.end;
            });
            NestedLines lines;
            EachLine expected;
            for (const TimeRange time : times)
                QCOMPARE(lines.lineFor(time), expected.lineFor(time));
        }
    }

    /// With a look at all lines this takes hours.
    void takesAMillionLines()
    {
        constexpr Ns many = 1'000'000;
        NestedLines lines;
        for (Ns i = 0; i < many; ++i)
            QCOMPARE(lines.lineFor({i, many + i}), static_cast<std::size_t>(i));
        QCOMPARE(lines.count(), static_cast<std::size_t>(many));
    }
};

WARPLINE_TEST(NestedLinesTest)

} // namespace tst_nested_lines

#include "tst_nested_lines.moc"
