// Charts are changed in place: making a chart anew costs several times a frame, and statistics change with
// every drag.

#include "views/panels/stats_charts.h"

#include "views/style/chart_style.h"

#include <QBarCategoryAxis>
#include <QBarSet>
#include <QChart>
#include <QHorizontalStackedBarSeries>
#include <QLegend>
#include <QValueAxis>

#include <algorithm>

namespace warpline {

namespace {

constexpr std::array<EventTint, 5> tints{EventTint::Kernel, EventTint::CopyDtoD, EventTint::Collective,
    EventTint::Synchronization, EventTint::CopyHtoD};

std::array<double, 6> sharesOf(const DeviceFigures& device, TimeRange window)
{
    const double length = std::max<double>(1, static_cast<double>(window.duration()));
    const auto share = [&](Ns time) { return 100.0 * static_cast<double>(time) / length; };
    return {share(device.compute - device.overlap), share(device.overlap), share(device.communication),
        share(device.stalled), share(device.copyOnly), share(device.idle)};
}

void dressView(QChartView& view, const Theme& theme)
{
    dressChart(*view.chart(), theme, view.chart()->title());
    view.setBackgroundBrush(theme.background);
}

} // namespace

DeviceChart::DeviceChart(const Theme& theme, QWidget* parent)
    : QChartView(parent),
      m_series(new QHorizontalStackedBarSeries(this)),
      m_names(new QBarCategoryAxis(this)),
      m_percent(new QValueAxis(this))
{
    setFrameShape(QFrame::NoFrame);
    setMinimumHeight(100); // Qt Charts writes '...' for the percents of a lower one
    const std::array titles{tr("Compute only"), tr("Compute and copy"), tr("Communication only"),
        tr("Waiting for pages"), tr("Copy only"), tr("Idle")};
    for (std::size_t i = 0; i < titles.size(); ++i) {
        m_parts[i] = new QBarSet(titles[i], m_series);
        m_parts[i]->setBorderColor(Qt::transparent);
        m_series->append(m_parts[i]);
    }
    m_series->setBarWidth(0.7);
    m_percent->setRange(0, 100);
    m_percent->setLabelFormat("%.0f%%");
    m_percent->setTickCount(6);
    m_names->setGridLineVisible(false);
    chart()->addSeries(m_series);
    chart()->addAxis(m_names, Qt::AlignLeft);
    chart()->addAxis(m_percent, Qt::AlignBottom);
    m_series->attachAxis(m_names);
    m_series->attachAxis(m_percent);
    chart()->legend()->hide();
    setTheme(theme);
}

void DeviceChart::showDevices(const std::vector<DeviceFigures>& devices, TimeRange window)
{
    QStringList names;
    for (const DeviceFigures& device : devices)
        names << QString("GPU %1").arg(device.number)
                + (devices.size() > 1 ? QString(" [%1]").arg(pidOf(device.process)) : QString());
    if (names != m_names->categories())
        m_names->setCategories(names);
    for (std::size_t part = 0; part < m_parts.size(); ++part) {
        QBarSet& set = *m_parts[part];
        if (set.count() > static_cast<int>(devices.size()))
            set.remove(0, set.count());
        for (std::size_t i = 0; i < devices.size(); ++i) {
            const double share = sharesOf(devices[i], window)[part];
            if (static_cast<int>(i) >= set.count())
                set.append(share);
            else
                set.replace(static_cast<int>(i), share);
        }
    }
    chart()->setTitle(devices.empty() ? tr("No GPU work in this range") : QString());
    m_percent->setVisible(!devices.empty());
}

std::span<const EventTint> DeviceChart::partTints()
{
    return tints;
}

QString DeviceChart::legend() const
{
    QStringList parts;
    for (QBarSet* const set : m_parts) {
        bool occurs = false;
        for (int i = 0; i < set->count(); ++i)
            occurs |= set->at(i) > 0;
        if (occurs)
            parts << QString("<span style='color:%1'>\u25a0</span>&nbsp;%2")
                         .arg(set->color().name(), set->label().toHtmlEscaped().replace(' ', "&nbsp;"));
    }
    return parts.join(" &nbsp; ");
}

void DeviceChart::setTheme(const Theme& theme)
{
    for (std::size_t i = 0; i < tints.size(); ++i)
        m_parts[i]->setColor(theme.color(tints[i]));
    m_parts.back()->setColor(theme.rest);
    dressView(*this, theme);
}

} // namespace warpline
