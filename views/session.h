#pragma once

#include "core/base/time.h"
#include "core/rows/row_tree.h"
#include "core/store/trace.h"
#include "views/loading/latest_job.h"

#include <QHash>
#include <QObject>
#include <QSet>
#include <QString>

#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace warpline {

/// What the events view (and the statistics of a selection) are narrowed to beside range and rows.
struct EventFilter {
    QString text; ///< case-insensitive part of the name; empty: all
    Ns minDuration = 0;
    Ns maxDuration = std::numeric_limits<Ns>::max();
    std::optional<StringId> name; ///< exactly this name
    std::optional<EventKind> kind;
    std::vector<TrackRef> tracks; ///< empty: all
    GlobalId process = 0; ///< 0: all
    bool operator==(const EventFilter&) const = default;
};

/// One open report as the user works on it: the trace, its rows, and everything that the user changes. The
/// one owner of the shown range and of every selection: each view listens here, none keeps a copy and none
/// calls another view. Each change has exactly one signal, sent after the change and never for a change to
/// the same value.
class Session : public QObject {
    Q_OBJECT
public:
    explicit Session(QObject* parent = nullptr);

    // --- the report
    const Trace& trace() const { return *m_trace; }
    std::shared_ptr<const Trace> sharedTrace() const { return m_trace; }
    const RowTree& rows() const { return *m_rows; }
    std::shared_ptr<const RowTree> sharedRows() const { return m_rows; }
    /// Shows a report, or a further snapshot of the one that is loading (`path` unchanged): then the shown
    /// range stays unless it was all of the session, and selections stay.
    void setTrace(std::shared_ptr<const Trace> trace, std::shared_ptr<const RowTree> rows);
    bool isEmpty() const { return m_trace->session.empty(); }

    // --- time
    TimeRange shown() const { return m_shown; }
    TimeRange selectedRange() const { return m_selected; } ///< empty: nothing selected
    /// The range that questions are about: the selected one, else the shown one.
    TimeRange window() const { return m_selected.empty() ? m_shown : m_selected; }
    /// Shows `range`, clamped to the session (with a small margin) and to 10 ns at least. With `remember`,
    /// goBack() returns from here; wheel steps and pans that follow one another count as one jump.
    void show(TimeRange range, bool remember = true);
    void zoomAt(Ns anchor, double factor); ///< factor < 1 zooms in; the anchor keeps its place
    void panBy(Ns distance);
    void showAll();
    void goBack();
    void goForward();
    void selectRange(TimeRange range);
    void zoomToSelection();
    /// Whether panels that judge (findings, checklist, statistics) keep to the selected range. One switch for
    /// all of them, off for a report just opened: evidence selects ranges too, and must not change what is
    /// said.
    bool judgesSelection() const { return m_judgesSelection; }
    void setJudgesSelection(bool only);
    /// What is judged: the selected range when that is wanted and there is one, else the session.
    TimeRange judged() const;

    // --- rows
    const std::vector<RowId>& selectedRows() const { return m_selectedRows; } ///< empty: all rows
    void selectRows(std::vector<RowId> rows);
    bool isExpanded(RowId row) const;
    void setExpanded(RowId row, bool expanded);
    /// `row` and everything below it, with one signal.
    void setExpandedBelow(RowId row, bool expanded);
    bool isHidden(RowId row) const;
    void setHidden(RowId row, bool hidden);
    void showAllRows(); ///< hides none
    bool hidesRows() const { return !m_hidden.isEmpty(); }
    qsizetype hiddenRows() const { return m_hidden.size(); } ///< those below them not counted
    bool isPinned(RowId row) const;
    void setPinned(RowId row, bool pinned);
    /// Height factor of a row, 1 by default.
    double rowScale(RowId row) const;
    void setRowScale(RowId row, double scale);
    /// Moves `row` before its sibling `before` (root: to the end).
    void moveRow(RowId row, RowId before);
    /// Children of `row` in the user's order, hidden ones left out.
    std::vector<RowId> visibleChildren(RowId row) const;
    /// Expands all ancestors of `row`.
    void reveal(RowId row);

    // --- events
    EventRef currentEvent() const { return m_current; }
    void setCurrentEvent(EventRef event);
    /// Events to be marked in the timeline and the events view: the evidence of a finding, the instances of a
    /// statistics row. Sorted.
    const std::vector<EventRef>& highlighted() const { return m_highlighted; }
    void setHighlighted(std::vector<EventRef> events);
    /// Highlights all events of `kind` called `name`; they are looked up off the GUI thread.
    void highlightName(EventKind kind, StringId name);
    bool isHighlighted(EventRef event) const;
    /// Shows `event` with some room around it, reveals its row, and makes it current.
    void goTo(EventRef event);
    void goTo(TimeRange range);
    /// goTo(), but the scale stays where the event can be seen at it: it fills a four-hundredth of what is
    /// shown at least, and not more than half.
    void goToAtScale(EventRef event);

    const EventFilter& filter() const { return m_filter; }
    /// Also highlights what passes, so that the rest steps back in the timeline; no filter, no highlights.
    void setFilter(EventFilter filter);
    /// What the user searches for, empty: nothing. As NameMatch reads it.
    const QString& searchText() const { return m_searchText; }
    void setSearchText(const QString& text);

    /// The rules that found something in what is judged, those that others stand for included.
    const std::set<std::string>& foundRules() const { return m_foundRules; }
    void setFoundRules(std::set<std::string> rules);

    // --- what survives a restart, per report
    void
    saveState() const; ///< expanded, hidden, pinned, order, scale, under the report's identity, in QSettings
    void restoreState();

    void clearSelection(); ///< range, rows, current event and highlights

signals:
    void traceChanged();
    void reportOpened(); ///< before traceChanged(): another report, no further snapshot of the same
    void shownChanged(warpline::TimeRange shown);
    void selectedRangeChanged(warpline::TimeRange selected);
    void judgedChanged(warpline::TimeRange judged);
    void judgesSelectionChanged(bool only);
    void selectedRowsChanged();
    void rowLayoutChanged(); ///< expanded, hidden, pinned, order or scale
    void revealed(warpline::RowId row); ///< the timeline scrolls there
    void currentEventChanged(warpline::EventRef event);
    void highlightedChanged();
    void filterChanged();
    void searchTextChanged();
    void foundRulesChanged();
    /// Asks the window to bring the panel `id` (PanelKind::id) to the front.
    void panelRequested(const QString& id);
    /// Asks for the first finding of `rule` (Rule::id), wherever it is told of one.
    void findingRequested(const QString& rule);

private:
    void highlightFiltered();

    std::shared_ptr<const Trace> m_trace;
    std::shared_ptr<const RowTree> m_rows;
    TimeRange m_shown;
    TimeRange m_selected;
    std::vector<TimeRange> m_back;
    std::vector<TimeRange> m_forward;
    qint64 m_lastStep = 0; ///< ms; joins wheel steps into one jump
    std::vector<RowId> m_selectedRows;
    // Rows are remembered by key, so that they survive a new tree and a restart.
    QHash<QString, bool> m_expanded;
    QSet<QString> m_hidden;
    QSet<QString> m_pinned;
    QHash<QString, double> m_scale;
    QHash<QString, QStringList> m_order; ///< parent key -> children's keys
    EventRef m_current;
    std::vector<EventRef> m_highlighted;
    EventFilter m_filter;
    QString m_searchText;
    std::set<std::string> m_foundRules;
    bool m_judgesSelection = false;
    LatestJob m_sameName;
};

} // namespace warpline
