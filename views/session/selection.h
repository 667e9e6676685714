#pragma once

#include "core/handover/view_file.h"
#include "core/query/event_list.h"
#include "core/workspace/workspace.h"
#include "views/loading/latest_job.h"

#include <QObject>
#include <QString>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace warpline {

class Session;

/// Further restrictions of the events panel (and the statistics of a selection), in addition to range and
/// rows. Its text is a part of the name, or a filter: see FilterExpression. Tracks and process are of the
/// report that panels are about.
using EventFilter = FilterOfView;

/// The events of `trace` that pass `filter`, on all tracks and at all times, for the events panel.
EventQuery queryOf(const EventFilter& filter, const Trace& trace);

/// What events of one name have in common.
struct NameOfKind {
    EventKind kind = EventKind::Kernel;
    std::string name;
    bool operator==(const NameOfKind&) const = default;
};

/// The selection of a session other than the time range: rows, the current event, highlights, search and
/// filter.
class Selection : public QObject {
    Q_OBJECT
public:
    /// `session` owns this object.
    explicit Selection(Session& session);

    const std::vector<RowId>& selectedRows() const { return m_selectedRows; } ///< empty: all rows
    void selectRows(std::vector<RowId> rows);
    /// The selected rows of the report that panels show, as rows of that report's own tree.
    std::vector<RowId> ownSelectedRows() const;
    std::vector<RowId> ownSelectedRows(ReportId report) const;

    EventId currentEvent() const { return m_current; }
    void setCurrentEvent(EventId event);
    /// The current event when it is in the panels' report; else not valid().
    EventRef ownCurrentEvent() const;
    /// Events to be marked in the timeline and the events view: the evidence of a finding, the instances of a
    /// statistics row. Those of `report`, sorted.
    const std::vector<EventRef>& highlighted(ReportId report) const;
    bool highlightsAny() const { return !m_highlighted.events.empty(); }
    /// Marks these of `report` and nothing else.
    void setHighlighted(ReportId report, std::vector<EventRef> events);
    /// Events marked, of each report that has some; each list sorted.
    using Highlights = std::map<ReportId, std::vector<EventRef>>;
    /// Marks these of all reports, in any order, and nothing else. `name`: see highlightedName().
    void setHighlights(Highlights events, std::optional<NameOfKind> name = {});
    struct Highlighted {
        Highlights events;
        std::optional<NameOfKind> name; ///< see highlightedName()
        bool passFilter = false; ///< see marksFiltered()
        bool operator==(const Highlighted&) const = default;
    };
    /// The same for marks that go again: returns those before.
    Highlighted exchangeHighlights(Highlighted next);
    /// Marks these of another window, also where those that pass the filter are being looked up.
    void restoreHighlights(Highlighted marks);
    void clearHighlights() { setHighlighted({}, {}); }
    /// A time range marked in the timeline: evidence without an event. Not a selection: it restricts neither
    /// analysis nor lists. Empty: none.
    TimeRange markedRange() const { return m_marked; }
    void markRange(TimeRange range);
    /// Highlights all events of `kind` named `name` in all reports; looks them up off the GUI thread.
    void highlightName(EventKind kind, const std::string& name);
    /// The name of the marked events, as long as highlightName() marked them; nothing: other events are
    /// marked, or none.
    const std::optional<NameOfKind>& highlightedName() const { return m_highlighted.name; }
    bool isHighlighted(EventId event) const;
    /// Whether the marked events are those that pass the filter, or these are looked up.
    bool marksFiltered() const { return m_highlighted.passFilter; }
    /// Shows `event` with some room around it, reveals its row, and makes it current.
    void goTo(EventId event);
    /// Like goTo(), but keeps the scale and moves the view by the smallest distance, where
    /// TimeView::fitsScale(). Without `remember`, consecutive moves count as one jump.
    void goToAtScale(EventId event, bool remember = true);

    const EventFilter& filter() const { return m_filter; }
    /// Also highlights the passing events, so that others are dimmed in the timeline; without a filter there
    /// are no highlights.
    void setFilter(EventFilter filter);
    /// The user's search text, empty: none. In the syntax of FilterExpression.
    const QString& searchText() const { return m_searchText; }
    void setSearchText(const QString& text);
    /// Shows the selected range, else the marked one, else the current event.
    void zoomToSelection();
    void clear(); ///< range, rows, current event, highlights and the marked range

signals:
    void selectedRowsChanged();
    void currentEventChanged(warpline::EventId event);
    void highlightedChanged(); ///< marked events or the marked range
    void filterChanged();
    void searchTextChanged();

private:
    friend class Session; // rows and events belong to its reports
    void dropEvents(); ///< of a snapshot that another one replaces
    void forget(); ///< marks and filter in other reports
    /// Of the filter, tracks and process: panels are about another report now, or about a later snapshot,
    /// which numbers processes alike. Whether there were any.
    bool dropPlaces(bool keepsProcess = false);
    void tellDropped(); ///< dropPlaces(): signals, and marks what passes now
    /// Sorted already, however many they are. `name`: of all of them; without it they pass the filter.
    void takeHighlights(Highlights events, std::optional<NameOfKind> name = {});
    void highlightFiltered();

    Session& m_session;
    TimeRange m_marked;
    std::vector<RowId> m_selectedRows;
    EventId m_current;
    Highlighted m_highlighted;
    EventFilter m_filter;
    QString m_searchText;
    LatestJob m_sameName;
};

} // namespace warpline
