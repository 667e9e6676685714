// Numbers are read alike whichever library reads them.

#include "core/base/read_real.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <clocale>
#include <cmath>

namespace tst_read_real {

using namespace warpline;

class ReadRealTest : public QObject {
    Q_OBJECT

private slots:
    void theCLibraryReadsAsTheStandardSays_data()
    {
        QTest::addColumn<QByteArray>("text");
        for (const char* text : {"0", "-0", "1", "1.5", "-2.25", ".5", "5.", "-.5e1", "1e3", "1E+3", "1e-3",
                 "1e", "1e+", "1ex", "12abc", "1.2.3", "1,5", "0x10", "1e400", "-1e400", "1e-400", "0e-400",
                 "0.000", "4.9e-324", "1e-310", "2.2250738585072014e-308", "1.7976931348623157e308", "0.1",
                 "123456789012345678901234567890", "", "-", ".", "-.", "e5", "+1", " 1", "1 ", "inf", "-inf",
                 "INF", "infinity", "infin", "nan", "-NaN", "nano", "abc"})
            QTest::newRow(*text == '\0' ? "nothing" : text) << QByteArray(text);
    }

    void theCLibraryReadsAsTheStandardSays()
    {
        QFETCH(QByteArray, text);
        compare<double>(text);
        compare<long double>(text);
    }

    void theLocaleDoesNotMatter()
    {
        const char* const german = std::setlocale(LC_NUMERIC, "de_DE.UTF-8"); // where it is installed
        double value = 0;
        const std::string_view text = "1.5,2";
        QCOMPARE(readRealByC(text, value).ptr, text.data() + 3);
        QCOMPARE(value, 1.5);
        if (german != nullptr)
            std::setlocale(LC_NUMERIC, "C");
    }

    void whatFollowsIsNotLookedAt()
    {
        const std::string_view all = "12345";
        double value = 0;
        QCOMPARE(readRealByC(all.substr(0, 2), value).ptr, all.data() + 2);
        QCOMPARE(value, 12.0);
    }

private:
    template <typename Real> static void compare(const QByteArray& text)
    {
        const std::string_view view(text.constData(), static_cast<std::size_t>(text.size()));
        Real mine = 7;
        Real theirs = 7;
        const auto read = readRealByC(view, mine);
        const auto wanted = readReal(view, theirs);
        QCOMPARE(read.ec, wanted.ec);
        QCOMPARE(read.ptr - view.data(), wanted.ptr - view.data());
        QCOMPARE(std::isnan(mine), std::isnan(theirs));
        QCOMPARE(std::signbit(mine), std::signbit(theirs));
        QVERIFY(std::isnan(mine) || mine == theirs);
    }
};

WARPLINE_TEST(ReadRealTest)

} // namespace tst_read_real

#include "tst_read_real.moc"
