#pragma once

#include "core/stats/step_breakdown.h"
#include "views/style/painted_items.h"
#include "views/style/theme.h"

#include <QWidget>

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

/// The label below the bar of a step named `name`, the `ordinal`th of its thread: the last number in its
/// name, else the ordinal.
QString stepNumber(std::string_view name, std::size_t ordinal);

/// The steps of one group as stacked bars, with a tooltip per part. Custom-painted: graphics items for a
/// hundred bars of ten parts would take 0.1 s to create.
class StepsChart : public QWidget, public PaintedItems {
    Q_OBJECT
public:
    StepsChart(std::shared_ptr<const Trace> trace, std::shared_ptr<const StepBreakdown> breakdown,
        StepGroup group, const Theme& theme, std::vector<QColor> colors, QWidget* parent = nullptr);

    /// Draws the bars on an axis that ends slightly above `highest`; longer bars are cut off.
    void draw(Ns highest);
    const QString& title() const { return m_group.title; }
    /// The label below each bar; empty where there is no room for all.
    const QStringList& labels() const { return m_labels; }
    /// Where the bars stand, without title and axes.
    QRectF plotArea() const;
    /// The step at `position`, as index in the breakdown; nothing outside of bars.
    std::optional<std::size_t> stepAt(QPoint position) const;
    /// "step_4 · load · 130.0 ms · 61%" for the part at `position`, the whole step above its bar; empty
    /// outside of bars.
    QString tipAt(QPoint position) const;
    /// The middle of part `part` of step `step`, on the screen; parts().size() is the rest.
    QPoint middleOf(std::size_t step, std::size_t part) const;
    QSize sizeHint() const override;
    std::vector<PaintedItem> paintedItems() override; ///< the bars, each with its parts
    QAccessible::Role paintedRole() const override { return QAccessible::Chart; }

signals:
    void stepChosen(std::size_t step);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    std::size_t shown() const;
    const Step& step(std::size_t index) const { return m_breakdown->steps[m_group.first + index]; }
    Ns timeOf(const Step& step, std::size_t part) const;
    Ns durationOf(const Step& step) const;
    double slot() const; ///< width of a bar and its gap
    double yOf(double time) const;
    void paintTimes(QPainter& painter) const;
    void paintBars(QPainter& painter) const;
    void paintNumbers(QPainter& painter) const;

    std::shared_ptr<const Trace> m_trace;
    std::shared_ptr<const StepBreakdown> m_breakdown;
    StepGroup m_group;
    const Theme* m_theme;
    std::vector<QColor> m_colors; ///< of the parts
    QStringList m_labels;
    std::vector<std::pair<double, QString>> m_times; ///< of the axis: nanoseconds and their text
    double m_top = 1; ///< nanoseconds at the upper edge
};

/// More bars are indistinguishable.
inline constexpr std::size_t maxStepsShown = 120;

} // namespace warpline
