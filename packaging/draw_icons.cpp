// Draws an SVG as square PNGs: warpline_draw_icons DRAWING.svg FOLDER SIDE... makes FOLDER/SIDE.png of each.

#include <QImage>
#include <QPainter>
#include <QSvgRenderer>

#include <cstdio>

namespace {

bool draw(QSvgRenderer& drawing, int side, const QString& path)
{
    QImage image(side, side, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    drawing.render(&painter);
    painter.end();
    return image.convertToFormat(QImage::Format_ARGB32).save(path);
}

} // namespace

int main(int argc, char** argv)
{
    if (argc < 4) {
        std::fprintf(stderr, "usage: %s DRAWING.svg FOLDER SIDE...\n", argv[0]);
        return 2;
    }
    QSvgRenderer drawing(QString::fromLocal8Bit(argv[1]));
    for (int i = 3; i < argc; ++i) {
        const QString path = QStringLiteral("%1/%2.png").arg(argv[2], argv[i]);
        const int side = QByteArray(argv[i]).toInt();
        if (side <= 0 || !drawing.isValid() || !draw(drawing, side, path)) {
            std::fprintf(stderr, "%s cannot be made of %s\n", qPrintable(path), argv[1]);
            return 1;
        }
    }
    return 0;
}
