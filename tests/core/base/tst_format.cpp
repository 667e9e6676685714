// Numbers as tables show them: as many digits as promised, also where they round up.

#include "core/base/format.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <utility>
#include <vector>

namespace tst_format {

using namespace warpline;

namespace {

using Texts = std::vector<std::pair<Ns, const char*>>;

} // namespace

class FormatTest : public QObject {
    Q_OBJECT

private slots:
    void durationsHaveFourDigits();
};

void FormatTest::durationsHaveFourDigits()
{
    for (const auto& [ns, text] :
        Texts{{0, "0 ns"}, {999, "999 ns"}, {1000, "1.000 \u00b5s"}, {9'999, "9.999 \u00b5s"},
            {99'994, "99.99 \u00b5s"}, {99'995, "100.0 \u00b5s"}, {999'949, "999.9 \u00b5s"},
            {999'950, "1.000 ms"}, {999'999, "1.000 ms"}, {-999'999, "-1.000 ms"}, {9'999'499, "9.999 ms"},
            {9'999'501, "10.00 ms"}, {9'999'999, "10.00 ms"}, {99'999'999, "100.0 ms"},
            {999'999'999, "1.000 s"}, {999'960'000'000, "1000 s"}, {12'345'600'000'000, "12346 s"}})
        QCOMPARE(formatDuration(ns), std::string(text));
    QCOMPARE(formatBytes(999'999), std::string("1.000 MB"));
    QCOMPARE(formatBytes(99'999'999), std::string("100.0 MB"));
    QCOMPARE(formatThroughput(9.99996e9), std::string("10.00 GB/s"));
}

WARPLINE_TEST(FormatTest)

} // namespace tst_format

#include "tst_format.moc"
