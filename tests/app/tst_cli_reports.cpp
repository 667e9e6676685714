// warpline-cli on real reports: counts and range statistics compared with SQL on the same file, by an
// independent reader.

#include "tests/app/cli_runner.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"

#include <QCryptographicHash>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonObject>

#include <random>

namespace tst_cli_reports {

using namespace warpline::test;

namespace {

/// The reports of the project, and those of the shared collection where it is there.
std::vector<std::string> allReports()
{
    std::vector<std::string> reports = sharedReports();
    for (const QString& folder :
        {QStringLiteral(WARPLINE_TEST_DATA "/reports"), QStringLiteral(WARPLINE_SOURCE_DIR "/resources")}) {
        const QDir data(folder);
        for (const QString& name : data.entryList({"*.sqlite"}, QDir::Files))
            reports.push_back(data.filePath(name).toStdString());
    }
    return reports;
}

/// The definition of a count: the sum of rows of some tables.
struct Count {
    const char* key;
    std::vector<const char*> tables;
    const char* where = "";
};

const std::vector<Count>& counts()
{
    static const std::vector<Count> list{
        {"kernel", {"CUPTI_ACTIVITY_KIND_KERNEL"}},
        {"memcpy", {"CUPTI_ACTIVITY_KIND_MEMCPY"}},
        {"memset", {"CUPTI_ACTIVITY_KIND_MEMSET"}},
        {"synchronization", {"CUPTI_ACTIVITY_KIND_SYNCHRONIZATION"}},
        {"cuda_api", {"CUPTI_ACTIVITY_KIND_RUNTIME", "CUPTI_ACTIVITY_KIND_DRIVER"}},
        {"nvtx", {"NVTX_EVENTS"}, " WHERE eventType IN (34, 59, 60)"},
        {"osrt", {"OSRT_API"}},
        {"gpu_metric_samples", {"GPU_METRICS"}},
        {"gpu_memory", {"CUDA_GPU_MEMORY_USAGE_EVENTS"}},
        {"graph", {"CUPTI_ACTIVITY_KIND_GRAPH_TRACE"}},
        {"graph_events", {"CUDA_GRAPH_EVENTS", "CUDA_GRAPH_NODE_EVENTS"}},
        {"thread_states", {"SCHED_EVENTS"}},
        {"cpu_samples", {"COMPOSITE_EVENTS"}},
        {"cuda_event", {"CUPTI_ACTIVITY_KIND_CUDA_EVENT"}},
        {"overhead", {"PROFILER_OVERHEAD", "CUPTI_ACTIVITY_KIND_OVERHEAD"}},
        {"page_faults", {"CUDA_UM_CPU_PAGE_FAULT_EVENTS", "CUDA_UM_GPU_PAGE_FAULT_EVENTS"}},
        {"file_access", {"OSRT_FILE_ACCESS_EVENTS"}},
        {"diagnostics", {"DIAGNOSTIC_EVENT"}},
    };
    return list;
}

/// A question about [from, to) of one table, in SQL alone.
class Oracle {
public:
    Oracle(std::string path, const std::string& table, long long from, long long to)
        : m_path(std::move(path))
    {
        const std::string a = std::to_string(from);
        const std::string b = std::to_string(to);
        // An event without an end, or that ends before it starts, is a mark.
        m_inside = "(SELECT max(s, " + a + ") AS s, min(e, " + b
            + ") AS e FROM (SELECT start AS s, max(start, ifnull(\"end\", "
              "start)) AS e FROM "
            + table + ") WHERE s < " + b + " AND (e > " + a + " OR (e = s AND s = " + a + ")))";
    }

    long long count() const { return sqlInteger(m_path, "SELECT count(*) FROM " + m_inside); }
    long long total() const { return sqlInteger(m_path, "SELECT ifnull(sum(e - s), 0) FROM " + m_inside); }
    /// Length of the union: an event that starts after all before it ended begins a new island.
    long long busy() const
    {
        return sqlInteger(m_path,
            "SELECT ifnull(sum(e - s), 0) FROM (SELECT min(s) AS s, max(e) AS e FROM (SELECT s, e, sum(new) "
            "OVER (ORDER BY s, "
            "e ROWS UNBOUNDED PRECEDING) AS island FROM (SELECT s, e, s > ifnull(max(e) OVER (ORDER BY s, e "
            "ROWS BETWEEN "
            "UNBOUNDED PRECEDING AND 1 PRECEDING), s - 1) AS new FROM "
                + m_inside + ")) GROUP BY island)");
    }

private:
    std::string m_path;
    std::string m_inside;
};

QByteArray digestOf(const QString& path)
{
    QFile file(path);
    QCryptographicHash hash(QCryptographicHash::Sha256);
    return file.open(QIODevice::ReadOnly) && hash.addData(&file) ? hash.result() : QByteArray();
}

} // namespace

class CliReportsTest : public QObject {
    Q_OBJECT

private slots:
    void countsEqualSql_data();
    void countsEqualSql();
    void rangesEqualSql_data();
    void rangesEqualSql();
    void rangeTellsCounters();
    void annotationsOnTheGpuAreAKindOfTheirOwn();
    void countersHaveTheNumberOfTheirGpu();
    void analyzesEveryReport_data();
    void analyzesEveryReport();
    void stepsAreShownAndCanBeNamed();
};

void CliReportsTest::countsEqualSql_data()
{
    QTest::addColumn<QString>("path");
    for (const std::string& report : allReports())
        QTest::newRow(QFileInfo(QString::fromStdString(report)).fileName().toUtf8())
            << QString::fromStdString(report);
}

void CliReportsTest::countsEqualSql()
{
    QFETCH(QString, path);
    const QByteArray before = digestOf(path);
    const QDateTime changed = QFileInfo(path).lastModified();
    const CliRun run = runCli({"info", "--format", "json", path});
    QCOMPARE(run.code, 0);
    const bool isPart = sqlHasTable(path.toStdString(), "WARPLINE_PART");
    QVERIFY2(run.errors.isEmpty() != isPart, run.errors);
    const QJsonObject told = run.report()["counts"].toObject();
    for (const Count& count : counts()) {
        long long expected = 0;
        for (const char* const table : count.tables) {
            if (sqlHasTable(path.toStdString(), table))
                expected += sqlInteger(
                    path.toStdString(), std::string("SELECT count(*) FROM ") + table + count.where);
        }
        QVERIFY2(told.contains(count.key), count.key);
        QVERIFY2(told[count.key].toInteger() == expected,
            qPrintable(QStringLiteral("%1: %2, SQL says %3")
                           .arg(count.key)
                           .arg(told[count.key].toInteger())
                           .arg(expected)));
    }
    QCOMPARE(digestOf(path), before);
    QCOMPARE(QFileInfo(path).lastModified(), changed);
}

void CliReportsTest::rangesEqualSql_data()
{
    QTest::addColumn<QString>("path");
    const QString sample = QStringLiteral(WARPLINE_SOURCE_DIR "/resources/sample.sqlite");
    if (QFileInfo::exists(sample))
        QTest::newRow("sample") << sample;
    for (const char* const name :
        {"cnn_workers0", "launch_eager", "decode", "ddp_overlap_rank0", "bert_amp"}) {
        if (const std::string report = sharedReport(name); !report.empty())
            QTest::newRow(name) << QString::fromStdString(report);
    }
}

void CliReportsTest::rangesEqualSql()
{
    QFETCH(QString, path);
    const QJsonValue span = runCli({"info", "--format", "json", path}).report()["range_ns"];
    std::mt19937_64 random(4711); // the same ranges each time
    std::uniform_int_distribution<qint64> inside(span["start"].toInteger(), span["end"].toInteger());
    constexpr int ranges = 4;
    for (int i = 0; i < ranges; ++i) {
        const auto [from, to] = std::minmax({inside(random), inside(random)});
        const CliRun run = runCli({"range", "--format", "json", "--from", QString::number(from), "--to",
            QString::number(to + 1), path});
        QCOMPARE(run.code, 0);
        const QJsonObject kinds = run.report()["kinds"].toObject();
        for (const auto& [key, table] : {std::pair{"kernel", "CUPTI_ACTIVITY_KIND_KERNEL"},
                 std::pair{"memcpy", "CUPTI_ACTIVITY_KIND_MEMCPY"},
                 std::pair{"cuda_api", "CUPTI_ACTIVITY_KIND_RUNTIME"}, std::pair{"osrt", "OSRT_API"}}) {
            if (!sqlHasTable(path.toStdString(), table))
                continue;
            const Oracle oracle(path.toStdString(), table, from, to + 1);
            const QJsonObject told = kinds[key].toObject();
            QVERIFY2(told["count"].toInteger() == oracle.count(), key);
            QVERIFY2(told["total_ns"].toInteger() == oracle.total(), key);
            QVERIFY2(told["busy_ns"].toInteger() == oracle.busy(), key);
        }
    }
}

void CliReportsTest::rangeTellsCounters()
{
    const std::string path = sharedReport("bert_metrics");
    if (path.empty())
        QSKIP("needs ../shared/reports/h200, which is not there");
    // While the longest kernel runs.
    const std::string longest = " FROM CUPTI_ACTIVITY_KIND_KERNEL ORDER BY \"end\" - start DESC LIMIT 1";
    const long long from = sqlInteger(path, "SELECT start" + longest);
    const long long to = sqlInteger(path, "SELECT \"end\"" + longest);
    const QStringList range{
        "range", "--from", QString::number(from), "--to", QString::number(to), QString::fromStdString(path)};
    const QJsonArray told = runCli(range + QStringList{"--format", "json"}).report()["counters"].toArray();
    QVERIFY(!told.isEmpty());
    const QString tensor = "Tensor Active [Throughput %]";
    const auto found = std::ranges::find_if(told,
        [](const auto& each) { return each.toObject()["name"].toString().startsWith("Tensor Active"); });
    QVERIFY(found != told.end());
    const QJsonObject counter = (*found).toObject();
    const std::string where = " FROM GPU_METRICS JOIN TARGET_INFO_GPU_METRICS USING (typeId, metricId) WHERE "
                              "metricName = '"
        + tensor.toStdString() + "' AND timestamp >= " + std::to_string(from) + " AND timestamp < "
        + std::to_string(to);
    QCOMPARE(counter["samples"].toInteger(), sqlInteger(path, "SELECT count(*)" + where));
    QCOMPARE(static_cast<long long>(counter["mean"].toDouble() * 1000),
        sqlInteger(path, "SELECT cast(1000 * avg(value) AS INTEGER)" + where));
    QCOMPARE(counter["min"].toInteger(), sqlInteger(path, "SELECT min(value)" + where));
    QCOMPARE(counter["max"].toInteger(), sqlInteger(path, "SELECT max(value)" + where));
    const CliRun text = runCli(range);
    QCOMPARE(text.code, 0);
    QVERIFY(text.output.contains("36.4%"));
    QVERIFY(text.output.contains("Tensor Active"));
}

/// The sums of kinds[] are those of names[]; see RangeStatsTest for the times.
void CliReportsTest::annotationsOnTheGpuAreAKindOfTheirOwn()
{
    const QString path = QStringLiteral(WARPLINE_TEST_DATA "/traces/bert_stack.json.gz");
    const QJsonObject told = runCli({"range", "--range", ":", "--format", "json", path}).report();
    for (const auto& [kind, forward] :
        {std::pair("nvtx", 24'772'134), std::pair("gpu_annotation", 24'818'605)}) {
        qint64 total = 0;
        QList<qint64> ofForward;
        for (const auto& each : told["names"].toArray()) {
            const QJsonObject name = each.toObject();
            if (name["kind"] != kind)
                continue;
            total += name["total_ns"].toInteger();
            if (name["name"] == "forward")
                ofForward << name["total_ns"].toInteger();
        }
        QCOMPARE(ofForward, QList<qint64>{forward});
        QCOMPARE(told["kinds"].toObject()[kind].toObject()["total_ns"].toInteger(), total);
        const QStringList named{"name", path, "forward", "--kind", kind};
        const QJsonObject alone = runCli(named + QStringList{"--format", "json"}).report();
        QCOMPARE(alone["kind"].toString(), QString(kind));
        QCOMPARE(alone["total_ns"].toInteger(), qint64{forward});
        QCOMPARE(runCli(named).output.contains("GPU annotation"), QString(kind) == "gpu_annotation");
        const QString where = QString(kind == QLatin1String("nvtx") ? "kind=nvtx kind!=gpu_annotation"
                                                                    : "kind=gpu_annotation")
            + " name=forward";
        const QJsonArray rows = runCli({"events", "--where", where, "--format", "json", path}).rows();
        QCOMPARE(rows.size(), 1);
        QCOMPARE(rows[0].toObject()["Kind"].toString(), QString(kind));
        QCOMPARE(rows[0].toObject()["Duration (ns)"].toInteger(), qint64{forward});
    }
    const CliRun refused = runCli({"export", "--kinds", "gpu_annotation", path});
    QCOMPARE(refused.code, 2);
    QVERIFY2(refused.errors.contains("--where kind=gpu_annotation"), refused.errors.constData());
}

void CliReportsTest::countersHaveTheNumberOfTheirGpu()
{
    const QString report
        = QStringLiteral(WARPLINE_TEST_DATA "/reports/um.sqlite"); // its process counts GPU 1 as 0
    const QJsonObject told = runCli({"range", "--range", ":", "--format", "json", report}).report();
    const QJsonArray counters = told["counters"].toArray();
    QVERIFY(!counters.isEmpty());
    QCOMPARE(told["devices"].toArray().first().toObject()["device"].toInt(), 1);
    for (const QJsonValue& counter : counters)
        QCOMPARE(counter["device"].toInt(), 1);
    for (const QStringList& command :
        {QStringList{"range", "--range", ":", report}, {"export", "--format", "chrome", "-o", "-", report}}) {
        const QByteArray text = runCli(command).output;
        QVERIFY(text.contains("GPU 1 [806]"));
        QVERIFY(!text.contains("GPU 0"));
    }
}

void CliReportsTest::analyzesEveryReport_data()
{
    countsEqualSql_data();
}

void CliReportsTest::analyzesEveryReport()
{
    QFETCH(QString, path);
    const CliRun run = runCli({"analyze", "--format", "json", path});
    QCOMPARE(run.code, 0);
    QVERIFY(run.report()["findings"].isArray());
    QCOMPARE(run.report()["checklist"].toArray().size(), 5);
    for (const QJsonValue& value : run.report()["findings"].toArray()) {
        const QJsonObject finding = value.toObject();
        for (const char* const key : {"rule", "severity", "title", "message", "remedy"})
            QVERIFY2(!finding[key].toString().isEmpty(), key);
        QVERIFY(finding["saving_ns"].toInteger(-1) >= 0);
        QVERIFY(finding["ranges"].isArray());
        QVERIFY(finding["events"].isArray());
        QVERIFY(QByteArrayList({"info", "low", "medium", "high"})
                    .contains(finding["severity"].toString().toUtf8()));
    }
}

void CliReportsTest::stepsAreShownAndCanBeNamed()
{
    const QString report = WARPLINE_TEST_DATA "/reports/bert_fp32.sqlite";
    const auto stepsOf = [&](const QStringList& more) {
        const CliRun run = runCli(QStringList{"analyze", "--format", "json"} + more + QStringList{report});
        return run.code == 0 ? run.report()["steps"].toArray() : QJsonArray{QJsonValue("failed")};
    };
    const QJsonArray found = stepsOf({});
    QCOMPARE(found.size(), 1);
    QCOMPARE(found[0].toObject()["glob"].toString(), QString("step_*"));
    QCOMPARE(found[0].toObject()["count"].toInteger(), 5);
    QCOMPARE(found[0].toObject()["series"].toArray()[0].toObject()["kind"].toString(), QString("step"));
    const QJsonArray asked = stepsOf({"--steps", "layer_*"});
    QCOMPARE(asked[0].toObject()["count"].toInteger(), 60); // 12 layers in each of 5 steps
    QCOMPARE(asked, stepsOf({"--nvtx", "layer_*"}));
    QCOMPARE(runCli({"analyze", "--steps", "nothing", report}).code, 2);
}

WARPLINE_TEST(CliReportsTest)

} // namespace tst_cli_reports

#include "tst_cli_reports.moc"
