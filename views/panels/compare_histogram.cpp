#include "views/panels/compare_histogram.h"

#include "core/base/median.h"
#include "views/session/side_color.h"
#include "views/style/rich_text.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace warpline {

TwoHistograms histogramsOf(std::vector<Ns> a, std::vector<Ns> b)
{
    TwoHistograms made;
    made.events = {a.size(), b.size()};
    made.median = {middleOf(a), middleOf(b)};
    std::vector<Ns> both = a;
    both.insert(both.end(), b.begin(), b.end());
    made.bins = binDurations(both);
    if (both.empty())
        return made;
    const auto inner = std::span(made.bins.edges).subspan(1, made.bins.counts.size() - 1);
    for (const Side side : {Side::A, Side::B}) {
        made.counts[side].assign(made.bins.counts.size(), 0);
        for (const Ns duration : side == Side::A ? a : b) {
            const auto after = std::ranges::upper_bound(inner, static_cast<double>(duration));
            ++made.counts[side][static_cast<std::size_t>(after - inner.begin())];
        }
    }
    return made;
}

CompareHistogram::CompareHistogram(const Theme& theme, QWidget* parent)
    : PaintedChart(theme, parent)
{
    setAccessibleName(tr("How long the events of A and B take"));
}

void CompareHistogram::show(const QString& title, TwoHistograms histograms)
{
    m_title = title;
    m_histograms = std::move(histograms);
    setToolTip(plainTip(title));
    setVisible(!m_histograms.empty());
    update();
}

double CompareHistogram::placeOf(double ns) const
{
    const std::vector<double>& edges = m_histograms.bins.edges;
    const auto scaled = [&](double value) {
        return m_histograms.bins.logarithmic ? std::log(std::max(1.0, value)) : value;
    };
    const double low = scaled(edges.front());
    const double high = scaled(edges.back());
    return high > low ? std::clamp((scaled(ns) - low) / (high - low), 0.0, 1.0) : 0.5;
}

QRectF CompareHistogram::plotArea() const
{
    const int line = fontMetrics().height();
    return {6.0, 3.0 * line + 6, width() - 12.0, height() - 4.0 * line - 14};
}

QString CompareHistogram::sideText(Side side) const
{
    const std::size_t events = m_histograms.events[side];
    return events == 0
        ? tr("%1: none").arg(sideLetter(side))
        : tr("%1: %2 events, median %3")
              .arg(sideLetter(side), numberText(events), durationText(m_histograms.median[side]));
}

void CompareHistogram::paintEvent(QPaintEvent*)
{
    if (m_histograms.empty())
        return;
    QPainter painter(this);
    const int line = painter.fontMetrics().height();
    const QRectF plot = plotArea();
    painter.setPen(m_theme->text);
    painter.drawText(QRect(6, 2, width() - 12, line), Qt::AlignLeft,
        painter.fontMetrics().elidedText(m_title, Qt::ElideMiddle, width() - 12));
    double highest = 0;
    for (const Side side : {Side::A, Side::B}) {
        for (const std::uint32_t count : m_histograms.counts[side])
            highest
                = std::max(highest, count / std::max(1.0, static_cast<double>(m_histograms.events[side])));
    }
    int y = 2 + line;
    for (const Side side : {Side::A, Side::B}) {
        paintSide(painter, plot, side, highest);
        painter.setPen(sideColor(*m_theme, side));
        painter.drawText(QRect(6, y, width() - 12, line), Qt::AlignLeft, sideText(side));
        y += line;
    }
    painter.setPen(m_theme->dimText);
    painter.drawLine(plot.bottomLeft(), plot.bottomRight());
    const QRectF below(plot.left(), plot.bottom() + 2, plot.width(), line);
    painter.drawText(below, Qt::AlignLeft, durationText(m_histograms.bins.edges.front()));
    painter.drawText(below, Qt::AlignRight, durationText(m_histograms.bins.edges.back()));
}

void CompareHistogram::paintSide(QPainter& painter, QRectF plot, Side side, double highest)
{
    const std::vector<std::uint32_t>& counts = m_histograms.counts[side];
    if (m_histograms.events[side] == 0 || highest <= 0)
        return;
    const QColor color = sideColor(*m_theme, side);
    QPainterPath outline(plot.bottomLeft());
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const double share = counts[i] / static_cast<double>(m_histograms.events[side]);
        const double y = plot.bottom() - share / highest * plot.height();
        outline.lineTo(plot.left() + placeOf(m_histograms.bins.edges[i]) * plot.width(), y);
        outline.lineTo(plot.left() + placeOf(m_histograms.bins.edges[i + 1]) * plot.width(), y);
    }
    outline.lineTo(plot.bottomRight());
    QColor fill = color;
    fill.setAlpha(90);
    painter.fillPath(outline, fill);
    painter.setPen(QPen(color, 1.2));
    painter.drawPath(outline);
    const double x = plot.left() + placeOf(static_cast<double>(m_histograms.median[side])) * plot.width();
    painter.setPen(QPen(color, 1.5, Qt::DashLine));
    painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
}

std::vector<PaintedItem> CompareHistogram::paintedItems()
{
    std::vector<PaintedItem> items;
    if (m_histograms.empty())
        return items;
    const QRectF plot = plotArea();
    const std::vector<double>& edges = m_histograms.bins.edges;
    for (const Side side : {Side::A, Side::B})
        items.push_back({sideText(side), {}, plot.toAlignedRect()});
    for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
        if (m_histograms.counts.a[i] + m_histograms.counts.b[i] == 0)
            continue;
        const QRectF bar(QPointF(plot.left() + placeOf(edges[i]) * plot.width(), plot.top()),
            QPointF(plot.left() + placeOf(edges[i + 1]) * plot.width(), plot.bottom()));
        items.push_back({tr("%1 to %2: A %3, B %4")
                             .arg(durationText(edges[i]), durationText(edges[i + 1]))
                             .arg(m_histograms.counts.a[i])
                             .arg(m_histograms.counts.b[i]),
            {}, bar.toAlignedRect()});
    }
    return items;
}

} // namespace warpline
