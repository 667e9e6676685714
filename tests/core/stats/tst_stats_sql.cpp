// Tables over a part of the time against sums that SQLite computes from the report itself: a random sample of
// reports and ranges, the same in every run. A table asks for the events that touch the range, each as a
// whole.

#include "core/load/load_report.h"
#include "core/stats/stats_table.h"
#include "tests/support/report_fixture.h"

#include <QFileInfo>
#include <QMap>
#include <QStringList>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <random>

using namespace warpline;
using namespace warpline::test;

namespace {

/// A table, the titles of its columns that are compared, and the rows that they are in SQL: $touches stands
/// for "e touches the range", $base and $mangled for what the name is in this variant.
struct Oracle {
    QString table; ///< NAME or NAME:ARGUMENT
    QStringList titles;
    QString sql;
};

const QString summary = "sum(e.end - e.start), count(*), min(e.end - e.start), max(e.end - e.start)";

QString named(const QString& what, const QString& column)
{
    return QString("(SELECT value FROM StringIds WHERE id = %1.%2)").arg(what, column);
}

/// Rows by `label` of the events that `from` names.
QString grouped(const QString& from, const QString& label, const QString& condition = "1")
{
    return QString("SELECT %1, %2 AS label FROM %3 e WHERE $touches AND %4 GROUP BY label")
        .arg(summary, label, from, condition);
}

QStringList timeTitles(const QString& count, const QString& label)
{
    return {"Total Time (ns)", count, "Min (ns)", "Max (ns)", label};
}

const QString kernels = "CUPTI_ACTIVITY_KIND_KERNEL";
const QString copies = "CUPTI_ACTIVITY_KIND_MEMCPY";
const QString calls = "CUPTI_ACTIVITY_KIND_RUNTIME";

/// The name of a call without a version of four digits.
const QString callName
    = QString("CASE WHEN %1 GLOB '*?_v[0-9][0-9][0-9][0-9]' THEN substr(%1, 1, length(%1) - 6) ELSE %1 END")
          .arg(named("e", "nameId"));

/// "[CUDA memcpy Host-to-Device]": the labels are those of ENUM_CUDA_MEMCPY_OPER.
const QString copyLabel
    = "'[CUDA memcpy ' || (SELECT label FROM ENUM_CUDA_MEMCPY_OPER WHERE id = e.copyKind) || ']'";

/// Copies and sets, with the label that tables have for them.
QString memoryOperations(const QString& report)
{
    const QString columns = "start, end, bytes, correlationId, streamId";
    QString all = QString("(SELECT %1, %2 AS label FROM %3 e").arg(columns, copyLabel, copies);
    if (sqlHasTable(report.toStdString(), "CUPTI_ACTIVITY_KIND_MEMSET"))
        all += QString(" UNION ALL SELECT %1, '[CUDA memset]' FROM CUPTI_ACTIVITY_KIND_MEMSET").arg(columns);
    return all + ")";
}

/// Rows of NVTX_EVENTS with the name and the style that tables have for them.
const QString ranges
    = "(SELECT n.start, n.end, n.eventType, CASE WHEN n.eventType = 60 THEN 'StartEnd' ELSE 'PushPop' END AS "
      "style,"
      " coalesce(d.text, '') || ':' || coalesce(n.text, s.value, '') AS name FROM NVTX_EVENTS n"
      " LEFT JOIN (SELECT domainId, globalTid >> 24 AS process, max(text) AS text FROM NVTX_EVENTS"
      " WHERE eventType = 75 GROUP BY 1, 2) d ON d.domainId = n.domainId AND d.process = n.globalTid >> 24"
      " LEFT JOIN StringIds s ON s.id = n.textId WHERE n.eventType IN (59, 60) AND n.end IS NOT NULL)";

/// All rows of the OpenMP or MPI tables that `report` has.
QString united(const QString& report, const QStringList& tables, const QString& columns)
{
    QStringList parts;
    for (const QString& table : tables) {
        if (sqlHasTable(report.toStdString(), table.toStdString()))
            parts << QString("SELECT start, end, %1, '%2' AS source FROM %2").arg(columns, table);
    }
    return parts.isEmpty() ? QString("no_such_table") : "(" + parts.join(" UNION ALL ") + ")";
}

QList<Oracle> kernelOracles(const QString& report)
{
    QList<Oracle> all;
    const QList<std::pair<QString, QString>> namings{
        {"", "demangledName"}, {":base", "shortName"}, {":mangled", "mangledName"}};
    for (const auto& [variant, column] : namings) {
        const QString name = named("e", column);
        all << Oracle{"cuda_gpu_kern_sum" + variant, timeTitles("Instances", "Name"), grouped(kernels, name)};
        all << Oracle{"kern_percentiles" + variant, timeTitles("Instances", "Name"), grouped(kernels, name)};
        if (variant == ":mangled")
            continue;
        all << Oracle{"cuda_gpu_kern_gb_sum" + variant,
            timeTitles("Instances", "Name") << "GridXYZ"
                                            << "BlockXYZ",
            QString("SELECT %1, %2 AS label, printf('%4d %4d %4d', gridX, gridY, gridZ) AS grid,"
                    " printf('%4d %4d %4d', blockX, blockY, blockZ) AS block FROM %3 e WHERE $touches"
                    " GROUP BY label, grid, block")
                .replace("%4d", "%!d")
                .arg(summary, name, kernels)
                .replace("%!d", "%4d")};
        all << Oracle{"cuda_gpu_sum" + variant, timeTitles("Instances", "Operation"),
            grouped(kernels, name) + " UNION ALL " + grouped(memoryOperations(report), "e.label")};
    }
    all << Oracle{"cuda_gpu_trace", {"Start (ns)", "Duration (ns)", "CorrId", "Strm", "Name"},
        QString(
            "SELECT start, end - start, correlationId, streamId, %1 FROM %2 e WHERE $touches UNION ALL"
            " SELECT start, end - start, correlationId, nullif(streamId, 0), label FROM %3 e WHERE $touches")
            .arg(named("e", "demangledName"), kernels, memoryOperations(report))};
    return all;
}

QList<Oracle> callOracles(const QString& report)
{
    const QString thread = "e.globalTid >> 24 & 0xFFFFFF, e.globalTid & 0xFFFFFF";
    return {
        {"cuda_api_sum", timeTitles("Num Calls", "Name"),
            QString("SELECT %1, %2 FROM %3 e WHERE $touches GROUP BY %4")
                .arg(summary, callName, calls, named("e", "nameId"))},
        {"cuda_api_trace", {"Start (ns)", "Duration (ns)", "Name", "Result", "CorrID", "Pid", "Tid"},
            QString("SELECT start, end - start, %1, returnValue, correlationId, %2 FROM %3 e WHERE $touches")
                .arg(callName, thread, calls)},
        {"osrt_sum", timeTitles("Num Calls", "Name"),
            grouped("OSRT_API", named("e", "nameId"), "e.end > e.start")},
        {"cuda_gpu_mem_time_sum", timeTitles("Count", "Operation"),
            grouped(memoryOperations(report), "e.label")},
        {"cuda_gpu_mem_size_sum", {"Total (MB)", "Count", "Min (MB)", "Max (MB)", "Operation"},
            QString("SELECT sum(bytes), count(*), min(bytes), max(bytes), label FROM %1 e WHERE $touches"
                    " GROUP BY label")
                .arg(memoryOperations(report))},
    };
}

QList<Oracle> rangeOracles()
{
    return {
        {"nvtx_sum", timeTitles("Instances", "Range") << "Style",
            QString(
                "SELECT %1, e.name AS label, e.style AS style FROM %2 e WHERE $touches GROUP BY label, style")
                .arg(summary, ranges)},
        {"nvtx_pushpop_sum", timeTitles("Instances", "Range"), grouped(ranges, "e.name", "e.eventType = 59")},
        {"nvtx_startend_sum", timeTitles("Instances", "Range"),
            grouped(ranges, "e.name", "e.eventType = 60")},
        {"nvtx_pushpop_trace", {"Start (ns)", "End (ns)", "Duration (ns)", "Name"},
            QString("SELECT start, end, end - start, name FROM %1 e WHERE $touches AND eventType = 59")
                .arg(ranges)},
    };
}

QList<Oracle> hostOracles(const QString& report)
{
    const QString mpi = united(report,
        {"MPI_COLLECTIVES_EVENTS", "MPI_P2P_EVENTS", "MPI_START_WAIT_EVENTS", "MPI_OTHER_EVENTS"},
        "textId AS nameId, globalTid");
    QStringList kinds;
    for (const char* const kind : {"PARALLEL", "TASK", "WORKSHARE", "SYNC_REGION", "REDUCTION", "MUTEX_WAIT",
             "CRITICAL_SECTION", "TASK_CREATE"})
        kinds << QString("OPENMP_EVENT_KIND_%1").arg(kind);
    const QString moved = "CUPTI_ACTIVITY_KIND_MEMCPY e WHERE $touches AND copyKind";
    return {
        {"mpi_event_sum", timeTitles("Instances", "Name"),
            QString("SELECT %1, %2 AS label FROM %3 e WHERE $touches AND end > start GROUP BY label, source")
                .arg(summary, named("e", "nameId"), mpi)},
        {"mpi_event_trace", {"Start (ns)", "End (ns)", "Event", "Tid"},
            QString("SELECT start, end, %1, e.globalTid & 0xFFFFFF FROM %2 e WHERE $touches")
                .arg(named("e", "nameId"), mpi)},
        {"mpi_msg_size_sum", {"Total Message Volume", "Instances", "Min", "Max", "Name"},
            QString("SELECT sum(size), count(size), min(size), max(size), %1 AS label FROM MPI_P2P_EVENTS e"
                    " WHERE $touches GROUP BY label HAVING count(size) > 0 UNION ALL"
                    " SELECT sum(size), count(size), min(size), max(size), %1 AS label FROM"
                    " MPI_COLLECTIVES_EVENTS e WHERE $touches GROUP BY label HAVING count(size) > 0 UNION ALL"
                    " SELECT sum(recvSize), count(recvSize), min(recvSize), max(recvSize), %1 AS label FROM"
                    " MPI_COLLECTIVES_EVENTS e WHERE $touches GROUP BY label HAVING count(recvSize) > 0")
                .arg(named("e", "nameId"))},
        {"openmp_sum", timeTitles("Count", "Name"),
            grouped(united(report, kinds, "nameId"), named("e", "nameId"))},
        {"um_sum:rows=-1", {"HtoD Migration size (MB)", "DtoH Migration size (MB)"},
            QString("SELECT sum(bytes) FILTER (WHERE copyKind = 11), sum(bytes) FILTER (WHERE copyKind = 12)"
                    " FROM %1 IN (11, 12, 13) GROUP BY virtualAddress")
                .arg(moved)},
        {"um_cpu_page_faults_sum", {"CPU Page Faults", "CPU Instruction Address"},
            QString("SELECT count(*), %1 AS label FROM (SELECT *, start AS end FROM "
                    "CUDA_UM_CPU_PAGE_FAULT_EVENTS) e"
                    " WHERE $touches GROUP BY label, sourceFile, sourceLine")
                .arg(named("e", "CpuInstruction"))},
    };
}

/// What a row says under the titles, as text; sizes in bytes.
QString cellText(const Cell& cell, Unit unit)
{
    if (const auto* const text = std::get_if<std::string>(&cell))
        return QString::fromStdString(*text);
    if (const auto* const whole = std::get_if<std::int64_t>(&cell))
        return QString::number(*whole);
    if (const auto* const real = std::get_if<double>(&cell))
        return QString::number(std::llround(unit == Unit::Megabytes ? *real * 1e6 : *real));
    return "NULL";
}

QStringList rowsOf(const Cells& cells, const QStringList& titles)
{
    std::vector<std::size_t> columns;
    for (const QString& title : titles) {
        const auto found = std::ranges::find(cells.columns, title.toStdString(), &Column::title);
        columns.push_back(static_cast<std::size_t>(found - cells.columns.begin()));
    }
    QStringList rows;
    for (std::size_t r = 0; r < cells.rowCount(); ++r) {
        const std::vector<Cell> row = cells.row(r);
        QStringList texts;
        for (const std::size_t c : columns)
            texts << (c < row.size() ? cellText(row[c], cells.columns[c].unit) : QString("no such column"));
        rows << texts.join(" | ");
    }
    rows.sort();
    return rows;
}

} // namespace

class StatsSql : public QObject {
    Q_OBJECT

private slots:
    void ownReports_data() { reports({WARPLINE_TEST_DATA "/reports"}, 100); }
    void ownReports() { compare(); }
    void sharedReports_data()
    {
        reports({WARPLINE_SHARED_REPORTS "/h200", WARPLINE_SHARED_REPORTS "/h200-more"}, 20);
    }
    void sharedReports() { compare(); }

    /// Of the many comparisons enough were about something.
    void enoughWasCompared()
    {
        if (m_compared.isEmpty())
            QSKIP("there are no reports to compare with");
        QStringList tables;
        for (auto it = m_compared.cbegin(); it != m_compared.cend(); ++it)
            tables << QString("%1 %2").arg(it.key()).arg(it.value());
        qInfo("rows compared: %s", qPrintable(tables.join(", ")));
        QVERIFY(m_compared.size() >= 15);
    }

private:
    /// A sample of `most` reports below `folders`, each with a range of its own.
    static void reports(const QStringList& folders, std::size_t most)
    {
        QTest::addColumn<QString>("report");
        QTest::addColumn<double>("from");
        QTest::addColumn<double>("share");
        QStringList found;
        for (const std::string& path : test::reportsBelow(folders))
            found << QString::fromStdString(path);
        std::mt19937 random(20261121); // the same sample in every run
        std::ranges::shuffle(found, random);
        std::uniform_real_distribution<double> part(0.0, 1.0);
        for (const QString& path :
            found.first(std::min<qsizetype>(found.size(), static_cast<qsizetype>(most)))) {
            const double from = part(random) * 0.7;
            QTest::newRow(qPrintable(QFileInfo(path).baseName()))
                << path << from << 0.05 + part(random) * 0.4;
        }
    }

    void compare()
    {
        if (!QTest::currentDataTag())
            QSKIP("there are no reports to compare with");
        QFETCH(QString, report);
        QFETCH(double, from);
        QFETCH(double, share);
        const auto trace = loadReport(report.toStdString());
        QVERIFY(trace.ok());
        const auto length = static_cast<double>(trace.value()->session.duration());
        StatsQuery query;
        query.window.start = trace.value()->session.start + static_cast<Ns>(from * length);
        query.window.end = query.window.start + std::max<Ns>(1, static_cast<Ns>(share * length));
        const QString touches
            = QString("(e.start < %2 AND (e.end > %1 OR (e.end = e.start AND e.start = %1)))")
                  .arg(query.window.start)
                  .arg(query.window.end);
        for (const Oracle& oracle :
            kernelOracles(report) + callOracles(report) + rangeOracles() + hostOracles(report)) {
            const StatsTable* const table = findStatsTable(oracle.table.section(':', 0, 0).toStdString());
            query.variant = oracle.table.section(':', 1).toStdString();
            QVERIFY2(table && takesVariant(*table, query.variant), qPrintable(oracle.table));
            QString sql = oracle.sql;
            const auto expected
                = sqlRows(report.toStdString(), sql.replace("$touches", touches).toStdString());
            if (!expected)
                continue; // the report has no such table
            QStringList wanted;
            for (const std::vector<std::string>& row : *expected) {
                QStringList texts;
                for (const std::string& text : row)
                    texts << QString::fromStdString(text);
                wanted << texts.join(" | ");
            }
            wanted.sort();
            const QStringList got = rowsOf(table->fill(*trace.value(), query), oracle.titles);
            if (got != wanted)
                qWarning("%s of %s", qPrintable(oracle.table), qPrintable(report));
            QCOMPARE(got, wanted);
            m_compared[oracle.table] += static_cast<int>(wanted.size());
        }
    }

    QMap<QString, int> m_compared; ///< rows by table
};

QTEST_APPLESS_MAIN(StatsSql)
#include "tst_stats_sql.moc"
