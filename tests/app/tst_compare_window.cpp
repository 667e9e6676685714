// Two runs in one window: opened, aligned at their steps, zoomed and moved together.

#include "app/main_window.h"
#include "app/panel_docks.h"
#include "app/recent_files.h"
#include "app/reports_dialog.h"
#include "app/search_bar.h"
#include "app/start_page.h"
#include "app/view_files.h"
#include "app/window_actions.h"
#include "app/window_place.h"
#include "core/base/format.h"
#include "core/base/format_instant.h"
#include "core/render/render.h"
#include "core/store/trace.h"
#include "core/workspace/report_set.h"
#include "core/workspace/search_reports.h"
#include "tests/app/rows_with_result.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"
#include "views/actions/action.h"
#include "views/compare/compare_bar.h"
#include "views/compare/compare_lines.h"
#include "views/compare/compared_timelines.h"
#include "views/panels/compare_panel.h"
#include "views/panels/details_panel.h"
#include "views/panels/judged_range.h"
#include "views/panels/step_choice.h"
#include "views/panels/steps_panel.h"
#include "views/panels/verdict_panel.h"
#include "views/session/marks.h"
#include "views/session/result_rows.h"
#include "views/session/run_pair.h"
#include "views/session/side_color.h"
#include "views/style/rich_text.h"
#include "views/timeline/color_legend.h"
#include "views/timeline/overview.h"
#include "views/timeline/row_filter.h"
#include "views/timeline/row_labels.h"
#include "views/timeline/timeline_pane.h"

#include <QAction>
#include <QCheckBox>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QMenu>
#include <QMessageBox>
#include <QMimeData>
#include <QProcess>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTabBar>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBrowser>
#include <QTextCursor>
#include <QTextDocument>
#include <QTimer>
#include <QToolBar>
#include <QToolButton>
#include <QWheelEvent>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>
#include <tuple>

namespace tst_compare_window {

using namespace warpline;
using namespace warpline::test;

namespace {

#define SETTLE(window) QTRY_VERIFY_WITH_TIMEOUT((window).isSettled(), 60'000)

const char* const before = WARPLINE_TEST_DATA "/reports/bert_fp32.sqlite";
const char* const after = WARPLINE_TEST_DATA "/reports/ddp_overlap_rank0.sqlite";
const char* const third = WARPLINE_TEST_DATA "/reports/um.sqlite";

void turnWheel(TimelineView& view, QPoint at, int notches, Qt::KeyboardModifiers modifiers)
{
    QWheelEvent event(at, view.viewport()->mapToGlobal(at), {}, QPoint(0, 120 * notches), Qt::NoButton,
        modifiers, Qt::NoScrollPhase, false);
    QApplication::sendEvent(view.viewport(), &event);
}

void drag(QWidget& widget, QPoint from, QPoint to)
{
    QTest::mousePress(&widget, Qt::LeftButton, {}, from);
    QMouseEvent move(
        QEvent::MouseMove, to, widget.mapToGlobal(to), Qt::LeftButton, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&widget, &move);
    QTest::mouseRelease(&widget, Qt::LeftButton, {}, to);
}

} // namespace

class CompareWindowTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void twoRunsStandOneAboveTheOther();
    void panelsOfTheSettingsApplyToTheReport();
    void panelsThatGaveWayComeBack();
    void panelsOpenedWhileComparingStay();
    void aFreshStartIsNotInTheModeOfTheSettings();
    void oneZoomsAndTheOtherFollows();
    void panningLeavesTheEndsOfTheShorterRun();
    void stepsMoveBoth();
    void aJumpToAnotherStepAlignsThere();
    void panelsSayWhichRunTheyAreAbout();
    void stepsAreStretchedToOneLength();
    void rowsOpenTogether();
    void rowsOfAReportThatIsRemovedHaveNoPartner();
    void theMouseIsSeenInBoth();
    void twoRangesOfOneReport();
    void aPartOfAStepIsARange();
    void aSideIsNarrowedToARange();
    void setsOfRanksAreSides();
    void theyAreSwapped();
    void aSwapReadsNoFileAgain();
    void choicesStayWithTheirRun();
    void settingsStayWithTheirRun();
    void selectionsStayWithTheirRun();
    void aSwapReadsTheViewOfItsRun();
    void swapsKeepWhatTheUserChangedOfAView();
    void reloadingKeepsTheNamedViewOfB();
    void reloadingKeepsSqlRowsOfB();
    void reloadingKeepsSqlRowsOfBWhereAFailsAtOnce();
    void reloadingKeepsWhatIsDoneToSqlRowsMeanwhile();
    void sqlRowsStayWhereAnotherReportOfBCanBeRead_data();
    void sqlRowsStayWhereAnotherReportOfBCanBeRead();
    void anotherRecordingOfBKeepsItsSqlRows_data();
    void anotherRecordingOfBKeepsItsSqlRows();
    void bookmarksOfBStayWithTheirProgram();
    void aReloadThatFailsKeepsSqlRowsOfB();
    void aReloadThatFailsBringsNothingBackToB_data();
    void aReloadThatFailsBringsNothingBackToB();
    void anotherLanguageKeepsThePanels();
    void theEndInAnotherLanguageIsTheSame();
    void anotherAIsAlignedToo();
    void theEndLeavesA();
    void theEndBringsBackBothOpenReports();
    void runsThatAreReadStayWhereTheyAre();
    void aReportClosesDuringASwap();
    void theEndBringsThemBackWithAnotherB();
    void theEndKeepsSqlRowsOfTheComparison();
    void theEndBringsTheViewBeforeTheRestIsRead();
    void theEndKeepsSqlRowsOfBothNextToAThird();
    void theEndBringsNoRowsOfTheViewOfOneReport();
    void bStaysOpenWhereAIsRemoved();
    void bStaysOpenWhereAHasOnlyWhatFailed();
    void theNamedViewOfBStaysWhereAIsRemoved();
    void twoRangesGoWithTheirReport();
    void openReportsAreComparedFromMemory();
    void whatIsLeftOutIsReadAgainAtTheEnd();
    void theEndWaitsForNothingThatIsLeftOut();
    void whatIsAddedToAIsAddedToBoth();
    void bothOpenMayBeOnAnotherMachine();
    void whatWasLoadingFailsWhereTheComparisonIsCancelled();
    void bWaitsForA();
    void twoOpenReportsAreComparedWhenNoneLoads();
    void bookmarksOfBAreKept();
    void keysInBActOnB();
    void aKeyReleasedElsewhereEndsItsMotion();
    void whatBLeadsToIsOfB();
    void searchGoesToBWhereAHasNoMatch();
    void twoDroppedFilesAreComparedWithOneClick();
    void twoDroppedFilesMayBothBeOpened();
    void droppedRanksOfOneRunAreOpened();
    void aPairIsAmongTheRecentFiles();
    void comparingBeginsInToolBarAndOnTheStartPage();
    void twoOpenReportsAreOfferedToCompare();
    void chosenStepsAreThoseOfBothSides();
    void aRunWithoutEventsIsNotComparable();
    void aRunThatCannotBeOpenedEndsIt();
    void whatCannotBeOpenedLeavesTheComparison();
    void aFolderWithoutReportsIsTold();
    void aSideThatCannotBeReadAgainStays();
    void aSideOfWhichOnlyAPartWasReadEndsIt_data();
    void aSideOfWhichOnlyAPartWasReadEndsIt();
    void aPartThatWasReadStaysAtTheEnd();
    void twoRangesStayWhereAnotherRunCannotBeOpened();
    void theVerdictIsInFront();
    void oneLegendNamesWhatBothShow();
    void aPictureShowsBoth();

private:
    RunPair& pair() { return m_window->session().pair(); }
    TimelineView& viewA() { return m_window->timelines().a().view(); }
    TimelineView& viewB() { return m_window->timelines().b()->view(); }
    void takeOver(MainWindow& next);
    void compareBoth()
    {
        m_window->compare(before, after);
        QTRY_VERIFY_WITH_TIMEOUT(pair().isOn(), 30'000);
        SETTLE(*m_window);
        QTRY_VERIFY_WITH_TIMEOUT(pair().stepCount() > 0, 30'000);
    }
    /// From ranks of one run.
    void compareBothOpen()
    {
        m_window->openAll({before, after});
        SETTLE(*m_window);
        m_window->compareOpenReports();
        QTRY_VERIFY_WITH_TIMEOUT(pair().isOn(), 30'000);
        SETTLE(*m_window);
    }
    /// Whether B shows the time that is aligned with A's, to a pixel.
    bool isInStep()
    {
        const TimeRange a = pair().a().time().shown();
        const TimeRange b = pair().map().toA(pair().b().time().shown());
        const Ns pixel = a.duration() / 500 + 2;
        return std::abs(a.start - b.start) <= pixel && std::abs(a.end - b.end) <= pixel;
    }
    void drop(const QStringList& files)
    {
        QMimeData data;
        QList<QUrl> urls;
        for (const QString& file : files)
            urls << QUrl::fromLocalFile(file);
        data.setUrls(urls);
        QDragEnterEvent enter(QPoint(50, 50), Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(m_window.get(), &enter);
        QDropEvent event(QPointF(50, 50), Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(m_window.get(), &event);
    }
    /// A file of this name that begins as a report and is none.
    QString brokenFile(const QString& name)
    {
        QFile file(m_folder.filePath(name));
        const QByteArray content = QByteArray("SQLite format 3\0", 16) + QByteArray(10'000, 'x');
        return file.open(QIODevice::WriteOnly) && file.write(content) == content.size() ? file.fileName()
                                                                                        : QString();
    }
    /// A recording of this name that nsys exports for a minute.
    QString endlessRecording(const QString& name)
    {
        const QString nsys = m_folder.filePath("nsys");
        const QString recording = m_folder.filePath(name);
        for (const QString& path : {nsys, recording}) {
            QFile file(path);
            if (!file.open(QIODevice::WriteOnly) || file.write("#!/bin/sh\nexec sleep 60\n") < 0)
                return {};
        }
        QFile(nsys).setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        QSettings().setValue("nsysProgram", nsys);
        return recording;
    }
    /// The button with this text that is seen; nullptr: there is none.
    QPushButton* button(const char* text)
    {
        for (QPushButton* const each : m_window->findChildren<QPushButton*>()) {
            if (each->text() == text && each->isVisible())
                return each;
        }
        return nullptr;
    }
    /// Chooses `text` in the menu of the timeline `pane` with nothing under the mouse; false: not there.
    /// The entry of the menu that begins with `text`.
    bool choose(TimelinePane& pane, const QString& text)
    {
        QMenu menu;
        pane.fillMenu(menu, {});
        for (QAction* const action : menu.actions()) {
            if (action->text().startsWith(text)) {
                action->trigger();
                return true;
            }
        }
        return false;
    }

    QTemporaryDir m_folder;
    std::unique_ptr<MainWindow> m_window;
};

void CompareWindowTest::initTestCase()
{
    QCoreApplication::setOrganizationName("warpline-test");
    QCoreApplication::setApplicationName("tst_compare_window");
}

void CompareWindowTest::init()
{
    QSettings().clear();
    m_window = std::make_unique<MainWindow>(Theme::light());
    m_window->resize(1300, 900);
    m_window->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
}

void CompareWindowTest::twoRunsStandOneAboveTheOther()
{
    compareBoth();
    QCOMPARE(pair().a().workspace().reports().front().label, std::string("bert_fp32.sqlite"));
    QCOMPARE(pair().b().workspace().reports().front().label, std::string("ddp_overlap_rank0.sqlite"));
    QCOMPARE(m_window->windowTitle(),
        QString("bert_fp32.sqlite against ddp_overlap_rank0.sqlite \u2014 Warpline"));
    TimelinePane& a = m_window->timelines().a();
    TimelinePane& b = *m_window->timelines().b();
    QVERIFY(a.isVisible() && b.isVisible());
    QVERIFY(a.mapToGlobal(QPoint()).y() < b.mapToGlobal(QPoint()).y());
    QCOMPARE(a.labelWidth(), b.labelWidth());
    const QLabel& sizeA = *a.findChild<QLabel*>("report-size");
    const QLabel& sizeB = *b.findChild<QLabel*>("report-size");
    QVERIFY(sizeA.text().startsWith("bert_fp32"));
    // Both have their number of events, or none.
    const int before = a.labelWidth();
    for (int width = 150; width < 400; width += 3) {
        a.setLabelWidth(width);
        QCOMPARE(sizeB.text().contains("events"), sizeA.text().contains("events"));
    }
    QVERIFY(sizeA.text().contains("events"));
    a.setLabelWidth(before);
    // Aligned at a step of each, all of which is seen.
    QVERIFY(pair().step());
    const TimeRange stepA = pair().steps(Side::A)[*pair().step()];
    const TimeRange stepB = pair().steps(Side::B)[*pair().step()];
    QCOMPARE(pair().map().toB(stepA.start), stepB.start);
    QCOMPARE(pair().map().scale, 1.0);
    QVERIFY(pair().a().time().shown().clippedTo(stepA) == stepA);
    QVERIFY(pair().b().time().shown().clippedTo(stepB) == stepB);
    QVERIFY(isInStep());
    QVERIFY(m_window->timelines().bar().place().text().startsWith("step 3 of 4: A "));
}

void CompareWindowTest::oneZoomsAndTheOtherFollows()
{
    compareBoth();
    const TimeRange wasA = pair().a().time().shown();
    turnWheel(viewA(), {200, 60}, 3, Qt::ControlModifier);
    QVERIFY(pair().a().time().shown().duration() < wasA.duration());
    QVERIFY(isInStep());
    const TimeRange wasB = pair().b().time().shown();
    turnWheel(viewB(), {300, 60}, -2, Qt::ControlModifier);
    QVERIFY(pair().b().time().shown().duration() > wasB.duration());
    QVERIFY(isInStep());
    turnWheel(viewB(), {300, 60}, 2, Qt::ShiftModifier);
    QVERIFY(isInStep());
    // Keys, wherever the keyboard is.
    viewB().setFocus();
    QTest::keyClick(&viewB(), Qt::Key_D);
    QVERIFY(isInStep());
    // Back in one is back in both.
    const TimeRange now = pair().a().time().shown();
    viewA().setFocus();
    QTest::keyClick(&viewA(), Qt::Key_Backspace);
    QVERIFY(pair().a().time().shown() != now);
    QVERIFY(isInStep());
}

void CompareWindowTest::panningLeavesTheEndsOfTheShorterRun()
{
    compareBoth();
    pair().a().time().showAll(); // the longer of both, and the rest of the other
    QVERIFY(isInStep());
    QVERIFY(pair().a().time().shown().clippedTo(pair().a().session()) == pair().a().session());
    QVERIFY(pair().b().time().shown().clippedTo(pair().b().session()) == pair().b().session());
    QVERIFY(!m_window->grab().isNull()); // drawn beyond its ends without harm
}

void CompareWindowTest::stepsMoveBoth()
{
    compareBoth();
    CompareBar& bar = m_window->timelines().bar();
    const std::size_t first = *pair().step();
    const auto left = [&](Side side) {
        return pair().steps(side)[*pair().step()].start - pair().session(side).time().shown().start;
    };
    const Ns room = left(Side::A);
    QTest::mouseClick(&bar.previous(), Qt::LeftButton);
    QCOMPARE(*pair().step(), first - 1);
    QCOMPARE(left(Side::A), room); // the same place on the screen
    QVERIFY(std::abs(left(Side::B) - room) < 2);
    QVERIFY(isInStep());
    viewA().setFocus();
    QTest::keyClick(&viewA(), Qt::Key_Period);
    QCOMPARE(*pair().step(), first);
    viewB().setFocus();
    QTest::keyClick(&viewB(), Qt::Key_Comma);
    QCOMPARE(*pair().step(), first - 1);
    QTest::keyClick(&viewB(), Qt::Key_Comma);
    QTest::keyClick(&viewB(), Qt::Key_Comma);
    QTest::keyClick(&viewB(), Qt::Key_Comma);
    QCOMPARE(*pair().step(), 0U);
    QVERIFY(!bar.previous().isEnabled());
    // The zoomed part of a step is also shown for the next step.
    turnWheel(viewA(), {200, 60}, 6, Qt::ControlModifier);
    const Ns length = pair().a().time().shown().duration();
    const Ns within = left(Side::A);
    QTest::mouseClick(&bar.next(), Qt::LeftButton);
    QCOMPARE(pair().a().time().shown().duration(), length);
    QCOMPARE(left(Side::A), within);
    QVERIFY(isInStep());
}

void CompareWindowTest::aJumpToAnotherStepAlignsThere()
{
    compareBoth();
    const auto seesPartner = [&](std::size_t step) {
        return std::ranges::all_of(std::array{Side::A, Side::B}, [&](Side side) {
            return pair().session(side).time().shown().overlaps(pair().steps(side)[step]);
        });
    };
    for (const Side side : {Side::A, Side::B}) {
        for (const std::size_t wanted : {std::size_t{3}, std::size_t{0}}) {
            const TimeRange step = pair().steps(side)[wanted];
            const Ns quarter = step.duration() / 4;
            pair().session(side).time().show(
                {step.end - quarter, step.end - quarter / 2}); // its begin is not seen
            QCOMPARE(*pair().step(), wanted);
            QVERIFY(seesPartner(wanted) && isInStep());
            pair().session(side).time().show({step.start - quarter, step.end});
        }
    }
    const TimeRange seen = pair().a().time().shown();
    const TimeRange next = pair().steps(Side::A)[1];
    pair().a().time().show({seen.start, next.end}); // more is seen, nothing jumps
    QCOMPARE(*pair().step(), 0U);
    QVERIFY(isInStep());
    // A selected event determines the step, wherever it is in the view.
    const Trace& trace = pair().a().trace();
    for (EventIndex i = 0; i < trace.table(EventKind::Kernel).size(); ++i) {
        if (next.contains(trace.range({EventKind::Kernel, i}).start)) {
            pair().a().selection().setCurrentEvent(pair().a().idOf({EventKind::Kernel, i}));
            break;
        }
    }
    QCOMPARE(*pair().step(), 1U);
    QVERIFY(seesPartner(1) && isInStep());
}

void CompareWindowTest::panelsSayWhichRunTheyAreAbout()
{
    const auto noteOf = [&](const char* panel) {
        auto* const dock = m_window->findChild<QDockWidget*>(panel);
        return dock->titleBarWidget()->findChild<QLabel*>("run-note");
    };
    compareBoth();
    QLabel* const note = noteOf("events");
    QVERIFY(note && !note->isHidden());
    QVERIFY2(note->text().contains("bert_fp32"), qPrintable(note->text()));
    QVERIFY(!noteOf("compare") && !noteOf("verdict") && !noteOf("details"));
    emit note->linkActivated("swap");
    QTRY_VERIFY2(note->text().contains("ddp_overlap_rank0"), qPrintable(note->text()));
    SETTLE(*m_window);
    m_window->session().pair().end();
    QVERIFY(note->isHidden());
}

void CompareWindowTest::stepsAreStretchedToOneLength()
{
    compareBoth();
    QTest::mouseClick(&m_window->timelines().bar().stretch(), Qt::LeftButton);
    QVERIFY(pair().isStretched());
    const TimeRange stepA = pair().steps(Side::A)[*pair().step()];
    const TimeRange stepB = pair().steps(Side::B)[*pair().step()];
    QVERIFY(std::abs(viewA().axis().xAt(stepA.start) - viewB().axis().xAt(stepB.start)) < 1);
    QVERIFY(std::abs(viewA().axis().xAt(stepA.end) - viewB().axis().xAt(stepB.end)) < 1);
    // Each ruler shows the times of its own run.
    QVERIFY(std::abs(viewB().axis().timeAt(viewB().axis().xAt(stepB.end)) - stepB.end) < 1000);
    QTest::mouseClick(&m_window->timelines().bar().next(), Qt::LeftButton);
    const TimeRange nextA = pair().steps(Side::A)[*pair().step()];
    const TimeRange nextB = pair().steps(Side::B)[*pair().step()];
    QVERIFY(std::abs(viewA().axis().xAt(nextA.end) - viewB().axis().xAt(nextB.end)) < 1);
    viewA().setFocus();
    QTest::keyClick(&viewA(), Qt::Key_Equal);
    QVERIFY(!pair().isStretched());
    QCOMPARE(pair().map().scale, 1.0);
}

void CompareWindowTest::rowsOpenTogether()
{
    compareBoth();
    Session& a = pair().a();
    Session& b = pair().b();
    QVERIFY(!pair().rowPairs().empty());
    for (const RowPair& rows : pair().rowPairs())
        QCOMPARE(a.rowView().isExpanded(rows.a), b.rowView().isExpanded(rows.b));
    const RowPair top = pair().rowPairs().front();
    QVERIFY(plain(a.rows().row(top.a).label).starts_with("GPU "));
    QVERIFY(plain(b.rows().row(top.b).label).starts_with("GPU "));
    const bool wasOpen = a.rowView().isExpanded(top.a);
    a.rowView().setExpanded(top.a, !wasOpen);
    QCOMPARE(b.rowView().isExpanded(top.b), !wasOpen);
    b.rowView().setExpanded(top.b, wasOpen);
    QCOMPARE(a.rowView().isExpanded(top.a), wasOpen);
    a.rowView().setPinned(top.a, true);
    QVERIFY(b.rowView().isPinned(top.b));
    // A's stored state is the user's, not that of B.
    QVERIFY(!a.rowView().isHidden(top.a));
}

void CompareWindowTest::rowsOfAReportThatIsRemovedHaveNoPartner()
{
    compareBoth();
    const RowId row = pair().rowPairs().front().b;
    pair().a().setWorkspace({});
    RowView& rows = pair().b().rowView();
    rows.setExpanded(row, !rows.isExpanded(row)); // it was copied to A, which has no such row
    QVERIFY(pair().rowPairs().empty());
}

void CompareWindowTest::theMouseIsSeenInBoth()
{
    compareBoth();
    QImage without = viewB().viewport()->grab().toImage();
    QTest::mouseMove(viewA().viewport(), {333, 40});
    QMouseEvent move(QEvent::MouseMove, QPointF(333, 40), viewA().viewport()->mapToGlobal(QPoint(333, 40)),
        Qt::NoButton, Qt::NoButton, Qt::NoModifier);
    QApplication::sendEvent(viewA().viewport(), &move);
    const QImage with = viewB().viewport()->grab().toImage();
    int changed = 0;
    for (int y = 0; y < with.height(); ++y)
        changed += with.pixel(333, y) != without.pixel(333, y);
    QVERIFY(changed > with.height() / 10);
}

void CompareWindowTest::twoRangesOfOneReport()
{
    m_window->open(before);
    SETTLE(*m_window);
    Session& session = m_window->session();
    const TimeRange whole = session.session();
    const Ns tenth = whole.duration() / 10;
    TimelinePane& pane = m_window->timelines().a();
    session.time().selectRange({whole.start + 2 * tenth, whole.start + 4 * tenth});
    QVERIFY(!choose(pane, "Compare with A"));
    QVERIFY(choose(pane, "Set as A"));
    const auto at = [](Ns time) { return QString::fromStdString(formatInstant(time, 1000)); };
    const auto text
        = [&](TimeRange range) { return QString("%1 to %2").arg(at(range.start), at(range.end)); };
    const TimeRange chosen = session.time().selectedRange();
    QCOMPARE(m_window->findChild<QLabel*>("status")->text(), "A: " + text(chosen));
    const EventId named = session.idOf({EventKind::Nvtx, 0});
    pair().markAsA(session.workspace().range(named), named);
    QCOMPARE(pair().markedText(),
        QString::fromStdString(std::string(session.trace().displayName(named.event))) + ", "
            + text(session.workspace().range(named)));
    pair().markAsA(chosen);
    // The other one is drawn with the mouse.
    session.time().showAll();
    drag(*viewA().viewport(), {400, 30}, {500, 30});
    const TimeRange drawn = session.time().selectedRange();
    QVERIFY(!drawn.empty());
    QVERIFY(choose(pane, "Compare with A (" + text(chosen) + ")"));
    SETTLE(*m_window);
    QVERIFY(pair().isOn());
    QVERIFY(pair().isWithinOne());
    QCOMPARE(pair().narrowed(Side::A), (TimeRange{whole.start + 2 * tenth, whole.start + 4 * tenth}));
    QCOMPARE(pair().narrowed(Side::B), drawn);
    QVERIFY(m_window->timelines().b()->isVisible());
    QVERIFY(isInStep());
    for (const auto& [timeline, range] : {std::pair(&pane, chosen), {m_window->timelines().b(), drawn}})
        QVERIFY(timeline->findChild<QLabel*>("report-size")->toolTip().contains(text(range)));
    QCOMPARE(m_window->windowTitle(), QString("bert_fp32.sqlite against another range \u2014 Warpline"));
    // The selection is what is compared: nothing says that it does not apply.
    auto& notice = *m_window->panel<VerdictPanel>().findChild<RangeNotice*>();
    session.selection().selectRows({});
    session.time().selectRange(drawn);
    QVERIFY(notice.isHidden());
    session.time().selectRange({whole.start, whole.start + tenth});
    QVERIFY(!notice.isHidden() && !notice.text().contains("Whole report"));
    session.time().selectRange(drawn);
    QVERIFY(notice.isHidden());
    // Both sides are one report, with one list of bookmarks.
    pair().b().time().selectRange(drawn);
    QVERIFY(choose(*m_window->timelines().b(), "Bookmark the selected range"));
    QCOMPARE(session.marks().all().size(), std::size_t{1});
    QCOMPARE(session.marks().all()[0].range, drawn);
}

/// A part of a step is a range, not a step: the bar names the lengths, and dashed lines are at both ends.
void CompareWindowTest::aPartOfAStepIsARange()
{
    m_window->open(before);
    SETTLE(*m_window);
    const TimeRange a{118'000'000, 121'000'000};
    const TimeRange b{116'500'000, 121'000'000};
    pair().compareWithin(a, b);
    SETTLE(*m_window);
    QCOMPARE(pair().comparison()->unitKey(), std::string_view("range"));
    QCOMPARE(pair().stepCount(), std::size_t{0});
    pair().a().time().goTo({115'000'000, 125'000'000});
    SETTLE(*m_window);
    const TimeRange shown = pair().a().time().shown();
    const QImage image = viewA().viewport()->grab().toImage();
    const auto countAt = [&](Ns time) {
        const double share = static_cast<double>(time - shown.start) / static_cast<double>(shown.duration());
        const int middle = static_cast<int>(std::lround(share * image.width()));
        int most = 0;
        for (int x = std::max(0, middle - 2); x <= std::min(image.width() - 1, middle + 2); ++x) {
            int count = 0;
            for (int y = 0; y < image.height(); ++y)
                count += image.pixelColor(x, y) == sideColor(Theme::light(), Side::A);
            most = std::max(most, count);
        }
        return most;
    };
    QVERIFY(countAt(a.start) > image.height() / 4);
    QVERIFY(countAt(a.end) > image.height() / 4);
    // Where there is no room for all, the headline comes before the lengths.
    CompareBar& bar = m_window->timelines().bar();
    const QString lengths
        = QString("ranges: A %1, B %2").arg(durationText(a.duration()), durationText(b.duration()));
    bar.resize(3000, bar.height());
    QCOMPARE(bar.place().text(), lengths);
    bar.resize(400, bar.height());
    QCOMPARE(bar.place().text(), QString("ranges"));
    QCOMPARE(bar.place().toolTip(), lengths);
}

void CompareWindowTest::aSideIsNarrowedToARange()
{
    compareBoth();
    const std::size_t all = pair().steps(Side::B).size();
    Session& b = pair().b();
    const RunSteps steps = pair().steps(Side::B);
    b.time().selectRange({steps[1].start, steps[2].end});
    QVERIFY(choose(*m_window->timelines().b(), "Compare only this range"));
    SETTLE(*m_window);
    QCOMPARE(pair().narrowed(Side::B), (TimeRange{steps[1].start, steps[2].end}));
    QTRY_COMPARE(pair().steps(Side::B).size(), 2U);
    QVERIFY(pair().narrowed(Side::A).empty());
    CompareBar& bar = m_window->timelines().bar();
    QVERIFY(bar.part(Side::B).isVisible() && bar.part(Side::A).isHidden());
    QVERIFY(choose(*m_window->timelines().b(), "Compare all of this run"));
    QTRY_COMPARE(pair().steps(Side::B).size(), all);
    QVERIFY(bar.part(Side::B).isHidden());
    pair().narrow(Side::A, pair().steps(Side::A)[1]);
    QVERIFY(bar.part(Side::A).isVisible());
    bar.part(Side::A).click();
    QVERIFY(pair().narrowed(Side::A).empty());
    QVERIFY(bar.part(Side::A).isHidden());
}

void CompareWindowTest::setsOfRanksAreSides()
{
    const auto ranks = [](const QString& program) {
        QStringList files;
        for (const int rank : {0, 1})
            files
                << QString(WARPLINE_SHARED_REPORTS "/h200/%1_rank%2/%1_rank%2.sqlite").arg(program).arg(rank);
        return files;
    };
    const QStringList all = ranks("ddp_overlap") + ranks("ddp_straggler");
    if (!std::ranges::all_of(all, [](const QString& file) { return QFile::exists(file); }))
        QSKIP("needs ../shared/reports, which is not there");
    m_window->compare(ranks("ddp_overlap").join(','), ranks("ddp_straggler").join(','));
    QTRY_VERIFY_WITH_TIMEOUT(pair().isOn(), 30'000);
    SETTLE(*m_window);
    QTRY_VERIFY_WITH_TIMEOUT(pair().comparison(), 30'000);
    for (const Side side : {Side::A, Side::B}) {
        QCOMPARE(pair().session(side).workspace().reports().size(), std::size_t{2});
        QCOMPARE(pair().comparison()->sides[side].gpus.size(), std::size_t{2});
    }
    QCOMPARE(pair().comparison()->verdict, CompareVerdict::Slower); // one rank of B comes late
}

void CompareWindowTest::theyAreSwapped()
{
    compareBoth();
    m_window->swapCompared();
    QTRY_COMPARE_WITH_TIMEOUT(
        pair().b().workspace().reports().front().label, std::string("bert_fp32.sqlite"), 30'000);
    SETTLE(*m_window);
    QCOMPARE(pair().a().workspace().reports().front().label, std::string("ddp_overlap_rank0.sqlite"));
    QTRY_VERIFY(pair().step());
    QVERIFY(isInStep());
}

void CompareWindowTest::aSwapReadsNoFileAgain()
{
    const QTemporaryDir folder;
    const QStringList paths{folder.filePath("a.sqlite"), folder.filePath("b.sqlite")};
    QVERIFY(QFile::copy(before, paths[0]) && QFile::copy(after, paths[1]));
    m_window->compare(paths[0], paths[1]);
    QTRY_VERIFY_WITH_TIMEOUT(pair().isOn(), 30'000);
    SETTLE(*m_window);
    QVERIFY(QFile::remove(paths[0]) && QFile::remove(paths[1]));
    m_window->swapCompared();
    QVERIFY(!m_window->reports().isLoading() && !m_window->otherReports().isLoading());
    QVERIFY(pair().isOn());
    QTRY_VERIFY_WITH_TIMEOUT(pair().comparison(), 30'000);
    SETTLE(*m_window);
    QCOMPARE(m_window->reports().names(), paths.last(1));
    QCOMPARE(m_window->otherReports().names(), paths.first(1));
}

/// Labels, ranks and what is left out, and the name of the saved set.
void CompareWindowTest::choicesStayWithTheirRun()
{
    const QTemporaryDir folder;
    ReportFixture fixture;
    fixture.addSmallReport();
    for (const char* const name : {"a0.sqlite", "a1.sqlite", "b.sqlite"})
        QVERIFY(QFile::copy(QString::fromStdString(fixture.path()), folder.filePath(name)));
    m_window->openAll({folder.filePath("a0.sqlite"), folder.filePath("a1.sqlite")});
    SETTLE(*m_window);
    ReportChoices first;
    first.label = "the first";
    first.rank = 5;
    ReportChoices leftOut;
    leftOut.isIncluded = false;
    m_window->reports().change(0, first);
    m_window->reports().change(1, leftOut);
    const QStringList set{folder.filePath("set.warpline")};
    m_window->reports().save(set.front(), [](const QString&) {});
    QTRY_COMPARE(m_window->reports().names(), set);
    SETTLE(*m_window);
    m_window->compareWith({folder.filePath("b.sqlite")});
    QTRY_VERIFY_WITH_TIMEOUT(pair().isOn(), 30'000);
    SETTLE(*m_window);
    for (const Side side : {Side::B, Side::A}) {
        m_window->swapCompared();
        QTRY_VERIFY_WITH_TIMEOUT(pair().isOn(), 30'000);
        SETTLE(*m_window);
        const ReportList& list = side == Side::A ? m_window->reports() : m_window->otherReports();
        QCOMPARE(list.names(), set);
        QVERIFY(list.reports()[0].choices == first && list.reports()[1].choices == leftOut);
        QCOMPARE(pair().session(side).workspace().reports().size(), std::size_t{1});
        QCOMPARE(pair().session(side).workspace().reports().front().label, first.label);
    }
}

/// A swap changes the sides, not what the user has set: rows, their filter, SQL rows and panels.
void CompareWindowTest::settingsStayWithTheirRun()
{
    compareBoth();
    const auto paired = std::ranges::find_if(
        pair().rowPairs(), [this](const RowPair& each) { return pair().a().rows().row(each.a).lanes > 0; });
    QVERIFY(paired != pair().rowPairs().end());
    const RowPair rows = *paired;
    pair().a().rowView().setRowScale(rows.a, 2);
    pair().a().rowView().setPinned(rows.a, true);
    pair().a().results().restore({{"calls", "SELECT start, end FROM CUPTI_ACTIVITY_KIND_KERNEL", {}, {}, 1}});
    QTRY_COMPARE(rowsWithResult(pair().a().results().all()), std::size_t{1});
    m_window->timelines().a().rowFilter().setSet(RowSet::Compute);
    QVERIFY(m_window->docks().showPanel("findings"));
    for (const Side sideOfRows : {Side::B, Side::A}) {
        const std::string label = pair().b().workspace().reports().front().label;
        m_window->swapCompared();
        QTRY_COMPARE_WITH_TIMEOUT(pair().a().workspace().reports().front().label, label, 30'000);
        SETTLE(*m_window);
        QTRY_VERIFY_WITH_TIMEOUT(pair().isOn() && pair().stepCount() > 0, 30'000);
        const bool isBack = sideOfRows == Side::A;
        for (const Side side : {Side::A, Side::B}) {
            const RowId row = (side == Side::A) == isBack ? rows.a : rows.b;
            QCOMPARE(pair().session(side).rowView().rowScale(row), 2.0);
            QVERIFY(pair().session(side).rowView().isPinned(row));
        }
        QTRY_COMPARE(rowsWithResult(pair().session(sideOfRows).results().all()), std::size_t{1});
        QVERIFY(pair().session(isBack ? Side::B : Side::A).results().all().empty());
        QVERIFY(m_window->timelines().a().rowFilter().set() == RowSet::Compute);
        QVERIFY(m_window->timelines().b()->rowFilter().set() == RowSet::Compute);
        QCOMPARE(m_window->docks().openPanel(PanelPlace::Beside), QString("findings"));
    }
    // The next comparison begins with its verdict.
    m_window->endComparison();
    m_window->compareWith({before});
    QTRY_VERIFY_WITH_TIMEOUT(pair().isOn(), 30'000);
    SETTLE(*m_window);
    QCOMPARE(m_window->docks().openPanel(PanelPlace::Beside), QString("verdict"));
}

/// The selected event, rows and range of each side.
void CompareWindowTest::selectionsStayWithTheirRun()
{
    compareBoth();
    const auto select = [this](Side side, EventIndex kernel) {
        Session& of = pair().session(side);
        const TimeRange all = of.session();
        const EventId event{of.report().id, {EventKind::Kernel, kernel}};
        of.time().selectRange({all.start + all.duration() / 4, all.start + all.duration() / 2});
        of.selection().selectRows({of.workspace().rowOf(event)});
        of.selection().setCurrentEvent(event);
    };
    select(Side::A, 3);
    select(Side::B, 5);
    const auto selectedIn = [this](Side side) {
        const Session& of = pair().session(side);
        return std::tuple(
            of.selection().currentEvent(), of.selection().selectedRows(), of.time().selectedRange());
    };
    const auto ofA = selectedIn(Side::A);
    const auto ofB = selectedIn(Side::B);
    for (const bool isBack : {false, true}) {
        const std::string label = pair().b().workspace().reports().front().label;
        m_window->swapCompared();
        QTRY_COMPARE_WITH_TIMEOUT(pair().a().workspace().reports().front().label, label, 30'000);
        SETTLE(*m_window);
        QTRY_VERIFY_WITH_TIMEOUT(pair().isOn() && pair().stepCount() > 0, 30'000);
        QVERIFY(selectedIn(Side::A) == (isBack ? ofA : ofB));
        QVERIFY(selectedIn(Side::B) == (isBack ? ofB : ofA));
    }
}

/// As a switch of the language does: `next` opens the same reports with the panels and the place of m_window.
void CompareWindowTest::takeOver(MainWindow& next)
{
    next.resize(1300, 900);
    next.show();
    next.docks().restore(m_window->docks().state());
    next.compare(before, after);
    restorePlace(next, placeOf(*m_window));
}

/// Reloaded, the file of B has another recording: of the same program, then of another one.
void CompareWindowTest::bookmarksOfBStayWithTheirProgram()
{
    ReportFixture fixture;
    fixture.addSmallReport();
    fixture.run("CREATE TABLE META_DATA_CAPTURE (name TEXT, value TEXT); "
                "INSERT INTO META_DATA_CAPTURE VALUES ('PROCESS_0:COMMAND', '/bin/scale')");
    m_window->compare(before, QString::fromStdString(fixture.path()));
    QTRY_VERIFY_WITH_TIMEOUT(pair().isOn(), 30'000);
    SETTLE(*m_window);
    pair().b().marks().add({{10, 20}, "of scale"});
    pair().b().marks().setNotes("of scale");
    QSignalSpy noticed(&m_window->views(), &ViewFiles::noticed);
    for (const bool isOther : {false, true}) {
        const TimeRange old = pair().b().session();
        fixture.run("UPDATE NVTX_EVENTS SET end = end + 1000 WHERE text = 'step'");
        if (isOther)
            fixture.run("UPDATE META_DATA_CAPTURE SET value = '/bin/solve'");
        m_window->reopen();
        pair().b().marks().add({{30, 40}, "of scale, meanwhile"});
        QTRY_VERIFY_WITH_TIMEOUT(pair().isOn() && pair().b().session() != old, 30'000);
        SETTLE(*m_window);
        QCOMPARE(pair().b().marks().all().size(), std::size_t{isOther ? 0U : 2U});
        QCOMPARE(pair().b().marks().notes(), QString(isOther ? "" : "of scale"));
        QCOMPARE(noticed.size(), isOther ? 1 : 0);
    }
    QVERIFY(noticed.front().front().toString().contains(QSettings().fileName()));
}

/// The window that replaces this one in another language shows the same panel from the beginning, not first
/// the verdict. The verdict says that it is not complete while findings are compared.
void CompareWindowTest::anotherLanguageKeepsThePanels()
{
    compareBoth();
    QVERIFY(m_window->docks().showPanel("findings"));
    m_window->timelines().a().rowFilter().setSet(RowSet::Compute);
    MainWindow next(Theme::light());
    takeOver(next);
    RunPair& nextPair = next.session().pair();
    QStringList panels;
    QStringList verdicts;
    connect(&nextPair, &RunPair::matched, &next, [&] {
        panels << next.docks().openPanel(PanelPlace::Beside);
        verdicts << next.panel<VerdictPanel>().verdict().text();
    });
    QTRY_VERIFY_WITH_TIMEOUT(nextPair.stepCount() > 0, 30'000);
    SETTLE(next);
    QVERIFY(!panels.isEmpty() && !panels.contains("verdict"));
    QCOMPARE(next.docks().openPanel(PanelPlace::Beside), QString("findings"));
    QVERIFY(next.timelines().a().rowFilter().set() == RowSet::Compute);
    QVERIFY(next.timelines().b()->rowFilter().set() == RowSet::Compute);
    const QString complete = m_window->panel<VerdictPanel>().verdict().text();
    QCOMPARE(next.panel<VerdictPanel>().verdict().text(), complete);
    QVERIFY(verdicts.front() != complete);
}

/// The inspector returns to the panel from before the comparison. Until then the chosen tables are shown.
void CompareWindowTest::theEndInAnotherLanguageIsTheSame()
{
    m_window->open(before);
    SETTLE(*m_window);
    QVERIFY(m_window->docks().showPanel("findings"));
    compareBoth();
    QCOMPARE(m_window->docks().openPanel(PanelPlace::Beside), QString("verdict"));
    QVERIFY(m_window->panel<ComparePanel>().showTable("facts"));
    MainWindow next(Theme::light());
    takeOver(next);
    QTRY_VERIFY_WITH_TIMEOUT(next.session().pair().stepCount() > 0, 30'000);
    SETTLE(next);
    QCOMPARE(next.docks().openPanel(PanelPlace::Beside), QString("verdict"));
    const QTabBar& tabs = next.panel<ComparePanel>().tabs();
    QCOMPARE(tabs.tabData(tabs.currentIndex()).toString(), QString("facts"));
    next.endComparison();
    QCOMPARE(next.docks().openPanel(PanelPlace::Beside), QString("findings"));
}

/// After a session in the mode Ranks: one report has none, before and after a comparison.
void CompareWindowTest::panelsOfTheSettingsApplyToTheReport()
{
    m_window->open(before);
    SETTLE(*m_window);
    QVERIFY(m_window->docks().showPanel("ranks"));
    QVERIFY(m_window->mode() == MainWindow::Mode::Ranks);
    for (const bool compares : {false, true}) {
        MainWindow next(Theme::light());
        next.resize(1300, 900);
        next.show();
        next.docks().restore(m_window->docks().state());
        if (compares)
            next.compare(before, after);
        else
            next.open(before);
        QTRY_VERIFY_WITH_TIMEOUT(next.session().pair().isOn() == compares, 30'000);
        SETTLE(next);
        next.endComparison();
        QVERIFY(next.mode() == MainWindow::Mode::Timeline);
        QCOMPARE(next.docks().openPanel(PanelPlace::Beside), QString(allPanels().front()->id));
        QCOMPARE(next.docks().openPanel(PanelPlace::Below), QString("events"));
    }
}

/// The usual inspector applies to all reports; the panel of the drawer does not.
void CompareWindowTest::panelsThatGaveWayComeBack()
{
    const PanelPlace drawer = PanelPlace::Below;
    PanelDocks& docks = m_window->docks();
    m_window->openAll({before, after});
    SETTLE(*m_window);
    QVERIFY(docks.showPanel("ranks"));
    QVERIFY(docks.showPanel(allPanels().front()->id));
    m_window->open(before);
    SETTLE(*m_window);
    QCOMPARE(docks.openPanel(drawer), QString("events"));
    m_window->openAll({before, after});
    SETTLE(*m_window);
    QCOMPARE(docks.openPanel(drawer), QString("ranks"));
    QCOMPARE(docks.openPanel(PanelPlace::Beside), QString(allPanels().front()->id));
    m_window->open(before);
    SETTLE(*m_window);
    m_window->close();
    for (const bool isFresh : {false, true}) {
        MainWindow next(Theme::light());
        next.show();
        if (isFresh)
            next.startInTimeline();
        next.openAll({before, after});
        SETTLE(next);
        QCOMPARE(next.docks().openPanel(drawer), QString(isFresh ? "events" : "ranks"));
    }
}

void CompareWindowTest::panelsOpenedWhileComparingStay()
{
    compareBoth();
    QVERIFY(m_window->docks().showPanel("ranks"));
    m_window->endComparison();
    QCOMPARE(m_window->docks().openPanel(PanelPlace::Below), QString("ranks"));
    QCOMPARE(m_window->docks().openPanel(PanelPlace::Beside), QString("rankmap"));
}

void CompareWindowTest::aFreshStartIsNotInTheModeOfTheSettings()
{
    m_window->openAll({before, after});
    SETTLE(*m_window);
    QVERIFY(m_window->docks().showPanel("ranks"));
    for (const bool isFresh : {false, true}) {
        MainWindow next(Theme::light());
        next.resize(1300, 900);
        next.show();
        next.docks().restore(m_window->docks().state());
        if (isFresh)
            next.startInTimeline();
        next.openAll({before, after});
        SETTLE(next);
        QVERIFY(next.mode() == (isFresh ? MainWindow::Mode::Timeline : MainWindow::Mode::Ranks));
    }
}

void CompareWindowTest::anotherAIsAlignedToo()
{
    compareBoth();
    QVERIFY(pair().step());
    const Workspace a = pair().a().workspace();
    pair().a().setWorkspace({});
    pair().a().setWorkspace(a); // as when A is read after B
    QTRY_VERIFY(pair().step());
    QVERIFY(isInStep());
}

void CompareWindowTest::theEndLeavesA()
{
    compareBoth();
    m_window->endComparison();
    QVERIFY(!pair().isOn());
    QVERIFY(!m_window->timelines().b()->isVisible());
    QVERIFY(m_window->timelines().bar().isHidden());
    QCOMPARE(m_window->windowTitle(), QString("bert_fp32.sqlite \u2014 Warpline"));
    Session& a = pair().a();
    QCOMPARE(a.time().reach(), a.session());
    QVERIFY(a.time().shown().clippedTo(a.session()) == a.time().shown());
    QVERIFY(pair().b().isEmpty());
    // Another run after the first.
    m_window->compareWith({before});
    QTRY_VERIFY_WITH_TIMEOUT(pair().step(), 30'000);
    QVERIFY(m_window->timelines().b()->isVisible());
    // Opening a report is the end, too.
    m_window->open(after);
    SETTLE(*m_window);
    QVERIFY(!pair().isOn());
}

/// With names, shown range and panels, even after a swap. The mode Timeline leaves the panels of the ranks.
void CompareWindowTest::theEndBringsBackBothOpenReports()
{
    m_window->openAll({before, after});
    SETTLE(*m_window);
    ReportChoices second;
    second.label = "the second";
    m_window->reports().change(1, second);
    SETTLE(*m_window); // on their common clock again
    const TimeRange all = pair().a().session();
    const TimeRange part{all.start + all.duration() / 4, all.start + all.duration() / 2};
    pair().a().time().show(part);
    QVERIFY(m_window->docks().showPanel("ranks"));
    for (const bool endsByMode : {false, true}) {
        SETTLE(*m_window);
        m_window->compareOpenReports();
        QTRY_VERIFY_WITH_TIMEOUT(pair().isOn(), 30'000);
        SETTLE(*m_window);
        QCOMPARE(m_window->reports().reports().size(), std::size_t{1});
        if (!endsByMode) {
            m_window->swapCompared();
            QTRY_COMPARE_WITH_TIMEOUT(
                pair().b().workspace().reports().front().label, std::string("bert_fp32.sqlite"), 30'000);
            SETTLE(*m_window);
            emit m_window->timelines().bar().endWanted();
        } else {
            m_window->enter(MainWindow::Mode::Timeline);
        }
        QVERIFY(!pair().isOn());
        SETTLE(*m_window);
        const auto reports = pair().a().workspace().reports();
        QCOMPARE(reports.size(), std::size_t{2});
        QCOMPARE(reports[0].label, std::string("bert_fp32.sqlite"));
        QCOMPARE(reports[1].label, second.label);
        QCOMPARE(pair().a().time().shown(), part);
        QCOMPARE(m_window->docks().openPanel(PanelPlace::Below), QString(endsByMode ? "" : "ranks"));
    }
    // Other reports are no part of it.
    m_window->open(before);
    SETTLE(*m_window);
    m_window->compareWith({after});
    QTRY_VERIFY_WITH_TIMEOUT(pair().isOn(), 30'000);
    SETTLE(*m_window);
    m_window->endComparison();
    SETTLE(*m_window);
    QCOMPARE(pair().a().workspace().reports().size(), std::size_t{1});
}

/// Else what is not saved of the view of a run would be lost, as its SQL rows.
void CompareWindowTest::runsThatAreReadStayWhereTheyAre()
{
    compareBoth();
    CompareBar& bar = m_window->timelines().bar();
    const auto areEnabled = [this, &bar](bool enabled) {
        const std::vector<bool> all{bar.swap().isEnabled(), bar.end().isEnabled(),
            m_window->actions().find("file.swap")->isEnabled(),
            m_window->actions().find("file.endComparison")->isEnabled(),
            m_window->actions().find("mode.timeline")->isEnabled()};
        return std::ranges::count(all, enabled) == std::ssize(all);
    };
    QTRY_VERIFY(areEnabled(true));
    pair().b().results().restore({{"calls", "SELECT start, end FROM CUPTI_ACTIVITY_KIND_KERNEL", {}, {}, 1}});
    QTRY_COMPARE(rowsWithResult(pair().b().results().all()), std::size_t{1});
    m_window->reopen();
    QVERIFY(m_window->reports().isLoading() && m_window->otherReports().isLoading());
    m_window->swapCompared();
    m_window->endComparison();
    m_window->enter(MainWindow::Mode::Timeline);
    QVERIFY(pair().isOn());
    m_window->actions().update();
    QVERIFY(areEnabled(false));
    SETTLE(*m_window);
    QVERIFY(pair().isOn());
    QCOMPARE(m_window->reports().names(), QStringList{before});
    QTRY_COMPARE(rowsWithResult(pair().b().results().all()), std::size_t{1});
    QTRY_VERIFY(areEnabled(true));
    m_window->swapCompared();
    SETTLE(*m_window);
    QTRY_COMPARE(rowsWithResult(pair().a().results().all()), std::size_t{1});
}

/// Which reads again what failed. No comparison is on its way then.
void CompareWindowTest::aReportClosesDuringASwap()
{
    m_window->compare(QStringList{before}, QStringList{after, brokenFile("broken.sqlite")});
    QTRY_VERIFY_WITH_TIMEOUT(pair().isOn(), 30'000);
    SETTLE(*m_window);
    m_window->swapCompared();
    QVERIFY(m_window->reports().isLoading());
    m_window->closeReport();
    QVERIFY(!pair().isComing());
}

void CompareWindowTest::theEndBringsThemBackWithAnotherB()
{
    compareBothOpen();
    ReportChoices named;
    named.label = "the first";
    m_window->reports().change(0, named);
    // One that cannot be opened changes nothing.
    QSignalSpy failed(m_window.get(), &MainWindow::openFailed);
    m_window->compareWith({brokenFile("broken.sqlite")});
    QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, 10'000);
    SETTLE(*m_window);
    QVERIFY(pair().isOn());
    m_window->endComparison();
    SETTLE(*m_window);
    QCOMPARE(pair().a().workspace().reports().size(), std::size_t{2});
    QCOMPARE(pair().a().workspace().reports().front().label, named.label);
    const auto* const message = m_window->findChild<QLabel*>("message");
    QVERIFY(!message->isVisible() || !message->text().contains("broken.sqlite"));
    // With a third report they come back as well. It stays where a swap made it A.
    for (const bool isSwapped : {false, true}) {
        m_window->compareOpenReports();
        QTRY_VERIFY_WITH_TIMEOUT(pair().isOn(), 30'000);
        SETTLE(*m_window);
        m_window->compareWith({third});
        QTRY_VERIFY_WITH_TIMEOUT(pair().b().workspace().reports().front().label == "um.sqlite", 30'000);
        SETTLE(*m_window);
        if (isSwapped) {
            m_window->swapCompared();
            QTRY_VERIFY_WITH_TIMEOUT(pair().isOn(), 30'000);
            SETTLE(*m_window);
        }
        m_window->endComparison();
        SETTLE(*m_window);
        QVERIFY(!pair().isOn());
        QStringList open{before, after};
        if (isSwapped)
            open << third;
        QCOMPARE(m_window->reports().names(), open);
        QCOMPARE(pair().a().workspace().reports().front().label, named.label);
    }
}

/// Of each side, also after a swap.
void CompareWindowTest::theEndKeepsSqlRowsOfTheComparison()
{
    compareBothOpen();
    pair().a().results().restore({{"calls", "SELECT start, end FROM CUPTI_ACTIVITY_KIND_KERNEL", {}, {}, 1}});
    QTRY_COMPARE(rowsWithResult(pair().a().results().all()), std::size_t{1});
    m_window->swapCompared();
    SETTLE(*m_window);
    pair().a().results().restore(
        {{"others", "SELECT start, end FROM CUPTI_ACTIVITY_KIND_KERNEL", {}, {}, 1}});
    QTRY_COMPARE(rowsWithResult(pair().a().results().all()), std::size_t{1});
    m_window->endComparison();
    SETTLE(*m_window);
    const std::vector<ResultRow>& rows = m_window->session().results().all();
    QTRY_COMPARE(rowsWithResult(rows), std::size_t{2});
    QCOMPARE(m_window->session().workspace().reports().size(), std::size_t{2});
    for (const ResultRow& row : rows)
        QCOMPARE(row.report, ReportId{static_cast<std::uint16_t>(row.title == "calls" ? 0 : 1)});
    // Also where both were loading before, and where a report was added to A.
    for (const bool isAdded : {false, true}) {
        m_window->openAll({before, after});
        if (isAdded)
            SETTLE(*m_window);
        m_window->compareOpenReports();
        QTRY_VERIFY_WITH_TIMEOUT(pair().isOn(), 30'000);
        SETTLE(*m_window);
        QVERIFY(rows.empty());
        pair().a().results().restore(
            {{"calls", "SELECT start, end FROM CUPTI_ACTIVITY_KIND_KERNEL", {}, {}, 1}});
        QTRY_COMPARE(rowsWithResult(rows), std::size_t{1});
        if (isAdded)
            m_window->add({third});
        SETTLE(*m_window);
        m_window->endComparison();
        SETTLE(*m_window);
        QCOMPARE(m_window->session().workspace().reports().size(), std::size_t{isAdded ? 3U : 2U});
        QTRY_COMPARE(rowsWithResult(rows), std::size_t{1});
        QCOMPARE(rows.front().report, ReportId{});
    }
}

/// And not later, over what the user does.
void CompareWindowTest::theEndBringsTheViewBeforeTheRestIsRead()
{
    const QString recording = endlessRecording("run.nsys-rep");
    QFile nsys(m_folder.filePath("nsys"));
    QVERIFY(nsys.open(QIODevice::ReadOnly));
    const QByteArray endless = nsys.readAll();
    nsys.close();
    const auto setNsys = [&nsys](const QByteArray& script) {
        QVERIFY(nsys.open(QIODevice::WriteOnly));
        nsys.write(script);
        nsys.close();
    };
    setNsys("#!/bin/sh\nexit 1\n");
    m_window->openAll({before, after, recording});
    SETTLE(*m_window);
    Session& session = m_window->session();
    QCOMPARE(session.workspace().reports().size(), std::size_t{2});
    const TimeRange all = session.session();
    const auto partOf = [&all](int parts) {
        return TimeRange{
            all.start + all.duration() / 2, all.start + all.duration() / 2 + all.duration() / parts};
    };
    session.time().show(partOf(4));
    session.results().restore({{"calls", "SELECT start, end FROM CUPTI_ACTIVITY_KIND_KERNEL", {}, {}, 1}});
    SETTLE(*m_window);
    m_window->compareOpenReports();
    QTRY_VERIFY_WITH_TIMEOUT(pair().isOn(), 30'000);
    SETTLE(*m_window);
    setNsys(endless);
    m_window->endComparison();
    QTRY_VERIFY_WITH_TIMEOUT(session.workspace().reports().size() == 2, 30'000);
    QVERIFY(!pair().isOn() && m_window->reports().isLoading());
    QTRY_COMPARE(session.time().shown(), partOf(4));
    QTRY_COMPARE(rowsWithResult(session.results().all()), std::size_t{1});
    session.time().show(partOf(8));
    session.results().remove(0);
    QTRY_VERIFY(button("Cancel"));
    button("Cancel")->click();
    SETTLE(*m_window);
    QCOMPARE(session.time().shown(), partOf(8));
    QVERIFY(session.results().asked().empty());
}

/// Their named view is not that of three.
void CompareWindowTest::theEndKeepsSqlRowsOfBothNextToAThird()
{
    const QString view = m_folder.filePath("named.warpline");
    const std::vector<ResultRow>& rows = m_window->session().results().all();
    for (const bool isSwapped : {false, true}) {
        m_window->openAll({before, after});
        SETTLE(*m_window);
        pair().a().results().restore(
            {{"calls", "SELECT start, end FROM CUPTI_ACTIVITY_KIND_KERNEL", {}, ReportId{1}, 1}});
        SETTLE(*m_window);
        QVERIFY(m_window->views().saveAs(view) == ViewFiles::Outcome::Written);
        m_window->compareOpenReports();
        QTRY_VERIFY_WITH_TIMEOUT(pair().isOn(), 30'000);
        SETTLE(*m_window);
        if (isSwapped) {
            m_window->compareWith({third});
            QTRY_VERIFY_WITH_TIMEOUT(pair().b().workspace().reports().front().label == "um.sqlite", 30'000);
            SETTLE(*m_window);
            m_window->swapCompared();
            QTRY_VERIFY_WITH_TIMEOUT(pair().isOn(), 30'000);
        } else {
            m_window->add({third});
        }
        SETTLE(*m_window);
        QSignalSpy failed(&m_window->views(), &ViewFiles::failed);
        m_window->endComparison();
        SETTLE(*m_window);
        QCOMPARE(m_window->session().workspace().reports().size(), std::size_t{3});
        QTRY_COMPARE(rowsWithResult(rows), std::size_t{1});
        QCOMPARE(rows.front().report, ReportId{1});
        QVERIFY(failed.isEmpty());
        QVERIFY(m_window->views().path() != view);
    }
}

/// They are of that view.
void CompareWindowTest::theEndBringsNoRowsOfTheViewOfOneReport()
{
    const QTemporaryDir folder;
    const QStringList paths{folder.filePath("a.sqlite"), folder.filePath("b.sqlite")};
    QVERIFY(QFile::copy(before, paths[0]) && QFile::copy(after, paths[1]));
    {
        MainWindow other(Theme::light());
        other.show();
        other.open(paths[0]);
        SETTLE(other);
        other.session().results().restore(
            {{"calls", "SELECT start, end FROM CUPTI_ACTIVITY_KIND_KERNEL", {}, {}, 1}});
        SETTLE(other);
        QVERIFY(other.views().save() == ViewFiles::Outcome::Written);
    }
    QSettings().clear();
    for (const bool isSwapped : {false, true}) {
        m_window->openAll(paths);
        SETTLE(*m_window);
        m_window->compareOpenReports();
        QTRY_VERIFY_WITH_TIMEOUT(pair().isOn(), 30'000);
        SETTLE(*m_window);
        QCOMPARE(pair().a().results().asked().size(), std::size_t{1});
        if (isSwapped) {
            m_window->swapCompared();
            QTRY_VERIFY_WITH_TIMEOUT(pair().isOn(), 30'000);
            SETTLE(*m_window);
            QCOMPARE(pair().b().results().asked().size(), std::size_t{1});
        }
        m_window->endComparison();
        SETTLE(*m_window);
        QCOMPARE(m_window->session().workspace().reports().size(), std::size_t{2});
        QVERIFY(m_window->session().results().asked().empty());
    }
}

/// In File > Reports, also while B loads.
void CompareWindowTest::bStaysOpenWhereAIsRemoved()
{
    for (const bool isThere : {false, true}) {
        m_window->open(before);
        SETTLE(*m_window);
        m_window->compareWith({after});
        QVERIFY(m_window->otherReports().isLoading());
        TimeRange selected;
        if (isThere) {
            QTRY_VERIFY_WITH_TIMEOUT(pair().isOn(), 30'000);
            SETTLE(*m_window);
            const TimeRange all = pair().b().session();
            selected = {all.start + all.duration() / 4, all.start + all.duration() / 2};
            pair().b().time().selectRange(selected);
        }
        ReportsDialog dialog(m_window->reports(), m_window->session());
        dialog.removeButton().click();
        SETTLE(*m_window);
        QVERIFY(!pair().isOn() && m_window->otherReports().isEmpty());
        QCOMPARE(m_window->reports().names(), QStringList{after});
        QCOMPARE(m_window->windowTitle(), QString("ddp_overlap_rank0.sqlite \u2014 Warpline"));
        QVERIFY(m_window->timeline().isVisible());
        QCOMPARE(m_window->session().time().selectedRange(), selected);
    }
}

/// The last one of A that opened is removed.
void CompareWindowTest::bStaysOpenWhereAHasOnlyWhatFailed()
{
    m_window->compare(QStringList{before, brokenFile("broken.sqlite")}, QStringList{after});
    QTRY_VERIFY_WITH_TIMEOUT(pair().isOn(), 30'000);
    SETTLE(*m_window);
    ReportsDialog dialog(m_window->reports(), m_window->session());
    dialog.removeButton().click();
    SETTLE(*m_window);
    QVERIFY(!pair().isOn() && m_window->otherReports().isEmpty());
    QCOMPARE(m_window->reports().names(), QStringList{after});
    QVERIFY(m_window->timeline().isVisible() && m_window->session().hasReport());
}

void CompareWindowTest::theNamedViewOfBStaysWhereAIsRemoved()
{
    const QString view = m_folder.filePath("of-b.warpline");
    m_window->open(before);
    SETTLE(*m_window);
    QVERIFY(m_window->views().saveAs(view) == ViewFiles::Outcome::Written);
    m_window->compareWith({after});
    QTRY_VERIFY_WITH_TIMEOUT(pair().isOn(), 30'000);
    SETTLE(*m_window);
    m_window->swapCompared();
    QTRY_VERIFY_WITH_TIMEOUT(pair().isOn(), 30'000);
    SETTLE(*m_window);
    ReportsDialog dialog(m_window->reports(), m_window->session());
    dialog.removeButton().click();
    SETTLE(*m_window);
    QVERIFY(!pair().isOn());
    QCOMPARE(m_window->reports().names(), QStringList{before});
    QCOMPARE(m_window->views().path(), view);
    QVERIFY(m_window->views().save() == ViewFiles::Outcome::Written); // known: it was read
}

/// They are of that report, and not of the next one.
void CompareWindowTest::twoRangesGoWithTheirReport()
{
    m_window->open(before);
    SETTLE(*m_window);
    const TimeRange all = m_window->session().session();
    const Ns middle = all.start + all.duration() / 2;
    pair().compareWithin({all.start, middle}, {middle, all.end});
    SETTLE(*m_window);
    ReportsDialog dialog(m_window->reports(), m_window->session());
    dialog.removeButton().click();
    QVERIFY(!pair().isOn());
    m_window->add({after}); // as the dialog does
    SETTLE(*m_window);
    QVERIFY(!pair().isOn());
    QCOMPARE(m_window->windowTitle(), QString("ddp_overlap_rank0.sqlite \u2014 Warpline"));
}

/// Their files are gone, and what the user has set stays with them.
void CompareWindowTest::openReportsAreComparedFromMemory()
{
    const QTemporaryDir folder;
    const QStringList paths{folder.filePath("a.sqlite"), folder.filePath("b.sqlite")};
    QVERIFY(QFile::copy(before, paths[0]) && QFile::copy(after, paths[1]));
    m_window->openAll(paths);
    SETTLE(*m_window);
    ReportChoices named;
    named.label = "the first";
    named.color = 0x123456;
    m_window->reports().change(0, named);
    SETTLE(*m_window);
    QVERIFY(QFile::remove(paths[0]) && QFile::remove(paths[1]));
    m_window->compareOpenReports();
    QVERIFY(pair().isOn());
    QTRY_VERIFY_WITH_TIMEOUT(pair().comparison(), 30'000);
    SETTLE(*m_window);
    QCOMPARE(m_window->windowTitle(), QString("a.sqlite against b.sqlite \u2014 Warpline"));
    QCOMPARE(pair().a().workspace().reports().size(), std::size_t{1});
    QCOMPARE(pair().a().workspace().reports().front().label, named.label);
    QVERIFY(pair().a().workspace().reports().front().color == named.color);
    QCOMPARE(recentFiles().front(), (RecentFiles{paths.first(1), paths.last(1)}));
    m_window->reports().change(0, {}); // what is removed there stays removed
    m_window->endComparison();
    SETTLE(*m_window);
    QVERIFY(!pair().isOn());
    QCOMPARE(m_window->reports().names(), paths);
    QCOMPARE(pair().a().workspace().reports().size(), std::size_t{2});
    QCOMPARE(pair().a().workspace().reports().front().label, std::string("a.sqlite"));
}

/// Its file may have changed, and is watched from then on.
void CompareWindowTest::whatIsLeftOutIsReadAgainAtTheEnd()
{
    m_window->openAll({before, after, third});
    SETTLE(*m_window);
    ReportChoices leftOut;
    leftOut.isIncluded = false;
    m_window->reports().change(2, leftOut);
    SETTLE(*m_window);
    m_window->compareOpenReports();
    QTRY_VERIFY_WITH_TIMEOUT(pair().isOn(), 30'000);
    SETTLE(*m_window);
    QSignalSpy reading(&m_window->reports(), &ReportList::reading);
    m_window->endComparison();
    SETTLE(*m_window);
    QCOMPARE(reading.size(), 1);
    QCOMPARE(reading.front().front().toStringList(), QStringList{third});
    QCOMPARE(m_window->reports().names(), QStringList({before, after, third}));
    QVERIFY(m_window->reports().reports()[2].isThere());
    QCOMPARE(m_window->session().workspace().reports().size(), std::size_t{2});
}

void CompareWindowTest::theEndWaitsForNothingThatIsLeftOut()
{
    m_window->openAll({before, after, endlessRecording("run.nsys-rep")});
    QTRY_COMPARE(m_window->reports().reports().size(), std::size_t{3});
    ReportChoices leftOut;
    leftOut.isIncluded = false;
    m_window->reports().change(2, leftOut);
    const auto areBothShown = [this] { return m_window->session().workspace().reports().size() == 2; };
    QTRY_VERIFY_WITH_TIMEOUT(areBothShown(), 30'000);
    m_window->compareOpenReports();
    QTRY_VERIFY_WITH_TIMEOUT(pair().isOn(), 30'000);
    SETTLE(*m_window);
    m_window->endComparison();
    QTRY_VERIFY_WITH_TIMEOUT(areBothShown(), 30'000);
    QVERIFY(!pair().isOn() && m_window->reports().isLoading());
    QTRY_VERIFY(button("Cancel"));
    button("Cancel")->click();
    SETTLE(*m_window);
    QVERIFY(areBothShown() && m_window->session().workspace().isComplete());
}

/// The color of B was free in A. Nor are the three the saved set.
void CompareWindowTest::whatIsAddedToAIsAddedToBoth()
{
    m_window->openAll({before, after});
    SETTLE(*m_window);
    const QStringList set{m_folder.filePath("both.warpline")};
    m_window->reports().save(set.front(), [](const QString&) {});
    QTRY_COMPARE(m_window->reports().names(), set);
    m_window->compareOpenReports();
    QTRY_VERIFY_WITH_TIMEOUT(pair().isOn(), 30'000);
    SETTLE(*m_window);
    m_window->add({third});
    SETTLE(*m_window);
    m_window->endComparison();
    SETTLE(*m_window);
    std::set<std::optional<std::size_t>> colors;
    for (const ListedReport& each : m_window->reports().reports())
        colors.insert(each.colorIndex);
    QCOMPARE(colors.size(), std::size_t{3});
    QCOMPARE(m_window->reports().names(), QStringList({before, after, third}));
}

/// As a network share is named.
void CompareWindowTest::bothOpenMayBeOnAnotherMachine()
{
    compareBoth();
    const std::vector<ReportOfSet> both{{before, {}}, {"//server/x.sqlite", {}}};
    m_window->setBothOpen(QByteArray::fromStdString(reportSetJson(both, {})), {}, {});
    QVERIFY(m_window->bothOpen().contains("server/x.sqlite"));
}

/// It would be loading for ever.
void CompareWindowTest::whatWasLoadingFailsWhereTheComparisonIsCancelled()
{
    const QString recording = endlessRecording("run.nsys-rep");
    m_window->openAll({recording, after});
    QTRY_VERIFY_WITH_TIMEOUT(!m_window->session().isEmpty(), 30'000);
    m_window->compareOpenReports();
    QVERIFY(m_window->reports().isLoading());
    QTRY_VERIFY(button("Cancel"));
    button("Cancel")->click();
    SETTLE(*m_window);
    QVERIFY(!pair().isOn());
    QCOMPARE(m_window->reports().names(), QStringList({recording, after}));
    QVERIFY(m_window->reports().reports().front().state == ListedReport::State::Failed);
    QCOMPARE(m_window->session().workspace().reports().size(), std::size_t{1});
    QVERIFY(m_window->session().workspace().isComplete());
    QVERIFY(m_window->views().saveAs(m_folder.filePath("part.warpline")) == ViewFiles::Outcome::Written);
}

/// What is open is compared with B only where A cannot be opened.
void CompareWindowTest::bWaitsForA()
{
    m_window->open(third);
    SETTLE(*m_window);
    const QString recording = endlessRecording("run.nsys-rep");
    const QString further = endlessRecording("further.nsys-rep");
    m_window->compare(recording, after);
    QTRY_VERIFY_WITH_TIMEOUT(!m_window->otherReports().isLoading(), 30'000);
    QVERIFY(m_window->reports().isLoading() && !pair().isOn());
    pair().markAsA(pair().a().session());
    QVERIFY(!m_window->otherReports().isEmpty());
    QVERIFY(button("Cancel"));
    button("Cancel")->click();
    SETTLE(*m_window);
    QVERIFY(!pair().isOn() && m_window->otherReports().isEmpty());
    QCOMPARE(m_window->windowTitle(), QString("um.sqlite \u2014 Warpline"));
    // The same where a part of B is there.
    const auto isShownOfB
        = [this] { return std::ranges::any_of(m_window->otherReports().reports(), &ListedReport::isShown); };
    m_window->compare(QStringList{recording}, QStringList{after, further});
    QTRY_VERIFY_WITH_TIMEOUT(isShownOfB(), 30'000);
    QVERIFY(m_window->reports().isLoading() && m_window->otherReports().isLoading());
    button("Cancel")->click();
    SETTLE(*m_window);
    QVERIFY(!pair().isOn() && m_window->otherReports().isEmpty());
    // A report that is opened instead takes the place of both, also where it fails.
    m_window->compare(recording, after);
    QTRY_VERIFY_WITH_TIMEOUT(isShownOfB() && !m_window->otherReports().isLoading(), 30'000);
    QSignalSpy failed(m_window.get(), &MainWindow::openFailed);
    m_window->open(brokenFile("broken.sqlite"));
    QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, 10'000);
    SETTLE(*m_window);
    QVERIFY(!pair().isOn() && m_window->otherReports().isEmpty());
    QCOMPARE(m_window->windowTitle(), QString("um.sqlite \u2014 Warpline"));
    // What is open may have no events.
    QFile nothing(m_folder.filePath("nothing.json"));
    QVERIFY(nothing.open(QIODevice::WriteOnly) && nothing.write(R"({"traceEvents": []})") > 0);
    nothing.close();
    m_window->open(nothing.fileName());
    SETTLE(*m_window);
    m_window->compare(recording, after);
    QTRY_VERIFY_WITH_TIMEOUT(isShownOfB() && !m_window->otherReports().isLoading(), 30'000);
    QVERIFY(m_window->reports().isLoading() && !pair().isOn());
    button("Cancel")->click();
    SETTLE(*m_window);
    QCOMPARE(m_window->windowTitle(), QString("nothing.json \u2014 Warpline"));
    m_window->open(third);
    SETTLE(*m_window);
    // Where A comes, it is compared.
    pair().markAsA(pair().a().session());
    m_window->compare(before, after);
    QTRY_VERIFY_WITH_TIMEOUT(pair().isOn() && pair().stepCount() > 0, 30'000);
    SETTLE(*m_window);
    QCOMPARE(m_window->windowTitle(),
        QString("bert_fp32.sqlite against ddp_overlap_rank0.sqlite \u2014 Warpline"));
}

void CompareWindowTest::twoOpenReportsAreComparedWhenNoneLoads()
{
    m_window->openAll({before, after});
    SETTLE(*m_window);
    const auto isOffered = [this] {
        m_window->actions().update();
        return m_window->actions().find("file.compareOpen")->isEnabled();
    };
    QVERIFY(isOffered());
    m_window->add({third});
    QVERIFY(m_window->reports().isLoading());
    QVERIFY(!isOffered());
    SETTLE(*m_window);
    m_window->reports().remove(2);
    SETTLE(*m_window);
    QVERIFY(isOffered());
}

void CompareWindowTest::aSwapReadsTheViewOfItsRun()
{
    const QTemporaryDir folder;
    const QString a = folder.filePath("a.sqlite");
    const QString b = folder.filePath("b.sqlite");
    QVERIFY(QFile::copy(before, a) && QFile::copy(after, b));
    {
        MainWindow other(Theme::light());
        other.show();
        other.open(b);
        SETTLE(other);
        other.session().marks().add({other.session().session(), "look here", "blue"});
        other.session().results().restore(
            {{"calls", "SELECT start, end FROM CUPTI_ACTIVITY_KIND_KERNEL", {}, {}, 1}});
        other.session().selection().setSearchText("gemm");
        other.session().judgement().setStepGlob("no such step");
        SETTLE(other);
        QVERIFY(other.views().save() == ViewFiles::Outcome::Written);
    }
    QSettings().clear(); // a colleague's file
    m_window->compare(a, b);
    QTRY_VERIFY_WITH_TIMEOUT(pair().isOn(), 30'000);
    SETTLE(*m_window);
    m_window->swapCompared();
    QTRY_COMPARE_WITH_TIMEOUT(pair().a().marks().all().size(), std::size_t{1}, 30'000);
    SETTLE(*m_window);
    // SQL rows, steps and search of the file stay, in the file as well.
    const Session& shown = pair().a();
    QCOMPARE(shown.results().asked().size(), std::size_t{1});
    QCOMPARE(shown.selection().searchText(), QString("gemm"));
    QCOMPARE(shown.judgement().stepGlob(), std::string("no such step"));
    QVERIFY(m_window->views().save() == ViewFiles::Outcome::Written); // the file is known
    const auto bytes = readViewFile(m_window->views().path().toStdString());
    QVERIFY(bytes.ok());
    const auto saved = parseView(bytes.value(), {});
    QVERIFY(saved.ok());
    QCOMPARE(saved.value().answers.size(), std::size_t{1});
    QCOMPARE(saved.value().search, std::string("gemm"));
    QCOMPARE(saved.value().steps, std::string("no such step"));
}

/// A removed SQL row stays removed, and the file that the user chose stays.
void CompareWindowTest::swapsKeepWhatTheUserChangedOfAView()
{
    const QString view = m_folder.filePath("named.warpline");
    m_window->open(before);
    SETTLE(*m_window);
    const char* const calls = "SELECT start, end FROM CUPTI_ACTIVITY_KIND_KERNEL";
    pair().a().results().restore({{"removed", calls, {}, {}, 1}, {"renamed", calls, {}, {}, 1}});
    QTRY_COMPARE(rowsWithResult(pair().a().results().all()), std::size_t{2});
    pair().a().selection().setSearchText("gemm");
    QVERIFY(m_window->views().saveAs(view) == ViewFiles::Outcome::Written);
    pair().a().results().remove(0);
    pair().a().results().rename(0, "by another name");
    pair().a().selection().setSearchText({});
    m_window->compareWith({after});
    QTRY_VERIFY_WITH_TIMEOUT(pair().isOn(), 30'000);
    SETTLE(*m_window);
    for (const char* const label : {"ddp_overlap_rank0.sqlite", "bert_fp32.sqlite"}) {
        m_window->swapCompared();
        QTRY_COMPARE_WITH_TIMEOUT(pair().a().workspace().reports().front().label, std::string(label), 30'000);
        QTRY_VERIFY_WITH_TIMEOUT(pair().isOn(), 30'000);
        SETTLE(*m_window);
    }
    QCOMPARE(pair().a().results().asked().size(), std::size_t{1});
    QCOMPARE(pair().a().results().asked().front().title, QString("by another name"));
    QCOMPARE(pair().a().selection().searchText(), QString());
    QCOMPARE(m_window->views().path(), view);
    QVERIFY(m_window->views().save() == ViewFiles::Outcome::Written); // known: it was read
}

void CompareWindowTest::reloadingKeepsTheNamedViewOfB()
{
    const QString view = m_folder.filePath("named_of_b.warpline");
    m_window->open(before);
    SETTLE(*m_window);
    pair().a().marks().add({{10, 20}, "named"});
    QVERIFY(m_window->views().saveAs(view) == ViewFiles::Outcome::Written);
    m_window->compareWith({after});
    QTRY_VERIFY_WITH_TIMEOUT(pair().isOn(), 30'000);
    SETTLE(*m_window);
    m_window->swapCompared();
    QTRY_VERIFY_WITH_TIMEOUT(pair().isOn(), 30'000);
    SETTLE(*m_window);
    const auto old = pair().b().sharedTrace();
    m_window->reopen();
    QTRY_VERIFY_WITH_TIMEOUT(pair().isOn() && pair().b().sharedTrace() != old, 30'000);
    SETTLE(*m_window);
    m_window->swapCompared();
    QTRY_COMPARE_WITH_TIMEOUT(
        pair().a().workspace().reports().front().label, std::string("bert_fp32.sqlite"), 30'000);
    SETTLE(*m_window);
    QCOMPARE(m_window->views().path(), view);
    QVERIFY(m_window->views().save() == ViewFiles::Outcome::Written); // known: it was read
}

void CompareWindowTest::reloadingKeepsSqlRowsOfB()
{
    compareBoth();
    pair().a().results().restore({{"calls", "SELECT start, end FROM CUPTI_ACTIVITY_KIND_KERNEL", {}, {}, 1}});
    SETTLE(*m_window);
    m_window->swapCompared();
    QTRY_VERIFY_WITH_TIMEOUT(pair().isOn(), 30'000);
    SETTLE(*m_window);
    QTRY_COMPARE(rowsWithResult(pair().b().results().all()), std::size_t{1});
    const auto old = pair().b().sharedTrace();
    m_window->reopen();
    QTRY_VERIFY_WITH_TIMEOUT(pair().isOn() && pair().b().sharedTrace() != old, 30'000);
    SETTLE(*m_window);
    QTRY_COMPARE(rowsWithResult(pair().b().results().all()), std::size_t{1});
}

/// A is a recording that was removed.
void CompareWindowTest::reloadingKeepsSqlRowsOfBWhereAFailsAtOnce()
{
    m_window->open(before);
    SETTLE(*m_window);
    ReportList::Listed a = m_window->reports().listed();
    a.reports.front().path = m_folder.filePath("gone.nsys-rep");
    m_window->reports().openListed(std::move(a)); // it is there: nothing is read
    m_window->compareWith({after});
    QTRY_VERIFY_WITH_TIMEOUT(pair().isOn(), 30'000);
    SETTLE(*m_window);
    const auto shownA = pair().a().sharedTrace();
    pair().b().results().restore({{"calls", "SELECT start, end FROM CUPTI_ACTIVITY_KIND_KERNEL", {}, {}, 1}});
    QTRY_COMPARE(rowsWithResult(pair().b().results().all()), std::size_t{1});
    const auto old = pair().b().sharedTrace();
    m_window->reopen();
    QTRY_VERIFY_WITH_TIMEOUT(pair().isOn() && pair().b().sharedTrace() != old, 30'000);
    SETTLE(*m_window);
    QVERIFY(pair().a().sharedTrace() == shownA);
    QTRY_COMPARE(rowsWithResult(pair().b().results().all()), std::size_t{1});
}

/// On both sides.
void CompareWindowTest::reloadingKeepsWhatIsDoneToSqlRowsMeanwhile()
{
    compareBoth();
    const char* const calls = "SELECT start, end FROM CUPTI_ACTIVITY_KIND_KERNEL";
    for (const Side side : {Side::A, Side::B}) {
        pair().session(side).results().restore({{"removed", calls, {}, {}, 1}});
        QTRY_COMPARE(rowsWithResult(pair().session(side).results().all()), std::size_t{1});
    }
    const auto oldA = pair().a().sharedTrace();
    const auto oldB = pair().b().sharedTrace();
    m_window->reopen();
    for (const Side side : {Side::A, Side::B}) {
        ResultRows& rows = pair().session(side).results();
        ResultRow added = rows.all().front();
        added.title = "added";
        rows.remove(0);
        rows.add(added);
    }
    QVERIFY(pair().a().sharedTrace() == oldA && pair().b().sharedTrace() == oldB);
    QTRY_VERIFY_WITH_TIMEOUT(
        pair().isOn() && pair().a().sharedTrace() != oldA && pair().b().sharedTrace() != oldB, 30'000);
    SETTLE(*m_window);
    for (const Side side : {Side::A, Side::B}) {
        const ResultRows& rows = pair().session(side).results();
        QTRY_COMPARE(rowsWithResult(rows.all()), std::size_t{1});
        QCOMPARE(rows.all().front().title, QString("added"));
    }
}

void CompareWindowTest::sqlRowsStayWhereAnotherReportOfBCanBeRead_data()
{
    QTest::addColumn<bool>("isSwapped");
    QTest::newRow("reload") << false;
    QTest::newRow("swap") << true;
}

void CompareWindowTest::sqlRowsStayWhereAnotherReportOfBCanBeRead()
{
    QFETCH(const bool, isSwapped);
    const QString broken = brokenFile(QString("failed_%1.sqlite").arg(QTest::currentDataTag()));
    QVERIFY(!broken.isEmpty());
    m_window->compare(QStringList{before}, QStringList{after, broken});
    QTRY_VERIFY_WITH_TIMEOUT(pair().isOn(), 30'000);
    SETTLE(*m_window);
    QCOMPARE(pair().b().workspace().reports().size(), std::size_t{1});
    pair().b().results().restore({{"calls", "SELECT start, end FROM CUPTI_ACTIVITY_KIND_KERNEL", {}, {}, 1}});
    QTRY_COMPARE(rowsWithResult(pair().b().results().all()), std::size_t{1});
    QVERIFY(QFile::remove(broken) && QFile::copy(third, broken));
    if (isSwapped)
        m_window->swapCompared();
    else
        m_window->reopen();
    const Side side = isSwapped ? Side::A : Side::B;
    QTRY_VERIFY_WITH_TIMEOUT(pair().isOn() && pair().session(side).workspace().reports().size() == 2, 30'000);
    SETTLE(*m_window);
    QTRY_COMPARE(rowsWithResult(pair().session(side).results().all()), std::size_t{1});
    QCOMPARE(pair().session(side).results().all().front().report, ReportId{0});
}

void CompareWindowTest::anotherRecordingOfBKeepsItsSqlRows_data()
{
    QTest::addColumn<bool>("isABroken");
    QTest::newRow("read") << false;
    QTest::newRow("broken") << true;
}

void CompareWindowTest::anotherRecordingOfBKeepsItsSqlRows()
{
    QFETCH(const bool, isABroken);
    const QString a = QString("%1_a.sqlite").arg(QTest::currentDataTag());
    const QStringList copies{m_folder.filePath(a), m_folder.filePath(QTest::currentDataTag()) + "_b.sqlite"};
    QVERIFY(QFile::copy(before, copies[0]) && QFile::copy(after, copies[1]));
    m_window->compare(copies[0], copies[1]);
    QTRY_VERIFY_WITH_TIMEOUT(pair().isOn(), 30'000);
    SETTLE(*m_window);
    pair().b().results().restore({{"calls", "SELECT start, end FROM CUPTI_ACTIVITY_KIND_KERNEL", {}, {}, 2}});
    QTRY_COMPARE(rowsWithResult(pair().b().results().all()), std::size_t{1});
    if (isABroken)
        brokenFile(a);
    QVERIFY(QFile::remove(copies[1]) && QFile::copy(before, copies[1]));
    const TimeRange old = pair().b().session();
    m_window->reopen();
    QTRY_VERIFY_WITH_TIMEOUT(pair().isOn() && pair().b().session() != old, 30'000);
    SETTLE(*m_window);
    QTRY_COMPARE(rowsWithResult(pair().b().results().all()), std::size_t{1});
    QCOMPARE(pair().b().results().all().front().scale, 2.0);
    QVERIFY(pair().a().results().asked().empty());
}

/// A part of the new B is shown, then it cannot be read, or is cancelled: the old one comes back.
void CompareWindowTest::aReloadThatFailsKeepsSqlRowsOfB()
{
    const QString copy = m_folder.filePath("cut.sqlite");
    QVERIFY(QFile::copy(after, copy));
    m_window->compare(before, copy);
    QTRY_VERIFY_WITH_TIMEOUT(pair().isOn(), 30'000);
    SETTLE(*m_window);
    Session& b = pair().b();
    b.results().restore({{"calls", "SELECT start, end FROM CUPTI_ACTIVITY_KIND_KERNEL", {}, {}, 1}});
    QTRY_COMPARE(rowsWithResult(b.results().all()), std::size_t{1});
    const EventId kernel = b.idOf({EventKind::Kernel, 5});
    b.selection().setCurrentEvent(kernel);
    const Workspace whole = b.workspace();
    std::vector<OpenReport> reports(whole.reports().begin(), whole.reports().end());
    const auto part = std::make_shared<Trace>(*reports.front().trace);
    part->complete = false;
    reports.front().trace = part;
    brokenFile("cut.sqlite");
    m_window->reopen();
    emit m_window->otherReports().shown(Workspace(std::move(reports)));
    QVERIFY(b.results().asked().empty());
    emit m_window->otherReports().shown(whole);
    SETTLE(*m_window);
    QVERIFY(pair().isOn() && b.sharedTrace() == whole.reports().front().trace);
    QTRY_COMPARE(b.results().all().size(), std::size_t{1}); // without its result: the file is broken
    QCOMPARE(b.selection().currentEvent(), kernel);
}

void CompareWindowTest::aReloadThatFailsBringsNothingBackToB_data()
{
    QTest::addColumn<bool>("isCancelled");
    QTest::newRow("cancelled") << true;
    QTest::newRow("unreadable") << false;
}

/// The user removed it while B was read again.
void CompareWindowTest::aReloadThatFailsBringsNothingBackToB()
{
    QFETCH(const bool, isCancelled);
    const QString name = QString("%1.sqlite").arg(QTest::currentDataTag());
    QVERIFY(QFile::copy(after, m_folder.filePath(name)));
    m_window->compare(before, m_folder.filePath(name));
    QTRY_VERIFY_WITH_TIMEOUT(pair().isOn(), 30'000);
    SETTLE(*m_window);
    Session& b = pair().b();
    const auto old = b.sharedTrace();
    b.results().restore({{"calls", "SELECT start, end FROM CUPTI_ACTIVITY_KIND_KERNEL", {}, {}, 1}});
    QTRY_COMPARE(b.results().asked().size(), std::size_t{1});
    QTRY_VERIFY(!b.results().isBusy());
    b.marks().add({{10, 20}, "removed"});
    if (!isCancelled)
        brokenFile(name);
    QSignalSpy failed(m_window.get(), &MainWindow::openFailed);
    m_window->reopen();
    if (isCancelled)
        m_window->otherReports().cancel();
    QVERIFY(m_window->otherReports().isLoading());
    b.results().remove(0);
    b.marks().remove(0);
    QTRY_VERIFY_WITH_TIMEOUT(!failed.isEmpty(), 10'000);
    SETTLE(*m_window);
    QVERIFY(pair().isOn() && b.sharedTrace() == old);
    QVERIFY(b.results().asked().empty());
    QVERIFY(b.marks().all().empty());
}

void CompareWindowTest::bookmarksOfBAreKept()
{
    compareBoth();
    const TimeRange range = pair().steps(Side::B)[1];
    pair().b().time().selectRange(range);
    QVERIFY(choose(*m_window->timelines().b(), "Bookmark the selected range"));
    QVERIFY(pair().a().marks().all().empty());
    m_window->endComparison();
    m_window->open(after);
    SETTLE(*m_window);
    const std::vector<Mark>& marks = m_window->session().marks().all();
    QCOMPARE(marks.size(), std::size_t{1});
    QCOMPARE(marks[0].range, range);
    // And where the window closes.
    compareBoth();
    pair().b().marks().add({{range.start, range.start}, "moment"});
    m_window->close();
    Session alone;
    alone.setWorkspace(pair().b().workspace());
    QCOMPARE(alone.marks().all().size(), std::size_t{2});
}

void CompareWindowTest::keysInBActOnB()
{
    compareBoth();
    Session& a = pair().a();
    Session& b = pair().b();
    const TimeRange range = pair().steps(Side::B)[1];
    b.time().selectRange(range);
    QTest::keyClick(&viewB(), Qt::Key_M);
    QCOMPARE(b.marks().all().size(), std::size_t{1});
    QCOMPARE(b.marks().all()[0].range, range);
    QVERIFY(a.marks().all().empty());
    a.time().selectRange(pair().steps(Side::A)[1]);
    QTest::keyClick(&m_window->timelines().b()->labels(), Qt::Key_Escape); // a part of B's pane
    QVERIFY(b.time().selectedRange().empty());
    QVERIFY(!a.time().selectedRange().empty());
    QTest::keyClick(&viewA(), Qt::Key_Escape);
    QVERIFY(a.time().selectedRange().empty());
    const EventId kernel = b.idOf({EventKind::Kernel, 0});
    b.selection().setCurrentEvent(kernel);
    QTest::keyClick(&viewB(), Qt::Key_R);
    QCOMPARE(b.time().selectedRange(), b.workspace().range(kernel));
    QVERIFY(a.time().selectedRange().empty());
}

void CompareWindowTest::aKeyReleasedElsewhereEndsItsMotion()
{
    compareBoth();
    m_window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    const std::array<QWidget*, 2> others{&viewB(), &m_window->search().edit()};
    for (QWidget* const other : others) {
        viewA().setFocus();
        const TimeRange before = pair().a().time().shown();
        QTest::keyPress(&viewA(), Qt::Key_W);
        QVERIFY(pair().a().time().shown().duration() < before.duration());
        other->setFocus();
        QTest::keyRelease(other, Qt::Key_W);
        const TimeRange shown = pair().a().time().shown();
        QTest::qWait(100); // several ticks of a held key
        QCOMPARE(pair().a().time().shown(), shown);
    }
}

/// The panels are about A: the menu and Details of B lead to none.
void CompareWindowTest::whatBLeadsToIsOfB()
{
    compareBoth();
    const auto entriesOf = [](TimelinePane& pane, Session& session) {
        const EventId kernel = session.idOf({EventKind::Kernel, 0});
        QMenu menu;
        pane.fillMenu(menu, {session.rowView().visibleChildren(RowTree::root).front(), kernel});
        QStringList texts;
        for (const QAction* const entry : menu.actions())
            texts << entry->text();
        return texts;
    };
    const QStringList inA = entriesOf(m_window->timelines().a(), pair().a());
    const QStringList inB = entriesOf(*m_window->timelines().b(), pair().b());
    for (const char* const leads :
        {"Statistics of this name", "List row in Events", "Show in Events", "Filter Events"})
        QVERIFY2(inA.contains(leads) && !inB.contains(leads), leads);
    QVERIFY(inB.contains("Zoom to event") && inB.contains("Bookmark the event"));

    auto& details = m_window->panel<DetailsPanel>();
    m_window->docks().showPanel("details");
    const auto linksToPanels = [&details] { return details.text().toHtml().contains("href=\"panel:"); };
    const auto isOf = [&details](Session& session) {
        return details.text().toPlainText().contains(
            QString::fromStdString(session.report().label)); // the side that it names
    };
    pair().b().time().selectRange(pair().steps(Side::B)[1]);
    QTRY_VERIFY(!details.isBusy() && isOf(pair().b()));
    QVERIFY(!linksToPanels());
    pair().b().selection().clear();
    pair().a().time().selectRange(pair().steps(Side::A)[1]);
    QTRY_VERIFY(!details.isBusy() && isOf(pair().a()));
    QVERIFY(linksToPanels());
}

void CompareWindowTest::searchGoesToBWhereAHasNoMatch()
{
    compareBoth();
    SearchBar& search = m_window->search();
    Session& a = pair().a();
    Session& b = pair().b();
    const auto find = [&search](const char* name) {
        search.edit().setText(name);
        if (QTest::qWaitFor([&search] { return !search.count().text().isEmpty(); }))
            search.find(true);
    };
    const auto nameOf = [](const Session& session) {
        const EventId event = session.selection().currentEvent();
        return event.valid() ? std::string(session.trace(event.report).name(event.event)) : std::string();
    };
    find("ncclDevKernel");
    QTRY_VERIFY(nameOf(b).starts_with("ncclDevKernel"));
    QVERIFY(!a.selection().currentEvent().valid());
    find("gemm"); // both have it
    QTRY_VERIFY(nameOf(a).find("gemm") != std::string::npos);
    // The number is of the side that is searched.
    const std::uint64_t inA = countMatches(a.workspace(), "elementwise").count;
    QVERIFY(inA > 0 && inA < countMatches(b.workspace(), "elementwise").count);
    find("elementwise");
    QTRY_VERIFY(nameOf(a).find("elementwise") != std::string::npos);
    QTRY_VERIFY(search.count().text().endsWith(" " + QString::fromStdString(formatCount(inA))));
    // The key may be faster than the count.
    b.selection().setCurrentEvent({});
    search.edit().setText("ncclDevKernel");
    QTest::keyClick(&search.edit(), Qt::Key_Return);
    QTRY_VERIFY(nameOf(b).starts_with("ncclDevKernel"));
}

void CompareWindowTest::twoDroppedFilesAreComparedWithOneClick()
{
    drop({before, after});
    QVERIFY(m_window->session().isEmpty()); // nothing is opened that may not be wanted
    QVERIFY(button("Open both"));
    QPushButton* const compares = button("Compare");
    QVERIFY(compares);
    QTest::mouseClick(compares, Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(pair().step(), 30'000);
    QCOMPARE(pair().a().workspace().reports().size(), 1U);
    QCOMPARE(pair().a().workspace().reports().front().label, std::string("bert_fp32.sqlite"));
    QCOMPARE(pair().b().workspace().reports().front().label, std::string("ddp_overlap_rank0.sqlite"));
    QVERIFY(!button("Compare") && !button("Open both"));
}

void CompareWindowTest::twoDroppedFilesMayBothBeOpened()
{
    drop({before, after});
    QPushButton* const opens = button("Open both");
    QVERIFY(opens);
    QTest::mouseClick(opens, Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(m_window->session().workspace().reports().size(), 2U, 30'000);
    SETTLE(*m_window);
    QVERIFY(!pair().isOn());
    QVERIFY(!button("Compare"));
}

void CompareWindowTest::droppedRanksOfOneRunAreOpened()
{
    QTemporaryDir folder;
    const QStringList ranks{folder.filePath("run_rank0.sqlite"), folder.filePath("run_rank1.sqlite")};
    QVERIFY(QFile::copy(before, ranks[0]) && QFile::copy(after, ranks[1]));
    drop(ranks);
    QTRY_COMPARE_WITH_TIMEOUT(m_window->session().workspace().reports().size(), 2U, 30'000);
    SETTLE(*m_window);
    QVERIFY(!button("Open both"));
    QPushButton* const offer = button("Compare instead");
    QVERIFY(offer);
    QTest::mouseClick(offer, Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(pair().step(), 30'000);
    QCOMPARE(pair().b().workspace().reports().front().label, std::string("run_rank1.sqlite"));
    QVERIFY(!offer->isVisible());
    m_window->closeReport();
}

void CompareWindowTest::aPairIsAmongTheRecentFiles()
{
    compareBoth();
    QList<RecentFiles> recent = recentFiles();
    QCOMPARE(recent.size(), 1); // one entry, not A alone as well
    QCOMPARE(recent.front(), (RecentFiles{{before}, {after}}));
    m_window->swapCompared();
    SETTLE(*m_window);
    recent = recentFiles();
    QCOMPARE(recent.size(), 1); // the same two
    QCOMPARE(recent.front(), (RecentFiles{{after}, {before}}));
    m_window->closeReport();

    const QString name("ddp_overlap_rank0.sqlite \u2194 bert_fp32.sqlite");
    auto* const page = m_window->findChild<StartPage*>();
    const QTextCursor line = page->recent().document()->find(name);
    QVERIFY(!line.isNull());
    QVERIFY(line.charFormat().toolTip().contains(before) && line.charFormat().toolTip().contains(after));
    QTextBrowser& list = page->recent();
    QTextCursor word = line;
    word.setPosition(line.selectionStart() + 1);
    QTest::mouseClick(list.viewport(), Qt::LeftButton, {}, list.cursorRect(word).center());
    QTRY_VERIFY_WITH_TIMEOUT(pair().step(), 30'000);
    QCOMPARE(pair().a().workspace().reports().front().label, std::string("ddp_overlap_rank0.sqlite"));
    QCOMPARE(pair().b().workspace().reports().front().label, std::string("bert_fp32.sqlite"));
    SETTLE(*m_window);

    // A report that is open alone is an entry of its own, before the pair.
    m_window->open(before);
    SETTLE(*m_window);
    QCOMPARE(recentFiles().size(), 2);
    for (QMenu* const menu : m_window->findChildren<QMenu*>()) {
        if (menu->title() != "Open recen&t")
            continue;
        emit menu->aboutToShow();
        QAction* const entry = menu->actions()[1];
        QCOMPARE(entry->text(), name);
        QVERIFY(entry->toolTip().contains(before) && entry->toolTip().contains(after));
        entry->trigger();
    }
    QTRY_VERIFY_WITH_TIMEOUT(pair().isOn() && pair().step(), 30'000);
    SETTLE(*m_window);
    QCOMPARE(recentFiles().front(), (RecentFiles{{after}, {before}}));
    QCOMPARE(recentFiles().size(), 2);
}

void CompareWindowTest::comparingBeginsInToolBarAndOnTheStartPage()
{
    // Each dialog for files is answered with the next of `answers`.
    QList<QStringList> answers;
    int asked = 0;
    QTimer answerer;
    connect(&answerer, &QTimer::timeout, this, [&] {
        auto* const dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
        if (!dialog || answers.isEmpty())
            return;
        ++asked;
        QStringList paths;
        for (const QString& path : answers.takeFirst())
            paths << QFileInfo(path).absoluteFilePath();
        dialog->findChild<QLineEdit*>("fileNameEdit")
            ->setText(paths.size() == 1 ? paths.front() : '"' + paths.join("\" \"") + '"');
        static_cast<QDialog*>(dialog)->accept();
    });
    answerer.start(20);
    QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);

    answers = {{before}, {after}};
    auto* const page = m_window->findChild<StartPage*>();
    QTest::mouseClick(page->findChild<QPushButton*>("file.compare"), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(pair().step(), 30'000);
    QCOMPARE(asked, 2);
    QCOMPARE(pair().a().workspace().reports().front().label, std::string("bert_fp32.sqlite"));
    QCOMPARE(pair().b().workspace().reports().front().label, std::string("ddp_overlap_rank0.sqlite"));
    SETTLE(*m_window);
    m_window->closeReport();
    QTRY_VERIFY(m_window->session().isEmpty());

    QToolButton* tool = nullptr;
    const QToolBar& bar = *m_window->findChild<QToolBar*>("navigation");
    for (QAction* const action : bar.actions()) {
        if (action->objectName() == "mode.compare")
            tool = qobject_cast<QToolButton*>(bar.widgetForAction(action));
    }
    QVERIFY(tool && !bar.isVisible()); // the start page has its own buttons
    answers = {{before, after}}; // both in one dialog
    QTest::mouseClick(page->findChild<QPushButton*>("file.compare"), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(pair().step(), 30'000);
    QCOMPARE(asked, 3);
    QCOMPARE(pair().a().workspace().reports().size(), 1U);
    SETTLE(*m_window);
    m_window->closeReport();
    m_window->open(before);
    SETTLE(*m_window);
    QVERIFY(tool->isVisible());
    answers = {{after}};
    QTest::mouseClick(tool, Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(pair().step(), 30'000);
    QCOMPARE(asked, 4);
    QCOMPARE(pair().b().workspace().reports().front().label, std::string("ddp_overlap_rank0.sqlite"));
    SETTLE(*m_window);
}

/// Another file can still be chosen.
void CompareWindowTest::twoOpenReportsAreOfferedToCompare()
{
    m_window->openAll({before, after});
    SETTLE(*m_window);
    QString answer = "Choose a file\u2026";
    int files = 0;
    QTimer answerer;
    connect(&answerer, &QTimer::timeout, this, [&] {
        QWidget* const shown = QApplication::activeModalWidget();
        if (auto* const dialog = qobject_cast<QFileDialog*>(shown)) {
            ++files;
            static_cast<QDialog*>(dialog)->reject();
        } else if (auto* const box = qobject_cast<QMessageBox*>(shown)) {
            for (QAbstractButton* const each : box->buttons()) {
                if (each->text() == answer)
                    each->click();
            }
        }
    });
    answerer.start(20);
    QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    m_window->askWhatToCompare();
    QCOMPARE(files, 1);
    QVERIFY(!pair().isOn());
    answer = "Cancel";
    m_window->askWhatToCompare();
    QVERIFY(!pair().isOn());
    answer = "Compare";
    m_window->askWhatToCompare();
    QTRY_VERIFY_WITH_TIMEOUT(pair().isOn(), 30'000);
    SETTLE(*m_window);
    QCOMPARE(files, 1);
    QCOMPARE(pair().a().workspace().reports().front().label, std::string("bert_fp32.sqlite"));
    QCOMPARE(pair().b().workspace().reports().front().label, std::string("ddp_overlap_rank0.sqlite"));
}

void CompareWindowTest::chosenStepsAreThoseOfBothSides()
{
    compareBoth();
    QVERIFY(m_window->docks().showPanel("steps"));
    SETTLE(*m_window);
    auto& box = *m_window->panel<StepsPanel>().findChild<StepBox*>();
    box.setFocus();
    QTest::keyClicks(&box, "no such step");
    QTest::keyClick(&box, Qt::Key_Return);
    QCOMPARE(pair().request().a.stepGlob, std::string("no such step"));
    QCOMPARE(pair().request().b.stepGlob, std::string("no such step"));
    SETTLE(*m_window);
    QCOMPARE(pair().comparison()->unit, CompareUnit::Whole);
    QCOMPARE(pair().stepCount(), std::size_t{0});
    m_window->session().judgement().setStepGlob({});
    SETTLE(*m_window);
    QCOMPARE(pair().comparison()->unit, CompareUnit::Step);
    QVERIFY(pair().stepCount() > 0);
}

void CompareWindowTest::aRunWithoutEventsIsNotComparable()
{
    QFile file(m_folder.filePath("nothing.json"));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(R"({"traceEvents": []})") > 0);
    file.close();
    m_window->compare(before, file.fileName());
    QTRY_VERIFY_WITH_TIMEOUT(pair().isOn(), 30'000);
    SETTLE(*m_window);
    for (const Side side : {Side::B, Side::A}) {
        QVERIFY(pair().session(side).isEmpty());
        QTRY_VERIFY_WITH_TIMEOUT(pair().comparison(), 30'000);
        QVERIFY(!pair().comparison()->comparable);
        // The timeline with events shows all of them: it is aligned with nothing.
        const Session& other = pair().session(otherSide(side));
        QCOMPARE(other.time().reach(), other.session());
        TimelinePane& pane = side == Side::A ? m_window->timelines().a() : *m_window->timelines().b();
        QVERIFY(!pane.findChild<QLabel*>("report-size")->text().isEmpty());
        m_window->swapCompared();
        QTRY_VERIFY_WITH_TIMEOUT(pair().isOn() && !pair().isComing(), 30'000);
        SETTLE(*m_window);
    }
}

void CompareWindowTest::aRunThatCannotBeOpenedEndsIt()
{
    m_window->open(before);
    SETTLE(*m_window);
    m_window->compareWith({"/nowhere/at-all.sqlite"});
    QTRY_VERIFY_WITH_TIMEOUT(!m_window->otherReports().isLoading(), 10'000);
    QVERIFY(!pair().isOn());
    QVERIFY(!m_window->session().isEmpty());
    SETTLE(*m_window);
}

void CompareWindowTest::whatCannotBeOpenedLeavesTheComparison()
{
    compareBoth();
    QTRY_VERIFY_WITH_TIMEOUT(pair().comparison(), 30'000);
    const auto comparison = pair().comparison();
    const TimeRange shown = pair().a().time().shown();
    const QString broken = brokenFile("broken.sqlite");
    QSignalSpy failed(m_window.get(), &MainWindow::openFailed);
    for (const QString& each : {broken, QString("/nowhere/at-all.sqlite")}) {
        m_window->open(each);
        QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, 10'000);
        QVERIFY(failed.takeFirst()[0].toString().contains(QFileInfo(each).fileName()));
        m_window->compareWith({each});
        QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, 10'000);
        QVERIFY(failed.takeFirst()[0].toString().contains(QFileInfo(each).fileName()));
        SETTLE(*m_window);
        QVERIFY(pair().isOn());
        QCOMPARE(pair().comparison(), comparison);
        QVERIFY(pair().a().time().shown() == shown);
        QCOMPARE(m_window->windowTitle(),
            QString("bert_fp32.sqlite against ddp_overlap_rank0.sqlite \u2014 Warpline"));
    }
    // Opening a valid report ends it, as before.
    m_window->open(after);
    SETTLE(*m_window);
    QVERIFY(!pair().isOn());
    QCOMPARE(m_window->windowTitle(), QString("ddp_overlap_rank0.sqlite \u2014 Warpline"));
    // A broken A with a valid B: B is compared with the report that stays open.
    m_window->compare({broken}, {before});
    QTRY_VERIFY_WITH_TIMEOUT(pair().isOn() && pair().stepCount() > 0, 30'000);
    SETTLE(*m_window);
    QCOMPARE(m_window->windowTitle(),
        QString("ddp_overlap_rank0.sqlite against bert_fp32.sqlite \u2014 Warpline"));
    // Neither is one: the title is that of what stays.
    m_window->compare(QStringList{broken}, QStringList{"/nowhere/at-all.sqlite"});
    QTRY_VERIFY_WITH_TIMEOUT(!m_window->reports().isLoading(), 10'000);
    SETTLE(*m_window);
    QVERIFY(!pair().isOn());
    QCOMPARE(m_window->windowTitle(), QString("ddp_overlap_rank0.sqlite \u2014 Warpline"));
}

/// It fails at once.
void CompareWindowTest::aFolderWithoutReportsIsTold()
{
    const QTemporaryDir none;
    MainWindow window(Theme::light());
    window.show();
    const auto* const message = window.findChild<QLabel*>("message");
    window.compare(QStringList{none.path()}, {before});
    QTRY_VERIFY(message->isVisible() && message->text().contains("contains no reports"));
    QTRY_VERIFY(!window.otherReports().isLoading());
    QVERIFY(window.otherReports().isEmpty() && !window.session().pair().isOn());
    // With a report that stays open, too.
    window.open(before);
    SETTLE(window);
    window.compare(QStringList{none.path()}, {after});
    QTRY_VERIFY_WITH_TIMEOUT(window.session().pair().isOn(), 30'000);
    QVERIFY(message->isVisible() && message->text().contains("contains no reports"));
    SETTLE(window);
}

/// As when a program writes its report again while it is open.
void CompareWindowTest::aSideThatCannotBeReadAgainStays()
{
    const QStringList copies{m_folder.filePath("a.sqlite"), m_folder.filePath("b.sqlite")};
    QVERIFY(QFile::copy(before, copies[0]) && QFile::copy(after, copies[1]));
    m_window->compare(copies[0], copies[1]);
    QTRY_VERIFY_WITH_TIMEOUT(pair().isOn() && pair().stepCount() > 0, 30'000);
    SETTLE(*m_window);
    QSignalSpy failed(m_window.get(), &MainWindow::openFailed);
    for (const QString& side : {copies[1], copies[0]}) {
        brokenFile(QFileInfo(side).fileName());
        m_window->reopen();
        QTRY_VERIFY_WITH_TIMEOUT(!failed.isEmpty(), 10'000);
        SETTLE(*m_window);
        failed.clear();
        QVERIFY(pair().isOn() && pair().stepCount() > 0);
        QVERIFY(!pair().a().isEmpty() && !pair().b().isEmpty());
        QCOMPARE(m_window->windowTitle(), QString("a.sqlite against b.sqlite \u2014 Warpline"));
    }
}

void CompareWindowTest::aSideOfWhichOnlyAPartWasReadEndsIt_data()
{
    QTest::addColumn<bool>("isOfA");
    QTest::newRow("A") << true;
    QTest::newRow("B") << false;
}

/// As after Cancel while it loads.
void CompareWindowTest::aSideOfWhichOnlyAPartWasReadEndsIt()
{
    QFETCH(const bool, isOfA);
    compareBothOpen();
    const auto whole = pair().session(isOfA ? Side::A : Side::B).workspace().reports();
    std::vector<OpenReport> reports(whole.begin(), whole.end());
    const auto part = std::make_shared<Trace>(*reports.front().trace);
    part->complete = false;
    reports.front().trace = part;
    if (isOfA)
        pair().a().setWorkspace(Workspace(std::move(reports)));
    else
        pair().compareWith(Workspace(std::move(reports)));
    QVERIFY(pair().isOn());
    emit(isOfA ? m_window->reports() : m_window->otherReports()).finished();
    QVERIFY(!pair().isOn());
    SETTLE(*m_window);
    QCOMPARE(m_window->session().workspace().reports().size(), std::size_t{2});
    QCOMPARE(m_window->mode(), MainWindow::Mode::Timeline);
}

/// Of both open reports, whose reading was cancelled: none of them is read again. B comes later.
void CompareWindowTest::aPartThatWasReadStaysAtTheEnd()
{
    compareBothOpen();
    ReportList::Listed a = m_window->reports().listed();
    const auto part = std::make_shared<Trace>(*a.reports.front().report.trace);
    part->complete = false;
    a.reports.front().report.trace = part;
    a.reports.front().state = ListedReport::State::Failed;
    QSignalSpy reading(&m_window->reports(), &ReportList::reading);
    m_window->otherReports().reopen();
    m_window->reports().openListed(std::move(a));
    QVERIFY(pair().isOn() && m_window->otherReports().isLoading());
    QTRY_VERIFY_WITH_TIMEOUT(!pair().isOn(), 30'000);
    QCOMPARE(m_window->reports().names(), QStringList({before, after}));
    QCOMPARE(m_window->session().workspace().reports().size(), std::size_t{2});
    QVERIFY(m_window->session().workspace().reports().front().trace == part);
    QVERIFY(!m_window->reports().isLoading() && reading.isEmpty());
}

void CompareWindowTest::twoRangesStayWhereAnotherRunCannotBeOpened()
{
    m_window->open(before);
    SETTLE(*m_window);
    const TimeRange all = m_window->session().session();
    const Ns middle = all.start + all.duration() / 2;
    pair().compareWithin({all.start, middle}, {middle, all.end});
    m_window->compareWith({brokenFile("broken.sqlite")});
    QTRY_VERIFY_WITH_TIMEOUT(!m_window->otherReports().isLoading(), 10'000);
    SETTLE(*m_window);
    QVERIFY(pair().isOn() && pair().isWithinOne());
    m_window->compareWith({after});
    QTRY_VERIFY_WITH_TIMEOUT(pair().isOn() && !pair().isWithinOne(), 30'000);
    SETTLE(*m_window);
    QVERIFY(pair().narrowed(Side::A).empty());
}

void CompareWindowTest::theVerdictIsInFront()
{
    compareBoth();
    auto& panel = m_window->panel<ComparePanel>();
    QVERIFY(m_window->docks().isPanelInFront("verdict"));
    QVERIFY(m_window->docks().showPanel("compare"));
    QVERIFY(m_window->docks().showPanel("summary")); // as its tab says
    QVERIFY(m_window->docks().isPanelInFront("overview"));
    const auto comparison = pair().comparison();
    QVERIFY(comparison);
    QVERIFY(m_window->panel<VerdictPanel>().verdict().text().contains(
        comparison->comparable ? "step" : "comparable"));
    QVERIFY(m_window->timelines().bar().verdict().text().contains(compareHeadline(*comparison)));
    // A click on a line of a table marks its events in the timelines of both.
    QVERIFY(panel.showTable("kernels"));
    QTableView& table = panel.table();
    QTest::mouseClick(
        table.viewport(), Qt::LeftButton, {}, table.visualRect(table.model()->index(0, 1)).center());
    QTRY_VERIFY(pair().a().selection().highlightsAny() || pair().b().selection().highlightsAny());
    QVERIFY(pair().a().selection().currentEvent().valid() || pair().b().selection().currentEvent().valid());
    QVERIFY(isInStep());
}

/// The legend is below B and covers A, too; it stays when B adds nothing.
void CompareWindowTest::oneLegendNamesWhatBothShow()
{
    compareBoth();
    TimelinePane& a = m_window->timelines().a();
    TimelinePane& b = *m_window->timelines().b();
    QVERIFY(a.legend().isHidden() && b.legend().isVisible());
    const auto textsOf = [](const ColorLegend& legend) {
        std::set<QString> texts;
        for (const LegendEntry& entry : legend.entries())
            texts.insert(entry.text);
        return texts;
    };
    const auto both = textsOf(b.legend());
    QVERIFY(!textsOf(a.legend()).empty());
    QVERIFY(std::ranges::includes(both, textsOf(a.legend())));
    QVERIFY(both.size() > textsOf(a.legend()).size()); // B's own
    QVERIFY(!b.legend().placeOf(0).isEmpty());
    // A click in it highlights the name.
    const auto named = std::ranges::find_if(
        b.legend().entries(), [](const LegendEntry& entry) { return !entry.name.empty(); });
    QVERIFY(named != b.legend().entries().end());
    const auto place = b.legend().placeOf(static_cast<std::size_t>(named - b.legend().entries().begin()));
    QVERIFY(!place.isEmpty());
    QTest::mouseClick(&b.legend(), Qt::LeftButton, {}, place.center());
    QTRY_VERIFY(!pair().b().selection().highlighted(ReportId{}).empty()
        || !pair().a().selection().highlighted(ReportId{}).empty());
}

void CompareWindowTest::aPictureShowsBoth()
{
    QTemporaryDir folder;
    const QString picture = folder.filePath("both.png");
    QProcess process;
    process.start(QCoreApplication::applicationDirPath() + "/warpline",
        {"--screenshot", picture, "--size", "1366x768", "--panel", "compare", "--a-range", "100ms:300ms",
            "--compare", before, after});
    QVERIFY(process.waitForFinished(120'000));
    QCOMPARE(process.exitCode(), 0);
    QCOMPARE(QImage(picture).size(), QSize(1366, 768));
    QVERIFY(QFile::remove(picture)); // two ranges of one report
    process.start(QCoreApplication::applicationDirPath() + "/warpline",
        {"--screenshot", picture, "--size", "1366x768", "--a-range", "100ms:200ms", "--b-range",
            "200ms:300ms", "--compare", before});
    QVERIFY(process.waitForFinished(120'000));
    QCOMPARE(process.exitCode(), 0);
    QCOMPARE(QImage(picture).size(), QSize(1366, 768));
    process.start(QCoreApplication::applicationDirPath() + "/warpline", {"--compare", before});
    QVERIFY(process.waitForFinished(60'000));
    QCOMPARE(process.exitCode(), 2);
    QVERIFY(process.readAllStandardError().contains("--compare takes two reports"));
}

#undef SETTLE

WARPLINE_TEST(CompareWindowTest)

} // namespace tst_compare_window

#include "tst_compare_window.moc"
