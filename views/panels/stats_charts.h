#pragma once

#include "core/query/range_stats.h"
#include "views/style/theme.h"

#include <QChartView>

#include <array>
#include <span>
#include <vector>

class QAreaSeries;
class QBarCategoryAxis;
class QBarSet;
class QCategoryAxis;
class QHorizontalStackedBarSeries;
class QLineSeries;
class QValueAxis;

namespace warpline {

/// One stacked bar a GPU: its time in compute only, compute and copy at once, copy only, and idle.
class DeviceChart : public QChartView {
    Q_OBJECT
public:
    explicit DeviceChart(const Theme& theme, QWidget* parent = nullptr);

    void showDevices(const std::vector<DeviceFigures>& devices, TimeRange window);
    void setTheme(const Theme& theme);

private:
    QHorizontalStackedBarSeries* m_series;
    std::array<QBarSet*, 6> m_parts{};
    QBarCategoryAxis* m_names;
    QValueAxis* m_percent;
};

/// How many durations fall into each fifth of a decade; `first` is the number of the first bin counted from 1
/// ns.
struct DurationBins {
    static constexpr int perDecade = 5;
    int first = 0;
    std::vector<std::uint32_t> counts; ///< from the first bin in use to the last
};

/// Marks (0 ns) count in the lowest bin. O(n).
DurationBins binDurations(std::span<const Ns> durations);

/// How many durations fall where, on a logarithmic scale.
class DurationChart : public QChartView {
    Q_OBJECT
public:
    DurationChart(const Theme& theme, const QString& title, QWidget* parent = nullptr);

    void showBins(const DurationBins& bins);
    void setTheme(const Theme& theme);

private:
    void labelDecades(int first, int last);

    QLineSeries* m_outline;
    QAreaSeries* m_series;
    QCategoryAxis* m_time;
    QValueAxis* m_count;
    int m_firstDecade = -1;
    int m_lastDecade = -1;
};

} // namespace warpline
