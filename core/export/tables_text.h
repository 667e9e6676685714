#pragma once

#include "core/export/cells_text.h"
#include "core/stats/stats_table.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warpline {

/// How a statistics table is written.
enum class TableFormat : std::uint8_t { Table, Csv, JsonRows, Markdown };

std::optional<TableFormat> tableFormatNamed(std::string_view name); ///< "table", "csv", "json", "markdown"
std::string_view fileEndingOf(TableFormat format); ///< ".txt", ".csv", ".json", ".md"

/// A statistics table of one report, with the words that say so.
struct NamedTable {
    std::string file; ///< path of the report
    std::string report; ///< the table's id, with its variant: "cuda_gpu_kern_sum:base"
    std::string title;
    Cells cells;
    std::string description{}; ///< StatsTable::description: below the title where people read
};

/// The rows of `cells` in that format, without a heading. False when `sink` wanted no more.
bool writeCells(const Cells& cells, TableFormat format, const TextSink& sink);
/// `table` on its own. CSV and JSON are the bare table: a header and rows, an array of objects. False when
/// `sink` wanted no more.
bool writeTable(const NamedTable& table, TableFormat format, const TextSink& sink);

/// `table` as one of several on one output, and what stands before the first, between two and after the last.
/// CSV: a line "# report (file)" before each table, an empty line behind it. JSON: one array of {file,
/// report, rows}.
bool writeTableAmongOthers(const NamedTable& table, TableFormat format, const TextSink& sink);
std::string_view beforeTables(TableFormat format);
std::string_view betweenTables(TableFormat format);
std::string_view afterTables(TableFormat format);

} // namespace warpline
