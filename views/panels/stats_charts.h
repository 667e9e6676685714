#pragma once

#include "core/query/range_stats.h"
#include "views/style/theme.h"

#include <QChartView>

#include <array>
#include <vector>

class QBarCategoryAxis;
class QBarSet;
class QHorizontalStackedBarSeries;
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
    std::array<QBarSet*, 4> m_parts{};
    QBarCategoryAxis* m_names;
    QValueAxis* m_percent;
};

} // namespace warpline
