// The time of steps on the GPU: a bar a step or a bar for many, parts that add up, the selected range's own
// budget.

#include "core/rows/row_kind.h"
#include "tests/core/findings/drawn_program.h"
#include "tests/support/test_program.h"
#include "tests/views/cut_parts.h"
#include "views/panels/budget_view.h"
#include "views/panels/host_steps.h"
#include "views/panels/steps_panel.h"
#include "views/style/oklab.h"

#include <QComboBox>
#include <QHeaderView>
#include <QHelpEvent>
#include <QLabel>
#include <QSettings>
#include <QSignalSpy>
#include <QTableWidget>
#include <QTest>
#include <QToolTip>

namespace tst_budget_view {

using namespace warpline;
using namespace warpline::test;

namespace {

/// Eight steps of 10 ms on the host and on the GPU: 4 ms of a product, 6 ms of data loading.
std::shared_ptr<const Trace> eightSteps()
{
    DrawnProgram drawn;
    for (int i = 0; i < 8; ++i) {
        const Ns at = 10 * ms * i;
        drawn.range("step_" + std::to_string(i), {at, at + 10 * ms});
        drawn.range("load", {at, at + 6 * ms});
        drawn.kernel("my_gemm", at + 6 * ms, {at + 6 * ms + 2 * us, at + 10 * ms});
    }
    return drawn.finish();
}

void openIn(Session& session, std::shared_ptr<const Trace> trace)
{
    auto rows = buildRows(*trace);
    session.setTrace(std::move(trace), std::move(rows));
}

/// The table's value of the part whose title begins with `title`; "-" without such a line.
QString cell(StepsPanel& panel, const QString& title, int column)
{
    for (int row = 0; row < panel.gpuTime().table().rowCount(); ++row) {
        if (panel.gpuTime().table().item(row, 0)->text().startsWith(title))
            return panel.gpuTime().table().item(row, column)->text();
    }
    return "-";
}

} // namespace

class GpuTimeTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QCoreApplication::setOrganizationName("warpline-test");
        QCoreApplication::setApplicationName("tst_budget_view");
    }

    void joinsStepsThatDoNotFit()
    {
        QCOMPARE(binsOf(3, 100).size(), std::size_t{3});
        const auto bins = binsOf(1000, 100);
        QVERIFY(bins.size() <= 25);
        std::size_t steps = 0;
        for (const BarBin& bin : bins) {
            QCOMPARE(bin.first, steps); // none omitted
            steps += bin.count;
        }
        QCOMPARE(steps, std::size_t{1000});
        QVERIFY(binsOf(0, 100).empty());
        QCOMPARE(binsOf(5, 0).size(), std::size_t{1});
    }

    void showsWhereTheTimeWent()
    {
        Session session;
        StepsPanel panel(session, Theme::light());
        panel.resize(900, 300);
        panel.show();
        openIn(session, eightSteps());
        QTRY_VERIFY(!panel.isBusy() && panel.gpuTime().table().rowCount() > 0);
        QVERIFY(panel.summaryLabel().text().contains("8 steps"));
        QVERIFY(panel.summaryLabel().text().contains("median 10 ms on the GPU"));
        QCOMPARE(cell(panel, "Matrix products", 1), QString("3.998 ms"));
        QCOMPARE(cell(panel, "Idle: data loading in load", 1), QString("6.000 ms"));
        QTRY_COMPARE(panel.gpuTime().bars().bins().size(), std::size_t{8}); // when the layout is done
    }

    void tellsTheSelectedRange()
    {
        Session session;
        StepsPanel panel(session, Theme::dark());
        panel.resize(900, 300);
        panel.show();
        openIn(session, eightSteps());
        QTRY_VERIFY(!panel.isBusy() && panel.gpuTime().table().rowCount() > 0);
        session.time().selectRange({7 * ms, 9 * ms});
        QTRY_COMPARE(cell(panel, "Matrix products", 3), QString("2.000 ms"));
        QCOMPARE(cell(panel, "Matrix products", 4), QString("100.0%"));
        QCOMPARE(panel.gpuTime().table().horizontalHeaderItem(3)->text(), QString("Selected range"));
    }

    void aShiftedClockChangesNothing()
    {
        Session session;
        StepsPanel panel(session, Theme::dark());
        panel.resize(900, 300);
        panel.show();
        openIn(session, eightSteps());
        QTRY_VERIFY(!panel.isBusy() && panel.gpuTime().table().rowCount() > 0);
        session.setClocks(
            session.workspace().withClock(session.report().id, {500 * ms, 0, ClockMethod::Manual, {}}));
        session.time().selectRange({507 * ms, 509 * ms});
        QTRY_COMPARE(cell(panel, "Matrix products", 3), QString("2.000 ms"));
        panel.gpuTime().goToStep(2);
        QCOMPARE(session.time().selectedRange(), (TimeRange{526 * ms + 2 * us, 536 * ms + 2 * us}));
    }

    void aClickGoesToTheStep()
    {
        Session session;
        StepsPanel panel(session, Theme::light());
        openIn(session, eightSteps());
        panel.evaluate();
        QTRY_VERIFY(!panel.gpuTime().bars().slices().empty());
        panel.gpuTime().goToStep(2);
        QCOMPARE(session.time().selectedRange(), (TimeRange{26 * ms + 2 * us, 36 * ms + 2 * us}));
        panel.gpuTime().goToStep(99); // there is none
        const QString tip = panel.gpuTime().bars().tipAt({-5, 0});
        QVERIFY(tip.isEmpty());
    }

    /// A warm-up step of ten times the others leaves the plot: its bar has a break, with a label.
    void barsThatAreCutSayIt()
    {
        DrawnProgram drawn;
        Ns at = 0;
        for (int i = 0; i < 12; ++i) {
            const Ns length = (i == 0 ? 100 : 10) * ms;
            drawn.range("step_" + std::to_string(i), {at, at + length});
            drawn.kernel("my_gemm", at + us, {at + 2 * us, at + length});
            at += length;
        }
        Session session;
        StepsPanel panel(session, Theme::light());
        panel.resize(900, 300);
        panel.show();
        openIn(session, drawn.finish());
        QTRY_VERIFY(!panel.isBusy() && panel.gpuTime().bars().bins().size() == 12);
        std::vector<QString> tips; // from left to right
        for (int x = 0; x < panel.gpuTime().bars().width(); x += 4) {
            if (const QString tip = panel.gpuTime().bars().tipAt({x, panel.gpuTime().bars().height() / 2});
                !tip.isEmpty())
                tips.push_back(tip);
        }
        QVERIFY(tips.size() > 2);
        QVERIFY2(tips.front().startsWith("step_0") && tips.front().contains("longer than drawn"),
            qPrintable(tips.front()));
        QVERIFY2(!tips.back().contains("longer than drawn"), qPrintable(tips.back()));
    }

    /// "1 outlier" alone would suggest the longest bar, which may be another step; and the last step, which
    /// has no next one, is not a faster one.
    void namesTheOutlierAndTheCutStep()
    {
        DrawnProgram drawn;
        Ns at = 0;
        for (int i = 0; i < 12; ++i) {
            const Ns own = i == 7 ? 60 * ms : 6 * ms;
            drawn.range("load", {at, at + own});
            drawn.kernel("work", at + own, {at + own + 10 * us, at + own + 4 * ms});
            drawn.call("cudaDeviceSynchronize_v3020", {at + own + 5 * us, at + own + 4 * ms});
            drawn.range("step_" + std::to_string(i), {at, at + own + 4 * ms + 10 * us});
            at += own + 4 * ms + 20 * us;
        }
        Session session;
        StepsPanel panel(session, Theme::light());
        panel.show();
        openIn(session, drawn.finish());
        QTRY_VERIFY2(panel.summaryLabel().text().contains("1 outlier: step_7"),
            qPrintable(panel.summaryLabel().text()));
        QVERIFY2(panel.summaryLabel().text().contains("step_11: only to the end of its work"),
            qPrintable(panel.summaryLabel().text()));
    }

    void withoutStepsTheRangeIsSplit()
    {
        DrawnProgram drawn;
        drawn.kernel("my_gemm", 0, {10 * us, 20 * us});
        Session session;
        StepsPanel panel(session, Theme::light());
        panel.resize(900, 300);
        panel.show();
        openIn(session, drawn.finish());
        QTRY_VERIFY(!panel.isBusy() && panel.gpuTime().table().rowCount() > 0);
        QVERIFY(panel.summaryLabel().text().contains("No steps"));
        QVERIFY(cell(panel, "Matrix products", 3) != "-");
        QVERIFY(panel.gpuTime().table().isVisible());
        // Parts about steps are hidden.
        QVERIFY(!panel.gpuTime().bars().isVisible());
        QVERIFY(panel.gpuTime().table().isColumnHidden(1) && panel.gpuTime().table().isColumnHidden(2));
        QVERIFY(panel.gpuTime().table().width() > 800);
    }

    void linesStandAtRoundTimes()
    {
        Session session;
        StepsPanel panel(session, Theme::light());
        panel.resize(900, 300);
        panel.show();
        openIn(session, eightSteps());
        QTRY_VERIFY(!panel.isBusy() && panel.gpuTime().table().rowCount() > 0);
        QStringList texts;
        for (const auto& [share, text] : panel.gpuTime().bars().ticks()) {
            QVERIFY(share >= 0 && share <= 1);
            texts << text;
        }
        QCOMPARE(texts, QStringList({"0", "2 ms", "4 ms", "6 ms", "8 ms", "10 ms"}));
    }

    void idlePartsStandOutFromTheGround()
    {
        const BudgetParts parts(kernelClassRules());
        Budget mean(parts.size(), 0);
        for (std::size_t part = 0; part < parts.size(); ++part)
            mean[part] = parts[part].group == BudgetGroup::Idle ? 1000 - static_cast<Ns>(part) : 0;
        for (const Theme* const theme : {&Theme::light(), &Theme::dark()}) {
            const std::vector<BudgetSlice> slices = slicesOf(parts, mean, *theme);
            QVERIFY(std::ranges::count(slices, BudgetGroup::Idle, &BudgetSlice::group) > 3);
            for (const BudgetSlice& slice : slices)
                QVERIFY2(distanceOf(slice.color, theme->background) > 0.2, qPrintable(slice.title));
        }
    }

    /// Small parts are one slice of the bars; each has its colour in the table.
    void partsOfTheRestHaveItsColor()
    {
        DrawnProgram drawn;
        for (int i = 0; i < 8; ++i) {
            const Ns at = 10 * ms * i;
            drawn.range("step_" + std::to_string(i), {at, at + 10 * ms});
            drawn.kernel("my_gemm", at, {at + 2 * us, at + 9 * ms});
            drawn.kernel("layer_norm_kernel", at, {at + 9 * ms, at + 9 * ms + 5 * us});
        }
        Session session;
        StepsPanel panel(session, Theme::light());
        panel.resize(900, 300);
        panel.show();
        openIn(session, drawn.finish());
        QTRY_VERIFY(!panel.isBusy() && panel.gpuTime().table().rowCount() > 0);
        for (int row = 0; row < panel.gpuTime().table().rowCount(); ++row)
            QVERIFY2(panel.gpuTime().table().item(row, 0)->data(Qt::DecorationRole).isValid(),
                qPrintable(panel.gpuTime().table().item(row, 0)->text()));
    }

    void withoutGpuWorkNothingEmptyIsShown()
    {
        DrawnProgram drawn;
        drawn.event(EventKind::OsRuntime, "read", {0, 10 * ms});
        Session session;
        StepsPanel panel(session, Theme::light());
        panel.resize(900, 300);
        panel.show();
        openIn(session, drawn.finish());
        QTRY_VERIFY(!panel.isBusy());
        QVERIFY(!panel.gpuTime().table().isVisible() && !panel.choice().isVisible());
        QCOMPARE(&panel.shown(), static_cast<StepsView*>(&panel.host())); // only the host has steps
    }

    /// In a low drawer the legend loses lines before the chart gets too low for its numbers.
    void legendShrinksBeforeTheChart()
    {
        DrawnProgram drawn;
        for (int i = 0; i < 8; ++i) {
            const Ns at = 20 * ms * i;
            drawn.range("step_" + std::to_string(i), {at, at + 20 * ms});
            for (int part = 0; part < 12; ++part)
                drawn.range("a part with a long name " + std::string(3, char('a' + part)),
                    {at + part * ms, at + (part + 1) * ms});
            drawn.kernel("my_gemm", at + 12 * ms, {at + 12 * ms + 2 * us, at + 20 * ms});
        }
        Session session;
        StepsPanel panel(session, Theme::light());
        panel.resize(700, 600);
        panel.show();
        openIn(session, drawn.finish());
        QTRY_VERIFY(!panel.isBusy() && panel.gpuTime().legendLabel().isVisible());
        const QLabel& legend = panel.gpuTime().legendLabel();
        const QWidget& bars = panel.gpuTime().bars();
        const int line = legend.fontMetrics().height();
        QTRY_VERIFY2(legend.height() > 5 * line, std::to_string(legend.height()).c_str());
        for (const int height : {220, 180}) {
            panel.resize(700, height);
            QTRY_VERIFY2(bars.height() >= bars.minimumHeight(), std::to_string(bars.height()).c_str());
            QTRY_VERIFY(legend.height() >= line && legend.geometry().bottom() < bars.geometry().top());
            QTRY_VERIFY(bars.geometry().bottom() < bars.parentWidget()->height());
            QHelpEvent asked(QEvent::ToolTip, QPoint(5, 5), legend.mapToGlobal(QPoint(5, 5)));
            QCoreApplication::sendEvent(const_cast<QLabel*>(&legend), &asked);
            QCOMPARE(QToolTip::text(), legend.text()); // with the entries that have no room
            QToolTip::hideText();
            QTRY_VERIFY(!QToolTip::isVisible());
            QTRY_VERIFY(legend.findChild<QLabel*>("more")->isVisible()); // a mark shows that it goes on
            QVERIFY(!legend.findChild<QLabel*>("more")->accessibleName().isEmpty());
        }
        panel.resize(1400, 600);
        QTRY_VERIFY(!legend.findChild<QLabel*>("more")->isVisible());
        panel.resize(300, 300); // long entries do not take the table's room
        QTRY_VERIFY(panel.gpuTime().table().width() > 100);
    }

    /// In a narrow drawer the summary has its own lines, and long names of GPUs do not widen the window.
    void narrowDrawerHasAllControls()
    {
        Session session;
        StepsPanel panel(session, Theme::light());
        panel.resize(480, 200);
        panel.show();
        openIn(session, eightSteps());
        QTRY_VERIFY(!panel.isBusy() && panel.gpuTime().table().rowCount() > 1);
        const QList<QComboBox*> choices = panel.gpuTime().choices().findChildren<QComboBox*>();
        choices.first()->addItem(QString(100, 'x'));
        choices.first()->show();
        QTRY_VERIFY2(
            panel.minimumSizeHint().width() <= 480, std::to_string(panel.minimumSizeHint().width()).c_str());
        QTRY_COMPARE(cutParts(panel), QStringList());
        const QLabel& summary = panel.summaryLabel();
        QTRY_VERIFY2(summary.width() > 400, std::to_string(summary.width()).c_str());
        for (const QComboBox* const each : choices)
            QVERIFY(each->mapTo(&panel, each->rect().bottomLeft()).y() < summary.mapTo(&panel, QPoint()).y());
        QVERIFY(panel.gpuTime().bars().height() >= panel.gpuTime().bars().minimumHeight());
    }

    /// Names are cut late, and numbers never, where there is little room.
    void narrowTableShowsNamesAndNumbers()
    {
        Session session;
        StepsPanel panel(session, Theme::light());
        panel.resize(520, 300);
        panel.show();
        openIn(session, eightSteps());
        QTRY_VERIFY(!panel.isBusy() && panel.gpuTime().table().rowCount() > 1);
        const auto narrowest = panel.fontMetrics().horizontalAdvance(QString(20, 'x'));
        QVERIFY2(panel.gpuTime().table().columnWidth(0) >= narrowest,
            std::to_string(panel.gpuTime().table().columnWidth(0)).c_str());
        const auto numbersAreWhole = [&panel] {
            for (int column = 1; column < panel.gpuTime().table().columnCount(); ++column) {
                for (int row = 0; row < panel.gpuTime().table().rowCount(); ++row) {
                    const QString text = panel.gpuTime().table().item(row, column)->text();
                    if (panel.gpuTime().table().columnWidth(column)
                        < panel.gpuTime().table().fontMetrics().horizontalAdvance(text))
                        return false;
                }
            }
            return true;
        };
        QVERIFY(numbersAreWhole());
        // With enough room names are shown in full.
        panel.resize(1600, 300);
        QTRY_COMPARE(panel.gpuTime().table().horizontalHeader()->length(),
            panel.gpuTime().table().viewport()->width());
        QVERIFY(numbersAreWhole());
    }
};

WARPLINE_TEST(GpuTimeTest)

} // namespace tst_budget_view

#include "tst_budget_view.moc"
