#include "views/timeline/painters/curve.h"

#include "core/query/counter_stats.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace warpline {

namespace {

constexpr double fillStrength = 0.36;

/// Top of the scale.
double topOf(const Trace& trace, const CounterSeries& series)
{
    return trace.text(series.unit) == "%" ? 100 : std::max<double>(1e-9, static_cast<double>(series.highest));
}

void paintScale(const PaintContext& context, const QString& text, QRect area)
{
    QPainter& painter = context.painter;
    painter.setFont(context.names.font());
    QRectF box = painter.fontMetrics().boundingRect(text);
    box = QRectF(area.right() - box.width() - 9, area.top() + 1, box.width() + 6, box.height() - 1);
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

void paintCurve(const PaintContext& context, const CounterSeries& series, const RowContent& content,
    QColor color, QRect area)
{
    const Trace& trace = *context.report.trace;
    const double top = topOf(trace, series);
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
        const double share = static_cast<double>(value) / top;
        return height - 1 - std::clamp(static_cast<int>(std::lround(share * (height - 1))), 0, height - 1);
    };
    for (int x = 0; x < width; ++x) {
        const CounterColumn& column = content.columns[static_cast<std::size_t>(x)];
        if (!column.valid || column.high <= 0)
            continue;
        const int high = yOf(column.high);
        const int low = std::max(yOf(column.low), high + 1);
        for (int y = high; y < height; ++y)
            bits[y * stride + x] = y <= low ? line : fill;
    }
    context.painter.drawImage(area, image);
    paintScale(context,
        QCoreApplication::translate("Timeline", "max %1")
            .arg(counterText(trace, series, static_cast<double>(series.highest))),
        area);
}

} // namespace warpline
