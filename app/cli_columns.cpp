#include "app/cli_columns.h"

#include "core/base/utf8.h"
#include "core/export/wrapped_text.h"
#include "core/render/render.h"

#include <algorithm>

namespace warpline::cli {

namespace {

constexpr std::string_view between = "  ";

/// Appends `cell` in a field of `width` characters. The last column of a line gets no blanks behind it.
void appendCell(std::string& line, const std::string& cell, std::size_t width, Align align, bool last)
{
    const std::string blanks(width - std::min(width, columnsOf(cell)), ' ');
    if (align == Align::Right)
        line += blanks + cell;
    else
        line += last ? cell : cell + blanks;
}

std::string shownCell(const std::string& cell)
{
    return shownText(onOneLine(cell));
}

} // namespace

std::size_t characters(const std::string& text)
{
    return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return !isWithinLetter(c); }));
}

std::string textTable(
    const std::vector<TextColumn>& columns, const std::vector<std::vector<std::string>>& rows)
{
    if (rows.empty())
        return {};
    std::vector<std::string> heads;
    std::vector<std::size_t> widths;
    for (std::size_t c = 0; c < columns.size(); ++c) {
        heads.push_back(plain(Message(columns[c].title, "column_title", columns[c].title)));
        widths.push_back(columnsOf(heads.back()));
        for (const auto& row : rows)
            widths[c] = std::max(widths[c], columnsOf(shownCell(row[c])));
    }
    std::string text;
    const auto appendLine = [&](const auto& cellOf) {
        for (std::size_t c = 0; c < columns.size(); ++c) {
            text += c > 0 ? between : "";
            appendCell(text, cellOf(c), widths[c], columns[c].align, c + 1 == columns.size());
        }
        text += '\n';
    };
    appendLine([&](std::size_t c) { return heads[c]; });
    for (const auto& row : rows)
        appendLine([&](std::size_t c) { return shownCell(row[c]); });
    return text;
}

} // namespace warpline::cli
