// The list of formats: the content of a file decides, not its name; unknown content gets a clear message.

#include "core/load/load_report.h"
#include "core/load/recording.h"
#include "core/load/report_format.h"
#include "core/render/render.h"
#include "core/store/trace.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

#include <array>
#include <set>

namespace tst_report_formats {

using namespace warpline;
using namespace warpline::test;

namespace {

/// A second format, as another importer would bring: files that begin with "kernels", one event.
const ReportFormat plainText{.id = "text",
    .title = "Text",
    .patterns = "*.txt",
    .recognizes = [](std::string_view head) { return head.starts_with("kernels"); },
    .read = [](const std::string&, const LoadOptions&) -> Result<std::shared_ptr<const Trace>> {
        return std::make_shared<const Trace>();
    }};

std::string fileWith(const QTemporaryDir& folder, const QString& name, const QByteArray& content)
{
    QFile file(folder.filePath(name));
    return file.open(QIODevice::WriteOnly) && file.write(content) == content.size()
        ? file.fileName().toStdString()
        : std::string();
}

} // namespace

class ReportFormatsTest : public QObject {
    Q_OBJECT

private slots:
    void eachFormatIsWhole();
    void contentDecides();
    void whatIsUnknownIsTold();
    void namesNeedNotBeLatin();
    void recordingsAreExported();
    void newestNsysOfWindowsIsFound();
};

void ReportFormatsTest::eachFormatIsWhole()
{
    QVERIFY(!allReportFormats().empty());
    QCOMPARE(allReportFormats().front()->id, std::string_view("nsys-sqlite"));
    std::set<std::string_view> ids;
    for (const ReportFormat* const format : allReportFormats()) {
        QVERIFY(ids.insert(format->id).second);
        QVERIFY(!format->title.empty() && format->patterns.starts_with("*."));
        QVERIFY(format->recognizes && format->read);
        QVERIFY(!format->recognizes("something else"));
    }
}

void ReportFormatsTest::contentDecides()
{
    const std::array<const ReportFormat*, 2> formats{allReportFormats().front(), &plainText};
    const QTemporaryDir folder;
    ReportFixture report;
    report.addSmallReport();
    const QString misnamed = folder.filePath("report.txt");
    QVERIFY(QFile::copy(QString::fromStdString(report.path()), misnamed));
    QCOMPARE(formatOf(misnamed.toStdString(), formats).id, std::string_view("nsys-sqlite"));
    QVERIFY(loadReport(misnamed.toStdString()).ok());
    const std::string text = fileWith(folder, "text.sqlite", "kernels: 7");
    QCOMPARE(formatOf(text, formats).id, std::string_view("text"));
    // An unrecognized file is reported by the format of its name.
    QCOMPARE(formatOf(fileWith(folder, "cut.txt", "ker"), formats).id, std::string_view("text"));
    const auto cut = loadReport(fileWith(folder, "cut.json", "not json"));
    QVERIFY(!cut.ok());
    QVERIFY2(
        plain(cut.error().message).find("SQLite") == std::string::npos, plain(cut.error().message).c_str());
}

void ReportFormatsTest::whatIsUnknownIsTold()
{
    const std::array<const ReportFormat*, 2> formats{allReportFormats().front(), &plainText};
    const QTemporaryDir folder;
    for (const std::string& path : {fileWith(folder, "empty", ""), fileWith(folder, "other", "{}"),
             folder.path().toStdString(), folder.filePath("missing").toStdString()}) {
        QCOMPARE(formatOf(path, formats).id, std::string_view("nsys-sqlite"));
        const auto trace = loadReport(path);
        QVERIFY(!trace.ok());
        QVERIFY2(plain(trace.error().message).starts_with(path), plain(trace.error().message).c_str());
    }
}

void ReportFormatsTest::namesNeedNotBeLatin()
{
    const QTemporaryDir folder;
    ReportFixture report;
    report.addSmallReport();
    const QString path = folder.filePath(QString::fromUtf8("Прогон % 1? #2 – 走る.sqlite"));
    QVERIFY(QFile::copy(QString::fromStdString(report.path()), path));
    const auto trace = loadReport(path.toStdString());
    QVERIFY2(trace.ok(), trace.ok() ? "" : plain(trace.error().message).c_str());
    QCOMPARE(trace.value()->info.path, path.toStdString());
}

void ReportFormatsTest::recordingsAreExported()
{
    QVERIFY(isRecording("a/b.nsys-rep") && isRecording("B.QDREP") && !isRecording("nsys-rep"));
    QCOMPARE(exportCommandFor("a b/run 1.nsys-rep"),
        std::string("nsys export --type sqlite --output 'run 1.sqlite' 'a b/run 1.nsys-rep'"));
    QVERIFY(exportCommandFor("$(x).nsys-rep").ends_with("'$(x).nsys-rep'")); // a shell runs nothing in it
    const std::vector<std::string> arguments
        = exportArguments("run.nsys-rep", "to.sqlite", "  --include-json=<true|false>\n");
    QCOMPARE(arguments,
        (std::vector<std::string>{"export", "--type", "sqlite", "--force-overwrite", "true", "--output",
            "to.sqlite", "--include-json=true", "run.nsys-rep"}));
    // The cached export belongs to the file's content: another content has another name.
    const QTemporaryDir folder;
    qputenv("XDG_CACHE_HOME", folder.path().toUtf8());
    const std::string path = fileWith(folder, "run.nsys-rep", "one");
    const std::string first = exportPathFor(path);
    QVERIFY(first.starts_with(folder.path().toStdString()) && first.ends_with(".sqlite"));
    QCOMPARE(exportPathFor(path), first);
    fileWith(folder, "run.nsys-rep", "two");
    QVERIFY(exportPathFor(path) != first);
    QVERIFY(exportPathFor("missing.nsys-rep").empty());
}

void ReportFormatsTest::newestNsysOfWindowsIsFound()
{
    const QTemporaryDir programs;
    const QByteArray path = qgetenv("PATH");
    const QByteArray before = qgetenv("ProgramFiles");
    qputenv("PATH", programs.path().toUtf8()); // no nsys there
    qputenv("ProgramFiles", programs.path().toUtf8());
    const std::string none = installedNsys();
    for (const char* const version : {"2025.3.2", "2024.1.1"}) {
        const QString folder
            = QString("NVIDIA Corporation/Nsight Systems %1/target-windows-x64").arg(version);
        QVERIFY(QDir(programs.path()).mkpath(folder));
        QVERIFY(!fileWith(programs, folder + "/nsys.exe", "program").empty());
    }
    const std::string found = installedNsys();
    qputenv("PATH", path);
    qputenv("ProgramFiles", before);
    QCOMPARE(none, std::string());
    QVERIFY(found.find("2025.3.2") != std::string::npos);
}

WARPLINE_TEST(ReportFormatsTest)

} // namespace tst_report_formats

#include "tst_report_formats.moc"
