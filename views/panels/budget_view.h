#pragma once

#include "views/panels/budget_bars.h"
#include "views/panels/steps_view.h"
#include "views/session/row_scope.h"

class QComboBox;
class QSplitter;
class QTableWidget;

namespace warpline {

/// Where the time of each step went on the GPU: a stacked bar per step, and a table of the parts for the
/// steady steps and for the selected (or shown) range. A click on a bar goes to the step on the GPU.
class BudgetView : public StepsView {
    Q_OBJECT
public:
    BudgetView(Session& session, const Theme& theme, QWidget* parent);

    void setTheme(const Theme& theme) override;
    void evaluate() override;
    void clear() override;
    void refresh() override; ///< the table's column of the range, which changes during a drag
    QString summary() const override;
    QString summaryTip() const override;
    /// Shows step `index` of the chosen GPU in the timeline and selects its range on the GPU.
    void goToStep(std::size_t index) override;

    /// Which GPU, and whether time or shares: for the bar of the panel.
    QWidget& choices() { return *m_choices; }
    QComboBox& gpus() { return *m_gpu; }
    const BudgetBars& bars() const { return *m_bars; }
    const QTableWidget& table() const { return *m_table; }

private:
    std::size_t place() const; ///< of the chosen GPU in BudgetAnswer::steps, or in the GPUs without steps
    const StepBudgets* chosen() const;
    const GpuBudget* chosenGpu() const;
    void listGpus();
    void draw();
    void fillTable();

    QWidget* m_choices;
    QComboBox* m_gpu;
    QComboBox* m_scale;
    QSplitter* m_splitter; ///< bars and table; hidden where no GPU works
    BudgetBars* m_bars;
    QTableWidget* m_table;
    std::shared_ptr<const BudgetAnswer> m_answer;
    RowScope m_scope; ///< scope of the listed GPUs
    bool m_listsSteps = false; ///< else GPUs: none of them has steps
};

} // namespace warpline
