#include "views/style/severity_icon.h"

#include <QPainter>
#include <QPixmap>
#include <QPixmapCache>
#include <QPolygonF>
#include <QString>

#include <array>

namespace warpline {

QColor severityColor(Severity severity, const Theme& theme)
{
    switch (severity) {
    case Severity::High:
        return theme.bad;
    case Severity::Medium:
        return theme.color(EventTint::Synchronization);
    case Severity::Low:
        return theme.color(EventTint::ApiMemory);
    case Severity::Info:
        break;
    }
    return theme.dimText;
}

namespace {

/// `edge` around it, where valid.
QPixmap severityMark(Severity severity, QColor color, QColor edge = {})
{
    constexpr int side = 16;
    constexpr int scale = 3; // sharp on dense screens too
    const QString key = QString("severity %1 %2 %3")
                            .arg(static_cast<int>(severity))
                            .arg(color.rgba())
                            .arg(edge.isValid() ? edge.name() : QString());
    QPixmap pixmap;
    if (QPixmapCache::find(key, &pixmap))
        return pixmap; // a list has thousands
    pixmap = QPixmap(side * scale, side * scale);
    pixmap.setDevicePixelRatio(scale);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(edge.isValid() ? QPen(edge, 1.5) : QPen(Qt::NoPen));
    painter.setBrush(color);
    switch (severity) {
    case Severity::High:
        painter.drawRect(QRectF(3.5, 3.5, 9, 9));
        break;
    case Severity::Medium:
        painter.drawPolygon(QPolygonF({{8, 2.5}, {13.5, 12.5}, {2.5, 12.5}}));
        break;
    case Severity::Low:
        painter.drawEllipse(QRectF(4, 4, 8, 8));
        break;
    case Severity::Info:
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(edge.isValid() ? edge : color, 1.5));
        painter.drawEllipse(QRectF(4.5, 4.5, 7, 7));
        break;
    }
    painter.end();
    QPixmapCache::insert(key, pixmap);
    return pixmap;
}

} // namespace

QIcon severityIcon(Severity severity, const Theme& theme)
{
    const QColor color = severityColor(severity, theme);
    QIcon icon(severityMark(severity, color));
    // On the selected line, a mark without an edge could be blue on blue.
    icon.addPixmap(
        severityMark(severity, color, theme.palette().color(QPalette::HighlightedText)), QIcon::Selected);
    return icon;
}

QString severityHtml(Severity severity, const Theme& theme)
{
    constexpr std::array<char16_t, 4> shapes{0x25cb, 0x25cf, 0x25b2, 0x25a0}; // from info to high
    return QString("<span style='color:%1'>%2</span>")
        .arg(severityColor(severity, theme).name())
        .arg(QChar(shapes[static_cast<std::size_t>(severity)]));
}

} // namespace warpline
