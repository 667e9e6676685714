// Tables over a range compared with sums by SQLite from the report itself: a fixed random sample of reports
// and ranges. A table counts the whole events that overlap the range.

#include "core/load/load_report.h"
#include "core/stats/stats_table.h"
#include "tests/core/stats/sql_oracles.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"

#include <QFileInfo>
#include <QMap>
#include <QSet>
#include <QStringList>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <random>

namespace tst_stats_sql {

using namespace warpline;
using namespace warpline::test;

namespace {

/// The text of a row's cell; sizes in bytes.
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
        // Reports with rare data, in full.
        for (const char* const name : {"um", "payload", "halo8/rank0"}) {
            const QString path = QString::fromStdString(sharedReport(std::string("h200-more/") + name));
            if (!path.isEmpty())
                QTest::addRow("%s, whole", name) << path << 0.0 << 1.0;
        }
    }
    void sharedReports() { compare(); }

    void publicReports_data() { reports({WARPLINE_SHARED_REPORTS "/public"}, 20); }
    void publicReports() { compare(); }

    /// Tables that hardly any report has, in a report of random rows.
    void madeReport_data()
    {
        QTest::addColumn<double>("from");
        QTest::addColumn<double>("share");
        QTest::newRow("whole") << 0.0 << 1.0;
        QTest::newRow("start") << 0.0 << 0.2;
        QTest::newRow("middle") << 0.4 << 0.1;
        QTest::newRow("end") << 0.7 << 0.3;
    }
    void madeReport()
    {
        QFETCH(double, from);
        QFETCH(double, share);
        ReportFixture made;
        made.addSmallReport();
        for (const char* const table : {"SYSCALL", "NVVIDEO_DECODER_API", "NVVIDEO_ENCODER_API",
                 "NVVIDEO_JPEG_API", "CUPTI_ACTIVITY_KIND_OPENACC_DATA", "CUPTI_ACTIVITY_KIND_OPENACC_LAUNCH",
                 "CUPTI_ACTIVITY_KIND_OPENACC_OTHER", "KHR_DEBUG_EVENTS"})
            made.run(QString(R"sql(
                CREATE TABLE %1 (start INTEGER, end INTEGER, globalTid INTEGER, nameId INTEGER, textId INTEGER,
                    eventClass INTEGER);
                WITH RECURSIVE n(i, x) AS (SELECT 0, %2 UNION ALL
                    SELECT i + 1, (x * 1103515245 + 12345) % 2147483648 FROM n WHERE i < 300)
                INSERT INTO %1 SELECT x % 5000, x % 5000 + x / 7 % 300 * (i % 9 > 0), 1677721701 + i % 3,
                    1 + x / 11 % 7, 1 + x / 11 % 7, 62 + x / 13 % 2 FROM n;)sql")
                         .arg(table)
                         .arg(QString(table).size() * 7919)
                         .toStdString());
        compareWith(QString::fromStdString(made.path()), from, share);
    }

    /// Enough of the comparisons had data.
    void enoughWasCompared()
    {
        if (m_compared.isEmpty())
            QSKIP("there are no reports to compare with");
        QStringList tables;
        for (auto it = m_compared.cbegin(); it != m_compared.cend(); ++it)
            tables << QString("%1 %2").arg(it.key()).arg(it.value());
        qInfo("rows compared: %s", qPrintable(tables.join(", ")));
        QSet<QString> names;
        for (auto it = m_compared.cbegin(); it != m_compared.cend(); ++it) {
            if (it.value() > 0)
                names.insert(it.key().section(':', 0, 0));
        }
        QVERIFY2(names.size() >= (m_shared ? 30 : 15), qPrintable(QString::number(names.size())));
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
        compareWith(report, from, share);
    }

    void compareWith(const QString& report, double from, double share)
    {
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
        for (const Oracle& oracle : sqlOracles(report)) {
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

    bool m_shared = QFileInfo::exists(WARPLINE_SHARED_REPORTS "/h200-more");
    QMap<QString, int> m_compared; ///< rows by table
};

WARPLINE_TEST(StatsSql)

} // namespace tst_stats_sql

#include "tst_stats_sql.moc"
