#pragma once

#include "core/base/time.h"
#include "core/workspace/workspace.h"
#include "views/session/judgement.h"
#include "views/session/row_view.h"
#include "views/session/selection.h"
#include "views/session/time_view.h"

#include <QObject>
#include <QString>
#include <QStringList>

#include <functional>
#include <memory>
#include <utility>

namespace warpline {

class FleetSummary;
class IdleBooks;
class Marks;
class NameBooks;
class ReportScope;
class ResultRows;
class RunPair;

/// The user's state of the open reports: the workspace, and parts for one topic each. All times are the
/// workspace's, unless a name contains own. Panels are about one report, report(); the timeline shows all.
/// Views listen to the parts that they use, keep no copies and do not call other views. Each change has
/// exactly one signal, sent after the change and never for an equal value.
class Session : public QObject {
    Q_OBJECT
public:
    explicit Session(QObject* parent = nullptr);
    ~Session() override;

    // --- the parts
    TimeView& time() { return m_time; }
    const TimeView& time() const { return m_time; }
    RowView& rowView() { return m_rowView; }
    const RowView& rowView() const { return m_rowView; }
    Selection& selection() { return m_selection; }
    const Selection& selection() const { return m_selection; }
    Judgement& judgement() { return m_judgement; }
    const Judgement& judgement() const { return m_judgement; }
    /// Which reports the panels are about that can be about several at once.
    ReportScope& scope() { return *m_scope; }
    /// A summary of reports that need not be open.
    FleetSummary& fleet() { return *m_fleet; }
    const FleetSummary& fleet() const { return *m_fleet; }
    /// Statistics of names and idle GPUs: computed from the first use on.
    NameBooks& names();
    IdleBooks& idle();
    /// SQL results that are rows.
    ResultRows& results() { return *m_results; }
    const ResultRows& results() const { return *m_results; }
    /// The user's bookmarks and notes.
    Marks& marks() { return *m_marks; }
    const Marks& marks() const { return *m_marks; }
    /// False: this is side B of two ranges of one report, whose marks are side A's.
    bool ownsMarks() const;
    /// The comparison that this session is a side of; it may be off.
    RunPair& pair() { return m_asOther ? *m_asOther : *m_pair; }
    /// Makes this the side B of `pair`, which outlives it.
    void setPairedAsOther(RunPair& pair) { m_asOther = &pair; }

    // --- the reports
    const Workspace& workspace() const { return *m_workspace; }
    const RowTree& rows() const { return m_workspace->rows(); }
    std::shared_ptr<const RowTree> sharedRows() const { return m_workspace->sharedRows(); }
    /// Shows other reports; or a later snapshot of loading ones (paths unchanged), or others in addition to
    /// some that stay: then the shown range stays unless it was the whole session, and so does the selected
    /// one. Bookmarks and notes are the first report's: those of another first one are left, not saved.
    void setWorkspace(Workspace workspace);
    /// The same with a single report on its own clock.
    void setTrace(std::shared_ptr<const Trace> trace, std::shared_ptr<const RowTree> rows);
    /// The same reports, with the clocks of `workspace`, without losing the user's changes.
    void setClocks(Workspace workspace);
    /// True while setClocks() runs: a range that changes then follows its events; the user has not chosen it.
    bool movesClocks() const { return m_movesClocks; }
    /// Shows the exchanges of the reports above their rows; nullptr: none.
    void setExchanges(std::shared_ptr<const ExchangeRows> exchanges);
    /// Whether there is nothing to show at any time: no report is open, or nothing of it is there yet, or it
    /// has no events.
    bool isEmpty() const { return m_workspace->session().empty(); }
    /// Whether a report is open, be it one without events.
    bool hasReport() const { return !isEmpty() || m_workspace->isComplete(); }
    TimeRange session() const { return m_workspace->session(); }

    /// `files` tells those that the window lists, shown or not: nothing may replace them.
    void setFilesInUse(std::function<QStringList()> files) { m_filesInUse = std::move(files); }
    QStringList filesInUse() const { return m_filesInUse ? m_filesInUse() : QStringList(); }

    // --- the report that panels are about: the first one, until the user selects something of another
    const OpenReport& report() const { return m_workspace->report(m_about); }
    /// Makes panels show `report`, whatever is selected.
    void chooseReport(ReportId report);
    /// Makes panels show the report of the selection, which is the default.
    void followSelection();
    bool followsSelection() const { return m_followsSelection; }
    /// The user selected something of `report`: panels are about it, unless another one is chosen.
    void followSelected(ReportId report);
    const Trace& trace() const { return *report().trace; }
    std::shared_ptr<const Trace> sharedTrace() const { return report().trace; }
    const Trace& trace(ReportId report) const { return m_workspace->trace(report); }
    EventId idOf(EventRef own) const { return {report().id, own}; }
    /// The part of `range` within its session, on its own clock.
    TimeRange ownTime(TimeRange range) const { return ownTime(range, report()); }
    /// The same for `report` of the workspace.
    TimeRange ownTime(TimeRange range, const OpenReport& report) const;
    Ns ownTime(Ns time) const { return report().clock.toReport(time); }
    /// `own` of its clock on the workspace's.
    TimeRange sharedTime(TimeRange own) const { return report().clock.toWorkspace(own); }
    /// The row of the workspace that `own` of its tree is.
    RowId sharedRow(RowId own) const { return m_workspace->rowOf(report().id, own); }

    // --- what survives a restart, per report
    /// Expanded, hidden, pinned, order, scale and the choice of steps, under the reports' identity, and marks
    /// and notes under the first one's (its path while it loads), in QSettings. A saves both sides of a
    /// comparison; of B only marks and notes.
    void saveState();

signals:
    void traceChanged();
    void reportOpened(); ///< before traceChanged(): another report, no further snapshot of the same
    void reportChosen(); ///< the panels' report has changed
    void clocksChanged(); ///< the events of a report have other times on the workspace's clock
    /// Rows of exchanges have other numbers, or are gone; rows of reports keep theirs. Before
    /// rowLayoutChanged().
    void exchangesReplaced();
    /// Asks the window to bring the panel `id` (PanelKind::id) to the front.
    void panelRequested(const QString& id);

private:
    void setReport(ReportId report);
    void tellJudged(); ///< a report's clock is another
    void restoreState(); ///< without marks
    void restoreMarks();

    std::shared_ptr<const Workspace> m_workspace;
    ReportId m_about{};
    bool m_followsSelection = true;
    bool m_movesClocks = false;
    std::function<QStringList()> m_filesInUse;
    QString m_restored; ///< the group of the settings from which the choice of steps was taken
    TimeView m_time;
    RowView m_rowView;
    Selection m_selection;
    std::unique_ptr<Marks> m_marks;
    std::unique_ptr<ReportScope> m_scope;
    std::unique_ptr<FleetSummary> m_fleet;
    std::unique_ptr<ResultRows> m_results;
    RunPair* m_asOther = nullptr; ///< not nullptr: this is the side B there
    Judgement m_judgement; ///< late: it listens to the rest
    std::unique_ptr<NameBooks> m_names;
    std::unique_ptr<IdleBooks> m_idle;
    std::unique_ptr<RunPair> m_pair; ///< destroyed first, for the same reason
};

} // namespace warpline
