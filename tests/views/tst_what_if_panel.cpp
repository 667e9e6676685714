// The panel "What if": switches that fit nothing cannot be flipped, one that is flipped changes the step, and
// a finding sets its own cure.

#include "core/load/load_report.h"
#include "core/replay/what_if.h"
#include "core/rows/row_kind.h"
#include "tests/core/findings/drawn_program.h"
#include "tests/support/test_program.h"
#include "tests/views/cut_parts.h"
#include "views/panels/finding_text.h"
#include "views/panels/what_if_bars.h"
#include "views/panels/what_if_panel.h"
#include "views/session/chosen_cure.h"
#include "views/style/rich_text.h"

#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <set>

namespace tst_what_if_panel {

using namespace warpline;
using namespace warpline::test;

namespace {

/// Eight steps of four kernels of 50 us, each with a wait behind it: 240 us.
std::shared_ptr<const Trace> waitingSteps()
{
    DrawnProgram drawn;
    for (int i = 0; i <= 8; ++i) {
        const Ns begin = ms + i * 240 * us;
        drawn.range("step_" + std::to_string(i), {begin, begin + 239 * us});
        for (int op = 0; op < 4; ++op) {
            const Ns at = begin + op * 60 * us;
            drawn.kernel("work", at, {at + 5 * us, at + 55 * us});
            drawn.call("cudaDeviceSynchronize_v3020", {at + 3 * us, at + 58 * us});
        }
    }
    return drawn.finish();
}

void openIn(Session& session, std::shared_ptr<const Trace> trace)
{
    auto rows = buildRows(*trace);
    session.setTrace(std::move(trace), std::move(rows));
}

} // namespace

class WhatIfPanelTest : public QObject {
    Q_OBJECT

private slots:
    /// A finding leads to the panel only where there is something to replay.
    void aFindingOffersOnlyWhatCanBeReplayed()
    {
        Finding finding;
        finding.cure.edits.push_back(
            {.kind = CureKind::RemoveWork, .name = "wait", .work = EventKind::ApiCall});
        const auto offers = [&](const Trace& trace) {
            return findingHtml(trace, finding, 1 * ms).contains("href='whatif:'");
        };
        QVERIFY(offers(*waitingSteps()));
        DrawnProgram host; // as a program of graphics: frames and waits, and no work that was launched
        for (int i = 0; i < 8; ++i)
            host.range("step_" + std::to_string(i), {i * ms, i * ms + 900 * us});
        const auto trace = host.finish();
        QVERIFY(whatIfTargets(*trace, {trace->session.start, trace->session.end + 1}).empty());
        QVERIFY(!offers(*trace));
        QCOMPARE(mayReplay(*waitingSteps()), !whatIfTargets(*waitingSteps(), {0, 100 * ms}).empty());
    }
    void aSwitchChangesTheStep()
    {
        Session session;
        WhatIfPanel panel(session, Theme::light());
        panel.resize(900, 300);
        panel.show();
        openIn(session, waitingSteps());
        QTRY_VERIFY(panel.expected());
        QCOMPARE(panel.expected()->measured, 240 * us);
        QCheckBox* const sync = panel.findChild<QCheckBox*>("without_sync");
        QVERIFY(sync && sync->isEnabled() && !sync->isHidden());
        QVERIFY(panel.findChild<QCheckBox*>("without_allocation")->isHidden()); // it would change nothing
        QVERIFY(panel.findChild<QCheckBox*>("overlap_copies")->isHidden());
        QTest::mouseClick(sync, Qt::LeftButton, {}, QPoint(8, sync->height() / 2));
        QTRY_VERIFY(panel.expected() && panel.expected()->cured.expected == 213 * us);
        QVERIFY(panel.expected()->share() > 0.1);
        // Screen readers get each bar, as wide as its time.
        const std::vector<PaintedItem> bars = panel.findChild<WhatIfBars*>()->paintedItems();
        QCOMPARE(bars.size(), 2U);
        QVERIFY(bars[0].name.contains("240") && bars[1].name != bars[0].name);
        QVERIFY(bars[1].rect.width() < bars[0].rect.width() && bars[1].rect.top() > bars[0].rect.bottom());
        QVERIFY(!bars[1].description.isEmpty());
        QVERIFY(panel.sentence().text().contains('%'));
        // In a column of a few letters both bars have its width, their titles and their times.
        auto& narrow = *panel.findChild<WhatIfBars*>();
        narrow.setFixedWidth(110);
        const std::vector<PaintedItem> shown = narrow.paintedItems();
        QVERIFY(shown[0].rect.width() > 90 && shown[0].rect.right() < 110);
        QVERIFY(shown[1].rect.width() > 80 && shown[1].rect.width() < shown[0].rect.width());
        for (int row = 0; row < 2; ++row) {
            const QStringList lines = narrow.rowLines(row);
            QCOMPARE(lines.size(), 2);
            for (const QString& line : lines)
                QVERIFY(narrow.fontMetrics().horizontalAdvance(line) <= 110);
            QVERIFY(bars[static_cast<std::size_t>(row)].name.startsWith(lines[0].first(4)));
            const Ns time = row == 0 ? panel.expected()->replayed : panel.expected()->cured.expected;
            QCOMPARE(lines[1], durationText(time));
        }
        QTRY_COMPARE(narrow.height(), narrow.heightForWidth(110));
        QVERIFY(narrow.paintedItems()[1].rect.bottom() < narrow.height());
        narrow.setFixedWidth(400);
        QCOMPARE(narrow.rowLines(1).size(), 1);
        // Both at once: kernels of half their time.
        panel.kernels().setText("wor*");
        QTRY_VERIFY(panel.expected() && panel.expected()->cured.expected == 113 * us);
        QCOMPARE(panel.commandWords(), (QStringList{"--scale", "kernel=wor*:0.5", "--without", "sync"}));
        sync->setChecked(false);
        panel.kernels().clear();
        QTRY_VERIFY(panel.expected() && panel.expected()->cured.expected == 240 * us);
    }

    void choicesHoldForAnotherReport()
    {
        Session session;
        WhatIfPanel panel(session, Theme::light());
        panel.show();
        std::vector<OpenReport> reports(2);
        for (OpenReport& report : reports) {
            report.trace = waitingSteps();
            report.rows = buildRows(*report.trace);
        }
        session.setWorkspace(Workspace(std::move(reports)));
        QTRY_VERIFY(panel.expected());
        QCheckBox* const sync = panel.findChild<QCheckBox*>("without_sync");
        sync->setChecked(true);
        QTRY_VERIFY(panel.expected() && panel.expected()->cured.expected == 213 * us);
        session.chooseReport(ReportId{1});
        QVERIFY(!panel.expected()); // the answer was for the other
        QTRY_VERIFY(panel.expected() && panel.expected()->cured.expected == 213 * us);
        QVERIFY(sync->isChecked() && !sync->isHidden());
    }

    void aFindingSetsItsCure()
    {
        Session session;
        WhatIfPanel panel(session, Theme::dark());
        panel.show();
        openIn(session, waitingSteps());
        QTRY_VERIFY(panel.expected());
        panel.findChild<QCheckBox*>("without_sync")->setChecked(true);
        session.judgement().cure().choose("Kernels too slow",
            {{{.kind = CureKind::ScaleWork, .name = "work", .factor = FactorRange::exactly(0.5)}}});
        QVERIFY(panel.findChild<QCheckBox*>("finding")->isChecked() && panel.leftOut().finding);
        QVERIFY(panel.commandWords().isEmpty());
        QVERIFY(!panel.findChild<QCheckBox*>("without_sync")->isChecked());
        QTRY_VERIFY(panel.expected() && panel.expected()->cured.expected == 140 * us);
        panel.findChild<QCheckBox*>("finding")->setChecked(false);
        QTRY_VERIFY(panel.expected() && panel.expected()->cured.expected == 240 * us);
    }

    /// Its events are of the report before, and so is what it is named.
    void theCureOfAFindingGoesWithItsReport()
    {
        Session session;
        WhatIfPanel panel(session, Theme::light());
        panel.show();
        openIn(session, waitingSteps());
        QTRY_VERIFY(panel.expected());
        ChosenCure& cure = session.judgement().cure();
        const auto choose = [&cure] {
            cure.choose("Kernels too slow",
                {{{.kind = CureKind::ScaleWork, .name = "work", .factor = FactorRange::exactly(0.5)}}});
        };
        choose();
        QTRY_VERIFY(panel.expected() && panel.expected()->cured.expected == 140 * us);
        openIn(session, waitingSteps());
        QVERIFY(cure.title().isEmpty() && cure.cure().empty());
        QTRY_VERIFY(panel.expected() && panel.expected()->cured.expected == 240 * us);
        QVERIFY(panel.findChild<QCheckBox*>("finding")->isHidden());
        // Others that come leave it.
        choose();
        std::vector<OpenReport> reports(2);
        for (OpenReport& report : reports) {
            report.trace = &report == &reports.front() ? session.sharedTrace() : waitingSteps();
            report.rows = buildRows(*report.trace);
        }
        session.setWorkspace(Workspace(std::move(reports)));
        QVERIFY(!cure.title().isEmpty());
    }

    void kernelsThatAreMisnamedAreOffered()
    {
        Session session;
        WhatIfPanel panel(session, Theme::light());
        panel.show();
        openIn(session, waitingSteps());
        QTRY_VERIFY(panel.expected());
        panel.findChild<QCheckBox*>("without_sync")->setChecked(true);
        panel.kernels().setText("wrok");
        QTRY_VERIFY(!panel.isBusy() && panel.sentence().text().contains("wrok"));
        QVERIFY(panel.sentence().text().contains("work"));
    }

    /// In a narrow and low drawer switches have one column, and the result is readable and scrolls.
    void narrowDrawerShowsSwitchesAndResult()
    {
        Session session;
        WhatIfPanel panel(session, Theme::light());
        panel.resize(1100, 300);
        panel.show();
        openIn(session, waitingSteps());
        QTRY_VERIFY(panel.expected() && panel.sentence().isVisible());
        const auto columns = [&panel] {
            std::set<int> lefts;
            for (const QCheckBox* const box : panel.findChildren<QCheckBox*>()) {
                if (box->isVisible())
                    lefts.insert(box->x());
            }
            return lefts.size();
        };
        const QList<QCheckBox*> boxes = panel.findChildren<QCheckBox*>();
        const auto shown
            = std::ranges::count_if(boxes, [](const QCheckBox* box) { return box->isVisible(); });
        QTRY_COMPARE(columns(), static_cast<std::size_t>(std::min<qsizetype>(2, shown)));
        panel.resize(440, 160);
        QTRY_COMPARE(columns(), 1U);
        QVERIFY2(panel.width() <= 440 && panel.height() <= 160,
            qPrintable(QString("%1x%2").arg(panel.width()).arg(panel.height())));
        QTRY_VERIFY2(panel.sentence().width() >= 120, std::to_string(panel.sentence().width()).c_str());
        QTRY_COMPARE(cutParts(panel), QStringList());
        // Bars and sentence are not on top of each other.
        const QWidget& bars = *panel.findChild<WhatIfBars*>();
        QTRY_VERIFY(bars.height() >= bars.heightForWidth(bars.width()));
        QVERIFY(panel.sentence().geometry().top() > bars.geometry().bottom());
        QTRY_VERIFY(panel.sentence().height() >= panel.sentence().heightForWidth(panel.sentence().width()));
    }

    /// A trace with one step: what is replayed is the run or the range.
    void withoutTwoStepsNoTextIsOfAStep()
    {
        const auto loaded = loadReport(WARPLINE_TEST_DATA "/traces/bert_stack.json.gz");
        QVERIFY(loaded.ok());
        Session session;
        WhatIfPanel panel(session, Theme::light());
        panel.show();
        openIn(session, loaded.value());
        const auto said = [&] {
            QString texts = panel.findChild<WhatIfBars*>()->accessibleName();
            for (const QLabel* const label : panel.findChildren<QLabel*>())
                texts += label->isVisible() ? '\n' + label->text() : QString();
            return texts;
        };
        QTRY_VERIFY(!panel.isBusy() && panel.expected() && panel.expected()->plain);
        QVERIFY(panel.expected()->isWhole);
        const QString ofRun = said();
        const TimeRange all = session.session();
        session.time().selectRange({all.start, all.start + all.duration() / 2});
        QTRY_VERIFY(!panel.isBusy() && said() != ofRun);
        for (const QString& texts : {ofRun, said()})
            QVERIFY2(!texts.contains("a step") && !texts.contains("No steps"), qPrintable(texts));
    }

    /// The wait before its first launch is part of a selected step, and can be removed.
    void oneSelectedStepHasItsWaitForInput()
    {
        DrawnProgram drawn;
        for (int i = 0; i < 8; ++i) {
            const Ns begin = ms + i * 10 * ms;
            drawn.range("step_" + std::to_string(i), {begin, begin + 9 * ms});
            drawn.range("data_load", {begin, begin + 8 * ms});
            drawn.kernel("work", begin + 8 * ms, {begin + 8 * ms + 5 * us, begin + 8 * ms + 55 * us});
        }
        Session session;
        WhatIfPanel panel(session, Theme::light());
        panel.show();
        openIn(session, drawn.finish());
        QTRY_VERIFY(panel.expected() && !panel.expected()->isWhole);
        session.time().selectRange({31 * ms, 40 * ms});
        QTRY_VERIFY(!panel.isBusy() && panel.expected() && panel.expected()->isWhole);
        QCOMPARE(panel.expected()->measured, 8 * ms + 55 * us);
        QCheckBox* const ready = panel.findChild<QCheckBox*>("ready_input");
        QVERIFY(!ready->isHidden());
        ready->setChecked(true);
        QTRY_COMPARE(panel.expected() ? panel.expected()->cured.expected : 0, 55 * us);
    }

    void everyCureHasASwitch()
    {
        Session session;
        WhatIfPanel panel(session, Theme::light());
        for (const CureSwitch* const cure : allSwitches())
            QVERIFY2(panel.findChild<QCheckBox*>(QString::fromStdString(keyOf(*cure))), keyOf(*cure).c_str());
    }

    void nothingOpenIsNothingShown()
    {
        Session session;
        WhatIfPanel panel(session, Theme::light());
        panel.show();
        QVERIFY(!panel.expected());
        openIn(session, DrawnProgram().finish());
        QTRY_VERIFY(!panel.isBusy());
        QVERIFY(!panel.expected());
    }
};

WARPLINE_TEST(WhatIfPanelTest)

} // namespace tst_what_if_panel

#include "tst_what_if_panel.moc"
