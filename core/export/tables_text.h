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

/// A statistics table of one report, with its titles.
struct NamedTable {
    std::string file; ///< path of the report
    std::string report; ///< the table's id, with its variant: "cuda_gpu_kern_sum:base"
    std::string title;
    Cells cells;
    std::string description{}; ///< StatsTable::description: below the title where people read
};

/// `table` alone. CSV and JSON are the bare table: a header and rows, or an array of objects. Lines for
/// people have at most `width` letters where possible; 0: no limit. False when `sink` refused more.
bool writeTable(const NamedTable& table, TableFormat format, const TextSink& sink, std::size_t width = 0);

/// `table` as one of several on one output. CSV is preceded by a line "# report (file)".
bool writeTableAmongOthers(
    const NamedTable& table, TableFormat format, const TextSink& sink, std::size_t width = 0);

} // namespace warpline
