#include "app/running_windows.h"
#include "core/base/moment.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDateTime>
#include <QDeadlineTimer>
#include <QDir>
#include <QFileInfo>
#include <QLocalServer>
#include <QLocalSocket>
#include <QSettings>
#include <QStandardPaths>
#include <QSysInfo>
#include <QUrl>

#include <algorithm>

namespace warpline {

namespace {

constexpr int patienceMs = 2000; ///< with another process of this machine
const QByteArray accepted = "ok";
const QByteArray activationKey = "activation=";

/// The prefix of the names of this machine's windows: machines may share a home folder with the settings, but
/// cannot reach each other's windows.
QString namesBegin()
{
    QByteArray machine = QSysInfo::machineUniqueId();
    if (machine.isEmpty())
        machine = QSysInfo::machineHostName().toUtf8();
    constexpr qsizetype enough = 12; // names of sockets are short
    const QByteArray hash = QCryptographicHash::hash(machine, QCryptographicHash::Sha256).toHex();
    return QString("warpline-%1-").arg(QString::fromLatin1(hash.left(enough)));
}

const QString leftBegin = "left-"; ///< of notes that wait for a window, after namesBegin()

/// A name for this process. Process ids alone are reused, and sandboxes have their own.
QString ownName()
{
    return QString("%1-%2")
        .arg(QCoreApplication::applicationPid())
        .arg(QDateTime::currentMSecsSinceEpoch(), 0, 36);
}

/// The path of the socket `name`: in a folder of this user only, where the system has one.
QString placeOf(const QString& name)
{
    const QString folder = QStandardPaths::writableLocation(QStandardPaths::RuntimeLocation);
#ifdef Q_OS_WIN
    return name; // pipes have names of their own
#else
    return folder.isEmpty() ? name : QDir(folder).filePath(name);
#endif
}

/// A message between starts: one line of words, the first is the command. Paths may contain any character, so
/// they are encoded; a word with = is not a path.
struct Line {
    QStringList paths;
    QByteArray activation;

    static Line from(const QByteArray& bytes);
    QByteArray bytes() const;
};

QByteArray Line::bytes() const
{
    QByteArrayList words{"open"};
    if (!activation.isEmpty())
        words << activationKey + activation.toPercentEncoding();
    for (const QString& path : paths)
        words << QUrl::toPercentEncoding(path);
    return words.join(' ');
}

Line Line::from(const QByteArray& bytes)
{
    Line line;
    const QByteArrayList words = bytes.trimmed().split(' ');
    for (qsizetype i = 1; i < words.size(); ++i) {
        if (words[i].startsWith(activationKey))
            line.activation = QByteArray::fromPercentEncoding(words[i].mid(activationKey.size()));
        else if (!words[i].contains('=')) // a later version's, which this one does without
            line.paths << QUrl::fromPercentEncoding(words[i]);
    }
    return line;
}

/// Whether the window `name` runs. A busy one need not answer: a listening socket is enough.
bool isThere(const QString& name)
{
    QLocalSocket socket;
    socket.connectToServer(placeOf(name));
    return socket.waitForConnected(patienceMs);
}

/// Sends `line` to the window `name`; returns whether it runs and accepts.
bool tell(const QString& name, const QByteArray& line)
{
    QLocalSocket socket;
    socket.connectToServer(placeOf(name));
    if (!socket.waitForConnected(patienceMs))
        return false;
    socket.write(line + '\n');
    socket.waitForBytesWritten(patienceMs);
    const QDeadlineTimer deadline(patienceMs); // for the whole answer
    while (!socket.canReadLine() && socket.waitForReadyRead(static_cast<int>(deadline.remainingTime()))) { }
    return socket.readLine().trimmed() == accepted;
}

/// The noted windows of this machine.
QStringList notedWindows()
{
    QSettings settings;
    settings.beginGroup("windows");
    QStringList names = settings.childGroups();
    erase_if(names, [begin = namesBegin()](const QString& name) { return !name.startsWith(begin); });
    return names;
}

LastView noted(const QString& name)
{
    QSettings settings;
    settings.beginGroup("windows/" + name);
    const auto range = [&settings](const QString& from, const QString& to) {
        return TimeRange{settings.value(from).toLongLong(), settings.value(to).toLongLong()};
    };
    return {settings.value("paths").toStringList(), range("from", "to"),
        settings.value("compared").toStringList(), range("fromA", "toA"), range("fromB", "toB"),
        settings.value("opening").toBool(), settings.value("closed").toBool(),
        settings.value("choices").toByteArray(), settings.value("comparedChoices").toByteArray(),
        settings.value("bothOpen").toByteArray(), settings.value("bothOpenSet").toString(),
        settings.value("bothOpenView").toString(), settings.value("viewFile").toString(),
        settings.value("comparedView").toString()};
}

/// Removes the remains of a window that no longer runs.
void forget(const QString& name)
{
    QSettings().remove("windows/" + name);
    QLocalServer::removeServer(placeOf(name)); // of one that crashed
}

} // namespace

RunningWindows::RunningWindows(const QString& name, QObject* parent)
    : QObject(parent),
      m_server(new QLocalServer(this)),
      m_name(namesBegin() + (name.isEmpty() ? ownName() : name))
{
    m_server->setSocketOptions(QLocalServer::UserAccessOption);
    connect(m_server, &QLocalServer::newConnection, this, &RunningWindows::answer);
}

RunningWindows::~RunningWindows() = default;

bool RunningWindows::listen()
{
    QLocalServer::removeServer(placeOf(m_name)); // of a crashed window with this name
    return m_server->listen(placeOf(m_name));
}

void RunningWindows::answer()
{
    while (QLocalSocket* const socket = m_server->nextPendingConnection()) {
        connect(socket, &QLocalSocket::disconnected, socket, &QObject::deleteLater);
        connect(socket, &QLocalSocket::readyRead, this, [this, socket] {
            constexpr qint64 longest = 1 << 20; // a thousand paths
            if (!socket->canReadLine()) {
                if (socket->bytesAvailable() > longest)
                    socket->abort();
                return;
            }
            const QByteArray line = socket->readLine();
            socket->write(accepted + '\n');
            socket->flush();
            if (!line.startsWith("open") || socket->state() != QLocalSocket::ConnectedState)
                return; // who waited too long opens them itself
            const Line said = Line::from(line);
            emit openWanted(said.paths, said.activation);
        });
    }
}

bool RunningWindows::note(const LastView& view)
{
    QSettings settings;
    settings.beginGroup("windows/" + m_name);
    settings.setValue("paths", view.paths);
    settings.setValue("compared", view.compared);
    settings.setValue("opening", view.isOpening);
    settings.setValue("closed", view.isClosed);
    settings.setValue("choices", view.choices);
    settings.setValue("comparedChoices", view.comparedChoices);
    settings.setValue("bothOpen", view.bothOpen);
    settings.setValue("bothOpenSet", view.bothOpenSet);
    settings.setValue("bothOpenView", view.bothOpenView);
    settings.setValue("viewFile", view.viewFile);
    settings.setValue("comparedView", view.comparedView);
    const auto set = [&settings](const QString& from, const QString& to, TimeRange range) {
        settings.setValue(from, static_cast<qlonglong>(range.start));
        settings.setValue(to, static_cast<qlonglong>(range.end));
    };
    set("from", "to", view.shown);
    set("fromA", "toA", view.rangeA);
    set("fromB", "toB", view.rangeB);
    settings.sync();
    return settings.status() != QSettings::AccessError;
}

QStringList RunningWindows::others() const
{
    QStringList names = notedWindows();
    names.removeAll(m_name);
    return names;
}

void RunningWindows::leave()
{
    m_server->close();
    const QStringList others = this->others();
    const bool isLast = std::ranges::none_of(others, isThere);
    for (const QString& name : others) {
        if (isLast && !name.startsWith(namesBegin() + leftBegin)) // those wait for a window
            forget(name);
    }
    LastView mine = noted(m_name);
    if (isLast && !mine.paths.isEmpty()) {
        mine.isClosed = true;
        note(mine);
    } else {
        forget(m_name);
    }
}

QList<LastView> RunningWindows::takeLeft()
{
    QList<LastView> left;
    QStringList ended = others();
    const bool isAlone = ended.removeIf(isThere) == 0;
    for (const QString& name : ended) {
        LastView view = noted(name);
        const auto isAnyThere = [paths = view.paths] {
            return std::ranges::any_of(paths, [](const QString& path) { return QFileInfo::exists(path); });
        };
        if (!view.paths.isEmpty() && !withinAMoment(isAnyThere).value_or(false))
            continue; // on a disk that is not there yet
        forget(name);
        const bool isWanted = !view.isOpening && (isAlone || !view.isClosed);
        view.isClosed = false;
        if (!view.paths.isEmpty() && isWanted)
            left << view;
    }
    return left;
}

void RunningWindows::leaveBehind(const QList<LastView>& views)
{
    for (qsizetype i = 0; i < views.size(); ++i)
        RunningWindows(QString("%1%2-%3").arg(leftBegin).arg(ownName()).arg(i)).note(views[i]);
}

bool RunningWindows::handOver(const QStringList& paths, const QByteArray& activation)
{
    const QByteArray line = Line{paths, activation}.bytes();
    return std::ranges::any_of(notedWindows(), [&](const QString& name) { return tell(name, line); });
}

} // namespace warpline
