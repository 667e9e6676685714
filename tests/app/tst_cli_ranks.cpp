// warpline-cli ranks: its JSON, formats, unreadable files; and warpline-fleet, whose result does not depend
// on the number of MPI processes.

#include "tests/app/cli_runner.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonObject>
#include <QStandardPaths>
#include <QTemporaryDir>

namespace tst_cli_ranks {

using namespace warpline::test;

namespace {

QString shared(const char* name)
{
    return QString::fromStdString(sharedReport(name));
}

const QString fleet = QStringLiteral(WARPLINE_FLEET_PROGRAM);

/// The program that starts processes of `fleet`; empty: there is none, or the build has no MPI.
QString mpirunOfFleet()
{
    return fleet.isEmpty() ? QString() : QStandardPaths::findExecutable("mpirun");
}

/// `program` run to its end; its standard output.
CliRun runProgram(const QString& program, const QStringList& arguments,
    const QProcessEnvironment& environment = QProcessEnvironment::systemEnvironment())
{
    constexpr int patienceMs = 240'000;
    QProcess process;
    process.setProcessEnvironment(environment);
    process.start(program, arguments);
    CliRun run;
    if (process.waitForFinished(patienceMs) && process.exitStatus() == QProcess::NormalExit)
        run.code = process.exitCode();
    run.output = process.readAllStandardOutput();
    run.errors = process.readAllStandardError();
    return run;
}

CliRun runFleet(const QString& mpirun, const QStringList& arguments)
{
    // MPI's library keeps allocations of modules that it has closed by the end: suppressions cannot name
    // them.
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("ASAN_OPTIONS", environment.value("ASAN_OPTIONS") + ":detect_leaks=0");
    return runProgram(mpirun, arguments, environment);
}

} // namespace

#define SKIP_WITHOUT(path) \
    if ((path).isEmpty())  \
    QSKIP("the shared reports are not there: ../shared/reports")

class CliRanksTest : public QObject {
    Q_OBJECT

private slots:
    void jsonHasWhatItPromises();
    void allFormatsTellTheVerdict();
    void filesThatCannotBeReadAreListed();
    void strangersHaveNoClock();
    void strangersAreNoError();
    void reportsThatAreLeftOutAreMentioned();
    void madeRanks();
    void aDriftingHostIsNotBlamed();
    void foldersAndPatterns();
    void aCommaIsAPartOfAName();
    void rulesAcrossReportsCanBeNamed();
    void fleetsSayTheSame();
    void processesOfAFleetReadTheFilesOfTheFirst();

private:
    QStringList makeRanks(int count);
    QTemporaryDir m_folder;
};

void CliRanksTest::jsonHasWhatItPromises()
{
    const QString first = shared("ddp_straggler_rank0");
    SKIP_WITHOUT(first);
    const CliRun run = runCli({"ranks", "--format", "json", first, shared("ddp_straggler_rank1")});
    QCOMPARE(run.code, 0);
    QVERIFY(run.errors.isEmpty());
    const QJsonObject json = run.report();
    QCOMPARE(json["judged"].toBool(), true);
    QCOMPARE(json["pattern"].toString(), QString("persistent"));
    QCOMPARE(json["late_rank"].toInt(), 1);
    QCOMPARE(json["cause"]["part"].toString(), QString("data_load"));
    QCOMPARE(json["cause"]["kind"].toString(), QString("nvtx"));
    QVERIFY(std::abs(json["cause"]["delta_ns_per_step"].toInteger() - 23'400'000) < 1'000'000);
    QVERIFY(std::abs(json["cause"]["delta_ns"].toInteger() - 131'400'000) < 100'000);
    QCOMPARE(json["cause"]["steps_longer"].toInteger(), 6);
    QCOMPARE(json["matched"].toInteger(), 72);
    QCOMPARE(json["unmatched"].toInteger(), 0);
    const QJsonObject report = json["files"].toArray().at(1).toObject();
    QCOMPARE(report["rank"].toInteger(), 1);
    QCOMPARE(report["host"].toString(), QString("host"));
    QVERIFY(std::abs(report["offset_ns"].toInteger() - 18'663'300) <= 2'000);
    QCOMPARE(report["method"].toString(), QString("start_time"));
    QVERIFY(report["uncertainty_ns"].toInteger() > 0 && report["matches"].toInteger() >= 70);
    const QJsonObject rank = json["ranks"].toArray().at(0).toObject();
    QVERIFY(std::abs(rank["wait_ns"].toInteger() - 340'529'416) < 100'000);
    QVERIFY(std::abs(rank["exposed_wait_ns"].toInteger() - 146'400'000) < 3'000'000);
    QCOMPARE(rank["blame_ns"].toInteger(), 0);
    QVERIFY(rank["transfer_ns"].toInteger() > 0 && rank.contains("last_count"));
    QCOMPARE(json["steps"].toArray().size(), 6);
    QCOMPARE(json["steps"].toArray().at(0)["ranks"].toArray().size(), 2);
    QCOMPARE(json["collectives"].toArray().at(0)["operation"].toString(), QString("all-reduce"));
    QVERIFY(!json["findings"].toArray().isEmpty());
}

void CliRanksTest::allFormatsTellTheVerdict()
{
    const QString one = shared("h200-more/halo_one"); // four ranks in one report
    SKIP_WITHOUT(one);
    for (const char* format : {"table", "markdown", "html", "json"}) {
        const CliRun run = runCli({"ranks", "--format", format, one});
        QCOMPARE(run.code, 0);
        QVERIFY2(
            run.output.contains("Rank 2 is late in 18 of 19 steps after warm-up: assemble takes"), format);
        QVERIFY2(run.output.contains("step_10"), format);
        QVERIFY2(run.output.contains("lasts from its first work to the first work of the next step")
                != (QByteArray(format) == "json"),
            format);
    }
    // The excess of data_load on one rank in 6 steps.
    const CliRun both = runCli({"ranks", shared("ddp_straggler_rank0"), shared("ddp_straggler_rank1")});
    QVERIFY2(both.output.contains("Potential saving: up to 131 ms."), both.output.constData());
    // For people: readable units, and no empty columns.
    QVERIFY2(both.output.contains("340.5 ms") && !both.output.contains("(ns)"), both.output.constData());
    QVERIFY2(!both.output.contains("Clock (MHz)"), both.output.constData());
    QCOMPARE(runCli({"ranks", "--format", "csv", one}).code, 2);
    QCOMPARE(runCli({"ranks"}).code, 2);
}

void CliRanksTest::filesThatCannotBeReadAreListed()
{
    const QString first = shared("ddp_straggler_rank0");
    SKIP_WITHOUT(first);
    const QString broken = m_folder.filePath("broken.sqlite");
    QFile file(broken);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("no report") > 0);
    file.close();
    const CliRun run = runCli({"ranks", "--format", "json", first, broken, shared("ddp_straggler_rank1"),
        m_folder.filePath("none")});
    QCOMPARE(run.code, 3);
    QCOMPARE(run.errorLines(), 2);
    const QJsonObject json = run.report();
    QCOMPARE(json["late_rank"].toInt(), 1);
    QCOMPARE(json["files"].toArray().size(), 4);
    QVERIFY(json["files"].toArray().at(1)["note"].toString().contains("broken.sqlite"));
    QCOMPARE(json["files"].toArray().at(1)["judged"].toBool(), false);
}

void CliRanksTest::strangersHaveNoClock()
{
    const CliRun run = runCli({"ranks", WARPLINE_TEST_DATA "/reports/ddp_overlap_rank0.sqlite",
        WARPLINE_TEST_DATA "/reports/streams.sqlite"});
    QVERIFY2(run.output.contains("streams.sqlite") && !run.output.contains("0 ns"), run.output.constData());
}

void CliRanksTest::strangersAreNoError()
{
    const QString first = shared("ddp_straggler_rank0");
    SKIP_WITHOUT(first);
    const CliRun run = runCli({"ranks", first, shared("bert_amp")});
    QCOMPARE(run.code, 9); // no verdict must not pass for a good one
    QVERIFY(run.output.contains("there is no verdict"));
    QVERIFY(run.output.contains("No collectives"));
}

void CliRanksTest::reportsThatAreLeftOutAreMentioned()
{
    const QString several = QStringLiteral(WARPLINE_TEST_DATA "/reports/halo_one.sqlite"); // four ranks
    const QString other = QStringLiteral(WARPLINE_TEST_DATA "/reports/ddp_overlap_rank0.sqlite");
    const CliRun run = runCli({"ranks", "--format", "json", several, other, several});
    QCOMPARE(run.code, 0);
    QStringList files;
    for (const QJsonValue& error : run.document()["errors"].toArray()) {
        QCOMPARE(error["code"].toString(), QString("note"));
        files << error["file"].toString();
    }
    QCOMPARE(files, (QStringList{other, several}));
}

QStringList CliRanksTest::makeRanks(int count)
{
    const QString folder = m_folder.filePath(QString::number(count));
    const QString base = shared("h200-more/ddp_json_rank1");
    if (!base.isEmpty() && !QFile::exists(folder))
        runProgram(WARPLINE_MAKE_RANKS, {base, QString::number(count), folder, "5"});
    QStringList files;
    for (int rank = 0; rank < count; ++rank)
        files << folder + "/rank" + QString::number(rank) + ".sqlite";
    return base.isEmpty() ? QStringList() : files;
}

void CliRanksTest::madeRanks()
{
    const QStringList files = makeRanks(12);
    SKIP_WITHOUT(files);
    const CliRun run = runCli(QStringList{"ranks", "--format", "json"} + files);
    QCOMPARE(run.code, 0);
    const QJsonObject json = run.report();
    QCOMPARE(json["ranks"].toArray().size(), 12);
    QCOMPARE(json["pattern"].toString(), QString("persistent"));
    QCOMPARE(json["late_rank"].toInt(), 5);
    QCOMPARE(json["cause"]["part"].toString(), QString("data_load"));
    QVERIFY(std::abs(json["cause"]["delta_ns_per_step"].toInteger() - 20'000'000) < 500'000);
    QCOMPARE(json["matched"].toInteger(), 72);
    QCOMPARE(json["unmatched"].toInteger(), 0); // rank 5 has lost one: it is only missing in that one
    const QJsonArray reports = json["files"].toArray();
    for (int rank = 0; rank < 12; ++rank)
        QCOMPARE(reports.at(rank)["method"].toString(), QString(rank == 8 ? "matched" : "start_time"));
}

/// Forty ranks on five hosts; the clock of the third runs too fast, and some ranks lost a collective.
void CliRanksTest::aDriftingHostIsNotBlamed()
{
    const QStringList files = makeRanks(40);
    SKIP_WITHOUT(files);
    const CliRun run = runCli(QStringList{"ranks", "--format", "json"} + files);
    QCOMPARE(run.code, 0);
    const QJsonObject json = run.report();
    QCOMPARE(json["ranks"].toArray().size(), 40);
    QCOMPARE(json["late_rank"].toInt(), 5);
    QCOMPARE(json["pattern"].toString(), QString("persistent"));
    QCOMPARE(json["cause"]["part"].toString(), QString("data_load"));
}

/// Each report has the findings of its own rank; a gate holds for all.
void CliRanksTest::rulesAcrossReportsCanBeNamed()
{
    const QStringList files{shared("ddp_straggler_rank0"), shared("ddp_straggler_rank1")};
    SKIP_WITHOUT(files.front());
    const QStringList named{"analyze", "--rule", "late_rank", "--format", "json", "--fail-on", "low"};
    const CliRun run = runCli(named + files);
    QCOMPARE(run.code, 1);
    QCOMPARE(run.reports().size(), 2);
    const QJsonArray late = run.report(0)["findings"].toArray(); // of the rank that waits
    QVERIFY(run.report(1)["findings"].toArray().isEmpty());
    QCOMPARE(run.report(1)["rules"][0]["state"].toString(), QString("nothing"));
    QCOMPARE(late.size(), 1);
    QCOMPARE(late[0]["rule"].toString(), QString("late_rank"));
    QCOMPARE(runCli(named + files.first(1)).code, 9); // alone it has nothing to look at
}

void CliRanksTest::foldersAndPatterns()
{
    const QStringList files = makeRanks(3);
    SKIP_WITHOUT(files);
    const QString folder = QFileInfo(files.front()).path();
    const CliRun named = runCli(QStringList{"ranks", "--format", "json"} + files);
    QCOMPARE(named.code, 0);
    QCOMPARE(runCli({"ranks", "--format", "json", folder}).output, named.output);
    QCOMPARE(runCli({"ranks", "--format", "json", folder + "/rank*.sqlite"}).output, named.output);
    // A saved set, as compare takes it.
    QFile set(m_folder.filePath("three.warpline"));
    QVERIFY(set.open(QIODevice::WriteOnly));
    set.write(
        R"({"warpline_reports": 1, "reports": [{"file": "3/rank0.sqlite"}, {"file": "3/rank1.sqlite"},
            {"file": "3/rank2.sqlite"}]})");
    set.close();
    const CliRun saved = runCli({"ranks", "--format", "json", set.fileName()});
    QVERIFY2(saved.code == 0, saved.errors.constData());
    QCOMPARE(saved.report()["ranks"].toArray().size(), 3);
    // Its ranks and clocks set by hand count.
    QVERIFY(set.open(QIODevice::WriteOnly));
    set.write(
        R"({"warpline_reports": 1, "reports": [{"file": "3/rank0.sqlite", "rank": 7},
            {"file": "3/rank1.sqlite", "offset_ns": 12345}, {"file": "3/rank2.sqlite"}]})");
    set.close();
    const QJsonObject byHand = runCli({"ranks", "--format", "json", set.fileName()}).report();
    QCOMPARE(byHand["files"][0]["rank"].toInt(), 7);
    QCOMPARE(byHand["files"][1]["offset_ns"].toInteger(), 12345);
    // Names are the shortest unique ones.
    const CliRun table = runCli({"ranks", folder});
    QVERIFY(table.output.contains(" rank2.sqlite ") && !table.output.contains(folder.toUtf8()));
    const CliRun none = runCli({"ranks", folder + "/no*.sqlite"});
    QCOMPARE(none.code, 3);
    QCOMPARE(none.errorLines(), 1);
}

void CliRanksTest::aCommaIsAPartOfAName()
{
    const QString folder = m_folder.filePath("x,y");
    const QString file = folder + "/halo.sqlite"; // four ranks
    QVERIFY(QDir().mkpath(folder) && QFile::copy(WARPLINE_TEST_DATA "/reports/halo_one.sqlite", file));
    const CliRun run = runCli({"ranks", "--format", "json", folder + "/*.sqlite"});
    QVERIFY2(run.code == 0, run.errors.constData());
    QCOMPARE(run.report()["ranks"].toArray().size(), 4);
    const auto size = QFileInfo(file).size();
    QCOMPARE(runCli({"ranks", folder + "/*.sqlite", "-o", file, "--force"}).code, 4);
    QCOMPARE(QFileInfo(file).size(), size);
}

void CliRanksTest::fleetsSayTheSame()
{
    const QString mpirun = mpirunOfFleet();
    if (mpirun.isEmpty())
        QSKIP("built without MPI, or mpirun is not on the PATH");
    QStringList files = makeRanks(12);
    SKIP_WITHOUT(files);
    QFile broken(QFileInfo(files.front()).path() + "/rank99.sqlite");
    QVERIFY(broken.open(QIODevice::WriteOnly) && broken.write("no report") > 0);
    broken.close();
    files << broken.fileName();
    const CliRun alone = runCli(QStringList{"ranks", "--format", "json", "--no-cache"} + files);
    QCOMPARE(alone.code, 3);
    for (const char* count : {"1", "2", "3", "4"}) {
        const QString output = m_folder.filePath(QString("fleet%1.json").arg(count));
        const CliRun run = runFleet(mpirun,
            {"--allow-run-as-root", "--oversubscribe", "-n", count, fleet, QFileInfo(files.front()).path(),
                "-o", output});
        QVERIFY2(run.code == 3, run.errors.constData());
        QVERIFY(run.errors.contains("rank99.sqlite"));
        QFile written(output);
        QVERIFY(written.open(QIODevice::ReadOnly));
        QVERIFY(written.readAll() == alone.output);
    }
    broken.remove();
    // A file that is there stays without --force.
    const QString written = m_folder.filePath("fleet2.json");
    for (const QStringList& force : {QStringList(), QStringList{"--force"}}) {
        const CliRun again = runFleet(mpirun,
            QStringList{"--allow-run-as-root", "--oversubscribe", "-n", "2", fleet,
                QFileInfo(files.front()).path(), "-o", written}
                + force);
        QCOMPARE(again.code, force.isEmpty() ? 4 : 0);
    }
    // A report that is read is not written over, whatever else is.
    const auto sizeBefore = QFileInfo(files.front()).size();
    for (const QStringList& output : {QStringList{"--output="}, QStringList{"-o", ""}}) {
        const CliRun empty = runFleet(mpirun,
            QStringList{"--allow-run-as-root", "--oversubscribe", "-n", "2", fleet, "--force"} + output
                + files);
        QVERIFY2(empty.code == 2 && empty.errors.contains("--output has an empty value"),
            empty.errors.constData());
    }
    QCOMPARE(QFileInfo(files.front()).size(), sizeBefore);
    const CliRun itself = runFleet(mpirun,
        {"--allow-run-as-root", "--oversubscribe", "-n", "2", fleet, QFileInfo(files.front()).path(), "-o",
            files.front()});
    QVERIFY2(itself.code == 4, itself.errors.constData());
    QVERIFY(itself.errors.contains("is read"));
    QCOMPARE(QFileInfo(files.front()).size(), sizeBefore);
    // Nor is a saved set, whatever it lists.
    QVERIFY(
        runFleet(mpirun, {"--allow-run-as-root", "-n", "1", fleet, "--help"}).output.contains("saved set"));
    QFile set(m_folder.filePath("fleet.warpline"));
    for (const QByteArray reports : {R"([{"file": "12/rank0.sqlite"}, {"file": "12/rank1.sqlite"}])", "[]"}) {
        const QByteArray text = R"({"warpline_reports": 1, "reports": )" + reports + "}";
        QVERIFY(set.open(QIODevice::WriteOnly) && set.write(text) == text.size());
        set.close();
        const CliRun over = runFleet(mpirun,
            {"--allow-run-as-root", "--oversubscribe", "-n", "2", fleet, set.fileName(), "-o", set.fileName(),
                "--force"});
        QVERIFY2(over.code == 4, over.errors.constData());
        QVERIFY(set.open(QIODevice::ReadOnly));
        QCOMPARE(set.readAll(), text);
        set.close();
    }
}

void CliRanksTest::processesOfAFleetReadTheFilesOfTheFirst()
{
    const QString mpirun = mpirunOfFleet();
    if (mpirun.isEmpty())
        QSKIP("built without MPI, or mpirun is not on the PATH");
    const QStringList files = makeRanks(2);
    SKIP_WITHOUT(files);
    // The second process sees a larger rank1.sqlite: by its own sizes it would read the other report.
    for (const QString& place : {QString("first/R"), QString("second/R")}) {
        QVERIFY(QDir().mkpath(m_folder.filePath(place)));
        for (const QString& file : files)
            QVERIFY(QFile::copy(file, m_folder.filePath(place + "/" + QFileInfo(file).fileName())));
    }
    QFile larger(m_folder.filePath("second/R/rank1.sqlite"));
    QVERIFY(larger.open(QIODevice::Append) && larger.write(QByteArray(1'000'000, '\0')) == 1'000'000);
    larger.close();
    const QString first = m_folder.filePath("first");
    const QString second = m_folder.filePath("second");
    const QStringList one{"--allow-run-as-root", "--oversubscribe", "-wdir", first, "-n", "1", fleet, "R"};
    const CliRun alone = runFleet(mpirun, one);
    QVERIFY2(alone.code == 0, alone.errors.constData());
    const CliRun both = runFleet(mpirun, one + QStringList{":", "-wdir", second, "-n", "1", fleet, "R"});
    QVERIFY2(both.code == 0, both.errors.constData());
    QCOMPARE(both.output, alone.output);
}

#undef SKIP_WITHOUT

WARPLINE_TEST(CliRanksTest)

} // namespace tst_cli_ranks

#include "tst_cli_ranks.moc"
