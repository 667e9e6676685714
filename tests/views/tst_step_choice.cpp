// One choice of steps: the text in one panel's box applies to all others.

#include "core/rows/row_kind.h"
#include "tests/core/findings/drawn_program.h"
#include "tests/support/test_program.h"
#include "views/panels/budget_view.h"
#include "views/panels/checklist_panel.h"
#include "views/panels/findings_panel.h"
#include "views/panels/host_steps.h"
#include "views/panels/overview_panel.h"
#include "views/panels/step_choice.h"
#include "views/panels/steps_panel.h"
#include "views/session/run_pair.h"
#include "views/session/saved_view.h"
#include "views/timeline/step_strip.h"

#include <QLabel>
#include <QSettings>
#include <QSignalSpy>
#include <QTest>
#include <QTextBrowser>
#include <QToolButton>
#include <QUrl>

#include <algorithm>

namespace tst_step_choice {

using namespace warpline;
using namespace warpline::test;

namespace {

/// Eight steps of 10 ms with four "micro" ranges each, one of which in the sixth step takes three times as
/// long as usual though the step does not. "late" ranges are in the last four steps.
std::shared_ptr<const Trace> program(Ns slowest = 6 * ms)
{
    DrawnProgram drawn;
    for (int step = 0; step < 8; ++step) {
        const Ns begin = 10 * ms * step;
        drawn.range("step_" + std::to_string(step), {begin, begin + 10 * ms});
        if (step >= 4)
            drawn.range("late_" + std::to_string(step), {begin + ms, begin + 9 * ms});
        Ns at = begin;
        for (int part = 0; part < 4; ++part) {
            const Ns length = step != 5 ? 5 * ms / 2 : part == 0 ? slowest : (10 * ms - slowest) / 3;
            drawn.range("micro_" + std::to_string(4 * step + part), {at, at + length});
            drawn.kernel("gemm", at + 10 * us, {at + 20 * us, at + length - 20 * us});
            at += length;
        }
    }
    return drawn.finish();
}

Workspace workspaceOf(const std::string& label, const std::shared_ptr<const Trace>& trace)
{
    OpenReport report;
    report.label = label;
    report.trace = trace;
    report.rows = buildRows(*trace);
    return Workspace({report});
}

bool finds(const FindingsPanel& panel, std::string_view rule)
{
    return std::ranges::find(panel.findings(), rule, &Finding::rule) != panel.findings().end();
}

} // namespace

class StepChoiceTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void theBoxInStepsIsForAllPanels();
    void allBoxesShowTheSame();
    void theClearButtonDetectsThemAgain();
    void aPatternAsPanelsPrintItIsTaken();
    void namesThatNoRangeHasAreSaidWithTheWayBack();
    void rangesWithoutGpuWorkAreSaid();
    void bothSidesOfAComparisonFollow();
    void aSavedViewKeepsIt();

private:
    void open(const std::shared_ptr<const Trace>& trace) { m_session->setTrace(trace, buildRows(*trace)); }
    /// Types into the box of `panel` as a user does.
    static void type(QWidget& panel, const char* text)
    {
        auto& box = *panel.findChild<StepBox*>();
        box.clear();
        QTest::keyClicks(&box, text);
        QTest::keyClick(&box, Qt::Key_Return);
    }

    std::unique_ptr<Session> m_session;
};

void StepChoiceTest::initTestCase()
{
    QCoreApplication::setOrganizationName("warpline-test");
    QCoreApplication::setApplicationName("tst_step_choice");
}

void StepChoiceTest::init()
{
    QSettings().clear();
    m_session = std::make_unique<Session>();
}

void StepChoiceTest::theBoxInStepsIsForAllPanels()
{
    Session& session = *m_session;
    StepsPanel steps(session, Theme::light());
    StepsPanel budget(session, Theme::light());
    OverviewPanel overview(session, Theme::light());
    FindingsPanel findings(session, Theme::light());
    ChecklistPanel checklist(session, Theme::light());
    StepStrip strip(session, Theme::light());
    for (QWidget* const panel : std::initializer_list<QWidget*>{&steps, &budget, &findings, &checklist})
        panel->show();
    const auto settle = [&] {
        QTRY_VERIFY(!steps.isBusy() && !budget.isBusy() && !overview.isBusy() && !findings.isBusy()
            && !checklist.isBusy() && strip.isReady());
    };
    open(program());
    settle();
    QCOMPARE(strip.steps().size(), std::size_t{8});
    QVERIFY(!finds(findings, "nvtx_outlier_steps"));
    QVERIFY(!checklist.answers().empty());
    QVERIFY(checklist.answers().front().over.start < 30 * ms);
    overview.follow(QUrl("section:ran"));
    const QString story = overview.text().toPlainText();

    type(steps, "micro_*");
    QCOMPARE(session.judgement().stepGlob(), std::string("micro_*"));
    settle();
    QCOMPARE(strip.steps().size(), std::size_t{32});
    QCOMPARE(steps.host().breakdown().steps.size(), std::size_t{32});
    QVERIFY2(budget.summaryLabel().text().contains("32 steps"), qPrintable(budget.summaryLabel().text()));
    QVERIFY(finds(findings, "nvtx_outlier_steps"));
    QVERIFY(overview.text().toPlainText() != story);

    type(steps, "late_*");
    settle();
    QVERIFY(checklist.answers().front().over.start >= 40 * ms);
}

void StepChoiceTest::allBoxesShowTheSame()
{
    StepsPanel steps(*m_session, Theme::light());
    StepsPanel budget(*m_session, Theme::light());
    open(program());
    type(budget, "late_*");
    QCOMPARE(steps.findChild<StepBox*>()->text(), QString("late_*"));
    open(program(5 * ms)); // another report has its own
    QCOMPARE(m_session->judgement().stepGlob(), std::string());
    QCOMPARE(steps.findChild<StepBox*>()->text(), QString());
    QCOMPARE(budget.findChild<StepBox*>()->text(), QString());
}

void StepChoiceTest::theClearButtonDetectsThemAgain()
{
    StepsPanel steps(*m_session, Theme::light());
    steps.resize(900, 300);
    steps.show();
    open(program());
    type(steps, "late_*");
    auto* const clear = steps.findChild<StepBox*>()->findChild<QToolButton*>();
    QVERIFY(clear);
    QTest::mouseClick(clear, Qt::LeftButton);
    QCOMPARE(m_session->judgement().stepGlob(), std::string());
}

void StepChoiceTest::aPatternAsPanelsPrintItIsTaken()
{
    StepsPanel budget(*m_session, Theme::light());
    open(program());
    type(budget, " micro_# ");
    QCOMPARE(m_session->judgement().stepGlob(), std::string("micro_*"));
    QCOMPARE(budget.findChild<StepBox*>()->text(), QString("micro_*"));
}

void StepChoiceTest::namesThatNoRangeHasAreSaidWithTheWayBack()
{
    Session& session = *m_session;
    StepsPanel steps(session, Theme::light());
    StepsPanel budget(session, Theme::light());
    OverviewPanel overview(session, Theme::light());
    ChecklistPanel checklist(session, Theme::light());
    FindingsPanel findings(session, Theme::light());
    steps.showPart("host");
    steps.show();
    open(program());
    type(steps, "epoch<*");
    QTRY_VERIFY(session.judgement().lacksSteps() && !steps.isBusy() && !budget.isBusy());
    for (QWidget* const panel : std::initializer_list<QWidget*>{&overview, &checklist, &findings}) {
        const auto* const notice = panel->findChild<StepNotice*>();
        QVERIFY(notice && !notice->isHidden());
        QVERIFY2(notice->text().contains("epoch&lt;*"), qPrintable(notice->text()));
    }
    QVERIFY(budget.summaryLabel().text().contains("epoch&lt;*"));
    QVERIFY(budget.summaryLabel().text().startsWith("<a ")); // a low panel cuts the end
    const auto* const page = steps.findChild<QLabel*>("noSteps");
    QVERIFY(page && page->text().contains("epoch&lt;*"));
    emit const_cast<QLabel*>(page)->linkActivated(stepsAutoLink);
    QCOMPARE(session.judgement().stepGlob(), std::string());
    QVERIFY(overview.findChild<StepNotice*>()->isHidden());
    QTRY_VERIFY(!steps.host().charts().empty());
    // The same from a notice.
    session.judgement().setStepGlob("nothing_*");
    QTRY_VERIFY(!overview.findChild<StepNotice*>()->isHidden());
    emit overview.findChild<StepNotice*>()->linkActivated(stepsAutoLink);
    QCOMPARE(session.judgement().stepGlob(), std::string());
}

void StepChoiceTest::rangesWithoutGpuWorkAreSaid()
{
    DrawnProgram drawn;
    for (int i = 0; i < 6; ++i)
        drawn.range("save_" + std::to_string(i), {100 * ms + i * ms, 100 * ms + i * ms + ms / 2});
    drawn.kernel("gemm", ms, {2 * ms, 9 * ms});
    StepsPanel budget(*m_session, Theme::light());
    open(drawn.finish());
    type(budget, "save_*");
    QTRY_VERIFY(!budget.isBusy());
    QVERIFY(!m_session->judgement().lacksSteps());
    QVERIFY2(
        budget.summaryLabel().text().contains("launches GPU work"), qPrintable(budget.summaryLabel().text()));
    QVERIFY(budget.summaryLabel().text().startsWith("<a "));
    emit const_cast<QLabel&>(budget.summaryLabel()).linkActivated(stepsAutoLink);
    QCOMPARE(m_session->judgement().stepGlob(), std::string());
}

void StepChoiceTest::bothSidesOfAComparisonFollow()
{
    StepsPanel steps(*m_session, Theme::light());
    RunPair& pair = m_session->pair();
    m_session->setWorkspace(workspaceOf("before.sqlite", program()));
    pair.compareWith(workspaceOf("after.sqlite", program(5 * ms)));
    QTRY_VERIFY(pair.comparison() && !pair.isBusy());
    QCOMPARE(pair.comparison()->sides.b.pattern, std::string("step_#"));
    type(steps, "micro_*");
    QCOMPARE(pair.request().a.stepGlob, std::string("micro_*"));
    QCOMPARE(pair.request().b.stepGlob, std::string("micro_*"));
    QCOMPARE(pair.b().judgement().stepGlob(), std::string("micro_*"));
    QTRY_VERIFY(!pair.isBusy());
    for (const Side side : {Side::A, Side::B})
        QCOMPARE(QString::fromStdString(pair.comparison()->sides[side].pattern), QString("micro_*"));
    // Another B gets the same choice.
    pair.compareWith(workspaceOf("other.sqlite", program(4 * ms)));
    QCOMPARE(pair.b().judgement().stepGlob(), std::string("micro_*"));
}

void StepChoiceTest::aSavedViewKeepsIt()
{
    open(program());
    m_session->judgement().setStepGlob("micro_*");
    const SavedView view = viewOf(*m_session);
    QCOMPARE(view.steps, std::string("micro_*"));
    m_session->judgement().setStepGlob({});
    applyView(*m_session, view);
    QCOMPARE(m_session->judgement().stepGlob(), std::string("micro_*"));
}

WARPLINE_TEST(StepChoiceTest)

} // namespace tst_step_choice

#include "tst_step_choice.moc"
