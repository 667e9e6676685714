#pragma once

#include "core/coverage/intervals.h"
#include "core/findings/rule.h"
#include "views/loading/latest_job.h"
#include "views/panels/panel.h"

#include <array>
#include <optional>
#include <set>
#include <string>
#include <vector>

class QComboBox;
class QLabel;
class QLineEdit;
class QTextBrowser;
class QToolButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace warpline {

class RangeSwitch;

/// What deserves attention, ranked, with what each finding stands for below it; for the chosen one its
/// figures, why it matters, what to do, and the evidence. A click zooms to the place and marks the evidence
/// in the timeline and the events view.
class FindingsPanel : public Panel {
    Q_OBJECT
public:
    FindingsPanel(Session& session, const Theme& theme, QWidget* parent = nullptr);

    void setTheme(const Theme& theme) override;
    const std::vector<Finding>& findings() const { return m_findings; }
    /// Those that the filters leave.
    std::vector<Finding> shownFindings() const;
    QTreeWidget& list() { return *m_list; }
    QTextBrowser& text() { return *m_text; }
    RangeSwitch& rangeOnly() { return *m_ofRange; }
    QComboBox& processFilter() { return *m_process; }
    QComboBox& deviceFilter() { return *m_device; }
    QLineEdit& nvtxFilter() { return *m_nvtx; }
    bool isBusy() const override { return m_job.isBusy() || m_within.isBusy() || Panel::isBusy(); }
    /// Steps to the next or previous piece of evidence of the chosen finding; chooses the first finding when
    /// none is.
    void stepEvidence(bool forward);
    /// The rules that found something, those that others stand for included.
    std::set<std::string> found() const;
    /// The first of the list, whatever the filters; before them one without a rule where nothing large was
    /// found, see isNothingLarge().
    std::vector<LeadingFinding> leading() const;
    /// Chooses the first finding of `rule`, wherever in the list it is; the filters give way. False when
    /// there is none.
    bool chooseRule(const QString& rule);
    /// Runs the rules again, with the thresholds of the preferences.
    void evaluate();
    /// Writes the findings shown to `path`, off the GUI thread: .html, .md or .json by its ending; messages()
    /// says how it went.
    void exportTo(const QString& path);
    void askForFile(); ///< asks where, then exportTo()
    void preferencesChanged() override;

protected:
    void showReport() override;
    void clear() override;
    void refresh() override { evaluate(); }

private:
    void startAnew();
    void showKeys(); ///< of the next and the previous evidence, on their buttons
    QWidget* makeListSide();
    QWidget* makeTextSide();
    void fillFilters();
    void askForNvtx();
    bool passesFilters(const Finding& finding) const;
    void addTotal(); ///< a line with what all that are shown could save together
    void showList();
    void addItem(const Finding& finding, QTreeWidgetItem* parent);
    /// A line, folded, below which the rules stand that the report lacks the data for.
    void addNotRecorded();
    /// The finding of a line; nullptr for a rule that was not recorded.
    static const Finding* findingOf(const QTreeWidgetItem* item);
    /// Puts the text of the line's finding beside the list; the timeline stays where it is.
    void describe(const QTreeWidgetItem* item);
    /// describe(), and goes to its first piece of evidence.
    void choose(const QTreeWidgetItem* item);
    void showEvidence(std::size_t index);
    void showPlace();
    void copyAsMarkdown();

    const Theme* m_theme;
    QTreeWidget* m_list;
    QTextBrowser* m_text;
    RangeSwitch* m_ofRange;
    QComboBox* m_process;
    QComboBox* m_device;
    QLineEdit* m_nvtx;
    QLabel* m_count;
    QLabel* m_place;
    std::array<QToolButton*, 2> m_steps{}; ///< next, previous evidence
    std::vector<Finding> m_findings;
    std::vector<const Rule*> m_notRecorded; ///< the report lacks what they need
    TimeRange m_window; ///< what the findings are about
    std::optional<Intervals> m_nvtxTime; ///< the time of the NVTX ranges asked for
    const Finding* m_chosen = nullptr; ///< in m_findings, or in what one of them merged
    std::size_t m_evidence = 0;
    QString m_ruleWanted; ///< to be chosen once the findings are there; empty: none
    bool m_visited = false; ///< the timeline shows evidence of the chosen finding
    Ns m_measured = 0; ///< what savings are a share of
    LatestJob m_job{nullptr, Urgency::Background};
    LatestJob m_within;
    LatestJob m_export;
};

} // namespace warpline
