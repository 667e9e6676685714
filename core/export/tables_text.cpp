#include "core/export/tables_text.h"

#include "core/base/utf8.h"
#include "core/export/cells_text.h"
#include "core/export/wrapped_text.h"

#include <array>

namespace warpline {

namespace {

struct FormatWords {
    TableFormat format;
    std::string_view name;
    std::string_view ending;
};

constexpr std::array<FormatWords, 4> words{{
    {TableFormat::Table, "table", ".txt"},
    {TableFormat::Csv, "csv", ".csv"},
    {TableFormat::JsonRows, "json", ".json"},
    {TableFormat::Markdown, "markdown", ".md"},
}};

/// The heading of a table for people.
std::string headingOf(const NamedTable& table, TableFormat format, const std::string& file, std::size_t width)
{
    const std::size_t room = width > 0 ? std::min<std::size_t>(118, width - 1) : 118;
    const std::string text = table.title + " (" + table.report + ")" + (file.empty() ? "" : ", " + file);
    if (format == TableFormat::Markdown)
        return "## " + text + "\n\n" + (table.description.empty() ? "" : table.description + "\n\n");
    return (width > 0 ? fittedText(" ** " + text + ":", width) : " ** " + text + ":") + "\n"
        + (table.description.empty() ? "" : " " + wrappedText(table.description, room, 1) + "\n") + "\n";
}

bool isForPeople(TableFormat format)
{
    return format == TableFormat::Table || format == TableFormat::Markdown;
}

/// The rows of `cells` in that format, without a heading. False when `sink` refused more.
bool writeCells(const Cells& cells, TableFormat format, const TextSink& sink, std::size_t width = 0)
{
    switch (format) {
    case TableFormat::Csv:
        return writeCsv(cells, sink);
    case TableFormat::JsonRows:
        return writeJson(cells, sink);
    case TableFormat::Markdown:
        return writeMarkdown(cells, sink);
    case TableFormat::Table:
        break;
    }
    return writeTable(cells, sink, 0, width);
}

} // namespace

std::optional<TableFormat> tableFormatNamed(std::string_view name)
{
    for (const FormatWords& entry : words) {
        if (entry.name == name)
            return entry.format;
    }
    return std::nullopt;
}

std::string_view fileEndingOf(TableFormat format)
{
    return words[static_cast<std::size_t>(format)].ending;
}

bool writeTable(const NamedTable& table, TableFormat format, const TextSink& sink, std::size_t width)
{
    if (isForPeople(format) && !sink(headingOf(table, format, {}, width)))
        return false;
    return writeCells(table.cells, format, sink, width);
}

bool writeTableAmongOthers(
    const NamedTable& table, TableFormat format, const TextSink& sink, std::size_t width)
{
    const std::string file = onOneLine(toUtf8(table.file));
    if (isForPeople(format))
        return sink(headingOf(table, format, shownText(file), width))
            && writeCells(table.cells, format, sink, width);
    if (format == TableFormat::Csv)
        return sink("# " + table.report + " (" + file + ")\n") && writeCsv(table.cells, sink);
    return writeCells(table.cells, format, sink);
}

} // namespace warpline
