// Hovering with a real mouse and real keys: highlighted names, tooltips that do not cover their subject,
// pinned marks, and events related to the selected one.

#include "core/rows/row_kind.h"
#include "tests/core/findings/drawn_program.h"
#include "tests/support/test_program.h"
#include "tests/views/view_test.h"
#include "views/panels/details_panel.h"
#include "views/style/color_choice.h"
#include "views/style/event_colors.h"
#include "views/style/text_scale.h"
#include "views/timeline/event_light.h"
#include "views/timeline/hover_tip.h"
#include "views/timeline/row_bar.h"
#include "views/timeline/row_labels.h"
#include "views/timeline/row_lanes.h"
#include "views/timeline/slice_names.h"
#include "views/timeline/timeline_pane.h"
#include "views/timeline/tooltip.h"

#include <QApplication>
#include <QImage>
#include <QMouseEvent>
#include <QPainter>
#include <QScopeGuard>
#include <QScrollBar>
#include <QSettings>
#include <QSignalSpy>
#include <QTest>
#include <QTextBrowser>
#include <QToolButton>
#include <QWheelEvent>

#include <cmath>

namespace tst_hover {

using namespace warpline;
using namespace warpline::test;

class HoverTest : public ViewTest {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void nameLightsUpOnAllRows();
    void launchAndKernelAreOutlinedTogether();
    void tipTellsOfThePeers();
    void sharesNameTheirScope();
    void tipGoesWhenTheViewMoves_data();
    void tipGoesWhenTheViewMoves();
    void tipStaysClear();
    void densePlacesAreCounted();
    void keyAndClickPin();
    void chipNamesWhatIsMarked();
    void nvtxLightsItsKernels();
    void nvtxLightsWhatOtherThreadsLaunchMeanwhile();
    void waitsOfStreamsHaveArrows();
    void hintsLeadOutOfSight();
    void labelsMarkLinkedRows();
    void keysGoAlongTheChain();
    void namesFitTheRoom();
    void largeNamesFitTheBar();
    void longNamesKeepTheTipSmall();
    void namesCutInTheMiddleStayApart();

private:
    EventRef kernel(std::string_view name, std::size_t nth = 0) const;
    QPoint pointOf(EventRef event) const;
    QWidget* rows() const { return m_pane->view().viewport(); }
    TimelineView& view() const { return m_pane->view(); }
    int pixelsOf(QColor color, QRect area) const;
};

void HoverTest::initTestCase()
{
    QCoreApplication::setOrganizationName("warpline-test");
    QCoreApplication::setApplicationName("tst_hover");
    DrawnProgram program;
    // gemm four times, on two streams; one takes three times the median of 20 us.
    program.kernel("gemm", 0, {10 * us, 30 * us});
    program.kernel("gemm", 20 * us, {40 * us, 60 * us}, {.stream = 13});
    program.kernel("gemm", 60 * us, {70 * us, 130 * us});
    program.kernel("gemm", 130 * us, {140 * us, 160 * us - 600});
    program.kernel("softmax", 160 * us, {170 * us, 210 * us});
    program.call("cudaDeviceSynchronize_v3020", {165 * us, 215 * us});
    // A wait of stream 13 for stream 7.
    program.kernel("producer", 220 * us, {225 * us, 300 * us}, {.stream = 7});
    program.record(7, 226 * us, 9);
    program.streamWait(13, 228 * us, 9);
    program.kernel("consumer", 230 * us, {301 * us, 310 * us}, {.stream = 13});
    // So many that they share a pixel.
    for (Ns i = 0; i < 400; ++i)
        program.kernel(
            "tiny", 320 * us + i * 40, {400 * us + i * 40, 400 * us + i * 40 + 30}, {.callTime = 10});
    program.range("forward", {0, 65 * us});
    program.range("backward", {120 * us, 220 * us});
    m_trace = program.finish();
    m_rows = buildRows(*m_trace);
}

void HoverTest::init()
{
    QSettings().clear();
    ColorChoice::shared().setBy(ColorBy::Kind);
    showPane({1200, 900});
    QTRY_VERIFY(!m_session->names().isBusy());
    m_session->time().show({0, 330 * us});
}

EventRef HoverTest::kernel(std::string_view name, std::size_t nth) const
{
    std::vector<EventRef> found;
    for (EventIndex i = 0; i < m_trace->kernels().size(); ++i) {
        if (m_trace->displayName({EventKind::Kernel, i}) == name)
            found.push_back({EventKind::Kernel, i});
    }
    std::ranges::sort(found, {}, [&](EventRef event) { return m_trace->range(event).start; });
    return nth < found.size() ? found[nth] : EventRef();
}

QPoint HoverTest::pointOf(EventRef event) const
{
    const PlacedRow* const row = view().visibleRowOf({ReportId{}, event});
    if (!row)
        return {-1, -1};
    const TimeRange range = m_trace->range(event);
    const double x = view().axis().xAt(range.start + range.duration() / 2);
    const auto depth = static_cast<int>(m_trace->table(event.kind).depthOf(event.index));
    return {static_cast<int>(std::lround(x)),
        row->y - view().offset() + 2 + depth * RowLayout::laneHeight + RowLayout::laneHeight / 2};
}

int HoverTest::pixelsOf(QColor color, QRect area) const
{
    const QImage image = rows()->grab().toImage();
    int pixels = 0;
    area = area.intersected(image.rect());
    for (int y = area.top(); y <= area.bottom(); ++y) {
        for (int x = area.left(); x <= area.right(); ++x)
            pixels += image.pixelColor(x, y) == color ? 1 : 0;
    }
    return pixels;
}

void HoverTest::nameLightsUpOnAllRows()
{
    const QColor edge = Theme::light().text;
    const auto around = [&](EventRef event) {
        const QPoint at = pointOf(event);
        return QRect(at - QPoint(8, 10), QSize(16, 20));
    };
    const EventRef other = kernel("gemm", 1); // of the other stream
    QTest::mouseMove(rows(), pointOf(kernel("softmax")));
    QTRY_VERIFY(view().light().name.has_value());
    const int before = pixelsOf(edge, around(other));
    QTest::mouseMove(rows(), pointOf(kernel("gemm", 0)));
    QTRY_VERIFY(view().light().name && view().light().name->name == "gemm");
    QVERIFY(pixelsOf(edge, around(other)) >= before + 2 * 16); // both edges
    QVERIFY(pixelsOf(edge, around(kernel("gemm", 3))) > 2 * 16);
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(rows(), &leave);
    QVERIFY(!view().light().name.has_value());
    QVERIFY(!view().tip().isVisible());
}

void HoverTest::launchAndKernelAreOutlinedTogether()
{
    const EventRef gemm = kernel("gemm", 2);
    const EventRef launch = m_trace->apiCallOf(gemm);
    QVERIFY(launch.valid());
    const QRect call(pointOf(launch) - QPoint(12, 9), QSize(24, 18));
    const QColor edge = Theme::light().text;
    QTest::mouseMove(rows(), pointOf(kernel("softmax")));
    QTRY_VERIFY(view().light().name.has_value());
    const int before = pixelsOf(edge, call);
    QTest::mouseMove(rows(), pointOf(gemm));
    QTRY_VERIFY(view().light().name && view().light().name->name == "gemm");
    QVERIFY(pixelsOf(edge, call) > before + 8);
}

void HoverTest::tipTellsOfThePeers()
{
    QTest::mouseMove(rows(), QPoint(3, 3)); // from elsewhere: else nothing moves
    QTest::mouseMove(rows(), pointOf(kernel("gemm", 2)));
    QTRY_VERIFY(view().tip().isVisible());
    const QString text = view().tip().text();
    // 20, 20, 19.4 and 60 us; all kernels together 119.4 + 40 + 75 + 9 + 400 * 0.03 = 255.4 us.
    QVERIFY2(text.contains(
                 QString::fromUtf8("4 \u00d7, 46.8% of kernel time; 3.0 times the median (20.00 \u00b5s)")),
        qPrintable(text));
    // 20 us are the median; 19.4 us are not, and are not named so.
    for (const auto& [index, said] :
        {std::pair(1, "kernel time; equals the median<"), std::pair(3, "; near the median (20.00")}) {
        QTest::mouseMove(rows(), pointOf(kernel("gemm", index)));
        QTRY_VERIFY2(view().tip().text().contains(said), qPrintable(view().tip().text()));
    }
    QTest::mouseMove(rows(), pointOf(kernel("softmax")));
    QTRY_VERIFY(view().tip().text().contains("softmax"));
    QVERIFY(!view().tip().text().contains(QString::fromUtf8("\u00d7,"))); // the only one
}

/// A share of the kernels of several GPUs is not the share on the GPU of the event.
void HoverTest::sharesNameTheirScope()
{
    const auto peers = [](int gpus) {
        DrawnProgram program;
        for (int i = 0; i < 2; ++i)
            program.kernel("gemm", i * 40 * us, {i * 40 * us + 10 * us, i * 40 * us + 30 * us},
                {.device = i % gpus, .context = 1 + i % gpus});
        const auto trace = program.finish();
        Session session;
        session.setTrace(trace, buildRows(*trace));
        const EventId first{ReportId{}, {EventKind::Kernel, 0}};
        if (!QTest::qWaitFor([&] { return session.names().summaryOf(first) != nullptr; }))
            return QString("no summary");
        return peersText(session, session.names(), first);
    };
    const QString one = peers(1);
    const QString two = peers(2);
    QVERIFY2(one.contains("of kernel time"), qPrintable(one));
    QVERIFY2(two.contains("of kernel time") && two != one, qPrintable(two));
}

void HoverTest::tipGoesWhenTheViewMoves_data()
{
    QTest::addColumn<Qt::KeyboardModifiers>("modifiers");
    QTest::newRow("rows scroll") << Qt::KeyboardModifiers(Qt::NoModifier);
    QTest::newRow("zoomed") << Qt::KeyboardModifiers(Qt::ControlModifier);
    QTest::newRow("moved in time") << Qt::KeyboardModifiers(Qt::ShiftModifier);
}

/// The mouse rests while the wheel turns: the tooltip's subject has moved then.
void HoverTest::tipGoesWhenTheViewMoves()
{
    QFETCH(Qt::KeyboardModifiers, modifiers);
    m_pane->resize(1200, 240); // lower than its rows
    QTRY_VERIFY(view().verticalScrollBar()->maximum() > 0);
    view().verticalScrollBar()->setValue(0);
    const EventRef event = kernel("gemm", 2);
    m_session->rowView().reveal(view().visibleRowOf({ReportId{}, event})->row);
    QTRY_VERIFY(rows()->rect().contains(pointOf(event)));
    QTest::mouseMove(rows(), QPoint(3, 3)); // from elsewhere: else nothing moves
    QTest::mouseMove(rows(), pointOf(event));
    QTRY_VERIFY(view().tip().isVisible());
    const int offset = view().offset();
    const QPoint at = pointOf(event);
    const int turn = offset > 0 ? 120 : -120;
    QWheelEvent wheel(
        at, rows()->mapToGlobal(at), {}, {0, turn}, Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
    QApplication::sendEvent(rows(), &wheel);
    QCOMPARE(view().offset() != offset, modifiers == Qt::NoModifier);
    QTRY_VERIFY(!view().tip().isVisible());
    // The new subject is shown when the mouse moves.
    QTest::mouseMove(rows(), pointOf(event) + QPoint(1, 0));
    QTRY_VERIFY(view().tip().isVisible());
}

void HoverTest::tipStaysClear()
{
    const QSize size(300, 120);
    const QRect screen(0, 0, 1600, 900);
    for (const int y : {10, 300, 880}) {
        for (const int x : {5, 700, 1590}) {
            const QRect lane(0, y - 9, 1600, 18);
            const QRect place = HoverTip::placeFor(size, {x, y}, lane, screen);
            QVERIFY(screen.contains(place));
            QVERIFY(!place.intersects(lane));
        }
    }
    // A row as high as the screen: next to the mouse.
    const QRect place = HoverTip::placeFor(size, {700, 450}, {0, 0, 1600, 900}, screen);
    QVERIFY(screen.contains(place) && !place.contains(QPoint(700, 450)));
    QTest::mouseMove(rows(), QPoint(3, 3));
    QTest::mouseMove(rows(), pointOf(kernel("gemm", 2)));
    QTRY_VERIFY(view().tip().isVisible());
    const QPoint mouse = rows()->mapToGlobal(pointOf(kernel("gemm", 2)));
    QVERIFY(
        view().tip().geometry().top() > mouse.y() + 4 || view().tip().geometry().bottom() < mouse.y() - 4);
}

void HoverTest::densePlacesAreCounted()
{
    m_session->time().show({0, 900 * us});
    const TimeAxis axis = view().axis();
    const int x = static_cast<int>(axis.xAt(408 * us));
    const PlacedRow* const row = view().visibleRowOf({ReportId{}, kernel("tiny")});
    QTest::mouseMove(rows(), QPoint(x, row->y - view().offset() + 9));
    QTRY_VERIFY(view().tip().isVisible());
    const Ns start = axis.timeAt(x);
    const Ns end = axis.timeAt(x + 1);
    std::size_t count = 0;
    for (std::size_t i = 0; i < 400; ++i) {
        const TimeRange range = m_trace->range(kernel("tiny", i));
        count += range.end > start && range.start < end ? 1 : 0;
    }
    QVERIFY(count > 5);
    const QString text = view().tip().text();
    QVERIFY2(text.contains(QString("%1 kernels, ").arg(count)), qPrintable(text));
    QVERIFY2(text.contains("% busy, longest 30 ns"), qPrintable(text));
}

void HoverTest::keyAndClickPin()
{
    QTest::mouseMove(rows(), pointOf(kernel("gemm", 0)));
    QTRY_VERIFY(view().light().name.has_value());
    QTest::keyClick(&view(), Qt::Key_H);
    QTRY_COMPARE(m_session->selection().highlighted(ReportId{}).size(), 4U);
    QCOMPARE(m_pane->chips().texts(), QStringList(QString::fromUtf8("highlighted: 4 \u00d7 gemm")));
    QTest::keyClick(&view(), Qt::Key_H); // again: removes it
    QVERIFY(!m_session->selection().highlightsAny());
    QVERIFY(m_pane->chips().texts().isEmpty());
    QTest::keyClick(&view(), Qt::Key_H);
    QTRY_VERIFY(m_session->selection().highlightsAny());
    QTest::mouseClick(m_pane->chips().findChild<QToolButton*>("chip"), Qt::LeftButton);
    QVERIFY(!m_session->selection().highlightsAny());
    const EventId before = m_session->selection().currentEvent();
    QTest::mouseClick(rows(), Qt::LeftButton, Qt::ControlModifier, pointOf(kernel("softmax")));
    QTRY_COMPARE(m_session->selection().highlighted(ReportId{}).size(), 1U);
    QCOMPARE(m_session->selection().currentEvent(), before); // it marks and chooses nothing
    QTest::keyClick(&view(), Qt::Key_Escape);
    QVERIFY(!m_session->selection().highlightsAny());
    // Without the mouse on something, the chosen event counts.
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(rows(), &leave);
    m_session->selection().setCurrentEvent({ReportId{}, kernel("gemm", 1)});
    QTest::keyClick(&view(), Qt::Key_H);
    QTRY_COMPARE(m_session->selection().highlighted(ReportId{}).size(), 4U);
}

void HoverTest::chipNamesWhatIsMarked()
{
    Selection& selection = m_session->selection();
    QTest::mouseMove(rows(), QPoint(3, 3)); // from elsewhere: else nothing moves
    QTest::mouseMove(rows(), pointOf(kernel("gemm", 0)));
    QTRY_VERIFY(view().light().name.has_value());
    QTest::keyClick(&view(), Qt::Key_H);
    QTRY_COMPARE(selection.highlighted(ReportId{}).size(), 4U);
    selection.setHighlighted(ReportId{}, {kernel("softmax")}); // as the evidence of a finding
    QCOMPARE(m_pane->chips().texts(), QStringList("1 event highlighted"));
    QTest::mouseMove(rows(), pointOf(kernel("gemm", 1)));
    QTRY_VERIFY(view().light().name && view().light().name->name == "gemm");
    QTest::keyClick(&view(), Qt::Key_H); // they are not those of the name
    QTRY_COMPARE(selection.highlighted(ReportId{}).size(), 4U);
    selection.highlightName(EventKind::Kernel, "softmax"); // as the legend does
    QTRY_COMPARE(selection.highlighted(ReportId{}).size(), 1U);
    QCOMPARE(m_pane->chips().texts(), QStringList(QString::fromUtf8("highlighted: 1 \u00d7 softmax")));
}

void HoverTest::nvtxLightsItsKernels()
{
    EventColors colors(m_trace, Theme::light(), ColorBy::Kind);
    const auto inkOf = [&](EventRef event) {
        return rows()->grab().toImage().pixelColor(pointOf(event) + QPoint(0, 6)).rgb();
    };
    EventRef forward;
    for (EventIndex i = 0; i < m_trace->nvtx().size(); ++i) {
        if (m_trace->name({EventKind::Nvtx, i}) == "forward")
            forward = {EventKind::Nvtx, i};
    }
    QVERIFY(forward.valid());
    QTest::mouseClick(rows(), Qt::LeftButton, {}, pointOf(forward));
    QCOMPARE(m_session->selection().ownCurrentEvent(), forward);
    QVERIFY(view().light().work.has_value());
    // Launched inside at 0, 20 and 60 us; the fourth at 130.
    for (const std::size_t inside : {0, 1, 2})
        QVERIFY(!view().light().work->dims(*m_trace, kernel("gemm", inside)));
    QVERIFY(view().light().work->dims(*m_trace, kernel("gemm", 3)));
    QVERIFY(!view().light().work->dims(*m_trace, forward));
    QCOMPARE(inkOf(kernel("gemm", 2)), colors(kernel("gemm", 2)));
    QVERIFY(inkOf(kernel("softmax")) != colors(kernel("softmax")));
    QTest::keyClick(&view(), Qt::Key_Escape);
    QCOMPARE(inkOf(kernel("softmax")), colors(kernel("softmax")));
}

void HoverTest::waitsOfStreamsHaveArrows()
{
    QTest::mouseClick(rows(), Qt::LeftButton, {}, pointOf(kernel("consumer")));
    const auto holding = [&]() -> const EventLink* {
        for (const EventLink& link : view().links()) {
            if (link.holds)
                return &link;
        }
        return nullptr;
    };
    QTRY_VERIFY(holding());
    QCOMPARE(holding()->event.event, kernel("producer"));
    QVERIFY(!holding()->after);
    QVERIFY2(holding()->text.contains("waits") && holding()->text.contains("for producer on"),
        qPrintable(holding()->text));
    // The arrow is there: its colour between the end of one and the start of the other.
    const QPoint from = pointOf(kernel("producer"));
    const QPoint to = pointOf(kernel("consumer"));
    const int left = static_cast<int>(view().axis().xAt(290 * us));
    QVERIFY(
        pixelsOf(Theme::light().accent,
            QRect(QPoint(left, std::min(from.y(), to.y())), QPoint(to.x() + 60, std::max(from.y(), to.y()))))
        > 5);
    QTest::mouseClick(rows(), Qt::LeftButton, {}, pointOf(kernel("producer")));
    QTRY_VERIFY(holding() && holding()->after);
}

void HoverTest::hintsLeadOutOfSight()
{
    const EventRef consumer = kernel("consumer");
    m_session->time().show({299 * us, 312 * us});
    QTest::mouseClick(rows(), Qt::LeftButton, {}, pointOf(consumer));
    QTRY_VERIFY(!view().linkHints().empty()); // its launch was at 230 us
    const LinkHint hint = view().linkHints().front();
    QVERIFY2(hint.text.startsWith(QChar(0x25c0)), qPrintable(hint.text));
    QVERIFY(hint.place.left() <= 2);
    QTest::mouseClick(rows(), Qt::LeftButton, {}, hint.place.center());
    QCOMPARE(m_session->selection().currentEvent(), hint.target);
    QTRY_VERIFY(m_session->time().shown().overlaps(m_session->workspace().range(hint.target)));
    // The second click of two is meant for the hint, too, and not for an event that came below the mouse.
    const TimeRange shown = m_session->time().shown();
    const QPoint at = pointOf(hint.target.event);
    QMouseEvent again(QEvent::MouseButtonDblClick, at, rows()->mapToGlobal(at), Qt::LeftButton,
        Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(rows(), &again);
    QCOMPARE(m_session->time().shown(), shown);
}

void HoverTest::labelsMarkLinkedRows()
{
    const EventRef gemm = kernel("gemm", 0);
    const EventRef launch = m_trace->apiCallOf(gemm);
    m_session->selection().setCurrentEvent({ReportId{}, gemm});
    QTRY_VERIFY(!view().linkedRows().empty());
    const PlacedRow* const row = view().visibleRowOf({ReportId{}, launch});
    QCOMPARE(view().linkedRows().front().first, row->row);
    QWidget& labels = m_pane->labels();
    const QPoint mark(labels.width() - 6 - 8, row->y - view().offset() + 10);
    QVERIFY(labels.grab().toImage().pixelColor(mark) == Theme::light().accent);
    QTest::mouseClick(&labels, Qt::LeftButton, {}, mark);
    QCOMPARE(m_session->selection().ownCurrentEvent(), launch);
    // Folded away, the heading has it.
    m_session->selection().setCurrentEvent({ReportId{}, gemm});
    RowId top = row->row;
    while (m_rows->row(top).parent != RowTree::root)
        top = m_rows->row(top).parent;
    m_session->rowView().setExpanded(top, false);
    QCOMPARE(view().linkedRows().front().first, top);
}

void HoverTest::keysGoAlongTheChain()
{
    const EventRef softmax = kernel("softmax");
    m_session->selection().setCurrentEvent({ReportId{}, m_trace->apiCallOf(softmax)});
    QTest::keyClick(&view(), Qt::Key_BracketRight);
    QTRY_COMPARE(m_session->selection().ownCurrentEvent(), softmax);
    QTest::keyClick(&view(), Qt::Key_BracketRight);
    QTRY_VERIFY(m_trace->name(m_session->selection().ownCurrentEvent()).starts_with("cudaDeviceSynchronize"));
    QTest::keyClick(&view(), Qt::Key_BracketLeft);
    QTRY_COMPARE(m_session->selection().ownCurrentEvent(), softmax);
    QTest::keyClick(&view(), Qt::Key_BracketLeft);
    QTRY_COMPARE(m_session->selection().ownCurrentEvent(), m_trace->apiCallOf(softmax));
}

void HoverTest::namesFitTheRoom()
{
    DrawnProgram program;
    program.kernel("void lib::softmax_warp_forward<float, 10>(float *, int)", 0, {10 * us, 30 * us});
    const auto trace = program.finish();
    SliceNames names(trace);
    const EventRef event{EventKind::Kernel, 0};
    const QFontMetricsF metrics(names.font());
    const auto shown = [&](const QString& room) {
        const QStaticText* const text
            = names.nameFor(event, static_cast<int>(metrics.horizontalAdvance(room)) + 8);
        return text ? text->text() : QString();
    };
    QCOMPARE(shown("lib::softmax_warp_forward<float, 10>"), QString("lib::softmax_warp_forward<float, 10>"));
    QCOMPARE(shown("lib::softmax_warp_forward"), QString("lib::softmax_warp_forward"));
    QCOMPARE(shown("softmax_warp_forward"), QString("softmax_warp_forward"));
    const QString cut = shown("softmax_warp_for");
    QVERIFY2(cut.startsWith("softm") && cut.endsWith("ward") && cut.contains(QChar(0x2026)), qPrintable(cut));
    // Centred in the visible part: equal space on both sides.
    m_session->time().show({70 * us, 200 * us});
    const EventRef softmax = kernel("softmax");
    const PlacedRow* const row = view().visibleRowOf({ReportId{}, softmax});
    const QImage image = rows()->grab().toImage();
    const int left = static_cast<int>(view().axis().xAt(170 * us));
    const int right = rows()->width(); // it ends beyond
    const int y = row->y - view().offset();
    EventColors colors(m_trace, Theme::light(), ColorBy::Kind);
    int first = right;
    int last = left;
    for (int x = left + 3; x < right - 1; ++x) {
        for (int dy = 4; dy < 17; ++dy) {
            if (image.pixelColor(x, y + dy).rgb() != colors(softmax)) {
                first = std::min(first, x);
                last = std::max(last, x);
            }
        }
    }
    QVERIFY(first < last);
    QVERIFY2(std::abs((first - left) - (right - last)) <= 6,
        qPrintable(QString("%1 %2 %3 %4").arg(left).arg(first).arg(last).arg(right)));
}

/// In the largest text size of the preferences nothing of a name is above or below its bar.
void HoverTest::largeNamesFitTheBar()
{
    const auto restore = qScopeGuard([font = QApplication::font()] { QApplication::setFont(font); });
    QFont large = QApplication::font();
    large.setPointSize(14);
    QApplication::setFont(large);
    DrawnProgram program;
    program.range("big_step", {0, 50 * us});
    SliceNames names(program.finish());
    constexpr int around = 20;
    const int bar = inTextSize(RowLanes::laneHeight) - 1; // a gap is below it
    QImage image(300, bar + 2 * around, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    const QStaticText* const name = names.nameFor({EventKind::Nvtx, 0}, image.width());
    QVERIFY(name);
    painter.setFont(names.font());
    painter.drawStaticText(QPointF(0, around + names.topIn(bar)), *name);
    painter.end();
    const auto isBlank = [&image](int from, int to) {
        for (int y = from; y < to; ++y) {
            for (int x = 0; x < image.width(); ++x) {
                if (qGray(image.pixel(x, y)) < 200)
                    return false;
            }
        }
        return true;
    };
    QVERIFY(isBlank(0, around) && !isBlank(around, around + bar));
    QVERIFY(isBlank(around + bar, image.height()));
}

void HoverTest::longNamesKeepTheTipSmall()
{
    DrawnProgram program;
    std::string name
        = "void cutlass::Kernel2<cutlass_80_tensorop_f16_s16816gemm_relu_f16_256x128_32x3_nn_align8";
    for (int i = 0; i < 20; ++i)
        name += ", cutlass::layout::PitchLinearShape<" + std::to_string(i) + ", 128>";
    program.kernel(name + ">(cutlass::Params)", 0, {10 * us, 30 * us});
    const std::string range = "a very long layer name of a model " + std::string(300, 'x') + " layer 17";
    program.range(range, {0, 50 * us});
    const auto trace = program.finish();
    for (const EventRef event : {EventRef{EventKind::Kernel, 0}, EventRef{EventKind::Nvtx, 0}}) {
        QLabel tip(eventTip(*trace, event));
        tip.setTextFormat(Qt::RichText);
        QVERIFY2(tip.sizeHint().width() < 560 && tip.sizeHint().height() < 330,
            qPrintable(QString("%1 x %2").arg(tip.sizeHint().width()).arg(tip.sizeHint().height())));
    }
    QVERIFY(eventTip(*trace, {EventKind::Nvtx, 0}).contains("layer 17")); // cut in the middle
    // Calls are compared by name, without the version suffix of the runtime.
    DrawnProgram calls;
    calls.call("cudaMemcpy2D_v3020", {0, ms});
    const auto made = calls.finish();
    const QString tip = eventTip(*made, {EventKind::ApiCall, 0});
    QVERIFY2(tip.startsWith("<b>cudaMemcpy2D</b>") && !tip.contains("_v3020"), qPrintable(tip));
}

void HoverTest::namesCutInTheMiddleStayApart()
{
    DrawnProgram program;
    program.range("transformer.encoder.layer.11", {0, 50 * us});
    program.range("transformer.encoder.layer.12", {60 * us, 90 * us});
    const auto trace = program.finish();
    SliceNames names(trace);
    const int room = static_cast<int>(QFontMetricsF(names.font()).horizontalAdvance("transformer.enc"));
    QVERIFY(names.nameFor({EventKind::Nvtx, 0}, room)->text().endsWith("11"));
    QVERIFY(names.nameFor({EventKind::Nvtx, 1}, room)->text().endsWith("12"));
}

/// Like autograd's thread while the main thread is in backward(): highlighted in the timeline, listed in
/// Details.
void HoverTest::nvtxLightsWhatOtherThreadsLaunchMeanwhile()
{
    DrawnProgram program;
    program.range("backward", {100 * us, 500 * us});
    program.kernel("own", 110 * us, {120 * us, 121 * us});
    program.kernel("grad", 200 * us, {210 * us, 400 * us}, {.tid = 2});
    program.kernel("later", 600 * us, {610 * us, 700 * us}, {.tid = 2});
    const auto trace = program.finish();
    const auto work = workInside(*trace, ReportId{}, 0);
    QVERIFY(work);
    for (EventIndex i = 0; i < trace->kernels().size(); ++i) {
        const EventRef kernel{EventKind::Kernel, i};
        QCOMPARE(work->dims(*trace, kernel), trace->name(kernel) == "later");
    }
    Session session;
    DetailsPanel details(session, Theme::light());
    details.show();
    session.setTrace(trace, buildRows(*trace));
    session.selection().setCurrentEvent(session.idOf({EventKind::Nvtx, 0}));
    QTRY_VERIFY2(details.text().toPlainText().contains("from other threads: 1 piece, 190"),
        qPrintable(details.text().toPlainText()));
    QVERIFY(details.text().toPlainText().contains("from its thread: 1 piece, 1"));
}

WARPLINE_TEST(HoverTest)

} // namespace tst_hover

#include "tst_hover.moc"
