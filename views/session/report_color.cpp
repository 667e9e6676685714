#include "views/session/report_color.h"

#include "views/style/theme.h"

#include <QPainter>
#include <QPixmap>

namespace warpline {

QColor reportColor(const OpenReport& report)
{
    if (report.color)
        return QColor::fromRgb(*report.color);
    return Theme::light().chartColor(report.colorIndex.value_or(raw(report.id)));
}

QIcon colorIcon(const QColor& color)
{
    constexpr int size = 12;
    QPixmap square(size, size);
    square.fill(Qt::white); // an edge that sets it off from a selected line of the same colour
    QPainter(&square).fillRect(square.rect().adjusted(1, 1, -1, -1), color);
    QIcon icon(square);
    icon.addPixmap(square, QIcon::Selected); // as it is, not tinted
    return icon;
}

} // namespace warpline
