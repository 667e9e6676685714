#pragma once

#include "core/base/time.h"
#include "core/query/event_list.h"
#include "core/workspace/workspace.h"
#include "views/loading/latest_job.h"
#include "views/session/glide.h"
#include "views/session/row_states.h"

#include <QObject>
#include <QString>

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace warpline {

class ChecklistJudge;
class ChosenCure;
class FindingsJudge;
class FleetSummary;
class IdleBooks;
class Marks;
class NameBooks;
class RankJudge;
class ReportScope;
class ResultRows;
class RowDepths;
class RunPair;
class StepMatch;

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

/// The open reports as the user works on them: the workspace, and everything that the user changes. All times
/// are the workspace's, unless a name says own. Panels are about one report, report(); the timeline shows
/// all. The one owner of the shown range and of every selection: each view listens here, none keeps a copy
/// and none calls another view. Each change has exactly one signal, sent after the change and never for a
/// change to the same value.
class Session : public QObject {
    Q_OBJECT
public:
    explicit Session(QObject* parent = nullptr);
    ~Session() override;

    // --- the reports
    const Workspace& workspace() const { return *m_workspace; }
    const RowTree& rows() const { return m_workspace->rows(); }
    std::shared_ptr<const RowTree> sharedRows() const { return m_workspace->sharedRows(); }
    /// Shows other reports; or a further snapshot of those that are loading (paths unchanged), or others
    /// beside some that stay: then the shown range stays unless it was all of the session, and so does the
    /// selected one.
    void setWorkspace(Workspace workspace);
    /// The same with a single report on its own clock.
    void setTrace(std::shared_ptr<const Trace> trace, std::shared_ptr<const RowTree> rows);
    /// Moves the clock of one report: what is painted moves, and nothing that the user did is lost.
    void setClock(ReportId report, ClockOffset clock);
    /// The same reports, with the clocks of `workspace`.
    void setClocks(Workspace workspace);
    /// Shows what the reports exchange with one another above their rows; nullptr: nothing.
    void setExchanges(std::shared_ptr<const ExchangeRows> exchanges);
    /// What the reports say of one another.
    RankJudge& ranks() { return *m_ranks; }
    const RankJudge& ranks() const { return *m_ranks; }
    FindingsJudge& findings() { return *m_findings; }
    const FindingsJudge& findings() const { return *m_findings; }
    ChecklistJudge& checklist() { return *m_checklist; }
    /// What "What if" is asked for.
    ChosenCure& cure() { return *m_cure; }
    /// Whether the chosen steps are there.
    StepMatch& stepMatch() { return *m_stepMatch; }
    /// Which reports the panels are about that can be about several at once.
    ReportScope& scope() { return *m_scope; }
    /// A summary of reports that need not be open.
    FleetSummary& fleet() { return *m_fleet; }
    /// What is known of names and of idle GPUs: worked out from when it is first asked for.
    NameBooks& names();
    IdleBooks& idle();
    /// Answers that are rows.
    ResultRows& results() { return *m_results; }
    const ResultRows& results() const { return *m_results; }
    /// How many lanes rows show.
    RowDepths& depths() { return *m_depths; }
    const RowDepths& depths() const { return *m_depths; }
    /// What the user marked and wrote.
    Marks& marks() { return *m_marks; }
    const Marks& marks() const { return *m_marks; }
    /// The comparison that this session is a side of; it may be off.
    RunPair& pair() { return m_asOther ? *m_asOther : *m_pair; }
    /// Makes this the side B of `pair`, which outlives it.
    void setPairedAsOther(RunPair& pair) { m_asOther = &pair; }
    bool isEmpty() const { return m_workspace->session().empty(); }
    TimeRange session() const { return m_workspace->session(); }

    // --- the report that panels are about: the first one, until the user selects something of another
    const OpenReport& report() const { return m_workspace->report(m_about); }
    /// Makes panels about `report`, whatever is selected.
    void chooseReport(ReportId report);
    /// Makes panels about the report of whatever is selected, as at first.
    void followSelection();
    bool followsSelection() const { return m_followsSelection; }
    const Trace& trace() const { return *report().trace; }
    std::shared_ptr<const Trace> sharedTrace() const { return report().trace; }
    const Trace& trace(ReportId report) const { return m_workspace->trace(report); }
    EventId idOf(EventRef own) const { return {report().id, own}; }
    /// What of `range` its session holds, on its own clock.
    TimeRange ownTime(TimeRange range) const;
    Ns ownTime(Ns time) const { return report().clock.toReport(time); }
    /// `own` of its clock on the workspace's.
    TimeRange sharedTime(TimeRange own) const { return report().clock.toWorkspace(own); }
    /// Those of the selected rows that are its own, as its own tree has them.
    std::vector<RowId> ownSelectedRows() const { return ownSelectedRows(report().id); }
    std::vector<RowId> ownSelectedRows(ReportId report) const;
    /// The row of the workspace that `own` of its tree is.
    RowId sharedRow(RowId own) const { return m_workspace->rowOf(report().id, own); }

    // --- time
    TimeRange shown() const { return m_shown; }
    /// What the timeline draws: the shown range, or what lies on the way there.
    TimeRange drawn() const { return m_glide.drawn(); }
    Glide& glide() { return m_glide; }
    const Glide& glide() const { return m_glide; }
    TimeRange selectedRange() const { return m_selected; } ///< empty: nothing selected
    /// The range that questions are about: the selected one, else the shown one.
    TimeRange window() const { return m_selected.empty() ? m_shown : m_selected; }
    /// What the shown range keeps to: the session, or more.
    TimeRange reach() const { return m_reach.empty() ? session() : m_reach; }
    /// Lets the shown range leave the session, as one that moves with a longer one must. Empty: no more.
    void setReach(TimeRange reach) { m_reach = reach; }
    /// Shows `range`, clamped to the reach and to 10 ns at least. With `remember`, goBack() returns from
    /// here; wheel steps and pans that follow one another count as one jump.
    void show(TimeRange range, bool remember = true)
    {
        show(range, remember, remember ? Manner::Request : Manner::AtOnce);
    }
    void show(TimeRange range, bool remember, Manner manner);
    /// factor < 1 zooms in; the anchor keeps its place in the shown range
    void zoomAt(Ns anchor, double factor, Manner manner = Manner::AtOnce);
    void panBy(Ns distance, Manner manner = Manner::AtOnce);
    /// Ends a glide where it is: a hand holds the view.
    void holdStill();
    /// On how many pixels the shown range is drawn.
    void setShownPixels(int pixels) { m_pixels = std::max(1, pixels); }
    void showAll();
    void goBack();
    void goForward();
    bool canGoBack() const { return !m_back.empty(); }
    bool canGoForward() const { return !m_forward.empty(); }
    void selectRange(TimeRange range);
    void zoomToSelection();
    /// What findings, checklist and tables are about: the selected range, else the session. Evidence selects
    /// no range, so that going to it changes nothing that is said.
    TimeRange judged() const { return m_selected.empty() ? session() : m_selected; }

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
    bool hidesRows() const { return hiddenRows() > 0; }
    std::size_t hiddenRows() const { return m_rowStates.hiddenRows(); } ///< those below them not counted
    bool isPinned(RowId row) const;
    void setPinned(RowId row, bool pinned);
    static constexpr double minScale = 0.5;
    static constexpr double maxScale = 8;
    /// Height factor of a row, 1 by default.
    double rowScale(RowId row) const;
    void setRowScale(RowId row, double scale);
    /// Moves `row` before its sibling `before` (root: to the end).
    void moveRow(RowId row, RowId before);
    /// Gives `siblings`, all children of one row, this order.
    void setRowOrder(const std::vector<RowId>& siblings);
    /// Children of `row` in the user's order, hidden ones left out.
    std::vector<RowId> visibleChildren(RowId row) const;
    /// All that was done to rows, by their keys.
    RowStates::ByKey rowStates() const { return m_rowStates.byKey(rows()); }
    /// Does that, and nothing else, to the rows.
    void setRowStates(const RowStates::ByKey& states);
    /// Expands all ancestors of `row`.
    void reveal(RowId row);

    // --- events
    EventId currentEvent() const { return m_current; }
    void setCurrentEvent(EventId event);
    /// The current one when it is of the report that panels are about; else not valid().
    EventRef ownCurrentEvent() const
    {
        return m_current.report == report().id ? m_current.event : EventRef();
    }
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
    void goTo(TimeRange range);
    /// goTo(), but the scale stays and the view moves the least way, unless the event would fill less than
    /// minPixels at that scale, or more than the view. An instant is as long at every scale. Without
    /// `remember`, moves that follow one another count as one jump.
    void goToAtScale(EventId event, bool remember = true);
    void goToAtScale(TimeRange range);
    static constexpr int minPixels = 3;

    const EventFilter& filter() const { return m_filter; }
    /// Also highlights what passes, so that the rest steps back in the timeline; no filter, no highlights.
    void setFilter(EventFilter filter);
    /// What the user searches for, empty: nothing. As NameMatch reads it.
    const QString& searchText() const { return m_searchText; }
    void setSearchText(const QString& text);

    /// The NVTX ranges that are the program's steps, by name with * and ?; empty: they are detected. One
    /// choice for all that is about steps, and one of the report: another one has its own.
    const std::string& stepGlob() const { return m_stepGlob; }
    void setStepGlob(std::string glob);

    // --- what survives a restart, per report
    /// Expanded, hidden, pinned, order, scale, the choice of steps, marks and notes, under the report's
    /// identity, in QSettings.
    void saveState() const;
    void restoreState();

    void clearSelection(); ///< range, rows, current event, highlights and the marked range

signals:
    void traceChanged();
    void reportOpened(); ///< before traceChanged(): another report, no further snapshot of the same
    void reportChosen(); ///< panels are about another one of the reports
    void clocksChanged(); ///< the events of a report have other times on the workspace's clock
    void shownChanged(warpline::TimeRange shown);
    void drawnChanged(warpline::TimeRange drawn); ///< before shownChanged() where nothing glides
    void selectedRangeChanged(warpline::TimeRange selected);
    void judgedChanged(warpline::TimeRange judged);
    void selectedRowsChanged();
    void rowLayoutChanged(); ///< expanded, hidden, pinned, order or scale
    void revealed(warpline::RowId row); ///< the timeline scrolls there
    void currentEventChanged(warpline::EventId event);
    void highlightedChanged(); ///< marked events or the marked range
    void filterChanged();
    void searchTextChanged();
    void stepGlobChanged();
    /// Asks the window to bring the panel `id` (PanelKind::id) to the front.
    void panelRequested(const QString& id);
    /// Asks for a finding, wherever it is told of one: by its id (stableId()), or by Rule::id for the first
    /// of a rule.
    void findingRequested(const QString& finding);

private:
    void takeHighlights(Highlights events); ///< sorted already, however many they are
    void highlightFiltered();
    bool fitsScale(TimeRange range) const;
    void setReport(ReportId report);
    void forgetReport(); ///< all that the user did with the reports before

    std::shared_ptr<const Workspace> m_workspace;
    ReportId m_about{};
    bool m_followsSelection = true;
    TimeRange m_reach; ///< empty: the session
    TimeRange m_shown;
    Glide m_glide;
    int m_pixels = 1000;
    TimeRange m_selected;
    TimeRange m_marked;
    std::vector<TimeRange> m_back;
    std::vector<TimeRange> m_forward;
    qint64 m_lastStep = 0; ///< ms; joins wheel steps into one jump
    std::vector<RowId> m_selectedRows;
    RowStates m_rowStates; ///< of rows()
    EventId m_current;
    Highlights m_highlighted;
    EventFilter m_filter;
    QString m_searchText;
    std::string m_stepGlob;
    bool m_isRestored = false; ///< marks and the choice of steps were taken from the settings
    LatestJob m_sameName;
    std::unique_ptr<Marks> m_marks;
    std::unique_ptr<ReportScope> m_scope;
    std::unique_ptr<FleetSummary> m_fleet;
    std::unique_ptr<ResultRows> m_results;
    std::unique_ptr<RowDepths> m_depths;
    RunPair* m_asOther = nullptr; ///< not nullptr: this is the side B there
    std::unique_ptr<RankJudge> m_ranks; ///< late: it listens to the rest
    std::unique_ptr<FindingsJudge> m_findings; ///< so does this one, to the ranks as well
    std::unique_ptr<ChecklistJudge> m_checklist; ///< the same
    std::unique_ptr<ChosenCure> m_cure;
    std::unique_ptr<StepMatch> m_stepMatch;
    std::unique_ptr<NameBooks> m_names;
    std::unique_ptr<IdleBooks> m_idle;
    std::unique_ptr<RunPair> m_pair; ///< last, for the same reason
};

} // namespace warpline
