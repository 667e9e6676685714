// Files for the desktop: its entry, file types, description.

#include "core/base/version.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QMimeDatabase>
#include <QProcess>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

namespace tst_desktop_files {

namespace {

QString desktopFile(const QString& ending)
{
    return WARPLINE_SOURCE_DIR "/packaging/desktop/io.github.warpline.Warpline." + ending;
}

/// The values of `attribute` of all elements `element`, in the order of the file.
QStringList attributesOf(const QString& path, const QString& element, const QString& attribute)
{
    QFile file(path);
    QStringList values;
    if (!file.open(QIODevice::ReadOnly))
        return values;
    QXmlStreamReader reader(&file);
    while (!reader.atEnd()) {
        if (reader.readNextStartElement() || reader.isStartElement()) {
            if (reader.name() == element)
                values << reader.attributes().value(attribute).toString();
        } else {
            reader.readNext();
        }
    }
    return reader.hasError() ? QStringList() : values;
}

QStringList offeredTypes()
{
    QFile file(desktopFile("desktop"));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    for (const QByteArray& line : file.readAll().split('\n')) {
        if (line.startsWith("MimeType="))
            return QString::fromLatin1(line.mid(9)).split(';', Qt::SkipEmptyParts);
    }
    return {};
}

} // namespace

class DesktopFilesTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void validatorsHaveNothingToSay_data();
    void validatorsHaveNothingToSay();
    void newestReleaseIsThisVersion();
    void entryOffersEveryTypeThatIsDefined();
    void filesAreOfTheirTypes_data();
    void filesAreOfTheirTypes();

private:
    QTemporaryDir m_home;
};

/// File types are looked up in ours, installed next to the system's.
void DesktopFilesTest::initTestCase()
{
    QVERIFY(QDir(m_home.path()).mkpath("mime/packages"));
    QVERIFY(QFile::copy(desktopFile("mime.xml"), m_home.filePath("mime/packages/warpline.xml")));
    QFile::copy(
        "/usr/share/mime/packages/freedesktop.org.xml", m_home.filePath("mime/packages/freedesktop.org.xml"));
    QProcess installing; // the commands of a package's installation
    installing.start("update-mime-database", {m_home.filePath("mime")});
    installing.waitForFinished();
    qputenv("XDG_DATA_HOME", m_home.path().toLocal8Bit());
    qputenv("XDG_DATA_DIRS", m_home.path().toLocal8Bit());
}

void DesktopFilesTest::validatorsHaveNothingToSay_data()
{
    QTest::addColumn<QString>("program");
    QTest::addColumn<QStringList>("arguments");
    QTest::newRow("entry") << "desktop-file-validate" << QStringList{desktopFile("desktop")};
    QTest::newRow("description") << "appstreamcli"
                                 << QStringList{"validate", "--no-net", desktopFile("metainfo.xml")};
    QTest::newRow("types") << "xmllint" << QStringList{"--noout", desktopFile("mime.xml")};
}

void DesktopFilesTest::validatorsHaveNothingToSay()
{
    QFETCH(QString, program);
    QFETCH(QStringList, arguments);
    if (QStandardPaths::findExecutable(program).isEmpty())
        QSKIP(qPrintable(program + " is not installed"));
    QProcess process;
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(program, arguments);
    QVERIFY(process.waitForFinished());
    const QByteArray said = process.readAll();
    QVERIFY2(process.exitCode() == 0 && !said.contains("warning"), said.constData());
}

void DesktopFilesTest::newestReleaseIsThisVersion()
{
    const QStringList versions = attributesOf(desktopFile("metainfo.xml"), "release", "version");
    QVERIFY(!versions.isEmpty());
    const std::string_view version = warpline::programVersion();
    QCOMPARE(versions.front(), QString::fromUtf8(version.data(), static_cast<qsizetype>(version.size())));
}

void DesktopFilesTest::entryOffersEveryTypeThatIsDefined()
{
    const QStringList defined = attributesOf(desktopFile("mime.xml"), "mime-type", "type");
    QCOMPARE(defined.size(), 5);
    QFile description(desktopFile("metainfo.xml"));
    QVERIFY(description.open(QIODevice::ReadOnly));
    const QString described = description.readAll();
    for (const QString& type : defined) {
        QVERIFY2(offeredTypes().contains(type), qPrintable(type));
        QVERIFY2(described.contains("<mediatype>" + type + "</mediatype>"), qPrintable(type));
    }
    QVERIFY(offeredTypes().contains("application/vnd.sqlite3"));
}

void DesktopFilesTest::filesAreOfTheirTypes_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("type");
    const QByteArray header("SQLite format 3\0", 16);
    const QByteArray page = header + QByteArray(600, '\0');
    QTest::newRow("by its name") << "report7.sqlite" << page << "application/x-nsys-export";
    QTest::newRow("by its first page")
        << "run" << page + "CREATE TABLE TARGET_INFO_SESSION_START_TIME (utcTime TEXT)" + page
        << "application/x-nsys-export";
    QTest::newRow("someone else's") << "places.sqlite" << page << "application/vnd.sqlite3";
    QTest::newRow("recorded") << "report7.nsys-rep" << QByteArray("anything") << "application/x-nsys-report";
    QTest::newRow("recorded long ago")
        << "report7.qdrep" << QByteArray("anything") << "application/x-nsys-report";
    const QByteArray trace("{\"schemaVersion\": 1, \"deviceProperties\": [], \"traceEvents\": []}");
    const QByteArray gzip("\x1f\x8b\x08\0\0\0\0\0\0\3", 10);
    QTest::newRow("trace") << "trace.json" << trace << "application/x-pytorch-trace";
    QTest::newRow("trace of a worker")
        << "host_7.1700000000.pt.trace.json" << trace << "application/x-pytorch-trace";
    QTest::newRow("trace, by its content") << "profile" << trace << "application/x-pytorch-trace";
    QTest::newRow("trace, compressed")
        << "host_7.1700000000.pt.trace.json.gz" << gzip << "application/x-pytorch-trace-compressed";
    QTest::newRow("no trace") << "package.json" << QByteArray("{}") << "application/json";
    QTest::newRow("view") << "report7.warpline" << QByteArray("{}") << "application/x-warpline-view";
}

void DesktopFilesTest::filesAreOfTheirTypes()
{
    QFETCH(QString, name);
    QFETCH(QByteArray, content);
    QFETCH(QString, type);
    if (!QFile::exists(m_home.filePath("mime/mime.cache")))
        QSKIP("update-mime-database is not installed");
    QTemporaryDir folder;
    QFile file(folder.filePath(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(content);
    file.close();
    QCOMPARE(QMimeDatabase().mimeTypeForFile(file.fileName()).name(), type);
}

WARPLINE_TEST(DesktopFilesTest)

} // namespace tst_desktop_files

#include "tst_desktop_files.moc"
