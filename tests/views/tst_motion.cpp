// Movement of views: animations with a clock that the tests drive; wheel, keys and touchpads as users use
// them; and steps that keep the scale.

#include "core/load/load_report.h"
#include "core/rows/row_kind.h"
#include "core/store/trace.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"
#include "tests/views/view_test.h"
#include "views/session/run_pair.h"
#include "views/timeline/timeline_pane.h"

#include <QMenu>
#include <QNativeGestureEvent>
#include <QPointingDevice>
#include <QScrollBar>
#include <QSettings>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

#include <cmath>

namespace tst_motion {

using namespace warpline;
using namespace warpline::test;

class MotionTest : public ViewTest {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void endsMoveAboutOnePoint();
    void leastMoveKeepsARoomAndNoMore();
    void offMeansAtOnce();
    void jumpsGlideAndSlowDown();
    void secondJumpInHasteIsAtOnce();
    void statisticsSeeTheTargetOnly();
    void notchesOfTheWheelAddUp();
    void dragTakesTheViewAsItIs();
    void heldKeySpeedsUpAndGlidesOut();
    void menuEndsTheMotionOfAKey();
    void keysAreFoundByPlace();
    void touchpadLosesNothing();
    void pinchZoomsWhereTheFingersAre();
    void comparedTimelinesGlideTogether();
    void stepsKeepTheScale();
    void deepZoomKeepsPartsOfNanoseconds();
    void noLengthIsTooLong();
    void arrowWithoutEventPansWhileHeld();

private:
    QWidget* rows() const { return m_pane->view().viewport(); }
    void pass(int ms);
    void wheel(QPoint at, QPoint angle, Qt::KeyboardModifiers modifiers, QPoint pixels = {});
    void key(QEvent::Type type, int key, quint32 scanCode, const QString& text, bool repeats = false);
    EventRef kernel(std::size_t index) const { return {EventKind::Kernel, static_cast<EventIndex>(index)}; }

    qint64 m_now = 0; ///< nanoseconds
};

void MotionTest::initTestCase()
{
    openSmallReport("tst_motion");
}

void MotionTest::init()
{
    QSettings().clear();
    showPane({1000, 600});
    m_pane->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_pane.get()));
    m_now = 5'000'000'000;
    m_session->time().glide().driveBy([this] { return m_now; });
    m_session->time().glide().setOn(true);
}

/// Advances the time in frames, as a screen with 100 frames per second does.
void MotionTest::pass(int ms)
{
    for (int gone = 0; gone < ms; gone += 10) {
        m_now += 10'000'000;
        m_pane->view().moveByHeldKeys();
        m_session->time().glide().step();
    }
}

void MotionTest::wheel(QPoint at, QPoint angle, Qt::KeyboardModifiers modifiers, QPoint pixels)
{
    QWheelEvent event(
        at, rows()->mapToGlobal(at), pixels, angle, Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
    QApplication::sendEvent(rows(), &event);
}

void MotionTest::key(QEvent::Type type, int key, quint32 scanCode, const QString& text, bool repeats)
{
    QKeyEvent event(type, key, Qt::NoModifier, scanCode, 0, 0, text, repeats);
    QApplication::sendEvent(&m_pane->view(), &event);
}

void MotionTest::endsMoveAboutOnePoint()
{
    const TimeRange wide{0, 1'000'000};
    const TimeRange close{200'000, 210'000};
    QCOMPARE(rangeBetween(wide, close, 0), wide);
    QCOMPARE(rangeBetween(wide, close, 1), close);
    // The length shrinks by the same factor in the same part, whatever it is.
    const TimeRange half = rangeBetween(wide, close, 0.5);
    QVERIFY(std::abs(half.duration() - 100'000) <= 1);
    // The point that both show at the same place stays there: 202,020 of 0..1,000,000.
    const double fixed = 200'000.0 / 0.99;
    const double place = (fixed - static_cast<double>(half.start)) / static_cast<double>(half.duration());
    QVERIFY(std::abs(place - fixed / 1'000'000) < 1e-4);
    QCOMPARE(rangeBetween({0, 100}, {50, 150}, 0.5), (TimeRange{25, 125}));
}

void MotionTest::leastMoveKeepsARoomAndNoMore()
{
    const TimeRange shown{1000, 2000};
    QCOMPARE(leastMove(shown, {1000, 1001}), shown); // seen already, at the very edge
    QCOMPARE(leastMove(shown, {2050, 2060}), (TimeRange{1160, 2160}));
    QCOMPARE(leastMove(shown, {900, 910}), (TimeRange{800, 1800}));
    QCOMPARE(leastMove(shown, {1500, 2450}), (TimeRange{1475, 2475})); // room at both ends, as there is
    QCOMPARE(leastMove(shown, {2000, 3000}), (TimeRange{2000, 3000}));
    QCOMPARE(leastMove(shown, {2500, 2500}), (TimeRange{1600, 2600})); // an instant
}

void MotionTest::offMeansAtOnce()
{
    Session session;
    session.setTrace(m_trace, m_rows);
    session.time().show({1000, 2000});
    QCOMPARE(session.time().drawn(), session.time().shown());
    session.time().zoomAt(1500, 0.5, Manner::Notch);
    QCOMPARE(session.time().drawn(), session.time().shown());
    session.time().panBy(10, Manner::Follow);
    QCOMPARE(session.time().drawn(), session.time().shown());
    QVERIFY(!session.time().glide().isMoving());
}

void MotionTest::jumpsGlideAndSlowDown()
{
    const TimeRange all = m_session->time().shown();
    m_session->time().show({1000, 3000});
    QCOMPARE(m_session->time().shown(), (TimeRange{1000, 3000}));
    QCOMPARE(m_session->time().drawn(), all); // the eye has not left yet
    std::vector<double> lengths{std::log(static_cast<double>(all.duration()))};
    for (int i = 0; i < 4; ++i) {
        pass(70);
        lengths.push_back(std::log(static_cast<double>(m_session->time().drawn().duration())));
    }
    QCOMPARE(m_session->time().drawn(), m_session->time().shown()); // after 280 ms
    QVERIFY(!m_session->time().glide().isMoving());
    for (std::size_t i = 1; i + 1 < lengths.size(); ++i)
        QVERIFY2(lengths[i - 1] - lengths[i] > lengths[i] - lengths[i + 1], "it does not slow down");
    // The rows, the ruler and the mouse use the drawn range.
    pass(50);
    m_session->time().goBack();
    pass(100);
    QVERIFY(m_session->time().drawn() != m_session->time().shown());
    QCOMPARE(m_pane->view().axis().shown, m_session->time().drawn());
    pass(200);
    QCOMPARE(m_session->time().drawn(), all);
}

void MotionTest::secondJumpInHasteIsAtOnce()
{
    m_session->time().show({1000, 3000});
    pass(100);
    m_session->time().show({2000, 4000});
    QCOMPARE(m_session->time().drawn(), (TimeRange{2000, 4000}));
    pass(200);
    m_session->time().show({1000, 3000}); // 200 ms after the one before: still in haste
    QCOMPARE(m_session->time().drawn(), (TimeRange{1000, 3000}));
    pass(310);
    m_session->time().show({2000, 4000});
    QCOMPARE(m_session->time().drawn(), (TimeRange{1000, 3000}));
}

void MotionTest::statisticsSeeTheTargetOnly()
{
    const QSignalSpy shown(&m_session->time(), &TimeView::shownChanged);
    const QSignalSpy drawn(&m_session->time(), &TimeView::drawnChanged);
    m_session->time().show({1000, 3000});
    pass(400);
    QCOMPARE(shown.count(), 1);
    QVERIFY(drawn.count() > 10);
}

void MotionTest::notchesOfTheWheelAddUp()
{
    const QPoint at(400, 100);
    const TimeRange all = m_session->time().shown();
    const TimeAxis before = m_pane->view().axis();
    for (int i = 0; i < 3; ++i) {
        wheel(at, {0, 120}, Qt::ControlModifier);
        pass(30); // faster than it glides
    }
    const double factor
        = static_cast<double>(m_session->time().shown().duration()) / static_cast<double>(all.duration());
    QVERIFY(std::abs(factor - std::pow(0.8, 3)) < 0.001); // for all notches, not relative to intermediate
                                                          // frames
    QVERIFY(m_session->time().drawn().duration() > m_session->time().shown().duration());
    pass(300);
    QCOMPARE(m_session->time().drawn(), m_session->time().shown());
    const double stays = m_pane->view().axis().xAt(before.timeAt(at.x()));
    QVERIFY2(std::abs(stays - at.x()) < 1, "what is under the mouse stays there");
}

void MotionTest::dragTakesTheViewAsItIs()
{
    m_session->time().show({1000, 3000});
    pass(60);
    const TimeRange now = m_session->time().drawn();
    QVERIFY(m_session->time().glide().isMoving());
    QTest::mousePress(rows(), Qt::MiddleButton, {}, {300, 200});
    QVERIFY(!m_session->time().glide().isMoving());
    QCOMPARE(m_session->time().shown(), now);
    QTest::mouseMove(rows(), {200, 200});
    QCOMPARE(m_session->time().drawn(), m_session->time().shown()); // the hand is the motion
    QVERIFY(m_session->time().drawn().start > now.start);
    QTest::mouseRelease(rows(), Qt::MiddleButton, {}, {200, 200});
}

void MotionTest::heldKeySpeedsUpAndGlidesOut()
{
    m_session->time().show({1000, 1100}, false, Manner::AtOnce);
    const Ns length = m_session->time().shown().duration();
    const auto rightmost
        = [&] { return static_cast<double>(m_session->time().drawn().start) / static_cast<double>(length); };
    key(QEvent::KeyPress, Qt::Key_D, 0, "d");
    QVERIFY(m_session->time().shown().start == 1005); // a nudge
    std::vector<double> places;
    for (int i = 0; i < 4; ++i) {
        const double from = rightmost();
        pass(300);
        key(QEvent::KeyPress, Qt::Key_D, 0, "d", true); // the keyboard repeats; time alone counts
        places.push_back(rightmost() - from);
    }
    for (std::size_t i = 1; i < places.size(); ++i)
        QVERIFY2(places[i] > places[i - 1], "it does not speed up");
    key(QEvent::KeyRelease, Qt::Key_D, 0, "d");
    const TimeRange target = m_session->time().shown();
    QVERIFY(m_session->time().drawn().start < target.start);
    pass(50);
    QVERIFY(m_session->time().glide().isMoving()); // glides out
    pass(500);
    QCOMPARE(m_session->time().shown(), target);
    QCOMPARE(m_session->time().drawn(), target);
}

void MotionTest::menuEndsTheMotionOfAKey()
{
    m_session->time().show({1000, 3000}, false, Manner::AtOnce);
    key(QEvent::KeyPress, Qt::Key_W, 25, "w");
    QMenu menu(m_pane.get());
    menu.addAction("Entry");
    menu.popup(m_pane->mapToGlobal(QPoint(50, 50)));
    QVERIFY(QTest::qWaitForWindowExposed(&menu));
    const Ns length = m_session->time().shown().duration();
    pass(500); // the menu has the release of the key
    QCOMPARE(m_session->time().shown().duration(), length);
    menu.close();
    pass(500);
    QCOMPARE(m_session->time().shown().duration(), length);
    key(QEvent::KeyPress, Qt::Key_W, 25, "w"); // is heard again
    QVERIFY(m_session->time().shown().duration() < length);
    key(QEvent::KeyRelease, Qt::Key_W, 25, "w");
}

void MotionTest::keysAreFoundByPlace()
{
    // A French keyboard: the key at W's position is Z, the one at A's position is Q.
    const TimeRange all = m_session->time().shown();
    key(QEvent::KeyPress, Qt::Key_Z, 25, "z");
    key(QEvent::KeyRelease, Qt::Key_Z, 25, "z");
    QVERIFY(m_session->time().shown().duration() < all.duration());
    const TimeRange closer = m_session->time().shown();
    key(QEvent::KeyPress, Qt::Key_Q, 38, "q");
    key(QEvent::KeyRelease, Qt::Key_Q, 38, "q");
    QVERIFY(m_session->time().shown().start < closer.start);
    // A Russian one has no W at all.
    key(QEvent::KeyPress, 0x0426, 25, QString(QChar(0x0446)));
    key(QEvent::KeyRelease, 0x0426, 25, QString(QChar(0x0446)));
    QVERIFY(m_session->time().shown().duration() < closer.duration());
    // Whoever chose another key meant that one.
    QSettings().setValue("keys/timeline.zoomIn", "K");
    const TimeRange now = m_session->time().shown();
    key(QEvent::KeyPress, Qt::Key_W, 25, "w");
    key(QEvent::KeyRelease, Qt::Key_W, 25, "w");
    QCOMPARE(m_session->time().shown(), now);
    key(QEvent::KeyPress, Qt::Key_K, 45, "k");
    key(QEvent::KeyRelease, Qt::Key_K, 45, "k");
    QVERIFY(m_session->time().shown().duration() < now.duration());
}

void MotionTest::touchpadLosesNothing()
{
    QScrollBar& bar = *m_pane->view().verticalScrollBar();
    m_pane->resize(1000, 200);
    QTest::qWait(10);
    QVERIFY(bar.maximum() > 40);
    for (int i = 0; i < 60; ++i)
        wheel({300, 100}, {0, -1}, {}); // half a notch, in parts of a hundred-and-twentieth
    const int parts = bar.value();
    bar.setValue(0);
    wheel({300, 100}, {0, -60}, {});
    QVERIFY2(std::abs(bar.value() - parts) <= 2 && parts > 10,
        qPrintable(QString("%1 in parts, %2 at once").arg(parts).arg(bar.value())));
    // Zoom by small parts comes to the same as by a whole notch, and needs no time.
    m_session->time().show({1000, 3000}, false, Manner::AtOnce);
    for (int i = 0; i < 120; ++i)
        wheel({300, 100}, {0, 1}, Qt::ControlModifier);
    QVERIFY(
        std::abs(m_session->time().shown().duration() - 1600) <= 60); // 2000 * 0.8, rounded a hundred times
    QCOMPARE(m_session->time().drawn(), m_session->time().shown());
    // Sideways pans by as many pixels as the fingers moved.
    m_session->time().show({1000, 3000}, false, Manner::AtOnce);
    for (int i = 0; i < 30; ++i)
        wheel({300, 100}, {-8, 0}, {}, {-1, 0});
    const double moved
        = static_cast<double>(m_session->time().shown().start - 1000) / m_pane->view().axis().nsPerPixel();
    QVERIFY(std::abs(moved - 30) < 1.5);
}

void MotionTest::pinchZoomsWhereTheFingersAre()
{
    m_session->time().show({1000, 3000}, false, Manner::AtOnce);
    const QPointF at(250, 100);
    const Ns under = m_pane->view().axis().timeAt(at.x());
    QNativeGestureEvent pinch(Qt::ZoomNativeGesture, QPointingDevice::primaryPointingDevice(), 2, at, at,
        rows()->mapToGlobal(at), 0.25, {});
    QApplication::sendEvent(rows(), &pinch);
    QCOMPARE(m_session->time().shown().duration(), 1600);
    QCOMPARE(m_session->time().drawn(), m_session->time().shown());
    QVERIFY(std::abs(m_pane->view().axis().xAt(under) - at.x()) < 1);
    QNativeGestureEvent apart(Qt::ZoomNativeGesture, QPointingDevice::primaryPointingDevice(), 2, at, at,
        rows()->mapToGlobal(at), -1.0, {}); // closed all the way
    QApplication::sendEvent(rows(), &apart);
    QVERIFY(m_session->time().shown().duration() > 1600);
}

void MotionTest::comparedTimelinesGlideTogether()
{
    RunPair& pair = m_session->pair();
    pair.compareWithin({1000, 3000}, {3000, 5500});
    QTRY_VERIFY(!pair.isBusy());
    Session& b = pair.b();
    QVERIFY(b.time().glide().isOn());
    pass(400);
    const auto apart
        = [&] { return std::abs(b.time().drawn().start - pair.map().toB(m_session->time().drawn().start)); };
    QVERIFY(apart() <= 1);
    const TimeRange before = m_session->time().drawn();
    m_session->time().show({1200, 1900});
    QCOMPARE(b.time().shown(), pair.map().toB(m_session->time().shown()));
    int between = 0;
    for (int i = 0; i < 30; ++i) {
        pass(10);
        QVERIFY2(apart() <= 3, qPrintable(QString::number(apart())));
        between += b.time().drawn() != b.time().shown() && m_session->time().drawn() != before ? 1 : 0;
    }
    QVERIFY(between > 10);
    QCOMPARE(m_session->time().drawn(), m_session->time().shown());
    QCOMPARE(b.time().drawn(), b.time().shown());
    // And the other way round.
    b.time().glide().driveBy([this] { return m_now; });
    b.time().show({3500, 3800});
    for (int i = 0; i < 30; ++i) {
        m_now += 10'000'000;
        b.time().glide().step();
        QVERIFY(apart() <= 3);
    }
    QCOMPARE(m_session->time().drawn(), m_session->time().shown());
    m_session->time().glide().setOn(false);
    QVERIFY(!b.time().glide().isOn());
}

void MotionTest::stepsKeepTheScale()
{
    m_session->time().glide().setOn(false);
    const TimeRange first = m_trace->range(kernel(0));
    const TimeRange last = m_trace->range(kernel(m_trace->kernels().size() - 1));
    // Seen already: nothing moves.
    m_session->time().show({first.start - 300, first.end + 700});
    const TimeRange before = m_session->time().shown();
    m_session->selection().goToAtScale({ReportId{}, kernel(0)});
    QCOMPARE(m_session->time().shown(), before);
    QCOMPARE(m_session->selection().ownCurrentEvent(), kernel(0));
    // Out of sight: the least way, at this scale.
    m_session->selection().goToAtScale({ReportId{}, kernel(m_trace->kernels().size() - 1)});
    QCOMPARE(m_session->time().shown().duration(), before.duration());
    QVERIFY(m_session->time().shown().start <= last.start && last.end <= m_session->time().shown().end);
    QVERIFY(last.end + before.duration() / 10 - m_session->time().shown().end <= 1
        || m_session->time().shown().end == m_session->session().end);
    // Longer than the view: it is shown whole.
    m_session->time().show({first.start, first.start + 20});
    m_session->selection().goToAtScale({ReportId{}, kernel(0)});
    QVERIFY(m_session->time().shown().start < first.start && first.end < m_session->time().shown().end);
    // Too short to be seen: nearer, though it is in view.
    m_session->time().showAll();
    m_session->time().setShownPixels(5);
    QVERIFY(first.duration() * 5 < 3 * m_session->time().shown().duration());
    m_session->selection().goToAtScale({ReportId{}, kernel(1)});
    QVERIFY(m_session->time().shown().duration() < m_session->session().duration());
    // F zooms at any scale.
    m_session->time().setShownPixels(1000);
    m_session->time().show({first.start - 300, first.end + 700});
    QTest::keyClick(&m_pane->view(), Qt::Key_F);
    QCOMPARE(m_session->time().shown().duration(), 3 * m_trace->range(kernel(1)).duration());
    // Evidence without an event is marked, and nothing is selected: F goes there, and does not zoom out.
    m_session->selection().setCurrentEvent({});
    m_session->time().showAll();
    const TimeRange lit{first.start + 2, first.start + 8};
    m_session->selection().markRange(lit);
    QTest::keyClick(&m_pane->view(), Qt::Key_F);
    QVERIFY(m_session->time().shown().start <= lit.start && lit.end <= m_session->time().shown().end);
    QVERIFY(m_session->time().shown().duration() < m_session->session().duration());
    m_session->selection().markRange({});
}

void MotionTest::deepZoomKeepsPartsOfNanoseconds()
{
    m_session->time().show({2000, 2010}, false, Manner::AtOnce);
    key(QEvent::KeyPress, Qt::Key_D, 0, "d");
    pass(250);
    key(QEvent::KeyRelease, Qt::Key_D, 0, "d");
    QVERIFY(m_session->time().shown().start >= 2002); // a step at a time is less than a nanosecond
    pass(1000);
    QCOMPARE(m_session->time().drawn(), m_session->time().shown());
    QVERIFY(!m_session->time().glide().isMoving());
    key(QEvent::KeyPress, Qt::Key_S, 0, "s");
    pass(1500);
    key(QEvent::KeyRelease, Qt::Key_S, 0, "s");
    QVERIFY(m_session->time().shown().duration() > 100);
}

void MotionTest::noLengthIsTooLong()
{
    constexpr qint64 years = 6'000'000'000'000'000'000;
    QVERIFY(WholeLengths().with(years, 8) > years);
}

void MotionTest::arrowWithoutEventPansWhileHeld()
{
    m_session->time().show({2000, 3000}, false, Manner::AtOnce);
    key(QEvent::KeyPress, Qt::Key_Right, 114, {});
    pass(200);
    const TimeRange held = m_session->time().shown();
    QVERIFY(held.start > 2100); // more than a nudge
    key(QEvent::KeyRelease, Qt::Key_Right, 114, {});
    pass(500);
    QVERIFY(m_session->time().shown().start - held.start <= 100);
    QCOMPARE(m_session->time().drawn(), m_session->time().shown());
    // With one it goes to the next.
    m_session->selection().setCurrentEvent({ReportId{}, kernel(0)});
    key(QEvent::KeyPress, Qt::Key_Right, 114, {});
    key(QEvent::KeyRelease, Qt::Key_Right, 114, {});
    QVERIFY(m_session->selection().ownCurrentEvent() != kernel(0));
}

WARPLINE_TEST(MotionTest)

} // namespace tst_motion

#include "tst_motion.moc"
