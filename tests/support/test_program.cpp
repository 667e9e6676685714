#include "tests/support/test_program.h"

#include <QProcess>
#include <QTemporaryDir>

#include <cstdio>
#include <cstring>
#include <vector>

namespace warpline::test {

namespace {

struct AddedTest {
    const QMetaObject* type;
    int (*run)(int argc, char* argv[]);

    /// "tst_x" of the class tst_x::XTest.
    QByteArray name() const { return QByteArray(type->className()).split(':').front(); }
};

/// Filled before main: a value of this file may be made after those that fill it.
std::vector<AddedTest>& addedTests()
{
    static std::vector<AddedTest> tests;
    return tests;
}

/// Each in a process of its own, as ctest runs them. Returns how many failed.
int runAll(int argc, char* argv[])
{
    const QCoreApplication application(argc, argv);
    int failed = 0;
    for (const AddedTest& test : addedTests()) {
        const QStringList arguments = QStringList(test.name()) + application.arguments().mid(1);
        failed += QProcess::execute(application.applicationFilePath(), arguments) != 0;
    }
    return failed;
}

} // namespace

bool addTest(const QMetaObject& type, int (*run)(int argc, char* argv[]))
{
    addedTests().push_back({&type, run});
    return true;
}

} // namespace warpline::test

int main(int argc, char* argv[])
{
    using namespace warpline::test;
    if (argc < 2 || argv[1][0] == '-')
        return runAll(argc, argv);
    for (const AddedTest& test : addedTests()) {
        if (test.name() != argv[1])
            continue;
        // Settings and folders of a test are named after it, not after its program.
        QCoreApplication::setApplicationName(argv[1]);
        // Tests use neither view files, settings nor caches of the user who runs them.
        const QTemporaryDir folder;
        for (const char* const place : {"XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"})
            if (!qEnvironmentVariableIsSet(place))
                qputenv(place, folder.filePath(place).toLocal8Bit());
        std::memmove(argv + 1, argv + 2,
            static_cast<std::size_t>(argc - 1) * sizeof *argv); // with the null at its end
        return test.run(argc - 1, argv);
    }
    std::fprintf(stderr, "%s has no test %s. Its tests:\n", argv[0], argv[1]);
    for (const AddedTest& test : addedTests())
        std::fprintf(stderr, "  %s\n", test.name().constData());
    return 2;
}
