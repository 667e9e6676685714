#include "app/motion_choice.h"

#include <QApplication>
#include <QFile>
#include <QProcess>
#include <QSettings>
#include <QStyle>

namespace warpline {

namespace {

/// A setting in a file of the desktop; `otherwise` when it is missing.
QString settingOf(const QString& path, const QString& key, const QString& otherwise)
{
    if (!QFile::exists(path))
        return otherwise;
    return QSettings(path, QSettings::IniFormat).value(key, otherwise).toString().trimmed().toLower();
}

bool settingsWantMotion(const QString& folder)
{
    if (settingOf(folder + "/kdeglobals", "KDE/AnimationDurationFactor", "1").toDouble() <= 0)
        return false;
    for (const char* const version : {"/gtk-3.0", "/gtk-4.0"}) {
        const QString says
            = settingOf(folder + version + "/settings.ini", "Settings/gtk-enable-animations", "true");
        if (says == "false" || says == "0")
            return false;
    }
    return true;
}

} // namespace

bool motionIsChosen()
{
    return QSettings().value("timeline/motion", true).toBool();
}

void askDesktopForMotion(
    QObject& context, const QString& configFolder, const std::function<void(bool)>& answer)
{
    const bool wanted = QApplication::style()->styleHint(QStyle::SH_Widget_Animation_Duration) > 0
        && settingsWantMotion(configFolder);
    answer(wanted);
    if (!wanted || !qEnvironmentVariable("XDG_CURRENT_DESKTOP").contains("GNOME"))
        return;
    auto* const process = new QProcess(&context); // deleted with it
    QObject::connect(process, &QProcess::finished, &context, [process, answer] {
        if (process->readAllStandardOutput().trimmed() == "false")
            answer(false);
        process->deleteLater();
    });
    process->start("gsettings", {"get", "org.gnome.desktop.interface", "enable-animations"});
}

} // namespace warpline
