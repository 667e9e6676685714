// From event to event with real keys and a real mouse: along the clicked row, into nested events, to the next
// row at the same time; tags for events out of view, and messages where there is nothing.

#include "core/derive/nvtx_projection.h"
#include "core/render/render.h"
#include "core/rows/row_kind.h"
#include "tests/core/findings/drawn_program.h"
#include "tests/support/test_program.h"
#include "tests/views/view_test.h"
#include "views/panels/details_panel.h"
#include "views/style/color_choice.h"
#include "views/timeline/note_label.h"
#include "views/timeline/row_filter.h"
#include "views/timeline/row_glide.h"
#include "views/timeline/ruler.h"
#include "views/timeline/timeline_pane.h"

#include <QApplication>
#include <QLineEdit>
#include <QScrollBar>
#include <QSettings>
#include <QTest>
#include <QWheelEvent>

#include <cmath>

namespace tst_event_walk {

using namespace warpline;
using namespace warpline::test;

class EventWalkTest : public ViewTest {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void downGoesToWhatIsInside();
    void downKeepsTheTimeOverRows();
    void viewMovesTheLeastWay();
    void rightStaysInTheRowThatWasClicked();
    void keysSayWhenThereIsNowhereToGo();
    void rangesLeadToTheGpuAndBack();
    void arrowsEndAtTheLane();
    void tagsHideNoEvents();
    void selectedEventOutOfViewHasATag();
    void cursorIsInTheRulersUnitAndGoes();
    void filterWithoutRowsSaysSo();
    void emptyViewLeadsToWhatIsNearest();
    void rowsGlideWhenAKeyScrolls();
    void keyboardFocusIsSeen();
    void currentEventIsTold();

private:
    EventRef named(EventKind kind, std::string_view name) const;
    QPoint pointOf(EventRef event, double share = 0.5) const;
    void click(EventRef event, double share = 0.5) const;
    void press(int key, int times = 1) const;
    std::string_view current() const;
    QWidget* rows() const { return m_pane->view().viewport(); }
    TimelineView& view() const { return m_pane->view(); }
};

void EventWalkTest::initTestCase()
{
    QCoreApplication::setOrganizationName("warpline-test");
    QCoreApplication::setApplicationName("tst_event_walk");
    DrawnProgram program;
    program.range("outer", {0, 400 * us});
    program.range("left", {5 * us, 100 * us});
    program.range("right", {110 * us, 390 * us});
    program.range("deep a", {120 * us, 130 * us});
    program.range("deep b", {300 * us, 380 * us});
    program.range("late", {900 * us, 905 * us});
    for (Ns i = 0; i < 40; ++i)
        program.event(EventKind::OsRuntime, "read " + std::to_string(i), {i * 10 * us, i * 10 * us + 5 * us});
    program.kernel("gemm", 6 * us, {10 * us, 30 * us});
    program.kernel("softmax", 20 * us, {40 * us, 60 * us}, {.stream = 13});
    program.kernel("layernorm", 60 * us, {70 * us, 130 * us});
    program.kernel("adam", 310 * us, {320 * us, 350 * us}, {.stream = 13});
    program.call("cuInit", {200 * us, 260 * us});
    auto trace = std::make_shared<Trace>(*program.finish());
    trace->tables[indexOf(EventKind::NvtxProjected)] = projectNvtx(*trace);
    m_trace = trace;
    m_rows = buildRows(*m_trace);
}

void EventWalkTest::init()
{
    QSettings().clear();
    ColorChoice::shared().setBy(ColorBy::Kind);
    showPane({1300, 900});
    m_pane->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_pane.get()));
    m_session->time().show({0, 400 * us});
}

EventRef EventWalkTest::named(EventKind kind, std::string_view name) const
{
    for (EventIndex i = 0; i < m_trace->table(kind).size(); ++i) {
        if (m_trace->displayName({kind, i}) == name)
            return {kind, i};
    }
    return {};
}

QPoint EventWalkTest::pointOf(EventRef event, double share) const
{
    const PlacedRow* const row = view().visibleRowOf({ReportId{}, event});
    if (!row)
        return {-1, -1};
    const TimeRange range = m_trace->range(event);
    const auto along = static_cast<Ns>(std::llround(static_cast<double>(range.duration()) * share));
    const double x = view().axis().xAt(range.start + along);
    const auto depth = static_cast<int>(m_trace->table(event.kind).depthOf(event.index));
    const int lane = m_rows->row(row->row).drawing == Drawing::Slices ? depth : 0;
    return {static_cast<int>(std::lround(x)),
        row->y - view().offset() + 2 + lane * RowLayout::laneHeight + RowLayout::laneHeight / 2};
}

void EventWalkTest::click(EventRef event, double share) const
{
    QTest::mouseMove(rows(), pointOf(event, share));
    QTest::mouseClick(rows(), Qt::LeftButton, {}, pointOf(event, share));
    QEvent leave(QEvent::Leave); // the click counts, not the current position of the mouse
    QApplication::sendEvent(rows(), &leave);
    QCOMPARE(m_session->selection().ownCurrentEvent(), event);
}

void EventWalkTest::press(int key, int times) const
{
    for (int i = 0; i < times; ++i)
        QTest::keyClick(&view(), static_cast<Qt::Key>(key));
}

std::string_view EventWalkTest::current() const
{
    const EventRef event = m_session->selection().ownCurrentEvent();
    return event.valid() ? m_trace->displayName(event) : std::string_view("none");
}

void EventWalkTest::downGoesToWhatIsInside()
{
    click(named(EventKind::Nvtx, "outer"), 0.8); // at 320 us
    press(Qt::Key_Down);
    QCOMPARE(current(), std::string_view("right"));
    press(Qt::Key_Down);
    QCOMPARE(current(), std::string_view("deep b"));
    press(Qt::Key_Up, 2);
    QCOMPARE(current(), std::string_view("outer"));
    // If nothing is nested at that time, the nearest nested event.
    click(named(EventKind::Nvtx, "outer"), 0.26);
    press(Qt::Key_Down);
    QCOMPARE(current(), std::string_view("left"));
    press(Qt::Key_Up);
    QCOMPARE(current(), std::string_view("outer"));
}

void EventWalkTest::downKeepsTheTimeOverRows()
{
    const TimeRange shown = m_session->time().shown();
    click(named(EventKind::Nvtx, "outer"), 0.83); // at 332 us
    press(Qt::Key_Down, 2);
    QCOMPARE(current(), std::string_view("deep b")); // begins at 300 us
    // On through all rows: the event at 332 us, or nearest to it, never the one at the start of the previous
    // event.
    for (int i = 0; i < 12; ++i) {
        const EventRef before = m_session->selection().ownCurrentEvent();
        press(Qt::Key_Down);
        const EventRef now = m_session->selection().ownCurrentEvent();
        if (now == before)
            break;
        if (now.kind == EventKind::OsRuntime)
            QCOMPARE(current(), std::string_view("read 33"));
        QVERIFY2(now.kind != EventKind::Kernel || m_trace->range(now).start >= 70 * us, current().data());
    }
    QCOMPARE(m_session->time().shown(), shown); // all of it was visible
}

void EventWalkTest::viewMovesTheLeastWay()
{
    const EventRef deep = named(EventKind::Nvtx, "deep a");
    m_session->time().show({120 * us, 140 * us});
    click(deep);
    press(Qt::Key_Up, 2);
    QCOMPARE(current(), std::string_view("outer"));
    QCOMPARE(
        m_session->time().shown(), (TimeRange{120 * us, 140 * us})); // a part of it is visible: nothing moves
    // The view moves by the smallest distance.
    m_session->time().show({210 * us, 220 * us});
    click(named(EventKind::ApiCall, "cuInit"), 0.25);
    for (int i = 0; i < 12 && m_session->time().shown() == TimeRange{210 * us, 220 * us}; ++i)
        press(Qt::Key_Up);
    const TimeRange now = m_session->time().shown();
    const TimeRange event = m_session->workspace().range(m_session->selection().currentEvent());
    QCOMPARE(now.duration(), 10 * us);
    QVERIFY(now.touches(event.start, event.end));
}

void EventWalkTest::rightStaysInTheRowThatWasClicked()
{
    const RowTree& tree = *m_rows;
    const EventRef gemm = named(EventKind::Kernel, "gemm");
    // Streams are folded away: the row above shows them all in one line.
    std::vector<RowId> folded;
    for (const RowId each : tree.subtree(RowTree::root)) {
        const std::string label = plain(tree.row(each).label);
        if (label.starts_with("Stream") || label.starts_with("Default stream"))
            folded.push_back(tree.row(each).parent);
    }
    QVERIFY(!folded.empty());
    for (const RowId each : folded)
        m_session->rowView().setExpanded(each, false);
    RowLayout layout;
    layout.rebuild(*m_session);
    const auto row = std::ranges::find_if(layout.rows(), [&](const PlacedRow& placed) {
        const auto& tracks = tree.row(placed.row).tracks;
        return tracks.size() > 1 && std::ranges::find(tracks, m_trace->trackOf(gemm)) != tracks.end();
    });
    QVERIFY(row != layout.rows().end());
    const QPoint at(static_cast<int>(view().axis().xAt(20 * us)), row->y - view().offset() + row->height / 2);
    QTest::mouseClick(rows(), Qt::LeftButton, {}, at);
    QCOMPARE(m_session->selection().ownCurrentEvent(), gemm);
    press(Qt::Key_Right);
    QCOMPARE(current(), std::string_view("softmax")); // of another stream
    press(Qt::Key_Right, 2);
    QCOMPARE(current(), std::string_view("adam"));
    press(Qt::Key_Left, 2);
    QCOMPARE(current(), std::string_view("softmax"));
    for (const RowId each : folded)
        QVERIFY(!m_session->rowView().isExpanded(each)); // nothing unfolds
}

void EventWalkTest::keysSayWhenThereIsNowhereToGo()
{
    const EventRef init = named(EventKind::ApiCall, "cuInit");
    click(init);
    const TimeRange shown = m_session->time().shown();
    QVERIFY(!view().note().isVisible());
    press(Qt::Key_BracketRight);
    QTRY_VERIFY(view().note().isVisible());
    QCOMPARE(view().note().text(), QString("cuInit starts no GPU work and waits for none."));
    QCOMPARE(m_session->selection().ownCurrentEvent(), init);
    QCOMPARE(m_session->time().shown(), shown);
    QVERIFY(rows()->rect().contains(view().note().geometry()));
    click(named(EventKind::Kernel, "gemm"));
    QVERIFY(!view().note().isVisible());
    press(Qt::Key_BracketRight);
    QTRY_COMPARE(view().note().text(), QString("Nothing in the report waits for gemm."));
}

void EventWalkTest::rangesLeadToTheGpuAndBack()
{
    const EventRef left = named(EventKind::Nvtx, "left");
    const EventRef shown = named(EventKind::NvtxProjected, "left");
    QVERIFY(shown.valid());
    click(left);
    QTRY_VERIFY(std::ranges::any_of(view().links(), [&](const EventLink& link) {
        return link.event.event == shown && link.after; // an arrow leads there
    }));
    const QString html = eventHtml(*m_trace, left, {}, {});
    QVERIFY2(html.contains(QString("<a href='event:%1:%2'>left on the GPU</a> 120.0")
                               .arg(indexOf(EventKind::NvtxProjected))
                               .arg(shown.index)),
        qPrintable(html)); // from 10 to 130 us
    press(Qt::Key_BracketRight);
    QTRY_COMPARE(m_session->selection().ownCurrentEvent(), shown);
    QVERIFY(eventHtml(*m_trace, shown, {}, {}).contains("left on the host</a>"));
    press(Qt::Key_BracketLeft);
    QTRY_COMPARE(m_session->selection().ownCurrentEvent(), left);
    click(named(EventKind::Nvtx, "deep a"));
    press(Qt::Key_BracketRight);
    QTRY_COMPARE(view().note().text(), QString("No GPU work was launched inside deep a."));
}

void EventWalkTest::arrowsEndAtTheLane()
{
    // "right" is in the second of three lanes of its row; on the GPU it is somewhere else.
    const EventRef right = named(EventKind::Nvtx, "right");
    m_session->time().show({100 * us, 400 * us});
    click(right, 0.1);
    QTRY_VERIFY(!view().links().empty());
    QTest::mouseMove(rows(), QPoint(3, rows()->height() - 3));
    const QImage image = rows()->grab().toImage();
    const QPoint lane = pointOf(right, 0);
    const auto inkAt = [&](int y) {
        int ink = 0;
        for (int x = lane.x() + 4; x < lane.x() + 14; ++x) {
            const QColor seen = image.pixelColor(x, y);
            const QColor accent = Theme::light().accent;
            const int off = std::abs(seen.red() - accent.red()) + std::abs(seen.green() - accent.green());
            ink += off < 90 ? 1 : 0;
        }
        return ink;
    };
    int inLane = 0;
    for (int y = lane.y() - 2; y <= lane.y() + 1; ++y)
        inLane += inkAt(y);
    QVERIFY2(inLane > 5, qPrintable(QString::number(inLane)));
}

void EventWalkTest::tagsHideNoEvents()
{
    m_session->time().show({312 * us, 352 * us});
    const EventRef adam = named(EventKind::Kernel, "adam");
    click(adam);
    QTRY_VERIFY(!view().linkHints().empty()); // its launch was at 310 us
    const LinkHint hint = view().linkHints().front();
    QVERIFY2(hint.text.contains("cuda") || hint.text.contains("Launch"), qPrintable(hint.text));
    QVERIFY2(hint.place.width() <= 30, qPrintable(QString::number(hint.place.width())));
    QCOMPARE(hint.mark, QString(QChar(0x25c0)));
    // The tooltip has its text; a click goes there.
    QTest::mouseMove(rows(), hint.place.center());
    QTRY_VERIFY(view().tip().isVisible());
    QCOMPARE(view().tip().text(), hint.text.toHtmlEscaped());
    QTest::mouseClick(rows(), Qt::LeftButton, {}, hint.place.center());
    QCOMPARE(m_session->selection().ownCurrentEvent(), m_trace->apiCallOf(adam));
}

void EventWalkTest::selectedEventOutOfViewHasATag()
{
    const EventRef gemm = named(EventKind::Kernel, "gemm");
    click(gemm);
    const auto own = [&]() -> std::optional<LinkHint> {
        for (const LinkHint& hint : view().linkHints()) {
            if (hint.isCurrent)
                return hint;
        }
        return std::nullopt;
    };
    QVERIFY(!own());
    m_session->time().show({200 * us, 300 * us});
    QVERIFY(own());
    QVERIFY2(own()->text.contains("gemm"), qPrintable(own()->text));
    for (const auto& [points, height] : {std::pair(10, 17), std::pair(18, 31)}) {
        const TextSize size(points);
        QVERIFY(own());
        QCOMPARE(own()->place.height(), height);
    }
    QVERIFY(std::abs(own()->place.center().y() - pointOf(gemm).y()) <= 3); // next to its lane
    for (const LinkHint& hint : view().linkHints())
        QVERIFY(hint.isCurrent || !hint.place.intersects(own()->place));
    QTest::mouseClick(rows(), Qt::LeftButton, {}, own()->place.center());
    QCOMPARE(m_session->selection().ownCurrentEvent(), gemm);
    QVERIFY(m_session->time().shown().overlaps(m_trace->range(gemm)));
    QVERIFY(!own());
}

void EventWalkTest::cursorIsInTheRulersUnitAndGoes()
{
    Ruler& ruler = m_pane->ruler();
    QTest::mouseMove(rows(), QPoint(300, 5));
    QTRY_VERIFY(!ruler.cursorLabel().isEmpty());
    QVERIFY2(ruler.cursorLabel().endsWith(QString::fromUtf8(" \u00b5s")), qPrintable(ruler.cursorLabel()));
    m_session->time().show({2'000 * us, 2'100 * us}); // beyond the end: the visible range is clipped
    m_session->time().show({0, 400 * us});
    // Over the ruler too, and away from it.
    QTest::mouseMove(&ruler, QPoint(200, 5));
    QTRY_VERIFY(!ruler.cursorLabel().isEmpty());
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(&ruler, &leave);
    QVERIFY(ruler.cursorLabel().isEmpty());
    ruler.setCursor(800 * us); // the cursor of another timeline, out of view here
    QVERIFY(ruler.cursorLabel().isEmpty());
    // Details and tooltips use the same unit.
    const QString html = eventHtml(*m_trace, named(EventKind::Kernel, "gemm"), {}, {});
    QVERIFY2(html.contains(QString::fromUtf8("10.000 \u00b5s")), qPrintable(html));
}

void EventWalkTest::filterWithoutRowsSaysSo()
{
    QVERIFY(view().emptyText().isEmpty());
    auto* const field = m_pane->findChild<QLineEdit*>("row-filter");
    field->setFocus();
    QTest::keyClicks(field, "zzz");
    QTRY_COMPARE(view().emptyText(), QString::fromUtf8("No row matches \u201czzz\u201d."));
    const QImage said = rows()->grab().toImage();
    int ink = 0;
    for (int x = -60; x < 60; ++x) {
        for (int y = -8; y < 8; ++y)
            ink += said.pixelColor(rows()->rect().center() + QPoint(x, y)) != Theme::light().background ? 1
                                                                                                        : 0;
    }
    QVERIFY(ink > 40);
    field->clear();
    QTRY_VERIFY(view().emptyText().isEmpty());
}

void EventWalkTest::emptyViewLeadsToWhatIsNearest()
{
    m_session->time().show({500 * us, 600 * us});
    rows()->grab(); // painting finds it
    QCOMPARE(view().emptyText(), QString("No events in this range."));
    const std::vector<LinkHint> hints = view().linkHints();
    QCOMPARE(hints.size(), std::size_t{2});
    QCOMPARE(hints[0].target.event, named(EventKind::Nvtx, "outer"));
    QCOMPARE(hints[1].target.event, named(EventKind::Nvtx, "late"));
    QVERIFY2(hints[0].mark.contains(QString::fromUtf8("100.0 \u00b5s earlier")), qPrintable(hints[0].mark));
    QVERIFY(!hints[0].place.intersects(hints[1].place));
    QTest::mouseClick(rows(), Qt::LeftButton, {}, hints[1].place.center());
    QCOMPARE(current(), std::string_view("late"));
    QVERIFY(m_session->time().shown().overlaps({900 * us, 905 * us}));
    QVERIFY(view().emptyText().isEmpty());
}

void EventWalkTest::rowsGlideWhenAKeyScrolls()
{
    m_pane->resize(1300, 180);
    QTest::qWait(10);
    QScrollBar& bar = *view().verticalScrollBar();
    QVERIFY(bar.maximum() > 60);
    bar.setValue(0);
    qint64 now = 5'000'000'000;
    m_session->time().glide().driveBy([&now] { return now; });
    m_session->time().glide().setOn(true);
    const EventRef far = named(EventKind::OsRuntime, "read 3");
    m_session->selection().goToAtScale({ReportId{}, far});
    const int target = view().rowGlide().target();
    QVERIFY(target > 0);
    QCOMPARE(bar.value(), 0); // it has not left yet
    std::vector<int> steps{0};
    for (int i = 0; i < 4; ++i) {
        now += 70'000'000;
        view().rowGlide().step();
        steps.push_back(bar.value());
    }
    QCOMPARE(bar.value(), target); // after 280 ms
    QVERIFY(steps[1] - steps[0] >= steps[3] - steps[2]); // slower at the end
    // A hand that scrolls is the motion itself.
    m_session->selection().goToAtScale({ReportId{}, named(EventKind::Kernel, "gemm")});
    QVERIFY(view().rowGlide().isMoving());
    QWheelEvent wheel(QPoint(50, 50), rows()->mapToGlobal(QPoint(50, 50)), {}, {0, -120}, Qt::NoButton, {},
        Qt::NoScrollPhase, false);
    QApplication::sendEvent(rows(), &wheel);
    QVERIFY(!view().rowGlide().isMoving());
    m_session->time().glide().setOn(false);
    m_session->selection().goToAtScale({ReportId{}, far});
    QCOMPARE(bar.value(), view().rowGlide().target());
}

void EventWalkTest::keyboardFocusIsSeen()
{
    const auto edge = [&] { return rows()->grab().toImage().pixelColor(1, rows()->height() / 2); };
    m_pane->findChild<QLineEdit*>("row-filter")->setFocus();
    QVERIFY(edge() != Theme::light().accent);
    view().setFocus(Qt::TabFocusReason);
    QCOMPARE(edge(), Theme::light().accent);
    QTest::mouseClick(rows(), Qt::LeftButton, {}, QPoint(300, rows()->height() - 3));
    QVERIFY(edge() != Theme::light().accent); // no focus frame after a click: the user knows where the focus
                                              // is
}

void EventWalkTest::currentEventIsTold()
{
    click(named(EventKind::Kernel, "gemm"));
    const QString told = view().accessibleDescription();
    QVERIFY2(
        told.startsWith(QString::fromUtf8("gemm, 20.00 \u00b5s, at 10.000 \u00b5s, in ")), qPrintable(told));
    press(Qt::Key_Escape);
    QVERIFY(view().accessibleDescription().isEmpty());
}

WARPLINE_TEST(EventWalkTest)

} // namespace tst_event_walk

#include "tst_event_walk.moc"
