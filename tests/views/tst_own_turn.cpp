// Work in its own turn of the event loop: separate from other painting for the same change.

#include "core/load/load_report.h"
#include "core/rows/row_kind.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"
#include "tests/views/view_test.h"
#include "views/loading/own_turn.h"
#include "views/timeline/row_labels.h"
#include "views/timeline/ruler.h"
#include "views/timeline/timeline_pane.h"

#include <QBackingStore>
#include <QPaintEvent>
#include <QTest>

namespace tst_own_turn {

using namespace warpline;
using namespace warpline::test;

namespace {

/// Records each painting of the window, with the painted widgets.
class Paintings : public QObject {
public:
    void watch(QWidget& widget, const QString& name)
    {
        widget.setObjectName(name);
        widget.installEventFilter(this);
    }
    QStringList take() { return std::exchange(m_seen, {}); }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (event->type() == QEvent::UpdateRequest)
            m_seen << "window";
        if (event->type() == QEvent::Paint)
            m_seen << watched->objectName();
        return false;
    }

private:
    QStringList m_seen;
};

/// A request in one turn is painted in the next.
void paintAll()
{
    for (int turn = 0; turn < 4; ++turn)
        QCoreApplication::processEvents();
}

} // namespace

class OwnTurnTest : public ViewTest {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void isDoneOnceAfterThePainting();
    void cancelForgets();
    void aChosenEventIsPaintedApartFromPanels();
    void aJumpIsPaintedApartAndAPanAtOnce();
    void whatWaitsForItsTurnIsNotPaintedBefore();
    void whatWaitsInAWindowOfAnotherSizeShowsItsGround();
    void whatIsAskedForInEachFrameIsPainted();
    void aPictureDoesNotWait();
    void arrangingLeavesRowsAlone();

private:
    QWidget* rows() const { return m_pane->view().viewport(); }
    QImage seen() const
    {
        auto* const screen = dynamic_cast<QImage*>(m_pane->backingStore()->paintDevice());
        return screen ? screen->copy(QRect(rows()->mapTo(m_pane.get(), QPoint()), rows()->size())) : QImage();
    }
};

void OwnTurnTest::initTestCase()
{
    openSmallReport("tst_own_turn");
}

void OwnTurnTest::init()
{
    showPane({1000, 600});
    QTest::qWait(20);
}

void OwnTurnTest::isDoneOnceAfterThePainting()
{
    QWidget window;
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    QCoreApplication::processEvents();
    Paintings paintings;
    paintings.watch(window, "painted");
    QStringList done;
    OwnTurn turn([&] { done = paintings.take() << "done"; });
    turn.request();
    turn.request();
    QVERIFY(turn.isPending());
    window.update(); // requested later, but runs first
    QCoreApplication::processEvents();
    QCOMPARE(done, QStringList({"window", "painted", "done"}));
    QVERIFY(!turn.isPending());
    done.clear();
    QCoreApplication::processEvents();
    QCOMPARE(done, QStringList());
}

void OwnTurnTest::cancelForgets()
{
    int done = 0;
    OwnTurn turn([&] { ++done; });
    turn.request();
    turn.cancel();
    QVERIFY(!turn.isPending());
    QCoreApplication::processEvents();
    QCOMPARE(done, 0);
    turn.request();
    QCoreApplication::processEvents();
    QCOMPARE(done, 1);
}

void OwnTurnTest::aChosenEventIsPaintedApartFromPanels()
{
    QWidget panel(m_pane.get()); // one that shows the same event
    panel.setGeometry(0, 0, 20, 20);
    panel.show();
    QTest::qWait(20);
    Paintings paintings;
    paintings.watch(*m_pane, "pane");
    paintings.watch(panel, "panel");
    paintings.watch(*rows(), "rows");
    m_session->selection().setCurrentEvent({ReportId{}, {EventKind::Kernel, 0}});
    panel.update();
    paintAll();
    const QStringList seen = paintings.take();
    QVERIFY2(seen.contains("panel") && seen.contains("rows"), qPrintable(seen.join(' ')));
    QVERIFY2(seen.mid(seen.indexOf("panel"), seen.indexOf("rows") - seen.indexOf("panel")).contains("window"),
        qPrintable(seen.join(' ')));
}

void OwnTurnTest::aJumpIsPaintedApartAndAPanAtOnce()
{
    Paintings paintings;
    paintings.watch(*m_pane, "pane");
    paintings.watch(*m_pane->findChild<Ruler*>(), "ruler");
    paintings.watch(*rows(), "rows");
    const auto paintedTogether = [&] {
        paintAll();
        const QStringList seen = paintings.take();
        const qsizetype from = std::min(seen.indexOf("ruler"), seen.indexOf("rows"));
        const qsizetype to = std::max(seen.indexOf("ruler"), seen.indexOf("rows"));
        return from >= 0 && !seen.mid(from, to - from).contains("window");
    };
    const TimeRange all = m_session->session();
    m_session->time().show({all.start, all.start + all.duration() / 4});
    QVERIFY(!paintedTogether());
    m_session->time().panBy(all.duration() / 50);
    QVERIFY(paintedTogether());
    m_session->time().zoomAt(all.start + all.duration() / 8, 0.8);
    QVERIFY(paintedTogether());
    m_session->time().showAll();
    QVERIFY(!paintedTogether());
}

void OwnTurnTest::whatWaitsForItsTurnIsNotPaintedBefore()
{
    const QImage before = seen();
    QVERIFY(!before.isNull());
    m_session->time().selectRange(m_session->session());
    rows()->update(); // as when the window is laid out for the same change
    QCoreApplication::sendPostedEvents(nullptr, QEvent::UpdateRequest);
    QCOMPARE(seen(), before);
    paintAll();
    QVERIFY(seen() != before);
}

void OwnTurnTest::whatWaitsInAWindowOfAnotherSizeShowsItsGround()
{
    m_pane->resize(1100, 700);
    m_session->time().selectRange(m_session->session());
    rows()->update();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::UpdateRequest);
    QImage ground = seen();
    QVERIFY(!ground.isNull());
    ground.fill(Theme::light().background);
    QCOMPARE(seen(), ground);
    paintAll();
    QVERIFY(seen() != ground);
}

void OwnTurnTest::whatIsAskedForInEachFrameIsPainted()
{
    const TimeRange all = m_session->session();
    const QImage before = seen();
    QVERIFY(!before.isNull());
    // Each frame jumps, and so requests another before the previous one is painted.
    for (int frame = 1; frame <= 4; ++frame) {
        m_session->time().show({all.start, all.start + (all.duration() >> (2 * frame))});
        QCoreApplication::processEvents();
    }
    QVERIFY(seen() != before);
}

void OwnTurnTest::aPictureDoesNotWait()
{
    m_session->time().selectRange(m_session->session());
    const QImage asked = rows()->grab().toImage();
    paintAll();
    QCOMPARE(rows()->grab().toImage(), asked);
}

void OwnTurnTest::arrangingLeavesRowsAlone()
{
    Paintings paintings;
    paintings.watch(*m_pane, "pane");
    paintings.watch(*rows(), "rows");
    m_pane->setBadge("A", Qt::darkGreen); // next to the overview
    paintAll();
    const QStringList seen = paintings.take();
    QVERIFY2(seen.contains("pane"), qPrintable(seen.join(' ')));
    QVERIFY2(!seen.contains("rows"), qPrintable(seen.join(' ')));
}

WARPLINE_TEST(OwnTurnTest)

} // namespace tst_own_turn

#include "tst_own_turn.moc"
