// The first findings of real reports of language models: advice that fits their values, totals also per step,
// and what one of several ranks cannot know alone.

#include "core/export/findings_text.h"
#include "core/findings/checklist.h"
#include "core/findings/finding_words.h"
#include "core/findings/kernel_totals.h"
#include "core/findings/rule.h"
#include "core/findings/savings.h"
#include "core/load/load_report.h"
#include "core/overview/overview.h"
#include "core/render/render.h"
#include "core/store/trace.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"
#include "tests/support/whole_analysis.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <memory>

namespace tst_advice_on_reports {

using namespace warpline;
using namespace warpline::test;

namespace {

struct Judged {
    std::shared_ptr<const Trace> trace;
    std::vector<Finding> findings;
};

/// Each report is loaded and analyzed once; no trace where the reports are missing.
const Judged& judged(const char* name)
{
    static std::map<std::string, Judged> all;
    const auto [place, added] = all.try_emplace(name);
    const std::string path = added ? sharedReport(name) : std::string();
    if (!path.empty()) {
        auto trace = loadReport(path);
        place->second.trace = trace.ok() ? trace.take() : nullptr;
        if (place->second.trace)
            place->second.findings = runRules(*place->second.trace, place->second.trace->session);
    }
    return place->second;
}

const Finding* find(const Judged& report, std::string_view rule)
{
    const auto found = std::ranges::find(report.findings, rule, &Finding::rule);
    return found != report.findings.end() ? &*found : nullptr;
}

bool holds(const Message& text, std::string_view part)
{
    return plain(text).find(part) != std::string::npos;
}

std::string overviewTextOf(const Trace& trace)
{
    std::string text;
    for (const OverviewSentence& sentence : overviewOf(trace, trace.session, {}).sentences)
        text += plain(sentence.text) + "\n";
    return text;
}

} // namespace

class AdviceOnReportsTest : public QObject {
    Q_OBJECT

private slots:
    /// If the host sets the pace, remedies without more launches come first.
    void tf32ComesFirstWhereTheHostPaces()
    {
        const Judged& report = judged("bert_fp32");
        if (!report.trace)
            QSKIP("../shared/reports is not here");
        const Finding* const found = find(report, "no_tensor_cores");
        QVERIFY(found);
        const std::size_t tf32 = plain(found->remedy).find("TF32");
        QVERIFY2(tf32 < plain(found->remedy).find("BF16"), plain(found->remedy).c_str());
        QVERIFY2(plain(found->remedy).find("matmul_precision") < plain(found->remedy).find("autocast"),
            plain(found->remedy).c_str());
        QVERIFY2(holds(found->remedy, "autocast adds casts"), plain(found->remedy).c_str());
        QVERIFY2(
            holds(messageOf(*found), "up to 25.") && holds(messageOf(*found), "Potential saving per step"),
            plain(found->message).c_str());
    }

    void twoFindingsDoNotContradict()
    {
        const Judged& report = judged("bert_fp32");
        if (!report.trace)
            QSKIP("../shared/reports is not here");
        const Finding* const found = find(report, "tensor_core_share");
        QVERIFY(found);
        QVERIFY2(!holds(found->remedy, "Nothing to fix"), plain(found->remedy).c_str());
        const Finding* const first = find(report, "no_tensor_cores");
        QVERIFY(first);
        QVERIFY2(holds(found->remedy, '"' + plain(first->title) + '"'), plain(found->remedy).c_str());
    }

    /// The loading calls take 2.25 ms of 1.788 s: the rest is a guess, and marked as one.
    void whatTheCallsAloneTakeIsTold()
    {
        const Judged& report = judged("decode");
        if (!report.trace)
            QSKIP("../shared/reports is not here");
        const Finding* const found = find(report, "code_loaded_in_loop");
        QVERIFY(found);
        QVERIFY2(holds(found->title, "probably compiled"), plain(found->title).c_str());
        QVERIFY2(holds(found->message, "and take 2.25 ms"), plain(found->message).c_str());
        QCOMPARE(found->confidence, Confidence::Likely);
    }

    /// 1.705 GB over the 4.8 TB/s of an H200.
    void aTokenIsComparedWithTheWeights()
    {
        const Judged& report = judged("decode");
        if (!report.trace)
            QSKIP("../shared/reports is not here");
        const Finding* const found = find(report, "token_times");
        QVERIFY(found);
        QVERIFY2(holds(found->message, "copies 1.71 GB to the GPU"), plain(found->message).c_str());
        QVERIFY2(holds(found->message, "takes 354 ") && holds(found->message, "A token takes 195 times that"),
            plain(found->message).c_str());
    }

    void oneRankOfSeveralSaysSo()
    {
        const Judged& report = judged("ddp_straggler_rank0");
        if (!report.trace)
            QSKIP("../shared/reports is not here");
        const std::string text = overviewTextOf(*report.trace);
        QVERIFY2(holds(text, "Only the reports of all ranks together show"), text.c_str());
        // Others may be open as well: no advice to do what is done already.
        QVERIFY2(!holds(text, "Open the reports") && !holds(text, "open together"), text.c_str());
        QVERIFY2(holds(savingsSentence(report.findings), "This is one rank of several"),
            plain(savingsSentence(report.findings)).c_str());
        for (const char* const rule : {"no_tensor_cores", "nccl_exposed"}) {
            const Finding* const found = find(report, rule);
            QVERIFY(found);
            QVERIFY2(holds(messageOf(*found), "upper bound, because the report is of one rank alone"),
                plain(messageOf(*found)).c_str());
            QVERIFY2(!holds(found->title, "bottleneck"), plain(found->title).c_str());
        }
        // The first line mentions it, too, because readers act on it.
        const RunOverview overview = overviewOf(*report.trace, report.trace->session, {});
        QVERIFY(holds(findingsTable(*report.trace, report.findings, {}, false, &overview),
            "(no_tensor_cores, as one rank"));
        // A stage that waits for another one, too.
        const Judged& stage = judged("h200-more/pipe_rank0");
        QVERIFY2(!stage.trace || holds(savingsSentence(stage.findings), "This is one rank of several"),
            plain(savingsSentence(stage.findings)).c_str());
        const Judged& single = judged("bert_fp32");
        QVERIFY(!holds(overviewTextOf(*single.trace), "other ranks"));
        QVERIFY(!holds(messageOf(*find(single, "no_tensor_cores")), "one rank alone"));
        QVERIFY(!holds(savingsSentence(single.findings), "one rank"));
        QVERIFY(std::ranges::none_of(single.findings, &Finding::ofLoneRank));
    }

    /// One time has one zero point in a sentence.
    void theFirstWorkHasOneZeroPoint()
    {
        const Judged& report = judged("ddp_straggler_rank0");
        if (!report.trace)
            QSKIP("../shared/reports is not here");
        const std::string text = overviewTextOf(*report.trace);
        QVERIFY2(holds(text, "starts at 39.1 ms in the timeline, 20.6 ms after the first event recorded"),
            text.c_str());
    }

    /// The overview has the command of ncuCommandOf(): another one for the same launch would ask to be
    /// compared.
    void oneCommandForOneKernel()
    {
        const Judged& report = judged("bert_fp32");
        if (!report.trace)
            QSKIP("../shared/reports is not here");
        const Finding* const found = find(report, "top_kernels");
        QVERIFY(found && !found->evidence.empty());
        const std::string command = ncuCommandOf(*report.trace, found->evidence.front().event.index);
        QVERIFY2(holds(found->remedy, command), (plain(found->remedy) + "\n" + command).c_str());
    }

    /// A kernel may be named "first": the text must not read like a rank in a list.
    void theWorstKernelIsNamedPlainly()
    {
        const Judged& report = judged("h200-more/pdl");
        if (!report.trace)
            QSKIP("../shared/reports is not here");
        const Finding* const found = find(report, "tiny_grid");
        QVERIFY(found);
        QVERIFY2(plain(found->title).ends_with(", mostly first"), plain(found->title).c_str());
    }

    /// Opposite results for the same kernels use the same terms.
    void sharesOfShortKernelsAreOfShortOnes()
    {
        for (const char* const name : {"bert_fp32", "ddp_straggler_rank0", "decode"}) {
            const Judged& report = judged(name);
            if (!report.trace)
                QSKIP("../shared/reports is not here");
            const auto answers = answerChecklist(*report.trace, report.trace->session);
            const auto found = std::ranges::find_if(answers,
                [](const ChecklistAnswer& each) { return holds(each.question, "worth their launches"); });
            QVERIFY(found != answers.end());
            QVERIFY2(holds(found->figure, "% short"), plain(found->figure).c_str());
        }
    }
};

WARPLINE_TEST(AdviceOnReportsTest)

} // namespace tst_advice_on_reports

#include "tst_advice_on_reports.moc"
