#include "app/file_watch.h"

#include <QFileInfo>

namespace warpline {

namespace {

constexpr int standStillMs = 800;

} // namespace

FileWatch::FileWatch(QObject* parent)
    : QObject(parent)
{
    m_patience.setSingleShot(true);
    m_patience.setInterval(standStillMs);
    connect(&m_patience, &QTimer::timeout, this, &FileWatch::look);
    const auto begin = [this] { m_patience.start(); };
    // The folder too: a file that is replaced is another one to the watcher.
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, begin);
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, begin);
}

void FileWatch::watch(const QString& path)
{
    if (const QStringList old = m_watcher.files() + m_watcher.directories(); !old.isEmpty())
        m_watcher.removePaths(old);
    m_patience.stop();
    m_path = path;
    if (path.isEmpty())
        return;
    m_watcher.addPaths({path, QFileInfo(path).path()});
    m_known = m_seen = state();
}

FileWatch::State FileWatch::state() const
{
    const QFileInfo file(m_path);
    return file.exists() ? State{file.size(), file.lastModified()} : State{};
}

void FileWatch::look()
{
    const State now = state();
    if (!m_watcher.files().contains(m_path))
        m_watcher.addPath(m_path); // another file of that name
    if (now == m_known || now.bytes < 0)
        return;
    if (now != m_seen) { // it still changes
        m_seen = now;
        m_patience.start();
        return;
    }
    m_known = now;
    emit changed();
}

} // namespace warpline
