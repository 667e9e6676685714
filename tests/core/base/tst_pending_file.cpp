// Files that get their name when they are complete.

#include "core/base/pending_file.h"
#include "core/base/platform/platform.h"
#include "core/render/render.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <chrono>
#include <filesystem>

#ifdef Q_OS_UNIX
#include <csignal>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

namespace tst_pending_file {

using namespace warpline;

namespace {

void write(const std::string& path, const QByteArray& content)
{
    QFile file(QString::fromStdString(path));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(content), content.size());
}

QByteArray read(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("none");
}

} // namespace

class PendingFileTest : public QObject {
    Q_OBJECT

private slots:
    void aFileHasItsNameWhenItIsKept()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath("out.json");
        write(path.toStdString(), "old");
        QVERIFY(QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner));
        {
            const PendingFile file(path.toStdString());
            write(file.part(), "half");
            const Error named = file.named(
                {"test.full", "{path} is full", {{"path", Name{file.part()}}, {"bytes", Count{7}}}});
            QCOMPARE(plain(named.message), path.toStdString() + " is full");
        }
        QCOMPARE(read(path), QByteArray("old"));
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files), QStringList{"out.json"});
        PendingFile file(path.toStdString());
        write(file.part(), "new");
        QVERIFY(file.keep().ok());
        QCOMPARE(read(path), QByteArray("new"));
#ifndef Q_OS_WIN // files have no such bits there
        QVERIFY(!(QFile::permissions(path) & QFile::ReadOther));
#endif
        QVERIFY(!PendingFile("/nowhere/x").keep().ok());
    }

#ifdef Q_OS_LINUX
    /// A program of the administrator could replace a device.
    void pipesAndDevicesAreNotReplaced()
    {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("pipe").toStdString();
        QCOMPARE(mkfifo(path.c_str(), 0600), 0);
        PendingFile file(path);
        write(file.part(), "new");
        QVERIFY(!file.keep().ok());
        QVERIFY(std::filesystem::is_fifo(path));
    }
#endif

    void partsOfKilledProgramsAreRemoved()
    {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("out.json").toStdString();
        constexpr unsigned noProcess = 4'194'305; // one more than Linux has
        const std::string own = path + '.' + std::to_string(platform::processId());
        const std::string gone = path + '.' + std::to_string(noProcess);
        const std::string other = folder.filePath("other.").toStdString() + std::to_string(noProcess);
        const std::vector<std::string> old{gone + "-1.part", own + "-99.part", other + "-1.part",
            path + '.' + std::to_string(noProcess) + "-x.part", path + ".part", gone + "-1.parts"};
        for (const std::string& each : old) {
            write(each, "half");
            std::filesystem::last_write_time(
                each, std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
        }
        write(gone + "-2.part", "just written");
        {
            const PendingFile file(path);
            QVERIFY(!std::filesystem::exists(old[0]));
            for (std::size_t i = 1; i < old.size(); ++i)
                QVERIFY2(std::filesystem::exists(old[i]), old[i].c_str());
            QVERIFY(std::filesystem::exists(gone + "-2.part"));
        }
        removeLeftParts(folder.path().toStdString());
        QVERIFY(!std::filesystem::exists(other + "-1.part"));
        QVERIFY(std::filesystem::exists(own + "-99.part"));
        const PendingFile first(path);
        const PendingFile second(path);
        QVERIFY(first.part() != second.part());
    }

    void aLinkStaysOne()
    {
#ifdef Q_OS_UNIX
        const QTemporaryDir folder;
        write(folder.filePath("real").toStdString(), "old");
        QVERIFY(QFile::link("real", folder.filePath("link")));
        PendingFile file(folder.filePath("link").toStdString());
        write(file.part(), "new");
        QVERIFY(file.keep().ok());
        QVERIFY(QFileInfo(folder.filePath("link")).isSymLink());
        QCOMPARE(read(folder.filePath("real")), QByteArray("new"));
#endif
    }

    void aSignalLeavesNoPart_data()
    {
#ifdef Q_OS_UNIX
        QTest::addColumn<int>("signal");
        QTest::newRow("interrupted") << SIGINT;
        QTest::newRow("ended") << SIGTERM;
        QTest::newRow("session is over") << SIGHUP;
#endif
    }

    void aSignalLeavesNoPart()
    {
#ifdef Q_OS_UNIX
        QFETCH(int, signal);
        const QTemporaryDir folder;
        const std::string path = folder.filePath("out.json").toStdString();
        const pid_t child = ::fork();
        if (child == 0) {
            std::signal(signal, SIG_DFL);
            const PendingFile file(path);
            write(file.part(), "half");
            ::pause();
            std::_Exit(0);
        }
        QTRY_COMPARE(QDir(folder.path()).entryList(QDir::Files).size(), 1);
        ::kill(child, signal);
        int status = 0;
        QCOMPARE(::waitpid(child, &status, 0), child);
        QVERIFY(WIFSIGNALED(status) && WTERMSIG(status) == signal);
        QVERIFY(QDir(folder.path()).isEmpty());
#endif
    }
};

WARPLINE_TEST(PendingFileTest)

} // namespace tst_pending_file

#include "tst_pending_file.moc"
