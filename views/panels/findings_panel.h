#pragma once

#include "core/coverage/intervals.h"
#include "core/filter/event_predicate.h"
#include "core/findings/rule.h"
#include "views/loading/latest_job.h"
#include "views/models/written_files.h"
#include "views/panels/panel.h"
#include "views/session/filter_edit.h"
#include "views/session/findings_judge.h"
#include "views/session/row_scope.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

class QLabel;
class QLineEdit;
class QPushButton;
class QTextBrowser;
class QToolButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace warpline {

/// The ranked findings of a report, or of several (ReportScope), with merged findings below each; for the
/// selected one its values, reason, remedy, and evidence. A click zooms to the place and marks the evidence
/// in the timeline and the events panel.
class FindingsPanel : public Panel {
    Q_OBJECT
public:
    FindingsPanel(Session& session, const Theme& theme, QWidget* parent = nullptr);

    void setTheme(const Theme& theme) override;
    const std::vector<Finding>& findings() const;
    /// The findings that pass the filters.
    std::vector<Finding> shownFindings() const;
    QTreeWidget& list() { return *m_list; }
    QTextBrowser& text() { return *m_text; }
    /// A part of an NVTX range's name, or a filter that evidence must pass.
    FilterEdit& nvtxFilter() { return *m_nvtx; }
    bool isBusy() const override;
    LeftOut leftOut() const override { return {.rows = true}; }
    /// Steps to the next or previous piece of evidence of the chosen finding; chooses the first finding when
    /// none is.
    void stepEvidence(bool forward);
    /// Selects the finding with the id `finding` (stableId()), preferably of the session's report; for a
    /// rule's id (Rule::id) its first. Clears filters and selected rows that hide it. False when there is
    /// none.
    bool chooseFinding(const QString& finding);
    /// Writes the shown findings to `path`, off the GUI thread, once they are those of the analyzed range:
    /// .html, .md or .json by extension; messages() has the result. Nothing of a part of a report.
    void exportTo(const QString& path);
    void askForFile(); ///< asks where, then exportTo()
    void preferencesChanged() override;
    QString chosenId() const; ///< stableId() of the finding that is described; empty: none was chosen

signals:
    void described(); ///< chosenId() is another

protected:
    void showReport() override { } // FindingsJudge signals changes
    void clear() override { }
    void setSeen(bool seen) override { m_session.judgement().findings().setSeen(*this, seen); }

private:
    using Part = JudgedReport;
    struct Wanted;
    const FoundInReports& all() const;
    bool isOfSeveral() const { return all().parts.size() > 1; } ///< a column shows the report of a finding
    bool isOpen(const Part& part) const { return m_session.workspace().holds(part.report, part.trace); }
    void showOthers(); ///< found by now
    QString textOf(const Finding& finding, std::size_t part) const;
    TimeRange sharedTime(TimeRange own) const; ///< of the chosen finding's report
    std::vector<Finding> shownOfSession() const; ///< of FindingsJudge::shownPart()
    void startAnew();
    void showKeys(); ///< of the next and the previous evidence, on their buttons
    QWidget* makeListSide();
    QWidget* makeTextSide();
    void followRows();
    void askForNvtx();
    static Wanted wantedIn(const Part& part, const std::string& text, const std::stop_token& stop);
    bool passesFilters(const Finding& finding, std::size_t part) const;
    /// The findings of `part` that pass the filters.
    std::vector<Finding> shownOf(std::size_t part) const;
    void addTotal(); ///< a line with the joint saving of all shown findings
    void showList();
    void addItem(const Finding& finding, std::size_t part, QTreeWidgetItem* parent);
    /// A line, folded, below which the rules stand that the report lacks the data for.
    void addNotRecorded();
    /// The finding of a line; nullptr for a rule that was not recorded.
    static const Finding* findingOf(const QTreeWidgetItem* item);
    static std::size_t partOfItem(const QTreeWidgetItem* item);
    /// Shows the text of the line's finding next to the list, without moving the timeline.
    void describe(const QTreeWidgetItem* item);
    /// describe(), and marks its evidence in the timeline instead of that of the finding before.
    void read(const QTreeWidgetItem* item);
    void highlightEvidence(); ///< the events of the chosen finding
    /// describe(), and goes to its first piece of evidence.
    void choose(const QTreeWidgetItem* item);
    void showEvidence(std::size_t index);
    bool isMarked(const Evidence& proof) const; ///< in the timeline
    bool isAnyMarked() const; ///< of the chosen finding
    void leaveEvidence();
    void tryCure(); ///< of the described finding, on its report
    void showPlace();
    void copyAsMarkdown();

    const Theme* m_theme;
    QTreeWidget* m_list;
    QTextBrowser* m_text;
    FilterEdit* m_nvtx;
    RowScope m_scope; ///< of the selected rows
    QLabel* m_count;
    QLabel* m_place;
    QPushButton* m_record; ///< there while rules lack their data
    std::array<QToolButton*, 2> m_steps{}; ///< next, previous evidence
    /// Criteria for evidence in one report.
    struct Wanted {
        std::shared_ptr<const Trace> trace;
        Intervals time; ///< of the chosen NVTX ranges, or of the events that pass the filter
        std::shared_ptr<const EventPredicate> events; ///< of a filter; nullptr: time alone counts
    };
    std::optional<std::vector<Wanted>> m_wanted; ///< of each part; nothing: anything
    const Finding* m_chosen = nullptr; ///< in findings(), or merged into one of them
    std::size_t m_chosenPart = 0; ///< of all().parts: its report
    std::size_t m_evidence = 0;
    QString m_findingWanted; ///< to be chosen once the findings are there; empty: none
    bool m_visited = false; ///< the timeline shows evidence of the chosen finding
    struct {
        QString path; ///< to be written once the findings are there; empty: nothing
        std::shared_ptr<const Trace> of{};
    } m_exportWanted;
    LatestJob m_within;
    FileWriter m_export{&m_session, this};
};

} // namespace warpline
