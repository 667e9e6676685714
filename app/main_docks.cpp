#include "app/main_window.h"

#include "app/inspector_history.h"
#include "app/panel_bar.h"
#include "app/report_chooser.h"
#include "app/window_actions.h"
#include "app/window_parts.h"
#include "views/actions/window_action.h"
#include "views/compare/compared_timelines.h"
#include "views/panels/findings_panel.h"
#include "views/panels/panel.h"
#include "views/panels/table_export.h"
#include "views/session/run_pair.h"
#include "views/timeline/timeline_pane.h"

#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QSettings>
#include <QTimer>
#include <QToolBar>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

// What of the window is about its docks: one for each panel, in the inspector or in the drawer.

namespace warpline {

namespace {

constexpr int minCanvasHeight = 300; ///< pixels of the timeline's height that the drawer leaves
constexpr int lowestDrawer = 120;
constexpr QSize roomForDrawer{1800, 950}; ///< windows of this size start with the drawer open

Qt::Orientation growsAlong(PanelPlace place)
{
    return place == PanelPlace::Below ? Qt::Vertical : Qt::Horizontal;
}

const PanelKind* kindOf(const QDockWidget& dock)
{
    for (const PanelKind* const kind : allPanels()) {
        if (dock.objectName() == kind->id)
            return kind;
    }
    return nullptr;
}

} // namespace

QDockWidget* MainWindow::addDock(const PanelKind& kind)
{
    const QString title = QCoreApplication::translate("Action", kind.title);
    auto* const dock = new QDockWidget(title, this);
    dock->setObjectName(kind.id);
    Panel* const panel = kind.make(m_session, *m_theme, dock);
    QSettings settings;
    settings.beginGroup(QString("panels/") + kind.id);
    panel->restoreState(settings);
    connect(panel, &Panel::messages, this, &MainWindow::say);
    connect(panel, &Panel::updated, this, &MainWindow::checkSettled);
    for (TableExport* const table : offerTables(*panel, m_session, kind.id))
        connect(table, &TableExport::messages, this, &MainWindow::say);
    offerWhatIsThis(*panel, m_session);
    m_panels << panel;
    dock->setWidget(panel);
    showWhenSeen(*dock, *panel);
    addDockWidget(kind.place == PanelPlace::Below ? Qt::BottomDockWidgetArea : Qt::RightDockWidgetArea, dock);
    // In a window of its own it has the title bar of the desktop.
    QWidget* const head = makeHead(kind, *dock);
    dock->setTitleBarWidget(head);
    connect(dock, &QDockWidget::topLevelChanged, this, [this, dock, head](bool floats) {
        dock->setTitleBarWidget(floats ? nullptr : head);
        head->setVisible(!floats);
        if (!floats && m_docksShown)
            hideOthersOf(*dock);
    });
    return dock;
}

/// What is above a panel: in the inspector the bar that says which are there, and which report they are about
/// where several are open. What is about all reports has none to choose.
QWidget* MainWindow::makeHead(const PanelKind& kind, QDockWidget& dock)
{
    auto* const head = new QWidget(&dock);
    auto* const layout = new QVBoxLayout(head);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    if (kind.place == PanelPlace::Beside)
        layout->addWidget(new PanelBar(PanelPlace::Beside, m_session, *m_actions, head));
    if (kind.about != PanelReports::All)
        layout->addWidget(new ReportChooser(m_session, kind.about == PanelReports::Several, head));
    return head;
}

void MainWindow::showWhenSeen(QDockWidget& dock, Panel& panel)
{
    QSizePolicy policy = panel.sizePolicy();
    policy.setRetainSizeWhenHidden(true); // a dock is as large as what will be in it
    panel.setSizePolicy(policy);
    panel.hide();
    connect(&dock, &QDockWidget::visibilityChanged, &panel, [this, &panel](bool seen) {
        if (seen && !m_docksAppear)
            panel.show();
        panel.setSeen(seen);
        m_actions->updateChecksSoon();
        if (!seen)
            QTimer::singleShot(0, this, &MainWindow::checkSettled); // nobody waits for its answer any more
    });
}

void MainWindow::showPanelsInFront()
{
    if (!std::exchange(m_docksAppear, false)) // hidden again meanwhile
        return;
    for (Panel* const panel : std::as_const(m_panels)) {
        if (isPanelInFront(panel->parentWidget()->objectName()))
            panel->show();
    }
    checkSettled();
}

QDockWidget* MainWindow::dockOf(const QString& id) const
{
    return findChild<QDockWidget*>(id);
}

void MainWindow::makeDocks()
{
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea); // the inspector has the whole height
    QHash<PanelPlace, QDockWidget*> last;
    for (const PanelKind* const kind : allPanels()) {
        QDockWidget* const dock = addDock(*kind);
        if (QDockWidget* const before = last.value(kind->place))
            tabifyDockWidget(before, dock);
        last[kind->place] = dock;
    }
}

QDockWidget* MainWindow::openDock(PanelPlace place) const
{
    for (const PanelKind* const kind : allPanels()) {
        QDockWidget* const dock = dockOf(kind->id);
        if (kind->place == place && !dock->isFloating() && !dock->isHidden())
            return dock;
    }
    return nullptr;
}

QString MainWindow::openPanel(PanelPlace place) const
{
    const QDockWidget* const dock = openDock(place);
    return dock ? dock->objectName() : QString();
}

bool MainWindow::hasRoomForDrawer() const
{
    return width() >= roomForDrawer.width() && height() >= roomForDrawer.height();
}

/// Each side of the window holds one panel at a time: where others would be tabs, they step aside.
void MainWindow::hideOthersOf(QDockWidget& dock)
{
    const Qt::DockWidgetArea area = dockWidgetArea(&dock);
    for (const PanelKind* const kind : allPanels()) {
        QDockWidget* const other = dockOf(kind->id);
        if (other != &dock && !other->isFloating() && dockWidgetArea(other) == area)
            other->hide();
    }
}

int MainWindow::usualSize(PanelPlace place) const
{
    constexpr int minInspectorWidth = 300;
    constexpr int maxInspectorWidth = 420;
    if (place == PanelPlace::Beside)
        return std::clamp(width() * 26 / 100, minInspectorWidth, maxInspectorWidth);
    return std::max(lowestDrawer, height() * (height() < roomForDrawer.height() ? 40 : 30) / 100);
}

/// Gives a dock that comes back the size that its place had.
void MainWindow::resizePlace(QDockWidget& dock, PanelPlace place)
{
    const int before = m_placeSizes.value(place);
    resizeDocks({&dock}, {before > 0 ? before : usualSize(place)}, growsAlong(place));
    leaveRoomForRows();
}

void MainWindow::keepPlaceSize(const QDockWidget& dock)
{
    const PanelKind* const kind = kindOf(dock);
    if (kind && !m_docksAppear && !dock.isFloating() && dock.isVisible()) // else it has none yet
        m_placeSizes[kind->place] = kind->place == PanelPlace::Below ? dock.height() : dock.width();
}

/// The rows keep their room, whatever the window or the drawer becomes: the drawer gives it back.
void MainWindow::leaveRoomForRows()
{
    QDockWidget* const drawer = m_docksShown ? openDock(PanelPlace::Below) : nullptr;
    if (!drawer)
        return;
    const int least = std::max(std::min(minCanvasHeight, height() / 2), m_timelines->leastHeight());
    const int missing = least - centralWidget()->height();
    if (missing > 0)
        resizeDocks({drawer}, {std::max(lowestDrawer, drawer->height() - missing)}, Qt::Vertical);
}

void MainWindow::resizeEvent(QResizeEvent* event)
{
    QMainWindow::resizeEvent(event);
    if (m_docksShown)
        QTimer::singleShot(0, this, &MainWindow::leaveRoomForRows); // the layout has its sizes then
}

void MainWindow::arrangeDocks()
{
    m_placeSizes.clear();
    QHash<PanelPlace, bool> shown{{PanelPlace::Below, !hasRoomForDrawer()}};
    for (const PanelKind* const kind : allPanels()) {
        QDockWidget* const dock = dockOf(kind->id);
        dock->setVisible(!std::exchange(shown[kind->place], true)); // the first of each place
        if (!dock->isHidden())
            resizeDocks({dock}, {usualSize(kind->place)}, growsAlong(kind->place));
    }
    constexpr int widestLabels = 320;
    m_timeline->setLabelWidth(std::min(widestLabels, width() * 16 / 100));
    m_arranged = true;
}

void MainWindow::showDocks(bool shown)
{
    m_docksComing = false;
    m_docksAppear = false;
    if (shown == m_docksShown)
        return;
    m_docksShown = shown;
    if (!shown) {
        m_docks = saveState(layoutVersion);
        for (QDockWidget* const dock : findChildren<QDockWidget*>())
            dock->hide();
        // The start page has buttons of its own; the tool bar is about a report, and comes with the docks.
        findChild<QToolBar*>("navigation")->hide();
        return;
    }
    m_docksAppear = true; // each of them says for a moment that it is seen
    restoreState(m_docks, layoutVersion);
    QTimer::singleShot(0, this, &MainWindow::showPanelsInFront); // the layout has its order then
    if (!m_arranged)
        arrangeDocks();
    QTimer::singleShot(0, this, &MainWindow::leaveRoomForRows);
    if (!m_panelWanted.isEmpty())
        showPanel(std::exchange(m_panelWanted, {}));
    followComparison();
}

bool MainWindow::showPanel(const QString& id)
{
    QDockWidget* const dock = dockOf(id);
    if (!dock)
        return false;
    if (!m_docksShown) {
        m_panelWanted = id;
        return true;
    }
    const PanelPlace place = kindOf(*dock)->place;
    const QDockWidget* const before = openDock(place);
    if (before)
        keepPlaceSize(*before);
    const bool wasHidden = dock->isHidden();
    if (!dock->isFloating())
        hideOthersOf(*dock);
    dock->show();
    dock->raise();
    if (wasHidden && !dock->isFloating())
        resizePlace(*dock, place);
    const QString with = kindOf(*dock)->with;
    if (!with.isEmpty() && !isPanelOpen(with))
        showPanel(with);
    return true;
}

bool MainWindow::isPanelOpen(const QString& id) const
{
    const QDockWidget* const dock = dockOf(id);
    return dock && !dock->isHidden();
}

bool MainWindow::isPanelInFront(const QString& id) const
{
    const QDockWidget* const dock = dockOf(id);
    return dock && dock->isVisible() && !dock->visibleRegion().isEmpty();
}

void MainWindow::closePanel(QDockWidget& dock)
{
    keepPlaceSize(dock);
    m_lastShown[kindOf(dock)->place] = dock.objectName();
    dock.hide();
}

void MainWindow::togglePanel(const QString& id)
{
    QDockWidget* const dock = dockOf(id);
    if (!dock || !m_docksShown)
        return;
    if (isPanelOpen(id))
        closePanel(*dock);
    else
        enterPanel(id);
}

/// Shows the panel and gives it the keyboard: who asked for it goes on there.
void MainWindow::enterPanel(const QString& id)
{
    if (!showPanel(id) || !m_docksShown)
        return;
    QWidget& panel = *dockOf(id)->widget();
    if (!panel.isAncestorOf(QApplication::focusWidget()))
        giveKeyboard(panel);
}

void MainWindow::togglePlace(PanelPlace place)
{
    if (!m_docksShown)
        return;
    if (QDockWidget* const dock = openDock(place)) {
        closePanel(*dock);
        return;
    }
    QString id = m_lastShown.value(place);
    for (const PanelKind* const kind : allPanels()) {
        if (id.isEmpty() && kind->place == place)
            id = kind->id;
    }
    showPanel(id);
}

void MainWindow::floatPanel()
{
    QDockWidget* panel = m_docksShown ? openDock(PanelPlace::Below) : nullptr;
    if (m_docksShown && !panel)
        panel = openDock(PanelPlace::Beside);
    for (QDockWidget* const dock : findChildren<QDockWidget*>()) {
        if (dock->isAncestorOf(QApplication::focusWidget()))
            panel = dock;
    }
    if (panel)
        panel->setFloating(!panel->isFloating());
}

/// The inspector shows what is selected, and what was there before when nothing is. Who reads in it, or steps
/// through evidence, keeps what is there.
void MainWindow::inspectSelection()
{
    const QDockWidget* const open = m_docksShown ? openDock(PanelPlace::Beside) : nullptr;
    if (!open)
        return;
    const QString details = QStringLiteral("details");
    const QString id = open->objectName();
    RunPair& pair = m_session.pair();
    const Session* const selected
        = pair.isOn() && !m_session.selection().currentEvent().valid() ? &pair.b() : &m_session;
    const EventId event = selected->selection().currentEvent();
    if (!event.valid() && m_session.time().selectedRange().empty()
        && selected->time().selectedRange().empty()) {
        if (id == details && !m_beforeDetails.isEmpty())
            showPanel(std::exchange(m_beforeDetails, {}));
        return;
    }
    const bool isRead = open->isAncestorOf(QApplication::focusWidget());
    const bool isEvidence
        = id != allPanels().front()->id && event.valid() && selected->selection().isHighlighted(event);
    if (id == details || isRead || isEvidence)
        return;
    m_beforeDetails = id;
    showPanel(details);
}

void MainWindow::connectHistory()
{
    auto& findings = panel<FindingsPanel>();
    m_inspected = new InspectorHistory(
        [this, &findings] {
            InspectorHistory::Page page{m_docksShown ? openPanel(PanelPlace::Beside) : QString()};
            if (page.panel == "findings")
                page.finding = findings.chosenId();
            if (page.panel == "details")
                page.event = m_session.selection().currentEvent();
            page.range = m_session.time().selectedRange();
            return page;
        },
        [this](const InspectorHistory::Page& page) {
            m_session.time().selectRange(page.range);
            if (!page.finding.isEmpty())
                emit m_session.judgement().findingRequested(
                    page.finding); // once those of the range are there
            else if (page.event.valid())
                m_session.selection().goToAtScale(page.event);
            else
                m_session.selection().setCurrentEvent({});
            showPanel(page.panel);
        },
        this);
    connect(
        &m_session.selection(), &Selection::currentEventChanged, m_inspected, &InspectorHistory::lookSoon);
    connect(&m_session.time(), &TimeView::selectedRangeChanged, m_inspected, &InspectorHistory::lookSoon);
    connect(&findings, &FindingsPanel::described, m_inspected, &InspectorHistory::lookSoon);
    connect(&m_session, &Session::reportOpened, m_inspected, &InspectorHistory::forget);
    connect(m_inspected, &InspectorHistory::changed, m_actions, &WindowActions::update);
    for (QDockWidget* const dock : findChildren<QDockWidget*>())
        connect(dock, &QDockWidget::visibilityChanged, m_inspected, &InspectorHistory::lookSoon);
}

/// Two runs that are compared have the verdict in the inspector and, where there is room, tables in the
/// drawer; afterwards both are as they were.
void MainWindow::followComparison()
{
    if (!m_docksShown || m_compares == m_session.pair().isOn())
        return;
    m_compares = !m_compares;
    for (const auto& [place, id] :
        {std::pair{PanelPlace::Beside, "verdict"}, {PanelPlace::Below, "compare"}}) {
        if (m_compares) {
            m_beforeComparing[place] = openPanel(place);
            if (place == PanelPlace::Beside || hasRoomForDrawer())
                showPanel(id);
        } else if (openPanel(place) == id) {
            closePanel(*openDock(place));
            if (const QString before = m_beforeComparing.value(place); !before.isEmpty() && before != id)
                showPanel(before);
        }
    }
}

MainWindow::Mode MainWindow::mode()
{
    if (!m_docksShown)
        return Mode::Timeline;
    if (m_session.pair().isOn())
        return Mode::Compare;
    return isPanelOpen("ranks") || isPanelOpen("rankmap") ? Mode::Ranks : Mode::Timeline;
}

void MainWindow::enter(Mode mode)
{
    switch (mode) {
    case Mode::Timeline:
        if (m_session.pair().isOn())
            endComparison();
        if (openPanel(PanelPlace::Below) == "ranks")
            closePanel(*openDock(PanelPlace::Below));
        if (openPanel(PanelPlace::Beside) == "rankmap")
            showPanel(allPanels().front()->id);
        break;
    case Mode::Compare:
        if (m_session.pair().isOn())
            showPanel("compare");
        else
            askWhatToCompare();
        break;
    case Mode::Ranks: // without others there are no tables
        showPanel(m_session.workspace().reports().size() > 1 ? "ranks" : "rankmap");
        break;
    }
    m_actions->updateChecksSoon();
}

bool MainWindow::isPlaceOpen(PanelPlace place) const
{
    return m_docksShown && openDock(place);
}

void MainWindow::resetLayout()
{
    for (QDockWidget* const dock : findChildren<QDockWidget*>())
        dock->setFloating(false);
    arrangeDocks();
}

} // namespace warpline
