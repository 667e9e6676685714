#include "app/theme_choice.h"

#include "views/style/oklab.h"

#include <QFile>
#include <QGuiApplication>
#include <QSettings>
#include <QStandardPaths>

#include <algorithm>

namespace warpline {

const Theme& themeNamed(const QString& name)
{
    static const bool systemIsDark = QGuiApplication::palette().color(QPalette::Window).lightness() < 128;
    static const bool systemHasContrast = desktopWantsContrast(
        QGuiApplication::palette(), QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation));
    const bool isChosen = themeNames().contains(name);
    return Theme::of(isChosen ? name.endsWith("dark") : systemIsDark, choosesColorBlindSafe(),
        isChosen ? name.startsWith("contrast") : systemHasContrast);
}

bool desktopWantsContrast(const QPalette& palette, const QString& configFolder)
{
    constexpr double nearlyAll = 20; // of 21; the usual light palette of Qt has 18
    if (contrastOf(palette.color(QPalette::WindowText), palette.color(QPalette::Window)) >= nearlyAll
        && contrastOf(palette.color(QPalette::Text), palette.color(QPalette::Base)) >= nearlyAll)
        return true;
    QStringList names{qEnvironmentVariable("GTK_THEME")};
    const auto add = [&](const char* file, const char* key) {
        if (const QString path = configFolder + file; QFile::exists(path))
            names << QSettings(path, QSettings::IniFormat).value(key).toString();
    };
    add("/gtk-3.0/settings.ini", "Settings/gtk-theme-name");
    add("/gtk-4.0/settings.ini", "Settings/gtk-theme-name");
    add("/kdeglobals", "General/ColorScheme");
    return std::ranges::any_of(
        names, [](QString name) { return name.remove(' ').contains("HighContrast", Qt::CaseInsensitive); });
}

const QStringList& themeNames()
{
    static const QStringList names{"light", "dark", "contrast-light", "contrast-dark"};
    return names;
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

void storeTheme(const QString& name)
{
    QSettings().setValue("theme", name);
    themeOfThisRun().clear();
}

void chooseThemeForThisRun(const QString& name)
{
    themeOfThisRun() = name;
}

QString chosenThemeName()
{
    const QString name
        = themeOfThisRun().isEmpty() ? QSettings().value("theme").toString() : themeOfThisRun();
    return themeNames().contains(name) ? name : QStringLiteral("system");
}

} // namespace warpline
