#pragma once

#include <QCoreApplication>
#include <QList>
#include <QString>
#include <QStringList>

namespace warpline {

/// A recently opened entry: a report, several together, or two compared runs.
struct RecentFiles {
    Q_DECLARE_TR_FUNCTIONS(RecentFiles)

public:
    QStringList paths; ///< as ReportList::openedNames() has them
    QStringList compared; ///< the run that they were compared with; empty: none
    bool operator==(const RecentFiles&) const = default;

    bool isPair() const { return !compared.isEmpty(); }
    /// "report.sqlite", "rank0.sqlite to rank7.sqlite (8 reports)", "before.sqlite <-> after.sqlite".
    QString name() const;
    /// The folder of the first, with the other one's where that is another.
    QString folder() const;
    /// All paths, a line each.
    QString details() const;
    bool isThere() const; ///< looks at the first file of each run
};

/// From the settings, the last one first.
QList<RecentFiles> recentFiles();
/// Puts `files` first. A pair replaces the same two the other way round.
void rememberRecent(const RecentFiles& files);
void forgetRecent();

} // namespace warpline
