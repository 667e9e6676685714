// Parts of every finding: when it may be wrong, a stable id, and the command for more details.

#include "core/findings/finding_words.h"
#include "tests/core/findings/drawn_program.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_finding_words {

using namespace warpline;
using namespace warpline::test;

class FindingWordsTest : public QObject {
    Q_OBJECT

private slots:
    void everyRuleSaysWhenItMayBeWrong()
    {
        for (const Rule* const rule : allRules()) {
            QVERIFY2(rule->caveat.ends_with('.'), std::string(rule->id).c_str());
            Finding finding;
            finding.rule = rule->id;
            QCOMPARE(caveatOf(finding), rule->caveatText());
            finding.caveat = "Unless";
            QCOMPARE(caveatOf(finding), Message("Unless"));
        }
        QVERIFY(caveatOf(Finding()).empty());
    }

    void idsLastFromRunToRun()
    {
        DrawnProgram drawn;
        drawn.kernel("work", 0, {10, 20});
        const auto trace = drawn.finish();
        Finding finding;
        finding.rule = "gpu_idle_cause";
        finding.title = "GPU 0 waits 10.8 ms a step in `load`";
        finding.process = DrawnProgram::process;
        finding.device = 0;
        const std::string id = stableId(*trace, finding);
        finding.title = "GPU 0 waits 312 ms a step in `load`";
        QCOMPARE(stableId(*trace, finding), id);
        QCOMPARE(id, std::string("gpu_idle_cause/process 0/gpu 0"));
        finding.subject = {Subject::Kind::Range, "load"};
        QCOMPARE(stableId(*trace, finding), std::string("gpu_idle_cause/process 0/gpu 0/range:load"));
        finding.process = 0;
        finding.device = -1;
        QCOMPARE(stableId(*trace, finding), std::string("gpu_idle_cause/all/no gpu/range:load"));
        finding.subject = {Subject::Kind::Steps, "a/b c", "1"};
        QCOMPARE(stableId(*trace, finding), std::string("gpu_idle_cause/all/no gpu/steps:a_b_c,thread:1"));
    }

    /// The evidence alone lacks what rules compare it with.
    void theCommandLooksAtTheAnalyzedRange()
    {
        DrawnProgram drawn;
        drawn.kernel("work", 0, {10, 20});
        drawn.info().path = "/tmp/it's mine.sqlite";
        const auto trace = drawn.finish();
        Finding finding;
        finding.rule = "tiny_grid";
        finding.where = {10, 20};
        finding.evidence = {{{5, 12}, {}, {}}, {{40, 60}, {}, {}}};
        const std::string file = " '/tmp/it'\\''s mine.sqlite'";
        for (const TimeRange whole : {TimeRange(), trace->session})
            QCOMPARE(askOn(*trace, finding, whole), "warpline-cli analyze --explain --rule tiny_grid" + file);
        const TimeRange part{trace->session.start + 1, trace->session.end};
        QCOMPARE(askOn(*trace, finding, part),
            "warpline-cli analyze --explain --rule tiny_grid --range " + std::to_string(part.start) + ':'
                + std::to_string(part.end) + file);
        QCOMPARE(askOn(*trace, finding, {}, "a b*"),
            "warpline-cli analyze --explain --rule tiny_grid --steps='a b*'" + file);
    }

    void theCommandReadsStandardInputAgain()
    {
        for (const auto& [path, word] : {std::pair("-", " -"), {"-x.sqlite", " ./-x.sqlite"}}) {
            DrawnProgram drawn;
            drawn.kernel("work", 0, {10, 20});
            drawn.info().path = path;
            Finding finding;
            finding.rule = "tiny_grid";
            QCOMPARE(askOn(*drawn.finish(), finding, {}),
                std::string("warpline-cli analyze --explain --rule tiny_grid") + word);
        }
    }
};

WARPLINE_TEST(FindingWordsTest)

} // namespace tst_finding_words

#include "tst_finding_words.moc"
