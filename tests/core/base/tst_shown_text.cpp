// Names of a report as text for people: nothing that a terminal acts on, nothing that a page may not hold.

#include "core/base/utf8.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_shown_text {

using namespace warpline;

class ShownTextTest : public QObject {
    Q_OBJECT

private slots:
    void controlCharactersAreWrittenOut()
    {
        QCOMPARE(shownText("a\x1b[2Jb"), std::string("a\\u001b[2Jb"));
        QCOMPARE(shownText("\a\b\x7f"), std::string("\\u0007\\u0008\\u007f"));
        QCOMPARE(shownText("\xC2\x9B"
                           "2J"),
            std::string("\\u009b2J")); // what some terminals take for ESC [
        QCOMPARE(shownText("over\rwritten\r\n"), std::string("over\\u000dwritten\r\n"));
        QCOMPARE(shownText("a\tb\nc"), std::string("a\tb\nc"));
    }

    void otherTextStays()
    {
        const std::string text = "\u00e4 \u03bcs \u2026 \U0001F600 \u00a0";
        QCOMPARE(shownText(text), text);
        QCOMPARE(shownText("\xFF"), std::string("\uFFFD"));
        QCOMPARE(
            shownText("\xEF\xBF\xBE \xEF\xB7\x90 \xF0\x9F\xBF\xBF"), std::string("\uFFFD \uFFFD \uFFFD"));
    }
};

WARPLINE_TEST(ShownTextTest)

} // namespace tst_shown_text

#include "tst_shown_text.moc"
