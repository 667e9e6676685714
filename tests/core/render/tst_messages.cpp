// Messages: how values look in a sentence, plural forms, verbatim parts, and joining of parts.

#include "core/base/format.h"
#include "core/base/message_names.h"
#include "core/base/rounded.h"
#include "core/render/render.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <array>

namespace tst_messages {

using namespace warpline;

namespace {

std::string_view alwaysOther(std::uint64_t)
{
    return "other";
}

constexpr std::array translations{
    Translation{"test.first", "{name}:{n, plural, other {# x}}"}, Translation{"test.third", "3"}};
constexpr Language other{
    .key = "xx", .title = "Other", .texts = translations, .plural = alwaysOther, .betweenSentences = "/"};

Message first(std::uint64_t count)
{
    return {"test.first", "{n, plural, =0 {No kernel} one {# kernel} other {# kernels}} in {name}",
        {{"n", Count{count}}, {"name", Name{"a<b>{}"}}}};
}

} // namespace

class MessagesTest : public QObject {
    Q_OBJECT

private slots:
    void valuesAreFormattedByTheirType();
    void valuesOfSentencesHaveThreeDigits();
    void pluralsGoByTheCount();
    void selectionsGoByTheName();
    void sentencesArePartedAndVerbatimTextIsNot();
    void markupsEscape();
    void namesOfAReportHaveOneLine();
    void otherLanguagesHaveTheirOwnFormsAndFallBack();
    void thePseudoLanguageShowsKeysAndValues();
    void hipReadsItsOwnWords();
    void equalMessagesAreEqual();
    void languagesAreInOrder();
};

void MessagesTest::valuesAreFormattedByTheirType()
{
    const Message message{"test.values", "{a} {b} {c} {d} {e} {f} {g} {h}",
        {{"a", Duration{1'234'000}}, {"b", Bytes{67'108'864}}, {"c", Count{1'234'567}}, {"d", Share{0.5}},
            {"e", Rate{12.3e9}}, {"f", Number{2.345, 1}}, {"g", Ordinal{12345}}, {"h", Instant{5, 1}}}};
    QCOMPARE(plain(message),
        "1.23 ms 67.1 MB 1,234,567 " + formatShare(0.5) + " 12.3 GB/s " + formatReal(2.345, 1) + " 12345 "
            + formatTime(5));
    QCOMPARE(plain(Message("test.numbers", "{a} {b} {c}",
                 {{"a", Number{59'022.4, 1}}, {"b", Number{-1234, 0}}, {"c", Number{999.96, 1}}})),
        std::string("59,022.4 -1,234 1,000.0"));
    QCOMPARE(plain(Message("test.none", "{a} and {b}", {{"a", Count{1}}})), std::string("1 and {b}"));
    const std::vector<Message> list{"x", Message("test.y", "y"), "z"};
    QCOMPARE(plain(Message("test.list", "{list}.", {{"list", list}})), std::string("x, y, z."));
}

void MessagesTest::valuesOfSentencesHaveThreeDigits()
{
    const std::array durations{std::pair{Ns{0}, "0 ns"}, std::pair{Ns{862}, "862 ns"},
        std::pair{Ns{10'000}, "10 \u00b5s"}, std::pair{Ns{-163'049'000}, "-163 ms"},
        std::pair{Ns{9'996'000}, "10 ms"}, std::pair{Ns{999'499'999}, "999 ms"},
        std::pair{Ns{999'500'000}, "1 s"}, std::pair{Ns{4'326'000'000}, "4.33 s"},
        std::pair{Ns{100'040'000}, "100 ms"}, std::pair{Ns{1'234'000'000'000}, "1234 s"}};
    for (const auto& [duration, text] : durations)
        QCOMPARE(roundedDuration(duration), std::string(text));
    QCOMPARE(roundedBytes(999), std::string("999 B"));
    QCOMPARE(roundedBytes(1'700'000'000), std::string("1.7 GB"));
    QCOMPARE(roundedThroughput(110.04e9), std::string("110 GB/s"));
}

void MessagesTest::pluralsGoByTheCount()
{
    QCOMPARE(plain(first(0)), std::string("No kernel in a<b>{}"));
    QCOMPARE(plain(first(1)), std::string("1 kernel in a<b>{}"));
    QCOMPARE(plain(first(2000)), std::string("2,000 kernels in a<b>{}"));
    const Message inside{"test.inside", "{n, plural, one {# of {all}} other {#s of {all}}}, #1",
        {{"n", Count{3}}, {"all", Count{9}}}};
    QCOMPARE(plain(inside), std::string("3s of 9, #1"));
}

void MessagesTest::selectionsGoByTheName()
{
    const auto text = [](const char* side) {
        return plain(Message("test.select",
            "{side, select, host {the CPU} gpu {the {side}} other {it}} waits", {{"side", Name{side}}}));
    };
    QCOMPARE(text("host"), std::string("the CPU waits"));
    QCOMPARE(text("gpu"), std::string("the gpu waits"));
    QCOMPARE(text("link"), std::string("it waits"));
}

void MessagesTest::sentencesArePartedAndVerbatimTextIsNot()
{
    Message text = "One";
    text += ", two.";
    QCOMPARE(text, Message("One, two."));
    text += Message("test.third", "Three.");
    text += Message("test.fourth", "Four.") + " Five{}.";
    QCOMPARE(plain(text), std::string("One, two. Three. Four. Five{}."));
    Message none;
    none += text;
    QCOMPARE(none, text);
    QVERIFY(Message().empty() && !text.empty());
}

void MessagesTest::markupsEscape()
{
    QCOMPARE(render(first(1), Markup::Html), std::string("1 kernel in a&lt;b&gt;{}"));
    QCOMPARE(render(first(1), Markup::Markdown), std::string("1 kernel in a\\<b>{}"));
}

void MessagesTest::namesOfAReportHaveOneLine()
{
    const Message line{
        "test.line", "{file}: {name}", {{"file", Name{"a"}}, {"name", Name{"k\r\nb:\u2028x"}}}};
    for (const Markup markup : {Markup::Plain, Markup::Markdown, Markup::Html})
        QCOMPARE(render(line, markup), std::string("a: k  b: x"));
    QCOMPARE(plain(linesOf(line, "below")), std::string("a: k  b: x\nbelow"));
}

void MessagesTest::otherLanguagesHaveTheirOwnFormsAndFallBack()
{
    const Message text = first(1) + Message("test.second", "Second {n}.", {{"n", Count{2}}})
        + Message("test.third", "Three.");
    QCOMPARE(render(text, Markup::Plain, other), std::string("a<b>{}:1 x/Second 2./3"));
}

void MessagesTest::thePseudoLanguageShowsKeysAndValues()
{
    const Language* const pseudo = findLanguage("pseudo");
    QVERIFY(pseudo && pseudo->isPseudo && !findLanguage("xx"));
    const Message text{"test.outer", "{inner} {range}",
        {{"inner", first(3)}, {"time", Duration{1500}}, {"range", TimeRange{1, 2}}}};
    QCOMPARE(render(text + " verbatim", Markup::Plain, *pseudo),
        std::string("[test.outer|inner=[test.first|n=3,name=a<b>{}],time=1500,range=1:2][verbatim]"));
}

void MessagesTest::hipReadsItsOwnWords()
{
    Message text{"test.hip", "cudaMalloc for {name}", {{"name", Name{"cudaMine"}}}};
    text += " Then cudaFree.";
    text.setOfHip();
    QCOMPARE(plain(text), std::string("hipMalloc for cudaMine Then hipFree."));
}

void MessagesTest::equalMessagesAreEqual()
{
    QCOMPARE(first(1), first(1));
    QVERIFY(!(first(1) == first(2)));
    QVERIFY(!(first(1) == first(1) + " more"));
    QVERIFY(!(Message("test.first", "x") == Message("x")));
}

void MessagesTest::languagesAreInOrder()
{
    for (const Language* const each : allLanguages()) {
        QVERIFY(std::ranges::is_sorted(each->texts, {}, &Translation::key));
        QCOMPARE(findLanguage(each->key), each);
    }
    QCOMPARE(&language(), allLanguages().front());
}

WARPLINE_TEST(MessagesTest)

} // namespace tst_messages

#include "tst_messages.moc"
