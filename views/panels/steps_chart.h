#pragma once

#include "core/stats/step_breakdown.h"
#include "views/style/theme.h"

#include <QChartView>

#include <memory>
#include <optional>
#include <vector>

class QStackedBarSeries;

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

/// What stands below the bar of a step called `name`, the `ordinal`th of its thread: the last number in its
/// name, else the ordinal.
QString stepNumber(std::string_view name, std::size_t ordinal);

/// The steps of one group as stacked bars, with a tip for each part.
class StepsChart : public QChartView {
    Q_OBJECT
public:
    StepsChart(std::shared_ptr<const Trace> trace, std::shared_ptr<const StepBreakdown> breakdown,
        StepGroup group, const Theme& theme, std::vector<QColor> colors, QWidget* parent = nullptr);

    /// Draws the bars on an axis that ends at `highest`.
    void draw(Ns highest);
    /// The step whose bar stands at `position`, counted in the breakdown; nothing beside the bars.
    std::optional<std::size_t> stepAt(QPoint position) const;
    /// "step_4 · load · 130.0 ms · 61%" for the part at `position`, the whole step above its bar; empty
    /// beside the bars.
    QString tipAt(QPoint position) const;
    /// The middle of part `part` of step `step`, on the screen; parts().size() is the rest.
    QPoint middleOf(std::size_t step, std::size_t part) const;

signals:
    void stepChosen(std::size_t step);

protected:
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    std::size_t shown() const;
    const Step& step(std::size_t index) const { return m_breakdown->steps[m_group.first + index]; }
    Ns timeOf(const Step& step, std::size_t part) const;
    Ns durationOf(const Step& step) const;
    QStackedBarSeries* makeBars() const;
    QStringList labels() const;

    std::shared_ptr<const Trace> m_trace;
    std::shared_ptr<const StepBreakdown> m_breakdown;
    StepGroup m_group;
    const Theme* m_theme;
    std::vector<QColor> m_colors; ///< of the parts
    QStackedBarSeries* m_bars = nullptr; ///< the chart's
};

/// More bars than this beside one another cannot be told apart.
inline constexpr std::size_t mostStepsShown = 120;

} // namespace warpline
