#include "app/text_size.h"

#include <QApplication>
#include <QFont>
#include <QSettings>

#include <algorithm>

namespace warpline {

int chosenTextSize()
{
    const int points = QSettings().value("text/points", 0).toInt();
    return points == 0 ? 0 : std::clamp(points, minTextSize, maxTextSize);
}

void applyTextSize()
{
    static const QFont ofDesktop = QApplication::font(); // as the first call finds it
    QFont font = ofDesktop;
    if (const int points = chosenTextSize(); points != 0)
        font.setPointSize(points);
    font.setFamilies(QApplication::font().families()); // the fonts of the language
    if (font != QApplication::font())
        QApplication::setFont(font);
}

} // namespace warpline
