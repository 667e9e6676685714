#include "app/window_place.h"

#include "app/main_window.h"
#include "app/panel_docks.h"
#include "app/search_bar.h"
#include "views/panels/compare_panel.h"
#include "views/panels/findings_panel.h"
#include "views/panels/panel.h"
#include "views/panels/rank_map_panel.h"
#include "views/panels/ranks_panel.h"
#include "views/session/run_pair.h"
#include "views/session/saved_view.h"
#include "views/timeline/row_filter.h"
#include "views/timeline/timeline_pane.h"

#include <QAbstractScrollArea>
#include <QDockWidget>
#include <QScrollBar>
#include <QTimer>

#include <algorithm>
#include <utility>

namespace warpline {

namespace {

/// The views in open panels that can be scrolled, by a name that another window has as well.
QHash<QString, QAbstractScrollArea*> scrolledViews(const MainWindow& window)
{
    QHash<QString, QAbstractScrollArea*> views;
    for (const QDockWidget* const dock : window.findChildren<QDockWidget*>()) {
        int place = 0;
        for (QAbstractScrollArea* const view : dock->findChildren<QAbstractScrollArea*>()) {
            if (view->isVisible())
                views.insert(QString("%1:%2").arg(dock->objectName()).arg(place++), view);
        }
    }
    return views;
}

/// A panel in a dock: the page of a fleet has another of its class.
template <typename Kind> Kind& dockedPanel(const MainWindow& window, const char* id)
{
    return *window.findChild<QDockWidget*>(id)->findChild<Kind*>();
}

std::vector<WindowPlace::Event> highlightedOf(const Session& session)
{
    std::vector<WindowPlace::Event> events;
    const auto& reports = session.workspace().reports();
    for (std::size_t i = 0; i < reports.size(); ++i) {
        for (const EventRef event : session.selection().highlighted(reports[i].id))
            events.push_back({i, event});
    }
    return events;
}

/// Restores a place: what is selected and shown when the reports are there, because later changes are the
/// user's; of a comparison when the window settles. Then the panels, and then the scroll positions.
class PlaceRestorer : public QObject {
public:
    PlaceRestorer(MainWindow& window, WindowPlace place)
        : QObject(&window),
          m_window(window),
          m_place(std::move(place))
    {
        connect(&window, &MainWindow::reportsReady, this, &PlaceRestorer::begin);
        connect(&window, &MainWindow::settled, this, &PlaceRestorer::go);
        connect(&window, &MainWindow::openFailed, this, [this] {
            if (!m_window.reports().isLoading() && !m_window.session().workspace().isComplete())
                deleteLater(); // else others failed, and these are there
        });
        if (window.reports().isLoading())
            window.docks().keepPanels(true); // of a comparison: it settles late
        window.docks().setBeforeComparing(m_place.beforeComparing);
        window.panel<ComparePanel>().showTable(m_place.comparedTable);
    }

private:
    void begin()
    {
        if (m_isShown || !isViewOf(m_place.view, m_window.session().workspace()))
            return;
        if (!std::exchange(m_isBegun, true))
            showView();
    }

    void go()
    {
        const Session& session = m_window.session();
        if (!session.hasReport() || !m_window.isSettled())
            return;
        if (!std::exchange(m_isShown, true)) {
            if (!isViewOf(m_place.view, session.workspace())) {
                deleteLater();
                return;
            }
            show();
            QTimer::singleShot(0, this, &PlaceRestorer::go); // it may be settled already
        } else {
            if (m_tries == 0) // later the user may have chosen others
                showRanks();
            if (scroll())
                deleteLater();
        }
    }

    void show()
    {
        const bool isBegun = m_isBegun && !m_window.session().pair().isOn();
        auto& findings = m_window.panel<FindingsPanel>();
        const bool hasFinding = !m_place.finding.isEmpty() && findings.chosenId().isEmpty();
        if (isBegun && hasFinding) { // its evidence takes the place of what is shown
            WindowPlace now = placeOf(m_window);
            m_place.view = std::move(now.view);
            m_place.current = now.current;
            m_place.foundPlace = now.foundPlace;
            m_place.highlighted = std::move(now.highlighted);
            m_place.highlightedName = std::move(now.highlightedName);
            m_place.marksFiltered = now.marksFiltered;
            m_place.marked = now.marked;
        }
        if (hasFinding)
            findings.chooseFinding(m_place.finding);
        if (!isBegun) {
            showView();
        } else if (hasFinding) { // queries of rows run already
            showAsIn(m_window.session(), m_place.view);
            markEvents();
        }
        showPanels();
    }

    void showView()
    {
        applyView(m_window.session(), m_place.view);
        m_window.views().restore(m_place.choices);
        applyRowFilter(m_window.timeline().rowFilter(), m_place.choices.rowFilter);
        markEvents();
    }

    /// Also makes the current one current.
    void markEvents()
    {
        Session& session = m_window.session();
        const auto& reports = session.workspace().reports();
        Selection::Highlights highlights;
        for (const auto& [report, event] : m_place.highlighted)
            highlights[reports[report].id].push_back(event);
        session.selection().markRange(m_place.marked);
        session.selection().setCurrentEvent(m_place.current
                ? EventId{reports[m_place.current->report].id, m_place.current->event}
                : EventId());
        if (m_place.foundPlace > 0)
            m_window.search().setFound(m_place.foundPlace);
        applyFilter(session, m_place.view.filter); // panels are about the report of the event now
        session.selection().restoreHighlights(
            {std::move(highlights), m_place.highlightedName, m_place.marksFiltered});
    }

    void showPanels()
    {
        for (const PanelPlace place : {PanelPlace::Beside, PanelPlace::Below}) {
            bool isOpen = false;
            for (const PanelKind* const kind : allPanels()) {
                if (kind->place == place && m_place.panels.contains(kind->id)) {
                    m_window.docks().showPanel(kind->id);
                    isOpen = true;
                }
            }
            if (!isOpen && m_window.docks().isPlaceOpen(place))
                m_window.docks().togglePlace(place);
        }
    }

    /// The analysis across the ranks is there: it was asked for when their panels were shown.
    void showRanks()
    {
        dockedPanel<RanksPanel>(m_window, "ranks").restoreChoice(m_place.ranks);
        dockedPanel<RankMapPanel>(m_window, "rankmap").map().setCurrent(m_place.rankCell);
    }

    /// False: the content to scroll is not there yet.
    bool scroll()
    {
        if (m_place.top)
            m_window.timeline().view().scrollTo(*m_place.top);
        bool isThere = true;
        const auto views = scrolledViews(m_window);
        for (auto it = m_place.scrolled.cbegin(); it != m_place.scrolled.cend(); ++it) {
            QAbstractScrollArea* const view = views.value(it.key());
            if (!view)
                continue;
            view->horizontalScrollBar()->setValue(it->x());
            view->verticalScrollBar()->setValue(it->y());
            isThere = isThere && view->verticalScrollBar()->value() == it->y();
        }
        return isThere || ++m_tries > maxTries;
    }

    static constexpr int maxTries = 3; ///< lists may have become shorter, in another language or text size

    MainWindow& m_window;
    WindowPlace m_place;
    bool m_isBegun = false;
    bool m_isShown = false;
    int m_tries = 0;
};

} // namespace

WindowPlace placeOf(MainWindow& window)
{
    const Session& session = window.session();
    WindowPlace place;
    place.view = viewOf(session);
    const auto& reports = session.workspace().reports();
    const EventId current = session.selection().currentEvent();
    const auto report = std::ranges::find(reports, current.report, &OpenReport::id);
    if (current.valid() && report != reports.end())
        place.current = WindowPlace::Event{static_cast<std::size_t>(report - reports.begin()), current.event};
    place.foundPlace = place.current ? window.search().foundPlace() : 0;
    if (place.current) { // panels will be about its report
        place.view.filter = session.selection().filter();
        if (current.report != session.report().id)
            dropPlaces(place.view.filter);
    }
    place.highlighted = highlightedOf(session);
    place.highlightedName = session.selection().highlightedName();
    place.marksFiltered = session.selection().marksFiltered();
    place.marked = session.selection().markedRange();
    place.choices = window.views().choices();
    place.finding = window.panel<FindingsPanel>().chosenId();
    for (const PanelKind* const kind : allPanels()) {
        if (window.docks().isPanelOpen(kind->id))
            place.panels << kind->id;
    }
    place.beforeComparing = window.docks().beforeComparing();
    place.comparedTable = window.panel<ComparePanel>().chosenTable();
    place.ranks = dockedPanel<RanksPanel>(window, "ranks").choice();
    place.rankCell = dockedPanel<RankMapPanel>(window, "rankmap").map().current();
    place.top = window.timeline().view().topRow();
    const auto views = scrolledViews(window);
    for (auto it = views.cbegin(); it != views.cend(); ++it)
        place.scrolled.insert(
            it.key(), {it.value()->horizontalScrollBar()->value(), it.value()->verticalScrollBar()->value()});
    return place;
}

void restorePlace(MainWindow& window, WindowPlace place)
{
    new PlaceRestorer(window, std::move(place)); // deletes itself
}

} // namespace warpline
