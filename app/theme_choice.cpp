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

namespace {

QString& themeOfThisRun()
{
    static QString name;
    return name;
}

} // namespace

void chooseThemeForThisRun(const QString& name)
{
    themeOfThisRun() = name;
}

QString chosenThemeName()
{
    const QString name
        = themeOfThisRun().isEmpty() ? QSettings().value("theme").toString() : themeOfThisRun();
    return name == "dark" || name == "light" ? name : QStringLiteral("system");
}

} // namespace warpline
