// Every text for users in the sources: its words, the length of its sentences, its form. Read from the
// sources, so that no text needs a report in which it appears.

#include "tests/support/source_texts.h"
#include "tests/support/test_program.h"

#include <QRegularExpression>
#include <QTest>

namespace tst_texts {

using namespace warpline::test;

namespace {

/// The longest text that a message with choices can become: "{n, plural, one {# copy} other {# copies}}" is
/// "# copies". Placeholders are a word each.
QString longestOf(const QString& message)
{
    const auto closing = [&](qsizetype open) {
        int depth = 0;
        for (qsizetype i = open; i < message.size(); ++i) {
            depth += message[i] == '{' ? 1 : message[i] == '}' ? -1 : 0;
            if (depth == 0)
                return i;
        }
        return message.size();
    };
    static const QRegularExpression choice(R"(^\w+, (?:select|plural), )");
    QString text;
    for (qsizetype i = 0; i < message.size(); ++i) {
        if (message[i] != '{') {
            text += message[i];
            continue;
        }
        const qsizetype end = closing(i);
        const QString inside = message.mid(i + 1, end - i - 1);
        i = end;
        const auto head = choice.match(inside);
        if (!head.hasMatch()) {
            text += "X";
            continue;
        }
        QString longest;
        int depth = 0;
        qsizetype start = 0;
        for (qsizetype at = head.capturedEnd(); at < inside.size(); ++at) {
            if (inside[at] == '{' && ++depth == 1)
                start = at + 1;
            if (inside[at] != '}' || --depth != 0)
                continue;
            const QString branch = longestOf(inside.mid(start, at - start));
            if (branch.count(' ') >= longest.count(' '))
                longest = branch;
        }
        text += longest;
    }
    return text;
}

/// Sentences of the sources, without SQL, lists of names and single words.
bool isProse(const QString& text)
{
    static const QRegularExpression code("SELECT |INSERT | LIKE |\\w::\\w+ \\w+::");
    return text.count(' ') >= 2 && !text.contains(code);
}

/// All texts of the programs.
const QList<SourceText>& allTexts()
{
    static const QList<SourceText> texts = [] {
        QList<SourceText> all;
        for (const SourceText& source : englishSources()) {
            for (const SourceText& each : literalsOf(source.place, source.text)) {
                if (isProse(each.text))
                    all.append({each.place, longestOf(each.text)});
            }
        }
        return all;
    }();
    return texts;
}

QString report(const QStringList& found)
{
    return QString::number(found.size()) + " texts:\n" + found.join('\n');
}

} // namespace

class TextsTest : public QObject {
    Q_OBJECT

private slots:
    void textsAreFound();
    void longestFormsOfMessages();
    void wordsAreStandard();
    void sentencesAreShort();
    void errorsDoNotShout();
    void labelsAreInSentenceCase();
    void fragmentsBecomeFewer();
    void pluralsByHandBecomeFewer();
};

/// The other tests are useless if no text is read.
void TextsTest::textsAreFound()
{
    QVERIFY(allTexts().size() > 2500);
    const auto texts
        = literalsOf("a", "x = \"one two\"\n  \" three\"; // \"no\"\ny('\"', R\"(four \"five\" six)\");");
    QCOMPARE(texts.size(), 2);
    QCOMPARE(texts[0].text, QString("one two three"));
    QCOMPARE(texts[1].text, QString("four \"five\" six"));
    QCOMPARE(texts[1].place, QString("a:3"));
}

void TextsTest::longestFormsOfMessages()
{
    QCOMPARE(
        longestOf(
            "{n, plural, one {# copy} other {# copies of {kind, select, a {pinned memory} other {}}}} take {time}"),
        QString("# copies of pinned memory take X"));
}

void TextsTest::wordsAreStandard()
{
    static const QRegularExpression banned(
        R"(\bcalled so\b|\bwhat is called\b|\ball that is known\b|\b(is|are) (told|said)\b|\btells? apart\b|\bmend(ed|s|ing)?\b)"
        R"(|\bfigures?\b|\bjudge[sd]?\b|\bpaid once\b|\bstands? (here|first|then)\b|\bis no (rank|JSON)\b|\bsets of memory\b)"
        R"(|\bcopies and sets\b|\b(as far|in as much) as\b|\bmeanwhile\b|\banew\b|\bbeside\b|\bplease\b|\(s\)|\bcould save at most\b)",
        QRegularExpression::CaseInsensitiveOption);
    QStringList found;
    for (const SourceText& each : allTexts()) {
        if (const auto match = banned.match(each.text); match.hasMatch())
            found << each.place + " says '" + match.captured() + "': " + each.text;
    }
    QVERIFY2(found.isEmpty(), qPrintable(report(found)));
}

void TextsTest::sentencesAreShort()
{
    constexpr int maxWords = 25;
    static const QRegularExpression tag("<[^<>]*>");
    static const QRegularExpression end("(?<=[.!?:;])\\s+|\\\\n|\\n|\\|");
    static const QRegularExpression space("\\s+");
    QStringList found;
    for (const SourceText& each : allTexts()) {
        for (const QString& sentence : QString(each.text).replace(tag, "\n").split(end)) {
            if (const auto words = sentence.split(space, Qt::SkipEmptyParts).size(); words > maxWords)
                found << each.place + " has " + QString::number(words) + " words: " + sentence;
        }
    }
    QVERIFY2(found.isEmpty(), qPrintable(report(found)));
}

void TextsTest::errorsDoNotShout()
{
    static const QRegularExpression shout("[a-z]!(\\s|$)");
    QStringList found;
    for (const SourceText& each : allTexts()) {
        if (each.text.contains(shout))
            found << each.place + ": " + each.text;
    }
    QVERIFY2(found.isEmpty(), qPrintable(report(found)));
}

/// Titles of nsys' tables are nsys' words, and products have capitals.
void TextsTest::labelsAreInSentenceCase()
{
    static const QRegularExpression titled("^(?:[A-Z][a-z]+ ){2,}[A-Z][a-z]+$");
    static const QStringList others{"Result Elements Max", "Create New Folder"}; // a column of CSV files, a button of Qt
    static const QRegularExpression names("^core/(stats|kineto|store)/"); // of nsys, PyTorch, CUPTI
    QStringList found;
    for (const SourceText& each : allTexts()) {
        if (each.text.contains(titled) && !each.place.contains(names) && !others.contains(each.text))
            found << each.place + ": " + each.text;
    }
    QVERIFY2(found.isEmpty(), qPrintable(report(found)));
}

/// Appended parts of sentences cannot be translated. The number may only decrease: set it to the count when
/// fewer are left. A third of them are not sentences: the end of a list (" and ", " or ", " and 3 more"), a
/// unit after a number (" per step"), a name (" tensor cores"). The others are conditional parts of the
/// checklist's answers, verdicts and sentences about ranks: each becomes a choice ("{late, select, yes {...}
/// other {}}") when its sentence becomes a message.
void TextsTest::fragmentsBecomeFewer()
{
    constexpr int known = 50;
    static const QRegularExpression glued("^(?:, |: | [a-z{])");
    // A whole sentence behind another one.
    static const QRegularExpression sentence("^ (?:X|ioctl) .*\\.$");
    // Texts of formats: NCCL's and PyTorch's names, JSON, SVG, SQL, Markdown, and the columns of --help.
    static const QRegularExpression formats(
        "^(?:core/operators/(?:operator_roof|operator_rows|operator_works|recorded)|core/steps/(?:step|serving)_names"
        "|core/rocprof/|core/export/(?:chrome_trace|history_html|overview_text)|app/cli_(?:help|main))");
    QStringList found;
    for (const SourceText& each : allTexts()) {
        if (each.text.contains(glued) && each.place.contains(".cpp") && !each.text.contains(sentence)
            && !each.place.contains(formats))
            found << each.place + ": " + each.text;
    }
    QVERIFY2(found.size() <= known, qPrintable(report(found)));
}

/// Languages differ in their plurals: messages leave them to the catalogue.
/// The number may only decrease, as above. Half of the rest chooses a whole sentence, or the value of a
/// message; the other half are verbs and nouns of the checklist and of comparisons, which are not messages
/// yet. Qt's tr() has both forms as whole sentences, because English has no catalogue.
void TextsTest::pluralsByHandBecomeFewer()
{
    constexpr int known = 15;
    static const QRegularExpression choice(R"re(== 1\s*\?\s*(?:\w+(?:::\w+)*\()?"[^"]* ?[a-z])re");
    QStringList found;
    for (const SourceText& source : englishSources()) {
        if (!source.place.startsWith("core/"))
            continue;
        for (const auto& match : choice.globalMatch(source.text))
            found << source.place + ": " + match.captured();
    }
    QVERIFY2(found.size() <= known, qPrintable(report(found)));
}

WARPLINE_TEST(TextsTest)

} // namespace tst_texts

#include "tst_texts.moc"
