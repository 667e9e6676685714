#include "app/icons.h"

#include <QFile>
#include <QPainter>
#include <QPixmap>
#include <QSvgRenderer>

static void initResources()
{
    Q_INIT_RESOURCE(warpline); // of a static library; must be called outside of any namespace
}

namespace warpline {

namespace {

QPixmap drawn(const QByteArray& svg, QColor color)
{
    constexpr int side = 24;
    constexpr int scale = 3; // sharp on dense screens too
    QByteArray colored = svg;
    colored.replace("#000000", color.name().toLatin1());
    QSvgRenderer renderer(colored);
    QPixmap pixmap(side * scale, side * scale);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    renderer.render(&painter);
    pixmap.setDevicePixelRatio(scale);
    return pixmap;
}

} // namespace

QIcon themedIcon(const QString& name, const Theme& theme)
{
    initResources();
    QFile file(":/icons/" + name + ".svg");
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const QByteArray svg = file.readAll();
    QIcon icon(drawn(svg, theme.text));
    icon.addPixmap(drawn(svg, theme.palette().color(QPalette::Disabled, QPalette::Text)), QIcon::Disabled);
    return icon;
}

QIcon programIcon()
{
    initResources();
    QIcon icon;
    QSvgRenderer renderer(QStringLiteral(":/icons/warpline.svg"));
    for (const int side : {16, 32, 64, 128}) {
        QPixmap pixmap(side, side);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        renderer.render(&painter);
        painter.end();
        icon.addPixmap(pixmap);
    }
    return icon;
}

} // namespace warpline
