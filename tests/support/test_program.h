// A program has the tests of one folder: each tst_x.cpp is a namespace tst_x with one class of Qt Test in it,
// which WARPLINE_TEST names at its end. `PROGRAM tst_x [arguments of Qt Test]` runs one of them.
#pragma once

#include <QtTest>

#ifdef QT_WIDGETS_LIB
#include <QApplication>
#else
#include <QCoreApplication>
#endif

namespace warpline::test {

/// Adds the test of class `type` to the program: what main calls to run it, with the arguments of Qt Test.
bool addTest(const QMetaObject& type, int (*run)(int argc, char* argv[]));

/// Runs one test as QTEST_MAIN does.
template <typename Test> int runTest(int argc, char* argv[])
{
#ifdef QT_WIDGETS_LIB
    QApplication application(argc, argv);
    application.setAttribute(Qt::AA_Use96Dpi, true);
#else
    const QCoreApplication application(argc, argv);
#endif
    Test test;
    return QTest::qExec(&test, argc, argv);
}

} // namespace warpline::test

/// Adds the test of class `Test`, whose namespace has the name of its file.
#define WARPLINE_TEST(Test)                    \
    [[maybe_unused]] static const bool isAdded \
        = warpline::test::addTest(Test::staticMetaObject, warpline::test::runTest<Test>);
