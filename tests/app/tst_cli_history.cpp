// warpline-cli history, run as a process on generated nightly recordings with a known change.

#include "cli_runner.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QXmlStreamReader>

#include <cmath>
#include <filesystem>
#include <random>

namespace tst_cli_history {

using namespace warpline::test;

namespace {

constexpr qint64 firstNight = 1'767'225'600; // 2026-01-01, seconds since 1970
constexpr int nights = 200;
constexpr int changed = 120;

struct Night {
    int number = 0;
    double scale = 1; ///< of all kernels, as on a warm or busy machine
    int checks = 0; ///< kernels more in each step
};

/// A trace of 12 steps, as PyTorch's profiler writes it.
QByteArray nightTrace(const Night& night)
{
    QByteArray events;
    double time = 1000;
    int correlation = 1;
    const auto add = [&](const char* category, const QByteArray& name, int tid, double start, double length,
                         const QByteArray& arguments) {
        events += events.isEmpty() ? "" : ",\n";
        events += QByteArray("{\"ph\":\"X\",\"cat\":\"") + category + "\",\"name\":\"" + name
            + "\",\"pid\":" + (tid == 7 ? "0" : "1") + ",\"tid\":" + QByteArray::number(tid)
            + ",\"ts\":" + QByteArray::number(start, 'f', 3)
            + ",\"dur\":" + QByteArray::number(length, 'f', 3) + ",\"args\":{" + arguments + "}}";
    };
    for (int step = 0; step < 12; ++step) {
        const double start = time;
        double gpu = time + 20;
        for (int i = 0; i < 5 + night.checks; ++i) {
            const double length = night.scale * (i < 4 ? 1000 : i == 4 ? 400 : 150) + step % 3;
            const QByteArray id = "\"correlation\":" + QByteArray::number(correlation++);
            add("cuda_runtime", "cudaLaunchKernel", 1, time, 4, id);
            add("kernel",
                i < 4        ? "gemm_main"
                    : i == 4 ? "norm"
                             : "check_for_nan",
                7, gpu, length,
                "\"device\":0,\"context\":1,\"stream\":7,\"grid\":[64,1,1],\"block\":[128,1,1]," + id);
            gpu += length + 1;
            time += 10;
        }
        add("cuda_runtime", "cudaDeviceSynchronize", 1, time, gpu - time + 2,
            "\"correlation\":" + QByteArray::number(correlation++));
        time = gpu + 10;
        add("user_annotation", "ProfilerStep#" + QByteArray::number(step), 1, start, time - start - 1, "");
    }
    return "{\"schemaVersion\":1,\"deviceProperties\":[{\"id\":0,\"name\":\"NVIDIA H200\",\"computeMajor\":9}],"
           "\"baseTimeNanoseconds\":"
        + QByteArray::number((firstNight + 86'400LL * night.number) * 1'000'000'000LL) + ",\"traceEvents\":["
        + events + "]}";
}

void writeFile(const QString& path, const QByteArray& content)
{
    QFile file(path);
    QVERIFY2(file.open(QIODevice::WriteOnly), qPrintable(path));
    QCOMPARE(file.write(content), content.size());
}

/// Clocks vary by 1 % from night to night, some nights the machine is busy, and from `changed` on each step
/// looks for NaNs.
void writeNights(const QString& folder, int count = nights, int from = changed)
{
    std::mt19937 random(7);
    std::normal_distribution<double> noise(1, 0.01);
    for (int i = 0; i < count; ++i) {
        const double busy = i % 37 == 11 ? 1.4 : 1;
        writeFile(folder + QString("/night_%1.json").arg(i),
            nightTrace({i, busy * noise(random), i >= from ? 2 : 0}));
    }
}

} // namespace

class CliHistoryTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_cache;
    QTemporaryDir m_folder;

private slots:
    void initTestCase()
    {
        qputenv("XDG_CACHE_HOME", m_cache.path().toUtf8());
        writeNights(m_folder.path());
    }

    /// The change, when it happened, and why.
    void theChangeIsFoundWithItsCause()
    {
        const CliRun run = runCli({"history", "--format", "json", "--jobs", "2", m_folder.path()});
        QVERIFY2(run.code == 0, run.errors);
        const QJsonObject history = run.report();
        QCOMPARE(history["recordings"].toArray().size(), nights);
        const QJsonArray changes = history["changes"].toArray();
        QCOMPARE(changes.size(), 1);
        const QJsonObject change = changes[0].toObject();
        const QString file = change["first_file"].toString();
        const int at = file.section('_', -1).section('.', 0, 0).toInt();
        QVERIFY2(std::abs(at - changed) <= 1, qPrintable(file));
        QCOMPARE(change["verdict"].toString(), QString("slower"));
        // Two kernels of 150 us in a step of 4.4 ms.
        QVERIFY2(std::abs(change["delta_ns"].toDouble() - 300e3) < 60e3, run.output.left(2000));
        QString story;
        for (const QJsonValue& line : change["story"].toArray())
            story += line.toString() + '\n';
        QVERIFY2(story.contains("check_for_nan is new"), qPrintable(story));
        for (const QJsonValue& recording : history["recordings"].toArray()) {
            qint64 sum = 0;
            for (const QJsonValue& part : recording["budget"].toArray())
                sum += part["ns"].toInteger();
            QCOMPARE(sum, recording["mean_ns"].toInteger());
        }
        QCOMPARE(history["recordings"][11]["outlier"].toBool(), true);
        QCOMPARE(history["recordings"][12]["outlier"].toBool(), false);
        // Its suggested command works.
        const QStringList more = change["ask_on"].toString().split(' ');
        QCOMPARE(runCli(more.mid(1)).code, 0);
    }

    /// A second run reads no report: their content is removed, and the result is the same.
    void keptSummariesAreEnough()
    {
        QTemporaryDir folder;
        writeNights(folder.path(), 40, 20);
        const QStringList ask{"history", "--format", "json", folder.path()};
        const CliRun first = runCli(ask);
        QVERIFY2(first.code == 0, first.errors);
        QCOMPARE(first.report()["changes"].toArray().size(), 1);
        for (const QFileInfo& file : QDir(folder.path()).entryInfoList(QDir::Files)) {
            const std::filesystem::path path = file.filePath().toStdString();
            const auto before = std::filesystem::last_write_time(path);
            QFile report(file.filePath());
            QVERIFY(report.open(QIODevice::ReadWrite));
            // Folders list files that begin like a trace.
            QVERIFY(report.seek(200));
            report.write(QByteArray(file.size() - 200, 'x'));
            report.close();
            std::filesystem::last_write_time(path, before);
        }
        const CliRun second = runCli(ask);
        QCOMPARE(second.code, 0);
        QCOMPARE(second.output, first.output);
        QVERIFY(runCli(ask + QStringList{"--no-cache"}).code != 0);
        // The same without the cache folder.
        QDir(m_cache.path() + "/warpline").removeRecursively();
        QVERIFY(runCli(ask).code != 0);
    }

    void withoutCacheNothingIsKept()
    {
        QDir(m_cache.path() + "/warpline").removeRecursively();
        QTemporaryDir folder;
        writeNights(folder.path(), 8, 8);
        QCOMPARE(runCli({"history", "--no-cache", folder.path()}).code, 0);
        QVERIFY(!QDir(m_cache.path() + "/warpline").exists());
        const CliRun kept = runCli({"history", "--format", "json", folder.path()});
        QCOMPARE(QDir(m_cache.path() + "/warpline/traces").entryList({"*.answer"}).size(), 8);
        // A damaged result is ignored.
        for (const QFileInfo& file : QDir(m_cache.path() + "/warpline/traces").entryInfoList({"*.answer"}))
            QFile::resize(file.filePath(), file.size() / 2);
        QCOMPARE(runCli({"history", "--format", "json", folder.path()}).output, kept.output);
    }

    /// Also the second time, when the others are not read.
    void aFileThatWasCutOffIsNamedEachTime()
    {
        QTemporaryDir folder;
        writeNights(folder.path(), 8, 8);
        const QString half = folder.path() + "/night_3.json";
        QVERIFY(QFile::resize(half, QFileInfo(half).size() / 2));
        for (const char* const command : {"history", "history", "ranks"}) {
            const CliRun run = runCli({command, "--format", "json", folder.path()});
            QStringList named;
            for (const QJsonValue& error : run.document()["errors"].toArray()) {
                if (error["code"].toString() == "note")
                    named += error["file"].toString();
            }
            QCOMPARE(named, QStringList{half});
        }
        QCOMPARE(runCli({"history", "--fail-on-regression", "50", folder.path()}).code, 6);
        QCOMPARE(runCli({"history", "--fail-on-regression", "50", "--last", "4", folder.path()}).code, 0);
    }

    /// A report that was recorded again under its name is read again.
    void aChangedReportIsReadAgain()
    {
        QTemporaryDir folder;
        writeNights(folder.path(), 8, 8);
        const auto newest = [&] {
            return runCli({"history", "--format", "json", folder.path()}).report()["newest"].toObject();
        };
        QCOMPARE(newest()["verdict"].toString(), QString("no_difference"));
        writeFile(folder.path() + "/night_7.json", nightTrace({7, 2, 0}));
        QCOMPARE(newest()["verdict"].toString(), QString("slower"));
    }

    void theGateLooksAtTheNewest()
    {
        const QStringList gate{"history", "--fail-on-regression", "2", "--format", "json"};
        QTemporaryDir folder;
        writeNights(folder.path(), 11, 11);
        const CliRun good = runCli(gate + QStringList{folder.path()});
        QCOMPARE(good.code, 0);
        QCOMPARE(good.report()["regression"].toBool(true), false);
        writeFile(folder.path() + "/night_11.json", nightTrace({11, 1.3, 0}));
        const CliRun bad = runCli(gate + QStringList{folder.path()});
        QCOMPARE(bad.code, 1);
        QCOMPARE(bad.report()["regression"].toBool(), true);
        QCOMPARE(runCli({"history", "--fail-on-regression", "50", folder.path()}).code, 0);
        QCOMPARE(
            runCli(gate + QStringList{"--last", "1", folder.path()}).code, 6); // one alone has no verdict
        QCOMPARE(runCli({"history", "--last", "1", folder.path()}).code, 0);
        // A saved set that includes none of its reports does not pass.
        writeFile(folder.path() + "/none.warpline",
            R"({"warpline_reports": 1, "reports": [{"file": "night_1.json", "included": false}]})");
        const CliRun none = runCli(gate + QStringList{folder.path() + "/none.warpline"});
        QCOMPARE(none.code, 3);
        QCOMPARE(none.codes().size(), 1);
        QVERIFY(runCli({"history", "--help"}).output.contains("saved set"));
    }

    /// What a part lacks is noted each time, also when its measures come from the cache.
    void partsAreKeptWithTheirNotes()
    {
        QDir(m_cache.path() + "/warpline").removeRecursively();
        QTemporaryDir folder;
        const QString part = folder.filePath("part.sqlite");
        QCOMPARE(
            runCli({"cut", "--range", ":500ms", WARPLINE_TEST_DATA "/reports/streams.sqlite", part}).code, 0);
        const CliRun first = runCli({"history", "--format", "json", part});
        QCOMPARE(first.codes().count("note"), 1);
        QCOMPARE(QDir(m_cache.path() + "/warpline/traces").entryList({"*.answer"}).size(), 1);
        QCOMPARE(runCli({"history", "--format", "json", part}).output, first.output);
    }

    /// A recording that does not belong is an error in the output, and the others have results.
    void strangersDoNotStopTheRest()
    {
        QTemporaryDir folder;
        writeNights(folder.path(), 8, 8);
        writeFile(folder.path() + "/notes.txt", "not a report");
        writeFile(folder.path() + "/broken.json", "{\"traceEvents\": [{\"ph\":");
        writeFile(folder.path() + "/idle.json", "{\"traceEvents\": []}");
        QVERIFY(QFile::copy(WARPLINE_TEST_DATA "/reports/bert_fp32.sqlite", folder.path() + "/bert.sqlite"));
        QVERIFY(QFile::copy(folder.path() + "/night_3.json", folder.path() + "/copy.json"));
        const CliRun run = runCli({"history", "--format", "json", folder.path()});
        QCOMPARE(run.report()["recordings"].toArray().size(), 8);
        QStringList codes = run.codes();
        codes.sort();
        QVERIFY2(codes.contains("not_comparable") && codes.contains("note"), qPrintable(codes.join(' ')));
        QCOMPARE(run.code, 8); // the highest
        QVERIFY2(run.errors.contains("/idle.json "), run.errors);
        QCOMPARE(
            runCli({"history", folder.path() + "/nowhere.json", folder.path() + "/night_1.json"}).code, 3);
    }

    void formats()
    {
        const CliRun csv = runCli({"history", "--format", "csv", m_folder.path()});
        QCOMPARE(csv.code, 0);
        QCOMPARE(csv.output.count('\n'), nights + 1);
        const CliRun page = runCli({"history", "--format", "html", m_folder.path()});
        QCOMPARE(page.code, 0);
        int pictures = 0;
        for (qsizetype at = page.output.indexOf("<svg"); at >= 0; at = page.output.indexOf("<svg", at + 1)) {
            const qsizetype end = page.output.indexOf("</svg>", at);
            QXmlStreamReader svg(page.output.mid(at, end + 6 - at));
            int dots = 0;
            while (!svg.atEnd()) {
                svg.readNext();
                dots += svg.isStartElement() && (svg.name() == u"circle" || svg.name() == u"rect") ? 1 : 0;
            }
            QVERIFY2(!svg.hasError(), qPrintable(svg.errorString()));
            QVERIFY2(dots >= nights, qPrintable(QString::number(dots)));
            ++pictures;
        }
        QCOMPARE(pictures, 2);
        QVERIFY(!page.output.contains("http"));
        QCOMPARE(runCli({"history", "--format", "csv", "--rows", "5", m_folder.path()}).code, 2);
    }

    /// Names of files are text of the user's, in a page too.
    void namesAreEscaped()
    {
        QTemporaryDir folder;
        const QString name = folder.path() + "/<b>\x1b[2J & 'x'.json";
        writeFile(name, nightTrace({0, 1, 0}));
        writeFile(folder.path() + "/y.json", nightTrace({1, 1, 0}));
        const CliRun page = runCli({"history", "--format", "html", folder.path()});
        QVERIFY(!page.output.contains("<b>") && !page.output.contains('\x1b'));
        const CliRun table = runCli({"history", folder.path()});
        QVERIFY(!table.output.contains('\x1b'));
    }
};

WARPLINE_TEST(CliHistoryTest)

} // namespace tst_cli_history

#include "tst_cli_history.moc"
