// In the pseudo language sentences are keys and values. Whatever else an analysis answers is the same as in
// English: nothing may be decided by what a sentence says.

#include "core/export/findings_text.h"
#include "core/export/json_text.h"
#include "core/glossary/glossary.h"
#include "core/load/load_report.h"
#include "core/render/language.h"
#include "core/render/render.h"
#include "core/sql/ready_questions.h"
#include "core/stats/stats_table.h"
#include "core/store/trace.h"
#include "core/timetree/time_tree_source.h"
#include "tests/support/report_fixture.h"

#include <QDirIterator>
#include <QTest>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <set>

using namespace warpline;
using namespace warpline::test;

namespace {

/// What is a text for people in the JSON of analyze.
constexpr std::array<std::string_view, 19> textKeys{"title", "message", "why", "remedy", "may_be_wrong",
    "lowered_because", "stands_first_because", "note", "sentences", "explanation", "launch", "text", "label",
    "bound", "machine", "phases_mean_of", "question", "figure", "basis"};

/// Takes the texts out of `json`, but says whether there are any.
void dropTexts(Json& json)
{
    if (!json.is_structured())
        return;
    for (auto& [key, value] : json.items()) {
        if (key == "phases") { // their names are texts, those of GPUs and kernels are of the report
            for (Json& phase : value)
                phase["name"] = phase["name"] != "";
        }
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

std::string answerIn(const char* language, const Trace& trace)
{
    setLanguage(*findLanguage(language));
    const TimeRange window = trace.session;
    const std::vector<Finding> findings = runRules(trace, window);
    const std::vector<ChecklistAnswer> checklist = answerChecklist(trace, window);
    const RunOverview overview = overviewOf(trace, window);
    Json json = findingsJson(
        trace, AnalysisText{.findings = findings, .checklist = checklist, .overview = &overview});
    setLanguage(*findLanguage("en"));
    if (language == std::string_view("pseudo"))
        checkTexts(json);
    dropTexts(json);
    return json.dump(1);
}

/// The traces of PyTorch's profiler that the tree holds.
std::vector<std::string> tracesOfTree()
{
    std::vector<std::string> paths;
    for (QDirIterator files(WARPLINE_TEST_DATA "/traces", {"*.json.gz"}); files.hasNext();)
        paths.push_back(files.next().toStdString());
    return paths;
}

} // namespace

class PseudoLanguageTest : public QObject {
    Q_OBJECT

private slots:
    void registriesHaveKeys();
    void answersAreTheSame_data();
    void answersAreTheSame();
};

/// What rules, tables and terms say of themselves can be translated: each text has a key of its own.
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
    for (const StatsTable* const table : allStatsTables()) {
        add(table->titleText());
        add(table->descriptionText());
    }
    for (const TimeTreeSource* const source : allTimeTreeSources()) {
        add(source->titleText());
        add(source->descriptionText());
    }
    for (const ReadyQuestion& question : readyQuestions())
        add(question.titleText());
    for (const GlossaryEntry& entry : glossary())
        add(entry.meaning());
    QCOMPARE(render(allRules().front()->whyText(), Markup::Plain, *findLanguage("pseudo")),
        "[" + std::string(allRules().front()->id) + ".rule_why]");
}

void PseudoLanguageTest::answersAreTheSame_data()
{
    QTest::addColumn<QString>("path");
    std::vector<std::string> paths = tracesOfTree();
    const std::vector<std::string> reports
        = reportsBelow({WARPLINE_TEST_DATA, WARPLINE_SHARED_REPORTS "/.."});
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
    QCOMPARE(QString::fromStdString(answerIn("pseudo", *trace.value())),
        QString::fromStdString(answerIn("en", *trace.value())));
}

QTEST_APPLESS_MAIN(PseudoLanguageTest)
#include "tst_pseudo_language.moc"
