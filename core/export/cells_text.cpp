#include "core/export/cells_text.h"

#include "core/base/format.h"
#include "core/base/utf8.h"
#include "core/export/text_pieces.h"
#include "core/export/wrapped_text.h"
#include "core/render/render.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace warpline {

namespace {

int decimalsOf(Unit unit)
{
    switch (unit) {
    case Unit::NanosecondsReal:
    case Unit::Percent:
    case Unit::Real:
        return 1;
    case Unit::Megabytes:
        return 3;
    case Unit::Rate:
        return 4;
    case Unit::Text:
    case Unit::Count:
    case Unit::Integer:
    case Unit::Nanoseconds:
    case Unit::Bytes:
    case Unit::BytesPerSecond:
    case Unit::AsStored:
        break;
    }
    return 0;
}

/// The shortest digits that read back as the same number, with a decimal point: "0.1", "1.0".
std::string exactText(double value)
{
    std::string text = fmt::format("{}", value);
    if (text.find_first_of(".eni") == std::string::npos)
        text += ".0";
    return text;
}

std::string withSeparators(const std::string& number)
{
    const std::size_t first = !number.empty() && number[0] == '-' ? 1 : 0;
    const std::size_t point = std::min(number.find('.'), number.size());
    std::string out;
    for (std::size_t i = 0; i < number.size(); ++i) {
        if (i > first && i < point && (point - i) % 3 == 0)
            out += ',';
        out += number[i];
    }
    return out;
}

enum class Align { Left, Right, Centre };

void appendPadded(std::string& out, std::string_view text, std::size_t width, Align align)
{
    const std::size_t have = columnsOf(text);
    const std::size_t pad = width > have ? width - have : 0;
    const std::size_t before = align == Align::Left ? 0 : align == Align::Right ? pad : pad / 2;
    out.append(before, ' ');
    out += text;
    out.append(pad - before, ' ');
}

/// A cell as readable text on one line, valid UTF-8.
std::string readableLine(const Cell& cell, const Column& column)
{
    return shownText(onOneLine(readableText(cell, column)));
}

/// The title of `column` in the same way: parts of the budget have names of the report.
std::string titleLine(const Column& column)
{
    return shownText(onOneLine(column.title));
}

/// `text` of at most `most` columns: longer text keeps its begin and its end, which distinguishes variants.
std::string withoutMiddle(std::string text, std::size_t most)
{
    constexpr std::string_view gap = "...";
    const std::size_t columns = columnsOf(text);
    if (most <= gap.size() || columns <= most)
        return text;
    const std::size_t front = (most - gap.size()) / 2;
    const std::size_t back = columns - (most - gap.size() - front);
    std::string begin;
    std::string end;
    std::size_t column = 0;
    for (std::string_view rest = text; !rest.empty();) {
        const Letter letter = firstLetterOf(rest);
        rest.remove_prefix(letter.bytes.size());
        if (column + letter.columns <= front)
            begin += letter.bytes;
        else if (column >= back)
            end += letter.bytes;
        column += letter.columns;
    }
    return begin + std::string(gap) + end;
}

bool isTextIn(const Cells& cells, std::size_t column)
{
    return cells.columns[column].unit == Unit::Text || cells.columns[column].unit == Unit::AsStored;
}

/// The column that identifies rows when a table is split into blocks: the widest text column.
std::size_t keyColumn(const Cells& cells, const std::vector<std::size_t>& widths)
{
    std::size_t key = 0;
    for (std::size_t c = 0; c < cells.columns.size(); ++c) {
        const bool wider = !isTextIn(cells, key) || widths[c] > widths[key];
        if (isTextIn(cells, c) && wider)
            key = c;
    }
    return key;
}

/// The most letters that a cell of text may have for lines of `widths` to fit into `room`. None is made
/// unreadable for it: where that would be needed, for the lines of blocks to fit, in up to half of them.
std::size_t fittingText(const Cells& cells, const std::vector<std::size_t>& widths, std::size_t room)
{
    constexpr std::size_t least = 12;
    const auto widthAt = [&](std::size_t column, std::size_t most) {
        return isTextIn(cells, column) ? std::min(most, widths[column]) : widths[column];
    };
    const auto lineOf = [&](std::size_t most) {
        std::size_t line = 0;
        for (std::size_t c = 0; c < widths.size(); ++c)
            line += (c == 0 ? 1 : 2) + widthAt(c, most);
        return line;
    };
    const std::size_t key = keyColumn(cells, widths);
    const auto blockOf = [&](std::size_t most) {
        std::size_t other = 0;
        for (std::size_t c = 0; c < widths.size(); ++c)
            other = std::max(other, c == key ? 0 : widthAt(c, most));
        return 1 + widthAt(key, most) + 2 + other;
    };
    const bool isCut = lineOf(least) > room;
    std::size_t most = widths.empty() ? least : std::max(least, *std::ranges::max_element(widths));
    if (isCut)
        most = std::clamp(room / 2, least, most);
    while (most > least && (isCut ? blockOf(most) : lineOf(most)) > room)
        --most;
    return most;
}

/// All that `write` gives its sink, as one string.
template <typename Write> std::string collected(Write write)
{
    std::string all;
    write([&all](std::string_view piece) {
        all += piece;
        return true;
    });
    return all;
}

std::string jsonString(const std::string& text)
{
    return nlohmann::json(toUtf8(text)).dump();
}

/// Columns of words that JSON and CSV keep untranslated: "faster", "warm-up".
constexpr std::array<std::string_view, 6> wordColumns{"", "Change", "Note", "Bound", "Found by", "Known by"};

std::string wordText(const std::string& word)
{
    return plain(Message(word, "word_text", word));
}

} // namespace

Cells forReaders(const Cells& cells)
{
    Cells shown;
    std::vector<bool> areWords;
    for (const Column& column : cells.columns) {
        shown.columns.push_back(
            {plain(Message(column.title, "column_title", column.title)), column.unit, column.words});
        areWords.push_back(
            column.unit == Unit::Text && std::ranges::find(wordColumns, column.title) != wordColumns.end());
    }
    RowSource source;
    source.count = cells.rowCount();
    source.cells = [cells, areWords](std::size_t place) {
        std::vector<Cell> row = cells.row(place);
        for (std::size_t column = 0; column < row.size(); ++column) {
            if (auto* const text = std::get_if<std::string>(&row[column]); text && areWords[column])
                *text = wordText(*text);
        }
        return row;
    };
    source.event = [cells](std::size_t place) {
        const std::vector<EventRef> events = cells.events(place);
        return events.empty() ? EventRef() : events.front();
    };
    shown.setSource(std::move(source));
    return shown;
}

std::string plainText(const Cell& cell, Unit unit)
{
    if (const auto* const text = std::get_if<std::string>(&cell))
        return *text;
    if (const auto* const whole = std::get_if<std::int64_t>(&cell))
        return std::to_string(*whole);
    if (const auto* const real = std::get_if<double>(&cell))
        // nsys rounds exact halves to even in megabytes ("1.562" for 1.5625), elsewhere away from zero.
        return unit == Unit::AsStored ? exactText(*real)
            : unit == Unit::Megabytes ? formatReal(*real, decimalsOf(unit))
                                      : formatRounded(*real, decimalsOf(unit));
    return {};
}

std::string readableText(const Cell& cell, const Column& column)
{
    const Unit unit = column.unit;
    if (const auto* const word = std::get_if<std::string>(&cell); word && column.words)
        return plain(column.words(*word));
    if (unit == Unit::AsStored && std::holds_alternative<std::monostate>(cell))
        return "NULL"; // of a database value: differs from an empty text
    std::string text = plainText(cell, unit);
    if (std::holds_alternative<std::string>(cell) || unit == Unit::Integer || unit == Unit::AsStored)
        return text;
    return withSeparators(text);
}

bool writeCsv(const Cells& cells, const TextSink& sink)
{
    TextPieces out(sink);
    const std::size_t columns = cells.columns.size();
    const auto separate = [&](std::size_t column) { out.text += column + 1 < columns ? ',' : '\n'; };
    for (std::size_t c = 0; c < columns; ++c) {
        appendQuoted(out.text, cells.columns[c].title);
        separate(c);
    }
    for (std::size_t r = 0; r < cells.rowCount() && out.goOn(); ++r) {
        const std::vector<Cell> row = cells.row(r);
        for (std::size_t c = 0; c < columns; ++c) {
            if (const auto* const text = std::get_if<std::string>(&row[c]))
                appendQuoted(out.text, *text);
            else
                out.text += plainText(row[c], cells.columns[c].unit);
            separate(c);
        }
    }
    return out.flush();
}

namespace {

/// Layout of a table: the width of each column, and which columns are adjacent.
struct TableLayout {
    std::vector<std::size_t> mosts; ///< letters of a cell; 0: any number
    std::vector<std::size_t> widths;
    std::vector<std::vector<std::size_t>> blocks; ///< columns, one block below the other
};

std::string lineOf(const Cells& cells, const TableLayout& layout, const Cell& cell, std::size_t column)
{
    return withoutMiddle(readableLine(cell, cells.columns[column]), layout.mosts[column]);
}

/// Columns in their order, in blocks that fit into `width`, each behind the key column.
void cutIntoBlocks(const Cells& cells, TableLayout& layout, std::size_t width)
{
    const std::size_t key = keyColumn(cells, layout.widths);
    layout.blocks = {{key}};
    std::size_t line = 1 + layout.widths[key];
    for (std::size_t c = 0; c < cells.columns.size(); ++c) {
        if (c == key)
            continue;
        if (line + 2 + layout.widths[c] > width && layout.blocks.back().size() > 1) {
            layout.blocks.push_back({key});
            line = 1 + layout.widths[key];
        }
        layout.blocks.back().push_back(c);
        line += 2 + layout.widths[c];
    }
}

TableLayout layoutOf(const Cells& cells, std::size_t most, std::size_t width)
{
    const std::size_t columns = cells.columns.size();
    TableLayout layout{std::vector<std::size_t>(columns, most), {}, {{}}};
    for (const Column& column : cells.columns)
        layout.widths.push_back(columnsOf(titleLine(column)));
    for (std::size_t r = 0; r < cells.rowCount(); ++r) {
        const std::vector<Cell> row = cells.row(r);
        for (std::size_t c = 0; c < columns; ++c)
            layout.widths[c] = std::max(layout.widths[c], columnsOf(lineOf(cells, layout, row[c], c)));
    }
    for (std::size_t c = 0; c < columns; ++c)
        layout.blocks.front().push_back(c);
    if (width == 0)
        return layout;
    const std::size_t text = fittingText(cells, layout.widths, width);
    std::size_t line = 0;
    for (std::size_t c = 0; c < columns; ++c) {
        if (isTextIn(cells, c) && layout.widths[c] > text) {
            layout.mosts[c] = std::max(text, columnsOf(titleLine(cells.columns[c])));
            layout.widths[c] = std::min(layout.widths[c], layout.mosts[c]);
        }
        line += (c == 0 ? 1 : 2) + layout.widths[c];
    }
    if (line > width)
        cutIntoBlocks(cells, layout, width);
    return layout;
}

void writeHead(
    const Cells& cells, const TableLayout& layout, const std::vector<std::size_t>& block, std::string& out)
{
    for (const std::size_t c : block) {
        out.append(c == block.front() ? 1 : 2, ' ');
        appendPadded(out, titleLine(cells.columns[c]), layout.widths[c], Align::Centre);
    }
    out += '\n';
    for (const std::size_t c : block) {
        out.append(c == block.front() ? 1 : 2, ' ');
        out.append(layout.widths[c], '-');
    }
    out += '\n';
}

} // namespace

bool writeTable(const Cells& cells, const TextSink& sink, std::size_t most, std::size_t width)
{
    const TableLayout layout = layoutOf(cells, most, width);
    TextPieces out(sink);
    for (const std::vector<std::size_t>& block : layout.blocks) {
        if (&block != &layout.blocks.front())
            out.text += '\n';
        writeHead(cells, layout, block, out.text);
        for (std::size_t r = 0; r < cells.rowCount() && out.goOn(); ++r) {
            const std::vector<Cell> row = cells.row(r);
            for (const std::size_t c : block) {
                out.text.append(c == block.front() ? 1 : 2, ' ');
                const bool isText = isTextIn(cells, c)
                    && (cells.columns[c].unit == Unit::Text || std::holds_alternative<std::string>(row[c]));
                appendPadded(out.text, lineOf(cells, layout, row[c], c), layout.widths[c],
                    isText ? Align::Left : Align::Right);
            }
            out.text += '\n';
        }
    }
    return out.flush();
}

bool writeMarkdown(const Cells& cells, const TextSink& sink)
{
    TextPieces out(sink);
    out.text = "|";
    for (const Column& column : cells.columns)
        out.text += " " + markdownCell(column.title) + " |";
    out.text += "\n|";
    for (const Column& column : cells.columns)
        out.text += column.unit == Unit::Text ? " --- |" : " ---: |";
    out.text += '\n';
    for (std::size_t r = 0; r < cells.rowCount() && out.goOn(); ++r) {
        const std::vector<Cell> row = cells.row(r);
        out.text += '|';
        for (std::size_t c = 0; c < row.size(); ++c)
            out.text += " " + markdownCell(readableText(row[c], cells.columns[c])) + " |";
        out.text += '\n';
    }
    return out.flush();
}

bool writeJson(const Cells& cells, const TextSink& sink)
{
    std::vector<std::string> keys;
    for (const Column& column : cells.columns)
        keys.push_back(jsonString(column.title) + ": ");
    TextPieces out(sink);
    out.text = "[";
    for (std::size_t r = 0; r < cells.rowCount() && out.goOn(); ++r) {
        out.text += r == 0 ? "\n  {" : ",\n  {";
        const std::vector<Cell> row = cells.row(r);
        for (std::size_t c = 0; c < keys.size(); ++c) {
            out.text += c == 0 ? "" : ", ";
            out.text += keys[c];
            if (std::holds_alternative<std::monostate>(row[c]))
                out.text += "null";
            else if (const auto* const text = std::get_if<std::string>(&row[c]))
                out.text += jsonString(*text);
            else
                out.text += plainText(row[c], cells.columns[c].unit);
        }
        out.text += '}';
    }
    out.text += cells.rowCount() == 0 ? "]\n" : "\n]\n";
    return out.flush();
}

std::string toCsv(const Cells& cells)
{
    return collected([&](const TextSink& sink) { writeCsv(cells, sink); });
}

std::string toTable(const Cells& cells, std::size_t most, std::size_t width)
{
    return collected([&](const TextSink& sink) { writeTable(cells, sink, most, width); });
}

std::string toMarkdown(const Cells& cells)
{
    return collected([&](const TextSink& sink) { writeMarkdown(cells, sink); });
}

std::string toJson(const Cells& cells)
{
    return collected([&](const TextSink& sink) { writeJson(cells, sink); });
}

} // namespace warpline
