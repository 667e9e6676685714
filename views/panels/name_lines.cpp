#include "views/panels/name_lines.h"

#include "core/base/utf8.h"
#include "core/export/event_cells.h"
#include "core/operators/kernel_work.h"
#include "views/models/written_roles.h"
#include "views/style/rich_text.h"

#include <QObject>

namespace warpline {

QStringList groupTitles()
{
    QStringList titles{QObject::tr("Time"), QObject::tr("Events"), QObject::tr("Total"), QObject::tr("Mean"),
        QObject::tr("Median"), QObject::tr("p90"), QObject::tr("p99"), QObject::tr("Shortest"),
        QObject::tr("Longest"), QObject::tr("Deviation")};
    for (const WorkColumn column : allWorkColumns)
        titles << QObject::tr(titleOf(column).data());
    return titles;
}

std::vector<Unit> groupUnits()
{
    using enum Unit;
    std::vector<Unit> units{Percent, Count, Nanoseconds, NanosecondsReal, NanosecondsReal, NanosecondsReal,
        NanosecondsReal, Nanoseconds, Nanoseconds, NanosecondsReal};
    for (const Column& column : workColumns())
        units.push_back(column.unit);
    return units;
}

std::vector<CellsModel::Line> groupLines(const std::vector<NameGroup>& groups)
{
    std::vector<CellsModel::Line> lines;
    for (const NameGroup& group : groups) {
        const DurationFigures& figures = group.figures;
        const QString label = group.others > 0 ? QObject::tr("%1 others").arg(numberText(group.others))
            : group.label.empty()              ? QObject::tr("(none)")
                                               : plainTextOf(group.label);
        lines.push_back({{{label, {}}, shareCell(group.share), countCell(figures.count),
                             timeCell(figures.total), timeCell(figures.mean), timeCell(figures.median),
                             timeCell(figures.p90), timeCell(figures.p99), timeCell(figures.least),
                             timeCell(figures.most), timeCell(figures.deviation)},
            lines.size()});
        const KernelWork work = workOfGroup(group.sums);
        std::vector<Cell> numbers;
        appendWork(numbers, work);
        for (const WorkColumn column : allWorkColumns) {
            const QVariant number = numberOf(numbers[static_cast<std::size_t>(column)]);
            lines.back().cells.push_back(
                {textOf(work.textOf(column)), number.isValid() ? number : work.of(column)});
        }
    }
    return lines;
}

QString figuresText(const DurationFigures& figures, const FiguresNote& note)
{
    QString text = "<table cellspacing='0' cellpadding='1'>";
    const auto line = [&](const QString& title, const QString& value, const QString& more = {}) {
        text += QString(
            "<tr><td>%1&nbsp;&nbsp;</td><td align='right'><b>%2</b></td><td>&nbsp;&nbsp;%3</td></tr>")
                    .arg(title, value, more);
    };
    line(QObject::tr("Events"), numberText(figures.count));
    line(note.isOfRange ? QObject::tr("Total, whole") : QObject::tr("Total"),
        durationText(static_cast<double>(figures.total)),
        QObject::tr("%1 of its kind").arg(shareText(note.shareOfKind).toHtmlEscaped()));
    line(QObject::tr("Shortest"), durationText(static_cast<double>(figures.least)));
    line(QObject::tr("Mean"), durationText(figures.mean),
        QObject::tr("\u00b1 %1", "standard deviation").arg(durationText(figures.deviation)));
    line(QObject::tr("Median"), durationText(figures.median));
    line(QObject::tr("p90"), durationText(figures.p90));
    line(QObject::tr("p95"), durationText(figures.p95));
    line(QObject::tr("p99"), durationText(figures.p99));
    line(QObject::tr("p99.9"), durationText(figures.p999));
    line(QObject::tr("Longest"), durationText(static_cast<double>(figures.most)));
    line(QObject::tr("Outliers"), numberText(note.outliers),
        QObject::tr("above %1").arg(durationText(figures.outlierFence())));
    text += "</table>";
    return note.current.isEmpty() ? text : text + "<p>" + note.current + "</p>";
}

} // namespace warpline
