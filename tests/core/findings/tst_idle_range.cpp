// Idle time that lies in one NVTX range of the program is one finding, whatever the range does.

#include "core/findings/rule.h"
#include "core/load/load_report.h"
#include "core/render/render.h"
#include "tests/core/findings/drawn_program.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <string>

namespace tst_idle_range {

using namespace warpline;
using namespace warpline::test;

namespace {

/// Ten steps of 20 ms: a range of 12 ms that computes and sleeps for 5 ms, then a kernel.
DrawnProgram tenSteps(const char* range)
{
    DrawnProgram drawn;
    for (int i = 0; i < 10; ++i) {
        const Ns at = i * 20 * ms;
        drawn.range("step_" + std::to_string(i), {at, at + 20 * ms});
        if (range)
            drawn.range(range, {at, at + 12 * ms});
        drawn.event(EventKind::OsRuntime, "nanosleep", {at + 1 * ms, at + 6 * ms});
        drawn.kernel("work", at + 12 * ms, {at + 12 * ms + 10 * us, at + 19 * ms});
    }
    return drawn;
}

std::vector<Finding> idleOf(const Trace& trace)
{
    const Rule* const rule = findRule("gpu_idle_cause");
    return runRules(trace, trace.session, std::span(&rule, 1));
}

/// The time per step in the title.
Ns eachIn(const Finding& finding)
{
    const auto each = std::ranges::find(finding.title.values(), std::string_view("each"), &Argument::name);
    return each != finding.title.values().end() ? each->value.whole : -1;
}

/// Findings about ten steps: in each the GPU waits for `own(i)` in a range, then works for 7 ms.
std::vector<Finding> idleOfRounds(Ns (*own)(int))
{
    DrawnProgram drawn;
    Ns at = 0;
    for (int i = 0; i < 10; ++i) {
        const Ns waits = own(i);
        drawn.range("step_" + std::to_string(i), {at, at + waits + 8 * ms});
        drawn.range("assemble", {at, at + waits});
        drawn.kernel("work", at + waits, {at + waits + 10 * us, at + waits + 7 * ms});
        at += waits + 8 * ms;
    }
    return idleOf(*drawn.finish());
}

} // namespace

class IdleRangeTest : public QObject {
    Q_OBJECT

private slots:
    void aRangeThatSleepsAndComputesIsOneFinding()
    {
        auto drawn = tenSteps("assemble");
        const auto findings = idleOf(*drawn.finish());
        QCOMPARE(findings.size(), std::size_t{1});
        const Finding& finding = findings.front();
        // Nine gaps contain the range of 12 ms, and so does the time after the last kernel.
        QCOMPARE(finding.saving, 10 * 12 * ms);
        QCOMPARE(plain(finding.title), std::string("GPU 0 waits 12 ms per step in assemble"));
        QVERIFY2(
            plain(finding.message).find("In 10 of 10 steady steps") == 0, plain(finding.message).c_str());
        QVERIFY2(plain(finding.message).find("own code for 70 ms") != std::string::npos,
            plain(finding.message).c_str());
        QVERIFY2(plain(finding.message).find("most in nanosleep, for 50 ms") != std::string::npos,
            plain(finding.message).c_str());
        QCOMPARE(finding.evidenceTotal, std::uint64_t{10});
    }

    /// A name with a number that is the only one of its pattern is shown as it is.
    void eachRangeIsAFinding()
    {
        DrawnProgram drawn;
        for (int i = 0; i < 10; ++i) {
            const Ns at = i * 20 * ms;
            drawn.range("step_" + std::to_string(i), {at, at + 20 * ms});
            drawn.range("own code", {at, at + 8 * ms});
            drawn.range("own code 2", {at + 8 * ms, at + 12 * ms});
            drawn.kernel("work", at + 12 * ms, {at + 12 * ms + 10 * us, at + 19 * ms});
        }
        const auto findings = idleOf(*drawn.finish());
        QCOMPARE(findings.size(), std::size_t{2});
        QCOMPARE(plain(findings[0].title), std::string("GPU 0 waits 8 ms per step in own code"));
        QCOMPARE(plain(findings[1].title), std::string("GPU 0 waits 4 ms per step in own code 2"));
        QVERIFY((findings[1].subject == Subject{Subject::Kind::Range, "own code #"}));
    }

    /// Own code: 3 ms in assemble, 2 ms in refine, 4 ms in neither, which is less than half of all.
    void whatRangesLeaveIsComparedWithTheWhole()
    {
        DrawnProgram drawn;
        for (int i = 0; i < 10; ++i) {
            const Ns at = i * 25 * ms;
            drawn.range("step_" + std::to_string(i), {at, at + 25 * ms});
            drawn.range("assemble", {at, at + 9 * ms});
            drawn.event(EventKind::OsRuntime, "nanosleep", {at + 1 * ms, at + 7 * ms});
            drawn.range("refine", {at + 9 * ms, at + 13'500 * us});
            drawn.event(EventKind::OsRuntime, "nanosleep", {at + 10 * ms, at + 12'500 * us});
            drawn.kernel("work", at + 17'500 * us, {at + 17'510 * us, at + 25 * ms - 10 * us});
        }
        const auto findings = idleOf(*drawn.finish());
        QCOMPARE(findings.size(), std::size_t{2});
        QVERIFY((findings[0].subject == Subject{Subject::Kind::Range, "assemble"}));
        QVERIFY((findings[1].subject == Subject{Subject::Kind::Range, "refine"}));
    }

    /// A wait of 4 ms does not stand for a range of 6 ms.
    void aSmallerWaitDoesNotTakeARange()
    {
        DrawnProgram drawn;
        for (int i = 0; i < 10; ++i) {
            const Ns at = i * 20 * ms;
            drawn.range("step_" + std::to_string(i), {at, at + 20 * ms});
            drawn.range("assemble", {at, at + 8 * ms});
            drawn.range("refine", {at + 8 * ms, at + 14 * ms});
            drawn.kernel("work", at + 14 * ms, {at + 14 * ms + 10 * us, at + 18 * ms});
            drawn.call("cudaDeviceSynchronize_v3020", {at + 14 * ms + 5 * us, at + 18 * ms});
        }
        const auto trace = drawn.finish();
        const auto findings = runRules(*trace, trace->session);
        const auto isThere = [&](const std::string& rule, const Subject& subject) {
            return std::ranges::any_of(
                findings, [&](const Finding& each) { return each.rule == rule && each.subject == subject; });
        };
        QVERIFY(isThere("gpu_idle_cause", {Subject::Kind::Range, "assemble"}));
        QVERIFY(isThere("gpu_idle_cause", {Subject::Kind::Range, "refine"}));
        QVERIFY(isThere("sync_per_iteration", {Subject::Kind::Part, "device"}));
    }

    /// Rounds of 10 and 11 ms: the median is 11 ms, and the saving per step is less.
    void titleAndSavingPerStepAreOneFigure()
    {
        const auto findings = idleOfRounds([](int i) { return (i < 4 ? 10 : 11) * ms; });
        QCOMPARE(findings.size(), std::size_t{1});
        const Finding& finding = findings.front();
        QVERIFY(finding.perStep > 10 * ms && finding.perStep < 11 * ms);
        QCOMPARE(eachIn(finding), finding.perStep);
    }

    /// Rounds of 8 and 12 ms in turn: neither length is usual.
    void roundsOfTwoLengthsHaveTheirMean()
    {
        const auto findings = idleOfRounds([](int i) { return (i % 2 == 0 ? 8 : 12) * ms; });
        QCOMPARE(findings.size(), std::size_t{1});
        QCOMPARE(findings.front().perStep, 10 * ms);
        QCOMPARE(eachIn(findings.front()), 10 * ms);
    }

    void withoutTheRangeNoneIsNamed()
    {
        auto drawn = tenSteps(nullptr);
        const auto findings = idleOf(*drawn.finish());
        QVERIFY(!findings.empty());
        QVERIFY(std::ranges::none_of(
            findings, [](const Finding& each) { return each.subject.kind == Subject::Kind::Range; }));
    }

    void aRangeThatLoadsIsTheOtherRules()
    {
        auto drawn = tenSteps("load");
        const auto trace = drawn.finish();
        const auto findings = runRules(*trace, trace->session);
        const auto waits = std::ranges::count_if(findings, [](const Finding& each) {
            return each.subject == Subject{Subject::Kind::Range, "load"};
        });
        QCOMPARE(waits, std::ptrdiff_t{1});
    }

    void whatHappensOnceIsNoPlace()
    {
        DrawnProgram drawn;
        drawn.range("checkpoint", {20 * ms, 32 * ms});
        for (int i = 0; i < 10; ++i) {
            const Ns at = i * 10 * ms + (i > 2 ? 20 * ms : 0);
            drawn.kernel("work", at, {at + 10 * us, at + 9 * ms});
        }
        const auto findings = idleOf(*drawn.finish());
        QVERIFY(std::ranges::none_of(
            findings, [](const Finding& each) { return each.subject.kind == Subject::Kind::Range; }));
    }

    /// 50 us of 20 ms do not explain the wait.
    void tinyRangesNameNothing()
    {
        DrawnProgram drawn;
        for (int i = 0; i < 3; ++i) {
            const Ns at = i * 30 * ms;
            drawn.kernel("work", at, {at + 10 * us, at + 10 * ms});
            drawn.range("aten::mm", {at + 15 * ms, at + 15 * ms + 50 * us});
        }
        const auto findings = idleOf(*drawn.finish());
        QVERIFY(!findings.empty());
        for (const Finding& finding : findings)
            QVERIFY2(
                plain(finding.title).find("aten::mm") == std::string::npos, plain(finding.title).c_str());
    }

    /// A framework's operator is not the program's code: it is named, and for cuDNN's attention the advice is
    /// that for code built per length.
    void anOperatorIsNoOwnCode_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("domain");
        QTest::addColumn<bool>("attention");
        QTest::newRow("trace of PyTorch") << "aten::_cudnn_attention_forward"
                                          << "PyTorch" << true;
        QTest::newRow("ranges of autograd") << "aten::_cudnn_attention_forward, op_id = 7"
                                            << "" << true;
        QTest::newRow("another operator") << "aten::nonzero"
                                          << "PyTorch" << false;
    }

    void anOperatorIsNoOwnCode()
    {
        QFETCH(QString, name);
        QFETCH(QString, domain);
        QFETCH(bool, attention);
        DrawnProgram drawn;
        for (int i = 0; i < 10; ++i) {
            const Ns at = i * 20 * ms;
            drawn.range("decode_" + std::to_string(i), {at, at + 20 * ms});
            drawn.range(name.toStdString(), {at + 1 * ms, at + 12 * ms}, domain.toStdString());
            drawn.kernel("work", at + 12 * ms, {at + 12 * ms + 10 * us, at + 19 * ms});
        }
        const auto findings = idleOf(*drawn.finish());
        QCOMPARE(findings.size(), std::size_t{1});
        const Finding& finding = findings.front();
        QVERIFY2(plain(finding.title).find("aten::") != std::string::npos, plain(finding.title).c_str());
        const std::string all = plain(finding.title) + plain(finding.message) + plain(finding.remedy);
        QVERIFY2(all.find("own code") == std::string::npos, all.c_str());
        if (domain == "PyTorch")
            QCOMPARE(finding.topic, std::string_view(attention ? "code_loaded_in_loop" : ""));
    }

    /// The thread is in a range of the program, and there in an operator.
    void anOperatorInARangeIsTold()
    {
        auto drawn = tenSteps("assemble");
        for (int i = 0; i < 10; ++i)
            drawn.range("aten::copy_", {i * 20 * ms + 6 * ms, i * 20 * ms + 12 * ms}, "PyTorch");
        const auto findings = idleOf(*drawn.finish());
        QCOMPARE(findings.size(), std::size_t{1});
        QVERIFY2(plain(findings.front().message).find("inside operators (most in aten::copy_")
                != std::string::npos,
            plain(findings.front().message).c_str());
    }

    void aReportsRangeIsNamed()
    {
        const std::string path = sharedReport("h200-more/fsdp_rank0");
        if (path.empty())
            QSKIP("../shared/reports is not here");
        const auto trace = loadReport(path);
        QVERIFY(trace.ok());
        const auto findings = idleOf(*trace.value());
        const auto found = std::ranges::find_if(findings, [](const Finding& each) {
            return plain(each.title).find("per step in checkpoint_io") != std::string::npos;
        });
        QVERIFY(found != findings.end()); // it sleeps 12 ms in each of eight steps
    }
};

WARPLINE_TEST(IdleRangeTest)

} // namespace tst_idle_range

#include "tst_idle_range.moc"
