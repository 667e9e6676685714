#include "views/timeline/painters/painters.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace warpline {

namespace {

constexpr double fillStrength = 0.36;

enum class Corner : std::uint8_t { TopRight, BottomRight, TopLeft };

void paintText(const PaintContext& context, const QString& text, QRect area, Corner corner)
{
    QPainter& painter = context.painter;
    painter.setFont(context.names.font());
    QRectF box = painter.fontMetrics().boundingRect(text);
    const double left = corner == Corner::TopLeft ? area.left() + 4 : area.right() - box.width() - 9;
    const double top = corner == Corner::BottomRight ? area.bottom() - box.height() : area.top() + 1;
    box = QRectF(left, top, box.width() + 6, box.height() - 1);
    QColor veil = context.theme.background;
    veil.setAlpha(215); // the background must not interfere with the letters
    painter.fillRect(box, veil);
    painter.setPen(context.theme.dimText);
    painter.drawText(box, Qt::AlignCenter, text);
}

void paintWords(const PaintContext& context, const CounterSeries& series, QRect area,
    const CounterScale& scale, const CounterFigures* selected)
{
    const Trace& trace = *context.report.trace;
    const auto words = [](const char* text) { return QCoreApplication::translate("Timeline", text); };
    const auto valueText
        = [&](double value) { return QString::fromStdString(counterValueText(trace, series, value)); };
    // The maximum of another scale is less useful than the counter's own.
    const bool isOfReport = !CounterChoice::shared().isOfView() && !CounterChoice::shared().isShared();
    const double top = isOfReport ? static_cast<double>(series.highest) : scale.high;
    const QString most = (scale.base == CounterBase::Log ? words("max %1, logarithmic") : words("max %1"))
                             .arg(valueText(top));
    const QString ofSelection = selected
        ? words("selected: mean %1, min %2, max %3")
              .arg(valueText(selected->mean), valueText(static_cast<double>(selected->low)),
                  valueText(static_cast<double>(selected->high)))
        : QString();
    const QFontMetrics metrics(context.names.font());
    constexpr int around = 20; // both of them
    if (!selected
        || metrics.horizontalAdvance(most) + metrics.horizontalAdvance(ofSelection) + around <= area.width())
        paintText(context, most, area, Corner::TopRight);
    constexpr int minHeightForTwo = 28;
    if (scale.low != 0 && area.height() >= minHeightForTwo)
        paintText(context, words("from %1").arg(valueText(scale.low)), area, Corner::BottomRight);
    if (selected)
        paintText(context, ofSelection, area, Corner::TopLeft);
}

/// For each pixel column the lines, from the top, between which the counter's values lie.
struct Bands {
    std::vector<int> top;
    std::vector<int> bottom;
};

bool areAlike(const CounterColumn& a, const CounterColumn& b)
{
    return a.valid == b.valid && std::tie(a.low, a.high) == std::tie(b.low, b.high);
}

Bands bandsOf(const RowContent& content, const CounterScale& scale, int height)
{
    const auto lineOf = [&](float value) { // rounds like lround(), which is a call for each pixel
        return height - 1 - static_cast<int>(scale.shareOf(static_cast<double>(value)) * (height - 1) + 0.5);
    };
    const std::size_t width = content.columns.size();
    Bands bands{std::vector<int>(width, height), std::vector<int>(width, height)};
    for (std::size_t x = 0; x < width; ++x) {
        const CounterColumn& column = content.columns[x];
        if (!column.valid || (scale.low == 0 && column.high <= 0))
            continue;
        if (x > 0 && areAlike(column, content.columns[x - 1])) { // one column of several pixels, or a plateau
            bands.top[x] = bands.top[x - 1];
            bands.bottom[x] = bands.bottom[x - 1];
            continue;
        }
        bands.top[x] = lineOf(column.high);
        bands.bottom[x] = std::max(lineOf(column.low), bands.top[x] + 1);
    }
    return bands;
}

} // namespace

void paintCurve(const PaintContext& context, const CounterSeries& series, const RowContent& content,
    QColor color, QRect area, const CounterScale& scale, const CounterFigures* selected)
{
    const int height = std::max(2, static_cast<int>(std::lround(area.height() * context.ratio)));
    const Bands bands = bandsOf(content, scale, height);
    const std::span<const QRgb> ground = context.groundColors();
    const std::size_t width = bands.top.size();
    QImage image = newImage(static_cast<int>(width), height, QImage::Format_RGB32);
    const QRgb line = color.rgb();
    const QRgb fill = blend(context.theme.background.rgb(), line, fillStrength);
    for (int y = 0; y < height; ++y) {
        auto* const out = reinterpret_cast<QRgb*>(image.scanLine(y));
        for (std::size_t x = 0; x < width; ++x)
            out[x] = y < bands.top[x] ? ground[x] : y <= bands.bottom[x] ? line : fill;
    }
    context.painter.drawImage(area, image);
    paintWords(context, series, area, scale, selected);
}

} // namespace warpline
