// Names of megabytes are shown by their ends, and no letter of several bytes is cut.

#include "core/base/both_ends.h"
#include "core/base/message.h"
#include "core/base/utf8.h"
#include "core/render/render.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_both_ends {

using namespace warpline;

class BothEndsTest : public QObject {
    Q_OBJECT

private slots:
    void shortTextsStay()
    {
        QCOMPARE(bothEnds("", 4), std::string());
        QCOMPARE(bothEnds("gemm", 4), std::string("gemm"));
    }

    void longOnesLoseTheirMiddle()
    {
        QCOMPARE(bothEnds("first_and_last", 12), std::string("firs\u2026_last"));
        for (std::size_t before = 0; before < 4; ++before) {
            std::string letters(before, 'n');
            for (int i = 0; i < 100; ++i)
                letters += "\u20ac";
            for (std::size_t most = 4; most < 40; ++most) {
                const std::string ends = bothEnds(letters, most);
                QVERIFY(ends.size() <= most);
                QCOMPARE(toUtf8(ends), ends);
            }
        }
        QCOMPARE(bothEnds(std::string(100, '\x80'), 10), std::string("\u2026")); // not UTF-8
    }

    /// A page of a finding on a name of a megabyte took minutes to be laid out.
    void pagesHaveNoMegabytes()
    {
        const Message message("test.name", "{name} is slow", {{"name", Name{std::string(1'000'000, '<')}}});
        QVERIFY(render(message, Markup::Html).size() < 5 * longestShown);
        QVERIFY(render(message, Markup::Plain).size() > 1'000'000);
    }
};

WARPLINE_TEST(BothEndsTest)

} // namespace tst_both_ends

#include "tst_both_ends.moc"
