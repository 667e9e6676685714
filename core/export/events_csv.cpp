#include "core/export/event_cells.h"
#include "core/export/event_export.h"
#include "core/export/text_pieces.h"
#include "core/store/trace.h"

#include <string>
#include <vector>

namespace warpline {

namespace {

void appendLine(std::string& out, const std::vector<Column>& columns, const std::vector<Cell>& row)
{
    for (std::size_t c = 0; c < columns.size(); ++c) {
        appendQuoted(out, plainText(row[c], columns[c].unit));
        out += c + 1 < columns.size() ? ',' : '\n';
    }
}

} // namespace

bool writeEventsCsv(const Trace& trace, const EventExport& asked, const TextSink& sink)
{
    TextPieces out(sink);
    const std::vector<Column> columns = eventColumns();
    std::vector<Cell> titles;
    for (const Column& column : columns)
        titles.emplace_back(column.title);
    appendLine(out.text, columns, titles);
    for (const EventKind kind : kindsOf(asked)) {
        const EventTable& table = trace.table(kind);
        for (std::uint32_t t = 0; t < table.tracks.size(); ++t) {
            const auto write = [&](EventIndex i) {
                appendLine(out.text, columns, eventRow(trace, {kind, i}));
                return out.goOn();
            };
            if (!visitTrack(trace, {kind, t}, asked, write))
                return false;
        }
    }
    return out.flush();
}

} // namespace warpline
