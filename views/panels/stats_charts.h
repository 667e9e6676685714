#pragma once

#include "core/query/range_stats.h"
#include "views/style/theme.h"

#include <QChartView>

#include <array>
#include <span>
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
    /// Names the parts that there are, as rich text: the chart's own legend cuts words off, and "Compute
    /// only" and "Compute and copy" are then the same.
    QString legend() const;
    /// The colours of all parts but idle time, which has Theme::rest.
    static std::span<const EventTint> partTints();

private:
    QHorizontalStackedBarSeries* m_series;
    std::array<QBarSet*, 6> m_parts{};
    QBarCategoryAxis* m_names;
    QValueAxis* m_percent;
};

} // namespace warpline
