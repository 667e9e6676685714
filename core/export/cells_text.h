#pragma once

#include "core/export/text_sink.h"
#include "core/stats/stats_table.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace warpline {

/// `cells` as comma-separated values, byte for byte as `nsys stats --format csv` prints the table: a header,
/// lines that end in a newline, fields quoted only where they must be, no thousands separators. Text keeps
/// the report's bytes. Rows are made one after another and not kept. False when `sink` wanted no more.
bool writeCsv(const Cells& cells, const TextSink& sink);
std::string toCsv(const Cells& cells);

/// `cells` as aligned text for a terminal, as nsys prints tables: numbers with thousands separators, to the
/// right. Goes through the rows twice, first for the columns' widths. Cells of more than `most` letters lose
/// their middle, so that lines fit a terminal; 0: none does. Where lines would have more than `width`
/// letters, columns of text do as well, the widest first; where that is not enough the columns stand in
/// blocks below one another, each with the one that names the rows. 0: no line is too long.
bool writeTable(const Cells& cells, const TextSink& sink, std::size_t most = 0, std::size_t width = 0);
std::string toTable(const Cells& cells, std::size_t most = 0, std::size_t width = 0);

/// `cells` as a table of Markdown (GitHub's); text is made valid UTF-8, and what Markdown would read is
/// escaped.
bool writeMarkdown(const Cells& cells, const TextSink& sink);
std::string toMarkdown(const Cells& cells);

/// `cells` as an array of objects keyed by column title, in column order. Numbers are rounded as in the other
/// formats; empty cells are null; text is made valid UTF-8.
bool writeJson(const Cells& cells, const TextSink& sink);
std::string toJson(const Cells& cells);

/// `cells` as people read them: heads of columns, and words of the program in the columns that have them, in
/// the language of the texts. Not for tables of nsys, whose heads stay as they are, nor for what programs
/// read.
Cells forReaders(const Cells& cells);

/// One cell as plain text (no separators, no quoting): what toCsv() writes, before quoting.
std::string plainText(const Cell& cell, Unit unit);
/// One cell of `column` for people: thousands separators, words in the language of texts.
std::string readableText(const Cell& cell, const Column& column);

} // namespace warpline
