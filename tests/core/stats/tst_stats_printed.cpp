// Tables that people published together with their reports, from older versions of nsys: every value, in
// order.

#include "core/export/cells_text.h"
#include "core/load/load_report.h"
#include "core/stats/stats_table.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QMap>
#include <QRegularExpression>
#include <QTest>

#include <cmath>

namespace tst_stats_printed {

using namespace warpline;

namespace {

struct PrintedTable {
    QString id;
    QStringList titles;
    QList<QStringList> rows;
};

/// Ids as they were before 2022.5.
QString currentId(const QString& id)
{
    static const QMap<QString, QString> renamed{{"osrtsum", "osrt_sum"}, {"cudaapisum", "cuda_api_sum"},
        {"gpukernsum", "cuda_gpu_kern_sum"}, {"gpumemtimesum", "cuda_gpu_mem_time_sum"},
        {"gpumemsizesum", "cuda_gpu_mem_size_sum"}, {"nvtxsum", "nvtx_sum"}};
    return renamed.value(id, id);
}

QStringList linesOf(QFile& file)
{
    QStringList lines = QString::fromUtf8(file.readAll()).split('\n');
    if (file.fileName().endsWith(".ipynb")) { // a line of output is a JSON string
        static const QRegularExpression json("^\\s*\"(.*?)(\\\\n)?\",?$");
        for (QString& line : lines)
            line = line.replace(json, "\\1").replace("\\\"", "\"");
    }
    return lines;
}

/// The cells of `line` under the dashes of a rule; the last one runs to the end.
QStringList cellsUnder(const QList<QPair<qsizetype, qsizetype>>& dashes, const QString& line)
{
    QStringList cells;
    for (qsizetype i = 0; i < dashes.size(); ++i)
        cells << line.mid(dashes[i].first, i + 1 < dashes.size() ? dashes[i].second : -1).trimmed();
    return cells;
}

QList<PrintedTable> printedTables(QFile& file)
{
    static const QRegularExpression heading(
        "Executing '(\\w+)' stats report|\\*\\* .*\\((\\w+)\\):|reports/(\\w+)\\.py");
    static const QRegularExpression rule("^ *-{2,}( +-+)+ *$");
    static const QRegularExpression dash("-+");
    const QStringList lines = linesOf(file);
    QList<PrintedTable> tables;
    QString id;
    for (qsizetype i = 0; i + 1 < lines.size(); ++i) {
        const auto named = heading.match(lines[i]);
        if (named.hasMatch())
            id = currentId(named.captured(named.lastCapturedIndex()));
        if (!rule.match(lines[i + 1]).hasMatch())
            continue;
        QList<QPair<qsizetype, qsizetype>> dashes;
        for (auto found = dash.globalMatch(lines[i + 1]); found.hasNext();) {
            const auto match = found.next();
            dashes.append({match.capturedStart(), match.capturedLength()});
        }
        PrintedTable table{id, cellsUnder(dashes, lines[i]), {}};
        for (i += 2; i < lines.size() && !lines[i].trimmed().isEmpty(); ++i)
            table.rows.append(cellsUnder(dashes, lines[i]));
        tables.append(table);
    }
    return tables;
}

/// `csv` without the column of that name, which is empty.
QByteArray withoutGreenContexts(QByteArray csv)
{
    csv.replace(",GreenCtx,", ",");
    static const QRegularExpression emptyColumn("(\\(\\d+\\),\\d*),,");
    return QString::fromUtf8(csv).replace(emptyColumn, "\\1,").toUtf8();
}

/// The row without what is a matter of taste: separators of thousands follow the user's locale, copies were
/// once abbreviated, migrations of unified memory were once "[CUDA Unified Memory memcpy HtoD]", and long
/// names were cut or wrapped.
QString rowText(QStringList row)
{
    for (qsizetype i = 0; i + 1 < row.size(); ++i)
        row[i].remove(',');
    row.last()
        .replace("memcpy HtoD]", "memcpy Host-to-Device]")
        .replace("memcpy DtoH]", "memcpy Device-to-Host]")
        .replace("[CUDA Unified Memory memcpy ", "[CUDA memcpy Unified ");
    row.last().truncate(60);
    return row.join(" ; ");
}

} // namespace

class StatsPrinted : public QObject {
    Q_OBJECT

private slots:
    void printed_data()
    {
        QTest::addColumn<QString>("path");
        const QDir folder(WARPLINE_SHARED_REPORTS "/public");
        for (const QString& name : folder.entryList({"*.nsys_stats.*"}, QDir::Files, QDir::Name))
            QTest::newRow(name.toUtf8().constData()) << folder.filePath(name);
    }

    void printed()
    {
        if (!QTest::currentDataTag())
            QSKIP("the shared collection of reports is not there");
        QFETCH(QString, path);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto trace = loadReport((path.section(".nsys_stats", 0, 0) + ".sqlite").toStdString());
        QVERIFY(trace.ok());
        const auto tables = printedTables(file);
        QVERIFY(tables.size() >= 3);
        for (const PrintedTable& printed : tables) {
            const StatsTable* const table = findStatsTable(printed.id.toStdString());
            QVERIFY2(table, qPrintable(printed.id));
            const Cells cells = table->fill(*trace.value(), {});
            QStringList titles;
            for (const Column& column : cells.columns)
                titles << QString::fromStdString(column.title);
            QCOMPARE(titles, printed.titles);
            QCOMPARE(static_cast<qsizetype>(cells.rowCount()), printed.rows.size());
            for (qsizetype row = 0; row < printed.rows.size(); ++row) {
                QStringList got;
                for (std::size_t c = 0; c < cells.columns.size(); ++c)
                    got << QString::fromStdString(
                        plainText(cells.at(static_cast<std::size_t>(row), c), cells.columns[c].unit));
                QCOMPARE(rowText(got), rowText(printed.rows[row]));
            }
        }
    }

    /// CSV files next to a report: byte for byte, except that older versions wrote "None" for an empty cell,
    /// had no column for green contexts, and wrote "MBps".
    void besideReports_data()
    {
        QTest::addColumn<QString>("path");
        const QDir folder(WARPLINE_SHARED_REPORTS "/public");
        for (const QString& name : folder.entryList({"trixi*.cuda_*.csv"}, QDir::Files, QDir::Name))
            QTest::newRow(name.toUtf8().constData()) << folder.filePath(name);
    }

    void besideReports()
    {
        if (!QTest::currentDataTag())
            QSKIP("the shared collection of reports is not there");
        QFETCH(QString, path);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto trace = loadReport((path.section(".cuda_", 0, 0) + ".sqlite").toStdString());
        QVERIFY(trace.ok());
        const std::string id = "cuda_" + path.section(".cuda_", 1).chopped(4).toStdString();
        const StatsTable* const table = findStatsTable(id);
        QVERIFY(table);
        const QByteArray expected
            = file.readAll().replace(",None,", ",,").replace(",None,", ",,").replace("\r\n", "\n");
        QByteArray got = QByteArray::fromStdString(toCsv(table->fill(*trace.value(), {})));
        if (got.contains(",GreenCtx,"))
            got = withoutGreenContexts(got.replace("(MB/s)", "(MBps)"));
        QCOMPARE(got, expected);
    }

    /// Unified memory against sums over the report's own table.
    void unifiedMemory()
    {
        int compared = 0;
        for (const std::string& path : test::sharedReports()) {
            if (!QString::fromStdString(path).contains(QRegularExpression("NTHU-SC|ynan1|Luminara")))
                continue;
            const auto trace = loadReport(path);
            QVERIFY(trace.ok());
            StatsQuery all;
            all.variant = "rows=-1";
            const Cells cells = findStatsTable("um_sum")->fill(*trace.value(), all);
            const auto megabytes = [&cells](std::size_t row, std::size_t column) {
                const Cell cell = cells.at(row, column); // empty where nothing moved
                return std::holds_alternative<double>(cell) ? std::get<double>(cell) : 0.0;
            };
            double toDevice = 0;
            double toHost = 0;
            for (std::size_t row = 0; row < cells.rowCount(); ++row) {
                toDevice += megabytes(row, 1);
                toHost += megabytes(row, 2);
            }
            if (!test::sqlHasTable(path, "CUPTI_ACTIVITY_KIND_MEMCPY")) {
                QCOMPARE(cells.rowCount(), std::size_t{0});
                continue;
            }
            const auto ofKind = [&](const std::string& what, const std::string& kinds) {
                return test::sqlInteger(path,
                    "SELECT " + what + " FROM CUPTI_ACTIVITY_KIND_MEMCPY WHERE copyKind IN (" + kinds + ")");
            };
            // Exports of 2022 and older do not record the migrated address: such copies share one row.
            const bool hasAddresses
                = test::sqlHasColumn(path, "CUPTI_ACTIVITY_KIND_MEMCPY", "virtualAddress");
            const char* const places = hasAddresses ? "count(DISTINCT virtualAddress)" : "count(*) > 0";
            QCOMPARE(static_cast<long long>(cells.rowCount()), ofKind(places, "11, 12, 13"));
            QCOMPARE(std::llround(toDevice * 1e6), ofKind("coalesce(sum(bytes), 0)", "11"));
            QCOMPARE(std::llround(toHost * 1e6), ofKind("coalesce(sum(bytes), 0)", "12"));
            ++compared;
        }
        if (compared == 0)
            QSKIP("the shared collection of reports is not there");
    }
};

WARPLINE_TEST(StatsPrinted)

} // namespace tst_stats_printed

#include "tst_stats_printed.moc"
