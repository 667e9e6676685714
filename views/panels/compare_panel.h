#pragma once

#include "core/compare/comparison.h"
#include "views/compare/compare_lines.h"
#include "views/loading/latest_job.h"
#include "views/models/written_files.h"
#include "views/panels/compare_histogram.h"
#include "views/panels/panel.h"
#include "views/session/run_pair.h"

#include <memory>

class QSplitter;
class QTabBar;
class QTableView;

namespace warpline {

class CompareRowsModel;
class CompareStatistics;
class EmptyState;

/// Tables of the differences between two compared runs. A line of a table marks its events in both timelines.
/// The verdict is in VerdictPanel.
class ComparePanel : public Panel {
    Q_OBJECT
public:
    ComparePanel(Session& session, const Theme& theme, QWidget* parent = nullptr);
    ~ComparePanel() override;

    void setTheme(const Theme& theme) override;
    bool isBusy() const override;
    CompareHistogram& histogram() { return *m_histogram; }
    QTabBar& tabs() { return *m_tabs; }
    /// The table of the tab that is in front.
    QTableView& table() { return *m_table; }
    /// The tab "statistics".
    CompareStatistics& statistics() { return *m_statistics; }
    /// Brings the table `id` (of Comparison::tables, or "budget", "facts", "findings", "statistics") to
    /// the front, as if the user chose it: it stays in front, or comes once there is one. False: there is
    /// none yet.
    bool showTable(const QString& id);
    /// The table that showTable() or the user chose last; empty: none, the one that explains most is in
    /// front.
    const QString& chosenTable() const { return m_chosen; }
    void askWhereToSave();
    /// Writes the comparison: JSON or Markdown when `path` ends so, else a page in HTML.
    void saveAs(const QString& path);

protected:
    void showReport() override { }
    void clear() override { }

private:
    void follow(); ///< the comparison or its result has changed
    void draw();
    void addFindings();
    void fillTabs();
    bool bringTable(const QString& id);
    void showTab(int index, const QString& line = {}); ///< `line`: the key of the one to be selected
    QString keyOf(int row) const; ///< the same in the next comparison, whichever side is A
    QString selectedKey() const; ///< of the selected line, or of the one that is still to come; empty: none
    void choose(const QModelIndex& index);
    void chooseRow(std::size_t place); ///< of the shown table
    void chooseFinding(const FindingChange& finding);

    struct Chosen;
    void showChosen(Chosen chosen);

    const Theme* m_theme;
    EmptyState* m_empty; ///< nothing is compared
    EmptyState* m_failed; ///< see RunPair::hasFailed()
    QSplitter* m_splitter; ///< tables, and details of the selected line
    QTabBar* m_tabs;
    QString m_chosen; ///< see chosenTable()
    QString m_line; ///< the key of the line to be selected: findings come later
    QTableView* m_table;
    CompareStatistics* m_statistics;
    CompareHistogram* m_histogram;
    std::unique_ptr<CompareRowsModel> m_model;
    std::shared_ptr<const Comparison> m_comparison;
    std::shared_ptr<const CompareLines> m_lines;
    quint64 m_number = 0; ///< RunPair::number() of the shown result
    quint64 m_statisticsNumber = 0; ///< that of the request of m_statistics; 0: none
    LatestJob m_making; ///< of the lines
    LatestJob m_choosing;
    FileWriter m_saving{&m_session, this};
};

} // namespace warpline
