// Measuring with mouse and keys: selections snap to events, two events are measured, a drag zooms, and the
// measurement is copied to the nanosecond.

#include "core/load/load_report.h"
#include "core/rows/row_kind.h"
#include "core/store/trace.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"
#include "tests/views/view_test.h"
#include "views/timeline/overview.h"
#include "views/timeline/row_labels.h"
#include "views/timeline/ruler.h"
#include "views/timeline/timeline_pane.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QDialog>
#include <QGuiApplication>
#include <QMouseEvent>
#include <QSettings>
#include <QSignalSpy>
#include <QTest>

#include <cmath>

namespace tst_measure {

using namespace warpline;
using namespace warpline::test;

class MeasureTest : public ViewTest {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void nearestEdgeIsTheNearest();
    void movingEndHoldsOnToEvents();
    void altLetsGo();
    void edgeOfASelectionHoldsOnToo();
    void labelTellsTheDuration();
    void shiftClickMeasuresBetweenTwo();
    void overlapIsToldAsOne();
    void labelOfAMeasureStaysInView();
    void rangesAreCopiedToTheNanosecond();
    void rightDragZooms();
    void rightClickStillOpensTheMenu();
    void controlShiftDragZooms();
    void middleClickZoomsAndControlASelects();
    void rulerZoomsByTheRightButton();
    void rulerLabelsKeepApart();
    void dialogEndsADrag();

private:
    QWidget* rows() const { return m_pane->view().viewport(); }
    QPoint pointAt(Ns time, EventRef inRowOf) const;
    void send(QEvent::Type type, QPoint at, Qt::MouseButton button, Qt::MouseButtons buttons,
        Qt::KeyboardModifiers modifiers) const;
    void drag(QPoint from, QPoint to, Qt::MouseButton button, Qt::KeyboardModifiers modifiers) const;
    static EventRef kernel(EventIndex index) { return {EventKind::Kernel, index}; }
    EventRef kernelStarting(Ns start) const;
    QString copied();
};

void MeasureTest::initTestCase()
{
    openSmallReport("tst_measure");
}

void MeasureTest::init()
{
    QSettings().clear();
    showPane({1000, 600});
    QGuiApplication::clipboard()->clear();
}

QPoint MeasureTest::pointAt(Ns time, EventRef inRowOf) const
{
    const PlacedRow* const row = m_pane->view().visibleRowOf({ReportId{}, inRowOf});
    if (!row)
        return {};
    return {static_cast<int>(std::lround(m_pane->view().axis().xAt(time))),
        row->y - m_pane->view().offset() + row->height / 2};
}

EventRef MeasureTest::kernelStarting(Ns start) const
{
    for (EventIndex i = 0; i < m_trace->kernels().size(); ++i) {
        if (m_trace->kernels().start[i] == start)
            return kernel(i);
    }
    return {};
}

void MeasureTest::send(QEvent::Type type, QPoint at, Qt::MouseButton button, Qt::MouseButtons buttons,
    Qt::KeyboardModifiers modifiers) const
{
    QMouseEvent event(type, at, rows()->mapToGlobal(at), button, buttons, modifiers);
    QApplication::sendEvent(rows(), &event);
}

void MeasureTest::drag(QPoint from, QPoint to, Qt::MouseButton button, Qt::KeyboardModifiers modifiers) const
{
    send(QEvent::MouseButtonPress, from, button, button, modifiers);
    send(QEvent::MouseMove, (from + to) / 2, Qt::NoButton, button, modifiers);
    send(QEvent::MouseMove, to, Qt::NoButton, button, modifiers);
}

QString MeasureTest::copied()
{
    m_pane->view().setFocus();
    QTest::keyClick(&m_pane->view(), Qt::Key_C, Qt::ControlModifier);
    return QGuiApplication::clipboard()->text();
}

void MeasureTest::nearestEdgeIsTheNearest()
{
    // Every time, against a loop over all events of the row.
    const Workspace& workspace = m_session->workspace();
    for (std::uint32_t r = 1; r < m_rows->size(); ++r) {
        const Row& row = m_rows->row(RowId{r});
        for (Ns time = -50; time < 5800; time += 13) {
            constexpr Ns reach = 150;
            Ns best = reach + 1;
            for (const TrackRef& ref : row.tracks) {
                const EventTable& table = m_trace->table(ref.kind);
                const Track& track = table.tracks[ref.track];
                for (EventIndex i = track.firstEvent; i < track.firstEvent + track.eventCount; ++i)
                    best = std::min({best, std::abs(table.start[i] - time), std::abs(table.end(i) - time)});
            }
            const auto found = nearestEdge(workspace, row, time, reach);
            QCOMPARE(found.has_value(), best <= reach);
            if (found)
                QCOMPARE(std::abs(found->time - time), best);
        }
    }
}

void MeasureTest::movingEndHoldsOnToEvents()
{
    const EventRef event = kernelStarting(5000);
    const QPoint from = pointAt(4500, event);
    const QPoint beside = pointAt(5000, event) + QPoint(-9, 0); // short of its start
    drag(from, beside, Qt::LeftButton, {});
    QVERIFY(m_pane->view().snap().has_value());
    QCOMPARE(m_pane->view().snap()->event.event, event);
    QVERIFY(m_pane->view().snap()->isStart);
    QCOMPARE(m_session->time().selectedRange(), (TimeRange{m_pane->view().axis().timeAt(from.x()), 5000}));
    // A dashed line over the whole height shows it: as dark at the top as at the bottom.
    const QImage picture = rows()->grab().toImage();
    const double ratio = rows()->devicePixelRatioF();
    const int x = static_cast<int>(std::round(m_pane->view().axis().xAt(5000)) * ratio);
    int accent = 0;
    for (int y = picture.height() - 40; y < picture.height(); ++y)
        accent += picture.pixelColor(x, y) == Theme::light().accent ? 1 : 0;
    QVERIFY2(accent > 10, qPrintable(QString::number(accent)));
    // Further away than twelve pixels it does not.
    send(QEvent::MouseMove, pointAt(5000, event) + QPoint(-14, 0), Qt::NoButton, Qt::LeftButton, {});
    QVERIFY(!m_pane->view().snap().has_value());
    // In the row under the mouse alone: the stream above has nothing there.
    send(QEvent::MouseMove, {beside.x(), rows()->height() - 3}, Qt::NoButton, Qt::LeftButton, {});
    QVERIFY(!m_pane->view().snap() || m_pane->view().snap()->event.event != event);
    send(QEvent::MouseMove, beside, Qt::NoButton, Qt::LeftButton, {});
    send(QEvent::MouseButtonRelease, beside, Qt::LeftButton, {}, {});
    QCOMPARE(m_session->time().selectedRange().end, 5000);
    // Both ends: aimed at the end of one and dragged to the start of the next.
    const QPoint end = pointAt(3000, kernelStarting(1000)) + QPoint(1, 0);
    drag(end, beside, Qt::LeftButton, {});
    QCOMPARE(m_session->time().selectedRange(), (TimeRange{3000, 5000}));
    QCOMPARE(m_pane->view().dragLabel(),
        QString::fromUtf8("2.000 \u00b5s (2,000 ns)\nend of scale to start of scale"));
    send(QEvent::MouseButtonRelease, beside, Qt::LeftButton, {}, {});
}

void MeasureTest::altLetsGo()
{
    const EventRef event = kernelStarting(5000);
    const QPoint beside = pointAt(5000, event) + QPoint(-6, 0);
    drag(pointAt(4500, event), beside, Qt::LeftButton, Qt::AltModifier);
    QVERIFY(!m_pane->view().snap().has_value());
    QCOMPARE(m_session->time().selectedRange().end, m_pane->view().axis().timeAt(beside.x()));
    send(QEvent::MouseButtonRelease, beside, Qt::LeftButton, {}, Qt::AltModifier);
}

void MeasureTest::edgeOfASelectionHoldsOnToo()
{
    const EventRef event = kernelStarting(5000);
    m_session->time().selectRange({4200, 4600});
    const QPoint to = pointAt(5500, event) + QPoint(7, 0);
    drag(pointAt(4600, event), to, Qt::LeftButton, {});
    send(QEvent::MouseButtonRelease, to, Qt::LeftButton, {}, {});
    QCOMPARE(m_session->time().selectedRange(), (TimeRange{4200, 5500}));
    drag(pointAt(4200, event), pointAt(3000, event) + QPoint(5, 0), Qt::LeftButton, {});
    send(QEvent::MouseButtonRelease, pointAt(3000, event) + QPoint(5, 0), Qt::LeftButton, {}, {});
    QCOMPARE(m_session->time().selectedRange(), (TimeRange{3000, 5500}));
}

void MeasureTest::labelTellsTheDuration()
{
    const QPoint from(60, rows()->height() - 3);
    const QPoint to(160, rows()->height() - 3);
    QVERIFY(m_pane->view().dragLabel().isEmpty());
    drag(from, to, Qt::LeftButton, Qt::AltModifier);
    QCOMPARE(m_pane->view().dragLabel(), exactDuration(m_session->time().selectedRange().duration()));
    send(QEvent::MouseButtonRelease, to, Qt::LeftButton, {}, {});
    QVERIFY(m_pane->view().dragLabel().isEmpty());
    QCOMPARE(exactDuration(812), QString("812 ns"));
    QCOMPARE(exactDuration(1'234'567), QString("1.235 ms (1,234,567 ns)"));
}

void MeasureTest::shiftClickMeasuresBetweenTwo()
{
    // 1000 to 3000 and 5000 to 5500 on one stream.
    const EventRef first = kernelStarting(1000);
    const EventRef second = kernelStarting(5000);
    const QPoint there = pointAt(5250, second);
    QTest::mouseClick(rows(), Qt::LeftButton, {}, pointAt(2500, first));
    QTest::mouseClick(rows(), Qt::LeftButton, Qt::ShiftModifier, there);
    QVERIFY(m_pane->view().measure().has_value());
    QCOMPARE(m_pane->view().measure()->gap, 2000);
    QCOMPARE(m_pane->view().measure()->startToStart, 4000);
    QCOMPARE(m_session->time().selectedRange(), (TimeRange{3000, 5000}));
    QCOMPARE(m_session->selection().ownCurrentEvent(), first); // the next one is measured from there too
    QCOMPARE(measureText(*m_pane->view().measure()),
        QString::fromUtf8("Gap 2.000 \u00b5s (2,000 ns)\nStart to start 4.000 \u00b5s (4,000 ns)"));
    QCOMPARE(copied(), QString("scale, then scale: gap 2000 ns, start to start 4000 ns"));
    // Rows with less room than the label are painted, too.
    const QSize before = m_pane->size();
    m_pane->resize(before.width(), before.height() - rows()->height() + 40);
    QCOMPARE(rows()->height(), 40);
    QVERIFY(!rows()->grab().isNull());
    m_pane->resize(before);
    // In either order.
    m_session->selection().setCurrentEvent({ReportId{}, second});
    QTest::mouseClick(rows(), Qt::LeftButton, Qt::ShiftModifier, pointAt(2500, first));
    QCOMPARE(m_pane->view().measure()->gap, 2000);
    QTest::keyClick(&m_pane->view(), Qt::Key_Escape);
    QVERIFY(!m_pane->view().measure().has_value());
    // Shift and a drag still pan.
    m_session->time().show({1000, 3000});
    m_session->selection().setCurrentEvent({ReportId{}, first});
    drag({300, 100}, {200, 100}, Qt::LeftButton, Qt::ShiftModifier);
    send(QEvent::MouseButtonRelease, {200, 100}, Qt::LeftButton, {}, Qt::ShiftModifier);
    QVERIFY(m_session->time().shown().start > 1000 && !m_pane->view().measure());
}

void MeasureTest::overlapIsToldAsOne()
{
    const Measure measure = measureBetween(
        m_session->workspace(), {ReportId{}, kernelStarting(2000)}, {ReportId{}, kernelStarting(1000)});
    QCOMPARE(measure.gap, -1000);
    QCOMPARE(measure.startToStart, 1000);
    QCOMPARE(measure.between, (TimeRange{1000, 2000}));
    QVERIFY(measureText(measure).startsWith(QString::fromUtf8("Overlap 1.000 \u00b5s (1,000 ns)")));
    m_session->selection().setCurrentEvent({ReportId{}, kernelStarting(1000)});
    m_pane->view().measureTo({ReportId{}, kernelStarting(2000)});
    m_session->time().selectRange({10, 20}); // another selection ends it
    QVERIFY(!m_pane->view().measure());
}

/// Both events may start before the view, and end in it.
void MeasureTest::labelOfAMeasureStaysInView()
{
    TimelineView& view = m_pane->view();
    const auto show = [&](TimeRange range) {
        m_session->time().show(range, false);
        return m_session->time().drawn() == range;
    };
    m_session->selection().setCurrentEvent({ReportId{}, kernelStarting(1000)}); // to 3000
    view.measureTo({ReportId{}, kernelStarting(2000)});
    QVERIFY(view.measure() && view.measure()->gap < 0);
    QVERIFY(show({1500, 3000}));
    QVERIFY(view.measureX() == view.axis().xAt(2000));
    QVERIFY(show({2500, 2900}));
    QVERIFY(view.measureX() == 0.0);
    QVERIFY(show({1200, 1800}));
    QVERIFY(view.measureX() == rows()->width());
    QVERIFY(show({4500, 4900})); // neither is there
    QVERIFY(!view.measureX());
}

void MeasureTest::rangesAreCopiedToTheNanosecond()
{
    m_session->time().selectRange({1000, 3001});
    QCOMPARE(copied(), QString("2001 ns, from 1000 ns to 3001 ns"));
    m_session->time().selectRange({});
    m_session->selection().setCurrentEvent({ReportId{}, kernelStarting(5000)});
    QVERIFY(copied().contains("scale"));
}

void MeasureTest::rightDragZooms()
{
    QSignalSpy menu(&m_pane->view(), &TimelineView::contextMenuWanted);
    const QPoint from = pointAt(1200, kernelStarting(1000));
    const QPoint to = pointAt(2400, kernelStarting(1000));
    const TimeAxis axis = m_pane->view().axis();
    const TimeRange wanted{axis.timeAt(from.x()), axis.timeAt(to.x())};
    send(QEvent::MouseButtonPress, from, Qt::RightButton, Qt::RightButton, {});
    QContextMenuEvent asked(QContextMenuEvent::Mouse, from, rows()->mapToGlobal(from)); // as X11 does
    QApplication::sendEvent(rows(), &asked);
    send(QEvent::MouseMove, to - QPoint(30, 0), Qt::NoButton, Qt::RightButton, {});
    QCOMPARE(m_session->time().shown(), m_trace->session); // not before the button is let go
    send(QEvent::MouseMove, to, Qt::NoButton, Qt::RightButton, {});
    QCOMPARE(m_pane->view().dragLabel(), exactDuration(wanted.duration()));
    send(QEvent::MouseButtonRelease, to, Qt::RightButton, {}, {});
    QCOMPARE(m_session->time().shown(), wanted);
    QVERIFY(m_session->time().selectedRange().empty());
    QCOMPARE(menu.count(), 0);
    m_session->time().goBack(); // it is a view like others
    QCOMPARE(m_session->time().shown(), m_trace->session);
    // Esc only cancels the measurement.
    m_session->selection().setCurrentEvent({ReportId{}, kernelStarting(1000)});
    drag(from, to, Qt::RightButton, {});
    QTest::keyClick(&m_pane->view(), Qt::Key_Escape);
    send(QEvent::MouseButtonRelease, to, Qt::RightButton, {}, {});
    QCOMPARE(m_session->time().shown(), m_trace->session);
    QVERIFY(m_session->selection().currentEvent().valid());
    QCOMPARE(menu.count(), 0);
}

void MeasureTest::rightClickStillOpensTheMenu()
{
    // The menu itself would block: only its request is checked.
    disconnect(&m_pane->view(), &TimelineView::contextMenuWanted, m_pane.get(), nullptr);
    QSignalSpy menu(&m_pane->view(), &TimelineView::contextMenuWanted);
    const QPoint at = pointAt(1200, kernelStarting(1000));
    send(QEvent::MouseButtonPress, at, Qt::RightButton, Qt::RightButton, {});
    QContextMenuEvent asked(QContextMenuEvent::Mouse, at, rows()->mapToGlobal(at));
    QApplication::sendEvent(rows(), &asked);
    QCOMPARE(menu.count(), 0);
    send(QEvent::MouseButtonRelease, at, Qt::RightButton, {}, {});
    QCOMPARE(menu.count(), 1);
    QCOMPARE(m_session->selection().ownCurrentEvent(), kernelStarting(1000));
    QContextMenuEvent byKey(QContextMenuEvent::Keyboard, {}, rows()->mapToGlobal(QPoint()));
    QApplication::sendEvent(rows(), &byKey);
    QCOMPARE(menu.count(), 2); // of the current event, wherever the mouse is
    QCOMPARE(menu[1][0].value<TimelineView::Hit>().event.event, kernelStarting(1000));
}

void MeasureTest::controlShiftDragZooms()
{
    const QPoint from = pointAt(1200, kernelStarting(1000));
    const QPoint to = pointAt(2400, kernelStarting(1000));
    const TimeAxis axis = m_pane->view().axis();
    drag(to, from, Qt::LeftButton, Qt::ControlModifier | Qt::ShiftModifier); // backwards too
    send(QEvent::MouseButtonRelease, from, Qt::LeftButton, {}, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(m_session->time().shown(), (TimeRange{axis.timeAt(from.x()), axis.timeAt(to.x())}));
    QVERIFY(m_session->time().selectedRange().empty());
}

void MeasureTest::middleClickZoomsAndControlASelects()
{
    const EventRef event = kernelStarting(5000);
    QTest::mouseClick(rows(), Qt::MiddleButton, {}, pointAt(5250, event));
    QCOMPARE(m_session->selection().ownCurrentEvent(), event);
    QVERIFY(m_session->time().shown().duration() < 2000);
    m_pane->view().setFocus();
    QTest::keyClick(&m_pane->view(), Qt::Key_A, Qt::ControlModifier);
    QCOMPARE(m_session->time().selectedRange(), m_session->time().shown());
    QTest::keyClick(&m_pane->view(), Qt::Key_A, Qt::ControlModifier);
    QCOMPARE(m_session->time().selectedRange(), m_session->session());
    m_session->time().showAll();
    m_session->time().selectRange({});
    QTest::keyClick(&m_pane->view(), Qt::Key_R);
    QCOMPARE(m_session->time().selectedRange(), m_session->workspace().range(m_session->idOf(event)));
    QTest::keyClick(&m_pane->view(), Qt::Key_Return);
    QVERIFY(m_session->time().shown().duration() < 2000);
}

void MeasureTest::rulerZoomsByTheRightButton()
{
    Ruler& ruler = m_pane->ruler();
    const TimeAxis axis = m_pane->view().axis();
    m_session->time().selectRange({4000, 5000});
    QTest::mousePress(&ruler, Qt::RightButton, {}, {100, 10});
    QTest::mouseMove(&ruler, {200, 10});
    QTest::mouseRelease(&ruler, Qt::RightButton, {}, {300, 10});
    QCOMPARE(m_session->time().shown(), (TimeRange{axis.timeAt(100), axis.timeAt(300)}));
    QCOMPARE(m_session->time().selectedRange(), (TimeRange{4000, 5000}));
}

/// The labels of the marked and selected lengths cover neither each other nor the base time of the ticks.
void MeasureTest::rulerLabelsKeepApart()
{
    Ruler& ruler = m_pane->ruler();
    m_session->time().show({4000, 4400}, false);
    QTRY_COMPARE(m_session->time().drawn(), (TimeRange{4000, 4400}));
    m_session->time().selectRange({4000, 4010});
    m_session->selection().markRange({4000, 4020});
    std::vector<QRectF> places = ruler.tagPlaces();
    QCOMPARE(places.size(), std::size_t{2});
    const QRectF start = ruler.startLabel();
    for (const QRectF& place : places) {
        QVERIFY(start.isEmpty() || !place.intersects(start));
        QVERIFY(place.left() >= 0 && place.right() <= ruler.width());
    }
    QVERIFY(!places[0].intersects(places[1]));
    // Nor does the mouse, at the end of a drag too.
    m_session->selection().markRange({});
    for (const Ns at : {4180, 4200, 4395}) {
        m_session->time().selectRange({at - 5, at});
        ruler.setCursor(at);
        QVERIFY(!ruler.cursorPlace().isEmpty());
        QCOMPARE(ruler.tagPlaces().size(), std::size_t{1});
        QVERIFY(!ruler.tagPlaces().front().intersects(ruler.cursorPlace()));
    }
    ruler.setCursor(std::nullopt);
    m_session->time().selectRange({});
    QVERIFY(ruler.tagPlaces().empty());
}

/// It opens by itself, as when an export fails, and gets the release of the button.
void MeasureTest::dialogEndsADrag()
{
    drag({100, 100}, {300, 100}, Qt::LeftButton, {});
    QVERIFY(!m_pane->view().dragLabel().isEmpty());
    Overview& overview = m_pane->overview();
    QTest::mousePress(&overview, Qt::LeftButton, {}, {200, 12});
    const TimeRange selected = m_session->time().selectedRange();
    const TimeRange shown = m_session->time().shown();
    QDialog dialog(m_pane.get());
    dialog.open();
    dialog.close();
    QVERIFY(m_pane->view().dragLabel().isEmpty());
    send(QEvent::MouseMove, {500, 100}, Qt::NoButton, Qt::NoButton, {});
    QCOMPARE(m_session->time().selectedRange(), selected);
    QTest::mouseMove(&overview, {400, 12});
    QTest::mouseRelease(&overview, Qt::LeftButton, {}, {400, 12});
    QCOMPARE(m_session->time().shown(), shown);
    // Rows keep their height.
    RowLabels& labels = m_pane->labels();
    RowLayout layout;
    layout.rebuild(*m_session);
    const PlacedRow& row = layout.rows().front();
    QTest::mousePress(&labels, Qt::LeftButton, {}, {20, row.y + row.height});
    dialog.open();
    dialog.close();
    QTest::mouseMove(&labels, {20, row.y + row.height + 40});
    QTest::mouseRelease(&labels, Qt::LeftButton, {}, {20, row.y + row.height + 40});
    QCOMPARE(m_session->rowView().rowScale(row.row), 1.0);
}

WARPLINE_TEST(MeasureTest)

} // namespace tst_measure

#include "tst_measure.moc"
