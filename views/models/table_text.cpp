#include "views/models/table_text.h"

#include "core/base/utf8.h"
#include "core/export/cells_text.h"
#include "core/store/trace.h"

#include <QFileInfo>
#include <QObject>
#include <QSaveFile>
#include <QStringList>

namespace warpline {

QString tableText(const Cells& cells, std::span<const std::uint32_t> order, const QString& format)
{
    Cells shown;
    shown.columns = cells.columns;
    for (const std::uint32_t line : order) {
        const auto row = cells.row(line);
        shown.addRow({row.begin(), row.end()});
    }
    if (format == "csv")
        return QString::fromStdString(toUtf8(toCsv(shown)));
    if (format == "markdown")
        return QString::fromStdString(toMarkdown(shown));
    QString text;
    for (const Column& column : shown.columns)
        text += (text.isEmpty() ? "" : "\t") + QString::fromStdString(column.title);
    for (std::size_t row = 0; row < shown.rowCount(); ++row) {
        QStringList texts;
        for (std::size_t column = 0; column < shown.columns.size(); ++column)
            texts << QString::fromStdString(
                toUtf8(plainText(shown.at(row, column), shown.columns[column].unit)));
        text += '\n' + texts.join('\t');
    }
    return text;
}

QString writeFile(const QString& path, const QByteArray& content)
{
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size() || !file.commit())
        return QObject::tr("%1 cannot be written: %2").arg(path, file.errorString());
    return {};
}

QString exportName(const Trace& trace, const QString& ending)
{
    const QString report = QFileInfo(QString::fromStdString(trace.info.path)).completeBaseName();
    return report.isEmpty() ? ending : report + '_' + ending;
}

} // namespace warpline
