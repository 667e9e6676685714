#include "app/running_windows.h"

#include <QCoreApplication>
#include <QDir>
#include <QLocalServer>
#include <QLocalSocket>
#include <QSettings>
#include <QStandardPaths>
#include <QUrl>

#include <algorithm>

namespace warpline {

namespace {

constexpr int patienceMs = 2000; ///< with another process of this machine
const QByteArray accepted = "ok";
const QByteArray isThere = "there"; ///< asks no more than whether a window runs

/// Where the socket called `name` lies: a folder that is this user's alone, where the system has one.
QString placeOf(const QString& name)
{
    const QString folder = QStandardPaths::writableLocation(QStandardPaths::RuntimeLocation);
#ifdef Q_OS_WIN
    return name; // pipes have names of their own
#else
    return folder.isEmpty() ? name : QDir(folder).filePath(name);
#endif
}

/// One line: paths may hold any character.
QByteArray encoded(const QStringList& paths)
{
    QByteArrayList words{"open"};
    for (const QString& path : paths)
        words << QUrl::toPercentEncoding(path);
    return words.join(' ');
}

QStringList decoded(const QByteArray& line)
{
    QStringList paths;
    const QByteArrayList words = line.trimmed().split(' ');
    for (qsizetype i = 1; i < words.size(); ++i)
        paths << QUrl::fromPercentEncoding(words[i]);
    return paths;
}

/// Says `line` to the window called `name`; whether it runs, and answers.
bool ask(const QString& name, const QByteArray& line)
{
    QLocalSocket socket;
    socket.connectToServer(placeOf(name));
    if (!socket.waitForConnected(patienceMs))
        return false;
    socket.write(line + '\n');
    socket.waitForBytesWritten(patienceMs);
    while (!socket.canReadLine() && socket.waitForReadyRead(patienceMs)) { }
    return socket.readLine().trimmed() == accepted;
}

QStringList notedWindows()
{
    QSettings settings;
    settings.beginGroup("windows");
    return settings.childGroups();
}

} // namespace

RunningWindows::RunningWindows(const QString& name, QObject* parent)
    : QObject(parent),
      m_server(new QLocalServer(this)),
      m_name(name.isEmpty() ? QString("warpline-%1").arg(QCoreApplication::applicationPid()) : name)
{
    m_server->setSocketOptions(QLocalServer::UserAccessOption);
    connect(m_server, &QLocalServer::newConnection, this, &RunningWindows::answer);
}

RunningWindows::~RunningWindows() = default;

bool RunningWindows::listen()
{
    QLocalServer::removeServer(placeOf(m_name)); // of a process of this number that crashed
    return m_server->listen(placeOf(m_name));
}

void RunningWindows::answer()
{
    while (QLocalSocket* const socket = m_server->nextPendingConnection()) {
        connect(socket, &QLocalSocket::disconnected, socket, &QObject::deleteLater);
        connect(socket, &QLocalSocket::readyRead, this, [this, socket] {
            if (!socket->canReadLine())
                return;
            const QByteArray line = socket->readLine();
            socket->write(accepted + '\n');
            socket->flush();
            if (line.startsWith("open"))
                emit openWanted(decoded(line));
        });
    }
}

void RunningWindows::note(const std::optional<LastView>& view)
{
    QSettings settings;
    if (!view) {
        settings.remove("windows/" + m_name);
        return;
    }
    settings.beginGroup("windows/" + m_name);
    settings.setValue("paths", view->paths);
    settings.setValue("from", static_cast<qlonglong>(view->shown.start));
    settings.setValue("to", static_cast<qlonglong>(view->shown.end));
}

void RunningWindows::leave()
{
    for (const QString& name : notedWindows()) {
        if (name != m_name && ask(name, isThere)) {
            note(std::nullopt);
            break;
        }
    }
    m_server->close();
}

bool RunningWindows::handOver(const QStringList& paths)
{
    const QStringList names = notedWindows();
    const QByteArray line = encoded(paths);
    return std::ranges::any_of(names, [&](const QString& name) { return ask(name, line); });
}

QList<LastView> RunningWindows::takeLeft()
{
    QList<LastView> left;
    QSettings settings;
    for (const QString& name : notedWindows()) {
        if (ask(name, isThere))
            continue;
        settings.beginGroup("windows/" + name);
        left.push_back({settings.value("paths").toStringList(),
            {settings.value("from").toLongLong(), settings.value("to").toLongLong()}});
        settings.endGroup();
        settings.remove("windows/" + name);
    }
    return left;
}

} // namespace warpline
