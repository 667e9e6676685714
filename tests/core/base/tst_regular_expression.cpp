// Regular expressions against std::regex on random small ones, and that no text makes them slow or crash.

#include "core/base/regular_expression.h"
#include "core/render/render.h"
#include "tests/support/test_program.h"

#include <QElapsedTimer>
#include <QTest>

#include <random>
#include <regex>

namespace tst_regular_expression {

using namespace warpline;

namespace {

/// A random expression that both engines know. `depth`: how many groups may still be opened.
std::string randomExpression(std::mt19937& random, int depth)
{
    static const std::vector<std::string> atoms{"a", "b", "c", "_", "1", ".", "[ab]", "[^a]", "[a-c1]", "\\d",
        "\\w", "\\s", "\\W", "\\.", " ", "^", "$", "\\b", "\\B"};
    static const std::vector<std::string> repeats{
        "", "", "", "", "*", "+", "?", "{2}", "{1,3}", "{2,}", "*?", "+?"};
    std::string text;
    const std::size_t parts = 1 + random() % 4;
    for (std::size_t i = 0; i < parts; ++i) {
        if (i > 0 && random() % 6 == 0)
            text += '|';
        const bool group = depth > 0 && random() % 4 == 0;
        const std::string atom = group
            ? (random() % 2 == 0 ? "(" : "(?:") + randomExpression(random, depth - 1) + ")"
            : atoms[random() % atoms.size()];
        const bool isEdge = atom == "^" || atom == "$" || atom == "\\b" || atom == "\\B";
        text += atom + (isEdge ? std::string() : repeats[random() % repeats.size()]);
    }
    return text;
}

std::string randomText(std::mt19937& random, std::string_view letters, std::size_t most)
{
    std::string text;
    for (std::size_t i = random() % (most + 1); i > 0; --i)
        text += letters[random() % letters.size()];
    return text;
}

} // namespace

class RegularExpressionTest : public QObject {
    Q_OBJECT

private slots:
    void agreesWithTheStandard()
    {
        std::mt19937 random(7);
        int matched = 0;
        for (int round = 0; round < 4000; ++round) {
            const std::string text = randomExpression(random, 2);
            RegularExpression ours(text);
            QVERIFY2(!ours.mistake(), text.c_str());
            auto how = std::regex::ECMAScript | std::regex::icase;
#ifdef __GLIBCXX__
            how |= std::regex_constants::__polynomial; // otherwise some take for ever
#endif
            const std::regex theirs(text, how);
            for (int i = 0; i < 12; ++i) {
                const std::string subject = randomText(random, "abcABC_1 .-", 9);
                const bool expected = std::regex_search(subject, theirs);
                QVERIFY2(ours.isIn(subject) == expected, (text + " in '" + subject + "'").c_str());
                matched += expected ? 1 : 0;
            }
        }
        QVERIFY(matched > 5000 && matched < 45'000); // both answers were tried
    }

    void saysWhereAMistakeIs()
    {
        const std::vector<std::pair<std::string, std::size_t>> wrong{{"a(b", 1}, {"ab)", 2}, {"[ab", 0},
            {"*a", 0}, {"a\\", 1}, {"a{3,2}", 1}, {"a{1001}", 1}, {"x(?=y)", 2}, {"(a)\\1", 3}, {"[z-a]", 1},
            {"\\q", 0}, {"a{2", 1}, {"\\xZZ", 0}};
        for (const auto& [text, place] : wrong) {
            RegularExpression expression(text);
            QVERIFY2(expression.mistake(), text.c_str());
            QVERIFY2(expression.mistake()->place == place, text.c_str());
            QVERIFY(!expression.mistake()->message.empty());
            QVERIFY(!expression.isIn("aaa"));
        }
        for (const char* const right :
            {"", "{", "a{", "a{,3}", "]", "}", "\\x41", "[]a]", "[a-]", "[\\d-]", "()", "a||b"})
            QVERIFY2(!RegularExpression(right).mistake(), right);
        QVERIFY(RegularExpression("\\x41b").isIn("xaB"));
        QVERIFY(RegularExpression("é+$").isIn("caf\u00e9"));
    }

    void noTextTakesLong()
    {
        QElapsedTimer clock;
        clock.start();
        const std::string many = std::string(60'000, 'a') + '!';
        for (const char* const text : {"(a+)+$", "(a*)*b", "(a|aa)+b", "(a|a)*b", "(.*)(.*)(.*)(.*)b",
                 "(a?){900}b", "((a{0,30}){0,30})b", "(x+x+)+y", "(.*a){20}b", "(a|b)*a(a|b){12}c"}) {
            RegularExpression expression(text);
            QVERIFY2(!expression.mistake(), text);
            QVERIFY(!expression.isIn(many));
        }
        QVERIFY(RegularExpression("a{1000}{1000}").mistake());
        QVERIFY(RegularExpression("(((a{900}){900}){900}){900}").mistake());
        QVERIFY(!RegularExpression("((((){900}){900}){900}){900}").mistake());
        QVERIFY(RegularExpression(std::string(1999, '(')).mistake());
        QVERIFY(RegularExpression(std::string(1'000'000, 'a')).mistake());
        QVERIFY(RegularExpression(std::string(90, '(') + "a" + std::string(90, ')')).isIn("a"));
        QVERIFY2(clock.elapsed() < 60'000, qPrintable(QString::number(clock.elapsed())));
    }

    void randomBytesNeverCrash()
    {
        std::mt19937 random(11);
        std::string subject;
        for (int i = 0; i < 300; ++i)
            subject += static_cast<char>(random());
        for (int round = 0; round < 20'000; ++round) {
            std::string text = randomText(random, "()[]{}|*+?.\\^$-,:=!<>dwsbBx019aZ\xc3\xa9\n", 40);
            if (round % 3 == 0) {
                for (char& c : text)
                    c = static_cast<char>(random());
            }
            RegularExpression expression(text);
            (void)expression.isIn(subject);
            QVERIFY(!expression.mistake() || expression.mistake()->place <= text.size());
        }
    }

    /// A table of states that is discarded repeatedly gives the same results as a fresh one.
    void manyStates()
    {
        std::mt19937 random(5);
        RegularExpression expression("(a|b)*a(a|b){11}c"); // some 2,000 states
        for (int i = 0; i < 200; ++i) {
            const std::string text
                = randomText(random, "ab", 3000) + (i % 2 == 0 ? "abbbbbbbbbbbc" : "bbbbbbbbbbbbc");
            const bool expected = text.size() >= 13 && text[text.size() - 13] == 'a';
            QCOMPARE(expression.isIn(text), expected);
        }
        QVERIFY(!expression.isExhausted());
    }
};

WARPLINE_TEST(RegularExpressionTest)

} // namespace tst_regular_expression

#include "tst_regular_expression.moc"
