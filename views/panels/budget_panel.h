#pragma once

#include "views/loading/latest_job.h"
#include "views/panels/budget_bars.h"
#include "views/panels/panel.h"
#include "views/session/row_scope.h"

class QComboBox;
class QLabel;
class QSplitter;
class QTableWidget;

namespace warpline {

class StepBox;

/// Where the time of each step went as the GPU sees it: a stacked bar a step, and a table of the parts for
/// the steady steps and for the selected (or shown) range. A click on a bar goes to the step on the GPU.
class BudgetPanel : public Panel {
    Q_OBJECT
public:
    BudgetPanel(Session& session, const Theme& theme, QWidget* parent = nullptr);

    void setTheme(const Theme& theme) override;
    bool isBusy() const override { return m_job.isBusy() || Panel::isBusy(); }
    void preferencesChanged() override { evaluate(); }

    const BudgetBars& bars() const { return *m_bars; }
    const QTableWidget& table() const { return *m_table; }
    const QLabel& summaryLabel() const { return *m_summary; }
    /// Shows step `index` of the chosen GPU in the timeline and selects its range on the GPU.
    void goToStep(std::size_t index);
    /// Works the budgets out again, for the steps named in the box.
    void evaluate();

protected:
    void showReport() override { evaluate(); }
    void clear() override;
    void refresh() override; ///< what the table has of the range: it changes with every step of a drag

private:
    std::size_t place() const; ///< of the chosen GPU in BudgetAnswer::steps, or in the GPUs without steps
    const StepBudgets* chosen() const;
    const GpuBudget* chosenGpu() const;
    void listGpus();
    void draw();
    void fillTable();
    QString summary() const; ///< rich

    const Theme* m_theme;
    StepBox* m_pattern;
    QComboBox* m_gpu;
    QComboBox* m_scale;
    QLabel* m_summary;
    QLabel* m_legend;
    QSplitter* m_splitter; ///< bars and table; hidden where no GPU works
    BudgetBars* m_bars;
    QTableWidget* m_table;
    std::shared_ptr<const BudgetAnswer> m_answer;
    RowScope m_scope; ///< the GPUs listed are of it
    bool m_listsSteps = false; ///< else GPUs: none of them has steps
    LatestJob m_job;
};

} // namespace warpline
