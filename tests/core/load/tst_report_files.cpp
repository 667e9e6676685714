// Files for arguments on a command line: names, folders and patterns.

#include "core/load/report_files.h"
#include "core/render/render.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <filesystem>

namespace tst_report_files {

using namespace warpline;
using namespace warpline::test;

class ReportFilesTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void numbersCountInNames();
    void aFolderStandsForItsReports();
    void aLinkToNothingIsListed();
    void aPatternStandsForWhatMatches();
    void namesAreKeptAsTheyWereGiven();
    void aFileNamedTwiceIsOpenedOnce();
    void nothingFoundIsSaid();
    void aFolderThatCannotBeReadIsSaid();
    void reportsOneFolderBelowAreTold();
    void aSideMayBeSeveralFiles();

private:
    /// The names, without the folder, of the files for `names` (in the folder).
    QStringList found(const std::vector<std::string>& names)
    {
        std::vector<std::string> whole;
        for (const std::string& name : names)
            whole.push_back(m_folder.path().toStdString() + '/' + name);
        ReportFiles files = findReportFiles(whole);
        m_problems.clear();
        for (const Message& problem : files.problems)
            m_problems.push_back(plain(problem));
        QStringList found;
        for (const std::string& path : files.paths)
            found << QDir(m_folder.path()).relativeFilePath(QString::fromStdString(path));
        return found;
    }
    void write(const QString& name, const QByteArray& content)
    {
        QFile file(m_folder.filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(content) == content.size());
    }

    QTemporaryDir m_folder;
    std::vector<std::string> m_problems;
};

void ReportFilesTest::initTestCase()
{
    ReportFixture fixture;
    fixture.addSmallReport();
    for (const char* const name : {"rank10.sqlite", "rank2.sqlite", "rank0.sqlite", "strange name"})
        QVERIFY(QFile::copy(QString::fromStdString(fixture.path()), m_folder.filePath(name)));
    write("rank2.nsys-rep", "x"); // of which the export is there
    write("rank3.nsys-rep", "x");
    write("notes.txt", "no report");
    write("empty.sqlite", "");
    QVERIFY(QDir(m_folder.path()).mkdir("none"));
    QVERIFY(QDir(m_folder.path()).mkdir("below.sqlite"));
}

void ReportFilesTest::numbersCountInNames()
{
    QVERIFY(comesBefore("rank2", "rank10"));
    QVERIFY(!comesBefore("rank10", "rank2"));
    QVERIFY(comesBefore("rank02", "rank10"));
    QVERIFY(comesBefore("a", "b") && comesBefore("a1b2", "a1b10") && comesBefore("rank", "rank0"));
    QVERIFY(!comesBefore("same7", "same7"));
    QVERIFY(comesBefore("rank01", "rank1") != comesBefore("rank1", "rank01")); // an order, whatever it is
    QVERIFY(comesBefore("n99999999999999999999999998", "n99999999999999999999999999"));
    std::vector<std::string> names{"r10n1", "r2n10", "r2n9", "r1"};
    std::ranges::sort(names, comesBefore);
    QCOMPARE(names, (std::vector<std::string>{"r1", "r2n9", "r2n10", "r10n1"}));
}

void ReportFilesTest::aFolderStandsForItsReports()
{
    QCOMPARE(found({"."}),
        QStringList({"empty.sqlite", "rank0.sqlite", "rank2.sqlite", "rank3.nsys-rep", "rank10.sqlite",
            "strange name"})); // opening rejects a file with such a name that is not a report
    QVERIFY(m_problems.empty());
}

void ReportFilesTest::aLinkToNothingIsListed()
{
    const QTemporaryDir folder;
    for (const char* const name : {"rank0.sqlite", "rank1.json.gz", "notes.txt"})
        std::filesystem::create_symlink("not there", (folder.path() + '/' + name).toStdString());
    const ReportFiles found = findReportFiles(std::vector{folder.path().toStdString()});
    QCOMPARE(found.paths.size(), 2U);
    QVERIFY(found.paths[0].ends_with("rank0.sqlite") && found.paths[1].ends_with("rank1.json.gz"));
}

void ReportFilesTest::aPatternStandsForWhatMatches()
{
    QCOMPARE(found({"rank*.sqlite"}), QStringList({"rank0.sqlite", "rank2.sqlite", "rank10.sqlite"}));
    QCOMPARE(found({"rank?.*"}), QStringList({"rank0.sqlite", "rank2.sqlite", "rank3.nsys-rep"}));
#ifndef Q_OS_WIN // a file may have this name elsewhere
    write("odd*.sqlite", "x");
    QCOMPARE(found({"odd*.sqlite"}), QStringList({"odd*.sqlite"}));
    QVERIFY(QFile::remove(m_folder.filePath("odd*.sqlite")));
#endif
}

void ReportFilesTest::namesAreKeptAsTheyWereGiven()
{
    // Opening decides whether it exists and is a report.
    QCOMPARE(found({"rank10.sqlite", "notes.txt", "nowhere.sqlite", "rank0.sqlite"}),
        QStringList({"rank10.sqlite", "notes.txt", "nowhere.sqlite", "rank0.sqlite"}));
    QVERIFY(m_problems.empty());
    QVERIFY(findReportFiles({}).paths.empty());
}

void ReportFilesTest::aFileNamedTwiceIsOpenedOnce()
{
    QCOMPARE(found({"rank0.sqlite", "none/../rank0.sqlite", "rank2.sqlite"}),
        QStringList({"rank0.sqlite", "rank2.sqlite"}));
    QCOMPARE(m_problems.size(), 1U);
    QVERIFY(m_problems.front().find("is named twice") != std::string::npos);
}

void ReportFilesTest::nothingFoundIsSaid()
{
    QCOMPARE(found({"none", "gpu*.sqlite", "rank0.sqlite"}), QStringList({"rank0.sqlite"}));
    QCOMPARE(m_problems.size(), 2U);
    QVERIFY(m_problems[0].ends_with("/none contains no reports."));
    QVERIFY(m_problems[1].starts_with("No file matches "));
}

void ReportFilesTest::aFolderThatCannotBeReadIsSaid()
{
    QTemporaryDir locked;
    QVERIFY(QFile::copy(m_folder.filePath("rank0.sqlite"), locked.filePath("rank0.sqlite")));
    QVERIFY(QFile::setPermissions(locked.path(), QFile::WriteOwner | QFile::ExeOwner));
    const std::string folder = locked.path().toStdString();
    const ReportFiles read = findReportFiles(std::vector{folder, folder + "/*.sqlite"});
    QVERIFY(QFile::setPermissions(locked.path(), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    if (!read.paths.empty())
        QSKIP("This user may read every folder.");
    QCOMPARE(read.problems.size(), 2U);
    for (const Message& problem : read.problems)
        QCOMPARE(problem.key(), std::string_view("file.unreadable"));
}

void ReportFilesTest::reportsOneFolderBelowAreTold()
{
    QTemporaryDir runs;
    QVERIFY(QDir(runs.path()).mkpath("first") && QDir(runs.path()).mkpath("second"));
    for (const char* const name : {"first/rank0.sqlite", "first/rank1.sqlite", "second/rank0.sqlite"})
        QVERIFY(QFile::copy(m_folder.filePath("rank0.sqlite"), runs.filePath(name)));
    const ReportFiles found = findReportFiles(std::vector<std::string>{runs.path().toStdString()});
    QVERIFY(found.paths.empty());
    QCOMPARE(found.problems.size(), 1U);
    QVERIFY2(plain(found.problems[0]).find(", but 3 are in its subfolders.") != std::string::npos,
        plain(found.problems[0]).c_str());
}

void ReportFilesTest::aSideMayBeSeveralFiles()
{
    using Names = std::vector<std::string>;
    QCOMPARE(namesOfSide("a.sqlite"), Names{"a.sqlite"});
    QCOMPARE(namesOfSide("rank0.sqlite,rank1.sqlite"), (Names{"rank0.sqlite", "rank1.sqlite"}));
    QCOMPARE(namesOfSide(",rank0.sqlite,,rank1.sqlite,"), (Names{"rank0.sqlite", "rank1.sqlite"}));
    QVERIFY(namesOfSide(",").empty());
    // A file may have this name.
    write("a,b.sqlite", "x");
    const std::string odd = m_folder.filePath("a,b.sqlite").toStdString();
    QCOMPARE(namesOfSide(odd), Names{odd});
    QCOMPARE(namesOfSide("rank0.sqlite," + odd + "," + odd), (Names{"rank0.sqlite", odd, odd}));
    QVERIFY(QFile::remove(m_folder.filePath("a,b.sqlite")));
}

WARPLINE_TEST(ReportFilesTest)

} // namespace tst_report_files

#include "tst_report_files.moc"
