// In the pseudo language sentences are keys and values; in other languages they are translations. All other
// results of an analysis equal those in English: no code may depend on a sentence.

#include "core/across/across_rule.h"
#include "core/across/judge_ranks.h"
#include "core/base/message_names.h"
#include "core/base/utf8.h"
#include "core/budget/gpu_budget.h"
#include "core/cache/message_archive.h"
#include "core/export/budget_text.h"
#include "core/export/compare_text.h"
#include "core/export/critical_path_text.h"
#include "core/export/findings_text.h"
#include "core/export/history_text.h"
#include "core/export/info_json.h"
#include "core/export/json_text.h"
#include "core/export/ranks_text.h"
#include "core/filter/filter_fields.h"
#include "core/glossary/glossary.h"
#include "core/load/load_report.h"
#include "core/query/counter_stats.h"
#include "core/query/event_text.h"
#include "core/render/language.h"
#include "core/render/render.h"
#include "core/rows/row_kind.h"
#include "core/sql/ready_questions.h"
#include "core/stats/stats_table.h"
#include "core/store/counter_title.h"
#include "core/store/range_words.h"
#include "core/store/trace.h"
#include "core/timetree/time_tree_source.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"
#include "tests/support/whole_analysis.h"

#include <QDirIterator>
#include <QFile>
#include <QMap>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <set>
#include <span>

namespace tst_pseudo_language {

using namespace warpline;
using namespace warpline::test;

namespace {

/// Texts for people in the JSON of analyze and the other commands.
constexpr std::array textKeys
    = std::to_array<std::string_view>({"title", "message", "why", "remedy", "may_be_wrong", "lowered_because",
        "stands_first_because", "note", "sentences", "explanation", "launch", "text", "label", "bound",
        "machine", "phases_mean_of", "reasons", "hints", "sentence", "story", "reason", "a_title", "b_title",
        "notes", "communicator_label", "unlike_others", "abstained_because", "question", "figure", "basis"});

/// Removes the texts from `json`, but keeps whether there are any.
void dropTexts(Json& json)
{
    if (!json.is_structured())
        return;
    for (auto& [key, value] : json.items()) {
        if (key == "phases") { // their names are texts, those of GPUs and kernels are of the report
            for (Json& phase : value)
                phase["name"] = phase["name"] != "";
        }
        if (key == "gpus" && value.is_array()) { // "GPU 0 of [523] train"
            for (Json& gpu : value) {
                if (gpu.is_object() && gpu.contains("name") && gpu.contains("computing_ns"))
                    gpu["name"] = gpu["name"] != "";
            }
        }
        if (key == "facts" && value.is_array()) { // the recorders of the runs, as text
            for (Json& fact : value)
                fact["a"] = fact["b"] = fact["a"].is_null() || fact["b"].is_null();
        }
        if (key == "cause" && value.is_object() && value["kind"] == "idle") // else a range of the report
            value["part"] = value["part"] != "";
        if (key == "verdict" && json.contains("late_rank")) // a sentence in ranks, a key elsewhere
            value = value != "";
        const bool isText = json.is_object() && std::ranges::find(textKeys, key) != textKeys.end();
        if (isText)
            value = !value.empty() && value != "";
        else
            dropTexts(value);
    }
}

void check(const Json& text)
{
    const auto said = text.is_null() ? std::string() : text.get<std::string>();
    QVERIFY2(said.empty() || said.front() == '[', said.c_str());
    QVERIFY2(said.find("[verbatim]") == std::string::npos, said.c_str());
}

void checkFinding(const Json& json)
{
    for (const char* const key :
        {"title", "message", "why", "remedy", "may_be_wrong", "lowered_because", "stands_first_because"})
        check(json[key]);
    for (const Json& merged : json["merged"])
        checkFinding(merged);
}

/// Overview, checklist and findings are made of messages alone: no sentence was a text before it had a
/// language.
void checkTexts(const Json& answer)
{
    const Json& json = answer["overview"];
    for (const Json& sentence : json["sentences"])
        check(sentence);
    for (const Json& part : json["parts"]) {
        check(part["title"]);
        for (const Json& phase : part["phases"])
            check(phase["name"]);
    }
    check(json["machine"]);
    if (!json["steps"].is_null())
        check(json["steps"]["bound"]);
    for (const Json& kernel : json["kernels"])
        check(kernel["launch"]);
    for (const Json& question : answer["checklist"]) {
        for (const char* const key : {"question", "figure", "explanation"})
            check(question[key]);
    }
    for (const Json& finding : answer["findings"])
        checkFinding(finding);
    check(answer["measured"]["basis"]);
}

/// The output of `make` in `language`, without its texts.
template <typename Make> std::string answerIn(const char* language, Make make)
{
    setLanguage(*findLanguage(language));
    Json json = make();
    setLanguage(*findLanguage("en"));
    dropTexts(json);
    return json.dump(1);
}

/// Whether `make` returns the same in all languages.
template <typename Make> bool isSame(Make make)
{
    const std::string english = answerIn("en", make);
    for (const char* const language : {"pseudo", "zh_CN"}) {
        const std::string other = answerIn(language, make);
        if (other == english)
            continue;
        const std::size_t at
            = static_cast<std::size_t>(std::ranges::mismatch(other, english).in1 - other.begin());
        qWarning("%s\n%s\n%s", language, other.substr(at, 200).c_str(), english.substr(at, 200).c_str());
        return false;
    }
    return true;
}

Json analysisOf(const Trace& trace)
{
    const TimeRange window = trace.session;
    const std::vector<Finding> findings = runRules(trace, window);
    const std::vector<ChecklistAnswer> checklist = answerChecklist(trace, window);
    const RunOverview overview = overviewOf(trace, window);
    Json json = findingsJson(
        trace, AnalysisText{.findings = findings, .checklist = checklist, .overview = &overview});
    if (language().isPseudo)
        checkTexts(json);
    return json;
}

Json stepsOf(const Trace& trace)
{
    const TimeRange whole{trace.session.start, trace.session.end + 1};
    const GpuBudgets budgets(trace, kernelClassRules());
    const auto all = stepBudgets(trace, budgets, findGpuSteps(trace, whole));
    return {{"steps", stepsJson(trace, all, budgets.parts(), servingOf(trace, trace.session, {}))},
        {"summary", summaryJson(trace, all, budgets.parts(), {})},
        {"paths", pathsJson(trace, stepPaths(trace, all, kernelClassRules()), kernelClassRules())},
        {"info", infoJson(trace)}};
}

/// The comparison of two recordings, and the history of both.
Json comparisonOf(const SideReport& a, const SideReport& b)
{
    CompareRequest request;
    request.a.reports.push_back(a);
    request.b.reports.push_back(b);
    Comparison comparison = compareRuns(request);
    compareFindings(request, comparison);
    History history = historyOf({recordingOf(a, {}), recordingOf(b, {})});
    for (HistoryChange& change : history.changes)
        change.story = storyOfChange(a, b, {}, assumedRunNoise);
    return {{"comparison", compareJson({.comparison = comparison})},
        {"history", historyJson({.history = history})}};
}

/// Messages alone make `json`: nothing in it was a text before it had a language.
void checkMessages(const Json& json)
{
    Json checked = json;
    if (checked.contains("comparison"))
        checked["comparison"].erase("findings"); // tst_messages counts those that are not
    const std::string text = checked.dump();
    const std::size_t at = text.find("[verbatim]");
    if (at != std::string::npos)
        QFAIL(text.substr(at < 300 ? 0 : at - 300, 310).c_str());
}

/// All texts of timeline, Details and tooltips about `trace`; for each kind as many events as a user may look
/// at.
std::vector<Message> timelineTexts(const Trace& trace)
{
    constexpr std::size_t most = 40;
    std::vector<Message> texts;
    const auto rows = buildRows(trace);
    for (std::uint32_t i = 1; i < rows->size(); ++i) {
        const Row& row = rows->row(RowId{i});
        texts.insert(texts.end(), {row.label, row.figure, row.hint});
    }
    prepareFacts(trace);
    const auto add = [&texts](const std::vector<TextRow>& facts) {
        for (const TextRow& fact : facts)
            texts.insert(texts.end(), {fact.label, fact.value});
    };
    for (const EventKind kind : allEventKinds()) {
        const std::size_t count = trace.table(kind).size();
        for (std::size_t i = 0; i < count; i += std::max<std::size_t>(1, count / most)) {
            const EventRef event{kind, static_cast<EventIndex>(i)};
            add(detailsOf(trace, event));
            add(tooltipOf(trace, event));
            add(metricsDuring(trace, event));
        }
    }
    for (const CounterSeries& series : trace.counters)
        texts.insert(texts.end(), {counterTitle(trace, series), counterPlace(trace, series)});
    std::erase_if(texts, [](const Message& text) { return text.empty(); });
    return texts;
}

/// English in the Chinese `text`, without names of the report and terms that engineers keep in English: two
/// words, the second in lower case.
QString englishIn(const Message& text)
{
    static const QRegularExpression words("\\b[A-Za-z][a-z]+ [a-z]{2,}\\b");
    static const QRegularExpression left("Correlation id|nsys profile|User data|protocol data|OS runtime");
    QString shown = QString::fromStdString(render(text, Markup::Plain, *findLanguage("zh_CN")));
    for (const std::string_view name : namesIn(text))
        shown.remove(QString::fromStdString(onOneLine(name)));
    const auto match = words.match(shown.remove(left));
    return match.hasMatch() ? match.captured() + " in " + shown : QString();
}

/// The traces of PyTorch's profiler that the tree holds.
std::vector<std::string> tracesOfTree()
{
    std::vector<std::string> paths;
    for (QDirIterator files(WARPLINE_TEST_DATA "/traces", {"*.json.gz"}); files.hasNext();)
        paths.push_back(files.next().toStdString());
    return paths;
}

std::vector<std::string> allReports()
{
    return reportsBelow({WARPLINE_TEST_DATA, WARPLINE_SHARED_REPORTS "/.."});
}

} // namespace

class PseudoLanguageTest : public QObject {
    Q_OBJECT

private slots:
    void registriesHaveKeys();
    void answersAreTheSame_data();
    void answersAreTheSame();
    void timelineIsInTheLanguage_data();
    void timelineIsInTheLanguage();
    void keptMessagesAreTheSame();
    void comparisonsAreTheSame_data();
    void comparisonsAreTheSame();
    void ranksAreTheSame_data();
    void ranksAreTheSame();
};

/// The texts of rules, tables and terms can be translated: each has its own key.
void PseudoLanguageTest::registriesHaveKeys()
{
    std::set<std::string> keys;
    const auto add = [&](const Message& text) {
        QVERIFY2(!text.empty() && keys.emplace(text.key()).second, std::string(text.key()).c_str());
        QVERIFY2(plain(text) == text.english(), std::string(text.key()).c_str());
    };
    for (const Rule* const rule : allRules()) {
        for (const Message& text :
            {rule->titleText(), rule->whyText(), rule->remedyText(), rule->caveatText()})
            add(text);
        for (const Threshold& threshold : rule->thresholds)
            add(rule->titleOf(threshold));
    }
    for (const Rule* const rule : allAcrossRules()) {
        QVERIFY2(rule->checkRanks && !rule->check, std::string(rule->id).c_str());
        if (findRule(rule->id)) // whose texts it uses
            continue;
        for (const Message& text :
            {rule->titleText(), rule->whyText(), rule->remedyText(), rule->caveatText()})
            add(text);
    }
    for (const StatsTable* const table : allStatsTables()) {
        add(table->titleText());
        add(table->descriptionText());
    }
    for (const TimeTreeSource* const source : allTimeTreeSources()) {
        for (const Message& text :
            {source->titleText(), source->descriptionText()}) // they choose by the recorder
            QVERIFY2(
                keys.emplace(text.key()).second && !plain(text).empty(), std::string(text.key()).c_str());
    }
    for (const ReadyQuestion& question : readyQuestions())
        add(question.titleText());
    for (const GlossaryEntry& entry : glossary())
        add(entry.meaning());
    for (const EventKind kind : allEventKinds())
        add(kindText(kind));
    for (const FilterFieldInfo& field : allFilterFields())
        add(field.helpText());
    QCOMPARE(render(allRules().front()->whyText(), Markup::Plain, *findLanguage("pseudo")),
        "[" + std::string(allRules().front()->id) + ".rule_why]");
}

void PseudoLanguageTest::answersAreTheSame_data()
{
    QTest::addColumn<QString>("path");
    std::vector<std::string> paths = tracesOfTree();
    const std::vector<std::string> reports = allReports();
    paths.insert(paths.end(), reports.begin(), reports.end());
    QVERIFY(paths.size() > 2);
    for (const std::string& path : paths)
        QTest::newRow(path.c_str()) << QString::fromStdString(path);
}

void PseudoLanguageTest::answersAreTheSame()
{
    QFETCH(QString, path);
    const auto trace = loadReport(path.toStdString());
    if (!trace.ok())
        QSKIP("not a report that can be read");
    QVERIFY(isSame([&] { return analysisOf(*trace.value()); }));
    QVERIFY(isSame([&] {
        const Json json = stepsOf(*trace.value());
        checkMessages(json);
        return json;
    }));
}

void PseudoLanguageTest::timelineIsInTheLanguage_data()
{
    answersAreTheSame_data();
}

/// Rows, Details and tool tips are messages, and each has its Chinese.
void PseudoLanguageTest::timelineIsInTheLanguage()
{
    QFETCH(QString, path);
    const auto trace = loadReport(path.toStdString());
    if (!trace.ok())
        QSKIP("not a report that can be read");
    std::set<std::string> wrong;
    for (const Message& text : timelineTexts(*trace.value())) {
        const std::string keys = render(text, Markup::Plain, *findLanguage("pseudo"));
        if (keys.find("[verbatim]") != std::string::npos)
            wrong.insert(keys + " " + plain(text));
        if (const QString english = englishIn(text); !english.isEmpty())
            wrong.insert(english.toStdString());
    }
    for (const std::string& each : wrong)
        qWarning("%s", each.c_str());
    QVERIFY(wrong.empty());
}

/// Stored data of a history is read in the language of the second run.
void PseudoLanguageTest::keptMessagesAreTheSame()
{
    Message message("test.outer", "{a} {b} {c} {d} {e} {f} {g} {h} {i}",
        {{"a", Duration{12}}, {"b", Instant{34, 10}}, {"c", TimeRange{5, 6}}, {"d", Bytes{7}},
            {"e", Share{0.25}}, {"f", Number{1.5, 2}}, {"g", Name{"k<1>"}},
            {"h", Message("test.inner", "{n}", {{"n", Ordinal{-3}}})},
            {"i", std::vector<Message>{"as it is", {"test.item", "item"}}}});
    message += {"test.second", "Second."};
    message.setOfHip();
    const QTemporaryDir folder;
    const std::string path = folder.filePath("kept").toStdString();
    ArchiveWriter writer(path, {});
    writeMessage(writer, message);
    QVERIFY(writer.close());
    QFile file(QString::fromStdString(path));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray bytes = file.readAll();
    ArchiveReader reader(std::as_bytes(std::span(bytes.constData(), static_cast<std::size_t>(bytes.size()))));
    const Message kept = readMessage(reader);
    QVERIFY(reader.ok() && kept == message && kept.isOfHip());
    for (const char* const language : {"en", "pseudo", "zh_CN"})
        QCOMPARE(render(kept, Markup::Plain, *findLanguage(language)),
            render(message, Markup::Plain, *findLanguage(language)));
    ArchiveReader cut(
        std::as_bytes(std::span(bytes.constData(), static_cast<std::size_t>(bytes.size()) / 2)));
    QVERIFY(readMessage(cut).empty() && !cut.ok());
}

void PseudoLanguageTest::comparisonsAreTheSame_data()
{
    QTest::addColumn<QString>("before");
    QTest::addColumn<QString>("after");
    const std::vector<std::string> reports = reportsBelow({WARPLINE_TEST_DATA});
    QVERIFY(reports.size() > 1);
    QTest::newRow("tree") << QString::fromStdString(reports[0]) << QString::fromStdString(reports[1]);
    for (const std::string& path : allReports()) {
        const QString before = QString::fromStdString(path);
        if (before.contains("/pairs/") && before.endsWith("_before.sqlite"))
            QTest::newRow(path.c_str()) << before << QString(before).replace("_before.", "_after.");
    }
}

void PseudoLanguageTest::comparisonsAreTheSame()
{
    QFETCH(QString, before);
    QFETCH(QString, after);
    const auto a = loadReport(before.toStdString());
    const auto b = loadReport(after.toStdString());
    QVERIFY(a.ok() && b.ok());
    QVERIFY(isSame([&] {
        const Json json = comparisonOf({a.value(), before.toStdString()}, {b.value(), after.toStdString()});
        checkMessages(json);
        return json;
    }));
}

void PseudoLanguageTest::ranksAreTheSame_data()
{
    QTest::addColumn<QStringList>("paths");
    QMap<QString, QStringList> sets; // files of a folder whose names differ in the rank
    for (const std::string& path : allReports()) {
        const QString file = QString::fromStdString(path);
        static const QRegularExpression number("rank_?\\d+");
        if (file.contains(number))
            sets[QString(file).replace(number, "rank")] << file;
    }
    sets["single"] << QString::fromStdString(reportsBelow({WARPLINE_TEST_DATA}).front());
    for (auto set = sets.cbegin(); set != sets.cend(); ++set)
        QTest::newRow(qPrintable(set.key())) << set.value();
}

void PseudoLanguageTest::ranksAreTheSame()
{
    QFETCH(QStringList, paths);
    std::vector<std::shared_ptr<const Trace>> traces;
    for (const QString& path : paths) {
        if (auto trace = loadReport(path.toStdString()); trace.ok())
            traces.push_back(trace.take());
    }
    QVERIFY(isSame([&] {
        std::vector<ReportSummary> summaries;
        for (const auto& trace : traces)
            summaries.push_back(summarize(*trace, trace->info.path));
        const Json json = ranksJson(judgeSummaries(summaries));
        checkMessages(json);
        return json;
    }));
}

WARPLINE_TEST(PseudoLanguageTest)

} // namespace tst_pseudo_language

#include "tst_pseudo_language.moc"
