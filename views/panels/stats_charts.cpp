// Charts are changed in place: making a chart anew costs several times a frame, and statistics change with
// every drag.

#include "views/panels/stats_charts.h"

#include "views/style/chart_style.h"

#include <QAreaSeries>
#include <QBarCategoryAxis>
#include <QBarSet>
#include <QCategoryAxis>
#include <QChart>
#include <QHorizontalStackedBarSeries>
#include <QLegend>
#include <QLineSeries>
#include <QValueAxis>

#include <algorithm>
#include <cmath>

namespace warpline {

namespace {

constexpr std::array<EventTint, 5> partTints{
    EventTint::Kernel, EventTint::Graph, EventTint::CopyPtoP, EventTint::Memory, EventTint::CopyHtoD};

std::array<double, 6> sharesOf(const DeviceFigures& device, TimeRange window)
{
    const double length = std::max<double>(1, static_cast<double>(window.duration()));
    const auto share = [&](Ns time) { return 100.0 * static_cast<double>(time) / length; };
    return {share(device.compute - device.overlap), share(device.overlap), share(device.communication),
        share(device.stalled), share(device.copyOnly), share(device.idle)};
}

/// "1 us", "10 us", "100 us" ...
QString decadeLabel(int decade)
{
    static constexpr std::array units{"ns", "\u00b5s", "ms", "s"};
    const int unit = std::min(decade / 3, 3);
    QString digits = "1";
    digits.append(QString(decade - 3 * unit, '0'));
    return digits + ' ' + units[static_cast<std::size_t>(unit)];
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
    setMinimumHeight(126); // Qt Charts writes '...' for the percents of a lower one
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
    chart()->legend()->setAlignment(Qt::AlignTop);
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

void DeviceChart::setTheme(const Theme& theme)
{
    for (std::size_t i = 0; i < partTints.size(); ++i)
        m_parts[i]->setColor(theme.color(partTints[i]));
    m_parts.back()->setColor(theme.grid);
    dressView(*this, theme);
}

DurationBins binDurations(std::span<const Ns> durations)
{
    constexpr std::size_t most = 13 * DurationBins::perDecade; // 10^13 ns are close to three hours
    std::array<std::uint32_t, most> counts{};
    for (const Ns duration : durations) {
        const double place
            = duration <= 1 ? 0 : std::log10(static_cast<double>(duration)) * DurationBins::perDecade;
        ++counts[std::min(static_cast<std::size_t>(place), most - 1)];
    }
    const auto used = [](std::uint32_t count) { return count > 0; };
    const auto first = std::ranges::find_if(counts, used);
    if (first == counts.end())
        return {};
    const auto last = std::find_if(counts.rbegin(), counts.rend(), used).base();
    return {static_cast<int>(first - counts.begin()), {first, last}};
}

DurationChart::DurationChart(const Theme& theme, const QString& title, QWidget* parent)
    : QChartView(parent),
      m_outline(new QLineSeries(this)),
      m_series(new QAreaSeries(m_outline)),
      m_time(new QCategoryAxis(this)),
      m_count(new QValueAxis(this))
{
    setFrameShape(QFrame::NoFrame);
    setMinimumHeight(70);
    m_time->setLabelsPosition(QCategoryAxis::AxisLabelsPositionOnValue);
    m_count->setLabelFormat("%.0f");
    m_count->setTickCount(3);
    chart()->setTitle(title);
    chart()->addSeries(m_series);
    chart()->addAxis(m_time, Qt::AlignBottom);
    chart()->addAxis(m_count, Qt::AlignLeft);
    m_series->attachAxis(m_time);
    m_series->attachAxis(m_count);
    chart()->legend()->hide();
    setTheme(theme);
    showBins({});
}

void DurationChart::showBins(const DurationBins& bins)
{
    constexpr double width = 1.0 / DurationBins::perDecade;
    constexpr double gap = 0.03 * width; // tells neighbours apart
    QList<QPointF> outline;
    double highest = 1;
    for (std::size_t i = 0; i < bins.counts.size(); ++i) {
        const double left = (bins.first + static_cast<double>(i)) * width;
        const double count = bins.counts[i];
        highest = std::max(highest, count);
        outline << QPointF(left + gap, 0) << QPointF(left + gap, count) << QPointF(left + width - gap, count)
                << QPointF(left + width - gap, 0);
    }
    constexpr int microsecond = 3;
    const int last = bins.first + static_cast<int>(bins.counts.size());
    const int firstDecade = bins.counts.empty() ? microsecond : bins.first / DurationBins::perDecade;
    const int lastDecade = bins.counts.empty()
        ? 2 * microsecond
        : (last + DurationBins::perDecade - 1) / DurationBins::perDecade;
    m_outline->replace(outline);
    labelDecades(firstDecade, std::max(firstDecade + 1, lastDecade));
    m_count->setRange(0, highest);
    m_count->setTickCount(highest < 2 ? 2 : 3);
}

void DurationChart::labelDecades(int first, int last)
{
    if (first == m_firstDecade && last == m_lastDecade)
        return;
    m_firstDecade = first;
    m_lastDecade = last;
    for (const QString& label : m_time->categoriesLabels())
        m_time->remove(label);
    m_time->setRange(first, last);
    m_time->setStartValue(first - 1);
    for (int decade = first; decade <= last; ++decade)
        m_time->append(decadeLabel(decade), decade);
}

void DurationChart::setTheme(const Theme& theme)
{
    m_series->setBrush(theme.color(EventTint::Kernel));
    m_series->setPen(Qt::NoPen);
    dressView(*this, theme);
}

} // namespace warpline
