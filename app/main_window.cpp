#include "app/main_window.h"

#include "app/accessible_names.h"
#include "app/part_export.h"
#include "app/report_chooser.h"
#include "app/search_bar.h"
#include "app/start_page.h"
#include "app/view_files.h"
#include "app/window_actions.h"
#include "app/window_keys.h"
#include "views/compare/compared_timelines.h"
#include "views/loading/job_failures.h"
#include "views/panels/panel.h"
#include "views/panels/table_export.h"
#include "views/style/color_choice.h"
#include "views/style/counter_scale.h"
#include "views/timeline/overview.h"
#include "views/timeline/timeline_pane.h"

#include <QAction>
#include <QApplication>
#include <QCloseEvent>
#include <QDockWidget>
#include <QHBoxLayout>
#include <QLabel>
#include <QMimeData>
#include <QProgressBar>
#include <QPushButton>
#include <QScreen>
#include <QSettings>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace warpline {

namespace {

constexpr int layoutVersion = 3; ///< of the saved docks; another number starts anew

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

MainWindow::MainWindow(const Theme& theme, QWidget* parent)
    : QMainWindow(parent),
      m_theme(&theme),
      m_views(new ViewFiles(m_session, m_reports, this)),
      m_timelines(new ComparedTimelines(m_session, theme, this)),
      m_timeline(&m_timelines->a()),
      m_center(new QStackedWidget(this)),
      m_start(new StartPage(this)),
      m_messageBar(new QWidget(this)),
      m_message(new QLabel(this)),
      m_compareThem(new QPushButton(tr("Compare them instead"), this)),
      m_search(new SearchBar(m_session, theme, this)),
      m_status(new QLabel(this)),
      m_memory(new QLabel(this)),
      m_progress(new QProgressBar(this)),
      m_cancel(new QPushButton(tr("Cancel"), this)),
      m_actions(new WindowActions(*this, m_session))
{
    setWindowTitle("Warpline");
    setAcceptDrops(true);
    setDockNestingEnabled(true);
    makeCenter();
    makeDocks();
    makeToolBar();
    makeMenus();
    makeStatusBar();
    m_views->setRowFilter(m_timeline->rowFilter());
    connectLoading();
    connectComparing();
    connectPanels();
    connectFleet();
    new WindowKeys(*this, m_timeline->view(), this);
    ColorChoice::shared().reload();
    CounterChoice::shared().reload();
    setTheme(theme);
    for (QDockWidget* const dock : findChildren<QDockWidget*>())
        nameParts(*dock, dock->windowTitle());
    nameParts(*this, windowTitle());

    const QSettings settings;
    fitScreen();
    if (settings.contains("window/geometry")) {
        restoreGeometry(settings.value("window/geometry").toByteArray());
        m_arranged = restoreState(settings.value("window/state").toByteArray(), layoutVersion);
        m_timeline->setLabelWidth(settings.value("window/labels", 320).toInt());
    }
    showDocks(false);
}

MainWindow::~MainWindow() = default;

QRect MainWindow::firstPlace(QRect available)
{
    // Room for the frame and the desktop's bars; the status bar must be on the screen.
    constexpr double share = 0.85;
    QRect place({}, available.size() * share);
    place.moveCenter(available.center());
    return place;
}

void MainWindow::fitScreen()
{
    setGeometry(firstPlace(screen()->availableGeometry()));
}

void MainWindow::setCacheUsed(bool used)
{
    m_reports.setCacheUsed(used);
    m_others.setCacheUsed(used);
}

void MainWindow::makeCenter()
{
    auto* const page = new QWidget(this);
    auto* const bar = new QHBoxLayout(m_messageBar);
    bar->setContentsMargins(10, 6, 6, 6);
    m_message->setWordWrap(true);
    m_message->setTextFormat(Qt::PlainText);
    m_message->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* const close = new QToolButton(m_messageBar);
    close->setText(QString(QChar(0x00d7)));
    close->setToolTip(tr("Hide this message"));
    close->setAutoRaise(true);
    connect(close, &QToolButton::clicked, m_messageBar, &QWidget::hide);
    bar->addWidget(m_message, 1);
    bar->addWidget(m_compareThem);
    bar->addWidget(close, 0, Qt::AlignTop);
    m_messageBar->setAutoFillBackground(true);
    m_messageBar->hide();
    connect(m_start, &StartPage::openWanted, this, &MainWindow::askForFile);
    connect(m_start, &StartPage::filesWanted, this, &MainWindow::openAll);
    m_center->addWidget(m_start);
    m_center->addWidget(m_timelines);
    auto* const layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_messageBar);
    layout->addWidget(m_center, 1);
    setCentralWidget(page);
}

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
    connect(dock, &QDockWidget::visibilityChanged, panel, &Panel::setSeen);
    dock->setWidget(panel);
    addDockWidget(kind.place == PanelPlace::Below ? Qt::BottomDockWidgetArea : Qt::RightDockWidgetArea, dock);
    return dock;
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

void MainWindow::savePanels() const
{
    QSettings settings;
    for (qsizetype i = 0; i < m_panels.size(); ++i) {
        settings.beginGroup(QString("panels/") + allPanels()[static_cast<std::size_t>(i)]->id);
        m_panels[i]->saveState(settings);
        settings.endGroup();
    }
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
    if (shown == m_docksShown)
        return;
    m_docksShown = shown;
    if (!shown) {
        m_docks = saveState(layoutVersion);
        for (QDockWidget* const dock : findChildren<QDockWidget*>())
            dock->hide();
        return;
    }
    restoreState(m_docks, layoutVersion);
    if (m_arranged)
        QTimer::singleShot(0, this, [this] { leaveRoomForRows(*this); }); // the layout has its sizes then
    else
        arrangeDocks();
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

void MainWindow::connectPanels()
{
    connect(&m_session, &Session::panelRequested, this, &MainWindow::showPanel);
    connect(&JobFailures::shared(), &JobFailures::happened, this,
        [this](const QString& message) { showMessage(message, true); });
    connect(&m_timeline->overview(), &Overview::updated, this, &MainWindow::checkSettled);
    connect(m_timelines, &ComparedTimelines::updated, this, &MainWindow::checkSettled);
    auto* const parts = new PartExport(m_session, this); // found by the actions that ask it
    connect(parts, &PartExport::messages, this, &MainWindow::say);
}

void MainWindow::showMessage(const QString& text, bool isError)
{
    QPalette colors = palette();
    const QColor background = isError ? QColor(0x8e2f22) : m_theme->panel;
    const QColor foreground = Theme::textOn(background);
    colors.setColor(QPalette::Window, background);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        colors.setColor(role, foreground);
    m_messageBar->setPalette(colors);
    m_message->setText(text);
    m_compareThem->hide();
    m_messageBar->show();
}

bool MainWindow::isSettled() const
{
    if (m_center->currentWidget() == m_fleetPage)
        return !m_reports.isLoading();
    return !m_docksComing && !m_reports.isLoading() && !m_others.isLoading()
        && m_session.workspace().isComplete() && m_timelines->isReady()
        && std::ranges::none_of(m_panels, &Panel::isBusy);
}

void MainWindow::checkSettled()
{
    if (isSettled())
        emit settled();
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    m_session.saveState();
    savePanels();
    QSettings settings;
    settings.setValue("window/geometry", saveGeometry());
    settings.setValue("window/state", m_docksShown ? saveState(layoutVersion) : m_docks);
    settings.setValue("window/labels", m_timeline->labelWidth());
    QMainWindow::closeEvent(event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (event->mimeData()->hasUrls())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    QStringList names;
    for (const QUrl& url : event->mimeData()->urls()) {
        if (url.isLocalFile())
            names << url.toLocalFile();
    }
    if (names.isEmpty())
        return;
    if (event->modifiers().testFlag(Qt::ControlModifier))
        add(names);
    else {
        openAll(names);
        if (names.size() == 2)
            offerToCompare();
    }
}

} // namespace warpline
