#include "views/models/table_text.h"

#include "core/base/utf8.h"
#include "core/export/cells_text.h"
#include "core/store/trace.h"

#include <QFileInfo>
#include <QObject>
#include <QSaveFile>
#include <QStringList>

namespace warpline {

namespace {

/// `cells` with the rows `order`, in that order; made when they are written.
Cells inOrder(const Cells& cells, std::span<const std::uint32_t> order)
{
    Cells shown;
    shown.columns = cells.columns;
    shown.setSource({order.size(), [&cells, order](std::size_t line) { return cells.row(order[line]); },
        [](std::size_t) { return EventRef{}; }});
    return shown;
}

} // namespace

QString tableText(const Cells& cells, std::span<const std::uint32_t> order, const QString& format)
{
    const Cells shown = inOrder(cells, order);
    if (format == "csv")
        return QString::fromStdString(toUtf8(toCsv(shown)));
    if (format == "markdown")
        return QString::fromStdString(toMarkdown(shown));
    QString text;
    for (const Column& column : shown.columns)
        text += (text.isEmpty() ? "" : "\t") + QString::fromStdString(column.title);
    for (std::size_t line = 0; line < shown.rowCount(); ++line) {
        const std::vector<Cell> row = shown.row(line);
        QStringList texts;
        for (std::size_t column = 0; column < row.size(); ++column)
            texts << QString::fromStdString(toUtf8(plainText(row[column], shown.columns[column].unit)));
        text += '\n' + texts.join('\t');
    }
    return text;
}

Result<void> writeTable(const QString& path, const Cells& cells, std::span<const std::uint32_t> order,
    const std::stop_token& stop)
{
    QSaveFile file(path);
    bool good = file.open(QIODevice::WriteOnly);
    const TextSink sink = [&](std::string_view piece) {
        const auto size = static_cast<qsizetype>(piece.size());
        good = good && !stop.stop_requested() && file.write(piece.data(), size) == size;
        return good;
    };
    const Cells shown = inOrder(cells, order);
    if (path.endsWith(".md"))
        good = good && writeMarkdown(shown, sink);
    else
        good = good && writeCsv(shown, sink);
    if (!good || !file.commit())
        return notWritten(file);
    return {};
}

Result<void> writeFile(const QString& path, const QByteArray& content)
{
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size() || !file.commit())
        return notWritten(file);
    return {};
}

Error notWritten(const QSaveFile& file)
{
    return {QObject::tr("%1 cannot be written: %2").arg(file.fileName(), file.errorString()).toStdString()};
}

QString outcomeOf(const Result<void>& written, const QString& path)
{
    return written.ok() ? QObject::tr("Wrote %1").arg(path) : QString::fromStdString(written.error().message);
}

QString exportName(const Trace& trace, const QString& ending)
{
    const QString report = QFileInfo(QString::fromStdString(trace.info.path)).completeBaseName();
    return report.isEmpty() ? ending : report + '_' + ending;
}

} // namespace warpline
