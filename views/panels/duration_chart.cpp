#include "views/panels/duration_chart.h"

#include "core/base/duration_text.h"
#include "views/style/chart_style.h"
#include "views/style/rich_text.h"

#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <limits>

namespace warpline {

namespace {

constexpr double maxBins = 40;
constexpr double logarithmicFrom = 3; ///< longest over shortest
constexpr std::size_t maxTicks = 6;

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
    if (all <= maxTicks || decades.size() < 2)
        ticks.insert(ticks.end(), decades.begin(), decades.end());
    else
        ticks = decades;
    std::ranges::sort(ticks);
    while (ticks.size() > maxTicks) { // every second
        std::vector<double> fewer;
        for (std::size_t i = 0; i < ticks.size(); i += 2)
            fewer.push_back(ticks[i]);
        ticks = fewer;
    }
    return ticks;
}

QString countText(double count)
{
    return numberText(static_cast<std::uint64_t>(count));
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
    const auto last = static_cast<double>(std::max<Ns>(1, longest));
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const double high = std::max(last + 1, std::nextafter(last, infinity)); // not included
    bins.logarithmic = high > logarithmicFrom * low;
    if (bins.logarithmic) {
        for (double i = 0; i <= maxBins; ++i)
            bins.edges.push_back(low * std::pow(high / low, i / maxBins));
    } else {
        // Whole ns, else bins would differ in size; beyond 104 days more than one.
        const double width
            = std::max(std::ceil((high - low) / maxBins), std::nextafter(high, infinity) - high);
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
    : PaintedChart(theme, parent)
{
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setTitle(title);
}

void DurationChart::setTitle(const QString& title)
{
    m_title = title;
    setAccessibleName(title);
    update();
}

void DurationChart::showBins(DurationBins bins)
{
    m_bins = std::move(bins);
    m_highest = m_bins.counts.empty() ? 1 : std::max(1U, *std::ranges::max_element(m_bins.counts));
    update();
}

std::vector<double> DurationChart::timeTicks() const
{
    if (m_bins.edges.empty())
        return {};
    const double low = m_bins.edges.front();
    const double high = m_bins.edges.back();
    return m_bins.logarithmic ? logarithmicTicks(low, high)
                              : marksWithin(low, high, niceStep((high - low) / 4));
}

std::vector<double> DurationChart::countTicks() const
{
    return marksWithin(0, m_highest, niceStep(std::max(1.0, m_highest / 3.0)));
}

QRectF DurationChart::plot() const
{
    const QFontMetrics metrics(font());
    int labels = 0;
    for (const double tick : countTicks())
        labels = std::max(labels, metrics.horizontalAdvance(countText(tick)));
    const int line = metrics.height();
    constexpr int half = 26; // half of the last tick's text stands beyond the bars
    return QRectF(rect()).adjusted(labels + 12, line + 6, -half, -line - 6);
}

double DurationChart::xOf(double ns) const
{
    const auto scaled = [&](double value) { return m_bins.logarithmic ? std::log(value) : value; };
    const double low = scaled(m_bins.edges.front());
    const double high = scaled(m_bins.edges.back());
    const QRectF area = plot();
    return area.left() + (scaled(ns) - low) / (high - low) * area.width();
}

double DurationChart::yOf(double count) const
{
    const QRectF area = plot();
    return area.bottom() - count / m_highest * area.height();
}

std::vector<PaintedLabel> DurationChart::countLabels() const
{
    const QRectF area = plot();
    const double line = fontMetrics().height();
    std::vector<double> ticks = countTicks();
    std::ranges::reverse(ticks); // the highest has its label first: 0 alone says nothing
    std::vector<PaintedLabel> labels;
    LabelRoom room(0);
    for (const double tick : ticks) {
        const double y = yOf(tick);
        if (room.take(y, line))
            labels.push_back({QRectF(0, y - line / 2, area.left() - 6, line), countText(tick)});
    }
    return labels;
}

std::vector<PaintedLabel> DurationChart::timeLabels() const
{
    const double top = plot().bottom() + 3;
    std::vector<PaintedLabel> labels;
    LabelRoom room;
    for (const double tick : timeTicks()) {
        const QString text = tickText(tick);
        const double half = fontMetrics().horizontalAdvance(text) / 2.0;
        const double middle = std::max(half, std::min(xOf(tick), width() - half));
        const bool isRepeated
            = !labels.empty() && labels.back().text == text; // ticks less than its digits apart
        if (!isRepeated && room.take(middle, 2 * half))
            labels.push_back({QRectF(middle - half, top, 2 * half, fontMetrics().height()), text});
    }
    return labels;
}

void DurationChart::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_theme->background);
    const int line = fontMetrics().height();
    painter.setPen(m_theme->text);
    painter.drawText(QRect(4, 2, width() - 8, line), Qt::AlignHCenter,
        fontMetrics().elidedText(m_title, Qt::ElideRight, width() - 8));
    if (m_bins.counts.empty())
        return;
    const QRectF area = plot();
    for (const double tick : countTicks()) {
        const double y = yOf(tick);
        painter.setPen(m_theme->grid);
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
    }
    painter.setPen(m_theme->dimText);
    for (const PaintedLabel& label : countLabels())
        painter.drawText(label.place, Qt::AlignRight | Qt::AlignVCenter, label.text);
    for (const PaintedLabel& label : timeLabels())
        painter.drawText(label.place, Qt::AlignCenter | Qt::TextDontClip, label.text);
    painter.setPen(m_theme->grid);
    for (const double tick : timeTicks())
        painter.drawLine(QPointF(xOf(tick), area.top()), QPointF(xOf(tick), area.bottom()));
    for (std::size_t i = 0; i < m_bins.counts.size(); ++i) {
        const double left = xOf(m_bins.edges[i]);
        const double right = xOf(m_bins.edges[i + 1]);
        const double gap = 0.06 * (right - left);
        painter.fillRect(
            QRectF(QPointF(left + gap, yOf(m_bins.counts[i])), QPointF(right - gap, area.bottom())),
            m_theme->color(EventTint::Kernel));
    }
}

std::optional<std::size_t> DurationChart::binAt(QPoint position) const
{
    if (m_bins.counts.empty() || !plot().contains(position))
        return std::nullopt;
    for (std::size_t bin = 0; bin < m_bins.counts.size(); ++bin) {
        if (position.x() >= xOf(m_bins.edges[bin]) && position.x() < xOf(m_bins.edges[bin + 1]))
            return bin;
    }
    return std::nullopt;
}

QPoint DurationChart::footOf(std::size_t bin) const
{
    const double middle = (xOf(m_bins.edges[bin]) + xOf(m_bins.edges[bin + 1])) / 2;
    return QPointF(middle, plot().bottom()).toPoint() - QPoint(0, 1);
}

QString DurationChart::tipAt(QPoint position) const
{
    const auto bin = binAt(position);
    if (!bin)
        return {};
    const std::uint32_t count = m_bins.counts[*bin];
    return tr("%1 to %2: %3")
        .arg(durationText(m_bins.edges[*bin]), durationText(m_bins.edges[*bin + 1]),
            count == 1 ? tr("1 event") : tr("%1 events").arg(numberText(count)));
}

void DurationChart::mousePressEvent(QMouseEvent* event)
{
    m_pressed = event->button() == Qt::LeftButton ? binAt(event->pos()) : std::nullopt;
}

void DurationChart::mouseMoveEvent(QMouseEvent* event)
{
    const QString tip = tipAt(event->pos());
    setCursor(tip.isEmpty() ? Qt::ArrowCursor : Qt::PointingHandCursor);
    QToolTip::showText(event->globalPosition().toPoint(),
        tip.isEmpty() ? QString() : plainTip(tip + '\n' + tr("Click or drag to list events")), this);
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

std::vector<PaintedItem> DurationChart::paintedItems()
{
    std::vector<PaintedItem> items;
    for (std::size_t bin = 0; bin < m_bins.counts.size(); ++bin) {
        if (m_bins.counts[bin] == 0)
            continue;
        const QRectF bar(QPointF(xOf(m_bins.edges[bin]), plot().top()),
            QPointF(xOf(m_bins.edges[bin + 1]), plot().bottom()));
        PaintedItem item{tipAt(footOf(bin)), {}, bar.toAlignedRect()};
        item.press = [this, bin] {
            const auto [least, most] = m_bins.durations(bin, bin);
            emit chosen(least, most);
        };
        items.push_back(std::move(item));
    }
    return items;
}

} // namespace warpline
