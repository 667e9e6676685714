// Custom-painted widgets for screen readers: through QAccessible.

#include "core/render/render.h"
#include "core/rows/row_kind.h"
#include "tests/core/findings/drawn_program.h"
#include "tests/support/test_program.h"
#include "views/session/idle_books.h"
#include "views/style/color_choice.h"
#include "views/style/idle_look.h"
#include "views/timeline/color_legend.h"
#include "views/timeline/overview.h"
#include "views/timeline/row_labels.h"
#include "views/timeline/timeline_pane.h"

#include <QAccessible>
#include <QLabel>
#include <QLineEdit>
#include <QSettings>
#include <QTest>

namespace tst_accessibility {

using namespace warpline;
using namespace warpline::test;

class AccessibilityTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void rowsAreATree();
    void rowsOpenAndAreChosen();
    void itemsOfTheReportBeforeDoNothing();
    void readersMayAskBeforeRowsAreLaidOut();
    void eventsInViewAreTold();
    void eventsFollowTheView();
    void minimapTellsTheRange();
    void rowsTakeTheKeyboard();
    void sharesAreOfTheView();
    void idleTimeIsHatchedAndNamed();
    void leftAndRightKeepTheScale();

private:
    static QAccessibleInterface* of(QWidget& widget)
    {
        return QAccessible::queryAccessibleInterface(&widget);
    }
    /// The child named `name`; nullptr: there is none.
    static QAccessibleInterface* childOf(QWidget& widget, const QString& name)
    {
        for (int i = 0; i < of(widget)->childCount(); ++i) {
            QAccessibleInterface* const child = of(widget)->child(i);
            if (child->text(QAccessible::Name) == name)
                return child;
        }
        return nullptr;
    }
    static void act(QAccessibleInterface& item, const QString& action)
    {
        item.actionInterface()->doAction(action);
    }

    std::shared_ptr<const Trace> m_trace;
    std::shared_ptr<const RowTree> m_rows;
    std::unique_ptr<Session> m_session;
    std::unique_ptr<TimelinePane> m_pane;
};

void AccessibilityTest::initTestCase()
{
    QCoreApplication::setOrganizationName("warpline-test");
    QCoreApplication::setApplicationName("tst_accessibility");
    DrawnProgram program;
    program.range("step", {0, 390 * us});
    program.kernel("gemm", 0, {10 * us, 110 * us});
    program.call("cudaDeviceSynchronize_v3020", {20 * us, 305 * us});
    program.kernel("softmax", 306 * us, {310 * us, 390 * us});
    program.copy({395 * us, 396 * us}, {397 * us, 400 * us});
    m_trace = program.finish();
    m_rows = buildRows(*m_trace);
}

void AccessibilityTest::init()
{
    QSettings().clear();
    ColorChoice::shared().reload();
    m_pane.reset();
    m_session = std::make_unique<Session>();
    m_pane = std::make_unique<TimelinePane>(*m_session, Theme::light());
    m_pane->resize(1200, 500);
    m_session->setTrace(m_trace, m_rows);
    m_pane->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_pane.get()));
    QTRY_VERIFY(m_session->idle().find(ReportId{}));
    m_session->time().show({0, 400 * us});
}

void AccessibilityTest::rowsAreATree()
{
    QAccessibleInterface* const tree = of(m_pane->labels());
    QVERIFY(tree);
    QCOMPARE(tree->role(), QAccessible::Tree);
    RowLayout layout;
    layout.rebuild(*m_session);
    QCOMPARE(tree->childCount(), static_cast<int>(layout.rows().size()));
    for (int i = 0; i < tree->childCount(); ++i) {
        QAccessibleInterface* const item = tree->child(i);
        const PlacedRow& placed = layout.rows()[static_cast<std::size_t>(i)];
        QCOMPARE(item->role(), QAccessible::TreeItem);
        QCOMPARE(item->text(QAccessible::Name), QString::fromStdString(plain(m_rows->row(placed.row).label)));
        QCOMPARE(item->parent(), tree);
        QCOMPARE(tree->indexOfChild(item), i);
        QCOMPARE(bool(item->state().expandable), placed.hasChildren);
        QCOMPARE(bool(item->state().expanded), placed.hasChildren && placed.open);
        // ... and a finger on it finds it.
        QCOMPARE(tree->childAt(item->rect().center().x(), item->rect().center().y()), item);
    }
    // 180 of 400 us in kernels, 3 in the copy.
    QAccessibleInterface* const gpu = tree->child(0);
    QVERIFY(gpu->text(QAccessible::Name).startsWith("GPU 0"));
    QVERIFY2(gpu->text(QAccessible::Description).contains("45.8% of the view"),
        qPrintable(gpu->text(QAccessible::Description)));
    m_session->time().show({0, 200 * us});
    QTest::qWait(120);
    QVERIFY2(gpu->text(QAccessible::Description).contains("50.0% of the view"),
        qPrintable(gpu->text(QAccessible::Description)));
    QVERIFY(!tree->child(tree->childCount()));
}

void AccessibilityTest::rowsOpenAndAreChosen()
{
    QWidget& labels = m_pane->labels();
    QAccessibleInterface* const gpu = of(labels)->child(0);
    const int before = of(labels)->childCount();
    QVERIFY(gpu->actionInterface()->actionNames().contains(QAccessibleActionInterface::toggleAction()));
    act(*gpu, QAccessibleActionInterface::toggleAction());
    QVERIFY(of(labels)->childCount() < before);
    QVERIFY(!gpu->state().expanded && gpu->state().collapsed);
    act(*gpu, QAccessibleActionInterface::toggleAction());
    QCOMPARE(of(labels)->childCount(), before);
    QAccessibleInterface* const kernels = childOf(labels, "Kernels");
    QVERIFY(kernels);
    act(*kernels, QAccessibleActionInterface::pressAction());
    QCOMPARE(m_session->selection().selectedRows().size(), std::size_t{1});
    QCOMPARE(plain(m_rows->row(m_session->selection().selectedRows().front()).label), std::string("Kernels"));
    QTest::qWait(120);
    QVERIFY(kernels->state().selected);
    QVERIFY(!kernels->actionInterface()->actionNames().contains(QAccessibleActionInterface::toggleAction()));
}

/// A reader may know an item that is there no more.
void AccessibilityTest::itemsOfTheReportBeforeDoNothing()
{
    QAccessibleInterface* const labels = of(m_pane->labels());
    QAccessibleInterface* const last = labels->child(labels->childCount() - 1);
    DrawnProgram program;
    program.range("step", {0, 10 * us});
    const auto few = program.finish();
    m_session->setTrace(few, buildRows(*few));
    last->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
    QVERIFY(m_session->selection().selectedRows().empty());
    // Nor does it press another one that is in its place.
    QAccessibleInterface* const first = labels->child(0);
    const QString name = first->text(QAccessible::Name);
    m_session->setTrace(m_trace, m_rows);
    act(*first, QAccessibleActionInterface::pressAction());
    QVERIFY(m_session->selection().selectedRows().empty());
    (void)labels->childCount(); // asks anew
    QVERIFY(first->text(QAccessible::Name) != name);
    act(*first, QAccessibleActionInterface::pressAction());
    QCOMPARE(m_session->selection().selectedRows().size(), std::size_t{1});
}

/// As when the ranks of other reports come and go: the timeline tells of it before it has the new rows.
void AccessibilityTest::readersMayAskBeforeRowsAreLaidOut()
{
    m_pane.reset();
    Session session;
    std::size_t items = 0;
    connect(&session, &Session::traceChanged, this, [&] {
        if (m_pane)
            items += m_pane->labels().paintedItems().size() + m_pane->view().paintedItems().size();
    });
    m_pane = std::make_unique<TimelinePane>(session, Theme::light()); // hears of the report after that
    m_pane->resize(1200, 500);
    m_pane->show();
    session.setTrace(m_trace, m_rows);
    QVERIFY(!m_pane->labels().paintedItems().empty() && !m_pane->view().paintedItems().empty());
    DrawnProgram program;
    program.range("step", {0, 10 * us});
    const auto few = program.finish();
    session.selection().setCurrentEvent({ReportId{}, {EventKind::Kernel, 0}});
    QVERIFY(!m_pane->view().accessibleDescription().isEmpty());
    session.setTrace(few, buildRows(*few));
    QVERIFY(m_pane->view().accessibleDescription().isEmpty());
    QCOMPARE(items, std::size_t{0});
    QVERIFY(!m_pane->labels().paintedItems().empty());
    m_pane.reset(); // before its session
}

void AccessibilityTest::eventsInViewAreTold()
{
    QWidget& view = m_pane->view();
    QAccessibleInterface* const gemm = childOf(view, "gemm");
    QVERIFY(gemm);
    const QString told = gemm->text(QAccessible::Description);
    QVERIFY2(told.contains(QString::fromUtf8("100.0 \u00b5s")) && told.contains("Kernels"), qPrintable(told));
    const double width = m_pane->view().viewport()->width();
    QVERIFY(std::abs(gemm->rect().width() - width / 4) < 3);
    QVERIFY(childOf(view, "softmax") && childOf(view, "step"));
    act(*gemm, QAccessibleActionInterface::pressAction());
    QCOMPARE(m_trace->name(m_session->selection().currentEvent().event), std::string_view("gemm"));
    view.setFocus();
    QTest::qWait(120);
    QVERIFY(gemm->state().selected);
    QCOMPARE(of(view)->focusChild()->text(QAccessible::Name), QString("gemm"));
    QVERIFY(of(view)->text(QAccessible::Value).contains("400"));
}

void AccessibilityTest::eventsFollowTheView()
{
    QWidget& view = m_pane->view();
    QVERIFY(childOf(view, "gemm"));
    m_session->time().show({200 * us, 400 * us});
    QVERIFY(!childOf(view, "gemm"));
    QVERIFY(childOf(view, "softmax"));
    // An item that has left the view is gone, and accessing it is harmless.
    m_session->time().show({0, 400 * us});
    QAccessibleInterface* const last = of(view)->child(of(view)->childCount() - 1);
    m_session->time().show({120 * us, 130 * us});
    QTest::qWait(120);
    (void)of(view)->childCount();
    QVERIFY(!last->isValid());
    QVERIFY(last->text(QAccessible::Name).isEmpty());
    QCOMPARE(last->rect(), QRect());
}

void AccessibilityTest::minimapTellsTheRange()
{
    auto* const map = m_pane->findChild<Overview*>();
    QVERIFY(map);
    m_session->time().show({100 * us, 200 * us});
    QAccessibleInterface* const shown = childOf(*map, "Shown");
    QVERIFY(shown);
    QVERIFY2(shown->text(QAccessible::Description).contains("100"),
        qPrintable(shown->text(QAccessible::Description)));
    QVERIFY(!childOf(*map, "Selected"));
    m_session->time().selectRange({150 * us, 160 * us});
    QVERIFY(childOf(*map, "Selected"));
    act(*childOf(*map, "The whole report"), QAccessibleActionInterface::pressAction());
    QCOMPARE(m_session->time().shown(), m_session->session());
}

void AccessibilityTest::rowsTakeTheKeyboard()
{
    // From the field of the filter one gets to the rows, and on to the timeline.
    auto* const filter = m_pane->findChild<QLineEdit*>("row-filter");
    filter->setFocus(Qt::TabFocusReason);
    for (int i = 0; i < 5 && !m_pane->labels().hasFocus(); ++i)
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    QVERIFY(m_pane->labels().hasFocus());
    // Its ring is two pixels wide in the accent's colour.
    const QImage image = m_pane->labels().grab().toImage();
    const int middle = image.height() / 2;
    for (int x = 0; x < 2; ++x)
        QCOMPARE(image.pixelColor(x, middle).rgb(), Theme::light().accent.rgb());
    QTest::keyClick(&m_pane->labels(), Qt::Key_Down); // none is selected: the first
    QCOMPARE(m_session->selection().selectedRows().size(), std::size_t{1});
    const RowId first = m_session->selection().selectedRows().front();
    QTest::keyClick(&m_pane->labels(), Qt::Key_Left);
    QVERIFY(!m_session->rowView().isExpanded(first));
    QTest::keyClick(&m_pane->labels(), Qt::Key_Right);
    QVERIFY(m_session->rowView().isExpanded(first));
    QTest::keyClick(&m_pane->labels(), Qt::Key_Down);
    QVERIFY(m_session->selection().selectedRows().front() != first);
    QTest::keyClick(&m_pane->labels(), Qt::Key_Tab);
    QVERIFY(!m_pane->labels().hasFocus());
}

void AccessibilityTest::sharesAreOfTheView()
{
    const auto* const label = m_pane->findChild<QLabel*>("share-label");
    QVERIFY(label && label->isVisible() && label->text().contains("view"));
    RowLabelTexts texts(*m_session, *m_pane);
    const Row& gpu = m_rows->row(m_rows->children(RowTree::root).front());
    m_session->time().show({20 * us, 100 * us});
    QCOMPARE(texts.figureOf(gpu), QString("100.0%"));
    m_session->time().show({120 * us, 300 * us});
    QCOMPARE(texts.figureOf(gpu), QString("0.0%"));
}

void AccessibilityTest::idleTimeIsHatchedAndNamed()
{
    // From 110 to 310 us the GPU waits for the host, which is in cudaDeviceSynchronize until 305.
    const IdleBooks& books = m_session->idle();
    const Row& gpu = m_rows->row(m_rows->children(RowTree::root).front());
    const BudgetPart* const why = books.at(gpu, 200 * us);
    QVERIFY(why && why->cause == IdleCause::HostWait);
    m_session->time().show({120 * us, 300 * us});
    QTRY_VERIFY(m_pane->legend().isReady());
    QTRY_VERIFY(!m_pane->legend().entries().empty());
    QCOMPARE(m_pane->legend().entries().front().text, QString("Idle: synchronization"));
    QVERIFY(m_pane->legend().entries().front().pattern != Qt::SolidPattern);
    QTest::qWait(30);
    const QImage image = m_pane->view().viewport()->grab().toImage();
    int lines = 0;
    for (int x = 400; x < 500; ++x) {
        const QColor back = Theme::light().background;
        const QColor look = idleLook(IdleCause::HostWait, Theme::light()).color;
        const QColor seen = image.pixelColor(x, 8);
        // Nearer to the cause's colour than to the ground.
        lines += std::abs(seen.blue() - look.blue()) < std::abs(seen.blue() - back.blue()) ? 1 : 0;
    }
    QVERIFY2(lines > 8 && lines < 30, qPrintable(QString::number(lines)));
    QTest::mouseMove(m_pane->view().viewport(), QPoint(3, 300));
    QTest::mouseMove(m_pane->view().viewport(), QPoint(450, 8));
    QTRY_VERIFY(m_pane->view().tip().isVisible());
    const QString text = m_pane->view().tip().text();
    QVERIFY2(text.contains(QString::fromUtf8("GPU idle for 200.0 \u00b5s")) && text.contains("synchronizing"),
        qPrintable(text));
}

void AccessibilityTest::leftAndRightKeepTheScale()
{
    // One event after another, also in a row that is folded away: never more than one step of the scale.
    DrawnProgram program;
    program.kernel("long", 0, {10 * us, 300 * us});
    for (Ns i = 0; i < 40; ++i)
        program.kernel("short", 0, {400 * us + i * 10 * us, 400 * us + i * 10 * us + 20});
    program.kernel("far", 0, {90'000 * us, 90'500 * us}, {.stream = 9});
    const auto trace = program.finish();
    for (const bool folded : {false, true}) {
        m_session->setTrace(trace, buildRows(*trace));
        m_session->time().showAll();
        const RowId gpu = m_session->rows().children(RowTree::root).front();
        m_session->rowView().setExpanded(gpu, true);
        m_session->selection().setCurrentEvent({ReportId{}, {EventKind::Kernel, 0}});
        for (int i = 0; i < 30; ++i) {
            if (folded)
                m_session->rowView().setHidden(gpu, true);
            const double before = static_cast<double>(m_session->time().shown().duration());
            const EventId from = m_session->selection().currentEvent();
            m_pane->view().stepEvent(i < 20);
            const double ratio = static_cast<double>(m_session->time().shown().duration()) / before;
            QVERIFY2(ratio > 0.79 && ratio < 1.26, qPrintable(QString::number(ratio)));
            QVERIFY(m_session->selection().currentEvent() != from || i == 0);
            if (folded)
                m_session->rowView().setHidden(gpu, false);
        }
    }
}

WARPLINE_TEST(AccessibilityTest)

} // namespace tst_accessibility

#include "tst_accessibility.moc"
