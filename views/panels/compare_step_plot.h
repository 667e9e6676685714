#pragma once

#include "core/compare/comparison.h"
#include "core/steps/slow_steps.h"
#include "views/style/painted_chart.h"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace warpline {

/// The steps of one side that count, in order of time.
struct ComparedLengths {
    std::vector<std::size_t> steps; ///< places in ComparedGpu::steps
    std::vector<Ns> lengths; ///< on the GPU; of several GPUs their mean
    std::vector<std::size_t> slow; ///< places in `lengths` of those that are out of proportion, ascending
};
/// Empty of the unit Whole, which has no steps.
ComparedLengths comparedLengths(const Comparison& comparison, Side side, const SlowStepLimits& limits = {});

/// The length of each step of A and B on the GPU in order, with the median and the mean of each side as
/// lines. Steps of one column are a pair: see ComparedSide::ahead. A click selects the nearest step.
class CompareStepPlot : public PaintedChart {
    Q_OBJECT
public:
    explicit CompareStepPlot(const Theme& theme, QWidget* parent = nullptr);

    /// nullptr: none. `limits`: from when on a step is marked as slow.
    void setComparison(std::shared_ptr<const Comparison> comparison, const SlowStepLimits& limits);
    /// Whether a side has several steps: one alone is no series.
    bool isNeeded() const;
    const ComparedLengths& lengths(Side side) const { return m_lengths[side]; }

    /// A step of a side, by its place in ComparedLengths.
    struct Place {
        Side side = Side::A;
        std::size_t step = 0;
        friend bool operator==(const Place&, const Place&) = default;
    };
    /// The step that is drawn next to `position`; nothing outside of the plot.
    std::optional<Place> stepAt(QPointF position) const;
    QPointF pointOf(Place place) const;
    /// The lines of the axis, the lowest first: nanoseconds and their text.
    std::vector<std::pair<double, QString>> ticks() const;
    QString tipOf(Place place) const;
    /// The step that was clicked last, as long as the comparison is the same.
    std::optional<Place> chosen() const { return m_chosen; }

    QSize sizeHint() const override { return {360, 200}; }
    QSize minimumSizeHint() const override { return {200, 90}; }
    std::vector<PaintedItem> paintedItems() override; ///< the steps of A, then those of B
    QAccessible::Role paintedRole() const override { return QAccessible::Chart; }

signals:
    /// `step`: its place in ComparedLengths.
    void stepChosen(warpline::Side side, std::size_t step);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    void fitAxis();
    void choose(Place place);
    QRectF plot() const;
    double xOf(Place place) const;
    std::size_t columns() const;
    double yOf(double length) const;
    double gap() const; ///< between two steps, in pixels
    bool isCut(Ns length) const { return static_cast<double>(length) > m_high; }
    void paintHead(QPainter& painter) const;
    void paintAxis(QPainter& painter) const;
    void paintLevels(QPainter& painter, Side side) const;
    void paintSteps(QPainter& painter, Side side) const;
    void paintSlow(QPainter& painter, Side side) const;
    void paintMark(QPainter& painter, Place place, double radius) const;

    std::shared_ptr<const Comparison> m_comparison;
    Both<ComparedLengths> m_lengths;
    Both<std::size_t> m_shift; ///< the column of the first step
    double m_low = 0; ///< of the axis
    double m_high = 1;
    std::optional<Place> m_hovered;
    std::optional<Place> m_chosen;
};

} // namespace warpline
