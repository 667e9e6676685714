#include "app/cli_cells.h"

#include "core/export/cells_text.h"

namespace warpline::cli {

ExitCode addCells(Answer& answer, const Json& head, const Cells& cells, std::size_t most, Heads heads)
{
    if (answer.isJson())
        return answer.add(head, [&](const TextSink& sink) { return writeJson(cells, sink); });
    return answer.addPieces([&](const TextSink& sink) {
        if (answer.format() == "csv")
            writeCsv(cells, sink);
        else if (answer.format() == "markdown")
            writeMarkdown(heads == Heads::Own ? forReaders(cells) : cells, sink);
        else
            writeTable(heads == Heads::Own ? forReaders(cells) : cells, sink, most, answer.width());
    });
}

ExitCode addLines(Answer& answer, const Cells& cells, const std::function<std::string()>& text)
{
    if (answer.format() == "csv")
        return answer.addBytes(toCsv(cells));
    return answer.addText(answer.format() == "markdown" ? toMarkdown(forReaders(cells)) : text());
}

} // namespace warpline::cli
