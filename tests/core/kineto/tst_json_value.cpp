// The small JSON reader: exact times, nonstandard output of real writers, and texts that end anywhere.

#include "core/kineto/json_value.h"
#include "core/kineto/raw_event.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <limits>

namespace tst_json_value {

using namespace warpline;

class JsonValueTest : public QObject {
    Q_OBJECT

private slots:
    void timesAreExact();
    void integersKeepTheirBits();
    void escapesAreResolved();
    void eventsAreParsed();
    /// Truncated at every place, and with every byte replaced by structural characters: never reads beyond
    /// the end.
    void anythingMayStandAnywhere();
};

namespace {

JsonValue number(std::string_view text)
{
    return {JsonValue::Kind::Number, false, text};
}

} // namespace

void JsonValueTest::timesAreExact()
{
    QCOMPARE(nanosecondsOf(number("4410363991167.355")).value(), std::int64_t{4'410'363'991'167'355});
    // A double has 53 bits: it would end in 000 or 248.
    QCOMPARE(nanosecondsOf(number("1712867402348628.123")).value(), std::int64_t{1'712'867'402'348'628'123});
    QCOMPARE(nanosecondsOf(number("0.9999")).value(), std::int64_t{999});
    QCOMPARE(nanosecondsOf(number("7")).value(), std::int64_t{7000});
    QCOMPARE(nanosecondsOf(number("7.5")).value(), std::int64_t{7500});
    QCOMPARE(nanosecondsOf(number("-1.25")).value(), std::int64_t{-1250});
    QCOMPARE(nanosecondsOf(number("1.5e3")).value(), std::int64_t{1'500'000});
    for (const char* const bad :
        {"", "nan", "-", "1.2.3", "9300000000000000.0", "1e300", "99999999999999999999"})
        QVERIFY2(!nanosecondsOf(number(bad)), bad);
}

void JsonValueTest::integersKeepTheirBits()
{
    QCOMPARE(integerOf(number("-12")).value(), std::int64_t{-12});
    QCOMPARE(integerOf(number("3.9")).value(), std::int64_t{3});
    QCOMPARE(integerOf(number("1e3")).value(), std::int64_t{1000});
    QCOMPARE(static_cast<std::uint64_t>(integerOf(number("18446744073709551615")).value()),
        std::numeric_limits<std::uint64_t>::max());
    for (const char* const bad : {"", "inf", "99999999999999999999999", "12x", "1e99"})
        QVERIFY2(!integerOf(number(bad)), bad);
    QVERIFY(!realOf(number("nan")) && !realOf(number("inf")) && realOf(number("-0.5")) == -0.5);
    QCOMPARE(
        integersOf({JsonValue::Kind::List, false, "[1, 2,3 ]"}, 9), (std::vector<std::int64_t>{1, 2, 3}));
    QCOMPARE(
        integersOf({JsonValue::Kind::Text, false, "[0, 1, 2...]"}, 2), (std::vector<std::int64_t>{0, 1}));
}

void JsonValueTest::escapesAreResolved()
{
    QCOMPARE(unescaped(R"(a\"b\\c\/d\n)"), std::string("a\"b\\c/d\n"));
    QCOMPARE(unescaped(R"(\u00e9\ud83d\ude00)"), std::string("é😀"));
    QCOMPARE(unescaped(R"(C:\Users)"), std::string(R"(C:\Users)")); // written as it is
    QCOMPARE(unescaped(R"(\ud83dx)"), std::string("\xEF\xBF\xBDx")); // half of a pair
    QCOMPARE(unescaped(R"(\u12)"),
        std::string("\xEF\xBF\xBD"
                    "12"));
    QCOMPARE(unescaped("\\"), std::string("\\"));
}

void JsonValueTest::eventsAreParsed()
{
    RawEvent event;
    QVERIFY(parseEvent(R"({"ph": "X", "cat": "kernel", "name": "a\"b", "pid": 0, "tid": "7", "ts": 1.5,
        "dur": 2, "other": [1, {"x": "]"}], "args": {"grid": [1, 2, 3], "warps per SM": inf, "n": null,}})",
        event));
    QVERIFY(event.isPhase('X'));
    QCOMPARE(textOf(event.name), std::string("a\"b"));
    QVERIFY(event.tid.isText() && integerOf(event.tid) == 7);
    QCOMPARE(event.argument("grid").text, std::string_view("[1, 2, 3]"));
    QVERIFY(!realOf(event.argument("warps per SM")) && !event.argument("absent").there());
    for (const char* const bad : {"", "{", "{}x", R"({"ph": "X")", R"({"ph": })", R"({"ph" "X"})",
             R"({"args": {"a": 1})", R"({"name": "a"b"})"})
        QVERIFY2(!parseEvent(bad, event), bad);
}

void JsonValueTest::anythingMayStandAnywhere()
{
    const std::string whole
        = R"({"ph": "X", "name": "\u00e9\\", "ts": -1.5e2, "args": {"a": [1, {"b": "c"}], "d": nan}})";
    RawEvent event;
    for (std::size_t length = 0; length < whole.size(); ++length) {
        const std::vector<char> exact(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length));
        QVERIFY(!parseEvent({exact.data(), exact.size()}, event));
    }
    for (std::size_t at = 0; at < whole.size(); ++at) {
        for (const char c : {'"', '\\', '{', '}', '[', ']', ',', ':', '\0', '\xFF', '\n'}) {
            std::string changed = whole;
            changed[at] = c;
            parseEvent(changed, event);
            static_cast<void>(unescaped(changed));
            static_cast<void>(fieldsOf(changed));
        }
    }
}

WARPLINE_TEST(JsonValueTest)

} // namespace tst_json_value

#include "tst_json_value.moc"
