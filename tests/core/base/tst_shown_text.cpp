// Names of a report as text for people: nothing that a terminal acts on, nothing that a page may not hold.

#include "core/base/glob.h"
#include "core/base/letter_case.h"
#include "core/base/utf8.h"
#include "core/filter/text_match.h"
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
        QCOMPARE(shownText("over\rwritten\r\n"), std::string("over\\u000dwritten\\u000d\n"));
        QCOMPARE(shownText("a\tb\nc"), std::string("a\tb\nc"));
    }

    void textCannotBeReordered()
    {
        QCOMPARE(shownText("gpu\u202egnp.\u202c"), std::string("gpu\\u202egnp.\\u202c"));
        QCOMPARE(shownText("a\u2028b\u2029c"), std::string("a\\u2028b\\u2029c"));
        QCOMPARE(shownText("\u2066x\u2069\u200e\u200f"), std::string("\\u2066x\\u2069\\u200e\\u200f"));
        QCOMPARE(shownText("\u061c\u206a\u206f"), std::string("\\u061c\\u206a\\u206f"));
        QCOMPARE(shownText("\u200d\u2027\u202f\u2065\u2070"), std::string("\u200d\u2027\u202f\u2065\u2070"));
    }

    void aNameHasOneLine()
    {
        QCOMPARE(onOneLine("a\nb\r\nc\td\ve\ff"), std::string("a b  c d e f"));
        QCOMPARE(onOneLine("a\u0085b\u2028c\u2029d"), std::string("a b c d"));
        const std::string text = "\u00e4 \u2027\u202a \u03bcs\xC2 \xE2\x80";
        QCOMPARE(onOneLine(text), text);
        QCOMPARE(onOneLine(""), std::string());
    }

    void otherTextStays()
    {
        const std::string text = "\u00e4 \u03bcs \u2026 \U0001F600 \u00a0";
        QCOMPARE(shownText(text), text);
        QCOMPARE(shownText("\xFF"), std::string("\uFFFD"));
        QCOMPARE(
            shownText("\xEF\xBF\xBE \xEF\xB7\x90 \xF0\x9F\xBF\xBF"), std::string("\uFFFD \uFFFD \uFFFD"));
    }

    /// Qt folds as Unicode does: letters in use are the same, and of the others none becomes a wrong one.
    void lettersAreFoldedAsUnicodeHasThem()
    {
        int folded = 0;
        for (char32_t letter = 1; letter < 0x11000; ++letter) {
            if (letter >= 0xD800 && letter < 0xE000)
                continue;
            const QString text = QString::fromUcs4(&letter, 1);
            const QString ours = QString::fromStdString(foldedCase(text.toStdString()));
            folded += ours != text ? 1 : 0;
            QVERIFY2(ours == text || ours == text.toCaseFolded(), qPrintable(QString::number(letter, 16)));
        }
        QVERIFY(folded > 500);
        QCOMPARE(foldedCase("ÄÖÜ ПРИВЕТ ΔΈΛΤΑ ＧＰＵ Ơ GEMM 数据 🚀"),
            std::string("äöü привет δέλτα ｇｐｕ ơ gemm 数据 🚀"));
        QCOMPARE(foldedCase("\xC3 \xEF\xBC \xFF\xE1"), std::string("\xC3 \xEF\xBC \xFF\xE1")); // broken
    }

    void aWildcardIsOneLetter()
    {
        QVERIFY(matchesGlob("数据加载", "数?加?"));
        QVERIFY(matchesGlob("数据加载", "*?载"));
        QVERIFY(!matchesGlob("数据", "???"));
        QVERIFY(matchesGlob("🚀x", "?x"));
        QVERIFY(!matchesGlob("", "?"));
    }

    void textsMatchInAnyScript()
    {
        const auto holds = [](const char* wanted, const char* text) {
            return TextMatch(TextMatch::How::Holds, wanted).isMatch(text);
        };
        QVERIFY(holds("привет", "ПРИВЕТ, мир"));
        QVERIFY(holds("数据", "前处理 数据加载"));
        QVERIFY(holds("ÉTAPE", "une étape"));
        QVERIFY(holds("مرحبا", "مرحبا بالعالم"));
        QVERIFY(!holds("数据", "数 据"));
        QVERIFY(holds("", "anything"));
        QVERIFY(TextMatch(TextMatch::How::Glob, "ШАГ_?").isMatch("шаг_7"));
    }
};

WARPLINE_TEST(ShownTextTest)

} // namespace tst_shown_text

#include "tst_shown_text.moc"
