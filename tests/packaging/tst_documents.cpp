// What the programs say of themselves: version, man pages and completions, all made from the lists that
// --help shows.

#include "core/base/version.h"
#include "tests/app/cli_runner.h"

#include <QCoreApplication>
#include <QRegularExpression>

using namespace warpline::test;

class DocumentsTest : public QObject {
    Q_OBJECT

private slots:
    void versionsAreWhole_data();
    void versionsAreWhole();
};

void DocumentsTest::versionsAreWhole_data()
{
    QTest::addColumn<QString>("program");
    QTest::addColumn<QString>("parts");
    QTest::newRow("command line") << "warpline-cli"
                                  << "";
    QTest::newRow("window") << "warpline"
                            << "Qt 6\\.[0-9.]+, ";
}

void DocumentsTest::versionsAreWhole()
{
    QFETCH(QString, program);
    QFETCH(QString, parts);
    const QString path = QCoreApplication::applicationDirPath() + '/' + program;
    if (!QFile::exists(path))
        QSKIP("not built here");
    QProcess process;
    process.start(path, {"--version"});
    QVERIFY(process.waitForFinished());
    QCOMPARE(process.exitCode(), 0);
    const std::string version(warpline::programVersion());
    const QString expected = "^" + program + ' ' + QRegularExpression::escape(QString::fromStdString(version))
        + " \\((commit [0-9a-f]{12}(-dirty)?, )?" + parts + "SQLite 3\\.[0-9.]+\\)\n$";
    const QString said = process.readAll();
    QVERIFY2(QRegularExpression(expected).match(said).hasMatch(), qPrintable(said));
}

QTEST_GUILESS_MAIN(DocumentsTest)
#include "tst_documents.moc"
