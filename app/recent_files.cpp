#include "app/recent_files.h"

#include <QFileInfo>
#include <QSettings>

#include <algorithm>

namespace warpline {

namespace {

const QString settingsKey = QStringLiteral("recent");
const QString against = QStringLiteral("\u2194"); ///< a line of its own: no path is relative

QString recentNameOf(const QStringList& paths)
{
    const QString first = QFileInfo(paths.value(0)).fileName();
    if (paths.size() < 2)
        return first;
    // Sets in one folder often begin with the same file: the last one distinguishes them.
    const QString last = QFileInfo(paths.back()).fileName();
    return last == first ? RecentFiles::tr("%1 of %2 folders").arg(first).arg(paths.size())
                         : RecentFiles::tr("%1 to %2 (%3 reports)").arg(first, last).arg(paths.size());
}

QString recentFolderOf(const QStringList& paths)
{
    return QFileInfo(paths.value(0)).path();
}

RecentFiles recentFromText(const QString& text)
{
    RecentFiles files;
    const QStringList lines = text.split('\n');
    const qsizetype place = lines.indexOf(against);
    files.paths = lines.mid(0, place);
    if (place >= 0)
        files.compared = lines.mid(place + 1);
    return files;
}

QString recentText(const RecentFiles& files)
{
    return (files.isPair() ? files.paths + QStringList{against} + files.compared : files.paths).join('\n');
}

} // namespace

QString RecentFiles::name() const
{
    return isPair() ? QString("%1 %2 %3").arg(recentNameOf(paths), against, recentNameOf(compared))
                    : recentNameOf(paths);
}

QString RecentFiles::folder() const
{
    const QString own = recentFolderOf(paths);
    const QString other = isPair() ? recentFolderOf(compared) : own;
    return own == other ? own : QString("%1 %2 %3").arg(own, against, other);
}

QString RecentFiles::details() const
{
    return recentText(*this);
}

bool RecentFiles::isThere() const
{
    return QFileInfo::exists(paths.value(0)) && (!isPair() || QFileInfo::exists(compared.front()));
}

QList<RecentFiles> recentFiles()
{
    QList<RecentFiles> all;
    for (const QString& text : QSettings().value(settingsKey).toStringList())
        all << recentFromText(text);
    return all;
}

void rememberRecent(const RecentFiles& files)
{
    constexpr int most = 10;
    const QStringList all = files.paths + files.compared;
    if (std::ranges::any_of(all, [](const QString& path) { return path.contains('\n'); }))
        return; // a list of lines cannot hold it
    QStringList recent = QSettings().value(settingsKey).toStringList();
    recent.removeAll(recentText(files));
    if (files.isPair())
        recent.removeAll(recentText({files.compared, files.paths}));
    recent.prepend(recentText(files));
    QSettings().setValue(settingsKey, recent.mid(0, most));
}

void forgetRecent()
{
    QSettings().remove(settingsKey);
}

} // namespace warpline
