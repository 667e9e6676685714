#include "views/session/report_color.h"

#include "views/style/theme.h"

#include <QPixmap>

namespace warpline {

QColor reportColor(const OpenReport& report)
{
    if (report.color)
        return QColor::fromRgb(*report.color);
    return Theme::light().chartColor(raw(report.id));
}

QIcon colorIcon(const QColor& color)
{
    constexpr int size = 12;
    QPixmap square(size, size);
    square.fill(color);
    return square;
}

} // namespace warpline
