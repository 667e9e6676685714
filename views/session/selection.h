#pragma once

#include "core/query/event_list.h"
#include "core/workspace/workspace.h"
#include "views/loading/latest_job.h"

#include <QObject>
#include <QString>

#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace warpline {

class Session;

/// What the events view (and the statistics of a selection) are narrowed to beside range and rows.
struct EventFilter {
    QString text; ///< part of the name, or a filter: see FilterExpression; empty: all
    Ns minDuration = 0;
    Ns maxDuration = std::numeric_limits<Ns>::max();
    std::optional<std::string> name; ///< exactly this name, as text: reports number theirs apart
    std::optional<EventKind> kind;
    std::vector<TrackRef> tracks; ///< of the report that panels are about; empty: all
    GlobalId process = 0; ///< of that report; 0: all
    bool operator==(const EventFilter&) const = default;
};

/// What the events view lists of `trace`: those that pass `filter`, wherever and whenever they are.
EventQuery queryOf(const EventFilter& filter, const Trace& trace);

/// What of a session is selected and marked beside a range of time: rows, the current event, highlights, and
/// what they are searched and filtered by.
class Selection : public QObject {
    Q_OBJECT
public:
    /// `session` owns this object.
    explicit Selection(Session& session);

    const std::vector<RowId>& selectedRows() const { return m_selectedRows; } ///< empty: all rows
    void selectRows(std::vector<RowId> rows);
    /// Those of the selected rows that are of the report that panels are about, as its own tree has them.
    std::vector<RowId> ownSelectedRows() const;
    std::vector<RowId> ownSelectedRows(ReportId report) const;

    EventId currentEvent() const { return m_current; }
    void setCurrentEvent(EventId event);
    /// The current one when it is of the report that panels are about; else not valid().
    EventRef ownCurrentEvent() const;
    /// Events to be marked in the timeline and the events view: the evidence of a finding, the instances of a
    /// statistics row. Those of `report`, sorted.
    const std::vector<EventRef>& highlighted(ReportId report) const;
    bool highlightsAny() const { return !m_highlighted.empty(); }
    /// Marks these of `report` and nothing else.
    void setHighlighted(ReportId report, std::vector<EventRef> events);
    /// Events marked, of each report that has some; each list sorted.
    using Highlights = std::map<ReportId, std::vector<EventRef>>;
    /// Marks these of all reports, in any order, and nothing else.
    void setHighlights(Highlights events);
    void clearHighlights() { setHighlighted({}, {}); }
    /// A stretch of time to be marked in the timeline: evidence that is no event. It is no selection: nothing
    /// is judged or listed by it. Empty: none.
    TimeRange markedRange() const { return m_marked; }
    void markRange(TimeRange range);
    /// Highlights all events of `kind` called `name` in all reports; they are looked up off the GUI thread.
    void highlightName(EventKind kind, const std::string& name);
    bool isHighlighted(EventId event) const;
    /// Shows `event` with some room around it, reveals its row, and makes it current.
    void goTo(EventId event);
    /// goTo(), but the scale stays and the view moves the least way, where TimeView::fitsScale(). Without
    /// `remember`, moves that follow one another count as one jump.
    void goToAtScale(EventId event, bool remember = true);

    const EventFilter& filter() const { return m_filter; }
    /// Also highlights what passes, so that the rest steps back in the timeline; no filter, no highlights.
    void setFilter(EventFilter filter);
    /// What the user searches for, empty: nothing. As NameMatch reads it.
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
    void dropEvents(); ///< those of a snapshot that another one replaces
    void forget(); ///< what was marked and filtered by in other reports
    void takeHighlights(Highlights events); ///< sorted already, however many they are
    void highlightFiltered();

    Session& m_session;
    TimeRange m_marked;
    std::vector<RowId> m_selectedRows;
    EventId m_current;
    Highlights m_highlighted;
    EventFilter m_filter;
    QString m_searchText;
    LatestJob m_sameName;
};

} // namespace warpline
