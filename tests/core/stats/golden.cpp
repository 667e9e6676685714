#include "tests/core/stats/golden.h"
#include "core/render/render.h"

#include "core/export/cells_text.h"
#include "core/load/load_report.h"
#include "core/stats/stats_table.h"

#include <QDir>
#include <QFile>
#include <QStringList>

namespace warpline::test {

QString firstDifference(const QByteArray& expected, const QByteArray& got)
{
    if (expected == got)
        return {};
    const auto wanted = expected.split('\n');
    const auto have = got.split('\n');
    for (qsizetype i = 0; i < std::max(wanted.size(), have.size()); ++i) {
        const QByteArray w = i < wanted.size() ? wanted[i] : QByteArray("<end>");
        const QByteArray h = i < have.size() ? have[i] : QByteArray("<end>");
        if (w != h)
            return QString("line %1:\n  expected %2\n  got      %3")
                .arg(i + 1)
                .arg(QString::fromUtf8(w.left(400)), QString::fromUtf8(h.left(400)));
    }
    return "unreachable";
}

QStringList differingTables(const QString& path, const QString& folder, int& compared, QSet<QString>& tables)
{
    const auto trace = loadReport(path.toStdString());
    if (!trace.ok())
        return {QString::fromStdString(plain(trace.error().message))};
    QStringList differing;
    const QDir csvs(folder);
    for (const QString& file : csvs.entryList({"*.csv"}, QDir::Files, QDir::Name)) {
        ++compared;
        // "cuda_gpu_kern_sum+nvtx-name+base.csv": the table with its arguments.
        const QString name = file.chopped(4);
        StatsQuery query;
        query.variant = name.section('+', 1).replace('+', ':').toStdString();
        const StatsTable* const table = findStatsTable(name.section('+', 0, 0).toStdString());
        if (!table || !takesVariant(*table, query.variant)) {
            differing << file + ": there is no such table";
            continue;
        }
        if (table->origin != TableOrigin::Compared)
            differing << file + ": the table does not say that it was compared";
        tables.insert(name.section('+', 0, 0));
        if (!table->applies(*trace.value())) {
            differing << file + ": the table says it does not apply";
            continue;
        }
        QFile golden(csvs.filePath(file));
        if (!golden.open(QIODevice::ReadOnly)) {
            differing << file + ": cannot be read";
            continue;
        }
        const QString difference = firstDifference(
            golden.readAll(), QByteArray::fromStdString(toCsv(table->fill(*trace.value(), query))));
        if (!difference.isEmpty())
            differing << file + ": " + difference;
    }
    return differing;
}

} // namespace warpline::test
