// Plain descriptions of system calls.

#include "core/glossary/os_call_words.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_os_call_words {

using namespace warpline;

class OsCallWordsTest : public QObject {
    Q_OBJECT
private slots:
    void kindsAreToldByName()
    {
        QCOMPARE(osCallKind("pread64"), OsCallKind::Reads);
        QCOMPARE(osCallKind("fwrite"), OsCallKind::Writes);
        QCOMPARE(osCallKind("open64"), OsCallKind::Files);
        QCOMPARE(osCallKind("futex"), OsCallKind::WaitsForThread);
        QCOMPARE(osCallKind("pthread_cond_wait@GLIBC_2.3.2"), OsCallKind::WaitsForThread);
        QCOMPARE(osCallKind("poll"), OsCallKind::WaitsForInput);
        QCOMPARE(osCallKind("clock_nanosleep"), OsCallKind::Sleeps);
        QCOMPARE(osCallKind("sched_yield"), OsCallKind::Yields);
        QCOMPARE(osCallKind("reader"), OsCallKind::Other); // whole names
        QCOMPARE(osCallKind(""), OsCallKind::Other);
    }

    void waitsAreExplained()
    {
        for (const char* const call : {"futex", "sem_wait", "sem_clockwait", "pthread_mutex_lock",
                 "pthread_cond_timedwait", "poll", "epoll_wait", "waitpid", "ioctl", "sched_yield"})
            QVERIFY2(!wordsForOsCall(call).empty(), call);
        QVERIFY(wordsForOsCall("futex").english().find("another thread") != std::string_view::npos);
        QVERIFY(wordsForOsCall("write").empty()); // the name explains itself
        QVERIFY(wordsForOsCall("unheard_of").empty());
    }
};

WARPLINE_TEST(OsCallWordsTest)

} // namespace tst_os_call_words

#include "tst_os_call_words.moc"
