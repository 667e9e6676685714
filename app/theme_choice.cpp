#include "app/theme_choice.h"

#include <QGuiApplication>
#include <QPalette>
#include <QSettings>

namespace warpline {

const Theme& themeNamed(const QString& name)
{
    static const bool systemIsDark = QGuiApplication::palette().color(QPalette::Window).lightness() < 128;
    return Theme::of(name == "dark" || (name != "light" && systemIsDark), choosesColorBlindSafe());
}

bool choosesColorBlindSafe()
{
    return QSettings().value("colors/safe").toBool();
}

QString chosenThemeName()
{
    const QString name = QSettings().value("theme").toString();
    return name == "dark" || name == "light" ? name : QStringLiteral("system");
}

} // namespace warpline
