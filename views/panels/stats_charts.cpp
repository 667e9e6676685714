#include "views/panels/stats_charts.h"

#include "views/style/chart_style.h"
#include "views/style/rich_text.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>
#include <functional>
#include <utility>

namespace warpline {

namespace {

constexpr std::array<EventTint, 5> tints{EventTint::Kernel, EventTint::CopyDtoD, EventTint::Collective,
    EventTint::Synchronization, EventTint::CopyHtoD};
constexpr std::array<const char*, 6> partTitles{QT_TRANSLATE_NOOP("warpline::DeviceChart", "Compute only"),
    QT_TRANSLATE_NOOP("warpline::DeviceChart", "Compute and copy"),
    QT_TRANSLATE_NOOP("warpline::DeviceChart", "Communication only"),
    QT_TRANSLATE_NOOP("warpline::DeviceChart", "Waiting for pages"),
    QT_TRANSLATE_NOOP("warpline::DeviceChart", "Copy only"),
    QT_TRANSLATE_NOOP("warpline::DeviceChart", "Idle")};
constexpr int maxBarHeight = 34;
constexpr int axisMargins = 10; ///< above the bars and around the texts below them
constexpr double barShare = 0.7; ///< of the height that a GPU has

std::array<double, 6> sharesOf(const DeviceFigures& device, TimeRange window)
{
    const double length = std::max<double>(1, static_cast<double>(window.duration()));
    const auto share = [&](Ns time) { return static_cast<double>(time) / length; };
    return {share(device.compute - device.overlap), share(device.overlap), share(device.communication),
        share(device.stalled), share(device.copyOnly), share(device.idle)};
}

} // namespace

DeviceChart::DeviceChart(const Theme& theme, QWidget* parent)
    : PaintedChart(theme, parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setAccessibleName(tr("How each GPU spends its time"));
}

void DeviceChart::showDevices(const std::vector<DeviceFigures>& devices, TimeRange window)
{
    m_bars.clear();
    for (const DeviceFigures& device : devices)
        m_bars.push_back({QString("GPU %1").arg(device.number)
                + (devices.size() > 1 ? QString(" [%1]").arg(pidOf(device.process)) : QString()),
            sharesOf(device, window)});
    updateGeometry();
    update();
}

QSize DeviceChart::minimumSizeHint() const
{
    const int line = fontMetrics().height();
    return {160, std::max(3 * line, static_cast<int>(m_bars.size()) * line + line + axisMargins)};
}

QColor DeviceChart::partColor(std::size_t part) const
{
    return part < tints.size() ? m_theme->color(tints[part]) : m_theme->rest;
}

void DeviceChart::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_theme->background);
    const int line = fontMetrics().height();
    if (m_bars.empty()) {
        painter.setPen(m_theme->text);
        painter.drawText(QRect(0, 4, width(), line), Qt::AlignHCenter, tr("No GPU work in this range"));
        return;
    }
    int names = 0;
    for (const Bar& bar : m_bars)
        names = std::max(names, fontMetrics().horizontalAdvance(bar.name));
    const QRectF plot = QRectF(rect()).adjusted(names + 14, 4, -24, -line - 6);
    LabelRoom labels;
    for (int percent = 0; percent <= 100; percent += 20) {
        const double x = plot.left() + plot.width() * percent / 100;
        painter.setPen(m_theme->grid);
        painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
        const QString label = QString("%1%").arg(percent);
        painter.setPen(m_theme->dimText);
        if (labels.take(x, fontMetrics().horizontalAdvance(label)))
            painter.drawText(QRectF(x - 30, plot.bottom() + 3, 60, line), Qt::AlignHCenter, label);
    }
    const double each = plot.height() / static_cast<double>(m_bars.size());
    const double height = std::min<double>(maxBarHeight, barShare * each);
    for (std::size_t i = 0; i < m_bars.size(); ++i) {
        const double middle = plot.top() + each * (static_cast<double>(i) + 0.5);
        painter.setPen(m_theme->dimText);
        painter.drawText(
            QRectF(0, middle - each / 2, names + 8, each), Qt::AlignRight | Qt::AlignVCenter, m_bars[i].name);
        double x = plot.left();
        for (std::size_t part = 0; part < partCount; ++part) {
            const double length = m_bars[i].shares[part] * plot.width();
            painter.fillRect(QRectF(x, middle - height / 2, length, height), partColor(part));
            x += length;
        }
    }
}

std::span<const EventTint> DeviceChart::partTints()
{
    return tints;
}

QString DeviceChart::legend() const
{
    std::array<std::pair<double, std::size_t>, partCount> parts;
    for (std::size_t part = 0; part < partCount; ++part) {
        parts[part] = {0, part};
        for (const Bar& bar : m_bars)
            parts[part].first += bar.shares[part];
    }
    std::ranges::stable_sort(parts, std::greater(), &std::pair<double, std::size_t>::first);
    QStringList entries;
    for (const auto& [share, part] : parts) {
        if (share > 0)
            entries << QString("<span style='color:%1'>\u25a0</span>&nbsp;%2")
                           .arg(partColor(part).name(), unbrokenHtml(tr(partTitles[part])));
    }
    return spacedHtml(entries);
}

std::vector<PaintedItem> DeviceChart::paintedItems()
{
    std::vector<PaintedItem> items;
    for (std::size_t i = 0; i < m_bars.size(); ++i) {
        QStringList parts;
        for (std::size_t part = 0; part < partCount; ++part) {
            if (m_bars[i].shares[part] > 0)
                parts << tr("%1 %2").arg(tr(partTitles[part]), shareText(m_bars[i].shares[part]));
        }
        const int each = height() / static_cast<int>(m_bars.size());
        items.push_back({m_bars[i].name, parts.join(QCoreApplication::translate("Lists", ", ")),
            QRect(0, static_cast<int>(i) * each, width(), each)});
    }
    return items;
}

} // namespace warpline
