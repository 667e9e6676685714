#include "core/export/cells_text.h"

#include "core/base/format.h"
#include "core/base/utf8.h"

#include <nlohmann/json.hpp>

#include <algorithm>

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
    case Unit::Text:
    case Unit::Count:
    case Unit::Integer:
    case Unit::Nanoseconds:
    case Unit::Bytes:
        break;
    }
    return 0;
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

void appendQuoted(std::string& out, std::string_view field)
{
    if (field.find_first_of(",\"\r\n") == std::string_view::npos) {
        out += field;
        return;
    }
    out += '"';
    for (const char c : field) {
        if (c == '"')
            out += '"';
        out += c;
    }
    out += '"';
}

/// Code points of valid UTF-8: the columns it takes, near enough for names.
std::size_t widthOf(std::string_view text)
{
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

enum class Align { Left, Right, Centre };

void appendPadded(std::string& out, std::string_view text, std::size_t width, Align align)
{
    const std::size_t have = widthOf(text);
    const std::size_t pad = width > have ? width - have : 0;
    const std::size_t before = align == Align::Left ? 0 : align == Align::Right ? pad : pad / 2;
    out.append(before, ' ');
    out += text;
    out.append(pad - before, ' ');
}

/// The cells of `cells` as readable text on one line each, valid UTF-8, row by row.
std::vector<std::string> readableCells(const Cells& cells)
{
    std::vector<std::string> texts;
    texts.reserve(cells.rowCount() * cells.columns.size());
    for (std::size_t r = 0; r < cells.rowCount(); ++r) {
        for (std::size_t c = 0; c < cells.columns.size(); ++c) {
            std::string text = toUtf8(readableText(cells.at(r, c), cells.columns[c].unit));
            std::ranges::replace_if(
                text, [](char ch) { return ch == '\n' || ch == '\r' || ch == '\t'; }, ' ');
            texts.push_back(std::move(text));
        }
    }
    return texts;
}

std::string escapedForMarkdown(std::string_view text)
{
    std::string out;
    for (const char c : text) {
        if (std::string_view("|\\`*_<>[]").find(c) != std::string_view::npos)
            out += '\\';
        out += c;
    }
    return out;
}

std::string jsonString(const std::string& text)
{
    return nlohmann::json(toUtf8(text)).dump();
}

} // namespace

std::string plainText(const Cell& cell, Unit unit)
{
    if (const auto* const text = std::get_if<std::string>(&cell))
        return *text;
    if (const auto* const whole = std::get_if<std::int64_t>(&cell))
        return std::to_string(*whole);
    if (const auto* const real = std::get_if<double>(&cell))
        return formatRounded(*real, decimalsOf(unit));
    return {};
}

std::string readableText(const Cell& cell, Unit unit)
{
    std::string text = plainText(cell, unit);
    if (std::holds_alternative<std::string>(cell) || unit == Unit::Integer)
        return text;
    return withSeparators(text);
}

std::string toCsv(const Cells& cells)
{
    std::string out;
    const auto separate = [&](std::size_t column) { out += column + 1 < cells.columns.size() ? ',' : '\n'; };
    for (std::size_t c = 0; c < cells.columns.size(); ++c) {
        appendQuoted(out, cells.columns[c].title);
        separate(c);
    }
    for (std::size_t r = 0; r < cells.rowCount(); ++r) {
        for (std::size_t c = 0; c < cells.columns.size(); ++c) {
            appendQuoted(out, plainText(cells.at(r, c), cells.columns[c].unit));
            separate(c);
        }
    }
    return out;
}

std::string toTable(const Cells& cells)
{
    const std::size_t columns = cells.columns.size();
    const std::vector<std::string> texts = readableCells(cells);
    std::vector<std::size_t> widths;
    for (const Column& column : cells.columns)
        widths.push_back(widthOf(column.title));
    for (std::size_t i = 0; i < texts.size(); ++i)
        widths[i % columns] = std::max(widths[i % columns], widthOf(texts[i]));

    std::string out;
    for (std::size_t c = 0; c < columns; ++c) {
        out.append(c == 0 ? 1 : 2, ' ');
        appendPadded(out, cells.columns[c].title, widths[c], Align::Centre);
    }
    out += '\n';
    for (std::size_t c = 0; c < columns; ++c) {
        out.append(c == 0 ? 1 : 2, ' ');
        out.append(widths[c], '-');
    }
    out += '\n';
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const std::size_t c = i % columns;
        out.append(c == 0 ? 1 : 2, ' ');
        appendPadded(
            out, texts[i], widths[c], cells.columns[c].unit == Unit::Text ? Align::Left : Align::Right);
        if (c + 1 == columns)
            out += '\n';
    }
    return out;
}

std::string toMarkdown(const Cells& cells)
{
    const std::size_t columns = cells.columns.size();
    std::string out = "|";
    for (const Column& column : cells.columns)
        out += " " + escapedForMarkdown(column.title) + " |";
    out += "\n|";
    for (const Column& column : cells.columns)
        out += column.unit == Unit::Text ? " --- |" : " ---: |";
    out += '\n';
    const std::vector<std::string> texts = readableCells(cells);
    for (std::size_t i = 0; i < texts.size(); ++i) {
        out += i % columns == 0 ? "| " : " ";
        out += escapedForMarkdown(texts[i]);
        out += i % columns + 1 == columns ? " |\n" : " |";
    }
    return out;
}

std::string toJson(const Cells& cells)
{
    std::vector<std::string> keys;
    for (const Column& column : cells.columns)
        keys.push_back(jsonString(column.title) + ": ");
    std::string out = "[";
    for (std::size_t r = 0; r < cells.rowCount(); ++r) {
        out += r == 0 ? "\n  {" : ",\n  {";
        for (std::size_t c = 0; c < keys.size(); ++c) {
            const Cell& cell = cells.at(r, c);
            out += c == 0 ? "" : ", ";
            out += keys[c];
            if (std::holds_alternative<std::monostate>(cell))
                out += "null";
            else if (const auto* const text = std::get_if<std::string>(&cell))
                out += jsonString(*text);
            else
                out += plainText(cell, cells.columns[c].unit);
        }
        out += '}';
    }
    out += cells.rowCount() == 0 ? "]\n" : "\n]\n";
    return out;
}

} // namespace warpline
