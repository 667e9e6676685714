#include "views/timeline/painters/curve.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

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
    veil.setAlpha(215); // what lies behind must not be read as part of the letters
    painter.fillRect(box, veil);
    painter.setPen(context.theme.dimText);
    painter.drawText(box, Qt::AlignCenter, text);
}

} // namespace

QString counterText(const Trace& trace, const CounterSeries& series, double value)
{
    return QString::fromStdString(counterValueText(trace, series, value));
}

namespace {

void paintWords(const PaintContext& context, const CounterSeries& series, QRect area,
    const CounterScale& scale, const CounterFigures* selected)
{
    const Trace& trace = *context.report.trace;
    const auto words = [](const char* text) { return QCoreApplication::translate("Timeline", text); };
    const auto valueText = [&](double value) { return counterText(trace, series, value); };
    // The top of a scale that ends elsewhere says less than how high the counter gets.
    const bool isOfReport = !CounterChoice::shared().isOfView() && !CounterChoice::shared().isShared();
    const double top = isOfReport ? static_cast<double>(series.highest) : scale.high;
    paintText(context,
        (scale.base == CounterBase::Log ? words("max %1, logarithmic") : words("max %1")).arg(valueText(top)),
        area, Corner::TopRight);
    constexpr int leastForTwo = 28;
    if (scale.low != 0 && area.height() >= leastForTwo)
        paintText(context, words("from %1").arg(valueText(scale.low)), area, Corner::BottomRight);
    if (selected)
        paintText(context,
            words("selected: mean %1, min %2, max %3")
                .arg(valueText(selected->mean), valueText(static_cast<double>(selected->low)),
                    valueText(static_cast<double>(selected->high))),
            area, Corner::TopLeft);
}

} // namespace

void paintCurve(const PaintContext& context, const CounterSeries& series, const RowContent& content,
    QColor color, QRect area, const CounterScale& scale, const CounterFigures* selected)
{
    const int width = static_cast<int>(content.columns.size());
    const int height = std::max(2, static_cast<int>(std::lround(area.height() * context.ratio)));
    QImage image(width, height, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    auto* const bits = reinterpret_cast<QRgb*>(image.bits());
    const auto stride
        = static_cast<std::ptrdiff_t>(image.bytesPerLine()) / static_cast<std::ptrdiff_t>(sizeof(QRgb));
    const QRgb line = color.rgb();
    const QRgb fill = blend(context.theme.background.rgb(), line, fillStrength);
    const auto yOf = [&](float value) {
        return height - 1
            - static_cast<int>(std::lround(scale.shareOf(static_cast<double>(value)) * (height - 1)));
    };
    for (int x = 0; x < width; ++x) {
        const CounterColumn& column = content.columns[static_cast<std::size_t>(x)];
        if (!column.valid || (scale.low == 0 && column.high <= 0))
            continue;
        const int high = yOf(column.high);
        const int low = std::max(yOf(column.low), high + 1);
        for (int y = high; y < height; ++y)
            bits[y * stride + x] = y <= low ? line : fill;
    }
    context.painter.drawImage(area, image);
    paintWords(context, series, area, scale, selected);
}

} // namespace warpline
