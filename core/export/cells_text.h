#pragma once

#include "core/export/text_pieces.h"
#include "core/stats/stats_table.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace warpline {

/// `cells` as CSV, byte for byte as `nsys stats --format csv` prints the table: a header, lines that end in a
/// newline, fields quoted only where necessary, no thousands separators. Text keeps the report's bytes. Rows
/// are written one by one. False when `sink` refused more.
bool writeCsv(const Cells& cells, const TextSink& sink);
std::string toCsv(const Cells& cells);

/// `cells` as aligned text for a terminal, like nsys' tables: numbers right-aligned with thousands
/// separators. Reads the rows twice, first for the widths. Cells of more than `most` letters lose their
/// middle; 0: no limit. When lines exceed `width` letters, text columns are shortened as well, the widest
/// first; if that is not enough, columns are split into blocks, each with the column that names the rows. 0:
/// no limit.
bool writeTable(const Cells& cells, const TextSink& sink, std::size_t most = 0, std::size_t width = 0);
std::string toTable(const Cells& cells, std::size_t most = 0, std::size_t width = 0);

/// `cells` as a table in GitHub's Markdown; text becomes valid UTF-8 with Markdown escaped.
bool writeMarkdown(const Cells& cells, const TextSink& sink);
std::string toMarkdown(const Cells& cells);

/// `cells` as an array of objects keyed by column title, in column order. Numbers are rounded as in the other
/// formats; empty cells are null; text is made valid UTF-8.
bool writeJson(const Cells& cells, const TextSink& sink);
std::string toJson(const Cells& cells);

/// `cells` for people: headers and the program's own words in the language of the texts. Not for nsys'
/// tables, whose headers stay, and not for output that programs read.
Cells forReaders(const Cells& cells);

/// One cell as plain text (no separators, no quoting), as in toCsv() before quoting.
std::string plainText(const Cell& cell, Unit unit);
/// One cell of `column` for people: thousands separators, words in the language of the texts.
std::string readableText(const Cell& cell, const Column& column);

} // namespace warpline
