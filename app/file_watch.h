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

/// Signals when the content of files has changed and is stable, so that a partly written file is not offered.
/// Detects replaced files and recreated folders; removed files do not count. One object watches all files of
/// a window, because systems limit the number of watchers.
class FileWatch : public QObject {
    Q_OBJECT
public:
    explicit FileWatch(QObject* parent = nullptr);

    /// The current content of `paths` is known; a different one from now on is not.
    void watch(const QStringList& paths);
    /// Watches only these of the files from now on.
    void keep(const QStringList& paths);
    /// Polls, because network file systems do not signal changes by other machines.
    void lookSoon();

signals:
    void changed(const QString& path);

private:
    struct State {
        qint64 bytes = -1; ///< -1: there is no file; see also notAnswered
        QDateTime time;
        std::optional<std::uint64_t>
            sample; ///< of its content, see ReportKey; nothing: not read yet, or not readable

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
        State known; ///< at watch(), or last signalled
        State seen; ///< at the last check
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
