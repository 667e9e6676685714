#pragma once

#include "core/query/range_stats.h"
#include "views/style/painted_chart.h"

#include <array>
#include <span>
#include <vector>

namespace warpline {

/// One stacked bar a GPU: its time in compute only, compute and copy at once, copy only, and idle.
class DeviceChart : public PaintedChart {
    Q_OBJECT
public:
    explicit DeviceChart(const Theme& theme, QWidget* parent = nullptr);

    void showDevices(const std::vector<DeviceFigures>& devices, TimeRange window);
    /// Names the parts that there are, the largest first: a low panel cuts the end. Rich text.
    QString legend() const;
    /// The colours of all parts but idle time, which has Theme::rest.
    static std::span<const EventTint> partTints();

    QSize sizeHint() const override { return {320, 100}; }
    QSize minimumSizeHint() const override;
    std::vector<PaintedItem> paintedItems() override; ///< the bars, each with its parts
    QAccessible::Role paintedRole() const override { return QAccessible::Chart; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    static constexpr std::size_t partCount = 6;
    struct Bar {
        QString name; ///< "GPU 0", or "GPU 0 [4711]" where there are several
        std::array<double, partCount> shares; ///< of the window, 0 to 1
    };
    QColor partColor(std::size_t part) const;

    std::vector<Bar> m_bars;
};

} // namespace warpline
