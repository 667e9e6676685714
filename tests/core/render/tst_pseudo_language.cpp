// In the pseudo language sentences are keys and values, in another one they are its own. Whatever else an
// analysis answers is the same as in English: nothing may be decided by what a sentence says.

#include "core/export/findings_text.h"
#include "core/export/json_text.h"
#include "core/load/load_report.h"
#include "core/render/language.h"
#include "core/store/trace.h"
#include "tests/support/report_fixture.h"

#include <QDirIterator>
#include <QTest>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

using namespace warpline;
using namespace warpline::test;

namespace {

/// What is a text for people in the JSON of analyze.
constexpr std::array<std::string_view, 16> textKeys{"title", "message", "why", "remedy", "may_be_wrong",
    "lowered_because", "stands_first_because", "note", "sentences", "explanation", "launch", "text", "label",
    "bound", "machine", "phases_mean_of"};

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

/// The overview is made of messages alone: none of its sentences, parts and phases was a text before it had a
/// language.
void checkOverview(const Json& json)
{
    const auto check = [](const Json& text) {
        const auto said = text.get<std::string>();
        QVERIFY2(said.empty() || said.front() == '[', said.c_str());
        QVERIFY2(said.find("[verbatim]") == std::string::npos, said.c_str());
    };
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
        checkOverview(json["overview"]);
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
    void answersAreTheSame_data();
    void answersAreTheSame();
};

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
    if (path.startsWith(WARPLINE_TEST_DATA)) // a few are enough
        QCOMPARE(QString::fromStdString(answerIn("zh_CN", *trace.value())),
            QString::fromStdString(answerIn("en", *trace.value())));
}

QTEST_APPLESS_MAIN(PseudoLanguageTest)
#include "tst_pseudo_language.moc"
