#pragma once

#include "core/compare/comparison.h"
#include "views/compare/compare_lines.h"
#include "views/loading/latest_job.h"
#include "views/panels/compare_histogram.h"
#include "views/panels/panel.h"
#include "views/session/run_pair.h"

#include <memory>

class QLabel;
class QSplitter;
class QStackedWidget;
class QTabBar;
class QTableView;

namespace warpline {

class CompareRowsModel;
class CompareStatistics;
class CompareStepPlot;
class CompareWaterfall;

/// What two runs that are compared differ in: the verdict, where the time of a step went, and tables of
/// what changed. A line of a table marks its events in both timelines.
class ComparePanel : public Panel {
    Q_OBJECT
public:
    ComparePanel(Session& session, const Theme& theme, QWidget* parent = nullptr);
    ~ComparePanel() override;

    void setTheme(const Theme& theme) override;
    bool isBusy() const override;
    void preferencesChanged() override;
    const QLabel& verdict() const { return *m_verdict; }
    const QLabel& facts() const { return *m_facts; }
    CompareWaterfall& waterfall() { return *m_waterfall; }
    CompareStepPlot& steps() { return *m_steps; }
    CompareHistogram& histogram() { return *m_histogram; }
    QTabBar& tabs() { return *m_tabs; }
    /// The table of the tab that is in front.
    QTableView& table() { return *m_table; }
    /// The tab "statistics".
    CompareStatistics& statistics() { return *m_statistics; }
    /// Brings the table `id` (of Comparison::tables, or "budget", "facts", "findings", "statistics") to
    /// the front; false: there is none.
    bool showTable(const QString& id);
    void askWhereToSave();
    /// Writes the comparison: JSON or Markdown when `path` ends so, else a page in HTML.
    void saveAs(const QString& path);

protected:
    void showReport() override { }
    void clear() override { }

private:
    QWidget* makeHead();
    void follow(); ///< what is compared, or what it came to, is another
    void draw();
    void addFindings();
    void fillTabs();
    void showTab(int index);
    void choose(const QModelIndex& index);
    void chooseRow(const CompareRow& row, bool hasHistogram);
    void chooseFinding(const FindingChange& finding);
    /// Shows the `place`th step that counts of `side`, above its like of the other side.
    void chooseStep(Side side, std::size_t place);
    QString verdictText() const; ///< rich
    QString factsText() const; ///< rich

    struct Chosen;
    void showChosen(Chosen chosen);

    const Theme* m_theme;
    QLabel* m_verdict;
    QLabel* m_facts;
    QWidget* m_body;
    QSplitter* m_splitter; ///< in the body
    CompareWaterfall* m_waterfall;
    CompareStepPlot* m_steps;
    QTabBar* m_tabs;
    QTableView* m_table;
    CompareStatistics* m_statistics;
    CompareHistogram* m_histogram;
    std::unique_ptr<CompareRowsModel> m_model;
    std::shared_ptr<const Comparison> m_comparison;
    std::shared_ptr<const CompareLines> m_lines;
    quint64 m_number = 0; ///< RunPair::number() of what is shown
    quint64 m_statisticsNumber = 0; ///< that of what m_statistics was asked about; 0: nothing
    LatestJob m_making; ///< of the lines
    LatestJob m_choosing;
    LatestJob m_saving;
};

} // namespace warpline
