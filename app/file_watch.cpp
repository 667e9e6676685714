#include "app/file_watch.h"

#include "core/base/moment.h"
#include "core/cache/report_key.h"

#include <QFileInfo>

namespace warpline {

namespace {

constexpr int standStillMs = 800;

QString nearestFolder(const QString& path)
{
    QString folder = QFileInfo(path).absolutePath();
    for (QString above; !QFileInfo::exists(folder); folder = above) {
        above = QFileInfo(folder).path();
        if (above == folder)
            break;
    }
    return folder;
}

} // namespace

FileWatch::FileWatch(QObject* parent)
    : QObject(parent)
{
    m_patience.setSingleShot(true);
    m_patience.setInterval(standStillMs);
    connect(&m_patience, &QTimer::timeout, this, &FileWatch::look);
    // The folder too: the watcher does not follow a file that is replaced.
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, &FileWatch::lookSoon);
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, &FileWatch::lookSoon);
}

void FileWatch::watch(const QStringList& paths)
{
    const auto there = withinAMoment([paths] {
        QMap<QString, Look> looks;
        for (const QString& path : paths)
            looks.insert(path, {stateOf(path), nearestFolder(path)});
        return looks;
    }).value_or(QMap<QString, Look>());
    for (const QString& path : paths) {
        const Look look = there.value(path, {{notAnswered, {}, {}}, {}});
        m_files[path] = {look.state, look.state, look.folder};
    }
    follow();
    lookSoon(); // the content is read on another thread
}

void FileWatch::keep(const QStringList& paths)
{
    if (m_files.removeIf([&](const auto& file) { return !paths.contains(file.key()); }) == 0)
        return;
    follow();
    m_looking.abandon(); // the disk of a removed file may hang
    lookSoon();
}

void FileWatch::lookSoon()
{
    if (!m_patience.isActive() && !m_files.isEmpty()) // do not restart it: a busy folder would never be
                                                      // checked
        m_patience.start();
}

FileWatch::State FileWatch::stateOf(const QString& path)
{
    const QFileInfo file(path);
    return file.exists() ? State{file.size(), file.lastModified(), {}} : State{};
}

FileWatch::State FileWatch::sampled(const QString& path, const State& known)
{
    State now = stateOf(path);
    if (now.isSameTime(known) && known.sample) {
        now.sample = known.sample;
    } else if (const auto key = now.bytes < 0 ? std::nullopt : keyOf(path.toStdString())) {
        now.sample = key->sample;
    }
    return now;
}

void FileWatch::look()
{
    if (m_looking.isBusy()) { // a check takes time, and restarting it would drop its results
        m_patience.start();
        return;
    }
    m_looking.start(
        [files = m_files](const std::stop_token& stop) {
            QMap<QString, Look> looks;
            for (auto it = files.begin(); it != files.end() && !stop.stop_requested(); ++it)
                looks.insert(it.key(), {sampled(it.key(), it->known), nearestFolder(it.key())});
            return looks;
        },
        [this](const QMap<QString, Look>& looks) { take(looks); });
}

void FileWatch::take(const QMap<QString, Look>& looks)
{
    QStringList others;
    for (auto it = m_files.begin(); it != m_files.end(); ++it) {
        const auto look = looks.find(it.key());
        if (look == looks.end())
            continue;
        it->folder = look->folder;
        const State now = look->state;
        if (it->known.bytes == notAnswered)
            it->known = it->seen = now;
        if (now.bytes < 0)
            continue;
        if (now.isSame(it->known)) {
            it->known = it->seen = now;
        } else if (now.isSame(it->seen)) {
            it->known = now;
            others << it.key();
        } else { // it still changes
            it->seen = now;
            lookSoon();
        }
    }
    follow();
    for (const QString& path : others)
        emit changed(path);
}

void FileWatch::follow()
{
    QStringList wanted;
    for (auto it = m_files.cbegin(); it != m_files.cend(); ++it) {
        if (it->known.bytes != notAnswered)
            wanted << it.key() << it->folder;
    }
    wanted.removeDuplicates();
    QStringList held = m_watcher.files() + m_watcher.directories();
    QStringList missing = wanted;
    erase_if(missing, [&](const QString& path) { return held.contains(path); });
    erase_if(held, [&](const QString& path) { return wanted.contains(path); });
    if (!held.isEmpty())
        m_watcher.removePaths(held);
    if (!missing.isEmpty())
        m_watcher.addPaths(missing);
}

} // namespace warpline
