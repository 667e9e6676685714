// warpline-cli export and cut: files that can be opened again, exit codes of mistakes.

#include "tests/app/cli_runner.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QJsonArray>
#include <QJsonObject>
#include <QTemporaryDir>

#ifdef Q_OS_LINUX
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace tst_cli_cut {

using namespace warpline::test;

namespace {

const QString report = QStringLiteral(WARPLINE_TEST_DATA "/reports/streams.sqlite");

qint64 kernelsIn(const QString& file)
{
    return runCli({"info", "--format", "json", file}).report()["counts"].toObject()["kernel"].toInteger();
}

} // namespace

class CliCutTest : public QObject {
    Q_OBJECT

private slots:
    void exportsAreOpenedAgain()
    {
        QTemporaryDir folder;
        const QString file = folder.filePath("trace.json");
        QCOMPARE(runCli({"export", report, "-o", file}).code, 0);
        QVERIFY(kernelsIn(report) > 0);
        QCOMPARE(kernelsIn(file), kernelsIn(report));
        const CliRun again = runCli({"export", "--kinds", "memcpy", report, "-o", file});
        QVERIFY(again.code == 4 && again.errors.contains("--force"));
        QCOMPARE(kernelsIn(file), kernelsIn(report));
        QCOMPARE(runCli({"export", "--force", report, "-o", file}).code, 0);
        const CliRun csv = runCli({"export", "--format", "csv", "--kinds", "kernel", report});
        QCOMPARE(csv.output.count("\nkernel,"), kernelsIn(report));
        QCOMPARE(runCli({"export", "--kinds", "nothing", report}).code, 2);
        QCOMPARE(runCli({"export", report, "-o", "/nowhere/x.json"}).code, 4);
        QCOMPARE(runCli({"export", "/nowhere.sqlite"}).code, 3);
    }

    void aFileThatIsNotCompleteDoesNotStay()
    {
#ifdef Q_OS_UNIX
        const QTemporaryDir folder;
        const QString old = folder.filePath("trace.json");
        QFile file(old);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("old") == 3);
        file.close();
        // No file may be longer than a few blocks of 512 bytes: as a full disk.
        const auto runShort = [](const QStringList& arguments) {
            QProcess process;
            process.start(
                "sh", QStringList{"-c", R"(ulimit -f 8; exec "$0" "$@")", WARPLINE_CLI} + arguments);
            return process.waitForFinished() ? process.exitCode() : -1;
        };
        QCOMPARE(runShort({"export", "--no-cache", "--force", report, "-o", old}), 4);
        QCOMPARE(runShort({"export", "--no-cache", report, "-o", folder.filePath("new.json")}), 4);
        QCOMPARE(runShort({"report", "--no-cache", report, "-o", folder.filePath("page.html")}), 4);
        QCOMPARE(runShort({"cut", "--no-cache", report, folder.filePath("cut.sqlite")}), 4);
        QCOMPARE(runShort({"stats", "--no-cache", "--report", "cuda_gpu_trace", "--output", folder.path(),
                     report}),
            4);
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files), QStringList{"trace.json"});
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), QByteArray("old"));
        file.close();
        QVERIFY(file.setPermissions(QFile::ReadOwner));
        QCOMPARE(runCli({"export", "--force", report, "-o", old}).code, 4);
#endif
    }

    void partsAreOpenedAgain()
    {
        QTemporaryDir folder;
        const QString file = folder.filePath("cut.sqlite");
        QCOMPARE(runCli({"cut", report, file}).code, 0);
        QCOMPARE(kernelsIn(file), kernelsIn(report));
        const CliRun again = runCli({"cut", report, file});
        QVERIFY(again.code == 4 && again.errors.contains("exists"));
        QCOMPARE(runCli({"cut", "--force", report, report}).code, 4);
        const QString half = folder.filePath("half.sqlite");
        const qint64 end
            = runCli({"info", "--format", "json", report}).report()["range_ns"].toObject()["end"].toInteger();
        QCOMPARE(runCli({"cut", "--to", QString::number(end / 2), "--redact", report, half}).code, 0);
        QVERIFY(kernelsIn(half) < kernelsIn(report));
        const CliRun printed = runCli({"cut", report, "-o", "-"});
        QCOMPARE(printed.code, 0);
        QFile same(file);
        QVERIFY(same.open(QIODevice::ReadOnly));
        QCOMPARE(printed.output.size(), same.size());
        QVERIFY(printed.output.startsWith("SQLite format 3"));
        QCOMPARE(runCli({"cut", "--force", report, half}).code, 0);
        QCOMPARE(runCli({"cut", "--force", report, "-o", half}).code, 0);
        QCOMPARE(runCli({"cut", report}).code, 2);
        const QByteArray help = runCli({"cut", "--help"}).output;
        QVERIFY(help.contains("-o,--output FILE ") && !help.contains("-o,--output FILE REQUIRED"));
        QCOMPARE(kernelsIn(half), kernelsIn(report));
        QCOMPARE(runCli({"cut", "--from", "5", "--to", "5", report, folder.filePath("none")}).code, 2);
        QCOMPARE(runCli({"cut", "/nowhere.sqlite", folder.filePath("none")}).code, 3);
    }

    /// That it is a part stands in a note of each command, and on a page.
    void aPartIsToldAsOne()
    {
        QTemporaryDir folder;
        const QString part = folder.filePath("part.sqlite");
        const QJsonObject all = runCli({"info", "--format", "json", report}).report()["range_ns"].toObject();
        const QString end = QString::number(all["end"].toInteger() / 2);
        QCOMPARE(runCli({"cut", "--to", end, report, part}).code, 0);
        for (const char* const command :
            {"info", "stats", "analyze", "steps", "events", "history", "ranks"}) {
            QCOMPARE(runCli({command, "--format", "json", part}).codes().count("note"), 1);
            QCOMPARE(runCli({command, "--format", "json", report}).codes().count("note"), 0);
        }
        // Once is enough: on standard error, where the output does not say it.
        const QList<std::pair<QStringList, bool>> saysItself{{{"info", part}, true},
            {{"analyze", part}, true}, {{"analyze", "--format", "markdown", part}, true},
            {{"analyze", "--format", "csv", part}, false}, {{"analyze", "--rule", "gpu_gaps", part}, false},
            {{"sql", part, "SELECT count(*) FROM kernels"}, false}, {{"sql", "--tables", part}, false}};
        for (const auto& [command, inOutput] : saysItself) {
            const CliRun run = runCli(command);
            QCOMPARE(run.output.count("a part of a recording"), inOutput ? 1 : 0);
            QCOMPARE(run.errors.count("a part of a recording"), inOutput ? 0 : 1);
        }
        QCOMPARE(runCli({"sql", report, "SELECT count(*) FROM kernels"}).errors, QByteArray());
        QCOMPARE(runCli({"analyze", "--format", "json", part}).report()["part_of_range_ns"].toObject(), all);
        QVERIFY(runCli({"analyze", "--format", "json", report}).report()["part_of_range_ns"].isNull());
        const QByteArray head = "<p class=\"facts\">a part of a recording: ";
        QVERIFY(runCli({"report", part}).output.contains(head));
        QVERIFY(!runCli({"report", report}).output.contains(head));
    }

    /// An open end is that of the report, and a part with all of it is no part.
    void aPartEndsWithTheReport()
    {
        QTemporaryDir folder;
        const auto timesOf = [](const QString& file, const char* times) -> QJsonValue {
            return runCli({"info", "--format", "json", file}).report()[times];
        };
        const QJsonObject all = timesOf(report, "range_ns").toObject();
        const QString last = folder.filePath("last.sqlite");
        QCOMPARE(runCli({"cut", "--range", "500ms:", report, last}).code, 0);
        QCOMPARE(
            timesOf(last, "range_ns").toObject(), (QJsonObject{{"start", 500'000'000}, {"end", all["end"]}}));
        QCOMPARE(timesOf(last, "part_of_range_ns").toObject(), all);
        const QString lastOfLast = folder.filePath("last2.sqlite");
        QCOMPARE(runCli({"cut", "--range", "600ms:", last, lastOfLast}).code, 0);
        QCOMPARE(timesOf(lastOfLast, "range_ns").toObject()["end"], all["end"]);
        const QString same = folder.filePath("same.sqlite");
        QCOMPARE(runCli({"cut", "--range", "0:", report, same}).code, 0);
        QVERIFY(timesOf(same, "part_of_range_ns").isNull());
        QCOMPARE(timesOf(same, "range_ns").toObject(), all);
    }

    void onlyExportsAreCut()
    {
        QTemporaryDir folder;
        const QString trace = folder.filePath("trace.json");
        QCOMPARE(runCli({"export", report, "-o", trace}).code, 0);
        const CliRun run = runCli({"cut", "--redact", trace, folder.filePath("cut.sqlite")});
        QCOMPARE(run.code, 2);
        QCOMPARE(run.errorLines(), 1);
        QVERIFY(!QFile::exists(folder.filePath("cut.sqlite")));
    }

    /// A redacted copy tells what it lacks, others say nothing.
    void redactionIsTold()
    {
        QTemporaryDir folder;
        QCOMPARE(runCli({"cut", report, folder.filePath("cut.sqlite")}).errors, QByteArray());
        const QString redacted = folder.filePath("redacted.sqlite");
        const CliRun first = runCli({"cut", "--redact", report, redacted});
        QCOMPARE(first.errorLines(), 1);
        QVERIFY2(first.errors.contains(" in 1 text."), first.errors);
        const CliRun again = runCli({"cut", "--redact", redacted, folder.filePath("again.sqlite")});
        QVERIFY2(again.errorLines() == 1 && !again.errors.contains(" 0 "), again.errors);
    }

    /// A signal that ends the program while it prints: the temporary copy goes.
    void anEndedCutLeavesNoCopy()
    {
#ifdef Q_OS_LINUX
        const QTemporaryDir folder;
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("TMPDIR", folder.path());
        process.setProcessEnvironment(environment);
        process.setStandardOutputFile(folder.filePath("pipe"));
        QCOMPARE(::mkfifo(qPrintable(folder.filePath("pipe")), S_IRUSR | S_IWUSR), 0);
        const int pipe = ::open(qPrintable(folder.filePath("pipe")), O_RDWR); // takes 64 KiB, and no more
        process.start(WARPLINE_CLI, {"cut", report, "-o", "-"});
        const auto copies = [&] {
            QDirIterator files(folder.path(), {"part.sqlite"}, QDir::Files, QDirIterator::Subdirectories);
            return files.hasNext();
        };
        QTRY_VERIFY_WITH_TIMEOUT(copies(), 60'000);
        process.terminate();
        QVERIFY(process.waitForFinished());
        ::close(pipe);
        QCOMPARE(process.exitStatus(), QProcess::CrashExit);
        QCOMPARE(QDir(folder.path()).entryList(QDir::AllEntries | QDir::System | QDir::NoDotAndDotDot),
            QStringList{"pipe"});
#endif
    }
};

WARPLINE_TEST(CliCutTest)

} // namespace tst_cli_cut

#include "tst_cli_cut.moc"
