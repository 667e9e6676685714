// warpline-cli compare: the shape of its JSON, its exit codes, its pages, and two parts of one report.

#include "tests/app/cli_runner.h"
#include "tests/support/test_program.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QXmlStreamReader>

#include <set>

namespace tst_cli_compare {

using namespace warpline::test;

namespace {

const QString graph = QStringLiteral(WARPLINE_TEST_DATA "/reports/graph_nvtx.sqlite");
const QString bert = QStringLiteral(WARPLINE_TEST_DATA "/reports/bert_fp32.sqlite");
const QString openmp = QStringLiteral(WARPLINE_TEST_DATA "/reports/openmp.sqlite");

const QString gridBefore = QStringLiteral(WARPLINE_TEST_DATA "/pairs/grid_before.sqlite");
const QString gridAfter = QStringLiteral(WARPLINE_TEST_DATA "/pairs/grid_after.sqlite");

QJsonObject sides(const QJsonObject& json, const QString& key)
{
    return json[key].toObject();
}

} // namespace

class CliCompareTest : public QObject {
    Q_OBJECT

private slots:
    void aReportIsNoDifferentFromItself()
    {
        const CliRun run = runCli({"compare", "--format", "json", bert, bert});
        QCOMPARE(run.code, 0);
        const QJsonObject json = run.report();
        QCOMPARE(json["comparable"].toBool(), true);
        QVERIFY(json["reasons"].toArray().isEmpty());
        QCOMPARE(json["verdict"].toString(), QString("no_difference"));
        QCOMPARE(json["unit"].toString(), QString("step"));
        const QJsonObject step = sides(json, "step");
        QCOMPARE(step["a_ns"].toInteger(), step["b_ns"].toInteger());
        QCOMPARE(step["delta_ns"].toInteger(), qint64(0));
        QVERIFY(step["noise_ns"].toInteger() > 0);
        qint64 a = 0;
        qint64 b = 0;
        for (const QJsonValue& line : json["budget"].toArray()) {
            QVERIFY(!line.toObject()["part"].toString().isEmpty());
            a += line.toObject()["a_ns"].toInteger();
            b += line.toObject()["b_ns"].toInteger();
        }
        QCOMPARE(a, sides(json, "mean_step")["a_ns"].toInteger());
        QCOMPARE(b, sides(json, "mean_step")["b_ns"].toInteger());
        QVERIFY(!json["kernels"].toArray().isEmpty());
        for (const QJsonValue& row : json["kernels"].toArray()) {
            QCOMPARE(row.toObject()["matched_by"].toString(), QString("name_and_shape"));
            QCOMPARE(row.toObject()["class"].toString(), QString("same"));
            QCOMPARE(row.toObject()["a_ns"], row.toObject()["b_ns"]);
            QCOMPARE(row.toObject()["a_count"], row.toObject()["b_count"]);
        }
        const QJsonObject findings = sides(json, "findings");
        for (const char* const state : {"gone", "new", "changed"})
            QVERIFY(findings[state].toArray().isEmpty());
        QVERIFY(!findings["same"].toArray().isEmpty());
        for (const char* const table :
            {"nvtx", "nvtx_gpu", "api", "copies", "copied", "collectives", "memory", "steps"})
            QVERIFY2(json[table].isArray(), table);
    }

    void otherProgramsExitWithFive()
    {
        const CliRun run = runCli({"compare", "--report", "budget", graph, bert});
        QCOMPARE(run.code, 5);
        QVERIFY2(run.output.startsWith("Not comparable. "), run.output.constData());
        const CliRun gated
            = runCli({"compare", "--fail-on-regression", "5", "--report", "budget", openmp, bert});
        QCOMPARE(gated.code, 5); // never taken for good
        QCOMPARE(runCli({"compare", "--report", "budget", openmp, openmp}).code, 0);
    }

    void twoPartsOfOneReport()
    {
        const CliRun run = runCli({"compare", "--a-steps", "5:25", "--b-steps", "25:45", "--report",
            "budget,steps", "--format", "json", graph});
        QCOMPARE(run.code, 0);
        const QJsonObject json = run.report();
        QCOMPARE(json["verdict"].toString(), QString("no_difference"));
        QCOMPARE(sides(json["sides"].toObject(), "a")["judged"].toInt(), 20);
        QCOMPARE(json["steps"].toArray().size(), 20);
        qint64 delta = 0;
        for (const QJsonValue& line : json["budget"].toArray())
            delta += line["delta_ns"].toInteger();
        QCOMPARE(delta, sides(json, "mean_step")["delta_ns"].toInteger());
        QVERIFY(json["kernels"].isNull() && json["findings"].isNull());
        // One step of each: the noise is unknown.
        const CliRun one = runCli({"compare", "--a-steps", "5", "--b-steps", "25", "--report", "budget",
            "--format", "json", graph});
        QVERIFY(one.report()["step"].toObject()["noise_ns"].isNull());
        QCOMPARE(one.report()["verdict"].toString(), QString("unknown"));
        QCOMPARE(one.code, 6);
        // By time: the second half of the session against all of it.
        const QJsonObject steps = json["sides"].toObject()["b"].toObject()["gpus"].toArray().at(0).toObject();
        const QString from = QString::number(
            steps["steps"].toArray().at(0).toObject()["host_range_ns"].toObject()["start"].toInteger());
        const CliRun half
            = runCli({"compare", "--b-range", from + ":", "--report", "budget", "--format", "json", graph});
        QCOMPARE(half.code, 0);
        QCOMPARE(half.report()["verdict"].toString(), QString("no_difference"));
        QVERIFY(half.report()["sides"].toObject()["b"].toObject()["judged"].toInt() < 30);
    }

    /// For every comparison: 1 is a slower B by the deciding value, 0 is not slower, 6 is no verdict.
    void exitCodeAndVerdictAgree()
    {
        std::set<int> codes;
        for (const auto& [a, b] :
            {std::pair("10:40", "0:2"), std::pair("0:2", "10:40"), std::pair("5:25", "25:45"),
                std::pair("5", "25"), std::pair("0:12", "12:40"), std::pair("0", "1:40")}) {
            for (const char* const percent : {"0", "5", "1000"}) {
                const CliRun run = runCli({"compare", "--a-steps", a, "--b-steps", b, "--fail-on-regression",
                    percent, "--report", "budget", "--format", "json", graph});
                const QJsonObject json = run.report();
                const QString verdict = json["verdict"].toString();
                const bool regressed
                    = verdict == "slower" && json["change_percent"].toDouble() > QString(percent).toDouble();
                QCOMPARE(run.code, verdict == "unknown" ? 6 : regressed ? 1 : 0);
                QCOMPARE(json["regression"].isNull(), verdict == "unknown");
                QCOMPARE(json["regression"].toBool(), regressed);
                QCOMPARE(json["decided_by"].isNull(), verdict == "unknown" || verdict == "no_difference");
                codes.insert(run.code);
            }
        }
        QVERIFY(codes.contains(0) && codes.contains(6));
        const CliRun itself = runCli(
            {"compare", "--fail-on-regression", "0", "--report", "budget", "--format", "json", graph, graph});
        QCOMPARE(itself.code, 6); // whatever the change did
        QCOMPARE(itself.codes(), QStringList{"no_verdict"});
        QVERIFY(itself.report()["regression"].isNull());
        const QStringList slower{"compare", "--fail-on-regression", "2", "--report", "budget"};
        QCOMPARE(runCli(slower + QStringList{gridAfter, gridBefore}).code, 1);
        QCOMPARE(runCli(slower + QStringList{gridBefore, gridAfter}).code, 0);
    }

    void severalRecordingsOfASide()
    {
        // Recordings of different programs, because there are no repeated ones: the test is about how they
        // are combined.
        const CliRun run = runCli({"compare", "--report", "api", "--format", "json", "--a", gridBefore,
            gridAfter, "--b", gridAfter});
        QCOMPARE(run.code, 6); // one of A's takes 15 ms per step, the other 0.5
        const QJsonObject json = run.report();
        QCOMPARE(json["assumed_noise_ns"].toInteger(), qint64(0));
        QVERIFY(!json["caveats"].toArray().contains("single_recordings"));
        const QJsonObject a = json["sides"].toObject()["a"].toObject();
        QCOMPARE(a["recordings"].toArray().size(), 2);
        QCOMPARE(a["files"].toArray().size(), 2);
        qint64 judged = 0;
        for (const QJsonValue& recording : a["recordings"].toArray())
            judged += recording.toObject()["judged"].toInteger();
        QCOMPARE(a["judged"].toInteger(), judged);
        for (const QJsonValue& row : json["api"].toArray()) // both launch alike
            QCOMPARE(row.toObject()["a_count"].toDouble(), row.toObject()["b_count"].toDouble());
        QCOMPARE(runCli({"compare", "--a", gridBefore}).code, 2);
        QCOMPARE(runCli({"compare", "--a", gridBefore, "--b", gridAfter, "--", gridAfter}).code, 2);
        QCOMPARE(
            runCli({"compare", "--a", gridBefore, gridBefore, "--b", gridAfter}).code, 2); // one, named twice
    }

    void pagesStandAlone()
    {
        const CliRun page
            = runCli({"compare", "--format", "html", "--a-steps", "5:20", "--b-steps", "20:40", graph});
        QCOMPARE(page.code, 0);
        QVERIFY(page.output.startsWith("<!DOCTYPE html>"));
        QVERIFY(page.output.count("<svg") == 2 && page.output.contains("prefers-color-scheme: dark"));
        for (const char* const outside : {"<script", "src=", "href=", "@import", "url("})
            QVERIFY2(!page.output.contains(outside), outside);
        for (qsizetype at = page.output.indexOf("<svg"); at >= 0; at = page.output.indexOf("<svg", at + 1)) {
            QXmlStreamReader svg(page.output.mid(at, page.output.indexOf("</svg>", at) + 6 - at));
            while (!svg.atEnd())
                svg.readNext();
            QVERIFY2(!svg.hasError(), qPrintable(svg.errorString()));
        }
        const CliRun markdown = runCli({"compare", "--format", "markdown", graph, graph});
        QVERIFY(markdown.output.startsWith("# Comparison\n\n**No difference"));
        const CliRun text = runCli({"compare", graph, graph});
        QVERIFY(text.output.startsWith("No difference: ") && text.output.contains("Together"));
    }

    /// The page on the JSON names every key.
    void summaryTablesAreJoined()
    {
        const CliRun run
            = runCli({"compare", "--report", "cuda_gpu_kern_sum:base", "--format", "json", graph, graph});
        QCOMPARE(run.code, 0);
        const QJsonArray rows = run.report()["stats"].toObject()["cuda_gpu_kern_sum:base"].toArray();
        QVERIFY(!rows.isEmpty());
        QCOMPARE(rows.at(0).toObject()["A: Instances"], rows.at(0).toObject()["B: Instances"]);
        QCOMPARE(rows.at(0).toObject()["Difference: Total Time (ns)"].toInteger(), qint64(0));
    }

    /// Equal lengths were "No difference", and passed every gate.
    void rangesPassNoGate()
    {
        for (const char* const end : {"119500000", "121000000"}) {
            const CliRun run = runCli({"compare", "--a-range", "118000000:121000000", "--b-range",
                QString("116500000:") + end, "--fail-on-regression", "5", "--format", "json", bert, bert});
            QCOMPARE(run.code, 6);
            const QJsonObject json = run.report();
            QCOMPARE(json["unit"].toString(), QString("range"));
            QCOMPARE(json["verdict"].toString(), QString("unknown"));
            QVERIFY(json["regression"].isNull() && json["change_percent"].isNull());
            // These two are of the lengths, as in `step` and `mean_step`.
            QVERIFY(json["median_change_percent"].isDouble() && json["mean_change_percent"].isDouble());
            QCOMPARE(json["hints"].toArray().size(), 1);
        }
    }

    void wrongUsageIsTold()
    {
        QCOMPARE(runCli({"compare"}).code, 2);
        QCOMPARE(runCli({"compare", graph}).code, 2);
        QCOMPARE(runCli({"compare", graph, graph, graph}).code, 2);
        QCOMPARE(runCli({"compare", "--report", "nonsense", graph, graph}).code, 2);
        QCOMPARE(runCli({"compare", "--report", "cuda_gpu_trace", graph, graph}).code, 2); // no summary
        QCOMPARE(runCli({"compare", "--a-steps", "4:2", graph, graph}).code, 2);
        QCOMPARE(runCli({"compare", "--a-steps", "x", graph, graph}).code, 2);
        QCOMPARE(runCli({"compare", "--a-range", "9:1", graph, graph}).code, 2);
        QCOMPARE(runCli({"compare", "--fail-on-regression", "-1", graph, graph}).code, 2);
        QCOMPARE(
            runCli({"compare", "--fail-on-regression", "nan", graph, graph}).code, 2); // would never fail
        QCOMPARE(runCli({"compare", graph, "no-such-file.sqlite"}).code, 3);
        QVERIFY(runCli({"compare", "--help"}).output.contains("--fail-on-regression"));
        QCOMPARE(runCli({"compare", "--a-steps", "5000:5010", "--report", "budget", graph}).code, 5);
    }
};

WARPLINE_TEST(CliCompareTest)

} // namespace tst_cli_compare

#include "tst_cli_compare.moc"
