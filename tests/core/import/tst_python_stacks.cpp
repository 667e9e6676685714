// Python samples: stacks that an export holds as payloads of marks, in JSON or in nsys' own bytes, compared
// with SQLite's reading of the JSON; and exports without them.

#include "core/export/time_tree_text.h"
#include "core/findings/rule.h"
#include "core/render/render.h"
#include "core/store/nvtx_types.h"
#include "core/store/problem.h"
#include "core/store/trace.h"
#include "core/timetree/stack_events.h"
#include "core/timetree/time_tree_source.h"
#include "tests/core/import/import_helpers.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <functional>
#include <map>

namespace tst_python_stacks {

using namespace warpline;
using namespace warpline::test;

namespace {

constexpr const char* sampled = WARPLINE_TEST_DATA "/reports/python_samples.sqlite";

/// A report with samples of one thread, of which `payloads` are the JSON texts.
void addSamples(ReportFixture& fixture, const std::vector<std::string>& payloads)
{
    fixture.addSmallReport();
    fixture.run(R"sql(
        DROP TABLE NVTX_EVENTS;
        CREATE TABLE NVTX_EVENTS (start INTEGER, end INTEGER, eventType INTEGER, text TEXT, globalTid INTEGER,
            textId INTEGER, domainId INTEGER, jsonText TEXT);
        INSERT INTO StringIds VALUES (20, '&lt;module&gt;'), (21, '/home/me/train.py'), (22, 'load'), (23, 'a&amp;b');
        INSERT INTO NVTX_EVENTS VALUES (0, NULL, 75, 'Python Periodic Sampling', 1677721701, NULL, 3, NULL),
            (1, 90, 59, 'step', 1677721701, NULL, 0, NULL);
    )sql");
    for (std::size_t i = 0; i < payloads.size(); ++i)
        fixture.run("INSERT INTO NVTX_EVENTS VALUES (" + std::to_string(10 * i + 5)
            + ", NULL, 34, NULL, 1677721701, NULL, 3, '" + payloads[i] + "')");
}

/// "load (/home/me/train.py:12) < <module> (...)", innermost first.
std::string stackText(const Trace& trace, EventIndex event)
{
    std::string text;
    for (const StackFrame& frame : trace.stackOf({EventKind::Nvtx, event}))
        text += (text.empty() ? "" : " < ") + std::string(trace.text(frame.symbol)) + " ("
            + std::string(trace.text(frame.module)) + ":" + std::to_string(frame.line) + ")";
    return text;
}

/// Of each sample that has one, by thread and time.
std::map<std::pair<GlobalId, Ns>, std::string> stacksByTime(const Trace& trace)
{
    std::map<std::pair<GlobalId, Ns>, std::string> stacks;
    for (EventIndex i = 0; i < trace.nvtx().size(); ++i) {
        if (const std::string stack = stackText(trace, i); !stack.empty())
            stacks[{trace.nvtx().trackOf(i).owner, trace.nvtx().start[i]}] = stack;
    }
    return stacks;
}

const TimeTreeSource& pythonSource()
{
    return *findTimeTreeSource("python");
}

} // namespace

class PythonStacksTest : public QObject {
    Q_OBJECT

private slots:
    void stacksAreRead();
    void payloadsThatAreNoStacks();
    void exportsWithoutStacksSayHowToGetThem();
    void foldedStacksTellFilesApart();
    void bytesGiveTheStacksOfTheJson();
    void treesCountEachSampleOnce();
    void eventsOfAStack();
    void theWaitForDataNamesTheFunction();
};

void PythonStacksTest::stacksAreRead()
{
    const std::string inLoad = R"({"Python Periodic Sampling":{"Thread state ID":4,"Thread state":"Running",)"
                               R"("Frames count":2,"Frames":[{"Function":22,"File":21,"Line":12},)"
                               R"({"Function":20,"File":21,"Line":40}]}})";
    const std::string escaped
        = R"({"Thread state":"Blocking Wait","Frames":[{"Function":23,"File":21,"Line":3}]})";
    ReportFixture fixture;
    addSamples(fixture, {inLoad, escaped, inLoad});
    const auto trace = load(fixture.path());
    QVERIFY(trace);
    const std::string load = "load (/home/me/train.py:12) < <module> (/home/me/train.py:40)";
    const std::map<std::pair<GlobalId, Ns>, std::string> expected{{{smallThread, 5}, load},
        {{smallThread, 15}, "a&b (/home/me/train.py:3)"}, {{smallThread, 25}, load}};
    QVERIFY(stacksByTime(*trace) == expected);
    QCOMPARE(trace->pythonChains->id.size(), std::size_t{2}); // equal ones are one
    const std::string folded = foldedStacks(*trace, pythonSource(), pythonSource().fill(*trace, {}));
    QVERIFY2(folded.find(";<module> me/train.py;load (me/train.py) 2\n") != std::string::npos,
        folded.c_str()); // which file it is of
    for (EventIndex i = 0; i < trace->nvtx().size(); ++i) {
        const Ns start = trace->nvtx().start[i];
        QCOMPARE(trace->name({EventKind::Nvtx, i}),
            std::string_view(start == 1 ? "step"
                    : start == 15       ? "a&b"
                                        : "load")); // the running function
        QCOMPARE(trace->text(trace->nvtx().attributesOf(i).payload),
            std::string_view(start == 1 ? ""
                    : start == 15       ? R"({"Thread state":"Blocking Wait"})"
                                        : R"({"Thread state":"Running"})"));
    }
}

void PythonStacksTest::foldedStacksTellFilesApart()
{
    // Two functions of one name in three files, two of which have equal names.
    ReportFixture fixture;
    addSamples(fixture,
        {R"({"Frames":[{"Function":22,"File":21,"Line":1}]})",
            R"({"Frames":[{"Function":22,"File":24,"Line":1}]})",
            R"({"Frames":[{"Function":22,"File":25,"Line":1}]})",
            R"({"Frames":[{"Function":23,"File":25,"Line":1}]})"});
    fixture.run("INSERT INTO StringIds VALUES (24, '/a/utils/io.py'), (25, '/b/utils/io.py')");
    const auto trace = load(fixture.path());
    QVERIFY(trace);
    const std::string folded = foldedStacks(*trace, pythonSource(), pythonSource().fill(*trace, {}));
    for (const char* const line : {";load (me/train.py) 1\n", ";load (/a/utils/io.py) 1\n",
             ";load (/b/utils/io.py) 1\n", ";a&b (utils/io.py) 1\n"})
        QVERIFY2(folded.find(line) != std::string::npos, folded.c_str());
}

void PythonStacksTest::payloadsThatAreNoStacks()
{
    const std::vector<std::string> payloads{"", "7", "{", R"({"Frames":[]})", R"({"Frames":7})",
        R"({"Frames":[)", R"({"Python Periodic Sampling":[1,2]})",
        R"({"Frames":[{"Function":"x","File":{},"Line":-1}]})",
        R"({"Frames":[{"Function":999999,"File":-5,"Line":99999999999999}]})"};
    ReportFixture fixture;
    addSamples(fixture, payloads);
    const auto trace = load(fixture.path());
    QVERIFY(trace);
    QCOMPARE(trace->nvtx().size(), payloads.size() + 1);
    // The last two have a frame with functions that the report does not name, which is reported.
    const auto told = std::ranges::find(trace->info.problems, ProblemKind::FrameMissing, &Problem::kind);
    QVERIFY(told != trace->info.problems.end());
    QCOMPARE(told->count, std::uint64_t{2});
    QCOMPARE(stacksByTime(*trace).size(), std::size_t{2});
    int unnamed = 0;
    for (EventIndex i = 0; i < trace->nvtx().size(); ++i)
        unnamed += trace->name({EventKind::Nvtx, i}) == pythonSamplesDomain ? 1 : 0;
    QCOMPARE(unnamed, 7);
}

void PythonStacksTest::exportsWithoutStacksSayHowToGetThem()
{
    ReportFixture fixture;
    addSamples(fixture, {""});
    fixture.run("UPDATE NVTX_EVENTS SET jsonText = NULL");
    const auto trace = load(fixture.path());
    QVERIFY(trace);
    QVERIFY(!pythonSource().applies(*trace));
    QVERIFY(pythonSource().whatIsMissing(*trace).find("--include-json=true") != std::string_view::npos);
    // The details of a sample mention it, and so does the finding about the recording.
    bool isTold = false;
    for (EventIndex i = 0; i < trace->nvtx().size(); ++i)
        isTold = isTold
            || factOf(*trace, {EventKind::Nvtx, i}, "Call stack").find("--include-json=true")
                != std::string::npos;
    QVERIFY(isTold);
    const Rule* const rule = findRule("capture_quality");
    const auto tells = [&](const Trace& of) {
        return std::ranges::any_of(runRules(of, of.session, std::span(&rule, 1)), [](const Finding& finding) {
            return plain(finding.title).find("left out the stacks") != std::string::npos
                && plain(finding.remedy).find("--include-json=true") != std::string::npos;
        });
    };
    QVERIFY(tells(*trace));
    QVERIFY(!tells(*load(sampled)));
    ReportFixture none;
    none.addSmallReport();
    QVERIFY(pythonSource().whatIsMissing(*load(none.path())).empty());
}

void PythonStacksTest::bytesGiveTheStacksOfTheJson()
{
    const auto said = load(sampled);
    ReportFixture fixture;
    copyInto(fixture, sampled);
    fixture.run("UPDATE NVTX_EVENTS SET jsonText = NULL");
    const auto decoded = load(fixture.path());
    QVERIFY(said && decoded);
    // Only the first samples have bytes, which keeps the file small.
    const auto stacks = stacksByTime(*decoded);
    QCOMPARE(static_cast<long long>(stacks.size()),
        sqlInteger(sampled, "SELECT count(binaryData) FROM NVTX_EVENTS WHERE eventType = 34"));
    QVERIFY(stacks.size() > 50);
    const auto all = stacksByTime(*said);
    for (const auto& [sample, stack] : stacks)
        QCOMPARE(stack, all.at(sample));
}

void PythonStacksTest::treesCountEachSampleOnce()
{
    const auto trace = load(sampled);
    QVERIFY(trace && pythonSource().applies(*trace));
    const TimeTree tree = pythonSource().fill(*trace, {});
    const std::string samples = "FROM NVTX_EVENTS WHERE eventType = 34 AND jsonText IS NOT NULL";
    QVERIFY(tree.total() > 20);
    QCOMPARE(static_cast<long long>(tree.total()), sqlInteger(sampled, "SELECT count(*) " + samples));
    for (const TimeNode& node : tree.nodes()) {
        if (node.frame.thread != 0)
            QCOMPARE(static_cast<long long>(node.total),
                sqlInteger(sampled,
                    "SELECT count(*) " + samples + " AND globalTid = "
                        + std::to_string(static_cast<std::int64_t>(node.frame.thread))));
    }
    const std::string frames = R"('$."Python Periodic Sampling".Frames)";
    for (const FlatFrame& flat : flatFrames(tree)) {
        // The test above distinguishes names with HTML characters.
        const std::string name(trace->text(flat.frame.name));
        if (name.find_first_of("<>&") != std::string::npos)
            continue;
        const std::string is = "IN (SELECT id FROM StringIds WHERE value = '" + name + "')";
        const std::string file = "IN (SELECT id FROM StringIds WHERE value = '"
            + std::string(trace->text(flat.frame.module)) + "')";
        QCOMPARE(static_cast<long long>(flat.self),
            sqlInteger(sampled,
                "SELECT count(*) " + samples + " AND json_extract(jsonText, " + frames + "[0].Function') "
                    + is + " AND json_extract(jsonText, " + frames + "[0].File') " + file));
        QCOMPARE(static_cast<long long>(flat.total),
            sqlInteger(sampled,
                "SELECT count(*) " + samples + " AND EXISTS (SELECT 1 FROM json_each(jsonText, " + frames
                    + "') WHERE json_extract(json_each.value, '$.Function') " + is
                    + " AND json_extract(json_each.value, '$.File') " + file + ")"));
    }
    // Half of the time has the samples of half of the time.
    TimeTreeQuery half;
    half.window = {trace->session.start, trace->session.start + trace->session.duration() / 2};
    QCOMPARE(static_cast<long long>(pythonSource().fill(*trace, half).total()),
        sqlInteger(sampled,
            "SELECT count(*) " + samples + " AND start >= " + std::to_string(half.window.start)
                + " AND start < " + std::to_string(half.window.end)));
}

void PythonStacksTest::eventsOfAStack()
{
    const auto trace = load(sampled);
    QVERIFY(trace);
    const TimeTree tree = pythonSource().fill(*trace, {});
    for (std::uint32_t node = 1; node < tree.nodes().size(); ++node) {
        const auto events = eventsInStack(*trace, pythonSource(), {}, tree.path(node), false, 100'000);
        QCOMPARE(static_cast<std::int64_t>(events.size()), tree.nodes()[node].total);
    }
}

void PythonStacksTest::theWaitForDataNamesTheFunction()
{
    // The launching thread spends its range `load` in tokenize(), while the GPU waits and a second thread
    // sleeps.
    const auto trace = load(sampled);
    QVERIFY(trace);
    const Rule* const rule = findRule("data_starvation");
    const std::vector<Finding> findings = runRules(*trace, trace->session, std::span(&rule, 1));
    QCOMPARE(findings.size(), std::size_t{1});
    const std::string message = plain(findings.front().message);
    QVERIFY2(message.find("% in tokenize") != std::string::npos, message.c_str());
    QVERIFY2(message.find("background") == std::string::npos, message.c_str());
}

WARPLINE_TEST(PythonStacksTest)

} // namespace tst_python_stacks

#include "tst_python_stacks.moc"
