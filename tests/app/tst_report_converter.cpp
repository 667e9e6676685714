// Converting recorded reports, with a shell script in the place of nsys.

#include "app/report_converter.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QFileInfo>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

namespace tst_report_converter {

using namespace warpline;

class ReportConverterTest : public QObject {
    Q_OBJECT

private slots:
    void init();
    void passesWhatNsysKnows_data();
    void passesWhatNsysKnows();
    void saysHowFarItIs();
    void failuresAreToldAfterACancel();
    void eachFailsWhereNsysDoesNotStart();
    void cancellingEndsAllThatWasStarted();
    void twoWindowsMayConvertTheSame();

private:
    /// Makes a fake nsys whose help is `help` and whose export runs `body`; `$out` is the file to write.
    void makeNsys(const QString& help, const QString& body);
    QString said() const;

    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_report;
};

void ReportConverterTest::init()
{
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setOrganizationName("warpline-test");
    m_folder = std::make_unique<QTemporaryDir>();
    qputenv("XDG_CACHE_HOME", m_folder->path().toUtf8());
    m_report = m_folder->filePath("run.nsys-rep");
    QFile report(m_report);
    QVERIFY(report.open(QIODevice::WriteOnly));
    report.write("recorded");
}

void ReportConverterTest::makeNsys(const QString& help, const QString& body)
{
    const QString path = m_folder->filePath("nsys");
    QFile::remove(path);
    QFile script(path);
    QVERIFY(script.open(QIODevice::WriteOnly));
    script.write(QString("#!/bin/sh\n"
                         "if [ \"$2\" = --help ]; then echo '%1'; exit 0; fi\n"
                         "echo \"$@\" > '%2'\n"
                         "while [ $# -gt 0 ]; do [ \"$1\" = --output ] && out=\"$2\"; shift; done\n"
                         "%3\n")
                     .arg(help, m_folder->filePath("said"), body)
                     .toUtf8());
    script.close();
    QVERIFY(script.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    QSettings().setValue("nsysProgram", path);
}

QString ReportConverterTest::said() const
{
    QFile file(m_folder->filePath("said"));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()).trimmed() : QString();
}

void ReportConverterTest::passesWhatNsysKnows_data()
{
    QTest::addColumn<QString>("help");
    QTest::addColumn<QString>("passed");
    QTest::newRow("today") << "  --include-blobs= --include-json= --dynamic-tables="
                           << "--include-json=true --include-blobs=true --dynamic-tables=all";
    QTest::newRow("before") << "  --include-json=, --include-blobs=, --type="
                            << "--include-json=true --include-blobs=true";
    QTest::newRow("long ago") << "  --type="
                              << "";
}

void ReportConverterTest::passesWhatNsysKnows()
{
    QFETCH(QString, help);
    QFETCH(QString, passed);
    makeNsys(help, "echo export > \"$out\"");
    ReportConverter converter;
    QSignalSpy converted(&converter, &ReportConverter::converted);
    QSignalSpy failed(&converter, &ReportConverter::failed);
    converter.convert(m_report);
    QVERIFY(converter.isRunning());
    QTRY_COMPARE(converted.size() + failed.size(), 1);
    QCOMPARE(failed.size(), 0);
    const QFileInfo exported(converted.first().first().toString());
    QVERIFY(exported.exists());
    constexpr QFile::Permissions others = QFile::ReadGroup | QFile::ReadOther;
    for (const QString& each :
        {exported.path(), exported.filePath()}) // the recording may be the user's alone
        QVERIFY2(!(QFile::permissions(each) & others), qPrintable(each));
    QVERIFY(!converter.isRunning());
    for (const QString& option : passed.split(' ', Qt::SkipEmptyParts))
        QVERIFY2(said().contains(option), qPrintable(said()));
    QCOMPARE(said().contains("--include-json"), passed.contains("--include-json"));
    QCOMPARE(said().contains("--dynamic-tables"), passed.contains("--dynamic-tables"));
    QVERIFY(said().endsWith(m_report));
    // An export made before is used again.
    QFile::remove(m_folder->filePath("said"));
    converter.convert(m_report);
    QCOMPARE(converted.size(), 2);
    QVERIFY(said().isEmpty());
    QFile::remove(converted.first().first().toString());
}

void ReportConverterTest::saysHowFarItIs()
{
    makeNsys(
        "", "printf 'Processing [=   25%%]\\r'; sleep 0.3; printf '[==== 80%%]\\r'; echo export > \"$out\"");
    ReportConverter converter;
    converter.setCacheUsed(false);
    QSignalSpy converted(&converter, &ReportConverter::converted);
    QSignalSpy progressed(&converter, &ReportConverter::progressed);
    converter.convert(m_report);
    QTRY_COMPARE(converted.size(), 1);
    QList<int> percents;
    for (const auto& call : progressed)
        percents << call.first().toInt();
    QVERIFY(percents.contains(25));
    QVERIFY(percents.contains(80));
    QFile::remove(converted.first().first().toString());
}

void ReportConverterTest::failuresAreToldAfterACancel()
{
    makeNsys("", "sleep 30");
    ReportConverter converter;
    converter.setCacheUsed(false);
    QSignalSpy converted(&converter, &ReportConverter::converted);
    QSignalSpy failed(&converter, &ReportConverter::failed);
    converter.convert(m_report);
    QTRY_VERIFY(!said().isEmpty());
    converter.cancel();
    QVERIFY(!converter.isRunning());
    QTest::qWait(50);
    QCOMPARE(converted.size() + failed.size(), 0); // who cancels knows
    // It fails by itself ...
    makeNsys("", "echo 'no space left'; exit 1");
    converter.convert(m_report);
    QTRY_COMPARE(failed.size(), 1);
    QVERIFY2(failed.last().first().toString().contains("no space left"),
        qPrintable(failed.last().first().toString()));
    // ... or cannot be started at all.
    QFile script(m_folder->filePath("nsys"));
    QVERIFY(script.open(QIODevice::WriteOnly));
    script.write("#!/does/not/exist\n");
    script.close();
    converter.convert(m_report);
    converter.cancel();
    converter.convert(m_report);
    QTRY_COMPARE(failed.size(), 2);
    QVERIFY(failed.last().first().toString().contains("could not be started"));
    QVERIFY(!converter.isRunning());
}

/// As of several recordings, of which the next is converted once one failed.
void ReportConverterTest::eachFailsWhereNsysDoesNotStart()
{
    makeNsys("", "");
    QFile script(m_folder->filePath("nsys"));
    QVERIFY(script.open(QIODevice::WriteOnly));
    script.write("#!/no/such/shell\n");
    script.close();
    ReportConverter converter;
    QSignalSpy failed(&converter, &ReportConverter::failed);
    connect(
        &converter, &ReportConverter::failed, this, [&] { converter.convert(m_report); },
        Qt::SingleShotConnection);
    converter.convert(m_report);
    QTRY_COMPARE(failed.size(), 2);
    QVERIFY(!converter.isRunning());
}

void ReportConverterTest::cancellingEndsAllThatWasStarted()
{
    const QString alive = m_folder->filePath("alive");
    makeNsys("", "(sleep 1; echo still > '" + alive + "') & wait");
    ReportConverter converter;
    converter.setCacheUsed(false);
    converter.convert(m_report);
    QTRY_VERIFY(!said().isEmpty());
    converter.cancel();
    QTest::qWait(1500);
    QVERIFY(!QFile::exists(alive));
}

/// Each writes a file of its own: else one would name what the other has half written.
void ReportConverterTest::twoWindowsMayConvertTheSame()
{
    makeNsys("", "printf half > \"$out\"; sleep 0.3; printf whole > \"$out\"");
    ReportConverter first;
    ReportConverter second;
    QSignalSpy converted(&first, &ReportConverter::converted);
    QSignalSpy alsoConverted(&second, &ReportConverter::converted);
    first.convert(m_report);
    QTRY_VERIFY(!said().isEmpty());
    QTest::qWait(100);
    second.convert(m_report);
    const auto contentOf = [](const QSignalSpy& spy) {
        QFile made(spy.first().first().toString());
        return made.open(QIODevice::ReadOnly) ? made.readAll() : QByteArray();
    };
    QTRY_COMPARE(converted.size(), 1);
    QCOMPARE(contentOf(converted), QByteArray("whole"));
    QTRY_COMPARE(alsoConverted.size(), 1);
    QCOMPARE(contentOf(alsoConverted), QByteArray("whole"));
    QFile::remove(converted.first().first().toString());
}

WARPLINE_TEST(ReportConverterTest)

} // namespace tst_report_converter

#include "tst_report_converter.moc"
