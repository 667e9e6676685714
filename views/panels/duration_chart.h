#pragma once

#include "core/base/time.h"
#include "views/style/chart_style.h"
#include "views/style/painted_chart.h"

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace warpline {

/// How many durations fall where.
struct DurationBins {
    std::vector<double> edges; ///< ns, ascending; bin i is [edges[i], edges[i + 1])
    std::vector<std::uint32_t> counts; ///< the first and the last bin include values beyond
    bool logarithmic = false; ///< edges lie at equal distances of their logarithms

    /// The durations of bins [first, last], both included, for a filter.
    std::pair<Ns, Ns> durations(std::size_t first, std::size_t last) const;
};

/// Some forty bins from the shortest to the longest of `durations`, without the thousandth at either end:
/// logarithmic when these are apart by more than three times. Reorders `durations`; O(n).
DurationBins binDurations(std::span<Ns> durations);

/// "2 us", "50 ms": a tick of the time axis.
QString tickText(double ns);

/// A histogram of durations. A tooltip shows the count of a bar; a click on a bar, or a drag over several,
/// requests the events of these durations.
class DurationChart : public PaintedChart {
    Q_OBJECT
public:
    DurationChart(const Theme& theme, const QString& title, QWidget* parent = nullptr);

    void setTitle(const QString& title);
    void showBins(DurationBins bins);
    const DurationBins& bins() const { return m_bins; }
    /// "2.10 us to 2.15 us: 1,234 events" for the bar at `position`; empty outside of bars.
    QString tipAt(QPoint position) const;
    /// The middle of the foot of bar `bin`, on the screen.
    QPoint footOf(std::size_t bin) const;
    /// The labels of the axis of counts that have room, the highest first.
    std::vector<PaintedLabel> countLabels() const;
    /// Those of the axis of durations: whole, and each text once.
    std::vector<PaintedLabel> timeLabels() const;

    QSize sizeHint() const override { return {320, 160}; }
    QSize minimumSizeHint() const override { return {120, 70}; }
    std::vector<PaintedItem> paintedItems() override; ///< the bars that count any
    QAccessible::Role paintedRole() const override { return QAccessible::Chart; }

signals:
    void chosen(qint64 least, qint64 most); ///< durations in ns, both included

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    QRectF plot() const; ///< where the bars are
    double xOf(double ns) const;
    double yOf(double count) const;
    std::optional<std::size_t> binAt(QPoint position) const;
    std::vector<double> timeTicks() const;
    std::vector<double> countTicks() const;

    QString m_title;
    DurationBins m_bins;
    std::uint32_t m_highest = 1;
    std::optional<std::size_t> m_pressed;
};

} // namespace warpline
