// The catalogues of core against the sources: each message has its translation, with the same values, in the
// terms and the form that docs/development/terms-zh.md sets.

#include "core/across/across_rule.h"
#include "core/across/rank_summary.h"
#include "core/filter/filter_fields.h"
#include "core/findings/advice.h"
#include "core/findings/rule.h"
#include "core/glossary/glossary.h"
#include "core/handover/mark.h"
#include "core/import/importer.h"
#include "core/kernels/kernel_classes.h"
#include "core/render/language.h"
#include "core/render/render.h"
#include "core/replay/apply_cure.h"
#include "core/stats/stats_table.h"
#include "core/store/problem.h"
#include "core/store/range_words.h"
#include "core/workspace/clock_offset.h"
#include "tests/support/source_texts.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

#include <algorithm>
#include <map>
#include <set>

namespace tst_translations {

using namespace warpline;
using namespace warpline::test;

namespace {

QString textOf(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// The English texts of the messages in the sources, by key: `"rule.what", "text"`.
std::map<QString, QString> messagesOf(const QList<SourceText>& sources)
{
    static const QRegularExpression key("^[a-z0-9_]+(\\.[a-z0-9_]+)+$");
    std::map<QString, QString> messages;
    for (const SourceText& source : sources) {
        // Advice for languages has keys that are put together.
        const bool isAdvice = source.place.endsWith("/advice.cpp");
        // Files whose pairs of a dotted name and a text are not messages: system texts, composed keys.
        static const QRegularExpression others(
            "/platform/|/language_advice\\.cpp$|/filter_fields\\.cpp$|/motion_choice\\.cpp$");
        if (source.place.contains(others))
            continue;
        const QList<SourceText> texts = literalsOf(source.place, source.text);
        for (qsizetype i = 0; i + 1 < texts.size(); ++i) {
            QString english = texts[i + 1].text;
            const bool isPair = texts[i + 1].before == "," && texts[i].text.contains(key);
            if (isPair && !english.contains(key)
                && (!isAdvice || texts[i].text.startsWith("advice."))) // two names that have points
                messages.emplace(texts[i].text, english.replace("\\\"", "\"").replace("\\\\", "\\"));
        }
    }
    return messages;
}

std::map<QString, QString> textsOfEntries();

const std::map<QString, QString>& allMessages()
{
    static const std::map<QString, QString> messages = [] {
        std::map<QString, QString> all = messagesOf(englishSources());
        all.merge(textsOfEntries());
        return all;
    }();
    return messages;
}

/// All texts of the sources.
const std::set<QString>& allLiterals()
{
    static const std::set<QString> literals = [] {
        std::set<QString> all;
        for (const SourceText& source : englishSources()) {
            for (const SourceText& text : literalsOf(source.place, source.text))
                all.insert(text.text);
        }
        return all;
    }();
    return literals;
}

/// Whether `key` belongs to the command line and its pages: texts of commands, exit codes and formats,
/// headers of columns, words in cells. The entry is a text of the sources, its words a key.
bool isOfPages(const QString& key)
{
    static const QSet<QString> said{"command_summary", "exit_meaning", "format_meaning", "column_title",
        "word_text", "compared_title", "capture_fact"};
    const QString entry = key.section('.', 0, -2);
    const QString word = entry.section(" (", 0, 0);
    return said.contains(key.section('.', -1))
        && (allLiterals().contains(entry) || allLiterals().contains(word)
            || allLiterals().contains(QString(word).replace(' ', '_')));
}

/// Whether the entry of a registry has this text: its id and its text are separate texts.
bool isOfEntry(const QString& key)
{
    static const QRegularExpression what("^(?:table|source|question)_");
    const QString said = key.section('.', -1);
    return said.contains(what) && allLiterals().contains(said)
        && allLiterals().contains(key.section('.', 0, -2));
}

/// The texts of registries' entries, by composed keys.
std::map<QString, QString> textsOfEntries()
{
    std::map<QString, QString> texts;
    const auto add = [&texts](const Message& message) {
        if (!message.empty())
            texts.emplace(textOf(message.key()), textOf(message.english()));
    };
    std::vector<const Rule*> rules(allRules().begin(), allRules().end());
    rules.insert(rules.end(), allAcrossRules().begin(), allAcrossRules().end());
    for (const Rule* const rule : rules) {
        for (const Message& each :
            {rule->titleText(), rule->whyText(), rule->remedyText(), rule->caveatText()})
            add(each);
        for (const Threshold& threshold : rule->thresholds)
            add(rule->titleOf(threshold));
    }
    for (const Importer* const importer : allImporters())
        add(importer->progressMessage());
    for (const StatsTable* const table : allStatsTables())
        add(table->titleText());
    for (const Message& advice : allAdvice())
        add(advice);
    for (const GlossaryEntry& entry : glossary()) {
        add(entry.name());
        add(entry.meaning());
    }
    for (const CureSwitch* const cure : allSwitches()) {
        for (const Message& each : {titleOf(*cure), helpOf(*cure), nothingOf(*cure)})
            add(each);
    }
    for (const KernelClass& each : KernelClassRules::builtIn().classes())
        add(titleOf(each));
    for (const EventKind kind : allEventKinds())
        add(kindText(kind));
    for (const FilterFieldInfo& field : allFilterFields())
        add(field.helpText());
    for (const MarkColor& color : markColors())
        add({"mark_color", color.id, color.title});
    for (int kind = 0; kind <= static_cast<int>(ProblemKind::CaptureUnreadable); ++kind)
        add(messageOf({.table = {}, .kind = static_cast<ProblemKind>(kind)}));
    for (int source = 0; source <= static_cast<int>(RankSource::Unknown); ++source)
        add(wordsOf(static_cast<RankSource>(source)));
    for (const ClockMethod method :
        {ClockMethod::Own, ClockMethod::StartTime, ClockMethod::Matched, ClockMethod::Manual})
        add(wordsOf(method));
    for (const auto& [id, title] : {std::pair("kernels", "Kernels"), {"nvtx_gpu", "NVTX paths on the GPU"},
             {"copied", "Bytes copied and set"}, {"collectives", "Collectives"}, {"steps", "Steps"},
             {"copies", "Copies and memsets"}, {"memory", "Device memory"},
             {"nvtx", "NVTX paths on the host"}, {"operators", "Operators by shape"}})
        add({"compare_table", id, title}); // of comparison tables, which are made with their rows
    return texts;
}

/// The values of a text, as "name", and its choices, as "name=branch". Of plurals only the numbers are
/// choices, because "one" and "few" belong to the language.
void addPlaces(const QString& text, std::set<QString>& places)
{
    const auto closing = [](const QString& in, qsizetype open) {
        int depth = 0;
        for (qsizetype i = open; i < in.size(); ++i) {
            depth += in[i] == '{' ? 1 : in[i] == '}' ? -1 : 0;
            if (depth == 0)
                return i;
        }
        return in.size();
    };
    for (qsizetype i = text.indexOf('{'); i >= 0; i = text.indexOf('{', i + 1)) {
        const qsizetype end = closing(text, i);
        const QString inside = text.mid(i + 1, end - i - 1);
        i = end;
        const QString name = inside.section(',', 0, 0).trimmed();
        places.insert(name);
        if (name == inside.trimmed())
            continue;
        const bool isSelect = inside.section(',', 1, 1).trimmed() == "select";
        qsizetype at = inside.indexOf(',', inside.indexOf(',') + 1) + 1;
        for (qsizetype open = inside.indexOf('{', at); open >= 0; open = inside.indexOf('{', at)) {
            const QString branch = inside.mid(at, open - at).trimmed();
            at = closing(inside, open) + 1;
            if (isSelect)
                places.insert(name + '=' + branch);
            addPlaces(inside.mid(open + 1, at - open - 2), places);
        }
    }
}

/// Values of an English text that only choose a grammatical form: "{n, plural, one {is} other {are}}", or
/// words that differ in a capital. A language may omit them.
std::set<QString> grammarOf(const QString& english)
{
    static const QRegularExpression plural("\\{(\\w+), plural, one \\{[^{}#]*\\} other \\{[^{}#]*\\}\\}");
    static const QRegularExpression capital("\\{(\\w+), select, \\w+ \\{([^{}]*)\\} other \\{([^{}]*)\\}\\}");
    std::set<QString> names;
    for (const auto& match : plural.globalMatch(english))
        names.insert(match.captured(1));
    for (const auto& match : capital.globalMatch(english)) {
        if (match.captured(2).toLower() == match.captured(3).toLower())
            names.insert(match.captured(1));
    }
    return names;
}

QStringList placesOf(const QString& text)
{
    std::set<QString> places;
    addPlaces(text, places);
    return {places.begin(), places.end()};
}

/// The words of a message without names of values and choices: "{n, plural, one {# copy} ...}" is "# copy
/// ...".
QString wordsOf(QString text)
{
    static const QRegularExpression value("\\{\\w+\\}");
    static const QRegularExpression choice("\\{\\w+, (?:plural|select),|(?<=[,}]) =?[\\w ]+ \\{|[{}]");
    return text.replace(value, "\u25a1").replace(choice, "\n");
}

const Language& chinese()
{
    return *findLanguage("zh_CN");
}

/// A row of the first table of the list of terms.
struct Term {
    QStringList english;
    QStringList chinese;
    QStringList avoided;
};

QList<Term> allTerms()
{
    static const QRegularExpression row(
        "^\\| (.+?) \\| (.+?) \\|(.*)\\|$", QRegularExpression::MultilineOption);
    QFile file(WARPLINE_SOURCE_DIR "/docs/development/terms-zh.md");
    QList<Term> terms;
    if (!file.open(QIODevice::ReadOnly))
        return terms;
    for (const auto& match : row.globalMatch(QString::fromUtf8(file.readAll()))) {
        if (match.captured(1) != "English")
            terms.append({match.captured(1).split(", "), match.captured(2).split(", "),
                match.captured(3).trimmed().split(", ", Qt::SkipEmptyParts)});
    }
    return terms;
}

QString listed(const QStringList& found)
{
    return QString::number(found.size()) + ":\n" + found.join('\n');
}

} // namespace

class TranslationsTest : public QObject {
    Q_OBJECT

private slots:
    void messagesAreFound();
    void eachMessageHasItsTranslation();
    void headsOfColumnsHaveTheirTranslation();
    void valuesAreTheSame();
    void termsAreThoseOfTheList();
    void punctuationIsChinese();
    void nothingIsLeftInEnglish();
    void spacesFollowTheValues();
    void localesChooseTheirLanguage_data();
    void localesChooseTheirLanguage();
};

/// The other tests are useless if no message is read.
void TranslationsTest::messagesAreFound()
{
    QVERIFY(allMessages().size() > 700);
    const auto found
        = messagesOf({{"a.cpp", "Message m(\"one.two\", \"{n} \\\"x\\\"\"\n  \" y\"); // \"a.b\", \"no\""}});
    QCOMPARE(found.size(), std::size_t{1});
    QCOMPARE(found.at("one.two"), QString("{n} \"x\" y"));
    QCOMPARE(placesOf("{a} {n, plural, =0 {no} one {# of {b}} other {#}} {k, select, x {{c}} other {}}"),
        QStringList({"a", "b", "c", "k", "k=other", "k=x", "n"}));
}

void TranslationsTest::eachMessageHasItsTranslation()
{
    for (const Language* const language : allLanguages()) {
        if (language->texts.empty())
            continue;
        std::set<QString> translated;
        QStringList wrong;
        for (const auto& [key, text] : language->texts) {
            translated.insert(textOf(key));
            if (!allMessages().contains(textOf(key)) && !isOfEntry(textOf(key)) && !isOfPages(textOf(key)))
                wrong << "left over: " + textOf(key);
        }
        for (const auto& [key, english] : allMessages()) {
            if (!translated.contains(key))
                wrong << "missing: " + key + ": " + english;
        }
        QVERIFY2(wrong.isEmpty(), qPrintable(listed(wrong)));
    }
}

/// For tables other than nsys': headers with words.
void TranslationsTest::headsOfColumnsHaveTheirTranslation()
{
    static const QRegularExpression head("\\{\"([^\"]+)\", (?:Unit::\\w+|unit)\\}");
    static const QRegularExpression kept("\\((?:ns|B|MHz|GB/s)\\)|FLOPs|TFLOP/s|TB/s|Roofline|StdDev");
    static const QRegularExpression word("[a-z]{2,}");
    std::set<QString> translated;
    for (const auto& [key, text] : chinese().texts)
        translated.insert(textOf(key));
    int heads = 0;
    QStringList wrong;
    for (const SourceText& source : englishSources()) {
        if (!source.place.contains("core/export/"))
            continue;
        for (const auto& match : head.globalMatch(source.text)) {
            const QString title = match.captured(1);
            ++heads;
            if (QString(title).remove(kept).contains(word) && !translated.contains(title + ".column_title"))
                wrong << source.place + ": " + title;
        }
    }
    QVERIFY(heads > 100);
    QVERIFY2(wrong.isEmpty(), qPrintable(listed(wrong)));
}

void TranslationsTest::valuesAreTheSame()
{
    QStringList wrong;
    for (const Language* const language : allLanguages()) {
        for (const auto& [key, text] : language->texts) {
            const auto english = allMessages().find(textOf(key));
            if (english == allMessages().end())
                continue;
            const QStringList own = placesOf(textOf(text));
            QStringList wanted = placesOf(english->second);
            for (const QString& name : grammarOf(english->second)) {
                if (!own.contains(name))
                    wanted.removeIf([&](const QString& place) { return place.section('=', 0, 0) == name; });
            }
            if (own != wanted)
                wrong << textOf(key) + ": " + wanted.join(' ') + " but " + own.join(' ');
        }
    }
    QVERIFY2(wrong.isEmpty(), qPrintable(listed(wrong)));
}

void TranslationsTest::termsAreThoseOfTheList()
{
    const QList<Term> terms = allTerms();
    QVERIFY(terms.size() > 80);
    QStringList wrong;
    for (const Term& term : terms) {
        QStringList words;
        for (const QString& word : term.english)
            words << QRegularExpression::escape(word);
        const QRegularExpression used(
            "(?<![\\w-])(?:" + words.join('|') + ")s?(?![\\w-])", QRegularExpression::CaseInsensitiveOption);
        int uses = 0;
        for (const auto& [key, text] : chinese().texts) {
            const QString translated = textOf(text);
            const auto has = [&translated](const QString& word) { return translated.contains(word); };
            if (std::ranges::any_of(term.avoided, has))
                wrong << "to avoid: " + term.avoided.join(", ") + " in " + textOf(key) + ": " + translated;
            const auto english = allMessages().find(textOf(key));
            // An unchanged text, such as an option with the word, is not a translation of it.
            const bool isUsed = english != allMessages().end() && wordsOf(english->second).contains(used);
            uses += isUsed ? 1 : 0;
            if (isUsed && !std::ranges::any_of(term.chinese, has) && !wordsOf(translated).contains(used))
                wrong << term.english.front() + " is not " + term.chinese.join(", ") + " in " + textOf(key)
                        + ": " + translated;
        }
    }
    QVERIFY2(wrong.isEmpty(), qPrintable(listed(wrong)));
}

void TranslationsTest::punctuationIsChinese()
{
    // A Chinese letter next to a Latin one or a digit, and half-width punctuation next to a Chinese letter.
    static const QRegularExpression unspaced("[\u4e00-\u9fff][A-Za-z0-9]|[A-Za-z0-9%][\u4e00-\u9fff]");
    static const QRegularExpression half(
        "[\u4e00-\u9fff][,:;!?(]|[,;!?)][\u4e00-\u9fff]|[\u4e00-\u9fff]\\.(?!\\w)");
    static const QRegularExpression spaced(
        "[\uff0c\u3002\uff1a\uff1b\uff08] | [\uff0c\u3002\uff1a\uff1b\uff09]");
    QStringList wrong;
    for (const auto& [key, text] : chinese().texts) {
        for (const QRegularExpression& form : {unspaced, half, spaced}) {
            if (const auto match = form.match(wordsOf(textOf(text))); match.hasMatch())
                wrong << textOf(key) + " has '" + match.captured() + "': " + textOf(text);
        }
    }
    QVERIFY2(wrong.isEmpty(), qPrintable(listed(wrong)));
}

/// Three consecutive English words that are not a command line, an API or a name.
void TranslationsTest::nothingIsLeftInEnglish()
{
    static const QRegularExpression sentence("(?:\\b[A-Za-z]?[a-z]+\\b[ ,]+){2}\\b[a-z]+\\b");
    static const QRegularExpression names(
        "real, pinned, allocatable|target enter data|cuf kernel do|parallel loop gang vector|target teams distribute parallel for|nsys \\w+ [^\u4e00-\u9fff]*|#pragma [^\u4e00-\u9fff]*|\\w+\\([^)]*\\)|__global__[^\u4e00-\u9fff]*|memory workload analysis|git lfs pull");
    static const QRegularExpression code("\\n  [^\\n]*"); // lines to paste
    QStringList wrong;
    for (const auto& [key, text] : chinese().texts) {
        if (const auto match = sentence.match(wordsOf(textOf(text).remove(code)).remove(names));
            match.hasMatch())
            wrong << textOf(key) + " has '" + match.captured() + "': " + textOf(text);
    }
    QVERIFY2(wrong.isEmpty(), qPrintable(listed(wrong)));
}

/// A value may be Latin or Chinese; names of the report stay as they are.
void TranslationsTest::spacesFollowTheValues()
{
    static constexpr std::array texts{
        Translation{"test.outer", "主机 {what} 了，{name} 用 {time}"}, Translation{"test.wide", "等待"}};
    Language language = chinese();
    language.texts = texts;
    const auto shown = [&language](const char* name, Message what) {
        return render(
            {"test.outer", "", {{"what", std::move(what)}, {"name", Name{name}}, {"time", Count{7}}}},
            Markup::Plain, language);
    };
    QCOMPARE(shown("k 1", {"test.wide", ""}), std::string("主机等待了，k 1 用 7"));
    QCOMPARE(shown("数据 加载", Message("idle")), std::string("主机 idle 了，数据 加载用 7"));
    QCOMPARE(render(Message("test.wide", "") + Message("test.wide", ""), Markup::Plain, language),
        std::string("等待等待"));
}

void TranslationsTest::localesChooseTheirLanguage_data()
{
    QTest::addColumn<QString>("locale");
    QTest::addColumn<QString>("key");
    const std::map<QString, QString> expected{{"zh_CN.UTF-8", "zh_CN"}, {"zh-Hans-CN", "zh_CN"},
        {"zh_SG", "zh_CN"}, {"zh", "zh_CN"}, {"zh_CN@pinyin", "zh_CN"}, {"zh_TW.UTF-8", "en"},
        {"zh-Hant-CN", "en"}, {"C", "en"}, {"", "en"}, {"de_DE", "en"}, {"pseudo", "en"}, {"zhx", "en"}};
    for (const auto& [locale, key] : expected)
        QTest::newRow(qPrintable(locale)) << locale << key;
}

void TranslationsTest::localesChooseTheirLanguage()
{
    QFETCH(QString, locale);
    QFETCH(QString, key);
    QCOMPARE(textOf(languageOfLocale(locale.toStdString()).key), key);
}

WARPLINE_TEST(TranslationsTest)

} // namespace tst_translations

#include "tst_translations.moc"
