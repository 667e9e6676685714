#pragma once

#include "views/loading/latest_job.h"

#include <QDateTime>
#include <QFileSystemWatcher>
#include <QMap>
#include <QObject>
#include <QStringList>
#include <QTimer>

namespace warpline {

/// Tells when files have another content than they had: once they stand still, so that a file being written
/// is not offered half. A file that another one is moved onto counts, and one whose folder is made anew; one
/// that goes away does not. One object watches all files of a window: the system gives few watchers to a
/// user.
class FileWatch : public QObject {
    Q_OBJECT
public:
    explicit FileWatch(QObject* parent = nullptr);

    /// What is at `path` now is known; another content from now on is not.
    void watch(const QString& path);
    /// Of the files that are watched, no others than these any more.
    void keep(const QStringList& paths);
    /// Looks by itself: file systems of the network say nothing of what another machine writes.
    void lookSoon();

signals:
    void changed(const QString& path);

private:
    struct State {
        qint64 bytes = -1; ///< -1: there is no file
        QDateTime time;

        bool operator==(const State&) const = default;
    };
    struct Look {
        State state;
        QString folder; ///< of the file, or the nearest above it that there is
    };
    struct Watched {
        State known; ///< what watch() saw, or was told of
        State seen; ///< what the last look saw
        QString folder;
    };

    static Look lookAt(const QString& path);
    void look();
    void take(const QMap<QString, Look>& looks);
    void follow(); ///< has the system watch the files and folders that there are

    QFileSystemWatcher m_watcher;
    QTimer m_patience; ///< runs while a file may still be changing
    LatestJob m_looking; ///< a folder of the network may keep who asks waiting
    QMap<QString, Watched> m_files; ///< by path
};

} // namespace warpline
