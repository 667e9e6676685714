#pragma once

#include "core/coverage/intervals.h"
#include "core/filter/event_predicate.h"
#include "core/findings/rule.h"
#include "views/loading/latest_job.h"
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

/// What deserves attention in a report, or in several (ReportScope), ranked, with what each finding stands
/// for below it; for the chosen one its figures, why it matters, what to do, and the evidence. A click zooms
/// to the place and marks the evidence in the timeline and the events view.
class FindingsPanel : public Panel {
    Q_OBJECT
public:
    FindingsPanel(Session& session, const Theme& theme, QWidget* parent = nullptr);

    void setTheme(const Theme& theme) override;
    const std::vector<Finding>& findings() const;
    /// Those that the filters leave.
    std::vector<Finding> shownFindings() const;
    QTreeWidget& list() { return *m_list; }
    QTextBrowser& text() { return *m_text; }
    /// A part of an NVTX range's name, or a filter that evidence must pass.
    FilterEdit& nvtxFilter() { return *m_nvtx; }
    bool isBusy() const override;
    void setSeen(bool seen) override;
    /// Steps to the next or previous piece of evidence of the chosen finding; chooses the first finding when
    /// none is.
    void stepEvidence(bool forward);
    /// Chooses the finding with the id `finding` (stableId()), that of the session's report where others have
    /// the same; of a rule's id (Rule::id) its first. Filters and selected rows give way. False when there is
    /// none.
    bool chooseFinding(const QString& finding);
    /// Writes the findings shown to `path`, off the GUI thread: .html, .md or .json by its ending; messages()
    /// says how it went.
    void exportTo(const QString& path);
    void askForFile(); ///< asks where, then exportTo()
    void preferencesChanged() override;
    QString chosenId() const; ///< stableId() of the finding that is described; empty: none was chosen

signals:
    void described(); ///< chosenId() is another

protected:
    void showReport() override { } // FindingsJudge tells
    void clear() override { }
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    using Part = JudgedReport;
    struct Wanted;
    const FoundInReports& all() const;
    bool isOfSeveral() const { return all().parts.size() > 1; } ///< a column says whose a finding is
    bool isOpen(const Part& part) const; ///< still, and at its place
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
    /// Those of `part` that the filters leave.
    std::vector<Finding> shownOf(std::size_t part) const;
    void addTotal(); ///< a line with what all that are shown could save together
    void showList();
    void addItem(const Finding& finding, std::size_t part, QTreeWidgetItem* parent);
    /// A line, folded, below which the rules stand that the report lacks the data for.
    void addNotRecorded();
    /// The finding of a line; nullptr for a rule that was not recorded.
    static const Finding* findingOf(const QTreeWidgetItem* item);
    static std::size_t partOfItem(const QTreeWidgetItem* item);
    /// Puts the text of the line's finding beside the list; the timeline stays where it is.
    void describe(const QTreeWidgetItem* item);
    /// describe(), and marks its evidence in the timeline instead of that of the finding before.
    void read(const QTreeWidgetItem* item);
    void highlightEvidence(); ///< the events of the chosen finding
    /// describe(), and goes to its first piece of evidence.
    void choose(const QTreeWidgetItem* item);
    void showEvidence(std::size_t index);
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
    /// What evidence must be, in one report.
    struct Wanted {
        std::shared_ptr<const Trace> trace;
        Intervals time; ///< of the NVTX ranges asked for, or of the events that pass the filter
        std::shared_ptr<const EventPredicate> events; ///< of a filter; nullptr: time alone counts
    };
    std::optional<std::vector<Wanted>> m_wanted; ///< of each part; nothing: anything
    const Finding* m_chosen = nullptr; ///< in findings(), or in what one of them merged
    std::size_t m_chosenPart = 0; ///< of all().parts: whose it is
    std::size_t m_evidence = 0;
    QString m_findingWanted; ///< to be chosen once the findings are there; empty: none
    bool m_seen = true; ///< in front of the panels that share its place
    bool m_visited = false; ///< the timeline shows evidence of the chosen finding
    LatestJob m_within;
    LatestJob m_export;
};

} // namespace warpline
