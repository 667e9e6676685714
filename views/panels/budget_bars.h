#pragma once

#include "core/budget/step_budgets.h"
#include "views/style/painted_chart.h"

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace warpline {

/// The panel's data for one report: made off the GUI thread, then read-only.
struct BudgetAnswer {
    std::shared_ptr<const GpuBudgets> budgets;
    std::vector<StepBudgets> steps; ///< one for each GPU and thread with steps
    bool knowsWaits = false; ///< for other ranks: by their reports, which are open too
};

/// Parts that are drawn as one: a large part alone, the small ones of a group together.
struct BudgetSlice {
    QString title;
    BudgetGroup group = BudgetGroup::Idle;
    std::vector<std::size_t> parts; ///< indexes into BudgetParts
    QColor color;
    Ns timeOf(const Budget& budget) const;
};

/// The slices of `mean`, from the bottom of a bar: computing, communication, copies, idle; in each group the
/// largest first. Parts below a hundredth of the whole are drawn together.
std::vector<BudgetSlice> slicesOf(const BudgetParts& parts, const Budget& mean, const Theme& theme);

/// Steps drawn as one bar.
struct BarBin {
    std::size_t first = 0;
    std::size_t count = 0;
    friend bool operator==(const BarBin&, const BarBin&) = default;
};
/// Bins for `steps` steps on `width` pixels: one step per bar while there is room for a few pixels each,
/// otherwise several; none is left out.
std::vector<BarBin> binsOf(std::size_t steps, int width);
/// The label below the bar of a step named `name`, the `ordinal`th of its chart: the last number in its name.
/// The ordinal where there is none, or more than two: these are sizes of the work.
QString stepNumber(std::string_view name, std::size_t ordinal);

/// The steps of one GPU as stacked bars of their budgets; bars of several steps show the mean. A line across
/// each bar shows the length of its range on the host. Warm-up is cut off at the top.
class BudgetBars : public PaintedChart {
    Q_OBJECT
public:
    explicit BudgetBars(const Theme& theme, QWidget* parent = nullptr);

    void setTheme(const Theme& theme) override;
    /// Shows the steps `index` of `answer`; nullptr or an index beyond its end: nothing.
    void setSteps(std::shared_ptr<const BudgetAnswer> answer, std::size_t index);
    /// Bars of one height, parts as shares.
    void setShares(bool shares);
    const std::vector<BudgetSlice>& slices() const { return m_slices; }
    std::vector<BarBin> bins() const;
    /// The lines across the bars, the lowest first: their share of the height, and their labels.
    std::vector<std::pair<double, QString>> ticks() const;
    /// The longest step that is not warm-up: longer bars are cut off. Only with steps.
    Ns highest() const;
    /// The bar at `x`; nothing between bars.
    std::optional<BarBin> binAt(int x) const;
    /// "step_4 · Matrix products · 58.6 ms · 80% · host 44.0 ms"; empty outside of bars.
    QString tipAt(QPoint position) const;
    std::vector<PaintedItem> paintedItems() override; ///< the bars, each with its parts

    QSize sizeHint() const override { return {600, 160}; }

signals:
    void stepChosen(std::size_t step); ///< index into StepBudgets::steps

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    const StepBudgets* steps() const;
    QRect plot() const;
    /// The mean of the steps of a bar.
    struct Mean {
        Budget budget;
        Ns gpu = 0;
        Ns host = 0;
    };
    Mean meanOf(BarBin bin) const;
    QString nameOf(BarBin bin) const;
    double slot(std::size_t bars) const; ///< width of one of `bars` and its gap
    void paintBar(QPainter& painter, QRect column, BarBin bin) const;

    std::shared_ptr<const BudgetAnswer> m_answer;
    std::size_t m_index = 0;
    bool m_shares = false;
    std::vector<BudgetSlice> m_slices;
};

} // namespace warpline
