// The strips above the rows with a real mouse: a new window by a drag, steps by click and drag, and a report
// that opens on its GPU work.

#include "core/rows/row_kind.h"
#include "tests/core/findings/drawn_program.h"
#include "tests/support/test_program.h"
#include "views/timeline/first_view.h"
#include "views/timeline/overview.h"
#include "views/timeline/row_bar.h"
#include "views/timeline/step_strip.h"
#include "views/timeline/timeline_pane.h"

#include <QApplication>
#include <QLabel>
#include <QMouseEvent>
#include <QScrollBar>
#include <QSettings>
#include <QTest>
#include <QToolButton>

#include <cmath>

namespace tst_overview_strip {

using namespace warpline;
using namespace warpline::test;

class OverviewStripTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void dragSetsANewWindow();
    void clickStillMovesTheWindow();
    void onePixelIsPainted();
    void stepsAreColoredByTheirRatio();
    void aFullQueueColorsNoStep();
    void clickShowsAStep();
    void dragShowsSeveral();
    void aDragThatEndsIsNoLongerPainted();
    void screenReaderShowsTheStepItNames();
    void withoutStepsThereIsNoStrip();
    void silentReportOpensOnItsWork();
    void silentReportOpensAtItsTop();
    void askedRangesStay();
    void severalReportsOpenOnTheWorkOfAll();

private:
    void open(std::shared_ptr<const Trace> trace);
    int xOf(const QWidget& strip, Ns time) const;

    std::shared_ptr<const Trace> m_steps;
    std::unique_ptr<Session> m_session;
    std::unique_ptr<TimelinePane> m_pane;
};

namespace {

constexpr int stepCount = 8;
constexpr int slow = 5;

/// Eight steps of 10 ms, the sixth takes 20.
std::shared_ptr<const Trace> program()
{
    DrawnProgram drawn;
    Ns at = 0;
    for (int i = 0; i < stepCount; ++i) {
        const Ns length = i == slow ? 20 * ms : 10 * ms;
        drawn.range("step_" + std::to_string(i), {at, at + length});
        drawn.kernel("gemm", at + ms, {at + 2 * ms, at + length - ms});
        at += length;
    }
    return drawn.finish();
}

/// A minute in which GPU work runs for the last second.
std::shared_ptr<const Trace> silent()
{
    DrawnProgram drawn;
    constexpr Ns second = 1'000 * ms;
    drawn.event(EventKind::OsRuntime, "read", {0, 10 * second});
    drawn.kernel("gemm", 59 * second, {59 * second + ms, 60 * second});
    return drawn.finish();
}

class PaintCount : public QObject {
public:
    int paints = 0;

protected:
    bool eventFilter(QObject*, QEvent* event) override
    {
        paints += event->type() == QEvent::Paint ? 1 : 0;
        return false;
    }
};

} // namespace

void OverviewStripTest::initTestCase()
{
    QCoreApplication::setOrganizationName("warpline-test");
    QCoreApplication::setApplicationName("tst_overview_strip");
    m_steps = program();
}

void OverviewStripTest::init()
{
    QSettings().clear();
    m_pane.reset();
    m_session = std::make_unique<Session>();
    m_pane = std::make_unique<TimelinePane>(*m_session, Theme::light());
    m_pane->resize(1200, 500);
    m_pane->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_pane.get()));
}

void OverviewStripTest::open(std::shared_ptr<const Trace> trace)
{
    auto rows = buildRows(*trace);
    m_session->setTrace(std::move(trace), std::move(rows));
    QTRY_VERIFY(m_pane->stepStrip().isReady() && m_pane->overview().isReady());
}

int OverviewStripTest::xOf(const QWidget& strip, Ns time) const
{
    const TimeAxis axis{m_session->session(), static_cast<double>(strip.width())};
    return static_cast<int>(std::lround(axis.xAt(time)));
}

void OverviewStripTest::dragSetsANewWindow()
{
    open(m_steps);
    Overview& overview = m_pane->overview();
    const auto drag = [&](Ns from, Ns to) {
        const QPoint first(xOf(overview, from), 12);
        const QPoint last(xOf(overview, to), 12);
        QTest::mousePress(&overview, Qt::LeftButton, {}, first);
        QTest::mouseMove(&overview, (first + last) / 2);
        QTest::mouseMove(&overview, last);
        QTest::mouseRelease(&overview, Qt::LeftButton, {}, last);
    };
    const Ns pixel = m_session->session().duration() / overview.width() + 1;
    const auto isNear = [&](TimeRange shown, Ns start, Ns end) {
        return std::abs(shown.start - start) <= 2 * pixel && std::abs(shown.end - end) <= 2 * pixel;
    };
    drag(20 * ms, 30 * ms); // of all that is shown
    QVERIFY(isNear(m_session->time().shown(), 20 * ms, 30 * ms));
    drag(70 * ms, 60 * ms); // outside the window, to the left
    QVERIFY(isNear(m_session->time().shown(), 60 * ms, 70 * ms));
    m_session->time().goBack(); // one jump each
    QVERIFY(isNear(m_session->time().shown(), 20 * ms, 30 * ms));
    drag(25 * ms, 35 * ms); // inside: the window moves
    QVERIFY(isNear(m_session->time().shown(), 30 * ms, 40 * ms));
}

void OverviewStripTest::onePixelIsPainted()
{
    open(m_steps);
    Overview narrow(*m_session, Theme::light());
    narrow.resize(1, narrow.height());
    QCOMPARE(narrow.width(), 1);
    QVERIFY(!narrow.grab().isNull());
}

void OverviewStripTest::clickStillMovesTheWindow()
{
    open(m_steps);
    m_session->time().show({10 * ms, 20 * ms});
    Overview& overview = m_pane->overview();
    QTest::mouseClick(&overview, Qt::LeftButton, {}, QPoint(xOf(overview, 50 * ms), 12));
    QVERIFY(m_session->time().shown().contains(50 * ms));
    QCOMPARE(m_session->time().shown().duration(), 10 * ms);
}

void OverviewStripTest::stepsAreColoredByTheirRatio()
{
    open(m_steps);
    StepStrip& strip = m_pane->stepStrip();
    QVERIFY(strip.isVisible());
    QCOMPARE(strip.steps().size(), static_cast<std::size_t>(stepCount));
    QCOMPARE(strip.ratioOf(slow), 2.0);
    QCOMPARE(strip.ratioOf(2), 1.0);
    const QImage image = strip.grab().toImage();
    const auto colorOf = [&](int step, Ns inside) {
        return image.pixelColor(
            xOf(strip, strip.steps().ranges[static_cast<std::size_t>(step)].start + inside), 4);
    };
    QCOMPARE(colorOf(slow, 10 * ms), StepStrip::colorOf(2.0, Theme::light()));
    QCOMPARE(colorOf(2, 5 * ms), Theme::light().rest); // as usual
    QVERIFY(StepStrip::colorOf(0.5, Theme::light()).blue() > StepStrip::colorOf(0.5, Theme::light()).red());
    QVERIFY(
        strip.tipAt(xOf(strip, strip.steps().ranges[slow].start + 9 * ms)).contains("2.00 times the median"));
    // It shows whose time it is, and a label next to it.
    QVERIFY(strip.tipAt(xOf(strip, strip.steps().ranges[slow].start + 9 * ms)).contains(" on the host: "));
    auto* const label = m_pane->findChild<QLabel*>("steps-label");
    QVERIFY(label->isVisible() && label->text() == "Steps on the host");
    QCOMPARE(label->y(), strip.y());
    QVERIFY(label->geometry().right() < strip.x());
}

/// A host that waits for room in the queue takes twice as long; the GPU does not.
void OverviewStripTest::aFullQueueColorsNoStep()
{
    DrawnProgram drawn;
    Ns at = 0;
    for (int i = 0; i < stepCount; ++i) {
        const Ns length = i == slow ? 20 * ms : 10 * ms;
        drawn.range("step_" + std::to_string(i), {at, at + length});
        drawn.kernel("gemm", at + ms, {2 * ms + i * 18 * ms, 2 * ms + (i + 1) * 18 * ms});
        at += length;
    }
    open(drawn.finish());
    StepStrip& strip = m_pane->stepStrip();
    QCOMPARE(strip.ratioOf(slow), 2.0);
    QVERIFY(strip.isHidden(slow));
    QCOMPARE(strip.colorAt(slow), Theme::light().rest);
    QVERIFY(strip.tipAt(xOf(strip, strip.steps().ranges[slow].start + 9 * ms)).contains("not on the GPU"));
}

void OverviewStripTest::clickShowsAStep()
{
    open(m_steps);
    StepStrip& strip = m_pane->stepStrip();
    const TimeRange step = strip.steps().ranges[slow];
    QTest::mouseClick(&strip, Qt::LeftButton, {}, QPoint(xOf(strip, step.start + 8 * ms), 4));
    QCOMPARE(m_session->time().selectedRange(), step);
    QVERIFY(m_session->time().shown().start < step.start && m_session->time().shown().end > step.end);
    QVERIFY(m_session->time().shown().duration() < 2 * step.duration());
}

void OverviewStripTest::dragShowsSeveral()
{
    open(m_steps);
    StepStrip& strip = m_pane->stepStrip();
    const auto& ranges = strip.steps().ranges;
    const QPoint from(xOf(strip, ranges[1].start + 5 * ms), 4);
    const QPoint to(xOf(strip, ranges[3].start + 5 * ms), 4);
    QTest::mousePress(&strip, Qt::LeftButton, {}, from);
    QTest::mouseMove(&strip, (from + to) / 2);
    QTest::mouseMove(&strip, to);
    QTest::mouseRelease(&strip, Qt::LeftButton, {}, to);
    QCOMPARE(m_session->time().selectedRange(), (TimeRange{ranges[1].start, ranges[3].end}));
}

/// By a dialog, which gets the release of the button.
void OverviewStripTest::aDragThatEndsIsNoLongerPainted()
{
    open(m_steps);
    StepStrip& strip = m_pane->stepStrip();
    QTest::mousePress(&strip, Qt::LeftButton, {}, QPoint(100, 4));
    QMouseEvent move(QEvent::MouseMove, QPoint(300, 4), strip.mapToGlobal(QPoint(300, 4)), Qt::NoButton,
        Qt::LeftButton, {});
    QApplication::sendEvent(&strip, &move);
    QTest::qWait(100); // painted with the drag
    PaintCount counted;
    strip.installEventFilter(&counted);
    QEvent blocked(QEvent::WindowBlocked);
    QApplication::sendEvent(&strip, &blocked);
    QTRY_VERIFY(counted.paints > 0);
}

void OverviewStripTest::screenReaderShowsTheStepItNames()
{
    open(m_steps);
    StepStrip& strip = m_pane->stepStrip();
    const TimeRange step = strip.steps().ranges[2];
    m_session->time().show({step.start - 1, step.end + 1});
    const std::vector<PaintedItem> items = strip.paintedItems();
    QCOMPARE(items.size(), 3); // with the neighbours, whose ends are seen
    QCOMPARE(items[1].name, QString("step_2"));
    QVERIFY(std::abs(items[1].rect.left() - xOf(strip, step.start)) <= 1); // as it is painted
    items[1].press();
    QCOMPARE(m_session->time().selectedRange(), step);
}

void OverviewStripTest::withoutStepsThereIsNoStrip()
{
    DrawnProgram drawn;
    drawn.kernel("gemm", 0, {2 * ms, 5 * ms});
    open(drawn.finish());
    QVERIFY(!m_pane->stepStrip().isVisible());
    const int top = m_pane->view().y();
    open(m_steps);
    QVERIFY(m_pane->stepStrip().isVisible());
    QVERIFY(m_pane->view().y() > top);
}

void OverviewStripTest::silentReportOpensOnItsWork()
{
    constexpr Ns second = 1'000 * ms;
    open(silent());
    QVERIFY(m_session->time().shown().start > 58 * second);
    QVERIFY(m_session->time().shown().contains(59 * second + ms));
    QCOMPARE(m_pane->chips().texts(), QStringList("60 s, GPU work in the last 999 ms"));
    // One click shows everything, and removes the message.
    QTest::mouseClick(m_pane->chips().findChild<QToolButton*>("chip"), Qt::LeftButton);
    QTRY_COMPARE(m_session->time().shown(), m_session->session());
    QVERIFY(m_pane->chips().texts().isEmpty());
    // Some copies long before, and nearly all of the work at the end.
    DrawnProgram early;
    early.copy({5 * second, 5 * second + ms}, {6 * second, 6 * second + 50 * ms});
    early.kernel("fill", 7 * second, {7 * second, 7 * second + ms});
    early.kernel("gemm", 50 * second, {51 * second, 54 * second});
    early.event(EventKind::OsRuntime, "read", {0, 60 * second});
    open(early.finish());
    QVERIFY(m_session->time().shown().start > 49 * second && m_session->time().shown().contains(52 * second));
    QCOMPARE(m_pane->chips().texts().size(), 1);
    QVERIFY(m_pane->chips().texts().front().startsWith("60 s, most GPU work in the last 9"));
    m_session->time().showAll();
    // A report that works all the time, and a short one, open as a whole.
    open(m_steps);
    QCOMPARE(m_session->time().shown(), m_session->session());
    QVERIFY(FirstView::rangeToBeginWith({0, 60 * second}, {10 * second, 50 * second}).empty());
    QVERIFY(FirstView::rangeToBeginWith({0, 50 * ms}, {10 * ms, 15 * ms}).empty());
    QVERIFY(!FirstView::rangeToBeginWith({0, 738 * ms}, {654 * ms, 749 * ms}).empty()); // a short run, too
    QVERIFY(FirstView::rangeToBeginWith({0, 60 * second}, {}).empty());
}

/// The note above the rows moves none out of sight, although the mouse lies on them.
void OverviewStripTest::silentReportOpensAtItsTop()
{
    m_pane->resize(900, 150);
    m_pane->view().setAttribute(Qt::WA_UnderMouse);
    open(silent());
    QCOMPARE(m_pane->chips().texts().size(), 1);
    const QScrollBar& bar = *m_pane->view().verticalScrollBar();
    QVERIFY(bar.maximum() > 0);
    QCOMPARE(bar.value(), 0);
}

void OverviewStripTest::askedRangesStay()
{
    // The user's view during loading stays.
    const auto whole = silent();
    auto part = std::make_shared<Trace>(*whole);
    part->complete = false;
    part->info.path = "report.sqlite";
    auto rest = std::make_shared<Trace>(*whole);
    rest->info.path = "report.sqlite";
    m_session->setTrace(part, buildRows(*part));
    m_session->time().show({0, 1'000 * ms});
    m_session->setTrace(rest, buildRows(*rest));
    QCOMPARE(m_session->time().shown(), (TimeRange{0, 1'000 * ms}));
    QVERIFY(m_pane->chips().texts().isEmpty());
}

void OverviewStripTest::severalReportsOpenOnTheWorkOfAll()
{
    constexpr Ns second = 1'000 * ms;
    std::vector<OpenReport> reports(2);
    for (OpenReport& report : reports) {
        report.trace = silent();
        report.rows = buildRows(*report.trace);
    }
    reports[1].clock = {2 * second, 0, ClockMethod::Manual, {}};
    m_session->setWorkspace(Workspace(std::move(reports)));
    const auto holds = [&](Ns from, Ns to) {
        return m_session->time().shown().start < from && m_session->time().shown().start > from - second
            && m_session->time().shown().end >= to;
    };
    QVERIFY(holds(59 * second + ms, 62 * second));
    QCOMPARE(m_pane->chips().texts(), QStringList("62 s, GPU work in the last 3 s"));
    // The clocks change: the view follows, because the user has not changed it.
    m_session->setClocks(
        m_session->workspace().withClock(ReportId{1}, {-second, 0, ClockMethod::Manual, {}}));
    QTRY_VERIFY(holds(58 * second + ms, 60 * second));
    // The user has zoomed.
    m_session->time().show({0, 3 * second});
    m_session->setClocks(m_session->workspace().withClock(ReportId{1}, {second, 0, ClockMethod::Manual, {}}));
    QTest::qWait(0);
    QCOMPARE(m_session->time().shown().end, 3 * second);
}

WARPLINE_TEST(OverviewStripTest)

} // namespace tst_overview_strip

#include "tst_overview_strip.moc"
