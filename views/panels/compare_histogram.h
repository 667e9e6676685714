#pragma once

#include "core/compare/comparison.h"
#include "views/panels/duration_chart.h"
#include "views/style/painted_chart.h"

#include <vector>

namespace warpline {

/// How the durations of both sides are spread, in the same bins.
struct TwoHistograms {
    DurationBins bins; ///< of both; its counts are those of both
    Both<std::vector<std::uint32_t>> counts;
    Both<std::size_t> events;
    Both<Ns> median; ///< the upper one; 0 without events
    bool empty() const { return events.a + events.b == 0; }
};

/// Of the durations of A and B; either may be empty. O(n log n).
TwoHistograms histogramsOf(std::vector<Ns> a, std::vector<Ns> b);

/// The durations of two sides over each other, as shares of each side's events, with their medians.
class CompareHistogram : public PaintedChart {
    Q_OBJECT
public:
    explicit CompareHistogram(const Theme& theme, QWidget* parent = nullptr);

    void show(const QString& title, TwoHistograms histograms);
    const TwoHistograms& histograms() const { return m_histograms; }

    QSize sizeHint() const override { return {250, 160}; }
    QSize minimumSizeHint() const override { return {140, 80}; }
    std::vector<PaintedItem> paintedItems() override; ///< the two runs, then the bars that count any
    QAccessible::Role paintedRole() const override { return QAccessible::Chart; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void paintSide(QPainter& painter, QRectF plot, Side side, double highest);
    QRectF plotArea() const; ///< where the bars are
    QString sideText(Side side) const; ///< "A: 12 events, median 4.2 ms"
    double placeOf(double ns) const; ///< 0..1 over the axis

    QString m_title;
    TwoHistograms m_histograms;
};

} // namespace warpline
