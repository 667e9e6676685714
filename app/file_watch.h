#pragma once

#include "views/loading/latest_job.h"

#include <QDateTime>
#include <QFileSystemWatcher>
#include <QMap>
#include <QObject>
#include <QStringList>
#include <QTimer>

#include <cstdint>
#include <optional>

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
        qint64 bytes = -1; ///< -1: there is no file; see also notAnswered
        QDateTime time;
        std::optional<std::uint64_t>
            sample; ///< of its content, see ReportKey; nothing: not looked at, or not to be read

        bool isSameTime(const State& other) const { return bytes == other.bytes && time == other.time; }
        /// A file that was copied or touched has another time and the same content.
        bool isSame(const State& other) const
        {
            return isSameTime(other) || (bytes == other.bytes && sample && sample == other.sample);
        }
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

    static constexpr qint64 notAnswered = -2; ///< what the disk has when it answers is known
    static State stateOf(const QString& path);
    static State sampled(const QString& path, const State& known); ///< the same with a sample of the content
    void look();
    void take(const QMap<QString, Look>& looks);
    void follow(); ///< has the system watch the files and folders that there are

    QFileSystemWatcher m_watcher;
    QTimer m_patience; ///< runs while a file may still be changing
    LatestJob m_looking{JobPool::files()}; ///< a folder of the network may keep who asks waiting
    QMap<QString, Watched> m_files; ///< by path
};

} // namespace warpline
