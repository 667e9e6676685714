#pragma once

#include "core/stats/step_breakdown.h"
#include "views/panels/budget_bars.h"
#include "views/style/painted_chart.h"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

class QPainter;

namespace warpline {

/// The steps of one thread, one after another in a StepBreakdown.
struct StepGroup {
    GlobalId thread = 0;
    std::size_t first = 0; ///< in StepBreakdown::steps
    std::size_t count = 0;
    QString title; ///< "[523] python3"; empty where there is only one group
};

/// The groups of `breakdown` in its order, named by their process, or by their thread where a process has
/// several.
std::vector<StepGroup> groupsOf(const Trace& trace, const StepBreakdown& breakdown);

/// The steps of one group as stacked bars, with a tooltip per part; where there are more steps than room, a
/// bar shows the mean of several. Custom-painted: graphics items for a hundred bars of ten parts would take
/// 0.1 s to create.
class StepsChart : public PaintedChart {
    Q_OBJECT
public:
    StepsChart(std::shared_ptr<const Trace> trace, std::shared_ptr<const StepBreakdown> breakdown,
        StepGroup group, const Theme& theme, std::vector<QColor> colors, QWidget* parent = nullptr);

    /// The axis ends at so many times the highest bar; longer bars are cut off.
    static constexpr double air = 1.05;
    /// Draws the bars on an axis that ends slightly above `highest`.
    void draw(Ns highest);
    const QString& title() const { return m_group.title; }
    std::vector<BarBin> bins() const; ///< the bars, as places in the group
    /// The color of the time that no part of `bin` has. Bars without parts have another one
    /// where they hold an outlier.
    QColor restColor(BarBin bin) const;
    /// The label below each bar; empty where there is no room for all.
    QStringList labels() const;
    /// The text above the bars: the title, and how many steps a bar shows.
    QString caption() const;
    /// Where the bars stand, without title and axes.
    QRectF plotArea() const;
    /// "step_4 · load · 130.0 ms · 61%" for the part at `position`, the whole step above its bar; empty
    /// outside of bars.
    QString tipAt(QPoint position) const;
    /// The middle of part `part` of step `step`, on the screen; parts().size() is the rest.
    QPoint middleOf(std::size_t step, std::size_t part) const;
    QSize sizeHint() const override { return {420, 180}; }
    std::vector<PaintedItem> paintedItems() override; ///< the bars, each with its parts
    QAccessible::Role paintedRole() const override { return QAccessible::Chart; }

signals:
    void stepChosen(std::size_t step); ///< index in the breakdown: the first of the bar

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    /// The mean of the steps of a bar.
    struct Bar {
        std::vector<Ns> parts; ///< the last one: the rest
        Ns whole = 0;
    };

    const Step& step(std::size_t index) const { return m_breakdown->steps[m_group.first + index]; }
    Bar barOf(BarBin bin) const;
    QString nameOf(BarBin bin) const;
    QString partName(std::size_t part) const;
    /// The bar at `position`; nothing between bars.
    std::optional<BarBin> binAt(QPoint position) const;
    double plotLeft() const; ///< the left edge of plotArea()
    double slot() const; ///< width of a bar and its gap
    double yOf(double time) const;
    void paintTimes(QPainter& painter) const;
    void paintBars(QPainter& painter) const;
    void paintNumbers(QPainter& painter) const;

    std::shared_ptr<const Trace> m_trace;
    std::shared_ptr<const StepBreakdown> m_breakdown;
    StepGroup m_group;
    std::vector<QColor> m_colors; ///< of the parts
    std::vector<std::pair<double, QString>> m_times; ///< of the axis: nanoseconds and their text
    double m_top = 1; ///< nanoseconds at the upper edge
};

} // namespace warpline
