// warpline-cli events and export --where: formats, order, mistakes.

#include "tests/app/cli_runner.h"
#include "tests/support/test_program.h"
#include <algorithm>

#include <QJsonArray>
#include <QJsonObject>

#include <algorithm>

namespace tst_cli_events {

using namespace warpline::test;

namespace {

const QString report = QStringLiteral(WARPLINE_TEST_DATA "/reports/bert_fp32.sqlite");

} // namespace

class CliEventsTest : public QObject {
    Q_OBJECT

private slots:
    void formatsSayTheSame()
    {
        const QStringList asked{"events", "--where", "kind=kernel dur>100us", "--sort", "dur", "--top", "20"};
        const CliRun json = runCli(asked + QStringList{"--format", "json", report});
        QCOMPARE(json.code, 0);
        const QJsonArray rows = json.rows();
        QCOMPARE(rows.size(), 20);
        qint64 before = std::numeric_limits<qint64>::max();
        for (const QJsonValue& row : rows) {
            const qint64 duration = row.toObject()["Duration (ns)"].toInteger();
            QVERIFY(duration > 100'000 && duration <= before);
            QCOMPARE(row.toObject()["Kind"].toString(), QString("kernel"));
            before = duration;
        }
        const CliRun csv = runCli(asked + QStringList{"--format", "csv", report});
        QCOMPARE(csv.output.count('\n'), 21);
        QVERIFY(runCli(asked + QStringList{report}).output.contains("Duration (ns)"));
        // `matches` counts what --top leaves out, too.
        QCOMPARE(json.report()["matches"].toInteger(),
            runCli({"events", "--where", "kind=kernel dur>100us", "--format", "csv", report})
                    .output.count('\n')
                - 1);
        const CliRun shortest = runCli(asked + QStringList{"--reverse", "--format", "json", report});
        QVERIFY(shortest.rows()[0].toObject()["Duration (ns)"].toInteger() <= before);
    }

    /// A mark at the last nanosecond is in a range that is open at its end.
    void openRangesReachTheLastEvent()
    {
        const auto matches = [](const QString& range) {
            return runCli({"events", "--top", "1", "--format", "json", "--range", range,
                              WARPLINE_TEST_DATA "/reports/streams.sqlite"})
                .report()["matches"]
                .toInteger();
        };
        QVERIFY(matches(":") > 0);
        QCOMPARE(matches(":"), matches("0:100s"));
        QCOMPARE(matches("0.1s:"), matches("0.1s:100s"));
    }

    void pathsAreTold()
    {
        const CliRun run = runCli(
            {"events", "--where", "kind=kernel path=*", "--paths", "--top", "3", "--format", "json", report});
        QCOMPARE(run.code, 0);
        for (const QJsonValue& row : run.rows())
            QVERIFY(!row.toObject()["NVTX Path"].toString().isEmpty());
    }

    /// Every event is in one range, and every range in the one around it; the totals are those of the list.
    void eventsNestUnderRanges()
    {
        const QStringList asked{"events", "--where", "kind=kernel"};
        const CliRun list = runCli(asked + QStringList{"--paths", "--format", "json", report});
        std::map<QString, std::pair<qint64, qint64>> own;
        for (const QJsonValue& row : list.rows()) {
            auto& [count, total] = own[row.toObject()["NVTX Path"].toString()];
            ++count;
            total += row.toObject()["Duration (ns)"].toInteger();
        }
        const CliRun run = runCli(asked + QStringList{"--nest", "nvtx", "--format", "json", report});
        QCOMPARE(run.code, 0);
        std::map<QString, std::pair<qint64, qint64>> below; // of the direct children of each
        std::map<QString, std::pair<qint64, qint64>> whole;
        qint64 events = 0;
        std::map<QString, std::pair<qint64, qint64>> told; // including launches by other threads in that time
        std::map<QString, std::pair<qint64, qint64>> alone; // without
        const QString meanwhile = "/(from other threads)";
        int helped = 0;
        for (const QJsonValue& value : run.rows()) {
            const QJsonObject row = value.toObject();
            const QString path = row["NVTX Path"].toString();
            events += row["Own Events"].toInteger();
            auto& here = told[QString(path).remove(meanwhile)];
            here.first += row["Own Events"].toInteger();
            here.second += row["Own Total (ns)"].toInteger();
            alone[path] = {row["Own Events"].toInteger(), row["Own Total (ns)"].toInteger()};
            helped += path.endsWith(meanwhile) ? 1 : 0;
            whole[path] = {row["Events"].toInteger(), row["Total (ns)"].toInteger()};
            if (row["Depth"].toInteger() > 1) {
                auto& [count, total] = below[path.left(path.lastIndexOf('/'))];
                count += row["Events"].toInteger();
                total += row["Total (ns)"].toInteger();
            }
        }
        QCOMPARE(events, qint64(list.rows().size()));
        QVERIFY(helped > 0); // autograd's thread has no ranges
        for (const auto& [path, sums] : told)
            QCOMPARE(sums, own[path]);
        for (const auto& [path, sums] : whole) {
            if (path.contains("//"))
                continue; // a range without a name
            QCOMPARE(sums.first, alone[path].first + below[path].first);
            QCOMPARE(sums.second, alone[path].second + below[path].second);
        }
        const CliRun table = runCli(asked + QStringList{"--nest", "nvtx", "--top", "3", report});
        QCOMPARE(table.code, 0);
        const CliRun wrong = runCli(asked + QStringList{"--nest", "nvtx", "--sort", "dur", report});
        QCOMPARE(wrong.code, 2);
        QVERIFY(wrong.errors.contains("--nest"));
    }

    void whatIsOfEverythingTakesNoFilter()
    {
        for (const QStringList& command :
            {QStringList{"stats"}, QStringList{"range", "--from", "0", "--to", "1s"}}) {
            const CliRun run = runCli(command + QStringList{"--where", "kind=kernel", report});
            QCOMPARE(run.code, 2);
            QVERIFY2(run.errors.contains("warpline-cli name --where"), qPrintable(run.errors));
        }
    }

    void exportTakesTheSameFilter()
    {
        const CliRun list = runCli({"events", "--where", "gemm dur>50us", "--format", "csv", report});
        const CliRun file = runCli({"export", "--where", "gemm dur>50us", "--format", "csv", report});
        QVERIFY(list.output.count('\n') > 1);
        QCOMPARE(file.output.count('\n'), list.output.count('\n'));
        const CliRun chrome = runCli({"export", "--where", "gemm dur>50us", report});
        QVERIFY(!QJsonDocument::fromJson(chrome.output).isNull());
        // Equal columns and equal rows.
        const auto sorted = [](const QByteArray& text) {
            QList<QByteArray> lines = text.split('\n');
            std::ranges::sort(lines);
            return lines;
        };
        const QString traced = WARPLINE_TEST_DATA "/reports/um.sqlite";
        const QStringList kernels{"--where", "kind=kernel", "--format", "csv", traced};
        QCOMPARE(sorted(runCli(QStringList{"export"} + kernels).output),
            sorted(runCli(QStringList{"events"} + kernels).output));
    }

    void mistakesAreShownAtTheirPlace()
    {
        const CliRun run = runCli({"events", "--where", "gemm durr>50us", report});
        QCOMPARE(run.code, 2);
        QVERIFY(run.errors.contains("did you mean dur?"));
        QVERIFY2(run.errors.contains("gemm durr>50us\n     ^^^^\n"), run.errors.constData());
        QCOMPARE(runCli({"export", "--where", "dur>", report}).code, 2);
        QCOMPARE(runCli({"events", "--sort", "nothing", report}).code, 2);
        QCOMPARE(runCli({"events", "/nowhere.sqlite"}).code, 3);
        QCOMPARE(runCli({"events", "--range", "5", report}).code, 2);
    }
};

WARPLINE_TEST(CliEventsTest)

} // namespace tst_cli_events

#include "tst_cli_events.moc"
