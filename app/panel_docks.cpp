#include "app/panel_docks.h"

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
#include "views/style/linked_label.h"
#include "views/style/rich_text.h"
#include "views/style/text_scale.h"
#include "views/timeline/timeline_pane.h"

#include <QAction>
#include <QApplication>
#include <QCloseEvent>
#include <QDockWidget>
#include <QLabel>
#include <QLayout>
#include <QSettings>
#include <QTimer>
#include <QToolBar>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace warpline {

namespace {

constexpr int minCanvasHeight = 300; ///< pixels of the timeline's height that the drawer leaves
constexpr int lowestDrawer = 120;
constexpr auto detailsId = "details";
constexpr QSize roomForDrawer{1800, 950}; ///< windows of this size start with the drawer open

QString firstPanelOf(PanelPlace place)
{
    return (*std::ranges::find(allPanels(), place, &PanelKind::place))->id;
}

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

PanelDocks::PanelDocks(QMainWindow& window, Session& session, ComparedTimelines& timelines,
    WindowActions& actions, const Theme& theme)
    : QObject(&window),
      m_window(window),
      m_session(session),
      m_timelines(timelines),
      m_actions(actions),
      m_beforeComparing{{PanelPlace::Beside, allPanels().front()->id}}
{
    window.setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea); // the inspector has the whole height
    QHash<PanelPlace, QDockWidget*> last;
    for (const PanelKind* const kind : allPanels()) {
        QDockWidget* const dock = addDock(*kind, theme);
        if (QDockWidget* const before = last.value(kind->place))
            window.tabifyDockWidget(before, dock);
        last[kind->place] = dock;
    }
    connect(&session, &Session::panelRequested, this, &PanelDocks::enterPanel);
    connect(&session, &Session::reportOpened, this, [this] { m_isFromBefore = m_panelWanted.isEmpty(); });
    connect(&session.selection(), &Selection::currentEventChanged, this, &PanelDocks::inspectSelection);
    connect(&session.time(), &TimeView::selectedRangeChanged, this, &PanelDocks::inspectSelection);
    connectHistory();
}

QDockWidget* PanelDocks::addDock(const PanelKind& kind, const Theme& theme)
{
    const QString title = QCoreApplication::translate("Action", kind.title);
    auto* const dock = new QDockWidget(title, &m_window);
    dock->setObjectName(kind.id);
    Panel* const panel = kind.make(m_session, theme, dock);
    QSettings settings;
    settings.beginGroup(QString("panels/") + kind.id);
    panel->restoreState(settings);
    if (settings.value("replaced").toBool())
        m_replaced[kind.place] = kind.id;
    connect(panel, &Panel::messages, this, &PanelDocks::messages);
    connect(panel, &Panel::updated, this, &PanelDocks::updated);
    for (TableExport* const table : offerTables(*panel, m_session, kind.id))
        connect(table, &TableExport::messages, this, &PanelDocks::messages);
    offerWhatIsThis(*panel, m_session);
    m_actions.find(QString("panel.") + kind.id)->installEventFilter(this);
    m_panels << panel;
    dock->setWidget(panel);
    showWhenSeen(*dock, *panel);
    m_window.addDockWidget(
        kind.place == PanelPlace::Below ? Qt::BottomDockWidgetArea : Qt::RightDockWidgetArea, dock);
    // A floating window has the desktop's title bar.
    QWidget* const head = makeHead(kind, *dock);
    dock->setTitleBarWidget(head);
    connect(dock, &QDockWidget::topLevelChanged, this, [this, dock, head](bool floats) {
        dock->setTitleBarWidget(floats ? nullptr : head);
        head->setVisible(!floats);
        if (!floats && m_shown)
            hideOthersOf(*dock);
    });
    return dock;
}

/// The head of a panel: in the inspector the bar of panels, and with several reports a chooser of the report.
/// Panels about all reports have no chooser.
QWidget* PanelDocks::makeHead(const PanelKind& kind, QDockWidget& dock)
{
    auto* const head = new QWidget(&dock);
    auto* const layout = new QVBoxLayout(head);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    if (kind.place == PanelPlace::Beside)
        layout->addWidget(new PanelBar(PanelPlace::Beside, m_session, m_actions, head));
    if (kind.about != PanelReports::All) {
        layout->addWidget(new ReportChooser(m_session, kind.about == PanelReports::Several, head));
        if (!kind.namesRuns)
            layout->addWidget(makeRunNote(*head));
    }
    return head;
}

/// Shows which of two compared runs a panel is about; panels about both have none.
QLabel* PanelDocks::makeRunNote(QWidget& head)
{
    auto* const note = new LinkedLabel(&head);
    note->setObjectName("run-note");
    note->setContentsMargins(6, 2, 6, 2);
    note->setMinimumWidth(1); // else no inspector could be narrower than the name
    const auto tell = [this, note] {
        const RunPair& pair = m_session.pair();
        const bool isOfA = pair.isOn() && !pair.isWithinOne() && m_session.hasReport();
        note->setVisible(isOfA);
        if (isOfA)
            note->setText(tr("Run A: %1. For B: <a href='swap'>Swap A and B</a>")
                              .arg(htmlOf(m_session.workspace().reports().front().label)));
    };
    connect(&m_session.pair(), &RunPair::changed, note, tell);
    connect(&m_session, &Session::traceChanged, note, tell);
    connect(note, &QLabel::linkActivated, this, [this] { m_actions.find("file.swap")->trigger(); });
    tell();
    return note;
}

void PanelDocks::showWhenSeen(QDockWidget& dock, Panel& panel)
{
    QSizePolicy policy = panel.sizePolicy();
    policy.setRetainSizeWhenHidden(true); // a dock has the size of its future content
    panel.setSizePolicy(policy);
    panel.hide();
    connect(&dock, &QDockWidget::visibilityChanged, &panel, [this, &panel](bool seen) {
        if (seen && !m_appear)
            panel.show();
        panel.setInFront(seen);
        m_actions.updateChecksSoon();
        if (!seen)
            QTimer::singleShot(0, this, &PanelDocks::updated); // its result is no longer needed
    });
}

void PanelDocks::showPanelsInFront()
{
    if (!std::exchange(m_appear, false)) // hidden again in between
        return;
    for (Panel* const panel : std::as_const(m_panels)) {
        if (isPanelInFront(panel->parentWidget()->objectName()))
            panel->show();
    }
    emit updated();
}

QDockWidget* PanelDocks::dockOf(const QString& id) const
{
    const PanelKind* const kind = findPanel(id);
    return kind ? m_window.findChild<QDockWidget*>(kind->id) : nullptr;
}

QDockWidget* PanelDocks::openDock(PanelPlace place) const
{
    for (const PanelKind* const kind : allPanels()) {
        QDockWidget* const dock = dockOf(kind->id);
        if (kind->place == place && !dock->isFloating() && !dock->isHidden())
            return dock;
    }
    return nullptr;
}

QString PanelDocks::openPanel(PanelPlace place) const
{
    const QDockWidget* const dock = openDock(place);
    return dock ? dock->objectName() : QString();
}

bool PanelDocks::hasRoomForDrawer() const
{
    return m_window.width() >= roomForDrawer.width() && m_window.height() >= roomForDrawer.height();
}

/// Each side of the window holds one panel at a time: where others would be tabs, they step aside.
void PanelDocks::hideOthersOf(QDockWidget& dock)
{
    const Qt::DockWidgetArea area = m_window.dockWidgetArea(&dock);
    for (const PanelKind* const kind : allPanels()) {
        QDockWidget* const other = dockOf(kind->id);
        if (other != &dock && !other->isFloating() && m_window.dockWidgetArea(other) == area)
            other->hide();
    }
}

int PanelDocks::usualSize(PanelPlace place) const
{
    constexpr int minInspectorWidth = 300;
    constexpr int maxInspectorWidth = 420;
    if (place == PanelPlace::Beside)
        return std::clamp(m_window.width() * 26 / 100, minInspectorWidth, maxInspectorWidth);
    return std::max(
        lowestDrawer, m_window.height() * (m_window.height() < roomForDrawer.height() ? 40 : 30) / 100);
}

/// Gives a dock that comes back the size that its place had.
void PanelDocks::resizePlace(QDockWidget& dock, PanelPlace place)
{
    const int before = m_placeSizes.value(place);
    m_window.resizeDocks({&dock}, {before > 0 ? before : usualSize(place)}, growsAlong(place));
    leaveRoomForRows();
}

void PanelDocks::keepPlaceSize(const QDockWidget& dock)
{
    const PanelKind* const kind = kindOf(dock);
    if (!kind || m_appear || dock.isFloating() || !dock.isVisible()) // it has none yet
        return;
    const auto along
        = [kind](QSize size) { return kind->place == PanelPlace::Below ? size.height() : size.width(); };
    const int size = along(dock.size());
    int& kept = m_placeSizes[kind->place];
    if (kept <= 0)
        kept = usualSize(kind->place);
    // Content that needs more, as in large text, does so only while it is there.
    if (kept > size || size > along(dock.minimumSizeHint()))
        kept = size;
}

void PanelDocks::keepInspectorWidth()
{
    if (const QDockWidget* const inspector = m_shown ? openDock(PanelPlace::Beside) : nullptr)
        keepPlaceSize(*inspector);
}

void PanelDocks::leaveRoomForRows()
{
    QDockWidget* const drawer = m_shown ? openDock(PanelPlace::Below) : nullptr;
    if (!drawer)
        return;
    const int least = std::max(std::min(minCanvasHeight, m_window.height() / 2), m_timelines.leastHeight());
    const int missing = least - m_window.centralWidget()->height();
    if (missing > 0)
        m_window.resizeDocks({drawer}, {std::max(lowestDrawer, drawer->height() - missing)}, Qt::Vertical);
}

void PanelDocks::arrange()
{
    m_placeSizes.clear();
    m_replaced.clear();
    QHash<PanelPlace, bool> shown{{PanelPlace::Below, !hasRoomForDrawer()}};
    for (const PanelKind* const kind : allPanels()) {
        QDockWidget* const dock = dockOf(kind->id);
        dock->setVisible(!std::exchange(shown[kind->place], true)); // the first of each place
        if (!dock->isHidden())
            m_window.resizeDocks({dock}, {usualSize(kind->place)}, growsAlong(kind->place));
    }
    constexpr int widestLabels = 320;
    m_timelines.a().setLabelWidth(inTextSize(std::min(widestLabels, m_window.width() * 16 / 100)));
    m_arranged = true;
}

void PanelDocks::showAll(bool shown)
{
    keepInspectorWidth();
    m_coming = false;
    m_appear = false;
    if (shown == m_shown)
        return;
    m_shown = shown;
    if (!shown) {
        const auto docks = m_window.findChildren<QDockWidget*>();
        for (QDockWidget* const dock : docks) { // end a drag, because restoreState() would read freed memory
            QCloseEvent end; // this alone closes nothing
            QCoreApplication::sendEvent(dock, &end);
        }
        m_state = m_window.saveState(layoutVersion);
        for (QDockWidget* const dock : docks)
            dock->hide();
        // The start page has its own buttons; the tool bar is about a report, and appears with the docks.
        m_window.findChild<QToolBar*>("navigation")->hide();
        return;
    }
    m_appear = true; // each of them becomes visible for a moment
    putBack(m_state);
    QTimer::singleShot(0, this, &PanelDocks::showPanelsInFront); // the layout has its order then
    QDockWidget* const inspector = openDock(PanelPlace::Beside);
    if (!m_arranged)
        arrange();
    else if (const int width = m_placeSizes.value(PanelPlace::Beside); inspector && width > 0)
        m_window.resizeDocks({inspector}, {width}, Qt::Horizontal);
    QTimer::singleShot(0, this, &PanelDocks::leaveRoomForRows);
    if (!m_panelWanted.isEmpty())
        showPanel(std::exchange(m_panelWanted, {}));
    followComparison();
}

bool PanelDocks::putBack(const QByteArray& state)
{
    // While a panel moves back from a drag, Qt 6.4 may read freed tab bars if one of them triggers a layout
    // of the window.
    QLayout& layout = *m_window.layout();
    layout.setEnabled(false);
    const bool isBack = m_window.restoreState(state, layoutVersion);
    layout.setEnabled(true);
    layout.invalidate();
    return isBack;
}

bool PanelDocks::showPanel(const QString& id)
{
    QDockWidget* const dock = dockOf(id);
    if (!dock)
        return false;
    m_isFromBefore = false;
    if (!m_shown) {
        m_panelWanted = id;
        return true;
    }
    const PanelKind* const kind = kindOf(*dock);
    if (id != kind->id)
        qobject_cast<Panel*>(dock->widget())->showPart(id);
    if (openPanel(kind->place) != kind->id)
        m_replaced.remove(kind->place);
    bringDock(*dock);
    const QString with = kind->with;
    if (!with.isEmpty() && !isPanelOpen(with))
        showPanel(with);
    return true;
}

void PanelDocks::bringDock(QDockWidget& dock)
{
    const PanelPlace place = kindOf(dock)->place;
    if (const QDockWidget* const before = openDock(place))
        keepPlaceSize(*before);
    const bool wasHidden = dock.isHidden();
    if (!dock.isFloating())
        hideOthersOf(dock);
    dock.show();
    dock.raise();
    if (wasHidden && !dock.isFloating())
        resizePlace(dock, place);
}

void PanelDocks::bringFirst()
{
    QString open = openPanel(PanelPlace::Beside);
    if (open == detailsId && !m_beforeDetails.isEmpty())
        open = m_beforeDetails;
    const PanelKind* const kind = findPanel(open);
    if (!kind) // the inspector is closed
        return;
    const bool isMode = open != detailsId && (kind->about == PanelReports::All || kind->namesRuns);
    bringDock(*dockOf(isMode ? kind->id : allPanels().front()->id));
}

bool PanelDocks::isPanelOpen(const QString& id) const
{
    const QDockWidget* const dock = dockOf(id);
    return dock && !dock->isHidden();
}

bool PanelDocks::isPanelInFront(const QString& id) const
{
    const QDockWidget* const dock = dockOf(id);
    return dock && dock->isVisible() && !dock->visibleRegion().isEmpty();
}

void PanelDocks::closePanel(QDockWidget& dock)
{
    keepPlaceSize(dock);
    m_lastShown[kindOf(dock)->place] = dock.objectName();
    m_replaced.remove(kindOf(dock)->place);
    if (dock.isAncestorOf(QApplication::focusWidget()))
        giveKeyboard(m_timelines.a().view());
    dock.hide();
}

void PanelDocks::togglePanel(const QString& id)
{
    QDockWidget* const dock = dockOf(id);
    if (!dock || !m_shown)
        return;
    if (isPanelOpen(id))
        closePanel(*dock);
    else
        enterPanel(id);
}

/// The key of an open panel goes there first. From inside it closes the panel, as a click on its button does.
bool PanelDocks::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Shortcut) {
        const QString id = watched->objectName().section('.', 1);
        if (isPanelOpen(id) && !dockOf(id)->isAncestorOf(QApplication::focusWidget())) {
            enterPanel(id);
            return true;
        }
    }
    return QObject::eventFilter(watched, event);
}

/// Shows the panel and gives it the focus.
void PanelDocks::enterPanel(const QString& id)
{
    if (!showPanel(id) || !m_shown)
        return;
    m_replaced.remove(kindOf(*dockOf(id))->place); // also where it stood in for another: now it is wanted
    QWidget& panel = *dockOf(id)->widget();
    if (!panel.isAncestorOf(QApplication::focusWidget()))
        giveKeyboard(panel);
}

void PanelDocks::togglePlace(PanelPlace place)
{
    if (!m_shown)
        return;
    if (QDockWidget* const dock = openDock(place)) {
        closePanel(*dock);
        return;
    }
    showPanel(m_lastShown.value(place, firstPanelOf(place)));
}

void PanelDocks::floatPanel()
{
    QDockWidget* panel = m_shown ? openDock(PanelPlace::Below) : nullptr;
    if (m_shown && !panel)
        panel = openDock(PanelPlace::Beside);
    for (QDockWidget* const dock : m_window.findChildren<QDockWidget*>()) {
        if (dock->isAncestorOf(QApplication::focusWidget()))
            panel = dock;
    }
    if (panel)
        panel->setFloating(!panel->isFloating());
}

void PanelDocks::inspectSelection()
{
    RunPair& pair = m_session.pair();
    const QDockWidget* const open = m_shown ? openDock(PanelPlace::Beside) : nullptr;
    if (!open || m_session.movesClocks() || (pair.isOn() && pair.b().movesClocks()))
        return;
    const QString id = open->objectName();
    const Session* const selected
        = pair.isOn() && !m_session.selection().currentEvent().valid() ? &pair.b() : &m_session;
    const EventId event = selected->selection().currentEvent();
    if (!event.valid() && m_session.time().selectedRange().empty()
        && selected->time().selectedRange().empty()) {
        if (id == detailsId && !m_beforeDetails.isEmpty())
            bringDock(*dockOf(std::exchange(m_beforeDetails, {})));
        return;
    }
    const bool isRead = open->isAncestorOf(QApplication::focusWidget());
    const bool isEvidence
        = id != allPanels().front()->id && event.valid() && selected->selection().isHighlighted(event);
    if (id == detailsId || isRead || isEvidence)
        return;
    m_beforeDetails = id;
    bringDock(*dockOf(detailsId));
}

void PanelDocks::leaveUnneeded()
{
    if (!m_shown || !m_isFromBefore || m_keepsPanels)
        return;
    if (openPanel(PanelPlace::Beside) == detailsId)
        m_beforeDetails = standInFor(PanelPlace::Beside, wantedFor(PanelPlace::Beside, m_beforeDetails));
    else
        m_beforeDetails.clear();
    for (const PanelPlace place : {PanelPlace::Beside, PanelPlace::Below})
        bring(place, wantedAt(place));
    m_isFromBefore = false;
}

/// `id`, or the first panel of its place when it does not apply to the open reports.
QString PanelDocks::neededFor(const QString& id) const
{
    const PanelKind* const kind = findPanel(id);
    if (!kind || !kind->isNeeded || kind->isNeeded(m_session))
        return id;
    return firstPanelOf(kind->place);
}

/// `id`, or the first panel of `place`, which it gives way to.
QString PanelDocks::standInFor(PanelPlace place, const QString& id)
{
    const QString needed = neededFor(id);
    if (needed != id)
        m_replaced[place] = id;
    return needed;
}

/// `id`, or the panel that gave way to it.
QString PanelDocks::wantedFor(PanelPlace place, const QString& id) const
{
    return id == firstPanelOf(place) ? m_replaced.value(place, id) : id;
}

QString PanelDocks::wantedAt(PanelPlace place) const
{
    return wantedFor(place, openPanel(place));
}

/// Shows `id`, or what stands in for it, unless it is open; empty: leaves the place as it is.
void PanelDocks::bring(PanelPlace place, const QString& id)
{
    const QString needed = standInFor(place, id);
    if (!needed.isEmpty() && needed != openPanel(place))
        bringDock(*dockOf(needed));
}

void PanelDocks::connectHistory()
{
    auto& findings = *m_window.findChild<FindingsPanel*>();
    m_inspected = new InspectorHistory(
        [this, &findings] {
            InspectorHistory::Page page{m_shown ? openPanel(PanelPlace::Beside) : QString()};
            if (page.panel == "findings")
                page.finding = findings.chosenId();
            if (page.panel == "details")
                page.event = m_session.selection().currentEvent();
            if (page.event.valid())
                page.trace = m_session.workspace().report(page.event.report).trace;
            page.range = m_session.time().selectedRange();
            return page;
        },
        [this](const InspectorHistory::Page& page) {
            m_session.time().selectRange(page.range);
            if (!page.finding.isEmpty())
                emit m_session.judgement().findingRequested(
                    page.finding); // once the panels of the range are there
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
    connect(&m_session, &Session::traceChanged, m_inspected,
        [this] { m_inspected->follow(m_session.workspace()); });
    connect(m_inspected, &InspectorHistory::changed, &m_actions, &WindowActions::update);
    for (QDockWidget* const dock : m_window.findChildren<QDockWidget*>())
        connect(dock, &QDockWidget::visibilityChanged, m_inspected, &InspectorHistory::lookSoon);
}

void PanelDocks::keepPanels(bool kept)
{
    m_keepsPanels = kept;
    m_session.pair().setReturning(kept);
    followComparison();
}

void PanelDocks::followComparison()
{
    if (m_keepsPanels) {
        m_compares = m_compares || m_session.pair().isOn();
        return;
    }
    if (!m_shown || m_compares == m_session.pair().isOn())
        return;
    m_compares = !m_compares;
    for (const auto& [place, id] :
        {std::pair{PanelPlace::Beside, "verdict"}, {PanelPlace::Below, "compare"}}) {
        if (m_compares) {
            if (openPanel(place) != id) // else a window before this one compared
                m_beforeComparing[place] = wantedAt(place);
            if (place == PanelPlace::Beside || hasRoomForDrawer())
                bringDock(*dockOf(id));
        } else if (openPanel(place) == id) {
            closePanel(*openDock(place));
            bring(place, m_beforeComparing.value(place));
        } else if (m_isFromBefore) { // else the user opened it during the comparison
            bring(place, wantedAt(place));
        }
    }
}

bool PanelDocks::isPlaceOpen(PanelPlace place) const
{
    return m_shown && openDock(place);
}

void PanelDocks::resetLayout()
{
    for (QDockWidget* const dock : m_window.findChildren<QDockWidget*>())
        dock->setFloating(false);
    arrange();
}

QByteArray PanelDocks::state() const
{
    return m_shown ? m_window.saveState(layoutVersion) : m_state;
}

bool PanelDocks::restore(const QByteArray& state)
{
    m_arranged = putBack(state);
    hide();
    if (m_arranged) { // before it is laid out a window knows no sizes
        m_state = state;
        m_placeSizes[PanelPlace::Beside] = QSettings().value("window/inspector").toInt();
    }
    return m_arranged;
}

void PanelDocks::showSoon()
{
    if (std::exchange(m_coming, true))
        return;
    QTimer::singleShot(0, this, [this] {
        if (!m_coming) // the report was closed in the meantime
            return;
        const bool wanted = !m_panelWanted.isEmpty();
        showAll(true);
        emit shown(wanted);
    });
}

void PanelDocks::savePanels()
{
    keepInspectorWidth();
    QSettings settings;
    settings.setValue("window/inspector", m_placeSizes.value(PanelPlace::Beside));
    for (qsizetype i = 0; i < m_panels.size(); ++i) {
        const PanelKind& kind = *allPanels()[static_cast<std::size_t>(i)];
        settings.beginGroup(QString("panels/") + kind.id);
        m_panels[i]->saveState(settings);
        settings.setValue("replaced", m_replaced.value(kind.place) == kind.id);
        settings.endGroup();
    }
}

} // namespace warpline
