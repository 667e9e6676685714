#include "views/models/table_text.h"

#include "core/base/stop.h"
#include "core/base/utf8.h"
#include "views/models/written_files.h"
#include "views/style/rich_text.h"

namespace warpline {

namespace {

/// `cells` with the rows `order`, in that order; made when they are written. A row throws Stopped when `stop`
/// is requested.
Cells inOrder(const Cells& cells, std::span<const std::uint32_t> order, const std::stop_token& stop = {})
{
    Cells shown;
    shown.columns = cells.columns;
    shown.setSource({order.size(),
        [&cells, order, stop](std::size_t line) {
            throwIfStopped(stop);
            return cells.row(order[line]);
        },
        [](std::size_t) { return EventRef{}; }});
    return shown;
}

/// A text of the report as a field, with separators replaced by spaces.
std::string field(const Cell& cell, Unit unit)
{
    return onOneLine(toUtf8(plainText(cell, unit)));
}

bool writeTabbed(const Cells& cells, const TextSink& sink)
{
    std::string line;
    for (const Column& column : cells.columns)
        line += (line.empty() ? "" : "\t") + column.title;
    if (!sink(line + '\n'))
        return false;
    for (std::size_t at = 0; at < cells.rowCount(); ++at) {
        const std::vector<Cell> row = cells.row(at);
        line.clear();
        for (std::size_t column = 0; column < row.size(); ++column)
            line += (column == 0 ? "" : "\t") + field(row[column], cells.columns[column].unit);
        if (!sink(line + '\n'))
            return false;
    }
    return true;
}

} // namespace

QString tableText(const Cells& cells, std::span<const std::uint32_t> order, const QString& format,
    const std::stop_token& stop)
{
    const Cells shown = inOrder(cells, order, stop);
    if (format == "csv")
        return wholeTextOf(toCsv(shown));
    if (format == "markdown")
        return QString::fromStdString(toMarkdown(shown));
    if (format == "json")
        return QString::fromStdString(toJson(shown));
    std::string text;
    writeTabbed(shown, [&text](std::string_view piece) {
        text += piece;
        return true;
    });
    text.pop_back(); // a line that is pasted needs no further one below it
    return QString::fromStdString(text);
}

Result<void> writeTable(const QString& path, const Cells& cells, std::span<const std::uint32_t> order,
    const std::stop_token& stop)
{
    const Cells shown = inOrder(cells, order);
    return saveText(path, stop, [&](const TextSink& sink) {
        return path.endsWith(".md")  ? writeMarkdown(shown, sink)
            : path.endsWith(".json") ? writeJson(shown, sink)
            : path.endsWith(".tsv")  ? writeTabbed(shown, sink)
                                     : writeCsv(shown, sink);
    });
}

} // namespace warpline
