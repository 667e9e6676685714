#include "app/text_size.h"

#include <QApplication>
#include <QFont>
#include <QSettings>

#include <algorithm>

namespace warpline {

namespace {

QFont fontOfChosenSize()
{
    static const QFont ofDesktop = QApplication::font(); // as the first call finds it
    QFont font = ofDesktop;
    if (const int points = chosenTextSize(); points != 0)
        font.setPointSize(points);
    font.setFamilies(QApplication::font().families()); // the fonts of the language
    return font;
}

} // namespace

int chosenTextSize()
{
    const int points = QSettings().value("text/points", 0).toInt();
    return points == 0 ? 0 : std::clamp(points, minTextSize, maxTextSize);
}

void applyTextSize()
{
    const QFont font = fontOfChosenSize();
    if (font != QApplication::font())
        QApplication::setFont(font);
}

bool hasChosenTextSize()
{
    const QFont now = QApplication::font();
    const QFont chosen = fontOfChosenSize();
    return now.pointSizeF() == chosen.pointSizeF() && now.pixelSize() == chosen.pixelSize();
}

} // namespace warpline
