// The steps pane: bars of each thread apart, under the steps' own numbers, with a tip for every part.

#include "core/load/load_report.h"
#include "core/rows/row_kind.h"
#include "tests/core/findings/drawn_program.h"
#include "tests/core/stats/drawn_trace.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"
#include "tests/views/cut_parts.h"
#include "views/panels/budget_view.h"
#include "views/panels/host_steps.h"
#include "views/panels/steps_chart.h"
#include "views/panels/steps_panel.h"
#include "views/style/rich_text.h"

#include <QLabel>
#include <QSettings>
#include <QSignalSpy>
#include <QTest>
#include <QToolTip>

namespace tst_steps_panel {

using namespace warpline;
using namespace warpline::test;

namespace {

/// Steps 3 to 7 of two threads. Those of the second take 2 ms, half of it "load", the others 1 ms.
std::shared_ptr<const Trace> twoThreads()
{
    DrawnTrace drawn;
    constexpr Ns ms = 1'000'000;
    for (int i = 0; i < 5; ++i) {
        for (const std::uint32_t tid : {1U, 2U}) {
            const Ns start = (1 + i * 3) * ms / 100;
            const Ns length = tid * ms / 100;
            drawn.range("step_" + std::to_string(i + 3), start, start + length, tid);
            drawn.range("load", start, start + length / 2, tid);
        }
    }
    return drawn.finish();
}

QStringList labelsOf(const StepsChart& chart)
{
    return chart.labels();
}

} // namespace

class StepsPanelTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void stepsCarryTheirOwnNumbers();
    void eachThreadHasBarsOfItsOwn();
    void partsHaveTips();
    void aBarThatIsCutSaysIt();
    void aClickGoesToTheStep();
    void legendLeavesRoomForTheBars();
    void allStepsAreShown_data();
    void allStepsAreShown();
    void withoutStepsThereIsNoChart();
    void outliersWithoutPartsAreMarked();
    void stepsWithoutPartsPointToTheGpuTime();
    void otherRangesAreNamed();
    void guessedStepsAreToldOf();
    void theChoiceIsKept();
    void aLastStepUnlikeAllOthersIsNamed();
    void ranksOfOneReportStandApart();
    void chartColoursDiffer();
    void tellsThatItIsDoneThoughNobodyLooks();
    void stepsGoWithTheirReport();

private:
    void show(StepsPanel& panel, const std::shared_ptr<const Trace>& trace);
    Session m_session;
};

void StepsPanelTest::initTestCase()
{
    QCoreApplication::setOrganizationName("warpline-test");
    QCoreApplication::setApplicationName("tst_steps_panel");
    QSettings().clear();
}

void StepsPanelTest::tellsThatItIsDoneThoughNobodyLooks()
{
    Session session;
    StepsPanel panel(session, Theme::light()); // never shown
    QSignalSpy updated(&panel, &Panel::updated);
    const std::shared_ptr<const Trace> trace = twoThreads();
    session.setTrace(trace, buildRows(*trace));
    QVERIFY(panel.isBusy());
    QTRY_VERIFY(!panel.isBusy());
    QVERIFY(updated.count() > 0); // an update is signalled
}

/// Steps are indices into a report: those of the one before must not be looked up in the next.
void StepsPanelTest::stepsGoWithTheirReport()
{
    Session session;
    StepsPanel panel(session, Theme::light());
    const std::shared_ptr<const Trace> trace = twoThreads();
    session.setTrace(trace, buildRows(*trace));
    QTRY_VERIFY(!panel.host().breakdown().steps.empty());
    DrawnTrace drawn;
    drawn.range("other", 0, 10);
    const std::shared_ptr<const Trace> next = drawn.finish();
    session.setTrace(next, buildRows(*next));
    QVERIFY(panel.isBusy() && panel.host().breakdown().steps.empty());
    panel.host().showSteadySteps();
    QTRY_VERIFY(!panel.isBusy());
}

void StepsPanelTest::show(StepsPanel& panel, const std::shared_ptr<const Trace>& trace)
{
    panel.resize(1000, 500);
    panel.showPart("host");
    panel.show();
    m_session.setTrace(trace, buildRows(*trace));
    QTRY_VERIFY(!panel.isBusy());
    QVERIFY(QTest::qWaitForWindowExposed(&panel));
    QTest::qWait(50); // charts lay themselves out late
}

void StepsPanelTest::stepsCarryTheirOwnNumbers()
{
    QCOMPARE(stepNumber("step_12", 0), QString("12"));
    QCOMPARE(stepNumber("epoch 1 batch 7 (train)", 0), QString("7"));
    QCOMPARE(stepNumber("iteration", 4), QString("4"));
    QCOMPARE(stepNumber("", 4), QString("4"));
    QCOMPARE(stepNumber("execute_8192_context_9(sq8155)_generation_37(sk34489)", 4), QString("4")); // sizes
    StepsPanel panel(m_session, Theme::light());
    show(panel, twoThreads());
    QCOMPARE(labelsOf(*panel.host().charts().front()), (QStringList{"3", "4", "5", "6", "7"}));
}

void StepsPanelTest::eachThreadHasBarsOfItsOwn()
{
    StepsPanel panel(m_session, Theme::dark());
    show(panel, twoThreads());
    QCOMPARE(panel.host().charts().size(), 2U);
    QVERIFY(panel.host().charts()[0]->title() != panel.host().charts()[1]->title());
    QVERIFY(panel.host().charts()[0]->title().contains("[100]"));
    QVERIFY(panel.summaryLabel().text().startsWith("step_* \u00b7 10 steps on 2 threads \u00b7 median"));
    QVERIFY(panel.host().legendLabel().text().contains("load"));
    QVERIFY(panel.host().legendLabel().text().contains(panel.host().colors().front().name()));
    // One scale: a bar of twice the time is twice as high.
    const auto height = [&](std::size_t chart, std::size_t step) {
        const auto at = panel.host().charts()[chart]->plotArea();
        return (at.bottom() - panel.host().charts()[chart]->middleOf(step, 0).y()) / at.height();
    };
    QVERIFY(std::abs(height(1, 6) - 2 * height(0, 1)) < 0.05);
}

void StepsPanelTest::partsHaveTips()
{
    StepsPanel panel(m_session, Theme::light());
    show(panel, twoThreads());
    StepsChart& chart = *panel.host().charts()[1];
    const std::size_t second = 6; // step_4 of the second thread
    QCOMPARE(chart.tipAt(chart.middleOf(second, 0)),
        QString("step_4 \u00b7 load \u00b7 10.00 \u00b5s \u00b7 50%"));
    QCOMPARE(chart.tipAt(chart.middleOf(second, 1)),
        QString("step_4 \u00b7 other \u00b7 10.00 \u00b5s \u00b7 50%"));
    QCOMPARE(chart.tipAt(QPoint(0, 0)), QString());
    QTest::mouseMove(&chart, chart.middleOf(second, 0));
    QTRY_VERIFY(QToolTip::text().contains("load"));
    QToolTip::hideText();
}

/// A first step that is far longer than the others shows only its beginning: its tooltip and a gap show that.
void StepsPanelTest::aBarThatIsCutSaysIt()
{
    DrawnTrace drawn;
    Ns at = 1'000;
    for (int i = 0; i < 12; ++i) {
        const Ns length = i == 0 ? 100'000 : 2'000;
        drawn.range("step_" + std::to_string(i), at, at + length, 1U);
        drawn.range("load", at, at + length / 2, 1U);
        at += length + 100;
    }
    StepsPanel panel(m_session, Theme::light());
    show(panel, drawn.finish());
    QVERIFY2(!panel.host().charts().empty(), qPrintable(panel.summaryLabel().text()));
    StepsChart& chart = *panel.host().charts()[0];
    const QRectF plot = chart.plotArea();
    const QPoint first(chart.middleOf(0, 0).x(), static_cast<int>(plot.center().y()));
    QVERIFY2(chart.tipAt(first).contains("longer than drawn: 100.0 \u00b5s in all"),
        qPrintable(chart.tipAt(first)));
    QVERIFY(!chart.tipAt(chart.middleOf(5, 0)).contains("longer than drawn"));
    const QImage image = chart.grab().toImage();
    const auto colorAt = [&](double below) {
        return image.pixelColor(
            QPoint(first.x(), static_cast<int>(plot.top() + below)) * image.devicePixelRatio());
    };
    QCOMPARE(colorAt(5.5), Theme::light().background);
    QVERIFY(colorAt(2) != Theme::light().background);
    QVERIFY(colorAt(10) != Theme::light().background);
}

void StepsPanelTest::aClickGoesToTheStep()
{
    StepsPanel panel(m_session, Theme::light());
    show(panel, twoThreads());
    StepsChart& chart = *panel.host().charts()[1];
    QTest::mouseClick(&chart, Qt::LeftButton, {}, chart.middleOf(7, 0));
    QCOMPARE(m_session.trace().name(m_session.selection().ownCurrentEvent()), std::string_view("step_5"));
    QCOMPARE(
        m_session.time().selectedRange(), m_session.trace().range(m_session.selection().ownCurrentEvent()));
    panel.host().showSteadySteps(); // all of them: none is warm-up
    QCOMPARE(m_session.time().shown(), (TimeRange{10'000, 150'000}));
}

void StepsPanelTest::allStepsAreShown_data()
{
    QTest::addColumn<int>("steps");
    QTest::addColumn<bool>("single");
    QTest::newRow("one per bar") << 199 << true;
    QTest::newRow("several per bar") << 1000 << false;
}

void StepsPanelTest::allStepsAreShown()
{
    QFETCH(const int, steps);
    QFETCH(const bool, single);
    DrawnTrace drawn;
    for (int i = 0; i < steps; ++i) {
        drawn.range("step_" + std::to_string(i), i * 10'000, i * 10'000 + 4'000 + i);
        drawn.range("load", i * 10'000, i * 10'000 + 2'000 + i);
    }
    StepsPanel panel(m_session, Theme::light());
    show(panel, drawn.finish());
    StepsChart& chart = *panel.host().charts().front();
    std::size_t shown = 0;
    for (const BarBin& bin : chart.bins()) {
        QCOMPARE(bin.first, shown);
        QCOMPARE(bin.count == 1, single || bin.first + 1 == static_cast<std::size_t>(steps));
        shown += bin.count;
    }
    QCOMPARE(shown, static_cast<std::size_t>(steps));
    QVERIFY(chart.minimumHeight() <= 90); // the numbers below the bars are in sight in a low drawer
    QCOMPARE(chart.caption().isEmpty(), single);
    const std::size_t last = chart.bins().back().first;
    QTest::mouseClick(&chart, Qt::LeftButton, {}, chart.middleOf(last, 0));
    QCOMPARE(textOf(m_session.trace().name(m_session.selection().ownCurrentEvent())),
        QString("step_%1").arg(last));
    // A bar of several shows their mean.
    const BarBin bin = chart.bins().front();
    const Ns mean = 2'000 + static_cast<Ns>(bin.count - 1) / 2;
    QVERIFY2(chart.tipAt(chart.middleOf(0, 0)).contains(durationText(mean)),
        qPrintable(chart.tipAt(chart.middleOf(0, 0))));
}

void StepsPanelTest::withoutStepsThereIsNoChart()
{
    StepsPanel panel(m_session, Theme::light());
    show(panel, DrawnTrace().finish());
    QVERIFY(panel.host().charts().empty()); // no axis of 0 to 1.5e-06 ms
    // Said once: on the page.
    QCOMPARE(panel.summaryLabel().text(), QString());
    const auto* const page = panel.findChild<QLabel*>("noSteps");
    QVERIFY(page);
    QVERIFY2(page->text().contains("No NVTX range repeats in this report."), qPrintable(page->text()));
}

/// Bars of one color show which steps are outliers; bars of parts keep the colors of these.
void StepsPanelTest::outliersWithoutPartsAreMarked()
{
    constexpr Ns ms = 1'000'000;
    for (const bool hasParts : {false, true}) {
        DrawnProgram drawn;
        Ns time = 0;
        for (int i = 0; i < 12; ++i) {
            const Ns length = i == 7 ? 40 * ms : 9 * ms;
            drawn.range("step_" + std::to_string(i), {time, time + length});
            if (hasParts)
                drawn.range("load", {time, time + ms});
            time += length + ms;
        }
        StepsPanel panel(m_session, Theme::light());
        show(panel, drawn.finish());
        QVERIFY2(!panel.host().charts().empty(), hasParts ? "with parts" : "without");
        const StepsChart& chart = *panel.host().charts().front();
        for (std::size_t i = 0; i < 12; ++i)
            QCOMPARE(chart.restColor({i, 1}), i == 7 && !hasParts ? Theme::light().bad : Theme::light().rest);
    }
}

/// Steps without inner ranges are bars of one colour: the panel names the view of the GPU time, if there is
/// one.
void StepsPanelTest::stepsWithoutPartsPointToTheGpuTime()
{
    for (const bool works : {true, false}) {
        DrawnProgram drawn;
        for (int i = 0; i < 8; ++i) {
            drawn.range("step_" + std::to_string(i), {i * 10 * ms, i * 10 * ms + 9 * ms});
            if (works)
                drawn.kernel("work", i * 10 * ms + us, {i * 10 * ms + 2 * us, i * 10 * ms + 8 * ms});
        }
        StepsPanel panel(m_session, Theme::light());
        show(panel, drawn.finish());
        QVERIFY2(panel.summaryLabel().text().contains("see GPU time") == works,
            qPrintable(panel.summaryLabel().text()));
    }
}

/// Ranges that repeat but are no steps: the panel names them and does not suggest others.
void StepsPanelTest::otherRangesAreNamed()
{
    DrawnTrace drawn;
    for (int i = 0; i < 3; ++i) {
        drawn.range("host write", i * 1000, i * 1000 + 400);
        drawn.range("host read", i * 1000 + 500, i * 1000 + 600);
    }
    StepsPanel panel(m_session, Theme::light());
    show(panel, drawn.finish());
    const auto* const page = panel.findChild<QLabel*>("noSteps");
    QVERIFY(page);
    QVERIFY2(page->text().contains("host write (3 times)"), qPrintable(page->text()));
    QVERIFY(!page->text().contains("nvtxRangePush"));
}

/// Steps that only the GPU work shows have no ranges: the page links to them.
void StepsPanelTest::guessedStepsAreToldOf()
{
    const std::string path = sharedReport("public/SamuelAmsih__CUDA__report11");
    if (path.empty())
        QSKIP("needs ../shared/reports/public, which is not there");
    const auto loaded = loadReport(path);
    QVERIFY(loaded.ok());
    StepsPanel panel(m_session, Theme::light());
    show(panel, loaded.value());
    const auto* const page = panel.findChild<QLabel*>("noSteps");
    QVERIFY(page);
    emit const_cast<QLabel*>(page)->linkActivated("gpu");
    QCOMPARE(&panel.shown(), static_cast<StepsView*>(&panel.gpuTime()));
    QTRY_VERIFY2(panel.summaryLabel().text().contains("288 steps \u00b7 median 40.1 ms"),
        qPrintable(panel.summaryLabel().text()));
}

/// One of two things is chosen, and found again after a restart.
void StepsPanelTest::theChoiceIsKept()
{
    QSettings settings;
    {
        StepsPanel panel(m_session, Theme::light());
        const std::shared_ptr<const Trace> ofHost = twoThreads();
        m_session.setTrace(ofHost, buildRows(*ofHost));
        QCOMPARE(&panel.shown(), static_cast<StepsView*>(&panel.host())); // there is no GPU work
        panel.showPart("no such");
        panel.showPart("host");
        panel.saveState(settings);
    }
    DrawnProgram drawn;
    drawn.kernel("my_gemm", 0, {10 * us, 20 * us});
    const std::shared_ptr<const Trace> trace = drawn.finish();
    m_session.setTrace(trace, buildRows(*trace));
    StepsPanel panel(m_session, Theme::light());
    QCOMPARE(&panel.shown(), static_cast<StepsView*>(&panel.gpuTime()));
    panel.restoreState(settings);
    QCOMPARE(&panel.shown(), static_cast<StepsView*>(&panel.host()));
    panel.showPart("budget"); // --panel
    QCOMPARE(&panel.shown(), static_cast<StepsView*>(&panel.gpuTime()));
    settings.clear();
}

void StepsPanelTest::aLastStepUnlikeAllOthersIsNamed()
{
    DrawnProgram drawn;
    for (int i = 0; i < 8; ++i) {
        const Ns at = 10 * ms * i;
        const Ns length = i == 7 ? 6 * ms : 10 * ms;
        drawn.range("step_" + std::to_string(i), {at, at + length});
        drawn.range("load", {at, at + 2 * ms});
        drawn.kernel("my_gemm", at + 2 * ms, {at + 2 * ms + 5 * us, at + length});
    }
    StepsPanel panel(m_session, Theme::light());
    show(panel, drawn.finish());
    const QString summary = panel.summaryLabel().text();
    QVERIFY2(summary.endsWith("step_7 takes 0.60 x the usual, unlike all others"), qPrintable(summary));
}

void StepsPanelTest::ranksOfOneReportStandApart()
{
    const std::string path = sharedReport("ddp_2gpu");
    if (path.empty())
        QSKIP("needs ../shared/reports/h200, which is not there");
    const auto loaded = loadReport(path);
    QVERIFY(loaded.ok());
    StepsPanel panel(m_session, Theme::light());
    show(panel, loaded.value());
    QCOMPARE(panel.host().charts().size(), 2U);
    for (const StepsChart* const chart : panel.host().charts())
        QCOMPARE(labelsOf(*chart), (QStringList{"0", "1", "2", "3", "4", "5", "6"}));
}

void StepsPanelTest::chartColoursDiffer()
{
    constexpr int minDistance = 40; // of red, green and blue together, by how much eyes weigh them
    for (const Theme* const theme : {&Theme::light(), &Theme::dark()}) {
        std::vector<QColor> colors{theme->rest};
        for (std::size_t i = 0; i < 12; ++i)
            colors.push_back(theme->chartColor(i));
        for (std::size_t i = 0; i < colors.size(); ++i) {
            for (std::size_t j = i + 1; j < colors.size(); ++j) {
                const auto apart
                    = [&](auto part) { return std::abs((colors[i].*part)() - (colors[j].*part)()); };
                const int distance
                    = (3 * apart(&QColor::red) + 5 * apart(&QColor::green) + 2 * apart(&QColor::blue)) / 5;
                QVERIFY2(distance >= minDistance, qPrintable(colors[i].name() + ' ' + colors[j].name()));
            }
        }
        // Communication has a colour distinct from copies and from work that may hide it.
        const QColor collective = theme->color(EventTint::Collective);
        for (const EventTint other :
            {EventTint::Kernel, EventTint::CopyHtoD, EventTint::CopyDtoH, EventTint::CopyDtoD})
            QVERIFY(std::abs(collective.hslHue() - theme->color(other).hslHue()) >= 35);
    }
}

/// In a low drawer the legend loses lines before the bars get too low.
void StepsPanelTest::legendLeavesRoomForTheBars()
{
    DrawnTrace drawn;
    for (int i = 0; i < 8; ++i) {
        const Ns start = 100'000 * i;
        drawn.range("step_" + std::to_string(i), start, start + 90'000, 1);
        for (int part = 0; part < 20; ++part)
            drawn.range("a part with a long name " + std::string(3, static_cast<char>('a' + part)),
                start + part * 4'000, start + (part + 1) * 4'000, 1);
    }
    auto trace = drawn.finish();
    auto rows = buildRows(*trace);
    Session session;
    StepsPanel panel(session, Theme::light());
    panel.resize(480, 200);
    panel.showPart("host");
    panel.show();
    session.setTrace(std::move(trace), std::move(rows));
    QTRY_VERIFY(!panel.isBusy());
    QCOMPARE(panel.host().charts().size(), std::size_t{1});
    const QLabel& legend = panel.host().legendLabel();
    QTRY_VERIFY(legend.isVisible() && legend.height() < legend.heightForWidth(legend.width()));
    QTRY_VERIFY(legend.findChild<QLabel*>("more")->isVisible());
    const QWidget& viewport = *panel.host().charts().front()->parentWidget()->parentWidget();
    QTRY_VERIFY2(viewport.height() >= 90, std::to_string(viewport.height()).c_str());
    QTRY_COMPARE(cutParts(panel), QStringList());
}

WARPLINE_TEST(StepsPanelTest)

} // namespace tst_steps_panel

#include "tst_steps_panel.moc"
