// The chart is changed in place: making one anew costs several times a frame, and statistics change with
// every drag.

#include "views/panels/duration_chart.h"

#include "core/base/duration_text.h"
#include "core/base/format.h"
#include "views/style/chart_style.h"
#include "views/style/rich_text.h"

#include <QAreaSeries>
#include <QCategoryAxis>
#include <QChart>
#include <QLegend>
#include <QLineSeries>
#include <QMouseEvent>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <limits>

namespace warpline {

namespace {

constexpr double mostBins = 40;
constexpr double logarithmicFrom = 3; ///< longest over shortest
constexpr std::size_t mostTicks = 6;

/// The values at the thousandth from below and from above.
std::pair<Ns, Ns> ends(std::span<Ns> durations)
{
    const std::size_t beyond = durations.size() / 1000;
    std::ranges::nth_element(durations, durations.begin() + static_cast<std::ptrdiff_t>(beyond));
    const Ns low = durations[beyond];
    const std::size_t top = durations.size() - 1 - beyond;
    std::ranges::nth_element(durations, durations.begin() + static_cast<std::ptrdiff_t>(top));
    return {low, durations[top]};
}

std::vector<double> linearTicks(double low, double high)
{
    std::vector<double> ticks;
    const double step = niceStep((high - low) / 4);
    for (double tick = std::ceil(low / step) * step; tick <= high; tick += step)
        ticks.push_back(tick);
    return ticks;
}

std::vector<double> logarithmicTicks(double low, double high)
{
    std::vector<double> ticks;
    std::vector<double> decades;
    for (double power = std::pow(10, std::floor(std::log10(low))); power <= high; power *= 10) {
        for (const double factor : {1.0, 2.0, 5.0}) {
            if (factor * power >= low && factor * power <= high)
                (factor == 1 ? decades : ticks).push_back(factor * power);
        }
    }
    const std::size_t all = ticks.size() + decades.size();
    if (all <= mostTicks || decades.size() < 2)
        ticks.insert(ticks.end(), decades.begin(), decades.end());
    else
        ticks = decades;
    std::ranges::sort(ticks);
    while (ticks.size() > mostTicks) { // every second
        std::vector<double> fewer;
        for (std::size_t i = 0; i < ticks.size(); i += 2)
            fewer.push_back(ticks[i]);
        ticks = fewer;
    }
    return ticks;
}

void relabel(QCategoryAxis& axis, const std::vector<std::pair<QString, double>>& labels, double before)
{
    for (const QString& label : axis.categoriesLabels())
        axis.remove(label);
    axis.setStartValue(before);
    for (const auto& [label, value] : labels)
        axis.append(label, value);
}

} // namespace

std::pair<Ns, Ns> DurationBins::durations(std::size_t first, std::size_t last) const
{
    const Ns least = first == 0 ? 0 : static_cast<Ns>(std::ceil(edges[first]));
    const Ns most = last + 1 >= counts.size() ? std::numeric_limits<Ns>::max()
                                              : static_cast<Ns>(std::ceil(edges[last + 1])) - 1;
    return {least, most};
}

DurationBins binDurations(std::span<Ns> durations)
{
    DurationBins bins;
    if (durations.empty())
        return bins;
    const auto [shortest, longest] = ends(durations);
    const double low = static_cast<double>(std::max<Ns>(1, shortest));
    const double high = static_cast<double>(std::max<Ns>(1, longest)) + 1; // not included
    bins.logarithmic = high > logarithmicFrom * low;
    if (bins.logarithmic) {
        for (double i = 0; i <= mostBins; ++i)
            bins.edges.push_back(low * std::pow(high / low, i / mostBins));
    } else {
        const double width = std::ceil((high - low) / mostBins); // whole ns, else bins would differ in size
        for (double edge = low; edge < high; edge += width)
            bins.edges.push_back(edge);
        bins.edges.push_back(bins.edges.back() + width);
    }
    bins.counts.assign(bins.edges.size() - 1, 0);
    const auto inner = std::span(bins.edges).subspan(1, bins.counts.size() - 1);
    for (const Ns duration : durations) {
        const auto after = std::ranges::upper_bound(inner, static_cast<double>(duration));
        ++bins.counts[static_cast<std::size_t>(after - inner.begin())];
    }
    return bins;
}

QString tickText(double ns)
{
    constexpr int digits = 4;
    return QString::fromStdString(shortDuration(ns, digits));
}

DurationChart::DurationChart(const Theme& theme, const QString& title, QWidget* parent)
    : QChartView(parent),
      m_outline(new QLineSeries(this)),
      m_series(new QAreaSeries(m_outline)),
      m_time(new QCategoryAxis(this)),
      m_count(new QCategoryAxis(this))
{
    setFrameShape(QFrame::NoFrame);
    setMinimumHeight(70);
    setMouseTracking(true);
    viewport()->setMouseTracking(true);
    for (QCategoryAxis* const axis : {m_time, m_count})
        axis->setLabelsPosition(QCategoryAxis::AxisLabelsPositionOnValue);
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

double DurationChart::placeOf(double ns) const
{
    return m_bins.logarithmic ? std::log10(ns) : ns;
}

void DurationChart::showBins(DurationBins bins)
{
    m_bins = std::move(bins);
    QList<QPointF> outline;
    std::uint32_t highest = 1;
    for (std::size_t i = 0; i < m_bins.counts.size(); ++i) {
        const double left = placeOf(m_bins.edges[i]);
        const double right = placeOf(m_bins.edges[i + 1]);
        const double gap = 0.06 * (right - left); // tells neighbours apart
        const double count = m_bins.counts[i];
        highest = std::max(highest, m_bins.counts[i]);
        outline << QPointF(left + gap, 0) << QPointF(left + gap, count) << QPointF(right - gap, count)
                << QPointF(right - gap, 0);
    }
    m_outline->replace(outline);
    labelTime();
    labelCount(highest);
}

void DurationChart::labelTime()
{
    std::vector<std::pair<QString, double>> labels;
    double low = 0;
    double high = 1;
    if (!m_bins.edges.empty()) {
        low = placeOf(m_bins.edges.front());
        high = placeOf(m_bins.edges.back());
        const auto ticks = m_bins.logarithmic ? logarithmicTicks(m_bins.edges.front(), m_bins.edges.back())
                                              : linearTicks(m_bins.edges.front(), m_bins.edges.back());
        for (const double tick : ticks)
            labels.emplace_back(tickText(tick), placeOf(tick));
    }
    m_time->setRange(low, high);
    relabel(*m_time, labels, low - (high - low));
}

void DurationChart::labelCount(std::uint32_t highest)
{
    // Thousands are grouped, which a value axis cannot.
    const double step = niceStep(std::max(1.0, highest / 3.0));
    std::vector<std::pair<QString, double>> labels;
    for (double tick = 0; tick <= highest; tick += step)
        labels.emplace_back(QString::fromStdString(formatCount(static_cast<std::uint64_t>(tick))), tick);
    m_count->setRange(0, highest);
    relabel(*m_count, labels, -step);
}

std::optional<std::size_t> DurationChart::binAt(QPoint position) const
{
    if (m_bins.counts.empty() || !chart()->plotArea().contains(position))
        return std::nullopt;
    const double x = chart()->mapToValue(position, m_series).x();
    const double ns = m_bins.logarithmic ? std::pow(10, x) : x;
    const auto after = std::ranges::upper_bound(m_bins.edges, ns);
    if (after == m_bins.edges.begin() || after == m_bins.edges.end())
        return std::nullopt;
    return static_cast<std::size_t>(after - m_bins.edges.begin()) - 1;
}

QPoint DurationChart::footOf(std::size_t bin) const
{
    const double middle = (placeOf(m_bins.edges[bin]) + placeOf(m_bins.edges[bin + 1])) / 2;
    return chart()->mapToPosition(QPointF(middle, 0), m_series).toPoint() - QPoint(0, 1);
}

QString DurationChart::tipAt(QPoint position) const
{
    const auto bin = binAt(position);
    if (!bin)
        return {};
    const auto edge = [&](std::size_t i) {
        return QString::fromStdString(formatDuration(std::llround(m_bins.edges[i])));
    };
    const std::uint32_t count = m_bins.counts[*bin];
    return tr("%1 to %2: %3")
        .arg(edge(*bin), edge(*bin + 1),
            count == 1 ? tr("1 event") : tr("%1 events").arg(QString::fromStdString(formatCount(count))));
}

void DurationChart::mousePressEvent(QMouseEvent* event)
{
    m_pressed = event->button() == Qt::LeftButton ? binAt(event->pos()) : std::nullopt;
}

void DurationChart::mouseMoveEvent(QMouseEvent* event)
{
    const QString tip = tipAt(event->pos());
    viewport()->setCursor(tip.isEmpty() ? Qt::ArrowCursor : Qt::PointingHandCursor);
    if (tip.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(event->globalPosition().toPoint(),
            plainTip(tip + '\n' + tr("Click or drag to list these events")), viewport());
}

void DurationChart::mouseReleaseEvent(QMouseEvent* event)
{
    const auto released = binAt(event->pos());
    if (m_pressed && released) {
        const auto [least, most]
            = m_bins.durations(std::min(*m_pressed, *released), std::max(*m_pressed, *released));
        emit chosen(least, most);
    }
    m_pressed.reset();
}

void DurationChart::setTheme(const Theme& theme)
{
    m_series->setBrush(theme.color(EventTint::Kernel));
    m_series->setPen(Qt::NoPen);
    dressChart(*chart(), theme, chart()->title());
    constexpr QMargins roomForLabels(4, 2, 26, 2); // the last tick's text stands half beyond the axis
    chart()->setMargins(roomForLabels);
    setBackgroundBrush(theme.background);
}

} // namespace warpline
