#include "app/main_window.h"

#include "app/report_chooser.h"
#include "views/panels/panel.h"
#include "views/panels/table_export.h"
#include "views/timeline/timeline_pane.h"

#include <QAction>
#include <QDockWidget>
#include <QSettings>
#include <QTimer>

#include <algorithm>
#include <utility>

// What of the window is about its docks: one for each panel.

namespace warpline {

namespace {

/// Where a layout of a larger window takes the room of the rows: the panels below them give it back.
void leaveRoomForRows(QMainWindow& window)
{
    constexpr int leastRows = 300; // some ten rows below ruler and strips
    constexpr int lowestPanels = 120;
    const int missing = std::min(leastRows, window.height() / 2) - window.centralWidget()->height();
    if (missing <= 0)
        return;
    int panels = 0;
    QList<QDockWidget*> below;
    for (const PanelKind* const kind : allPanels()) {
        auto* const dock = window.findChild<QDockWidget*>(kind->id);
        if (kind->place != PanelPlace::Below || dock->isFloating() || !dock->isVisibleTo(&window))
            continue;
        below << dock;
        panels = std::max(panels, dock->height());
    }
    for (QDockWidget* const dock : below) // tabs share a height
        window.resizeDocks({dock}, {std::max(lowestPanels, panels - missing)}, Qt::Vertical);
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
    m_panels << panel;
    dock->setWidget(panel);
    showWhenSeen(*dock, *panel);
    addDockWidget(kind.place == PanelPlace::Below ? Qt::BottomDockWidgetArea : Qt::RightDockWidgetArea, dock);
    return dock;
}

void MainWindow::showWhenSeen(QDockWidget& dock, Panel& panel)
{
    QSizePolicy policy = panel.sizePolicy();
    policy.setRetainSizeWhenHidden(true); // a dock is as large as what will stand in it
    panel.setSizePolicy(policy);
    panel.hide();
    connect(&dock, &QDockWidget::visibilityChanged, &panel, [this, &panel](bool seen) {
        if (seen && !m_docksAppear)
            panel.show();
        panel.setSeen(seen);
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
    setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    setCorner(Qt::BottomRightCorner, Qt::BottomDockWidgetArea);
    QHash<PanelPlace, QDockWidget*> last;
    for (const PanelKind* const kind : allPanels()) {
        QDockWidget* const dock = addDock(*kind);
        // The tab says what it is. What is about all reports has none to choose.
        if (kind->place == PanelPlace::Below && dock->widget()->property("isAboutAll").toBool())
            dock->setTitleBarWidget(new QWidget(dock));
        else if (kind->place == PanelPlace::Below)
            dock->setTitleBarWidget(
                new ReportChooser(m_session, dock->widget()->property("isAboutSeveral").toBool(), dock));
        if (QDockWidget* const before = last.value(kind->place))
            tabifyDockWidget(before, dock);
        last[kind->place] = dock;
    }
    showPanel(allPanels().front()->id);
}

void MainWindow::arrangeDocks()
{
    constexpr int widestDetails = 340;
    constexpr int lowestPanels = 340; // the overview's story on a small screen
    constexpr int highestPanels = 420;
    const int panels = std::min(height() / 2, std::clamp(height() * 36 / 100, lowestPanels, highestPanels));
    // One of each place: the others share its size.
    for (const PanelKind* const kind : allPanels()) {
        if (kind->place == PanelPlace::Below)
            resizeDocks({dockOf(kind->id)}, {panels}, Qt::Vertical);
        else
            resizeDocks({dockOf(kind->id)}, {std::min(widestDetails, width() * 22 / 100)}, Qt::Horizontal);
    }
    m_timeline->setLabelWidth(std::min(320, width() * 20 / 100));
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
        m_docksHeight = height();
        for (QDockWidget* const dock : findChildren<QDockWidget*>())
            dock->hide();
        return;
    }
    m_docksAppear = true; // each of them says for a moment that it is seen
    restoreState(m_docks, layoutVersion);
    QTimer::singleShot(0, this, &MainWindow::showPanelsInFront); // the layout has its order then
    if (!m_arranged)
        arrangeDocks();
    else if (height() < m_docksHeight)
        QTimer::singleShot(0, this, [this] { leaveRoomForRows(*this); }); // the layout has its sizes then
    if (!m_panelWanted.isEmpty())
        showPanel(std::exchange(m_panelWanted, {}));
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
    dock->show();
    dock->raise();
    return true;
}

bool MainWindow::isPanelOpen(const QString& id) const
{
    const QDockWidget* const dock = dockOf(id);
    return dock && dock->toggleViewAction()->isChecked();
}

bool MainWindow::isPanelInFront(const QString& id) const
{
    const QDockWidget* const dock = dockOf(id);
    return dock && dock->isVisible() && !dock->visibleRegion().isEmpty();
}

void MainWindow::togglePanel(const QString& id)
{
    QDockWidget* const dock = dockOf(id);
    if (!dock || !m_docksShown)
        return;
    if (isPanelInFront(id))
        dock->hide();
    else
        showPanel(id);
}

void MainWindow::resetLayout()
{
    for (QDockWidget* const dock : findChildren<QDockWidget*>()) {
        dock->setFloating(false);
        dock->show();
    }
    arrangeDocks();
    showPanel(allPanels().front()->id);
}

} // namespace warpline
