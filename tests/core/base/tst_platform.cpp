// Services of the operating system for core.

#include "core/base/platform/platform.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <cerrno>
#include <thread>
#ifdef Q_OS_LINUX
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>
#endif

namespace tst_platform {

using namespace warpline;

class PlatformTest : public QObject {
    Q_OBJECT

private slots:
    void pathsAreUtf8();
    void temporaryFoldersAreNewAndPrivate();
    void theCacheFolderIsTheUsers();
    void runsPrograms();
    void writesFiles();
    void mapsFiles();
    void countsItsOwnProcessors();
};

void PlatformTest::pathsAreUtf8()
{
    for (const char* const name : {"run.sqlite", "Прогон/走る.sqlite", ""})
        QCOMPARE(platform::utf8Of(platform::pathOf(name)), std::string(name));
}

void PlatformTest::temporaryFoldersAreNewAndPrivate()
{
    const auto first = platform::makeTemporaryFolder();
    const auto second = platform::makeTemporaryFolder();
    QVERIFY(!first.empty() && !second.empty() && first != second);
#ifndef Q_OS_WIN // there the folder around them is the user's own
    const QFile::Permissions others = QFile::ReadGroup | QFile::ReadOther | QFile::WriteOther;
    QVERIFY(!(QFile::permissions(QString::fromStdString(first.string())) & others));
#endif
    for (const auto& folder : {first, second})
        QVERIFY(std::filesystem::remove(folder));
}

void PlatformTest::theCacheFolderIsTheUsers()
{
#ifdef Q_OS_LINUX
    const QByteArray home = qgetenv("HOME");
    qputenv("HOME", "/home/me");
    qputenv("XDG_CACHE_HOME", "/else/where");
    QCOMPARE(platform::userCacheFolder(), std::filesystem::path("/else/where"));
    qputenv("XDG_CACHE_HOME", "relative"); // the specification says to ignore it
    QCOMPARE(platform::userCacheFolder(), std::filesystem::path("/home/me/.cache"));
    qunsetenv("HOME");
    QVERIFY(platform::userCacheFolder().empty());
    qunsetenv("XDG_CACHE_HOME");
    qputenv("HOME", home);
#endif
}

void PlatformTest::countsItsOwnProcessors()
{
#ifdef Q_OS_LINUX
    cpu_set_t before;
    QCOMPARE(::sched_getaffinity(0, sizeof before, &before), 0);
    QCOMPARE(platform::usableProcessors(), static_cast<std::size_t>(CPU_COUNT(&before)));
    cpu_set_t one;
    CPU_ZERO(&one);
    for (std::size_t i = 0; i < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++i) {
        if (CPU_ISSET(i, &before))
            CPU_SET(i, &one);
    }
    QCOMPARE(::sched_setaffinity(0, sizeof one, &one), 0);
    QCOMPARE(platform::usableProcessors(), std::size_t{1});
    QCOMPARE(::sched_setaffinity(0, sizeof before, &before), 0);
    // A thread that yields is nicer than the others of its process.
    int nicer = 0;
    std::jthread([&nicer] {
        platform::yieldToOtherThreads();
        nicer = ::getpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()));
    }).join();
    const int whole = ::getpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()));
    constexpr int nicest = 19; // the lowest priority
    QVERIFY(nicer > whole || whole == nicest);
#endif
}

void PlatformTest::runsPrograms()
{
    const std::string shell = platform::programOnPath("sh");
    if (shell.empty())
        QSKIP("there is no sh on the PATH");
    QVERIFY(platform::programOnPath("no-such-program-anywhere").empty());
    const int file = platform::createNamelessFile();
    QVERIFY(file != platform::noFile);
    QCOMPARE(platform::runProgram({shell, "-c", "echo \"$0\"; exit 3", "a \"b\\"}, file).value_or(-1), 3);
    QCOMPARE(platform::contentOf(file), std::string("a \"b\\\n"));
    QVERIFY(platform::closeFile(file));
    QVERIFY(!platform::runProgram({"/no/such/program"}, platform::standardError));
    QVERIFY(!platform::runProgram({shell, "-c", "kill -9 $$"}, platform::standardError));
}

void PlatformTest::writesFiles()
{
    const QTemporaryDir folder;
    const std::string path = folder.filePath("out").toStdString();
    const int file = platform::createFile(platform::pathOf(path));
    QVERIFY(file != platform::noFile && !platform::isTerminal(file));
    QVERIFY(platform::writeAll(file, std::string(100'000, 'x')) && platform::closeFile(file));
    QCOMPARE(QFile(QString::fromStdString(path)).size(), 100'000);
    QCOMPARE(platform::createFile(platform::pathOf(path + "/below")), platform::noFile);
    QVERIFY(!platform::writeAll(file, "closed"));
    QVERIFY(!platform::isClosedReader(errno));
    QVERIFY(platform::isClosedReader(EPIPE));
}

void PlatformTest::mapsFiles()
{
    const QTemporaryDir folder;
    QFile file(folder.filePath("content"));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("mapped") == 6);
    file.close();
    const platform::MappedFile mapped(platform::pathOf(file.fileName().toStdString()));
    QCOMPARE(mapped.bytes().size(), 6U);
    QCOMPARE(static_cast<char>(mapped.bytes().front()), 'm');
    QVERIFY(platform::MappedFile(platform::pathOf(folder.path().toStdString())).bytes().empty());
    QVERIFY(platform::MappedFile("no such file").bytes().empty());
}

WARPLINE_TEST(PlatformTest)

} // namespace tst_platform

#include "tst_platform.moc"
