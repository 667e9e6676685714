// The timeline with real mouse and keys, on a small report: hits, selections by dragging, painting.

#include "core/load/load_report.h"
#include "core/query/counter_stats.h"
#include "core/rows/row_kind.h"
#include "core/store/trace.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"
#include "tests/views/view_test.h"
#include "views/style/color_choice.h"
#include "views/style/event_colors.h"
#include "views/timeline/column_width.h"
#include "views/timeline/overview.h"
#include "views/timeline/row_bar.h"
#include "views/timeline/row_labels.h"
#include "views/timeline/ruler.h"
#include "views/timeline/time_scale.h"
#include "views/timeline/timeline_pane.h"

#include <QLabel>
#include <QMenu>
#include <QScrollBar>
#include <QSettings>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QWheelEvent>

#include <cmath>
#include <set>

namespace tst_timeline {

using namespace warpline;
using namespace warpline::test;

class TimelineTest : public ViewTest {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void axisRoundTrips();
    void rulerStepsAreSensible();
    void clickSelectsTheEvent();
    void clickOnNothingClears();
    void dragAlongARowSelectsTime();
    void dragSelectsTimeAndRows();
    void dragsEndWithTheirReport();
    void edgeOfTheSelectionCanBeDragged();
    void doubleClickZooms();
    void wheelZoomsAtTheCursorAndPans();
    void keysZoomPanAndGoBack();
    void arrowsStepAlongAndAcross();
    void paintsInkWhereEventsAre();
    void fullViewIsCoarseOnlyInMotion();
    void highlightsThinEvents();
    void labelsExpandAndCollapse();
    void pinnedRowStaysOnTop();
    void overviewMovesTheView();
    void menuFiltersAndPins();
    void filterToAStreamTakesAllOfIt();
    void fineWheelStepsScroll();
    void boxStaysWhereItBeganWhileZooming();
    void labelsAreReadable();
    void overviewIsWorkedOutBeside();
    void cornerTellsSizeAndHiddenRows();
    void anotherReportStartsAtTheTop();
    void cursorTimeFollowsTheView();
    void greyTextCanBeRead();
    void draggedRowIsNotSelected();
    void outlinedEventLiesOnTop();

private:
    QPoint pointOf(EventRef event) const;
    QWidget* rows() const { return m_pane->view().viewport(); }
    EventRef kernel(Ns start) const;
};

void TimelineTest::initTestCase()
{
    openSmallReport("tst_timeline");
}

void TimelineTest::init()
{
    QSettings().clear();
    ColorChoice::shared().setBy(ColorBy::Kind);
    showPane({1000, 600});
}

QPoint TimelineTest::pointOf(EventRef event) const
{
    const PlacedRow* const row = m_pane->view().visibleRowOf({ReportId{}, event});
    if (!row)
        return {};
    const TimeRange range = m_trace->range(event);
    const double x = m_pane->view().axis().xAt(range.start + range.duration() / 2);
    const auto depth = static_cast<int>(m_trace->table(event.kind).depthOf(event.index));
    return {static_cast<int>(std::lround(x)),
        row->y - m_pane->view().offset() + 2 + depth * RowLayout::laneHeight + RowLayout::laneHeight / 2};
}

EventRef TimelineTest::kernel(Ns start) const
{
    for (EventIndex i = 0; i < m_trace->kernels().size(); ++i) {
        if (m_trace->kernels().start[i] == start)
            return {EventKind::Kernel, i};
    }
    return {};
}

void TimelineTest::axisRoundTrips()
{
    const TimeAxis axis{{1'000'000, 9'000'000}, 733};
    for (const Ns t : {1'000'000, 1'234'567, 5'000'000, 8'999'999})
        QVERIFY(std::abs(axis.timeAt(axis.xAt(t)) - t) <= 1);
    QVERIFY(axis.xAt(0) < 0);
    QVERIFY(axis.xAt(10'000'000) > 733);
}

void TimelineTest::rulerStepsAreSensible()
{
    for (const Ns length : {Ns{37}, Ns{1000}, Ns{123'456}, Ns{7'000'000'000}, Ns{617'000'000'000}}) {
        const TimeScale scale = timeScale({5, 5 + length}, 1200);
        Ns leading = scale.step;
        while (leading % 10 == 0)
            leading /= 10;
        QVERIFY(leading == 1 || leading == 2 || leading == 5);
        QVERIFY(!scale.ticks.empty());
        QVERIFY(scale.ticks.size() <= 12);
        for (const Ns tick : scale.ticks)
            QCOMPARE(tick % scale.step, 0);
    }
    // A narrow ruler has a tick whose label, centred below it, is whole.
    for (const double width : {120.0, 170.0, 260.0, 400.0}) {
        for (Ns start = 5'900'000'000; start < 6'000'000'000; start += 3'700'000) {
            const TimeAxis axis{{start, start + 97'000'000}, width};
            const std::vector<Ns> ticks = timeScale(axis.shown, width).ticks;
            const auto room = [&](Ns tick) { return std::min(axis.xAt(tick), width - axis.xAt(tick)); };
            QVERIFY(std::ranges::any_of(ticks, [&](Ns tick) { return room(tick) >= width * 3 / 16; }));
        }
    }
    QCOMPARE(tickLabel(1'500'000'000, 100'000'000, 0), QString("1.5 s"));
    QCOMPARE(tickLabel(2'000, 500, 0), QString::fromUtf8("2.0 \u00b5s"));
    QCOMPARE(tickBase({1'000'000'000, 1'000'001'000}, 100), 1'000'000'000);
}

void TimelineTest::clickSelectsTheEvent()
{
    for (const Ns start : {1000, 2000, 5000}) {
        const EventRef event = kernel(start);
        QTest::mouseClick(rows(), Qt::LeftButton, {}, pointOf(event));
        QCOMPARE(m_session->selection().ownCurrentEvent(), event);
    }
    // A nested NVTX range: the click must reach its depth.
    const EventRef nested{EventKind::Nvtx, 1};
    QCOMPARE(m_trace->name(nested), "main");
    QTest::mouseClick(rows(), Qt::LeftButton, {}, pointOf(nested));
    QCOMPARE(m_session->selection().ownCurrentEvent(), nested);
}

void TimelineTest::clickOnNothingClears()
{
    m_session->selection().setCurrentEvent({ReportId{}, kernel(1000)});
    m_session->time().selectRange({1000, 2000});
    QPoint empty = pointOf(kernel(5000));
    empty.setX(static_cast<int>(m_pane->view().axis().xAt(5600)) + 3);
    QTest::mouseClick(rows(), Qt::LeftButton, {}, empty);
    QVERIFY(!m_session->selection().ownCurrentEvent().valid());
    QVERIFY(m_session->time().selectedRange().empty());
    QVERIFY(m_session->selection().selectedRows().empty());
}

/// A drag along one row is about time: that row does not narrow the answer, and rows chosen before stay.
void TimelineTest::dragAlongARowSelectsTime()
{
    const auto drag = [&](QPoint from, QPoint to) {
        QTest::mousePress(rows(), Qt::LeftButton, {}, from);
        QTest::mouseMove(rows(), (from + to) / 2);
        QTest::mouseMove(rows(), to);
        QTest::mouseRelease(rows(), Qt::LeftButton, {}, to);
    };
    const QPoint from = pointOf(kernel(1000));
    const QPoint below = pointOf(kernel(2000));
    drag(from, from + QPoint(90, 0));
    QVERIFY(!m_session->time().selectedRange().empty());
    QVERIFY(m_session->selection().selectedRows().empty());
    const std::vector<RowId> chosen{m_rows->rowOf(m_trace->trackOf({EventKind::ApiCall, 0}))};
    m_session->selection().selectRows(chosen);
    m_session->time().selectRange({});
    drag(from, from + QPoint(90, 0));
    QVERIFY(!m_session->time().selectedRange().empty());
    QCOMPARE(m_session->selection().selectedRows(), chosen);
    // Over several rows and back to one.
    QTest::mousePress(rows(), Qt::LeftButton, {}, from + QPoint(8, 0));
    QTest::mouseMove(rows(), QPoint(from.x() + 60, below.y()));
    QVERIFY(m_session->selection().selectedRows() != chosen);
    QTest::mouseMove(rows(), from + QPoint(70, 0));
    QCOMPARE(m_session->selection().selectedRows(), chosen);
    QTest::mouseRelease(rows(), Qt::LeftButton, {}, from + QPoint(70, 0));
}

void TimelineTest::dragSelectsTimeAndRows()
{
    const QPoint from = pointOf(kernel(1000));
    const QPoint to = pointOf(kernel(2000)) + QPoint(60, 0);
    QTest::mousePress(rows(), Qt::LeftButton, {}, from);
    QTest::mouseMove(rows(), (from + to) / 2);
    QTest::mouseMove(rows(), to);
    QTest::mouseRelease(rows(), Qt::LeftButton, {}, to);
    const TimeAxis axis = m_pane->view().axis();
    QCOMPARE(m_session->time().selectedRange(), (TimeRange{axis.timeAt(from.x()), axis.timeAt(to.x())}));
    const RowId first = m_rows->rowOf(m_trace->trackOf(kernel(1000)));
    const RowId second = m_rows->rowOf(m_trace->trackOf(kernel(2000)));
    const auto& selected = m_session->selection().selectedRows();
    QVERIFY(std::ranges::find(selected, first) != selected.end());
    QVERIFY(std::ranges::find(selected, second) != selected.end());
    QVERIFY(std::ranges::find(selected, m_rows->rowOf(m_trace->trackOf({EventKind::ApiCall, 0})))
        == selected.end());
}

/// The times of another report are others, and the rows that were selected before have other numbers.
void TimelineTest::dragsEndWithTheirReport()
{
    const std::vector<RowId> chosen{m_rows->rowOf(m_trace->trackOf({EventKind::ApiCall, 0}))};
    const QPoint from = pointOf(kernel(1000));
    const auto dragWhile = [&](const std::shared_ptr<const Trace>& comes) {
        m_session->selection().selectRows(chosen);
        m_session->time().selectRange({});
        QTest::mousePress(rows(), Qt::LeftButton, {}, from);
        QTest::mouseMove(rows(), from + QPoint(60, 0));
        QCOMPARE(m_session->selection().selectedRows(), chosen);
        m_session->setTrace(comes, m_rows);
        QTest::mouseMove(rows(), from + QPoint(90, 0));
        QVERIFY(m_session->selection().selectedRows().empty());
        QTest::mouseRelease(rows(), Qt::LeftButton, {}, from + QPoint(90, 0));
    };
    auto part = std::make_shared<Trace>(*m_trace);
    part->complete = false;
    dragWhile(part);
    QVERIFY(m_session->time().selectedRange().empty());
    dragWhile(m_trace); // more of the same report: time is still selected
    QVERIFY(!m_session->time().selectedRange().empty());
}

void TimelineTest::edgeOfTheSelectionCanBeDragged()
{
    m_session->time().selectRange({1000, 3000});
    const int y = rows()->height() - 5;
    const QPoint edge(static_cast<int>(std::lround(m_pane->view().axis().xAt(3000))), y);
    QTest::mousePress(rows(), Qt::LeftButton, {}, edge);
    QTest::mouseMove(rows(), edge + QPoint(80, 0));
    QTest::mouseRelease(rows(), Qt::LeftButton, {}, edge + QPoint(80, 0));
    QCOMPARE(m_session->time().selectedRange().start, 1000);
    QCOMPARE(m_session->time().selectedRange().end, m_pane->view().axis().timeAt(edge.x() + 80));
}

void TimelineTest::doubleClickZooms()
{
    const EventRef event = kernel(5000);
    QTest::mouseDClick(rows(), Qt::LeftButton, {}, pointOf(event));
    QCOMPARE(m_session->selection().ownCurrentEvent(), event);
    QVERIFY(m_session->time().shown().start <= 5000 && m_session->time().shown().end >= 5500);
    QVERIFY(m_session->time().shown().duration() < 2500);
}

void TimelineTest::wheelZoomsAtTheCursorAndPans()
{
    const auto wheel = [&](Qt::KeyboardModifiers modifiers, int delta, int x) {
        QWheelEvent event(QPointF(x, 100), rows()->mapToGlobal(QPointF(x, 100)), {}, {0, delta}, {},
            modifiers, Qt::NoScrollPhase, false);
        QApplication::sendEvent(rows(), &event);
    };
    const Ns anchor = m_pane->view().axis().timeAt(300);
    wheel(Qt::ControlModifier, 120, 300);
    QVERIFY(m_session->time().shown().duration() < m_trace->session.duration());
    QVERIFY(std::abs(m_pane->view().axis().xAt(anchor) - 300) < 1.5);
    const TimeRange before = m_session->time().shown();
    wheel(Qt::ShiftModifier, -120, 300);
    QVERIFY(m_session->time().shown().start > before.start);
    QCOMPARE(m_session->time().shown().duration(), before.duration());
    m_pane->resize(1000, 200);
    QTest::qWait(10);
    wheel({}, -120, 300);
    QVERIFY(m_pane->view().offset() > 0);
    QCOMPARE(m_session->time().shown().duration(), before.duration());
}

void TimelineTest::keysZoomPanAndGoBack()
{
    const TimeRange all = m_session->time().shown();
    QTest::keyClick(&m_pane->view(), Qt::Key_W);
    const TimeRange zoomed = m_session->time().shown();
    QVERIFY(zoomed.duration() < all.duration());
    QTest::keyClick(&m_pane->view(), Qt::Key_D);
    QVERIFY(m_session->time().shown().start > zoomed.start);
    QTest::keyClick(&m_pane->view(), Qt::Key_Home);
    QCOMPARE(m_session->time().shown(), all);
    m_session->time().selectRange({1000, 2000});
    QTest::keyClick(&m_pane->view(), Qt::Key_Z, Qt::ShiftModifier);
    QCOMPARE(m_session->time().shown(), (TimeRange{1000, 2000}));
    QTest::keyClick(&m_pane->view(), Qt::Key_Backspace);
    QCOMPARE(m_session->time().shown(), all);
    QTest::keyClick(&m_pane->view(), Qt::Key_Escape);
    QVERIFY(m_session->time().selectedRange().empty());
}

void TimelineTest::arrowsStepAlongAndAcross()
{
    m_session->selection().setCurrentEvent({ReportId{}, kernel(1000)});
    QTest::keyClick(&m_pane->view(), Qt::Key_Right);
    QCOMPARE(m_session->selection().ownCurrentEvent(), kernel(5000)); // the next on the same stream
    QTest::keyClick(&m_pane->view(), Qt::Key_Right);
    QCOMPARE(m_session->selection().ownCurrentEvent(), kernel(5000)); // the last stays
    QTest::keyClick(&m_pane->view(), Qt::Key_Left);
    QCOMPARE(m_session->selection().ownCurrentEvent(), kernel(1000));
    const TrackRef before = m_trace->trackOf(m_session->selection().ownCurrentEvent());
    QTest::keyClick(&m_pane->view(), Qt::Key_Down);
    QVERIFY(m_trace->trackOf(m_session->selection().ownCurrentEvent()) != before);
    QTest::keyClick(&m_pane->view(), Qt::Key_Up);
    QCOMPARE(m_trace->trackOf(m_session->selection().ownCurrentEvent()), before);
}

void TimelineTest::paintsInkWhereEventsAre()
{
    const QImage image = rows()->grab().toImage();
    const QColor back = Theme::light().background;
    const EventRef event = kernel(1000);
    const QPoint inside = pointOf(event) + QPoint(-30, 3);
    const QColor ink = image.pixelColor(inside);
    QVERIFY2(ink.blue() > ink.red() + 30, qPrintable(ink.name())); // kernels are blue
    const QPoint beside(static_cast<int>(m_pane->view().axis().xAt(4500)), inside.y());
    QCOMPARE(image.pixelColor(beside), back);
    const EventRef copy{EventKind::Memcpy, 0};
    const QColor green = image.pixelColor(pointOf(copy) + QPoint(0, 3));
    QVERIFY2(green.green() > green.red() + 30, qPrintable(green.name())); // host to device is green
}

void TimelineTest::fullViewIsCoarseOnlyInMotion()
{
    auto sample = loadReport(WARPLINE_SOURCE_DIR "/resources/sample.sqlite"); // thousands of events
    QVERIFY(sample.ok());
    const auto trace = sample.take();
    m_session->setTrace(trace, buildRows(*trace));
    m_pane->resize(9000, 600); // a score of rows: more columns than are exact in motion
    const TimeRange wide = m_session->session();
    const TimeRange beside{wide.start + wide.duration() / 3, wide.end};
    const auto rest = [] { QTest::qWait(ColumnWidth::restMs * 3); };
    const auto picture = [this] { return rows()->grab().toImage(); };
    rest();
    m_session->time().show(wide);
    const QImage exact = picture(); // a single jump
    QVERIFY(exact != QImage());
    rest();
    m_session->time().show(beside);
    m_session->time().show(wide);
    QVERIFY(picture() != exact);
    QTRY_COMPARE(picture(), exact);

    m_pane->resize(1000, 600);
    rest();
    m_session->time().show(wide);
    const QImage narrow = picture();
    m_session->time().show(beside);
    m_session->time().show(wide);
    QCOMPARE(picture(), narrow);
}

void TimelineTest::highlightsThinEvents()
{
    const EventRef mark{EventKind::Nvtx, 2}; // no length at all
    QCOMPARE(m_trace->range(mark).duration(), 0);
    const auto marked = [&] {
        const QImage image = rows()->grab().toImage();
        const QColor wanted = Theme::light().highlight;
        int pixels = 0;
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x)
                pixels += image.pixelColor(x, y) == wanted ? 1 : 0;
        }
        return pixels;
    };
    QCOMPARE(marked(), 0);
    m_session->selection().setHighlighted(ReportId{}, {mark});
    QVERIFY(marked() >= 2);
    // Kernels are marked on summary rows as well as on their stream.
    m_session->selection().setHighlighted(ReportId{}, {kernel(1000)});
    const int open = marked();
    for (const RowId row : m_rows->subtree(RowTree::root))
        m_session->rowView().setExpanded(row, false);
    QVERIFY(marked() > 0);
    QVERIFY(open > marked());
}

void TimelineTest::labelsExpandAndCollapse()
{
    const RowId top = m_rows->children(RowTree::root)[0];
    const int before = m_pane->view().verticalScrollBar()->maximum() + rows()->height();
    Q_UNUSED(before);
    QTest::mouseClick(&m_pane->labels(), Qt::LeftButton, {}, QPoint(10, 10));
    QVERIFY(!m_session->rowView().isExpanded(top));
    QVERIFY(!m_pane->view().visibleRowOf({ReportId{}, {EventKind::Kernel, 0}})
        || m_pane->view().visibleRowOf({ReportId{}, {EventKind::Kernel, 0}})->row == top);
    QTest::mouseDClick(&m_pane->labels(), Qt::LeftButton, {}, QPoint(100, 10));
    QVERIFY(m_session->rowView().isExpanded(top));
}

void TimelineTest::pinnedRowStaysOnTop()
{
    const RowId api = m_rows->rowOf(m_trace->trackOf({EventKind::ApiCall, 0}));
    m_session->rowView().setPinned(api, true);
    m_pane->resize(1000, 220);
    QTest::qWait(10);
    m_pane->view().verticalScrollBar()->setValue(m_pane->view().verticalScrollBar()->maximum());
    QCOMPARE(m_pane->view().hitAt({10, 5}).row, api);
}

void TimelineTest::overviewMovesTheView()
{
    m_session->time().show({1000, 1500});
    Overview& overview = m_pane->overview();
    const int x = static_cast<int>((4000.0 - 90) / 5610 * overview.width());
    QTest::mouseClick(&overview, Qt::LeftButton, {}, QPoint(x, 10));
    QVERIFY(m_session->time().shown().contains(4000));
    QCOMPARE(m_session->time().shown().duration(), 500);
}

void TimelineTest::menuFiltersAndPins()
{
    QMenu menu;
    const EventRef event = kernel(1000);
    const RowId row = m_rows->rowOf(m_trace->trackOf(event));
    m_pane->fillMenu(menu, {row, {ReportId{}, event}});
    const auto trigger = [](QMenu& in, const QString& text) {
        for (QAction* const action : in.actions()) {
            if (action->menu()) {
                for (QAction* const inner : action->menu()->actions()) {
                    if (inner->text() == text) {
                        inner->trigger();
                        return true;
                    }
                }
            }
            if (action->text() == text) {
                action->trigger();
                return true;
            }
        }
        return false;
    };
    QVERIFY(trigger(menu, "All of this name"));
    QVERIFY(m_session->selection().filter().name == std::string(m_trace->name(event)));
    QVERIFY(trigger(menu, "Select range"));
    QCOMPARE(m_session->time().selectedRange(), m_trace->range(event));
    QVERIFY(trigger(menu, "&Pin row to the top"));
    QVERIFY(m_session->rowView().isPinned(row));
    QVERIFY(trigger(menu, "Highlight all with this name"));
    QTRY_COMPARE(m_session->selection().highlighted(ReportId{}).size(), 3U); // looked up in the background
}

void TimelineTest::filterToAStreamTakesAllOfIt()
{
    // For every table: the filter of a stream accepts its kernels and copies alike.
    const EventRef copy{EventKind::Memcpy, 0};
    const Track& place = m_trace->track(m_trace->trackOf(copy));
    QMenu menu;
    m_pane->fillMenu(menu, {m_rows->rowOf(m_trace->trackOf(copy)), {ReportId{}, copy}});
    for (QAction* const action : menu.actions()) {
        for (QAction* const inner : action->menu() ? action->menu()->actions() : QList<QAction*>()) {
            if (inner->text() == "All on this stream")
                inner->trigger();
        }
    }
    const std::vector<TrackRef>& tracks = m_session->selection().filter().tracks;
    QVERIFY(tracks.size() > 1);
    std::set<EventKind> kinds;
    for (const TrackRef& ref : tracks) {
        QCOMPARE(m_trace->track(ref).stream, place.stream);
        kinds.insert(ref.kind);
    }
    QVERIFY(kinds.contains(EventKind::Memcpy));
    QVERIFY(kinds.contains(EventKind::Kernel));
}

void TimelineTest::fineWheelStepsScroll()
{
    m_pane->resize(1000, 200);
    QTest::qWait(10);
    QCOMPARE(m_pane->view().offset(), 0);
    const QPointF at(300, 60);
    for (int i = 0; i < 8; ++i) { // one notch in eight parts, as fine wheels send it
        QWheelEvent event(at, rows()->mapToGlobal(at), {}, {0, -15}, {}, {}, Qt::NoScrollPhase, false);
        QApplication::sendEvent(rows(), &event);
    }
    const int inParts = m_pane->view().offset();
    QVERIFY(inParts > 0);
    m_pane->view().verticalScrollBar()->setValue(0);
    QWheelEvent whole(at, rows()->mapToGlobal(at), {}, {0, -120}, {}, {}, Qt::NoScrollPhase, false);
    QApplication::sendEvent(rows(), &whole);
    QVERIFY(std::abs(m_pane->view().offset() - inParts) <= 8);
}

void TimelineTest::boxStaysWhereItBeganWhileZooming()
{
    const QPoint from(200, 60);
    const Ns began = m_pane->view().axis().timeAt(from.x());
    QTest::mousePress(rows(), Qt::LeftButton, {}, from);
    QTest::mouseMove(rows(), from + QPoint(150, 20));
    QVERIFY(std::abs(m_session->time().selectedRange().start - began) <= 1);
    m_session->time().zoomAt(m_trace->session.start + 3000, 0.5);
    QTest::mouseMove(rows(), from + QPoint(400, 25));
    const TimeRange selected = m_session->time().selectedRange();
    QVERIFY(std::abs(selected.start - began) <= 1 || std::abs(selected.end - began) <= 1);
    QTest::mouseRelease(rows(), Qt::LeftButton, {}, from + QPoint(400, 25));
    QCOMPARE(m_session->time().selectedRange(), selected);
}

void TimelineTest::labelsAreReadable()
{
    CounterSeries plain;
    QCOMPARE(counterValueText(*m_trace, plain, 24'680'536), std::string("24.7 M"));
    QCOMPARE(counterValueText(*m_trace, plain, 1980), std::string("1,980"));
    QCOMPARE(counterValueText(*m_trace, plain, 0.42), std::string("0.42"));
    QCOMPARE(counterValueText(*m_trace, plain, 0), std::string("0"));
}

void TimelineTest::overviewIsWorkedOutBeside()
{
    Overview& overview = m_pane->overview();
    QTRY_VERIFY(overview.isReady());
    const QImage image = overview.grab().toImage();
    const QColor blue = Theme::light().rowColor(Tint::Kernel);
    const int busy = static_cast<int>((1500.0 - 90) / 5610 * overview.width());
    bool found = false;
    for (int y = 0; y < image.height(); ++y)
        found |= image.pixelColor(busy, y) == blue;
    QVERIFY(found);
}

void TimelineTest::cornerTellsSizeAndHiddenRows()
{
    auto* const size = m_pane->findChild<QLabel*>("report-size");
    const RowChips& chips = m_pane->chips();
    QVERIFY(size);
    const auto events = [&] { return size->text().section(' ', -2, -2).remove(',').toULongLong(); };
    QCOMPARE(events(), m_trace->eventCount());
    // A snapshot of a report that loads, then more of it.
    auto part = std::make_shared<Trace>(*m_trace);
    part->complete = false;
    part->tables[indexOf(EventKind::Kernel)] = std::make_shared<const KernelTable>();
    m_session->setTrace(part, buildRows(*part));
    QCOMPARE(events(), m_trace->eventCount() - m_trace->kernels().size());
    m_session->setTrace(m_trace, m_rows);
    QCOMPARE(events(), m_trace->eventCount());
    QVERIFY(chips.texts().isEmpty());
    const RowId row = m_rows->find("cuda-hw:100:0");
    m_session->rowView().setHidden(row, true);
    QCOMPARE(chips.texts(), QStringList("1 row hidden"));
    QTest::mouseClick(chips.findChild<QToolButton*>("chip"), Qt::LeftButton);
    QVERIFY(!m_session->rowView().isHidden(row));
    QVERIFY(chips.texts().isEmpty());
}

void TimelineTest::anotherReportStartsAtTheTop()
{
    m_pane->resize(600, 130);
    QScrollBar& bar = *m_pane->view().verticalScrollBar();
    bar.setValue(60);
    QVERIFY(bar.value() > 0);
    m_session->setTrace(std::make_shared<Trace>(*m_trace), m_rows);
    QCOMPARE(bar.value(), 0);
}

void TimelineTest::cursorTimeFollowsTheView()
{
    QSignalSpy moved(&m_pane->view(), &TimelineView::cursorMoved);
    QTest::mouseMove(rows(), QPoint(200, 20));
    QTRY_VERIFY(moved.count() > 0);
    m_session->time().show({1000, 3000});
    QCOMPARE(moved.last().at(0).toLongLong(), m_pane->view().axis().timeAt(200));
}

void TimelineTest::greyTextCanBeRead()
{
    const auto luminance = [](QColor color) {
        const auto linear
            = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
        return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF())
            + 0.0722 * linear(color.blueF());
    };
    constexpr double least = 4.5; // WCAG 2.1, text
    for (const Theme* const theme : {&Theme::light(), &Theme::dark()}) {
        const QPalette palette = theme->palette();
        const double back = luminance(palette.color(QPalette::Base));
        for (const QColor& color : {palette.color(QPalette::Disabled, QPalette::Text), theme->dimText}) {
            const double text = luminance(color);
            const double contrast = (std::max(text, back) + 0.05) / (std::min(text, back) + 0.05);
            QVERIFY2(contrast >= least, qPrintable(color.name() + ' ' + QString::number(contrast)));
        }
    }
}

void TimelineTest::draggedRowIsNotSelected()
{
    QWidget& labels = m_pane->labels();
    const QPoint press(labels.width() - 40, 10);
    QTest::mousePress(&labels, Qt::LeftButton, {}, press);
    QVERIFY(m_session->selection().selectedRows().empty()); // it may become a drag
    QTest::mouseMove(&labels, press + QPoint(0, 30));
    QTest::mouseMove(&labels, press + QPoint(0, 60));
    QTest::mouseRelease(&labels, Qt::LeftButton, {}, press + QPoint(0, 60));
    QVERIFY(m_session->selection().selectedRows().empty());
    QTest::mouseClick(&labels, Qt::LeftButton, {}, press);
    QCOMPARE(m_session->selection().selectedRows().size(), 1U);
}

void TimelineTest::outlinedEventLiesOnTop()
{
    // Two kernels at once in the row of all kernels: the one that is chosen is the one that is seen.
    const RowId all = m_rows->find("cuda-hw:100:0");
    QVERIFY(all != RowTree::root);
    m_session->time().show({1000, 4000});
    m_session->selection().highlightName(
        EventKind::Memcpy, std::string(m_trace->name({EventKind::Memcpy, 0}))); // dims all others
    QTRY_VERIFY(!m_session->selection().highlighted(ReportId{}).empty());
    const EventRef first = kernel(1000); // lies below the one from 2000 on
    m_session->selection().setCurrentEvent({ReportId{}, first});
    const PlacedRow* row = nullptr;
    for (int y = 0; y < rows()->height() && !row; ++y) {
        const auto hit = m_pane->view().hitAt({5, y});
        if (hit.row == all) {
            QTest::qWait(20);
            const QImage image = rows()->grab().toImage();
            EventColors colors(m_trace, Theme::light());
            const int x = static_cast<int>(m_pane->view().axis().xAt(2900)); // both run
            const QColor seen = image.pixelColor(x, y + 10);
            QCOMPARE(seen.rgb(), colors(first));
            return;
        }
    }
    QFAIL("the row of all kernels is not shown");
}

WARPLINE_TEST(TimelineTest)

} // namespace tst_timeline

#include "tst_timeline.moc"
