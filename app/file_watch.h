#pragma once

#include <QDateTime>
#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>

namespace warpline {

/// Tells when a file has another content than it had: once it stands still, so that a file being written is
/// not offered half. A file that another one is moved onto counts, one that goes away does not.
class FileWatch : public QObject {
    Q_OBJECT
public:
    explicit FileWatch(QObject* parent = nullptr);

    /// From now on `path`, as it is; an empty path watches nothing.
    void watch(const QString& path);

signals:
    void changed();

private:
    struct State {
        qint64 bytes = -1; ///< -1: there is no file
        QDateTime time;

        bool operator==(const State&) const = default;
    };

    State state() const;
    void look();

    QFileSystemWatcher m_watcher;
    QTimer m_patience; ///< runs while the file may still be changing
    QString m_path;
    State m_known; ///< what watch() saw, or was told of
    State m_seen; ///< what the last look saw
};

} // namespace warpline
