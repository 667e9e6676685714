// The layout of the window at usual screen sizes: the timeline's share, that nothing is cut off, and that
// inspector and drawer shrink.

#include "app/main_window.h"
#include "app/panel_bar.h"
#include "app/panel_docks.h"
#include "app/recent_files.h"
#include "app/record_dialog.h"
#include "app/scope_chip.h"
#include "app/theme_choice.h"
#include "app/window_actions.h"
#include "core/findings/finding_words.h"
#include "tests/core/workspace/drawn_exchanges.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"
#include "views/compare/compared_timelines.h"
#include "views/panels/details_panel.h"
#include "views/panels/findings_panel.h"
#include "views/panels/panel.h"
#include "views/panels/rank_map_panel.h"
#include "views/panels/stacks_panel.h"
#include "views/session/run_pair.h"
#include "views/style/visible_edges.h"
#include "views/timeline/color_legend.h"
#include "views/timeline/row_bar.h"
#include "views/timeline/row_filter.h"
#include "views/timeline/timeline_pane.h"

#include <QAbstractButton>
#include <QAction>
#include <QButtonGroup>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QDockWidget>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMouseEvent>
#include <QPlainTextEdit>
#include <QPointer>
#include <QPushButton>
#include <QScopeGuard>
#include <QSettings>
#include <QStatusTipEvent>
#include <QStyleFactory>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBrowser>
#include <QTimer>
#include <QToolBar>
#include <QToolButton>

#include <algorithm>
#include <memory>
#include <set>

namespace tst_window_layout {

using namespace warpline;

namespace {

const QString sample = WARPLINE_SOURCE_DIR "/resources/sample.sqlite";

double shareOfCanvas(MainWindow& window)
{
    const QSize canvas = window.timeline().view().viewport()->size();
    return double(canvas.width()) * canvas.height() / (double(window.width()) * window.height());
}

/// Parts that are cut off at the window's edge, or narrower than their minimum; empty: none.
QString cutOff(const MainWindow& window)
{
    for (const QWidget* const widget : window.findChildren<QWidget*>()) {
        const bool holdsText
            = qobject_cast<const QToolButton*>(widget) || qobject_cast<const QLabel*>(widget);
        if (!holdsText || !widget->isVisible() || widget->window() != &window)
            continue;
        const QRect place(widget->mapTo(&window, QPoint()), widget->size());
        if (!window.rect().contains(place))
            return QString("%1 %2").arg(widget->metaObject()->className(), widget->objectName());
    }
    for (const QTabBar* const tabs : window.findChildren<QTabBar*>()) {
        for (const QToolButton* const arrow : tabs->findChildren<QToolButton*>()) {
            if (arrow->isVisible())
                return QString("tabs scroll: %1").arg(tabs->tabText(0));
        }
    }
    return {};
}

/// The pixels in which two pictures of one widget differ by a fifth of white or more.
int changedPixels(const QImage& a, const QImage& b)
{
    constexpr int least = 150;
    int changed = 0;
    for (int y = 0; y < std::min(a.height(), b.height()); ++y) {
        for (int x = 0; x < std::min(a.width(), b.width()); ++x) {
            const QColor of = a.pixelColor(x, y);
            const QColor than = b.pixelColor(x, y);
            changed += std::abs(of.red() - than.red()) + std::abs(of.green() - than.green())
                        + std::abs(of.blue() - than.blue())
                    >= least
                ? 1
                : 0;
        }
    }
    return changed;
}

} // namespace

/// Whether the session is there when a part is hidden.
class HidingWatch : public QObject {
public:
    explicit HidingWatch(Session& session)
        : m_session(&session)
    {
    }
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (event->type() == QEvent::Hide) {
            wasHidden = true;
            isTooLate = isTooLate || m_session.isNull();
        }
        return QObject::eventFilter(watched, event);
    }

    bool wasHidden = false;
    bool isTooLate = false;

private:
    QPointer<Session> m_session;
};

class WindowLayoutTest : public QObject {
    Q_OBJECT

private slots:
    void aPanelInAWindowOfItsOwnGoesBeforeTheSession()
    {
        auto window = std::make_unique<MainWindow>(Theme::dark());
        open(*window, {1200, 800});
        QVERIFY(window->docks().showPanel("overview"));
        auto* const dock = window->findChild<QDockWidget*>("overview");
        dock->setFloating(true);
        QTRY_VERIFY(dock->isVisible() && dock->isFloating());
        HidingWatch watch(window->session());
        dock->widget()->installEventFilter(&watch);
        window.reset();
        QVERIFY(watch.wasHidden && !watch.isTooLate);
        QSettings().clear();
    }

    void initTestCase()
    {
        QCoreApplication::setOrganizationName("warpline-test");
        QCoreApplication::setApplicationName("tst_window_layout");
    }

    void init() { QSettings().clear(); }

    /// Scales of 1.5 and 2 are smaller windows: 1920x1080 at 1.5 and 2560x1440 at 2 are 1280x720.
    void theTimelineHasMostOfTheWindow_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<bool>("hasDrawer");
        QTest::newRow("1280x720") << QSize(1280, 720) << false;
        QTest::newRow("1366x768") << QSize(1366, 768) << false;
        QTest::newRow("1707x960") << QSize(1707, 960) << false; // 2560x1440 at 1.5
        QTest::newRow("1920x1080") << QSize(1920, 1080) << true;
        QTest::newRow("2560x1440") << QSize(2560, 1440) << true;
    }

    void theTimelineHasMostOfTheWindow()
    {
        QFETCH(QSize, size);
        QFETCH(bool, hasDrawer);
        MainWindow window(Theme::light());
        open(window, size);
        QCOMPARE(window.size(), size); // nothing holds it wider
        QCOMPARE(window.docks().isPlaceOpen(PanelPlace::Below), hasDrawer);
        QVERIFY(window.docks().isPanelInFront("overview"));
        QVERIFY2(shareOfCanvas(window) >= (hasDrawer ? 0.3 : 0.4),
            qPrintable(QString::number(shareOfCanvas(window))));
        QVERIFY(window.timeline().view().height() >= 300);
        QCOMPARE(cutOff(window), QString());
        // All panels of the place are buttons that are seen, also in an inspector that is made narrow.
        window.resizeDocks({window.findChild<QDockWidget*>("overview")}, {120}, Qt::Horizontal);
        QTest::qWait(20);
        for (const PanelBar* const bar : window.findChildren<PanelBar*>()) {
            for (QAction* const action : bar->actions())
                QVERIFY2(!bar->isVisible() || bar->widgetForAction(action)->isVisible(),
                    qPrintable(action->text()));
        }
    }

    /// Whichever panel is open, the window keeps its size, the rows keep their room, and no tab is out of
    /// sight.
    void everyPanelLeavesRoomForRows()
    {
        MainWindow window(Theme::light());
        open(window, {1280, 720});
        for (const PanelKind* const kind : allPanels()) {
            QVERIFY(window.docks().showPanel(kind->id));
            QTest::qWait(10);
            QTRY_VERIFY2(window.timeline().view().height() >= 180, kind->id);
            QVERIFY2(window.centralWidget()->height() >= 300, kind->id);
            QCOMPARE(window.size(), QSize(1280, 720));
            QVERIFY2(cutOff(window).isEmpty(), qPrintable(QString(kind->id) + ": " + cutOff(window)));
            QVERIFY(window.docks().isPanelInFront(kind->id));
        }
    }

    /// A smaller window takes the room from the drawer, not from the rows.
    void rowsKeepTheirRoomAfterAResize()
    {
        MainWindow window(Theme::light());
        open(window, {1920, 1080});
        auto* const drawer = window.findChild<QDockWidget*>("events");
        window.resizeDocks({drawer}, {600}, Qt::Vertical);
        QTRY_VERIFY(drawer->height() > 500);
        window.resize(1366, 768);
        QTRY_VERIFY2(window.centralWidget()->height() >= 300,
            qPrintable(QString::number(window.centralWidget()->height())));
        QVERIFY(drawer->isVisible());
    }

    /// Two runs: rows of both, the verdict in the inspector, one filter and one legend, and no tab out of
    /// sight.
    void twoRunsHaveRowsEach()
    {
        for (const QSize size : {QSize(1920, 1080), QSize(1366, 768), QSize(1280, 720)}) {
            MainWindow window(Theme::light());
            open(window, size);
            const bool hadDrawer = window.docks().isPlaceOpen(PanelPlace::Below);
            QVERIFY(window.docks().showPanel("findings"));
            window.compareWith({sample});
            QTRY_VERIFY_WITH_TIMEOUT(window.session().pair().isOn() && window.isSettled(), 30'000);
            QCOMPARE(window.mode(), MainWindow::Mode::Compare);
            QVERIFY(window.docks().isPanelInFront("verdict"));
            QCOMPARE(window.docks().isPanelOpen("compare"), hadDrawer); // where there is room for it at rest
            QVERIFY(window.docks().showPanel("compare"));
            ComparedTimelines& both = window.timelines();
            for (TimelinePane* const pane : {&both.a(), both.b()})
                QTRY_VERIFY2(
                    pane->view().height() >= 120, qPrintable(QString::number(pane->view().height())));
            QCOMPARE(window.size(), size);
            QTRY_COMPARE(cutOff(window), QString());
            QVERIFY(!both.a().legend().isVisible() && both.b()->legend().isVisible());
            // The row filter shows the matching rows of both runs.
            auto* const filter = both.a().findChild<RowFilterBox*>()->findChild<QLineEdit*>();
            QVERIFY(filter->isVisible() && !both.b()->findChild<RowFilterBox*>()->isVisible());
            QTest::mouseClick(filter, Qt::LeftButton);
            QTest::keyClicks(filter, "kernels");
            QTRY_COMPARE(both.b()->rowFilter().text(), QString("kernels"));
            // Back to one run: the previous reports are open again.
            QAction* const timeline = window.actions().find("mode.timeline");
            auto* const bar = window.findChild<QToolBar*>("navigation");
            QTest::mouseClick(bar->widgetForAction(timeline), Qt::LeftButton);
            QVERIFY(!window.session().pair().isOn());
            QCOMPARE(window.mode(), MainWindow::Mode::Timeline);
            QTRY_VERIFY(window.docks().isPanelInFront("findings"));
            QCOMPARE(window.docks().isPlaceOpen(PanelPlace::Below), hadDrawer);
            QVERIFY(both.a().legend().isVisible());
            // Its button is there only while two runs are compared.
            QTRY_VERIFY(!window.findChild<PanelBar*>("drawer-bar")
                             ->actions()
                             .contains(window.actions().find("panel.compare")));
        }
    }

    /// Ranks are a mode: the map in the inspector, the tables in the drawer; a single report names what is
    /// missing, with a button.
    void ranksAreAMode()
    {
        MainWindow window(Theme::light());
        open(window, {1366, 768});
        auto* const bar = window.findChild<QToolBar*>("navigation");
        QTest::mouseClick(bar->widgetForAction(window.actions().find("mode.ranks")), Qt::LeftButton);
        QVERIFY(window.docks().isPanelInFront("rankmap") && !window.docks().isPlaceOpen(PanelPlace::Below));
        QCOMPARE(window.mode(), MainWindow::Mode::Ranks);
        QTRY_VERIFY(
            window.findChild<QDockWidget*>("rankmap")->findChild<QPushButton*>("file.add")->isVisible());
        QTRY_VERIFY(window.actions().find("mode.ranks")->isChecked());
        // The shown panel has a pressed button, also where it does not apply.
        QAction* const map = window.actions().find("panel.rankmap");
        const auto hasButton = [&window](const char* barName, QAction* action) {
            const auto bars = window.findChildren<PanelBar*>(barName);
            return std::ranges::all_of(bars, [&](const PanelBar* each) {
                const auto* const button = qobject_cast<QToolButton*>(each->widgetForAction(action));
                return button && button->isChecked();
            });
        };
        QTRY_VERIFY(hasButton("inspector-bar", map));
        QVERIFY(window.docks().showPanel("ranks"));
        QTRY_VERIFY(hasButton("drawer-bar", window.actions().find("panel.ranks")));
        window.docks().togglePlace(PanelPlace::Below);
        QTest::mouseClick(bar->widgetForAction(window.actions().find("mode.timeline")), Qt::LeftButton);
        QVERIFY(window.docks().isPanelInFront("overview") && !window.docks().isPlaceOpen(PanelPlace::Below));
        QTRY_VERIFY(window.actions().find("mode.timeline")->isChecked());
        QTRY_VERIFY(std::ranges::none_of(window.findChildren<PanelBar*>("inspector-bar"),
            [map](const PanelBar* each) { return each->actions().contains(map); }));
        // The description of a tool bar button is shown without hiding the drawer's buttons.
        auto* const drawer = window.findChild<PanelBar*>("drawer-bar");
        QStatusTipEvent tip("What the button does");
        QApplication::sendEvent(&window, &tip);
        QVERIFY(drawer->isVisible());
        QCOMPARE(window.findChild<QLabel*>("status")->text(), QString("What the button does"));
        QTemporaryDir folder;
        const QString other = folder.filePath("rank1.sqlite");
        QVERIFY(QFile::copy(sample, other));
        window.openAll({sample, other});
        QTRY_VERIFY_WITH_TIMEOUT(
            window.isSettled() && window.session().workspace().reports().size() == 2, 30'000);
        for (const char* const id : {"rankmap", "ranks"}) {
            QVERIFY(window.docks().showPanel(id));
            QTRY_VERIFY2(window.docks().isPanelInFront(id), id);
            QTRY_COMPARE(cutOff(window), QString());
        }
    }

    /// Inspector and drawer show one panel at a time, close and come back as they were.
    void placesCloseAndComeBack()
    {
        MainWindow window(Theme::light());
        open(window, {1366, 768});
        QVERIFY(window.docks().showPanel("findings"));
        QVERIFY(!window.docks().isPanelOpen("overview"));
        QVERIFY(window.docks().showPanel("events"));
        QVERIFY(window.docks().showPanel("steps"));
        QVERIFY(!window.docks().isPanelOpen("events"));
        auto* const steps = window.findChild<QDockWidget*>("steps");
        const int height = steps->height() - 40;
        window.resizeDocks({steps}, {height}, Qt::Vertical);
        QTRY_COMPARE(steps->height(), height);
        window.docks().togglePlace(PanelPlace::Below);
        QVERIFY(
            !window.docks().isPlaceOpen(PanelPlace::Below) && window.docks().isPlaceOpen(PanelPlace::Beside));
        window.docks().togglePlace(PanelPlace::Below);
        QVERIFY(window.docks().isPanelOpen("steps"));
        QTRY_COMPARE(steps->height(), height);
        window.docks().togglePlace(PanelPlace::Beside);
        window.docks().togglePlace(PanelPlace::Beside);
        QVERIFY(window.docks().isPanelOpen("findings"));
        // A click on the button of the open panel closes it, another one opens that panel.
        const auto pressIn = [&](const QToolBar* bar, const QString& id) {
            QWidget* const button = bar->widgetForAction(window.actions().find(id));
            QVERIFY2(button && button->isVisible(), qPrintable(id));
            QTest::mouseClick(button, Qt::LeftButton);
        };
        // The inspector takes its buttons along: the tool bar has one that brings it back.
        pressIn(window.findChild<QDockWidget*>("findings")->findChild<PanelBar*>(), "panel.findings");
        QVERIFY(!window.docks().isPlaceOpen(PanelPlace::Beside));
        pressIn(window.findChild<QToolBar*>("navigation"), "view.inspector");
        QVERIFY(window.docks().isPanelOpen("findings"));
        const auto press = [&, bar = window.findChild<PanelBar*>("drawer-bar")](
                               const QString& id) { pressIn(bar, "panel." + id); };
        press("steps");
        QVERIFY(!window.docks().isPlaceOpen(PanelPlace::Below));
        press("events");
        QVERIFY(window.docks().isPanelOpen("events"));
        QVERIFY(window.findChild<QDockWidget*>("events")->isAncestorOf(QApplication::focusWidget()));
        press("steps");
        QVERIFY(window.docks().isPanelOpen("steps") && !window.docks().isPanelOpen("events"));
    }

    /// The keyboard reaches tool bar and buttons of panels, each panel by its key, and shows where it is.
    void everythingIsReachedByKeys()
    {
        MainWindow window(Theme::light());
        open(window, {1366, 768});
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        std::set<const QWidget*> stops;
        window.timeline().view().setFocus();
        for (const QWidget* next = window.nextInFocusChain(); next != &window;
             next = next->nextInFocusChain()) {
            if ((next->focusPolicy() & Qt::TabFocus) && next->isVisible())
                stops.insert(next);
        }
        const auto isStop = [&](const QObject* parent) {
            return std::ranges::any_of(stops, [&](const QWidget* stop) {
                return stop->parent() == parent || stop->parent()->parent() == parent;
            });
        };
        QVERIFY(isStop(window.findChild<QWidget*>("navigation")));
        QVERIFY(isStop(window.findChild<PanelBar*>("drawer-bar")));
        QVERIFY(std::ranges::any_of(
            window.findChildren<PanelBar*>("inspector-bar"), isStop)); // of the open panel
        for (const PanelKind* const kind : allPanels()) {
            const QKeySequence key = QKeySequence::listFromString(kind->keys).value(0);
            QVERIFY2(!key.isEmpty(), kind->id);
            if (window.docks().isPanelOpen(kind->id))
                continue;
            QTest::keySequence(&window, key);
            QVERIFY2(
                window.docks().isPanelInFront(kind->id) || window.docks().isPanelOpen(kind->id), kind->id);
            const QWidget* const dock = window.findChild<QDockWidget*>(kind->id);
            const QWidget* const focus = QApplication::focusWidget();
            // Some have nothing that takes the keyboard while they have nothing to show.
            const QList<QWidget*> parts = dock->findChildren<QWidget*>();
            const bool takes = std::ranges::any_of(parts, [](const QWidget* part) {
                return (part->focusPolicy() & Qt::TabFocus) && part->isVisible() && part->isEnabled()
                    && !part->inherits("QTabBar") && !part->inherits("QToolButton");
            });
            QVERIFY2(!takes || (focus && dock->isAncestorOf(focus)), kind->id);
            // The list has it, not the field that narrows it.
            if (const QString id = kind->id; id == "findings" || id == "events" || id == "tables")
                QVERIFY2(focus && focus->inherits("QAbstractItemView"), kind->id);
            else if (id == "sql") // letters are text, not shortcuts
                QVERIFY(focus && focus->inherits("QPlainTextEdit"));
        }
    }

    /// The key of an open panel goes there, and then closes it; the timeline has the keyboard again.
    void aKeyEntersAnOpenPanelAndThenClosesIt()
    {
        MainWindow window(Theme::light());
        open(window, {1366, 768});
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        for (const char* const id : {"findings", "events"}) {
            QVERIFY(window.docks().showPanel(id));
            QTRY_VERIFY(window.isSettled());
            window.timeline().view().setFocus();
            const QKeySequence key = QKeySequence::listFromString(findPanel(id)->keys).value(0);
            const QWidget* const dock = window.findChild<QDockWidget*>(id);
            QTest::keySequence(&window, key);
            QVERIFY2(window.docks().isPanelOpen(id) && dock->isAncestorOf(QApplication::focusWidget()), id);
            QTest::keySequence(&window, key);
            QVERIFY2(!window.docks().isPanelOpen(id), id);
            QCOMPARE(QApplication::focusWidget(), &window.timeline().view());
        }
    }

    /// Each tab stop of the window and of its panels looks different while it has the keyboard.
    void everyStopShowsTheKeyboard_data()
    {
        QTest::addColumn<bool>("dark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }

    void everyStopShowsTheKeyboard()
    {
        QFETCH(const bool, dark);
        const Theme& theme = dark ? Theme::dark() : Theme::light();
        const auto restore
            = qScopeGuard([palette = QApplication::palette(), style = QApplication::style()->name()] {
                  QApplication::setStyle(QStyleFactory::create(style));
                  QApplication::setPalette(palette);
              });
        QApplication::setStyle(new VisibleEdges); // as the program has it
        QApplication::setPalette(theme.palette());
        MainWindow window(theme);
        open(window, {1366, 768});
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        QStringList blind;
        std::set<const QWidget*> seen;
        for (const PanelKind* const kind : allPanels()) {
            QVERIFY(window.docks().showPanel(kind->id));
            QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), 30'000);
            QList<QWidget*> stops;
            for (QWidget* next = window.nextInFocusChain(); next != &window;
                 next = next->nextInFocusChain()) {
                if ((next->focusPolicy() & Qt::TabFocus) && next->isVisible() && next->isEnabled()
                    && !next->focusProxy() && seen.insert(next).second)
                    stops << next;
            }
            for (QWidget* const stop : stops) {
                QWidget& other = stop == &window.timeline().view()
                    ? *window.findChild<QLineEdit*>()
                    : static_cast<QWidget&>(window.timeline().view());
                stop->setFocus(Qt::ShortcutFocusReason);
                QCOMPARE(QApplication::focusWidget(), stop);
                const QRect place(stop->mapTo(&window, QPoint()), stop->size());
                const QImage with = window.grab(place).toImage();
                other.setFocus(Qt::ShortcutFocusReason);
                const QImage without = window.grab(place).toImage();
                if (changedPixels(with, without) < 40)
                    blind << QString("%1 %2 of %3")
                                 .arg(stop->metaObject()->className(),
                                     stop->objectName() + stop->accessibleName(), kind->id);
            }
        }
        QVERIFY2(blind.isEmpty(), qPrintable(blind.join('\n')));
    }

    /// The buttons that hold what has no room in a tool bar are seen.
    void buttonsForMoreAreSeen()
    {
        const auto restore
            = qScopeGuard([palette = QApplication::palette(), style = QApplication::style()->name()] {
                  QApplication::setStyle(QStyleFactory::create(style));
                  QApplication::setPalette(palette);
              });
        QApplication::setStyle(new VisibleEdges); // as the program has it
        MainWindow window(Theme::dark());
        open(window, {640, 480});
        for (const Theme* const theme : {&Theme::dark(), &Theme::light()}) {
            window.setTheme(*theme);
            int seen = 0;
            for (QToolButton* const more : window.findChildren<QToolButton*>("qt_toolbar_ext_button")) {
                if (!more->isVisible())
                    continue;
                const QImage drawn = more->grab().toImage();
                QImage bare = drawn;
                bare.fill(drawn.pixelColor(1, 1));
                QVERIFY(changedPixels(drawn, bare) >= 8);
                ++seen;
            }
            QVERIFY(seen > 0);
        }
    }

    /// One scope: the chip names it; a drag shows its details, Esc clears both.
    void theScopeIsNamedAndChosen()
    {
        MainWindow window(Theme::light());
        open(window, {1366, 768});
        Session& session = window.session();
        auto* const chip = window.findChild<ScopeChip*>();
        QVERIFY(chip && chip->isVisible());
        QCOMPARE(chip->text(), QString("Scope: whole report"));
        TimelineView& view = window.timeline().view();
        const int y = view.viewport()->height() / 2;
        QTest::mousePress(view.viewport(), Qt::LeftButton, {}, {200, y});
        QTest::mouseMove(view.viewport(), {260, y});
        QTest::mouseMove(view.viewport(), {400, y + 4});
        QTest::mouseRelease(view.viewport(), Qt::LeftButton, {}, {400, y + 4});
        QVERIFY(!session.time().selectedRange().empty());
        QVERIFY(chip->text() != "Scope: whole report");
        QCOMPARE(session.time().judged(), session.time().selectedRange());
        QTRY_VERIFY(window.docks().isPanelInFront("details"));
        QTRY_VERIFY(window.panel<DetailsPanel>().text().toPlainText().contains("events"));
        view.setFocus();
        QTest::keyClick(&view, Qt::Key_Escape);
        QCOMPARE(chip->text(), QString("Scope: whole report"));
        QTRY_VERIFY(window.docks().isPanelInFront("overview"));
        // The menu chooses the range that is shown, and the way back.
        emit chip->menu()->aboutToShow();
        const QList<QAction*> choices = chip->menu()->actions();
        const TimeRange all = session.session();
        session.time().show({all.start + all.duration() / 4, all.start + all.duration() / 2});
        choices[1]->trigger();
        QCOMPARE(session.time().selectedRange(), session.time().shown());
        choices[0]->trigger();
        QVERIFY(session.time().selectedRange().empty());
        // What it lists is of this report: it closes when rows are others, and when there is another report.
        session.setExchanges(test::drawnExchanges({0, 1}));
        chip->menu()->popup({0, 0});
        QVERIFY(chip->menu()->isVisible());
        session.setExchanges(test::drawnExchanges({1}));
        QVERIFY(!chip->menu()->isVisible());
        chip->menu()->popup({0, 0});
        QMenu* const rows = chip->menu()->actions().last()->menu();
        QVERIFY(rows && !rows->isEmpty());
        chip->menu()->setActiveAction(rows->menuAction());
        QTRY_VERIFY(rows->isVisible());
        session.setWorkspace({});
        QVERIFY(!chip->menu()->isVisible());
        QVERIFY(!rows->isVisible());
    }

    /// The inspector's history: event, finding, range, summary.
    void theInspectorGoesBackAndForward()
    {
        MainWindow window(Theme::light());
        open(window, {1366, 768});
        Session& session = window.session();
        auto& findings = window.panel<FindingsPanel>();
        const auto press = [&](const char* id) {
            PanelBar* shown = nullptr;
            for (PanelBar* const bar : window.findChildren<PanelBar*>("inspector-bar"))
                shown = bar->isVisible() ? bar : shown;
            QTest::mouseClick(shown->widgetForAction(window.actions().find(id)), Qt::LeftButton);
            QTest::qWait(20);
        };
        QTest::qWait(20);
        QVERIFY(!window.actions().find("inspector.back")->isEnabled());
        QVERIFY(findings.findings().size() > 1);
        const QString first = QString::fromStdString(stableId(session.trace(), findings.findings().front()));
        emit session.judgement().findingRequested(first); // as a click in the summary does
        QTRY_VERIFY(window.docks().isPanelInFront("findings"));
        QTest::qWait(20);
        QCOMPARE(findings.chosenId(), first);
        const EventId event{ReportId{0}, {EventKind::Kernel, 3}};
        session.selection().clearHighlights();
        session.selection().setCurrentEvent(event);
        window.docks().showPanel("details");
        QTest::qWait(20);
        session.selection().clear();
        session.time().selectRange({session.session().start, session.session().start + 1'000'000});
        window.docks().showPanel("details");
        QTest::qWait(20);
        press("inspector.back");
        QVERIFY(window.docks().isPanelInFront("details"));
        QCOMPARE(session.selection().currentEvent(), event);
        press("inspector.back");
        QTRY_VERIFY(window.docks().isPanelInFront("findings"));
        QTRY_COMPARE(findings.chosenId(), first);
        QTRY_VERIFY(!findings.isBusy());
        press("inspector.forward");
        QTRY_VERIFY(window.docks().isPanelInFront("details"));
        QCOMPARE(session.selection().currentEvent(), event);
        press("inspector.back");
        press("inspector.back");
        QTRY_VERIFY(window.docks().isPanelInFront("overview"));
        QVERIFY(!window.actions().find("inspector.back")->isEnabled());
    }

    /// A path that is typed into the dialog and entered at once is opened.
    void aTypedPathIsOpened()
    {
        QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
        MainWindow window(Theme::light());
        window.resize(1366, 768);
        window.show();
        QTemporaryDir folder;
        const QString path = folder.filePath("typed report.sqlite");
        QVERIFY(QFile::copy(sample, path));
        // The dialog starts above the typed folder, which Qt then finds while one types.
        QSettings().setValue("recent", QStringList{QDir::tempPath() + "/before.sqlite"});
        bool typed = false;
        QTimer typist;
        connect(&typist, &QTimer::timeout, &window, [&] {
            auto* const dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
            if (!dialog || typed)
                return;
            auto* const name = dialog->findChild<QLineEdit*>("fileNameEdit");
            name->setFocus();
            if (!name->hasFocus()) // as soon as the dialog is active: Qt writes into a field without the
                                   // keyboard
                return;
            typed = true;
            QTest::keyClicks(name, path);
            QTest::keyClick(name, Qt::Key_Return);
            if (dialog->isVisible())
                dialog->reject(); // else it would wait for ever
        });
        typist.start(10);
        QTest::mouseClick(window.findChild<QPushButton*>("file.open"), Qt::LeftButton);
        QVERIFY(typed);
        QTRY_VERIFY_WITH_TIMEOUT(!window.session().isEmpty() && window.isSettled(), 30'000);
        QCOMPARE(window.session().workspace().reports().front().label, std::string("typed report.sqlite"));
    }

    /// As other exports: in the folder of the report, or of the last export.
    void thePictureIsSavedBesideTheReport()
    {
        QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
        MainWindow window(Theme::light());
        open(window, {1366, 768});
        const QTemporaryDir working;
        const auto back = qScopeGuard([before = QDir::currentPath()] { QDir::setCurrent(before); });
        QVERIFY(QDir::setCurrent(working.path()));
        QString folder;
        QTimer answer;
        connect(&answer, &QTimer::timeout, &window, [&] {
            if (auto* const dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget())) {
                folder = dialog->directory().canonicalPath();
                dialog->reject();
            }
        });
        answer.start(10);
        window.savePicture();
        QVERIFY(!folder.isEmpty());
        QVERIFY2(folder != QDir(working.path()).canonicalPath(), qPrintable(folder));
    }

    /// Without nsys a recording shows what to do, with buttons for both ways.
    void aRecordedReportOffersItsExport()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath("run.nsys-rep");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("x") == 1);
        file.close();
        MainWindow window(Theme::light());
        window.show();
        const auto button = [&](const QString& text) {
            const QList<QPushButton*> all = window.findChildren<QPushButton*>();
            const auto found = std::ranges::find(all, text, &QPushButton::text);
            return found == all.end() ? nullptr : *found;
        };
        const QByteArray before = qgetenv("PATH");
        qputenv("PATH", folder.path().toUtf8());
        window.open(path);
        QTRY_VERIFY(button("Copy export command")->isVisible());
        qputenv("PATH", before);
        QVERIFY(button(QString("Set nsys path\u2026"))->isVisible());
        emit window.reports().opening({}); // of others, which a slow disk found late
        QTest::mouseClick(button("Copy export command"), Qt::LeftButton);
        QVERIFY(QApplication::clipboard()->text().startsWith("nsys export --type sqlite"));
        window.open(sample);
        QTRY_VERIFY_WITH_TIMEOUT(window.isSettled() && !window.session().isEmpty(), 30'000);
        QVERIFY(!button("Copy export command")->isVisible());
        // Nor does the failure of another file offer it.
        qputenv("PATH", folder.path().toUtf8());
        window.compareWith({path});
        QTRY_VERIFY(button("Copy export command")->isVisible());
        qputenv("PATH", before);
        QSignalSpy failed(&window, &MainWindow::openFailed);
        window.compareWith({folder.filePath("none.sqlite")});
        QTRY_COMPARE(failed.size(), 1);
        QVERIFY(!button("Copy export command")->isVisible());
    }

    /// Those of a new window, and the width that the user has chosen in another text size.
    void rowNamesFollowTheTextSize()
    {
        const auto restore = qScopeGuard([font = QApplication::font()] { QApplication::setFont(font); });
        const auto widthIn = [&](int points) {
            QFont font = QApplication::font();
            font.setPointSize(points);
            QApplication::setFont(font);
            MainWindow window(Theme::light());
            open(window, {1366, 768});
            const int width = window.timeline().labelWidth();
            window.close(); // keeps it
            return width;
        };
        QSettings().clear();
        const int usual = widthIn(10);
        QCOMPARE(widthIn(18), qRound(usual * 1.8));
        QCOMPARE(widthIn(10), usual);
        QSettings().clear();
        QVERIFY(widthIn(18) >= qRound(usual * 1.8));
        QSettings().clear();
    }

    /// Large text may need a wider inspector; the next window in usual text does not.
    void theInspectorKeepsTheWidthThatItsContentWidened()
    {
        QSettings().clear();
        const auto widthWith = [this](int leastOfContent) {
            MainWindow window(Theme::light());
            open(window, {1366, 768});
            auto* const inspector = window.findChild<QDockWidget*>("overview");
            inspector->widget()->setMinimumWidth(leastOfContent);
            QTest::qWait(20); // the layout has its sizes then
            const int width = inspector->width();
            window.close(); // keeps it
            return width;
        };
        const int usual = widthWith(0);
        for (const bool isFirstWindow : {false, true}) {
            if (isFirstWindow)
                QSettings().clear();
            QVERIFY(widthWith(usual + 100) >= usual + 100);
            QCOMPARE(widthWith(0), usual);
        }
        {
            MainWindow window(Theme::light());
            open(window, {1366, 768});
            window.resizeDocks({window.findChild<QDockWidget*>("overview")}, {usual + 60}, Qt::Horizontal);
            QTRY_COMPARE(window.findChild<QDockWidget*>("overview")->width(), usual + 60);
            window.close();
        }
        QCOMPARE(widthWith(0), usual + 60); // the user's
        QSettings().clear();
    }

    void theFlameGraphFitsSmallScreensInLargeText()
    {
        const auto restore = qScopeGuard([font = QApplication::font()] { QApplication::setFont(font); });
        QFont large = QApplication::font();
        large.setPointSize(18);
        QApplication::setFont(large);
        MainWindow window(Theme::light());
        open(window, {1366, 768});
        QVERIFY(window.docks().showPanel("stacks"));
        QTRY_VERIFY(window.isSettled());
        QTest::qWait(20); // the layout has its sizes then
        QVERIFY2(window.width() <= 1366 && window.minimumSizeHint().width() <= 1366,
            qPrintable(QString("%1 %2").arg(window.width()).arg(window.minimumSizeHint().width())));
    }

    void theCommandFollowsTheTextSize()
    {
        const auto restore = qScopeGuard([font = QApplication::font()] { QApplication::setFont(font); });
        QFont large = QApplication::font();
        large.setPointSize(18);
        QApplication::setFont(large);
        const RecordDialog dialog(nullptr);
        QCOMPARE(dialog.findChild<QPlainTextEdit*>()->font().pointSize(), 18);
    }

    /// The question decides what is recorded; one click copies the command.
    void aCommandRecordsWhatOneWantsToKnow()
    {
        RecordDialog dialog(nullptr);
        dialog.show();
        const auto choose = [](QButtonGroup& group, int place) {
            QTest::mouseClick(
                group.button(place), Qt::LeftButton, {}, QPoint(8, group.button(place)->height() / 2));
        };
        QVERIFY(dialog.command().startsWith("nsys profile -t cuda,nvtx,osrt "));
        QVERIFY(dialog.command().contains("nsys export --type sqlite -o report.sqlite report.nsys-rep"));
        QVERIFY(!dialog.command().contains("--cuda-memory-usage"));
        choose(dialog.goals(), static_cast<int>(RecordGoal::Memory));
        QVERIFY(dialog.command().contains("--cuda-memory-usage=true"));
        choose(dialog.goals(), static_cast<int>(RecordGoal::Kernel));
        QVERIFY(dialog.command().contains("--gpu-metrics-devices=all"));
        QVERIFY(dialog.command().contains("--cuda-graph-trace=node"));
        QVERIFY(dialog.command().contains("ncu --set full"));
        QVERIFY(!dialog.command().contains("--cuda-memory-usage"));
        choose(dialog.goals(), static_cast<int>(RecordGoal::Ranks));
        choose(dialog.launchers(), static_cast<int>(RecordLauncher::Slurm));
        QVERIFY(dialog.command().startsWith("srun nsys profile -t cuda,nvtx,osrt,mpi "));
        QVERIFY(dialog.command().contains("-o rank%q{SLURM_PROCID}"));
        choose(dialog.launchers(), static_cast<int>(RecordLauncher::Mpirun));
        QVERIFY(dialog.command().contains("-o rank%q{OMPI_COMM_WORLD_RANK}"));
        choose(dialog.launchers(), static_cast<int>(RecordLauncher::Container));
        QVERIFY(dialog.command().startsWith("docker run "));
        QTest::keyClicks(&dialog.program(), "python main.py --steps 10");
        QVERIFY(dialog.command().contains("python main.py --steps 10"));
        choose(dialog.tools(), static_cast<int>(RecordTool::Torch));
        choose(dialog.goals(), static_cast<int>(RecordGoal::Memory));
        QVERIFY(dialog.command().contains("profile_memory=True"));
        QVERIFY(dialog.command().contains("export_chrome_trace(\"trace.json.gz\")"));
        QTest::mouseClick(&dialog.copyButton(), Qt::LeftButton);
        QCOMPARE(QApplication::clipboard()->text(), dialog.command());
        // With an open report, its missing data is listed.
        MainWindow window(Theme::light());
        open(window, {1366, 768});
        const RecordExtras missing = extrasMissing(window.session().trace());
        const RecordDialog about(&window.session().trace());
        qsizetype named = 0;
        for (const QCheckBox* const box : about.findChildren<QCheckBox*>())
            named += box->text().contains("not in this report");
        QCOMPARE(named, missing.metrics + missing.memory + missing.graphNodes + missing.stacks);
        QVERIFY(named > 0);
    }

    /// For a second screen: a floating panel leaves its place to others, and comes back.
    void aPanelHasItsOwnWindow()
    {
        MainWindow window(Theme::light());
        open(window, {1366, 768});
        QVERIFY(window.docks().showPanel("steps"));
        window.timeline().view().setFocus();
        window.actions().find("view.float")->trigger();
        auto* const steps = window.findChild<QDockWidget*>("steps");
        QVERIFY(steps->isFloating() && steps->isVisible());
        QVERIFY(!window.docks().isPlaceOpen(PanelPlace::Below));
        QVERIFY(window.docks().showPanel("events"));
        QVERIFY(steps->isVisible());
        steps->setFloating(false);
        QVERIFY(window.docks().isPanelOpen("steps") && !window.docks().isPanelOpen("events"));
    }

    /// A report may go and come while a panel is dragged, or on its way back from a drag.
    void panelsThatAreDraggedComeBack_data()
    {
        QTest::addColumn<bool>("isDropped");
        QTest::newRow("dragged") << false;
        QTest::newRow("dropped") << true;
    }

    void panelsThatAreDraggedComeBack()
    {
        QFETCH(bool, isDropped);
        MainWindow window(Theme::light());
        open(window, {1366, 768});
        PanelDocks& docks = window.docks();
        QVERIFY(docks.showPanel("details"));
        auto* const dock = window.findChild<QDockWidget*>("details");
        const auto send = [dock](QEvent::Type type, QPoint at, Qt::MouseButtons held) {
            const Qt::MouseButton button = type == QEvent::MouseMove ? Qt::NoButton : Qt::LeftButton;
            QMouseEvent event(type, at, dock->mapToGlobal(at), button, held, {});
            QApplication::sendEvent(dock, &event);
        };
        const QPoint head = dock->titleBarWidget()->geometry().center();
        send(QEvent::MouseButtonPress, head, Qt::LeftButton);
        for (int i = 1; i < 10; ++i)
            send(QEvent::MouseMove, head + QPoint(-20 * i, 20 * i), Qt::LeftButton);
        QVERIFY(dock->isWindow()); // it is dragged
        if (isDropped) {
            send(QEvent::MouseButtonRelease, head, Qt::NoButton);
            QVERIFY(docks.showPanel("overview"));
            dock->hide();
        }
        docks.hide();
        docks.showSoon();
        QTRY_VERIFY(!docks.areComing());
        QVERIFY(docks.isPanelOpen(isDropped ? "overview" : "details"));
    }

    /// An older version's layout is incompatible: the window starts with the default, and keeps the rest.
    void aLayoutOfAnOlderVersionIsReplaced()
    {
        {
            MainWindow window(Theme::light());
            open(window, {1366, 768});
            QSettings().setValue("window/state", window.saveState(3));
            QSettings().setValue("window/geometry", window.saveGeometry());
            QSettings().setValue("window/labels", 500);
        }
        MainWindow window(Theme::light());
        open(window, {1366, 768});
        QVERIFY(window.docks().isPanelInFront("overview") && !window.docks().isPlaceOpen(PanelPlace::Below));
        QVERIFY2(shareOfCanvas(window) >= 0.4, qPrintable(QString::number(shareOfCanvas(window))));
    }

    /// All other settings of an older version are kept.
    void settingsOfAnOlderVersionAreKept()
    {
        const QString key = QKeySequence("Ctrl+Shift+F9").toString();
        {
            QSettings old;
            old.setValue("theme", "dark");
            old.setValue("colors/safe", true);
            old.setValue("recent", QStringList{sample, "/nowhere/a.sqlite\n/nowhere/b.sqlite"});
            old.setValue("keys/go.palette", key);
            old.setValue("panels/ranks/measure", 2);
            old.setValue("panels/stacks/innermostFirst", true);
            old.setValue("window/height", 700);
            old.setValue("window/labels", 260);
        }
        QVERIFY(themeNamed(chosenThemeName()).isDark());
        QCOMPARE(recentFiles().size(), 2);
        QCOMPARE(recentFiles()[0].paths, QStringList{sample});
        QCOMPARE(recentFiles()[1].paths.size(), 2);
        MainWindow window(themeNamed(chosenThemeName()));
        open(window, {1366, 768});
        QVERIFY(window.actions().find("go.palette")->shortcuts().contains(QKeySequence(key)));
        QCOMPARE(window.panel<RankMapPanel>().measures().currentIndex(), 2);
        QVERIFY(window.panel<StacksPanel>().callers().isChecked());
        QVERIFY2(shareOfCanvas(window) >= 0.4, qPrintable(QString::number(shareOfCanvas(window))));
    }

    /// The names that --panel took before inspector and drawer.
    void namesOfPanelsOfTheFirstWindow()
    {
        MainWindow window(Theme::light());
        open(window, {1366, 768});
        for (const char* const name : {"overview", "findings", "checklist", "details", "events", "statistics",
                 "tables", "name", "steps", "budget", "roofline", "whatif", "compare", "ranks", "stacks",
                 "sql", "marks", "report"}) {
            QVERIFY2(window.docks().showPanel(name), name);
            QTRY_VERIFY2(window.docks().isPanelInFront(name) || window.docks().isPanelOpen(name), name);
        }
        QVERIFY(!window.docks().showPanel("no such"));
    }

private:
    void open(MainWindow& window, QSize size)
    {
        window.resize(size);
        window.show();
        window.open(sample);
        QTRY_VERIFY_WITH_TIMEOUT(window.isSettled() && !window.session().isEmpty(), 30'000);
        QTest::qWait(20); // the layout has its sizes then
    }
};

WARPLINE_TEST(WindowLayoutTest)

} // namespace tst_window_layout

#include "tst_window_layout.moc"
