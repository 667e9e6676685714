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
bool writeCells(const Cells& cells, TableFormat format, const TextSink& sink, std::size_t width = 0);
/// `table` on its own. CSV and JSON are the bare table: a header and rows, an array of objects. Lines of a
/// table for people have `width` letters at most where that can be; 0: any number. False when `sink` wanted
/// no more.
bool writeTable(const NamedTable& table, TableFormat format, const TextSink& sink, std::size_t width = 0);

/// `table` as one of several on one output. CSV has a line "# report (file)" before it.
bool writeTableAmongOthers(
    const NamedTable& table, TableFormat format, const TextSink& sink, std::size_t width = 0);

} // namespace warpline
