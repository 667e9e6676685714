#include "app/icons.h"

#include <QPainter>
#include <QPixmap>

static void initResources()
{
    Q_INIT_RESOURCE(warpline);
    Q_INIT_RESOURCE(pages); // resources of a static library; must be called outside of namespaces
}

namespace warpline {

namespace {

/// `mask`, three times as large as it is shown to be sharp on dense screens, in `color`.
QPixmap tinted(const QImage& mask, QColor color)
{
    constexpr int scale = 3;
    QPixmap pixmap = QPixmap::fromImage(mask);
    QPainter painter(&pixmap);
    painter.setCompositionMode(QPainter::CompositionMode_SourceIn);
    painter.fillRect(pixmap.rect(), color);
    painter.end();
    pixmap.setDevicePixelRatio(scale);
    return pixmap;
}

} // namespace

QIcon themedIcon(const QString& name, const Theme& theme)
{
    initResources();
    const QImage mask(":/icons/" + name + ".png");
    if (mask.isNull())
        return {};
    QIcon icon(tinted(mask, theme.text));
    icon.addPixmap(tinted(mask, theme.palette().color(QPalette::Disabled, QPalette::Text)), QIcon::Disabled);
    return icon;
}

QIcon programIcon()
{
    initResources();
    QIcon icon;
    for (const int side : {16, 32, 64, 128})
        icon.addFile(QString(":/icons/warpline-%1.png").arg(side));
    return icon;
}

} // namespace warpline
