#pragma once

#include "core/base/result.h"
#include "core/stats/stats_table.h"

#include <QString>

#include <cstdint>
#include <span>
#include <stop_token>

namespace warpline {

/// The rows `order` of `cells`, in that order, as text: "csv", "markdown", "json" or "tsv". Throws
/// Stopped when `stop` is requested.
QString tableText(const Cells& cells, std::span<const std::uint32_t> order, const QString& format,
    const std::stop_token& stop = {});

/// Writes the rows `order` of `cells` to `path` in pieces, atomically: as Markdown, JSON or tab-separated
/// when it ends in ".md", ".json" or ".tsv", else as CSV with the bytes of the report.
Result<void> writeTable(const QString& path, const Cells& cells, std::span<const std::uint32_t> order,
    const std::stop_token& stop);

} // namespace warpline
